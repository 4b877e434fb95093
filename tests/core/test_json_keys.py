"""What scripts read keeps its name: the keys of every command's JSON."""

import pytest
from json_keys import COMMANDS, FILE, printed
from support.data import of_yaml

KNOWN = of_yaml(FILE)


def test_every_command_on_record_is_asked():
    assert [*KNOWN] == [*COMMANDS]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("keys")


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: " ".join(line.split()[:2]))
def test_a_command_prints_the_keys_on_record(line, folder, monkeypatch):
    """One that is new is put on record by ``python tools/json_keys.py``; one that is lost breaks a
    user's script."""
    if "--engine fast" in line:
        pytest.importorskip("numba")
    monkeypatch.delenv("COLUMNS", raising=False)
    assert printed(line, folder) == KNOWN[line]
