"""Whether a reading matters, in words: numbers in print, verdicts, and the sentence that answers
first."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from math import floor
from typing import Final

from quadrille_core.profile.records import ReadingDoc
from quadrille_core.ruleset import PointState
from quadrille_plugins.matters.alternatives import Alternative
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
from quadrille_plugins.shell.values import (
    capital,
    identity_text,
    many,
    names_beside,
    refusal_text,
    with_signs,
)
from quadrille_plugins.shell.wrapping import command_lines
from quadrille_plugins.studies.equivalence import LARGER, NEAR, UNDECIDED, in_deals
from quadrille_plugins.studies.family import DEPENDS, longest, whoever
from quadrille_plugins.studies.over_sessions import signs_text
from quadrille_plugins.studies.paired import PICKED_ROLES
from quadrille_plugins.studies.sequences import Bounds
from quadrille_plugins.studies.values import interval_text
from quadrille_plugins.studies.words import column_name, events_told, the_column


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


def mean_text(mean: Mean) -> str:
    """A mean and half its interval, which lies to zero and to the size of interest as the verdict
    says."""
    edges = (0.0, -mean.interest, mean.interest)
    return interval_text(mean.mean, mean.bounds.low, mean.bounds.high, edges=edges, digits=1)


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


def name_of(finding: Finding | Alternative) -> str:
    """The short name of an alternative: its reading, or the other rule set."""
    if finding.point:
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
            return f"not comparable: {refusal_text(finding.refusal)}"
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
            shown = drilled.triggered.shown if drilled and drilled.triggered else None
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
        who = f" {_who_by_all(m, f)}" if f.gains and f.family else ""
        return f"{_subject(m, f)}: {verdict_text(f, drilled, sides(m, f))}.{who}"
    changed = _of_deals(f.diverged / f.trials, f.share)
    if not f.family:
        told_of = f"{_subject(m, f)} changes {changed}{_payments_differ(f)}."
        return " ".join(filter(None, [told_of, _who(m, f), _signs(m, f)]))
    told_of = (
        f"{_subject(m, f)} changes {changed} played by {next(iter(f.family))}{_payments_differ(f)}."
    )
    return " ".join(filter(None, [told_of, _by_others(f), _who_by_all(m, f), _signs(m, f)]))


def _signs(m: Matters, f: Finding) -> str:
    roles = {column: found for column, found in f.distributions.items() if column in PICKED_ROLES}
    return signs_text(roles, m.design.players)


def most_often(f: Finding) -> tuple[str, Finding] | None:
    """The member by whom matched starts diverge most often; None where none does, or there is no
    family."""
    found = max(f.family.items(), key=lambda one: one[1].diverged / one[1].trials, default=None)
    return found if found is not None and found[1].diverged else None


NOTABLY: Final = 1.5
"""How many times as often deals must diverge by one player as by another, past all doubt, before a
sentence says so."""


def lowest_and_highest(f: Finding) -> tuple[str, str]:
    """The members of a family by whom matched starts diverge most seldom and most often."""

    def share(who: str) -> float:
        return f.family[who].diverged / f.family[who].trials

    return min(f.family, key=share), max(f.family, key=share)


def _by_others(f: Finding) -> str:
    """How often deals diverge by the players who differ most in it, where that is notable; else
    empty."""
    ends = lowest_and_highest(f)
    low, high = (f.family[who] for who in ends)
    if low.share is None or high.share is None or low.share.high * NOTABLY > high.share.low:
        return ""
    told = (
        f"{share_text(one.diverged / one.trials)} ({who})"
        for who, one in zip(ends, (low, high), strict=True)
    )
    return f"By all players it is {' to '.join(told)}."


def _payments_differ(f: Finding) -> str:
    """In what share of deals the payments differ, as the end of a sentence."""
    if f.paid_share is None:
        return ""
    if not f.paid:
        return (
            f"; payments differ in none of those played, so in "
            f"{share_text(f.paid_share.high)} at most"
        )
    if f.paid == f.diverged:
        return "; payments differ in all of these"
    share = _of_deals(f.paid / f.trials, f.paid_share, like=f.diverged / f.trials)
    return f"; payments differ in {share}"


def scope_text(m: Matters) -> str:
    """Under what the answer holds, and how to ask the same under another witness, in a line of its
    own.

    Empty where nothing was played.
    """
    if not any(f.deals for f in m.findings):
        return ""
    identity = m.base.identity
    names = list(dict.fromkeys(m.design.bots))
    who = f"the bot{'s' if len(names) > 1 else ''} {', '.join(names)}"
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
    command += " --seats" if m.design.seats else ""
    readings = (
        next(s.point.readings for s in m.base.points if s.point.id == which)
        if len(points) == 1
        else ()
    )
    there = [r.id for r in readings if others[0] in r.witnesses]
    used = f", where {there[0]} is in use," if len(there) == 1 else ""
    return "\n".join(
        [f"{text} Under another witness's rules{used} it may differ:", *command_lines(command, 2)]
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
    told = (
        f"Of {many(len(m.findings))} alternative readings of {many(points)} disputed points "
        f"{', '.join(said)}."
    )
    often = [f for f in by[DIFFERENT] if f.diverged and f.share is not None]
    most = max(often, key=lambda f: f.diverged / f.trials, default=None)
    if most is None or most.share is None:
        return told
    share = _of_deals(most.diverged / most.trials, most.share)
    share += f" played by {next(iter(most.family))}" if most.family else ""
    return (
        f"{told} The most frequent is {name_of(most)}: it changes {share}{_payments_differ(most)}."
    )


def _of_deals(mean: float, bounds: Bounds, *, like: float = 0.0) -> str:
    """A share of deals with its interval in the same unit, that of a share ``like`` it: per cent,
    or one in N."""
    if max(mean, like) >= 0.001:
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
    state = next(s for s in m.base.points if s.point.id == f.point)
    names = {r.id: r.title or r.id.replace("_", " ") for r in state.point.readings}
    alternative, used = names.get(f.reading or "", f.reading), names[state.reading.id]
    return f"Whether {f.point} is read as “{alternative}” (alternative) or “{used}” (in use)"


def _sizes(m: Matters) -> tuple[str, str]:
    """What an effect on a seat, and one on a role, is held against."""
    seat, role = (m.design.interest_in(column) for column in ("seat 0", "hombre"))
    return f"{seat:g}", f"{role:g} counters over its players"


def _is_not_zero(bounds: Bounds) -> bool:
    return bounds.low > 0 or bounds.high < 0


def _who(m: Matters, f: Finding) -> str:
    """Who gains, in one sentence: the largest effect on players that is shown, or that none is."""
    d, players = m.design, m.design.players
    gains = [
        g
        for g in f.gains
        if g.column in ("hombre", "ally", "adversaries") or g.column.startswith("seat ")
    ]
    session = f"a session of {d.session_deals} deals"
    size, sums = _sizes(m)
    for worth in ((LARGER,), (UNDECIDED, NEAR)):
        shown = [g for g in gains if g.total.answer in worth and _is_not_zero(g.total.bounds)]
        if shown:
            most = next(
                (g for g in shown if g.column == "hombre"),
                max(shown, key=lambda g: abs(g.total.mean)),
            )
            who = capital(the_column(most.column, players))
            return f"{who} {_gains(most)} counters {session} by it."
    open_ones = [g for g in gains if g.total.answer in (UNDECIDED, NEAR)]
    if not open_ones:
        return (
            f"No seat gains or loses as much as {size} counters {session} by it, and no role "
            f"{sums}; the largest effect: {_moved(_largest(gains), players)}."
        )
    roles = [g for g in open_ones if not g.column.startswith("seat ")]
    more = for_more(m, f)
    if not m.design.seats and not roles:
        largest = _largest([g for g in gains if not g.column.startswith("seat ")])
        return (
            f"No role gains or loses as much as {sums} in {session} by it (the largest effect: "
            f"{_moved(largest, players)}), and no seat as much as {_less_than(open_ones)}; "
            f"whether a seat does by {size} is not shown{more}."
        )
    most = _largest(roles or open_ones)
    return (
        f"Who gains by it is not shown: {_estimate(most, players)} counters {session}, undecided "
        f"whether as much as {most.total.interest:g}{more}."
    )


def _who_by_all(m: Matters, f: Finding) -> str:
    """Who gains by all members of a family: what is shown by all, what depends on who plays, and
    what is open."""
    d, found = m.design, f.verdicts
    players, session = d.players, f"a session of {d.session_deals} deals"
    size, sums = _sizes(m)
    roles = [c for c in PICKED_ROLES if c in found]
    seats = [c for c in found if c.startswith("seat ")]
    asked = whoever(len(f.family))
    told, named = [], ""
    open_ones = [c for c in (*roles, *seats) if found[c].answer in (UNDECIDED, NEAR)]
    for some in ([c for c in (*roles, *seats) if found[c].answer == LARGER], open_ones):
        shown = [c for c in some if _is_not_zero(Bounds(*found[c].ends))]
        if shown and not named:
            named = (
                "hombre"
                if "hombre" in shown
                else max(shown, key=lambda c: abs(sum(found[c].means)))
            )
            low, high = sorted(abs(end) for end in found[named].ends)
            verb = _verb(named, "gain" if sum(found[named].means) > 0 else "lose")
            much = f"{low:.1f} to {high:.1f} counters {session} by it, {asked}"
            told.append(f"{capital(the_column(named, players))} {verb} {much}.")
    depends = [c for c in (*roles, *seats) if found[c].answer == DEPENDS]
    shown_of = [c for c in depends if c in roles] or depends
    for c in shown_of:
        verbs = f"{_verb(c, 'gain')} or {_verb(c, 'lose')}"
        told.append(
            f"Whether {the_column(c, players)} {verbs} {d.interest_in(c):g} by it "
            f"{found[c].depends()}."
        )
    waited = [c for c in open_ones if c in roles or (d.seats and told)]
    more = for_more(m, f)
    if waited:
        each = (
            _open(f, c, "" if c == named else f" ({found[c].between})", players) for c in waited
        )
        told.append(f"Not decided: {'; '.join(each)}{more}.")
    if told:
        return " ".join(told)
    among = roles if open_ones else (*roles, *seats)
    largest = max(among or seats, key=lambda c: (abs(sum(found[c].means)), c == "hombre"))
    most_of = f"the largest effect: {the_column(largest, players)} {found[largest].between}"
    if not open_ones:
        none = f"No seat gains or loses as much as {size} counters {session} by it"
        return f"{none}, and no role {sums}, {asked}; {most_of}."
    below = floor(max(abs(end) for c in open_ones for end in found[c].ends)) + 1
    return (
        f"No role gains or loses as much as {sums} in {session} by it, {asked} ({most_of}), and "
        f"no seat as much as {below}; whether a seat does by {size} is not shown{more}."
    )


def _open(f: Finding, column: str, lies: str, players: int) -> str:
    """That an effect, which ``lies`` so, is not decided, and between how many deals it will be."""
    size = f"{next(iter(f.by_all(column).values())).interest:g}"
    needed = longest([mean.needed for mean in f.undecided(column)])
    when = (
        f"{range_text(needed)} in 90 of 100 such cases"
        if needed
        else "by some player so near it that it may stay undecided"
    )
    does = "do" if column == "adversaries" else "does"
    return f"whether {the_column(column, players)}{lies} {does} by {size}, {when}"


def _verb(column: str, verb: str) -> str:
    return verb if column == "adversaries" else f"{verb}s"


def _largest(gains: Sequence[Gain]) -> Gain:
    return max(gains, key=lambda g: (abs(g.total.mean), g.column == "hombre"))


def _less_than(gains: Sequence[Gain]) -> int:
    """A whole number of counters that none of these effects reaches, by their intervals."""
    return floor(max(max(abs(g.total.bounds.low), abs(g.total.bounds.high)) for g in gains)) + 1


def _moved(gain: Gain, players: int) -> str:
    """``the adversaries together lose 16.5 ± 6.6``: an effect in words where it is shown, else with
    its sign."""
    if not _is_not_zero(gain.total.bounds):
        return _estimate(gain, players)
    return f"{column_name(gain.column, players)} {_gains(gain)}"


def _gains(gain: Gain) -> str:
    """``lose 16.5 ± 6.6``."""
    mean = gain.total
    if mean.mean > 0:
        return f"{_verb(gain.column, 'gain')} {mean_text(mean).removeprefix('+')}"
    loss = replace(mean, mean=-mean.mean, bounds=Bounds(-mean.bounds.high, -mean.bounds.low))
    return f"{_verb(gain.column, 'lose')} {mean_text(loss).removeprefix('+')}"


def _estimate(gain: Gain, players: int) -> str:
    """``the Hombre −2.1 ± 61.8``: an effect with its interval."""
    return f"{column_name(gain.column, players)} {mean_text(gain.total)}"


MOST_PROPOSED: Final = 10_000_000
"""Deals that an answer proposes to play, at most: more would take hours."""


def for_more(m: Matters, f: Finding) -> str:
    """What to type for a verdict, as the end of a sentence; empty where no number of deals promises
    one.

    A larger ``--smallest`` is never proposed: it stops earlier, with wider intervals, and may
    decide as little.
    """
    d = m.design
    left = {g.column: means for g in f.gains if (means := f.undecided(g.column))}
    roles = {c: means for c, means in left.items() if not c.startswith("seat ")}
    of = left if d.seats and not (f.family and roles) else roles or left
    asked = [(c, mean) for c, means in of.items() for mean in means]
    known = [mean for _, mean in asked if mean.needed is not None]
    if not known:
        return ""
    low, high = longest([mean.needed for mean in known]) or (0, 0)
    if high > MOST_PROPOSED:
        return ""
    options = ["--seats"] if not d.seats and not roles else []
    options += [f"--deals {high}"] if high > d.deals else []
    # it stopped where an effect was known to within what was asked
    if not options or any(
        mean.bounds.half <= d.within_in(c) for c, mean in asked if mean.needed is not None
    ):
        nearest = min(abs(abs(float(one.mean)) - one.interest) / one.interest for one in known)
        options.append(f"--within {nearest * float(d.smallest):.1g}")
    about = f", {range_text((low, high))}" if options == ["--seats"] and high > f.trials else ""
    in_python = " (in Python seats=True)" if "--seats" in options else ""
    return f"; for more: {' '.join(options)}{in_python}{about}"
