"""What must stay hidden while an ally is, and what must come out when the vole is played for."""

import pytest
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.deal.view import view_of

from quadrille_core.ruleset import compile_reference


class SecretWatcher:
    """Plays as another bot would, and remembers every view."""

    def __init__(self, inner, forced):
        self.name, self.inner, self.forced, self.views = "watcher", inner, forced, []

    def choose(self, view, legal, stream):
        self.views.append(view)
        if self.forced and view.phase == "auction":
            return legal[0]
        return self.inner.choose(view, legal, stream)


def test_premiers_made_by_a_hidden_ally_do_not_betray_her():
    """Where no decision follows the sixth trick, the adversaries see tricks won and nothing
    besides."""
    ruleset = compile_reference("quanti-1822@wikipedia").ruleset
    bots = [SecretWatcher(make_bot("steady"), forced=True) for _ in range(4)]
    made = 0
    for session in range(20):
        for played in play_session(ruleset, bots, seed=9, session=session, deals=20):
            made += played.deal.premiers
    assert made > 20, "the probe must meet premiers"
    for view in (
        v for b in bots for v in b.views if v.premiers and v.ally is None and v.alone is None
    ):
        first = view.tricks[: view.rules.premiers.tricks]
        assert view.seat == view.hombre or all(t.winner == view.hombre for t in first)


@pytest.mark.parametrize("name", ["quadrille-laws", "quanti-1822"])
def test_a_vole_declared_unasked_shows_who_the_ally_is(name):
    ruleset = compile_reference(name, settings={"vole.consultation": "ask_or_declare"}).ruleset

    class Voler:
        name = "voler"

        def __init__(self):
            self.inner = make_bot("steady")

        def choose(self, view, legal, stream):
            return next((a for a in legal if a.kind == "vole"), None) or self.inner.choose(
                view, legal, stream
            )

    seen = 0
    for session in range(30):
        for played in play_session(ruleset, [Voler()] * 4, seed=2, session=session, deals=20):
            deal = played.deal
            if deal.vole == "undertaken" and deal.ally is not None:
                kinds = [e.kind for e in deal.events]
                assert "ally" in kinds[: kinds.index("vole") + 2]
                assert (
                    view_of(
                        deal, next(s for s in range(4) if s not in (deal.hombre, deal.ally))
                    ).ally
                    == deal.ally
                )
                seen += 1
    assert seen > 0
