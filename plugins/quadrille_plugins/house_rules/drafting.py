"""The file of house rules that `quadrille new` writes: what is chosen, and what may be, each in a
line to uncomment."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import field
from textwrap import wrap
from typing import Any, Final

from quadrille_core import resources, vocabulary
from quadrille_core.errors import QuadrilleError
from quadrille_core.features import installed
from quadrille_core.frozen import frozen
from quadrille_core.hookspecs import About
from quadrille_core.registry import Registry
from quadrille_core.ruleset import Compiled, parse_reference
from quadrille_plugins.house_rules.idle import idle
from quadrille_plugins.shell.options import compile_all

USUAL: Final = (
    "stakes.ante",
    "stakes.ante_by",
    "table.purse",
    "auction.all_pass",
    "bids.*.made",
    "payments.premium.*",
    "payments.matadors.three",
    "payments.matadors.four",
    "payments.premiers",
    "payments.vole_premium.*.*",
    "payments.vole_stake.*.*",
    "loss.remise_adds",
    "loss.remise_pays",
    "loss.codille_adds",
    "loss.codille_pays",
    "loss.codille_items_times",
    "premiers.claim",
    "forcing.renege",
    "forcing.forced_by",
)
"""The rules that tables vary most; `--all` offers every other besides."""


_NO_TEXT: Final = ("y", "n", "yes", "no", "on", "off", "true", "false", "null")


@frozen
class Draft:
    """What a file of house rules is to say: its title, what it starts from, and what is chosen."""

    compiled: Compiled
    id: str
    title: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    plugins: Sequence[str] = ()
    everything: bool = False
    among: frozenset[str] | None = None
    """The plugins that may be offered, and run to see whether they can be added; by default all
    that are installed."""


def text_of(draft: Draft) -> str:
    """The file: every line that begins ``#  `` is a rule to uncomment, and alone leaves the file
    without errors."""
    compiled, identity = draft.compiled, draft.compiled.identity
    lines = [
        (
            f"# House rules that start from {identity.profile}. What is not said here is as it is "
            "there."
        ),
        (
            "# A line that begins with # and two blanks is a rule as it stands: take away its #, "
            "and change its value."
        ),
        "kind: profile",
        f"id: {draft.id}",
        f"title: {_yaml(draft.title)}",
        f"extends: {_extended(compiled)}",
    ]
    if identity.witness:
        lines.append(f"default_witness: {identity.witness}")
    added = parse_reference(identity.reference).added
    chosen = {*draft.plugins, *(plugin.plugin for plugin in added)}
    offered = [
        f"#  - {{plugin: {name}}}    # {about.title}"
        for name, about in further(compiled, draft.among)
        if name not in chosen
    ]
    if chosen or offered:
        lines += ["", "# Whole mechanics; `quadrille list plugins` describes them.", "plugins:"]
    for plugin in added:
        given = ", ".join(f"{k}: {v}" for k, v in plugin.parameters)
        lines.append(f"  - {{plugin: {plugin.plugin}{f', with: {{{given}}}' if given else ''}}}")
    lines += [f"  - {{plugin: {name}}}" for name in draft.plugins]
    lines += offered
    lines += [
        "",
        (
            "# Single rules. `quadrille show` lists them all, `quadrille explain` says where they "
            "come from."
        ),
    ]
    lines += ["rules:", *_rules(draft)]
    if compiled.points:
        lines += [
            "",
            (
                f"# Points on which the books disagree: {len(compiled.points)}. `quadrille show` "
                "lists them."
            ),
        ]
    chosen_readings = dict(identity.readings)
    if chosen_readings:
        lines += [
            "readings:",
            *(f"  {point}: {reading}" for point, reading in chosen_readings.items()),
        ]
    if compiled.points and draft.everything:
        lines += [
            "# Here each has the reading in use, and after it the others.",
            *([] if chosen_readings else ["readings:"]),
        ]
    for state in compiled.points if draft.everything else ():
        if state.point.id in chosen_readings:
            continue
        others = [r.id for r in state.point.readings if r.id != state.reading.id]
        lines.append(
            f"#  {state.point.id}: {state.reading.id}    # {state.point.question} Or: "
            f"{', '.join(others)}."
        )
    return "\n".join(lines) + "\n"


def _rules(draft: Draft) -> Iterable[str]:
    """The rules by block: a block has one line, so that no key ever stands twice."""
    origins = draft.compiled.origins
    stopped = idle(draft.compiled)
    added = {path for path, _ in draft.compiled.game.rules.own.records}
    offered = [p for p in origins if p not in added and p not in stopped]
    usual = [p for p in offered if _is_usual(p)]
    offered = usual if usual and not draft.everything else offered
    wanted = [p for p in origins if p in draft.settings or p in offered]
    for block in dict.fromkeys(
        [*(p.split(".")[0] for p in draft.settings), *(p.split(".")[0] for p in wanted)]
    ):
        below = [p for p in (*wanted, *draft.settings) if p.split(".")[0] == block]
        below = list(dict.fromkeys(below))
        live = {p: draft.settings[p] for p in below if p in draft.settings}
        open_ = {p: vocabulary.to_plain(origins[p].value) for p in below if p not in live}
        yield ""
        for pattern in dict.fromkeys(vocabulary.pattern_of(p) or p for p in below):
            leaf = vocabulary.leaf_at(pattern)
            words = f" One of: {', '.join(leaf.choices())}." if leaf.choices() else ""
            yield from wrap(
                f"# {pattern.partition('.')[2]}: {leaf.doc}{words}", 100, subsequent_indent="# "
            )
        if live:
            yield f"  {block}: {_flow(block, live)}"
            if open_:
                yield f"# As it stands, and may be added there: {_flow(block, open_)}"
        else:
            yield f"#  {block}: {_flow(block, open_)}"


def _is_usual(path: str) -> bool:
    return any(vocabulary.matches(p, path) and p.count(".") == path.count(".") for p in USUAL)


def _flow(block: str, values: Mapping[str, Any]) -> str:
    """Rules of one block as a mapping in braces."""
    tree: dict[str, Any] = {}
    for path, value in values.items():
        *steps, last = path.split(".")[1:]
        node = tree
        for step in steps:
            node = node.setdefault(step, {})
        node[last] = value
    del block
    return _yaml(tree)


def _yaml(value: Any) -> str:
    import yaml

    text = yaml.safe_dump(
        value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6
    )
    return str(text).strip().removesuffix("\n...")


def further(compiled: Compiled, among: Container[str] | None) -> Iterable[tuple[str, About]]:
    """The plugins ``among`` these, or all that are installed, that may be added to these rules as
    they are, each with what it is."""
    registry = Registry()
    for name in sorted(n for n in installed() if among is None or n in among):
        loaded = registry.load(name, None)
        if loaded is None or any(p.name == name for p in compiled.identity.plugins):
            continue
        try:
            with_it = compile_all([f"{compiled.identity.reference}+{name}"], [], [])[0]
        except QuadrilleError:
            continue
        if with_it.game.rules == compiled.game.rules:
            continue  # it is of another kind of game, and changes nothing here
        yield name, loaded.about


def identifier(stem: str, parent: str) -> str:
    """An id for the file, by its name; never its parent's."""
    name = re.sub(r"[^a-z0-9-]+", "-", stem.lower()).strip("-")
    # such as `n`, which YAML may read as false
    name = name if vocabulary.is_identifier(name) and name not in _NO_TEXT else "house-rules"
    return name if name != parent else f"{name}-house"


def _extended(compiled: Compiled) -> str:
    """How a profile names the one it extends: by its id when that is shipped, else by its path."""
    from pathlib import Path

    leaf = compiled.chain[-1]
    if leaf.id in resources.shipped_profiles() or leaf.place is None:
        return leaf.id
    return str(Path(leaf.place.path).resolve())
