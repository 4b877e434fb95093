"""How much a player loses who differs from ``steady`` in one parameter: what membership of its
family rests on.

    python tools/family_tournament.py                      # every value of every parameter that is
    named below python tools/family_tournament.py steady:boldness=+9 --sessions 200 --seed 2

Each session is played by ``steady`` in every chair, and again on the same cards with one candidate
among three of ``steady``, the chair changing from session to session.  Counted is what the
candidate wins less what ``steady`` won in that chair, antes taken off, a session: mean and 95 %
interval.
"""

import argparse
import time
from collections.abc import Sequence
from fractions import Fraction

from quadrille_plugins.deal.players import spelt
from quadrille_plugins.kernel.counting import AT_AUCTION, AT_PLAY, COUNTS
from quadrille_plugins.studies.fast import Workspace, blocked_by, tabulate
from quadrille_plugins.studies.intervals import Tally, ratio
from quadrille_plugins.studies.sessions import Engine, Played, Readable, beside, plain, play

from quadrille_core.engine.deal_record import Names
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


def engines_of(ruleset: RuleSet, candidates: Sequence[str], chair: int) -> list[list[Engine]]:
    """A table of ``steady`` alone and one for each candidate in that chair, by the fast engine
    where it plays them, and by the readable one."""
    seats = ruleset.rules.table.players
    tables = [[name if c == chair else FIRST for c in range(seats)] for name in candidates]
    tables.insert(0, [FIRST] * seats)
    names = Names()
    slow: list[Engine] = [Readable(ruleset, bots, names) for bots in tables]
    if blocked_by([ruleset], [FIRST, *candidates]):
        return [slow]
    return [[tabulate([ruleset], bots)[0][0] for bots in tables], slow]


def told(played: Played, engines: Sequence[Engine], place: int, chair: int) -> list[Fraction]:
    """Of a session at that table: what the chair won, how often it was Hombre, the deals that were
    bid or played otherwise than at the first table, and the deals."""
    engine, held, rules = engines[place], played.held[place], engines[place].ruleset.rules
    seats, bids = rules.table.players, len(rules.bids.rows)
    whose = engine.zeros(1, seats)[0]
    for one in range(seats):
        whose[one] = one
    won, hands, endings = (engine.zeros(1, many) for many in (seats, seats, 3 * bids * seats))
    marks = engine.marks(played.skip)
    engine.count(
        "count_won", engine.rules, held.records, held.sums, marks, bids, whose, won, hands, endings
    )
    both = [engines[0], engine]
    (counts,), _ = beside("count_pair", both, played, COUNTS, held, played.skip)
    games = plain(endings[0])[3 * bids * chair : 3 * bids * (chair + 1)]
    otherwise = counts[AT_AUCTION] + counts[AT_PLAY]
    amount = Fraction(plain(won)[0][chair]) / engine.scale
    return [amount, Fraction(sum(games)), Fraction(otherwise), Fraction(plain(hands)[0][chair])]


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
    hombre, otherwise, deals, usual = (
        dict.fromkeys(candidates, Fraction(0)),
        dict.fromkeys(candidates, Fraction(0)),
        Fraction(0),
        Fraction(0),
    )
    length = ruleset.rules.table.session_deals
    room = Workspace(1, length)
    by_chair = [engines_of(ruleset, candidates, chair) for chair in range(seats)]
    for session in range(wanted.sessions):
        chair = session % seats
        for engines in by_chair[chair]:
            played = play(engines, wanted.seed, session, [length], room)
            if not played.skip[0]:
                break
        base, games, _, many = told(played, engines, 0, chair)
        deals, usual = deals + many, usual + games
        for place, name in enumerate(candidates, 1):
            won, games, other, _ = told(played, engines, place, chair)
            lost[name].append(Tally(won - base, 1))
            hombre[name] += games
            otherwise[name] += other
    lines = [
        (
            f"{wanted.ref}, {wanted.sessions} sessions, seed {wanted.seed}; {FIRST} is Hombre in "
            f"{float(usual / deals):.1%}"
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
        shares = f"{float(otherwise[name] / deals):.0%} | {float(hombre[name] / deals):.1%}"
        within = "yes" if mean >= -MOST_LOST else "no"
        lines.append(
            f"| `{name}` | {mean:+.1f} | {low:+.1f} to {high:+.1f} | {shares} | {within} |"
        )
    lines.append(f"{time.monotonic() - started:.0f} s")
    print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
