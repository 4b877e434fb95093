"""``quadrille list``: the rule profiles that are shipped, and what is wrong with those that cannot
be used."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from quadrille_core import resources
from quadrille_core.errors import QuadrilleError
from quadrille_core.kinds import TRICKS
from quadrille_core.ruleset import load_chain
from quadrille_core.ruleset.reference import shipped_profile
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.options import compile_all
from quadrille_plugins.shell.values import grouped, pages_seen

Row = Mapping[str, Any]
"""A profile as it stands in JSON; its faults are problems."""


def list_profiles() -> Answer:
    """List the rule profiles that are shipped; --format json and csv also give their witnesses and
    digests.

    A profile that cannot be used, because a plugin is not installed or its file is damaged, is
    listed with its fault and how to mend it; `show` and `check` refuse it.
    """
    shipped = resources.shipped_profiles()
    rows = [row for name, path in shipped.items() if (row := _profile_row(name, path))]
    columns = ("profile", "game", "title", "witnesses", "digest", "fault")
    return Answer(
        blocks=lambda: profile_blocks(rows),
        data=lambda: [{**row, "faults": [p.as_dict() for p in row["faults"]]} for row in rows],
        rows=lambda: (
            columns,
            [
                (r["profile"], r["game"] or "", r["title"], _seen(r), r["digest"] or "", _fault(r))
                for r in rows
            ],
        ),
    )


def profile_blocks(rows: Sequence[Row]) -> list[Block]:
    """A line for each profile, game by game; below, why any of them cannot be used."""
    games = grouped((row["game"], (row["profile"], row["title"])) for row in rows)
    tables: list[Block] = [
        Table(
            f"game: {game}" if game else "no profile",
            ("profile", "title"),
            tuple(those),
            whole=frozenset({"profile"}),
        )
        for game, those in games.items()
    ]
    faulty = [row for row in rows if row["faults"]]
    return [*tables, *(Text(f"{row['profile']} cannot be used: {_fault(row)}") for row in faulty)]


def _fault(row: Row) -> str:
    """What is wrong, and how to mend it."""
    return "; ".join(": ".join(filter(None, (p.message, p.help))) for p in row["faults"])


def _seen(row: Row) -> str:
    """The witnesses, each with how much was seen of one that was read in part."""
    pages = row["pages"]
    return ", ".join(f"{w} ({pages[w]})" if w in pages else w for w in row["witnesses"])


def _profile_row(name: str, path: Path) -> Row | None:
    """The row of a shipped profile; None for one that others only extend."""
    keys = ("profile", "game", "title", "witnesses", "pages", "digest", "faults")
    row: dict[str, Any] = dict(zip(keys, (name, None, "", [], {}, None, ()), strict=True))
    try:
        doc = shipped_profile(path)
        if doc.abstract:
            return None
        row["title"] = doc.title
        chain = load_chain(name)
        row["witnesses"] = list(dict.fromkeys(w.id for one in chain for w in one.witnesses))
        row["game"] = chain[0].game or TRICKS
        compiled = compile_all([name], [], [])[0]
    except QuadrilleError as e:
        # what else is amiss where a plugin cannot be had follows from that
        plugin = tuple(p for p in e.problems if p.code.startswith("Q50"))
        return {**row, "faults": plugin or e.problems}
    seen = {w.id: pages_seen(compiled.sources.get(w.source)) for w in compiled.witnesses.values()}
    return {
        **row,
        "game": compiled.kind,
        "title": compiled.title,
        "witnesses": list(compiled.witnesses),
        "pages": {name: pages for name, pages in seen.items() if pages},
        "digest": compiled.identity.digest,
    }
