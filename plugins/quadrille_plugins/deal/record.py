"""A deal as plain data: written, read strictly, and replayed under the same or other rules.

A record holds what is needed to play the deal again (hands, pool, favourite suit, actions) and what
came of it (events, result, payments).  Reading trusts nothing: whatever is wrong is reported as a
RecordError that lists every fault.  Whether the actions fit the rules is not a matter of reading
but of replaying, which stops at the first event that differs and says which.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from quadrille_core.cards import format_cards, format_suit, parse_cards
from quadrille_core.engine.actions import Action, Stage, parse_action
from quadrille_core.engine.deal import NUMBERS, PLAYERS, DealSetup, hand_faults, hand_size, names
from quadrille_core.engine.facts import none_of
from quadrille_core.engine.past import OF_SESSION, Facts, contradictions
from quadrille_core.engine.result import Settlement
from quadrille_core.engine.table import Deal
from quadrille_core.errors import (
    IllegalActionError,
    NotationError,
    PlaceAt,
    RecordError,
    nowhere,
)
from quadrille_core.facts import facts
from quadrille_core.frozen import frozen
from quadrille_core.harmless import hidden
from quadrille_core.plugin_rules import PaymentRow
from quadrille_core.profile.naming import bid_named
from quadrille_core.rules import Rules, RuleSet
from quadrille_core.vocabulary import Plain, plain_amount
from quadrille_plugins.settle.possible import contradicted
from quadrille_plugins.settle.reading import shown
from quadrille_plugins.settle.result_file import (
    MOST_BEASTS,
    MOST_TIMES,
    IncidentReader,
    facts_to_plain,
    incidents_told,
    result_to_plain,
    transfer_to_plain,
)
from quadrille_plugins.shell.program import program_text
from quadrille_plugins.shell.values import identity_to_plain, if_any

PLAYED: Final = (
    "seed",
    "session",
    "deal",
    "players",
    "pool",
    "multiplier",
    "beasts",
    "packets",
    "favourite",
    "hands",
    "before",
    "actions",
    "incidents",
)
"""The keys that a deal is played again from, under its rules."""
_FOUND: Final = ("events", "result", "outcome", "transfers", "net", "pool_after")
KEYS: Final = ("kind", "program", "rules", *PLAYED, *_FOUND)
"""The keys of a record, in the order they are written."""

MOST_ACTIONS: Final = 1000
"""No deal has so many actions; a record that has is refused unread."""
LONGEST_TEXT: Final = 200


# --- writing -------------------------------------------------------------------------------------


def to_record(deal: Deal, settlement: Settlement | None = None) -> dict[str, Plain]:
    """The deal so far as a record; with its settlement when it is over and has been settled."""
    setup, identity = deal.setup, deal.ruleset.identity
    result, told = deal.result(), incidents_told(setup.incidents, setup.players)
    record: dict[str, Plain] = {
        "kind": "deal",
        "rules": identity_to_plain(identity),
        "seed": setup.seed,
        "session": setup.session,
        "deal": setup.deal,
        "players": list(setup.players),
        "pool": plain_amount(setup.pool),
        **({} if setup.multiplier == 1 else {"multiplier": setup.multiplier}),
        **if_any(beasts=setup.beasts),
        "packets": list(setup.packets),
        "favourite": None if setup.favourite is None else format_suit(setup.favourite),
        "hands": [format_cards(hand) for hand in setup.hands],
        **if_any(before=facts_to_plain(setup.before, setup.players)),
        "actions": [f"{setup.players[seat]} {action}" for seat, action in deal.actions],
        **if_any(incidents=told),
        "events": [event.text() for event in deal.events],
        "result": None
        if result is None
        else result_to_plain(result, identity.reference, dict(identity.readings)),
    }
    if settlement is not None:
        record["outcome"] = settlement.outcome
        record["transfers"] = [transfer_to_plain(t, setup.players) for t in settlement.transfers]
        record["net"] = {
            p: plain_amount(n) for p, n in zip(setup.players, settlement.net, strict=True)
        }
        record["pool_after"] = plain_amount(settlement.pool_after)
    return record


def record_file(record: Mapping[str, Plain]) -> dict[str, Plain]:
    """A record as it is given to users: it names the program that made it."""
    return {"kind": record["kind"], "program": program_text(), **record}


# --- reading -------------------------------------------------------------------------------------


class _RecordReader(IncidentReader):
    """Reads one record of a deal of tricks."""

    def players(self) -> tuple[str, ...]:
        hands = self.data.get("hands")
        likely = len(hands) if isinstance(hands, list) and len(hands) in PLAYERS else PLAYERS[0]
        called = (
            self.names("players") if "players" not in self.data or self.needed("players") else None
        )
        if called is not None and len(called) not in PLAYERS:
            data: dict[str, Any] = {
                "sitting": len(called),
                "allowed": [NUMBERS[n] for n in PLAYERS],
            }
            self.fault("Q206", "as-many-cannot-play", "players", **data)
        elif called is not None and len(set(called)) != len(called):
            self.fault("Q206", "two-of-one-name", "players")
        elif called is not None:
            return called
        return names(likely)

    def pool(self) -> Fraction:
        amount = self.amount("pool") if self.needed("pool") else None
        if amount is not None and amount < 0:
            self.fault("Q205", "negative-pool", "pool")
        return amount or Fraction(0)

    def packets(self, players: int) -> tuple[int, ...]:
        value, size = self.data.get("packets"), hand_size(players)
        if value is None or value == []:
            return ()
        whole = isinstance(value, list) and all(
            isinstance(v, int) and not isinstance(v, bool) for v in value
        )
        if not whole or not all(1 <= v <= size for v in value) or sum(value) != size:
            such = "[3, 3, 4]" if players == PLAYERS[0] else "[4, 4]"
            data: dict[str, Any] = {"value": shown(value), "size": size, "such": such}
            self.fault("Q203", "packets-make-no-hand", "packets", **data)
            return ()
        return tuple(value)

    def before(self, players: tuple[str, ...]) -> Facts:
        told = dict(self.told("before", {n: facts()[n] for n in OF_SESSION}, players))
        if not told:
            return ()
        full = {n: told.get(n, none_of(facts()[n], len(players))) for n in OF_SESSION}
        # of who was never Hombre, every deal is one since, also where that is not written
        (deals,), last = full["deals_before"], "deals_since_hombre"
        games = full["games_before"]
        full[last] = tuple(
            since if since or had else deals for since, had in zip(full[last], games, strict=True)
        )
        for found in () if "before" in self.unread else contradictions(full):
            whose = None if found.seat is None else players[found.seat]
            path = filter(None, ("before", found.fact, whose))
            self.refuse([contradicted(found, whose)], *path)
        return tuple(full.items())

    def hands(self, players: int) -> tuple[tuple[Any, ...], ...]:
        texts = self.texts("hands", 64)
        hands = []
        for number, text in enumerate(texts, 1):
            if len(text) > LONGEST_TEXT:
                data: dict[str, Any] = {"number": number, "size": hand_size(players)}
                self.fault("Q207", "hand-far-too-long", "hands", number - 1, **data)
                continue
            try:
                hands.append(parse_cards(text))
            except NotationError as error:
                self.refused(error, f"hand {number}", "hands", number - 1)
        if texts and len(hands) == len(texts):
            self.refuse(hand_faults(hands, players), "hands")
        return tuple(hands)

    def aftermath(self) -> None:
        """What came of the deal is compared with the replay; here it must only be of the right
        kind."""
        self.value("program", str)
        for key in ("events", "transfers"):
            self.value(key, list)
        for key in ("net", "result"):
            self.value(key, dict, "a mapping")
        self.value("outcome", str)
        self.amount("pool_after")
        net = self.data.get("net")
        for name, value in net.items() if isinstance(net, dict) else ():
            self.amount_of(value, f"net of {name}", "net", name)

    def actions(self, players: tuple[str, ...], rules: Rules | None) -> list[tuple[str, Action]]:
        actions = []
        for number, text in enumerate(self.texts("actions", MOST_ACTIONS), 1):
            try:
                actions.append(_read_action(text, players, rules))
            except NotationError as error:
                self.refused(error, f"action {number}", "actions", number - 1)
        return actions


def _read_action(text: str, players: tuple[str, ...], rules: Rules | None) -> tuple[str, Action]:
    """An action with its player; names may hold blanks, so every name that fits is tried."""
    if len(text) > LONGEST_TEXT or hidden(text):
        raise NotationError.of("action-unprintable", text=shown(text))
    failure = NotationError.of("begins-with-no-player", text=shown(text), players=players)
    for player in sorted(players, key=len, reverse=True):
        if text.startswith(player + " "):
            try:
                return player, _with_id(parse_action(text[len(player) + 1 :]), rules)
            except NotationError as error:
                failure = error
    raise failure


def _with_id(action: Action, rules: Rules | None) -> Action:
    """The action with its bid by its id; what these rules do not have, the replay tells."""
    if rules is None or action.bid is None:
        return action
    with suppress(NotationError):
        bid = replace(action.bid, bid=bid_named(action.bid.bid, rules))
        return replace(action, bid=bid)
    return action


def from_record(
    record: object, place: PlaceAt = nowhere, rules: Rules | None = None
) -> tuple[DealSetup, list[tuple[str, Action]]]:
    """The setup and the actions of a record, each action with its player; raises RecordError with
    every fault.

    Events, result and payments are not read: they follow from the rest.  ``place`` tells where a
    path of keys stands.  Where ``rules`` are given, they must have payments for the incidents, and
    bids may stand by any of their names.
    """
    if not isinstance(record, Mapping):
        raise RecordError.of("no-mapping-of-a-deal", place=place(()))
    reader = _RecordReader(record, "a record", KEYS, place)
    if record.get("kind") != "deal":
        reader.another_kind("deal")
    players = reader.players()
    multiplier = reader.number("multiplier", 1, MOST_TIMES)
    setup = DealSetup(
        hands=reader.hands(len(players)),
        pool=reader.pool(),
        multiplier=1 if multiplier is None else multiplier,
        beasts=reader.number("beasts", 0, MOST_BEASTS) or 0,
        favourite=reader.suit("favourite"),
        players=players,
        packets=reader.packets(len(players)),
        seed=reader.number("seed"),
        session=reader.number("session"),
        deal=reader.number("deal"),
        before=reader.before(players),
        incidents=reader.incidents(players, rules),
    )
    actions = reader.actions(players, rules)
    reader.aftermath()
    if reader.problems:
        raise RecordError(reader.problems)
    return setup, actions


def differing(record: Mapping[str, Plain], again: Mapping[str, Plain]) -> list[str]:
    """The keys by which a replay's outcome differs from what the record says of it.

    Reasons and rule paths are left out: other rules may name the same payment otherwise.
    """
    found = []
    for key in ("pool", "outcome", "net", "pool_after"):
        if key in record and record[key] != again.get(key):
            found.append(key)
    if "transfers" in record and _moves(record["transfers"]) != _moves(again.get("transfers")):
        found.append("transfers")
    if isinstance(record.get("result"), dict) and _bare(record["result"]) != _bare(
        again.get("result")
    ):
        found.append("result")
    return found


def _moves(transfers: Plain) -> list[tuple[Plain, ...]]:
    if not isinstance(transfers, list):
        return []
    return [
        tuple(t.get(k) for k in ("from", "to", "amount")) if isinstance(t, dict) else (t,)
        for t in transfers
    ]


def _bare(result: Plain) -> Plain:
    """A result without the rules that it names, and without what they alone count of the play."""
    return (
        {k: v for k, v in result.items() if k not in ("rules", "readings", "facts")}
        if isinstance(result, dict)
        else result
    )


# --- replaying -----------------------------------------------------------------------------------


@frozen
class ReplayDivergence:
    """Where a replay diverges from the record.

    ``index`` counts the record's actions from 0: the action that could not be taken, or after which
    something else happened than the record says; -1 when the cards could not be dealt so, and the
    number of actions when the record stops short.  ``action`` is that action with its player.
    """

    index: int
    action: str
    stage: Stage
    reason: str


@frozen
class Replay:
    """A replay: the deal as far as it went (None when it could not be dealt), and where it
    diverged."""

    deal: Deal | None
    divergence: ReplayDivergence | None


def replay(ruleset: RuleSet, record: object, place: PlaceAt = nowhere) -> Replay:
    """Play a record under these rules, its own or others, up to the first divergent event.

    Raises RecordError when the record itself is malformed; ``place`` tells where a path of its keys
    stands.
    """
    setup, actions = from_record(record, place, ruleset.rules)
    plain: Mapping[Any, Any] = record if isinstance(record, Mapping) else {}
    expected = _recorded_events(plain)
    try:
        deal = Deal(ruleset, setup)
    except IllegalActionError as error:
        dealt = "deal " + "-".join(map(str, setup.packets))
        return Replay(None, ReplayDivergence(-1, dealt, "deal", error.problems[0].message))
    for index, (player, action) in enumerate(actions):
        text = f"{player} {action}"
        reason = _cannot(deal, player, action)
        if reason is not None:
            return Replay(deal, ReplayDivergence(index, text, _stage(deal), reason))
        seen = 0 if index == 0 else len(deal.events)
        deal.apply(action)
        reason = _other_event(deal, expected, seen, last=index == len(actions) - 1)
        if reason is not None:
            return Replay(deal, ReplayDivergence(index, text, deal.events[-1].stage, reason))
    finished = plain.get("result") is not None
    if deal.turn is not None and finished:
        reason = f"the record ends here, where it is {setup.players[deal.turn]}'s turn"
        return Replay(deal, ReplayDivergence(len(actions), "", _stage(deal), reason))
    refuse_unpaid_incidents(deal, place)
    return Replay(deal, None)


def refuse_unpaid_incidents(deal: Deal, place: PlaceAt = nowhere) -> None:
    """Raise RecordError for incidents, for which these rules have payments, of a deal that is dealt
    again: only a ledger settles them."""
    known = {row.incident for row in deal.rules.own.all(PaymentRow)}
    told = dict.fromkeys(name for name, _ in deal.setup.incidents if name in known)
    if deal.redealt and told:
        name, option = next(iter(told)), "passed" if deal.actions else "void"
        where = place(("incidents", name))
        raise RecordError.of("incident-of-deal-not-played", place=where, name=name, option=option)


def _recorded_events(record: Mapping[Any, Any]) -> list[str] | None:
    """The events as recorded, if they are there and readable."""
    events = record.get("events")
    if isinstance(events, list) and all(isinstance(e, str) for e in events):
        return events
    return None


def _stage(deal: Deal) -> Stage:
    return "auction" if deal.phase in ("auction", "declare") or deal.redealt else "play"


def _cannot(deal: Deal, player: str, action: Action) -> str | None:
    """Why this player cannot do this now; None when they can."""
    if deal.turn is None:
        return "the deal is over"
    turn = deal.setup.players[deal.turn]
    if turn != player:
        return f"it is {turn}'s turn, not {player}'s"
    refusal = deal.refusal(action)
    return None if refusal is None else str(refusal)


def _other_event(deal: Deal, expected: list[str] | None, since: int, *, last: bool) -> str | None:
    """How the events from number ``since`` on differ from those recorded; None when they agree."""
    if expected is None:
        return None
    for number in range(since, len(deal.events)):
        text = deal.events[number].text()
        if number >= len(expected):
            return f"the record knows nothing of what follows: {text}"
        if text != expected[number]:
            return f"here {text}, where the record says {shown(expected[number])}"
    if len(expected) > len(deal.events) and (last or deal.turn is None):
        return f"nothing follows here, where the record says {shown(expected[len(deal.events)])}"
    return None
