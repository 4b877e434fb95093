"""How Sphinx makes the site of the pages in this folder; docs/install.md has the command.

The pages stay plain Markdown that any viewer of the repository shows, so an anchor is written
``<a id="x"></a>``. Sphinx takes HTML as it stands and knows no anchors in it.  Here they become its
targets, so that every link to one is checked.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from quadrille_core import __version__
from quadrille_core.diagnostics import catalogue

project = "Quadrille"
release = __version__
language = "en"
extensions = ["myst_parser"]
myst_heading_anchors = 4  # as deep as a link to a heading may reach
nitpicky = True

html_theme = "furo"
html_title = "Quadrille"
html_static_path = ["static"]
html_css_files = ["tables.css"]
html_show_copyright = False
html_copy_source = False
html_search_scorer = str(Path(__file__).with_name("scorer.js"))


class Anchors(SphinxTransform):
    """Targets in place of ``<a id="x"></a>``."""

    default_priority = 800  # before Sphinx takes up the labels of the page

    def apply(self, **_: Any) -> None:
        """Replace each opening tag by its target, and drop the closing tag."""
        for opening in list(self.document.findall(nodes.raw)):
            found = re.fullmatch(r'<a id="([^"]+)">', opening.astext())
            if not found:
                continue
            closing = opening.next_node(descend=False, siblings=True)
            if not isinstance(closing, nodes.raw) or closing.astext() != "</a>":
                raise ValueError(f"{self.env.docname}: {opening.astext()} has text in it")
            closing.parent.remove(closing)
            target = nodes.target("", "", ids=[found[1]], names=[found[1]])
            opening.replace_self(target)
            self.document.note_explicit_target(target)


HEAD = """# Every message

Made from the program's catalogue when the site is built. Words in braces are put in when the
message is shown. What a code means: [errors](errors.md).
"""


def write_messages(app: Sphinx) -> None:
    """Write the page of all sentences of diagnostics, by code, and of all hints."""
    lines = [HEAD]
    for code, sentences in catalogue().items():
        lines += [
            f"## {code}",
            "",
            *(f"- {_as_code(words)}" for words in _texts(list(sentences.values()))),
            "",
        ]
    if Path(app.srcdir, "errors.md").is_file():  # which the page leads to
        Path(app.srcdir, "messages.md").write_text("\n".join(lines), "utf-8")


def _texts(template: Any) -> Iterator[str]:
    """Every text of a template: of its readers and clauses, of a message and its help."""
    if isinstance(template, str):
        yield template
    else:
        for part in template.values() if isinstance(template, dict) else template:
            yield from _texts(part)


def _as_code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the transform and the page of messages."""
    app.add_transform(Anchors)
    app.connect("config-inited", lambda app, config: write_messages(app))
    return {"parallel_read_safe": True}
