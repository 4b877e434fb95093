"""The Python interface: the commands as functions, and their results as objects."""

import ast
import inspect
import json
import pickle
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal

import documents
import pytest
from quadrille_plugins.shell import commands
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import fast
from support.plugin import SOLO

import quadrille_core as q
from quadrille_core.installation import install_hint

FOLDER = Path(q.__file__).parent
RESULT = {"rules": "quanti-1822@parlett", **SOLO, "matadors": 3, "premiers": True}
PLAY = {"deals": 40, "engine": "readable", "workers": 1}
PLAYED = ("--deals", "40", "--engine", "readable", "--workers", "1")


@pytest.fixture(scope="module")
def rules():
    return q.load("quanti-1822@parlett")


@pytest.fixture(scope="module")
def house():
    return q.load(
        "quanti-1822@parlett",
        set={"payments.premium.solo": 5},
        readings={"remise_pays": "matadors_only"},
    )


@pytest.fixture(scope="module")
def compared(rules, house):
    return q.compare(rules, house, **PLAY)


def test_the_import_loads_nothing():
    code = (
        "import sys; before = set(sys.modules); import quadrille_core; "
        "print(sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ast.literal_eval(done.stdout) == ["quadrille_core"]


def test_the_names_that_type_checkers_see_are_those_that_there_are():
    stub = ast.parse((FOLDER / "__init__.pyi").read_text("utf-8"))
    typed = {
        a.asname: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for a in node.names
        if a.asname
    }
    typed |= {
        node.name: "quadrille_plugins.shell.api"
        for node in stub.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    assert {"__version__", *typed} == set(q.__all__)
    for name, module in typed.items():
        assert getattr(q, name).__module__ == module, name
    assert (FOLDER / "py.typed").exists()
    assert set(q.__all__) <= set(dir(q))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = q.nothing


CALLS = {
    "list": (lambda r, h: q.list(), ("list",)),
    "show": (lambda r, h: r, ("show", "quanti-1822@parlett")),
    "set and readings": (
        lambda r, h: h,
        (
            "show",
            "quanti-1822@parlett",
            "--set=payments.premium.solo=5",
            "--reading=remise_pays=matadors_only",
        ),
    ),
    "explain": (
        lambda r, h: r.explain("payments.premium"),
        ("explain", "quanti-1822@parlett", "payments.premium"),
    ),
    "diff": (
        lambda r, h: r.diff("mediateur-1752"),
        ("diff", "quanti-1822@parlett", "mediateur-1752"),
    ),
    "deal": (
        lambda r, h: q.deal(r, seed=3, session=2),
        ("deal", "quanti-1822@parlett", "--seed=3", "--session=2"),
    ),
    "compare, each with its own": (
        lambda r, h: q.compare(r, h, seed=2, **PLAY),
        (
            *("compare", "quanti-1822@parlett", "quanti-1822@parlett", "--seed=2", *PLAYED),
            *("--set=2:payments.premium.solo=5", "--reading=2:remise_pays=matadors_only"),
        ),
    ),
    "matters": (
        lambda r, h: q.matters(r, "remise_pays", **PLAY),
        ("matters", "quanti-1822@parlett", "remise_pays", *PLAYED),
    ),
    "a feature's": (lambda r, h: q.run("apparatus", r), ("apparatus", "quanti-1822@parlett")),
    "plugins": (lambda r, h: q.list("plugins"), ("list", "plugins")),
    "patience": (
        lambda r, h: q.compare("captive-queens", "royal-quadrille", deals=20, workers=1),
        ("compare", "captive-queens", "royal-quadrille", "--deals=20", "--workers=1"),
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_function_gives_the_data_and_the_text_that_its_command_prints(
    name, rules, house, capsys, monkeypatch
):
    monkeypatch.delenv("COLUMNS", raising=False)
    call, line = CALLS[name]
    found = call(rules, house)
    assert capsys.readouterr().out == "", "nothing is printed"
    assert run([*line, "--format=json"]) in (0, 1)
    assert json.loads(capsys.readouterr().out) == found.to_dict()
    run(line)
    assert capsys.readouterr().out.rstrip("\n") == str(found)


def test_a_result_is_settled_from_a_mapping_as_from_a_file(tmp_path, rules, house):
    path = tmp_path / "result.yaml"
    path.write_text(json.dumps(RESULT), encoding="utf-8")
    found = q.settle(RESULT).to_dict()
    assert found == q.settle(path).to_dict()
    assert found["net"] == {"A": 66, "B": -18, "C": -18, "D": -18}
    named = {k: v for k, v in RESULT.items() if k != "rules"}
    assert q.settle(named, rules=rules).to_dict() == found
    assert q.settle(named, rules=house).to_dict()["net"]["A"] == 75
    assert q.settle({**RESULT, "pool": Fraction(24, 2)}).to_dict() == found


def test_a_rule_set_gives_its_values_and_sources_by_path(rules, house):
    assert rules.rules["payments.premium.solo"] == 4
    assert rules.sources["payments.premium.solo"] == "parlett: Pay-off for won solo"
    assert (house.rules["payments.premium.solo"], house.points["remise_pays"]) == (
        5,
        "matadors_only",
    )
    assert len(rules.digest) == 64
    assert rules == q.load("quanti-1822@parlett") != house
    assert len({rules, house, q.load("quanti-1822@parlett")}) == 2
    assert repr(rules) == f"<RuleSet quanti-1822@parlett#{rules.digest[:12]}>"
    with pytest.raises(TypeError):
        rules.rules["payments.premium.solo"] = 5


def test_results_do_not_change_and_can_be_pickled(rules, compared):
    for one in (rules, compared):
        with pytest.raises(FrozenInstanceError):
            one.command = "other"
        one.to_dict()["rules"] = None
        again = pickle.loads(pickle.dumps(one))  # noqa: S301
        assert again.to_dict() == one.to_dict()
        assert again.to_dict()["rules"]
        assert str(again) == str(one)


def test_the_same_seed_gives_the_same_result(rules, house, compared):
    assert q.compare(rules, house, **PLAY).to_dict() == compared.to_dict()
    assert q.compare(rules, house, seed=2, **PLAY).to_dict() != compared.to_dict()


def test_progress_is_reported_to_a_function(rules, house, capsys):
    seen = []
    q.compare(rules, house, progress=lambda done, most: seen.append((done, most)), **PLAY)
    assert seen[-1] == (40, 40)
    assert capsys.readouterr() == ("", "")


# --- data frames and notebooks ------------------------------------------------------------------


def test_a_data_frame_has_the_rows_of_the_csv(compared):
    pytest.importorskip("pandas")
    frame = compared.to_pandas()
    assert list(frame.columns) == list(compared.columns)
    assert len(frame) == len(compared.rows) > 0
    assert frame["mean"].dtype == "float64", "numbers are numbers"
    assert all(cell != "" for row in compared.rows for cell in row.values())


def test_integers_and_booleans_with_gaps_stay_what_they_are_in_a_data_frame(compared):
    """They became floats and objects, so that 40 280 was 40280.0."""
    pandas = pytest.importorskip("pandas")
    frame = compared.to_pandas()
    nullable = {frozenset({int, type(None)}): "Int64", frozenset({bool, type(None)}): "boolean"}
    kinds = {name: frozenset(type(row[name]) for row in compared.rows) for name in compared.columns}
    expected = {name: nullable[kind] for name, kind in kinds.items() if kind in nullable}
    assert "Int64" in expected.values(), "this study has numbers with gaps"
    assert {name: str(frame[name].dtype) for name in expected} == expected
    for name in compared.columns:
        found = [None if pandas.isna(cell) else cell for cell in frame[name]]
        assert found == [row[name] for row in compared.rows], name


def test_a_data_frame_of_no_rows_has_its_columns():
    """Two rule sets that are alike have no rule that differs."""
    pytest.importorskip("pandas")
    frame = q.load("quanti-1822").diff("quanti-1822").to_pandas()
    assert len(frame) == 0
    assert list(frame.columns) == ["path", "value_1", "value_2", "source_1", "source_2"]


def test_a_rule_that_one_side_does_not_have_is_missing_and_no_text():
    """It was the text `none`, which is a value that many rules do have."""
    pytest.importorskip("pandas")
    found = q.load("quanti-1822@parlett").diff("mediateur-1752")
    rows = {row["path"]: row for row in found.rows}
    assert [rows["bids.grandissimo.trump"][c] for c in ("value_1", "value_2", "source_1")] == [
        None,
        "none",
        None,
    ]
    assert rows["favourite.suit"]["value_1"] == "none", "a rule whose value is null is there"
    assert rows["favourite.suit"]["source_1"]
    plain = {d["path"]: d for d in found.to_dict()["differences"]}
    assert plain["bids.grandissimo.trump"]["values"] == [None, "none"]
    assert plain["bids.grandissimo.trump"]["statuses"][0] == "absent"
    assert plain["favourite.suit"]["statuses"][0] != "absent"
    missing = {path for path, d in plain.items() if d["statuses"][0] == "absent"}
    frame = found.to_pandas().set_index("path")
    assert {*frame.index[frame.value_1.isna()]} == {*frame.index[frame.source_1.isna()]} == missing
    assert frame.value_2.notna().all()


def test_a_notebook_shows_the_rules_that_differ_as_a_table_and_all_lists_those_of_bids():
    """It was text alone, and 94 of 128 rules were left out by an option that the function did not
    take."""
    rules = q.load("quanti-1822@parlett")
    short, whole = (
        Tags(rules.diff("mediateur-1752", all=every)._repr_html_()) for every in (False, True)
    )
    assert short.tags.count("table") == 2, "one of bids that only one side has, one of rules"
    assert "all=True" in short.text
    assert "--all" not in short.text
    assert "bids.grandissimo.trump" not in short.text
    assert whole.tags.count("tr") == 1 + 128
    assert "bids.grandissimo.trump" in whole.text


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_package_that_is_not_there_is_named(package, rules, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(q.UsageError, match=f"{package} is not installed"):
        getattr(rules, f"to_{package}")()


class Tags(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>&amp;'\""


def test_a_hostile_title_is_shown_as_text(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        f"kind: profile\nid: mine\ntitle: {json.dumps(HOSTILE)}\nextends: quanti-1822\nrules: "
        f"{{}}\n",
        encoding="utf-8",
    )
    mine = q.load(path)
    assert mine.title == HOSTILE
    settled = q.settle(
        {
            **RESULT,
            "players": [HOSTILE, "B", "C", "D"],
            "hombre": HOSTILE,
            "tricks": {HOSTILE: 6, "B": 4},
        }
    )
    for one in (mine, settled):
        page = Tags(one._repr_html_())
        assert not {"script", "img"} & set(page.tags)
        assert HOSTILE in page.text


def test_a_notebook_shows_rules_with_sources_a_deals_hands_and_a_studys_answer(rules, compared):
    shown = Tags(rules._repr_html_()).text
    assert "parlett: Pay-off for won solo" in shown
    dealt = q.deal(rules, seed=3)
    hands = Tags(dealt._repr_html_()).text
    assert "hands, eldest first" in hands
    assert len(dealt.to_dict()["hands"]) == 4
    answer = Tags(compared._repr_html_()).text.strip()
    assert answer.startswith(compared.answer)
    assert answer.count(compared.answer) == 1, "it stood twice"
    assert compared.answer in repr(compared)


def test_the_answer_of_several_rule_sets_has_a_line_for_each_beside_the_first(rules):
    """It told of the first pair alone."""
    others = ["quanti-1822@wikipedia", "mediateur-1752", "academie", "quadrille-modern"]
    found = q.compare(rules, *others, deals=4, engine="readable", workers=1)
    told = [pair["answer"] for pair in found.to_dict()["paired"]]
    assert found.answer.splitlines() == told
    assert len({*told}) == len(others)


def test_a_notebook_shows_a_rule_set_in_a_box_of_its_own_height_and_a_study_whole(rules, compared):
    assert rules._repr_html_().startswith('<div style="max-height: 36em; overflow: auto">')
    assert "max-height" not in compared._repr_html_()


def test_a_notebook_shows_the_pictures_of_a_study_where_the_extra_is_installed(
    compared, monkeypatch
):
    from quadrille_plugins.studies import pictures

    with monkeypatch.context() as patched:
        patched.setattr(pictures, "find_spec", lambda name: None)
        assert "img" not in Tags(compared._repr_html_()).tags
    pytest.importorskip("altair")
    assert "img" in Tags(compared._repr_html_()).tags


# --- errors -------------------------------------------------------------------------------------

WRONG = {
    "no profile": (lambda: q.load("nope"), ("show", "nope")),
    "no rule": (
        lambda: q.load("quanti-1822", set={"nope": 3}),
        ("show", "quanti-1822", "--set=nope=3"),
    ),
    "no reading": (
        lambda: q.load("quanti-1822", readings={"nope": "a"}),
        ("show", "quanti-1822", "--reading=nope=a"),
    ),
    "one rule set": (lambda: q.compare("quanti-1822"), ("compare", "quanti-1822")),
    "no bot": (lambda: q.deal("quanti-1822", players="x"), ("deal", "quanti-1822", "--players=x")),
    "two games": (
        lambda: q.load("quintille").diff("captive-queens"),
        ("diff", "quintille", "captive-queens"),
    ),
    "a reference like an option": (lambda: q.load("--help"), ("show", "--", "--help")),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_error_is_that_of_the_command_line(name, capsys):
    """The codes and messages are those that the command prints; the help speaks of Python."""
    call, line = WRONG[name]
    with pytest.raises(q.QuadrilleError) as raised:
        call()
    assert run(line) in (1, 2)
    printed = capsys.readouterr().err
    for problem in raised.value.problems:
        assert f"{problem.code} {problem.message}\n" in printed
        assert problem.help
        assert "quadrille " not in problem.help


def test_every_fault_of_a_file_can_be_used(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "kind: profile\nid: mine\nextends: quanti-1822\nrules:\n  stakes:\n    unitt: 3\n    "
        "ante: lots\n"
    )
    with pytest.raises(q.ProfileError) as raised:
        q.load(path)
    assert len(raised.value.problems) > 1
    for problem in raised.value.problems:
        assert (problem.path, problem.line > 0, problem.col > 0) == (str(path), True, True)
        assert problem.as_dict().keys() == {"code", "message", "path", "line", "col", "help"}


def test_an_impossible_result_is_refused_with_every_fault():
    with pytest.raises(q.ResultError) as raised:
        q.settle({**RESULT, "tricks": {"A": 11}, "matadors": 4, "ally": "A"})
    assert {p.code for p in raised.value.problems} == {"Q701"}
    assert len(raised.value.problems) > 1


def test_the_answer_about_a_rule_is_its_value():
    """It was the head line, the name of the rule set."""
    assert q.explain("quanti-1822", "payments.premium.solo").answer == "payments.premium.solo = 4"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"bogus": 1}, "bogus"),
        ({"deals": [40, 80]}, "takes one value"),
        ({"deals": 0}, "deals"),
        ({"table": True}, "table takes one value"),
        ({"study": "folder"}, "study"),
        ({"format": "csv"}, "format"),
    ],
)
def test_an_option_that_makes_no_sense_is_named(options, said, rules):
    with pytest.raises(q.UsageError, match=said):
        q.compare(rules, "mediateur-1752", **options)


def test_bots_are_named_by_a_text_or_a_list(rules):
    named = q.deal(rules, players=["steady", "random", "steady", "random"]).to_dict()
    assert (
        named
        == q.deal(rules, players="steady,random,steady,random").to_dict()
        != q.deal(rules).to_dict()
    )


def test_a_feature_that_is_not_there_is_named(rules, monkeypatch):
    there = {name: one for name, one in commands.offers().items() if name != "compare"}
    monkeypatch.setattr(commands, "offers", lambda: there)
    with pytest.raises(q.FeatureError, match="Q508 the feature 'compare' is not installed"):
        q.compare(rules, rules)
    assert q.load("quanti-1822") is not None


def test_an_extra_that_is_not_there_is_named_and_how_to_install_it(rules, house, monkeypatch):
    monkeypatch.setattr(fast, "find_spec", lambda name: None)
    with pytest.raises(q.UsageError) as raised:
        q.compare(rules, house, deals=40, engine="fast")
    assert install_hint("fast") in str(raised.value)


MISTAKEN = {
    "a command misspelt": (
        lambda r: q.run("copmare"),
        "Q508",
        "'copmare'",
        "did you mean compare?",
    ),
    "no command like it": (lambda r: q.run("frobnicate"), "Q508", "'frobnicate'", install_hint()),
    "a number for a rule set": (
        lambda r: q.load(3),
        "Q802",
        "type int",
        "help(q.load)",
    ),
    "a number for one of two": (
        lambda r: r.diff(3),
        "Q802",
        "type int",
        "help(q.diff)",
    ),
    "a record that is in memory": (
        lambda r: q.deal(replay={}),
        "Q802",
        "dict is no value",
        "a path",
    ),
    "rules that are in memory": (
        lambda r: q.load({"kind": "profile"}),
        "Q802",
        "type dict",
        "help(q.load)",
    ),
    "a result that is none": (
        lambda r: q.settle(3),
        "Q802",
        "type int",
        "help(q.settle)",
    ),
    "a bid misspelt in a rule": (
        lambda r: r.explain("payments.premium.sol"),
        "Q605",
        "'payments.premium.sol'",
        "payments.premium.solo",
    ),
    "a bid misspelt amid a rule": (
        lambda r: r.explain("bids.sol.trump"),
        "Q605",
        "sol",
        "bids.solo.trump",
    ),
    "a bid of no rule set": (
        lambda r: r.explain("bids.xyzzy.trump"),
        "Q605",
        "xyzzy",
        "did you mean bids.",
    ),
}


@pytest.mark.parametrize("name", MISTAKEN)
def test_a_mistake_in_an_argument_is_an_error_that_says_what_to_do(name, rules):
    """Some were Python's own TypeErrors, others said to install what there is not."""
    call, code, said, how = MISTAKEN[name]
    with pytest.raises(q.QuadrilleError) as raised:
        call(rules)
    (problem,) = raised.value.problems
    assert problem.code == code
    assert said in problem.message
    assert how in problem.help


def test_a_record_written_as_the_error_says_is_replayed(rules, tmp_path):
    """The error for a record in memory asks for a path."""
    path = tmp_path / "deal.json"
    with path.open("w", encoding="utf-8") as file:
        json.dump(q.deal(rules, seed=3).to_dict(), file)
    assert q.deal(replay=path).to_dict()


def test_help_begins_with_the_functions():
    """help(quadrille_core) named two of them, and the others stood after a thousand lines of
    classes."""
    functions = {
        name
        for name in q.__all__
        if getattr(getattr(q, name), "__module__", "") == "quadrille_plugins.shell.api"
    }
    functions -= {"Result", "RuleSet"}
    assert functions == set(re.findall(r"``q\.(\w+)\(", q.__doc__))


def test_a_function_that_there_is_not_is_told_of_run():
    """Nothing said that a command without a function is run by its name."""
    with pytest.raises(AttributeError, match=r"no attribute 'export'; q\.run\(COMMAND, \.\.\.\)"):
        _ = q.export


def test_a_function_shows_the_types_and_defaults_of_its_command():
    """It showed ``**options``."""
    shown = inspect.signature(q.compare).parameters
    assert shown["refs"].kind is inspect.Parameter.VAR_POSITIONAL
    assert (shown["seed"].annotation, shown["seed"].default) == (int, 1)
    assert (shown["details"].annotation, shown["details"].default) == (bool, False)
    assert (shown["deals"].annotation, shown["deals"].default) == (int | None, None)
    assert shown["engine"].annotation == Literal["auto", "readable", "fast"]


@pytest.mark.slow
def test_the_examples_of_the_page_are_typed(tmp_path):
    from mypy import api

    page = (documents.ROOT / "docs" / "python.md").read_text("utf-8")
    file = tmp_path / "page.py"
    file.write_text("".join(source for source, _ in documents.examples(page)), encoding="utf-8")
    for name, text in documents.files(page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import quadrille_core as q\nq.load(3)\nq.nothing\nx: int = q.load('a').digest\n"
    )
    right = api.run(
        ["--strict", "--disable-error-code=import-untyped", "--config-file=", str(file)]
    )
    assert right[2] == 0, right
    said = api.run(["--strict", "--config-file=", str(wrong)])[0]
    assert all(f"wrong.py:{line}:" in said for line in (2, 3, 4)), said


@pytest.mark.parametrize("given", [{"set": 5}, {"set": "stakes.ante=2"}, {"readings": ["unit"]}])
def test_what_is_no_mapping_is_no_choice_of_rules(given):
    with pytest.raises(q.UsageError, match="set and readings as mappings"):
        q.load("quanti-1822", **given)


def test_words_that_name_several_points_raise_with_their_ids():
    """A list of points is no study: it has no findings that a program could read."""
    with pytest.raises(q.UsageError) as raised:
        q.matters("quanti-1822", "codille")
    assert "codille_items" in (raised.value.problems[0].help or "")


def test_explain_finds_what_the_command_finds():
    assert q.explain("codille").to_dict()["kind"] == "term"
    assert q.explain(q.load("quanti-1822"), "stakes.unit").rows[0]["path"] == "stakes.unit"


def test_what_export_wrote_is_returned(tmp_path):
    """It used to write everything and then say that it has no data."""
    made = q.deal("quanti-1822", out=tmp_path / "new", deals=1, form="jsonl", players="random")
    assert all((tmp_path / "new" / name).is_file() for name in made.to_dict()["files"])
    assert [row["file"] for row in made.rows] == [
        str(tmp_path / "new" / n) for n in made.to_dict()["files"]
    ]


def test_a_command_within_a_command_takes_its_options_from_python(tmp_path):
    """They stood before it, where `session` knows none of them."""
    path = tmp_path / "table.ledger"
    q.run("session", "start", path, rules="quanti-1822", players="Ann,Ben,Cat,Dan")
    told = q.run("session", "deal", path, contract="solo", hombre="Ann", trump="hearts", tricks=6)
    assert told.answer.startswith("Deal 1, dealt by Dan: Solo by Ann: won")


def test_the_code_of_an_error_is_that_of_its_first_problem():
    """It was that of the class: Q601 for a profile that is not there."""
    with pytest.raises(q.QuadrilleError) as raised:
        q.load("quanti-1823")
    assert raised.value.code == raised.value.problems[0].code == "Q306"
