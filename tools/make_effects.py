"""What the shipped study of a rule set says of each reading, for the pages:
``python tools/regenerate.py``.

The manifests in ``docs/studies`` are not installed with the program; the pages need of them a few
numbers a reading.
"""

import json
from pathlib import Path
from typing import Any, Final

import yaml
from quadrille_plugins.shell.json_file import json_bytes
from quadrille_plugins.studies.words import column_name
from run_studies import manifest_file

from quadrille_core.ruleset import compile_reference

ROOT: Final = Path(__file__).resolve().parents[1]
STUDY: Final = "quanti-1822"
RUN: Final = "long/matters"
FILE: Final = ROOT / "plugins" / "quadrille_plugins" / "shell" / "shipped_effects.json"
KEPT: Final = ("mean", "low", "high", "held_against", "verdict")


def made() -> str:
    """The text of the file."""
    folder = ROOT / "docs" / "studies" / STUDY
    manifest = json.loads(json_bytes(manifest_file(folder, RUN)))
    command = yaml.safe_load((folder / "study.yaml").read_text("utf-8"))["runs"][RUN]
    results, design = manifest["results"], manifest["results"]["design"]
    compiled = compile_reference(results["rules"]["profile"])
    in_use = {state.point.id: state.reading.id for state in compiled.points}
    whole = {
        "study": STUDY,
        "profile": results["rules"]["profile"],
        "digest": results["rules"]["digest"],
        "command": f"quadrille {command}",
        "manifest": manifest_file(folder, RUN).relative_to(ROOT).as_posix(),
        "program": manifest["program"]["version"],
        "results_sha256": manifest["results_sha256"],
        "bots": design["bots"],
        "session_deals": design["session_deals"],
        "seed": design["seed"],
        "findings": [finding(one, in_use) for one in results["findings"]],
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def finding(found: dict[str, Any], in_use: dict[str, str]) -> dict[str, Any]:
    """One alternative reading."""
    players = 4
    total = found.get("effects", {}).get("total", {})
    return {
        "point": found["point"],
        "reading": found["reading"],
        "instead_of": in_use[found["point"]],
        "verdict": found["verdict"],
        "matched_starts": found["matched_starts"],
        "diverge": found["diverge"],
        "share": found["share"],
        "share_payments_differ": found["share_payments_differ"],
        "total": {
            partition: [
                {"who": column_name(name, players), "seen": bool(e["sessions_that_differ"])}
                | {k: e[k] for k in KEPT}
                for name, e in columns.items()
            ]
            for partition, columns in total.items()
        },
    }
