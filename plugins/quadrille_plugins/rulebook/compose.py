"""A whole rulebook: every section in order, terms glossed where they first occur, differences from
another book."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from quadrille_core import resources, vocabulary
from quadrille_core.frozen import frozen
from quadrille_core.kinds import TRICKS
from quadrille_core.profile import load_file
from quadrille_core.ruleset import Compiled
from quadrille_plugins.rulebook import (
    at_table,
    bidding,
    further,
    losing,
    one_player,
    paying,
    playing,
)
from quadrille_plugins.rulebook.book import (
    Draft,
    Paragraph,
    Reader,
    Section,
    Sentence,
    draft,
    write,
)
from quadrille_plugins.rulebook.words import number
from quadrille_plugins.shell.values import Json, listed, short_title

Writer = Callable[[Reader], Iterator[Draft]]


def _limits(r: Reader) -> Iterator[Draft]:
    yield from bidding.the_bids(r)
    yield draft("limits", bidding.limits)


SECTIONS: Final[tuple[tuple[str, str, Writer], ...]] = (
    ("in_short", "The game in short", at_table.in_short),
    ("players", "Players and counters", at_table.players),
    ("cards", "The rank of the cards", at_table.ranking),
    ("deal", "The deal and the stakes", at_table.dealing),
    ("auction", "The auction", bidding.auction),
    ("bids", "The bids", _limits),
    ("calling", "Calling a card", bidding.calling),
    ("favourite", "The favourite suit", bidding.favourite),
    ("play", "The play", playing.play),
    ("vole", "Premiers and the vole", playing.the_vole),
    ("ending", "Winning and losing", playing.ending),
    ("winning", "What a game won earns", paying.winning),
    ("losing", "What a game lost costs", losing.losing),
    ("vole_pay", "What the vole earns and costs", further.vole_payments),
    ("several", "Games that count several times", further.several_times),
    ("other", "Other payments", further.other_payments),
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

_TERMS: Final = {term: re.compile(rf"\b{term}\b", re.IGNORECASE) for term in GLOSSARY}


@frozen
class Book:
    """A rulebook."""

    compiled: Compiled
    sections: tuple[Section, ...]
    values: Json
    """Every rule by path."""

    def bids(self) -> frozenset[str]:
        """The bids that are played; none of a patience."""
        return (
            frozenset() if PATIENCE_HAS in self.values else frozenset(Reader(self.values).played())
        )

    def sentences(self) -> Iterator[tuple[Section, Paragraph, Sentence]]:
        """Every sentence with where it stands."""
        for section in self.sections:
            for paragraph in section.paragraphs:
                for sentence in paragraph.sentences:
                    yield section, paragraph, sentence


def written(values: Json) -> tuple[Section, ...]:
    """The sections on these rules, given as plain values by path."""
    reader = Reader(values)
    found = []
    for key, title, writer in PATIENCE if PATIENCE_HAS in values else SECTIONS:
        paragraphs = write(reader, writer(reader))
        if paragraphs:
            found.append(Section(key, title, paragraphs))
    return tuple(found)


def compose(compiled: Compiled) -> Book:
    """The rulebook of a game of tricks or a patience; raises UsageError when the game is of another
    kind."""
    values = vocabulary.dump(compiled.game.rules)
    if PATIENCE_HAS not in values:
        compiled.game_of(TRICKS)
    sections = [*written(values), *_laws(compiled, values)]
    return Book(compiled, tuple(sections), values)


def _laws(compiled: Compiled, values: Json) -> Iterator[Section]:
    """What happens when something goes wrong: laws of plugins, and those that the sources print."""
    reader = Reader(values)
    own = write(reader, iter([draft("incidents", further.incidents)]))
    printed: list[Paragraph] = []
    codes = resources.laws()
    for source in dict.fromkeys(w.source for w in compiled.witnesses.values()):
        if source in codes:
            data: Any = load_file(codes[source]).to_plain()
            by_hand = [
                law for law in data["laws"] if _for_people(law) and _has_occasion(law, values)
            ]
            if not by_hand:
                continue
            drafts = [
                draft(f"{source}.{law['law']}", partial(_law, law), head=_numbered(law["law"]))
                for law in by_hand
            ]
            writers = (
                partial(_others, data["laws"], short_title(compiled.sources[source])),
                partial(_words, by_hand),
            )
            lead = draft(f"{source}.for", *writers, _written_for)
            printed += write(reader, iter([lead, *drafts]))
    if own or printed:
        yield Section("laws", "Irregularities and manners", (*own, *printed))


def _for_people(law: Json) -> bool:
    """Whether a law is listed: it asks people to judge, or speaks of a deal that goes wrong."""
    if law["kind"] in ("irregularity", "conduct"):
        return True
    return "clauses" in law and not any(path.startswith("bids.") for path in law["concerns"])


def _has_occasion(law: Json, values: Json) -> bool:
    """Whether the rules have each value without which the law is about nothing; those of a bid all
    at one played."""
    where = law.get("where", {})
    made = {
        path: value for path, value in values.items() if vocabulary.matches("bids.*.made", path)
    }
    bids = [path.split(".")[1] for path, value in made.items() if value != "never"]
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
    copy = re.fullmatch(r"([a-z]) (\d+)", law)
    return f"Page {copy[2]} (copy {copy[1]})" if copy else f"Page {law.removeprefix('p. ')}"


def _others(laws: Sequence[Json], source: str, r: Reader) -> str:
    """Whose laws these are, and where the laws are that are not listed."""
    del r
    rest = [law["law"] for law in laws if isinstance(law["law"], int) and not _for_people(law)]
    text = f"What to do when something goes wrong, and what manners ask. The source is {source}."
    if laws[-1]["law"] != len(laws):
        if not rest:
            return f"{text} Not all of what it has on them was read."
        return (
            f"{text} Not all its laws were read. Those not given here (laws {_ranges(rest)}) "
            "speak of the bids, the play and the payments, for which the sections above hold."
        )
    if not rest:
        return text
    return (
        f"{text} It has {number(len(laws))} laws. The {number(len(rest))} that are not given "
        f"here (laws {_ranges(rest)}) speak of the bids, the play and the payments, for which "
        "the sections above hold."
    )


def _ranges(numbers: Sequence[int]) -> str:
    """``5, 7 to 10 and 12``."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    return listed(
        text
        for run in runs
        for text in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(n) for n in run])
    )


_LAW_WORDS: Final = {
    "beast": "To be beasted is to put a beast into the pool, as for a remise.",
    "may be called": "A card that may be called must be played when an adversary asks for it.",
    "renounce": "To renounce is to play another suit though one could follow.",
    "revoke": "To revoke is to play another suit though one could follow.",
}


def _words(laws: Sequence[Json], r: Reader) -> str:
    """The words of the laws that no section above has used."""
    text = " ".join(_law(law, r) for law in laws)
    found = [says for word, says in _LAW_WORDS.items() if word in text]
    if "renounce" in text and "revoke" in text:
        found = [
            *found[:-2],
            "To renounce, or revoke, is to play another suit though one could follow.",
        ]
    return " ".join(found)


def _written_for(r: Reader) -> str:
    """For how many cards the laws were written, where that is not how many are dealt."""
    if r("table.hand_cards") == 10:
        return ""
    hand = r.knows("table.hand_cards")
    wins = sorted({number(r.of(b, "tricks")) for b in r.played() if r.of(b, "goal") == "at_least"})
    goal = f", and {listed(wins, 'or')} tricks to win" if wins else ""
    return (
        "These laws were written for hands of ten cards, dealt by threes and fours, of which six "
        "tricks win. Where one of them numbers packets, the cards of a hand or tricks, read the "
        f"numbers of this game instead: the packets given above, {number(hand)} cards to a hand "
        f"(one too many is {number(hand + 1)}){goal}."
    )


def _law(law: Json, r: Reader) -> str:
    del r
    return str(law.get("emended", law.get("says")))


# --- terms ------------------------------------------------------------------------------------


class Glossing:
    """Explains every term where it first occurs, in the order in which texts are given."""

    def __init__(self, *, told: bool = False) -> None:
        self._untold = {} if told else dict(_TERMS)

    def __call__(self, text: str) -> str:
        """The text, each term that occurs for the first time explained behind it."""
        found = {
            term: one for term, pattern in self._untold.items() if (one := pattern.search(text))
        }
        for term, one in sorted(found.items(), key=lambda pair: -pair[1].end()):
            del self._untold[term]
            text = f"{text[: one.end()]} ({GLOSSARY[term]}){text[one.end() :]}"
        return typeset(text)


def typeset(text: str) -> str:
    """The text with apostrophes as they are printed."""
    return text.replace("'", "’")
