"""The codes of faults, as the page of errors lists them."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"
CODES = dict(re.findall(r"^\| (Q\d+) \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
"""Each code with its meaning."""
