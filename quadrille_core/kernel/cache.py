"""Where compiled code is kept: below ``$NUMBA_CACHE_DIR`` or the user's cache, by sources and processor."""

import os
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Final

import numba
from llvmlite import binding

_HERE: Final = Path(__file__).parent
_READ: Final = (_HERE, _HERE.parent / "tables")
"""The folders whose sources go into compiled code."""
_MARK: Final = "compiled"


def digest() -> str:
    """The state of the sources, of the compiler and of the processor it compiles for, in twelve digits."""
    found = sha256(f"{numba.__version__} {processor()}".encode())
    for folder in _READ:
        for path in sorted(folder.glob("*.py")):
            found.update(path.name.encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:12]


def processor() -> str:
    """What Numba compiles for: it keeps code for one processor apart from that for another."""
    chosen = vars(numba.config)
    name, features = chosen.get("CPU_NAME"), chosen.get("CPU_FEATURES")
    return f"{name or binding.get_host_cpu_name()} {features or binding.get_host_cpu_features().flatten()}"


def choose() -> Path:
    """Point Numba to the folder, made if need be; one for this process alone where none can be written."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "quadrille"
    folder = (Path(given) if given else user) / f"kernel-{digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="quadrille-kernel-"))
    vars(numba.config)["CACHE_DIR"] = str(folder)
    return folder


def is_warm(folder: Path) -> bool:
    """Whether everything has been compiled into this folder before."""
    return (folder / _MARK).exists()


def mark_warm(folder: Path) -> None:
    """Note that everything is compiled."""
    (folder / _MARK).touch()
