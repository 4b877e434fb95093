"""The apparatus as TEI: read back without loss, shaped as TEI asks, and nothing hostile read."""

import re
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
from quadrille_plugins.apparatus.tei import NAMESPACE, STATUSES, XML_ID, write
from quadrille_plugins.apparatus.tei_read import LARGEST, read
from support.apparatus import RULE_SETS, made

from quadrille_core import resources
from quadrille_core.cli.main import run
from quadrille_core.errors import UnreadableError, UsageError
from quadrille_core.installation import install_hint
from quadrille_core.profile.records import FILLED, Source
from quadrille_core.ruleset.plugging import STATUSES as KNOWN_STATUSES

T = {"t": NAMESPACE}


@cache
def written(name, witness):
    return write(made(name, witness))


@pytest.mark.parametrize(("name", "witness"), RULE_SETS)
def test_what_is_written_is_read_back_without_loss(name, witness):
    apparatus = made(name, witness)
    assert read(written(name, witness)) == apparatus
    assert write(read(written(name, witness))) == written(name, witness)


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
    assert {w.get(XML_ID) for w in root.findall(".//t:witness", T)} == {
        w.id for w in apparatus.witnesses
    } - reports
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
            Closed(id=c, question=draw(TEXTS), readings=tuple(several(WORDS, 1)), by=settled())
            for c in closed
        ),
        sources=tuple(source(s) for s in shelf),
    )


@given(apparatuses())
@settings(max_examples=60)
def test_any_apparatus_is_read_back_without_loss(apparatus):
    assert read(write(apparatus)) == apparatus


@pytest.mark.parametrize("character", ["\0", "\x07", "\x1b", "\ufffe", "\ud800"])
def test_a_character_that_xml_cannot_hold_is_refused_in_writing(character):
    with pytest.raises(UsageError, match="cannot be written as XML"):
        write(replace(made("royal-quadrille"), title=f"a{character}b"))


# --- what is refused --------------------------------------------------------------------------

GOOD = written("captive-queens", None)


def refusal(data):
    with pytest.raises(UnreadableError) as caught:
        read(data, "their.xml")
    (problem,) = caught.value.problems
    assert problem.place.path == "their.xml"
    assert problem.help
    return problem


def with_type(declared, title="&x;"):
    head, _, rest = GOOD.partition(b"?>\n")
    body = rest.replace(b"Captive Queens (", title.encode() + b" (", 1)
    assert body != rest
    return head + b"?>\n<!DOCTYPE TEI " + declared.encode() + b">\n" + body


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))


@pytest.mark.parametrize(
    ("declared", "title"),
    [
        ("[]", "plain"),
        ('[<!ENTITY x "inside">]', "&x;"),
        ('[<!ENTITY x SYSTEM "file:///etc/passwd">]', "&x;"),
        ('[<!ENTITY x SYSTEM "file:///there/is/none">]', "&x;"),
        ('SYSTEM "file:///there/is/none.dtd"', "plain"),
        ('SYSTEM "http://127.0.0.1:9/none.dtd"', "plain"),
        ('PUBLIC "-//TEI P5//DTD//EN" "http://127.0.0.1:9/none.dtd"', "plain"),
        ('[<!ENTITY % p SYSTEM "http://127.0.0.1:9/none.dtd"> %p;]', "plain"),
        ('[<!ATTLIST app n CDATA "ours">]', "plain"),
    ],
)
def test_a_document_type_is_refused_with_all_that_it_may_declare(declared, title):
    problem = refusal(with_type(declared, title))
    assert problem.code == "Q117"
    assert "a document type is declared" in problem.message, (
        "nothing that it names was looked for, or written out"
    )


def test_entities_that_grow_without_end_are_refused_at_once():
    assert refusal(with_type(f'[<!ENTITY l0 "ha">{LAUGHS}]', "&l11;")).code == "Q117"


def test_a_document_type_in_another_encoding_is_refused_too():
    text = with_type('[<!ENTITY x "inside">]').decode().replace("UTF-8", "UTF-16", 1)
    assert refusal(text.encode("utf-16")).code == "Q117"
    assert read(GOOD.decode().replace("UTF-8", "UTF-16", 1).encode("utf-16")) == read(GOOD)


@pytest.mark.parametrize(
    "data",
    [b"", b"no xml", GOOD[:-9], GOOD.replace(b"</TEI>", b"</TEJ>"), b"\xff\xfe\x00", b"<a>&x;</a>"],
)
def test_what_is_no_xml_is_refused(data):
    assert refusal(data).code == "Q117"


def test_what_is_huge_or_deep_is_refused_before_it_costs_anything():
    assert refusal(b" " * (LARGEST + 1)).code == "Q102"
    assert refusal(b"<a>" * 5000 + b"</a>" * 5000).code == "Q117"


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (b"<TEI ", b"<TEI.2 ", ""),
        (NAMESPACE.encode(), b"urn:other", ""),
        (b'n="silent" wit="#', b'n="silent" wit="#no', "no witness"),
        (b'wit="#wikipedia"', b'wit=""', ""),
        (b'cert="unknown"', b'cert="perhaps"', ""),
        (b'locus="value"', b'locus="name"', ""),
        (b'cause="witness"', b'cause="whim"', ""),
        (b'n="set_up">', b'n="set_down">', "set_down"),
        (b'target="#set_up.laid_out_first" locus', b'target="#set_up.other" locus', "set_up.other"),
        (b'target="#set_up.laid_out_first" locus', b'target="#set_up.shuffled_in" locus', ""),
        (b'" corresp="#', b'" corresp="#no', "no reading"),
        (b"</fs></lem>", b"</fs>more</lem>", "text after"),
        (b'type="silent" n="silent"', b'type="lac" n="silent"', ""),
        (b'type="silent" n="silent"', b'type="silent" n="unseen"', ""),
        (b"<head>Sources</head>", b"<head>Sources</head><script/>", ""),
        (b'type="place">Captive', b'type="place" onclick="x">Captive', ""),
        (b"<string>as_they_appear</string>", b"<string>as<b/>they</string>", ""),
        (b'xml:id="hoffmann"', b'xml:id="wikipedia"', ""),
        (
            b'wit="#wikipedia" target="#set_up.shuffled_in"',
            b'wit="#hoffmann" target="#set_up.shuffled_in"',
            "hoffmann",
        ),
    ],
)
def test_what_does_not_fit_together_is_refused_with_its_line(before, after, says):
    assert before in GOOD
    problem = refusal(GOOD.replace(before, after, 1))
    assert problem.code in {"Q117", "Q118"}
    assert problem.place.line > 0
    assert says in problem.message


OTHERS = b'source="#quadrille.source.wikipedia-old #quadrille.source.modern-page"'


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        (OTHERS, b'source="#quadrille.source.nobody"', "no source"),
        (
            OTHERS,
            b'source="#quadrille.source.modern-page"',
            "wikipedia-old does not have this reading",
        ),
        (OTHERS, b'source=""', ""),
        (OTHERS, b'source="#nobody"', "no source"),
    ],
)
def test_a_source_from_elsewhere_is_in_the_bibliography_and_its_place_is_of_a_reading_that_it_has(
    before, after, says
):
    good = write(made("quanti-1822", only=["red_plain_ace"]))
    assert (
        b'<note type="place" target="#red_plain_ace.top" '
        b'source="#quadrille.source.wikipedia-old">opening</note>' in good
    )
    assert before in good
    problem = refusal(good.replace(before, after, 1))
    assert problem.code == "Q118"
    assert says in problem.message


def doubled(pattern, renamed=(b"", b"")):
    """The document with the first element that matches written twice, the second time with one text
    in it changed."""
    (found,) = re.findall(pattern, GOOD, re.DOTALL)[:1]
    return GOOD.replace(found, found + found.replace(*renamed), 1)


@pytest.mark.parametrize(
    ("pattern", "renamed"),
    [
        (rb'<witDetail wit="#wikipedia".*?</witDetail>', (b">", b">unlike ")),
        (rb'<note type="remark".*?</note>', (b">", b">Not so: ")),
        (rb'<rdg type="silent"[^>]*/>', (b'cause="default"', b'cause="hand"')),
        (rb"<certainty [^>]*/>", (b'"unknown"', b'"low"')),
        (rb'<witness xml:id="wikipedia".*?</witness>', (b"<name>", b"<name>not ")),
        (
            rb'<bibl xml:id="hoffmann".*?</bibl>\s*<relatedItem[^>]*>\s*</bibl>',
            (b"<title>", b"<title>not "),
        ),
        (rb'<bibl xml:id="quadrille.source.hoffmann-1892".*?</bibl>', (b"<title>", b"<title>Not ")),
        (rb'<div type="point".*?</div>', (b'xml:id="', b'xml:id="z')),
    ],
)
def test_what_stands_twice_is_refused_for_one_of_the_two_would_be_lost(pattern, renamed):
    assert refusal(doubled(pattern, renamed)).code in {"Q117", "Q118"}


@pytest.mark.parametrize(
    "change",
    [
        (b'<lem sameAs="#heap_top.always"', b'<lem sameAs="#heap_top.only_as_turned"'),
        (b'cause="default">always<', b'cause="default">never<'),
    ],
)
def test_a_lemma_that_is_not_the_reading_it_stands_for_is_refused(change):
    data = written("royal-quadrille", None)
    assert change[0] in data
    assert "lemma" in refusal(data.replace(*change, 1)).message


def test_comments_are_passed_over():
    data = GOOD.replace(b"Captive Queens (", b"Captive<!-- here --> Queens (", 1).replace(
        b"<app ", b"<!-- x --><app "
    )
    assert data != GOOD
    assert read(data) == read(GOOD)


@pytest.mark.parametrize("value", ["1" * 61, "1.5", "0x1", "", "\u0661"])
def test_a_number_is_a_whole_one_of_at_most_sixty_digits(value):
    data = written("quanti-1822", None)
    changed = data.replace(b'<numeric value="8"/>', f'<numeric value="{value}"/>'.encode(), 1)
    assert changed != data
    assert refusal(changed).code == "Q118"


# --- the command ------------------------------------------------------------------------------


def test_the_command_writes_the_document_to_a_file_or_on_standard_output(capsys, tmp_path):
    path = tmp_path / "apparatus.xml"
    assert run(["apparatus", "captive-queens", "--format", "tei", "--output", str(path)]) == 0
    assert path.read_bytes() == GOOD
    assert run(["apparatus", "captive-queens", "--format", "tei"]) == 0
    assert capsys.readouterr().out.encode() == GOOD


def test_without_the_library_the_command_says_what_to_install_and_the_rest_works():
    script = (
        "import sys; sys.modules['lxml'] = None\n"
        "from quadrille_core.cli.main import run\n"
        "print(run(['apparatus', 'royal-quadrille', '--format', 'json', '--output', "
        "sys.argv[1]]))\nprint(run(['apparatus', 'royal-quadrille', '--format', 'tei']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "/dev/null"], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0", "2"]
    assert install_hint("tei") in done.stderr


def test_the_schema_is_shipped():
    assert (resources.schemas() / "apparatus.rng").is_file()
