"""The study of texts compares what it says it compares: its rule files, its stars, its columns and
its stakes."""

from pathlib import Path

import pytest
import yaml
from run_studies import commands, is_of_texts, manifests, studies
from study_texts import STAR, attested, rows, rule_files, starred, verdict
from support.data import cases

from quadrille_core.ruleset import compile_reference

STUDIES = [folder for folder in studies() if is_of_texts(folder)]


@pytest.fixture(scope="module", params=STUDIES, ids=lambda f: f.name)
def folder(request) -> Path:
    return request.param


@pytest.fixture(scope="module")
def asked(folder):
    return yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))["texts"]


@pytest.fixture(scope="module")
def found(folder):
    return manifests(folder)


def rules_of(reference, **chosen):
    compiled = compile_reference(str(reference), **chosen)
    return {path: o.value for path, o in compiled.origins.items() if not path.endswith(".title")}


def test_there_is_a_study_of_texts():
    assert STUDIES


def test_rule_files_are_those_that_the_study_asks_for(folder):
    """No file is edited by hand, left over, or older than the profiles it is made of."""
    there = {p.stem: p.read_text(encoding="utf-8") for p in (folder / "rules").iterdir()}
    assert there == rule_files(folder), "python tools/run_studies.py writes them anew"


def test_shared_rules_are_attested_by_both_and_all_others_are_equal(folder, asked):
    """What differs between the rule file and what it extends is attested by both texts, or is the
    stake."""
    for name, one in asked["rules"].items():
        if "shared" not in one:
            continue
        base, made = rules_of(one["extends"]), rules_of(folder / "rules" / f"{name}.yaml")
        differ = {path for path in made if made[path] != base.get(path)} - set(one.get("set", {}))
        first, second = map(compile_reference, one["shared"])
        assert differ <= attested(first) & attested(second)
        assert all(made[path] == second.origins[path].value for path in differ)


def test_a_filling_changes_nothing_that_the_text_attests(folder, asked):
    for name, one in asked["rules"].items():
        if "filled" not in one or one["from"] == one["filled"]:
            continue
        text, made = compile_reference(one["filled"]), rules_of(folder / "rules" / f"{name}.yaml")
        readings = rules_of(one["filled"], readings=one.get("readings", {}))
        kept = attested(text) - set(one.get("set", {}))
        changed = {path for path in kept if made[path] != text.origins[path].value}
        assert changed == {path for path in kept if readings[path] != text.origins[path].value}


def test_columns_sum_to_zero_with_the_pool(found):
    """Of every effect on seats and on roles: what one wins another loses, or the pool, or the
    fund."""
    held = 0
    for manifest in found.values():
        for pair in manifest["results"].get("paired", ()):
            for columns in pair.get("effects", {}).get("total", {}).values():
                assert abs(sum(e["mean"] for e in columns.values())) < 1e-4
                held += 1
    assert held


def test_texts_are_compared_at_one_stake(folder, found, asked):
    """``rows`` refuses a pair whose stakes differ; every pair the study names is one of a
    manifest."""
    for game in asked["compared"]:
        for before in ("", "long/par-"):
            for designs in rows(folder, found, game, before).values():
                assert set(designs) == {"shared", "shipped", "filled"}


def test_the_reference_at_twice_the_stake_is_the_same_game_with_twice_the_counters(found):
    one, two = (found[name]["results"]["per_rule_set"][0] for name in ("shared-4", "shared-8"))
    assert one["contracts"] == two["contracts"]
    for role in ("hombre", "ally", "adversaries"):
        assert two["by_role"][role]["mean"] == pytest.approx(
            2 * one["by_role"][role]["mean"], rel=0.01
        )


def test_no_par_is_repeated_but_the_block(folder):
    """What CI reruns is played by bots, but for one short block: the rest would take minutes."""
    short = [n for n, line in commands(folder).items() if "--double-dummy" in line and "/" not in n]
    assert short == ["par-block"]


def effect(low, high, answer="larger"):
    return {"mean": 0, "low": low, "high": high, "answer": answer}


@cases("study_texts")
def test_a_star_needs_what_both_attest_and_both_fillings(shared, shipped, filled, told):
    """An effect that changes sign or loses its interval has none, nor has one that rests on a
    filling."""
    assert verdict({"shared": shared, "shipped": shipped, "filled": filled}) == told
    assert starred([shared, shipped, filled]) == told.endswith(STAR)
