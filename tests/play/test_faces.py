"""The faces of the cards."""

from xml.etree import ElementTree

from quadrille_plugins.play.faces import face

from quadrille_core.cards import PACK, RANKS, rank

PATH = "{http://www.w3.org/2000/svg}path"


def test_every_card_has_a_face_of_its_own_with_its_pips():
    """Forty different pictures; a pip card has as many pips as its rank and one in the corner."""
    drawn = {card: ElementTree.fromstring(face(card)) for card in PACK}  # noqa: S314 - our own text
    assert len({face(card) for card in PACK}) == len(PACK)
    for card, picture in drawn.items():
        pips = {"A": 1, "K": 2, "Q": 2, "J": 2}.get(rank(card)) or int(rank(card))
        assert len(picture.findall(PATH)) == pips + 1
    assert {rank(c) for c in PACK} == set(RANKS)
