"""A game of patience as plain data: written, read, and replayed under the same or other rules."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from quadrille_core.errors import NotationError, PlaceAt, Problem, RecordError, nowhere
from quadrille_core.frozen import frozen
from quadrille_core.profile.validation import plain_faults
from quadrille_plugins.patience.cards import PACK, format_cards, parse_cards
from quadrille_plugins.patience.game import Gather, PatienceGame, gatherer, layout_of, play
from quadrille_plugins.patience.rules import PatienceRules

MOST_STOCKS: Final = 61
MOST_STEPS: Final = 20_000


def to_record(
    played: PatienceGame,
    identity: Mapping[str, Any],
    *,
    seed: int | None = None,
    game: int | None = None,
) -> dict[str, Any]:
    """The game as a record; ``identity`` names its rules as every output does."""
    return {
        "kind": "patience",
        "rules": dict(identity),
        "seed": seed,
        "game": game,
        "stocks": [format_cards(stock) for stock in played.stocks],
        "steps": [step.text() for step in played.steps],
        "left": format_cards(played.left),
        "won": played.won,
    }


@frozen
class Recorded:
    """What a record says: the stocks dealt, and if it says so the steps and the end."""

    stocks: tuple[tuple[int, ...], ...]
    steps: tuple[str, ...] | None
    left: tuple[int, ...] | None
    won: bool | None


def from_record(record: object, place: PlaceAt = nowhere) -> Recorded:
    """Read a record; raises RecordError with every error.  ``place`` locates a path of keys."""
    if not isinstance(record, Mapping):
        raise RecordError.of("no-mapping-of-a-patience", place=place(()))
    if record.get("kind") != "patience":
        raise RecordError.of("no-record-of-a-patience", place=place(("kind",)))
    # it names its own rules, unless it is replayed under others
    problems = plain_faults({"rules": "any", **record}, "patience", place)
    for key, most in (("stocks", MOST_STOCKS), ("steps", MOST_STEPS)):
        many = len(record[key]) if isinstance(record.get(key), list) else 0
        if many > most:
            data = {"key": key, "many": many, "what": "game", "most": most}
            problems.append(Problem("Q206", "too-many-entries", data, place((key,))))
    if problems:
        raise RecordError(problems)

    def cards(key: str, text: str, *path: str | int) -> tuple[int, ...]:
        try:
            return parse_cards(text)
        except NotationError as error:
            problems.extend(
                Problem(p.code, "within", {"where": key, "problem": p}, place(path))
                for p in error.problems
            )
            return ()

    stocks, steps, left = record["stocks"], record.get("steps"), record.get("left")
    read = tuple(
        cards(f"stock {number}", text, "stocks", number - 1)
        for number, text in enumerate(stocks, 1)
    )
    heap = None if left is None else cards("left", left, "left")
    if problems:
        raise RecordError(problems)
    return Recorded(read, None if steps is None else tuple(steps), heap, record.get("won"))


@frozen
class Replayed:
    """A replay, None when the cards could not be dealt so; and how it differs from the record,
    empty if it does not."""

    played: PatienceGame | None
    divergence: str


class _OtherStockError(Exception):
    """The heap, however it is gathered, is not the stock that the record has next."""


def replay(rules: PatienceRules, recorded: Recorded) -> Replayed:
    """Play the record's first stock under these rules, shuffling where they shuffle as the record
    says."""
    layout = layout_of(rules)
    stock = recorded.stocks[0]
    if sorted(stock) != sorted(
        layout.stock(card for card in PACK for _ in range(rules.stock.packs))
    ):
        dealt = len(layout.stock(PACK)) * rules.stock.packs
        return Replayed(
            None,
            f"these rules deal a stock of {dealt} cards, and not the cards that the record has",
        )
    try:
        played = play(rules, layout, stock, _as_recorded(rules, recorded.stocks))
    except _OtherStockError as error:
        return Replayed(None, str(error))
    return Replayed(played, _difference(played, recorded))


def _as_recorded(rules: PatienceRules, stocks: Sequence[tuple[int, ...]]) -> Gather:
    own = gatherer(rules, 0, 0)

    def gather(heap: list[int], turn: int) -> Sequence[int]:
        if rules.heap.gathered != "shuffled":
            return own(heap, turn)
        if turn >= len(stocks) or sorted(stocks[turn]) != sorted(heap):
            raise _OtherStockError(
                f"the heap that is shuffled at turn {turn} does not hold the cards of the record"
            )
        return stocks[turn]

    return gather


def _difference(played: PatienceGame, recorded: Recorded) -> str:
    mine = [step.text() for step in played.steps]
    if recorded.steps is not None:
        found = _first_difference(mine, recorded.steps)
        if found:
            return found
    if recorded.won is not None and recorded.won != played.won:
        return f"the game is {'won' if played.won else 'lost'}, and the record says otherwise"
    if recorded.left is not None and recorded.left != played.left:
        return "other cards are left in the heap than the record says"
    return ""


def _first_difference(mine: Sequence[str], theirs: Iterable[str]) -> str:
    theirs = list(theirs)
    for number, (here, there) in enumerate(zip(mine, theirs, strict=False), 1):
        if here != there:
            return f"step {number} is {here!r}, where the record says {there[:40]!r}"
    if len(mine) != len(theirs):
        return f"the game has {len(mine)} steps, and the record {len(theirs)}"
    return ""
