"""The catalogue has a sentence for every diagnostic and hint of the code, and nothing else; no code
reads one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

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


def _texts() -> Iterator[str]:
    """Every text of the code, and of the data that name variants and hints."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
    for path in (ROOT / "quadrille_core").rglob("*.yaml"):
        yield from re.findall(r"(?:id|name|hint|how): (\S+)", path.read_text("utf-8"))


def _calls(name: str, at: int) -> Iterator[tuple[str, ...]]:
    """The first arguments of every call by that name in which they are literal texts."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            func = getattr(node, "func", None)
            if name == "of" and not ast.unparse(func or node).endswith("Error.of"):
                continue
            if name in (getattr(func, "id", ""), getattr(func, "attr", "")):
                assert isinstance(node, ast.Call)
                words = [
                    a.value
                    for a in node.args[:at]
                    if isinstance(a, ast.Constant) and isinstance(a.value, str)
                ]
                if len(words) == at:
                    yield tuple(words)


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
