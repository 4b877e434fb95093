"""Finding and loading plugins: a plugin manager made anew for each compilation, never a global one.

Only the plugins that a profile names are imported; what merely happens to be installed changes
nothing.  A plugin that cannot be loaded is reported by name and package and takes nothing else
down.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from inspect import signature
from typing import Any, Final

import pluggy

from quadrille_core import PROJECT
from quadrille_core.errors import Hint, Place, PluginError, Problem, did_you_mean
from quadrille_core.features import Installed, brief, failure, installed, more_to_see
from quadrille_core.frozen import frozen
from quadrille_core.hookspecs import About, Hooks, Parameter
from quadrille_core.kinds import KINDS
from quadrille_core.resources import note_read
from quadrille_core.slips import slip_of

DESCRIBE: Final = "quadrille_describe"


@frozen
class Loaded:
    """A plugin in use: where it comes from, the object registered, and what it says of itself."""

    installed: Installed
    plugin: Any
    about: About


def _note_modules(name: str) -> None:
    """A plugin's files are read by the command as its profiles are: its module, what that lies in,
    what lies in it."""
    steps = name.split(".")
    names = [".".join(steps[:count]) for count in range(1, len(steps) + 1)]
    if hasattr(
        sys.modules.get(name), "__path__"
    ):  # only then is it worth while to ask every module
        names += [module for module in list(sys.modules) if module.startswith(f"{name}.")]
    for module in names:
        file = getattr(sys.modules.get(module), "__file__", None)
        if isinstance(file, str):
            note_read(file)


def _hooks() -> list[type]:
    """The specifications of hooks, those of other kinds of game among them."""
    return [Hooks, *(kind.hooks for kind in KINDS.values() if kind.hooks is not None)]


class Registry:
    """A plugin manager holding exactly the plugins asked for.

    ``problems`` lists those that could not be had; the others are usable all the same.
    """

    def __init__(self) -> None:
        self.manager = pluggy.PluginManager(PROJECT)
        for hooks in _hooks():
            self.manager.add_hookspecs(hooks)
        self.loaded: dict[str, Loaded] = {}
        self.problems: list[Problem] = []
        self._installed: dict[str, tuple[Installed, ...]] | None = None

    def load(self, name: str, place: Place | None = None) -> Loaded | None:
        """Import and register one plugin; on failure notes a problem and returns None."""
        if name in self.loaded:
            return self.loaded[name]
        if self._installed is None:
            self._installed = installed()
        providers = self._installed.get(name, ())
        if not providers:
            near = did_you_mean(name, self._installed, what="installed")
            hint = near if near and near.words else None
            self.problems.append(Problem("Q501", "not-installed", {"plugin": name}, place, hint))
            return None
        if len(providers) > 1:
            who = [f"{p.package} {p.version}" for p in providers]
            self._note("Q502", "provided-by-several", place, plugin=name, providers=who)
            return None
        known = providers[0]
        try:
            with redirect_stdout(sys.stderr):
                plugin = known.entry.load()
        except (Exception, SystemExit) as e:  # whatever a stranger's module raises on import
            self._failed("Q502", "plugin-cannot-be-loaded", place, known, e)
            return None
        _note_modules(known.entry.module)
        return self.register(known, plugin, place)

    def register(self, known: Installed, plugin: Any, place: Place | None = None) -> Loaded | None:
        """Register a plugin object; a misspelt hook or wrong argument is a problem, not a
        silence."""
        origin: dict[str, Any] = {
            "plugin": known.name,
            "package": f"{known.package} {known.version}",
        }
        for variant, hint, data in self._misfits(plugin):
            self._note("Q503", variant, place, hint, **origin, **data)
            return None
        try:
            self.manager.register(plugin, name=known.name)
            self.manager.check_pending()
        except (pluggy.PluginValidationError, ValueError) as e:
            if self.manager.has_plugin(known.name):
                self.manager.unregister(name=known.name)
            self._note("Q503", "refused-by-pluggy", place, said=brief(e), **origin)
            return None
        faults = len(self.problems)
        try:
            about = self.call(known.name, DESCRIBE)
            if slip := slip_of(about, DESCRIBE):
                self.problems.append(slip.problem(place, known.name, DESCRIBE, about))
        except (Exception, SystemExit) as e:  # a stranger's code
            self._failed("Q507", "describe-failed", place, known, e, hook=DESCRIBE)
        if len(self.problems) > faults:
            self.manager.unregister(name=known.name)
            return None
        self.loaded[known.name] = Loaded(known, plugin, about)
        return self.loaded[known.name]

    def _misfits(self, plugin: Any) -> Iterator[tuple[str, Hint | None, dict[str, Any]]]:
        """Functions named like hooks that are none, lack the mark or want unknown arguments:
        variant, hint and data of the problem."""
        for name in dir(plugin):
            function = getattr(plugin, name, None)
            if not name.startswith(f"{PROJECT}_") or not callable(function):
                continue
            hook, marks = (
                getattr(self.manager.hook, name, None),
                self.manager.parse_hookimpl_opts(plugin, name),
            )
            if marks is not None and marks["optionalhook"]:
                continue
            if hook is None or hook.spec is None:
                known = [n for hooks in _hooks() for n in dir(hooks) if n.startswith(PROJECT)]
                yield "no-such-hook", did_you_mean(name, known), {"hook": name, "known": known}
            elif marks is None:
                yield "hook-without-mark", None, {"hook": name}
            else:
                has = hook.spec.argnames
                of = signature(function).parameters.values()
                for p in (
                    p for p in of if p.kind == p.POSITIONAL_OR_KEYWORD and p.default is p.empty
                ):
                    if p.name not in has:
                        data = {"hook": name, "field": p.name, "has": has}
                        yield "no-such-argument", None, data

    def call(self, name: str, hook: str, **arguments: Any) -> Any:
        """Call one hook of one plugin; None when the plugin does not implement it.

        What it prints goes to standard error: standard output is for data.
        """
        implementation = self._implementation(name, hook)
        if implementation is None:
            return None
        with redirect_stdout(sys.stderr):
            return implementation.function(*[arguments[a] for a in implementation.argnames])

    def has(self, name: str, hook: str) -> bool:
        """Whether a plugin that is loaded implements a hook."""
        return self._implementation(name, hook) is not None

    def _implementation(self, name: str, hook: str) -> Any:
        known = getattr(self.manager.hook, hook).get_hookimpls()
        return next((one for one in known if one.plugin_name == name), None)

    def _note(
        self, code: str, variant: str, place: Place | None, hint: Hint | None = None, **data: Any
    ) -> None:
        self.problems.append(Problem(code, variant, data, place, hint))

    def _failed(
        self,
        code: str,
        variant: str,
        place: Place | None,
        known: Installed,
        e: BaseException,
        **data: str,
    ) -> None:
        """Note that a stranger's code failed, and where."""
        data |= {"plugin": known.name, "package": f"{known.package} {known.version}"}
        data |= {"said": failure(e, known.entry.module), "more": more_to_see()}
        self.problems.append(Problem(code, variant, data, place))


def parameters_of(
    loaded: Loaded, given: Mapping[str, Any], place: Place | None, places: Mapping[str, Place]
) -> dict[str, Any]:
    """The plugin's parameters with defaults filled in; raises PluginError naming every wrong one,
    where it stands."""
    declared = loaded.about.parameters
    name = loaded.installed.name
    problems = []
    for key, value in given.items():
        data: dict[str, Any] = {"plugin": name, "parameter": key}
        where = places.get(key, place)
        if key not in declared:
            hint = did_you_mean(key, declared, what="parameters")
            problems.append(Problem("Q506", "no-such-parameter", data, where, hint))
        elif not _among(value, declared[key]):
            data["value"] = _as_typed(value)
            data["choices"] = [*map(_as_typed, declared[key].choices)]
            problems.append(Problem("Q506", "parameter-cannot-be", data, where))
    if problems:
        raise PluginError(problems)
    return {key: given.get(key, p.default) for key, p in declared.items()}


def _among(value: Any, parameter: Parameter) -> bool:
    return any(type(value) is type(c) and value == c for c in parameter.choices)


def _as_typed(value: Any) -> str:
    """A parameter's value as a reference has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def load_all(names: Iterable[str] | None = None) -> Registry:
    """A registry of all installed plugins, or of those named; see its ``problems`` for what
    failed."""
    registry = Registry()
    for name in sorted(installed()) if names is None else names:
        registry.load(name)
    return registry
