"""A session begun by a page: rules and players, for a ledger that is not there yet."""

from pathlib import Path
from typing import Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from quadrille_core.errors import QuadrilleError, UsageError
from quadrille_core.ruleset import load_chain
from quadrille_plugins.ledger.coins import TOLD
from quadrille_plugins.ledger.hand import Former
from quadrille_plugins.ledger.history_report import history_blocks
from quadrille_plugins.ledger.journal import Journal
from quadrille_plugins.ledger.report import standing_blocks
from quadrille_plugins.ledger.service import Ledger, start
from quadrille_plugins.serve.forms import LONGEST, Choice
from quadrille_plugins.serve.house_form import file_text, read
from quadrille_plugins.serve.named import LONGEST_FILE, RuleSets, shipped, text_sent
from quadrille_plugins.serve.pages import Pages
from quadrille_plugins.serve.table_pages import told
from quadrille_plugins.serve.tables_pages import NOTHING, Proposed
from quadrille_plugins.shell.writing import write_whole

BEGIN: Final = "/begin"
MOST_PLAYERS: Final = 5


class BeginPages:
    """The page that begins a session, and nothing once there is one."""

    def __init__(
        self, pages: Pages, file: Path, rule_sets: RuleSets, made: Proposed = NOTHING
    ) -> None:
        """``made`` is what is proposed."""
        self.pages, self.file, self._rule_sets, self._made = pages, file, rule_sets, made
        self._was_there = False

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route(BEGIN, self.ask),
            Route(f"{BEGIN}/record", self.pages.writes(self.begin), methods=["POST"]),
        ]

    def ask(self, request: Request) -> Response:
        """The form; with the house rules that its address says were made."""
        if self.begun():
            return RedirectResponse("/", 303)
        given, title = dict[str, str](), ""
        if before := self._before():
            journal, left = before
            first = left.players.index(left.dealer) + 1  # who deals is named last
            names = (*left.players[first:], *left.players[:first])
            given = {f"player{n}": name for n, name in enumerate(names)}
            given["coins"] = journal.session["coins"]
        if house := request.query_params.get("house"):
            state, base = read(house, request.query_params, self._rule_sets.compile)
            title, given["text"] = state.title, file_text(state, base, self._rule_sets.plugins())
        elif "others" not in request.query_params:
            title, given["text"] = self._made.title, self._made.text
        return self._form(request, given, made=title)

    def _before(self) -> tuple[Journal, Former] | None:
        """The session that this one goes on from, and what it leaves; raises as opening does."""
        if self._made.former is None:
            return None
        with Ledger(self._made.former) as ledger:
            return told(ledger), ledger.left()

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
            if (house := text_sent(form)).strip():
                reference = self._rule_sets.send(house)
            elif (reference := given.get("rules", "")) not in {c.value for c in self._choices()}:
                raise UsageError.of("no-rules-chosen")
            compiled = self._rule_sets.compile(reference) if reference else None
            if house.strip():
                reference = self._keep(reference, house)
            before, coins = self._before(), given.get("coins", TOLD[0])
            left = before and before[1]
            start(self.file, compiled, reference, names, dealer=None, coins=coins, former=left)
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
        before = self._before()
        return self.pages.page(
            request,
            "begin.html",
            former=before and before[1].name.rpartition(".")[0],
            settled=before and before[0].ended,
            blocks=[*standing_blocks(before[0]), *history_blocks(before[0])] if before else [],
            status=422 if error else 200,
            problems=error.problems if error else [],
            choices=self._choices(),
            books=[(one.title, one.about) for one in shipped() if one.tricks],
            given=given,
            made=made or given.get("made", ""),
            players=MOST_PLAYERS,
            most=LONGEST_FILE // 1024,
        )

    def _choices(self) -> list[Choice]:
        as_before = [Choice("", "as on that evening")] if self._made.former else []
        return [*as_before, *choices()]


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
