"""Patience for people and for programs: the course of a game, and odds beside those that were
printed."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10
from typing import Any

from quadrille_core.profile.records import PublishedDoc
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.diff.differences import differences_json
from quadrille_plugins.patience.cards import format_cards, sign_card
from quadrille_plugins.patience.game import PatienceGame
from quadrille_plugins.patience.record import to_record
from quadrille_plugins.patience.study import (
    ROUND,
    Odds,
    OddsCheck,
    OddsComparison,
    OddsPair,
    lost_game,
)
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import (
    filled_text,
    grouped,
    identity_text,
    identity_to_plain,
    many,
    plainly,
    reference,
    rule_value,
    ruleset_json,
)
from quadrille_plugins.shell.wrapping import proposed
from quadrille_plugins.studies.answers import laid_out
from quadrille_plugins.studies.differences import rules_table
from quadrille_plugins.studies.intervals import Estimate
from quadrille_plugins.studies.values import decimal, estimate_json

PLAYER = "every card is built as soon as it fits"
ROUNDED = (
    f"right if rounded: ours are nearer to them than to any other odds of so many in "
    f"{ROUND} at most"
)
OTHER_RULES = "* printed for other rules"
NUMBERED = "rule set "
"""What begins the name of a rule set that has only its number."""


# --- one game ---------------------------------------------------------------------------------


def game_blocks(compiled: Compiled, played: PatienceGame, where: str) -> list[Block]:
    """A game for a person: what was built in each passage, in order, and how it ended."""
    rows = []
    for number, stock in enumerate(played.stocks, 1):
        built = [s for s in played.steps if s.passage == number and s.to != "heap"]
        told = " ".join(
            sign_card(s.card) + ("*" if s.to == "built from the heap" else "") for s in built
        )
        rows.append((str(number), str(len(stock)), told or "–", str(len(stock) - len(built))))
    head = identity_text(compiled.identity) + (f"\n{where}" if where else "")
    return [
        Text(head, strong=True),
        Table(
            "passages through the stock (* from the heap)",
            ("passage", "turned", "built, in order", "heap"),
            tuple(rows),
            frozenset({"passage", "turned", "heap"}),
        ),
        Text(game_end(played), strong=True),
    ]


def game_end(played: PatienceGame) -> str:
    """How a game ended, in a line."""
    if played.won:
        return f"won in passage {len(played.stocks)}"
    left = " ".join(map(sign_card, played.left))
    return (
        f"lost: {len(played.left)} card{'s' if len(played.left) > 1 else ''} left in the "
        f"heap: {left}"
    )


# --- a comparison -----------------------------------------------------------------------------


def odds_blocks(c: OddsComparison, *, details: bool = True) -> list[Block]:
    """A whole comparison for a person, or without ``details`` the answer and the odds."""
    names = "\n".join(
        f"{name}: {identity_text(o.compiled.identity)}{filled_text(o.compiled, '   ')}"
        for name, o in zip(c.names, c.odds, strict=True)
    )
    main: list[Block] = [_odds_table(c)]
    printed = _printed(c)
    if printed:
        others = [OTHER_RULES] if any(not v.ours for o in c.odds for v in o.verdicts) else []
        main.append(Text("\n".join([*(_published_text(p) for p in printed), ROUNDED, *others])))
    sure = f"{c.games} games, the same shuffles under each rule set; seed {c.seed}; {PLAYER}."
    if c.interrupted:
        sure += "\nInterrupted: these are the games that were finished."
    return laid_out(
        answer(c),
        names,
        main,
        sure=sure,
        more=lambda: _more(c),
        details=details,
        shows="proofs, the same shuffles game by game, games that are lost, the rules that differ",
    )


def answer(c: OddsComparison) -> str:
    """The odds in a sentence: of one or two rule sets, or the lowest and the highest of several."""
    named = list(zip(c.names, c.odds, strict=True))
    if len(named) > 2:
        known = sorted(named, key=lambda one: one[1].share.mean)
        few, best = known[0], known[-1]
        return (
            f"Odds of winning under {len(named)} rule sets: from {_odds_text(few[1], ', ')} "
            f"({few[0]}) to {_odds_text(best[1], ', ')} ({best[0]})."
        )
    return (
        "Odds of winning: " + "; ".join(f"{name} {_odds_text(o, ', ')}" for name, o in named) + "."
    )


def _more(c: OddsComparison) -> list[Block]:
    blocks = list[Block](_proofs(c))
    if c.pairs:
        rows = tuple(_pair_row(c, p) for p in c.pairs)
        first = c.names[0]
        heads = (
            f"against {first}",
            f"won by {first} alone",
            "by it alone",
            "difference, 95 %",
            "first divergent game",
        )
        blocks.append(Table("the same shuffles, game by game", heads, rows, frozenset(heads[1:])))
    blocks += [Text(line) for line in _lost_hints(c)]
    for pair in c.pairs if len(c.pairs) < 3 else ():
        blocks.append(
            rules_table(pair.rules_diff, pair.first, pair.second, [o.compiled for o in c.odds])
        )
    return blocks


def _printed(c: OddsComparison) -> list[PublishedDoc]:
    """The odds in print that are given for one at least of these rule sets."""
    return list(dict.fromkeys(v.published for o in c.odds for v in o.verdicts if v.ours))


def _published_text(p: PublishedDoc) -> str:
    given = "; ".join(f"{x.path} {' or '.join(rule_value(v) for v in x.allowed)}" for x in p.of)
    return f"{p.odds.numerator} in {p.odds.denominator}  {p.source}, {p.at}" + (
        f"; given for {given}" if given else ""
    )


def _odds_table(c: OddsComparison) -> Table:
    printed = _printed(c)
    heads = [
        f"{p.odds.numerator}\N{NO-BREAK SPACE}in\N{NO-BREAK SPACE}{p.odds.denominator}"
        for p in printed
    ]
    rows = []
    for name, o in zip(c.names, c.odds, strict=True):
        chosen = [r for _, r in o.compiled.identity.readings] + [
            f"{p}={v}" for p, v in o.compiled.identity.settings
        ]
        verdicts = {v.published: v for v in o.verdicts}
        cells = [_verdict_text(verdicts[p]) if p in verdicts else "–" for p in printed]
        rows.append(
            (
                name.removeprefix(NUMBERED),
                "\n".join(chosen) or "as it stands",
                _odds_text(o),
                _standing(o),
                *cells,
            )
        )
    first = "set" if all(name.startswith(NUMBERED) for name in c.names) else ""
    whole = frozenset({first, "odds, 95 %", "lost"})
    columns = (first, "reading", "odds, 95 %", "lost", *heads)
    return Table("odds of winning", columns, tuple(rows), frozenset({"odds, 95 %"}), whole)


def _odds_text(o: Odds, then: str = "\n") -> str:
    if o.proof:
        return "100 %, proved"
    return share_text(o.share) + ("" if o.exact is None else f"{then}counted {exact_text(o.exact)}")


def share_text(e: Estimate) -> str:
    """A share in per cent with the ends of its interval, to two figures of the interval's width."""
    if e.low is None or e.high is None:
        return f"{decimal(100 * e.mean, 1)} % (?)"
    width = 100 * (e.high - e.low)
    digits = max(1, 1 - floor(log10(width))) if width > 0 else 1
    mean, low, high = (decimal(100 * x, digits) for x in (e.mean, e.low, e.high))
    return f"{mean} % ({low}–{high})"


def exact_text(odds: Fraction) -> str:
    """Exact odds in per cent to four figures; extreme odds as one game in N."""
    for rare, words in ((odds, "1 in"), (1 - odds, "all but 1 in")):
        if 0 < rare < Fraction(1, 1000):
            whole = round(1 / rare)
            kept = round(whole, -max(0, len(str(whole)) - 4))
            return f"{words} {many(kept)}"
    return f"{float(100 * odds):.4g} %"


def _standing(o: Odds) -> str:
    if o.proof:
        return "never"
    if o.first_lost is not None:
        return f"game {o.first_lost}"
    return "can be" if o.lost is not None else "undecided"


def _verdict_text(v: OddsCheck) -> str:
    words = {
        "inside": "inside",
        "equal": "just so",
        "below": "below\nours",
        "above": "above\nours",
    }[v.beside]
    if v.rounded and v.beside in ("below", "above"):
        words = "right if\nrounded"
    return words if v.ours else f"{words}*"


def _proofs(c: OddsComparison) -> list[Block]:
    each = zip(c.names, c.odds, strict=True)
    arguments = grouped((o.proof, name) for name, o in each if o.proof)
    return [
        Text(f"{', '.join(names)} cannot lose; proof:\n" + "\n".join(f"  {line}" for line in lines))
        for lines, names in arguments.items()
    ]


def _pair_row(c: OddsComparison, p: OddsPair) -> tuple[str, ...]:
    apart = str(p.examples[0]) if p.examples else "–"
    return (c.names[p.second], str(p.only_first), str(p.only_second), _points(p.difference), apart)


def _points(e: Estimate) -> str:
    low, high = 100 * (e.low or 0.0), 100 * (e.high or 0.0)
    mean = decimal(100 * float(e.mean), 2, sign=True)
    return f"{mean} % ({decimal(low, 2, sign=True)} to {decimal(high, 2, sign=True)})"


def _lost_hints(c: OddsComparison) -> list[str]:
    """How to look at lost games: one that was played, and those that were looked for because none
    was."""
    hints = []
    lost = next((o for o in c.odds if o.first_lost is not None), None)
    if lost is not None:
        ref = reference(lost.compiled.identity)
        command = f"quadrille deal {ref} --seed {c.seed} --session {lost.first_lost}"
        hints += proposed("see one that is lost:", command)
    for i, o in enumerate(c.odds):
        if o.lost is not None:
            shuffled = o.compiled.game.rules.heap.gathered == "shuffled"
            heap = f", its heap shuffled as in game 0 of seed {c.seed}," if shuffled else ""
            hints.append(
                f"{c.names[i]} lost none of these games, but an order of the cards that it loses "
                f"was found{heap} by search: --save FOLDER writes it as {lost_name(i)}, which "
                "quadrille deal --replay reads"
            )
    return hints


def lost_name(index: int) -> str:
    """The name of the file with the lost game that was looked for under one of the rule sets."""
    return f"lost-{index + 1}.json"


def lost_record(o: Odds, seed: int) -> dict[str, Any] | None:
    """The lost game that was looked for as a record that can be replayed; it is no game of the
    seed."""
    played = lost_game(o, seed)
    return None if played is None else to_record(played, identity_to_plain(o.compiled.identity))


# --- JSON and CSV -----------------------------------------------------------------------------


def odds_json(c: OddsComparison) -> dict[str, Any]:
    """The whole comparison as JSON."""
    return {
        "rules": [ruleset_json(o.compiled) for o in c.odds],
        "design": {**plainly(c, "games", "seed"), "player": PLAYER, "interrupted": c.interrupted},
        "per_rule_set": [_odds_json(o, c.seed) for o in c.odds],
        "paired": [
            {
                **plainly(p, "first", "second", "only_first", "only_second"),
                "difference": estimate_json(p.difference),
                "examples": list(p.examples),
            }
            for p in c.pairs
        ],
        "rules_diff": [
            {**d, "rules": [p.first, p.second]}
            for p in c.pairs
            for d in differences_json(p.rules_diff)
        ],
    }


def _odds_json(o: Odds, seed: int) -> dict[str, Any]:
    return {
        "won": o.won,
        "odds": estimate_json(o.share),
        "exact": None if o.exact is None else plain_amount(o.exact),
        **plainly(o, "standing", "proof", "first_lost"),
        "lost_order": None if o.lost is None else format_cards(o.lost),
        "lost_record": lost_record(o, seed),
        "published": [
            {
                **plainly(v.published, "odds", "source", "at"),
                "of": {x.path: list(x.allowed) for x in v.published.of},
                "note": v.published.note or None,
                "given_for_these_rules": v.ours,
                "beside_ours": v.beside,
                "ours_rounded": v.rounded,
            }
            for v in o.verdicts
        ],
    }


def odds_csv(c: OddsComparison) -> tuple[tuple[str, ...], Sequence[Sequence[object]]]:
    """The numbers in long form: one row an estimate."""
    columns = ("section", "rules", "against", "name", "mean", "low", "high", "count")
    names = [identity_text(o.compiled.identity) for o in c.odds]
    rows: list[tuple[object, ...]] = []
    for name, o in zip(names, c.odds, strict=True):
        e = estimate_json(o.share)
        rows.append(("odds", name, "", o.standing, e["mean"], e["low"], e["high"], o.won))
        if o.exact is not None:
            rows.append(("odds", name, "", "exact", f"{float(o.exact):.12f}", "", "", ""))
        for v in o.verdicts:
            rows.append(
                (
                    "published",
                    name,
                    "",
                    f"{v.published.source} {v.beside}",
                    float(v.published.odds),
                    "",
                    "",
                    "",
                )
            )
    for p in c.pairs:
        e = estimate_json(p.difference)
        ends = (e["mean"], e["low"], e["high"], p.only_first + p.only_second)
        rows.append(("difference", names[p.second], names[p.first], "odds", *ends))
    return columns, rows
