"""Hints and answers as a page gives them: nothing there is for a shell."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from quadrille_core.diagnostics import SHELL as SHELL_DOOR
from quadrille_core.diagnostics import Command, Door, Hint, Option, Problem


class _ForAShellError(Exception):
    """What is put in is a command or an option."""


def _on_page(said: Callable[..., str], *of: Any) -> str:
    try:
        return said(*of)
    except _ForAShellError:
        return ""


class OnPage(Door):
    """Speaks to those who have a form and no shell: what needs one is left out, clause by
    clause."""

    kind = "page"

    def message(self, problem: Problem) -> str:
        """The sentence of a problem: that of pages, or what is told everywhere."""
        return _on_page(super().message, problem) or SHELL_DOOR.message(problem)

    def hint(self, hint: Hint | None) -> str:
        """What can be done on the page; empty where nothing can."""
        return _on_page(super().hint, hint)

    def clause(self, template: str | Mapping[str, str], data: Mapping[str, Any]) -> str:
        """What of a help can be done on the page."""
        return _on_page(super().clause, template, data)

    def command(self, command: Command) -> str:
        """There is none on a page."""
        raise _ForAShellError

    def option(self, option: Option) -> str:
        """There is none on a page."""
        raise _ForAShellError


PAGE: Final = OnPage()
