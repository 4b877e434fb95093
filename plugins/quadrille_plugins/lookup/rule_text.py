"""The page of a rule as it is printed: for a person, and as rows."""

from collections.abc import Iterator, Sequence
from typing import Any

from quadrille_core.report.blocks import Block, Text
from quadrille_plugins.lookup.rule_page import RulePage
from quadrille_plugins.lookup.text import filled, listed
from quadrille_plugins.output.values import rule_value


def rule_blocks(page: RulePage) -> list[Block]:
    """The page of a rule for a person."""
    made: list[Block] = [
        Text("\n".join(filled(f"{page.pattern}: {page.asks}")), strong=True),
        Text("\n".join([*filled(page.doc, more=0), *filled(default_text(page), more=0)])),
        Text("\n".join(["values", *listed(list(page.values))])),
    ]
    for title, rows in parts(page):
        if rows:
            made.append(Text("\n".join([title, *listed(rows)])))
    if page.how is not None:
        lines = ["set it in a file", *(f"  {line}" for line in page.how.file.splitlines())]
        made.append(Text("\n".join([*lines, "or by hand", *filled(page.how.command, 2)])))
    if page.how_says:
        made.append(Text("\n".join(filled(page.how_says, more=0))))
    return made


def default_text(page: RulePage) -> str:
    """What stands where nobody sets the rule."""
    if page.neutral:
        return f"Neutral value, where no source mentions it: {page.neutral}."
    return "Every profile has to set it."


def parts(page: RulePage) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The parts of the page below its values, each with a title: who sets the rule to what, and what is said of it."""
    yield "in the profiles", [(u.profile, use_text(u.value, u.bids, u.source)) for u in page.in_use]
    yield (
        "in the readings (choose with --reading)",
        [(f"{r.point}={r.id}", f"{rule_value(r.value)}: {r.who}; {', '.join(r.profiles)}") for r in page.readings],
    )
    yield "by plugins", list(page.plugins)
    yield "what the texts say, in our words", [(p.source, f"{p.at}: {p.says}") for p in page.said]


def use_text(value: Any, bids: Sequence[str], source: str) -> str:
    """A value in use, the bids that have it, and its source, in a line."""
    return f"{rule_value(value)}{' at ' + ', '.join(bids) if bids else ''} ({source})"


def rule_rows(page: RulePage) -> tuple[Sequence[str], Sequence[Sequence[object]]]:
    """The page as rows: each allowed value, then who sets the rule to what."""
    rows = [("value", value, meaning, "") for value, meaning in page.values]
    rows += [("profile", rule_value(u.value), u.profile, u.source) for u in page.in_use]
    rows += [("reading", rule_value(r.value), f"{r.point}={r.id}", r.who) for r in page.readings]
    rows += [("plugin", value, name, "") for name, value in page.plugins]
    return ("part", "value", "meaning_or_name", "source"), rows
