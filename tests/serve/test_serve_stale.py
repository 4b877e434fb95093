"""Several phones at one table: nothing is recorded that nobody looked at, nor of a player who was
not chosen."""

import pytest
from quadrille_plugins.ledger.service import Ledger, start
from quadrille_plugins.serve.app import at_table
from support.data import cases
from support.ledger import LOST, NAMES, QUANTI, SOLO, compiled_once, result
from support.pages import (
    HOST,
    LINK,
    changing,
    client,
    elements,
    hidden,
    record,
    send,
    tables,
    tree,
    words,
)

from quadrille_core.ruleset import compile_reference

BY_BEATRICE = {"contract": "solo", "trump": "hearts", "hombre": "5", "side": "6"}
CHANGED = "Somebody else changed the ledger after you looked."


def journal(path):
    with Ledger(path) as ledger:
        return ledger.journal()


def told(text: str) -> str:
    return words(tree(text))


# --- looked at, and changed before it was recorded ------------------------------------------------


def test_a_deal_is_not_recorded_of_another_player_when_the_deal_before_is_taken_back(file, phone):
    """Then the same dealer deals again and every seat is another's: the form shows what it comes to
    now."""
    with Ledger(file) as shell:
        shell.record(result(SOLO))
        looked = hidden(phone.get("/next", params=BY_BEATRICE).text, "/record")
        shell.reverse(1)
    answer = send(phone, "/record", looked)
    assert (answer.status_code, CHANGED in told(answer.text)) == (409, True)
    assert journal(file).count == 1
    assert "Dorothea dealt; Anne is eldest hand." in told(answer.text)
    assert (
        send(phone, "/record", hidden(answer.text, "/record")).headers["location"]
        == "/deal/2?done=yes"
    )
    assert "Solo by Beatrice" in journal(file).deals[2].outcome


def test_a_deal_is_not_recorded_for_another_pool_than_was_shown(file, phone):
    """A correction between looking and recording changes what is paid: it is shown before anything
    is recorded."""
    with Ledger(file) as shell:
        shell.record(result(SOLO))
        looked = hidden(phone.get("/next", params=BY_BEATRICE).text, "/record")
        shell.correct(1, result(LOST))
    answer = send(phone, "/record", looked)
    assert (answer.status_code, CHANGED in told(answer.text)) == (409, True)
    again = hidden(answer.text, "/record")
    assert again["form_key"] != looked["form_key"]
    paid = tables(answer.text)[0]
    assert send(phone, "/record", again).status_code == 303
    assert paid == tables(phone.get("/deal/2").text)[0]


def test_a_form_opened_for_a_deal_that_another_phone_has_recorded_since_shows_both(file, phone):
    """Looked at afterwards it is no next deal: the same deal would be recorded twice."""
    opened = next(
        f for f in elements(phone.get("/next").text, "form") if f.attrib["action"] == "/next"
    )
    deal = [e.attrib["value"] for e in opened.iter() if e.attrib.get("name") == "deal"]
    assert deal == ["1"]
    with Ledger(file) as shell:
        shell.record(result(SOLO))
    answer = phone.get("/next", params={**BY_BEATRICE, "deal": "1"})
    assert (answer.status_code, "Two entries for deal 1" in answer.text) == (409, True)
    after = next(f for f in elements(answer.text, "form") if f.attrib["action"] == "/next")
    sent = {e.attrib["name"]: e.attrib["value"] for e in after.iter() if "name" in e.attrib}
    assert "Solo by Beatrice" in told(phone.get("/next", params=sent).text)


def test_a_session_is_not_ended_by_a_page_that_does_not_know_its_last_deal(file, phone):
    """The payments that were shown are the ones that settle it."""
    record(phone, BY_BEATRICE)
    fields = hidden(phone.get("/end").text, "/end/record")
    with Ledger(file) as shell:
        shell.record(result(SOLO))
    answer = send(phone, "/end/record", fields)
    assert (answer.status_code, CHANGED in told(answer.text), journal(file).ended) == (
        409,
        True,
        False,
    )
    assert (
        send(phone, "/end/record", hidden(answer.text, "/end/record")).headers["location"] == "/end"
    )
    assert journal(file).ended


# --- what is looked at is what is recorded --------------------------------------------------------


def test_a_correction_shows_the_purse_that_it_makes_the_box_give_out(tmp_path):
    """It depends on what each held before that deal, not on what they hold by now."""
    path = tmp_path / "purses.ledger"
    settings = {"table.purse_empty": "refill", "table.purse": 30, "table.coins": []}
    start(
        path,
        compile_reference(QUANTI, settings=settings),
        QUANTI,
        NAMES,
        dealer=None,
        coins="plain",
    )
    phone = client(at_table([HOST], path, LINK, local=True))
    phone.get(f"/open/{LINK.token}")
    solo = {**BY_BEATRICE, "hombre": "4", "matadors": "3"}
    for _ in range(3):
        assert record(phone, solo).status_code == 303
    looked = phone.get("/deal/1/correct", params={**solo, "side": "7"})
    assert send(phone, "/deal/1/record", hidden(looked.text, "/deal/1/record")).status_code == 303
    shown = tables(looked.text)[0]
    assert shown == tables(phone.get("/deal/1").text)[0]


def test_all_passed_is_refused_at_the_look_where_the_rules_never_deal_anew(phone):
    answer = phone.get("/next", params={"contract": "passed"})
    assert (answer.status_code, "never deal anew" in answer.text) == (422, True)


# --- names that are words of the program ----------------------------------------------------------


@pytest.fixture
def oddly(tmp_path):
    """A table whose players are called as fields and columns are."""
    path = tmp_path / "odd.ledger"
    start(
        path,
        compiled_once(QUANTI),
        QUANTI,
        ("deal", "none", "note", "0"),
        dealer=None,
        coins="plain",
    )
    phone = client(at_table([HOST], path, LINK, local=True))
    phone.get(f"/open/{LINK.token}")
    return path, phone


def test_a_player_called_none_does_not_keep_hombre_from_playing_alone(oddly):
    """The ally is chosen or is nobody, whatever the players are called."""
    path, phone = oddly
    alone = {"contract": "alliance", "trump": "hearts", "hombre": "4", "side": "6"}
    choices = [
        e.attrib["value"]
        for e in elements(phone.get("/next").text, "input")
        if e.attrib["name"] == "ally"
    ]
    assert choices[:4] == ["4", "5", "6", "7"]
    assert phone.get("/next", params=alone).status_code == 422  # nothing is chosen
    assert record(phone, {**alone, "ally": choices[4]}).status_code == 303
    assert record(phone, {**alone, "ally": "5"}).status_code == 303
    assert [journal(path).deals[n].outcome.split(":")[0] for n in (1, 2)] == [
        "Alliance by deal, who called their own king",
        "Alliance by deal with none",
    ]


def test_players_called_as_columns_do_not_take_the_place_of_the_columns(oddly):
    """Each line of the ledger links to its deal and says what each has by it."""
    _, phone = oddly
    record(phone, {"contract": "solo", "trump": "hearts", "hombre": "7", "side": "6"})
    (line,) = [e for e in elements(phone.get("/").text, "li") if "value" in e.attrib]
    assert line.attrib["value"] == "1"
    assert words(line).endswith("dealt by 0; deal −5, none −5, note −5, 0 +15")


# --- somebody else dealt, somebody leaves ---------------------------------------------------------


def test_a_deal_that_somebody_else_dealt_is_recorded_as_the_command_records_it(
    file, phone, tmp_path
):
    """The seats follow the dealer who is chosen, the players who are chosen stay, and the next deal
    passes on."""
    looked = phone.get("/next", params={**BY_BEATRICE, "dealer": "6"})
    assert "Charlotte dealt; Dorothea is eldest hand." in told(looked.text)
    assert send(phone, "/record", hidden(looked.text, "/record")).status_code == 303
    other = tmp_path / "other.ledger"
    start(other, compiled_once(QUANTI), QUANTI, NAMES, dealer=None, coins="plain")
    with Ledger(other) as shell:
        made = {"Beatrice": 6, "Dorothea": 4}
        shell.record(result({**SOLO, "hombre": "Beatrice", "tricks": made}), dealer="Charlotte")
    one, two = journal(file), journal(other)
    assert (one.deals[1].seating, one.deals[1].outcome) == (
        two.deals[1].seating,
        two.deals[1].outcome,
    )
    assert [e.movement for e in one.entries] == [e.movement for e in two.entries]
    assert "dealt by Dorothea" in told(phone.get("/").text)


def test_who_dealt_can_be_corrected(file, phone):
    """An empty choice leaves the dealer who is recorded."""
    record(phone, BY_BEATRICE)
    for dealer, name in (("4", "Anne"), ("", "Anne"), ("7", "Dorothea")):
        looked = phone.get("/deal/1/correct", params={**BY_BEATRICE, "dealer": dealer})
        assert f"{name} dealt" in told(looked.text)
        assert (
            send(phone, "/deal/1/record", hidden(looked.text, "/deal/1/record")).status_code == 303
        )
        now = journal(file)
        assert now.dealer_of(now.deals[1]) == name


def leaving(phone):
    """The form by which Emma sits down in Beatrice's place."""
    return {**changing(phone, "leave"), "old": "Beatrice", "new": "Emma"}


def test_somebody_leaves_and_another_sits_down_once(file, phone):
    """The form sent again seats nobody twice; undo brings back who left."""
    record(phone, BY_BEATRICE)
    fields = {**leaving(phone), "new": " Emma "}
    for _ in range(2):
        assert send(phone, "/evening/record", fields).headers["location"] == "/?done=yes"
    now = journal(file)
    assert [now.accounts[a] for a in now.seated()] == ["Anne", "Emma", "Charlotte", "Dorothea"]
    assert len(now.sittings) == 5
    assert "Beatrice (left)" in told(phone.get("/").text)
    assert "Beatrice sat here before" in told(phone.get("/evening").text)
    send(phone, "/undo", hidden(phone.get("/").text, "/undo"))
    now = journal(file)
    assert now.accounts[now.seated()[1]] == "Beatrice"
    with Ledger(file) as ledger:
        ledger.verify()


@cases("serve_stale")
def test_who_cannot_sit_down_is_said_and_the_form_stays_filled_in(file, phone, changes, message):
    answer = send(phone, "/evening/record", {**leaving(phone), **changes})
    assert (answer.status_code, message in told(answer.text)) == (422, True), answer.text
    assert len(journal(file).sittings) == 4
    chosen = {e.attrib["value"] for e in elements(answer.text, "option") if "selected" in e.attrib}
    assert chosen == ({"Beatrice"} if "old" not in changes else set())


def test_a_substitute_is_not_seated_by_a_page_that_is_out_of_date(file, phone):
    fields = leaving(phone)
    record(phone, BY_BEATRICE)
    assert send(phone, "/evening/record", fields).status_code == 409
    assert len(journal(file).sittings) == 4


def test_a_name_that_looks_like_a_key_is_no_key(file, phone):
    """Names stand in the same note as the key of the form: they must not pass for one that was
    recorded."""
    key = "ab" * 16
    with Ledger(file) as shell:
        shell.substitute("Beatrice", f"a; form {key}; x")
    fields = {
        **hidden(phone.get("/next", params={**BY_BEATRICE, "hombre": "4"}).text, "/record"),
        "form_key": key,
    }
    assert send(phone, "/record", fields).headers["location"] == "/deal/1?done=yes"
    assert journal(file).count == 1


# --- a ledger that is gone, or whose rules are over -----------------------------------------------


def test_a_ledger_that_was_taken_away_is_not_begun_anew(file, phone):
    """Its pages say that it is gone; put back, they go on."""
    phone.get("/")
    away = file.rename(file.with_name("away.ledger"))
    for page in ("/", "/next", "/end"):
        answer = phone.get(page)
        assert (answer.status_code, "there is no such ledger" in answer.text) == (503, True)
    assert phone.get("/begin").headers["location"] == "/"
    away.rename(file)
    assert phone.get("/").status_code == 200
