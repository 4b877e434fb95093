"""Several evenings together: what each player has won or lost over them, and on average.

The averages are means of what was played, and estimate nothing beyond it.  Amounts are plain
counters, since rules may give out other coins from one evening to the next.  What an evening took
over of another is that one's, and no gain of its own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from quadrille_core.errors import UsageError
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.ledger.coins import PLAIN
from quadrille_plugins.ledger.journal import Journal
from quadrille_plugins.ledger.report import Rows, in_columns, rules_data, rules_text
from quadrille_plugins.ledger.standing import ZERO
from quadrille_plugins.ledger.words import word
from quadrille_plugins.shell.blocks import Block, Table, Text

Evenings = Sequence[tuple[Path, Journal]]


@dataclass(slots=True)
class Standing:
    """What one player has over several evenings, by the name they bear in each."""

    evenings: int = 0
    deals: int = 0
    """In how many deals they sat at the table; misdeals, and deals taken back, are none."""
    net: Fraction = ZERO
    each: dict[int, Fraction] = field(default_factory=dict)
    """What they won or lost, by the number of the evening."""

    def mean(self, of: int) -> Fraction | None:
        """The net in so many parts; None where there are none."""
        return self.net / of if of else None


def refuse_unlike(evenings: Evenings) -> None:
    """Raise UsageError for ledgers that cannot be added up: one that is named twice, also as a
    copy, and points beside counters."""
    seen: dict[object, Path] = {}
    for path, journal in evenings:
        first = journal.transactions[0]
        names = journal.names[min(journal.names)]
        seated = (names[s.account] for s in journal.sittings if s.act == first.id)
        start = (first.at, str(journal.session), *seated)
        if start in seen:
            raise UsageError.of("ledger-named-twice", place=path, other=seen[start])
        seen[start] = path
    (begun, one), *others = evenings
    for path, journal in others:
        if journal.in_points != one.in_points:
            raise UsageError.of("points-beside-counters", place=path, other=begun)


def standings(journals: Iterable[Journal]) -> dict[str, Standing]:
    """What each player has over these evenings, who has most first."""
    found: dict[str, Standing] = {}
    for number, journal in enumerate(journals):
        for account, gained in journal.gained.items():
            one = found.setdefault(journal.accounts[account], Standing())
            deals = sum(account in journal.deals[n].seats for n in _played(journal))
            one.evenings += bool(deals or gained)  # one that has only begun is none
            one.deals += deals
            one.each[number] = gained
            one.net += gained
    return dict(sorted(found.items(), key=lambda each: (-each[1].net, each[0])))


def _played(journal: Journal) -> list[int]:
    """The deals that count."""
    return [n for n, row in journal.deals.items() if row.fact.kind in ("result", "passed")]


def evenings_data(evenings: Evenings) -> dict[str, Any]:
    """Every evening, and every player's standing over them; amounts in plain counters, exact."""
    return {
        "evenings": [
            {
                "file": str(path),
                "rules": rules_data(journal),
                "deals": len(_played(journal)),
                "ended": journal.ended,
                "pool": plain_amount(journal.pool_state().amount),
                "net": journal.by_name(journal.gained),
            }
            for path, journal in evenings
        ],
        "standing": [
            {
                "player": player,
                "evenings": one.evenings,
                "deals": one.deals,
                "net": plain_amount(one.net),
                "per_evening": _plain(one.mean(one.evenings)),
                "per_deal": _plain(one.mean(one.deals)),
            }
            for player, one in standings(journal for _, journal in evenings).items()
        ],
    }


def _plain(amount: Fraction | None) -> int | str | None:
    return None if amount is None else plain_amount(amount)


def evenings_rows(evenings: Evenings) -> Rows:
    """A row for each player."""
    columns = ("player", "evenings", "deals", "net", "per_evening", "per_deal")
    return in_columns(columns, evenings_data(evenings)["standing"])


def evenings_blocks(evenings: Evenings) -> list[Block]:
    """The same for a person."""
    journals = [journal for _, journal in evenings]
    numbers = [str(n) for n in range(1, len(journals) + 1)]
    listed = tuple(
        (n, path.name, rules_text(j), str(len(_played(j))), "" if j.ended else word("goes-on"))
        for n, (path, j) in zip(numbers, evenings, strict=True)
    )
    rows = tuple(
        (
            player,
            *(_signed(one.each.get(n)) for n in range(len(journals))),
            _signed(one.net),
            str(one.deals),
            _mean(one.mean(one.evenings)),
            _mean(one.mean(one.deals)),
        )
        for player, one in standings(journals).items()
    )
    kinds = "all", "number-of-deals", "an-evening", "a-deal"
    columns = (word("player"), *numbers, *map(word, kinds))
    unit = word("points") if journals[0].in_points else word("counter", 2)
    heads = ("", *map(word, ("ledger", "rules", "number-of-deals")), "")
    blocks: list[Block] = [
        Table(word("evenings"), heads, listed, frozenset(heads[3:4])),
        Table(word("won-or-lost-in", unit=unit), columns, rows, frozenset(columns[1:])),
    ]
    if len({rules_data(j)["digest"] for j in journals}) > 1:
        blocks.append(Text(word("unlike-rules")))
    if left := [n for n, j in zip(numbers, journals, strict=True) if j.pool_state().amount]:
        blocks.append(Text(word("pools-left", evenings=", ".join(left))))
    return blocks


def _signed(amount: Fraction | None) -> str:
    return "" if amount is None else PLAIN.text(amount, sign=True)


def _mean(amount: Fraction | None) -> str:
    """A mean to two places, half away from zero; the exact one is in JSON and CSV."""
    if amount is None:
        return ""
    whole, part = divmod(int(abs(amount) * 100 + Fraction(1, 2)), 100)
    told = word("decimal", whole=whole, part=f"{part:02}")
    if not (whole or part):
        return told
    return word("lost" if amount < 0 else "won", amount=told)
