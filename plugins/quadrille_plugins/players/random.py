"""A player without a thought: every legal action is equally likely."""

from quadrille_core.engine.actions import Action
from quadrille_core.stream import Stream
from quadrille_plugins.deal.view import View


class RandomBot:
    """Takes any legal action, each with the same probability; draws nothing where it has no
    choice."""

    name = "random"

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        """One of the legal actions at random."""
        return legal[0] if len(legal) == 1 else legal[stream.below(len(legal))]
