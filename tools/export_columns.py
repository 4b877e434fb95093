"""The columns of exported deals on their page: ``python tools/export_columns.py`` writes them anew."""

import sys

from documents import ROOT
from quadrille_plugins.dealing.columns import columns_page

PAGE = ROOT / "docs" / "export.md"
BEGIN, END = "<!-- columns -->\n", "<!-- end of columns -->\n"

if __name__ == "__main__":
    text = PAGE.read_text("utf-8")
    head, rest = text.split(BEGIN)
    PAGE.write_text(head + BEGIN + columns_page() + END + rest.split(END)[1], encoding="utf-8")
    sys.stdout.write(f"wrote {PAGE}\n")
