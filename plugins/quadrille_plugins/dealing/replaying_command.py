"""``quadrille deal --replay``: a record played again, and where it diverges."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Final

import click

from quadrille_core.engine.amounts import table_stake
from quadrille_core.engine.settle import settle
from quadrille_core.errors import Command, Option, QuadrilleError, RecordError
from quadrille_core.harmless import one_line
from quadrille_core.kinds import KINDS
from quadrille_core.profile import place_at
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import MismatchError, parse_amount, plain_amount
from quadrille_plugins.deal.blocks import net_text, record_blocks
from quadrille_plugins.deal.record import differing, replay, to_record
from quadrille_plugins.deal.rows import COLUMNS, event_rows
from quadrille_plugins.dealing.lines import read_record
from quadrille_plugins.dealing.named import Named, amount_typed, compiled_for, one_of
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.citing import cited
from quadrille_plugins.shell.options import Repeated, compile_all
from quadrille_plugins.shell.program import program_text
from quadrille_plugins.shell.values import identity_text, identity_to_plain, with_signs


def _replayed_by(word: object) -> Callable[..., Answer] | None:
    """What replays a record of another kind of game than one of tricks."""
    return next(
        (kind.replay for kind in KINDS.values() if kind.replay is not None and kind.record == word),
        None,
    )


def _with_pool(data: Any, named: Named, compiled: Compiled, pool: int | str | None) -> Any:
    """The record with the pool that is told, or with the antes of these rules in place of those of
    its own.

    Where its own rules are not to be had, or have changed since, the pool stays as it is.
    """
    if not isinstance(data, dict):
        return data
    if pool is not None:
        return {**data, "pool": pool}
    try:
        (own,) = compile_all([named.reference or ""], named.readings, named.settings)
        before = parse_amount(data.get("pool"))
    except (QuadrilleError, MismatchError):
        return data
    if own.kind != compiled.kind or named.digest not in (None, own.identity.digest):
        return data
    then, now = (table_stake(r.ruleset.rules) for r in (own, compiled))
    return {**data, "pool": plain_amount(before - then + now)} if then != now else data


def _differences(told: dict[str, Any], record: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What a person is told of a record and its replay where they differ."""
    for key, label in _TOLD.items():
        if key in told and told[key] != record.get(key):
            yield label, one_line(str(told[key]))[:60], str(record.get(key))
    was, now = told.get("net"), record.get("net")
    if not isinstance(was, dict) or not isinstance(now, dict):
        return
    for player in record["players"]:
        before, here = (net_text({"net": {"": net.get(player, 0)}}).strip() for net in (was, now))
        if before != here:
            yield player, before, here


_OF_POOL: Final = ("negative-pool", "pool-below-its-antes")
_TOLD: Final = {"pool": "pool before", "outcome": "outcome", "pool_after": "pool after"}


def replay_file(
    file: str,
    refs: Repeated,
    line: int | None,
    pool: str | None,
    cite: bool,
    readings: Repeated,
    sets: Repeated,
) -> Answer:
    """Replay the record in a file under its own rules, or those named; the status is 1 where it
    differs."""
    ref = one_of(refs) if refs else None
    now_in_pool = None if pool is None else plain_amount(amount_typed(pool))
    root = read_record(file, line)
    data, place = root.to_plain(), partial(place_at, root)
    made_by = data.get("program") if isinstance(data, dict) else None
    if isinstance(made_by, str) and made_by != program_text():
        click.echo(one_line(f"made by {made_by[:80]}; this is {program_text()}"), err=True)
    try:
        named, compiled = compiled_for(data, place, ref, readings, sets)
        if not (ref or readings or sets) and named.digest not in (None, compiled.identity.digest):
            was, now = str(named.digest)[:12], compiled.identity.digest[:12]
            again = Command("deal", (str(named.reference),), (Option("replay", "FILE"),))
            raise RecordError.of(
                "record-of-other-rules",
                place=place(("rules", "digest")),
                was=was,
                reference=named.reference,
                now=now,
                command=again,
            )
        if isinstance(data, dict) and (other := _replayed_by(data.get("kind"))) is not None:
            return other(compiled, data, place)
        told, data = data, _with_pool(data, named, compiled, now_in_pool)
        result = replay(compiled.ruleset, data, place)
    except QuadrilleError as e:
        if pool is not None and e.problems[0].variant in _OF_POOL:  # the file says another
            raise type(e)(replace(p, place=None) for p in e.problems) from None
        named_here = isinstance(e, RecordError) or not (ref or readings or sets)
        raise (e.placed(root.place) if named_here else e) from None
    deal, divergence = result.deal, result.divergence
    ended = None if deal is None or divergence else deal.result()
    settlement = None if ended is None else settle(compiled.rules, ended)
    record: dict[str, Any] = {} if deal is None else to_record(deal, settlement)
    changed = differing(told, record) if settlement is not None else []
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
        found: list[Block] = (
            [Text(identity_text(compiled.identity))]
            if deal is None
            else record_blocks(compiled, record, deal)
        )
        if divergence is not None and parted is not None:
            number = f"action {divergence.index + 1}, " if divergence.index >= 0 else ""
            found.append(
                Text(
                    with_signs(
                        f"diverges in the {divergence.stage} at {number}{divergence.action!r}: "
                        f"{divergence.reason}"
                    )
                    + f"\nsee {parted['place']}",
                    strong=True,
                )
            )
        elif changed:
            text = f"the play is the same; these differ from the record: {', '.join(changed)}"
            found.append(Text(f"{text}\nsee {place((changed[0],))}", strong=True))
            if rows := tuple(_differences(told, record)):
                found.append(Table("", ("", "record", "here"), rows))
        return cited(found, [compiled], cite=cite)

    return Answer(
        blocks=blocks,
        data=lambda: {
            "rules": identity_to_plain(compiled.identity),
            "divergence": parted,
            "differing": changed,
            "was": {key: told[key] for key in (*_TOLD, "net") if key in changed},
            "record": record,
        },
        rows=lambda: (COLUMNS, []) if deal is None else event_rows(deal),
        status=1 if divergence is not None or changed else 0,
    )
