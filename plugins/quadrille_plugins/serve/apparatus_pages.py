"""The points in dispute of a rule set: a list, and a page for each with its witnesses side by
side."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quadrille_core import vocabulary
from quadrille_core.ruleset import Compiled
from quadrille_plugins.apparatus.bibliography import bibtex, csl_text
from quadrille_plugins.apparatus.model import (
    SEVERAL,
    Apparatus,
    ApparatusPoint,
    ApparatusReading,
    Silence,
    apparatus_of,
    because_text,
)
from quadrille_plugins.apparatus.report import COLUMNS, OUR_WORDS, apparatus_json, apparatus_rows
from quadrille_plugins.serve.named import NoSuchRulesError, shipped
from quadrille_plugins.serve.pages import OfRuleSets
from quadrille_plugins.shell.cells import csv_text
from quadrille_plugins.shell.citing import cite_block
from quadrille_plugins.shell.shipped_effects import is_about, shipped_study
from quadrille_plugins.shell.values import rule_value, short_title

LONGEST_SEARCH: Final = 100


class ApparatusPages(OfRuleSets):
    """Pages of the apparatus."""

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route("/apparatus", self.choose),
            Route("/apparatus/{name}", self.points),
            Route("/apparatus/{name}/{point}", self.point),
        ]

    def choose(self, request: Request) -> Response:
        """The rule sets that have points in dispute."""
        every = [*shipped(), *self.rule_sets.sent()]
        found = [(one, len(self.rule_sets.compile(one.id).points)) for one in every]
        return self.pages.page(
            request, "apparatus_choose.html", games=[pair for pair in found if pair[1]]
        )

    def points(self, request: Request) -> Response:
        """The list of points, all or those that mention a word; or the whole apparatus as data."""
        compiled, common = self.rule_sets.named(request)
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
            points=[(p, sides_of(p, apparatus)) for p in apparatus.points if p.id in wanted],
            closed=[c for c in apparatus.closed if c.id in wanted],
            title_of=title_of,
            cite=cite_block("apparatus", [compiled]).text,
            **common,
        )

    def point(self, request: Request) -> Response:
        """One point: its witnesses, its readings with what each would change, other texts, how to
        cite it."""
        compiled, common = self.rule_sets.named(request)
        name = request.path_params["point"]
        open_points = {s.point.id for s in compiled.points}
        if name not in open_points:
            raise NoSuchRulesError.of(
                "no-page-of-such-a-point", reference=compiled.identity.reference, name=name
            )
        apparatus = apparatus_of(compiled, [name])
        (point,) = apparatus.points
        if (fmt := request.query_params.get("format", "")) in FORMATS:
            return _written(compiled, apparatus, fmt)
        study = shipped_study()
        findings = study["findings"] if is_about(compiled) else ()
        from quadrille_plugins.lookup.answer import passages_of
        from quadrille_plugins.lookup.find import of_same_matter

        return self.pages.page(
            request,
            "point.html",
            related=of_same_matter(name, compiled),
            open=open_points,
            point=point,
            title_of=title_of,
            because_text=because_text,
            several=[(w, SEVERAL[how]) for w, how in point.several.items()],
            sides=sides_of(point, apparatus),
            titles={s.id: short_title(s) for s in apparatus.sources},
            passages=lambda reading: passages_of(name, reading.id, compiled),
            pattern_of=vocabulary.pattern_of,
            rule_value=rule_value,
            effects={f["reading"]: f for f in findings if f["point"] == name},
            study=study,
            same_rules=study["digest"] == compiled.identity.digest,
            our_words=OUR_WORDS,
            cite=cite_block(f"apparatus --point {name}", [compiled]).text,
            **common,
        )


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


def sides_of(
    point: ApparatusPoint, apparatus: Apparatus
) -> list[tuple[Any, Silence | None, list[tuple[ApparatusReading, str]]]]:
    """Each witness of the rule set with its silence about the point, or its readings and where."""
    silences = {s.witness: s for s in point.silences}
    return [
        (
            witness,
            silences.get(witness.id),
            [(r, at) for r in point.readings for name, at in r.attested if name == witness.id],
        )
        for witness in apparatus.witnesses
    ]


def title_of(reading: ApparatusReading) -> str:
    """The title of a reading; its id in words where it has none."""
    return reading.text if reading.text != reading.id else reading.id.replace("_", " ")
