"""The server as a process: what it prints, whom it answers, and that a kill loses and doubles
nothing."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx2 as httpx
import pytest
from quadrille_plugins.ledger.notes import sent_by
from quadrille_plugins.ledger.service import Ledger
from quadrille_plugins.serve import rules_pages
from quadrille_plugins.serve import serving as serving_module
from quadrille_plugins.serve.app import desk
from quadrille_plugins.serve.table_access import link_of
from support.pages import NAMESPACE, tree, word_of

COMMAND = [sys.executable, "-m", "quadrille_core", "serve"]


def serving(*args: str) -> tuple[subprocess.Popen, str, str]:
    """A server, the address it prints, and all it prints before it answers."""
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [*COMMAND, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    )
    said = ""
    for line in process.stdout:
        said += line
        if "Ctrl-C" in line:
            break
    found = re.search(r"http://\S+", said)
    assert found, said + process.stderr.read()
    return process, found[0], said


@pytest.fixture
def ended():
    """Processes that are ended with the test."""
    processes: list[subprocess.Popen] = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def test_the_desk_answers_on_this_machine_and_ends_quietly(ended):
    """It prints where it is, listens on the loopback address alone, and Ctrl-C ends it without a
    word of Python."""
    process, address, said = serving()
    ended.append(process)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address)
    assert "for this machine alone" in said
    answer = httpx.get(address)
    assert answer.status_code == 200
    assert "server" not in answer.headers
    port = int(address.rsplit(":", 1)[1].strip("/"))
    assert httpx.get(address, headers={"host": "evil.example"}).status_code == 421
    with pytest.raises(OSError):  # noqa: PT011 - whichever way the system refuses
        socket.create_connection((others_address(), port), timeout=2).close()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert "Traceback" not in out + err
    assert process.returncode == 130


def others_address() -> str:
    """An address of this machine that is not the loopback's; 127.0.0.2 where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))  # sends nothing
            found = s.getsockname()[0]
        except OSError:
            found = "127.0.0.2"
    return found


def test_who_only_holds_connections_open_shuts_nobody_out(monkeypatch, file):
    """Connections that ask for nothing, or never to an end, are closed; a page is answered then."""
    monkeypatch.setattr(serving_module, "FIRST_LINES_SECONDS", 1.5)
    monkeypatch.setattr(serving_module, "MOST_AT_ONCE", 8)
    with running() as port:
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(8)]
        for one in held[::2]:
            one.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert httpx.get(f"http://127.0.0.1:{port}/").status_code == 503
        until = time.monotonic() + 30
        while httpx.get(f"http://127.0.0.1:{port}/", timeout=20).status_code != 200:
            for one in held[1::2]:  # a byte now and then does not help
                with contextlib.suppress(OSError):
                    one.sendall(b"G")
            assert time.monotonic() < until
            time.sleep(0.1)
    for one in held:
        one.close()


@contextlib.contextmanager
def running():
    """The port of a desk that answers in a thread of this process."""
    bound = serving_module.listen("127.0.0.1", 0)
    port = bound.getsockname()[1]
    server = serving_module.server_of(desk([f"127.0.0.1:{port}"], b"secret"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        yield port
    finally:
        server.should_exit = True
        thread.join(20)


def test_what_nobody_waits_for_any_more_is_not_made(monkeypatch):
    """Of 12 clients who push 20 requests each and hang up, only the pages in hand are made, as many
    as there are threads; a client who stays gets the first answer, which ends the connection."""
    monkeypatch.setattr(serving_module, "MOST_THREADS", 2)
    made, may_end = [], threading.Event()

    def slow(*args, **options):
        made.append(1)
        assert may_end.wait(20)
        return []

    monkeypatch.setattr(rules_pages, "show_blocks", slow)
    with running() as port:
        pushed = f"GET /rules/quanti-1822/sources HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(12)]
        for one in held:
            one.sendall(pushed.encode() * 20)
        until = time.monotonic() + 20
        while len(made) < 2:
            assert time.monotonic() < until
            time.sleep(0.01)
        for one in held:
            one.close()
        time.sleep(0.3)
        may_end.set()
        assert httpx.get(f"http://127.0.0.1:{port}/", timeout=20).status_code == 200
        assert len(made) == 2
        with socket.create_connection(("127.0.0.1", port), timeout=20) as stays:
            stays.sendall(pushed.encode() * 20)
            got = b"".join(iter(lambda: stays.recv(65536), b""))
        assert got.count(b"HTTP/1.1 200 OK") == 1
        assert got.endswith(b"</html>")


def test_a_port_that_is_taken_is_said(ended):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = subprocess.run(
            [*COMMAND, "--port", str(taken.getsockname()[1])],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "Q806 127.0.0.1:" in done.stderr
    assert "choose another with --port" in done.stderr


def test_beyond_this_machine_there_is_one_ledger_for_who_has_the_link(ended, file):
    """By an address that other machines can reach: with the token the ledger, without it 403,
    nothing else."""
    host = others_address()
    process, address, said = serving("--table", str(file), "--host", host)
    ended.append(process)
    server = address.split("/open/")[0]
    assert server.startswith(f"http://{host}:")
    if not host.startswith("127."):
        assert "not encrypted" in said
    for page in (
        "/",
        "/next",
        "/deal/1",
        "/link",
        "/end",
        "/rules/quanti-1822",
        "/settle",
        "/open/" + "0" * 32,
    ):
        assert httpx.get(server + page).status_code == 403, page
    assert httpx.get(address, headers={"host": "127.0.0.2"}).status_code == 421
    with httpx.Client() as phone:
        assert phone.get(address).status_code == 200
        assert "Anne" in phone.get(server + "/").text
        assert phone.get(server + "/rules/quanti-1822").status_code == 404
    token = link_of(file).token
    assert token in address
    assert token not in str(process.args)


def test_the_desk_opens_a_table_that_others_reach_and_closes_it_when_it_ends(ended, tmp_path):
    """The form of the desk, answered by an address of the network, until the desk is gone; the
    link is kept beside the ledger, for its next evening."""
    process, address, _ = serving("--tables", str(tmp_path / "evenings"))
    ended.append(process)
    with httpx.Client(base_url=address, follow_redirects=True) as host:
        word = word_of(host.get("/tables").text)
        origin = {"origin": address.rstrip("/")}
        fields = {"form_word": word, "new": "Thursday"}
        text = host.post("/tables/open", data=fields, headers=origin).text
    (link,) = [
        e.attrib["href"] for e in tree(text).iter(NAMESPACE + "a") if "/open/" in e.attrib["href"]
    ]
    with httpx.Client(follow_redirects=True) as phone:
        assert phone.get(link).status_code == 200
        assert "Name the players" in phone.get(link.split("/open/")[0] + "/").text
    assert link.endswith(f"/open/{link_of(tmp_path / 'evenings' / 'Thursday.ledger').token}")
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) == 130
    with pytest.raises(httpx.TransportError):
        httpx.get(link)


def test_a_server_that_is_started_again_has_the_same_link(ended, file):
    """Phones that knew it go on; with --new-link they do not."""
    first, address, _ = serving("--table", str(file))
    first.kill()
    first.communicate()
    again, same, _ = serving("--table", str(file))
    assert same == address
    again.kill()
    again.communicate()
    process, other, _ = serving("--table", str(file), "--new-link")
    ended.append(process)
    assert other.split("/open/")[1] != address.split("/open/")[1]


# --- kills ----------------------------------------------------------------------------------------


class Server:
    """A server that is killed and started again on its port."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.process, self.address, _ = serving("--table", str(file))
        self.base = self.address.split("/open/")[0]
        self.kills = 0

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()
        self.kills += 1
        self.process, _, _ = serving("--table", str(self.file))


def asked(browser: httpx.Client, method: str, address: str, **more) -> httpx.Response:
    """Ask until there is an answer that is one: as a browser whose user taps again."""
    for _ in range(2000):
        try:
            answer = browser.request(method, address, **more)
        except httpx.TransportError:
            time.sleep(0.05)
            continue
        if answer.status_code != 503:
            return answer
    raise AssertionError("no answer")


def evening(server: Server, deals: int, name: str, acknowledged: list[tuple[str, str]]) -> None:
    """One browser records deals, each post sent twice; a conflict is answered by filling in the
    next deal."""
    with httpx.Client(timeout=10) as browser:
        asked(browser, "GET", server.address)
        done = 0
        while done < deals:
            query = {
                "contract": "solo",
                "trump": "hearts",
                "hombre": str(4 + done % 4),
                "side": "6",
            }
            text = asked(browser, "GET", server.base + "/next", params=query).text
            form = next(
                f for f in tree(text).iter(NAMESPACE + "form") if f.attrib["action"] == "/record"
            )
            fields = {e.attrib["name"]: e.attrib["value"] for e in form.iter(NAMESPACE + "input")}
            more = {"data": fields, "headers": {"origin": server.base}}
            first = asked(browser, "POST", server.base + "/record", **more)
            again = asked(browser, "POST", server.base + "/record", **more)
            if first.status_code == 409:
                assert again.status_code == 409, name
                continue
            assert (first.status_code, again.status_code) == (303, 303), (first.text, again.text)
            assert first.headers["location"] == again.headers["location"]
            acknowledged.append((fields["form_key"], first.headers["location"]))
            done += 1


def killed_evening(file: Path, deals: int, kills: int) -> int:
    """Two browsers at one table, the server killed again and again; returns how often it was
    killed."""
    server = Server(file)
    acknowledged: list[tuple[str, str]] = []
    faults: list[BaseException] = []

    def play(name: str) -> None:
        try:
            evening(server, deals // 2, name, acknowledged)
        except BaseException as e:
            faults.append(e)

    browsers = [threading.Thread(target=play, args=(name,)) for name in ("one", "two")]
    for browser in browsers:
        browser.start()
    try:
        while any(b.is_alive() for b in browsers):
            time.sleep(0.03 * (1 + server.kills % 5))  # a life is long enough for a request or few
            if server.kills < min(kills, 5 + len(acknowledged) * kills // (deals - 8)):
                server.kill()
        assert faults == []
    finally:
        server.process.kill()
        server.process.communicate()
    with Ledger(file) as ledger:
        journal = ledger.verify()
    assert journal.count == deals
    assert len(acknowledged) == deals
    for key, location in acknowledged:
        act = sent_by(journal, key)
        assert act is not None, "lost"
        assert sum(key in one.note for one in journal.transactions) == 1, "twice"
        assert (
            location == f"/deal/{next(r.number for r in journal.rows if r.act == act.id)}?done=yes"
        )
    return server.kills


@pytest.mark.slow
def test_an_evening_of_two_browsers_survives_kills(file):
    """Forty deals, every post sent twice, the server killed while it works: none is lost, none is
    recorded twice."""
    assert killed_evening(file, 40, 50) == 50


@pytest.mark.slow
def test_the_benchmark_of_the_pages_finds_its_way_through_them():
    """It reads moves and forms out of the pages; a page that changed left it without a move, and
    nobody saw."""
    script = Path(__file__).parents[1] / "benchmarks" / "serve_load.py"
    command = [
        sys.executable,
        str(script),
        "--players",
        "5",
        "--seconds",
        "3",
        "--every",
        "1",
        "--starts",
        "1",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    for move in (
        "a card played",
        "a settlement",
        "the standing",
        "a deal looked at",
        "a deal recorded",
    ):
        assert re.search(rf"^{move} +median ", done.stdout, re.MULTILINE), done.stdout
