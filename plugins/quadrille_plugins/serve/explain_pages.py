"""The rule explorer: every rule by topic, a search as ``quadrille explain WORD``, and a page for
each rule."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from quadrille_core import vocabulary
from quadrille_core.frozen import frozen
from quadrille_core.kinds import KINDS, TRICKS
from quadrille_core.profile.schema import block_docs
from quadrille_plugins.lookup.meanings import question_of
from quadrille_plugins.serve.hints import PAGE
from quadrille_plugins.serve.named import NoSuchRulesError
from quadrille_plugins.serve.pages import Pages

LONGEST_SEARCH = 100


@frozen
class ExplainPages:
    """Pages of the rules."""

    pages: Pages

    def routes(self) -> list[Route]:
        """The addresses."""
        return [Route("/explain", self.rules), Route("/explain/{pattern}", self.rule)]

    def rules(self, request: Request) -> Response:
        """Every rule by topic; or what the words of a search name."""
        words = request.query_params.get("q", "").strip()[:LONGEST_SEARCH]
        if not words:
            return self.pages.page(request, "explain.html", q="", found=None, topics=topics())
        from quadrille_plugins.lookup.find import SEVERAL, SORTS, find

        found = find(words)
        hits = [
            (SEVERAL[sort], [(hit, _address(hit.sort, hit.id)) for hit in found.of(sort)])
            for sort in SORTS
            if found.of(sort)
        ]
        return self.pages.page(
            request, "explain.html", q=words, found=found, hits=hits, help=PAGE.hint(found.help)
        )

    def rule(self, request: Request) -> Response:
        """One rule: the text of ``quadrille explain RULE``."""
        pattern = request.path_params["pattern"]
        known = pattern if pattern in (all_ := _patterns()) else vocabulary.pattern_of(pattern)
        if known is None:
            hint = vocabulary.suggest(pattern[:100], all_, TRICKS)
            raise NoSuchRulesError.of("no-page-of-such-a-rule", hint, pattern=pattern)
        from quadrille_plugins.lookup.rule_page import default_text, parts, rule_page

        page = rule_page(known, None if known == pattern else pattern)
        if request.query_params.get("format") == "json":
            return JSONResponse(page.to_plain())
        return self.pages.page(
            request,
            "rule.html",
            rule=page,
            general=known if known != pattern else "",
            default=default_text(page),
            parts=[(title, rows) for title, rows in parts(page) if rows],
        )


def _patterns() -> dict[str, None]:
    return {pattern: None for kind in KINDS for pattern in vocabulary.leaves(kind)}


def topics() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The blocks of rules: name, what it is about, and its rules with the question that each
    answers."""
    found: dict[str, list[tuple[str, str]]] = {}
    for pattern in _patterns():
        found.setdefault(pattern.partition(".")[0], []).append((pattern, question_of(pattern)))
    docs = block_docs()
    return [(block, docs.get(block, ""), rules) for block, rules in found.items()]


def _address(sort: str, name: str) -> str:
    """The page of a rule, or of a point in the first rule set that has it; empty for others."""
    from quadrille_plugins.lookup.find import LEAF, POINT, shipped

    if sort == LEAF:
        return f"/explain/{name}"
    if sort == POINT:
        having = (ref for ref, c in shipped().items() if name in {s.point.id for s in c.points})
        ref = next(having, "")
        return f"/apparatus/{ref}/{name}" if ref else ""
    return ""
