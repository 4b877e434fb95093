"""``show --laws``: the laws that the sources of a profile print."""

from quadrille_core import resources
from quadrille_core.errors import Command, Option, UsageError
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.reference import shipped_profile
from quadrille_plugins.ledger.law_kept import kept_laws
from quadrille_plugins.ledger.laws import load_laws
from quadrille_plugins.ledger.laws_report import COLUMNS, law_blocks, law_rows, laws_json
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.blocks import Text
from quadrille_plugins.shell.options import yaml_text
from quadrille_plugins.shell.values import identity_to_plain


def show_laws(compiled: Compiled) -> Answer:
    """The laws of the profile's sources, in every format."""
    codes = resources.laws()
    sources = dict.fromkeys(w.source for w in compiled.witnesses.values())
    printed = [load_laws(codes[s]) for s in sources if s in codes]
    if not printed:
        docs = {name: shipped_profile(path) for name, path in resources.shipped_profiles().items()}
        others = [
            name for name, doc in docs.items() if any(w.source in codes for w in doc.witnesses)
        ]
        raise UsageError.of(
            "no-laws-printed",
            profile=compiled.identity.profile,
            lists=[Command("show", (name,), (Option("laws"),)) for name in others],
        )
    kept = {laws.source: kept_laws(compiled, laws.source) for laws in printed}
    listed = {s.source: laws_json(s, "emended", kept[s.source]) for s in printed}
    return Answer(
        blocks=lambda: [
            b
            for laws in printed
            for b in (
                Text(f"laws of {laws.source}", strong=True),
                *law_blocks(laws, "emended", kept[laws.source]),
            )
        ],
        data=lambda: {"rules": identity_to_plain(compiled.identity), "laws": listed},
        rows=lambda: (
            COLUMNS,
            [row for s in printed for row in law_rows(s, "emended", kept[s.source])],
        ),
        texts={"yaml": lambda: yaml_text({"laws": listed})},
    )
