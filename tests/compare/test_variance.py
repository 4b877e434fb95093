"""What of the variance goes with who plays, what with the cards, and what with neither."""

from fractions import Fraction
from itertools import product

import pytest
from quadrille_plugins.compare.tournament import meet, seated
from quadrille_plugins.compare.variance import PARTS, UNITS, rows_of, shares_of
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.studies.sessions import Readable

from quadrille_core.engine.deal_record import Names
from quadrille_core.ruleset import compile_reference


def session_of(hands, times=1):
    """The rows of a session in which the two win such amounts with the same hands, each a chair."""
    x, y = ([Fraction(times * amount) for amount in both] for both in zip(*hands, strict=True))
    products = tuple(
        sum(a * b for a, b in zip(*pair, strict=True)) for pair in ((x, x), (y, y), (x, y))
    )
    return rows_of(len(hands), len(hands), (sum(x), sum(y)), (products, products))


def planted(gap, cards, ability):
    """Hands that are worth ``cards`` or lose it to both, and ``ability`` or its loss to the first,
    who wins by ``gap`` more than the second."""
    return [
        (Fraction(gap, 2) + h + e, -Fraction(gap, 2) + h - e)
        for h, e in product((cards, -cards), (ability, -ability))
    ]


@pytest.mark.parametrize(
    ("hands", "shares"),
    {
        "the cards alone": (planted(0, 3, 0), (0, 1, 0)),
        "who plays alone": (planted(2, 0, 0), (1, 0, 0)),
        "one loses by what the other wins with": (planted(0, 0, 1), (0, -1, 2)),
        "cards that help both as often as one": (planted(2, 1, 1), (1 / 3, 0, 2 / 3)),
        "all three": (planted(2, 3, 1), (1 / 11, 8 / 11, 2 / 11)),
    }.values(),
)
def test_planted_components_are_found_whatever_the_stakes_of_a_session(hands, shares):
    """One session for a hundred times as much counts as any other, and where sessions are alike
    intervals have no width."""
    rows = [session_of(hands, times)["deal"] for times in (1, 1, 2, 5, 1, 100, 3)]
    found = shares_of([rows])
    for part, share in zip(PARTS, shares, strict=True):
        one = getattr(found, part)
        assert [float(one.mean), one.low, one.high] == pytest.approx([share] * 3, abs=1e-6)
        assert (one.count, one.sessions) == (28, 7)


def test_of_several_pairs_the_parts_are_added_before_shares_are_taken():
    """Two players between whom nothing but the cards differs, and two for whom only who plays
    does."""
    pairs = [[session_of(h)["deal"]] * 6 for h in (planted(0, 1, 0), planted(2, 0, 0))]
    found = shares_of(pairs)
    assert [float(getattr(found, part).mean) for part in PARTS] == pytest.approx([0.5, 0.5, 0])


def test_where_nothing_is_won_there_are_no_shares_and_such_a_session_adds_nothing():
    nothing, some = ([session_of(h)["deal"]] * 6 for h in ([(0, 0)] * 4, planted(2, 3, 1)))
    assert shares_of([nothing]) is None
    assert float(shares_of([some + nothing]).cards.mean) == pytest.approx(8 / 11)


def test_a_difference_within_its_error_is_no_share_and_its_interval_begins_at_zero():
    """Two of whom now one, now the other wins more; and of fewer than six sessions no interval is
    given."""
    rows = [session_of(planted(gap, 3, 1))["deal"] for gap in (1, -1, 2, -2, 1, -1, 2, -1)]
    found = shares_of([rows])
    assert found.player.mean == found.player.low == 0 < found.player.high
    assert sum(getattr(found, part).mean for part in PARTS) == pytest.approx(1)
    few = shares_of([rows[:5]])
    assert {getattr(few, part).low for part in PARTS} == {None}


def test_the_products_are_those_of_what_is_paid_for_each_hand_at_both_tables():
    """Also where five sit in turn, so that a chair has now one, now the other."""
    for rules, deals in (("quadrille-modern", 4), ("quintille", 5)):
        ruleset, pair = compile_reference(rules).ruleset, ("random", "steady")
        chairs = ruleset.rules.table.players
        tables = [seated(pair, table, chairs) for table in (0, 1)]
        won = {}
        for names in tables:
            bots = [make_bot(name) for name in names]
            played = play_session(ruleset, bots, seed=2, session=0, deals=deals, anew=True)
            for n, deal in enumerate(played):
                for chair, name in enumerate(names):
                    won[name, n, chair] = deal.net_of_chair[chair] - deal.antes[chair]
        engines = [Readable(ruleset, names, Names(), anew=True) for names in tables]
        ((met,), _) = meet(engines, pair, 2, 0, [deals], None)
        whole = {
            (name, chair): sum(won[name, n, chair] for n in range(deals))
            for name, chair in product(pair, range(chairs))
        }
        wanted = [
            tuple(
                sum(amounts[a, *hand] * amounts[b, *hand] for hand in hands)
                for a, b in ((pair[0],) * 2, (pair[1],) * 2, pair)
            )
            for amounts, hands in (
                (won, list(product(range(deals), range(chairs)))),
                (whole, list(product(range(chairs)))),
            )
        ]
        assert list(met.products) == wanted
        assert met.products[0][2] != met.products[1][2]
        assert set(met.rows(chairs)) == set(UNITS)
