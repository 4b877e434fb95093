"""In Chromium, on the installed wheel: every worked settlement and rulebook, an evening with a server that is killed.

Without JavaScript, on a phone.  They take minutes and are run on demand: ``MATRIX=1 pytest -m slow`` of this file.
"""

import json
import os
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from quadrille_plugins.ledger.forms_sent import sent_by
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.serve.named import shipped
from support.chromium import CHROMIUM, serving
from support.data import of_yaml
from support.pages import form_of

PHONE = {"java_script_enabled": False, "viewport": {"width": 390, "height": 844}}
WORKED = of_yaml(Path(__file__).parents[1] / "data" / "worked.yaml")["cases"]
HOUSE = "kind: profile\nid: ours\ntitle: As at Anne’s\nextends: quanti-1822\nrules:\n  stakes: {unit: 5}\n"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("MATRIX"), reason="the matrix in Chromium is run on demand"),
]


@pytest.fixture(scope="module")
def desk(wheel):
    process, address = serving(wheel)
    yield address
    process.kill()
    process.communicate()


@pytest.fixture
def page(chromium, desk):
    """A page of a browser with nothing kept; no request of it leaves the server."""
    asked: list[str] = []
    page = chromium.new_context(**PHONE).new_page()
    page.on("request", lambda request: asked.append(request.url))
    yield page
    page.context.close()
    assert {url for url in asked if not url.startswith(desk + "/")} == set()


def fill(page, name: str, value: str) -> None:
    """Give one answer as a hand does: tap it, or type it."""
    chosen = page.locator(f'[name="{name}"][value="{value}"]')
    if chosen.count() and chosen.get_attribute("type") in ("radio", "checkbox"):
        chosen.check()
    elif (field := page.locator(f'input[type=text][name="{name}"], input[type=number][name="{name}"]')).count():
        field.fill(value)
    else:
        assert (name, value) in (("vole", "none"), ("ally", "none")) or name == "favourite", (name, value)


@pytest.mark.parametrize("case", WORKED, ids=[c["says"] for c in WORKED])
def test_a_settlement_filled_in_by_hand_is_that_of_the_command(case, page, desk, quadrille, write):
    """Each worked settlement: the data behind the page are `settle`'s, and each payment stands in the page."""
    status, out, _ = quadrille("settle", write(case["result"]), "--format", "json")
    assert status == 0
    address, sent = form_of(case["result"])
    readings = "&".join(f"reading={value}" for name, value in sent if name == "reading")
    page.goto(f"{desk}{address}?{readings}")
    for summary in page.locator("main details:not([open]) > summary").all():
        summary.click()
    for name, value in sent:
        if name != "reading":
            fill(page, name, value)
    page.get_by_role("button", name="Who pays whom").click()
    told = json.loads(out)
    shown = page.locator(".answer").inner_text()
    assert all(t["rule"] in shown and t["reason"] in shown for t in told["transfers"])
    page.get_by_role("link", name="The same as data (JSON)").click()
    assert json.loads(page.locator("body").inner_text()) == told


def test_there_are_sixty_of_them():
    assert len(WORKED) >= 60


@pytest.mark.parametrize("game", [one for one in shipped() if one.tricks], ids=lambda one: one.id)
def test_a_rulebook_is_read_from_its_link_to_its_last_note(game, page, desk):
    """From the first page; each link within it leads somewhere in it, and nothing is wider than a phone."""
    page.goto(desk)
    page.locator(f'a.main[href="/rules/{game.id}"]').click()
    assert page.get_by_role("heading", level=1).inner_text() == game.title.replace("'", "’")
    targets = page.locator('a[href^="#"]').evaluate_all("those => those.map(a => a.getAttribute('href').slice(1))")
    assert len(targets) > 5
    missing = [name for name in targets if not page.evaluate("name => !!document.getElementById(name)", name)]
    assert missing == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(f'a[href^="/rules/{game.id}/sheet"]').first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_file_of_house_rules_is_chosen_read_and_settled_by(page, desk, tmp_path):
    file = tmp_path / "ours.yaml"
    file.write_text(HOUSE, "utf-8")
    page.goto(desk)
    page.get_by_label("The file").set_input_files(file)
    page.get_by_role("button", name="Read these rules").click()
    assert page.get_by_role("heading", level=1).inner_text() == "As at Anne’s"
    page.locator('a[href^="/settle/house-"]').first.click()
    page.get_by_label("Counters in the pool").fill("4")
    for name, value in (("contract", "solo"), ("trump", "hearts"), ("hombre", "0"), ("ally", "none")):
        fill(page, name, value)
    for name, value in (("tricks0", "6"), ("tricks1", "4")):
        fill(page, name, value)
    page.get_by_role("button", name="Who pays whom").click()
    assert "solo premium" in page.locator(".answer").inner_text()


# --- an evening --------------------------------------------------------------------------------------


class Killed:
    """The wheel's server of one ledger, killed and started again on its port."""

    def __init__(self, wheel: Path, file: Path) -> None:
        self.wheel, self.file, self.kills = wheel, file, 0
        self.process, self.link = serving(wheel, "--table", str(file))

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.kills += 1
        self.process, link = serving(self.wheel, "--table", str(self.file))
        assert link == self.link


@contextmanager
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = chromium.new_context(**PHONE).new_page()
        page.set_default_timeout(20_000)
        yield page
        chromium.close()


def tapped(go) -> str:
    """Do it again until there is an answer of the server that is one; returns the address of the page."""
    from playwright.sync_api import Error

    for _ in range(500):
        try:
            found = go()
        except Error:
            found = ""
        if found.startswith("http://"):
            return found
        time.sleep(0.1)
    raise AssertionError("no answer")


def evening(base: str, link: str, deals: int, acknowledged: list[tuple[str, str]], broken: list[str]) -> None:
    """One browser records deals; each form is sent until it is answered, and then once more."""
    with browser() as page:
        tapped(lambda: page.goto(link) and page.url)

        def visit(address: str) -> str:
            answer = page.goto(base + address)
            return page.url if answer is not None and answer.status == 200 else ""

        def sent() -> str:
            """Tap Record into another tab: the form stays, and may be sent again as it was."""
            with page.context.expect_page() as opening:
                page.get_by_role("button", name="Record as deal").click()
            tab = opening.value
            try:
                tab.wait_for_load_state()
                if tab.get_by_role("heading", level=1).count() == 0:
                    broken.append(tab.url)
                    return ""
                head = tab.get_by_role("heading", level=1).inner_text()
                if head == "This cannot be done":  # another process was writing
                    return ""
                return (
                    f"http://{head}" if head.startswith(("Two entries", "Deal")) and "done" not in tab.url else tab.url
                )
            finally:
                tab.close()

        done = 0
        while done < deals:
            address = f"/next?contract=solo&trump=hearts&ally=none&side=6&hombre={4 + done % 4}"
            tapped(lambda address=address: visit(address))
            form = page.locator('form[action="/record"]')
            form.evaluate("form => form.target = '_blank'")
            key = form.locator('[name="form_key"]').get_attribute("value")
            first, again = tapped(sent), tapped(sent)
            if "done=yes" not in first:  # the other browser was quicker: this one looks at the next deal
                assert "done=yes" not in again
                continue
            assert first == again
            acknowledged.append((str(key), urlsplit(first).path))
            done += 1


def test_forty_deals_by_two_browsers_survive_fifty_kills(wheel, file):
    """Every form is sent twice or more; none that was answered is lost, and none is recorded twice."""
    deals, kills = 40, 50
    server = Killed(wheel, file)
    base = server.link.split("/open/")[0]
    acknowledged: list[tuple[str, str]] = []
    broken: list[str] = []
    faults: list[BaseException] = []

    def play() -> None:
        try:
            evening(base, server.link, deals // 2, acknowledged, broken)
        except BaseException as e:
            faults.append(e)

    browsers = [threading.Thread(target=play) for _ in range(2)]
    for one in browsers:
        one.start()
    try:
        while any(one.is_alive() for one in browsers):
            time.sleep(0.1 * (1 + server.kills % 7))
            if server.kills < min(kills, 5 + len(acknowledged) * kills // (deals - 8)):
                server.kill()
    finally:
        server.process.kill()
        server.process.communicate()
    assert faults == []
    assert server.kills == kills
    assert broken  # some forms were sent to a server that was dead or died
    with Ledger(file, write=False) as ledger:
        journal = ledger.verify()
    assert (journal.standing.deals, len(acknowledged)) == (deals, deals)
    for key, path in acknowledged:
        act = sent_by(journal, key)
        assert act is not None, "lost"
        assert sum(key in one.note for one in journal.transactions) == 1, "twice"
        assert path == f"/deal/{next(r.number for r in journal.rows if r.act == act.id)}"
