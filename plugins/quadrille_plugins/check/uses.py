"""Help for plugins that are not written as the list of plugins wants them."""

import re
from typing import Any, Final

from quadrille_core.errors import Edit, Hint, Problem, Replace
from quadrille_core.features import installed
from quadrille_core.profile.located import LocatedMap, Node
from quadrille_core.registry import Registry

_NOTHING: Final = ("", "no", "none", "nothing")
_WORDS: Final = re.compile(r"(?!and\b)\b[\w-]+")
_LEFT_OUT: Final = re.compile(r"(?:no |not |without |-)([\w-]+)")


def plugin_use(problem: Problem, root: Node | None) -> Hint | None:
    """What to type for a plugin; None where the error is about none, or what is meant is not
    clear."""
    path, key = problem.data.get("path", ()), problem.data.get("key")
    if path[:1] != ("plugins",) and not (path == () and key == "plugin"):
        return None
    plain = root.to_plain() if isinstance(root, LocatedMap) else {}
    plugins = plain.get("plugins")
    match problem.variant, path:
        case "unknown-key", () if plugins is None:
            name = plain.get("plugin")
            return (
                _written(f"plugins: [{{plugin: {name}}}]")
                if isinstance(name, str) and len(name) <= 40
                else None
            )
        case "wrong-type", ("plugins",) if isinstance(plugins, str):
            return _of_text(plugins)
        case "wrong-type", ("plugins", int()) if isinstance(problem.data["value"], str):
            in_brackets = (
                problem.place is not None and "[" in problem.place.text[: problem.place.col]
            )
            return _of_item(problem.data["value"], in_brackets=in_brackets)
        case (("missing-key" | "unknown-key"), ("plugins", int(at))) if isinstance(
            plugins, list
        ) and at < len(plugins):
            use = plugins[at]
            if isinstance(use, dict):
                return (
                    _of_key(str(key), use)
                    if problem.variant == "unknown-key"
                    else _dropped(str(key), use)
                )
    return None


def _written(text: str) -> Replace | None:
    """The hint to write something; None for nothing."""
    return Replace(text, "write-code") if text else None


def _of_text(plugins: str) -> Hint | None:
    """A text instead of the list: nothing, a plugin that is left out, or several."""
    if (gone := _LEFT_OUT.fullmatch(plugins.strip())) is not None and gone[1] in installed():
        return _written(f"[{{plugin: {gone[1]}, drop: true}}]")
    return _written(
        "[]" if plugins.strip().lower() in _NOTHING else _of_words(_WORDS.findall(plugins))
    )


def _dropped(key: str, use: dict[str, Any]) -> Hint | None:
    """A plugin that is dropped by its name."""
    name = use.get("drop")
    is_one = key == "plugin" and isinstance(name, str) and name in installed()
    return _written(f"{{plugin: {name}, drop: true}}") if is_one else None


def _of_key(key: str, use: dict[str, Any]) -> Hint | None:
    """A plugin as a key with the value of its parameter, or a parameter beside its plugin."""
    if key in installed() and len(use) == 1 and (given := _given(key, use[key])):
        return _written(given)
    if (
        isinstance(use.get("plugin"), str)
        and key in _parameters(use["plugin"])
        and "with" not in use
    ):
        return Edit("under", ("with",))
    return None


def _of_item(text: str, *, in_brackets: bool) -> Hint | None:
    """A text in the list: a plugin that is left out, or several, which stand side by side in
    brackets alone."""
    if (gone := _LEFT_OUT.fullmatch(text.strip())) is not None and gone[1] in installed():
        return _written(f"{{plugin: {gone[1]}, drop: true}}")
    listed = _of_words(_WORDS.findall(text)) if in_brackets else ""
    return (
        _written(listed.removeprefix("[").removesuffix("]"))
        if listed.count("{plugin") > 1
        else None
    )


def _of_words(words: list[str]) -> str:
    """Words without commas, as a list: several plugins, or one with the value of a parameter; else
    empty."""
    words = list(dict.fromkeys(words))
    if len(words) < 2 or words[0] not in installed():
        return ""
    if set(words) <= set(installed()):
        return f"[{', '.join(f'{{plugin: {word}}}' for word in words)}]"
    given = _given(words[0], words[1]) if len(words) == 2 else ""
    return f"[{given}]" if given else ""


def _given(plugin: str, value: Any) -> str:
    """A plugin with the one parameter that may have such a value; empty where none or several
    may."""
    taking = [name for name, one in _parameters(plugin).items() if value in one.choices]
    plain = str(value).lower() if isinstance(value, bool) else value
    return f"{{plugin: {plugin}, with: {{{taking[0]}: {plain}}}}}" if len(taking) == 1 else ""


def _parameters(plugin: str) -> Any:
    loaded = Registry().load(plugin, None)
    return loaded.about.parameters if loaded is not None else {}
