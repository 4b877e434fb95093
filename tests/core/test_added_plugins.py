"""Plugins added to a profile by their names: ``PROFILE[@WITNESS][+PLUGIN[:PARAM=VALUE,…]]…``."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.shell.main import run
from support.data import cases

from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.auction import Ladder
from quadrille_core.errors import ProfileError, QuadrilleError
from quadrille_core.ruleset import compile_reference, parse_reference


@cases("added_plugins")
def test_a_reference_ends_in_the_plugins_that_are_added(text, parts):
    reference = parse_reference(text)
    assert [reference.profile, reference.witness, [str(a) for a in reference.added]] == parts
    assert str(reference) == text


@given(st.text(alphabet="ab@+:=,./-1", max_size=30))
def test_every_reference_is_spelled_back_as_it_was_given_or_refused_clearly(text):
    try:
        assert str(parse_reference(text)) == text
    except ProfileError as e:
        assert {p.code for p in e.problems} == {"Q506"}


@cases("added_plugins")
def test_a_plugin_that_cannot_be_added_is_refused(reference, code, message):
    with pytest.raises(QuadrilleError) as refused:
        compile_reference(reference)
    assert code in {p.code for p in refused.value.problems}
    assert any(message in p.message for p in refused.value.problems)


def test_an_added_plugin_gives_the_rules_that_a_profile_naming_it_has(tmp_path):
    house = {"kind": "profile", "id": "house", "title": "House", "extends": "quadrille-laws"}
    house["plugins"] = [{"plugin": "favourite", "with": {"suit": "spades"}}, {"plugin": "casco"}]
    path = tmp_path / "house.yaml"
    path.write_text(yaml.safe_dump(house))
    added = compile_reference("quadrille-laws+favourite:suit=spades+casco").ruleset
    assert added.identity.digest == compile_reference(str(path)).ruleset.identity.digest
    assert str(added.identity).startswith("quadrille-laws@article+favourite:suit=spades+casco#")


def test_a_parameter_left_out_or_given_as_it_would_be_anyway_is_the_same_rules():
    one, two, three = (
        compile_reference(f"quadrille-laws+multiplier{p}").ruleset.identity
        for p in ("", ":stake=made_good", ":stake=single")
    )
    assert one.digest == two.digest != three.digest
    assert [p.parameters for p in three.plugins][-1] == (("stake", "single"),)
    for own, told in (("favourite", "source=fixed,suit=hearts"), ("point-score", "game=4")):
        four, five = (
            compile_reference(f"quadrille-laws+{p}").ruleset for p in (own, f"{own}:{told}")
        )
        assert four.identity.digest == five.identity.digest


def test_a_parameter_and_a_reading_that_contradict_each_other_are_refused():
    with pytest.raises(ProfileError, match="which plugin 'multiplier' sets differently"):
        compile_reference(
            "quadrille-laws+multiplier:loss_adds=also", readings={"multiplier_loss": "instead"}
        )


def test_true_and_numbers_are_no_words():
    rules = compile_reference("quadrille-laws+vole-announced:revealed=false+point-score:game=6")
    assert rules.value_of("bids.solo.vole_with_bid") == "announced"
    assert rules.value_of("score.codille") == 12


def test_what_an_added_plugin_sets_is_cited_and_can_be_set_differently_by_hand():
    compiled = compile_reference(
        "quadrille-laws+multiplier", settings={"multiplier.loss_adds": "instead"}
    )
    assert compiled.source_of("multiplier.after_losses").startswith("wikipedia-old: Variations")
    assert compiled.origins["multiplier.stake"].status == "inferred"
    assert compiled.value_of("multiplier.loss_adds") == "instead"


# --- on the command line -------------------------------------------------------------------------


def out(capsys, *args, status=0):
    assert run([str(a) for a in args]) == status
    return capsys.readouterr().out


def test_two_rule_sets_that_differ_by_a_plugin_are_compared(capsys):
    text = out(
        capsys,
        "compare",
        "quadrille-laws",
        "quadrille-laws+multiplier",
        "--deals",
        "8",
        "--format",
        "json",
    )
    one, two = json.loads(text)["rules"]
    assert "added" not in one
    assert two["added"] == ["multiplier"]
    differences = out(capsys, "diff", "quadrille-laws", "quadrille-laws+multiplier", status=1)
    assert "multiplier.after_losses" in differences


def test_explain_tells_that_the_plugin_did_it(capsys):
    told = (
        ("quanti-1822+point-score", ""),
        ("quadrille-laws+point-score:game=2", "reading score_worth=basic_stake"),
    )
    for reference, was in told:
        text = out(capsys, "explain", reference, "score.won")
        assert "set by plugin point-score" in text
        assert "silent" in text
        assert was in text


def test_a_record_of_rules_with_an_added_plugin_replays_under_them(capsys, tmp_path):
    text = out(
        capsys,
        "deal",
        "quadrille-laws+casco+multiplier:loss_adds=instead",
        "--deal",
        "2",
        "--format",
        "json",
    )
    path = tmp_path / "deal.json"
    path.write_text(text)
    assert json.loads(text)["rules"]["added"] == ["casco", "multiplier:loss_adds=instead"]
    assert out(capsys, "deal", "--replay", path)
    for wrong in ("casco", [1], [["casco"]]):
        path.write_text(
            json.dumps(json.loads(text) | {"rules": json.loads(text)["rules"] | {"added": wrong}})
        )
        assert run(["deal", "--replay", str(path)]) == 1
        assert "rules.added is not as records have it" in capsys.readouterr().err


def test_a_house_file_can_be_begun_from_rules_with_plugins(capsys, tmp_path):
    path = tmp_path / "house.yaml"
    out(capsys, "new", path, "--from", "quadrille-laws+casco+favourite:suit=clubs")
    out(capsys, "check", path)
    house = compile_reference(str(path)).ruleset.identity.digest
    assert (
        house
        == compile_reference("quadrille-laws+casco+favourite:suit=clubs").ruleset.identity.digest
    )


# --- points in the ledger ------------------------------------------------------------------------

ANNE = {
    "contract": "alliance",
    "trump": "hearts",
    "hombre": "Anne",
    "ally": "Cleo",
    "tricks": {"Anne": 4, "Cleo": 2},
}
ANNE["tricks"] |= {"Bea": 4}


def test_a_session_in_points_writes_scores_and_owes_nothing(capsys, tmp_path):
    path = tmp_path / "points.ledger"
    players = [a for n in ("Anne", "Bea", "Cleo", "Dora") for a in ("--player", n)]
    text = out(
        capsys,
        "session",
        "start",
        path,
        "--rules",
        "quadrille-laws+point-score+multiplier",
        *players,
    )
    assert "quadrille-laws@article+point-score+multiplier#" in text
    won = tmp_path / "won.yaml"
    won.write_text(yaml.safe_dump(ANNE))
    lost = tmp_path / "lost.yaml"
    lost.write_text(yaml.safe_dump(ANNE | {"tricks": {"Anne": 2, "Cleo": 3, "Bea": 5}}))
    out(capsys, "session", "deal", path, lost)
    text = out(capsys, "session", "deal", path, won)
    assert "game won, counted double" in text
    assert "pool" not in text
    assert "owes" not in text
    ending = json.loads(out(capsys, "session", "end", path, "--format", "json"))
    assert ending["net"] == {"Anne": 4, "Bea": 0, "Cleo": 8, "Dora": 0}
    assert ending["payments"] == []
    with Ledger(path) as ledger:
        book = ledger.journal()
        assert not list(book.faults())
        assert {book.accounts[a]: int(v) for a, v in book.balances.items() if v} == {
            "score": -12,
            "Anne": 4,
            "Cleo": 8,
        }
    rows = out(capsys, "session", "export", path).splitlines()
    assert any("score,Anne" in row for row in rows)
    assert "nobody pays anybody" in out(capsys, "session", "show", path)


@pytest.mark.parametrize("name", ["score", "Score", "pool"])
def test_no_player_bears_the_name_of_an_account(capsys, tmp_path, name):
    players = [a for n in ("Anne", "Bea", "Cleo", name) for a in ("--player", n)]
    assert (
        run(["session", "start", str(tmp_path / "x.ledger"), "--rules", "quadrille-laws", *players])
        == 2
    )
    assert "payments name an account so" in capsys.readouterr().err
    assert not Path(tmp_path / "x.ledger").exists()


# --- rules that points contradict ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"score.kept": "points", "stakes.unit_of": "constant"}, "nothing is staked"),
        ({"score.kept": "points", "stakes.ante": 0}, "a unit cannot be a share of the stake"),
        ({"score.kept": "points", "table.purse_empty": "refill"}, "no purse runs out"),
    ],
)
def test_points_know_neither_stake_nor_share_of_it(settings, message):
    with pytest.raises(QuadrilleError, match=message):
        compile_reference("quadrille-laws", settings=settings)


def test_a_game_doubled_in_the_favourite_suit_has_no_table_that_doubles_it_again():
    with pytest.raises(QuadrilleError, match="doubles it again"):
        compile_reference("mediateur-1752", settings={"favourite.doubles": "game"})


# --- a variation added to a profile plays by the profile's own text ------------------------------


def test_among_five_the_variations_are_filled_from_the_older_article_and_say_so():
    five = compile_reference("quintille+vole-announced+favourite")
    four = compile_reference("quadrille-laws+vole-announced+favourite")
    paths = (
        "vole.announced_failed",
        "vole.announced_below_game",
        "favourite.doubles",
        "auction.announced_vole_rank",
    )
    for path in (*paths, "loss.remise_pays"):
        assert five.value_of(path) == four.value_of(path)
        assert five.origins[path].status == "silent"


@cases("added_plugins")
def test_what_a_variation_sets_has_the_text_that_has_it_so(reference, path, value, source):
    """What a plugin is told goes before the profile; where the profile's own text is silent,
    another fills it."""
    compiled = compile_reference(reference)
    assert compiled.value_of(path) == value
    assert compiled.source_of(path).startswith(source)


def test_in_points_a_vole_missed_cannot_leave_the_stake_standing():
    for reference in ("quadrille-laws+point-score+vole-announced", "mediateur-1752+point-score"):
        compiled = compile_reference(reference)
        assert compiled.value_of("vole.announced_failed") == "game_lost"
        with pytest.raises(QuadrilleError, match="stake_frozen"):
            compile_reference(reference, settings={"vole.announced_failed": "stake_frozen"})
    with pytest.raises(QuadrilleError, match="stake_frozen"):
        compile_reference("quadrille-laws+point-score+vole-announced:failed=stake_frozen")


@pytest.mark.parametrize(
    ("chosen", "first"),
    [({}, True), ({"announced_vole_rank": "own_bid"}, False)],
    ids=["law 18", "own_bid"],
)
def test_a_vole_announced_goes_before_a_solo_as_law_18_has_it(chosen, first):
    compiled = compile_reference("quadrille-laws+mediateur+vole-announced", readings=chosen)
    levels = Ladder(compiled.ruleset.rules).levels
    with_vole, alone = (
        levels[BidSpec("mediateur", False, "announced")],
        levels[BidSpec("solo", False, "none")],
    )
    assert (with_vole > alone) is first
    if first:
        assert compiled.origins["auction.announced_vole_rank"].status == "inferred"
        assert compiled.source_of("auction.announced_vole_rank").startswith(
            "inferred (wikipedia-old: L18"
        )


STATUSES = ("attested", "inferred", "silent", "unseen", "inapplicable", "conjecture", "house")


def plain_with(plugin):
    """A plain table of alliance and solo with the plugin added."""
    table = Path(__file__).parents[1] / "data" / "plain-table.yaml"
    return compile_reference(f"{table}+{plugin}", settings={"auction.all_pass": "redeal"})


@pytest.mark.parametrize("plugin", ["mediateur", "casco", "grandissimo", "nemo"])
def test_a_bid_that_a_plugin_brings_is_attested_no_better_than_where_a_profile_cites_it_leaf_by_leaf(
    plugin,
):
    house = plain_with(plugin)
    known = compile_reference("mediateur-1752@parlett").origins
    brought = {
        p: o
        for p, o in house.origins.items()
        if p.startswith(f"bids.{plugin}.") and o.link.setter == "plugin"
    }
    assert brought
    better = {
        p for p, o in brought.items() if STATUSES.index(o.status) < STATUSES.index(known[p].status)
    }
    assert not better - {
        "bids.mediateur.trump_when"
    }  # which the later article implies, and Parlett does not


@pytest.mark.parametrize("source", ["first_trumps", "drawn_each_session", "drawn_each_deal"])
def test_a_suit_named_where_it_is_found_differently_is_refused(source):
    with pytest.raises(QuadrilleError, match="the favourite is not fixed"):
        compile_reference(f"quadrille-laws+favourite:source={source},suit=clubs")


def test_a_neutral_value_is_said_to_be_stated_by_nothing_and_not_that_no_source_has_it():
    told = compile_reference("quadrille-laws").source_of("score.kept")
    assert told == "silent; filled: the neutral value; nothing in this profile states it"


def test_what_is_told_of_the_favourite_suit_goes_before_what_the_rules_say(tmp_path):
    house = tmp_path / "house.yaml"
    house.write_text(
        "kind: profile\nid: house\ntitle: House\nextends: quadrille-laws\n"
        "rules:\n  favourite: {source: fixed, suit: diamonds}\n"
    )
    for told, suit in (("", "diamonds"), (":suit=hearts", "hearts"), (":suit=clubs", "clubs")):
        assert compile_reference(f"{house}+favourite{told}").value_of("favourite.suit") == suit
    with pytest.raises(ProfileError, match="names diamonds, but the favourite is not fixed"):
        compile_reference(f"{house}+favourite:source=drawn_each_deal")
    undrawn = "quadrille-laws+favourite:source=drawn_each_deal"
    assert compile_reference(undrawn).value_of("favourite.suit") is None
