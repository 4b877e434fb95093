"""The pictures of docs/serve.md: the pages on a phone, taken in Chromium.

    python tools/serve_tour.py

Needs Chromium, Playwright and Pillow.  The pictures change with the pages; look at each before it
is checked in.
"""

import io
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page, sync_playwright

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "static"
SOLO: Final = "contract=solo&trump=hearts&hombre=0&ally=none&matadors=3"
NAMES: Final = ("Anne", "Beatrice", "Charlotte", "Dorothea")
HOUSE: Final = "/house/quanti-1822@parlett"
CHOSEN: Final = (
    "title=Thursday&auction.all_pass=redeal&bids.forced-spadille.made=never&payments.premium.solo=5"
)
DESK: Final = {
    "first": ("/", ""),
    "house": (f"{HOUSE}?bids.forced-spadille.made=never", ""),
    "yours": (f"{HOUSE}?{CHOSEN}&topic=Your+rules", ""),
    "rulebook": ("/rules/quanti-1822@parlett", ".rulebook"),
    "settled": (
        f"/settle/quanti-1822@parlett?{SOLO}&tricks0=6&tricks1=4&pool=12&"
        + "&".join(f"player{n}={name}" for n, name in enumerate(NAMES)),
        "",
    ),
    "points": ("/apparatus/quanti-1822", ""),
    "point": ("/apparatus/quanti-1822/remise_pays", ""),
    "readings": ("/apparatus/quanti-1822/remise_pays", ".reading:nth-of-type(2)"),
    "explain": ("/explain?q=codille", ""),
    "rule": ("/explain/loss.remise_pays", ""),
    "studies": ("/studies", ""),
}
DEAL: Final = "/play/quanti-1822@parlett?seed=3&seat=1"
TABLE: Final = {
    "next": ("/next", ""),
    "standing": ("/", ""),
    "evening": ("/evening?what=leave", "#leave"),
}


def serving(*args: str) -> tuple[subprocess.Popen[str], str]:
    """A server and its address."""
    command = [sys.executable, "-u", "-m", "quadrille_core", "serve", *args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    said = ""
    for line in process.stdout or ():
        said += line
        if found := re.search(r"http://\S+", said):
            return process, found[0].rstrip("/")
    raise SystemExit("no server")


def keep(page: Page, name: str, selector: str) -> None:
    """A picture of the screen, from the element on, in 64 colours."""
    if selector:
        page.locator(selector).first.scroll_into_view_if_needed()
        page.evaluate(
            "s => window.scrollTo(0, document.querySelector(s).getBoundingClientRect().top + "
            "window.scrollY)",
            selector,
        )
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(64)
    picture.save(FOLDER / f"serve-{name}.png", optimize=True)


def main() -> None:
    """Take every picture."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ExitStack() as ended,
        sync_playwright() as playwright,
    ):
        desk, address = serving("--tables", folder)
        ended.callback(desk.kill)
        table, link = serving("--table", str(Path(folder, "evening.ledger")))
        ended.callback(table.kill)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_context(
            viewport={"width": 390, "height": 720}, reduced_motion="reduce"
        ).new_page()
        for name, (path, selector) in DESK.items():
            page.goto(address + path)
            keep(page, name, selector)
        page.goto(address + "/studies")
        page.get_by_label("In use").select_option("quanti-1822@parlett")
        page.get_by_label("Instead").select_option("quanti-1822@wikipedia")
        page.fill("#deals", "400")
        page.get_by_role("button", name="Compare").click()
        page.wait_for_timeout(3000)
        keep(page, "study-playing", "")
        page.get_by_role("heading", name="The answer").wait_for(timeout=180_000)
        keep(page, "study", "")
        keep(page, "study-picture", "figure")
        page.goto(address + DEAL)
        page.get_by_role("link", name="Pass").click()
        while not page.locator("a.refused").count():
            with page.expect_navigation():
                page.locator("a.card:not(.refused)").first.click()
        page.wait_for_load_state("networkidle")
        keep(page, "play", "")
        page.goto(link)
        page.wait_for_url("**/begin")
        page.select_option("#rules", "quanti-1822@parlett")
        for n, player in enumerate(NAMES):
            page.fill(f"#player{n}", player)
        page.get_by_role("button", name="Begin").click()
        base = link.split("/open/")[0]
        for deal in (
            SOLO.replace("hombre=0", "hombre=4") + "&side=6",
            "contract=alliance&trump=spades&hombre=5&ally=7&matadors=0&side=5",
        ):
            page.goto(f"{base}/next?{deal}")
            page.get_by_role("button", name="Record as").click()
        for name, (path, selector) in TABLE.items():
            page.goto(base + path)
            if name == "next":
                page.get_by_label("Alliance", exact=True).check()
            keep(page, name, selector)
        page.goto(f"{address}/tables")
        page.fill("#new", "Friday")
        page.select_option("#former", "evening")
        keep(page, "tables", "")
        browser.close()


if __name__ == "__main__":
    main()
