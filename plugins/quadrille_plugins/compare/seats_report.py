"""Whether a seat earns more, as sentences, tables, JSON, rows and a picture."""

from collections.abc import Sequence

from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.compare.effects_report import effect_json, effect_text
from quadrille_plugins.compare.seats import EQUIVALENT, LESS, MORE, Seats, verdict
from quadrille_plugins.compare.tables import COLUMNS
from quadrille_plugins.shell.blocks import Block, Table
from quadrille_plugins.shell.values import (
    Json,
    Rows,
    capital,
    identity_text,
    listed,
    many,
    plainly,
    ruleset_json,
)
from quadrille_plugins.studies.answers import laid_out, over_all, played_text
from quadrille_plugins.studies.equivalence import NEAR, UNDECIDED
from quadrille_plugins.studies.family import DEPENDS, FamilyEffect, longest, whoever
from quadrille_plugins.studies.over_sessions import (
    OverSessions,
    distribution_json,
    distribution_tables,
)
from quadrille_plugins.studies.picture import Picture, PlotMark, drawn
from quadrille_plugins.studies.values import decimal, ruleset_text
from quadrille_plugins.studies.words import amount_text, column_name, the_column


def seats_blocks(s: Seats, *, details: bool) -> list[Block]:
    """The whole answer, or without ``details`` the sentence and the table."""
    design, found = s.design, s.verdicts
    several = len(s.family) > 1
    middle = (f"by {design.bots[0]}", f"by all {len(s.family)} players") if several else ("95 %",)
    rows = tuple(
        (
            column_name(seat, design.players),
            *_cells(s, seat, found[seat]),
            _verdict_text(s, seat, found[seat]),
        )
        for seat in s.effects
    )
    title = (
        f"what each seat earns more than the mean of all: counters in a session of "
        f"{design.length} deals; equivalent: within ± {amount_text(design.interest)}"
    )
    distributions = {seat: [_distribution(one, seat) for one in s.asked] for seat in s.effects}
    return laid_out(
        answer(s),
        ruleset_text(s.compiled),
        [Table(title, ("", *middle, "verdict"), rows, frozenset(middle))],
        sure=_sure(s),
        more=lambda: distribution_tables(
            distributions, design.players, design.length, "a seat less the mean"
        ),
        details=details,
        shows="the distribution over sessions",
    )


def _distribution(s: Seats, seat: str) -> OverSessions:
    e = s.effects[seat]
    return OverSessions(s.design.bots[0], e.mean, e.low, e.high, s.over_sessions.get(seat, {}))


def _cells(s: Seats, seat: str, e: FamilyEffect) -> Sequence[str]:
    own = s.effects[seat]
    if len(s.family) < 2:
        return [effect_text(own)]
    return [decimal(own.mean, 1, sign=True), _between(e)]


def _between(e: FamilyEffect) -> str:
    """``+2.0 to +3.1``; between what the means lie, where there is no interval."""
    told = " to ".join(dict.fromkeys(e.ends_told))
    return told if e.low is not None else f"{told} ± ?"


def _verdict_text(s: Seats, seat: str, e: FamilyEffect) -> str:
    found = verdict(e)
    if found == NEAR:
        return f"near ± {amount_text(s.design.interest)}"
    if found == UNDECIDED and (needed := _needed(s, seat)):
        return f"undecided: {needed}"
    return found


def _needed(s: Seats, seat: str) -> str:
    """Between how many deals a verdict takes; empty where that cannot be said."""
    effects = [one.effects[seat] for one in s.asked]
    needed = longest([e.needed for e in effects if e.answer == UNDECIDED])
    return "" if needed is None else f"{many(needed[0])}–{many(needed[1])} deals"


def answer(s: Seats) -> str:
    """Which seats earn more or less than the mean, which as much, and what is not decided."""
    found, players = s.verdicts, s.design.players
    kinds = {seat: verdict(e) for seat, e in found.items()}
    size, length = amount_text(s.design.interest), s.design.length

    def named(kind: str) -> list[str]:
        return [seat for seat, one in kinds.items() if one == kind]

    hold = "95 % intervals that hold together" if s.design.holds_together else "each at 95 %"
    who = f"{whoever(len(s.family))}; " if len(s.family) > 1 else f"by {s.design.bots[0]}; "
    if len(named(EQUIVALENT)) == players:
        return (
            f"The seats are equivalent: none earns {size} counters more or less than the mean of "
            f"all in a session of {length} deals ({who}{hold})."
        )
    told = []
    unequal = [f"{the_column(n, players)} {_size(s, n)}" for n in (*named(MORE), *named(LESS))]
    if unequal:
        told.append(
            f"The seats are not equivalent: in a session of {length} deals {listed(unequal)} "
            f"counters beside the mean of all ({who}{hold})."
        )
    for n in named(DEPENDS):
        told.append(
            f"Whether {the_column(n, players)} earns {size} counters more or less "
            f"{found[n].depends()}."
        )
    if even := named(EQUIVALENT):
        names = listed([the_column(n, players) for n in even])
        verb = "is" if len(even) == 1 else "are"
        told.append(f"{capital(names)} {verb} equivalent to the mean, within ± {size}.")
    if left := [*named(UNDECIDED), *named(NEAR)]:
        ranges = [f"{the_column(n, players)} {_between(found[n])}" for n in left]
        told.append(f"Not decided against ± {size}: {'; '.join(ranges)}.")
    return " ".join(told)


def _size(s: Seats, seat: str) -> str:
    """``earns 12 to 30``: what a seat earns beside the mean, by all who were asked."""
    e = s.verdicts[seat]
    if len(s.family) > 1:
        return f"earns {_between(e)}"
    return f"earns {effect_text(s.effects[seat])}"


def _sure(s: Seats) -> str:
    designs = [one.design for one in s.asked]
    hold = "Each interval holds by itself at 95 %."
    if s.design.holds_together:
        hold = (
            f"All intervals of means hold together at 95 %, over {over_all('all seats', designs)}."
        )
    round_ = "The deal goes round, so that in whole rounds all sit everywhere equally often."
    return played_text(
        designs, [d.bots[0] for d in designs], f"{hold} {round_}", interrupted=s.interrupted
    )


def seats_json(s: Seats) -> Json:
    """The whole answer."""
    found = s.verdicts
    return {
        "rules": ruleset_json(s.compiled),
        "design": {
            **s.design.to_json(),
            "engine": s.engine,
            "until": s.design.until,
            "decided": s.decided,
            "family": {one.design.bots[0]: one.design.deals for one in s.family},
            "smallest": plain_amount(s.design.interest),
            "smallest_unit": f"counters a seat and session of {s.design.length} deals",
            "pool_reset_each_deal": s.design.anew,
            "interrupted": s.interrupted,
        },
        "by_seat": {
            seat: {
                **effect_json(s.effects[seat]),
                "over_sessions": distribution_json(s.over_sessions.get(seat, {})),
                "by_all": {
                    "verdict": verdict(found[seat]),
                    **plainly(found[seat], "low", "high", "least", "most"),
                    "by": list(found[seat].by),
                },
            }
            for seat in s.effects
        },
        "family": {
            one.design.bots[0]: {seat: effect_json(e) for seat, e in one.effects.items()}
            for one in s.family
        },
    }


def seats_csv(s: Seats) -> Rows:
    """The numbers in long form: one row a number."""
    name, rows = identity_text(s.compiled.identity), []
    for one in s.asked:
        who = one.design.bots[0]
        for seat, e in one.effects.items():
            told = effect_json(e)
            ends = ("" if told[k] is None else told[k] for k in ("mean", "low", "high"))
            rows.append(("beside the mean", name, "", seat, *ends, e.deals, who, told["answer"]))
            for what, figure in distribution_json(one.over_sessions.get(seat, {})).items():
                ends = ("" if v is None else v for v in figure.values())
                section = f"over sessions, {what.replace('_', ' ')}"
                rows.append((section, name, "", seat, *ends, e.deals, who, ""))
    return (*COLUMNS, "player", "answer"), rows


def seats_pictures(results: Json) -> tuple[Picture, ...]:
    """What each seat earns beside the mean, by every player."""
    players = len(results["design"]["bots"])
    own = {results["design"]["bots"][0]: results["by_seat"]}
    return drawn(
        [
            PlotMark(
                label=who,
                series=column_name(seat, players),
                value=e["mean"],
                low=e["low"],
                high=e["high"],
            )
            for who, found in (results["family"] or own).items()
            for seat, e in found.items()
        ],
        name="seats",
        title="What each seat earns more than the mean of all",
        alt="Means by seat.",
        value="counters a session",
        series="seat",
        caption=f"Points are means, lines 95 % intervals. Seats within ± "
        f"{results['design']['smallest']} are equivalent.",
    )
