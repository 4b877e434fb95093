"""The page of file formats: ``python tools/formats_table.py`` writes it anew from the JSON Schemas
in ``schemas/``."""

import sys
from collections.abc import Iterator
from typing import Any, Final

from passages import ROOT

from quadrille_core.profile.schema import kinds, schema_of

PAGE: Final = ROOT / "docs" / "formats.md"
DEPTH: Final = 3
"""How many keys deep a table goes; the schema goes on."""
WORDS: Final = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "mapping",
    "array": "list",
    "null": "null",
}
HEAD: Final = """# File formats

What stands in the files that the program reads and writes. Profiles and bibliographies are YAML; the others may be YAML
or JSON. Each is checked against a JSON Schema (draft 2020-12), which editors use as well: for the YAML language server,
put `# yaml-language-server: $schema=PATH/profile.schema.json` at the head of a file. This page is generated from the
schemas by `python tools/formats_table.py`. A key in bold is required where its mapping stands.

In a key, `[]` stands for each item of a list and `*` for any name. An *amount* is a whole number, or a fraction in
text such as `"9/2"`, and never a floating-point number.

[`file.schema.json`](../schemas/file.schema.json) looks at `kind` and takes the schema for it. What is in a table of
deals: [a table of deals](studies.md#a-table-of-deals). What the rules are:
[every rule](sources.md#every-rule-and-what-it-rests-on). The apparatus in TEI has a RELAX NG schema,
[`apparatus.rng`](../schemas/apparatus.rng).
"""


def page() -> str:
    """The whole page."""
    return (
        "\n".join([HEAD, *(line for name in kinds() for line in _format(name, schema_of(name)))])
        + "\n"
    )


def _format(name: str, schema: dict[str, Any]) -> Iterator[str]:
    file = f"{name}.schema.json"
    yield f"## {schema['title'].removeprefix('Quadrille: ').capitalize()}\n"
    yield f"{schema['description']} [`{file}`](../schemas/{file})\n"
    yield "| key | value | meaning |\n|---|---|---|"
    yield from _rows(schema, schema, "")
    yield ""
    for of, inner in schema.get("$defs", {}).items():
        yield (
            f"### {name}: {of}\n\n{inner.get('description', '')}\n\n| key | value | meaning "
            f"|\n|---|---|---|"
        )
        yield from _rows(inner, schema, "")
        yield ""


def _rows(
    schema: dict[str, Any], whole: dict[str, Any], before: str, depth: int = 1
) -> Iterator[str]:
    """A row for each key below, as deep as the table goes."""
    for key, value in schema.get("properties", {}).items():
        path = before + key
        shown = f"**`{path}`**" if key in schema.get("required", ()) else f"`{path}`"
        yield f"| {shown} | {value_text(value, whole)} | {_cell(value.get('description', ''))} |"
        if depth < (DEPTH if not path.startswith("rules") else 2):  # rules have pages of their own
            for suffix, inner in _inner(value):
                yield from _rows(inner, whole, path + suffix + ".", depth + 1)


def _inner(value: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The schemas of what a value holds, each with what stands for it in a path."""
    yield "", value
    if isinstance(items := value.get("items"), dict):
        yield "[]", items
    for name in ("additionalProperties", "patternProperties"):
        held = value.get(name)
        for inner in held.values() if name == "patternProperties" and held else [held]:
            if isinstance(inner, dict):
                yield ".*", inner


def value_text(value: dict[str, Any], whole: dict[str, Any]) -> str:
    """What a value may be, in words."""
    if "$ref" in value:
        return f"a {value['$ref'].rpartition('/')[2]}"
    if "const" in value:
        return f"`{value['const']}`"
    if "enum" in value:
        return ", ".join(f"`{'null' if v is None else v}`" for v in value["enum"])
    for name in ("anyOf", "oneOf"):
        if name in value:
            return " or ".join(dict.fromkeys(value_text(v, whole) for v in value[name]))
    types = value.get("type", ())
    types = [types] if isinstance(types, str) else list(types)
    if {"integer", "string"} <= set(types) and "/" in value.get("pattern", ""):
        types = ["amount", *(t for t in types if t not in ("integer", "string"))]
    text = " or ".join(WORDS.get(t, t) for t in types) or "anything"
    low, high = value.get("minimum"), value.get("maximum")
    if low is not None and high is not None:
        text += f", {low} to {high}"
    elif low is not None:
        text += f", {low} or more"
    items = value.get("items")
    if isinstance(items, dict) and "list" in text and items.get("type") != "object":
        text += f" of {value_text(items, whole)}"
    return text


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.stdout.write(f"wrote {PAGE}\n")
