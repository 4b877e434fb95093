"""The section on what is paid when a game is won, and the words of all payments."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from quadrille_plugins.rulebook.bidding import from_others, plain_solo
from quadrille_plugins.rulebook.book import Draft, Part, Reader, Row, draft
from quadrille_plugins.rulebook.words import (
    coin,
    constant_unit,
    counters,
    fraction,
    grouped,
    quantity,
    short_units,
    times,
    titles,
    unit_word,
    units,
)
from quadrille_plugins.shell.values import listed

ITEMS = {
    "premium": "the game premium",
    "matadors": "matadors",
    "premiers": "premiers",
    "vole": "the vole",
    "game": "the game",
    "consolation": "the consolation",
    "allied": "a game played together",
}


def favoured(r: Reader) -> bool:
    """Whether some games are paid by the table in favourite."""
    return (
        r.knows("favourite.source") != "none"
        and r.below("payments.in_favourite")
        and bool(r.with_("trump", "suit"))
    )


def twice(r: Reader, path: str) -> str:
    """An amount of units, and the one in favourite if there is one."""
    text = _much(r, f"payments.{path}")
    if not favoured(r):
        return text
    other = _much(r, f"payments.in_favourite.{path}")
    if other == text:
        return text
    return (
        f"{text}, in favourite {other}" if "(" in text + other else f"{text} ({other} in favourite)"
    )


def _much(r: Reader, path: str) -> str:
    """An amount of units in words."""
    amount = r.amount(path)
    return units(r, amount) if amount else "nothing"


def worth(r: Reader, path: str) -> bool:
    """Whether anything is paid there, in favourite or out of it."""
    paths = [f"payments.{path}"] + ([f"payments.in_favourite.{path}"] if favoured(r) else [])
    return some(r.amount(p) for p in paths)


def lost_costs(r: Reader, level: str, bid: str) -> bool:
    """Whether a vole missed costs anything, in favourite or out of it: a price of its own, or its
    premium."""
    tables = ["payments"] + (["payments.in_favourite"] if favoured(r) else [])
    premium = f"vole_premium.{level}.{bid}"
    return some(
        r.amount(f"{t}.vole_lost.{bid}" if own_price(r, t, bid) else f"{t}.{premium}")
        for t in tables
    )


def own_price(r: Reader, table: str, bid: str) -> bool:
    """Whether a vole missed at this bid has a price of its own in this table."""
    return r.knows(f"{table}.vole_lost.{bid}") is not None


def lost_price(r: Reader, bid: str) -> str:
    """What a vole missed costs in words, and in favourite; empty where it has no price of its
    own."""
    tables = ["payments"] + (["payments.in_favourite"] if favoured(r) else [])
    if not some(own_price(r, table, bid) for table in tables):
        return ""
    told = [
        _much(r, f"{t}.vole_lost.{bid}") if own_price(r, t, bid) else "the vole premium"
        for t in tables
    ]
    return told[0] if len(set(told)) == 1 else f"{told[0]}, in favourite {told[1]}"


def some(found: Iterable[object]) -> bool:
    """Whether any is true or more than zero; unlike ``any`` it reads them all, so that all count as
    read."""
    return any(list(found))


def pool_won(r: Reader) -> str:
    """Who takes the pool."""
    if r.points():
        text = f"A game won is {counters(r, r.amount('score.won'))}, written to the Hombre"
        return f"{text}, and as much to the ally." if r.allied() else f"{text}."
    text, drawn = (
        "Whoever wins the game takes the pool",
        [b for b in r.played() if r.bid(b, "draws")],
    )
    if drawn:
        amounts = {counters(r, r.of(b, "draws")) for b in drawn}
        much = [
            counters(r, r.of(b, "draws")) + ("" if len(amounts) == 1 else f" in {r.title(b)}")
            for b in drawn
        ]
        held = "as far as it holds them"
        if len(drawn) == len(r.played()):
            text = (
                f"Whoever wins the game draws "
                f"{much[0] if len(amounts) == 1 else listed(much)} from the pool, {held}"
            )
        elif len(amounts) == 1:
            text += f", but in {titles(r, drawn)} only {much[0]} of it, {held}"
        else:
            text += f", but only {listed(much)}, {held}"
    if not r.allied():
        return f"{text}."
    if r("payments.pool_to") == "allies":
        return f"{text}; two allies halve {'what they win of it' if drawn else 'it'}."
    return (
        f"{text}; if two have played together, the Hombre has "
        f"{'all that they win of it' if drawn else 'it all'}."
    )


def payers(r: Reader) -> str:
    """Who pays whom."""
    if r.points():
        return "What follows is written to them besides."
    if not r.allied():
        return "Besides, each adversary pays the Hombre every amount below that applies."
    alone = (
        "Besides, the amounts below that apply are paid. A Hombre who played alone gets them "
        "from each adversary."
    )
    return (
        alone
        + {
            "one_to_one": " When two have played together, each of them is paid by one "
            "adversary: the Hombre by the one who sits first from the eldest hand on, the ally "
            "by the other.",
            "each_opponent_each_ally": " When two have played together, each of them gets the "
            "whole amount from each adversary.",
            "all_others_to_hombre": " When two have played together, only the Hombre is paid, "
            "and by every other player, even the ally.",
            "once_and_halved": " When two have played together, each adversary pays the amount "
            "once, and the two halve it.",
        }[r("payments.allies_paid")]
    )


def odd_half(r: Reader) -> str:
    """Whose the odd counter is that allies halve."""
    halved = r.knows("payments.allies_paid") == "once_and_halved" or r.knows("table.players") == 5
    if r.points() or not r.allied() or not halved:
        return ""
    if r("payments.odd_half") == "hombre":
        return (
            "Where allies halve an odd number of counters, the Hombre takes, or pays, the odd one."
        )
    return (
        "Where allies halve an odd number of counters, the odd one is taken, or paid, by the "
        "Hombre with the first adversary, by the ally with the next, and so on by turns, anew "
        "for each amount. If three counters are due from each of three adversaries, the Hombre "
        "takes two, one and two, the ally one, two and one; a loss is paid likewise. A pool, and "
        "what is put into it, follow the rule given with the stakes."
    )


def game_row(bid: str, r: Reader) -> str | Row:
    """The premium of one bid."""
    own = f"payments.premium.{bid}"
    cells = [r.title(bid), short_units(r, r.amount(own))]
    if favoured(r):
        suited = r.of(bid, "trump") == "suit"
        cells.append(
            short_units(r, r.amount(f"payments.in_favourite.premium.{bid}")) if suited else "–"
        )
    return Row(tuple(cells))


def every_game(r: Reader) -> str:
    """What every game earns besides its premium."""
    parts = []
    if worth(r, "game"):
        parts.append(f"Every game earns {twice(r, 'game')} for the game itself.")
    if worth(r, "consolation"):
        parts.append(
            f"Every game earns the consolation{' too' if parts else ''}: {twice(r, 'consolation')}."
        )
    if r.allied() and worth(r, "allied"):
        parts.append(f"A game that two have played together earns {twice(r, 'allied')} besides.")
    return " ".join(parts)


def king(r: Reader) -> str:
    """What is paid for a card that is given up."""
    bids = r.with_("exchange", True)
    if r.points() or not bids or not worth(r, "king"):
        return ""
    price = twice(r, "king")
    return (
        f"In {titles(r, bids)} the Hombre pays {price} to whoever gave up the called card, "
        f"{'for each card, ' if _several(r, bids) else ''}however the game ends."
    )


def _several(r: Reader, bids: Iterable[str]) -> bool:
    """Whether at one of these bids several cards are handed over."""
    return any(r.of(bid, "cards_asked") > 1 for bid in bids)


_FUND: Final = {
    "fund_game": ("a game won", "the winners"),
    "fund_vole": ("the vole", "those who make it"),
    "fund_vole_stakes": ("the vole", "those who make it"),
    "fund_codille": ("a codille", "the adversaries"),
}


def fund(r: Reader) -> str:
    """That something is drawn out of a fund beside the pool."""
    if not fund_rows(r):
        return ""
    return (
        "Beside the pool there is a fund, into which nobody pays by these rules. Besides all "
        "other payments, the amounts of the table below are drawn out of it."
    )


def fund_rows(r: Reader) -> list[tuple[str, str]]:
    """What is drawn out of the fund for, each with the bid."""
    if r.points():
        return []
    return [(leaf, bid) for leaf in _FUND for bid in r.played() if worth(r, f"{leaf}.{bid}")]


def fund_row(leaf: str, bid: str, r: Reader) -> Row:
    """What each of a side draws out of the fund at one bid."""
    what, who = _FUND[leaf]
    cells = [f"{what} at {r.title(bid)}", who, _drawn(r, leaf, f"payments.{leaf}.{bid}")]
    if favoured(r):
        suited = r.of(bid, "trump") == "suit"
        cells.append(_drawn(r, leaf, f"payments.in_favourite.{leaf}.{bid}") if suited else "–")
    return Row(tuple(cells))


def _drawn(r: Reader, leaf: str, path: str) -> str:
    amount = r.amount(path)
    if not amount:
        return "–"
    if leaf in ("fund_game", "fund_vole"):
        size = constant_unit(r)
        return units(r, amount) if size is None else quantity(amount * size, *coin(r))
    if amount == 1:
        return "the stake"
    if amount < 1:
        return (
            f"{fraction(amount)} "
            f"{'' if amount.numerator == 1 and amount.denominator == 2 else 'of '}the stake"
        )
    return f"{times(int(amount)) if amount.denominator == 1 else f'{amount} times'} the stake"


def matadors(r: Reader) -> str:
    """What matadors earn."""
    bids = r.with_("trump", "suit")
    paid = [b for b in bids if r.bid(b, "matadors") != "none"]
    if not paid:
        return ""
    three = worth(r, "matadors.three") and any(
        r.of(b, "matadors") in ("all", "favourite_or_vole") for b in paid
    )
    four = worth(r, "matadors.four")
    if not three and not four:
        return ""
    black = r("payments.matadors_four_in_black") if four else False
    red = "" if black else ", if trumps are red,"
    held = "if the Hombre's side holds them, in one hand or between the two,"
    if not r.allied():
        held = "if the Hombre holds them,"
    elif r("payments.matadors_held_by") == "hombre":
        held = "if the Hombre alone holds them,"
    parts = []
    if three and four:
        more = "more" if r("payments.matadors_cumulative") else "instead"
        parts.append(
            f"The three matadors, {held} earn {twice(r, 'matadors.three')}; with the fourth "
            f"trump as well{red} they earn {twice(r, 'matadors.four')} {more}."
        )
    elif three:
        parts.append(f"The three matadors, {held} earn {twice(r, 'matadors.three')}.")
    else:
        parts.append(
            f"The four highest trumps, {held}{red.lstrip(',')} earn {twice(r, 'matadors.four')}."
        )
    if four and r("payments.matadors_past_four") == "as_the_fourth" and _fourth_adds(r):
        parts.append(
            "Each trump that follows without a gap earns as much again as the fourth adds to three."
        )
    double = [b for b in paid if r.of(b, "matadors") == "double_only"]
    if double and three:
        parts.append(f"In {titles(r, double)} three matadors earn nothing; only all four are paid.")
    some_only = [b for b in paid if r.of(b, "matadors") == "favourite_or_vole"]
    if some_only:
        parts.append(
            f"In {titles(r, some_only)} they are paid only in the favourite suit, or if the vole "
            "is made."
        )
    none = [b for b in bids if b not in paid]
    if none:
        parts.append(f"In {titles(r, none)} no matadors are paid.")
    if r.with_("exchange", True):
        when = {
            "as_dealt": "as the cards were dealt",
            "as_played": "as the cards are held after an exchange",
        }
        parts.append(f"Matadors are counted {when[r('payments.matadors_counted')]}.")
    return " ".join(parts)


def _fourth_adds(r: Reader) -> bool:
    """Whether four matadors earn more than three, in favourite or out of it."""
    if r("payments.matadors_cumulative"):
        return True
    tables = ["payments"] + (["payments.in_favourite"] if favoured(r) else [])
    return any(r.amount(f"{t}.matadors.four") > r.amount(f"{t}.matadors.three") for t in tables)


def their_matadors(r: Reader) -> str:
    """Matadors of the adversaries."""
    if not [b for b in r.with_("trump", "suit") if r.of(b, "matadors") != "none"]:
        return ""
    if r.points() and r.knows("payments.adversaries_matadors") == "to_holders":
        return ""
    return {
        "not_paid": "Matadors that the adversaries hold are not paid.",
        "to_holders": "Matadors that the adversaries hold between them are paid to them in the "
        "same way, however the game ends.",
        "to_winners": "Matadors that the adversaries hold between them are paid in the same way "
        "to whoever wins the game.",
    }[r("payments.adversaries_matadors")]


def first_tricks(r: Reader) -> str:
    """What premiers earn."""
    if not [b for b in r.played() if r.of(b, "premiers")] or not worth(r, "premiers"):
        return ""
    return f"Premiers earn {twice(r, 'premiers')}."


def earning(r: Reader) -> list[str]:
    """The kinds of items for which anything is ever paid."""
    kinds = []
    if some(worth(r, f"premium.{b}") for b in r.played()):
        kinds.append("premium")
    if matadors(r):
        kinds.append("matadors")
    if first_tricks(r):
        kinds.append("premiers")
    kinds += [item for item in ("game", "consolation") if worth(r, item)]
    if r.allied() and worth(r, "allied"):
        kinds.append("allied")
    return kinds


def secret_solo(r: Reader) -> str:
    """The premium of a game played alone by calling one's own card."""
    able = [
        b
        for b in r.allied()
        if not from_others(r, b)
        and (r.of(b, "call.own_card") != "never" or r.of(b, "call.fallback") == "own_king")
    ]
    solo = plain_solo(r)
    if not able or not some(worth(r, f"premium.{b}") for b in (*able, *([solo] if solo else []))):
        return ""
    rest = "In everything else it goes as for any Hombre who plays alone."
    who = "Whoever calls a card of their own plays alone, and wins or loses the premium"
    if r("payments.own_card_premium"):
        name = r.title(solo) if solo else "a solo"
        return f"{who} of {name}. {rest}"
    other = r.title(solo) if solo else "a solo"
    return f"{who} that the table has for the game bid, if any, and not that of {other}. {rest}"


def giver(r: Reader) -> str:
    """What one who gave up the called card pays and receives."""
    bids = r.with_("exchange", True)
    if r.points() or not some(worth(r, f"premium.{b}") for b in bids):
        return ""
    pays, gets = r("exchange.giver_pays_premium"), r("exchange.giver_receives_premium")
    who = "Each player who handed over a" if _several(r, bids) else "The player who handed over the"
    who += f" called card in {titles(r, bids)}"
    else_too = (
        "Everything else, matadors and premiers, the vole, the pool at a codille, goes as "
        "for the others."
    )
    if pays and gets:
        return f"{who} pays and receives like the other adversaries."
    if pays:
        premium = (
            "pays the game premium like the others when the game is won, but does not "
            "receive it when it is lost"
        )
    elif gets:
        premium = (
            "does not pay the game premium when the game is won, but receives it like the "
            "others when it is lost"
        )
    else:
        premium = "neither pays the premium of a game won nor receives that of a game lost"
    return f"{who} {premium}. {else_too}"


def claims(r: Reader) -> str:
    """What must be claimed in time."""

    def say(r: Reader, bid: str) -> str:
        items = r.bid(bid, "claimed")
        named = listed(ITEMS[i] for i in items)
        return (
            f"what is won for {named} must be claimed before the next deal is dealt, or it is lost."
            if items
            else ""
        )

    return grouped(r, r.played(), say, r.played())


def winning(r: Reader) -> Iterator[Draft]:
    """What a game won earns."""
    yield draft("pool", pool_won, payers, odd_half)
    if some(worth(r, f"premium.{b}") for b in r.played()):
        rows: list[Part] = [partial(game_row, b) for b in r.played()]
        columns = ["game", unit_word(r)] + (["in favourite"] if favoured(r) else [])
        yield draft("premium", *rows, head="The game premium", columns=columns)
    yield draft("items", every_game)
    yield draft("matadors", matadors, their_matadors, first_tricks)
    yield draft("persons", secret_solo, giver, king, claims)
    yield draft("fund", fund)
    if found := fund_rows(r):
        draws: list[Part] = [partial(fund_row, leaf, bid) for leaf, bid in found]
        columns = ["for", "each of", "draws"] + (["in favourite"] if favoured(r) else [])
        yield draft("fund_table", *draws, head="What is drawn out of the fund", columns=columns)
