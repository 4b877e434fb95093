"""How estimates are written, for people and for JSON."""

from collections.abc import Sequence
from fractions import Fraction

from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.values import Json, filled_text, identity_text, plainly
from quadrille_plugins.studies.intervals import Estimate


def estimate_text(e: Estimate, *, sign: bool = False) -> str:
    """``+0.35 ± 0.08``; without an honest interval, the mean and a question mark."""
    half = "?" if e.half is None else decimal(e.half, 2)
    return f"{decimal(e.mean, 2, sign=sign)} ± {half}"


def percent(e: Estimate) -> str:
    """A share in per cent with the ends of its interval."""
    ends = "?" if e.low is None or e.high is None else f"{100 * e.low:.1f}–{100 * e.high:.1f}"
    return f"{100 * float(e.mean):.1f} % ({ends})"


def share_text(e: Estimate) -> str:
    """The same with as many digits as a small share takes, and of one that may be negative."""
    if e.low is None or e.high is None:
        return f"{decimal(100 * e.mean, 1)} % (?)"
    digits = 1 if max(abs(e.low), abs(e.high)) >= _SMALL else 3
    low, high = decimal(100 * e.low, digits), decimal(100 * e.high, digits)
    return f"{decimal(100 * e.mean, digits)} % ({low} to {high})"


def estimate_json(e: Estimate) -> Json:
    """An estimate as JSON: the mean to six places, its 95 % interval (null without one), the
    count."""
    return {
        "mean": round(float(e.mean), 6),
        **plainly(e, "low", "high"),
        "deals": e.count,
        "sessions": e.sessions,
    }


def range_json(ends: tuple[int, int] | None) -> dict[str, int] | None:
    """Between how many, as JSON."""
    return None if ends is None else {"low": ends[0], "high": ends[1]}


def decimal(value: Fraction | float, digits: int = 2, *, sign: bool = False) -> str:
    """A statistic rounded for print."""
    text = f"{abs(float(value)):.{digits}f}"
    if float(value) < 0 and float(text) != 0:
        return "−" + text
    return ("+" if sign and float(text) != 0 else "") + text


def interval_text(
    mean: Fraction | float,
    low: float,
    high: float,
    *,
    edges: Sequence[float] = (0.0,),
    digits: int = 1,
) -> str:
    """``+3.5 ± 1.2`` where that says the same as the ends, else ``+3.5 (+2.0 to +5.9)``.

    It does not where one half of the interval is more than a tenth wider than the other.  What is
    printed lies on the same side of every one of the ``edges`` as the interval itself: there are as
    many more digits as that takes.
    """
    middle = float(mean)
    half = max(middle - low, high - middle)
    even = abs((high - middle) - (middle - low)) <= _EVEN * half
    ways = [(True, d) for d in range(digits, digits + _MORE_DIGITS)] if even else []
    ways += [(False, d) for d in range(digits, digits + _MORE_DIGITS)]
    sides = _sides(low, high, edges)
    for by_half, d in ways:
        m, h = round(middle, d), round(half, d)
        ends = (round(m - h, d), round(m + h, d)) if by_half else (round(low, d), round(high, d))
        if _sides(*ends, edges) == sides and (ends[0] < ends[1]) == (low < high):
            break
    else:
        by_half, d = False, digits
    text = decimal(mean, d, sign=True)
    if by_half:
        return f"{text} ± {decimal(half, d)}"
    return f"{text} ({decimal(low, d, sign=True)} to {decimal(high, d, sign=True)})"


_EVEN, _MORE_DIGITS, _SMALL = 0.1, 4, 0.005


def _sides(low: float, high: float, edges: Sequence[float]) -> list[tuple[bool, bool]]:
    """On which side of each edge the whole interval lies, if on one."""
    return [(low > edge, high < edge) for edge in edges]


def ruleset_text(compiled: Compiled, mark: str = "") -> str:
    """The heading of a rule set: its name and title, and below them how much of its witness is
    filled."""
    head = f"{mark}{identity_text(compiled.identity)}  {compiled.heading}"
    return head + filled_text(compiled, " " * len(mark))
