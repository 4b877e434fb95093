"""The ledger's catalogue: names of accounts, amounts and sentences come from it alone."""

import re
import string
from fractions import Fraction
from pathlib import Path

import pytest
from quadrille_plugins.ledger import ending_report, evenings_report, report, words
from quadrille_plugins.ledger.coins import Denomination
from quadrille_plugins.ledger.ending import ending_of
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.shell.blocks import Table
from support.ledger import LOST, NAMES, SOLO

from quadrille_core.rules import Coin


def foreign(found):
    """Every word of a catalogue as another language might have it: fields in brackets, no letter
    of ours."""
    if isinstance(found, dict):
        return {key: foreign(value) for key, value in found.items()}
    parts = string.Formatter().parse(found)
    return "§" + "".join(f"⟨{{{name}}}⟩" if name is not None else "" for _, name, _, _ in parts)


@pytest.fixture
def abroad(monkeypatch):
    """The ledger with a foreign catalogue."""
    there = foreign(words.catalogue())
    monkeypatch.setattr(words, "catalogue", lambda: there)


def test_standing_and_end_say_nothing_that_is_not_in_the_catalogue(begin, quadrille, abroad):
    """With foreign words, what is left in letters of ours are players' names and coins."""
    path = begin(coins="rules")
    for deal in (SOLO, LOST):
        assert quadrille("deal", path, deal)[0] == 0
    with Ledger(path) as ledger:
        journal = ledger.journal()
    blocks = [
        *report.standing_blocks(journal, 2),
        *evenings_report.evenings_blocks([(Path("1"), journal), (Path("2"), journal)]),
        report.net_block(journal, journal.movements_of(2)),
        *(
            b
            for split in (True, False)
            for b in ending_report.ending_blocks(journal, ending_of(journal, split))
        ),
    ]
    text = " ".join(
        " ".join([b.title, *b.columns, *(c for row in b.rows for c in row)])
        if isinstance(b, Table)
        else b.text
        for b in blocks
    )
    text = text.replace(report.rules_text(journal), "")
    assert "§" in text
    coins = {word for coin in journal.coins.coins for word in (coin.one, coin.many)}
    assert set(re.findall(r"[A-Za-z]+", text)) <= {*NAMES, *coins}


@pytest.mark.parametrize("amount", [Fraction(-9, 2), Fraction(12), Fraction(-12)], ids=str)
def test_amounts_are_put_together_by_the_catalogue(abroad, amount):
    """Sign, fraction, number and unit each have their form there."""
    kinds = Denomination(
        tuple(
            Coin(one=o, many=m, worth=w, each=0)
            for o, m, w in (("ten", "tens", 10), ("few", "few", 1))
        )
    )
    text = kinds.text(amount, sign=True)
    assert text.count("§") >= 3
    assert not re.search("[+−]", text)
    assert set(re.findall("[a-z]+", text)) <= {"ten", "tens", "few"}
