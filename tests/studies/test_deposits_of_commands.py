"""``--deposit`` of every study command that has it: whole, the same again, repeated from inside, by
either engine."""

import shutil
from hashlib import sha256
from pathlib import Path

import click
import pytest
from quadrille_plugins.shell.main import cli, run

from quadrille_core import resources

PLAYED = (
    "--deals",
    "8",
    "--players",
    "random",
    "--seed",
    "3",
    "--workers",
    "1",
    "--engine",
    "readable",
)
LINES = {
    "compare": ("ours.yaml", "quanti-1822@parlett", "--set", "table.session_deals=8", *PLAYED),
    "compare of seats": ("ours.yaml", "--seats", *PLAYED),
    "compare attributed": ("ours.yaml", "quanti-1822@parlett", "--attribute", *PLAYED),
    "compare of patiences": ("captive-queens", "--deals", "10", "--workers", "1"),
    "matters": ("ours.yaml", "codille_items", *PLAYED),
    "rank": ("ours.yaml", "--points", "codille_items", "--configurations", "2", *PLAYED),
    "compare of bots": (
        "ours.yaml",
        "--bots",
        "steady,random",
        "--deals",
        "8",
        "--length",
        "4",
        "--workers",
        "1",
    ),
    "discriminate": ("evidence.yaml", "--next", "0"),
}
ENGINES = {"readable", "fast", "readable.", "fast.", "engine", "engine."}
HOUSE = (
    "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\nrules: {loss: {remise_adds: 2}}\n"
)
EVIDENCE = resources.variants() / "evidence" / "codille-cheaper.yaml"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with a house file and a file of evidence."""
    (tmp_path / "ours.yaml").write_text(HOUSE)
    shutil.copyfile(EVIDENCE, tmp_path / "evidence.yaml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_with_a_deposit_is_tried_here():
    """A study command that gets the option gets a line above."""
    context = click.Context(cli)
    having = {
        name
        for name in cli.list_commands(context)
        if (command := cli.get_command(context, name))
        and any(p.name == "deposit" for p in command.params)
    }
    assert having == {name.split()[0] for name in LINES}


def tree(folder: Path) -> dict[str, bytes]:
    """Every file by its path."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


@pytest.mark.parametrize("study", LINES)
def test_a_bundle_is_whole_the_same_again_and_repeated_from_inside(
    study, here, monkeypatch, capsys
):
    """Checksums hold for every file; what the study read lies in it; nothing in it names an
    engine."""
    line = [study.split()[0], *LINES[study]]
    for name in ("one", "two"):
        assert run([*line, "--deposit", name]) == 0
    one = tree(here / "one")
    assert one == tree(here / "two")
    sums = dict(reversed(text.split("  ")) for text in one["SHA256SUMS"].decode().splitlines())
    assert sums == {
        name: sha256(content).hexdigest() for name, content in one.items() if name != "SHA256SUMS"
    }
    assert {name for name in LINES[study] if name.endswith(".yaml")} <= set(one)
    assert max(map(len, one["table.txt"].decode().splitlines())) <= 80
    assert (
        not {word for name in ("table.txt", "README.md") for word in one[name].decode().split()}
        & ENGINES
    )
    for name in ("ours.yaml", "evidence.yaml"):
        (here / name).unlink()
    monkeypatch.chdir(here / "one")
    capsys.readouterr()
    assert run(["rerun", "manifest.json"]) == 0
    assert "the same" in capsys.readouterr().out
