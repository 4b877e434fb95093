"""YAML as profiles are read: what is a value, where it stands, and what is refused."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from support.data import cases

from quadrille_core.errors import Place, ProfileError, QuadrilleError
from quadrille_core.profile import (
    Limits,
    Located,
    LocatedMap,
    check_profile,
    load_text,
    parse_profile,
)
from quadrille_core.profile.located import place_at, shown

ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "variants").glob("*.yaml"), *(ROOT / "tests").rglob("*.yaml")])


def plain(text: str | bytes) -> Any:
    return load_text(text, "test").to_plain()


def codes(text: str | bytes, **options: Any) -> list[str]:
    with pytest.raises(QuadrilleError) as caught:
        load_text(text, "test", **options)
    return [p.code for p in caught.value.problems]


# --- values ------------------------------------------------------------------------------------


@cases("yaml_strict")
def test_a_value_is_what_both_versions_of_yaml_take_it_for(text: str, value: Any) -> None:
    found = plain(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "word", ["yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "Off", "OFF"]
)
def test_the_booleans_of_yaml_1_1_are_refused_as_pyyaml_takes_them(word: str) -> None:
    assert isinstance(yaml.safe_load(word), bool)
    assert codes(word) == ["Q111"]
    assert codes(f"{word}: 1") == ["Q111"]
    assert plain(f"'{word}'") == word


@given(
    st.one_of(
        st.text("0123456789_:.-+eExobTZ natfy", max_size=14),
        st.from_regex(r"[-+]?[0-9_]{1,6}([.:eE-][-+]?[0-9_]{1,4}){0,3}", fullmatch=True),
        st.sampled_from(
            [
                f(w)
                for w in ("yes", "null", "inf", ".nan", "true", "y", "~")
                for f in (str.upper, str.title)
            ]
        ),
    )
)
def test_no_plain_scalar_means_one_thing_here_and_another_to_pyyaml(text: str) -> None:
    """Whatever is let pass has the type and value that YAML 1.1's own constructor gives it."""
    try:
        node = load_text(text, "test")
    except QuadrilleError:
        return
    if isinstance(node, Located):
        assert node.value == yaml.safe_load(text)
        assert type(node.value) is type(yaml.safe_load(text))


def test_a_byte_order_mark_is_passed_over_and_columns_do_not_count_it() -> None:
    for text in ("\ufeffa: no", b"\xef\xbb\xbfa: no"):
        with pytest.raises(ProfileError) as caught:
            load_text(text, "test")
        assert caught.value.problems[0].place == Place("test", 1, 4, "a: no")


def test_carriage_returns_count_lines_as_editors_do() -> None:
    for end in ("\n", "\r\n", "\r"):
        with pytest.raises(ProfileError) as caught:
            load_text(f"a: 1{end}{end}b: no{end}c: 1{end}", "test")
        assert caught.value.problems[0].place == Place("test", 3, 4, "b: no")


# --- places ------------------------------------------------------------------------------------

TEXT = """\
kind: profile
rules:
  stakes: {ante: 1, 'unit': "1/4"}
  loss:
    remise_pays:
      - premium
      - matadors
"""


def test_every_key_and_value_knows_its_place() -> None:
    root = load_text(TEXT, "x.yaml")
    assert isinstance(root, LocatedMap)

    def spot(*path: str | int, key: bool = False) -> tuple[int, int]:
        place = place_at(root, path, key=key)
        assert place.text == TEXT.splitlines()[place.line - 1]
        return place.line, place.col

    assert spot() == (1, 1)
    assert spot("kind") == (1, 7)
    assert spot("kind", key=True) == (1, 1)
    assert spot("rules", "stakes") == (3, 11)
    assert spot("rules", "stakes", "unit", key=True) == (3, 21)
    assert spot("rules", "stakes", "unit") == (3, 29)
    assert spot("rules", "loss", "remise_pays") == (6, 7)
    assert spot("rules", "loss", "remise_pays", 1) == (7, 9)
    assert spot("rules", "loss", "remise_pays", 1, key=True) == (7, 9)
    assert str(place_at(root, ("rules", "stakes", "ante"))) == "x.yaml:3:18"


def test_a_path_that_leads_nowhere_stands_where_it_ends() -> None:
    root = load_text(TEXT, "x.yaml")
    assert str(place_at(root, ("rules", "stakes", "nothing"))) == "x.yaml:3:11"


def test_what_messages_quote_is_short() -> None:
    assert shown("x" * 1000) == "'" + "x" * 58 + "…"
    assert shown(["x"] * 1000) == "a list"
    assert shown(None) == "null"
    assert shown(True) == "true"
    assert shown("it's") == '"it\'s"'


# --- limits ------------------------------------------------------------------------------------


def test_limits_can_be_set() -> None:
    assert codes("[[a]]", limits=Limits(depth=1)) == ["Q106"]
    assert codes("[a, b]", limits=Limits(nodes=2)) == ["Q115"]
    assert codes("123", limits=Limits(digits=2)) == ["Q112"]
    assert codes("1234", limits=Limits(bytes=3)) == ["Q102"]
    assert codes("é", limits=Limits(bytes=1)) == ["Q102"]


def test_the_deepest_and_largest_that_is_allowed_passes() -> None:
    assert plain("[" * 24 + "]" * 24)
    assert len(plain("- a\n" * 19_999)) == 19_999


def test_a_hundred_faults_are_enough() -> None:
    found = codes("- no\n" * 200)
    assert len(found) == 101


# --- nothing but our own errors ------------------------------------------------------------------


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_random_bytes_raise_nothing_but_our_own_errors(data: bytes) -> None:
    try:
        parse_profile(data, "random")
    except QuadrilleError as error:
        assert error.problems
        assert all(p.render() for p in error.problems)


@settings(deadline=None)
@given(st.text(st.characters(codec=None), max_size=200))
def test_random_text_raises_nothing_but_our_own_errors(text: str) -> None:
    try:
        parse_profile(text, "random")
    except QuadrilleError as error:
        assert all(p.render() for p in error.problems)


KEYS = st.sampled_from(
    [
        *(
            "kind",
            "id",
            "title",
            "rules",
            "cites",
            "points",
            "readings",
            "plugins",
            "assumes",
            "constraints",
        ),
        *(
            "witnesses",
            "sources",
            "extends",
            "stakes",
            "unit",
            "bids",
            "solo",
            "rank",
            "set",
            "that",
            "when",
            "loss",
        ),
        *(
            "status",
            "silent",
            "source",
            "at",
            "after",
            "with",
            "fills",
            "default",
            "stakes.unit",
            "bids.*.rank",
        ),
    ]
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 10**6), st.text("ab*./- 1\n", max_size=6), KEYS
)
TREES = st.recursive(
    SCALARS,
    lambda t: st.one_of(st.lists(t, max_size=3), st.dictionaries(KEYS, t, max_size=4)),
    max_leaves=12,
)


@settings(deadline=None, max_examples=200)
@given(st.dictionaries(KEYS, TREES, max_size=6))
def test_random_trees_of_our_own_words_raise_nothing_but_our_own_errors(
    tree: dict[str, Any],
) -> None:
    text = yaml.safe_dump({**tree, "kind": "profile"})
    for validate in (True, False):
        try:
            parse_profile(text, "random", validate=validate)
        except QuadrilleError as error:
            assert all(p.place is not None and p.render() for p in error.problems)
    assert check_profile(load_text(yaml.safe_dump({"kind": "profile"}), "random"))


def test_importing_the_room_imports_neither_jsonschema_nor_a_parser() -> None:
    script = (
        "import sys, quadrille_core.profile as p; print(sorted({'jsonschema', 'yaml'} & "
        "set(sys.modules)))"
    )
    more = f"; p.load_profile({str(ROOT / 'variants' / 'quadrille-base.yaml')!r}, validate=False)"
    last = "; print('jsonschema' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script + more + last],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=dict(os.environ),
    )
    assert done.stdout.split("\n")[:2] == ["[]", "False"]
