"""What a bot's decisions lose against open cards, by kind of decision.

    python tools/regret.py quanti-1822 --deals 400
    python tools/regret.py mediateur-1752 --players steady,seer --seed 2

Each deal stands by itself, the antes alone in the pool, one bot in every seat.  What a decision
loses is the cost that ``dealing.review`` reckons: in counters, against the best choice when all
cards are seen and both sides play and declare on perfectly.  It is averaged over decisions, those
where there was a choice, and summed over the players of a deal; deals are the units of the 95 %
intervals.  No player sees the hands, so nobody could lose nothing.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.dealing.review import review
from quadrille_plugins.studies.intervals import Estimate, Tally, ratio

from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

KINDS: Final = {
    **dict.fromkeys(("pass", "bid"), "bid"),
    **dict.fromkeys(("trump", "invite"), "trump"),
    **dict.fromkeys(("call", "give"), "call"),
    "play": "card",
}
"""The kind of decision by the action taken; what is left are answers about the vole."""
Costs = dict[str, list[Fraction]]


def costs(ruleset: RuleSet, bot: str, seed: int, number: int) -> Costs:
    """What each decision of a deal cost, by kind."""
    players = [make_bot(bot)] * ruleset.rules.table.players
    (played,) = play_session(ruleset, players, seed=seed, session=number, deals=1)
    said, found = [action for _, action in played.deal.actions], defaultdict(list)
    for decision in review(ruleset, played.setup, said, None):
        found[KINDS.get(decision.done.kind, "vole")].append(decision.cost)
    return found


def averages(deals: Sequence[Costs], kind: str) -> tuple[Estimate, Estimate]:
    """The mean loss of a decision of that kind, and the loss of a deal by all of them."""
    of = [deal.get(kind, []) for deal in deals]
    return (
        ratio([Tally(sum(one, Fraction(0)), len(one)) for one in of]),
        ratio([Tally(sum(one, Fraction(0)), 1) for one in of]),
    )


def _written(found: Estimate) -> str:
    low, high = found.low, found.high
    return f"{float(found.mean):.2f}" + ("" if low is None else f" ({low:.2f}–{high:.2f})")


def main() -> None:
    """Play, review and print a table as docs/players.md has it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reference")
    parser.add_argument("--players", default="random,steady,seer")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    ruleset = compile_reference(wanted.reference).ruleset
    print("| bot | decision | a deal | loses each | loses a deal |\n|---|---|---|---|---|")  # noqa: T201
    for bot in wanted.players.split(","):
        deals = [costs(ruleset, bot, wanted.seed, n) for n in range(wanted.deals)]
        for kind in ("bid", "trump", "call", "card", "vole"):
            made = sum(len(deal.get(kind, [])) for deal in deals)
            if made:
                each, whole = map(_written, averages(deals, kind))
                print(f"| `{bot}` | {kind} | {made / len(deals):.2f} | {each} | {whole} |")  # noqa: T201
        sys.stdout.flush()


if __name__ == "__main__":
    main()
