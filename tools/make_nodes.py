"""The work the solver does on fixed deals: ``python tools/make_nodes.py`` writes
``data/solver-nodes.yaml`` anew.

Positions searched do not depend on the machine, so that a slower search shows at once and a faster
one is on record.
"""

import random
from pathlib import Path

import _tests  # noqa: F401
import yaml
from quadrille_plugins.solver.solve import Position, Solver
from support.lanes import FORCINGS, ORDERS

from quadrille_core.cards import NO_TRUMP, PACK, Suit
from quadrille_core.engine.ranking import ranking

FILE = Path(__file__).parents[1] / "tests" / "data" / "solver-nodes.yaml"
LED = FORCINGS[0]
PLAYED = next(f for f in FORCINGS if f.forced_by == "played" and f.among_several == "inferior_only")
EXCEPTED = next(f for f in FORCINGS if f.forced_by == "led" and len(f.exceptions) > 10)
GROUPS = {
    # seats, cards a hand, deals, trumps, players of the side, objective, forcing, the question
    # (None: how many)
    "alone": (4, 10, 30, "suit", 1, "most", LED, None),
    "allied": (4, 10, 20, "suit", 2, "most", LED, None),
    "allied, six": (4, 10, 40, "suit", 2, "most", LED, 6),
    "every trick": (4, 10, 30, "suit", 2, "most", LED, 10),
    "no trumps": (4, 10, 10, "none", 2, "most", LED, None),
    "no trick": (4, 9, 20, "none", 1, "fewest", LED, 1),
    "fewest tricks": (4, 8, 10, "suit", 2, "fewest", LED, None),
    "five hands": (5, 8, 20, "suit", 2, "most", LED, None),
    "forced by what is played": (4, 9, 15, "suit", 2, "most", PLAYED, None),
    "many exceptions": (4, 7, 15, "suit", 2, "most", EXCEPTED, None),
}


def deals(name):
    """The positions of a group."""
    seats, size, number, trumps, players, objective, forcing, _ = GROUPS[name]
    rng = random.Random(f"nodes {name}")
    for _ in range(number):
        drawn = []
        for _ in range(40 if name in CHOSEN else 1):
            pack = list(PACK)
            rng.shuffle(pack)
            hands = tuple(tuple(pack[i * size : (i + 1) * size]) for i in range(seats))
            trump = NO_TRUMP if trumps == "none" else Suit(rng.randrange(4))
            side = sum(1 << p for p in rng.sample(range(seats), players))
            drawn.append(
                Position(
                    rng.choice(ORDERS), forcing, trump, hands, rng.randrange(seats), side, objective
                )
            )
        yield max(drawn, key=CHOSEN.get(name, drawn.index))


def strength(position):
    """How high the cards of the side stand, trumps counting double."""
    rank = ranking(position.order, position.trump)
    cards = [c for p, hand in enumerate(position.hands) if position.side >> p & 1 for c in hand]
    return sum(rank.strength[c] - (80 if rank.suits[c] == position.trump else 0) for c in cards)


CHOSEN = {"every trick": strength, "no trick": lambda position: -strength(position)}
"""Groups of which each deal is the fittest of forty, so that the answer is not plain."""


def measured():
    """For each group the answers and the positions searched, deal by deal added up."""
    out = {}
    for name in GROUPS:
        need, nodes, answers = GROUPS[name][-1], 0, []
        for position in deals(name):
            solver = SOLVER
            solver.forget()
            before = solver.nodes
            answers.append(
                solver.exact(position) if need is None else int(solver.at_least(position, need))
            )
            nodes += solver.nodes - before
        out[name] = {"nodes": nodes, "answers": "".join(f"{a:x}" for a in answers)}
    return out


SOLVER = Solver()

if __name__ == "__main__":
    head = (
        "# Positions the solver searches on fixed deals, and its answers: written by "
        "tools/make_nodes.py\n"
    )
    FILE.write_text(head + yaml.safe_dump(measured(), sort_keys=False), "utf-8")
