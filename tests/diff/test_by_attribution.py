"""``diff --by``: the rules by the groups that carry the difference, from an attribution's file."""

import copy
import csv
import gzip
import io
import json
import math

import pytest
from quadrille_plugins.diff.carried import read_carried

from quadrille_core.errors import QuadrilleError
from quadrille_core.ruleset import compile_reference

PAIR = ("quanti-1822@parlett", "quanti-1822@wikipedia")
UNIT = ("stakes.unit_of", "stakes.unit")
SOLO = ("payments.premium.solo",)


def of(mean, low=None, high=None):
    return {"by_column": {"ally": {"mean": mean, "low": low, "high": high, "differing": 50}}}


@pytest.fixture(scope="module")
def both():
    return [compile_reference(ref) for ref in PAIR]


@pytest.fixture(scope="module")
def attribution(both):
    groups = {"unit": (UNIT, of(-6.5, -8.6, -4.4)), "small": (SOLO, of(0.5))}
    return {
        "rules": [{"digest": one.identity.digest} for one in both],
        "design": {"session_deals": 40, "bots": ["steady"] * 4},
        "leading": "ally",
        "total": of(-6, -9, -3),
        # the lighter group stands first here
        "groups": [
            {"name": name, "rules": [*rules], **figure}
            for name, (rules, figure) in sorted(groups.items())
        ],
    }


def test_rules_stand_by_group_the_heaviest_first_and_those_of_none_last(
    attribution, tmp_path, quadrille
):
    file = tmp_path / "found.json"
    file.write_text(json.dumps(attribution))
    asked = ("diff", *PAIR, "--by", str(file), "--format")
    found = json.loads(quadrille(*asked, "json")[1])
    assert [g["name"] for g in found["by"]["groups"]] == ["unit", "small"]
    assert found["by"]["role"] == "ally"
    paths = [d["path"] for d in found["differences"]]
    assert paths[:3] == [*UNIT, *SOLO]
    without = json.loads(quadrille("diff", *PAIR, "--format", "json")[1])["differences"]
    assert sorted(paths) == sorted(d["path"] for d in without)
    rows = list(csv.DictReader(io.StringIO(quadrille(*asked, "csv")[1])))
    assert [(r["group"], r["mean"], r["low"]) for r in rows[:4]] == [
        *[("unit", "-6.5", "-8.6")] * 2,
        ("small", "0.5", ""),
        ("", "", ""),
    ]
    lines = quadrille(*asked, "table", "--all")[1].splitlines()
    assert [lines.index(path) for path in paths] == sorted(lines.index(path) for path in paths)
    # its figure once, at the head
    assert len([line for line in lines if line.startswith("unit: −6.5 (−8.6 to −4.4)")]) == 1


def test_a_manifest_is_read_as_its_results_are_also_compressed(attribution, both, tmp_path):
    plain, packed = tmp_path / "plain.json", tmp_path / "packed.json.gz"
    plain.write_text(json.dumps(attribution))
    packed.write_bytes(gzip.compress(json.dumps({"results": attribution}).encode()))
    assert read_carried(packed, *both) == read_carried(plain, *both)


def test_a_word_keeps_the_rules_that_it_names_within_their_groups(attribution, tmp_path, quadrille):
    file = tmp_path / "found.json"
    file.write_text(json.dumps(attribution))
    out = quadrille("diff", *PAIR, "unit", "--by", str(file), "--format", "csv")[1]
    assert {(r["path"], r["group"]) for r in csv.DictReader(io.StringIO(out))} == {
        (path, "unit") for path in UNIT
    }


def set_at(value, *keys):
    def change(data):
        for key in keys[:-1]:
            data = data[key]
        data[keys[-1]] = value

    return change


GROUP, HOMBRE = ("groups", 0), ("by_column", "ally")
HOSTILE = {
    "no groups": (lambda d: d.pop("groups"), "no-attribution"),
    "groups that are a number": (set_at(7, "groups"), "no-attribution"),
    "a name that is a list": (set_at([], *GROUP, "name"), "no-attribution"),
    "a name that has no end": (set_at("x" * 20_000, *GROUP, "name"), "no-attribution"),
    "rules that are a number": (set_at(3, *GROUP, "rules"), "no-attribution"),
    "a rule in two groups": (set_at([*UNIT], *GROUP, "rules"), "no-attribution"),
    "a mean in words": (set_at("much", *GROUP, *HOMBRE, "mean"), "no-attribution"),
    "a truth for a mean": (set_at(True, *GROUP, *HOMBRE, "mean"), "no-attribution"),
    "a mean beyond all floats": (set_at(10**400, *GROUP, *HOMBRE, "mean"), "no-attribution"),
    "an endless mean": (set_at(math.inf, *GROUP, *HOMBRE, "mean"), "no-json"),
    "a role there is not": (set_at("dummy", "leading"), "no-attribution"),
    "deals in words": (set_at("40", "design", "session_deals"), "no-attribution"),
    "no rule sets": (set_at([], "rules"), "attribution-of-others"),
    "the other way round": (lambda d: d["rules"].reverse(), "attribution-back"),
    "other rules": (set_at("0" * 12, "rules", 1, "digest"), "attribution-of-others"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_that_holds_no_attribution_of_these_two_is_refused(
    case, attribution, both, tmp_path
):
    change, variant = HOSTILE[case]
    data = copy.deepcopy(attribution)
    change(data)
    file = tmp_path / "found.json"
    file.write_text(json.dumps(data))
    with pytest.raises(QuadrilleError) as error:
        read_carried(file, *both)
    assert error.value.problems[0].variant == variant


@pytest.mark.parametrize("text", ["[]", "7", "null", '{"results": []}', '{"a": 1e999}'])
def test_other_json_is_refused(text, both, tmp_path):
    file = tmp_path / "found.json"
    file.write_text(text)
    with pytest.raises(QuadrilleError) as error:
        read_carried(file, *both)
    assert error.value.problems[0].variant == "no-attribution"


def test_a_mean_beyond_all_numbers_is_refused(attribution, both, tmp_path):
    file = tmp_path / "found.json"
    file.write_text(json.dumps(attribution).replace("-6.5", "-1e999"))
    with pytest.raises(QuadrilleError) as error:
        read_carried(file, *both)
    assert error.value.problems[0].variant == "no-attribution"
