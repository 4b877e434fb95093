"""The cards before anyone speaks: shuffling, the packets they are dealt by, and the deal as a
value.

Hands are drawn by seat, so that the same seed gives the same hands under every rule set for as many
players; the physical pack is reconstructed from hands and packets when someone wants to lay it out.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from quadrille_core.cards import PACK, PACK_SIZE, Card, Suit, format_card
from quadrille_core.engine.amounts import table_stake
from quadrille_core.engine.past import Facts
from quadrille_core.errors import IllegalActionError, Problem, RecordError
from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.rules import Rules
from quadrille_core.stream import Purpose, Stream

PLAYERS: Final = (4, 5)
"""How many may sit down; the whole pack is dealt to them."""
NUMBERS: Final = {4: "four", 5: "five"}

Hands = tuple[tuple[Card, ...], ...]


@frozen_by_keyword
class DealSetup:
    """Everything that no action tells, by seat from the eldest (0) to the dealer.

    ``pool`` has this deal's antes in; ``multiplier`` says how many times the deal counts,
    ``beasts`` how many beasts stand.  ``before`` has the facts of the session (``engine.past``),
    none in its first deal and where the rules ask for none.  ``packets`` is empty
    where nobody recorded how the cards were dealt.  ``seed``, ``session`` and ``deal`` say where
    the deal was drawn from, if it was.
    """

    hands: Hands
    pool: Fraction
    multiplier: int = 1
    beasts: int = 0
    favourite: Suit | None = None
    players: tuple[str, ...] = ()
    """Their names; letters, where none are given."""
    packets: tuple[int, ...] = ()
    seed: int | None = None
    session: int | None = None
    deal: int | None = None
    before: Facts = ()
    incidents: tuple[tuple[str, int], ...] = ()
    """Irregularities that were reported of it, each with the seat of the offender."""

    def __post_init__(self) -> None:
        if not self.players:
            object.__setattr__(self, "players", names(len(self.hands)))


def names(players: int) -> tuple[str, ...]:
    """What players are called who have no names: A, B, C and so on."""
    return tuple("ABCDE"[:players])


def hand_size(players: int) -> int:
    """How many cards each player gets when N share the pack."""
    return PACK_SIZE // players


def shuffled_hands(seed: int, session: int, deal: int, rules: Rules) -> Hands:
    """The hands of a deal: one shuffle of the pack, cut by seat."""
    pack = list(PACK)
    Stream(seed, session, deal, Purpose.DEAL).shuffle(pack)
    size = rules.table.hand_cards
    return tuple(tuple(pack[s * size : (s + 1) * size]) for s in range(rules.table.players))


def drawn_packets(seed: int, session: int, deal: int, rules: Rules) -> tuple[int, ...]:
    """The sizes of the packets the dealer deals by, chosen among those the rules allow."""
    choices = rules.deal.packets
    return choices[Stream(seed, session, deal, Purpose.PACKETS).below(len(choices))]


def check_packets(rules: Rules, packets: Sequence[int]) -> None:
    """Raise IllegalActionError when the rules do not let a dealer deal by these packets."""
    if packets and tuple(packets) not in rules.deal.packets:
        allowed = "; ".join("-".join(map(str, p)) for p in rules.deal.packets)
        raise IllegalActionError.of(
            "no-such-packets", str="-".join(map(str, packets))[:40], allowed=allowed
        )


def hand_faults(hands: Sequence[Sequence[Card]], players: int) -> Iterator[Problem]:
    """What is wrong with the hands of N players: their number, their sizes, repeated cards."""
    size = hand_size(players)
    if len(hands) != players:
        data: dict[str, Any] = {"players": NUMBERS[players], "hands": len(hands)}
        yield Problem("Q703", "other-number-of-hands", data)
    for number, hand in enumerate(hands, 1):
        if len(hand) != size:
            data = {"number": number, "cards": len(hand), "size": size}
            yield Problem("Q703", "hand-of-other-size", data)
    seen: set[Card] = set()
    for hand in hands:
        for card in hand:
            if card in seen:
                yield Problem("Q703", "dealt-twice", {"card": format_card(card)})
        seen.update(hand)


def check_setup(rules: Rules, setup: DealSetup) -> None:
    """Raise when the setup is no deal at all, or none that these rules allow."""
    sitting, wanted = len(setup.players), rules.table.players
    if len(set(setup.players)) != sitting or sitting not in PLAYERS:
        raise RecordError.of("names-of-players-alike", numbers=NUMBERS[wanted])
    if faults := [*hand_faults(setup.hands, sitting)]:
        raise RecordError(faults)
    if sitting != wanted:
        raise IllegalActionError.of(
            "other-number-sits-down", numbers=NUMBERS[sitting], numbers2=NUMBERS[wanted]
        )
    if setup.pool < table_stake(rules):
        raise RecordError.of("pool-below-its-antes", pool=setup.pool)
    if setup.beasts < 0:
        raise RecordError.of("beasts-below-none", beasts=setup.beasts)
    if setup.multiplier < 1:
        raise RecordError.of("counts-below-one", multiplier=setup.multiplier)
    check_packets(rules, setup.packets)
