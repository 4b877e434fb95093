"""House rules from outside are played by both engines alike: records, events, payments, sums."""

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from support.houses import HOUSES, house

LIFTED = {
    "red-bid": "red-bid.red_only",
    "preference": "preference.favourite_only",
    "eldest-forced": "eldest-forced.eldest",
}
"""The kernel holds no limit on trumps, and no bid that falls on a seat; a house with one is played
without it."""
SEED = 17
"""Here sixty deals meet a hand that is thrown in, an ally with good cards, and a bid of seven."""


@pytest.mark.parametrize("deals", [60, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", HOUSES)
def test_both_engines_play_a_house_alike(club, monkeypatch, name, deals):
    """What is compared is what ``tools/kernel_equality.py`` compares."""
    pytest.importorskip("numba")
    from kernel_equality import SESSION, EqualityCounts, compare

    monkeypatch.syspath_prepend(str(club))
    rules, tally = house(name, {LIFTED[name]: False} if name in LIFTED else None), EqualityCounts()
    compare(name, rules, deals, SEED, tally)
    assert (tally.deals, tally.difference) == (deals, "")
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
