"""``quadrille profiles``: the rule profiles that are shipped, and what is wrong with those that cannot be used."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from quadrille_core import resources
from quadrille_core.errors import Problem, QuadrilleError
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.document import load_profile
from quadrille_core.report.blocks import Table
from quadrille_core.ruleset import load_chain
from quadrille_plugins.output.commands import compile_all, emit, format_option
from quadrille_plugins.output.values import pages_seen


@click.command("profiles")
@format_option
def profiles_command(fmt: str) -> None:
    """List the rule profiles that are shipped, with their witnesses and digests.

    A profile that cannot be used, because a plugin is not installed or its file is damaged, is listed with its
    fault and how to mend it; `show` and `check` refuse it.
    """
    rows = [row for name, path in resources.shipped_profiles().items() if (row := _profile_row(name, path))]
    faulty = any(r.faults for r in rows)
    columns = ("profile", "game", "title", "witnesses", "digest")

    def cells(row: _ProfileRow, digits: int | None = None) -> tuple[str, ...]:
        fault = "; ".join(": ".join(w for w in (p.message, p.help) if w) for p in row.faults)
        seen = ", ".join(f"{w} ({row.pages[w]})" if w in row.pages else w for w in row.witnesses)
        return (row.name, row.game, row.title, seen, row.digest[:digits], fault)

    shown = columns if not faulty else (*columns, "fault")
    emit(
        fmt,
        blocks=lambda: [
            Table("", shown, tuple(cells(r, 12)[: len(shown)] for r in rows), whole=frozenset({"profile"}))
        ],
        data=lambda: [
            {
                "profile": r.name,
                "game": r.game or None,
                "title": r.title,
                "witnesses": list(r.witnesses),
                "pages": dict(r.pages),
                "digest": r.digest or None,
                "faults": [p.as_dict() for p in r.faults],
            }
            for r in rows
        ],
        rows=lambda: ((*columns, "fault"), [cells(r) for r in rows]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _ProfileRow:
    """A profile in the list: what is known of it, and why it cannot be used, if it cannot."""

    name: str
    game: str = ""
    title: str = ""
    witnesses: tuple[str, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    """How much was seen of each witness that was read in part."""
    digest: str = ""
    faults: tuple[Problem, ...] = ()


def _profile_row(name: str, path: Path) -> _ProfileRow | None:
    """The row of a shipped profile; None for one that others only extend."""
    row = _ProfileRow(name=name)
    try:
        doc = load_profile(path, validate=False)  # compiling finds what a schema would
        if doc.abstract:
            return None
        row = replace(row, title=doc.title)
        chain = load_chain(name)
        witnesses = dict.fromkeys(w.id for one in chain for w in one.witnesses)
        row = replace(row, game=chain[0].game or TRICKS, witnesses=tuple(witnesses))
        compiled = compile_all([name], [], [])[0]
    except QuadrilleError as e:
        # what else is amiss where a plugin cannot be had follows from that
        plugin = tuple(p for p in e.problems if p.code.startswith("Q50"))
        return replace(row, faults=plugin or tuple(e.problems))
    return _ProfileRow(
        name=name,
        game=compiled.kind,
        title=compiled.title,
        witnesses=tuple(compiled.witnesses),
        pages={w.id: seen for w in compiled.witnesses.values() if (seen := pages_seen(compiled.sources.get(w.source)))},
        digest=compiled.identity.digest,
    )
