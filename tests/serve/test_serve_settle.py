"""The settlement desk: the form says what the file of ``settle`` says, and the page what the
command prints."""

import json
from pathlib import Path

import pytest
from quadrille_plugins.serve.forms import (
    desk_fields,
    filled,
    ledger_fact,
    ledger_fields,
    plain_table,
)
from starlette.datastructures import ImmutableMultiDict
from support import made_rules
from support.catalogue import nonsense
from support.data import cases, of_yaml
from support.pages import elements, form_of, payments_shown, payments_told, tables, words

from quadrille_core.ruleset import compile_reference

WORKED = of_yaml(Path(__file__).parents[1] / "data" / "worked.yaml")["cases"]
SOLO = WORKED[0]["result"]


def test_there_are_sixty_worked_settlements():
    assert len(WORKED) >= 60


@pytest.mark.parametrize("case", WORKED, ids=[c["says"] for c in WORKED])
def test_the_desk_settles_as_the_command_does(case, browser, quadrille, write):
    """The JSON is that of ``settle``, and the page shows each payment of it with its rule and
    source."""
    status, out, err = quadrille("settle", write(case["result"]), "--format", "json")
    assert (status, err) == (0, "")
    page, sent = form_of(case["result"])
    answer = browser.get(page, params=[*sent, ("format", "json")])
    assert answer.status_code == 200, answer.text
    assert answer.json() == json.loads(out)
    data = answer.json()
    _, paid, *_, rules = tables(browser.get(page, params=sent).text)
    side = [name for name in (data["hombre"], data["ally"]) if name]
    assert payments_shown(paid, rules, list(data["net"]), side) == payments_told(data["transfers"])


@pytest.mark.parametrize("case", WORKED, ids=[c["says"] for c in WORKED])
def test_the_form_has_a_field_for_all_that_a_result_says(case):
    """What a worked settlement needs can be filled in: no field is missing for a rule set, no
    answer for a field."""
    compiled = compile_reference(
        case["result"]["rules"], readings=case["result"].get("readings") or {}
    )
    fields = {
        f.name: f
        for f in desk_fields(plain_table(compiled.ruleset.rules, case["result"]["players"]))
    }
    for name, value in form_of(case["result"])[1]:
        fixed = name == "favourite" and compiled.ruleset.rules.favourite.source == "fixed"
        if fixed or name == "reading" or (name, value) in (("vole", "none"), ("ally", "none")):
            continue
        assert name in fields, name
        if fields[name].kind in ("one", "several"):
            assert value in {c.value for c in fields[name].choices}, name


def test_a_field_that_the_rules_do_not_know_is_not_asked(browser):
    """Under Quanti nobody gives up a king; under Médiateur somebody does."""
    asked = [
        e.attrib.get("name") for e in elements(browser.get("/settle/quanti-1822").text, "input")
    ]
    assert "surrendered" not in asked
    assert {
        "contract",
        "hombre",
        "ally",
        "trump",
        "tricks0",
        "tricks3",
        "matadors",
        "premiers",
    } <= set(asked)
    asked = [
        e.attrib.get("name") for e in elements(browser.get("/settle/mediateur-1752").text, "input")
    ]
    assert "surrendered" in asked
    asked = [e.attrib.get("name") for e in elements(browser.get("/settle/quintille").text, "input")]
    assert "tricks4" in asked


@pytest.mark.parametrize("givers", [["B"], ["B", "D"], ["D", "D"]])
def test_a_form_names_who_gave_up_each_card_and_says_it_again(givers):
    """There is a field for each card that is asked for; what they say reads back."""
    table = plain_table(made_rules(**{"bids.mediateur.cards_asked": len(givers)}).rules, "ABCD")
    fields = [f.name for f in ledger_fields(table) if f.name.startswith("surrendered")]
    assert fields == ["surrendered", "surrendered.2"][: len(givers)]
    told = givers if len(givers) > 1 else givers[0]
    data = {"contract": "mediateur", "trump": "clubs", "hombre": "A"}
    data |= {"surrendered": told, "tricks": {"A": 6}}
    form = filled(data, table).items()
    sent = ImmutableMultiDict([(key, value) for key, values in form for value in values])
    assert ledger_fact(sent, table).data["surrendered"] == told


def test_what_was_typed_stays_in_the_form(browser):
    page, sent = form_of(SOLO)
    text = browser.get(page, params=sent).text
    checked = {
        (e.attrib["name"], e.attrib["value"])
        for e in elements(text, "input")
        if "checked" in e.attrib
    }
    assert {
        ("contract", "solo"),
        ("hombre", "0"),
        ("trump", "hearts"),
        ("matadors", "3"),
        ("premiers", "yes"),
    } <= checked


@cases("serve_settle")
def test_what_cannot_have_been_is_said_beside_the_form(browser, changes, message):
    """Every fault with its code and the way to mend it, and the form as it was filled in."""
    page, sent = form_of(SOLO)
    answer = browser.get(page, params={**dict(sent), **changes})
    assert answer.status_code == 422, answer.text
    told = " ".join(
        words(e) for e in elements(answer.text, "ul") if e.attrib.get("class") == "problems"
    )
    assert message in told
    assert "Q" in told
    assert elements(answer.text, "form")


def test_readings_chosen_on_the_page_reach_the_settlement(browser):
    """The address carries them from the rulebook to the desk, and the form sends them on."""
    text = browser.get("/rules/quanti-1822/readings").text
    option = next(e for e in elements(text, "option") if e.attrib["value"])
    reading = option.attrib["value"]
    page, sent = form_of(SOLO)
    answer = browser.get(page, params=[*sent, ("reading", reading), ("format", "json")])
    assert answer.status_code in (200, 422)
    hidden = [
        e.attrib["value"]
        for e in elements(browser.get(page, params={"reading": reading}).text, "input")
    ]
    assert reading in hidden
    shown = browser.get("/rules/quanti-1822", params={"reading": reading}).text
    assert f"/settle/quanti-1822?reading={reading.replace('=', '%3D')}" in shown


def test_a_page_marks_the_field_that_is_wrong_whatever_the_sentences_are(browser):
    """What a page shows of an error, and where, comes from its record."""
    page, sent = form_of(SOLO)
    wrong = [(key, "sollo" if key == "contract" else value) for key, value in sent]
    with nonsense():
        answer = browser.get(page, params=[*wrong, ("format", "json")])
        shown = browser.get(page, params=wrong)
    assert (answer.status_code, shown.status_code) == (422, 422)
    assert "xyzzy" in shown.text
    assert "solo" in shown.text
