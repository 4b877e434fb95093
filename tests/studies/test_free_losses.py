"""Rule sets under which a lost game costs its bidder nothing are found, named, and closed by what
the warning says."""

import json
import random
from dataclasses import replace

import pytest
import yaml
from quadrille_plugins.settle.result_file import read_result, result_to_plain
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import free_losses as free
from quadrille_plugins.studies.free_losses import free_losses, opened_by, warning_of, warnings_of
from support import made_rules

from quadrille_core.cards import format_suit
from quadrille_core.engine.carry import START
from quadrille_core.engine.settle import settle
from quadrille_core.errors import ProfileError
from quadrille_core.plugin_rules import PaymentRow, PluginRules
from quadrille_core.resources import shipped_profiles
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference

LETTER = {"codille_base": "taken"}
DOORS = [
    (
        "quanti-1822@parlett",
        LETTER,
        {("alliance", "codille", False, True, "none")},
        "--reading codille_base=pool",
    ),
    (
        "mediateur-1752",
        LETTER,
        {("alliance", "codille", False, True, "none")},
        "--reading codille_base=pool",
    ),
    (
        "quadrille-laws",
        LETTER,
        {("solo", "codille", False, False, "none")},
        "--reading codille_base=pool",
    ),
    (
        "quadrille-modern",
        {"announced_vole_lost": "stake_frozen"},
        {("vole", "remise", True, False, "announced")},
        "--reading announced_vole_lost=game_lost",
    ),
    (
        "quanti-1822@parlett",
        {"vole_scheme": "nothing"},
        {("vole", "remise", True, False, "announced")},
        "--reading vole_scheme=second_pool",
    ),
    (
        "quadrille-laws+multiplier",
        {"multiplier_loss": "instead"},
        {
            (c, o, False, False, "none")
            for c in ("forced-spadille", "alliance", "solo")
            for o in ("remise", "codille")
        },
        "--reading multiplier_loss=also",
    ),
]
"""A rule set, the readings that open a door, the kinds of loss that go through it, and what closes
it."""


def shipped():
    """Every shipped rule set for playing tricks, as each of its witnesses has it."""
    for name in shipped_profiles():
        try:
            compiled = compile_reference(name)
        except ProfileError:
            continue  # an abstract profile is not played
        if isinstance(compiled.game, RuleSet):
            yield name
            yield from (f"{name}@{witness}" for witness in compiled.witnesses)


SHIPPED = list(shipped())


@pytest.mark.parametrize("reference", SHIPPED)
def test_no_shipped_default_lets_a_lost_game_cost_its_bidder_nothing(reference):
    assert free_losses(compile_reference(reference).ruleset.rules) == ()


@pytest.mark.parametrize(("reference", "readings", "kinds", "_"), DOORS)
def test_every_door_is_found_and_its_example_settles_at_nothing_lost(reference, readings, kinds, _):
    compiled = compile_reference(reference, readings=readings)
    losses = free_losses(compiled.ruleset.rules)
    assert {loss.kind for loss in losses} == kinds
    for loss in losses:
        plain = result_to_plain(loss.result, reference, readings)
        settlement = settle(compiled.ruleset.rules, read_result(plain, compiled.ruleset.rules))
        assert settlement.outcome == loss.outcome != "won"
        assert settlement.net[loss.result.hombre] == loss.net >= 0


@pytest.mark.parametrize(("reference", "readings", "kinds", "closing"), DOORS)
def test_each_option_that_the_warning_names_closes_the_door(reference, readings, kinds, closing):
    warning = warning_of(compile_reference(reference, readings=readings))
    assert warning is not None
    assert closing in warning.text()
    for loss, options in zip(warning.losses, warning.closed_by, strict=True):
        assert closing in options
        for option in options:
            _, point, reading = option.replace("=", " ").split()
            closed = compile_reference(
                reference, readings={**readings, point: reading}
            ).ruleset.rules
            assert loss.kind not in {other.kind for other in free_losses(closed)}


def test_a_vole_announced_before_the_first_lead_is_a_door_where_it_costs_nothing_to_miss_it():
    """An alliance cannot be bid with the vole: its row is found only because Hombre may announce it
    later."""
    free_of_charge = {"vole.announced_failed_premium": False}
    compiled = compile_reference(
        "quadrille-laws+vole-announced:failed=stake_frozen", settings=free_of_charge
    )
    warning = warning_of(compiled)
    assert warning is not None
    closed = dict(zip((loss.kind for loss in warning.losses), warning.closed_by, strict=True))
    alliance, solo = ((bid, "remise", True, False, "announced") for bid in ("alliance", "solo"))
    assert closed.keys() == {alliance, solo}
    assert closed[alliance] == ("--reading announced_vole_when=with_the_bid",)
    assert "--set vole.announced_failed=game_lost" in closed[solo]


def test_where_no_reading_closes_it_the_rules_that_would_are_named():
    compiled = compile_reference("quadrille-laws", settings={"loss.remise_adds": 0})
    warning = warning_of(compiled)
    assert warning is not None
    assert "--set loss.remise_adds=1" in warning.closed_by[0]
    assert "loss.remise_adds=0" in warning.text()


def test_an_alternative_that_differs_in_nothing_a_loss_reads_is_not_settled(monkeypatch):
    base = compile_reference("quanti-1822")
    other = compile_reference("quanti-1822", readings={"forced_by": "played"})
    opened = compile_reference("quanti-1822@parlett", readings=LETTER)
    asked = []
    monkeypatch.setattr(free, "warning_of", asked.append)
    assert warnings_of(base, [other, opened, opened]) == []
    assert asked == [base, opened]


def test_a_loss_that_costs_nothing_at_some_trumps_alone_is_found():
    """Every suit is tried where a plugin pays by suit, with and without a favourite suit."""
    row = PaymentRow(
        reason="r",
        amount="x.n",
        payer="adversaries",
        payee="hombre",
        outcomes=("remise",),
        trumps=("clubs",),
    )
    for reference in ("quanti-1822@parlett", "mediateur-1752@parlett"):
        rules = compile_reference(reference).ruleset.rules
        assert not free_losses(rules)
        own = PluginRules((("x.n", 1000),), (("x.payments", (row,)),))
        found = free_losses(replace(rules, own=own))
        assert found
        assert {format_suit(loss.result.trump) for loss in found} == {"clubs"}


BRIEF = [
    "quanti-1822@parlett",
    "mediateur-1752",
    "quadrille-laws",
    "quadrille-laws+favourite+vole-announced",
    "quadrille-modern",
    "quintille",
]


@pytest.mark.slow
@pytest.mark.parametrize("reference", BRIEF)
def test_the_brief_look_at_all_readings_finds_what_the_whole_enumeration_finds(reference):
    compiled = compile_reference(reference)
    whole, changes = set(), free.Closing(compiled)
    for state in compiled.points:
        for reading in state.point.readings:
            rules = changes.changed({path: value for path, value, _ in reading.sets})
            if rules is not None and free_losses(rules):
                whole.add(f"{state.point.id}={reading.id}")
    found = opened_by(compiled, {state.point.id for state in compiled.points})
    assert whole
    assert set(found.readings) == whole


@pytest.mark.parametrize("reference", SHIPPED)
def test_the_enumeration_stays_small_and_is_made_once_for_a_digest(reference, monkeypatch):
    """Some thirty microseconds to a settlement: four hundred are a fiftieth of a second."""
    compiled, settled = compile_reference(reference), []
    monkeypatch.setattr(free, "settle", lambda *args: settled.append(args) or settle(*args))
    free.KNOWN.clear()
    for _ in range(3):
        assert warning_of(compiled) is None
    assert 0 < len(settled) < 400


def test_results_drawn_at_random_show_no_free_loss_that_the_enumeration_has_not():
    pytest.importorskip("numba")
    from support.drawn import drawn_result

    rng, met = random.Random(5), 0
    for loosened in (
        {},
        {"loss.codille_base": "taken"},
        {"loss.codille_adds": 0, "loss.codille_pays": []},
        {
            "bids.alliance.loss_borne": "shared",
            "bids.alliance.pool_penalty": "as_borne",
            "loss.remise_adds": 0,
        },
        {"vole.announced_failed_premium": False, "payments.vole_stake.announced.solo": 0},
    ):
        rules = made_rules(**loosened).rules
        kinds = {loss.kind[:4] for loss in free_losses(rules)}
        for _ in range(250):
            result = drawn_result(rng, rules, START)
            if result is None or result.vole == "undertaken":
                continue
            loss = free.free_loss(rules, replace(result, claims=()))
            if loss is not None:
                met += 1
                assert loss.kind[:4] in kinds, loss.text()
    assert met > 20


# --- on the command line -------------------------------------------------------------------------


def said(capsys, *args, status=0):
    assert run(list(args)) == status
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_check_warns_on_stderr_and_finds_no_fault(capsys, tmp_path):
    house = {
        "kind": "profile",
        "id": "house",
        "title": "House",
        "extends": "quanti-1822",
        "readings": LETTER,
    }
    path = tmp_path / "house.yaml"
    path.write_text(yaml.safe_dump(house))
    out, err = said(capsys, "check", str(path))
    assert ", no errors" in out
    warning = " ".join(err.split())
    assert f"{path}: warning: under house a lost game can cost its bidder nothing" in warning
    assert "It costs something by --reading codille_base=pool" in warning
    assert json.loads(said(capsys, "check", str(path), "--format", "json")[0]) == []
    path.write_text(yaml.safe_dump({**house, "readings": {}}))
    assert said(capsys, "check", str(path))[1] == ""


FEW = ("--deals", "8", "--engine", "readable", "--workers", "1", "--players", "random")
STUDIES = [
    (
        "compare",
        "quanti-1822@parlett",
        "quanti-1822@wikipedia",
        *FEW,
        "--reading",
        "1:codille_base=taken",
    ),
    ("matters", "quanti-1822@parlett", "codille_base", *FEW),
    (
        "compare",
        "quanti-1822@parlett",
        "--bots",
        "random,steady",
        "--deals",
        "8",
        "--reading",
        "codille_base=taken",
    ),
]


@pytest.mark.parametrize("command", STUDIES, ids=lambda c: c[0])
def test_a_study_warns_on_stderr_and_in_its_json(command, capsys):
    out, err = said(capsys, *command, "--format", "json")
    assert err.count("warning: ") == 1
    assert "a lost game can cost its bidder nothing" in err
    (warning,) = json.loads(out)["design"]["free_losses"]
    assert warning["rules"] == "quanti-1822@parlett (codille_base=taken)"
    (loss,) = warning["losses"]
    assert (loss["contract"], loss["alone"], loss["outcome"], loss["pool"], loss["net"]) == (
        *("alliance", True, "codille", 4, 0),
    )
    assert loss["closed_by"][0] == "--reading codille_base=pool"


def test_a_study_of_rules_without_such_a_door_says_nothing_of_it(capsys):
    out, err = said(
        capsys, "compare", "quanti-1822@parlett", "quanti-1822@wikipedia", *FEW, "--format", "json"
    )
    assert "warning" not in err
    assert "free_losses" not in json.loads(out)["design"]
