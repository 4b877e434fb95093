"""The page of file formats says what the schemas say."""

import formats_table
import pytest

from quadrille_core.profile.schema import kinds, schema_of


@pytest.mark.parametrize("kind", kinds())
def test_every_key_of_a_format_is_on_the_page_with_its_meaning(kind):
    """What a reader looks up is there: each key, required ones in bold, and the schema's own
    words."""
    schema = schema_of(kind)
    text = formats_table.page()
    for key, value in schema.get("properties", {}).items():
        shown = f"**`{key}`**" if key in schema.get("required", ()) else f"`{key}`"
        assert f"| {shown} | " in text
        assert " ".join(value.get("description", "").split()).replace("|", "\\|") in text
    assert f"](../schemas/{kind}.schema.json)" in text


def test_amounts_are_told_from_texts_and_bounds_are_given():
    """Three kinds of value as a reader sees them."""
    amount = {"type": ["integer", "string"], "pattern": "^[0-9]+(/[0-9]+)?$"}
    assert formats_table.value_text(amount, {}) == "amount"
    assert (
        formats_table.value_text({"type": ["integer", "null"], "minimum": 1}, {})
        == "whole number or null, 1 or more"
    )
    assert (
        formats_table.value_text({"type": "array", "items": {"enum": ["a", None]}}, {})
        == "list of `a`, `null`"
    )
