"""One session under several rule sets, reduced to the sums that a comparison adds up.

This is what a worker process does and sends back: exact sums for the session, where each deal first
parts from the same deal under the first rule set, and the session's examples.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from quadrille_core.engine.result import Settlement
from quadrille_core.frozen import frozen
from quadrille_core.rules import RuleSet
from quadrille_plugins.deal.players import begins_anew, make_bot
from quadrille_plugins.deal.record import to_record
from quadrille_plugins.deal.session import PlayedDeal, play_session
from quadrille_plugins.settle.result_file import account_name
from quadrille_plugins.studies.accounts import Movements, of_deal, summed
from quadrille_plugins.studies.direct import EVERY, Replay, SessionState, play_from, replay_session
from quadrille_plugins.studies.effects import DIRECT, DIRECT_REVERSE, LOST, Effects
from quadrille_plugins.studies.intervals import Tally, added

ROLES = ("hombre", "ally", "adversary")
KEEP = 3
"""Examples that a session offers for each pair; the comparison keeps the best of all."""


@dataclass(slots=True)
class SessionSums:
    """Sums over one session under one rule set.

    ``seats`` counts every movement of a seat's counters, antes included; ``roles`` the payments of
    settlements alone.  ``squares`` are sums of squared payments by the same keys.
    """

    deals: int = 0
    contracts: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    voles: Counter[str] = field(default_factory=Counter)
    by_contract: Counter[tuple[str, str]] = field(default_factory=Counter)
    payments: dict[str, Tally] = field(default_factory=dict)
    squares: dict[str, Fraction] = field(default_factory=dict)
    pool_before: Fraction = Fraction(0)
    moved: Movements = ()
    """What the session moved, by column of ``studies.accounts``."""

    def add(self, key: str, amount: Fraction) -> None:
        """Count one payment under a role or seat."""
        tally = self.payments.get(key)
        self.payments[key] = (
            Tally(amount, 1) if tally is None else Tally(tally.total + amount, tally.count + 1)
        )
        added(self.squares, {key: amount * amount})


@frozen
class Divergence:
    """Where one deal first differs under two rule sets: the stage, and the two events in words."""

    stage: str
    first: str
    second: str


@dataclass(slots=True)
class Example:
    """An example deal in which two rule sets pay differently, with both records."""

    session: int
    deal: int
    weight: Fraction
    """The payment difference, summed over the players."""
    divergence: Divergence
    records: tuple[dict[str, Any], dict[str, Any]]
    pools: Fraction = Fraction(0)
    """What both pools held before the deal, where that is known."""

    def ease(self) -> tuple[bool, Fraction, int, int]:
        """The sort key: deals whose payments differ first, those with the smallest pools before,
        then the earliest.

        So they are plain and otherwise as they come: by the payment difference none is chosen.
        """
        return self.weight == 0, self.pools, self.session, self.deal

    def order(self) -> tuple[Fraction, int, int]:
        """The sort key: the largest payment difference first."""
        return -self.weight, self.session, self.deal


@dataclass(slots=True)
class Starts:
    """Deals of a session beside their replays from the same state under another rule set: the
    matched starts.

    ``stages`` counts them by where they first diverge (``same``: nowhere), ``paid`` those in which
    some player gets or pays another amount, antes among it; ``left_out`` are deals that are none,
    for their state cannot be held.
    """

    stages: Counter[str] = field(default_factory=Counter)
    paid: int = 0
    left_out: int = 0


@dataclass(slots=True)
class Observed:
    """A session under every rule set: the sums of each, and how each diverges from the first."""

    session: int
    sums: list[SessionSums]
    stages: list[Counter[str]]
    carried: list[int]
    """Deals that diverge and began with another pool already."""
    paid: list[int]
    """Deals in which some player gets or pays another amount, antes among it."""
    example_deals: list[list[Example]]
    effects: list[Effects]
    """For each rule set but the first, what it changes in this session."""
    starts: list[Starts]
    """For each rule set but the first, the session's matched starts; empty where it was not
    replayed."""
    rows: list[str] = field(default_factory=list)
    """The rows of each deal, on request."""


Narrate = Callable[[Sequence[PlayedDeal | None], Sequence[Divergence | None]], list[str]]
"""The lines of a table that tell one deal under every rule set, and where it diverges from the
first under others."""


def session_of(
    ruleset: RuleSet, bots: Sequence[str], seed: int, session: int, deals: int
) -> list[PlayedDeal]:
    """The deals of a session that these bots play."""
    made = [make_bot(name) for name in bots]
    return list(
        play_session(ruleset, made, seed=seed, session=session, deals=deals, anew=begins_anew(bots))
    )


def observe(
    rulesets: Sequence[RuleSet],
    bots: Sequence[str],
    seed: int,
    session: int,
    deals: int,
    narrate: Narrate | None = None,
    *,
    decompose: bool = False,
) -> Observed:
    """Play the session under each rule set on the same cards and sum it up; ``narrate`` adds rows
    for each deal.

    Each ``EVERY``-th session is replayed for its matched starts; ``decompose`` replays every deal
    of all under the other rule set for the direct effects.
    """
    rows: list[str] = []
    sums = [SessionSums() for _ in rulesets]
    stages: list[Counter[str]] = [Counter() for _ in rulesets[1:]]
    carried = [0 for _ in rulesets[1:]]
    paid = [0 for _ in rulesets[1:]]
    example_deals: list[list[Example]] = [[] for _ in rulesets[1:]]
    tables = [session_of(ruleset, bots, seed, session, deals) for ruleset in rulesets]
    # under rules that end a session when somebody cannot pay one table may rise before another
    for played in zip_longest(*tables):
        for total, one in zip(sums, played, strict=True):
            if one is not None:
                count(total, one)
        first, divergences = played[0], divergences_of(played)
        if narrate is not None:
            rows += narrate(played, divergences)
        for i, (other, divergence) in enumerate(zip(played[1:], divergences, strict=True)):
            if first is None or other is None:
                continue
            stages[i][divergence.stage if divergence else "same"] += 1
            paid[i] += payment_difference(first, other) != 0
            if divergence is not None:
                carried[i] += first.setup.pool != other.setup.pool
                _keep(example_deals[i], first, other, divergence)
    moved = [total.moved for total in sums]
    is_sampled = session % EVERY == 0
    replays = (
        replays_of(rulesets, tables[0], bots, seed, session) if decompose or is_sampled else []
    )
    starts = [starts_of(tables[0], replay) for replay in replays if is_sampled]
    effects = effects_between(
        rulesets, tables, moved, bots, seed, session, deals, replays if decompose else None
    )
    return Observed(session, sums, stages, carried, paid, example_deals, effects, starts, rows)


def replays_of(
    rulesets: Sequence[RuleSet],
    played: Sequence[PlayedDeal],
    bots: Sequence[str],
    seed: int,
    session: int,
) -> list[Replay]:
    """The first rule set's deals of a session, replayed under each of the others."""
    return [
        replay_session(rulesets[0].rules, played, r, bots, seed=seed, session=session)
        for r in rulesets[1:]
    ]


def starts_of(played: Sequence[PlayedDeal], replay: Replay) -> Starts:
    """The matched starts of a session and its replay; where antes differ they diverge at the
    ``stakes``.

    ``kernel.accumulate.count_replayed`` is the twin.
    """
    starts = Starts()
    for one, other, lost in zip(played, *replay, strict=True):
        if lost["any"]:
            starts.left_out += 1
            continue
        divergence = first_difference(one, other)
        stage = "stakes" if one.antes != other.antes else divergence.stage if divergence else "same"
        starts.stages[stage] += 1
        starts.paid += payment_difference(one, other) != 0
    return starts


def effects_between(
    rulesets: Sequence[RuleSet],
    tables: Sequence[Sequence[PlayedDeal]],
    moved: Sequence[Movements],
    bots: Sequence[str],
    seed: int,
    session: int,
    deals: int,
    replays: Sequence[Replay] | None,
) -> list[Effects]:
    """What each rule set but the first changes in one session of so many planned deals.

    ``tables`` are its deals under each rule set, ``moved`` what they moved; with ``replays_of``
    them, direct effects.
    """
    players = rulesets[0].rules.table.players
    found = []
    for i, (ruleset, table, its) in enumerate(
        zip(rulesets[1:], tables[1:], moved[1:], strict=True)
    ):
        again: list[list[Movements] | None] = [None, None]
        replayed_deals, lost_states = Counter[str](), Counter[tuple[str, str]]()
        if replays is not None:
            again.clear()
            reverse = replay_session(
                ruleset.rules, table, rulesets[0], bots, seed=seed, session=session
            )
            for direction, (replayed, lost) in ((DIRECT, replays[i]), (DIRECT_REVERSE, reverse)):
                again.append([summed(map(of_deal, replayed), players)])
                replayed_deals[direction] = len(replayed)
                lost_states.update(
                    {(direction, kind): sum(one[kind] for one in lost) for kind in LOST}
                )
        effects = Effects.of(players, [deals], [moved[0]], [its], again[0], again[1])
        effects.replayed, effects.lost = replayed_deals, lost_states
        found.append(effects)
    return found


def divergences_of(played: Sequence[PlayedDeal | None]) -> list[Divergence | None]:
    """Where one deal diverges from its play under the first rule set, under each of the others."""
    first = played[0]
    return [
        None if first is None or other is None else first_difference(first, other)
        for other in played[1:]
    ]


def role_of(played: PlayedDeal, seat: int) -> str | None:
    """Which of ROLES a seat had; None where the cards were redealt."""
    deal = played.deal
    if played.settlement is None or deal.contract is None:
        return None
    return "hombre" if seat == deal.hombre else "ally" if seat == deal.ally else "adversary"


def payment_difference(a: PlayedDeal, b: PlayedDeal) -> Fraction:
    """The sum over players of the absolute differences of what they gain in two plays of a deal,
    antes included."""
    nets = ([x - y for x, y in zip(p.net_of_chair, p.antes, strict=True)] for p in (a, b))
    return sum((abs(x - y) for x, y in zip(*nets, strict=True)), Fraction(0))


def count(total: SessionSums, played: PlayedDeal) -> None:
    """Add one deal to the sums of its session."""
    total.deals += 1
    total.pool_before += played.setup.pool
    moved = of_deal(played)
    total.moved = added(total.moved, moved)
    deal = played.deal
    for seat, chair in enumerate(played.chair_of_seat):
        net = played.settlement.net[seat] if played.settlement else Fraction(0)
        total.add(f"seat {seat}", net - played.antes[chair])
    if played.settlement is None or deal.contract is None:
        total.contracts["redealt"] += 1
        total.outcomes["redealt"] += 1
        return
    name = deal.contract.bid
    total.contracts[name] += 1
    total.outcomes[played.settlement.outcome] += 1
    total.by_contract[name, played.settlement.outcome] += 1
    if played.settlement.vole != "none":
        total.voles[played.settlement.vole] += 1
    for seat, net in enumerate(played.settlement.net):
        if (role := role_of(played, seat)) is not None:
            total.add(role, net)


def in_common(mine: Sequence[Any], theirs: Sequence[Any]) -> int:
    """How many items two lists have in common before the first that differs, or before one of them
    ends."""
    pairs = enumerate(zip(mine, theirs, strict=False))
    return next((n for n, (x, y) in pairs if x != y), min(len(mine), len(theirs)))


def first_difference(a: PlayedDeal, b: PlayedDeal) -> Divergence | None:
    """Where two plays of the same cards first differ: an event, else a payment; None when
    nowhere."""
    events = a.deal.events, b.deal.events
    at = in_common(*events)
    if at < min(map(len, events)):
        x, y = (e[at] for e in events)
        return Divergence("play" if "play" in (x.stage, y.stage) else "auction", x.text(), y.text())
    if at < max(map(len, events)):
        return Divergence(
            "play", *(e[at].text() if at < len(e) else "the deal is over" for e in events)
        )
    paid = [paid_texts(p.settlement, p.setup.players) for p in (a, b)]
    at = in_common(*paid)
    if at < max(map(len, paid)):
        return Divergence(
            "settlement", *(p[at] if at < len(p) else "no further payment" for p in paid)
        )
    return None


def paid_texts(settlement: Settlement | None, players: Sequence[str]) -> list[str]:
    """The payments of a deal in words, without what they are for: that may be named differently by
    other rules."""
    if settlement is None:
        return []
    return [
        f"{account_in_words(t.source, players)} pays {account_in_words(t.target, players)} "
        f"{t.amount}"
        for t in settlement.transfers
    ]


def account_in_words(seat: int, players: Sequence[str]) -> str:
    """A player by name, or an account that is nobody's."""
    return players[seat] if seat >= 0 else f"the {account_name(seat, tuple(players))}"


def example_of(
    divergence: Divergence, a: PlayedDeal, b: PlayedDeal, session: int, deal: int
) -> Example:
    """A deal that diverges, with its records under both rule sets, antes counted in its weight."""
    records = to_record(a.deal, a.settlement), to_record(b.deal, b.settlement)
    return Example(session, deal, payment_difference(a, b), divergence, records)


def replay_example(
    rulesets: Sequence[RuleSet],
    states: Sequence[SessionState],
    bots: Sequence[str],
    seed: int,
    session: int,
    deal: int,
) -> Example:
    """Replay one deal of a session under two rule sets, as an example of their divergence.

    Raises RuntimeError when they do not: whoever asks has seen them part.
    """
    a, b = play_again(rulesets, states, bots, seed, session, deal)
    divergence = first_difference(a, b)
    if divergence is None:
        raise RuntimeError(
            f"deal {deal} of session {session} does not diverge when it is played again"
        )
    kept: list[Example] = []
    _keep(kept, a, b, divergence)
    return kept[0]


def play_again(
    rulesets: Sequence[RuleSet],
    states: Sequence[SessionState],
    bots: Sequence[str],
    seed: int,
    session: int,
    deal: int,
) -> list[PlayedDeal]:
    """Replay one deal of a session under each rule set, without the players' balances."""
    return [
        play_from(ruleset, state, bots, seed=seed, session=session, deal=deal)
        for ruleset, state in zip(rulesets, states, strict=True)
    ]


def _keep(kept: list[Example], a: PlayedDeal, b: PlayedDeal, divergence: Divergence) -> None:
    """Keep the plainest deals of a session, by ``Example.ease``; ``kernel.accumulate`` keeps the
    same."""
    weight = sum(
        (abs(x - y) for x, y in zip(a.net_of_chair, b.net_of_chair, strict=True)), Fraction(0)
    )
    session, number, pools = a.setup.session or 0, a.setup.deal or 0, a.setup.pool + b.setup.pool
    if len(kept) == KEEP and (weight == 0, pools, session, number) >= kept[-1].ease():
        return
    records = tuple(to_record(p.deal, p.settlement) for p in (a, b))
    kept.append(Example(session, number, weight, divergence, (records[0], records[1]), pools))
    kept.sort(key=Example.ease)
    del kept[KEEP:]
