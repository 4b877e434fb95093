"""The questions of ``quadrille new``: one after another, each answer tried together with those
before.

An answer that cannot be, or cannot stand beside an earlier one, is asked again, with the reason.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any, Final, TypeVar

import click

from quadrille_core import vocabulary
from quadrille_core.errors import QuadrilleError, UsageError, did_you_mean
from quadrille_core.features import installed
from quadrille_core.frozen import frozen
from quadrille_core.profile.naming import bid_named
from quadrille_core.ruleset import Compiled
from quadrille_plugins.shell.options import compile_all, parse_value

T = TypeVar("T")

STANDS: Final = "as it stands"
_KIND: Final = re.compile(r"(\d+) +([^\d/,]+?)(?: */ *([^\d/,]+?))? +at +(\d+)")
_SHARE: Final = re.compile(r"(\S+) +of +the +stake")


@frozen
class Change:
    """What an answer changes: rules by path, and plugins that are added."""

    settings: Mapping[str, Any] = field(default_factory=dict)
    plugins: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.settings or self.plugins)


@frozen
class Question:
    """One question; ``read`` turns what is typed into a change, or raises QuadrilleError."""

    key: str
    text: str
    default: str
    read: Callable[[str], Change]


def put(question: str, read: Callable[[str], T], default: str) -> T:
    """Ask until the answer will do, with the reason where it will not."""
    while True:
        try:
            said = click.prompt(
                question, default=default, show_default=bool(default), type=str, err=True
            )
            return read(str(said).strip())
        except QuadrilleError as e:
            problem = e.problems[0]
            told = f" ({problem.help})" if problem.help else ""
            click.echo(problem.message + told, err=True)


class Asking:
    """The answers so far, to a file that starts from these rules with these options."""

    def __init__(
        self,
        compiled: Compiled,
        readings: Sequence[str],
        known: Change,
        items: Sequence[str],
        *,
        is_vole_known: bool,
    ) -> None:
        self._base, self._readings, self._known, self._items = compiled, readings, known, items
        self._is_vole_known = is_vole_known
        self._answers: dict[str, Change] = {}

    def run(self) -> Change:
        """Ask everything that is still open; the changes of all answers together."""
        while (
            question := next((q for q in self._questions() if q.key not in self._answers), None)
        ) is not None:
            read = partial(self._fitting, question.read)
            self._answers[question.key] = put(question.text, read, question.default)
        return _merged(self._answers.values())

    def _fitting(self, read: Callable[[str], Change], text: str) -> Change:
        """What an answer changes; raises QuadrilleError where it cannot stand beside the others."""
        change = read(text)
        self._with(change)
        return change

    def _with(self, *changes: Change) -> Compiled:
        known = [self._known, *self._answers.values(), *changes]
        return compiled_with(self._base, self._readings, _merged(known))

    # --- the questions -------------------------------------------------------------------------

    def _questions(self) -> Iterator[Question]:
        base, known = self._base, self._known.settings
        rules = base.game.rules
        played = [name for name, bid in rules.bids.items() if rules.is_played(bid)]
        yield Question(
            "bids",
            f"Bids that you do not play ({', '.join(played)}, or none)",
            "none",
            self._left_out,
        )
        answered = self._answers.get("bids")
        gone = {**known, **(answered.settings if answered else {})}
        for bid in played:
            path = f"payments.premium.{bid}"
            if path in base.origins and path not in known and f"bids.{bid}.made" not in gone:
                now = vocabulary.to_plain(base.origins[path].value)
                yield Question(
                    path, f"Premium of {bid}, in units", str(now), partial(self._value, path)
                )
        vole = next(
            (b for b in played if rules.bids.of(b).is_vole and f"bids.{b}.made" not in gone), None
        )
        yield self._announced(vole)
        if not self._is_vole_known:
            yield Question(
                "vole pays",
                f"A vole pays in all, from each, in units ({STANDS}, or a number)",
                STANDS,
                self._vole_pays,
            )
        if "stakes.unit" not in known and "stakes.unit" in base.origins:
            yield Question(
                "unit",
                "Counters in a unit (a number, or a share such as 1/4 of the stake)",
                self._unit_now(),
                self._unit,
            )
        if (
            "table.purse" not in known
            and "table.coins" not in known
            and "table.purse" in base.origins
        ):
            what = (
                "Counters each player starts with (a number, or kinds: 28 penny/pence at 1, 1 "
                "shilling at 12)"
            )
            yield Question("counters", what, self._counters_now(), self._counters)
        if "loss.remise_pays" in base.origins and "loss.remise_pays" not in known:
            items = ", ".join(base.origins["loss.remise_pays"].value) or "nothing"
            what = f"A lost game pays besides the pool ({', '.join(self._items)}, or nothing)"
            yield Question("lost", what, items, self._lost)
        times = "loss.codille_items_times"
        if times in base.origins and times not in known:
            now = str(base.origins[times].value)
            yield Question(
                "codille",
                "A codille pays this how many times over",
                now,
                partial(self._value, times),
            )
        if not self._known.plugins:
            yield Question(
                "plugins",
                "Mechanics to add (`quadrille list plugins` lists them)",
                "none",
                plugins_of,
            )

    def _left_out(self, text: str) -> Change:
        words = [] if text == "none" else [w for w in text.split(",") if w.strip()]
        found: dict[str, Any] = {}
        for word in words:
            bid = bid_named(word, self._base.game.rules, begins=True)
            note_unplayed(self._base, bid)
            found |= left_out(self._base, bid)
        if "auction.all_pass" in found:
            click.echo(
                "When all pass, the cards are dealt again (auction.all_pass: redeal).", err=True
            )
        return Change(found)

    def _value(self, path: str, text: str) -> Change:
        value = checked(path, text)
        return Change(
            {path: value} if value != vocabulary.to_plain(self._base.origins[path].value) else {}
        )

    def _announced(self, vole: str | None) -> Question:
        """How the vole is announced: as a bid of its own, with another, or not at all."""
        rules = self._base.game.rules
        with_bid = any(
            b.vole_with_bid != "none" and rules.is_played(b) for _, b in rules.bids.items()
        )
        now = "bid" if vole is not None else "with" if with_bid else "no"
        choices = {
            **({"bid": "a bid of its own"} if vole is not None else {}),
            "with": "with a bid that is played alone",
            "no": "not at all",
        }
        told = ", ".join(f"{word}: {what}" for word, what in choices.items())
        what = f"The vole, announced in the auction ({told})"
        return Question("vole", what, now, partial(self._read_announced, now, vole, tuple(choices)))

    def _read_announced(
        self, now: str, vole: str | None, choices: Sequence[str], text: str
    ) -> Change:
        word = text.lower()
        if word not in choices:
            raise UsageError.of(
                "none-of-answers", did_you_mean(word, choices, what="type"), text=text
            )
        if word == now:
            return Change()
        found = {} if vole is None else left_out(self._base, vole)
        if word == "with":
            return Change(found, (_announcing(self._base, found),))
        for path, origin in self._base.origins.items():
            if path.endswith(".vole_with_bid") and origin.value != "none":
                found[path] = "none"
            elif path.endswith(".vole_before_lead") and origin.value:
                found[path] = False
        return Change(found)

    def _vole_pays(self, text: str) -> Change:
        return Change() if text == STANDS else Change(vole_payment(self._with(), text))

    def _unit_now(self) -> str:
        stakes = self._base.game.rules.stakes
        return {"stake": f"{stakes.unit} of the stake"}.get(stakes.unit_of, str(stakes.unit))

    def _unit(self, text: str) -> Change:
        if text == self._unit_now():
            return Change()
        share = _SHARE.fullmatch(text)
        of = {"stakes.unit_of": "stake" if share else "constant"}
        return Change({**of, "stakes.unit": checked("stakes.unit", share[1] if share else text)})

    def _counters_now(self) -> str:
        table = self._base.game.rules.table
        kinds = [
            f"{c.each} {c.one if c.one == c.many else f'{c.one}/{c.many}'} at {c.worth}"
            for c in table.coins
        ]
        return ", ".join(kinds) or str(table.purse)

    def _counters(self, text: str) -> Change:
        if text == self._counters_now():
            return Change()
        if text.isascii() and text.isdigit():
            return Change({"table.purse": checked("table.purse", text), "table.coins": []})
        coins: list[dict[str, Any]] = []
        for part in text.split(","):
            kind = _KIND.fullmatch(part.strip())
            if kind is None:
                raise UsageError.of("no-kind-of-counters", strip=part.strip())
            one, worth, each = kind[2], int(kind[4]), int(kind[1])
            coins.append({"one": one, "many": kind[3] or f"{one}s", "worth": worth, "each": each})
        purse = sum(c["worth"] * c["each"] for c in coins)
        return Change({"table.purse": checked("table.purse", str(purse)), "table.coins": coins})

    def _lost(self, text: str) -> Change:
        items = lost_items(text, self._items)
        now = list(self._base.origins["loss.remise_pays"].value)
        return Change(lost_pays(items) if sorted(items) != sorted(now) else {})


def _merged(changes: Any) -> Change:
    """Several changes as one; a later one goes before an earlier."""
    settings: dict[str, Any] = {}
    plugins: list[str] = []
    for change in changes:
        settings |= change.settings
        plugins += change.plugins
    return Change(settings, tuple(dict.fromkeys(plugins)))


def compiled_with(compiled: Compiled, readings: Sequence[str], change: Change) -> Compiled:
    """The rules with these changes; raises QuadrilleError where they cannot go together."""
    reference = "".join([compiled.identity.reference, *(f"+{p}" for p in change.plugins)])
    return compile_all(
        [reference], readings, [f"{path}={json.dumps(v)}" for path, v in change.settings.items()]
    )[0]


# --- what is typed, by option or by answer -----------------------------------------------------


def bids_of(compiled: Compiled) -> list[str]:
    """The names of all bids of these rules."""
    return [
        p.split(".")[1] for p in compiled.origins if p.startswith("bids.") and p.endswith(".made")
    ]


def left_out(compiled: Compiled, bid: str) -> dict[str, Any]:
    """The rules that leave a bid out; without the one that is forced on someone, a deal that all
    pass is redealt."""
    found: dict[str, Any] = {f"bids.{bid}.made": "never"}
    forced = compiled.game.rules.forced_bid()
    if forced is not None and forced[0] == bid:
        found["auction.all_pass"] = "redeal"
    return found


def note_unplayed(compiled: Compiled, bid: str) -> None:
    """Say on standard error that a bid which is to be left out is not played in these rules as they
    are."""
    rules, ref = compiled.game.rules, compiled.identity.reference
    if not rules.is_played(rules.bids.of(bid)):
        message = (
            f"note: {ref} does not play {bid} as it is; `quadrille explain bid:{bid}` "
            "tells which rule sets do"
        )
        click.echo(message, err=True)


def vole_payment(compiled: Compiled, typed: str) -> dict[str, Any]:
    """The rules by which a vole earns so many units from each, and costs as many if missed; it has
    no stake."""
    rules, found = compiled.game.rules, {}
    for path in compiled.origins:
        if path.startswith("payments.vole_") and not rules.is_played(
            rules.bids.of(path.rpartition(".")[2])
        ):
            continue
        if path.startswith("payments.vole_stake."):
            found[path] = 0
        elif path.startswith(("payments.vole_premium.", "payments.vole_lost.")):
            # a bid that is itself the vole is paid as a bid; not for both
            bid = path.rpartition(".")[2]
            of_bid = f"payments.premium.{bid}" if rules.bids.of(bid).is_vole else ""
            found |= (
                {path: 0, of_bid: checked(of_bid, typed)}
                if of_bid
                else {path: checked(path, typed)}
            )
    if not found:
        raise UsageError.of("vole-without-payment", profile=compiled.identity.profile)
    return found


def lost_pays(items: Sequence[str]) -> dict[str, Any]:
    """The rules by which a lost game pays these."""
    return {"loss.remise_pays": list(items), "loss.codille_pays": list(items)}


def lost_items(text: str, known: Sequence[str]) -> list[str]:
    """What a lost game pays, of ``known``; raises UsageError for anything else."""
    words = [word.strip().lower() for word in text.split(",") if word.strip()]
    if words in ([], ["nothing"]):
        return []
    for word in words:
        if word not in known:
            raise UsageError.of(
                "lost-game-cannot-pay", did_you_mean(word, (*known, "nothing")), word=word
            )
    return list(dict.fromkeys(words))


def _announcing(base: Compiled, settings: Mapping[str, Any]) -> str:
    """The plugin that lets a bid be made with a vole: found by what it does, since no name is known
    here."""
    for name in installed():
        try:
            compiled = compiled_with(base, (), Change(settings, (name,)))
        except QuadrilleError:
            continue  # of another game, or in conflict with what is there
        origins = {
            path: o for path, o in compiled.origins.items() if path.endswith(".vole_with_bid")
        }
        if any(o.link.name == name and o.value != "none" for o in origins.values()):
            return name
    raise UsageError.of("vole-not-announceable")


def plugins_of(text: str) -> Change:
    """The plugins that are added; raises UsageError for one that is not installed."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    if words == ["none"]:
        return Change()
    for word in words:
        if word not in installed():
            raise UsageError.of(
                "no-plugin", did_you_mean(word, installed(), what="plugins"), word=word
            )
    return Change(plugins=tuple(words))


def checked(path: str, text: str) -> Any:
    """A value typed for a rule; raises UsageError where the rule cannot have it."""
    value = parse_value(text)
    try:
        vocabulary.to_typed(vocabulary.leaf_at(path), value)
    except vocabulary.MismatchError as e:
        raise UsageError.of("value-refused", text=text, e=e.problem) from None
    return value
