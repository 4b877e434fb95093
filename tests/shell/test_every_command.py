"""Every command by ``q.run``: each form of its result, a code for misuse, and nothing else."""

import contextlib
import csv
import io
import json
import re
import shutil
from fractions import Fraction

import click
import pytest
from quadrille_plugins.shell.main import cli, run
from support.data import listed

import quadrille_core as q

FEW = {"deals": 4, "workers": 1}
RESULT = """\
rules: quanti-1822@parlett
players: [A, B, C, D]
pool: 12
contract: solo
trump: hearts
hombre: A
tricks: 6
"""
EVIDENCE = """\
kind: evidence
rules: quanti-1822
points: [ponto, remise_pays]
evidence:
  - id: shared
    kind: settlement
    source: parlett
    at: made for a test
    result: {players: [A, B, C, D], pool: 4, contract: solo, trump: diamonds, hombre: A, tricks: {A: 4, B: 6}}
    expect: {transfers: [{from: pool, to: B, amount: 4}]}
"""
INCIDENT = "incident: revoke\nplayers: [Ann, Ben, Cat, Dan]\ntrick_turned: true\nby: Ann\npool: 8\n"
DEALS = "rule_set,seed,session,contract,hombre,net_hombre_num,den\na,1,0,solo,2,12,1\n"
FILES = {"result.yaml": RESULT, "evidence.yaml": EVIDENCE, "incident.yaml": INCIDENT}
FILES |= {"deals.csv": DEALS}
FILES |= {"at-table.yaml": "incident: revoke\ntrick_turned: true\nby: Ann\n"}
ONE = {"contract": "solo", "hombre": "Ann", "trump": "hearts", "tricks": 6}
LEDGER = "evening.ledger"

CALLS = {
    name: (call["arguments"], call["options"]) for name, call in listed("every_command").items()
}
"""A valid line of each command, and of each command within a command."""
REFUSED = {"play": ("quanti-1822",), "serve": ()}
"""Commands that wait for their user: UsageError, code Q802, with the line for a shell."""
NEED = {"deal, solved": "numba"}
TEXT = {"new", "new, plugin", "rulebook"}
"""Commands that print a text alone; from Python they are given lines, and data that they do not
print."""
STUDIES = {"compare", "compare, bots", "matters", "rank"}
"""Studies, which take seconds: what the first two print is held in ``test_api``."""
WRITES = {
    "deal, exported",
    "new",
    "new, plugin",
    "session correct",
    "session deal",
    "session end",
    "session reverse",
}
WRITES |= {"session start", "session substitute", "session undo", "session enter"}
WRITES |= {"session enter, ruling", "session move", "session people", "session reopen"}
WRITES |= {"session rules"}
"""Commands that cannot be run twice."""


def commands():
    """Every command there is, those within commands by both words."""
    with click.Context(cli) as context:
        for name in cli.list_commands(context):
            command = cli.get_command(context, name)
            yield from (
                (f"{name} {one}" for one in command.commands)
                if isinstance(command, click.Group)
                else [name]
            )


@pytest.fixture(scope="module")
def stocked(tmp_path_factory):
    """A folder with the files that the lines name."""
    folder = tmp_path_factory.mktemp("desk")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    q.run("new", folder / "house.yaml")
    (folder / "record.json").write_text(json.dumps(q.deal("quanti-1822", seed=1).to_dict()))
    q.compare("captive-queens", "royal-quadrille", manifest=folder / "manifest.json", **FEW)
    q.run("session", "start", folder / LEDGER, rules="quanti-1822", players="Ann,Ben,Cat,Dan")
    for _ in range(2):
        q.run("session", "deal", folder / LEDGER, **ONE)
    shutil.copy(folder / LEDGER, folder / "ended.ledger")
    q.run("session", "end", folder / "ended.ledger")
    return folder


@pytest.fixture
def desk(stocked, tmp_path, monkeypatch):
    """A copy of it, in which the commands are run."""
    shutil.copytree(stocked, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)


def test_every_command_is_run_here_or_rightly_refused():
    """A new command is given a line above."""
    assert {*commands()} == {*(line.partition(",")[0] for line in CALLS), *REFUSED}


@pytest.mark.parametrize("name", CALLS)
def test_every_command_gives_python_every_form_of_its_result(name, desk, capsys):
    """As data, rows, a table and a page; `solve` and `session show` ended in an IndexError and a
    LookupError."""
    pytest.importorskip(NEED.get(name, "json"))
    arguments, options = CALLS[name]
    first, *within = name.partition(",")[0].split()
    capsys.readouterr()
    found = q.run(first, *within, *arguments, **options)
    assert capsys.readouterr().out == "", "nothing is printed"
    assert found.to_dict() is not None
    assert found.columns
    assert all({*row} == {*found.columns} for row in found.rows)
    assert str(found) == found.answer or str(found).strip()
    assert repr(found).startswith(f"<{first}: ")
    assert len(found._repr_html_()) > len("<div></div>")
    if name not in WRITES | STUDIES:
        typed = (f"--{k.replace('_', '-')}" + f"={v}" * (v is not True) for k, v in options.items())
        line = [first, *within, *arguments, *typed]
        assert printed(line, capsys) == str(found) or name in ("session export", "rulebook")
        if name not in TEXT:
            assert json.loads(printed([*line, "--format=json"], capsys)) == found.to_dict()
            table = list(csv.reader(io.StringIO(printed([*line, "--format=csv"], capsys))))
            assert tuple(table[0]) == found.columns
            assert len(table) == 1 + len(found.rows)


def printed(line, capsys):
    """What a command line prints."""
    assert run(line) in (0, 1)
    return capsys.readouterr().out.rstrip("\n")


@pytest.mark.parametrize("name", REFUSED)
def test_a_command_that_waits_for_its_user_is_refused(name):
    with pytest.raises(q.UsageError) as raised:
        q.run(name, *REFUSED[name])
    (problem,) = raised.value.problems
    assert problem.code == "Q802"
    assert f"quadrille {name}" in problem.help


@pytest.mark.parametrize("name", [*CALLS, *REFUSED])
def test_every_command_refuses_misuse_with_a_code(name, desk):
    """Too few and too many arguments, options there are not, and values that none takes."""
    first, *within = name.partition(",")[0].split()
    arguments, options = CALLS.get(name, (REFUSED.get(name), {}))
    misused = [
        ((), {}),
        ((*arguments, *"abcdef"), options),
        (("nosuch.yaml", *arguments[1:]), options),
    ]
    misused += [
        (arguments, {**options, option: value})
        for option in ("bogus", "format")
        for value in (1, "x")
    ]
    misused += [
        (arguments, {**options, option: value})
        for option in options
        for value in ([1, 1], {}, "", -1)
    ]
    raised = 0
    for given, chosen in misused:
        try:
            q.run(first, *within, *given, **chosen)
        except q.QuadrilleError as e:
            raised += 1
            assert re.fullmatch(r"Q[1-8]\d\d", e.code)
    assert raised >= 4


def _deep():
    found = []
    for _ in range(5000):
        found = [found]
    return found


WITHIN: dict = {}
WITHIN["a"] = WITHIN
ODD = [
    {1, 2},
    b"x",
    object(),
    {(1, 2): 3},
    {1: 2},
    {None: 1},
    WITHIN,
    _deep(),
    float("nan"),
    Fraction(9, 2),
    10**5000,
]
ODD += [
    "\ud800",
    "\0",
    "x" * 100_000,
    (),
    range(3),
    int,
    [],
    [[]],
    {},
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
]
"""Values that a file cannot hold, and some that it can."""
RULES = {"set": {"stakes.ante": 1}, "readings": {"unit": "fixed"}}
SETTLED = {
    "rules": "quanti-1822",
    "players": [*"ABCD"],
    "pool": 12,
    "contract": "solo",
    "hombre": "A",
    "trump": "hearts",
}
SETTLED |= {"tricks": {"A": 6, "B": 4}, "readings": {}, "premiers": True}


def calls(odd):
    """Calls with the odd value in the place of an argument, of a value in one, or of a key."""
    may_be_key = not isinstance(odd, (set, dict, list))
    for key in SETTLED:
        yield lambda key=key: q.settle({**SETTLED, key: odd})
    yield from (
        lambda f=f: f(odd) for f in (q.settle, q.load, q.run, q.explain, lambda o: q.deal(replay=o))
    )
    yield lambda: q.diff("quanti-1822", odd)
    yield lambda: q.settle(SETTLED, rules=odd)
    for name, value in RULES.items():
        yield lambda name=name: q.load("quanti-1822", **{name: odd})
        yield lambda name=name, value=value: q.load(
            "quanti-1822", **{name: dict.fromkeys(value, odd)}
        )
        if may_be_key:
            yield lambda name=name, value=value: q.load("quanti-1822", **{name: {odd: 1}})
    if may_be_key:
        yield lambda: q.settle({**SETTLED, odd: 1})
        yield lambda: q.settle({**SETTLED, "tricks": {odd: 1}})
    yield from (
        lambda name=name: q.deal("quanti-1822", **{name: odd})
        for name in ("seed", "players", "session")
    )


@pytest.mark.parametrize("number", range(len(ODD)))
def test_whatever_is_passed_is_answered_or_refused_with_a_code(number):
    """Some ended in a TypeError, a ValueError or a RecursionError of Python's own, or took a
    minute."""
    for call in calls(ODD[number]):
        with contextlib.suppress(q.QuadrilleError):
            call()
