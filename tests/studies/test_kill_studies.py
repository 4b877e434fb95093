"""A study killed at random and resumed ends in the same bytes: the short version of
``tools/kill_studies.py``."""

import sys

import kill_studies
import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc who the workers are")
@pytest.mark.parametrize(
    ("executor", "engine", "deals"),
    [
        pytest.param("processes", "readable", 800, marks=pytest.mark.slow),
        pytest.param("threads", "fast", 40_000, marks=pytest.mark.slow),
        pytest.param("dask", "fast", 40_000, marks=pytest.mark.slow),
    ],
)
def test_a_study_that_is_killed_and_resumed_ends_in_the_same_bytes(
    executor, engine, deals, monkeypatch, capsys
):
    """Killed twice, it or its workers."""
    if engine == "fast":
        pytest.importorskip("numba")
    if executor == "dask":
        pytest.importorskip("distributed")
    line = [
        "kill_studies",
        "--kills",
        "2",
        "--deals",
        str(deals),
        "--engine",
        engine,
        "--executor",
        executor,
    ]
    monkeypatch.setattr(sys, "argv", line)
    assert kill_studies.main() == 0
    assert f"{executor}: killed" in capsys.readouterr().out
