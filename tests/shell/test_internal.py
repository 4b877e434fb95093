"""Errors that nobody has foreseen: a code, what to send, status 70, and a traceback only where it
is asked for."""

import json

import click
import pytest
from quadrille_plugins.lookup import show_command as rules
from quadrille_plugins.shell.main import run


@pytest.fixture
def broken(monkeypatch):
    """Returns a function that makes `show` fail with an error."""

    def fail_with(error):
        def fail(*_, **__):
            raise error

        monkeypatch.setattr(rules, "compile_all", fail)

    return fail_with


ERRORS = [
    KeyError("x"),
    RecursionError("deep"),
    AssertionError(),
    MemoryError(),
    EOFError("ended"),
    ValueError("\x1b[2J\n"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
def test_an_internal_error_is_reported_in_a_few_lines(error, broken, capsys):
    broken(error)
    assert run(["show", "quanti-1822", "--format", "json"]) == 70
    out, err = capsys.readouterr()
    assert not out
    assert "Traceback" not in err
    head, hint, where = err.strip().splitlines()
    assert head.startswith("Q999 internal error: ")
    assert isinstance(error, MemoryError) or type(error).__name__ in head
    assert "QUADRILLE_DEBUG=1" in hint
    assert "quadrille_plugins/lookup/show_command.py:" in where
    assert where.endswith("command: quadrille show quanti-1822 --format json")
    assert "\x1b" not in err


def test_the_traceback_is_there_for_who_asks(broken, capsys, monkeypatch):
    monkeypatch.setenv("QUADRILLE_DEBUG", "1")
    broken(KeyError("x"))
    assert run(["show", "quanti-1822"]) == 70
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    assert "Q999 internal error: KeyError: 'x'" in err
    assert "QUADRILLE_DEBUG=1 in the" not in err


def test_an_interruption_is_still_one(broken, capsys):
    for error in (KeyboardInterrupt(), click.Abort()):
        broken(error)
        assert run(["show", "quanti-1822"]) == 130
        assert capsys.readouterr().err.strip() == "interrupted"


def record(capsys):
    assert run(["deal", "quanti-1822", "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("value", ["1.5", "yes", "*a", "[", "{a: 1}", "", "9/0"])
@pytest.mark.parametrize("line", [["deal", "--replay"], ["deal", "--solve", "--replay"]])
def test_a_setting_in_a_record_is_read_as_strictly_as_one_typed(value, line, capsys, tmp_path):
    """`stakes.ante` of 1.5, yes or *a in a record ended in a traceback of `solve`."""
    if line == ["deal", "--solve", "--replay"]:
        pytest.importorskip("numba")
    path = tmp_path / "r.json"
    data = record(capsys)
    data["rules"]["settings"] = {"stakes.ante": value}
    path.write_text(json.dumps(data, indent=1))
    assert run([*line, str(path)]) in (1, 2)
    err = capsys.readouterr().err
    heads = [
        text for text in err.splitlines() if " Q" in text and not text.startswith(("help", " "))
    ]
    assert heads
    assert all(text.startswith(f"{path}:") for text in heads), err


@pytest.mark.parametrize("command", [["settle"], ["discriminate"]])
def test_a_setting_that_is_no_value_is_a_fault_there_too(command, capsys, tmp_path):
    """`settle` and `discriminate` place what they cannot compile in their file, and failed in doing
    so."""
    path = tmp_path / "f.yaml"
    path.write_text("rules: ./house.yaml\nkind: evidence\npassages: []\n")
    (tmp_path / "house.yaml").write_text(
        "kind: profile\nid: h\ntitle: t\nextends: quanti-1822\nrules: {stakes: {ante: 1.5}}\n"
    )
    assert run([*command, str(path)]) in (1, 2)
    assert "Q999" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "net", [{"A": "text"}, {"A": []}, {"A": {"x": 1}}, {"A": 1.5}, "text", 5, []]
)
@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_a_net_that_is_no_amounts_is_a_fault_of_the_record(net, form, capsys, tmp_path):
    """A record whose net is text ended in a traceback; it is named with its place, in every
    format."""
    path = tmp_path / "r.json"
    path.write_text(json.dumps(record(capsys) | {"net": net}, indent=1))
    assert run(["deal", "--replay", str(path), "--format", form]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith(f"{path}:")
    assert " Q" in err


def test_every_fault_of_a_record_stands_at_its_line(capsys, tmp_path):
    """Of many faults at once each has the line that it stands at."""
    data = record(capsys)
    spoiled = {
        "pool": "much",
        "seed": "one",
        "players": ["A", "A", "B", "C"],
        "hands": ["SA SA", *data["hands"][1:]],
        "actions": ["nobody passes", *data["actions"]],
        "packets": [1],
        "favourite": "X",
        "odd": 1,
        "events": {},
        "pool_after": "x",
        "multiplier": 0,
        "beasts": -1,
    }
    path = tmp_path / "r.json"
    path.write_text(text := json.dumps(data | spoiled, indent=1))
    assert run(["deal", "--replay", str(path)]) == 1
    lines = text.splitlines()
    heads = [line for line in capsys.readouterr().err.splitlines() if line.startswith(str(path))]
    named = {lines[int(head.split(":")[1]) - 1].strip().split(":")[0].strip('",') for head in heads}
    assert {
        "pool",
        "seed",
        "players",
        "packets",
        "favourite",
        "odd",
        "events",
        "pool_after",
        "multiplier",
        "beasts",
    } <= named
    assert "nobody passes" in named


def test_a_divergence_says_where_it_stands(capsys, tmp_path):
    data = record(capsys)
    data["actions"].insert(3, data["actions"][0])
    path = tmp_path / "r.json"
    path.write_text(text := json.dumps(data, indent=1))
    assert run(["deal", "--replay", str(path)]) == 1
    line = 1 + next(n for n, t in enumerate(text.splitlines()) if t.strip() == '"actions": [') + 4
    assert f"see{path}:{line}:" in "".join(capsys.readouterr().out.split())
    assert run(["deal", "--replay", str(path), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["divergence"]["place"].startswith(f"{path}:{line}:")
