"""The ledger's desk: every deal settled and told, corrections, people, the end, coins, the rules kept."""

# ruff: noqa: S608 - the names of tables are the ledger's own

import csv
import io
import itertools
import json
import random
import time
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ledger_support import (
    ALLIES,
    LOST,
    NAMES,
    QUANTI,
    SOLO,
    compiled_once,
    holdings,
    random_result,
    result,
    rewrite,
)

from quadrille_core import __version__, vocabulary
from quadrille_core.bots import make_bot
from quadrille_core.bots.random_bot import RandomBot
from quadrille_core.engine.result_file import result_to_plain
from quadrille_core.engine.session import play_session
from quadrille_core.errors import CODES, LedgerError, QuadrilleError, ResultError, UnreadableError, UsageError
from quadrille_core.ledger import Fact, Ledger, start
from quadrille_core.ledger.books import TAKEN_BY
from quadrille_core.ledger.clearing import clear
from quadrille_core.ledger.coins import PLAIN, denomination
from quadrille_core.ledger.deriving import session_favourite
from quadrille_core.ledger.frozen import thaw
from quadrille_core.ruleset import compile_reference, digest

pytest_plugins = ["ledger_fixtures"]


def told(path):
    """What moved by each deal as the ledger now has it, who dealt, and what everybody holds."""
    with Ledger(path, write=False) as ledger:
        book = ledger.book()
    assert not list(book.faults())
    return [(r.dealer, book.movements_of(n)) for n, r in book.deals.items()], book.balances, book.next_deal


# --- deals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ref", "rules"),
    [
        (QUANTI, {}),
        ("quanti-1822@wikipedia", {}),
        ("mediateur-1752", {}),
        ("quadrille-laws", {}),
        ("quadrille-modern", {}),
        (QUANTI, {"auction.all_pass": "redeal", "stakes.ante_by": "dealer", "stakes.ante": 4}),
        ("mediateur-1752", {"favourite.source": "first_trumps", "favourite.suit": None, "auction.all_pass": "redeal"}),
        ("mediateur-1752", {"favourite.source": "drawn_each_session", "favourite.suit": None}),
    ],
)
def test_a_session_of_forty_deals_recorded_by_results_ends_as_the_engine_ends_it(ref, rules, tmp_path):
    class Passer(RandomBot):
        def choose(self, view, legal, stream):
            return legal[0] if view.phase == "auction" and stream.below(4) else super().choose(view, legal, stream)

    compiled = compile_reference(ref, settings=rules)
    bot = Passer() if rules else make_bot("random")
    played = list(play_session(compiled.ruleset, [bot] * 4, seed=11, session=0, deals=40, players=NAMES))
    path = tmp_path / "t.ledger"
    start(path, compiled, ref, NAMES, dealer=None, coins="plain")
    with Ledger(path) as ledger:
        for deal in played:
            ended = deal.deal.result()
            if ended is None:
                ledger.record(Fact("passed"))
                continue
            data = result_to_plain(ended, ref)
            if rules.get("favourite.source") == "first_trumps":
                data.pop("favourite", None)  # the ledger knows it
            ledger.record(result(data))
            assert ledger.book().pool_state().amount == deal.pool_after
    last, held = played[-1], holdings(path)
    assert tuple(held[n] for n in NAMES) == last.holdings
    assert held["pool"] == last.pool_after
    assert not rules or any(p.settlement is None for p in played) or "auction.all_pass" not in rules


def test_the_deal_goes_round_from_the_dealer_named_and_a_misdeal_keeps_it(begin):
    path = begin(dealer="Beatrice")
    with Ledger(path) as ledger:
        dealers = []
        for fact in (result(SOLO), Fact("void", note="a card faced"), result(SOLO), result(SOLO)):
            book = ledger.book()
            dealers.append(book.accounts[book.seats(book.next_deal, book.next_dealer)[-1]])
            ledger.record(fact)
        assert dealers == ["Beatrice", "Charlotte", "Charlotte", "Dorothea"]
        assert ledger.book().movements_of(2) == ()
        ledger.record(result(SOLO), dealer="Charlotte")
        assert ledger.book().next_dealer == 3


def test_antes_come_first_and_every_movement_has_its_rule_and_source(begin):
    path = begin()
    with Ledger(path) as ledger:
        ledger.record(result(SOLO | {"matadors": 3, "premiers": True}))
        book = ledger.book()
    entries = book.entries_of(book.deals[1])
    assert [e.movement.reason for e in entries[:4]] == ["ante"] * 4
    assert all(e.movement.rule and e.source and e.movement.amount > 0 for e in entries)
    # 4 of the pool, and of each adversary 4 for the solo, 1 for matadors, 1 for premiers; an ante of 1
    assert [book.net(a) for a in book.players()] == [21, -7, -7, -7]


def test_every_fault_of_an_impossible_result_is_named_and_nothing_is_recorded(begin, quadrille):
    path = begin()
    before = path.read_bytes()
    bad = SOLO | {"tricks": {"Anne": 9, "Emma": 2}, "ally": "Anne", "pool": 7, "players": ["A", "B", "C", "D"]}
    status, out, err = quadrille("deal", path, bad | {"rules": "quadrille-laws"})
    assert (status, out) == (1, "")
    for what in (
        "the players are not those of this deal: Anne, Beatrice, Charlotte, Dorothea",
        "the pool holds 4 by the ledger",
        f"this session is played by {QUANTI}",
        "'Emma' made tricks and is no player of this deal",
        "Anne is Hombre and cannot be the ally too",
    ):
        assert what in err, what
    assert "result.yaml:" in err
    assert path.read_bytes() == before


def test_what_the_ledger_knows_may_stand_in_the_result_if_it_agrees(begin):
    with Ledger(begin()) as ledger:
        ledger.record(result(SOLO | {"players": list(NAMES), "pool": 4, "rules": QUANTI, "readings": {}}))
        assert set(ledger.book().deals[1].fact.data) == set(SOLO)


def test_a_passed_deal_is_recorded_only_where_the_rules_deal_anew(begin, quadrille):
    status, _, err = quadrille("deal", begin(), "--passed")
    assert status == 1
    assert "Forced Spadille" in err
    path = begin(**{"auction.all_pass": "redeal"})
    assert quadrille("deal", path, "--passed")[0] == 0
    assert (holdings(path)["pool"], holdings(path)["Anne"]) == (4, 699)


def test_a_command_given_again_does_not_record_a_deal_twice(begin, quadrille):
    path = begin()
    assert quadrille("deal", path, SOLO, "--deal", 1)[0] == 0
    status, _, err = quadrille("deal", path, SOLO, "--deal", 1)
    assert (status, "the next deal is 2, not 1" in err, "recorded already" in err) == (2, True, True)
    assert quadrille("deal", path, SOLO, "--deal", 3)[0] == 2
    assert holdings(path)["Anne"] == 715


@pytest.mark.parametrize("args", [[], ["--passed", "--void", "x"], [SOLO, "--passed"], ["--void", " "]])
def test_a_deal_has_one_result(begin, quadrille, args):
    assert quadrille("deal", begin(), *args)[0] == 2


def test_the_favourite_suit_of_a_session_is_known_from_its_first_deal(begin):
    rules = {"favourite__source": "first_trumps", "favourite__suit": None}
    with Ledger(begin("mediateur-1752", **rules)) as ledger:
        with pytest.raises(ResultError, match="no favourite suit yet"):
            ledger.record(result(SOLO | {"favourite": "hearts"}))
        ledger.record(result(SOLO))
        with pytest.raises(ResultError, match="this session is hearts"):
            ledger.record(result(SOLO | {"favourite": "♠"}))
        ledger.record(result(SOLO))
        book = ledger.book()
        assert "in_favourite" not in str(book.movements_of(1))
        assert "in_favourite" in str(book.movements_of(2))
        # the first deal's trumps were others: so was the favourite suit of the second
        changes = ledger.correct(1, result(SOLO | {"trump": "spades"}))
        assert [c.number for c in changes] == [1, 2]
        assert "in_favourite" not in str(ledger.book().movements_of(2))


def test_a_favourite_suit_drawn_for_the_session_is_said_once(begin):
    rules = {"favourite__source": "drawn_each_session", "favourite__suit": None}
    with Ledger(begin("mediateur-1752", **rules)) as ledger:
        with pytest.raises(ResultError, match="favourite suit is not given"):
            ledger.record(result(SOLO))
        ledger.record(result(SOLO | {"favourite": "clubs"}))
        ledger.record(result(SOLO | {"trump": "clubs"}))
        book = ledger.book()
        assert "in_favourite" in str(book.movements_of(2))
        assert session_favourite(compile_reference(QUANTI).ruleset.rules, [book.deals[1].fact]) is None


def test_the_pool_tells_its_beasts_and_its_history(begin):
    with Ledger(begin()) as ledger:
        for _ in range(2):
            ledger.record(result(LOST))
        state = ledger.book().pool_state()
        assert (state.amount, state.history, state.beasts) == (24, (8, 24), 2)
        ledger.record(result(SOLO))
        assert ledger.book().pool_state() == type(state)(Fraction(0), (), 0)
        assert any(m.rule in TAKEN_BY for m in ledger.book().movements_of(3))


def test_a_player_who_runs_out_of_counters_owes(begin, quadrille):
    path = begin(table__purse=1, table__coins=[])
    _, out, _ = quadrille("deal", path, LOST)
    assert "−16 (owes)" in out
    assert json.loads(quadrille("show", path, "--format", "json")[1])["standing"][0]["holds"] == -16


# --- corrections ------------------------------------------------------------------------------

OPS = st.lists(
    st.tuples(
        st.sampled_from(["deal", "deal", "deal", "void", "correct", "correct", "reverse", "substitute"]),
        st.integers(0, 10**6),
    ),
    min_size=1,
    max_size=14,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(OPS, st.sampled_from([QUANTI, "quanti-1822@wikipedia", "quadrille-laws", "quadrille-modern"]))
def test_counters_are_kept_and_corrections_end_where_a_ledger_right_from_the_start_does(begin, ops, ref):
    path, sittings = begin(ref), []
    with Ledger(path) as ledger:
        for kind, seed in ops:
            book, rng = ledger.book(), random.Random(seed)
            number = rng.randint(1, len(book.deals)) if book.deals else 0
            names = {n: book.accounts[a] for n, a in zip(NAMES, book.seated(number or 1), strict=True)}
            if kind == "deal":
                names = {n: book.accounts[a] for n, a in zip(NAMES, book.seated(book.next_deal), strict=True)}
                ledger.record(result(renamed(random_result(rng), names)))
            elif kind == "void":
                ledger.record(Fact("void", note="why"))
            elif kind == "substitute":
                seat = book.accounts[book.seated(book.next_deal)[seed % 4]]
                sittings.append((book.next_deal, seat, f"P{len(sittings)}"))
                ledger.substitute(*sittings[-1][1:])
            elif number and kind == "correct":
                ledger.correct(number, result(renamed(random_result(rng), names)))
            elif number and book.deals[number].fact.kind != "reversed":
                ledger.reverse(number)
        book = ledger.book()
    fresh = begin(ref)
    with Ledger(fresh) as ledger:
        for number in range(1, book.next_deal + 1):
            for _, old, new in (s for s in sittings if s[0] == number):
                ledger.substitute(old, new)
            if number < book.next_deal:
                row = book.deals[number]
                dealer = book.accounts[book.seats(number, row.dealer)[-1]]
                ledger.record(Fact("void") if row.fact.kind == "reversed" else row.fact, dealer=dealer)
    assert told(path) == told(fresh)
    held, given_out = holdings(path), len(book.players()) * book.rule("table.purse")
    assert sum(held.values()) == given_out


def renamed(data, names):
    words = {k: names.get(v, v) if k in ("hombre", "ally") else v for k, v in data.items()}
    return words | {"tricks": {names[n]: t for n, t in data["tricks"].items()}}


def test_a_correction_appends_and_deletes_nothing(begin):
    path = begin()
    with Ledger(path) as ledger:
        for data in (LOST, SOLO, SOLO):
            ledger.record(result(data))
        before = ledger.book()
        changes = ledger.correct(1, result(SOLO))
        after = ledger.book()
    assert after.entries[: len(before.entries)] == before.entries
    assert after.rows[: len(before.rows)] == before.rows
    # the second deal won another pool and is settled anew; the third began with the same and is not touched
    assert [c.number for c in changes] == [1, 2]
    undone = {e.reverses for e in after.entries if e.reverses}
    assert undone == {e.id for n in (1, 2) for e in before.entries_of(before.deals[n])}
    for entry in after.entries:
        if entry.reverses:
            other = after.entries[entry.reverses - 1].movement
            m = entry.movement
            assert (m.payer, m.payee, m.amount) == (other.payee, other.payer, other.amount)


def test_a_correction_that_would_make_a_later_deal_impossible_is_refused_whole(begin):
    rules = {"favourite__source": "first_trumps", "favourite__suit": None}
    path = begin("mediateur-1752", **rules)
    with Ledger(path) as ledger:
        ledger.record(result(SOLO))
        ledger.record(result(SOLO | {"favourite": "hearts"}))
        before = ledger.book()
        with pytest.raises(ResultError, match="deal 2: the favourite suit of this session is spades"):
            ledger.correct(1, result(SOLO | {"trump": "spades"}))
        assert ledger.book() == before


def test_a_deal_taken_back_may_be_recorded_again(begin, quadrille):
    path = begin()
    quadrille("deal", path, LOST)
    quadrille("deal", path, ALLIES)
    before = holdings(path)
    assert quadrille("reverse", path, 1)[0] == 0
    assert holdings(path)["Anne"] == 699
    status, _, err = quadrille("reverse", path, 1)
    assert (status, "reversed already" in err) == (2, True)
    _, out, _ = quadrille("correct", path, 1, LOST)
    assert "Deal 1 is corrected" in out
    assert holdings(path) == before
    assert quadrille("correct", path, 9, LOST)[0] == 2
    _, out, _ = quadrille("show", path, "--deal", 1)
    assert "taken back" in out


# --- people and the end -----------------------------------------------------------------------


def test_a_substitute_takes_the_chair_and_nothing_else(begin):
    path = begin()
    with Ledger(path) as ledger:
        ledger.record(result(SOLO))
        assert ledger.substitute("Beatrice", "Emma") == 2
        book = ledger.book()
        emma, beatrice = book.account_of("Emma"), book.account_of("Beatrice")
        assert (book.balances[emma], book.balances[beatrice]) == (700, 695)
        assert book.seats(2, book.next_dealer)[0] == emma, "Beatrice would have been eldest"
        with pytest.raises(ResultError, match="Beatrice"):
            ledger.record(result(SOLO | {"hombre": "Beatrice"}))
        ledger.record(result(SOLO))
        assert ledger.book().balances[beatrice] == 695
        # who dealt or played a deal is a matter of that deal
        ledger.correct(1, result(SOLO | {"hombre": "Beatrice", "tricks": {"Beatrice": 6, "Anne": 4}}))
        assert ledger.book().balances[beatrice] > 700
        ledger.substitute("Anne", "Beatrice")
        book = ledger.book()
        assert len(book.players()) == 5
        for old, new in (("Anne", "Fanny"), ("Emma", "Emma"), ("Emma", "pool"), ("Emma", "ANNE")):
            with pytest.raises(UsageError):
                ledger.substitute(old, new)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_no_smaller_number_of_payments_settles(size):
    """A settlement connects people by its payments; it can be done over given pairs if every group that they
    connect cancels.  Every set of fewer pairs is tried."""
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
        for some in itertools.combinations(pairs, len(found.payments) - 1) if found.payments else ():
            assert not all(sum(balances[i] for i in g) == 0 for g in groups(size, some)), (balances, some)
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
    for args in (["deal", path, SOLO], ["correct", path, 1, LOST], ["reverse", path, 1], ["end", path]):
        status, _, err = quadrille(*args)
        assert (status, "Q906" in err) == (1, True)
    assert quadrille("substitute", path, "Anne", "Emma")[0] == 1
    _, out, _ = quadrille("show", path)
    assert "The session has ended." in out
    shown = json.loads(quadrille("show", path, "--format", "json")[1])
    assert shown["ending"]["payments"] == json.loads(quadrille("export", path, "--format", "json")[1])["payments"]


def test_a_pool_is_shared_in_exact_fractions(begin):
    with Ledger(begin(ref="quanti-1822@wikipedia", stakes__ante_by="dealer", stakes__ante=1)) as ledger:
        ledger.record(Fact("void"))
        ledger.record(result(LOST))
        ending = ledger.end(split_pool=True)
        assert set(ending.shared.values()) == {Fraction(1, 2)}
        assert ledger.book().pool_state().amount == 0


def test_a_pool_too_small_to_share_says_so_and_not_to_ask_for_what_was_asked(begin, quadrille):
    """One counter from the dealer, doubled by a lost game: two among four, of which by these rules nobody has any."""
    path = begin("quanti-1822@wikipedia", stakes__ante_by="dealer", stakes__ante=1, stakes__odd_counters="pool")
    assert quadrille("deal", path, LOST)[0] == 0
    unasked = quadrille("end", path, "--dry-run")[1]
    assert "The pool holds 2." in unasked
    assert "--split-pool shares it instead" in " ".join(unasked.split())
    told = [quadrille("end", path, "--split-pool", "--dry-run")[1]]
    data = json.loads(quadrille("end", path, "--split-pool", "--dry-run", "--format", "json")[1])
    assert data["pool"] == {"left": 2, "shared": {}, "to_be_shared": True, "source": data["pool"]["source"]}
    told += [quadrille("end", path, "--split-pool")[1], quadrille("show", path)[1]]
    for text in told:
        assert "The pool holds 2: too little for a counter to each of 4" in " ".join(text.split())
        assert "stakes.odd_counters" in text
        assert "--split-pool" not in text
    assert holdings(path)["pool"] == 2
    assert json.loads(quadrille("show", path, "--format", "json")[1])["ending"]["pool"]["to_be_shared"]


def test_an_ended_session_does_not_say_how_its_pool_might_be_shared(begin, quadrille):
    path = begin()
    assert quadrille("deal", path, LOST)[0] == 0
    for text in (quadrille("end", path)[1], quadrille("show", path)[1]):
        assert "It stays for those who play on: what is paid to it is put by for them." in " ".join(text.split())
        assert "--split-pool" not in text


@pytest.mark.parametrize(
    ("odd", "told", "left"),
    [
        ("exact", "1 1/2 to each;", 0),
        ("eldest", "1 to Anne, 2 to Beatrice, 2 to Charlotte, 1 to Dorothea;", 0),
        ("hombre", "1 to Anne, 2 to Beatrice, 2 to Charlotte, 1 to Dorothea;", 0),
        ("pool", "1 to each;", 2),
    ],
)
def test_the_end_tells_every_share_of_the_pool_and_what_would_not_divide(begin, quadrille, odd, told, left):
    """A pool of six among four, Beatrice being eldest of the deal to come."""
    path = begin("quanti-1822@wikipedia", stakes__ante_by="dealer", stakes__ante=3, stakes__odd_counters=odd)
    assert quadrille("deal", path, LOST)[0] == 0
    _, out, _ = quadrille("end", path, "--split-pool")
    assert f"The pool is shared among those seated, {told}" in " ".join(out.split())
    assert ("What would not divide stays in it for those who play on: 2." in " ".join(out.split())) == bool(left)
    assert "One deal was recorded" in out
    assert holdings(path)["pool"] == left
    _, out, _ = quadrille("show", path)
    assert ("The pool holds 2, which would not divide when it was shared." in out) == bool(left)
    assert ("The pool is empty." in out) != bool(left)
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
    assert json.loads(quadrille("show", path, "--format", "json")[1])["ending"]["most"] == ["Charlotte"]


# --- coins ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "plain", "jettons"),
    [
        ("0", "0", "0 jettons"),
        ("1", "1", "1 jetton"),
        ("234", "234", "2 mils 3 fiches 4 jettons"),
        ("-110", "−110", "−1 mil 1 fiche"),
        ("1/2", "1/2", "1/2 jetton"),
        ("7/2", "3 1/2", "3 1/2 jettons"),
        ("-31/3", "−10 1/3", "−1 fiche 1/3 jetton"),
    ],
)
def test_amounts_are_told_in_the_largest_coins(amount, plain, jettons):
    assert PLAIN.text(Fraction(amount)) == denomination(()).text(Fraction(amount)) == plain
    assert denomination(compiled_once(QUANTI).ruleset.rules.table.coins).text(Fraction(amount)) == jettons


def test_each_coin_of_1752_is_ten_of_the_one_below_and_the_rules_say_who_tells_so():
    compiled = compile_reference("mediateur-1752")
    coins = compiled.ruleset.rules.table.coins
    assert [(c.many, c.worth, c.each) for c in coins] == [("jettons", 1, 10), ("fiches", 10, 19), ("mils", 100, 5)]
    assert "parlett: Counters" in compiled.source_of("table.coins")


def test_a_session_is_told_in_the_coins_of_its_rules_unless_plain_counters_are_asked_for(begin, quadrille):
    assert "7 mils" in quadrille("show", begin(coins="rules"))[1]
    assert "700" in quadrille("show", begin(coins="plain"))[1]
    assert " 40 " in quadrille("show", begin("quadrille-laws", coins="rules"))[1]
    state = json.loads(quadrille("show", begin("quadrille-modern", coins="rules"), "--format", "json")[1])
    assert state["denominations"] == [{"one": "chip", "many": "chips", "worth": 1, "each": 40}]
    with pytest.raises(UsageError):
        begin(coins="florins")


def test_a_table_may_have_coins_of_its_own(begin, quadrille):
    pence = [
        {"one": "penny", "many": "pence", "worth": 1, "each": 28},
        {"one": "shilling", "many": "shillings", "worth": 12, "each": 1},
    ]
    assert "3 shillings 4 pence" in quadrille("show", begin("quadrille-laws", coins="rules", table__coins=pence))[1]


def test_a_ledger_begun_before_rules_had_coins_is_told_by_its_rules(begin, quadrille):
    path = begin(coins="rules")
    rewrite(path, "UPDATE session SET coins = 'jettons'")
    assert "7 mils" in quadrille("show", path)[1]


# --- rules kept -------------------------------------------------------------------------------


def test_the_ledger_settles_by_the_rules_it_was_begun_with(tmp_path, quadrille):
    house = tmp_path / "ours.yaml"
    house.write_text("kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\ndefault_witness: parlett\n")
    names = [w for n in NAMES for w in ("--player", n)]
    path = tmp_path / "t.ledger"
    assert quadrille("start", path, "--rules", house, *names)[0] == 0
    house.write_text("kind: nonsense\n")
    assert quadrille("deal", path, SOLO)[0] == 0
    assert holdings(path)["Anne"] == 715
    with Ledger(path) as ledger:
        rules = ledger._frozen(ledger.book()).rules
    assert rules == compile_reference(QUANTI).ruleset.rules


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("rules = replace(rules, 'loss.remise_adds', 'loss.remise_multiplies')", "no rule 'loss.remise_multiplies'"),
        ("rules = replace(rules, '\"loss.remise_adds\":1', '\"loss.remise_adds\":2')", "digest"),
        ('rules = replace(rules, \'"loss.remise_adds":1\', \'"loss.remise_adds":"much"\')', "expected"),
        ("rules = replace(rules, '\"loss.remise_adds\":1,', '')", "loss.remise_adds must be said now"),
    ],
)
def test_rules_that_the_vocabulary_no_longer_holds_are_refused_with_a_reason(begin, quadrille, script, says):
    path = begin()
    quadrille("deal", path, LOST)
    rewrite(path, f"UPDATE session SET {script}")
    status, _, err = quadrille("deal", path, LOST)
    assert (status, "Q907" in err) == (1, True)
    assert says in err
    assert f"begun with {__version__}" in err
    for args in (["show", path], ["export", path], ["end", path, "--dry-run"]):
        assert quadrille(*args)[0] == 0


def test_a_rule_that_the_vocabulary_has_gained_since_stands_at_its_neutral_value(begin):
    path = begin()
    with Ledger(path) as ledger:
        session = dict(ledger.book().session)
    leaves = json.loads(session["rules"])
    gained = next(p for p, leaf in vocabulary.leaves().items() if p in leaves and leaves[p] == leaf.default)
    del leaves[gained]
    session |= {
        "rules": json.dumps(leaves),
        "identity": session["identity"] | {"digest": digest(leaves, compiled_once(QUANTI).ruleset.identity.plugins)},
    }
    assert thaw(session, "0.0.9").rules == compiled_once(QUANTI).ruleset.rules


# --- what is printed --------------------------------------------------------------------------


def test_the_export_holds_every_entry_and_gives_the_standing_again(begin, quadrille):
    path = begin(coins="rules")
    for args in ([LOST], [ALLIES], ["--void", "a card faced"], [SOLO]):
        quadrille("deal", path, *args)
    quadrille("correct", path, 1, SOLO)
    quadrille("substitute", path, "Anne", "Emma")
    quadrille("end", path, "--split-pool")
    data = json.loads(quadrille("export", path, "--format", "json")[1])
    rows = list(csv.DictReader(io.StringIO(quadrille("export", path)[1])))
    entries = [r for r in rows if r["entry"]]
    assert [int(r["entry"]) for r in entries] == [e["entry"] for e in data["entries"]]
    assert [a["command"] for a in data["acts"]] == ["start", *["deal"] * 4, "correct", "substitute", "end"]
    assert all(a["at"].startswith("20") and a["program"] == __version__ for a in data["acts"])
    held = {}
    for r in entries:
        held[r["from"]] = held.get(r["from"], 0) - Fraction(r["amount"])
        held[r["to"]] = held.get(r["to"], 0) + Fraction(r["amount"])
    assert {s["player"]: s["holds"] for s in data["standing"]} == {n: held[n] for n in (*NAMES, "Emma")}
    assert len(rows) - len(entries) == len(data["payments"]) > 0


@pytest.mark.parametrize("fmt", ["table", "json", "csv"])
def test_every_command_prints_in_every_format_and_nothing_depends_on_the_clock(fmt, tmp_path, quadrille):
    names = [w for n in NAMES for w in ("--player", n)]
    commands = [
        ["start", "FILE", "--rules", QUANTI, *names, "--coins", "rules"],
        ["deal", "FILE", LOST],
        ["deal", "FILE", "--void", "a card faced"],
        ["show", "FILE"],
        ["show", "FILE", "--deal", 1],
        ["correct", "FILE", 1, SOLO],
        ["reverse", "FILE", 1],
        ["substitute", "FILE", "Anne", "Emma"],
        ["end", "FILE", "--dry-run"],
        ["end", "FILE", "--split-pool"],
        ["show", "FILE"],
    ]
    printed = []
    for name in ("one.ledger", "two.ledger"):
        outs = []
        for args in commands:
            status, out, err = quadrille(*(name if a == "FILE" else a for a in args), "--format", fmt)
            assert (status, err) == (0, ""), (args, err)
            assert out.strip()
            if fmt == "json":
                json.loads(out)
            if fmt == "csv":
                assert len({len(r) for r in csv.reader(io.StringIO(out))}) == 1
            outs.append(out)
        printed.append(outs)
        time.sleep(1.1 if name == "one.ledger" else 0)
    assert printed[0] == printed[1]


def test_the_errors_of_the_ledger_say_what_they_are():
    assert issubclass(LedgerError, QuadrilleError)
    assert {f"Q90{n}" for n in range(1, 9)} <= set(CODES)
    assert not issubclass(LedgerError, UnreadableError)
