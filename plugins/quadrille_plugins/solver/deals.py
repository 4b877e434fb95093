"""A deal solved with all cards open: what every contract comes to, and what the deal is worth
(par).

How a contract is played out, and what is decided on the way:

* *The play* is the solver's (``solver``): Hombre's side makes as many tricks as can be, or where
  none is to be
  made as few, the adversaries wanting the opposite.  It maximises tricks, not payments.  Where none
  is to be made, it is asked only for the numbers that decide how a lost game is paid.
* *Payments* are the engine's settlement of what the solved line shows.  Matadors are as the rules
  count them; premiers
  are paid if that line, among equally good ones the one of the lowest cards, takes the first
  tricks.  Another line for as many tricks may miss them, or make them: that the search for tricks
  does not tell.
* *The vole*, where it may be undertaken after premiers, is undertaken if that pays whoever decides
  more than to stop,
  given how many tricks the line makes.  Otherwise the side stops where the rules let it.  One that
  waits for the ally is decided after the trick of this line in which the called card falls.
* *The vole announced* before the first lead, at a contract that leaves it to Hombre, is announced
  if that is worth more
  to them, given how many tricks the line makes.
* *Declaring* (trumps, the call, an invitation) is each player's choice of what is worth most to
  themselves, as in
  ``solver``; of equals what makes most tricks, then the first in the order of ``engine.declare``.
  Of cards to give in exchange the one that leaves most tricks is given, of equals the first.  Who
  the ally is is no secret here.

So a seat's result is what perfect knowledge makes of it, not what may be expected of anybody at a
table.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from quadrille_core.cards import Card, Suit
from quadrille_core.engine.actions import Action, not_none
from quadrille_core.engine.amounts import table_stake
from quadrille_core.engine.auction import PASS, Auction
from quadrille_core.engine.carry import favourite_suit
from quadrille_core.engine.deal import DealSetup, Hands, check_setup, shuffled_hands
from quadrille_core.engine.declare import Declaration
from quadrille_core.engine.facts import forced_seat, thrown_in
from quadrille_core.engine.result import Result, Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal, played_result
from quadrille_core.engine.terms import (
    asks_several,
    earns_premiers,
    first_leader,
    matadors_held,
    may_announce_vole,
    may_stop,
    vole_level,
)
from quadrille_core.errors import UsageError
from quadrille_core.facts import facts
from quadrille_core.frozen import frozen
from quadrille_core.rules import Bid, Rules, RuleSet
from quadrille_core.stream import Purpose, Stream
from quadrille_plugins.deal.record import to_record
from quadrille_plugins.solver.open_play import Line, OpenPlay, Question, matter
from quadrille_plugins.solver.par import Auctions, AuctionTree, Contract, Par, Worth, par

Declared = tuple[tuple[int, Action], ...]
"""What was declared after the auction, by seat."""


def dealt(rules: Rules, seed: int, session: int, deal: int) -> DealSetup:
    """A single deal: the cards of that seed with only the antes in the pool.

    Where the favourite suit is that of a session's first trumps it is drawn here, as for a session.
    """
    favourite = favourite_suit(rules, seed=seed, session=session, deal=deal, first_trumps=None)
    if rules.favourite.source == "first_trumps":
        favourite = Suit(Stream(seed, session, 0, Purpose.FAVOURITE).below(4))
    return DealSetup(
        hands=shuffled_hands(seed, session, deal, rules),
        pool=Fraction(table_stake(rules)),
        favourite=favourite,
        seed=seed,
        session=session,
        deal=deal,
    )


@frozen
class Solved:
    """A contract declared and played out with all cards open.

    ``tricks`` are those of Hombre's side (where none is to be made and some are, it may be more);
    ``result`` and ``settlement`` are by seat.  ``gifts`` tells for each card that could have been
    given in exchange what tricks it leaves, where that was asked for.
    """

    contract: Contract
    declared: Declared
    hands: Hands
    trump: Suit
    ally: int | None
    tricks: int
    result: Result
    settlement: Settlement
    gifts: tuple[tuple[Card, int], ...] = ()

    @property
    def worth(self) -> Worth:
        """What it is worth to each: their payment, and an equal share of what stays in the pool."""
        return tuple(kept(self.settlement, seat) for seat in range(len(self.settlement.net)))

    def card(self, kind: str) -> Card | None:
        """The card that was called, or given; of several the first."""
        return next((a.card for _, a in self.declared if a.kind == kind), None)


@frozen
class Valued:
    """Par with its contract solved; ``solved`` is None where all pass and the cards are dealt
    anew."""

    par: Par
    solved: Solved | None
    net: Worth


def require_solvable(rules: Rules) -> None:
    """Raise UsageError where a payment depends on more of the play than is known when it begins, or
    a bid asks for several cards, for which there are too many ways to give."""
    if several := asks_several(rules):
        raise UsageError.of("several-cards-not-solved", bid=several.title)
    for fact in (*rules.own.facts(), *rules.own.session_facts()):
        known = fact in facts() and fact.endswith("_dealt")
        if not known and fact not in ("dealer", "eldest", "matadors"):
            raise UsageError.of("payment-not-solved", fact=fact, means=rules.own.fact(fact).doc)


class DealSolver:
    """Solves one deal under one rule set; caches results so that nothing is solved twice.

    ``auctions`` may be shared by deals under the same rules, ``play`` by rules of one order and one
    duty to follow. Raises what ``check_setup`` and ``require_solvable`` raise, and UsageError
    without Numba.
    """

    def __init__(
        self,
        ruleset: RuleSet,
        setup: DealSetup,
        auctions: Auctions | None = None,
        play: OpenPlay | None = None,
    ) -> None:
        check_setup(ruleset.rules, setup)
        require_solvable(ruleset.rules)
        self.ruleset: Final = ruleset
        self.rules: Final[Rules] = ruleset.rules
        self.setup: Final = setup
        self._auctions: Final = auctions or Auctions(ruleset.rules)
        self.play: Final = play or OpenPlay(ruleset.rules.cards, ruleset.rules.forcing)
        self._dealt: Final[Hands] = tuple(tuple(sorted(h)) for h in setup.hands)
        self._played: dict[Any, tuple[Result, Settlement]] = {}
        self._best: dict[Contract, Solved] = {}

    # --- contracts
    #   ---------------------------------------------------------------------------------

    def contracts(self) -> tuple[Contract, ...]:
        """Every bid that each player may open with, lowest first, and the game that falls on
        somebody when all pass."""
        found: list[Contract] = []
        if thrown_in(self.rules.own.throws_in(), self._dealt):
            return ()
        falls = forced_seat(self.rules, self._dealt)
        start = Auction(self._auctions.ladder, self._dealt, self.setup.favourite)
        for seat in range(len(self._dealt)):
            auction = start.copy()
            for _ in range(seat):
                auction.apply(PASS)
            if seat == falls:
                found += [e for e in self.tree().ends if e is not None and e.forced]
            found += [Contract(seat, a.bid) for a in auction.legal() if a.bid is not None]
        return tuple(found)

    def tree(self) -> AuctionTree:
        """Every way the auction of this deal can go."""
        return self._auctions.tree(self._dealt, self.setup.favourite)

    def best(self, contract: Contract) -> Solved:
        """The contract as it is best declared."""
        if contract not in self._best:
            self._best[contract] = self._choose(contract, (), None)
        return self._best[contract]

    def every(self, contract: Contract) -> tuple[Solved, ...]:
        """Every way to declare the contract; where cards are exchanged the best gift, with what all
        gifts leave."""
        found: list[Solved] = []
        self._choose(contract, (), found)
        return tuple(found)

    def declared(self, contract: Contract, declared: Declared) -> Solved:
        """The contract once this much of it is declared, the rest as it is best declared."""
        return self._choose(contract, declared, None)

    def worth(self, end: Contract | None) -> Worth:
        """What an end of the auction is worth to each; None is a new deal."""
        if end is None:
            # as steady reckons: the pool stands, and each is as likely as another to win it
            return (self.setup.pool / len(self._dealt),) * len(self._dealt)
        return self.best(end).worth

    def value(self) -> Valued:
        """Par."""
        found = par(self.tree(), self.worth)
        if thrown_in(self.rules.own.throws_in(), self._dealt):
            found = Par(None, (), self.worth(None))
        if found.contract is None:
            return Valued(found, None, (Fraction(0),) * len(self._dealt))
        solved = self.best(found.contract)
        return Valued(found, solved, solved.settlement.net)

    # --- declaring
    #   ---------------------------------------------------------------------------------

    def _declaration(self, contract: Contract, declared: Declared) -> tuple[Declaration, Hands]:
        """The declaration so far, and the hands as it leaves them."""
        bid = self.rules.bids.of(contract.spec.bid)
        hands = [list(hand) for hand in self._dealt]
        binds = (
            self.rules.favourite.plain_bid_binds
            and bid.in_favourite == "bid"
            and not contract.forced
        )
        made = Declaration(
            contract.spec,
            bid,
            contract.hombre,
            hands,
            favourite=self.setup.favourite,
            binds=binds,
            named=contract.named,
            limits=self.rules,
        )
        for _, action in declared:
            made.apply(action, lambda *_, **__: None)
        return made, tuple(map(tuple, hands))

    def _choose(self, contract: Contract, declared: Declared, seen: list[Solved] | None) -> Solved:
        """What whoever is in turn makes of the contract; with ``seen``, every way to declare it is
        noted there."""
        made, hands = self._declaration(contract, declared)
        seat = made.turn()
        if seat is None:
            return self._note(self._solved(contract, declared, made, hands), seen)
        if made.step() == "give":
            given = self._give(contract, declared, made, seen)
            if given is not None:
                return given
        ways = [self._choose(contract, (*declared, (seat, a)), seen) for a in made.legal()]
        return max(ways, key=lambda s: _liked(s, seat, made.bid))

    @staticmethod
    def _note(solved: Solved, seen: list[Solved] | None) -> Solved:
        if seen is not None:
            seen.append(solved)
        return solved

    def _give(
        self, contract: Contract, declared: Declared, made: Declaration, seen: list[Solved] | None
    ) -> Solved | None:
        """The gift of most tricks under each trump that Hombre may yet name, and of these what is
        worth most to them.

        None where another is still to speak, who would choose by their own lights.
        """
        hombre = contract.hombre
        gifts: list[Declared] = [(*declared, (hombre, a)) for a in made.legal()]
        after = self._declaration(contract, gifts[0])[0]
        last: tuple[Declared, ...] = ((),)
        if after.turn() is not None:
            if after.turn() != hombre or after.bid.trump_by != "hombre":
                return None
            last = tuple(((hombre, a),) for a in after.legal())
        ways = []
        for end in last:
            whole = [(*gift, *end) for gift in gifts]
            leaves = [self._declaration(contract, d) for d in whole]
            tricks = self.play.of_each(
                [self._ask(contract, *leaf) for leaf in leaves], whole=seen is not None
            )
            fewest = leaves[0][0].bid.goal == "none"
            top = (min if fewest else max)(tricks)
            at = tricks.index(top)
            solved = self._solved(contract, whole[at], *leaves[at])
            if seen is not None:
                cards = [not_none(a.card) for d in gifts for _, a in d[-1:]]
                solved = replace(solved, gifts=tuple(zip(cards, tricks, strict=True)))
            ways.append(self._note(solved, seen))
        return max(ways, key=lambda s: _liked(s, hombre, made.bid))

    # --- playing
    #   -----------------------------------------------------------------------------------

    def _ask(self, contract: Contract, made: Declaration, hands: Hands) -> Question:
        side = 1 << contract.hombre | (0 if made.ally is None else 1 << made.ally)
        leader = first_leader(self.rules, contract.hombre)
        return Question(
            tuple(tuple(sorted(h)) for h in hands),
            not_none(made.trump),
            leader,
            side,
            matter(self.rules, made.bid),
        )

    def _asked(self, solved: Solved) -> Question:
        return self._ask(solved.contract, *self._declaration(solved.contract, solved.declared))

    def line(self, solved: Solved) -> Line:
        """The best line of play, all of it, though the game may end before."""
        return self.play.line(self._asked(solved))

    def winners(self, solved: Solved) -> tuple[int, ...]:
        """Who wins each trick of the best line."""
        return self.play.winners(self._asked(solved))

    def shown(self, solved: Solved) -> Solved:
        """The same with the tricks of the best line by seat: a result that can be shown and
        replayed."""
        made, hands = self._declaration(solved.contract, solved.declared)
        result, settlement = self._settled(solved.contract, made, hands, self.winners(solved))
        return replace(solved, result=result, settlement=settlement)

    def _solved(
        self, contract: Contract, declared: Declared, made: Declaration, hands: Hands
    ) -> Solved:
        q = self._ask(contract, made, hands)
        tricks = self.play.tricks(q)
        shows = self.rules.vole.waits_for_ally and not made.ally_public and made.called
        key = (contract, made.ally, made.surrendered, q.hands, q.trump, shows)
        if key not in self._played:
            if self._line_matters(contract, made.bid, made.ally, tricks):
                winners = self.play.winners(q)
            else:
                # any order of so many tricks is paid alike
                against = next(s for s in range(len(hands)) if not q.side >> s & 1)
                winners = (against,) * (self.rules.table.hand_cards - tricks) + (
                    contract.hombre,
                ) * tricks
            self._played[key] = self._settled(contract, made, hands, winners)
        result, settlement = self._played[key]
        return Solved(contract, declared, q.hands, q.trump, made.ally, tricks, result, settlement)

    def _line_matters(self, contract: Contract, bid: Bid, ally: int | None, tricks: int) -> bool:
        """Whether payments for N tricks may depend on which tricks they are and who makes them."""
        hand, allied = self.rules.table.hand_cards, ally is not None
        if tricks == hand:
            return allied
        if tricks >= self.rules.premiers.tricks and (bid.premiers or bid.may_undertake_vole):
            return True
        plain = bid.goal == "at_least" and vole_level(bid, contract.spec.vole) == "none"
        plain = plain and not may_announce_vole(self.rules, bid)
        lost = not plain or tricks < bid.tricks
        if not (allied and lost) or bid.loss_borne == "hombre":
            return False
        weak = bid.loss_borne == "shared_if_hombre_made" and tricks >= bid.hombre_least_tricks
        return weak or 0 < bid.ally_exempt_tricks <= tricks

    def _settled(
        self, contract: Contract, made: Declaration, hands: Hands, winners: Sequence[int]
    ) -> tuple[Result, Settlement]:
        """The result of tricks won in this order, the vole decided by what it pays, and its
        settlement."""
        rules, bid, hombre, ally = self.rules, made.bid, contract.hombre, made.ally
        side = (hombre,) if ally is None else (hombre, ally)
        first, whole = rules.premiers.tricks, tuple(winners)
        if bid.ends_when_lost:
            lost = next((n for n, w in enumerate(whole) if w in side), None)
            whole = whole if lost is None else whole[: lost + 1]
        straight = len(whole) >= first and all(w in side for w in whole[:first])
        level = vole_level(bid, contract.spec.vole)
        before = self._dealt if rules.payments.matadors_counted == "as_dealt" else hands
        held = matadors_held(rules, before, hombre, ally, not_none(made.trump))

        def end(tricks: Sequence[int], vole: Any) -> tuple[Result, Settlement]:
            result = played_result(
                rules,
                self.setup,
                made,
                [tricks.count(s) for s in range(len(hands))],
                matadors=held,
                premiers=straight and earns_premiers(rules, bid, hombre, whole[:first]),
                vole=vole,
                played=(),  # of facts, those of the hands as they were dealt are asked for alone
            )
            return result, settle(rules, result)

        asked = len(whole)
        if straight and bid.may_undertake_vole and level == "none":
            asked = self._asked_after(contract, made, hands)
        won = whole[:asked]
        if asked >= len(whole) or not set(won) <= set(side):
            later = end(whole, level)
        else:
            stop = end(won if may_stop(rules, bid, asked) else whole, level)
            go = end(whole, "undertaken")
            later = go if self._undertaken(won, side, stop[1], go[1]) else stop
        if level == "none" and may_announce_vole(rules, bid):
            announced = end(whole, "announced")
            if kept(announced[1], hombre) > kept(later[1], hombre):
                return announced
        return later

    def _asked_after(self, contract: Contract, made: Declaration, hands: Hands) -> int:
        """After how many tricks of the best line the vole is first decided, all of them won."""
        first = self.rules.premiers.tricks
        if made.ally is None or made.ally_public or not self.rules.vole.waits_for_ally:
            return first
        line = self.play.line(self._ask(contract, made, hands))
        shown = next(n for n, (_, card) in enumerate(line) if card == made.called)
        return max(first, shown // len(hands) + 1)

    def _undertaken(
        self, won: Sequence[int], side: tuple[int, ...], stop: Settlement, go: Settlement
    ) -> bool:
        """Whether the vole is undertaken: the next leader wants it, and their ally agrees if
        asked."""
        vole = self.rules.vole

        def wants(seat: int) -> bool:
            return kept(go, seat) > kept(stop, seat)

        alone = vole.consultation != "ask" or (vole.alone_decides and set(won) == {side[0]})
        return wants(won[-1]) and (alone or all(wants(s) for s in side))

    # --- a record
    #   ----------------------------------------------------------------------------------

    def record(self, solved: Solved, spoken: Sequence[tuple[int, Action]] = ()) -> dict[str, Any]:
        """The deal so bid, declared and played, as a record that can be replayed; without
        ``spoken``, Hombre alone bids."""
        deal = Deal(self.ruleset, self.setup)
        said = iter(spoken) if spoken else None
        declared, cards = iter(solved.declared), iter(self.line(solved))
        contract, vole = solved.contract, self.shown(solved).result.vole
        while deal.turn is not None:
            if deal.phase == "auction":
                mine = (
                    deal.turn == contract.hombre
                    and not contract.forced
                    and deal.auction.standing is None
                )
                own = Action("name", suit=contract.named) if contract.named is not None else None
                opening = own or Action("bid", bid=contract.spec)
                action = next(said)[1] if said else opening if mine else PASS
            elif deal.phase == "declare":
                action = next(declared)[1]
            elif deal.phase == "vole":
                going = [a for a in deal.legal() if a.kind in ("vole", "yes", "ask")]
                goes = vole == ("undertaken" if deal.tricks else "announced")
                action = going[-1] if goes else deal.legal()[0]
            else:
                action = Action("play", card=next(cards)[1])
            deal.apply(action)
        return to_record(deal, settle(self.rules, not_none(deal.result())))


def kept(settlement: Settlement, seat: int) -> Fraction:
    """What a settlement is worth to a seat: its payment, and an equal share of what stays in the
    pool."""
    return settlement.net[seat] + settlement.pool_after / len(settlement.net)


def _liked(solved: Solved, seat: int, bid: Bid) -> tuple[Fraction, int]:
    """The preference of a declarer of Hombre's side: the highest value, then the most tricks."""
    return solved.worth[seat], -solved.tricks if bid.goal == "none" else solved.tricks
