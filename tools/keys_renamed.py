"""A manifest, or a study's JSON, with the present names of keys and without sentences: see ``studies.old_keys``.

python tools/keys_renamed.py MANIFEST.json            prints the manifest; its results get a new digest
python tools/keys_renamed.py RESULT.json STUDY        prints what a study printed by --format json
python tools/keys_renamed.py --write MANIFEST.json…   writes each manifest in place
"""

import json
import sys
from pathlib import Path

from quadrille_plugins.studies.manifest import manifest_text, present_manifest
from quadrille_plugins.studies.old_keys import RESULTS, with_present_keys, without_sentences


def present(text: str, study: str | None = None) -> str:
    """The text of a manifest, or of the results of a study, with the present names of keys."""
    data = json.loads(text)
    if study is None:
        return manifest_text(present_manifest(data))
    results = without_sentences(study, with_present_keys(data, RESULTS.get(study, {})))
    return json.dumps(results, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        for path in map(Path, sys.argv[2:]):
            path.write_text(present(path.read_text("utf-8")), "utf-8")
    else:
        sys.stdout.write(present(Path(sys.argv[1]).read_text("utf-8"), *sys.argv[2:3]))
