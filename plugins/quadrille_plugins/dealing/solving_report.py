"""A solved deal as tables, JSON and CSV."""

from collections.abc import Sequence
from typing import Any

from quadrille_core.cards import (
    NO_TRUMP,
    SUIT_SIGNS,
    format_card,
    format_cards,
    format_suit,
    sign_card,
)
from quadrille_core.engine.deal import names
from quadrille_core.engine.terms import vole_level
from quadrille_core.frozen import frozen
from quadrille_core.rules import Rules
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import (
    amount,
    identity_text,
    identity_to_plain,
    seat_names,
    with_signs,
)
from quadrille_plugins.solver.deals import DealSolver, Solved, Valued
from quadrille_plugins.solver.open_play import Line


@frozen
class Sheet:
    """A deal and what was solved of it: each contract asked for, as best declared and in every
    other way."""

    solving: DealSolver
    contracts: tuple[Solved, ...]
    ways: tuple[tuple[Solved, ...], ...]
    valued: Valued
    lines: tuple[Line, ...]
    """The best line of each contract, where lines were asked for; else empty."""


def outcome_text(rules: Rules, solved: Solved) -> str:
    """How the game ends, with the vole and premiers."""
    parts, spec = [solved.settlement.outcome], solved.contract.spec
    if solved.settlement.vole != "none":
        later = (
            solved.result.vole == "announced"
            and vole_level(rules.bids.of(spec.bid), spec.vole) == "none"
        )
        parts.append(f"{'announced ' if later else ''}vole {solved.settlement.vole}")
    if solved.result.premiers:
        parts.append("premiers")
    return ", ".join(parts)


def seat_of(players: Sequence[str]) -> tuple[str, ...]:
    """What players are called in print: those without names of their own by seat."""
    return seat_names(len(players)) if set(players) == set(names(len(players))) else tuple(players)


def declared_text(solved: Solved) -> str:
    """What is declared after the auction: trumps, the call, the gift."""
    parts = ["no trump" if solved.trump == NO_TRUMP else SUIT_SIGNS[solved.trump]]
    call, give = solved.card("call"), solved.card("give")
    if call is not None:
        given = solved.result.surrendered
        whose = next(s for s, h in enumerate(solved.hands) if call in h) if given is None else given
        own = whose == solved.contract.hombre
        who = "Hombre's own" if own else seat_of(solved.result.players)[whose]
        parts.append(f"calls {sign_card(call)} ({who})")
    if give is not None:
        parts.append(f"gives {sign_card(give)}")
    return ", ".join(parts)


def tricks_and_outcome(rules: Rules, solved: Solved) -> str:
    """The tricks of Hombre's side and how the game ends; where none was to be made and some are,
    they may be more."""
    never = rules.bids.of(solved.contract.spec.bid).goal == "none"
    more = "+" if never and solved.tricks else ""
    plural = "" if solved.tricks == 1 and not more else "s"
    return f"{solved.tricks}{more} trick{plural}, {outcome_text(rules, solved)}"


def par_text(sheet: Sheet) -> str:
    """The answer in a sentence: par, its contract, what it comes to and what it pays each."""
    valued, players = sheet.valued, seat_of(sheet.solving.setup.players)
    if valued.solved is None:
        return "Par is that all pass, and the cards are dealt anew."
    s = valued.solved
    net = ", ".join(f"{p} {amount(n, sign=True)}" for p, n in zip(players, valued.net, strict=True))
    text = f"Par is {s.contract.spec} by {players[s.contract.hombre]}, {declared_text(s)}: "
    text += f"{tricks_and_outcome(sheet.solving.rules, s)}; it pays {net}"
    if s.settlement.pool_after:
        text += f", and leaves {amount(s.settlement.pool_after)} in the pool"
    return f"{text}."


def sheet_blocks(sheet: Sheet) -> list[Block]:
    """The whole sheet for a person."""
    solving = sheet.solving
    setup, players = solving.setup, seat_of(solving.setup.players)
    pool = f"pool {amount(setup.pool)}"
    if setup.favourite is not None:
        pool += f", favourite {format_suit(setup.favourite)}"
    hands = tuple(
        (p, with_signs(format_cards(sorted(h)))) for p, h in zip(players, setup.hands, strict=True)
    )
    nets = [[amount(n, sign=True) for n in s.settlement.net] for s in sheet.contracts]
    wide = [max(map(len, column)) for column in zip(*nets, strict=True)]
    paid = [" ".join(n.rjust(w) for n, w in zip(net, wide, strict=True)) for net in nets]
    bids = [(players[s.contract.hombre], str(s.contract.spec)) for s in sheet.contracts]
    results = tuple(
        (*bid, tricks_and_outcome(solving.rules, s), each)
        for bid, s, each in zip(bids, sheet.contracts, paid, strict=True)
    )
    declared = tuple((*bid, declared_text(s)) for bid, s in zip(bids, sheet.contracts, strict=True))
    bidding = "; ".join(f"{players[seat]} {action}" for seat, action in sheet.valued.par.spoken)
    blocks: list[Block] = [
        Text(par_text(sheet), strong=True),
        Text(f"Bidding: {bidding}.\n{identity_text(solving.ruleset.identity)}; {pool}"),
        Table("hands, eldest first", ("player", "cards"), hands),
        Table(
            "every bid with all cards open, and what it pays each, eldest first",
            ("player", "bid", "result", "pays each"),
            results,
            whole=frozenset({"bid", "pays each"}),
        ),
        Table(
            "how each bid is best declared",
            ("player", "bid", "declared"),
            declared,
            whole=frozenset({"bid"}),
        ),
    ]
    for s, line in zip(sheet.contracts, sheet.lines, strict=False):
        size = len(players)
        tricks = tuple(
            (
                str(n + 1),
                players[line[n * size][0]],
                " ".join(sign_card(c) for _, c in line[n * size :][:size]),
                players[winner],
            )
            for n, winner in enumerate(solving.winners(s))
        )
        title = (
            f"a best line: {s.contract.spec} by {players[s.contract.hombre]}, {declared_text(s)}"
        )
        blocks.append(Table(title, ("", "led by", "cards", "won by"), tricks))
    return blocks


# --- JSON and CSV ----------------------------------------------------------------------------


def solved_json(solving: DealSolver, s: Solved) -> dict[str, Any]:
    """One contract, declared in one way."""
    players = solving.setup.players
    call, give = s.card("call"), s.card("give")
    never = solving.rules.bids.of(s.contract.spec.bid).goal == "none"
    data: dict[str, Any] = {
        "player": players[s.contract.hombre],
        "bid": str(s.contract.spec),
        "forced": s.contract.forced,
        "trump": None if s.trump == NO_TRUMP else format_suit(s.trump),
        "called": None if call is None else format_card(call),
        "given": None if give is None else format_card(give),
        "ally": None if s.ally is None else players[s.ally],
        "surrendered": None if s.result.surrendered is None else players[s.result.surrendered],
        "tricks": s.tricks,
        "or_more": bool(never and s.tricks),
        "outcome": s.settlement.outcome,
        "premiers": s.result.premiers,
        "vole": s.settlement.vole,
        "net": {p: plain_amount(n) for p, n in zip(players, s.settlement.net, strict=True)},
        "pool_after": plain_amount(s.settlement.pool_after),
    }
    if s.gifts:
        data["gifts"] = {format_card(card): tricks for card, tricks in s.gifts}
    return data


def sheet_json(sheet: Sheet) -> dict[str, Any]:
    """The whole sheet."""
    solving, valued = sheet.solving, sheet.valued
    setup, players = solving.setup, solving.setup.players
    contracts = []
    for n, s in enumerate(sheet.contracts):
        data = solved_json(solving, s)
        data["declarations"] = [solved_json(solving, way) for way in sheet.ways[n]]
        if sheet.lines:
            data["line"] = [f"{players[seat]} {format_card(card)}" for seat, card in sheet.lines[n]]
        contracts.append(data)
    record = None if valued.solved is None else solving.record(valued.solved, valued.par.spoken)
    return {
        "rules": identity_to_plain(solving.ruleset.identity),
        "players": list(players),
        "hands": [format_cards(h) for h in setup.hands],
        "pool": plain_amount(setup.pool),
        "favourite": None if setup.favourite is None else format_suit(setup.favourite),
        "par": {
            "contract": None if valued.solved is None else solved_json(solving, valued.solved),
            "auction": [f"{players[seat]} {action}" for seat, action in valued.par.spoken],
            "net": {p: plain_amount(n) for p, n in zip(players, valued.net, strict=True)},
            "worth": {p: plain_amount(n) for p, n in zip(players, valued.par.worth, strict=True)},
            "record": record,
        },
        "contracts": contracts,
    }


def sheet_csv(sheet: Sheet) -> tuple[tuple[str, ...], list[Sequence[object]]]:
    """One row a contract, as best declared."""
    solving, players = sheet.solving, sheet.solving.setup.players
    keys = (
        "player",
        "bid",
        "forced",
        "trump",
        "called",
        "given",
        "ally",
        "surrendered",
        "tricks",
        "outcome",
        "vole",
    )
    rows: list[Sequence[object]] = []
    for s in sheet.contracts:
        data = solved_json(solving, s)
        rows.append((*("" if data[k] is None else data[k] for k in keys), *data["net"].values()))
    return (*keys, *(f"net {p}" for p in players)), rows
