"""Puts ``tests`` on the path: a tool that shares a helper with the tests imports this first."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
