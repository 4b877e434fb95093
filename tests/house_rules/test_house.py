"""``quadrille new``: house rules that pass the check, and never in place of another file."""

import json
import re
from typing import get_args

import pytest
from click.testing import CliRunner
from quadrille_plugins.check.command import problems_of
from quadrille_plugins.house_rules.command import new_command
from quadrille_plugins.house_rules.idle import idle
from quadrille_plugins.settle.result_file import read_result

from quadrille_core import resources
from quadrille_core.engine.settle import settle
from quadrille_core.rules import PayItem
from quadrille_core.ruleset import compile_reference, load_chain


def test_new_never_overwrites_what_it_is_made_from(quadrille, tmp_path):
    path = tmp_path / "ours.yaml"
    quadrille("new", str(path))
    before = path.read_text()
    assert quadrille("new", str(path), "--from", str(path), "--force")[0] == 2
    assert path.read_text() == before


def test_new_writes_house_rules_that_pass_check_and_never_overwrites_unasked(quadrille, tmp_path):
    for reference in ("quanti-1822@parlett", "mediateur-1752", "quadrille-modern"):
        path = str(tmp_path / f"our {reference.split('@')[0]}.yaml")
        assert quadrille("new", path, "--from", reference)[0] == 0
        assert quadrille("check", path)[0] == 0
        assert quadrille("diff", reference, path)[0] == 0
        status, _, err = quadrille("new", path, "--from", reference)
        assert status == 2
        assert "--force" in err


RULE = re.compile(r"(?m)^#(?=  )")


PLAYABLE = [
    f"{name}@{witness.id}"
    for name in resources.shipped_profiles()
    for chain in [load_chain(name)]
    if not chain[-1].abstract
    for witness in chain[-1].witnesses
]


@pytest.mark.parametrize(
    "words",
    [
        ["--from", "quanti-1822"],
        *(["--from", reference] for reference in PLAYABLE),
        [
            "--from",
            "quanti-1822@parlett",
            "--premium",
            "solo=3",
            "--without",
            "vole",
            "--with",
            "favourite",
        ],
        ["--from", "mediateur-1752", "--lost-pays", "nothing"],
        ["--from", "quadrille-laws", "--title", "Ours: of Thursday"],
    ],
    ids=" ".join,
)
def test_every_commented_rule_may_be_uncommented_alone_and_all_together(quadrille, tmp_path, words):
    """Each commented line, uncommented alone, leaves a file without errors that changes no rule; so
    do all at once."""
    path = tmp_path / "ours.yaml"
    assert quadrille("new", str(path), *words)[0] == 0
    text = path.read_text()
    assert len(text.splitlines()) < 80
    problems, _, notes = problems_of(path)
    assert (problems, [note for note in notes if "cannot act" in note]) == ([], [])
    lines = [m.start() for m in RULE.finditer(text)]
    assert lines
    before = compile_reference(str(path)).game.rules
    for at in lines:
        path.write_text(text[:at] + text[at + 1 :])
        assert [p.render() for p in problems_of(path)[0]] == []
        if "plugin:" not in text[at:].partition("\n")[0]:
            assert compile_reference(str(path)).game.rules == before
    rules = text[: text.index("# Single rules")] + RULE.sub("", text[text.index("\nrules:") :])
    path.write_text(rules)
    assert [p.render() for p in problems_of(path)[0]] == []


def test_all_offers_every_rule_and_reading(quadrille, tmp_path):
    """With --all every block and every disputed point has its line, and all uncommented at once is
    right."""
    path = tmp_path / "ours.yaml"
    assert quadrille("new", str(path), "--all", "--from", "quanti-1822@parlett")[0] == 0
    text = path.read_text()
    assert "#  unit: " in text
    assert "#  vole: {" in text
    path.write_text(text[: text.index("plugins:")] + RULE.sub("", text[text.index("\nrules:") :]))
    assert [p.render() for p in problems_of(path)[0]] == []


def test_what_options_choose_is_in_force(quadrille, tmp_path):
    """Premiums, what a lost game pays, bids left out, plugins and single rules stand in the file
    and act."""
    path = tmp_path / "ours.yaml"
    words = ["--premium", "solo=3", "--lost-pays", "matadors", "--without", "vole"]
    words += ["--with", "favourite", "--set", "stakes.ante=2"]
    assert quadrille("new", str(path), "--title", "Thursday: ours", *words)[0] == 0
    compiled = compile_reference(str(path))
    rules = compiled.game.rules
    assert compiled.title.startswith("Thursday: ours")
    assert rules.payments.premium.get("solo", 0) == 3
    assert rules.loss.remise_pays == ("matadors",)
    assert rules.bids.of("vole").made == "never"
    assert rules.stakes.ante == 2
    assert rules.favourite.source == "fixed"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--premium", "sole=3"], "did you mean solo or vole?"),
        (["--premium", "solo"], "--premium solo=4"),
        (["--lost-pays", "matador"], "did you mean matadors?"),
        (["--players", "5"], "for 4 players"),
        (["--set", "stakes.anti=2"], "stakes.ante"),
        (["--with", "favorite"], "favourite"),
        (["--premium", "solo=4", "--set", "payments.premium.solo=3"], "two values"),
    ],
)
def test_new_refuses_what_cannot_be_and_writes_nothing(quadrille, tmp_path, words, told):
    """An option that is no rule is refused with what was meant, and there is no file."""
    path = tmp_path / "ours.yaml"
    status, _, err = quadrille("new", str(path), *words)
    assert status != 0
    assert told in err
    assert not path.exists()


def test_new_asks_and_asks_again(tmp_path, monkeypatch):
    """Question by question; a wrong answer is asked again with the reason."""
    monkeypatch.chdir(tmp_path)
    answers = [
        "quanti",
        "quanti-1822@parlett",
        "Ours",
        "sole",
        "vole",
        "",
        "",
        "x",
        "3",
        "maybe",
        "no",
        "",
        "x",
        "2",
    ]
    answers += [
        "ten pence",
        "28 penny/pence at 1, 1 shilling at 12",
        "premiums",
        "nothing",
        "twice",
        "2",
        "none",
    ]
    done = CliRunner().invoke(new_command, ["ours.yaml", "--ask"], input="\n".join(answers) + "\n")
    assert done.exit_code == 0, done.output
    assert "did you mean solo or vole?" in done.stderr
    assert "did you mean premium" in done.stderr
    rules = compile_reference("./ours.yaml").game.rules
    assert rules.payments.premium.get("solo", 0) == 3
    assert rules.loss.remise_pays == ()
    assert rules.loss.codille_items_times == 2
    assert rules.bids.of("vole").made == "never"
    assert (rules.stakes.unit_of, rules.stakes.unit) == ("constant", 2)
    assert (rules.table.purse, [c.many for c in rules.table.coins]) == (40, ["pence", "shillings"])


def asked(*answers):
    """What came of ``new --ask`` with these answers from the title on; every further one is the
    default."""
    lines = ["quanti-1822@parlett", "Ours", *answers, *[""] * 12]
    return CliRunner().invoke(new_command, ["ours.yaml", "--ask"], input="\n".join(lines) + "\n")


VOLES = [
    (
        ["none", "", "", "", "", "with"],
        {"bids.vole.made": "never", "bids.solo.vole_with_bid": "announced"},
    ),
    (
        ["none", "", "", "", "", "no"],
        {"bids.vole.made": "never", "bids.solo.vole_with_bid": "none"},
    ),
    (
        ["none", "", "", "", "", "bid", "5"],
        {"payments.premium.vole": 5, "payments.vole_stake.undertaken.solo": 0},
    ),
    (["none", "", "", "", "", "with", "7"], {"payments.vole_premium.announced.solo": 7}),
]


@pytest.mark.parametrize(("answers", "wanted"), VOLES)
def test_new_asks_how_the_vole_is_announced_and_what_it_pays(
    tmp_path, monkeypatch, answers, wanted
):
    """A bid of its own, with another bid or not at all; and one number of units for whatever a vole
    earns."""
    monkeypatch.chdir(tmp_path)
    done = asked(*answers)
    assert done.exit_code == 0, done.output
    origins = compile_reference("./ours.yaml").origins
    assert {path: origins[path].value for path in wanted} == wanted


def test_an_impossible_answer_is_asked_again_and_loses_no_other(tmp_path, monkeypatch):
    """A mechanic that is at work already, last of all: the reason, the question once more, and all
    else is kept."""
    monkeypatch.chdir(tmp_path)
    done = asked("none", "", "", "3", "", "", "", "", "", "", "", "mediateur", "favourite")
    assert done.exit_code == 0, done.output
    assert "plugin 'mediateur' is at work in these rules already" in done.stderr
    rules = compile_reference("./ours.yaml").game.rules
    assert (rules.payments.premium.get("solo", 0), rules.favourite.source) == (3, "fixed")


def test_an_answer_that_contradicts_an_earlier_one_is_asked_again(tmp_path, monkeypatch):
    """A unit is no share of a stake where points are written: the earlier answer stands."""
    monkeypatch.chdir(tmp_path)
    done = asked(
        "none", "", "", "3", "", "", "", "1/2 of the stake", "", "", "", "point-score", "none"
    )
    assert done.exit_code == 0, done.output
    assert "where points are written a unit cannot be a share of the stake" in done.stderr
    rules = compile_reference("./ours.yaml").game.rules
    assert (rules.score.kept, rules.stakes.unit_of) == ("counters", "stake")
    assert rules.payments.premium.get("solo", 0) == 3


@pytest.mark.parametrize("item", get_args(PayItem))
def test_a_lost_game_may_pay_whatever_a_game_earns(quadrille, tmp_path, item):
    """Every kind of payment that the rules know may be named on the command line."""
    path = str(tmp_path / "ours.yaml")
    assert quadrille("new", path, "--from", "quintille-new", "--lost-pays", item)[0] == 0
    assert compile_reference(path).game.rules.loss.remise_pays == (item,)


def test_check_notes_a_rule_that_cannot_act(quadrille, tmp_path):
    """What a file says of a bid that is never made is no error, and is noted with its line and the
    reason."""
    path = tmp_path / "ours.yaml"
    path.write_text(
        "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\ndefault_witness: "
        "parlett\nrules:\n  auction: {all_pass: redeal}\n  payments:\n    premium: "
        "{forced-spadille: 2}\n"
    )
    status, out, err = quadrille("check", str(path))
    assert (status, out) == (0, "1 file checked, no errors\n")
    assert (
        "note: line 9: payments.premium.forced-spadille cannot act: when all have passed"
        in " ".join(err.split())
    )
    assert "auction.all_pass cannot" not in err
    assert "more rules of its parents cannot act any more: when all have passed" in " ".join(
        err.split()
    )
    for words in ("bid:forced-spadille", "bids.forced-spadille.rank"):
        assert "cannot act here: when all have passed" in " ".join(
            quadrille("explain", str(path), words)[1].split()
        )
    told = json.loads(
        quadrille("explain", str(path), "bids.forced-spadille.rank", "--format", "json")[1]
    )
    assert "redeal" in told["paths"]["bids.forced-spadille.rank"]["idle"]
    path.write_text(
        path.read_text().replace(
            "{all_pass: redeal}", "{all_pass: redeal}\n  bids: {forced-spadille: {made: never}}"
        )
    )
    assert "of its parents" not in quadrille("check", str(path))[2]
    path.write_text(path.read_text().replace("\n  bids: {forced-spadille: {made: never}}", ""))
    shown = quadrille("show", str(path))[1]
    assert "Rules that cannot act:" in shown
    assert "(auction.all_pass: redeal)" in shown
    data = json.loads(quadrille("show", str(path), "--format", "json")[1])["leaves"]
    assert "redeal" in data["payments.premium.forced-spadille"]["idle"]
    assert "idle" not in data["auction.all_pass"]


@pytest.mark.parametrize("name", ["quanti-1822@parlett", "mediateur-1752"])
def test_bids_are_idle_where_they_are_not_played(name):
    """All stated rules of a bid that nobody can make are idle, but not the one that says so (the
    rest: test_idle)."""
    compiled = compile_reference(name)
    rules, stopped = compiled.game.rules, idle(compiled)
    for path, origin in compiled.origins.items():
        if path.startswith("bids.") and origin.link.setter != "vocabulary":
            never = not rules.is_played(rules.bids.of(path.split(".")[1]))
            if path.endswith(".made"):
                assert path not in stopped
            elif never:
                assert path in stopped


CONTRADICTIONS = [
    ("quanti-1822", "nemo", "nemo"),
    ("mediateur-1752", "nemo", "nemo"),  # which brings it itself
    ("quanti-1822", "Nemo", "nemo"),
    ("quanti-1822", "grandissimo", "grandissimo"),
]


@pytest.mark.parametrize(("ref", "without", "plugin"), CONTRADICTIONS)
def test_a_bid_is_not_added_and_left_out_at_once(tmp_path, quadrille, ref, without, plugin):
    """Two options that contradict each other are named, and nothing is written."""
    path = tmp_path / "ours.yaml"
    status, _, err = quadrille(
        "new", str(path), "--from", ref, "--without", without, "--with", plugin
    )
    assert status == 2
    assert f"--with {plugin} adds the bid {plugin}, and --without {plugin} leaves it out" in err
    assert "help: give one of the two" in err
    assert not path.exists()


def test_new_writes_what_a_vole_pays_and_the_readings_chosen(quadrille, tmp_path):
    """A vole of ten counters from each, no forced bid, and beasts that wait: one line, and the file
    says all of it."""
    path = tmp_path / "ours.yaml"
    words = (
        "--from quanti-1822@parlett --vole 10 --unit 1 --without forced-spadille --reading "
        "beasts_wait=wait"
    )
    assert quadrille("new", str(path), *words.split())[0] == 0
    assert quadrille("check", str(path))[0] == 0
    rules = compile_reference(str(path)).game.rules
    assert rules.loss.beasts == "wait"
    assert (rules.auction.all_pass, rules.bids.of("forced-spadille").made) == ("redeal", "never")
    result = tmp_path / "vole.yaml"
    result.write_text(
        f"rules: {path}\nplayers: [A, B, C, D]\npool: 4\ncontract: vole\ntrump: hearts\nhombre: A\n"
        "tricks: {A: 10}\nvole: announced\npremiers: true\n"
    )
    paid = json.loads(quadrille("settle", str(result), "--format", "json")[1])["transfers"]
    vole = [t["amount"] for t in paid if t["from"] == "B" and t["reason"] != "premiers"]
    assert vole == [10]


def test_new_prices_a_vole_missed_with_the_vole(quadrille, tmp_path):
    """Where a vole missed has a price of its own, ``--vole`` sets both, so that it costs what one
    made earns."""
    path = tmp_path / "ours.yaml"
    assert quadrille("new", str(path), "--from", "hoyle-improved", "--vole", "7")[0] == 0
    rules = compile_reference(str(path)).game.rules
    assert dict(rules.payments.vole_lost.items()) == {"alliance": 7, "mediateur": 7, "solo": 7}
    assert dict(rules.payments.vole_premium.undertaken.items()) == {
        "alliance": 7,
        "mediateur": 7,
        "solo": 7,
    }


def test_a_codille_may_cost_twice_what_a_remise_does(quadrille, tmp_path):
    """``--codille-pays 2`` doubles what each adversary gets; the file says so in a line of its
    own."""
    path = tmp_path / "ours.yaml"
    assert quadrille("new", str(path), "--premium", "solo=3", "--codille-pays", "2")[0] == 0
    rules = compile_reference(str(path)).game.rules
    result = {
        "players": list("ABCD"),
        "pool": 4,
        "contract": "solo",
        "trump": "spades",
        "hombre": "B",
    }
    lost = [
        settle(rules, read_result(result | {"tricks": {"B": n, "C": 10 - n}}, rules)).net[0]
        for n in (5, 4)
    ]
    assert lost == [3, 6]
    status, _, err = quadrille("new", str(tmp_path / "other.yaml"), "--codille-pays", "twice")
    assert (status, "expected a whole number" in err) == (2, True)


def test_a_bid_that_is_not_played_anyway_is_left_out_with_a_note(quadrille, tmp_path):
    """Who leaves out a bid that one account alone has may have meant the other account."""
    path = tmp_path / "ours.yaml"
    status, _, err = quadrille(
        "new", str(path), "--from", "quanti-1822@parlett", "--without", "casco"
    )
    assert status == 0
    assert "quanti-1822@parlett does not play casco as it is" in err
    assert "not play" not in quadrille("new", str(path), "--force", "--without", "solo")[2]


def test_new_without_the_forced_bid_is_asked_to_the_end(tmp_path, monkeypatch):
    """Who leaves out the forced bid has the cards dealt again, and loses no answer."""
    monkeypatch.chdir(tmp_path)
    answers = ["quanti-1822@parlett", "Ours", "forced-spadille", *[""] * 12]
    done = CliRunner().invoke(new_command, ["ours.yaml", "--ask"], input="\n".join(answers) + "\n")
    assert done.exit_code == 0, done.output
    assert "auction.all_pass: redeal" in done.stderr
    assert compile_reference("./ours.yaml").game.rules.auction.all_pass == "redeal"


def test_what_a_host_reads_fits_80_columns(tmp_path, monkeypatch, quadrille):
    """What is to be typed next, and a long note, in which the path and the rule stay whole; one
    note is one in JSON."""
    monkeypatch.chdir(tmp_path)
    written = (
        "--from",
        "quanti-1822@parlett",
        "--set",
        "auction.all_pass=redeal",
        "--premium",
        "forced-spadille=2",
    )
    out = quadrille("new", "thursday-evening.yaml", *written)[1]
    assert "\n  quadrille check thursday-evening.yaml\n" in out
    assert "\n  quadrille rulebook thursday-evening.yaml\n" in out
    err = quadrille("check", "thursday-evening.yaml")[2]
    assert "payments.premium.forced-spadille cannot" in " ".join(err.split())
    assert err.count("\n  ") >= 1
    assert max(map(len, (*out.splitlines(), *err.splitlines()))) <= 80


def test_new_names_what_cannot_act_and_proposes_commands_that_can_be_typed(quadrille, tmp_path):
    """A premium of a bid that is left out said nothing until the check; a path with a blank stood
    without quotes."""
    path = tmp_path / "our rules.yaml"
    status, out, err = quadrille("new", str(path), "--without", "solo", "--premium", "solo=3")
    assert status == 0
    assert "payments.premium.solo cannot act" in " ".join(err.split())
    assert f"quadrille check '{path}'" in out
