"""How sessions differ, beside the mean: a column's distribution as text, tables and marks."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from quadrille_core.frozen import frozen
from quadrille_plugins.shell.blocks import Block, Table
from quadrille_plugins.shell.values import Json
from quadrille_plugins.studies.distribution import (
    FARTHEST,
    FIGURES,
    QUARTILES,
    Distribution,
    Figure,
)
from quadrille_plugins.studies.picture import Picture, PlotMark, drawn
from quadrille_plugins.studies.values import decimal, interval_text
from quadrille_plugins.studies.words import column_name, the_column


@frozen
class OverSessions:
    """One column as one player finds it: the mean difference of a session with the ends of its
    interval, in counters, and the distribution."""

    who: str
    mean: Fraction
    low: float | None
    high: float | None
    sessions: Distribution

    @property
    def differs(self) -> bool:
        """Whether mean and median, as they were found, lie on two sides of zero."""
        median = self.sessions["median"].value if self.sessions else None
        return median is not None and self.mean * Fraction(median) < 0

    @property
    def signs_shown(self) -> int:
        """Of how many of the two the interval lies on one side of zero."""
        mean = Figure(float(self.mean), self.low, self.high)
        return abs(mean.sign) + abs(self.sessions["median"].sign)


Asked = Mapping[str, Sequence[OverSessions]]
"""By column, what each player who was asked finds; the usual one first."""


def signs_text(asked: Asked, players: int) -> str:
    """Where mean and median differ in sign, both, and how many sessions gain; empty where they do
    not.

    Of several players it is told by the first by whom both signs are shown, and by how many they
    are; by the usual one where one of the two is.
    """
    told = []
    for column, found in asked.items():
        shown = [one for one in found if one.differs and one.signs_shown == 2]
        one = (shown or found)[0]
        if not one.differs or not one.signs_shown:
            continue
        gain = f"{_share_text(one.sessions['gain'])} of sessions gain"
        by = f" (by {one.who}; so by {len(shown)} of {len(found)} players)"
        told.append(
            f"For {the_column(column, players)} mean and median differ in sign"
            f"{'' if shown else ', which is not shown'}: {_mean_text(one)} counters a session on "
            f"average, {_interval(one.sessions['median'])} in the median session, and {gain}"
            f"{by * (len(found) > 1)}."
        )
    return " ".join(told)


def _mean_text(one: OverSessions) -> str:
    return _interval(Figure(float(one.mean), one.low, one.high))


def _interval(one: Figure) -> str:
    if one.value is None:
        return f"beyond ± {FARTHEST}"
    if one.low is None or one.high is None:
        return f"{decimal(one.value, 1, sign=True)} ± ?"
    return interval_text(one.value, one.low, one.high)


def _share_text(one: Figure) -> str:
    if one.value is None or one.low is None or one.high is None:
        return "?"
    return f"{100 * one.value:.1f} % ({100 * one.low:.1f}–{100 * one.high:.1f})"


def distribution_tables(asked: Asked, players: int, length: int, names: str) -> list[Block]:
    """The quartiles, and the shares of sessions that gain, are even and lose, as the first player
    finds them."""
    first = {c: found[0] for c, found in asked.items() if found and found[0].sessions}
    if not first:
        return []
    who = next(iter(first.values())).who
    by = f", by {who}" if who else ""
    quartiles = tuple(name.replace("_", " ") for name in QUARTILES)
    rows = tuple(
        (
            column_name(c, players),
            _mean_text(one),
            *(_interval(one.sessions[name]) for name in QUARTILES),
        )
        for c, one in first.items()
    )
    shares = tuple(
        (column_name(c, players), *(_share_text(one.sessions[n]) for n in FIGURES[3:]))
        for c, one in first.items()
    )
    title = f"{names}: the distribution over sessions of {length} deals, in counters{by}"
    heads = ("mean", *quartiles)
    return [
        Table(title, ("", *heads), rows, frozenset(heads)),
        Table("sessions that", ("", *FIGURES[3:]), shares, frozenset(FIGURES[3:])),
    ]


def distribution_json(found: Distribution) -> Json:
    """The figures as JSON, floats to six places."""
    return {
        name: {
            key: None if end is None else round(end, 6)
            for key, end in zip(
                ("value", "low", "high"), (one.value, one.low, one.high), strict=True
            )
        }
        for name, one in found.items()
    }


def distribution_pictures(
    means: Mapping[str, Json], found: Mapping[str, Json], players: int, **words: Any
) -> tuple[Picture, ...]:
    """Of each column, from JSON, mean and quartiles, and what sessions gain; ``words`` are of the
    picture."""

    def row(column: str, series: str, ends: Json, times: float = 1) -> PlotMark:
        scaled: Json = {
            k: None if end is None else round(times * end, 6) for k, end in ends.items()
        }
        label = column_name(column, players).removeprefix("the ")
        return PlotMark(label=label, series=series, **scaled)

    marks = [
        row(column, series, ends)
        for column, told in found.items()
        for series, ends in [
            ("mean", _ends(means[column], "mean")),
            *((name.replace("_", " "), _ends(told[name], "value")) for name in QUARTILES),
        ]
        if ends["value"] is not None
    ]
    shares = [row(c, name, told[name], 100) for c, told in found.items() for name in FIGURES[3:]]
    return (
        *drawn(
            marks,
            **words,
            series="of sessions",
            caption="Points are the mean and the quartiles of what sessions differ by, lines 95 % "
            "intervals.",
        ),
        *drawn(
            shares,
            **{**words, "name": f"{words['name']}-that-gain", "value": "per cent of sessions"},
            kind="bars",
            series="sessions that",
            caption="Bars are shares, thin lines 95 % intervals.",
        ),
    )


def _ends(one: Json, value: str) -> Json:
    return {"value": one[value], "low": one["low"], "high": one["high"]}
