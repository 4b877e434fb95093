"""Hints as a page gives them: what a shell would type stands there as what to tap."""

import re
from typing import Final

SHELL: Final = re.compile(r"`(?:quadrille|session)\b|(?<![\w-])--[a-z]|\bthe command\b")
"""Words that help nobody who has no shell."""
_INSTEAD: Final = (
    (re.compile("name each with --player, "), "name each, "),
    (re.compile("look with `session show`"), "look at the ledger as it stands"),
    (re.compile("`session correct` records it again"), "correct the deal to record it again"),
    (
        re.compile("end it with `session end`; a mistake is mended with `session correct`"),
        "settle up to end it; a mistake is mended by correcting its deal",
    ),
    (re.compile("run the command again when the other is done"), "send the form again"),
    (re.compile("give both, such as --tricks .*"), "say under More how many of them Hombre made"),
)


def for_pages(hint: str) -> str:
    """The hint without a shell's words; empty where nothing is left that could be done here."""
    for known, instead in _INSTEAD:
        hint = known.sub(instead, hint)
    return "" if SHELL.search(hint) else hint
