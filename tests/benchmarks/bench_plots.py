"""Cost against work, as pictures: one SVG for each, the same points always giving the same file."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from bench_report import BenchCost

COLOURS = ("#1b6ca8", "#c8553d", "#4a7c3a", "#7a5195", "#8a8a8a")
MARKS = ("o", "s", "^", "D", "v")
LABELS = {
    "deals": ("deals compared, two rule sets", "seconds of processor", "log"),
    "cards": ("cards a hand", "milliseconds a position", "linear"),
    "rule-sets": ("rule sets compared", "microseconds a deal", "linear"),
}
UNITS = {"deals": 1.0, "cards": 1e3, "rule-sets": 1e6}


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw(costs: Sequence[BenchCost], folder: Path) -> list[str]:
    """Write a picture for each kind of work; returns their names."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update(
        {"svg.hashsalt": "quadrille", "svg.fonttype": "none", "font.family": "sans-serif"}
    )
    from matplotlib import pyplot as plt

    names = list(dict.fromkeys(c.picture for c in costs))
    for name in names:
        across, up, scale = LABELS[name]
        figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
        of_this = [c for c in costs if c.picture == name]
        for i, line in enumerate(dict.fromkeys(c.line for c in of_this)):
            points = sorted((c.work, c.seconds * UNITS[name]) for c in of_this if c.line == line)
            axes.plot(
                *zip(*points, strict=True),
                marker=MARKS[i],
                color=COLOURS[i],
                label=line,
                markersize=5,
            )
        axes.set_xscale(scale)
        if name == "rule-sets":
            axes.set_ylim(bottom=0)
        else:
            axes.set_yscale("log")
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
        figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)
    return names
