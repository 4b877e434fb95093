"""The sections on the play of the cards, on premiers and the vole, and on how a game is won or
lost."""

from typing import Final

from quadrille_plugins.output.values import listed
from quadrille_plugins.rulebook.book import Head, Reader, Texts
from quadrille_plugins.rulebook.words import capital, card, number, quantity, titles

# --- the play ---------------------------------------------------------------------------------

_SEVERAL: Final = {
    "any_trump": "you must play one of your matadors, but may choose which",
    "alternative_excuses": "you need not play any of them, for the free one could be played in "
    "place of the other",
    "inferior_only": "you must play one that is forced",
}


def play(r: Reader) -> Texts:
    """How tricks are played."""
    yield Head("tricks")
    who = {"eldest": "The eldest hand", "hombre": "The Hombre"}[r("play.first_lead")]
    yield "first_lead", f"{who} leads to the first trick, and the winner of each leads to the next."
    yield (
        "following",
        (
            "You must follow suit if you can; if you cannot, you may play any card, and need not "
            "trump. The highest trump wins the trick or, if there is none in it, the highest card "
            "of the suit led."
        ),
    )
    yield Head("forcing")
    yield from _forcing(r)
    yield "exceptions", _exceptions(r)
    yield Head("stopping")
    if r.with_("goal", "at_least") and r("play.claim_won"):
        yield (
            "stopping",
            (
                "A player of the Hombre's side who is on lead, and whose side is known to have "
                "made the tricks of the game, may end the play there."
            ),
        )


def _forcing(r: Reader) -> Texts:
    """Whether matadors may be withheld, and when they are forced."""
    suits = bool(r.with_("trump", "suit"))
    if r("forcing.renege") == "barred":
        barred = "A trump lead must be followed with any trump you hold, matadors among them."
        yield "privilege", barred * suits
        return
    if suits:
        forced = {
            "led": "only a higher matador that was led to the trick forces it; one that falls "
            "later in the trick does not",
            "played": "only a higher matador forces it, whether that was led or has been played "
            "to the trick since",
        }[r("forcing.forced_by")]
        yield (
            "privilege",
            (
                "Matadors have a privilege. If trumps are led and you have no other trump than "
                "matadors, you may renege: keep them back, and play any other card instead. A "
                f"matador loses this right to a higher one alone: {forced}. So Spadille can never "
                "be forced, nor can any matador be forced by an ordinary trump."
            ),
        )
        yield (
            "several",
            (
                "If you hold several matadors and no other trump, and a higher one forces some of "
                f"them but not all, {_SEVERAL[r('forcing.among_several')]}."
            ),
        )
    if r.with_("trump", "none"):
        yield (
            "aces_alone",
            {
                "ordinary": "Where no suit is trumps the black aces have no such right: if one is "
                "led, the other must follow.",
                "privileged": "Where no suit is trumps the black aces have the same right: "
                "Spadille may be kept back when Basto is led, but not Basto when Spadille is led.",
            }[r("forcing.at_no_trump")],
        )


def _exceptions(r: Reader) -> str:
    """Single cases decided otherwise."""
    found: dict[tuple[str, str, bool], list[str]] = {}
    for cell in r("forcing.exceptions") or []:
        found.setdefault((cell["trump"], cell["after"], cell["allowed"]), []).append(cell["card"])
    led = r.knows("forcing.forced_by") == "led"
    forced = "led" if led else "led or played as the highest matador"
    return " ".join(
        f"{'Where no suit is' if trump == 'none' else f'When {trump} are'} trumps and "
        f"{card(after)} is {forced}, you {'may' if allowed else 'may not'} keep back "
        f"{listed(map(card, held), 'or')}."
        for (trump, after, allowed), held in found.items()
    )


# --- premiers and the vole --------------------------------------------------------------------


def the_vole(r: Reader) -> Texts:
    """Premiers and the vole."""
    yield Head("premiers")
    if paid := [b for b in r.played if r.bid(b, "premiers")]:
        alone = r.allied and r("payments.premiers_won_by") == "hombre"
        who = "the Hombre, without the ally's help, wins" if alone else "the Hombre's side wins"
        where = "" if paid == r.played else f" in {titles(r, paid)}"
        won = f"{where} if {who} every one of the first {number(r('premiers.tricks'))} tricks"
        unpaid = "; no amount is set for them, so that they earn nothing"
        yield "premiers", f"Premiers are counted{won}{'' if r.is_paid('premiers') else unpaid}."
    yield Head("undertaking")
    yield "undertaking", _undertaking(r)
    yield "agreeing", _agreeing(r)
    hidden = [b for b in r.allied if r.of(b, "ally_known") == "when_played"]
    asked = [b for b in hidden if b in r.undertaken]
    early = [b for b in hidden if b in r.before_lead]
    if asked or early:
        before = ["before this is decided the ally is made known"] if asked else []
        if early:
            before.append("before the first lead the Hombre may ask who the ally is")
        yield (
            "ally_known",
            {
                "beforehand": f"{capital(listed(before))}.",
                "by_speaking": "An ally not yet known becomes known by speaking of the vole, and "
                "in any case once it is undertaken.",
            }[r("vole.ally_known")],
        )
    yield Head("announced")
    yield from _announced(r)


def _undertaking(r: Reader) -> str:
    """Undertaking the vole when the first tricks are won."""
    if not r.undertaken:
        return ""
    for bid in r.undertaken:
        r.bid(bid, "may_undertake_vole")
    first = r("premiers.tricks")
    saying = (
        "must say whether the side now undertakes the vole; if not, the other tricks are played "
        "for the game alone"
    )
    stopping = (
        "must either end the play there, with the game won, or undertake the vole by leading to "
        "the next trick"
    )
    text = ""
    early = [b for b in r.undertaken if r.of(b, "tricks") <= first] if r("premiers.claim") else []
    late = [b for b in r.undertaken if b not in early]
    for bids, how in ((early, stopping), (late, saying)):
        where = "" if bids == r.played else f"In {titles(r, bids)}, "
        start = f"{where}when the Hombre's side has won the first {number(first)} tricks in a row"
        text += f"{capital(start)}, whoever won the last of them {how}. " * bool(bids)
    if r.allied and r("vole.waits_for_ally"):
        text += (
            "Two allies decide it only once the called card has been played; until then they play "
            "on unpaid."
        )
    return text.strip()


def _agreeing(r: Reader) -> str:
    """How allies agree."""
    if not [b for b in r.undertaken if b in r.allied]:
        return ""
    text = {
        "ask": "Two allies must both want it: the one on lead asks the other, who says yes or no",
        "ask_or_declare": "Of two allies, the one on lead either undertakes it for both or asks "
        "the other, who says yes or no",
        "silent": "Of two allies, the one on lead decides alone and without a word, by leading on "
        "or not",
    }[r("vole.consultation")]
    if r("vole.consultation") == "ask" and r("vole.alone_decides"):
        text += "; but the Hombre, having won all those tricks alone, may decide without asking"
    return f"{text}."


def _announced(r: Reader) -> Texts:
    """Where the vole may be announced, and how."""
    how = {bid: r.bid(bid, "vole_with_bid") for bid in r.ladder}
    parts = [
        f"To bid {r.title(bid)} is to announce the vole."
        for bid in r.ladder
        if r.bid(bid, "is_vole")
    ]
    if only := [bid for bid in r.ladder if how[bid] == "announced"]:
        parts.append(f"With {titles(r, only, 'or')} you may announce the vole as you bid.")
    if shown := [bid for bid in r.ladder if how[bid] == "announced_or_revealed"]:
        parts.append(
            f"With {titles(r, shown, 'or')} you may announce the vole as you bid, or reveal it, "
            "which is to announce it and play with your cards laid open."
        )
    r("vole.announced_until")
    if late := [bid for bid in r.before_lead if r.bid(bid, "vole_before_lead")]:
        games = "any game" if late == r.played else titles(r, late, "or")
        parts.append(
            f"In {games} the Hombre may also announce it when trumps are named and the card is "
            "called, before the first card is led."
        )
    if parts:
        parts.append("A vole that is announced obliges the Hombre's side to win all the tricks.")
    yield "announced", " ".join(parts)


# --- how a game ends --------------------------------------------------------------------------


def ending(r: Reader) -> Texts:
    """How a game is won or lost."""
    yield Head("lost")
    by_tricks = [b for b in r.played if r.bid(b, "lost_as") == "by_tricks"]
    always = [b for b in r.played if b not in by_tricks]
    if by_tricks:
        yield (
            "by_tricks",
            (
                "A lost game is a remise or a codille. If you fall short by no more than "
                f"{quantity(r('loss.remise_short'), 'trick', 'tricks')}, it is a remise; by more, "
                "a codille."
            ),
        )
        if none := [b for b in by_tricks if r.of(b, "goal") == "none"]:
            yield (
                "no_tricks",
                f"In {titles(r, none)} each trick you win is one by which you fall short.",
            )
    if always:
        for bid in always:
            r.bid(bid, "lost_as")
        where = f"In {titles(r, always)} a" if by_tricks else "A"
        yield "always", f"{where} lost game is always a remise."
    yield Head("missed")
    if r.announcing:
        yield "missed", _missed(r)


def _missed(r: Reader) -> str:
    """What becomes of a game whose announced vole is missed."""
    levels = [b for b in r.announcing if r.of(b, "goal") != "at_least"]
    made = "the tricks of the game"
    if levels:
        tricks = listed(dict.fromkeys(number(r.bid(b, "tricks")) for b in levels), "or")
        made += f" (in {titles(r, levels)}, {tricks})"
    kept = "" if r.points else "the pool stays where it is, and "
    then = {
        "stake_frozen": f"{kept}nothing of the game is won, lost or paid, neither its premium nor "
        "matadors nor premiers; only the vole is, as said below",
        "game_lost": "the whole game is lost, as a remise",
    }[r("vole.announced_failed")]
    below = {
        "remise": "a remise, however many are missing",
        "by_tricks": "a remise or a codille by the tricks that are missing",
    }[r("vole.announced_below_game")]
    return (
        f"If an announced vole is missed, but {made} were made, {then}. If not even those were "
        f"made, the game is {below}."
    )
