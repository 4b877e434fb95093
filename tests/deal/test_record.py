"""Records of deals: written, read strictly, replayed under their own and under other rules."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quadrille_plugins.deal.record import KEYS, from_record, replay, to_record
from quadrille_plugins.deal.session import play_session
from support import made_rules
from support.codes import CODES
from support.data import cases
from support.table import TableBot, dealt, run, say, sit

from quadrille_core.engine.settle import settle
from quadrille_core.errors import QuadrilleError, RecordError

RULES = made_rules()
PLAYED = list(play_session(RULES, [TableBot()] * 4, seed=2, session=0, deals=24))


def record(number=0, **changes):
    one = PLAYED[number]
    return to_record(one.deal, one.settlement) | changes


@pytest.mark.parametrize("number", range(24))
def test_a_record_survives_json_and_replays_to_the_same_events_and_settlement(number):
    written = record(number)
    read = json.loads(json.dumps(written))
    assert read == written
    setup, _ = from_record(read)
    assert setup == PLAYED[number].setup
    again = replay(RULES, read)
    assert again.divergence is None
    assert again.deal.events == PLAYED[number].deal.events
    assert to_record(again.deal, settle(RULES.rules, again.deal.result())) == written


def test_a_record_says_what_was_played_by_which_rules_and_what_came_of_it():
    deal = run(say(sit(dealt("SA", pool=6)), "bid solo", "pass", "pass", "pass", "trump hearts"))
    written = to_record(deal, settle(deal.rules, deal.result()))
    assert written["kind"] == "deal"
    assert written["rules"] == {
        "profile": "made",
        "witness": None,
        "readings": {},
        "plugins": [],
        "digest": "0" * 64,
    }
    assert written["actions"][:5] == ["A bid solo", "B pass", "C pass", "D pass", "A trump hearts"]
    assert written["hands"][0].split()[0] == "SA"
    assert written["events"][0] == "D deals"
    assert written["result"]["contract"] == "solo"
    assert sum(written["result"]["tricks"].values()) == 10
    assert set(written) <= set(KEYS)
    assert {"outcome", "transfers", "net", "pool_after"} <= set(written)
    assert set(written["transfers"][0]) == {"from", "to", "amount", "reason", "rule"}


def test_a_record_of_an_unfinished_deal_has_no_result_and_replays_as_far_as_it_goes():
    deal = say(sit(dealt("SA")), "bid solo", "pass")
    written = to_record(deal)
    assert written["result"] is None
    assert "transfers" not in written
    again = replay(deal.ruleset, written)
    assert (again.divergence, again.deal.turn) == (None, 2)


def test_a_redeal_is_recorded_and_replayed():
    deal = say(sit(dealt(), **{"auction.all_pass": "redeal"}), "pass", "pass", "pass", "pass")
    assert replay(deal.ruleset, to_record(deal)).divergence is None


def test_players_names_may_hold_blanks_and_begin_alike():
    setup = replace(dealt("SA"), players=("Ann", "Ann play", "Ann bid", "Ann B"))
    deal = run(sit(setup))
    again = replay(deal.ruleset, to_record(deal))
    assert again.divergence is None


# --- replay under other rules --------------------------------------------------------------------


def test_replay_under_other_rules_stops_at_the_first_action_they_forbid():
    deal = say(sit(dealt("SA")), "bid alliance", "bid solo", "pass", "pass", "bid solo", "pass")
    other = made_rules(**{"auction.elder_may_raise": "only_higher"})
    found = replay(other, to_record(deal)).divergence
    assert (found.index, found.action, found.stage) == (4, "A bid solo", "auction")
    assert "priority may not match it" in found.reason


def test_replay_stops_where_another_player_would_be_in_turn():
    deal = say(sit(dealt("SA")), "bid alliance", "bid solo", "pass", "pass", "bid solo")
    other = made_rules(**{"auction.elder_may_raise": "never"})
    found = replay(other, to_record(deal)).divergence
    assert (found.index, found.reason) == (4, "it is B's turn, not A's")


def test_replay_stops_at_a_card_that_other_rules_do_not_allow_to_be_withheld():
    setup = dealt("H4 D3", "SA C3")
    deal = say(sit(setup), "bid solo", "pass", "pass", "pass", "trump hearts", "play H4", "play C3")
    other = made_rules(
        **{"forcing.renege": "barred", "favourite.source": "none", "favourite.suit": None}
    )
    found = replay(other, to_record(deal)).divergence
    assert (found.action, found.stage) == ("B play C3", "play")


def test_replay_stops_where_another_event_follows_from_the_same_action():
    setup = dealt("H4 D3", "HK C4", "HA D4", "H2 S4")
    deal = say(sit(setup), "bid solo", "pass", "pass", "pass", "trump clubs")
    say(deal, "play H4", "play HK", "play HA", "play H2")
    other = made_rules(
        **{"cards.red_plain_ace": "top", "favourite.source": "none", "favourite.suit": None}
    )
    found = replay(other, to_record(deal)).divergence
    assert (found.index, found.action, found.stage) == (8, "D play H2", "play")
    assert "C takes the trick" in found.reason
    assert "B takes the trick" in found.reason


def test_replay_tells_when_the_record_ends_too_early_or_goes_on_too_long():
    whole = record(1)
    short = whole | {"actions": whole["actions"][:-1]}
    found = replay(RULES, short).divergence
    assert "record" in found.reason
    long = whole | {"actions": [*whole["actions"], whole["actions"][-1]]}
    found = replay(RULES, long).divergence
    assert (found.index, found.reason) == (len(whole["actions"]), "the deal is over")


def test_replay_tells_when_the_cards_could_not_be_dealt_so():
    other = made_rules(**{"deal.packets": [[10]]})
    found = replay(other, record(0))
    assert (found.deal, found.divergence.index, found.divergence.stage) == (None, -1, "deal")
    assert "deal.packets" in found.divergence.reason


# --- hostile input -------------------------------------------------------------------------------

HUGE = [
    ({"hands": ["SA " * 10**5] * 4}, "Q207", "far too long"),
    ({"players": ["A", "B", "C", "\x1b[31m"]}, "Q207", "nobody sees"),
    ({"seed": 2**70}, "Q203", "seed is"),
    ({"seed": 10**5000}, "Q203", "more than forty digits"),
    ({"actions": ["A pass"] * 2000}, "Q206", "has more than"),
    ({"actions": ["A bid " + "x" * 10**6]}, "Q801", "too long"),
    ({"actions": ["A bid \ud800"]}, "Q801", "cannot be printed"),
]


@cases("record")
def test_a_bad_record_is_refused_with_its_fault_named(change, code, message):
    """By its code, in few words."""
    with pytest.raises(RecordError) as caught:
        from_record(record(0, **change))
    assert any(p.code == code and message in p.message for p in caught.value.problems), (
        caught.value.problems
    )
    assert all(p.code in CODES and len(p.message) < 300 for p in caught.value.problems)


@pytest.mark.parametrize(
    ("change", "code", "message"), HUGE, ids=[str(n) for n in range(len(HUGE))]
)
def test_a_record_that_is_huge_or_cannot_be_printed_is_refused_in_few_words(change, code, message):
    """As any other that is bad."""
    test_a_bad_record_is_refused_with_its_fault_named(change, code, message)


def test_every_fault_of_a_record_is_told_at_once():
    with pytest.raises(RecordError) as caught:
        from_record({"kind": "x", "pool": None, "hands": 3, "seed": "y"})
    assert {p.code for p in caught.value.problems} >= {"Q208", "Q203", "Q202"}


@pytest.mark.parametrize("data", [None, 3, "deal", [], {}, {1: 2}, {"kind": "deal"}])
def test_what_is_no_record_at_all_is_refused(data):
    with pytest.raises(RecordError):
        from_record(data)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), PLAIN, max_size=4))
def test_no_record_however_mangled_gives_anything_but_an_error_for_the_user(changes):
    try:
        replay(RULES, record(0, **changes))
    except QuadrilleError as error:
        assert error.problems


WORDS = [
    "pass",
    "bid solo",
    "bid nemo",
    "trump hearts",
    "invite",
    "call SK",
    "give S2",
    "play S3",
    "claim",
    "bid zz",
]
CHANGES = st.lists(
    st.tuples(st.integers(0, 60), st.sampled_from("ABCD"), st.sampled_from(WORDS)), max_size=4
)


@settings(max_examples=150, deadline=None)
@given(CHANGES)
def test_a_record_with_actions_changed_replays_up_to_the_first_that_does_not_fit(changes):
    written = record(3)
    actions = list(written["actions"])
    for place, player, action in changes:
        actions[place % len(actions)] = f"{player} {action}"
    found = replay(RULES, written | {"actions": actions})
    first = next(
        (n for n, (a, b) in enumerate(zip(actions, written["actions"], strict=True)) if a != b),
        None,
    )
    if first is None:
        assert found.divergence is None
    else:
        assert found.divergence.index == first
        assert len(found.deal.actions) in (first, first + 1)


def test_amounts_in_a_record_are_exact():
    deal = run(sit(dealt("SA", pool=5)))
    settlement = settle(deal.rules, deal.result())
    written = to_record(deal, settlement)
    assert written["pool"] == 5
    assert sum(map(Fraction, written["net"].values())) == sum(settlement.net)
