"""The prompt of `session deal`: asks what the rules in force need, and no more.

A question is put only where its answer can change what is paid or recorded: every answer that the
rest leaves open is settled by the rules themselves, and where all come to the same, or only one can
have been, nobody is asked.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import click

from quadrille_core.cards import PACK, SUITS, parse_suit
from quadrille_core.engine.terms import (
    asks_favourite,
    cards_exchanged,
    fixed_favourite,
    trump_limit,
)
from quadrille_core.errors import QuadrilleError, ResultError, UsageError, did_you_mean
from quadrille_core.facts import MOST_COUNTED
from quadrille_core.profile.naming import folded, meant, titles_of
from quadrille_plugins.ledger.answers import Table, comes_to
from quadrille_plugins.ledger.deriving import Derived
from quadrille_plugins.ledger.journal import Fact
from quadrille_plugins.settle.alone import may_be_alone
from quadrille_plugins.settle.answers import player_named
from quadrille_plugins.settle.by_options import SIDE
from quadrille_plugins.settle.result_file import ALONE
from quadrille_plugins.shell.fact_words import own_words
from quadrille_plugins.shell.values import if_any

PASSED: Final = "passed"
VOID: Final = "misdeal"
NOBODY: Final = "nobody"
_LATER: Final = ("matadors", "adversary_matadors", "premiers", "vole")
"""What is asked when contract, players and tricks are known, in this order."""

Read = Callable[[str], Any]
"""Reads an answer; raises a QuadrilleError that says why it will not do."""


def ask(table: Table, given: Mapping[str, Any]) -> Fact:
    """The deal as it is answered on the terminal; what is ``given`` is not asked."""
    return _Asking(table, given).ask()


class _Asking:
    """The questions of one deal, and the answers so far."""

    def __init__(self, table: Table, given: Mapping[str, Any]) -> None:
        self.table = table
        self.names = table.start.names
        self.data = dict(given)

    def ask(self) -> Fact:
        """Put every question that is needed, and return the deal."""
        others = [PASSED] if self.table.may_be_passed() else []
        if "contract" not in self.data:
            word = self._contract_or(*others, VOID)
            if word in (PASSED, VOID):
                note = self._put("Reason", _some_text) if word == VOID else ""
                self._incidents(played=False)
                return Fact("void" if word == VOID else "passed", self.data, note)
            self.data["contract"] = word
        self._suits_and_players()
        self._facts()
        self._tricks()
        for key in _LATER:
            self._if_it_matters(key)
        self._settle_the_rest()
        return Fact("result", self.data)

    # Questions.

    def _suits_and_players(self) -> None:
        rules, bid = self.table.rules, self.table.bid(self.data)
        if bid is None:  # given as an option, and no contract: the rules say so
            self.table.derive(self.data)
            return
        self._player("hombre", "Hombre (the bidder)")
        if self.table.start.favourite is None and asks_favourite(rules, bid):
            self._suit("favourite", "Favourite suit", SUITS)
        if bid.trump == "suit":
            word = self.data.get("favourite", self.table.start.favourite)
            favourite = parse_suit(word) if word else fixed_favourite(rules)
            free = [
                s
                for s in SUITS
                if trump_limit(rules, self._contract(), parse_suit(s), favourite) is None
            ]
            self._suit("trump", "Trumps", free)
        if bid.partner == "called":
            self._player("ally", "Ally", alone=may_be_alone(bid))
        if bid.exchange and (bid.partner == "none" or self.data.get("ally") != ALONE):
            self._givers(cards_exchanged(bid))

    def _givers(self, cards: int) -> None:
        """Ask who gave up the called card, or each of several."""
        if cards == 1:
            self._player("surrendered", "Who gave up the called card")
        elif "surrendered" not in self.data:
            each = []
            for place in range(1, cards + 1):
                self._player("surrendered", f"Who gave up called card {place} of {cards}")
                each.append(self.data.pop("surrendered"))
            self.data["surrendered"] = each

    def _contract_or(self, *others: str) -> str:
        """Ask for the contract, by any of its names, or for one of the other words."""
        choices = [*self.table.contracts(), *others]

        def read(text: str) -> str:
            titles = {n: t for n, t in titles_of(self.table.rules).items() if n in choices}
            found = [] if text in others else [*meant(text, titles)]
            return found[0] if len(found) == 1 else _one_of(text, choices)

        return str(self._put(f"Contract ({', '.join(choices)})", read))

    def _contract(self) -> str:
        bid = self.table.bid(self.data)
        return next(n for n in self.table.rules.bids.names() if self.table.rules.bids.of(n) is bid)

    def _tricks(self) -> None:
        if self.data.get("tricks"):
            return
        hombre, ally = self.data["hombre"], self.data.get("ally", ALONE)
        alone = ally == ALONE
        most = self.table.rules.table.hand_cards
        who = hombre if alone else f"{hombre} and {ally} together"
        made = self._number(f"Tricks of {who}", 0, most)
        self.data["tricks"] = {SIDE: made}
        if not alone and made and self._share_matters():
            own = self._number(f"Of these, tricks of {hombre}", 0, made)
            self.data["tricks"] = {hombre: own, ally: made - own}

    def _facts(self) -> None:
        """Ask for the facts on which payments may depend: they must be known to settle anything."""
        known = dict(self.data.get("facts", {}))
        for name in self.table.rules.own.recorded_facts():
            fact, word = self.table.rules.own.fact(name), own_words(name).capitalize()
            if name in known or fact.of_session:
                continue
            most = MOST_COUNTED if fact.own else len(PACK)
            if fact.of == "deal":
                known[name] = self._number(f"{word} ({fact.doc})", 0, most)
            elif fact.of_one:
                listed = f"{word} ({', '.join(self.names)})"
                who = self._put(listed, lambda text: player_named(text, self.names))
                known[name] = {who: 1}
            else:
                counts = {n: self._number(f"{word}: {n}", 0, most, 0) for n in self.names}
                known[name] = {n: many for n, many in counts.items() if many}
        if known:
            self.data["facts"] = known

    def _share_matters(self) -> bool:
        """Whether what is paid may depend on how Hombre and the ally shared their tricks."""
        made = self.data["tricks"][SIDE]
        hombre, ally = self.data["hombre"], self.data["ally"]
        found: dict[Any, set[Any]] = {}
        for own in range(made + 1):
            data = {**self.data, "tricks": {hombre: own, ally: made - own}}
            for answers, derived in self._open(data).items():
                found.setdefault(answers, set()).add((derived.outcome, derived.movements))
        return any(len(outcomes) > 1 for outcomes in found.values())

    def _if_it_matters(self, key: str) -> None:
        """Ask for a key unless every answer comes to the same, or only one can have been."""
        if key in self.data:
            return
        keys = [k for k in _LATER if k not in self.data]
        at = keys.index(key)
        found = self._open(self.data)
        if not found:
            return  # what is wrong is said when the deal is settled
        possible = list(dict.fromkeys(answers[at] for answers in found))
        if len(possible) == 1:
            self.data[key] = possible[0]
            return
        by_answer: dict[Any, set[object]] = {answer: set() for answer in possible}
        by_rest: dict[tuple[Any, ...], set[object]] = {}
        for answers, derived in found.items():
            for among in (
                by_answer[answers[at]],
                by_rest.setdefault((*answers[:at], *answers[at + 1 :]), set()),
            ):
                among.add(comes_to(derived))
        apart = any(outcomes != by_answer[possible[0]] for outcomes in by_answer.values())
        if not apart and all(len(outcomes) == 1 for outcomes in by_rest.values()):
            return
        if key == "premiers":
            first = self.table.rules.premiers.tricks
            self.data[key] = self._yes(
                f"Did Hombre’s side take the first {first} tricks (premiers)?"
            )
        elif key == "vole":
            self.data[key] = self._word("Vole", possible, default=possible[0])
        else:
            whose = "Hombre’s side" if key == "matadors" else "the adversaries"
            self.data[key] = self._number(f"Matadors of {whose}", 0, max(possible), default=0)

    def _open(self, data: Mapping[str, Any]) -> dict[tuple[Any, ...], Derived]:
        """What the deal comes to by every answer to the later questions that can have been."""
        keys = [k for k in _LATER if k not in data]
        found = {}
        for answers in itertools.product(*(self.table.choices(key, data) for key in keys)):
            whole = {**data, **dict(zip(keys, answers, strict=True))}
            try:
                found[answers] = self.table.derive(self.table.completed(whole))
            except ResultError:
                continue
        return found

    def _settle_the_rest(self) -> None:
        """Take what needed no question, and ask who did what has a price, and what was claimed in
        time."""
        self._incidents(played=True)
        found = self._open(self.data)
        if found:
            keys = [k for k in _LATER if k not in self.data]
            self.data |= dict(zip(keys, next(iter(found)), strict=True))
        self.data = self.table.completed(self.data)
        if "claims" not in self.data:
            earned = self.table.to_claim(self.data)
            claims = [item for item in earned if self._yes(f"Was {item} claimed in time?")]
            if claims:
                self.data["claims"] = claims

    def _incidents(self, *, played: bool) -> None:
        """Ask who did what has a price, unless it is given."""
        names = [] if "incidents" in self.data else self.table.incidents(played=played)
        questions = {n: f"Who is to pay for {n.replace('-', ' ').replace('_', ' ')}" for n in names}
        done = {
            n: who for n, q in questions.items() if (who := self._put(q, self._several, NOBODY))
        }
        self.data |= if_any(incidents=done)

    # Answers.

    def _put(self, question: str, read: Read, default: Any = None) -> Any:
        """Ask until the answer will do, with the reason where it will not."""
        while True:
            answer = click.prompt(question, default=default, type=str, err=True)
            try:
                return read(answer.strip())
            except QuadrilleError as e:
                problem = e.problems[0]
                click.echo(
                    f"{problem.message}" + (f" ({problem.help})" if problem.help else ""), err=True
                )

    def _word(self, question: str, choices: Sequence[str], default: str | None = None) -> str:
        return str(
            self._put(
                f"{question} ({', '.join(choices)})", lambda text: _one_of(text, choices), default
            )
        )

    def _yes(self, question: str) -> bool:
        word = self._put(f"{question} (yes, no)", lambda text: _one_of(text, ("yes", "no")), "no")
        return bool(word == "yes")

    def _number(self, question: str, low: int, high: int, default: int | None = None) -> int:
        def read(text: str) -> int:
            if not (
                text.isascii() and text.isdigit() and len(text) < 7 and low <= int(text) <= high
            ):
                raise UsageError.of("not-in-range", text=text, low=low, high=high)
            return int(text)

        return int(self._put(f"{question} ({low} to {high})", read, default))

    def _suit(self, key: str, question: str, choices: Sequence[str]) -> None:
        if key not in self.data:
            self.data[key] = self._word(question, choices)

    def _player(self, key: str, question: str, *, alone: bool = False) -> None:
        if key in self.data:
            return
        hombre = self.data.get("hombre") if key != "hombre" else None
        names = [name for name in self.names if name != hombre]

        def read(text: str) -> str:
            return (
                ALONE
                if alone and text.lower() == ALONE and ALONE not in names
                else player_named(text, names)
            )

        listed = ", ".join([*names, *([ALONE] if alone else [])])
        self.data[key] = self._put(f"{question} ({listed})", read)

    def _several(self, text: str) -> list[str]:
        if text.lower() == NOBODY:
            return []
        return [player_named(one, self.names) for one in text.split(",")]


def _one_of(text: str, choices: Sequence[str]) -> str:
    wanted = folded(text)
    exact = [c for c in choices if folded(c) == wanted]
    begins = [c for c in choices if wanted and folded(c).startswith(wanted)]
    if len(exact) == 1 or len(begins) == 1:
        return (exact or begins)[0]
    if begins:
        raise UsageError.of("several-words-begin-so", text=text, begins=" and ".join(begins))
    raise UsageError.of(
        "none-of-answers", did_you_mean(wanted, choices, what="type one of"), text=text
    )


def _some_text(text: str) -> str:
    if not text:
        raise UsageError.of("misdeal-without-reason")
    return text
