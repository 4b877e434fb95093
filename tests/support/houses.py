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
