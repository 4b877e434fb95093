"""The ledger of a table by its pages: who may see it, one screen a deal, nothing twice,
corrections, settling up."""

import json
import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest
from quadrille_plugins.ledger.report import deal_data
from quadrille_plugins.ledger.service import Ledger, start
from quadrille_plugins.serve.app import at_table
from quadrille_plugins.serve.table_access import Link, file_of, keep, link_of
from quadrille_plugins.shell.main import run
from support.ledger import NAMES, QUANTI, compiled_once
from support.pages import (
    HOST,
    LINK,
    NAMESPACE,
    ORIGIN,
    PIECES,
    SCRIPT,
    assert_tells_nothing,
    client,
    elements,
    hidden,
    others_script,
    payments_shown,
    payments_told,
    record,
    send,
    tables,
    tree,
    word_of,
    words,
)
from support.plugin import PREAMBLE, make_plugin

from quadrille_core.errors import UnreadableError
from quadrille_core.ruleset import compile_reference

SOLO = {"contract": "solo", "trump": "hearts", "hombre": "4", "side": "6", "matadors": "3"}
LOST = {"contract": "solo", "trump": "spades", "hombre": "5", "side": "5"}


def journal(path):
    with Ledger(path) as ledger:
        return ledger.journal()


def deal_told(path):
    """The payments of the first deal, as ``session show`` has them."""
    return deal_data(journal(path), 1)["transfers"]


# --- who may see it ------------------------------------------------------------------------------


def test_without_the_link_nothing_is_shown(file):
    """Every page is refused, those of this ledger and those that there are not; the style sheet
    alone is free."""
    browser = client(at_table([HOST], file, LINK, local=False))
    for page in (
        "/",
        "/next",
        "/deal/1",
        "/end",
        "/link",
        "/rules/quanti-1822",
        "/open/",
        "/nowhere",
    ):
        answer = browser.get(page)
        assert answer.status_code in (403, 404), page
        assert "Anne" not in answer.text
        assert LINK.token not in answer.text
    for wrong in ("0" * 32, LINK.token[:-1], LINK.token + "0", "é"):
        answer = browser.get(f"/open/{wrong}")
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
    assert browser.post("/record", data=SOLO, headers={"origin": ORIGIN}).status_code == 403
    browser.cookies.set("quadrille-table", "0" * 32 + "." + "0" * 32)
    closed = browser.get("/")
    assert (closed.status_code, [e.attrib["href"] for e in elements(closed.text, "a")]) == (
        403,
        ["#main"],
    )
    assert browser.get("/style.css").status_code == 200
    assert (
        browser.get("/icon.svg").headers["content-type"] == "image/svg+xml"
    )  # else browsers ask for /favicon.ico


def test_the_link_is_exchanged_for_a_cookie_that_outlives_the_server(file, phone):
    """The cookie is strict and no script reads it; a server that is started again knows it; another
    link does not."""
    again = client(at_table([HOST], file, LINK, local=False))
    answer = again.get(f"/open/{LINK.token}")
    cookie = answer.headers["set-cookie"].lower()
    assert "samesite=strict" in cookie
    assert "httponly" in cookie
    assert LINK.token not in cookie
    assert answer.headers["referrer-policy"] == "no-referrer"
    again.cookies = phone.cookies
    assert "Anne" in again.get("/").text
    other = client(at_table([HOST], file, Link("f" * 32, 8000), local=False))
    other.cookies = phone.cookies
    assert other.get("/").status_code == 403


def test_at_a_table_there_is_the_ledger_alone(phone):
    for page in ("/rules/quanti-1822", "/settle", "/settle/quanti-1822", "/house", "/begin/house"):
        assert phone.get(page).status_code == 404
    assert {a.attrib["href"] for a in elements(phone.get("/").text, "a")} <= {
        "#main",
        "/",
        "/next",
        "/end",
        "/link",
        "/evening?what=leave",
        "/rulebook",
        "/evening",
    }
    for query, heading in (
        ("", "The game in short"),
        ("?sheet=yes", "Contracts, the lowest first"),
    ):
        page = phone.get(f"/rulebook{query}")
        assert page.status_code == 200
        assert heading in words(tree(page.text))
    assert phone.get("/deals.csv").headers["content-type"] == "text/csv; charset=utf-8"


def test_the_link_is_shown_with_a_code_only_where_a_phone_can_open_it(file, phone, monkeypatch):
    """Where none can, the page says by which command one could, for each address of the
    machine."""
    address = f"{ORIGIN}/open/{LINK.token}"
    found = ["192.168.1.20", "10.0.0.7"]
    monkeypatch.setattr("quadrille_plugins.serve.reaching.addresses", lambda: found)
    abroad = client(at_table([HOST], file, LINK, local=False))
    abroad.get(f"/open/{LINK.token}")
    for browser, commands, codes in ((phone, 2, 0), (abroad, 0, 1)):
        text = browser.get("/link").text
        shown = [words(e) for e in elements(text, "code")]
        assert shown == [
            address,
            *(f"quadrille serve --table {file.name} --host {a}" for a in found[:commands]),
        ]
        assert text.count("<svg") == codes
        assert ("not encrypted" in text) == bool(codes)


def test_the_link_is_kept_beside_the_ledger_for_its_owner_alone(file):
    made = link_of(file)
    assert re.fullmatch("[0-9a-f]{32}", made.token)
    keep(file, Link(made.token, 4321))
    assert file_of(file).stat().st_mode & 0o777 == 0o600
    assert link_of(file) == Link(made.token, 4321)
    assert link_of(file, anew=True).token != made.token
    file_of(file).write_text('{"token": "../../etc", "port": 1}')
    with pytest.raises(UnreadableError, match="Q806"):
        link_of(file)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--host", "192.0.2.1"), "Q802 --host does nothing here"),
        (("--new-link",), "Q802 --new-link does nothing here"),
        (("--table", "/no/such/folder/none.ledger"), "Q802 there is no folder"),
        (("--table", __file__), "Q901 this is no ledger"),
        (("--table", "FILE", "--host", "::"), "no name is allowed"),
        (("--table", "FILE", "--host", "somewhere"), "'somewhere' is no address"),
        (("--table", "FILE", "--host", "203.0.113.7"), "Q806 203.0.113.7:"),
        (
            ("--table", "FILE", "--allow-host", "http://ann.local"),
            "'http://ann.local' is no name of a machine",
        ),
        (("--allow-host", "ann.local:8000"), "'ann.local:8000' is no name of a machine"),
        (("--plugin", "osmosis"), "Q501 plugin 'osmosis' is not installed"),
        (("--table", "FILE", "--plugin", "osmosis"), "Q501 plugin 'osmosis' is not installed"),
        (("--allow-host", "*"), "'*' is no name of a machine"),
        (("--allow-host=-x",), "'-x' is no name of a machine"),
        (("--allow-host", "a,b"), "'a,b' is no name of a machine"),
        (("--allow-host", "ann;local"), "'ann;local' is no name of a machine"),
        (("--allow-host", "$(x)"), "'$(x)' is no name of a machine"),
        (("--allow-host", "a" * 300), "is no name of a machine"),
        (("--allow-host", "fe80::1%a,b"), "'fe80::1%a,b' is no name of a machine"),
    ],
)
def test_what_cannot_be_served_is_refused_at_once(file, capsys, args, said):
    """Beyond this machine there is one ledger, by an address and by names that were given."""
    assert run(["serve", *(str(file) if a == "FILE" else a for a in args)]) == 2
    assert said in capsys.readouterr().err


# --- the beginning --------------------------------------------------------------------------------

PLAYERS = {f"player{n}": name for n, name in enumerate(NAMES)}


def test_a_session_is_begun_by_its_first_page(tmp_path):
    """Every page leads to it until there is a ledger, and none after; sent twice, the form begins
    one session."""
    path = tmp_path / "new.ledger"
    phone = client(at_table([HOST], path, LINK, local=True))
    assert phone.get("/begin").status_code == 403
    phone.get(f"/open/{LINK.token}")
    for page in ("/", "/next", "/end"):
        assert phone.get(page).headers["location"] == "/begin"
    fields = {
        "form_word": word_of(phone.get("/begin").text),
        "rules": QUANTI,
        "coins": "plain",
        **PLAYERS,
    }
    for _ in range(2):
        answer = send(phone, "/begin/record", fields)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert phone.get("/begin").headers["location"] == "/"
    assert "Next: deal 1, dealt by Dorothea; Anne is eldest." in phone.get("/").text
    record(phone, SOLO)
    assert [journal(path).accounts[a] for a in journal(path).players()] == list(NAMES)
    assert journal(path).session["reference"] == QUANTI


HOUSE = "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\nrules:\n  stakes: {ante: 2}\n"


def test_a_session_is_begun_by_house_rules_that_are_pasted(tmp_path):
    """They are settled by from then on, and they go before the rule set that is chosen in the
    list."""
    path = tmp_path / "new.ledger"
    phone = client(at_table([HOST], path, LINK, local=True))
    phone.get(f"/open/{LINK.token}")
    fields = {
        "form_word": word_of(phone.get("/begin").text),
        "rules": QUANTI,
        "coins": "plain",
        **PLAYERS,
    }
    wrong = send(phone, "/begin/record", {**fields, "text": HOUSE.replace("ante", "aunt")})
    assert wrong.status_code == 422
    assert "aunt" in wrong.text
    assert not path.exists()
    foreign = send(phone, "/begin/record", {**fields, "text": HOUSE + "plugins: [stranger]\n"})
    assert foreign.status_code == 422
    assert send(phone, "/begin/record", {**fields, "text": HOUSE}).status_code == 303
    assert Path(journal(path).session["reference"]).read_text() == HOUSE
    assert "Rules: ours#" in words(tree(phone.get("/").text))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"player3": ""}, "3 players are named"),
        ({"player4": "Eve"}, "5 players are named"),
        ({"player1": "anne"}, "there are two called"),
        ({"player1": "=1+1"}, "formula"),
        ({"rules": "/etc/passwd"}, "no rules are chosen"),
        ({"rules": "captive-queens"}, "no rules are chosen"),
        ({"coins": "gold"}, "cannot be shown"),
    ],
    ids=str,
)
def test_a_session_that_cannot_begin_is_not_begun(tmp_path, changes, message):
    path = tmp_path / "new.ledger"
    phone = client(at_table([HOST], path, LINK, local=True))
    phone.get(f"/open/{LINK.token}")
    fields = {
        "form_word": word_of(phone.get("/begin").text),
        "rules": QUANTI,
        "coins": "plain",
        **PLAYERS,
    }
    answer = send(phone, "/begin/record", {**fields, **changes})
    assert (answer.status_code, message in words(tree(answer.text))) == (422, True), answer.text
    assert 'value="Dorothea"' in answer.text or "player3" in changes
    assert not path.exists()


# --- deals ----------------------------------------------------------------------------------------


def test_a_deal_is_looked_at_and_recorded_as_the_command_records_it(file, phone, tmp_path, capsys):
    """The same payments, entry by entry, as by ``session deal``."""
    answer = record(phone, SOLO)
    assert (answer.status_code, answer.headers["location"]) == (303, "/deal/1?done=yes")
    text = phone.get("/deal/1?done=yes").text
    assert "Recorded." in text
    assert "Solo by Anne: won" in text
    other = tmp_path / "other.ledger"
    start(other, compiled_once(QUANTI), QUANTI, NAMES, dealer=None, coins="plain")
    line = [
        "--contract",
        "solo",
        "--trump",
        "hearts",
        "--hombre",
        "Anne",
        "--tricks",
        "6",
        "--matadors",
        "3",
    ]
    assert run(["session", "deal", str(other), *line, "--format", "json"]) == 0
    transfers = json.loads(capsys.readouterr().out)["transfers"]
    _, _, paid, rules, *_ = tables(text)
    assert payments_shown(paid, rules, NAMES, ["Anne"]) == payments_told(transfers)
    assert [e.movement for e in journal(file).entries] == [
        e.movement for e in journal(other).entries
    ]


def test_looking_records_nothing(file, phone):
    phone.get("/next", params=SOLO)
    phone.get("/end")
    phone.get("/deal/1/correct", params=SOLO)
    assert journal(file).count == 0


def test_the_names_in_the_form_are_in_the_order_of_the_seats_of_this_deal(file, phone):
    """The eldest hand of the second deal is another player; the same choice names the same player
    as before."""
    record(phone, SOLO)
    text = phone.get("/next").text
    assert "Anne dealt; Beatrice is eldest hand." in words(tree(text))
    hombres = [e.attrib["value"] for e in elements(text, "input") if e.attrib["name"] == "hombre"]
    assert hombres == ["5", "6", "7", "4"]
    record(phone, SOLO)
    assert "Solo by Anne" in phone.get("/deal/2").text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"side": "11"}, "tricks"),
        ({"side": ""}, "tricks"),
        ({"hombre": "9"}, "is no player"),
        ({"hombre": ""}, "Hombre"),
        ({"contract": ""}, "nothing is chosen yet"),
        ({"contract": "alliance"}, "ally"),
        ({"side": "x"}, "whole number"),
        ({"matadors": "9"}, "matadors"),
    ],
    ids=str,
)
def test_what_cannot_have_been_is_said_and_not_recorded(file, phone, changes, message):
    answer = phone.get("/next", params={**SOLO, **changes})
    assert answer.status_code == 422, answer.text
    told = " ".join(
        words(e) for e in elements(answer.text, "ul") if e.attrib.get("class") == "problems"
    )
    assert message in told
    assert "/record" not in [f.attrib["action"] for f in elements(answer.text, "form")]
    fields = hidden(phone.get("/next", params=SOLO).text, "/record")
    assert send(phone, "/record", {**fields, **changes}).status_code in (400, 422)
    assert journal(file).count == 0


def shown_groups(text: str, contract: str, side: str) -> set[str]:
    """The groups of fields that the style sheet shows once a contract and tricks are chosen."""
    asked = {
        (e.attrib["name"], e.attrib["value"]): set(e.attrib.get("data-asks", "").split())
        for e in elements(text, "input")
        if e.attrib["type"] == "radio"
    }
    groups = {e.attrib["data-group"] for e in tree(text).iter() if "data-group" in e.attrib}
    chosen, enough = asked["contract", contract], "enough" in asked["side", side]
    shown = groups & chosen - (set() if enough else {"premiers"})
    return shown | (
        {"vole"} & groups if "vole" in chosen or (enough and "undertaken" in chosen) else set()
    )


ALONE = {"hombre", "trump", "side", "matadors"}


@pytest.mark.parametrize(
    ("rules", "contract", "side", "asked"),
    [
        (QUANTI, "solo", "5", ALONE),
        (QUANTI, "solo", "6", ALONE | {"premiers", "vole"}),
        (QUANTI, "alliance", "5", ALONE | {"ally"}),
        (QUANTI, "misdeal", "6", {"reason"}),
        ("mediateur-1752", "mediateur", "3", ALONE | {"surrendered", "vole"}),
        ("quadrille-laws+favourite:source=drawn_each_deal", "solo", "5", ALONE | {"favourite"}),
    ],
    ids=lambda one: str(sorted(one) if isinstance(one, set) else one),
)
def test_the_form_asks_what_the_contract_needs(tmp_path, rules, contract, side, asked):
    """And no more: no ally alone, a vole only where it can be, a favourite where it is drawn and
    pays.  What was chosen before the contract was changed is not sent on."""
    path = tmp_path / "other.ledger"
    start(path, compiled_once(rules), rules, NAMES, dealer=None, coins="plain")
    phone = client(at_table([HOST], path, LINK, local=True))
    phone.get(f"/open/{LINK.token}")
    assert shown_groups(phone.get("/next").text, contract, side) == asked
    if contract == "solo" and side == "5":
        left = {**SOLO, "side": "5", "ally": "5", "premiers": "yes", "vole": "undertaken"}
        looked = phone.get("/next", params={**left, "favourite": "spades", "reason": "none"})
        assert looked.status_code == 200
        assert send(phone, "/record", hidden(looked.text, "/record")).status_code == 303
        assert not journal(path).deals[1].fact.data.keys() & {"ally", "reason"}


def test_how_allies_shared_their_tricks_is_asked_where_the_payments_depend_on_it(tmp_path):
    """The question comes with the answer that needs it, and stands in the form of a correction."""
    path, rules = tmp_path / "other.ledger", "mediateur-1752"
    start(path, compiled_once(rules), rules, NAMES, dealer=None, coins="plain")
    phone = client(at_table([HOST], path, LINK, local=True))
    phone.get(f"/open/{LINK.token}")
    deal = {**SOLO, "contract": "alliance", "ally": "5", "side": "4"}

    def asks(address: str, **given: str) -> bool:
        return 'name="tricks.4"' in phone.get(address, params=given).text

    assert not asks("/next")
    assert asks("/next", **deal)
    assert record(phone, {**deal, "tricks.4": "2"}).status_code == 303
    assert asks("/deal/1/correct")


SHARES = """
@hookimpl
def quadrille_leaves():
    return [OwnLeaf(path="shares.each", type="amount", doc="Counters for a trick.", neutral=1)]

@hookimpl
def quadrille_payments(rules, parameters):
    each = "payee.tricks"
    of = {"reason": "tricks", "amount": "shares.each", "per": each}
    return [PaymentRow(**of, payer="hombre", payee="adversaries")]
"""


def test_how_the_adversaries_shared_their_tricks_is_asked_in_the_form_too(tmp_path, monkeypatch):
    """Of each of them, and of nobody else; what was said is recorded, and stands in a
    correction."""
    make_plugin(tmp_path, "shares", PREAMBLE + SHARES)
    monkeypatch.syspath_prepend(str(tmp_path))
    path, rules = tmp_path / "other.ledger", f"{QUANTI}+shares"
    start(path, compile_reference(rules), rules, NAMES, dealer=None, coins="plain")
    phone = client(at_table([HOST], path, LINK, local=True))
    phone.get(f"/open/{LINK.token}")

    def asks(address: str, **given: str) -> dict[str, list[str]]:
        page, found = phone.get(address, params=given).text, {}
        for e in elements(page, "input"):
            if e.attrib["type"] == "radio" and e.attrib["name"].startswith("tricks."):
                chosen = [e.attrib["value"]] if "checked" in e.attrib else []
                found[e.attrib["name"]] = found.get(e.attrib["name"], []) + chosen
        return found

    assert asks("/next") == {}
    assert asks("/next", **SOLO) == {"tricks.5": [], "tricks.6": [], "tricks.7": []}
    told = {"tricks.5": "3", "tricks.6": "1", "tricks.7": "0"}
    assert record(phone, {**SOLO, **told}).status_code == 303
    assert asks("/deal/1/correct") == {name: [made] for name, made in told.items()}
    paid = {p["to"]: p["amount"] for p in deal_told(path) if p["rule"] == "shares.each"}
    assert paid == {"Beatrice": 3, "Charlotte": 1}


def test_all_that_is_missing_is_said_at_once_where_it_is_to_be_tapped(phone):
    """Of a contract with an ally too; what holds where nothing is said stands chosen."""
    page = phone.get("/next", params={"contract": "alliance"}).text
    links = [e.attrib["href"] for e in elements(page, "a")]
    assert [link for link in links if link.startswith("#f-")] == [
        "#f-trump",
        "#f-hombre",
        "#f-ally",
        "#f-side",
    ]
    chosen = [
        (e.attrib["name"], e.attrib["value"])
        for e in elements(phone.get("/next").text, "input")
        if "checked" in e.attrib
    ]
    assert chosen == [("matadors", "0"), ("vole", "none"), ("dealer", "")]


def test_a_forgotten_deal_is_inserted_from_the_page_of_the_next(file, phone):
    """By links and buttons alone, once; who looked before another deal was recorded looks
    again."""
    record(phone, SOLO)
    record(phone, LOST)
    (link,) = {
        e.attrib["href"]
        for e in elements(phone.get("/deal/2").text, "a")
        if "?" in e.attrib["href"]
    }
    (address,) = {f.attrib["action"] for f in elements(phone.get(link).text, "form")}
    given = {**hidden(phone.get(link).text, address), **SOLO, "hombre": "6"}
    fields = hidden(phone.get(address, params=given).text, "/record")
    record(phone, SOLO)
    assert send(phone, "/record", fields).status_code == 409
    fields = hidden(phone.get(address, params=given).text, "/record")
    for _ in range(2):
        assert send(phone, "/record", fields).headers["location"] == "/deal/2?done=yes"
    now = journal(file)
    assert [row.fact.data["hombre"] for row in now.deals.values()] == [
        "Anne",
        "Charlotte",
        "Beatrice",
        "Anne",
    ]
    assert now.transactions[-1].kind == "insert"
    assert phone.get("/next", params={"before": "9"}).status_code == 400


def test_a_misdeal_and_its_reason(file, phone):
    """It can be corrected like any deal: the form says what was recorded."""
    record(phone, {"contract": "misdeal", "reason": "a card faced"})
    assert "a card faced" in phone.get("/deal/1").text
    text = phone.get("/deal/1/correct").text
    assert 'value="a card faced"' in text
    assert [e.attrib["value"] for e in elements(text, "input") if "checked" in e.attrib] == [
        "misdeal",
        "0",
        "none",
        "",
    ]
    assert journal(file).deals[1].fact.kind == "void"


# --- nothing twice --------------------------------------------------------------------------------


def test_a_form_sent_again_is_answered_alike_and_recorded_once(file, phone):
    """Even when others were recorded since, the server was started anew, and the session has
    ended."""
    fields = hidden(phone.get("/next", params=SOLO).text, "/record")
    first = send(phone, "/record", fields)
    assert send(phone, "/record", fields).headers["location"] == first.headers["location"]
    record(phone, LOST)
    again = client(at_table([HOST], file, LINK, local=True))
    again.cookies = phone.cookies
    assert send(again, "/record", fields).headers["location"] == first.headers["location"]
    send(again, "/end/record", hidden(again.get("/end?split=no").text, "/end/record"))
    assert send(again, "/record", fields).headers["location"] == first.headers["location"]
    assert journal(file).count == 2


def test_the_key_is_written_with_the_deal(file, phone):
    """In the command that recorded it, so that no kill can part them; ``verify`` finds the ledger
    sound."""
    fields = hidden(phone.get("/next", params=SOLO).text, "/record")
    send(phone, "/record", fields)
    assert journal(file).transactions[-1].note == f"form {fields['form_key'][0]}"
    with Ledger(file) as ledger:
        ledger.verify()


@pytest.mark.parametrize("number", ["9" * 10, "9" * 5000, "-1", "1.5", "\u0663"])
def test_an_address_with_no_number_of_a_deal_is_no_page(phone, number):
    """Python itself refuses to read a number of 5,000 digits."""
    for page in ("/deal/{}", "/deal/{}/correct"):
        assert phone.get(page.format(number)).status_code == 404


@pytest.mark.parametrize("key", ["", "x", "A" * 32, "0" * 33])
def test_a_form_without_a_key_is_refused(file, phone, key):
    fields = hidden(phone.get("/next", params=SOLO).text, "/record")
    assert send(phone, "/record", {**fields, "form_key": key}).status_code == 400
    assert journal(file).count == 0


def test_of_many_that_send_one_form_at_once_one_records_it(file, phone):
    """Eight threads, two servers on one file: one deal, and eight answers that are the same."""
    fields = hidden(phone.get("/next", params=SOLO).text, "/record")
    phones = [client(at_table([HOST], file, LINK, local=True)) for _ in range(2)]
    for one in phones:
        one.cookies = phone.cookies
    gate = threading.Barrier(8)

    def go(n: int):
        gate.wait()
        for _ in range(20):
            answer = send(phones[n % 2], "/record", fields)
            if (
                answer.status_code != 503
            ):  # another process was writing: asked again, as a browser would
                return answer.status_code, answer.headers.get("location")
        return None

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(go, range(8))) == {(303, "/deal/1?done=yes")}
    assert journal(file).count == 1


def test_two_entries_for_one_deal_are_shown_and_not_merged(file, phone):
    """Who comes second sees both, nothing of theirs is recorded, and putting theirs in its place is
    a correction."""
    mine, theirs = (
        hidden(phone.get("/next", params=deal).text, "/record") for deal in (SOLO, LOST)
    )
    send(phone, "/record", theirs)
    answer = send(phone, "/record", mine)
    assert answer.status_code == 409
    text = words(tree(answer.text))
    assert "Two entries for deal 1" in text
    assert "Solo by Beatrice: remise" in text
    assert "Solo by Anne: won" in text
    assert journal(file).count == 1
    replaced = hidden(answer.text, "/deal/1/correct")
    looked = phone.get("/deal/1/correct", params=replaced)
    assert send(phone, "/deal/1/record", hidden(looked.text, "/deal/1/record")).status_code == 303
    assert "Solo by Anne: won" in phone.get("/deal/1").text


def test_two_entries_that_say_the_same_leave_nothing_to_do(phone):
    one, two = (hidden(phone.get("/next", params=SOLO).text, "/record") for _ in range(2))
    send(phone, "/record", one)
    assert "Both say the same" in send(phone, "/record", two).text


# --- corrections and the end ----------------------------------------------------------------------


def test_a_correction_is_filled_in_with_what_stands_and_shows_what_stood(file, phone):
    """The form says what was recorded; the deal then shows both, and the list says that it was
    corrected."""
    record(phone, SOLO)
    text = phone.get("/deal/1/correct").text
    checked = {
        (e.attrib["name"], e.attrib["value"])
        for e in elements(text, "input")
        if "checked" in e.attrib
    }
    assert {
        ("contract", "solo"),
        ("hombre", "4"),
        ("side", "6"),
        ("matadors", "3"),
        ("trump", "hearts"),
    } <= checked
    looked = phone.get("/deal/1/correct", params={**SOLO, "side": "4", "was": "1"})
    answer = send(phone, "/deal/1/record", hidden(looked.text, "/deal/1/record"))
    assert answer.headers["location"] == "/deal/1?done=yes"
    text = words(tree(phone.get("/deal/1").text))
    assert "Solo by Anne: codille (corrected)" in text
    assert "Recorded before, and paid back transfer by transfer: Solo by Anne: won" in text
    assert "corrected" in words(tree(phone.get("/").text))


def test_a_correction_of_what_was_changed_since_is_refused_with_both(file, phone):
    """Two phones correct one deal: the second sees what the first made of it."""
    record(phone, SOLO)
    one, two = (
        hidden(
            phone.get("/deal/1/correct", params={**SOLO, "side": n, "was": "1"}).text,
            "/deal/1/record",
        )
        for n in ("5", "4")
    )
    assert send(phone, "/deal/1/record", one).status_code == 303
    answer = send(phone, "/deal/1/record", two)
    assert answer.status_code == 409
    assert "Solo by Anne: remise" in answer.text
    assert send(phone, "/deal/1/record", one).status_code == 303  # sent again: answered as before
    assert len(journal(file).records_of(1)) == 2


def test_taking_back_and_undoing_are_done_once(file, phone):
    """A double tap on undo takes back one entry, not two."""
    record(phone, SOLO)
    record(phone, LOST)
    fields = hidden(phone.get("/").text, "/undo")
    assert send(phone, "/undo", fields).headers["location"] == "/deal/2?done=yes"
    assert send(phone, "/undo", fields).headers["location"] == "/deal/2?done=yes"
    fields = {**fields, "form_key": ["1" * 32]}
    assert send(phone, "/undo", fields).status_code == 409  # another form that knows of no undo
    assert [journal(file).deals[n].fact.kind for n in (1, 2)] == ["result", "reversed"]
    fields = hidden(phone.get("/deal/1").text, "/deal/1/reverse")
    assert send(phone, "/deal/1/reverse", fields).status_code == 303
    assert send(phone, "/deal/1/reverse", fields).status_code == 303
    assert journal(file).deals[1].fact.kind == "reversed"
    fields = hidden(phone.get("/").text, "/undo")
    assert send(phone, "/undo", fields).headers["location"] == "/deal/1?done=yes"
    assert journal(file).deals[1].fact.kind == "result"


def test_nobody_is_billed_for_a_pool_before_they_have_said_so(file, phone):
    """A pool left standing is asked about first; either answer shows its payments, and only then
    can the session be ended."""
    record(phone, LOST)
    asked = phone.get("/end").text
    assert "What becomes of the pool?" in words(tree(asked))
    assert [t[0] for t in tables(asked)] == [["player", "won or lost"]]
    assert not [f for f in elements(asked, "form") if f.attrib["action"] == "/end/record"]
    left, shared = (tables(phone.get(f"/end?split={how}").text)[1] for how in ("no", "yes"))
    assert "pool" in [row[1] for row in left[1:]]
    assert "pool" not in [row[1] for row in shared[1:]]


def test_what_each_has_stands_first_and_counters_stand_beside_coins(tmp_path):
    """In several kinds of coins an amount has plain counters beside it; payments are behind."""
    path = tmp_path / "coins.ledger"
    start(path, compiled_once(QUANTI), QUANTI, NAMES, dealer=None, coins="rules")
    phone = client(at_table([HOST], path, LINK, local=True))
    phone.get(f"/open/{LINK.token}")
    looked = phone.get("/next", params=SOLO).text
    assert tables(looked)[0][:3] == [
        ["player", "this deal"],
        ["Anne", "+1 fiche 8 jettons (+18)"],
        ["Beatrice", "−6 jettons"],
    ]
    send(phone, "/record", hidden(looked, "/record"))
    assert tables(phone.get("/deal/1").text)[0] == tables(looked)[0]
    assert tables(phone.get("/").text)[0][1][1] == "7 mils 1 fiche 8 jettons (718)"


def test_of_one_kind_of_coins_nothing_stands_beside(tmp_path):
    rules = "quanti-1822"
    coins = [{"one": "bean", "many": "beans", "worth": 1, "each": 700}]
    compiled = compile_reference(rules, settings={"table.coins": coins})
    path = tmp_path / "beans.ledger"
    start(path, compiled, rules, NAMES, dealer=None, coins="rules")
    phone = client(at_table([HOST], path, LINK, local=True))
    phone.get(f"/open/{LINK.token}")
    record(phone, SOLO)
    assert tables(phone.get("/").text)[0][1][1] == "718"


def test_settling_up_shows_the_payments_of_the_command_and_ends_once(file, phone, capsys):
    record(phone, SOLO)
    record(phone, LOST)
    assert run(["session", "end", str(file), "--dry-run", "--split-pool", "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)["payments"]
    page = phone.get("/end", params={"split": "yes"}).text
    assert [r[:2] for r in tables(page)[1][1:]] == [[p["from"], p["to"]] for p in said]
    assert "2 deals were recorded, and these rules want a multiple of 4." in words(tree(page))
    assert not journal(file).ended
    fields = hidden(page, "/end/record")
    assert send(phone, "/end/record", fields).headers["location"] == "/end"
    assert send(phone, "/end/record", fields).headers["location"] == "/end"
    assert journal(file).ended
    for page in ("/", "/end", "/deal/1"):
        assert phone.get(page).status_code == 200
    for page in ("/next", "/deal/1/correct"):
        assert "The session has ended" in phone.get(page).text


def test_pages_of_a_table_are_sound_and_have_labels(phone):
    """As every page: no script, one heading, a label for each field."""
    record(phone, SOLO)
    for page in (
        "/",
        "/next",
        "/deal/1",
        "/deal/1/correct",
        "/end",
        "/link",
        f"/open/{LINK.token}",
    ):
        text = phone.get(page).text
        found = tree(text)
        assert [
            len(list(found.iter(NAMESPACE + tag))) for tag in ("h1", "main", "script", "style")
        ] == [1, 1, SCRIPT in text, 0]
        assert not others_script(text)
        labels = list(found.iter(NAMESPACE + "label"))
        named = {label.attrib["for"] for label in labels if "for" in label.attrib}
        inside = [e for label in labels for e in label.iter()]
        for e in found.iter(NAMESPACE + "input"):
            labelled = e.attrib.get("id") in named or any(e is one for one in inside)
            assert labelled or e.attrib["type"] == "hidden", e.attrib


def test_the_word_of_the_form_is_needed_here_too(file, phone):
    fields = hidden(phone.get("/next", params=SOLO).text, "/record")
    assert word_of(phone.get("/end").text) == fields["form_word"][0]
    assert send(phone, "/record", {**fields, "form_word": "0" * 32}).status_code == 403
    assert journal(file).count == 0


# --- hostile input --------------------------------------------------------------------------------

TARGETS = (
    "/record",
    "/deal/1/record",
    "/deal/2/record",
    "/deal/1/reverse",
    "/undo",
    "/end/record",
    "/deal/{}/record",
)
READ = ("/next", "/deal/1/correct", "/deal/{}", "/end", "/open/{}", "/{}")


def hostile(file, phone, count: int, seed: int) -> int:
    """Send that many forms and addresses made from pieces; returns how many had the right word and
    origin."""
    rng, reached = random.Random(seed), 0
    record(phone, SOLO)
    record(phone, LOST)
    word = word_of(phone.get("/").text)
    names = (
        *SOLO,
        "tricks.4",
        "before",
        "ally",
        "reason",
        "claims",
        "incident.x",
        "deal",
        "was",
        "last_act",
        "premiers",
        "vole",
        "split",
    )
    for n in range(count):
        right = rng.random() < 0.8
        fields = {
            name: rng.choice((*PIECES, "0", "1", "3"))
            for name in rng.sample(names, rng.randrange(9))
        }
        if rng.random() < 0.3:
            answer = phone.get(
                rng.choice(READ).format(quote(rng.choice(PIECES), safe="")), params=fields
            )
        else:
            whole = {
                "form_word": word if right else rng.choice(PIECES),
                "form_key": f"{n:032x}",
                **SOLO,
                "deal": "3",
            }
            address = rng.choice(TARGETS[:5] if n < count * 0.9 else TARGETS).format(
                rng.choice(("9", "0", "99999"))
            )
            answer = send(phone, address, {**whole, "was": "1", "last_act": "3", **fields})
        reached += right
        assert answer.status_code < 500 or answer.status_code == 503, (answer.request.url, fields)
        assert not others_script(answer.text)
        assert_tells_nothing(answer.text)
    with Ledger(file) as ledger:
        ledger.verify()
    return reached


def test_forty_hostile_forms(file, phone):
    """No fault of the program, no script, and a ledger that is sound, whatever is sent."""
    assert hostile(file, phone, 40, 1) > 20


@pytest.mark.slow
def test_a_thousand_hostile_forms(file, phone):
    """The same, of which more than half pass the checks of origin and word and reach the ledger."""
    assert hostile(file, phone, 1000, 2) > 500
