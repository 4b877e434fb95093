"""The form of one deal's result: the fields that the rules need, and the result that was filled in.

What can be answered comes from ``ledger.answers.Table``, which the prompt of ``session deal`` asks
too, and what is typed goes as it is to the reader of ``settle``'s input: it alone says what is
wrong.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from string import digits
from typing import Any, Final

from starlette.datastructures import ImmutableMultiDict

from quadrille_core.cards import NO_TRUMP, PACK, SUIT_SIGNS, SUITS, parse_suit
from quadrille_core.engine.amounts import basic_stake, counts_beasts
from quadrille_core.engine.carry import START, multiplier_of
from quadrille_core.engine.terms import asks_favourite, cards_exchanged, in_points, most_matadors
from quadrille_core.errors import Place, QuadrilleError, ResultError, UsageError
from quadrille_core.facts import MOST_COUNTED, facts
from quadrille_core.frozen import frozen
from quadrille_core.rules import Bid, Rules
from quadrille_plugins.ledger.answers import Table
from quadrille_plugins.ledger.asking import PASSED, VOID
from quadrille_plugins.ledger.deriving import DealStart
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.serve.trust import KEY
from quadrille_plugins.settle.alone import may_be_alone
from quadrille_plugins.settle.by_options import SIDE
from quadrille_plugins.settle.result_file import ALONE, CLAIMS, in_ids
from quadrille_plugins.shell.fact_words import own_words
from quadrille_plugins.shell.values import if_any, seat_names

LETTERS: Final = "ABCDE"
"""The names of players who are not named."""
SHARES: Final = ("tricks-of-each-wanted", "tricks-of-adversaries-wanted")
"""The faults of a deal whose payments depend on how a side shared its tricks: Hombre's, or the
other."""
TRICKS: Final = "tricks."
"""Before the player whose tricks a field asks for."""
LONGEST: Final = 80
"""Characters of a field that are read on; no name and no number is longer."""


Given = ImmutableMultiDict[str, Any]
"""A form or a query: values by name."""


@frozen
class Choice:
    """An answer to choose: the value that is sent, and what is shown."""

    value: str
    label: str
    asks: str = ""
    """The groups of fields that this answer leaves open, with blanks between."""


@frozen
class Field:
    """One question of a form."""

    name: str
    label: str
    kind: str
    """``text``, ``number``, ``one`` of the choices, or ``several`` of them."""
    choices: tuple[Choice, ...] = ()
    help: str = ""
    value: str = ""
    """What stands there at first."""
    high: int = 0
    """The highest number."""
    more: bool = False
    """Whether few deals need it."""
    kept: bool = False
    """Whether it is kept back until the payments are found to depend on it."""

    @property
    def group(self) -> str:
        """By what the field is asked for; empty where it always is."""
        return group_of(self.name)


def plain_table(rules: Rules, names: Sequence[str] = ()) -> Table:
    """What may be answered under these rules, for a deal that belongs to no session."""
    accounts = tuple(range(rules.table.players))
    names = tuple(names) or tuple(LETTERS[: len(accounts)])
    return Table(rules, DealStart(accounts, names, START, None, "", {}))


# --- the fields -------------------------------------------------------------------------------


def desk_fields(table: Table) -> list[Field]:
    """Everything that a settlement under these rules may need."""
    rules, count = table.rules, table.rules.table.players
    seats = tuple(seat if seat == "dealer" else f"{seat} hand" for seat in seat_names(count))
    fields = [
        Field(f"player{n}", seat.capitalize(), "text", value=table.start.names[n])
        for n, seat in enumerate(seats)
    ]
    if not in_points(rules):
        at_first, antes = str(basic_stake(rules.stakes, count)), "this deal’s antes included"
        fields.append(Field("pool", "Counters in the pool", "text", (), antes, at_first))
    seats = tuple(
        seat if name == LETTERS[n] else f"{name} ({seat})"
        for n, (name, seat) in enumerate(zip(table.start.names, seats, strict=True))
    )
    most = rules.table.hand_cards
    tricks = [
        Field(f"tricks{n}", f"Tricks: {seat}", "number", high=most) for n, seat in enumerate(seats)
    ]
    drawn = rules.favourite.source.startswith(("drawn", "first"))
    fields += _common(table, seats, tricks, "where one is known" if drawn else "")
    if multiplier_of(rules, replace(START, losses=1)) > 1:
        fields.append(
            Field("multiplier", "How many times the game counts", "number", high=99, value="1")
        )
    if counts_beasts(rules):
        fields.append(Field("beasts", "Beasts that stand", "number", high=99))
    return fields


def ledger_fields(table: Table, *, recorded: bool = False) -> list[Field]:
    """What a deal of a session needs; the ledger knows the rest.  ``recorded`` where the deal
    stands in it."""
    first = table.rules.premiers.tricks
    numbers = tuple(
        Choice(str(n), str(n), ENOUGH * (n >= first))
        for n in range(table.rules.table.hand_cards + 1)
    )
    players = _players(table, table.start.names)
    tricks = [Field("side", "Tricks of Hombre’s side", "one", numbers)]
    tricks += [
        Field(TRICKS + c.value, f"Tricks of {c.label}", "one", numbers, kept=True) for c in players
    ]
    drawn = any("favourite" in asked_by(table, contract) for contract in table.contracts())
    hint = "as it was drawn" if drawn else ""
    contract, *fields = _common(table, table.start.names, tricks, hint)
    passed = [Choice(PASSED, "All passed")] if table.may_be_passed() else []
    asked = tuple(
        replace(c, asks=" ".join(sorted(asked_by(table, c.value))))
        for c in (*contract.choices, *passed, Choice(VOID, "Misdeal"))
    )
    for n, field in enumerate(fields):
        choices, more = tuple(_fitting(table, field)), field.name.startswith("incident")
        dropped = field.name in ("trump", "ally") and len(choices) < len(field.choices)
        fields[n] = replace(field, choices=choices, help="" if dropped else field.help, more=more)
    fields.insert(0, replace(contract, choices=asked))
    fields.append(Field("reason", "Why it was a misdeal", "text"))
    dealers = (
        Choice("", f"{table.dealer}, {'as recorded' if recorded else 'whose turn it was'}"),
        *(players if table.start.out else players[:-1]),
    )
    fields.append(
        Field("dealer", "Who dealt", "one", dealers, "where it was not who should have", more=True)
    )
    return fields


ENOUGH: Final = "enough"
"""The group of fields that is open where Hombre's side made as many tricks as premiers are."""


def group_of(name: str) -> str:
    """The group of a field by its name; empty for one that is always asked."""
    head, _, rest = name.partition(".")
    if head == "surrendered":
        return head + rest
    return {"contract": "", "incident": "", "dealer": "", "tricks": "side"}.get(head, head)


def asked_by(table: Table, contract: str) -> set[str]:
    """The groups of fields that a contract may need; ``undertaken`` where a vole can be played for
    by whoever has premiers, and ``vole`` where it can be announced."""
    if contract in (PASSED, VOID):
        return {"reason"} if contract == VOID else set()
    rules, bid = table.rules, _bids(table)[contract]
    levels = table.choices("vole", {"contract": contract})
    suits = map(parse_suit, SUITS) if bid.trump == "suit" else [NO_TRUMP]
    needs = {
        "trump": bid.trump == "suit",
        "favourite": table.start.favourite is None and asks_favourite(rules, bid),
        "ally": bid.partner == "called",
        "matadors": any(most_matadors(rules.payments, suit) for suit in suits),
        "adversary_matadors": len(table.choices("adversary_matadors", {"contract": contract})) > 1,
        "premiers": bid.premiers,
        "undertaken": len(levels) > 1,
        "vole": any(level not in ("none", "undertaken") for level in levels),
        "claims": bool(bid.claimed),
    }
    given_up = map(group_of, givers_of(cards_exchanged(bid)))
    return {"hombre", "side", "facts", *given_up, *(n for n, needed in needs.items() if needed)}


def only_asked(given: Given, table: Table) -> Given:
    """What was filled in without what its contract does not ask, which a page does not show."""
    contract, side = _text(given, "contract"), _number(_text(given, "side"))
    if contract not in (*_bids(table), PASSED, VOID):
        return given
    asked = asked_by(table, contract)
    if isinstance(side, int) and side < table.rules.premiers.tricks:
        asked -= {"premiers", "undertaken"}
    asked |= {"vole"} if "undertaken" in asked else set()
    return ImmutableMultiDict(
        [(k, v) for k, v in given.multi_items() if not (g := group_of(k)) or g in asked]
    )


_PLAYERS: Final = ("hombre", "ally", "surrendered", "surrendered2", "surrendered3")


def _fitting(table: Table, field: Field) -> Iterator[Choice]:
    """The answers that can be given where only the field's own contracts ask for it, each player
    with a group of their own: nobody is their own ally."""
    alone = any(may_be_alone(b) for b in _bids(table).values() if b.partner == "called")
    accounts = [str(account) for account in table.start.accounts]
    for choice in field.choices:
        if field.group in _PLAYERS and choice.value in accounts:
            yield replace(choice, asks=f"seat{accounts.index(choice.value)}")
        elif field.name == "trump" and choice.value == "none":
            continue
        elif field.name != "ally" or alone:
            yield choice


def _common(
    table: Table, names: Sequence[str], tricks: Sequence[Field], favourite: str
) -> Iterator[Field]:
    """What desk and ledger ask alike, with who made how many ``tricks`` and, where it has a hint,
    the favourite suit."""
    bids, players = _bids(table), _players(table, names)
    yield Field("contract", "Contract", "one", tuple(Choice(n, b.title) for n, b in bids.items()))
    if any(b.trump == "suit" for b in bids.values()):
        yield _suit("trump", "Trumps", "none where the contract has no trumps")
    if favourite:
        yield _suit("favourite", "Favourite suit", favourite)
    yield Field("hombre", "Hombre (the bidder)", "one", players)
    if any(b.partner == "called" for b in bids.values()):
        hint = "none where Hombre played alone, or called a king of their own"
        yield Field("ally", "Ally", "one", (*players, Choice(_alone(table), "none")), hint)
    for key in _givers(table):
        number = key.removeprefix("surrendered")
        whose = f"called card {number[1:]}" if number else "the called card"
        given_up = (*players, Choice("", "none"))
        yield Field(key, f"Who gave up {whose}", "one", given_up, "where one was exchanged")
    yield from tricks
    yield from _later(table)


def _givers(table: Table) -> list[str]:
    """The fields that name who gave up each called card."""
    return givers_of(max((cards_exchanged(bid) for bid in _bids(table).values()), default=0))


def givers_of(cards: int) -> list[str]:
    """The fields for so many called cards."""
    return [f"surrendered.{n}" if n > 1 else "surrendered" for n in range(1, cards + 1)]


def _later(table: Table) -> Iterator[Field]:
    rules, bids = table.rules, _bids(table)
    most = max(most_matadors(rules.payments, suit) for suit in (*map(parse_suit, SUITS), NO_TRUMP))
    numbers = tuple(Choice(str(n), str(n)) for n in range(most + 1))
    if most:
        yield Field(
            "matadors",
            "Matadors of Hombre’s side",
            "one",
            numbers,
            "unbroken top trumps, from Spadille down",
        )
    if any(len(table.choices("adversary_matadors", {"contract": name})) > 1 for name in bids):
        yield Field("adversary_matadors", "Matadors of the adversaries", "one", numbers, more=True)
    if any(b.premiers for b in bids.values()):
        label = f"Hombre’s side took the first {rules.premiers.tricks} tricks (premiers)"
        yield Field("premiers", label, "several", (Choice("yes", "yes"),))
    levels = dict.fromkeys(
        level for name in bids for level in table.choices("vole", {"contract": name})
    )
    if len(levels) > 1:
        words = tuple(Choice(str(level), str(level)) for level in levels)
        yield Field(
            "vole",
            "Vole (all the tricks)",
            "one",
            words,
            "whether it was played for, and how",
            more=True,
        )
    claimed = {item for bid in bids.values() for item in bid.claimed}
    if claimed:
        items = tuple(Choice(item, item) for item in CLAIMS if item in claimed)
        yield Field("claims", "Claimed in time", "several", items, more=True)
    seats = _players(table, table.start.names)
    for incident in table.incidents(played=True):
        label = f"Who is to pay for {incident.replace('-', ' ').replace('_', ' ')}"
        yield Field(f"incident.{incident}", label, "several", seats, more=True)
    for name in rules.own.recorded_facts():
        fact, label = rules.own.fact(name), own_words(name).capitalize()
        if fact.of_session and table.start.reference:
            continue  # the ledger knows it
        high = MOST_COUNTED if fact.of_session or fact.own else len(PACK)
        if fact.of == "deal":
            yield Field(f"facts.{name}", label, "number", (), fact.doc, high=high)
            continue
        if fact.of_one:
            yield Field(f"facts.{name}", label, "one", seats, fact.doc)
            continue
        for seat in seats:
            one = f"{label}: {seat.label}"
            yield Field(f"facts.{name}.{seat.value}", one, "number", (), fact.doc, high=high)


def _players(table: Table, names: Sequence[str]) -> tuple[Choice, ...]:
    """The players to choose from.

    The value is an account and no seat: whoever is chosen stays so when another dealer turns out to
    have dealt.
    """
    return tuple(
        Choice(str(account), name)
        for account, name in zip(table.start.accounts, names, strict=True)
    )


def _suit(name: str, label: str, hint: str) -> Field:
    suits = [Choice(suit, f"{sign} {suit}") for suit, sign in zip(SUITS, SUIT_SIGNS, strict=True)]
    return Field(name, label, "one", (*suits, Choice("none", "none")), hint)


def _alone(table: Table) -> str:
    """What the form sends for no ally."""
    return ALONE if ALONE not in table.start.names else ""


def _bids(table: Table) -> dict[str, Bid]:
    return {name: table.rules.bids.of(name) for name in table.contracts()}


# --- what was filled in ------------------------------------------------------------------------


def typed(given: Given, fields: Iterable[Field]) -> dict[str, list[str]]:
    """What was typed into each field, to be shown there again."""
    return {
        f.name: [v[:LONGEST] for v in given.getlist(f.name)[:16] if isinstance(v, str)]
        for f in fields
    }


def was_sent(given: Given) -> bool:
    """Whether a form was filled in at all."""
    return isinstance(given.get("contract", given.get("sent")), str)


def names_in(given: Given, count: int) -> list[str]:
    """The names of the players that were typed, the eldest hand first."""
    return [_text(given, f"player{n}") or LETTERS[n] for n in range(count)]


def desk_result(given: Given, table: Table) -> dict[str, Any]:
    """The settle input, but for the rules, that was filled in at the desk."""
    names = table.start.names
    data: dict[str, Any] = {"players": list(names), **_result(given, table)}
    _ask_for_ally(given, data, table)
    for key in ("pool", "multiplier", "beasts"):
        if text := _text(given, key):
            data[key] = _number(text)
    tricks = {name: _number(_text(given, f"tricks{n}")) for n, name in enumerate(names)}
    return {**data, "tricks": {name: made for name, made in tricks.items() if made}}


def ledger_fact(given: Given, table: Table) -> Fact:
    """The deal that was filled in at the table, by what its contract asks; raises ResultError as
    ``Table.completed`` does."""
    given = only_asked(given, table)
    contract = _text(given, "contract")
    if contract == PASSED:
        return Fact("passed", _incidents(given, table))
    if contract == VOID:
        note = _text(given, "reason") or "no reason was given"
        return Fact("void", _incidents(given, table), note)
    data = _result(given, table)
    _ask_for_ally(given, data, table)
    hombre, ally, side = data.get("hombre"), data.get("ally"), _number(_text(given, "side"))
    if isinstance(side, int):
        alone = (hombre if ally in (None, ALONE) else None, ally)
        data["tricks"] = {SIDE: side} | {
            name: made
            for name in table.start.names
            if isinstance(made := _number(_text(given, TRICKS + _chosen(table, name))), int)
            and name not in alone
        }
        if hombre in table.start.names and data.get("contract"):
            data = table.completed(data, place=place_of)
    elif side and hombre in table.start.names:
        data["tricks"] = {str(hombre): side}  # the reader says what is wrong with it
    data.get("tricks", {}).pop(SIDE, None)
    return Fact("result", data)


def _ask_for_ally(given: Given, data: Mapping[str, Any], table: Table) -> None:
    """Raise ResultError where the contract is played with an ally and nothing is said of one, with
    the faults of other fields that are empty."""
    bid, said = table.bid(data), "ally" in data or given.get("ally") == _alone(table)
    if bid is None or bid.partner != "called" or said:
        return
    ally = ResultError.of("played-with-ally", place=place_of(("ally",)), title=bid.title)
    typed = {
        "tricks" if key == "side" else key.rstrip(digits) for key in given if _text(given, key)
    }
    try:
        table.derive({**data, "ally": ALONE}, place_of)
    except ResultError as e:
        others = (p for p in e.problems if p.path.removeprefix(KEY).split(".")[0] not in typed)
        raise ResultError([*ally.problems, *others]) from None
    raise ally


def _chosen(table: Table, name: object) -> str:
    """What the form sends for a player."""
    names = table.start.names
    return str(table.start.accounts[names.index(name)] if name in names else name)


def told_incidents(data: Mapping[str, Any], table: Table) -> dict[str, list[str]]:
    """How the ledger's form says who did what has a price."""
    told = data.get("incidents", {})
    return {f"incident.{one}": [_chosen(table, w) for w in _each(told[one])] for one in told}


def _each(told: Any) -> list[Any]:
    return told if isinstance(told, list) else [told]


def filled(data: Mapping[str, Any], table: Table) -> dict[str, list[str]]:
    """How the ledger's form looks when it says what a recorded deal says."""
    names, chosen = table.start.names, partial(_chosen, table)
    found = {k: [chosen(v) if k in ("hombre", "ally") else str(v)] for k, v in data.items()}
    givers = _each(data.get("surrendered", []))
    found |= {key: [chosen(one)] for key, one in zip(_givers(table), givers, strict=False)}
    found["premiers"] = ["yes"] if data.get("premiers") else []
    found["claims"] = list(data.get("claims", ()))
    found |= told_incidents(data, table)
    for name, counts in data.get("facts", {}).items():
        if isinstance(counts, int):
            found[f"facts.{name}"] = [str(counts)]
        elif name in facts() and facts()[name].of_one:
            found[f"facts.{name}"] = [chosen(who) for who in counts]
        else:
            found |= {f"facts.{name}.{chosen(who)}": [str(counts.get(who, 0))] for who in names}
    made = data.get("tricks", {})
    side = [str(data.get(one)) for one in ("hombre", "ally")]
    sides = side[:1], [name for name in names if name not in side]
    found["side"] = [str(sum(tricks for name, tricks in made.items() if name in side))]
    told = {SIDE: int(found["side"][0])}
    for fault, whose in zip(SHARES, sides, strict=True):
        try:
            table.completed({**data, "tricks": told})
        except ResultError as e:
            if any(p.variant == fault for p in e.problems):
                told |= {name: made.get(name, 0) for name in whose}
                found |= {TRICKS + chosen(name): [str(told[name])] for name in whose}
    return found


def shares(error: QuadrilleError, given: Given, table: Table) -> list[str]:
    """The fields of the tricks without which a deal was refused."""
    found = {p.variant for p in error.problems}
    side = [_text(given, "hombre"), _text(given, "ally")]
    others = [str(a) for a in table.start.accounts if str(a) not in side]
    wanted = zip(SHARES, (side[:1], others), strict=True)
    return [TRICKS + one for variant, those in wanted if variant in found for one in those]


def place_of(path: Sequence[str | int], *, key: bool = False) -> Place:
    """Where a fault stands: in the field of that path."""
    del key
    return Place(KEY + ".".join(map(str, path)))


def _result(given: Given, table: Table) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key in ("contract", "trump", "favourite", "vole"):
        if text := _text(given, key):
            data[key] = text
    for key in ("hombre", "ally"):
        if text := _text(given, key):
            data[key] = player_of(text, table)
    if givers := [player_of(t, table) for key in _givers(table) if (t := _text(given, key))]:
        data["surrendered"] = givers if len(givers) > 1 else givers[0]
    for key in ("matadors", "adversary_matadors"):
        if text := _text(given, key):
            data[key] = _number(text)
    if _text(given, "premiers"):
        data["premiers"] = _text(given, "premiers") == "yes"
    if claims := _texts(given, "claims"):
        data["claims"] = claims
    data |= if_any(facts=_facts(given, table))
    return in_ids(data | _incidents(given, table), table.rules, table.start.names, begins=True)


def _incidents(given: Given, table: Table) -> dict[str, Any]:
    """Who did what has a price."""
    found: dict[str, list[Any]] = {}
    for key in (key for key in given if key.startswith("incident.")):
        if who := [player_of(text, table) for text in _texts(given, key)]:
            found[key.removeprefix("incident.")[:LONGEST]] = who
    return if_any(incidents=found)


def _facts(given: Given, table: Table) -> dict[str, Any]:
    """What was counted of the play, by fact and player; of the deal a number."""
    told: dict[str, Any] = {}
    own = table.rules.own
    for key in (key for key in given if key.startswith("facts.")):
        name, _, account = key.removeprefix("facts.")[:LONGEST].partition(".")
        if name not in facts() and account:  # of a plugin's own, below its name
            of, _, account = account.partition(".")
            name = f"{name}.{of}"
        asked = name in own.recorded_facts()
        if (text := _text(given, key)) and asked and own.fact(name).of == "deal":
            told[name] = _number(text)
        elif text:
            player = player_of(account or text, table)
            told.setdefault(name, {})[player] = _number(text) if account else 1
    return told


def _text(given: Given, key: str) -> str:
    return (_texts(given, key) or [""])[-1]


def _texts(given: Given, key: str) -> list[str]:
    values = (v.strip()[:LONGEST] for v in given.getlist(key)[:16] if isinstance(v, str))
    return [v for v in values if v]


def _number(text: str) -> int | str:
    """A whole number; what is none stays as it was typed, and the reader says what is wrong with
    it."""
    return (
        int(text)
        if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 10
        else text
    )


def whole(sent: object, what: str, low: int = 0, high: int = 10**9) -> int:
    """A whole number that was sent; raises UsageError for what is none, or beyond the bounds."""
    text = str(sent).strip()[:LONGEST]
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise UsageError.of("option-not-in-range", what=what, text=text, low=low, high=high)
    return int(text)


def player_of(text: str, table: Table) -> str:
    """The player of an account that was chosen; anything else as it was sent."""
    start = table.start
    return {str(a): name for a, name in zip(start.accounts, start.names, strict=True)}.get(
        text, text
    )
