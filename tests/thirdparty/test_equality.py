"""House rules from outside are played by both engines alike: records, events, payments, sums."""

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.house_rules.testing import same_by_both_engines
from support.houses import HOUSES, house

pytest.importorskip("numba")
SEED, SESSION = 17, 3
"""Here sixty deals meet a hand that is thrown in, an ally with good cards, and a bid of seven."""


@pytest.fixture(autouse=True)
def outside(club, monkeypatch):
    """The third-party distribution, in this process too."""
    monkeypatch.syspath_prepend(str(club))


@pytest.mark.parametrize("deals", [60, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [n for n in HOUSES if "readable" not in HOUSES[n]])
def test_both_engines_play_a_house_alike(name, deals):
    rules = house(name)
    same = same_by_both_engines(rules, deals=deals, seed=SEED, session=SESSION)
    assert same, same
    assert same.deals == deals
    if not (told := HOUSES[name]["played"]):
        return
    bots = [make_bot("steady")] * 4
    played = list(play_session(rules, bots, seed=SEED, session=SESSION, deals=deals))
    if told["paid"]:
        settled = [t.rule for deal in played for t in getattr(deal.settlement, "transfers", ())]
        assert HOUSES[name]["leaf"] in settled
    else:
        bids = {deal.deal.contract and deal.deal.contract.bid for deal in played}
        assert told["contract"] in bids


@pytest.mark.parametrize("name", [n for n in HOUSES if "readable" in HOUSES[n]])
def test_what_the_kernel_does_not_play_is_said_and_is_no_equality(name):
    same = same_by_both_engines(house(name), deals=1)
    assert HOUSES[name]["readable"] in same.blocked
    assert not same
