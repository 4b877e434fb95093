"""The settlement desk: the result of one deal in a form, and every payment with its passage.

The form is read and never written: its address holds the whole result, and is a link to the
settlement.
"""

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quadrille_core.engine.result import Result, Settlement
from quadrille_core.engine.settle import settle
from quadrille_core.errors import Problem, ResultError
from quadrille_core.ruleset import Compiled
from quadrille_plugins.serve.forms import (
    desk_fields,
    desk_result,
    names_in,
    place_of,
    plain_table,
    typed,
    was_sent,
)
from quadrille_plugins.serve.pages import OfRuleSets
from quadrille_plugins.settle.alone import OWN_KING, played_alone
from quadrille_plugins.settle.blocks import settlement_blocks
from quadrille_plugins.settle.player_names import composed
from quadrille_plugins.settle.result_file import read_result, settlement_to_json
from quadrille_plugins.shell.blocks import Block
from quadrille_plugins.shell.values import identity_to_plain


class SettlePages(OfRuleSets):
    """The desk."""

    def routes(self) -> list[Route]:
        """The addresses."""
        return [Route("/settle", self.choose), Route("/settle/{name}", self.desk)]

    def choose(self, request: Request) -> Response:
        """Choose the rules first: they decide what is asked."""
        return self.pages.page(request, "settle_choose.html", games=self.rule_sets.games())

    def desk(self, request: Request) -> Response:
        """The form, and once it is filled in the settlement or what is wrong."""
        given = request.query_params
        compiled, common = self.rule_sets.named(request)
        rules = compiled.rules
        table = plain_table(rules, [composed(n) for n in names_in(given, rules.table.players)])
        fields = desk_fields(table)
        filled = {f.name: [f.value] for f in fields}
        problems: Sequence[Problem] = ()
        blocks: list[Block] = []
        if was_sent(given):
            filled = typed(given, fields)
            try:
                sent = desk_result(given, table)
                if not sent["tricks"]:
                    raise ResultError.of("no-tricks-given", place=place_of(("tricks0",)))
                result = read_result(sent, rules, place=place_of)
                data, blocks = settled(compiled, result, settle(rules, result))
                if given.get("format") == "json":
                    return JSONResponse(data)
            except ResultError as e:
                problems = e.problems
        return self.pages.page(
            request,
            "settle.html",
            status=422 if problems else 200,
            fields=fields,
            typed=filled,
            problems=problems,
            blocks=blocks,
            **common,
        )


def settled(
    compiled: Compiled, result: Result, settlement: Settlement
) -> tuple[dict[str, Any], list[Block]]:
    """A settlement as ``settle --format json`` gives it, and in words: the answer first, then each
    payment."""
    bid = compiled.rules.bids.of(result.contract)
    alone = OWN_KING if played_alone(bid, result.ally) else None
    identity = identity_to_plain(compiled.identity)
    data = settlement_to_json(identity, result, settlement, compiled.source_of, alone)
    head, *blocks = settlement_blocks(compiled, result, settlement)
    return data, [head, *sorted(blocks, key=lambda b: "net" not in getattr(b, "columns", ()))]
