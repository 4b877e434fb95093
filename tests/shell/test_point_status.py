"""How the witnesses stand to a point, in words: each kind of dispute has its own."""

from types import SimpleNamespace

import pytest
from quadrille_plugins.shell.point_status import point_status


def reading(*witnesses, status="attested", certainty=""):
    """A reading that these witnesses have."""
    return SimpleNamespace(
        attested=[(name, "p. 1") for name in witnesses], status=status, certainty=certainty
    )


@pytest.mark.parametrize(
    ("readings", "told"),
    [
        ((reading("a"), reading("b")), "witnesses differ"),
        ((reading("a"), reading("a"), reading("b")), "a contradicts itself; witnesses differ"),
        ((reading("a"), reading("a", status="inferred")), "a ambiguous; b silent"),
        ((reading("a"), reading("a", certainty="low")), "a ambiguous; b silent"),
        ((reading("a", "b"), reading()), "witnesses agree"),
        ((reading("a"), reading()), "b silent"),
        ((reading(), reading()), "all silent"),
    ],
)
def test_a_point_says_whether_witnesses_differ_one_contradicts_itself_or_is_silent(readings, told):
    """All of these looked alike in a list of points."""
    assert point_status(readings, {"a": "silent", "b": "silent"}) == told


@pytest.mark.parametrize(
    ("states", "told"),
    [
        (("unseen", "unseen"), "all unseen"),
        (("silent", "unseen"), "a silent; b unseen"),
        (("inapplicable", "inapplicable"), "all inapplicable"),
    ],
)
def test_a_place_that_was_not_read_is_no_silence(states, told):
    """A text read in part is silent only where its place was read whole."""
    assert point_status((reading(), reading()), dict(zip("ab", states, strict=True))) == told
    assert (
        point_status((reading("a"), reading()), {"a": "silent", "b": states[1]}) == f"b {states[1]}"
    )
