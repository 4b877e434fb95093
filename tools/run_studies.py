"""The studies in docs/studies: run again by one command, and their tables written from what their
manifests hold.

    python tools/run_studies.py            every study: manifests, pictures and tables
    python tools/run_studies.py --tables   the tables alone, from the manifests that lie there

A study is a folder with ``study.yaml`` (the commands, and the pictures it shows) and ``README.md``,
whose tables stand between ``<!-- NAME -->`` and ``<!-- end NAME -->``.  A run named ``long/…``
takes long: its manifest is in a folder of that name, the tests hold its digests, and CI reruns the
study's other manifests only.  ``--only NAME`` runs one; ``--study FOLDER`` rebuilds one study.  A
study of texts (``study_texts.py``) has its rule files written first.
"""

import argparse
import gzip
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

import study_players
import study_texts
import yaml
from quadrille_plugins.shell.json_file import json_bytes
from quadrille_plugins.studies.equivalence import Answer
from quadrille_plugins.studies.pictures import svg_of

FOLDER = Path(__file__).parents[1] / "docs" / "studies"
MOST_PLAIN = 1_000_000
"""Bytes of a manifest that is kept as it is."""

Plain = dict[str, Any]


def studies() -> list[Path]:
    """The folders of all studies."""
    return sorted(p.parent for p in FOLDER.glob("*/study.yaml"))


def commands(folder: Path) -> dict[str, list[str]]:
    """The study's commands by name, as one would type them after ``quadrille``."""
    runs = yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))["runs"]
    return {name: line.split() for name, line in runs.items()}


def manifests(folder: Path) -> dict[str, Plain]:
    """The manifest of each command."""
    return {n: json.loads(json_bytes(manifest_file(folder, n))) for n in commands(folder)}


def manifest_file(folder: Path, name: str) -> Path:
    """Where the manifest of a command lies; one of more than a million bytes is compressed."""
    plain = folder / f"{name}.json"
    return plain if plain.exists() else plain.with_suffix(".json.gz")


def keep(manifest: bytes, folder: Path, name: str) -> None:
    """Keep a manifest, the same bytes whenever it is compressed."""
    file = folder / f"{name}.json"
    file.parent.mkdir(exist_ok=True)
    packed = file.with_suffix(".json.gz")
    for old in (file, packed):
        old.unlink(missing_ok=True)
    if len(manifest) > MOST_PLAIN:
        packed.write_bytes(gzip.compress(manifest, mtime=0))
    else:
        file.write_bytes(manifest)


def run(folder: Path, only: str | None = None) -> None:
    """Run every command of a study, or one, and keep its manifest and the pictures that the study
    shows."""
    shown = yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))["pictures"]
    for file, text in study_texts.rule_files(folder).items():
        (folder / "rules").mkdir(exist_ok=True)
        (folder / "rules" / f"{file}.yaml").write_text(text, encoding="utf-8")
    quadrille = shutil.which("quadrille", path=str(Path(sys.executable).parent)) or "quadrille"
    for name, line in commands(folder).items():
        if only is not None and name != only:
            continue
        sys.stderr.write(f"quadrille {' '.join(line)}\n")
        with tempfile.TemporaryDirectory() as made:
            out = Path(made)
            more = ["--manifest", str(out / "manifest.json"), "--pictures", str(out)]
            subprocess.run(
                [quadrille, *line, *more],
                check=True,
                stdout=subprocess.DEVNULL,
                cwd=FOLDER.parents[1],
            )
            keep((out / "manifest.json").read_bytes(), folder, name)
            for picture in shown.get(name, ()):
                shutil.copy(out / f"{picture}.svg", folder)


def is_of_texts(folder: Path) -> bool:
    """Whether a study has rule files of texts, and the tables of such a study."""
    return "texts" in yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))


# --- tables ---------------------------------------------------------------------------------------


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _percent(x: float) -> str:
    return f"{100 * x:.3g}"


def _odds(x: float) -> str:
    return f"1 in {round(1 / x):,}".replace(",", " ")


def span(e: Plain | None) -> str:
    """A mean with its interval, or that no session differs."""
    if e is None or not e["sessions_that_differ"]:
        return "no change seen"
    mean, low, high = (f"{e[name]:+.1f}" for name in ("mean", "low", "high"))
    return f"{mean} ({low} to {high})".replace("-", "\N{MINUS SIGN}")


def _shows(found: Plain) -> bool:
    """Whether the total effect on some seat or role excludes zero."""
    return any(e["low"] > 0 or e["high"] < 0 for e in _total(found).values())


def _total(found: Plain) -> dict[str, Plain]:
    """The total effect by column."""
    partitions = found.get("effects", {}).get("total", {})
    return {column: effect for columns in partitions.values() for column, effect in columns.items()}


def _sizes(found: Plain) -> str:
    """How many of the effects on seats and roles have each of the answers."""
    verdicts = [e["verdict"] for e in _total(found).values()]
    return ", ".join(f"{n} {v}" for v in get_args(Answer) if (n := verdicts.count(v)))


def _reading(found: Plain) -> str:
    return f"`{found['point']}={found['reading']}`"


def _weight(found: Plain) -> float:
    return -float(found["share"]["mean"] * (found.get("counters_that_move_differently") or 0))


def by_verdict(results: Plain, verdict: str) -> list[Plain]:
    """The findings of a verdict: what differs by its weight, what does not by name."""
    order: Callable[[Plain], Any] = _weight if verdict == "different" else _reading
    return sorted((f for f in results["findings"] if f["verdict"] == verdict), key=order)


def different(results: Plain) -> str:
    """The readings that make a difference, those first by which most counters move differently in
    the mean deal."""
    rows = [
        [
            _reading(f),
            _percent(f["share"]["mean"]),
            _percent(f["share_payments_differ"]["mean"]),
            f"{f['counters_that_move_differently']:.3g}",
            max(f["first_in"], key=f["first_in"].__getitem__),
            *(
                span(f["effects"].get(e, {}).get("roles", {}).get("hombre"))
                for e in ("total", "direct", "carried")
            ),
            _sizes(f),
        ]
        for f in by_verdict(results, "different")
        if f["diverge"]
    ]
    head = [
        "reading",
        "diverge, % of matched starts",
        "payments differ, %",
        "counters in one that diverges",
        "mostly in",
        "Hombre, a session: total",
        "direct",
        "carried",
        "effects on seats, roles and accounts",
    ]
    return _table(head, rows)


def only_searched(results: Plain) -> str:
    """The readings whose difference was found by targeted search alone."""
    rows = [
        [
            _reading(f),
            f"{f['matched_starts']:,}".replace(",", " "),
            _odds(f["share"]["high"]),
            _found(f),
        ]
        for f in by_verdict(results, "different")
        if not f["diverge"]
    ]
    return _table(
        ["reading", "matched starts, none of which diverged", "at most", "found by"], rows
    )


def _found(found: Plain) -> str:
    ways = [s["strategy"] for s in found.get("targeted_search", ()) if s["diverge"]]
    return ", ".join(ways) or "\N{EN DASH}"


def same(results: Plain) -> str:
    """The readings that made none."""
    rows = [
        [_reading(f), f"{f['matched_starts']:,}".replace(",", " "), _odds(f["share"]["high"])]
        for f in by_verdict(results, "no difference")
    ]
    return _table(["reading", "deals", "at most"], rows)


def refused(results: Plain) -> str:
    """The readings that cannot be taken alone, or make the same rules."""
    rows = [
        [_reading(f), f["verdict"]]
        for f in results["findings"]
        if f["verdict"] not in ("different", "no difference")
    ]
    return _table(["reading", "verdict"], rows) if rows else "None."


def counts(results: Plain) -> str:
    """The verdicts counted."""
    found: dict[str, int] = {}
    for f in results["findings"]:
        found[f["verdict"]] = found.get(f["verdict"], 0) + 1
    shown = sum(_shows(f) for f in results["findings"])
    points = len({f["point"] for f in results["findings"]})
    told = ", ".join(
        f"{n} *{verdict}*" for verdict, n in sorted(found.items(), key=lambda item: -item[1])
    )
    alternatives = len(results["findings"])
    return (
        f"{alternatives} alternative readings of {points} points: {told}. Of {shown} it is "
        "shown who gains by them."
    )


def ranked(results: Plain) -> str:
    """The first points of the ranking."""
    measure = results["design"]["measure"]
    rows = []
    for p in results["points"][:20]:
        effect = p["effects"][measure]
        size, own, depends = effect["size"], effect["as_they_are"], effect["depends"]
        place = (
            "\N{EN DASH}"
            if p["place"] is None
            else f"{p['place']} ({p['place_low']}\N{EN DASH}{p['place_high']})"
        )
        ends = f" ({size['low']:.1f} to {size['high']:.1f})" if size["low"] is not None else ""
        most = (
            f" (at most {size['high']:.1f})"
            if size["low"] is None and size["high"] is not None
            else ""
        )
        rows.append(
            [
                f"`{p['point']}`",
                place,
                f"{size['value']:.1f}{ends or most}",
                "\N{EN DASH}" if own is None else f"{own['value']:.1f}",
                "\N{EN DASH}" if depends is None else f"{100 * depends:.0f} %",
                p["verdicts"][measure]["verdict"],
            ]
        )
    return _table(
        ["point", "place", results["design"]["units"][measure], "own", "depends", "verdict"], rows
    )


def orders(results: Plain) -> str:
    """How far other players' orders agree, over the points above noise with both."""

    def tau(found: Plain | None) -> str:
        if found is None or found["value"] is None:
            return "too few above noise"
        ends = "" if found["low"] is None else f" ({found['low']:.2f} to {found['high']:.2f})"
        return f"{found['value']:.2f}{ends}, {len(found['points'])} points".replace(
            "-", "\N{MINUS SIGN}"
        )

    rows = [
        [
            ("steady, bids held" if o["held"] else ", ".join(dict.fromkeys(o["bots"]))),
            str(o["deals"]),
            *(tau(o["tau"].get(m)) for m in ("payments", "contracts", "seats")),
        ]
        for o in results["orders"][1:]
    ]
    return _table(["who plays", "deals", "payments", "contracts", "seats"], rows)


def design(folder: Path, found: dict[str, Plain]) -> str:
    """What was run, and the rules by their digest."""
    lines = "\n".join(f"quadrille {' '.join(line)}" for line in commands(folder).values())
    rules = next(iter(found.values()))["rule_sets"][0]
    return f"```sh\n{lines}\n```\n\nRules `{rules['profile']}#{rules['digest'][:12]}`."


TABLES: dict[str, tuple[str, Callable[[Plain], str]]] = {
    "counts": ("long/matters", counts),
    "different": ("long/matters", different),
    "only by targeted search": ("long/matters", only_searched),
    "same": ("long/matters", same),
    "refused": ("long/matters", refused),
    "ranked": ("long/rank", ranked),
    "orders": ("long/rank", orders),
}


def blocks(folder: Path) -> Iterator[tuple[str, str]]:
    """Every table that a study may hold, by name."""
    found = manifests(folder)
    yield "design", design(folder, found)
    for name, (run_name, make) in TABLES.items():
        if run_name in found:
            yield name, make(found[run_name]["results"])
    if study_players.is_of_players(folder):
        yield from study_players.tables(found)
    if is_of_texts(folder):
        yield from study_texts.tables(folder, found)


def written(folder: Path) -> str:
    """The study's text with its tables as the manifests have them."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    for name, table in blocks(folder):
        begin, end = f"<!-- {name} -->", f"<!-- end {name} -->"
        if begin in text:
            before, _, rest = text.partition(begin)
            _, _, after = rest.partition(end)
            text = f"{before}{begin}\n{table}\n{end}{after}"
    return text


def main() -> None:
    """Rebuild every study, or what is asked for."""
    parser = argparse.ArgumentParser(
        description="Run the studies in docs/studies again, and write their tables."
    )
    parser.add_argument(
        "--tables", action="store_true", help="write the tables alone, from the manifests there are"
    )
    parser.add_argument(
        "--study", choices=[f.name for f in studies()], help="rebuild this study alone"
    )
    parser.add_argument("--only", metavar="NAME", help="run this command of a study alone")
    asked = parser.parse_args()
    for folder in studies():
        if asked.study not in (None, folder.name):
            continue
        if not asked.tables:
            run(folder, asked.only)
        if missing := [n for n in commands(folder) if not manifest_file(folder, n).exists()]:
            sys.stderr.write(f"{folder.name}: no tables, for these were not run: {missing}\n")
            continue
        drawn = study_texts.pictures(folder, manifests(folder)) if is_of_texts(folder) else ()
        for picture in drawn:
            (folder / f"{picture.name}.svg").write_text(svg_of(picture), encoding="utf-8")
        (folder / "README.md").write_text(written(folder), encoding="utf-8")


if __name__ == "__main__":
    main()
