"""``quadrille compare --bots``: bots ranked under a rule set."""

from collections.abc import Mapping
from dataclasses import dataclass

from quadrille_core.errors import UsageError
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_plugins.compare.tables import estimate_row
from quadrille_plugins.compare.tournament import Tournament, hold, pair_up
from quadrille_plugins.compare.variance import PARTS, UNITS, VarianceShares
from quadrille_plugins.deal.options import parse_players
from quadrille_plugins.deal.players import ready as ready_players
from quadrille_plugins.shell.blocks import Block, Table
from quadrille_plugins.shell.options import Repeated, compile_all
from quadrille_plugins.shell.values import (
    Json,
    Rows,
    deals_in_sessions,
    plainly,
    ruleset_json,
)
from quadrille_plugins.studies.answers import laid_out
from quadrille_plugins.studies.design import Design
from quadrille_plugins.studies.engines import engine_for
from quadrille_plugins.studies.free_losses import warnings_for
from quadrille_plugins.studies.intervals import FEWEST_SESSIONS
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.study import Rendering, Study
from quadrille_plugins.studies.study_pictures import tournament_pictures
from quadrille_plugins.studies.values import estimate_json, estimate_text, ruleset_text, share_text
from quadrille_plugins.studies.words import ANEW

DEFAULT_DEALS = 240


def rank_bots(
    refs: Repeated,
    bots: str,
    deals: int | None,
    length: int | None,
    seed: int,
    engine: str,
    readings: Repeated,
    sets: Repeated,
) -> "TournamentStudy":
    """Plan to rank bots under a rule set."""
    if len(refs) != 1:
        raise UsageError.of("bots-under-several-rule-sets")
    (compiled,) = compile_all(refs, readings, sets)
    if compiled.kind != TRICKS:
        raise UsageError.of("nobody-to-rank", article=KINDS[compiled.kind].article)
    pairing = pair_up(
        compiled, bots=parse_players(bots), deals=deals or DEFAULT_DEALS, length=length, seed=seed
    )
    ruleset, many = compiled.ruleset, len(pairing.bots)
    work = pairing.deals * many * (many - 1)  # every two play each deal twice
    chosen, _ = engine_for(engine, [ruleset], pairing.bots, work)
    return TournamentStudy(
        compiled=[compiled],
        title="A tournament of bots",
        resolved={"deals": pairing.deals},
        bots=pairing.bots,
        deals=pairing.deals,
        asked=deals,
        warnings=warnings_for(compiled),
        pairing=pairing,
        chosen=chosen,
    )


@dataclass(kw_only=True)
class TournamentStudy(Study[Tournament]):
    """A tournament of bots."""

    pairing: Design
    chosen: str
    """The engine that plays."""

    def play(self, runner: Runner) -> Tournament:
        """See ``Study``."""
        ready_players(self.pairing.bots)
        with StudyProgress(self.pairing.deals) as progress:
            return hold(
                self.compiled[0],
                self.pairing,
                engine=self.chosen,
                progress=progress.update,
                runner=runner,
            )

    def finish(self, found: Tournament) -> Json:
        """See ``Study``."""
        return tournament_json(found)

    def render(self, found: Tournament, record: Json) -> Rendering:
        """See ``Study``."""
        deals = found.pairing.deals
        return Rendering(
            blocks=lambda details: tournament_blocks(found, details=details),
            rows=lambda: tournament_csv(found),
            answers=lambda: [answer(found)],
            pictures=lambda: tournament_pictures(record),
            reached=f"the {deals} deals that every pair finished" if found.interrupted else "",
        )


VARIANCE = "of the variance of what a player wins, what goes with (95 %)"
SHARES = {"player": "who plays", "cards": "the cards", "rest": "neither alone"}
OUTCOMES = ("won", "remise", "codille")


def tournament_blocks(t: Tournament, *, details: bool = True) -> list[Block]:
    """The whole tournament for a person, or without ``details`` the answer and the ranking."""
    pairing = t.pairing
    ranking = tuple(
        (str(n), r.bot, estimate_text(r.mean, sign=True), str(r.mean.count))
        for n, r in enumerate(t.ranking, 1)
    )
    duels = tuple(
        (
            f"{d.first} − {d.second}",
            estimate_text(d.difference, sign=True) + ("  *" if d.difference.excludes_zero else ""),
        )
        for d in t.duels
    )
    mean, gap = "mean a deal, 95 %", "difference, 95 %"
    return laid_out(
        answer(t),
        ruleset_text(t.compiled),
        [
            Table(
                "what each wins, in counters a deal and player, antes taken off",
                ("", "bot", mean, "hands played"),
                ranking,
                frozenset({mean, "hands played"}),
            ),
        ],
        sure=f"{deals_in_sessions(pairing.deals, len(pairing.lengths))}, each played twice by "
        f"every two bots, who change chairs; seed {pairing.seed}."
        + ("\nInterrupted: these are the sessions that were finished." if t.interrupted else "")
        + (f"\n{ANEW}" if pairing.anew else "")
        + (
            f"\nNo intervals (?): they need {FEWEST_SESSIONS} sessions or more."
            if len(pairing.lengths) < FEWEST_SESSIONS
            else ""
        ),
        more=lambda: [
            Table(
                "one against the other, on the same hands (* the interval excludes zero)",
                ("bots", gap),
                duels,
                frozenset({gap}),
            ),
            Table(
                VARIANCE,
                ("", "bots", *SHARES.values()),
                tuple(_shares(t)),
                frozenset(SHARES.values()),
            ),
            Table(
                "what each played as Hombre",
                ("bot", "contract", *OUTCOMES),
                tuple(_outcomes(t)),
                frozenset(OUTCOMES),
            ),
        ],
        details=details,
        shows="every two bots against each other, what goes with who plays and with the cards, and "
        "what each played as Hombre",
    )


def answer(t: Tournament) -> str:
    """Which bot wins most, and whether more than the next; and how much goes with who plays."""
    return " ".join([_best(t), *_variance_told(t)])


def _variance_told(t: Tournament) -> list[str]:
    """How much of the variance goes with who plays and with the cards: of a deal, and of a whole
    session."""
    told = {unit: (share_text(v.player), share_text(v.cards)) for unit, v in t.variance.items()}
    if not told:
        return []
    player, cards = told["deal"]
    text = (
        f"Of the variance of what a player wins in a deal, {player} goes with who plays and "
        f"{cards} with the cards"
    )
    if "session" in told:
        player, cards = told["session"]
        text += f"; of a session of {max(t.pairing.lengths)} deals {player} and {cards}"
    return [f"{text}."]


def _best(t: Tournament) -> str:
    """Which bot wins most, and whether more than the next."""
    best, second = t.ranking[0], t.ranking[1]
    duel = next(d for d in t.duels if {d.first, d.second} == {best.bot, second.bot})
    more = estimate_text(duel.difference, sign=True).lstrip("+−")
    told = f"{best.bot} wins most: {estimate_text(best.mean, sign=True)} counters a deal."
    if not duel.difference.excludes_zero:
        return (
            f"{told} That it is better than {second.bot} is not shown: the difference is "
            f"{more} counters a deal."
        )
    return f"{told} On the same hands as {second.bot} it wins {more} counters a deal more."


def _shares(t: Tournament) -> list[tuple[str, ...]]:
    """A row for each unit and pair, and for all pairs where there are several."""
    pairs = [(f"{d.first}, {d.second}", d.variance) for d in t.duels]
    if len(pairs) > 1:
        pairs.append(("all pairs", t.variance))
    return [
        (f"in a {unit}", who, *(share_text(getattr(found[unit], part)) for part in SHARES))
        for unit in UNITS
        for who, found in pairs
        if unit in found
    ]


def _outcomes(t: Tournament) -> list[tuple[str, ...]]:
    """A row for each bot and contract: how often it was won, and lost in which way."""
    rows: dict[tuple[str, str], dict[str, int]] = {}
    for p in t.played:
        rows.setdefault((p.bot, p.contract), {})[p.outcome] = p.count
    return [(*key, *(str(found.get(o, 0)) for o in OUTCOMES)) for key, found in rows.items()]


def tournament_json(t: Tournament) -> Json:
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
                "excludes_zero": d.difference.excludes_zero,
                "variance": variance_json(d.variance),
            }
            for d in t.duels
        ],
        "variance": variance_json(t.variance),
        "played_as_hombre": [plainly(p) for p in t.played],
    }


def variance_json(told: Mapping[str, VarianceShares]) -> Json:
    """Of a deal and of a session the three shares, each with its interval; of units in which
    anything varies."""
    return {
        unit: {part: estimate_json(getattr(found, part)) for part in PARTS}
        for unit, found in told.items()
    }


def tournament_csv(t: Tournament) -> Rows:
    """The numbers in long form: one row an estimate or a count."""
    columns = ("section", "bot", "against", "name", "mean", "low", "high", "count")
    rows = [estimate_row("mean", r.bot, "", "", r.mean, r.mean.count) for r in t.ranking]
    for d in t.duels:
        gap = d.difference
        rows.append(estimate_row("difference", d.first, d.second, "", gap, gap.count))
    for first, second, told in [
        *((d.first, d.second, d.variance) for d in t.duels),
        ("", "", t.variance),
    ]:
        for unit, found in told.items():
            shares = {part: getattr(found, part) for part in PARTS}
            rows += [
                estimate_row("variance", first, second, f"{unit} {part}", e, e.count)
                for part, e in shares.items()
            ]
    rows += [
        ("hombre", p.bot, "", f"{p.contract} {p.outcome}", "", "", "", p.count) for p in t.played
    ]
    return columns, rows
