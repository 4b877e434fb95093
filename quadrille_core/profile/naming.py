"""Names as printed and typed: which bid is meant by its id, its title or another name of it.

Accents, capitals, hyphens, underscores and blanks make no difference.  An id goes before a title of
the rules in force, and that before a name that texts use; the glossary lists those.  Records,
digests and all that is written keep ids.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any, Final, cast, get_args

from quadrille_core import resources
from quadrille_core.cards import Suit, format_suit, parse_suit
from quadrille_core.errors import DidYouMean, NotationError, did_you_mean
from quadrille_core.features import installed
from quadrille_core.profile.located import Located, LocatedMap
from quadrille_core.profile.yaml_strict import load_file
from quadrille_core.rules import Rules
from quadrille_core.vocabulary import Leaf, is_identifier, leaf_of, tries_at

_ACCENTS: Final = re.compile("[\u0300-\u036f]+")
_LETTERS: Final = str.maketrans({"œ": "oe", "ł": "l", "ø": "o", "đ": "d", "’": "'"})
"""What Unicode does not take apart, as it is typed without."""
_LONGEST: Final = 80
"""As much of a word as is compared."""


def folded(text: str) -> str:
    """A name as names are compared: small letters without accents, words joined by a hyphen."""
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS)))
    return re.sub(r"[-_\s]+", "-", plain).strip("-")


@cache
def glossary_file() -> Mapping[str, Any]:
    """The file of the glossary as plain data."""
    return cast("Mapping[str, Any]", load_file(resources.glossary()).to_plain())


@cache
def _also() -> Mapping[str, tuple[str, ...]]:
    """Other names of bids and suits by the folded word of the glossary, which is their id."""
    words = glossary_file()["game"].items()
    return {folded(word): tuple(entry.get("also", ())) for word, entry in words}


def titles_of(rules: Rules) -> dict[str, str]:
    """The titles of all bids of some rules, by id, from the lowest."""
    return {name: bid.title for name, bid in rules.bids.items()}


def meant(typed: str, titles: Mapping[str, str], *, begins: bool = False) -> tuple[str, ...]:
    """The ids of all bids that the word may mean; ``titles`` are the titles by id.

    Where nothing is called so and ``begins`` is true, those that have a name which begins so.
    """
    if typed in titles:
        return (typed,)
    wanted = folded(typed[:_LONGEST])
    ranks = (
        {bid: (bid, title) for bid, title in titles.items()},
        {bid: _also().get(folded(bid), ()) for bid in titles},
    )
    for names in ranks:
        if found := tuple(bid for bid in titles if wanted in map(folded, names[bid])):
            return found
    all_names = {bid: (bid, titles[bid], *ranks[1][bid]) for bid in titles}
    return tuple(
        bid
        for bid, names in all_names.items()
        if begins and wanted and any(folded(name).startswith(wanted) for name in names)
    )


def near(typed: str, titles: Mapping[str, str], *, what: str = "bids") -> DidYouMean | None:
    """The titles and ids nearest to a word that means none of these bids, or those that it may
    mean."""
    forms = {folded(name): name for names in (titles.values(), titles) for name in names}
    found = did_you_mean(folded(typed[:_LONGEST]), forms)
    if found is not None and found.words:
        return DidYouMean(typed, tuple(dict.fromkeys(forms[word] for word in found.words)))
    return did_you_mean(typed, titles, what=what)


def bid_named(typed: str, rules: Rules, *, begins: bool = False) -> str:
    """The id of the one bid of these rules that is meant, as by ``meant``; raises NotationError
    where none is, or several."""
    if typed in rules.bids.names():
        return typed
    titles = titles_of(rules)
    found = meant(typed, titles, begins=begins)
    if len(found) == 1:
        return found[0]
    if found:
        listed = " or ".join(f"{titles[bid]} ({bid})" for bid in found)
        raise NotationError.of("several-bids-meant", text=typed, bids=listed)
    raise NotationError.of("no-bid-of-these-rules", near(typed, titles), text=typed)


def path_with_ids(path: str, titles: Mapping[str, str]) -> str:
    """The path of a rule with the id of its bid, where that stands by another name of it."""
    steps = path.split(".")
    for i in range(1, len(steps)):
        above = tries_at(".".join(steps[:i]))
        if any("*" in below and steps[i] not in below for below in above):
            found = meant(steps[i], titles)
            if len(found) == 1:
                steps[i] = found[0]
    return ".".join(steps)


# --- files of rules -------------------------------------------------------------------------------


def with_ids(root: LocatedMap, of_parents: Callable[[], Mapping[str, str]]) -> None:
    """Give bids and suits of a profile's rules their ids, in place, where they stand by another
    name.

    ``of_parents`` gives the titles of the bids that the profile inherits; what means none, or
    several, or stands twice, stays as it is for the schema to refuse.
    """
    if not isinstance(rules := root.get("rules"), LocatedMap):
        return
    titles = _own_titles(rules)
    # a mechanic may bring a bid of its name
    inherited = cache(lambda: {name: name for name in installed()} | dict(of_parents()))
    waiting: list[tuple[str, LocatedMap]] = [("", rules)]
    while waiting:
        above, block = waiting.pop()
        for key in list(block.entries):
            is_bid = above and any("*" in below for below in tries_at(above))
            if is_bid and key not in titles:
                found = meant(key, {**inherited(), **titles})
                if len(found) == 1 and found[0] not in block.entries:
                    _rename(block, key, found[0])
        for key, node in block.entries.items():
            path = f"{above}.{key}" if above else key
            if isinstance(node, LocatedMap):
                waiting.append((path, node))
            elif (leaf := leaf_of(path)) is not None and isinstance(node, Located):
                block.entries[key] = _with_suit(leaf, node)


def _own_titles(rules: LocatedMap) -> dict[str, str]:
    """The titles of the bids that a file of rules itself brings, by id."""
    bids, found = rules.get("bids"), {}
    for key, bid in bids.items() if isinstance(bids, LocatedMap) else ():
        title = bid.get("title") if isinstance(bid, LocatedMap) else None
        if isinstance(title, Located) and isinstance(title.value, str) and is_identifier(key):
            found[key] = title.value
    return found


def _rename(block: LocatedMap, old: str, new: str) -> None:
    for mapping in (block.entries, block.keys):
        renamed: dict[str, Any] = {new if key == old else key: v for key, v in mapping.items()}
        mapping.clear()
        mapping.update(renamed)


def _with_suit(leaf: Leaf, node: Located) -> Located:
    """A value of a leaf that is a suit by the suit's id."""
    if Suit in (leaf.type, *get_args(leaf.type)) and isinstance(node.value, str):
        with suppress(NotationError):
            return replace(node, value=format_suit(parse_suit(node.value)))
    return node
