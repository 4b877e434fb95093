"""Fixtures for tests of the ledger: a fresh one, and its commands."""

import itertools
from pathlib import Path

import pytest
import yaml
from quadrille_plugins.ledger.service import start
from quadrille_plugins.shell.main import run
from support.ledger import NAMES, QUANTI, compiled_once

from quadrille_core.ruleset import compile_reference


@pytest.fixture
def begin(tmp_path):
    count = itertools.count()

    def begin(ref=QUANTI, coins="plain", dealer=None, players=NAMES, **rules) -> Path:
        path = tmp_path / f"{next(count)}.ledger"
        settings = {k.replace("__", "."): v for k, v in rules.items()}
        compiled = compile_reference(ref, settings=settings) if settings else compiled_once(ref)
        start(path, compiled, ref, players, dealer=dealer, coins=coins)
        return path

    return begin


@pytest.fixture
def quadrille(capsys, tmp_path, monkeypatch):
    """Run `quadrille session`; a mapping among the arguments becomes a result file."""
    monkeypatch.chdir(tmp_path)

    def quadrille(*args) -> tuple[int, str, str]:
        for data in (a for a in args if isinstance(a, dict)):
            Path("result.yaml").write_text(yaml.safe_dump(data, sort_keys=False))
        words = ["result.yaml" if isinstance(a, dict) else str(a) for a in args]
        status = run(["session", *words])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return status, captured.out, captured.err

    return quadrille
