"""How long the pages of `quadrille serve` take with 200 players at once, and how long it takes to
start.

    python tests/benchmarks/serve_load.py [--players 200] [--seconds 30] [--every 5] [--starts 5]

The generator runs on the same machine.  Each player does one of ``MOVES`` every few seconds, each
over a connection of its own as after a pause; all stand equally often, at moments drawn by a seed.
Times are those of the clock, from opening the connection to the last byte.  On a machine that
others use as well, look at the server's seconds of the processor.
"""

import argparse
import asyncio
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from statistics import median
from urllib.parse import urlencode, urlsplit

from quadrille_plugins.ledger.service import start

from quadrille_core.ruleset import compile_reference

RULES = "quanti-1822@parlett"
SOLO = {"contract": "solo", "trump": "hearts", "ally": "none", "matadors": "3"}
DEALS = 8
"""Different deals that are played, each by several players."""
SETTLED = urlencode({**SOLO, "hombre": "0", "tricks0": "6", "tricks1": "4", "pool": "12"})


@dataclass(slots=True)
class Player:
    """One visitor: a number, and the cookie of the table."""

    number: int
    cookie: str
    deals: list[list[str]]
    form: dict[str, str] = field(default_factory=dict)
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """What a player asks for: of which server, which page; with ``form``, sent rather than read."""

    name: str
    server: str
    page: Callable[[Player], str]
    form: Callable[[Player], dict[str, str]] | None = None
    fine: tuple[int, ...] = (200,)


def _look(player: Player) -> str:
    return "/next?" + urlencode(
        {**SOLO, "hombre": str(4 + player.number % 4), "side": str(4 + player.number % 4)}
    )


def _card(player: Player) -> str:
    """The next thing done in the player's deal, which begins anew when it is over."""
    steps = player.deals[player.number % len(player.deals)]
    player.turn += 1
    return steps[player.turn % len(steps)]


MOVES = (
    # what is done leads on to the page of the deal as it then stands; the bots have played, too
    Move("a card played", "desk", _card),
    Move("a settlement", "desk", lambda player: f"/settle/quanti-1822?{SETTLED}"),
    Move("the standing", "table", lambda _: "/"),
    Move("a deal looked at", "table", _look),
    # recorded as it was looked at; 409 where another player's deal came in between
    Move(
        "a deal recorded", "table", lambda _: "/record", lambda player: player.form, fine=(303, 409)
    ),
)


@dataclass(frozen=True, slots=True)
class Took:
    """One request: what it was, seconds, whether the answer was what it should be, its status."""

    name: str
    seconds: float
    fine: bool
    status: int


async def ask(
    base: str, page: str, cookie: str, form: dict[str, str] | None = None
) -> tuple[int, str]:
    """Ask for a page, or send a form, over a new connection; returns status and text."""
    at = urlsplit(base)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    try:
        body = urlencode(form).encode() if form is not None else b""
        head = (
            f"{'GET' if form is None else 'POST'} {page} HTTP/1.1\r\nHost: "
            f"{at.netloc}\r\nCookie: {cookie}\r\n"
        )
        if form is not None:
            kind = "application/x-www-form-urlencoded"
            head += f"Origin: {base}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
        answer = await reader.read()
    finally:
        writer.close()
    return int(answer.split(b" ", 2)[1]), answer.decode("utf-8", "replace")


async def ask_on(
    base: str, page: str, cookie: str, form: dict[str, str] | None = None
) -> tuple[int, str]:
    """As ``ask``; a page that leads on to another is followed there."""
    status, text = await ask(base, page, cookie, form)
    while form is None and status == 303:
        to = re.search(r"(?im)^location: (\S+)", text)
        assert to, text
        status, text = await ask(base, to[1], cookie)
    return status, text


async def steps_of(base: str, seed: int) -> list[str]:
    """The addresses of all that is done in one deal, the first thing that may be done each time."""
    steps: list[str] = []
    page = f"/play/{RULES}?seed={seed}&seat=1"
    while True:
        text = (await ask_on(base, page, ""))[1]
        links = re.findall(r'<a class="([^"]*)"[^>]*? href="([^"]+&amp;do=[^"]+)"', text)
        may = [unescape(to) for kind, to in links if "refused" not in kind]
        if not may:
            return steps
        page = may[0]
        steps.append(page)


def hidden_of(text: str) -> dict[str, str]:
    """The hidden fields of the form that records."""
    part = text.partition('action="/record"')[2].partition("</form>")[0]
    return dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', part))


async def play(
    player: Player, bases: dict[str, str], every: float, until: float, seed: int
) -> list[Took]:
    """One player: a move every few seconds until the end."""
    rng, took = random.Random(f"{seed} {player.number}"), []
    await asyncio.sleep(rng.random() * every)
    turn = player.number
    while time.monotonic() < until:
        move = MOVES[turn % len(MOVES)]
        turn += 1
        if move.form is not None:
            player.form = hidden_of(
                (await ask(bases[move.server], _look(player), player.cookie))[1]
            )
        began = time.monotonic()
        form = None if move.form is None else move.form(player)
        status, _ = await ask_on(bases[move.server], move.page(player), player.cookie, form)
        spent = time.monotonic() - began
        took.append(Took(move.name, spent, status in move.fine, status))
        await asyncio.sleep(max(0.0, every - spent))
    return took


async def load(
    players: int, seconds: float, every: float, bases: dict[str, str], link: str, seed: int
) -> list[Took]:
    """All players at once; returns every request."""
    text = (await ask(bases["table"], urlsplit(link).path, ""))[1]
    cookie = re.search(r"(?i)set-cookie: ([^;]+)", text)
    assert cookie, text
    deals = [await steps_of(bases["desk"], n + 1) for n in range(DEALS)]
    assert all(len(steps) > 5 for steps in deals), deals
    until = time.monotonic() + seconds
    those = (play(Player(n, cookie[1], deals), bases, every, until, seed) for n in range(players))
    return [one for several in await asyncio.gather(*those) for one in several]


# --- servers --------------------------------------------------------------------------------------


@contextmanager
def serving(*args: str) -> Iterator[tuple[subprocess.Popen[str], str, float]]:
    """A server: its process, the address that it prints, and the seconds until it listens."""
    began = time.monotonic()
    command = [sys.executable, "-m", "quadrille_core", "serve", *args]
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    assert process.stdout is not None
    try:
        address = next(
            found[0] for line in process.stdout if (found := re.search(r"http://\S+", line))
        )
        yield process, address, time.monotonic() - began
    finally:
        process.kill()
        process.communicate()


def memory_of(process: subprocess.Popen[str]) -> str:
    """The most memory that a process has had, where the system says it."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text("utf-8")
    except OSError:
        return "not known here"
    kilobytes = re.search(r"VmHWM:\s+(\d+)", status)
    return f"{int(kilobytes[1]) / 1024:.0f} MB" if kilobytes else "not known here"


def processor_of(process: subprocess.Popen[str]) -> float:
    """Seconds of the processor that a process has used; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cold_starts(many: int) -> list[tuple[float, float]]:
    """For each start the seconds until the server listens, and those of the first page after
    that."""
    found = []
    for _ in range(many):
        with serving() as (_, address, listens):
            began = time.monotonic()
            status, _ = asyncio.run(ask(address.rstrip("/"), "/", ""))
            found.append((listens, time.monotonic() - began))
            assert status == 200
    return found


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def share(values: list[float], part: float) -> float:
    """The value that this part of all does not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def main() -> int:
    """Measure, and print; the status is 1 where an answer was not what it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--every", type=float, default=5)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()

    starts = cold_starts(given.starts)
    for what, times in (
        ("listens", [a for a, _ in starts]),
        ("first page", [b for _, b in starts]),
    ):
        say(
            f"{what:<18} median {median(times):.3f} s, longest {max(times):.3f} s, of "
            f"{len(times)} starts"
        )

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "load.ledger"
        names = ("Anne", "Beatrice", "Charlotte", "Dorothea")
        start(file, compile_reference(RULES), RULES, names, dealer=None, coins="plain")
        with serving() as (desk, address, _), serving("--table", str(file)) as (table, link, _):
            bases = {"desk": address.rstrip("/"), "table": link.partition("/open/")[0]}
            processes = {"desk": desk, "table": table}
            before = {name: processor_of(process) for name, process in processes.items()}
            took = asyncio.run(
                load(given.players, given.seconds, given.every, bases, link, given.seed)
            )
            say(
                f"\n{given.players} players, one move every {given.every:g} s, for "
                f"{given.seconds:g} s"
            )
            for name in dict.fromkeys(move.name for move in MOVES):
                mine = [one.seconds * 1000 for one in took if one.name == name]
                if mine:
                    figures = (
                        f"median {median(mine):6.1f}  p95 {share(mine, 0.95):6.1f}  "
                        f"longest {max(mine):6.1f} ms"
                    )
                    say(f"{name:<18} {figures}, of {len(mine)}")
            say(
                f"{'all':<18} p95 {share([one.seconds * 1000 for one in took], 0.95):.1f} ms, of "
                f"{len(took)}"
            )
            for name, process in processes.items():
                spent = processor_of(process) - before[name]
                say(f"{name:<18} {memory_of(process)} at most, {spent:.1f} s of the processor")
    wrong = [f"{one.name} ({one.status})" for one in took if not one.fine]
    if wrong:
        say(f"{len(wrong)} answers were not what they should be: {', '.join(sorted(set(wrong)))}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
