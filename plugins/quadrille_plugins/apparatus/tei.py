"""The apparatus as a critical apparatus in TEI P5.

Each point is one ``app``: the reading in use is its ``lem``, alternatives are ``rdg``, with the
witnesses in ``wit``, their places in ``witDetail``, sources that are no witnesses in ``source``
with their places in a ``note``, status and certainty in ``certainty``, the rules set in a feature
structure.  A testimonium, a report of a text that was not seen, is no witness: it stands in
``listBibl`` of type testimonia, and ``source`` points there from the readings that it reports;
where there are testimonia alone, the text that they report is the one witness, a lacuna throughout,
for programs want one.  A witness whose place was read whole and says nothing has an empty ``rdg``
of type ``silent``, TEI's omission; one whose place was not read a ``rdg`` of type ``lac`` that
holds a whole lacuna, for what stands there is lost to us; one whose game has no such rule an empty
``rdg`` of type ``inapplicable``.  A lemma that no witness attests has no ``wit``, which TEI wants
filled, and is repeated as a ``rdg``, where programs look for it.
"""

from collections.abc import Collection, Iterable
from typing import Any, Final

from quadrille_core import __version__
from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_core.profile.records import Source
from quadrille_plugins.apparatus.matrix import STATES, Matrix
from quadrille_plugins.apparatus.model import (
    SEVERAL,
    Apparatus,
    ApparatusPoint,
    ApparatusReading,
    Closed,
    Silence,
)
from quadrille_plugins.shell.values import access, grouped, short_title

NAMESPACE: Final = "http://www.tei-c.org/ns/1.0"
XML_ID: Final = "{http://www.w3.org/XML/1998/namespace}id"
STATUSES: Final = {
    "attested": "The witness or source says so.",
    "inferred": "It follows from what the source says.",
    "silent": "The place was read whole, and the source says nothing.",
    "unseen": "The place was not read.",
    "inapplicable": "The game has no such rule.",
    "conjecture": "A modern guess.",
    "house": "A rule of one's own.",
}
_TEXTS: Final = frozenset({"lem", "rdg", "item"})
"""Elements that have a text and children besides."""
SOURCE: Final = "quadrille.source."
UNSEEN: Final = "quadrille.unseen."
STATUS: Final = "quadrille.status."
EDITOR: Final = "The Quadrille developers"
LICENCE: Final = "MIT"
LANGUAGES: Final = {
    "en": "English",
    "fr": "French",
    "de": "German",
    "es": "Spanish",
    "it": "Italian",
    "nl": "Dutch",
}
_ABOUT: Final = (
    "Rival readings of the rules of a card game. An entry is a question that the witnesses "
    "answer differently, or not at all; its lemma is the reading in use in the rules named "
    "above. What a reading does to the rules stands in its feature structure, rule by rule. The "
    "cause of a lemma, or of what is played where a witness does not answer, says by whose "
    "choice it is so. No degree of certainty is given in figures, for no source gives any."
)


def etree() -> Any:
    """The library that writes XML; raises UsageError where it is not installed."""
    try:
        from lxml import etree as library
    except ImportError:
        raise UsageError.of("tei-without-lxml", how=install_hint("tei")) from None
    return library


def write(apparatus: Apparatus) -> str:
    """The apparatus as a TEI document.

    Raises UsageError where lxml is not installed, or a text holds a character that XML cannot.
    """
    root = _document()
    try:
        _header(root, apparatus)
        text = add(root, "text")
        _body(add(text, "body"), apparatus)
        if apparatus.sources:
            back = add(add(text, "back"), "div", type="bibliography")
            add(back, "head", "Sources")
            shelf = add(back, "listBibl")
            for source in apparatus.sources:
                _bibl(shelf, source)
    except ValueError as e:
        raise UsageError.of("apparatus-not-xml", rules=apparatus.rules, e=e) from None
    _indent(root, "\n")
    return _written(root)


def _document() -> Any:
    return etree().Element(f"{{{NAMESPACE}}}TEI", nsmap={None: NAMESPACE})


def _written(root: Any) -> str:
    text: bytes = etree().tostring(root, encoding="UTF-8", xml_declaration=True)
    return text.decode("utf-8") + "\n"


def add(parent: Any, tag: str, text: str | None = None, **attributes: str) -> Any:
    """A new last child, its empty attributes left out; a text goes in as it is."""
    child = parent.makeelement(f"{{{NAMESPACE}}}{tag}")
    for key, value in attributes.items():
        if value:
            child.set(XML_ID if key == "id" else key, value)
    child.text = text
    parent.append(child)
    return child


def _indent(element: Any, line: str) -> None:
    """Put children on lines of their own, but for those that stand in a text."""
    if len(element) == 0 or element.tag.rpartition("}")[2] in _TEXTS:
        return
    element.text = line + " "
    for child in element:
        _indent(child, line + " ")
        child.tail = line + " "
    element[-1].tail = line


def _header(root: Any, apparatus: Apparatus) -> None:
    header = add(root, "teiHeader")
    file = add(header, "fileDesc")
    titles = add(file, "titleStmt")
    add(titles, "title", apparatus.title, type="main")
    add(titles, "title", "Points in dispute", type="sub")
    add(titles, "editor", EDITOR)
    published = add(file, "publicationStmt")
    add(published, "authority", "Quadrille")
    add(published, "idno", apparatus.rules, type="rules")
    add(published, "idno", apparatus.digest, type="digest")
    add(published, "idno", apparatus.program, type="program")
    _filled(published, ("idno", apparatus.witness), type="witness")
    for point, reading in apparatus.chosen:
        add(published, "idno", reading, type="reading", n=point)
    for plugin, version in apparatus.plugins:
        add(published, "idno", version, type="plugin", n=plugin)
    add(add(published, "availability", status="free"), "licence", LICENCE)
    described = add(file, "sourceDesc")
    if not apparatus.witnesses:
        add(described, "p", "The profile names no witness.")
    else:
        _witnesses(described, apparatus)
    encoding = add(header, "encodingDesc")
    add(add(encoding, "projectDesc"), "p", _ABOUT)
    add(encoding, "variantEncoding", method="parallel-segmentation", location="internal")
    classes = add(add(encoding, "classDecl"), "taxonomy", id="quadrille.status")
    for status, words in STATUSES.items():
        add(add(classes, "category", id=STATUS + status), "catDesc", words)
    languages = {"en"} | {s.language for s in apparatus.sources if s.language}
    used = add(add(header, "profileDesc"), "langUsage")
    for code in sorted(languages):
        add(used, "language", LANGUAGES.get(code, code), ident=code)


def _witnesses(described: Any, apparatus: Apparatus) -> None:
    """The witnesses, and apart from them the testimonia."""
    shelf = {s.id: s for s in apparatus.sources}
    proper = [w for w in apparatus.witnesses if not w.testimonium]
    reports = [w for w in apparatus.witnesses if w.testimonium]
    lists = [(add(described, "listWit"), "witness", proper)] if proper else []
    for number, name in enumerate(_unseen(apparatus)):
        listed = described[0] if number else add(described, "listWit")
        entry = add(listed, "witness", id=UNSEEN + name, n=str(number))
        short = short_title(shelf[name]) if name in shelf else name
        add(entry, "bibl", short, corresp=f"#{SOURCE}{name}")
    if reports:
        shelved = add(described, "listBibl", type="testimonia")
        add(shelved, "head", "Testimonia: reports of a text that was not seen")
        lists.append((shelved, "bibl", reports))
    for parent, tag, entries in lists:
        for witness in entries:
            entry = add(parent, tag, id=witness.id, n=str(apparatus.witnesses.index(witness)))
            _filled(entry, ("name" if tag == "witness" else "title", witness.title))
            if name := witness.source:
                short = short_title(shelf[name]) if name in shelf else name
                add(entry, "bibl", short, corresp=f"#{SOURCE}{name}")
            if witness.testimonium:
                add(entry, "relatedItem", type="reported", target=f"#{SOURCE}{witness.testimonium}")
            _filled(entry, ("note", witness.note))
            _filled(entry, ("note", witness.pages), type="pages")


def _unseen(apparatus: Apparatus) -> list[str]:
    """The texts that testimonia report, where there is no witness besides."""
    texts = [w.testimonium for w in apparatus.witnesses]
    return list(dict.fromkeys(texts)) if all(texts) else []


def _body(body: Any, apparatus: Apparatus) -> None:
    division = add(body, "div", type="open")
    add(division, "head", "Points in dispute")
    add(division, "p", "The reading in use is the lemma.")
    reports = frozenset(w.id for w in apparatus.witnesses if w.testimonium)
    for point in apparatus.points:
        _point(add(division, "div", type="point", n=point.id), point, reports, _unseen(apparatus))
    if apparatus.closed:
        division = add(body, "div", type="closed")
        add(division, "head", "Points that are closed")
        add(
            division,
            "p",
            "They decide nothing here, for a later profile or a plugin has settled their rules.",
        )
        entries = add(division, "list")
        for closed in apparatus.closed:
            _closed(add(entries, "item", closed.question, n=closed.id), closed)


def _point(
    division: Any, point: ApparatusPoint, reports: Collection[str], unseen: Iterable[str]
) -> None:
    add(division, "head", point.question)
    block = add(division, "ab")
    app = add(block, "app", n=point.id)
    lemma = point.lemma
    if any(name not in reports for name, _ in lemma.attested):
        _reading(app, "lem", point.id, lemma, reports, cause=point.because)
    else:
        add(app, "lem", lemma.text, sameAs=f"#{point.id}.{lemma.id}", cause=point.because)
        _reading(app, "rdg", point.id, lemma, reports)
    for alternative in point.readings[1:]:
        _reading(app, "rdg", point.id, alternative, reports)
    nobody = [Silence(UNSEEN + name, lemma.id, point.because, "unseen") for name in unseen]
    for silence in (*point.silences, *nobody):
        lacuna = add(
            app,
            "rdg",
            type="lac" if silence.state == "unseen" else silence.state,
            n=silence.state,
            wit="" if silence.witness in reports else f"#{silence.witness}",
            source=f"#{silence.witness}" if silence.witness in reports else "",
            corresp=f"#{point.id}.{silence.filled}",
            cause=silence.because,
        )
        if silence.state == "unseen":
            _lost(lacuna)
    for name, how in point.several.items():
        held = " ".join(f"#{point.id}.{r.id}" for r in point.readings if name in dict(r.attested))
        add(app, "note", SEVERAL[how], type=how, target=held, source=f"#{name}")
    for reading in point.readings:  # an app may hold none
        certain = {
            "target": f"#{point.id}.{reading.id}",
            "locus": "value",
            "cert": reading.certainty or "unknown",
        }
        add(block, "certainty", **certain, ana=f"#{STATUS}{reading.status}")
    _filled(division, ("note", point.note))


def _reading(
    app: Any,
    tag: str,
    point: str,
    reading: ApparatusReading,
    reports: Collection[str],
    cause: str = "",
) -> None:
    key = f"{point}.{reading.id}"
    seen = [(name, at) for name, at in reading.attested if name not in reports]
    reported = [(name, at) for name, at in reading.attested if name in reports]
    wit = " ".join(f"#{name}" for name, _ in seen)
    others = [(f"#{name}", at) for name, at in reported]
    others += [(f"#{SOURCE}{name}", at) for name, at in reading.elsewhere]
    source = " ".join(name for name, _ in others)
    element = add(app, tag, reading.text, id=key, n=reading.id, wit=wit, source=source, cause=cause)
    _rules(element, reading.sets)
    for name, at in seen:
        _filled(app, ("witDetail", at), wit=f"#{name}", target=f"#{key}", type="place")
    for name, at in (*others, ("", reading.at)):
        _filled(app, ("note", at), type="place", target=f"#{key}", source=name)
    _filled(app, ("note", reading.note), type="remark", target=f"#{key}")


def _closed(item: Any, closed: Closed) -> None:
    readings = add(item, "list", type="readings")
    for reading in closed.readings:
        who = [(f"#{name}", at) for name, at in reading.attested]
        who += [(f"#{SOURCE}{name}", at) for name, at in reading.elsewhere]
        source = " ".join(name for name, _ in who)
        one = add(readings, "item", reading.text, n=reading.id, source=source)
        for name, at in who:
            _filled(one, ("note", at), type="place", source=name)
    settled = add(item, "list", type="settled")
    for by in closed.by:
        entry = add(settled, "item", by.name, n=by.setter)
        _rules(entry, [(by.path, by.value)])
        for source, at in by.attested:
            add(entry, "note", at, type="place", source=f"#{SOURCE}{source}")


def _bibl(shelf: Any, source: Source) -> None:
    bibl = add(shelf, "bibl", id=SOURCE + source.id, type=source.kind, subtype=source.medium)
    _filled(bibl, ("author", source.author), ("editor", source.editor))
    add(bibl, "title", source.title)
    if source.language:
        add(bibl, "textLang", mainLang=source.language)
    _filled(bibl, ("pubPlace", source.publisher_place), ("publisher", source.publisher))
    if source.year is not None:
        add(bibl, "date", source.date, **_dates(source.year, source.until))
    _filled(bibl, ("idno", source.url), type="url")
    _filled(bibl, ("idno", source.images), type="images")
    _filled(bibl, ("edition", source.edition), ("edition", source.seen))
    if source.licence:
        add(add(bibl, "availability"), "licence", source.licence)
    _related(bibl, source)
    if source.pages:
        extent = add(bibl, "extent", n=str(source.pages.get("known", "")))
        for kind in ("seen", "whole"):
            for page in source.pages.get(kind, ()):
                add(extent, "measure", page, type=kind)
    _filled(bibl, ("note", source.note))
    _filled(bibl, ("note", source.copy), type="copy")
    _filled(bibl, ("note", access(source)), type="access")


def _related(bibl: Any, source: Source) -> None:
    """The texts that it reports, is known through, copies or translates."""
    for kind, other in (("known-through", source.via), ("reported", source.of)):
        if other:
            add(bibl, "relatedItem", type=kind, target=f"#{SOURCE}{other}")
    for descent in source.descends:
        one = add(bibl, "relatedItem", type=descent["how"], target=f"#{SOURCE}{descent['from']}")
        part = add(one, "bibl", n=descent.get("at", ""))
        _filled(part, ("biblScope", descent.get("places", "")))
        add(part, "note", descent["evidence"])


def _dates(year: int, until: int | None) -> dict[str, str]:
    """A year, or the years between which a text appeared, as TEI's attributes."""
    if until is None:
        return {"when": f"{year:04d}"}
    return {"notBefore": f"{year:04d}", "notAfter": f"{until:04d}"}


def _filled(parent: Any, *texts: tuple[str, str], **attributes: str) -> None:
    """A child for each text that there is."""
    for tag, text in texts:
        if text:
            add(parent, tag, text, **attributes)


def _lost(reading: Any) -> None:
    """A whole lacuna, for what stands there is lost to us."""
    add(reading, "lacunaStart")
    add(reading, "lacunaEnd")


# --- rules as feature structures ----------------------------------------------------------------


def _rules(parent: Any, rules: Iterable[tuple[str, Any]]) -> None:
    """One feature structure with a feature for each rule; nothing when there is no rule.

    ``null`` is the one symbol there is; text is always a ``string``, so that the word "none" and no
    value stay apart.  A list within a list is a feature structure of type ``list``, since TEI lets
    no collection hold another.
    """
    if rules := list(rules):
        _features(add(parent, "fs", type="rules"), rules)


def _features(structure: Any, pairs: Iterable[tuple[str, Any]]) -> None:
    for name, value in pairs:
        _value(add(structure, "f", name=name), value)


def _value(parent: Any, value: Any, *, inside: bool = False) -> None:
    if value is None:
        add(parent, "symbol", value="null")
    elif isinstance(value, bool):
        add(parent, "binary", value="true" if value else "false")
    elif isinstance(value, int):
        add(parent, "numeric", value=str(value))
    elif isinstance(value, str):
        add(parent, "string", value)
    elif isinstance(value, dict):
        _features(add(parent, "fs", type="map"), value.items())
    elif inside:
        _value(add(add(parent, "fs", type="list"), "f", name="item"), value)
    else:
        collection = add(parent, "vColl", org="list")
        for item in value:
            _value(collection, item, inside=True)


# --- the collation --------------------------------------------------------------------------------


def collation(matrix: Matrix) -> str:
    """The matrix, every text a witness: an entry for each rule for which texts differ; raises
    UsageError where lxml is not installed.

    A text that is silent has a reading of type ``silent``, one that was not read a lacuna, one
    whose rules have no such thing a reading of type ``inapplicable``; so programs that read the
    collation can treat each as missing data.
    """
    root = _document()
    _header_of_texts(root, matrix)
    body = add(add(add(root, "text"), "body"), "ab")
    for path, cells in matrix.variant().items():
        entry = add(body, "app", id=f"rule.{path}")
        readings = grouped(
            (("", cell.text) if cell.speaks else (cell.state, ""), f"#w{number}")
            for number, cell in enumerate(cells, 1)
        )
        for place, ((state, value), witnesses) in enumerate(readings.items(), 1):
            wit = " ".join(witnesses)
            if state == "unseen":
                _lost(add(entry, "rdg", type="lac", wit=wit))
            else:
                add(entry, "rdg", value or None, n=str(place), type=state, wit=wit)
    etree().indent(root, " ")
    return _written(root)


def _header_of_texts(root: Any, matrix: Matrix) -> None:
    header = add(root, "teiHeader")
    file = add(header, "fileDesc")
    add(add(file, "titleStmt"), "title", "Rules of Quadrille, text by text")
    published = add(file, "publicationStmt")
    add(published, "authority", "Quadrille")
    add(published, "idno", __version__, type="program")
    texts = add(add(file, "sourceDesc"), "listWit")
    for number, text in enumerate(matrix.texts, 1):
        witness = add(texts, "witness", f"{text.title} ", id=f"w{number}", n=text.name)
        add(witness, "idno", f"{text.reference}#{text.digest}", type="rules")
        _filled(witness, ("note", text.pages), type="pages")
    notes = add(add(add(add(header, "encodingDesc"), "editorialDecl"), "p"), "list")
    for state, means in STATES.items():
        add(notes, "item", f"{state}: {means}")
