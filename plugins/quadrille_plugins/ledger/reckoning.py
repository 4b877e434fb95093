"""Standing and tallies derived anew from every record and entry: for ledgers that keep none, and to
check those kept.

One pass over the deals; what a deal begins with is carried along, never summed from the beginning
again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from quadrille_core.engine.carry import START, Carry, remembers
from quadrille_core.errors import QuadrilleError
from quadrille_plugins.ledger.deriving import DealStart, derive, favourite_after
from quadrille_plugins.ledger.frozen import FrozenRules
from quadrille_plugins.ledger.journal import DealRow, Entry, Journal
from quadrille_plugins.ledger.schema import BOX, POOL
from quadrille_plugins.ledger.standing import NOTHING, ZERO, DealTally, Standing, moved_on, tally


def situation_of(
    journal: Journal,
    number: int,
    dealer: int,
    carry: Carry,
    favourite: str | None,
    frozen: FrozenRules,
    held: Mapping[int, Fraction],
) -> DealStart:
    """What a deal starts from; ``held`` by account matters where the box refills purses."""
    accounts = journal.seats(number, dealer)
    refilled = frozen.rules.table.purse_empty == "refill"
    return DealStart(
        accounts,
        tuple(journal.accounts[a] for a in accounts),
        carry,
        favourite,
        str(journal.session["reference"]),
        journal.session["identity"].get("readings", {}),
        tuple(held[a] for a in accounts) if refilled else (),
    )


def kept(frozen: FrozenRules, carry: Carry) -> Carry:
    """What of a carry the next deal depends on; the pool apart, which follows from the entries."""
    return carry if remembers(frozen.rules) else START


def reckoned(journal: Journal, frozen: FrozenRules, faults: list[str] | None = None) -> Journal:
    """The journal with the standing and tallies that its rows come to, by one pass over them.

    With ``faults`` every deal is
    derived, and those that come to something else than was entered are told there in words; without
    it a record that cannot have been raises what ``derive`` does.
    """
    nothing = dict.fromkeys(journal.accounts, ZERO)
    held, _ = moved_on(
        nothing, {}, [e for e in journal.entries if e.deal is None and e.movement.payer == BOX], ()
    )
    tallies: dict[int, DealTally] = {}
    before, favourite = NOTHING, None
    for number, row in journal.deals.items():
        carry = START
        if faults is not None or remembers(frozen.rules):
            situation = situation_of(
                journal, number, row.dealer, before.carry, favourite, frozen, held
            )
            carry = kept(frozen, _carry_of(journal, row, situation, frozen, faults))
        before = tallies[number] = tally(row.id, before, journal.movements_of(number), carry)
        favourite = favourite_after(frozen.rules, favourite, row.fact)
        for account in before.net.keys() | before.given.keys():
            held[account] += before.held_by(account)
    balances, purses = moved_on(nothing, {}, journal.entries, journal.players())
    return replace(
        journal,
        tallies=tallies,
        standing=Standing(len(tallies), before, balances, purses, favourite),
    )


def _carry_of(
    journal: Journal,
    row: DealRow,
    situation: DealStart,
    frozen: FrozenRules,
    faults: list[str] | None,
) -> Carry:
    try:
        derived = derive(frozen.rules, situation, row.fact)
    except QuadrilleError as e:
        if faults is None:
            raise
        faults.append(
            f"deal {row.number} cannot have been as it is recorded: {e.problems[0].message}"
        )
        return situation.carry
    if faults is not None and derived.movements != journal.movements_of(row.number):
        faults.append(f"deal {row.number} moves other counters by the rules than were entered")
    elif faults is not None and derived.outcome != row.outcome:
        faults.append(f"deal {row.number} has another outcome by the rules than was recorded")
    return derived.carry


def differences(journal: Journal, frozen: FrozenRules) -> list[str]:
    """Where entries, tallies and the standing are not what the records come to under the rules, in
    words."""
    faults: list[str] = []
    anew = reckoned(journal, frozen, faults)
    faults += [
        f"deal {number} came to something else than its tally certifies"
        for number, found in anew.tallies.items()
        if found != journal.tallies[number]
    ]
    if anew.standing != journal.standing:
        faults.append("the last standing is not what the deals come to")
    return faults


def misentered(
    journal: Journal, tallies: Mapping[int, DealTally], entries: Sequence[Entry]
) -> Iterator[str]:
    """Where the entries of a command are not what was derived, in words."""
    by_record: dict[int, list[Entry]] = {}
    for entry in entries:
        if entry.reverses is None and entry.deal is not None:
            by_record.setdefault(entry.deal, []).append(entry)
        if entry.deal is None and entry.movement.payer not in (BOX, POOL):
            yield f"entry {entry.id} belongs to no deal"
    reversed_ = {entry.reverses for entry in entries}
    for number, found in tallies.items():
        before = journal.tallies.get(number)
        if before is not None and before.record == found.record:
            continue
        entered = tally(0, NOTHING, (e.movement for e in by_record.pop(found.record, ())))
        if (entered.net, entered.given) != (found.net, found.given):
            yield f"deal {number} was entered as something else than it comes to"
        if before is not None and any(
            e.id not in reversed_ for e in journal.entries_of(journal.deals[number])
        ):
            yield f"deal {number} is counted twice or not at all"
    if by_record:
        yield "entries belong to a deal that was not recorded"
