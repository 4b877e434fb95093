"""The kinds of evidence, each asked of any rules whether it could have been so.

A piece of evidence put to a rule set either *holds*, or *fails* (the rules say otherwise, and
what), or is *refused* (under such rules the thing cannot have happened at all), or stays
*undecided*: printed odds that are neither proved nor far enough from what was counted, and a result
that does not tell a fact on which a payment depends.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

from quadrille_core.cards import NO_TRUMP, SUITS, Card, Suit, format_cards
from quadrille_core.engine.amounts import unit_of
from quadrille_core.engine.carry import START, Carry, carried, staked
from quadrille_core.engine.forcing import follow
from quadrille_core.engine.past import OF_SESSION
from quadrille_core.engine.result import POOL, Result, Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import has_favourite, plain_solo
from quadrille_core.errors import Place, QuadrilleError, ResultError
from quadrille_core.facts import facts
from quadrille_core.frozen import frozen
from quadrille_core.rules import GameRules, Rules
from quadrille_core.vocabulary import parse_amount, plain_amount
from quadrille_plugins.deal.record import differing, replay, to_record
from quadrille_plugins.discriminate.configurations import Game, Step, TwoSteps
from quadrille_plugins.settle.possible import NOT_TOLD, least_facts
from quadrille_plugins.settle.result_file import account_name, read_result
from quadrille_plugins.shell.values import Json

Word = Literal["holds", "fails", "refused", "undecided"]


class Answer(NamedTuple):
    """What rules say to a piece of evidence, and in what words they differ from it."""

    word: Word
    says: str = ""


HOLDS: Final = Answer("holds")


def amount_text(value: Fraction, *, sign: bool = False) -> str:
    """An exact amount; with ``sign``, a plus before what is won."""
    return ("+" if sign and value > 0 else "") + str(plain_amount(value))


@frozen
class Piece:
    """One piece of evidence: its question and its source."""

    id: str
    kind: str
    source: str
    at: str
    note: str
    place: Place

    def ask(self, game: Game) -> Answer:
        """Whether it can have been so under these rules."""
        return self.judge(*(part(game) for part in self.parts()))

    def parts(self) -> tuple[Callable[[Game], Any], ...]:
        """The separate questions to the rules: each depends on fewer points than all together."""
        return (self._asked,)

    def _asked(self, game: Game) -> Answer:
        """What the rules say, of a piece that asks one thing."""
        raise NotImplementedError

    def judge(self, *found: Any) -> Answer:
        """The answer, combined from those of the parts."""
        (answer,) = found
        return answer if isinstance(answer, Answer) else Answer(*answer)


def of_settled(
    data: Callable[[Game], Json],
    answer: Callable[[Game, Result, Settlement], Hashable],
    impossible: Callable[[ResultError], Hashable],
) -> TwoSteps:
    """What is asked of a result settled under the rules; ``impossible`` answers where they do not
    admit it.

    Whether they admit it is one question and what it costs is another.
    """

    def read(game: Game) -> Hashable:
        try:
            return Step(read_result(_asked_of(data(game), game.rules), game.rules))
        except ResultError as error:
            return impossible(error)

    return TwoSteps(read, lambda game, result: answer(game, result, settle(game.rules, result)))


def _asked_of(data: Json, rules: Rules) -> Json:
    """A result with those facts alone on which payments of these rules depend."""
    told, asked = data.get("facts"), rules.own.recorded_facts()
    if not isinstance(told, Mapping):
        return data
    kept = {
        name: one
        for name, one in told.items()
        if name in asked or (name not in facts() and "." not in str(name))
    }
    return {**{k: v for k, v in data.items() if k != "facts"}, **({"facts": kept} if kept else {})}


def refused(error: QuadrilleError) -> Answer:
    """What cannot have happened under these rules, or what cannot be told for want of a fact."""
    problem = error.problems[0]
    word: Word = "undecided" if problem.variant in NOT_TOLD else "refused"
    return Answer(word, problem.message)


def _least_told(data: Json, rules: Rules) -> Json:
    """The facts of a plain deal, as a file has them."""
    players: list[str] = data["players"]
    trump = Suit(SUITS.index(data["trump"])) if data.get("trump") in SUITS else NO_TRUMP
    found = least_facts(rules, [data["tricks"].get(name, 0) for name in players], trump)
    told = {
        name: dict(zip(players, each, strict=True)) if len(each) > 1 else each[0]
        for name, each in found
    }
    return {**data, "facts": told} if told else data


@frozen
class BroughtPiece(Piece):
    """A piece of a kind that a feature brings."""

    data: Json
    asked: Callable[[Game, Json], str]

    def _asked(self, game: Game) -> Answer:
        try:
            says = self.asked(game, self.data)
        except QuadrilleError as error:
            return refused(error)
        return Answer("fails", says) if says else HOLDS


@frozen
class SettlementPiece(Piece):
    """A result and what came of it."""

    result: Json
    outcome: str | None = None
    net: Mapping[str, Fraction] = field(default_factory=dict)
    pool: Fraction | None = None
    transfers: tuple[tuple[str, str, Fraction], ...] = ()

    def parts(self) -> tuple[Callable[[Game], Any], ...]:
        """See ``Piece.parts``."""
        return (of_settled(lambda game: self.result, self._judged, refused),)

    def _judged(self, game: Game, result: Result, settlement: Settlement) -> Answer:
        del game
        other = next(self._other(result, settlement), None)
        return HOLDS if other is None else Answer("fails", other)

    def _other(self, result: Result, settlement: Settlement) -> Iterator[str]:
        if self.outcome not in (None, settlement.outcome):
            yield f"the game is {settlement.outcome}, not {self.outcome}"
        for player, wanted in self.net.items():
            net = settlement.net[result.players.index(player)]
            if net != wanted:
                yield (
                    f"{player} has {amount_text(net, sign=True)}, not "
                    f"{amount_text(wanted, sign=True)}"
                )
        if self.pool is not None and settlement.pool_after != self.pool:
            yield (
                f"the pool then holds {amount_text(settlement.pool_after)}, not "
                f"{amount_text(self.pool)}"
            )
        made = [
            (
                account_name(t.source, result.players),
                account_name(t.target, result.players),
                t.amount,
            )
            for t in settlement.transfers
        ]
        for source, target, amount in self.transfers:
            if (source, target, amount) not in made:
                yield f"{source} does not pay {target} {amount_text(amount)}"
            else:
                made.remove((source, target, amount))


@frozen
class ComparisonPiece(Piece):
    """What one earns or loses by a result, compared with another result or an amount."""

    of: str
    what: str
    first: Json
    relation: str
    second: Json | None = None
    amount: Fraction = Fraction(0)

    def parts(self) -> tuple[Callable[[Game], Any], ...]:
        """See ``Piece.parts``."""
        results = [data for data in (self.first, self.second) if data is not None]
        return tuple(of_settled(lambda game, d=data: d, self._measure, refused) for data in results)  # type: ignore[misc]

    def judge(self, *found: Any) -> Answer:
        """See ``Piece.judge``."""
        for measure in found:
            if isinstance(measure, Answer):
                return measure
        one, two = (*found, self.amount)[:2]
        if compared(one, self.relation, two):
            return HOLDS
        of = "Hombre" if self.of == "hombre" else "the ally" if self.of == "ally" else self.of
        than = f"{_RELATIONS[self.relation]} {amount_text(two)}"
        return Answer("fails", f"the {self.what} of {of} is {amount_text(one)}, not {than}")

    def _measure(self, game: Game, result: Result, settlement: Settlement) -> Fraction | Answer:
        del game
        seat = result.hombre if self.of == "hombre" else result.ally
        if self.of not in ("hombre", "ally"):
            seat = result.players.index(self.of)
        if seat is None:
            return Answer("refused", "there is no ally")
        return settlement.net[seat] if self.what == "gain" else -settlement.net[seat]


_RELATIONS: Final = {
    "<": "less than",
    "<=": "at most",
    "=": "as much as",
    ">=": "at least",
    ">": "more than",
}
"""The relations in words."""


def compared(one: Fraction, relation: str, two: Fraction) -> bool:
    """Whether the two amounts stand in the relation."""
    return {"<": one < two, "<=": one <= two, "=": one == two, ">=": one >= two, ">": one > two}[
        relation
    ]


@frozen
class TablePiece(Piece):
    """One cell of a table of payments: what is paid for, in units, paid at a pool that makes units
    whole."""

    row: str
    units: Fraction
    favourite: bool
    pool: Fraction

    def parts(self) -> tuple[Callable[[Game], Any], ...]:
        """See ``Piece.parts``."""
        return (of_settled(self._earning, self._paid, refused),)

    def _paid(self, game: Game, result: Result, settlement: Settlement) -> Answer:
        del result
        rule = f"payments.{'in_favourite.' if self.favourite else ''}{self.row}"
        paid = [t for t in settlement.transfers if t.rule == rule and t.source >= 0]
        unit = unit_of(game.rules.stakes, self.pool)
        if not paid:
            return Answer("fails", "nothing is paid for it") if self.units else HOLDS
        wrong = next((t.amount for t in paid if t.amount != self.units * unit), None)
        if wrong is None:
            return HOLDS
        each = amount_text(wrong / unit) if unit else "nothing"
        return Answer("fails", f"{each} units are paid for it, not {amount_text(self.units)}")

    def _earning(self, game: Game) -> Json:
        """A plain deal in which the cell is due, as a file has it; the favourite suit is that of
        the rules."""
        rules = game.rules
        words = self.row.split(".")
        what, last = words[0], words[-1]
        found = plain_solo(rules)
        contract = (
            last if what in ("premium", "vole_stake", "vole_premium") else found[0] if found else ""
        )
        data: Json = {
            "players": list("ABCD"),
            "pool": str(self.pool),
            "contract": contract,
            "hombre": "A",
        }
        data["tricks"] = {"A": 6, "B": 4}
        known, fixed = has_favourite(rules), rules.favourite.suit
        suit = "hearts" if fixed is None else SUITS[fixed]
        data["trump"] = suit if self.favourite else "diamonds" if suit != "diamonds" else "hearts"
        if known or self.favourite:
            data["favourite"] = suit
        if contract not in rules.bids.names():
            return data
        bid = rules.bids.of(contract)
        allied = bid.partner == "called"
        if bid.trump == "none":
            data["trump"] = "none"
        if allied:
            data |= {"ally": "C", "tricks": {"A": 4, "C": 2, "B": 4}}
        if bid.exchange:
            data["surrendered"] = "B" if bid.cards_asked == 1 else ["B"] * bid.cards_asked
        if bid.goal == "none":
            data["tricks"] = {"B": 10}
        if what == "matadors":
            data["matadors"] = {"three": 3, "four": 4}[last]
        if what == "premiers":
            data["premiers"] = True
        if what in ("vole_stake", "vole_premium"):
            level = "none" if bid.is_vole else words[1]
            data |= {
                "vole": level,
                "premiers": True,
                "tricks": {"A": 6, "C": 4} if allied else {"A": 10},
            }
        return _least_told(data, rules)


@frozen
class LegalPiece(Piece):
    """Cards that may be played to a trick, and cards that may not."""

    hand: tuple[Card, ...]
    trick: tuple[Card, ...]
    trump: Suit
    may: tuple[Card, ...]
    may_not: tuple[Card, ...]

    def _asked(self, game: Game) -> Answer:
        table = game.rules.table
        if len(self.hand) > table.hand_cards or len(self.trick) >= table.players:
            return Answer("refused", "so many cards are not held or played under these rules")
        legal = follow(game.rules.forcing, self.trump).legal(self.hand, self.trick)
        barred = [c for c in self.may if c not in legal]
        if barred:
            return Answer("fails", f"{format_cards(barred)} may not be played")
        free = [c for c in self.may_not if c in legal]
        return Answer("fails", f"{format_cards(free)} may be played") if free else HOLDS


@frozen
class DealPiece(Piece):
    """A deal that was played so."""

    record: Json

    def _asked(self, game: Game) -> Answer:
        try:
            again = replay(game, self.record)  # type: ignore[arg-type]
        except (
            QuadrilleError
        ) as error:  # so few players, or so small a pool, as these rules do not know
            return refused(error)
        if again.divergence is not None:
            parted = again.divergence
            number = f"action {parted.index + 1}, {parted.action}: " if parted.index >= 0 else ""
            return Answer("refused", f"{number}{parted.reason}")
        if again.deal is None or (ended := again.deal.result()) is None:
            return HOLDS
        changed = differing(self.record, to_record(again.deal, settle(game.rules, ended)))
        return (
            Answer("fails", f"the play is the same, and the payments are not: {', '.join(changed)}")
            if changed
            else HOLDS
        )


def _lost(rules: Rules, outcome: str, carry: Carry) -> Json:
    """The next solo lost by as little as that outcome allows; raises ResultError where nobody can
    play alone.

    Who lost those before it is not known, so that it tells no fact of the session by seat.
    """
    found = plain_solo(rules)
    if found is None:
        raise ResultError.of("nobody-loses-alone")
    name, bid = found
    made = bid.tricks - (1 if outcome == "remise" else rules.loss.remise_short + 1)
    favourite = rules.favourite.suit if rules.favourite.suit is not None else 0
    players = [f"P{number}" for number in range(1, rules.table.players + 1)]
    data: dict[str, Any] = {
        "players": players,
        "pool": str(staked(rules, carry)),
        "contract": name,
        "trump": next(suit for number, suit in enumerate(SUITS) if number != favourite),
        "hombre": players[0],
        "tricks": {players[0]: made, players[1]: rules.table.hand_cards - made},
    }
    data |= {"favourite": SUITS[favourite]} if has_favourite(rules) else {}
    data = _least_told(data, rules)
    if before := carry.past.deals:
        told = {k: v for k, v in data.get("facts", {}).items() if k not in OF_SESSION}
        asked = "deals_before" in rules.own.session_facts()
        data["facts"] = told | ({"deals_before": before} if asked else {})
    return data


def contradicted(game: GameRules[Any], piece: Mapping[str, Any]) -> str:
    """How the beasts of a session that begins with these losses differ from the printed; empty
    where they do not.

    Raises ResultError where such a session cannot happen, and where the rules pay by who was Hombre
    before, which is not told.
    """
    rules, carry = game.rules, START
    for number, (outcome, size) in enumerate(zip(piece["lost"], piece["sizes"], strict=True), 1):
        settlement = settle(rules, read_result(_lost(rules, outcome, carry), rules))
        if settlement.outcome != outcome:
            return f"game {number} is {settlement.outcome}, not {outcome}"
        put = sum((t.amount for t in settlement.transfers if t.target == POOL), Fraction(0))
        if size is not None and put != parse_amount(size):
            return f"beast {number} is {plain_amount(put)}, not {plain_amount(parse_amount(size))}"
        carry = carried(rules, carry, settlement)
    return ""
