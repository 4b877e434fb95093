"""``seer``: imagines the hidden hands, plays and solves them, and does what is worth most by the
rules in force.

Nothing about any game is told it.  It draws hands that agree with all it has seen and heard
(``seer.sample``), and sees what each choice brings on each of them in two ways: played out,
everybody going on as ``steady`` does, and solved, everybody seeing all.  The rules' own settlement
says what that pays.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from quadrille_core.cards import NO_TRUMP, Card, Suit
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.auction import says_favourite
from quadrille_core.engine.ranking import matadors
from quadrille_core.engine.terms import asks_several, may_stop, plain_alliance, plain_solo
from quadrille_core.rules import Bid
from quadrille_core.stream import Stream
from quadrille_plugins.deal.view import View
from quadrille_plugins.players.steady import SteadyBot, valuer_of
from quadrille_plugins.players.steady_features import Mode
from quadrille_plugins.players.steady_play import BIT, mask_of
from quadrille_plugins.players.steady_value import Valuer, mode_of
from quadrille_plugins.seer.value import Game, Hands, Judge, solver

if TYPE_CHECKING:
    from quadrille_plugins.seer.deals import Imagined, Ints

SAMPLES: Final = 100
"""Deals imagined for a choice."""
SOLVED_BY_CARDS: Final = (0, 100, 100, 100, 60, 40, 0, 0, 0, 0, 0)
"""Of a hundred deals, those that are solved too, by the cards held: the more are held, the dearer
each is to solve, and the less the allies that it takes to see one another's cards are like those at
a table."""
SOLVED_FOR_VOLE: Final = 24
"""The same where the vole is to be decided upon."""
SURE_OF_A_BID: Final = Fraction(2)
"""By how many standard errors a bid must look better than what steady would do."""
SURE_OF_A_WAY: Final = Fraction(1)
"""The same for what is declared."""
SURE_OF_A_CARD: Final = Fraction(1)
"""The same for a card."""
LEAST_DEALS: Final = 10
"""A bid is not judged by fewer deals on which what was said could have been said."""
HOPELESS: Final = 250
"""Hundredths of a trick short of the game at which a bid is not looked into."""
HOPELESS_NONE: Final = 200
"""The score of a hand from which on a game of no tricks is not looked into."""


class SeerBot:
    """Plays by imagining hands that agree with what was seen; ``samples`` says how many."""

    name = "seer"

    def __init__(self, samples: int = SAMPLES) -> None:
        solver()  # without Numba this says what to install, before any card is dealt
        self.samples: Final = samples

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        """The action worth most on the mean of the deals imagined; of equals what ``steady`` would
        do.

        Under rules whose payments the kernel cannot tell in whole parts of a counter, or that pay
        by facts of the play beyond the number of tricks, or at which several cards are asked for,
        that is all it does.
        """
        if len(legal) == 1:
            return legal[0]
        from quadrille_plugins.seer.deals import tables_of

        plain = _STEADY.choose(view, legal, stream)
        if view.phase == "vole" and not view.tricks:
            return (
                plain  # before the first lead too little is known for what all would do who saw all
            )
        rules = view.rules
        if rules.own.recorded_facts() or asks_several(rules) or tables_of(rules).arrays is None:
            return plain
        mind = Decision(view, legal, stream, plain, self.samples)
        if view.phase == "play":
            return mind.play()
        if view.phase == "auction":
            return mind.auction()
        return mind.vole() if view.phase == "vole" else mind.declare()


_STEADY: Final = SteadyBot()


@dataclass(frozen=True, slots=True)
class Advantage:
    """The mean advantage of one action over another on sampled deals, and its squared standard
    error."""

    mean: Fraction
    error: Fraction

    @classmethod
    def of(cls, gains: Sequence[int | Fraction]) -> "Advantage":
        """From the gain on each deal."""
        many, total, squares = len(gains), Fraction(sum(gains)), Fraction(sum(g * g for g in gains))
        return cls(total / many, (many * squares - total * total) / many**3)


Brought = Mapping[Action, Sequence[int | Fraction]]
"""What each action brings on each of some deals."""


def better(looks: Sequence[Brought], plain: Action, sure: Fraction) -> Action:
    """The action that brings most, if the deals say so plainly enough; else what ``steady`` does.

    Each way of looking at it has deals of its own, the same for every action, and counts alike.
    """
    best, most = plain, Fraction(0)
    for action in looks[0]:
        if action == plain or plain not in looks[0]:
            continue
        gains = [
            Advantage.of([a - b for a, b in zip(look[action], look[plain], strict=True)])
            for look in looks
        ]
        mean = sum((g.mean for g in gains), Fraction(0)) / len(gains)
        error = sum((g.error for g in gains), Fraction(0)) / len(gains) ** 2
        if mean > most and mean**2 >= sure**2 * error:
            best, most = action, mean
    return best


def _columns(table: "Ints", actions: Sequence[Action]) -> Brought:
    """A table with a row for each deal and a column for each action."""
    return dict(zip(actions, table.T.tolist(), strict=True))


class Decision:
    """One decision."""

    def __init__(
        self, view: View, legal: Sequence[Action], stream: Stream, plain: Action, samples: int
    ) -> None:
        self.view: Final = view
        self.legal: Final = legal
        self.stream: Final = stream
        self.valuer: Final[Valuer] = valuer_of(view.rules)
        self.plain: Final = plain
        self.samples: Final = samples

    def _imagine(self, count: int) -> "Imagined":
        from quadrille_plugins.seer.deals import Imagined

        return Imagined(self.view, self.valuer, count, self.stream)

    # --- the auction
    #   -------------------------------------------------------------------------------

    def auction(self) -> Action:
        """The bid, or the pass, that brings most when the deals are bid and played out."""
        view = self.view
        choices = [(a, self.spec_of(a, len(view.auction))) for a in self.legal]
        choices = [
            (a, s)
            for a, s in choices
            if s is None or a == self.plain or not self._hopeless(s, a.suit)
        ]
        if len(choices) == 1:
            return self.plain
        spoken = [
            (seat, self.spec_of(a, turn), a.suit) for turn, (seat, a) in enumerate(view.auction)
        ]
        brought = self._imagine(self.samples).bids(spoken, [(s, a.suit) for a, s in choices])
        if brought is None or len(brought) < min(LEAST_DEALS, self.samples):
            return self.plain
        return better([_columns(brought, [a for a, _ in choices])], self.plain, SURE_OF_A_BID)

    def spec_of(self, action: Action, turn: int) -> BidSpec | None:
        """The bid of an action at that turn of the auction, or what naming trumps unasked amounts
        to."""
        if action.suit is None:
            return action.bid
        before = self.view.auction[:turn]
        left_alone = len(before) == len(self.view.players) - 1 and all(
            a.kind == "pass" for _, a in before
        )
        found = plain_alliance(self.view.rules) if left_alone else plain_solo(self.view.rules)
        if found is None:
            return None
        return BidSpec(found[0], says_favourite(found[1]) and action.suit == self.view.favourite)

    def _hopeless(self, spec: BidSpec, trump: Suit | None) -> bool:
        """Whether the hand is not worth a look for this bid."""
        bid = self.view.rules.bids.of(spec.bid)
        hand, mode = mask_of(self.view.hand), mode_of(bid)
        if bid.goal == "none":
            return self.valuer.score(mode, hand, NO_TRUMP) > HOPELESS_NONE
        suits = self.valuer.suits_for(spec, self.view.favourite) if trump is None else (trump,)
        return max(self._look(bid, hand, s, mode) for s in suits) < 100 * bid.tricks - HOPELESS

    def _look(self, bid: Bid, hand: int, trump: Suit, mode: Mode) -> int:
        """The tricks a hand looks worth at a glance, in hundredths."""
        if bid.exchange and mode == "alone":
            return self.valuer.after_exchange(hand, trump)
        return self.valuer.score(mode, hand, trump)

    # --- declaring
    #   ---------------------------------------------------------------------------------

    def declare(self) -> Action:
        """The way to declare that brings most when the deals are played out."""
        from quadrille_plugins.seer.kernel_bids import D_CALL, D_GIVE, D_INVITE, D_NAME

        what = {"trump": D_NAME, "call": D_CALL, "give": D_GIVE, "invite": D_INVITE}
        ways = [(what[a.kind], a.suit if a.suit is not None else a.card or 0) for a in self.legal]
        brought = self._imagine(self.samples).ways(ways)
        if brought is None:
            return self.plain
        return better([_columns(brought, self.legal)], self.plain, SURE_OF_A_WAY)

    # --- the vole
    #   ----------------------------------------------------------------------------------

    def vole(self) -> Action:
        """Going on for the vole, or stopping, by what the tricks to come would pay if all saw
        all."""
        judge, me = Judge(self.view), self.view.seat
        go = [a for a in self.legal if a.kind in ("vole", "yes", "ask")][-1:]
        actions = (*go, *(a for a in self.legal if a.kind in ("claim", "no")))
        gains: dict[Action, list[Fraction]] = {a: [] for a in actions}
        rules, bid = self.view.rules, self.view.bid
        ends = bid is not None and may_stop(rules, bid, len(self.view.tricks))
        imagined = self._imagine(min(self.samples, SOLVED_FOR_VOLE))
        for hands in imagined.as_cards(len(imagined.hands)):
            game = self._game(hands, judge)
            tricks = judge.tricks(hands, game, self.view.leader)
            for action in actions:
                if action in go:
                    paid = judge.worth(game.undertaken(), tricks, over=True)
                elif ends:
                    paid = judge.worth(game, 0, over=True)
                else:
                    paid = judge.worth(game, tricks)
                gains[action].append(paid[me])
        return better([gains], self.plain, SURE_OF_A_BID)

    def _game(self, hands: Hands, judge: Judge) -> Game:
        """The game being played, if the hands are these."""
        view = self.view
        spec, bid, hombre, trump = view.contract, view.bid, view.hombre, view.trump
        if spec is None or bid is None or hombre is None or trump is None:
            raise AssertionError("cards are played before the game is declared")
        began = [list(h) for h in hands]
        for leader, cards in (
            *((t.leader, t.cards) for t in view.tricks),
            (view.leader, view.trick),
        ):
            for place, card in enumerate(cards):
                began[(leader + place) % len(began)].append(card)
        ally = view.ally
        if bid.exchange and bid.partner == "called":
            ally = view.surrendered
        elif bid.partner == "called" and view.alone is None and view.called is not None:
            ally = next(s for s, h in enumerate(began) if view.called in h)
            ally = None if ally == hombre else ally
        game = judge.game(
            tuple(map(tuple, began)), spec, hombre, trump, ally=ally, surrendered=view.surrendered
        )
        side = (hombre, ally)
        return game.at(
            view.won, straight=all(t.winner in side for t in view.tricks), vole=view.vole
        )

    # --- cards
    #   -------------------------------------------------------------------------------------

    def play(self) -> Action:
        """The card that brings most, of those that are not as good as another; or the end of the
        play."""
        claim = [a for a in self.legal if a.kind == "claim"]
        candidates = list(self._candidates())
        if len(candidates) == 1 and not claim:
            return candidates[0]
        imagined = self._imagine(self.samples)
        cards = [a.card for a in candidates if a.card is not None]
        brought = imagined.cards([*cards, *(None for _ in claim)])
        if brought is None:
            return self.plain
        looks = [_columns(brought, [*candidates, *claim])]
        many = -(-len(brought) * SOLVED_BY_CARDS[len(self.view.hand)] // 100)
        if many and not claim:
            looks.append(_columns(imagined.solved(cards, many, Judge(self.view)), candidates))
        return better(looks, self.plain, SURE_OF_A_CARD)

    def _candidates(self) -> Iterator[Action]:
        """The legal cards without those equivalent to the next higher one held."""
        view, trump = self.view, self.view.trump
        if trump is None:
            raise AssertionError("cards are played before trumps are known")
        order = self.valuer.order(trump)
        cards = [(a, a.card) for a in self.legal if a.card is not None]
        mask, trick = mask_of([card for _, card in cards]), mask_of(view.trick)
        out = mask_of(view.hand) | trick
        for done in view.tricks:
            out |= mask_of(done.cards)
        marked: set[Card | None] = {*matadors(trump), view.called}
        for action, card in cards:
            above = order.higher[card] & mask
            if action != self.plain and above and card not in marked:
                nearest = next(c for c in reversed(order.down[order.suits[card]]) if above & BIT[c])
                between = order.higher[card] & ~order.higher[nearest] & ~BIT[nearest]
                # nothing that is still out, or wins the trick, stands between the two
                if nearest not in marked and not between & (~out | trick):
                    continue
            yield action
