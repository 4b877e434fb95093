"""Play with all cards open, solved exactly: what a side makes when everybody plays as well as can
be.

Any rule set, four hands or five, any side, most tricks or fewest, from the first lead or in the
middle of a trick. A ``Solver`` owns its memory (10 MB): one for each thread; the search releases
the GIL.
"""

from copy import copy
from functools import cache
from typing import Final, Literal

import numpy as np

from quadrille_core.cards import NO_TRUMP, PACK, Card, Suit
from quadrille_core.frozen import frozen
from quadrille_core.rules import CardOrder, Forcing
from quadrille_plugins.kernel.follow import TRUMP, lane_of, legal_after
from quadrille_plugins.kernel.lanes import REFERENCES, WIDTH, WORD, Words, places, tabulate
from quadrille_plugins.solver.memory import (
    FEW_BITS,
    FEWEST,
    GENERATION,
    HANDS,
    MOVES,
    NODES,
    PATTERNS_MOST,
    PATTERNS_USED,
    ROW,
    SEATS,
    SIDE,
    SLOT_BITS,
    SLOTS,
    SLOTS_AT,
    SLOTS_USED,
    WORDS,
)
from quadrille_plugins.solver.search import search

_PACK: Final = frozenset(PACK)
Objective = Literal["most", "fewest"]


@frozen
class Position:
    """All hands, seat by seat from the eldest, and how far the trick has come.

    ``side`` is the mask of the players whose tricks are counted (bit ``s`` for seat ``s``);
    ``objective`` what they want, the others wanting the opposite.  ``trick`` are the cards played
    to the trick by ``leader`` and those after; each hand is without the card it has played.
    """

    order: CardOrder
    forcing: Forcing
    trump: Suit
    hands: tuple[tuple[Card, ...], ...]
    leader: int
    side: int
    objective: Objective = "most"
    trick: tuple[Card, ...] = ()

    @property
    def turn(self) -> int:
        """The seat in turn."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def tricks(self) -> int:
        """The tricks not yet complete."""
        return len(self.hands[self.turn])

    def fault(self) -> str:
        """What makes this no position; empty if nothing does."""
        seats = len(self.hands)
        if seats not in (4, 5):
            return f"{seats} hands: four or five play"
        if len(self.trick) >= seats:
            return f"{len(self.trick)} cards in a trick of {seats}"
        cards = set(self.trick).union(*self.hands)
        if len(cards) != len(self.trick) + sum(map(len, self.hands)) or not cards <= _PACK:
            return "a card is held twice or is none of the pack"
        if not 0 <= self.trump <= NO_TRUMP:
            return f"{self.trump} is neither a suit nor no trumps"
        if not 0 <= self.leader < seats or not 0 <= self.side < 1 << seats:
            return "the leader and the side must be of the players"
        held = [len(hand) for hand in self.hands]
        for k in range(len(self.trick)):
            held[(self.leader + k) % seats] += 1
        if held != [self.tricks] * seats:
            return "hands of unequal length"
        return (
            "" if 1 <= self.tricks <= 10 else f"{self.tricks} cards a hand: one to ten are played"
        )


@frozen
class _Table:
    """What a trump under given rules comes to: its row of ``kernel.lanes``, and each card's
    word."""

    row: Words
    bits: dict[Card, int]

    @staticmethod
    @cache
    def of(order: CardOrder, forcing: Forcing) -> "tuple[_Table, ...]":
        """The tables of all trumps."""
        rows = tabulate(order, forcing)
        return tuple(_Table(row, {c: int(row[WORD + c]) for c in PACK}) for row in rows)


class _Words:
    """A position as words of lanes, in which cards can be played."""

    __slots__ = ("hands", "leader", "position", "row", "trick")

    def __init__(self, position: Position, table: _Table) -> None:
        bit = table.bits.__getitem__
        self.position: Final = position
        self.row: Final = table.row
        self.hands = [sum(map(bit, hand)) for hand in position.hands]
        self.trick = list(map(bit, position.trick))
        self.leader = position.leader

    def copy(self) -> "_Words":
        """The same, to play on in."""
        other = copy(self)
        other.hands, other.trick = self.hands[:], self.trick[:]
        return other

    @property
    def turn(self) -> int:
        return (self.leader + len(self.trick)) % len(self.hands)

    def sound(self) -> bool:
        """Whether this is clearly a position before a first lead; ``Position.fault`` checks all
        others."""
        p = self.position
        lengths = set(map(len, p.hands))
        if p.trick or len(lengths) != 1:
            return False
        seats, tricks = len(p.hands), lengths.pop()
        # a card held twice carries into the next bit, and a bit is lost
        whole = sum(self.hands).bit_count() == seats * tricks
        return (
            whole
            and 4 <= seats <= 5
            and 1 <= tricks <= 10
            and 0 <= p.leader < seats
            and 0 <= p.side < 1 << seats
        )

    def best(self) -> tuple[int, int]:
        """The card that wins the trick so far, and who played it."""
        cover = int(lane_of(self.trick[0])) | int(TRUMP)
        at = max(range(len(self.trick)), key=lambda k: self.trick[k] & cover)
        return self.trick[at], (self.leader + at) % len(self.hands)

    def legal(self) -> list[int]:
        """The cards that may be played."""
        trick = np.array(self.trick or [0], np.uint64)
        word = int(legal_after(self.row, self.hands[self.turn], trick, len(self.trick)))
        return [1 << bit for bit in range(64) if word >> bit & 1]

    def play(self, card: int) -> int:
        """Play a card; 1 if it completes a trick that the counted side makes."""
        self.hands[self.turn] ^= card
        self.trick.append(card)
        if len(self.trick) < len(self.hands):
            return 0
        self.leader = self.best()[1]
        self.trick = []
        return self.position.side >> self.leader & 1


class Solver:
    """Answers questions about positions; keeps what it has proven for as long as rules, trumps and
    side stay the same.

    Answers do not depend on what was asked before; ``nodes`` does, and is otherwise the same on
    every machine. Every question raises ValueError where the position is none.
    """

    def __init__(self) -> None:
        self._memory: Final = np.zeros(WORDS + 8, np.uint64)
        start = -self._memory.ctypes.data // 8 % 8  # a line of the processor's cache is eight words
        self._block: Final = self._memory[start : start + WORDS]
        self._address: Final = int(self._block.ctypes.data)
        self._words: Final = self._block.data  # Python reads and writes it several times as fast
        self._held: tuple[object, ...] = ()
        self._rules: tuple[object, ...] = ()
        self._tables: tuple[_Table, ...] = ()

    @property
    def nodes(self) -> int:
        """Positions searched since this solver was made."""
        return self._words[NODES]

    def forget(self) -> None:
        """Drop what has been proven."""
        words = self._words
        words[GENERATION] += 1
        words[PATTERNS_USED] = 1
        words[SLOTS_USED] = 0
        words[SLOTS_AT] = SLOTS
        words[SLOT_BITS] = FEW_BITS

    def at_least(self, position: Position, need: int) -> bool:
        """Whether the side makes ``need`` or more of the tricks not yet complete."""
        return self._ask(self._begin(position), need)

    def exact(self, position: Position) -> int:
        """The tricks that the side makes of those not yet complete."""
        return self._exact(self._begin(position))

    def values(self, position: Position) -> dict[Card, int]:
        """For each card that the player in turn may play, what ``exact`` is once they have played
        it."""
        words = self._begin(position)
        card_at = {bit: Card(c) for c, bit in enumerate(places(position.order, position.trump))}
        return {card_at[c.bit_length() - 1]: self._value(words, c) for c in words.legal()}

    def line(self, position: Position) -> tuple[tuple[int, Card], ...]:
        """One best line of play to the end, as (seat, card); of equally good cards the one of
        lowest index."""
        words = self._begin(position)
        card_at = {bit: Card(c) for c, bit in enumerate(places(position.order, position.trump))}
        value = self._exact(words)
        out = []
        while words.hands[words.turn]:
            choices = sorted((card_at[c.bit_length() - 1], c) for c in words.legal())
            card, word = next(
                x for x in choices if len(choices) == 1 or self._value(words, x[1]) == value
            )
            out.append((words.turn, card))
            value -= words.play(word)
        return tuple(out)

    def _value(self, words: _Words, card: int) -> int:
        after = words.copy()
        return after.play(card) + self._exact(after)

    def _begin(self, position: Position) -> _Words:
        p = position
        tables = self._ready(p.order, p.forcing)
        try:
            words = _Words(p, tables[p.trump])
            sound = p.trump >= 0 and words.sound()
        except (KeyError, IndexError):  # no card of the pack, no trumps that there are
            sound = False
        fault = "" if sound else p.fault()
        if fault:
            raise ValueError(f"this is no position: {fault}")
        self.prepare(p.order, p.forcing, p.trump, len(p.hands), p.side, p.objective)
        return words

    def _ready(self, order: CardOrder, forcing: Forcing) -> tuple[_Table, ...]:
        """The tables of these rules, which are as a rule those of the question before."""
        if self._rules != (order, forcing):
            self._tables = _Table.of(order, forcing)
            self._rules = (order, forcing)
        return self._tables

    def prepare(
        self,
        order: CardOrder,
        forcing: Forcing,
        trump: Suit,
        seats: int,
        side: int,
        objective: Objective,
    ) -> int:
        """Make ready for these rules, this trump and this side; returns the address of the memory,
        for the kernel."""
        held = (order, forcing, trump, seats, side, objective)
        words = self._words
        if held != self._held or words[PATTERNS_USED] > PATTERNS_MOST // 2:
            self._block[ROW : ROW + WIDTH] = self._ready(order, forcing)[trump].row
            words[SEATS], words[SIDE], words[FEWEST] = seats, side, objective == "fewest"
            self._held = held
            self.forget()
        return self._address

    def _ask(self, words: _Words, need: int) -> bool:
        for seat, hand in enumerate(words.hands):
            self._words[seat] = hand
        if len(words.hands) < HANDS:
            self._words[len(words.hands)] = 0
        if not words.trick:
            return bool(search(self._address, MOVES, 0, words.leader, need, 0, 0, 0, 0, 0, 0) >> 63)
        table = sum(words.trick)
        best, by = words.best()
        judged_by = max(words.trick[0], table & int(words.row[REFERENCES]))
        if judged_by != words.trick[0]:
            judged_by = 1 << (judged_by.bit_length() - 1)
        place = len(words.trick)
        answer = search(
            self._address,
            MOVES,
            place,
            words.turn,
            need,
            words.trick[0],
            best,
            best,
            by,
            table,
            judged_by,
        )
        return bool(answer >> 63)

    def _exact(self, words: _Words) -> int:
        """Test a likely number first, then search on the side of the answer."""
        least, most = 0, words.hands[words.turn].bit_count()
        guess = self._guess(words.position, most)
        while least < most:
            guess = min(max(guess, least + 1), most)
            if self._ask(words, guess):
                least, guess = guess, guess + 1
            else:
                most, guess = guess - 1, guess - 1
        return least

    @staticmethod
    def _guess(position: Position, most: int) -> int:
        if position.objective == "fewest":
            return 1
        guess = 3 if position.side.bit_count() == 1 else 5
        return guess if guess <= most else (most + 1) // 2
