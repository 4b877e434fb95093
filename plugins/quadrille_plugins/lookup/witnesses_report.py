"""The table of witnesses, a question in full, and the facts: for a person, as JSON and as rows."""

from collections.abc import Sequence
from typing import Any, Final

from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.witnesses.lines import lines_of
from quadrille_plugins.witnesses.table import MARKS, SPEAKS, Cell, Fact, Question, shelf

FACT_COLUMNS: Final = ("fact", "source", "at", "figure", "state", "says", "why")
CELL_COLUMNS: Final = ("question", "text", "state", "game", "facts", "at", "says")
_LEGEND: Final = (
    "+ a reading already known, N a new one, o read whole and silent, – not "
    "applicable, · not read; * of another game"
)


def _lines(question: Question) -> list[tuple[str, ...]]:
    """The independent lines of the texts that speak."""
    return lines_of([(c.text, c.at) for c in question.cells if c.state in SPEAKS], shelf())


def table_blocks(questions: Sequence[Question]) -> list[Block]:
    """Questions × texts, a mark in each cell, and how many independent lines speak of each
    question."""
    texts = [cell.text for cell in questions[0].cells] if questions else []
    heads = [f"{number:<2}" for number, _ in enumerate(texts, 1)]
    rows = tuple(
        (q.id, " ".join(map(_mark, q.cells)), str(len(_lines(q))), q.asks) for q in questions
    )
    listed = "\n".join(f"{number} {text}" for number, text in enumerate(texts, 1))
    return [
        Text(_answer(questions, len(texts)), strong=True),
        Text(f"{listed}\n{_LEGEND}"),
        Table(
            "", ("", " ".join(heads), "lines", "question"), rows, whole=frozenset({" ".join(heads)})
        ),
    ]


def _mark(cell: Cell) -> str:
    return f"{MARKS[cell.state]}{'*' if cell.of else ''}".ljust(2)


def _answer(questions: Sequence[Question], texts: int) -> str:
    """Of how many questions how many independent lines of texts speak."""
    lines = [len(_lines(q)) for q in questions]
    several, none = sum(n > 1 for n in lines), lines.count(0)
    return (
        f"Of {len(questions)} questions, {several} are answered by two or more independent lines "
        f"of the {texts} texts, {lines.count(1)} by one line, and {none or 'none'} by no text."
    )


def question_blocks(questions: Sequence[Question]) -> list[Block]:
    """Each question with what every text says of it."""
    return [Text("\n".join(_in_full(question))) for question in questions]


def _spoken(question: Question) -> str:
    """How many texts speak of a question, and in how many independent lines, in a sentence."""
    texts = sum(c.state in SPEAKS for c in question.cells)
    if not texts:
        return f"None of the {len(question.cells)} texts speaks of {question.id}."
    lines = len(_lines(question))
    return (
        f"{texts} of {len(question.cells)} texts speak{'s' if texts == 1 else ''} of "
        f"{question.id}, in {lines} independent line{'s' if lines > 1 else ''}."
    )


def _in_full(question: Question) -> list[str]:
    lines = [_spoken(question), f"{question.id}: {question.asks}"]
    for cell in question.cells:
        if cell.state == "unseen":
            continue
        head = f"  {cell.text}{f' (of {cell.of})' if cell.of else ''}"
        said = f"{head}: {cell.says} [{', '.join(cell.facts) or cell.state}]"
        lines.append(said if cell.state in SPEAKS else f"{head}: {cell.state}: {cell.says}")
    unseen = [cell.text for cell in question.cells if cell.state == "unseen"]
    if unseen:
        lines.append(f"  unseen: {', '.join(unseen)}")
    found = _lines(question)
    if found:
        count = f"{len(found)} independent line{'s' if len(found) > 1 else ''}"
        lines.append(f"  {count}: {'; '.join(', '.join(names) for names in found)}")
    return lines


def table_json(questions: Sequence[Question]) -> dict[str, Any]:
    """The questions by id, each with a cell for every text and its independent lines."""
    return {
        q.id: {
            "asks": q.asks,
            "rules": list(q.rules),
            "texts": {c.text: _cell_json(c) for c in q.cells},
            "lines": [list(names) for names in _lines(q)],
        }
        for q in questions
    }


def _cell_json(cell: Cell) -> dict[str, Any]:
    return {
        "state": cell.state,
        "says": cell.says or None,
        "game": cell.of or None,
        "facts": list(cell.facts),
        "at": cell.at or None,
        "readings": dict(cell.readings),
    }


def table_rows(questions: Sequence[Question]) -> list[tuple[str, ...]]:
    """A row for each cell, under ``CELL_COLUMNS``."""
    return [
        (q.id, c.text, c.state, c.of, " ".join(c.facts), c.at, c.says)
        for q in questions
        for c in q.cells
    ]


def _remark(fact: Fact) -> str:
    """Why no rule has it, or what of it no rule has."""
    return fact.why or (f"without {fact.rest}" if fact.rest else "")


def fact_rows(facts: Sequence[Fact]) -> list[tuple[str, ...]]:
    """A row for each fact, under ``FACT_COLUMNS``."""
    return [
        (f.number, f.source, f.at, "yes" if f.figure else "no", f.state, f.says, _remark(f))
        for f in facts
    ]


def fact_blocks(facts: Sequence[Fact]) -> list[Block]:
    """How many facts are in which state, then each of them."""
    states = dict.fromkeys(f.state for f in facts)
    counts = ", ".join(f"{sum(f.state == state for f in facts)} {state}" for state in states)
    lines = [
        f"{f.number} {f.source}, {f.at} ({f.state}{': ' + _remark(f) if _remark(f) else ''})\n   "
        f" {f.says}"
        for f in facts
    ]
    many = "1 fact" if len(facts) == 1 else f"{len(facts)} facts"
    return [Text(f"The texts give {many}: {counts}.", strong=True), Text("\n".join(lines))]


def fact_json(facts: Sequence[Fact]) -> dict[str, Any]:
    """The facts by number."""
    return {
        f.number: {
            "source": f.source,
            "at": f.at,
            "says": f.says,
            "figure": f.figure,
            "state": f.state,
            "why": f.why or None,
            "rest": f.rest or None,
            "in": [dict(place) for place in f.places],
        }
        for f in facts
    }
