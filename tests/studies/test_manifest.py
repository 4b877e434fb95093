"""Manifests and ``quadrille rerun``: the same numbers to the byte, or the first thing that
differs."""

import contextlib
import copy
import gzip
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
import quadrille_plugins.studies.manifest as manifests
from quadrille_plugins.shell import json_file
from quadrille_plugins.shell.main import cli, run
from quadrille_plugins.shell.program import program, program_text
from quadrille_plugins.studies import command as rerun
from quadrille_plugins.studies import study as studies
from quadrille_plugins.studies.manifest import (
    NOTHING,
    differences,
    digest_of,
    manifest_text,
    read_manifest,
    same,
)
from quadrille_plugins.studies.sessions import Readable
from support.catalogue import nonsense

from quadrille_core import resources
from quadrille_core.errors import UnreadableError

COMPARE = (
    "compare",
    "quanti-1822",
    "mediateur-1752",
    "--deals",
    "8",
    "--set",
    "table.session_deals=8",
)


def made(tmp_path: Path, *line: str, name: str = "m.json") -> Path:
    path = tmp_path / name
    workers = () if line[0] == "discriminate" else ("--workers", "1")
    assert run([*line, *workers, "--manifest", str(path)]) == 0
    return path


def changed(path: Path, change: Any, *, sealed: bool = True) -> Path:
    """A manifest with something changed, and its results' digest made anew."""
    data = json.loads(path.read_text("utf-8"))
    change(data)
    if sealed:
        data["results_sha256"] = digest_of(data["results"])
    path.write_text(manifest_text(data), "utf-8")
    return path


@pytest.fixture(scope="module")
def comparison(tmp_path_factory) -> bytes:
    """What the comparison's manifest holds, played once."""
    return made(tmp_path_factory.mktemp("comparison"), *COMPARE).read_bytes()


@pytest.fixture
def compared(comparison, tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.json"
    path.write_bytes(comparison)
    return path


def said(capsys: pytest.CaptureFixture[str], status: int, *line: str) -> str:
    capsys.readouterr()
    assert run(["rerun", *line]) == status
    printed = capsys.readouterr()
    return printed.out + printed.err


# --- the same -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        COMPARE,
        (
            *COMPARE[:3],
            "--sessions",
            "1",
            "--seed",
            "7",
            "--players",
            "random",
            "--set",
            "2:table.session_deals=40",
        ),
        ("compare", "captive-queens", "--deals", "50"),
        ("compare", "captive-queens", "captive-queens", "--deals", "50"),
        (
            "compare",
            "--bots",
            "steady,random",
            "quadrille-modern",
            "--deals",
            "8",
            "--length",
            "4",
            "--seed",
            "2",
        ),
    ],
)
def test_a_study_run_again_finds_the_same_to_the_byte(line, tmp_path, capsys):
    path = made(tmp_path, *line)
    again = made(tmp_path, *line, name="again.json")
    assert path.read_bytes() == again.read_bytes()
    assert "to the byte" in said(capsys, 0, str(path))
    assert json.loads(said(capsys, 0, str(path), "--format", "json"))["same"] is True


SHORT = ("--deals", "40", "--players", "random", "--engine", "readable")
POOR = ("--set", "table.purse=0", "--set", "table.coins=[]")
IMPOSSIBLE = Path(__file__).parents[1] / "data" / "evidence" / "c-refused.yaml"


@pytest.mark.parametrize(
    ("line", "keeps"),
    [
        (("matters", "quanti-1822", "purse_empty", *POOR, *SHORT), ("findings", "problems")),
        (
            ("rank", "quanti-1822", "--points", "purse_empty,solo_premium", *POOR, *SHORT),
            ("refused", "problems"),
        ),
        (("discriminate", str(IMPOSSIBLE)), ("pieces", "in_use")),
    ],
    ids=lambda line: line[0],
)
def test_results_are_the_same_in_whatever_words_what_is_refused_is_told(line, keeps, tmp_path):
    """What is refused is kept as a record, and a message may be reworded at any time."""
    where, key = keeps
    path = made(tmp_path, *line)
    with nonsense():
        again = made(tmp_path, *line, name="again.json")
    data = json.loads(path.read_text("utf-8"))
    assert any(one.get(key) for one in data["results"][where])
    assert path.read_bytes() == again.read_bytes()


@pytest.mark.slow
def test_the_manifest_is_the_same_by_either_engine_and_any_number_of_workers(tmp_path):
    line = ("compare", "quanti-1822", "mediateur-1752", "--sessions", "3", "--players", "steady")
    path = made(tmp_path, *line, "--engine", "readable")
    assert json.loads(path.read_text("utf-8"))["results"]["design"].keys().isdisjoint({"engine"})
    other = tmp_path / "other.json"
    assert run([*line, "--engine", "readable", "--workers", "3", "--manifest", str(other)]) == 0
    assert path.read_bytes() == other.read_bytes()
    pytest.importorskip("numba")
    fast = json.loads(
        made(tmp_path, *line, "--engine", "fast", name="fast.json").read_text("utf-8")
    )
    mine = json.loads(path.read_text("utf-8"))
    assert fast["results_sha256"] == mine["results_sha256"]
    assert fast["parameters"].pop("engine") == "fast"
    assert mine["parameters"].pop("engine") == "readable"
    assert fast == mine


def test_the_manifest_holds_what_the_study_was(compared):
    data = json.loads(compared.read_text("utf-8"))
    assert data["command"] == "compare"
    assert data["parameters"] == {
        "refs": ["quanti-1822", "mediateur-1752"],
        "deals": 8,
        "seed": 1,
        "players": "steady",
        "engine": "auto",
        "double_dummy": False,
        "decompose": False,
        "smallest": "10",
        "examples": 5,
        "readings": [],
        "sets": ["table.session_deals=8"],
        "seats": False,
    }
    assert data["seed"] == 1
    assert data["bots"] == ["steady"] * 4
    assert data["rule_sets"][0]["settings"] == {"table.session_deals": 8}
    assert data["rule_sets"][0]["digest"] == data["results"]["rules"][0]["digest"]
    assert data["results"]["design"]["deals"] == 8


# --- what differs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("other", [{"version": "0.0.9"}, {"digest": "0" * 12}])
def test_a_manifest_of_another_program_is_run_and_told_which_made_it(compared, capsys, other):
    """Its numbers may well be the same."""
    changed(compared, lambda d: d["program"].update(other))
    assert run(["rerun", str(compared)]) == 0
    (line,) = capsys.readouterr().err.splitlines()[:1]
    assert program_text({**program(), **other}) in line
    assert program_text() in line


def test_another_version_of_a_plugin_is_named_before_the_rules(tmp_path, capsys):
    path = made(tmp_path, *COMPARE)
    changed(
        path,
        lambda d: (
            d["rule_sets"][1]["plugins"][0].update(version="9"),
            d["rule_sets"][1].update(digest="0" * 64),
        ),
    )
    told = " ".join(said(capsys, 1, str(path)).split())
    assert "plugin: mediateur-1752@parlett: plugins[0].version" in told
    assert '"9" in the manifest, "0.1.0" now' in told


def test_of_rules_the_paths_that_differ_are_named(compared, capsys):
    def change(d):
        d["rule_sets"][0]["digest"] = "1" * 64
        d["rule_sets"][0]["rules"]["stakes.ante"] = 77
        del d["rule_sets"][0]["rules"]["payments.premium.solo"]

    told = said(capsys, 1, str(changed(compared, change)))
    assert "rules: quanti-1822: digest" in told
    assert "stakes.ante: 77, now" in told
    assert "payments.premium.solo: nothing, now" in told


def test_a_parameter_this_version_does_not_know_is_named(compared, capsys):
    changed(compared, lambda d: d["parameters"].update(depth=3))
    assert "parameters: depth: 3 in the manifest, nothing now" in said(capsys, 1, str(compared))


def test_the_first_result_that_differs_is_named_with_both_values(compared, capsys):
    before = json.loads(compared.read_text("utf-8"))["results"]["paired"][0]["diverging"]["count"]
    changed(compared, lambda d: d["results"]["paired"][0]["diverging"].update(count=before + 1))
    told = said(capsys, 1, str(compared), "--format", "json")
    difference = json.loads(told)["difference"]
    assert difference["path"] == "paired[0].diverging.count"
    assert (difference["then"], difference["now"]) == (before + 1, before)
    assert "paired[0].diverging.count" in said(capsys, 1, str(compared), "--format", "csv")


def test_one_and_one_point_zero_and_true_are_not_the_same():
    assert same({"a": [1, "x"]}, {"a": [1, "x"]})
    assert [d[0] for d in differences({"a": 1, "b": 2}, {"a": 1.0, "b": True})] == [".a", ".b"]
    assert list(differences([1], [1, 2])) == [("[1]", NOTHING, 2)]
    assert list(differences([1, 2], [1])) == [("[1]", 2, NOTHING)]
    assert [d[0] for d in differences({"a": 1, "b": 2}, {"b": 2, "a": 1})] == [
        " (the order of its keys)"
    ]
    assert list(differences({}, {"a": 1})) == [(".a", NOTHING, 1)]


# --- files ----------------------------------------------------------------------------------------

HOUSE = (
    "kind: profile\nid: house\ntitle: House\nextends: quanti-1822\nrules:\n  stakes:\n    ante: 2\n"
)


def test_profiles_of_ones_own_are_known_by_their_digest(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "parent.yaml").write_text(HOUSE)
    child = "kind: profile\nid: child\ntitle: Child\nextends: parent.yaml\n"
    (tmp_path / "rules" / "child.yaml").write_text(child)
    path = made(tmp_path, "compare", "quanti-1822", "rules/child.yaml", *COMPARE[3:])
    assert [f["path"] for f in json.loads(path.read_text())["files"]] == [
        "rules/child.yaml",
        "rules/parent.yaml",
    ]
    assert "to the byte" in said(capsys, 0, "m.json")
    # a comment changes the file and no rule
    (tmp_path / "rules" / "child.yaml").write_text(child + "# as played at home\n")
    assert "to the byte" in said(capsys, 0, "m.json")
    (tmp_path / "rules" / "parent.yaml").write_text(HOUSE.replace("ante: 2", "ante: 3"))
    told = said(capsys, 1, "m.json")
    assert "rules: rules/child.yaml: digest" in told
    assert "stakes.ante: 2, now 3" in told
    # what is no profile any more is told as changed, and nothing that is in it
    (tmp_path / "rules" / "child.yaml").write_text(child)
    (tmp_path / "rules" / "parent.yaml").write_text("secret: words\n")
    told = said(capsys, 1, "m.json")
    assert "file: rules/parent.yaml" in told
    assert "secret" not in told


def test_evidence_is_known_by_its_digest(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole = resources.evidence()["patience-odds"].read_text("utf-8")
    (tmp_path / "mine.yaml").write_text(whole)
    path = tmp_path / "m.json"
    assert run(["discriminate", "mine.yaml", "--manifest", str(path)]) in (0, 1)
    assert "to the byte" in said(capsys, 0, "m.json")
    (tmp_path / "mine.yaml").write_text("password: 1234\n")
    told = said(capsys, 1, "m.json")
    assert "file: mine.yaml" in told
    assert "password" not in told
    shipped = tmp_path / "shipped.json"
    assert run(["discriminate", "patience-odds", "--manifest", str(shipped)]) in (0, 1)
    assert json.loads(shipped.read_text("utf-8"))["files"] == []


def test_from_another_folder_it_says_what_to_do(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text(HOUSE)
    made(tmp_path, "compare", "quanti-1822", "house.yaml", *COMPARE[3:])
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    told = said(capsys, 2, "../m.json")
    assert "house.yaml: Q101" in told
    assert "go to the folder the study was run in" in told


def test_a_file_without_a_digest_is_not_opened(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.yaml").write_text(HOUSE)
    (tmp_path / "secret.yaml").write_text("password: 1234\n")
    path = made(tmp_path, "compare", "quanti-1822", "house.yaml", *COMPARE[3:])
    whole = path.read_text()
    for change in (
        lambda d: d["parameters"]["refs"].append("./secret.yaml"),
        lambda d: d["parameters"].update(
            refs=["quanti-1822", f"{tmp_path}/secret.yaml+multiplier"]
        ),
        lambda d: d["rule_sets"][0].update(reference="secret.yaml@w"),
        lambda d: d.update(files=[]),
    ):
        path.write_text(whole)
        told = said(capsys, 2, str(changed(path, change)))
        assert "has no digest of it" in told
        assert "1234" not in told
        assert "password" not in told
    # nor one with another's
    path.write_text(whole)
    wrong = {"path": "secret.yaml", "sha256": "0" * 64}
    named = lambda d: (  # noqa: E731
        d["files"].append(wrong),
        d["parameters"].update(refs=["quanti-1822", "secret.yaml"]),
    )
    told = said(capsys, 1, str(changed(path, named)))
    assert "file: secret.yaml" in told
    assert "password" not in told
    (tmp_path / "house.yaml").write_text(HOUSE.replace("quanti-1822", "secret.yaml"))
    path.write_text(whole)
    here = manifests.sha256((tmp_path / "house.yaml").read_bytes()).hexdigest()
    told = said(capsys, 2, str(changed(path, lambda d: d["files"][0].update(sha256=here))))
    assert "has no digest of it" in told
    assert "password" not in told


# --- what must not be run -------------------------------------------------------------------------


def test_a_study_that_does_not_say_how_far_it_came_is_not_run_again(compared, capsys):
    changed(compared, lambda d: d.update(finished=False))
    assert "was interrupted" in said(capsys, 2, str(compared))


def test_an_interrupted_study_says_so_in_its_manifest(tmp_path, monkeypatch, capsys):
    play = Readable.play

    def stopping(self, seed, first, *more):
        if first:
            raise KeyboardInterrupt
        return play(self, seed, first, *more)

    monkeypatch.setattr(Readable, "play", stopping)
    path = tmp_path / "m.json"
    line = [
        "compare",
        "quanti-1822",
        "mediateur-1752",
        "--sessions",
        "2",
        "--workers",
        "1",
        "--engine",
        "readable",
    ]
    assert run([*line, "--manifest", str(path)]) == 130
    told = json.loads(path.read_text())
    assert (told["finished"], told["stopped_after"]) == (False, 1)


@pytest.mark.parametrize(
    "command", ["session", "deal", "new", "rerun", "warmup", "nonsense", "profiles"]
)
def test_only_studies_are_run(compared, capsys, command):
    changed(compared, lambda d: d.update(command=command))
    assert "is no study of this version" in said(capsys, 2, str(compared))


@pytest.mark.parametrize("name", ["save", "manifest", "workers", "format"])
def test_options_that_write_or_change_nothing_are_refused(compared, tmp_path, capsys, name):
    changed(compared, lambda d: d["parameters"].update({name: str(tmp_path / "written")}))
    before = sorted(os.listdir(tmp_path))
    assert "writes or changes no number" in said(capsys, 2, str(compared))
    assert sorted(os.listdir(tmp_path)) == before


def test_what_looks_like_an_option_is_taken_for_a_name(compared, tmp_path, capsys):
    changed(
        compared,
        lambda d: d["parameters"].update(refs=["quanti-1822", f"--save={tmp_path}/written"]),
    )
    assert "--save" in said(capsys, 2, str(compared))
    assert not (tmp_path / "written").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("deals", "many"),
        ("deals", -1),
        ("deals", 10**30),
        ("double_dummy", 3),
        ("engine", "slow"),
        ("seed", [1, 2]),
    ],
)
def test_parameters_of_the_wrong_kind_are_refused(compared, capsys, name, value):
    changed(compared, lambda d: d["parameters"].update({name: value}))
    assert "m.json" in said(capsys, 2, str(compared))


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("results"),
        lambda d: d.update(extra=1),
        lambda d: d.update(kind="profile"),
        lambda d: d.update(parameters=[]),
        lambda d: d["parameters"].update(refs=[["nested"]]),
        lambda d: d["parameters"].update(refs={"a": 1}),
        lambda d: d.update(rule_sets=[7]),
        lambda d: d["rule_sets"][0].update(digest="short"),
        lambda d: d["rule_sets"][0].update(readings={"a": ["b"]}),
        lambda d: d["program"].update(name="another"),
        lambda d: d.update(command="a" * 100),
        lambda d: d["parameters"].update(refs=["x" * 5000]),
        lambda d: d["files"].append({"path": "", "sha256": "0" * 64}),
        lambda d: d["files"].append({"path": "\x1b[2J.yaml", "sha256": "0" * 64}),
        lambda d: d["rule_sets"][0].update(reference="quanti-1822\u202e"),
    ],
)
def test_what_the_schema_does_not_allow_is_refused(compared, change):
    with pytest.raises(UnreadableError):
        read_manifest(changed(compared, change, sealed=False))


def test_json_that_is_no_manifest_is_refused_in_one_line(tmp_path, capsys):
    """The record of a deal came to a dozen errors Q201, one for each key."""
    path = tmp_path / "deal.json"
    assert run(["deal", "quanti-1822", "--format", "json"]) == 0
    path.write_text(capsys.readouterr().out)
    with pytest.raises(UnreadableError) as raised:
        read_manifest(path)
    (problem,) = raised.value.problems
    assert problem.code == "Q208"
    assert problem.help.endswith("a manifest is written by a study's --manifest FILE")


def test_another_form_of_manifest_wants_another_version(compared):
    with pytest.raises(UnreadableError, match="of form 2, and this version reads form 1"):
        read_manifest(changed(compared, lambda d: d.update(form=2, novelty=1)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": 1, "a": 2}', "stands twice"),
        (b'{"form": NaN}', "is no number"),
        (b'{"seed": ' + b"9" * 10_000 + b"}", "no JSON"),
        (b"[]", "m.json"),
        (b"7", "m.json"),
    ],
)
def test_what_is_no_manifest_is_refused(tmp_path, text, words):
    path = tmp_path / "m.json"
    path.write_bytes(text)
    with pytest.raises(UnreadableError, match=words):
        read_manifest(path)


def test_a_huge_manifest_is_refused_unread(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(json_file, "MOST_BYTES", 1000)
    path = tmp_path / "m.json"
    path.write_text("[" + "1," * 1000 + "1]")
    assert "Q102" in said(capsys, 2, str(path))


def test_a_compressed_manifest_is_read_as_it_was(compared, tmp_path):
    """`rerun` looks at the bytes, not at the name."""
    path = tmp_path / "m.json"
    path.write_bytes(gzip.compress(compared.read_bytes()))
    assert read_manifest(path) == read_manifest(compared)


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (lambda packed: packed[:-9], "Q105"),
        (lambda packed: packed[:10] + b"\xff" * 40, "Q105"),
        (lambda packed: gzip.compress(b"0" * 2000), "Q102"),
    ],
    ids=["cut short", "damaged", "huge when unpacked"],
)
def test_a_compressed_manifest_that_cannot_be_unpacked_is_refused(
    tmp_path, monkeypatch, damage, code
):
    monkeypatch.setattr(json_file, "MOST_BYTES", 1000)
    path = tmp_path / "m.json.gz"
    path.write_bytes(damage(gzip.compress(b'{"kind": "manifest"}')))
    with pytest.raises(UnreadableError) as raised:
        read_manifest(path)
    assert [p.code for p in raised.value.problems] == [code]


def test_results_changed_by_hand_are_refused(compared, capsys):
    changed(compared, lambda d: d["results"]["design"].update(deals=9), sealed=False)
    assert "not those whose digest" in said(capsys, 2, str(compared))


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_nothing_of_a_strangers_text_reaches_the_terminal_as_a_command(compared, capsys, form):
    def change(d):
        d["results"]["\x1b]0;title\x07\u009b2J"] = "\x1b[31m"
        d["rule_sets"][0]["rules"]["\x1b[2J"] = 1

    told = said(capsys, 1, str(changed(compared, change)), "--format", form)
    assert "\x1b" not in told
    assert form == "json" or "\u009b" not in told
    changed(compared, lambda d: d["rule_sets"][0].update(digest="0" * 64))
    assert "\x1b" not in said(capsys, 1, str(compared), "--format", form)


JUNK = [
    None,
    True,
    -1,
    2**70,
    1.5,
    "",
    "x",
    "../../etc/passwd.yaml",
    "quanti-1822",
    "--save=x",
    "\x00",
    "\ud800",
    [],
    {},
    [[]],
    {"a": 1},
    "+multiplier",
    "quanti-1822+",
    "@",
    "quanti-1822@nobody",
    "2:x=y",
    "x.yaml",
    10**400,
]


def places(data, path=()):
    """The way to every value that is not deep in a rule set."""
    if path:
        yield path
    if len(path) < 4 and path != ("results",):
        for key in (
            data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
        ):
            yield from places(data[key], (*path, key))


@pytest.mark.slow
def test_no_value_anywhere_makes_it_do_anything_but_answer(compared, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(rerun, "_again", lambda *_: None)
    whole, draw = json.loads(compared.read_text("utf-8")), random.Random(1822)
    ways = [p for p in places(whole) if "rules" not in p or draw.random() < 0.02]
    for number in range(150):
        data = copy.deepcopy(whole)
        *way, last = draw.choice(ways)
        inner = data
        for key in way:
            inner = inner[key]
        inner[last] = draw.choice(JUNK)
        with contextlib.suppress(UnicodeEncodeError, KeyError):
            data["results_sha256"] = digest_of(data["results"])
        compared.write_text(json.dumps(data))
        assert run(["rerun", str(compared)]) in (0, 1, 2), (number, way, last)
    assert os.listdir(tmp_path) == ["m.json"]
    assert "Traceback" not in capsys.readouterr().err


def test_half_a_surrogate_and_depth_in_the_results_are_refused(compared):
    whole = compared.read_text("utf-8")
    compared.write_text(
        whole.replace('"kind": "manifest"', '"kind": "manifest"').replace(
            '"deals": 8,', '"deals": "\\ud800",'
        )
    )
    with pytest.raises(UnreadableError):
        read_manifest(compared)
    compared.write_text(whole[:-3] + ', "x": ' + "[" * 2000 + "]" * 2000 + "}\n")
    with pytest.raises(UnreadableError):
        read_manifest(compared)


def test_settings_of_a_strange_kind_are_told_as_rules_refused(compared, capsys):
    for value in ({"a": 1}, [[]], None, "x" * 5000, 1e300, -1):
        changed(compared, lambda d, v=value: d["rule_sets"][0].update(settings={"stakes.ante": v}))
        assert "rules: quanti-1822" in said(capsys, 1, str(compared))


# --- the options ----------------------------------------------------------------------------------


def test_a_manifest_that_cannot_be_written_is_refused_before_anything_is_played(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(
        "quadrille_plugins.compare.command.compare", lambda *_, **__: pytest.fail("it played")
    )
    assert run([*COMPARE, "--manifest", str(tmp_path / "no" / "m.json")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_every_study_there_is_says_that_it_is_one():
    for name in rerun.STUDIES:
        command = cli.get_command(None, name)
        assert command is None or studies.inputs_of(command) is not None, name
    assert studies.inputs_of(cli.get_command(None, "settle")) is None
