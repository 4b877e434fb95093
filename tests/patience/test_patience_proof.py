"""What is said of a patience without sampling: proofs held against every order there is, odds
counted and played."""

from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quadrille_plugins.patience.cards import PACK, parse_cards
from quadrille_plugins.patience.game import gatherer, layout_of, play, shuffled_packs
from quadrille_plugins.patience.proof import (
    argument,
    cannot_lose,
    exact_odds,
    guarantee,
    lost_order,
)
from quadrille_plugins.patience.record import from_record, replay, to_record
from support.patience import GAMES, any_rules, small_rules

from quadrille_core import vocabulary
from quadrille_core.ruleset import compile_reference

TRIPLES = {k: GAMES["triples"][k] for k in ("foundations.builds", "foundations.adornment")}
GATHERINGS = ("turned_over", "picked_up", "shuffled")


def _won(rules, layout, stock) -> bool:
    return play(rules, layout, stock, gatherer(rules, 1, 1), keep_steps=False).won


def _with(rules, **changes):
    return vocabulary.build_of("patience", vocabulary.dump(rules) | changes)


# --- cannot lose ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("top", "gathered"), [("always", "turned_over"), *(("never", g) for g in GATHERINGS)]
)
@pytest.mark.parametrize("game", ["pairs", "triples with their base cards laid out"])
def test_a_proof_holds_for_all_40320_orders_of_eight_cards_and_one_passage_less_is_lost_in_some(
    game, top, gathered
):
    changes = TRIPLES | {"foundations.bases": "laid_out_first"} if game != "pairs" else {}
    base = small_rules(**changes, **{"heap.top": top, "heap.gathered": gathered})
    enough = guarantee(base).passages
    assert enough == (1 if top == "always" else 2)
    rules = _with(base, **{"heap.turns": enough - 1})
    layout = layout_of(rules)
    cards = layout.stock(PACK)
    assert len(cards) == 8
    assert cannot_lose(rules)
    assert all(_won(rules, layout, order) for order in permutations(cards))
    if enough > 1:
        fewer = _with(base, **{"heap.turns": enough - 2})
        assert not cannot_lose(fewer)
        assert not all(_won(fewer, layout, order) for order in permutations(cards))


@settings(max_examples=60, deadline=None)
@given(any_rules(), st.integers(0, 2**32))
def test_with_the_passages_that_are_proved_enough_nothing_is_lost_not_even_by_an_order_made_to_lose(
    rules, seed
):
    enough = guarantee(rules).passages
    safe = _with(rules, **{"heap.turns": max(0, enough - 1)})
    assert cannot_lose(safe)
    assert argument(safe)[-1].endswith(f"{max(1, enough)} allowed.")
    assert lost_order(safe, seed, 60) is None


@pytest.mark.parametrize(
    ("packs", "bases", "top", "gathered"),
    list(product((1, 2), ("laid_out_first", "as_they_appear"), ("always", "never"), GATHERINGS)),
)
def test_of_captive_queens_it_is_always_known_whether_it_can_lose(packs, bases, top, gathered):
    """The bound cannot be lowered: with one passage less than it wants there is an order that is
    lost."""
    base = compile_reference("captive-queens").game.rules
    rules = _with(
        base,
        **{
            "stock.packs": packs,
            "foundations.bases": bases,
            "heap.top": top,
            "heap.gathered": gathered,
        },
    )
    enough = guarantee(rules).passages
    assert enough == 6 - (bases == "laid_out_first") - (top == "always")
    assert cannot_lose(_with(rules, **{"heap.turns": enough - 1}))
    short = _with(rules, **{"heap.turns": enough - 2})
    assert not cannot_lose(short)
    assert argument(short) == []
    order = lost_order(short, 1)
    assert order is not None
    assert sorted(order) == sorted(shuffled_packs(packs, 1, 0))
    layout = layout_of(short)
    assert not play(short, layout, layout.stock(order), gatherer(short, 1, 0)).won


@pytest.mark.parametrize("gathered", ["turned_over", "picked_up"])
def test_royal_quadrille_wants_five_turns_and_four_are_not_enough(gathered):
    rules = _with(compile_reference("royal-quadrille").game.rules, **{"heap.gathered": gathered})
    assert cannot_lose(_with(rules, **{"heap.turns": 5}))
    four = _with(rules, **{"heap.turns": 4})
    assert not cannot_lose(four)
    order = lost_order(four, 1)
    assert order is not None
    lost = play(four, layout_of(four), order, gatherer(four, 1, 0))
    assert not lost.won
    # a shuffle may bring the heap in this very order
    shuffled = _with(four, **{"heap.gathered": "shuffled"})
    assert not cannot_lose(shuffled)
    again = replay(shuffled, from_record(to_record(lost, {})))
    assert again.divergence == ""
    assert again.played is not None
    assert not again.played.won


def test_captive_queens_cannot_lose_as_first_set_up_and_can_as_second():
    known = {
        r: cannot_lose(compile_reference("captive-queens", readings={"set_up": r}).game.rules)
        for r in ("laid_out_first", "shuffled_in", "queens_laid_out_first")
    }
    assert known == {"laid_out_first": True, "shuffled_in": False, "queens_laid_out_first": False}


def test_a_proof_says_which_passages_it_counts():
    rules = compile_reference("captive-queens", readings={"set_up": "laid_out_first"}).game.rules
    told = argument(rules)
    assert "A build of 6 so holds at least 1, 2, 3, 4, 5 cards" in told[1]
    assert "At the end of passage 4 no build lacks more than its last card" in told[2]
    assert told[3] == "4 passages are enough, and 4 allowed."
    never = _with(rules, **{"heap.top": "never", "heap.turns": 4})
    assert [line for line in argument(never) if "top card" in line] == []
    assert "1, 2, 3, 4, 5, 6 cards" in argument(never)[1]


def test_without_any_passage_needed_nothing_is_lost():
    rules = small_rules(
        **{"foundations.builds": [[r] for r in ("A", "2")], "foundations.bases": "laid_out_first"}
    )
    assert guarantee(rules).passages == 0
    assert cannot_lose(rules)


# --- holding back -----------------------------------------------------------------------------


def _can_be_won(rules, stock) -> bool:
    """Whether a player who may hold any card back can win, by trying everything."""
    layout = layout_of(rules)
    below = layout.below

    def fits(built, card):
        return built[card] < built[below[card]]

    def plus(built, card):
        return (*built[:card], built[card] + 1, *built[card + 1 :])

    seen = set()

    def after(built, heap, rest, turns) -> bool:
        key = (built, heap, rest, turns)
        if key in seen:
            return False
        seen.add(key)
        if (
            rules.heap.top == "always"
            and heap
            and fits(built, heap[-1])
            and after(plus(built, heap[-1]), heap[:-1], rest, turns)
        ):
            return True
        if rest:
            card, rest = rest[0], rest[1:]
            return (fits(built, card) and after(plus(built, card), heap, rest, turns)) or after(
                built, (*heap, card), rest, turns
            )
        if not heap:
            return True
        if turns == 0:
            return False
        return after(
            built, (), heap if rules.heap.gathered == "turned_over" else heap[::-1], turns - 1
        )

    return after(tuple(layout.built_at_first()), (), tuple(stock), rules.heap.turns)


@pytest.mark.parametrize(
    ("top", "gathered"), list(product(("always", "never"), ("turned_over", "picked_up")))
)
def test_with_one_pack_a_player_who_may_hold_cards_back_wins_nothing_by_it(top, gathered):
    rules = small_rules(
        **TRIPLES, **{"heap.top": top, "heap.gathered": gathered, "heap.turns": int(top == "never")}
    )
    layout = layout_of(rules)
    lost = 0
    # two suits, all their orders; the other two lie on the table, built
    for order in permutations(parse_cards("SA S2 S3 HA H2 H3")):
        stock = (*parse_cards("DA D2 D3 CA C2 C3"), *order)
        if not _won(rules, layout, stock):
            lost += 1
            assert not _can_be_won(rules, stock)
    assert lost or top == "always"


def test_with_two_packs_there_is_a_game_that_only_holding_a_card_back_wins():
    """So its odds are those of the rule that a card is built as soon as it fits, not of the best of
    players.

    Built at once: A 2 3, and 3 2 left behind the second ace; turned over, the 3 comes before the 2.
     With the first deuce held back, the heap is 2 3 3, and all of it is built in the second
     passage.
    """
    two = small_rules(**TRIPLES, **{"stock.packs": 2, "heap.top": "never", "heap.turns": 1})
    others = tuple(c for s in "HDC" for r in "A23" for c in parse_cards(f"{s}{r}") * 2)
    stock = (*others, *parse_cards("SA S2 S3 S3 S2 SA"))
    assert not _won(two, layout_of(two), stock)
    assert _can_be_won(two, stock)


# --- exact odds -------------------------------------------------------------------------------


@pytest.mark.parametrize("gathered", ["turned_over", "picked_up"])
def test_exact_odds_are_the_share_of_all_orders_that_are_won(gathered):
    rules = small_rules(
        **TRIPLES,
        **{
            "foundations.bases": "laid_out_first",
            "heap.top": "never",
            "heap.gathered": gathered,
            "heap.turns": 0,
        },
    )
    layout = layout_of(rules)
    cards = parse_cards("S2 S3 H2 H3 D2 D3 C2 C3")
    won = sum(_won(rules, layout, order) for order in permutations(cards))
    assert exact_odds(rules) == Fraction(won, 40320) == Fraction(1, 16)


@pytest.mark.parametrize("gathered", GATHERINGS)
@pytest.mark.parametrize("turns", [2, 3, 4])
def test_exact_odds_are_those_of_a_thousand_games_within_chance(gathered, turns):
    base = compile_reference("captive-queens", settings={"heap.top": "never"}).game.rules
    rules = _with(base, **{"heap.gathered": gathered, "heap.turns": turns})
    layout = layout_of(rules)
    won = 0
    for game in range(1000):
        stock = layout.stock(shuffled_packs(1, 2, game))
        won += play(rules, layout, stock, gatherer(rules, 2, game), keep_steps=False).won
    exact = exact_odds(rules)
    assert exact is not None
    assert (
        abs(won - 1000 * exact) <= 4 * (1000 * exact * (1 - exact)) ** 0.5
    )  # four standard deviations


def test_exact_odds_of_a_rising_order_are_eulers_numbers():
    """Orders of six with at most three descents: 1 + 57 + 302 + 302 of 720, for each of the eight
    builds."""
    rules = compile_reference("captive-queens", settings={"heap.top": "never"}).game.rules
    assert exact_odds(rules) == Fraction(1 + 57 + 302 + 302, 720) ** 8


def test_where_builds_depend_on_each_other_nothing_is_counted():
    assert exact_odds(compile_reference("captive-queens").game.rules) is None
    two = compile_reference("contradance", settings={"heap.top": "never"}).game.rules
    assert exact_odds(two) is None
