"""The record of a rule set: its layout and the numbers of words are the vocabulary's, and none is
written by hand."""

import ast
from fractions import Fraction
from pathlib import Path
from typing import Literal, get_args, get_origin

import numpy as np
import pytest

pytest.importorskip("numba")
from numba import from_dtype
from quadrille_plugins.kernel import words
from quadrille_plugins.kernel.record import MOST_BIDS, PATHS, RULES, WHY_BID, number_of
from quadrille_plugins.kernel.tabulate import scale_of, tabulate
from quadrille_plugins.studies import fast
from quadrille_plugins.studies.fast import InexactError
from support import made_rules, made_values

from quadrille_core import vocabulary
from quadrille_core.engine.deal_record import Names
from quadrille_core.rules import Identity, RuleSet, VoleLevel
from quadrille_core.vocabulary import leaves

PLUGINS = Path(words.__file__).parents[1]
KERNEL = [
    p
    for p in sorted(PLUGINS.glob("*/*.py"))
    if p.parent.name == "kernel" or p.name.startswith("kernel_")
]
COMPILED = [
    node
    for path in KERNEL
    for node in ast.walk(ast.parse(path.read_text("utf-8")))
    if isinstance(node, ast.FunctionDef)
    and any(
        getattr(getattr(d, "func", d), "id", "") in ("compiled", "way_in")
        for d in node.decorator_list
    )
]
"""Every function of the kernel, its players' and ``seer``'s."""


def type_at(pattern):
    """The type that a record has for a leaf; raises KeyError where it has none."""
    found = RULES
    for step in pattern.split("."):
        if step != "*":
            found = found.fields[step][0]
            found = found.subdtype[0] if found.subdtype else found
    return found


def path_of(node):
    """The path that an expression reads of a record of rules, bids left out; empty where it reads
    none."""
    steps = []
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Attribute):
            steps.insert(0, node.attr)
        node = node.value
    return (
        steps if isinstance(node, ast.Name) and node.id in ("rules", "other", "given_rules") else []
    )


def test_a_record_has_a_field_for_every_leaf_that_is_a_number_at_the_leafs_own_path():
    """Words, switches, numbers, amounts, cards: all but names in print, coins, packets and
    tabulated exceptions."""
    left_out = {pattern for pattern in leaves() if pattern not in PATHS}
    assert left_out == {"table.coins", "deal.packets", "bids.*.title", "forcing.exceptions"}
    assert {str(type_at(pattern)) for pattern in PATHS} == {"int64"}


def test_what_the_kernel_reads_of_the_rules_by_name_is_a_leaf_or_declared_beside_them():
    """A name that is neither would not compile; a leaf that is dropped from the vocabulary is found
    here at once."""
    found = {".".join(path_of(node)) for function in COMPILED for node in ast.walk(function)}
    by_rule = {name for name in found if "." in name}
    assert len(by_rule) > 60
    for name in by_rule:
        type_at(name)


@pytest.mark.parametrize("pattern", [p for p in PATHS if leaves()[p].choices()])
def test_a_word_has_the_number_of_its_place_in_the_vocabulary(pattern):
    choices = leaves()[pattern].choices()
    known = words.words(pattern)
    assert [getattr(known, word.upper()) for word in choices] == list(range(len(choices)))
    assert [number_of(leaves()[pattern].type, word) for word in choices] == list(
        range(len(choices))
    )


def test_a_leaf_of_words_is_compared_with_a_word_by_name():
    """Never with a number, which would be a second numbering; the name is that of a word of this
    very leaf."""
    known = {p.replace("*.", ""): leaves()[p].choices() for p in PATHS if leaves()[p].choices()}
    compared = 0
    for node in (
        n for function in COMPILED for n in ast.walk(function) if isinstance(n, ast.Compare)
    ):
        path = ".".join(path_of(node.left))
        if path in known and not path_of(node.comparators[0]):
            assert not isinstance(node.comparators[0], ast.Constant), (path, ast.unparse(node))
            if isinstance(node.comparators[0], ast.Attribute):
                assert node.comparators[0].attr.lower() in known[path], (path, ast.unparse(node))
            compared += 1
    assert compared > 40


def test_no_module_of_the_kernel_numbers_the_words_of_a_leaf_again():
    choices = [
        {word.upper() for word in leaf.choices()} for leaf in leaves().values() if leaf.choices()
    ]
    for path in KERNEL:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
                names = {t.id for t in node.targets[0].elts if isinstance(t, ast.Name)}
                assert not names or not any(names <= words for words in choices), (path.name, names)


def test_facts_of_endings_and_of_levels_stand_in_the_order_of_their_words():
    """The kernel reaches the fact of an ending, of a level and of an item by counting on from the
    first."""
    for number, ending in enumerate(("won", "remise", "codille")):
        assert getattr(words.OUTCOME, ending.upper()) == number
        assert getattr(words.FACT, ending.upper()) == words.FACT.WON << number
    for level in get_args(VoleLevel)[1:]:
        number = number_of(VoleLevel, level) - words.LEVEL.UNDERTAKEN
        assert getattr(words.FACT, level.upper()) == words.FACT.UNDERTAKEN << number
    assert max(words.FACT) < 1 << words.UNCLAIMED
    assert len(PATHS) < 1 << WHY_BID


def test_numba_reads_the_layout_as_numpy_writes_it():
    found = from_dtype(RULES)
    assert (found.size, found.aligned) == (RULES.itemsize, True)
    assert [name for name, _ in found.members] == list(RULES.names)


def test_a_leaf_is_found_in_the_record_as_the_rules_have_it():
    """One of each type: a word, a switch, a number, counters, an amount of the tables, a suit, a
    card, a list."""
    changed = {
        "payments.premium.solo": "7/3",
        "favourite.source": "fixed",
        "favourite.suit": "hearts",
        "stakes.ante": 9,
    }
    rules = made_rules(
        **changed, **{"loss.remise_pays": ["premium", "vole"], "play.claim_won": True}
    ).rules
    scale = scale_of([rules])
    record = tabulate(rules, Names(), scale)
    solo = rules.bids.names().index("solo")
    source = get_args(leaves()["favourite.source"].type)
    assert get_origin(leaves()["favourite.source"].type) is Literal
    assert source[record["favourite"]["source"]] == "fixed"
    assert record["favourite"]["suit"] == rules.favourite.suit
    assert record["play"]["claim_won"] == 1
    assert list(record["antes"][:4]) == [9 * scale] * 4
    assert Fraction(int(record["payments"]["premium"][solo]), int(record["parts"])) == Fraction(
        7, 3
    )
    assert record["loss"]["remise_pays"] == words.PAY.PREMIUM | words.PAY.VOLE
    assert record["bids"]["forced_on"][solo] == -1
    assert record["bids"]["tricks"][solo] == rules.bids.of("solo").tricks
    assert not np.any(record["bids"]["tricks"][len(rules.bids.rows) : MOST_BIDS])


def test_rules_with_more_bids_than_a_record_has_room_for_are_left_to_the_readable_engine():
    values = made_values()
    bid = {path: value for path, value in values.items() if path.startswith("bids.solo.")}
    for number in range(MOST_BIDS):
        more = {path.replace(".solo.", f".more-{number}."): value for path, value in bid.items()}
        values |= more | {f"bids.more-{number}.made": "never"}
    identity = Identity(profile="made", digest="0" * 64)
    with pytest.raises(InexactError, match="more bids than it holds"):
        fast.tabulate([RuleSet(identity=identity, rules=vocabulary.build(values))], ["steady"])
