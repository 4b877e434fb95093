"""The sections on what is paid: for a game won, for a game lost, for the vole, and by plugins."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from quadrille_plugins.output.values import listed
from quadrille_plugins.rulebook.bidding import from_others, own_records, plain_solo, suits_of
from quadrille_plugins.rulebook.book import Head, Reader, Texts
from quadrille_plugins.rulebook.words import (
    capital,
    counters,
    grouped,
    much,
    number,
    short_units,
    table_amounts,
    times,
    titles,
    unit_word,
    units,
    worth,
)

ITEMS: Final = {
    "premium": "the game premium",
    "matadors": "matadors",
    "premiers": "premiers",
    "vole": "the vole",
    "game": "the game",
    "consolation": "the consolation",
    "allied": "a game played together",
}


def earning(r: Reader) -> list[str]:
    """The kinds of items, the vole apart, for which anything is ever paid."""
    matadors = r.is_paid("matadors.three") or r.is_paid("matadors.four")
    paid = {
        "premium": any(r.is_paid(f"premium.{bid}") for bid in r.played),
        "matadors": matadors and _matador_bids(r),
        "premiers": r.is_paid("premiers") and r.with_("premiers", True),
        "game": r.is_paid("game"),
        "consolation": r.is_paid("consolation"),
        "allied": r.is_paid("allied") and r.allied,
    }
    return [item for item in ITEMS if paid.get(item)]


# --- a game won -------------------------------------------------------------------------------

_ALLIES_PAID: Final = {
    "one_to_one": "each of them is paid by one adversary: the Hombre by the one who sits first "
    "from the eldest hand on, the ally by the other",
    "each_opponent_each_ally": "each of them gets the whole amount from each adversary",
    "all_others_to_hombre": "only the Hombre is paid, and by every other player, even the ally",
    "once_and_halved": "each adversary pays the amount once, and the two halve it",
}
_ODD_HALF: Final = {
    "hombre": "the Hombre takes, or pays, the odd one",
    "by_turns": "the odd one is taken, or paid, by the Hombre with the first adversary, by the "
    "ally with the next, and so on by turns, anew for each amount. If three counters are due from "
    "each of three adversaries, the Hombre takes two, one and two, the ally one, two and one; a "
    "loss is paid likewise. A pool, and what is put into it, follow the rule given with the stakes",
}


def winning(r: Reader) -> Texts:
    """What a game won earns."""
    yield Head("pool")
    yield "pool_won", _points_won(r) if r.points else _pool_won(r)
    yield "payers", _payers(r)
    if halves(r) and not r.points:
        yield (
            "odd_half",
            f"Where allies halve an odd number of counters, {_ODD_HALF[r('payments.odd_half')]}.",
        )
    if "premium" in earning(r):
        columns = ("game", unit_word(r), "in favourite")[: len(r.tables) + 1]
        yield Head("premium", "The game premium", columns)
        for bid in r.played:
            yield bid, (r.title(bid), *table_amounts(r, f"premium.{bid}", short_units))
    yield Head("every_game")
    for item, what in _EVERY_GAME.items():
        if item in earning(r):
            yield item, f"{what} {much(r, item)}."
    yield Head("matadors")
    yield "matadors", _matadors(r)
    if _matador_bids(r) and not (
        r.points and r.knows("payments.adversaries_matadors") == "to_holders"
    ):
        yield "their_matadors", _THEIRS[r("payments.adversaries_matadors")]
    if "premiers" in earning(r):
        yield "first_tricks", f"Premiers earn {much(r, 'premiers')}."
    yield Head("persons")
    yield from _persons(r)
    yield from _fund(r)


_EVERY_GAME: Final = {
    "game": "Every game earns, for the game itself,",
    "consolation": "Every game earns the consolation:",
    "allied": "A game that two have played together earns besides",
}


def halves(r: Reader) -> bool:
    """Whether allies halve what each adversary pays, or gets."""
    once = r.knows("payments.allies_paid") == "once_and_halved" or r.knows("table.players") == 5
    return bool(r.allied and once)


def _points_won(r: Reader) -> str:
    also = ", and as much to the ally" if r.allied else ""
    return f"A game won is {counters(r, r.amount('score.won'))}, written to the Hombre{also}."


def _pool_won(r: Reader) -> str:
    """Who takes the pool."""

    def say(bid: str) -> str:
        drawn = r.bid(bid, "draws")
        if drawn:
            return (
                f"whoever wins draws {counters(r, drawn)} from the pool, as far as it holds them."
            )
        return "whoever wins the game takes the pool."

    text = grouped(r, r.played, say)
    if not r.allied:
        return text
    return (
        text
        + {
            "allies": " Two allies halve what they win of it.",
            "hombre": " If two have played together, the Hombre has all that they win of it.",
        }[r("payments.pool_to")]
    )


def _payers(r: Reader) -> str:
    """Who pays whom."""
    if r.points:
        return "What follows is written to them besides."
    if not r.allied:
        return "Besides, each adversary pays the Hombre every amount below that applies."
    return (
        "Besides, the amounts below that apply are paid. A Hombre who played alone gets them from "
        f"each adversary. When two have played together, {_ALLIES_PAID[r('payments.allies_paid')]}."
    )


# --- matadors ---------------------------------------------------------------------------------

_THEIRS: Final = {
    "not_paid": "Matadors that the adversaries hold are not paid.",
    "to_holders": "Matadors that the adversaries hold between them are paid to them in the same "
    "way, however the game ends.",
    "to_winners": "Matadors that the adversaries hold between them are paid in the same way to "
    "whoever wins the game.",
}
_PAID_AT: Final = {
    "all": "",
    "double_only": "three matadors earn nothing; only all four are paid.",
    "favourite_or_vole": "they are paid only in the favourite suit, or if the vole is made.",
    "none": "no matadors are paid.",
}


def _matador_bids(r: Reader) -> list[str]:
    return [b for b in r.with_("trump", "suit") if r.of(b, "matadors") != "none"]


def _matadors(r: Reader) -> str:
    """What matadors earn."""
    if "matadors" not in earning(r):
        return ""
    held = "if the Hombre's side holds them, in one hand or between the two,"
    if not r.allied or r("payments.matadors_held_by") == "hombre":
        held = "if the Hombre alone holds them,"
    text = f"The three matadors, {held} earn {much(r, 'matadors.three')}."
    if r.is_paid("matadors.four"):
        red = "" if r("payments.matadors_four_in_black") else ", if trumps are red,"
        more = "more" if r("payments.matadors_cumulative") else "instead"
        text += f" With the fourth trump as well{red} they earn {much(r, 'matadors.four')} {more}."
        if r("payments.matadors_past_four") == "as_the_fourth":
            text += (
                " Each trump that follows without a gap earns as much again as the fourth adds to "
                "three."
            )
    said = grouped(r, r.with_("trump", "suit"), lambda bid: _PAID_AT[r.bid(bid, "matadors")])
    text += f" {said}" if said else ""
    if r.with_("exchange", True):
        when = {
            "as_dealt": "as the cards were dealt",
            "as_played": "as the cards are held after an exchange",
        }
        text += f" Matadors are counted {when[r('payments.matadors_counted')]}."
    return text


# --- single persons, and the fund -------------------------------------------------------------


def secret_solos(r: Reader) -> list[str]:
    """The bids at which one can play alone by calling one's own card."""
    return [
        b
        for b in r.allied
        if not from_others(r, b)
        and (r.of(b, "call.own_card") != "never" or r.of(b, "call.fallback") == "own_king")
    ]


def _persons(r: Reader) -> Texts:
    solo = plain_solo(r)
    premiums = [*secret_solos(r), *([solo] if solo else [])]
    if secret_solos(r) and any(r.is_paid(f"premium.{b}") for b in premiums):
        name = r.title(solo) if solo else "a solo"
        which = (
            f"of {name}"
            if r("payments.own_card_premium")
            else f"that the table has for the game bid, if any, and not that of {name}"
        )
        yield (
            "secret_solo",
            (
                "Whoever calls a card of their own plays alone, and wins or loses the premium "
                f"{which}. In everything else it goes as for any Hombre who plays alone."
            ),
        )
    exchanging = [] if r.points else r.with_("exchange", True)
    if any(r.is_paid(f"premium.{b}") for b in exchanging):
        pays = "pays" if r("exchange.giver_pays_premium") else "does not pay"
        gets = "receives" if r("exchange.giver_receives_premium") else "does not receive"
        yield (
            "giver",
            (
                f"The player who handed over the called card in {titles(r, exchanging)} {pays} "
                f"the game premium when the game is won, and {gets} it when it is lost. "
                "Everything else, matadors and premiers, the vole, the pool at a codille, goes as "
                "for the others."
            ),
        )
    if exchanging and r.is_paid("king"):
        yield (
            "king",
            (
                f"In {titles(r, exchanging)} the Hombre pays {much(r, 'king')} to whoever gave up "
                "the called card, however the game ends."
            ),
        )

    def claimed(bid: str) -> str:
        items = r.bid(bid, "claimed")
        named = listed(ITEMS[i] for i in items)
        late = "must be claimed before the next deal is dealt, or it is lost."
        return f"what is won for {named} {late}" if items else ""

    yield "claims", grouped(r, r.played, claimed)


_FUND: Final = {
    "fund_game": ("a game won", "the winners"),
    "fund_vole": ("the vole", "those who make it"),
    "fund_vole_stakes": ("the vole", "those who make it"),
    "fund_codille": ("a codille", "the adversaries"),
}


def _fund(r: Reader) -> Texts:
    """What is drawn out of a fund beside the pool."""
    rows = [(leaf, bid) for leaf in _FUND for bid in r.played if r.is_paid(f"{leaf}.{bid}")]
    if r.points or not rows:
        return
    yield Head("fund")
    yield (
        "fund",
        (
            "Beside the pool there is a fund, into which nobody pays by these rules. Besides all "
            "other payments, the amounts of the table below are drawn out of it."
        ),
    )
    columns = ("for", "each of", "draws", "in favourite")[: len(r.tables) + 2]
    yield Head("fund_table", "What is drawn out of the fund", columns)
    for leaf, bid in rows:
        of_stake = leaf in ("fund_vole_stakes", "fund_codille")
        what, who = _FUND[leaf]
        drawn = table_amounts(
            r,
            f"{leaf}.{bid}",
            lambda r, amount, of_stake=of_stake: (
                (  # type: ignore[misc]
                    f"{amount} × the stake" if of_stake else units(r, amount)
                )
                if amount
                else "–"
            ),
        )
        yield f"{leaf}.{bid}", (f"{what} at {r.title(bid)}", who, *drawn)


# --- a game lost ------------------------------------------------------------------------------


def shared(r: Reader) -> list[str]:
    """The bids whose loss two allies may share."""
    return [b for b in r.allied if r.of(b, "loss_borne") != "hombre"]


def no_codille(r: Reader) -> bool:
    """Whether no game can be lost as a codille."""
    return all(r.of(b, "lost_as") == "remise" for b in r.played)


def _outcomes(r: Reader) -> list[str]:
    return ["remise"] if no_codille(r) else ["remise", "codille"]


def losing(r: Reader) -> Texts:
    """What a lost game costs."""
    yield Head("bearers")
    text = grouped(r, r.allied, lambda bid: _borne(r, bid), r.played)
    yield "bearers", f"Whoever plays alone bears the loss alone. {text}" if text else ""
    yield Head("beast")
    yield "additions", _points_lost(r) if r.points else _additions(r)
    if r.losses_add:
        yield "penalty", grouped(r, shared(r), lambda b: _PENALTY[r.bid(b, "pool_penalty")])
        yield "beasts", _beasts(r)
    if not r.points and not no_codille(r):
        yield from _sweep(r)
    yield Head("items")
    yield from _lost_items(r)
    yield "no_trick", _no_trick(r)
    yield "owed", _owed(r)


_PENALTY: Final = {
    "hombre": "the Hombre alone puts this in, even when both allies bear the loss; the ally then "
    "shares only what is paid to the adversaries.",
    "as_borne": "allies who share the loss put this in by halves.",
}


def _borne(r: Reader, bid: str) -> str:
    """Who bears a loss."""
    how = r.bid(bid, "loss_borne")
    if how == "hombre":
        return "the Hombre bears the whole loss, and the ally pays nothing."
    text = "both allies bear the loss"
    if how == "shared_if_hombre_made" and (least := r.bid(bid, "hombre_least_tricks")):
        text += f" if the Hombre's own tricks are at least {number(least)}"
    if exempt := r.bid(bid, "ally_exempt_tricks"):
        text += f", unless the ally's own tricks are at least {number(exempt)}"
    alone = "; otherwise the Hombre bears it alone"
    return f"{text}{alone * (text != 'both allies bear the loss')}."


def _points_lost(r: Reader) -> str:
    costs = [f"a {end} costs {counters(r, r.amount(f'score.{end}'))}" for end in _outcomes(r)]
    who = "each of those who bear it" if shared(r) else "the Hombre"
    return f"{capital(listed(costs))}, to {who}."


def _additions(r: Reader) -> str:
    """What is put into the pool."""
    if r.knows("multiplier.after_losses") == "counted" and r("multiplier.loss_adds") == "instead":
        return (
            "A lost game puts nothing into the pool; the games that follow count for more instead "
            "(see below)."
        )
    said = []
    for outcome in _outcomes(r):
        n = r(f"loss.{outcome}_adds")
        often = "" if n == 1 else f"{times(n)} "
        size = f"{often}as much as the stake" if r.beasts_of_pool else f"{often}a beast"
        said.append(f"after a {outcome} {size if n else 'nothing'}")
    beast = " as a beast" if r.beasts_of_pool else ""
    return f"The loser puts into the pool{beast}: {', '.join(said)}."


def _beasts(r: Reader) -> str:
    """The size of a beast, and where it goes."""
    text = ""
    if not r.beasts_of_pool:
        first = counters(r, r("loss.beast_first"))
        text = {
            "doubling": f"The first beast is {first}, and each is twice the size for every beast "
            "not yet won. ",
            "by_firsts": f"The first beast is {first}; with one not yet won the next is twice "
            "that, with two three times, and so on. ",
            "always_first": f"Every beast is {first}. ",
        }[r("loss.beast_size")]
    if r("loss.beasts") == "wait":
        text += (
            "A beast is put apart at first. Before the next deal, if no beast lies in the pool, "
            "one of those put apart goes into it, the largest first; the others wait until that "
            "one has been taken."
        )
    return text.strip()


def _sweep(r: Reader) -> Texts:
    """What happens to the pool at a codille."""
    adds = r.losses_add and r.knows("loss.codille_adds")
    stays = r("loss.codille_pool") == "stays"
    if stays:
        yield "sweep", "At a codille, too, the pool stays where it is."
    else:
        before = ", as it lay before the loser put anything in" if adds else ""
        text = f"At a codille the adversaries share the pool equally{before}."
        if drawn := r("loss.codille_draws"):
            text = (
                f"At a codille each adversary draws {counters(r, drawn)} from the pool{before}, or "
                "an equal share if it holds too few."
            )
        yield "sweep", text
        yield "unshared", _unshared(r)
    if adds and r.beasts_of_pool:
        taken = r("loss.codille_base") == "taken"
        if taken and stays:
            yield "base", "As nothing is taken out of it, the codille adds nothing."
        elif taken:
            yield (
                "base",
                (
                    "What the loser adds is reckoned on what they have taken; if they take "
                    "nothing, nothing is added."
                ),
            )
        elif not stays:
            yield (
                "base",
                (
                    "What the loser adds is reckoned on the stake as it was before they took their "
                    "share."
                ),
            )


def _unshared(r: Reader) -> str:
    """When the pool stays where it is for all that."""
    when = []
    staked = r.knows("stakes.ante") or r.knows("stakes.dealer_adds")
    if staked and (least := r("loss.codille_shared_from")) > 1:
        when.append(f"if it holds less than {times(least)} what one deal puts in")
    if r("loss.codille_indivisible") == "stays":
        when.append(
            "if there are three or more adversaries and it does not divide among them into whole "
            "counters, whatever is done with odd counters elsewhere"
        )
    return f"But it stays where it is, all of it, {', or '.join(when)}." if when else ""


def _lost_items(r: Reader) -> Texts:
    """What is paid to the adversaries."""
    who = "each of those who bear the loss loses" if r.points else "each adversary is paid"
    for outcome in _outcomes(r):
        items = [ITEMS[i] for i in earning(r) if i in r(f"loss.{outcome}_pays")]
        often = r("loss.codille_items_times") if items and outcome == "codille" else 1
        over = f" {times(often)}" if often > 1 else ""
        due = f"{who} what {listed(items)} would have earned{over}"
        yield outcome, f"After a {outcome} {due if items else 'nothing else is paid'}."
    played = _missed_voles(r)
    ends = [end for end in _outcomes(r) if "vole" in r.knows(f"loss.{end}_pays")]
    if played and ends:
        for end in ends:
            r(f"loss.{end}_pays")
        yield (
            "lost_vole",
            (
                f"After a {' or a '.join(ends)} {who} the vole premium as well, once, but only if "
                f"a vole was {listed(played, 'or')}."
            ),
        )


def costs(r: Reader, level: str, bid: str) -> bool:
    """Whether a vole missed costs anything, in favourite or out of it: a price of its own, or its
    premium."""
    return any(
        r.knows(f"{table}.vole_lost.{bid}") != 0
        and (
            r.knows(f"{table}.vole_lost.{bid}") is not None
            or r.knows(f"{table}.vole_premium.{level}.{bid}") not in (None, 0)
        )
        for table in r.tables
    )


def _missed_voles(r: Reader) -> list[str]:
    """The ways to play for the vole that can end in a loss to which its premium belongs, and where
    it is not owed anyway."""
    ways = [(level, b) for level, b in r.voles if costs(r, level, b)]
    begun = [
        b
        for level, b in ways
        if level == "undertaken"
        and (r.of(b, "goal") != "at_least" or r.of(b, "tricks") > r.knows("premiers.tricks"))
    ]
    announced = [b for level, b in ways if level != "undertaken"]
    found = {"undertaken": begun, "announced": announced}
    return [
        level
        for level, bids in found.items()
        if bids and not r.knows(f"vole.{level}_failed_premium")
    ]


def _no_trick(r: Reader) -> str:
    """What it costs to make no trick at all."""
    due = [b for b in r.played if r.is_paid(f"vole_premium.undertaken.{b}")]
    if r.points or not due or (measured := r("loss.devole")) == "not_paid":
        return ""
    who = "the Hombre's side loses" if measured == "side" and r.allied else "the Hombre loses"
    others = [b for b in due if b not in r.undertaken]
    amounts = listed(f"{much(r, f'vole_premium.undertaken.{b}')} in {r.title(b)}" for b in others)
    besides = " Where no vole may be undertaken, it is paid all the same: "
    return (
        f"If {who} without having made a single trick, each adversary is paid the premium of an "
        f"undertaken vole as well: this is the dévole.{f'{besides}{amounts}.' if amounts else ''}"
    )


def _owed(r: Reader) -> str:
    """How allies who share a loss pay."""
    if r.points or not shared(r):
        return ""
    if r("loss.allies_pay") == "as_received":
        if r.knows("payments.allies_paid") == "each_opponent_each_ally":
            return (
                "But allies who share the loss each pay every adversary the whole of it, as each "
                "adversary would have paid the whole to each of them; a Hombre who bears it alone "
                "pays each adversary once."
            )
        return "But allies who share the loss pay those who would have paid them, and as much."
    if halves(r):
        return "Allies who share the loss pay each adversary by halves."
    return (
        "Allies who share the loss pay one adversary each: the Hombre pays the one who sits first "
        "from the eldest hand on, the ally pays the other."
    )


# --- the vole ---------------------------------------------------------------------------------


def vole_payments(r: Reader) -> Texts:
    """What the vole earns and costs."""
    if not r.voles:
        return
    amounts = _vole_amounts(r)
    yield Head("vole_pool")
    if "vole_premium" in amounts:
        yield (
            "vole_won",
            "A vole that is made earns the vole premium of the table below."
            + (
                ""
                if r.points
                else " It is paid besides all that the game earns, by the same players to the same."
            ),
        )
    if "vole_stake" in amounts:
        yield (
            "vole_pool",
            "What each would have staked for the vole is what it is worth besides its premium."
            if r.points
            else "A vole is played for a pool of its own: as soon as it is undertaken or "
            "announced, every player stakes the amount in the table below. Whoever makes the vole "
            "takes that pool, and allies halve it; if it is missed, the adversaries share it.",
        )
    extra = " (in favourite)" if len(r.tables) > 1 else ""
    columns = ("vole", *(f"{name}{extra}" for name in amounts.values()))
    yield Head("vole_table", "What the vole is worth", columns)
    for level, bid in r.voles:
        if any(r.is_paid(f"{rows}.{level}.{bid}") for rows in amounts):
            cells = (_vole_cell(r, rows, level, bid) for rows in amounts)
            yield f"{level}.{bid}", (f"{r.title(bid)}, {level}", *cells)
    yield Head("vole_lost")
    yield "vole_lost", _vole_lost(r)
    if any(level != "undertaken" and costs(r, level, bid) for level, bid in r.voles):
        to = "" if r.points else ", paid to each of the adversaries"
        where = (
            "once, whatever becomes of the game"
            if r("vole.announced_failed_premium")
            else "only where a lost game is said to cost it"
        )
        yield "announced_lost", f"A vole announced and missed costs the vole premium {where}{to}."
    bids = list(dict.fromkeys(bid for _, bid in r.voles))
    yield "vole_price", grouped(r, bids, lambda bid: _vole_price(r, bid))


def _vole_amounts(r: Reader) -> dict[str, str]:
    """Which of the vole's amounts there are, with their headings."""
    plain = r.knows("vole.stake_in") == "counters" and r.knows("stakes.unit_of") == "stake"
    staked = "counters" if plain and not r.points else unit_word(r)
    named = {
        "vole_premium": f"vole premium, {unit_word(r)}",
        "vole_stake": f"each stakes, {staked}",
    }
    return {
        rows: name
        for rows, name in named.items()
        if any(r.is_paid(f"{rows}.{level}.{bid}") for level, bid in r.voles)
    }


def _vole_cell(r: Reader, rows: str, level: str, bid: str) -> str:
    plain = rows == "vole_stake" and r("vole.stake_in") == "counters"
    show = (lambda r, amount: str(amount or "–")) if plain else short_units
    found = table_amounts(r, f"{rows}.{level}.{bid}", show)
    return f"{found[0]} ({found[1]})" if len(found) > 1 else found[0]


def _vole_price(r: Reader, bid: str) -> str:
    """What a vole costs when it is missed, where that is not its premium."""
    if all(r.knows(f"{table}.vole_lost.{bid}") is None for table in r.tables):
        return ""
    prices = dict.fromkeys(
        "the vole premium" if r(path) is None else worth(r, path)
        for path in (f"{table}.vole_lost.{bid}" for table in r.tables)
    )
    price = listed(prices, "or, in favourite,")
    return f"wherever a vole that is missed costs the vole premium, it costs {price} instead."


def _vole_lost(r: Reader) -> str:
    """What an undertaken vole costs when it is missed."""
    if not r.undertaken:
        return ""
    keeps = r("vole.undertaken_failed_keeps")
    lost = listed(ITEMS[item] for item in earning(r) if item not in keeps)
    text = "A game in which a vole was undertaken and missed is still won, " + (
        f"but earns nothing for {lost}" if lost else "and paid as such"
    )
    if not any(costs(r, "undertaken", bid) for bid in r.undertaken):
        return f"{text}."
    if not r("vole.undertaken_failed_premium"):
        return f"{text}; the vole premium is neither earned nor owed."
    text += f"; but the vole premium must be paid{'' if r.points else ' to the adversaries'}"
    if not [b for b in r.undertaken if b in r.allied]:
        return f"{text}."
    who = {
        "as_game": "whoever would have borne the loss of the game",
        "allies": "both allies or by a Hombre without one",
    }[r("vole.undertaken_failed_borne")]
    if r.points:
        return f"{text}, by {who}."
    how = {"as_received": "as it would have been received", "once_each": "once to each of them"}
    return f"{text}, by {who}, {how[r('vole.undertaken_failed_paid')]}."


# --- games that count several times, and what plugins add --------------------------------------

_STAKE: Final = {
    "single": "The pool is won, and added to, once only.",
    "penalty": "The pool is won once only, but a lost game adds that many times as much to it.",
    "raised": "The pool is first raised that many times by all players in equal parts, unless it "
    "is left standing.",
    "made_good": "The losers of such a game pay the winners what the pool lacks of so many stakes, "
    "and a lost game adds that many times as much to the pool.",
}


def several_times(r: Reader) -> Texts:
    """Games that count several times."""
    yield Head("several_times")
    counted = r("multiplier.after_losses") == "counted"
    yield (
        "counted",
        "After a lost game the next counts double, after two lost in a row threefold, and so on, "
        "until one is won." * counted,
    )
    doubles = r.knows("favourite.source") != "none" and r.knows("favourite.doubles") == "game"
    if not r.points and (counted or doubles):
        yield (
            "multiplied_stake",
            (
                "Whenever a game counts several times, so does every payment between the players. "
                f"{_STAKE[r('multiplier.stake')]}"
            ),
        )


_WHO: Final = {
    "hombre": "the Hombre",
    "ally": "the ally",
    "offender": "the offender",
    "pool": "the pool",
    "side": "each of the Hombre's side",
    "adversaries": "each of the adversaries",
    "others": "each of the others",
    "all": "each of all players",
}


_ENDS: Final = {
    "won": "the game is won",
    "remise": "it ends in a remise",
    "codille": "it ends in a codille",
}


def other_payments(r: Reader) -> Texts:
    """What plugins add."""
    yield Head("added")
    yield "added", " ".join(_added(r))


def _added(r: Reader) -> Iterator[str]:
    happened = {o["id"]: o["doc"] for path in own_records(r, "incidents") for o in r.knows(path)}
    for row in [row for path in own_records(r, "payments") for row in r(path)]:
        if row.get("when") and not r(row["when"]):
            continue
        amount = r.amount(row["amount"])
        text = (units if row.get("unit") == "units" else counters)(r, amount)
        limits: dict[str, Callable[[Any], str]] = {
            "contracts": lambda bids: f"in {listed((r.title(b) for b in bids), 'or')}",
            "trumps": lambda suits: f"with {suits_of(suits)} as trumps",
            "incident": lambda one: f"if {happened.get(one, one)}",
            "outcomes": lambda ends: f"if {listed((_ENDS[end] for end in ends), 'or')}",
            "counted": lambda _: "as many times as the game counts",
        }
        told = "".join(f", {say(row[key])}" for key, say in limits.items() if row.get(key))
        yield (
            f"{capital(row['reason'])}: {_WHO[row['payer']]} pays {text} to {_WHO[row['payee']]}"
            f"{told}."
        )


def incidents(r: Reader) -> Texts:
    """The laws that plugins add."""
    yield Head("incidents")
    for path in own_records(r, "incidents"):
        for one in r(path):
            r(one["rule"])
            yield one["id"], f"{capital(one['says'].strip().rstrip('.'))}."
