"""``--deposit``: the same study is the same bundle, which is whole or not there at all."""

import json

import pytest
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies import deposit
from quadrille_plugins.studies.sessions import Readable
from support.data import of_yaml

LINE = [
    "compare",
    "ours.yaml",
    "quanti-1822@parlett",
    "--deals",
    "8",
    "--set",
    "table.session_deals=8",
]
HOUSE = (
    "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\nrules: {cards: "
    "{black_ponto: king}}\n"
)
PLAIN = ["--players", "random", "--engine", "readable", "--workers", "1", "--format", "json"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "ours.yaml").write_text(HOUSE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_same_study_is_the_same_bundle_and_names_rules_and_sources(here):
    for name in ("a", "b"):
        assert run([*LINE, *PLAIN, "--deposit", name]) == 0
    a, b = (
        {p.relative_to(here / n): p.read_bytes() for p in (here / n).rglob("*") if p.is_file()}
        for n in ("a", "b")
    )
    assert a == b
    manifest = json.loads((here / "a" / "manifest.json").read_text())
    readme = (here / "a" / "README.md").read_text()
    assert all(one["digest"] in readme for one in manifest["rule_sets"])
    cited = of_yaml(here / "a" / "CITATION.cff")
    assert (cited["type"], cited["license"]) == ("dataset", "MIT")
    assert manifest["results_sha256"] in cited["abstract"]
    assert "parlett" in json.loads((here / "a" / "sources.json").read_text())
    assert 'cards.black_ponto,"""king""",house' in (here / "a" / "rules" / "1.csv").read_text()


def test_nothing_is_left_of_a_bundle_that_fails_and_the_result_is_printed(
    here, monkeypatch, capsys
):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(deposit, "_sums", full)
    assert run([*LINE, *PLAIN, "--deposit", "bundle"]) == 3
    said = capsys.readouterr()
    assert json.loads(said.out)["paired"]
    assert "No space left" in said.err
    assert [p.name for p in here.iterdir()] == ["ours.yaml"]


def test_a_folder_that_is_there_is_refused_before_the_work(here, capsys):
    (here / "bundle").mkdir()
    assert run([*LINE, *PLAIN, "--deposit", "bundle"]) == 2
    said = capsys.readouterr()
    assert (said.out, "is there already" in said.err) == ("", True)


def test_a_file_outside_of_the_folder_cannot_lie_in_the_bundle(here, monkeypatch, capsys):
    """Neither one named from the root nor one of a folder above, which would come to lie beside the
    bundle."""
    (here / "below").mkdir()
    monkeypatch.chdir(here / "below")
    for outside in (str(here / "ours.yaml"), "../ours.yaml"):
        line = [outside if word == "ours.yaml" else word for word in LINE]
        assert run([*line, *PLAIN, "--deposit", "bundle"]) == 3
        assert "lies outside" in capsys.readouterr().err
        assert not (here / "below" / "bundle").exists()


def test_the_bundle_of_an_interrupted_study_says_so(here, monkeypatch, capsys):
    """README and CITATION looked as of a whole study, and only the table said that it was
    interrupted."""
    play = Readable.play

    def stopping(self, seed, first, *more):
        if first:
            raise KeyboardInterrupt
        return play(self, seed, first, *more)

    line = [*LINE[:-2], "--set", "table.session_deals=4", *PLAIN]
    assert run([*line, "--deposit", "whole"]) == 0
    assert "nterrupted" not in capsys.readouterr().err
    with monkeypatch.context() as patched:
        patched.setattr(Readable, "play", stopping)
        assert run([*line, "--deposit", "part"]) == 130
    assert (
        "interrupted: part holds what was finished, as its README.md and" in capsys.readouterr().err
    )
    said = (
        "Interrupted: this study was stopped after 1 units of its work, and holds only what "
        "was finished by then."
    )
    readmes = {name: (here / name / "README.md").read_text() for name in ("whole", "part")}
    cited = {name: of_yaml(here / name / "CITATION.cff") for name in ("whole", "part")}
    assert readmes["part"].split("\n")[2] == f"**{said}**"
    assert cited["part"]["abstract"].startswith(said)
    assert cited["part"]["title"] == cited["whole"]["title"] + " (interrupted)"
    assert "nterrupted" not in readmes["whole"] + str(cited["whole"])
    monkeypatch.chdir(here / "part")
    assert run(["rerun", "manifest.json"]) == 0, "it is run as far as it had come"
