"""``steady`` in the kernel: its functions, and the kernel built of them."""

from quadrille_plugins.kernel.bits import ZERO
from quadrille_plugins.kernel.compiled import compiled
from quadrille_plugins.kernel.session import sessions_of
from quadrille_plugins.kernel.shares import INLINED
from quadrille_plugins.kernel.slot import CompiledPlayer
from quadrille_plugins.kernel.table import table_of
from quadrille_plugins.players.kernel_steady_bids import POLICY, choose_bid
from quadrille_plugins.players.kernel_steady_cards import choose_card
from quadrille_plugins.players.kernel_steady_declare import choose_call, choose_gift, choose_trump
from quadrille_plugins.players.kernel_steady_hands import fill_scores
from quadrille_plugins.players.kernel_steady_values import fill_values, values_size
from quadrille_plugins.players.kernel_steady_vole import announce, decide, pays
from quadrille_plugins.players.steady_policy import policy_of

__all__ = [
    "TABLE",
    "fill_scores",
    "fill_values",
    "play_sessions",
    "policy_of",
    "replay_sessions",
    "values_size",
]


@compiled(f"uint64(rules, {POLICY}, deal, int64)", **INLINED)
def _lead(rules, policy, deal, seat):
    """None: a game that is won wins no more by being played on."""
    return ZERO


@compiled(
    f"uint64(rules, {POLICY}, deal, int64, int64, uint64, uint64, int64, int64)",
    **INLINED,
)
def _card(rules, policy, deal, seat, played, cards, best, winner, behind):
    return choose_card(rules, policy[0], deal, seat, played, cards, best, winner, behind)


STEADY = CompiledPlayer(
    module=__name__,
    policy=POLICY,
    draws=False,
    bid=choose_bid,
    trump=choose_trump,
    call=choose_call,
    give=choose_gift,
    announce=announce,
    decide=decide,
    answer=pays,
    lead=_lead,
    card=_card,
)
TABLE = table_of(STEADY)
play_sessions, replay_sessions = sessions_of(STEADY, TABLE)
