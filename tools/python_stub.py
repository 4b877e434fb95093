"""The types of the Python interface, ``quadrille_core/__init__.pyi``: its functions with the
parameters of their commands."""

import inspect
import re
from pathlib import Path
from textwrap import indent
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
SHELL: Final = "quadrille_plugins.shell.api"
_HOME: Final = re.compile(r"\b(quadrille_plugins\.shell\.api|typing)\.")


def page() -> str:
    """The stub: what is imported elsewhere by its name, and each function with its signature."""
    names, made = [], []
    for name in sorted(set(q.__all__) - {"__version__"}):
        found = getattr(q, name)
        if inspect.isfunction(found):
            made.append(_function(name, found))
        elif found.__module__ == SHELL:
            made.append(_class(found))
        else:
            names.append(f"from {found.__module__} import {name} as {name}\n")
    return "".join([HEAD, *sorted(names), "\n", *made, "\n", LAST])


def _class(kind: type) -> str:
    """A class of the shell with its public members, so that the core's types want no feature's."""
    base = "" if kind.__base__ is object else f"({kind.__base__.__name__})"
    members = [
        _property(name, of) for name, of in kind.__annotations__.items() if not name.startswith("_")
    ]
    for name, member in vars(kind).items():
        if isinstance(member, property):
            members.append(_property(name, inspect.signature(member.fget).return_annotation))
        elif inspect.isfunction(member) and not name.startswith("_"):
            members.append(indent(_function(name, member), "    "))
    text = f"class {kind.__name__}{base}:\n{''.join(members)}\n"
    return re.sub(r"(?<!\.)PathLike", "os.PathLike", re.sub("[\"']", "", _HOME.sub("", text)))


def _property(name: str, of: object) -> str:
    return f"    @property\n    def {name}(self) -> {inspect.formatannotation(of)}: ...\n"


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
