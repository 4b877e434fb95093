"""Commands at the table: deal, replay, legal."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import NoneType
from typing import Any, NamedTuple

import click

from quadrille_core.cards import NO_TRUMP, format_card, format_cards, parse_cards, parse_suit, sign_card
from quadrille_core.cli.options import (
    compile_all,
    emit,
    format_option,
    parse_players,
    parse_value,
    players_option,
    read_input,
    refine_options,
    seed_option,
)
from quadrille_core.engine.forcing import CardRuling, explain_cards
from quadrille_core.engine.record import differing, identity_to_plain, replay, to_record
from quadrille_core.engine.session import play_session
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import Place, PlaceAt, Problem, QuadrilleError, RecordError, UsageError, nowhere
from quadrille_core.kinds import KINDS
from quadrille_core.players import begins_anew, make_bot, ready
from quadrille_core.profile import place_at
from quadrille_core.report.blocks import Block, Table, Text, with_signs
from quadrille_core.report.values import identity_text, net_text
from quadrille_core.ruleset import Compiled

MOST_DEALS_BEFORE = 1000
"""How far into a session ``deal --deal`` may look, since all deals before are played for their pool."""


@click.command("deal")
@click.argument("ref")
@seed_option
@click.option(
    "--session", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Which session of the seed."
)
@click.option(
    "--deal",
    "number",
    type=click.IntRange(0, MOST_DEALS_BEFORE),
    default=0,
    show_default=True,
    help="Which deal of the session, from 0; those before it are played for the pool they leave.",
)
@players_option
@format_option
@refine_options
def deal_command(
    ref: str,
    seed: int,
    session: int,
    number: int,
    players: str,
    fmt: str,
    readings: tuple[str, ...],
    sets: tuple[str, ...],
) -> None:
    """Play a deal by bots and print it; `--format json` gives a record that `replay` reads.

    Of another kind of game than one of tricks, game number --session of the seed is played.
    """
    compiled = compile_all([ref], readings, sets)[0]
    if (deal := KINDS[compiled.kind].deal) is not None:
        deal(compiled, seed=seed, game=session, fmt=fmt)
        return
    names = parse_players(players)
    seats = compiled.ruleset.rules.table.players
    if len(names) not in (1, seats):
        raise UsageError(f"{len(names)} bots for {seats} players", help=f"name one bot, or {seats} separated by commas")
    ready(names)
    bots = [make_bot(n) for n in (names * seats if len(names) == 1 else names)]
    anew = begins_anew(names)
    *_, played = play_session(compiled.ruleset, bots, seed=seed, session=session, deals=number + 1, anew=anew)
    record = to_record(played.deal, played.settlement)
    emit(
        fmt,
        blocks=lambda: record_blocks(compiled, record, played.deal),
        data=lambda: record,
        rows=lambda: (("event",), [(e,) for e in record["events"]]),
    )


def _replayed_by(word: object) -> Callable[..., int] | None:
    """What replays a record of another kind of game than one of tricks."""
    return next((kind.replay for kind in KINDS.values() if kind.replay is not None and kind.record == word), None)


@click.command("replay")
@click.argument("file")
@click.option("--rules", "ref", metavar="REF", help="Replay under these rules instead of the record's own.")
@format_option
@refine_options
def replay_command(file: str, ref: str | None, fmt: str, readings: tuple[str, ...], sets: tuple[str, ...]) -> int:
    """Replay the record in FILE (`-` reads standard input), under its own or other rules.

    It stops at the first event that differs and says which; the exit status is then 1.
    """
    root = read_input(file)
    data, place = root.to_plain(), partial(place_at, root)
    try:
        named = rules_of(data, place)
        if ref is None and named.reference is None:
            hint = "say which with --rules REF"
            raise RecordError(Problem("Q202", "the record names no rules", place(("rules",)), hint))
        chosen, by_hand = ([], []) if ref else (named.readings, named.settings)
        with blaming(None if ref or readings or sets else place(("rules",))):
            compiled = compile_all([ref or named.reference or ""], [*chosen, *readings], [*by_hand, *sets])[0]
        if ref is None and not readings and not sets and named.digest not in (None, compiled.identity.digest):
            was, now = str(named.digest)[:12], compiled.identity.digest[:12]
            message = f"the record was made under rules with digest {was}; {named.reference} now has {now}"
            hint = f"replay it under the rules as they are now with --rules {named.reference}"
            raise RecordError(Problem("Q704", message, place(("rules", "digest")), hint))
        if isinstance(data, dict) and (other := _replayed_by(data.get("kind"))) is not None:
            return other(compiled, data, place, fmt=fmt)
        result = replay(compiled.ruleset, data, place)
    except QuadrilleError as e:
        named_here = isinstance(e, RecordError) or not (ref or readings or sets)
        raise (e.placed(root.place) if named_here else e) from None
    deal, divergence = result.deal, result.divergence
    ended = None if deal is None or divergence else deal.result()
    settlement = None if ended is None else settle(compiled.ruleset.rules, ended)
    record: dict[str, Any] = {} if deal is None else to_record(deal, settlement)
    changed = differing(data, record) if settlement is not None else []
    parted = (
        None
        if divergence is None
        else {
            "action": divergence.index,
            "text": divergence.action,
            "stage": divergence.stage,
            "reason": divergence.reason,
            "place": str(place(("actions", divergence.index))),
        }
    )

    def blocks() -> list[Block]:
        found = (
            [Text(identity_text(compiled.ruleset.identity))] if deal is None else record_blocks(compiled, record, deal)
        )
        if divergence is not None and parted is not None:
            number = f"action {divergence.index + 1}, " if divergence.index >= 0 else ""
            found.append(
                Text(
                    with_signs(
                        f"diverges in the {divergence.stage} at {number}{divergence.action!r}: {divergence.reason}"
                    )
                    + f"\nsee {parted['place']}",
                    strong=True,
                )
            )
        elif changed:
            found.append(
                Text(
                    f"the play is the same; the payments differ from the record: {net_text(data)}\n"
                    f"see {place((changed[0],))}",
                    strong=True,
                )
            )
        return list(found)

    emit(
        fmt,
        blocks=blocks,
        data=lambda: {
            "rules": identity_to_plain(compiled.ruleset.identity),
            "divergence": parted,
            "differing": changed,
            "record": record,
        },
        rows=lambda: (("event",), [(e,) for e in record.get("events", [])]),
    )
    return 1 if divergence is not None or changed else 0


class Named(NamedTuple):
    """The rules a record names."""

    reference: str | None
    readings: list[str]
    settings: list[str]
    digest: str | None


def rules_of(data: Any, place: PlaceAt = nowhere) -> Named:
    """The rules a record names; raises RecordError where that block is malformed."""
    rules = data.get("rules") if isinstance(data, dict) else None
    if rules is None or isinstance(rules, str):
        return Named(rules, [], [], None)
    problems = []
    if not isinstance(rules, dict):
        message = "rules is neither the name of a rule set nor what a record says of one"
        raise RecordError(Problem("Q203", message, place(("rules",))))
    kinds: dict[str, tuple[type, ...]] = {"profile": (str,), "witness": (str, NoneType), "digest": (str, NoneType)}
    for key, kind in kinds.items():
        if not isinstance(rules.get(key), kind):
            hint = "see what `quadrille deal` writes"
            problems.append(Problem("Q203", f"rules.{key} is no text", place(("rules", key)), hint))
    pairs: dict[str, list[str]] = {"readings": [], "settings": []}
    for key, found in pairs.items():
        block = rules.get(key, {})
        if not isinstance(block, dict) or not all(isinstance(v, str) for v in block.values()):
            problems.append(Problem("Q203", f"rules.{key} is no mapping of names to texts", place(("rules", key))))
        else:
            found += [f"{k}={v}" for k, v in block.items()]
            problems += _unreadable(block, place) if key == "settings" else []
    added = rules.get("added", [])
    if not isinstance(added, list) or not all(isinstance(a, str) for a in added):
        problems.append(Problem("Q203", "rules.added is no list of plugins", place(("rules", "added"))))
    if problems:
        raise RecordError(problems)
    witness = f"@{rules['witness']}" if rules.get("witness") else ""
    reference = rules["profile"] + witness + "".join(f"+{plugin}" for plugin in added)
    return Named(reference, pairs["readings"], pairs["settings"], rules.get("digest"))


def _unreadable(settings: Mapping[str, str], place: PlaceAt) -> list[Problem]:
    """The values among a record's settings that are no values of rules."""
    problems: list[Problem] = []
    for path, text in settings.items():
        try:
            parse_value(text)
        except QuadrilleError as e:
            where = place(("rules", "settings", path))
            problems += [Problem(p.code, f"rules.settings, {path}: {p.message}", where, p.help) for p in e.problems]
    return problems


@contextmanager
def blaming(place: Place | None) -> Iterator[None]:
    """Errors without a place get this one; with None they stay as they are."""
    try:
        yield
    except QuadrilleError as e:
        if place is None:
            raise
        raise e.placed(place) from None


def record_blocks(compiled: Compiled, record: dict[str, Any], deal: Deal) -> list[Block]:
    """A deal for a person: the hands, the auction, the tricks, the payments."""
    where = ", ".join(f"{k} {record[k]}" for k in ("seed", "session", "deal") if record.get(k) is not None)
    lines = [identity_text(compiled.ruleset.identity)]
    if where:
        lines.append(where)
    pool = f"pool {record['pool']}" + (f", favourite {record['favourite']}" if record.get("favourite") else "")
    blocks: list[Block] = [Text("\n".join([*lines, pool]), strong=True)]
    hands = tuple(
        (p, with_signs(format_cards(sorted(parse_cards(h)))))
        for p, h in zip(record["players"], record["hands"], strict=True)
    )
    blocks.append(Table("hands, eldest first", ("player", "cards"), hands))
    told = [e.text() for e in deal.events if e.stage != "play" and e.kind != "deal"]
    told += [e.text() for e in deal.events if e.stage == "play" and e.kind not in ("play", "trick")]
    tricks = tuple(
        (str(n), record["players"][t.leader], " ".join(sign_card(c) for c in t.cards), record["players"][t.winner])
        for n, t in enumerate(deal.tricks, 1)
    )
    blocks.append(Text(with_signs("\n".join(told))))
    if tricks:
        blocks.append(Table("tricks", ("", "led by", "cards", "won by"), tricks))
    if record.get("outcome"):
        rows = tuple((t["from"], t["to"], str(t["amount"]), t["reason"]) for t in record["transfers"])
        blocks.append(
            Table(f"settlement: {record['outcome']}", ("from", "to", "counters", "for"), rows, frozenset({"counters"}))
        )
        blocks.append(Text(f"net: {net_text(record)}; pool after: {record['pool_after']}"))
    return blocks


# --- legal ------------------------------------------------------------------------------------


@click.command("legal")
@click.argument("ref")
@click.option("--hand", metavar="CARDS", help='The cards in hand, such as "SA H7 C3".  [required]')
@click.option("--trick", default="", metavar="CARDS", help="The cards played so far in this trick, first the one led.")
@click.option("--trump", metavar="SUIT", help="The trump suit, or none.  [required]")
@format_option
@refine_options
def legal_command(
    ref: str,
    hand: str | None,
    trick: str,
    trump: str | None,
    fmt: str,
    readings: tuple[str, ...],
    sets: tuple[str, ...],
) -> None:
    """Say which cards of a hand may be played to a trick, and why the others may not."""
    compiled = compile_all([ref], readings, sets)[0]
    table = compiled.ruleset.rules.table
    if hand is None or trump is None:
        missing = "--hand" if hand is None else "--trump"
        raise UsageError(f"option {missing} is missing", help='such as --hand "SA H7 C3" --trump hearts')
    held, played = parse_cards(hand), parse_cards(trick)
    if not held:
        raise UsageError("the hand is empty", help='such as --hand "SA H7 C3"')
    if len(held) > table.hand_cards:
        raise UsageError(f"a hand has {table.hand_cards} cards at most, not {len(held)}")
    if len(played) >= table.players:
        raise UsageError(
            f"a trick to which one may still play has {table.players - 1} cards at most, not {len(played)}"
        )
    if both := set(held) & set(played):
        raise UsageError(f"{format_cards(sorted(both))} cannot be both in hand and on the table")
    trumps = NO_TRUMP if trump.lower() == "none" else parse_suit(trump)
    rulings = explain_cards(compiled.ruleset.rules, held, played, trumps)
    emit(
        fmt,
        blocks=lambda: _legal_blocks(compiled, rulings),
        data=lambda: {
            "rules": identity_to_plain(compiled.ruleset.identity),
            "legal": [format_card(r.card) for r in rulings if r.legal],
            "cards": [
                {
                    "card": format_card(r.card),
                    "legal": r.legal,
                    "forced": r.forced,
                    "reason": r.reason,
                    "rule": r.rule,
                    "source": compiled.source_of(r.rule),
                }
                for r in rulings
            ],
        },
        rows=lambda: (
            ("card", "legal", "forced", "reason", "rule"),
            [(format_card(r.card), r.legal, r.forced, r.reason, r.rule) for r in rulings],
        ),
    )


def _legal_blocks(compiled: Compiled, rulings: Sequence[CardRuling]) -> list[Block]:
    rows = tuple(
        (
            sign_card(r.card),
            "forced" if r.forced else "may be played" if r.legal else "no",
            with_signs(r.reason),
            re.sub(r"^$", "–", r.rule),
        )
        for r in rulings
    )
    blocks: list[Block] = [Text(identity_text(compiled.ruleset.identity)), Table("", ("card", "", "why", "rule"), rows)]
    cited = dict.fromkeys(r.rule for r in rulings if r.rule)
    told = {"play": "the common duty to follow suit"}
    blocks.append(Text("\n".join(f"{rule}: {compiled.source_of(rule) or told.get(rule, '')}" for rule in cited)))
    return blocks
