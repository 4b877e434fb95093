"""Evenings as they are: entries by hand and by law, people who come and go, deals forgotten or in a
wrong order, rules changed, a session that ended too early, and one that follows another."""

import json
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quadrille_plugins.ledger import report
from quadrille_plugins.ledger.hand import by_hand
from quadrille_plugins.ledger.notes import SentBeforeError
from quadrille_plugins.ledger.schema import BOX, POOL
from quadrille_plugins.ledger.service import Ledger
from support.ledger import KINDS, LOST, NAMES, QUANTI, SOLO, compiled_with, do, result

from quadrille_core.errors import Problem

# --- whatever is done ---------------------------------------------------------------------------

OPS = st.lists(
    st.tuples(st.sampled_from((*KINDS, "reopen")), st.integers(0, 10**6)), min_size=3, max_size=16
)


def sums(journal):
    """What nothing that is done at a table may change: counters are moved, and never made."""
    assert not list(journal.faults())
    held = sum(v for a, v in journal.balances.items() if a != BOX)
    assert held == sum(journal.purses[a] for a in journal.players()) == -journal.balances[BOX]
    won = sum((journal.net(a) for a in journal.players()), Fraction(0))
    assert won + journal.balances[POOL] == 0
    for number in journal.deals:
        for amounts in (journal.tallies[number].net, journal.tallies[number].given):
            assert sum(amounts.values()) == 0


def stands(journal):
    """What moved by each deal, among whom, and what it says."""
    names = journal.accounts
    return [
        (
            row.outcome,
            [names[a] for a in (*row.seats, *dict(row.out).values())],
            [
                (names[m.payer], names[m.payee], m.amount, m.reason, m.rule)
                for m in journal.movements_of(number)
            ],
        )
        for number, row in journal.deals.items()
    ]


def evening(begin, ops, ref):
    """Do all of it, and compare with a ledger in which everything was right from the start."""
    with Ledger(begin(ref)) as ledger:
        for kind, seed in ops:
            if kind == "reopen":
                ledger.end(split_pool=bool(seed % 2))
                ledger.reopen()
            else:
                do(ledger, kind, seed, ref)
            sums(ledger.journal())
        journal = ledger.verify()
        ending = ledger.end()
        assert sum(ending.net.values()) == 0
    names = [journal.accounts[a] for a in journal.players()]
    with Ledger(begin(ref, players=names[:4])) as right:
        for name in names[4:]:
            right.join(name)
        added = 0
        for number, row in journal.deals.items():
            wanted = json.loads(journal.rules_at(row.rules)["rules"])["stakes.dealer_adds"]
            if wanted != added:
                right.change_rules(compiled_with(ref, added := wanted), ref)
            fact = row.fact
            if fact.kind == "reversed":
                fact = result({}).__class__("void", note="taken back")
            seats = [journal.accounts[a] for a in row.seats]
            who = {} if not row.seating else {"players": seats, "dealer": journal.dealer_of(row)}
            assert right.record(fact, **who) == number
        same = right.verify()
    was, is_right = ([one for one in stands(j) if one[-1]] for j in (journal, same))
    assert was == is_right
    assert {journal.accounts[a]: journal.net(a) for a in journal.players()} == {
        same.accounts[a]: same.net(a) for a in same.players()
    }


REFS = st.sampled_from([QUANTI, "quadrille-laws", "quadrille-modern"])


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(OPS, REFS)
def test_counters_are_kept_whatever_is_done_and_it_ends_where_a_right_evening_does(begin, ops, ref):
    evening(begin, ops, ref)


@pytest.mark.slow
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(OPS, REFS)
def test_the_same_over_many_evenings(begin, ops, ref):
    evening(begin, ops, ref)


@pytest.mark.parametrize("kind", [k for k in dict.fromkeys(KINDS) if k not in ("deal", "void")])
def test_undo_takes_back_each_kind_of_command_and_nothing_else(begin, kind):
    """Afterwards everybody holds, sits, is called and deals as before."""
    with Ledger(begin()) as ledger:
        for n in range(4):
            do(ledger, ("deal", "deal", "enter", "deal")[n], n)
        if kind == "dealer":
            ledger.join("Emma")
        before = ledger.journal()
        assert do(ledger, kind, 7) == kind
        if kind == "undo":
            return
        assert ledger.journal() != before
        ledger.undo()
        after = ledger.verify()
    new = [row for row in stands(after) if row[0] != "taken back"]
    assert new == [row for row in stands(before) if row[0] != "taken back"]
    assert {after.accounts[a]: after.net(a) for a in before.players()} == {
        before.accounts[a]: before.net(a) for a in before.players()
    }
    assert after.seated() == before.seated()
    if kind != "dealer":  # who was named deals again
        assert [a for _, a in after.due()] == [a for _, a in before.due()]
    assert after.rule("stakes.dealer_adds") == before.rule("stakes.dealer_adds")


# --- entries by hand and by law -------------------------------------------------------------------

REVOKE = {"incident": "revoke", "by": "Dorothea", "trick_turned": True}


def data(quadrille, *args):
    status, out, err = quadrille(*args, "--format", "json")
    assert status == 0, err
    return json.loads(out)


def nets(state):
    return {one["player"]: one["net"] for one in state["standing"]}


def test_what_a_law_orders_is_entered_with_its_law_and_the_deal_is_played_again(begin, quadrille):
    """The pool is what the ledger knows, antes in: 8 of a remise and 4 antes.  The beast lies in
    the pool of the deal that is played again by the same dealer."""
    path = begin("quadrille-laws")
    quadrille("deal", path, LOST)
    told = data(quadrille, "enter", path, "--ruling", REVOKE)
    assert told["transfers"] == [
        {
            "from": "Dorothea",
            "to": "pool",
            "amount": 12,
            "reason": "beasted: revoke",
            "rule": "loss.remise_adds",
            "source": "wikipedia-old: L16",
        }
    ]
    assert (told["kind"], told["result"]["by"]) == ("entry", "Dorothea")
    assert told["result"]["orders"][1].startswith("L16: all take up their cards")
    assert (told["session"]["next"]["deal"], told["session"]["next"]["dealer"]) == (3, "Anne")
    again = data(quadrille, "deal", path, SOLO)
    assert again["transfers"][4]["amount"] == 8 + 12 + 4
    assert quadrille("verify", path)[0] == 0


def test_a_beast_that_a_law_orders_waits_where_the_rules_let_beasts_wait(begin, quadrille):
    path = begin("quadrille-laws", loss__beasts="wait", loss__beast_size="doubling")
    lay = data(quadrille, "deal", path, LOST)["session"]["pool"]["amount"]
    told = data(quadrille, "enter", path, "--ruling", {**REVOKE, "by": "Anne"})
    pool, beast = told["session"]["pool"], told["transfers"][0]["amount"]
    assert (pool["beasts"], pool["apart"], pool["amount"]) == (2, [beast], lay + beast)
    assert quadrille("verify", path)[0] == 0


@pytest.mark.parametrize(
    ("args", "gain"),
    [
        (("Anne", "pool", "4", "a fine"), {"Anne": -4}),
        (("Anne", "each", "1/2", "a fine"), {"Anne": "-3/2", "Beatrice": "1/2"}),
        (("each", "pool", "1", "a gift"), {"Anne": -1, "Dorothea": -1}),
        (("each", "bea", "1", "a present"), {"Beatrice": 3, "Anne": -1}),
        (("Anne", "Beatrice", "50", "until Friday", "--loan"), {"Anne": 0, "Beatrice": 0}),
    ],
)
def test_an_entry_by_hand_is_a_transfer_with_its_reason(begin, quadrille, args, gain):
    """A loan is held, and neither won nor lost: who lent it owes nothing at the end."""
    path = begin()
    told = data(quadrille, "enter", path, *args)
    assert {name: nets(told["session"])[name] for name in gain} == gain
    assert {t["source"] for t in told["transfers"]} == {"agreed at the table"}
    if "--loan" in args:
        holds = {one["player"]: one["holds"] for one in told["session"]["standing"]}
        assert (holds["Anne"], holds["Beatrice"]) == (650, 750)
        assert data(quadrille, "end", path, "--dry-run")["payments"] == []


@pytest.mark.parametrize(
    ("args", "variant"),
    [
        (("Anne", "pool", "4", " "), "entry-without-reason"),
        (("Anne", "pool", "0", "x"), "no-amount-to-enter"),
        (("Anne", "pool", "-4", "x"), None),
        (("Anne", "pool", "1e9", "x"), "no-amount-to-enter"),
        (("Anne", "pool", "9" * 5000, "x"), "no-amount-to-enter"),
        (("Anne", "pool", "1/0", "x"), "no-amount-to-enter"),
        (("Anne", "Anne", "4", "x"), "nobody-pays"),
        (("each", "each", "4", "x"), "nobody-pays"),
        (("Emma", "pool", "4", "x"), "not-at-the-table"),
        (("pool", "Anne", "4", "x"), "pool-holds-too-little"),
        (("pool", "Anne", "4", "x", "--loan"), "loan-between-players"),
        (("Anne", "pool", "4", "x" * 300), "reason-too-long"),
        (("Anne", "pool", "4", "x\x1b[2J"), "reason-too-long"),
        (("Anne", "pool", "4"), "enter-what"),
        ((), "enter-what"),
        (("Anne", "pool", "4", "x", "--ruling", REVOKE), "enter-what"),
        (("Anne", "pool", "4", "x", "--deal", 2), "another-deal-is-next"),
        (("Anne", "pool", "4", "x", "--before", 9), "no-deal-recorded"),
        (("--ruling", {**REVOKE, "pool": 7}), "pool-by-the-ledger"),
        (("--ruling", {**REVOKE, "players": ["A", "B", "C", "D"]}), "players-of-the-deal"),
        (("--ruling", REVOKE, "--law", "L3"), "no-such-law-here"),
    ],
)
def test_an_entry_that_cannot_be_is_refused_by_name_and_nothing_is_recorded(
    begin, quadrille, problems_of, args, variant
):
    path = begin("quadrille-laws")
    before = path.read_bytes()
    status, variants = problems_of("enter", path, *args)
    assert status != 0
    assert variant is None or variant in variants
    assert path.read_bytes() == before


@pytest.fixture
def problems_of(quadrille, monkeypatch):
    """Run a command of the ledger; its status, and which problems it named."""

    def problems_of(*args):
        seen, render = [], Problem.render
        monkeypatch.setattr(Problem, "render", lambda p: seen.append(p.variant) or render(p))
        return quadrille(*args)[0], list(dict.fromkeys(seen))

    return problems_of


# --- people ---------------------------------------------------------------------------------------


def test_a_new_name_stands_in_every_deal_and_account_and_owes_what_the_old_one_owed(
    begin, quadrille
):
    """Not the words of a result, which somebody's name may be; and not those of who was called so
    before."""
    path = begin(players=("solo", "hearts", "Charlotte", "Dorothea"))
    mine = {**SOLO, "hombre": "solo", "tricks": {"solo": 6, "hearts": 4}}
    quadrille("deal", path, mine)
    quadrille("correct", path, 1, "--tricks", 7)
    told = data(quadrille, "people", path, "--rename", "solo", "Zoë")
    assert nets(told) == {"Zoë": 15, "hearts": -5, "Charlotte": -5, "Dorothea": -5}
    quadrille("people", path, "--rename", "hearts", "Ruth")
    shown = data(quadrille, "show", path, "--deal", 1)
    assert (shown["outcome"], shown["result"]["hombre"]) == ("Solo by Zoë: won", "Zoë")
    assert (shown["result"]["contract"], shown["result"]["trump"]) == ("solo", "hearts")
    assert shown["result"]["tricks"] == {"Zoë": 7, "Ruth": 3}
    assert shown["before"][0]["result"]["hombre"] == "Zoë"
    assert (
        quadrille("deal", path, {**mine, "hombre": "Zoë", "tricks": {"Zoë": 6, "Ruth": 4}})[0] == 0
    )
    assert quadrille("verify", path)[0] == 0
    for _ in range(3):
        assert quadrille("undo", path)[0] == 0
    assert nets(data(quadrille, "show", path))["solo"] == 15
    assert quadrille("verify", path)[0] == 0


@pytest.mark.parametrize(
    ("args", "variant"),
    [
        (("--rename", "Emma", "Zoë"), "not-at-the-table"),
        (("--rename", "Anne", "Anne"), "called-so-already"),
        (("--rename", "Anne", "beatrice"), "name-taken"),
        (("--rename", "Anne", "Otto"), "name-borne"),
        (("--rename", "Anne", "Beatrice", "--rename", "Beatrice", "Beatrice"), "called-so-already"),
        (("--rename", "Anne", "Zoë", "--rename", "anne", "Ida"), "called-twice"),
        (("--rename", "Anne", "Zoë", "--rename", "Beatrice", "zoë"), "name-taken"),
        (("--rename", "Anne", "Otto", "--rename", "Beatrice", "Anne"), "name-borne"),
        (("--rename", "Anne", "pool"), "name-of-account"),
        (("--rename", "Anne", "=1+1"), "name-as-formula"),
        (("--rename", "Anne", "Each"), "name-means-another"),
        (("--rename", "Anne", "a\x1b[2J"), "name-with-hidden-character"),
        (("--rename", "Anne", " "), "empty-name"),
        (("--exchange", "Anne", "Anne"), "sits-already"),
        (("--exchange", "Anne", "Emma"), "not-at-the-table"),
        (("--leave", "Emma"), "not-at-the-table"),
        (("--join", "anne"), "sits-already"),
        (("--join", "Anne"), "sits-already"),
        (("--leave", "Anne", "--join", "Emma"), "people-one-thing"),
        ((), "people-one-thing"),
    ],
)
def test_what_cannot_be_said_of_people_is_refused_by_name(begin, problems_of, args, variant):
    """Otto is a name that Dorothea had borne: in what was printed it is hers."""
    path = begin()
    with Ledger(path) as ledger:
        ledger.rename(("Dorothea", "Otto"))
        ledger.rename(("Otto", "Dorothea"))
    before = path.read_bytes()
    assert problems_of("people", path, *args) == (2, [variant])
    assert path.read_bytes() == before


def test_two_whose_names_were_entered_the_wrong_way_round_exchange_them(begin, quadrille):
    """Each has then from the start what the other had, chairs too; undo gives the names back."""
    path = begin()
    quadrille("deal", path, SOLO)
    swap = ("--rename", "Anne", "Beatrice", "--rename", "Beatrice", "Anne")
    told = data(quadrille, "people", path, *swap)
    assert nets(told) == {"Beatrice": 15, "Anne": -5, "Charlotte": -5, "Dorothea": -5}
    shown = data(quadrille, "show", path, "--deal", 1)
    assert (shown["outcome"], shown["result"]["hombre"]) == ("Solo by Beatrice: won", "Beatrice")
    assert quadrille("verify", path)[0] == 0
    history = data(quadrille, "show", path, "--history")["history"][-1]["what"]
    assert history == "Anne is called Beatrice; Beatrice is called Anne"
    export = data(quadrille, "export", path)["events"]
    assert export[-1]["names"] == {"Anne": "Beatrice", "Beatrice": "Anne"}
    assert quadrille("undo", path)[0] == 0
    assert nets(data(quadrille, "show", path))["Anne"] == 15
    assert quadrille("people", path, *swap, "--rename", "Charlotte", "Zoë")[0] == 0
    assert quadrille("verify", path)[0] == 0


def test_a_fifth_sits_down_and_whoever_has_dealt_sits_out_the_next_deal(begin):
    """Each deals once and sits out once in five deals, and nobody pays for a deal not played."""
    with Ledger(begin()) as ledger:
        ledger.record(result(LOST))
        ledger.join("Emma")
        dealt, out = [], []
        for _ in range(10):
            journal = ledger.journal()
            names = [journal.accounts[a] for _, a in journal.due()]
            dealt.append(names[-1])
            out += [
                journal.accounts[a] for a in journal.seated() if journal.accounts[a] not in names
            ]
            ledger.record(
                result({**SOLO, "hombre": names[0], "tricks": {names[0]: 6, names[1]: 4}})
            )
        journal = ledger.verify()
    assert sorted(dealt) == sorted(out) == sorted([*NAMES, "Emma"] * 2)
    assert out[1:] == dealt[:-1]
    for row in list(journal.deals.values())[1:]:
        moved = journal.tallies[row.number].net
        assert sorted(a for a in moved if a != POOL) == sorted(row.seats)


def test_who_sits_out_deals_where_the_table_says_so_and_it_goes_on_so(begin, quadrille):
    """The one before the dealer plays last and stakes as the dealer would; once a dealer plays,
    whoever has just dealt sits out again.  A correction says either."""
    path = begin("quadrille-laws", stakes__dealer_adds=2)
    quadrille("people", path, "--join", "Emma")
    first = {"players": "Anne,Beatrice,Charlotte,Emma", "dealer": "Dorothea"}
    options = [word for key, value in first.items() for word in (f"--{key}", value)]
    told = data(quadrille, "deal", path, SOLO | {"tricks": {"Anne": 6, "Emma": 4}}, *options)
    assert (told["dealer"], told["change"].get("Dorothea")) == ("Dorothea", None)
    added = [t["from"] for t in told["transfers"] if t["rule"] == "stakes.dealer_adds"]
    assert added == ["Emma"]
    following = told["session"]["next"]
    assert (following["dealer"], following["eldest"], following["sits_out"]) == (
        "Anne",
        "Beatrice",
        ["Anne"],
    )
    played = SOLO | {"hombre": "Beatrice", "tricks": {"Beatrice": 6, "Emma": 4}}
    assert data(quadrille, "deal", path, played)["dealer"] == "Anne"
    assert quadrille("correct", path, 2, "--dealer", "Emma")[0] == 0
    with Ledger(path) as ledger:
        assert (ledger.verify().deals[2].out, ledger.journal().due()[-1][1]) == ((), 6)
    assert quadrille("undo", path)[0] == 0
    assert data(quadrille, "show", path)["next"]["sits_out"] == ["Beatrice"]
    named = data(quadrille, "deal", path, "--void", "faced", "--dealer", "Charlotte")
    assert (named["dealer"], named["session"]["next"]["sits_out"]) == ("Charlotte", ["Charlotte"])
    assert quadrille("verify", path)[0] == 0


def test_nobody_deals_as_long_as_a_chair_is_empty(begin, quadrille, problems_of):
    """Who left keeps what they won; the end shares the pool among those who stayed."""
    path = begin()
    quadrille("deal", path, LOST)
    told = data(quadrille, "people", path, "--leave", "Beatrice")
    assert (told["next"]["dealer"], told["next"]["wanted"]) == (None, 4)
    assert problems_of("deal", path, SOLO) == (1, ["chair-empty"])
    shared = data(quadrille, "end", path, "--split-pool", "--dry-run")["pool"]["shared"]
    assert sorted(shared) == ["Anne", "Charlotte", "Dorothea"]
    quadrille("people", path, "--join", "beatrice")
    assert quadrille("deal", path, SOLO)[0] == 0
    assert quadrille("verify", path)[0] == 0


def test_a_fifth_may_sit_down_for_rules_for_five(begin, quadrille):
    """And when one leaves again the table goes back to rules for four."""
    path = begin("quadrille-laws")
    quadrille("deal", path, LOST)
    quadrille("people", path, "--join", "Emma")
    assert quadrille("rules", path, "--rules", "quintille-new")[0] == 0
    told = data(quadrille, "deal", path, "--void", "faced")
    assert told["session"]["next"].get("sits_out") is None
    quadrille("people", path, "--leave", "Emma")
    assert quadrille("rules", path, "--rules", "quadrille-laws")[0] == 0
    assert quadrille("deal", path, SOLO)[0] == 0
    assert quadrille("verify", path)[0] == 0


# --- order ----------------------------------------------------------------------------------------


def test_a_forgotten_deal_is_inserted_and_what_began_with_another_pool_is_settled_anew(
    begin, quadrille
):
    path = begin()
    quadrille("deal", path, SOLO)
    quadrille("deal", path, SOLO)
    told = data(quadrille, "deal", path, LOST, "--before", 2)
    assert (told["deal"], told["dealer"], told["note"]) == (2, "Anne", "inserted")
    assert [change["deal"] for change in told["changes"]] == [3]
    shown = data(quadrille, "show", path)["each_deal"]
    assert [deal["outcome"].rpartition(" ")[2] for deal in shown] == ["won", "remise", "won"]
    assert [deal["dealer"] for deal in shown] == ["Dorothea", "Anne", "Anne"]
    with Ledger(begin()) as right:
        for fact, dealer in ((SOLO, "Dorothea"), (LOST, "Anne"), (SOLO, "Anne")):
            right.record(result(fact), dealer=dealer)
        wanted = report.state_data(right.journal())["standing"]
    assert data(quadrille, "show", path)["standing"] == wanted


def test_an_insertion_given_again_with_the_number_that_was_next_is_refused(begin, problems_of):
    path = begin()
    with Ledger(path) as ledger:
        ledger.record(result(SOLO))
    again = ("deal", path, "--void", "faced", "--before", 1, "--deal", 2)
    assert problems_of(*again)[0] == 0
    assert problems_of(*again) == (2, ["deal-recorded-already"])


def test_deals_in_a_wrong_order_are_moved_and_moved_back(begin, quadrille, problems_of):
    path = begin()
    for fact in (LOST, SOLO, SOLO):
        quadrille("deal", path, fact)
    before = data(quadrille, "show", path)
    told = data(quadrille, "move", path, 1, 3)
    assert [change["deal"] for change in told["changes"]] == [1]
    moved = data(quadrille, "show", path)["each_deal"]
    assert [d["outcome"].rpartition(" ")[2] for d in moved] == ["won", "won", "remise"]
    assert data(quadrille, "undo", path)["session"]["standing"] == before["standing"]
    for args, variant in (((1, 1), "stands-there-already"), ((1, 9), "no-deal-of-that-number")):
        assert problems_of("move", path, *args) == (2, [variant])


# --- one circumstance of a deal -------------------------------------------------------------------

ALONE = [
    (("--trump", "clubs"), "trump", "clubs"),
    (("--hombre", "Charlotte"), "hombre", "Charlotte"),
    (("--tricks", "7"), "tricks", {"Anne": 7, "Beatrice": 3}),
    (("--matadors", "3"), "matadors", 3),
    (("--premiers",), "premiers", True),
]


@pytest.mark.parametrize(("args", "key", "value"), ALONE, ids=str)
def test_one_circumstance_of_a_result_is_corrected_by_naming_it_alone(
    begin, quadrille, args, key, value
):
    """Whoever else played the game, the side made as many tricks as were recorded, unless that
    cannot be known."""
    path = begin()
    quadrille(
        "deal", path, "--contract", "solo", "--trump", "hearts", "--hombre", "Anne", "--tricks", 6
    )
    was = data(quadrille, "show", path, "--deal", 1)["result"]
    assert quadrille("correct", path, 1, *args)[0] == 0
    now = data(quadrille, "show", path, "--deal", 1)["result"]
    assert now[key] == value
    free = {key, "tricks"} if key == "hombre" else {key}
    assert {k: v for k, v in now.items() if k not in free} == {
        k: v for k, v in was.items() if k not in free
    }
    assert now["tricks"][now["hombre"]] == (7 if key == "tricks" else 6)


@pytest.mark.parametrize(
    ("args", "seats", "hombre"),
    [
        (("--dealer", "Beatrice"), "Charlotte Dorothea Anne Beatrice", "Anne"),
        (
            ("--players", "Beatrice,Anne,Charlotte,Dorothea"),
            "Beatrice Anne Charlotte Dorothea",
            "Anne",
        ),
        (
            ("--players", "Emma,Beatrice,Charlotte,Dorothea"),
            "Emma Beatrice Charlotte Dorothea",
            "Emma",
        ),
        (("--players", "Anne,Beatrice,Charlotte,Emma"), "Anne Beatrice Charlotte Emma", "Anne"),
    ],
)
def test_who_dealt_and_who_played_are_corrected_alone(begin, quadrille, args, seats, hombre):
    """Who did not play did in the deal what the one who did not; later deals go on from who deals
    now."""
    path = begin()
    quadrille("deal", path, SOLO)
    quadrille("people", path, "--join", "Emma")
    assert quadrille("correct", path, 1, *args)[0] == 0
    with Ledger(path) as ledger:
        journal = ledger.verify()
    row = journal.deals[1]
    assert " ".join(journal.accounts[a] for a in row.seats) == seats
    assert (row.fact.data["hombre"], journal.note_of(1)) == (hombre, "corrected")


@pytest.mark.parametrize(
    ("args", "variant"),
    [
        (("--players", "Anne,Beatrice"), "not-so-many-play"),
        (("--players", "Anne,Anne,Beatrice,Charlotte"), "not-so-many-play"),
        (("--players", "Anne,Beatrice,Charlotte,Emma"), "not-at-the-table"),
        (("--dealer", "Emma"), "not-at-the-table"),
    ],
)
def test_who_cannot_have_played_is_refused(begin, problems_of, args, variant):
    path = begin()
    with Ledger(path) as ledger:
        ledger.record(result(SOLO))
    assert problems_of("correct", path, 1, *args) == (2, [variant])


# --- rules ----------------------------------------------------------------------------------------


def test_rules_changed_between_deals_settle_those_that_follow_and_are_shown(begin, quadrille):
    """What was recorded stays, also when it is corrected later; a deal inserted before is settled
    by the rules of its neighbour."""
    path = begin("quadrille-laws")
    quadrille("deal", path, LOST)
    told = data(quadrille, "rules", path, "--set", "stakes.dealer_adds=3")
    assert told["changed"] == {"stakes.dealer_adds": [0, 3]}
    quadrille("deal", path, SOLO)
    quadrille("correct", path, 1, "--tricks", 4)
    quadrille("deal", path, SOLO, "--before", 1)
    each = data(quadrille, "show", path)
    antes = [
        [t["rule"] for t in d["transfers"]].count("stakes.dealer_adds") for d in each["each_deal"]
    ]
    assert antes == [0, 0, 1]
    assert [(c["from_deal"], c["changed"]) for c in each["rules_changes"]] == [
        (3, {"stakes.dealer_adds": [0, 3]})
    ]
    out = quadrille("show", path)[1]
    assert "from deal 3: quadrille-laws@article#" in out
    assert quadrille("verify", path)[0] == 0


def test_beasts_that_waited_come_into_play_under_rules_that_let_none_wait(begin, quadrille):
    path = begin("quadrille-laws", loss__beasts="wait", loss__beast_size="doubling")
    for _ in range(3):
        quadrille("deal", path, LOST)
    pool = data(quadrille, "show", path)["pool"]
    assert len(pool["apart"]) == 2
    assert quadrille("rules", path, "--rules", "quadrille-laws")[0] == 0
    told = data(quadrille, "deal", path, SOLO)
    assert told["transfers"][4]["amount"] == pool["amount"] + 4
    assert quadrille("verify", path)[0] == 0


@pytest.mark.parametrize(
    ("args", "variant"),
    [((), "rules-as-before"), (("--set", "score.kept=points"), None), (("--rules", "no"), None)],
)
def test_rules_that_no_session_goes_on_by_are_refused(begin, problems_of, args, variant):
    path = begin("quadrille-laws")
    before = path.read_bytes()
    status, seen = problems_of("rules", path, *args)
    assert (status != 0, variant in (None, *seen)) == (True, True)
    assert path.read_bytes() == before


# --- forms sent twice ------------------------------------------------------------------------------

TWICE = {
    "deal": lambda ledger, **form: ledger.record(result(SOLO), **form),
    "insert": lambda ledger, **form: ledger.record(result(SOLO), before=1, **form),
    "enter": lambda ledger, **form: ledger.record(
        by_hand(ledger.journal(), "Anne", "pool", "1", "why"), **form
    ),
    "move": lambda ledger, **form: ledger.move(1, 2, **form),
    "correct": lambda ledger, **form: ledger.correct(1, result(LOST), **form),
    "reverse": lambda ledger, **form: ledger.reverse(1, **form),
    "undo": lambda ledger, **form: ledger.undo(**form),
    "substitute": lambda ledger, **form: ledger.substitute("Anne", "Emma", **form),
    "leave": lambda ledger, **form: ledger.leave("Anne", **form),
    "join": lambda ledger, **form: ledger.join("Emma", **form),
    "exchange": lambda ledger, **form: ledger.exchange("Anne", "Beatrice", **form),
    "rename": lambda ledger, **form: ledger.rename(("Anne", "Emma"), **form),
    "names exchanged": lambda ledger, **form: ledger.rename(
        ("Anne", "Beatrice"), ("Beatrice", "Anne"), **form
    ),
    "rules": lambda ledger, **form: ledger.change_rules(compiled_with(QUANTI, 2), QUANTI, **form),
    "reopen": lambda ledger, **form: ledger.reopen(**form),
}


@pytest.mark.parametrize("kind", TWICE)
def test_whatever_a_form_says_is_recorded_once_however_often_it_is_sent(begin, kind):
    """Also where the second comes after another command."""
    with Ledger(begin()) as ledger:
        for _ in range(2):
            ledger.record(result(SOLO))
        if kind == "reopen":
            ledger.end()
        TWICE[kind](ledger, key="0" * 32)
        before = ledger.journal()
        for _ in range(2):
            with pytest.raises(SentBeforeError):
                TWICE[kind](ledger, key="0" * 32)
            assert ledger.journal().transactions == before.transactions
            ledger.join(f"P{len(before.transactions)}")
            before = ledger.journal()
        ledger.verify()


# --- the end, and another evening -----------------------------------------------------------------


def test_an_ended_session_is_reopened_corrected_and_ended_again(begin, quadrille, problems_of):
    """A shared pool is paid back; the payments that hold are the last ones."""
    path = begin()
    quadrille("deal", path, LOST)
    assert problems_of("reopen", path) == (2, ["not-ended"])
    first = data(quadrille, "end", path, "--split-pool")
    assert problems_of("undo", path) == (1, ["session-ended"])
    told = data(quadrille, "reopen", path)
    assert (told["withdrawn"], told["session"]["pool"]["amount"]) == (first["payments"], 8)
    quadrille("correct", path, 1, "--tricks", 6)
    second = data(quadrille, "end", path)
    assert second["net"] == {"Anne": 15, "Beatrice": -5, "Charlotte": -5, "Dorothea": -5}
    assert data(quadrille, "export", path)["payments"] == second["payments"]
    assert quadrille("verify", path)[0] == 0
    quadrille("reopen", path)
    assert data(quadrille, "undo", path)["session"]["pool"]["amount"] == 8


@pytest.mark.parametrize("settled", [False, True])
def test_another_ledger_takes_over_pool_balances_people_and_rules(
    begin, tmp_path, quadrille, settled
):
    """A pool that was left standing when its session was settled has been paid for: whoever keeps
    its counters owes them, and nobody else."""
    old, new = begin("quadrille-laws"), tmp_path / "next.ledger"
    quadrille("deal", old, LOST)
    quadrille("substitute", old, "Beatrice", "Emma")
    if settled:
        quadrille("end", old)
    before = old.read_bytes()
    told = data(quadrille, "start", new, "--from", old, "--coins", "plain")
    assert old.read_bytes() == before
    kept = {"kept from the pool of 0": -8}
    was = {"Anne": -5, "Emma": 0, "Charlotte": -1, "Dorothea": -1, "Beatrice": -1}
    assert nets(told) == ({**dict.fromkeys(list(was)[:4], 0), **kept} if settled else was)
    assert (told["pool"]["amount"], told["next"]["dealer"]) == (8, "Anne")
    won = {**SOLO, "hombre": "Emma", "tricks": {"Emma": 6, "Anne": 4}}
    assert data(quadrille, "deal", new, won)["transfers"][4]["amount"] == 12
    assert sum(Fraction(n) for n in data(quadrille, "end", new)["net"].values()) == 0
    assert quadrille("verify", new)[0] == 0


def test_a_table_of_five_is_taken_over_by_naming_those_who_play_first(
    begin, tmp_path, problems_of, quadrille
):
    """Nobody has named five: the table is told, and whoever is left out keeps what they have."""
    old, new = begin(), tmp_path / "next.ledger"
    quadrille("deal", old, LOST)
    quadrille("people", old, "--join", "Emma")
    assert problems_of("start", new, "--from", old) == (2, ["other-number-sits-there"])
    names = "Emma,Beatrice,Charlotte,Dorothea"
    assert problems_of("start", new, "--from", old, "--players", "Emma,Dorothea") == (
        2,
        ["other-number-named"],
    )
    assert nets(data(quadrille, "start", new, "--from", old, "--players", names))["Anne"] == -17


@pytest.mark.parametrize(
    ("former", "said", "coins"),
    [
        ("plain", (), "plain"),
        ("rules", (), "rules"),
        ("plain", ("--coins", "rules"), "rules"),
        ("rules", ("--coins", "plain"), "plain"),
    ],
)
def test_coins_are_told_as_in_the_ledger_before_unless_the_new_one_says_otherwise(
    begin, tmp_path, quadrille, former, said, coins
):
    old, new = begin(coins=former), tmp_path / "next.ledger"
    assert data(quadrille, "start", new, "--from", old, *said)["coins"] == coins


def test_beasts_that_wait_are_taken_over_as_they_lie(begin, tmp_path, quadrille):
    old, new = (
        begin("quadrille-laws", loss__beasts="wait", loss__beast_size="doubling"),
        tmp_path / "next.ledger",
    )
    for _ in range(3):
        quadrille("deal", old, LOST)
    pool = data(quadrille, "show", old)["pool"]
    taken = data(quadrille, "start", new, "--from", old)["pool"]
    assert {k: taken[k] for k in ("amount", "apart", "beasts")} == {
        k: pool[k] for k in ("amount", "apart", "beasts")
    }


def test_the_history_tells_every_command_and_which_one_took_it_back(begin, quadrille):
    path = begin()
    quadrille("deal", path, SOLO)
    quadrille("people", path, "--rename", "Beatrice", "Bea")
    quadrille("undo", path)
    quadrille("enter", path, "Anne", "pool", 1, "a gift")
    quadrille("move", path, 1, 2)
    history = data(quadrille, "show", path, "--history")["history"]
    assert [(h["command"], h["taken_back_by"]) for h in history] == [
        ("start", None),
        ("deal", None),
        ("rename", 4),
        ("rename", None),
        ("enter", None),
        ("move", None),
    ]
    assert history[2]["what"] == "Beatrice is called Bea"
    assert "deal 2 moved" in history[5]["what"]
