"""Manifests: what a study was asked, by which rules, and what it found, so that it can be run again
to the byte.

A manifest is JSON, the same bytes on any machine and with any number of workers.  It holds no date,
no time taken and no engine's name: the numbers depend on none of them.  Reading trusts nothing;
whatever is wrong is reported.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from quadrille_core import resources
from quadrille_core.errors import Place, UnreadableError
from quadrille_core.frozen import frozen
from quadrille_core.profile.validation import plain_faults
from quadrille_core.profile.yaml_strict import read_bytes
from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.json_file import read_json
from quadrille_plugins.shell.program import program
from quadrille_plugins.shell.values import Json, identity_to_plain
from quadrille_plugins.studies.equivalence import NEAR, UNDECIDED

FORM: Final = 1
"""The form of manifests that this version writes and reads."""
LONGEST_SHOWN: Final = 120
"""Characters of a value that a difference is shown with."""

SENTENCES: Final[Mapping[str, frozenset[str]]] = {
    "compare": frozenset({"paired.answer", "paired.share_payments_differ"}),
    "discriminate": frozenset({"pieces.in_use.says", "points.readings.says"}),
    "matters": frozenset({"findings.answer", "findings.example_of_payments", "findings.refusal"}),
    "rank": frozenset({"refused.reason"}),
}
"""By study the keys that a manifest leaves out, for wording is no result; named by those that lead
to them."""


# --- making -------------------------------------------------------------------------------------


def make_manifest(
    *,
    command: str,
    parameters: Json,
    compiled: Sequence[Compiled],
    results: Any,
    seed: int | None = None,
    bots: Sequence[str] = (),
    inputs: Sequence[str] = (),
    finished: bool = True,
    stopped_after: int | None = None,
) -> Json:
    """The manifest of a study; ``inputs`` are the files it read besides its profiles.

    ``stopped_after`` says of a study that was interrupted how many of its units were finished by
    then. Raises UnreadableError when one of the files is not there any more.
    """
    return {
        "kind": "manifest",
        "form": FORM,
        "program": program(),
        "command": command,
        "parameters": dict(parameters),
        "seed": seed,
        "bots": list(bots),
        "finished": finished,
        **({} if stopped_after is None else {"stopped_after": stopped_after}),
        "files": own_digests(compiled, inputs),
        "rule_sets": [rule_set_plain(c) for c in compiled],
        "results_sha256": digest_of(results),
        "results": results,
    }


def own_digests(compiled: Sequence[Compiled], inputs: Sequence[str] = ()) -> list[Json]:
    """The path and the SHA-256 of every file that a study read; raises UnreadableError when one is
    not there."""
    paths = dict.fromkeys((*(p for c in compiled for p in own_files(c)), *inputs))
    return [{"path": p, "sha256": sha256(read_bytes(p)).hexdigest()} for p in paths]


def own_files(compiled: Compiled) -> list[str]:
    """The paths of the profiles in a rule set's chain that are not shipped, as they were given, the
    child's first."""
    shipped = resources.variants().resolve()
    paths = [Path(doc.place.path) for doc in reversed(compiled.chain) if doc.place.path]
    paths += map(Path, compiled.identity.witness_files)
    return [p.as_posix() for p in paths if p.resolve().parent != shipped]


def rule_set_plain(compiled: Compiled) -> Json:
    """A rule set as a manifest names it: all that is needed to compile it again, and what came of
    it."""
    return {**identity_plain(compiled), "rules": compiled.values}


def identity_plain(compiled: Compiled) -> Json:
    """All that is needed to compile a rule set again, and the digest of what came of it."""
    identity = compiled.identity
    named = identity_to_plain(identity)
    return {
        "reference": identity.reference,
        "profile": identity.profile,
        "witness": identity.witness,
        "readings": named["readings"],
        "settings": {path: json.loads(value) for path, value in identity.settings},
        "plugins": named["plugins"],
        "digest": identity.digest,
    }


def without_sentences(command: str, results: Any) -> Any:
    """The results of a study as a manifest keeps them: all but what says in other words what its
    numbers say."""
    return _without(results, SENTENCES.get(command, frozenset()))


def _without(value: Any, paths: frozenset[str], path: str = "") -> Any:
    if isinstance(value, dict):
        return {
            k: _without(v, paths, f"{path}{k}.") for k, v in value.items() if path + k not in paths
        }
    return [_without(v, paths, path) for v in value] if isinstance(value, list) else value


def digest_of(results: Any) -> str:
    """The SHA-256 of results as JSON without blanks, in UTF-8, keys in their order: one byte of
    difference shows."""
    return sha256(
        json.dumps(results, ensure_ascii=False, separators=(",", ":")).encode()
    ).hexdigest()


def manifest_text(manifest: Any) -> str:
    """A manifest, or other plain data of a study, as the text of its file."""
    return json.dumps(manifest, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


# --- reading ------------------------------------------------------------------------------------


def read_manifest(path: str | Path) -> Json:
    """The manifest in a file, checked against its schema; raises UnreadableError with every fault.

    Its results must match their digest.
    """
    place, data = Place(str(path)), read_json(path)
    if not isinstance(data, dict) or data.get("kind") != "manifest":
        raise UnreadableError.of("no-manifest", place=place)
    try:
        faults = plain_faults(data, "manifest")
        if data.get("form") not in (FORM, None) and isinstance(data.get("form"), int):
            forms = {"form": data["form"], "read": FORM}
            raise UnreadableError.of("manifest-of-another-form", place=place, **forms)
        if faults:
            raise UnreadableError([replace(f, place=place) for f in faults])
        if digest_of(data["results"]) != data["results_sha256"]:
            raise UnreadableError.of("results-of-another-digest", place=place)
    except RecursionError:
        raise UnreadableError.of("json-too-deep", place=place) from None
    except UnicodeEncodeError:
        raise UnreadableError.of("half-a-surrogate", place=place) from None
    return data


# --- what differs -------------------------------------------------------------------------------


@frozen
class Difference:
    """The first difference between a study and its manifest: where, and both values."""

    what: str
    """program, plugin, file, rules, parameters or results."""
    path: str
    then: Any
    now: Any
    rules: tuple[tuple[str, Any, Any], ...] = ()
    """Of rules, those that differ: path, value then, value now."""

    def text(self) -> str:
        """One line for each thing that differs."""
        head = (
            f"{self.what}: {cut(self.path)}: {shown(self.then)} in the manifest, "
            f"{shown(self.now)} now"
        )
        lines = (
            f"  {cut(path)}: {shown(then)}, now {shown(now)}" for path, then, now in self.rules
        )
        return "\n".join([head, *lines])


class _Nothing:
    def __repr__(self) -> str:
        return "nothing"


NOTHING: Final = _Nothing()
"""What stands where one side has no value."""


def shown(value: Any) -> str:
    """A value cut to what a line can bear."""
    if value is NOTHING:
        return "nothing"
    return cut(json.dumps(value, ensure_ascii=False))


def cut(text: str) -> str:
    """What a stranger's text may show in a line: no more than fits, and nothing that a terminal
    would obey."""
    plain = "".join(c if c.isprintable() else "�" for c in text[:LONGEST_SHOWN])
    return plain if len(text) <= LONGEST_SHOWN else plain[:-1] + "…"


def rule_set_difference(then: Json, now: Compiled) -> Difference | None:
    """How a rule set differs from the one of that name in the manifest: a plugin's version, else
    rules; else None."""
    mine = rule_set_plain(now)
    for path, before, after in differences(then["plugins"], mine["plugins"]):
        return Difference(
            what="plugin", path=f"{then['reference']}: plugins{path}", then=before, now=after
        )
    if then["digest"] == mine["digest"]:
        return None
    rules = {**dict.fromkeys(then["rules"]), **dict.fromkeys(mine["rules"])}
    pairs = ((p, then["rules"].get(p, NOTHING), mine["rules"].get(p, NOTHING)) for p in rules)
    differing = tuple((p, a, b) for p, a, b in pairs if not same(a, b) and not p.endswith(".title"))
    path = f"{then['reference']}: digest"
    return Difference(
        what="rules", path=path, then=then["digest"], now=mine["digest"], rules=differing
    )


def results_difference(then: Any, now: Any) -> Difference | None:
    """The first result that differs, by its path; None when they agree to the byte."""
    for path, before, after in differences(then, now):
        return Difference(what="results", path=path.removeprefix("."), then=before, now=after)
    return None


def stated(then: Any, now: Any) -> Any:
    """What is found now of all that a manifest states; what is near is undecided where it does not
    tell them apart."""
    if isinstance(then, dict) and isinstance(now, dict):
        return {key: stated(then[key], value) for key, value in now.items() if key in then}
    if isinstance(then, list) and isinstance(now, list):
        return [*map(stated, then, now), *now[len(then) :]]
    return then if (then, now) == (UNDECIDED, NEAR) else now


def same(a: Any, b: Any) -> bool:
    """Whether two plain values are the same JSON: ``1``, ``1.0`` and ``true`` are not."""
    return next(differences(a, b), None) is None


def differences(a: Any, b: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every difference of two plain values in the order of the first: the path, and both values."""
    if type(a) is not type(b):
        yield path, a, b
    elif isinstance(a, dict):
        for key in a:
            yield from differences(a[key], b.get(key, NOTHING), f"{path}.{key}")
        yield from ((f"{path}.{key}", NOTHING, b[key]) for key in b if key not in a)
        if list(a) != list(b) and set(a) == set(b):
            yield f"{path} (the order of its keys)", list(a), list(b)
    elif isinstance(a, list):
        for number, (x, y) in enumerate(zip_longest(a, b, fillvalue=NOTHING)):
            yield from differences(x, y, f"{path}[{number}]")
    elif a != b:
        yield path, a, b
