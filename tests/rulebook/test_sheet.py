"""The one page for the table: what it explains, and what it marks."""

import pytest
from quadrille_plugins.rulebook.compose import compose
from quadrille_plugins.rulebook.page import sheet
from quadrille_plugins.rulebook.printing import as_text
from quadrille_plugins.shell.main import run
from support.rulebook import profiles

from quadrille_core.ruleset import compile_reference

REFS = profiles()


@pytest.mark.parametrize("ref", REFS)
def test_the_sheet_says_which_cards_and_tricks_it_speaks_of(ref):
    """Matadors, premiers and what undertakes the vole, wherever the rules pay for them or have
    them."""
    compiled = compile_reference(ref)
    text = " ".join(as_text(sheet(compiled)).split())
    assert "Manille: the two of trumps when they are black, the seven when they are red." in text
    whole = " ".join(s.text for _, _, s in compose(compiled).sentences())
    for part in ("every one of the first", "undertake the vole by leading to the next trick"):
        assert (part in text) == (part in whole), part
    if compiled.game.rules.favourite.source != "none":
        assert "favourite suit" in text
    assert "red plain suit " in text
    assert ("♠A 7 ♣A A K Q J 2 3 4 5 6" in text) == ("run upside down" in whole)
    if "remiers earn" in text:
        assert "the Hombre’s side wins every one of the first" in text


def test_the_sheet_marks_what_differs_from_another_rule_set(tmp_path, capsys):
    """A row, a sentence, and in HTML too; nothing else is marked, and no list follows."""
    path = tmp_path / "ours.yaml"
    rules = "rules: {payments: {premium: {solo: 2}}, auction: {all_pass: redeal}}"
    path.write_text(f"kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\n{rules}\n")
    args = ["rulebook", str(path), "--sheet", "--against", "quanti-1822"]
    assert run(args) == 0
    text = capsys.readouterr().out
    barred = [line for line in text.splitlines() if line.startswith("|")]
    assert barred[0].split() == ["|", "Solo", "alone", "six", "Hombre", "2"]
    assert " ".join(barred[1:]).startswith("| *If everybody passes, the cards are thrown in")
    assert len(barred) == 3
    assert "DIFFERENCES" not in text
    for fmt, marked in (("md", "▸ Solo"), ("html", "<ins>Solo</ins>")):
        assert run([*args, "--format", fmt]) == 0
        text = capsys.readouterr().out
        assert marked in text
        assert "Differences" not in text
