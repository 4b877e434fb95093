"""The shipped profiles: complete, cited leaf by leaf, and true to the tables they stand for."""

import re
from pathlib import Path

import pytest
from support.data import of_yaml

from quadrille_core import resources, vocabulary
from quadrille_core.errors import ProfileError, UnreadableError
from quadrille_core.features import installed
from quadrille_core.kinds import TRICKS
from quadrille_core.profile import (
    check_profile,
    load_bibliography,
    load_file,
    load_profile,
    validate,
)
from quadrille_core.ruleset import compile_reference

HERE = Path(__file__).parents[1]
TABLE = of_yaml(HERE / "data" / "quanti_table.yaml")["table"]
PLAYABLE = [
    n
    for n, p in resources.shipped_profiles().items()
    if not load_profile(p, validate=False).abstract
]
REFERENCES = [
    f"{n}@{w}" if w else n for n in PLAYABLE for w in (None, *compile_reference(n).witnesses)
]


@pytest.mark.parametrize("name", resources.shipped_profiles())
def test_every_shipped_profile_passes_the_schema_and_the_vocabulary(name):
    assert check_profile(load_file(resources.shipped_profiles()[name])) == []


@pytest.mark.parametrize("reference", REFERENCES)
def test_no_shipped_profile_leaves_to_nobody_what_allies_who_lose_owe(reference):
    """A value by which money moves between allies has a text, or a filling that says what it
    follows."""
    compiled = compile_reference(reference)
    if compiled.kind != TRICKS:
        return
    shared = ("borne", "paid", "keeps")
    for path in ("loss.allies_pay", *(f"vole.undertaken_failed_{what}" for what in shared)):
        assert all(cite.source for cite in compiled.origins[path].chain[-1].citations), path


def test_a_loss_that_a_text_tells_of_casco_alone_is_inferred_for_the_other_bids():
    (cite,) = (
        compile_reference("quanti-1822@wikipedia").origins["loss.allies_pay"].chain[-1].citations
    )
    assert (cite.source, cite.status) == ("wikipedia-new", "inferred")


def test_the_bibliography_passes_its_schema_and_every_secondary_source_names_a_real_one():
    assert validate(load_file(resources.bibliography()), "bibliography") == []
    sources = load_bibliography(resources.bibliography())
    assert {s.of for s in sources.values() if s.of} <= set(sources)


@pytest.mark.parametrize("reference", REFERENCES)
def test_every_leaf_cites_its_witness_or_says_what_fills_its_silence(reference):
    compiled = compile_reference(reference)
    uncited = []
    for path, origin in compiled.origins.items():
        for cite in origin.link.citations:
            known = cite.source in compiled.sources
            if not {
                "attested": known and bool(cite.at),
                "inferred": (known and bool(cite.at)) or bool(cite.note),
                "silent": bool(cite.filled),
                "unseen": bool(cite.filled),
                "inapplicable": bool(cite.filled),
                "conjecture": bool(cite.note) or bool(cite.at) or origin.link.setter == "reading",
                "house": False,
            }[cite.status]:
                uncited.append((path, cite))
        if not origin.link.citations:
            uncited.append((path, origin.link.setter))
    assert uncited == []


@pytest.mark.parametrize("reference", [r for r in REFERENCES if "@" in r])
def test_under_a_witness_nothing_looks_attested_that_its_source_does_not_say(reference):
    compiled = compile_reference(reference)
    source = compiled.witnesses[reference.split("@")[1]].source
    strangers = {
        path: cite
        for path, origin in compiled.origins.items()
        for cite in origin.link.citations
        if cite.status == "attested" and cite.source != source
    }
    assert strangers == {}


def test_two_witnesses_of_one_profile_are_two_rule_sets():
    parlett, wikipedia = (
        compile_reference("quanti-1822@parlett"),
        compile_reference("quanti-1822@wikipedia"),
    )
    assert parlett.identity.digest != wikipedia.identity.digest
    assert (
        parlett.value_of("payments.premium.solo"),
        wikipedia.value_of("payments.premium.solo"),
    ) == (4, 2)


@pytest.mark.parametrize(("row", "plain", "favourite"), TABLE, ids=[r[0] for r in TABLE])
def test_the_mediateur_profile_reproduces_quantis_table(row, plain, favourite):
    compiled = compile_reference("mediateur-1752")
    assert compiled.value_of(f"payments.{row}") == plain
    path = f"payments.in_favourite.{row}"
    assert (compiled.value_of(path) if path in compiled.origins else None) == favourite
    assert compiled.origins[f"payments.{row}"].status == "attested"


def test_the_mediateur_profile_has_no_payment_that_the_table_lacks():
    compiled = compile_reference("mediateur-1752")
    paid = {
        p
        for p in compiled.origins
        if p.startswith("payments.") and vocabulary.leaf_at(p).default_plain is not None
    }
    known = {f"payments.{r}" for r, *_ in TABLE} | {
        f"payments.in_favourite.{r}" for r, _, f in TABLE if f is not None
    }
    amounts = {
        p
        for p in paid
        if p.split(".")[1] in ("premium", "matadors", "premiers", "vole_stake", "in_favourite")
        and "vole_premium" not in p
        and p.split(".")[-1] not in ("game", "consolation", "allied", "king")
        and compiled.value_of(
            f"bids.{p.split('.')[-1]}.made"
            if f"bids.{p.split('.')[-1]}.made" in compiled.origins
            else p
        )
        != "never"
    }
    assert amounts == known


def test_plugins_bring_the_same_amounts_that_the_table_has():
    """A house that adds the mechanics to plain Quanti gets Quanti's figures without stating
    them."""
    plain = compile_reference("quanti-1822", readings={"ladder": "with_mediateur_and_casco"})
    for bid, value in (("mediateur", 1), ("casco", 2)):
        assert plain.value_of(f"payments.premium.{bid}") == value


def test_an_abstract_profile_cannot_be_played():
    with pytest.raises(ProfileError, match="Q305"):
        compile_reference("quadrille-base")


def test_no_variants_name_stands_outside_the_mechanics():
    """Neither a shipped profile's nor a plugin's, not even as an example: `variants/examples.txt`
    says what to show."""
    slices = HERE.parent / "plugins" / "quadrille_plugins"
    own = {slices / "mechanics", slices / "patience"}
    plugins = [
        path.stem
        for folder in own
        for path in folder.glob("[a-z]*.py")
        if path.stem.replace("_", "-") in installed()
    ]
    bids = [w for name in plugins for w in (name, name.replace("_", "-"))]
    words = {*resources.shipped_profiles(), *bids, "médiateur", "dimidiator"} - {
        "favourite",
        "multiplier",
    }
    assert len(words) > 20
    named = re.compile(
        rf"(?<![\w-])({'|'.join(map(re.escape, sorted(words)))})(?![\w-])", re.IGNORECASE
    )
    found = []
    rooms = [
        HERE.parent / "quadrille_core",
        *(f for f in slices.iterdir() if f.is_dir() and f not in own),
    ]
    for path in (path for room in rooms for path in room.rglob("*.py")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if named.search(line):
                found.append(f"{path.name}:{number}: {line.strip()}")
    assert found == []


def test_help_shows_the_profiles_that_the_variants_name(tmp_path, monkeypatch):
    assert resources.examples() == ("quanti-1822", "mediateur-1752")
    for name in ("one", "other", "third"):
        (tmp_path / f"{name}.yaml").touch()
    monkeypatch.setattr(resources, "variants", lambda: tmp_path)
    assert resources.examples() == ("one", "other")
    (tmp_path / "examples.txt").write_text("# two of them\nthird\nnone-such\none\n")
    assert resources.examples() == ("third", "one")
    for name in ("one", "other"):
        (tmp_path / f"{name}.yaml").unlink()
    with pytest.raises(UnreadableError, match="no two profiles"):
        resources.examples()
