"""``seer`` knows nothing hidden, plays any rules without being told, and does what those rules pay
for."""

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

pytest.importorskip("numba")

from quadrille_plugins.compare.tournament import hold, pair_up
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session, play_streams
from quadrille_plugins.deal.view import View, view_of
from quadrille_plugins.players.steady import valuer_of
from quadrille_plugins.players.steady_play import mask_of
from quadrille_plugins.players.steady_value import SUITS
from quadrille_plugins.seer.player import SeerBot
from quadrille_plugins.solver.solve import Position, Solver
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner
from support import made_rules
from support.seer import PROFILES, deals_by_chance, rules_of, setup_of, stream_of
from support.seer_draw import Knowledge, Opinion
from support.table import dealt, say, sit, swapped

from quadrille_core.cards import Suit, format_card, parse_card
from quadrille_core.engine.amounts import basic_stake
from quadrille_core.engine.ranking import effective_suits, matadors
from quadrille_core.engine.table import Deal
from quadrille_core.installation import install_hint
from quadrille_core.ruleset import compile_reference

# --- what it may know ---------------------------------------------------------------------------


@pytest.mark.parametrize("reference", PROFILES)
def test_the_hands_that_the_others_do_hold_are_never_ruled_out(reference: str) -> None:
    for deal, view in deals_by_chance(reference, 40):
        known = Knowledge(view)
        held = {c: s for s, hand in enumerate(deal.hands) for c in hand}
        assert all(known.may[c] >> held[c] & 1 for c in known.unseen)
        assert known.allows(tuple(tuple(h) for h in deal.hands))
        assert [n for s, n in enumerate(known.room) if s != view.seat] == [
            len(h) for s, h in enumerate(deal.hands) if s != view.seat
        ]


def led_trumps(**overrides: Any) -> View:
    """Hombre leads the trump king, and the next player throws a diamond: the view of the third."""
    deal = sit(
        dealt(
            "SA SK SQ SJ S7 S6 H7 H6 H5 H4",
            "S2 CA DK DQ DJ D7 D6 D5 D4 D3",
            "S5 S4 S3 HA HK HQ HJ CK CQ CJ",
        ),
        **overrides,
    )
    say(deal, "bid solo", "pass", "pass", "pass", "trump spades", "play SK", "play D3")
    return view_of(deal, 2)


def test_a_matador_withheld_is_not_a_suit_run_out_of() -> None:
    may = Knowledge(led_trumps()).may
    assert may[parse_card("CA")] >> 1 & 1
    assert may[parse_card("S2")] >> 1 & 1
    assert may[parse_card("S7")] >> 1 & 1 == 0


def test_where_no_renege_is_allowed_it_is_and_no_trump_is_looked_for_there() -> None:
    view = led_trumps(**{"forcing.renege": "allowed"})
    ruleset = made_rules(
        **{"forcing.renege": "barred", "favourite.source": "none", "favourite.suit": None}
    )
    may = Knowledge(replace(view, ruleset=ruleset)).may
    assert not any(may[parse_card(c)] >> 1 & 1 for c in ("CA", "S2", "S7"))


def test_hands_that_deserve_the_bid_weigh_more() -> None:
    ruleset = rules_of("quadrille-modern")
    deal = Deal(ruleset, setup_of(0, ruleset))
    say(deal, "bid solo")
    view = view_of(deal, 1)
    opinion = Opinion(Knowledge(view), valuer_of(view.rules))
    strong = dealt("SA S2 CA SK SQ SJ S7 S6 HK DK").hands
    weak = dealt("S3 S4 H2 H3 H4 C3 C4 C5 D2 D3").hands
    assert opinion.doubts(strong) + 3 < opinion.doubts(weak)


def test_cards_that_a_seat_has_not_seen_change_nothing_of_what_she_does() -> None:
    ruleset = made_rules()
    bot, compared = SeerBot(2, 5), 0
    for number in range(4):
        setup = setup_of(number, ruleset)
        other = swapped(setup, *(format_card(c) for c in (setup.hands[1][0], setup.hands[2][0])))
        one, two = Deal(ruleset, setup), Deal(ruleset, other)
        steady = make_bot("steady")
        while one.turn is not None and one.turn == two.turn:
            seat = one.turn
            action = steady.choose(view_of(one, seat), one.legal(), stream_of())
            if seat in (0, 3) and view_of(one, seat) == view_of(two, seat):
                compared += 1
                mine, yours = (
                    bot.choose(view_of(d, seat), d.legal(), stream_of(number)) for d in (one, two)
                )
                assert mine == yours
            if action not in two.legal():
                break
            one.apply(action)
            two.apply(action)
    assert compared > 10


# --- it plays anything --------------------------------------------------------------------------


@pytest.mark.parametrize("reference", PROFILES)
def test_whole_sessions_end_with_every_counter_in_its_place_under_any_profile(
    reference: str,
) -> None:
    ruleset = rules_of(reference)
    players = ruleset.rules.table.players
    bots = [SeerBot(1, 5) if chair % 2 else make_bot("random") for chair in range(players)]
    table = Fraction(0)
    for number, played in enumerate(play_session(ruleset, bots, seed=6, session=0, deals=4)):
        assert number < 4
        assert not any(played.refills)
        before = table + sum(played.antes)
        table = before - sum(played.net_of_chair)
        assert played.setup.pool <= before
        assert table == played.pool_after >= 0
    assert number == 3


def test_every_mechanic_of_the_vocabulary_is_played_and_the_same_stream_gives_the_same_play() -> (
    None
):
    ruleset = made_rules()
    for first in ("mediateur", "casco", "solo+announced", "grandissimo", "nemo"):
        plays = []
        for _ in range(2):
            deal = Deal(ruleset, dealt("SA CA", favourite=ruleset.rules.favourite.suit))
            streams, bot = play_streams(3, 0, 1, 4), SeerBot(1, 5)
            say(deal, f"bid {first}")
            while (seat := deal.turn) is not None:
                deal.apply(bot.choose(view_of(deal, seat), deal.legal(), streams[seat]))
            plays.append(deal.actions)
        assert plays[0] == plays[1]


def test_what_a_tournament_finds_does_not_depend_on_how_many_work_at_it() -> None:
    compiled = compile_reference("quadrille-laws")
    pairing = pair_up(compiled, bots=("seer", "steady"), deals=8, length=4, seed=1)
    assert hold(compiled, pairing) == hold(compiled, pairing, runner=Runner(Placement(2)))


def test_without_numba_she_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from quadrille_plugins.shell.main import run\n"
        "sys.exit(run(['compare', 'quadrille-modern', '--bots', 'seer,random', '--deals', '1']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert install_hint("fast") in done.stderr
    assert "Traceback" not in done.stderr


# --- it adapts ----------------------------------------------------------------------------------


def test_a_dearer_solo_is_bid_more_often() -> None:
    def solos(premium: int) -> int:
        ruleset = rules_of("quadrille-laws", payments__premium__solo=premium)
        valuer, bot, count = valuer_of(ruleset.rules), SeerBot(100, 5), 0
        for number in range(240):
            deal = Deal(ruleset, setup_of(number, ruleset))
            hand = mask_of(deal.hands[0])
            if max(valuer.score("alone", hand, s) for s in SUITS) >= 430:
                action = bot.choose(view_of(deal, 0), deal.legal(), stream_of(number))
                count += action.bid is not None and action.bid.bid == "solo"
        return count

    assert solos(40) >= solos(0) + 3


def to_renege(renege: str) -> Deal:
    """A deal played by steady to where the last seat holds a matador, and trumps are led."""
    ruleset = rules_of("quadrille-laws", forcing__renege=renege)
    deal = Deal(ruleset, setup_of(RENEGE_DEAL, rules_of("quadrille-laws")))
    for text in RENEGE_ACTIONS:
        say(deal, text)
    return deal


RENEGE_DEAL = 154
RENEGE_ACTIONS = [
    "pass",
    "bid alliance",
    "pass",
    "pass",
    "trump hearts",
    "call SK",
    "play CK",
    "play C6",
    "play C4",
    "play C2",
    "play D3",
    "play DK",
    "play D7",
    "play D6",
    "play H3",
    "play HQ",
    "play H6",
    "play HJ",
    "play SK",
    "play S5",
    "play S6",
    "play S3",
    "play CQ",
    "play C3",
    "play C5",
    "play C7",
    "play SQ",
    "play H5",
    "play SJ",
    "play S7",
    "play D5",
    "play D2",
    "play DA",
    "play D4",
    "play HK",
    "play S2",
    "play HA",
]


def test_a_renege_that_gains_a_trick_is_used_where_the_rules_allow_it_and_only_there() -> None:
    deal = to_renege("allowed")
    seat, trump = deal.turn, deal.trump
    assert seat is not None
    assert trump is not None
    suits, rules = effective_suits(trump), deal.rules
    assert suits[deal.trick[0]] == trump
    assert set(deal.hands[seat]) & set(matadors(trump))
    side = sum(1 << s for s in deal.side())
    hands = tuple(tuple(h) for h in deal.hands)
    values = Solver().values(
        Position(
            rules.cards, rules.forcing, trump, hands, deal.leader, side, "most", tuple(deal.trick)
        )
    )
    against = 1 if seat in deal.side() else -1
    withheld = max(against * v for c, v in values.items() if suits[c] != trump)
    assert withheld > max(against * v for c, v in values.items() if suits[c] == trump)
    chosen = SeerBot(100, 5).choose(view_of(deal, seat), deal.legal(), stream_of())
    assert chosen.card is not None
    assert suits[chosen.card] != trump
    barred = to_renege("barred")
    assert all(a.card is not None and suits[a.card] == trump for a in barred.legal())


@pytest.mark.parametrize(("bid", "card"), [("nemo", "HJ"), ("grandissimo", "HK")])
def test_nemo_is_played_to_lose_and_the_same_cards_by_default_to_win(bid: str, card: str) -> None:
    ruleset = rules_of("mediateur-1752")
    pool = basic_stake(ruleset.rules.stakes, 4)
    setup = dealt(
        "HQ DK DQ CK",
        "H5 D2 D3 C6",
        "H6 D4 D5 C7",
        "HK HJ H7 C3 C4 C5 S3 S4 D7 D6",
        favourite=Suit(1),
        pool=pool,
    )
    deal = say(Deal(ruleset, setup), "pass", "pass", "pass", f"bid {bid}")
    for card_played in [
        "DK",
        "D2",
        "D4",
        "D7",
        "DQ",
        "D3",
        "D5",
        "D6",
        "CK",
        "C6",
        "C7",
        "C5",
        "HQ",
        "H5",
        "H6",
    ]:
        say(deal, f"play {card_played}")
    assert {format_card(a.card) for a in deal.legal() if a.card is not None} == {"HK", "HJ", "H7"}
    chosen = SeerBot(100, 5).choose(view_of(deal, 3), deal.legal(), stream_of())
    assert chosen.card == parse_card(card)


# --- where the kernel cannot tell ----------------------------------------------------------------


@pytest.mark.parametrize(
    "settings",
    [
        {"payments.premium.solo": 10_000, "stakes.unit": 10_000, "stakes.unit_of": "constant"},
        {"payments.premium.solo": "1/99999999999999999999"},
    ],
    ids=["too large", "divided too finely"],
)
def test_under_rules_whose_payments_have_no_whole_parts_she_plays_as_steady(
    settings: dict[str, Any],
) -> None:
    ruleset = compile_reference("quanti-1822@wikipedia", settings=settings).ruleset
    told = [
        [
            played.deal.actions
            for played in play_session(ruleset, [make_bot(name)] * 4, seed=1, session=0, deals=2)
        ]
        for name in ("seer", "steady")
    ]
    assert told[0] == told[1]


def test_a_pool_too_large_to_be_told_is_left_to_steady() -> None:
    ruleset = rules_of("quadrille-laws")
    for number in range(8):
        deal = Deal(ruleset, replace(setup_of(number, ruleset), pool=Fraction(2**70)))
        while (seat := deal.turn) is not None:
            view, legal = view_of(deal, seat), deal.legal()
            plain = make_bot("steady").choose(view, legal, stream_of())
            if deal.phase in ("auction", "declare"):
                assert SeerBot(2, 5).choose(view, legal, stream_of()) == plain
            deal.apply(plain)
