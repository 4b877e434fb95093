"""How a ledger is told: in coins, on paper, as data."""

import csv
import io
import json
import time
from fractions import Fraction

import pytest
from quadrille_plugins.ledger.coins import PLAIN, denomination
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.report import derived_blocks
from quadrille_plugins.ledger.service import Ledger
from support.ledger import (
    ALLIES,
    LOST,
    NAMES,
    QUANTI,
    SOLO,
    compiled_once,
)

from quadrille_core import __version__
from quadrille_core.errors import UsageError

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
    assert (
        denomination(compiled_once(QUANTI).ruleset.rules.table.coins).text(Fraction(amount))
        == jettons
    )


def test_each_coin_of_1752_is_ten_of_the_one_below_and_the_rules_say_who_tells_so():
    compiled = compiled_once("mediateur-1752")
    coins = compiled.ruleset.rules.table.coins
    assert [(c.many, c.worth, c.each) for c in coins] == [
        ("jettons", 1, 10),
        ("fiches", 10, 19),
        ("mils", 100, 5),
    ]
    assert "parlett: Counters" in compiled.source_of("table.coins")


def test_a_session_is_told_in_the_coins_of_its_rules_unless_plain_counters_are_asked_for(
    begin, quadrille
):
    assert "7 mils" in quadrille("show", begin(coins="rules"))[1]
    assert "700" in quadrille("show", begin(coins="plain"))[1]
    assert " 40 " in quadrille("show", begin("quadrille-laws", coins="rules"))[1]
    state = json.loads(
        quadrille("show", begin("quadrille-modern", coins="rules"), "--format", "json")[1]
    )
    assert state["denominations"] == [{"one": "chip", "many": "chips", "worth": 1, "each": 40}]
    with pytest.raises(UsageError):
        begin(coins="florins")


def test_a_table_may_have_coins_of_its_own(begin, quadrille):
    pence = [
        {"one": "penny", "many": "pence", "worth": 1, "each": 28},
        {"one": "shilling", "many": "shillings", "worth": 12, "each": 1},
    ]
    assert (
        "3 shillings 4 pence"
        in quadrille("show", begin("quadrille-laws", coins="rules", table__coins=pence))[1]
    )


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
    assert [a["command"] for a in data["acts"]] == [
        "start",
        *["deal"] * 4,
        "correct",
        "substitute",
        "end",
    ]
    assert all(a["at"].startswith("20") and a["program"] == __version__ for a in data["acts"])
    held = {}
    for r in entries:
        held[r["from"]] = held.get(r["from"], 0) - Fraction(r["amount"])
        held[r["to"]] = held.get(r["to"], 0) + Fraction(r["amount"])
    assert {s["player"]: s["holds"] for s in data["standing"]} == {
        n: held[n] for n in (*NAMES, "Emma")
    }
    assert len(rows) - len(entries) == len(data["payments"]) > 0


@pytest.mark.parametrize("fmt", ["table", "json", "csv"])
def test_every_command_prints_in_every_format_and_nothing_depends_on_the_clock(
    fmt, tmp_path, quadrille
):
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
            status, out, err = quadrille(
                *(name if a == "FILE" else a for a in args), "--format", fmt
            )
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


# a solo of 4 tricks: a codille against three, whose pool of 4 does not divide
_CODILLE = {
    "contract": "solo",
    "trump": "hearts",
    "hombre": "Anne",
    "tricks": {"Anne": 4, "Beatrice": 6},
}


def test_a_pool_that_stays_at_a_codille_because_it_would_not_divide_says_so(begin, quadrille):
    path = begin()
    why = (
        "Cannot be shared evenly: 4, pool at codille: left in the pool (loss.codille_indivisible)."
    )
    assert why in " ".join(quadrille("deal", path, _CODILLE)[1].split())
    assert why in " ".join(quadrille("show", path, "--deal", 1)[1].split())
    for result in (SOLO, LOST):
        assert "Cannot be shared" not in quadrille("deal", path, result)[1]


def test_who_is_asked_reads_why_before_the_deal_is_recorded(begin):
    with Ledger(begin()) as ledger:
        table, journal = ledger.table(), ledger.journal()
        derived = table.derive(_CODILLE)
        *_, last = derived_blocks(journal, table.start.names, Fact("result", _CODILLE), derived)
    assert last.text.startswith("Cannot be shared evenly: 4, pool at codille: left in the pool")


def test_a_pool_that_stays_after_a_vole_missed_above_the_game_says_so(begin, quadrille):
    missed = {
        **_CODILLE,
        "contract": "vole",
        "tricks": {"Anne": 8, "Beatrice": 2},
        "premiers": True,
    }
    told = " ".join(quadrille("deal", begin(), missed)[1].split())
    assert (
        "The pool stays: an announced vole was missed, the game itself was made "
        "(vole.announced_failed)." in told
    )


def test_a_correction_shows_what_is_paid_now(begin, quadrille):
    """Who corrects a deal reads the new payments there, without asking for them again."""
    path = begin()
    quadrille("deal", path, LOST)
    told = quadrille("correct", path, 1, SOLO)[1]
    assert "Deal 1 is corrected" in told
    paid = quadrille("deal", begin(), SOLO)[1].partition("\n\nplayer")[0].partition("\n")[2]
    assert f"Solo by Anne: won (corrected)\n{paid}" in told
