"""``seer``: imagines the hidden hands, plays and solves them, and does what is worth most by the
rules in force.

Nothing about any game is told it.  It draws hands that agree with all it has seen and heard, and
sees what each choice brings on each of them in two ways: played out, everybody going on as
``steady`` does, and solved, everybody seeing all.  The rules' own settlement says what that pays.
How, the kernel's ``seer.kernel_choose`` says, for both engines.
"""

from importlib.util import find_spec
from typing import Final

from quadrille_core.engine.actions import Action
from quadrille_core.engine.terms import asks_several
from quadrille_core.errors import UsageError
from quadrille_core.installation import install_hint
from quadrille_core.stream import Stream
from quadrille_plugins.deal.view import View
from quadrille_plugins.players.steady import SteadyBot

_STEADY: Final = SteadyBot()


class SeerBot:
    """Plays by imagining at most ``deals`` deals for a choice, solved too with so many cards a hand
    or fewer; raises UsageError without Numba."""

    name = "seer"

    def __init__(self, deals: int, solved: int) -> None:
        if find_spec("numba") is None:
            raise UsageError.of("seer-without-numba", text=install_hint("fast"))
        self._parameters: Final = deals, solved

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        """The action worth most on the mean of the deals imagined; of equals what ``steady`` would
        do.

        Under rules whose payments the kernel cannot tell in whole parts of a counter, or that pay
        by facts of the play beyond the number of tricks, or at which several cards are asked for,
        that is all it does.
        """
        if len(legal) == 1:
            return legal[0]
        from quadrille_plugins.seer.deals import decide, tables_of

        plain, rules = _STEADY.choose(view, legal, stream), view.rules
        # before the first lead too little is known for what all would do who saw all
        early = view.phase == "vole" and not view.tricks
        if early or rules.own.recorded_facts() or asks_several(rules):
            return plain
        tables = tables_of(rules, *self._parameters)
        return plain if tables.arrays is None else decide(view, legal, plain, tables, stream)
