"""Following suit and withholding matadors: every reading against a literal statement of it."""

import random

import pytest
from support import made_rules

from quadrille_core.cards import NO_TRUMP, PACK, SUITS, format_card, format_cards, parse_card
from quadrille_core.engine.forcing import follow, privileged
from quadrille_core.vocabulary import pattern_of

# Written out by hand, sharing nothing with the engine.
TRUMPS = {
    "spades": ["SA", "S2", "CA", "SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "S3"],
    "hearts": ["SA", "H7", "CA", "HA", "HK", "HQ", "HJ", "H2", "H3", "H4", "H5", "H6"],
    "clubs": ["SA", "C2", "CA", "CK", "CQ", "CJ", "C7", "C6", "C5", "C4", "C3"],
    "diamonds": ["SA", "D7", "CA", "DA", "DK", "DQ", "DJ", "D2", "D3", "D4", "D5", "D6"],
    "none": ["SA", "CA"],
}
SUIT_OF = {"none": NO_TRUMP} | {name: i for i, name in enumerate(SUITS)}

READINGS = [
    {"forcing.forced_by": by, "forcing.among_several": among}
    for by in ("led", "played")
    for among in ("any_trump", "alternative_excuses", "inferior_only")
] + [{"forcing.renege": "barred"}]


def reading_name(reading):
    return "-".join(reading.values())


def literal_legal(hand, played, trump, reading, at_no_trump="privileged"):
    """The rule as the sources put it, with cards as strings; shares nothing with the engine."""
    if not played:
        return hand
    led = played[0]
    all_trumps = TRUMPS[trump]
    if led not in all_trumps:
        follow = [c for c in hand if c[0] == led[0] and c not in all_trumps]
        return follow or hand
    my_trumps = [c for c in hand if c in all_trumps]
    if not my_trumps:
        return hand
    matadors = all_trumps[:3]
    if reading.get("forcing.renege") == "barred" or (trump == "none" and at_no_trump == "ordinary"):
        return my_trumps
    for card in my_trumps:
        if card not in matadors:  # "if lacking lower trumps"
            return my_trumps
    superior = [led] if reading["forcing.forced_by"] == "led" else played
    forced = []
    for mine in my_trumps:
        for other in superior:
            if (
                other in matadors
                and matadors.index(other) < matadors.index(mine)
                and mine not in forced
            ):
                forced.append(mine)
    if not forced:
        return hand
    if reading["forcing.among_several"] == "inferior_only":
        return forced
    if reading["forcing.among_several"] == "alternative_excuses" and len(forced) < len(my_trumps):
        return hand
    return my_trumps


def positions(trump, count):
    """Random positions, half of them rich in matadors and led in trumps, where the rule bites."""
    rng = random.Random(f"forcing {trump}")
    few = list(dict.fromkeys([*TRUMPS[trump][:5], "HK", "D3", "C4", "S5", "H6"]))
    every = [format_card(c) for c in PACK]
    for _ in range(count):
        if rng.random() < 0.6:
            cards = rng.sample(few, rng.randint(2, len(few)))
            played = [c for c in cards[:3] if rng.random() < 0.7]
            if rng.random() < 0.6:
                played.sort(key=lambda c: c not in TRUMPS[trump])
            hand = [c for c in cards if c not in played] or [
                rng.choice([c for c in every if c not in cards])
            ]
        else:
            cards = rng.sample(every, 13)
            played, hand = cards[: rng.randint(0, 3)], cards[3 : 3 + rng.randint(1, 10)]
        yield hand, played


@pytest.fixture(scope="module")
def samples():
    """Twenty thousand positions for each trump, as strings and as cards."""
    made = {}
    for trump in TRUMPS:
        made[trump] = [
            (hand, played, tuple(map(parse_card, hand)), tuple(map(parse_card, played)))
            for hand, played in positions(trump, 20_000)
        ]
    return made


@pytest.mark.slow
@pytest.mark.parametrize("trump", TRUMPS)
@pytest.mark.parametrize("reading", READINGS, ids=reading_name)
def test_legal_cards_agree_with_the_literal_rule_on_twenty_thousand_positions(
    samples, reading, trump
):
    rules = made_rules(**reading).rules
    names = [format_card(c) for c in PACK]
    restricted = 0
    for hand, played, cards, trick in samples[trump]:
        expected = literal_legal(hand, played, trump, reading)
        found = [names[c] for c in follow(rules.forcing, SUIT_OF[trump]).legal(cards, trick)]
        assert found == expected, (hand, played)
        restricted += len(found) < len(hand)
    assert restricted > 1000


@pytest.mark.parametrize("reading", READINGS, ids=reading_name)
def test_black_aces_without_privilege_follow_each_other_where_no_suit_is_trumps(samples, reading):
    rules = made_rules(**reading, **{"forcing.at_no_trump": "ordinary"}).rules
    for hand, played, cards, trick in samples["none"]:
        expected = literal_legal(hand, played, "none", reading, "ordinary")
        assert [
            format_card(c) for c in follow(rules.forcing, NO_TRUMP).legal(cards, trick)
        ] == expected


@pytest.mark.parametrize("trump", TRUMPS)
@pytest.mark.parametrize("reading", READINGS, ids=reading_name)
def test_every_ruling_agrees_with_the_legal_cards_and_names_an_existing_rule(
    samples, reading, trump
):
    rules = made_rules(**reading).rules
    for _, _, cards, trick in samples[trump][:2_000]:
        rulings = follow(rules.forcing, SUIT_OF[trump]).explain(cards, trick)
        assert [r.card for r in rulings] == list(cards)
        assert tuple(r.card for r in rulings if r.legal) == follow(
            rules.forcing, SUIT_OF[trump]
        ).legal(cards, trick)
        for ruling in rulings:
            assert ruling.reason
            assert ruling.rule == "play" or pattern_of(ruling.rule)
            assert ruling.legal or not ruling.forced
        if any(r.forced for r in rulings):
            assert sum(r.legal for r in rulings) == 1


AMONG = ("any_trump", "alternative_excuses", "inferior_only")


@pytest.mark.parametrize("trump", TRUMPS)
@pytest.mark.parametrize("by", ["led", "played"])
@pytest.mark.parametrize("among", AMONG)
def test_a_card_is_refused_by_among_several_just_where_another_value_of_it_would_allow_the_card(
    samples, among, by, trump
):
    rules = {
        a: made_rules(**{"forcing.forced_by": by, "forcing.among_several": a}).rules for a in AMONG
    }
    decided = 0
    for _, _, cards, trick in samples[trump][:2_000]:
        allowed = {
            c for a in AMONG for c in follow(rules[a].forcing, SUIT_OF[trump]).legal(cards, trick)
        }
        for ruling in follow(rules[among].forcing, SUIT_OF[trump]).explain(cards, trick):
            if not ruling.legal:
                assert (ruling.rule == "forcing.among_several") == (ruling.card in allowed)
                decided += ruling.card in allowed
    assert (decided > 0) == (trump != "none" and among != "alternative_excuses")


@pytest.mark.parametrize("at_no_trump", ["privileged", "ordinary"])
def test_without_trumps_the_leaf_for_no_trump_decides_of_the_black_aces(samples, at_no_trump):
    rules = made_rules(**{"forcing.at_no_trump": at_no_trump}).rules
    cited = {
        ruling.rule
        for _, _, cards, trick in samples["none"]
        for ruling in follow(rules.forcing, NO_TRUMP).explain(cards, trick)
    }
    assert cited == {"play", "forcing.at_no_trump"}


def test_every_matador_has_the_privilege_unless_reneging_is_barred_or_no_suit_is_trumps_and_it_lapses_there():
    def holders(trump, **reading):
        forcing = made_rules(**{f"forcing.{k}": v for k, v in reading.items()}).rules.forcing
        return format_cards(privileged(forcing, SUIT_OF[trump]))

    assert holders("hearts") == "SA H7 CA"
    assert holders("hearts", at_no_trump="ordinary") == "SA H7 CA"
    assert holders("none") == "SA CA"
    assert holders("none", at_no_trump="ordinary") == ""
    assert holders("none", renege="barred") == holders("hearts", renege="barred") == ""


@pytest.mark.parametrize("trump", TRUMPS)
def test_a_trump_that_may_not_be_withheld_alone_with_a_plain_card_is_the_only_legal_card(trump):
    """What obliges a player by itself is what is enforced."""
    for reading in READINGS:
        rules = made_rules(**reading).rules
        for led in map(parse_card, TRUMPS[trump]):
            for card in map(parse_card, TRUMPS[trump]):
                if card == led:
                    continue
                plain = next(c for c in PACK if format_card(c) not in TRUMPS[trump])
                found = follow(rules.forcing, SUIT_OF[trump]).legal((card, plain), (led,))
                free = card not in follow(rules.forcing, SUIT_OF[trump]).bound(led)
                assert found == ((card, plain) if free else (card,)), format_cards((led, card))
