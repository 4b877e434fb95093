"""Plugins: from outside, broken, missing, misspelt, and at odds with one another."""

import json
from pathlib import Path
from textwrap import dedent

import pytest
from support.codes import CODES
from support.plugin import PREAMBLE, make_plugin, quadrille

from quadrille_core import hookspecs, vocabulary
from quadrille_core.errors import ProfileError
from quadrille_core.kinds import KINDS
from quadrille_core.ruleset import compile_reference

HERE = Path(__file__).parents[1]


@pytest.fixture
def house(tmp_path):
    """A profile of house rules that names the club's plugin."""
    (tmp_path / "house.yaml").write_text(
        dedent(
            """\
            kind: profile
            id: house
            title: Our house
            extends: quanti-1822
            default_witness: parlett
            plugins:
              - plugin: club
                with: {premium: 5}
            """
        )
    )
    return tmp_path


def test_a_plugin_from_outside_overrides_one_bid_one_forcing_rule_and_one_payment_row(club, house):
    shown = json.loads(
        quadrille("show", "house.yaml", "--format", "json", path=club, cwd=house).stdout
    )
    assert shown["leaves"]["bids.solo.tricks"]["value"] == 7
    assert shown["leaves"]["payments.premium.solo"]["value"] == 5
    assert len(shown["leaves"]["forcing.exceptions"]["value"]) > 0
    club_use = next(p for p in shown["rules"]["plugins"] if p["name"] == "club")
    assert club_use["version"] == "2.1.0"


def test_the_forcing_rule_of_a_plugin_is_honoured_by_legal(club, house):
    args = ("--hand", "CA H2", "--trick", "SA", "--trump", "diamonds", "--format", "json")
    plain = json.loads(quadrille("play", "quanti-1822@parlett", *args, path=club, cwd=house).stdout)
    changed = json.loads(quadrille("play", "house.yaml", *args, path=club, cwd=house).stdout)
    assert plain["legal"] == ["CA"]
    assert sorted(changed["legal"]) == ["CA", "H2"]


def test_the_payment_row_and_the_bid_of_a_plugin_are_honoured_by_settle(club, house):
    result = "rules: {}\nplayers: [A, B, C, D]\npool: 4\ncontract: solo\ntrump: hearts\nhombre: A\n"
    result += "tricks: {{A: {}, B: {}}}\n"
    (house / "seven.yaml").write_text(result.format("house.yaml", 7, 3))
    (house / "six.yaml").write_text(result.format("house.yaml", 6, 4))
    won = json.loads(
        quadrille("settle", "seven.yaml", "--format", "json", path=club, cwd=house).stdout
    )
    lost = json.loads(
        quadrille("settle", "six.yaml", "--format", "json", path=club, cwd=house).stdout
    )
    assert (won["outcome"], won["net"]) == ("won", {"A": 4 + 15, "B": -5, "C": -5, "D": -5})
    assert lost["outcome"] == "remise"


def test_what_merely_happens_to_be_installed_changes_nothing(club, house):
    with_club = quadrille("show", "quanti-1822", "--format", "json", path=club, cwd=house).stdout
    without = quadrille("show", "quanti-1822", "--format", "json", path=house, cwd=house).stdout
    assert with_club == without


def test_explain_names_the_plugin_what_it_replaced_and_why(club, house):
    text = quadrille("explain", "house.yaml", "payments.premium.solo", path=club, cwd=house).stdout
    assert "set by plugin club" in text
    assert "it is harder to make" in text
    assert "was 4, set by reading solo_premium=four_units" in text


def test_a_rule_changed_by_a_plugin_without_a_source_never_looks_attested(club, house):
    shown = json.loads(
        quadrille("show", "house.yaml", "--format", "json", path=club, cwd=house).stdout
    )
    assert shown["leaves"]["bids.solo.tricks"]["status"] == "house"


# --- plugins made on the spot -----------------------------------------------------------------


def profile(folder: Path, *plugins: str, rules: str = "{}") -> Path:
    path = folder / "p.yaml"
    lines = "".join(f"  - {p}\n" for p in plugins)
    path.write_text(
        f"kind: profile\nid: p\ntitle: P\nextends: quanti-1822\nrules: {rules}\nplugins:\n{lines}"
    )
    return path


def problems(tmp_path, monkeypatch, path):
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ProfileError) as e:
        compile_reference(str(path))
    return e.value.problems


def test_a_missing_plugin_is_reported_where_it_is_named_with_the_nearest_name(
    tmp_path, monkeypatch
):
    (problem,) = problems(tmp_path, monkeypatch, profile(tmp_path, "plugin: cascos"))
    assert problem.code == "Q501"
    assert (problem.place.line, problem.place.col) == (7, 13)
    assert problem.help == "did you mean casco?"


def test_a_broken_entry_point_is_reported_by_package_name_and_takes_nothing_else_down(tmp_path):
    make_plugin(tmp_path, "broken", "raise RuntimeError('boom')")
    done = quadrille("list", "plugins", path=tmp_path, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert (
        "Q502 plugin 'broken' (from dist-broken 1.0) cannot be loaded: RuntimeError: boom"
        in done.stderr
    )
    assert "casco" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_plugin_that_exits_on_import_is_reported_like_any_other(tmp_path, monkeypatch):
    make_plugin(tmp_path, "exits", "raise SystemExit(3)")
    (problem,) = problems(tmp_path, monkeypatch, profile(tmp_path, "plugin: exits"))
    assert problem.code == "Q502"


PATCH = PREAMBLE + (
    "@hookimpl\ndef quadrille_payments(rules, parameters):\n"
    "    return [Patch(path='payments.premiers', value={value}, reason='so')]\n"
)


_BLIND = PREAMBLE + (
    "from quadrille_core.hookspecs import Justification, NewBid\nfrom quadrille_core.rules "
    "import Bid\n@hookimpl\ndef quadrille_bids(rules, parameters):\n"
    "    rank = rules['bids.solo.rank'] + 1\n"
    "    bid = Bid(title='Blind', rank=rank, goal='at_least', tricks=6, trump='suit', "
    "may_undertake_vole=False)\n    ground = Justification(status='inferred', reason='as at the "
    "solo', source='parlett', at='Auction')\n    return [NewBid(id='blind', bid=bid, "
    "reason='so', justifications={justifications})]\n@hookimpl\ndef quadrille_payments(rules, "
    "parameters):\n    return [Default(path='payments.premium.blind', value=4, reason='so')]\n"
)


def test_a_ground_on_a_rule_that_stands_at_its_neutral_value_is_kept(tmp_path, monkeypatch):
    """What a plugin gives a ground for it says, even where it says what would hold anyway."""
    make_plugin(tmp_path, "blinded", _BLIND.replace("{justifications}", "{'partner': ground}"))
    monkeypatch.syspath_prepend(str(tmp_path))
    compiled = compile_reference(str(profile(tmp_path, "plugin: blinded")))
    assert compiled.value_of("bids.blind.partner") == "none"
    link = compiled.origins["bids.blind.partner"].link
    assert (link.name, link.reason, link.citations[0].source) == (
        "blinded",
        "as at the solo",
        "parlett",
    )
    assert compiled.origins["bids.blind.premiers"].link.setter == "vocabulary"


def test_two_plugins_that_set_one_rule_conflict_and_both_are_named(tmp_path, monkeypatch):
    make_plugin(tmp_path, "one", PATCH.format(value=3))
    make_plugin(tmp_path, "two", PATCH.format(value=4))
    (problem,) = problems(tmp_path, monkeypatch, profile(tmp_path, "plugin: one", "plugin: two"))
    assert problem.code == "Q504"
    assert problem.message == "plugins 'one' and 'two' both set payments.premiers"
    assert problem.help.endswith("'one' because so (no source); 'two' because so (no source)")


def test_two_plugins_that_set_one_rule_agree_once_the_profile_orders_them(tmp_path, monkeypatch):
    make_plugin(tmp_path, "uno", PATCH.format(value=3))
    make_plugin(tmp_path, "due", PATCH.format(value=4))
    path = profile(tmp_path, "plugin: uno", "{plugin: due, after: [uno]}")
    monkeypatch.syspath_prepend(str(tmp_path))
    compiled = compile_reference(str(path))
    assert compiled.value_of("payments.premiers") == 4
    assert [link.name for link in compiled.origins["payments.premiers"].chain][-2:] == [
        "uno",
        "due",
    ]


@pytest.mark.parametrize(
    ("given", "words"),
    [("{suite: hearts}", "did you mean suit?"), ("{suit: stars}", "choose one of")],
)
def test_an_unknown_parameter_or_value_is_refused_with_what_is_known(
    tmp_path, monkeypatch, given, words
):
    (problem,) = problems(
        tmp_path, monkeypatch, profile(tmp_path, f"{{plugin: favourite, with: {given}}}")
    )
    assert problem.code == "Q506"
    assert words in problem.help


def test_a_child_profiles_own_rule_stands_above_its_parents_plugin(tmp_path, monkeypatch):
    make_plugin(tmp_path, "above", PATCH.format(value=3))
    profile(tmp_path, "plugin: above")
    child = tmp_path / "child.yaml"
    child.write_text(
        "kind: profile\nid: c\ntitle: C\nextends: p.yaml\nrules: {payments: {premiers: 7}}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert compile_reference(str(tmp_path / "p.yaml")).value_of("payments.premiers") == 3
    assert compile_reference(str(child)).value_of("payments.premiers") == 7


@pytest.mark.parametrize(
    "code",
    [
        "rules['deal.packets'].append([5, 5])",
        "rules['loss.remise_pays'].clear()",
        "rules.pop('payments.premiers')",
        "parameters['x'] = 1",
        "raise SystemExit(0)",
    ],
)
def test_what_a_plugin_is_given_cannot_be_changed_and_it_cannot_end_the_program(
    tmp_path, monkeypatch, code
):
    name = f"rude{len(code)}"
    make_plugin(
        tmp_path,
        name,
        PREAMBLE + f"@hookimpl\ndef quadrille_bids(rules, parameters):\n    {code}\n",
    )
    (problem,) = problems(tmp_path, monkeypatch, profile(tmp_path, f"plugin: {name}"))
    assert problem.code == "Q507"


def test_a_plugin_that_exits_while_it_describes_itself_takes_no_other_down(tmp_path):
    code = (
        "from quadrille_core.hookspecs import *\n@hookimpl\ndef quadrille_describe():\n    "
        "raise SystemExit(0)\n"
    )
    make_plugin(tmp_path, "leaver", code)
    done = quadrille("list", "plugins", path=tmp_path, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert "casco" in done.stdout
    assert "Q507" in done.stderr


def test_two_distributions_that_provide_one_plugin_are_an_error_that_names_both(
    tmp_path, monkeypatch
):
    make_plugin(tmp_path, "three-tricks", PATCH.format(value=999))
    (problem, *_) = problems(tmp_path, monkeypatch, profile(tmp_path, "plugin: nemo"))
    assert problem.code == "Q502"
    assert "provided by dist-three-tricks 1.0 and quadrille-core 0.2.0" in problem.message


def test_every_hook_is_documented_and_used_by_a_shipped_or_tested_plugin():
    code = "".join(p.read_text() for p in (HERE.parent / "plugins").rglob("*.py"))
    code += "".join(p.read_text() for p in (HERE / "thirdparty").rglob("*.py"))
    docs = (HERE.parent / "docs" / "plugins.md").read_text()
    for name in (n for n in dir(hookspecs.Hooks) if n.startswith("quadrille_")):
        assert getattr(hookspecs.Hooks, name).__doc__
        assert f"def {name}(" in code, name
        assert name in docs, name


def test_every_block_of_rules_belongs_to_a_hook():
    blocks = {p.split(".")[0] for p in vocabulary.every_leaf()}
    known = [hookspecs.DOMAINS, *(kind.domains for kind in KINDS.values())]
    assert {b for domains in known for domain in domains.values() for b in domain} == blocks
    assert set(CODES) >= {"Q501", "Q507"}
