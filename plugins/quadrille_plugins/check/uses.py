"""Help for plugins that are not written as the list of plugins wants them."""

import re
from typing import Any, Final

from quadrille_core.errors import Problem
from quadrille_core.features import installed
from quadrille_core.profile.located import LocatedMap, Node
from quadrille_core.registry import Registry

_NOTHING: Final = ("", "no", "none", "nothing")
_WORDS: Final = re.compile(r"(?!and\b)\b[\w-]+")
_ITEM: Final = re.compile(r"plugins\[(\d{1,3})\] should be a mapping, not a text")
_LACKS: Final = re.compile(r"plugins\[(\d{1,3})\] has no plugin")
_LEFT_OUT: Final = re.compile(r"(?:no |not |without |-)([\w-]+)")
_IN_A_USE: Final = re.compile(r"'([^']+)' is no key in plugins\[(\d{1,3})\]")


def plugin_use(problem: Problem, root: Node | None) -> str:
    """What to type for a plugin; empty where the error is about none, or what is meant is not clear."""
    plain = root.to_plain() if isinstance(root, LocatedMap) else {}
    plugins = plain.get("plugins")
    if problem.code == "Q201" and problem.message == "'plugin' is no key" and plugins is None:
        name = plain.get("plugin")
        return f"write `plugins: [{{plugin: {name}}}]`" if isinstance(name, str) and len(name) <= 40 else ""
    if problem.code == "Q203" and isinstance(plugins, str) and problem.message.startswith("plugins should be"):
        if (gone := _LEFT_OUT.fullmatch(plugins.strip())) is not None and gone[1] in installed():
            return f"write `[{{plugin: {gone[1]}, drop: true}}]`"
        return "write `[]`" if plugins.strip().lower() in _NOTHING else _of_words(_WORDS.findall(plugins))
    if problem.code == "Q203" and isinstance(plugins, list) and (item := _ITEM.match(problem.message)) is not None:
        text = plugins[int(item[1])] if int(item[1]) < len(plugins) else None
        in_brackets = problem.place is not None and "[" in problem.place.text[: problem.place.col]
        return _of_item(text, in_brackets=in_brackets) if isinstance(text, str) else ""
    if (
        problem.code == "Q202"
        and isinstance(plugins, list)
        and (lacks := _LACKS.fullmatch(problem.message)) is not None
    ):
        item = plugins[int(lacks[1])] if int(lacks[1]) < len(plugins) else None
        dropped = item.get("drop") if isinstance(item, dict) else None
        is_one = isinstance(dropped, str) and dropped in installed()
        return f"write `{{plugin: {dropped}, drop: true}}`" if is_one else ""
    found = _IN_A_USE.fullmatch(problem.message)
    if problem.code != "Q201" or found is None or not isinstance(plugins, list) or int(found[2]) >= len(plugins):
        return ""
    use: Any = plugins[int(found[2])]
    if not isinstance(use, dict):
        return ""
    if found[1] in installed() and len(use) == 1 and (given := _given(found[1], use[found[1]])):
        return f"write `{given}`"
    if isinstance(use.get("plugin"), str) and found[1] in _parameters(use["plugin"]) and "with" not in use:
        return "put it under `with:`"
    return ""


def _of_item(text: str, *, in_brackets: bool) -> str:
    """A text in the list: a plugin that is left out, or several, which stand side by side in brackets alone."""
    if (gone := _LEFT_OUT.fullmatch(text.strip())) is not None and gone[1] in installed():
        return f"write `{{plugin: {gone[1]}, drop: true}}`"
    listed = _of_words(_WORDS.findall(text)) if in_brackets else ""
    return listed.replace("`[", "`").replace("]`", "`") if listed.count("{plugin") > 1 else ""


def _of_words(words: list[str]) -> str:
    """Words without commas: several plugins, or one with the value of a parameter."""
    words = list(dict.fromkeys(words))
    if len(words) < 2 or words[0] not in installed():
        return ""
    if set(words) <= set(installed()):
        return f"write `[{', '.join(f'{{plugin: {word}}}' for word in words)}]`"
    given = _given(words[0], words[1]) if len(words) == 2 else ""
    return f"write `[{given}]`" if given else ""


def _given(plugin: str, value: Any) -> str:
    """A plugin with the one parameter that may have such a value; empty where none or several may."""
    taking = [name for name, one in _parameters(plugin).items() if value in one.choices]
    plain = str(value).lower() if isinstance(value, bool) else value
    return f"{{plugin: {plugin}, with: {{{taking[0]}: {plain}}}}}" if len(taking) == 1 else ""


def _parameters(plugin: str) -> Any:
    loaded = Registry().load(plugin, None)
    return loaded.about.parameters if loaded is not None else {}
