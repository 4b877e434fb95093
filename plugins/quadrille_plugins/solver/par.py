"""Par: what a deal is worth when all cards are seen and everybody bids for themselves.

The auction is the rules' own (``engine.auction``), and every way it can go is followed to its end,
where a contract is worth what it is solved to be worth (``solver``).  From the ends backwards each
player in turn takes what is worth most to themselves; of equals the first, so that a pass goes
before a bid, a lower bid before a higher.  A bid may well be made to be overcalled, or to keep
another out: all know what will follow.

What a player is worth at an end is their payment and an equal share of what stays in the pool, as
``steady`` reckons too (``players.steady_value``): what lies there is not lost, and each is as
likely as another to win it later.

Two ways to the same prospect (who is out, what stands, who may come back) go on alike; they are one
state here, and the states of one rule set are laid out once.  That is exact: nothing of the way
there is paid for.
"""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from math import lcm
from typing import Final, NamedTuple

from quadrille_core.cards import Card, Suit
from quadrille_core.engine.actions import Action, BidSpec, not_none
from quadrille_core.engine.auction import Auction, Ladder
from quadrille_core.engine.facts import forced_seat
from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules

MOST_STATES: Final = 400_000
"""An auction of more states than this is not laid out; those of all shipped rules have some
thousands at most."""

Worth = tuple[Fraction, ...]
"""What an end is worth, by seat."""


class Contract(NamedTuple):
    """The end of an auction: who is Hombre with which bid, and the trumps named with it."""

    hombre: int
    spec: BidSpec
    named: Suit | None = None
    forced: bool = False
    """Whether it fell on them because all had passed."""


class _State(NamedTuple):
    """One state of an auction; a choice leads to a state (its number) or an end (-1 - its
    number)."""

    turn: int
    actions: tuple[Action, ...]
    leads_to: tuple[int, ...]


@frozen
class AuctionTree:
    """The game tree of an auction: its states, each after its predecessors, and the ends (None: a
    new deal)."""

    states: tuple[_State, ...]
    ends: tuple[Contract | None, ...]


@frozen
class Par:
    """Where best bidding ends: the contract (None: all pass and the cards are dealt anew), what was
    spoken on the way, and what it is worth by seat."""

    contract: Contract | None
    spoken: tuple[tuple[int, Action], ...]
    worth: Worth


class Auctions:
    """The auction trees under one rule set, cached by all that they depend on."""

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self.ladder: Final = Ladder(rules)
        self._trees: dict[Hashable, AuctionTree] = {}

    def tree(self, hands: Sequence[Sequence[Card]], favourite: Suit | None) -> AuctionTree:
        """Every way the auction of this deal can go; raises UsageError where they are beyond
        counting."""
        needed = [bid.needs for _, bid in self.ladder.bids.items() if bid.needs]
        falls = forced_seat(self.rules, hands)
        held = (
            tuple(
                next((s for s, h in enumerate(hands) if set(cards) <= set(h)), None)
                for cards in needed
            ),
            falls,
        )
        key = favourite, held
        if key not in self._trees:
            self._trees[key] = self._lay_out(Auction(self.ladder, hands, favourite), held[1])
        return self._trees[key]

    def _lay_out(self, start: Auction, falls: int | None) -> AuctionTree:
        states: list[_State] = []
        ends: dict[Contract | None, int] = {}
        place: dict[Hashable, int] = {}

        def end(auction: Auction) -> int:
            if auction.standing is not None:
                contract: Contract | None = Contract(*auction.standing, auction.named)
            else:
                forced = self.rules.forced_bid()
                given = forced is not None and falls is not None
                contract = (
                    Contract(not_none(falls), BidSpec(not_none(forced)[0]), forced=True)
                    if given
                    else None
                )
            return -1 - ends.setdefault(contract, len(ends))

        # depth first without recursion: a state is numbered once all that it leads to are
        path: list[tuple[Auction, Hashable, tuple[Action, ...], list[int]]] = []
        path.append((start, start.prospect(), start.legal(), []))
        while path:
            auction, key, actions, leads_to = path[-1]
            if len(leads_to) == len(actions):
                path.pop()
                place[key] = len(states)
                states.append(_State(not_none(auction.turn), actions, tuple(leads_to)))
                if path:
                    path[-1][3].append(place[key])
                if len(states) > MOST_STATES:
                    raise UsageError.of("auction-too-large", most_states=MOST_STATES)
                continue
            after = auction.copy()
            after.apply(actions[len(leads_to)])
            if after.turn is None:
                leads_to.append(end(after))
                continue
            prospect = after.prospect()
            if prospect in place:
                leads_to.append(place[prospect])
            else:
                path.append((after, prospect, after.legal(), []))
        return AuctionTree(tuple(states), tuple(ends))


def outcomes(
    tree: AuctionTree, worth: Callable[[Contract | None], Worth]
) -> Callable[[int], Worth]:
    """What a state of the auction, or an end by its number below zero, is worth when all bid best
    from there on."""
    exact, reached, _ = _backwards(tree, worth)
    return lambda at: exact[-1 - at if at < 0 else reached[at]]


def _backwards(
    tree: AuctionTree, worth: Callable[[Contract | None], Worth]
) -> tuple[list[Worth], list[int], list[int]]:
    """What each end is worth, and of each state the end that it reaches and the choice that leads
    there."""
    exact = [worth(end) for end in tree.ends]
    scale = lcm(*(w.denominator for seats in exact for w in seats))
    paid = [tuple(int(w * scale) for w in seats) for seats in exact]
    reached: list[int] = []
    chosen: list[int] = []
    for turn, _, leads_to in tree.states:
        best, choice = -1, 0
        for n, to in enumerate(leads_to):
            end = -1 - to if to < 0 else reached[to]
            if best < 0 or paid[end][turn] > paid[best][turn]:
                best, choice = end, n
        reached.append(best)
        chosen.append(choice)
    return exact, reached, chosen


def par(tree: AuctionTree, worth: Callable[[Contract | None], Worth]) -> Par:
    """Backward induction over the course; ``worth`` says what an end is worth to each seat."""
    exact, _, chosen = _backwards(tree, worth)
    spoken = []
    at = len(tree.states) - 1
    while at >= 0:
        turn, actions, leads_to = tree.states[at]
        spoken.append((turn, actions[chosen[at]]))
        at = leads_to[chosen[at]]
    return Par(tree.ends[-1 - at], tuple(spoken), exact[-1 - at])
