"""What a plugin ships of a bid, measured from play: how it is learned, read, and bid by."""

import json
import pickle
import sys
from collections import Counter
from dataclasses import replace

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.house_rules.testing import compiled, same_by_both_engines
from quadrille_plugins.players import learning
from quadrille_plugins.players.steady_features import BUCKETS, bucket_of
from quadrille_plugins.players.steady_measured import as_json, measured
from quadrille_plugins.players.steady_play import mask_of
from quadrille_plugins.players.steady_value import Valuer, mode_of
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.runner.code import code_digests
from support.plugin import make_plugin

from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.deal import shuffled_hands
from quadrille_core.errors import PluginError, ProfileError

REF = "quanti-1822@parlett+purchase"
PLUGIN = """
from quadrille_core.hookspecs import *
from quadrille_core.rules import Bid

@hookimpl
def quadrille_describe():
    return About(title="Purchase", summary="A king is bought.", late=True)

@hookimpl
def quadrille_bids(rules, parameters):
    bid = Bid(title="Purchase", rank=41, goal="at_least", tricks=6, exchange=True,
              trump_when="after_exchange", may_undertake_vole=False)
    return [NewBid(id="purchase", bid=bid, reason="our own", measured={measured!r})]

@hookimpl
def quadrille_payments(rules, parameters):
    return [Default(path="payments.premium.purchase", value=4, reason="as a solo")]
"""


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """Install the plugin with what it says of its file; the place of the file."""

    def install(measured="purchase.json"):
        make_plugin(tmp_path, "purchase", PLUGIN.format(measured=measured))
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "purchase_module", raising=False)
        return tmp_path / "purchase.json"

    return install


def everything(tricks):
    """A file after which each hand makes so many."""
    row = [1000 * (n == tricks) for n in range(11)]
    head = {"bid": "purchase", "players": 4, "way": "alone", "typical": 12, "learned": {}}
    return {**head, "tricks": [row] * BUCKETS}


def bids(rules, deals=30):
    played = play_session(rules.ruleset, [make_bot("steady")] * 4, seed=1, session=0, deals=deals)
    return Counter(p.deal.contract.bid if p.deal.contract else "" for p in played)


def test_a_bid_is_learned_the_same_again_by_its_seed_and_the_file_is_read(plugin, capsys):
    """The file that stands there is no part of what is learned; nor of the rules' digest."""
    file = plugin()
    words = ["new", str(file), "--measure", "purchase", "--from", REF, "--deals", "150"]
    assert run(words) == 0
    first, told = file.read_text(), json.loads(file.read_text())
    assert (told["bid"], told["way"]) == ("purchase", "alone")
    assert told["learned"]["digest"] == compiled(REF).identity.digest
    assert run(words) == 2
    assert run([*words, "--force"]) == 0
    assert file.read_text() == first
    assert run([*words, "--force", "--seed", "2"]) == 0
    assert file.read_text() != first
    assert str(file) in capsys.readouterr().out
    assert bids(compiled(REF)).total() == 30


@pytest.mark.parametrize("engine", ["readable", "both"])
def test_players_bid_by_what_the_file_says(plugin, engine):
    """At ten tricks whatever the hand everybody bids; at none nobody does."""
    file = plugin()
    rules = compiled(REF)
    for tricks, is_bid in ((10, True), (0, False)):
        file.write_text(as_json(everything(tricks)))
        found = compiled(REF)
        assert found.identity.digest == rules.identity.digest
        if engine == "readable":
            assert (bids(found)["purchase"] > 20) == is_bid
        else:
            pytest.importorskip("numba")
            same = same_by_both_engines(found, deals=40)
            assert same, same


@pytest.mark.parametrize("changed", [{"way": "ally"}, {"players": 5}])
def test_a_file_of_another_way_or_table_is_left_alone(plugin, changed):
    """The values are those of rules without a file."""
    wide = len(measured(changed.get("players", 4)).premiers_of_16)
    rows = [[1000, *[0] * (wide - 1)] for _ in range(BUCKETS)]
    file = plugin()
    file.write_text(as_json({**everything(10), "tricks": rows, **changed}))
    rules = compiled(REF).ruleset.rules
    bare = replace(rules, own=replace(rules.own, measured=()))
    spec = BidSpec("purchase")
    assert Valuer(rules).row(spec, 1) == Valuer(bare).row(spec, 1)


def test_the_file_goes_with_the_rules_to_other_machines_and_into_a_studys_plan(plugin):
    """Rules that were sent need no file there; a study is not gone on with after it changed."""
    file = plugin()
    file.write_text(as_json(everything(10)))
    rules = compiled(REF)
    before = code_digests([rules])
    sent = pickle.dumps(rules.ruleset)
    file.unlink()
    there = pickle.loads(sent)  # noqa: S301 - from above
    assert Valuer(there.rules).row(BidSpec("purchase"), 1)
    file.write_text(as_json(everything(9)))
    after = code_digests([compiled(REF)])
    assert {key for key in before if before[key] != after[key]} == {"measured purchase purchase"}


GOOD = everything(6)
HOSTILE = {
    "nothing": "",
    "no JSON": "{",
    "deep": "[" * 100_000,
    "large": " " * 200_000 + "{}",
    "no text": b"\xff\xfe",
    "a list": [],
    "another key": {**GOOD, "also": 1},
    "another bid": {**GOOD, "bid": "solo"},
    "no such table": {**GOOD, "players": 3},
    "true for a number": {**GOOD, "typical": True},
    "a way that is none": {**GOOD, "way": ["alone"]},
    "a bucket too high": {**GOOD, "typical": BUCKETS},
    "a row too few": {**GOOD, "tricks": GOOD["tricks"][1:]},
    "a row too short": {**GOOD, "tricks": [[1000], *GOOD["tricks"][1:]]},
    "less than nothing": {**GOOD, "tricks": [[-1, 1001, *[0] * 9], *GOOD["tricks"][1:]]},
    "fractions": {**GOOD, "tricks": [[1000.0, *[0] * 10], *GOOD["tricks"][1:]]},
    "not all": {**GOOD, "tricks": [[999, *[0] * 10], *GOOD["tricks"][1:]]},
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_that_cannot_be_is_refused_by_plugin_bid_and_file(plugin, case):
    file, told = plugin(), HOSTILE[case]
    if isinstance(told, bytes):
        file.write_bytes(told)
    else:
        file.write_text(told if isinstance(told, str) else json.dumps(told))
    with pytest.raises(PluginError) as e:
        Valuer(compiled(REF).ruleset.rules)
    (problem,) = e.value.problems
    assert problem.code == "Q505"
    assert {k: problem.data[k] for k in ("plugin", "bid", "file")} == {
        "plugin": "purchase",
        "bid": "purchase",
        "file": str(file),
    }
    assert problem.help


def test_a_file_that_is_not_there_is_asked_for_by_the_command_that_writes_it(plugin, capsys):
    plugin()
    assert run(["deal", REF, "--players", "steady"]) == 1
    assert "--measure" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../x.json", "/etc/x.json", "x.yaml", "a b.json", 3])
def test_a_name_that_is_no_file_beside_the_module_is_refused(plugin, name):
    plugin(name)
    with pytest.raises(ProfileError) as e:
        compiled(REF)
    (problem,) = e.value.problems
    assert (problem.code, problem.data["record"], problem.data["field"]) == (
        "Q505",
        "NewBid",
        "measured",
    )


@pytest.mark.parametrize(
    ("reference", "bid"),
    [
        ("mediateur-1752", "nemo"),
        ("mediateur-1752", "casco"),
        ("quanti-1822@parlett", "alliance"),
        ("quanti-1822@parlett", "forced-spadille"),
        ("quintille", "solo"),
    ],
)
def test_every_way_of_playing_can_be_measured(reference, bid):
    """Also a bid that wants cards, one that nobody makes in turn, and five hands."""
    ruleset = compiled(reference).ruleset
    seen = []
    table, games = learning.learn(ruleset, bid, 40, 1, seen.append)
    assert seen == list(range(1, 41))
    assert (games == 40) == (bid in ("nemo", "solo", "forced-spadille"))
    assert games
    assert {sum(row) for row in table["tricks"]} == {1000}
    hand = ruleset.rules.table.hand_cards
    assert {len(row) for row in table["tricks"]} == {hand + 1}


@pytest.mark.parametrize(("bid", "best"), [("nemo", min), ("solo", max)])
def test_where_no_hand_promises_the_game_the_best_plays_it(bid, best):
    """Where no trick is to be made, that is the least dangerous."""
    rules = compiled("mediateur-1752").ruleset.rules
    valuer, spec, seen = Valuer(rules), BidSpec(bid), 0
    way, rows = mode_of(rules.bids.of(bid)), measured(4).tricks
    for deal in range(40):
        hands = [mask_of(hand) for hand in shuffled_hands(1, 0, deal, rules)]
        suits = valuer.suits_for(spec, None)
        scores = [max(valuer.score(way, hand, suit) for suit in suits) for hand in hands]
        shares = [rows[way][bucket_of(score)] for score in scores]
        if any(5 * (r[0] if best is min else sum(r[6:])) >= 2000 for r in shares):
            continue
        seen += 1
        assert scores[next(learning.seats_asked(valuer, bid, hands, None))] == best(scores)
    assert seen


def test_options_of_measuring_are_refused_without_it_and_where_they_make_no_sense(tmp_path):
    there = str(tmp_path / "x.json")
    for words in (
        ["new", str(tmp_path / "x.yaml"), "--deals", "200"],
        ["new", str(tmp_path / "x.txt"), "--measure", "solo"],
        ["new", there, "--measure", "none-such"],
        ["new", there, "--measure", "solo", "--title", "x"],
        ["new", there, "--measure", "casco", "--from", "mediateur-1752", "--deals", "150"],
    ):
        assert run(words) == 2, words
    assert not list(tmp_path.iterdir())
