"""The sections on the auction, the bids, the card that is called, and the favourite suit."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from quadrille_plugins.rulebook.book import Draft, Part, Reader, draft
from quadrille_plugins.rulebook.ladder import in_order, ladder
from quadrille_plugins.rulebook.words import card, cards, grouped, number, titles
from quadrille_plugins.shell.fact_words import falls_on, in_hand
from quadrille_plugins.shell.values import capital, listed


def plain_solo(r: Reader) -> str | None:
    """The lowest bid that is a solo and nothing else."""
    for bid in r.ladder():
        plain = [r.of(bid, leaf) for leaf in ("goal", "partner", "trump", "exchange", "is_vole")]
        if plain == ["at_least", "none", "suit", False, False]:
            return bid
    return None


def plain_alliance(r: Reader) -> str | None:
    """The lowest bid for which the Hombre names trumps and then calls an ally."""
    for bid in r.ladder():
        plain = [r.of(bid, leaf) for leaf in ("partner", "trump", "trump_when")]
        if plain == ["called", "suit", "before_call"] and r.of(bid, "trump_by") != "ally":
            return bid
    return None


def announcing(r: Reader) -> list[str]:
    """The bids that announce the vole, or may."""
    return [b for b in r.ladder() if r.of(b, "is_vole") or r.of(b, "vole_with_bid") != "none"]


# --- the auction ------------------------------------------------------------------------------


def turns(r: Reader) -> str:
    """Who speaks when."""
    del r
    return (
        "The eldest hand speaks first, and the others follow in turn. You either pass or make a "
        "bid that is higher than the one before. The auction ends when nobody goes higher; "
        "whoever made the last bid is the Hombre, who then names trumps or calls a card as the "
        "bid asks."
    )


def once_out(r: Reader) -> str:
    """Whether one may come back after a pass."""
    forced = r.forced()
    on = r.of(forced, "forced_on") if forced else None
    if not on:
        return "Once you have passed you may not bid again."
    if r("auction.passed_may_return"):
        return (
            f"Once you have passed you may not bid again, unless you hold {card(on)}: then you "
            "may still bid against any bid made since."
        )
    return "Once you have passed you may not bid again."


def priority(r: Reader) -> str:
    """Whether an overcalled bidder may bid again."""
    if not r.ladder():
        return ""
    how = r("auction.elder_may_raise")
    if how == "never":
        return "If somebody bids higher than you, you are out of the auction."
    if how == "by_priority":
        return (
            "If somebody bids higher than you, you may bid again in your turn: higher still, or, "
            "if you sit before the other bidder, the very same bid, which then is yours."
        )
    if how == "only_higher":
        return (
            "If somebody bids higher than you, you may bid again in your turn, but only "
            "higher still."
        )
    solo = plain_solo(r)
    if solo is None or r.of(solo, "closes_auction") or not r.allied():
        solo = None  # there is none to take over
    alone = r.title(solo) if solo else ""
    if how == "to_solo":
        if not solo:
            return (
                "If somebody bids higher than you, you may bid again in your turn, but only "
                "higher still."
            )
        return (
            "If somebody bids higher than you, you may bid again in your turn, but only higher "
            "still. There is one exception: if you had bid a game with an ally and a player who "
            f"sits after you then bids {alone}, you may take it over by {_same(r, solo)}."
        )
    text = (
        "If somebody bids higher than you, you may bid again in your turn, but only higher still."
    )
    lone = [b for b in r.ladder() if r.of(b, "partner") == "none" and not r.of(b, "exchange")]
    if lone and r.allied():
        one = "one of these" if len(lone) > 1 else "it"
        text += (
            f" If you had bid a game with an ally, you may change to {titles(r, lone, 'or')} "
            f"only when somebody else has bid {one}."
        )
    if not solo:
        return text
    return (
        f"{text} You may then also take over the {alone} of a player who sits after you, by "
        f"{_same(r, solo)}."
    )


def _same(r: Reader, solo: str) -> str:
    """How a plain solo is taken over: as it was bid, and never with the vole announced."""
    favourite = r.knows("favourite.source") != "none" and r.of(solo, "in_favourite") == "bid"
    how = "making the same bid" + (", in favourite if it was bid so" if favourite else "")
    return how + (", but not one with the vole" if r.of(solo, "vole_with_bid") != "none" else "")


def closing(r: Reader) -> str:
    """The bids that end the auction at once."""
    bids = [b for b in r.ladder() if r.bid(b, "closes_auction")]
    return f"The first bid of {titles(r, bids, 'or')} ends the auction at once." if bids else ""


def unasked(r: Reader) -> str:
    """Naming trumps without a bid."""
    if r("auction.unasked_trumps") == "barred":
        return ""
    solo, alliance = plain_solo(r), plain_alliance(r)
    said = []
    if solo:
        said.append(f"that is a bid of {r.title(solo)}")
    if alliance:
        said.append(
            f"if all others have passed and you are the last to speak, it is {r.title(alliance)}"
        )
    if not said:
        return ""
    return f"You may also name a suit as trumps outright, without bidding: {'; but '.join(said)}."


def all_pass(r: Reader) -> str:
    """What happens when nobody bids."""
    forced = r.forced()
    r("auction.all_pass")
    who, why, nobody = _falls(r, forced) if forced else ("", "", "")
    if forced and who:
        r.bid(forced, "title")
        return f"If everybody passes, {who} must play: this is {r.title(forced)}{why}.{nobody}"
    kept = "" if r.points() else "; what lies in the pool stays there"
    return f"If everybody passes, the cards are thrown in and the next player deals{kept}."


def _falls(r: Reader, bid: str) -> tuple[str, str, str]:
    """On whom a bid falls, why, and what follows where there is nobody; empty texts for none."""
    for path in r.own_records("forced_bids"):
        for row in r(path):
            if row["bid"] == bid and r(row["rule"]):
                nobody = " If nobody was, the cards are thrown in and the next player deals."
                return falls_on(row), f" ({row['reason']})", nobody if "facts" in row else ""
    on = r.bid(bid, "forced_on")
    return f"whoever holds {card(on)}" if on else "", "", ""


def thrown_in(r: Reader) -> str:
    """Hands that plugins let nobody play."""
    parts = []
    for path in r.own_records("thrown_in"):
        for row in r(path):
            if r(row["rule"]):
                hand = listed(in_hand(name, *bounds) for name, bounds in row["facts"].items())
                parts.append(
                    f"Before anybody bids, whoever was dealt {hand} shows the hand; all cards are "
                    f"thrown in and the next player deals ({row['reason']})."
                )
    return " ".join(parts)


def auction(r: Reader) -> Iterator[Draft]:
    """How bids meet."""
    yield draft("thrown_in", thrown_in)
    yield draft("turns", turns, in_order)
    yield from ladder(r)
    yield draft("again", once_out, priority, closing, unasked)
    yield draft("all_pass", all_pass)


# --- the bids ---------------------------------------------------------------------------------


def undertaking(bid: str, r: Reader) -> str:
    """With whom one plays, and for what."""
    tricks, hand = r.of(bid, "tricks"), r.knows("table.hand_cards")
    goal = r.bid(bid, "goal")
    if goal == "at_least":
        r.bid(bid, "tricks")
        what = f"win at least {number(tricks)} of the {number(hand)} tricks"
    elif goal == "all":
        what = f"win all {number(hand)} tricks"
    else:
        what = "win no trick at all"
    if r.bid(bid, "partner") == "called":
        return f"You call a card, and whoever holds it is your ally; between you, you must {what}."
    others = number(r.knows("table.players") - 1)
    if r.bid(bid, "exchange"):
        if (asked := r.bid(bid, "cards_asked")) > 1:
            many = number(asked)
            return (
                f"You call {many} cards, one after the other, and whoever holds one must hand it "
                f"over face up. Then you choose {many} cards of yours and give them face down, "
                "the first to whoever handed over the first. You play alone against the other "
                f"{others}, and must {what}."
            )
        return (
            "You call a card, and whoever holds it must hand it over face up, for any card of "
            "yours that you choose and give face down. Then you play alone against the other "
            f"{others}, and must {what}."
        )
    return f"You play alone against the other {others}, and must {what}."


def holding(bid: str, r: Reader) -> str:
    """The cards that the bid takes."""
    needs = r.bid(bid, "needs")
    if not needs:
        return ""
    shows = {
        "nothing": "",
        "with_bid": ", and lay them open as you bid",
        "after_auction": ", and lay them open when the auction is over",
    }[r.bid(bid, "shows")]
    return f"To bid it you must hold {cards(needs)}{shows}."


def naming(bid: str, r: Reader) -> str:
    """Who names trumps, and when."""
    if r.bid(bid, "trump") == "none":
        return "There are no trumps but the two black aces."
    partner, exchange = r.of(bid, "partner") == "called", r.of(bid, "exchange")
    by = r.bid(bid, "trump_by") if partner else "hombre"
    if by == "ally":
        return "The ally names trumps."
    when = r.bid(bid, "trump_when") if partner or exchange else "now"
    if exchange:
        return {
            "before_call": "You name trumps before you call.",
            "after_call": "You name trumps after you have called, before you give a card away.",
            "after_exchange": "You name trumps after the exchange.",
        }[when]
    if not partner:
        return "You name trumps."
    text = (
        "You name trumps before you call"
        if when == "before_call"
        else "You name trumps after you have called"
    )
    if by == "hombre_or_ally":
        return (
            f"{text}, or {'call first and ' if when == 'before_call' else ''}leave it to the "
            "ally to name them."
        )
    return f"{text}."


def showing(bid: str, r: Reader) -> str:
    """When the ally is known."""
    if r.of(bid, "partner") != "called":
        return ""
    if r.bid(bid, "ally_known") == "at_once":
        return "The ally must speak up at once."
    played = "The ally says nothing, and becomes known when the called card is played"
    by = r.bid(bid, "trump_by") if r.of(bid, "trump") == "suit" else "hombre"
    return {
        "hombre": f"{played}.",
        "hombre_or_ally": f"{played}; but an ally who names trumps is known at once.",
        "ally": "The ally is known at once, by naming trumps.",
    }[by]


def early_end(bid: str, r: Reader) -> str:
    """Whether a game of no tricks goes on when it is lost."""
    if r.of(bid, "goal") != "none":
        return ""
    if r.bid(bid, "ends_when_lost"):
        return "The play ends as soon as you have won a trick."
    return "The play goes on to the end even if you win a trick."


def the_bids(r: Reader) -> Iterator[Draft]:
    """A paragraph for each bid."""
    for bid in r.played():
        writers = (undertaking, holding, naming, showing, early_end)
        parts: list[Part] = [partial(write, bid) for write in writers]
        yield draft(f"bid.{bid}", *parts, head=r.title(bid))


# --- calling ----------------------------------------------------------------------------------


def knows_trumps(r: Reader, bid: str) -> bool:
    """Whether trumps may be named before the card is called."""
    if r.of(bid, "trump") != "suit":
        return False
    return bool(r.of(bid, "trump_when") == "before_call") and not names_ally(r, bid)


def names_ally(r: Reader, bid: str) -> bool:
    """Whether only the ally names trumps."""
    return bool(r.of(bid, "partner") == "called" and r.of(bid, "trump_by") == "ally")


def call_before_trumps(r: Reader, bid: str) -> bool:
    """Whether the card may be called before trumps are named."""
    if r.of(bid, "trump") != "suit":
        return False
    invited = r.of(bid, "partner") == "called" and r.of(bid, "trump_by") == "hombre_or_ally"
    return not knows_trumps(r, bid) or invited


def from_others(r: Reader, bid: str) -> bool:
    """Whether the card must come from another's hand in any case."""
    return bool(r.of(bid, "exchange")) or names_ally(r, bid)


def queens(r: Reader, bid: str) -> str:
    """What is called: a king, and when a queen."""
    own = not from_others(r, bid) and r.of(bid, "call.own_card") != "never"
    what = "you call a king" if own else "you call a king you do not hold"
    when = r.bid(bid, "call.queen_when")
    if when == "three_plain_kings" and not knows_trumps(r, bid):
        when = "four_kings"
    return {
        "never": f"{what}, never a queen.",
        "four_kings": f"{what}. Only a player with all four kings may call a queen instead.",
        "three_plain_kings": f"{what}. Only a player with every king that is not trumps may call "
        "a queen instead.",
        "always": f"{what}, or, if you like, a queen instead.",
    }[when]


def own_cards(r: Reader, bid: str) -> str:
    """Whether one's own card may be called."""
    if from_others(r, bid):
        return ""
    then = "you then play alone, and nobody knows it until the card falls."
    invited = r.of(bid, "trump_by") == "hombre_or_ally"
    but = " It is not allowed when the ally is to name trumps." if invited else ""
    return {
        "never": "you may not call a card of your own.",
        "four_kings": f"with all four kings you may call a card of your own: {then}{but}",
        "always": f"you may call a card of your own: {then}{but}",
    }[r.bid(bid, "call.own_card")]


def trump_cards(r: Reader, bid: str) -> str:
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
    if call_before_trumps(r, bid):
        may = r.bid(bid, "call.suit_may_become_trump")
        text = (
            "the suit of the called card may be made trumps"
            if may
            else "the called suit may not be made trumps"
        )
        parts.append(text + (" afterwards" if parts else ""))
    return f"{', and '.join(parts)}." if parts else ""


def last_resort(r: Reader, bid: str) -> str:
    """What is called when nothing may be; nothing where a card can always be called, or trumps are
    never known."""
    if r.of(bid, "exchange") and not knows_trumps(r, bid):
        return ""
    own = not from_others(r, bid) and r.of(bid, "trump_by") != "hombre_or_ally"
    if own and r.of(bid, "call.own_card") == "always":
        return ""
    if names_ally(r, bid) and (
        r.knows("favourite.source") == "none" or r.of(bid, "in_favourite") != "bid"
    ):
        return ""
    what = r.bid(bid, "call.fallback")
    head = "in favourite, " if names_ally(r, bid) else ""
    queen = "a queen of another suit that you do not hold"
    return (
        f"{head}if no card may be called by these rules, "
        + {
            "trump_king": f"you call the king of trumps; if you hold that too, {queen}.",
            "queen": f"you call {queen}; if you hold them all, the king of trumps.",
            "own_king": "you call a king of your own that is not trumps and play alone; failing "
            f"that, the king of trumps or {queen}.",
        }[what]
    )


def _calls(say: Any) -> Part:
    def part(r: Reader) -> str:
        bids = r.calling()
        return grouped(r, bids, say, bids)

    part.__name__ = say.__name__
    return part


def calling(r: Reader) -> Iterator[Draft]:
    """Which card may be called."""
    if r.calling():
        yield draft("call", _calls(queens), _calls(own_cards))
        yield draft("call_trumps", _calls(trump_cards), _calls(last_resort))


# --- the favourite suit -----------------------------------------------------------------------


def found(r: Reader) -> str:
    """Which suit it is."""
    source = r("favourite.source")
    suit = r("favourite.suit") if source == "fixed" else None
    return {
        "fixed": f"One suit, {suit}, is the favourite suit.",
        "first_trumps": "The trumps of the first deal of the session that has any are the "
        "favourite suit from then on.",
        "drawn_each_session": "A favourite suit is drawn before the session.",
        "drawn_each_deal": "A favourite suit is drawn before each deal.",
    }[source]


def _favoured(r: Reader) -> tuple[Sequence[str], Sequence[str]]:
    bids = r.with_("trump", "suit")
    said = [b for b in bids if r.bid(b, "in_favourite") == "bid" and r.of(b, "made") == "in_turn"]
    return said, [b for b in bids if b not in said]


def said_so(r: Reader) -> str:
    """How a game comes to be in favourite."""
    said, decided = _favoured(r)
    parts = []
    if said:
        parts.append(
            f"When you bid {titles(r, said, 'or')} you say whether it is in favourite; if it is, "
            "the favourite suit must be named as trumps."
        )
        if r("favourite.plain_bid_binds"):
            parts.append("If you did not say so, you may not name the favourite suit.")
        else:
            parts.append(
                "If you did not say so, you may still name the favourite suit, and the game is "
                "in favourite."
            )
    if decided:
        parts.append(
            f"{capital(titles(r, decided))} {'is' if len(decided) == 1 else 'are'} in favourite "
            "if trumps are."
        )
    return " ".join(parts)


def doubled(r: Reader) -> str:
    """What is doubled."""
    if r("favourite.doubles") == "game":
        return "A game in favourite counts double."
    if not r.below("payments.in_favourite"):
        return ""
    return "A game in favourite has payments of its own, given below; the stake is the same."


def favourite(r: Reader) -> Iterator[Draft]:
    """The favourite suit."""
    if r.knows("favourite.source") != "none":
        yield draft("favourite", found, said_so, doubled)


def limits(r: Reader) -> str:
    """Suits that plugins keep from being trumps."""
    parts = []
    for path in r.values:
        if not path.endswith(".trumps") or path.count(".") != 1:
            continue
        for row in r(path):
            if r(row["rule"]) and row["bid"] in r.played():
                suits = listed(
                    ("the favourite suit" if s == "favourite" else s for s in row["suits"]), "or"
                )
                parts.append(f"In {r.title(row['bid'])} only {suits} may be named trumps.")
    return " ".join(parts)
