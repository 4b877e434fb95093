"""What ``study.alike`` tells of sessions, told by the kernel."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from quadrille_core.rules import RuleSet
from quadrille_core.study import fast
from quadrille_core.study.accounts import columns
from quadrille_core.study.alike import PAID, PARTED, STAGES, Alike, Drawn, Watched, watch
from quadrille_core.study.alike_play import tell_of
from quadrille_core.study.deal_table import DealTable, PlayingBlocks
from quadrille_core.study.fast import Played, Room
from quadrille_core.study.fast_effects import FastEffects, moved, places


@dataclass(frozen=True, slots=True)
class FastTable:
    """Rule sets made ready for the kernel, the first and those it is held against."""

    rulesets: Sequence[RuleSet]
    arrays: Sequence[fast.Arrays]
    scale: int
    bots: Sequence[str]
    seed: int
    workers: int
    told: DealTable | None = None
    """The table in which every deal is to be told."""
    decompose: bool = False
    """Whether deals are replayed for the direct effects."""

    def watched(self, first: int, sessions: int, deals: int, others: Sequence[int], drawn: int) -> Iterator[Watched]:
        """Sessions ``first`` … of so many deals, some at a time and in order, with as many deals drawn of each lot.

        ``others`` are places in the rule sets: who else plays besides the first.
        """
        chosen = [0, *others]
        arrays, rulesets = [self.arrays[i] for i in chosen], [self.rulesets[i] for i in chosen]
        play = partial(_play_alike, decompose=self.decompose)
        telling = None if self.told is None else PlayingBlocks(self.told, self.scale, chosen, play)
        how, tell = telling or partial(_play, decompose=self.decompose), tell_of(self.told, others)
        for block in fast.blocks(arrays, self.seed, [deals] * sessions, self.workers, drawn, first=first, how=how):
            found = self._watched(arrays, block, deals)
            left = {
                n: watch(rulesets, self.bots, self.seed, n, deals, tell, decompose=self.decompose) for n in block.left
            }
            for one in left.values():
                found.merge(one)
            if telling is not None:
                found.rows = telling.rows_of(block, {n: list(one.rows) for n, one in left.items()})
            yield found

    def _watched(self, arrays: Sequence[fast.Arrays], block: fast.Block, deals: int) -> Watched:
        return Watched(
            [
                fast.table_of(a, rows.tolist(), plain.tolist(), self.scale, block.sessions)
                for a, rows, plain in zip(arrays, block.rows, block.plain, strict=True)
            ],
            [
                self._alike(*found, block.sessions)
                for found in zip(block.stages, block.cross, block.effects, strict=True)
            ],
            [[self._drawn(t) for t in told] for told in block.telling],
            block.sessions,
            block.sessions * deals,
        )

    def _alike(self, rows: Any, reach: Any, effects: FastEffects, sessions: int) -> Alike:
        from quadrille_core.kernel import alike as at

        found, players = Alike(), self.rulesets[0].rules.table.players
        for name, row in zip((*STAGES, PARTED, PAID), rows.tolist(), strict=False):
            found.shares[name] = fast.moments(row, 1, sessions)
        found.weight = fast.moments(rows[at.WEIGHT].tolist(), self.scale, sessions)
        found.effects = effects.effects(players, self.scale)
        for name, place in zip(columns(players), places(players), strict=True):
            found.reach[name] = Fraction(int(reach[place]), self.scale)
        return found

    def _drawn(self, told: fast.Told) -> Drawn:
        one, other = (fast.standing(s, self.scale) for s in told.standings)
        return Drawn(told.weight, told.session, told.deal, (one, other))


def table(
    rulesets: Sequence[RuleSet],
    bots: Sequence[str],
    seed: int,
    workers: int,
    tables: fast.Tables | None = None,
    told: DealTable | None = None,
    *,
    decompose: bool = False,
) -> FastTable:
    """The rule sets, made ready if they are not; raises InexactError where the kernel cannot tell what they pay."""
    arrays, scale = tables or fast.tabulate(rulesets)
    return FastTable(rulesets, arrays, scale, bots, seed, workers, told, decompose)


def _play(
    arrays: Sequence[fast.Arrays], seed: int, first: int, lengths: Any, room: Room, examples: int, *, decompose: bool
) -> fast.Block:
    """As ``_play_alike``, one alternative after another: the room holds the deals of two rule sets, not of all."""
    import numpy as np

    skip = np.zeros(len(lengths), np.bool_)
    while True:
        found = skip.copy()
        block = _pairs(arrays, seed, Played(first, lengths, [], [], [], found), room, examples, decompose=decompose)
        if (found == skip).all():
            return block
        skip = found  # some alternatives were held against sessions that a later one cannot tell


def _pairs(
    arrays: Sequence[fast.Arrays], seed: int, mine: Played, room: Room, examples: int, *, decompose: bool
) -> fast.Block:
    """Sessions under the first rule set and each alternative; those to skip are left out, and added to."""
    fast.play_one(arrays, 0, seed, mine, room, 0)
    _leave_large(mine)
    block = fast.add_up(arrays[:1], mine, room)
    for i in range(1, len(arrays)):
        pair = Played(mine.first, mine.lengths, mine.records[:1], mine.tapes[:1], mine.sums[:1], mine.skip)
        fast.play_one(arrays, i, seed, pair, room, 1)
        _leave_large(pair)
        both = [arrays[0], arrays[i]]
        block.effects += fast.paired(both, pair, seed, room, decompose=decompose)
        one = fast.add_up(both, pair, room)
        block.rows.append(one.rows[1])
        block.plain.append(one.plain[1])
        _hold(both, pair, 1, room, examples, block)
    return block


def _play_alike(
    arrays: Sequence[fast.Arrays], seed: int, first: int, lengths: Any, room: Room, examples: int, *, decompose: bool
) -> tuple[fast.Block, Played]:
    """As a comparison's block; a pair's ``stages`` holds the rows, ``cross`` the reach, ``telling`` the deals drawn."""
    played = fast.play(arrays, seed, first, lengths, room)
    _leave_large(played)
    effects = fast.paired(arrays, played, seed, room, decompose=decompose)
    block = fast.add_up(arrays, played, room)
    block.effects = effects
    for i in range(1, len(arrays)):
        _hold(arrays, played, i, room, examples, block)
    return block, played


def _leave_large(played: Played) -> None:
    """Skip sessions whose squares may not be told exactly.

    What some deals of a session move together is below the root of four seats' deals times their squares, and its own
    square must stay within 64 bits.
    """
    from quadrille_core.tables import session_layout as of

    bound = (1 << 29) // (4 * int(played.lengths.max()))
    for one in played.sums:
        played.skip |= one[:, of.SQUARES + 1 : of.ENDINGS : 2].max(axis=1) >= bound


def _hold(arrays: Sequence[fast.Arrays], played: Played, i: int, room: Room, examples: int, block: fast.Block) -> None:
    """Add to the block how the rule set of that number goes beside the first."""
    import numpy as np

    from quadrille_core.kernel import alike, gather

    records, tapes, sums = played.records, played.tapes, played.sums
    rows, kept = np.zeros((alike.KINDS, gather.ROW), np.int64), room.kept[: len(played.lengths)]
    alike.gather_alike(
        arrays[0].rules, arrays[i].rules, records[0], records[i], tapes[0], tapes[i], sums[0], sums[i], played.skip,
        played.first, rows, kept,
    )  # fmt: skip
    block.stages.append(rows)
    block.cross.append(_reach(*(moved(sums[n])[~played.skip] for n in (0, i))))
    block.telling.append(fast.told(kept, played.first, (records[0], records[i]), examples))


def _reach(first: Any, second: Any) -> Any:
    """``alike.reach_of`` for every column of the kernel's, the largest of these sessions; 0 where there are none."""
    import numpy as np

    return np.abs(np.concatenate([first, second, second - first])).max(axis=0, initial=0)
