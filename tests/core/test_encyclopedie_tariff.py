"""The tariff of the Encyclopédie, as it is paid: every figure of it by a deal that earns it."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.settle.possible import impossible
from quadrille_plugins.settle.result_file import read_result
from support.data import of_yaml
from support.table import dealt, lead, say

from quadrille_core.engine.carry import antes_of
from quadrille_core.engine.result import Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.errors import IllegalActionError, ResultError
from quadrille_core.ruleset import compile_reference

DATA = of_yaml(Path(__file__).parents[1] / "data" / "encyclopedie_tariff.yaml")
REF = "encyclopedie-mediateur"
FICHE = 10
SUITS = {"plain": "spades", "favourite": "hearts"}
TRICKS = {"won": (4, 2), "remise": (4, 1), "codille": (3, 1)}


def cells(block: str) -> list[Any]:
    """Every figure of a block, with the suit it is for and a name."""
    return [
        pytest.param(
            row, suit, id=f"{row['fact']}-{row.get('game', block)}-{row.get('ends', 'won')}-{suit}"
        )
        for row in DATA[block]
        for suit in SUITS
    ]


def paid(
    game: str, ends: str, suit: str, readings: dict[str, str] | None = None, **more: Any
) -> tuple[Any, Settlement]:
    """What a deal of this game with this end is settled at."""
    own, allied = TRICKS[ends]
    raw: dict[str, Any] = {
        "players": list("ABCD"),
        "pool": 14,
        "contract": game,
        "hombre": "A",
        "trump": SUITS[suit],
    }
    raw |= {"favourite": "hearts", "tricks": {"A": own + allied, "B": 10 - own - allied}}
    if game == "alliance":
        raw |= {"ally": "C", "tricks": {"A": own, "C": allied, "B": 10 - own - allied}}
    if game == "mediateur":
        raw["surrendered"] = "B"
    rules = compile_reference(REF, readings=readings).ruleset.rules
    result = read_result(raw | more, rules)
    assert impossible(rules, result) == []
    return result, settle(rules, result)


def between(settled: tuple[Any, Settlement], *rules: str) -> set[Fraction]:
    """What passes between each of Hombre's side and each adversary by these rules: one amount if
    all are alike."""
    result, settlement = settled
    side, against = result.side(), result.adversaries()
    sums = {(s, a): Fraction(0) for s in side for a in against}
    for t in settlement.transfers:
        if any(
            t.rule.removeprefix("payments.").removeprefix("in_favourite.").startswith(rule)
            for rule in rules
        ):
            won = settlement.outcome == "won"
            sums[(t.target, t.source) if won else (t.source, t.target)] += t.amount
    return set(sums.values())


@pytest.mark.parametrize(("row", "suit"), cells("games"))
def test_every_game_is_paid_as_it_is_printed(row: dict[str, Any], suit: str) -> None:
    settled = paid(row["game"], row["ends"], suit)
    assert settled[1].outcome == row["ends"]
    assert between(settled, "premium", "game", "consolation") == {row[suit]}


@pytest.mark.parametrize(("row", "suit"), cells("voles"))
def test_every_vole_is_paid_as_it_is_printed(row: dict[str, Any], suit: str) -> None:
    all_ten = {"A": 6, "C": 4} if row["game"] == "alliance" else {"A": 10}
    settled = paid(row["game"], "won", suit, tricks=all_ten, premiers=True, vole="undertaken")
    assert between(settled, "vole_premium") == {row[suit] * FICHE}


@pytest.mark.parametrize(("row", "suit"), cells("matadors"))
@pytest.mark.parametrize("held", [3, 4, 5, 9])
def test_every_matador_is_paid_as_it_is_printed(row: dict[str, Any], suit: str, held: int) -> None:
    assert between(paid("solo", "won", suit, matadors=held), "matadors") == {row[suit] * held}


@pytest.mark.parametrize(("row", "suit"), cells("fiche"))
def test_each_ally_has_a_fiche_besides(row: dict[str, Any], suit: str) -> None:
    result, settlement = paid("alliance", "won", suit)
    for ally in result.side():
        got = sum(
            t.amount
            for t in settlement.transfers
            if t.target == ally and t.rule.endswith(".allied")
        )
        assert got == row[suit]


def test_a_demande_that_is_lost_costs_no_fiche() -> None:
    for ends in ("remise", "codille"):
        assert not [
            t for t in paid("alliance", ends, "plain")[1].transfers if t.rule.endswith(".allied")
        ]


@pytest.mark.parametrize(
    ("tricks", "pays"), [({"A": 4, "C": 1, "B": 5}, True), ({"A": 3, "C": 2, "B": 5}, False)]
)
def test_the_called_king_who_made_two_tricks_pays_neither_beast_nor_consolation(
    tricks: Any, pays: bool
) -> None:
    """W2.10."""
    result, settlement = paid("alliance", "remise", "plain", tricks=tricks)
    assert any(t.source == result.ally for t in settlement.transfers) == pays
    assert settlement.pool_after == 28


def test_who_gave_up_the_king_pays_as_the_others_do() -> None:
    """W2.11: sixteen from each, and nobody is excepted."""
    assert paid("mediateur", "won", "plain")[1].net == (14 + 3 * 16, -16, -16, -16)


@pytest.mark.parametrize(
    ("reading", "held", "amount"),
    [
        ("spadille_two_fiches", 3, 40),
        ("spadille_two_fiches", 5, 60),
        ("two_each_of_three", 5, 6),
        ("not_paid", 3, 0),
    ],
)
def test_the_matadors_of_some_houses(reading: str, held: int, amount: int) -> None:
    """W2.13: two fiches for Spadille and one for each other; or three are counted, or none."""
    settled = paid("solo", "won", "plain", {"matadors_scheme": reading}, matadors=held)
    assert between(settled, "matadors") == {amount}


MISSED = {"tricks": {"A": 9, "B": 1}, "premiers": True, "vole": "undertaken"}


def test_a_vole_missed_costs_what_it_would_have_earned() -> None:
    """Forty to each, whoever has the rest."""
    for takers in ("adversaries", "side"):
        result, settlement = paid("solo", "won", "plain", {"failed_vole_takers": takers}, **MISSED)
        assert {
            (t.source, t.target, t.amount) for t in settlement.transfers if "vole_premium" in t.rule
        } == {(result.hombre, a, 40) for a in result.adversaries()}


@pytest.mark.parametrize(
    ("game", "takers", "net"),
    [
        # 26 and the vole's 40 from Hombre to each of three, and of the stake 5, 5, 4
        ("solo", "adversaries", (-3 * 66, 66 + 5, 66 + 5, 66 + 4)),
        # the game is kept: 14, and 26 from each of three, less 40 to each
        ("solo", "side", (-28, 14, 14, 14)),
        # from each ally 6, half a fiche and the vole's 20 to each of two, who halve the stake
        ("alliance", "adversaries", (-2 * 31, 2 * 31 + 7, -2 * 31, 2 * 31 + 7)),
        ("alliance", "side", (7 + 2 * 11 - 2 * 20, 18, 7 + 2 * 11 - 2 * 20, 18)),
    ],
)
def test_who_has_what_a_game_earns_whose_vole_was_missed(
    game: str, takers: str, net: tuple[int, ...]
) -> None:
    """W2.6: to the letter the others; by the sentence that it copies those who undertook it."""
    tricks = {"A": 6, "C": 3, "B": 1} if game == "alliance" else MISSED["tricks"]
    readings = {"failed_vole_takers": takers}
    settlement = paid(game, "won", "plain", readings, **(MISSED | {"tricks": tricks}))[1]
    assert (settlement.net, settlement.pool_after) == (net, 0)


def test_no_vole_is_undertaken_before_the_called_king_has_appeared() -> None:
    """W2.6: with the king hidden six tricks are played on from without a word, and it then may be
    undertaken by leading on."""
    ruleset = compile_reference(REF).ruleset
    hands = ("SA S2 CA SK SQ SJ S7 S6 S5 D7", "", "DK H2 H3 H4 H5 H6 HQ C2 C3 C4")
    deal = Deal(ruleset, dealt(*hands, packets=(3, 3, 4), pool=14))
    say(deal, "bid alliance", "pass", "pass", "pass", "trump spades", "call DK")
    lead(deal, "SA", "S2", "CA", "SK", "SQ", "SJ")
    assert deal.phase == "play"
    lead(deal, "D7")
    assert (deal.phase, {str(action.kind) for action in deal.legal()}) == (
        "vole",
        {"claim", "vole"},
    )


def test_a_forced_game_may_not_undertake_the_vole() -> None:
    raw = {
        "players": list("ABCD"),
        "pool": 14,
        "contract": "forced-spadille",
        "hombre": "A",
        "ally": "C",
    }
    raw |= {"trump": "spades", "tricks": {"A": 10}, "vole": "undertaken"}
    with pytest.raises(ResultError):
        read_result(raw, compile_reference(REF).ruleset.rules)


def test_the_dealer_puts_a_fiche_besides_the_jeton_of_each() -> None:
    """W2.7: fourteen in all."""
    assert antes_of(compile_reference(REF).ruleset.rules, (0, 1, 2, 3)) == (1, 1, 1, 11)


def test_cards_are_dealt_by_twice_three_and_once_four() -> None:
    """W2.2."""
    ruleset = compile_reference(REF).ruleset
    Deal(ruleset, dealt("SA", packets=(3, 3, 4), pool=14))
    with pytest.raises(IllegalActionError, match="4-3-3"):
        Deal(ruleset, dealt("SA", packets=(4, 3, 3), pool=14))


def test_who_holds_spadille_plays_when_all_have_passed() -> None:
    """W2.3."""
    deal = Deal(compile_reference(REF).ruleset, dealt("", "SA", packets=(3, 3, 4), pool=14))
    say(deal, *["pass"] * 4)
    assert (deal.hombre, deal.contract.bid) == (1, "forced-spadille")
