"""The auction: who may bid what, what overcalls what, and when it is over.

From the eldest on, each player passes, never to come back in, or bids above the standing bid.  A
player who bids and is overcalled has not passed and may bid higher in turn;
``auction.elder_may_raise`` says whether an elder may also match a younger hand's bid by priority,
and whether anything is taken from them.  The auction ends when nobody is left to speak against the
standing bid, or when all have passed.

Where ``auction.passed_may_return``, whoever holds the card that is played when all pass is asked
again after every bid made since they passed.  Where ``auction.unasked_trumps``, to name trumps is
to make the bid that it stands for, in favourite if the suit is.
"""

from collections.abc import Hashable, Sequence
from itertools import chain
from typing import Final

from quadrille_core.cards import Card, Suit, format_cards
from quadrille_core.engine.actions import Action, BidSpec, Refusal, not_none
from quadrille_core.engine.terms import plain_alliance, plain_solo, trump_limit, vole_level
from quadrille_core.rules import Bid, Rules, VoleLevel

PASS: Final = Action("pass")
NAME: Final = tuple(Action("name", suit=Suit(s)) for s in range(4))

_VOLES: Final[dict[str, tuple[VoleLevel, ...]]] = {
    "none": ("none",),
    "announced": ("none", "announced"),
    "announced_or_revealed": ("none", "announced", "revealed"),
}
_VOLE_STEP: Final = {"none": 0, "undertaken": 0, "announced": 1, "revealed": 2}

Level = tuple[bool, int, int, bool]


class Ladder:
    """Every bid that can be spoken in turn, lowest first, with its place; computed once for a rule
    set."""

    __slots__ = ("actions", "alliance", "bids", "levels", "returns_with", "rules", "solo")

    def __init__(self, rules: Rules) -> None:
        self.rules: Final = rules
        self.bids: Final = dict(rules.bids.items())
        self.levels: Final[dict[BidSpec, Level]] = {}
        for name, bid in rules.ladder():
            for vole in _VOLES[bid.vole_with_bid]:
                for in_favourite in (False, True) if says_favourite(bid) else (False,):
                    spec = BidSpec(name, in_favourite, vole)
                    self.levels[spec] = self._level(bid, spec)
        self.solo: Final = plain_solo(rules)
        self.alliance: Final = plain_alliance(rules)
        forced = rules.forced_bid()
        self.returns_with: Final = (
            forced[1].forced_on if forced and rules.auction.passed_may_return else None
        )
        self.actions: Final = tuple(
            Action("bid", bid=s) for s in sorted(self.levels, key=self.levels.__getitem__)
        )

    def _level(self, bid: Bid, spec: BidSpec) -> Level:
        """The place of a bid: a tuple that compares greater when it overcalls."""
        with_vole = vole_level(bid, spec.vole) != "none"
        above_all = with_vole and self.rules.auction.announced_vole_rank == "highest"
        in_favourite = spec.favourite and self.rules.favourite.overcalls
        return (above_all, bid.rank, _VOLE_STEP[spec.vole], in_favourite)


def plays_alone(bid: Bid) -> bool:
    """Whether Hombre plays this bid with their own cards alone: without an ally, and without a card
    from another."""
    return bid.partner == "none" and not bid.exchange


def says_favourite(bid: Bid) -> bool:
    """Whether this bid can be made in favourite by saying so."""
    return bid.in_favourite == "bid" and bid.trump == "suit"


def no_trumps(rules: Rules, spec: BidSpec, favourite: Suit | None) -> str | None:
    """The leaf of a plugin by which no suit is left that this bid may name; None where one is."""
    if not rules.own.records or (bid := rules.bids.of(spec.bid)).trump == "none":
        return None
    suits = [a.suit for a in NAME if a.suit is not None]
    if says_favourite(bid) and (spec.favourite or rules.favourite.plain_bid_binds):
        suits = [s for s in suits if (s == favourite) is spec.favourite]
    limits = [trump_limit(rules, spec.bid, s, favourite) for s in suits]
    return None if None in limits else limits[0]


class Auction:
    """The state of one auction."""

    def __init__(
        self, ladder: Ladder, hands: Sequence[Sequence[Card]], favourite: Suit | None
    ) -> None:
        self._ladder = ladder
        self._rules = ladder.rules
        self._hands = hands
        self._favourite = favourite
        self._out: set[int] = set()
        self._resting: set[int] = set()
        """Who has passed and will be asked again after the next bid."""
        self._last: dict[int, BidSpec] = {}
        """The last bid of each who has made one."""
        self.named: Suit | None = None
        """The trumps that the standing bid named without asking leave."""
        self.standing: tuple[int, BidSpec] | None = None
        """Who made the standing bid, and which."""
        self.spoken: list[tuple[int, Action]] = []
        """Every pass and bid so far, by seat."""
        self.turn: int | None = 0

    def copy(self) -> "Auction":
        """An independent copy of the auction."""
        other = Auction(self._ladder, self._hands, self._favourite)
        other._out, other._resting, other._last = (
            set(self._out),
            set(self._resting),
            dict(self._last),
        )
        other.named, other.standing, other.turn = self.named, self.standing, self.turn
        other.spoken = self.spoken[:]
        return other

    def prospect(self) -> Hashable:
        """What determines the rest: auctions over the same hands with equal prospects go on and end
        the same way."""
        how = self._rules.auction.elder_may_raise
        # of an earlier bid it matters whose it was, and where a bid with an ally has rights of its
        # own, which it was
        came = frozenset(
            s
            for s, b in self._last.items()
            if s not in self._out
            and (how == "by_priority" or (how in ("to_solo", "if_forced") and self._asked(b)))
        )
        return (
            self.turn,
            self.standing,
            self.named,
            frozenset(self._out),
            frozenset(self._resting),
            came,
        )

    def legal(self) -> tuple[Action, ...]:
        """Pass, then the bids that the player in turn may make, lowest first."""
        ladder = self._ladder
        bids = (a for a in ladder.actions if a.bid is not None and self.refusal(a.bid) is None)
        return (
            PASS,
            *bids,
            *(a for a in NAME if a.suit is not None and self.name_refusal(a.suit) is None),
        )

    def name_refusal(self, suit: Suit) -> Refusal | None:
        """Why the player in turn may not name these trumps without asking leave; None when they
        may."""
        if self._rules.auction.unasked_trumps == "barred":
            return Refusal("trumps are not named before leave is asked", "auction.unasked_trumps")
        spec = self._stands_for(suit)
        if spec is None:
            return Refusal("these rules have no game for it", "auction.unasked_trumps")
        if rule := trump_limit(self._rules, spec.bid, suit, self._favourite):
            return Refusal("this suit may not be trumps at the bid that it stands for", rule)
        return self.refusal(spec)

    def _stands_for(self, suit: Suit) -> BidSpec | None:
        """The bid that naming these trumps without asking amounts to."""
        # once a bid stands, its maker and whoever speaks are both in: all others can be out only
        # before any bid
        left_alone = len(self._out | self._resting) == len(self._hands) - 1
        found = self._ladder.alliance if left_alone else self._ladder.solo
        if found is None:
            return None
        return BidSpec(found[0], says_favourite(found[1]) and suit == self._favourite)

    def refusal(self, spec: BidSpec) -> Refusal | None:
        """Why the player in turn may not make this bid; None when they may."""
        bid = self._ladder.bids.get(spec.bid)
        where = f"bids.{spec.bid}"
        if bid is None:
            return Refusal(f"these rules have no bid {spec.bid}", "bids")
        if bid.made == "never":
            return Refusal("it is not played under these rules", f"{where}.made")
        if bid.made == "when_all_pass":
            return Refusal(
                "it falls on someone when all have passed and is never bid", f"{where}.made"
            )
        level = self._ladder.levels.get(spec)
        if level is None:
            if spec.favourite and not says_favourite(bid):
                return Refusal(
                    "this bid does not say whether it is in favourite", f"{where}.in_favourite"
                )
            return Refusal(
                f"the vole may not be {spec.vole} with this bid", f"{where}.vole_with_bid"
            )
        if spec.favourite and self._favourite is None:
            return Refusal("there is no favourite suit", "favourite.source")
        seat = not_none(self.turn)
        if bid.needs and not all(c in self._hands[seat] for c in bid.needs):
            return Refusal(f"the bidder must hold {format_cards(bid.needs)}", f"{where}.needs")
        if (barred := no_trumps(self._rules, spec, self._favourite)) is not None:
            return Refusal("there is no suit that may be trumps at this bid", barred)
        if self.standing is None:
            return None
        return self._may_not_play_alone(seat, bid) or self._not_above(seat, spec, level)

    def _asked(self, spec: BidSpec) -> bool:
        """Whether this bid was one with an ally."""
        return self._ladder.bids[spec.bid].partner == "called"

    def _may_not_play_alone(self, seat: int, bid: Bid) -> Refusal | None:
        """Why one who has bid with an ally and been overcalled may not now play alone."""
        before = self._last.get(seat)
        if (
            before is None
            or self._rules.auction.elder_may_raise != "if_forced"
            or not plays_alone(bid)
        ):
            return None
        if not self._asked(before) or plays_alone(
            self._ladder.bids[not_none(self.standing)[1].bid]
        ):
            return None
        return Refusal(
            "who has bid with an ally may play alone only when another would",
            "auction.elder_may_raise",
        )

    def _may_match(self, seat: int, spec: BidSpec) -> bool:
        """Whether the player in turn, an overcalled elder, has the standing bid by priority."""
        how, solo = self._rules.auction.elder_may_raise, self._ladder.solo
        if how == "by_priority":
            return True
        raised = solo is not None and spec.bid == solo[0] and spec.vole == "none"
        return how in ("to_solo", "if_forced") and raised and self._asked(self._last[seat])

    def _not_above(self, seat: int, spec: BidSpec, level: Level) -> Refusal | None:
        holder, standing = not_none(self.standing)
        against = self._ladder.levels[standing]
        if level > against:
            return None
        if level == against:
            rule = "auction.elder_may_raise"
            if seat not in self._last or holder in range(seat):
                return Refusal(f"{standing} stands already and only its elder may match it", rule)
            if self._may_match(seat, spec):
                return None
            if self._rules.auction.elder_may_raise in ("to_solo", "if_forced"):
                only = "only an alliance is raised by priority, and to a solo"
                return Refusal(f"{standing} stands already, and {only}", rule)
            return Refusal(f"{standing} stands already, and priority may not match it", rule)
        if spec.bid == standing.bid:
            rule = (
                "auction.announced_vole_rank"
                if spec.vole != standing.vole
                else "favourite.overcalls"
            )
        elif spec.vole != "none" or standing.vole != "none":
            rule = "auction.announced_vole_rank"
        else:
            rule = f"bids.{spec.bid}.rank"
        return Refusal(f"it does not overcall {standing}", rule)

    def apply(self, action: Action) -> None:
        """Pass or bid for the player in turn; the caller has made sure that it is legal."""
        seat = not_none(self.turn)
        self.spoken.append((seat, action))
        spec = self._stands_for(action.suit) if action.suit is not None else action.bid
        if spec is None:
            (self._resting if self._ladder.returns_with in self._hands[seat] else self._out).add(
                seat
            )
            self.turn = self._next(seat)
            return
        if self.standing is not None and self._rules.auction.elder_may_raise == "never":
            self._out.add(self.standing[0])
        self._resting.clear()
        self._last[seat] = spec
        self.named = action.suit
        self.standing = (seat, spec)
        closes = self._ladder.bids[spec.bid].closes_auction
        self.turn = None if closes else self._next(seat)

    def _next(self, seat: int) -> int | None:
        """The next player to the right who may still speak against the standing bid."""
        holder = None if self.standing is None else self.standing[0]
        for other in chain(range(seat + 1, len(self._hands)), range(seat)):
            if other not in self._out and other not in self._resting and other != holder:
                return other
        return None
