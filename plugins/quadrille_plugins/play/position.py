"""A position in the auction or the declaration, from what was said: the deal that hands are made up
for.

Nobody says at the table which cards the others hold.  The seat in turn holds the cards that are
given or, where none are, what its bid asks; every other seat what its own bids ask; the rest of the
pack is dealt in its order.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from quadrille_core.cards import PACK, Card, Suit, format_card, format_cards, rank
from quadrille_core.engine.actions import Action, parse_action, parse_bid
from quadrille_core.engine.amounts import table_stake
from quadrille_core.engine.auction import PASS, Auction, Ladder
from quadrille_core.engine.deal import DealSetup
from quadrille_core.engine.table import Deal
from quadrille_core.engine.terms import fixed_favourite, has_favourite
from quadrille_core.errors import QuadrilleError, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules
from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.values import seat_names

_ALONE: Final = ("pass", "invite", "yes", "no", "ask", "vole")
_WITH: Final = ("bid", "name", "trump", "call", "give")
_SPOKEN: Final = ("pass", "bid", "name")
_TAKEN_FIRST: Final = "AKQ"
"""Ranks that are dealt last to a hand that is not given in full: it is judged by what is given."""


@frozen
class Position:
    """A deal at the point that was described; ``supposed`` is what was taken for granted of the
    hands."""

    deal: Deal
    supposed: tuple[str, ...]


def heard(rules: Rules, text: str) -> tuple[Action, ...]:
    """What was said, from ``pass, alliance, trump hearts``; raises UsageError for a word that is no
    bid."""
    return tuple(_action(rules, word.strip()) for word in text.split(",") if word.strip())


def bid_of(rules: Rules, text: str) -> Action:
    """A bid as it is typed: ``solo``, ``bid solo``, ``solo+favourite``; raises NotationError where
    the rules have none."""
    return Action(
        "bid", bid=parse_bid(text.strip().removeprefix("bid ").strip(), rules, begins=True)
    )


def _action(rules: Rules, word: str) -> Action:
    kind, _, rest = word.partition(" ")
    if word in _ALONE and word not in rules.bids.names():
        return parse_action(word)
    if kind in _WITH and kind != "bid" and rest:
        return parse_action(word)
    return bid_of(rules, word)


def position(
    compiled: Compiled,
    said: Sequence[Action],
    asked: Action | None,
    *,
    hand: Sequence[Card] | None = None,
    favourite: Suit | None = None,
) -> Position:
    """The deal after all that was said.

    Raises UsageError for a hand or a favourite suit that the rules do not have or that is missing,
    IllegalActionError where something that was said could not be.
    """
    rules = compiled.rules
    favourite = _favourite(rules, (*said, *([asked] if asked else ())), favourite)
    size = rules.table.hand_cards
    if hand is not None and len(hand) > size:
        raise UsageError.of("hand-too-long", size=size, hand=len(hand))
    if asked is not None and asked.kind in ("call", "give") and len(hand or ()) != size:
        raise UsageError.of(
            "card-depends-on-hand",
            text="called" if asked.kind == "call" else "given",
            size=size,
        )
    failed: QuadrilleError | None = None
    found: list[Position] = []
    for holder in _holders(rules, said):
        try:
            made = _made(compiled, said, asked, hand, favourite, holder)
        except QuadrilleError as e:
            failed = failed or e
            continue
        if made is None:
            continue
        found.append(made)
        if made.deal.phase == ("auction" if asked is None or asked.kind in _SPOKEN else "declare"):
            return made
    if found:
        return found[0]
    if failed is not None:
        raise failed
    raise UsageError.of("all-pass-falls-on-another-hand")


def _favourite(rules: Rules, actions: Sequence[Action], given: Suit | None) -> Suit | None:
    fixed = fixed_favourite(rules)
    if given is not None and not has_favourite(rules):
        raise UsageError.of("no-favourite-source")
    if given is not None and fixed not in (None, given):
        raise UsageError.of("favourite-named-otherwise")
    suit = fixed if given is None else given
    wanted = suit is None and has_favourite(rules)
    if wanted and any(a.bid is not None and a.bid.favourite for a in actions):
        raise UsageError.of("favourite-of-session-wanted")
    return suit


def _holders(rules: Rules, said: Sequence[Action]) -> Iterator[int]:
    """Who may hold the card that falls on someone when all pass: whoever did not pass before those
    who did."""
    seats = range(rules.table.players)
    passed = {n for n, action in enumerate(said[: len(seats)]) if action.kind == "pass"}
    yield from (s for s in seats if s not in passed)
    yield from (s for s in seats if s in passed)


def _made(
    compiled: Compiled,
    said: Sequence[Action],
    asked: Action | None,
    hand: Sequence[Card] | None,
    favourite: Suit | None,
    holder: int,
) -> Position | None:
    """The deal where that seat holds the card that falls on someone when all pass; None where it
    cannot hold it."""
    rules = compiled.rules
    forced = rules.forced_bid()
    falls = forced[1].forced_on if forced is not None else None
    players = seat_names(rules.table.players)
    auction, wanted = _spoken(rules, said, favourite, falls, holder)
    mine = auction.turn
    if mine is None:
        mine = auction.standing[0] if auction.standing is not None else holder
    supposed: list[str] = []
    if hand is not None:
        _hold(wanted, mine, hand, players, whole=True)
    elif asked is not None and asked.bid is not None and asked.bid.bid in rules.bids.names():
        needs = rules.bids.of(asked.bid.bid).needs
        taken = {c for seat, cards in wanted.items() if seat != mine for c in cards}
        if needs and not taken.intersection(needs):
            _hold(wanted, mine, needs, players)
            supposed.append(f"{players[mine]} holds {format_cards(needs)}")
    if falls is not None:
        owner = next((s for s, cards in wanted.items() if falls in cards), None)
        full = hand is not None and holder == mine and len(hand) == rules.table.hand_cards
        if owner not in (None, holder) or (full and owner is None):
            return None
        if owner is None:
            wanted.setdefault(holder, []).append(falls)
    setup = DealSetup(
        hands=_dealt(rules, wanted),
        pool=Fraction(table_stake(rules)),
        favourite=favourite,
        players=players,
    )
    deal = Deal(compiled.ruleset, setup)
    for action in said:
        deal.apply(action)
    returns = (
        deal.turn is not None and (deal.turn, PASS) in deal.actions and deal.phase == "auction"
    )
    if (deal.forced or returns) and hand is None and falls is not None:
        supposed.append(f"{players[holder]} holds {format_card(falls)}")
    return Position(deal, tuple(supposed))


def _spoken(
    rules: Rules, said: Sequence[Action], favourite: Suit | None, falls: Card | None, holder: int
) -> tuple[Auction, dict[int, list[Card]]]:
    """The auction after what was said, by hands that nothing is refused to; and the cards that each
    one's bids ask."""
    hands = [
        [c for c in PACK if c != falls or seat == holder] for seat in range(rules.table.players)
    ]
    auction = Auction(Ladder(rules), hands, favourite)
    wanted: dict[int, list[Card]] = {}
    for action in said:
        if auction.turn is None or action.kind not in _SPOKEN or action not in auction.legal():
            break  # the deal itself says what is wrong, or goes on
        if action.bid is not None:
            _hold(wanted, auction.turn, rules.bids.of(action.bid.bid).needs, seat_names(len(hands)))
        auction.apply(action)
    return auction, wanted


def _hold(
    wanted: dict[int, list[Card]],
    seat: int,
    cards: Sequence[Card],
    players: Sequence[str],
    *,
    whole: bool = False,
) -> None:
    """Let a seat hold these cards, ``whole`` no others; raises UsageError where another seat must
    hold one of them."""
    for other, held in wanted.items():
        if other != seat and (both := set(held) & set(cards)):
            raise UsageError.of(
                "other-hand-holds-it",
                players=players[other],
                both=format_cards(sorted(both)),
                players2=players[seat],
            )
    if whole and (lacking := [c for c in wanted.get(seat, ()) if c not in cards]):
        raise UsageError.of(
            "hand-lacks-what-was-bid", players=players[seat], lacking=format_cards(lacking)
        )
    wanted[seat] = list(dict.fromkeys([*wanted.get(seat, ()), *cards]))


def _dealt(rules: Rules, wanted: dict[int, list[Card]]) -> tuple[tuple[Card, ...], ...]:
    """Whole hands: to each the cards that it is to hold, then the rest of the pack, low cards
    first."""
    taken = {c for cards in wanted.values() for c in cards}
    left = sorted((c for c in PACK if c not in taken), key=lambda c: (rank(c) in _TAKEN_FIRST, c))
    hands: list[tuple[Card, ...]] = [()] * rules.table.players
    for seat in sorted(range(rules.table.players), key=lambda s: s not in wanted):
        own = wanted.get(seat, [])
        more = rules.table.hand_cards - len(own)
        hands[seat] = tuple(sorted([*own, *left[:more]]))
        left = left[more:]
    return tuple(hands)
