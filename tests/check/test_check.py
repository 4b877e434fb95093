"""``quadrille check``: every file in one pass, every reading tried."""

import json
from collections import Counter
from pathlib import Path

import pytest
from quadrille_plugins.check.problems import problems_of
from quadrille_plugins.settle.result_file import rules_named
from support.data import cases

from quadrille_core import resources
from quadrille_core.errors import Command, DidYouMean, Option, Problem, Replace, ResultError

VARIANTS = resources.variants()
EVIDENCE = resources.evidence().values()
R = "quanti-1822"


def test_check_tries_every_reading_of_the_files_own_points(quadrille, write):
    text = """\
kind: profile
id: p
title: P
extends: quanti-1822
points:
  chancy:
    question: How many tricks?
    default: six
    readings:
      six: {set: {bids.solo.tricks: 6}}
      none: {set: {bids.solo.tricks: 0}}
"""
    status, out, _ = quadrille("check", write(text, "p.yaml"))
    assert status == 1
    assert "0 tricks do not win a game" in out


def test_check_reports_every_file_in_one_pass_and_its_status_says_the_worst(
    quadrille, write, tmp_path
):
    good = write("kind: profile\nid: g\ntitle: G\nextends: quanti-1822\n", "good.yaml")
    bad = write(
        "kind: profile\nid: b\ntitle: B\nextends: quanti-1822\nrules: {stakes: {anti: 2}}\n",
        "bad.yaml",
    )
    assert quadrille("check", good)[0] == 0
    status, out, _ = quadrille("check", good, bad)
    assert status == 1
    assert f"{bad}:5:18: Q201" in out
    assert "did you mean ante?" in out
    assert "2 files checked, 1 without errors, 1 error" in out
    assert quadrille("check", good, str(tmp_path / "none.yaml"))[0] == 2
    found = json.loads(quadrille("check", bad, "--format", "json")[1])
    assert (found[0]["code"], found[0]["line"]) == ("Q201", 5)


# --- weight, streams, terminals ---------------------------------------------------------------


def test_what_cannot_act_in_house_rules_is_judged_as_they_are_played(quadrille, write):
    """What acts under the witness that the file follows is no idle rule of it, whatever another
    witness has."""
    text = (
        "kind: profile\nid: o\ntitle: O\nextends: quanti-1822\nrules:\n  payments: {premium: "
        "{vole: 10}}\n"
    )
    for default, noted in (
        ("", 0),
        ("default_witness: parlett\n", 0),
        ("default_witness: wikipedia\n", 1),
    ):
        _, _, err = quadrille("check", write(text.replace("rules:", f"{default}rules:"), "o.yaml"))
        note = "payments.premium.vole cannot act: it is not played here"
        assert " ".join(err.split()).count(note) == err.count("note:") == noted


def test_the_same_rules_are_warned_of_once(quadrille, write):
    """The default and the witness that it is are one rule set: one warning each for two, not
    three."""
    text = (
        "kind: profile\nid: r\ntitle: R\nextends: quanti-1822\nrules:\n  loss: {remise_pays: "
        "[], remise_adds: 0}\n"
    )
    err = quadrille("check", write(text, "r.yaml"))[2]
    assert err.count("can cost its bidder nothing") == 2
    assert "under r a lost" in err
    assert "under r@parlett" not in err


def test_notes_stand_in_json_and_csv_where_they_are_asked_for(quadrille, write):
    """Each file with its errors and notes; without `--notes` JSON is the list of errors that it
    was."""
    idle = "kind: profile\nid: o\ntitle: O\nextends: quanti-1822\ndefault_witness: wikipedia\n"
    idle = write(f"{idle}rules:\n  payments: {{premium: {{vole: 10}}}}\n", "o.yaml")
    bad = write(
        "kind: profile\nid: b\ntitle: B\nextends: quanti-1822\nrules: {stakes: {anti: 2}}\n",
        "bad.yaml",
    )
    status, out, err = quadrille("check", idle, bad, "--notes", "--format", "json")
    noted, faulty = json.loads(out)["files"]
    assert status == 1
    assert (noted["path"], noted["errors"]) == (idle, [])
    assert noted["notes"] == [
        (
            "note: line 7: payments.premium.vole cannot act: it is not played here "
            "(bids.vole.made: never)"
        )
    ]
    assert " ".join(err.split()) == f"{idle}: {noted['notes'][0]}"
    assert (faulty["path"], faulty["notes"], faulty["errors"][0]["code"]) == (bad, [], "Q201")
    assert json.loads(quadrille("check", idle, bad, "--format", "json")[1]) == faulty["errors"]
    rows = quadrille("check", idle, bad, "--notes", "--format", "csv")[1].splitlines()
    assert rows[-1] == f"{idle},0,0,,{noted['notes'][0]},"


def test_a_file_that_is_not_there_leads_to_the_one_that_was_meant(quadrille, tmp_path, monkeypatch):
    """By its beginning, by another suffix, and to none where no name is near."""
    monkeypatch.chdir(tmp_path)
    for name in ("ours.yaml", "thursday.yml", "b.yaml"):
        (tmp_path / name).write_text("kind: profile\nid: g\ntitle: G\nextends: quanti-1822\n")
    for typed, meant in (
        ("our.yaml", "ours.yaml"),
        ("thursday.yaml", "thursday.yml"),
        ("./ourz.yaml", "ours.yaml"),
    ):
        status, out, _ = quadrille("check", typed)
        assert status == 2
        assert f"help: did you mean {meant}?" in out
    assert "help" not in quadrille("check", "nothing.yaml")[1]
    for name in ("idle.yaml", "deal.yaml"):
        (tmp_path / name).write_text("kind: profile\n")
    assert "help" not in quadrille("settle", "nofile.json")[2]  # `idle` shares half its letters
    assert "help" not in quadrille("settle", "nofile.yaml")[2]
    assert "help" not in quadrille("deal", "--replay", "deals.json")[2]
    (tmp_path / "deal.json").write_text("{}")
    assert "help: did you mean deal.json?" in quadrille("deal", "--replay", "deals.json")[2]
    assert "help: did you mean ours.yaml?" in quadrille("show", "our.yaml")[2]


def test_a_name_of_rules_is_no_file_and_leads_to_the_command_that_compiles_it(quadrille):
    """`check REF+PLUGIN` said that a profile's file ends in .yaml, and nothing of what to type."""
    status, out, _ = quadrille("check", "quanti-1822+favourite")
    assert status == 1
    assert out.startswith("Q306 there is no file 'quanti-1822+favourite'\n")
    assert (
        quadrille(*out.partition("have a name: quadrille ")[2].partition("\n")[0].split())[0] == 0
    )


@pytest.mark.parametrize("name", sorted(resources.shipped_profiles()))
def test_every_shipped_profile_is_without_errors(name, quadrille):
    """Also one whose parent is abstract, and cannot be played by itself to see what it left no
    occasion."""
    status, out, _ = quadrille("check", str(resources.shipped_profiles()[name]))
    assert (status, out) == (0, "1 file checked, no errors\n")


def test_house_rules_are_right_when_their_own_witness_can_play_them(quadrille, tmp_path):
    """What another witness of the parent could not play is noted, and no error; by the own witness
    it is one."""
    path = tmp_path / "ours.yaml"
    text = (
        "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\nplugins: [{plugin: "
        "vole-announced}]\n"
    )
    path.write_text(text + "default_witness: wikipedia\n")
    status, _, err = quadrille("check", str(path))
    assert status == 0
    assert "note: with parlett as witness these rules cannot be played" in " ".join(err.split())
    path.write_text(text + "default_witness: parlett\n")
    status, out, _ = quadrille("check", str(path))
    assert status == 1
    assert "Q603" in out


RESULT = (
    "rules: quanti-1822@parlett\nplayers: [A, B, C, D]\npool: 12\ncontract: solo\ntrump: "
    "hearts\nhombre: A\ntricks: {A: 6, B: 2, D: 2}\nmatadors: 3\npremiers: true\n"
)


def test_a_file_is_judged_by_what_it_is(quadrille, tmp_path):
    """A result showed 13 false errors, as if it were a profile; `kind: result` was refused by
    `settle`."""
    ours, said, record = (tmp_path / name for name in ("ours.yaml", "said.yaml", "record.json"))
    ours.write_text(RESULT)
    said.write_text("kind: result\n" + RESULT)
    record.write_text(quadrille("deal", R, "--seed", "3", "--format", "json")[1])
    others = [VARIANTS / "bibliography.yaml", *(VARIANTS / "laws").glob("*.yaml"), *EVIDENCE]
    assert len(others) > 10
    status, out, _ = quadrille("check", *map(str, (ours, said, record, *others)))
    assert (status, out.splitlines()[-1]) == (0, f"{len(others) + 3} files checked, no errors")
    assert quadrille("settle", str(said))[0] == 0


WRONG_RESULT = (
    RESULT.replace("12", "-1").replace("hearts", "hurts").replace("hombre: A", "hombre: Z")
)
WRONG = {
    "result": (WRONG_RESULT, [("Q701", 3), ("Q207", 5), ("Q204", 6)]),
    "result by rules that there are not": (
        RESULT.replace("quanti-1822", "quanti-1823"),
        [("Q306", 1)],
    ),
    "evidence of nothing": (
        "kind: evidence\nrules: nobody\nevidence: []\n",
        [("Q306", 2), ("Q206", 3)],
    ),
    "laws without a source": ("kind: laws\nlaws: []\n", [("Q202", 1)]),
}


@pytest.mark.parametrize("name", WRONG)
def test_every_error_of_a_file_that_is_no_profile_comes_in_one_pass(name, tmp_path):
    """Errors of its shape, and of what it says under the rules that it names."""
    text, expected = WRONG[name]
    path = tmp_path / "ours.yaml"
    path.write_text(text)
    found = [(p.code, p.line) for p in problems_of(path)[0]]
    assert [one for one in expected if one not in found] == []


def test_what_a_file_names_in_vain_is_told_beside_the_errors_of_its_shape(tmp_path):
    """A file showed four errors, then four others, then two."""
    path = tmp_path / "ours.yaml"
    path.write_text(
        "kind: profile\nid: Ours\ntitle: Ours\nextends: quanti-1822\ndefault_witness: nobody\n"
        "plugins: [{plugin: favorite}]\nreadings: {unitt: fixed}\nrules: {stakes: {anti: 2, "
        "ante_by: deeler}}\n"
    )
    assert Counter(p.code for p in problems_of(path)[0]) == Counter(
        ("Q207", "Q201", "Q204", "Q403", "Q501", "Q401")
    )


# --- a result, and what is taken for one ------------------------------------------------------

BEGINNING = "rules: quanti-1822\nplayers: [Ann, Ben, Cat, Dan]\ncontract: solo\nhombre: Ann\n"


def found_in(path: str) -> list[Problem]:
    return problems_of(Path(path))[0]


@cases("check")
def test_settle_and_check_say_the_same_of_a_result(text, faults, refused, quadrille, write):
    """With one place and one hint; where the YAML is refused (``refused`` faults, if not all),
    `settle` stops there, and `check` goes on."""
    path = write(f"{BEGINNING}{text}\ntrump: hearts\ntricks: {{Ann: 6, Ben: 4}}\n", "r.yaml")
    found = found_in(path)
    assert [[p.code, p.variant, p.line, p.col] for p in found] == faults
    status, _, err = quadrille("settle", path)
    assert status == bool(faults)
    assert err.rstrip() == "\n".join(p.render() for p in found[: refused or None])


@cases("check")
def test_a_players_tricks_are_at_fault_by_their_name_or_by_their_number(tricks, faults, write):
    found = found_in(write(f"{BEGINNING}pool: 4\ntricks: {tricks}\ntrump: hearts\n", "r.yaml"))
    meant = {
        DidYouMean: lambda hint: hint.words[0],
        Replace: lambda hint: hint.value,
        type(None): lambda _: None,
    }
    assert [
        [p.code, p.variant, p.line, p.col, meant[type(p.hint)](p.hint)] for p in found
    ] == faults


@cases("check")
def test_a_file_is_taken_for_what_it_nearly_says_it_is(name, text, code, variant, wanted, write):
    first = min(found_in(write(text, name)), key=lambda p: p.code != "Q208")
    assert (first.code, first.variant, first.data.get("wanted")) == (code, variant, wanted)


@cases("check")
def test_every_fault_of_a_profile_comes_in_one_pass(text, faults, write):
    """Also of what the sound items of a list name in vain."""
    head = "kind: profile\nid: o\ntitle: O\nextends: quanti-1822\n"
    assert [[p.code, p.line] for p in found_in(write(f"{head}{text}\n", "o.yaml"))] == faults


def test_a_record_is_no_result_and_is_replayed(write):
    """`settle` asks what a file says it is before it asks what it lacks."""
    with pytest.raises(ResultError) as caught:
        rules_named({"kind": "deal", "rules": {"profile": "quanti-1822"}})
    (problem,) = caught.value.problems
    assert (problem.code, problem.variant) == ("Q208", "record-for-a-result")
    assert problem.hint == Command("deal", (), (Option("replay", "FILE"),))
