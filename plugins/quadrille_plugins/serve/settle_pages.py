"""The settlement desk: the result of one deal in a form, and every payment with its passage.

The form is read and never written: its address holds the whole result, and is a link to the
settlement.
"""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quadrille_core.engine.result import composed
from quadrille_core.engine.settle import settle
from quadrille_core.errors import ResultError
from quadrille_core.report.blocks import Block, Table
from quadrille_core.ruleset import Compiled
from quadrille_plugins.output.values import identity_to_plain
from quadrille_plugins.serve.forms import (
    desk_fields,
    desk_result,
    names_in,
    place_of,
    plain_table,
    seats_of,
    typed,
    was_sent,
)
from quadrille_plugins.serve.named import RuleSets, shipped
from quadrille_plugins.serve.pages import Pages, shown
from quadrille_plugins.settle.alone import OWN_KING, played_alone
from quadrille_plugins.settle.blocks import settlement_blocks
from quadrille_plugins.settle.result_file import read_result, settlement_to_json


class SettlePages:
    """The desk."""

    def __init__(self, pages: Pages, rule_sets: RuleSets) -> None:
        self.pages, self.rule_sets = pages, rule_sets

    def choose(self, request: Request) -> Response:
        """Choose the rules first: they decide what is asked."""
        games = [one for one in [*shipped(), *self.rule_sets.sent()] if one.tricks]
        return self.pages.page(request, "settle_choose.html", games=games)

    def desk(self, request: Request) -> Response:
        """The form, and once it is filled in the settlement or what is wrong."""
        name, given = request.path_params["name"], request.query_params
        compiled = self.rule_sets.compile(name, tuple(r for r in given.getlist("reading") if r))
        rules = compiled.ruleset.rules
        table = plain_table(rules, [composed(n) for n in names_in(given, rules.table.players)])
        fields = desk_fields(table)
        context: dict[str, Any] = {
            "name": name,
            "title": compiled.title,
            "identity": compiled.identity,
            "readings": given.getlist("reading"),
            "seats": seats_of(rules.table.players),
            "fields": fields,
            "typed": typed(given, fields),
            "problems": [],
            "blocks": [],
        }
        if not was_sent(given):
            return self.pages.page(
                request, "settle.html", **{**context, "typed": {f.name: [f.value] for f in fields}}
            )
        try:
            data, blocks = self.settlement(compiled, desk_result(given, table))
        except ResultError as e:
            return self.pages.page(
                request,
                "settle.html",
                status=422,
                **{**context, "problems": [shown(p) for p in e.problems]},
            )
        if given.get("format") == "json":
            return JSONResponse(data)
        return self.pages.page(request, "settle.html", **{**context, "blocks": blocks})

    def settlement(
        self, compiled: Compiled, data: dict[str, Any]
    ) -> tuple[dict[str, Any], list[Block]]:
        """What ``settle`` prints, as JSON and in words; raises ResultError."""
        if not data.get("tricks"):
            raise ResultError.of("no-tricks-given", place=place_of("tricks0"))
        rules = compiled.ruleset.rules
        result = read_result(data, rules, place=place_of)
        settlement = settle(rules, result)
        alone = OWN_KING if played_alone(rules.bids.of(result.contract), result.ally) else None
        identity = identity_to_plain(compiled.ruleset.identity)
        blocks = settlement_blocks(compiled, result, settlement)
        net = next(b for b in blocks if isinstance(b, Table) and "net" in b.columns)
        return (
            settlement_to_json(identity, result, settlement, compiled.source_of, alone),
            [
                blocks[0],
                net,
                *(b for b in blocks[1:] if b is not net),
            ],  # the answer first, then each payment
        )
