"""Deals as ``seer`` imagines them: what it knows as arrays, and the kernel's answers about deals
that agree with it.

``seer.sample`` says what it knows and what it makes of it; here that is drawn from, many deals at a
time.  Amounts are whole numbers of ``1 / Imagined.parts`` counters: what it gets, its part in what
stays in the pool too.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from quadrille_core.cards import PACK, Card
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.deal_record import Names
from quadrille_core.rules import Rules, VoleLevel
from quadrille_core.stream import Stream
from quadrille_plugins.deal.view import View
from quadrille_plugins.kernel import lanes
from quadrille_plugins.kernel.record import number_of
from quadrille_plugins.kernel.slot import kernel_arguments
from quadrille_plugins.kernel.state import DEAL, LIMIT
from quadrille_plugins.kernel.tabulate import scale_of, specs_of
from quadrille_plugins.kernel.words import LEVEL
from quadrille_plugins.players.steady_features import MODES
from quadrille_plugins.players.steady_play import mask_of
from quadrille_plugins.players.steady_policy import policy_of
from quadrille_plugins.players.steady_value import Valuer
from quadrille_plugins.seer.sample import Knowledge, Opinion, call_context
from quadrille_plugins.seer.value import Game, Judge

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
DRAWS: Final = 4
"""Deals drawn for each that is kept, if anything tells them apart."""
UNLIKELY: Final = 1
"""How often a deal is halved for each card that ``steady`` would not have played on it."""
_KEPT: Final = 16


class Tables:
    """Rules as arrays for the kernel; ``arrays`` is None when payments cannot be exact there."""

    def __init__(self, rules: Rules) -> None:
        self.rules_of: Final = rules
        self.scale: Final = scale_of([rules])
        self.arrays: Final = kernel_arguments(policy_of, rules, Names(), self.scale)
        self.specs: Final = {spec: n for n, spec in enumerate(specs_of(rules))}
        self.bids: Final = {name: n for n, name in enumerate(rules.bids.names())}
        self.rows: Final = lanes.tabulate(rules.cards, rules.forcing)


_tables: dict[int, Tables] = {}


def tables_of(rules: Rules) -> Tables:
    """These rules as arrays, kept as long as few sets of rules are in use."""
    known = _tables.get(id(rules))
    if known is None or known.rules_of is not rules:
        if len(_tables) >= _KEPT:
            _tables.clear()
        known = _tables[id(rules)] = Tables(rules)
    return known


class Imagined:
    """Sampled deals consistent with a view, likelier ones preferred; a row of ``hands`` (pack
    masks) for each."""

    def __init__(self, view: View, valuer: Valuer, count: int, stream: Stream) -> None:
        from quadrille_plugins.seer import kernel_play as seer_play

        self.view: Final = view
        self.tables: Final = tables_of(view.rules)
        if self.tables.arrays is None:
            raise AssertionError("deals are imagined by arrays alone")
        self._arrays: Final = self.tables.arrays
        self.parts: Final = self.tables.scale * len(view.players)
        self._knowledge: Final = Knowledge(view)
        self._opinion: Final = Opinion(self._knowledge, valuer)
        self._row: Final[Words] = self.tables.rows[4 if view.trump is None else view.trump]
        self._game: Final[Any] = self._as_declared()
        cards = [c for trick in view.tricks for c in trick.cards]
        self._played: Final[Ints] = np.array([*cards, *view.trick], np.int64)
        self._gone: Final = self._by_seat([mask_of(cards) for cards in self._knowledge.played])
        self._facts: Final = self._as_facts()
        self._imagined: Final = np.zeros(1, seer_play.IMAGINED)[0]
        self._words: Final[Words] = np.zeros(seer_play.SEATS, np.uint64)
        self._made: Final[Ints] = np.zeros((count, seer_play.GAME), np.int64)
        self.hands: Final = self._drawn(count, stream)

    # --- what is known, as arrays
    #   --------------------------------------------------------------------

    def _by_seat(self, masks: Sequence[int]) -> Words:
        return np.array([*masks, *[0] * (5 - len(masks))], np.uint64)

    def _as_declared(self) -> Any:
        """The game at its first lead, as ``state.DEAL`` has it; at an auction or a declaration as
        it stands."""
        view, deal = self.view, np.zeros(1, DEAL)[0]
        known = {
            "hombre": view.hombre,
            "trump": view.trump,
            "called": view.called,
            "surrendered": view.surrendered,
            "given": view.given,
        }
        for field in (*known, "spec", "bid", "holder", "ally", "last", "standing", "standing_spec"):
            deal[field] = -1
        deal["forced"], deal["vole"] = view.forced, LEVEL.NONE
        # a pool that is no whole number of parts is only imagined a little smaller; one too large
        # settlement refuses
        deal["pool"] = min(int(view.pool * self.tables.scale), LIMIT)
        deal["times"] = view.multiplier
        deal["favourite"], deal["straight"] = -1 if view.favourite is None else view.favourite, 1
        spec, bid = view.contract, view.bid
        if spec is None or bid is None:
            return deal
        for field, value in known.items():
            deal[field] = -1 if value is None else value
        deal["spec"], deal["bid"] = self.tables.specs[spec], self.tables.bids[spec.bid]
        deal["invited"] = view.invited
        announced = view.vole == "announced" or (bid.is_vole and spec.vole == "none")
        deal["vole"] = LEVEL.ANNOUNCED if announced else number_of(VoleLevel, spec.vole)
        named = (
            bid.trump == "suit"
            and (bid.trump_by == "ally" or view.invited)
            and view.trump is not None
        )
        at_once = bid.ally_known == "at_once" or named
        deal["public"] = bid.partner == "called" and view.called is not None and at_once
        return deal

    def _as_facts(self) -> Ints:
        from quadrille_plugins.seer import kernel_play as of

        view, facts = self.view, np.zeros(of.FACTS, np.int64)
        bid, hombre, called = view.bid, view.hombre, view.called
        facts[of.F_ME], facts[of.F_VOLE], facts[of.F_UNLIKE] = (
            view.seat,
            view.vole == "undertaken",
            UNLIKELY,
        )
        if bid is None or hombre is None or called is None:
            return facts
        # who holds the called card knows the ally, and cannot tell by that whether the others do
        holds = (
            called in view.hand
            or called in self._knowledge.played[view.seat]
            or view.surrendered == view.seat
        )
        facts[of.F_PUBLIC] = bid.partner == "called" and view.alone is not None and not holds
        if not bid.exchange and hombre != view.seat:
            context = call_context(
                bid, view.hand, view.trump, view.favourite, view.contract, view.invited
            )
            facts[of.F_CALL_TELLS], facts[of.F_CALL_TRUMP] = (
                1,
                -1 if context.trump is None else context.trump,
            )
        return facts

    def _answers(self) -> Words:
        from quadrille_plugins.seer.kernel_draw import ANSWER

        word = [int(w) for w in self._row[lanes.WORD : lanes.WORD + 40]]
        refers, known = int(self._row[lanes.REFERENCES]), self._knowledge
        rows = [
            (
                a.seat,
                mask_of(known.played[a.seat][a.since :]),
                word[a.card],
                word[a.before[0]],
                max(word[a.before[0]], *(word[c] & refers for c in a.before)),
            )
            for a in known.answers
        ]
        return np.array(rows, np.uint64).reshape(len(rows), ANSWER)

    def _opinions(self) -> Ints:
        from quadrille_plugins.seer.kernel_draw import OPINION

        opinion = self._opinion
        rows = [
            (s, MODES.index(m), wanted, -1 if t is None else t, 1)
            for s, m, wanted, t in opinion.bids
        ]
        rows += [(s, MODES.index(m), wanted, -1, 0) for s, m, wanted in opinion.passes]
        return np.array(rows, np.int64).reshape(len(rows), OPINION)

    # --- drawing
    #   -------------------------------------------------------------------------------------

    def _drawn(self, count: int, stream: Stream) -> Words:
        from quadrille_plugins.seer import kernel_draw as seer_draw

        known = self._knowledge
        telling = self._opinion.speaks or len(self._played)
        hands, weights = self.weighed(count * DRAWS if telling else count, stream.word())
        if not len(hands):
            return np.array(
                [self._by_seat([mask_of(hand) for hand in known.draw(stream)])], np.uint64
            )
        if not telling:
            return hands
        chosen = np.zeros(min(count, len(hands)), np.int64)
        seer_draw.pick(np.uint64(stream.word()), weights, chosen)
        return hands[chosen]

    def weighed(self, many: int, state: int) -> tuple[Words, Ints]:
        """A sample of N weighted deals from a stream; fewer when not all are found."""
        from quadrille_plugins.seer import kernel_play as seer_play
        from quadrille_plugins.seer.kernel_draw import ROOM

        known, arrays = self._knowledge, self._arrays
        seats = known.seats
        hands, weights = np.zeros((many, 5), np.uint64), np.zeros(many, np.int64)
        room = np.array([*known.room, *[0] * (5 - seats)], np.int64)
        own = self._by_seat(
            [mask_of(self.view.hand) if s == self.view.seat else 0 for s in range(seats)]
        )
        found = seer_play.imagine(
            *arrays,
            np.uint64(state),
            np.array(known.unseen, np.int64),
            np.array([known.may[c] for c in known.unseen], np.int64),
            room,
            self._row,
            self._answers(),
            self._opinions(),
            self._game,
            self._played,
            self._facts,
            own,
            self._gone,
            hands,
            weights,
            self._imagined,
            np.zeros(ROOM, np.int64),
            self._words,
        )
        return hands[:found], weights[:found]

    # --- answers
    #   -------------------------------------------------------------------------------------

    def cards(self, cards: Sequence[Card | None]) -> Ints | None:
        """What each card brings on each deal if all go on as ``steady`` does (None: to end the
        play).

        None where it cannot be told in whole parts.
        """
        from quadrille_plugins.seer.kernel_play import play_out

        brought = np.zeros((len(self.hands), len(cards)), np.int64)
        exact = play_out(
            *self._arrays,
            self._game,
            self._played,
            self._facts,
            self._gone,
            self.hands,
            np.array([-1 if c is None else c for c in cards], np.int64),
            brought,
            self._made,
            self._imagined,
            self._words,
        )
        return brought if exact else None

    def bids(
        self,
        spoken: Sequence[tuple[int, BidSpec | None, int | None]],
        choices: Sequence[tuple[BidSpec | None, int | None]],
    ) -> Ints | None:
        """What each choice at an auction brings if all go on as ``steady`` does; the same of deals
        that allow it.

        A bid is None for a pass, and has the suit of the trumps that were named with it, if any.
        """
        from quadrille_plugins.seer.kernel_bids import SAID, bid_out

        def as_said(seat: int, spec: BidSpec | None, suit: int | None) -> tuple[int, int, int]:
            return (
                seat,
                -1 if spec is None else self.tables.specs[spec],
                -1 if suit is None else suit,
            )

        before = np.array([as_said(*said) for said in spoken], np.int64).reshape(len(spoken), SAID)
        now = np.array([as_said(self.view.seat, *choice) for choice in choices], np.int64)
        brought = np.zeros((len(self.hands), len(choices)), np.int64)
        told = np.zeros(0, np.int64)
        rows = bid_out(
            *self._arrays, self._game, before, now, self.hands, brought, self._imagined, told
        )
        return brought[:rows] if rows > 0 else None

    def ways(self, choices: Sequence[tuple[int, int]]) -> Ints | None:
        """What each way to declare brings (``seer.kernel_bids``), if all go on as ``steady``
        does."""
        from quadrille_plugins.seer.kernel_bids import declare_out

        brought = np.zeros((len(self.hands), len(choices)), np.int64)
        ways, me = np.array(choices, np.int64), self.view.seat
        told = (np.zeros(0, np.int64), self._words)
        exact = declare_out(
            *self._arrays, self._game, me, ways, self.hands, brought, self._imagined, *told
        )
        return brought if exact else None

    def as_cards(self, count: int) -> list[tuple[tuple[Card, ...], ...]]:
        """The hands of the first deals, as tuples of cards."""
        seats = range(len(self.view.players))
        return [
            tuple(tuple(c for c in PACK if int(row[s]) >> c & 1) for s in seats)
            for row in self.hands[:count]
        ]

    def solved(self, cards: Sequence[Card], count: int, judge: Judge) -> Ints:
        """What each card brings on each of the first deals if all see all and play as well as can
        be.

        To be asked after ``cards``, which finds what each deal makes of the game.
        """
        from quadrille_plugins.seer.kernel_play import G_ALLY
        from quadrille_plugins.seer.kernel_solve import solve_cards

        view, hands = self.view, self.hands[:count]
        spec, bid, hombre, trump = view.contract, view.bid, view.hombre, view.trump
        if spec is None or bid is None or hombre is None or trump is None:
            raise AssertionError("cards are played before the game is declared")
        made = np.zeros((len(hands), len(cards)), np.int64)
        games = self._made[: len(hands)]
        for ally in np.unique(games[:, G_ALLY]).tolist():
            which = np.nonzero(games[:, G_ALLY] == ally)[0]
            address = judge.ready(1 << hombre | (0 if ally < 0 else 1 << ally), trump, bid)
            solve_cards(
                address,
                self._row,
                hands,
                which,
                np.array(view.trick, np.int64),
                view.leader,
                view.seat,
                np.array(cards, np.int64),
                judge.enough(bid),
                made,
            )
        brought = np.zeros_like(made)
        for told in np.unique(games, axis=0):
            ally, held, against = told.tolist()
            game = Game(
                spec=spec,
                hombre=hombre,
                trump=trump,
                ally=None if ally < 0 else ally,
                surrendered=view.surrendered,
                matadors=held,
                against=against,
            ).at(
                view.won,
                straight=all(t.winner in (hombre, ally) for t in view.tricks),
                vole=view.vole,
            )
            here = (games == told).all(axis=1)
            for tricks in np.unique(made[here]).tolist():
                net = judge.worth(game, tricks)[view.seat] * self.parts
                brought[here[:, None] & (made == tricks)] = net.numerator // net.denominator
        return brought
