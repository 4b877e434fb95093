"""Matched starts played by the kernel, as ``matters.matched_starts`` defines them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from quadrille_plugins.matters.matched_starts import STAGES, MatchedRuns, MatchedSums, SampledDeal
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.deal_table import PlayingBlocks
from quadrille_plugins.studies.fast import Played, Workspace
from quadrille_plugins.studies.runner.executors import one_at_a_time
from quadrille_plugins.studies.runner.tasks import Sessions


class FastPlayingMatched:
    """Plays blocks in one thread; sessions that the kernel cannot represent go to the readable
    engine."""

    def __init__(self, work: Any) -> None:
        """``work`` is a ``matched_play.PlayingMatched``."""
        self._all = work
        self._rooms: dict[tuple[int, ...], fast.Workspace] = {}

    def play(self, task: Sessions) -> MatchedRuns:
        """As ``Work`` says."""
        work, chosen, longest = self._all.at(task.table), [0, *task.others], max(task.lengths)
        with one_at_a_time:
            if task.table not in self._all.tabulated:
                self._all.tabulated[task.table] = fast.tabulate(work.rulesets, work.bots)
            tables, scale = self._all.tabulated[task.table]
        arrays = [tables[i] for i in chosen]
        at_once = partial(play_at_once, decompose=work.decompose)
        example_deals = (
            None if work.told is None else PlayingBlocks(work.told, scale, chosen, at_once)
        )
        how = example_deals or partial(play_pairs, decompose=work.decompose)
        sums: fast.PlayedBlock | None = None
        rows: list[Any] = []
        others: list[MatchedRuns] = []
        for first, lengths, workspace in fast.parts(
            task.first, task.lengths, self._room(arrays, chosen, longest)
        ):
            block = how(arrays, work.seed, first, lengths, workspace, work.sampled)
            with one_at_a_time:
                left = {n: work.play_matched(task.others, n, longest) for n in block.left}
            if example_deals is not None:
                rows += example_deals.rows_of(block, {n: list(one.rows) for n, one in left.items()})
            others += left.values()
            sums = block if sums is None else sums.merged(block)
        if sums is None:
            raise ValueError("a block has a session at least")
        found: MatchedRuns = work.together([self._runs(sums, longest, scale), *others], rows)
        return found

    def _room(
        self, arrays: Sequence[fast.Arrays], chosen: Sequence[int], longest: int
    ) -> fast.Workspace:
        key = (longest, *chosen)
        if key not in self._rooms:
            self._rooms.clear()  # those of rule sets that are not played any more are large
            places = (
                2 if self._all.told is None else None
            )  # one alternative after another, or all for the table
            self._rooms[key] = fast.Workspace(
                arrays, max(1, fast.BLOCK_DEALS // longest), longest, places
            )
        return self._rooms[key]

    def _runs(self, block: fast.PlayedBlock, deals: int, scale: int) -> MatchedRuns:
        for pair, effects in zip(block.pairs, block.effects, strict=True):
            pair.effects = effects
        return MatchedRuns(
            block.tables,
            block.pairs,
            [[self._sampled(t, scale) for t in told] for told in block.example_deals],
            block.sessions,
            block.sessions * deals,
        )

    def _sampled(self, told: fast.FastShift, scale: int) -> SampledDeal:
        one, other = (fast.state(s, scale) for s in told.states)
        return SampledDeal(told.weight, told.session, told.deal, (one, other))


def play_pairs(
    arrays: Sequence[fast.Arrays],
    seed: int,
    first: int,
    lengths: Any,
    workspace: Workspace,
    examples: int,
    *,
    decompose: bool,
) -> fast.PlayedBlock:
    """``_play_matched`` for one alternative at a time: the workspace holds the deals of two rule
    sets."""
    import numpy as np

    skip = np.zeros(len(lengths), np.bool_)
    while True:
        found = skip.copy()
        block = _pairs(
            arrays,
            seed,
            Played(first, lengths, [], [], [], found),
            workspace,
            examples,
            decompose=decompose,
        )
        if (found == skip).all():
            return block
        skip = found  # some alternatives were held against sessions that a later one cannot tell


def _pairs(
    arrays: Sequence[fast.Arrays],
    seed: int,
    mine: Played,
    workspace: Workspace,
    examples: int,
    *,
    decompose: bool,
) -> fast.PlayedBlock:
    """Sessions under the first rule set and each alternative; those to skip are left out, and added
    to."""
    fast.play_one(arrays, 0, seed, mine, workspace, 0)
    _leave_large(mine)
    block = fast.add_up(arrays[:1], mine)
    for i in range(1, len(arrays)):
        pair = Played(
            mine.first, mine.lengths, mine.records[:1], mine.tapes[:1], mine.sums[:1], mine.skip
        )
        fast.play_one(arrays, i, seed, pair, workspace, 1)
        _leave_large(pair)
        both = [arrays[0], arrays[i]]
        block.effects += fast.paired(both, pair, seed, workspace, decompose=decompose)
        kept = pair.sums[1][~pair.skip]
        block.tables.append(fast.table_of(arrays[i], kept, fast.told_by_kernel(arrays[i], kept)))
        _hold(both, pair, 1, workspace, examples, block)
    return block


def play_at_once(*given: Any, decompose: bool) -> tuple[fast.PlayedBlock, Played]:
    """A block as in a comparison, ``pairs`` being matched starts and ``example_deals`` sampled."""
    return fast.play_side_by_side(*given, decompose=decompose, leave=_leave_large, hold=_hold)


def _leave_large(played: Played) -> None:
    """Skip sessions whose squares may not be exact.

    What some deals of a session move together is below the root of four seats' deals times their
    squares, and its own square must stay within 64 bits.
    """
    bound = (1 << 29) // (4 * int(played.lengths.max()))
    for one in played.sums:
        played.skip |= one["squares"][:, :, 1].max(axis=1) >= bound


def _hold(
    arrays: Sequence[fast.Arrays],
    played: Played,
    i: int,
    workspace: Workspace,
    examples: int,
    block: fast.PlayedBlock,
) -> None:
    """Add to the block how the rule set of that number goes beside the first."""
    import numpy as np

    from quadrille_plugins.kernel import matched_starts

    records, tapes, sums = played.records, played.tapes, played.sums
    counts, kept = (
        np.zeros((len(played.skip), matched_starts.KINDS), np.int64),
        workspace.kept[: len(played.skip)],
    )
    matched_starts.count_matched(
        arrays[0].rules,
        arrays[i].rules,
        records[0],
        records[i],
        tapes[0],
        tapes[i],
        sums[0],
        sums[i],
        played.skip,
        played.first,
        counts,
        kept,
    )
    _, auction, play, settlement, stakes, carrying, trials, paid, weight = counts[
        ~played.skip
    ].T.tolist()
    stages = dict(zip(STAGES, (stakes, auction, play, settlement, carrying), strict=True))
    block.pairs.append(MatchedSums.of(stages, trials, paid, weight, arrays[0].scale))
    block.example_deals.append(
        fast.shifts_of(kept, played.first, (records[0], records[i]), examples)
    )
