"""A deal's result from single answers, as options and forms give them, with the tricks that need no
telling."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, Final, TypeVar, get_args

import click

from quadrille_core.cards import SUITS
from quadrille_core.engine.amounts import table_stake
from quadrille_core.engine.deal import names as letters
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import in_points
from quadrille_core.errors import (
    Option,
    Place,
    PlaceAt,
    Problem,
    ResultError,
    UsageError,
    did_you_mean,
    nowhere,
)
from quadrille_core.facts import facts
from quadrille_core.profile.naming import folded
from quadrille_core.profile.words import in_digits
from quadrille_core.rules import PayItem, Rules, VoleLevel
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.settle.by_options import BY_OPTIONS, SIDE, assumed, refuse_unsaid_ally
from quadrille_plugins.settle.player_names import composed_data, name_fault, player_meant
from quadrille_plugins.settle.result_file import ALONE, PLAYER_KEYS, in_ids, read_result
from quadrille_plugins.shell.values import grouped

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def names_typed(values: Sequence[str]) -> tuple[str, ...]:
    """Names from an option that may be repeated, or hold all of them after commas."""
    return (
        tuple(name.strip() for name in values[0].split(",")) if len(values) == 1 else tuple(values)
    )


def player_named(typed: str, names: Sequence[str]) -> str:
    """The player whose name this is, accents and case apart, or the one whose name begins so.

    Raises UsageError where none or several do.
    """
    if found := player_meant(typed.strip(), names):
        return found
    wanted = folded(typed)
    begins = [n for n in names if wanted and folded(n).startswith(wanted)]
    if len(begins) == 1:
        return begins[0]
    if begins:
        raise UsageError.of("several-names-begin-so", typed=typed, begins=", ".join(begins))
    raise UsageError.of("not-at-the-table", did_you_mean(typed, names, what="players"), typed=typed)


def suit_named(typed: str) -> str:
    """The suit whose name begins so, such as ``heart``; else what was typed, letters and signs
    too."""
    begins = [suit for suit in SUITS if len(typed) > 1 and suit.startswith(typed.strip().lower())]
    return begins[0] if len(begins) == 1 else typed


def with_full_names(data: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The answers with every player by the name that the ledger knows; raises UsageError for all
    who are unknown."""
    full, problems, _ = _named(data, names)
    if problems:
        raise UsageError(problems)
    return full


def _named(
    data: Mapping[str, Any], names: Sequence[str]
) -> tuple[dict[str, Any], list[Problem], set[str]]:
    """The answers with the players by their full names, without those who are unknown; the faults,
    and their keys."""
    full, problems, unknown = dict(data), list[Problem](), set[str]()

    def found(typed: str, key: str) -> str | None:
        try:
            return player_named(typed, names)
        except UsageError as e:
            problems.extend(p for p in e.problems if p not in problems)
            unknown.add(key)
            return None

    for key in PLAYER_KEYS:
        typed = full.get(key)
        if isinstance(typed, list):
            givers = [found(name, key) for name in typed]
            full[key] = None if None in givers else givers
        elif key in full and not (key == "ally" and typed == ALONE and ALONE not in names):
            full[key] = found(full[key], key)
    tricks: dict[str, int] = {}
    for name, made in full.get("tricks", {}).items():
        player = name if name == SIDE else found(name, "tricks")
        if player is None:
            continue
        if player in tricks:
            problems.append(
                Problem("Q802", "player-tricks-given-twice", {"text": player or "Hombre’s side"})
            )
            unknown.add("tricks")
        tricks[player] = made
    if tricks:
        full["tricks"] = tricks
    if "incidents" in full:
        each = {
            name: [found(who, "incidents") for who in several]
            for name, several in full["incidents"].items()
        }
        full["incidents"] = {
            name: [who for who in several if who is not None] for name, several in each.items()
        }
    if "facts" in full:
        full["facts"] = {
            fact: {
                player: number
                for who, number in by_player.items()
                if (player := found(who, "facts")) is not None
            }
            if isinstance(by_player, dict)
            else by_player
            for fact, by_player in full["facts"].items()
        }
    return {key: value for key, value in full.items() if value is not None}, problems, unknown


def with_all_faults(
    data: Mapping[str, Any],
    names: Sequence[str],
    rules: Rules,
    read: Callable[[dict[str, Any], PlaceAt], object],
) -> dict[str, Any]:
    """The same as ``with_full_names``; where a player is unknown, the other faults of the result
    are raised besides.

    ``read`` reads a whole result and raises ResultError, its problems placed by the keys of the
    result.
    """
    full, problems, unknown = _named(data, names)
    if not problems:
        return full
    told = [full.get(key) for key in PLAYER_KEYS]
    taken = {name for one in told for name in (one if isinstance(one, list) else [one])}
    free = [name for name in names if name not in taken]
    for key in PLAYER_KEYS:  # somebody must be there for the rest to be read
        if key in unknown and free:
            one, several = free.pop(0), data[key]
            full[key] = [one] * len(several) if isinstance(several, list) else one
    tricks = {name or full.get("hombre", ""): made for name, made in full.get("tricks", {}).items()}
    side = [full[key] for key in ("hombre", "ally") if full.get(key) in names]
    shared = {name: n for name, n in tricks.items() if name}
    full["tricks"] = next(_fillings(shared, side, names, rules.table.hand_cards))
    is_doubtful = "tricks" in unknown or (
        unknown & {"hombre", "ally"} and SIDE not in data.get("tricks", {})
    )
    doubtful = {"tricks", "premiers", "vole", "claims"} if is_doubtful else set()
    try:
        refuse_unsaid_ally(full, names, rules, lambda whole: read(whole, of_key))
        read(full, of_key)
    except ResultError as e:
        more = [p for p in e.problems if p.path.partition(".")[0] not in doubtful]
        problems += [replace(p, place=None, door=BY_OPTIONS) for p in more]
    raise UsageError(problems)


def of_key(path: Sequence[str | int], *, key: bool = False) -> Place:
    """A place that says which key of the result it is."""
    del key
    return Place(".".join(map(str, path)))


# --- options --------------------------------------------------------------------------------------

_NONE: Final = ("no", "none", "nothing")


class Counted(click.IntRange):
    """A whole number between bounds, or the word for it; ``none`` is 0."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; click says what is wrong with any other value."""
        word = value.strip().lower() if isinstance(value, str) else ""
        number: Any = "0" if word in _NONE else in_digits(word) or value
        return super().convert(number, param, ctx)


_LEVEL: Final = click.Choice(get_args(VoleLevel), case_sensitive=False)
OPTIONS: Final = (
    ("--contract", {"metavar": "BID", "help": "The contract, such as solo."}),
    ("--trump", {"metavar": "SUIT", "help": "The trump suit, where there is one."}),
    ("--favourite", {"metavar": "SUIT", "help": "The favourite suit, where the rules draw one."}),
    (
        "--hombre",
        {
            "metavar": "NAME",
            "help": "Who played the game. Names in any case; a unique beginning is enough.",
        },
    ),
    ("--ally", {"metavar": "NAME", "help": "The ally; none where Hombre held the called card."}),
    (
        "--surrendered",
        {
            "metavar": "NAME[,NAME]",
            "help": "Who gave up the called card, where cards are exchanged; of several cards, a "
            "name for each.",
        },
    ),
    (
        "--tricks",
        {
            "multiple": True,
            "metavar": "[NAME=]N",
            "help": "Tricks: a number alone is what Hombre's side made; NAME=N, repeated, names "
            "each player's.",
        },
    ),
    ("--matadors", {"type": Counted(0, 12), "help": "Unbroken top trumps of Hombre's side."}),
    ("--adversary-matadors", {"type": Counted(0, 12), "help": "The same of the adversaries."}),
    (
        "--premiers/--no-premiers",
        {"default": None, "help": "Whether Hombre's side took the first six tricks."},
    ),
    ("--vole", {"type": _LEVEL, "help": "How the vole was played for."}),
    (
        "--claim",
        {
            "multiple": True,
            "type": click.Choice(get_args(PayItem)),
            "help": "An item claimed in time.",
        },
    ),
    (
        "--incident",
        {
            "multiple": True,
            "metavar": "NAME=PLAYER",
            "help": "An irregularity with a price, and who did it.",
        },
    ),
    (
        "--fact",
        {
            "multiple": True,
            "metavar": "FACT.PLAYER=N",
            "help": "What a payment depends on, such as kings_captured.B=2; FACT=0 if nobody has "
            "any.",
        },
    ),
)


def result_options(f: F) -> F:
    """Add an option for each field of a result."""
    for name, how in reversed(OPTIONS):
        f = click.option(name, **how)(f)
    return f


def answers_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a result that the options give."""
    found = {k: v for k, v in options.items() if v is not None and not isinstance(v, tuple)}
    found |= {key: suit_named(found[key]) for key in ("trump", "favourite") if key in found}
    if "," in found.get("surrendered", ""):
        found["surrendered"] = list(names_typed([found["surrendered"]]))
    number = partial(_pair, "--tricks", "a number, or NAME=NUMBER, such as --tricks 6")
    tricks: dict[str, int] = {}
    for text in (one for given in options.get("tricks", ()) for one in re.split("[,;]", given)):
        name, made = (SIDE, text.strip()) if "=" not in text else number(text)
        if not (made.isascii() and made.isdigit() and len(made) < 4):
            raise UsageError.of("tricks-without-number", option=Option("tricks", f"{text[:40]!r}"))
        if name in tricks:
            raise UsageError.of("tricks-given-twice", what=name or "Hombre’s side")
        tricks[name] = int(made)
    if tricks:
        found["tricks"] = tricks
    if options.get("claim"):
        found["claims"] = list(options["claim"])
    incidents = grouped(
        _pair("--incident", "NAME=PLAYER", text) for text in options.get("incident", ())
    )
    if incidents:
        found["incidents"] = incidents
    if options.get("fact"):
        found["facts"] = _facts(options["fact"])
    return found


def _facts(texts: Sequence[str]) -> dict[str, Any]:
    """Numbers by fact and player; of one that nobody has any, by no player; of the deal a number
    alone."""
    found: dict[str, Any] = {}
    for text in texts:
        named, number = _pair("--fact", "FACT.PLAYER=N", text)
        fact, _, who = named.partition(".")
        if fact not in facts() and who:  # of a plugin's own, below its name
            name, _, who = who.partition(".")
            fact = f"{fact}.{name}"
        is_number = number.isascii() and number.isdigit() and len(number) < 7
        if is_number and not who and (fact not in facts() or facts()[fact].of == "deal"):
            found[fact] = int(number)
            continue
        if not is_number or not (who or int(number) == 0):
            form = "FACT.PLAYER=N, or FACT=0"
            raise UsageError.of("option-incomplete", option="--fact", text=text, form=form)
        found.setdefault(fact, {}).update({who: int(number)} if who else {})
    return found


def _pair(option: str, form: str, text: str) -> tuple[str, str]:
    name, equals, value = text.rpartition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError.of("option-incomplete", option=option, text=text, form=form)
    return name.strip(), value.strip()


# --- tricks ---------------------------------------------------------------------------------------


def completed(
    data: Mapping[str, Any],
    names: Sequence[str],
    all_tricks: int,
    comes_to: Callable[[dict[str, Any]], T],
    such: str,
) -> dict[str, Any]:
    """The result with the tricks that were left out, where nothing paid depends on who made them.

    A number under ``SIDE`` is what Hombre's side made.  ``comes_to`` settles a whole result, and
    raises ResultError for one that cannot have been; ``such`` shows how the tricks of two players
    are written, with ``{}`` for each name. Raises ResultError where the payments depend on how that
    side, or the adversaries, shared their tricks.
    """
    found: list[tuple[dict[str, Any], T]] = []
    refused: ResultError | None = None
    for tricks in _splits(data, names, all_tricks):
        whole = {**data, "tricks": tricks} if tricks is not None else dict(data)
        try:
            found.append((whole, comes_to(whole)))
        except ResultError as e:
            refused = refused or e
    if not found:
        assert refused is not None  # noqa: S101 - there is at least one way
        raise refused
    if other := next((whole for whole, come_to in found if come_to != found[0][1]), None):
        side = str(data.get("hombre")), str(data.get("ally"))
        made = [[whole["tricks"].get(name) for name in side] for whole in (found[0][0], other)]
        if made[0] == made[1]:
            free = [name for name in names if name not in side]
            raise ResultError.of("tricks-of-adversaries-wanted", such=such.format(*free))
        hombre, ally = side
        raise ResultError.of(
            "tricks-of-each-wanted", hombre=hombre, ally=ally, such=such.format(*side)
        )
    return found[0][0]


def _splits(
    data: Mapping[str, Any], names: Sequence[str], all_tricks: int
) -> Iterator[dict[str, int] | None]:
    """Every way the tricks may have been made that the answers leave open; None where they say
    nothing."""
    given = dict(data.get("tricks", {}))
    if not given:
        yield None
        return
    hombre, ally = str(data.get("hombre")), str(data.get("ally"))
    side: list[str] = [name for name in (hombre, ally) if name in names]
    total = given.pop(SIDE, None)
    if total is not None and any(name in given for name in side) and len(side) == 1:
        raise UsageError.of("side-tricks-given-twice", hombre=hombre)
    if total is None or not side:
        yield from _fillings(
            {**given, **({str(hombre): total} if total is not None else {})},
            side,
            names,
            all_tricks,
        )
        return
    known = {name: given[name] for name in side if name in given}
    others = {name: made for name, made in given.items() if name not in side}
    if len(side) == 1 or len(known) == 2:
        yield from _fillings({**others, **(known or {side[0]: total})}, side, names, all_tricks)
    elif known:
        ((one, made),) = known.items()
        yield from _fillings(
            {**others, one: made, side[one == side[0]]: total - made}, side, names, all_tricks
        )
    else:
        # more tricks than a deal has, or fewer than none, are refused however they are shared
        for made in range(total, -1, -1) if 0 <= total <= all_tricks else (total,):
            yield from _fillings(
                {**others, side[0]: made, side[1]: total - made}, side, names, all_tricks
            )


def _fillings(
    tricks: dict[str, int], side: Sequence[str], names: Sequence[str], all_tricks: int
) -> Iterator[dict[str, int]]:
    """The tricks, the rest given to each adversary in turn of whom none were told."""
    rest = all_tricks - sum(tricks.values())
    free = [name for name in names if name not in side and name not in tricks]
    ways = [{**tricks, name: rest} for name in free] if rest > 0 and side else []
    for way in ways or [tricks]:
        yield {name: made for name, made in way.items() if made}


def in_first_deal(data: dict[str, Any], rules: Rules) -> dict[str, str]:
    """Put in letters for players, and the pool of a first deal, where a result has none; in words
    what was put in."""
    taken: dict[str, str] = {}
    if "players" not in data:
        data["players"] = list(letters(rules.table.players))
        taken["players"] = ", ".join(data["players"]) + ", the eldest hand first"
    if "pool" not in data and not in_points(rules):
        data["pool"] = plain_amount(Fraction(table_stake(rules)))
        taken["pool"] = f"{data['pool']}, as in a first deal"
    return taken


def taken_as(
    data: Any, rules: Rules, *, is_typed: bool, place: PlaceAt = nowhere
) -> tuple[Any, dict[str, str]]:
    """A result with what may be left out filled in, and in words what that was.

    A number for ``tricks`` is what Hombre's side made; whose the others were is filled in where
    nothing paid depends on it.  Where the result was typed (``is_typed``), players have letters,
    and the pool is that of a first deal.  Raises ResultError where the payments depend on how
    Hombre's side shared its tricks, UsageError for a name that nobody has.
    """
    if not isinstance(data, dict):
        return data, {}
    data = composed_data(data)
    data = in_ids(data, rules, data.get("players"), begins=is_typed)
    if is_typed:
        taken = in_first_deal(data, rules)
        try:
            data = with_all_faults(
                data, data["players"], rules, lambda whole, at: read_result(whole, rules, place=at)
            )
        except UsageError as e:
            if "players" not in taken:
                raise
            raise UsageError(
                Problem(
                    "Q802", "not-of-the-usual-players", {"problem": p, "names": data["players"]}
                )
                if p.code == "Q802"
                else p
                for p in e.problems
            ) from None
        refuse_unsaid_ally(data, data["players"], rules, lambda whole: read_result(whole, rules))
        left_out = assumed(data, rules)
    else:
        taken, left_out = {}, {}
    data, split = _with_tricks(data, rules, is_typed=is_typed, place=place)
    return data, taken | split | left_out


def _with_tricks(
    data: dict[str, Any], rules: Rules, *, is_typed: bool, place: PlaceAt
) -> tuple[dict[str, Any], dict[str, str]]:
    made, names = data.get("tricks"), data.get("players")
    if isinstance(made, int) and not isinstance(made, bool):
        data["tricks"] = {SIDE: made}
    elif is_typed and isinstance(made, Mapping) and isinstance(names, list) and SIDE not in made:
        side = [str(data[key]) for key in ("hombre", "ally") if data.get(key) in names]
        if sum(made.values()) >= rules.table.hand_cards or not set(side) <= set(made):
            return data, {}
    elif not (is_typed and SIDE in data.get("tricks", ())):
        return data, {}
    if (
        not isinstance(names, list)
        or any(map(name_fault, names))
        or data.get("hombre") not in names
    ):
        data["tricks"].pop(SIDE, None)  # what is wrong there is said first
        return data, {}

    def settled(whole: dict[str, Any]) -> object:
        done = settle(rules, read_result(whole, rules, place=place))
        return done.outcome, done.transfers, done.pool_after

    such = "--tricks {}=4 --tricks {}=2" if is_typed else "tricks: {{{}: 4, {}: 2}}"
    data = completed(data, names, rules.table.hand_cards, settled, such)
    return data, split_told(data)


def split_told(data: Mapping[str, Any]) -> dict[str, str]:
    """How the tricks of a side were taken to be shared, in words."""
    each = ", ".join(f"{name} {n}" for name, n in data["tricks"].items())
    return {"tricks": f"{each} (how a side shared its tricks changes no payment)"}
