"""How the settlement of an example is told: every payment that differs."""

from quadrille_plugins.studies.observe import Divergence
from quadrille_plugins.studies.words import events_told

PLAYERS = ["A", "B", "C", "D"]


def _record(*payments):
    return {
        "players": PLAYERS,
        "transfers": [dict(zip(("from", "to", "amount"), p, strict=True)) for p in payments],
    }


def test_every_payment_that_differs_is_named_in_all():
    """Two payments of one player to another are one sum, and what is alike under both rule sets is
    left out."""
    records = (
        _record(("A", "pool", 4), ("A", "B", 4), ("A", "C", 4), ("A", "B", 1), ("A", "C", 1)),
        _record(
            ("A", "pool", 4),
            ("A", "B", 4),
            ("A", "C", 4),
            ("A", "B", 2),
            ("A", "C", 2),
            ("D", "pool", "1/2"),
        ),
    )
    divergence = Divergence("settlement", "A pays B 1", "A pays B 2")
    first, second = events_told(divergence, records)
    assert first == "eldest pays second and third 5 each"
    assert second.startswith("eldest pays second and third 6 each; dealer pays the pool ")


def test_elsewhere_the_event_itself_is_told():
    """Before the settlement the two events stand as they are, by seat; so do payments that differ
    in order alone."""
    records = (_record(("A", "B", 1), ("A", "C", 1)), _record(("A", "C", 1), ("A", "B", 1)))
    assert events_told(Divergence("auction", "A passes", "A bids solo"), records) == (
        "eldest passes",
        "eldest bids solo",
    )
    assert (
        events_told(Divergence("settlement", "A pays B 1", "A pays C 1"), records)[0]
        == "eldest pays second 1"
    )
