"""A result given by options: help in their form, the ally that must be named, what was assumed,
what is corrected."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

from quadrille_core.cards import NO_TRUMP, parse_suit
from quadrille_core.diagnostics import Door
from quadrille_core.engine.terms import most_matadors
from quadrille_core.errors import Key, NotationError, Problem, ResultError
from quadrille_core.rules import Rules
from quadrille_plugins.settle.alone import may_be_alone
from quadrille_plugins.settle.result_file import ALONE, bid_of

SIDE: Final = ""
"""In ``tricks``, whom a number belongs to that names nobody: Hombre's side."""


class ByOptions(Door):
    """Speaks of a result as it is typed in options: ``--vole undertaken`` for
    ``vole: undertaken``."""

    kind = "options"

    def key(self, key: Key) -> str:
        """The option of a key's name."""
        if key.value in ("true", "false"):
            return f"--{'no-' if key.value == 'false' else ''}{key.name}"
        return f"--{key.name.replace('_', '-')} {key.value}".rstrip()


BY_OPTIONS: Final = ByOptions()


@contextmanager
def options_spoken_of(typed: bool = True) -> Iterator[None]:
    """Where a result was ``typed`` as options, the help of its faults names options, not the keys
    of a file."""
    try:
        yield
    except ResultError as e:
        if not typed:
            raise
        raise ResultError([replace(p, door=BY_OPTIONS) for p in e.problems]) from None


def refuse_unsaid_ally(
    data: Mapping[str, Any],
    names: Sequence[str],
    rules: Rules,
    read: Callable[[dict[str, Any]], object],
) -> None:
    """Raise ResultError where a bid may be played with an ally or alone, and nothing is said of
    either.

    ``read`` reads a whole result: what of the rest cannot be read is raised besides.
    """
    bid = bid_of(rules, data.get("contract"))
    if (
        bid is None
        or bid.partner != "called"
        or not may_be_alone(bid)
        or "ally" in data
        or ALONE in names
    ):
        return
    problems = [Problem("Q202", "no-ally-named", {"bid": bid.title})]
    tricks = {name or data.get("hombre"): made for name, made in data.get("tricks", {}).items()}
    tricks.pop(None, None)
    try:
        read({**data, "ally": ALONE, **({"tricks": tricks} if "tricks" in data else {})})
    except ResultError as e:  # what cannot have been may be so by the ally alone
        problems += [p for p in e.problems if p.code != "Q701"]
    raise ResultError(problems)


def changed(
    recorded: Mapping[str, Any], given: Mapping[str, Any], names: Sequence[str], rules: Rules
) -> dict[str, Any]:
    """A recorded result with what options change of it; the rest stays, but for what its new
    contract has no room for.

    A number of tricks stands for all that were recorded; a player's alone leaves the rest of
    Hombre's side as it was. Where one of it is another, of whom no tricks are recorded, it
    made as many as were recorded; raises ResultError where its tricks cannot be known so.
    """
    before, bid = dict(recorded), bid_of(rules, given.get("contract", recorded.get("contract")))
    if bid is not None and bid.partner == "none":
        before.pop("ally", None)
    elif bid is not None and "contract" not in given:
        before.setdefault("ally", ALONE)  # as the record says by naming none
    if bid is not None and bid.trump == "none":
        before.pop("trump", None)
    if bid is not None and not bid.exchange:
        before.pop("surrendered", None)
    whole = {**before, **given}
    if "facts" in given:
        whole["facts"] = {**recorded.get("facts", {}), **given["facts"]}
    side, made = _side(whole, names), dict(recorded.get("tricks", {}))
    former = _side(recorded, names)
    if "tricks" not in given and side != former:
        if len(side) != len(former) or any(made.get(name) for name in side - former):
            were = [f"{name} {number}" for name, number in made.items()]
            raise ResultError.of("another-side", tricks=were)
        whole["tricks"] = {SIDE: sum(number for name, number in made.items() if name in former)}
    if "tricks" in given and SIDE not in given["tricks"]:
        whole["tricks"] = {name: number for name, number in made.items() if name in side} | given[
            "tricks"
        ]
    return whole


def _side(data: Mapping[str, Any], names: Sequence[str]) -> set[str]:
    return {data[key] for key in ("hombre", "ally") if data.get(key) in names}


def assumed(data: Mapping[str, Any], rules: Rules) -> dict[str, str]:
    """What options left out and the rules may pay for, in words: it was taken as none."""
    bid = bid_of(rules, data.get("contract"))
    tricks = data.get("tricks")
    if bid is None or not isinstance(tricks, Mapping):
        return {}
    taken: dict[str, str] = {}
    try:
        trump = NO_TRUMP if data.get("trump") in (None, ALONE) else parse_suit(str(data["trump"]))
    except NotationError:
        return {}
    if "matadors" not in data and most_matadors(rules.payments, trump):
        taken["matadors"] = "none"
    side = {SIDE, data.get("hombre"), data.get("ally")}
    made = sum(made for name, made in tricks.items() if name in side)
    if bid.premiers and "premiers" not in data and made >= rules.premiers.tricks:
        taken["premiers"] = "not made"
    return taken
