"""How well ``steady`` bids and plays, counted on fixed seeds and held against play with all cards
open.

    python tools/steady_report.py mediateur-1752 --deals 4000
    python tools/steady_report.py mediateur-1752 --deals 4000 --old PATH

With ``--old PATH`` the ``steady`` of another checkout plays as well, under the name ``steady-0.1``:
its modules ``players/steady*.py`` are copied under another package name, and the engine, the rules
and the solver are this tree's.  Then ``--tournament N`` plays N deals twice, old against new.

What is counted, deal by deal in whole sessions of four (or five) players of one kind:

* contracts: the share of the deals, and how many are won; beside it the share among par's contracts
  (``--par N``
  deals, each by itself with the antes alone in the pool);
* where no trick is to be made: how many of those bid can be made against the best defence with all
  cards open;
* premiers thrown: in a lone game Hombre has made every trick so far, is to lead and holds as many
  certain tricks as
  premiers still want, and yet the premiers are not made;
* voles played for and lost: of these, lost with the tricks in hand (Hombre on lead, all tricks
  theirs until then, holds
  nothing but certain tricks), and lost though all could be made with all cards open from the first
  lead.

A trick is *certain* when it can be led and nobody can beat it, however the unseen cards lie: top
trumps; and when they draw all unseen trumps, every other trump, and the top of each other suit (all
of it, when the top draws the rest).
"""

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import cast

from quadrille_plugins.compare.double_dummy import SolverCache
from quadrille_plugins.compare.tournament import hold, pair_up
from quadrille_plugins.deal import players as bots
from quadrille_plugins.deal.session import PlayedDeal, play_session
from quadrille_plugins.deal.view import Bot
from quadrille_plugins.solver.open_play import OpenPlay, Question, matter
from quadrille_plugins.studies.intervals import proportion

from quadrille_core.cards import Card
from quadrille_core.engine.actions import not_none
from quadrille_core.engine.ranking import CardRanking, ranking
from quadrille_core.engine.terms import first_leader
from quadrille_core.rules import Bid, Rules
from quadrille_core.ruleset import Compiled, compile_reference

OLD = "steady-0.1"
COPIED = "quadrille_old_bots"
VOLE_ENDS = ("played", "lost", "lost with the tricks in hand", "lost though makeable open")
"""What is counted of voles of each level, and printed where it is zero too."""


def load_old(checkout: Path) -> Callable[[], Bot]:
    """The ``steady`` of another checkout, copied under another package name."""
    folder = Path(tempfile.mkdtemp(prefix="steady-old-")) / COPIED
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    for module in (checkout / "quadrille_core" / "bots").glob("steady*.py"):
        text = re.sub(r"quadrille_core\.bots\b", COPIED, module.read_text())
        (folder / module.name).write_text(text)
    sys.path.insert(0, str(folder.parent))
    made = import_module(f"{COPIED}.steady").SteadyBot
    return cast("Callable[[], Bot]", made)


def certain(order: CardRanking, hand: Sequence[Card], unseen: Sequence[Card]) -> int:
    """How many tricks whoever is on lead makes, whatever the others hold of the unseen cards."""

    def of_suit(cards: Sequence[Card], suit: int) -> list[Card]:
        return [c for c in cards if order.suits[c] == suit]

    def top(suit: int) -> int:
        best = max((order.strength[c] for c in of_suit(unseen, suit)), default=-1)
        return sum(order.strength[c] > best for c in of_suit(hand, suit))

    total = top(order.trump)
    if total < len(of_suit(unseen, order.trump)):
        return total
    total = len(of_suit(hand, order.trump))
    for suit in range(4):
        if suit != order.trump:
            high = top(suit)
            total += len(of_suit(hand, suit)) if high >= len(of_suit(unseen, suit)) else high
    return total


def certain_at_leads(played: PlayedDeal, rules: Rules) -> Iterator[tuple[int, int]]:
    """Tricks done and Hombre's certain tricks, at each lead of theirs while they have made every
    trick."""
    deal, hombre = played.deal, not_none(played.deal.hombre)
    order = ranking(rules.cards, not_none(deal.trump))
    size = rules.table.players
    hands: list[list[Card]] = [[] for _ in range(size)]
    for trick in deal.tricks:
        for n, card in enumerate(trick.cards):
            hands[(trick.leader + n) % size].append(card)
    for seat in range(size):
        hands[seat] += [c for c in deal.hands[seat] if c not in hands[seat]]
    done: set[Card] = set()
    for n, trick in enumerate(deal.tricks):
        if trick.leader == hombre:
            hand = [c for c in hands[hombre] if c not in done]
            yield (
                n,
                certain(
                    order, hand, [c for h in hands for c in h if c not in done and c not in hand]
                ),
            )
        if trick.winner != hombre:
            return
        done |= set(trick.cards)


@dataclass(frozen=True)
class LoneGame:
    """A deal that Hombre played alone for tricks: what they held for certain on lead, and what they
    made."""

    premiers_in_hand: bool
    """At some lead, all tricks theirs until then, they held as many certain tricks as premiers
    still wanted."""
    premiers: bool
    vole: str
    tricks_in_hand: bool
    """At some such lead they held nothing but certain tricks."""
    made: int

    @property
    def thrown(self) -> bool:
        """Whether certain premiers were not made."""
        return self.premiers_in_hand and not self.premiers


def lone_game(ref: Compiled, bot: str, seed: int, session: int) -> LoneGame | None:
    """What a bot makes of the first deal of a session, played by its like; None where nobody plays
    alone for tricks."""
    rules = ref.ruleset.rules
    makers = [bots.make_bot(bot)] * rules.table.players
    (played,) = play_session(ref.ruleset, makers, seed=seed, session=session, deals=1)
    result = played.deal.result()
    if result is None:
        return None
    bid = rules.bids.of(result.contract)
    return None if bid.goal == "none" or bid.partner == "called" else _lone(played, rules, bid)


def _lone(played: PlayedDeal, rules: Rules, bid: Bid) -> LoneGame:
    result, wanted, hand = (
        not_none(played.deal.result()),
        rules.premiers.tricks,
        rules.table.hand_cards,
    )
    leads = list(certain_at_leads(played, rules))
    return LoneGame(
        premiers_in_hand=bid.premiers and any(n < wanted <= n + sure for n, sure in leads),
        premiers=result.premiers,
        vole=result.vole,
        tricks_in_hand=any(n + sure >= hand for n, sure in leads),
        made=result.side_tricks(),
    )


@dataclass
class Counts:
    """What was counted of one bot."""

    deals: int = 0
    bid: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    moved: Counter[str] = field(default_factory=Counter)
    """Counters that change hands, by contract."""
    makeable: Counter[str] = field(default_factory=Counter)
    """Contracts that can be made with all cards open, where no trick is to be made."""
    lone: int = 0
    thrown: int = 0
    voles: Counter[str] = field(default_factory=Counter)


def count(ref: Compiled, bot: str, deals: int, seed: int) -> Counts:
    """Play whole sessions and count."""
    rules, found = ref.ruleset.rules, Counts()
    length, play = (
        rules.table.session_deals,
        OpenPlay(ref.ruleset.rules.cards, ref.ruleset.rules.forcing),
    )
    makers = [bots.make_bot(bot)] * rules.table.players
    for session in range(-(-deals // length)):
        for played in play_session(ref.ruleset, makers, seed=seed, session=session, deals=length):
            found.deals += 1
            _count_deal(played, rules, play, found)
    return found


def _count_deal(played: PlayedDeal, rules: Rules, play: OpenPlay, found: Counts) -> None:
    deal, result, settlement = played.deal, played.deal.result(), played.settlement
    if result is None or settlement is None:
        found.bid["redealt"] += 1
        return
    bid, name = rules.bids.of(result.contract), result.contract
    won = settlement.outcome == "won"
    found.bid[name] += 1
    found.won[name] += won
    found.moved[name] += int(sum((n for n in settlement.net if n > 0), Fraction(0)))
    leader = first_leader(rules, result.hombre)
    side = sum(1 << s for s in result.side())
    if bid.goal == "none":
        q = Question(
            tuple(tuple(sorted(h)) for h in played.setup.hands),
            result.trump,
            leader,
            side,
            matter(rules, bid),
        )
        found.makeable[name] += play.tricks(q) == 0
        return
    alone = bid.partner != "called"
    lone = _lone(played, rules, bid) if alone else None
    if lone is not None and bid.premiers:
        found.lone += 1
        found.thrown += lone.thrown
    if result.vole != "none":
        hand = rules.table.hand_cards
        lost = result.side_tricks() < hand
        found.voles[f"{result.vole} played"] += 1
        if lost:
            found.voles[f"{result.vole} lost"] += 1
            found.voles[f"{result.vole} lost with the tricks in hand"] += (
                lone is not None and lone.tricks_in_hand
            )
            hands = [list(h) for h in deal.hands]
            for trick in deal.tricks:
                for n, card in enumerate(trick.cards):
                    hands[(trick.leader + n) % len(hands)].append(card)
            q = Question(tuple(tuple(sorted(h)) for h in hands), result.trump, leader, side)
            found.voles[f"{result.vole} lost though makeable open"] += play.tricks(q) == hand


def pars(ref: Compiled, deals: int, seed: int) -> Counter[str]:
    """Par's contracts in so many deals."""
    solver_cache = SolverCache([ref.ruleset])
    return Counter(solver_cache.work(seed, n)[0].bid.split("+")[0] for n in range(deals))


def say(line: str) -> None:
    """Print a line."""
    print(line, flush=True)  # noqa: T201


def share(part: int, whole: int) -> str:
    """A share with its 95 % interval."""
    if not whole:
        return "–"
    p = proportion(part, whole)
    return f"{100 * part / whole:5.1f} % ({100 * p.low:.1f}–{100 * p.high:.1f})"


def show(bot: str, found: Counts, par: Counter[str]) -> None:
    """Print what was counted."""
    total, moved = sum(par.values()), max(1, sum(found.moved.values()))
    say(f"\n{bot}: {found.deals} deals")
    for name in sorted({*found.bid, *par}, key=lambda b: -found.bid[b]):
        n = found.bid[name]
        line = (
            f"  {name:18s} {share(n, found.deals):24s} won {found.won[name]:5d} = "
            f"{share(found.won[name], n):22s}"
        )
        line += (
            f" par {share(par[name], total):22s} counters {100 * found.moved[name] / moved:4.1f} %"
        )
        if name in found.makeable:
            line += f"  open {found.makeable[name]}"
        say(line)
    say(
        f"  lone games {found.lone}, premiers thrown {found.thrown} = "
        f"{share(found.thrown, found.lone)}"
    )
    levels = sorted({what.split()[0] for what in found.voles} | {"announced"})
    for what in (f"{level} {end}" for level in levels for end in VOLE_ENDS):
        say(f"  voles {what}: {found.voles[what]}")


def main() -> int:
    """Count, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ref")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--par", type=int, default=0, help="deals to find par of")
    parser.add_argument("--old", type=Path, help="another checkout whose steady plays as well")
    parser.add_argument("--only-old", action="store_true", help="count the old one alone")
    parser.add_argument("--tournament", type=int, default=0, help="deals of old against new")
    wanted = parser.parse_args()
    ref = cast("Compiled", compile_reference(wanted.ref))
    names = [] if wanted.only_old else ["steady"]
    if wanted.old:
        bots.registry = {**bots.registry, OLD: load_old(wanted.old)}  # type: ignore[misc]
        names.insert(0, OLD)
    started = time.monotonic()
    par = pars(ref, wanted.par, wanted.seed) if wanted.par else Counter[str]()
    say(f"{wanted.ref}, seed {wanted.seed}")
    if wanted.deals:
        for name in names:
            show(name, count(ref, name, wanted.deals, wanted.seed), par)
    if wanted.old and wanted.tournament:
        length = ref.ruleset.rules.table.players
        pairing = pair_up(
            ref, bots=("steady", OLD), deals=wanted.tournament, length=length, seed=wanted.seed
        )
        for duel in hold(ref, pairing).duels:
            d = duel.difference
            say(
                f"\n{duel.first} − {duel.second}: {float(d.mean):+.2f} ± "
                f"{float(d.half or 0):.2f} a deal and player"
            )
    say(f"{time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
