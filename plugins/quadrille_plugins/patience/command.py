"""What ``deal``, ``replay`` and ``compare`` do where the game is a patience."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from quadrille_core.errors import Option, PlaceAt, UsageError
from quadrille_core.report.answer import Answer
from quadrille_core.report.blocks import Block, Text
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.record import record_file
from quadrille_plugins.output.citing import cited
from quadrille_plugins.output.commands import compile_all, typed_options
from quadrille_plugins.output.files import check_folder
from quadrille_plugins.output.values import identity_text, identity_to_plain
from quadrille_plugins.patience import PATIENCE
from quadrille_plugins.patience.game import play_game
from quadrille_plugins.patience.record import from_record, replay, to_record
from quadrille_plugins.patience.report import (
    game_blocks,
    lost_name,
    lost_record,
    odds_blocks,
    odds_csv,
    odds_json,
)
from quadrille_plugins.patience.study import OddsComparison, compare_odds, every_reading
from quadrille_plugins.studies.options import finish
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.running import ending, runner_for
from quadrille_plugins.studies.study_pictures import odds_pictures

DEFAULT_GAMES = 10_000
MOST_GAMES = 1_000_000
"""Games of one comparison: each is kept in memory until all are counted."""
MOST_RULE_SETS = 26


def _refuse(given: Mapping[str, str]) -> None:
    """Refuse options, by name, that were given and that a patience has no use for, each with its
    reason."""
    for param in typed_options():
        if reason := given.get(param.name or ""):
            option = param.opts[0]
            raise UsageError.of("means-nothing-in-patience", option=option, reason=reason)


def deal_patience(compiled: Compiled, *, seed: int, game: int) -> Answer:
    """Play game number ``game`` of the seed and print its course."""
    _refuse(
        {
            "players": "nobody chooses anything",
            "number": "the game's number is given with --session",
        }
    )
    played = play_game(compiled.game_of(PATIENCE).rules, seed, game)
    record = to_record(played, identity_to_plain(compiled.identity), seed=seed, game=game)
    return Answer(
        blocks=lambda: game_blocks(compiled, played, f"seed {seed}, game {game}"),
        data=lambda: record_file(record),
        rows=lambda: (("step",), [(s,) for s in record["steps"]]),
    )


def replay_patience(compiled: Compiled, data: Any, place: PlaceAt) -> Answer:
    """Replay a record and report differences; status 1 for any.  ``place`` locates a path of its
    keys."""
    result = replay(compiled.game_of(PATIENCE).rules, from_record(data, place))
    played, parted = result.played, result.divergence
    identity = identity_to_plain(compiled.identity)
    record = (
        {}
        if played is None
        else to_record(played, identity, seed=data.get("seed"), game=data.get("game"))
    )

    def blocks() -> list[Block]:
        found: list[Block] = [Text(identity_text(compiled.identity), strong=True)]
        if played is not None:
            found = game_blocks(compiled, played, "")
        if parted:
            found = [*found, Text(f"diverges: {parted}\nsee {place(('steps',))}", strong=True)]
        return cited(found, [compiled], cite=click.get_current_context().params["cite"])

    return Answer(
        blocks=blocks,
        data=lambda: {"rules": identity, "divergence": parted or None, "record": record},
        rows=lambda: (("step",), [(s,) for s in record.get("steps", [])]),
        status=1 if parted else 0,
    )


def compare_patience(
    refs: Sequence[str],
    compiled: Sequence[Compiled],
    *,
    games: int | None,
    asked: Mapping[str, Any],
    save: Path | None,
    fmt: str,
    seed: int,
    workers: int | None,
    examples: int,
    readings: Sequence[str],
    sets: Sequence[str],
) -> int:
    """``compare`` of patiences: the odds under each rule set; one alone is compared with its own
    other readings.

    ``asked`` holds the options that mean nothing here.
    """
    if asked["table"] is not None:
        raise UsageError.of("option-lists-deals-that-bots-play", option=Option("table"))
    if asked["power"] is not None or asked["decompose"]:
        raise UsageError.of("of-patience-nobody-wins")
    check_folder(save)
    games = games or DEFAULT_GAMES
    with StudyProgress(games) as progress:
        _refuse(
            {
                "players": "nobody chooses anything",
                "sessions": "its games are counted with --deals",
                "engine": "it is played by one engine alone",
                "double_dummy": "its cards hide nothing that anybody could use",
            }
        )
        if games > MOST_GAMES:
            raise UsageError.of("at-most-games-of-patience", most_games=MOST_GAMES)
        if len(compiled) == 1:
            ways = every_reading(compiled[0])
            if len(ways) > MOST_RULE_SETS:
                raise UsageError.of(
                    "combinations-of-readings-at-most",
                    refs=refs[0],
                    ways=len(ways),
                    most_rule_sets=MOST_RULE_SETS,
                )
            compiled = [compile_all([refs[0]], [*readings, *_spelt(way)], sets)[0] for way in ways]
        runner = runner_for(compiled, workers, {"deals": games})
        found = compare_odds(
            compiled,
            games=games,
            seed=seed,
            examples=examples,
            progress=progress.update,
            runner=runner,
        )
    if found.interrupted:
        click.echo(f"interrupted: reporting the {found.games} games that were finished", err=True)
    finish(
        [o.compiled for o in found.odds],
        odds_json(found),
        fmt=fmt,
        blocks=lambda details: odds_blocks(found, details=details),
        rows=lambda: odds_csv(found),
        pictures=lambda: odds_pictures(odds_json(found)),
        title="Odds of winning a patience",
        resolved={"deals": games},
        interrupted=found.interrupted,
        save=save,
        records=_records(found),
    )
    return ending(runner, interrupted=found.interrupted)


def _spelt(way: Mapping[str, str]) -> list[str]:
    return [f"{point}={reading}" for point, reading in way.items()]


def _records(found: OddsComparison) -> Iterator[tuple[str, str]]:
    """Both records of the first games that two rule sets end differently, and the lost games looked
    for.

    Yields the name of a file, and its text.
    """
    for pair in found.pairs:
        for game in pair.examples:
            for index in (pair.first, pair.second):
                compiled = found.odds[index].compiled
                played = play_game(compiled.game_of(PATIENCE).rules, found.seed, game)
                record = to_record(
                    played, identity_to_plain(compiled.identity), seed=found.seed, game=game
                )
                name = f"game{game}-{index + 1}.json"
                yield name, json.dumps(record, ensure_ascii=False, indent=2) + "\n"
    for index, o in enumerate(found.odds):
        lost = lost_record(o, found.seed)
        if lost is not None:
            yield lost_name(index), json.dumps(lost, ensure_ascii=False, indent=2) + "\n"
