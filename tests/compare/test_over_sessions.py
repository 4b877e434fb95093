"""What sessions differ by, and what seats earn: as the sessions say, by either engine and any
number of workers."""

import json
from dataclasses import replace
from fractions import Fraction
from math import ceil

import pytest
from quadrille_plugins.compare.seats import verdict
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.accounts import places
from quadrille_plugins.studies.distribution import QUARTILES
from quadrille_plugins.studies.effects import DifferenceSums, Effects
from quadrille_plugins.studies.family import family_effect
from quadrille_plugins.studies.paired import effect_of
from quadrille_plugins.studies.sessions import play, readable

from quadrille_core.ruleset import compile_reference

PAIR = "quanti-1822@parlett", "quanti-1822@wikipedia"


def asked(capsys, *words):
    assert run(["compare", *words, "--players", "steady", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    found["design"].pop("engine")
    return found


def played(*refs, lengths, seed=1):
    """What sessions moved, by rule set, session and column."""
    engines = readable([compile_reference(ref).ruleset for ref in refs], ["steady"] * 4)
    held = play(engines, seed, 0, lengths, None).held
    return [[[s.moved[p] for p in places(4)] for s in one.session_sums()] for one in held]


def quartiles(amounts):
    ordered = sorted(amounts)
    return {name: float(ordered[ceil(len(ordered) * q) - 1]) for name, q in QUARTILES.items()}


@pytest.fixture(scope="module")
def both():
    return played(*PAIR, lengths=[40] * 8)


def test_the_figures_are_those_of_the_whole_sessions(capsys, both):
    """A last session that is short is none of them."""
    found = asked(capsys, *PAIR, "--deals", "340", "--engine", "readable", "--workers", "1")
    over = found["paired"][0]["over_sessions"]
    first, second = both
    for place, column in ((4, "hombre"), (5, "ally"), (6, "adversaries"), (9, "pool")):
        less = [b[place] - a[place] for a, b in zip(first, second, strict=True)]
        assert {n: over[column][n]["value"] for n in QUARTILES} == quartiles(less)
        gain = sum(d > 0 for d in less) / len(less)
        assert over[column]["gain"]["value"] == round(gain, 6)


def test_seats_are_held_against_their_mean(capsys, both):
    found = asked(capsys, PAIR[0], "--seats", "--sessions", "8", "--engine", "readable")
    rows = [row[:4] for row in both[0]]
    for seat in range(4):
        less = [Fraction(row[seat]) - Fraction(sum(row), 4) for row in rows]
        told = found["by_seat"][f"seat {seat}"]
        assert told["mean"] == round(float(sum(less) / len(less)), 6)
        assert {n: told["over_sessions"][n]["value"] for n in QUARTILES} == quartiles(less)
    assert abs(sum(one["mean"] for one in found["by_seat"].values())) < 1e-5


@pytest.mark.parametrize("words", [PAIR, (PAIR[0], "--seats")], ids=["compared", "seats"])
def test_either_engine_and_any_number_of_workers_give_the_same(capsys, words):
    extent = "--deals", "500"
    found = [
        asked(capsys, *words, *extent, "--engine", engine, "--workers", workers)
        for engine, workers in (("readable", "1"), ("fast", "1"), ("fast", "2"))
    ]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([("larger", 30)], "more"),
        ([("larger", -30), ("larger", -12)], "less"),
        ([("larger", -30), ("larger", 30)], "depends"),
        ([("larger", 30), ("smaller", 2)], "depends"),
        ([("smaller", 2), ("smaller", -2)], "equivalent"),
        ([("smaller", 2), ("near", 9)], "near"),
        ([("undecided", 8), ("smaller", 2)], "undecided"),
    ],
)
def test_a_seat_earns_more_less_or_as_much_where_all_players_say_so(answers, told):
    def found(said, mean):
        return replace(effect, mean=Fraction(mean), low=mean - 1, high=mean + 1, answer=said)

    effect = effect_of(DifferenceSums(), Effects(2, 80, 2 * 40**2), 40)
    members = {f"steady:boldness=+{n + 1}": found(*one) for n, one in enumerate(answers)}
    assert verdict(family_effect(members)) == told


def test_means_without_an_interval_are_no_ends_of_one(capsys):
    """Each seat's mean is told once, and that nothing is known of its error."""
    assert run(["compare", PAIR[0], "--seats", "--players", "random", "--deals", "80"]) == 0
    answer = " ".join(capsys.readouterr().out.partition("\n\n")[0].split())
    assert answer.count("± ?") == 4
    assert " to " not in answer


@pytest.mark.parametrize("option", ["--decompose", "--double-dummy", "--examples=2"])
def test_what_has_no_meaning_for_seats_alone_is_refused(capsys, option):
    assert run(["compare", PAIR[0], "--seats", option]) == 2
    assert option.partition("=")[0] in capsys.readouterr().err
