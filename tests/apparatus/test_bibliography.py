"""The sources that a rule set cites, read back by programs that are not ours: pybtex and
citeproc-py."""

import json
import re

import pytest
from citeproc.source.json import CiteProcJSON
from hypothesis import given
from hypothesis import strategies as st
from pybtex.database import parse_string
from quadrille_plugins.apparatus.bibliography import bibtex, csl, csl_text, names
from quadrille_plugins.shell.main import run
from quadrille_plugins.shell.values import access, remark, short_title
from support.apparatus import PLAYED, made
from support.data import cases

from quadrille_core import resources
from quadrille_core.profile.document import load_bibliography
from quadrille_core.profile.records import Source

SHELF = load_bibliography(resources.bibliography())
COMMANDS = {
    r"\textbackslash{}": "\\",
    r"\textbraceleft{}": "{",
    r"\textbraceright{}": "}",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\$": "$",
    r"\&": "&",
    r"\#": "#",
    r"\%": "%",
    r"\_": "_",
}


def plain(latex):
    """What LaTeX prints of a text; a brace, or a character that it would act upon, must not be
    left."""
    bare = re.sub("|".join(map(re.escape, COMMANDS)), "", latex)
    assert not set(bare) & set("\\{}$&#%_~^"), bare
    return re.sub("|".join(map(re.escape, COMMANDS)), lambda m: COMMANDS[m[0]], latex)


def unbraced(text):
    assert (text[0], text[-1]) == ("{", "}")
    return text[1:-1]


def told(entry):
    """An entry that pybtex has read, in the words of a source."""

    def people(role):
        for person in entry.persons.get(role, ()):
            given, family = (
                " ".join(person.first_names + person.middle_names),
                " ".join(person.last_names),
            )
            yield (plain(given), plain(family)) if given else ("", plain(unbraced(family)))

    fields = entry.fields
    return {
        "authors": list(people("author")),
        "editors": list(people("editor")),
        "title": plain(unbraced(fields["title"])),
        "publisher": plain(fields.get("publisher", "")),
        "place": plain(fields.get("address", "")),
        "year": fields.get("year", ""),
        "note": plain(fields.get("annote", "")),
        "address": plain(fields.get("note", "")),
    }


def wanted(source):
    return {
        **{
            whose: [(" ".join(g.split()), " ".join(f.split())) for g, f in names(people)]
            for whose, people in (("authors", source.author), ("editors", source.editor))
        },
        "title": " ".join(source.title.split()),
        "publisher": " ".join(source.publisher.split()),
        "place": " ".join(source.publisher_place.split()),
        "year": str(source.year or ""),
        "note": " ".join(remark(source, recorded=False).split()),
        "address": " ".join(access(source).split()),
    }


@pytest.mark.parametrize("name", PLAYED)
def test_pybtex_reads_every_source_as_it_is(name):
    sources = made(name).sources
    found = parse_string(bibtex(sources), "bibtex").entries
    assert list(found) == [s.id for s in sources]
    for source in sources:
        assert told(found[source.id]) == wanted(source)
        assert found[source.id].type == ("book" if source.publisher else "misc")


@pytest.mark.parametrize("name", PLAYED)
def test_citeproc_reads_every_source_as_it_is(name):
    sources = made(name).sources
    items = json.loads(csl_text(sources))
    found = CiteProcJSON(items)
    assert list(found) == [s.id for s in sources]
    for source in sources:
        item = found[source.id]
        assert "".join(item["title"]) == source.title
        for key, people in (("author", source.author), ("editor", source.editor)):
            found_there = [
                (a.get("given", ""), a.get("family") or a["literal"]) for a in item.get(key, ())
            ]
            assert found_there == list(names(people))
        assert (item["issued"]["year"] if source.year else None) == source.year
        assert ("issued" in item) == (source.year is not None)
        assert "".join(item.get("publisher", "")) == source.publisher
        assert "".join(item.get("publisher_place", "")) == source.publisher_place
        assert item["type"] == (
            "book" if source.publisher else "webpage" if source.medium == "web" else "document"
        )


TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1
).filter(str.strip)
TEXTS |= st.text("\\{}$&#%_~^@\"',= ab", min_size=1).filter(str.strip)


@given(TEXTS, TEXTS, TEXTS, st.integers(1400, 2200))
def test_no_text_breaks_an_entry_or_is_taken_for_a_command(title, publisher, note, year):
    source = Source(id="x", title=title, publisher=publisher, note=note, year=year)
    after = Source(id="y", title="After")
    found = parse_string(bibtex([source, after]), "bibtex").entries
    assert list(found) == ["x", "y"]
    assert told(found["x"]) == wanted(source)


@given(TEXTS)
def test_no_author_breaks_an_entry(author):
    found = parse_string(bibtex([Source(id="x", title="T", author=author)]), "bibtex").entries["x"]
    people = [
        "".join(p.first_names + p.middle_names + p.prelast_names + p.last_names)
        for p in found.persons["author"]
    ]
    assert len(people) == len(list(names(author))) or not list(names(author))


@cases("bibliography")
def test_a_name_is_parted_only_where_it_is_plain(author, parted):
    assert [list(name) for name in names(author)] == parted


def test_every_name_on_the_shelf_is_kept_whole():
    for source in SHELF.values():
        for people in (source.author, source.editor):
            assert " and ".join(f"{g} {f}".strip() for g, f in names(people)) == people


def test_who_edited_a_work_is_not_taken_for_its_author():
    """The Encyclopédie has editors: in BibTeX, in CSL, and in a line of text."""
    source = SHELF["encyclopedie"]
    assert source.author == ""
    assert "editor = {Diderot, Denis and " in bibtex([source])
    assert "author" not in json.loads(csl_text([source]))[0]
    assert short_title(source).startswith(
        "Denis Diderot and Jean le Rond d'Alembert (editors), Encyclopédie"
    )


def test_an_address_is_kept_out_of_the_braces_and_makes_a_page():
    source = Source(id="x", title="T", url="https://example.org/{a}?b=c&d_e#f%20")
    entry = parse_string(bibtex([source]), "bibtex").entries["x"]
    assert entry.fields["url"] == "https://example.org/%7Ba%7D?b=c&d_e#f%20"
    (item,) = csl([source])
    assert (item["type"], item["URL"]) == ("webpage", source.url)


def test_the_commands_write_them(capsys):
    sources = made("quanti-1822").sources
    assert run(["apparatus", "quanti-1822", "--format", "bibtex"]) == 0
    assert capsys.readouterr().out == bibtex(sources)
    assert run(["apparatus", "quanti-1822", "--format", "csl"]) == 0
    assert capsys.readouterr().out == csl_text(sources)


def test_a_page_of_the_web_says_what_of_its_address_and_revision_is_not_recorded():
    """Nothing is invented: a page without address or date says so in every format, a book says
    nothing of the kind.

    In BibTeX it is the ``note``, which styles print.
    """
    for source in SHELF.values():
        words = remark(source)
        printed = parse_string(bibtex([source]), "bibtex").entries[source.id].fields.get("note", "")
        assert ("not recorded" in printed) == ("not recorded." in words)
        assert ("Address and revision or date seen not recorded." in words) == (
            source.medium == "web" and not source.url
        )
        if source.medium == "web":
            assert "evision or date seen not recorded." in words
    seen = Source(id="x", title="T", medium="web", url="https://example.org/", seen="2024-05-06")
    assert csl([seen])[0]["accessed"] == {"date-parts": [[2024, 5, 6]]}
    assert parse_string(bibtex([seen]), "bibtex").entries["x"].fields["urldate"] == "2024-05-06"
    assert "version" in csl([Source(id="x", title="T", medium="web", seen="revision 123")])[0]


def test_publisher_and_place_stand_apart():
    """No publisher of the shelf ends in the town that its place names."""
    assert [s.id for s in SHELF.values() if "," in s.publisher] == []
    assert {s.publisher_place for s in SHELF.values()} > {"Cheltenham", "Paris", "London"}
