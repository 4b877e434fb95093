"""Naming a rule set: ``PROFILE[@WITNESS]``, and the chain of profiles that a name stands for."""

from dataclasses import dataclass
from pathlib import Path

from quadrille_core import resources
from quadrille_core.errors import Place, Problem, ProfileError, did_you_mean
from quadrille_core.profile.document import ProfileDoc, load_profile

LONGEST_CHAIN = 16
SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Reference:
    """A rule set as a user names it: a shipped id or a path to a YAML file, and a witness."""

    profile: str
    witness: str | None = None

    def __str__(self) -> str:
        """The name as it was given."""
        return self.profile + (f"@{self.witness}" if self.witness else "")


def parse_reference(text: str) -> Reference:
    """Split ``PROFILE[@WITNESS]``; a path may itself hold an ``@`` before its last slash or suffix."""
    profile, at, witness = text.rpartition("@")
    if at and profile and witness and "/" not in witness and not witness.lower().endswith(SUFFIXES):
        return Reference(profile, witness)
    return Reference(text)


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
            raise ProfileError(
                Problem(
                    "Q301",
                    f"the profile to extend, {name!r}, is not there",
                    place,
                    "paths are taken from the folder of the file that extends",
                )
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
        doc = load_profile(path, validate=not shipped)
        key = str(path.resolve())
        if key in seen:
            circle = " → ".join([Path(s).name for s in seen[seen.index(key) :]] + [path.name])
            raise ProfileError(
                Problem(
                    "Q302",
                    f"profiles extend one another in a circle: {circle}",
                    place,
                    "end the chain at a profile that extends nothing",
                )
            )
        if len(seen) >= LONGEST_CHAIN:
            raise ProfileError(
                Problem("Q303", f"more than {LONGEST_CHAIN} profiles extend one another", place, "shorten the chain")
            )
        chain.append(doc)
        seen.append(key)
        if doc.extends is None:
            return tuple(reversed(chain))
        name, base, place, extending = doc.extends, path.parent, doc.extends_place, True
