"""A deal against bots: one page a position.

The address holds the whole game (``play.short``), so the server keeps nothing: undoing is another
address, and so is every entry of the list of moves.
"""

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from urllib.parse import quote, urlencode

from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from quadrille_core.cards import PACK, format_card
from quadrille_core.errors import NotationError, QuadrilleError, UsageError
from quadrille_core.profile import RECORD_LIMITS, load_text, place_at
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.judging import of_action
from quadrille_plugins.deal.record import from_record, record_file, to_record
from quadrille_plugins.play.drawing import bid_said, place_of, row, said, suit_text
from quadrille_plugins.play.faces import face
from quadrille_plugins.play.game import (
    Game,
    before,
    done,
    from_setup,
    go_on,
    hint,
    new_game,
    next_deal,
    undone,
)
from quadrille_plugins.play.short import digest_in, from_short, named_in, short_form
from quadrille_plugins.play.typed import understood
from quadrille_plugins.serve.forms import LONGEST, whole
from quadrille_plugins.serve.named import NoSuchRulesError
from quadrille_plugins.serve.pages import DAY, SVG, OfRuleSets, kept_for, status_of
from quadrille_plugins.serve.play_end import ending
from quadrille_plugins.serve.play_table import card_name, table_of, trump_said
from quadrille_plugins.serve.settle_pages import settled
from quadrille_plugins.shell.values import amount, capital, seat_names

HIGHEST_SEED: Final = 2**63 - 1


class PlayPages(OfRuleSets):
    """Pages on which a deal is played."""

    def routes(self) -> list[Route]:
        """The addresses."""
        position = self.pages.writes(self.position)
        return [
            Route("/play", self.choose),
            Route("/play/{name}", self.play),
            Route("/play/{name}/position", position, methods=["POST"]),
            Route("/play/{name}/review", self.review),
            Route("/cards/{card}.svg", self.face),
        ]

    def choose(self, request: Request) -> Response:
        """Choose the rules; with a game alone, go to its page."""
        word = request.query_params.get("game", "")
        return self._found(request, word) if word else self._choice(request)

    def play(self, request: Request) -> Response:
        """A position, or the form that begins a deal."""
        given = request.query_params
        compiled, _ = self.rule_sets.named(request)
        if not (word := given.get("game", "")):
            return self._begin(request, compiled)
        game = from_short(word, compiled)
        for key, work in _STEPS.items():
            if given.get(key, "") != "":
                try:
                    return self._at(request, work(game, given[key][:LONGEST]))
                except QuadrilleError as e:
                    return self._page(request, game, problems=e.problems, status=422)
        if given.get("format") == "json":
            result, settlement = game.deal.result(), game.settlement
            if result is None or settlement is None:
                raise UsageError.of("nothing-to-settle")
            return JSONResponse(settled(game.compiled, result, settlement)[0])
        if given.get("format") == "record":
            return JSONResponse(record_file(to_record(game.deal, game.settlement)))
        if typed := given.get("do", "").strip()[:LONGEST]:
            return self._do(request, game, typed)
        return self._page(request, game)

    def position(self, request: Request, form: FormData) -> Response:
        """Go on from the position in a record that was pasted: only its address keeps it."""
        compiled, _ = self.rule_sets.named(request)
        text = form.get("record")
        if not isinstance(text, str) or not text.strip():
            raise UsageError.of("no-record-pasted")
        root = load_text(text.encode(), "your record", limits=RECORD_LIMITS)
        setup, actions = from_record(root.to_plain(), partial(place_at, root), compiled.rules)
        seat = whole(form.get("seat"), "seat", 1, compiled.rules.table.players) - 1
        return self._at(request, from_setup(compiled, setup, actions, seat=seat))

    def review(self, request: Request) -> Response:
        """What each decision cost, by play with all cards open."""
        from quadrille_plugins.play.reviewing import review_blocks

        compiled, _ = self.rule_sets.named(request)
        game = from_short(request.query_params.get("game", ""), compiled)
        blocks = review_blocks(game)
        return self.pages.page(
            request, "play_review.html", blocks=blocks, **self._common(request, game)
        )

    def face(self, request: Request) -> Response:
        """The face of a card."""
        name = request.path_params["card"]
        found = [card for card in PACK if format_card(card) == name]
        if not found:
            raise NoSuchRulesError.of("no-card-on-page", name=name)
        return Response(face(found[0]), media_type=SVG, headers=kept_for(DAY))

    # --- answers -------------------------------------------------------------------------------

    def _begin(self, request: Request, compiled: Compiled) -> Response:
        given = request.query_params
        players = compiled.rules.table.players
        problems: Any = ()
        if "seed" in given or "seat" in given:
            try:
                text = given.get("seed", "").strip()
                seed = (
                    whole(text, "number of the cards", 0, HIGHEST_SEED)
                    if text
                    else secrets.randbelow(10**6)
                )
                seat = whole(given.get("seat", "1"), "seat", 1, players)
                return self._at(request, go_on(new_game(compiled, seed=seed, seat=seat - 1)))
            except QuadrilleError as e:
                problems = e.problems
        return self.pages.page(
            request,
            "play_begin.html",
            status=422 if problems else 200,
            problems=problems,
            **self.rule_sets.named(request)[1],
            seats=seat_names(players),
            given=given,
        )

    def _do(self, request: Request, game: Game, typed: str) -> Response:
        """Do what was chosen or typed; what may not be done is refused with its reason."""
        try:
            action = understood(game, typed)
        except NotationError as e:
            return self._page(request, game, problems=e.problems, status=422)
        ruling = of_action(game.compiled, game.deal, action)
        if not ruling.legal:
            return self._page(request, game, refused=ruling, status=422)
        return self._at(request, go_on(done(game, action)))

    def _at(self, request: Request, game: Game) -> Response:
        """To the address of a game."""
        return RedirectResponse(self._address(request, game), 303)

    def _address(self, request: Request, game: Game) -> str:
        readings = [("reading", r) for r in request.query_params.getlist("reading") if r]
        name = quote(request.path_params["name"], safe="@+:=,")
        return f"/play/{name}?{urlencode([*readings, ('game', short_form(game))])}"

    def _common(self, request: Request, game: Game) -> dict[str, Any]:
        given = request.query_params
        return {
            **self.rule_sets.named(request)[1],
            **_WORDS,
            "game": given.get("game", ""),
            "here": _query(given),
        }

    def _page(
        self,
        request: Request,
        game: Game,
        *,
        problems: Any = (),
        refused: Any = None,
        status: int = 200,
    ) -> Response:
        advice = None
        if request.query_params.get("hint") and game.mine and not game.deal.over:
            advice = hint(game)
        return self.pages.page(
            request,
            "play.html",
            status=status,
            problems=problems,
            refused=refused,
            advice=advice,
            table=table_of(game),
            end=ending(game) if game.deal.over else None,
            rules=game.deal.rules,
            **self._common(request, game),
        )

    def _found(self, request: Request, word: str) -> Response:
        """The page of a game whose rules are known here; else the page that asks for their file."""
        try:
            name = named_in(word)
            if not name:
                begins = digest_in(word)
                sent = (one.id for one in self.rule_sets.sent())
                digests = ((n, self.rule_sets.compile(n).identity.digest) for n in sent)
                name = next((n for n, digest in digests if digest.startswith(begins)), "")
            if not name:
                raise NoSuchRulesError.of("game-of-unknown-rules", begins=begins)
        except QuadrilleError as e:
            given = word[:2000] if isinstance(e, NoSuchRulesError) else ""
            problems = e.problems
            return self._choice(request, status=status_of(e), given=given, problems=problems)
        return RedirectResponse(
            f"/play/{quote(name, safe='@+:=,')}?{urlencode([('game', word)])}", 303
        )

    def _choice(
        self, request: Request, *, status: int = 200, given: str = "", problems: Any = ()
    ) -> Response:
        return self.pages.page(
            request,
            "play_choose.html",
            status=status,
            games=self.rule_sets.games(),
            given=given,
            problems=problems,
        )


_WORDS: Final[dict[str, Callable[..., Any]]] = {
    word.__name__: word
    for word in (
        amount,
        bid_said,
        capital,
        card_name,
        format_card,
        place_of,
        row,
        said,
        suit_text,
        trump_said,
    )
}
"""What the templates say in words."""


def _cut(game: Game, text: str) -> Game:
    return before(game, whole(text, "move", 0, len(game.actions)))


_STEPS: Final[dict[str, Callable[[Game, str], Game]]] = {
    "at": _cut,
    "undo": lambda game, _: undone(game),
    "on": lambda game, _: go_on(game),
    "next": lambda game, _: go_on(next_deal(game)),
}
"""What an address may ask for besides an action, each of which leads to another game."""


def _query(given: QueryParams) -> str:
    """The readings and the game, as every link of a page carries them."""
    return urlencode([(k, v) for k, v in given.multi_items() if k in ("reading", "game") and v])
