"""Deals to show how a game is settled: the first that come from the pack, played by a bot and
settled by the engine."""

from dataclasses import dataclass
from typing import Final

from quadrille_core.report.blocks import Block
from quadrille_core.ruleset import Compiled
from quadrille_plugins.deal.blocks import record_blocks
from quadrille_plugins.deal.players import BOTS, make_bot
from quadrille_plugins.deal.record import to_record
from quadrille_plugins.deal.session import PlayedDeal, play_session
from quadrille_plugins.output.values import reference

MOST: Final = 80
"""Deals looked at for an example of each kind."""
SEED: Final = 1
TITLES: Final = {"won": "A game won", "remise": "A remise", "codille": "A codille"}


@dataclass(frozen=True, slots=True)
class Example:
    """A deal as it is told and settled, and the command that shows all of it."""

    title: str
    blocks: tuple[Block, ...]
    command: str


def examples(compiled: Compiled) -> tuple[Example, ...]:
    """A game won, a remise and a codille, each with a payment between players if such a one comes;
    none without a bot.

    What does not come within ``MOST`` deals is left out; under rules by which nothing but a remise
    can be lost, the codille is.
    """
    names = [name for name, bot in BOTS.items() if not bot.solves]
    if not names:
        return ()
    rules = compiled.ruleset.rules
    bots = [make_bot("steady" if "steady" in names else names[0])] * rules.table.players
    played = [bid for _, bid in rules.bids.items() if rules.is_played(bid)]
    wanted = len(TITLES) - all(bid.lost_as == "remise" for bid in played)
    found: dict[str, tuple[int, PlayedDeal]] = {}
    for session in range(MOST):
        one = next(play_session(compiled.ruleset, bots, seed=SEED, session=session, deals=1))
        ended = one.settlement
        if ended and (
            ended.outcome not in found or (_rich(one) and not _rich(found[ended.outcome][1]))
        ):
            found[ended.outcome] = session, one
        if len(found) == wanted and all(_rich(one) for _, one in found.values()):
            break
    return tuple(_told(compiled, *found[kind]) for kind in TITLES if kind in found)


def _rich(played: PlayedDeal) -> bool:
    """Whether a player pays another: something besides the pool is won or lost."""
    ended = played.settlement
    return ended is not None and any(t.source >= 0 and t.target >= 0 for t in ended.transfers)


def _told(compiled: Compiled, session: int, played: PlayedDeal) -> Example:
    record = to_record(played.deal, played.settlement)
    blocks = record_blocks(compiled, record, played.deal)
    command = f"quadrille deal {reference(compiled.identity)} --seed {SEED} --session {session}"
    return Example(TITLES[record["outcome"]], tuple(blocks[1:]), command)
