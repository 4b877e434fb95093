"""The apparatus as TEI: whole, and shaped as TEI asks."""

import string
import subprocess
import sys
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from quadrille_plugins.apparatus.model import (
    Apparatus,
    ApparatusPoint,
    ApparatusReading,
    Closed,
    Settled,
    Silence,
    Witness,
)
from quadrille_plugins.apparatus.tei import NAMESPACE, STATUSES, UNSEEN, XML_ID, write
from quadrille_plugins.shell.main import run
from support.apparatus import RULE_SETS, made

from quadrille_core import resources
from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_core.profile.records import FILLED, Source
from quadrille_core.slips import STATUSES as KNOWN_STATUSES

T = {"t": NAMESPACE}


@cache
def written(name, witness):
    return write(made(name, witness)).encode()


SCHEMA = etree.RelaxNG(etree.parse(str(resources.schemas() / "apparatus.rng")))


def assert_is_whole(data, apparatus):
    """It fits the shipped schema, and no point, reading or text of one is left out."""
    root = etree.fromstring(data)
    assert SCHEMA.validate(root), SCHEMA.error_log
    written = " ".join(f"{e.text or ''} {' '.join(e.attrib.values())}" for e in root.iter())
    written = " ".join(written.split())
    for point in apparatus.points:
        texts = [point.question, point.note]
        texts += [t for r in point.readings for t in (r.text, r.note, r.at)]
        for text in (*texts, *(f"{point.id}.{r.id}" for r in point.readings)):
            assert " ".join(text.split()) in written


@pytest.mark.parametrize(("name", "witness"), RULE_SETS)
def test_what_is_written_fits_the_schema_and_is_whole(name, witness):
    assert_is_whole(written(name, witness), made(name, witness))


@pytest.mark.parametrize(("name", "witness"), RULE_SETS)
def test_every_pointer_leads_to_an_element_of_the_document(name, witness):
    root = etree.fromstring(written(name, witness))
    names = [e.get(XML_ID) for e in root.iter() if e.get(XML_ID)]
    assert len(names) == len(set(names))
    pointers = [
        (e, p)
        for e in root.iter()
        for a in ("wit", "source", "target", "corresp", "sameAs", "ana")
        for p in (e.get(a) or "").split()
    ]
    assert pointers
    for element, pointer in pointers:
        assert pointer[0] == "#", pointer
        assert pointer[1:] in names, (element.tag, pointer)


@pytest.mark.parametrize(("name", "witness"), RULE_SETS)
def test_a_report_of_a_text_unseen_is_in_no_wit_and_in_no_list_of_witnesses(name, witness):
    """A testimonium stands among the testimonia, and ``source`` points to it from what it reports
    or passes over."""
    apparatus = made(name, witness)
    root = etree.fromstring(written(name, witness))
    reports = {w.id for w in apparatus.witnesses if w.testimonium}
    assert {
        b.get(XML_ID) for b in root.findall(".//t:listBibl[@type='testimonia']/t:bibl", T)
    } == reports
    proper = {w.id for w in apparatus.witnesses} - reports
    unseen = {UNSEEN + w.testimonium for w in apparatus.witnesses}
    assert {w.get(XML_ID) for w in root.findall(".//t:witness", T)} == (proper or unseen)
    assert not {p[1:] for e in root.iter() for p in (e.get("wit") or "").split()} & reports
    for reading in root.iterfind(".//t:rdg", T):
        if reading.get(XML_ID):
            point, _, name = reading.get(XML_ID).partition(".")
            (own,) = (
                r for p in apparatus.points if p.id == point for r in p.readings if r.id == name
            )
            told = {p[1:] for a in ("wit", "source") for p in (reading.get(a) or "").split()}
            assert told >= {w for w, _ in own.attested}


def test_parlett_and_the_article_are_testimonia_of_quanti_and_the_article_is_a_witness_of_itself():
    assert {w.id: w.testimonium for w in made("quanti-1822").witnesses} == {
        "parlett": "quanti-1822",
        "wikipedia": "quanti-1822",
    }
    assert {w.id: w.testimonium for w in made("quadrille-laws").witnesses} == {"article": ""}
    assert {w.id: w.testimonium for w in made("captive-queens").witnesses}[
        "hoffmann"
    ] == "hoffmann-1892"


def test_a_witness_with_two_readings_is_marked_as_having_both_or_as_uncertain():
    found = {p.id: p.several for p in made("quanti-1822").points if p.several}
    assert found["ante"] == {"parlett": "both", "wikipedia": "both"}
    assert found["forced_premiers"] == {"parlett": "uncertain"}
    root = etree.fromstring(written("quanti-1822", None))
    notes = root.findall(".//t:app[@n='ante']/t:note[@type='both']", T)
    assert [(n.get("source"), n.get("target")) for n in notes] == [
        ("#parlett", "#ante.each_one #ante.dealer_four"),
        ("#wikipedia", "#ante.each_one #ante.dealer_four"),
    ]


def test_the_header_names_editor_licence_and_languages():
    root = etree.fromstring(written("mediateur-1752", None))
    assert root.findtext(".//t:titleStmt/t:editor", namespaces=T)
    assert root.findtext(".//t:publicationStmt/t:availability/t:licence", namespaces=T) == "MIT"
    languages = [(e.get("ident"), e.text) for e in root.findall(".//t:langUsage/t:language", T)]
    assert languages == sorted(languages)
    assert {("en", "English"), ("fr", "French")} <= set(languages)


@pytest.mark.parametrize(("name", "witness"), RULE_SETS)
def test_an_entry_is_shaped_as_tei_asks(name, witness):
    """What the Guidelines say of ``app``: at most one ``lem``, first; ``wit`` never empty; no
    ``certainty`` within."""
    root = etree.fromstring(written(name, witness))
    apps = root.findall(".//t:app", T)
    assert len(apps) == len(made(name, witness).points)
    for app in apps:
        tags = [etree.QName(e).localname for e in app]
        assert (tags[0], tags.count("lem")) == ("lem", 1)
        assert set(tags) <= {"lem", "rdg", "witDetail", "note"}
        assert all(e.get("wit") != "" for e in app)
        assert all(e.get("wit") for e in app if etree.QName(e).localname == "witDetail")
        for lacuna in app.findall("t:rdg[@type='lac']", T):
            assert [etree.QName(e).localname for e in lacuna] == ["lacunaStart", "lacunaEnd"]
            assert not lacuna.text
        for absent in app.findall("t:rdg[@type]", T):
            assert not absent.text
            assert (
                (absent.get("type") == "lac") == (len(absent) == 2) == (absent.get("n") == "unseen")
            )


def test_every_status_that_a_profile_may_have_has_its_category():
    assert set(STATUSES) == set(KNOWN_STATUSES)


# --- any apparatus at all ---------------------------------------------------------------------

WORDS = st.text(string.ascii_lowercase + string.digits + "_-", max_size=5).map(lambda w: "w" + w)
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff")
)
TEXTS |= st.sampled_from([" ", "a\nb", "\t", "a\rb", "]]>", "&amp;<!--", "  two  spaces "])
SCALARS = st.none() | st.booleans() | st.integers() | TEXTS
VALUES = st.recursive(
    SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(WORDS, v, max_size=2), max_leaves=6
)
PAGES = st.fixed_dictionaries(
    {"seen": st.lists(TEXTS, min_size=1, max_size=2)},
    optional={"known": st.integers(1, 999), "whole": st.lists(TEXTS, min_size=1, max_size=2)},
)
DESCENTS = st.fixed_dictionaries(
    {
        "from": WORDS,
        "how": st.sampled_from(["copies", "translates", "shared-error", "conjecture"]),
        "evidence": TEXTS,
    },
    optional={
        "at": st.text(string.ascii_letters, min_size=1),
        "places": st.text(string.ascii_letters, min_size=1),
    },
)


@st.composite
def apparatuses(draw):
    def several(strategy, least=0):
        return draw(st.lists(strategy, min_size=least, max_size=3, unique=True))

    named = several(WORDS)
    reports = draw(st.integers(0, len(named)))  # testimonia are told behind the witnesses
    witnesses = named
    shelf = several(WORDS)
    points = several(WORDS)
    closed = [w for w in several(WORDS) if w not in points]
    absences = st.sampled_from(FILLED)
    because = st.sampled_from(["hand", "profile", "witness", "filling", "default"])

    def sets(least=0):
        return tuple((path, draw(VALUES)) for path in several(WORDS, least))

    def reading(name):
        attested = [w for w in witnesses if draw(st.booleans())]
        return ApparatusReading(
            id=name,
            text=draw(TEXTS),
            sets=sets(),
            attested=tuple((w, draw(TEXTS)) for w in attested),
            elsewhere=tuple((s, draw(TEXTS)) for s in shelf if draw(st.booleans())),
            at=draw(TEXTS),
            status=draw(st.sampled_from(sorted(STATUSES))),
            certainty=draw(st.sampled_from(["", "high", "medium", "low"])),
            note=draw(TEXTS),
        )

    def point(name):
        readings = tuple(reading(r) for r in several(WORDS, 1))
        silent = [w for w in witnesses if draw(st.booleans())]
        filled = st.sampled_from([r.id for r in readings])
        return ApparatusPoint(
            id=name,
            question=draw(TEXTS),
            note=draw(TEXTS),
            because=draw(because),
            readings=readings,
            silences=tuple(Silence(w, draw(filled), draw(because), draw(absences)) for w in silent),
        )

    def settled():
        setter = draw(st.sampled_from(["profile", "reading", "plugin"]))
        return tuple(Settled(*rule, setter, draw(WORDS)) for rule in sets(1))

    def source(name):
        return Source(
            id=name,
            author=draw(TEXTS),
            editor=draw(TEXTS),
            title=draw(TEXTS),
            year=draw(st.none() | st.integers(1400, 2200)),
            kind=draw(st.sampled_from(["", "primary", "secondary", "house"])),
            of=draw(st.just("") | WORDS),
            via=draw(st.just("") | WORDS),
            publisher=draw(TEXTS),
            publisher_place=draw(TEXTS),
            medium=draw(st.sampled_from(["", "print", "web"])),
            language=draw(st.sampled_from(["", "en", "fr"])),
            seen=draw(TEXTS),
            licence=draw(TEXTS),
            url=draw(TEXTS),
            note=draw(TEXTS),
            pages=draw(st.just({}) | PAGES),
            descends=tuple(draw(st.lists(DESCENTS, max_size=2))),
        )

    return Apparatus(
        rules=draw(TEXTS),
        title=draw(TEXTS),
        digest=draw(TEXTS),
        witness=draw(st.just("") | WORDS),
        chosen=tuple((w, draw(WORDS)) for w in several(WORDS)),
        plugins=tuple((w, draw(TEXTS)) for w in several(WORDS)),
        program=draw(TEXTS),
        witnesses=tuple(
            Witness(
                w,
                draw(st.just("") | WORDS),
                draw(TEXTS),
                draw(TEXTS),
                draw(WORDS) if i >= reports else "",
                draw(st.just("") | WORDS),
            )
            for i, w in enumerate(witnesses)
        ),
        points=tuple(point(p) for p in points),
        closed=tuple(
            Closed(
                id=c,
                question=draw(TEXTS),
                readings=tuple(reading(r) for r in several(WORDS, 1)),
                by=settled(),
            )
            for c in closed
        ),
        sources=tuple(source(s) for s in shelf),
    )


@given(apparatuses())
@settings(max_examples=60)
def test_any_apparatus_fits_the_schema_and_is_whole(apparatus):
    assert_is_whole(write(apparatus).encode(), apparatus)


@pytest.mark.parametrize("character", ["\0", "\x07", "\x1b", "\ufffe", "\ud800"])
def test_a_character_that_xml_cannot_hold_is_refused_in_writing(character):
    with pytest.raises(UsageError, match="cannot be written as XML"):
        write(replace(made("royal-quadrille"), title=f"a{character}b"))


# --- the command ------------------------------------------------------------------------------


def test_the_command_writes_the_document_to_a_file_or_on_standard_output(capsys, tmp_path):
    path = tmp_path / "apparatus.xml"
    assert run(["apparatus", "captive-queens", "--format", "tei", "--output", str(path)]) == 0
    assert path.read_bytes() == written("captive-queens", None)
    assert run(["apparatus", "captive-queens", "--format", "tei"]) == 0
    assert capsys.readouterr().out.encode() == written("captive-queens", None)


def test_without_the_library_the_command_says_what_to_install_and_the_rest_works():
    script = (
        "import sys; sys.modules['lxml'] = None\n"
        "from quadrille_plugins.shell.main import run\n"
        "print(run(['apparatus', 'royal-quadrille', '--format', 'json', '--output', "
        "sys.argv[1]]))\nprint(run(['apparatus', 'royal-quadrille', '--format', 'tei']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "/dev/null"], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0", "2"]
    assert install_hint("tei") in done.stderr
