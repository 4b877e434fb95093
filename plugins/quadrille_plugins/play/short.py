"""The short form of a game: one word that holds the whole deal, for an address or a note.

``q2.NAME.PAYLOAD``: the version; the rule set's reference where that alone names it (else nothing);
and, in the URL's base 64, the record of the deal so far, compressed, with the seat, the bots and
the balances.  It is no secret: whoever reads the form can read all hands.
"""

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace
from typing import Any, Final

from quadrille_core import resources
from quadrille_core.errors import QuadrilleError, RecordError
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import parse_amount, plain_amount
from quadrille_plugins.deal.players import seated
from quadrille_plugins.deal.record import PLAYED, from_record, to_record
from quadrille_plugins.play.game import Game, in_order_dealt

LONGEST: Final = 2000
"""No game has a longer short form."""
_FORM: Final = re.compile(r"q2\.([A-Za-z0-9@+:=,_-]{0,200})\.([A-Za-z0-9_-]+)")
WORDS: Final = (
    b'"multiplier":"beasts":"waiting":["A give ","A name ","A call CK","B bid solo+favourite",'
    b'"C bid alliance","C trump hearts","C trump clubs","D trump diamonds","D trump spades",'
    b'{"kind":"deal","seed":1,"session":0,"deal":0,"players":["A","B","C","D"],"pool":8,"packets":'
    b'[3,3,4],"favourite":"hearts","favourite":null,"hands":["SA CA SK CK HK DK SQ HQ DQ"],'
    b'"actions":["A pass","B pass","C pass","D pass","A play S","B play H","C play D","D play C"],'
    b'"rules":"","seat":0,"bots":["steady","steady","steady","steady"],"balances":[-2,-2,-2,-2]}'
)
"""What words often say; the compression refers to it."""


def short_form(game: Game) -> str:
    """The game as one word; raises RecordError where it would be longer than ``from_short``
    takes."""
    identity, record = game.compiled.identity, to_record(game.deal)
    by_hand = identity.readings or identity.settings
    alone = identity.profile in resources.shipped_profiles() and not by_hand
    data = {key: record[key] for key in ("kind", *PLAYED) if key in record} | {
        "rules": identity.digest[:12],
        "seat": game.seat,
        "bots": game.bots,
        "balances": [plain_amount(b) for b in game.balances],
        "waiting": [plain_amount(b) for b in game.waiting],
    }
    packing = zlib.compressobj(9, zdict=WORDS)
    packed = packing.compress(json.dumps(data, separators=(",", ":")).encode()) + packing.flush()
    payload = urlsafe_b64encode(packed).decode().rstrip("=")
    text = f"q2.{identity.reference if alone else ''}.{payload}"
    if len(text) > LONGEST:
        raise RecordError.of("game-too-long")
    return text


def named_in(text: str) -> str:
    """The rule set's reference that stands in a short form; empty where only the digest does.

    Raises RecordError where the text is no whole short form.
    """
    return opened(text)[0]


def digest_in(text: str) -> str:
    """The first digits of the digest of the rules of a short form."""
    return str(opened(text)[1]["rules"])


def from_short(text: str, compiled: Compiled) -> Game:
    """The game of a short form under its rules.

    Raises RecordError where the form is damaged, or the rules are not those under which it was
    played.
    """
    _, data = opened(text)
    made, now = data["rules"], compiled.identity.digest[:12]
    if made != now:
        raise RecordError.of(
            "game-of-other-digest", made=made, reference=compiled.identity.reference, now=now
        )
    try:
        setup, actions = from_record({key: data[key] for key in ("kind", *PLAYED) if key in data})
        rules, players = compiled.rules, len(setup.players)
        game = Game(
            compiled,
            replace(setup, hands=in_order_dealt(setup, rules)),
            range(players).index(data["seat"]),
            seated(data["bots"], players),
            tuple(map(parse_amount, data["balances"])),
            tuple(action for _, action in actions),
            tuple(map(parse_amount, data["waiting"])),
        )
        fits = players == rules.table.players == len(game.balances)
        if fits and len(game.waiting) <= setup.beasts and short_form(game) == text.strip():
            return game
    except (AttributeError, LookupError, TypeError, ValueError, QuadrilleError) as e:
        raise RecordError.of("short-form-of-no-game-here") from e
    raise RecordError.of("short-form-changed")


def opened(text: str) -> tuple[str, dict[str, Any]]:
    """The reference before the record, empty where it stands within, and the record; raises
    RecordError for what is no such word."""
    found = _FORM.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if found is None:
        raise RecordError.of("no-short-form", text=text)
    try:
        unpacking = zlib.decompressobj(zdict=WORDS)
        packed = urlsafe_b64decode(found[2] + "=" * (-len(found[2]) % 4))
        data = json.loads(unpacking.decompress(packed, 100 * LONGEST))
        if unpacking.eof and isinstance(data["rules"], str):
            return found[1], data
    except (LookupError, TypeError, ValueError, RecursionError, zlib.error):
        pass
    raise RecordError.of("short-form-not-whole")
