"""How columns, seats and rule sets are named in studies."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from quadrille_core.vocabulary import parse_amount
from quadrille_plugins.shell.values import ORDINALS, Json, amount, listed, seat_names, with_signs
from quadrille_plugins.studies.observe import Divergence
from quadrille_plugins.studies.values import decimal


def role_name(key: str, players: int) -> str:
    """A role or seat in words; seats count from the eldest hand to the dealer."""
    if not key.startswith("seat "):
        return {"hombre": "Hombre", "ally": "ally", "adversary": "an adversary"}[key]
    number = int(key.removeprefix("seat "))
    return "dealer" if number == players - 1 else f"{ORDINALS[number]} hand"


def seated(text: str, players: Sequence[str]) -> str:
    """Words of a deal with its players by seat; ``players`` are their names there, the eldest hand
    first."""
    seats = dict(zip(players, seat_names(len(players)), strict=True))
    return re.sub(r"\b(?:" + "|".join(map(re.escape, seats)) + r")\b", lambda m: seats[m[0]], text)


def seated_net(record: Json) -> str:
    """The net of a deal's record by seat: ``eldest +12, second −4``."""
    net = record.get("net") or {}
    named = zip(record["players"], seat_names(len(record["players"])), strict=True)
    told = (
        f"{seat} {amount(parse_amount(net[name]), sign=True)}"
        for name, seat in named
        if name in net
    )
    return ", ".join(told) or "redealt"


def played_told(record: Json) -> str:
    """What was played in a deal's record, by seat:
    ``third plays alliance in diamonds with second, 4 tricks: codille``.

    Empty where the cards were dealt again.
    """
    result = record.get("result")
    if not result:
        return ""
    seats = dict(zip(record["players"], seat_names(len(record["players"])), strict=True))
    side = [who for who in (result["hombre"], result.get("ally")) if who]
    trump = f" in {result['trump']}" if result.get("trump") not in (None, "none") else ""
    ally = f" with {seats[side[1]]}" if len(side) > 1 else ""
    tricks = sum(result["tricks"].get(who, 0) for who in side)
    made = f"{tricks} trick{'' if tricks == 1 else 's'}"
    return (
        f"{seats[side[0]]} plays {result['contract'].replace('-', ' ')}{trump}{ally}, {made}: "
        f"{record['outcome']}"
    )


def example_lines(
    head: str,
    where: str,
    names: Sequence[str],
    divergence: Divergence,
    records: Sequence[Json],
) -> list[str]:
    """A deal under two rule sets as an example: what is played, where it diverges, and what each
    player wins by either.

    ``head`` names the deal, ``where`` says where it diverges and ends the first line; ``names`` are
    the rule sets'.
    """
    played = [played_told(record) for record in records]
    alike = played[0] if played[0] == played[1] else ""
    pools = {record["pool"] for record in records}
    pool = f"with {pools.pop()} in the pool" if len(pools) == 1 else ""
    lines = [", ".join(filter(None, (head, pool, alike))) + where]
    for name, event, record, own in zip(
        names, events_told(divergence, records), records, played, strict=True
    ):
        told = filter(None, (with_signs(event), "" if alike else own, f"net {seated_net(record)}"))
        lines.append(f"  {name}: {'; '.join(told)}")
    return lines


def events_told(divergence: Divergence, records: Sequence[Json]) -> tuple[str, str]:
    """What happens under either rule set where a deal diverges, by seat; at the settlement every
    payment that differs.

    ``records`` are the deal under each.
    """
    if divergence.stage == "settlement":
        paid = [_paid(record) for record in records]
        differing = [
            way
            for way in dict.fromkeys((*paid[0], *paid[1]))
            if paid[0].get(way) != paid[1].get(way)
        ]
        if differing:
            first, second = (
                _payments({way: sums[way] for way in differing if way in sums}) for sums in paid
            )
            return first, second
    players = records[0]["players"]
    return seated(divergence.first, players), seated(divergence.second, players)


def _paid(record: Json) -> dict[tuple[str, str], Fraction]:
    """What each pays each in all, by seat: one player may pay another for several things."""
    players = record["players"]
    seats = dict(zip(players, seat_names(len(players)), strict=True))
    sums: dict[tuple[str, str], Fraction] = {}
    for t in record.get("transfers") or ():
        way = seats.get(t["from"], f"the {t['from']}"), seats.get(t["to"], f"the {t['to']}")
        sums[way] = sums.get(way, Fraction(0)) + parse_amount(t["amount"])
    return sums


def _payments(sums: Mapping[tuple[str, str], Fraction]) -> str:
    """Payments in words, by who pays: ``eldest pays second and third 4 each, dealer 6``."""
    by_payer: dict[str, dict[Fraction, list[str]]] = {}
    for (payer, payee), size in sums.items():
        by_payer.setdefault(payer, {}).setdefault(size, []).append(payee)
    told = []
    for payer, sizes in by_payer.items():
        each = (
            f"{listed(to)} {amount(size)}{' each' if len(to) > 1 else ''}"
            for size, to in sizes.items()
        )
        told.append(f"{payer} pays {', '.join(each)}")
    return "; ".join(told) or "nothing of that is paid"


def column_name(name: str, players: int) -> str:
    """A column of ``studies.accounts`` in words."""
    return _COLUMNS.get(name) or role_name(name, players)


def the_column(name: str, players: int) -> str:
    """The same with its article."""
    found = column_name(name, players)
    return found if found.startswith("the ") else f"the {found}"


_COLUMNS = {
    "hombre": "the Hombre",
    "ally": "the ally",
    "adversaries": "the adversaries together",
    "redealt": "antes of deals redealt",
    "antes": "antes of deals played",
    "pool": "pool",
    "vole pool": "vole's pool",
    "score": "score",
    "fund": "fund",
}


ANEW = (
    "Random bots lose most games, and the pool would double without end: it is reset before each "
    "deal, and nothing is carried from one to the next.  Play at random is no ground for a "
    "conclusion on rules that people play by."
)


def amount_text(value: Fraction) -> str:
    """A size in print: exact where it is a whole number."""
    return str(value) if value.denominator == 1 else decimal(value, 2)
