"""House rules from outside, each by data and hooks alone: what they pay, and what play pays."""

import tomllib

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.deal.view import view_of
from quadrille_plugins.house_rules.testing import changed
from quadrille_plugins.settle.result_file import account_name, read_result, result_to_plain
from quadrille_plugins.solver.deals import require_solvable
from support.houses import FOLDER, HOUSES, base, house
from support.plugin import SOLO

from quadrille_core.cards import BASTO, parse_suit, rank
from quadrille_core.engine.settle import settle
from quadrille_core.errors import ResultError, UsageError

SETTLED = [(name, case) for name, told in HOUSES.items() for case in told["settled"]]
PLAYED = [name for name, told in HOUSES.items() if told["played"]]


@pytest.fixture(autouse=True)
def outside(club, monkeypatch):
    """The third-party distribution, in this process too."""
    monkeypatch.syspath_prepend(str(club))


def paid(settlement, players, rule):
    return sorted(
        f"{account_name(t.source, players)} {account_name(t.target, players)} {t.amount}"
        for t in settlement.transfers
        if t.rule == rule
    )


def dealt(name):
    """The deal of a house that is told, as it was played."""
    number = HOUSES[name]["played"]["deal"]
    rules = house(name)
    bots = [make_bot("steady")] * 4
    return list(play_session(rules, bots, seed=1, session=0, deals=number + 1))[number]


def test_every_plugin_of_the_distribution_is_tried():
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]
    assert set(project["entry-points"]["quadrille"]) == set(HOUSES)


@pytest.mark.parametrize(("name", "case"), SETTLED, ids=[c["why"] for _, c in SETTLED])
def test_a_result_is_settled_as_by_hand(name, case):
    """What the facts of a result pay; one that does not tell them is refused."""
    rules, result = house(name).rules, SOLO | case.get("result", {})
    facts = {"facts": case["facts"]} if "facts" in case else {}
    told = read_result(result | facts, rules)
    rule = case.get("rule", HOUSES[name]["leaf"])
    assert paid(settle(rules, told), told.players, rule) == case["paid"]
    if facts and case["paid"]:
        with pytest.raises(ResultError) as e:
            read_result(result, rules)
        assert rule in {p.data["rule"] for p in e.value.problems}


@pytest.mark.parametrize("name", HOUSES)
def test_a_plugin_changes_what_it_is_for_and_nothing_else(name):
    found = changed(base(name), f"{base(name)}+{name}")
    allowed = (f"{name}.", *HOUSES[name].get("sets", ()))
    assert HOUSES[name]["leaf"] in found
    assert not [path for path in found if not path.startswith(allowed)]


@pytest.mark.parametrize("name", PLAYED)
def test_a_fact_that_occurs_in_play_is_paid(name):
    told, found = HOUSES[name]["played"], dealt(name)
    assert (found.deal.contract and found.deal.contract.bid) == told["contract"]
    players = tuple("ABCD")
    made = paid(found.settlement, players, HOUSES[name]["leaf"]) if found.settlement else []
    assert made == told["paid"]


def test_a_hand_of_low_cards_is_shown_and_nobody_speaks():
    events = [(event.kind, event.seat) for event in dealt("throw-in").deal.events]
    assert events == [("deal", 3), ("shows", 1), ("end", None)]


def test_basto_forces_and_a_red_bid_is_red():
    """Who plays when all pass holds Basto; a red solo in spades cannot be a result."""
    forced = dealt("basto-forced").deal
    assert BASTO in forced.setup.hands[forced.hombre]
    rules = house("red-bid").rules
    with pytest.raises(ResultError, match=r"red-bid\.red_only"):
        settle(rules, read_result(SOLO | {"contract": "red-solo", "trump": "spades"}, rules))


def test_two_kings_are_asked_for_and_two_cards_given():
    """All calls come first; each gift goes to whoever gave up the king; records name both givers,
    who know what they got, and nobody else does."""
    played = dealt("two-kings").deal
    calls, kings = [[e for e in played.events if e.kind == k] for k in ("call", "exchange")]
    assert [e.cards[0] for e in calls] == [e.cards[0] for e in kings]
    assert max(map(played.events.index, calls)) < min(map(played.events.index, kings))
    givers = [next(s for s, h in enumerate(played.setup.hands) if e.cards[0] in h) for e in calls]
    assert [e.other for e in kings] == givers == list(played.result().givers())
    assert len(set(givers)) == 2
    assert all(rank(e.cards[0]) == "K" for e in calls)
    got = [e.cards[1] for e in kings]
    assert not {e.cards[0] for e in calls} & set(got)
    known = {seat: view_of(played, seat).gifts for seat in range(4)}
    assert known[played.hombre] == tuple(got)
    assert [known[giver] for giver in givers] == [(card,) for card in got]
    (other,) = set(range(4)) - {played.hombre, *givers}
    assert known[other] == ()
    plain = result_to_plain(played.result(), "quanti-1822+two-kings")
    assert plain["surrendered"] == [played.setup.players[seat] for seat in givers]
    assert read_result(plain, house("two-kings").rules) == played.result()


def test_the_solver_refuses_several_cards_by_name():
    """A bid that is not played hinders it no more."""
    several = house("two-kings")
    with pytest.raises(UsageError) as e:
        require_solvable(several.rules)
    assert [p.variant for p in e.value.problems] == ["several-cards-not-solved"]
    for settings in ({"bids.two-kings.made": "never"}, {"bids.two-kings.cards_asked": 1}):
        require_solvable(house("two-kings", settings).rules)


def test_a_demanded_king_leaves_a_suit_that_is_never_trumps():
    """Whoever is forced keeps to it too; all others play against the Hombre, who got a king."""
    rules = house("demanded-king")
    bots = [make_bot("steady")] * 4
    deals = [p.deal for p in play_session(rules, bots, seed=1, session=0, deals=40)]
    assert {deal.contract.bid for deal in deals} == {"alliance", "forced-spadille", "solo"}
    assert {deal.declaration.trump for deal in deals} == set(
        map(parse_suit, ("spades", "hearts", "clubs"))
    )
    kings = [c for deal in deals if deal.contract.bid != "solo" for c in deal.declaration.cards]
    assert {rank(card) for card in kings} == {"K"}
    assert {deal.declaration.ally for deal in deals} == {None}


def test_nobody_is_called_at_solitaire():
    rules = house("solitaire")
    bots = [make_bot("steady")] * 4
    deals = [p.deal for p in play_session(rules, bots, seed=1, session=0, deals=40)]
    assert {deal.declaration.ally for deal in deals if deal.contract} == {None}
    assert any(deal.redealt for deal in deals)
