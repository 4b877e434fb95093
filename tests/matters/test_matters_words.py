"""The words of ``quadrille matters``: what is proposed leads to a verdict, and examples show what a
rule does."""

import io
import json
import re
from contextlib import redirect_stdout
from functools import cache

import pytest
from documents import told_as_json
from json_keys import FILE
from quadrille_plugins.matters.words import bounds_text, reads_otherwise
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.sequences import Bounds
from support.data import of_yaml

from quadrille_core.errors import ProfileError
from quadrille_core.resources import shipped_profiles
from quadrille_core.ruleset import compile_reference, load_chain

pytest.importorskip("numba")


@cache
def printed(*arguments):
    """What the command prints; each is run once."""
    with redirect_stdout(io.StringIO()) as out:
        assert run([*arguments]) == 0
    return out.getvalue()


def found(*arguments):
    """The finding of a question on one alternative, as JSON."""
    (finding,) = json.loads(printed("matters", "quanti-1822", *arguments, "--format", "json"))[
        "findings"
    ]
    return finding


def shown(*arguments):
    """The same as text, its lines joined."""
    return " ".join(printed("matters", "quanti-1822", *arguments).split())


FEW, STEADY = ("--deals", "2000"), ("--players", "steady")


@pytest.mark.parametrize(
    ("page", "line"),
    [
        ("matters.md", "matters "),
        ("compare.md", "compare quanti-1822 quanti-1822@wikipedia --deals 400 --engine fast"),
    ],
)
def test_the_page_tells_every_key_of_the_json_and_no_other(page, line):
    """Keys had to be found by printing them; those on record (tests/json_keys.yaml) are those that
    commands print."""
    ((_, keys),) = (
        (command, keys) for command, keys in of_yaml(FILE).items() if command.startswith(line)
    )
    told = [
        re.compile(re.escape(key).replace(r"\*", "[^.]+") + r"(?=$|[.\[])")
        for key in told_as_json(page)
    ]
    assert len(told) > 20
    assert [key for key in keys if not any(one.match(key) for one in told)] == []
    assert [one.pattern for one in told if not any(one.match(key) for key in keys)] == []


def test_the_example_is_a_deal_that_is_played_alike_and_paid_otherwise():
    """What a remise pays was shown by a deal that was won, since the bots bid otherwise in most
    that diverge."""
    finding = found("remise_pays", *FEW)
    assert finding["example"]["diverges_in"] == "auction", (
        "the plainest of all stays the example of the data"
    )
    of_payments = finding["example_of_payments"]
    assert of_payments["diverges_in"] == "settlement"
    first, second = of_payments["records"]
    assert first["actions"] == second["actions"]
    assert first["transfers"] != second["transfers"]
    assert first["outcome"] == "remise"
    text = shown("remise_pays", *FEW)
    assert (
        f"An example: session {of_payments['session']}, deal {of_payments['deal']}, with " in text
    )


def test_the_ends_of_an_interval_are_in_one_unit():
    """`1 in 1 031 to 7.00 %` mixed two."""
    assert bounds_text(Bounds(0.00097, 0.07)) == "0.10 % to 7.00 %"
    assert bounds_text(Bounds(0.0001, 0.002)).count("1 in ") == 2


def test_another_witness_is_proposed_only_where_its_rules_are_others():
    """Asked of quanti-1822 it proposed quanti-1822@parlett, which has the same digest, and every
    figure came again."""
    for profile in shipped_profiles():
        chain = load_chain(profile)
        if chain[-1].abstract or chain[-1].game not in (None, "tricks"):
            continue
        for witness in (None, *(w.id for doc in chain for w in doc.witnesses)):
            try:
                base = compile_reference(profile if witness is None else f"{profile}@{witness}")
            except ProfileError:
                continue
            for other in (w for w in base.witnesses if w != base.identity.witness):
                if reads_otherwise(other, base.points):
                    assert (
                        compile_reference(f"{profile}@{other}").identity.digest
                        != base.identity.digest
                    )
    base = compile_reference("quanti-1822")
    assert [w for w in base.witnesses if reads_otherwise(w, base.points)] == ["wikipedia"]
