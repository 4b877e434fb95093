"""A session begun by a page: rules and players, for a ledger that is not there yet."""

from pathlib import Path
from typing import Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from quadrille_core.errors import QuadrilleError, UsageError
from quadrille_core.ruleset import load_chain
from quadrille_plugins.ledger.coins import TOLD
from quadrille_plugins.ledger.service import start
from quadrille_plugins.serve.forms import LONGEST, Choice
from quadrille_plugins.serve.house_form import file_text, read
from quadrille_plugins.serve.named import LONGEST_FILE, RuleSets, shipped, text_sent
from quadrille_plugins.serve.pages import Pages
from quadrille_plugins.shell.writing import write_whole

BEGIN: Final = "/begin"
MOST_PLAYERS: Final = 5


class BeginPages:
    """The page that begins a session, and nothing once there is one."""

    def __init__(
        self, pages: Pages, file: Path, rule_sets: RuleSets, made: tuple[str, str] = ("", "")
    ) -> None:
        """``made`` are title and text of the house rules that are proposed; empty for none."""
        self.pages, self.file, self._rule_sets, self._made = pages, file, rule_sets, made
        self._was_there = False

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [
            Route(BEGIN, self.ask),
            Route(f"{BEGIN}/record", self.pages.writes(self.begin), methods=["POST"]),
        ]

    def ask(self, request: Request) -> Response:
        """The form; with the house rules that its address says were made."""
        if self.begun():
            return RedirectResponse("/", 303)
        if not (house := request.query_params.get("house")):
            title, text = self._made if "others" not in request.query_params else ("", "")
            return self._form(request, {"text": text}, made=title)
        state, base = read(house, request.query_params, self._rule_sets.compile)
        text = file_text(state, base, self._rule_sets.plugins())
        return self._form(request, {"text": text}, made=state.title)

    def begun(self) -> bool:
        """Whether there is a ledger, or was one since the server started: one that is gone is not
        begun anew."""
        self._was_there = self._was_there or self.file.exists()
        return self._was_there

    def begin(self, request: Request, form: FormData) -> Response:
        """Make the ledger; asked again, it is there."""
        if self.begun():
            return RedirectResponse("/", 303)
        typed = {key: value for key, value in form.multi_items() if isinstance(value, str)}
        given = {key: value.strip()[:LONGEST] for key, value in typed.items()}
        given["text"] = typed.get("text", "")[:LONGEST_FILE]
        names = [name for n in range(MOST_PLAYERS) if (name := given.get(f"player{n}", ""))]
        try:
            house = text_sent(form)
            reference = self._rule_sets.send(house) if house.strip() else given.get("rules", "")
            if not house.strip() and reference not in {choice.value for choice in choices()}:
                raise UsageError.of("no-rules-chosen")
            compiled = self._rule_sets.compile(reference)
            if house.strip():
                reference = self._keep(reference, house)
            start(
                self.file,
                compiled,
                reference,
                names,
                dealer=None,
                coins=given.get("coins", TOLD[0]),
            )
        except QuadrilleError as e:
            if self.begun():  # another phone was quicker
                return RedirectResponse("/", 303)
            return self._form(request, given, e)
        return RedirectResponse("/", 303)

    def _keep(self, name: str, house: bytes) -> str:
        """Write house rules beside the ledger, which names them by their path: rules are changed
        from that file on.  Raises UnwrittenError."""
        path = self.file.resolve().with_name(f"{self.file.stem}.{name}.yaml")
        write_whole(path, house)
        return str(path)

    def _form(
        self,
        request: Request,
        given: dict[str, str],
        error: QuadrilleError | None = None,
        made: str = "",
    ) -> Response:
        return self.pages.page(
            request,
            "begin.html",
            status=422 if error else 200,
            problems=error.problems if error else [],
            choices=choices(),
            books=[(one.title, one.about) for one in shipped() if one.tricks],
            given=given,
            made=made or given.get("made", ""),
            players=MOST_PLAYERS,
            most=LONGEST_FILE // 1024,
        )


def choices() -> list[Choice]:
    """The rule sets that a session may be played by: each shipped game, and each of its
    witnesses."""
    found = []
    for one in shipped():
        if one.tricks:
            witnesses = dict.fromkeys(w.id for doc in load_chain(one.id) for w in doc.witnesses)
            found.append(Choice(one.id, one.title))
            if len(witnesses) > 1:
                found += [
                    Choice(f"{one.id}@{w}", f"{one.title}, according to {w}") for w in witnesses
                ]
    return found
