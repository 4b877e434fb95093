"""The pages of the rules in ``docs/rules/``: ``python tools/regenerate.py`` writes them anew.

One page for each block of rules, made of the same pages that ``quadrille explain LEAF`` prints.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import TextWrapper

from quadrille_plugins.lookup.meanings import question_of
from quadrille_plugins.lookup.rule_page import RulePage, default_text, parts, rule_page

from quadrille_core import vocabulary
from quadrille_core.kinds import KINDS
from quadrille_core.profile.schema import block_docs

PATH = re.compile(r"[a-z_]+(\.[a-z_*-]+)+(: \w+)?|quadrille check")
"""What stands in a sentence as it is typed."""
wrap = TextWrapper(120, break_on_hyphens=False).fill
FOLDER = Path(__file__).resolve().parent.parent / "docs" / "rules"
MADE = (
    "These pages are written by `python tools/regenerate.py` from the profiles, the plugins "
    "and the vocabulary."
)
INDEX = f"""# The rules

Every rule that a rule set can set: the question it answers, its values and what each means, which shipped profiles and
readings set it to what and by which source, which plugins touch it, what the texts say, and how to set it.
Each example passes `quadrille check`, and what is played or paid differs by it, unless its page says otherwise.
`quadrille explain RULE` shows the same; `quadrille explain REF RULE` says where its value comes from in one rule set.
{MADE}
"""


def blocks() -> dict[str, list[str]]:
    """The patterns of the rules, by the block that they stand in."""
    found: dict[str, list[str]] = {}
    for kind in KINDS:
        for pattern in vocabulary.leaves(kind):
            found.setdefault(pattern.partition(".")[0], []).append(pattern)
    return found


page_of = cache(rule_page)
"""The page of a rule by its pattern."""


def files() -> dict[str, str]:
    """Every file of the folder by its name."""
    return {"README.md": index(), **{f"{block}.md": block_page(block) for block in blocks()}}


def index() -> str:
    """The page that lists all rules."""
    lines = [INDEX]
    for block, patterns in blocks().items():
        lines.append(
            f"\n## [{block}]({block}.md)\n\n{block_docs()[block]}\n\n| rule | question "
            f"|\n|---|---|\n"
        )
        lines += [f"| [`{p}`]({block}.md#{slug(p)}) | {question_of(p)} |\n" for p in patterns]
    return "".join(lines)


def slug(pattern: str) -> str:
    """The anchor of a rule's heading."""
    return re.sub(r"[^a-z0-9_-]", "", pattern)


def block_page(block: str) -> str:
    """The page of all rules of a block."""
    head = f"# Rules: {block}\n\n{block_docs()[block]} [All rules](README.md)\n"
    return head + "".join("".join(_rule(page_of(pattern))) for pattern in blocks()[block])


def _rule(page: RulePage) -> Iterator[str]:
    yield f"\n## `{page.pattern}`\n\n**{page.asks}** {page.doc}\n\n"
    yield f"Type: {page.type}. {default_text(page)}\n\n"
    yield "| value | meaning |\n|---|---|\n"
    yield from (f"| `{value}` | {cell(meaning)} |\n" for value, meaning in page.values)
    for title, rows in parts(page):
        if rows:
            yield f"\n{title[0].upper()}{title[1:]}:\n\n| | |\n|---|---|\n"
            yield from (f"| `{name}` | {cell(text)} |\n" for name, text in rows)
    if page.file:
        yield f"\n```yaml\n{page.file}```\n\nOr by hand: `{page.command}`\n"
    if page.says:
        yield f"\n{wrap(PATH.sub(lambda typed: f'`{typed[0]}`', page.says))}\n"


def cell(text: str) -> str:
    """A text that fits a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
