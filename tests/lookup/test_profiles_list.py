"""``quadrille list``: what cannot be used is listed with its fault and takes nothing else down."""

import csv
import io
import json
import shutil

import pytest
from quadrille_plugins.shell.main import run

from quadrille_core import registry, resources
from quadrille_core.profile import load_profile

USABLE = [
    n
    for n, p in resources.shipped_profiles().items()
    if not load_profile(p, validate=False).abstract
]


@pytest.fixture
def without(monkeypatch):
    """A machine on which a plugin is not installed."""

    def without(name):
        found = {n: p for n, p in registry.installed().items() if n != name}
        monkeypatch.setattr(registry, "installed", lambda: found)

    return without


@pytest.fixture
def variants(monkeypatch, tmp_path):
    """A copy of the shipped variants, to be damaged."""
    folder = tmp_path / "variants"
    shutil.copytree(resources.variants(), folder)
    monkeypatch.setattr(resources, "variants", lambda: folder)
    return folder


@pytest.fixture
def listed(capsys):
    """The list, by profile."""

    def listed():
        assert run(["list", "--format", "json"]) == 0
        return {row["profile"]: row for row in json.loads(capsys.readouterr().out)}

    return listed


def test_where_all_is_well_nothing_is_said_of_faults(listed, capsys):
    assert list(listed()) == USABLE
    assert all(row["faults"] == [] and len(row["digest"]) == 64 for row in listed().values())
    assert run(["list"]) == 0
    assert "fault" not in capsys.readouterr().out


def test_a_profile_whose_plugin_is_not_installed_says_so_in_its_row_and_the_others_stand(
    without, listed, capsys, monkeypatch
):
    before = listed()
    without("nemo")
    after = listed()
    assert list(after) == USABLE
    lost = [n for n in after if after[n]["faults"]]
    assert lost == ["mediateur-1752"]
    assert all(after[n] == before[n] for n in after if n not in lost)
    row = after["mediateur-1752"]
    assert (row["title"], row["game"], row["witnesses"]) == tuple(
        before["mediateur-1752"][k] for k in ("title", "game", "witnesses")
    )
    assert row["digest"] is None
    (fault,) = row["faults"]
    assert (fault["code"], fault["message"]) == ("Q501", "plugin 'nemo' is not installed")
    assert fault["help"].startswith("install the package that provides it; ")
    assert fault["path"].endswith("mediateur-1752.yaml")
    assert fault["line"] > 1

    assert run(["list", "--format", "csv"]) == 0
    rows = {r["profile"]: r for r in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert {n for n, r in rows.items() if r["fault"]} == set(lost)
    assert "install the package that provides it" in rows["mediateur-1752"]["fault"]
    # wide enough that no line breaks, however long the path of the file is
    monkeypatch.setenv("COLUMNS", "1000")
    assert run(["list"]) == 0
    table = " ".join(capsys.readouterr().out.split())
    assert all(n in table for n in USABLE)
    assert "plugin 'nemo' is not installed" in table


@pytest.mark.parametrize("command", [("show", "mediateur-1752"), ("check", "mediateur-1752.yaml")])
def test_such_a_profile_is_refused_by_show_and_check(command, without, capsys):
    without("nemo")
    what, name = command
    file = resources.shipped_profiles()["mediateur-1752"]
    assert run([what, str(file) if name.endswith(".yaml") else name]) == 1
    captured = capsys.readouterr()
    assert "plugin 'nemo' is not installed" in captured.out + captured.err


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        ("kind: [profile\n", "Q1"),
        ("just words\n", "Q2"),
        ("kind: profile\nid: quintille\ntitle: T\nextends: nowhere\n", "Q301"),
        (None, "Q101"),
    ],
    ids=["no YAML", "no profile", "no parent", "a folder"],
)
def test_a_damaged_profile_is_listed_with_its_fault_and_the_others_stand(
    damage, code, variants, listed
):
    file = variants / "quintille.yaml"
    file.unlink()
    file.mkdir() if damage is None else file.write_text(damage)
    rows = listed()
    assert list(rows) == USABLE
    assert {n for n, row in rows.items() if row["faults"]} == {"quintille"}
    assert all(p["code"].startswith(code) for p in rows["quintille"]["faults"])
