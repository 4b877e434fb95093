"""What the tests of a plugin need: rules compiled with it, what they pay, where they differ, what
bots play, and whether both engines play it alike."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from quadrille_core.engine.amounts import basic_stake, unit_of
from quadrille_core.engine.settle import settle
from quadrille_core.errors import QuadrilleError
from quadrille_core.ruleset import Compiled, compile_reference
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.diff.differences import rules_difference
from quadrille_plugins.house_rules.equality import same_by_both_engines
from quadrille_plugins.settle.answers import in_first_deal, taken_as
from quadrille_plugins.settle.result_file import account_name, read_result

__all__ = [
    "changed",
    "compiled",
    "contracts",
    "faults",
    "same_by_both_engines",
    "transfers",
    "unit",
]


def compiled(
    reference: str,
    *,
    settings: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
) -> Compiled:
    """The rules of ``PROFILE[@WITNESS][+PLUGIN…]``, with rules and readings chosen by hand.

    ``compiled(…).value_of(path)`` is the value of a rule.  Raises ProfileError with every fault.
    """
    return compile_reference(reference, settings=settings, readings=readings)


def faults(reference: str, *, settings: Mapping[str, Any] | None = None) -> list[str]:
    """What the compiler says of the rules, each as ``CODE message``; empty where they have no
    errors."""
    try:
        compile_reference(reference, settings=settings)
    except QuadrilleError as e:
        return [f"{p.code} {p.message}" for p in e.problems]
    return []


def transfers(rules: Compiled, result: Mapping[str, Any]) -> list[tuple[str, str, int | str, str]]:
    """Every payment of a result, as from, to, amount and reason.

    ``result`` has the fields of a result file.  Left out, ``players`` are A, B, C …, ``pool`` is
    that of a first deal; a number for ``tricks`` is what the Hombre's side made.  Raises
    ResultError where the result cannot be.
    """
    of, data = rules.ruleset.rules, dict(result)
    in_first_deal(data, of)
    data, _ = taken_as(data, of, is_typed=False)
    read = read_result(data, of)
    return [
        (
            account_name(t.source, read.players),
            account_name(t.target, read.players),
            plain_amount(t.amount),
            t.reason,
        )
        for t in settle(of, read).transfers
    ]


def unit(rules: Compiled, pool: int | None = None) -> int | str:
    """The counters in a unit with so many in the pool; by default those of a first deal.  A
    fraction is a text."""
    stakes, players = rules.ruleset.rules.stakes, rules.ruleset.rules.table.players
    return plain_amount(
        unit_of(stakes, Fraction(basic_stake(stakes, players) if pool is None else pool))
    )


def changed(before: str, after: str) -> dict[str, tuple[Any, Any]]:
    """The rules in which two rule sets differ, by path: both values, None where there is no such
    rule."""
    return {
        d.path: d.values
        for d in rules_difference(compile_reference(before), compile_reference(after))
    }


def contracts(
    rules: Compiled, *, deals: int = 40, seed: int = 1, bot: str = "steady"
) -> Counter[str]:
    """How often each contract is played in one session; deals that nobody plays count as
    ``redealt``."""
    players = rules.ruleset.rules.table.players
    bots = [make_bot(bot) for _ in range(players)]
    played = play_session(rules.ruleset, bots, seed=seed, session=0, deals=deals)
    return Counter(
        p.deal.contract.bid if p.deal.contract is not None else "redealt" for p in played
    )
