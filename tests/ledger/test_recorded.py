"""What a ledger has taken is said even where it could not be printed: who sees an error might
record it again."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")

START = [
    "start",
    "--rules",
    "quanti-1822",
    *(word for name in "ABCD" for word in ("--player", name)),
]
COMMITTING = [
    (START, "the session has started"),
    (["deal", "--void", "misdeal"], "deal 1 is recorded"),
    (["correct", "1", "--void", "a card faced"], "the correction of deal 1 is recorded"),
    (["reverse", "1"], "deal 1 is taken back"),
    (["substitute", "A", "E"], "E sits for A from deal"),
    (["enter", "B", "pool", "1", "a gift"], "entry 2 is recorded"),
    (["move", "1", "2"], "Deal 1 is now deal 2: that is recorded"),
    (["people", "--exchange", "B", "C"], "B and C have exchanged chairs from deal 3 on"),
    (["rules", "--set", "stakes.dealer_adds=2"], "the change of rules is recorded"),
    (["end"], "the session has ended"),
    (["reopen"], "the session goes on"),
    (["end", "--split-pool"], "the session has ended"),
]


def call(words, ledger, **how):
    line = [sys.executable, "-m", "quadrille_core", "session", words[0], str(ledger), *words[1:]]
    return subprocess.run(line, stderr=subprocess.PIPE, text=True, timeout=60, check=False, **how)


def without_reader(words, ledger):
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return call(words, ledger, stdout=writer)
    finally:
        os.close(writer)


def closed(words, ledger):
    return call(words, ledger, preexec_fn=lambda: os.close(1))


def full(words, ledger):
    """A file that takes no byte more."""
    import resource

    with open(ledger.with_name("out"), "wb") as out:
        out.write(b"x" * 2**20)
        out.flush()
        limit = (2**20, 2**20)
        return call(
            words,
            ledger,
            stdout=out,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
        )


@pytest.mark.parametrize("output", [without_reader, closed, full])
def test_what_is_recorded_and_not_printed_is_said_with_a_status_of_its_own(tmp_path, output):
    """3, as for a side file that failed; 2 says that a command was refused."""
    ledger = tmp_path / "t.ledger"
    for words, said in COMMITTING:
        done = output(words, ledger)
        told = " ".join(
            done.stderr.split()
        )  # wherever its lines break, which the length of the path decides
        assert (done.returncode, said in told) == (3, True), (words, done.returncode, done.stderr)
        assert "could not be printed" in told
        assert "Traceback" not in done.stderr
        assert "Exception ignored" not in done.stderr
    after = call(["show"], ledger, stdout=subprocess.PIPE)
    assert after.returncode == 0
    assert "ended" in after.stdout


def test_what_is_refused_is_no_record(tmp_path):
    """Where nothing was recorded the status stays what it was, and nothing else is said."""
    ledger = tmp_path / "t.ledger"
    assert call(START, ledger, stdout=subprocess.DEVNULL).returncode == 0
    done = without_reader(["deal", "--void", " "], ledger)
    assert done.returncode == 2
    assert "recorded" not in done.stderr
    assert without_reader(["show"], ledger).stderr == ""


def test_an_interruption_after_the_commit_says_what_is_recorded(tmp_path, monkeypatch, capsys):
    """Ctrl-C while it is printed takes nothing back."""
    from quadrille_plugins.ledger import answering_report as answering
    from quadrille_plugins.shell.main import run

    ledger = tmp_path / "t.ledger"
    assert run(["session", START[0], str(ledger), *START[1:]]) == 0

    def interrupted(*args, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr(answering, "Answer", interrupted)
    assert run(["session", "deal", str(ledger), "--void", "misdeal"]) == 3
    err = capsys.readouterr().err
    assert "interrupted" in err
    assert "deal 1 is recorded, and could not be printed: it was interrupted" in err
