"""Patience: each rule as a sentence, no card lost, every option decisive, the same game always."""

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quadrille_plugins.patience.cards import PACK, format_card, format_cards, parse_cards, sign_card
from quadrille_plugins.patience.game import gatherer, layout_of, play, play_game, shuffled_packs
from support.patience import (
    CASES,
    ENDS,
    GAMES,
    LEAVES,
    any_rules,
    game_of,
    rules_of,
    small_rules,
    told,
)

from quadrille_core import vocabulary
from quadrille_core.errors import NotationError
from quadrille_core.ruleset import compile_reference

GOLDEN = Path(__file__).parents[1] / "data" / "patience_golden.json"
PROFILES = ("royal-quadrille", "captive-queens", "contradance")


# --- the rules --------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["says"])
def test_a_sentence_of_the_rules(case):
    played = game_of(case)
    built = case["built"] if isinstance(case["built"], list) else [case["built"]]
    assert told(case, played) == [text.strip() for text in built]
    assert format_cards(played.left) == case.get("left", "")
    assert played.won == ("left" not in case)


def test_no_sentence_stands_twice():
    assert len({c["says"] for c in CASES}) == len(CASES) >= 20


@pytest.mark.parametrize("case", ENDS, ids=lambda c: c["says"])
def test_a_game_is_won_when_the_foundations_are_as_the_text_has_them_and_only_then(case):
    """Laid by the text's own piles, card after card as the course tells them; the engine's builds
    are not asked."""
    # without a second passage some are lost in any case
    rules = [
        compile_reference(case["game"], settings=s).game.rules for s in ({}, {"heap.turns": 0})
    ]
    whole = [pile.split() for pile in case["foundations"]]
    ended = {True: 0, False: 0}
    for game in range(150):
        played = play_game(rules[game % 2], 5, game)
        piles: dict[tuple[str, int], list[str]] = {}
        beside = []
        for step in played.steps:
            suit, rank = format_card(step.card)[0], format_card(step.card)[1:]
            if step.to == "heap":
                continue
            if rank in case["beside"]:
                beside.append(rank)
                continue
            (pile,) = [n for n, ranks in enumerate(whole) if rank in ranks]
            laid = piles.setdefault((suit, pile), [])
            laid.append(rank)
            assert laid == whole[pile][: len(laid)], (
                f"game {game}: {rank} does not go on {laid[-2:-1]}"
            )
        tops = [
            [pile[-1] for (s, _), pile in sorted(piles.items()) if s == suit] for suit in "SHCD"
        ]
        assert played.won == (tops == [case["tops"]] * 4), f"game {game}"
        assert not played.won or beside == [*case["beside"]] * 4
        ended[played.won] += 1
    assert min(ended.values()) > 3


# --- the dead-option guard --------------------------------------------------------------------


def _values(pattern: str, base: object) -> list[tuple[str, object, object]]:
    """Pairs of values of a leaf that must be told apart: words by twos, a number and its
    neighbours, lists changed."""
    leaf = LEAVES[pattern]
    if leaf.choices():
        return [(f"{a} / {b}", a, b) for a, b in combinations(leaf.choices(), 2)]
    if isinstance(base, int):
        return [
            (w, base, v)
            for w, v in (("more", base + 1), ("less", base - 1))
            if leaf.low <= v <= leaf.high
        ]
    assert isinstance(base, list)
    if pattern == "foundations.adornment":
        return [("one less", base, base[1:]), ("another order", base, [*base[1:], *base[:1]])]
    return [
        ("another order", base, [build[::-1] for build in base]),
        ("one build less", base, base[1:]),
    ]


def _game_with(case: dict, pattern: str, value: object) -> object:
    """The course of a case with one leaf changed, from the same packs; or that they cannot be dealt
    so."""
    plain = vocabulary.dump(rules_of(case)) | {pattern: value}
    rules = vocabulary.build_of("patience", plain)
    order = shuffled_packs(rules.stock.packs, 5, len(case["says"]))
    layout = layout_of(rules)
    # shuffled as turn 1 of another game would be, so that no two ways of gathering can look alike
    # by chance
    played = play(rules, layout, layout.stock(order), gatherer(rules, 5, 1))
    return played.stocks, played.steps


@pytest.mark.parametrize("pattern", LEAVES)
def test_every_value_of_every_leaf_of_a_patience_is_decisive(pattern):
    lacking = set()
    for case in CASES:
        base = vocabulary.dump(rules_of(case))[pattern]
        lacking |= {name for name, _, _ in _values(pattern, base)}
    if pattern == "foundations.adornment":
        lacking.discard(
            "another order"
        )  # a set of ranks: that its order says nothing is shown below
    for case in CASES:
        base = vocabulary.dump(rules_of(case))[pattern]
        for name, a, b in _values(pattern, base):
            if name in lacking and _game_with(case, pattern, a) != _game_with(case, pattern, b):
                lacking.discard(name)
    assert not lacking, (
        f"{pattern} changes nothing in any case: {', '.join(sorted(lacking))} "
        f"({LEAVES[pattern].doc})"
    )


def test_the_order_in_which_ranks_of_adornment_are_named_says_nothing():
    ranks = GAMES["pairs"]["foundations.adornment"]
    assert layout_of(small_rules()) == layout_of(
        small_rules(**{"foundations.adornment": ranks[::-1]})
    )


def test_when_queens_are_laid_changes_the_course_and_never_the_end():
    ways = ("shuffled_in", "queens_laid_out_first")
    rules = [
        compile_reference("captive-queens", readings={"set_up": way}).game.rules for way in ways
    ]
    for game in range(200):
        games = [play_game(one, 3, game) for one in rules]
        assert len({(played.won, played.left) for played in games}) == 1


# --- what holds of every game -----------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(any_rules(), st.integers(0, 2**32), st.integers(0, 1000))
def test_no_card_is_lost_and_every_game_ends(rules, seed, game):
    played, layout = play_game(rules, seed, game), layout_of(rules)
    assert len(played.stocks) <= rules.heap.turns + 1
    whole = sorted(c for c in PACK for _ in range(rules.stock.packs))
    built = [s.card for s in played.steps if s.to != "heap"]
    laid = [c for c in whole if c in layout.laid_first]
    assert sorted([*laid, *built, *played.left]) == whole
    assert played.won == (not played.left)
    for number, stock in enumerate(played.stocks, 1):
        turned = [
            s.card for s in played.steps if s.passage == number and s.to != "built from the heap"
        ]
        assert tuple(turned) == stock
    # every card was built on what it must be built on
    copies = dict.fromkeys(PACK, 0) | dict.fromkeys(layout.laid_first, rules.stock.packs)
    for card in built:
        below = layout.below[card]
        assert copies[card] < (rules.stock.packs if below == 52 else copies[below])
        copies[card] += 1
    # and none was left that could have been built in the last passage
    if played.left and rules.heap.top == "always":
        top = played.left[-1]
        assert copies[top] >= (
            rules.stock.packs if layout.below[top] == 52 else copies[layout.below[top]]
        )


@settings(max_examples=40, deadline=None)
@given(any_rules(), st.integers(0, 2**32), st.integers(0, 1000))
def test_the_same_seed_is_the_same_game_told_or_not(rules, seed, game):
    told_one = play_game(rules, seed, game)
    assert told_one == play_game(rules, seed, game)
    layout = layout_of(rules)
    stock = layout.stock(shuffled_packs(rules.stock.packs, seed, game))
    silent = play(rules, layout, stock, gatherer(rules, seed, game), keep_steps=False)
    assert (silent.won, silent.left) == (told_one.won, told_one.left)


def test_rule_sets_with_as_many_packs_are_dealt_the_same_shuffle():
    first, other = (compile_reference(n).game.rules for n in ("captive-queens", "royal-quadrille"))
    assert play_game(first, 7, 3).stocks[0] == play_game(other, 7, 3).stocks[0]
    laid = compile_reference("captive-queens", readings={"set_up": "laid_out_first"}).game.rules
    mine = [c for c in play_game(first, 7, 3).stocks[0] if c not in layout_of(laid).laid_first]
    assert play_game(laid, 7, 3).stocks[0] == tuple(mine)
    assert len(mine) == 40


# --- cards ------------------------------------------------------------------------------------


def test_cards_are_written_and_read_with_letters_and_signs():
    assert parse_cards(format_cards(PACK)) == PACK
    assert parse_cards(" ".join(map(sign_card, PACK))) == PACK
    assert parse_cards("h10 ♠a") == (*parse_cards("H10"), *parse_cards("SA"))


@pytest.mark.parametrize(
    "text", ["S1", "S11", "X5", "10", "S", "\x1b[2J", "S5S6", "ßA", "S10 " * 600]
)
def test_what_is_no_card_is_refused(text):
    with pytest.raises(NotationError) as caught:
        parse_cards(text)
    assert "\x1b" not in str(caught.value)


# --- golden games -----------------------------------------------------------------------------


def golden() -> dict[str, list[dict]]:
    """Three games under every rule set that the readings of a profile make."""
    from quadrille_plugins.patience.study import every_reading

    found = {}
    for name in PROFILES:
        base = compile_reference(name)
        for way in every_reading(base):
            compiled = compile_reference(name, readings=way)
            key = f"{name} " + " ".join(f"{p}={r}" for p, r in way.items())
            found[key] = []
            for game in range(3):
                played = play_game(compiled.game.rules, 11, game)
                built = [
                    format_cards(s.card for s in played.steps if s.passage == n and s.to != "heap")
                    for n in range(1, len(played.stocks) + 1)
                ]
                found[key].append({"built": built, "left": format_cards(played.left)})
    return found


def test_the_golden_games_go_as_they_went():
    """`python tests/patience/test_patience.py` writes them anew, if the game was meant to
    change."""
    assert json.loads(GOLDEN.read_text()) == golden()


if __name__ == "__main__":
    lines = ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in golden().items())
    GOLDEN.write_text("{\n" + lines + "\n}\n")
