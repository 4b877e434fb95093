"""The JSON Schemas in ``schemas/``, with what the vocabulary has to say."""

import json
from typing import Final

from quadrille_core import resources
from quadrille_core.profile.schema import kinds, schema_of

FOLDER: Final = resources.schemas()


def schema_text(name: str) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema_of(name), indent=1, ensure_ascii=False) + "\n"


def names() -> list[str]:
    """The schemas that are generated."""
    return [*kinds(), "file"]
