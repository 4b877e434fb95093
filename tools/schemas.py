"""Put what the vocabulary has to say into the JSON Schemas: ``python tools/schemas.py [FOLDER]`` writes them anew.

Without a folder, those in ``schemas/``.
"""

import json
import sys
from pathlib import Path

from quadrille_core.profile.schema import kinds, schema_of
from quadrille_core.resources import schemas


def schema_text(name: str) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema_of(name), indent=1, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> list[Path]:
    """Write every schema to the folder; returns the files that changed."""
    changed = []
    for name in (*kinds(), "file"):
        path = folder / f"{name}.schema.json"
        text = schema_text(name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


if __name__ == "__main__":
    for changed in write_schemas(Path(sys.argv[1]) if len(sys.argv) > 1 else schemas()):
        print(f"wrote {changed}")  # noqa: T201
