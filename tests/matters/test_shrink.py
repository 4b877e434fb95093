"""A divergent deal, shrunk: it still diverges, nothing more can be taken from it, and it says what
happens."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.matters.dependence import ReachableState, reachable_states
from quadrille_plugins.matters.narrate import called
from quadrille_plugins.matters.shrink import (
    STEPS,
    Shrinker,
    disorder,
    draft_of,
    in_order,
    portions,
    shrink,
)
from quadrille_plugins.matters.situations import leaves_at
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.lockstep import Couple, MatchedStart, along, opening_of, side_by_side
from quadrille_plugins.studies.observe import Divergence, Example
from support.data import of_yaml
from support.shrinking import parts
from support.situations import compiled, opening_made, play_opening

from quadrille_core.cards import PACK, Card

CASES = of_yaml(Path(__file__).parents[1] / "data" / "situations.yaml")
DIVERGENT = [
    c
    for n, c in enumerate(CASES)
    if c["reached"] and c["point"] not in {x["point"] for x in CASES[:n]}
]
TOLD = of_yaml(Path(__file__).parents[1] / "data" / "shrunk.yaml")


def pair_for(case):
    reference = case.get("rules", "quanti-1822") + case.get("add", "")
    return compiled(reference), compiled(reference, f"{case['point']}={case['rival']}")


def example_of(*deals):
    records = tuple(to_record(one.deal, one.settlement) for one in deals)
    return Example(0, 0, Fraction(0), Divergence("", "", ""), (records[0], records[-1]))


def start(case):
    pair = pair_for(case)
    ruleset = pair[0].ruleset
    return pair, example_of(
        play_opening(ruleset, opening_made(ruleset, case), case["say"], case.get("then", ()))
    )


@cache
def shrunk(number):
    """What comes of a case of ``DIVERGENT``."""
    return shrink(*start(DIVERGENT[number]))


@pytest.mark.parametrize("case", DIVERGENT, ids=[c["point"] for c in DIVERGENT])
def test_what_is_shrunk_diverges_is_replayable_and_plainer(case):
    pair, found = pair_for(case), shrunk(DIVERGENT.index(case))
    assert found is not None
    assert found.minimal
    assert found.replays <= 800
    couple = Couple(pair[0].ruleset, pair[1].ruleset)
    opening = opening_made(pair[0].ruleset, case)
    assert disorder(found.opening.hands) <= disorder(opening.hands)
    assert found.place.where == case["reached"] or case["reached"] in ("auction", "settlement")
    # what the next deal begins with shows in no single deal's record
    assert parts(pair, found.records) or found.place.where == "next deal"
    assert set(found.rules) <= set(couple.leaves)
    for name in called(pair):
        assert name in found.sentence


@pytest.mark.parametrize("case", DIVERGENT[::3], ids=[c["point"] for c in DIVERGENT[::3]])
def test_no_step_makes_it_plainer_and_every_step_kept_the_divergence(case):
    pair = pair_for(case)
    couple = Couple(pair[0].ruleset, pair[1].ruleset)
    opening = opening_made(pair[0].ruleset, case)
    deal = play_opening(couple.first, opening, case["say"], case.get("then", ())).deal
    opening = opening_of(couple.first.rules, deal.setup)
    shrinker = Shrinker(couple)
    first = shrinker.attempt(draft_of(couple, opening, [a for _, a in deal.actions]))
    last = first
    for portion in portions(len(PACK)):
        swept = shrinker.sweep(last, portion)
        assert swept.potential <= last.potential
        assert swept.walk.places[0] == swept.place
        last = swept
    last, minimal = shrinker.reduce(last)
    assert minimal
    assert last.potential < first.potential
    tried = 0
    for steps in STEPS:
        for draft in steps(couple, last, 1):
            tried += 1
            assert shrinker.better(draft, last) is None
    assert tried or not (
        last.draft.wanted or last.draft.kept
    )  # nothing is left that could be taken
    assert shrunk(DIVERGENT.index(case)).plainness == last.plainness


@pytest.mark.parametrize("case", TOLD, ids=[c["point"] for c in TOLD])
def test_what_happens_is_told_in_a_plain_sentence(case):
    number = next(n for n, c in enumerate(DIVERGENT) if c["point"] == case["point"])
    assert shrunk(number).sentence == case["sentence"]


def test_the_same_deal_is_shrunk_to_the_same():
    pair, example_deal = start(DIVERGENT[0])
    assert shrink(pair, example_deal) == shrunk(0)


def test_the_eldest_is_called_a_wherever_she_sat():
    pair = (compiled("quanti-1822"), compiled("quanti-1822", "red_plain_ace=top"))
    *_, one = play_session(pair[0].ruleset, [make_bot("random")] * 4, seed=5, session=0, deals=2)
    assert one.setup.players[0] == "B"
    found = shrink(pair, example_of(one), most=60)
    assert found.records[0]["players"] == ["A", "B", "C", "D"]


def test_of_several_deals_the_plainest_is_shrunk():
    case = next(c for c in DIVERGENT if c["point"] == "codille_indivisible")
    pair, plain = start(case)
    other = start(case | {"pool": 16})[1]
    assert shrink(pair, [other, plain]) == shrink(pair, [plain, other])
    assert shrink(pair, [other]).opening.beyond == 0


def test_out_of_any_deal_played_at_random_comes_a_plain_one():
    """Two matadors under a third, or a card that reaches a matador: found by chance, made plain."""
    pair = (compiled("quanti-1822"), compiled("quanti-1822", "forced_by=played"))
    couple = Couple(pair[0].ruleset, pair[1].ruleset)
    for session in range(200):
        (one,) = play_session(
            couple.first, [make_bot("random")] * 4, seed=4, session=session, deals=1
        )
        drafted = draft_of(
            couple, opening_of(couple.first.rules, one.setup), [a for _, a in one.deal.actions]
        )
        if Shrinker(couple).attempt(drafted) is not None:
            break
    found = shrink(pair, example_of(one))
    assert found.minimal
    assert parts(pair, found.records)
    assert found.place.where == "play"
    assert found.place.index < 20
    assert sum(found.plainness) < 60


def test_with_few_replays_it_gives_what_it_has_and_says_so():
    case = next(c for c in DIVERGENT if c["point"] == "codille_indivisible")
    pair, example_deal = start(case)
    few = shrink(pair, example_deal, most=6)
    assert not few.minimal
    assert few.replays <= 6
    assert parts(pair, few.records)
    assert shrink(pair, example_deal).plainness < few.plainness


def test_a_deal_that_diverges_by_foresight_alone_cannot_be_shrunk():
    pair = (compiled("quanti-1822"), compiled("quanti-1822", "solo_premium=two_units"))
    opening = opening_made(pair[0].ruleset, {"hands": ["HA"]})
    won = ["bid alliance", "pass", "pass", "pass", "trump spades", "call CK"]
    deals = [
        play_opening(pair[0].ruleset, opening, won),
        play_opening(pair[1].ruleset, opening, [*won[:-1], "call DK"]),
    ]
    assert shrink(pair, example_of(*deals)) is None


def test_a_state_that_does_not_matter_is_made_ordinary():
    case = next(c for c in DIVERGENT if c["point"] == "red_plain_ace")
    pair, example_deal = start(
        case | {"pool": 44, "beasts": 3, "multiplier": 2, "favourite": "clubs"}
    )
    found = shrink(pair, example_deal)
    assert found.opening == MatchedStart(hands=found.opening.hands, players=found.opening.players)
    # a pool that matters is made as small as a session leaves one
    other = next(c for c in DIVERGENT if c["point"] == "beasts_wait")
    pair, example_deal = start(other | {"pool": 44, "beasts": 2})
    opening = shrink(pair, example_deal).opening
    assert ReachableState(opening.beyond, opening.multiplier, opening.beasts) in reachable_states(
        Couple(pair[0].ruleset, pair[1].ruleset)
    )
    assert 0 < opening.beyond < 40


def test_cards_not_kept_lie_in_the_order_of_the_pack():
    hands = tuple(tuple(PACK[seat::4]) for seat in range(4))
    plain = in_order(MatchedStart(hands=hands), frozenset())
    assert plain.hands == tuple(tuple(PACK[n : n + 10]) for n in range(0, 40, 10))
    assert disorder(plain.hands) == (4, 4)
    assert disorder(hands) == (16, 40)
    kept = frozenset({Card(0), Card(39)})
    moved = in_order(MatchedStart(hands=hands), kept)
    assert Card(0) in moved.hands[0]
    assert Card(39) in moved.hands[3]
    assert sorted(c for hand in moved.hands for c in hand) == list(PACK)
    assert in_order(MatchedStart(hands=hands), frozenset(PACK)).hands == tuple(
        tuple(sorted(h)) for h in hands
    )


def test_the_pair_of_records_replays_at_the_command_line(tmp_path, capsys):
    case = next(c for c in DIVERGENT if c["point"] == "among_several")
    pair, example_deal = start(case)
    found = shrink(pair, example_deal)
    for number, record in enumerate(found.records):
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps(record))
        assert run(["deal", "--replay", str(file)]) == 0
        alternative = ["quanti-1822"] + (
            [] if number else ["--reading", f"{case['point']}={case['rival']}"]
        )
        status = run(["deal", "--replay", str(file), *alternative])
        told = capsys.readouterr().out
        assert (status == 1) == ("diverges" in told or "differ" in told)
        assert number or status == 1


def test_five_hands_are_shrunk_too():
    pair = (compiled("quintille"), compiled("quintille", "codille_indivisible=exact"))
    for session in range(20):
        (one,) = play_session(
            pair[0].ruleset, [make_bot("random")] * 5, seed=1, session=session, deals=1
        )
        found = shrink(pair, example_of(one))
        if found is not None:
            break
    assert found.minimal
    assert parts(pair, found.records)
    assert [len(h) for h in found.opening.hands] == [8] * 5


def test_where_several_rules_differ_those_that_tell_are_named():
    readings = ("red_plain_ace=top", "solo_premium=two_units", "early_claim=any_six")
    pair = (compiled("quanti-1822"), compiled("quanti-1822", *readings))
    case = next(c for c in DIVERGENT if c["point"] == "red_plain_ace")
    _, example_deal = start(case)
    found = shrink(pair, example_deal)
    couple = Couple(pair[0].ruleset, pair[1].ruleset)
    assert len(found.rules) < len(couple.leaves)
    assert leaves_at(couple, found.opening, (), replace(found.place, index=0)) == couple.leaves
    assert called(pair)[0].count("“") == 3


def test_a_bid_that_only_one_rule_set_has_is_named_as_a_whole():
    pair = (compiled("quanti-1822"), compiled("quadrille-laws"))
    couple = Couple(pair[0].ruleset, pair[1].ruleset)
    opening = MatchedStart(hands=tuple(tuple(PACK[n : n + 10]) for n in range(0, 40, 10)))
    place = side_by_side(couple, opening, along([]), until_first=True).places[0]
    named = leaves_at(couple, opening, [], place)
    assert {"auction.unasked_trumps", "bids.vole.made"} <= set(named)
    assert {path.split(".")[0] for path in named} == {"auction", "bids", "payments"}
    assert {path.split(".")[1] for path in named if path.startswith("bids.")} == {"vole"}
    assert called(pair) == ("quanti-1822", "quadrille-laws@article")
