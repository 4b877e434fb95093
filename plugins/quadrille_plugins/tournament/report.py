"""A tournament as tables, JSON and CSV."""

from typing import Any

from quadrille_core.report.blocks import Block, Table, Text
from quadrille_core.report.values import plainly, ruleset_json
from quadrille_plugins.lab.intervals import FEWEST_SESSIONS
from quadrille_plugins.lab.values import estimate_json, estimate_text, ruleset_text
from quadrille_plugins.lab.words import ANEW
from quadrille_plugins.tournament.study import Tournament

OUTCOMES = ("won", "remise", "codille")


def tournament_blocks(t: Tournament) -> list[Block]:
    """The whole tournament for a person."""
    pairing = t.pairing
    played = f"{pairing.deals} deals in {len(pairing.lengths)} sessions, played twice by every two bots"
    said = [f"{played}, who change chairs; seed {pairing.seed}"]
    if t.interrupted:
        said.append("Interrupted: these are the sessions that were finished.")
    if pairing.anew:
        said.append(ANEW)
    if len(pairing.lengths) < FEWEST_SESSIONS:
        said.append(f"No intervals (?): they need {FEWEST_SESSIONS} sessions or more.")
    ranking = tuple(
        (str(n), r.bot, estimate_text(r.mean, sign=True), str(r.mean.count)) for n, r in enumerate(t.ranking, 1)
    )
    duels = tuple(
        (
            f"{d.first} − {d.second}",
            estimate_text(d.difference, sign=True) + ("  *" if d.difference.excludes_zero else ""),
        )
        for d in t.duels
    )
    mean, gap = "mean a deal, 95 %", "difference, 95 %"
    return [
        Text(ruleset_text(t.compiled), strong=True),
        Text("\n".join(said)),
        Table(
            "what each wins, in counters a deal and player, antes taken off",
            ("", "bot", mean, "hands played"),
            ranking,
            frozenset({mean, "hands played"}),
        ),
        Table(
            "one against the other, on the same hands (* the interval excludes zero)",
            ("bots", gap),
            duels,
            frozenset({gap}),
        ),
        Table(
            "what each played as Hombre",
            ("bot", "contract", *OUTCOMES),
            tuple(_outcomes(t)),
            frozenset(OUTCOMES),
        ),
    ]


def _outcomes(t: Tournament) -> list[tuple[str, ...]]:
    """A row for each bot and contract: how often it was won, and lost in which way."""
    rows: dict[tuple[str, str], dict[str, int]] = {}
    for p in t.played:
        rows.setdefault((p.bot, p.contract), {})[p.outcome] = p.count
    return [(*key, *(str(found.get(o, 0)) for o in OUTCOMES)) for key, found in rows.items()]


def tournament_json(t: Tournament) -> dict[str, Any]:
    """The whole tournament, the best bot first."""

    return {
        "rules": ruleset_json(t.compiled),
        "design": {
            **t.pairing.to_json(),
            "pool_reset_each_deal": t.pairing.anew,
            "interrupted": t.interrupted,
        },
        "ranking": [{"bot": r.bot, **estimate_json(r.mean)} for r in t.ranking],
        "pairs": [
            {
                **plainly(d, "first", "second"),
                **estimate_json(d.difference),
                **plainly(d.difference, "excludes_zero"),
            }
            for d in t.duels
        ],
        "played_as_hombre": [plainly(p, "bot", "contract", "outcome", "count") for p in t.played],
    }


def tournament_csv(t: Tournament) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
    """The numbers in long form: one row an estimate or a count."""
    columns = ("section", "bot", "against", "name", "mean", "low", "high", "count")
    rows: list[tuple[object, ...]] = []

    def row(section: str, bot: str, against: str, found: Any) -> None:
        j = estimate_json(found)
        ends = ("" if j[end] is None else j[end] for end in ("low", "high"))
        rows.append((section, bot, against, "", j["mean"], *ends, j["deals"]))

    for r in t.ranking:
        row("mean", r.bot, "", r.mean)
    for d in t.duels:
        row("difference", d.first, d.second, d.difference)
    rows += [("hombre", p.bot, "", f"{p.contract} {p.outcome}", "", "", "", p.count) for p in t.played]
    return columns, rows
