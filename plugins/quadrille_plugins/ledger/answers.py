"""A deal's result from single answers, as options and the prompt give them, completed where nothing depends on it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from quadrille_core.cards import NO_TRUMP, parse_suit
from quadrille_core.engine.settle import due
from quadrille_core.engine.terms import most_matadors, pays_adversaries_matadors, vole_level
from quadrille_core.errors import Problem, ResultError, UsageError, did_you_mean
from quadrille_core.own import PaymentRow
from quadrille_core.rules import Bid, Rules, VoleLevel
from quadrille_plugins.ledger.deriving import DealStart, Derived, derive, result_of
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.names import likeness
from quadrille_plugins.settle.possible import Locate
from quadrille_plugins.settle.result_file import ALONE

PLAYER_KEYS: Final = ("hombre", "ally", "surrendered")
"""The keys of a result that name one player."""
SIDE: Final = ""
"""In ``tricks``, whom a number belongs to that names nobody: Hombre's side."""


def player_named(typed: str, names: Sequence[str]) -> str:
    """The player whose name this is, in any case, or the one whose name begins so.

    Raises UsageError where none or several do.
    """
    wanted = likeness(typed.strip())
    for found in ([n for n in names if n == typed.strip()], [n for n in names if likeness(n) == wanted]):
        if len(found) == 1:
            return found[0]
    begins = [n for n in names if wanted and likeness(n).startswith(wanted)]
    if len(begins) == 1:
        return begins[0]
    if begins:
        raise UsageError(f"{typed[:40]!r} begins several names: {', '.join(begins)}", help="type more of the name")
    raise UsageError(f"{typed[:40]!r} does not sit at the table", help=did_you_mean(typed, names, what="players"))


def with_full_names(data: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The answers with every player by the name that the ledger knows; raises UsageError for one who is unknown."""
    full = dict(data)
    for key in PLAYER_KEYS:
        if key in full and not (key == "ally" and full[key] == ALONE and ALONE not in names):
            full[key] = player_named(full[key], names)
    tricks: dict[str, int] = {}
    for name, made in full.get("tricks", {}).items():
        player = name if name == SIDE else player_named(name, names)
        if player in tricks:
            raise UsageError(f"the tricks of {player or 'Hombre’s side'} are given twice", help="give them once")
        tricks[player] = made
    if tricks:
        full["tricks"] = tricks
    if "incidents" in full:
        full["incidents"] = {
            name: [player_named(who, names) for who in several] for name, several in full["incidents"].items()
        }
    return full


@dataclass(frozen=True)
class Table:
    """The rules of a session and what the deal starts from: all that a result depends on besides itself."""

    rules: Rules
    start: DealStart

    def derive(self, data: Mapping[str, Any], place: Locate | None = None) -> Derived:
        """What a complete result comes to; raises ResultError with every fault."""
        return derive(self.rules, self.start, Fact("result", data), place)

    def bid(self, data: Mapping[str, Any]) -> Bid | None:
        """The contract's bid; None for a word that is no contract."""
        word = str(data.get("contract", "")).strip().lower().replace("_", "-")
        name = next((n for n in self.rules.bids.names() if n.replace("_", "-") == word), None)
        return None if name is None else self.rules.bids.of(name)

    def completed(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The result with the tricks that were left out, where nothing paid depends on who made them.

        A number without a name is what Hombre's side made.  Raises ResultError where the payments depend on how that
        side shared its tricks, and for every result that cannot have been.
        """
        found: list[tuple[dict[str, Any], Derived]] = []
        refused: ResultError | None = None
        for tricks in self._splits(data):
            whole = {**data, "tricks": tricks} if tricks is not None else dict(data)
            try:
                found.append((whole, self.derive(whole)))
            except ResultError as e:
                refused = refused or e
        if not found:
            assert refused is not None  # noqa: S101 - there is at least one way
            raise refused
        if any(comes_to(derived) != comes_to(found[0][1]) for _, derived in found):
            hombre, ally = str(data.get("hombre")), str(data.get("ally"))
            raise ResultError(
                Problem(
                    "Q202",
                    f"what is paid depends on how {hombre} and {ally} shared their tricks",
                    None,
                    f"give both, such as --tricks {hombre}=4 --tricks {ally}=2",
                )
            )
        return found[0][0]

    def _splits(self, data: Mapping[str, Any]) -> Iterator[dict[str, int] | None]:
        """Every way the tricks may have been made that the answers leave open; None where they say nothing."""
        given = dict(data.get("tricks", {}))
        if not given:
            yield None
            return
        hombre, ally = data.get("hombre"), data.get("ally")
        side = [name for name in (hombre, ally) if name in self.start.names]
        total = given.pop(SIDE, None)
        if total is not None and any(name in given for name in side) and len(side) == 1:
            raise UsageError(
                f"the tricks of {hombre} are given twice", help="a number without a name is Hombre's side's"
            )
        if total is None or not side:
            yield self._filled({**given, **({str(hombre): total} if total is not None else {})}, side)
            return
        known = {name: given[name] for name in side if name in given}
        others = {name: made for name, made in given.items() if name not in side}
        if len(side) == 1 or len(known) == 2:
            yield self._filled({**others, **(known or {side[0]: total})}, side)
        elif known:
            ((one, made),) = known.items()
            yield self._filled({**others, one: made, side[one == side[0]]: total - made}, side)
        else:
            for made in range(total, -1, -1):
                yield self._filled({**others, side[0]: made, side[1]: total - made}, side)

    def _filled(self, tricks: dict[str, int], side: Sequence[str]) -> dict[str, int]:
        """The tricks, the rest given to the adversary of whom none were told: nothing paid depends on which."""
        rest = self.rules.table.hand_cards - sum(tricks.values())
        free = [name for name in self.start.names if name not in side and name not in tricks]
        if rest > 0 and free and side:
            tricks = {**tricks, free[0]: rest}
        return {name: made for name, made in tricks.items() if made}

    # What may be answered.

    def contracts(self) -> list[str]:
        """The contracts that are played at this table, the lowest first."""
        bids = self.rules.bids
        return [n for n in bids.names() if self.rules.is_played(bids.of(n))]

    def may_be_passed(self) -> bool:
        """Whether a deal that all passed is dealt anew."""
        return self.rules.auction.all_pass == "redeal"

    def choices(self, key: str, data: Mapping[str, Any]) -> list[Any]:
        """The answers that one of the later questions may get; the first is what holds where nothing is said."""
        bid = self.bid(data)
        if bid is None:
            return []
        if key in ("matadors", "adversary_matadors"):
            if key == "adversary_matadors" and not pays_adversaries_matadors(self.rules.payments):
                return [0]
            trump = NO_TRUMP if data.get("trump") is None else parse_suit(data["trump"])
            return list(range(most_matadors(self.rules.payments, trump) + 1))
        if key == "premiers":
            return [False, True]
        levels: tuple[VoleLevel, ...] = get_args(VoleLevel)
        return [vole_level(bid, "none"), *(level for level in levels if level != vole_level(bid, "none"))]

    def incidents(self) -> list[str]:
        """The irregularities that cost something under these rules."""
        rows = (row for row in self.rules.own.all(PaymentRow) if row.incident and self.rules.own.in_force(row))
        return list(dict.fromkeys(row.incident for row in rows))

    def to_claim(self, data: Mapping[str, Any]) -> list[str]:
        """What Hombre's side has earned here, and lost unless it was claimed in time."""
        bid = self.bid(data)
        if bid is None or not bid.claimed:
            return []
        return [item for item in due(self.rules, result_of(self.rules, self.start, data)) if item in bid.claimed]


def comes_to(derived: Derived) -> object:
    """What of a deal's outcome anyone would notice."""
    return derived.outcome, derived.movements, derived.carry
