"""A witness whose silence is filled says so wherever its name heads rules: how much, and as which
witness has it."""

import json

import pytest
from quadrille_plugins.shell.filled import filled_in, fillings
from quadrille_plugins.shell.main import run

from quadrille_core.ruleset import compile_reference

LATER, PARLETT = "quanti-1822@wikipedia", "quanti-1822@parlett"


def counted(reference, readings=None):
    """Counted here from the points themselves: all, filled, and those that the other witness
    attests so."""
    compiled = compile_reference(reference, readings=readings)
    own = compiled.identity.witness
    silent = [s for s in compiled.points if not any(own in r.witnesses for r in s.point.readings)]
    filled = [s for s in silent if s.point.id not in dict(compiled.identity.readings)]
    (other,) = set(compiled.witnesses) - {own}
    return (
        len(compiled.points),
        len(filled),
        sum(other in s.reading.witnesses for s in filled),
        other,
    )


@pytest.mark.parametrize("reference", [LATER, PARLETT])
def test_points_on_which_the_witness_is_silent_are_counted_and_those_that_the_other_attests(
    reference,
):
    points, filled, like, other = counted(reference)
    found = fillings(compile_reference(reference))
    assert found.to_plain() == {"points": points, "filled": filled, "as": {other: like}}
    assert str(found) == f"{filled} of {points} points filled, {like} of them as {other} has it"
    assert 0 < like < filled < points


def test_a_reading_that_is_chosen_fills_nothing():
    before = fillings(compile_reference(LATER))
    readings = {"own_king": "always", "ponto": "red_ace_only"}
    chosen = fillings(compile_reference(LATER, readings=readings))
    assert (chosen.points, chosen.filled) == (before.points, before.filled - 1)


def test_without_a_witness_nothing_is_filled_for_one():
    assert fillings(compile_reference("quanti-1822")) is None


def test_where_no_other_witness_has_it_so_none_is_named():
    assert str(filled_in(3, [(), ()])) == "2 of 3 points filled"
    assert str(filled_in(3, [("b",), ("a", "b")])) == (
        "2 of 3 points filled, 2 of them as b has it, 1 of them as a has it"
    )


@pytest.mark.parametrize(
    "command",
    [
        ["show", LATER],
        ["explain", LATER, "cards.black_ponto"],
        ["apparatus", LATER],
        ["diff", PARLETT, LATER],
        ["compare", PARLETT, LATER, "--sessions", "1", "--engine", "readable", "--examples", "0"],
    ],
    ids=lambda c: c[0],
)
def test_it_stands_below_the_name_in_tables_and_in_json(command, capsys):
    points, filled, like, other = counted(LATER)
    run(command)
    printed = " ".join(capsys.readouterr().out.split())
    assert f"{filled} of {points} points filled, {like} of them as {other} has it" in printed
    run([*command, "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    where = data["witnesses"]["wikipedia"] if command[0] == "apparatus" else data["rules"]
    where = where[1] if isinstance(where, list) else where
    assert where["filled"] == {"points": points, "filled": filled, "as": {other: like}}


@pytest.mark.parametrize("name", ["ante", "own_king"])
def test_the_apparatus_of_one_point_counts_the_fillings_of_all(name, capsys):
    """Counted as where all points are shown, for every witness, in the table and in JSON."""
    told = []
    for points in ([], ["--point", name]):
        assert run(["apparatus", LATER, *points]) == 0
        heads = [
            " ".join(capsys.readouterr().out.split()).count(
                f"{counted(LATER)[1]} of {counted(LATER)[0]} points"
            )
        ]
        assert run(["apparatus", LATER, *points, "--format", "json"]) == 0
        told.append(
            (
                heads,
                {
                    w: d["filled"]
                    for w, d in json.loads(capsys.readouterr().out)["witnesses"].items()
                },
            )
        )
    assert told[0] == told[1]
    assert told[0][0][0]
