"""The sections on the auction, the bids, the card that is called, and the favourite suit."""

from collections.abc import Iterator
from typing import Final

from quadrille_core.engine import terms
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.auction import Ladder, Level
from quadrille_core.engine.terms import has_favourite
from quadrille_plugins.output.values import listed
from quadrille_plugins.rulebook.book import Head, Reader, Texts
from quadrille_plugins.rulebook.words import capital, card, grouped, number, titles


def plain_solo(r: Reader) -> str | None:
    """The lowest bid that is a solo and nothing else."""
    found = terms.plain_solo(r.rules)
    return found[0] if found else None


def rungs(r: Reader) -> list[list[BidSpec]]:
    """All ways to bid from the lowest to the highest, those together of which neither overcalls the
    other."""
    found: dict[Level, list[BidSpec]] = {}
    for spec, level in Ladder(r.rules).levels.items():
        if not spec.favourite or has_favourite(r.rules):
            found.setdefault(level, []).append(spec)
    return [found[level] for level in sorted(found)]


def _ladder(r: Reader) -> Texts:
    found = rungs(r)
    yield Head("ladder", "The bids, from the lowest to the highest", ("rank", "bid", "made"))
    for place, ways in enumerate(found, 1):
        bid = ways[0].bid
        for leaf in ("rank", "made", "title"):
            r.bid(bid, leaf)
        if r.bid(bid, "vole_with_bid") != "none" or r.of(bid, "is_vole"):
            r("auction.announced_vole_rank")
        both = ["in favourite or not"] if len(ways) > 1 else []
        how = both or ["in favourite"] * ways[0].favourite
        if how:
            r("favourite.overcalls")
        if ways[0].vole != "none":
            how.append(f"with the vole {ways[0].vole}")
        yield str(ways[0]), (str(place), r.title(bid), ", ".join(how) or "–")


# --- the auction ------------------------------------------------------------------------------


def auction(r: Reader) -> Texts:
    """How bids meet."""
    yield Head("turns")
    yield (
        "turns",
        (
            "The eldest hand speaks first, and the others follow in turn. You either pass or make "
            "a bid that is higher than the one before. The auction ends when nobody goes higher; "
            "whoever made the last bid is the Hombre, who then names trumps or calls a card as "
            "the bid asks."
        ),
    )
    yield from _ladder(r)
    yield Head("again")
    text = "Once you have passed you may not bid again"
    forced_on = r.of(r.forced, "forced_on") if r.forced else None
    if forced_on and r("auction.passed_may_return"):
        text += f", unless you hold {card(forced_on)}: then you may still bid against any later bid"
    yield "once_out", f"{text}."
    if r.ladder:
        yield "priority", _priority(r, r("auction.elder_may_raise"))
    if bids := [b for b in r.ladder if r.bid(b, "closes_auction")]:
        yield "closing", f"The first bid of {titles(r, bids, 'or')} ends the auction at once."
    if r("auction.unasked_trumps") != "barred":
        yield "unasked", _unasked(r)
    yield Head("all_pass")
    yield "all_pass", _all_pass(r)


_HIGHER: Final = (
    "If somebody bids higher than you, you may bid again in your turn, but only higher still."
)


def _priority(r: Reader, how: str) -> str:
    """Whether an overcalled bidder may bid again."""
    if how == "never":
        return "If somebody bids higher than you, you are out of the auction."
    if how == "by_priority":
        return (
            "If somebody bids higher than you, you may bid again in your turn: higher still, or, "
            "if you sit before the other bidder, the very same bid, which then is yours."
        )
    text = _HIGHER
    if how == "only_higher" or not r.allied:
        return text
    lone = [b for b in r.ladder if r.of(b, "partner") == "none" and not r.of(b, "exchange")]
    if lone and how == "if_forced":
        text += (
            f" If you had bid a game with an ally, you may change to {titles(r, lone, 'or')} only "
            "when somebody else has bid so."
        )
    solo = plain_solo(r)
    if solo is None or r.of(solo, "closes_auction"):
        return text
    vole = ", but not one with the vole" if r.of(solo, "vole_with_bid") != "none" else ""
    return (
        f"{text} There is one exception: if you had bid a game with an ally and a player who sits "
        f"after you then bids {r.title(solo)}, you may take it over by making the very same "
        f"bid{vole}."
    )


def _unasked(r: Reader) -> str:
    """Naming trumps without a bid."""
    solo, alliance = plain_solo(r), terms.plain_alliance(r.rules)
    said = [f"that is a bid of {r.title(solo)}"] if solo else []
    if alliance:
        last = "if all others have passed and you are the last to speak"
        said.append(f"{last}, it is {alliance[1].title}")
    if not said:
        return ""
    return f"You may also name a suit as trumps outright, without bidding: {'; but '.join(said)}."


def _all_pass(r: Reader) -> str:
    """What happens when nobody bids."""
    r("auction.all_pass")
    if r.forced and (on := r.bid(r.forced, "forced_on")):
        title = r.bid(r.forced, "title")
        return f"If everybody passes, whoever holds {card(on)} must play: this is {title}."
    kept = "" if r.points else "; what lies in the pool stays there"
    return f"If everybody passes, the cards are thrown in and the next player deals{kept}."


# --- the bids ---------------------------------------------------------------------------------


def the_bids(r: Reader) -> Texts:
    """A paragraph for each bid, and what plugins add to them."""
    for bid in r.played:
        yield Head(f"bid.{bid}", r.title(bid))
        yield "undertaking", _undertaking(r, bid)
        if needs := r.bid(bid, "needs"):
            black = set(needs) == {"SA", "CA"}
            held = "both black aces" if black else listed(map(card, needs))
            yield "holding", f"To bid it you must hold {held}{_SHOWS[r.bid(bid, 'shows')]}."
        yield "naming", _naming(r, bid)
        if r.of(bid, "partner") == "called":
            yield "showing", _KNOWN[r.bid(bid, "ally_known")]
        if r.of(bid, "goal") == "none":
            yield "early_end", _EARLY[r.bid(bid, "ends_when_lost")]
    yield Head("limits")
    yield "limits", " ".join(_limits(r))


_SHOWS: Final = {
    "nothing": "",
    "with_bid": ", and lay them open as you bid",
    "after_auction": ", and lay them open when the auction is over",
}
_KNOWN: Final = {
    "at_once": "The ally must speak up at once.",
    "when_played": "The ally says nothing, and becomes known when the called card is played.",
}
_EARLY: Final = {
    True: "The play ends as soon as you have won a trick.",
    False: "The play goes on to the end even if you win a trick.",
}
_NAMED: Final = {
    "before_call": "You name trumps before you call",
    "after_call": "You name trumps after you have called",
    "after_exchange": "You name trumps after the exchange",
}


def _undertaking(r: Reader, bid: str) -> str:
    """With whom one plays, and for what."""
    hand = number(r.knows("table.hand_cards"))
    goal = r.bid(bid, "goal")
    what = {"all": f"win all {hand} tricks", "none": "win no trick at all"}.get(goal)
    if goal == "at_least":
        what = f"win at least {number(r.bid(bid, 'tricks'))} of the {hand} tricks"
    if r.bid(bid, "partner") == "called":
        return f"You call a card, and whoever holds it is your ally; between you, you must {what}."
    alone = f"play alone against the other {number(r.knows('table.players') - 1)}, and must {what}."
    if r.bid(bid, "exchange"):
        return (
            "You call a card, and whoever holds it must hand it over for any card of yours that "
            f"you choose to give. Then you {alone}"
        )
    return f"You {alone}"


def _naming(r: Reader, bid: str) -> str:
    """Who names trumps, and when."""
    if r.bid(bid, "trump") == "none":
        return "There are no trumps but the two black aces."
    partner = r.of(bid, "partner") == "called"
    if not partner and not r.of(bid, "exchange"):
        return "You name trumps."
    by = r.bid(bid, "trump_by") if partner else "hombre"
    if by == "ally":
        return "The ally names trumps."
    when = r.bid(bid, "trump_when")
    either = ", or leave it to the ally to name them" if by == "hombre_or_ally" else ""
    return f"{_NAMED[when]}{either}."


def _limits(r: Reader) -> Iterator[str]:
    """Suits that plugins keep from being trumps."""
    for path in own_records(r, "trumps"):
        for row in r(path):
            if r(row["rule"]) and row["bid"] in r.played:
                yield f"In {r.title(row['bid'])} only {suits_of(row['suits'])} may be named trumps."


def own_records(r: Reader, kind: str) -> list[str]:
    """Where plugins keep records of a kind."""
    return [p for p in r.values if p.count(".") == 1 and p.endswith(f".{kind}")]


def suits_of(suits: list[str]) -> str:
    """Suits as a plugin lists them, in words."""
    return listed(("the favourite suit" if s == "favourite" else s for s in suits), "or")


# --- calling ----------------------------------------------------------------------------------


def knows_trumps(r: Reader, bid: str) -> bool:
    """Whether trumps may be named before the card is called."""
    first = r.of(bid, "trump") == "suit" and r.of(bid, "trump_when") == "before_call"
    return first and not names_ally(r, bid)


def names_ally(r: Reader, bid: str) -> bool:
    """Whether only the ally names trumps."""
    return bool(r.of(bid, "partner") == "called" and r.of(bid, "trump_by") == "ally")


def invites(r: Reader, bid: str) -> bool:
    """Whether the ally may name trumps."""
    return bool(r.of(bid, "partner") == "called" and r.of(bid, "trump_by") == "hombre_or_ally")


def from_others(r: Reader, bid: str) -> bool:
    """Whether the card must come from another's hand in any case."""
    return bool(r.of(bid, "exchange")) or names_ally(r, bid)


def calling(r: Reader) -> Texts:
    """Which card may be called."""
    bids = [b for b in r.played if r.of(b, "partner") == "called" or r.of(b, "exchange")]
    yield Head("call")
    yield "queens", grouped(r, bids, lambda bid: _queens(r, bid))
    yield "own_cards", grouped(r, bids, lambda bid: _own_cards(r, bid))
    yield Head("call_trumps")
    yield "trump_cards", grouped(r, bids, lambda bid: _trump_cards(r, bid))
    yield "last_resort", grouped(r, bids, lambda bid: _last_resort(r, bid))


def _queens(r: Reader, bid: str) -> str:
    """What is called: a king, and when a queen."""
    own = not from_others(r, bid) and r.of(bid, "call.own_card") != "never"
    when = r.bid(bid, "call.queen_when")
    if when == "three_plain_kings" and not knows_trumps(r, bid):
        when = "four_kings"
    return (
        f"you call a king{'' if own else ' you do not hold'}"
        + {
            "never": ", never a queen.",
            "four_kings": "; only with all four kings may you call a queen instead.",
            "three_plain_kings": "; only with every plain king may you call a queen instead.",
            "always": ", or, if you like, a queen instead.",
        }[when]
    )


def _own_cards(r: Reader, bid: str) -> str:
    """Whether one's own card may be called."""
    if from_others(r, bid):
        return ""
    then = "you then play alone, and nobody knows it until the card falls"
    then += "; it is not allowed when the ally is to name trumps." if invites(r, bid) else "."
    return {
        "never": "you may not call a card of your own.",
        "four_kings": f"with all four kings you may call a card of your own: {then}",
        "always": f"you may call a card of your own: {then}",
    }[r.bid(bid, "call.own_card")]


def _trump_cards(r: Reader, bid: str) -> str:
    """Whether a card of trumps may be called, or of a suit that becomes trumps."""
    parts = []
    if knows_trumps(r, bid):
        parts.append(
            {
                "barred": "no card of the trump suit may be called",
                "kings": "the king of trumps may be called like any other, though not its queen",
                "any": "the trump suit may be called like any other",
            }[r.bid(bid, "call.trump_suit")]
        )
    if r.of(bid, "trump") == "suit" and (not knows_trumps(r, bid) or invites(r, bid)):
        may = "" if r.bid(bid, "call.suit_may_become_trump") else "not "
        parts.append(f"the suit of a card called before may {may}be made trumps")
    return f"{', and '.join(parts)}." if parts else ""


def _last_resort(r: Reader, bid: str) -> str:
    """What is called when nothing may be; nothing where a card can always be called, or trumps are
    never known."""
    favoured = r.knows("favourite.source") != "none" and r.of(bid, "in_favourite") == "bid"
    own = not from_others(r, bid) and not invites(r, bid)
    if (
        (r.of(bid, "exchange") and not knows_trumps(r, bid))
        or (own and r.of(bid, "call.own_card") == "always")
        or (names_ally(r, bid) and not favoured)
    ):
        return ""
    head = "in favourite, " if names_ally(r, bid) else ""
    queen = "a queen of another suit that you do not hold"
    return (
        f"{head}if no card may be called by these rules, you call "
        + {
            "trump_king": f"the king of trumps; if you hold that too, {queen}.",
            "queen": f"{queen}; if you hold them all, the king of trumps.",
            "own_king": "a king of your own that is not trumps and play alone; failing that, the "
            f"king of trumps or {queen}.",
        }[r.bid(bid, "call.fallback")]
    )


# --- the favourite suit -----------------------------------------------------------------------


def favourite(r: Reader) -> Texts:
    """The favourite suit."""
    if r.knows("favourite.source") == "none":
        return
    yield Head("favourite")
    source = r("favourite.source")
    suit = r("favourite.suit") if source == "fixed" else ""
    yield (
        "found",
        {
            "fixed": f"One suit, {suit}, is the favourite suit.",
            "first_trumps": "The trumps of the first deal of the session that has any are the "
            "favourite suit from then on.",
            "drawn_each_session": "A favourite suit is drawn before the session.",
            "drawn_each_deal": "A favourite suit is drawn before each deal.",
        }[source],
    )
    bids = r.with_("trump", "suit")
    said = [b for b in bids if r.bid(b, "in_favourite") == "bid" and r.of(b, "made") == "in_turn"]
    if said:
        bound = (
            "you may not name the favourite suit"
            if r("favourite.plain_bid_binds")
            else "you may still name the favourite suit, and the game is in favourite"
        )
        yield (
            "said_so",
            (
                f"When you bid {titles(r, said, 'or')} you say whether it is in favourite; if it "
                f"is, the favourite suit must be named as trumps. If you did not say so, {bound}."
            ),
        )
    if decided := [b for b in bids if b not in said]:
        for bid in decided:
            r.bid(bid, "in_favourite")
        verb = "is" if len(decided) == 1 else "are"
        yield "decided", f"{capital(titles(r, decided))} {verb} in favourite if trumps are."
    if r("favourite.doubles") == "game":
        yield "doubled", "A game in favourite counts double."
    elif len(r.tables) > 1:
        yield (
            "doubled",
            "A game in favourite has payments of its own, given below; the stake is the same.",
        )
