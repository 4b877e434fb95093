"""The plugins of the distribution in ``thirdparty``, as its ``houses.yaml`` tells what each does."""

from pathlib import Path

from quadrille_plugins.house_rules.testing import compiled

from support.data import of_yaml

FOLDER = Path(__file__).parents[1] / "thirdparty"
HOUSES = of_yaml(FOLDER / "houses.yaml")


def base(name):
    """The rules to which a house adds its own."""
    return HOUSES[name].get("base", "quanti-1822@parlett")


def house(name, settings=None):
    """The rules with those of a house."""
    return compiled(f"{base(name)}+{name}", settings=settings).ruleset


LIFTED = {
    "two-kings": {"bids.two-kings.cards_asked": 1},
}
"""The kernel holds one card of an exchange; a house with more is played by both
engines without it.  What is ``readable`` has a fact that it does not hold."""


def played_house(name):
    """The rules of a house as both engines play them."""
    return house(name, LIFTED.get(name))
