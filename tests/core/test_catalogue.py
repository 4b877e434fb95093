"""The catalogue has a sentence for every diagnostic and hint of the code, and nothing else; no code
reads one."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import pytest
from support.catalogue import nonsense
from support.codes import CODES

import quadrille_core as q
from quadrille_core.diagnostics import (
    Command,
    DidYouMean,
    Edit,
    Hint,
    Option,
    Problem,
    Replace,
    Set,
    catalogue,
)

ROOT = Path(__file__).parents[2]
MESSAGES = ROOT / "quadrille_core" / "messages.yaml"
SOURCES = [
    p for folder in ("quadrille_core", "plugins") for p in sorted((ROOT / folder).rglob("*.py"))
]
CODE = re.compile(r"Q\d{3}")


@cache
def _nodes() -> tuple[ast.AST, ...]:
    """Everything that is written in the code."""
    return tuple(n for path in SOURCES for n in ast.walk(ast.parse(path.read_text("utf-8"))))


def _texts() -> Iterator[str]:
    """Every text of the code, and of the data that name variants and hints."""
    for node in _nodes():
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
    yield from _named_by_data()


def _named_by_data() -> Iterator[str]:
    """Variants and hints that files of rules and syntax name."""
    for path in (p for p in (ROOT / "quadrille_core").rglob("*.yaml") if p != MESSAGES):
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


def _pairs() -> Iterator[tuple[str, str]]:
    """Code and variant wherever they are written beside one another in a call."""
    for node in _nodes():
        args = [getattr(a, "value", "") for a in node.args] if isinstance(node, ast.Call) else []
        for code, variant in pairwise(args):
            if isinstance(variant, str) and variant and CODE.fullmatch(str(code)):
                yield code, variant


OF_ONE_CODE = {
    "_fault": (1, "Q701"),
    "_refused": (1, "Q803"),
    "damaged": (1, "Q903"),
    "MismatchError": (0, "any"),
}
"""Functions whose problems are all of one code: which argument is the variant."""


def _variants() -> Iterator[tuple[str, str]]:
    """Code, if it is written too, and variant of every problem."""
    yield from _pairs()
    for name, (at, code) in OF_ONE_CODE.items():
        yield from ((code, words[at]) for words in _calls(name, at + 1))
    yield from (("", variant) for (variant,) in _calls("of", 1))


def _calls(name: str, at: int) -> Iterator[tuple[str, ...]]:
    """The first arguments of every call by that name, as texts, of which the last is a literal
    one."""
    for call in _called(name):
        words = [getattr(a, "value", "") for a in call.args[:at]]
        if len(words) == at and words[-1] and isinstance(words[-1], str):
            yield tuple(map(str, words))


def _fields(template: Any) -> set[str]:
    """The data that a sentence and its help are filled with; commands and options are written
    out."""
    if not isinstance(template, str):
        parts = template.values() if isinstance(template, dict) else template
        return set().union(*map(_fields, parts))
    named = (name for _, name, _, _ in Formatter().parse(template) if name)
    return {
        re.split(r"[.\[]", n)[0] for n in named if not n.startswith(("--", "quadrille ", "key "))
    }


def _given() -> Iterator[tuple[str, str, set[str], bool, bool]]:
    """Where the data of a sentence are written out: the code, or none, its variant and their names;
    whether these are all, and whether a hint of its own may take the place of the help."""
    for call in _called("of"):
        names = {k.arg for k in call.keywords} - {"place"}
        for (variant,) in filter(None, [_words(call, 1)]):
            yield "", variant, names - {None}, None not in names, len(call.args) > 1
    for call in _called("Problem"):
        data = next((a for a in call.args[2:3] if isinstance(a, ast.Dict)), None)
        if data is not None and len(words := _words(call, 2)) == 2:
            keys = {getattr(k, "value", None) for k in data.keys}
            has_hint = len(call.args) > 4 or any(k.arg == "hint" for k in call.keywords)
            yield *words, {str(k) for k in keys if k}, None not in keys, has_hint
    for name, (at, code) in OF_ONE_CODE.items():
        for call in _called(name):
            variant = getattr(call.args[at], "value", "") if len(call.args) > at else ""
            names = {k.arg for k in call.keywords}
            if isinstance(variant, str) and variant:
                yield code, variant, names - {None}, None not in names, len(call.args) > at + 1
    for name in ("fault", "_note", "problem"):
        for call in _called(name):
            words = [getattr(a, "value", "") for a in call.args]
            names = {k.arg for k in call.keywords} - {"hint", "at_key"}  # parameters, no data
            for code, variant in pairwise(words):
                if isinstance(variant, str) and variant and CODE.fullmatch(str(code)):
                    yield code, variant, names - {None}, None not in names, True


def _message(sentence: Any) -> Any:
    return sentence["message"] if isinstance(sentence, dict) and "help" in sentence else sentence


def test_every_sentence_is_given_the_data_that_it_is_filled_with():
    """A name that is missing would be an error of ours where a user has made one."""
    known, wrong, tried = catalogue(), [], 0
    for code, variant, given, is_all, may_have_hint in _given():
        owners = [c for c, found in known.items() if c != "hints" and variant in found]
        if not code:
            assert len(owners) == 1, (variant, owners)
        sentence = known[code if code in owners else owners[0]][variant]
        wanted = _fields(_message(sentence) if may_have_hint else sentence)
        tried += 1
        if given - _fields(sentence) or (is_all and wanted - given):
            wrong.append((code, variant, given ^ wanted))
    assert tried > 450
    assert wrong == []


def _templates(sentence: Any) -> Iterator[str]:
    """The templates of a sentence, its help and its readers, but for those of a shell alone."""
    if isinstance(sentence, str):
        yield sentence
    else:
        parts = sentence
        if isinstance(sentence, dict):
            parts = [words for reader, words in sentence.items() if reader != "shell"]
        yield from (words for part in parts for words in _templates(part))


def test_no_sentence_writes_out_a_command_or_an_option():
    """They are fields, which each door turns into what its readers type."""
    written = [
        (code, name, words)
        for code, found in catalogue().items()
        for name, sentence in found.items()
        for words in _templates(sentence)
        if any(re.search(r"--|quadrille [a-z]", text) for text, *_ in Formatter().parse(words))
    ]
    assert written == []


def test_every_problem_of_the_code_has_its_sentence():
    """Also where it is met by no test."""
    known, found = catalogue(), set(_variants())
    every = {v for code, sentences in known.items() if code != "hints" for v in sentences}
    lacking = {
        (code, variant)
        for code, variant in found
        if variant not in (known.get(code, {}).keys() | known["any"] if code else every)
    }
    assert len(found) > 500
    assert lacking == set()


def _errors() -> set[str]:
    """The classes of errors that are meant for users."""
    found: set[str] = set()
    made = [n for n in _nodes() if isinstance(n, ast.ClassDef)]
    while (
        new := {
            n.name for n in made if {ast.unparse(b) for b in n.bases} & (found | {"QuadrilleError"})
        }
        - found
    ):
        found |= new
    return found | {"QuadrilleError"}


def _is_sentence(node: ast.AST | None) -> bool:
    """Whether a text is written out there."""
    return isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "value", None), str)


def test_no_problem_and_no_hint_of_ours_is_a_sentence_in_the_code():
    """They are records, and `own-words` is for what another library or a stranger says."""
    errors, own, wrong = _errors(), 0, []
    for call in (n for n in _nodes() if isinstance(n, ast.Call)):
        name = ast.unparse(call.func)
        given = {k.arg: k.value for k in call.keywords}
        hints = [given.get("hint")]
        if name in errors:
            hints += call.args[:1]
        elif name.endswith("Error.of"):
            hints += call.args[1:2]
        elif name == "Problem":
            hints += call.args[4:5]
        if "own-words" in [getattr(a, "value", "") for a in call.args]:
            own += 1
            hints += [given.get("words"), *(d for a in call.args for d in getattr(a, "values", ()))]
        if name.split(".")[-1] != "option" and any(map(_is_sentence, hints)):
            wrong.append(ast.unparse(call))
    assert len(errors) > 15
    assert own > 5
    assert wrong == []


def test_a_hint_is_a_record_of_what_to_do():
    """To replace, to edit, to set, a word that was meant, a command: none is text."""
    kinds = set(get_args(Hint)) - {tuple[Edit, Edit]}
    assert kinds == {Replace, Edit, Set, DidYouMean, Command}


def _chosen() -> Iterator[str]:
    """What is assigned to, or given as, `variant`, and what a table of variants has."""
    for node in _nodes():
        match node:
            case ast.keyword(arg="variant", value=value):
                yield from _constants(value)
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.Dict() as value)
            ):
                names = {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
                if names & {"variant", "_MALFORMED"}:
                    yield from _constants(value)


def _constants(node: ast.AST) -> Iterator[str]:
    found = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    yield from (text for text in found if isinstance(text, str))


HOW = {"Replace": 1, "Edit": 0, "Set": 1}
"""Which argument of a hint names its sentence; of a command it is a keyword."""


def _hows() -> Iterator[str]:
    """The sentence of every hint, and what the classes have by default."""
    for node in _nodes():
        match node:
            case ast.keyword(arg="how", value=ast.Constant(value=str(how))):
                yield how
            case ast.AnnAssign(target=ast.Name(id="how"), value=ast.Constant(value=str(how))):
                yield how
            case ast.Call(func=ast.Name(id=name), args=args) if (
                name in HOW and len(args) > HOW[name]
            ):
                yield from (
                    c.value for c in ast.walk(args[HOW[name]]) if isinstance(c, ast.Constant)
                )


def test_every_sentence_is_of_some_code():
    """A sentence that nothing names any more goes.  A name of several words may stand anywhere, as
    nothing else is called so; a single word counts beside a code or as the sentence of a hint."""
    named = {variant for _, variant in _variants()} | {*_hows(), *_named_by_data()}
    beside = [c for name in ("Problem", "fault") for c in _called(name) if len(c.args) > 1]
    named |= {text for call in beside for text in _constants(call.args[1])}
    named |= {*_chosen()}
    named |= {text for text in _texts() if "-" in text}
    made = {
        "key-doubtful",
        "key-idle-zeros",
        "without-comma",
        "without-semicolon",
        "of-game-and-extends",
    }
    made |= {"meant", "of-no-game-and-extends", "unknown-kind-no-word", "another-kind-no-word"}
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


def test_no_sentence_stands_twice_under_one_code():
    """The second of two would replace the first without a word."""
    names = [
        (code, line.partition(":")[0])
        for block in re.split(r"\n(?=\w)", MESSAGES.read_text("utf-8"))
        for code in [block.partition(":")[0]]
        for line in re.findall(r"(?m)^  (\S.*)$", block)
        if not line.startswith("#")
    ]
    assert len(names) > 600
    assert [n for n, times in Counter(names).items() if times > 1] == []


def test_a_stranger_says_a_sentence_of_their_own():
    """One way for features of others, and it has the code of the error's class."""
    error = q.UsageError.of("own-words", words="{as} it is", place="a.yaml")
    assert str(error) == "a.yaml: Q802 {as} it is"
