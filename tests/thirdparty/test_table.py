"""House rules from outside at the table: in a ledger and on the pages they pay what ``settle`` does."""

import json

import pytest
import yaml
from quadrille_plugins.serve.app import at_table, desk
from support.houses import HOUSES, base
from support.pages import (
    HOST,
    LINK,
    client,
    elements,
    form_of,
    payments_shown,
    payments_told,
    tables,
    words,
)
from support.plugin import SOLO

from quadrille_core.engine.past import OF_SESSION

CASES = [
    (name, case)
    for name, told in HOUSES.items()
    for case in told["settled"] or [{"paid": [], "why": f"{name} pays nothing."}]
]
ELSEWHERE = {"hombre": "C", "tricks": {"C": 6, "A": 4}}
"""Whoever plays the earlier deals that a house counts."""
IDS = [f"{name}: {case['why']}" for name, case in CASES]


@pytest.fixture(autouse=True)
def outside(club, monkeypatch):
    """The third-party distribution, in this process too."""
    monkeypatch.syspath_prepend(str(club))


@pytest.fixture
def told(quadrille, tmp_path):
    """What a command answers of a result, as JSON."""

    def told(*words, result=None):
        if result is not None:
            file = tmp_path / "result.yaml"
            file.write_text(yaml.safe_dump(result))
            words = (*words, str(file))
        status, printed, err = quadrille(*words, "--format", "json")
        assert status == 0, err
        return json.loads(printed)

    return told


def typed(case):
    """A case as one types it."""
    return SOLO | case.get("result", {}) | ({"facts": case["facts"]} if "facts" in case else {})


@pytest.mark.parametrize("name", HOUSES)
def test_the_page_of_the_rules_has_the_rule_of_a_house(name):
    """Where whoever started the pages lets them run its plugin, and not else."""
    address, path = f"/rules/{base(name)}+{name}/sources", HOUSES[name]["leaf"]
    page = client(desk([HOST], b"secret", plugins=[name])).get(address).text
    shown = {
        f"{words(caption)}.{row[0]}"
        for caption, rows in zip(elements(page, "caption"), tables(page), strict=True)
        for row in rows
    }
    assert path in shown
    assert client(desk([HOST], b"secret")).get(address).status_code == 404


@pytest.mark.parametrize(("name", "case"), CASES, ids=IDS)
def test_the_desk_settles_a_house_as_the_command_does(name, case, told):
    """The page shows every payment with its rule and source."""
    browser = client(desk([HOST], b"secret", plugins=[name]))
    result = typed(case) | {"rules": f"{base(name)}+{name}"}
    page, sent = form_of(result)
    data = told("settle", result=result)
    assert browser.get(page, params=[*sent, ("format", "json")]).json() == data
    _, paid, *_, rules = tables(browser.get(page, params=sent).text)
    side = [who for who in (data["hombre"], data["ally"]) if who]
    assert payments_shown(paid, rules, list(data["net"]), side) == payments_told(data["transfers"])


@pytest.mark.parametrize("name", HOUSES)
def test_a_ledger_pays_as_settle_does_and_its_page_shows_it(name, told, tmp_path):
    """The first case of each house; earlier deals that it counts are played first, by another."""
    case, file = next(case for known, case in CASES if known == name), tmp_path / "house.ledger"
    rules = f"{HOUSES[name].get('ledger', base(name))}+{name}"
    told("session", "start", str(file), "--rules", rules, "--players", "A,B,C,D")
    result = typed(case) | {"rules": rules}
    entered = {key: result[key] for key in result if key not in ("players", "pool", "rules")}
    known = {fact for fact in case.get("facts", ()) if fact in OF_SESSION}
    for _ in range(max(case["facts"][fact]["A"] for fact in known) if known else 0):
        told("session", "deal", str(file), result=entered | {"facts": {}} | ELSEWHERE)
    entered["facts"] = {f: n for f, n in case.get("facts", {}).items() if f not in known}
    deal = told("session", "deal", str(file), result=entered)
    antes = [t for t in deal["transfers"] if t["rule"].startswith("stakes.") and t["to"] == "pool"]
    pool = sum(t["amount"] for t in antes)
    settled = told("settle", result=result | {"pool": pool})["transfers"]
    paid = [t for t in deal["transfers"] if t not in antes]
    assert sorted(paid, key=str) == sorted(settled, key=str)
    rule = case.get("rule", HOUSES[name]["leaf"])
    assert rule in {t["rule"] for t in paid} or not case["paid"]
    browser = client(at_table([HOST], file, LINK, local=True))
    browser.get(f"/open/{LINK.token}")
    *_, shown, rules = tables(browser.get(f"/deal/{deal['deal']}").text)
    side = [who for who in (result["hombre"], result.get("ally")) if who]
    assert payments_shown(shown, rules, list(deal["change"]), side) == payments_told(
        deal["transfers"]
    )


def test_a_hand_thrown_in_is_recorded_as_a_deal_that_nobody_played(quadrille, tmp_path):
    """The next player deals, as the rulebook says; without the rule it is refused."""
    for rules, expected in (("quanti-1822+throw-in", 0), ("quanti-1822", 1)):
        file = str(tmp_path / f"{expected}.ledger")
        assert quadrille("session", "start", file, "--rules", rules, "--players", "A,B,C,D")[0] == 0
        status, _, _ = quadrille("session", "deal", file, "--passed", "--format", "json")
        assert status == expected
