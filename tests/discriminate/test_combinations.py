"""Two variants that meet combine, or are refused with a reason and a source."""

from collections import defaultdict
from fractions import Fraction

import combinations
import pytest
from combinations import FURTHER, PAIRS, located, reference, settings
from quadrille_plugins.deal.record import replay, to_record
from quadrille_plugins.deal.session import play_deal, play_session, play_streams
from quadrille_plugins.settle.result_file import read_result
from support.decisive import Wisher
from support.table import dealt

from quadrille_core import DISTRIBUTION
from quadrille_core.cards import parse_suit
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.engine.carry import START, Carry, carried, multiplier_of
from quadrille_core.engine.result import POOL, SCORE, VOLE_POOL
from quadrille_core.engine.settle import settle
from quadrille_core.errors import QuadrilleError
from quadrille_core.hookspecs import DOMAINS
from quadrille_core.registry import load_all
from quadrille_core.ruleset import compile_reference

COMBINED = [p for p in PAIRS if "refused" not in p]
DEALS = 3
CONTRACTS = {
    "mediateur": "mediateur",
    "casco": "casco",
    "grandissimo": "grandissimo",
    "nemo": "nemo",
    "favourite": "solo+favourite",
    "vole-announced": "solo+announced",
    "forced-spadille": "forced-spadille",
    "three-tricks": "alliance",
    "multiplier": "alliance",
    "point-score": "alliance",
}
"""The contract in which each plugin is met."""
LOW = "S4 S3 S2 C4 C3 C2 H7 H6 D7 D6"
HIGH = "SA CA SK SQ SJ S7 S6 S5 CK CQ"
"""Every trick without trumps."""
TRUMPS = "SA S2 CA SK SQ SJ S7 S6 S5 S4"
"""Every trick with spades as trumps."""


def hands(contract, players, *, won):
    """Hands by which the eldest wins the contract, or loses it, however the cards are played."""
    kings = "HK HQ HJ H2 H3 H4 DK DQ DJ D2"
    if contract in ("grandissimo", "nemo"):
        own, next_one = (HIGH, LOW) if won is (contract == "grandissimo") else (LOW, HIGH)
    elif won:
        own, next_one = TRUMPS.replace("S2 CA", "CA S2"), "D3 D4 D5 D6 C7 C6 C5 C4 C3 C2"
    else:
        own, next_one = "SA CA C5 C4 C3 C2 D5 D6 D7 H7", "S2 SK SQ SJ S7 S6 S5 S4 S3 DA"
    cards = 40 // players
    return [" ".join(h.split()[:cards]) for h in (own, next_one, kings)]


def named(entry):
    return entry.get("rules") if isinstance(entry.get("rules"), str) else " and ".join(entry["of"])


def refusal(ref, chosen):
    with pytest.raises(QuadrilleError) as refused:
        compile_reference(ref, settings=chosen)
    return refused.value.problems


def assert_conserved(played):
    accounts = defaultdict(Fraction)
    for t in played.settlement.transfers:
        assert t.amount > 0
        accounts[t.source] -= t.amount
        accounts[t.target] += t.amount
    assert accounts[VOLE_POOL] == 0
    net = played.settlement.net
    assert tuple(accounts[s] for s in range(len(net))) == net
    assert sum(accounts.values()) == 0
    assert accounts[POOL] == played.pool_after - played.setup.pool
    points = played.deal.rules.score.kept == "points"
    assert (accounts[SCORE] == 0) or points
    if points:
        assert played.pool_after == 0


def test_every_pair_is_in_the_matrix_once():
    assert [tuple(p["of"]) for p in PAIRS] == combinations.wanted()


def test_the_matrix_knows_every_shipped_plugin_of_a_game_of_tricks():
    shipped = {n: p for n, p in load_all().loaded.items() if p.installed.package == DISTRIBUTION}
    hooks = set(DOMAINS)
    changing = {n for n, p in shipped.items() if any(hasattr(p.plugin, hook) for hook in hooks)}
    assert set(combinations.PLUGINS) == changing


def met(pair):
    """The contracts in which what the pair brings is met."""
    return list(dict.fromkeys(CONTRACTS[name] for name in pair["of"] if name in CONTRACTS))


def bots_for(contract, players):
    """The eldest bids the contract and the others pass; nobody bids a game that is forced."""
    plain = ["pass", "call HK", "trump spades"]
    own = plain if contract == "forced-spadille" else [f"bid {contract}", *plain]
    return [Wisher(own, []), *[Wisher(plain, []) for _ in range(players - 1)]]


def assert_replayed(ruleset, deal, settlement):
    again = replay(ruleset, to_record(deal, settlement))
    assert again.divergence is None
    assert settle(ruleset.rules, again.deal.result()) == settlement


@pytest.mark.parametrize("won", [True, False], ids=["won", "lost"])
@pytest.mark.parametrize(
    ("pair", "contract"),
    [pytest.param(p, c, id=f"{named(p)} in {c}") for p in COMBINED for c in met(p)],
)
def test_what_a_pair_brings_is_played_won_lost_and_settled(pair, contract, won):
    ruleset = compile_reference(located(reference(pair)), settings=settings(pair)).ruleset
    players = ruleset.rules.table.players
    suit = parse_suit("spades" if contract.endswith("favourite") else "hearts")
    favourite = None if ruleset.rules.favourite.source == "none" else suit
    pool = basic_stake(ruleset.rules.stakes, players)
    setup = dealt(
        *hands(contract, players, won=won), favourite=favourite, pool=int(pool), players=players
    )
    deal = play_deal(ruleset, setup, bots_for(contract, players), play_streams(1, 0, 0, players))
    assert (str(deal.contract), deal.hombre) == (contract, 0)
    assert (deal.ally is not None) == (contract in ("alliance", "casco", "forced-spadille"))
    settlement = settle(ruleset.rules, deal.result())
    assert (settlement.outcome == "won") is won
    assert (settlement.net[0] > 0) is won
    assert_replayed(ruleset, deal, settlement)


@pytest.mark.parametrize("pair", COMBINED, ids=named)
def test_a_session_of_a_pair_adds_up_and_replays(pair):
    ruleset = compile_reference(located(reference(pair)), settings=settings(pair)).ruleset
    wishes = [f"bid {c}" for c in met(pair)]
    # one chair is eager for what the pair brings, and the others let them
    bots = [
        Wisher(wishes, []),
        *[Wisher(["pass"], []) for _ in range(ruleset.rules.table.players - 1)],
    ]
    for played in play_session(ruleset, bots, seed=3, session=0, deals=DEALS):
        assert played.deal.turn is None
        if played.settlement is not None:
            assert_conserved(played)
            assert_replayed(ruleset, played.deal, played.settlement)


@pytest.mark.parametrize("pair", [p for p in COMBINED if "rules" in p], ids=named)
def test_what_comes_of_a_pair_is_as_it_says(pair):
    origins = compile_reference(located(reference(pair)), settings=settings(pair)).origins
    assert {
        path: origins[path].value if path in origins else None for path in pair["rules"]
    } == pair["rules"]


@pytest.mark.parametrize(
    "pair", [p for p in COMBINED if p["of"][0] in combinations.PLUGINS], ids=named
)
def test_two_plugins_give_the_same_rules_in_either_order(pair):
    one, two = (
        compile_reference(located(reference(pair, turned=t)), settings=settings(pair))
        for t in (False, True)
    )
    assert one.ruleset.identity.digest == two.ruleset.identity.digest


@pytest.mark.parametrize("pair", [p for p in PAIRS if "refused" in p], ids=named)
def test_a_pair_that_does_not_go_together_is_refused_with_a_reason(pair):
    problems = refusal(located(reference(pair)), settings(pair))
    assert {p.code for p in problems} == {pair["refused"]}
    assert any(pair["because"] in f"{p.message} {p.help}" for p in problems)


@pytest.mark.parametrize("entry", FURTHER, ids=named)
def test_a_combination_with_parameters(entry):
    ref, chosen = located(entry["rules"]), {}
    if entry["rules"].startswith(combinations.PLAIN):
        chosen = {"auction.all_pass": "redeal"}
    if "refused" in entry:
        problems = refusal(ref, chosen)
        assert {p.code for p in problems} == set(combinations.codes(entry))
        assert any(entry["because"] in f"{p.message} {p.help}" for p in problems)
        return
    rules = compile_reference(ref, settings=chosen).ruleset.rules
    result = read_result({"players": list("ABCD"), **entry["result"]}, rules)
    settlement = settle(rules, result)
    assert list(settlement.net) == entry["net"]
    assert settlement.pool_after == entry["pool_after"]
    after = carried(rules, Carry(losses=result.multiplier - 1), settlement)
    assert multiplier_of(rules, after) == entry.get("next", 1)
    assert multiplier_of(rules, START) == 1


def test_an_ally_at_casco_may_name_the_favourite_suit():
    pair = next(p for p in PAIRS if p["of"] == ["casco", "favourite"])
    compiled = compile_reference(located(reference(pair)), settings=settings(pair))
    setup = dealt(
        "SA CA S3 D3 D4 C3 C4 S4 S5 S6",
        "",
        "HK HQ HJ H2 H3 H4 DK DQ CK CQ",
        favourite=parse_suit("hearts"),
    )
    seen: list[str] = []
    bots = [Wisher(["bid casco", "pass", "call HK", "trump hearts"], seen)] * 4
    deal = play_deal(compiled.ruleset, setup, bots, play_streams(1, 0, 0, 4))
    (offered,) = (line for line in seen if "trump hearts" in line)
    assert offered.startswith("seat 2: ")
    assert (deal.ally, deal.trump) == (2, parse_suit("hearts"))
