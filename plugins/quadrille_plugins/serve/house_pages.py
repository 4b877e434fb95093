"""House rules in pages: the form, and what comes of it, a file, its rulebook and its sheet.

All that was chosen stands in the address.
"""

from collections.abc import Callable
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quadrille_core.ruleset import Compiled
from quadrille_plugins.serve.house_form import (
    MECHANICS,
    TOPICS,
    YOURS,
    State,
    changes,
    file_text,
    groups,
    mechanics,
    of_file,
    read,
    wrongs,
)
from quadrille_plugins.serve.named import LONGEST_FILE, RuleSets, shipped
from quadrille_plugins.serve.pages import Pages
from quadrille_plugins.serve.rules_pages import body_of

HOUSE: Final = "/house"


class HousePages:
    """Pages in which house rules are made."""

    def __init__(
        self,
        pages: Pages,
        rule_sets: RuleSets,
        *,
        before: str = "",
        over: Callable[[], bool] = lambda: False,
    ) -> None:
        """``before`` is what stands before the addresses of these pages, ``over`` says when there
        are none any more."""
        self.pages, self.rule_sets, self.at, self.over = pages, rule_sets, before + HOUSE, over

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route(self.at, self.choose),
            Route(f"{self.at}/{{name}}", self.form),
            Route(f"{self.at}/{{name}}/rulebook", self.text),
            Route(f"{self.at}/{{name}}/sheet", self.text),
            Route(f"{self.at}/{{name}}/file", self.file),
        ]

    def choose(self, request: Request) -> Response:
        """Which rules to start from; or a file that there is already."""
        self._refuse_late()
        return self.pages.page(
            request,
            "house_choose.html",
            at=self.at,
            games=[one for one in shipped() if one.tricks],
            sent=self.rule_sets.sent(),
            most=LONGEST_FILE // 1024,
        )

    def _refuse_late(self) -> None:
        if self.over():
            raise HTTPException(404)

    def read(self, request: Request) -> tuple[State, Compiled]:
        """What the address says was chosen."""
        self._refuse_late()
        return read(request.path_params["name"], request.query_params, self.rule_sets.compile)

    def form(self, request: Request) -> Response:
        """The questions of one topic, or what was chosen, with what is wrong; of a file that was
        sent, what it chose."""
        name, compile_ = request.path_params["name"], self.rule_sets.compile
        if (doc := self.rule_sets.doc_of(name)) is not None:
            sent = of_file(doc, compile_(name), compile_)
            return RedirectResponse(f"{self.at}/{sent.name}?{sent.query()}", 303)
        state, base = self.read(request)
        if "sent" in request.query_params:  # by the form, with all that stands there anyway
            return RedirectResponse(f"{self.at}/{state.name}?{state.query()}", 303)
        ours = self.rule_sets.plugins()
        wrong = wrongs(state, base, compile_, ours)
        asked, left = groups(state, base)
        topics = [*TOPICS, MECHANICS, YOURS]
        after = topics[(topics.index(state.topic) + 1) % len(topics)]
        done = state.topic == YOURS and not wrong
        return self.pages.page(
            request,
            "house.html",
            status=422 if wrong else 200,
            wrongs=wrong,
            topics=topics,
            after=after,
            groups=asked,
            left=left,
            mechanics=mechanics(base, ours),
            changes=changes(state, base, ours),
            text=file_text(state, base, ours) if done else "",
            **self._common(state, base),
        )

    def _common(self, state: State, base: Compiled) -> dict[str, Any]:
        return {
            "at": self.at,
            "state": state,
            "title": state.title,
            "base": base,
            "YOURS": YOURS,
            "MECHANICS": MECHANICS,
        }

    def _made(self, request: Request) -> tuple[State, Compiled, str, Compiled]:
        """What was chosen, the rules before, the file, and the rules that it states; raises
        ProfileError where they cannot be played."""
        state, base = self.read(request)
        text = file_text(state, base, self.rule_sets.plugins())
        return state, base, text, self.rule_sets.read(text)

    def text(self, request: Request) -> Response:
        """The rulebook, in which ``marked`` shows what differs from where they start; or its
        sheet."""
        short = request.url.path.endswith("/sheet")
        state, base, _, made = self._made(request)
        body = body_of(made, base if "marked" in request.query_params else None, short=short)
        common = self._common(state, base)
        return self.pages.page(request, "house_text.html", body=body, short=short, **common)

    def file(self, request: Request) -> Response:
        """The file, to be kept."""
        _, _, text, made = self._made(request)
        name = f"{made.chain[-1].id}.yaml"
        return Response(
            text,
            media_type="application/yaml",
            headers={"content-disposition": f'attachment; filename="{name}"'},
        )
