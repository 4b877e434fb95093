"""The installed wheel in Chromium: by hand without JavaScript, and what axe finds with it."""

import os
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
import quadrille_plugins
from quadrille_plugins.ledger.service import start
from support.chromium import CHROMIUM, PLAIN, serving
from support.ledger import NAMES, QUANTI, compiled_once

LEGAL = "a.card:not(.refused)"
"""The cards that may be played."""
SOLO = "contract=solo&trump=hearts&hombre=0&ally=none&matadors=3"
SETTLED = f"/settle/quanti-1822?{SOLO}&tricks0=6&tricks1=4&pool=12&player0=Anne"
CHOSEN = "title=Ours&auction.all_pass=redeal&bids.forced-spadille.made=never"
HOUSE = "/house/quanti-1822@parlett"
DESK = {
    "first": "/",
    "rule sets": "/rules",
    "start from": "/house",
    "tables": "/tables",
    "bids": HOUSE,
    "payments": "/house/mediateur-1752?topic=Payments",
    "mechanics": f"{HOUSE}?topic=Mechanics",
    "contradiction": f"{HOUSE}?bids.forced-spadille.made=never&favourite.source=fixed",
    "house rules": f"{HOUSE}?{CHOSEN}&topic=Your+rules",
    "house rulebook": f"{HOUSE}/rulebook?{CHOSEN}&marked=yes",
    "house sheet": f"{HOUSE}/sheet?{CHOSEN}",
    "rulebook": "/rules/mediateur-1752?against=quanti-1822",
    "sheet": "/rules/mediateur-1752/sheet",
    "sources": "/rules/quanti-1822@parlett/sources",
    "readings": "/rules/quanti-1822/readings",
    "choose": "/settle",
    "form": "/settle/mediateur-1752",
    "settled": SETTLED,
    "impossible": SETTLED.replace("tricks1=4", "tricks1=5"),
    "play": "/play",
    "begin": "/play/quanti-1822",
    "bidding": "/play/quanti-1822?seed=3&seat=1",
    "nowhere": "/nowhere",
    "disputed": "/apparatus",
    "points": "/apparatus/quanti-1822@parlett",
    "points found": "/apparatus/quanti-1822?q=codille",
    "point": "/apparatus/quanti-1822@parlett/remise_pays",
    "rules": "/explain",
    "rules found": "/explain?q=codille",
    "rule": "/explain/bids.*.rank",
    "studies": "/studies",
    "which point": "/studies/matters?rules=quanti-1822&point=remise_pays",
    "shipped study": "/studies/shipped",
}
LOOKED = f"/next?{SOLO.replace('hombre=0', 'hombre=4')}&side=6"
TABLE = {
    "standing": "/",
    "deal": "/deal/1",
    "next": "/next",
    "looked": LOOKED,
    "wrong": LOOKED.replace("side=6", "side="),
    "correct": "/deal/1/correct",
    "forgotten": "/next?before=1",
    "leaving": "/evening?what=leave",
    "a rule": "/evening?what=rules&rule=loss.remise_pays",
    "end": "/end",
    "end shared": "/end?split=yes",
    "nothing chosen": "/next?sent=yes",
    "link": "/link",
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None and not os.environ.get("NEEDS_CHROMIUM"),
        reason="there is no chromium here",
    ),
]


@pytest.fixture(scope="module")
def servers(wheel, tmp_path_factory):
    """The addresses of a desk and of a table, served by the wheel."""
    file = tmp_path_factory.mktemp("table") / "evening.ledger"
    start(file, compiled_once(QUANTI), QUANTI, NAMES, dealer=None, coins="rules")
    processes, addresses = [], []
    for args in (("--tables", str(file.parent)), ("--table", str(file))):
        command = [sys.executable, "-u", "-c", PLAIN, str(wheel), "serve", *args]
        process = subprocess.Popen(command, cwd=file.parent, stdout=subprocess.PIPE, text=True)
        processes.append(process)
        for line in process.stdout:
            if found := re.search(r"http://\S+", line):
                addresses.append(found[0].rstrip("/"))
                break
    yield addresses
    for process in processes:
        process.kill()
        process.communicate()


def opened(browser, requests: list[str], **options):
    """A page of a browser with nothing kept, whose every request is noted."""
    page = browser.new_context(**options).new_page()
    page.on("request", lambda request: requests.append(request.url))
    return page


def choose(page, group: str, answer: str) -> None:
    """Choose an answer in the group whose name begins so."""
    page.get_by_role("group", name=re.compile(f"^{group}")).first.get_by_label(
        answer, exact=True
    ).check()


def test_settlement_ledger_and_rulebook_by_hand_without_javascript(servers, chromium):
    """On a phone: read a rulebook, settle a deal, record one, correct it, settle up.  No request
    leaves the server."""
    desk, link = servers
    table, requests = link.split("/open/")[0], []
    page = opened(
        chromium, requests, java_script_enabled=False, viewport={"width": 390, "height": 844}
    )

    page.goto(desk)
    page.get_by_role("link", name="Rule sets").first.click()
    page.get_by_role("link", name="Quadrille after Quanti (1822)", exact=True).click()
    assert page.get_by_role("heading", level=1).inner_text() == "Quadrille after Quanti (1822)"
    assert "forty cards" in page.inner_text("#main")

    page.get_by_role("link", name="Settle a deal").first.click()
    page.goto(desk + "/settle/quanti-1822")
    page.get_by_role("textbox", name="Eldest hand").fill("Anne")
    page.get_by_label("Counters in the pool").fill("12")
    for group, answer in (
        ("Contract", "Solo"),
        ("Trumps", "♥ hearts"),
        ("Hombre", "eldest hand"),
        ("Ally", "none"),
    ):
        choose(page, group, answer)
    choose(page, "Matadors of Hombre", "3")
    page.get_by_role("spinbutton", name="Tricks: eldest hand").fill("6")
    page.get_by_role("spinbutton", name="Tricks: second hand").fill("4")
    page.get_by_role("button", name="Who pays whom").click()
    assert page.get_by_text("Solo by Anne: won").is_visible()
    assert "payments.premium.solo" in page.inner_text(".answer")

    page.goto(link)
    page.wait_for_url(table + "/")
    page.get_by_role("link", name="Deal 1").click()
    for group, answer in (
        ("Contract", "Solo"),
        ("Trumps", "♠ spades"),
        ("Hombre", "Anne"),
    ):
        choose(page, group, answer)
    choose(page, "Tricks of Hombre", "6")
    page.get_by_role("button", name="Who pays whom").click()
    page.get_by_role("button", name="Record as deal 1").click()
    assert page.url == table + "/deal/1?done=yes"
    assert page.get_by_role("status").inner_text() == "Recorded."

    page.get_by_role("link", name="Correct this deal").click()
    choose(page, "Tricks of Hombre", "5")
    page.get_by_role("button", name="Who pays whom").click()
    page.get_by_role("button", name="Record the correction of deal 1").click()
    assert "Solo by Anne: remise (corrected)" in page.inner_text("main")
    page.get_by_role("link", name="Settle up").click()
    page.get_by_role("link", name="Share it equally").click()
    assert "settle everything" in page.inner_text("main")

    assert {url for url in requests if not url.startswith((desk, table))} == set()


def groups(page) -> list[str]:
    """The questions that are to be seen, by their first word."""
    return [one.split()[0] for one in page.locator("form.ask legend:visible").all_inner_texts()]


def test_the_ledgers_form_asks_step_by_step(servers, chromium):
    """On a phone without JavaScript the contract opens what it needs, and what is missing is said
    at its field; with the script, who has what is told as soon as enough is filled in."""
    link, requests = servers[1], []
    table = link.split("/open/")[0]
    for script in (False, True):
        page = opened(
            chromium, requests, java_script_enabled=script, viewport={"width": 390, "height": 844}
        )
        page.goto(link)
        page.wait_for_url(table + "/")
        page.goto(table + "/next")
        assert groups(page) == ["Contract"]
        choose(page, "Contract", "Alliance")
        assert groups(page) == ["Contract", "Trumps", "Hombre", "Ally", "Tricks", "Matadors"]
        choose(page, "Hombre", "Anne")
        ally = page.get_by_role("group", name="Ally")
        assert "Anne" not in ally.inner_text().split("\n")
        choose(page, "Contract", "Solo")
        assert "Ally" not in groups(page)
        page.get_by_role("button", name="Who pays whom").click()
        assert "say which suit was trumps" in page.inner_text("#f-trump")
        assert "say how many tricks" in page.inner_text("#f-side")
        choose(page, "Trumps", "♠ spades")
        choose(page, "Tricks of Hombre", "6")
        assert groups(page)[-2:] == ["Hombre’s", "Vole"]
        if not script:
            page.get_by_role("button", name="Who pays whom").click()
        answer = page.get_by_role("heading", name="Solo by Anne: won")
        answer.wait_for(timeout=10_000)
        if script:
            choose(page, "Tricks of Hombre", "5")
            answer.wait_for(state="detached", timeout=10_000)
            page.get_by_role("heading", name="Solo by Anne: remise").wait_for(timeout=10_000)
    assert {url for url in requests if not url.startswith(table)} == set()


def test_how_allies_shared_is_asked_in_the_form_as_soon_as_it_matters(chromium, wheel, tmp_path):
    """With the script, without a page loaded anew: the question stands below the tricks, and its
    answer brings what the deal comes to."""
    file, rules = tmp_path / "evening.ledger", "mediateur-1752"
    start(file, compiled_once(rules), rules, NAMES, dealer=None)
    process, link = serving(wheel, "--table", str(file))
    try:
        page = opened(chromium, [], viewport={"width": 390, "height": 844})
        page.goto(link)
        page.goto(link.split("/open/")[0] + "/next")
        for question, answer in (
            ("Contract", "Alliance"),
            ("Trumps", "♠ spades"),
            ("Hombre", "Anne"),
            ("Ally", "Beatrice"),
            ("Tricks of Hombre", "4"),
        ):
            choose(page, question, answer)
        page.get_by_role("heading", name="Alliance by Anne").wait_for(timeout=10_000)
        assert page.get_by_role("group", name="Tricks of Anne").count() == 0
        choose(page, "Matadors", "3")
        page.get_by_role("group", name="Tricks of Anne").wait_for(timeout=10_000)
        choose(page, "Tricks of Anne", "2")
        page.get_by_role("heading", name="Alliance by Anne with Beatrice").wait_for(timeout=10_000)
        assert page.url.endswith("/next")
    finally:
        process.kill()
        process.communicate()


def go(page, link: str) -> None:
    """Follow the first such link, and wait for the page it leads to."""
    with page.expect_navigation():
        page.locator(link).first.click()


def to_the_end(page) -> int:
    """Play the first card or choice that is legal until the deal is over; returns how many clicks
    it took."""
    clicks = 0
    while not page.get_by_role("heading", name="Who pays whom").count():
        go(page, f"{LEGAL}, .choose a.button")
        clicks += 1
        assert clicks < 60
    return clicks


def played_by(page, key: str) -> str:
    """Press a key, wait until the page in place of this one stands, and return what is
    announced."""
    before = page.evaluate("latest")
    page.keyboard.press(key)
    page.wait_for_function("before => latest > before && !busy", arg=before)
    return page.inner_text(".heard")


def test_a_whole_hand_by_keyboard_with_the_script(servers, chromium):
    """Bid, ask for advice, have a card refused, play to the settlement: one page is loaded, the
    rest is put in place.

    The focus never leaves what may be done next, and what the others do is announced.
    """
    desk, requests, loads, said = servers[0], [], [], []
    page = opened(chromium, requests, viewport={"width": 390, "height": 844})
    page.on("load", lambda: loads.append(page.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(desk + DESK["bidding"])
    loads.clear()
    page.locator(".choose a.button").first.focus()
    assert not page.locator(".keys .told").is_visible()
    page.keyboard.press("?")
    assert page.locator(".keys .told").is_visible()
    page.keyboard.press("p")
    assert page.evaluate("document.activeElement.textContent") == "Pass"
    assert "Your turn." in played_by(page, "Enter")
    moves, refused, asked_for_advice = 1, "", False
    while not page.locator("#paid").count():
        assert page.evaluate("document.activeElement.matches('#hand a.card:not(.refused)')"), moves
        if not asked_for_advice:
            asked_for_advice = True
            page.get_by_role("link", name="Hint").focus()
            assert played_by(page, "Enter") == " ".join(
                page.locator("#advice").inner_text().split()
            )
            page.locator("#hand a[tabindex='0']").focus()
        if not refused and page.locator("#hand a.refused").count():
            where, card = page.url, page.locator("#hand a.refused").first.get_attribute("data-card")
            while page.evaluate("document.activeElement.dataset.card") != card:
                page.keyboard.press(card[0])
            played_by(page, "Enter")
            refused = page.get_by_role("alert").inner_text()
            assert "no, " in refused
            assert page.title().startswith("Refused")
            assert page.url == where  # and the focus is on the nearest card that may be played
            assert page.evaluate(
                """card => {
                    const hand = [...document.querySelectorAll('#hand a')];
                    const at = hand.findIndex(one => one.dataset.card === card);
                    const near = hand.slice(at).concat(hand.slice(0, at).reverse());
                    return near.find(one => !one.matches('.refused')) === document.activeElement;
                }""",
                card,
            )
        heard = played_by(page, "Enter")
        moves += 1
        assert moves < 40
    assert moves > 4
    assert "The rules refuse this" in refused
    assert heard.startswith("The deal is over. Solo by C")
    assert page.evaluate("document.activeElement.id") == "paid"
    page.go_back()
    page.locator("#hand").wait_for()
    assert loads == []
    assert [
        one for one in said if "status of 422" not in one
    ] == []  # the card refused; else no word of the policy
    assert {url for url in requests if not url.startswith(desk)} == set()


def test_a_move_that_the_script_cannot_fetch_is_made_by_a_whole_page(servers, chromium):
    """Whatever goes wrong on the way, the link is followed as without a script."""
    requests, loads = [], []
    page = opened(chromium, requests)
    page.goto(servers[0] + DESK["bidding"])
    page.on("load", lambda: loads.append(page.url))
    page.evaluate("() => { window.fetch = () => Promise.reject(new Error('the network is gone')) }")
    with page.expect_event("load"):
        page.get_by_role("link", name="Pass").click()
    assert page.locator("[data-trick='1']").count() == 1
    assert len(loads) == 1


def test_a_study_is_followed_in_place_by_the_script(servers, chromium):
    """The page is loaded once, and says when the answer is there."""
    page, loads = opened(chromium, []), []
    asked(page, servers[0], 80, 7)
    page.wait_for_load_state("load")
    page.on("load", lambda: loads.append(page.url))
    page.get_by_role("heading", name="The answer").wait_for(timeout=180_000)
    assert page.inner_text(".heard").startswith("The answer: ")
    assert loads == []


def cancel(browser, address: str) -> None:
    """Give a study up, by another page than the one that follows it."""
    page = opened(browser, [], java_script_enabled=False)
    page.goto(address + "?still=yes")
    page.get_by_role("button", name="Cancel it").click()
    page.close()


def test_a_study_that_is_gone_is_not_asked_for_again(servers, chromium):
    """The page is loaded once more, whole, so that the reader sees what the server says; then
    nothing is asked."""
    requests: list[str] = []
    page = opened(chromium, requests)
    address = asked(page, servers[0], 1_000_000, 91)
    page.route(
        address,
        lambda route: route.fulfill(
            status=404, content_type="text/html", body="<main>It is gone.</main>"
        ),
    )
    cancel(chromium, address)
    page.get_by_text("It is gone.").wait_for(timeout=20_000)
    before = len(requests)
    page.wait_for_timeout(5000)
    assert len(requests) == before


def test_pages_that_do_not_answer_are_asked_ever_less_often(servers, chromium):
    """The wait doubles with each failure."""
    requests: list[str] = []
    page = opened(chromium, requests)
    address = asked(page, servers[0], 1_000_000, 92)
    every = float(page.locator("[data-follow]").get_attribute("data-follow"))
    page.route(address, lambda route: route.abort())
    cancel(chromium, address)
    page.get_by_text("The pages do not answer").wait_for(timeout=20_000)
    times: list[str] = []
    page.on("request", lambda request: times.append(request.url))
    page.wait_for_timeout(int(every * 6000) + 3000)
    assert len(times) == 2  # after twice and four times as long


@pytest.mark.parametrize("script", [True, False])
def test_a_host_makes_house_rules_on_a_phone_and_begins_a_table_by_them(
    chromium, wheel, tmp_path, script
):
    """By taps alone: the book chosen, three rules changed, what contradicts mended, then rulebook,
    sheet, file and table.  Without a script what contradicts is told after *Check*, with one at
    once."""
    process, link = serving(wheel, "--table", str(tmp_path / "evening.ledger"))
    try:
        requests: list[str] = []
        view = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
        page = opened(chromium, requests, java_script_enabled=script, **view)

        def choose(question: str, answer: str) -> None:
            group = page.get_by_role("group", name=question, exact=True)
            with page.expect_response("**/begin/house/*") if script else nullcontext():
                group.get_by_text(answer, exact=True).tap()
            if not script:
                page.get_by_role("button", name="Check").tap()

        page.goto(link)
        page.wait_for_url("**/begin")
        page.get_by_text("Or house rules of your own").tap()
        page.get_by_role("link", name="Make them here").tap()
        page.get_by_role("link", name="Quadrille after Quanti (1822)").tap()
        choose("Forced Spadille", "It is not played at this table")
        alert = page.get_by_role("alert")
        alert.wait_for()
        box = alert.bounding_box()
        assert (box["y"] > 0, box["y"] + box["height"] <= 844) == (True, True)
        alert.get_by_role("link").first.tap()
        alert.wait_for(state="detached")
        page.get_by_role("button", name="A lost game").tap()
        choose("What becomes of the pool at a codille?", "It stays")
        page.get_by_role("button", name="Your rules (3)").tap()
        page.wait_for_url("**topic=Your+rules")
        assert page.locator("ol.changes li").count() == 3
        address = page.url
        for what, text in (("Rulebook", ":not(.sheet)"), ("Sheet for the table", ".sheet")):
            page.get_by_role("link", name=what, exact=True).first.tap()
            page.locator(f".rulebook{text}").wait_for()
            page.goto(address)
        with page.expect_download() as kept:
            page.get_by_role("link", name="Keep the file").tap()
        assert kept.value.suggested_filename == "house-rules-for-quadrille-after-quanti-1822.yaml"
        page.get_by_role("link", name="Begin a session").tap()
        for n, name in enumerate(NAMES):
            page.fill(f"#player{n}", name)
        page.get_by_role("button", name="Begin").tap()
        page.wait_for_url(re.compile(r"/$"))
        assert "Rules: house-rules-for-quadrille-after-quanti-1822#" in page.inner_text("main")
        server = link.split("/open/")[0]
        assert {url for url in requests if not url.startswith((server, "blob:"))} == set()
    finally:
        process.kill()
        process.communicate()


WIDTHS, SCHEMES = (390, 1280), ("light", "dark")
OF_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules of axe that look at colours, by which alone the dark page can differ from the light
one."""


def faults(page, axe) -> list[tuple[object, ...]]:
    """What axe finds on a page, wide and narrow, light and dark, and whether it is wider than the
    screen."""
    found: list[tuple[object, ...]] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            options = OF_COLOURS if scheme == "dark" else None
            violations = axe.run(page, options=options).response["violations"]
            found += [(width, scheme, v["id"], v["nodes"][0]["html"][:200]) for v in violations]
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            found.append((width, "wider than the screen", wide))
    return found


def test_the_dark_page_differs_from_the_light_one_in_colours_alone():
    """No style of a dark page sets anything else, so that axe need look at nothing else there."""
    files = [
        f
        for f in Path(quadrille_plugins.__path__[0]).rglob("*.*")
        if f.suffix in (".css", ".html", ".py", ".js")
    ]
    blocks = [
        found
        for f in files
        for found in re.findall(
            r"@media[^{]*\(prefers-color-scheme.*?\n?\s*}\s*}", f.read_text("utf-8"), re.DOTALL
        )
    ]
    set_there = [
        rule.strip()
        for block in blocks
        for rule in re.findall(r"[{;]([^{};]+:[^{};]+)(?=[;}])", block)
    ]
    assert len(set_there) > 8
    assert [
        rule for rule in set_there if not re.fullmatch(r"--[a-z-]+:\s*#[0-9a-f]{3,6}", rule)
    ] == []


def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(servers, chromium):
    """In each state of each page; tables may scroll in their own box, and the page does not."""
    from axe_playwright_python.sync_playwright import Axe

    desk, link = servers
    table, requests, axe = link.split("/open/")[0], [], Axe()
    page = opened(chromium, requests, bypass_csp=True, viewport={"width": 390, "height": 844})
    page.goto(link)
    page.wait_for_url(table + "/")
    if page.get_by_role("link", name="Deal 1", exact=True).count():
        page.goto(table + LOOKED)
        page.get_by_role("button", name="Record as deal 1").click()
    page.goto(desk + DESK["bidding"])
    go(page, ".choose > a")
    while not page.locator("a.refused").count():
        go(page, LEGAL)
    played = {
        "table": page.url,
        "refused": desk + page.locator("a.refused").first.get_attribute("href"),
    }
    played["advised"] = desk + page.get_by_role("link", name="Hint").get_attribute("href")
    to_the_end(page)
    played["over"] = page.url
    go(page, "text=What did each decision cost?")
    played["reviewed"] = page.url
    found = {}
    for name, address in [
        *played.items(),
        *((n, desk + a) for n, a in DESK.items()),
        *((n, table + a) for n, a in TABLE.items()),
    ]:
        page.goto(address)
        found[name] = faults(page, axe)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    assert {url for url in requests if not url.startswith((desk, table))} == set()


def asked(page, desk: str, deals: int, seed: int) -> str:
    """Ask for a comparison by the form; the address of its page."""
    page.goto(desk + "/studies")
    page.get_by_label("In use").select_option("quanti-1822@parlett")
    page.get_by_label("Instead").select_option("quanti-1822@wikipedia")
    page.fill("#deals", str(deals))
    page.fill("#seed", str(seed))
    page.get_by_role("button", name="Compare").click()
    return page.url


def follows_to_the_answer(page) -> None:
    """The page of a study asks again by itself until it has the answer; else say where it stands
    and what there is."""
    try:
        page.get_by_role("heading", name="The answer").wait_for(timeout=180_000)
    except Exception:
        seen = page.locator("body").inner_text()
        page.reload()
        there = page.locator("body").inner_text()
        raise AssertionError(
            f"the page stood at:\n{seen}\n\nand asked again it says:\n{there}"
        ) from None


def test_a_study_is_asked_followed_cancelled_and_read_without_javascript(servers, chromium):
    """The page follows by itself; axe finds nothing in a study that plays, waits, was cancelled, or
    is over."""
    from axe_playwright_python.sync_playwright import Axe

    desk, requests, axe = servers[0], [], Axe()
    view = {"viewport": {"width": 390, "height": 844}}
    page = opened(chromium, requests, java_script_enabled=False, **view)
    first = asked(page, desk, 1_000_000, 780)
    page.get_by_role("progressbar").wait_for(
        timeout=20_000
    )  # what was cancelled before it may not be gone yet
    second = asked(page, desk, 80, 780)
    assert "before it" in page.get_by_role("status").inner_text()

    looking = opened(chromium, requests, bypass_csp=True, **view)

    def looked(name, address):
        looking.goto(address)
        assert (name, faults(looking, axe)) == (name, [])

    looked("playing", first + "?still=yes")
    looked("waiting", second + "?still=yes")
    page.goto(
        "about:blank"
    )  # a page that is about to look again would go somewhere else in the midst
    page.goto(first + "?still=yes")
    page.get_by_role("button", name="Cancel it").click()
    assert "was cancelled" in page.get_by_role("status").inner_text()
    looked("cancelled", first)

    page.goto(second)
    follows_to_the_answer(page)
    assert page.locator("figure img").count() > 0
    assert page.evaluate("[...document.images].every(one => one.naturalWidth > 0)")
    looked("over", second)
    assert {url for url in requests if not url.startswith(desk)} == set()
