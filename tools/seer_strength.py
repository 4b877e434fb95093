"""What ``seer`` wins by imagining more deals, and what that costs: strength against budget.

``python tools/seer_strength.py quanti-1822`` plays each deal, a session of its own, by ``steady`` in
every seat, and again on the same cards with one ``seer`` among ``steady``, in each seat by turns.
Counted is what that seat wins more than ``steady`` won there, in counters a deal and player, with
the deal as the unit: mean and 95 % interval, for each number of deals imagined.  Beside it stands
how many deals, ``seer`` in every seat, the fast engine plays in a second of one processor.
``--picture FILE`` draws it.
"""

import argparse
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from quadrille_plugins.deal.players import make_bot, ready
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.intervals import Estimate, Tally, ratio
from quadrille_plugins.studies.picture import Picture, PlotMark
from quadrille_plugins.studies.pictures import svg_of

from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

BUDGETS, USUAL = (10, 25, 50, 100, 200), 100
STEADY = make_bot("steady")


def won(ruleset: RuleSet, spec: str | None, seat: int, seed: int, number: int) -> Fraction:
    """What a seat wins of a deal, one such player there among ``steady``."""
    bots = [STEADY] * ruleset.rules.table.players
    if spec is not None:
        bots[seat] = make_bot(spec)
    (played,) = play_session(ruleset, bots, seed=seed, session=number, deals=1)
    return played.net_of_chair[seat]


def gain(ruleset: RuleSet, spec: str, seed: int, numbers: Sequence[int]) -> list[Tally]:
    """What the player wins more than ``steady``, in each deal."""
    seats, found = range(ruleset.rules.table.players), []
    for number in numbers:
        more = [
            won(ruleset, spec, seat, seed, number) - won(ruleset, None, seat, seed, number)
            for seat in seats
        ]
        found.append(Tally(sum(more, Fraction(0)), len(seats)))
    return found


def speed(ruleset: RuleSet, spec: str, deals: int) -> float:
    """Deals in a second of one processor, the player in every seat."""
    (arrays,), _ = fast.tabulate([ruleset], [spec] * ruleset.rules.table.players)
    room, lengths = fast.workspace(40), [40] * -(-deals // 40)
    arrays.play(1, 0, [1], room, 0)  # loaded, and its memory taken
    began = time.process_time()
    arrays.play(1, 0, lengths, room, 0)
    return sum(lengths) / (time.process_time() - began)


def told(e: Estimate) -> tuple[float, float, float]:
    """A mean and the ends of its interval."""
    if e.mean is None or e.low is None or e.high is None:
        raise ValueError("too few deals for an interval")
    return float(e.mean), float(e.low), float(e.high)


def table_of(gains: dict[int, list[Tally]], rates: dict[int, float]) -> list[str]:
    """The table of docs/seer.md."""
    lines = [
        f"| `deals` | counters above `steady` | 95 % interval | against {USUAL} | deals a second |",
        "|---|---|---|---|---|",
    ]
    for budget, gain_of in gains.items():
        pairs = zip(gain_of, gains[USUAL], strict=True)
        mean, low, high = told(ratio(gain_of))
        more, least, most = told(ratio([Tally(a.total - b.total, a.count) for a, b in pairs]))
        against = "" if budget == USUAL else f"{more:+.2f} ({least:+.2f} to {most:+.2f})"
        ends = f"{low:+.2f} to {high:+.2f}"
        lines.append(f"| {budget} | {mean:+.2f} | {ends} | {against} | {rates[budget]:.0f} |")
    return lines


def picture_of(reference: str, gains: dict[int, list[Tally]]) -> Picture:
    """Strength against budget."""
    found = {n: told(ratio(gain_of)) for n, gain_of in gains.items()}
    rows = [
        PlotMark(label=str(n), value=mean, low=low, high=high)
        for n, (mean, low, high) in found.items()
    ]
    return Picture(
        name="seer",
        title=f"seer under {reference}: strength against budget",
        alt=f"What seer wins more than steady a deal, by the deals imagined for a decision: "
        f"{', '.join(f'{m.label}: {m.value:+.2f}' for m in rows)}.",
        kind="intervals",
        rows=tuple(rows),
        value="counters a deal and player, above steady",
        label="deals imagined",
        caption=f"95 % intervals, {len(gains[USUAL])} deals, each played with seer in every seat by turns.",
    )


def main() -> None:
    """Play, and print a table as docs/seer.md has it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reference", nargs="?", default="quanti-1822")
    parser.add_argument("--deals", type=int, default=1200)
    parser.add_argument("--first", type=int, default=1000, help="the number of the first session")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--picture", type=Path)
    wanted = parser.parse_args()
    ready(["seer"])
    ruleset = compile_reference(wanted.reference).ruleset
    numbers = range(wanted.first, wanted.first + wanted.deals)
    gains = {n: gain(ruleset, f"seer:deals={n}", wanted.seed, numbers) for n in BUDGETS}
    rates = {n: speed(ruleset, f"seer:deals={n}", 160) for n in BUDGETS}
    print("\n".join(table_of(gains, rates)))  # noqa: T201
    if wanted.picture:
        wanted.picture.write_text(svg_of(picture_of(wanted.reference, gains)), encoding="utf-8")


if __name__ == "__main__":
    main()
