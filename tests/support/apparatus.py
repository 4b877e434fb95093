"""Every shipped rule set and its apparatus."""

from functools import cache

import yaml
from quadrille_plugins.apparatus.model import apparatus_of

from quadrille_core import resources
from quadrille_core.ruleset import compile_reference

PLAIN = {n: yaml.safe_load(p.read_text("utf-8")) for n, p in resources.shipped_profiles().items()}


PLAYED = sorted(n for n, plain in PLAIN.items() if not plain.get("abstract"))


def lineage(name):
    """A profile and those it extends, root first, as plain YAML."""
    plain = PLAIN[name]
    return [*(lineage(plain["extends"]) if "extends" in plain else []), plain]


def merged(name, key):
    return {k: v for plain in lineage(name) for k, v in plain.get(key, {}).items()}


def witnesses(name):
    return [None, *merged(name, "witnesses")]


RULE_SETS = [(n, w) for n in PLAYED for w in witnesses(n)]


compiled = cache(compile_reference)


def made(name, witness=None, only=(), **more):
    reference = f"{name}@{witness}" if witness else name
    return apparatus_of(compile_reference(reference, **more) if more else compiled(reference), only)
