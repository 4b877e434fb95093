"""Lines of text that fit a terminal of 80 columns."""

from collections.abc import Iterator

from quadrille_plugins.output.wrapping import WIDTH, command_lines, filled, proposed

__all__ = ["WIDTH", "command_lines", "filled", "listed", "proposed"]


def listed(rows: list[tuple[str, str]], indent: int = 2) -> Iterator[str]:
    """Names with what they are beside them; below them where a name is long."""
    width = max((len(name) for name, _ in rows if len(name) <= 30), default=0)
    for name, text in rows:
        if len(name) > width:
            yield " " * indent + name
            yield from filled(text, indent + width + 2, 0)
            continue
        lines = filled(text, indent + width + 2, 0) or [""]
        yield (" " * indent + name.ljust(width) + lines[0][indent + width :]).rstrip()
        yield from lines[1:]
