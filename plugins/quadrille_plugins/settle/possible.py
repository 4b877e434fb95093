"""Whether a deal's result can have happened under the rules: every fault at once, none of them
fatal."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from quadrille_core.cards import NO_TRUMP, SUITS, Suit, format_suit
from quadrille_core.engine.amounts import counts_beasts, table_stake
from quadrille_core.engine.facts import cards_of, none_of
from quadrille_core.engine.past import OF_SESSION, Contradiction, contradictions
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import due, wanted_facts
from quadrille_core.engine.terms import (
    asks_favourite,
    cards_exchanged,
    counts_losses,
    first_tricks_are_hombres,
    fixed_favourite,
    has_favourite,
    in_points,
    may_announce_vole,
    may_stop,
    most_matadors,
    pays_adversaries_matadors,
    premiers_follow,
    trump_limit,
    vole_level,
)
from quadrille_core.errors import Hint, Key, Problem
from quadrille_core.facts import MOST_COUNTED
from quadrille_core.profile.naming import near, titles_of
from quadrille_core.rules import Bid, Rules, VoleLevel
from quadrille_plugins.settle.alone import may_be_alone
from quadrille_plugins.settle.reading import shown

NOT_TOLD: Final = ("fact-not-told", "fact-of-deal-not-told")
"""The faults of a result that does not tell what a payment depends on."""
Fault = tuple[str, Problem]
"""The key of the settle input that cannot be so, and why."""


def _fault(key: str, variant: str, hint: Hint | None = None, /, **data: Any) -> Fault:
    return key, Problem("Q701", variant, data, None, hint)


def impossible(rules: Rules, result: Result) -> list[Fault]:
    """Everything about the result that cannot be, in the order of the settle input; empty when it
    can be."""
    # what is due can be told only of a result that is otherwise possible
    return list(_faults(rules, result)) or [*_claims(rules, result), *_facts(rules, result)]


def _claims(rules: Rules, result: Result) -> Iterator[Fault]:
    if not result.claims:
        return
    earned = due(rules, result)
    variant = "claim-not-due" if earned else "nothing-due"
    for claim in result.claims:
        if claim not in earned:
            yield _fault("claims", variant, claim=claim, earned=earned)


def _facts(rules: Rules, result: Result) -> Iterator[Fault]:
    """Facts of play on which a payment depends and that are not told, and impossible ones."""
    told, one = dict(result.facts), result.players[0]
    for name, row in wanted_facts(rules, result).items():
        if name not in told:
            data: dict[str, Any] = {
                "fact": name,
                "means": rules.own.fact(name).doc,
                "reason": row.reason,
                "rule": row.leaf,
            }
            variant = NOT_TOLD[rules.own.fact(name).of == "deal"]
            yield _fault("facts", variant, **data, player=one)
    for found in contradictions(told):
        whose = None if found.seat is None else _name(result, found.seat)
        key = ".".join(filter(None, ("facts", found.fact, whose)))
        yield key, contradicted(found, whose)
    for name, by_seat in told.items():
        if name in OF_SESSION:
            continue
        caps, most, least = _limits(rules, result.tricks, result.trump, name)
        total = sum(by_seat)
        wrong = [seat for seat, many in enumerate(by_seat) if not 0 <= many <= caps[seat]]
        of_deal = rules.own.fact(name).of == "deal"
        for seat in wrong:
            player, number = "the deal" if of_deal else _name(result, seat), by_seat[seat]
            data = {"fact": name, "player": player, "number": number, "most": caps[seat]}
            key = f"facts.{name}" if of_deal else f"facts.{name}.{player}"
            yield _fault(key, "impossible-fact", **data)
        if not wrong and not least <= total <= most:
            variant = "fact-beyond-all" if total > most else "fact-below-all"
            data = {"fact": name, "total": total, "most": most, "least": least}
            yield _fault(f"facts.{name}", variant, **data)


def contradicted(found: Contradiction, player: str | None) -> Problem:
    """A fact of a session that cannot be, of a player, or of the deal and all players."""
    bounds = {"most": found.most, "least": found.least, "by": found.by}
    number = shown(found.number)
    if player is None and found.by:
        variant, data = "session-fact-beyond-all", {"total": number}
    else:
        variant = "contradictory-fact" if found.by else "impossible-fact"
        data = {"number": number, "player": player or "the deal"}
    return Problem("Q701", variant, {"fact": found.fact, **bounds, **data})


def least_facts(
    rules: Rules, tricks: Sequence[int], trump: Suit
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The facts of a play in which nobody has any, but for what somebody must have: whoever made
    most tricks."""
    found = []
    for name in rules.own.recorded_facts():
        caps, _, left = _limits(rules, tricks, trump, name)
        by_seat = [*none_of(rules.own.fact(name), len(tricks))]
        for seat in sorted(range(len(by_seat)), key=lambda seat: -tricks[seat]):
            by_seat[seat] = min(caps[seat], left)
            left -= by_seat[seat]
        found.append((name, tuple(by_seat)))
    return tuple(found)


def _limits(
    rules: Rules, tricks: Sequence[int], trump: Suit, name: str
) -> tuple[list[int], int, int]:
    """How much of a fact each seat can have had, and how much all together at most and least."""
    total, seats = sum(tricks), len(tricks)
    if (fact := rules.own.fact(name)).of_session or fact.own:
        return [MOST_COUNTED] * seats, MOST_COUNTED * seats, 0
    if name == "leads":
        return [total] * seats, total, total
    if name in ("first_trick", "last_trick"):
        return [min(1, made) for made in tricks], min(1, total), min(1, total)
    kind, _, how = name.rpartition("_")
    most = len(cards_of(kind, trump))
    hand = rules.table.hand_cards
    if how == "dealt":  # all cards are dealt
        return [hand] * seats, most, most
    left = seats * (hand - total)
    return [min(most, made * seats) for made in tricks], most, max(0, most - left)


def _faults(rules: Rules, result: Result) -> Iterator[Fault]:
    yield from _seats(rules, result)
    yield from _pool(rules, result)
    bid = rules.bids.of(result.contract) if result.contract in rules.bids.names() else None
    if bid is None:
        played = [n for n in rules.bids.names() if rules.is_played(rules.bids.of(n))]
        titles = {name: title for name, title in titles_of(rules).items() if name in played}
        meant = near(result.contract, titles, what="contracts")
        yield _fault("contract", "no-contract", meant, contract=result.contract)
    elif not rules.is_played(bid):  # how it would be played is no concern of theirs
        yield _fault("contract", "contract-not-played", bid=bid.title)
    else:
        yield from _trumps(rules, result, bid)
        limit = trump_limit(rules, result.contract, result.trump, result.favourite)
        if limit is not None and result.trump != NO_TRUMP:
            trump = format_suit(result.trump)
            yield _fault("trump", "trumps-limited", trump=trump, limit=limit)
        yield from _partners(result, bid)
    yield from _tricks(rules, result, bid)
    yield from _honours(rules, result, bid)
    if bid is not None:
        yield from _vole(rules, result, bid)
    yield from _beasts(rules, result)
    if result.multiplier < 1:
        yield _fault("multiplier", "counts-less-than-once")
    elif result.multiplier > 1 and not counts_losses(rules):
        yield _fault("multiplier", "counts-only-once")


def _beasts(rules: Rules, result: Result) -> Iterator[Fault]:
    if result.beasts < 0:
        yield _fault("beasts", "negative-beasts")
    elif result.beasts and not counts_beasts(rules):
        yield _fault("beasts", "beasts-not-counted")


def _name(result: Result, seat: int) -> str:
    return result.players[seat] if 0 <= seat < len(result.players) else f"seat {seat}"


def _seats(rules: Rules, result: Result) -> Iterator[Fault]:
    players = result.players
    if len(players) != rules.table.players:
        seats = rules.table.players
        yield _fault("players", "other-number-of-players", players=len(players), seats=seats)
    twice = sorted({p for p in players if players.count(p) > 1})
    if twice:
        variant = "sits-twice" if len(twice) == 1 else "sit-twice"
        yield _fault("players", variant, players=twice)
    for key, seat in (
        ("hombre", result.hombre),
        ("ally", result.ally),
        *(("surrendered", seat) for seat in result.givers()),
    ):
        if seat is not None and not 0 <= seat < len(players):
            yield _fault(key, "no-such-seat", key=key, seat=seat, players=len(players))


def _pool(rules: Rules, result: Result) -> Iterator[Fault]:
    if result.pool < 0:
        yield _fault("pool", "negative-pool")
    elif result.pool and in_points(rules):
        yield _fault("pool", "pool-where-points-are-written")
    elif result.pool < (least := table_stake(rules)):
        yield _fault("pool", "pool-below-antes", least=least)


def _trumps(rules: Rules, result: Result, bid: Bid) -> Iterator[Fault]:
    if bid.trump == "none" and result.trump != NO_TRUMP:
        trump = format_suit(result.trump)
        yield _fault("trump", "trumps-without-trump-suit", trump=trump, bid=bid.title)
    if bid.trump == "suit" and result.trump == NO_TRUMP:
        yield _fault("trump", "trump-suit-not-given", bid=bid.title, suits=SUITS)
    fixed = fixed_favourite(rules)
    if result.favourite is not None:
        if not has_favourite(rules):
            yield _fault("favourite", "no-favourite-here")
        elif fixed is not None and result.favourite != fixed:
            suits = {"given": format_suit(result.favourite), "fixed": format_suit(fixed)}
            yield _fault("favourite", "other-favourite-than-fixed", **suits)
        elif result.favourite == NO_TRUMP:
            yield _fault("favourite", "favourite-no-suit")
    elif asks_favourite(rules, bid):
        # Where the first deal's trumps become favourite, that deal itself has none yet.
        yield _fault("favourite", "favourite-not-given")


def _partners(result: Result, bid: Bid) -> Iterator[Fault]:
    hombre = _name(result, result.hombre)
    alone = may_be_alone(bid)
    if result.ally is not None and result.ally == result.hombre:
        yield _fault("ally", "hombre-and-ally", hombre=hombre)
    if result.ally is not None and bid.partner == "none":
        yield _fault("ally", "ally-of-who-plays-alone", bid=bid.title)
    if result.ally is None and bid.partner == "called" and not alone:
        named = bid.call.own_card != "never" or bid.call.fallback == "own_king"
        variant = "ally-who-names-trumps-not-given" if named else "ally-not-given"
        others = [n for seat, n in enumerate(result.players) if seat != result.hombre]
        yield _fault("ally", variant, bid=bid.title, names=others)
    if givers := result.givers():
        asked = cards_exchanged(bid)
        if not asked:
            yield _fault("surrendered", "nothing-surrendered", bid=bid.title)
        elif result.hombre in givers:
            yield _fault("surrendered", "surrendered-by-hombre", hombre=hombre)
        elif len(givers) != asked:
            told = {"asked": asked, "given": len(givers)}
            yield _fault("surrendered", "other-number-surrendered", bid=bid.title, **told)
    elif bid.exchange and not alone:
        yield _fault("surrendered", "surrendering-not-given", bid=bid.title)


def _claimed(rules: Rules, result: Result, bid: Bid | None) -> bool:
    """Whether the play may have ended with the claim of a game won, or of premiers."""
    first, made = rules.premiers.tricks, result.side_tricks()
    won = bid is not None and bid.goal == "at_least" and made >= bid.tricks
    return (rules.play.claim_won and won and result.vole == "none") or (
        (rules.premiers.claim if bid is None else may_stop(rules, bid, made))
        and result.vole == "none"
        and (
            bid is None
            or result.premiers
            or not bid.premiers
            or _hombre_may_lack_them(rules, result)
        )
        and (bid is None or bid.may_undertake_vole)
        and made == sum(result.tricks)
        and (made == first or (made > first and _vole_may_wait(rules, result)))
    )


def _vole_may_wait(rules: Rules, result: Result) -> bool:
    """Whether the choice of the vole may have come later than after premiers, when the ally was
    known."""
    return rules.vole.waits_for_ally and result.ally is not None


def _tricks(rules: Rules, result: Result, bid: Bid | None) -> Iterator[Fault]:
    hand, tricks = rules.table.hand_cards, result.tricks
    if len(tricks) != len(result.players):
        sizes = {"counted": len(tricks), "players": len(result.players)}
        yield _fault("tricks", "tricks-of-other-number", **sizes)
        return
    for seat, made in enumerate(tricks):
        if made < 0:
            name = _name(result, seat)
            yield _fault(f"tricks.{name}", "negative-tricks", player=name)
    total = sum(tricks)
    if total > hand:
        yield _fault("tricks", "other-number-of-tricks", total=total, hand=hand)
    elif (
        bid is not None
        and bid.ends_when_lost
        and _in_range(result)
        and (own := result.side_tricks()) > 1
    ):
        yield _fault("tricks", "tricks-after-the-first", own=own, bid=bid.title)
    elif (
        total < hand
        and _in_range(result)
        and not (_claimed(rules, result, bid) or _lost_at_once(result, bid))
    ):
        first = rules.premiers.tricks
        may_end = not rules.play.claim_won and rules.premiers.claim
        may_end = may_end and (bid is None or may_stop(rules, bid, first))
        variant = "other-number-of-tricks-than-claimed" if may_end else "other-number-of-tricks"
        yield _fault("tricks", variant, total=total, hand=hand, first=first)


def _lost_at_once(result: Result, bid: Bid | None) -> bool:
    """Whether the play ended with the trick that lost the game."""
    return bid is not None and bid.ends_when_lost and result.side_tricks() == 1


def _hombre_may_lack_them(rules: Rules, result: Result) -> bool:
    """Whether the first tricks may have been won and yet no premiers be due, since the ally took
    one of them."""
    return first_tricks_are_hombres(rules) and result.ally is not None


def _in_range(result: Result) -> bool:
    """Whether the side's tricks can be counted at all."""
    return all(0 <= s < len(result.tricks) for s in result.side())


def _matadors(rules: Rules, result: Result) -> Iterator[Fault]:
    most = most_matadors(rules.payments, result.trump)
    why = {2: "two-matadors", 3: "three-matadors", 4: "four-matadors"}.get(most, "more-matadors")
    trump = format_suit(result.trump)
    for key, held in (
        ("matadors", result.matadors),
        ("adversary_matadors", result.adversary_matadors),
    ):
        if held < 0:
            yield _fault(key, "negative-matadors")
        elif held > most:
            yield _fault(key, why, held=held, most=most, trump=trump)
    if result.adversary_matadors and not pays_adversaries_matadors(rules.payments):
        yield _fault("adversary_matadors", "adversaries-not-paid-matadors")
    elif result.adversary_matadors > 0 and result.matadors > 0:
        yield _fault("adversary_matadors", "matadors-of-both-sides")


def _honours(rules: Rules, result: Result, bid: Bid | None) -> Iterator[Fault]:
    yield from _matadors(rules, result)
    if not _in_range(result) or len(result.tricks) != len(result.players):
        return
    made, first, own = result.side_tricks(), rules.premiers.tricks, result.tricks[result.hombre]
    played = sum(result.tricks) if rules.play.claim_won else rules.table.hand_cards
    if result.premiers and bid is not None and not bid.premiers:
        yield _fault("premiers", "no-premiers-at-bid", bid=bid.title)
    if result.premiers and made < first:
        yield _fault("premiers", "too-few-tricks-for-premiers", first=first, made=made)
    elif result.premiers and own < first and first_tricks_are_hombres(rules):
        hombre = _name(result, result.hombre)
        yield _fault("premiers", "premiers-not-hombres-own", first=first, hombre=hombre, own=own)
    decides = bid is not None and bid.may_undertake_vole and may_stop(rules, bid, first)
    decides = decides and not _vole_may_wait(rules, result)
    follow = bid is not None and bool(premiers_follow(rules, bid, made, own, played))
    if not result.premiers and follow:
        yield _fault("premiers", "premiers-follow")
    if (
        (result.premiers or follow)
        and result.vole == "none"
        and decides
        and first < made <= rules.table.hand_cards
    ):
        stopped = {"tricks": Key("tricks", str(first)), "number": first + 1}
        yield _fault("tricks", "went-on-after-premiers", made=made, **stopped)


def vole_levels(rules: Rules, bid: Bid) -> tuple[VoleLevel, ...]:
    """How the vole may be played for at a bid; the first is what holds where nothing is said."""
    own = vole_level(bid, "none")
    if own != "none" or bid.goal == "none":
        return (own,)
    announced = bid.vole_with_bid != "none" or may_announce_vole(rules, bid)
    may: dict[VoleLevel, bool] = {
        "undertaken": bid.may_undertake_vole,
        "announced": announced,
        "revealed": bid.vole_with_bid == "announced_or_revealed",
    }
    return ("none", *(level for level, is_allowed in may.items() if is_allowed))


def _vole(rules: Rules, result: Result, bid: Bid) -> Iterator[Fault]:
    vole = result.vole
    if vole == "none":
        return
    if (own := vole_level(bid, "none")) not in ("none", vole):
        yield _fault("vole", "vole-of-the-bid", bid=bid.title, vole=vole)
        return
    if vole == "undertaken":
        first = rules.premiers.tricks
        if not bid.may_undertake_vole:
            yield _fault("vole", "vole-not-undertaken-at-bid", bid=bid.title)
        elif bid.premiers and not result.premiers and not _hombre_may_lack_them(rules, result):
            yield _fault("vole", "vole-without-premiers")
        elif _in_range(result) and result.side_tricks() < first:
            yield _fault("vole", "too-few-tricks-for-vole", first=first)
    elif own == "none" and bid.vole_with_bid == "none" and not may_announce_vole(rules, bid):
        yield _fault("vole", "vole-not-announced-with-bid", bid=bid.title)
    elif vole == "revealed" and bid.vole_with_bid != "announced_or_revealed":
        yield _fault("vole", "vole-not-revealed-with-bid", bid=bid.title)
    if bid.goal == "none":
        yield _fault("vole", "vole-of-who-makes-no-trick", bid=bid.title)
