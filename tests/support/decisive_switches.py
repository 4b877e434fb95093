"""Cases for the dead-option guard: rules of disputed points, each with deals in which it matters."""

from collections.abc import Iterator

from support.decisive import DecisiveCase

SOLO = ("bid solo", "pass", "trump spades")
IN_ORDER = tuple(f"play {card}" for card in ("SA", "S2", "CA", "SK", "SQ", "SJ", "S7", "S6", "S5", "S4", "H7"))
NINE = "SA S2 CA SK SQ SJ S7 S6 S5 H7"
"""Nine tricks with spades as trumps, and a heart to lose."""
NINE_AGAINST = (NINE, "HK HA HQ HJ H2 H3 H4 H5 H6 S4", "S3")
HOLDS_DK = ("HK HA HQ HJ H2 H3 H4 H5 H6 S4", "S3 DK")
"""Seats 1 and 2 against NINE: a heart to take the last trick, and the king that Hombre calls."""
ALLIED = ("bid alliance", "pass", "trump spades", "call DK")


def settling() -> Iterator[DecisiveCase]:
    """Rules of settlement."""
    yield DecisiveCase(
        why="allies have missed a vole, and every opponent would have paid every ally",
        leaves=("vole.undertaken_failed_paid",),
        but={
            "payments.vole_premium.undertaken.alliance": 2,
            "payments.allies_paid": "each_opponent_each_ally",
            "vole.undertaken_failed_premium": True,
        },
        hands=(NINE, *HOLDS_DK),
        wishes=(*ALLIED, "ask", "yes", *IN_ORDER),
    )
    yield DecisiveCase(
        why="allies have missed a vole, and the loss of their game would be the caller's alone",
        leaves=("vole.undertaken_failed_borne",),
        but={
            "payments.vole_premium.undertaken.alliance": 2,
            "vole.undertaken_failed_premium": True,
            "bids.alliance.loss_borne": "hombre",
        },
        hands=(NINE, *HOLDS_DK),
        wishes=(*ALLIED, "ask", "yes", *IN_ORDER),
    )
    yield DecisiveCase(
        why="allies have missed a vole in a game that earns something because there are two of them",
        leaves=("vole.undertaken_failed_keeps",),
        but={"payments.allied": 1},
        hands=(NINE, *HOLDS_DK),
        wishes=(*ALLIED, "ask", "yes", *IN_ORDER),
    )
    yield DecisiveCase(
        why="allies share the loss of a game with a premium, and every opponent would have paid every ally",
        leaves=("loss.allies_pay",),
        but={
            "payments.premium.alliance": 2,
            "payments.allies_paid": "each_opponent_each_ally",
            "bids.alliance.loss_borne": "shared",
        },
        wishes=("bid alliance", "pass"),
        deals=12,
    )
    yield DecisiveCase(
        why="each of two opponents has an odd counter to pay to two allies who halve it",
        leaves=("payments.odd_half",),
        but={"payments.allies_paid": "once_and_halved", "payments.premiers": 1},
        hands=("SA S2 CA SK SQ SJ S7 S6 S5 H7", "", "HK"),
        wishes=("bid alliance", "pass", "trump spades", "call HK", "claim", "no"),
    )
    yield DecisiveCase(
        why="a vole undertaken and missed in a game with premium, matadors and premiers",
        leaves=("vole.undertaken_failed_keeps",),
        but={"payments.game": 1, "payments.consolation": 1},
        hands=NINE_AGAINST,
        wishes=(*SOLO, "vole", *IN_ORDER),
    )
    yield DecisiveCase(
        why="the adversaries hold three matadors, and Hombre wins",
        leaves=("payments.adversaries_matadors",),
        hands=("HA HK HQ HJ H2 H3 H4 H5 H6 SK", "SA H7 CA"),
        wishes=("bid solo", "pass", "trump hearts"),
    )
    yield DecisiveCase(
        why="one of the first six tricks is the ally's",
        leaves=("payments.premiers_won_by",),
        hands=(NINE.replace("H7", "D3"), "D4 D5", "DK S3", "D6 DQ"),
        wishes=(*ALLIED, "play D3", "play DK", "play S3", "claim", *IN_ORDER),
    )
    yield DecisiveCase(
        why="a solo lost by a codille that pays its items twice over",
        leaves=("loss.codille_items_times",),
        but={"loss.codille_items_times": 2},
        wishes=("bid solo", "pass"),
        deals=12,
    )
    yield DecisiveCase(
        why="every trick is wanted and six are made, in a game that announces no vole",
        leaves=("bids.solo.goal",),
        but={"bids.solo.vole_with_bid": "none", "bids.solo.may_undertake_vole": False},
        hands=(NINE, "HK"),
        wishes=(*SOLO, *IN_ORDER),
    )


def bidding() -> Iterator[DecisiveCase]:
    """Rules of the auction."""
    yield DecisiveCase(
        why="who asked leave is overcalled by a solo",
        leaves=("auction.elder_may_raise",),
        wishes=("bid alliance", "bid solo", "pass"),
        hands=("SA S3",),
    )
    yield DecisiveCase(
        why="who asked leave is overcalled by a médiateur",
        leaves=("auction.elder_may_raise",),
        wishes=("bid alliance", "bid mediateur", "pass"),
        hands=("SA S3",),
    )
    yield DecisiveCase(
        why="the holder of Spadille passes, and the next player bids",
        leaves=("auction.passed_may_return",),
        but={"bids.solo.needs": ["CA"]},
        hands=("SA S3", "CA"),
        wishes=("bid solo", "pass"),
    )
    yield DecisiveCase(
        why="trumps are named at once by the eldest",
        leaves=("auction.unasked_trumps",),
        hands=(NINE,),
        wishes=("name spades", "pass"),
    )
    yield DecisiveCase(
        why="trumps are named by the youngest when all others have passed",
        leaves=("auction.unasked_trumps",),
        but={"bids.solo.needs": ["CA"]},
        hands=("", "", "", "CA"),
        wishes=("name spades", "pass", "call HK"),
    )


def playing() -> Iterator[DecisiveCase]:
    """Rules of the play and of the vole's decision."""
    yield DecisiveCase(
        why="the vole is announced before the first lead where it may be so late",
        leaves=("vole.announced_until",),
        but={"bids.solo.vole_before_lead": True},
        hands=("SA S2 CA SK SQ SJ S7 S6 S5 S4",),
        wishes=("bid solo", "pass", "trump spades", "vole", *IN_ORDER),
    )
    yield DecisiveCase(
        why="the vole is announced before the first lead at a bid that lets it",
        leaves=("bids.solo.vole_before_lead",),
        but={"vole.announced_until": "first_lead"},
        hands=("SA S2 CA SK SQ SJ S7 S6 S5 S4",),
        wishes=("bid solo", "pass", "trump spades", "vole", *IN_ORDER),
    )
    yield DecisiveCase(
        why="six tricks are made after one was lost",
        leaves=("play.claim_won",),
        hands=("SA S2 CA SK SQ SJ S7 S6 S5 H7", "HK"),
        wishes=(*SOLO, "play H7", *IN_ORDER),
    )
    hearts = "H2 H3 H4 H5 H6 HA HJ HQ"
    yield DecisiveCase(
        why="Hombre has won the first six tricks and does not know her ally",
        leaves=("vole.ally_known", "vole.alone_decides"),
        hands=(NINE.replace("H7", "D3"), "D4 D5", f"DK S3 {hearts}"),
        wishes=(*ALLIED, "ask", "no", *IN_ORDER, *(f"play {c}" for c in hearts.split())),
    )


def cases() -> Iterator[DecisiveCase]:
    """All of them."""
    yield from settling()
    yield from bidding()
    yield from playing()
