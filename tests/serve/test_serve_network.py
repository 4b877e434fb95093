"""The ledger of a table over a network of its own: two machines on one line, as namespaces of the system have them."""

import contextlib
import json
import re
import shutil
import subprocess
import sys
import time

import pytest

HOST, PHONE, PORT = "192.0.2.20", "192.0.2.30", 8123
PAGES = ("/", "/next", "/deal/1", "/players", "/link", "/end", "/begin", "/open/" + "0" * 32)
ELSEWHERE = ("/rules/quanti-1822", "/settle/quanti-1822", "/house", "/sources", "/../evening.ledger", "/%2e%2e/link")

ASKED = """
import contextlib, json, socket, sys
import httpx2 as httpx
address, desk, pages, elsewhere = json.loads(sys.argv[1])
base = address.split("/open/")[0]
host, port = base.removeprefix("http://").split(":")
found = {"without": [httpx.get(base + page).status_code for page in pages + elsewhere]}
found["posted"] = httpx.post(base + "/record", data={"deal": "1"}, headers={"origin": base}).status_code
found["other name"] = httpx.get(base + "/", headers={"host": "evil.example"}).status_code
with httpx.Client() as phone:
    found["opened"] = phone.get(address).status_code
    found["ledger"] = "Anne" in phone.get(base + "/").text
    found["elsewhere"] = [phone.get(base + page).status_code for page in elsewhere]
    found["warned"] = "not encrypted" in phone.get(base + "/link").text
found["open ports"] = []
for other in (int(port), int(desk), 22, 80, 443, 8000, 8080):
    with contextlib.suppress(OSError), socket.create_connection((host, other), timeout=1):
        found["open ports"].append(other)
print(json.dumps(found))
"""


def inside(holder: subprocess.Popen, *command: str) -> list[str]:
    """A command as the machine runs it whose namespace that process holds."""
    return ["nsenter", "-t", str(holder.pid), "-n", *command]


@pytest.fixture
def line():
    """Two machines on one line: the processes that hold their namespaces."""
    if not all(map(shutil.which, ("unshare", "nsenter", "ip"))):
        pytest.skip("there are no network namespaces here: unshare, nsenter or ip is missing")
    with contextlib.ExitStack() as stack:
        holders = []
        for _ in range(2):
            holder = subprocess.Popen(["unshare", "-n", "cat"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            stack.callback(holder.communicate)
            stack.callback(holder.kill)
            holders.append(holder)
        time.sleep(0.3)
        if any(holder.poll() is not None for holder in holders):
            pytest.skip("network namespaces are not permitted here")
        server, phone = holders
        for holder, *words in (
            (server, "link", "add", "q0", "type", "veth", "peer", "name", "q0", "netns", str(phone.pid)),
            (server, "address", "add", f"{HOST}/24", "dev", "q0"),
            (phone, "address", "add", f"{PHONE}/24", "dev", "q0"),
            *((one, "link", "set", device, "up") for one in holders for device in ("lo", "q0")),
        ):
            done = subprocess.run(inside(holder, "ip", *words), capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"a network of its own is not permitted here: {done.stderr.strip()[:80]}")
        yield server, phone


@pytest.mark.slow
def test_over_a_line_between_two_machines_the_link_opens_the_ledger_and_nothing_else(line, file):
    """With the token the ledger; without it 403; the pages of the other server on that machine not at all."""
    server, phone = line
    with contextlib.ExitStack() as stack:
        addresses = []
        for args in (("--table", str(file), "--host", HOST, "--port", str(PORT)), ()):
            command = inside(server, sys.executable, "-u", "-m", "quadrille_core", "serve", *args)
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            stack.callback(process.communicate)
            stack.callback(process.kill)
            addresses.append(next(m[0] for said in process.stdout if (m := re.search(r"http://\S+", said))))
        table, desk = addresses
        assert table.startswith(f"http://{HOST}:{PORT}/open/")
        given = json.dumps([table, desk.rstrip("/").rsplit(":", 1)[1], PAGES, ELSEWHERE])
        done = subprocess.run(
            inside(phone, sys.executable, "-c", ASKED, given), capture_output=True, text=True, check=True
        )
        listening = subprocess.run(
            inside(server, "cat", "/proc/net/tcp", "/proc/net/tcp6"), capture_output=True, text=True, check=True
        )
    found = json.loads(done.stdout)
    assert set(found["without"]) == {403}
    assert (found["posted"], found["other name"]) == (403, 421)
    assert (found["opened"], found["ledger"], found["warned"]) == (200, True, True)
    assert set(found["elsewhere"]) <= {404, 405}
    assert found["open ports"] == [PORT]
    ends = [row.split()[1] for row in listening.stdout.splitlines() if " 0A " in row]
    reachable = [end for end in ends if not end.startswith("0100007F:")]
    assert [int(end.split(":")[1], 16) for end in reachable] == [PORT]
