"""Plays deals and writes them as they come, so that any number of them takes the same memory."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import IO, Any, Final

from quadrille_core import __version__
from quadrille_core.ruleset import Compiled
from quadrille_plugins.dealing.columns import (
    RULE_SETS,
    TABLES,
    Row,
    TableSchema,
    json_line,
    package,
    rule_set_row,
)
from quadrille_plugins.dealing.playing import OTHERWISE, Exporting
from quadrille_plugins.shell.folders import new_folder
from quadrille_plugins.shell.parquet import ParquetFile
from quadrille_plugins.shell.values import identity_to_plain
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.runner.tasks import in_blocks

Report = Callable[[int, int, float], object]
BLOCK: Final = 200
"""Deals of a block: about a second of work."""


def session_lengths(compiled: Compiled, deals: int, length: int | None) -> list[int]:
    """How many deals each session has: full sessions, and what is left over last."""
    full = length or compiled.rules.table.session_deals
    whole, rest = divmod(deals, full)
    return [full] * whole + ([rest] if rest else [])


def rules_of_record(compiled: Compiled) -> Any:
    """How a line names its rules: by a reference, or with what was chosen by hand; the digest is in
    the table."""
    identity = compiled.identity
    if not identity.readings and not identity.settings:
        return identity.reference
    plain = identity_to_plain(identity)
    return {key: value for key, value in plain.items() if key not in ("plugins", "digest")}


def export(
    folder: Path,
    compiled: Sequence[Compiled],
    bots: Sequence[Sequence[str]],
    *,
    seed: int,
    deals: int,
    length: int | None,
    forms: Sequence[str],
    report: Report,
    engine: str,
    runner: Runner | None,
) -> Row:
    """Write the deals of every rule set into a new folder, and return its descriptor.

    ``bots`` are by rule set and chair; ``forms`` ``jsonl``, ``parquet`` or both.  Nothing is there
    until all is.  The bytes depend neither on the engine nor on the runner, by default this
    process.
    """
    began, done, total = time.monotonic(), 0, deals * len(compiled)
    with new_folder(folder) as place:
        with ExitStack() as files:
            running = files.enter_context(runner or Runner())
            tables = (
                {t.name: files.enter_context(_table(place, t)) for t in TABLES}
                if "parquet" in forms
                else {}
            )
            for number, one in enumerate(compiled, 1):
                row = rule_set_row(number, one)
                if tables:
                    tables["rule_sets"].write(row)
                if "jsonl" in forms:
                    with (place / "rule_sets.jsonl").open(
                        "a", encoding="utf-8", newline=""
                    ) as known:
                        known.write(json_line(row))
            for number, (one, names) in enumerate(zip(compiled, bots, strict=True), 1):
                named = rules_of_record(one)
                with ExitStack() as lines:
                    out: IO[str] | None = None
                    if "jsonl" in forms:
                        path = place / f"records-{number}.jsonl"
                        out = lines.enter_context(path.open("w", encoding="utf-8", newline=""))
                    work = Exporting(
                        number, one.ruleset, tuple(names), seed, engine, named, tuple(forms)
                    )
                    lengths = session_lengths(one, deals, length)
                    for some in running.run(
                        work, in_blocks(lengths, max(1, BLOCK // lengths[0])), independent=True
                    ):
                        if out is not None:
                            out.write(some.lines)
                        for name, rows in some.tables.items():
                            tables[name].write_table(rows)
                        done += some.deals
                        report(done, total, time.monotonic() - began)
        described = _descriptor(place, compiled, forms, seed=seed, bots=bots)
        text = json.dumps(described, ensure_ascii=False, indent=1) + "\n"
        (place / "datapackage.json").write_text(text, encoding="utf-8", newline="")
    return described


@contextmanager
def _table(place: Path, schema: TableSchema) -> Iterator[ParquetFile]:
    file = ParquetFile(place / f"{schema.name}.parquet", schema.columns, OTHERWISE)
    try:
        yield file
    except BaseException:
        file.close(whole=False)
        raise
    file.close()


def _descriptor(
    place: Path,
    compiled: Sequence[Compiled],
    forms: Sequence[str],
    *,
    seed: int,
    bots: Sequence[Sequence[str]],
) -> Row:
    found: list[tuple[TableSchema | None, str]] = []
    if "jsonl" in forms:
        found.append((RULE_SETS, "rule_sets.jsonl"))
        found += [(None, f"records-{number}.jsonl") for number in range(1, len(compiled) + 1)]
    if "parquet" in forms:
        found += [(t, f"{t.name}.parquet") for t in TABLES]
    resources = []
    for schema, path in found:
        with (place / path).open("rb") as file:
            resources.append((schema, path, file_digest(file, "sha256").hexdigest()))
    return package(
        resources,
        {
            "name": "quadrille-deals",
            "title": "Deals under " + ", ".join(c.identity.reference for c in compiled),
            "description": "Deals played by bots. Amounts are exact: numerator and denominator, "
            "in counters.",
            "version": __version__,
            "seed": seed,
            "bots": [list(names) for names in bots],
        },
    )
