"""Quadrille: the variant rules of an 18th-century card game, as data that can be cited and played.

- ``q.load(ref)``: a rule set; ``q.list()``: those that are shipped; ``q.explain(word)``: what a
  word or rule is
- ``q.diff(ref, ref)``: the rules that differ; ``q.compare(ref, ref)``: the same deals under each
  rule set
- ``q.matters(ref, point)``: whether it matters how a point is read; ``q.deal(ref)``: a deal played
  by bots
- ``q.means(table)``: means of the table of deals that ``compare`` writes, by contract
- ``q.settle(result)``: the payments of a deal; ``q.run("rank", ref)``: any other command

``import quadrille_core as q`` costs nothing: a name is imported when it is first used.
Each returns a ``Result`` or raises a ``QuadrilleError``; ``docs/python.md`` shows them,
``__init__.pyi`` has types.
"""

# no import: with `python -m` this is read before __main__ can take the current folder off the path
__version__ = "0.2.0"
PROJECT = "quadrille"
"""The pluggy project and the entry-point group of plugins; also the id of the package in
digests."""
DISTRIBUTION = "quadrille-core"
"""The distribution, as pip knows it."""

_OF_THE_SHELL = (
    "Result",
    "RuleSet",
    "compare",
    "deal",
    "diff",
    "explain",
    "list",
    "load",
    "matters",
    "means",
    "run",
    "settle",
)
"""Found by the entry point ``python`` of ``quadrille.interface``: the core imports no feature."""
_FROM = {
    **dict.fromkeys(
        (
            "IllegalActionError",
            "NotationError",
            "Place",
            "PluginError",
            "Problem",
            "ProfileError",
            "QuadrilleError",
            "RecordError",
            "ResultError",
            "UnreadableError",
            "UnwrittenError",
            "UsageError",
        ),
        "quadrille_core.errors",
    ),
    "FeatureError": "quadrille_core.features",
}
__all__ = ["__version__", *_OF_THE_SHELL, *_FROM]  # noqa: PLE0604


def __getattr__(name: str) -> object:
    """A name of the Python interface, imported when it is first asked for."""
    if name not in __all__:
        raise AttributeError(
            f"module 'quadrille_core' has no attribute {name!r}; q.run(COMMAND, ...) runs any "
            "command"
        )
    from importlib import import_module

    if name in _OF_THE_SHELL:
        found = import_module("quadrille_core.features").interface("python")(name)
    else:
        found = getattr(import_module(_FROM[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """The names of the Python interface, for completion."""
    return sorted({*globals(), *__all__})
