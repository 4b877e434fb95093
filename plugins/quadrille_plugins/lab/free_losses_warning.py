"""Warnings of rule sets under which a lost game costs its bidder nothing, on stderr and in a study's JSON."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import click

from quadrille_core.ruleset import Compiled
from quadrille_plugins.lab.free_losses import FreeLosses, OpenedBy, opened_by, warnings_of


def warn_of_free_losses(
    base: Compiled, alternatives: Iterable[Compiled] = (), *, points: Collection[str] = ()
) -> Sequence[FreeLosses | OpenedBy]:
    """Warn on stderr of the rule set and of what it is held against; returns what was said.  The exit stays as it is.

    ``points`` are those of which a study varies every reading.
    """
    warnings: list[FreeLosses | OpenedBy] = [*warnings_of(base, alternatives)]
    if points and (opened := opened_by(base, points)) is not None:
        warnings.append(opened)
    for warning in warnings:
        click.echo(f"warning: {warning.text()}", err=True)
    return warnings


def with_free_losses(results: dict[str, Any], warnings: Iterable[FreeLosses | OpenedBy]) -> dict[str, Any]:
    """A study's results with the warnings as ``design.free_losses``; without any they are as they were."""
    said = [warning.to_json() for warning in warnings]
    return {**results, "design": {**results["design"], "free_losses": said}} if said else results
