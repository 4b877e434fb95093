"""The columns of exported deals on their page, ``docs/export.md``."""

from documents import ROOT
from quadrille_plugins.dealing.columns import TABLES

PAGE = ROOT / "docs" / "export.md"
BEGIN, END = "<!-- columns -->\n", "<!-- end of columns -->\n"


def page() -> str:
    """The page with the columns as the schema has them."""
    text = PAGE.read_text("utf-8")
    head, rest = text.split(BEGIN)
    return head + BEGIN + columns_page() + END + rest.split(END)[1]


def columns_page() -> str:
    """The tables and their columns as Markdown, for the page of documentation."""
    parts = []
    for table in TABLES:
        rows = "".join(
            f"| `{c.name}` | {c.type}{', may be empty' if c.optional else ''} | {c.doc}"
            f"{' One of ' + ', '.join(f'`{v}`' for v in c.choices) + '.' if c.choices else ''} |\n"
            for c in table.columns
        )
        key = ", ".join(f"`{name}`" for name in table.primary_key)
        parts.append(
            f"### `{table.name}`\n\n{table.doc} Key: {key}.\n\n| column | type | meaning "
            f"|\n|---|---|---|\n{rows}"
        )
    return "\n".join(parts)
