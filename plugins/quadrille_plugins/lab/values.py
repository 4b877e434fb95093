"""How estimates are written, for people and for JSON."""

from typing import Any

from quadrille_core.report.values import decimal
from quadrille_plugins.lab.intervals import Estimate


def estimate_text(e: Estimate, digits: int = 2, *, sign: bool = False) -> str:
    """``+0.35 ± 0.08``; without an honest interval, the mean and a question mark."""
    return f"{decimal(e.mean, digits, sign=sign)} ± {'?' if e.half is None else decimal(e.half, digits)}"


def percent(e: Estimate) -> str:
    """A share in per cent with the ends of its interval."""
    ends = "?" if e.low is None or e.high is None else f"{100 * e.low:.1f}–{100 * e.high:.1f}"
    return f"{100 * float(e.mean):.1f} % ({ends})"


def estimate_json(e: Estimate) -> dict[str, Any]:
    """An estimate as JSON: the mean to six places, its 95 % interval (null where there is none), the count."""
    return {
        "mean": round(float(e.mean), 6),
        "low": None if e.low is None else round(e.low, 6),
        "high": None if e.high is None else round(e.high, 6),
        "deals": e.count,
        "sessions": e.sessions,
    }
