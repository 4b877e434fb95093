"""Entries by hand: fines, loans, gifts to the pool, what a law orders or another ledger leaves."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import PurePath
from typing import Any, Final

from quadrille_core.engine.terms import in_points
from quadrille_core.errors import PlaceAt, Problem, ResultError, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.vocabulary import MismatchError, parse_amount, plain_amount
from quadrille_plugins.ledger.frozen import FrozenRules
from quadrille_plugins.ledger.journal import Fact, Journal
from quadrille_plugins.ledger.standing import BY_HAND, LOAN, TAKEN_OVER, Movement
from quadrille_plugins.settle.answers import player_named
from quadrille_plugins.settle.player_names import composed

AGREED: Final = "agreed at the table"
_MOST: Final = 10**12
_LONGEST: Final = 40
_TEXTS: Final = ("reason", "rule", "source")


def read_entry(
    data: Mapping[str, Any], accounts: Mapping[str, int], place: PlaceAt
) -> Iterator[tuple[Movement, str]]:
    """What each transfer of an entry moves, and where it is from; raises ResultError where one of
    them cannot be."""
    for at, told in enumerate(data.get("transfers", ())):
        payer, payee = (_account(told[end], accounts, place, at, end) for end in ("from", "to"))
        amount = amount_of(told["amount"])
        if payer == payee:
            raise ResultError.of("pays-themselves", name=told["from"])
        reason, rule, source = (str(told[key]) for key in _TEXTS)
        yield Movement(payer, payee, amount, reason, rule), source


def _account(name: Any, accounts: Mapping[str, int], place: PlaceAt, at: int, end: str) -> int:
    if name not in accounts:
        where = place(("transfers", at, end))
        raise ResultError([Problem("Q204", "no-account-of-that-name", {"name": name}, where)])
    return accounts[name]


def amount_of(told: Any) -> Fraction:
    """An amount of counters, a whole number or a fraction such as ``1/2``; raises ResultError for
    what is none, or not between nothing and a million millions."""
    try:
        amount = parse_amount(told if len(str(told)) < _LONGEST else "")
    except MismatchError:
        amount = Fraction(0)
    if not 0 < amount <= _MOST or amount.denominator > _MOST:
        raise ResultError.of("no-amount-to-enter", told=str(told)[:40])
    return amount


def transfer(
    payer: str, payee: str, amount: Fraction, reason: str, *, rule: str = BY_HAND, source: str = ""
) -> dict[str, Any]:
    """A transfer as an entry keeps it."""
    return {
        "from": payer,
        "to": payee,
        "amount": plain_amount(amount),
        "reason": reason,
        "rule": rule,
        "source": source or AGREED,
    }


def entry_of(
    transfers: list[dict[str, Any]], note: str, by: str = "", orders: Sequence[str] = ()
) -> Fact:
    """An entry by hand of these transfers, for this reason, because of whom, and all that a law
    orders."""
    more = {"by": by, "orders": [*orders]}
    said = {key: value for key, value in more.items() if value}
    return Fact("entry", {"transfers": transfers, **said}, note)


def by_hand(
    journal: Journal, payer: str, payee: str, amount: str, reason: str, *, loan: bool = False
) -> Fact:
    """An entry by which one pays another, the pool or each other player, as it is typed.

    Raises UsageError for a name that nobody bears, a reason that is none, and a loan to or from
    the pool, ResultError for what is no amount.
    """
    reason = reason.strip()
    if not reason:
        raise UsageError.of("entry-without-reason")
    seated = journal.names_of(journal.seated())
    payers, payees = (_meant(journal, one) for one in (payer, payee))
    if loan and (not payers or not payees or "pool" in (*payers, *payees)):
        raise UsageError.of("loan-between-players")
    counters = amount_of(amount)
    ends = [(a, b) for a in payers or seated for b in payees or seated if a != b]
    if not ends or not (payers or payees):
        raise UsageError.of("nobody-pays")
    rule = LOAN if loan else BY_HAND
    note = f"loan: {reason}" if loan else reason
    return entry_of([transfer(a, b, counters, reason, rule=rule) for a, b in ends], note)


def _meant(journal: Journal, typed: str) -> list[str]:
    """The account of which a word speaks; none where it speaks of each other player."""
    names = journal.names_of(journal.players())
    word = typed.strip().lower()
    if typed.strip() not in names and word in ("pool", "each"):
        return ["pool"] if word == "pool" else []
    return [player_named(composed(typed), names)]


@frozen
class Former:
    """What another ledger leaves; nothing is written in it."""

    name: str
    certified: str
    """The hash of its last standing."""
    columns: Mapping[str, str]
    """The columns of a session that hold its rules."""
    frozen: FrozenRules
    players: tuple[str, ...]
    """Who sits at its table, in the order of play."""
    dealer: str
    """Who would deal next there."""
    net: Mapping[str, Fraction]
    """What everybody has won or lost there, who has left too; nothing once it was settled."""
    pool: Fraction
    carry: Mapping[str, Any]
    coins: str
    """How amounts are told there."""

    def fact(self) -> Fact:
        """Pool and balances as an entry by hand: who lost pays into the pool, and it pays who
        won.

        The pool of a session that was settled was paid for: whoever keeps its counters owes them.
        """
        source = f"{self.name}, {self.certified[:12]}"
        net = {**self.net}
        kept = self.pool + sum(net.values(), Fraction(0))
        if kept and not self.in_points:
            net[f"kept from the pool of {PurePath(self.name).stem}"[:64]] = -kept
        carry = {"carry": dict(self.carry)}
        clearing = "score" if self.in_points else "pool"

        def moves() -> Iterator[dict[str, Any]]:
            for name, amount in sorted(net.items(), key=lambda one: one[1]):
                ends = (name, clearing) if amount < 0 else (clearing, name)
                if amount:
                    yield transfer(*ends, abs(amount), TAKEN_OVER, rule=TAKEN_OVER, source=source)

        fact = entry_of([*moves()], f"taken over from {self.name}")
        return Fact("entry", {**fact.data, **carry}, fact.note)

    @property
    def in_points(self) -> bool:
        """Whether points are written down there."""
        return in_points(self.frozen.rules)

    def others(self, players: Sequence[str]) -> list[str]:
        """Who has an account and does not sit down at once."""
        told = (t[end] for t in self.fact().data["transfers"] for end in ("from", "to"))
        return [name for name in dict.fromkeys(told) if name not in (*players, "pool", "score")]
