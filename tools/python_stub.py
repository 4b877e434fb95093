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
PACKAGES: Final = "quadrille_plugins", "quadrille_core"
"""Where the names come from, in the order in which the linter wants their imports."""
_HOME: Final = re.compile(r"\b(quadrille_plugins\.shell\.api|typing)\.")


def page() -> str:
    """The stub: what is imported elsewhere by its name, and each function with its signature."""
    names, functions = [], []
    for name in sorted(set(q.__all__) - {"__version__"}):
        found = getattr(q, name)
        if inspect.isfunction(found):
            functions.append(_function(name, found))
        else:
            names.append(f"from {found.__module__} import {name} as {name}\n")
    groups = (sorted(n for n in names if f"from {of}." in n) for of in PACKAGES)
    imported = "\n".join("".join(group) for group in groups)
    return "".join([HEAD, imported, "\n", *functions, "\n", LAST])


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
