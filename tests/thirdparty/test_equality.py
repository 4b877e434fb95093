"""House rules from outside are played by both engines alike: records, events, payments, sums."""

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.studies.fast import blocked_by
from support.houses import HOUSES, house

LIFTED = {
    "red-bid": {"red-bid.red_only": False},
    "preference": {"preference.favourite_only": False},
    "two-kings": {"bids.two-kings.cards_asked": 1},
    "last-takes": {"last-takes.premium": False},
}
"""The kernel holds no limit on trumps, no redirect, and one card of an exchange; a house with more
is played without it."""
SEED = 17
"""Here sixty deals meet a hand that is thrown in, an ally with good cards, and a bid of seven."""


@pytest.mark.parametrize("deals", [60, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", HOUSES)
def test_both_engines_play_a_house_alike(club, monkeypatch, name, deals):
    """What is compared is what ``tools/kernel_equality.py`` compares."""
    pytest.importorskip("numba")
    from kernel_equality import SESSION, EqualityCounts, compare

    monkeypatch.syspath_prepend(str(club))
    rules, tally = house(name, LIFTED.get(name)), EqualityCounts()
    if wanting := HOUSES[name].get("readable"):
        assert wanting in blocked_by([rules], ["steady"])
        return
    compare(name, rules, deals, SEED, tally)
    assert (tally.deals, tally.difference) == (deals, "")
    if not (told := HOUSES[name]["played"]):
        return
    bots = [make_bot("steady")] * 4
    played = list(play_session(rules, bots, seed=SEED, session=SESSION, deals=deals))
    if told["paid"] and name != "last-takes":
        settled = [t.rule for deal in played for t in getattr(deal.settlement, "transfers", ())]
        assert HOUSES[name]["leaf"] in settled
    else:
        bids = {deal.deal.contract and deal.deal.contract.bid for deal in played}
        assert told["contract"] in bids
