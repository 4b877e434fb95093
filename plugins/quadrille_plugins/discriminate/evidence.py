"""Reads a file of evidence: what books say happened; every error has its position."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from quadrille_core import resources
from quadrille_core.cards import NO_TRUMP, Card, format_cards, parse_cards, parse_suit
from quadrille_core.errors import (
    EvidenceError,
    Hint,
    NotationError,
    Place,
    Problem,
    RecordError,
    ResultError,
    UsageError,
    did_you_mean,
)
from quadrille_core.frozen import frozen
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_core.profile import LocatedMap, Node, load_file, place_at, validate
from quadrille_core.profile.naming import bid_named
from quadrille_core.profile.records import Source
from quadrille_core.vocabulary import parse_amount
from quadrille_plugins.deal.players import BOTS, named
from quadrille_plugins.deal.record import from_record
from quadrille_plugins.discriminate.configurations import Game
from quadrille_plugins.discriminate.evidence_holding import HoldingPiece
from quadrille_plugins.discriminate.evidence_odds import OddsPiece
from quadrille_plugins.discriminate.evidence_pieces import (
    BroughtPiece,
    ComparisonPiece,
    DealPiece,
    LegalPiece,
    Piece,
    SettlementPiece,
    TablePiece,
    contradicted,
)
from quadrille_plugins.discriminate.schema import brought
from quadrille_plugins.settle.result_file import read_result
from quadrille_plugins.shell.values import Json

Where = tuple[str | int, ...]
"""The place of something in a file, key by key."""
MOST_PIECES: Final = 200
TABLE_POOL: Final = 12
"""The pool at which the rows of a table are paid, if none is told: a quarter of it is three
counters."""


@frozen
class Evidence:
    """A file of evidence."""

    name: str
    title: str
    about: str
    rules: str
    readings: Mapping[str, str]
    points: tuple[str, ...] | None
    pieces: tuple[Piece, ...]
    digest: str
    """SHA-256 of what the file says, whatever its layout."""


class _EvidenceReader:
    """Reads the pieces of a file that has the right shape, noting every fault."""

    def __init__(
        self, root: LocatedMap, game: Game, kind: str, sources: Mapping[str, Source]
    ) -> None:
        self.root, self.game, self.kind, self.sources = root, game, kind, sources
        self.problems: list[Problem] = []

    def fault(
        self, path: Where, code: str, variant: str, hint: Hint | None = None, **data: Any
    ) -> None:
        self.problems.append(Problem(code, variant, data, place_at(self.root, path), hint))

    @contextmanager
    def placing(self, where: Where) -> Iterator[None]:
        """Note the faults of what is read inside, all at that place."""
        try:
            yield
        except (NotationError, RecordError) as error:
            self.problems += [replace(p, place=place_at(self.root, where)) for p in error.problems]

    def pieces(self) -> Iterator[Piece]:
        entries = self.root.to_plain()["evidence"]
        seen: set[str] = set()
        for number, entry in enumerate(entries):
            where: Where = ("evidence", number)
            if entry["id"] in seen:
                self.fault((*where, "id"), "Q206", "two-pieces-called", id=entry["id"])
            seen.add(entry["id"])
            if entry["source"] not in self.sources:
                hint = did_you_mean(entry["source"], self.sources, what="sources")
                source = entry["source"][:60]
                self.fault((*where, "source"), "Q405", "no-such-source", hint, source=source)
            of_wins = entry["kind"] == "odds" and not {"contract", "players"} & entry.keys()
            if of_wins != (KINDS[self.kind].won is not None):
                data = {"kind": entry["kind"], "game": KINDS[self.kind].article}
                self.fault((*where, "kind"), "Q208", "evidence-of-another-game", **data)
                continue
            if (kind := brought().get(entry["kind"])) is not None:
                yield BroughtPiece(**self._common(entry, where), data=entry, asked=kind.ask)
            else:
                yield from getattr(self, f"_{entry['kind']}")(entry, where)
        if len(entries) > MOST_PIECES:
            data = {"many": len(entries), "most": MOST_PIECES}
            self.fault(("evidence",), "Q206", "too-many-pieces", **data)

    def _common(self, entry: Json, where: Where) -> Json:
        common = {key: entry[key] for key in ("id", "kind", "source", "at")}
        return {**common, "note": entry.get("note", ""), "place": place_at(self.root, where)}

    def _checked(self, data: Json, where: Where) -> None:
        """Faults of a result's form; whether it can have happened is asked of each rule set."""

        def place(path: Sequence[str | int], *, key: bool = False) -> Place:
            return place_at(self.root, (*where, *path), key=key)

        try:
            read_result(data, self.game.rules, place=place)
        except ResultError as error:
            self.problems += [p for p in error.problems if p.code != "Q701"]

    def _settlement(self, entry: Json, where: Where) -> Iterator[Piece]:
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
            transfers=tuple(
                (t["from"], t["to"], parse_amount(t["amount"])) for t in expect.get("transfers", ())
            ),
        )

    def _player(self, name: str, result: Json, where: Where) -> None:
        if name not in result.get("players", ()):
            self.fault(where, "Q204", "no-player-of-this-deal", who=repr(name[:40]))

    def _comparison(self, entry: Json, where: Where) -> Iterator[Piece]:
        if ("second" in entry) == ("amount" in entry):
            self.fault(where, "Q202", "second-result-or-amount")
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

    def _table(self, entry: Json, where: Where) -> Iterator[Piece]:
        common = self._common(entry, where)
        pool = parse_amount(entry.get("pool", TABLE_POOL))
        for number, (row, *cells) in enumerate(entry["rows"]):
            here = (*where, "rows", number)
            if not isinstance(row, str) or not _is_row(row) or len(cells) > 2:
                self.fault(here, "Q203", "no-row-of-payments")
                continue
            for cell, favourite in zip(cells, (False, True), strict=False):
                if cell is None:
                    continue
                try:
                    units = parse_amount(cell)
                except ValueError as error:
                    self.fault(here, "Q207", "own-words", words=error)
                    continue
                name = f"{entry['id']}: {row}{' in favourite' if favourite else ''}"
                yield TablePiece(
                    **{**common, "id": name, "place": place_at(self.root, here)},
                    row=row,
                    units=units,
                    favourite=favourite,
                    pool=pool,
                )

    def _cards(self, entry: Json, key: str, where: Where) -> tuple[Card, ...]:
        cards: tuple[Card, ...] = ()
        with self.placing((*where, key)):
            cards = parse_cards(entry.get(key, ""))
        return cards  # noqa: RET504 - none where they could not be read

    def _legal(self, entry: Json, where: Where) -> Iterator[Piece]:
        hand, trick, may, may_not = (
            self._cards(entry, key, where) for key in ("hand", "trick", "may", "may_not")
        )
        trump = NO_TRUMP
        with self.placing((*where, "trump")):
            trump = NO_TRUMP if entry["trump"] == "none" else parse_suit(entry["trump"])
        if both := set(hand) & set(trick):
            twice = format_cards(sorted(both))
            self.fault((*where, "trick"), "Q206", "in-hand-and-on-the-table", cards=twice)
        for key, cards in (("may", may), ("may_not", may_not)):
            if strange := [c for c in cards if c not in hand]:
                self.fault((*where, key), "Q204", "not-in-hand", cards=format_cards(strange))
        if not may and not may_not:
            self.fault(where, "Q202", "neither-may-nor-may-not")
        yield LegalPiece(
            **self._common(entry, where),
            hand=hand,
            trick=trick,
            trump=trump,
            may=may,
            may_not=may_not,
        )

    def _deal(self, entry: Json, where: Where) -> Iterator[Piece]:
        with self.placing((*where, "record")):
            from_record(entry["record"])
        yield DealPiece(**self._common(entry, where), record=entry["record"])

    def _series(self, entry: Json, where: Where) -> Iterator[Piece]:
        if len(entry["lost"]) != len(entry["sizes"]):
            data: dict[str, Any] = {"sizes": len(entry["sizes"]), "losses": len(entry["lost"])}
            self.fault((*where, "sizes"), "Q206", "sizes-of-other-losses", **data)
        yield BroughtPiece(**self._common(entry, where), data=entry, asked=contradicted)

    def _odds(self, entry: Json, where: Where) -> Iterator[Piece]:
        contract, player = entry.get("contract", ""), entry.get("players", "steady")
        if self.kind == TRICKS:
            with self.placing((*where, "contract")):
                contract = bid_named(contract, self.game.rules)
        try:
            player = str(bot := named(player))
            if bot.player.solves:
                raise UsageError.of(
                    "bot-too-slow",
                    did_you_mean(player, [b for b in BOTS if not BOTS[b].solves], what="bots"),
                    player=player,
                )
        except UsageError as e:
            place = place_at(self.root, (*where, "players"))
            self.problems.append(replace(e.problems[0], code="Q204", place=place))
        odds, within = Fraction(entry["odds"]), self._within(entry, where) or Fraction(0)
        if odds > 1:
            self.fault((*where, "odds"), "Q205", "odds-above-one")
        yield OddsPiece(
            **self._common(entry, where),
            low=odds - within,
            high=odds + within,
            games=entry.get("games", 2000),
            seed=entry.get("seed", 1),
            wins=KINDS[self.kind].won,
            contract=contract,
            player=player,
        )

    def _holding(self, entry: Json, where: Where) -> Iterator[Piece]:
        chances, against = entry["printed"].split(" to ")
        yield HoldingPiece(
            **self._common(entry, where),
            one_of=entry["one_of"],
            printed=(int(chances), int(against)),
            knowing=entry["knowing"],
            within=self._within(entry, where),
        )

    def _within(self, entry: Json, where: Where) -> Fraction | None:
        """The margin that a piece states; a margin of 1 lets anything pass for any odds."""
        if "within" not in entry:
            return None
        within = Fraction(entry["within"])
        if within >= 1:
            within_all = entry["within"]
            self.fault((*where, "within"), "Q205", "within-all-cases", within=within_all)
        return within


def _is_row(row: str) -> bool:
    words = row.split(".")
    if words[0] in ("vole_stake", "vole_premium"):
        return len(words) == 3 and words[1] in ("undertaken", "announced", "revealed")
    return (
        row == "premiers"
        or row in ("matadors.three", "matadors.four")
        or (words[0] == "premium" and len(words) == 2)
    )


def load_evidence(name: str) -> Node:
    """The tree of a file of evidence, or of a shipped one by its name.

    Raises EvidenceError where no evidence is called so, and as ``load_file`` does.
    """
    shipped = resources.evidence()
    if name in shipped:
        return load_file(shipped[name])
    if not name.lower().endswith((".yaml", ".yml")):
        near = did_you_mean(name, shipped, what="shipped")
        raise EvidenceError.of("no-evidence", near, name=name[:60])
    return load_file(Path(name))


def header(root: Node) -> tuple[str, dict[str, str], tuple[str, ...] | None]:
    """The rules that a file names, the readings, and the points left open, None for all of them.

    Raises EvidenceError for faults of its shape.
    """
    problems = validate(root, "evidence")
    if problems:
        raise EvidenceError(problems)
    plain: Any = root.to_plain()
    return (
        plain["rules"],
        dict(plain.get("readings", {})),
        tuple(plain["points"]) if "points" in plain else None,
    )


def read_evidence(
    root: Node, name: str, game: Game, kind: str, sources: Mapping[str, Source]
) -> Evidence:
    """The evidence of a file whose shape is right; raises EvidenceError with every fault, each at
    its place.

    ``game``: the rules under which results are read; what is impossible under these alone is no
    fault.
    """
    if not isinstance(root, LocatedMap) or kind not in KINDS:
        raise EvidenceError.of("evidence-on-unknown-rules", place=root.place)
    reader = _EvidenceReader(root, game, kind, sources)
    pieces = tuple(reader.pieces())
    if reader.problems:
        raise EvidenceError(reader.problems)
    plain = root.to_plain()
    rules, readings, points = header(root)
    said = json.dumps(plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    digest = sha256(said.encode()).hexdigest()
    return Evidence(
        name,
        plain.get("title", ""),
        plain.get("about", ""),
        rules,
        readings,
        points,
        pieces,
        digest,
    )
