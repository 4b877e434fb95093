"""Settlement: from a deal's result to every payment, each with its reason and the rule that orders
it.

Whatever is open to dispute is a leaf of the rules, and its alternatives are readings.  What no leaf
says, a text does:

* Premiers are an item of a loss only if the first tricks were won.  No text pays them otherwise
  ("if Hombre wins the
  first six"); a lost game admits them where a vole was announced or all tricks were undertaken.
* The vole's premium is due once, whichever of the failed-vole leaves and the items of the loss
  order it: Parlett has
  them pay "nothing more than" it.  A vole missed costs the price of its own where
  ``payments.vole_lost`` has one.  One announced is Hombre's word alone, in an alliance too ("the
  soloist could declare", older article, Variations), and the whole game is lost with it: what is
  lost is borne and paid as the game is, and ``vole.undertaken_failed_borne`` is not asked, for the
  ally agreed to nothing.
* Whoever calls a card of one's own plays a solo in secret and wins or loses by it (Parlett,
  Auction).  Its premium is
  the bid's, or by ``payments.own_card_premium`` that of the plain solo.
* A game that counts several times is "won or lost" so (older article, Variations): every payment
  between players is
  counted, and the vole's own pool, which the table of 1752 doubles in favourite too.
  ``multiplier.stake`` says what becomes of the stake; one left frozen is neither won nor lost
  (Parlett, Penalties for a lost vole), and not raised. What is halved is counted first and halved
  after.
* What was not claimed in time is lost to those who did not claim it, and what a lost game owes
  falls due unasked: law
  9 takes "the benefit" from whoever is late.  The vole's own pool lies on the table and is no such
  benefit.
* Two adversaries halve a pool at a codille whatever it holds, and more than two do where it
  divides: the texts except
  the pool "unless there are three".
* The opponents have a lost vole's pool in equal parts (Parlett, Penalties for a lost vole).
* Matadors of the adversaries are owed as the game's own items are: when it is lost by who bears the
  loss, and when it
  is won by who receives those payments (``payments.adversaries_matadors``, a reading of "the same
  side").
"""

from typing import get_args

from quadrille_core.engine.case import Case
from quadrille_core.engine.points_case import PointsCase
from quadrille_core.engine.result import POOL, Result, Settlement
from quadrille_core.engine.terms import in_points
from quadrille_core.plugin_rules import Conditional
from quadrille_core.rules import PayItem, Rules


def settle(rules: Rules, result: Result, *, by_suit: bool = True) -> Settlement:
    """Every payment that the result causes under the rules, exact and itemised.

    The result is taken to be possible; ``impossible`` of the slice ``settle`` says whether it is.
    Without ``by_suit``, what plugins pay at trumps of one suit is left out.
    """
    case = (PointsCase if in_points(rules) else Case)(rules, result)
    how = case.how
    if not how.frozen:
        case.raise_stake()
    if how.outcome == "won":
        case.win()
    elif not how.frozen:
        case.lose()
    if not how.frozen:
        case.reward_adversaries()
    if case.level != "none":
        case.settle_vole_pool()
        case.settle_vole_premium()
    case.settle_fund()
    case.settle_rows(by_suit=by_suit)
    balances = case.ledger.balances(len(result.players))
    return Settlement(
        outcome=how.outcome,
        transfers=tuple(case.ledger.transfers),
        net=tuple(balances[: len(result.players)]),
        pool_before=result.pool,
        pool_after=result.pool + balances[POOL],
        vole=how.vole,
        frozen=how.frozen,
        beast=case.beast,
        pool_taken=case.pool_taken,
        lapsed=tuple(case.lapsed),
        undivided=tuple(case.undivided),
    )


def wanted_facts(rules: Rules, result: Result) -> dict[str, Conditional]:
    """The facts that must be told of a result, each with a payment that depends on it."""
    if in_points(rules) or not rules.own.recorded_facts():
        return {}
    return Case(rules, result).wanted_facts()


def due(rules: Rules, result: Result) -> tuple[PayItem, ...]:
    """The items that Hombre's side has earned, and may claim where claims are required."""
    case = Case(rules, result)
    if case.how.outcome != "won" or case.forfeited():
        return ()
    earned = {item.kind for item in case.items() if item.amount and case.kept(item)}
    if case.how.vole == "won" and case.vole_premium():
        earned.add("vole")
    return tuple(kind for kind in get_args(PayItem) if kind in earned)
