"""A deal when it is over, as functions of plugins read it to tell facts of their own."""

import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from quadrille_core.cards import Card, Suit, suit
from quadrille_core.engine.past import Facts
from quadrille_core.errors import PluginError, quoted
from quadrille_core.facts import MOST_COUNTED
from quadrille_core.features import failure
from quadrille_core.frozen import frozen_by_keyword
from quadrille_core.plugin_rules import OwnFact
from quadrille_core.rules import VoleLevel


class Trick(NamedTuple):
    """One complete trick: who led, the cards in the order played, and the seat that won it."""

    leader: int
    cards: tuple[Card, ...]
    winner: int


@frozen_by_keyword
class FinishedDeal:
    """A deal that was played.  Seats count from the eldest hand, 0, to the dealer, the last."""

    hands: tuple[tuple[Card, ...], ...]
    """By seat, as they were dealt."""
    spoken: tuple[tuple[int, str], ...]
    """The auction in its order, each with a seat: ``pass``, ``bid solo``, ``name hearts``."""
    contract: str
    """The bid that was played, by its id."""
    forced: bool
    """Whether it fell on Hombre because all had passed."""
    hombre: int
    ally: int | None
    called: Card | None
    """The card that was called, if any."""
    surrendered: int | None
    """Who gave up the called card, where cards were exchanged."""
    trump: Suit
    """The trump suit, or ``NO_TRUMP``."""
    favourite: Suit | None
    vole: VoleLevel
    """How the vole was played for."""
    tricks: tuple[Trick, ...]
    """Those that were played, in their order."""

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return len(self.hands) - 1

    @property
    def called_suit(self) -> Suit | None:
        """The suit of the card that was called."""
        return None if self.called is None else suit(self.called)


def told_of(deal: FinishedDeal, asked: Iterable[OwnFact]) -> Facts:
    """What the functions of plugins tell of a deal; raises PluginError for one that fails."""
    return tuple((fact.name, _told(deal, fact)) for fact in asked)


def _told(deal: FinishedDeal, fact: OwnFact) -> tuple[int, ...]:
    plugin, _, name = fact.name.partition(".")
    module = str(fact.compute).partition(":")[0]
    try:
        with redirect_stdout(sys.stderr):
            told = function_of(str(fact.compute))(deal)
    except (Exception, SystemExit) as e:  # a stranger's code
        raise PluginError.of(
            "own-fact-failed", plugin=plugin, fact=name, said=failure(e, module)
        ) from e
    seats = len(deal.hands)
    numbers = (told,) if fact.of == "deal" else told
    many = 1 if fact.of == "deal" else seats
    fits = isinstance(numbers, (tuple, list)) and len(numbers) == many
    if not fits or not all(type(n) is int and 0 <= n <= MOST_COUNTED for n in numbers):
        wanted = "a whole number" if many == 1 else f"a tuple of {many} whole numbers, by seat"
        data: dict[str, Any] = {"told": quoted(told), "wanted": wanted, "most": MOST_COUNTED}
        raise PluginError.of("own-fact-no-number", plugin=plugin, fact=name, **data)
    return tuple(numbers)


@cache
def function_of(written: str) -> Any:
    """The function at ``module:name``, as ``plugin_rules.written_function`` writes it."""
    module, _, name = written.partition("#")[0].partition(":")
    return getattr(import_module(module), name)
