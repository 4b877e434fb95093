"""Whether a reading matters, in words: numbers in print, verdicts, and the sentence that answers first."""

from dataclasses import replace

from quadrille_core.report.values import identity_text, many
from quadrille_plugins.lab.equivalence import LARGER, SMALLER, UNDECIDED, in_deals
from quadrille_plugins.lab.sequences import Bounds
from quadrille_plugins.lab.values import interval_text
from quadrille_plugins.lab.words import column_name
from quadrille_plugins.matters.drill_down import DrillDown
from quadrille_plugins.matters.study import DIFFERENT, Finding, Matters, Mean


def share_text(value: float) -> str:
    """A share in per cent, or as one in N when very small."""
    if value <= 0:
        return "0"
    return f"{100 * value:.2f} %" if value >= 0.01 else f"1 in {many(round(1 / value))}"


def bounds_text(bounds: Bounds) -> str:
    """The ends of a share's interval."""
    return f"{share_text(bounds.low)} to {share_text(bounds.high)}"


def mean_text(mean: Mean, digits: int = 1) -> str:
    """A mean and half its interval, which lies to zero and to the size of interest as the verdict says."""
    edges = (0.0, -mean.interest, mean.interest)
    return interval_text(mean.mean, mean.bounds.low, mean.bounds.high, edges=edges, digits=digits)


def effect_verdict(mean: Mean) -> str:
    """The verdict on an effect, or about how many deals a verdict takes."""
    if mean.verdict != UNDECIDED or mean.deals is None:
        return mean.verdict
    return f"undecided, {rounded(mean.deals)} deals"


def rounded(deals: int) -> str:
    """A number of deals to two figures, upwards: what is only about so much."""
    return many(in_deals(deals, 1) or deals)


def name_of(finding: Finding) -> str:
    """The short name of an alternative: its reading, or the other rule set."""
    if finding.point is not None:
        return f"{finding.point}={finding.reading}"
    return identity_text(finding.compiled.identity) if finding.compiled is not None else ""


def verdict_text(finding: Finding, told: DrillDown | None = None) -> str:
    """The verdict in a sentence."""
    match finding.verdict:
        case "same rules":
            return "same rules: both compile to the same rules, and nothing need be played"
        case "not comparable":
            return f"not comparable: {finding.refusal}"
        case "no difference":
            bound = share_text(finding.share.high if finding.share else 1.0)
            return (
                f"no difference in {many(finding.trials)} matched starts: on average, one diverges with a chance of "
                f"at most {bound}"
            )
        case _ if not finding.diverged:
            bound = share_text(finding.share.high if finding.share else 1.0)
            none = (
                f"none of {many(finding.trials)} matched starts in random deals diverges, and on average one does with "
                f"a chance of at most {bound}"
            )
            shown = told.triggered.shown if told is not None and told.triggered is not None else None
            if shown is None:
                return f"different: a deal of a targeted search proves it; {none}"
            return (
                f"different: in session {shown.session}, deal {shown.deal}, {shown.divergence.first} under A, "
                f"{shown.divergence.second} under B; in cards, payments and pools {none}"
            )
        case _:
            return f"different: {many(finding.diverged)} of {many(finding.trials)} matched starts diverge"


def answer(m: Matters, f: Finding, told: DrillDown | None = None) -> str:
    """The answer in words that may be quoted, with its numbers and their intervals."""
    if f.verdict != DIFFERENT or not f.diverged or f.share is None:
        return f"{_subject(m, f)}: {verdict_text(f, told)}."
    return f"{_subject(m, f)} changes {_of_deals(f.diverged / f.trials, f.share)}. {_who(m, f)}"


def _of_deals(mean: float, bounds: Bounds) -> str:
    """A share of deals with its interval in the same unit: per cent, or one in N."""
    if mean >= 0.001:
        digits = 1 if mean >= 0.1 else 2
        low, high = (f"{100 * end:.{digits}f}" for end in (bounds.low, bounds.high))
        return f"{100 * mean:.{digits}f} % of deals ({low}–{high} %)"
    low, high = (f"1 in {many(round(1 / end))}" if end else "0" for end in (bounds.low, bounds.high))
    return f"1 in {many(round(1 / mean))} deals ({low} to {high})"


def _subject(m: Matters, f: Finding) -> str:
    if f.point is None:
        return "Playing by the second rule set"
    point = next(s.point for s in m.base.points if s.point.id == f.point)
    used = next(s.reading.id for s in m.base.points if s.point.id == f.point)
    names = {r.id: r.title or r.id.replace("_", " ") for r in point.readings}
    other = names.get(f.reading or "", f.reading)
    return f"Whether {f.point} is read as “{other}” (alternative) or “{names[used]}” (in use)"


def _is_not_zero(bounds: Bounds) -> bool:
    return bounds.low > 0 or bounds.high < 0


def _turned(mean: Mean) -> Mean:
    """The same as a loss."""
    return replace(mean, mean=-mean.mean, bounds=Bounds(-mean.bounds.high, -mean.bounds.low))


def _who(m: Matters, f: Finding) -> str:
    """Who gains, in one sentence: the largest effect on players that is shown, or that none is."""
    d, players = m.design, len(m.design.bots)
    gains = [g for g in f.gains if g.column in ("hombre", "ally", "adversaries") or g.column.startswith("seat ")]
    session = f"a session of {d.session_deals} deals"
    size = f"{d.interest_in('seat 0'):g}"
    sums = f"{d.interest_in('hombre'):g} over its players"

    for worth in (LARGER, UNDECIDED):
        shown = [g for g in gains if g.total.verdict == worth and _is_not_zero(g.total.bounds)]
        if shown:
            most = next((g for g in shown if g.column == "hombre"), max(shown, key=lambda g: abs(g.total.mean)))
            name, mean = column_name(most.column, players), most.total.mean
            gain, ending = "gain" if mean > 0 else "lose", "" if most.column == "adversaries" else "s"
            the = name[0].upper() + name[1:] if name.startswith(("the ", "seat ")) else f"The {name}"
            amount = mean_text(_turned(most.total) if mean < 0 else most.total).removeprefix("+")
            return f"{the} {gain}{ending} {amount} counters {session} by it."
    if all(g.total.verdict == SMALLER for g in gains):
        return f"No seat gains or loses as much as {size} counters {session} by it, and no role {sums}."
    open_ones = [g for g in gains if g.total.verdict == UNDECIDED]
    if not m.design.seats and all(g.column.startswith("seat ") for g in open_ones):
        return (
            f"No role gains or loses as much as {sums} counters {session} by it, and no seat is shown to gain or lose; "
            f"whether one does by {size} is undecided after {many(f.deals)} deals."
        )
    deals = max(g.total.deals or 0 for g in gains)
    takes = f"; it takes about {rounded(deals)}" if deals else ""
    return (
        f"Whether any seat gains or loses {size} counters {session} by it is undecided after {many(f.deals)} "
        f"deals{takes}."
    )
