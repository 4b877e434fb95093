"""The sources that a rule set cites, as BibTeX and as CSL-JSON.

A bibliography states an author as one text.  A name is parted into given and family names only
where that is plain: two words or more, each an ordinary name or an initial, the last of them no
initial.  All others ("Wikipedia contributors", "M. V. D.", a pseudonym in quotation marks) stand as
they are, which both formats allow.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from quadrille_core.profile.records import Source
from quadrille_plugins.shell.values import Json, access, remark

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",  # BibTeX counts braces, even those behind a backslash
    "}": r"\textbraceright{}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_NAME: Final = re.compile(
    r"(?P<given>(?:[^\W\d_a-z](?:[\w'’-]*[\w]|\.)? )+)(?P<family>[^\W\d_a-z][\w'’-]*\w)"
)


def names(people: str) -> Iterator[tuple[str, str]]:
    """Every author or editor as (given names, family name); the given names are empty where a name
    is not parted."""
    for one in filter(None, (part.strip() for part in re.split(r"\s+and\s+", people))):
        match = _NAME.fullmatch(one)
        yield (match["given"].strip(), match["family"]) if match else ("", one)


def _latex(text: str) -> str:
    return "".join(_LATEX.get(c, c) for c in " ".join(text.split()))


def bibtex(sources: Iterable[Source]) -> str:
    """The sources as BibTeX in UTF-8, each under its identifier; what LaTeX would take for a
    command is escaped.

    What is recorded of a web page's address and date is ``note``, which styles print; remarks are
    ``annote``, which none does.
    """
    return "\n".join("".join(_entry(source)) for source in sources)


def _people(people: str) -> str:
    return " and ".join(
        f"{_latex(family)}, {_latex(given)}" if given else f"{{{_latex(family)}}}"
        for given, family in names(people)
    )


def _entry(source: Source) -> Iterator[str]:
    fields = {
        "author": _people(source.author),
        "editor": _people(source.editor),
        "title": f"{{{_latex(source.title)}}}" if source.title else "",
        "publisher": _latex(source.publisher),
        "address": _latex(source.publisher_place),
        "edition": _latex(source.edition),
        "year": source.date,
        "url": " ".join(source.url.split())
        .replace("{", "%7B")
        .replace("}", "%7D")
        .replace("\\", "%5C"),
        "urldate": _latex(source.seen),
        "language": _latex(source.language),
        "note": _latex(access(source)),
        "annote": _latex(remark(source, recorded=False)),
    }
    yield f"@{'book' if source.publisher else 'misc'}{{{source.id},\n"
    yield from (f"  {key} = {{{value}}},\n" for key, value in fields.items() if value)
    yield "}\n"


def csl(sources: Iterable[Source]) -> list[Json]:
    """The sources as CSL-JSON items."""
    return [_item(source) for source in sources]


def csl_text(sources: Iterable[Source]) -> str:
    """The same as a text that ends in a newline."""
    return json.dumps(csl(sources), ensure_ascii=False, indent=2) + "\n"


def _named(people: str) -> list[dict[str, str]]:
    return [
        {"family": family, "given": given} if given else {"literal": family}
        for given, family in names(people)
    ]


def _item(source: Source) -> Json:
    item = {
        "id": source.id,
        "type": _kind(source),
        "title": source.title,
        "author": _named(source.author),
        "editor": _named(source.editor),
        "edition": source.edition,
        "issued": _issued(source),
        "publisher": source.publisher,
        "publisher-place": source.publisher_place,
        "language": source.language,
        "accessed": _date(source.seen),
        "version": source.seen if source.seen and not _date(source.seen) else "",
        "URL": source.url,
        "note": remark(source),
    }
    return {key: value for key, value in item.items() if value}


def _issued(source: Source) -> dict[str, list[list[int]]] | None:
    """A year or a range of years as CSL has it."""
    years = [[year] for year in (source.year, source.until) if year is not None]
    return {"date-parts": years} if years else None


def _kind(source: Source) -> str:
    """The CSL type of a source."""
    if source.publisher:
        return "book"
    return "webpage" if source.medium == "web" or (source.url and not source.medium) else "document"


def _date(seen: str) -> Json | None:
    """A date of access as CSL has it; None for a revision that is named by a number."""
    return (
        {"date-parts": [list(map(int, seen.split("-")))]}
        if re.fullmatch(r"\d{4}-\d\d-\d\d", seen)
        else None
    )
