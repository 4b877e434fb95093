"""The catalogue of sentences, every template rewritten: whoever reads a sentence fails under it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from quadrille_core.diagnostics import catalogue

REWRITTEN = "QUADRILLE_TESTS_REWRITTEN"
"""The environment variable that has every test of a run meet the rewritten catalogue."""
FIELD = re.compile(r"\{[\w-][^{}]*\}")


def _rewritten(template: Any) -> Any:
    """A template, or the templates of several readers or clauses, as a word without meaning and the fields."""
    if isinstance(template, dict):
        return {reader: _rewritten(words) for reader, words in template.items()}
    if isinstance(template, list):
        return [_rewritten(clause) for clause in template]
    return " ".join(["xyzzy", *FIELD.findall(template)])


@contextmanager
def nonsense() -> Iterator[None]:
    """Until it is left, every sentence is a word without meaning followed by what is put in."""
    kept = {code: dict(sentences) for code, sentences in catalogue().items()}
    for sentences in catalogue().values():
        sentences.update({name: _rewritten(template) for name, template in sentences.items()})  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for code, sentences in catalogue().items():
            sentences.update(kept[code])  # type: ignore[attr-defined]
