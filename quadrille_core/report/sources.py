"""How sources are named."""

from typing import Any

from quadrille_core.profile.document import Source


def remark(source: Source) -> str:
    """What a reader should know of a source: its kind, what it reports, and the note of the bibliography."""
    kind = f"{source.kind.capitalize()} source" if source.kind else ""
    reports = f"reports {source.of}" if source.of else ""
    head = ", ".join(part for part in (kind, reports) if part)
    return " ".join(part for part in (f"{head}." if head else "", source.note) if part)


def short_title(source: Source) -> str:
    """A source in one line: author, title and year, as far as they are known."""
    return ", ".join(part for part in (source.author, source.title, str(source.year or "")) if part)


def source_json(source: Source) -> dict[str, Any]:
    """A source as it stands in the bibliography, with null for what is not known."""
    return {
        "short_title": short_title(source),
        "author": source.author or None,
        "title": source.title or None,
        "year": source.year,
        "publisher": source.publisher or None,
        "kind": source.kind or None,
        "reports": source.of or None,
        "url": source.url or None,
        "note": source.note or None,
    }
