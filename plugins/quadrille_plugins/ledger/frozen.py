"""The rules a session was started with, kept whole in its ledger and brought back without any
profile."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import lru_cache
from typing import Any

from quadrille_core import __version__, vocabulary
from quadrille_core.errors import LedgerError, Problem
from quadrille_core.frozen import frozen
from quadrille_core.rules import PluginUse, Rules
from quadrille_core.ruleset import Compiled, digest
from quadrille_core.vocabulary import MismatchError
from quadrille_plugins.shell.values import identity_to_plain


@frozen
class FrozenRules:
    """Rules with the citations they had when the session began."""

    rules: Rules
    sources: Mapping[str, str]

    def source_of(self, path: str) -> str:
        """The citation of a rule in short; empty when the path names no rule."""
        return self.sources.get(path, "")


def freeze(compiled: Compiled) -> dict[str, str]:
    """The columns of the session that hold its rules: identity, every leaf, every citation, as
    JSON."""
    leaves = vocabulary.dump(compiled.rules)
    identity = compiled.identity
    kept = identity_to_plain(identity) | {"uses": [asdict(p) for p in identity.plugins]}
    return {
        "identity": as_json(kept),
        "rules": as_json(leaves),
        "sources": as_json({path: compiled.source_of(path) for path in leaves}),
    }


def as_json(value: Any) -> str:
    """Rules as a ledger's columns hold them."""
    # the order of the leaves is that of the ladder, and stays
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def thaw(session: Mapping[str, Any], began_with: str) -> FrozenRules:
    """The rules out of a ledger's session row; ``began_with`` is the program's version that wrote
    it.

    A rule that the vocabulary has gained since stands at its neutral value, as it would have then.
    Raises LedgerError (Q907) when the vocabulary no longer holds a rule, or not that value of it,
    or when the leaves are not those of the digest.
    """
    return _thawed(
        session["rules"], session["sources"], json.dumps(session["identity"]), began_with
    )


@lru_cache(
    maxsize=4
)  # a server opens its ledger for every page, and the engine keeps tables by rules
def _thawed(rules_text: str, sources_text: str, identity_text: str, began_with: str) -> FrozenRules:
    leaves, sources, identity = map(json.loads, (rules_text, sources_text, identity_text))
    uses = [_plugin(p) for p in identity["uses"]]
    try:
        return FrozenRules(_built(leaves, uses, identity["digest"]), sources)
    except MismatchError as e:
        why = Problem("Q907", "other-kind-of-value", {"expected": e.problem})
    except KeyError as e:
        why = Problem("Q907", "unsaid-when-it-began", {"rule": e.args[0]})
    except ValueError as e:
        why = Problem("Q907", "own-words", {"words": e})
    same = began_with == __version__
    variant = "rules-of-another-tree" if same else "rules-of-another-version"
    raise LedgerError.of(variant, version=__version__, began=began_with, why=why)


def _built(leaves: dict[str, Any], uses: list[PluginUse], of_digest: str) -> Rules:
    """The rules of these leaves; raises ValueError, MismatchError or KeyError where they are not
    those of the digest, or cannot be said any more."""
    # what a plugin adds is plain data, for which it need not be installed any more
    plugins = {use.name for use in uses}
    for path in leaves:
        if vocabulary.pattern_of(path) is None and path.partition(".")[0] not in plugins:
            raise ValueError(f"there is no rule {path!r} any more")
    rules = vocabulary.build(leaves)
    now = vocabulary.dump(rules)
    for path, value in leaves.items():
        if now.get(path) != value:
            raise ValueError(f"{path} = {as_json(value)[:40]} cannot be said any more")
    if of_digest != digest(leaves, uses):
        raise ValueError("one of them was altered: they do not give the digest stored with them")
    return rules


def _plugin(kept: Mapping[str, Any]) -> PluginUse:
    known = {f.name for f in fields(PluginUse)}
    values = {k: v for k, v in kept.items() if k in known}
    return PluginUse(
        **{**values, "parameters": tuple((k, v) for k, v in values.get("parameters", ()))}
    )
