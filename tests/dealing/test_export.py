"""Exported deals: read by programs that are not ours, replayed by ours, and never half-written."""

import json
import subprocess
import sys
from fractions import Fraction
from hashlib import sha256
from types import SimpleNamespace

import duckdb
import pandas as pd
import pyarrow.parquet as pq
import pytest
from quadrille_plugins.deal.record import replay
from quadrille_plugins.dealing import playing
from quadrille_plugins.dealing.columns import TABLES
from quadrille_plugins.dealing.playing import Exporting, Replaying
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.sessions import Held

from quadrille_core.engine.deal_record import DealRecord, Names
from quadrille_core.engine.settle import settle
from quadrille_core.ruleset import compile_reference

REFS = ["quanti-1822@parlett", "quintille@article"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from quadrille_plugins.shell.main import run

    made = tmp_path_factory.mktemp("export") / "deals"
    line = [
        "deal",
        *REFS,
        "--deals",
        "24",
        "--length",
        "8",
        "--seed",
        "3",
        "--players",
        "random",
        "--out",
        str(made),
    ]
    assert run(line) == 0
    return made


def records(folder, number):
    return [
        json.loads(line)
        for line in (folder / f"records-{number}.jsonl").read_text("utf-8").splitlines()
    ]


def test_every_line_is_a_deal_that_replay_reads_and_ends_in_the_same_payments(folder):
    for number, reference in enumerate(REFS, 1):
        rules = compile_reference(reference).ruleset
        told = records(folder, number)
        assert len(told) == 24
        for record in told:
            assert record["rules"] == reference
            again = replay(rules, record)
            assert again.divergence is None
            if (result := again.deal.result()) is not None:
                assert [str(n) for n in settle(rules.rules, result).net] == [
                    str(n) for n in record["net"].values()
                ]


def test_the_command_replay_takes_a_line_as_it_is(folder, tmp_path, quadrille):
    path = tmp_path / "deal.json"
    path.write_text((folder / "records-1.jsonl").read_text("utf-8").splitlines()[5])
    assert quadrille("deal", "--replay", str(path))[0] == 0


def test_rules_chosen_by_hand_are_in_every_line_and_the_digest_in_the_table_alone(
    tmp_path, quadrille
):
    made = tmp_path / "deals"
    line = [
        "quanti-1822@parlett",
        "--reading",
        "ponto=black_king_too",
        "--set",
        "stakes.ante=2",
        "--deals",
        "3",
    ]
    assert (
        quadrille("deal", *line, "--out", str(made), "--players", "random", "--form", "jsonl")[0]
        == 0
    )
    (rules,) = [json.loads(line) for line in (made / "rule_sets.jsonl").read_text().splitlines()]
    first = records(made, 1)[0]
    assert rules["digest"] not in json.dumps(first)
    assert (json.loads(rules["readings"]), json.loads(rules["settings"])) == (
        {"ponto": "black_king_too"},
        {"stakes.ante": 2},
    )
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(first))
    status, out, _ = quadrille("deal", "--replay", str(path), "--format", "json")
    assert (status, json.loads(out)["rules"]["digest"]) == (0, rules["digest"])


def test_duckdb_reads_typed_tables_whose_payments_make_the_net(folder):
    """The transfers reproduce each seat's net, exactly, in integers: no column is a float."""
    with duckdb.connect() as base:
        for table in TABLES:
            base.execute(
                f"create view {table.name} as select * from '{folder}/{table.name}.parquet'"  # noqa: S608
            )
            kinds = {row[0]: row[1] for row in base.execute(f"describe {table.name}").fetchall()}
            wanted = {"integer": "BIGINT", "string": "VARCHAR", "boolean": "BOOLEAN"}
            assert kinds == {c.name: wanted[c.type] for c in table.columns}
            keys = ", ".join(table.primary_key)
            twice = base.execute(
                f"select {keys} from {table.name} group by all having count(*) > 1"  # noqa: S608
            ).fetchall()
            assert twice == []
        paid = {}
        for row in base.execute(
            "select rule_set, session, deal, from_seat, to_seat, amount_num, amount_den from "
            "transfers"
        ).fetchall():
            for seat, sign in ((row[3], -1), (row[4], 1)):
                if seat is not None:
                    key = (*row[:3], seat)
                    paid[key] = paid.get(key, 0) + sign * Fraction(row[5], row[6])
        seats = base.execute(
            "select rule_set, session, deal, seat, net_num, net_den from seats"
        ).fetchall()
        assert {r[:4]: Fraction(r[4], r[5]) for r in seats} == {
            r[:4]: paid.get(r[:4], Fraction(0)) for r in seats
        }
        assert any(paid.values())
        (orphans,) = base.execute(
            "select count(*) from deals left join rule_sets using (rule_set) where "
            "rule_sets.digest is null"
        ).fetchone()
        assert orphans == 0


def test_pandas_reads_what_the_records_say(folder):
    """Table and record are two forms of the same deals."""
    deals, seats, actions, tricks = (
        pd.read_parquet(folder / f"{name}.parquet")
        for name in ("deals", "seats", "actions", "tricks")
    )
    for number, reference in enumerate(REFS, 1):
        told = records(folder, number)
        mine = deals[deals.rule_set == number]
        assert list(mine.players) == [len(r["players"]) for r in told], reference
        assert list(mine.contract.fillna("")) == [
            (r["result"] or {}).get("contract", "") for r in told
        ]
        assert [
            str(Fraction(*p)) for p in zip(mine.pool_before_num, mine.pool_before_den, strict=True)
        ] == [str(r["pool"]) for r in told]
        for record in told:
            here = {"rule_set": number, "session": record["session"], "deal": record["deal"]}

            def rows(table, here=here):
                return table[(table[list(here)] == pd.Series(here)).all(axis=1)]

            assert list(rows(seats).hand) == record["hands"]
            said = [f"{record['players'][a.seat]} {a.text}" for a in rows(actions).itertuples()]
            assert said == record["actions"]
            won = [e for e in record["events"] if " takes the trick " in e]
            assert [
                f"{record['players'][t.seat]} takes the trick {t.cards}"
                for t in rows(tricks).itertuples()
            ] == won


def test_the_lines_of_rule_sets_are_read_by_duckdb_too(folder):
    found = duckdb.sql(
        f"select rule_set, reference, digest from '{folder}/rule_sets.jsonl' order by 1"  # noqa: S608
    ).fetchall()
    assert found == [
        (n, ref, compile_reference(ref).identity.digest) for n, ref in enumerate(REFS, 1)
    ]


def test_the_data_package_describes_every_file_and_column_and_its_checksums_hold(folder):
    described = json.loads((folder / "datapackage.json").read_text("utf-8"))
    assert {r["path"] for r in described["resources"]} == {p.name for p in folder.iterdir()} - {
        "datapackage.json"
    }
    names = {r["name"] for r in described["resources"]}
    for resource in described["resources"]:
        path = folder / resource["path"]
        assert resource["hash"] == "sha256:" + sha256(path.read_bytes()).hexdigest()
        for key in resource.get("schema", {}).get("foreignKeys", ()):
            assert key["reference"]["resource"] in names
        if path.suffix == ".parquet":
            fields = resource["schema"]["fields"]
            assert [f["name"] for f in fields] == pq.read_schema(path).names
            assert all(f["description"] for f in fields)
            rows = pq.read_table(path).to_pylist()
            for field in fields:
                known = field["constraints"]
                values = {row[field["name"]] for row in rows}
                assert not (known["required"] and None in values)
                assert "enum" not in known or values <= {None, *known["enum"]}


def test_the_same_command_writes_the_same_bytes(folder, tmp_path):
    """Also in another process, where hashes are seeded anew."""
    made = tmp_path / "again"
    line = [
        *REFS,
        "--deals",
        "24",
        "--length",
        "8",
        "--seed",
        "3",
        "--players",
        "random",
        "--out",
        str(made),
    ]
    subprocess.run(
        [sys.executable, "-m", "quadrille_core", "deal", *line], check=True, capture_output=True
    )
    assert {p.name: p.read_bytes() for p in made.iterdir()} == {
        p.name: p.read_bytes() for p in folder.iterdir()
    }


def test_nothing_is_left_of_an_export_that_ends_early(tmp_path, monkeypatch):
    from quadrille_plugins.shell.main import run

    whole = playing.rows_of
    many = []

    def stopped(*given):
        many.append(1)
        if len(many) > 3:
            raise KeyboardInterrupt
        return whole(*given)

    monkeypatch.setattr(playing, "rows_of", stopped)
    line = ["deal", "quanti-1822", "--players", "random", "--deals", "8", "--workers", "1"]
    assert run([*line, "--out", str(tmp_path / "deals")]) != 0
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_refused_before_the_work(tmp_path, quadrille):
    (tmp_path / "kept.txt").write_text("kept")
    status, _, err = quadrille("deal", "quanti-1822", "--out", str(tmp_path))
    assert (status, "is there already" in err) == (2, True)
    assert [p.name for p in tmp_path.iterdir()] == ["kept.txt"]


def test_a_folder_that_is_called_like_a_file_is_refused(tmp_path, quadrille):
    """From Python `out="deals.parquet"` made a folder of that name."""
    status, _, err = quadrille("deal", "quanti-1822", "--out", str(tmp_path / "deals.parquet"))
    assert (status, "a folder is written" in err, "compare --table" in err) == (2, True, True)
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_the_lines_are_written_and_parquet_says_what_is_missing(tmp_path):
    script = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import importlib.util as u; found = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'pyarrow' else found(name, *a)\n"
        "from quadrille_plugins.shell.main import run\n"
        "line = ['deal', 'quanti-1822', '--players', 'random', '--deals', '2', '--out']\n"
        "print(run([*line, sys.argv[1] + '/a', '--form', 'jsonl']), run([*line, sys.argv[1] + "
        "'/b']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0 2"
    assert "[data]" in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a"]


def exported(folder, *more):
    from quadrille_plugins.shell.main import run

    assert run(["deal", *more, "--out", str(folder)]) == 0
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "ref", ["quanti-1822@wikipedia", "quadrille-laws", "mediateur-1752", "quintille", "academie"]
)
def test_the_fast_engine_decides_what_the_readable_one_would(tmp_path, ref):
    """The same bytes, every file: deals that the kernel played are replayed, and none is left to
    the readable bots."""
    pytest.importorskip("numba")
    line = [ref, "--deals", "200", "--seed", "7", "--workers", "1"]
    readable = exported(tmp_path / "readable", *line, "--engine", "readable")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Exporting, "session", replayed_alone(Exporting.session))
        assert exported(tmp_path / "fast", *line, "--engine", "fast") == readable


def replayed_alone(session):
    """A session that nobody but the kernel decides."""

    def played(self, number, deals, play=None):
        assert play is not None, "this session is left to the readable engine"
        return session(self, number, deals, play)

    return played


def test_a_session_that_does_not_replay_is_played_by_the_readable_engine(monkeypatch):
    """Events that no action of the deal causes lead to the bots themselves, and to the same
    deals."""
    pytest.importorskip("numba")
    rules = compile_reference("quanti-1822").ruleset
    work = Exporting(1, rules, ("random",) * 4, 3, "readable", "quanti-1822", ("jsonl",))
    wanted = [(p.deal.actions, p.settlement) for p in work.session(2, 4)]
    found = Held([[DealRecord(events=1)] * 4], [[0]], [], [False])
    replaying = Replaying(work, SimpleNamespace(names=Names()))
    assert [(p.deal.actions, p.settlement) for p in replaying.session(found, 0, 2, 4)] == wanted


def test_a_log_says_how_far_it_is_every_half_minute(capsys):
    """Without a terminal: a forecast, then a line each 30 seconds and none between."""
    with StudyProgress(1000, "deals in all", every=30.0) as progress:
        for second in range(1, 100):
            progress.update(second, 1000, float(second))
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(" of ")[0] for line in said if " after " in line] == ["30", "60", "90"]
    assert "60 of 1000 deals in all after 1.0 min, about 15.7 min left" in said
    assert "this will take about 17 min" in said[0]


def test_what_was_written_is_reported_as_json_too(quadrille, tmp_path):
    """The folder, its files and the rule sets with their digests; as CSV, a row for each file."""
    line = (
        "deal",
        "quanti-1822",
        "quadrille-modern",
        "--deals",
        "2",
        "--players",
        "random",
        "--form",
        "jsonl",
    )
    status, out, _ = quadrille(*line, "--out", str(tmp_path / "a"), "--format", "json")
    report = json.loads(out)
    assert status == 0
    assert (report["folder"], report["deals"]) == (str(tmp_path / "a"), 2)
    assert sorted(report["files"]) == sorted(path.name for path in (tmp_path / "a").iterdir())
    assert [one["profile"] for one in report["rules"]] == ["quanti-1822", "quadrille-modern"]
    assert all(one["digest"] for one in report["rules"])
    _, out, _ = quadrille(*line, "--out", str(tmp_path / "b"), "--format", "csv")
    assert out.splitlines() == ["file", *(str(tmp_path / "b" / name) for name in report["files"])]
