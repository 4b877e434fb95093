"""Every shipped rule set and its apparatus."""

import atexit
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import documents
import yaml
from quadrille_plugins.apparatus.model import apparatus_of

from quadrille_core import resources
from quadrille_core.ruleset import compile_reference, load_chain
from support.data import of_yaml

PLAIN = {n: of_yaml(p) for n, p in resources.shipped_profiles().items()}


PLAYED = sorted(n for n, plain in PLAIN.items() if not plain.get("abstract"))


def lineage(name):
    """A profile and those it extends, root first, as plain YAML."""
    plain = PLAIN[name]
    return [*(lineage(plain["extends"]) if "extends" in plain else []), plain]


def merged(name, key):
    return {k: v for plain in lineage(name) for k, v in plain.get(key, {}).items()}


def witnesses(name):
    return [None, *merged(name, "witnesses")]


@cache
def trial():
    """The text that the page of texts adds, in a file of this process."""
    folder = Path(mkdtemp(prefix="quadrille-text-"))
    atexit.register(rmtree, folder, ignore_errors=True)
    file = folder / "bath-1763.yaml"
    page = (documents.ROOT / "docs/your-text.md").read_text("utf-8")
    file.write_text(documents.files(page)[file.name], "utf-8")
    return file


def written(folder, name, **more):
    """A witness with this name in a file."""
    file = folder / f"{name}.yaml"
    about = {"kind": "witness", "id": name, "title": name, "source": {"title": name}}
    file.write_text(yaml.safe_dump(about | more), "utf-8")
    return str(file)


def answering(profile):
    """An answer to every point of a profile: its last reading."""
    points = load_chain(profile)[-1].points
    return {p.id: {"reads": p.readings[-1].id, "at": f"p. {n}"} for n, p in enumerate(points, 1)}


def table(compiled):
    """Every point and reading with each witness that has it, and each other text, and where."""
    points = [one.point for one in (*compiled.points, *compiled.closed)]
    return {
        (p.id, r.id, a.witness, a.at) for p in points for r in p.readings for a in r.attested
    } | {(p.id, r.id, *other) for p in points for r in p.readings for other in r.elsewhere}


DISPUTED = [
    name
    for name in resources.shipped_profiles()
    if (leaf := load_chain(name)[-1]).points and not leaf.abstract
]
"""The profiles that raise points of their own: those that a text can answer."""

RULE_SETS = [(n, w) for n in PLAYED for w in witnesses(n)]


compiled = cache(compile_reference)


def made(name, witness=None, only=(), **more):
    reference = f"{name}@{witness}" if witness else name
    if more or only or "/" in name:  # a file may be written anew under its name
        return apparatus_of(
            compile_reference(reference, **more) if more else compiled(reference), only
        )
    return _shipped(reference)


_shipped = cache(lambda reference: apparatus_of(compiled(reference), ()))
