"""A whole rulebook: every section in order, terms glossed where they first occur."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from quadrille_core import resources, vocabulary
from quadrille_core.kinds import TRICKS
from quadrille_core.profile import load_file
from quadrille_core.ruleset import Compiled
from quadrille_plugins.output.values import listed, short_title
from quadrille_plugins.rulebook import at_table, bidding, one_player, paying, playing
from quadrille_plugins.rulebook.book import (
    Head,
    Paragraph,
    Reader,
    Section,
    Sentence,
    Texts,
    Writer,
    write,
)
from quadrille_plugins.rulebook.words import number

SECTIONS: Final[tuple[tuple[str, str, Writer], ...]] = (
    ("in_short", "The game in short", at_table.in_short),
    ("players", "Players and counters", at_table.players),
    ("cards", "The rank of the cards", at_table.ranking),
    ("deal", "The deal and the stakes", at_table.dealing),
    ("auction", "The auction", bidding.auction),
    ("bids", "The bids", bidding.the_bids),
    ("calling", "Calling a card", bidding.calling),
    ("favourite", "The favourite suit", bidding.favourite),
    ("play", "The play", playing.play),
    ("vole", "Premiers and the vole", playing.the_vole),
    ("ending", "Winning and losing", playing.ending),
    ("winning", "What a game won earns", paying.winning),
    ("losing", "What a game lost costs", paying.losing),
    ("vole_pay", "What the vole earns and costs", paying.vole_payments),
    ("several", "Games that count several times", paying.several_times),
    ("other", "Other payments", paying.other_payments),
)

PATIENCE: Final[tuple[tuple[str, str, Writer], ...]] = (
    ("one_player", "What is built", one_player.one_player),
    ("stock", "The stock and the heap", one_player.stock_and_heap),
)
PATIENCE_HAS: Final = "foundations.builds"
"""A rule that every patience has and no game of tricks."""

GLOSSARY: Final[Mapping[str, str]] = {
    "eldest hand": "the player on the dealer’s right",
    "pool": "the counters in the middle of the table",
    "hombre": "the player who undertakes the game",
    "vole": "all the tricks",
    "ally": "the partner for this one deal; the other players are the adversaries",
    "favourite suit": "a suit in which games are worth more",
    "premiers": "the first tricks in a row",
    "remise": "a game lost by little",
    "codille": "a game lost by more",
    "beast": "what a lost game adds to the pool",
}
"""What a term means, in a few words to stand behind it."""


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook."""

    compiled: Compiled
    sections: tuple[Section, ...]
    values: Mapping[str, Any]
    """Every rule by path."""

    def bids(self) -> frozenset[str]:
        """The bids that are played; none of a patience."""
        return frozenset(() if PATIENCE_HAS in self.values else Reader(self.values).played)

    def sentences(self) -> Iterator[tuple[Section, Paragraph, Sentence]]:
        """Every sentence with where it stands."""
        for section in self.sections:
            for paragraph in section.paragraphs:
                for sentence in paragraph.sentences:
                    yield section, paragraph, sentence


def written(values: Mapping[str, Any]) -> tuple[Section, ...]:
    """The sections on these rules, given as plain values by path."""
    reader = Reader(values)
    found = [
        Section(key, title, write(reader, writer(reader)))
        for key, title, writer in (PATIENCE if PATIENCE_HAS in values else SECTIONS)
    ]
    return tuple(section for section in found if section.paragraphs)


def compose(compiled: Compiled) -> Book:
    """The rulebook of a game of tricks or a patience; raises UsageError when the game is of another
    kind."""
    values = vocabulary.dump(compiled.game.rules)
    if PATIENCE_HAS not in values:
        compiled.game_of(TRICKS)
    reader = Reader(values)
    laws = Section("laws", "Irregularities and manners", write(reader, _laws(compiled, reader)))
    return Book(compiled, (*written(values), *([laws] if laws.paragraphs else [])), values)


# --- laws -------------------------------------------------------------------------------------


def _laws(compiled: Compiled, r: Reader) -> Texts:
    """What happens when something goes wrong: laws of plugins, and those that the sources print."""
    yield from paying.incidents(r)
    codes = resources.laws()
    for source in dict.fromkeys(w.source for w in compiled.witnesses.values()):
        if source not in codes:
            continue
        data: Any = load_file(codes[source]).to_plain()
        laws = data["laws"]
        by_hand = [law for law in laws if _for_people(law) and _has_occasion(law, r.values)]
        if not by_hand:
            continue
        yield Head(f"{source}.for")
        yield "others", _others(laws, short_title(compiled.sources[source]))
        text = " ".join(map(_law, by_hand))
        yield "words", " ".join(says for word, says in _LAW_WORDS.items() if word in text)
        yield "written_for", _written_for(r)
        for law in by_hand:
            yield Head(f"{source}.{law['law']}", _numbered(law["law"]))
            yield "law", _law(law)


def _law(law: Mapping[str, Any]) -> str:
    return str(law.get("emended", law.get("says")))


def _for_people(law: Mapping[str, Any]) -> bool:
    """Whether a law is listed: it asks people to judge, or speaks of a deal that goes wrong."""
    if law["kind"] in ("irregularity", "conduct"):
        return True
    return "clauses" in law and not any(path.startswith("bids.") for path in law["concerns"])


def _has_occasion(law: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Whether the rules have each value without which the law is about nothing; those of a bid all
    at one played."""
    where = law.get("where", {})
    bids = [
        path.split(".")[1]
        for path, value in values.items()
        if vocabulary.matches("bids.*.made", path) and value != "never"
    ]
    return not where or any(
        all(
            values.get(pattern.replace("bids.*", f"bids.{bid}")) == wanted
            for pattern, wanted in where.items()
        )
        for bid in bids
    )


def _numbered(law: int | str) -> str:
    """The heading of a law: its number, or the page of a passage that has none."""
    if isinstance(law, int):
        return f"Law {law}"
    copy = re.sub(r"^([a-z]) ([0-9]+)$", r"\2 (copy \1)", law.removeprefix("p. "))
    return f"Page {copy}"


def _others(laws: Sequence[Mapping[str, Any]], source: str) -> str:
    """Whose laws these are, and where the laws are that are not listed."""
    text = f"What to do when something goes wrong, and what manners ask. The source is {source}."
    if laws[-1]["law"] != len(laws):
        text += " Not all of what it has on them was read."
    rest = [str(law["law"]) for law in laws if isinstance(law["law"], int) and not _for_people(law)]
    if rest:
        text += (
            f" Those not given here (laws {listed(rest)}) speak of the bids, the play and the "
            "payments, for which the sections above hold."
        )
    return text


_LAW_WORDS: Final = {
    "beast": "To be beasted is to put a beast into the pool, as for a remise.",
    "may be called": "A card that may be called must be played when an adversary asks for it.",
    "renounce": "To renounce is to play another suit though one could follow.",
    "revoke": "To revoke is to play another suit though one could follow.",
}
"""The words of the laws that no section above has used."""


def _written_for(r: Reader) -> str:
    """For how many cards the laws were written, where that is not how many are dealt."""
    hand = r.knows("table.hand_cards")
    if hand == 10:
        return ""
    return (
        "These laws were written for hands of ten cards, dealt by threes and fours, of which six "
        "tricks win. Where one of them numbers packets, the cards of a hand or tricks, read the "
        f"numbers of this game instead, which has {number(hand)} cards to a hand."
    )


# --- terms ------------------------------------------------------------------------------------


class Glossing:
    """Explains every term where it first occurs, in the order in which texts are given."""

    def __init__(self) -> None:
        self._untold = list(GLOSSARY)

    def __call__(self, text: str) -> str:
        """The text, each term that occurs for the first time explained behind it."""
        for term in list(self._untold):
            found = re.search(rf"\b{term}\b(?![^(]*\))", text, re.IGNORECASE)
            if found:
                self._untold.remove(term)
                text = f"{text[: found.end()]} ({GLOSSARY[term]}){text[found.end() :]}"
        return typeset(text)


def typeset(text: str) -> str:
    """The text with apostrophes as they are printed."""
    return text.replace("'", "’")
