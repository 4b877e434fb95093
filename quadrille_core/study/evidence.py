"""Evidence: what books say happened, read from a file, and asked of any rules whether it could have been so.

A piece of evidence put to a rule set either *holds*, or *fails* (the rules say otherwise, and what), or is *refused*
(under such rules the thing cannot have happened at all), or stays *undecided*, which only printed odds can that are
neither proved nor far enough from what was counted.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from quadrille_core import resources
from quadrille_core.cards import NO_TRUMP, SUITS, Card, Suit, format_cards, parse_cards, parse_suit
from quadrille_core.engine.forcing import legal_cards
from quadrille_core.engine.record import differing, from_record, replay, to_record
from quadrille_core.engine.result import Result, Settlement
from quadrille_core.engine.result_file import account_name, read_result
from quadrille_core.engine.settle import settle
from quadrille_core.engine.units import unit_of
from quadrille_core.errors import (
    EvidenceError,
    NotationError,
    Place,
    Problem,
    QuadrilleError,
    RecordError,
    ResultError,
    did_you_mean,
)
from quadrille_core.kinds import PATIENCE, TRICKS
from quadrille_core.profile import LocatedMap, Node, load_file, place_at, validate
from quadrille_core.rules import GameRules
from quadrille_core.vocabulary import parse_amount, plain_amount

Word = Literal["holds", "fails", "refused", "undecided"]

MOST_PIECES: Final = 200
TABLE_POOL: Final = 12
"""The pool at which the rows of a table are paid, if none is told: a quarter of it is three counters."""


class Answer(NamedTuple):
    """What rules say to a piece of evidence, and in what words they differ from it."""

    word: Word
    says: str = ""


HOLDS: Final = Answer("holds")


def amount_text(value: Fraction, *, sign: bool = False) -> str:
    """An exact amount; with ``sign``, a plus before what is won."""
    return ("+" if sign and value > 0 else "") + str(plain_amount(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One piece of evidence: what is asked, and where it stands."""

    id: str
    kind: str
    source: str
    at: str
    note: str = ""
    place: Place | None = None

    def ask(self, game: GameRules[Any]) -> Answer:
        """Whether it can have been so under these rules."""
        return self.judge(*(part(game) for part in self.parts()))

    def parts(self) -> tuple[Callable[[GameRules[Any]], Any], ...]:
        """What has to be asked of the rules, each by itself: questions put apart depend on less than both together."""
        raise NotImplementedError

    def judge(self, *found: Any) -> Answer:
        """The answer, from what each part has found."""
        (answer,) = found
        return answer if isinstance(answer, Answer) else Answer(*answer)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A file of evidence."""

    name: str
    title: str
    about: str
    rules: str
    readings: Mapping[str, str]
    points: tuple[str, ...]
    pieces: tuple[Piece, ...]
    place: Place | None = None


# --- kinds of pieces ------------------------------------------------------------------------------------


def settled(game: GameRules[Any], data: Mapping[str, Any]) -> tuple[Result, Settlement]:
    """A result read and settled under these rules; raises ResultError where it is impossible under them."""
    result = read_result(data, game.rules)
    return result, settle(game.rules, result)


def refused(error: QuadrilleError) -> Answer:
    """What cannot have happened under these rules."""
    return Answer("refused", error.problems[0].message)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementPiece(Piece):
    """A result and what came of it."""

    result: Mapping[str, Any]
    outcome: str | None = None
    net: Mapping[str, Fraction] = field(default_factory=dict)
    pool: Fraction | None = None
    transfers: tuple[tuple[str, str, Fraction], ...] = ()

    def parts(self) -> tuple[Callable[[GameRules[Any]], Any], ...]:
        """See ``Piece.parts``."""
        return (self._asked,)

    def _asked(self, game: GameRules[Any]) -> Answer:
        try:
            result, settlement = settled(game, self.result)
        except ResultError as error:
            return refused(error)
        other = next(self._other(result, settlement), None)
        return HOLDS if other is None else Answer("fails", other)

    def _other(self, result: Result, settlement: Settlement) -> Iterator[str]:
        if self.outcome not in (None, settlement.outcome):
            yield f"the game is {settlement.outcome}, not {self.outcome}"
        for player, wanted in self.net.items():
            net = settlement.net[result.players.index(player)]
            if net != wanted:
                yield f"{player} has {amount_text(net, sign=True)}, not {amount_text(wanted, sign=True)}"
        if self.pool is not None and settlement.pool_after != self.pool:
            yield f"the pool then holds {amount_text(settlement.pool_after)}, not {amount_text(self.pool)}"
        made = [
            (account_name(t.source, result.players), account_name(t.target, result.players), t.amount)
            for t in settlement.transfers
        ]
        for source, target, amount in self.transfers:
            if (source, target, amount) not in made:
                yield f"{source} does not pay {target} {amount_text(amount)}"
            else:
                made.remove((source, target, amount))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonPiece(Piece):
    """What one earns or loses by a result, compared with another result or an amount."""

    of: str
    what: str
    first: Mapping[str, Any]
    relation: str
    second: Mapping[str, Any] | None = None
    amount: Fraction = Fraction(0)

    def parts(self) -> tuple[Callable[[GameRules[Any]], Any], ...]:
        """See ``Piece.parts``."""
        return tuple(partial(self._measure, data=d) for d in (self.first, self.second) if d is not None)

    def judge(self, *found: Any) -> Answer:
        """See ``Piece.judge``."""
        for measure in found:
            if isinstance(measure, Answer):
                return measure
        one, two = (*found, self.amount)[:2]
        if compared(one, self.relation, two):
            return HOLDS
        of = "Hombre" if self.of == "hombre" else "the ally" if self.of == "ally" else self.of
        return Answer("fails", f"the {self.what} of {of} is {amount_text(one)}, against {amount_text(two)}")

    def _measure(self, game: GameRules[Any], *, data: Mapping[str, Any]) -> Fraction | Answer:
        try:
            result, settlement = settled(game, data)
        except ResultError as error:
            return refused(error)
        seat = result.hombre if self.of == "hombre" else result.ally
        if self.of not in ("hombre", "ally"):
            seat = result.players.index(self.of)
        if seat is None:
            return Answer("refused", "there is no ally")
        return settlement.net[seat] if self.what == "gain" else -settlement.net[seat]


def compared(one: Fraction, relation: str, two: Fraction) -> bool:
    """Whether the relation holds."""
    return {"<": one < two, "<=": one <= two, "=": one == two, ">=": one >= two, ">": one > two}[relation]


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePiece(Piece):
    """One cell of a table of payments: what is paid for, in units, paid at a pool that makes units whole."""

    row: str
    units: Fraction
    favourite: bool
    pool: Fraction

    def parts(self) -> tuple[Callable[[GameRules[Any]], Any], ...]:
        """See ``Piece.parts``."""
        return (self._asked,)

    def _asked(self, game: GameRules[Any]) -> Answer:
        try:
            _, settlement = settled(game, self._earning(game))
        except ResultError as error:
            return refused(error)
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

    def _earning(self, game: GameRules[Any]) -> dict[str, Any]:
        """A deal in which the cell is due, with whatever suit is favourite under these rules, if any is."""
        known = game.rules.favourite.source != "none"
        fixed = game.rules.favourite.suit
        suit = "hearts" if fixed is None else SUITS[fixed]
        data = earning(self.row, self.pool)
        other = "diamonds" if suit != "diamonds" else "hearts"
        if "trump" not in data:
            data["trump"] = suit if self.favourite else other
        if known or self.favourite:
            data["favourite"] = suit
        return data


def earning(row: str, pool: Fraction) -> dict[str, Any]:
    """The result of a deal in which the row is due, as a file has it: ``premium.solo``, ``matadors.three`` …

    Trumps are told only where no suit is trumps.
    """
    words = row.split(".")
    what, last = words[0], words[-1]
    contract = last if what in ("premium", "vole_stake", "vole_premium") else "solo"
    result: dict[str, Any] = {
        "players": list("ABCD"),
        "pool": pool.numerator if pool.denominator == 1 else str(pool),
        "contract": contract,
        "hombre": "A",
        "tricks": {"A": 6, "B": 4},
    }
    if contract in ("grandissimo", "nemo"):
        result["trump"] = "none"
    if contract in ("forced-spadille", "alliance", "casco"):
        result |= {"ally": "C", "tricks": {"A": 4, "C": 2, "B": 4}}
    if contract == "mediateur":
        result["surrendered"] = "B"
    if contract == "nemo":
        result["tricks"] = {"B": 10}
    if what == "matadors":
        result["matadors"] = {"three": 3, "four": 4}.get(last, 3)
    if what == "premiers":
        result["premiers"] = True
    if what in ("vole_stake", "vole_premium"):
        result |= {"vole": words[1], "premiers": True}
        result["tricks"] = {"A": 6, "C": 4} if "ally" in result else {"A": 10}
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalPiece(Piece):
    """Cards that may be played to a trick, and cards that may not."""

    hand: tuple[Card, ...]
    trick: tuple[Card, ...]
    trump: Suit
    may: tuple[Card, ...]
    may_not: tuple[Card, ...]

    def parts(self) -> tuple[Callable[[GameRules[Any]], Any], ...]:
        """See ``Piece.parts``."""
        return (self._asked,)

    def _asked(self, game: GameRules[Any]) -> Answer:
        table = game.rules.table
        if len(self.hand) > table.hand_cards or len(self.trick) >= table.players:
            return Answer("refused", "so many cards are not held or played under these rules")
        legal = legal_cards(game.rules, self.hand, self.trick, self.trump)
        barred = [c for c in self.may if c not in legal]
        if barred:
            return Answer("fails", f"{format_cards(barred)} may not be played")
        free = [c for c in self.may_not if c in legal]
        return Answer("fails", f"{format_cards(free)} may be played") if free else HOLDS


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPiece(Piece):
    """A deal that was played so."""

    record: Mapping[str, Any]

    def parts(self) -> tuple[Callable[[GameRules[Any]], Any], ...]:
        """See ``Piece.parts``."""
        return (self._asked,)

    def _asked(self, game: GameRules[Any]) -> Answer:
        try:
            again = replay(game, self.record)  # type: ignore[arg-type]
        except QuadrilleError as error:  # so few players, or so small a pool, as these rules do not know
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


# --- reading ----------------------------------------------------------------------------------------------


class _Reader:
    """Reads the pieces of a file that has the right shape, noting every fault."""

    def __init__(self, root: LocatedMap, game: GameRules[Any], kind: str, sources: Mapping[str, Any]) -> None:
        self.root, self.game, self.kind, self.sources = root, game, kind, sources
        self.problems: list[Problem] = []

    def fault(self, path: tuple[str | int, ...], code: str, message: str, help: str = "") -> None:
        self.problems.append(Problem(code, message, place_at(self.root, path), help))

    def pieces(self) -> Iterator[Piece]:
        entries = self.root.to_plain()["evidence"]
        seen: set[str] = set()
        for number, entry in enumerate(entries):
            where: tuple[str | int, ...] = ("evidence", number)
            if entry["id"] in seen:
                self.fault((*where, "id"), "Q206", f"two pieces of evidence are called {entry['id']!r}")
            seen.add(entry["id"])
            if entry["source"] not in self.sources:
                hint = did_you_mean(entry["source"], self.sources, what="sources")
                message = f"source {entry['source'][:60]!r} is not in the bibliography"
                self.fault((*where, "source"), "Q405", message, hint)
            if (entry["kind"] == "odds") != (self.kind == PATIENCE):
                other = "a patience" if self.kind == PATIENCE else "a game of tricks"
                message = f"{entry['kind']} is no evidence on the rules of {other}"
                self.fault((*where, "kind"), "Q208", message)
                continue
            yield from getattr(self, f"_{entry['kind']}")(entry, where)
        if len(entries) > MOST_PIECES:
            self.fault(("evidence",), "Q206", f"{len(entries)} pieces of evidence; {MOST_PIECES} are the most")

    def _common(self, entry: Mapping[str, Any], where: tuple[str | int, ...]) -> dict[str, Any]:
        common = {key: entry[key] for key in ("id", "kind", "source", "at")}
        return {**common, "note": entry.get("note", ""), "place": place_at(self.root, where)}

    def _checked(self, data: Mapping[str, Any], where: tuple[str | int, ...]) -> None:
        """Faults of a result's form; whether it can have happened is asked of each rule set."""

        def place(key: str) -> Place:
            return place_at(self.root, (*where, *(key.split(".", 1) if key not in data else [key])))

        try:
            read_result(data, self.game.rules, place=place)
        except ResultError as error:
            self.problems += [p for p in error.problems if p.code != "Q701"]

    def _settlement(self, entry: Mapping[str, Any], where: tuple[str | int, ...]) -> Iterator[Piece]:
        expect = entry["expect"]
        self._checked(entry["result"], (*where, "result"))
        for player in expect.get("net", {}):
            self._player(player, entry["result"], (*where, "expect", "net", player))
        yield SettlementPiece(
            **self._common(entry, where),
            result=entry["result"],
            outcome=expect.get("outcome"),
            net={player: parse_amount(net) for player, net in expect.get("net", {}).items()},
            pool=None if "pool" not in expect else parse_amount(expect["pool"]),
            transfers=tuple((t["from"], t["to"], parse_amount(t["amount"])) for t in expect.get("transfers", ())),
        )

    def _player(self, name: str, result: Mapping[str, Any], where: tuple[str | int, ...]) -> None:
        if name not in result.get("players", ()):
            self.fault(where, "Q204", f"{name[:40]!r} is no player of this deal")

    def _comparison(self, entry: Mapping[str, Any], where: tuple[str | int, ...]) -> Iterator[Piece]:
        if ("second" in entry) == ("amount" in entry):
            self.fault(where, "Q202", "a comparison has a second result or an amount, one of the two")
        for key in ("first", "second"):
            if key in entry:
                self._checked(entry[key], (*where, key))
                if entry["of"] not in ("hombre", "ally"):
                    self._player(entry["of"], entry[key], (*where, "of"))
        yield ComparisonPiece(
            **self._common(entry, where),
            of=entry["of"],
            what=entry["what"],
            first=entry["first"],
            relation=entry["is"],
            second=entry.get("second"),
            amount=parse_amount(entry.get("amount", 0)),
        )

    def _table(self, entry: Mapping[str, Any], where: tuple[str | int, ...]) -> Iterator[Piece]:
        common = self._common(entry, where)
        pool = parse_amount(entry.get("pool", TABLE_POOL))
        for number, (row, *cells) in enumerate(entry["rows"]):
            here = (*where, "rows", number)
            if not isinstance(row, str) or not _is_row(row) or len(cells) > 2:
                hint = "such as [premium.solo, 2, 4]: a row of payments, its units, and its units in favourite"
                self.fault(here, "Q203", "this is no row of a table of payments", hint)
                continue
            for cell, favourite in zip(cells, (False, True), strict=False):
                if cell is None:
                    continue
                try:
                    units = parse_amount(cell)
                except ValueError as error:
                    self.fault(here, "Q207", str(error))
                    continue
                name = f"{entry['id']}: {row}{' in favourite' if favourite else ''}"
                yield TablePiece(
                    **{**common, "id": name, "place": place_at(self.root, here)},
                    row=row,
                    units=units,
                    favourite=favourite,
                    pool=pool,
                )

    def _cards(self, entry: Mapping[str, Any], key: str, where: tuple[str | int, ...]) -> tuple[Card, ...]:
        try:
            return parse_cards(entry.get(key, ""))
        except NotationError as error:
            self.problems += [replace(p, place=place_at(self.root, (*where, key))) for p in error.problems]
            return ()

    def _legal(self, entry: Mapping[str, Any], where: tuple[str | int, ...]) -> Iterator[Piece]:
        hand, trick, may, may_not = (self._cards(entry, key, where) for key in ("hand", "trick", "may", "may_not"))
        trump = NO_TRUMP
        try:
            trump = NO_TRUMP if entry["trump"] == "none" else parse_suit(entry["trump"])
        except NotationError as error:
            self.problems += [replace(p, place=place_at(self.root, (*where, "trump"))) for p in error.problems]
        if both := set(hand) & set(trick):
            self.fault(
                (*where, "trick"), "Q206", f"{format_cards(sorted(both))} cannot be both in hand and on the table"
            )
        for key, cards in (("may", may), ("may_not", may_not)):
            if strange := [c for c in cards if c not in hand]:
                self.fault((*where, key), "Q204", f"{format_cards(strange)} is not in hand")
        if not may and not may_not:
            self.fault(where, "Q202", "neither what may be played nor what may not is told", "add `may:` or `may_not:`")
        yield LegalPiece(**self._common(entry, where), hand=hand, trick=trick, trump=trump, may=may, may_not=may_not)

    def _deal(self, entry: Mapping[str, Any], where: tuple[str | int, ...]) -> Iterator[Piece]:
        try:
            from_record(entry["record"])
        except RecordError as error:
            self.problems += [replace(p, place=place_at(self.root, (*where, "record"))) for p in error.problems]
        yield DealPiece(**self._common(entry, where), record=entry["record"])

    def _odds(self, entry: Mapping[str, Any], where: tuple[str | int, ...]) -> Iterator[Piece]:
        from quadrille_core.study.evidence_odds import OddsPiece

        odds, within = Fraction(entry["odds"]), Fraction(entry.get("within", "0/1"))
        if odds > 1:
            self.fault((*where, "odds"), "Q205", "odds of winning are a share of the games, from 0 to 1")
        yield OddsPiece(
            **self._common(entry, where),
            low=odds - within,
            high=odds + within,
            games=entry.get("games", 2000),
            seed=entry.get("seed", 1),
        )


def _is_row(row: str) -> bool:
    words = row.split(".")
    if words[0] in ("vole_stake", "vole_premium"):
        return len(words) == 3 and words[1] in ("undertaken", "announced", "revealed")
    return (
        row == "premiers" or row in ("matadors.three", "matadors.four") or (words[0] == "premium" and len(words) == 2)
    )


def load_evidence(name: str) -> Node:
    """The tree of a file of evidence, or of a shipped one by its name.

    Raises EvidenceError where no evidence is called so, and as ``load_file`` does.
    """
    shipped = resources.evidence()
    if name in shipped:
        return load_file(shipped[name])
    if not name.lower().endswith((".yaml", ".yml")):
        hint = did_you_mean(name, shipped, what="shipped") + "; a file of your own ends in .yaml"
        raise EvidenceError(Problem("Q306", f"no evidence is called {name[:60]!r}", None, hint))
    return load_file(Path(name))


def header(root: Node) -> tuple[str, dict[str, str], tuple[str, ...]]:
    """The rules, readings and open points that a file names; raises EvidenceError for faults of its shape."""
    problems = validate(root, "evidence")
    if problems:
        raise EvidenceError(problems)
    plain: Any = root.to_plain()
    return plain["rules"], dict(plain.get("readings", {})), tuple(plain.get("points", ()))


def read_evidence(root: Node, name: str, game: GameRules[Any], kind: str, sources: Mapping[str, Any]) -> Evidence:
    """The evidence of a file whose shape is right; raises EvidenceError with every fault, each at its place.

    ``game``: the rules under which results are read; what is impossible under these alone is no fault.
    """
    if not isinstance(root, LocatedMap) or kind not in (TRICKS, PATIENCE):
        raise EvidenceError(Problem("Q208", "this is no evidence on rules that are known", root.place))
    reader = _Reader(root, game, kind, sources)
    pieces = tuple(reader.pieces())
    if reader.problems:
        raise EvidenceError(reader.problems)
    plain = root.to_plain()
    rules, readings, points = header(root)
    return Evidence(name, plain.get("title", ""), plain.get("about", ""), rules, readings, points, pieces, root.place)
