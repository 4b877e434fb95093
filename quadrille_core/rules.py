"""The vocabulary of the rules: what a rule set can say, as frozen dataclasses.

Every field that is not itself a block is a *leaf*: one rule with one value and one description.
The description written here feeds the JSON Schema, the editor's hover, the docs and ``explain``.
A leaf with a default has a *neutral* value, which stands where no source mentions the mechanic.

Amounts are ``Fraction``; one *unit* is what ``stakes.unit`` says.  Seats count from the eldest hand
(0) to the dealer (last).
"""

from collections.abc import Iterator
from dataclasses import MISSING, field
from fractions import Fraction
from typing import Any, Generic, Literal, TypeVar

from quadrille_core.cards import Card, Suit
from quadrille_core.frozen import frozen, frozen_by_keyword
from quadrille_core.plugin_rules import ForcedBid, PluginRules

T = TypeVar("T")


def leaf(
    doc: str, *, default: Any = MISSING, low: int | None = None, high: int | None = None
) -> Any:
    """A field of the vocabulary: its description, its neutral value, and bounds for numbers."""
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@frozen
class PerBid(Generic[T]):
    """A block with one entry for each bid, keyed by the bid's identifier, in the profile's
    order."""

    rows: tuple[tuple[str, T], ...] = ()

    def of(self, bid: str) -> T:
        """The entry of that bid; raises KeyError when there is none."""
        for name, value in self.rows:
            if name == bid:
                return value
        raise KeyError(bid)

    def get(self, bid: str, default: T) -> T:
        """The entry of that bid, or the default."""
        return next((value for name, value in self.rows if name == bid), default)

    def names(self) -> tuple[str, ...]:
        """The bids that have an entry."""
        return tuple(name for name, _ in self.rows)

    def items(self) -> Iterator[tuple[str, T]]:
        """Pairs of bid identifier and entry."""
        return iter(self.rows)


VoleLevel = Literal["none", "undertaken", "announced", "revealed"]
PayItem = Literal["premium", "matadors", "premiers", "vole", "game", "consolation", "allied"]
OddCounters = Literal["exact", "hombre", "eldest", "pool"]


GameItem = Literal["premium", "matadors", "premiers", "game", "consolation", "allied"]


@frozen_by_keyword
class WithholdCell:
    """One exception to the forcing rule: under this trump, after this card, may that card be
    withheld."""

    trump: Suit = leaf("The trump suit, or none.")
    after: Card = leaf("The card led or played before.")
    card: Card = leaf("The card that may or may not be withheld.")
    allowed: bool = leaf("Whether it may be withheld.")


@frozen_by_keyword
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


@frozen_by_keyword
class Play:
    """How tricks are played."""

    first_lead: Literal["eldest", "hombre"] = leaf("Who leads to the first trick.")
    claim_won: bool = leaf(
        "Whether Hombre's side, on lead with the game's tricks made in whatever order, may end "
        "the play.",
        default=False,
    )


@frozen_by_keyword
class Premiers:
    """The first tricks won without a break."""

    tricks: int = leaf("How many tricks from the first make premiers.", low=1, high=10)
    claim: bool = leaf(
        "Whether a side that has made premiers and won its game may end the play instead of "
        "playing for the vole."
    )


@frozen_by_keyword
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
    undertaken_failed_takers: Literal["side", "adversaries"] = leaf(
        "Who draws the pool and is paid those items when the game was won and the vole undertaken "
        "in it was lost: Hombre's side, or the adversaries, from whoever owes the premium of the "
        "vole. Where points are written nobody but Hombre's side is.",
        default="side",
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
    announced_lost_pays: Literal["as_lost", "game_alone"] = leaf(
        "What a game lost with a vole that was announced pays, besides the vole and what it adds "
        "to the pool: what any game so lost pays, or the game (payments.game) alone.",
        default="as_lost",
    )


@frozen_by_keyword
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


@frozen_by_keyword
class Exchange:
    """What the player who gives up the called card pays and receives."""

    giver_pays_premium: bool = leaf(
        "Whether the giver pays Hombre the bid's premium when Hombre wins.", default=True
    )
    giver_receives_premium: bool = leaf(
        "Whether the giver gets the bid's premium when Hombre loses.", default=True
    )


@frozen_by_keyword
class Coin:
    """One kind of counter: its names, its worth in the smallest, and how many each player begins
    with."""

    one: str = leaf("What one is called.", high=30)
    many: str = leaf("What several are called.", high=30)
    worth: int = leaf("How many of the smallest it is worth.", low=1, high=1_000_000)
    each: int = leaf("How many each player starts with.", low=0, high=1_000_000)


@frozen_by_keyword
class Seating:
    """Who sits down, for how long, with what."""

    players: int = leaf("How many play; the whole pack is dealt to them.", low=4, high=5)
    hand_cards: int = leaf(
        "Cards dealt to each player, which is also the number of tricks.", low=8, high=10
    )
    session_deals: int = leaf("Deals in a full session.", low=1, high=1000)
    session_multiple: int = leaf("A session's deals must be a multiple of this.", low=1, high=40)
    purse: int = leaf("Counters each player starts a session with.", low=0, high=1_000_000)
    coins: tuple[Coin, ...] = leaf(
        "The kinds of counters, the smallest first: the name of one and of many, the worth of "
        "one in the smallest, and how many each player starts with. Without any, all counters "
        "are plain and alike.",
        default=(),
    )
    purse_empty: Literal["debt", "refill", "session_ends"] = leaf(
        "What follows when a deal leaves a player with less than nothing: a debt, and play goes "
        "on; another purse from the box, or as many as it takes; or the end of the session.",
        default="debt",
    )


@frozen_by_keyword
class CardOrder:
    """How the cards rank."""

    red_plain_ace: Literal["top", "below_knave"] = leaf(
        "Where the ace of a red suit ranks when the suit is not trumps: above the king, or below "
        "the knave."
    )
    black_ponto: Literal["none", "king"] = leaf(
        "Which card is called ponto when a black suit is trumps: none, or its king."
    )


@frozen_by_keyword
class Dealing:
    """How the cards are dealt."""

    packets: tuple[tuple[int, ...], ...] = leaf(
        "The packets a dealer may deal by, each a list of cards per round; the dealer chooses "
        "among them."
    )


@frozen_by_keyword
class Stakes:
    """What goes into the pool before each deal, and what a unit is."""

    ante_by: Literal["each", "dealer"] = leaf(
        "Who stakes before each deal: each player, or the dealer alone."
    )
    ante: int = leaf("Counters that each who stakes puts in.", low=0, high=10_000)
    dealer_adds: int = leaf(
        "Counters that the dealer puts in besides.", default=0, low=0, high=10_000
    )
    unit_of: Literal["stake", "constant"] = leaf(
        "Whether a unit is a share of the stake now in the pool, carried stakes included, or a "
        "constant."
    )
    unit: Fraction = leaf(
        "The size of a unit: a share of the stake (unit_of: stake), or a number of counters "
        "(unit_of: constant).",
        low=0,
        high=10_000,
    )
    unit_rounding: Literal["exact", "down", "up", "nearest"] = leaf(
        "What becomes of a unit that is no whole number of counters; nearest rounds a half up."
    )
    odd_counters: OddCounters = leaf(
        "What becomes of counters that are over when a pool or a penalty is divided: divided "
        "too, in fractions; to Hombre or by Hombre (where Hombre has no part, by the eldest); a "
        "counter each from the eldest on; or left in the pool, and not paid. What allies halve "
        "between them is not divided by it (payments.allies_paid).",
        default="exact",
    )


@frozen_by_keyword
class Bidding:
    """How bids meet."""

    elder_may_raise: Literal["by_priority", "to_solo", "if_forced", "only_higher", "never"] = leaf(
        "Whether a bidder who has been overcalled may bid again: higher, and matching a younger "
        "hand's bid by the elder's priority; higher, and matching a solo so after a bid with an "
        "ally; the same, but whoever bid with an ally plays alone only against another who "
        "would; higher only; or not at all."
    )
    passed_may_return: bool = leaf(
        "Whether a player who passed and holds the card that is played when all pass may bid "
        "against a later bid.",
        default=False,
    )
    unasked_trumps: Literal["barred", "played_alone"] = leaf(
        "Whether trumps may be named in the auction without a bid: no, or as a solo, which is "
        "the lowest bid with an ally when all others have passed and the youngest names them.",
        default="barred",
    )
    all_pass: Literal["forced_bid", "redeal"] = leaf(
        "What follows when all pass: the bid that is forced on someone, or a new deal with the "
        "pool left standing."
    )
    announced_vole_rank: Literal["own_bid", "highest"] = leaf(
        "What a bid with the vole announced overcalls: the same bid without it, or every bid "
        "without it.",
        default="own_bid",
    )


@frozen_by_keyword
class Call:
    """Which card may be called, by a bid that calls one."""

    queen_when: Literal["never", "four_kings", "three_plain_kings", "always"] = leaf(
        "When a queen may be called instead of a king: never, holding all four kings, holding all "
        "three kings that are not trumps, or whenever one likes.",
        default="never",
    )
    own_card: Literal["never", "four_kings", "always"] = leaf(
        "Whether the called card may be Hombre's own, so that Hombre plays alone in secret.",
        default="never",
    )
    trump_suit: Literal["barred", "kings", "any"] = leaf(
        "Whether a card of the trump suit may be called: no, its king only, or its king and queen.",
        default="barred",
    )
    suit_may_become_trump: bool = leaf(
        "Where the call comes before trumps: whether the called card's suit may then be made "
        "trumps.",
        default=False,
    )
    fallback: Literal["trump_king", "queen", "own_king"] = leaf(
        "What may be called when the other rules leave nothing to call.", default="trump_king"
    )


@frozen_by_keyword
class Bid:
    """One contract of the ladder."""

    title: str = leaf("The bid's name in print.")
    rank: int = leaf(
        "Its place on the ladder; a higher rank overcalls a lower. Two bids may not share one.",
        low=0,
        high=99,
    )
    made: Literal["in_turn", "when_all_pass", "never"] = leaf(
        "Whether players bid it in turn, it falls on somebody when all have "
        "passed, or it is not played at this table.",
        default="in_turn",
    )
    forced_on: Card | None = leaf(
        "The card whose holder must play it when all have passed.", default=None
    )
    closes_auction: bool = leaf(
        "Whether the first player to make this bid ends the auction at once.", default=False
    )
    needs: tuple[Card, ...] = leaf("Cards that the bidder must hold.", default=())
    shows: Literal["nothing", "with_bid", "after_auction"] = leaf(
        "When the cards that the bid needs are laid open on the table.", default="nothing"
    )
    goal: Literal["at_least", "all", "none"] = leaf(
        "What Hombre's side undertakes: to make a number of tricks, all of them, or none."
    )
    tricks: int = leaf(
        "The tricks that win the game; with goal all, those that decide how a missed vole is paid.",
        low=0,
        high=10,
    )
    trump: Literal["suit", "none"] = leaf(
        "Whether a trump suit is named, or the two black aces alone form a suit of trumps.",
        default="suit",
    )
    trump_by: Literal["hombre", "ally", "hombre_or_ally"] = leaf(
        "Who names trumps: Hombre, the ally, or the ally if Hombre invites it.", default="hombre"
    )
    trump_when: Literal["before_call", "after_call", "after_exchange"] = leaf(
        "When trumps are named: before a card is called, after it, or after cards have been "
        "exchanged.",
        default="before_call",
    )
    partner: Literal["none", "called"] = leaf(
        "Whether Hombre plays alone, or with the holder of the called card.", default="none"
    )
    ally_known: Literal["when_played", "at_once"] = leaf(
        "When the ally is known: when the called card is played, or as soon as it is called.",
        default="when_played",
    )
    exchange: bool = leaf(
        "Whether the called card is handed to Hombre in exchange for any of Hombre's cards; of "
        "several, cards_asked says how many.",
        default=False,
    )
    cards_asked: int = leaf(
        "Where cards are exchanged: how many are called, each handed over for a card of Hombre's; "
        "payments.king is paid for each.",
        default=1,
        low=1,
        high=4,
    )
    call: Call = field(default_factory=Call)
    premiers: bool = leaf(
        "Whether the first tricks, taken without a break, earn premiers.", default=True
    )
    may_undertake_vole: bool = leaf(
        "Whether the vole may be undertaken by leading to the trick after premiers.", default=True
    )
    vole_with_bid: Literal["none", "announced", "announced_or_revealed"] = leaf(
        "Whether the vole may be announced with this bid, or announced and also revealed.",
        default="none",
    )
    vole_before_lead: bool = leaf(
        "Where the vole may be announced until the first lead (vole.announced_until): whether "
        "Hombre may so announce it when the auction is over, trumps are named and the ally is "
        "called.",
        default=False,
    )
    is_vole: bool = leaf("Whether the bid is itself an announcement of the vole.", default=False)
    in_favourite: Literal["bid", "by_trump"] = leaf(
        "With a favourite suit: whether the bid says that it is in favourite, or the trumps "
        "named later decide.",
        default="bid",
    )
    matadors: Literal["all", "double_only", "favourite_or_vole", "none"] = leaf(
        "Which matadors are paid at this bid: three and four; four only, and never on top of "
        "three; three and four, but only in favourite or where the vole is made; or none.",
        default="all",
    )
    ends_when_lost: bool = leaf(
        "At a game of no tricks: whether the play ends as soon as Hombre's side has made one.",
        default=False,
    )
    lost_as: Literal["by_tricks", "remise"] = leaf(
        "Whether a lost game is a remise or a codille by the tricks made, or always a remise.",
        default="by_tricks",
    )
    loss_borne: Literal["hombre", "shared", "shared_if_hombre_made"] = leaf(
        "Who bears a lost game: Hombre, both allies, or both unless too few tricks were Hombre's "
        "own.",
        default="hombre",
    )
    pool_penalty: Literal["hombre", "as_borne", "each_in_full"] = leaf(
        "Who puts in what a lost game adds to the pool: Hombre alone; in equal parts whoever "
        "bears the loss; or all of it from each who bears the loss.",
        default="hombre",
    )
    claimed: tuple[PayItem, ...] = leaf(
        "Items that Hombre's side must claim before the next deal is dealt: what is won and not "
        "claimed is not paid.",
        default=(),
    )
    draws: int = leaf(
        "Counters that a game won draws from the pool, as far as it holds them; 0: all of it.",
        default=0,
        low=0,
        high=10_000,
    )
    hombre_least_tricks: int = leaf(
        "How many tricks must be Hombre's own if the ally is to share the loss (loss_borne: "
        "shared_if_hombre_made).",
        default=0,
        low=0,
        high=10,
    )
    ally_exempt_tricks: int = leaf(
        "An ally who made at least this many tricks bears no part of a lost game; with 0 nobody "
        "is exempt by tricks.",
        default=0,
        low=0,
        high=10,
    )


@frozen_by_keyword
class MatadorRows:
    """What matadors earn, in units."""

    three: Fraction = leaf("Units for the three matadors.", low=0, high=1000)
    four: Fraction = leaf("Units for the four top trumps.", low=0, high=1000)


@frozen_by_keyword
class VoleRows:
    """An amount for each way to play for the vole, bid by bid."""

    undertaken: PerBid[Fraction] = field(default_factory=PerBid)
    announced: PerBid[Fraction] = field(default_factory=PerBid)
    revealed: PerBid[Fraction] = field(default_factory=PerBid)


@frozen_by_keyword
class PaymentTable:
    """The amounts, in units, that each adversary pays or receives."""

    premium: PerBid[Fraction] = field(default_factory=PerBid)
    matadors: MatadorRows
    premiers: Fraction = leaf("Units for premiers.", low=0, high=1000)
    game: Fraction = leaf(
        "Units for the game itself, apart from its premium, whatever the contract.",
        default=Fraction(0),
        low=0,
        high=1000,
    )
    consolation: Fraction = leaf(
        "Units for the consolation, which whoever wins has of the losers, whatever the contract.",
        default=Fraction(0),
        low=0,
        high=1000,
    )
    allied: Fraction = leaf(
        "Units besides for a game played with an ally.", default=Fraction(0), low=0, high=1000
    )
    vole_premium: VoleRows = field(default_factory=VoleRows)
    vole_stake: VoleRows = field(default_factory=VoleRows)
    vole_lost: PerBid[Fraction] = field(default_factory=PerBid)
    king: Fraction = leaf(
        "Units that Hombre pays whoever gave up the called card.",
        default=Fraction(0),
        low=0,
        high=1000,
    )
    fund_game: PerBid[Fraction] = field(default_factory=PerBid)
    fund_vole: PerBid[Fraction] = field(default_factory=PerBid)
    fund_vole_stakes: PerBid[Fraction] = field(default_factory=PerBid)
    fund_codille: PerBid[Fraction] = field(default_factory=PerBid)


@frozen_by_keyword
class Payments(PaymentTable):
    """Who pays what to whom when a game is won; the amounts in favourite stand in a table of their
    own."""

    in_favourite: PaymentTable | None = None
    odd_half: Literal["by_turns", "hombre"] = leaf(
        "Whose the odd counter is where allies halve what each adversary pays or gets: Hombre's "
        "with one adversary and the ally's with the next, by turns; or Hombre's with each.",
        default="by_turns",
    )
    allies_paid: Literal[
        "one_to_one", "each_opponent_each_ally", "all_others_to_hombre", "once_and_halved"
    ] = leaf(
        "How allies are paid: each by one opponent, each by every opponent, Hombre alone by "
        "every other player, or both by every opponent, who pays once and is halved between "
        "them, an odd counter going to Hombre."
    )
    pool_to: Literal["allies", "hombre"] = leaf(
        "Who takes the pool when allies win: both equally, or Hombre alone."
    )
    matadors_held_by: Literal["side", "hombre"] = leaf(
        "In whose hands matadors must have been: anywhere on Hombre's side, or in Hombre's own "
        "hand."
    )
    adversaries_matadors: Literal["not_paid", "to_holders", "to_winners"] = leaf(
        "Whether matadors that the adversaries hold between them are paid: no, to them however "
        "the game ends, or to whoever wins it, as Hombre's are.",
        default="not_paid",
    )
    premiers_won_by: Literal["side", "hombre"] = leaf(
        "Who must have won the first tricks for premiers to be paid: anyone of Hombre's side, or "
        "only Hombre.",
        default="side",
    )
    matadors_counted: Literal["as_dealt", "as_played"] = leaf(
        "Whether matadors count as dealt, or as held after cards were exchanged."
    )
    matadors_four_in_black: bool = leaf("Whether four top trumps are paid when trumps are black.")
    matadors_cumulative: bool = leaf(
        "Whether four matadors are paid on top of three, rather than instead."
    )
    matadors_past_four: Literal["not_paid", "as_the_fourth"] = leaf(
        "What each trump that follows the four without a gap earns: nothing, or as much as the "
        "fourth adds to three.",
        default="not_paid",
    )
    own_card_premium: bool = leaf(
        "Whether a game played alone by calling one's own card earns, or costs, the premium of a "
        "solo.",
        default=False,
    )


@frozen_by_keyword
class Loss:
    """What a lost game costs."""

    remise_short: int = leaf(
        "A game lost by at most this many tricks is a remise; by more, a codille.", low=1, high=10
    )
    remise_adds: int = leaf("Times the stake that a remise adds to the pool.", low=0, high=10)
    codille_adds: int = leaf(
        "Times the stake that a codille adds to the next pool.", low=0, high=10
    )
    codille_pool: Literal["adversaries", "stays", "losers_pay"] = leaf(
        "What becomes of the pool at a codille: the adversaries share it; it stays; or it stays, "
        "and whoever bears the loss pays each adversary loss.codille_draws."
    )
    codille_shared_from: int = leaf(
        "The adversaries share the pool only when it holds at least this many basic stakes.",
        low=0,
        high=100,
    )
    codille_draws: int = leaf(
        "Counters that each adversary draws from the pool at a codille, as far as it holds them, "
        "or has of the losers; 0: they share it all, or have nothing of the losers.",
        default=0,
        low=0,
        high=10_000,
    )
    codille_indivisible: Literal["stays", "odd_stay", "exact"] = leaf(
        "A pool that three adversaries or more cannot share in whole counters: left in place; or "
        "shared, but for the odd counters, which stay; or shared all the same, exactly, or as "
        "stakes.odd_counters says."
    )
    codille_base: Literal["pool", "taken"] = leaf(
        "The stake that a codille multiplies: the pool as it was, or what the adversaries took "
        "out of it."
    )
    beasts: Literal["join_pool", "wait"] = leaf(
        "Where the beast of a lost game goes: into the pool at once; or apart, to come into play "
        "when no beast lies in the pool, one at a time, the largest first.",
        default="join_pool",
    )
    beast_size: Literal["of_pool", "doubling", "by_firsts", "always_first"] = leaf(
        "The beast that loss.remise_adds and loss.codille_adds multiply: the stake; a first "
        "beast doubled for every beast that stands; as many first beasts as there are then "
        "beasts; or the first beast, whatever stands.",
        default="of_pool",
    )
    beast_first: int = leaf(
        "Counters of the first beast, where beasts have a size of their own.",
        default=14,
        low=1,
        high=10_000,
    )
    devole: Literal["not_paid", "hombre", "side"] = leaf(
        "Whether a game lost without a trick also costs the price of a vole undertaken: no; if "
        "Hombre made none; or if Hombre's side made none. Whoever bears the loss pays it to the "
        "adversaries.",
        default="not_paid",
    )
    remise_pays: tuple[PayItem, ...] = leaf("Which items a remise pays to the adversaries.")
    codille_pays: tuple[PayItem, ...] = leaf("Which items a codille pays to the adversaries.")
    codille_items_times: int = leaf(
        "How many times over a codille pays those items.", default=1, low=1, high=10
    )
    allies_pay: Literal["once_each", "as_received"] = leaf(
        "Where allies share a loss, whom they owe those items: each adversary once, the allies "
        "sharing the adversaries or halving each payment; or as they would have received them, "
        "by payments.allies_paid.",
        default="once_each",
    )


@frozen_by_keyword
class Multiplier:
    """Deals that count more than once because games were lost before them."""

    after_losses: Literal["none", "counted"] = leaf(
        "Whether a game counts once more for every game lost in a row before it, until one is "
        "won: the first after a loss double, the next threefold, and so on.",
        default="none",
    )
    loss_adds: Literal["also", "instead"] = leaf(
        "Where losses are counted: whether a lost game also adds to the pool as ever, or the "
        "multiplied game to come stands instead of what it would add.",
        default="also",
    )
    stake: Literal["single", "penalty", "raised", "made_good"] = leaf(
        "The stake of a game that counts several times: won and lost as the pool holds it; won "
        "as the pool holds it, while a lost game adds that many times as much; raised that many "
        "times by all players in equal parts before it is won or lost, but not if it is left "
        "frozen; or made good by the losers that many times, what a lost game adds likewise.",
        default="made_good",
    )


@frozen_by_keyword
class Score:
    """What is won and lost: counters, or points that are only written down."""

    kept: Literal["counters", "points"] = leaf(
        "Whether players pay one another counters and stake for a pool, or each side's points "
        "are written to its own score and nobody pays anybody.",
        default="counters",
    )
    won: Fraction = leaf(
        "Points for a game won, to Hombre and as many to the ally.",
        default=Fraction(4),
        low=0,
        high=1000,
    )
    remise: Fraction = leaf(
        "Points that a remise costs whoever bears the loss.", default=Fraction(4), low=0, high=1000
    )
    codille: Fraction = leaf(
        "Points that a codille costs whoever bears the loss.", default=Fraction(8), low=0, high=1000
    )


@frozen_by_keyword
class Rules:
    """A complete set of rules: plain data that both engines execute."""

    table: Seating
    cards: CardOrder
    deal: Dealing
    stakes: Stakes
    auction: Bidding
    bids: PerBid[Bid]
    exchange: Exchange = field(default_factory=Exchange)
    play: Play
    forcing: Forcing
    premiers: Premiers
    vole: Vole = field(default_factory=Vole)
    favourite: Favourite = field(default_factory=Favourite)
    payments: Payments
    loss: Loss
    multiplier: Multiplier = field(default_factory=Multiplier)
    score: Score = field(default_factory=Score)
    own: PluginRules = field(default_factory=PluginRules, metadata={"own": True})

    def ladder(self) -> tuple[tuple[str, Bid], ...]:
        """The bids made in turn, lowest first."""
        return tuple(
            sorted(
                (b for b in self.bids.items() if b[1].made == "in_turn"), key=lambda b: b[1].rank
            )
        )

    def is_played(self, bid: Bid) -> bool:
        """Whether a bid of these rules can become the contract: in turn, or forced on someone when
        all pass."""
        return bid.made == "in_turn" or (
            bid.made == "when_all_pass" and self.auction.all_pass == "forced_bid"
        )

    def forced_bid(self) -> tuple[str, Bid] | None:
        """The bid that falls on someone when all pass, if the rules have one."""
        if self.auction.all_pass != "forced_bid":
            return None
        return next((b for b in self.bids.items() if b[1].made == "when_all_pass"), None)

    def forced_by(self) -> ForcedBid | None:
        """On whom the forced bid falls where no card says so."""
        forced = self.forced_bid()
        return None if forced is None else self.own.forced(forced[0])

    def is_dealt_anew(self) -> bool:
        """Whether the next player may have to deal without a game: after a hand thrown in, or where
        all pass, by rule or as no hand is forced."""
        how = self.forced_by()
        anew = self.forced_bid() is None or (how is not None and bool(how.facts))
        return anew or bool(self.own.throws_in())


@frozen_by_keyword
class PluginUse:
    """A plugin that shaped a rule set: its name, the distribution it comes from, and its version.

    ``parameters`` are those that were given and differ from their defaults.
    """

    name: str
    version: str
    package: str = ""
    parameters: tuple[tuple[str, str], ...] = ()


@frozen_by_keyword
class Identity:
    """What every output names a rule set by."""

    profile: str
    witness: str | None = None
    witness_files: tuple[str, ...] = ()
    """The files of witnesses that are joined to the profile."""
    witness_in_file: bool = False
    """Whether the last of them is that of the witness."""
    readings: tuple[tuple[str, str], ...] = ()
    """Readings chosen by hand, as (point, reading); those of the witness or profile are not
    listed."""
    settings: tuple[tuple[str, str], ...] = ()
    """Rules set by hand, as (path, value in canonical JSON)."""
    plugins: tuple[PluginUse, ...] = ()
    added: tuple[str, ...] = ()
    """Those of the plugins that were added by hand, each as ``PLUGIN[:PARAM=VALUE,…]``."""
    digest: str = ""

    @property
    def reference(self) -> str:
        """``profile@witness+plugin``: what names the rule set, but for readings and rules chosen by
        hand."""
        witnesses = "".join(f"@{file}" for file in self.witness_files)
        if not self.witness_in_file and (self.witness or self.witness_files):
            witnesses += f"@{self.witness or ''}"
        return self.profile + witnesses + "".join(f"+{plugin}" for plugin in self.added)

    def __str__(self) -> str:
        """``profile@witness+plugin#digest`` with the digest cut to twelve digits."""
        return f"{self.reference}#{self.digest[:12]}"


@frozen_by_keyword
class GameRules(Generic[T]):
    """Rules of some kind of game with their name: all that engines, bots, settlement and studies
    know."""

    identity: Identity
    rules: T


@frozen_by_keyword
class RuleSet(GameRules[Rules]):
    """Rules of a game of tricks with their name."""
