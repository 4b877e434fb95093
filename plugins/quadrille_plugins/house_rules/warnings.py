"""What house rules hardly mean: that a codille costs what a remise costs in every bid, that a
bid earns less than one it overcalls, or that a change of payments meets none."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Final

from quadrille_core import resources
from quadrille_core.cards import NO_TRUMP, SUITS, Suit
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.engine.case import verdict
from quadrille_core.engine.deal import names
from quadrille_core.engine.result import Result
from quadrille_core.engine.settle import settle
from quadrille_core.engine.terms import in_points
from quadrille_core.kinds import TRICKS
from quadrille_core.plugin_rules import Change, PaymentRow, Redirect
from quadrille_core.rules import Rules
from quadrille_core.ruleset import Compiled

_LOSS: Final = "loss."
_STAKES: Final = 3
"""Basic stakes for each player in the pool of the trial, or what the adversaries may share."""

BETWEEN_PLAYERS: Final = (
    "multiplier.stake",
    "payments.matadors_past_four",
    *(
        f"{table}.{item}"
        for table in ("payments", "payments.in_favourite")
        for item in (
            "allied",
            "consolation",
            "game",
            "king",
            "matadors",
            "premiers",
            "premium",
            "vole_lost",
            "vole_premium",
        )
    ),
)
"""The rules, or what stands above them, by which players pay each other."""


def equal_losses(compiled: Compiled) -> str | None:
    """The warning; None where a codille costs another amount, or where the file says nothing of
    lost games.

    Some books really have it so: a shipped rule set is not warned of, nor is a file that takes it
    over.
    """
    leaf = compiled.chain[-1]
    if compiled.kind != TRICKS or leaf.id in resources.shipped_profiles():
        return None
    rules = compiled.rules
    if rules.own.recorded_facts():  # what a loss costs depends on how it was played
        return None
    own = [rule.path for rule in leaf.rules if rule.path.startswith(_LOSS)]
    losses = list(_losses(rules)) if own else []
    if not losses or any(a != b for met in losses for a, b in zip(*met, strict=True)):
        return None
    stated = ", ".join(f"{path}: {_shown(compiled, path)}" for path in own)
    return (
        f"under {leaf.id} a codille costs exactly what a remise costs, in every bid, voles apart "
        f"({stated}); some books have it so; if you do not mean it, set loss.codille_adds above "
        "loss.remise_adds"
    )


def _shown(compiled: Compiled, path: str) -> str:
    value = compiled.origins[path].value
    return f"[{', '.join(map(str, value))}]" if isinstance(value, list | tuple) else str(value)


def _losses(rules: Rules) -> Iterator[tuple[Iterator[object], Iterator[object]]]:
    """What a remise and a codille pay, for each bid that can be lost both ways, alone and with an
    ally."""
    players, hand = names(rules.table.players), rules.table.hand_cards
    stakes = max(_STAKES, rules.loss.codille_shared_from) * len(players)
    pool = Fraction(0 if in_points(rules) else stakes * basic_stake(rules.stakes, len(players)))
    for name, bid in rules.bids.items():
        if not rules.is_played(bid):
            continue
        suits = map(Suit, range(len(SUITS) if rules.own.pays_by_trumps() else 1))
        allies = (None, len(players) - 1) if bid.partner == "called" else (None,)
        for ally, trump in product(allies, [NO_TRUMP] if bid.trump == "none" else suits):
            met: dict[str, Iterator[object]] = {}
            for made in range(hand, -1, -1):
                tricks = (made, hand - made, *(0,) * (len(players) - 2))
                result = Result(
                    players=players,
                    pool=pool,
                    contract=name,
                    trump=trump,
                    hombre=0,
                    ally=ally,
                    tricks=tricks,
                    vole="announced" if bid.is_vole else "none",
                    surrendered=1 if bid.exchange else None,
                )
                met.setdefault(verdict(rules, result).outcome, _variants(rules, result))
            if "remise" in met and "codille" in met:
                yield met["remise"], met["codille"]


def _variants(rules: Rules, result: Result) -> Iterator[object]:
    """What the loss pays with and without matadors on either side, premiers, and the favourite
    suit."""
    for held, theirs, premiers in product((0, 3, 4), (0, 3, 4), (False, True)):
        for favourite in (None, result.trump if result.trump != NO_TRUMP else None):
            changed = replace(
                result,
                matadors=held,
                adversary_matadors=theirs,
                premiers=premiers,
                favourite=favourite,
            )
            settled = settle(rules, changed)
            yield settled.net, settled.pool_after


def falling_premiums(compiled: Compiled) -> str | None:
    """The warning; None where no bid earns less than one that it overcalls."""
    if compiled.kind != TRICKS:
        return None
    rules = compiled.rules
    ladder = sorted(
        (bid.rank, rules.payments.premium.of(name), name)
        for name, bid in rules.bids.items()
        if rules.is_played(bid) and bid.made == "in_turn" and not bid.is_vole
    )
    falls = [(low, high) for low, high in pairwise(ladder) if high[1] < low[1]]
    if not falls:
        return None
    told = ", ".join(
        f"{h[2]} earns {h[1]} and {w[2]}, which it overcalls, {w[1]}" for w, h in falls
    )
    return (
        "the premium falls as the ladder rises, so that the higher bid is hardly made: "
        f"{told} (payments.premium)"
    )


def idle_changes(compiled: Compiled) -> str | None:
    """The warning; None where every change of a plugin meets payments that players may make."""
    if compiled.kind != TRICKS:
        return None
    own = compiled.rules.own
    rows = [r.amount for r in own.all(PaymentRow) if "pool" not in (r.payer, r.payee)]
    idle = [
        f"{change.leaf} changes what {of} orders"
        for change in own.all(Change)
        if own.in_force(change) and not (isinstance(change, Redirect) and change.from_pool)
        for of in change.of
        if not any(
            f"{rule}.".startswith(f"{of}.") or f"{of}.".startswith(f"{rule}.")
            for rule in (*BETWEEN_PLAYERS, *rows)
        )
    ]
    return f"players pay each other nothing so: {'; '.join(idle)}" if idle else None
