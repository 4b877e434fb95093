"""How long a question will take whose deals are played until the answer is certain, judged by the
answers so far.

Each alternative that is still played is expected to be certain after a number of sessions that its
share and its intervals tell; the rest is arithmetic: so many sessions under so many rule sets, at
the speed measured.
"""

from collections.abc import Iterable
from math import ceil, sqrt

from quadrille_plugins.matters.study import AlternativeRun, Question, looks
from quadrille_plugins.studies.accounts import seats
from quadrille_plugins.studies.equivalence import UNDECIDED, answer
from quadrille_plugins.studies.sequences import PayeeSums, trials_for


def sessions_of(pair: AlternativeRun, design: Question) -> int:
    """After about how many sessions in all the answer on an alternative, not certain yet, will
    be."""
    matched = pair.matched
    until = trials_for(design.precision, design.alpha) / max(matched.trials, 1) * matched.sessions
    if not matched.diverged:
        return ceil(until)
    waited = [
        (c, one) for _, c, one in pair.moving() if design.seats or c not in seats(len(design.bots))
    ]
    return max(
        (_known_after(one, column, design) for column, one in waited), default=matched.sessions + 1
    )


def _known_after(one: PayeeSums, column: str, design: Question) -> int:
    """After how many sessions there is a verdict on an effect, or its interval is narrow enough."""
    alpha, interest = design.payment_alpha, design.interest_in(column)
    bounds = one.bounds(alpha)
    if answer(bounds.low, bounds.high, interest) != UNDECIDED:
        return one.sessions
    # the mean still moves by about its standard error, mostly away from where no verdict is near
    off, error = abs(float(one.mean)) - interest, sqrt(one.spread) / one.sessions
    enough = max(design.within_in(column), sqrt(off * off + error * error))
    return (
        max(one.sessions + 1, one.sessions_for(enough, alpha))
        if bounds.half > enough
        else one.sessions
    )


def further(pairs: Iterable[AlternativeRun], done: int, design: Question) -> int:
    """About how many more sessions will be played after ``done``, counted under every rule set that
    plays them."""
    ends = [sessions_of(pair, design) for pair in pairs]
    played, before = 0, done
    for upto in looks(design.sessions):
        if upto <= done:
            continue
        # an alternative goes on to the first look at which it is certain
        live = sum(1 for end in ends if end > before or before == done)
        if not live:
            break
        played += (upto - before) * (1 + live)
        before = upto
    return played
