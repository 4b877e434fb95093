"""Tables opened from the desk: which names do, one server each, and house rules that go with
them."""

from urllib.parse import urlencode

import pytest
from quadrille_plugins.ledger.service import Ledger, start
from quadrille_plugins.serve.app import at_table, desk
from quadrille_plugins.serve.tables_pages import MOST_OPEN, NOTHING, Tables
from support.ledger import LOST, NAMES, QUANTI, compiled_once, holdings, result
from support.pages import HOST, LINK, client, elements, hidden, post, send, tree

HOUSE = {"house": "quanti-1822@parlett", "title": "Our table", "auction.all_pass": "redeal"}


@pytest.fixture
def served():
    """What was served: files, and the house rules they are to be begun by."""
    return []


@pytest.fixture
def host(tmp_path, served):
    """A browser at a desk that may open tables, of which none listens."""

    def serve(file, made):
        served.append((file, made))
        return f"http://192.168.1.20:{8000 + len(served)}/open/{len(served):032x}"

    (tmp_path / "old evening.ledger").write_bytes(b"")
    (tmp_path / "notes.txt").write_bytes(b"")
    return client(desk([HOST], b"secret", tables=Tables(tmp_path, serve)))


def links(text):
    return [e.attrib["href"] for e in elements(text, "a") if "/open/" in e.attrib["href"]]


def test_a_table_is_opened_once_and_shown_with_its_link_and_code(host, served, tmp_path):
    """A new evening or one that is there; opened again, it is the same."""
    before = host.get("/tables").text
    assert [e.attrib["value"] for e in elements(before, "button") if "name" in e.attrib] == [
        "old evening"
    ]
    for fields in ({"new": " Thursday "}, {"name": "old evening", "new": ""}, {"new": "Thursday"}):
        assert post(host, "/tables", "/tables/open", fields).status_code == 303
    assert served == [
        (tmp_path / "Thursday.ledger", NOTHING),
        (tmp_path / "old evening.ledger", NOTHING),
    ]
    page = host.get("/tables").text
    assert [link.rpartition("/")[2] for link in links(page)] == [f"{n:032x}" for n in (2, 1)]
    assert page.count("<svg") == 2
    assert "not encrypted" in page


@pytest.mark.parametrize(
    "name", ["", "../evil", "a/b", ".hidden", "a.ledger", "C:evil", "x" * 61, "a\nb", "-rf", "a\0"]
)
def test_what_is_no_name_opens_nothing(host, served, name):
    """No file beyond the folder, none that a shell would trip over; it is told beside what was
    typed."""
    page = post(host, "/tables", "/tables/open", {"new": name})
    (field,) = (e for e in elements(page.text, "input") if e.attrib["name"] == "new")
    typed = name * name.isprintable()
    assert (page.status_code, field.attrib["value"]) == (400, typed)
    assert served == []


def test_so_many_tables_are_open_and_no_more(host, served):
    for n in range(MOST_OPEN + 1):
        status = post(host, "/tables", "/tables/open", {"new": f"evening {n}"}).status_code
        assert status == (303 if n < MOST_OPEN else 400)
    assert len(served) == MOST_OPEN


def test_house_rules_go_with_a_new_table_and_change_none_that_is_there(host, served, tmp_path):
    """The page of house rules leads here; the table proposes them, and others may be chosen."""
    page = host.get(f"/tables?{urlencode(HOUSE)}").text
    fields = hidden(page, "/tables/open")
    for name, status in (("Friday", 303), ("old evening", 400), ("Friday", 400)):
        assert send(host, "/tables/open", {**fields, "new": name}).status_code == status
    ((file, made),) = served
    assert (file.name, made.title) == ("Friday.ledger", "Our table")
    phone = client(at_table([HOST], tmp_path / "x.ledger", LINK, local=True, made=made))
    phone.get(f"/open/{LINK.token}")
    assert hidden(phone.get("/begin").text, "/begin/record")["text"] == [made.text]
    assert "text" not in hidden(phone.get("/begin?others=yes").text, "/begin/record")
    broken = {**fields, "text": "kind: profile\n", "new": "Saturday"}
    assert send(host, "/tables/open", broken).status_code == 400
    contradictory = {**HOUSE, "auction.passed_may_return": "true"}
    assert host.get(f"/tables?{urlencode(contradictory)}").status_code == 400
    assert len(served) == 1


def test_without_a_folder_the_desk_opens_no_table(browser):
    """It says by which command a table is served."""
    page = browser.get("/tables").text
    tree(page)
    assert [f for f in elements(page, "form") if f.attrib["method"] == "post"] == []
    assert elements(page, "code")
    assert post(browser, "/house", "/tables/open", {"new": "a"}).status_code == 400


def test_who_has_not_the_word_of_the_form_opens_nothing(host, served):
    host.get("/tables")
    assert send(host, "/tables/open", {"new": "a"}).status_code == 403
    assert served == []


@pytest.mark.parametrize("ended", [False, True])
def test_a_new_evening_takes_over_pool_and_balances_of_an_earlier_one(
    host, served, tmp_path, ended
):
    """Its first page proposes who sat there, whose turn it is last, and the same rules and coins;
    house rules may be taken instead."""
    former = tmp_path / "old evening.ledger"
    former.unlink()
    start(former, compiled_once(QUANTI), QUANTI, NAMES, dealer=None, coins="plain")
    with Ledger(former) as ledger:
        ledger.record(result(LOST))
        left = ledger.left() if not ended else (ledger.end(), ledger.left())[1]
    before = former.read_bytes()
    for name, status in (("../old", 400), ("nowhere", 400), ("old evening", 303)):
        fields = {"new": f"after {name[:7].strip('./')}", "former": name}
        assert post(host, "/tables", "/tables/open", fields).status_code == status
    file, made = served[-1]
    phone = client(at_table([HOST], file, LINK, local=True, made=made))
    phone.get(f"/open/{LINK.token}")
    page = phone.get("/begin").text
    typed = {
        e.attrib["name"]: e.attrib["value"]
        for e in elements(page, "input")
        if e.attrib["type"] == "text" or "checked" in e.attrib
    }
    assert [typed[f"player{n}"] for n in range(5)] == [
        "Beatrice",
        "Charlotte",
        "Dorothea",
        "Anne",
        "",
    ]
    assert (typed["coins"], left.dealer) == ("plain", "Anne")
    fields = {**hidden(page, "/begin/record"), **typed, "rules": ""}
    assert send(phone, "/begin/record", fields).status_code == 303
    assert holdings(file)["pool"] == left.pool
    with Ledger(file) as ledger:
        now = ledger.verify()
    assert {now.accounts[a]: now.net(a) for a in now.seated()} == {
        name: left.net.get(name, 0) for name in NAMES
    }
    assert now.session["reference"] == QUANTI
    assert former.read_bytes() == before
