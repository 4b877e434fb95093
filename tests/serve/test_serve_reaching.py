"""How the pages are reached: the addresses that are told, and the starter that a double click
opens."""

import configparser
import re
import shlex
import socket
import subprocess
import sys

import pytest
from quadrille_plugins.serve import reaching
from quadrille_plugins.serve.reaching import STARTERS, addresses
from quadrille_plugins.shell.main import run

WICKED = "my $eve%ning `ls` \"a\" 'b' \\c.ledger"


def test_addresses_are_those_by_which_others_reach_this_machine():
    """A socket can be bound at each, and none is this machine's alone."""
    for address in addresses():
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as bound:
            bound.bind((address, 0))
        assert not address.startswith(("127.", "169.254.", "fe80"))


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["127.0.1.1", "169.254.3.4", "fe80::1%eth0", "fe80::1", "::"], []),
        (["10.0.0.7", "fd00::2", "10.0.0.7", "192.168.1.20"], ["10.0.0.7", "192.168.1.20"]),
        (["fd00::2", "::1"], ["fd00::2"]),
    ],
)
def test_what_no_phone_reaches_is_not_told(monkeypatch, names, told):
    """Loopback and link-local addresses are left out, and those of IPv6 where there are others."""
    monkeypatch.setattr(reaching, "ANYWHERE", ())
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_: [(0, 0, 0, "", (name, 0)) for name in names]
    )
    assert addresses() == told


def test_without_a_network_the_table_for_phones_is_refused(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("quadrille_plugins.serve.serving.addresses", list)
    assert run(["serve", "--table", str(tmp_path / "a.ledger"), "--host", "auto"]) == 2
    assert capsys.readouterr().err.startswith("Q802 ")


# --- starters -------------------------------------------------------------------------------------


def said_by(text: str) -> list[str]:
    """The words of the Exec line of a desktop entry, read as its specification says."""
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str
    entry.read_string(text)
    line = entry["Desktop Entry"]["Exec"].replace("\\\\", "\\").replace("%%", "%")
    return [re.sub(r"\\(.)", r"\1", word) for word in re.findall(r'"((?:[^"\\]|\\.)*)"', line)]


def written(platform, folder, monkeypatch, *options):
    """The starter that is written on such a system."""
    monkeypatch.setattr(sys, "platform", platform)
    assert run(["serve", "--starter", str(folder / "Cards"), *options]) == 0
    return folder / f"Cards{STARTERS[platform][0]}"


def test_a_starter_of_each_system_gives_the_command_as_it_was_typed(tmp_path, monkeypatch):
    """Whatever the name of the ledger holds, it arrives as one word; the starter of macOS is run by
    a shell here, that of Linux read by its specification, that of Windows as text alone."""
    table = str(tmp_path / WICKED)
    options = ("--table", table, "--host", "auto")
    wanted = ["-m", "quadrille_core", "serve", "--open", *options]
    found = written("linux", tmp_path, monkeypatch, *options)
    assert found.stat().st_mode & 0o777 == 0o755
    assert said_by(found.read_text())[1:] == wanted

    found = written("darwin", tmp_path, monkeypatch, *options)
    text = found.read_text().replace("exec " + shlex.quote(sys.executable), "exec printf '%s\\n'")
    done = subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == wanted

    plain = ("--table", str(tmp_path / "100%.ledger"))
    found = written("win32", tmp_path, monkeypatch, *plain)
    assert f'"--table" "{plain[1].replace("%", "%%")}"' in found.read_text()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--starter", "{there}"), "Q802"),
        (("--starter", ""), "Q802"),
        (("--starter", "/"), "Q802"),
        (("--starter", "{new}", "--new-link"), "Q802"),
        (("--starter", "{folder}/none/a"), "Q803"),
        (("--starter", "{new}\n"), "Q802"),
    ],
)
def test_a_starter_that_cannot_be_is_refused(options, code, tmp_path, monkeypatch, capsys):
    """What is there already stays."""
    monkeypatch.setattr(sys, "platform", "linux")
    there = tmp_path / "there.desktop"
    there.write_text("mine")
    given = {"there": there, "new": tmp_path / "new", "folder": tmp_path}
    assert run(["serve", *(one.format(**given) for one in options)]) == 2
    assert capsys.readouterr().err.startswith(code)
    assert there.read_text() == "mine"
    assert [one.name for one in tmp_path.iterdir()] == ["there.desktop"]
