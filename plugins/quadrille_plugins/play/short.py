"""The short form of a game: one word that holds the whole deal, for an address or a note.

``q1.NAME.PAYLOAD``: the version; the rule set's reference where that alone names it (else nothing);
and, in the URL's base 64, what follows, each number as a varint:

====================
=========================================================================================
rules                 the first six bytes of the digest
players, seat         how many play, and the human seat
hands                 the deal of the pack, as its number among all deals of the pack to so many
players pool, multiplier …    pool, multiplier, beasts, favourite, packets; where the deal was drawn
from; the balances bots, names           where they are not the usual
actions               each as its number among the legal actions, mixed into one number
waiting               where beasts wait for later deals: how many, and the amount of each
check                 four bytes of SHA-256 over all that stands before
====================
=========================================================================================

The dealer is the last seat.  It is no secret: whoever reads the form can read all hands.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from math import comb
from typing import Final

from quadrille_core import resources
from quadrille_core.cards import PACK, PACK_SIZE, Card, Suit
from quadrille_core.engine.actions import Action
from quadrille_core.engine.deal import PLAYERS, DealSetup, Hands, hand_size, names
from quadrille_core.engine.result import name_fault
from quadrille_core.engine.table import Deal
from quadrille_core.errors import Phrase, QuadrilleError, RecordError
from quadrille_core.ruleset import Compiled
from quadrille_plugins.play.game import STEADY, Game, in_order_dealt, seated

VERSION: Final = "q1"
LONGEST: Final = 2000
"""No game has a longer short form."""
_MOST: Final = 1900
"""The longest payload, in characters."""
_FORM: Final = re.compile(
    rf"q(\d{{1,3}})\.([A-Za-z0-9@+:=,_-]{{0,200}})\.([A-Za-z0-9_-]{{8,{_MOST}}})"
)
_CHECK: Final = 4
_RULES: Final = 6
_AGAIN: Final = "copy it once more, whole: it begins with q1 and has two dots"


def short_form(game: Game) -> str:
    """The game as one word; raises RecordError where it would be longer than ``from_short``
    takes."""
    setup, identity = game.setup, game.compiled.identity
    alone = (
        identity.profile in resources.shipped_profiles()
        and not identity.readings
        and not identity.settings
    )
    name = identity.reference if alone else ""
    out = bytearray.fromhex(identity.digest[: 2 * _RULES])
    players = len(setup.hands)
    for number in (players, game.seat, _number_of(setup.hands)):
        _put(out, number)
    _put_amount(out, setup.pool)
    choices = game.compiled.ruleset.rules.deal.packets
    packets = 1 + choices.index(setup.packets) if setup.packets else 0
    favourite = 0 if setup.favourite is None else 1 + setup.favourite
    for number in (setup.multiplier, setup.beasts, favourite, packets):
        _put(out, number)
    for drawn in (setup.seed, setup.session, setup.deal):
        _put(out, 0 if drawn is None else drawn + 1)
    for balance in game.balances:
        _put_amount(out, balance)
    _put_text(out, "" if set(game.bots) == {STEADY} else ",".join(game.bots))
    _put_text(out, "" if setup.players == names(players) else "\n".join(setup.players))
    _put(out, len(game.actions))
    _put(out, _mixed(game))
    if game.waiting:
        _put(out, len(game.waiting))
        for beast in game.waiting:
            _put_amount(out, beast)
    head = f"{VERSION}.{name}."
    out += _check(head, out)
    text = head + urlsafe_b64encode(out).decode().rstrip("=")
    if len(text) > LONGEST or len(text) - len(head) > _MOST:
        raise RecordError("this game is too long for a short form", help=Phrase("save-as-record"))
    return text


def named_in(text: str) -> str:
    """The rule set's reference that stands in a short form; empty where only the digest does.

    Raises RecordError where the text is no whole short form.
    """
    return _opened(text)[0]


def digest_in(text: str) -> str:
    """The first digits of the digest of the rules of a short form."""
    return _opened(text)[1][:_RULES].hex()


def from_short(text: str, compiled: Compiled) -> Game:
    """The game of a short form under its rules.

    Raises RecordError where the form is damaged, or the rules are not those under which it was
    played.
    """
    _, data = _opened(text)
    made, now = data[:_RULES].hex(), compiled.identity.digest[: 2 * _RULES]
    if made != now:
        raise RecordError(
            f"the game was played under rules with digest {made}; {compiled.identity.reference} "
            f"has {now}",
            help="name the rules it was played under: the same file, witness, readings and "
            "settings",
        )
    reader = _Reader(data[_RULES:])
    try:
        return _read(reader, compiled)
    except (IndexError, ValueError, QuadrilleError) as e:
        raise RecordError("the short form is no game of these rules", help=_AGAIN) from e


def _read(reader: "_Reader", compiled: Compiled) -> Game:
    rules = compiled.ruleset.rules
    players, seat = reader.number(), reader.number()
    if players not in PLAYERS or players != rules.table.players or seat >= players:
        raise ValueError
    hands = _hands_of(reader.number(), players)
    pool = reader.amount()
    multiplier, beasts, favourite, packets = (reader.number() for _ in range(4))
    drawn = [n - 1 if n else None for n in (reader.number() for _ in range(3))]
    balances = tuple(reader.amount() for _ in range(players))
    bots, called = reader.text(), reader.text()
    seated_names = tuple(called.split("\n")) if called else names(players)
    if favourite > len("SHCD") or any(name_fault(n) for n in seated_names):
        raise ValueError
    setup = DealSetup(
        hands=hands,
        pool=pool,
        multiplier=multiplier,
        beasts=beasts,
        favourite=Suit(favourite - 1) if favourite else None,
        players=seated_names,
        packets=rules.deal.packets[packets - 1] if packets else (),
        seed=drawn[0],
        session=drawn[1],
        deal=drawn[2],
    )
    setup = replace(setup, hands=in_order_dealt(setup, rules))
    actions = _unmixed(compiled, setup, reader.number(), reader.number())
    waiting = tuple(reader.amount() for _ in range(reader.number())) if reader.left() else ()
    if reader.left() or len(waiting) > beasts:
        raise ValueError
    there = seated(bots.split(",") if bots else (STEADY,), players)
    return Game(compiled, setup, seat, there, balances, actions, waiting)


def _opened(text: str) -> tuple[str, bytes]:
    text = text.strip()
    found = _FORM.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        raise RecordError(f"{text[:40]!r} is no short form of a game", help=_AGAIN)
    if f"q{found[1]}" != VERSION:
        raise RecordError(
            f"the short form is of version {found[1]}, and this program reads version {VERSION[1:]}"
        )
    head = text[: found.start(3)]
    try:
        data = urlsafe_b64decode(found[3] + "=" * (-len(found[3]) % 4))
    except (Base64Error, ValueError):
        data = b""
    canonical = urlsafe_b64encode(data).decode().rstrip("=") == found[3]
    if (
        not canonical
        or len(data) <= _RULES + _CHECK
        or data[-_CHECK:] != _check(head, data[:-_CHECK])
    ):
        raise RecordError(
            "the short form was changed or is not whole: its check does not fit", help=_AGAIN
        )
    return found[2], data[:-_CHECK]


def _check(head: str, data: bytes | bytearray) -> bytes:
    return sha256(head.encode() + bytes(data)).digest()[:_CHECK]


# --- the deal of the pack ----------------------------------------------------------------------


def _number_of(hands: Hands) -> int:
    """The number of this deal among all: hand by hand, the number of its cards among those that are
    left."""
    left, number = list(PACK), 0
    for hand in hands:
        places = sorted(left.index(c) for c in hand)
        among = sum(comb(place, n) for n, place in enumerate(places, 1))
        number = number * comb(len(left), len(hand)) + among
        left = [c for c in left if c not in hand]
    return number


def _hands_of(number: int, players: int) -> Hands:
    size = hand_size(players)
    bounds = [comb(PACK_SIZE - n * size, size) for n in range(players)]
    among = []
    for bound in reversed(bounds):
        number, one = divmod(number, bound)
        among.append(one)
    if number:
        raise ValueError
    left, hands = list(PACK), []
    for rest in reversed(among):
        one = rest
        hand: list[Card] = []
        place = len(left)
        for n in range(size, 0, -1):
            place = next(p for p in range(place - 1, -1, -1) if comb(p, n) <= one)
            one -= comb(place, n)
            hand.append(left[place])
        hands.append(tuple(sorted(hand)))
        left = [c for c in left if c not in hand]
    return tuple(hands)


# --- the actions -------------------------------------------------------------------------------


def _walked(game: Game) -> list[tuple[int, int]]:
    """Of each action, its number among the legal ones, and how many these were."""
    deal, found = Deal(game.compiled.ruleset, game.setup), []
    for action in game.actions:
        legal = deal.legal()
        found.append((legal.index(action), len(legal)))
        deal.apply(action)
    return found


def _mixed(game: Game) -> int:
    number = 0
    for index, many in reversed(_walked(game)):
        number = number * many + index
    return number


def _unmixed(compiled: Compiled, setup: DealSetup, count: int, number: int) -> tuple[Action, ...]:
    deal, found = Deal(compiled.ruleset, setup), []
    for _ in range(count):
        legal = deal.legal()
        number, index = divmod(number, len(legal)) if legal else (0, 0)
        found.append(legal[index])
        deal.apply(legal[index])
    if number:
        raise ValueError
    return tuple(found)


# --- numbers -----------------------------------------------------------------------------------


def _put(out: bytearray, number: int) -> None:
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def _put_amount(out: bytearray, amount: Fraction) -> None:
    _put(out, 2 * amount.numerator if amount >= 0 else -2 * amount.numerator - 1)
    _put(out, amount.denominator - 1)


def _put_text(out: bytearray, text: str) -> None:
    data = text.encode()
    _put(out, len(data))
    out += data


class _Reader:
    """Reads numbers, amounts and texts one after another; raises IndexError past the end."""

    def __init__(self, data: Sequence[int]) -> None:
        self._data, self._at = bytes(data), 0

    def left(self) -> bool:
        return self._at < len(self._data)

    def number(self) -> int:
        number = shift = 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def amount(self) -> Fraction:
        above, below = self.number(), self.number() + 1
        return Fraction(-(above + 1) // 2 if above & 1 else above // 2, below)

    def text(self) -> str:
        size = self.number()
        if size > len(self._data) - self._at:
            raise IndexError
        self._at += size
        return self._data[self._at - size : self._at].decode()
