"""A ladder on which a higher bid earns less is warned of, and no shipped one is such."""

import pytest
from quadrille_plugins.apparatus.matrix import shipped_texts
from quadrille_plugins.house_rules import quadrille_warnings
from quadrille_plugins.house_rules.warnings import falling_premiums

from quadrille_core.ruleset import compile_reference


@pytest.mark.parametrize("reference", shipped_texts())
def test_no_shipped_ladder_falls(reference):
    """What a text has is not warned of."""
    assert falling_premiums(compile_reference(reference)) is None


@pytest.mark.parametrize(
    ("reference", "settings", "falls"),
    [
        ("quadrille-laws+mediateur+casco", {}, True),
        ("quadrille-laws+mediateur+casco+grandissimo+nemo", {}, True),
        ("quadrille-laws+mediateur+casco", {"payments.premium.solo": 2}, False),
        ("quanti-1822@wikipedia", {"payments.premium.casco": 0}, True),
        ("quanti-1822@wikipedia", {"payments.premium.casco": 0, "bids.casco.made": "never"}, False),
    ],
)
def test_a_bid_that_earns_less_than_one_it_overcalls_is_warned_of(reference, settings, falls):
    """Bids that are not played do not count."""
    told = quadrille_warnings(compile_reference(reference, settings=settings))
    assert len([one for one in told if "payments.premium" in one]) == falls
