"""A transcription that is given: its numbered sentences, where they stand, and what it says of
itself."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_core.profile.yaml_strict import decoded, read_bytes

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_NUMBER: Final = (
    r"[A-Za-z]{0,3}\d{1,4}[a-z]?(?:[.-]\d{1,4}[a-z]?)*|[ivxlcdm]{1,8}|[IVXLCDM]{1,8}|[A-Za-z]"
)
_MARK: Final = re.compile(
    r"(?:^[ \t]*|(?<=[.!?:;”\"’])[ \t]+)(?:§ ?)?"
    rf"(?:[(\[](?P<within>{_NUMBER})[)\]][.:]?|(?P<before>{_NUMBER})[.):])(?=\s|\Z)",
    re.MULTILINE,
)
"""What may be the number of a sentence, at the beginning of a line or behind a sentence."""
_ENDS: Final = tuple('.!?:;”"’)]')
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_TEI: Final = "{http://www.tei-c.org/ns/1.0}"
_XML_ID: Final = "{http://www.w3.org/XML/1998/namespace}id"
_PLACE: Final = re.compile(
    r"\[[ ]*((?:pp?|ff?|fol|sig|page|folio)\.?[ ]*\d[\w–-]*\.?|(?:pp?|sig)\.[ ]*\w[\w–-]*)[ ]*\]"
)
"""A page or leaf in square brackets: the place of what follows."""
_HEADING: Final = 80
"""The most characters of a heading."""
_LEFT_OUT: Final = ("note", "fw", "rdg", "teiHeader")
"""What of a TEI text is no word of the text itself."""
_SIDES: Final = (("sic", "corr"), ("orig", "reg"), ("abbr", "expan"))
"""What is not taken of a choice, and what is."""
_HEAD: Final = {
    "title": ("title",),
    "author": ("author",),
    "year": ("date",),
    "publisher": ("publisher",),
    "publisher_place": ("pubPlace",),
    "edition": ("edition",),
    "copy": ("repository", "idno"),
}
"""What a TEI header says of the text, by the key of a source."""


@frozen
class Said:
    """One numbered sentence of a transcription, in its own words."""

    number: str
    words: str
    at: str = ""
    """The last page or leaf named before it."""


@frozen
class Transcription:
    """What is read of a text, and what of it is not."""

    sentences: Sequence[Said]
    head: Mapping[str, str] = field(default_factory=dict)
    """What it says of itself, by the keys of a source."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many of what were not taken."""
    notes: Sequence[str] = ()


def transcription(path: Path) -> Transcription:
    """A transcription: a plain text with a number before each sentence, or TEI with ``s`` or ``p``
    that have an ``n`` or an ``xml:id``.

    Raises UsageError where it has none, or one without words, or characters that are none;
    UnreadableError where the file cannot be read.
    """
    data = read_bytes(path)
    is_xml = data.lstrip().startswith(b"<")
    found = _of_tei(data, str(path)) if is_xml else _of_plain(decoded(data, str(path)), str(path))
    if not found.sentences:
        raise UsageError.of("no-numbered-sentences", path=str(path))
    return _parted(found)


def _parted(found: Transcription) -> Transcription:
    """Where numbers come twice, each with the number of its part, which begins where they begin
    again."""
    if len({s.number for s in found.sentences}) == len(found.sentences):
        return found
    part, seen, last = 1, set[str](), 0
    parted = []
    for said in found.sentences:
        figures = re.search(r"\d+", said.number)
        place = int(figures[0]) if figures else last
        if said.number in seen or place < last:
            part, seen = part + 1, set()
        last = place
        seen.add(said.number)
        parted.append(replace(said, number=f"{_roman(part)}.{said.number}"))
    told = f"numbers begin again: {part} parts, each with its number, as in {parted[-1].number}"
    return replace(found, sentences=parted, notes=[*found.notes, told])


def _roman(number: int) -> str:
    found = ""
    for letters, value in (("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)):
        found += letters * (number // value)
        number %= value
    return found


# --- plain text ----------------------------------------------------------------------------------


def _of_plain(text: str, path: str) -> Transcription:
    """Sentences, each from its number to the next, and what of the text is none."""
    for at, char in enumerate(text):
        if unicodedata.category(char) == "Cc" and char not in "\n\r\t":
            line = text.count("\n", 0, at) + 1
            raise UsageError.of("control-character", path=path, line=line, code=f"{ord(char):04X}")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    places = [(m.start(), " ".join(m[1].split())) for m in _PLACE.finditer(text)]
    text = _PLACE.sub(lambda m: " " * len(m[0]), text)
    kept = _marks(text)
    sentences, headings = [], 0
    for mark, after in zip(kept, [*kept[1:], None], strict=False):
        said = text[mark.end() : after.start() if after is not None else None]
        if after is not None and _begins_again(mark, after, kept[0]):
            said, dropped = _without_heading(said)
            headings += dropped
        if not said.strip():
            line = text.count("\n", 0, mark.start("within" if mark["within"] else "before")) + 1
            raise UsageError.of("sentence-without-words", path=path, line=line, number=_name(mark))
        before = [place for start, place in places if start < mark.end()]
        sentences.append(Said(_name(mark), " ".join(said.split()), before[-1] if before else ""))
    unread = text[: kept[0].start()] if kept else ""
    paragraphs = [one for one in re.split(r"\n[ \t]*\n", unread) if one.strip()]
    left = Counter({"before the first number": len(paragraphs), "heading of a part": headings})
    return Transcription(sentences, left_out=+left, notes=list(_otherwise(text, kept)))


def _begins_again(last: re.Match[str], mark: re.Match[str], first: re.Match[str]) -> bool:
    one, other = (_place(_name(m), _name(first)) for m in (last, mark))
    return one is not None and other is not None and other <= one and _name(mark) != _name(last)


def _without_heading(said: str) -> tuple[str, int]:
    """The words before numbers begin again without the short paragraphs that end them, and how many
    those are."""
    first, *others = re.split(r"\n[ \t]*\n", said.rstrip())
    dropped = 0
    while others and len(others[-1].strip()) <= _HEADING:
        dropped += bool(others.pop().strip())
    return "\n".join([first, *others]), dropped


def _otherwise(text: str, kept: Sequence[re.Match[str]]) -> Iterator[str]:
    """What looks like numbers in another way and was taken for words, in the middle of the text."""
    starts = {m.start() for m in kept}
    begin = min(starts, default=len(text))
    other = [
        m
        for m in _MARK.finditer(text, begin)
        if m.start() not in starts and _at_line(m) and _before(text, m)
    ]
    if other:
        named = ", ".join(m[0].strip() for m in other[:5])
        yield (
            f"paragraphs that begin with another number, and stand with the sentence before "
            f"them: {len(other)} ({named})"
        )


def _before(text: str, mark: re.Match[str]) -> bool:
    """Whether what stands before a mark has ended, so that a paragraph may begin with it."""
    before = text[: mark.start()].rstrip(" \t")
    return before.endswith("\n\n") or before.rstrip().endswith(_ENDS)


def _marks(text: str) -> list[re.Match[str]]:
    """The numbers of its sentences.

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
    return max((_series(text, first) for first in ways.values()), key=len, default=[])


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
    ended = mark.string[: mark.start()].endswith("\n\n")
    if _name(mark).isalpha():
        return (len(_name(mark)) > 1 and other > one) or (ended and other == 1 and one > 1)
    before = mark.string[: mark.start()]
    if other == 1 and one > 1:
        return True
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


# --- TEI -----------------------------------------------------------------------------------------


def _of_tei(data: bytes, path: str) -> Transcription:
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(data)  # noqa: S314 - expat takes no entity from outside
    except ElementTree.ParseError as e:
        raise UsageError.of("cannot-be-read-as-xml", path=path, said=str(e)) from None
    text = root.find(f".//{_TEI}text")
    reader = _Tei()
    reader.read(text if text is not None else root)
    return Transcription(reader.sentences, _head_of(root), +reader.left_out)


class _Tei:
    """The numbered sentences of a text in the order in which they stand."""

    def __init__(self) -> None:
        self.sentences: list[Said] = []
        self.left_out: Counter[str] = Counter()
        self._at = ""

    def read(self, one: "Element") -> None:
        """Take the sentences in an element: of a paragraph, those that have numbers, or itself."""
        tag = _tag(one)
        if tag == "pb" and one.get("n"):
            self._at = f"p. {one.get('n')}"
        if tag in _LEFT_OUT:
            self.left_out[tag] += 1
            return
        number = _number(one)
        within = any(_number(other) for other in one.iter(_TEI + "s") if other is not one)
        if tag not in ("s", "p") or (tag == "p" and within):
            for below in one:
                self.read(below)
        elif number:
            at = self._at
            said = " ".join(self._words(one).split())
            self.sentences.append(Said(number, said, at))
        else:
            self.left_out[f"{tag} without a number"] += 1
            self._words(one)

    def _words(self, one: "Element") -> str:
        """The words of an element, of two sides of a choice the one."""
        below = {_tag(other) for other in one}
        dropped = {a for a, b in _SIDES if {a, b} <= below} if _tag(one) == "choice" else set()
        said = one.text or ""
        for other in one:
            tag = _tag(other)
            if tag in _LEFT_OUT or tag in dropped:
                self.left_out[tag] += 1
            elif tag == "pb":
                self._at = f"p. {other.get('n')}" if other.get("n") else self._at
            else:
                said += " " * (tag == "lb" and other.get("break") != "no")
                said += self._words(other)
            said += other.tail or ""
        return said


def _number(one: "Element") -> str:
    return one.get("n") or one.get(_XML_ID) or ""


def _tag(one: "Element") -> str:
    return str(one.tag).removeprefix(_TEI)


def _head_of(root: "Element") -> dict[str, str]:
    """What a header says of the text: in its description of the source, else of the file."""
    header = root.find(f"{_TEI}teiHeader")
    if header is None:
        return {}
    found = {}
    for key, tags in _HEAD.items():
        for where in ("sourceDesc", "titleStmt", "editionStmt", "publicationStmt"):
            below = header.find(f".//{_TEI}{where}")
            every = [] if below is None else [e for t in tags for e in below.iter(_TEI + t)]
            if where == "publicationStmt" and key != "year":
                every = []
            said = [" ".join("".join(e.itertext()).split()) or e.get("when", "") for e in every]
            if key == "year":
                dates = (e.get("when") or s for e, s in zip(every, said, strict=True))
                said = [y[0] for date in dates if (y := re.search(r"\b\d{4}\b", date))]
            if any(said):
                found[key] = next(filter(None, said))
                break
    licence = header.find(f".//{_TEI}licence")
    if licence is not None:
        found["licence"] = " ".join("".join(licence.itertext()).split())
    language = root.get("{http://www.w3.org/XML/1998/namespace}lang")
    return found | ({"language": language} if language else {})
