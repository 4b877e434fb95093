"""The studies in docs/studies say what their manifests hold, and are of the rules as they are now.

Running them again takes minutes: ``python tools/run_studies.py`` writes them anew, and CI asks
``quadrille rerun`` of each manifest whether the numbers are still the same to the byte.
"""

import click
import pytest
import yaml
from click.core import ParameterSource
from quadrille_plugins.shell.main import cli
from quadrille_plugins.studies.manifest import read_manifest
from quadrille_plugins.studies.study import parameters_of
from run_studies import (
    FOLDER,
    blocks,
    by_verdict,
    commands,
    manifest_file,
    manifests,
    span,
    studies,
    written,
)

from quadrille_core.ruleset import compile_reference

STALE = "the rules have changed since: python tools/run_studies.py runs the study again"


def test_there_is_a_study_of_every_disputed_point_of_the_book():
    """Item by item: every reading of every open point has a verdict."""
    found = manifests(FOLDER / "quanti-1822")["long/matters"]["results"]["findings"]
    told = {(f["point"], f["reading"]) for f in found}
    compiled = compile_reference("quanti-1822")
    wanted = {
        (s.point.id, r.id)
        for s in compiled.points
        for r in s.point.readings
        if r.id != s.reading.id
    }
    assert told == wanted


@pytest.mark.parametrize("folder", studies(), ids=lambda f: f.name)
def test_a_study_shows_the_tables_its_manifests_make(folder):
    assert (folder / "README.md").read_text(encoding="utf-8") == written(folder), (
        "python tools/run_studies.py --tables"
    )
    text = (folder / "README.md").read_text(encoding="utf-8")
    for name, table in blocks(folder):
        assert f"<!-- {name} -->\n{table}\n<!-- end {name} -->" in text


def test_a_reading_by_which_nobody_is_paid_differently_stands_last_and_no_other_has_weight_zero():
    found = manifests(FOLDER / "quanti-1822")["long/matters"]["results"]
    rows = [f for f in by_verdict(found, "different") if f["diverge"]]
    idle = [f["payments_differ"] == 0 for f in rows]
    assert idle == sorted(idle)
    assert idle == [f["counters_that_move_differently"] == 0 for f in rows]
    antes = next(f for f in rows if f["point"] == "ante")
    assert antes["counters_that_move_differently"] > 0


def test_an_effect_stands_with_its_interval_or_as_no_change():
    nowhere = {"mean": 0, "low": -3, "high": 3, "sessions_that_differ": 0}
    assert span(nowhere) == "no change seen"
    assert (
        span({"mean": -5.04, "low": -7.5, "high": -2.5, "sessions_that_differ": 3})
        == "−5.0 (−7.5 to −2.5)"
    )


@pytest.mark.parametrize("folder", studies(), ids=lambda f: f.name)
def test_a_manifest_is_of_the_rules_as_they_are(folder, monkeypatch):
    monkeypatch.chdir(FOLDER.parents[1])  # a study's own rule files are named from there
    for name in commands(folder):
        manifest = read_manifest(manifest_file(folder, name))
        assert manifest["finished"]
        for one in manifest["rule_sets"]:
            compiled = compile_reference(
                one["reference"], readings=one["readings"], settings=one["settings"]
            )
            assert compiled.identity.digest == one["digest"], STALE


@pytest.mark.parametrize("folder", studies(), ids=lambda f: f.name)
def test_a_manifest_is_of_the_command_that_the_study_names(folder):
    """What stands in study.yaml, option by option, is among what the manifest says was asked."""
    for name, line in commands(folder).items():
        manifest = read_manifest(manifest_file(folder, name))
        assert manifest["command"] == line[0]
        command = cli.get_command(click.Context(cli), line[0])
        assert command is not None
        context = command.make_context(line[0], line[1:])
        typed = {
            n
            for n in context.params
            if context.get_parameter_source(n) == ParameterSource.COMMANDLINE
        }
        asked = {n: value for n, value in parameters_of(context, {}).items() if n in typed}
        assert asked
        assert asked == {n: manifest["parameters"].get(n) for n in asked}


@pytest.mark.parametrize("folder", studies(), ids=lambda f: f.name)
def test_a_study_shows_its_pictures_with_words_beside_them(folder):
    shown = yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))["pictures"]
    text = (folder / "README.md").read_text(encoding="utf-8")
    for picture in (p for pictures in shown.values() for p in pictures):
        svg = (folder / f"{picture}.svg").read_text(encoding="utf-8")
        assert svg.startswith("<svg")
        assert f"]({picture}.svg)" in text
        assert f"![]({picture}.svg)" not in text
