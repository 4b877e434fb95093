"""Naming a rule set: ``PROFILE[@WITNESS][+PLUGIN…]``, and the chain of profiles that a name stands for."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from quadrille_core import resources
from quadrille_core.errors import Place, Problem, ProfileError, did_you_mean
from quadrille_core.profile.document import load_profile
from quadrille_core.profile.records import PluginDoc, ProfileDoc

LONGEST_CHAIN = 16
SUFFIXES = (".yaml", ".yml")


MOST_PLUGINS = 32
_ADDED = r"\+[a-z][a-z0-9-]*(?::[^+@/\\]*)?"
_WITH_PLUGINS = re.compile(rf"(?s:(?P<base>.+?))(?P<added>(?:{_ADDED})+)\Z")
_PARAMETER = re.compile(r"([a-z][a-z0-9_]*)=([A-Za-z0-9_-]+)\Z")


@dataclass(frozen=True, slots=True)
class Added:
    """A plugin that a user adds to a profile by its name, with its parameters as they were written."""

    plugin: str
    parameters: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """``PLUGIN[:PARAM=VALUE,…]``."""
        return self.plugin + (":" + ",".join(f"{k}={v}" for k, v in self.parameters) if self.parameters else "")

    def plain(self) -> dict[str, str | bool | int]:
        """The parameters as a profile would give them: ``true``, ``False`` and numbers are no words."""
        words: dict[str, bool] = {"true": True, "True": True, "false": False, "False": False}
        return {k: words[v] if v in words else int(v) if v.isdigit() else v for k, v in self.parameters}

    def named(self) -> PluginDoc:
        """As a profile that named it would."""
        return PluginDoc(plugin=self.plugin, parameters=self.plain(), after=(), place=None)


@dataclass(frozen=True, slots=True)
class Reference:
    """A rule set as a user names it: a shipped id or a path to a YAML file, a witness, and plugins added."""

    profile: str
    witness: str | None = None
    added: tuple[Added, ...] = ()

    def __str__(self) -> str:
        """The name as it was given."""
        return self.profile + (f"@{self.witness}" if self.witness else "") + "".join(f"+{a}" for a in self.added)


def parse_reference(text: str) -> Reference:
    """Split ``PROFILE[@WITNESS][+PLUGIN[:PARAM=VALUE,…]]…``.

    A path may itself hold an ``@`` or ``+`` before its last slash or suffix.  Raises ProfileError (Q506) for a
    plugin's parameters that are not so written, and for a plugin added twice.
    """
    added: tuple[Added, ...] = ()
    match = None if text.lower().endswith(SUFFIXES) else _WITH_PLUGINS.match(text)
    if match is not None:
        text = match["base"]
        added = tuple(_added(part) for part in match["added"][1:].split("+"))
        if len(added) > MOST_PLUGINS:
            raise ProfileError(Problem("Q506", f"{len(added)} plugins are added; {MOST_PLUGINS} are the most"))
        for i, one in enumerate(added):
            if any(one.plugin == other.plugin for other in added[:i]):
                raise ProfileError(Problem("Q506", f"plugin {one.plugin!r} is added twice", None, "add it once"))
    if not text.lower().endswith(SUFFIXES) and (text.endswith("+") or "++" in text.rpartition("/")[2]):
        message = f"{text[:60]!r}: a plugin's name is missing after +"
        raise ProfileError(Problem("Q506", message, None, "see `quadrille plugins`"))
    profile, at, witness = text.rpartition("@")
    if at and profile and witness and "/" not in witness and not witness.lower().endswith(SUFFIXES):
        return Reference(profile, witness, added)
    return Reference(text, None, added)


def _added(text: str) -> Added:
    plugin, colon, rest = text.partition(":")
    parameters: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        match = _PARAMETER.match(part)
        if match is None:
            hint = f"write +{plugin}:PARAM=VALUE, several separated by commas; see `quadrille plugins`"
            raise ProfileError(Problem("Q506", f"plugin {plugin!r}: {part[:40]!r} is no PARAM=VALUE", None, hint))
        if match[1] in parameters:
            raise ProfileError(Problem("Q506", f"plugin {plugin!r}: {match[1]} is given twice", None, "give it once"))
        parameters[match[1]] = match[2]
    return Added(plugin, tuple(parameters.items()))


def is_path(name: str) -> bool:
    """Whether a profile is named by a path rather than by a shipped identifier."""
    return name.lower().endswith(SUFFIXES) or "/" in name or "\\" in name


def _locate(name: str, base: Path, place: Place | None, *, extending: bool) -> tuple[Path, bool]:
    """The file of a profile and whether it is shipped; raises ProfileError with Q301 or Q306."""
    if is_path(name) and "\0" not in name:
        path = (base / name) if extending else Path(name)
        if not name.lower().endswith(SUFFIXES):
            # a record or result of a stranger may name any path: what is no profile is not opened
            code = "Q301" if extending else "Q306"
            raise ProfileError(Problem(code, f"{name[:60]!r} is no profile", place, "a profile's file ends in .yaml"))
        if extending and not path.is_file():
            absent = f"the profile to extend, {name!r}, is not there"
            raise ProfileError(
                Problem("Q301", absent, place, "paths are taken from the folder of the file that extends")
            )
        return path, False
    shipped = resources.shipped_profiles()
    if name in shipped:
        return shipped[name], True
    code = "Q301" if extending else "Q306"
    message = (
        f"the profile to extend, {name[:60]!r}, is not shipped" if extending else f"no profile is called {name[:60]!r}"
    )
    hint = did_you_mean(name, shipped, what="shipped")
    if not extending:
        hint = (hint + "; " if hint else "") + "a file of your own is named by its path, ending in .yaml"
    raise ProfileError(Problem(code, message, place, hint))


@lru_cache(maxsize=64)
def _shipped(path: Path, stamp: tuple[int, int]) -> ProfileDoc:
    """A shipped profile, read once as long as its file stays as it is; it was validated when it was shipped."""
    del stamp
    return load_profile(path, validate=False)


def load_chain(name: str) -> tuple[ProfileDoc, ...]:
    """The profile of that name after all it extends, root first.

    Shipped profiles were validated when they were shipped; others are validated here.  Raises
    ProfileError for any fault in any of them, UnreadableError when a file cannot be read.
    """
    chain: list[ProfileDoc] = []
    seen: list[str] = []
    base, place, extending = Path(), None, False
    while True:
        path, shipped = _locate(name, base, place, extending=extending)
        doc = _shipped(path, resources.stamp(path)) if shipped else load_profile(path)
        key = str(path.resolve())
        if key in seen:
            circle = " → ".join([Path(s).name for s in seen[seen.index(key) :]] + [path.name])
            message = f"profiles extend one another in a circle: {circle}"
            raise ProfileError(Problem("Q302", message, place, "end the chain at a profile that extends nothing"))
        if len(seen) >= LONGEST_CHAIN:
            raise ProfileError(
                Problem("Q303", f"more than {LONGEST_CHAIN} profiles extend one another", place, "shorten the chain")
            )
        chain.append(doc)
        seen.append(key)
        if doc.extends is None:
            return tuple(reversed(chain))
        name, base, place, extending = doc.extends, path.parent, doc.extends_place, True
