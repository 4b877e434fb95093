"""Rules with their plain values as TEI feature structures, and back.

``null`` is the one symbol there is; text is always a ``string``, so that the word "none" and no
value stay apart. A list within a list is a feature structure of type ``list``, since TEI lets no
collection hold another.
"""

from collections.abc import Iterable
from typing import Any

_LIST = "item"


def add_rules(parent: Any, rules: Iterable[tuple[str, Any]]) -> None:
    """Add one feature structure with a feature for each rule; nothing when there is no rule."""
    rules = list(rules)
    if rules:
        _features(_child(parent, "fs", type="rules"), rules)


def rules_in(element: Any) -> list[tuple[str, Any]]:
    """The rules that an element's own feature structures hold, in their order."""
    return [pair for child in element if _name(child) == "fs" for pair in _pairs(child)]


def _features(structure: Any, pairs: Iterable[tuple[str, Any]]) -> None:
    for name, value in pairs:
        _add_value(_child(structure, "f", name=name), value)


def _add_value(parent: Any, value: Any, *, inside: bool = False) -> None:
    if value is None:
        _child(parent, "symbol", value="null")
    elif isinstance(value, bool):
        _child(parent, "binary", value="true" if value else "false")
    elif isinstance(value, int):
        _child(parent, "numeric", value=str(value))
    elif isinstance(value, str):
        _child(parent, "string").text = value
    elif isinstance(value, dict):
        _features(_child(parent, "fs", type="map"), value.items())
    elif inside:
        _add_value(_child(_child(parent, "fs", type="list"), "f", name=_LIST), value)
    else:
        collection = _child(parent, "vColl", org="list")
        for item in value:
            _add_value(collection, item, inside=True)


def _value(element: Any) -> Any:
    name = _name(element)
    if name == "symbol":
        return None
    if name == "binary":
        return element.get("value") == "true"
    if name == "numeric":
        return int(element.get("value"))
    if name == "string":
        return element.text or ""
    if name == "vColl":
        return [_value(item) for item in element]
    if element.get("type") == "list":
        return _value(element[0][0])
    return dict(_pairs(element))


def _pairs(structure: Any) -> list[tuple[str, Any]]:
    return [(feature.get("name"), _value(feature[0])) for feature in structure]


def _child(parent: Any, tag: str, **attributes: str) -> Any:
    child = parent.makeelement(parent.tag.partition("}")[0] + "}" + tag, attributes)
    parent.append(child)
    return child


def _name(element: Any) -> str:
    """The local name of an element."""
    return str(element.tag).rpartition("}")[2]
