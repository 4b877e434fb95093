"""``quadrille new --witness``: a commented file for a text, its sentences, and every point that it
may answer."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from quadrille_core.errors import UsageError
from quadrille_core.profile.yaml_strict import decoded, read_bytes
from quadrille_core.ruleset import Compiled

_NUMBER: Final = (
    r"[A-Za-z]{0,3}\d{1,4}[a-z]?(?:[.-]\d{1,4}[a-z]?)*|[ivxlcdm]{1,8}|[IVXLCDM]{1,8}|[A-Za-z]"
)
_MARK: Final = re.compile(
    r"(?:^[ \t]*|(?<=[.!?:;”\"’])[ \t]+)(?:§ ?)?"
    rf"(?:[(\[](?P<within>{_NUMBER})[)\]][.:]?|(?P<before>{_NUMBER})[.):])(?=\s)",
    re.MULTILINE,
)
"""What may be the number of a sentence, at the beginning of a line or behind a sentence."""
_ENDS: Final = tuple('.!?:;”"’)]')
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_TEI: Final = "{http://www.tei-c.org/ns/1.0}"
_XML_ID: Final = "{http://www.w3.org/XML/1998/namespace}id"
HEAD: Final = """\
# What a text says to the points on which the texts of {of} disagree.
# Answer a point by taking its # away; a new reading needs set: with the rules that others set.
kind: witness
id: {id}
of: {of}
title: {title}
# whole: true    # the text was read whole: it is silent on what it does not name
source:
  title: {title}
#  author: …
#  year: 1763
#  until: 1765    # where the date is a range
#  publisher: …
#  publisher_place: …
#  language: en
#  edition: …    # which edition or impression
#  copy: …    # library and shelfmark
#  images: …    # where images of it are
#  licence: …    # of the copy: whether its words may be quoted
#  descends:    # what it copies or translates
#    - {{from: …, how: translates, evidence: …}}
"""


SENTENCES: Final = """\
# The text sentence by sentence, in your own words; its own stand after quote:, where the licence
# allows. no_rule: says why a sentence bears on no rule.
sentences:"""
CITES: Final = """\
# Rules that it tells as these rules have them, by path; `quadrille show` lists them.
cites:"""


def sentences_of(path: Path) -> list[tuple[str, str]]:
    """The numbered sentences of a transcription: a plain text with a number before each, or TEI
    with ``s`` or ``p`` that have an ``n`` or an ``xml:id``.

    Raises UsageError where there are none, UnreadableError where the file cannot be read.
    """
    data = read_bytes(path)
    is_xml = data.lstrip().startswith(b"<")
    found = _of_tei(data, str(path)) if is_xml else list(_of_text(decoded(data, str(path))))
    if not found:
        raise UsageError.of("no-numbered-sentences", path=str(path))
    return found


def _quoted(text: str) -> str:
    """A text as YAML has it in quotation marks, which is as JSON has it."""
    return json.dumps(text, ensure_ascii=False)


def _numbered(number: str) -> str:
    """A number as it is, the name of a sentence in quotation marks."""
    return number if number.isdigit() and str(int(number)) == number else _quoted(number)


def _of_text(text: str) -> Iterator[tuple[str, str]]:
    """Sentences, each from its number to the next; what stands before the first is left out.

    A text is numbered in one way, by figures, by Roman numerals or by letters, in brackets or not:
    other marks, initials and abbreviations among them, are words of it.
    """
    marks = [m for m in _MARK.finditer(text) if _at_line(m)]
    ways: dict[tuple[bool, bool, str], re.Match[str]] = {}
    for mark in marks:
        name = _name(mark)
        if not name.isalpha() or name.lower() in ("i", "a"):
            way = (name.isalpha(), name.lower() == "i", _bracket(mark))
            ways.setdefault(way, mark)
    kept = max((_series(text, first) for first in ways.values()), key=len, default=[])
    for mark, after in zip(kept, [*kept[1:], None], strict=False):
        said = text[mark.end() : after.start() if after is not None else None]
        yield _name(mark), " ".join(said.split())


def _series(text: str, first: re.Match[str]) -> list[re.Match[str]]:
    """The marks that go on with a first one, numbered as it is."""
    kept = [first]
    for mark in _MARK.finditer(text, first.end()):
        if _bracket(mark) == _bracket(first) and _goes_on(kept[-1], mark, first):
            kept.append(mark)
    return kept


def _name(mark: re.Match[str]) -> str:
    return mark["within"] or mark["before"]


def _bracket(mark: re.Match[str]) -> str:
    return mark.string[mark.start("within") - 1] if mark["within"] else ""


def _at_line(mark: re.Match[str]) -> bool:
    return mark.start() == 0 or mark.string[mark.start() - 1] == "\n"


def _goes_on(last: re.Match[str], mark: re.Match[str], first: re.Match[str]) -> bool:
    """Whether a mark is the next number, rather than a word of the sentence that looks like one."""
    one, other = (_place(_name(m), _name(first)) for m in (last, mark))
    if one is None or other is None:
        return False
    if other == one + 1:
        return True
    if not _at_line(mark):
        return False
    if _name(mark).isalpha():
        return len(_name(mark)) > 1 and other > one
    before = mark.string[: mark.start()]
    return one <= other < one + 100 or before.endswith("\n\n") or before.rstrip().endswith(_ENDS)


def _place(number: str, first: str) -> int | None:
    """Where a number stands in the series that begins with the first; None where in none."""
    if not first.isalpha():
        figures = re.search(r"\d+", number)
        return int(figures[0]) if figures is not None else None
    if first.lower() != "i":
        return ord(number) if len(number) == 1 and number.isupper() == first.isupper() else None
    if not set(number.lower()) <= set(_ROMAN) or number.isupper() != first.isupper():
        return None
    values = [_ROMAN[letter] for letter in number.lower()]
    return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))


def _of_tei(data: bytes, path: str) -> list[tuple[str, str]]:
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(data)  # noqa: S314 - expat takes no entity from outside
    except ElementTree.ParseError as e:
        raise UsageError.of("cannot-be-read-as-xml", path=path, said=str(e)) from None
    for tag in ("s", "p"):
        found = [(one.get("n") or one.get(_XML_ID), one) for one in root.iter(_TEI + tag)]
        if any(number for number, _ in found):
            return [(n, " ".join("".join(one.itertext()).split())) for n, one in found if n]
    return []


def witness_text(
    compiled: Compiled, of: str, id: str, title: str, sentences: Sequence[tuple[str, str]]
) -> str:
    """The file: its head, its sentences, and every point with its readings to choose from; ``of``
    names the profile from the file's folder."""
    lines = [HEAD.format(of=of, id=id, title=_quoted(title))]
    if sentences:
        lines += [
            SENTENCES,
            *(f"  - {{s: {_numbered(n)}, says: {_quoted(text)}}}" for n, text in sentences),
        ]
        lines.append("")
    place = f"s: {_numbered(sentences[0][0])}" if sentences else "at: p. 1"
    lines.append("points:")
    for state in compiled.points:
        first, *others = [reading.id for reading in state.point.readings]
        choice = ", ".join((*others, "silent", "inapplicable"))
        lines.append(f"  # {state.point.question}")
        lines.append(f"#  {state.point.id}: {{reads: {first}, {place}}}    # or {choice}")
    lines += ["", CITES, f"#  table.hand_cards: {{{place}}}"]
    return "\n".join(lines) + "\n"
