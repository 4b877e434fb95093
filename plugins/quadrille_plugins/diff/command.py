"""``quadrille diff``: the rules in which two rule sets differ."""

import click

from quadrille_plugins.diff.differences import diff_blocks, differences_json, rules_difference
from quadrille_plugins.writing.commands import check_comparable, compile_all, emit, format_option, refine_options
from quadrille_plugins.writing.values import rule_value, ruleset_json


@click.command("diff")
@click.argument("ref_a")
@click.argument("ref_b")
@click.option("--all", "everything", is_flag=True, help="Also list the rules of bids that only one of them has.")
@format_option
@refine_options
def diff_command(
    ref_a: str, ref_b: str, everything: bool, fmt: str, readings: tuple[str, ...], sets: tuple[str, ...]
) -> int:
    """Show the rules in which REF_A and REF_B differ, each side with its source; exit 1 when some do.

    A bid that only one of them has takes one line; JSON and CSV list all its rules.
    """
    a, b = compile_all([ref_a, ref_b], readings, sets)
    check_comparable([a, b])
    found = rules_difference(a, b)
    emit(
        fmt,
        blocks=lambda: diff_blocks(a, b, found, everything=everything),
        data=lambda: {"rules": [ruleset_json(a), ruleset_json(b)], "differences": differences_json(found)},
        rows=lambda: (
            ("path", "a", "b", "source_a", "source_b"),
            [(d.path, rule_value(d.values[0]), rule_value(d.values[1]), *d.sources) for d in found],
        ),
    )
    return 1 if found else 0
