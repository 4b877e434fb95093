"""The lock holds what constraints.txt pins, by digests alone."""

import re
from importlib import metadata

import lock
import pytest
from packaging.requirements import Requirement

from quadrille_core import DISTRIBUTION


def test_the_lock_holds_every_version_that_is_pinned_with_a_digest_at_least():
    text = lock.LOCK.read_text("utf-8")
    assert lock.faults(lock.pinned(), text) == []
    assert set(lock.read_lock(text)) == set(lock.pinned())
    assert all(lock.read_lock(text).values())


def test_everything_that_development_needs_is_pinned():
    """Without ``tomlkit``, which hatchling asks for, pip refuses to install by digests."""
    pinned = {lock.name_of(pin) for pin in lock.pinned()}
    seen: set[str] = set()
    wanted = [(DISTRIBUTION, frozenset({"dev"}))]
    while wanted:
        name, extras = wanted.pop()
        for line in metadata.requires(name) or ():
            need = Requirement(line)
            if need.marker is None or any(
                need.marker.evaluate({"extra": extra}) for extra in extras | {""}
            ):
                if (need.name, frozenset(need.extras)) != (name, extras) and need.name not in seen:
                    wanted.append((need.name, frozenset(need.extras)))
                seen |= {need.name} - {DISTRIBUTION}
    assert {name for name in seen if lock.name_of(name) not in pinned} == set()
    assert "tomlkit" in seen


def test_the_lock_names_no_address():
    assert not re.search(r"://|www\.|index|find-links", lock.LOCK.read_text("utf-8"))


def test_what_is_made_for_a_machine_has_a_digest_for_more_than_one():
    """PyYAML, NumPy and Numba come as wheels for each Python and platform."""
    hashes = {
        lock.name_of(pin): found
        for pin, found in lock.read_lock(lock.LOCK.read_text("utf-8")).items()
    }
    assert min(len(hashes[name]) for name in ("pyyaml", "numpy", "numba", "llvmlite")) >= len(
        lock.PYTHONS
    )


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda s: s.replace("click==8.5.1", "click==8.5.0"), "click==8.5.1 is not locked"),
        (
            lambda s: s.replace("click==8.5.1", "click==8.5.0"),
            "click==8.5.0 is not in constraints.txt",
        ),
        (
            lambda s: re.sub(r"(pluggy==\S+)( \\\n    --hash=\S+)+", r"\1", s),
            "pluggy==1.7.0 is not locked",
        ),
        (lambda s: "--find-links file:///here\n" + s, "an address"),
        (lambda s: s + "more @ file:///here\n", "an address"),
        (lambda s: s.replace("sha256:", "md5:", 1), "something other than SHA-256"),
        (lambda s: s + "click==8.5.1\n", "stands twice"),
    ],
)
def test_a_lock_that_is_wrong_is_told(change, fault):
    before = lock.LOCK.read_text("utf-8")
    assert change(before) != before
    assert any(fault in told for told in lock.faults(lock.pinned(), change(before)))


def test_a_lock_is_read_back_as_it_is_written():
    hashes = {"one==1": {"a" * 64}, "two-x==2.0.post1": {"b" * 64, "c" * 64}}
    assert lock.read_lock(lock.lock_text(hashes)) == hashes
