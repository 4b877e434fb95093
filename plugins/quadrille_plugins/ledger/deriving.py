"""From what a table says of a deal to every movement of counters: antes, then the settlement.

Where the sources are silent, what is decided here:

* A misdeal is dealt again by the same dealer (law 3: it costs the dealer nothing else).
  Nothing moves by it but what a plugin's law fines, for the antes on the table serve the new deal:
  they measure a unit, and no fine is paid out of them.
* A deal that all passed, where the rules deal anew, counts as a deal: its antes are put, the pool
  stands,
  and the deal passes on, as in the engine's sessions.
* A favourite suit that holds for the session is known from its first deal on; later results need
  not
  repeat it and may not contradict it.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from quadrille_core.cards import format_suit, parse_suit
from quadrille_core.engine.amounts import antes as antes_by_seat
from quadrille_core.engine.amounts import beasts_wait, counted, counts_beasts
from quadrille_core.engine.carry import (
    Carry,
    carried,
    carry_under,
    multiplier_of,
    refills_of,
    staked,
)
from quadrille_core.engine.facts import none_of
from quadrille_core.engine.result import FUND, Result, Settlement, Transfer
from quadrille_core.engine.result import POOL as ENGINE_POOL
from quadrille_core.engine.result import SCORE as ENGINE_SCORE
from quadrille_core.engine.result import VOLE_POOL as ENGINE_VOLE_POOL
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import in_points
from quadrille_core.engine.unplayed import fines
from quadrille_core.errors import NotationError, PlaceAt, Problem, ResultError, nowhere
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.ledger.hand import read_entry
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.schema import BOX, POOL, SCORE, VOLE_POOL
from quadrille_plugins.ledger.standing import BEASTS, REFILL, Movement, read_carry
from quadrille_plugins.settle.alone import alone_words
from quadrille_plugins.settle.player_names import composed_data
from quadrille_plugins.settle.result_file import facts_to_plain, read_incidents, read_result

NOT_STORED: Final = ("rules", "readings", "players", "pool", "multiplier", "beasts")
"""Keys of a result that the ledger knows better; when given they must agree with it."""


_FIXED_BY: Final = {"first_trumps": "trump", "drawn_each_session": "favourite"}
"""Where a session's favourite suit stands in a result, by where the rules have it from."""


@frozen
class DealStart:
    """What a deal starts from.

    Players are by seat, the eldest hand first; ``carry`` is what the deal before left;
    ``favourite`` is the suit in a word if the session has one by now; ``reference`` and
    ``readings`` name the rules.
    """

    accounts: tuple[int, ...]
    names: tuple[str, ...]
    carry: Carry
    favourite: str | None
    reference: str
    readings: Mapping[str, str]
    holdings: tuple[Fraction, ...] = ()
    """What each holds, where the box gives out more to whom a deal leaves with less than
    nothing."""
    out: str = ""
    """Who deals and does not play."""


@frozen
class Derived:
    """What a deal comes to: its outcome in words, every movement, what it leaves to the next."""

    outcome: str
    movements: tuple[Movement, ...]
    carry: Carry
    settlement: Settlement | None = None
    """As the engine settled it; None where nothing was played."""
    sources: tuple[str, ...] = ()
    """Where each movement of an entry by hand is from; elsewhere the rules cite it."""


def has_favourite(rules: Rules) -> bool:
    """Whether a session has one favourite suit, once it is known."""
    return rules.favourite.source in _FIXED_BY


def favourite_after(rules: Rules, before: str | None, fact: Fact) -> str | None:
    """The favourite suit of the session after one more deal; the first deal that fixes it fixes it
    for good."""
    key = _FIXED_BY.get(rules.favourite.source)
    if before is not None or key is None or fact.kind != "result":
        return before
    try:
        return _suit(fact.data.get(key))
    except NotationError:
        return None


def _suit(word: Any) -> str | None:
    """A suit in one spelling; None where none is told.  Raises NotationError."""
    return format_suit(parse_suit(word)) if isinstance(word, str) and word != "none" else None


def antes(rules: Rules, situation: DealStart) -> tuple[Movement, ...]:
    """What is put into the pool before a deal."""
    dealer, adds = situation.accounts[-1], rules.stakes.dealer_adds
    *others, dealers = antes_by_seat(rules.stakes, len(situation.accounts))
    put = [
        Movement(p, POOL, Fraction(amount), "ante", "stakes.ante")
        for p, amount in zip(situation.accounts, (*others, dealers - adds), strict=True)
        if amount
    ]
    if adds:
        put.append(
            Movement(
                dealer, POOL, Fraction(adds), "put in besides by the dealer", "stakes.dealer_adds"
            )
        )
    return tuple(put)


def derive(rules: Rules, situation: DealStart, fact: Fact, place: PlaceAt = nowhere) -> Derived:
    """Every movement of a deal; raises ResultError with every fault of a result that cannot have
    been."""
    if fact.kind == "void":
        outcome = f"dealt again: {fact.note}" if fact.note else "dealt again"
        paid = _fines(rules, situation, fact, situation.carry.pool, place)
        carry = replace(situation.carry, pool=situation.carry.pool + _into_pool(paid))
        return Derived(outcome, _with_refills(rules, situation, paid), carry)
    if fact.kind == "reversed":
        return Derived("taken back", (), situation.carry)
    if fact.kind == "entry":
        return _by_hand(rules, situation, fact, place)
    put = antes(rules, situation)
    if fact.kind == "passed":
        if not rules.is_dealt_anew():
            forced = rules.forced_bid()
            name = forced[1].title if forced else "a forced bid"
            raise ResultError.of("never-dealt-anew", name=name)
        paid = _fines(rules, situation, fact, staked(rules, situation.carry), place)
        carry = carried(rules, situation.carry, None)
        return Derived(
            "all passed",
            _with_refills(rules, situation, (*put, *paid)),
            replace(carry, pool=carry.pool + _into_pool(paid)),
        )
    result = result_of(rules, situation, composed_data(fact.data), place)
    settlement = settle(rules, result)
    if drawn := next((t.rule for t in settlement.transfers if t.source == FUND), ""):
        raise ResultError.of("deal-draws-on-fund", drawn=drawn)
    paid = _moved(situation, settlement.transfers)
    bid = rules.bids.of(result.contract)
    ally = (
        alone_words(bid, result.ally)
        if result.ally is None
        else f" with {situation.names[result.ally]}"
    )
    outcome = f"{bid.title} by {situation.names[result.hombre]}{ally}: {settlement.outcome}"
    if settlement.vole != "none":
        outcome += f", vole {settlement.vole}"
    outcome = counted(outcome, result.multiplier)
    if settlement.lapsed:
        outcome += (
            f"; not claimed in time: {', '.join(lapse.reason for lapse in settlement.lapsed)}"
        )
    movements = _with_refills(rules, situation, (*put, *paid))
    return Derived(
        outcome, movements, carried(rules, situation.carry, settlement, result), settlement
    )


def _by_hand(rules: Rules, situation: DealStart, fact: Fact, place: PlaceAt) -> Derived:
    """What an entry by hand moves; a beast that a law orders counts as one by the rules.

    Raises ResultError for names that no account has, for amounts that are none, and for a pool that
    holds too little.
    """
    unowned = {"score": SCORE} if in_points(rules) else {"pool": POOL}
    accounts = unowned | dict(zip(situation.names, situation.accounts, strict=True))
    entered = tuple(read_entry(fact.data, accounts, place))
    movements = tuple(m for m, _ in entered)
    carry, into = situation.carry, _into_pool(movements)
    if "carry" in fact.data:  # left by another ledger
        carry = carry_under(rules, read_carry(json.dumps({"carry": fact.data["carry"]})))
        into -= sum(carry.waiting, Fraction(0))
    elif carry.pool + into < 0:
        held = plain_amount(carry.pool)
        raise ResultError.of("pool-holds-too-little", held=held, asked=plain_amount(-into))
    for m in movements:
        if m.payee == POOL and m.rule in BEASTS and counts_beasts(rules):
            if not beasts_wait(rules):
                carry = replace(carry, standing=carry.standing + 1)
                continue
            waiting = tuple(sorted((*carry.waiting, m.amount), reverse=True))
            carry, into = replace(carry, waiting=waiting), into - m.amount
            if not carry.standing:
                into += waiting[0]
                carry = replace(carry, standing=1, waiting=waiting[1:])
    carry = replace(carry, pool=situation.carry.pool + into)
    outcome = fact.note + (f" ({fact.data['by']})" if "by" in fact.data else "")
    return Derived(outcome, movements, carry, sources=tuple(source for _, source in entered))


def _moved(situation: DealStart, transfers: Iterable[Transfer]) -> tuple[Movement, ...]:
    """Payments of the engine as movements between accounts."""
    unowned = {ENGINE_POOL: POOL, ENGINE_VOLE_POOL: VOLE_POOL, ENGINE_SCORE: SCORE}
    accounts = unowned | dict(enumerate(situation.accounts))
    return tuple(
        Movement(accounts[t.source], accounts[t.target], t.amount, t.reason, t.rule)
        for t in transfers
    )


def _fines(
    rules: Rules, situation: DealStart, fact: Fact, held: Fraction, place: PlaceAt
) -> tuple[Movement, ...]:
    """What is paid for incidents of a deal that nobody played, by a pool that holds so much."""
    incidents = read_incidents(fact.data, rules, situation.names, place=place)
    carry = situation.carry
    paid = fines(
        rules,
        situation.names,
        incidents,
        staked=staked(rules, carry),
        held=held,
        times=multiplier_of(rules, carry),
    )
    return _moved(situation, paid)


def _into_pool(movements: Iterable[Movement]) -> Fraction:
    return sum((m.amount * ((m.payee == POOL) - (m.payer == POOL)) for m in movements), Fraction(0))


def _with_refills(
    rules: Rules, situation: DealStart, movements: tuple[Movement, ...]
) -> tuple[Movement, ...]:
    """The movements of a deal, and after them the purses that the box then gives out."""
    if not situation.holdings:
        return movements
    held = dict(zip(situation.accounts, situation.holdings, strict=True))
    for m in movements:
        for account, amount in ((m.payer, -m.amount), (m.payee, m.amount)):
            if account in held:
                held[account] += amount
    refills = zip(held, refills_of(rules, tuple(held.values())), strict=True)
    return (
        *movements,
        *(Movement(BOX, a, amount, "another purse", REFILL) for a, amount in refills if amount),
    )


def result_of(
    rules: Rules, situation: DealStart, data: Mapping[str, Any], place: PlaceAt = nowhere
) -> Result:
    """The result as the engine takes it, with what the ledger knows; raises ResultError with every
    fault."""
    pool, times = staked(rules, situation.carry), multiplier_of(rules, situation.carry)
    whole = {k: v for k, v in data.items() if k not in NOT_STORED}
    whole["players"] = list(situation.names)
    # The reader limits the digits of a pool, which a ledger's may outgrow; any pool is as possible
    # as another.
    whole["pool"] = math.ceil(min(pool, Fraction(10**15)))
    problems = list(_disagreements(rules, situation, data, place))
    if known := dict(_session_facts(rules, situation)):
        whole["facts"] = {**whole.get("facts", {}), **known}
    if whole.get("favourite") is None and situation.favourite is not None:
        whole["favourite"] = situation.favourite
    try:
        result = read_result(whole, rules, place=place)
    except ResultError as e:
        raise ResultError([*problems, *e.problems]) from None
    if problems:
        raise ResultError(problems)
    beasts = situation.carry.beasts if counts_beasts(rules) else 0
    return replace(result, pool=pool, multiplier=times, beasts=beasts)


def _session_facts(rules: Rules, situation: DealStart) -> Iterator[tuple[str, Any]]:
    """The facts of the session that the rules ask for, as a result has them; none are known of a
    deal that belongs to no session."""
    if not situation.reference:
        return
    told = dict(situation.carry.past.before(situation.names))
    seats = len(situation.names)
    names = (n for n in rules.own.recorded_facts() if n in rules.own.session_facts())
    asked = ((n, told.get(n, none_of(rules.own.fact(n), seats))) for n in names)
    yield from facts_to_plain(tuple(asked), situation.names).items()


def _disagreements(
    rules: Rules, situation: DealStart, data: Mapping[str, Any], place: PlaceAt
) -> Iterator[Problem]:
    """Where the result contradicts the ledger."""
    pool = plain_amount(staked(rules, situation.carry))
    times, stand = multiplier_of(rules, situation.carry), situation.carry.beasts
    seated, readings = list(situation.names), situation.readings
    suit = situation.favourite
    its_favourite = "no-favourite-yet" if suit is None else "favourite-of-the-session"
    known: tuple[tuple[str, tuple[Any, ...], str, object], ...] = (
        ("rules", (situation.reference,), "rules-of-the-session", situation.reference),
        ("readings", ({}, readings), "readings-of-the-session", None),
        ("players", (seated,), "players-of-the-deal", seated),
        ("pool", (pool, str(pool)), "pool-by-the-ledger", pool),
        ("multiplier", (times,), "multiplier-by-the-ledger", times),
        ("beasts", (stand,), "beasts-by-the-ledger", stand),
        ("favourite", _favourites(rules, situation, data), its_favourite, suit),
    )
    given: Any = data.get("facts")
    for name, value in _session_facts(rules, situation) if isinstance(given, Mapping) else ():
        if _some(given.get(name, value)) != _some(value):
            counts = value.items() if isinstance(value, Mapping) else ()
            said = [f"{many} of {who}" for who, many in counts] or value or 0
            data_of = {"key": name, "value": said}
            yield Problem("Q701", "fact-by-the-ledger", data_of, place(("facts", name)))
    for key, right, variant, value in known:
        if data.get(key) not in (None, *right):
            yield Problem("Q701", variant, {"key": key, "value": value}, place((key,)))


def _some(told: Any) -> Any:
    """A fact without those who have none of it."""
    return {who: n for who, n in told.items() if n != 0} if isinstance(told, Mapping) else told


def _favourites(rules: Rules, situation: DealStart, data: Mapping[str, Any]) -> tuple[Any, ...]:
    """What may be said of the favourite suit; whatever is no suit is left to the reader."""
    suit, source = data.get("favourite"), rules.favourite.source
    try:
        word = _suit(suit)
    except NotationError:
        return (suit,)
    free = situation.favourite is None and source != "first_trumps"
    right = word in (None, situation.favourite) or source not in _FIXED_BY or free
    return (suit,) if right else ()
