"""The pages of disputed points and of rules: what they show is what ``apparatus`` and ``explain``
print."""

import json
import re

import pytest
from quadrille_plugins.apparatus.model import apparatus_of
from quadrille_plugins.lookup.answer import matching
from quadrille_plugins.lookup.find import find, of_same_matter
from quadrille_plugins.lookup.rule_page import default_text, parts, rule_page
from quadrille_plugins.serve.apparatus_pages import title_of
from quadrille_plugins.serve.hints import PAGE
from quadrille_plugins.shell.shipped_effects import is_about, shipped_study
from support.ledger import compiled_once
from support.pages import elements, tables, tree, words

QUANTI = "quanti-1822@parlett"
POINT = "remise_pays"


def shown(browser, address):
    answer = browser.get(address)
    assert answer.status_code == 200, answer.text
    tree(answer.text)
    return answer.text


def test_the_list_has_every_point_and_the_search_those_that_the_command_finds(browser):
    """The search field is ``apparatus --grep``."""
    compiled = compiled_once("quanti-1822")
    points = [p.id for p in apparatus_of(compiled).points]

    def listed(page):
        links = [e.attrib["href"] for e in elements(page, "a")]
        return [
            link.rpartition("/")[2] for link in links if link.startswith("/apparatus/quanti-1822/")
        ]

    assert listed(shown(browser, "/apparatus/quanti-1822")) == points
    found = matching("codille", compiled)
    assert 0 < len(found) < len(points)
    assert listed(shown(browser, "/apparatus/quanti-1822?q=codille")) == [
        p for p in points if p in found
    ]
    assert listed(shown(browser, "/apparatus/quanti-1822?q=zzz")) == []


@pytest.mark.parametrize("point", ["remise_pays", "ante"])
def test_a_point_shows_each_witness_as_the_apparatus_has_it(browser, point):
    """Status, reading, place; a filling stands in a row of its own, and a witness that speaks has
    none."""
    apparatus = apparatus_of(compiled_once("quanti-1822"), [point])
    page = shown(browser, f"/apparatus/quanti-1822/{point}")
    beside = tables(page)[0]
    rows = {row[0]: row[1:] for row in beside[1:]}
    silences = {s.witness: s for s in apparatus.points[0].silences}
    texts = {r.id: title_of(r) for r in apparatus.points[0].readings}
    for n, witness in enumerate(apparatus.witnesses):
        own = [
            r
            for r in apparatus.points[0].readings
            if witness.id in {name for name, _ in r.attested}
        ]
        if witness.id in silences:
            silence = silences[witness.id]
            assert rows["status"][n] == silence.state
            assert texts[silence.filled] in rows["where it is followed, this fills the gap"][n]
            assert rows["reading"][n] == "–"
        else:
            assert all(
                r.status in rows["status"][n] and texts[r.id] in rows["reading"][n] for r in own
            )


def test_a_point_links_those_that_decide_the_same_matter(browser):
    """As ``explain`` names them."""
    page = shown(browser, "/apparatus/quanti-1822@parlett/codille_shared")
    links = [e.attrib["href"].rpartition("/") for e in elements(page, "a")]
    here = "/apparatus/quanti-1822@parlett"
    named = {other for before, _, other in links if before == here and "?" not in other}
    compiled = compiled_once("quanti-1822")
    assert named == {other.id for other in of_same_matter("codille_shared", compiled)} != set()


def test_a_point_closed_by_a_rule_set_is_named_without_a_link(browser):
    """A closed point has no page."""
    compiled = compiled_once("mediateur-1752")
    closed = {
        t.title
        for t in of_same_matter("alliance_vole_stake", compiled)
        if t.id not in {s.point.id for s in compiled.points}
    }
    page = shown(browser, "/apparatus/mediateur-1752/alliance_vole_stake")
    items = [e for e in elements(page, "li") if words(e).removesuffix(" (closed here)") in closed]
    assert len(items) == len(closed) > 1
    assert not [a for e in items for a in e.iter() if a.tag == "a"]


def test_each_reading_says_what_it_would_change_by_the_shipped_study(browser):
    """The share and the effect with its interval stand beside the reading, and the page says whose
    they are."""
    page = shown(browser, f"/apparatus/{QUANTI}/{POINT}")
    (found,) = (f for f in shipped_study()["findings"] if f["point"] == POINT)
    told = words(elements(page, "main")[0])
    assert f"It changes {100 * found['share']['mean']:.3g} %" in told
    assert "bot steady" in told
    hombre = next(one for one in found["total"]["roles"] if one["who"] == "the Hombre")
    assert f"{hombre['mean']:+.1f} ({hombre['low']:+.1f} to {hombre['high']:+.1f})" in page
    assert 'href="/studies/shipped"' in page
    assert "Quadrille" in words(elements(page, "main")[0]).partition("To cite this:")[2]


def test_another_games_points_do_not_bear_the_studys_figures(browser):
    """The study is about one rule set, and not about one that extends it."""
    assert not is_about(compiled_once("mediateur-1752"))
    compiled = compiled_once("mediateur-1752")
    point = compiled.points[0].point.id
    assert "/studies/shipped" not in shown(browser, f"/apparatus/mediateur-1752/{point}")


@pytest.mark.parametrize(
    ("name", "point", "played"),
    [("quanti-1822", "unit", True), ("royal-quadrille", "gathering", False)],
)
def test_a_point_leads_to_a_study_where_the_game_can_be_studied(browser, name, point, played):
    """A patience is played alone: nothing is paid."""
    page = browser.get(f"/apparatus/{name}/{point}")
    assert ("/studies/matters?" in page.text) == played


def test_the_apparatus_is_given_as_data_too(browser):
    answer = browser.get(f"/apparatus/{QUANTI}/{POINT}?format=json").json()
    assert list(answer["points"]) == [POINT]
    assert browser.get(f"/apparatus/{QUANTI}?format=bibtex").text.startswith("@")
    assert browser.get(f"/apparatus/{QUANTI}?format=csv").text.startswith("point,reading,")
    json.loads(browser.get(f"/apparatus/{QUANTI}?format=csl").text)
    assert browser.get(f"/apparatus/{QUANTI}/nowhere").status_code == 404


@pytest.mark.parametrize(
    "pattern", ["stakes.ante", "bids.*.rank", "bids.solo.rank", "loss.remise_pays", "score.won"]
)
def test_a_rules_page_is_the_text_of_explain(browser, pattern):
    """Question, values with meanings, default, who sets it, and a file that sets it."""
    page = words(elements(shown(browser, f"/explain/{pattern}"), "main")[0])
    general = "bids.*.rank" if pattern.startswith("bids.") else pattern
    rule = rule_page(general, None if general == pattern else pattern)
    said = [
        rule.asks,
        rule.doc,
        default_text(rule),
        *(word for pair in rule.values for word in pair),
    ]
    said += [text for title, rows in parts(rule) if rows for text in (*sum(rows, ()), title[1:])]
    said += [rule.file, rule.command, rule.says]
    for text in said:
        assert " ".join(text.split()) in page, text


def test_the_explorer_lists_every_rule_and_finds_what_explain_finds(browser):
    from quadrille_core import vocabulary
    from quadrille_core.kinds import KINDS

    def rules(page):
        links = [e.attrib["href"] for e in elements(page, "a")]
        return [link.removeprefix("/explain/") for link in links if link.startswith("/explain/")]

    assert set(rules(shown(browser, "/explain"))) == {
        p for kind in KINDS for p in vocabulary.leaves(kind)
    }
    found = find("codille")
    page = shown(browser, "/explain?q=codille")
    assert rules(page) == [hit.id for hit in found.of("leaf")]
    assert found.counts() in page
    for word in ("zzzz", "codile"):
        page = tree(shown(browser, f"/explain?q={word}"))
        (status,) = [words(e) for e in page.iter() if e.attrib.get("role") == "status"]
        none = f"“{word}” names no point, rule, bid or word of the glossary."
        assert status == f"{none} {PAGE.hint(find(word).help)}".strip()
    assert browser.get("/explain/zzzz").status_code == 404


def test_no_effect_is_less_than_nothing_and_the_pool_has_one_row(browser):
    """A rounded zero was printed as −0.0, and the pool once for each partition."""
    points = {f["point"] for f in shipped_study()["findings"] if f["total"].get("seats")}
    for point in sorted(points)[:6]:
        page = shown(browser, f"/apparatus/{QUANTI}/{point}")
        assert not re.search(r"[+−]0\.0(?!\d)", page)
        assert 'class="number">' in page
        assert page.count("<td>pool</td>") <= page.count("(total effect)")
