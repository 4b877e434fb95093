"""The points in dispute of a rule set: a list, and a page for each with its witnesses side by
side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quadrille_core import vocabulary
from quadrille_core.kinds import TRICKS
from quadrille_core.report.cells import csv_text
from quadrille_core.ruleset import Compiled
from quadrille_plugins.apparatus.bibliography import bibtex, csl_text
from quadrille_plugins.apparatus.model import (
    SEVERAL,
    Apparatus,
    ApparatusPoint,
    ApparatusReading,
    apparatus_of,
    because_text,
)
from quadrille_plugins.apparatus.report import COLUMNS, OUR_WORDS, apparatus_json, apparatus_rows
from quadrille_plugins.output.citing import cite_block
from quadrille_plugins.output.values import rule_value, short_title
from quadrille_plugins.serve.effects import effects_at, is_about, shipped_study
from quadrille_plugins.serve.named import NoSuchRulesError, RuleSets, shipped
from quadrille_plugins.serve.pages import Pages

MEANINGS: Final = (
    ("attested", "the text says so"),
    ("inferred", "the text does not say so, and it follows from what it says"),
    ("conjecture", "a guess of an editor"),
    ("silent", "the place was read whole, and says nothing of it"),
    ("unseen", "the place where it would stand was not seen"),
    ("inapplicable", "the text has no such rule"),
)
"""How a witness stands to a point, in words."""
LONGEST_SEARCH: Final = 100


@dataclass(slots=True)
class Side:
    """How one witness stands to a point: a column of the page."""

    name: str
    title: str
    status: str = ""
    readings: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    says: list[str] = field(default_factory=list)
    filled: str = ""
    """What is played in its place where it is followed and does not answer."""
    note: str = ""


class ApparatusPages:
    """Pages of the apparatus."""

    def __init__(self, pages: Pages, rule_sets: RuleSets) -> None:
        self.pages, self.rule_sets = pages, rule_sets

    def choose(self, request: Request) -> Response:
        """The rule sets that have points in dispute."""
        found = [
            (one, len(self.rule_sets.compile(one.id).points))
            for one in [*shipped(), *self.rule_sets.sent()]
        ]
        return self.pages.page(
            request, "apparatus_choose.html", games=[pair for pair in found if pair[1]]
        )

    def points(self, request: Request) -> Response:
        """The list of points, all or those that mention a word; or the whole apparatus as data."""
        compiled, common = self._named(request)
        words = request.query_params.get("q", "").strip()[:LONGEST_SEARCH]
        apparatus = apparatus_of(compiled)
        if (fmt := request.query_params.get("format", "")) in FORMATS:
            return _written(compiled, apparatus, fmt)
        wanted = {p.id for p in apparatus.points} | {c.id for c in apparatus.closed}
        if words:
            from quadrille_plugins.lookup.answer import matching

            wanted = set(matching(words, compiled))
        return self.pages.page(
            request,
            "apparatus.html",
            q=words,
            points=[
                (p, title_of(p.lemma), short_sides(p))
                for p in apparatus.points
                if wanted is None or p.id in wanted
            ],
            closed=[c for c in apparatus.closed if c.id in wanted],
            columns=[w.id for w in apparatus.witnesses],
            cite=cite_block("apparatus", [compiled]).text,
            **common,
        )

    def point(self, request: Request) -> Response:
        """One point: its witnesses, its readings with what each would change, other texts, how to
        cite it."""
        compiled, common = self._named(request)
        name = request.path_params["point"]
        if name not in {s.point.id for s in compiled.points}:
            raise NoSuchRulesError.of(
                "no-point-in-dispute-3", reference=compiled.identity.reference, name=name
            )
        apparatus = apparatus_of(compiled, [name])
        (point,) = apparatus.points
        if (fmt := request.query_params.get("format", "")) in FORMATS:
            return _written(compiled, apparatus, fmt)
        effects = effects_at(name) if is_about(compiled) else ()
        return self.pages.page(
            request,
            "point.html",
            point=point,
            lemma=title_of(point.lemma),
            standing=point.status,
            because=because_text(point.because),
            several=[(w, SEVERAL[how]) for w, how in point.several.items()],
            sides=sides_of(point, apparatus, compiled),
            others=others_of(point, apparatus, compiled),
            readings=[_reading(r, point) for r in point.readings],
            effects={e.reading: e for e in effects},
            played=compiled.kind == TRICKS,
            study=shipped_study(),
            same_rules=shipped_study()["digest"] == compiled.identity.digest,
            meanings=MEANINGS,
            our_words=OUR_WORDS,
            cite=cite_block(f"apparatus --point {name}", [compiled]).text,
            **common,
        )

    def _named(self, request: Request) -> tuple[Compiled, dict[str, Any]]:
        name = request.path_params["name"]
        readings = tuple(r for r in request.query_params.getlist("reading") if r)
        compiled = self.rule_sets.compile(name, readings)
        more = urlencode([("reading", r) for r in readings])
        return compiled, {
            "name": name,
            "profile": name.partition("@")[0],
            "title": compiled.title,
            "identity": compiled.identity,
            "witness": compiled.identity.witness,
            "witnesses": list(compiled.witnesses),
            "readings_in_use": readings,
            "more": f"?{more}" if more else "",
        }


FORMATS: Final[Mapping[str, str]] = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "bibtex": "text/plain; charset=utf-8",
    "csl": "application/json",
}


def _written(compiled: Compiled, apparatus: Apparatus, fmt: str) -> Response:
    """What ``quadrille apparatus --format`` writes."""
    if fmt == "json":
        from quadrille_plugins.lookup.answer import passages_of

        whole = apparatus_of(compiled)
        return JSONResponse(
            apparatus_json(apparatus, whole, lambda p, r: passages_of(p, r, compiled))
        )
    if fmt == "csv":
        text = csv_text(COLUMNS, apparatus_rows(apparatus))
    else:
        text = bibtex(apparatus.sources) if fmt == "bibtex" else csl_text(apparatus.sources)
    return Response(text, media_type=FORMATS[fmt])


def short_sides(point: ApparatusPoint) -> dict[str, str]:
    """By witness, its reading in a word, or why it has none."""
    found: dict[str, str] = {}
    for reading in point.readings:
        for name, _ in reading.attested:
            mark = "" if reading.status == "attested" else f" ({reading.status})"
            found[name] = (
                f"{found[name]}; {title_of(reading)}{mark}"
                if name in found
                else title_of(reading) + mark
            )
    return {**found, **{s.witness: s.state for s in point.silences}}


def sides_of(point: ApparatusPoint, apparatus: Apparatus, compiled: Compiled) -> list[Side]:
    """The witnesses of the rule set, each with how it stands to the point."""
    silences = {s.witness: s for s in point.silences}
    texts = {r.id: title_of(r) for r in point.readings}
    found = []
    for witness in apparatus.witnesses:
        side = Side(witness.id, witness.title)
        if witness.testimonium:
            side.note = f"a report of {witness.testimonium}, which was not seen"
        if silence := silences.get(witness.id):
            side.status = silence.state
            side.filled = f"{texts[silence.filled]} ({because_text(silence.because)})"
        else:
            own = [(r, at) for r in point.readings for name, at in r.attested if name == witness.id]
            side.status = "; ".join(dict.fromkeys(_status(r) for r, _ in own))
            side.readings = [title_of(r) for r, _ in own]
            side.places = [at for _, at in own if at]
            side.says = [
                said for r, _ in own for said in _says(point.id, r, witness.source, compiled)
            ]
        found.append(side)
    return found


def others_of(point: ApparatusPoint, apparatus: Apparatus, compiled: Compiled) -> list[Side]:
    """The other texts that have a reading of the point."""
    titles = {s.id: short_title(s) for s in apparatus.sources}
    found: dict[str, Side] = {}
    for reading in point.readings:
        for source, at in reading.elsewhere:
            side = found.setdefault(source, Side(source, titles.get(source, "")))
            side.readings.append(title_of(reading))
            side.places += [at] if at else []
            side.says += _says(point.id, reading, source, compiled)
    return list(found.values())


def title_of(reading: ApparatusReading) -> str:
    """The title of a reading; its id in words where it has none."""
    return reading.text if reading.text != reading.id else reading.id.replace("_", " ")


def _status(reading: ApparatusReading) -> str:
    return reading.status + (f", certainty {reading.certainty}" if reading.certainty else "")


def _says(point: str, reading: ApparatusReading, source: str, compiled: Compiled) -> list[str]:
    """What a text says there, in our words, each with its place."""
    from quadrille_plugins.lookup.answer import passages_of

    return [
        f"{p.says} ({p.at})" for p in passages_of(point, reading.id, compiled) if p.source == source
    ]


def _reading(reading: ApparatusReading, point: ApparatusPoint) -> dict[str, Any]:
    who: Sequence[str] = [
        *(name for name, _ in reading.attested),
        *(name for name, _ in reading.elsewhere),
    ]
    return {
        "id": reading.id,
        "text": title_of(reading),
        "who": ", ".join(dict.fromkeys(who)) or reading.at or "no witness",
        "status": _status(reading),
        "note": reading.note,
        "sets": [
            (path, vocabulary.pattern_of(path) or path, rule_value(value))
            for path, value in reading.sets
        ],
        "in_use": reading is point.lemma,
    }
