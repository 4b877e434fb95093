"""What was measured, as a table of ratios in Markdown and as JSON, and the costs as CSV."""

import csv
import io
import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PACKAGES = ("quadrille-core", "numba", "llvmlite", "numpy", "open-spiel", "endplay")


@dataclass(frozen=True)
class Need:
    """What a ratio must be: at least or at most so much."""

    least: float | None = None
    most: float | None = None

    def __str__(self) -> str:
        return f"≥ {self.least:g}" if self.least is not None else f"≤ {self.most:g}"

    def met(self, value: float) -> bool:
        """Whether a value is as it must be."""
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )


@dataclass(frozen=True)
class Row:
    """One ratio: its rounds, or why it was not measured."""

    what: str
    against: str
    figures: str = ""
    ratios: tuple[float, ...] = ()
    need: Need | None = None
    skipped: str = ""

    @property
    def median(self) -> float:
        """The ratio that is told."""
        return statistics.median(self.ratios)

    @property
    def verdict(self) -> str:
        """Whether the requirement is met, where there is one."""
        if self.skipped:
            return "not measured"
        return "" if self.need is None else "yes" if self.need.met(self.median) else "**no**"


@dataclass(frozen=True)
class BenchCost:
    """One point of a curve: which picture, which line, how much work, what it cost."""

    picture: str
    line: str
    work: float
    seconds: float


def machine() -> dict[str, Any]:
    """What the figures were made on."""
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip()
            for line in info.read_text().splitlines()
            if "model name" in line
        ]
        processor = names[0] if names else processor
    if find_spec("llvmlite"):
        from llvmlite import binding

        # what a model's name leaves open: how wide the vectors are that the compiler may use
        wide = binding.get_host_cpu_features().get("avx512f", False)
        processor += f" ({binding.get_host_cpu_name()}, {'with' if wide else 'without'} AVX-512)"
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "packages": found,
        "load_before": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def number(value: float) -> str:
    """Three digits that count."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def rows_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The table as data."""
    return [
        {
            "what": r.what,
            "against": r.against,
            "figures": r.figures,
            "ratio": r.median if r.ratios else None,
            "rounds": list(r.ratios),
            "required": str(r.need) if r.need else None,
            "met": r.need.met(r.median) if r.need and r.ratios else None,
            "skipped": r.skipped or None,
        }
        for r in rows
    ]


def table(rows: Sequence[Row]) -> str:
    """The table in Markdown."""
    out = [
        "| what | against | ratio (least–greatest) | required | met | figures |",
        "|---|---|---|---|---|---|",
    ]
    for r in rows:
        ratio = (
            f"{number(r.median)} ({number(min(r.ratios))}–{number(max(r.ratios))})"
            if r.ratios
            else r.skipped
        )
        cells = (r.what, r.against, ratio, str(r.need) if r.need else "", r.verdict, r.figures)
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out) + "\n"


def costs_csv(costs: Sequence[BenchCost]) -> str:
    """Every point of every picture."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("picture", "line", "work", "seconds"))
    writer.writerows((c.picture, c.line, f"{c.work:g}", f"{c.seconds:.6g}") for c in costs)
    return out.getvalue()


def page(
    about: dict[str, Any], sections: dict[str, Sequence[Row]], pictures: dict[str, str]
) -> str:
    """The document."""
    packages = ", ".join(f"{name} {v}" for name, v in about["packages"].items())
    out = [
        "# Benchmarks",
        "",
        f"Written by `{about['command']}` on {about['date']}; do not edit.",
        "",
        (
            f"{about['processor']}, {about['cores']} cores, {about['system']}; Python "
            f"{about['python']}; {packages}."
        ),
        (
            f"Load when it began: {about['load_before']}; a row in which two cores take part needs "
            "both free."
        ),
        "",
        (
            f"{about['rounds']} rounds; in each every side took its turn, in one process kept to "
            "one core."
        ),
        (
            "Seconds are the processor's, if nothing else is said. A ratio is that of two sides in "
            "one round:"
        ),
        (
            "the median of the rounds, and the least and the greatest of them. Absolute figures "
            "are of this"
        ),
        "machine and hour; compare ratios.",
        "",
        *(["**Little work was done: these figures mean nothing.**", ""] if about["quick"] else []),
    ]
    for title, rows in sections.items():
        out += [f"## {title}", "", table(rows)]
    if pictures:
        out += ["## Cost against work", ""]
        for name, text in pictures.items():
            out += [f"![{text}](benchmarks/{name}.svg)", "", text, ""]
        out += ["The points of all pictures are in [benchmarks/costs.csv](benchmarks/costs.csv),"]
        out += [
            "the table with every round in [benchmarks/ratios.json](benchmarks/ratios.json).",
            "",
        ]
    return "\n".join(out)
