"""A few mutated inputs of every format, by seed; ``tools/fuzz.py`` runs ten thousand."""

import fuzz
import pytest


@pytest.mark.slow
@pytest.mark.parametrize("name", fuzz.FORMATS)
def test_mutated_inputs_are_answered(name):
    """No traceback, nothing slow or large, nothing that a terminal obeys; `replay` names its file
    in every message."""
    found = fuzz.runs(name, 25, seed=3)
    assert [one["number"] for one in found] == list(range(25))
    assert [(one["number"], one["faults"]) for one in found if one["faults"]] == []


def test_the_fuzz_finds_what_it_is_for(tmp_path, monkeypatch):
    """A traceback, a control character and a message without its file are faults; a plain answer is
    none."""
    assert (
        fuzz.faults_of("record", 1, f"{tmp_path}/input.json:1:2: Q203 wrong\n", str(tmp_path)) == []
    )
    assert fuzz.faults_of("record", 1, "Q203 wrong\n", str(tmp_path))
    assert fuzz.faults_of("result", 70, "Q999 internal error\n", str(tmp_path))
    assert fuzz.faults_of("result", 1, "a\x1b[2J\n", str(tmp_path))


def test_an_input_that_kills_or_stops_its_process_is_a_fault(monkeypatch, tmp_path):
    """The next inputs are run all the same."""
    script = tmp_path / "worker.py"
    script.write_text(
        "import json, os, sys\n"
        "first, many = int(sys.argv[3]), int(sys.argv[4])\n"
        "for n in range(first, first + many):\n"
        "    print(n, flush=True)\n"
        "    if n == 1:\n"
        "        os.abort()\n"
        "    print(json.dumps({'number': n, 'faults': []}), flush=True)\n"
    )
    monkeypatch.setattr(fuzz, "__file__", str(script))
    found = fuzz.runs("result", 3, seed=1)
    assert [(one["number"], bool(one["faults"])) for one in found] == [
        (0, False),
        (1, True),
        (2, False),
    ]
