"""``legal``: which cards may be played, and positions that cannot be."""

import json

import pytest
from support.data import cases


def test_legal_says_why_a_card_may_not_be_played(quadrille):
    _, out, _ = quadrille(
        "play",
        "quanti-1822",
        "--hand",
        "♣A h2 ♠3",
        "--trick",
        "SA",
        "--trump",
        "diamonds",
        "--format",
        "json",
    )
    found = json.loads(out)
    assert found["legal"] == ["CA"]
    refused = next(c for c in found["cards"] if c["card"] == "H2")
    assert refused["rule"] == "forcing.forced_by"
    assert refused["source"]


def test_legal_asks_for_a_hand_and_trumps_only_where_cards_are_played_to_tricks(quadrille):
    status, out, err = quadrille("play", "captive-queens", "--hand", "SA")
    assert (status, out) == (2, "")
    assert "captive-queens is a patience, and this is for a game of tricks" in err
    assert "--trump" not in err
    assert "--trump" in quadrille("play", "quanti-1822", "--hand", "SA")[2]


@cases("legal")
def test_a_position_that_cannot_be_is_misuse(args, words, quadrille):
    status, out, err = quadrille("play", "quanti-1822", *args)
    assert (status, out) == (2, "")
    assert words in err


@cases("legal")
def test_it_says_whether_a_bid_trumps_or_a_call_may_be_made(ref, line, legal, rule, quadrille):
    """The answer is the engine's for a deal in which the seat holds what was given or what the bid
    asks."""
    words = [
        w.replace("=", " ") if w.startswith(("pass,", "alliance,")) else w for w in line.split()
    ]
    words = [w.replace(",", " ") if w[:3] in ("SA,",) else w for w in words]
    status, out, _ = quadrille("play", *ref.split(), *words, "--format", "json")
    (answer,) = json.loads(out)["actions"]
    assert (status, answer["legal"], answer["rule"]) == (0, legal, rule)
    assert bool(answer["reason"]) is not legal


def test_without_a_question_it_lists_what_may_be_said_and_what_not(quadrille):
    """Every bid of the rules that is made in turn is answered, and the table names who speaks."""
    _, out, _ = quadrille("play", "quanti-1822", "--auction", "pass,Alliance", "--format", "json")
    found = json.loads(out)
    assert found["turn"] == "third"
    assert found["legal"] == ["pass", "bid solo", "bid vole"]
    assert {a["action"] for a in found["actions"]} == {
        "pass",
        "bid alliance",
        "bid solo",
        "bid vole",
    }


@cases("legal")
def test_an_auction_that_cannot_be_is_refused(args, status, words, quadrille):
    """With the reason, and with status 1 where the rules refuse it, 2 where it is misuse."""
    found, out, err = quadrille("play", "quanti-1822", *args)
    assert (found, out) == (status, "")
    assert words in err


@pytest.mark.parametrize(
    ("words", "trump", "letters"),
    [
        ("manille C3", "diamonds", "D7 C3"),
        ("Manille,basto", "clubs", "C2,CA"),
        ("ponto spadille", "heart", "HA SA"),
    ],
)
def test_cards_may_be_called_by_their_names(quadrille, words, trump, letters):
    """As people at the table say them, and a suit by the beginning of its name."""
    asked = ("play", "quanti-1822", "--trick", "S7", "--format", "json", "--trump")
    by_name = quadrille(*asked, trump, "--hand", words)
    assert by_name == quadrille(*asked, {"heart": "hearts"}.get(trump, trump), "--hand", letters)
    assert by_name[0] == 0


def test_no_suit_is_trumps_and_so_no_card_is_manille(quadrille):
    """Spadille and Basto are trumps then, and the other names are no cards."""
    asked = ("play", "quanti-1822", "--trick", "S7", "--trump", "none", "--hand")
    assert quadrille(*asked, "spadille basto")[0] == 0
    assert quadrille(*asked, "manille")[0] == 2
