"""The columns of exported deals on their page, ``docs/export.md``."""

from documents import ROOT
from quadrille_plugins.dealing.columns import columns_page

PAGE = ROOT / "docs" / "export.md"
BEGIN, END = "<!-- columns -->\n", "<!-- end of columns -->\n"


def page() -> str:
    """The page with the columns as the schema has them."""
    text = PAGE.read_text("utf-8")
    head, rest = text.split(BEGIN)
    return head + BEGIN + columns_page() + END + rest.split(END)[1]
