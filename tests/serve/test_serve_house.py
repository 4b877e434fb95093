"""House rules in pages: the questions, what the address keeps, contradictions and their mending, and
what comes of it."""

import re
from urllib.parse import parse_qsl, urlencode

import pytest
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.lookup.glossary import glossary
from quadrille_plugins.lookup.meanings import question_of
from quadrille_plugins.serve.app import at_table
from quadrille_plugins.serve.house_form import (
    MECHANICS,
    MOST_TRIED,
    TOPICS,
    YOURS,
    State,
    file_text,
    groups,
    read,
    wrongs,
)
from quadrille_plugins.serve.named import RuleSets, shipped
from quadrille_plugins.shell.main import run
from starlette.datastructures import ImmutableMultiDict
from support.ledger import NAMES
from support.pages import (
    HOST,
    LINK,
    NAMESPACE,
    PIECES,
    assert_tells_nothing,
    client,
    elements,
    hidden,
    post,
    send,
    tree,
    words,
)

from quadrille_core import vocabulary
from quadrille_core.errors import QuadrilleError
from quadrille_core.ruleset import compile_reference, load_chain

QUANTI = "quanti-1822@parlett"
GAMES = [one.id for one in shipped() if one.tricks]
OURS = {"title": "Our table", "auction.all_pass": "redeal", "bids.forced-spadille.made": "never"}
RULE_SETS = RuleSets()
ALL = RULE_SETS.plugins()
FAVOURITES = vocabulary.leaf_at("favourite.source").choices()


def state_of(name, *pairs):
    """What an address says, and the rules before single ones are set."""
    return read(name, ImmutableMultiDict(pairs), RULE_SETS.compile)


# --- the questions --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_set_has_a_form_of_each_topic(browser, name):
    """Sound pages; each field says what stands in the rules, so that sent as it is nothing is
    changed; each question tells where texts have which answer."""
    for topic in (*TOPICS, MECHANICS, YOURS):
        page = browser.get(f"/house/{name}?{urlencode({'title': 'Ours', 'topic': topic})}")
        assert page.status_code == 200, page.text
        form = next(f for f in elements(page.text, "form") if "data-asks" in f.attrib)
        kept = {"radio": "checked", "checkbox": "checked", "hidden": "value", "text": "value"}
        sent = [
            (e.attrib["name"], e.attrib["value"])
            for e in form.iter(NAMESPACE + "input")
            if kept[e.attrib["type"]] in e.attrib
        ]
        again, _ = state_of(name, *sent)
        assert (again.rules, again.plugins, again.topic) == ({}, (), topic)
        named = re.findall(r"[a-z_]+(?:\.[a-z_*-]+)+", words(tree(page.text)))
        assert [path for path in named if vocabulary.pattern_of(path)] == []
    _, base = state_of(name)
    for topic in TOPICS:
        found, left = groups(State(name, "", topic=topic), base)
        assert found or left or topic == "The vole", topic
        assert all(group.texts and group.asks for group in found)


def test_every_topic_asks_of_rules_that_there_are():
    """A rule that was renamed would be asked about no more, and nobody would see."""
    known = set().union(*(compile_reference(name).origins for name in GAMES))
    for pattern in (p for those in TOPICS.values() for p in those):
        assert any(vocabulary.matches(pattern, path) for path in known), pattern


CHOICES = {
    "a bid falls on nobody where the cards are dealt anew": (
        [("auction.all_pass", "redeal")],
        {"bids.alliance.made": ["in_turn", "never"]},
    ),
    "what stands in the rules can be left so": (
        [("auction.all_pass", "redeal")],
        {"bids.forced-spadille.made": ["in_turn", "when_all_pass", "never"]},
    ),
    "where one bid must be forced, another can be": (
        [],
        {"bids.alliance.made": ["in_turn", "when_all_pass", "never"]},
    ),
    "without a favourite suit only the suit is asked for": (
        [("topic", "Favourite suit")],
        {"favourite.doubles": None, "favourite.source": [*FAVOURITES]},
    ),
    "with one there is more to ask": (
        [("topic", "Favourite suit"), ("favourite.source", "drawn_each_deal")],
        {"favourite.doubles": ["bonuses", "game"]},
    ),
    "nothing is lost for which nothing is paid": (
        [("topic", "A lost game"), ("payments.premiers", "0")],
        {"loss.remise_pays": ["premium", "matadors", "vole"]},
    ),
}


@pytest.mark.parametrize("case", CHOICES)
def test_what_could_not_act_is_not_offered(case):
    """By whatever else was chosen; a rule that was set, or stands so, says why it cannot act."""
    pairs, expected = CHOICES[case]
    asked, left = groups(*state_of(QUANTI, *pairs))
    offered = {q.path: q for group in asked for q in group.questions}
    for path, values in expected.items():
        assert (values is None) == (path not in offered)
        if values is not None:
            assert [c.value for c in offered[path].choices] == values
            stands_idle = path == "bids.forced-spadille.made"
            assert bool(offered[path].idle) is stands_idle
    assert bool(left) == (None in expected.values() or ("auction.all_pass", "redeal") in pairs)


def test_each_book_says_what_it_is_like_and_each_word_what_it_means(browser):
    """By its own file, on every list of books, and by the glossary beside the question."""
    for page in ("/house", "/play", "/rules"):
        text = words(tree(browser.get(page).text))
        assert all(one.about and one.about in text for one in shipped() if one.tricks)
    page = browser.get(f"/house/{QUANTI}?topic=A+lost+game").text
    meant = {words(e) for e in elements(page, "dt")}
    assert {"remise", "codille", "premiers", "vole"} <= meant
    assert glossary()["remise"].means in words(tree(page))


@pytest.mark.parametrize("at", ["/play", "/house", "/rules", "/settle"])
def test_rules_that_are_no_game_by_themselves_lead_to_those_that_are(browser, at):
    page = browser.get(f"{at}/quadrille-article").text
    links = {e.attrib["href"] for e in elements(page, "a") if e.attrib.get("class") == "main"}
    heirs = {n for n in GAMES if "quadrille-article" in [doc.id for doc in load_chain(n)]}
    assert links == {f"{at}/{name}" for name in heirs}
    assert len(heirs) > 1
    assert all(browser.get(link).status_code == 200 for link in links)


def test_every_choice_that_is_offered_can_be_made_or_mended():
    """Each choice of each rule, alone: the rules can be played by it, or something that was tried
    mends them; what is mended can be played, or has fewer faults."""
    made = mended = 0
    for topic in TOPICS:
        state, base = state_of(QUANTI, ("topic", topic))
        for group in groups(state, base)[0]:
            for question in group.questions:
                for choice in question.choices:
                    one, _ = state_of(QUANTI, (question.path, choice.value))
                    found = wrongs(one, base, RULE_SETS.compile, ALL)
                    made += not found
                    for wrong in found:
                        assert wrong.mends, (question.path, choice.value)
                        mended += 1
                        for mend in wrong.mends:
                            left = wrongs(mend.state, base, RULE_SETS.compile, ALL)
                            assert len(left) < len(found), mend.words
    assert (made > 60, mended > 20) == (True, True), (made, mended)


# --- the address ----------------------------------------------------------------------------------


def test_the_address_holds_what_differs_and_nothing_else(browser):
    """What stands in the rules anyway is left out, and so is what was taken back."""
    asked = {**OURS, "payments.premium.solo": "4", "stakes.ante": "", "topic": "Bids"} | {
        "sent": "yes"
    }
    answer = browser.get(f"/house/{QUANTI}?{urlencode(asked)}")
    assert answer.status_code == 303
    address, _, query = answer.headers["location"].partition("?")
    assert (address, dict(parse_qsl(query))) == (f"/house/{QUANTI}", {**OURS, "topic": "Bids"})
    assert browser.get(answer.headers["location"]).status_code == 200
    yours = browser.get(f"/house/{QUANTI}?{urlencode({**OURS, 'topic': YOURS})}").text
    back = [
        e.attrib["href"]
        for e in elements(yours, "a")
        if "Take back" in e.attrib.get("aria-label", "")
    ]
    kept = [set(dict(parse_qsl(one.partition("?")[2]))) & set(OURS) for one in back]
    assert kept == [set(OURS) - {"auction.all_pass"}, set(OURS) - {"bids.forced-spadille.made"}]


@pytest.mark.parametrize(
    ("sent", "rules"),
    [
        ([("loss.remise_pays", "[]")], {"loss.remise_pays": []}),
        (
            [("loss.remise_pays", "[]"), ("loss.remise_pays", "vole")],
            {"loss.remise_pays": ["vole"]},
        ),
        ([("loss.remise_pays", v) for v in ("[]", "premium", "matadors")], {}),
        ([("auction.passed_may_return", "true")], {"auction.passed_may_return": True}),
        (
            [("stakes.unit", "1/2"), ("table.purse", "50")],
            {"stakes.unit": "1/2", "table.purse": 50},
        ),
        ([("favourite.suit", "null")], {}),
        ([("payments.premium.solo", "{a: [")], {"payments.premium.solo": "{a: ["}),
    ],
)
def test_what_is_sent_is_read_as_the_rule_has_it(sent, rules):
    """Lists item by item; what cannot be read is told as a fault of the rule."""
    state, base = state_of(QUANTI, *sent)
    assert state.rules == rules
    if sent[0][1] == "{a: [":
        (wrong,) = wrongs(state, base, RULE_SETS.compile, ALL)
        assert wrong.problem.code == "Q203"
        assert [mend.state.rules for mend in wrong.mends] == [{}]


# --- what is wrong, and its mending ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("chosen", "variant", "mended"),
    [
        ({"bids.forced-spadille.made": "never"}, "forced-bids", {"auction.all_pass": "redeal"}),
        ({"table.purse": "100"}, "coins-and-purse", {"table.coins": []}),
        (
            {"auction.passed_may_return": "true", "auction.all_pass": "redeal"},
            "nothing-to-bid-again",
            {"auction.all_pass": "forced_bid"},
        ),
    ],
)
def test_a_contradiction_is_told_with_links_that_mend_it(browser, chosen, variant, mended):
    """The page says so with 422, keeps what was chosen, and offers the hint of the checker and the
    way back; each link leads to rules that can be played."""
    state, base = state_of(QUANTI, *chosen.items())
    (wrong,) = wrongs(state, base, RULE_SETS.compile, ALL)
    assert wrong.problem.variant == variant
    assert mended in [
        {k: v for k, v in one.state.rules.items() if state.rules.get(k) != v} for one in wrong.mends
    ]
    page = browser.get(f"/house/{QUANTI}?{urlencode(chosen)}")
    assert page.status_code == 422
    (alert,) = [e for e in elements(page.text, "div") if e.attrib.get("role") == "alert"]
    links = [e.attrib["href"] for e in alert.iter(NAMESPACE + "a")]
    assert links == [f"/house/{QUANTI}?{one.state.query()}" for one in wrong.mends]
    assert {browser.get(link).status_code for link in links} == {200}
    yours = browser.get(f"/house/{QUANTI}?{urlencode({**chosen, 'topic': YOURS})}")
    assert yours.status_code == 422
    assert not [e for e in elements(yours.text, "h2") if e.attrib.get("id") == "made"]
    for what in ("rulebook", "sheet", "file"):
        assert browser.get(f"/house/{QUANTI}/{what}?{urlencode(chosen)}").status_code == 400


def test_a_value_that_cannot_be_is_told_with_its_question(browser):
    """A path of rules alone says nothing to a host; where several rules are at odds none is asked
    about."""
    for query, asks in (({"stakes.ante": "abc"}, question_of("stakes.ante")), (POINTS, "")):
        name = "quanti-1822"
        state, base = read(name, ImmutableMultiDict(query), RULE_SETS.compile)
        assert {w.asks for w in wrongs(state, base, RULE_SETS.compile, ALL)} == {asks}
        page = browser.get(f"/house/{name}", params=query)
        (alert,) = [e for e in elements(page.text, "div") if e.attrib.get("role") == "alert"]
        assert asks in words(alert)
    two = {"stakes.ante": "abc", "bids.forced-spadille.made": "never"}
    (wrong,) = wrongs(*state_of(QUANTI, *two.items()), RULE_SETS.compile, ALL)
    assert {"bids.forced-spadille.made": "never"} in [one.state.rules for one in wrong.mends]


POINTS = {"score.kept": "points"}


def test_a_whole_mechanic_mends_what_wants_one():
    """A favourite suit needs a table of payments: the plugin that brings one is found by trying; one
    that the pages may not run is not."""
    chosen = (("favourite.source", "drawn_each_session"),)
    state, base = state_of("quadrille-laws", *chosen)
    assert wrongs(state, base, RULE_SETS.compile, ALL) == []
    state, base = state_of(QUANTI, *chosen)
    for ours, plugins in ((ALL, {("favourite",), ()}), (frozenset(), {()})):
        (wrong,) = wrongs(state, base, RULE_SETS.compile, ours)
        assert wrong.problem.variant == "no-table-of-favourite"
        assert {mend.state.plugins for mend in wrong.mends} == plugins


def test_a_plugin_that_the_pages_may_not_run_is_not_even_loaded(app, monkeypatch):
    """Whoever installed a stranger's plugin did not let the pages run it."""
    from quadrille_core.registry import Registry

    loaded, load = set(), Registry.load

    def noted(self, name, place=None):
        loaded.add(name)
        return load(self, name, place)

    monkeypatch.setattr(Registry, "load", noted)
    monkeypatch.setattr(RuleSets, "plugins", lambda self: ALL - {"point-score"})
    page = client(app).get(f"/house/{QUANTI}?{urlencode({'topic': MECHANICS})}").text
    offered = {e.attrib["value"] for e in elements(page, "input") if e.attrib["name"] == "plugin"}
    assert client(app).get(f"/house/{QUANTI}/file?{urlencode(OURS)}").status_code == 200
    assert "multiplier" in offered & loaded
    assert "point-score" in ALL - offered - loaded


def test_a_plugin_that_cannot_be_added_is_told_and_taken_back(browser):
    page = browser.get(f"/house/{QUANTI}?plugin=mediateur")
    assert page.status_code == 422
    (alert,) = [e for e in elements(page.text, "div") if e.attrib.get("role") == "alert"]
    (link,) = [e.attrib["href"] for e in alert.iter(NAMESPACE + "a")]
    assert browser.get(link).status_code == 200
    assert browser.get(f"/house/{QUANTI}?plugin=strangers-own").status_code == 404


def test_so_many_ways_to_mend_are_tried_and_no_more(monkeypatch):
    """Whoever sends a hundred wrong values does not keep the server busy."""
    paths = [p for p in compile_reference("mediateur-1752").origins if p.startswith("payments.")]
    state, base = state_of("mediateur-1752", *((path, "-1") for path in paths))
    tried = []

    def compiled(*given):
        tried.append(given)
        return RULE_SETS.compile(*given)

    assert len(wrongs(state, base, compiled, ALL)) > MOST_TRIED
    assert len(tried) <= MOST_TRIED + 1


# --- what comes of it -----------------------------------------------------------------------------


CHOSEN = (
    (QUANTI, tuple(OURS.items())),
    (
        "mediateur-1752",
        (("favourite.suit", "spades"), ("table.purse", "50"), ("table.coins", "[]")),
    ),
    (QUANTI, (("plugin", "nemo"), ("payments.premium.nemo", "9"), ("reading", "unit=fixed"))),
    ("hoyle-improved", (("loss.codille_pays", "[]"), ("title", "Ann's: “table” # 1"))),
)


@pytest.mark.parametrize(("name", "pairs"), CHOSEN)
def test_the_file_states_the_rules_of_the_page(browser, tmp_path, name, pairs):
    """What is kept passes `quadrille check`, and compiles to what the form was asked for."""
    state, base = state_of(name, *pairs)
    asked = RULE_SETS.compile(state.reference, state.readings, state.rules)
    assert asked.game.rules != compile_reference(name).game.rules
    answer = browser.get(f"/house/{name}/file?{urlencode(pairs)}")
    assert answer.headers["content-type"].startswith("application/yaml")
    kept = answer.headers["content-disposition"].partition('"')[2].rstrip('"')
    (tmp_path / kept).write_text(answer.text, encoding="utf-8")
    assert answer.text == file_text(state, base, ALL)
    assert run(["check", str(tmp_path / kept)]) == 0
    made = compile_reference(str(tmp_path / kept))
    assert (made.game.rules, made.title) == (asked.game.rules, state.title)


@pytest.mark.parametrize(("name", "pairs"), CHOSEN)
def test_a_file_that_was_sent_is_changed_in_the_form(browser, name, pairs):
    """What the form made leads back to the address that made it; what says more is refused."""
    state, base = state_of(name, *pairs)
    sent = post(browser, "/house", "/house", {"text": file_text(state, base, ALL)}).headers[
        "location"
    ]
    assert f"/house{sent.removeprefix('/rules')}" in [
        e.attrib["href"] for e in elements(browser.get(sent).text, "a")
    ]
    there = browser.get(sent.replace("/rules", "/house"))
    assert there.status_code == 303
    again, _ = state_of(name, *parse_qsl(there.headers["location"].partition("?")[2]))
    assert (again.title, again.rules, again.plugins) == (state.title, state.rules, state.plugins)
    more = f"kind: profile\nid: more\ntitle: More\nextends: {name.partition('@')[0]}\n"
    more += "plugins: [{plugin: multiplier, with: {stake: raised}}]\n"
    sent = post(browser, "/house", "/house", {"text": more}).headers["location"]
    assert browser.get(sent.replace("/rules", "/house")).status_code == 400


def test_the_rulebook_and_the_sheet_are_those_of_the_file(browser):
    """They bear its title; with ``marked`` what differs from where it starts is marked."""
    query = urlencode(OURS)
    for what in ("rulebook", "sheet"):
        text = browser.get(f"/house/{QUANTI}/{what}?{query}").text
        assert [words(e) for e in elements(text, "h1")] == ["Our table"]
        assert "<ins" not in text
    assert elements(browser.get(f"/house/{QUANTI}/rulebook?{query}&marked=yes").text, "ins")


def test_house_rules_that_are_made_can_be_settled_and_played_by(browser):
    """The button sends them as a file is sent."""
    page = browser.get(f"/house/{QUANTI}?{urlencode({**OURS, 'topic': YOURS})}").text
    sent = send(browser, "/house", hidden(page, "/house"))
    assert sent.status_code == 303
    assert browser.get(sent.headers["location"].replace("/rules", "/play")).status_code == 200


def test_a_session_is_begun_by_house_rules_made_on_a_phone(tmp_path):
    """By the link alone, from the first page on; the file stands beside the ledger, so that a rule
    can be changed from it."""
    file = tmp_path / "evening.ledger"
    phone = client(at_table([HOST], file, LINK, local=True))
    made = f"/begin/house/{QUANTI}?{urlencode({**OURS, 'topic': YOURS})}"
    assert phone.get(made).status_code == 403
    assert phone.get(f"/open/{LINK.token}").status_code == 200
    first = phone.get("/begin").text
    assert "/begin/house" in [e.attrib["href"] for e in elements(first, "a")]
    assert phone.get("/begin/house").status_code == 200
    page = phone.get(made).text
    (begin,) = [
        e.attrib["href"] for e in elements(page, "a") if e.attrib["href"].startswith("/begin?")
    ]
    form = phone.get(begin).text
    names = {f"player{n}": name for n, name in enumerate(NAMES)}
    assert (
        send(phone, "/begin/record", {**hidden(form, "/begin/record"), **names}).status_code == 303
    )
    with Ledger(file) as ledger:
        rules = ledger.table().rules
    assert (rules.auction.all_pass, rules.is_played(rules.bids.of("forced-spadille"))) == (
        "redeal",
        False,
    )
    assert {phone.get(page).status_code for page in ("/begin/house", made)} == {404}
    change = {**hidden(phone.get("/evening").text, "/evening/record"), "what": "rules"}
    change |= {"rule": "payments.premium.solo", "value": "7"}
    assert send(phone, "/evening/record", change).status_code == 303
    for page in ("/", "/evening"):
        assert str(tmp_path) not in phone.get(page).text
    with Ledger(file) as ledger:
        leaves = ledger.journal().leaves
    assert (leaves["payments.premium.solo"], leaves["auction.all_pass"]) == (7, "redeal")


def test_what_strangers_send_is_told_and_tells_nothing(browser):
    """In the place of a rule set, a plugin, a reading, a title, a topic, a rule or its value."""
    for piece in PIECES:
        for query in (
            {"title": piece, "topic": piece},
            {"plugin": piece},
            {"reading": piece},
            {"payments.premium.solo": piece, "table.coins": piece},
            {f"a.{piece}": "1"},
        ):
            answer = browser.get(f"/house/{QUANTI}?{urlencode(query, errors='replace')}")
            assert answer.status_code in (200, 400, 404, 422), query
            tree(answer.text)
            assert_tells_nothing(answer.text)
    for name in ("captive-queens", "house-000000000000", "none-such", "quanti-1822+nemo"):
        status = browser.get(f"/house/{name}").status_code
        assert status == (400 if name == "captive-queens" else 404), name
    with pytest.raises(QuadrilleError):
        state_of("captive-queens")


@pytest.mark.parametrize("topic", ["Bids", "A lost game", "Your rules"])
@pytest.mark.parametrize(
    ("rule", "value"),
    [("bids.solo.tricks", "unit=fixed"), ("premiers.tricks", "{}")],
)
def test_an_answer_that_a_rule_cannot_have_is_told_on_every_page(browser, topic, rule, value):
    """Also where whether another rule can act depends on it."""
    query = urlencode({rule: value, "topic": topic})
    assert browser.get(f"/house/hoyle-improved?{query}").status_code == 422
