"""One deal at the table, from the auction to the last trick: the state machine.

A deal runs through the phases ``auction``, ``declare``, ``play``, ``vole`` (the decision after
premiers, or before the first lead) and ``over``.  In each, ``turn`` says whose move it is,
``legal`` what they may do, ``refusal`` why they may not do something, and ``apply`` does it and
records the events.

After premiers
--------------
When Hombre's side has won every one of the first ``premiers.tricks`` tricks and tricks remain,
whoever won the last of them decides how it goes on:

- alone they may ``claim`` the game or undertake the ``vole``;
- with an ally they may ``claim`` or ``ask``; the ally answers ``yes`` (the vole is undertaken) or
  ``no``
  (the game is claimed); where ``vole.consultation`` is ``ask_or_declare`` they may also undertake
  the ``vole`` unasked;
- with an ally who took none of these tricks Hombre may likewise decide alone, where
  ``vole.alone_decides``;
- where ``premiers.claim`` does not let a side stop, or its game wants more tricks, ``no`` takes the
  place of
  ``claim``: the rest is played without the vole being undertaken, and an ally's ``no`` means the
  same.

There is no decision, and all the tricks are played, where the bid does not let the vole be
undertaken or the vole was announced already.  Whether premiers are *paid* (``bids.*.premiers``)
does not matter here.  An ally who was not yet known and speaks in this decision is known thereby.

Before the first lead
---------------------
Where ``vole.announced_until`` is ``first_lead``, Hombre decides alone whether to announce the
``vole`` (or ``no``) at a bid with ``vole_before_lead``, when all is declared and it was not
announced with the bid.  Where ``vole.ally_known`` is ``beforehand`` they may first ``ask`` who is
with them, and decide when the whole table knows; otherwise, and if they do not ask, it is known
once they have announced the vole.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal, NoReturn, cast

from quadrille_core.cards import PACK, Card, Suit, format_card
from quadrille_core.engine.actions import (
    Action,
    BidSpec,
    Event,
    EventKind,
    Refusal,
    Stage,
    not_none,
)
from quadrille_core.engine.amounts import counts_beasts
from quadrille_core.engine.auction import Auction, Ladder
from quadrille_core.engine.deal import DealSetup, check_setup
from quadrille_core.engine.declare import Declaration
from quadrille_core.engine.facts import forced_seat, recorded, thrown_in
from quadrille_core.engine.finished import FinishedDeal, Trick, told_of
from quadrille_core.engine.forcing import Follow, follow
from quadrille_core.engine.ranking import CardRanking, ranking
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import due
from quadrille_core.engine.terms import (
    earns_premiers,
    first_leader,
    matadors_held,
    may_announce_vole,
    may_stop,
    times_counted,
    vole_level,
)
from quadrille_core.errors import IllegalActionError
from quadrille_core.rules import Bid, Rules, RuleSet, VoleLevel

Phase = Literal["auction", "declare", "play", "vole", "over"]

PLAY: Final = tuple(Action("play", card=c) for c in PACK)
CLAIM: Final = Action("claim")
ASK: Final = Action("ask")
YES: Final = Action("yes")
NO: Final = Action("no")
VOLE: Final = Action("vole")

_KINDS: Final[dict[Phase, tuple[str, ...]]] = {
    "auction": ("pass", "bid", "name"),
    "declare": ("trump", "invite", "call", "give"),
    "play": ("play",),
    "vole": ("claim", "ask", "yes", "no", "vole"),
}
_PHASE_OF: Final = {kind: phase for phase, kinds in _KINDS.items() for kind in kinds}
_NOW: Final = {
    "auction": "the auction is open",
    "declare": "the game is being declared",
    "play": "cards are being played",
    "vole": "the vole is to be decided",
    "over": "the deal is over",
}

_LADDERS: dict[int, Ladder] = {}


def _ladder(rules: Rules) -> Ladder:
    """The ladder of these rules, computed once as long as few rule sets are in use."""
    known = _LADDERS.get(id(rules))
    if known is None or known.rules is not rules:
        if len(_LADDERS) > 64:
            _LADDERS.clear()
        known = _LADDERS[id(rules)] = Ladder(rules)
    return known


class Deal:
    """A deal under a rule set.  Read its attributes freely; change it through ``apply`` alone."""

    def __init__(self, ruleset: RuleSet, setup: DealSetup) -> None:
        check_setup(ruleset.rules, setup)
        self.ruleset: Final = ruleset
        self.rules: Final[Rules] = ruleset.rules
        self.setup: Final = setup
        self.hands: list[list[Card]] = [sorted(hand) for hand in setup.hands]
        self.auction = Auction(_ladder(self.rules), self.hands, setup.favourite)
        self.declaration: Declaration | None = None
        self.forced = False
        """Whether the bid fell on Hombre because all had passed."""
        self.phase: Phase = "auction"
        self.turn: int | None = 0
        self.events: list[Event] = []
        self.actions: list[tuple[int, Action]] = []
        """Every action so far, by seat."""
        self.tricks: list[Trick] = []
        self.trick: list[Card] = []
        self.leader = 0
        self.won: list[int] = [0] * len(self.hands)
        self.premiers = False
        """Whether premiers were made in a game that pays them."""
        self.vole: VoleLevel = "none"
        self.redealt = False
        self.asked = False
        """Whether an ally has asked for the vole and waits for the answer."""
        self.shown: list[tuple[int, tuple[Card, ...]]] = []
        """Cards laid open on the table, by seat."""
        self._straight, self._vole_waits = True, False
        self._legal: tuple[Action, ...] | None = None
        self._follow: Follow | None = None
        self._ranking: CardRanking | None = None
        self._matadors = self._against = 0
        self._emit("deal", len(self.hands) - 1, "deal")
        if (throws := self.rules.own.throws_in()) and (who := thrown_in(throws, setup.hands)):
            self._emit("shows", who[0], "auction", cards=tuple(self.hands[who[0]]))
            self.redealt = True
            self._end("redeal")

    # --- what a reader may want
    #   --------------------------------------------------------------------

    @property
    def contract(self) -> BidSpec | None:
        """The bid that is played, once the auction is over."""
        return None if self.declaration is None else self.declaration.spec

    @property
    def bid(self) -> Bid | None:
        """The rules of the bid that is played."""
        return None if self.declaration is None else self.declaration.bid

    @property
    def hombre(self) -> int | None:
        """Hombre's seat."""
        return None if self.declaration is None else self.declaration.hombre

    @property
    def ally(self) -> int | None:
        """The ally's seat, whether the table knows it or not."""
        return None if self.declaration is None else self.declaration.ally

    @property
    def trump(self) -> Suit | None:
        """The trumps named, NO_TRUMP where there are none, None before they are named."""
        return None if self.declaration is None else self.declaration.trump

    @property
    def over(self) -> bool:
        """Whether nothing more is to be done."""
        return self.turn is None

    def side(self) -> tuple[int, ...]:
        """Hombre and their ally; empty before there is a Hombre."""
        d = self.declaration
        if d is None:
            return ()
        return (d.hombre,) if d.ally is None else (d.hombre, d.ally)

    def _emit(self, kind: EventKind, seat: int | None, stage: Stage, **told: Any) -> None:
        self.events.append(Event(kind, seat, stage, players=self.setup.players, **told))

    # --- what may be done
    #   --------------------------------------------------------------------------

    def legal(self) -> tuple[Action, ...]:
        """The actions of the player in turn, in a fixed order; empty when the deal is over."""
        if self._legal is None:
            self._legal = self._find_legal()
        return self._legal

    def _find_legal(self) -> tuple[Action, ...]:
        if self.turn is None:
            return ()
        if self.phase == "play":
            hand = tuple(self.hands[self.turn])
            cards = tuple(PLAY[c] for c in not_none(self._follow).legal(hand, self.trick))
            return cards if self._claim_fault(self.turn) else (*cards, CLAIM)
        if self.phase == "auction":
            return self.auction.legal()
        if self.phase == "declare":
            return not_none(self.declaration).legal()
        return self._vole_choices()

    def _claim_fault(self, seat: int) -> str:
        """Why this seat may not end the play with the game's tricks made; empty when they may."""
        bid = not_none(self.bid)
        if not self.rules.play.claim_won or bid.goal != "at_least" or self.vole != "none":
            return "a game that is won is played on"
        if self.trick or seat not in self.side():
            return "only Hombre's side, being on lead, may end the play"
        # of tricks that a hidden ally made nobody else can tell whose they are
        knows = seat == self.ally or not_none(self.declaration).ally_public
        made = sum(self.won[s] for s in self.side()) if knows else self.won[seat]
        return (
            ""
            if made >= bid.tricks
            else f"the side is not known to have made the {bid.tricks} tricks of the game"
        )

    def _vole_choices(self) -> tuple[Action, ...]:
        if self.asked:
            return (YES, NO)
        if not self.tricks:
            return (NO, ASK, VOLE) if self._may_ask_who() else (NO, VOLE)
        stop = CLAIM if self._may_stop() else NO
        vole = self.rules.vole
        if self.ally is None or vole.consultation == "silent":
            return (stop, VOLE)
        own = vole.alone_decides and all(t.winner == self.hombre for t in self.tricks)
        return (stop, ASK, VOLE) if own or vole.consultation == "ask_or_declare" else (stop, ASK)

    def _may_stop(self) -> bool:
        return may_stop(self.rules, not_none(self.bid), len(self.tricks))

    def _may_ask_who(self) -> bool:
        """Whether Hombre, before the first lead, may have the ally named before they decide on the
        vole."""
        unknown = self.ally is not None and not not_none(self.declaration).ally_public
        return unknown and self.rules.vole.ally_known == "beforehand"

    def refusal(self, action: Action) -> Refusal | None:
        """Why the player in turn may not do this, with the rule that forbids it; None when they
        may."""
        return None if action in self.legal() else self._refusal(action)

    def _refusal(self, action: Action) -> Refusal:
        phase = _PHASE_OF[action.kind]
        if action.kind == "claim" and self.phase == "play":
            return Refusal(self._claim_fault(not_none(self.turn)), "play.claim_won")
        if phase != self.phase:
            return Refusal(
                _NOW[self.phase],
                self.phase if self.phase in ("auction", "play", "vole") else "bids",
            )
        found: Refusal | None = None
        if self.phase == "auction" and action.bid is not None:
            found = self.auction.refusal(action.bid)
        elif self.phase == "auction" and action.suit is not None:
            found = self.auction.name_refusal(action.suit)
        elif self.phase == "declare" and self.declaration is not None:
            found = self.declaration.refusal(action)
        elif self.phase == "play" and action.card is not None:
            found = self._card_refusal(action.card)
        elif self.phase == "vole":
            found = self._vole_refusal(action)
        return found or Refusal("this is no action that can be taken here", phase)

    def _card_refusal(self, card: Card) -> Refusal:
        hand = tuple(self.hands[not_none(self.turn)])
        if card not in hand:
            return Refusal(f"{format_card(card)} is not in the player's hand", "play")
        ruling = next(r for r in not_none(self._follow).explain(hand, self.trick) if r.card == card)
        return Refusal(ruling.reason, ruling.rule)

    def _vole_refusal(self, action: Action) -> Refusal:
        if not self.tricks and action.kind == "ask":
            known = self.rules.vole.ally_known == "beforehand"
            why = (
                "Hombre knows the ally already"
                if known
                else "the ally is known once the vole is announced"
            )
            return Refusal(why, "vole.ally_known")
        if not self.tricks:
            return Refusal(
                "Hombre announces the vole before the first lead, or does not",
                "vole.announced_until",
            )
        if self.asked or action.kind == "yes":
            asked = (
                "the question is whether to play for the vole"
                if self.asked
                else "nothing was asked"
            )
            return Refusal(asked, "vole.consultation")
        if action.kind == "ask":
            return Refusal("there is no ally to ask", "vole.consultation")
        if action.kind == "vole":
            return Refusal("the ally must be asked first", "vole.consultation")
        may = "may" if self._may_stop() else "may not"
        return Refusal(f"the side that made premiers {may} end the play there", "premiers.claim")

    # --- doing it
    #   ----------------------------------------------------------------------------------

    def apply(self, action: Action) -> None:
        """Do what the player in turn has chosen; raises IllegalActionError when they may not."""
        legal = self.legal()
        seat = self.turn
        if seat is None or action not in legal:
            self._refuse(action, legal)
        self._legal = None
        self.actions.append((seat, action))
        if self.phase == "play" and action.kind == "claim":
            self._emit("claim", seat, "play")
            self._end("the game is claimed")
        elif self.phase == "play":
            self._apply_play(seat, action)
        elif self.phase == "auction":
            self._apply_auction(seat, action)
        elif self.phase == "declare":
            not_none(self.declaration).apply(action, self._emit)
            self._go_on_declaring()
        else:
            self._apply_vole(seat, action)

    def _refuse(self, action: Action, legal: Sequence[Action]) -> NoReturn:
        who = "nobody" if self.turn is None else self.setup.players[self.turn]
        why, variant = self._refusal(action), "may-not" if legal else "may-not-and-nothing-is-legal"
        raise IllegalActionError.of(variant, player=who, action=action, why=why, legal=legal)

    def _apply_auction(self, seat: int, action: Action) -> None:
        self.auction.apply(action)
        if action.kind == "pass":
            self._emit("pass", seat, "auction")
        else:
            spec = not_none(self.auction.standing)[1]
            kind: EventKind = "bid" if action.kind == "bid" else "names"
            self._emit(kind, seat, "auction", bid=spec, suit=action.suit)
            self._show(seat, self.rules.bids.of(spec.bid), "with_bid")
        self.turn = self.auction.turn
        if self.turn is not None:
            return
        if self.auction.standing is not None:
            self._open_contract(*self.auction.standing)
        else:
            self._all_passed()

    def _show(self, seat: int, bid: Bid, when: str) -> None:
        if bid.shows == when and bid.needs:
            self.shown.append((seat, bid.needs))
            self._emit("shows", seat, "auction", cards=bid.needs)

    def _all_passed(self) -> None:
        forced, holder = (
            self.rules.forced_bid(),
            forced_seat(self.rules, self.hands, self.setup.before),
        )
        if forced is None or holder is None:
            self.redealt = True
            self._end("redeal")
            return
        self.forced = True
        spec = BidSpec(forced[0])
        self._emit("forced", holder, "auction", bid=spec)
        self._open_contract(holder, spec)

    def _open_contract(self, hombre: int, spec: BidSpec) -> None:
        bid = self.rules.bids.of(spec.bid)
        binds = (
            self.rules.favourite.plain_bid_binds and bid.in_favourite == "bid" and not self.forced
        )
        favourite, named = self.setup.favourite, self.auction.named
        self.declaration = Declaration(
            spec,
            bid,
            hombre,
            self.hands,
            favourite=favourite,
            binds=binds,
            named=named,
            limits=self.rules,
        )
        self.vole = vole_level(bid, spec.vole)
        self._show(hombre, bid, "after_auction")
        if spec.vole == "revealed":
            self._emit("shows", hombre, "auction", cards=tuple(self.hands[hombre]))
        if named is not None:
            self._emit("trump", hombre, "auction", suit=named)
        self.phase = "declare"
        self._go_on_declaring()

    def _go_on_declaring(self) -> None:
        d = not_none(self.declaration)
        self.turn = d.turn()
        if self.turn is not None:
            return
        trump = not_none(d.trump)
        self._follow = follow(self.rules.forcing, trump)
        self._ranking = ranking(self.rules.cards, trump)
        dealt = self.rules.payments.matadors_counted == "as_dealt"
        hands: Sequence[Sequence[Card]] = self.setup.hands if dealt else self.hands
        self._matadors, self._against = matadors_held(self.rules, hands, d.hombre, d.ally, trump)
        self.leader = first_leader(self.rules, d.hombre)
        if self.vole == "none" and may_announce_vole(self.rules, d.bid):
            self.phase, self.turn = "vole", d.hombre
        else:
            self.phase, self.turn = "play", self.leader

    # --- tricks
    #   ------------------------------------------------------------------------------------

    def _apply_play(self, seat: int, action: Action) -> None:
        card, d = not_none(action.card), not_none(self.declaration)
        self.hands[seat].remove(card)
        self.trick.append(card)
        self._emit("play", seat, "play", cards=(card,))
        if card == d.called and not d.ally_public:
            d.reveal(self._emit, "play")
        if len(self.trick) < len(self.hands):
            self.turn = (seat + 1) % len(self.hands)
        else:
            self._finish_trick()

    def _finish_trick(self) -> None:
        cards = tuple(self.trick)
        winner = (self.leader + not_none(self._ranking).winner(cards)) % len(self.hands)
        self.tricks.append(Trick(self.leader, cards, winner))
        self.won[winner] += 1
        self.trick = []
        self.leader = self.turn = winner
        self._emit("trick", winner, "play", cards=cards)
        if winner not in self.side():
            self._straight = False
        elif not_none(self.bid).ends_when_lost:
            self._end("the game is lost")
            return
        played = len(self.tricks)
        if played == self.rules.premiers.tricks and self._straight:
            self._made_premiers(winner)
        elif self._straight and self._vole_waits:
            self._offer_vole()
        if played == self.rules.table.hand_cards:
            self._end("all tricks are played")

    def _made_premiers(self, winner: int) -> None:
        bid = not_none(self.bid)
        if earns_premiers(self.rules, bid, not_none(self.hombre), [t.winner for t in self.tricks]):
            self.premiers = True
            self._emit("premiers", winner, "play")
        self._offer_vole()

    def _offer_vole(self) -> None:
        remaining = len(self.tricks) < self.rules.table.hand_cards
        hidden = self.ally is not None and not not_none(self.declaration).ally_public
        self._vole_waits = self.rules.vole.waits_for_ally and hidden
        if (
            remaining
            and not_none(self.bid).may_undertake_vole
            and self.vole == "none"
            and not self._vole_waits
        ):
            self.phase = "vole"
            if self.rules.vole.ally_known == "beforehand":
                not_none(self.declaration).reveal(self._emit, "play")

    def _apply_vole(self, seat: int, action: Action) -> None:
        d, kind = not_none(self.declaration), action.kind
        if not self.tricks:
            self._apply_announcement(kind)
            return
        self._emit(cast("EventKind", kind), seat, "play")
        if seat == d.ally:
            d.reveal(self._emit, "play")
        if kind == "ask":
            self.asked = True
            self.turn = d.ally if seat == d.hombre else d.hombre
            return
        if kind in ("yes", "vole"):
            self.vole = "undertaken"
            # whoever plays for the vole is entitled to know who is with them
            d.reveal(self._emit, "play")
            if kind == "yes":
                self._emit("vole", self.leader, "play")
        elif self._may_stop():
            if kind == "no":
                self._emit("claim", self.leader, "play")
            self._end("the game is claimed")
            return
        self.phase, self.turn = "play", self.leader

    def _apply_announcement(self, kind: str) -> None:
        """Hombre's announcement of a vole before the first lead; no event when they announce
        none."""
        if kind == "ask":
            self._emit("ask", self.hombre, "auction")
            not_none(self.declaration).reveal(self._emit, "auction")
            return
        if kind == "vole":
            self.vole = "announced"
            self._emit("vole", self.hombre, "auction")
            not_none(self.declaration).reveal(self._emit, "auction")
        self.phase, self.turn = "play", self.leader

    def _end(self, note: str) -> None:
        self.phase = "over"
        self.turn = None
        if self.declaration is not None:
            self.declaration.reveal(self._emit, "play")
        self._emit("end", None, "auction" if self.redealt else "play", note=note)

    def result(self) -> Result | None:
        """What settlement needs to know; None while the deal runs and when the cards were
        redealt."""
        d = self.declaration
        if self.phase != "over" or d is None or d.trump is None:
            return None
        made = played_result(
            self.rules,
            self.setup,
            d,
            self.won,
            matadors=(self._matadors, self._against),
            premiers=self.premiers,
            vole=self.vole,
            played=self.tricks,
        )
        if asked := self.rules.own.own_facts():
            told = told_of(self._finished(d, d.trump), asked.values())
            made = replace(made, facts=(*made.facts, *told))
        return made

    def _finished(self, d: Declaration, trump: Suit) -> FinishedDeal:
        """The deal as plugins read it."""
        spoken = ((seat, a) for seat, a in self.actions if a.kind in _KINDS["auction"])
        return FinishedDeal(
            hands=self.setup.hands,
            spoken=tuple((seat, str(action)) for seat, action in spoken),
            contract=d.spec.bid,
            forced=self.forced,
            hombre=d.hombre,
            ally=d.ally,
            called=d.called,
            surrendered=d.surrendered,
            trump=trump,
            favourite=self.setup.favourite,
            vole=self.vole,
            tricks=tuple(self.tricks),
        )


def played_result(
    rules: Rules,
    setup: DealSetup,
    d: Declaration,
    tricks: Sequence[int],
    *,
    matadors: tuple[int, int],
    premiers: bool,
    vole: VoleLevel,
    played: Sequence[Trick] | None,
) -> Result:
    """The result of a deal so declared, by each seat's tricks; at this table everybody claims in
    time what must be claimed.

    Without the tricks that were ``played`` it has no facts of play.
    """
    made = Result(
        players=setup.players,
        pool=setup.pool,
        contract=d.spec.bid,
        trump=not_none(d.trump),
        hombre=d.hombre,
        tricks=tuple(tricks),
        favourite=setup.favourite,
        ally=d.ally,
        surrendered=d.surrendered,
        also_surrendered=tuple(d.holders[1:]) if d.bid.exchange else (),
        matadors=matadors[0],
        adversary_matadors=matadors[1],
        premiers=premiers,
        vole=vole,
        multiplier=times_counted(rules, setup.multiplier),
        beasts=setup.beasts if counts_beasts(rules) else 0,
        incidents=setup.incidents,
    )
    if played is not None and (names := rules.own.recorded_facts()):
        made = replace(made, facts=recorded(names, setup.hands, played, made.trump, setup.before))
    wanted = d.bid.claimed
    if not wanted:
        return made
    return replace(made, claims=tuple(i for i in due(rules, made) if i in wanted))
