"""What ``deal``, ``replay`` and ``compare`` do where the game is a patience."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from quadrille_core.errors import PlaceAt, UsageError
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.record import record_file
from quadrille_plugins.patience import PATIENCE
from quadrille_plugins.patience.game import play_game
from quadrille_plugins.patience.record import from_record, replay, to_record
from quadrille_plugins.patience.report import (
    answer,
    game_blocks,
    lost_name,
    lost_record,
    odds_blocks,
    odds_csv,
    odds_json,
)
from quadrille_plugins.patience.study import OddsComparison, compare_odds, every_reading
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Block, Text
from quadrille_plugins.shell.citing import cited
from quadrille_plugins.shell.options import compile_all, typed_options
from quadrille_plugins.shell.values import Json, identity_text, identity_to_plain
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.study import Rendering, Study
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
    save: Path | None,
    seed: int,
    examples: int,
    readings: Sequence[str],
    sets: Sequence[str],
) -> "OddsStudy":
    """``compare`` of patiences: the odds under each rule set; one alone is compared with its own
    other readings."""
    nobody = "nobody wins or loses counters"
    _refuse(
        {
            "players": "nobody chooses anything",
            "sessions": "its games are counted with --deals",
            "engine": "it is played by one engine alone",
            "double_dummy": "its cards hide nothing that anybody could use",
            "table": "it lists deals that bots play",
            "power": nobody,
            "decompose": nobody,
        }
    )
    games = games or DEFAULT_GAMES
    if games > MOST_GAMES:
        raise UsageError.of("too-many-games", most_games=MOST_GAMES)
    if len(compiled) == 1:
        ways = every_reading(compiled[0])
        if len(ways) > MOST_RULE_SETS:
            raise UsageError.of(
                "too-many-combinations",
                refs=refs[0],
                ways=len(ways),
                most_rule_sets=MOST_RULE_SETS,
            )
        compiled = [compile_all([refs[0]], [*readings, *_spelt(way)], sets)[0] for way in ways]
    return OddsStudy(
        compiled=compiled,
        title="Odds of winning a patience",
        resolved={"deals": games},
        deals=games,
        save=save,
        seed=seed,
        examples=examples,
    )


@dataclass(kw_only=True)
class OddsStudy(Study[OddsComparison]):
    """The odds of winning patiences on the same shuffles."""

    seed: int
    examples: int

    def play(self, runner: Runner) -> OddsComparison:
        """See ``Study``."""
        with StudyProgress(self.deals) as progress:
            return compare_odds(
                self.compiled,
                games=self.deals,
                seed=self.seed,
                examples=self.examples,
                progress=progress.update,
                runner=runner,
            )

    def finish(self, found: OddsComparison) -> Json:
        """See ``Study``."""
        return odds_json(found)

    def render(self, found: OddsComparison, record: Json) -> Rendering:
        """See ``Study``."""
        return Rendering(
            blocks=lambda details: odds_blocks(found, details=details),
            rows=lambda: odds_csv(found),
            answers=lambda: [answer(found)],
            pictures=lambda: odds_pictures(record),
            records=lambda: _records(found),
            reached=f"the {found.games} games that were finished" if found.interrupted else "",
        )


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
