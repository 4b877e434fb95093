"""Help for values of a wrong shape, by the line in which they stand: what leaves no doubt, so that
``check --fix`` can do it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from quadrille_core.errors import DidYouMean, Hint, Place, Problem, Replace
from quadrille_core.features import installed
from quadrille_core.profile.located import LocatedMap, Node
from quadrille_core.registry import Registry

_BEFORE_A_SIGN: Final = re.compile(r"([^',;]*[^',;\s])\s*([,;])")
_BLANKS: Final = re.compile(r"[^']+ [^']+")
_NOTHING: Final = ("", "no", "none", "nothing")
_WORDS: Final = re.compile(r"(?!and\b)\b[\w-]+")
_LEFT_OUT: Final = re.compile(r"(?:no |not |without |-)([\w-]+)")


def with_help_that_fits(problem: Problem, root: Node | None) -> Problem:
    """The error with a hint that can be typed where it stands, if there is one."""
    place, key = problem.place, problem.data.get("key", "")
    if place is None:
        return problem
    if problem.variant in ("no-blank", "identifier") and _BLANKS.fullmatch(key or _key(problem)):
        return _one_word(problem, key or _key(problem), place)
    value, path = problem.data.get("value"), problem.data.get("path", ())
    sign = _BEFORE_A_SIGN.fullmatch(value) if isinstance(value, str) else None
    if sign is not None:
        how = "without-comma" if sign[2] == "," else "without-semicolon"
        hint: Hint | None = Replace(sign[1], how)
    elif path[:1] == ("plugins",) or (path == () and key == "plugin"):
        hint = _of_plugins(problem, path, root)
    elif problem.data.get("types") == ["object"]:
        hint = _in_braces(problem.hint, place)
    else:
        return problem
    return replace(problem, hint=hint or problem.hint)


def _key(problem: Problem) -> str:
    return str(problem.data["value"]) if problem.data.get("is_key") else ""


def _one_word(problem: Problem, key: str, place: Place) -> Problem:
    """A key with a blank in it; what has no colon after it is none."""
    if not re.match(rf"[\"']?{re.escape(key)}[\"']? *:", place.text[place.col - 1 :]):
        return problem
    hint = DidYouMean(key, (key.replace(" ", "_"),))
    return Problem("Q207", "key-of-words", {"key": key}, place, hint)


def _in_braces(hint: Hint | None, place: Place) -> Hint | None:
    """A rule or reading with its value as a mapping in braces, where the line has a key before
    it."""
    before = place.text[: place.col - 1].rstrip()
    if not isinstance(hint, Replace) or "{" in hint.value or not before.endswith(":"):
        return None
    return replace(hint, value=f"{{{hint.value}}}")


def _of_plugins(problem: Problem, path: Sequence[Any], root: Node | None) -> Hint | None:
    """What to type for plugins that are not written as their list wants them."""
    value, key = problem.data.get("value"), problem.data.get("key")
    plain = root.to_plain() if isinstance(root, LocatedMap) else {}
    uses = plain.get("plugins")
    text = ""
    if isinstance(value, str) and problem.variant == "wrong-type":
        text = _uses(value.strip())
        if len(path) == 1:
            text = "[]" if value.strip().lower() in _NOTHING else text and f"[{text}]"
    elif problem.variant == "unknown-key" and not path and uses is None:
        text = f"plugins: [{{plugin: {plain.get('plugin')}}}]"
    elif problem.variant == "unknown-key" and isinstance(uses, list) and len(path) == 2:
        text = _given(str(key), uses[path[1]][key]) if len(uses[path[1]]) == 1 else ""
    return Replace(text, "write-code") if text else None


def _uses(text: str) -> str:
    """A text as items of the list: a plugin that is left out, several, or one with the value of a
    parameter."""
    if (gone := _LEFT_OUT.fullmatch(text)) is not None and gone[1] in installed():
        return f"{{plugin: {gone[1]}, drop: true}}"
    words = list(dict.fromkeys(_WORDS.findall(text)))
    if len(words) > 1 and set(words) <= set(installed()):
        return ", ".join(f"{{plugin: {word}}}" for word in words)
    return _given(*words) if len(words) == 2 else ""


def _given(plugin: str, value: Any) -> str:
    """A plugin with the one parameter that may have such a value; empty where none or several
    may."""
    loaded = Registry().load(plugin) if plugin in installed() else None
    parameters = loaded.about.parameters if loaded is not None else {}
    taking = [name for name, one in parameters.items() if value in one.choices]
    return f"{{plugin: {plugin}, with: {{{taking[0]}: {value}}}}}" if len(taking) == 1 else ""
