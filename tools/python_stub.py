"""The types of the Python interface, ``quadrille_core/__init__.pyi``: its functions with the
parameters of their commands."""

import inspect
import re
from pathlib import Path
from typing import Final

import quadrille_core as q

FILE: Final = Path(q.__file__).with_name("__init__.pyi")
HEAD: Final = """\
# ruff: noqa: A001
import collections.abc
import fractions
import os
from typing import Any, Literal

"""
LAST: Final = """\
__all__: tuple[str, ...]
__version__: str
PROJECT: str
DISTRIBUTION: str
"""
_HOME: Final = re.compile(r"\b(quadrille_core\.api|typing)\.")


def page() -> str:
    """The stub: what is imported elsewhere by its name, and each function with its signature."""
    names, functions = [], []
    for name in sorted(set(q.__all__) - {"__version__"}):
        found = getattr(q, name)
        if inspect.isfunction(found):
            functions.append(_function(name, found))
        else:
            names.append(f"from {found.__module__} import {name} as {name}\n")
    return "".join([HEAD, *sorted(names), "\n", *functions, "\n", LAST])


def _function(name: str, found: object) -> str:
    signature = inspect.signature(found)  # type: ignore[arg-type]
    lines = []
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in "".join(lines):
            lines.append("    *,\n")
        lines.append(f"    {_HOME.sub('', str(parameter))},\n")
    result = _HOME.sub("", inspect.formatannotation(signature.return_annotation))
    text = f"def {name}(\n{''.join(lines)}) -> {result}: ...\n"
    return text.replace("'", '"')
