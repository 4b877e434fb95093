"""Deals to show how a game is settled: the first that come from the pack, played by a bot and
settled by the engine."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from quadrille_core import vocabulary
from quadrille_core.cards import NO_TRUMP, SUITS, format_card, sign_card
from quadrille_core.engine.actions import Event
from quadrille_core.engine.amounts import table_stake
from quadrille_core.engine.ranking import ranking
from quadrille_core.engine.result import FUND, POOL, SCORE, VOLE_POOL, Transfer
from quadrille_core.engine.terms import cards_exchanged
from quadrille_core.frozen import frozen
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.players import BOTS, make_bot
from quadrille_plugins.deal.session import PlayedDeal, play_session
from quadrille_plugins.rulebook.book import Reader
from quadrille_plugins.rulebook.words import card, counters, quantity
from quadrille_plugins.settle.payments import Payment, group_payments
from quadrille_plugins.shell.values import capital, listed, reference

MOST: Final = 80
"""Deals looked at for an example of each kind."""
SEED: Final = 1
TITLES: Final = {"won": "A game won", "remise": "A remise", "codille": "A codille"}
_SEATS: Final = {
    4: ("the eldest hand", "the second hand", "the third hand", "the dealer"),
    5: ("the eldest hand", "the second hand", "the third hand", "the fourth hand", "the dealer"),
}
_POTS: Final = {
    POOL: "the pool",
    VOLE_POOL: "the vole’s pool",
    SCORE: "the score",
    FUND: "the fund",
}


@frozen
class Example:
    """A deal told in paragraphs, its payments, and the command that shows all of it."""

    title: str
    told: tuple[str, ...]
    payments: tuple[str, ...]
    command: str


def examples(compiled: Compiled) -> tuple[Example, ...]:
    """A game won, a remise and a codille, each with a payment between players if such a one comes;
    none without a bot.

    What does not come within ``MOST`` deals is left out; under rules by which nothing but a remise
    can be lost, the codille is.
    """
    names = [name for name, bot in BOTS.items() if not bot.solves]
    if not names:
        return ()
    bot = "steady" if "steady" in names else names[0]
    rules = compiled.rules
    bots = [make_bot(bot)] * rules.table.players
    played = [bid for _, bid in rules.bids.items() if rules.is_played(bid)]
    wanted = {"won", "remise"} | (
        {"codille"} if any(bid.lost_as != "remise" for bid in played) else set()
    )
    found: dict[str, tuple[int, PlayedDeal]] = {}
    for session in range(MOST):
        one = next(play_session(compiled.ruleset, bots, seed=SEED, session=session, deals=1))
        ended = one.settlement
        if ended is None:
            continue
        if ended.outcome not in found or (_rich(one) and not _rich(found[ended.outcome][1])):
            found[ended.outcome] = session, one
        if wanted <= set(found) and all(_rich(one) for _, one in found.values()):
            break
    return tuple(_told(compiled, *found[kind]) for kind in TITLES if kind in found)


def _rich(played: PlayedDeal) -> bool:
    """Whether a player pays another: something besides the pool is won or lost."""
    ended = played.settlement
    return ended is not None and any(t.source >= 0 and t.target >= 0 for t in ended.transfers)


def _told(compiled: Compiled, session: int, played: PlayedDeal) -> Example:
    deal, ended = played.deal, played.settlement
    result = deal.result()
    if ended is None or result is None or deal.hombre is None:
        raise ValueError("the deal was passed out")
    rules = compiled.rules
    r = Reader(vocabulary.dump(rules))
    who = _SEATS[rules.table.players]
    bid = rules.bids.of(result.contract)
    trump = "no trumps" if result.trump == NO_TRUMP else f"{SUITS[result.trump]} as trumps"
    favourite = (
        ", the favourite suit"
        if result.favourite is not None and result.favourite == result.trump
        else ""
    )
    told = []
    if table_stake(rules):
        told.append(f"There are {counters(r, result.pool)} in the pool{_unit(r, result.pool)}.")
    told.append(
        f"{capital(who[deal.hombre])} plays {bid.title} with {trump}{favourite}, holding "
        f"{_hand(played)}."
    )
    for event in deal.events:
        told += _event(event, who, several=cards_exchanged(bid) > 1)
    made = result.side_tricks()
    side = "the Hombre" if result.ally is None else "the two"
    tail = {"won": "and win", "remise": "which is a remise", "codille": "which is a codille"}[
        ended.outcome
    ]
    verb = "makes" if result.ally is None else "make"
    tail = "and wins" if tail == "and win" and result.ally is None else tail
    told.append(f"{capital(side)} {verb} {quantity(made, 'trick', 'tricks')}, {tail}.")
    lines = [*_payments(r, ended.transfers, who)]
    net = [
        f"{who[seat].removeprefix('the ')} {_signed(amount)}"
        for seat, amount in enumerate(ended.net)
    ]
    left = "" if r.points() else f"; {ended.pool_after} in the pool for the next deal"
    lines.append(f"In all: {', '.join(net)}{left}.")
    title = TITLES[ended.outcome]
    command = f"quadrille deal {reference(compiled.identity)} --seed {SEED} --session {session}"
    return Example(title, (" ".join(told),), tuple(lines), command)


def _unit(r: Reader, pool: Fraction) -> str:
    """How much a unit is while the pool holds that."""
    if r.points() or r.knows("stakes.unit_of") != "stake":
        return ""
    size = pool * r.amount("stakes.unit")
    return f", so that a unit is {counters(r, size)}" if size.denominator == 1 else ""


def _signed(amount: Fraction) -> str:
    return f"+{amount}" if amount > 0 else str(amount).replace("-", "−")


def _hand(played: PlayedDeal) -> str:
    """The Hombre's cards as dealt, trumps first."""
    deal = played.deal
    order = ranking(deal.rules.cards, deal.trump if deal.trump is not None else NO_TRUMP)
    cards = order.sorted(deal.setup.hands[deal.hombre or 0])
    return " ".join(sign_card(c) for c in cards)


def _event(event: Event, who: tuple[str, ...], *, several: bool) -> Iterator[str]:
    if event.seat is None:
        return
    if event.kind == "call":
        yield f"The call is {card(format_card(event.cards[0]))}."
    elif event.kind == "exchange":
        which = f"{capital(card(format_card(event.cards[0])))}" if several else "It"
        yield f"{which} is handed over in exchange for {card(format_card(event.cards[1]))}."
    elif event.kind == "ally":
        alone = event.note == "alone"
        yield (
            "It was the Hombre's own, who plays alone."
            if alone
            else f"Its holder, {who[event.seat]}, is the ally."
        )
    elif event.kind == "premiers":
        yield "The first tricks are won in a row: premiers."
    elif event.kind == "vole":
        yield "The vole is undertaken."
    elif event.kind == "claim":
        yield "The play is ended there."


def _payments(r: Reader, transfers: tuple[Transfer, ...], who: tuple[str, ...]) -> Iterator[str]:
    """A line for each payment, alike ones together."""
    names = {**dict(enumerate(who)), **_POTS}
    named = (Payment(names[t.source], names[t.target], t.amount, t.reason) for t in transfers)
    for one in group_payments(named):
        by, to, much = listed(one.payers), listed(one.payees), counters(r, one.amount)
        if len(one.payees) == 1:
            text = (
                f"{by} {'pay' if len(one.payers) > 1 else 'pays'} {to} "
                f"{much}{' each' * (len(one.payers) > 1)}"
            )
        elif len(one.payers) == 1:
            text = f"{by} pays {much} each to {to}"
        else:
            text = f"{by} each pay {much} to {to} each"
        yield f"{capital(text)}: {one.reason}."
