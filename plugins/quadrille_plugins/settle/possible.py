"""Whether a deal's result can have happened under the rules: every fault at once, none of them
fatal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from quadrille_core.cards import NO_TRUMP, SUITS, format_suit
from quadrille_core.engine.amounts import basic_stake, counts_beasts
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import due
from quadrille_core.engine.terms import (
    asks_favourite,
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
from quadrille_core.errors import Command, Hint, Key, Phrase, Place, Problem, did_you_mean
from quadrille_core.rules import Bid, Rules, VoleLevel
from quadrille_plugins.settle.alone import may_be_alone

Locate = Callable[[str], Place | None]
"""Where a key of the settle input stands; a player's tricks stand at ``tricks.NAME``."""


_SEE_MADE = Phrase("see-made", {"show": Command("show")})
_NO_PREMIERS = Phrase("give-key", {"key": Key("premiers", "false")})


def _left_out(key: str) -> Phrase:
    return Phrase("leave-key-out", {"key": Key(key)})


@dataclass(frozen=True, slots=True)
class _Fault:
    key: str
    message: str
    help: str | Hint | None = None


def impossible(rules: Rules, result: Result, *, place: Locate | None = None) -> list[Problem]:
    """Everything about the result that cannot be, in the order of the settle input; empty when it
    can be."""
    # what is due can be told only of a result that is otherwise possible
    faults = list(_faults(rules, result)) or list(_claims(rules, result))
    return [
        Problem.text("Q701", fault.message, place(fault.key) if place else None, fault.help)
        for fault in faults
    ]


def _claims(rules: Rules, result: Result) -> Iterator[_Fault]:
    if not result.claims:
        return
    earned = due(rules, result)
    names = (
        f"due here: {', '.join(earned)}"
        if earned
        else "nothing that could be claimed is due to Hombre's side here"
    )
    for claim in result.claims:
        if claim not in earned:
            yield _Fault(
                "claims", f"{claim} was claimed, and this result earns Hombre's side none", names
            )


def _faults(rules: Rules, result: Result) -> Iterator[_Fault]:
    yield from _seats(rules, result)
    yield from _pool(rules, result)
    bid = rules.bids.of(result.contract) if result.contract in rules.bids.names() else None
    if bid is None:
        names = rules.bids.names()
        yield _Fault(
            "contract",
            f"{result.contract!r} is no contract of these rules",
            did_you_mean(
                result.contract,
                [n for n in names if rules.is_played(rules.bids.of(n))],
                what="contracts",
            ),
        )
    elif not rules.is_played(bid):  # how it would be played is no concern of theirs
        yield _Fault("contract", f"{bid.title} is not played under these rules", _SEE_MADE)
    else:
        yield from _trumps(rules, result, bid)
        limit = (
            trump_limit(rules, result.contract, result.trump, result.favourite)
            if _limited(rules, result)
            else None
        )
        if limit is not None:
            yield _Fault(
                "trump", f"{format_suit(result.trump)} may not be trumps at this bid ({limit})"
            )
        yield from _partners(result, bid)
    yield from _tricks(rules, result, bid)
    yield from _honours(rules, result, bid)
    if bid is not None:
        yield from _vole(rules, result, bid)
    yield from _beasts(rules, result)
    if result.multiplier < 1:
        yield _Fault("multiplier", "the game counts less than once")
    elif result.multiplier > 1 and not counts_losses(rules):
        yield _Fault(
            "multiplier",
            "under these rules no game counts more than once",
            "leave multiplier out, or name +multiplier",
        )


def _limited(rules: Rules, result: Result) -> bool:
    """Whether plugins limit the trumps: of a bid that was made, and fell on nobody."""
    return result.trump != NO_TRUMP and rules.bids.of(result.contract).made == "in_turn"


def _beasts(rules: Rules, result: Result) -> Iterator[_Fault]:
    if result.beasts < 0:
        yield _Fault("beasts", "fewer beasts stand than none")
    elif result.beasts and not counts_beasts(rules):
        message = "under these rules no payment depends on how many beasts stand"
        yield _Fault("beasts", message, "leave beasts out; see loss.beast_size")


def _name(result: Result, seat: int) -> str:
    return result.players[seat] if 0 <= seat < len(result.players) else f"seat {seat}"


def _seats(rules: Rules, result: Result) -> Iterator[_Fault]:
    players = result.players
    if len(players) != rules.table.players:
        yield _Fault(
            "players", f"{len(players)} players, where these rules seat {rules.table.players}"
        )
    twice = sorted({p for p in players if players.count(p) > 1})
    if twice:
        sit = "sits" if len(twice) == 1 else "sit"
        yield _Fault(
            "players",
            f"{', '.join(twice)} {sit} at the table twice",
            "give every player a name of their own",
        )
    for key, seat in (
        ("hombre", result.hombre),
        ("ally", result.ally),
        ("surrendered", result.surrendered),
    ):
        if seat is not None and not 0 <= seat < len(players):
            yield _Fault(key, f"{key} is seat {seat}, and there are {len(players)} players")


def _pool(rules: Rules, result: Result) -> Iterator[_Fault]:
    if result.pool < 0:
        yield _Fault("pool", "a pool cannot be negative")
    elif result.pool and in_points(rules):
        yield _Fault("pool", "where points are written there is no pool", _left_out("pool"))
    elif result.pool < (least := basic_stake(rules.stakes, rules.table.players)):
        yield _Fault(
            "pool", f"the antes alone put {least} into the pool", "count this deal's antes in"
        )


def _trumps(rules: Rules, result: Result, bid: Bid) -> Iterator[_Fault]:
    if bid.trump == "none" and result.trump != NO_TRUMP:
        yield _Fault(
            "trump",
            f"{format_suit(result.trump)} are trumps, but {bid.title} is played without a trump "
            "suit",
            _left_out("trump"),
        )
    if bid.trump == "suit" and result.trump == NO_TRUMP:
        yield _Fault(
            "trump",
            f"{bid.title} is played with a trump suit, and none is given",
            Phrase("suit-of", {"key": Key("trump", "SUIT"), "suits": SUITS}),
        )
    fixed = fixed_favourite(rules)
    if result.favourite is not None:
        if not has_favourite(rules):
            yield _Fault("favourite", "these rules know no favourite suit", _left_out("favourite"))
        elif fixed is not None and result.favourite != fixed:
            yield _Fault(
                "favourite",
                f"the favourite suit is {format_suit(result.favourite)}, where these rules fix "
                f"{format_suit(fixed)}",
            )
        elif result.favourite == NO_TRUMP:
            yield _Fault("favourite", "the favourite suit is no suit")
    elif asks_favourite(rules, bid):
        # Where the first deal's trumps become favourite, that deal itself has none yet.
        yield _Fault(
            "favourite",
            "the favourite suit is not given",
            Phrase("favourite", {"key": Key("favourite", "SUIT")}),
        )


def _partners(result: Result, bid: Bid) -> Iterator[_Fault]:
    hombre = _name(result, result.hombre)
    alone = may_be_alone(bid)
    if result.ally is not None and result.ally == result.hombre:
        yield _Fault("ally", f"{hombre} is Hombre and cannot be the ally too")
    if result.ally is not None and bid.partner == "none":
        yield _Fault("ally", f"{bid.title} is played without an ally", _left_out("ally"))
    if result.ally is None and bid.partner == "called" and not alone:
        named = bid.call.own_card != "never" or bid.call.fallback == "own_king"
        why = "the ally names trumps" if named else "these rules let nobody call their own card"
        others = [n for seat, n in enumerate(result.players) if seat != result.hombre]
        hint = Phrase("one-of", {"key": Key("ally"), "names": others})
        yield _Fault("ally", f"{bid.title} is played with an ally, and none is given: {why}", hint)
    if result.surrendered is not None:
        if not bid.exchange:
            yield _Fault(
                "surrendered", f"no card is surrendered at {bid.title}", _left_out("surrendered")
            )
        elif result.surrendered == result.hombre:
            yield _Fault(
                "surrendered", f"{hombre} is Hombre and cannot have surrendered the called card"
            )
    elif bid.exchange and not alone:
        yield _Fault(
            "surrendered",
            f"at {bid.title} somebody surrenders the called card, and nobody is named",
        )


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


def _tricks(rules: Rules, result: Result, bid: Bid | None) -> Iterator[_Fault]:
    hand, tricks = rules.table.hand_cards, result.tricks
    if len(tricks) != len(result.players):
        yield _Fault("tricks", f"tricks of {len(tricks)} players, where {len(result.players)} play")
        return
    for seat, made in enumerate(tricks):
        if made < 0:
            yield _Fault(
                f"tricks.{_name(result, seat)}", f"{_name(result, seat)} made less than no trick"
            )
    total = sum(tricks)
    if total > hand:
        yield _Fault("tricks", f"{total} tricks were made, and a deal has {hand}")
    elif (
        bid is not None
        and bid.ends_when_lost
        and _in_range(result)
        and (own := result.side_tricks()) > 1
    ):
        yield _Fault(
            "tricks", f"Hombre's side made {own} tricks, and {bid.title} ends with its first"
        )
    elif (
        total < hand
        and _in_range(result)
        and not (_claimed(rules, result, bid) or _lost_at_once(result, bid))
    ):
        first = rules.premiers.tricks
        ended = (
            ""
            if rules.play.claim_won
            else f"only a claim of the first {first} tricks ends the play early"
            if rules.premiers.claim and (bid is None or may_stop(rules, bid, first))
            else ""
        )
        yield _Fault("tricks", f"{total} tricks were made, and a deal has {hand}", ended)


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


def _matadors(rules: Rules, result: Result) -> Iterator[_Fault]:
    most = most_matadors(rules.payments, result.trump)
    if most > 4:
        why = f"there are {most} trumps when {format_suit(result.trump)} are trumps"
    elif most == 2:
        why = "without a trump suit only the two black aces are trumps"
    elif most == 3:
        why = f"these rules know three when {format_suit(result.trump)} are trumps"
    else:
        why = "there are at most four to be paid"
    for key, held in (
        ("matadors", result.matadors),
        ("adversary_matadors", result.adversary_matadors),
    ):
        if held < 0:
            yield _Fault(key, "fewer matadors than none")
        elif held > most:
            yield _Fault(key, f"{held} matadors: {why}")
    if result.adversary_matadors and not pays_adversaries_matadors(rules.payments):
        yield _Fault(
            "adversary_matadors",
            "these rules do not pay the adversaries for matadors",
            "leave it out",
        )
    elif result.adversary_matadors > 0 and result.matadors > 0:
        yield _Fault(
            "adversary_matadors",
            "matadors count from Spadille down, and only one side can hold Spadille",
        )


def _honours(rules: Rules, result: Result, bid: Bid | None) -> Iterator[_Fault]:
    yield from _matadors(rules, result)
    if not _in_range(result) or len(result.tricks) != len(result.players):
        return
    made, first, own = result.side_tricks(), rules.premiers.tricks, result.tricks[result.hombre]
    played = sum(result.tricks) if rules.play.claim_won else rules.table.hand_cards
    if result.premiers and bid is not None and not bid.premiers:
        yield _Fault("premiers", f"there are no premiers at {bid.title}", _NO_PREMIERS)
    if result.premiers and made < first:
        message = f"premiers take the first {first} tricks, and Hombre's side made {made}"
        yield _Fault("premiers", message, _NO_PREMIERS)
    elif result.premiers and own < first and first_tricks_are_hombres(rules):
        message = (
            f"the first {first} tricks must be Hombre's own, and "
            f"{_name(result, result.hombre)} made {own}"
        )
        yield _Fault("premiers", message, _NO_PREMIERS)
    decides = bid is not None and bid.may_undertake_vole and may_stop(rules, bid, first)
    decides = decides and not _vole_may_wait(rules, result)
    follow = bid is not None and bool(premiers_follow(rules, bid, made, own, played))
    if not result.premiers and follow:
        yield _Fault(
            "premiers",
            "who makes every trick has made premiers too",
            Phrase("write-key", {"key": Key("premiers", "true")}),
        )
    if (
        (result.premiers or follow)
        and result.vole == "none"
        and decides
        and first < made <= rules.table.hand_cards
    ):
        stopped, led = Key("tricks", str(first)), Key("vole", "undertaken")
        hint = Phrase("stopped-or-vole", {"tricks": stopped, "vole": led, "number": first + 1})
        yield _Fault(
            "tricks", f"after premiers Hombre's side made {made} tricks without a vole", hint
        )


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


def _vole(rules: Rules, result: Result, bid: Bid) -> Iterator[_Fault]:
    vole = result.vole
    if vole == "none":
        return
    if (own := vole_level(bid, "none")) not in ("none", vole):
        yield _Fault("vole", f"{bid.title} announces the vole; it cannot be {vole} besides")
        return
    if vole == "undertaken":
        first = rules.premiers.tricks
        if not bid.may_undertake_vole:
            yield _Fault("vole", f"the vole may not be undertaken at {bid.title}")
        elif bid.premiers and not result.premiers and not _hombre_may_lack_them(rules, result):
            hint = Phrase(
                "either-key", {"one": Key("premiers", "true"), "other": Key("vole", "none")}
            )
            yield _Fault("vole", "the vole is undertaken only after premiers", hint)
        elif _in_range(result) and result.side_tricks() < first:
            yield _Fault(
                "vole", f"the vole is undertaken after {first} tricks, and Hombre's side made fewer"
            )
    elif own == "none" and bid.vole_with_bid == "none" and not may_announce_vole(rules, bid):
        yield _Fault("vole", f"the vole may not be announced with {bid.title}")
    elif vole == "revealed" and bid.vole_with_bid != "announced_or_revealed":
        yield _Fault("vole", f"the vole may not be revealed with {bid.title}")
    if bid.goal == "none":
        yield _Fault("vole", f"at {bid.title} no trick is to be made, so there is no vole")
