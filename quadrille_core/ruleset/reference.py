"""Naming a rule set: ``PROFILE[@WITNESS][+PLUGIN…]``, and the chain of profiles that a name stands
for."""

import re
from functools import lru_cache, partial
from pathlib import Path

from quadrille_core import resources
from quadrille_core.errors import Place, Problem, ProfileError, did_you_mean
from quadrille_core.frozen import frozen
from quadrille_core.profile.document import load_profile
from quadrille_core.profile.records import PluginDoc, ProfileDoc

LONGEST_CHAIN = 16
SUFFIXES = (".yaml", ".yml")


MOST_PLUGINS = 32
_ADDED = r"\+[a-z][a-z0-9-]*(?::[^+@/\\]*)?"
_WITH_PLUGINS = re.compile(rf"(?s:(?P<base>.+?))(?P<added>(?:{_ADDED})+)\Z")
_PARAMETER = re.compile(r"([a-z][a-z0-9_]*)=([A-Za-z0-9_-]+)\Z")


@frozen
class Added:
    """A plugin that a user adds to a profile by its name, with its parameters as they were
    written."""

    plugin: str
    parameters: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """``PLUGIN[:PARAM=VALUE,…]``."""
        return self.plugin + (
            ":" + ",".join(f"{k}={v}" for k, v in self.parameters) if self.parameters else ""
        )

    def plain(self) -> dict[str, str | bool | int]:
        """The parameters as a profile would give them: ``true``, ``False`` and numbers are no
        words."""
        words: dict[str, bool] = {"true": True, "True": True, "false": False, "False": False}
        return {
            k: words[v] if v in words else int(v) if v.isdigit() else v for k, v in self.parameters
        }

    def named(self) -> PluginDoc:
        """As a profile that named it would."""
        return PluginDoc(plugin=self.plugin, parameters=self.plain(), after=(), place=None)


@frozen
class Reference:
    """A rule set as a user names it: a shipped id or a path to a YAML file, a witness, and plugins
    added."""

    profile: str
    witness: str | None = None
    added: tuple[Added, ...] = ()
    files: tuple[str, ...] = ()
    """Witnesses in files of their own that are joined to the profile; the last is followed, unless
    ``witness`` names another, or nobody by being empty."""

    def __str__(self) -> str:
        """The name as it was given."""
        return (
            self.profile
            + "".join(f"@{file}" for file in self.files)
            + (f"@{self.witness}" if self.witness or (self.files and self.witness == "") else "")
            + "".join(f"+{a}" for a in self.added)
        )


def parse_reference(text: str) -> Reference:
    """Split ``PROFILE[@FILE.yaml…][@WITNESS][+PLUGIN[:PARAM=VALUE,…]]…``.

    A path may itself hold an ``@`` or ``+`` before its last slash or suffix: what follows an ``@``
    is a witness's file only where a profile stands before it.  Raises ProfileError
    (Q506) for a plugin's parameters that are not so written, and for a plugin added twice.
    """
    added: tuple[Added, ...] = ()
    match = None if text.lower().endswith(SUFFIXES) else _WITH_PLUGINS.match(text)
    if match is not None:
        text = match["base"]
        added = tuple(_added(part) for part in match["added"][1:].split("+"))
        if len(added) > MOST_PLUGINS:
            raise ProfileError.of("too-many", number=len(added), most=MOST_PLUGINS)
        for i, one in enumerate(added):
            if any(one.plugin == other.plugin for other in added[:i]):
                raise ProfileError.of("added-twice", plugin=one.plugin)
    if not text.lower().endswith(SUFFIXES) and (
        text.endswith("+") or "++" in text.rpartition("/")[2]
    ):
        raise ProfileError.of("no-plugin-named", text=text[:60])
    profile, at, last = text.rpartition("@")
    witness: str | None = None
    if at and profile and "/" not in last and not last.lower().endswith(SUFFIXES):
        text, witness = (profile, last) if last or _parted(profile)[1] else (text, None)
    profile, files = _parted(text)
    return Reference(profile, witness, added, files)


def _parted(text: str) -> tuple[str, tuple[str, ...]]:
    """A profile, and the files of witnesses that follow it, each after an ``@``."""
    base, at, file = text.rpartition("@")
    if not at or not file.lower().endswith(SUFFIXES):
        return text, ()
    profile, files = _parted(base)
    shipped = resources.shipped_profiles()
    near = did_you_mean(profile, shipped) if "/" not in profile else None
    misspelt = near is not None and near.words and not Path(text).is_file()
    if misspelt or profile in shipped or profile.lower().endswith(SUFFIXES):
        return profile, (*files, file)
    return text, ()


def _added(text: str) -> Added:
    plugin, colon, rest = text.partition(":")
    parameters: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        match = _PARAMETER.match(part)
        if match is None:
            raise ProfileError.of("no-parameter", plugin=plugin, part=part[:40])
        if match[1] in parameters:
            raise ProfileError.of("parameter-twice", plugin=plugin, parameter=match[1])
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
            raise ProfileError(Problem(code, "no-profile", {"name": name[:60]}, place))
        if extending and not path.is_file():
            raise ProfileError.of("not-there", place=place, name=name)
        return path, False
    shipped = resources.shipped_profiles()
    if name in shipped:
        return shipped[name], True
    near = did_you_mean(name, shipped, what="shipped")
    data = {"name": name[:60]}
    if extending:
        raise ProfileError(Problem("Q301", "not-shipped", data, place, near))
    raise ProfileError(Problem("Q306", "not-shipped", data, place, near))


@lru_cache(maxsize=64)
def _shipped(path: Path, stamp: tuple[int, int]) -> ProfileDoc:
    """A shipped profile, read once as long as its file stays as it is; it was validated when it was
    shipped."""
    del stamp
    return load_profile(path, validate=False)


def shipped_profile(path: Path) -> ProfileDoc:
    """A shipped profile by its file, without those that it extends; raises as ``load_chain``
    does."""
    return _shipped(path, resources.stamp(path))


def load_chain(
    name: str, leaf: ProfileDoc | None = None, *, above: Path | None = None
) -> tuple[ProfileDoc, ...]:
    """The profile of that name after all it extends, root first; ``leaf`` stands for what its file
    holds.

    With ``above``, the profile that a file in this folder extends, and nothing is validated.

    Shipped profiles were validated when they were shipped; others are validated here.  Raises
    ProfileError for any fault in any of them, UnreadableError when a file cannot be read.
    """
    chain: list[ProfileDoc] = []
    seen: list[str] = []
    base, place, extending = above or Path(), None, above is not None
    unshipped = load_profile if above is None else partial(load_profile, validate=False)
    while True:
        path, shipped = _locate(name, base, place, extending=extending)
        read = shipped_profile if shipped else unshipped
        doc = leaf if leaf is not None and not chain else read(path)
        key = str(path.resolve())
        if key in seen:
            circle = " → ".join([Path(s).name for s in seen[seen.index(key) :]] + [path.name])
            raise ProfileError.of("circle", place=place, circle=circle)
        if len(seen) >= LONGEST_CHAIN:
            raise ProfileError.of("too-long", place=place, most=LONGEST_CHAIN)
        chain.append(doc)
        seen.append(key)
        if doc.extends is None:
            return tuple(reversed(chain))
        name, base, place, extending = doc.extends, path.parent, doc.extends_place, True
