"""Bids, suits and players by their names as printed, at every door where an id can be typed."""

import io
from pathlib import Path

import pytest
from quadrille_plugins.ledger.service import start
from quadrille_plugins.settle.player_names import likeness, name_fault
from support.data import of_yaml
from support.ledger import compiled_once

from quadrille_core.errors import NotationError
from quadrille_core.harmless import one_line
from quadrille_core.profile.naming import bid_named, meant

DATA = of_yaml(Path(__file__).parents[1] / "data" / "names_typed.yaml")


@pytest.fixture
def told(quadrille, monkeypatch, tmp_path):
    """All that a door answers to a word, the file that it wrote besides; the word is left out."""

    def told(case, word):
        door = DATA["doors"][case["at"]]
        house, ledger, file = (tmp_path / name for name in ("house.yaml", "evening", "file.yaml"))
        house.unlink(missing_ok=True)
        ledger.unlink(missing_ok=True)
        put = {"TYPED": word, "RULES": case["rules"]}
        put |= {"HOUSE": str(house), "LEDGER": str(ledger), "FILE": str(file)}

        def filled(text):
            for name, value in put.items():
                text = text.replace(name, value)
            return text

        if "LEDGER" in door["run"]:
            names = ("Anne", "Bob", "Cleo", "Dan")
            rules = compiled_once(case["rules"])
            start(ledger, rules, case["rules"], names, dealer=None, coins="plain")
        file.write_text(filled(door.get("file", "")), "utf-8")
        monkeypatch.setattr("sys.stdin", io.StringIO(door.get("stdin", "").replace("TYPED", word)))
        status, out, err = quadrille(*map(filled, door["run"]))
        written = house.read_text("utf-8") if house.exists() else ""
        out, _, _ = out.replace(f"> {word}\n", "> \n").partition(
            "To cite this"
        )  # the file's digest
        return status, out, err, written

    return told


@pytest.mark.parametrize("case", DATA["meant"], ids=[c["says"] for c in DATA["meant"]])
def test_a_name_as_printed_does_what_the_id_does(case, told):
    """The answer, and the file that is written, are to the letter those of the id."""
    by_id, by_name = told(case, case["means"]), told(case, case["typed"])
    assert by_id[0] == 0, by_id[2]
    assert by_name == by_id


@pytest.mark.parametrize("case", DATA["unknown"], ids=[c["says"] for c in DATA["unknown"]])
def test_what_means_no_bid_or_several_is_told_with_those_meant(case):
    """The hint offers titles and ids; several that may be meant are all listed."""
    rules = compiled_once(case["rules"]).ruleset.rules
    with pytest.raises(NotationError) as refused:
        bid_named(case["typed"], rules, begins=True)
    (problem,) = refused.value.problems
    found = problem.data["bids"] if "several" in problem.variant else ",".join(problem.hint.words)
    assert (problem.variant, found) == (case["variant"], case["offered"])


def test_an_id_goes_before_a_title_and_a_title_before_other_names():
    """Where the words of three bids are one, the id is meant first, then the title."""
    assert meant("ask-leave", {"ask-leave": "Other", "x": "Ask leave"}) == ("ask-leave",)
    assert meant("Sans prendre", {"solo": "Solo", "x": "Sans-prendre"}) == ("x",)
    assert meant("sans prendre", {"solo": "Solo", "x": "Other"}) == ("solo",)
    assert meant("grand", {"a": "Grand", "b": "grand"}) == ("a", "b")


@pytest.mark.parametrize("name", DATA["names"]["good"])
def test_a_name_in_any_script_is_a_name(name):
    """What names hold is taken, and printed as it is."""
    assert name_fault(name) is None
    assert one_line(name) == name


@pytest.mark.parametrize("case", DATA["names"]["refused"], ids=lambda c: c["variant"] + c["says"])
def test_each_reason_to_refuse_a_name_has_its_message(case):
    """And names the character that nobody sees."""
    problem = name_fault(case["name"])
    assert (problem.variant, problem.data.get("character")) == (
        case["variant"],
        case.get("character"),
    )


def test_names_that_differ_by_what_nobody_sees_are_alike():
    """Two players cannot be told apart by a joiner alone."""
    assert likeness("علی‌رضا") == likeness("علیرضا")
