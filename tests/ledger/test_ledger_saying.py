"""A deal by options and by prompt, and the last entry taken back."""

import json
import os
import pty
import select
import subprocess
import sys

import pytest
from click.testing import CliRunner
from quadrille_plugins.ledger.command import session_command
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.ledger.notes import last_standing
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.settle.answers import player_named
from support.ledger import ALLIES, LOST, SOLO, holdings

from quadrille_core.errors import LedgerError, UsageError

NAMES = ("Anne", "Annabel", "Charlotte", "Dorothea")

AS_OPTIONS = [
    (SOLO, "--contract solo --trump hearts --hombre anne --tricks 6"),
    (
        SOLO | {"matadors": 3},
        "--contract SOLO --trump H --hombre ANNE --tricks anne=6 --tricks d=4 --matadors 3",
    ),
    (ALLIES, "--contract alliance --trump spades --hombre c --ally dor --tricks 6"),
    (ALLIES, "--contract alliance --trump spades --hombre c --ally dor --tricks c=4 --tricks d=2"),
    (
        SOLO | {"tricks": {"Anne": 10}, "premiers": True, "vole": "undertaken"},
        "--contract solo --trump hearts --hombre a --tricks 10 --premiers --vole undertaken",
    ),
]


@pytest.mark.parametrize(("data", "options"), AS_OPTIONS)
def test_options_record_what_the_file_records(begin, quadrille, data, options):
    """A deal by options moves what the same deal as a file moves."""
    one, other = begin(), begin()
    assert quadrille("deal", one, data)[0] == 0
    status, _, err = quadrille("deal", other, *options.split())
    assert (status, err) == (0, "")
    assert holdings(one) == holdings(other)


@pytest.mark.parametrize("data", [SOLO, ALLIES])
def test_a_file_may_say_by_a_number_what_the_side_made(begin, quadrille, data):
    """``tricks: 6`` in a file is what ``--tricks 6`` is."""
    one, other = begin(), begin()
    assert quadrille("deal", one, data)[0] == 0
    status, _, err = quadrille("deal", other, data | {"tricks": 6})
    assert (status, err) == (0, "")
    assert holdings(one) == holdings(other)


def test_a_number_in_a_file_that_tells_too_little_is_refused_with_what_to_write(begin, quadrille):
    """Where it matters who made them, a file is told how a file says it."""
    path = begin(
        bids__alliance__loss_borne="shared_if_hombre_made", bids__alliance__pool_penalty="as_borne"
    )
    status, _, err = quadrille("deal", path, ALLIES | {"tricks": 5})
    assert status == 1
    assert "tricks: {Charlotte: 4, Dorothea: 2}" in err


REFUSED = [
    (
        "--contract solo --trump hearts --hombre Zoe --tricks 6",
        "players: Anne, Beatrice, Charlotte, Dorothea",
    ),
    ("--contract solo --trump hearts --hombre anne", "tricks"),
    ("--contract sole --trump hearts --hombre anne --tricks 6", "did you mean solo or vole?"),
    ("--contract solo --trump hearts --hombre anne --tricks six", "write --tricks 6"),
    ("--contract solo --trump hearts --hombre anne --tricks 6 --tricks anne=6", "given twice"),
    (
        "--contract solo --trump hearts --hombre anne --tricks 6 --passed",
        "give the result of one deal",
    ),
    ("--contract solo --trump hearts --hombre anne --tricks 11", "11 tricks were made"),
    ("--contract solo --trump hearts --hombre anne --tricks 6 --incident revoke", "--incident"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_options_that_cannot_be_are_refused(begin, quadrille, options, told):
    """What cannot be is said, and nothing is recorded."""
    path = begin()
    status, out, err = quadrille("deal", path, *options.split())
    assert status in (1, 2)
    assert not out
    assert told in err
    with Ledger(path) as ledger:
        assert not ledger.journal().deals


@pytest.mark.parametrize(
    ("typed", "name"),
    [("anne", "Anne"), ("ANNAB", "Annabel"), (" c", "Charlotte"), ("Dorothea", "Dorothea")],
)
def test_a_name_is_found_by_its_beginning(typed, name):
    """Case does not matter, a unique beginning is enough, and a whole name is itself."""
    assert player_named(typed, NAMES) == name


def test_an_ambiguous_beginning_is_refused():
    """Two players by one beginning: the error names them."""
    with pytest.raises(UsageError, match="Anne, Annabel"):
        player_named("ann", NAMES)


def test_a_share_that_decides_is_asked_for(begin, quadrille):
    """Where a payment depends on who of the side took the tricks, a number for both together is not
    enough."""
    path = begin(payments__premiers_won_by="hombre")
    words = [
        "--contract",
        "alliance",
        "--trump",
        "hearts",
        "--hombre",
        "anne",
        "--ally",
        "b",
        "--tricks",
        "6",
    ]
    assert quadrille("deal", path, *words)[0] == 0
    path = begin("quadrille-modern")
    lost = [
        "--contract",
        "alliance",
        "--trump",
        "hearts",
        "--hombre",
        "anne",
        "--ally",
        "b",
        "--tricks",
        "4",
    ]
    status, _, err = quadrille("deal", path, *lost)
    with Ledger(path) as ledger:
        bid = ledger.table().rules.bids.of("alliance")
    assert (status == 1 and "shared their tricks" in err) == (
        bid.loss_borne == "shared_if_hombre_made"
    )


def _prompted(path, answers, *options):
    return CliRunner().invoke(
        session_command,
        ["deal", str(path), "--ask", *options],
        input="".join(f"{a}\n" for a in answers),
    )


PROMPTED = [
    (SOLO, ["solo", "anne", "hearts", "6", "0", "no", "y"]),
    (SOLO | {"matadors": 3}, ["solo", "anne", "hearts", "6", "3", "no", "y"]),
    (ALLIES, ["alliance", "char", "spades", "d", "6", "0", "no", "y"]),
]


@pytest.mark.parametrize(("data", "answers"), PROMPTED)
def test_the_prompt_records_what_the_file_records(begin, quadrille, data, answers):
    """Asked question by question, a deal comes to what it comes to from a file."""
    one, other = begin(), begin()
    assert quadrille("deal", one, data)[0] == 0
    done = _prompted(other, answers)
    assert done.exit_code == 0, done.output
    assert holdings(one) == holdings(other)


def test_a_wrong_answer_is_asked_again_with_the_reason(begin):
    """What cannot be an answer is said, and the question comes again."""
    path = begin()
    done = _prompted(
        path, ["sole", "solo", "zoe", "anne", "pink", "hearts", "12", "6", "9", "3", "no", "yes"]
    )
    assert done.exit_code == 0, done.output
    for told in (
        "'sole' is none of the answers (did you mean solo or vole?)",
        "'zoe'",
        "'pink'",
        "'12' is no number",
        "'9'",
    ):
        assert told in done.stderr
    assert "Anne: 1 (ante)" not in done.stderr
    assert "ante" in done.stderr


def test_declined_nothing_is_recorded(begin):
    """Who says no to what is shown has recorded nothing."""
    path = begin()
    done = _prompted(path, ["solo", "anne", "hearts", "6", "0", "no", "n"])
    assert "Nothing is recorded." in done.stderr
    assert not done.stdout
    with Ledger(path) as ledger:
        assert not ledger.journal().deals


ASKED = [
    # rules, what is asked, what is not
    ({}, {"Matadors of Hombre"}, {"Favourite", "adversaries", "gave up", "claimed", "passed"}),
    (
        {"payments__adversaries_matadors": "to_holders"},
        {"Matadors of the adversaries"},
        {"Favourite"},
    ),
    ({"auction__all_pass": "redeal"}, {"passed"}, set()),
    (
        {"payments__matadors__three": 0, "payments__matadors__four": 0},
        {"Tricks of Anne"},
        {"Matadors"},
    ),
    ({"payments__premiers": 0}, {"Tricks of Anne"}, set()),
]


@pytest.mark.parametrize(("rules", "asked", "unasked"), ASKED)
def test_only_what_the_rules_need_is_asked(begin, rules, asked, unasked):
    """A question whose answer changes nothing is not put; one that changes something is."""
    done = _prompted(begin(**rules), ["solo", "anne", "hearts", "6", "", "", "", "", "", ""])
    for word in asked:
        assert word in done.stderr
    for word in unasked:
        assert word not in done.stderr


def test_who_gave_up_each_of_several_cards_is_asked_or_told_by_options(begin, quadrille):
    """One player may have given two; the ledger keeps a name for each card."""
    path, two = (
        begin("mediateur-1752", bids__mediateur__cards_asked=2),
        ["mediateur", "anne", "hearts", "b", "d"],
    )
    done = _prompted(path, [*two, "6", "0", "no", "none", "y"])
    assert done.exit_code == 0, done.output
    told = ("--contract", "mediateur", "--hombre", "anne", "--trump", "hearts", "--tricks", "6")
    assert quadrille("deal", path, *told, "--surrendered", "bea,bea")[0] == 0
    assert quadrille("deal", path, *told, "--surrendered", "bea")[0] == 1
    with Ledger(path) as ledger:
        deals = ledger.journal().deals.values()
        told = [deal.fact.data["surrendered"] for deal in deals]
    assert told == [["Beatrice", "Dorothea"], ["Beatrice", "Beatrice"]]


def test_options_answer_before_the_prompt(begin):
    """With --ask, what options give is not asked."""
    path = begin()
    words = [
        "--contract",
        "solo",
        "--hombre",
        "anne",
        "--trump",
        "hearts",
        "--tricks",
        "6",
        "--matadors",
        "3",
    ]
    done = _prompted(path, ["no", "y"], *words)
    assert done.exit_code == 0, done.output
    assert "Contract" not in done.stderr
    with Ledger(path) as ledger:
        assert ledger.journal().deals[1].fact.data["matadors"] == 3


def test_a_terminal_is_asked(begin):
    """On a real terminal, `session deal FILE` alone asks."""
    path = begin()
    master, slave = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "quadrille_core",
        "session",
        "deal",
        str(path),
        "--format",
        "json",
    ]
    process = subprocess.Popen(command, stdin=slave, stderr=slave, stdout=subprocess.PIPE)
    os.close(slave)
    seen = ""
    for question, answer in (
        ("Contract", "solo"),
        ("Hombre", "dor"),
        ("Trumps", "clubs"),
        ("Tricks", "7"),
        ("Matadors", "0"),
        ("premiers", "no"),
        ("Record", "y"),
    ):
        while question not in seen:
            assert select.select([master], [], [], 60)[0], seen
            seen += os.read(master, 4096).decode()
        seen = ""
        os.write(master, f"{answer}\n".encode())
    out, _ = process.communicate(timeout=60)
    os.close(master)
    assert process.returncode == 0
    assert json.loads(out)["outcome"] == "Solo by Dorothea: won"


def test_undo_goes_back_step_by_step(begin, quadrille):
    """Each undo takes back the entry before the last one undone; entries only grow, and the ledger
    stays sound."""
    path = begin()
    states = [holdings(path)]
    for words in (
        ("deal", path, SOLO),
        ("deal", path, ALLIES),
        (
            "correct",
            path,
            "2",
            "--contract",
            "solo",
            "--trump",
            "clubs",
            "--hombre",
            "beatrice",
            "--tricks",
            "4",
        ),
        ("reverse", path, "1"),
    ):
        assert quadrille(*words)[0] == 0
        states.append(holdings(path))
    for was in reversed(states[:-1]):
        with Ledger(path) as ledger:
            entries = len(ledger.journal().entries)
        status, out, err = quadrille("undo", path)
        assert (status, err) == (0, "")
        assert "again" in out or "taken back" in out
        assert holdings(path) == was
        with Ledger(path) as ledger:
            assert len(ledger.verify().entries) > entries
    assert quadrille("undo", path)[0] == 2


def test_undo_seats_again_who_left(begin, quadrille):
    """A substitution undone gives the chair back; who came has won and lost nothing."""
    path = begin()
    quadrille("substitute", path, "beat", "Emma")
    status, out, _ = quadrille("undo", path, "--format", "json")
    assert status == 0
    found = json.loads(out)
    assert found["undone"] == "Beatrice sits for Emma again, from deal 1 on"
    seated = {one["player"]: one["seated"] for one in found["session"]["standing"]}
    assert seated["Beatrice"]
    assert not seated["Emma"]


def test_nothing_is_undone_after_the_end(begin, quadrille):
    """A session that has ended stays as it is."""
    path = begin()
    quadrille("deal", path, SOLO)
    quadrille("end", path)
    before = holdings(path)
    status, _, err = quadrille("undo", path)
    assert status == 1
    assert "the session has ended" in err
    assert holdings(path) == before


def test_a_name_is_no_note(quadrille, tmp_path):
    """A player whose name reads like the note of an undo does not hide a substitution from it."""
    path = tmp_path / "named.ledger"
    strange = "Z; undoes command 2"
    players = [word for name in ("Anne", "Bea", "Cara", strange) for word in ("--player", name)]
    assert quadrille("start", path, "--rules", "quanti-1822@parlett", *players)[0] == 0
    assert quadrille("substitute", path, "Z", "Emma")[0] == 0
    status, _, err = quadrille("undo", path)
    assert (status, err) == (0, "")
    with Ledger(path) as ledger:
        journal = ledger.verify()
        assert strange in [journal.accounts[a] for a in journal.seated()]
    assert quadrille("undo", path)[0] == 2


@pytest.mark.parametrize("meanwhile", ["deal", "undo"])
def test_undo_takes_back_what_is_last_when_it_may_write(begin, quadrille, meanwhile):
    """What another process records or takes back just before this one's turn to write is seen by
    it."""
    path = begin()
    quadrille("deal", path, SOLO)
    before = holdings(path)
    quadrille("deal", path, LOST)
    with Ledger(path) as mine, Ledger(path) as theirs:
        writing = mine._store.writing

        def after_the_other():
            mine._store.writing = writing
            theirs.record(Fact("void", note="misdealt")) if meanwhile == "deal" else theirs.undo()
            return writing()

        mine._store.writing = after_the_other
        assert mine.undo().what == f"Deal {3 if meanwhile == 'deal' else 1} is taken back"
        numbers = {row.number: row.fact.kind for row in mine.verify().rows}
    assert numbers == (
        {1: "result", 2: "result", 3: "reversed"}
        if meanwhile == "deal"
        else {1: "reversed", 2: "reversed"}
    )
    if meanwhile == "deal":
        quadrille("undo", path)
        assert holdings(path) == before


def test_nobody_records_while_an_undo_looks_for_what_is_last(begin, quadrille, monkeypatch):
    """The choice and the entries that follow from it are one transaction."""
    path = begin()
    quadrille("deal", path, SOLO)
    with Ledger(path) as mine, Ledger(path) as theirs:

        def looked(*args):
            with pytest.raises(LedgerError, match="Q904"):
                theirs.record(Fact("void", note="misdealt"))
            return last_standing(*args)

        monkeypatch.setattr("quadrille_plugins.ledger.service.last_standing", looked)
        mine.undo()
        assert theirs.record(Fact("void", note="misdealt")) == 2


def test_players_are_named_after_commas_and_contracts_are_those_played(quadrille, tmp_path):
    """Players after commas are players; contracts are those played."""
    path = str(tmp_path / "s.ledger")
    start = ("start", path, "--rules", "quanti-1822@parlett", "--player", "Ann,Bob,Cleo,Dan")
    assert quadrille(*start)[0] == 0
    err = quadrille("deal", path, "--contract", "seven", "--hombre", "Ann", "--tricks", "5")[2]
    assert "solo" in err
    assert "casco" not in err


def test_a_bid_for_allies_without_an_ally_records_nothing_until_the_ally_is_said(begin, quadrille):
    """`--ally none` says that Hombre called a king of their own; saying nothing does not."""
    path = begin()
    typed = ["--contract", "alliance", "--trump", "hearts", "--hombre", "anne", "--tricks", "6"]
    status, out, err = quadrille("deal", path, *typed)
    assert (status, out) == (1, "")
    assert "Q202 Alliance is played with an ally, and none is named" in err
    assert "help: --ally NAME, or --ally none if Hombre held the called card" in err
    status, out, _ = quadrille("deal", path, *typed, "--ally", "none")
    assert (status, out.splitlines()[0]) == (
        0,
        "Deal 1, dealt by Dorothea: Alliance by Anne, who called their own king: won",
    )


def test_a_deal_by_options_says_what_it_was_taken_as(begin, quadrille):
    """The tricks that were shared out, and what was left out: in words, and in the JSON."""
    path = begin()
    typed = [
        "--contract",
        "alliance",
        "--trump",
        "spades",
        "--hombre",
        "c",
        "--ally",
        "dor",
        "--tricks",
        "6",
    ]
    status, out, _ = quadrille("deal", path, *typed)
    assert status == 0
    assert (
        "Taken as: tricks Charlotte 6, Anne 4 (how a side shared its tricks changes no payment); "
        "matadors none; premiers not made." in " ".join(out.split())
    )
    data = json.loads(quadrille("deal", path, *typed, "--format", "json")[1])
    assert list(data["taken_as"]) == ["tricks", "matadors", "premiers"]
    told = [
        "--contract",
        "solo",
        "--trump",
        "hearts",
        "--hombre",
        "anne",
        "--tricks",
        "anne=6",
        "--tricks",
        "dor=4",
        "--matadors",
        "3",
        "--premiers",
    ]
    assert "Taken as" not in quadrille("deal", path, *told)[1]
    assert "taken_as" not in json.loads(quadrille("deal", path, *told, "--format", "json")[1])


def test_of_deals_taken_back_at_the_end_the_first_is_dealt_again(begin, quadrille):
    """Two undos named the dealer of the one taken back first, who then dealt twice in a row."""
    path = begin()
    dealers = []
    for _ in range(3):
        with Ledger(path) as ledger:
            dealers.append(ledger.journal().next_dealer)
        assert quadrille("deal", path, SOLO)[0] == 0
    assert len(set(dealers)) == 3
    for dealer in reversed(dealers):
        assert quadrille("undo", path)[0] == 0
        with Ledger(path) as ledger:
            assert ledger.journal().next_dealer == dealer
    assert quadrille("deal", path, SOLO)[0] == 0
    assert quadrille("undo", path)[0] == 0
    with Ledger(path) as ledger:
        assert ledger.journal().next_dealer == dealers[0]


def test_options_change_of_a_recorded_deal_what_they_name(begin, quadrille):
    """Each correction leaves the rest of the result as it is recorded."""
    path = begin()
    assert quadrille("deal", path, ALLIES | {"matadors": 3})[0] == 0
    status, out, err = quadrille("correct", path, 1, "--tricks", "7")
    assert (status, err) == (0, "")
    assert "it stood" in out
    assert {"the same; tricks", "Anne 3, Charlotte 7"} <= {
        c.strip() for line in out.splitlines() for c in line.split("  ")
    }
    _, out, _ = quadrille("show", path, "--deal", 1)
    text = " ".join(out.split())
    assert (
        "Alliance by Charlotte with Dorothea: won; tricks Anne 4, Charlotte 4, Dorothea 2; pool"
        in text
    )
    with Ledger(path) as ledger:
        assert ledger.fact(1).data == ALLIES | {
            "matadors": 3,
            "tricks": {"Charlotte": 7, "Anne": 3},
        }
    assert quadrille("correct", path, 1, "--tricks", "dor=2")[0] == 0
    with Ledger(path) as ledger:
        assert ledger.fact(1).data["tricks"] == {"Charlotte": 7, "Dorothea": 2, "Anne": 1}
    assert quadrille("correct", path, 1, "--matadors", "0", "--trump", "clubs")[0] == 0
    with Ledger(path) as ledger:
        assert ledger.fact(1).data["trump"] == "clubs"
        assert ledger.fact(1).data["matadors"] == 0
    assert quadrille("verify", path)[0] == 0


def test_a_correction_that_makes_another_side_asks_for_its_tricks(begin, quadrille):
    """Whose the recorded tricks were does not say what another side made."""
    path = begin()
    assert quadrille("deal", path, ALLIES)[0] == 0
    for typed in (["--contract", "solo"], ["--ally", "none"], ["--hombre", "anne"]):
        status, _, err = quadrille("correct", path, 1, *typed)
        assert status == 1
        assert "Q202 these tricks are recorded, Anne 4, Charlotte 4, Dorothea 2" in err
        assert "help: --tricks 6 if that side made six" in err
        assert quadrille("correct", path, 1, *typed, "--tricks", "6")[0] == 0
        assert quadrille("undo", path)[0] == 0


def test_the_king_that_a_record_leaves_unsaid_stays_so_when_it_is_corrected(begin, quadrille):
    """A file that names no ally at an alliance was recorded as played alone."""
    path = begin()
    alone = {key: value for key, value in ALLIES.items() if key != "ally"} | {
        "tricks": {"Charlotte": 6, "Anne": 4}
    }
    assert quadrille("deal", path, alone)[0] == 0
    status, out, err = quadrille("correct", path, 1, "--tricks", "4")
    assert (status, err) == (0, "")
    assert "Alliance by Charlotte, who called their own king: codille" in " ".join(out.split())


@pytest.mark.parametrize("word", ["heart", "hear", "Hearts", "H", "\u2665"])
def test_a_suit_may_be_typed_by_its_beginning(begin, quadrille, word):
    """As the questions take it; what begins no suit is refused."""
    path = begin()
    solo = ("--contract", "solo", "--hombre", "Anne", "--tricks", "6")
    status, out, _ = quadrille("deal", path, *solo, "--trump", word)
    assert (status, "Solo by Anne: won" in out) == (0, True)
    assert quadrille("deal", path, *solo, "--trump", "harts")[0] == 1
