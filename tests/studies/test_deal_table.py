"""The table of deals: what it holds, by either engine, whole or not at all."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from math import gcd

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.matters.alternatives import alternatives_of
from quadrille_plugins.matters.matched_play import MatchedPlayer
from quadrille_plugins.matters.study import design_of, matters
from quadrille_plugins.shell import parquet
from quadrille_plugins.shell.main import run
from quadrille_plugins.shell.values import names_beside
from quadrille_plugins.studies.deal_table import DealTable, Writer, columns_in
from quadrille_plugins.studies.design import plan
from quadrille_plugins.studies.observe import first_difference
from quadrille_plugins.studies.runner.executors import Placement
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.sessions import Readable, play, readable

from quadrille_core.ruleset import compile_reference

REFS = ("quanti-1822", "mediateur-1752")
LINE = ("compare", *REFS, "--workers", "1")


def table(path, *more, line=LINE):
    assert run([*line, *more, "--table", str(path)]) == 0
    return path


def rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def amount(row, name):
    """An amount in counters; None where there is none."""
    parts = row[f"{name}_num"]
    return None if parts in (None, "") else Fraction(int(parts), int(row["den"]))


def numbers(row, name):
    return [amount(row, f"{name}_seat{s}") for s in range(4)]


def test_each_row_is_what_was_played(tmp_path):
    found = rows(table(tmp_path / "t.csv", "--deals", "24", "--seed", "5"))
    compiled = [compile_reference(ref) for ref in REFS]
    length = plan(compiled, deals=24, sessions=None, seed=5, bots=["steady"]).lengths[0]
    played = [
        list(play_session(c.ruleset, [make_bot("steady")] * 4, seed=5, session=0, deals=length))
        for c in compiled
    ]
    assert len(found) == 2 * length
    assert {r["outcome"] for r in found} >= {"won", "remise"}
    for n in range(length):
        pair = [p[n] for p in played]
        divergence = first_difference(*pair)
        for i, (row, one) in enumerate(zip(found[2 * n : 2 * n + 2], pair, strict=True)):
            assert (row["session"], row["deal"], row["seed"]) == ("0", str(n), "5")
            assert row["rule_set"] == names_beside(compiled)[i]
            assert row["reference"] == compiled[i].identity.reference
            assert row["digest"] == compiled[i].identity.digest
            assert amount(row, "pool_before") == one.setup.pool
            assert row["diverges_in"] == (
                "" if i == 0 else divergence.stage if divergence else "same"
            )
            if i:
                alike = (pair[0].setup.pool, pair[0].setup.favourite) == (
                    one.setup.pool,
                    one.setup.favourite,
                )
                assert row["matched_start"] == str(alike).lower()
            if one.settlement is None:
                assert (row["contract"], row["outcome"], row["hombre"]) == (
                    "redealt",
                    "redealt",
                    "",
                )
                continue
            result = one.deal.result()
            assert row["contract"] == one.deal.contract.bid
            assert row["outcome"] == one.settlement.outcome
            assert row["hombre"] == str(one.deal.hombre)
            assert row["ally"] == ("" if one.deal.ally is None else str(one.deal.ally))
            assert [int(row[f"tricks_seat{s}"]) for s in range(4)] == list(result.tricks)
            assert int(row["tricks"]) == result.side_tricks()
            assert row["matadors"] == str(result.matadors)
            assert row["premiers"] == str(result.premiers).lower()
            net = list(one.settlement.net)
            assert numbers(row, "net") == net
            hombre, ally = net.pop(result.hombre), None
            if result.ally is not None:
                ally = net.pop(result.ally - (result.ally > result.hombre))
            roles = ("hombre", "ally", "adversaries")
            assert [amount(row, f"net_{r}") for r in roles] == [hombre, ally, sum(net)]
            assert amount(row, "pool_after") == one.settlement.pool_after
            assert row["vole"] == one.settlement.vole


def test_net_and_pool_add_up(tmp_path):
    for row in rows(table(tmp_path / "t.csv", "--deals", "40")):
        moved = sum(numbers(row, "net")) + amount(row, "pool_after") - amount(row, "pool_before")
        assert moved == 0


def test_json_lines_hold_the_same_as_csv(tmp_path):
    listed = rows(table(tmp_path / "t.csv", "--deals", "8"))
    lines = table(tmp_path / "t.jsonl", "--deals", "8").read_text("utf-8").splitlines()
    plain = [json.loads(line) for line in lines]
    assert [list(p) for p in plain] == [list(r) for r in listed]
    as_text = [
        {
            k: "" if v is None else str(v).lower() if isinstance(v, bool) else str(v)
            for k, v in p.items()
        }
        for p in plain
    ]
    assert as_text == listed
    assert {type(p["net_seat0_num"]) for p in plain} == {type(p["session"]) for p in plain} == {int}


def test_parquet_holds_the_same_rows_with_typed_columns(tmp_path):
    """Row by row what the JSON lines say; amounts are whole numbers of the fewest parts."""
    more = ("--deals", "80", "--set", "table.session_deals=40", "--engine", "readable")
    more += ("--reading", "codille_indivisible=exact")
    plain = [
        json.loads(line)
        for line in table(tmp_path / "t.jsonl", *more).read_text("utf-8").splitlines()
    ]
    found = pq.read_table(table(tmp_path / "t.parquet", *more))
    assert found.to_pylist() == plain
    assert {f.type for f in found.schema} == {pa.int64(), pa.string(), pa.bool_()}
    amounts = [n for n in found.schema.names if n.endswith("_num")]
    assert not any(found.schema.field(n).nullable for n in amounts if "seat" in n)
    assert {row["den"] for row in plain} == {1, 3}
    for row in plain:
        assert gcd(row["den"], *(row[n] or 0 for n in amounts)) == 1


def test_parquet_without_pyarrow_is_refused_before_anything_is_played(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(parquet, "find_spec", lambda name: None)
    assert run([*LINE, "--deals", "8", "--table", str(tmp_path / "t.parquet")]) == 2
    assert "a table that ends in .csv or .jsonl works without" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


CASES = [
    (("quanti-1822", "mediateur-1752"), ()),
    (
        ("quanti-1822@parlett", "quanti-1822@wikipedia", "quadrille-modern"),
        ("--set", "table.session_deals=20"),
    ),
    (("quadrille-laws+multiplier", "quadrille-laws"), ()),
    (("quanti-1822", "quanti-1822+point-score"), ()),
]


@pytest.mark.parametrize(
    ("refs", "more"), [CASES[0], *(pytest.param(*c, marks=pytest.mark.slow) for c in CASES[1:])]
)
def test_either_engine_writes_the_same_bytes(tmp_path, refs, more):
    pytest.importorskip("numba")
    line = ("compare", *refs, "--workers", "2", "--sessions", "3", *more)
    fast = table(tmp_path / "fast.csv", "--engine", "fast", line=line)
    readable = table(tmp_path / "readable.csv", "--engine", "readable", line=line)
    assert fast.read_bytes() == readable.read_bytes()


def leave_every_other_session(monkeypatch):
    """To the readable engine, as if the kernel could not tell it."""
    from quadrille_plugins.studies.fast import Arrays

    real = Arrays.play

    def leaving(self, seed, first, lengths, *more):
        held = real(self, seed, first, lengths, *more)
        return replace(held, inexact=[n % 2 == 1 for n in range(first, first + len(lengths))])

    monkeypatch.setattr(Arrays, "play", leaving)


def test_a_session_left_by_the_kernel_stands_in_its_place(tmp_path, monkeypatch):
    pytest.importorskip("numba")
    line = (*LINE, "--sessions", "4", "--set", "table.session_deals=8")
    readable = table(tmp_path / "r.csv", "--engine", "readable", line=line)
    leave_every_other_session(monkeypatch)
    assert (
        table(tmp_path / "f.csv", "--engine", "fast", line=line).read_bytes()
        == readable.read_bytes()
    )


@pytest.mark.slow
def test_what_diverges_at_the_stakes_or_in_what_is_left_is_played_the_same(tmp_path):
    """As the page says: the columns are those of a comparison, which does not count such deals."""
    for point, reading, stage in (
        ("ante", "dealer_four", "stakes"),
        ("beasts_wait", "wait", "carrying"),
    ):
        manifest, asked = (
            tmp_path / "m.json",
            ("--deals", "120", "--seed", "3", "--engine", "readable", "--workers", "2"),
        )
        path = table(
            tmp_path / "t.csv",
            "--manifest",
            str(manifest),
            line=("matters", "quanti-1822", point, *asked),
        )
        findings = json.loads(manifest.read_text("utf-8"))["results"]["findings"]
        (finding,) = (f for f in findings if f["reading"] == reading)
        found = [
            r
            for r in rows(path)
            if f"{point}={reading}" in r["reference"].split() and r["matched_start"] == "true"
        ]
        assert finding["first_in"][stage] > 0
        assert (
            sum(r["diverges_in"] != "same" for r in found)
            == finding["diverge"] - finding["first_in"][stage]
        )


@pytest.mark.slow
def test_of_every_alternative_the_deals_are_listed_until_its_answer_is_certain(
    tmp_path, monkeypatch
):
    """By either engine, with any number of workers, and where the kernel leaves sessions."""
    pytest.importorskip("numba")
    from quadrille_plugins.studies import fast

    base, alternatives = alternatives_of(
        "quanti-1822", {}, {"table.session_deals": 4}, "elder_may_raise"
    )
    everything = [base, *(r.compiled for r in alternatives)]
    rulesets, told = [c.ruleset for c in everything], DealTable(everything, 1, ".csv")
    design = design_of(
        everything, deals=200, seed=1, bots=("steady",) * 4, precision=0.15, within=20
    )

    def listed(name, plays):
        with Writer(tmp_path / name, told) as writer:
            found = matters(base, alternatives, design, plays, engine=name, writer=writer)
        return tmp_path / name, found.findings

    with Runner(Placement(2)) as runner:
        plays = MatchedPlayer(rulesets, design.bots, 1, told=told, runner=runner)
        readable, findings = listed("r.csv", plays)
    assert {f.deals for f in findings} == {100, 200}
    of_each = [
        [r for r in rows(readable) if r["rule_set"] == name] for name in names_beside(everything)
    ]
    assert [len(found) for found in of_each] == [200, *(f.deals for f in findings)]
    for found, finding in zip(of_each[1:], findings, strict=True):
        assert all(f"elder_may_raise={finding.reading}" in r["reference"].split() for r in found)
        assert sum(r["matched_start"] == "true" for r in found) == finding.trials
    for leaving, workers in ((False, 2), (True, 1)):
        if leaving:
            leave_every_other_session(monkeypatch)
        tables = fast.tabulate(rulesets, design.bots)
        with Runner(Placement(workers)) as runner:
            plays = MatchedPlayer(rulesets, design.bots, 1, tables, told, runner=runner)
            compiled, _ = listed("f.csv", plays)
        assert compiled.read_bytes() == readable.read_bytes()


def test_many_rule_sets_of_one_name_are_numbered():
    """Rule sets that no name can keep apart are counted; players alone have letters."""
    compiled = compile_reference("quanti-1822")
    engines = readable([compiled.ruleset] * 53, ["steady"] * 4)
    table = DealTable([compiled] * 53, 1, ".csv")
    found = table.rows_of(engines, play(engines, 1, 0, [1], None))
    told = list(csv.reader(table.text(columns_in(list(found.values()))).splitlines()))
    assert [told[n][3] for n in (0, 25, 26, 51, 52)] == [
        f"rule set {n + 1}" for n in (0, 25, 26, 51, 52)
    ]


def test_where_no_deal_need_be_played_the_table_has_its_heads_alone(tmp_path, capsys):
    listed = rows(table(tmp_path / "t.csv", line=("matters", "quanti-1822", "quanti-1822")))
    assert listed == []
    assert "t.csv has its heads alone" in " ".join(capsys.readouterr().err.split())


# --- whole or not at all --------------------------------------------------------------------------


def interrupt_the_second_session(monkeypatch):
    real = Readable.play

    def stopping(self, seed, first, *more):
        if first:
            raise KeyboardInterrupt
        return real(self, seed, first, *more)

    monkeypatch.setattr(Readable, "play", stopping)


def test_an_interrupted_study_leaves_no_table(tmp_path, monkeypatch, capsys):
    interrupt_the_second_session(monkeypatch)
    (tmp_path / "t.csv").write_text("as it was")
    assert (
        run([*LINE, "--sessions", "2", "--engine", "readable", "--table", str(tmp_path / "t.csv")])
        == 130
    )
    assert "t.csv is not written" in capsys.readouterr().err
    assert (tmp_path / "t.csv").read_text() == "as it was"
    assert os.listdir(tmp_path) == ["t.csv"]


def test_an_interrupted_question_of_a_reading_leaves_none_either(tmp_path, monkeypatch, capsys):
    interrupt_the_second_session(monkeypatch)
    line = ("matters", "quanti-1822", "remise_pays", "--deals", "80", "--workers", "1")
    assert run([*line, "--engine", "readable", "--table", str(tmp_path / "t.jsonl")]) == 130
    assert "t.jsonl is not written" in " ".join(capsys.readouterr().err.split())
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_a_study_that_is_killed_leaves_no_half_of_a_table(tmp_path, name):
    line = [
        sys.executable,
        "-m",
        "quadrille_core",
        *LINE,
        "--deals",
        "4000",
        "--engine",
        "readable",
    ]
    child = subprocess.Popen([*line, "--table", str(tmp_path / name)], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not os.listdir(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert os.listdir(tmp_path)
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("form", [".csv", ".parquet"])
def test_what_fails_while_it_writes_leaves_nothing(tmp_path, form):
    compiled = [compile_reference(ref) for ref in REFS]
    told = DealTable(compiled, 1, form)

    def failing():
        with Writer(tmp_path / f"t{form}", told) as writer:
            writer.write([[[0] * told.cells]])
            assert os.listdir(tmp_path)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--table", "t.xlsx"], "ends in .csv, .jsonl or .parquet"),
        (["--table", "no/folder/t.csv"], "there is no folder"),
        (["--table", "t.csv", "--double-dummy"], "leave --table out"),
        (["--table", "t.csv", "--manifest", "./t.csv"], "both write"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_played(
    more, words, capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        "quadrille_plugins.compare.command.compare", lambda *_, **__: pytest.fail("it played")
    )
    assert run([*LINE, *more]) == 2
    assert words in capsys.readouterr().err


def test_a_patience_has_no_deals_to_list(capsys, tmp_path):
    assert run(["compare", "captive-queens", "--table", str(tmp_path / "t.csv")]) == 2
    assert "leave --table out" in capsys.readouterr().err
