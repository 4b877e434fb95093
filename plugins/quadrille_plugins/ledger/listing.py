"""``show --laws``: the laws that the sources of a profile print."""

import sys

import click

from quadrille_core import resources
from quadrille_core.errors import Command, Option, Phrase, UsageError
from quadrille_core.report.blocks import Text
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.reference import shipped_profile
from quadrille_core.terminal import takes_unicode
from quadrille_plugins.ledger.laws import load_laws
from quadrille_plugins.ledger.laws_report import COLUMNS, law_blocks, law_rows, laws_json
from quadrille_plugins.output.commands import emit
from quadrille_plugins.output.values import identity_to_plain


def show_laws(compiled: Compiled, fmt: str) -> None:
    """The laws of the profile's sources, in every format."""
    codes = resources.laws()
    sources = dict.fromkeys(w.source for w in compiled.witnesses.values())
    printed = [load_laws(codes[s]) for s in sources if s in codes]
    if not printed:
        docs = {name: shipped_profile(path) for name, path in resources.shipped_profiles().items()}
        others = [
            name for name, doc in docs.items() if any(w.source in codes for w in doc.witnesses)
        ]
        raise UsageError(
            f"no source of {compiled.identity.profile} prints laws",
            help=Phrase(
                "laws-of",
                {"lists": [Command("show", (name,), (Option("laws"),)) for name in others]},
            ),
        )
    listed = {laws.source: laws_json(laws, "emended") for laws in printed}
    if fmt == "yaml":
        import yaml

        click.echo(
            yaml.safe_dump(
                {"laws": listed}, sort_keys=False, allow_unicode=takes_unicode(sys.stdout)
            ),
            nl=False,
        )
        return
    emit(
        fmt,
        blocks=lambda: [
            b
            for laws in printed
            for b in (Text(f"laws of {laws.source}", strong=True), *law_blocks(laws, "emended"))
        ],
        data=lambda: {"rules": identity_to_plain(compiled.identity), "laws": listed},
        rows=lambda: (COLUMNS, [row for laws in printed for row in law_rows(laws, "emended")]),
    )
