"""``quadrille new --witness``: a commented file for a text, its sentences, and every point that it
may answer."""

import json
from collections.abc import Mapping
from typing import Final

from quadrille_core.ruleset import Compiled
from quadrille_plugins.house_rules.transcription import Said, Transcription

HEAD: Final = """\
# What a text says to the points on which the texts of {of} disagree.
# Answer a point by taking its # away; a new reading needs set: with the rules that others set.
kind: witness
id: {id}    # change it: the short name by which it is cited, such as that of the town and the year
of: {of}
title: {title}
# whole: true    # the text was read whole: it is silent on what it does not name
source:
  title: {long}
"""
KEYS: Final = {
    "author": "…",
    "year": "1763",
    "until": "1765    # the last year it may be of, beside year: the first",
    "publisher": "…",
    "publisher_place": "…",
    "language": "en",
    "edition": "…    # which edition or impression",
    "copy": "…    # library and shelfmark",
    "images": "…    # where images of it are",
    "licence": "…    # of the copy: whether its words may be quoted",
}
"""What else the head has, with an example of each."""
DESCENDS: Final = """\
#  descends:    # what it copies or translates
#    - {from: …, how: translates, evidence: …}
"""
SENTENCES: Final = """\
# The text sentence by sentence. says: has its printed words until you put your own in their place;
# the few on which a reading turns then stand after quote:, where the licence allows. no_rule: says
# why a sentence bears on no rule; at: where it stands.
sentences:"""
CITES: Final = """\
# Rules that it tells as these rules have them, by path; `quadrille show` lists them.
cites:"""


def _quoted(text: str) -> str:
    """A text as YAML has it in quotation marks, which is as JSON has it."""
    return json.dumps(text, ensure_ascii=False)


def _numbered(number: str) -> str:
    """A number as it is, the name of a sentence in quotation marks."""
    return number if number.isdigit() and str(int(number)) == number else _quoted(number)


def witness_text(
    compiled: Compiled, of: str, id: str, given: Mapping[str, str], text: Transcription
) -> str:
    """The file: its head, its sentences, and every point with its readings to choose from; ``of``
    names the profile from the file's folder, ``given`` is what is known of the text."""
    title = _quoted(given["title"])
    lines = [HEAD.format(of=of, id=id, title=title, long=title) + _head(given)]
    if text.sentences:
        lines += [SENTENCES, *map(_line, text.sentences), ""]
    place = f"s: {_numbered(text.sentences[0].number)}" if text.sentences else "at: p. 1"
    lines.append("points:")
    for state in compiled.points:
        first, *others = [reading.id for reading in state.point.readings]
        choice = ", ".join((*others, "silent", "unseen", "inapplicable"))
        lines.append(f"  # {state.point.question}")
        lines.append(f"#  {state.point.id}: {{reads: {first}, {place}}}    # or {choice}")
    lines += ["", CITES, f"#  table.hand_cards: {{{place}}}"]
    return "\n".join(lines) + "\n"


def _head(given: Mapping[str, str]) -> str:
    """What is known of the text, and what is not as a comment."""
    lines = []
    for key, example in KEYS.items():
        is_year = key in ("year", "until")
        known = given[key] if is_year and key in given else _quoted(given.get(key, ""))
        lines.append(f"  {key}: {known}\n" if given.get(key) else f"#  {key}: {example}\n")
    return "".join(lines) + DESCENDS


def _line(said: Said) -> str:
    at = f", at: {_quoted(said.at)}" if said.at else ""
    return f"  - {{s: {_numbered(said.number)}{at}, says: {_quoted(said.words)}}}"
