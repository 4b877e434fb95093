"""Odds of what a partner holds, beside the hands counted one by one, and as printed odds are held
against them."""

import json
import time
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quadrille_plugins.discriminate.configurations import ConfigurationSpace
from quadrille_plugins.discriminate.evidence_holding import (
    HoldingPiece,
    around,
    chance,
    nearest,
    odds_text,
    share_of,
    span,
)
from quadrille_plugins.discriminate.validity import Validity
from quadrille_plugins.shell.main import run
from support.data import cases

from quadrille_core.ruleset import compile_reference

HANDS = str(Path(__file__).parents[1] / "data" / "evidence" / "rules" / "hands.yaml")
HEAD = "kind: evidence\nrules: quadrille-laws\npoints: [ante]\nevidence:\n"
PIECE = (
    "  - {id: h, kind: holding, source: hoyle, at: x, one_of: 2, printed: 5 to 4, knowing: "
    "nothing}\n"
)


@cache
def rules_of(reference):
    return compile_reference(reference).game


def by_counting(players, hand_cards, named, known):
    """The chance by going through every hand that the partner can have: unseen cards are numbers,
    the named lowest."""
    unseen = (players - 1) * hand_cards - known
    hands = list(combinations(range(unseen), hand_cards - known))
    return Fraction(sum(any(card < named for card in hand) for hand in hands), len(hands))


def piece(one_of, printed, knowing="nothing", within=None):
    printed = tuple(map(int, printed.split(" to ")))
    within = None if within is None else Fraction(within)
    return HoldingPiece(
        id="h",
        kind="holding",
        source="s",
        at="t",
        note="",
        place=None,
        one_of=one_of,
        printed=printed,
        knowing=knowing,
        within=within,
    )


@cases("evidence_holding")
def test_the_odds_are_exact(players, hand_cards, named, known, odds):
    share = chance(players, hand_cards, named, known=known)
    assert odds_text((share.numerator, share.denominator - share.numerator)) == odds


@pytest.mark.parametrize(
    ("players", "hand_cards", "known"), [(4, 3, 0), (4, 3, 1), (5, 2, 0), (5, 2, 1), (3, 5, 1)]
)
def test_the_odds_are_those_of_all_hands_counted_of_a_small_pack(players, hand_cards, known):
    unseen = (players - 1) * hand_cards - known
    for named in range(1, unseen + 1):
        assert chance(players, hand_cards, named, known=known) == by_counting(
            players, hand_cards, named, known
        )
    assert chance(players, hand_cards, unseen + 1, known=known) is None


@settings(max_examples=40)
@given(st.fractions(0, 1, max_denominator=500), st.integers(1, 12))
def test_the_odds_around_a_share_are_the_neighbours_among_all_that_are_told_so_briefly(share, most):
    below, above = around(share, most)
    told = {share_of((a, b)) for a, b in product(range(most + 1), repeat=2) if a or b}
    assert share_of(below) == max(s for s in told if s <= share and s < 1)
    assert share_of(above) == min((s for s in told if s > share), default=1)
    assert max(*below, *above) <= most


@settings(max_examples=40)
@given(st.fractions(0, 1, max_denominator=500), st.integers(1, 9), st.integers(1, 9))
def test_printed_odds_fit_if_none_so_brief_are_nearer_for_and_against_alike(share, a, b):
    told = [share_of((c, d)) for c, d in product(range(max(a, b) + 1), repeat=2) if c or d]
    least = min(abs(share - other) for other in told)
    assert abs(share - share_of(nearest(share, (a, b)))) == least
    assert (nearest(share, (a, b)) == (a, b)) == (abs(share - share_of((a, b))) == least)
    assert (nearest(share, (a, b)) == (a, b)) == (nearest(1 - share, (b, a)) == (b, a))


@cases("evidence_holding")
def test_the_printed_odds_fit_four_hands_where_the_called_king_is_left_out(
    one_of, printed, knowing, word, says
):
    answer = piece(one_of, printed, knowing).ask(rules_of("quadrille-laws"))
    assert answer.word == word
    assert says in answer.says


@pytest.mark.parametrize("knowing", ["nothing", "called_card"])
@pytest.mark.parametrize(("one_of", "printed"), [(2, "5 to 4"), (3, "5 to 2")])
def test_the_printed_odds_do_not_fit_five_hands(knowing, one_of, printed):
    assert piece(one_of, printed, knowing).ask(rules_of("quintille")).word == "fails"


@settings(max_examples=40)
@given(st.fractions(0, 1, max_denominator=500), st.integers(1, 9), st.integers(1, 9))
def test_the_span_of_printed_odds_is_where_none_so_brief_are_nearer(share, a, b):
    low, high = span((a, b))
    assert low < share_of((a, b)) < high
    assert (low <= share <= high) == (nearest(share, (a, b)) == (a, b))


@pytest.mark.parametrize(
    ("one_of", "printed", "knowing", "margin"),
    [
        (
            2,
            "5 to 4",
            "nothing",
            "with a share of 1/3654 to spare",
        ),  # 49/87 beside 71/126, halfway to 4 to 3
        (
            3,
            "5 to 2",
            "called_card",
            "missed by a share of 1/406",
        ),  # 419/609 beside 29/42, halfway to 2 to 1
    ],
)
def test_how_narrowly_printed_odds_fit_or_miss_is_told(one_of, printed, knowing, margin):
    assert piece(one_of, printed, knowing).ask(rules_of("quadrille-laws")).says.endswith(margin)


@pytest.mark.parametrize(
    ("within", "word"), [("1/100", "holds"), ("2/261", "holds"), ("1/131", "fails"), ("0", "fails")]
)
def test_a_margin_that_is_stated_is_kept_to(within, word):
    answer = piece(2, "5 to 4", within=within).ask(rules_of("quadrille-laws"))
    assert answer.word == word  # 49/87 and 5/9 are 2/261 apart
    assert "a chance of 49/87 beside 5/9" in answer.says


def test_nothing_is_read_of_the_rules_but_what_the_answer_hangs_on():
    space = ConfigurationSpace(HANDS)
    names = [p.id for p in space.points]
    for knowing, points in (("nothing", {"hands"}), ("called_card", {"hands", "allies", "passed"})):
        found = space.ask_rules(
            Validity(space).valid(), piece(2, "5 to 4", knowing).ask, what="odds"
        )
        assert {names[p] for p in space.diagrams.support(found)} == points


# --- files ----------------------------------------------------------------------------------------


@pytest.fixture
def ask(tmp_path, capsys):
    def asked(text, *arguments):
        path = tmp_path / "evidence.yaml"
        path.write_text(text, encoding="utf-8")
        status = run(["discriminate", str(path), "--next", "0", *arguments])
        return status, *capsys.readouterr()

    return asked


def test_what_holds_is_told_with_the_exact_odds(ask):
    status, out, _ = ask(HEAD + PIECE)
    assert status == 0
    told = " ".join(out.split())
    assert (
        "- h: the odds are 49 to 38, and no odds in numbers up to 5 are nearer than 5 to 4" in told
    )
    assert "the evidence settles no point in dispute" in told


@pytest.mark.parametrize(
    ("game", "knowing", "most"),
    [
        ("quadrille-laws", "nothing", 30),
        ("quadrille-laws", "called_card", 29),
        ("quintille", "nothing", 32),
        ("quintille", "called_card", 31),
    ],
)
def test_more_cards_than_are_unseen_cannot_have_been_asked_after(game, knowing, most):
    assert (
        piece(most, "1 to 1", knowing, "1/1").ask(rules_of(game)).says.startswith("it is certain")
    )
    answer = piece(most + 1, "1 to 1", knowing, "1/1").ask(rules_of(game))
    assert answer == (
        "refused",
        f"{most + 1} cards cannot be named: the asker does not see so many",
    )


def test_a_partner_who_is_never_called_has_no_called_card(ask):
    text = f"kind: evidence\nrules: {HANDS}\nevidence:\n" + PIECE.replace("nothing", "called_card")
    status, out, _ = ask(
        text, "--reading", "allies=never", "--reading", "passed=redeal", "--format", "json"
    )
    (told,) = json.loads(out)["pieces"]
    assert status == 1
    assert told["in_use"] == {
        "answer": "refused",
        "says": "no contract that is played here has a partner who is called",
    }


@pytest.mark.parametrize(
    ("readings", "word"),
    [
        (("in_turn", "redeal"), "holds"),
        (("in_turn", "forced"), "holds"),
        (("never", "forced"), "holds"),
        (("never", "redeal"), "refused"),
    ],
)
def test_a_partner_may_be_called_by_a_forced_bid_unless_the_cards_are_dealt_anew(readings, word):
    allies, passed = readings
    game = compile_reference(HANDS, readings={"allies": allies, "passed": passed}).game
    assert piece(2, "5 to 4", "called_card").ask(game).word == word


def test_a_forced_bid_that_is_never_forced_has_no_called_card(ask):
    text = HEAD.replace("points: [ante]\n", "") + PIECE.replace("nothing", "called_card")
    never = ("--set", "bids.alliance.made=never")
    status, out, _ = ask(text, *never)
    assert status == 0  # Spadille is forced, and calls
    status, out, _ = ask(text, *never, "--set", "auction.all_pass=redeal")
    assert status == 1
    assert "no contract that is played here has a partner who is called" in " ".join(out.split())


@cases("evidence_holding")
def test_a_fault_is_told_at_its_line(ask, old, new, code, words):
    status, out, err = ask(HEAD + PIECE.replace(old, new))
    assert status in (1, 2)
    assert out == ""
    assert "evidence.yaml:5:" in err, err
    assert code in err, err
    assert words in err, err


def test_a_patience_has_no_partner(ask):
    text = HEAD.replace("quadrille-laws", "captive-queens").replace("points: [ante]\n", "")
    status, _, err = ask(text + PIECE)
    assert status == 1
    assert "holding is no evidence on the rules of a patience" in err


def test_odds_in_the_largest_numbers_are_judged_at_once():
    game, began = rules_of("quadrille-laws"), time.process_time()
    for number in range(9980, 10_000):
        answer = piece(20, f"{number} to 1").ask(game)
        assert answer.word == "fails"
        assert (
            f"the odds are 30045014 to 1, nearer to certainty than to {number} to 1, missed by"
            in answer.says
        )
    assert time.process_time() - began < 5
