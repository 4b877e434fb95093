"""The sections on what the vole earns, on games that count several times, and on what plugins
add."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from quadrille_plugins.rulebook.book import Draft, Part, Reader, Row, draft
from quadrille_plugins.rulebook.paying import (
    ITEMS,
    earning,
    favoured,
    lost_costs,
    lost_price,
    some,
    worth,
)
from quadrille_plugins.rulebook.playing import reachable
from quadrille_plugins.rulebook.words import (
    counters,
    grouped,
    number,
    short_units,
    unit_word,
    units,
)
from quadrille_plugins.shell.fact_words import conditions, counted_by, having
from quadrille_plugins.shell.values import capital, listed

# --- the vole ---------------------------------------------------------------------------------


def vole_row(level: str, bid: str, r: Reader, *, columns: Iterable[str]) -> str | Row:
    """What one kind of vole is worth at one bid."""
    if not some(worth(r, f"{rows}.{level}.{bid}") for rows in ("vole_premium", "vole_stake")):
        return ""
    cells = [f"{r.title(bid)}, {level}"]
    for rows in columns:
        found = []
        suited = favoured(r) and r.of(bid, "trump") == "suit"
        for table in ("payments", "payments.in_favourite") if suited else ("payments",):
            amount = r.amount(f"{table}.{rows}.{level}.{bid}")
            plain = rows == "vole_stake" and r("vole.stake_in") == "counters"
            found.append((str(amount) if amount else "–") if plain else short_units(r, amount))
        cells.append(f"{found[0]} ({found[1]})" if len(found) > 1 else found[0])
    return Row(tuple(cells))


def _columns(r: Reader) -> dict[str, str]:
    """Which of the vole's amounts there are, with their headings."""
    plain = r.knows("vole.stake_in") == "counters" and not r.points()
    staked = "counters" if plain and r.knows("stakes.unit_of") == "stake" else unit_word(r)
    named = {
        "vole_premium": f"vole premium, {unit_word(r)}",
        "vole_stake": f"each stakes, {staked}",
    }
    ways = reachable(r)
    return {
        rows: name
        for rows, name in named.items()
        if some(worth(r, f"{rows}.{a}.{b}") for a, b in ways)
    }


def vole_pool(r: Reader) -> str:
    """The vole's own pool."""
    stakes = [(level, b) for level, b in reachable(r) if worth(r, f"vole_stake.{level}.{b}")]
    if not stakes:
        return ""
    if r.points():
        return "What each would have staked for the vole is what it is worth besides its premium."
    return (
        "A vole is played for a pool of its own: as soon as it is undertaken or announced, every "
        "player stakes the amount in the table below. Whoever makes the vole takes that pool, "
        "and allies halve it; if it is missed, the adversaries share it."
    )


def vole_won(r: Reader) -> str:
    """The premium of a vole that is made."""
    if not [1 for level, b in reachable(r) if worth(r, f"vole_premium.{level}.{b}")]:
        return ""
    if r.points():
        return "A vole made earns the vole premium."
    return (
        "A vole that is made earns the vole premium of the table below besides all that the game "
        "earns, paid by the same players to the same."
    )


def vole_lost(r: Reader) -> str:
    """What an undertaken vole costs when it is missed."""
    ways = [b for level, b in reachable(r) if level == "undertaken"]
    if not ways:
        return ""
    keeps = r("vole.undertaken_failed_keeps")
    items = r.elsewhere(earning)
    lost = [ITEMS[i] for i in items if i not in keeps]
    if not r.points() and r("vole.undertaken_failed_takers") == "adversaries":
        return _forfeited(r, [ITEMS[i] for i in items if i in keeps], ways)
    if not lost:
        text = "A game in which a vole was undertaken and missed is still won, and paid as such"
    elif len(lost) == len(items):
        text = (
            "A game in which a vole was undertaken and missed is still won, but earns nothing "
            "besides the pool"
        )
    else:
        text = (
            f"A game in which a vole was undertaken and missed is still won, but earns "
            f"nothing for {listed(lost)}"
        )
    if [b for b in ways if lost_costs(r, "undertaken", b)]:
        allies = [b for b in ways if r.of(b, "partner") == "called"]
        if r("vole.undertaken_failed_premium"):
            text += "; but the vole premium must be paid" + (
                " to the adversaries" if not r.points() else ""
            )
            if allies:
                text += _failed_shares(r, allies)
        else:
            text += "; the vole premium is neither earned nor owed"
    return f"{text}."


def _forfeited(r: Reader, paid: list[str], ways: list[str]) -> str:
    """The same where all that such a game earns goes to the adversaries."""
    text = (
        "A game in which a vole was undertaken and missed is won, but to no profit: the "
        "adversaries draw the pool"
    )
    due = [b for b in ways if lost_costs(r, "undertaken", b)] and r(
        "vole.undertaken_failed_premium"
    )
    owed = [f"what is due for {listed(paid)}"] * bool(paid) + ["the vole premium"] * bool(due)
    if owed:
        text += f". They are paid {', and '.join(owed)}"
        allies = [b for b in ways if r.of(b, "partner") == "called"]
        text += _failed_shares(r, allies) if allies else ""
    return f"{text}."


def _failed_shares(r: Reader, allies: list[str]) -> str:
    by_game = r("vole.undertaken_failed_borne") == "as_game" and any(
        r.of(b, "loss_borne") != "shared" or r.of(b, "ally_exempt_tricks") for b in allies
    )
    who = (
        "by whoever would have borne the loss of the game"
        if by_game
        else "by both allies or by a Hombre without one"
    )
    if r.points():
        return f", {who}"
    if r("vole.undertaken_failed_paid") == "as_received":
        return f", {who}, as it would have been received"
    return f", {who}, once to each of them"


def announced_lost(r: Reader) -> str:
    """What an announced vole costs when it is missed."""
    ways = [(level, b) for level, b in reachable(r) if level != "undertaken"]
    if not [1 for level, b in ways if lost_costs(r, level, b)]:
        return ""
    to = "" if r.points() else ", paid to each of the adversaries"
    if r("vole.announced_failed_premium"):
        return (
            f"A vole announced and missed costs the vole premium once, whatever becomes of "
            f"the game{to}."
        )
    return (
        f"A vole announced and missed costs the vole premium only where a lost game is said "
        f"to cost it{to}."
    )


def vole_price(r: Reader) -> str:
    """What a vole costs when it is missed, where that is not its premium."""

    def say(r: Reader, bid: str) -> str:
        price = lost_price(r, bid)
        return (
            f"wherever a vole that is missed costs the vole premium, it costs {price} instead."
            if price
            else ""
        )

    bids = list(dict.fromkeys(bid for _, bid in reachable(r)))
    return grouped(r, bids, say, bids)


def vole_payments(r: Reader) -> Iterator[Draft]:
    """What the vole earns and costs."""
    ways = reachable(r)
    if ways:
        yield draft("vole_pool", vole_won, vole_pool)
        amounts = _columns(r)
        rows: list[Part] = [
            partial(vole_row, level, bid, columns=tuple(amounts)) for level, bid in ways
        ]
        extra = " (in favourite)" if favoured(r) else ""
        columns = ["vole", *(f"{name}{extra}" for name in amounts.values())]
        yield draft("vole_table", *rows, head="What the vole is worth", columns=columns)
        yield draft("vole_lost", vole_lost, announced_lost, vole_price)


# --- games that count several times, and what plugins add --------------------------------------


def counted(r: Reader) -> str:
    """Games that count for more after losses."""
    if r("multiplier.after_losses") == "none":
        return ""
    return (
        "After a lost game the next counts double, after two lost in a row threefold, and so "
        "on, until one is won."
    )


def multiplied_stake(r: Reader) -> str:
    """What happens to the stake of a game that counts several times."""
    doubles = r.knows("favourite.source") != "none" and r.knows("favourite.doubles") == "game"
    if r.points() or not (r.knows("multiplier.after_losses") == "counted" or doubles):
        return ""
    return (
        "Whenever a game counts several times, so does every payment between the players. "
        + {
            "single": "The pool is won, and added to, once only.",
            "penalty": "The pool is won once only, but a lost game adds that many times as much "
            "to it.",
            "raised": "The pool is first raised that many times by all players in equal parts, "
            "unless it is left standing.",
            "made_good": "The losers of such a game pay the winners what the pool lacks of so "
            "many stakes, and a lost game adds that many times as much to the pool.",
        }[r("multiplier.stake")]
    )


def several_times(r: Reader) -> Iterator[Draft]:
    """Games that count several times."""
    yield draft("several_times", counted, multiplied_stake)


_WHO = {
    "hombre": "the Hombre",
    "ally": "the ally",
    "side": "the Hombre's side",
    "adversaries": "the adversaries",
    "offender": "the offender",
    "others": "the others",
    "all": "all players",
    "pool": "the pool",
}


def added(r: Reader) -> str:
    """Payments that plugins add."""
    rows = (row for row in _acting(r, "payments") if r.amount(row["amount"]))
    return " ".join(_added(r, row) for row in rows)


def _added(r: Reader, row: Mapping[str, Any]) -> str:
    amount = r.amount(row["amount"])
    text = units(r, amount) if row.get("unit") == "units" else counters(r, amount)
    per = f" {counted_by(row['per'])}" if "per" in row else ""
    often = ", as many times as the game counts" if row.get("counted") else ""
    limits = "".join(f", {one}" for one in _limits(r, row))
    payer, payee = _party(row["payer"]), _party(row["payee"])
    payee = "each of the others" if payee == payer else payee
    return f"{capital(row['reason'])}: {payer} pays {text} to {payee}{per}{limits}{often}."


def _whom(name: str) -> str:
    return _WHO.get(name) or having(name)


def _party(name: str) -> str:
    each = "each of " if name in ("side", "adversaries", "others", "all") else ""
    return f"{each}{_WHO[name]}" if name in _WHO else having(name)


def _limits(r: Reader, row: Mapping[str, Any]) -> Iterator[str]:
    """The conditions of a payment or factor."""
    ifs: list[str] = []
    if row.get("contracts"):
        yield f"in {listed((r.title(b) for b in row['contracts'] if b in r.named()), 'or')}"
    if row.get("trumps"):
        suits = [{"favourite": "the favourite suit"}.get(one, one) for one in row["trumps"]]
        yield f"with {listed(suits, 'or')} as trumps"
    if row.get("incident"):
        found = (one for path in r.own_records("incidents") for one in r.knows(path))
        happened = {one["id"]: one["doc"] for one in found}
        ifs.append(happened.get(row["incident"], row["incident"]))
    if outcomes := row.get("outcomes"):
        lost = [f"a {one}" for one in outcomes if one != "won"]
        ends = ["the game is won"] * ("won" in outcomes)
        ends += [f"it ends in {listed(lost, 'or')}"] * bool(lost)
        ifs.append(listed(ends, "or"))
    if "factor" in row:
        how = {"payer": "by", "payee": "to"}
        ifs += [f"it is paid {how[end]} {_whom(row[end])}" for end in how if end in row]
    ifs += conditions(row)
    yield from (f"{'and ' * bool(n)}if {one}" for n, one in enumerate(ifs))


def multiplied(r: Reader) -> str:
    """Payments that plugins multiply, cap, or have go into the pool."""
    parts = []
    for kind, leaf in (("factors", "factor"), ("redirects", "redirected"), ("caps", "most")):
        for row in _acting(r, kind):
            of = row.get("of", ["payments"])
            payers = "the pool pays" if row.get("from_pool") else "players pay each other"
            what = (
                f"what {payers} for games and honours"
                if of == ["payments"]
                else f"what {listed(of)} order{'s' * (len(of) == 1)}"
            )
            limits = "".join(f", {one}" for one in _limits(r, row))
            if how := _changed(r, leaf, row):
                parts.append(f"{capital(row['reason'])}: {what} {how}{limits}.")
    return " ".join(parts)


def _changed(r: Reader, leaf: str, row: Mapping[str, Any]) -> str:
    """What becomes of payments, by a leaf of a plugin; nothing where it does not say so."""
    if leaf == "redirected":
        return _redirected(row) if r(row[leaf]) else ""
    value = r.amount(row[leaf])
    if leaf == "most":
        return f"is at most {counters(r, value)} for each who pays"
    if value.denominator > 1:
        exact = r("stakes.odd_counters") == "exact"
        rounded = "" if exact else ", and rounded down to whole counters"
        return f"is multiplied by {value}{rounded}"
    often = {0: "is not paid", 1: "is paid once", 2: "is paid twice"}
    return often.get(int(value)) or f"is paid {number(int(value))} times"


def _redirected(row: Mapping[str, Any]) -> str:
    """Who pays, or is paid, instead."""
    by, to = row.get("by"), row.get("to")
    said = [f"is paid by {_whom(by)}"] if by else []
    if to not in (None, "pool"):
        said.append(f"goes to {_whom(to)}")
    elif to or not by:
        said.append("goes into the pool")
    return f"{' and '.join(said)} instead"


def _acting(r: Reader, kind: str) -> Iterator[Mapping[str, Any]]:
    """The records of plugins that no leaf keeps from acting."""
    for path in r.own_records(kind):
        yield from (row for row in r(path) if not row.get("when") or r(row["when"]))


def other_payments(r: Reader) -> Iterator[Draft]:
    """What plugins add."""
    yield draft("added", added, multiplied)


def incidents(r: Reader) -> str:
    """The laws that plugins add."""
    said = []
    for path in r.own_records("incidents"):
        for one in r(path):
            r(one["rule"])
            text = one["says"].strip()
            said.append(capital(text if text.endswith(".") else f"{text}."))
    return " ".join(said)
