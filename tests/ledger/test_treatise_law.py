"""What the English treatise asks of adversaries whose game is sure, and where it has its
occasion."""

import pytest
from quadrille_plugins.rulebook.compose import compose
from quadrille_plugins.shell.main import run
from quadrille_plugins.witnesses.table import facts

from quadrille_core.ruleset import compile_reference

SAYS = "Adversaries who have made six tricks play on"


def test_the_passage_is_a_law_of_conduct_of_its_text(capsys) -> None:
    """W3.6, A60: it stands on the sheet of the treatise, which the rule set that follows the book
    lists."""
    assert facts()["W3.6"].state == "represented"
    assert run(["show", "quintille-old", "--laws"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "laws of necessary-calculations" in told
    assert SAYS in told


@pytest.mark.parametrize(
    ("settings", "listed"),
    [
        ({}, False),
        (
            {
                "bids.alliance.loss_borne": "shared_if_hombre_made",
                "bids.alliance.hombre_least_tricks": 3,
            },
            True,
        ),
        ({"bids.alliance.loss_borne": "shared_if_hombre_made"}, False),
        (
            {
                "bids.alliance.loss_borne": "shared_if_hombre_made",
                "bids.solo.hombre_least_tricks": 3,
            },
            False,
        ),
        ({"bids.forced-spadille.loss_borne": "shared_if_hombre_made"}, False),
    ],
)
def test_a_rulebook_has_it_only_where_three_tricks_save_the_bidder(settings, listed) -> None:
    """At the old Quintille allies share every loss; a bid that is never made gives no occasion."""
    book = compose(compile_reference("quintille-old", settings=settings))
    (laws,) = (section for section in book.sections if section.key == "laws")
    assert any(SAYS in paragraph.text for paragraph in laws.paragraphs) is listed
    if listed:
        said = " ".join(map(str, laws.paragraphs))
        assert "Page 63" in said
        assert "(laws )" not in said


def test_rules_whose_sources_print_no_laws_are_answered_with_those_whose_do(capsys):
    """It was said that the feature `ruling` is not installed, and asked whether `ruling` was
    meant."""
    assert run(["show", "quanti-1822", "--laws"]) == 2
    said = capsys.readouterr().err
    assert "no source of quanti-1822 prints laws" in said
    assert "quadrille show academie --laws" in said
