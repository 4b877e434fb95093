"""The catalogue has a sentence for every diagnostic and hint of the code, and nothing else; no code
reads one."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from support.catalogue import nonsense
from support.codes import CODES

import quadrille_core as q
from quadrille_core.diagnostics import SHELL, Command, Option, Phrase, Problem, catalogue

ROOT = Path(__file__).parents[2]
SOURCES = [
    p for folder in ("quadrille_core", "plugins") for p in sorted((ROOT / folder).rglob("*.py"))
]
LATER = {"text"}
"""The variant of what does not stand in the catalogue yet."""


@cache
def _nodes() -> tuple[ast.AST, ...]:
    """Everything that is written in the code."""
    return tuple(n for path in SOURCES for n in ast.walk(ast.parse(path.read_text("utf-8"))))


def _texts() -> Iterator[str]:
    """Every text of the code, and of the data that name variants and hints."""
    for node in _nodes():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
    for path in (ROOT / "quadrille_core").rglob("*.yaml"):
        yield from re.findall(r"(?:id|name|hint|how): (\S+)", path.read_text("utf-8"))


def _called(name: str) -> Iterator[ast.Call]:
    """Every call by that name; of ``of`` those of an error's class."""
    for node in _nodes():
        func = getattr(node, "func", None)
        if func is None or name not in (getattr(func, "id", ""), getattr(func, "attr", "")):
            continue
        assert isinstance(node, ast.Call)
        if name != "of" or ast.unparse(func).endswith("Error.of"):
            yield node


def _words(call: ast.Call, at: int) -> tuple[str, ...]:
    """The first arguments of a call; empty unless they are literal texts."""
    words = [a.value for a in call.args[:at] if isinstance(a, ast.Constant)]
    return tuple(map(str, words)) if len(words) == at else ()


def _calls(name: str, at: int) -> Iterator[tuple[str, ...]]:
    """The first arguments of every call by that name in which they are literal texts."""
    return filter(None, (_words(call, at) for call in _called(name)))


def _fields(template: Any) -> set[str]:
    """The data that a sentence and its help are filled with; commands and options are written
    out."""
    if not isinstance(template, str):
        parts = template.values() if isinstance(template, dict) else template
        return set().union(*map(_fields, parts))
    named = (name for _, name, _, _ in Formatter().parse(template) if name)
    return {re.split(r"[.\[]", n)[0] for n in named if not n.startswith(("--", "quadrille "))}


def _given() -> Iterator[tuple[str, str, set[str], bool]]:
    """Where the data of a sentence are written out: the code, or none, its variant and their names;
    whether these must be all, as a hint of its own takes the place of the help."""
    for call in _called("of"):
        names = {k.arg for k in call.keywords} - {"place"}
        for (variant,) in filter(None, [_words(call, 1)]):
            yield "", variant, names - {None}, None not in names and len(call.args) < 2
    for call in _called("Problem"):
        data = next((a for a in call.args[2:3] if isinstance(a, ast.Dict)), None)
        if data is not None and len(words := _words(call, 2)) == 2:
            keys = {getattr(k, "value", None) for k in data.keys}
            has_hint = len(call.args) > 4 or any(k.arg == "hint" for k in call.keywords)
            yield *words, {str(k) for k in keys if k}, None not in keys and not has_hint


def test_every_sentence_is_given_the_data_that_it_is_filled_with():
    """A name that is missing would be an error of ours where a user has made one."""
    known, wrong, tried = catalogue(), [], 0
    for code, variant, given, is_all in _given():
        owners = [c for c, found in known.items() if c != "hints" and variant in found]
        if not code:
            assert len(owners) == 1, (variant, owners)
        wanted = _fields(known[code if code in owners else owners[0]][variant])
        tried += 1
        if given - wanted or (is_all and wanted - given):
            wrong.append((variant, given ^ wanted))
    assert tried > 250
    assert wrong == []


def test_every_problem_and_phrase_of_the_code_has_its_sentence():
    """Also where it is met by no test."""
    known = catalogue()
    problems = {pair for name in ("Problem", "problem", "_note") for pair in _calls(name, 2)}
    lacking = [(c, v) for c, v in problems if v not in known.get(c, {}) and v not in known["any"]]
    assert len(problems) > 80
    assert lacking == []
    variants = {v for code, found in known.items() if code != "hints" for v in found}
    assert {v for (v,) in _calls("of", 1)} - variants == set()
    assert {v for (v,) in _calls("Phrase", 1)} - LATER - known["hints"].keys() == set()


def test_every_sentence_is_of_some_code():
    """A sentence that nothing names any more goes."""
    named = set(_texts())
    made = {
        "key-doubtful",
        "key-idle-zeros",
        "without-comma",
        "without-semicolon",
        "of-game-and-extends",
    }
    made |= {"of-no-game-and-extends", "unknown-kind-no-word", "another-kind-no-word"}
    idle = [
        (code, name)
        for code, found in catalogue().items()
        for name in found
        if name not in named | made
    ]
    assert idle == []


def test_every_code_of_the_catalogue_is_one_that_is_documented():
    assert set(catalogue()) - {"any", "hints"} <= set(CODES)


CALLS = {
    "no such rule": (
        lambda: q.load("quanti-1822", set={"stakes.anti": 2}),
        "Q605",
        {"path": "stakes.anti"},
    ),
    "no such rule set": (lambda: q.load("quanti-1823"), "Q306", {"name": "quanti-1823"}),
    "no such point": (
        lambda: q.load("quanti-1822", readings={"unitt": "fixed"}),
        "Q401",
        {"point": "unitt"},
    ),
    "an option for a shell": (
        lambda: q.run("show", "quanti-1822", format="csv"),
        "Q802",
        {"option": Option("format")},
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_python_is_told_by_records_whatever_the_sentences_are(name):
    """Code and data are the same, and the words are made of the rewritten catalogue."""
    call, code, data = CALLS[name]
    with nonsense(), pytest.raises(q.QuadrilleError) as raised:
        call()
    (problem,) = raised.value.problems
    assert (problem.code, problem.data) == (code, data)


def test_a_rewritten_catalogue_is_what_is_printed():
    """Otherwise the tests that run under one would show nothing."""
    problem = Problem("Q605", "no-rule-to-set", {"path": "a.b"}, hint=Command("show", ("REF",)))
    with nonsense():
        assert problem.render() == "Q605 xyzzy 'a.b'\nhelp: xyzzy quadrille show REF"
    assert problem.message == "there is no rule 'a.b'"


def test_a_finished_sentence_is_no_variant():
    """`Problem` takes a record; a sentence goes by `Problem.text`."""
    with pytest.raises(TypeError, match="code, variant, data"):
        Problem("Q101", "there is no such file", None)  # type: ignore[arg-type]
    assert SHELL.hint(Problem.text("Q101", "it is gone", None, "look again").hint) == "look again"
    assert SHELL.hint(Phrase("text", {"text": "{as} it is"})) == "{as} it is"
