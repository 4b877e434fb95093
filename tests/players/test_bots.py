"""The bots: steady values hands by the rules that are played, sees nothing hidden, and beats
chance."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from itertools import pairwise
from typing import Any

import measure_steady
import pytest
from quadrille_plugins.deal.players import BOTS, make_bot
from quadrille_plugins.deal.session import play_session, play_streams
from quadrille_plugins.deal.view import Bot, View, view_of
from quadrille_plugins.players import steady, steady_features, steady_play, steady_value
from quadrille_plugins.players.steady_measured import FILE, measured
from quadrille_plugins.players.steady_value import Valuer
from quadrille_plugins.settle.possible import impossible
from support import made_rules
from support.table import dealt, say, sit, swapped

from quadrille_core.cards import NO_TRUMP, SPADILLE, Suit, format_card, parse_cards
from quadrille_core.engine.actions import Action, BidSpec, parse_action
from quadrille_core.engine.deal import PLAYERS, DealSetup, hand_size, shuffled_hands
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import UsageError
from quadrille_core.rules import RuleSet
from quadrille_core.ruleset import compile_reference
from quadrille_core.stream import Purpose, Stream

BASIC = {
    "favourite.source": "none",
    "favourite.suit": None,
    "payments.premium.solo": 4,
}


class NoStream(Stream):
    """Randomness that nobody may use."""

    def __init__(self) -> None:
        pass

    def word(self) -> int:
        raise AssertionError("steady draws nothing")


class Forced:
    """Makes one bid with one bot and leaves the rest of the deal to it; the others pass."""

    name = "forced"

    def __init__(self, bot: Bot, bid: str | None) -> None:
        self.bot, self.bid = bot, bid

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        if view.phase == "auction":
            wanted = parse_action("pass" if self.bid is None else f"bid {self.bid}")
            return wanted if wanted in legal else legal[0]
        return self.bot.choose(view, legal, stream)


def setup_of(number: int, ruleset: RuleSet, pool: int = 4) -> DealSetup:
    favourite = ruleset.rules.favourite.suit
    return DealSetup(
        hands=shuffled_hands(3, 0, number, ruleset.rules), pool=Fraction(pool), favourite=favourite
    )


def play(ruleset: RuleSet, setup: DealSetup, bots: Sequence[Bot], number: int = 0) -> Deal:
    deal = Deal(ruleset, setup)
    streams = play_streams(3, 0, number, len(setup.hands))
    while (seat := deal.turn) is not None:
        deal.apply(bots[seat].choose(view_of(deal, seat), deal.legal(), streams[seat]))
    return deal


def first_bids(deals: int, **overrides: Any) -> list[tuple[str, tuple[int, ...]]]:
    """What steady says first as the eldest in so many deals, and with which hand."""
    ruleset = made_rules(**overrides)
    bot = make_bot("steady")
    said = []
    for number in range(deals):
        deal = Deal(ruleset, setup_of(number, ruleset))
        action = bot.choose(view_of(deal, 0), deal.legal(), NoStream())
        said.append(("pass" if action.bid is None else action.bid.bid, tuple(deal.hands[0])))
    return said


def choice(deal: Deal) -> str:
    assert deal.turn is not None
    return str(make_bot("steady").choose(view_of(deal, deal.turn), deal.legal(), NoStream()))


# --- the registry --------------------------------------------------------------------------------


def test_every_bot_answers_to_its_name() -> None:
    assert set(BOTS) == {"random", "steady", "seer"}
    assert {name: make_bot(name).name for name in BOTS} == {name: name for name in BOTS}


def test_an_unknown_bot_gets_the_nearest_name_as_help() -> None:
    with pytest.raises(UsageError, match="did you mean steady"):
        make_bot("stead")


# --- random --------------------------------------------------------------------------------------


def test_random_takes_every_legal_action_equally_often_and_draws_only_to_choose() -> None:
    deal = sit(dealt("SA S2 CA SK"))
    bot, stream = make_bot("random"), Stream(1, 1, 1, Purpose.PLAY)
    legal = deal.legal()[:4]
    seen = Counter(bot.choose(view_of(deal, 0), legal, stream) for _ in range(4000))
    assert set(seen) == set(legal)
    assert all(900 < count < 1100 for count in seen.values())
    assert bot.choose(view_of(deal, 0), legal[:1], NoStream()) == legal[0]


# --- what steady may know -------------------------------------------------------------------------


def test_steady_is_deterministic_and_draws_nothing() -> None:
    ruleset = made_rules()
    for number in range(10):
        bots = [make_bot("steady") for _ in range(4)]
        deal = Deal(ruleset, setup_of(number, ruleset))
        while (seat := deal.turn) is not None:
            deal.apply(bots[seat].choose(view_of(deal, seat), deal.legal(), NoStream()))
        again = play(ruleset, setup_of(number, ruleset), [make_bot("steady")] * 4)
        assert deal.actions == again.actions


def test_cards_that_a_seat_has_not_seen_change_nothing_of_what_it_does() -> None:
    ruleset = made_rules()
    bot = make_bot("steady")
    compared = 0
    for number in range(40):
        setup = setup_of(number, ruleset)
        hidden = [setup.hands[1][0], setup.hands[2][0]]
        other = swapped(setup, *(format_card(c) for c in hidden))
        one, two = Deal(ruleset, setup), Deal(ruleset, other)
        while one.turn is not None and one.turn == two.turn:
            seat = one.turn
            if seat in (0, 3) and view_of(one, seat) == view_of(two, seat):
                compared += 1
                mine = [bot.choose(view_of(d, seat), d.legal(), NoStream()) for d in (one, two)]
                assert mine[0] == mine[1]
            action = bot.choose(view_of(one, seat), one.legal(), NoStream())
            if action not in two.legal():
                break
            one.apply(action)
            two.apply(action)
    assert compared > 200


def test_the_bots_know_views_and_never_the_deal_itself() -> None:
    for module in (steady, steady_play, steady_value, steady_features):
        assert not {"Deal", "Auction", "Declaration"} & set(vars(module))


def test_the_measured_tables_are_complete() -> None:
    for players in PLAYERS:
        for mode in steady_features.MODES:
            rows = measured(players).tricks[mode]
            assert len(rows) == steady_features.BUCKETS
            assert all(
                len(row) == hand_size(players) + 1 and sum(row) == 1000 and min(row) >= 0
                for row in rows
            )
        assert len(measured(players).premiers_of_16) == hand_size(players) + 1


@pytest.mark.parametrize("profile", ["mediateur-1752", "quintille"])
def test_the_tables_can_be_measured_again(monkeypatch: pytest.MonkeyPatch, profile: str) -> None:
    # A small measuring keeps its own copy of the weights that it improves on.  Quintille has no
    # contract without trumps or tricks, nor one whose trumps the ally names: they are measured with
    # its own hands all the same.
    weights = {n: dict(w) for n, w in measure_steady.WEIGHTS.items()}
    monkeypatch.setattr(measure_steady, "WEIGHTS", weights)
    made = measure_steady.main(profile, 40)
    table = measured(compile_reference(profile).ruleset.rules.table.players)
    modes = set(steady_features.MODES)
    assert set(made["weights"]) == set(made["tricks"]) == set(made["typical"]) == modes
    for mode, rows in made["tricks"].items():
        assert len(made["weights"][mode]) == len(table.weights[mode])
        assert all(sum(row) == 1000 for row in rows)
    assert len(made["premiers_of_16"]) == len(table.premiers_of_16)


def test_the_file_of_the_tables_is_as_a_measuring_writes_it() -> None:
    tables = {players: asdict(measured(players)) for players in PLAYERS}
    assert FILE.read_text("utf-8") == measure_steady.text_of(tables)


def test_a_better_hand_never_counts_on_fewer_tricks() -> None:
    for players in PLAYERS:
        for rows in measured(players).tricks.values():
            for worse, better in pairwise(rows):
                assert all(sum(worse[n:]) <= sum(better[n:]) for n in range(len(worse)))


# --- bidding --------------------------------------------------------------------------------------


def test_the_dearer_a_solo_is_paid_the_oftener_steady_bids_it() -> None:
    often = []
    for premium in (0, 2, 4, 8, 16, 32):
        said = first_bids(
            300,
            **{
                "payments.premium.solo": premium,
                "payments.in_favourite.premium.solo": premium,
                "payments.premium.nemo": 0,
            },
        )
        often.append(sum(bid == "solo" for bid, _ in said))
    assert often == sorted(often)
    assert often[-1] > often[1] > 0


def test_a_dearer_codille_makes_steady_more_careful() -> None:
    passes = []
    for adds in (0, 2, 4, 8):
        said = first_bids(300, **BASIC | {"loss.codille_adds": adds, "loss.codille_shared_from": 0})
        passes.append(sum(bid == "pass" for bid, _ in said))
    assert passes == sorted(passes)
    assert passes[-1] > passes[0]


def test_nemo_is_bid_where_it_pays_and_with_hands_that_can_lose() -> None:
    def hands(**overrides: Any) -> list[tuple[int, ...]]:
        return [hand for bid, hand in first_bids(300, **overrides) if bid == "nemo"]

    dear = hands()
    # A nemo that earns the pool alone, and costs it eight times over, is hardly worth the risk.
    assert len(dear) > 2 * len(hands(**{"payments.premium.nemo": 0, "loss.remise_adds": 8}))
    assert all(SPADILLE not in hand for hand in dear)


def test_where_nothing_can_be_lost_steady_never_passes() -> None:
    harmless = {
        "loss.remise_adds": 0,
        "loss.codille_adds": 0,
        "loss.remise_pays": [],
        "loss.codille_pays": [],
    }
    said = {bid for bid, _ in first_bids(60, **harmless | {"loss.codille_pool": "stays"})}
    assert "pass" not in said
    assert "pass" in {bid for bid, _ in first_bids(60)}


def test_a_vole_is_announced_with_every_trump_in_hand() -> None:
    deal = sit(dealt("SA S2 CA SK SQ SJ S7 S6 S5 S4"), **{"bids.solo.vole_with_bid": "announced"})
    assert choice(deal) == "bid solo+announced"


def test_a_strong_suit_that_is_favourite_is_bid_in_favourite() -> None:
    deal = sit(dealt("SA H7 CA HA HK HQ H2 DK CK D3", favourite=Suit(1)))
    assert "+favourite" in choice(deal)


# --- the game as it is played ---------------------------------------------------------------------


def outcomes(sessions: int, **overrides: Any) -> tuple[Counter[str], Counter[str], int]:
    """Contracts played, contracts won, and deals, in sessions of four steady players."""
    ruleset = made_rules(**overrides)
    bots = [make_bot("steady")] * 4
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for session in range(sessions):
        for deal in play_session(ruleset, bots, seed=11, session=session, deals=40):
            result = deal.deal.result()
            if result is not None and deal.settlement is not None:
                played[result.contract] += 1
                won[result.contract] += deal.settlement.outcome == "won"
    return played, won, sessions * 40


@pytest.mark.slow
def test_most_deals_have_a_bid_and_most_bids_are_won_but_not_all() -> None:
    played, won, deals = outcomes(15)
    assert deals - played["forced-spadille"] > 0.7 * deals
    assert len([bid for bid in played if played[bid] > 0.02 * deals]) >= 4
    voluntary = [bid for bid in played if bid != "forced-spadille"]
    rate = sum(won[b] for b in voluntary) / sum(played[b] for b in voluntary)
    assert 0.55 < rate < 0.8


def test_alliances_and_solos_are_won_at_a_plausible_rate() -> None:
    # Without médiateur, casco and the rest in reach: only alliances and solos are bid.
    needs = {
        f"bids.{b}.needs": ["SA", "S2", "CA", "H7", "D7"]
        for b in ("mediateur", "casco", "grandissimo", "nemo")
    }
    played, won, _ = outcomes(10, **BASIC | needs)
    assert played["solo"] > 10
    assert 0.55 < won["solo"] / played["solo"] < 0.85
    # with all hands seen the side would win nine in ten of these alliances: they are good contracts
    assert 0.55 < won["alliance"] / played["alliance"] < 0.93


def test_steady_beats_random_by_a_comfortable_margin() -> None:
    ruleset = made_rules()
    bots = [make_bot("steady"), make_bot("random"), make_bot("steady"), make_bot("random")]
    gain, deals = Fraction(0), 0
    for session in range(8):
        *_, last = play_session(ruleset, bots, seed=2, session=session, deals=40)
        purse = ruleset.rules.table.purse
        gain += last.holdings[0] + last.holdings[2] - 2 * purse
        gain -= last.holdings[1] + last.holdings[3] - 2 * purse
        deals += 40
    assert gain / deals > 4


@pytest.mark.parametrize(
    ("contract", "fewer"), [("nemo", True), ("solo", False), ("grandissimo", False)]
)
def test_steady_plays_a_contract_better_than_chance(contract: str, fewer: bool) -> None:
    ruleset = made_rules()
    tricks: Counter[str] = Counter()
    for number in range(150):
        for name in ("random", "steady"):
            bots: list[Bot] = [Forced(make_bot("steady"), None) for _ in range(4)]
            bots[0] = Forced(make_bot(name), contract)
            result = play(ruleset, setup_of(number, ruleset), bots, number).result()
            assert result is not None
            tricks[name] += result.tricks[0]
    assert (tricks["steady"] < 0.9 * tricks["random"]) == fewer
    assert fewer or tricks["steady"] > 1.1 * tricks["random"]


class Defends:
    """Plays as one bot when they are Hombre's ally, and as another against them."""

    name = "defends"

    def __init__(self, name: str) -> None:
        self.ally, self.adversary = make_bot("steady"), make_bot(name)

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        bot = self.ally if view.ally == view.seat else self.adversary
        return bot.choose(view, legal, stream)


@pytest.mark.parametrize(("contract", "sign"), [("nemo", 1), ("alliance", -1), ("solo", -1)])
def test_steady_defends_better_than_chance(contract: str, sign: int) -> None:
    ruleset = made_rules()
    tricks: Counter[str] = Counter()
    for number in range(150):
        for name in ("random", "steady"):
            bots: list[Bot] = [Forced(Defends(name), None) for _ in range(4)]
            bots[0] = Forced(make_bot("steady"), contract)
            result = play(ruleset, setup_of(number, ruleset), bots, number).result()
            assert result is not None
            tricks[name] += result.side_tricks()
    assert sign * (tricks["steady"] - tricks["random"]) > 150 // 4


@pytest.mark.parametrize(
    "overrides",
    [
        {"auction.all_pass": "redeal"},
        {"forcing.renege": "barred", "play.first_lead": "hombre"},
        {
            "forcing.forced_by": "played",
            "forcing.among_several": "alternative_excuses",
            "cards.red_plain_ace": "top",
        },
        {
            "auction.announced_vole_rank": "highest",
            "vole.consultation": "ask_or_declare",
            "premiers.claim": False,
        },
        {"bids.alliance.trump_by": "ally", "bids.alliance.call.queen_when": "always"},
        {
            "bids.mediateur.trump_when": "before_call",
            "bids.casco.needs": [],
            "bids.solo.goal": "all",
        },
        {"bids.mediateur.partner": "called", "bids.alliance.exchange": True},
        {
            "favourite.source": "drawn_each_deal",
            "favourite.suit": None,
            "payments.own_card_premium": True,
        },
        {
            "favourite.source": "first_trumps",
            "favourite.suit": None,
            "favourite.plain_bid_binds": False,
        },
        {"stakes.ante": 0, "stakes.unit_of": "constant", "stakes.unit": 1},
        {
            "stakes.unit_rounding": "up",
            "loss.codille_indivisible": "exact",
            "payments.pool_to": "hombre",
        },
        {"premiers.tricks": 2, "bids.alliance.tricks": 6, "bids.solo.tricks": 7},
        {
            "premiers.tricks": 5,
            "payments.matadors_four_in_black": True,
            "bids.solo.closes_auction": True,
        },
    ],
    ids=", ".join,
)
def test_bots_can_play_by_any_rules_and_make_possible_results(overrides: dict[str, Any]) -> None:
    ruleset = made_rules(**overrides)
    # who solves every hand they imagine needs a second for a deal
    for name in BOTS:
        many = 1 if name == "seer" else 40
        deals = list(play_session(ruleset, [make_bot(name)] * 4, seed=4, session=0, deals=many))
        assert len(deals) == many
        for deal in deals:
            result = deal.deal.result()
            # What the engine makes of a deal must be a result that the settlement desk accepts.
            assert result is None or impossible(ruleset.rules, result) == []


# --- single decisions -----------------------------------------------------------------------------


def test_a_king_is_called_of_the_suit_in_which_one_card_is_held() -> None:
    deal = sit(dealt("SA S2 SK SQ S7 H3 D3 D4 C3 C4"))
    say(deal, "bid alliance", "pass", "pass", "pass", "trump spades")
    assert choice(deal) == "call HK"


def test_a_long_strong_suit_is_named_trumps() -> None:
    deal = sit(dealt("SA H7 HA HK HQ H3 D3 D4 C3 C4"))
    say(deal, "bid alliance", "pass", "pass", "pass")
    assert choice(deal) == "trump hearts"


def test_a_weak_forced_player_invites_and_a_strong_one_names() -> None:
    weak = sit(dealt("SA H3 H4 D3 D4 C3 C4 S3 S4 C5"))
    strong = sit(dealt("SA H7 CA HA HK HQ H3 D3 D4 C3"))
    for deal in (weak, strong):
        say(deal, "pass", "pass", "pass", "pass")
    assert choice(strong) == "trump hearts"
    assert choice(weak) == "invite"


def test_the_worst_card_is_given_in_exchange() -> None:
    deal = sit(dealt("SA H7 HA HK HQ H3 CK CQ DQ S3"))
    say(deal, "bid mediateur", "pass", "pass", "pass", "call DK")
    assert choice(deal) == "give S3"


def test_the_last_hand_wins_as_cheaply_as_it_can() -> None:
    # Hombre (seat 2) is to be beaten in hearts by the last hand, which holds two cards that would
    # do.
    deal = sit(
        dealt("H3 D4", "H4 D5", "HJ SA D7 CA", "HK HQ H2 SK"), **{"forcing.renege": "barred"}
    )
    say(deal, "pass", "pass", "bid solo", "pass", "trump diamonds", "play H3", "play H4", "play HJ")
    assert choice(deal) == "play HQ"


def test_a_friend_s_trick_is_spared() -> None:
    # The adversary in seat 1 has the trick with the king; the last hand throws its lowest heart.
    deal = sit(dealt("H3 D4", "HK D5", "HJ SA D7 CA", "HQ H6 H2 SK"))
    say(deal, "pass", "pass", "bid solo", "pass", "trump diamonds", "play H3", "play HK", "play HJ")
    assert choice(deal) == "play H6"


def test_a_matador_is_not_wasted_on_a_trick_that_a_friend_has_won() -> None:
    # Hombre (seat 1) leads a low trump, a friend takes it with Manille, and the last hand keeps
    # Spadille.
    deal = sit(dealt("S2 H3", "S3 S4 S5 S6", "SK D4", "SA CA H4"), **{"play.first_lead": "hombre"})
    say(deal, "pass", "bid solo", "pass", "pass", "trump spades", "play S3", "play SK")
    card = choice(deal).split()[1]
    assert card not in ("SA", "CA")


def test_premiers_without_the_rest_are_claimed_and_a_sure_vole_is_played() -> None:
    def after_six(hand: str) -> Deal:
        deal = sit(dealt(hand), **{"play.first_lead": "hombre"})
        say(deal, "bid solo", "pass", "pass", "pass", "trump spades")
        while deal.phase == "play":
            assert deal.turn is not None
            order = Valuer(deal.rules).order(Suit(0))
            legal = [a for a in deal.legal() if a.card is not None]
            pick = max if deal.turn == 0 else min
            deal.apply(pick(legal, key=lambda a: order.strength[a.card or 0]))
        return deal

    assert choice(after_six("SA S2 CA SK SQ SJ S7 D3 D4 D5")) == "claim"
    assert choice(after_six("SA S2 CA SK SQ SJ S7 S6 S5 S4")) == "vole"


def test_the_value_of_a_hand_is_the_settlement_of_what_it_makes() -> None:
    rules = made_rules(**BASIC).rules
    valuer = Valuer(rules)
    paid = valuer.payment(
        BidSpec("solo"), 7, part=0, favoured=False, pool=Fraction(4), matadors=3, premiers=False
    )  # fmt: skip
    # The pool of 4, and 4 + 1 from each of three; nothing is left in the pool to hope for.
    assert paid == 19
    lost = valuer.payment(
        BidSpec("solo"), 5, part=0, favoured=False, pool=Fraction(4), matadors=0, premiers=False
    )  # fmt: skip
    # 4 to the pool and 4 to each; of the 8 that stay a quarter is as good as anyone's.
    assert lost == -16 + 2
    assert settle(rules, _solo_of(5)).pool_after == 8


def _solo_of(tricks: int) -> Any:
    from quadrille_core.engine.result import Result

    return Result(
        players=("0", "1", "2", "3"),
        pool=Fraction(4),
        contract="solo",
        trump=Suit(0),
        hombre=0,
        tricks=(tricks, 10 - tricks, 0, 0),
    )


def test_three_matadors_are_valued_only_with_both_black_aces_and_manille() -> None:
    valuer = Valuer(made_rules().rules)
    held = steady_play.mask_of(parse_cards("SA S2 CA SK"))
    assert valuer.matadors(held, Suit(0)) == 3
    assert valuer.matadors(held, Suit(1)) == 0
    assert valuer.matadors(held, NO_TRUMP) == 0
