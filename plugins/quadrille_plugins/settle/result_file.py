"""A deal's result as plain data: the settle input read, and a settlement written out as JSON
data."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, get_args

from quadrille_core.cards import NO_TRUMP, format_suit, parse_suit
from quadrille_core.engine.amounts import table_stake
from quadrille_core.engine.deal import names
from quadrille_core.engine.facts import none_of
from quadrille_core.engine.past import Facts
from quadrille_core.engine.result import FUND, POOL, SCORE, VOLE_POOL, Result, Settlement, Transfer
from quadrille_core.engine.terms import fixed_favourite, in_points, vole_level
from quadrille_core.engine.unplayed import asks_for_game, fined
from quadrille_core.errors import (
    Command,
    Key,
    NotationError,
    Option,
    PlaceAt,
    Problem,
    ResultError,
    did_you_mean,
    nowhere,
)
from quadrille_core.facts import Fact, facts
from quadrille_core.plugin_rules import PaymentRow
from quadrille_core.profile.naming import bid_named
from quadrille_core.rules import Bid, PayItem, Rules, VoleLevel
from quadrille_core.vocabulary import Plain, plain_amount
from quadrille_plugins.settle.player_names import composed_data, player_meant
from quadrille_plugins.settle.possible import impossible
from quadrille_plugins.settle.reading import Reader, number_hint, shown

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
    "facts",
)
"""The keys of the settle input, in the order they are written."""

CLAIMS: tuple[PayItem, ...] = get_args(PayItem)
"""What ``claims`` may list; ``bids.*.claimed`` says which of it must be claimed."""


ALONE = "none"
"""What ``ally`` says where Hombre called a card of their own, or the bid is played alone anyway."""
PLAYER_KEYS: Final = ("hombre", "ally", "surrendered")
"""The keys of a result that name one player."""
MOST_TIMES = 1000
"""No game of a file counts more often."""
MOST_BEASTS = 100
"""No more beasts of a file stand at once."""

_DUE = ("claims", "facts")
_COUNTED = ("tricks", "premiers", "vole", *_DUE)
_DRAWN_FROM: dict[str, tuple[str, ...]] = {
    "players": ("hombre", "ally", "surrendered", *_COUNTED),
    "hombre": ("ally", "surrendered", *_COUNTED),
    "ally": _COUNTED,
    "tricks": _COUNTED,
    "premiers": _COUNTED,
    "vole": _COUNTED,
    "trump": ("matadors", "adversary_matadors", *_DUE),
    "contract": _DUE,
    "favourite": _DUE,
    "matadors": ("adversary_matadors", *_DUE),
    "pool": ("claims",),
    "incidents": ("facts",),
}
"""What impossibilities are found from: who cannot read the one key should not speak of the
others."""


def rules_named(data: Any, *, place: PlaceAt = nowhere) -> tuple[str, dict[str, str]]:
    """The rule set that a result names, and the readings it chooses; raises ResultError."""
    if not isinstance(data, Mapping):
        raise ResultError.of("no-mapping-of-a-result")
    if data.get("kind") == "deal":
        where = place(("kind",))
        again = Command("deal", (), (Option("replay", where.path if where else "FILE"),))
        raise ResultError(Problem("Q208", "record-for-a-result", {}, where, again))
    problems: list[Problem] = []
    name, readings = data.get("rules"), data.get("readings", {})
    if not isinstance(name, str) or not name.strip():
        code = "Q202" if name is None else "Q203"
        problems.append(
            Problem(code, "result-names-no-rules", {"key": "rules"}, place=place(("rules",)))
        )
    chosen = readings if isinstance(readings, Mapping) else {} if readings is None else {"": None}
    if not all(isinstance(word, str) for pair in chosen.items() for word in pair):
        problems.append(Problem("Q203", "readings-no-mapping", place=place(("readings",))))
    if problems:
        raise ResultError(problems)
    return str(name), dict(chosen)


def read_result(data: Any, rules: Rules, *, place: PlaceAt = nowhere) -> Result:
    """The result that the settle input describes, checked against the rules.

    Raises ResultError with every fault: of the data's form (codes Q2xx) and of what it says (Q701).
    ``place`` tells where a path of keys stands.  Names are read in one spelling.
    """
    data = composed_data(data)
    if not isinstance(data, Mapping):
        raise ResultError.of("no-mapping-of-a-result")
    data = in_ids(data, rules, data.get("players"))
    reader = _ResultReader(data, "a result", ("kind", *KEYS), place)
    if data.get("kind", "result") != "result":
        reader.another_kind("result")
    result = reader.read(rules)
    # What could not be read has a stand-in by now: a fault at that key, or drawn from it, would
    # mislead.
    unread = reader.unread.union(*(_DRAWN_FROM.get(key, ()) for key in reader.unread))
    problems = reader.problems + [
        replace(problem, place=place(_path(key, result)))
        for key, problem in impossible(rules, result)
        if key.split(".")[0] not in unread
    ]
    if problems:
        raise ResultError(sorted(problems, key=lambda p: (p.line, p.col)))
    return result


def _path(key: str, result: Result) -> list[str]:
    """The path of a fault's key; the name of a fact of a plugin's own has a dot."""
    first, _, rest = key.partition(".")
    for name, _ in result.facts if first == "facts" else ():
        if rest == name or rest.startswith(f"{name}."):
            return [first, name, *filter(None, [rest[len(name) + 1 :]])]
    return key.split(".", 1)


class FactsReader(Reader):
    """Reads facts of a deal."""

    def told(self, key: str, asked: Mapping[str, Fact], players: tuple[str, ...]) -> Facts:
        """The facts below a key, in the order in which they are asked for."""
        wanted = "a mapping of facts to numbers by player"
        value, found = self.value(key, dict, wanted, "no-facts-by-player"), dict[str, Any]()
        for name, given in (value or {}).items():
            if name not in asked:
                fact = facts().get(str(name))
                follows = fact is not None and fact.from_result
                variant = "fact-told-otherwise" if follows else "fact-not-asked"
                variant = variant if fact else "no-such-fact"
                hint = None if fact else did_you_mean(str(name), asked or facts(), what="facts")
                where: Any = (variant, key, str(name))
                self.fault("Q204", *where, hint=hint, at_key=True, fact=str(name))
            elif asked[name].of == "deal":
                if isinstance(given, bool) or not isinstance(given, int):
                    more = {"value": shown(given), "fact": name}
                    self.fault("Q203", "fact-of-deal-no-number", key, str(name), **more)
                else:
                    found[name] = (given,)
            elif given == 0 and not isinstance(given, bool):
                found[name] = none_of(asked[name], len(players))
            elif not isinstance(given, Mapping):
                more = {"value": shown(given), "fact": name}
                self.fault("Q203", "fact-not-by-player", key, str(name), **more)
            else:
                found[name] = self.by_player(given, players, key, str(name))
        return tuple((name, found[name]) for name in asked if name in found)

    def by_player(
        self, value: Mapping[Any, Any], players: tuple[str, ...], *path: str
    ) -> tuple[int, ...]:
        """Whole numbers of a mapping from players, by seat; who is left out has 0."""
        found, what = [0] * len(players), path[-1]
        variant = "tricks-no-whole-number" if what == "tricks" else "fact-no-whole-number"
        for name, number in value.items():
            made = "made tricks" if what == "tricks" else f"has {what}"
            seat = self.seat_of(
                name, players, f"{shown(name)} {made} and", *path, str(name), at_key=True
            )
            if isinstance(number, bool) or not isinstance(number, int):
                hint, data = number_hint(number), dict[str, Any](name=name, fact=what)
                self.fault("Q203", variant, *path, str(name), hint=hint, **data)
            elif seat is not None:
                found[seat] = number
        return tuple(found)


def read_incidents(
    data: Mapping[str, Any], rules: Rules, players: tuple[str, ...], *, place: PlaceAt = nowhere
) -> tuple[tuple[str, int], ...]:
    """What happened in a deal that nobody played, and who did it; raises ResultError also where it
    could only be paid for once a game was played."""
    reader = _ResultReader(composed_data(data), "a deal that nobody played", ("incidents",), place)
    found = reader.incidents(players, rules)
    for name in dict.fromkeys(name for name, _ in found) if not reader.problems else ():
        rows = fined(rules, name)
        asks = [one for row in rows for one in asks_for_game(rules, row)]
        rule, what = asks[0] if asks else ("", "")
        if asks or not rows:
            variant = "incident-asks-for-game" if asks else "incident-unpaid-without-game"
            where: Any = ("Q701", variant, "incidents", name)
            reader.fault(*where, at_key=True, name=name, rule=rule, what=what)
    if reader.problems:
        raise ResultError(reader.problems)
    return found


class IncidentReader(FactsReader):
    """Reads what may tell incidents."""

    def incidents(
        self, players: tuple[str, ...], rules: Rules | None = None
    ) -> tuple[tuple[str, int], ...]:
        """What happened, and who did it, a list where several did; where ``rules`` are given they
        must have payments for it."""
        wanted = "a mapping of incidents to players"
        value = self.value("incidents", dict, wanted, "no-incidents-by-player")
        rows = rules.own.all(PaymentRow) if rules else ()
        known = dict.fromkeys(row.incident for row in rows if row.incident)
        found = []
        for name, who in (value or {}).items():
            if rules and name not in known:
                hint = did_you_mean(str(name), known, what="incidents")
                where: Any = ("Q204", "incident-without-payment", "incidents", str(name))
                self.fault(*where, hint=hint, at_key=True, name=str(name))
            for player in who if isinstance(who, (list, tuple)) else [who]:
                if (
                    seat := self.seat_of(player, players, f"{name}: {shown(player)}", "incidents")
                ) is not None:
                    found.append((str(name), seat))
        return tuple(found)


class _ResultReader(IncidentReader):
    """Reads one result; whatever cannot be read gets a stand-in."""

    def read(self, rules: Rules) -> Result:
        """The result, with stand-ins where the data has faults."""
        players = (self.names("players") if self.needed("players") else None) or names(
            rules.table.players
        )
        points, bids = in_points(rules), rules.bids.names()
        first = plain_amount(Fraction(table_stake(rules)))
        antes = Key("pool", str(first))
        is_told = points or self.needed("pool", "pool-not-told", first=antes)
        pool = self.amount("pool") if is_told else None
        played = [name for name in bids if rules.is_played(rules.bids.of(name))]
        asked: Any = ("contract", str, "a word", "no-word-for-a-contract")
        word = self.value(*asked, contracts=played) if self.needed("contract") else None
        contract = self.contract(word or "", rules)
        bid = rules.bids.of(contract) if contract in bids else None
        is_told = self.needed("hombre", "hombre-not-told", names=players)
        hombre = self.seat("hombre", players) if is_told else None
        trump, favourite = (
            None if self.data.get(key) == "none" else self.suit(key)
            for key in ("trump", "favourite")
        )
        fixed = fixed_favourite(rules)
        # `none` says outright that there is no ally, unless a player is called so
        alone = self.data.get("ally") == ALONE and ALONE not in players
        givers = self.givers(players)
        multiplier = self.number("multiplier", 1, MOST_TIMES)
        asked_facts = {name: rules.own.fact(name) for name in rules.own.recorded_facts()}
        return Result(
            players=players,
            pool=Fraction(0 if points else 4) if pool is None else pool,
            contract=contract,
            trump=NO_TRUMP if trump is None else trump,
            favourite=fixed if favourite is None and "favourite" not in self.unread else favourite,
            hombre=hombre or 0,
            ally=None if alone else self.seat("ally", players),
            surrendered=givers[0] if givers else None,
            also_surrendered=givers[1:],
            tricks=self.tricks(players),
            matadors=self.number("matadors") or 0,
            adversary_matadors=self.number("adversary_matadors") or 0,
            premiers=self.value("premiers", bool) or False,
            vole=self.vole(bid),
            claims=self.claims(),
            multiplier=1 if multiplier is None else multiplier,
            beasts=self.number("beasts", 0, MOST_BEASTS) or 0,
            incidents=self.incidents(players, rules),
            facts=self.told("facts", asked_facts, players),
        )

    def contract(self, word: str, rules: Rules) -> str:
        """The bid that is meant; the word itself where none is, which is found impossible."""
        try:
            return bid_named(word, rules)
        except NotationError as error:
            if error.problems[0].variant == "several-bids-meant":
                self.refused(error, "contract", "contract", code="Q207")
        return word

    def givers(self, players: tuple[str, ...]) -> tuple[int, ...]:
        """Who handed over the called card; a list where several were exchanged."""
        value = self.data.get("surrendered")
        each = value if isinstance(value, list) else [] if value is None else [value]
        told = [(name, f"surrendered: {shown(name)}") for name in each]
        found = [self.seat_of(name, players, who, "surrendered") for name, who in told]
        return tuple(seat for seat in found if seat is not None)

    def tricks(self, players: tuple[str, ...]) -> tuple[int, ...]:
        asked: Any = ("tricks", dict, "a mapping of players to numbers", "no-tricks-by-player")
        value = self.value(*asked) if self.needed("tricks", "tricks-not-told") else {}
        return self.by_player(value or {}, players, "tricks")

    def vole(self, bid: Bid | None) -> VoleLevel:
        value = self.data.get("vole")
        if value is None:
            return "none" if bid is None else vole_level(bid, "none")
        levels: tuple[VoleLevel, ...] = get_args(VoleLevel)
        for level in levels:
            if value == level:
                return level
        hint = did_you_mean(str(value), levels)
        self.fault("Q204", "no-such-vole", "vole", hint=hint, value=shown(value))
        return "none"

    def claims(self) -> tuple[PayItem, ...]:
        value = self.value("claims", list) or []
        for claim in value:
            if claim not in CLAIMS:
                hint = did_you_mean(str(claim), CLAIMS, what="claims")
                self.fault("Q204", "nothing-to-claim", "claims", hint=hint, claim=shown(claim))
        return tuple(claim for claim in CLAIMS if claim in value)


def in_ids(
    data: Mapping[str, Any], rules: Rules, players: object, *, begins: bool = False
) -> dict[str, Any]:
    """A result with the bid and the suits by their ids, and players as the table calls them.

    What means nothing stays; with ``begins`` the beginning of a bid's name is enough.
    """
    found, contract = dict(data), data.get("contract")
    with suppress(NotationError):
        if isinstance(contract, str) and contract:
            found["contract"] = bid_named(contract, rules, begins=begins)
    for key in ("trump", "favourite"):
        with suppress(NotationError):
            if isinstance(suit := data.get(key), str):
                found[key] = format_suit(parse_suit(suit))
    names = players if isinstance(players, (list, tuple)) else ()
    known = {name: name for name in names if isinstance(name, str)}

    def called(who: Any) -> Any:
        if isinstance(who, (list, tuple)):
            return [called(one) for one in who]
        if isinstance(who, Mapping):
            full = {called(name): number for name, number in who.items()}
            return full if len(full) == len(who) else who
        return player_meant(who, tuple(known)) or who if isinstance(who, str) else who

    for key in (*PLAYER_KEYS, "tricks"):
        if key in found and not (key == "ally" and found[key] == ALONE):
            found[key] = called(found[key])
    for key in ("incidents", "facts"):
        if isinstance(told := found.get(key), Mapping):
            found[key] = {name: called(whose) for name, whose in told.items()}
    return found


def bid_of(rules: Rules, word: object) -> Bid | None:
    """The bid of a contract by any of its names; None for what is no contract."""
    with suppress(NotationError):
        return rules.bids.of(bid_named(word, rules)) if isinstance(word, str) else None
    return None


# --- writing ---------------------------------------------------------------------------------


def result_to_plain(
    result: Result, rules_ref: str, readings: Mapping[str, str] | None = None
) -> dict[str, Plain]:
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
        "surrendered": [result.players[seat] for seat in result.givers()]
        if result.also_surrendered
        else name(result.surrendered),
        "tricks": {
            player: made for player, made in zip(result.players, result.tricks, strict=True) if made
        },
        "matadors": result.matadors,
        "adversary_matadors": result.adversary_matadors or None,
        "premiers": result.premiers,
        "vole": result.vole,
        "claims": list(result.claims) or None,
        "multiplier": None if result.multiplier == 1 else result.multiplier,
        "beasts": result.beasts or None,
        "incidents": incidents_told(result.incidents, result.players) or None,
        "facts": facts_to_plain(result.facts, result.players) or None,
    }
    return {key: value for key, value in plain.items() if value is not None}


def facts_to_plain(told: Facts, players: tuple[str, ...]) -> dict[str, Plain]:
    """Facts by player, of whom each has some; those of the deal as numbers."""
    return {
        name: counts[0]
        if len(counts) == 1
        else {p: n for p, n in zip(players, counts, strict=True) if n}
        for name, counts in told
    }


def incidents_told(
    incidents: tuple[tuple[str, int], ...], players: tuple[str, ...]
) -> dict[str, Plain]:
    """Incidents as plain data, with who did each."""
    return {
        name: [players[seat] for known, seat in incidents if known == name] for name, _ in incidents
    }


def account_name(account: int, players: tuple[str, ...]) -> str:
    """How payments name an account: a player, ``pool``, ``vole pool``, ``score`` or ``fund``."""
    return _UNOWNED.get(account) or players[account]


_UNOWNED: Final = {POOL: "pool", VOLE_POOL: "vole pool", SCORE: "score", FUND: "fund"}


def transfer_to_plain(transfer: Transfer, players: tuple[str, ...]) -> dict[str, Plain]:
    """A payment as plain data."""
    return {
        "from": account_name(transfer.source, players),
        "to": account_name(transfer.target, players),
        "amount": plain_amount(transfer.amount),
        "reason": transfer.reason,
        "rule": transfer.rule,
    }


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
            transfer_to_plain(t, players) | {"source": source_of(t.rule)}
            for t in settlement.transfers
        ],
        "net": {
            player: plain_amount(net) for player, net in zip(players, settlement.net, strict=True)
        },
        "pool": {
            "before": plain_amount(settlement.pool_before),
            "after": plain_amount(settlement.pool_after),
        },
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
            {"amount": plain_amount(left), "reason": why, "rule": rule, "source": source_of(rule)}
            for left, why, rule in settlement.undivided
        ]
        plain["undivided"] = odd
    return plain
