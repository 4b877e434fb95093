"""How much a player loses who differs from ``steady`` in one parameter: what membership of its
family rests on.

    python tools/family_tournament.py                      # every value of every parameter that is
    named below python tools/family_tournament.py steady:boldness=+9 --sessions 200 --seed 2

Each session is played by ``steady`` in every chair, and again on the same cards with one candidate
among three of ``steady``, the chair changing from session to session.  Counted is what the
candidate wins less what ``steady`` won in that chair, antes taken off, a session: mean and 95 %
interval.  Mixed tables are played by the readable engine, some 400 deals a second, each candidate
on all the sessions.
"""

import argparse
import time
from collections.abc import Sequence
from fractions import Fraction

from quadrille_plugins.deal.players import make_bot, spelt
from quadrille_plugins.deal.session import PlayedDeal, play_session
from quadrille_plugins.studies.intervals import Tally, ratio

from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

FIRST = "steady"
MOST_LOST = 20
"""Counters a session that a member of the family may lose to ``steady``."""
CANDIDATES = (
    *(f"steady:boldness={n:+d}" for n in (-6, -3, -1, 1, 2, 3, 6, 12)),
    *("steady:calls=void", "steady:calls=long"),
    *("steady:leads=best", "steady:leads=kings"),
    "steady:covers=always",
)


def session_of(ruleset: RuleSet, names: Sequence[str], seed: int, session: int) -> list[PlayedDeal]:
    """One session of the rules' own length; ``names`` are by chair."""
    bots, deals = [make_bot(name) for name in names], ruleset.rules.table.session_deals
    return list(play_session(ruleset, bots, seed=seed, session=session, deals=deals))


def won(played: Sequence[PlayedDeal], chair: int) -> Fraction:
    """What a chair won in a session."""
    return sum((deal.net_of_chair[chair] - deal.antes[chair] for deal in played), Fraction(0))


def games(played: Sequence[PlayedDeal], chair: int) -> int:
    """How often a chair was Hombre."""
    return sum(
        d.deal.hombre is not None and d.chair_of_seat[d.deal.hombre] == chair for d in played
    )


def main() -> None:
    """Play, and print a table as docs/players.md has it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("candidates", nargs="*", default=CANDIDATES)
    parser.add_argument("--ref", default="quanti-1822")
    parser.add_argument("--sessions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1822)
    wanted = parser.parse_args()
    ruleset, started = compile_reference(wanted.ref).ruleset, time.monotonic()
    seats, candidates = ruleset.rules.table.players, [spelt(name) for name in wanted.candidates]
    lost: dict[str, list[Tally]] = {name: [] for name in candidates}
    otherwise, hombre, deals, usual = (
        dict.fromkeys(candidates, 0),
        dict.fromkeys(candidates, 0),
        0,
        0,
    )
    for session in range(wanted.sessions):
        chair = session % seats
        base = session_of(ruleset, [FIRST] * seats, wanted.seed, session)
        deals, usual = deals + len(base), usual + games(base, chair)
        for name in candidates:
            played = session_of(
                ruleset, [name if c == chair else FIRST for c in range(seats)], wanted.seed, session
            )
            lost[name].append(Tally(won(played, chair) - won(base, chair), 1))
            otherwise[name] += sum(
                a.deal.actions != b.deal.actions for a, b in zip(played, base, strict=False)
            )
            hombre[name] += games(played, chair)
    lines = [
        (
            f"{wanted.ref}, {wanted.sessions} sessions, seed {wanted.seed}; {FIRST} is Hombre in "
            f"{usual / deals:.1%}"
        ),
        (
            f"| bot | counters a session against `steady` | 95 % interval | other deals | Hombre | "
            f"within {MOST_LOST} |"
        ),
        "|---|---|---|---|---|---|",
    ]
    for name in candidates:
        found = ratio(lost[name])
        mean, low, high = (
            float(n) if n is not None else float("nan") for n in (found.mean, found.low, found.high)
        )
        shares = f"{otherwise[name] / deals:.0%} | {hombre[name] / deals:.1%}"
        within = "yes" if mean >= -MOST_LOST else "no"
        lines.append(
            f"| `{name}` | {mean:+.1f} | {low:+.1f} to {high:+.1f} | {shares} | {within} |"
        )
    lines.append(f"{time.monotonic() - started:.0f} s")
    print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
