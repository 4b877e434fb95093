"""A record of a deal with its players under other names."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from quadrille_core.engine.carry import Carry
from quadrille_core.engine.past import Past
from quadrille_plugins.settle.result_file import PLAYER_KEYS


def renamed(data: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The same record, whoever is in ``names`` called as it says there; words that are no name of
    a player stay."""
    if not names:
        return dict(data)

    def one(name: Any) -> Any:
        if isinstance(name, list):
            return [one(each) for each in name]
        return names.get(name, name) if isinstance(name, str) else name

    def keys(by_player: Any) -> Any:
        if not isinstance(by_player, Mapping):
            return by_player
        return {one(who): n for who, n in by_player.items()}

    found = dict(data)
    found |= {key: one(data[key]) for key in (*PLAYER_KEYS, "by") if key in data}
    if "tricks" in data:
        found["tricks"] = keys(data["tricks"])
    if isinstance(told := data.get("incidents"), Mapping):
        found["incidents"] = {incident: one(who) for incident, who in told.items()}
    if isinstance(told := data.get("facts"), Mapping):
        found["facts"] = {fact: keys(by_player) for fact, by_player in told.items()}
    if isinstance(told := data.get("transfers"), list):
        found["transfers"] = [{**t, **{end: one(t[end]) for end in ("from", "to")}} for t in told]
    return found


def with_names(carry: Carry, names: Mapping[str, str]) -> Carry:
    """What a deal left to the next, those who did something in it under other names."""
    if not names:
        return carry
    deeds = sorted((names.get(who, who), did) for who, did in carry.past.deeds)
    return replace(carry, past=Past(carry.past.deals, tuple(deeds)))
