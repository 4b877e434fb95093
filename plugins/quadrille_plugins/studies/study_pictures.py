"""Pictures of a comparison, from its JSON."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from quadrille_plugins.shell.values import Json, short_names
from quadrille_plugins.studies.over_sessions import distribution_pictures
from quadrille_plugins.studies.paired import PICKED_ROLES
from quadrille_plugins.studies.picture import Picture, PlotMark, drawn
from quadrille_plugins.studies.words import column_name

ROLES = ("hombre", "ally", "adversary", "adversaries", "redealt", "antes")
MOST_CONTRACTS = 8
INTERVALS = (
    "Points are means, lines 95 % intervals; where there is no line there were too few "
    "sessions for one."
)
THRESHOLDS = "Dotted lines are the smallest effects of interest."
BARS = "Bars are shares, thin lines 95 % intervals."


def names_of(rules: Sequence[Json]) -> list[str]:
    """The rule sets as sentences and pictures name them."""
    return short_names(
        [(identity["profile"], identity["witness"], _chosen(identity)) for identity in rules]
    )


def _chosen(identity: Json) -> str:
    """What was chosen by hand, as it is typed."""
    by_hand = {**identity["readings"], **identity.get("settings", {})}
    added = [f"+{plugin}" for plugin in identity.get("added", [])]
    return " ".join([*added, *(f"{path}={value}" for path, value in by_hand.items())])


def payee(key: str, players: int) -> str:
    """A column or role in words, to begin with."""
    return column_name(key, players).removeprefix("the ")


def _mark(label: str, series: str, estimate: Json, times: float = 1) -> PlotMark:
    ends = {
        end: None if estimate[end] is None else round(times * estimate[end], 6)
        for end in ("low", "high")
    }
    mean, held = round(times * estimate["mean"], 6), estimate.get("held_against")
    return PlotMark(label=label, series=series, value=mean, threshold=held, **ends)


def _against(results: Json, names: Sequence[str]) -> str:
    """What is compared, for a title: one rule set is named, several are in the legend."""
    pairs = results["paired"]
    return (
        f"{names[pairs[0]['second']]} against {names[0]}"
        if len(pairs) == 1
        else f"Against {names[0]}"
    )


def comparison_pictures(results: Json) -> tuple[Picture, ...]:
    """Payments by role and seat, their differences, contracts, and where deals diverge; for par as
    for play."""
    names, sets = names_of(results["rules"]), results["per_rule_set"]
    players = max((int(k[5:]) + 1 for s in sets for k in s["by_seat"]), default=4)
    return (
        *_paid(results, names, players),
        *(_effects if "effects" in results["paired"][0] else _differences)(results, names, players),
        *_divergence(results, names),
        *_contracts(results, names),
    )


def _paid(results: Json, names: Sequence[str], players: int) -> Iterable[Picture]:
    return drawn(
        [
            _mark(payee(role, players), name, paid[role])
            for role in ROLES
            for name, s in zip(names, results["per_rule_set"], strict=True)
            if role in (paid := s.get("when_there_is_one", s["by_role"]))
        ],
        name="payments-by-role",
        title="What settlements pay each role when there is one",
        alt=f"Mean payments of {len(names)} rule sets by role.",
        value="counters a deal",
        series="rule set",
        caption=INTERVALS,
    )


def _effects(results: Json, names: Sequence[str], players: int) -> Iterable[Picture]:
    """Total effects of whole sessions, and beside them direct and carried where deals were
    replayed; then the total on each role as every player of a family finds it."""
    for p in results["paired"]:
        found, number = p["effects"], f"-{p['second'] + 1}" * (len(results["paired"]) > 1)
        title = f"{names[p['second']]} instead of {names[p['first']]}: effects"
        value = f"counters a session of {found['session_deals']} deals"
        kinds = [e for e in ("total", "direct", "carried") if e in found]
        both = {kind: {**found[kind]["seats"], **found[kind]["roles"]} for kind in kinds}
        keys = [*(k for k in found["total"]["seats"] if k.startswith("seat ")), *PICKED_ROLES]
        yield from drawn(
            [_mark(payee(k, players), kind, both[kind][k]) for k in keys for kind in kinds],
            name=f"effects{number}",
            title=f"{title} on a session",
            alt=f"Effects by seat and role, against {names[p['first']]}.",
            value=value,
            series="estimand",
            caption=f"{INTERVALS} {THRESHOLDS} Seats have their antes in; roles are sums over "
            "players.",
        )
        yield from distribution_pictures(
            {**found["total"]["seats"], **found["total"]["roles"]},
            {k: told for k, told in p["over_sessions"].items() if k in PICKED_ROLES and told},
            players,
            name=f"sessions{number}",
            title=f"{title} over sessions",
            alt=f"Mean and quartiles over sessions, against {names[p['first']]}.",
            value=value,
        )
        if family := p.get("family"):
            yield from drawn(
                [
                    _mark(player, payee(role, players), one["effects"][role])
                    for player, one in family.items()
                    for role in PICKED_ROLES
                    if role in p["verdicts"]
                ],
                name=f"effects-by-player{number}",
                title=f"{title} by who plays",
                alt=f"Effects on each role, by {len(family)} players.",
                value=value,
                series="role",
                caption=f"Points are means, lines 95 % intervals that hold together. {THRESHOLDS}",
            )


def _differences(results: Json, names: Sequence[str], players: int) -> Iterable[Picture]:
    return drawn(
        [
            _mark(payee(key, players), f"{names[p['second']]} − {names[p['first']]}", e)
            for group in ("by_role", "by_seat")
            for key in dict.fromkeys(k for p in results["paired"] for k in p["difference"][group])
            for p in results["paired"]
            if (e := p["difference"][group].get(key)) is not None
        ],
        name="differences",
        title=f"{_against(results, names)}: how much more each is paid, on the same cards",
        alt="Paired differences of mean payments by role and by seat.",
        value="counters a deal",
        series="difference",
        caption=INTERVALS
        + " Seats have their antes in; an interval that excludes zero shows a difference.",
    )


def _divergence(results: Json, names: Sequence[str]) -> Iterable[Picture]:
    rows = []
    for p in results["paired"]:
        series = f"{names[p['second']]} against {names[p['first']]}"
        whole = p.get("diverging") or p.get("payments_differ")
        rows.append(_mark("all that diverge", series, whole["share"], 100))
        rows += [
            _mark(f"first: {name}", series, s["share"], 100) for name, s in p["first_in"].items()
        ]
    return drawn(
        rows,
        name="where-deals-diverge",
        title=f"{_against(results, names)}: deals that diverge, and where first",
        alt="Shares of deals.",
        kind="bars",
        value="per cent of all deals",
        series="rule set",
        caption=BARS,
    )


def _contracts(results: Json, names: Sequence[str]) -> Iterable[Picture]:
    counts: Counter[str] = Counter()
    for s in results["per_rule_set"]:
        counts.update({name: share["count"] for name, share in s["contracts"].items()})
    shown = sorted(counts, key=lambda n: (-counts[n], n))[:MOST_CONTRACTS]
    return drawn(
        [
            _mark(contract, name, s["contracts"][contract]["share"], 100)
            for contract in shown
            for name, s in zip(names, results["per_rule_set"], strict=True)
            if contract in s["contracts"]
        ],
        name="contracts",
        title="Contracts played under each rule set",
        alt="Shares of deals by contract.",
        kind="bars",
        value="per cent of deals",
        series="rule set",
        caption=f"{BARS} The {MOST_CONTRACTS} most frequent are drawn.",
    )


def _odds(name: str, found: Json) -> PlotMark:
    """The odds of one rule set: without an interval where they are proved, or counted exactly."""
    if found["proof"]:
        return PlotMark(label=name, value=100.0)
    if found["exact"] is not None:
        return PlotMark(label=name, value=round(100 * float(Fraction(found["exact"])), 9))
    return _mark(name, "", found["odds"], 100)


def odds_pictures(results: Json) -> tuple[Picture, ...]:
    """The odds of winning a patience, under each rule set."""
    named = zip(names_of(results["rules"]), results["per_rule_set"], strict=True)
    rows = [_odds(name, o) for name, o in named]
    return drawn(
        rows,
        name="odds",
        title="Odds of winning",
        alt=f"Odds of winning under {len(rows)} rule sets.",
        value="per cent of games won",
        caption="Points are shares of games, lines 95 % intervals; without a line the odds "
        "are proved or counted.",
    )


def tournament_pictures(results: Json) -> tuple[Picture, ...]:
    """What each bot wins, and each pair's difference."""
    return (
        *drawn(
            [_mark(r["bot"], "", r) for r in results["ranking"]],
            name="ranking",
            title="What each bot wins",
            alt=f"Mean winnings of {len(results['ranking'])} bots.",
            value="counters a deal and player, antes taken off",
            caption=INTERVALS,
        ),
        *drawn(
            [_mark(f"{d['first']} − {d['second']}", "", d) for d in results["pairs"]],
            name="duels",
            title="One bot against the other, on the same hands",
            alt="Paired differences.",
            value="counters a deal",
            caption=INTERVALS,
        ),
    )
