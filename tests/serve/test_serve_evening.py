"""The page *Change the evening*: each change once, refused with its reason, without JavaScript."""

import pytest
from quadrille_plugins.ledger.incident import FACTS
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.ledger.words import word
from support.ledger import LOST, SOLO, result
from support.pages import (
    NAMESPACE,
    ORIGIN,
    PIECES,
    assert_tells_nothing,
    changing,
    elements,
    fields_hidden,
    hidden,
    send,
    tree,
    words,
)

CHANGES = {
    "enter": {"from": "Anne", "to": "pool", "amount": "4", "reason": "talked"},
    "ruling": {"incident": "revoke", "by": "Dorothea", "trick_turned": "yes"},
    "rename": {"old": "Anne", "new": "Nan"},
    "exchange": {"one": "Anne", "other": "Beatrice"},
    "leave": {"old": "Anne"},
    "deals": {"text": "contract,hombre,trump,tricks\nsolo,Anne,clubs,6\n"},
    "join": {"new": "Emma"},
    "move": {"number": "1", "place": "2"},
    "rules": {"rule": "stakes.dealer_adds", "value": "2"},
}


@pytest.fixture
def played(file):
    with Ledger(file) as ledger:
        ledger.record(result(LOST))
        ledger.record(result(SOLO))
    return file


def acts(file):
    with Ledger(file) as ledger:
        return [act.kind for act in ledger.verify().transactions]


@pytest.mark.parametrize("what", CHANGES)
def test_a_form_sent_twice_changes_once_and_undo_takes_it_back(played, phone, what):
    chosen = {key: CHANGES[what][key] for key in ("rule", "incident") if key in CHANGES[what]}
    fields = {**changing(phone, what, **chosen), **CHANGES[what]}
    answers = {send(phone, "/evening/record", fields).headers["location"] for _ in range(3)}
    assert len(answers) == 1
    assert len(acts(played)) == 4
    with Ledger(played) as ledger:
        ledger.undo()
        ledger.verify()


RULES = {
    "stakes.dealer_adds": ("text", ["2"], 2),
    "auction.all_pass": ("radio", ["redeal"], "redeal"),
    "loss.remise_pays": ("checkbox", ["matadors", "vole"], ["matadors", "vole"]),
    "auction.passed_may_return": ("radio", ["true"], True),
    "table.coins": ("radio", ["[]"], []),
}


@pytest.mark.parametrize("path", RULES)
def test_a_rule_is_chosen_by_its_question_and_changed_by_an_answer(played, phone, path):
    """The page offers each rule once, and what may be answered; the answer is the rule of the next
    deal."""
    kind, sent, stands = RULES[path]
    offered = [o.attrib.get("value") for o in elements(phone.get("/evening").text, "option")]
    assert offered.count(path) == 1
    page = phone.get("/evening", params={"rule": path}).text
    fields = [e for e in tree(page).iter() if e.attrib.get("name") == "value"]
    assert {e.attrib["type"] for e in fields} == {kind}
    assert kind == "text" or {*sent} < {e.attrib["value"] for e in fields}
    form = next(f for f in elements(page, "form") if ("what", "rules") in fields_hidden(f))
    send(phone, "/evening/record", {**dict(fields_hidden(form)), "value": sent})
    with Ledger(played) as ledger:
        assert ledger.verify().leaves[path] == stands


def test_two_forms_of_one_page_have_keys_of_their_own(phone):
    page = phone.get("/evening?incident=revoke").text
    keys = [
        value
        for form in elements(page, "form")
        for name, value in fields_hidden(form)
        if name == "form_key"
    ]
    assert len(keys) == len(set(keys)) > 5


def test_a_form_that_saw_the_evening_as_it_no_longer_is_is_shown_again(played, phone):
    fields = {**changing(phone, "rename"), **CHANGES["rename"]}
    with Ledger(played) as ledger:
        ledger.record(result(SOLO))
    answer = send(phone, "/evening/record", fields)
    assert (answer.status_code, len(acts(played))) == (409, 4)
    assert "Nan" in answer.text


def test_names_entered_the_wrong_way_round_are_exchanged_once_the_page_has_said_so(played, phone):
    """A name that somebody bears is refused, and then may be left by the one to the other."""
    fields = {**changing(phone, "rename"), "old": "Anne", "new": "Beatrice"}
    refused = send(phone, "/evening/record", fields)
    assert (refused.status_code, 'name="both"' in refused.text) == (422, True)
    assert 'name="both"' not in phone.get("/evening").text
    assert send(phone, "/evening/record", {**fields, "both": "yes"}).status_code == 303
    with Ledger(played) as ledger:
        assert ledger.verify().deals[1].fact.data["hombre"] == "Beatrice"


def test_who_deals_and_sits_out_is_the_dealer_in_the_forms_too(played, phone):
    """Of a deal that is recorded so and of the next; of the former another may be named."""
    with Ledger(played) as ledger:
        plays = [ledger.journal().accounts[a] for _, a in ledger.journal().due()]
        ledger.join("Emma")
        ledger.record(result(SOLO), players=plays, dealer="Emma")
        deals = ledger.journal().accounts[ledger.journal().dealing()[1]]
    for address, dealer in (("/next", deals), ("/deal/3/correct", "Emma")):
        page = tree(phone.get(address).text)
        fields = [e for e in page.iter(f"{NAMESPACE}label") if "dealer" in names_in(e)]
        told = [words(e) for e in fields]
        assert told[0].startswith(f"{dealer}, ")
        assert (len(told), dealer in told[1:]) == (5, False)
        assert f"{dealer} dealt; " in words(page)
    chosen = {"contract": "solo", "trump": "hearts", "hombre": "4", "side": "6"}
    for dealer, sits_out in (("", True), ("4", False)):
        looked = phone.get("/deal/3/correct", params={**chosen, "dealer": dealer}).text
        fields = hidden(looked, "/deal/3/record")
        assert send(phone, "/deal/3/record", fields).status_code == 303
        with Ledger(played) as ledger:
            assert bool(ledger.verify().deals[3].out) == sits_out


def names_in(element):
    return {e.attrib.get("name") for e in element.iter()}


def test_an_ended_session_is_reopened_by_the_page(played, phone):
    with Ledger(played) as ledger:
        ledger.end()
    assert [
        dict(fields_hidden(f)).get("what") for f in elements(phone.get("/evening").text, "form")
    ] == ["reopen"]
    fields = changing(phone, "reopen")
    for _ in range(2):
        assert send(phone, "/evening/record", fields).status_code == 303
    assert acts(played)[-1] == "reopen"


@pytest.mark.parametrize(
    ("incident", "facts"),
    [("revoke", {"trick_turned"}), ("exposed_card", {"seen_by_adversary", "plays_alone"})],
)
def test_what_a_law_must_know_is_asked_with_the_incident_and_marked_where_it_was_not_said(
    played, phone, incident, facts
):
    """Beside its field and nowhere else, of the chosen incident alone; what was said stays."""
    asked = phone.get("/evening", params={"incident": incident})
    form = next(f for f in elements(asked.text, "form") if ("what", "ruling") in fields_hidden(f))
    sent = {**dict(fields_hidden(form)), "by": "Dorothea", "law": ""}
    answer = send(phone, "/evening/record", sent)
    for page, status, count in ((asked, 200, 0), (answer, 422, len(facts))):
        assert page.status_code == status
        labels = {e.attrib["for"]: e for e in elements(page.text, "label") if "for" in e.attrib}
        fields = {e.attrib["name"] for e in elements(page.text, "select")} & {*FACTS}
        marked = [n for n in fields if _spans(labels[f"ruling-{n}"], "wrong")]
        assert (fields, len(marked)) == (facts, count)
        assert [e for e in elements(page.text, "ul") if e.attrib.get("class") == "problems"] == []
    chosen = [e.attrib["value"] for e in elements(answer.text, "option") if "selected" in e.attrib]
    assert "Dorothea" in chosen
    assert len(acts(played)) == 3


def _spans(element, kind):
    return [e for e in element.iter() if e.attrib.get("class") == kind]


def test_what_a_law_orders_stays_to_be_read_and_an_entry_is_not_corrected_as_a_deal(played, phone):
    """Also once it was entered: who must do what stands above the payments."""
    answer = send(
        phone,
        "/evening/record",
        {**changing(phone, "ruling", incident="revoke"), **CHANGES["ruling"]},
    )
    page = phone.get(answer.headers["location"]).text
    with Ledger(played) as ledger:
        orders = ledger.journal().deals[3].fact.data["orders"]
    assert len(orders) == 2
    assert all(order in words(tree(page)) for order in orders)
    links = {e.attrib["href"] for e in elements(page, "a")}
    assert ("/deal/3/correct" in links, len(acts(played))) == (False, 4)
    assert "/deal/2/correct" in phone.get("/deal/2").text


def test_an_entry_by_hand_is_not_called_a_deal(played, phone):
    send(phone, "/evening/record", {**changing(phone, "enter"), **CHANGES["enter"]})
    headings = [words(elements(phone.get(f"/deal/{n}").text, "h1")[0]) for n in (2, 3)]
    assert headings == ["Deal 2", "Entry 3"]
    heads = [words(elements(phone.get(f"/deal/{n}").text, "th")[1]) for n in (2, 3)]
    assert heads == [word("this-deal"), word("this-entry")]


@pytest.mark.parametrize("what", [*CHANGES, "reopen", "nothing"])
def test_what_a_stranger_sends_is_refused_and_changes_nothing(played, phone, what):
    hidden = changing(phone, "enter") | {"what": what}
    sent = CHANGES.get(what, {"x": ""})
    for at, piece in enumerate(PIECES):
        field = [*sent][at % len(sent)]
        answer = send(phone, "/evening/record", hidden | sent | {field: piece})
        assert answer.status_code in (303, 400, 409, 413, 422), (field, piece)
        assert_tells_nothing(answer.text)
        if answer.status_code == 303:  # it was a name, a reason or a number after all
            with Ledger(played) as ledger:
                ledger.undo()
                ledger.verify()
            hidden |= changing(phone, "enter") | {"what": what}


SHEET = "contract;hombre;trump;tricks\nsolo;Anne;clubs;6\nmisdeal;;;\nsolo;Beatrice;hearts;5\n"


@pytest.mark.parametrize("way", ["file", "text"])
def test_deals_of_a_spreadsheet_are_all_recorded_or_none(played, phone, way):
    """Each faulty row is told by its number beside the form, which still says what was sent."""

    def sent(fields, sheet):
        files = {"file": ("deals.csv", sheet.encode("utf-8-sig"), "text/csv")}
        more = {"files": files} if way == "file" else {}
        data = {**fields, **({"text": sheet} if way == "text" else {})}
        return phone.post("/evening/record", data=data, headers={"origin": ORIGIN}, **more)

    fields = changing(phone, "deals")
    answer = sent(fields, SHEET)
    told = [words(e) for e in elements(answer.text, "li")]
    assert (answer.status_code, len(acts(played))) == (422, 3)
    assert [t.startswith("row 3, reason") for t in told] == [True]
    (kept,) = elements(answer.text, "textarea")
    assert kept.text.split() == SHEET.split()
    for _ in range(2):
        mended = sent(fields, SHEET.replace("misdeal;;;\n", ""))
        assert (mended.status_code, mended.headers["location"]) == (303, "/?done=yes")
    assert acts(played)[3:] == ["deal", "deal"]
    assert sent({**fields, "form_key": "1" * 32}, SHEET).status_code == 409
