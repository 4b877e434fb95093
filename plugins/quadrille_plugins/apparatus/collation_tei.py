"""The matrix as TEI P5, every text a witness: an entry for each rule for which texts differ.

A text that is silent has a reading of type ``silent``, one that was not read a lacuna, one whose
rules have no such thing a reading of type ``inapplicable``; so programs that read the collation can
treat each as missing data.
"""

from typing import Any, Final

from quadrille_core import __version__
from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_plugins.apparatus.matrix import STATES, Matrix

NAMESPACE: Final = "http://www.tei-c.org/ns/1.0"
XML_ID: Final = "{http://www.w3.org/XML/1998/namespace}id"


def tei(matrix: Matrix) -> str:
    """The collation; raises UsageError where lxml is not installed."""
    try:
        from lxml import etree
    except ImportError:
        raise UsageError(
            "TEI is written with lxml, which is not installed", help=install_hint("tei")
        ) from None
    root = etree.Element(f"{{{NAMESPACE}}}TEI", nsmap={None: NAMESPACE})
    _header(root, matrix)
    body = _add(_add(root, "text"), "body")
    for path, cells in matrix.variant().items():
        entry = _add(body, "app", id=f"rule.{path}")
        readings: dict[tuple[str, str], list[str]] = {}
        for number, cell in enumerate(cells):
            what = ("", cell.text) if cell.speaks else (cell.state, "")
            readings.setdefault(what, []).append(f"#w{number + 1}")
        for place, ((state, value), witnesses) in enumerate(readings.items(), 1):
            wit = " ".join(witnesses)
            if state == "unseen":
                lost = _add(entry, "rdg", type="lac", wit=wit)
                _add(lost, "lacunaStart")
                _add(lost, "lacunaEnd")
            else:
                _add(entry, "rdg", value or None, n=str(place), type=state, wit=wit)
    etree.indent(root, " ")
    written: bytes = etree.tostring(root, encoding="UTF-8", xml_declaration=True)
    return written.decode("utf-8") + "\n"


def _header(root: Any, matrix: Matrix) -> None:
    file = _add(_add(root, "teiHeader"), "fileDesc")
    titles = _add(file, "titleStmt")
    _add(titles, "title", "Rules of Quadrille, text by text")
    published = _add(file, "publicationStmt")
    _add(published, "authority", "Quadrille")
    _add(published, "idno", __version__, type="program")
    texts = _add(_add(file, "sourceDesc"), "listWit")
    for number, text in enumerate(matrix.texts, 1):
        witness = _add(texts, "witness", f"{text.title} ", id=f"w{number}", n=text.name)
        _add(witness, "idno", f"{text.reference}#{text.digest}", type="rules")
        if text.pages:
            _add(witness, "note", text.pages, type="pages")
    notes = _add(
        _add(_add(root.find(f"{{{NAMESPACE}}}teiHeader"), "encodingDesc"), "editorialDecl"), "list"
    )
    for state, means in STATES.items():
        _add(notes, "item", f"{state}: {means}")


def _add(parent: Any, tag: str, text: str | None = None, **attributes: str) -> Any:
    child = parent.makeelement(f"{{{NAMESPACE}}}{tag}")
    for key, value in attributes.items():
        if value:
            child.set(XML_ID if key == "id" else key, value)
    child.text = text
    parent.append(child)
    return child
