"""Whether a reading matters, in words: numbers in print, verdicts, and the sentence that answers
first."""

import shlex
from collections.abc import Sequence
from typing import Final

from quadrille_core.profile.records import ReadingDoc
from quadrille_core.ruleset import PointState
from quadrille_plugins.matters.drill_down import DrillDown
from quadrille_plugins.matters.study import (
    DIFFERENT,
    NONE,
    REFUSED,
    SAME,
    Finding,
    Gain,
    Matters,
    Mean,
)
from quadrille_plugins.output.values import identity_text, many, names_beside, with_signs
from quadrille_plugins.output.wrapping import command_lines
from quadrille_plugins.studies.equivalence import LARGER, NEAR, SMALLER, UNDECIDED, in_deals
from quadrille_plugins.studies.family import DEPENDS, longest, whoever
from quadrille_plugins.studies.paired import PICKED_ROLES
from quadrille_plugins.studies.sequences import Bounds
from quadrille_plugins.studies.values import interval_text
from quadrille_plugins.studies.words import events_told, the_column


def share_text(value: float) -> str:
    """A share in per cent, or as one in N when very small."""
    if value <= 0:
        return "0"
    return f"{100 * value:.2f} %" if value >= 0.01 else f"1 in {many(round(1 / value))}"


def bounds_text(bounds: Bounds) -> str:
    """The ends of a share's interval, in one unit: that of the upper end."""
    if bounds.high >= 0.01:
        return f"{100 * bounds.low:.2f} % to {100 * bounds.high:.2f} %"
    return f"{share_text(bounds.low)} to {share_text(bounds.high)}"


def mean_text(mean: Mean, digits: int = 1) -> str:
    """A mean and half its interval, which lies to zero and to the size of interest as the verdict
    says."""
    edges = (0.0, -mean.interest, mean.interest)
    return interval_text(mean.mean, mean.bounds.low, mean.bounds.high, edges=edges, digits=digits)


def effect_verdict(f: Finding, column: str) -> str:
    """The verdict on a total effect by all who were asked, or between how many deals one takes."""
    found = f.answer_on(column)
    if found == NEAR:
        return f"near ± {next(iter(f.by_all(column).values())).interest:g}"
    if found != UNDECIDED:
        return found
    needed = longest([mean.needed for mean in f.undecided(column)])
    return f"undecided, {range_text(needed)}" if needed else found


def range_text(deals: tuple[int, int]) -> str:
    """Between how many deals."""
    return f"{'–'.join(dict.fromkeys(map(many, deals)))} deals"


def rounded(deals: int) -> str:
    """A number of deals to two figures, upwards: what is only about so much."""
    return many(in_deals(deals, 1) or deals)


def name_of(finding: Finding) -> str:
    """The short name of an alternative: its reading, or the other rule set."""
    if finding.point is not None:
        return f"{finding.point}={finding.reading}"
    return identity_text(finding.compiled.identity) if finding.compiled is not None else ""


IN_USE: Final = ("the reading in use", "the alternative")


def sides(m: Matters, finding: Finding) -> tuple[str, str]:
    """What the two rule sets of a finding are called: by reading, or by name where whole rule sets
    are compared."""
    if finding.point is not None or finding.compiled is None:
        return IN_USE
    base, other = names_beside([m.base, finding.compiled])
    return base, other


def verdict_text(
    finding: Finding, drilled: DrillDown | None = None, names: tuple[str, str] = IN_USE
) -> str:
    """The verdict in a sentence; ``names`` as ``sides`` has them."""
    match finding.verdict:
        case "same rules":
            return "same rules: both compile to the same rules, and nothing need be played"
        case "not comparable":
            return f"not comparable: {finding.refusal}"
        case "no difference":
            asked = finding.by_member.values()
            bound = share_text(max(one.share.high if one.share else 1.0 for one in asked))
            by = f" by each of {len(asked)} players" if finding.family else ""
            return (
                f"no difference in {many(min(one.trials for one in asked))} matched starts{by}: "
                f"on average, one diverges with a chance of at most {bound}"
            )
        case _ if not finding.diverged and (other := most_often(finding)) is not None:
            who, most = other
            return (
                f"different: {many(most.diverged)} of {many(most.trials)} matched starts diverge "
                f"played by {who}, and none of {many(finding.trials)} played by "
                f"{next(iter(finding.family))}"
            )
        case _ if not finding.diverged:
            bound = share_text(finding.share.high if finding.share else 1.0)
            none = (
                f"none of {many(finding.trials)} matched starts in random deals diverges, and on "
                f"average one does with a chance of at most {bound}"
            )
            shown = (
                drilled.triggered.shown
                if drilled is not None and drilled.triggered is not None
                else None
            )
            if shown is None:
                return f"different: a deal of a targeted search proves it; {none}"
            events = [with_signs(event) for event in events_told(shown.divergence, shown.records)]
            return (
                f"different: in session {shown.session}, deal {shown.deal}, {events[0]} under "
                f"{names[0]}, {events[1]} under {names[1]}; in cards, payments and pools {none}"
            )
        case _:
            return (
                f"different: {many(finding.diverged)} of {many(finding.trials)} matched "
                "starts diverge"
            )


def answer(m: Matters, f: Finding, drilled: DrillDown | None = None) -> str:
    """The answer in words that may be quoted, with its numbers and their intervals."""
    if f.verdict != DIFFERENT or not f.diverged or f.share is None:
        who = f" {_who(m, f)}" if f.gains and f.family else ""
        return f"{_subject(m, f)}: {verdict_text(f, drilled, sides(m, f))}.{who}"
    changed = _of_deals(f.diverged / f.trials, f.share)
    by = f" played by {next(iter(f.family))}" if f.family else ""
    return f"{_subject(m, f)} changes {changed}{by}{_payments_differ(f)}. {_who(m, f)}".rstrip()


def most_often(f: Finding) -> tuple[str, Finding] | None:
    """The member by whom matched starts diverge most often; None where none does, or there is no
    family."""
    found = max(f.family.items(), key=lambda one: one[1].diverged / one[1].trials, default=None)
    return found if found is not None and found[1].diverged else None


def lowest_and_highest(f: Finding) -> tuple[str, str]:
    """The members of a family by whom matched starts diverge most seldom and most often."""

    def share(who: str) -> float:
        return f.family[who].diverged / f.family[who].trials

    return min(f.family, key=share), max(f.family, key=share)


def _payments_differ(f: Finding) -> str:
    """In what share of deals the payments differ, as the end of a sentence."""
    if f.paid_share is None:
        return ""
    if not f.paid:
        return (
            f"; payments differ in none of those played ({share_text(f.paid_share.high)} at most)"
        )
    if f.paid == f.diverged:
        return "; payments differ in all of these"
    return f"; payments differ in {_of_deals(f.paid / f.trials, f.paid_share)}"


def scope_text(m: Matters) -> str:
    """Under what the answer holds, and how to ask the same under another witness; empty where
    nothing was played."""
    if not any(f.deals for f in m.findings):
        return ""
    identity, names = m.base.identity, list(dict.fromkeys(m.design.bots))
    who = f"bots {', '.join(names)}"
    if m.design.others:
        who = f"{names[0]} and {many(len(m.design.others))} others of a family of players"
    text = f"This holds under the other rules of {identity.reference}, played by {who}."
    points = dict.fromkeys(f.point for f in m.findings if f.point is not None)
    others = [
        w for w in m.base.witnesses if w != identity.witness and reads_otherwise(w, m.base.points)
    ]
    if not points or not others:
        return text + " Under other rules it may differ."
    which = next(iter(points)) if len(points) == 1 else "--all"
    command = f"quadrille matters {shlex.quote(f'{identity.profile}@{others[0]}')} {which}"
    return "\n".join(
        [f"{text} Under another witness's rules it may differ:", *command_lines(command, 2)]
    )


def reads_otherwise(witness: str, states: Sequence[PointState]) -> bool:
    """Whether a witness has another reading than the one in use somewhere: without one its rules
    may be the same."""
    read = ((s.reading, [r for r in s.point.readings if witness in r.witnesses]) for s in states)
    return any(has and used not in has for used, has in read)


def readings_text(state: PointState) -> str:
    """The question of a point, its readings with the witnesses of each, and which is in use."""

    def line(reading: ReadingDoc) -> str:
        mark = "→" if reading.id == state.reading.id else " "
        names = dict.fromkeys(one.witness for one in reading.attested)
        return f"  {mark} {reading.id} ({', '.join(names) or 'no witness'})"

    return "\n".join(
        [f"{state.point.id}: {state.point.question}", *map(line, state.point.readings)]
    )


def overall(m: Matters) -> str:
    """The answer on every point: how many alternatives change deals, and which does most often."""
    by = {v: [f for f in m.findings if f.verdict == v] for v in (DIFFERENT, NONE, SAME, REFUSED)}
    said = [
        f"{many(len(by[v]))} {words}"
        for v, words in (
            (DIFFERENT, "change the play or the payments"),
            (NONE, "changed no deal that was played"),
            (SAME, "give the same rules"),
            (REFUSED, "do not go with the other readings"),
        )
        if by[v]
    ]
    points = len({f.point for f in m.findings})
    counted = (
        f"Of {many(len(m.findings))} alternative readings of {many(points)} disputed points "
        f"{', '.join(said)}."
    )
    often = [f for f in by[DIFFERENT] if f.diverged and f.share is not None]
    most = max(often, key=lambda f: f.diverged / f.trials, default=None)
    if most is None or most.share is None:
        return counted
    share = _of_deals(most.diverged / most.trials, most.share)
    share += f" played by {next(iter(most.family))}" if most.family else ""
    share += _payments_differ(most)
    return f"{counted} The most frequent is {name_of(most)}: it changes {share}."


def _of_deals(mean: float, bounds: Bounds) -> str:
    """A share of deals with its interval in the same unit: per cent, or one in N."""
    if mean >= 0.001 or not mean:
        digits = 1 if mean >= 0.1 else 2
        low, high = (f"{100 * end:.{digits}f}" for end in (bounds.low, bounds.high))
        return f"{100 * mean:.{digits}f} % of deals ({low}–{high} %)"
    low, high = (
        f"1 in {many(round(1 / end))}" if end else "0" for end in (bounds.low, bounds.high)
    )
    return f"1 in {many(round(1 / mean))} deals ({low} to {high})"


def _subject(m: Matters, f: Finding) -> str:
    if f.point is None:
        base, other = sides(m, f)
        return f"Playing by {other} instead of {base}"
    point = next(s.point for s in m.base.points if s.point.id == f.point)
    used = next(s.reading.id for s in m.base.points if s.point.id == f.point)
    names = {r.id: r.title or r.id.replace("_", " ") for r in point.readings}
    alternative = names.get(f.reading or "", f.reading)
    return f"Whether {f.point} is read as “{alternative}” (alternative) or “{names[used]}” (in use)"


_SAID: Final = {
    LARGER: "Counters gained by it in a session of {} deals, more or less",
    DEPENDS: "Who plays makes a difference",
    SMALLER: "In a session of {} deals less than is of interest",
    UNDECIDED: "Not decided after these deals",
}
"""How the effects with a verdict are introduced."""


def _who(m: Matters, f: Finding) -> str:
    """Who gains: the effect on each role, and on the seats that have a verdict or are played for,
    by the verdict on it."""
    d, players = m.design, len(m.design.bots)
    by_answer: dict[str, list[str]] = {said: [] for said in _SAID}
    for gain in f.gains:
        column, seat = gain.column, gain.column.startswith("seat ")
        if column not in PICKED_ROLES and not seat:
            continue
        found = f.answer_on(column)
        if seat and not d.seats and found != LARGER:
            continue
        found = UNDECIDED if found == NEAR else found
        if found in by_answer:
            by_answer[found].append(_effect(f, gain, found, players))
    text = " ".join(
        f"{_SAID[said].format(d.session_deals)}: {', '.join(effects)}."
        for said, effects in by_answer.items()
        if effects
    )
    asked = f" That holds {whoever(len(f.family))}." if f.family and by_answer[LARGER] else ""
    return text + asked


def _effect(f: Finding, gain: Gain, answer: str, players: int) -> str:
    """A column with its effect, or with the range of it by all of a family."""
    name = the_column(gain.column, players)
    if answer == DEPENDS:
        return f"for {name} it {f.verdicts[gain.column].depends()}"
    lies = " to ".join(dict.fromkeys(f.verdicts[gain.column].ends_told)) if f.family else ""
    effect = f"{name} {lies or mean_text(gain.total)}"
    needed = longest([mean.needed for mean in f.undecided(gain.column)])
    if answer != UNDECIDED or needed is None:
        return effect
    return f"{effect} ({range_text(needed)} in 90 of 100 such cases)"
