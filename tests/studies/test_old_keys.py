"""Keys that were renamed: an old manifest is read, and nothing of the shipped ones changed but their names."""

import json
from hashlib import sha256
from typing import Any

import pytest
from keys_renamed import present
from quadrille_plugins.studies.manifest import digest_of, manifest_bytes, manifest_text, read_manifest
from quadrille_plugins.studies.old_keys import PARAMETERS, RESULTS, with_present_keys
from run_studies import FOLDER, manifest_file

from quadrille_core.cli.main import run

BEFORE = {
    "quanti-1822/long/matters": "88321d007bf442d1a2680bcb2f8fb28fc83641b887ca373d4136991419501e2c",
    "quanti-1822/long/rank": "fa686de410dbf3d850b4aae2992a6d83f3504bf33b3b1ed8dc43ee0f1757fc80",
    "seer/block": "2a2800b432d56460c6a129273b6309535825dee7a9ae1ea2f93a77f144bfb320",
    "seer/long/seer": "eb8cd440b7f4d557e0654f29e0559b0d32d1827b3717f59d9b153aee28bb1ec4",
    "seer/long/par": "4aa69e1fdc1297e07f46ef561d298c1cfd14ba5b73a65cd9d30511b6295768a2",
    "seer/steady": "29b9b4318fa3b9cb4a6bc82784c071caca03293ca4e6029530805e4706ca8cd0",
}
"""The SHA-256 of the shipped manifests before keys were renamed, without the sentences they had."""
SINCE = {"quanti-1822/matters-block", "quanti-1822/rank-block", "seer/par-block"}
"""Manifests of those studies that were made since then."""


def with_old_keys(data: dict[str, Any]) -> dict[str, Any]:
    """The manifest as it was before the keys were renamed."""

    def turned(names: dict[str, str]) -> dict[str, str]:
        return {old.rpartition(".")[0] + "." * ("." in old) + new: old.rpartition(".")[2] for old, new in names.items()}

    old = {
        key: with_present_keys(data[key], turned(dict(names.get(data["command"], {}))))
        for key, names in (("parameters", PARAMETERS), ("results", RESULTS))
    }
    return {**data, **old, "results_sha256": digest_of(old["results"])}


@pytest.mark.parametrize("name", BEFORE)
def test_a_shipped_manifest_differs_from_the_old_one_in_names_of_keys_alone(name):
    """Renamed back it has the old bytes, and the script makes the present ones of these."""
    text = manifest_bytes(manifest_file(FOLDER, name)).decode()
    old = manifest_text(with_old_keys(json.loads(text)))
    assert sha256(old.encode()).hexdigest() == BEFORE[name]
    assert present(old) == text


def test_sentences_are_left_out_of_a_manifest_and_of_an_old_one_that_has_them():
    """Wording is no result: a manifest that has the sentences is that without them, and shipped ones have none."""
    data = json.loads((FOLDER / "seer/block.json").read_text("utf-8"))
    old = json.loads(json.dumps(data))
    for pair in old["results"]["paired"]:
        assert "answer" not in pair
        pair["answer"] = "By one instead of the other somebody wins."
    assert present(manifest_text({**old, "results_sha256": digest_of(old["results"])})) == manifest_text(data)


def test_every_manifest_of_the_studies_that_there_were_is_among_them():
    """A study made since then never had the old names."""
    studies = {name.split("/")[0] for name in BEFORE}
    there = {str(p.relative_to(FOLDER)).partition(".")[0] for s in studies for p in (FOLDER / s).rglob("*.json*")}
    assert there == {*BEFORE, *SINCE}


def test_an_old_manifest_is_run_again_and_told_of(tmp_path, capsys):
    new, old = tmp_path / "new.json", tmp_path / "old.json"
    line = ("rank", "quanti-1822", "--points", "codille_items", "--deals", "4", "--backgrounds", "2", "--workers", "1")
    assert run([*line, "--engine", "readable", "--players", "random", "--manifest", str(new)]) == 0
    made = json.loads(new.read_text("utf-8"))
    assert made["parameters"]["configurations"] == 2
    old.write_text(manifest_text(with_old_keys(made)), "utf-8")
    assert "backgrounds" in json.loads(old.read_text("utf-8"))["parameters"]
    assert read_manifest(old) == made
    capsys.readouterr()
    assert run(["rerun", str(old), "--workers", "1"]) == 0
    printed = capsys.readouterr()
    assert "to the byte" in printed.out
    assert "old names of keys" in printed.err
    assert run(["rerun", str(new), "--workers", "1"]) == 0
    assert not capsys.readouterr().err


def test_an_old_manifest_whose_results_were_changed_is_refused(tmp_path, capsys):
    path = tmp_path / "old.json"
    data = with_old_keys(json.loads(manifest_bytes(FOLDER / "quanti-1822/long/rank.json.gz")))
    data["results"]["design"]["backgrounds"] += 1
    path.write_text(manifest_text(data), "utf-8")
    assert run(["rerun", str(path)]) == 2
    assert "Q903" in capsys.readouterr().err


def test_keys_of_the_same_name_elsewhere_stay():
    """A name is that of its place: a reading or a rule may be called as an old key was."""
    plain = {
        "design": {"rivals": 1, "readings": {"rivals": 2}},
        "findings": [{"where": {"drawn": 3, "counts": {"drawn": 4}}}],
    }
    assert with_present_keys(plain, RESULTS["matters"]) == {
        "design": {"alternatives": 1, "readings": {"rivals": 2}},
        "findings": [{"where": {"sampled": 3, "counts": {"drawn": 4}}}],
    }
