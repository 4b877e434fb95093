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

_NUMBERED: Final = re.compile(r"\s*(?:§ ?)?(\w{1,12})[.):]\s+(.*)")
"""A line of a transcription: the number of its sentence, and the sentence."""
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


def _of_text(text: str) -> Iterator[tuple[str, str]]:
    """Sentences, each from its number to the next; lines before the first are left out."""
    number, lines = "", list[str]()
    for line in (*text.splitlines(), ""):
        match = _NUMBERED.fullmatch(line)
        if match is not None:
            if number:
                yield number, " ".join(lines)
            number, lines = match[1], [match[2].strip()]
        elif line.strip():
            lines.append(line.strip())
    if number:
        yield number, " ".join(lines)


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
        lines += [SENTENCES, *(f"  - {{s: {n}, says: {_quoted(text)}}}" for n, text in sentences)]
        lines.append("")
    place = f"s: {sentences[0][0]}" if sentences else "at: p. 1"
    lines.append("points:")
    for state in compiled.points:
        first, *others = [reading.id for reading in state.point.readings]
        choice = ", ".join((*others, "silent", "inapplicable"))
        lines.append(f"  # {state.point.question}")
        lines.append(f"#  {state.point.id}: {{reads: {first}, {place}}}    # or {choice}")
    lines += ["", CITES, f"#  table.hand_cards: {{{place}}}"]
    return "\n".join(lines) + "\n"
