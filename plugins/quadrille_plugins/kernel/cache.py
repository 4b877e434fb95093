"""Where compiled code is kept: below ``$NUMBA_CACHE_DIR`` or the user's cache, by sources and
processor.

Compiled code is loaded by unpickling it, which runs whatever a pickle says.  So the folder must
belong to the user, and nobody else may write in it or rename what leads to it; in any other case
code is kept in a folder of this process alone.
"""

import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import llvmlite
import numba
import numpy
from llvmlite import binding

from quadrille_core.features import ask
from quadrille_plugins.shell.stopping import at_last

_NOT_COMPILED: Final = (f"{__package__}.cache", f"{__package__}.kept", f"{__package__}.ready")
"""What keeps compiled code and does not go into it."""
_IMPORTED: Final = re.compile(
    rb"^(?:from (\.*)([\w.]*) import ([^#\n(]+|\([^)]*\))|import ([\w., ]+))", re.MULTILINE
)
_NOT_READ: Final = ("numba", "llvmlite", "numpy", "pluggy")
"""Packages that the digest knows by their versions, and what finds plugins, of which nothing is
compiled."""
_MARK: Final = "compiled"
_LONGEST: Final = 200
"""Signs of a file's name: a table of strangers' players may have a longer one."""
_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def digest() -> str:
    """The state of the sources, of the compiler and of the processor it compiles for, in twelve
    digits."""
    versions = (
        numba.__version__,
        llvmlite.__version__,
        numpy.__version__,
        sys.implementation.cache_tag,
        processor(),
    )
    found = sha256(" ".join(map(str, versions)).encode())
    for name, text in sorted(_sources().items()):
        found.update(name.encode() + b"\0" + text)
    return found.hexdigest()[:12]


def ways_in() -> list[str]:
    """The modules whose compiled functions Python calls: features name them."""
    return [name for _, names in ask("quadrille_compiled") for name in names]


def _sources() -> dict[str, bytes]:
    """Every module that goes into compiled code: those that features name, players', and what they
    import.

    Whatever a compiled function takes from elsewhere, a constant or another function, it was
    compiled with; a stranger's modules and the packages they want are read like ours.  Imports
    within functions are not followed.
    """
    found: dict[str, bytes] = {}
    players = (p for _, brought in ask("quadrille_players") for p in brought.values())
    waiting = ways_in() + [p.compiled for p in players if p.compiled is not None]
    while waiting:
        name = waiting.pop()
        top = name.partition(".")[0]
        if (
            name in found
            or name in _NOT_COMPILED
            or top in _NOT_READ
            or top in sys.stdlib_module_names
        ):
            continue
        path = _file_of(name)
        if path is None:  # a name of the module before the dot
            continue
        found[name] = path.read_bytes()
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for dots, module, names, whole in _IMPORTED.findall(found[name]):
            waiting += re.findall(r"([\w.]+)(?: as \w+)?", whole.decode())
            if dots or module:
                outer = package.split(".")[: package.count(".") + 2 - len(dots)] if dots else []
                base = ".".join([*outer, *filter(None, [module.decode()])])
                waiting += [
                    base,
                    *(f"{base}.{one}" for one in re.findall(r"(\w+)(?: as \w+)?", names.decode())),
                ]
    return found


def _file_of(name: str) -> Path | None:
    """The file of a module, or None; imports its top package at most."""
    top, *rest = name.split(".")
    for place in _places(top):
        path = Path(place, *rest)
        if not rest and path.suffix == ".py":
            return path
        if (file := path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).is_file():
            return file
    return None


@lru_cache(maxsize=64)
def _places(top: str) -> tuple[str, ...]:
    """The folders of a package, or the file of a module that is none; nothing for what has no
    source."""
    try:
        spec = find_spec(top)
    except ValueError:  # as of ``__main__``
        return ()
    if spec is None:
        return ()
    if spec.submodule_search_locations is not None:
        return tuple(spec.submodule_search_locations)
    return (spec.origin,) if spec.origin is not None and spec.origin.endswith(".py") else ()


def processor() -> str:
    """What Numba compiles for: it keeps code for one processor apart from that for another."""
    chosen = vars(numba.config)
    name, features = chosen.get("CPU_NAME"), chosen.get("CPU_FEATURES")
    return (
        f"{name or binding.get_host_cpu_name()} "
        f"{features or binding.get_host_cpu_features().flatten()}"
    )


# --- what is to be said of it -------------------------------------------------------------------

_notes: Final[dict[str, bool]] = {}
"""What there is to say, and whether it has been said."""
_listeners: Final[list[Callable[[str], object]]] = []


def note(text: str) -> None:
    """Pass on, once, what the user should know of the folder."""
    _notes.setdefault(text, False)
    _pass_on()


def listen(listener: Callable[[str], object]) -> None:
    """Have notes passed on to this function alone, those too that came before it."""
    _listeners[:] = [listener]
    _pass_on()


def _pass_on() -> None:
    for listener in _listeners:
        for text in [text for text, said in _notes.items() if not said]:
            _notes[text] = True
            listener(text)


# --- the folder ---------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def choose() -> Path:
    """The folder, made if need be; one for this process alone where none can be written or
    trusted."""
    try:
        folder = _wanted() / f"kernel-{digest()}"
        _make(folder)
        why = distrusted(folder)
        if not why:
            with tempfile.TemporaryFile(dir=folder):
                return folder
    except OSError as e:
        why = f"{e.filename or 'its folder'} cannot be written: {e.strerror or e}"
    except RuntimeError:
        why = "there is no home folder"
    return _for_this_process(why)


def _wanted() -> Path:
    """The folder of all compiled code; raises RuntimeError where nothing says which it is."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    if given:
        return Path(given).absolute()
    user = Path(os.environ.get("XDG_CACHE_HOME") or "")
    if not user.is_absolute():  # as its specification has it
        user = Path.home() / ".cache"
        if not user.is_absolute():
            raise RuntimeError
    return user / "quadrille"


def _make(folder: Path) -> None:
    """Create a folder and its parents, private to their owner."""
    if not folder.is_dir():
        _make(folder.parent)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)


def distrusted(folder: Path) -> str:
    """Why what lies in a folder may be another's work; empty where only the user can have put it
    there.

    Windows keeps each user's folders from the others by itself; there nothing is looked at.
    """
    if not hasattr(os, "geteuid"):
        return ""
    real = Path(os.path.realpath(folder))
    found = real.stat()
    if found.st_uid != os.geteuid():
        return f"{folder} belongs to another user"
    if found.st_mode & _OTHERS:
        return f"{folder} can be written by others (`chmod go-w` mends it)"
    for above in real.parents:
        found = above.stat()
        if found.st_uid not in (0, os.geteuid(), _overflow()):
            return f"{above}, in which it lies, belongs to another user"
        if _open_to_others(found):
            return f"{above}, in which it lies, can be written by others (`chmod go-w` mends it)"
    return ""


def _open_to_others(found: os.stat_result) -> bool:
    """Whether others may rename files in a folder; no if it is sticky or its group is the owner's
    own."""
    if not found.st_mode & _OTHERS or found.st_mode & stat.S_ISVTX:
        return False
    return bool(found.st_mode & stat.S_IWOTH) or not _is_private(found.st_gid)


def _is_private(group: int) -> bool:
    import grp
    import pwd

    try:
        me, entry = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return group == me.pw_gid and entry.gr_name == me.pw_name and set(entry.gr_mem) <= {me.pw_name}


def _overflow() -> int | None:
    """The user as whom files of users from outside a container appear, root's among them.

    None outside of one, where a user of this number is one like any other (``nobody``, as a rule).
    """
    try:
        if _UID_MAP.read_text("ascii").split() == _ALL_USERS:
            return None
        return int(_OVERFLOW.read_text("ascii"))
    except (OSError, ValueError):
        return None


_UID_MAP: Final = Path("/proc/self/uid_map")
"""The users of this process's user namespace: first inside, first outside, how many."""
_ALL_USERS: Final = ["0", "0", "4294967295"]
_OVERFLOW: Final = Path("/proc/sys/kernel/overflowuid")


def _for_this_process(why: str) -> Path:
    """A folder that is removed at exit; processes that this one starts find it by the
    environment."""
    note(f"what is compiled is kept for this process alone: {why}")
    try:
        made = Path(tempfile.mkdtemp(prefix="quadrille-kernel-"))
    except OSError:
        return Path(os.devnull) / "nowhere"  # then nothing is kept
    _temporary.append((made, os.getpid()))
    os.environ["NUMBA_CACHE_DIR"] = str(made)
    folder = made / f"kernel-{digest()}"
    folder.mkdir(mode=0o700)
    return folder


_temporary: Final[list[tuple[Path, int]]] = []


def remove_temporary() -> None:
    """Remove the folder of this process, if it has one; a process that ends without ``exit`` calls
    this first."""
    for folder, owner in _temporary:
        if owner == os.getpid():
            shutil.rmtree(folder, ignore_errors=True)


at_last(remove_temporary)


def is_warm(folder: Path, module: str) -> bool:
    """Whether what Python calls of a kernel (``kernel.mixed``) is in this cache folder."""
    return _mark_of(folder, module).exists()


def mark_warm(folder: Path, module: str) -> None:
    """Note that what Python calls of a kernel is compiled; not where it could not be kept."""
    with suppress(OSError):
        _mark_of(folder, module).touch()


def _mark_of(folder: Path, module: str) -> Path:
    return folder / f"{_MARK}-{module}"[:_LONGEST]
