"""The commands that features bring, told without importing one.

The entry's name is that of the command; the line of help is the first of the package's docstring,
the group in ``--help`` what it assigns to ``quadrille_group``, both read from the package as it is
written.
"""

import ast
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache, cached_property
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from quadrille_core import DISTRIBUTION
from quadrille_core.errors import DidYouMean, Problem
from quadrille_core.features import GROUP, OURS, Feature, FeatureError, features, installed
from quadrille_core.installation import install_hint

COMMAND: Final = "quadrille_command"
"""The hook by which a feature brings a command."""


class Offer(Feature):
    """A feature, and the command that it brings, if it brings one."""

    @cached_property
    def _source(self) -> ast.Module | None:
        """The package as it is written; None where it cannot be found or read."""
        found, path = None, None
        for number in range(1, len(parts := self.installed.entry.module.split(".")) + 1):
            found = _spec(".".join(parts[:number]), path)
            if found is None:
                return None
            path = found.submodule_search_locations
        try:
            return ast.parse(Path(found.origin or "").read_bytes()) if found is not None else None
        except (OSError, SyntaxError, ValueError):
            return None

    @property
    def help(self) -> str:
        """One line of help."""
        text = ast.get_docstring(self._source) if self._source is not None else None
        return (
            " ".join(text.partition("\n\n")[0].split())
            if text
            else f"(from {self.installed.package} {self.installed.version})"
        )

    @property
    def is_command(self) -> bool:
        """Whether it brings a command."""
        body = self._source.body if self._source is not None else []
        return COMMAND in self._assigned or any(
            getattr(node, "name", None) == COMMAND for node in body
        )

    @cached_property
    def _assigned(self) -> dict[str, ast.expr]:
        """What the package assigns to names of its own, as it is written."""
        body = self._source.body if self._source is not None else []
        made = [node for node in body if isinstance(node, ast.Assign)]
        return {t.id: node.value for node in made for t in node.targets if isinstance(t, ast.Name)}

    @property
    def group(self) -> str:
        """The group of commands that it is listed in."""
        named = self._assigned.get("quadrille_group")
        return str(ast.literal_eval(named)) if isinstance(named, ast.Constant) else "Other commands"

    @property
    def former(self) -> Mapping[str, str]:
        """What took the place of former commands: the line to type, by the former name."""
        named = self._assigned.get("quadrille_former")
        return ast.literal_eval(named) if isinstance(named, ast.Dict) else {}

    @property
    def is_there(self) -> bool:
        """Whether its package is there to be imported."""
        return self._source is not None

    def command(self) -> Any:
        """Its ``click.Command``; raises FeatureError when it cannot be loaded."""
        with wanting(self.name):
            return getattr(self.plugin, COMMAND)()


def _spec(name: str, path: Any) -> ModuleSpec | None:
    """Where a module is, though what it lies in was not imported, as ``importlib.util.find_spec``
    would."""
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        found: ModuleSpec | None = find(name, path) if find is not None else None
        if found is not None:
            return found
    return None


def offers() -> Mapping[str, Offer]:
    """Every feature that is installed, by name."""
    return _offers(tuple(features().values()))


@cache
def _offers(found: tuple[Feature, ...]) -> Mapping[str, Offer]:
    return MappingProxyType({feature.name: Offer(feature.installed) for feature in found})


def commands() -> Iterator[Offer]:
    """The features that bring a command."""
    return (f for f in offers().values() if f.is_command)


def missing(name: str) -> FeatureError:
    """The error that says that a feature is not there, and which command may have been meant."""
    near = get_close_matches(str(name)[:80], [f.name for f in commands()], n=1, cutoff=0.75)
    hint = DidYouMean(name, tuple(near)) if near else None
    return FeatureError.of("feature-not-installed", hint, feature=name, how=install_hint())


@contextmanager
def wanting(name: str) -> Iterator[None]:
    """Name the missing package or feature when the feature of that name cannot be loaded."""
    try:
        yield
    except ModuleNotFoundError as e:
        parts = (e.name or "").split(".")
        what = f"the feature {parts[1]!r}" if parts[0] == OURS and len(parts) > 1 else str(e.name)
        raise FeatureError(features()[name].problem("feature-wants", what=what)) from e


def not_installed() -> Problem | None:
    """What to say where none of our features is installed; None elsewhere."""
    if any(one.package == DISTRIBUTION for found in installed(GROUP).values() for one in found):
        return None
    return Problem("Q508", "only-sources-here", {"how": install_hint()})
