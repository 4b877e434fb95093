"""Which of the rules that differ do not stand in the text that a rule set is named after, in a line
for each side."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol

from quadrille_core.ruleset import Compiled

_FILLED: Final[Mapping[str, str]] = {
    "silent": "fill a silence",
    "unseen": "fill what was not read",
    "inapplicable": "stand where the text has no such rule",
}
"""What rules do that are no text's own, by the state of the text."""


class Differing(Protocol):
    """A rule that differs."""

    @property
    def path(self) -> str:
        """Its path."""
        ...


def other_texts(
    sides: Sequence[Compiled], names: Sequence[str], differences: Sequence[Differing]
) -> Iterator[str]:
    """A line for each rule set whose rules that differ come from another text, are fillings or
    conjecture.

    A rule set's own text is the source that has its name; a rule comes from another where all
    sources that attest it are, or report, another.  What no source of the profile states at all is
    left out.
    """
    for compiled, name in zip(sides, names, strict=True):
        others: dict[tuple[str, str], list[str]] = {}
        filled: Counter[str] = Counter()
        conjecture = 0
        for path in (d.path for d in differences):
            origin = compiled.origins.get(path)
            if origin is None or origin.link.setter == "vocabulary":
                continue
            filled[origin.status] += 1
            conjecture += origin.status == "conjecture"
            if (other := _other_text(compiled, path)) is not None:
                others.setdefault(other, []).append(path)
        said = [
            f"{len(paths)} come from {text}{f' (by {by})' if by != text else ''}"
            + (
                f", {paid} of them payments"
                if (paid := sum(p.startswith("payments.") for p in paths))
                else ""
            )
            for (text, by), paths in others.items()
        ]
        said += [f"{filled[state]} {words}" for state, words in _FILLED.items() if filled[state]]
        said += [f"{conjecture} are conjecture"] if conjecture else []
        if said:
            yield f"{name}: of these rules {'; '.join(said)}."


def _other_text(compiled: Compiled, path: str) -> tuple[str, str] | None:
    """The text, other than the rule set's own, that a rule is taken from, and the source that it is
    known by."""
    own = next((d.id for d in reversed(compiled.chain) if d.id in compiled.sources), None)
    cites = [
        c for c in compiled.origins[path].link.citations if c.status in ("attested", "inferred")
    ]
    known = [(compiled.sources[c.source], c.source) for c in cites if c.source in compiled.sources]
    texts = [(source.testimonium or name, name) for source, name in known]
    if own is None or not texts or any(text == own for text, _ in texts):
        return None
    return texts[0]
