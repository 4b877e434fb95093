"""What to look for next: the simplest situation whose outcome would separate most surviving
readings.

The situations are small and made by rule: results of a single deal, tricks to which a matador may
or may not have to be played, cards that are led and beaten, hands that call a card.  Each asks one
thing that a book may well say. Of all of them that one is best whose answer, whichever it turns out
to be, leaves the fewest configurations; of equal ones the plainest, which has the fewest things
about it that are out of the ordinary; then the first in order.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations as choose
from typing import Any, Final

from quadrille_core.cards import NO_TRUMP, SUITS, Card, Suit, format_cards, parse_cards, parse_suit
from quadrille_core.engine.declare import CallContext, callable_cards
from quadrille_core.engine.forcing import follow
from quadrille_core.engine.ranking import trick_winner
from quadrille_core.engine.result import Result, Settlement
from quadrille_core.errors import QuadrilleError
from quadrille_core.frozen import frozen
from quadrille_core.kinds import TRICKS
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.discriminate.configurations import (
    ConfigurationSpace,
    EntangledError,
    Game,
    TwoSteps,
)
from quadrille_plugins.discriminate.diagram import Cube
from quadrille_plugins.discriminate.evidence_pieces import amount_text, of_settled
from quadrille_plugins.shell.values import Json

MOST_ASKED: Final = 2_500
"""Rule sets that situations are put to, before the search ends with those that were looked at."""
MOST_OF_ONE: Final = 200
"""Rule sets that one situation is put to, before it is passed over: it depends on too many points
to be plain."""
IMPOSSIBLE: Final = "it cannot come about"
PLAYERS: Final = ("A", "B", "C", "D")


@frozen
class Situation:
    """A situation that a book may describe, and the questions about it."""

    kind: str
    """``settlement``, ``legal``, ``trick`` or ``call``."""
    words: str
    plainness: int
    """How many things about it are out of the ordinary."""
    questions: tuple[str, ...]
    data: Json
    """The situation as a piece of evidence would state it."""
    ask: Callable[[Game], Hashable]
    """The answers to the questions, in words, as a tuple."""


@frozen
class Passage:
    """One question of a situation, and what each survivor answers."""

    situation: Situation
    question: str
    answers: tuple[tuple[str, int, tuple[Cube, ...]], ...]
    """Each answer with the number of survivors that give it, and which, as cubes of the points that
    matter."""
    points: tuple[int, ...]
    """The points that the answer depends on."""
    left: int
    """How many survivors are left at worst."""


# --- situations -----------------------------------------------------------------------------------


def _sentence(title: str, parts: Sequence[str]) -> str:
    return f"{title} {parts[0]}" + "".join(f", {p}" for p in parts[1:])


def settlements(game: Game, bids: Sequence[tuple[str, Any]]) -> Iterator[Situation]:
    """Results of one deal at every contract: won, lost by a trick, lost outright, each with at most
    one extra item."""
    for name, bid in bids:
        for words, base, extras in _endings(game, name, bid):
            yield _settlement(bid.title, [words], base, 0)
            for besides, change in extras:
                yield _settlement(bid.title, [words, besides], {**base, **change}, 1)


_Extra = tuple[str, Json]


def _endings(game: Game, name: str, bid: Any) -> Iterator[tuple[str, Json, list[_Extra]]]:
    """Ways for a contract to end, each with what else there may be about it."""
    if len(PLAYERS) != game.rules.table.players:
        return
    base: Json = {"players": list(PLAYERS), "pool": 4, "contract": name, "hombre": "A"}
    base["trump"] = "none" if bid.trump == "none" else "diamonds"
    allied = bid.partner == "called"
    if allied:
        base["ally"] = "C"
    if bid.exchange:
        base["surrendered"] = "B" if bid.cards_asked == 1 else ["B"] * bid.cards_asked
    common: list[_Extra] = [("at a pool of twelve", {"pool": 12})]
    if bid.trump != "none" and bid.matadors != "none":
        common += [
            ("with three matadors", {"matadors": 3}),
            ("with four matadors", {"matadors": 4}),
            ("with four matadors in a black suit", {"matadors": 4, "trump": "clubs"}),
            ("in the favourite suit", {"favourite": "diamonds"}),
        ]
    if bid.goal == "none":
        yield "is won", {**base, "tricks": {"B": 10}}, common
        yield "is lost by a trick", {**base, "tricks": {"A": 1, "B": 9}}, common
        return
    won = {"A": 4, "C": 2, "B": 4} if allied else {"A": 6, "B": 4}
    vole = {"A": 6, "C": 4} if allied else {"A": 10}
    missed = {"A": 5, "C": 2, "B": 3} if allied else {"A": 7, "B": 3}
    if bid.is_vole:
        yield "is won", {**base, "tricks": vole, "premiers": True}, common
        yield "is missed with seven tricks", {**base, "tricks": missed}, common
        yield "is missed with five tricks", {**base, "tricks": {"A": 5, "B": 5}}, common
        yield "is missed with four tricks", {**base, "tricks": {"A": 4, "B": 6}}, common
        return
    alone: list[_Extra] = []
    if allied:
        alone = [
            ("by a Hombre who holds the called card", {"ally": None, "tricks": {"A": 6, "B": 4}})
        ]
    yield (
        "is won",
        {**base, "tricks": won},
        [
            *common,
            ("with premiers", {"premiers": True}),
            (
                "with a vole undertaken and made",
                {"vole": "undertaken", "tricks": vole, "premiers": True},
            ),
            (
                "with a vole undertaken and missed",
                {"vole": "undertaken", "tricks": missed, "premiers": True},
            ),
            (
                "with a vole announced and made",
                {"vole": "announced", "tricks": vole, "premiers": True},
            ),
            (
                "with a vole revealed and made",
                {"vole": "revealed", "tricks": vole, "premiers": True},
            ),
            *alone,
        ],
    )
    five = {"A": 3, "C": 2, "B": 5} if allied else {"A": 5, "B": 5}
    few = (
        [("with only two of the five won by Hombre", {"tricks": {"A": 2, "C": 3, "B": 5}})]
        if allied
        else []
    )
    yield "is lost by a trick", {**base, "tricks": five}, [*common, *few]
    four = {"A": 3, "C": 1, "B": 6} if allied else {"A": 4, "B": 6}
    few = (
        [("with only two of the four won by Hombre", {"tricks": {"A": 2, "C": 2, "B": 6}})]
        if allied
        else []
    )
    yield "is lost outright, with four tricks", {**base, "tricks": four}, [*common, *few]


def _settlement(title: str, parts: list[str], data: Json, count: int) -> Situation:
    data = {key: value for key, value in data.items() if value is not None}
    ally = "ally" in data
    questions = [
        "what Hombre wins or loses",
        *(["what the ally wins or loses"] if ally else []),
        "what an adversary wins or loses",
        "what the pool then holds",
    ]
    seats = [0, *([2] if ally else []), 1 if "surrendered" not in data else 2]

    def told(game: Game, result: Result, settlement: Settlement) -> Hashable:
        del game, result
        return (*(_told(settlement.net[s]) for s in seats), amount_text(settlement.pool_after))

    refused = (IMPOSSIBLE,) * len(questions)
    ask = of_settled(lambda game: data, told, lambda error: refused)
    return Situation(
        "settlement", _sentence(f"a {title}", parts), count, tuple(questions), {"result": data}, ask
    )


def _told(net: Fraction) -> str:
    return "nothing" if not net else f"{'wins' if net > 0 else 'loses'} {plain_amount(abs(net))}"


def positions() -> Iterator[Situation]:
    """Tricks to which matadors may or may not have to be played."""
    cases = [
        ("H7 DK S5", "SA", "hearts", 0),
        ("CA DK S5", "SA", "hearts", 0),
        ("CA DK S5", "H7", "hearts", 0),
        ("SA CA DK", "H7", "hearts", 1),
        ("CA H7 DK", "SA", "hearts", 1),
        ("H7 DK S5", "HK SA", "hearts", 1),
        ("CA DK S5", "HK H7", "hearts", 1),
        ("CA DK S5", "SA", "none", 1),
        ("SA DK S5", "CA", "none", 1),
    ]
    for hand_text, trick_text, trump_text, plainness in cases:
        hand, trick = parse_cards(hand_text), parse_cards(trick_text)
        trump = NO_TRUMP if trump_text == "none" else parse_suit(trump_text)
        first = hand[0] if len(hand) == 3 and hand[1] not in _MATADORS else None
        yield _position(hand, trick, trump, first, plainness)


_MATADORS: Final = frozenset(parse_cards("SA CA H7"))


def _position(
    hand: tuple[Card, ...], trick: tuple[Card, ...], trump: Suit, first: Card | None, plainness: int
) -> Situation:
    name = "no suit" if trump == NO_TRUMP else SUITS[trump]
    led = f"{format_cards(trick[:1])} is led" + (
        f" and {format_cards(trick[1:])} played" if trick[1:] else ""
    )
    question = (
        "which cards may be played"
        if first is None
        else f"whether {format_cards([first])} may be kept back"
    )

    def ask(game: Game) -> Hashable:
        legal = follow(game.rules.forcing, trump).legal(hand, trick)
        if first is None:
            return (format_cards(legal),)
        return ("yes" if any(c != first for c in legal) else "no",)

    data = {
        "hand": format_cards(hand),
        "trick": format_cards(trick),
        "trump": "none" if trump == NO_TRUMP else SUITS[trump],
    }
    words = f"with {name} trumps {led}, to a hand of {format_cards(hand)}"
    return Situation("legal", words, plainness, (question,), data, ask)


def tricks() -> Iterator[Situation]:
    """Two cards of a red plain suit, one of them the ace."""
    for rank in "KJ2":
        cards = parse_cards(f"H{rank} HA")

        def ask(game: Game, cards: tuple[Card, ...] = cards) -> Hashable:
            return (
                format_cards([cards[trick_winner(game.rules.cards, cards, parse_suit("spades"))]]),
            )

        words = (
            f"with spades trumps {format_cards(cards[:1])} is led and "
            f"{format_cards(cards[1:])} played"
        )
        yield Situation(
            "trick", words, 0, ("which of the two is higher",), {"cards": format_cards(cards)}, ask
        )


def calls(bids: Sequence[tuple[str, Any]]) -> Iterator[Situation]:
    """Hands that must call a card, and whether they may call a king, a queen, or one of their
    own."""
    hands = [
        ("one without a king", "S4 S3 H7 H2", 0),
        ("one with the three plain kings", "SK HK CK S3", 1),
        ("one with all four kings", "SK HK CK DK", 1),
        ("one with the king of trumps", "DK D7 S4 H2", 1),
    ]
    for name, bid in bids:
        if bid.partner != "called":
            continue
        for whose, text, plainness in hands:
            hand = parse_cards(text)

            def ask(game: Game, hand: tuple[Card, ...] = hand, name: str = name) -> Hashable:
                if name not in game.rules.bids.names() or game.rules.bids.of(name).made == "never":
                    return (IMPOSSIBLE,)
                call = game.rules.bids.of(name).call
                return (
                    format_cards(
                        callable_cards(CallContext(call, hand, trump=parse_suit("diamonds")))
                    ),
                )

            words = f"at {bid.title}, with diamonds trumps, {whose} ({text}) calls a card"
            yield Situation(
                "call",
                words,
                plainness,
                ("which cards may be called",),
                {"bid": name, "hand": text},
                ask,
            )


def situations(space: ConfigurationSpace) -> list[Situation]:
    """All situations that the rules allow, the simplest first."""
    if space.compiled.kind != TRICKS:
        return []
    game = space.compiled.ruleset
    bids = list(game.rules.bids.items())
    found = [*positions(), *tricks(), *calls(bids), *settlements(game, bids)]
    return sorted(found, key=lambda s: s.plainness)


# --- which is best --------------------------------------------------------------------------------


def passages(space: ConfigurationSpace, survivors: int, *, most: int = 3) -> tuple[Passage, ...]:
    """The most discriminating questions, best first; empty when none separates the survivors."""
    total = space.diagrams.count(survivors)
    found: list[tuple[int, int, int, Situation, int]] = []
    until = space.asked + MOST_ASKED
    for number, situation in enumerate(situations(space) if total > 1 else ()):
        if space.asked > until:
            break
        try:
            limits = {"what": situation.words, "most": MOST_OF_ONE, "widest": MOST_OF_ONE}
            answered = space.ask_rules(survivors, _guarded(situation), **limits)
        except EntangledError:
            continue  # what takes so long to find out is no plain question
        for place in range(len(situation.questions)):
            told = space.diagrams.map(
                ("answer", place),
                lambda v, p=place: v if v is False else v[p],  # type: ignore[misc]
                answered,
            )
            counted = [n for value, n in space.diagrams.counts(told).items() if value is not False]
            if len(counted) > 1:
                found.append(
                    (max(counted), situation.plainness, number * 10 + place, situation, told)
                )
    found.sort(key=lambda f: f[:3])
    chosen: list[Passage] = []
    for left, _, key, situation, told in found:
        passage = _passage(space, situation, situation.questions[key % 10], told, left)
        if all(p.points != passage.points for p in chosen):
            chosen.append(passage)
        if len(chosen) == most:
            break
    return tuple(chosen)


def _guarded(situation: Situation) -> Callable[[Game], Hashable]:
    """The situation's answers; where rules refuse it altogether, that it cannot come about."""
    refused = (IMPOSSIBLE,) * len(situation.questions)

    def guard(step: Callable[..., Hashable]) -> Callable[..., Hashable]:
        def ask(*given: Any) -> Hashable:
            try:
                return step(*given)
            except QuadrilleError:
                return refused

        return ask

    steps = situation.ask
    return (
        TwoSteps(guard(steps.first), guard(steps.then))
        if isinstance(steps, TwoSteps)
        else guard(steps)
    )


def _passage(
    space: ConfigurationSpace, situation: Situation, question: str, told: int, left: int
) -> Passage:
    diagrams = space.diagrams
    counted = {value: n for value, n in diagrams.counts(told).items() if value is not False}
    points = _deciding(space, told)
    answers = []
    for value, count in sorted(counted.items(), key=lambda item: (-item[1], str(item[0]))):
        here = diagrams.map(("is", value), lambda v, value=value: v == value, told)  # type: ignore[misc]
        cubes = tuple(c for c, v in diagrams.cubes(diagrams.onto(here, points)) if v is True)
        answers.append((str(value), count, cubes))
    return Passage(situation, question, tuple(answers), tuple(sorted(points)), left)


def _deciding(space: ConfigurationSpace, told: int) -> frozenset[int]:
    """A smallest set of points that determines the survivors' answers."""
    diagrams = space.diagrams
    kept = frozenset(p for p in diagrams.support(told) if diagrams.sizes[p] > 1)
    values = [v for v in diagrams.counts(told) if v is not False]
    for point in sorted(kept, reverse=True):
        fewer = kept - {point}
        shadows = [
            diagrams.onto(diagrams.map(("is", v), lambda w, v=v: w == v, told), fewer)  # type: ignore[misc]
            for v in values
        ]
        if all(diagrams.both(a, b) == diagrams.false for a, b in choose(shadows, 2)):
            kept = fewer
    return kept
