"""The table in ``docs/situations.md``: ``python tools/regenerate.py`` plays its deals and writes it
anew.

For every reading of every point that diverges in none of N random deals, a targeted search is made,
and the strategy named that found a deal in which it does.  Some minutes, and the fast engine, are
needed.
"""

from pathlib import Path

from quadrille_plugins.compare.study import compare
from quadrille_plugins.kernel.ready import ready
from quadrille_plugins.matters.targeted_search import (
    MADE,
    SESSIONS,
    SESSIONS_TITLE,
    SearchResult,
    targeted_search,
)
from quadrille_plugins.studies.design import FAST, plan
from quadrille_plugins.studies.lockstep import Couple

from quadrille_core.errors import ProfileError
from quadrille_core.ruleset import compile_reference

FILE = Path(__file__).resolve().parent.parent / "docs" / "situations.md"
PROFILES = ("quanti-1822", "mediateur-1752")
NATURAL, SEED, BOT, SHORT, LIMIT = 20_000, 11, "steady", 20, 100
RENEW = "python tools/regenerate.py"
START = f"<!-- what follows is written by {RENEW} -->\n"


def rows() -> list[str]:
    """A row for every reading of which chance shows nothing."""
    found = []
    for reference in PROFILES:
        base = compile_reference(reference)
        for state in base.points:
            for reading in state.point.readings:
                if reading.id == state.reading.id:
                    continue
                try:
                    alternative = compile_reference(
                        reference, readings={state.point.id: reading.id}
                    )
                except ProfileError:
                    continue  # refused together with the other readings in use
                pair = [base, alternative]
                design = plan(pair, deals=NATURAL, sessions=None, seed=SEED, bots=[BOT])
                if compare(pair, design, engine=FAST, examples=0).pairs[0].diverging.count:
                    continue
                couple = Couple(base.ruleset, alternative.ruleset)
                found.append(
                    f"| `{reference}` | `{state.point.id}` | {reading.id} | "
                    f"{told(found_by(couple))} |\n"
                )
    return found


def found_by(couple: Couple) -> tuple[SearchResult, ...]:
    """A short search by every strategy, and a long one where the short one finds nothing."""
    for limit in (SHORT, LIMIT):
        found = targeted_search(couple, seed=1, limit=limit, enough=1, strategies=[SESSIONS, *MADE])
        if any(s.diverged for s in found):
            break
    return found


def told(searched: tuple[SearchResult, ...]) -> str:
    """Which strategies found a deal that diverges, the quickest first, and after how many."""
    quickest = sorted((s for s in searched if s.diverged), key=lambda s: s.tried)
    return "; ".join(f"{s.title}: {ordinal(s.tried)}" for s in quickest[:2]) or "none"


def ordinal(number: int) -> str:
    """After how many deals, in words."""
    return "the first deal" if number == 1 else f"{number} deals"


def table() -> str:
    """The rows below their heading."""
    titles = [SESSIONS_TITLE, *(title for title, _ in MADE.values())]
    return (
        f"Of {NATURAL} deals as they come ({BOT} bots, seed {SEED}, sessions from an empty pool) "
        f"none diverges under\nthese readings. What is found by each of {len(titles)} strategies "
        f"of a targeted search in {LIMIT} deals:\n\n| profile | point | reading | diverges, by "
        f"the strategies that found it soonest |\n|---|---|---|---|\n" + "".join(rows())
    )


def page() -> str:
    """The page, with the table below its text."""
    ready()
    head, _, _ = FILE.read_text("utf-8").partition(START)
    return head + START + "\n" + table()
