"""The pages of the rules in ``docs/rules/``: ``python tools/regenerate.py`` writes them anew.

One page for each block of rules, made of the same pages that ``quadrille explain LEAF`` prints;
what a profile leaves at the neutral value is not listed.  ``docs/bid-fields.md`` has every field of
a bid in a table.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import TextWrapper
from typing import Any, Literal, get_args, get_origin

from quadrille_plugins.lookup.meanings import question_of
from quadrille_plugins.lookup.rule_page import (
    RulePage,
    default_text,
    parts,
    rule_page,
    use_text,
)

from quadrille_core import vocabulary
from quadrille_core.kinds import KINDS
from quadrille_core.profile.schema import block_docs
from quadrille_core.vocabulary import Leaf

PATH = re.compile(r"[a-z_]+(\.[a-z_*-]+)+(: \w+)?|quadrille check")
"""What stands in a sentence as it is typed."""
UNSAID = "neutral value; no source"
wrap = TextWrapper(120, break_on_hyphens=False).fill
FOLDER = Path(__file__).resolve().parent.parent / "docs" / "rules"
FIELDS = FOLDER.parent / "bid-fields.md"
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

BID = """# The fields of a bid

A plugin makes a bid of `quadrille_core.rules.Bid`, its fields by name, and those of `call` by `call=Call(queen_when="never")`
of the same module; a profile writes `bids.ID.FIELD`. A field in bold must be given. Both engines play every value of every field.
Each name leads to who has which value, by which source. `tools/regenerate.py` writes this page.

```python
Bid(title="Seven", rank=42, goal="at_least", tricks=7, needs=(SPADILLE,), may_undertake_vole=False)
```

| field | values | default | meaning |
|---|---|---|---|
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


def bid_fields() -> str:
    """The page with every field of a bid."""
    return BID + "".join(map(_field, blocks()["bids"]))


def _field(pattern: str) -> str:
    name, leaf = pattern.removeprefix("bids.*."), vocabulary.leaf_at(pattern)
    link = f"[`{name}`](rules/bids.md#{slug(pattern)})"
    default = f"`{leaf.default!r}`".replace("'", '"') if leaf.has_default else ""
    return (
        f"| {link if leaf.has_default else f'**{link}**'} | {_in_python(leaf.type, leaf)} | {default} "
        f"| {cell(leaf.doc)} |\n"
    )


def _in_python(hint: Any, leaf: Leaf) -> str:
    """What a field may be, as Python has it."""
    inner = get_args(hint)
    if get_origin(hint) is tuple:
        return f"a tuple of: {_in_python(inner[0], leaf)}"
    if get_origin(hint) is Literal:
        return ", ".join(f'`"{word}"`' for word in inner)
    if inner:
        return ", ".join(_in_python(one, leaf) for one in inner)
    numbers = f"{leaf.low} to {leaf.high}"
    known = {str: "a text", bool: "`True`, `False`", int: numbers, type(None): "`None`"}
    return known.get(hint, "a card, as `SPADILLE` of `quadrille_core.cards`")


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
    for title, rows in parts(page, " (choose with --reading)"):
        if title.startswith("in the profiles"):
            yield from _in_profiles(page)
        elif rows:
            yield f"\n{title[0].upper()}{title[1:]}:\n\n| | |\n|---|---|\n"
            yield from (f"| `{name}` | {cell(text)} |\n" for name, text in rows)
    if page.file:
        yield f"\n```yaml\n{page.file}```\n\nOr by hand: `{page.command}`\n"
    if page.says:
        yield f"\n{wrap(PATH.sub(lambda typed: f'`{typed[0]}`', page.says))}\n"


def _in_profiles(page: RulePage) -> Iterator[str]:
    """A row for each profile that says something of the rule."""
    said: dict[str, list[str]] = {}
    for use in page.in_use:
        if use.source != UNSAID:
            said.setdefault(use.profile, []).append(use_text(use.value, use.bids, use.source))
    yield "\nIn the profiles"
    if any(use.source == UNSAID for use in page.in_use):
        yield ", apart from those at the neutral value without a source" * bool(said)
        yield ": all at the neutral value, without a source.\n" * (not said)
    if said:
        yield ":\n\n| | |\n|---|---|\n"
        yield from (f"| `{name}` | {cell('; '.join(texts))} |\n" for name, texts in said.items())


def cell(text: str) -> str:
    """A text that fits a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
