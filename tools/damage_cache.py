"""Damaged caches of compiled code: each is recovered from, with the right results.

``python tools/damage_cache.py`` damages 100 copies of the warm cache (hard links; what is damaged
is written anew), one entry that the study loads and three at random in each, runs the study in a
fresh process and holds its bytes against those of an undamaged run.  Every fifth then runs once
more, and has nothing to say. ``tests/kernel/test_cache.py`` runs a few.
"""

import argparse
import os
import pickle
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

STUDY = (
    "compare",
    "quanti-1822",
    "mediateur-1752",
    "--engine",
    "fast",
    "--deals",
    "240",
    "--workers",
    "1",
    "--format",
    "json",
)


class Planted:
    """A pickle that does something when it is loaded."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, ...]:
        return (Path.touch, (self.file,))


def _flip(data: bytes, chance: random.Random) -> bytes:
    spoiled = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 100))):
        spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
    return bytes(spoiled)


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "empty": lambda data, chance: b"",
    "cut": lambda data, chance: data[: chance.randrange(len(data))],
    "longer": lambda data, chance: data + b"\0" * chance.choice((1, 4096)),
    "flipped": _flip,
    "noise": lambda data, chance: chance.randbytes(len(data)),
    "zeros": lambda data, chance: bytes(len(data)),
    "a pickle": lambda data, chance: data[:17] + pickle.dumps(("no", "code")),
}


def damage(path: Path, others: list[Path], chance: random.Random, witness: Path) -> str:
    """Damage one file in one of many ways; returns in which."""
    kind = chance.choice((*DAMAGES, "another's", "a folder", "a link", "open to others", "planted"))
    data = path.read_bytes()
    path.unlink()  # a hard link
    if kind in DAMAGES:
        path.write_bytes(DAMAGES[kind](data, chance))
        path.chmod(0o600)
    elif kind == "another's":
        path.write_bytes(chance.choice([o for o in others if o != path]).read_bytes())
        path.chmod(0o600)
    elif kind == "a folder":
        path.mkdir()
    elif kind == "a link":
        path.symlink_to(chance.choice([o for o in others if o != path]))
    elif kind == "open to others":
        path.write_bytes(data)
        path.chmod(0o666)
    else:
        path.write_bytes(data[:49] + pickle.dumps(Planted(witness)))
        path.chmod(0o600)
    return kind


def copied(folder: Path, into: Path) -> Path:
    """A copy of a cache by hard links; returns its folder of entries."""
    copy = into / folder.name
    copy.mkdir(mode=0o700, parents=True)
    for file in folder.iterdir():
        if file.is_file() and (file.suffix == ".code" or file.name.startswith("compiled-")):
            os.link(file, copy / file.name)
    return copy


def study(cache: Path, line: tuple[str, ...] = STUDY) -> subprocess.CompletedProcess[bytes]:
    """The study run by a fresh process with its compiled code below that folder."""
    return subprocess.run(
        [sys.executable, "-m", "quadrille_core", *line],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        check=False,
    )


def loaded(line: tuple[str, ...] = STUDY) -> list[str]:
    """The names of the entries that the study loads."""
    code = (
        "import sys\n"
        "from quadrille_plugins.shell.main import run\n"
        "from quadrille_plugins.kernel import kept\n"
        "real, names = kept._read, []\n"
        "def reads(path):\n"
        "    names.append(path.name)\n"
        "    return real(path)\n"
        "kept._read = reads\n"
        "run(sys.argv[1:])\n"
        "sys.stderr.write('\\n'.join(['', *names]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *line], capture_output=True, text=True, check=False
    )
    return [name for name in done.stderr.splitlines() if name.endswith(".code")]


def attacks(many: int, seed: int, largest: int, folder: Path) -> list[str]:
    """Damage that many caches, one after the other; returns what went wrong."""
    from quadrille_plugins.kernel.cache import choose

    CACHE = choose()  # noqa: N806

    wanted = study(CACHE.parent)
    names = [n for n in dict.fromkeys(loaded()) if (CACHE / n).stat().st_size <= largest]
    if wanted.returncode or wanted.stderr or not names:
        raise SystemExit(f"the cache is not warm: {wanted.stderr.decode()[-500:]}")
    wrong = []
    for number in range(many):
        began, chance = time.monotonic(), random.Random(f"{seed}/{number}")
        place, witness = folder / str(number), folder / "witness"
        copy = copied(CACHE, place)
        entries = sorted(e for e in copy.glob("*.code") if e.stat().st_size <= largest)
        first = copy / names[number % len(names)]
        targets = [first, *chance.sample([e for e in entries if e != first], 3)]
        kinds = [damage(path, entries, chance, witness) for path in targets]
        done = study(place)
        told = done.stderr.decode()
        faults = []
        if done.returncode != wanted.returncode or done.stdout != wanted.stdout:
            faults.append(f"status {done.returncode}, {len(done.stdout)} bytes: {told[-300:]}")
        if told.count("compiled anew") != 1:
            faults.append(f"said {told!r}")
        again = study(place) if number % 5 == 0 else wanted
        if again.stdout != wanted.stdout or again.stderr:
            faults.append(f"not mended: {again.stderr.decode()[-300:]}")
        if witness.exists():
            witness.unlink()
            faults.append("a planted pickle ran")
        wrong += [f"{number} {first.name} {kinds[0]}: {fault}" for fault in faults]
        outcome = "WRONG" if faults else "recovered"
        say(
            f"{number:4} {kinds[0]:14} {first.name[:50]:50} {time.monotonic() - began:5.1f} s "
            f"{outcome}"
        )
        for file in copy.iterdir():
            file.rmdir() if file.is_dir() and not file.is_symlink() else file.unlink()
    return wrong


def say(text: str) -> None:
    """Write a line."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--caches", type=int, default=100)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument(
        "--largest", type=int, default=100_000, help="bytes of the largest entry that is damaged"
    )
    given = asked.parse_args()
    from quadrille_plugins.kernel.cache import choose

    CACHE = choose()  # noqa: N806

    with tempfile.TemporaryDirectory(dir=CACHE.parent, prefix="damaged-") as folder:
        wrong = attacks(given.caches, given.seed, given.largest, Path(folder))
    say(
        "\n".join(
            [
                *wrong,
                (
                    f"{given.caches} damaged caches, "
                    f"{given.caches - len({w.split()[0] for w in wrong})} recovered"
                ),
            ]
        )
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
