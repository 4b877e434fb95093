"""The matrix as TEI P5, every text a witness: an entry for each rule for which texts differ.

A text that is silent has a reading of type ``silent``, one that was not read a lacuna, one whose
rules have no such thing a reading of type ``inapplicable``; so programs that read the collation can
treat each as missing data.
"""

from typing import Any

from quadrille_core import __version__
from quadrille_plugins.apparatus.matrix import STATES, Matrix
from quadrille_plugins.apparatus.tei import NAMESPACE, add, etree


def tei(matrix: Matrix) -> str:
    """The collation; raises UsageError where lxml is not installed."""
    library = etree()
    root = library.Element(f"{{{NAMESPACE}}}TEI", nsmap={None: NAMESPACE})
    _header(root, matrix)
    body = add(add(root, "text"), "body")
    for path, cells in matrix.variant().items():
        entry = add(body, "app", id=f"rule.{path}")
        readings: dict[tuple[str, str], list[str]] = {}
        for number, cell in enumerate(cells):
            what = ("", cell.text) if cell.speaks else (cell.state, "")
            readings.setdefault(what, []).append(f"#w{number + 1}")
        for place, ((state, value), witnesses) in enumerate(readings.items(), 1):
            wit = " ".join(witnesses)
            if state == "unseen":
                lost = add(entry, "rdg", type="lac", wit=wit)
                add(lost, "lacunaStart")
                add(lost, "lacunaEnd")
            else:
                add(entry, "rdg", value or None, n=str(place), type=state, wit=wit)
    library.indent(root, " ")
    written: bytes = library.tostring(root, encoding="UTF-8", xml_declaration=True)
    return written.decode("utf-8") + "\n"


def _header(root: Any, matrix: Matrix) -> None:
    file = add(add(root, "teiHeader"), "fileDesc")
    titles = add(file, "titleStmt")
    add(titles, "title", "Rules of Quadrille, text by text")
    published = add(file, "publicationStmt")
    add(published, "authority", "Quadrille")
    add(published, "idno", __version__, type="program")
    texts = add(add(file, "sourceDesc"), "listWit")
    for number, text in enumerate(matrix.texts, 1):
        witness = add(texts, "witness", f"{text.title} ", id=f"w{number}", n=text.name)
        add(witness, "idno", f"{text.reference}#{text.digest}", type="rules")
        if text.pages:
            add(witness, "note", text.pages, type="pages")
    notes = add(
        add(add(root.find(f"{{{NAMESPACE}}}teiHeader"), "encodingDesc"), "editorialDecl"), "list"
    )
    for state, means in STATES.items():
        add(notes, "item", f"{state}: {means}")
