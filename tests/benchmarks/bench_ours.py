"""What is measured of Quadrille: whole sessions, comparisons, and the solver."""

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from bench_measure import BenchSample, Side, one_by_one, whole
from quadrille_plugins.compare import study
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.solver.solve import Position, Solver
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.design import plan
from quadrille_plugins.studies.sessions import parts, side_by_side

from quadrille_core.cards import PACK, Card, Suit
from quadrille_core.engine.ranking import TRUMPS, ranking
from quadrille_core.rules import CardOrder, Forcing
from quadrille_core.ruleset import Compiled, compile_reference

STANDARD = CardOrder(red_plain_ace="below_knave", black_ponto="none")
FORCED = Forcing(renege="allowed", forced_by="led", among_several="any_trump")
"""The cards and the duty to follow of the solver's deals: every matador above the one led is
free."""
PROFILE = "quanti-1822"
RIVAL = "mediateur-1752"
SEED = 7


# --- sessions, comparisons


def sessions(deals: int, workers: int = 1, bot: str = "steady") -> Side:
    """This many deals in whole sessions by one player: auction, play, exact settlement, the pool
    carried over."""
    compiled = compile_reference(PROFILE)
    arrays, _ = fast.tabulate([compiled.ruleset], [bot])
    lengths = [40] * (deals // 40)
    each = -(-len(lengths) // workers)
    share = max(1, min(fast.BLOCK_DEALS // 40, each))

    def side(turn: int) -> BenchSample:
        def job() -> None:
            def played(start: int) -> int:
                room = fast.Workspace(share, 40)
                some = parts(start, lengths[start : start + each], room)
                return sum(side_by_side(arrays, turn, *part, 0)[0].deals for part in some)

            with ThreadPoolExecutor(workers) as pool:
                assert sum(pool.map(played, range(0, len(lengths), each))) == sum(lengths)

        return whole(sum(lengths), job)

    return side


def readable_sessions(deals: int) -> Side:
    """The same by the readable engine, one session."""
    ruleset = compile_reference(PROFILE).ruleset
    bots = [make_bot("steady")] * 4

    def side(turn: int) -> BenchSample:
        return whole(
            deals, lambda: list(play_session(ruleset, bots, seed=turn, session=0, deals=deals))
        )

    return side


def comparison(compiled: Sequence[Compiled], deals: int, engine: str) -> Side:
    """A comparison of N deals from compiled rules to everything that is reported; a unit is a
    deal compared."""

    def side(turn: int) -> BenchSample:
        design = plan(compiled, deals=deals, sessions=None, seed=turn, bots=("steady",))
        return whole(
            design.deals, lambda: study.compare(compiled, design, engine=engine, examples=0)
        )

    return side


def two_profiles() -> list[Compiled]:
    """The rule sets of the README's comparison."""
    return [compile_reference(r) for r in (PROFILE, RIVAL)]


def readings(most: int) -> list[Compiled]:
    """The profile as it stands and under its readings, one at a time."""
    base = compile_reference(PROFILE)
    found = [base]
    for state in base.points:
        for reading in state.point.readings:
            if reading.id != state.reading and len(found) < most:
                found.append(compile_reference(PROFILE, readings={state.point.id: reading.id}))
    return found


# --- the solver

WORTH = (4, 4, 4, 4, 4, 5, 6, 7, 8, 10, 11, 12)
"""What a trump is worth, the weakest first."""


def strength(hand: Sequence[Card], trump: Suit) -> int:
    """What a hand is worth to who would name these trumps: its trumps, its kings (with the queen),
    its short suits."""
    order = ranking(STANDARD, trump)
    ranked = sorted((c for c in PACK if order.suits[c] == trump), key=lambda c: order.strength[c])
    value = sum(
        WORTH[len(WORTH) - len(ranked) + ranked.index(c)] for c in hand if order.suits[c] == trump
    )
    for suit in TRUMPS:
        plain = sorted(
            (c for c in PACK if order.suits[c] == suit != trump), key=lambda c: order.strength[c]
        )
        if plain:
            held = [c for c in hand if c in plain]
            value += 4 * (plain[-1] in held) + 3 * (set(plain[-2:]) <= set(held)) + 2 * (not held)
    return value


def positions(kind: str, players: int, number: int, cards: int = 10) -> list[Position]:
    """Deals on which a side of so many players is asked about: ``random``, or ``worth bidding``.

    Of the latter the strongest hand of the table names its best trumps.
    """
    found = []
    for i in range(number):
        rng = random.Random(f"bench {kind} {i} {cards}")
        pack = list(PACK)
        rng.shuffle(pack)
        hands = tuple(tuple(pack[cards * s : cards * (s + 1)]) for s in range(4))
        trump, hombre = Suit(rng.randrange(4)), rng.randrange(4)
        if kind == "worth bidding":
            suits = [Suit(s) for s in range(4)]
            trump, hombre = max(
                ((t, s) for t in suits for s in range(4)), key=lambda x: strength(hands[x[1]], x[0])
            )
        side = 1 << hombre
        if players == 2:
            side |= 1 << (hombre + 1 + i % 3) % 4
        found.append(Position(STANDARD, FORCED, trump, hands, rng.randrange(4), side))
    return found


def solved(asked: Sequence[Position], need: int | None) -> Side:
    """Answer each position anew: how many tricks, or whether ``need``."""
    solver = Solver()

    def job(position: Position) -> Callable[[], object]:
        return lambda: solver.exact(position) if need is None else solver.at_least(position, need)

    jobs = [job(p) for p in asked]
    return lambda _: one_by_one(jobs, before=solver.forget)
