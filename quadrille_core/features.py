"""Features beside the core, found by entry points: commands, players, kinds of game and kinds of
files.

A feature is a package named in the entry-point group ``quadrille.features``.  The entry's name is
that of its command, if it has one; the line of help is the first of the package's docstring, the
group in ``--help`` what it assigns to ``quadrille_group``, both read without importing anything.
What a feature brings is what its hooks return (``hookspecs.Features``); its package imports nothing
heavy until they are called.  A feature that cannot be loaded is named, and takes nothing else down.
"""

import ast
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from importlib import metadata
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from quadrille_core import DISTRIBUTION, PROJECT
from quadrille_core.errors import DidYouMean, Problem, UsageError
from quadrille_core.installation import install_hint

T = TypeVar("T")

GROUP: Final = "quadrille.features"
"""The entry-point group."""
COMMAND: Final = "quadrille_command"
"""The hook by which a feature brings a command."""
DEBUG: Final = "QUADRILLE_DEBUG"
"""The environment variable that asks for tracebacks."""
OURS: Final = "quadrille_plugins"
"""The package of the features that come with the core."""
PLUGINS_VERSION: Final = "0.1.0"
"""Of the plugins that come with the core: raised when what one of them does to rules changes."""


@dataclass(frozen=True, slots=True)
class Installed:
    """An entry point: its name, the distribution it comes from, its version."""

    name: str
    package: str
    version: str
    entry: metadata.EntryPoint


def installed(group: str = PROJECT) -> dict[str, tuple[Installed, ...]]:
    """Every entry of a group that is installed, by name: of plugins, unless another group is asked
    for.

    A name that several distributions provide has several entries.  Nothing is imported.
    """
    # a compilation asks anew, and papers of all that is installed are many files
    return dict(installed_on(group, tuple((path, _changed(path)) for path in sys.path)))


def package_id(known: Installed) -> str:
    """The name by which rule sets remember the distribution that a plugin comes from.

    Digests and manifests in print hash ``quadrille`` for the plugins that come with this program:
    that was the name of the distribution when they were made.  Another distribution of that name
    gets an id of its own.
    """
    if known.package == DISTRIBUTION and known.entry.module.partition(".")[0] == OURS:
        return PROJECT
    return f"{PROJECT} (not {DISTRIBUTION})" if known.package == PROJECT else known.package


def plugin_version(known: Installed) -> str:
    """The version by which rule sets remember a plugin.

    Of those that come with this program it is not the program's: a release that leaves a plugin as
    it is leaves the digests of its rule sets as they are in print.
    """
    return PLUGINS_VERSION if package_id(known) == PROJECT else known.version


def _changed(folder: str) -> int:
    """When something was last put into a folder of modules, or taken out of it."""
    try:
        return os.stat(folder or ".").st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=1)
def every_entry(folders: tuple[tuple[str, int], ...]) -> Any:
    """The entry points of all groups: to look for one group's takes as long."""
    del folders  # metadata asks sys.path itself
    return metadata.entry_points()


@lru_cache(maxsize=2)
def installed_on(
    group: str, folders: tuple[tuple[str, int], ...]
) -> dict[str, tuple[Installed, ...]]:
    """What is installed in these folders, as they were last changed."""
    found: dict[str, list[Installed]] = {}
    papers: dict[
        int, tuple[str, str]
    ] = {}  # of each distribution, which reads its own anew whenever it is asked
    for entry in every_entry(folders).select(group=group):
        dist = entry.dist
        if id(dist) not in papers:
            papers[id(dist)] = (
                (dist.name, dist.version) if dist is not None else ("unknown", "unknown")
            )
        name, version = papers[id(dist)]
        one = Installed(entry.name, name, version, entry)
        others = found.setdefault(entry.name, [])
        # one distribution may stand on the path twice, as an editable install beside its checkout
        # does
        if all((o.package, o.entry.value) != (name, entry.value) for o in others):
            others.append(one)
    return {name: tuple(sorted(found[name], key=lambda o: o.package)) for name in sorted(found)}


def brief(e: BaseException) -> str:
    """The first line of what went wrong, with its type, at most 200 characters."""
    text = str(e).strip().splitlines()
    return f"{type(e).__name__}: {text[0] if text else 'no message'}"[:200]


def more_to_see() -> str:
    """How to see the traceback; empty where it is shown."""
    return (
        ""
        if os.environ.get(DEBUG)
        else f"with {DEBUG}=1 in the environment, the traceback is shown as well"
    )


def failure(e: BaseException, module: str) -> str:
    """``brief``, and the line of that module's package where it went wrong; the traceback goes to
    who asks for it."""
    if os.environ.get(DEBUG):
        sys.stderr.write("".join(traceback.format_exception(e)))
    steps, own = traceback.walk_tb(e.__traceback__), module.partition(".")[0]
    of = [
        (f.f_code.co_filename, n)
        for f, n in steps
        if f.f_globals.get("__name__", "").partition(".")[0] == own
    ]
    file, line = (e.filename, e.lineno) if isinstance(e, SyntaxError) else of[-1] if of else ("", 0)
    return brief(e) + (f", at {Path(file).name}:{line}" if file else "")


class FeatureError(UsageError):
    """A feature that was asked for and cannot be loaded."""

    code = "Q508"


@dataclass(frozen=True)
class Feature:
    """A feature that is installed; nothing of it is imported before ``load``."""

    installed: Installed

    @property
    def name(self) -> str:
        """The entry's name, and that of its command."""
        return self.installed.name

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

    @cached_property
    def plugin(self) -> Any:
        """The package; raises FeatureError where it cannot be imported."""
        try:
            with redirect_stdout(sys.stderr):  # standard output is for data
                return self.installed.entry.load()
        except (Exception, SystemExit) as e:  # whatever a stranger's module raises on import
            said = failure(e, self.installed.entry.module)
            raise FeatureError(self.problem("feature-cannot-be-loaded", said=said)) from e

    def command(self) -> Any:
        """Its ``click.Command``; raises FeatureError when it cannot be loaded."""
        with wanting(self.name):
            return getattr(self.plugin, COMMAND)()

    def problem(self, variant: str, **data: Any) -> Problem:
        """What is wrong with the feature."""
        known = self.installed
        how = install_hint() if known.package == DISTRIBUTION else f"reinstall {known.package}"
        package = f"{known.package} {known.version}"
        return Problem(
            "Q508", variant, {"feature": known.name, "package": package, "how": how, **data}
        )


def _spec(name: str, path: Any) -> ModuleSpec | None:
    """Where a module is, though what it lies in was not imported, as ``importlib.util.find_spec``
    would."""
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        found: ModuleSpec | None = find(name, path) if find is not None else None
        if found is not None:
            return found
    return None


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


def features() -> Mapping[str, Feature]:
    """Every feature that is installed, by name; of two by one name, the one whose package comes
    first."""
    return _features(tuple(providers[0] for providers in installed(GROUP).values()))


@cache
def _features(found: tuple[Installed, ...]) -> Mapping[str, Feature]:
    return MappingProxyType({one.name: Feature(one) for one in found})


def commands() -> Iterator[Feature]:
    """The features that bring a command."""
    return (f for f in features().values() if f.is_command)


problems: Final[dict[str, Problem]] = {}
"""Features that could not be asked, by name, and why."""


@cache
def _manager(found: tuple[Feature, ...]) -> Any:
    import pluggy

    from quadrille_core.hookspecs import Features

    manager = pluggy.PluginManager(PROJECT)
    manager.add_hookspecs(Features)
    for feature in found:
        try:
            manager.register(feature.plugin, name=feature.name)
            manager.check_pending()
        except FeatureError as e:
            problems[feature.name] = e.problems[0]
        except (pluggy.PluginValidationError, ValueError) as e:
            problems[feature.name] = feature.problem("feature-refused-by-pluggy", said=brief(e))
            if manager.has_plugin(feature.name):
                manager.unregister(name=feature.name)
    return manager


def ask(hook: str, **arguments: Any) -> list[tuple[str, Any]]:
    """What each feature answers to a hook, with its name and in their order; one that fails is
    noted and left out."""
    known = features()
    manager = _manager(tuple(known[name] for name in sorted(known)))
    answers = []
    for implementation in reversed(getattr(manager.hook, hook).get_hookimpls()):
        try:
            # a hook may leave out arguments that it does not use
            answer = implementation.function(*[arguments[a] for a in implementation.argnames])
            answers.append((implementation.plugin_name, answer))
        except Exception as e:
            feature = known[implementation.plugin_name]
            said = failure(e, feature.installed.entry.module)
            problems[feature.name] = feature.problem("feature-failed", hook=hook, said=said)
    return sorted(answers)


def idle_rules(compiled: Any) -> dict[str, str]:
    """The rules of a rule set that cannot act, by path, and why."""
    return {
        path: why
        for _, told in ask("quadrille_notes", compiled=compiled)
        for path, why in told.items()
    }


def missing(name: str) -> FeatureError:
    """The error that says that a feature is not there, and which command may have been meant."""
    near = get_close_matches(str(name)[:80], [f.name for f in commands()], n=1, cutoff=0.75)
    hint = DidYouMean(name, tuple(near)) if near else None
    return FeatureError.of("feature-not-installed", hint, feature=name, how=install_hint())


def finder() -> Any | None:
    """What finds points, rules, bids and words (``hookspecs.Features.quadrille_finder``); None
    where it is missing."""
    return next((found for _, found in ask("quadrille_finder") if found is not None), None)


class LazyMapping(Mapping[str, T]):
    """What features bring by a hook, by name; asked for when one is first wanted."""

    def __init__(self, find: Callable[[], Iterable[tuple[str, T]]]) -> None:
        self._find = find

    @cached_property
    def _found(self) -> dict[str, T]:
        found: dict[str, T] = {}
        for name, one in self._find():
            found.setdefault(name, one)
        return found

    def __getitem__(self, name: str) -> T:
        """The one of that name."""
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._found)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._found)
