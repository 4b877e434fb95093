"""The bot bidder, for `--players bidder`."""

from quadrille_core.hookspecs import Player, PlayerParameter, hookimpl


def _bot(**parameters):
    from quadrille_bidder.readable import Bot

    return Bot(**parameters)


@hookimpl
def quadrille_players():
    """The bot by name, what may be said of it (`bidder:bids=always`), and its compiled half."""
    bids = PlayerParameter(
        doc="When it bids: with Spadille in hand, or always.",
        default="spadille",
        choices=("spadille", "always"),
    )
    compiled = "quadrille_bidder.kernel"
    # a bot that loses much would double the pool for ever, so each deal begins anew
    bot = Player(make=_bot, parameters={"bids": bids}, begins_anew=True, compiled=compiled)
    return {"bidder": bot}
