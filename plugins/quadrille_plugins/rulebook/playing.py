"""The sections on the play of the cards, on premiers and the vole, and on how a game is won or
lost."""

from collections.abc import Iterator
from typing import Final

from quadrille_plugins.rulebook.book import Draft, Reader, draft
from quadrille_plugins.rulebook.paying import worth
from quadrille_plugins.rulebook.words import card, number, quantity, titles
from quadrille_plugins.shell.values import capital, grouped, listed

# --- the play ---------------------------------------------------------------------------------


def first_lead(r: Reader) -> str:
    """Who leads."""
    who = {"eldest": "The eldest hand", "hombre": "The Hombre"}[r("play.first_lead")]
    return f"{who} leads to the first trick, and the winner of each trick leads to the next."


def following(r: Reader) -> str:
    """The duty to follow suit."""
    del r
    return (
        "You must follow suit if you can; if you cannot, you may play any card, and need not "
        "trump. The highest trump wins the trick or, if there is none in it, the highest card of "
        "the suit led."
    )


def privilege(r: Reader) -> str:
    """Whether matadors may be withheld, and when they are forced."""
    if not r.with_("trump", "suit"):
        return ""
    if r("forcing.renege") == "barred":
        return "A trump lead must be followed with any trump you hold, matadors among them."
    forced = {
        "led": "only a higher matador that was led to the trick forces it; one that falls later "
        "in the trick does not",
        "played": "only a higher matador forces it, whether that was led or has been played to "
        "the trick since",
    }[r("forcing.forced_by")]
    return (
        "Matadors have a privilege. If trumps are led and you have no other trump than matadors, "
        f"you may renege: keep them back, and play any other card instead. A matador loses this "
        f"right to a higher one alone: {forced}. So Spadille can never be forced, nor can any "
        "matador be forced by an ordinary trump."
    )


def several(r: Reader) -> str:
    """Several matadors of which some are forced."""
    if not r.with_("trump", "suit") or r("forcing.renege") == "barred":
        return ""
    then = {
        "any_trump": "you must play one of your matadors, but may choose which",
        "alternative_excuses": "you need not play any of them, for the free one could be played "
        "in place of the other",
        "inferior_only": "you must play one that is forced",
    }[r("forcing.among_several")]
    return (
        f"If you hold several matadors and no other trump, and a higher one forces some of "
        f"them but not all, {then}."
    )


def aces_alone(r: Reader) -> str:
    """Whether the black aces keep the privilege without a trump suit."""
    if not r.with_("trump", "none"):
        return ""
    if r.with_("trump", "suit") and r.knows("forcing.renege") == "barred":
        return ""
    if r("forcing.renege") == "barred":
        return ""
    if r("forcing.at_no_trump") == "ordinary":
        return (
            "Where no suit is trumps the black aces have no such right: if one is led, the "
            "other must follow."
        )
    return (
        "Where no suit is trumps the black aces have the same right: Spadille may be kept back "
        "when Basto is led, but not Basto when Spadille is led."
    )


def exceptions(r: Reader) -> str:
    """Single cases decided otherwise."""
    found = grouped(
        ((cell["trump"], cell["after"], cell["allowed"]), cell["card"])
        for cell in r("forcing.exceptions") or []
    )
    parts = []
    for (trump, after, allowed), held in found.items():
        when = "Where no suit is trumps" if trump == "none" else f"When {trump} are trumps"
        what = listed((card(c) for c in held), "or")
        forced = (
            "led"
            if r.knows("forcing.forced_by") == "led"
            else "led or played as the highest matador"
        )
        parts.append(
            f"{when} and {card(after)} is {forced}, you {'may' if allowed else 'may not'} keep "
            f"back {what}."
        )
    return " ".join(parts)


def stopping(r: Reader) -> str:
    """Whether the play may end when the game is made."""
    if not r.with_("goal", "at_least"):
        return ""
    if r("play.claim_won"):
        return (
            "A player of the Hombre's side who is on lead, and whose side is known to have made "
            "the tricks of the game, may end the play there."
        )
    return ""


def play(r: Reader) -> Iterator[Draft]:
    """How tricks are played."""
    yield draft("tricks", first_lead, following)
    yield draft("forcing", privilege, several, aces_alone, exceptions)
    yield draft("stopping", stopping)


# --- premiers and the vole --------------------------------------------------------------------


def undertaken(r: Reader) -> list[str]:
    """The bids at which the vole may be undertaken in the play."""
    bids = [b for b in r.played() if r.of(b, "may_undertake_vole") and not r.of(b, "is_vole")]
    return bids if r.knows("premiers.tricks") < r.knows("table.hand_cards") else []


def premiers(r: Reader) -> str:
    """What premiers are, and where they are paid."""
    bids = r.played()
    paid = [b for b in bids if r.bid(b, "premiers")]
    if not paid:
        return ""
    tricks = number(r("premiers.tricks"))
    who = "the Hombre's side wins"
    if r.allied() and r("payments.premiers_won_by") == "hombre":
        who = "the Hombre, without the ally's help, wins"
    where = "" if paid == bids else f" in {titles(r, paid)}"
    won = f"{where} if {who} every one of the first {tricks} tricks"
    if not worth(r, "premiers"):
        return f"Premiers are counted{won}; no amount is set for them, so that they earn nothing."
    return f"Premiers are paid for{won}."


_STOPPING: Final = (
    "must either end the play there, with the game won, or undertake the vole by "
    "leading to the next trick"
)
_SAYING: Final = (
    "must say whether the side now undertakes the vole; if not, the other tricks "
    "are played for the game alone"
)


def undertaking(r: Reader) -> str:
    """Undertaking the vole when the first tricks are won."""
    bids = undertaken(r)
    for bid in bids:
        r.bid(bid, "may_undertake_vole")
    if not bids:
        return ""
    first = r("premiers.tricks")
    early = [b for b in bids if r.of(b, "tricks") <= first] if r("premiers.claim") else bids
    going_on = _STOPPING if r("premiers.claim") and early else _SAYING
    where = "" if (early or bids) == r.played() else f"In {titles(r, early or bids)}, "
    start = (
        f"{where}when the Hombre's side has won the first {number(first)} tricks without a break"
    )
    text = f"{capital(start)}, whoever won the last of them {going_on}."
    if early and early != bids:
        late = [b for b in bids if b not in early]
        text += (
            f" In {titles(r, late)}, where these do not win the game yet, that player {_SAYING}."
        )
    if r.allied() and r("vole.waits_for_ally"):
        text += (
            " Two allies decide it only once the called card has been played; until then "
            "they play on unpaid."
        )
    return text


def agreeing(r: Reader) -> str:
    """How allies agree."""
    bids = [b for b in undertaken(r) if r.of(b, "partner") == "called"]
    if not bids:
        return ""
    text = "Two allies must both want it: the one on lead asks the other, who says yes or no"
    if r("vole.consultation") == "ask_or_declare":
        text = (
            "Of two allies, the one on lead either undertakes it for both or asks the other, "
            "who says yes or no"
        )
    elif r("vole.consultation") == "silent":
        text = (
            "Of two allies, the one on lead decides alone and without a word, by leading on or not"
        )
    elif r("vole.alone_decides"):
        text += "; but the Hombre, having won all those tricks alone, may decide without asking"
    return f"{text}."


def ally_known(r: Reader) -> str:
    """When the ally becomes known through the vole."""
    hidden = [b for b in r.allied() if r.of(b, "ally_known") == "when_played"]
    asked = [b for b in hidden if b in undertaken(r)]
    early = [b for b in hidden if b in before_lead(r)]
    if not asked and not early:
        return ""
    if r("vole.ally_known") == "beforehand":
        parts = ["before this is decided the ally is made known"] if asked else []
        if early:
            parts.append("before the first lead the Hombre may ask who the ally is")
        return f"{capital(listed(parts))}."
    return (
        "An ally not yet known becomes known by speaking of the vole, and in any case once it "
        "is undertaken."
    )


def before_lead(r: Reader) -> list[str]:
    """The bids at which the Hombre may announce the vole when the auction is over."""
    if r.knows("vole.announced_until") != "first_lead":
        return []
    return [b for b in r.played() if r.of(b, "vole_before_lead") and r.of(b, "goal") == "at_least"]


def reachable(r: Reader) -> list[tuple[str, str]]:
    """The ways in which a vole can be played for, with their bids."""
    found = [("undertaken", b) for b in undertaken(r)]
    for bid in r.played():
        how = r.of(bid, "vole_with_bid") if r.of(bid, "made") == "in_turn" else "none"
        if r.of(bid, "is_vole") or how != "none" or bid in before_lead(r):
            found.append(("announced", bid))
        if how == "announced_or_revealed":
            found.append(("revealed", bid))
    return found


def announced(r: Reader) -> str:
    """Where the vole may be announced, and how."""
    parts: list[str] = []
    only: list[str] = []
    shown: list[str] = []
    for bid in r.ladder():
        if r.of(bid, "is_vole"):
            r.bid(bid, "is_vole")
            parts.append(f"To bid {r.title(bid)} is to announce the vole.")
        (
            only
            if (how := r.bid(bid, "vole_with_bid")) == "announced"
            else shown
            if how != "none"
            else []
        ).append(bid)
    if only:
        parts.append(f"With {titles(r, only, 'or')} you may announce the vole as you bid.")
    if shown:
        parts.append(
            f"With {titles(r, shown, 'or')} you may announce the vole as you bid, or reveal it, "
            "which is to announce it and play with your cards laid open."
        )
    r("vole.announced_until")
    if late := before_lead(r):
        for bid in late:
            r.bid(bid, "vole_before_lead")
        games = "any game" if late == r.played() else titles(r, late, "or")
        parts.append(
            f"In {games} the Hombre may also announce it when trumps are named and the card is "
            "called, before the first card is led."
        )
    if parts:
        parts.append("A vole that is announced obliges the Hombre's side to win all the tricks.")
    return " ".join(parts)


def the_vole(r: Reader) -> Iterator[Draft]:
    """Premiers and the vole."""
    yield draft("premiers", premiers)
    yield draft("undertaking", undertaking, agreeing, ally_known)
    yield draft("announced", announced)


# --- how a game ends --------------------------------------------------------------------------


def remise_and_codille(r: Reader) -> str:
    """What a lost game is."""
    bids = r.played()
    by_tricks = [b for b in bids if r.bid(b, "lost_as") == "by_tricks"]
    always = [b for b in bids if b not in by_tricks]
    parts = []
    if by_tricks:
        short = r("loss.remise_short")
        example = ""
        counted = {r.of(b, "tricks") for b in by_tricks if r.of(b, "goal") == "at_least"}
        if len(counted) == 1 and short == 1 and (needed := counted.pop()) > 1:
            example = f", with {number(needed - 1)} tricks where {number(needed)} are wanted"
        parts.append(
            f"A lost game is a remise or a codille. If you fall short by no more than "
            f"{quantity(short, 'trick', 'tricks')}{example}, it is a remise; by more, a codille."
        )
        if none := [b for b in by_tricks if r.of(b, "goal") == "none"]:
            parts.append(f"In {titles(r, none)} each trick you win is one by which you fall short.")
    if always:
        what = "a lost game" if by_tricks else "a lost game, however many tricks are missing,"
        parts.append(
            f"In {titles(r, always)} {what} is always a remise."
            if by_tricks
            else f"{capital(what)} is a remise."
        )
    return " ".join(parts)


def missed(r: Reader) -> str:
    """What becomes of a game whose announced vole is missed."""
    bids = [
        b
        for b in r.played()
        if r.of(b, "is_vole") or r.of(b, "vole_with_bid") != "none" or b in before_lead(r)
    ]
    if not bids:
        return ""
    frozen = r("vole.announced_failed") == "stake_frozen"
    levels = [b for b in bids if r.of(b, "goal") != "at_least"]
    tricks = listed(dict.fromkeys(number(r.bid(b, "tricks")) for b in levels), "or")
    made = f"at least {tricks} tricks" if len(levels) == len(bids) else "the tricks of the game"
    if levels and len(levels) < len(bids):
        made += f" (in {titles(r, levels)}, {tricks})"
    kept = (
        "nothing of the game is won, lost or paid, neither its premium nor matadors nor "
        "premiers; only the vole is, as said below"
        if r.points()
        else (
            "the pool stays where it is, and nothing of the game is paid, neither its premium "
            "nor matadors nor premiers; only the vole is, as said below"
        )
    )
    then = kept if frozen else "the whole game is lost, as a remise"
    text = f"If an announced vole is missed, but {made} were made, {then}."
    below = r("vole.announced_below_game")
    alone = r("vole.announced_lost_pays") == "game_alone"
    then = (
        "the game is a remise, however many are missing."
        if below == "remise"
        else "the game is a remise or a codille by the tricks that are missing."
    ) + " Of what a game lost in this way costs, the game alone is paid, and no other item." * alone
    return f"{text} If not even those were made, {then}"


def ending(r: Reader) -> Iterator[Draft]:
    """How a game is won or lost."""
    yield draft("lost", remise_and_codille)
    yield draft("missed", missed)
