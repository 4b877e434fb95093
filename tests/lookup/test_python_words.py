"""What Python users read: errors that lead to what Python can do, and functions whose help lists
their options."""

import inspect
import re
import shlex
from dataclasses import replace
from pathlib import Path

import click
import pytest
from quadrille_plugins.shell import api, commands
from quadrille_plugins.shell.options import in_a_shell
from support.plugin import SOLO

import quadrille_core as q
from quadrille_core.errors import Command, Option, Place, Problem

R = "quanti-1822"
RESULT = {"rules": "quanti-1822@parlett", **SOLO, "matadors": 3, "premiers": True}
WRONG = {
    "load a rule set that is not there": (lambda: q.load("nope"), "shipped: "),
    "load a number": (lambda: q.load(3), "help(q.load)"),
    "load a file that is not there": (lambda: q.load("missing.yaml"), "help(q.load)"),
    "load with no such point": (
        lambda: q.load(R, readings={"nope": "x"}),
        "help(q.load)",
    ),
    "explain nothing": (q.explain, "help(q.explain)"),
    "explain no word": (lambda: q.explain("xyzzy"), 'print(q.run("apparatus", "quanti-1822"))'),
    "explain only a rule set": (lambda: q.explain(R), 'print(q.load("quanti-1822"))'),
    "settle a rule set": (lambda: q.settle(q.load(R)), "help(q.settle)"),
    "settle a file that is not there": (lambda: q.settle("nope.yaml"), "help(q.settle)"),
    "settle a number": (lambda: q.settle(3), "help(q.settle)"),
    "deal with no such option": (lambda: q.deal(R, bogus=1), "help(q.deal)"),
    "deal with a text as seed": (lambda: q.deal(R, seed="x"), "help(q.deal)"),
    "deal in a format": (lambda: q.deal(R, format="json"), "help(q.deal)"),
    "deal with two seeds": (lambda: q.deal(R, seed=[1, 2]), "help(q.deal)"),
    "deal with rules as a mapping": (
        lambda: q.deal(R, set={"stakes.unit": 3}),
        'such as set="stakes.unit=3"',
    ),
    "compare nothing": (q.compare, "help(q.compare)"),
    "compare one": (lambda: q.compare(R), 'q.compare("quanti-1822", "mediateur-1752")'),
    "compare no deals": (lambda: q.compare(R, R, deals=0), "help(q.compare)"),
    "compare with a study": (lambda: q.compare(R, R, study="x"), "help(q.compare)"),
    "compare two games": (lambda: q.compare(R, "captive-queens"), "print(q.list())"),
    "compare four players and five": (lambda: q.compare(R, "quintille"), "`q.diff` shows"),
    "matters of nothing": (lambda: q.matters(R), "all=True, such as: q.matters("),
    "matters of no point": (lambda: q.matters(R, "nope"), 'print(q.load("quanti-1822"))'),
    "matters with no such engine": (
        lambda: q.matters(R, "solo_premium", engine="x"),
        "help(q.matters)",
    ),
    "matters of a patience": (
        lambda: q.matters("captive-queens", all=True),
        'q.compare("captive-queens")',
    ),
    "diff with two games": (lambda: q.diff(R, "captive-queens"), "print(q.list())"),
    "diff of one": (lambda: q.run("diff", R), "help(q.diff)"),
    "solve no rule set": (lambda: q.deal(solve=True), 'q.deal("quanti-1822")'),
    "an option nearly spelt": (lambda: q.compare(R, R, deels=40), "did you mean deals"),
    "an option of another use": (lambda: q.run("apparatus", R, graph="a.svg"), "help=True"),
    "a format of another use": (lambda: q.run("rank", R, smallest="0"), "smallest=10"),
    "no rules for a card": (lambda: q.run("play", hand="SA"), 'trump="hearts"'),
    "no trumps for a card": (lambda: q.run("play", R, hand="SA"), 'trump="hearts"'),
    "questions of no witness": (lambda: q.run("list", "plugins", facts=True), "q.list"),
    "a former name": (lambda: q.run("solve"), ""),
    "an option misspelt": (
        lambda: q.run("rulebook", R, outptu="x"),
        'q.run("rulebook", help=True)',
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_help_of_an_error_can_be_typed_in_python(name):
    """It said `quadrille deal --help`, which is a shell's."""
    call, said = WRONG[name]
    with pytest.raises(q.QuadrilleError) as raised:
        call()
    (problem,) = raised.value.problems
    assert said in problem.help
    assert not re.search(r"\bquadrille [a-z]|--[a-z]", problem.message + problem.help)
    assert str(raised.value) == problem.render()


def test_what_the_help_proposes_runs():
    """Each call in the help of these errors is run as it stands there."""
    proposed = []
    for call, _ in WRONG.values():
        with pytest.raises(q.QuadrilleError) as raised:
            call()
        proposed += re.findall(
            r'print\(q\.(?:load|list)\([^()]*\)\)|q\.run\("\w+", help=True\)|help\(q\.\w+\)',
            raised.value.problems[0].help,
        )
    assert len(set(proposed)) > 6
    for one in set(proposed):
        eval(one, {"q": q, "help": lambda function: function.__doc__})  # noqa: S307 - what our own errors say


def line(name, *arguments, **options):
    """A command with its arguments and options, a flag being an option without a value."""
    return Command(name, arguments, tuple(Option(key, value) for key, value in options.items()))


LINES = [
    (
        line("compare", "a", "b", deals="40", details=""),
        'q.compare("a", "b", deals=40, details=True)',
    ),
    (line("deal", "REF", out="FOLDER"), "q.deal(REF, out=FOLDER)"),
    (line("session", "ruling", "REF", "FILE"), 'q.run("session", "ruling", REF, FILE)'),
    (line("show", "quanti-1822"), 'print(q.load("quanti-1822"))'),
    (line("list"), "print(q.list())"),
    (line("deal", help=""), "help(q.deal)"),
    (line("rulebook", help=""), 'q.run("rulebook", help=True)'),
    (line("deal", "quanti-1822", format="json"), 'q.deal("quanti-1822")'),
    (line("diff"), "q.diff"),
    (line("serve", table="FILE"), ""),
    (line("frobnicate"), ""),
]


@pytest.mark.parametrize(("command", "made"), LINES, ids=str)
def test_a_command_becomes_a_call(command, made):
    """What has no call (a server, a word that is no command) stays as it is typed."""
    assert api.call(command) == made


def test_what_a_user_has_typed_is_not_taken_for_a_command():
    """`there is no rule 'q.load'` was said of a rule called so, since a sentence was reworded."""
    with pytest.raises(q.QuadrilleError) as raised:
        q.load(R, set={"quadrille show": 1})
    (problem,) = raised.value.problems
    assert (problem.code, problem.data) == ("Q605", {"path": "quadrille show"})
    assert "'quadrille show'" in problem.message


def test_an_option_of_a_hint_is_an_argument_and_a_finished_sentence_stays():
    """Records are put into words for Python; no place, code or sentence is touched."""
    words = {"words": "'--nothing' is no value", "help": "write --deals 40"}
    place = Place("a.yaml", 3, 1, "--nothing")
    finished = Problem("Q203", "own-words-and-help", words, place)
    record = replace(finished, data={**words, "help": Option("deals", "40")})
    error = q.UsageError([finished, record])
    api.spoken(error, "compare")
    assert [(p.message, p.place) for p in error.problems] == [
        (finished.message, finished.place)
    ] * 2
    assert [p.help for p in error.problems] == ["write --deals 40", "deals=40"]


@pytest.mark.parametrize("name", ["compare", "deal", "matters"])
def test_the_help_of_a_function_lists_every_option(name):
    """It led to `--help` of the command line."""
    command = commands.offers()[name].command()
    options = {
        p.opts[0][2:].replace("-", "_") for p in command.params if isinstance(p, click.Option)
    }
    listed = set(re.findall(r"^  (\w+): ", getattr(q, name).__doc__, re.MULTILINE))
    assert listed == options - api.NOT_HERE
    assert "--help" not in getattr(q, name).__doc__
    assert options - api.NOT_HERE < {*inspect.signature(getattr(q, name)).parameters}


def test_the_help_of_settle_shows_a_result_that_settles():
    """The result in the docstring is one that the function takes."""
    text = q.settle.__doc__
    shown = text[text.index("q.settle({") :]
    assert eval(shown, {"q": q}).answer  # noqa: S307 - our own docstring


def test_rules_are_named_for_a_mapping():
    """``rules="name"`` was an AttributeError."""
    assert q.settle(RESULT, rules="quanti-1822@parlett").to_dict() == q.settle(RESULT).to_dict()


# --- commands without data, and such as never end -----------------------------------------------


TEXTS = {
    "new": (("mine.yaml",), {}, "file", "mine.yaml"),
    "new --plugin": ((), {"plugin": "my-mechanic"}, "folder", "quadrille-my-mechanic"),
    "rulebook": ((R,), {}, None, None),
    "rulebook in a file": ((R,), {"output": "rules.md"}, "file", "rules.md"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_command_that_prints_a_text_gives_it_as_its_result(name, tmp_path, monkeypatch, capsys):
    """`new` wrote its file and then said that it prints no data."""
    monkeypatch.chdir(tmp_path)
    arguments, options, key, made = TEXTS[name]
    found = q.run(name.split()[0], *arguments, **options)
    assert capsys.readouterr().out == "", "nothing is printed"
    text = found.to_dict()["text"]
    assert [row["line"] or "" for row in found.rows] == text.splitlines()
    assert str(found).split() == text.split()
    assert key is None or (found.to_dict()[key] == made and Path(made).exists())


def test_check_collate_and_apparatus_give_their_data(tmp_path, monkeypatch, capsys):
    """`check` and `collate` printed their table past Python, and `apparatus` with a file gave
    none."""
    monkeypatch.chdir(tmp_path)
    q.run("new", "mine.yaml")
    assert str(q.run("check", "mine.yaml")) == "1 file checked, no errors"
    assert q.run("apparatus", R, "mediateur-1752", collate=True).to_dict()["texts"]
    assert q.run("apparatus", R, output="points.txt").to_dict()["points"]
    assert Path("points.txt").stat().st_size
    assert capsys.readouterr().out == ""


FOR_A_SHELL = {
    "serve": ((), {}),
    "play": ((R,), {"seed": 4}),
    "new": (("mine.yaml",), {"ask": True}),
}


@pytest.mark.parametrize("name", FOR_A_SHELL)
def test_a_command_that_waits_for_its_user_is_refused_with_what_to_type_in_a_shell(
    name, tmp_path, monkeypatch
):
    """`serve` blocked Python for ever."""
    monkeypatch.chdir(tmp_path)
    arguments, options = FOR_A_SHELL[name]
    with pytest.raises(q.UsageError) as raised:
        q.run(name, *arguments, **options)
    (problem,) = raised.value.problems
    assert problem.code == "Q802"
    typed = problem.help.removeprefix("start it in a shell: ")
    assert shlex.split(typed)[:2] == ["quadrille", name]
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_asked_of_python_though_it_runs_at_a_terminal(tmp_path, monkeypatch):
    """At a prompt of Python `new` without options asked its questions."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    assert q.run("new", "mine.yaml").to_dict()["file"] == "mine.yaml"


def test_a_strangers_command_that_waits_is_refused_by_its_mark():
    """The mark is the command's own; the core names no command."""
    ran = []

    @click.command("wait")
    @in_a_shell
    def wait() -> None:
        ran.append(1)

    there = {**commands.offers(), "wait": Stranger(wait)}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(commands, "offers", lambda: there)
        with pytest.raises(q.UsageError, match="wait runs until its user ends it"):
            q.run("wait")
    assert ran == []


class Stranger:
    """A feature that brings one command."""

    is_command, plugin = True, None

    def __init__(self, made):
        self._made, self.name = made, "wait"

    def command(self):
        return self._made


def test_a_command_that_prints_for_itself_has_an_empty_result(capsys):
    """It was run, and then refused: ``prints no data``."""
    found = q.run("deal", help=True)
    assert "--out FOLDER" in capsys.readouterr().out
    assert (found.to_dict(), found.rows, found.answer) == (None, (), "")
