"""An example of how to set a rule: a file of house rules, with the lines beside it without which it
could not act."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

_WIDEST: Final = 78
"""Characters of a line of a file; a longer list takes a line for each of its items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HowTo:
    """A setting that can be made: a rule set, a path in it and another value, which acts there.

    ``file`` passes ``quadrille check``, and what is played or paid differs by it.
    """

    profile: str
    path: str
    value: Any
    plugins: tuple[str, ...] = ()
    """Plugins that the file adds to the profile, since the rule acts with them alone."""
    beside: Mapping[str, Any] = field(default_factory=dict)
    """Other rules that the file sets, since the rule acts, or fits, with them alone."""
    tidies: bool = False
    """Whether the rule acts without what stands beside it too, and check has something to note
    then."""
    printed: bool = False
    """Whether the rule is only printed, so that nothing is played or paid differently."""
    stops: tuple[str, ...] = ()
    """Why rules of the profile cannot act any more beside it, where there is no example that stops
    none."""

    @property
    def settings(self) -> dict[str, Any]:
        """Every rule that the file sets, by path."""
        return {self.path: self.value, **self.beside}

    @property
    def reference(self) -> str:
        """The profile with the plugins, as it is typed."""
        return "+".join((self.profile, *self.plugins))

    @property
    def file(self) -> str:
        """A whole file of house rules."""
        plugins = (
            f"plugins: [{', '.join(f'{{plugin: {name}}}' for name in self.plugins)}]\n"
            if self.plugins
            else ""
        )
        return (
            f"kind: profile\nid: ours\ntitle: Our table\nextends: "
            f"{self.profile}\n{plugins}{self.rules}"
        )

    @property
    def rules(self) -> str:
        """The lines that set the rules."""
        lines: list[str] = []
        above: tuple[str, ...] = ()
        for path, value in sorted(self.settings.items(), key=self._in_order):
            *steps, last = ("rules", *path.split("."))
            same = next(
                (i for i, (a, b) in enumerate(zip(above, steps, strict=False)) if a != b),
                len(above),
            )
            lines += [f"{'  ' * i}{step}:" for i, step in enumerate(steps) if i >= same]
            lines += _lines(f"{'  ' * len(steps)}{last}:", value)
            above = tuple(steps)
        return "".join(f"{line}\n" for line in lines)

    def _in_order(self, item: tuple[str, Any]) -> tuple[bool, ...] | tuple[Any, ...]:
        """The rule first, then those of its blocks, the nearest first; each block stands once."""
        steps, own = item[0].split("."), self.path.split(".")
        return tuple((step != mine, step) for step, mine in zip(steps, own, strict=False))

    @property
    def command(self) -> str:
        """The command that shows the rule set with it."""
        return " ".join(
            [f"quadrille show {self.reference}", *(_set(p, v) for p, v in self.settings.items())]
        )

    @property
    def says(self) -> str:
        """What is to be said of the file: why it has further lines, or what becomes of other rules;
        often nothing."""
        if self.printed:
            return "It is only printed: whatever it is, the same is played and paid."
        told = []
        if names := [*(f"the plugin {name}" for name in self.plugins), *self.beside]:
            if self.tidies and not self.stops:
                told.append(
                    f"Without {listing(names)} it acts too, and quadrille check notes what it "
                    "does to other rules."
                )
            else:
                told.append(f"It needs {listing(names)} beside it.")
        if self.stops:
            why = "; ".join(self.stops)
            told.append(
                f"Some rules of {self.profile} cannot act beside it, as quadrille check notes: "
                f"{why}."
            )
        return " ".join(told)


def listing(names: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def plain(value: Any) -> str:
    """A value as YAML writes it in one line."""
    text: str = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, width=10_000, sort_keys=False
    )
    line = text.removesuffix("\n").removesuffix("...").strip()
    return (
        json.dumps(value, ensure_ascii=False) if "'" in line else line
    )  # a shell's quotes may stand around it


def _set(path: str, value: Any) -> str:
    setting = f"{path}={plain(value)}"
    return f"--set '{setting}'" if any(c in setting for c in " [{") else f"--set {setting}"


def _lines(head: str, value: Any) -> list[str]:
    line = f"{head} {plain(value)}"
    if len(line) <= _WIDEST or not isinstance(value, list):
        return [line]
    indent = " " * (len(head) - len(head.lstrip()) + 2)
    return [head, *(f"{indent}- {plain(item)}" for item in value)]
