"""One function's compiled code in one file, with a digest that is checked before anything of it is
believed.

Numba's own files are unpickled as they are found: an empty one ends the program, and a flipped bit
crashes it.  Here a file that is not whole, not for what was asked, or not this user's is removed,
and the function is compiled anew.  A file gets its name when it is complete, so that processes
which compile at once replace each other's by the same.
"""

import os
import pickle
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from quadrille_plugins.kernel import cache

_BEGINNING: Final = b"quadrille-code-1\n"
LARGEST: Final = 64 * 2**20
"""Bytes of the largest file that is read; the largest function takes a twentieth of it."""


class Kept:
    """Numba's on-disk cache of one function: asked before it compiles, given the result
    afterwards."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        """For the function, in that folder."""
        self._function, self._folder = function, folder

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled function from disk; None when it is missing, unreadable or not trusted."""
        target.refresh()
        key = self._key(signature, target.codegen())
        path = self._path(key)
        data = _read(path)
        if data is None:
            return None
        wanted = _BEGINNING + sha256(key + data[_HEAD:]).digest()
        if data[:_HEAD] == wanted:
            with suppress(Exception):  # whole, and yet not what this Numba can take
                return CompileResult._rebuild(target, *pickle.loads(data[_HEAD:]))  # noqa: S301 - checked
        _discard(path)
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled function; where that cannot be, say so and go on with what is in
        memory."""
        if compiled.library.has_dynamic_globals or any(
            not lifted.can_cache for lifted in compiled.lifted
        ):
            return
        key = self._key(signature, compiled.codegen)
        payload: bytes = dumps(compiled._reduce())
        try:
            _write(self._path(key), _BEGINNING + sha256(key + payload).digest() + payload)
        except OSError as e:
            missing.append(self._function.__name__)
            cache.note(f"compiled code cannot be kept in {self._folder}: {e.strerror or e}")

    def _path(self, key: bytes) -> Path:
        name = f"{self._function.__module__.rpartition('.')[2]}.{self._function.__qualname__}"
        plain = "".join(c if c.isalnum() or c in "._" else "-" for c in name)
        return self._folder / f"{plain[:100]}-{sha256(key).hexdigest()[:16]}.code"

    def _key(self, signature: Any, codegen: Any) -> bytes:
        """What the code is for: the function as it is written, its closure, its types and the
        processor."""
        code = self._function.__code__
        # a compiled function is known by its name, as where it is global: the folder is that of all
        # its sources
        held = (c.cell_contents for c in self._function.__closure__ or ())
        closure = tuple((c.__module__, c.__qualname__) if hasattr(c, "load") else c for c in held)
        parts = (
            self._function.__module__,
            self._function.__qualname__,
            str(code.co_firstlineno),
            str(signature),
            repr(codegen.magic_tuple()),
            sha256(code.co_code).hexdigest(),
            sha256(dumps(closure) if closure else b"").hexdigest(),
        )
        return "\0".join(parts).encode("utf-8", "surrogatepass")


missing: Final[list[str]] = []
"""Functions whose code could not be kept."""
_HEAD: Final = len(_BEGINNING) + sha256().digest_size


def _read(path: Path) -> bytes | None:
    """The bytes of a regular file owned by the user; else None."""
    try:
        handle = os.open(
            path,
            os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY,
        )
        try:
            found = os.fstat(handle)
            if stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST and _is_ours(found):
                with os.fdopen(handle, "rb", closefd=False) as file:
                    return file.read(LARGEST)
        finally:
            os.close(handle)
    except FileNotFoundError:
        return None
    except OSError:
        pass
    _discard(path)
    return None


_BINARY: Final = getattr(os, "O_BINARY", 0)


def _is_ours(found: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _discard(path: Path) -> None:
    cache.note(
        f"compiled code in {path.parent} is damaged, or not what was kept there: it is compiled "
        "anew"
    )
    try:
        path.unlink()
    except OSError:
        with suppress(OSError):
            path.rmdir()


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; raises OSError."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    handle = os.open(
        temporary,
        os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | _BINARY,
        0o600,
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
