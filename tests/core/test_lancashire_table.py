"""The Lancashire table, as it is paid: every figure of it by a deal that earns it."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.settle.possible import impossible
from quadrille_plugins.settle.result_file import read_result
from support.data import of_yaml

from quadrille_core.cards import PACK
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.auction import PASS, Auction, Ladder
from quadrille_core.engine.carry import antes_of
from quadrille_core.engine.result import FUND, POOL, Settlement
from quadrille_core.engine.settle import due, settle
from quadrille_core.ruleset import compile_reference

DATA = of_yaml(Path(__file__).parents[1] / "data" / "lancashire_table.yaml")
SUITS = {"plain": "spades", "hearts": "hearts"}
HELD = (0, 3, 4)


def paid(
    game: str, suit: str, won: int, readings: dict[str, str] | None = None, **more: Any
) -> tuple[Any, Settlement]:
    """What a deal is settled at in which Hombre's side made that many tricks."""
    raw: dict[str, Any] = {
        "players": list("ABCD"),
        "pool": 8,
        "contract": game,
        "hombre": "A",
        "trump": SUITS[suit],
    }
    raw |= {"favourite": "hearts", "tricks": {"A": won, "B": 10 - won}}
    if game == "alliance":
        raw |= {"ally": "C", "tricks": {"A": won - 2, "C": 2, "B": 10 - won}}
    if game == "mediateur":
        raw["surrendered"] = "B"
    if won == 10:
        raw |= {"vole": "undertaken", "premiers": True}
    rules = compile_reference("hoyle-improved", readings=readings).ruleset.rules
    result = read_result(raw | more, rules)
    if "claims" not in more:
        result = replace(result, claims=due(rules, result))
    assert impossible(rules, result) == []
    return result, settle(rules, result)


def figures() -> list[Any]:
    """Every figure: its row, suit and matadors."""
    return [
        pytest.param(
            row,
            suit,
            place,
            id=f"{row['fact']}-{row['game']}{'-vole' if 'vole' in row else ''}-{suit}-{held}",
        )
        for row in DATA["rows"]
        for suit in SUITS
        for place, held in enumerate(HELD)
    ]


def from_adversaries(result: Any, settlement: Settlement) -> set[Fraction]:
    """What each adversary pays Hombre's side: one amount where all are alike."""
    sums = dict.fromkeys(result.adversaries(), Fraction(0))
    for t in settlement.transfers:
        if t.source in sums and t.target in result.side():
            sums[t.source] += t.amount
    return set(sums.values())


@pytest.mark.parametrize(("row", "suit", "place"), figures())
def test_every_figure_of_the_table_is_paid(row: dict[str, Any], suit: str, place: int) -> None:
    result, settlement = paid(row["game"], suit, 10 if row.get("vole") else 6, matadors=HELD[place])
    assert from_adversaries(result, settlement) == {row[suit][place]}


@pytest.mark.parametrize("suit", SUITS)
@pytest.mark.parametrize(
    "row", DATA["rows"], ids=lambda r: f"{r['game']}{'-vole' if 'vole' in r else ''}"
)
def test_every_draw_of_the_table_comes_out_of_the_pool_beside_the_board(
    row: dict[str, Any], suit: str
) -> None:
    result, settlement = paid(row["game"], suit, 10 if row.get("vole") else 6)
    rule = ".fund_vole." if row.get("vole") else ".fund_game."
    for seat in result.side():
        drawn = sum(
            t.amount
            for t in settlement.transfers
            if (t.source, t.target) == (FUND, seat) and rule in t.rule
        )
        assert drawn == row["pool"][suit]


def test_a_vole_with_a_friend_has_the_draw_of_the_game_too() -> None:
    """'Game + 5 apiece of the pool': one for the game and five for the vole."""
    _, settlement = paid("alliance", "plain", 10)
    assert sum(t.amount for t in settlement.transfers if (t.source, t.target) == (FUND, 0)) == 1 + 5


@pytest.mark.parametrize("row", DATA["king"], ids=lambda r: r["suit"])
@pytest.mark.parametrize("won", [6, 5])
def test_who_gave_up_the_king_has_its_price_however_the_game_ends(
    row: dict[str, Any], won: int
) -> None:
    _, settlement = paid("mediateur", row["suit"], won)
    prices = [
        (t.source, t.target, t.amount) for t in settlement.transfers if t.rule.endswith(".king")
    ]
    assert prices == [(0, 1, row["fish"])]


def test_the_board_is_doubled_by_every_beast() -> None:
    """W4.16: 8, 16, 32, 64."""
    boards = DATA["boards"][0]["boards"]
    after = [paid("solo", "plain", 5, pool=board)[1].pool_after for board in boards[:-1]]
    assert after == boards[1:]


@pytest.mark.parametrize("row", DATA["off_the_board"], ids=lambda r: f"{r['board']}-{r['suit']}")
def test_a_beast_off_the_board_is_paid_out_of_the_pool(row: dict[str, Any]) -> None:
    result, settlement = paid("solo", row["suit"], 4, pool=row["board"])
    drawn = {t.target: t.amount for t in settlement.transfers if t.source == FUND}
    assert drawn == dict.fromkeys(result.adversaries(), row["fish"])


@pytest.mark.parametrize("row", DATA["lost_vole"], ids=lambda r: f"{r['matadors']}")
def test_a_lost_vole_in_hearts_costs_four_less_what_matadors_earn(row: dict[str, Any]) -> None:
    tricks = {"A": 7, "C": 2, "B": 1}
    result, settlement = paid("alliance", "hearts", 10, tricks=tricks, matadors=row["matadors"])
    assert {settlement.net[seat] for seat in result.adversaries()} == {row["fish"]}


@pytest.mark.parametrize("row", DATA["lost_vole_each"], ids=lambda r: r["suit"])
@pytest.mark.parametrize("game", ["alliance", "mediateur", "solo"])
def test_a_lost_vole_costs_the_same_in_every_game(game: str, row: dict[str, Any]) -> None:
    """W4.18 tells of no game in particular, whatever the vole would have earned in it."""
    tricks = {"A": 7, "C": 2, "B": 1} if game == "alliance" else {"A": 9, "B": 1}
    result, settlement = paid(game, row["suit"], 10, tricks=tricks)
    lost = [
        (t.target, t.amount) for t in settlement.transfers if t.reason == "vole undertaken lost"
    ]
    assert sorted(lost) == [(seat, row["fish"]) for seat in result.adversaries()]


@pytest.mark.parametrize(("game", "each"), [("alliance", 8), ("mediateur", 16), ("solo", 16)])
def test_by_law_21_the_vole_draws_double_the_stake(game: str, each: int) -> None:
    """W4.13: sixteen out of the pool at a board of eight, which two halve."""
    result, settlement = paid(game, "plain", 10, {"vole_draws": "law_21", "fund": "left_out"})
    drawn = {t.target: t.amount for t in settlement.transfers if t.source == FUND}
    assert drawn == dict.fromkeys(result.side(), each)
    assert sum(drawn.values()) == 16


def test_who_calls_and_does_not_make_three_is_beasted_alone_unless_forced() -> None:
    """W4.14."""
    for contract, alone in (("alliance", True), ("forced-spadille", False)):
        tricks = {"A": 2, "C": 3, "B": 5}
        _, settlement = paid("alliance", "plain", 5, contract=contract, tricks=tricks)
        assert (settlement.net[2] == 0) == alone
        assert settlement.pool_after == 16


def test_what_is_not_claimed_before_the_next_deal_is_lost() -> None:
    """Law 9."""
    _, settlement = paid("solo", "plain", 6, matadors=3, claims=[])
    assert [lapsed.item for lapsed in settlement.lapsed] == ["premium", "matadors"]
    assert settlement.net == (8, 0, 0, 0)


def test_the_late_hoyle_is_played_in_ten_tours() -> None:
    """Forty deals, with counters of one fish and of ten."""
    table = compile_reference("hoyle-improved").ruleset.rules.table
    assert (table.session_deals, table.session_multiple) == (10 * table.players, table.players)
    assert [coin.worth for coin in table.coins] == [1, 10]
    assert sum(coin.worth * coin.each for coin in table.coins) == table.purse


def test_the_first_board_is_of_eight_fish_or_of_the_dealer_s_own() -> None:
    """W4.16 knows a board of eight, and W4.4 the fish of the dealer; neither says who lays down
    what."""
    rules = compile_reference("hoyle-improved").ruleset.rules
    assert antes_of(rules, (0, 1, 2, 3)) == (2, 2, 2, 2)
    rules = compile_reference(
        "hoyle-improved", readings={"stake_laid": "dealers_fish"}
    ).ruleset.rules
    assert antes_of(rules, (0, 1, 2, 3)) == (0, 0, 0, 1)


def test_the_six_bids_of_the_late_hoyle_overcall_one_another_in_its_order() -> None:
    """W4.7: asking, mediateur and alone, each below itself in the favourite suit."""
    ladder = Ladder(compile_reference("hoyle-improved").ruleset.rules)
    order = [
        BidSpec(bid, fav) for bid in ("alliance", "mediateur", "solo") for fav in (False, True)
    ]
    heights = [ladder.levels[spec] for spec in order]
    assert heights == sorted(heights)
    assert len(set(heights)) == 6


@pytest.mark.parametrize(
    ("profile", "reading", "over", "alone"),
    [
        ("hoyle-improved", "to_solo", BidSpec("mediateur"), True),
        ("hoyle-improved", "to_solo", BidSpec("alliance", favourite=True), True),
        ("hoyle-improved", "if_forced", BidSpec("mediateur"), False),
        ("hoyle-improved", "if_forced", BidSpec("solo"), True),
        ("hoyle-improved", "to_solo", BidSpec("solo"), True),
        ("encyclopedie-mediateur", "if_forced", BidSpec("mediateur"), False),
        ("encyclopedie-mediateur", "to_solo", BidSpec("mediateur"), True),
    ],
)
def test_who_asked_and_is_overcalled_by_a_mediateur_may_play_alone(
    profile: str, reading: str, over: BidSpec, alone: bool
) -> None:
    """W4.4: who asked is required by a younger to pass or to play alone; by another reading of law
    27 only who would play alone forces it. The solo of a younger is matched by the elder."""
    rules = compile_reference(profile, readings={"elder_may_raise": reading}).ruleset.rules
    hands = [PACK[10 * seat : 10 * seat + 10] for seat in range(4)]
    auction = Auction(Ladder(rules), hands, rules.favourite.suit)
    for action in (Action("bid", bid=BidSpec("alliance")), Action("bid", bid=over), PASS, PASS):
        auction.apply(action)
    assert auction.turn == 0
    assert (Action("bid", bid=BidSpec("solo")) in auction.legal()) == alone


def test_the_late_hoyle_lets_a_mediateur_drive_an_asker_to_play_alone() -> None:
    """What the terms say is in force by default; where no text was read the asker stays bound."""
    for profile, how in (("hoyle-improved", "to_solo"), ("encyclopedie-mediateur", "if_forced")):
        assert compile_reference(profile).ruleset.rules.auction.elder_may_raise == how


@pytest.mark.parametrize(
    ("reading", "each", "board"), [("both", 4, 16), ("each_in_full", 8, 24), ("hombre", 8, 16)]
)
def test_at_a_board_of_eight_two_halve_the_beast_or_each_pays_it(
    reading: str, each: int, board: int
) -> None:
    """W4.16: with a friend each pays eight, and makes a sixteen board; both cannot be to the
    letter. One who is beasted alone pays it once."""
    _, settlement = paid("alliance", "plain", 5, {"pool_penalty": reading})
    put = {t.source: t.amount for t in settlement.transfers if t.target == POOL}
    assert put == dict.fromkeys((0,) if reading == "hombre" else (0, 2), each)
    assert (settlement.pool_after, settlement.beast) == (board, board - 8)
    _, settlement = paid(
        "alliance", "plain", 5, {"pool_penalty": reading}, tricks={"A": 2, "C": 3, "B": 5}
    )
    assert settlement.pool_after == 16
