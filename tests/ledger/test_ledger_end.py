"""The people at a ledger's table, and the end of its session."""

import io
import itertools
import json
import random
from fractions import Fraction

import pytest
from quadrille_plugins.ledger.ending import clear
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.service import Ledger
from support.ledger import (
    LOST,
    SOLO,
    holdings,
    result,
)

from quadrille_core.errors import ResultError, UsageError

# --- people and the end -----------------------------------------------------------------------


def test_a_substitute_takes_the_chair_and_nothing_else(begin):
    path = begin()
    with Ledger(path) as ledger:
        ledger.record(result(SOLO))
        assert ledger.substitute("Beatrice", "Emma") == 2
        journal = ledger.journal()
        emma, beatrice = journal.account_of("Emma"), journal.account_of("Beatrice")
        assert (journal.balances[emma], journal.balances[beatrice]) == (700, 695)
        assert journal.due()[0][1] == emma, "Beatrice would have been eldest"
        with pytest.raises(ResultError, match="Beatrice"):
            ledger.record(result(SOLO | {"hombre": "Beatrice"}))
        ledger.record(result(SOLO))
        assert ledger.journal().balances[beatrice] == 695
        # who dealt or played a deal is a matter of that deal
        ledger.correct(
            1, result(SOLO | {"hombre": "Beatrice", "tricks": {"Beatrice": 6, "Anne": 4}})
        )
        assert ledger.journal().balances[beatrice] > 700
        ledger.substitute("Anne", "Beatrice")
        journal = ledger.journal()
        assert len(journal.players()) == 5
        for old, new in (("Anne", "Fanny"), ("Emma", "Emma"), ("Emma", "pool")):
            with pytest.raises(UsageError):
                ledger.substitute(old, new)
        ledger.substitute("Emma", "ANNE")
        journal = ledger.journal()
        assert journal.account_of("Anne") in journal.seated(), "who left comes back"
        assert len(journal.players()) == 5


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_no_smaller_number_of_payments_settles(size):
    """A settlement connects people by its payments; it can be done over given pairs if every group
    that they connect cancels.  Every set of fewer pairs is tried."""
    rng = random.Random(size)
    pairs = list(itertools.combinations(range(size), 2))
    for _ in range(150 if size < 6 else 40):
        balances = [Fraction(rng.randint(-4, 4), rng.choice([1, 1, 3])) for _ in range(size - 1)]
        balances.append(-sum(balances, Fraction(0)))
        found = clear(balances)
        assert found.fewest
        left = list(balances)
        for payer, payee, amount in found.payments:
            assert amount > 0
            left[payer] += amount
            left[payee] -= amount
        assert not any(left)
        for some in (
            itertools.combinations(pairs, len(found.payments) - 1) if found.payments else ()
        ):
            assert not all(sum(balances[i] for i in g) == 0 for g in groups(size, some)), (
                balances,
                some,
            )
        assert clear(list(balances)) == found


def groups(size, pairs):
    names = list(range(size))
    for a, b in pairs:
        names = [names[a] if n == names[b] else n for n in names]
    return [[i for i in range(size) if names[i] == n] for n in set(names)]


def test_ten_people_in_five_pairs_settle_by_five_payments_and_many_more_settle_too():
    tens = [Fraction(v) for v in (1, 2, 4, 8, 16)]
    assert len(clear([*tens, *(-t for t in tens)]).payments) == 5
    many = [Fraction(i) for i in range(-12, 13) if i]
    found = clear(many)
    assert (found.fewest, len(found.payments) < 24) == (False, True)
    with pytest.raises(ValueError, match="add up"):
        clear([Fraction(1)])


def test_the_end_settles_everyone_and_refuses_whatever_comes_after(begin, quadrille):
    path = begin()
    quadrille("deal", path, SOLO)
    quadrille("deal", path, LOST)
    dry = json.loads(quadrille("end", path, "--dry-run", "--format", "json")[1])
    assert dry["pool"]["left"] == 8
    assert not dry["ended"]
    net = dict(dry["net"])
    for p in dry["payments"]:
        net[p["from"]] += p["amount"]
        net[p["to"]] -= p["amount"]
    assert not any(net.values())
    _, out, _ = quadrille("end", path, "--split-pool")
    assert "no source says" in out
    assert "of 4" in out, "two deals are no multiple of four"
    assert holdings(path)["pool"] == 0
    for args in (
        ["deal", path, SOLO],
        ["correct", path, 1, LOST],
        ["reverse", path, 1],
        ["end", path],
    ):
        status, _, err = quadrille(*args)
        assert (status, "Q906" in err) == (1, True)
    assert quadrille("substitute", path, "Anne", "Emma")[0] == 1
    _, out, _ = quadrille("show", path)
    assert "The session has ended." in out
    shown = json.loads(quadrille("show", path, "--format", "json")[1])
    assert (
        shown["ending"]["payments"]
        == json.loads(quadrille("export", path, "--format", "json")[1])["payments"]
    )


def test_a_pool_is_shared_in_exact_fractions(begin):
    with Ledger(
        begin(ref="quanti-1822@wikipedia", stakes__ante_by="dealer", stakes__ante=1)
    ) as ledger:
        ledger.record(Fact("void"))
        ledger.record(result(LOST))
        ending = ledger.end(split_pool=True)
        assert set(ending.shared.values()) == {Fraction(1, 2)}
        assert ledger.journal().pool_state().amount == 0


def test_a_pool_too_small_to_share_says_so_and_not_to_ask_for_what_was_asked(begin, quadrille):
    """One counter from the dealer, doubled by a lost game: two among four, of which by these rules
    nobody has any."""
    path = begin(
        "quanti-1822@wikipedia",
        stakes__ante_by="dealer",
        stakes__ante=1,
        stakes__odd_counters="pool",
    )
    assert quadrille("deal", path, LOST)[0] == 0
    data = json.loads(quadrille("end", path, "--split-pool", "--dry-run", "--format", "json")[1])
    assert data["pool"] == {
        "left": 2,
        "shared": {},
        "to_be_shared": True,
        "source": data["pool"]["source"],
    }
    told = quadrille("end", path, "--split-pool")[1]
    assert "stakes.odd_counters" in told
    assert "--split-pool" not in told
    assert holdings(path)["pool"] == 2
    assert json.loads(quadrille("show", path, "--format", "json")[1])["ending"]["pool"][
        "to_be_shared"
    ]


@pytest.mark.parametrize(
    ("odd", "told", "left"),
    [
        ("exact", "1 1/2 to each;", 0),
        ("eldest", "1 to Anne, 2 to Beatrice, 2 to Charlotte, 1 to Dorothea;", 0),
        ("hombre", "1 to Anne, 2 to Beatrice, 2 to Charlotte, 1 to Dorothea;", 0),
        ("pool", "1 to each;", 2),
    ],
)
def test_the_end_tells_every_share_of_the_pool_and_what_would_not_divide(
    begin, quadrille, odd, told, left
):
    """A pool of six among four, Beatrice being eldest of the deal to come."""
    path = begin(
        "quanti-1822@wikipedia", stakes__ante_by="dealer", stakes__ante=3, stakes__odd_counters=odd
    )
    assert quadrille("deal", path, LOST)[0] == 0
    _, out, _ = quadrille("end", path, "--split-pool")
    assert f"The pool is shared among those seated, {told}" in " ".join(out.split())
    assert holdings(path)["pool"] == left
    assert json.loads(quadrille("show", path, "--format", "json")[1])["pool"]["amount"] == left


def test_the_end_names_who_has_most_and_all_of_them_when_several_have(begin, quadrille):
    path = begin()
    assert json.loads(quadrille("end", path, "--dry-run", "--format", "json")[1])["most"] == []
    quadrille("deal", path, LOST)
    _, out, _ = quadrille("end", path, "--dry-run")
    net = json.loads(quadrille("end", path, "--dry-run", "--format", "json")[1])["net"]
    assert net["Beatrice"] == net["Charlotte"] == net["Dorothea"] > net["Anne"]
    assert "Beatrice, Charlotte and Dorothea have most." in out
    quadrille("deal", path, SOLO | {"hombre": "Charlotte", "tricks": {"Charlotte": 6, "Anne": 4}})
    assert "Charlotte has most." in quadrille("end", path)[1]
    assert json.loads(quadrille("show", path, "--format", "json")[1])["ending"]["most"] == [
        "Charlotte"
    ]


class _Terminal(io.StringIO):
    """A terminal at which somebody types."""

    def isatty(self):
        return True


def test_on_a_terminal_an_end_is_shown_and_asked_for(begin, quadrille, monkeypatch):
    """No leaves the session open; yes ends it, and what was shown is not shown twice; an end that
    is told to a program asks nothing."""
    path = begin()
    quadrille("deal", path, LOST)
    monkeypatch.setattr("sys.stdin", _Terminal("n\n"))
    status, out, err = quadrille("end", path)
    assert status == 0
    assert "With --split-pool those seated share the pool" in out
    assert "End the session so?" in err
    assert "the session goes on" in err
    with Ledger(path) as ledger:
        assert not ledger.journal().ended
    monkeypatch.setattr("sys.stdin", _Terminal("y\n"))
    status, out, _ = quadrille("end", path, "--split-pool")
    assert status == 0
    assert out.count("won or lost") == 1
    assert out.endswith("The session has ended.\n")
    with Ledger(path) as ledger:
        assert ledger.journal().ended
    status, _, err = quadrille("undo", path)
    assert status == 1
    assert "help: `session reopen` lets it go on" in err
    monkeypatch.setattr("sys.stdin", _Terminal(""))
    assert quadrille("end", begin(), "--format", "json")[0] == 0


def test_the_multiple_of_deals_counts_what_stands(begin, quadrille):
    """Deals that were taken back and misdeals give nobody a turn; what was recorded is said
    besides."""
    path = begin()
    for _ in range(2):
        quadrille("deal", path, SOLO)
    assert (
        "2 deals were recorded, and these rules want a multiple of 4."
        in quadrille("end", path, "--dry-run")[1]
    )
    quadrille("deal", path, "--void", "nine cards")
    quadrille("undo", path)
    quadrille("deal", path, SOLO)
    quadrille("undo", path)
    out = quadrille("end", path, "--dry-run")[1]
    assert "Of 4 deals recorded 2 count, and these rules want a multiple of 4." in out
    for _ in range(2):
        quadrille("deal", path, SOLO)
    assert "multiple of" not in quadrille("end", path, "--dry-run")[1]
