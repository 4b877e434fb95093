"""A number of a few on the command line, which may be said in a word."""

from typing import Any, Final

import click

from quadrille_core.profile.words import in_digits

_NONE: Final = ("no", "none", "nothing")


class Counted(click.IntRange):
    """A whole number between bounds, or the word for it; ``none`` is 0."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; click says what is wrong with any other value."""
        word = value.strip().lower() if isinstance(value, str) else ""
        number: Any = "0" if word in _NONE else in_digits(word) or value
        return super().convert(number, param, ctx)
