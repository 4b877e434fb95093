"""The kernel's settlement against the readable engine's: every transfer, in order, of results drawn
under many rules.

The rules are those of every profile and witness, each reading of each point, the profiles with
plugins, and rules drawn over every value of every leaf.  Under each a few sessions are made up:
results that can have happened, each beginning with what the one before has left.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any, get_args

import pytest

pytest.importorskip("numba")

import numpy as np
from combinations import PAIRS, PLUGINS, located, reference, settings
from quadrille_plugins.kernel import carry as kernel
from quadrille_plugins.kernel.record import MOST_ROWS, number_of
from quadrille_plugins.kernel.settle import due, settle
from quadrille_plugins.kernel.state import CARRY, OUT, RESULT
from quadrille_plugins.kernel.tabulate import decode, scale_of
from quadrille_plugins.kernel.tabulate import tabulate as tabulated
from support import made_result, made_rules, made_values
from support.any_rules import BASES, changes
from support.decisive import refusals
from support.drawn import drawn_result

from quadrille_core import vocabulary
from quadrille_core.engine import carry as readable
from quadrille_core.engine.carry import START, Carry
from quadrille_core.engine.deal_record import Names
from quadrille_core.engine.result import SCORE, Result, Settlement
from quadrille_core.engine.settle import due as due_items
from quadrille_core.engine.settle import settle as settled
from quadrille_core.plugin_rules import TRUMPS, PaymentRow, PluginRules
from quadrille_core.rules import PayItem, Rules, VoleLevel
from quadrille_core.ruleset import Compiled, compile_reference

OUTCOMES = ("won", "remise", "codille")
SESSIONS, DEALS = 2, 5
"""Under each rule set."""
DRAWN, MOST_CHANGED = 160, 7
"""Rule sets drawn from each base, and how many of its rules are changed at most."""
SETTLES = (
    "stakes",
    "exchange",
    "vole.stake_in",
    "vole.undertaken",
    "vole.announced",
    "payments",
    "loss",
    "multiplier",
)
OF_BIDS = (
    "goal",
    "tricks",
    "is_vole",
    "partner",
    "matadors",
    "lost_as",
    "loss_borne",
    "pool_penalty",
    "claimed",
)
"""The rules that settlement reads: those that begin so, and those of a bid; of bids further words
are drawn too."""
RARE: tuple[dict[str, Any], ...] = (
    {"multiplier.after_losses": "counted", "multiplier.stake": "made_good"},
    {
        "multiplier.after_losses": "counted",
        "multiplier.stake": "made_good",
        "stakes.odd_counters": "eldest",
    },
    {"multiplier.after_losses": "counted", "multiplier.stake": "raised"},
    {
        "multiplier.after_losses": "counted",
        "multiplier.stake": "raised",
        "stakes.odd_counters": "pool",
    },
    {
        "multiplier.after_losses": "counted",
        "multiplier.stake": "raised",
        "loss.beast_size": "doubling",
    },
    {
        "multiplier.after_losses": "counted",
        "multiplier.stake": "raised",
        "vole.announced_failed": "stake_frozen",
    },
    {"multiplier.after_losses": "counted", "multiplier.stake": "penalty"},
    {"loss.allies_pay": "as_received", "payments.allies_paid": "each_opponent_each_ally"},
    {
        "loss.allies_pay": "as_received",
        "payments.allies_paid": "once_and_halved",
        "payments.odd_half": "hombre",
    },
    {"vole.undertaken_failed_borne": "as_game", "vole.undertaken_failed_premium": True},
    {"vole.undertaken_failed_borne": "as_game", "vole.undertaken_failed_takers": "adversaries"},
    {
        "vole.undertaken_failed_takers": "adversaries",
        "multiplier.after_losses": "counted",
        "multiplier.stake": "made_good",
    },
    {"vole.announced_lost_pays": "game_alone", "loss.remise_pays": ["matadors", "vole"]},
    {"loss.beasts": "wait", "loss.beast_size": "by_firsts"},
    {"loss.beasts": "wait", "loss.beast_size": "of_pool"},
    {"loss.beast_size": "doubling"},
    {"payments.adversaries_matadors": "to_holders", "payments.matadors_held_by": "side"},
    {"payments.adversaries_matadors": "to_winners", "payments.matadors_held_by": "side"},
    {
        "payments.own_card_premium": True,
        "bids.alliance.call.own_card": "always",
        "bids.alliance.trump_by": "hombre",
    },
    {"score.kept": "points", "stakes.ante": 0, "stakes.unit_of": "constant", "stakes.unit": "1/2"},
)
"""Rules that matter only together, and meet seldom when each is drawn by itself."""
WITH = dict(zip(BASES, PLUGINS, strict=False))
"""So that a test of each base has also some plugins with one another, at the plain table."""

Row = Any
"""A record of the kernel's."""


def tabulate(rules: Rules, scale: int) -> Row:
    return tabulated(rules, Names(), scale)


def items_mask(items: Any) -> int:
    return number_of(tuple[PayItem, ...], items)


# --- results that can have happened ---------------------------------------------------------------


# --- the two engines side by side -----------------------------------------------------------------


def row_of(rules: Rules, result: Result, scale: int) -> Row:
    """The result as the kernel takes it."""
    row = np.zeros(1, RESULT)[0]
    row["pool"] = int(result.pool * scale)
    row["bid"] = rules.bids.names().index(result.contract)
    row["trump"], row["hombre"] = result.trump, result.hombre
    row["ally"] = -1 if result.ally is None else result.ally
    row["surrendered"] = -1 if result.surrendered is None else result.surrendered
    row["matadors"], row["against"] = result.matadors, result.adversary_matadors
    row["premiers"], row["vole"] = result.premiers, number_of(VoleLevel, result.vole)
    row["claims"], row["times"] = items_mask(result.claims), result.multiplier
    row["beasts"] = result.beasts
    row["favourite"] = -1 if result.favourite is None else result.favourite
    row["tricks"][: len(result.tricks)] = result.tricks
    return row


def told(rules: Rules, out: Row, scale: int) -> dict[str, Any]:
    """What the kernel's settlement says, as the readable one spells it."""
    transfers = [
        (source, target, Fraction(amount, scale), decode(rules, why))
        for source, target, amount, why in out["transfers"][: out["count"]].tolist()
    ]
    return {
        "transfers": transfers,
        "outcome": OUTCOMES[out["outcome"]],
        "vole": ("none", "won", "lost")[out["vole"]],
        "frozen": bool(out["frozen"]),
        "beast": Fraction(int(out["beast"]), scale),
        "pool_taken": bool(out["pool_taken"]),
        "pool_after": Fraction(int(out["pool_after"]), scale),
        "written": Fraction(int(out["written"]), scale),
        "net": tuple(Fraction(int(n), scale) for n in out["net"][: rules.table.players]),
    }


def expected(settlement: Settlement) -> dict[str, Any]:
    transfers = [(t.source, t.target, t.amount, t.rule) for t in settlement.transfers]
    written = sum((a * ((s == SCORE) - (t == SCORE)) for s, t, a, _ in transfers), Fraction(0))
    names = ("outcome", "vole", "frozen", "beast", "pool_taken", "pool_after", "net")
    return {"transfers": transfers, "written": written} | {
        name: getattr(settlement, name) for name in names
    }


def carry_told(c: Row, scale: int) -> Carry:
    waiting = c["wait"][: c["waits"]]
    return Carry(
        pool=Fraction(int(c["pool"]), scale),
        losses=int(c["losses"]),
        standing=int(c["standing"]),
        waiting=tuple(Fraction(int(beast), scale) for beast in waiting),
    )


class SettledSessions:
    """Sessions made up under rules, settled by both engines; ``tally`` counts what was met in
    them."""

    def __init__(self) -> None:
        self.tally: Counter[str] = Counter()
        # what was there before must not matter
        self.out: Row = np.full(OUT.itemsize // 8, 7, np.int64).view(OUT)[0]
        self.c: Row = np.full(CARRY.itemsize // 8, 7, np.int64).view(CARRY)[0]

    def play(self, rng: random.Random, rules: Rules, scale: int = 0, deals: int = DEALS) -> None:
        scale = scale or scale_of([rules])
        money = tabulate(rules, scale)
        self.tally["unfit rules"] += int(money["unfit"])
        for _ in range(SESSIONS):
            carry = START
            kernel.start(self.c)
            for _ in range(deals):
                result = drawn_result(rng, rules, carry)
                settlement = (
                    None if result is None or rng.random() < 0.1 else settled(rules, result)
                )
                if result is None or settlement is None:
                    kernel.redealt(money, self.c)
                elif not self.compare(rules, money, result, settlement):
                    break
                else:
                    kernel.carried(money, self.c, self.out)
                carry = readable.carried(rules, carry, settlement)
                assert carry_told(self.c, scale) == carry
                assert Fraction(int(kernel.staked(money, self.c)), scale) == readable.staked(
                    rules, carry
                )
                assert kernel.multiplier_of(money, self.c) == readable.multiplier_of(rules, carry)
                assert kernel.beasts(self.c) == carry.beasts
                assert Fraction(int(kernel.held(self.c)), scale) == carry.held
                self.tally["waiting"] += len(carry.waiting) > 1
                self.tally["several times"] += readable.multiplier_of(rules, carry) > 2

    def compare(self, rules: Rules, money: Row, result: Result, settlement: Settlement) -> bool:
        """Compare one settlement; False when the kernel says that it cannot tell the amounts."""
        scale = int(money["scale"])
        row = row_of(rules, result, scale)
        assert self.c["pool"] + money["basic_stake"] == row["pool"]
        settle(money, row, self.out)
        self.tally["settled"] += 1
        if self.out["inexact"]:
            self.tally["inexact"] += 1
            return False
        shown = told(rules, self.out, scale)
        assert shown == expected(settlement), result
        for *_, rule in shown["transfers"]:
            self.tally[".".join(rule.split(".")[:2]).replace("in_favourite", "premium")] += 1
        self.tally[settlement.outcome] += 1
        self.tally[f"vole {settlement.vole}"] += 1
        self.tally["frozen"] += settlement.frozen
        self.tally["in favourite"] += any("in_favourite" in t.rule for t in settlement.transfers)
        self.tally["lapsed"] += bool(settlement.lapsed)
        own = rules.payments.own_card_premium and rules.bids.of(result.contract).partner == "called"
        self.tally["own card"] += own and result.ally is None
        self.tally["five"] += len(result.players) == 5
        after = self.out.copy()
        assert due(money, row, self.out) == items_mask(due_items(rules, result)), result
        self.out = after
        return True


# --- the rules ------------------------------------------------------------------------------------


@cache
def compiled(reference: str) -> Compiled:
    return compile_reference(reference)


def values_of(reference: str) -> dict[str, Any]:
    return {path: origin.value for path, origin in compiled(reference).origins.items()}


def allowed(values: dict[str, Any]) -> Iterator[Rules]:
    """The rules, unless the compiler would refuse them."""
    if not refusals(values):
        yield vocabulary.build(values)


def readings(name: str) -> Iterator[Rules]:
    """A profile under each reading of each of its points."""
    for state in compiled(name).points:
        for reading in state.point.readings:
            yield from allowed(values_of(name) | {path: value for path, value, _ in reading.sets})


def changed(rng: random.Random, name: str) -> Iterator[dict[str, Any]]:
    """The rules of a profile as values, several of them changed; half of those in the blocks that
    are not a bid's."""
    choices = [
        c
        for c in changes(name)
        if c[0].startswith((*SETTLES, "bids", "favourite.doubles", "score"))
    ]
    common = [c for c in choices if not c[0].startswith("bids.")]
    for number in range(DRAWN):
        drawn = rng.choices(choices, k=rng.randint(0, MOST_CHANGED))
        drawn += rng.choices(common, k=rng.randint(1, MOST_CHANGED))
        rare = {} if number % 2 else rng.choice(RARE)
        claimed = {
            f"bids.{b}.claimed": list(get_args(PayItem))
            for b in compiled(name).ruleset.rules.bids.names()
        }
        yield values_of(name) | dict(drawn) | (claimed if rare == {} and number % 5 == 0 else rare)


@pytest.mark.parametrize("name", BASES)
def test_every_reading_of_a_profile_is_settled_the_same(name):
    rng, sessions = random.Random(name), SettledSessions()
    for rules in readings(name):
        sessions.play(rng, rules)
    assert sessions.tally["settled"] > 100


@pytest.mark.parametrize("name", BASES)
def test_a_profile_under_each_witness_and_with_each_plugin_is_settled_the_same_in_the_parts_of_all(
    name,
):
    rng, sessions = random.Random(name), SettledSessions()
    many = [compiled(f"{name}@{witness}").ruleset.rules for witness in compiled(name).witnesses]
    pairs = [
        p for p in PAIRS if "refused" not in p and (name in p["of"] or p["of"][0] == WITH[name])
    ]
    many += [
        compile_reference(located(reference(p)), settings=settings(p)).ruleset.rules for p in pairs
    ]
    for rules in many:
        sessions.play(rng, rules, scale_of(many))
    assert sessions.tally["settled"] > 5 * len(many)


@pytest.mark.slow
def test_rules_drawn_over_every_value_are_settled_the_same_and_nothing_is_left_out():
    """Every word of every rule of payments is tried, every rule that a payment can name is met, and
    every ending."""
    sessions, words = SettledSessions(), Counter()
    for name in BASES:
        rng = random.Random(name)
        for values in changed(rng, name):
            for rules in allowed(values):
                words.update(
                    f"{vocabulary.pattern_of(path)} {value}" for path, value in values.items()
                )
                sessions.play(rng, rules)
    for pattern, leaf in vocabulary.leaves().items():
        if pattern.startswith(SETTLES) or (
            pattern.startswith("bids.*") and pattern.split(".")[-1] in OF_BIDS
        ):
            assert all(words[f"{pattern} {word}"] for word in leaf.choices()), pattern
    tally = sessions.tally
    assert tally["settled"] > 4000
    assert tally["inexact"] * 100 < tally["settled"]
    met = [
        *OUTCOMES,
        "vole won",
        "vole lost",
        "frozen",
        "in favourite",
        "lapsed",
        "several times",
        "own card",
        "five",
        *REASONS,
    ]
    assert not [what for what in met if tally[what] < 10]


def with_payments(rng: random.Random, rules: Rules) -> Rules:
    """The rules with four payments of a plugin, drawn over everything that a row may say but
    incidents."""
    parties, bids = ("hombre", "ally", "side", "adversaries", "all", "pool"), rules.bids.names()
    rows = tuple(
        PaymentRow(
            reason="dues",
            amount=f"club.due-{number}",
            payer=rng.choice(parties),
            payee=rng.choice(parties),
            unit=rng.choice(("counters", "units")),
            outcomes=tuple(rng.sample(OUTCOMES, rng.randrange(3))),
            contracts=tuple(rng.sample(bids, rng.randrange(3))),
            trumps=tuple(rng.sample(TRUMPS, rng.choice((0, 0, 1, 2, 3)))),
            when=rng.choice(("", "club.on", "club.off")),
            counted=rng.random() < 0.5,
        )
        for number in range(4)
    )
    dues = [(row.amount, rng.choice((0, 1, 5, "1/3", "7/11"))) for row in rows]
    return replace(
        rules,
        own=PluginRules(
            (("club.on", True), ("club.off", False), *dues), (("club.payments", rows),)
        ),
    )


@pytest.mark.parametrize("name", BASES)
def test_payments_of_plugins_are_settled_the_same(name):
    """Who pays whom, for which endings, bids and trumps, in counters or units, as often as the game
    counts or once."""
    rng, sessions, rules = random.Random(name), SettledSessions(), compiled(name).ruleset.rules
    for _ in range(40):
        sessions.play(rng, with_payments(rng, rules))
    assert sessions.tally["settled"] > 200
    assert (
        sessions.tally["inexact"] * 20 < sessions.tally["settled"]
    )  # a pool may keep fractions of fractions
    assert sum(sessions.tally[f"club.due-{number}"] for number in range(4)) > 100


def test_a_plugin_that_pays_less_than_nothing_is_left_to_the_other_engine():
    row = PaymentRow(reason="dues", amount="club.due", payer="all", payee="pool")
    rules = replace(
        made_rules().rules, own=PluginRules((("club.due", -1),), (("club.payments", (row,)),))
    )
    assert tabulate(rules, scale_of([rules]))["unfit"] == 1


def test_rules_with_more_payments_than_a_record_has_room_for_are_left_to_the_other_engine():
    rows = (PaymentRow(reason="dues", amount="club.due", payer="all", payee="pool"),) * MOST_ROWS
    rules = replace(
        made_rules().rules, own=PluginRules((("club.due", 1),), (("club.payments", rows),))
    )
    assert tabulate(rules, scale_of([rules]))["unfit"] == 1


REASONS = (
    *(
        "payments.pool_to",
        "payments.premium",
        "payments.matadors",
        "payments.premiers",
        "payments.vole_stake",
    ),
    *(
        "payments.vole_premium",
        "loss.remise_adds",
        "loss.codille_adds",
        "loss.beast_size",
        "loss.codille_pool",
    ),
    *("multiplier.stake", "score.won", "score.remise", "score.codille", "stakes.odd_counters"),
)
"""Every rule that orders a payment, but for the word after it."""


def test_long_sessions_in_which_beasts_wait_and_games_count_many_times_are_carried_the_same():
    sessions = SettledSessions()
    for seed, rare in enumerate(RARE):
        sessions.play(
            random.Random(seed),
            made_rules(**rare, **{"loss.codille_shared_from": 3}).rules,
            deals=60,
        )
    assert sessions.tally["waiting"] > 10
    assert sessions.tally["several times"] > 20


@pytest.mark.parametrize(
    ("changes", "without", "met"),
    [
        (
            {
                "multiplier.after_losses": "counted",
                "multiplier.stake": "raised",
                "payments.fund_game.alliance": 1,
                "payments.fund_vole_stakes.solo": 2,
                "payments.fund_codille.solo": "1/2",
                "payments.in_favourite.fund_codille.solo": 1,
            },
            "nothing",
            ("payments.fund_game", "payments.fund_vole_stakes", "payments.fund_codille"),
        ),
        (
            {"favourite.doubles": "game", "bids.solo.matadors": "favourite_or_vole"},
            "payments.in_favourite",
            ("payments.matadors",),
        ),
        (
            {
                "vole.undertaken_failed_premium": True,
                "vole.announced_failed_premium": True,
                "payments.vole_lost.solo": 3,
                "payments.vole_lost.alliance": 0,
                "payments.vole_premium.undertaken.alliance": 2,
                "payments.in_favourite.vole_lost.solo": 5,
            },
            "nothing",
            ("payments.vole_lost",),
        ),
        (
            {
                "score.kept": "points",
                "stakes.ante": 0,
                "stakes.unit_of": "constant",
                "stakes.unit": 1,
                "vole.undertaken_failed_premium": True,
                "payments.vole_lost.solo": 3,
            },
            "nothing",
            ("payments.vole_lost",),
        ),
        (
            {
                "bids.solo.draws": 2,
                "bids.alliance.draws": 3,
                "loss.codille_draws": 1,
                "loss.beast_size": "by_firsts",
                "loss.beast_first": 3,
                "payments.pool_to": "allies",
            },
            "nothing",
            ("payments.pool_to", "loss.codille_pool", "loss.beast_size"),
        ),
        (
            {
                "loss.codille_pool": "losers_pay",
                "loss.codille_draws": 3,
                "bids.alliance.loss_borne": "shared",
                "bids.alliance.pool_penalty": "each_in_full",
            },
            "nothing",
            ("loss.codille_draws", "loss.remise_adds", "loss.codille_adds"),
        ),
    ],
    ids=[
        *("fund", "matadors in favourite", "lost vole", "lost vole in points", "fixed draws"),
        "losers who pay a fixed sum, and each in full",
    ],
)
def test_what_few_rules_pay_is_settled_the_same(changes, without, met):
    """A fund drawn on when the stake is raised, matadors in a favourite, a lost vole's own price,
    fixed draws."""
    sessions, rng = SettledSessions(), random.Random(24)
    values = {
        path: value
        for path, value in made_values(**changes).items()
        if not path.startswith(without)
    }
    for _ in range(12):
        sessions.play(rng, vocabulary.build(values), deals=20)
    assert sessions.tally["settled"] > 200
    assert [reason for reason in met if not sessions.tally[reason]] == []


# --- amounts that the kernel cannot tell, and says so ---------------------------------------------


def inexact(rules: Rules, scale: int, **fields: Any) -> bool:
    """Whether the kernel leaves the settlement of a plain solo won, with these fields changed, to
    the other engine."""
    out = np.zeros(1, OUT)[0]
    settle(tabulate(rules, scale), row_of(rules, made_result(**fields), scale), out)
    return bool(out["inexact"])


@pytest.mark.parametrize(
    ("fields", "parts", "wanted"),
    [
        ({}, 480, False),
        ({"pool": 5}, 480, False),
        ({"pool": 5}, 2, True),
        ({"pool": Fraction(1, 3)}, 6, True),
        ({"pool": Fraction(1, 3)}, 12, False),
        ({"pool": 2**20 - 4}, 2**10, False),
        ({"pool": 2**21}, 2**10, True),
        ({"pool": 2**19, "multiplier": 3}, 2**10, False),
        ({"pool": 2**19, "multiplier": 2**19}, 2**10, True),
        ({"multiplier": 2**20 + 1}, 480, True),
        ({}, 3, True),
        ({}, 2**28, True),
    ],
)
def test_what_cannot_be_told_in_the_parts_given_or_grows_too_large_is_said_to_be_so(
    fields, parts, wanted
):
    rules = made_rules(
        **{"multiplier.stake": "single"}
    ).rules  # a stake made good is another amount to be divided
    assert inexact(rules, parts, **fields) is wanted


def test_rules_whose_amounts_are_no_whole_parts_are_not_settled_in_them():
    points = {
        "score.kept": "points",
        "score.won": "7/3",
        "stakes.ante": 0,
        "stakes.unit_of": "constant",
    }
    rules = made_rules(**points).rules
    assert inexact(rules, 4, pool=0)
    assert not inexact(rules, scale_of([rules]), pool=0)
    assert tabulate(rules, 4)["unfit"] == 1


def test_a_scale_holds_the_parts_of_every_rule_set_that_shares_it():
    many = [made_rules(**{"stakes.unit": unit}).rules for unit in ("1/7", "1/4", "3/11")]
    assert scale_of(many) % scale_of(many[:1]) == 0
    assert scale_of(many) % (7 * 4 * 11 * 60) == 0


def test_beasts_beyond_counting_are_left_to_the_other_engine():
    rules = made_rules(**{"loss.beast_size": "doubling"}).rules
    assert not inexact(rules, 120, tricks=(5, 5, 0, 0), beasts=4)
    assert inexact(rules, 120, tricks=(5, 5, 0, 0), beasts=31)
    assert inexact(rules, 120, tricks=(5, 5, 0, 0), beasts=70)
