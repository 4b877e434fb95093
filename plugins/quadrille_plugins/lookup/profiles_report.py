"""``quadrille list``: the rule profiles that are shipped, and what is wrong with those that cannot
be used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from quadrille_core import resources
from quadrille_core.errors import Problem, QuadrilleError
from quadrille_core.kinds import TRICKS
from quadrille_core.report.answer import Answer
from quadrille_core.report.blocks import Block, Table, Text
from quadrille_core.ruleset import load_chain
from quadrille_core.ruleset.reference import shipped_profile
from quadrille_plugins.output.commands import compile_all
from quadrille_plugins.output.values import pages_seen


def list_profiles() -> Answer:
    """List the rule profiles that are shipped; --format json and csv also give their witnesses and
    digests.

    A profile that cannot be used, because a plugin is not installed or its file is damaged, is
    listed with its fault and how to mend it; `show` and `check` refuse it.
    """
    rows = [
        row
        for name, path in resources.shipped_profiles().items()
        if (row := _profile_row(name, path))
    ]
    return Answer(
        blocks=lambda: profile_blocks(rows),
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
        rows=lambda: (
            ("profile", "game", "title", "witnesses", "digest", "fault"),
            [(r.name, r.game, r.title, _seen(r), r.digest, _fault(r)) for r in rows],
        ),
    )


def profile_blocks(rows: Sequence["ProfileRow"]) -> list[Block]:
    """A line for each profile, game by game; below, why any of them cannot be used."""
    games = dict.fromkeys(row.game for row in rows)
    tables: list[Block] = [
        Table(
            f"game: {game}" if game else "no profile",
            ("profile", "title"),
            tuple((row.name, row.title) for row in rows if row.game == game),
            whole=frozenset({"profile"}),
        )
        for game in games
    ]
    return [
        *tables,
        *(Text(f"{row.name} cannot be used: {_fault(row)}") for row in rows if row.faults),
    ]


def _fault(row: "ProfileRow") -> str:
    """What is wrong, and how to mend it."""
    return "; ".join(": ".join(filter(None, (p.message, p.help))) for p in row.faults)


def _seen(row: "ProfileRow") -> str:
    """The witnesses, each with how much was seen of one that was read in part."""
    return ", ".join(f"{w} ({row.pages[w]})" if w in row.pages else w for w in row.witnesses)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRow:
    """A profile in the list: what is known of it, and why it cannot be used, if it cannot."""

    name: str
    game: str = ""
    title: str = ""
    witnesses: tuple[str, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    """How much was seen of each witness that was read in part."""
    digest: str = ""
    faults: tuple[Problem, ...] = ()


def _profile_row(name: str, path: Path) -> ProfileRow | None:
    """The row of a shipped profile; None for one that others only extend."""
    row = ProfileRow(name=name)
    try:
        doc = shipped_profile(path)
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
    return ProfileRow(
        name=name,
        game=compiled.kind,
        title=compiled.title,
        witnesses=tuple(compiled.witnesses),
        pages={
            w.id: seen
            for w in compiled.witnesses.values()
            if (seen := pages_seen(compiled.sources.get(w.source)))
        },
        digest=compiled.identity.digest,
    )
