"""Which tests the README's command leaves out beside those that are marked where they stand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

TESTS = Path(__file__).parents[1]
LONGEST = ("test_serve_browser.py",)
"""Files of which a single test waits for a browser most of its time."""
LISTED: dict[str, dict[str, dict[str, Any] | None]] = yaml.safe_load(
    (TESTS / "slow.yaml").read_text("utf-8")
)


def mark(items: list[pytest.Item]) -> None:
    """Mark as ``slow`` what ``tests/slow.yaml`` lists.

    Raises:
        pytest.UsageError: A parameter is listed that its test does not have.
    """
    of: dict[tuple[str, str], list[pytest.Function]] = {}
    for item in items:
        if isinstance(item, pytest.Function) and item.path.is_relative_to(TESTS):
            of.setdefault(
                (f"tests/{item.path.relative_to(TESTS).as_posix()}", item.originalname), []
            ).append(item)
    for (file, name), found in of.items():
        if name in LISTED.get(file, {}):
            for item in _slow(found, LISTED[file][name] or {}):
                item.add_marker(pytest.mark.slow)


def longest_first(items: list[pytest.Item]) -> None:
    """Put tests that keep one worker for a minute first, so that none is still at one of them when
    the rest is done."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


def _slow(found: list[pytest.Function], asked: dict[str, Any]) -> Iterator[pytest.Function]:
    ids = {item.callspec.id: item for item in found if hasattr(item, "callspec")}
    named = [*asked.get("stays", ()), *asked.get("leaves", ())]
    one_is_asked_for = any("[" in argument for argument in found[0].config.args)
    if not one_is_asked_for and (lost := [n for n in named if n not in ids]):
        raise pytest.UsageError(
            f"tests/slow.yaml: {found[0].originalname} has no {lost}, but {sorted(ids)}"
        )
    if "leaves" in asked:
        yield from (ids[n] for n in named if n in ids)
    elif "sample" in asked:
        yield from (item for number, item in enumerate(found) if number % asked["sample"])
    else:
        yield from (
            item for item in found if not hasattr(item, "callspec") or item.callspec.id not in named
        )
