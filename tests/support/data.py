"""Data of the tests as they stand in files."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from quadrille_core import vocabulary

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def of_yaml(path: Path) -> Any:
    """What a YAML file of the tests holds, read by libyaml where it is there: ten times faster."""
    return yaml.load(path.read_text("utf-8"), Loader=_LOADER)  # noqa: S506


@cache
def listed(name: str) -> dict[str, Any]:
    """A file of ``data/cases``."""
    return of_yaml(Path(__file__).parents[1] / "data" / "cases" / f"{name}.yaml")  # type: ignore[no-any-return]


def cases(name: str) -> Callable[[Callable[..., Any]], Any]:
    """Try a test with each case that a file of ``data/cases`` has under its name; the keys are the
    arguments."""

    def tried(test: Callable[..., Any]) -> Any:
        found = listed(name)[test.__name__.removeprefix("test_")]
        return pytest.mark.parametrize(list(found[0]), [list(case.values()) for case in found])(
            test
        )

    return tried


def flatten(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The rules of a nested mapping of plain values, each with its path."""
    for key, value in tree.items():
        path = f"{prefix}{key}"
        if isinstance(value, Mapping) and vocabulary.pattern_of(path) is None:
            yield from flatten(value, f"{path}.")
        else:
            yield path, value
