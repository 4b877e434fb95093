"""Reading back the TEI that ``report/tei.py`` writes.

What comes from a stranger is held against a schema first, ``schemas/apparatus.rng``, a part of TEI
P5; a document type is refused, and with it every entity that it could declare.
"""

from collections.abc import Iterable
from typing import Any, Final

from quadrille_core import resources
from quadrille_core.errors import Command, Option, Phrase, Place, Problem, UnreadableError
from quadrille_core.profile.records import Source
from quadrille_plugins.apparatus.model import (
    SEVERAL,
    Apparatus,
    ApparatusPoint,
    ApparatusReading,
    Closed,
    Settled,
    Silence,
    Witness,
)
from quadrille_plugins.apparatus.tei import NAMESPACE, SOURCE, STATUS, XML_ID, etree
from quadrille_plugins.apparatus.tei_values import rules_in

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of the largest document that is read; the largest shipped apparatus takes a fortieth of
it."""


def read(data: bytes, name: str = "<TEI>") -> Apparatus:
    """The apparatus in a TEI document that this program wrote, which messages call by ``name``.

    Raises UnreadableError: Q102 for one too large, Q117 for one that is no XML or declares a
    document type, Q118 for one that is no apparatus, each with its line; UsageError where lxml is
    not installed.
    """
    xml = etree()
    if len(data) > LARGEST:
        raise UnreadableError.of(
            "document-more-than-kib", place=Place(name), largest=LARGEST // 1024
        )
    parser = xml.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = xml.fromstring(data, parser)
    except (xml.XMLSyntaxError, ValueError) as e:
        raise _malformed(name, getattr(e, "lineno", None), str(e)) from None
    if root.getroottree().docinfo.doctype:
        raise _malformed(name, 1, "a document type is declared, and with it entities may be")
    schema = xml.RelaxNG(xml.parse(str(resources.schemas() / "apparatus.rng")))
    if not schema.validate(root):
        first = schema.error_log[0]
        raise _foreign(name, first.line, first.message)
    return _TeiReader(root, name).apparatus()


def _malformed(name: str, line: int | None, message: str) -> UnreadableError:
    place = Place(name, line, 1) if line else Place(name)
    mend = Phrase(
        "write-it-anew-with-command",
        {"command": Command("apparatus", ("REF",), (Option("format", "tei"),))},
    )
    return UnreadableError(Problem.text("Q117", message[:200], place, mend))


def _foreign(name: str, line: int | None, message: str) -> UnreadableError:
    place = Place(name, line, 1) if line else Place(name)
    mend = Phrase(
        "only-what-command-writes-is-read",
        {"command": Command("apparatus", ("REF",), (Option("format", "tei"),))},
    )
    return UnreadableError(Problem.text("Q118", message[:200], place, mend))


class _TeiReader:
    """Turns a document of the right shape into records, and refuses one whose parts do not fit
    together."""

    def __init__(self, root: Any, name: str) -> None:
        self.root = root
        self.name = name
        self.witnesses = {w.get(XML_ID) for w in self.all(root, ".//t:witness")}
        self.testimonia = self.all(root, ".//t:sourceDesc/t:listBibl/t:bibl")
        self.reports = {f"#{b.get(XML_ID)}" for b in self.testimonia}
        self.shelf = self.all(root, ".//t:back/t:div/t:listBibl/t:bibl")
        self.sources = {f"#{b.get(XML_ID)}" for b in self.shelf}

    def all(self, element: Any, path: str) -> list[Any]:
        return list(element.iterfind(path, {"t": NAMESPACE}))

    def text(self, element: Any, path: str) -> str:
        found = element.find(path, {"t": NAMESPACE})
        return "" if found is None else str(found.text or "")

    def pairs(self, kind: str) -> tuple[tuple[str, str], ...]:
        found = self.all(self.root, f".//t:publicationStmt/t:idno[@type='{kind}']")
        return tuple((one.get("n"), one.text or "") for one in found)

    def stated(self, kind: str) -> str:
        return self.text(self.root, f".//t:publicationStmt/t:idno[@type='{kind}']")

    def witness(self, element: Any, pointer: str) -> str:
        if pointer[1:] not in self.witnesses:
            self.refuse(element, f"{pointer[:60]} is no witness of the list of witnesses")
        return pointer[1:]

    def apparatus(self) -> Apparatus:
        """The whole document; raises UnreadableError (Q118) for what would be lost on reading."""
        for element in self.root.iter():
            if (element.tail or "").strip():
                self.refuse(element, "there is text after this element, where none is read")
        stood = sorted(
            [*self.all(self.root, ".//t:witness"), *self.testimonia], key=lambda w: int(w.get("n"))
        )
        self.once(stood, "a witness", XML_ID)
        self.once(self.shelf, "a source", XML_ID)
        entries = self.all(self.root, ".//t:div[@type='point']") + self.all(
            self.root, ".//t:body/t:div/t:list/t:item"
        )
        self.once(entries, "a point", "n")
        return Apparatus(
            rules=self.stated("rules"),
            title=self.text(self.root, ".//t:titleStmt/t:title"),
            digest=self.stated("digest"),
            witness=self.stated("witness"),
            chosen=self.pairs("reading"),
            plugins=self.pairs("plugin"),
            program=self.stated("program"),
            witnesses=tuple(
                Witness(
                    w.get(XML_ID),
                    "".join(b.get("corresp")[len(SOURCE) + 1 :] for b in self.all(w, "t:bibl")),
                    self.text(w, "t:name") or self.text(w, "t:title"),
                    "".join(n.text or "" for n in self.all(w, "t:note") if n.get("type") is None),
                    self.target(w, "reported"),
                    self.text(w, "t:note[@type='pages']"),
                )
                for w in stood
            ),
            points=tuple(self.point(d) for d in self.all(self.root, ".//t:div[@type='point']")),
            closed=tuple(
                self.closed(i)
                for i in self.all(self.root, ".//t:div[@type='closed']/t:list/t:item")
            ),
            sources=tuple(self.source(b) for b in self.shelf),
        )

    def target(self, element: Any, kind: str) -> str:
        """The source to which the related item of that type points; empty where there is none."""
        found = element.find(f"t:relatedItem[@type='{kind}']", {"t": NAMESPACE})
        return "" if found is None else str(found.get("target"))[len(SOURCE) + 1 :]

    def silent(self, element: Any) -> str:
        """The witness, or the testimonium, that does not answer."""
        pointer = element.get("wit") or element.get("source")
        return str(pointer[1:]) if pointer in self.reports else self.witness(element, pointer)

    def refuse(self, element: Any, message: str) -> None:
        raise _foreign(self.name, element.sourceline, message)

    def once(self, elements: Iterable[Any], what: str, *attributes: str) -> None:
        """Refuse the second of two elements that these attributes call the same."""
        seen = set()
        for element in elements:
            key = tuple(element.get(a) for a in attributes)
            if key in seen:
                self.refuse(element, f"{what} stands twice: {' '.join(map(str, key))[:60]}")
            seen.add(key)

    def point(self, division: Any) -> ApparatusPoint:
        (app,) = self.all(division, "t:ab/t:app")
        point, lemma = division.get("n"), app[0]
        readings = [e for e in app if e.get(XML_ID)]
        keys = [e.get(XML_ID) for e in readings]
        for element in [*app, *self.all(division, "t:ab/t:certainty")]:
            pointers = (
                element.get("target") or element.get("corresp") or element.get("sameAs") or ""
            )
            for pointer in pointers.split():
                if pointer[1:] not in keys:
                    self.refuse(element, f"{pointer[:60]} is no reading of point {point}")
        for element in readings:
            if element.get(XML_ID) != f"{point}.{element.get('n')}":
                self.refuse(element, f"a reading of point {point} is named for another")
        first = (lemma.get("sameAs") or f"#{keys[0]}")[1:]
        if (
            app.get("n") != point
            or first != keys[0]
            or (lemma.text or "") != (readings[0].text or "")
        ):
            self.refuse(app, f"the lemma of point {point} is not its first reading")
        self.once(readings, "a reading", XML_ID)
        self.once(self.all(app, "t:note"), "a note", "target", "type", "source")
        self.once(self.all(app, "t:witDetail"), "a detail", "target", "wit")
        absent = [e for e in self.all(app, "t:rdg") if e.get("type")]
        self.once(absent, "an absence", "wit", "source")
        found = ApparatusPoint(
            id=point,
            question=self.text(division, "t:head"),
            note=self.text(division, "t:note"),
            because=lemma.get("cause"),
            readings=tuple(self.reading(app, e) for e in readings),
            silences=tuple(
                Silence(
                    self.silent(e), e.get("corresp")[len(point) + 2 :], e.get("cause"), e.get("n")
                )
                for e in absent
            ),
        )
        marked = {
            n.get("source")[1:]: n.get("type")
            for n in self.all(app, "t:note")
            if n.get("type") in SEVERAL
        }
        if marked != found.several:
            self.refuse(app, f"who has several readings of point {point} is marked wrongly")
        return found

    def reading(self, app: Any, element: Any) -> ApparatusReading:
        target = f"[@target='#{element.get(XML_ID)}']"
        details = self.all(app, "t:witDetail" + target)
        places = {d.get("wit"): d.text or "" for d in details}
        wits = (element.get("wit") or "").split()
        for detail in details:
            if detail.get("wit") not in wits:
                self.refuse(detail, f"{detail.get('wit')[:60]} does not have this reading")
        notes = self.all(app, f"t:note{target}[@type='place']")
        sited = {n.get("source"): n.text or "" for n in notes}
        others = (element.get("source") or "").split()
        reported = [o for o in others if o in self.reports]
        for pointer in others:
            if pointer not in self.sources and pointer not in self.reports:
                self.refuse(element, f"{pointer[:60]} is no source of the bibliography")
        for note in notes:
            if note.get("source") and note.get("source") not in others:
                self.refuse(note, f"{note.get('source')[:60]} does not have this reading")
        certain = self.all(app.getparent(), "t:certainty" + target)
        if len(certain) != 1:
            self.refuse(element, "a reading has one certainty, no more and no less")
        said = certain[0].get("cert")
        return ApparatusReading(
            id=element.get("n"),
            text=element.text or "",
            sets=tuple(rules_in(element)),
            attested=tuple(
                [(self.witness(element, w), places.get(w, "")) for w in wits]
                + [(s[1:], sited.get(s, "")) for s in reported]
            ),
            elsewhere=tuple(
                (s[len(SOURCE) + 1 :], sited.get(s, "")) for s in others if s not in self.reports
            ),
            at=sited.get(None, ""),
            status=certain[0].get("ana")[len(STATUS) + 1 :],
            certainty="" if said == "unknown" else said,
            note=self.text(app, f"t:note{target}[@type='remark']"),
        )

    def closed(self, item: Any) -> Closed:
        return Closed(
            id=item.get("n"),
            question=item.text or "",
            readings=tuple(i.text or "" for i in self.all(item, "t:list[@type='readings']/t:item")),
            by=tuple(
                Settled(path, value, entry.get("n"), entry.text or "")
                for entry in self.all(item, "t:list[@type='settled']/t:item")
                for path, value in rules_in(entry)
            ),
        )

    def source(self, bibl: Any) -> Source:
        language = bibl.find("t:textLang", {"t": NAMESPACE})
        year = self.text(bibl, "t:date")
        return Source(
            id=bibl.get(XML_ID)[len(SOURCE) :],
            author=self.text(bibl, "t:author"),
            editor=self.text(bibl, "t:editor"),
            title=self.text(bibl, "t:title"),
            year=int(year) if year else None,
            kind=bibl.get("type") or "",
            of=self.target(bibl, "reported"),
            via=self.target(bibl, "known-through"),
            publisher=self.text(bibl, "t:publisher"),
            publisher_place=self.text(bibl, "t:pubPlace"),
            medium=bibl.get("subtype") or "",
            language="" if language is None else language.get("mainLang"),
            url=self.text(bibl, "t:idno"),
            seen=self.text(bibl, "t:edition"),
            licence=self.text(bibl, "t:availability/t:licence"),
            note="".join(
                n.text or "" for n in self.all(bibl, "t:note") if n.get("type") != "access"
            ),
            pages=self.pages(bibl),
            descends=tuple(
                self.descent(item)
                for item in self.all(bibl, "t:relatedItem")
                if item.get("type") not in ("reported", "known-through")
            ),
        )

    def descent(self, item: Any) -> dict[str, str]:
        """A text that a source copies or translates, as the bibliography has it."""
        (bibl,) = self.all(item, "t:bibl")
        found = {"from": item.get("target")[len(SOURCE) + 1 :], "how": item.get("type")}
        found["evidence"] = self.text(bibl, "t:note")
        found |= {} if bibl.get("n") is None else {"at": bibl.get("n")}
        return found | ({"places": places} if (places := self.text(bibl, "t:biblScope")) else {})

    def pages(self, bibl: Any) -> dict[str, Any]:
        """The pages of a text that was read in part; empty for another."""
        extent = bibl.find("t:extent", {"t": NAMESPACE})
        if extent is None:
            return {}
        known = {"known": int(extent.get("n"))} if extent.get("n") else {}
        kinds = {
            kind: [m.text or "" for m in self.all(extent, f"t:measure[@type='{kind}']")]
            for kind in ("seen", "whole")
        }
        return known | {kind: texts for kind, texts in kinds.items() if texts}
