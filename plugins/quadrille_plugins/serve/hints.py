"""Hints as a page gives them: what a shell would type stands there as what to tap."""

import re
from typing import Final

SHELL: Final = re.compile(r"`(?:quadrille|session|save)\b|:\s+quadrille [a-z]|(?<![\w-])--[a-z]|\bthe command\b")
"""Words that help nobody who has no shell."""
_REST: Final = r"(?:[^\n\\]|\\\n)*"
"""The rest of a command: of its line, and of the next where a backslash says so."""
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


_ANSWERS: Final = (
    (re.compile(r"; for more:\s--(?:seats|within)\b(?:[^.]|\.(?=\d))*"), ""),
    (re.compile(r"\s--within\s[\d.e-]*\d"), ""),
    (re.compile(r"--deals(\s)(\d+)"), r"\2\1deals"),
    (re.compile(r"--smallest(\s)(\d+)"), r"a smallest effect of\1\2"),
    (re.compile(rf"(\d+ rules? differs?), with sources:\s+quadrille diff {_REST}"), r"\1."),
    (re.compile(rf" Under\sanother\switness's\srules\sit\smay\sdiffer:\s+quadrille matters {_REST}"), ""),
    (re.compile(r"\n?--details shows [^.]*\."), ""),
)
"""What answers say of options and other commands, in the words of the form by which a page asks."""


def for_pages(hint: str) -> str:
    """The hint without the clauses that want a shell; empty where nothing is left that could be done here."""
    for known, instead in _INSTEAD:
        hint = known.sub(instead, hint)
    return "; ".join(clause for clause in hint.split("; ") if not SHELL.search(clause))


def answer_for_pages(text: str) -> str:
    """A paragraph of a study's answer without a shell's options."""
    for known, instead in _ANSWERS:
        text = known.sub(instead, text)
    return text
