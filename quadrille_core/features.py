"""Features beside the core, found by entry points: commands, players, kinds of game and kinds of
files.

A feature is a package named in the entry-point group ``quadrille.features``; the entry's name is
that of its command, if it has one.  What a feature brings is what its hooks return
(``hookspecs.Features``); its package imports nothing heavy until they are called.  A feature that
cannot be loaded is named, and takes nothing else down.
"""

import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from quadrille_core import DISTRIBUTION, PROJECT
from quadrille_core.errors import Problem, UsageError
from quadrille_core.frozen import frozen
from quadrille_core.installation import install_hint

T = TypeVar("T")

GROUP: Final = "quadrille.features"
"""The entry-point group."""
INTERFACE: Final = "quadrille.interface"
"""That of the ways into the program: ``shell`` and ``python``."""
DEBUG: Final = "QUADRILLE_DEBUG"
"""The environment variable that asks for tracebacks."""
OURS: Final = "quadrille_plugins"
"""The package of the features that come with the core."""
PLUGINS_VERSION: Final = "0.1.0"
"""Of the plugins that come with the core: raised when what one of them does to rules changes."""


@frozen
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


@lru_cache(maxsize=3)
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
    def plugin(self) -> Any:
        """The package; raises FeatureError where it cannot be imported."""
        try:
            with redirect_stdout(sys.stderr):  # standard output is for data
                return self.installed.entry.load()
        except (Exception, SystemExit) as e:  # whatever a stranger's module raises on import
            said = failure(e, self.installed.entry.module)
            raise FeatureError(self.problem("feature-cannot-be-loaded", said=said)) from e

    def problem(self, variant: str, **data: Any) -> Problem:
        """What is wrong with the feature."""
        known = self.installed
        how = install_hint() if known.package == DISTRIBUTION else f"reinstall {known.package}"
        package = f"{known.package} {known.version}"
        return Problem(
            "Q508", variant, {"feature": known.name, "package": package, "how": how, **data}
        )


def features() -> Mapping[str, Feature]:
    """Every feature that is installed, by name; of two by one name, the one whose package comes
    first."""
    return _features(tuple(providers[0] for providers in installed(GROUP).values()))


@cache
def _features(found: tuple[Installed, ...]) -> Mapping[str, Feature]:
    return MappingProxyType({one.name: Feature(one) for one in found})


def interface(name: str) -> Any:
    """A way into the program, ``shell`` or ``python``; raises FeatureError where there is none."""
    found = installed(INTERFACE).get(name)
    if found is None:
        raise FeatureError.of("shell-not-installed", how=install_hint())
    return Feature(found[0]).plugin


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


def first_answer(hook: str) -> Any | None:
    """The answer of the first feature that has one to a hook; None where none has."""
    return next((answer for _, answer in ask(hook) if answer is not None), None)


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
