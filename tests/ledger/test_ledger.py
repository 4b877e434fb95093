"""The ledger's desk: every deal settled and told, corrections, the rules kept."""

import json
import random
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.ledger.deriving import favourite_after
from quadrille_plugins.ledger.frozen import thaw
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.service import Ledger, start
from quadrille_plugins.ledger.standing import TAKEN_BY
from quadrille_plugins.players.random import RandomBot
from quadrille_plugins.settle.result_file import result_to_plain
from support.ledger import (
    ALLIES,
    LOST,
    NAMES,
    QUANTI,
    SOLO,
    compiled_once,
    holdings,
    random_result,
    resealed,
    result,
)

from quadrille_core import __version__, vocabulary
from quadrille_core.errors import ResultError
from quadrille_core.ruleset import compile_reference, digest


def told(path):
    """What moved by each deal as the ledger now has it, who dealt, and what everybody holds."""
    with Ledger(path) as ledger:
        journal = ledger.journal()
    assert not list(journal.faults())
    return (
        [(r.seats[-1], journal.movements_of(n)) for n, r in journal.deals.items()],
        journal.balances,
        journal.next_deal,
    )


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
        (
            "mediateur-1752",
            {
                "favourite.source": "first_trumps",
                "favourite.suit": None,
                "auction.all_pass": "redeal",
            },
        ),
        ("mediateur-1752", {"favourite.source": "drawn_each_session", "favourite.suit": None}),
    ],
)
def test_a_session_of_forty_deals_recorded_by_results_ends_as_the_engine_ends_it(
    ref, rules, tmp_path
):
    class Passer(RandomBot):
        def choose(self, view, legal, stream):
            return (
                legal[0]
                if view.phase == "auction" and stream.below(4)
                else super().choose(view, legal, stream)
            )

    compiled = compile_reference(ref, settings=rules)
    bot = Passer() if rules else make_bot("random")
    played = list(
        play_session(compiled.ruleset, [bot] * 4, seed=11, session=0, deals=40, players=NAMES)
    )
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
            assert ledger.journal().pool_state().amount == deal.pool_after
    last, held = played[-1], holdings(path)
    assert tuple(held[n] for n in NAMES) == last.holdings
    assert held["pool"] == last.pool_after
    assert not rules or any(p.settlement is None for p in played) or "auction.all_pass" not in rules


def test_what_the_dealer_adds_is_a_movement_of_its_own_under_its_own_rule(begin):
    path = begin(stakes__dealer_adds=3)
    with Ledger(path) as ledger:
        ledger.record(result(SOLO))
        journal = ledger.journal()
    seats = journal.deals[1].seats
    entries = [
        e for e in journal.entries_of(journal.deals[1]) if e.movement.rule.startswith("stakes.")
    ]
    put = [(e.movement.payer, e.movement.amount, e.movement.rule) for e in entries]
    assert put == [
        *((seat, 1, "stakes.ante") for seat in seats),
        (seats[-1], 3, "stakes.dealer_adds"),
    ]


def test_the_deal_goes_round_from_the_dealer_named_and_a_misdeal_keeps_it(begin):
    path = begin(dealer="Beatrice")
    with Ledger(path) as ledger:
        dealers = []
        for fact in (result(SOLO), Fact("void", note="a card faced"), result(SOLO), result(SOLO)):
            journal = ledger.journal()
            dealers.append(journal.accounts[journal.due()[-1][1]])
            ledger.record(fact)
        assert dealers == ["Beatrice", "Charlotte", "Charlotte", "Dorothea"]
        assert ledger.journal().movements_of(2) == ()
        ledger.record(result(SOLO), dealer="Charlotte")
        assert ledger.journal().next_dealer == 3


def test_antes_come_first_and_every_movement_has_its_rule_and_source(begin):
    path = begin()
    with Ledger(path) as ledger:
        ledger.record(result(SOLO | {"matadors": 3, "premiers": True}))
        journal = ledger.journal()
    entries = journal.entries_of(journal.deals[1])
    assert [e.movement.reason for e in entries[:4]] == ["ante"] * 4
    assert all(e.movement.rule and e.source and e.movement.amount > 0 for e in entries)
    # 4 of the pool, and of each adversary 4 for the solo, 1 for matadors, 1 for premiers; an ante
    # of 1
    assert [journal.net(a) for a in journal.players()] == [21, -7, -7, -7]


def test_every_fault_of_an_impossible_result_is_named_and_nothing_is_recorded(begin, quadrille):
    path = begin()
    before = path.read_bytes()
    bad = SOLO | {
        "tricks": {"Anne": 9, "Emma": 2},
        "ally": "Anne",
        "pool": 7,
        "players": ["A", "B", "C", "D"],
    }
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
        ledger.record(
            result(SOLO | {"players": list(NAMES), "pool": 4, "rules": QUANTI, "readings": {}})
        )
        assert set(ledger.journal().deals[1].fact.data) == set(SOLO)


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
    assert (status, "the next deal is 2, not 1" in err, "recorded already" in err) == (
        2,
        True,
        True,
    )
    assert quadrille("deal", path, SOLO, "--deal", 3)[0] == 2
    assert holdings(path)["Anne"] == 715


@pytest.mark.parametrize(
    "args", [[], ["--passed", "--void", "x"], [SOLO, "--passed"], ["--void", " "]]
)
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
        journal = ledger.journal()
        assert "in_favourite" not in str(journal.movements_of(1))
        assert "in_favourite" in str(journal.movements_of(2))
        # the first deal's trumps were others: so was the favourite suit of the second
        changes = ledger.correct(1, result(SOLO | {"trump": "spades"}))
        assert [c.number for c in changes] == [1, 2]
        assert "in_favourite" not in str(ledger.journal().movements_of(2))


def test_a_favourite_suit_drawn_for_the_session_is_said_once(begin):
    rules = {"favourite__source": "drawn_each_session", "favourite__suit": None}
    with Ledger(begin("mediateur-1752", **rules)) as ledger:
        with pytest.raises(ResultError, match="favourite suit is not given"):
            ledger.record(result(SOLO))
        ledger.record(result(SOLO | {"favourite": "clubs"}))
        ledger.record(result(SOLO | {"trump": "clubs"}))
        journal = ledger.journal()
        assert "in_favourite" in str(journal.movements_of(2))
        assert (
            favourite_after(compile_reference(QUANTI).ruleset.rules, None, journal.deals[1].fact)
            is None
        )


def test_the_pool_tells_its_beasts_and_its_history(begin):
    with Ledger(begin()) as ledger:
        for _ in range(2):
            ledger.record(result(LOST))
        state = ledger.journal().pool_state()
        assert (state.amount, state.history, state.beasts) == (24, (8, 24), 2)
        ledger.record(result(SOLO))
        assert ledger.journal().pool_state() == type(state)(Fraction(0), (), 0)
        assert any(m.rule in TAKEN_BY for m in ledger.journal().movements_of(3))


def test_a_player_who_runs_out_of_counters_owes(begin, quadrille):
    path = begin(table__purse=1, table__coins=[])
    _, out, _ = quadrille("deal", path, LOST)
    assert "−16 (owes)" in out
    assert json.loads(quadrille("show", path, "--format", "json")[1])["standing"][0]["holds"] == -16


# --- corrections ------------------------------------------------------------------------------

OPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["deal", "deal", "deal", "void", "correct", "correct", "reverse", "substitute"]
        ),
        st.integers(0, 10**6),
    ),
    min_size=1,
    max_size=14,
)


@pytest.mark.slow
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    OPS, st.sampled_from([QUANTI, "quanti-1822@wikipedia", "quadrille-laws", "quadrille-modern"])
)
def test_counters_are_kept_and_corrections_end_where_a_ledger_right_from_the_start_does(
    begin, ops, ref
):
    path, sittings = begin(ref), []
    with Ledger(path) as ledger:
        for kind, seed in ops:
            journal, rng = ledger.journal(), random.Random(seed)
            number = rng.randint(1, len(journal.deals)) if journal.deals else 0
            names = {
                n: journal.accounts[a]
                for n, (_, a) in zip(
                    NAMES,
                    sorted(journal.deals[number].seating) if number else journal.round,
                    strict=True,
                )
            }
            if kind == "deal":
                names = {
                    n: journal.accounts[a] for n, a in zip(NAMES, journal.seated(), strict=True)
                }
                ledger.record(result(renamed(random_result(rng), names)))
            elif kind == "void":
                ledger.record(Fact("void", note="why"))
            elif kind == "substitute":
                seat = journal.accounts[journal.seated()[seed % 4]]
                sittings.append((journal.next_deal, seat, f"P{len(sittings)}"))
                ledger.substitute(*sittings[-1][1:])
            elif number and kind == "correct":
                ledger.correct(number, result(renamed(random_result(rng), names)))
            elif number and journal.deals[number].fact.kind != "reversed":
                ledger.reverse(number)
        journal = ledger.journal()
    fresh = begin(ref)
    with Ledger(fresh) as ledger:
        for number in range(1, journal.next_deal + 1):
            for _, old, new in (s for s in sittings if s[0] == number):
                ledger.substitute(old, new)
            if number < journal.next_deal:
                row = journal.deals[number]
                dealer = journal.dealer_of(row)
                ledger.record(
                    Fact("void") if row.fact.kind == "reversed" else row.fact, dealer=dealer
                )
    assert told(path) == told(fresh)
    held, given_out = holdings(path), len(journal.players()) * journal.rule("table.purse")
    assert sum(held.values()) == given_out


def renamed(data, names):
    words = {k: names.get(v, v) if k in ("hombre", "ally") else v for k, v in data.items()}
    return words | {"tricks": {names[n]: t for n, t in data["tricks"].items()}}


def test_a_correction_appends_and_deletes_nothing(begin):
    path = begin()
    with Ledger(path) as ledger:
        for data in (LOST, SOLO, SOLO):
            ledger.record(result(data))
        before = ledger.journal()
        changes = ledger.correct(1, result(SOLO))
        after = ledger.journal()
    assert after.entries[: len(before.entries)] == before.entries
    assert after.rows[: len(before.rows)] == before.rows
    # the second deal won another pool and is settled anew; the third began with the same and is not
    # touched
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
        before = ledger.journal()
        with pytest.raises(
            ResultError, match="deal 2: the favourite suit of this session is spades"
        ):
            ledger.correct(1, result(SOLO | {"trump": "spades"}))
        assert ledger.journal() == before


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


# --- rules kept -------------------------------------------------------------------------------


def test_the_ledger_settles_by_the_rules_it_was_begun_with(tmp_path, quadrille):
    house = tmp_path / "ours.yaml"
    house.write_text(
        "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\ndefault_witness: parlett\n"
    )
    names = [w for n in NAMES for w in ("--player", n)]
    path = tmp_path / "t.ledger"
    assert quadrille("start", path, "--rules", house, *names)[0] == 0
    house.write_text("kind: nonsense\n")
    assert quadrille("deal", path, SOLO)[0] == 0
    assert holdings(path)["Anne"] == 715
    with Ledger(path) as ledger:
        rules = ledger._frozen(ledger.journal()).rules
    assert rules == compile_reference(QUANTI).ruleset.rules


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (
            "rules = replace(rules, 'loss.remise_adds', 'loss.remise_multiplies')",
            "no rule 'loss.remise_multiplies'",
        ),
        ("rules = replace(rules, '\"loss.remise_adds\":1', '\"loss.remise_adds\":2')", "digest"),
        (
            'rules = replace(rules, \'"loss.remise_adds":1\', \'"loss.remise_adds":"much"\')',
            "expected",
        ),
        (
            "rules = replace(rules, '\"loss.remise_adds\":1,', '')",
            "loss.remise_adds must be said now",
        ),
    ],
)
def test_rules_that_the_vocabulary_no_longer_holds_are_refused_with_a_reason(
    begin, quadrille, script, says
):
    path = begin()
    quadrille("deal", path, LOST)
    resealed(path, f"UPDATE session SET {script}")  # noqa: S608
    status, _, err = quadrille("deal", path, LOST)
    assert (status, "Q907" in err) == (1, True)
    assert says in err
    assert f"begun with another tree of {__version__}" in err
    assert "end this session, and `session start` begins another" in err
    assert "or record its deals with" not in err
    resealed(path, "UPDATE act SET program = '0.0.9'")
    err = quadrille("deal", path, LOST)[2]
    assert "begun with 0.0.9" in err
    assert "or record its deals with quadrille 0.0.9" in err
    for args in (["show", path], ["export", path], ["end", path, "--dry-run"]):
        assert quadrille(*args)[0] == 0


def test_a_rule_that_the_vocabulary_has_gained_since_stands_at_its_neutral_value(begin):
    path = begin()
    with Ledger(path) as ledger:
        session = dict(ledger.journal().session)
    leaves = json.loads(session["rules"])
    gained = next(
        p for p, leaf in vocabulary.leaves().items() if p in leaves and leaves[p] == leaf.default
    )
    del leaves[gained]
    session |= {
        "rules": json.dumps(leaves),
        "identity": session["identity"]
        | {"digest": digest(leaves, compiled_once(QUANTI).ruleset.identity.plugins)},
    }
    assert thaw(session, "0.0.9").rules == compiled_once(QUANTI).ruleset.rules
