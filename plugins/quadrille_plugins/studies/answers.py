"""What every study prints: its answer, the table, how sure that is and how to cite it; the rest on
request."""

from collections.abc import Callable, Sequence

from quadrille_core.rules import RuleSet
from quadrille_plugins.shell.blocks import Block, Text
from quadrille_plugins.shell.values import deals_in_sessions, many
from quadrille_plugins.studies.design import Design
from quadrille_plugins.studies.fast import blocked_by
from quadrille_plugins.studies.words import ANEW

HOW_SURE = "How sure is this?"


def laid_out(
    answer: str,
    heads: str,
    main: Sequence[Block],
    *,
    sure: str,
    more: Callable[[], Sequence[Block]],
    details: bool,
    shows: str = "",
) -> list[Block]:
    """A study for a person: the answer in a sentence, what was compared, the table; ``more`` only
    with ``details``.

    ``sure`` says on what the answer rests: players, deals, intervals.  ``shows`` says what the
    details hold.
    """
    blocks: list[Block] = [Text(answer, strong=True), Text(heads), *main]
    if details:
        blocks += more()
    shows = "" if details or not shows else f"\n--details shows {shows}."
    sure = f"{HOW_SURE} {sure}"
    return [*blocks, Text(f"{sure}{shows}", on_page=sure)]


def played_by(bots: Sequence[str]) -> str:
    """Who played, and what that means for the figures."""
    kinds = list(dict.fromkeys(bots))
    return (
        f"{'bot' if len(kinds) == 1 else 'bots'} {', '.join(kinds)} (other players may give "
        "quite other figures)"
    )


def played_text(
    designs: Sequence[Design],
    bots: Sequence[str],
    intervals: str,
    *,
    same: str = "",
    interrupted: bool,
) -> str:
    """On what figures rest: the deals of the first player and, where they differ, of others.

    ``intervals`` says how far they hold, ``same`` what rule sets that are compared share.
    """
    first, *others = designs
    also = [f"{d.bots[0]} {many(d.deals)}" for d in others if d.deals != first.deals]
    return (
        f"{deals_in_sessions(first.deals, len(first.lengths))}{same}; seed {first.seed}; "
        f"{played_by(bots)}."
        + (f" Other players' deals: {', '.join(also)}." if also else "")
        + f" {intervals}"
        + ("\nInterrupted: these are the sessions that were finished." if interrupted else "")
        + (f"\n{ANEW}" if first.anew else "")
    )


def over_all(what: str, designs: Sequence[Design]) -> str:
    """Over what intervals hold together: ``all rows and 9 players``."""
    over = [what] + [f"{len(designs)} players"] * (len(designs) > 1)
    over += ["the numbers of sessions at which play may stop"] * (designs[0].until is not None)
    return " and ".join(over)


def by_readable(
    members: Sequence[Sequence[str]], rulesets: Sequence[RuleSet], bots: Sequence[str]
) -> str:
    """That the readable engine played, by whom, and what makes the next answers fast, or why
    nothing does.

    ``members`` are the bots of every table that was asked for, ``bots`` those that played.
    """
    several = len(members) > 1
    played = (
        f"This answer came from the readable engine, by "
        f"{', '.join(dict.fromkeys(bots))}{' alone' * several}"
    )
    why = blocked_by(rulesets, bots)
    if why is not None:
        return f"{played}; the fast one cannot play it: {why}."
    family = f", and asks a family of {len(members)} players" if several else ""
    return (
        f"{played}; once compiled (`quadrille --warmup`), the fast one makes the next ones "
        f"fast{family}."
    )
