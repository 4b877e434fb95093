"""What a command of the ledger costs, and what it trusts: the last standing, certified with every
row."""

import json
import random
import unicodedata

import pytest
from quadrille_plugins.ledger import reckoning, service
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.service import Ledger, start
from support.ledger import LOST, SOLO, random_result, resealed, result, rewrite

from quadrille_core.errors import QuadrilleError
from quadrille_core.ruleset import compile_reference

RULES = {
    "the pool alone": {},
    "games that count several times": {"multiplier__after_losses": "counted"},
    "beasts that wait": {"loss__beasts": "wait"},
    "purses refilled": {"table__purse_empty": "refill", "table__purse": 20, "table__coins": []},
    "the first trumps favourite": {"favourite__source": "first_trumps", "favourite__suit": None},
}
REFS = dict.fromkeys(RULES, "quanti-1822@parlett") | {
    "games that count several times": "quadrille-laws",
    "the first trumps favourite": "mediateur-1752",
}


def recorded(ledger, count, rng):
    """Record that many deals; a result that these rules know not is passed over."""
    done = 0
    while done < count:
        try:
            ledger.record(Fact("void") if rng.random() < 0.05 else result(random_result(rng)))
        except QuadrilleError:
            continue
        done += 1


@pytest.fixture
def counted(monkeypatch):
    """How often a deal is derived."""
    count = {"derived": 0}
    for module in (service, reckoning):
        known = module.derive

        def watched(*args, known=known, **kwargs):
            count["derived"] += 1
            return known(*args, **kwargs)

        monkeypatch.setattr(module, "derive", watched)
    return count


@pytest.mark.parametrize("name", RULES)
def test_the_next_deal_costs_one_derivation_however_many_were_recorded(
    begin, quadrille, counted, name
):
    """The work is counted, not timed, under rules that remember too; what was recorded is summed
    and not settled again."""
    path, rng = begin(REFS[name], **RULES[name]), random.Random(3)
    with Ledger(path) as ledger:
        recorded(ledger, 12, rng)
        counted.update(derived=0)
        ledger.record(Fact("void", note="a card faced"))
    assert counted == {"derived": 1}
    assert quadrille("show", path)[0] == 0
    assert counted == {"derived": 1}


@pytest.mark.parametrize("name", RULES)
def test_what_is_certified_is_what_the_records_come_to(begin, name):
    """After deals, corrections, reversals and a substitute, the audit derives the same from
    nothing."""
    path, rng = begin(REFS[name], **RULES[name]), random.Random(5)
    with Ledger(path) as ledger:
        for _ in range(4):
            recorded(ledger, 4, rng)
            for _ in range(3):
                number = rng.randint(1, ledger.journal().count)
                fact = rng.choice(
                    [Fact("reversed"), result(random_result(rng)), result(random_result(rng))]
                )
                try:
                    ledger.correct(number, fact)
                except QuadrilleError:
                    continue
        ledger.substitute("Beatrice", "Emma")
        journal = ledger.verify()
        assert not list(journal.faults())
        assert not list(reckoning.differences(journal, ledger._rules_at(journal)))


def test_a_correction_stops_where_everything_is_as_it_was(begin, counted):
    """The pool is taken in every deal, so that only the corrected deal and its neighbour are
    derived."""
    with Ledger(begin()) as ledger:
        for _ in range(20):
            ledger.record(result(SOLO))
        counted.update(derived=0)
        assert [c.number for c in ledger.correct(3, result(LOST))] == [3, 4]
        assert counted["derived"] == 2


@pytest.mark.parametrize(
    "script",
    [
        "UPDATE tally SET state = replace(state, '0', '1')",
        "UPDATE standing SET state = '{}'",
        "UPDATE standing SET content = hash, hash = content",
        "DELETE FROM standing WHERE id = 3",
        "UPDATE act SET note = 'x' WHERE id = 2",
        "UPDATE entry SET source = 'another book' WHERE id = 7",
        "UPDATE entry SET amount = '2/1' WHERE deal = 1",
        "UPDATE deal SET input = replace(input, 'hearts', 'spades') WHERE id = 1",
    ],
)
def test_a_row_changed_by_hand_is_noticed_by_every_command(begin, quadrille, script):
    """Even where all sums agree, and however long ago the row was written."""
    path = begin()
    for _ in range(2):
        assert quadrille("deal", path, LOST)[0] == 0
    rewrite(path, script)
    for args in (["show", path], ["deal", path, SOLO], ["verify", path]):
        status, _, err = quadrille(*args)
        assert (status, "Q903" in err) == (2, True), err


def test_rows_sealed_anew_by_hand_are_found_by_the_audit(begin, quadrille):
    """Who knows how to seal deceives the other commands; what the records come to cannot be
    sealed."""
    path = begin()
    quadrille("deal", path, LOST)
    resealed(
        path,
        'UPDATE deal SET input = replace(input, \'"Anne": 5, "Dorothea": 5\', \'"Anne": 6, '
        '"Dorothea": 4\')',
    )
    assert quadrille("show", path)[0] == 0
    status, _, err = quadrille("verify", path)
    assert (status, "Q910 deal 1 moves other counters by the rules than were entered" in err) == (
        1,
        True,
    ), err


def test_verify_says_what_it_checked_and_finds_old_standings_out(begin, quadrille):
    path = begin()
    quadrille("deal", path, SOLO)
    quadrille("correct", path, 1, LOST)
    assert "came to what was recorded: deals 1," in quadrille("verify", path)[1]
    data = json.loads(quadrille("verify", path, "--format", "json")[1])
    assert (data["deals"], data["records"], data["commands"]) == (1, 2, 3)


# --- names ------------------------------------------------------------------------------------

COMPOSED, APART = unicodedata.normalize("NFC", "Renée"), unicodedata.normalize("NFD", "Renée")


def test_two_spellings_of_a_letter_are_one_player(tmp_path):
    """However the name is typed: at the start, as dealer, in a result, as a substitute."""
    compiled, path = compile_reference("quanti-1822@parlett"), tmp_path / "t.ledger"
    with pytest.raises(QuadrilleError, match="two called"):
        start(path, compiled, "quanti-1822@parlett", [COMPOSED, APART, "C", "D"], dealer=None)
    start(path, compiled, "quanti-1822@parlett", [APART, "B", "C", "D"], dealer=COMPOSED)
    with Ledger(path) as ledger:
        ledger.record(
            result({**SOLO, "hombre": APART, "tricks": {COMPOSED: 6, "D": 4}}), dealer=APART
        )
        ledger.record(result({**SOLO, "hombre": COMPOSED, "tricks": {APART: 6, "D": 4}}))
        with pytest.raises(QuadrilleError, match="two spellings"):
            ledger.record(
                result({**SOLO, "hombre": "B", "tricks": {APART: 6, COMPOSED: 1, "D": 3}})
            )
        ledger.substitute(APART, "Zoé")
        ledger.substitute("Zoé", APART)
        journal = ledger.verify()
    assert [journal.accounts[a] for a in journal.players()] == [COMPOSED, "B", "C", "D", "Zoé"]
    assert journal.deals[1].fact.data["tricks"] == {COMPOSED: 6, "D": 4}


@pytest.mark.parametrize("state", ["{}", "[]", "x", '{"carry":{"losses":-1}}', "1"])
def test_what_a_deal_left_is_refused_where_it_makes_no_sense(begin, quadrille, state):
    """Sealed or not, what is read is looked at."""
    path = begin()
    quadrille("deal", path, SOLO)
    resealed(path, f"UPDATE tally SET state = '{state}'")  # noqa: S608
    for args in (["show", path], ["deal", path, SOLO]):
        status, _, err = quadrille(*args)
        assert (status, "Q903" in err) == (2, True), err
