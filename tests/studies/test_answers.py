"""What every study prints: the answer first, the rest with ``--details``, rule sets by name,
players by seat."""

import json
import re
from datetime import UTC, datetime

import pytest
from quadrille_plugins.shell.citing import today
from quadrille_plugins.shell.main import run
from quadrille_plugins.shell.values import short_names
from quadrille_plugins.studies.answers import HOW_SURE
from quadrille_plugins.studies.words import seated, seated_net

READABLE = ("--engine", "readable", "--workers", "1")
PLAYED = ("--deals", "40", *READABLE)
STUDIES = {
    "compare": (("quanti-1822@parlett", "quanti-1822@wikipedia", *PLAYED), "examples"),
    "matters": (("quanti-1822", "codille_items", *PLAYED), "how often it matters"),
    "rank": (
        (
            "quanti-1822",
            "--points",
            "codille_items",
            "--configurations",
            "4",
            "--players",
            "random",
            *PLAYED,
        ),
        "readings refused|never differed|signed mean",
    ),
    "compare --bots": (
        ("steady,random", "quanti-1822", "--deals", "8", "--length", "4", "--workers", "1"),
        "one against the other",
    ),
    "discriminate": (("hoyle-odds", "--next", "0"), "sources"),
}


@pytest.fixture
def printed(capsys, monkeypatch):
    """What a study prints in 80 columns, on the first day of 2026."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")

    def ask(study, *arguments):
        assert run([*study.split(), *arguments]) == 0
        return capsys.readouterr().out

    return ask


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_prints_a_sentence_then_the_table_and_how_sure_that_is_and_the_rest_on_request(
    study, printed
):
    """The first paragraph is a sentence; the last tells how to cite; 80 columns hold every line of
    words."""
    arguments, detail = STUDIES[study]
    short, whole = printed(study, *arguments), printed(study, *arguments, "--details")
    first, *_ = short.split("\n\n")
    (last,) = (one for one in short.split("\n\n")[-2:] if one.startswith("To cite this"))
    assert first.endswith(".")
    assert whole.startswith(first)
    assert HOW_SURE in short
    assert "--details shows " in short
    assert "--details shows " not in whole
    assert re.fullmatch(
        rf"To cite this: Quadrille \S+ \(\w+\), {study} .*#[0-9a-f]{{12}}.*; results "
        rf"[0-9a-f]{{12}}; 2026-01-01\.",
        " ".join(last.split()),
    )
    assert re.search(detail, whole, re.IGNORECASE)
    assert len(short) < len(whole)
    assert max(map(len, short.splitlines())) <= 80


def test_rule_sets_are_named_and_players_are_called_by_seat(printed):
    """Letters named both, and a reader took the one for the other."""
    arguments, _ = STUDIES["compare"]
    text = printed("compare", *arguments, "--details")
    assert "wikipedia instead of parlett" in " ".join(text.split())
    assert re.search(r"parlett: (eldest|second|third|dealer) (bids|passes|pays)", text)
    assert "net eldest " in text
    assert not re.search(r"\b[A-D] (bids|pays|plays|passes|[+−])", text)


def test_examples_are_plain_deals_and_pay_differently(capsys):
    """The largest difference came first: a player lost a thousand counters in it, by pools that had
    doubled."""
    assert run(["compare", *STUDIES["compare"][0], "--examples", "5", "--format", "json"]) == 0
    examples = json.loads(capsys.readouterr().out)["paired"][0]["examples"]
    assert len(examples) == 3
    assert all(0 < e["weight"] < 100 for e in examples)
    keys = [(sum(r["pool"] for r in e["records"]), e["session"], e["deal"]) for e in examples]
    assert keys == sorted(keys)
    assert keys[0][0] == 8  # the antes


def test_the_names_of_rule_sets_are_the_shortest_that_differ():
    """Profile, else witness, else what was chosen by hand or how much of it, else a number."""
    assert short_names([("quanti", "parlett", ""), ("modern", "page", "")]) == ["quanti", "modern"]
    assert short_names([("quanti", "parlett", ""), ("quanti", "wikipedia", "")]) == [
        "parlett",
        "wikipedia",
    ]
    assert short_names([("quanti", None, ""), ("quanti", None, "unit=fixed")]) == [
        "quanti",
        "unit=fixed",
    ]
    assert short_names([("quanti", None, ""), ("quanti", None, "")]) == ["rule set 1", "rule set 2"]
    assert short_names([("quanti", None, "+club"), ("ours.yaml", None, "")]) == [
        "quanti+club",
        "ours",
    ]
    assert short_names([("quanti", None, "+club"), ("modern", None, "+club unit=1")]) == [
        "quanti",
        "modern",
    ]
    assert short_names([("quanti", "parlett", "+club:n=2"), ("quanti", "wikipedia", "")]) == [
        "parlett+club",
        "wikipedia",
    ]
    assert short_names([("quanti", None, "+club"), ("quanti", None, "")]) == ["+club", "quanti"]
    long, other = "pool_penalty=codille_as_remise", "alliance_loss=shared_by_both"
    assert short_names([("quanti", None, ""), ("quanti", None, f"{long} {other} +club:n=2")]) == [
        "quanti",
        "quanti with 3 changes",
    ]
    assert short_names([("quanti", None, ""), ("quanti", None, f"{long}_in_full")]) == [
        "quanti",
        "quanti (changed)",
    ]
    assert short_names(
        [("quanti", None, f"{long} x=1"), ("quanti", None, f"{other}_in_full x=1")]
    ) == [
        "rule set 1",
        "rule set 2",
    ]


def test_seats_stand_for_the_names_of_players_and_cards_stay():
    """The ace is no player."""
    assert seated("C plays SA, B bids solo", "BCDA") == "second plays SA, eldest bids solo"
    assert seated_net({"players": list("BCDA"), "net": {"A": -2, "B": 6, "C": -2, "D": -2}}) == (
        "eldest +6, second −2, third −2, dealer −2"
    )


def test_the_date_is_today_or_that_of_the_build(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert today() == "1970-01-02"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert today() == datetime.now(UTC).date().isoformat()
