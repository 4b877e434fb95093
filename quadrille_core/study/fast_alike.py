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
    arrays: Sequence[fast.Arrays], seed: int, first: int, lengths: Any, room: Any, examples: int, *, decompose: bool
) -> fast.Block:
    return _play_alike(arrays, seed, first, lengths, room, examples, decompose=decompose)[0]


def _play_alike(
    arrays: Sequence[fast.Arrays], seed: int, first: int, lengths: Any, room: Any, examples: int, *, decompose: bool
) -> tuple[fast.Block, fast.Played]:
    """As a comparison's block; a pair's ``stages`` holds the rows, ``cross`` the reach, ``telling`` the deals drawn."""
    import numpy as np

    from quadrille_core.kernel import alike, gather
    from quadrille_core.tables import session_layout as of

    played = fast.play(arrays, seed, first, lengths, room)
    # what some deals of a session move together is below the root of four seats' deals times their squares, and its
    # own square must stay within 64 bits
    bound = (1 << 29) // (4 * int(lengths.max()))
    for one in played.sums:
        played.skip |= one[:, of.SQUARES + 1 : of.ENDINGS : 2].max(axis=1) >= bound
    effects = fast.paired(arrays, played, seed, room, decompose=decompose)
    block = fast.add_up(arrays, played, room)
    block.effects = effects
    records, tapes, sums, skip = played.records, played.tapes, played.sums, played.skip
    for i in range(1, len(arrays)):
        rows = np.zeros((alike.KINDS, gather.ROW), np.int64)
        kept = room.kept[: len(lengths)]
        alike.gather_alike(
            arrays[0].rules, arrays[i].rules, records[0], records[i], tapes[0], tapes[i], sums[0], sums[i], skip,
            first, rows, kept,
        )  # fmt: skip
        block.stages.append(rows)
        block.cross.append(_reach(*(moved(sums[n])[~skip] for n in (0, i))))
        block.telling.append(fast.told(kept, first, (records[0], records[i]), examples))
    return block, played


def _reach(first: Any, second: Any) -> Any:
    """``alike.reach_of`` for every column of the kernel's, the largest of these sessions; 0 where there are none."""
    import numpy as np

    return np.abs(np.concatenate([first, second, second - first])).max(axis=0, initial=0)
