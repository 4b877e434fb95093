"""A deal's result as plain data: the settle input read, and a settlement written out as JSON data."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args

from quadrille_core import vocabulary
from quadrille_core.cards import NO_TRUMP, Suit, format_suit, parse_suit
from quadrille_core.engine.deal import names
from quadrille_core.engine.possible import Locate, impossible
from quadrille_core.engine.result import ODD, POOL, SCORE, VOLE_POOL, Result, Settlement, composed_data, name_fault
from quadrille_core.engine.terms import vole_level
from quadrille_core.errors import NotationError, Problem, ResultError, did_you_mean
from quadrille_core.own import PaymentRow
from quadrille_core.rules import Bid, PayItem, Rules, VoleLevel
from quadrille_core.vocabulary import MismatchError, Plain, plain_amount

KEYS = (
    "rules",
    "readings",
    "players",
    "pool",
    "contract",
    "trump",
    "favourite",
    "hombre",
    "ally",
    "surrendered",
    "tricks",
    "matadors",
    "adversary_matadors",
    "premiers",
    "vole",
    "multiplier",
    "beasts",
    "claims",
    "incidents",
)
"""The keys of the settle input, in the order they are written."""

CLAIMS: tuple[PayItem, ...] = get_args(PayItem)
"""What ``claims`` may list; ``bids.*.claimed`` says which of it must be claimed."""


ALONE = "none"
"""What ``ally`` says where Hombre called a card of her own, or the bid is played alone anyway."""
MOST_TIMES = 1000
"""No game of a file counts more often."""
MOST_BEASTS = 100
"""No more beasts of a file stand at once."""

_COUNTED = ("tricks", "premiers", "vole", "claims")
_DRAWN_FROM: dict[str, tuple[str, ...]] = {
    "players": ("hombre", "ally", "surrendered", *_COUNTED),
    "hombre": ("ally", "surrendered", *_COUNTED),
    "ally": _COUNTED,
    "tricks": _COUNTED,
    "premiers": _COUNTED,
    "vole": _COUNTED,
    "trump": ("matadors", "adversary_matadors", "claims"),
    "contract": ("claims",),
    "favourite": ("claims",),
    "matadors": ("adversary_matadors", "claims"),
    "pool": ("claims",),
}
"""What impossibilities are found from: who cannot read the one key should not speak of the others."""


def rules_named(data: Any, *, place: Locate | None = None) -> tuple[str, dict[str, str]]:
    """The rule set that a result asks for, and the readings it chooses; raises ResultError."""
    problems: list[Problem] = []
    mapping = _mapping(data, problems)
    where = place or _nowhere
    name = mapping.get("rules")
    if not isinstance(name, str) or not name.strip():
        code = "Q202" if name is None else "Q203"
        problems.append(Problem(code, "the result names no rules", where("rules"), "rules: PROFILE or PROFILE@WITNESS"))
    readings = mapping.get("readings")
    chosen: dict[str, str] = {}
    if isinstance(readings, Mapping):
        for point, reading in readings.items():
            if isinstance(point, str) and isinstance(reading, str):
                chosen[point] = reading
            else:
                problems.append(Problem("Q203", "a reading is POINT: READING, both words", where("readings")))
    elif readings is not None:
        problems.append(Problem("Q203", "readings is no mapping of POINT: READING", where("readings")))
    if problems:
        raise ResultError(problems)
    return str(name), chosen


def read_result(data: Any, rules: Rules, *, place: Locate | None = None) -> Result:
    """The result that the settle input describes, checked against the rules.

    Raises ResultError with every fault: of the data's form (codes Q2xx) and of what it says (Q701).
    ``place`` tells where a key stands, a player's tricks at ``tricks.NAME``.  Names are read in one spelling.
    """
    reader = _Reader(composed_data(data), rules, place or _nowhere)
    result = reader.read()
    # What could not be read has a stand-in by now: a fault at that key, or drawn from it, would mislead.
    unread = {key.split(".")[0] for key in reader.unread}
    unread.update(*(_DRAWN_FROM.get(key, ()) for key in tuple(unread)))
    problems = reader.problems + [
        problem for key, problem in _located(rules, result, place) if key.split(".")[0] not in unread
    ]
    if problems:
        raise ResultError(problems)
    return result


def _located(rules: Rules, result: Result, place: Locate | None) -> Iterable[tuple[str, Problem]]:
    keys: list[str] = []

    def note(key: str) -> Any:
        keys.append(key)
        return place(key) if place else None

    problems = impossible(rules, result, place=note)
    return zip(keys, problems, strict=True)


def _nowhere(_: str) -> None:
    return None


def _mapping(data: Any, problems: list[Problem]) -> Mapping[Any, Any]:
    if isinstance(data, Mapping):
        return data
    problems.append(Problem("Q203", "a result is a mapping of keys such as players, pool and contract"))
    return {}


class _Reader:
    """Reads one result, collecting faults; whatever cannot be read gets a stand-in."""

    def __init__(self, data: Any, rules: Rules, place: Locate) -> None:
        self.problems: list[Problem] = []
        self.unread: set[str] = set()
        self.rules, self.place = rules, place
        self.data = _mapping(data, self.problems)
        self.shaped = isinstance(data, Mapping)

    def fault(self, key: str, code: str, message: str, help: str = "") -> None:
        self.unread.add(key)
        self.problems.append(Problem(code, message, self.place(key), help))

    def read(self) -> Result:
        """The result, with stand-ins where the data has faults."""
        for key in self.data:
            if key not in KEYS:
                # A key that nobody reads is no stand-in for another: it must not hide faults.
                hint = did_you_mean(str(key), KEYS)
                self.problems.append(Problem("Q201", f"{str(key)[:40]!r} is no key of a result", self.place(key), hint))
        players = self.players()
        contract = self.contract()
        bid = self.rules.bids.of(contract) if contract in self.rules.bids.names() else None
        hombre = self.seat("hombre", players, required=True)
        return Result(
            players=players,
            pool=self.pool(),
            contract=contract,
            trump=self.trump(),
            favourite=self.favourite(),
            hombre=0 if hombre is None else hombre,
            ally=self.ally(players),
            surrendered=self.seat("surrendered", players),
            tricks=self.tricks(players),
            matadors=self.count("matadors"),
            adversary_matadors=self.count("adversary_matadors"),
            premiers=self.flag("premiers"),
            vole=self.vole(bid),
            claims=self.claims(),
            multiplier=self.multiplier(),
            beasts=self.beasts(),
            incidents=self.incidents(players),
        )

    def value(self, key: str, required: bool = False) -> Any:
        value = self.data.get(key)
        if value is None and required and self.shaped:
            self.fault(key, "Q202", f"the result says nothing of {key}")
        return value

    def players(self) -> tuple[str, ...]:
        stand_in = names(self.rules.table.players)
        value = self.value("players", required=True)
        if value is None:
            return stand_in
        if not isinstance(value, (list, tuple)):
            self.fault("players", "Q203", "players is no list of names", "list the eldest hand first, the dealer last")
            return stand_in
        faults = [f for f in map(name_fault, value) if f is not None]
        for fault in faults[:8]:
            self.fault("players", "Q207", fault)
        if faults:
            return stand_in
        return tuple(value)

    def pool(self) -> Any:
        points = self.rules.score.kept == "points"
        value = self.value("pool", required=not points)
        if value is None and points:
            return vocabulary.parse_amount(0)
        try:
            return vocabulary.parse_amount(4 if value is None else value)
        except MismatchError as error:
            self.fault("pool", "Q203", f"pool: {error}")
            return vocabulary.parse_amount(4)

    def contract(self) -> str:
        value = self.value("contract", required=True)
        if value is None or isinstance(value, str):
            spelled = {_plain_word(name): name for name in self.rules.bids.names()}
            return spelled.get(_plain_word(value or ""), value or "")
        self.fault(
            "contract", "Q203", "contract is no word", did_you_mean("", self.rules.bids.names(), what="contracts")
        )
        return ""

    def suit(self, key: str, missing: Suit | None = None) -> Suit | None:
        value = self.value(key)
        if value is None or value == "none":
            return missing
        try:
            return parse_suit(value if isinstance(value, str) else repr(value))
        except NotationError as error:
            problem = error.problems[0]
            self.fault(key, "Q207", f"{key}: {problem.message}", problem.help)
            return None

    def trump(self) -> Suit:
        read = self.suit("trump", missing=NO_TRUMP)
        return NO_TRUMP if read is None else read

    def favourite(self) -> Suit | None:
        favourite = self.rules.favourite
        return self.suit("favourite", missing=favourite.suit if favourite.source == "fixed" else None)

    def seat(self, key: str, players: tuple[str, ...], required: bool = False) -> int | None:
        value = self.value(key, required)
        if value is None:
            return None
        if isinstance(value, str) and value in players:
            return players.index(value)
        if "players" not in self.unread:
            hint = did_you_mean(str(value), players, what="players")
            self.fault(key, "Q204", f"{key}: {str(value)[:40]!r} is no player of this deal", hint)
        self.unread.add(key)
        return None

    def ally(self, players: tuple[str, ...]) -> int | None:
        """The ally's seat; ``none`` says outright that there is no ally, unless a player is called so."""
        if self.value("ally") == ALONE and ALONE not in players:
            return None
        return self.seat("ally", players)

    def tricks(self, players: tuple[str, ...]) -> tuple[int, ...]:
        value = self.value("tricks", required=True)
        made = [0] * len(players)
        if not isinstance(value, Mapping):
            if value is not None:
                self.fault("tricks", "Q203", "tricks is no mapping of players to numbers", "such as {A: 6, B: 2, D: 2}")
            return tuple(made)
        for name, number in value.items():
            key = f"tricks.{name}"
            if name not in players:
                if "players" not in self.unread:
                    hint = did_you_mean(str(name), players, what="players")
                    self.fault(key, "Q204", f"{str(name)[:40]!r} made tricks and is no player of this deal", hint)
                self.unread.add(key)
            elif isinstance(number, bool) or not isinstance(number, int):
                self.fault(key, "Q203", f"the tricks of {name} are no whole number")
            else:
                made[players.index(name)] = number
        return tuple(made)

    def count(self, key: str) -> int:
        value = self.value(key)
        if value is None:
            return 0
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault(key, "Q203", f"{key} is no whole number")
            return 0
        return value

    def multiplier(self) -> int:
        value = self.value("multiplier")
        if value is None:
            return 1
        if isinstance(value, bool) or not isinstance(value, int):
            self.fault("multiplier", "Q203", "multiplier is no whole number")
        elif not 1 <= value <= MOST_TIMES:
            self.fault("multiplier", "Q205", f"multiplier is not between 1 and {MOST_TIMES}")
        else:
            return value
        return 1

    def beasts(self) -> int:
        value = self.count("beasts")
        if not 0 <= value <= MOST_BEASTS:
            self.fault("beasts", "Q205", f"beasts is not between 0 and {MOST_BEASTS}")
            return 0
        return value

    def incidents(self, players: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
        """What happened, and who did it; a list where several did."""
        value = self.value("incidents")
        if value is None:
            return ()
        if not isinstance(value, Mapping):
            self.fault("incidents", "Q203", "incidents is no mapping of incidents to players", "such as {revoke: B}")
            return ()
        known = dict.fromkeys(row.incident for row in self.rules.own.all(PaymentRow) if row.incident)
        found = []
        for name, who in value.items():
            if name not in known:
                hint = did_you_mean(str(name), known, what="incidents") or "a plugin may have payments for some"
                self.fault("incidents", "Q204", f"these rules have no payment for an incident {str(name)[:40]!r}", hint)
            for player in who if isinstance(who, (list, tuple)) else [who]:
                if player in players:
                    found.append((str(name), players.index(player)))
                elif "players" not in self.unread:
                    hint = did_you_mean(str(player), players, what="players")
                    self.fault("incidents", "Q204", f"{name}: {str(player)[:40]!r} is no player of this deal", hint)
        return tuple(found)

    def flag(self, key: str) -> bool:
        value = self.value(key)
        if value is not None and not isinstance(value, bool):
            self.fault(key, "Q203", f"{key} is neither true nor false")
            return False
        return bool(value)

    def vole(self, bid: Bid | None) -> VoleLevel:
        value = self.value("vole")
        if value is None:
            return "none" if bid is None else vole_level(bid, "none")
        levels: tuple[VoleLevel, ...] = get_args(VoleLevel)
        for level in levels:
            if value == level:
                return level
        self.fault("vole", "Q204", f"vole: {str(value)[:40]!r} is not known", did_you_mean(str(value), levels))
        return "none"

    def claims(self) -> tuple[PayItem, ...]:
        value = self.value("claims")
        if value is None:
            return ()
        if not isinstance(value, (list, tuple)):
            self.fault("claims", "Q203", "claims is no list")
            return ()
        for claim in value:
            if claim not in CLAIMS:
                hint = did_you_mean(str(claim), CLAIMS, what="claims")
                self.fault("claims", "Q204", f"claims: {str(claim)[:40]!r} is nothing to claim", hint)
        return tuple(claim for claim in CLAIMS if claim in value)


def _plain_word(name: str) -> str:
    return name.strip().lower().replace("_", "-")


# --- writing ---------------------------------------------------------------------------------


def result_to_plain(result: Result, rules_ref: str, readings: Mapping[str, str] | None = None) -> dict[str, Plain]:
    """The settle input that describes this result; what does not apply is left out."""

    def name(seat: int | None) -> str | None:
        return None if seat is None else result.players[seat]

    plain: dict[str, Plain] = {
        "rules": rules_ref,
        "readings": dict(readings or {}),
        "players": list(result.players),
        "pool": plain_amount(result.pool),
        "contract": result.contract,
        "trump": None if result.trump == NO_TRUMP else format_suit(result.trump),
        "favourite": None if result.favourite is None else format_suit(result.favourite),
        "hombre": name(result.hombre),
        "ally": name(result.ally),
        "surrendered": name(result.surrendered),
        "tricks": {player: made for player, made in zip(result.players, result.tricks, strict=True) if made},
        "matadors": result.matadors,
        "adversary_matadors": result.adversary_matadors or None,
        "premiers": result.premiers,
        "vole": result.vole,
        "claims": list(result.claims) or None,
        "multiplier": None if result.multiplier == 1 else result.multiplier,
        "beasts": result.beasts or None,
        "incidents": _told(result) or None,
    }
    return {key: value for key, value in plain.items() if value is not None}


def _told(result: Result) -> dict[str, Plain]:
    return {
        name: [result.players[seat] for known, seat in result.incidents if known == name]
        for name, _ in result.incidents
    }


def account_name(account: int, players: tuple[str, ...]) -> str:
    """How a payment names an account: a player, ``pool``, ``vole pool`` or ``score``."""
    if account == POOL:
        return "pool"
    return {VOLE_POOL: "vole pool", SCORE: "score"}.get(account) or players[account]


def settlement_to_json(
    rules_identity: Mapping[str, Plain],
    result: Result,
    settlement: Settlement,
    source_of: Callable[[str], str],
    alone: str | None = None,
) -> dict[str, Plain]:
    """The settlement as the promised JSON data; ``source_of`` cites the source of a rule path.

    ``alone`` says why a bid for allies was played without one; None where it was not.
    """
    players = result.players
    plain: dict[str, Plain] = {
        "rules": dict(rules_identity),
        "outcome": settlement.outcome,
        "transfers": [
            {
                "from": account_name(t.source, players),
                "to": account_name(t.target, players),
                "amount": plain_amount(t.amount),
                "reason": t.reason,
                "rule": t.rule,
                "source": source_of(t.rule),
            }
            for t in settlement.transfers
        ],
        "net": {player: plain_amount(net) for player, net in zip(players, settlement.net, strict=True)},
        "pool": {"before": plain_amount(settlement.pool_before), "after": plain_amount(settlement.pool_after)},
        "vole": settlement.vole,
        "contract": result.contract,
        "hombre": players[result.hombre],
        "ally": None if result.ally is None else players[result.ally],
        "alone": alone,
    }
    if settlement.lapsed:
        plain["lapsed"] = [
            {
                "item": lapse.item,
                "amount": plain_amount(lapse.amount),
                "reason": lapse.reason,
                "rule": lapse.rule,
                "source": source_of(lapse.rule),
            }
            for lapse in settlement.lapsed
        ]
    if settlement.undivided:
        odd: Plain = [
            {"amount": plain_amount(left), "reason": why, "rule": ODD, "source": source_of(ODD)}
            for left, why in settlement.undivided
        ]
        plain["undivided"] = odd
    return plain
