"""Studies by page: a child process plays, the answer is the command's, and nothing is left
behind."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from quadrille_plugins.serve import app, study_pages
from quadrille_plugins.serve import study_queue as module
from quadrille_plugins.serve.study_queue import Order, StudyQueue
from quadrille_plugins.shell.api import run
from quadrille_plugins.shell.cells import csv_text
from support.pages import (
    HOST,
    NAMESPACE,
    assert_tells_nothing,
    client,
    elements,
    post,
    tables,
    word_of,
    words,
)

COMPARE = {
    "kind": "compare",
    "first": "quanti-1822@parlett",
    "second": "quanti-1822@wikipedia",
    "deals": "40",
    "seed": "3",
    "players": "random",
}
LONG = Order(
    "long",
    "compare",
    (COMPARE["first"], COMPARE["second"]),
    (("deals", 400_000), ("engine", "readable"), ("workers", 1)),
)
HOUSE = "kind: profile\nid: mine\ntitle: Mine\nextends: quanti-1822\nrules:\n  stakes: {unit: 7}\n"


@pytest.fixture
def desks(monkeypatch):
    """A desk of one test and its studies, which end with it."""
    made = StudyQueue()
    monkeypatch.setattr(app, "StudyQueue", lambda: made)
    yield client(app.desk([HOST], b"secret")), made
    made.close()
    assert wait(lambda: all(one.child is None for one in made.all()))


def wait(true, seconds=30.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return False


REFRESH = re.compile(r'<noscript><meta http-equiv="refresh" content="2"></noscript>')


def over(browser, address):
    """The page of a study once it is over; until then it asks to be asked again."""
    assert wait(lambda: not REFRESH.search(browser.get(address).text), 120)
    return browser.get(address).text


def folders():
    return set(Path(tempfile.gettempdir()).glob("quadrille-study-*"))


def processes(word):
    """The processes whose command line holds a word."""
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (one / "cmdline").read_bytes():
                found.append(int(one.name))
        except OSError:
            continue
    return found


@pytest.mark.slow
def test_a_comparison_says_what_the_command_says(desks, tmp_path):
    """Answer first, the same manifest and the same table; the address of each picture is its
    digest."""
    browser, _ = desks
    before = folders()
    sent = post(browser, "/studies", "/studies/ask", COMPARE)
    assert sent.status_code == 303
    address = sent.headers["location"]
    assert (
        post(browser, "/studies", "/studies/ask", COMPARE).headers["location"] == address
    )  # asked twice, played once
    page = over(browser, address)
    assert_tells_nothing(page)
    options = {
        "deals": 40,
        "seed": 3,
        "players": "random",
        "workers": 1,
        "manifest": str(tmp_path / "m.json"),
    }
    found = run("compare", COMPARE["first"], COMPARE["second"], **options)
    assert browser.get(address + "/manifest.json").text == (tmp_path / "m.json").read_text("utf-8")
    assert browser.get(address + "/table.csv").text == csv_text(
        found._taken.columns, found._taken.rows
    )
    answer = words(elements(page, "section")[0]).removeprefix("The answer ")
    assert " ".join(str(found).split()).startswith(answer)
    assert len(answer) > 50
    typed = (
        "quadrille compare quanti-1822@parlett quanti-1822@wikipedia --deals 40 --seed 3 "
        "--players random --workers 1"
    )
    assert typed in words(elements(page, "main")[0])
    below = [words(e) for e in elements(page, "p") if e.attrib.get("class") == "block"]
    assert len(below) > 2
    assert not re.search("quadrille [a-z]|--details", " ".join(below))
    cells = {cell for rows in tables(page) for row in rows for cell in row if cell}
    assert len(cells) > 10
    for digest in re.findall(r'src="/pictures/(\w+)\.svg"', page):
        picture = browser.get(f"/pictures/{digest}.svg")
        assert picture.headers["content-type"] == "image/svg+xml"
        assert "default-src 'none'" in picture.headers["content-security-policy"]
    assert wait(lambda: folders() <= before)
    assert browser.get(f"{address}/other").status_code == 404


@pytest.mark.slow
def test_a_house_rule_file_is_compared_and_no_folder_is_shown(desks):
    """The study reads the file that was sent; the page names it and no folder."""
    browser, _ = desks
    name = (
        post(browser, "/house", "/house", {"text": HOUSE})
        .headers["location"]
        .removeprefix("/rules/")
    )
    sent = post(browser, "/studies", "/studies/ask", {**COMPARE, "second": name, "deals": "40"})
    page = over(browser, sent.headers["location"])
    assert_tells_nothing(page)
    assert "quadrille-study-" not in page
    manifest = json.loads(browser.get(sent.headers["location"] + "/manifest.json").text)
    assert [one["path"] for one in manifest["files"]] == [f"{name}.yaml"]
    kept = f"{sent.headers['location']}/{name}.yaml"
    assert f'href="{kept}"' in browser.get(sent.headers["location"]).text
    assert browser.get(kept).text == HOUSE


def test_the_form_as_it_stands_asks_for_a_study_that_can_be_played(desks):
    """Both lists began with the same rule set, so that the form was refused as it stood."""
    browser, queue = desks
    page = browser.get("/studies").text
    chosen = re.findall(r'<option value="([^"]+)" selected>', page)
    assert len(set(chosen[:2])) == 2
    sent = post(
        browser, "/studies", "/studies/ask", {**COMPARE, "first": chosen[0], "second": chosen[1]}
    )
    assert sent.status_code == 303
    queue.cancel(sent.headers["location"].rpartition("/")[2])
    assert browser.get("/studies/matters").headers["location"] == "/studies"


@pytest.mark.parametrize(
    "wrong",
    [
        {"deals": "0"},
        {"deals": "1000001"},
        {"deals": "1e3"},
        {"seed": "-1"},
        {"seed": "9" * 30},
        {"players": "nobody"},
        {"players": "steady,../x"},
        {"first": "/etc/passwd"},
        {"first": "--help"},
        {"first": "quanti-1822+os"},
        {"second": "quanti-1822@parlett"},
        {"second": "captive-queens"},
        {"second": "quintille"},
        {"kind": "rank", "rules": "quanti-1822", "point": "ante"},
        {"kind": "matters", "rules": "quanti-1822", "point": "--all"},
        {"kind": "matters", "rules": "variants/quanti-1822.yaml", "point": "ante"},
    ],
    ids=str,
)
def test_an_order_is_refused_before_anything_is_started(desks, wrong):
    browser, made = desks
    answer = post(browser, "/studies", "/studies/ask", {**COMPARE, **wrong})
    assert answer.status_code in (400, 404), answer.text
    assert_tells_nothing(answer.text)
    assert made.all() == []


def test_ordering_and_cancelling_need_the_word_of_the_form(desks):
    browser, made = desks
    word_of(browser.get("/studies").text)
    for address in ("/studies/ask", "/studies/none/cancel"):
        assert (
            browser.post(address, data=COMPARE, headers={"origin": f"http://{HOST}"}).status_code
            == 403
        )
        assert browser.post(address, data=COMPARE).status_code == 403
    assert made.all() == []


def test_one_plays_a_few_wait_and_the_rest_is_refused(desks):
    """A study waits for the one before it; cancelled, it leaves neither process nor file, and the
    next begins."""
    browser, made = desks
    before = folders()
    first = made.ask(LONG)
    others = [
        made.ask(Order(str(n), LONG.command, LONG.arguments, (*LONG.options, ("seed", n + 1))))
        for n in range(3)
    ]
    assert wait(lambda: made.get(first).state == module.PLAYING)
    more = Order("more", LONG.command, LONG.arguments, (*LONG.options, ("seed", 77)))
    made.ask(more)
    answer = post(browser, "/studies", "/studies/ask", COMPARE)
    assert (answer.status_code, "waiting already" in answer.text) == (503, True)
    links = [
        one.attrib["href"]
        for main in elements(answer.text, "main")
        for one in main.iter(NAMESPACE + "a")
    ]
    assert "/studies" in links  # there one can be cancelled
    assert "2 studies come before it" in words(
        elements(browser.get(f"/studies/{others[1]}").text, "main")[0]
    )
    follows, still = (browser.get(f"/studies/{first}{how}") for how in ("", "?still=yes"))
    assert (bool(REFRESH.search(follows.text)), "data-follow" in follows.text) == (True, True)
    assert (bool(REFRESH.search(still.text)), "data-follow" in still.text) == (False, False)
    assert (
        "refresh" not in follows.headers
    )  # it would load the page again under a script that follows
    assert wait(lambda: folders() - before)
    for one in others:
        made.cancel(one)
    page = browser.get(f"/studies/{first}").text
    address = re.search(r'action="(/studies/\w+/cancel)"', page)[1]
    done = browser.post(
        address, data={"form_word": word_of(page)}, headers={"origin": f"http://{HOST}"}
    )
    assert done.status_code == 303
    assert wait(lambda: [s.order for s in made.all() if s.state == module.PLAYING] == [more])
    made.close()
    assert wait(lambda: folders() <= before)
    assert "cancelled" in browser.get(f"/studies/{first}").text


@pytest.mark.slow
def test_a_study_whose_time_is_up_reports_what_it_has():
    """It is stopped as by Ctrl-C, and the answer says so."""
    made = StudyQueue()
    study = made.get(made.ask(LONG))
    assert wait(lambda: study.done, 60)
    module._ask_to_stop(study.child)
    assert wait(lambda: study.is_over, 60)
    made.close()
    assert (study.state, study.problems) == (module.DONE, ())
    manifest = json.loads(study.result["manifest"])
    assert manifest["finished"] is False
    assert "interrupted" in study.result["said"]


def test_a_study_that_does_not_even_report_is_killed(monkeypatch):
    monkeypatch.setattr(module, "WALL_SECONDS", 0.2)
    monkeypatch.setattr(module, "GRACE_SECONDS", 0.2)
    before, made = folders(), StudyQueue()
    study = made.get(made.ask(LONG))
    assert wait(lambda: study.is_over, 20)
    assert study.state == module.FAILED
    assert wait(lambda: folders() <= before)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT], ids=["killed", "ended"])
def test_nothing_is_left_when_the_server_ends(end, tmp_path):
    """Neither study nor folder outlives a server, even one that is killed."""
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("processes are counted by /proc")
    seed = 7_000_000 + os.getpid() + int(end)
    work = f"""
import time
from quadrille_plugins.serve.study_queue import StudyQueue, Order
queue = StudyQueue()
queue.ask(Order("long", {LONG.command!r}, {LONG.arguments!r}, (*{LONG.options!r}, ("seed", {seed}))))
print("on", flush=True)
while True:
    time.sleep(0.1)
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", work]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    try:
        server.stdout.readline()
        assert wait(lambda: processes(f'"seed": {seed}') and list(tmp_path.iterdir()))
        server.send_signal(end)
        server.wait()
        assert wait(lambda: not processes(f'"seed": {seed}') and not list(tmp_path.iterdir()), 10)
    finally:
        server.kill()
        server.communicate()


def test_what_is_not_installed_is_said(desks, monkeypatch):
    """Without Numba the readable engine plays, without Altair there are no pictures; both are said
    before."""
    browser, _ = desks
    assert "not installed" not in browser.get("/studies").text
    monkeypatch.setattr(study_pages, "find_spec", lambda name: None)
    page = browser.get("/studies").text
    assert "extra <code>fast</code>" in page
    assert "extra <code>report</code>" in page
    assert page.count("from the checkout or wheel that Quadrille was installed from") == 2
    assert_tells_nothing(page)
