"""What stands before every page: names, origins, words of forms, sizes, headers, and what an error
shows."""

import asyncio
import random
import re
import threading
import time
from collections import defaultdict
from string import Formatter

import pytest
from quadrille_plugins.play.game import new_game
from quadrille_plugins.play.short import short_form
from quadrille_plugins.serve.app import desk
from quadrille_plugins.serve.hints import PAGE
from quadrille_plugins.serve.trust import HEADERS, LONGEST_ADDRESS, MOST_BYTES, without_paths
from support.codes import CODES
from support.pages import (
    HOST,
    NAMESPACE,
    ORIGIN,
    PIECES,
    assert_tells_nothing,
    client,
    others_script,
    post,
    tree,
    word_of,
)

from quadrille_core.diagnostics import SHELL as SHELL_DOOR
from quadrille_core.diagnostics import Command, Problem, catalogue
from quadrille_core.ruleset import compile_reference

FORM = {"origin": ORIGIN, "content-type": "application/x-www-form-urlencoded"}
HOUSE = "kind: profile\nid: mine\ntitle: Mine\nextends: quanti-1822\n"
GAME = new_game(compile_reference("quanti-1822"), seed=3)
CHOSEN = "title=Ours&auction.all_pass=redeal&bids.forced-spadille.made=never"
PAGES = (
    "/",
    "/rules",
    "/house",
    "/tables",
    "/house/quanti-1822@parlett?title=Ours&topic=Bids",
    f"/house/quanti-1822?{CHOSEN}&topic=Your+rules",
    f"/house/quanti-1822/rulebook?{CHOSEN}&marked=yes",
    f"/house/quanti-1822/sheet?{CHOSEN}",
    "/settle",
    "/rules/quanti-1822",
    "/rules/quanti-1822@wikipedia/sources?all=yes",
    "/rules/quanti-1822/readings",
    "/rules/mediateur-1752/sheet",
    "/rules/captive-queens",
    "/settle/quintille",
    "/apparatus",
    "/apparatus/quanti-1822@parlett",
    "/apparatus/quanti-1822?q=codille",
    "/apparatus/quanti-1822/remise_pays",
    "/explain",
    "/explain?q=codille",
    "/explain/loss.remise_pays",
    "/studies",
    "/studies/matters?rules=quanti-1822",
    "/studies/shipped",
    "/play",
    "/play/quintille",
    f"/play/quanti-1822?game={short_form(GAME)}",
    f"/play/quanti-1822?game={short_form(GAME)}&hint=yes",
    "/nowhere",
    "/rules/none-such",
)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:8001", ""]
)
def test_a_request_by_another_name_is_refused(app, host):
    """A page of a stranger that has its name point here (DNS rebinding) reads nothing."""
    answer = client(app).get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "Q806" in answer.text
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("others", [["evil.example"], [HOST]])
def test_a_request_with_two_names_is_refused(app, others):
    """Whatever stands between a browser and this server might heed the other one."""
    headers = [("host", host) for host in (HOST, *others)]
    assert client(app).get("/", headers=headers).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "null"},
        {"origin": "http://evil.example"},
        {"origin": "https://" + HOST},
        {"origin": ORIGIN, "sec-fetch-site": "cross-site"},
        {"origin": ORIGIN, "sec-fetch-site": "same-site"},
        [("origin", ORIGIN), ("origin", "http://evil.example")],
    ],
    ids=str,
)
def test_a_form_sent_from_elsewhere_is_refused(browser, headers):
    """The cookie and the word are right, and yet the form was not sent from a page of this
    server."""
    word = word_of(browser.get("/house").text)
    answer = browser.post("/house", data={"form_word": word, "text": HOUSE}, headers=headers)
    assert (answer.status_code, "Q806" in answer.text) == (403, True)


def test_a_form_needs_the_word_that_belongs_to_the_cookie(app, browser):
    """Without it, with another browser's, or with no cookie, the form is refused and nothing is
    kept."""
    other = word_of(client(app).get("/house").text)
    browser.get("/")
    for sent in ({}, {"form_word": ""}, {"form_word": other}, {"form_word": "é"}):
        answer = browser.post("/house", data={**sent, "text": HOUSE}, headers={"origin": ORIGIN})
        assert (answer.status_code, "Q807" in answer.text) == (403, True), sent
    stranger = client(app)
    assert (
        stranger.post("/house", data={"form_word": other}, headers={"origin": ORIGIN}).status_code
        == 403
    )
    assert "Mine" not in browser.get("/rules").text


def test_the_cookie_is_for_this_site_alone_and_no_script_reads_it(browser):
    cookie = browser.get("/").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert "set-cookie" not in browser.get("/settle").headers  # one is enough


@pytest.mark.parametrize("page", PAGES)
def test_every_answer_has_the_headers_and_runs_no_script_but_ours(browser, page):
    """No page, not even one that says what is wrong, holds a script or a style in itself, or
    reaches elsewhere."""
    answer = browser.get(page)
    for name, value in HEADERS:
        assert answer.headers[name] == value
    assert answer.headers["cache-control"] == "no-store"
    assert answer.status_code == (404 if page in ("/nowhere", "/rules/none-such") else 200), (
        answer.text
    )
    for element in tree(answer.text).iter():
        assert not str(element.tag).endswith(("}style", "}iframe", "}object"))
        if str(element.tag).endswith("}script"):
            assert (element.attrib, element.text) == ({"src": "/script.js", "defer": ""}, None)
        assert not any(name == "style" or name.startswith("on") for name in element.attrib)
        for name in ("href", "src", "action"):
            assert element.attrib.get(name, "/").startswith(("/", "#")), element.attrib
            assert not element.attrib.get(name, "/").startswith("//"), element.attrib


def test_the_script_is_a_file_that_browsers_keep(browser):
    """It comes as JavaScript with a tag; who has it already is told so; it is plain, and reaches no
    other host."""
    answer = browser.get("/script.js")
    assert (answer.status_code, answer.headers["content-type"]) == (
        200,
        "text/javascript; charset=utf-8",
    )
    assert answer.headers["cache-control"] == "max-age=300"
    again = browser.get("/script.js", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert browser.get("/script.js", headers={"if-none-match": '"another"'}).status_code == 200
    assert not re.search(r"https?:|//\w|innerHTML|eval\(|Storage|cookie|import", answer.text)
    assert answer.text.count("\n") < 280


def test_the_policy_lets_only_files_of_this_server_run():
    """Nothing that stands in a page runs, and the script may ask this server alone."""
    policy = dict(
        part.strip().split(" ", 1) for part in dict(HEADERS)["content-security-policy"].split(";")
    )
    assert (policy["default-src"], policy["script-src"], policy["connect-src"]) == (
        "'none'",
        "'self'",
        "'self'",
    )
    assert "unsafe" not in str(policy)


@pytest.mark.parametrize("page", PAGES)
def test_every_field_has_a_label_and_every_page_one_heading(browser, page):
    page = tree(browser.get(page).text)
    labels = list(page.iter(NAMESPACE + "label"))
    named = {label.attrib["for"] for label in labels if "for" in label.attrib}
    inside = [e for label in labels for e in label.iter()]
    for tag in ("input", "select", "textarea"):
        for e in page.iter(NAMESPACE + tag):
            labelled = e.attrib.get("id") in named or any(e is one for one in inside)
            assert labelled or e.attrib.get("type") == "hidden", e.attrib
    assert [len(list(page.iter(NAMESPACE + tag))) for tag in ("h1", "main")] == [1, 1]
    assert page.attrib["lang"] == "en"


def test_what_is_too_long_or_no_form_is_refused(browser):
    """The first lines are enough: the page is not asked."""
    assert browser.get("/?" + "a" * LONGEST_ADDRESS).status_code == 414
    assert browser.post("/house", content=b"a" * (MOST_BYTES + 1), headers=FORM).status_code == 413
    assert (
        browser.post("/house", content=iter([b"a" * 70_000] * 3), headers=FORM).status_code == 413
    )
    assert (
        browser.post(
            "/house", content=b"{}", headers={**FORM, "content-type": "text/plain"}
        ).status_code
        == 415
    )
    assert browser.request("DELETE", "/").status_code == 405
    assert browser.post("/settle", headers=FORM).status_code == 405
    fields = {f"a{n}": "b" for n in range(400)}
    assert post(browser, "/house", "/house", fields).status_code == 400


def test_a_file_of_house_rules_is_kept_and_read(browser):
    """Sent as a file or as text it is one of the rule sets, by an address that names its
    content."""
    answer = post(browser, "/house", "/house", {}, files={"file": ("a.yaml", HOUSE.encode())})
    assert answer.status_code == 303, answer.text
    page = answer.headers["location"]
    assert re.fullmatch("/rules/house-[0-9a-f]{12}", page)
    assert "Mine" in browser.get("/rules").text
    assert "Mine" in browser.get(page).text
    assert browser.get(page.replace("/rules", "/settle")).status_code == 200
    assert post(browser, "/house", "/house", {"text": HOUSE}).headers["location"] == page
    assert "send the file again" in browser.get("/rules/house-000000000000").text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (HOUSE.replace("quanti-1822", "/etc/passwd"), "Q"),
        (HOUSE.replace("quanti-1822", "../../secret.yaml"), "Q301"),
        (HOUSE + "plugins:\n  - plugin: strangers-own\n", "Q501"),
        (HOUSE + "rules: {stakes: {ante: -1}}\n", "Q2"),
        ("a: &a [1]\nb: *a\n", "Q1"),
        ("<script>alert(1)</script>", "Q"),
        ("", "Q802"),
    ],
)
def test_house_rules_reach_nothing_but_what_is_shipped(browser, text, code):
    """A file that names other files, or plugins that are not shipped, is refused, with the line."""
    answer = post(browser, "/house", "/house", {"text": text})
    assert answer.status_code == 400, answer.text
    assert f'class="code">{code}' in answer.text
    assert "<script" not in answer.text
    assert_tells_nothing(answer.text)


def test_only_so_many_files_are_kept(app):
    """The first to be sent is the first to go."""
    browser = client(app)
    first = post(browser, "/house", "/house", {"text": HOUSE + "# first\n"}).headers["location"]
    for n in range(32):
        post(browser, "/house", "/house", {"text": HOUSE + f"# {n}\n"})
    assert browser.get(first).status_code == 404
    assert browser.get("/rules").text.count("/sheet") < 50


def test_a_fault_of_the_program_shows_no_traceback(monkeypatch, app, capsys):
    """What no page has foreseen is one sentence, and the terminal hears of it."""
    from quadrille_plugins.serve import rules_pages

    monkeypatch.setattr(rules_pages, "show_blocks", lambda *a, **k: 1 // 0)
    answer = client(app).get("/rules/quanti-1822/sources")
    assert (answer.status_code, "Q999" in answer.text) == (500, True)
    assert "ZeroDivision" not in answer.text
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_page_that_takes_too_long_is_given_up(monkeypatch):
    """Pages run in threads, which cannot be stopped: the answer comes all the same, and once."""
    from quadrille_plugins.serve import rules_pages, trust

    may_end = threading.Event()
    monkeypatch.setattr(rules_pages, "show_blocks", lambda *a, **k: may_end.wait(20) and [])
    monkeypatch.setattr(trust, "PAGE_SECONDS", 0.05)
    desk_now = desk([HOST], b"secret")
    begun = time.monotonic()
    sent = asyncio.run(answers_of(desk_now, "/rules/quanti-1822/sources", may_end.set))
    assert time.monotonic() - begun < 10
    assert [m["status"] for m in sent if m["type"] == "http.response.start"] == [503]
    assert b"took more than" in b"".join(m.get("body", b"") for m in sent)


async def answers_of(app, path: str, after) -> list[dict]:
    """What an application sends for a page, until a moment after it has answered."""
    sent: list[dict] = []
    coming = asyncio.Queue()  # the request, and then nothing: nobody hangs up
    coming.put_nowait({"type": "http.request", "body": b"", "more_body": False})

    async def send(message):
        sent.append(message)

    headers = [(b"host", HOST.encode())]
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
    }
    await app(
        {**scope, "headers": headers, "scheme": "http", "server": ("127.0.0.1", 8000)},
        coming.get,
        send,
    )
    after()
    await asyncio.sleep(0.2)
    return sent


@pytest.mark.parametrize(
    "charset", ["undefined", "unicode_escape", "punycode", '"utf-16"', "utf-8; charset=idna"]
)
def test_a_form_in_another_charset_than_browsers_send_is_refused(browser, charset):
    """The name would choose one of Python's codecs: some raise what no page foresees, some make
    what is no text."""
    word = word_of(browser.get("/house").text)
    part = '--B\r\nContent-Disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    body = part.format("form_word", word) + part.format("text", r"title: \ud800") + "--B--\r\n"
    kind = f"multipart/form-data; boundary=B; charset={charset}"
    headers = {"origin": ORIGIN, "content-type": kind}
    assert browser.post("/house", content=body.encode(), headers=headers).status_code == 415
    headers["content-type"] = "multipart/form-data; boundary=B; charset=UTF-8"
    assert browser.post("/house", content=body.encode(), headers=headers).status_code == 400


def test_a_file_of_house_rules_may_be_as_long_as_is_said(browser):
    """Its text too, which a form may send with three characters for one; one byte more is refused
    with the reason."""
    comment = "# " + "é" * 20_000
    whole = HOUSE + comment + "x" * (64 * 1024 - len((HOUSE + comment).encode()))
    assert (
        post(
            browser, "/house", "/house", {}, files={"file": ("a.yaml", whole.encode())}
        ).status_code
        == 303
    )
    answer = post(browser, "/house", "/house", {}, files={"text": (None, whole + "y")})
    assert (answer.status_code, "longer than 64 KB" in answer.text) == (400, True)
    pasted = HOUSE + "# :,\n" * 8_000  # 40 KB, and 80 KB as a form writes it
    assert post(browser, "/house", "/house", {"text": pasted}).status_code == 303


SHELL = re.compile(
    r"`(?:quadrille|session|save)\b|:\s+quadrille [a-z]|(?<![\w-])--[a-z]|\bthe command\b"
)
"""Words that help nobody who has no shell."""


def test_no_hint_of_a_page_is_for_a_shell():
    """Every help of the catalogue: a page says what to do there, or nothing."""
    command = Command("show", ("REF", "WORD"))
    kinds = {"or": [command], "and": [command]} | dict.fromkeys(("in", "p", "words"), ("rules",))
    kinds["help"] = Problem("Q101", "directory")

    def filling(one):
        """What each of its words may be: a command, but where it says of what kind it is."""
        texts = one if isinstance(one, list) else [one]
        texts = [t for text in texts for t in (text.values() if isinstance(text, dict) else [text])]
        parts = [part for text in texts for part in Formatter().parse(text)]
        said = {name.split(".")[0]: kinds.get(spec, command) for _, name, spec, _ in parts if name}
        return defaultdict(lambda: command, said)

    helps = [*catalogue()["hints"].values()]
    for code, variants in catalogue().items():
        if code != "hints":
            helps += [s["help"] for s in variants.values() if isinstance(s, dict) and "help" in s]
    shells = 0
    for one in helps:
        told = PAGE.clauses(one, filling(one))
        shells += told != SHELL_DOOR.clauses(one, filling(one))
        assert not SHELL.search(told), (one, told)
    assert shells > 60
    another = Problem("Q802", "another-deal-is-next", {"next_deal": 2, "number": 3})
    assert PAGE.help(another) == "look at the ledger as it stands"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("neither in /home/ann/variants nor in /usr", "neither in variants nor in /usr"),
        (r"C:\Users\me\a.yaml: no", "a.yaml: no"),
        ("a 9/2 of bids.*/x", "a 9/2 of bids.*/x"),
        ("see /home/a/b.ledger", "see b.ledger"),
    ],
)
def test_paths_are_cut_to_the_name_of_the_file(text, shown):
    assert without_paths(text) == shown


def test_the_codes_of_the_pages_are_explained():
    assert {"Q806", "Q807"} <= set(CODES)


# --- hostile input ------------------------------------------------------------------------------

TARGETS = (
    "/",
    "/settle",
    "/settle/{}",
    "/rules/{}",
    "/rules/{}/sources",
    "/rules/{}/sheet",
    "/rules/{}/readings",
)
MORE = (
    "/apparatus/{}",
    "/apparatus/quanti-1822/{}",
    "/apparatus/{}/ante",
    "/explain",
    "/explain/{}",
    "/studies",
)
MORE += ("/studies/matters", "/studies/{}", "/studies/{}/manifest.json", "/pictures/{}.svg")
MORE += ("/tables", "/play/{}", "/house/{}", "/house/{}/file", "/house/quanti-1822/sheet")
FIELDS = """contract trump hombre ally tricks0 tricks1 player0 player1 pool matadors vole claims
premiers reading against all format incident.revoke incident.x surrendered favourite beasts
q rules point first second kind deals seed players title plugin topic auction.all_pass
payments.premium.solo loss.remise_pays table.coins a.b favourite.suit""".split()  # noqa: SIM905 - words


def hostile(browser, count: int, seed: int) -> int:
    """Send that many requests made from pieces; returns how many reached a page."""
    rng = random.Random(seed)
    word, reached = word_of(browser.get("/house").text), 0
    refs = ["quanti-1822", "mediateur-1752", "quintille", *PIECES]
    from urllib.parse import quote, urlencode

    for _ in range(count):
        fields = [(rng.choice(FIELDS), rng.choice(PIECES)) for _ in range(rng.randrange(14))]
        headers, right = {}, rng.random() < 0.8
        if rng.random() < 0.35:
            text = HOUSE + rng.choice(
                ("rules:\n  stakes: {ante: %s}\n", "title: %s\n", "plugins: [%s]\n", "%s")
            ) % rng.choice(PIECES)
            sent = [("form_word", word if right else rng.choice(PIECES)), ("text", text), *fields]
            headers = {
                "origin": ORIGIN
                if right or rng.random() < 0.5
                else rng.choice(("null", "http://evil"))
            }
            headers["content-type"] = "application/x-www-form-urlencoded"
            to = rng.choice(("/house", "/house", "/studies/ask", "/studies/none/cancel"))
            answer = browser.post(to, content=urlencode(sent, errors="replace"), headers=headers)
        else:
            path = rng.choice((*TARGETS, *MORE)).format(
                quote(rng.choice(refs), safe="/" if rng.random() < 0.5 else "", errors="replace")
            )
            if not right:
                headers["host"] = rng.choice(("evil", "[", "127.0.0.1:1"))
            answer = browser.get(path + "?" + urlencode(fields, errors="replace"), headers=headers)
        reached += right
        assert answer.status_code < 500, (answer.request.url, fields)
        assert not others_script(answer.text)
        assert answer.text.strip() != "49"
        assert "a=b" not in answer.headers.get("set-cookie", "")
        assert_tells_nothing(answer.text)
    return reached


def test_a_hundred_hostile_requests(browser):
    """No fault of the program, no script, no foreign file, whatever is sent."""
    assert hostile(browser, 100, 1) > 50


@pytest.mark.slow
def test_two_thousand_hostile_requests(browser):
    """The same, of which more than half pass the checks of host and word and reach their pages."""
    assert hostile(browser, 2000, 2) > 1000
