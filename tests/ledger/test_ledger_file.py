"""The ledger's file: nothing acknowledged is lost, nothing is counted twice, and nothing is ever
rubbed out."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from quadrille_plugins.ledger import store
from quadrille_plugins.ledger.schema import BOX, POOL, TABLES, VERSION, WITH_SUMS, WITHOUT_EVENTS
from quadrille_plugins.ledger.service import Ledger
from support.codes import CODES
from support.ledger import (
    LOST,
    NAMES,
    QUANTI,
    SOLO,
    command,
    compiled_with,
    holdings,
    resealed,
    result,
    rewrite,
)

from quadrille_core.errors import LedgerError, QuadrilleError

# --- the file ---------------------------------------------------------------------------------


def test_no_row_of_any_table_can_be_changed_removed_or_replaced(begin):
    path = begin()
    with Ledger(path) as ledger:
        ledger.record(result(LOST))
        ledger.correct(1, result(SOLO))
        ledger.rename(("Beatrice", "Béatrice"))
        ledger.end()
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA recursive_triggers = OFF")
        for table in TABLES:
            rows = raw.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608
            assert rows, table
            column = [d[1] for d in raw.execute(f"PRAGMA table_info({table})")][1]
            marks = ", ".join("?" * len(rows[0]))
            again = (len(rows) + 1, *rows[0][1:])
            if table == "entry":
                again = (
                    len(rows) + 1,
                    *next(r for r in rows if r[-1] is not None)[1:],
                )  # reversed twice
            for statement, values in (
                (f"UPDATE {table} SET {column} = {column}", ()),  # noqa: S608
                (f"DELETE FROM {table}", ()),  # noqa: S608
                (f"INSERT OR REPLACE INTO {table} VALUES ({marks})", rows[0]),  # noqa: S608
                (f"REPLACE INTO {table} VALUES ({marks})", again),  # noqa: S608
            ):
                if table in ("sitting", "payment") and values == again:
                    continue  # another row, of which the tables know nothing wrong
                with pytest.raises(sqlite3.IntegrityError):
                    raw.execute(statement, values)
            assert raw.execute(f"SELECT * FROM {table}").fetchall() == rows  # noqa: S608
        with pytest.raises(sqlite3.IntegrityError, match="exact opposite"):
            raw.execute(
                "INSERT INTO entry SELECT max(id) + 1, 1, 2, 4, 5, '9/1', '', '', '', 14 FROM entry"
            )
        for wrong in ("1", "0/1", "1/0", "-1/2", "1/2/3", "1.5/1", "a/b"):
            with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
                raw.execute(
                    "INSERT INTO payment SELECT max(id) + 1, 1, 4, 5, ? FROM payment", (wrong,)
                )


def test_a_second_writer_is_refused_within_two_seconds_and_a_reader_is_not(begin, quadrille):
    path = begin()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with closing(store.connect(path)) as own:
            assert own.execute("PRAGMA busy_timeout").fetchone()[0] < 2000
        status, out, err = quadrille("deal", path, SOLO)
        assert (status, out) == (1, "")
        assert "Q904 another process is writing in the ledger; nothing was recorded" in err
        assert quadrille("show", path)[0] == 0
    assert holdings(path)["Anne"] == 700
    assert quadrille("deal", path, SOLO)[0] == 0


def test_what_is_written_is_synced(begin):
    """Every write, even the removal of the journal, which SQLite calls 3."""
    with closing(store.connect(begin())) as own:
        assert own.execute("PRAGMA synchronous").fetchone()[0] == 3


def test_a_journal_that_would_not_balance_is_not_written(begin, monkeypatch):
    path = begin()
    with Ledger(path) as ledger:
        before = ledger.journal()
        enter = sys.modules["quadrille_plugins.ledger.entering"].enter

        def into_the_box(store, act, deal, movement, source, reverses=None):
            if movement.payee == POOL and movement.reason != "ante":
                movement = type(movement)(
                    movement.payer, BOX, movement.amount, movement.reason, movement.rule
                )
            enter(store, act, deal, movement, source, reverses)

        monkeypatch.setattr("quadrille_plugins.ledger.entering.enter", into_the_box)
        with pytest.raises(LedgerError, match=r"Q905 .*; entry 9 has to do with the box"):
            ledger.record(result(LOST))
        assert ledger.journal() == before


def test_start_never_overwrites_and_leaves_nothing_half_made(begin, tmp_path, quadrille):
    path = begin()
    names = [w for n in NAMES for w in ("--player", n)]
    before = path.read_bytes()
    assert quadrille("start", path, "--rules", QUANTI, *names)[0] == 2
    assert path.read_bytes() == before
    (tmp_path / "new.ledger-wal").write_bytes(b"what another ledger left")
    status, _, err = quadrille("start", "new.ledger", "--rules", QUANTI, *names)
    assert (status, "left of another ledger" in err) == (2, True)
    assert quadrille("start", "no/where.ledger", "--rules", QUANTI, *names)[0] == 2
    for wrong in (
        names[2:],
        [*names, "--player", "Emma"],
        [*names[:-1], "anne"],
        [*names[:-1], "pool"],
    ):
        assert quadrille("start", "x.ledger", "--rules", QUANTI, *wrong)[0] == 2
    for wrong in ("=1+1", "box", "each", "a\x1b[2J", ""):
        assert quadrille("start", "x.ledger", "--rules", QUANTI, *names[:-1], wrong)[0] == 2
    assert quadrille("start", "x.ledger", "--rules", QUANTI, *names, "--dealer", "Emma")[0] == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["0.ledger", "new.ledger-wal"]


def test_files_that_are_no_ledger_are_refused_and_left_alone(begin, tmp_path, quadrille):
    good = begin()
    quadrille("deal", good, SOLO)
    whole = good.read_bytes()
    foreign = tmp_path / "foreign.db"
    with closing(sqlite3.connect(foreign)) as raw:
        raw.execute("CREATE TABLE t (a)")
        raw.commit()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").touch()
    (tmp_path / "text").write_text("Anne 12\n" * 50)
    newer = bytearray(whole)
    newer[60:64] = (99).to_bytes(4, "big")
    (tmp_path / "newer").write_bytes(newer)
    logged = bytearray(whole)
    logged[18:20] = b"\x02\x02"
    (tmp_path / "logged").write_bytes(logged)
    older = bytearray(whole)
    older[60:64] = (1).to_bytes(4, "big")
    (tmp_path / "older").write_bytes(older)
    (tmp_path / "short").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "header").write_bytes(whole[:100])
    for name, code in {
        "foreign.db": "Q901",
        "empty": "Q901",
        "text": "Q901",
        "pipe": "Q101",
        ".": "Q101",
        "missing": "Q101",
        "newer": "Q902",
        "older": "Q902",
        "logged": "Q903",
        "short": "Q903",
        "header": "Q903",
    }.items():
        bytes_before = (tmp_path / name).read_bytes() if (tmp_path / name).is_file() else None
        for args in (["show", name], ["deal", name, SOLO], ["end", name], ["export", name]):
            status, out, err = quadrille(*args)
            assert (status, out, code in err) == (2, "", True), (args, err)
        assert bytes_before is None or (tmp_path / name).read_bytes() == bytes_before


FORMER_LEDGER = Path(__file__).parents[1] / "data" / "former.ledger"
"""Made by the version before events: three deals, a correction and a substitute."""


@pytest.mark.parametrize("version", [WITH_SUMS, WITHOUT_EVENTS])
def test_a_ledger_of_a_former_version_goes_on_as_one_of_this_version(tmp_path, quadrille, version):
    """It is read as it is, every standing of its chain holds, and the first command that writes
    brings its tables up to date without touching a row."""
    path = Path(shutil.copy(FORMER_LEDGER, tmp_path / "t.ledger"))
    before = bytearray(path.read_bytes())
    before[60:64] = version.to_bytes(4, "big")
    path.write_bytes(before)
    assert quadrille("verify", path)[0] == 0
    assert path.read_bytes() == before
    rows = _dump(path)
    assert quadrille("undo", path)[0] == 0
    assert int.from_bytes(path.read_bytes()[60:64], "big") == VERSION > version
    assert {table: _dump(path)[table][: len(found)] for table, found in rows.items()} == rows
    for args in (
        ("people", path, "--rename", "Anne", "Nan"),
        ("deal", path, "--before", 1, "--void", "x"),
        ("move", path, 2, 4),
        ("correct", path, 2, "--dealer", "Dorothea"),
    ):
        assert quadrille(*args)[0] == 0, args
    assert quadrille("verify", path)[0] == 0


def _dump(path):
    with closing(sqlite3.connect(path)) as raw:
        names = raw.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        return {name: raw.execute(f"SELECT * FROM {name}").fetchall() for (name,) in names}  # noqa: S608


@pytest.mark.parametrize(
    "script",
    [
        "DELETE FROM entry WHERE id = 6",
        "UPDATE entry SET payee = 1 WHERE id = 9",
        (
            "UPDATE entry SET amount = '5/1' WHERE reason = 'purse' AND payee = 4; UPDATE entry "
            "SET payer = 1 WHERE id = 7"
        ),
        "UPDATE account SET name = 'A' || char(27) || '[2J' WHERE id = 4",
        "UPDATE account SET name = 'purse' WHERE id = 1",
        "UPDATE deal SET input = '[' WHERE id = 1",
        "UPDATE deal SET input = '{}' WHERE id = 1",
        "UPDATE deal SET dealer = 77 WHERE id = 1",
        "UPDATE deal SET number = 3 WHERE id = 1",
        "UPDATE session SET chairs = 9",
        "UPDATE session SET identity = '{}'",
        "UPDATE session SET rules = 'x'",
        "UPDATE session SET rules = '[]'",
        "UPDATE session SET sources = '[]'",
        "UPDATE session SET coins = 'florins'",
        "UPDATE session SET identity = replace(identity, '\"readings\":{}', '\"readings\":[1]')",
        'UPDATE deal SET input = replace(input, \'"result":\', \'"note": [], "result":\')',
        'UPDATE deal SET input = \'{"note": "", "result": []}\'',
        "UPDATE sitting SET account = 99",
        "CREATE TABLE more (a)",
        "CREATE TRIGGER spy AFTER INSERT ON entry BEGIN SELECT 1; END",
        "CREATE VIEW v AS SELECT 1",
        "DROP TABLE payment",
        "DELETE FROM session",
        "UPDATE entry SET reason = 'x' || char(10) WHERE id = 5",
    ],
)
def test_ledgers_tampered_with_are_refused(begin, quadrille, script):
    path = begin()
    quadrille("deal", path, LOST)
    if script.startswith("DROP"):
        with closing(sqlite3.connect(path)) as raw:
            raw.execute(script)
            raw.commit()
    else:
        rewrite(path, script)
    for args in (["show", path], ["deal", path, SOLO]):
        status, _, err = quadrille(*args)
        assert (status, "Q903" in err) == (2, True), err


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        *(
            (kind, text)
            for kind in ("seats", "name", "order", "rules")
            for text in ("[", "[]", "{}")
        ),
        ("seats", '{"seats": []}'),
        ("seats", '{"seats": [[0, 99], [1, 5], [2, 6], [3, 7]]}'),
        ("seats", '{"seats": [[0, 4], [0, 5], [2, 6], [3, 7]]}'),
        ("seats", '{"seats": [["0", 4], [1, 5], [2, 6], [3, 7]]}'),
        ("seats", '{"seats": [[1, 5], [2, 6]]}'),
        ("name", '{"account": 99, "name": "Zoe", "outcomes": {}}'),
        ("name", '{"account": 4, "name": "A\\u001b[2J", "outcomes": {}}'),
        ("name", '{"account": 4, "name": 7, "outcomes": {}}'),
        ("name", '{"account": 4, "name": "Zoe", "outcomes": {"1": 7}}'),
        ("order", '{"order": [1, 1]}'),
        ("order", '{"order": [1, 9]}'),
        ("order", '{"order": "12"}'),
        ("rules", '{"reference": "x", "identity": {}, "rules": "{}", "sources": "{}"}'),
    ],
)
def test_events_that_cannot_be_are_refused_though_sealed_anew(begin, quadrille, kind, data):
    """Who sits where, who is called what, which deal comes when, which rules hold."""
    path = begin()
    with Ledger(path) as ledger:
        ledger.record(result(LOST))
        ledger.record(result(SOLO), before=1)
        ledger.rename(("Anne", "Nan"))
        ledger.exchange("Charlotte", "Dorothea")
        ledger.change_rules(compiled_with(QUANTI, 2), QUANTI)
    assert quadrille("verify", path)[0] == 0
    resealed(path, f"UPDATE event SET data = '{data}' WHERE kind = '{kind}'")  # noqa: S608
    for args in (["show", path], ["show", path, "--history"], ["deal", path, "--void", "x"]):
        status, _, err = quadrille(*args)
        assert (status, "Q903" in err) == (2, True), err


ADDED = (
    "INSERT INTO entry SELECT max(id) + 1, (SELECT max(id) FROM act), NULL, {payer}, {payee}, "
    "'100/1', 'a gift', '{rule}', 'nobody', NULL FROM entry"
)


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        (
            ADDED.format(payer=BOX, payee=POOL, rule="table.purse"),
            "players and pools hold 2900 counters, and 2800 were given out",
        ),
        (
            ADDED.format(payer=BOX, payee=POOL, rule="stakes.ante"),
            "players and pools hold 2900 counters, and 2800 were given out",
        ),
        (
            ADDED.format(payer=BOX, payee=4, rule="stakes.ante"),
            "players and pools hold 2900 counters, and 2800 were given out",
        ),
        (
            "UPDATE entry SET amount = '1/2' WHERE reverses IS NOT NULL AND payer = 2",
            "entries and their reversals do not come to nothing",
        ),
        (
            "UPDATE entry SET payee = 5 WHERE reverses > 0 AND payer = 2 AND payee = 4",
            "entries and their reversals do not come to nothing",
        ),
    ],
)
def test_counters_that_do_not_add_up_are_refused_though_sealed_anew(
    begin, quadrille, script, fault
):
    """Whoever forges an entry may seal it, and still no command takes counters for good that
    nobody gave out or that no deal moved."""
    path = begin()
    quadrille("deal", path, LOST)
    quadrille("correct", path, 1, SOLO)
    assert quadrille("verify", path)[0] == 0
    resealed(path, script)
    for args in (["show", path], ["verify", path]):
        status, _, err = quadrille(*args)
        assert (status, "Q903" in err, fault in err) == (2, True, True), err


@pytest.mark.slow
def test_a_ledger_with_any_byte_turned_is_read_or_refused_but_never_crashes(begin, tmp_path):
    path = begin()
    with Ledger(path) as ledger:
        ledger.record(result(LOST))
    whole, rng = path.read_bytes(), random.Random(7)
    refused = 0
    for n in range(300):
        broken = bytearray(whole)
        for _ in range(rng.choice([1, 1, 4, 64])):
            broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        turned = tmp_path / f"turned{n}"
        turned.write_bytes(broken)
        try:
            with Ledger(turned) as ledger:
                ledger.record(result(SOLO))
                ledger.end()
        except QuadrilleError as e:
            refused += 1
            assert all(p.code in CODES for p in e.problems)
    assert refused > 20


def test_a_file_that_may_not_be_written_can_still_be_read(begin, quadrille):
    """Root too is refused, and nothing is recorded."""
    path = begin()
    path.chmod(0o444)
    before = path.read_bytes()
    assert [quadrille(word, path)[0] for word in ("show", "export")] == [0, 0]
    status, _, err = quadrille("deal", path, "--void", "x")
    assert (status, "Q908" in err) == (1, True), err
    assert path.read_bytes() == before


# --- killed -----------------------------------------------------------------------------------


class Nursery:
    """A process that forks writers, so that each need not import everything anew."""

    def __init__(self):
        here = Path(__file__).parents[1]
        self.process = subprocess.Popen(
            [sys.executable, here / "support" / "ledger.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, path, seed, most, kill_after=None, acknowledged=0, share=0.0):
        """Start a writer and let it run; returns what it said.

        With ``kill_after`` it is killed so many seconds after it began; or with ``acknowledged``
        once it has said so often that a command is done, and so great a ``share`` of the time that
        its last one took.
        """
        kill = kill_after is not None or bool(acknowledged)
        self.process.stdin.write(json.dumps([str(path), seed, most, kill]) + "\n")
        self.process.stdin.flush()
        said = [self.line()]
        assert said[0].startswith("pid ")
        if kill:
            said.append(self.line())  # it has begun
            for _ in range(acknowledged):
                began = time.perf_counter()
                said += [self.line(), self.line()]  # done, and the next begun
                kill_after = share * (time.perf_counter() - began)
            time.sleep(kill_after)
            os.kill(int(said[0].split()[1]), signal.SIGKILL)
        while said[-1] != "dead":
            said.append(self.line())
        return said[1:-1]

    def line(self):
        return self.process.stdout.readline().rstrip("\n")

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


@pytest.fixture
def nursery():
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.mark.parametrize(
    "groups", [range(1), pytest.param(range(1, 10), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_killed_two_hundred_times_in_mid_write_it_keeps_every_acknowledged_command_once(
    begin, nursery, capsys, groups
):
    """Deals, corrections, insertions, moves, entries by hand, people, names and rules: what the
    killed writers did is what one does who is left alone.  The moment is told by what the writer
    has done and not by the clock, so that a busy machine changes nothing."""
    rng, kills = random.Random(groups[0]), 20 * len(groups)
    caught_writing = unacknowledged = recorded = 0
    for group in groups:
        path, done, transactions = begin(), [], 1
        for kill in range(20):
            seed = 100 * group + kill
            wanted = rng.randint(1, 4)
            said = nursery.run(path, seed, 10_000, acknowledged=wanted, share=rng.random())
            acked = sum(line.startswith("ack") for line in said)
            assert acked >= wanted
            caught_writing += bool(said) and said[-1].startswith("try")
            with Ledger(path) as ledger:
                journal = ledger.journal()
            assert not list(journal.faults())
            added = len(journal.transactions) - transactions
            assert added in (acked, acked + 1), (
                "an acknowledged command is lost, or one was done twice"
            )
            unacknowledged += added - acked
            transactions += added
            done += [(seed, number) for number in range(added)]
        with Ledger(begin()) as undisturbed:
            for seed, number in done:
                command(undisturbed, seed, number)
            alone = undisturbed.journal()
        with Ledger(path) as ledger:
            journal = ledger.verify()
        same = ("accounts", "rows", "entries", "sittings", "events", "rounds", "carries")
        assert [getattr(journal, name) for name in same] == [getattr(alone, n) for n in same]
        recorded += len(done)
    with capsys.disabled():
        sys.stdout.write(
            f"\n{kills} kills, {caught_writing} in mid-write, {unacknowledged} of them after the "
            "commit; "
        )
        sys.stdout.write(f"{recorded} commands, none lost, none twice\n")
    assert caught_writing >= 0.9 * kills
    assert recorded >= 2 * kills, "every writer has had two acknowledged, or more, on average"


@pytest.mark.slow
def test_killed_while_it_begins_there_is_a_whole_ledger_or_none(tmp_path, nursery):
    whole, wait = 0, 0.01
    for n in range(40):
        path = tmp_path / f"{n}.ledger"
        said = nursery.run(path, 0, 0, kill_after=wait)
        assert path.exists() or "ack 0" not in said
        # close in on the moment at which it is done
        wait *= 0.8 if path.exists() else 1.25
        if path.exists():
            whole += 1
        else:
            assert nursery.run(path, 0, 0)[-1] == "ack 0"
        assert sum(holdings(path).values()) == 2800
    assert 0 < whole < 40


def test_a_ledger_is_looked_over_as_it_is_at_one_moment(begin, monkeypatch):
    """Rows are counted by several statements: whoever wrote between two of them made it seem
    damaged."""
    path, refused = begin(), []
    count = store.Store.count

    def counted(self, table):
        with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as other:
            try:
                other.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as e:
                refused.append(str(e))
        return count(self, table)

    monkeypatch.setattr(store.Store, "count", counted)
    with Ledger(path):
        pass
    assert refused
    assert set(refused) == {"database is locked"}


def test_two_writers_at_once_lose_nothing(begin, nursery):
    path, other = begin(), Nursery()
    try:
        other.process.stdin.write(json.dumps([str(path), 1, 40, False]) + "\n")
        other.process.stdin.flush()
        said = nursery.run(path, 2, 40)
        while (line := other.line()) != "dead":
            said.append(line)
    finally:
        other.close()
    assert sum(line.startswith("ack") for line in said) == 80
    with Ledger(path) as ledger:
        journal = ledger.journal()
    assert len(journal.transactions) == 81
    recorded = [a for a in journal.transactions if a.kind in ("deal", "insert", "enter")]
    assert len(journal.deals) == len(recorded) > 20
    assert not list(journal.faults())
