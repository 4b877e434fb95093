"""Hints and answers as a page gives them: nothing there is for a shell."""

import re
from collections.abc import Mapping
from typing import Any, Final

from quadrille_core.diagnostics import SHELL as SHELL_DOOR
from quadrille_core.diagnostics import Command, Door, Hint, Option, Problem

SHELL: Final = re.compile(
    r"`(?:quadrille|session|save)\b|:\s+quadrille [a-z]|(?<![\w-])--[a-z]|\bthe command\b"
)
"""Words that help nobody who has no shell."""
_REST: Final = r"(?:[^\n\\]|\\\n)*"
"""The rest of a command: of its line, and of the next where a backslash says so."""


class _ForAShellError(Exception):
    """What is put in is a command or an option."""


class OnPage(Door):
    """Speaks to those who have a form and no shell: what needs one is left out, clause by
    clause."""

    kind = "page"

    def message(self, problem: Problem) -> str:
        """The sentence of a problem, as it is told everywhere."""
        return SHELL_DOOR.message(problem)

    def hint(self, hint: Hint | None) -> str:
        """What can be done on the page; empty where nothing can."""
        try:
            return super().hint(hint)
        except _ForAShellError:
            return ""

    def clause(self, template: str | Mapping[str, str], data: Mapping[str, Any]) -> str:
        """What of a help can be done on the page."""
        try:
            return super().clause(template, data)
        except _ForAShellError:
            return ""

    def command(self, command: Command) -> str:
        """There is none on a page."""
        raise _ForAShellError

    def option(self, option: Option) -> str:
        """There is none on a page."""
        raise _ForAShellError


PAGE: Final = OnPage()

_ANSWERS: Final = (
    (re.compile(r"; for more:\s--(?:seats|within)\b(?:[^.]|\.(?=\d))*"), ""),
    (re.compile(r"\s--within\s[\d.e-]*\d"), ""),
    (re.compile(r"--deals(\s)(\d+)"), r"\2\1deals"),
    (re.compile(r"--smallest(\s)(\d+)"), r"a smallest effect of\1\2"),
    (re.compile(rf"(\d+ rules? differs?), with sources:\s+quadrille diff {_REST}"), r"\1."),
    (
        re.compile(
            rf" Under\sanother\switness's\srules\sit\smay\sdiffer:\s+quadrille matters {_REST}"
        ),
        "",
    ),
    (re.compile(r"\n?--details shows [^.]*\."), ""),
)
"""What answers say of options and other commands, in the words of the form by which a page asks."""


def line_for_pages(line: str) -> str:
    """A line that a study has printed, without the clauses that want a shell."""
    return "; ".join(clause for clause in line.split("; ") if not SHELL.search(clause))


def answer_for_pages(text: str) -> str:
    """A paragraph of a study's answer without a shell's options."""
    for known, instead in _ANSWERS:
        text = known.sub(instead, text)
    return text
