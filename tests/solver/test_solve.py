"""Deals solved with all cards open: contracts evident by hand, the engine as the judge of what is
told, par."""

import random
from fractions import Fraction

import pytest
from quadrille_plugins.deal.record import replay
from quadrille_plugins.dealing.solving_report import outcome_text
from quadrille_plugins.settle.possible import impossible
from quadrille_plugins.solver.par import Auctions, Contract, par
from support import made_rules
from support.any_rules import BASES, changes

from quadrille_core.cards import PACK, SPADES, format_card, parse_cards
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.deal import DealSetup, shuffled_hands
from quadrille_core.engine.table import Deal
from quadrille_core.errors import ProfileError
from quadrille_core.ruleset import compile_reference

PROFILES = (
    "quanti-1822",
    "quanti-1822@wikipedia",
    "mediateur-1752",
    "quadrille-laws",
    "quadrille-modern",
    "quintille",
)
MORE = (
    "academie",
    "encyclopedie-mediateur",
    "quintille-new",
    "quintille-old",
    "quanti-1822@wikipedia+vole-announced",
    "quadrille-laws+vole-announced",
    "quadrille-laws+point-score",
    "mediateur-1752+multiplier",
)


def rules_of(reference, **settings):
    by_path = {path.replace("__", "."): value for path, value in settings.items()}
    return compile_reference(reference, settings=by_path).ruleset


def deal_of(*hands, pool=4, favourite=None):
    """A deal in which some hands are given, seat by seat, and the others share the rest as it
    comes."""
    given = [parse_cards(h) for h in hands]
    held = {c for h in given for c in h}
    rest = [c for c in PACK if c not in held]
    while len(given) < 4:
        given.append(tuple(rest[:: 4 - len(given)][:10]))
        rest = [c for c in rest if c not in given[-1]]
    return DealSetup(hands=tuple(given), pool=Fraction(pool), favourite=favourite)


def solving_of(reference, setup, **settings):
    pytest.importorskip("numba")
    from quadrille_plugins.solver.deals import DealSolver

    return DealSolver(rules_of(reference, **settings), setup)


def won_by_side(solving, solved):
    """Of each trick of the best line, whether Hombre's side wins it."""
    return [w in (solved.contract.hombre, solved.ally) for w in solving.winners(solved)]


def best(solving, seat, bid):
    return solving.best(Contract(seat, BidSpec(bid)))


# --- evident by hand ---------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, *(pytest.param(s, marks=pytest.mark.slow) for s in (1, 2)), 3])
def test_ten_of_the_eleven_trumps_from_the_top_make_the_vole_wherever_they_sit(seat):
    sure = "SA S2 CA SK SQ SJ S7 S6 S5 S4"
    hands = [sure] if seat == 0 else [" ".join(map(format_card, h)) for h in deal_of(sure).hands]
    hands[0], hands[seat] = hands[seat], hands[0]
    solving = solving_of("quanti-1822", deal_of(*hands))
    vole = best(solving, seat, "vole")
    assert (vole.trump, vole.tricks, vole.settlement.vole) == (SPADES, 10, "won")
    solo = best(solving, seat, "solo")
    assert (solo.tricks, solo.result.vole, solo.result.premiers) == (10, "undertaken", True)
    # the pool of 4, and from each of three: premium 4, matadors 1, premiers 1, vole 2 and its stake
    # of 3
    assert solo.settlement.net[seat] == vole.settlement.net[seat] == 4 + 3 * (4 + 1 + 1 + 2 + 3)
    value = solving.value()
    assert (value.par.contract, value.net) == (
        Contract(seat, BidSpec("solo")),
        solo.settlement.net,
    ), "the lower bid"


@pytest.mark.parametrize(
    ("low", "waits", "vole"),
    [("H7", True, "undertaken"), ("D7", True, "none"), ("D7", False, "undertaken")],
)
def test_a_vole_that_waits_for_the_ally_is_decided_where_the_line_shows_them(low, waits, vole):
    """Nine trumps and a card to the called king make all the tricks; of cards equally good the
    lowest is led first: the heart in the ninth trick, before Basto, the diamond in the last."""
    setup = deal_of(f"SA S2 CA SK SQ SJ S7 S6 S5 {low}")
    solving = solving_of("quanti-1822", setup, vole__waits_for_ally=waits)
    called = Action("call", card=parse_cards(f"{low[0]}K")[0])
    declared = (0, Action("trump", suit=SPADES)), (0, called)
    solved = solving.declared(Contract(0, BidSpec("alliance")), declared)
    assert (solved.tricks, solved.result.vole) == (10, vole)
    assert replay(solving.ruleset, solving.record(solved)).deal.result() == solved.result


@pytest.mark.parametrize(
    ("bid", "net"), [("solo", (19, -5, -5, -5)), ("alliance", (12, -10, -10, 12))]
)
def test_a_sure_vole_is_announced_before_the_first_lead_where_that_pays_more(bid, net):
    """By half more than undertaken: three units for two from each adversary."""
    setup = deal_of("SA S2 CA SK SQ SJ S7 S6 S5 S4")
    before = best(solving_of("quadrille-laws", setup), 0, bid)
    solving = solving_of("quadrille-laws+vole-announced", setup)
    solved = best(solving, 0, bid)
    assert (before.result.vole, solved.result.vole, solved.settlement.net) == (
        "undertaken",
        "announced",
        net,
    )
    record = solving.record(solved)
    assert "A vole" in record["actions"]
    assert replay(solving.ruleset, record).deal.result() == solving.shown(solved).result
    assert outcome_text(solving.rules, solved) == "won, announced vole won, premiers"


def test_a_vole_that_is_missed_is_not_announced():
    solving = solving_of("quadrille-laws+vole-announced", deal_of("SA S2 CA SK SQ SJ S7 D7 H7 H6"))
    solo = best(solving, 0, "solo")
    assert 6 <= solo.tricks < 10
    assert (solo.settlement.outcome, solo.result.vole) == ("won", "none")


def test_ten_of_the_lowest_cards_make_no_trick_and_two_aces_make_one_at_least():
    # without trumps the aces of spades and clubs are a suit of their own; the seven is a red suit's
    # lowest
    low = "S2 S3 C2 C3 H7 H6 H5 D7 D6 D5"
    solving = solving_of("mediateur-1752", deal_of(low, favourite=1))
    nemo = best(solving, 0, "nemo")
    assert (nemo.tricks, nemo.settlement.outcome) == (0, "won")
    assert solving.value().par.contract == Contract(0, BidSpec("nemo"))
    holder = next(s for s, h in enumerate(solving.setup.hands) if PACK[0] in h)
    assert best(solving, holder, "nemo").settlement.outcome == "remise", (
        "Spadille makes a trick whatever is done"
    )


FIVE_TRUMPS = "SA S2 CA SK SQ H6 H5 D6 D5 C3"


def test_five_top_trumps_make_five_tricks_and_with_a_king_called_in_six():
    solving = solving_of("mediateur-1752", deal_of(FIVE_TRUMPS, favourite=1))
    alone = {way.trump: way for way in solving.every(Contract(0, BidSpec("solo")))}
    assert (alone[SPADES].tricks, alone[SPADES].settlement.outcome) == (5, "remise")
    assert "won" not in {way.settlement.outcome for way in alone.values()}
    called = best(solving, 0, "mediateur")
    assert (called.trump, called.tricks, called.settlement.outcome) == (SPADES, 6, "won")
    assert [a.kind for _, a in called.declared] == ["call", "give", "trump"]
    assert called.result.surrendered is not None


def test_every_gift_is_told_and_one_that_leaves_fewer_tricks_is_not_made():
    solving = solving_of("mediateur-1752", deal_of(FIVE_TRUMPS, favourite=1))
    contract = Contract(0, BidSpec("mediateur"))
    ways = solving.every(contract)
    assert {w.trump for w in ways} == {0, 2, 3}, "the plain bid may not name the favourite suit"
    for way in ways:
        assert len(way.gifts) == 10
        assert way.tricks == max(tricks for _, tricks in way.gifts)
        assert way.card("give") == next(c for c, tricks in way.gifts if tricks == way.tricks)
    in_spades = next(w for w in ways if w.trump == SPADES)
    tricks = dict(in_spades.gifts)
    assert max(tricks[c] for c in parse_cards("SA S2 CA SK SQ")) < 6, (
        "a top trump given away is a trick given away"
    )


# --- what the engine says of what is told ------------------------------------------------------


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("reference", [*PROFILES, *MORE])
def test_what_is_told_replays_to_the_same_payments(reference, number):
    pytest.importorskip("numba")
    from quadrille_plugins.solver.deals import DealSolver, dealt

    ruleset = rules_of(reference)
    solving = DealSolver(ruleset, dealt(ruleset.rules, 7, number, 0))
    for contract in solving.contracts():
        solved = solving.best(contract)
        shown = solving.shown(solved)
        assert shown.settlement.net == solved.settlement.net, contract
        assert shown.settlement.pool_after == solved.settlement.pool_after
        record = solving.record(solved)
        again = replay(ruleset, record)
        assert again.divergence is None
        assert again.deal.result() == shown.result, contract
        assert sum(won_by_side(solving, solved)) >= solved.tricks
        if ruleset.rules.bids.of(contract.spec.bid).goal != "none":
            assert sum(won_by_side(solving, solved)) == solved.tricks
    value = solving.value()
    if value.solved is not None:
        record = solving.record(value.solved, value.par.spoken)
        assert replay(ruleset, record).deal.result() == solving.shown(value.solved).result


@pytest.mark.parametrize("reference", PROFILES)
def test_the_best_declaration_is_among_all_and_what_is_bounded_is_what_is_counted(reference):
    pytest.importorskip("numba")
    from quadrille_plugins.solver.deals import DealSolver, dealt

    ruleset = rules_of(reference)
    setup = dealt(ruleset.rules, 11, 0, 0)
    bounded, counted = DealSolver(ruleset, setup), DealSolver(ruleset, setup)
    for contract in bounded.contracts():
        solved, ways = bounded.best(contract), counted.every(contract)
        same = [w for w in ways if w.declared == solved.declared]
        assert [(w.tricks, w.settlement) for w in same] == [(solved.tricks, solved.settlement)]
        if ruleset.rules.bids.of(contract.spec.bid).trump_by == "hombre":
            assert solved.worth[contract.hombre] == max(w.worth[contract.hombre] for w in ways)


def test_a_lost_nemo_tells_that_a_trick_is_sure_and_its_line_shows_one():
    ruleset = rules_of("mediateur-1752", bids__nemo__lost_as="by_tricks")
    solving = solving_of("mediateur-1752", deal_of("SA CA SK SQ HK HQ DK DQ CK CQ", favourite=1))
    assert best(solving, 0, "nemo").tricks == 1
    by_tricks = solving_of(
        "mediateur-1752",
        deal_of("SA CA SK SQ HK HQ DK DQ CK CQ", favourite=1),
        bids__nemo__lost_as="by_tricks",
    )
    solved = best(by_tricks, 0, "nemo")
    assert (solved.tricks, solved.settlement.outcome) == (
        ruleset.rules.loss.remise_short + 1,
        "codille",
    )
    assert sum(won_by_side(by_tricks, solved)) >= 2


@pytest.mark.parametrize(
    "wanted", [2, pytest.param(5, marks=pytest.mark.slow)], ids=["few", "many"]
)
@pytest.mark.parametrize("name", BASES)
def test_whatever_rules_are_set_what_is_told_is_possible_and_replays(name, wanted):
    pytest.importorskip("numba")
    from quadrille_plugins.solver.deals import DealSolver, dealt

    rng, choices, solved = random.Random(f"solved {name} {wanted}"), list(changes(name)), 0
    while solved < wanted:
        try:
            ruleset = compile_reference(name, settings=dict(rng.sample(choices, 5))).ruleset
        except ProfileError:
            continue
        solving = DealSolver(ruleset, dealt(ruleset.rules, rng.randrange(1000), 0, 0))
        for contract in rng.sample(solving.contracts(), 3):
            found = solving.best(contract)
            shown = solving.shown(found)
            assert (shown.settlement.net, shown.settlement.pool_after) == (
                found.settlement.net,
                found.settlement.pool_after,
            )
            assert impossible(ruleset.rules, shown.result) == []
            assert replay(ruleset, solving.record(found)).deal.result() == shown.result
        solved += 1


# --- par ----------------------------------------------------------------------------------------


def by_trying_everything(ruleset, setup, worth):
    """The same by the table itself: every sequence of bids, none taken together."""
    visited = 0

    def value(said):
        nonlocal visited
        visited += 1
        deal = Deal(ruleset, setup)
        for action in said:
            deal.apply(action)
        if deal.phase != "auction":
            end = (
                None
                if deal.redealt
                else Contract(deal.hombre, deal.contract, deal.auction.named, deal.forced)
            )
            return worth(end), said, end
        turn, found = deal.turn, None
        for action in deal.legal():
            tried = value((*said, action))
            if found is None or tried[0][turn] > found[0][turn]:
                found = tried
        return found

    return (*value(()), visited)


SMALL = {
    "quanti-1822": [
        {"auction__elder_may_raise": how}
        for how in ("to_solo", "by_priority", "if_forced", "only_higher", "never")
    ],
    "quanti-1822@wikipedia": [{"bids__casco__made": "never"}, {"auction__all_pass": "redeal"}],
    "quadrille-laws": [
        {},
        {"auction__passed_may_return": True, "bids__solo__closes_auction": False},
    ],
    "quintille": [{}],
}


@pytest.mark.parametrize(
    ("reference", "settings"), [(r, s) for r, many in SMALL.items() for s in many], ids=str
)
def test_par_is_what_trying_every_auction_finds(reference, settings):
    ruleset = rules_of(reference, **settings)
    auctions, ends, seats = Auctions(ruleset.rules), set(), ruleset.rules.table.players
    for number in range(4):
        setup = DealSetup(hands=shuffled_hands(3, 0, number, ruleset.rules), pool=Fraction(60))
        rng = random.Random(number)
        paid = {}

        def worth(end, paid=paid, rng=rng, seats=seats):
            # few different amounts, so that many are equal and the order of choices is told
            return paid.setdefault(
                end, tuple(Fraction(rng.randrange(-3, 4), 2) for _ in range(seats))
            )

        found = par(auctions.tree(setup.hands, None), worth)
        want, said, end, visited = by_trying_everything(ruleset, setup, worth)
        assert (found.worth, found.contract) == (want, end)
        assert tuple(a for _, a in found.spoken) == said
        assert visited > 20
        ends.add(end)
    assert len(ends) > 1


def test_a_pass_goes_before_a_bid_that_is_worth_no_more():
    ruleset = made_rules()
    setup = DealSetup(hands=shuffled_hands(1, 0, 0, ruleset.rules), pool=Fraction(4))
    course = Auctions(ruleset.rules).tree(setup.hands, None)
    found = par(course, lambda _: (Fraction(0),) * 4)
    assert {a for _, a in found.spoken} == {Action("pass")}


def test_a_player_overbids_to_keep_another_from_what_costs_her_more():
    """C knows that A's vole with D would cost them 8, and a solo lost but 5, a share of the pool
    being left."""
    pytest.importorskip("numba")
    from quadrille_plugins.solver.deals import DealSolver, dealt

    ruleset = rules_of("quadrille-laws")
    solving = DealSolver(ruleset, dealt(ruleset.rules, 1, 0, 0))
    value = solving.value()
    assert best(solving, 0, "alliance").worth[2] == -8
    assert (value.par.contract.hombre, value.par.contract.spec.bid) == (2, "solo")
    assert (value.net[2], value.par.worth[2]) == (-8, -5)
