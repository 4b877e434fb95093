"""The peers: OpenSpiel's nearest games, played wholly in C++, and DDS, the double dummy solver of
Bridge.

OpenSpiel's games are started from Python and played on by ``evaluate_bots`` with uniformly random
bots, so that every later step, chance included, runs in C++.  DDS has a deck of forty cards, ten to
a hand, and one strain.
"""

import random
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from bench_measure import BenchSample, Side, one_by_one, whole

OH_HELL = "oh_hell(players=4,num_suits=4,num_cards_per_suit=11,num_tricks_fixed=10)"
TAROK = "tarok(players=4)"
RANKS = "23456789TJQKA"


def has_openspiel() -> bool:
    """Whether OpenSpiel is installed."""
    return find_spec("pyspiel") is not None


def has_dds() -> bool:
    """Whether DDS is installed, with endplay."""
    return find_spec("endplay") is not None


def _passing(state: Any) -> int | None:
    """Everybody passes, so that klop is played: all twelve tricks."""
    return state.legal_actions()[0] if str(state.current_game_phase()).endswith("BIDDING") else None


def _started(game: Any, forced: Callable[[Any], int | None] | None, rng: random.Random) -> Any:
    state = game.new_initial_state()
    while forced is not None:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            weights = [p for _, p in outcomes]
            state.apply_action(
                outcomes[0][0]
                if len(outcomes) == 1
                else rng.choices(outcomes, weights=weights)[0][0]
            )
            continue
        action = forced(state)
        if action is None:
            break
        state.apply_action(action)
    return state


def openspiel(name: str, hands: int) -> Side:
    """So many hands of a game at random; tarok's bidding is passed."""
    import pyspiel

    game = pyspiel.load_game(name)
    forced = _passing if name == TAROK else None
    bots = [pyspiel.make_uniform_random_bot(p, 1 + p) for p in range(game.num_players())]

    def side(turn: int) -> BenchSample:
        rng = random.Random(turn)

        def job() -> None:
            for i in range(hands):
                pyspiel.evaluate_bots(_started(game, forced, rng), bots, turn * hands + i)

        return whole(hands, job)

    return side


def dds(number: int, need: int | None, cards: int = 10) -> Side:
    """N deals in one suit: the most tricks of the side on lead, or whether it makes so
    many."""
    import endplay._dds as raw
    from endplay.dds import solve_board
    from endplay.dds.solve import SolveMode
    from endplay.types import Deal, Denom, Player

    raw._dll.SetMaxThreads(1)
    rng = random.Random(12345 + cards)
    deals = []
    for _ in range(number):
        deck = [(s, r) for s in "SHDC" for r in RANKS[-10:]]
        rng.shuffle(deck)
        hands = [deck[i * cards : (i + 1) * cards] for i in range(4)]
        deal = Deal("N:" + " ".join(_written(hand) for hand in hands))
        deal.trump, deal.first = Denom.spades, Player.west
        deals.append(deal)

    def job(deal: Any) -> Callable[[], object]:
        if need is None:
            return lambda: solve_board(deal, SolveMode.OptimalOne)
        return lambda: solve_board(deal, SolveMode.TargetOne, need)

    jobs = [job(d) for d in deals]
    return lambda _: one_by_one(jobs)


def _written(hand: list[tuple[str, str]]) -> str:
    return ".".join(
        "".join(sorted((r for s, r in hand if s == u), key=lambda r: -RANKS.index(r)))
        for u in "SHDC"
    )
