"""Studies: forms that ask for ``compare`` and ``matters``, a page that shows how far one is, and
then its answer."""

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quadrille_core import resources
from quadrille_core.errors import UsageError
from quadrille_core.frozen import frozen
from quadrille_core.kinds import TRICKS
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.options import FAMILY
from quadrille_plugins.deal.players import BOTS, spelt
from quadrille_plugins.serve.begin_pages import choices
from quadrille_plugins.serve.forms import Choice, whole
from quadrille_plugins.serve.named import NoSuchRulesError
from quadrille_plugins.serve.pages import OfRuleSets
from quadrille_plugins.serve.study_queue import (
    DONE,
    PLAYING,
    WAITING,
    WALL_SECONDS,
    Order,
    Study,
    StudyQueue,
)
from quadrille_plugins.shell.shipped_effects import shipped_study

MOST_DEALS: Final = 1_000_000
MOST_SEED: Final = 2**63 - 1
EVERY: Final = 2
"""Seconds after which a page that waits asks again."""
SVG_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@frozen
class StudyPages(OfRuleSets):
    """Pages of studies."""

    queue: StudyQueue

    def routes(self) -> list[Route]:
        """The addresses."""
        writes = self.pages.writes
        return [
            Route("/studies", self.studies),
            Route("/studies/matters", self.matters),
            Route("/studies/shipped", self.shipped),
            Route("/studies/ask", writes(self.ask), methods=["POST"]),
            Route("/studies/{id}", self.study),
            Route("/studies/{id}/cancel", writes(self.cancel), methods=["POST"]),
            Route("/studies/{id}/{what}", self.download),
            Route("/pictures/{digest}.svg", self.picture),
        ]

    def studies(self, request: Request) -> Response:
        """The forms, and the studies that there are."""
        return self.pages.page(
            request,
            "studies.html",
            choices=(found := self._choices()),
            studies=self.queue.all(),
            given={**_usual_pair(found), **request.query_params},
            **self._engine(),
        )

    def matters(self, request: Request) -> Response:
        """The points of a rule set, one of which may be played."""
        name = request.query_params.get("rules", "")
        if not name:
            return RedirectResponse("/studies", 303)
        compiled = self._tricks(name)
        if not compiled.points:
            raise UsageError.of("nothing-in-dispute", reference=compiled.identity.reference)
        return self.pages.page(
            request,
            "study_matters.html",
            name=name,
            title=compiled.title,
            points=[s.point for s in compiled.points],
            chosen=request.query_params.get("point", ""),
            **self._engine(),
        )

    def ask(self, _: Request, form: FormData) -> Response:
        """Take an order, and go to the page of its study."""
        given = {key: value.strip() for key, value in form.multi_items() if isinstance(value, str)}
        kind = given.get("kind", "")
        if kind not in ("compare", "matters"):
            raise UsageError.of("no-such-study", kind=kind)
        order = self._compare(given) if kind == "compare" else self._matters(given)
        return RedirectResponse(f"/studies/{self.queue.ask(order)}", 303)

    def study(self, request: Request) -> Response:
        """How far a study is; when it is over, its answer."""
        study = self._study(request)
        still = request.query_params.get("still") == "yes"
        state = study.state
        return self.pages.page(
            request,
            "study.html",
            study=study,
            state=state,
            place=self.queue.place(study),
            still=still,
            following=state in (WAITING, PLAYING) and not still,
            every=EVERY,
            stopped=state == DONE and not json.loads(study.result["manifest"])["finished"],
            **self._engine(),
        )

    def cancel(self, request: Request, _: FormData) -> Response:
        """Give a study up."""
        study = self._study(request)
        self.queue.cancel(study.id)
        return RedirectResponse(f"/studies/{study.id}", 303)

    def download(self, request: Request) -> Response:
        """The manifest, the table as CSV, or a file of house rules that was played."""
        study, what = self._study(request), request.path_params["what"]
        if (house := dict(study.order.files).get(what)) is not None:
            kept = {"content-disposition": f'attachment; filename="{what}"'}
            return Response(house, media_type="application/yaml; charset=utf-8", headers=kept)
        if study.state != DONE or what not in FILES:
            raise NoSuchRulesError.of("study-has-no-such-file")
        key, media_type = FILES[what]
        headers = {"content-disposition": f'attachment; filename="{study.order.command}-{what}"'}
        return Response(study.result[key], media_type=media_type, headers=headers)

    def picture(self, request: Request) -> Response:
        """A picture of a study by its digest: the same address is always the same picture."""
        svg = self.queue.picture(request.path_params["digest"])
        if svg is None:
            raise NoSuchRulesError.of("picture-gone")
        headers = {
            "cache-control": "max-age=86400, immutable",
            "content-security-policy": SVG_POLICY,
        }
        return Response(svg, media_type="image/svg+xml", headers=headers)

    def shipped(self, request: Request) -> Response:
        """The study that comes with the program: its command and every finding."""
        return self.pages.page(request, "study_shipped.html", study=shipped_study())

    def _study(self, request: Request) -> Study:
        study = self.queue.get(request.path_params["id"])
        if study is None:
            raise NoSuchRulesError.of("study-gone")
        return study

    def _choices(self) -> list[Choice]:
        return [
            *choices(),
            *(Choice(one.id, one.title) for one in self.rule_sets.sent()),
        ]

    def _engine(self) -> dict[str, Any]:
        fast = find_spec("numba") is not None
        return {
            "fast": fast,
            "drawn": find_spec("altair") is not None and find_spec("vl_convert") is not None,
            "bots": [FAMILY, *BOTS],
            "most": MOST_DEALS,
            "wall": int(WALL_SECONDS // 60),
        }

    # --- orders -----------------------------------------------------------------------------------

    def _tricks(self, name: str) -> Compiled:
        compiled = self.rule_sets.compile(name)
        if compiled.kind != TRICKS:
            raise UsageError.of("patience-not-studied", title=compiled.title)
        return compiled

    def _compare(self, given: Mapping[str, str]) -> Order:
        names = given.get("first", ""), given.get("second", "")
        first, second = (self._tricks(name) for name in names)
        if first.identity.digest == second.identity.digest:
            raise UsageError.of("same-rules")
        seats = [one.ruleset.rules.table.players for one in (first, second)]
        if seats[0] != seats[1]:
            raise UsageError.of("different-numbers-play", seats=seats[0], seats2=seats[1])
        files: dict[str, str] = {}
        references = tuple(self._reference(name, files) for name in names)
        title = " compared with ".join(
            _short(name, one) for name, one in zip(names, (first, second), strict=True)
        )
        return Order(title, "compare", references, _options(given), tuple(files.items()))

    def _matters(self, given: Mapping[str, str]) -> Order:
        name, point = given.get("rules", ""), given.get("point", "")
        compiled = self._tricks(name)
        found = next((s.point for s in compiled.points if s.point.id == point), None)
        if found is None:
            raise UsageError.of(
                "no-point-of-that-name", reference=compiled.identity.reference, point=point
            )
        files: dict[str, str] = {}
        references = self._reference(name, files), point
        title = f"Does it matter in {_short(name, compiled)}? {found.question}"
        return Order(title, "matters", references, _options(given), tuple(files.items()))

    def _reference(self, name: str, files: dict[str, str]) -> str:
        """A rule set as the study names it: one that was sent is a file in its folder."""
        profile = name.replace("+", "@").partition("@")[0]
        text = self.rule_sets.text_of(profile)
        if text is None:
            return name
        files[f"{profile}.yaml"] = text
        return name.replace(profile, f"{profile}.yaml", 1)


def _usual_pair(choices: Sequence[Choice]) -> dict[str, str]:
    """What the form of two rule sets proposes: two witnesses of one book."""
    book = resources.examples()[0]
    values = [c.value for c in choices]
    witnesses = [v for v in values if v.startswith(f"{book}@")]
    return dict(zip(("first", "second"), witnesses if len(witnesses) > 1 else values, strict=False))


def _short(name: str, compiled: Compiled) -> str:
    """A rule set in a title: its own, with the witness that was chosen."""
    by = f", according to {compiled.identity.witness}" if "@" in name else ""
    return f"{compiled.title}{by}"


def _options(given: Mapping[str, str]) -> tuple[tuple[str, str | int | bool], ...]:
    """The options that both commands have; raises UsageError."""
    players = given.get("players", FAMILY)
    bots = players if players == FAMILY else spelt(players, also=(FAMILY,))
    deals = [("deals", whole(given["deals"], "deals", 1, MOST_DEALS))] if given.get("deals") else []
    made: list[tuple[str, str | int | bool]] = [
        *deals,
        ("seed", whole(given.get("seed"), "seed", 0, MOST_SEED)),
        ("players", bots),
        ("workers", 1),
    ]
    return (*made, ("details", True)) if given.get("details") == "yes" else tuple(made)


FILES: Final[Mapping[str, tuple[str, str]]] = {
    "manifest.json": ("manifest", "application/json"),
    "table.csv": ("csv", "text/csv; charset=utf-8"),
}
