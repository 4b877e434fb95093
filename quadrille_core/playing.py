"""The part of the vocabulary on how tricks are played; ``rules`` holds all of it."""

from dataclasses import dataclass
from typing import Literal

from quadrille_core.cards import Card, Suit
from quadrille_core.leaves import leaf

GameItem = Literal["premium", "matadors", "premiers", "game", "consolation", "allied"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WithholdCell:
    """One exception to the forcing rule: under this trump, after this card, may that card be
    withheld."""

    trump: Suit = leaf("The trump suit, or none.")
    after: Card = leaf("The card led or played before.")
    card: Card = leaf("The card that may or may not be withheld.")
    allowed: bool = leaf("Whether it may be withheld.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Forcing:
    """When a matador may be withheld from a trick to which trumps were led."""

    renege: Literal["allowed", "barred"] = leaf(
        "Whether matadors may be withheld from a trump lead at all."
    )
    forced_by: Literal["led", "played"] = leaf(
        "Which superior matador forces an inferior one: one that was led, or one played at any "
        "point of the trick."
    )
    among_several: Literal["any_trump", "alternative_excuses", "inferior_only"] = leaf(
        "Holding several matadors of which a superior forces only some: play any of them; none "
        "is forced while another could serve as the alternative; or a forced one must be played."
    )
    at_no_trump: Literal["privileged", "ordinary"] = leaf(
        "Whether the two black aces keep the privilege where there is no trump suit.",
        default="privileged",
    )
    exceptions: tuple[WithholdCell, ...] = leaf(
        "Single cases decided differently, tabulated from a plugin; each says trump, card, and "
        "what may be withheld.",
        default=(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """How tricks are played."""

    first_lead: Literal["eldest", "hombre"] = leaf("Who leads to the first trick.")
    claim_won: bool = leaf(
        "Whether Hombre's side, on lead with the game's tricks made in whatever order, may end "
        "the play.",
        default=False,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Premiers:
    """The first tricks won without a break."""

    tricks: int = leaf("How many tricks from the first make premiers.", low=1, high=10)
    claim: bool = leaf(
        "Whether a side that has made premiers and won its game may end the play instead of "
        "playing for the vole."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Vole:
    """All the tricks, undertaken in the play or announced in the auction."""

    consultation: Literal["ask", "ask_or_declare", "silent"] = leaf(
        "How allies agree on the vole: the one on lead asks and the other answers; or may also "
        "declare it unasked; or decides without a word, by leading on or not.",
        default="ask",
    )
    ally_known: Literal["by_speaking", "beforehand"] = leaf(
        "When allies decide on the vole, from when the ally is known: by what is said of it, or "
        "beforehand, that is as soon as premiers are made, and before the first lead if Hombre "
        "asks.",
        default="by_speaking",
    )
    waits_for_ally: bool = leaf(
        "Whether allies undertake the vole only once the called card has been played: until then "
        "they play on without gain or penalty.",
        default=False,
    )
    alone_decides: bool = leaf(
        "Whether Hombre may play for the vole without asking the ally when all of the first "
        "tricks are Hombre's own.",
        default=False,
    )
    stake_in: Literal["units", "counters"] = leaf(
        "Whether each player's share of the vole pool is counted in units or in plain counters.",
        default="units",
    )
    undertaken_failed_premium: bool = leaf(
        "Whether a vole undertaken and lost costs the vole's premium, besides its pool.",
        default=False,
    )
    undertaken_failed_paid: Literal["as_received", "once_each"] = leaf(
        "To whom allies owe that premium: to every adversary who would have paid them, or to "
        "each adversary once.",
        default="as_received",
    )
    undertaken_failed_borne: Literal["allies", "as_game"] = leaf(
        "Who owes the premium of a vole that allies undertook and lost: both, who agreed on it; "
        "or whoever would bear the game's loss.",
        default="allies",
    )
    undertaken_failed_keeps: tuple[GameItem, ...] = leaf(
        "Which items of a game that was won are still paid when the vole undertaken in it was "
        "lost.",
        default=("premium", "matadors", "premiers"),
    )
    announced_until: Literal["auction", "first_lead"] = leaf(
        "Until when the vole may be announced: with a bid in the auction, or so and by Hombre "
        "until the first lead.",
        default="auction",
    )
    announced_failed: Literal["stake_frozen", "game_lost"] = leaf(
        "What a vole announced and missed with the game's tricks made does to the game: the pool "
        "is left standing and nothing of the game is paid, or the whole game is lost as a remise.",
        default="stake_frozen",
    )
    announced_failed_premium: bool = leaf(
        "Whether a vole announced and lost costs the vole's premium, besides its pool.",
        default=False,
    )
    announced_below_game: Literal["remise", "by_tricks"] = leaf(
        "How a game is lost when a vole was announced and not even the game's tricks were made.",
        default="remise",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Favourite:
    """The favourite suit, or suit of preference."""

    source: Literal["none", "fixed", "first_trumps", "drawn_each_session", "drawn_each_deal"] = (
        leaf(
            "Which suit is favourite: none, a fixed one, the trumps of the session's first deal "
            "that had any, or one drawn for each session or each deal.",
            default="none",
        )
    )
    suit: Suit | None = leaf("The favourite suit where it is fixed.", default=None)
    doubles: Literal["bonuses", "game"] = leaf(
        "What is doubled in the favourite suit: the payments between players, by a table of "
        "their own, or the whole game, as a game that counts double.",
        default="bonuses",
    )
    overcalls: bool = leaf(
        "Whether a bid in favourite overcalls the same bid in another suit.", default=False
    )
    plain_bid_binds: bool = leaf(
        "Whether a bid not made in favourite bars its maker from naming the favourite suit trumps.",
        default=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What the player who gives up the called card pays and receives."""

    giver_pays_premium: bool = leaf(
        "Whether the giver pays Hombre the bid's premium when Hombre wins.", default=True
    )
    giver_receives_premium: bool = leaf(
        "Whether the giver gets the bid's premium when Hombre loses.", default=True
    )
