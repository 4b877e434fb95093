"""bidder as the readable engine plays it: the definition, which `kernel` has to equal."""

from quadrille_core.cards import SPADILLE


class Bot:
    """Makes the lowest bid, with Spadille or always; takes the first legal action of all else."""

    name = "bidder"

    def __init__(self, bids):
        """``bids`` is the parameter of that name."""
        self.always = bids == "always"

    def choose(self, view, legal, stream):
        """One of the legal actions, from what the seat sees; ``stream`` is for chance."""
        if view.phase == "auction":
            bids = [action for action in legal if action.kind == "bid"]
            would = self.always or SPADILLE in view.hand
            return bids[0] if bids and would else legal[0]
        return legal[-1] if legal[-1].kind == "claim" else legal[0]
