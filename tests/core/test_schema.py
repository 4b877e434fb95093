"""The schemas: generated from the vocabulary, checked in, and of one mind with it."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

import pytest
import referencing
import referencing.jsonschema
from jsonschema import Draft202012Validator
from quadrille_plugins.deal import record
from quadrille_plugins.settle import result_file

from quadrille_core import vocabulary
from quadrille_core.errors import Place, Problem, ProfileError
from quadrille_core.features import FeatureError
from quadrille_core.hookspecs import FileKind
from quadrille_core.profile import (
    LocatedMap,
    check_profile,
    load_bibliography,
    load_file,
    load_profile,
    load_text,
    parse_profile,
    validate,
)
from quadrille_core.profile.records import Attestation
from quadrille_core.profile.schema import kinds, leaf_schema, schema_of
from quadrille_core.profile.validation import leaf_faults, spoken
from quadrille_core.rules import PayItem, VoleLevel

KINDS = kinds()
ROOT = Path(__file__).parents[2]
VARIANTS = sorted(
    p for p in (ROOT / "variants").glob("*.yaml") if p.stem not in ("bibliography", "glossary")
)
HEAD = "kind: profile\nid: test\ntitle: Test\n"


def said(text: str, kind: str | None = "profile") -> list[tuple[str, str]]:
    return [(p.code, p.message) for p in validate(load_text(text, "test"), kind)]


# --- the files in schemas/ -----------------------------------------------------------------------


@pytest.mark.parametrize("name", [*KINDS, "file"])
def test_a_schema_is_a_schema(name: str) -> None:
    Draft202012Validator.check_schema(schema_of(name))


def test_words_and_bounds_that_are_written_into_the_schemas_are_those_of_the_program() -> None:
    """What is no rule's leaf stands in the files by hand."""
    result, deal = (schema_of(name)["properties"] for name in ("result", "record"))
    assert result["vole"]["enum"] == list(get_args(VoleLevel))
    assert result["claims"]["items"]["enum"] == list(get_args(PayItem))
    for known in (result, deal):
        assert known["multiplier"]["maximum"] == result_file.MOST_TIMES
        assert known["beasts"]["maximum"] == result_file.MOST_BEASTS


def test_a_kind_of_file_without_a_schema_is_an_error_of_its_feature(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("quadrille_core.profile.schema.BROUGHT", {"diary": FileKind(name="diary")})
    with pytest.raises(FeatureError, match="no schema for files of the kind 'diary'") as raised:
        schema_of("diary")
    assert (raised.value.problems[0].code, "schema=" in raised.value.problems[0].help) == (
        "Q508",
        True,
    )


def test_no_other_file_lies_in_schemas() -> None:
    by_hand = {"apparatus.rng"}  # of XML
    generated = {f"{n}.schema.json" for n in (*KINDS, "file")}
    assert {p.name for p in (ROOT / "schemas").iterdir()} == generated | by_hand


def _walk(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from _walk(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _walk(value)


@pytest.mark.parametrize("name", KINDS)
def test_every_mapping_is_closed_every_pattern_whole_and_every_key_described(name: str) -> None:
    for part in _walk(schema_of(name)):
        if "properties" in part and part.get("type") == "object":
            assert part["additionalProperties"] is False
            for key, below in part["properties"].items():
                if isinstance(below, dict) and "$ref" not in below:
                    assert below.get("description"), key
        if isinstance(part.get("pattern"), str):
            # The runtime cuts ^ and $ off and asks for the whole text.
            assert part["pattern"].startswith("^")
            assert part["pattern"].endswith("$")
            re.compile(part["pattern"])
        assert "oneOf" not in part
        assert "anyOf" not in part


# --- of one mind with the vocabulary --------------------------------------------------------------


def _schema_at(pattern: str) -> dict[str, Any]:
    part = schema_of("profile")["properties"]["rules"]
    for step in pattern.split("."):
        part = part["additionalProperties"] if step == "*" else part["properties"][step]
    return part


def test_every_leaf_of_the_vocabulary_is_in_the_schema_with_its_words() -> None:
    for pattern, leaf in vocabulary.leaves().items():
        part = _schema_at(pattern)
        assert part["description"] == leaf.doc
        if leaf.choices():
            assert part["enum"] == list(leaf.choices())
        if leaf.has_default:
            assert part["default"] == leaf.default_plain()


SAMPLES: list[Any] = [
    *(
        None,
        True,
        False,
        -1,
        0,
        1,
        4,
        10,
        11,
        99,
        1000,
        10_001,
        2_000_000,
        "",
        "x",
        "1/4",
        "9/2",
        "-1/2",
        "1/0",
        "4.5",
    ),
    *(
        "SA",
        "h7",
        "H8",
        "spades",
        "none",
        "hearts",
        [],
        ["SA"],
        ["SA", "SA"],
        ["premium"],
        ["premium", "premium"],
    ),
    *(
        [[3, 3, 4]],
        [[10]],
        [3],
        {},
        {"trump": "hearts", "after": "SA", "card": "CA", "allowed": True},
    ),
    [{"trump": "hearts", "after": "SA", "card": "CA", "allowed": True}],
]
STRICTER = {
    # The schema refuses what the vocabulary lets pass: a list of packets is looked at packet by
    # packet.
    ("deal.packets", "[]"),
    ("favourite.suit", "'none'"),
}


@pytest.mark.parametrize("pattern", vocabulary.leaves())
def test_schema_and_vocabulary_accept_the_same_values(pattern: str) -> None:
    leaf = vocabulary.leaves()[pattern]
    words = [c for other in vocabulary.leaves().values() for c in other.choices()]
    for value in [*SAMPLES, *dict.fromkeys(words)]:
        node = load_text(json.dumps({"value": value}), "test")
        assert isinstance(node, LocatedMap)
        by_schema = not leaf_faults(pattern, node.entries["value"], (pattern,))
        try:
            vocabulary.to_typed(leaf, value)
            by_vocabulary = True
        except vocabulary.MismatchError:
            by_vocabulary = False
        if by_schema != by_vocabulary and (pattern, repr(value)) not in STRICTER:
            # A fraction's size is the vocabulary's to judge: a schema compares numbers only.
            assert by_schema, (pattern, value)
            assert isinstance(value, str), (pattern, value)
            assert "/" in value, (pattern, value)


def test_a_value_of_every_leaf_passes_the_whole_check() -> None:
    for pattern in vocabulary.leaves():
        sample = leaf_schema(pattern)
        value = next((v for v in [*sample.get("enum", ()), *SAMPLES] if _fits(pattern, v)), None)
        path = pattern.replace("*", "solo")
        text = (
            HEAD + f"points: {{p: {{question: q, default: r, readings: {{r: {{set: {{{path}: "
            f"{json.dumps(value)}}}}}}}}}}}"
        )
        assert check_profile(load_text(text, "test")) == []


def _fits(pattern: str, value: Any) -> bool:
    node = load_text(json.dumps([value]), "test")
    if leaf_faults(pattern, node.items[0], ()):  # type: ignore[union-attr,index]
        return False
    try:
        vocabulary.to_typed(vocabulary.leaves()[pattern], value)
    except vocabulary.MismatchError:
        return False
    return True


def test_result_and_record_know_the_keys_that_their_readers_know() -> None:
    assert [k for k in schema_of("result")["properties"] if k != "kind"] == list(result_file.KEYS)
    assert list(schema_of("record")["properties"]) == list(record.KEYS)
    assert schema_of("result")["properties"]["claims"]["items"]["enum"] == list(result_file.CLAIMS)


# --- validation -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", VARIANTS, ids=lambda p: p.stem)
def test_every_shipped_profile_is_faultless(path: Path) -> None:
    assert [p.render() for p in check_profile(load_file(path))] == []
    one, other = load_profile(path, validate=False), load_profile(path)
    assert all(getattr(one, f.name) == getattr(other, f.name) for f in fields(one))


def test_the_shipped_bibliography_is_faultless() -> None:
    path = ROOT / "variants" / "bibliography.yaml"
    assert validate(load_file(path), "bibliography") == []
    assert load_bibliography(path) == load_bibliography(path, validate=False)
    assert all(s.title and s.place for s in load_bibliography(path).values())


def test_jsonschema_itself_judges_the_same() -> None:
    """Our replacement of three keywords changes words and speed, not verdicts."""
    plainly = Draft202012Validator(schema_of("profile"), registry=referencing.Registry())
    for path in [*VARIANTS, *sorted((ROOT / "tests" / "broken").glob("*.yaml"))]:
        try:
            root = load_file(path)
        except ProfileError:
            continue
        ours = [p for p in validate(root) if p.code != "Q208"]
        theirs = list(plainly.iter_errors(root.to_plain()))
        if path.stem == "identifier-line-break":
            assert ours
            assert not theirs  # the line break that $ overlooks
        elif not any(p.code == "Q208" for p in validate(root)):
            assert bool(ours) == bool(theirs), path.name


def test_the_schema_of_any_file_sends_each_to_its_own() -> None:
    registry: Any = referencing.Registry().with_resources(
        (f"{name}.schema.json", referencing.jsonschema.DRAFT202012.create_resource(schema_of(name)))
        for name in KINDS
    )
    check = Draft202012Validator(schema_of("file"), registry=registry)
    assert check.is_valid({"kind": "profile", "id": "a", "title": "A"})
    assert not check.is_valid({"kind": "profile", "sources": {}})
    assert check.is_valid({"kind": "bibliography", "sources": {}})
    assert not check.is_valid({"kind": "bibliography", "id": "a"})
    assert not check.is_valid({"kind": "nonsense"})


def test_a_file_is_taken_at_its_word_where_nothing_is_expected() -> None:
    assert said("kind: bibliography\nsources: {}\n", None) == []
    assert said("kind: bibliography\nid: a\n", None) == [
        ("Q202", "the file has no sources"),
        ("Q201", "'id' is no key"),
    ]
    assert said("kind: nonsense\n", None) == [("Q208", "this is a file of kind 'nonsense'")]
    assert said("id: a\n", None) == [("Q202", "the file does not say its kind")]


RESULT = """\
rules: quanti-1822@parlett
players: [A, B, C, D]
pool: 12
contract: solo
trump: hearts
hombre: A
tricks: {A: 6, B: 2, D: 2}
matadors: 3
premiers: true
vole: none
"""


def test_a_result_need_not_say_what_it_is() -> None:
    assert said(RESULT, "result") == []
    assert said("kind: result\n" + RESULT, "result") == []
    assert said(RESULT.replace("trump: hearts", "trump: ♥"), "result") == []
    assert said(
        RESULT.replace("hombre: A\n", "").replace("solo", "[solo]").replace("hearts", "stars"),
        "result",
    ) == [
        ("Q202", "the file has no hombre"),
        ("Q203", "contract should be a text, not a list"),
        ("Q207", "trump: 'stars' is no suit"),
    ]


def test_a_record_has_its_schema() -> None:
    text = (
        "kind: deal\nrules: quanti-1822\nplayers: [A, B, C, D]\npool: 4\nhands: [SA, "
        "H7]\nactions: [A pass]\n"
    )
    assert said(text, "record") == []
    assert said(text + "packets: [3, 3, 0]\npack: x\n", "record") == [
        ("Q205", "packets[2] cannot be 0"),
        ("Q201", "'pack' is no key"),
    ]


def test_nothing_is_fetched_and_no_pattern_comes_out_of_a_profile() -> None:
    assert said(HEAD + "$ref: http://example.org/schema\n") == [("Q201", "'$ref' is no key")]
    assert said(HEAD + "about: (a+)+$\n") == []


# --- documents ------------------------------------------------------------------------------------

PROFILE = """\
kind: profile
id: test
title: Test
extends: parent.yaml
default_witness: old
sources:
  club: {title: Our rules, year: 1822, kind: house}
witnesses:
  old: {source: club, fills: {unit: fixed}}
plugins:
  - plugin: casco
    with: {level: 2, cards: [SA, H7]}
    after: [mediateur]
rules:
  stakes: {unit: "1/4"}
  payments: {in_favourite: null}
  forcing:
    exceptions: [{trump: hearts, after: SA, card: CA, allowed: true}]
cites:
  stakes.unit: {source: club, at: p. 3, status: silent, filled: as usual, from: other}
  payments.*: [{source: club}, {status: house}]
points:
  unit:
    question: What is a unit?
    default: fixed
    readings:
      fixed: {set: {stakes.unit: 1}, witnesses: [old, new], at: {old: p. 4}, certainty: low}
      quarter: {set: {}, at: p. 5, status: conjecture}
readings: {ponto: king}
assumes:
  - that: {loss.remise_pays: [premium], bids.*.rank: [1, 2], loss.codille_pays: [[premium], []]}
    reason: so
constraints:
  - {when: {stakes.ante: 1}, excludes: {stakes.unit_of: [stake]}, reason: so, source: club}
"""


def test_a_profile_becomes_records_with_places() -> None:
    doc = parse_profile(PROFILE, "test.yaml")
    assert (doc.id, doc.title, doc.extends, doc.abstract, doc.version) == (
        "test",
        "Test",
        "parent.yaml",
        False,
        "",
    )
    assert str(doc.extends_place) == "test.yaml:4:10"
    assert doc.sources["club"].year == 1822
    assert doc.witness("old") is doc.witnesses[0]
    assert doc.witnesses[0].fills[0][:2] == ("unit", "fixed")
    (plugin,) = doc.plugins
    assert (plugin.plugin, plugin.parameters, plugin.after) == (
        "casco",
        {"level": 2, "cards": ["SA", "H7"]},
        ("mediateur",),
    )
    assert [(r.path, r.value, r.place.line) for r in doc.rules] == [
        ("stakes.unit", "1/4", 15),
        ("payments.in_favourite", None, 16),
        (
            "forcing.exceptions",
            [{"trump": "hearts", "after": "SA", "card": "CA", "allowed": True}],
            18,
        ),
    ]
    (cite,) = doc.cites["stakes.unit"]
    assert (cite.source, cite.at, cite.status, cite.filled, cite.from_) == (
        "club",
        "p. 3",
        "silent",
        "as usual",
        "other",
    )
    assert [c.status for c in doc.cites["payments.*"]] == ["attested", "house"]
    assert str(doc.cite_places["payments.*"]) == "test.yaml:21:3"


def test_points_assumptions_and_constraints_become_records() -> None:
    doc = parse_profile(PROFILE, "test.yaml")
    (point,) = doc.points
    assert doc.point("unit") is point
    fixed = point.reading("fixed")
    assert fixed is not None
    assert fixed.sets[0][:2] == ("stakes.unit", 1)
    assert fixed.attested == (Attestation("old", "club", "p. 4"), Attestation("new", "", ""))
    assert (fixed.at, fixed.status, fixed.certainty) == ("", "attested", "low")
    quarter = point.reading("quarter")
    assert quarter is not None
    assert (quarter.sets, quarter.at, quarter.status) == ((), "p. 5", "conjecture")
    assert doc.readings[0][:2] == ("ponto", "king")
    assert [c[:2] for c in doc.assumes[0].requires] == [
        ("loss.remise_pays", (["premium"],)),
        ("bids.*.rank", (1, 2)),
        ("loss.codille_pays", (["premium"], [])),
    ]
    (constraint,) = doc.constraints
    assert (constraint.requires, constraint.source) == ((), "club")
    assert constraint.excludes[0][:2] == ("stakes.unit_of", ("stake",))


def test_two_faults_that_read_alike_are_two() -> None:
    """A message cuts what it quotes; what is told once is told by code, variant, data and place."""
    place = Place("p.yaml", 1, 1)
    long = [Problem("Q201", "unknown-key", {"path": (), "key": "k" * 500 + end}) for end in "abb"]
    assert len({p.message for p in long}) == 1
    assert spoken([(place, lambda p=p: p) for p in long]) == [
        replace(p, place=place) for p in long[:2]
    ]
