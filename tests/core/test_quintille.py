"""Five hands: settlements worked by hand, the game at the table, and what four and five cannot
share."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.deal.record import replay, to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.settle.possible import impossible
from quadrille_plugins.settle.result_file import account_name, read_result
from quadrille_plugins.shell.main import run
from support import five_hands
from support.data import of_yaml
from support.table import dealt, hands_from_pack, pack_order, say, sit

from quadrille_core.engine.carry import antes_of, chairs_of
from quadrille_core.engine.deal import DealSetup, shuffled_hands
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import IllegalActionError, ProfileError
from quadrille_core.ruleset import compile_reference

CASES = of_yaml(Path(__file__).parents[1] / "data" / "quintille.yaml")["cases"]
FIVE = tuple("ABCDE")
QUINTILLE = compile_reference("quintille").ruleset


# --- settlements ----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["name"])
def test_settlement_at_five_hands(case: dict[str, Any]) -> None:
    chosen = {"readings": case.get("readings", {}), "settings": case.get("settings", {})}
    rules = compile_reference("quintille", **chosen).ruleset.rules
    result = read_result({"players": list(FIVE), **case["result"]}, rules)
    assert impossible(rules, result) == []
    settlement = settle(rules, result)
    assert (settlement.outcome, settlement.vole) == (case["outcome"], case.get("vole", "none"))
    assert list(settlement.net) == [Fraction(n) for n in case["net"]]
    assert settlement.pool_after == Fraction(case["pool_after"])
    assert sum(settlement.net) + settlement.pool_after == settlement.pool_before
    if "transfers" in case:
        assert [
            f"{account_name(t.source, FIVE)} {account_name(t.target, FIVE)} {t.amount} "
            f"{t.reason} {t.rule}"
            for t in settlement.transfers
        ] == case["transfers"]


@pytest.mark.parametrize("amount", range(1, 8))
def test_the_halves_of_an_item_differ_by_one_counter_at_most_and_that_one_is_hombres(
    amount: int,
) -> None:
    """Whatever three adversaries pay once, and whatever is paid back to them once."""
    rules = compile_reference(
        "quintille", settings={"stakes.unit_of": "constant", "stakes.unit": amount}
    ).ruleset.rules
    for tricks, sign in (({"A": 3, "C": 2, "B": 3}, 1), ({"A": 2, "C": 2, "B": 4}, -1)):
        plain = {
            "pool": 10,
            "contract": "alliance",
            "trump": "clubs",
            "hombre": "C",
            "ally": "A",
            "matadors": 3,
        }
        net = settle(
            rules, read_result({"players": list(FIVE), **plain, "tricks": tricks}, rules)
        ).net
        hombre, ally = (sign * (net[seat] - sign * 5) for seat in (2, 0))
        assert hombre + ally == 3 * amount
        assert hombre - ally == (3 * amount) % 2
        assert [net[s] for s in (1, 3, 4)] == [-sign * amount] * 3


# --- the table ------------------------------------------------------------------------------------


def table(*hands: str, **overrides: Any) -> Deal:
    return sit(dealt(*hands, players=5, pool=5), **five_hands(**overrides))


def test_five_sit_down_to_eight_cards_and_eight_tricks() -> None:
    played = next(iter(play_session(QUINTILLE, [FivePasser()] * 5, seed=2, session=0, deals=1)))
    deal = played.deal
    assert [len(h) for h in played.setup.hands] == [8] * 5
    assert played.setup.packets == (4, 4)
    assert len(deal.tricks) == 8 or deal.events[-1].note == "the game is claimed"
    assert all(len(t.cards) == 5 for t in deal.tricks)
    assert deal.contract is not None
    assert deal.contract.bid == "forced-spadille"


class FivePasser:
    """Passes, and takes the first action where they may not."""

    name = "passer"

    def choose(self, view: Any, legal: Any, stream: Any) -> Any:
        return legal[0]


def test_all_five_are_asked_before_the_game_is_forced_on_the_holder_of_spadille() -> None:
    deal = table("", "", "", "", "SA")
    say(deal, "pass", "pass", "pass", "pass")
    assert deal.turn == 4
    say(deal, "pass")
    assert (deal.forced, deal.hombre) == (True, 4)


def test_the_deal_goes_round_five_chairs_and_five_antes_are_put() -> None:
    for number in range(11):
        assert chairs_of(number + 1, 5)[4] == chairs_of(number, 5)[0]
        assert sorted(chairs_of(number, 5)) == [0, 1, 2, 3, 4]
    assert antes_of(QUINTILLE.rules, chairs_of(3, 5)) == (1,) * 5
    dealer = compile_reference("quintille", readings={"ante": "dealer_five"}).ruleset.rules
    assert antes_of(dealer, chairs_of(1, 5)) == (5, 0, 0, 0, 0)


def test_the_pack_rebuilt_from_five_hands_deals_them_again_by_fours() -> None:
    hands = shuffled_hands(1, 0, 0, QUINTILLE.rules)
    pack = pack_order(hands, (4, 4))
    assert sorted(pack) == list(range(40))
    assert pack[4:8] == hands[1][:4]
    assert hands_from_pack(pack, (4, 4), 5) == hands


# --- four and five --------------------------------------------------------------------------------


@pytest.fixture
def record() -> dict[str, Any]:
    """A deal of five, as JSON holds it."""
    played = next(iter(play_session(QUINTILLE, [FivePasser()] * 5, seed=2, session=0, deals=1)))
    return json.loads(json.dumps(to_record(played.deal, played.settlement)))  # type: ignore[no-any-return]


def test_a_deal_of_five_replays_to_itself_and_not_under_rules_for_four(
    record: dict[str, Any],
) -> None:
    assert replay(QUINTILLE, record).divergence is None
    again = replay(compile_reference("quadrille-laws").ruleset, record)
    assert again.deal is None
    assert again.divergence is not None
    assert (
        again.divergence.reason
        == "five players sit down, where these rules seat four (table.players)"
    )


def test_a_deal_of_four_cannot_be_dealt_to_five() -> None:
    hands = shuffled_hands(1, 0, 0, compile_reference("quadrille-laws").ruleset.rules)
    with pytest.raises(
        IllegalActionError, match="four players sit down, where these rules seat five"
    ):
        Deal(QUINTILLE, DealSetup(hands=hands, pool=Fraction(4)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": list("ABCDEF")}, "6 players sit down, not four or five"),
        ({"players": list("ABCD")}, "four hands are dealt, not 5"),
        ({"packets": [3, 3, 4]}, "packets that make 8 cards, such as \\[4, 4\\]"),
    ],
)
def test_a_record_of_five_that_cannot_be_is_refused(
    record: dict[str, Any], change: dict[str, Any], message: str
):
    with pytest.raises(Exception, match=message):
        replay(QUINTILLE, record | change)


def test_a_table_of_four_and_a_table_of_five_are_not_compared(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for one, other in (("quintille", "quanti-1822"), ("quanti-1822", "quintille")):
        assert run(["compare", one, other, "--deals", "40"]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert "there are no deals that could be played under both" in told.err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"table.players": 4}, "4 players with 8 cards each do not share out a pack of 40"),
        ({"table.hand_cards": 10}, "5 players with 10 cards each do not share out a pack of 40"),
        (
            {"payments.allies_paid": "one_to_one"},
            "with 5 players each ally cannot be paid by one opponent",
        ),
        ({"premiers.tricks": 9}, "premiers of 9 tricks cannot be made with 8 cards"),
        ({"bids.solo.tricks": 9}, "9 tricks do not win a game of 8"),
        (
            {"bids.alliance.hombre_least_tricks": 9},
            "more tricks are asked of Hombre than are played",
        ),
    ],
)
def test_rules_that_five_cannot_play_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ProfileError, match=message):
        compile_reference("quintille", settings=settings)


def test_one_to_one_is_no_matter_where_nobody_has_an_ally() -> None:
    never = {f"bids.{bid}.made": "never" for bid in ("alliance", "forced-spadille")}
    settings = {"payments.allies_paid": "one_to_one", "auction.all_pass": "redeal", **never}
    assert (
        compile_reference("quintille", settings=settings).value_of("payments.allies_paid")
        == "one_to_one"
    )


# --- with the mechanics ---------------------------------------------------------------------------

MECHANICS = (
    "favourite",
    "mediateur",
    "casco",
    "grandissimo",
    "nemo",
    "vole-announced",
    "three-tricks",
)


@pytest.fixture
def extended(tmp_path: Path) -> Any:
    """Quintille with plugins besides."""

    def extend(*plugins: str) -> str:
        path = tmp_path / "five.yaml"
        named = "".join(f"  - plugin: {p}\n" for p in plugins)
        path.write_text(
            f"kind: profile\nid: five\ntitle: Five\nextends: quintille\nplugins:\n{named}"
        )
        return str(path)

    return extend


def test_whoever_names_the_mechanics_at_five_hands_wins_by_five_tricks(extended: Any) -> None:
    rules = compile_reference(extended(*MECHANICS)).ruleset.rules
    asked = {name: bid.tricks for name, bid in rules.bids.items()}
    assert asked == dict.fromkeys(
        ("alliance", "solo", "mediateur", "casco", "grandissimo", "forced-spadille"), 5
    ) | {"nemo": 0}
    four = compile_reference("mediateur-1752").ruleset.rules
    assert {bid.tricks for name, bid in four.bids.items() if bid.goal == "at_least"} == {6}


def test_a_mediateur_among_five_is_won_by_five_tricks_and_whoever_gave_the_king_owes_no_premium(
    extended: Any,
) -> None:
    ruleset = compile_reference(extended("mediateur")).ruleset
    plain = {
        "players": list(FIVE),
        "pool": 5,
        "contract": "mediateur",
        "trump": "clubs",
        "hombre": "A",
    }
    result = read_result(
        {**plain, "surrendered": "D", "tricks": {"A": 5, "B": 3}, "matadors": 3}, ruleset.rules
    )
    settlement = settle(ruleset.rules, result)
    # the pool of 5; u = 1: matadors from all four, the médiateur's premium from three
    assert settlement.net == (12, -2, -2, -1, -2)
    lost = read_result({**plain, "surrendered": "D", "tricks": {"A": 4, "B": 4}}, ruleset.rules)
    assert settle(ruleset.rules, lost).outcome == "remise"


@pytest.mark.parametrize(
    "bid", ["mediateur", "casco", "grandissimo", "nemo", "solo+favourite", "solo+announced"]
)
def test_every_mechanic_is_played_out_among_five(extended: Any, bid: str) -> None:
    ruleset = compile_reference(extended(*MECHANICS)).ruleset
    outcomes = set()
    for played in play_session(ruleset, [FiveWants(bid)] * 5, seed=3, session=0, deals=200):
        contract = played.deal.contract
        assert contract is not None
        if str(contract) == bid and played.settlement is not None:
            outcomes.add(played.settlement.outcome)
            record = to_record(played.deal, played.settlement)
            assert replay(ruleset, json.loads(json.dumps(record))).divergence is None
    assert outcomes


class FiveWants:
    """Bids one thing whenever it may, passes otherwise, and plays at random."""

    name = "wants"

    def __init__(self, bid: str) -> None:
        self.bid = f"bid {bid}"

    def choose(self, view: Any, legal: Any, stream: Any) -> Any:
        if view.phase == "auction":
            return next((a for a in legal if str(a) == self.bid), legal[0])
        return legal[stream.below(len(legal))]
