"""``diff``: the rules in which two rule sets differ, and the status that says so."""

import csv
import io
import json
import re

from quadrille_plugins.studies.differences import references

from quadrille_core.ruleset import compile_reference


def test_diff_exits_with_1_when_rules_differ_and_0_when_none_does(quadrille):
    assert quadrille("diff", "quanti-1822", "quanti-1822")[0] == 0
    status, out, _ = quadrille(
        "diff", "quanti-1822@parlett", "quanti-1822@wikipedia", "--format", "json"
    )
    assert status == 1
    found = {d["path"]: d for d in json.loads(out)["differences"]}
    assert found["payments.premium.solo"]["values"] == [4, 2]
    assert all(len(d["sources"]) == 2 and all(d["sources"]) for d in found.values())


def test_an_option_may_be_meant_for_one_rule_set_only(quadrille):
    _, out, _ = quadrille(
        "diff", "quanti-1822", "quanti-1822", "--reading", "2:unit=fixed", "--format", "json"
    )
    assert {d["path"] for d in json.loads(out)["differences"]} == {"stakes.unit_of", "stakes.unit"}
    assert quadrille("diff", "quanti-1822", "quanti-1822", "--reading", "3:unit=fixed")[0] == 2


def test_a_rule_takes_a_line_for_each_rule_set_by_name_in_80_columns(quadrille, monkeypatch):
    """Twenty-three rules took 301 lines there, of columns a few letters wide; and A and B named
    players too."""
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = quadrille("diff", "quanti-1822@parlett", "quanti-1822@wikipedia")
    lines = out.splitlines()
    assert lines[0] == "16 rules differ between parlett and wikipedia."
    assert len(lines) <= 5 * 16
    assert max(map(len, lines)) <= 80
    at = lines.index("payments.premium.solo")
    assert lines[at + 1].startswith("  parlett    4  [parlett: ")
    assert lines[at + 2].startswith("  wikipedia  2  [inferred (wikipedia-new: ")


def test_the_command_that_lists_the_rules_says_which_rule_set_is_meant(quadrille):
    """A choice by hand for the second rule set was given to both: no rule differed when it was
    typed."""
    first, second = (
        compile_reference("quanti-1822", settings=s) for s in ({}, {"payments.premium.solo": 9})
    )
    line = references(first, second)
    assert line == "quanti-1822 quanti-1822 --set 2:payments.premium.solo=9"
    assert quadrille("diff", *line.split())[0] == 1


def test_a_bid_that_only_one_side_has_takes_a_line_and_all_lists_its_rules(quadrille):
    """Of 118 rules 32 were those of one bid, each with "no such rule" beside it."""
    asked = ("diff", "mediateur-1752", "quanti-1822")
    _, out, _ = quadrille(*asked)
    assert re.search(r"only mediateur-1752 has the bid nemo \(\d\d rules\)", out)
    assert "bids.nemo." not in out
    _, whole, _ = quadrille(*asked, "--all")
    assert "only mediateur-1752 has" not in whole
    paths = {d["path"] for d in json.loads(quadrille(*asked, "--format", "json")[1])["differences"]}
    assert {line for line in whole.splitlines() if line in paths} == paths


def test_the_prose_of_the_differences_is_pointed_to_as_typed(quadrille):
    """It is the rulebook of the second, with what is new in it marked; what is chosen by hand has
    its number."""
    _, out, _ = quadrille("diff", "quanti-1822", "quanti-1822", "--reading", "2:unit=fixed")
    line = " ".join(out.split("As prose: quadrille ")[1].split("\n\nTo cite this: ")[0].split())
    assert line == "rulebook quanti-1822 --against quanti-1822 --reading 1:unit=fixed"
    assert quadrille(*line.split())[0] == 0


def test_rules_taken_from_another_text_than_the_rule_sets_own_are_counted(quadrille):
    """The book of 1752 has no table of payments here: it is that of a later book, by a report."""
    _, out, _ = quadrille("diff", "mediateur-1752", "quanti-1822@parlett")
    first = " ".join(out.split("\n\n")[0].split())
    assert re.search(
        r"mediateur-1752: of these rules \d+ come from quanti-1822 \(by parlett\), \d+ of them pay",
        first,
    )
    assert "quanti-1822: of these rules" not in first.replace("mediateur-1752: of", "")
    _, out, _ = quadrille("diff", "quanti-1822@parlett", "quanti-1822@wikipedia")
    assert "come from" not in out


def test_a_reading_chosen_against_the_witness_is_its_source_s_and_fills_no_silence(quadrille):
    """It said `parlett silent; filled`, though Parlett attests another reading, and the choice was
    made by hand."""
    chosen = "2:codille_shared=triple_stake"
    out = quadrille("diff", "quanti-1822@parlett", "quanti-1822@parlett", "--reading", chosen)[1]
    assert "[wikipedia-new: Hombre loses]" in out
    assert "silent" not in out
    assert "fill a silence" not in out
    filled = "red_plain_ace=top"  # of which Parlett does say nothing
    out = quadrille("explain", "quanti-1822@parlett", "cards.red_plain_ace", "--reading", filled)[1]
    assert "silent: parlett; filled: As in the older article" in out


def test_what_a_side_does_not_have_is_an_empty_cell_of_the_csv_and_a_dash_in_print(quadrille):
    """It was `none` there, as a rule whose value is the word none or null."""
    asked = ("diff", "quanti-1822@parlett", "mediateur-1752")
    cells = {
        row["path"]: row
        for row in csv.DictReader(io.StringIO(quadrille(*asked, "--format", "csv")[1]))
    }
    assert [cells["bids.grandissimo.trump"][c] for c in ("value_1", "value_2", "source_1")] == [
        "",
        "none",
        "",
    ]
    assert cells["favourite.suit"]["value_1"] == "none"
    lines = quadrille(*asked, "--all")[1].splitlines()
    assert lines[lines.index("bids.grandissimo.trump") + 1] == "  quanti-1822     –  [no such rule]"
