"""The program as its wheel installs it, and a browser to look at it with."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

CHROMIUM = shutil.which("chromium")
ROOT = Path(__file__).parents[2]
PLAIN = """
import sys
sys.path.insert(0, sys.argv.pop(1))
sys.meta_path[:] = [finder for finder in sys.meta_path if "ditable" not in repr(finder)]  # the wheel, not the checkout
from quadrille_plugins.shell.main import main
main(sys.argv[1:])
"""


def installed_in(work: Path) -> Path:
    """A folder with the program as its wheel installs it, made in ``work``."""
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", work, ROOT], check=True
    )
    subprocess.run(
        [*pip, "install", "--no-deps", "--target", work / "site", *work.glob("*.whl")], check=True
    )
    return work / "site"


def serving(wheel: Path, *args: str) -> tuple[subprocess.Popen[str], str]:
    """The wheel's pages, and the address that they print."""
    command = [sys.executable, "-u", "-c", PLAIN, str(wheel), "serve", *args]
    process = subprocess.Popen(command, cwd=wheel, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, next(
        m[0] for line in process.stdout if (m := re.search(r"http://\S+", line))
    ).rstrip("/")
