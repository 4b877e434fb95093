"""Where every rule's value comes from: the chain of those who set it, and who attests it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from quadrille_core.errors import Place
from quadrille_core.frozen import frozen
from quadrille_core.profile.records import FILLED, Citation

Because = Literal["hand", "profile", "witness", "filling", "default"]
"""Why a reading is in force: chosen by hand, or by a profile; attested by the witness that is
followed; chosen to fill that witness's silence; or the point's own default."""
Setter = Literal["profile", "reading", "plugin", "setting", "vocabulary"]


@frozen
class Link:
    """One step of a rule's history: who set it to what, where that stands, and why."""

    value: Any
    setter: Setter
    name: str
    """The profile, ``point=reading``, plugin or ``--set`` that did it."""
    level: int
    """How deep in the chain of profiles, 0 for the root; settings by hand lie deeper than all."""
    place: Place | None = None
    reason: str = ""
    citations: tuple[Citation, ...] = ()
    exact: bool = False
    """Whether the citations are of this very rule, not of the block it stands in."""


@frozen
class Origin:
    """A rule's whole history, oldest first; the last link is in force."""

    path: str
    chain: tuple[Link, ...]

    @property
    def link(self) -> Link:
        """The link in force."""
        return self.chain[-1]

    @property
    def value(self) -> Any:
        """The plain value in force."""
        return self.link.value

    @property
    def status(self) -> str:
        """``attested``, ``inferred``, one of ``FILLED``, ``conjecture`` or ``house``."""
        return self.link.citations[0].status if self.link.citations else "house"

    def source_text(self) -> str:
        """The citation in short, ``source: place``; for what no source attests, its status and
        filling."""
        parts = []
        for cite in self.link.citations:
            where = f"{cite.source}: {cite.at}" if cite.source and cite.at else cite.source
            if cite.status == "attested":
                parts.append(where)
            elif cite.status in FILLED:
                parts.append(
                    f"{cite.source + ' ' if cite.source else ''}{cite.status}; filled: "
                    f"{cite.filled}"
                )
            else:
                parts.append(f"{cite.status}{' (' + where + ')' if where else ''}")
        return "; ".join(parts) or f"house rule of {self.link.name}"


NEUTRAL = "the neutral value; nothing in this profile states it"


def neutral_link(value: Any) -> Link:
    """The link of a rule that nobody set."""
    return Link(
        value,
        "vocabulary",
        "vocabulary",
        -1,
        citations=(Citation("", "", "silent", filled=NEUTRAL),),
    )


def under_witness(origin: Origin, witness: str, source: str, absence: str) -> Origin:
    """The rule as one witness has it: attested only if that witness's source attests it.

    What other sources say then fills what it does not, and says so; ``absence`` is what not being
    cited means for that source.  House rules, conjectures and silences stay what they are, but for
    a text read in part: what a parent is silent on, or nobody states, is unseen there.
    """
    cites = origin.link.citations
    own = tuple(c for c in cites if c.source == source)
    if own:
        return _with_citations(origin, own)
    others = [c for c in cites if c.status in SPEAKS and c.source]
    if not others:
        first = origin.link.citations[:1]
        if absence == "silent" or not first or first[0].status != "silent":
            return origin
        return _with_citations(
            origin,
            (replace(first[0], source=source, at="", status=absence, from_=first[0].source),),
        )
    filled = "as in " + ", ".join(f"{c.source}{' (' + c.at + ')' if c.at else ''}" for c in others)
    return _with_citations(
        origin, (Citation(source, "", absence, filled=filled, note=f"witness {witness}"),)
    )


def _with_citations(origin: Origin, citations: Sequence[Citation]) -> Origin:
    return Origin(
        origin.path, (*origin.chain[:-1], replace(origin.link, citations=tuple(citations)))
    )


SPEAKS = ("attested", "inferred")
"""Statuses of a citation by which the text itself says it."""
