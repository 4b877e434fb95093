"""Applying the laws to an incident: every law that speaks of it, what it orders, and who pays
whom."""

from fractions import Fraction

from quadrille_core.cards import format_card
from quadrille_core.engine.amounts import (
    adds_to_pool,
    beast_base,
    beasts_wait,
    counted,
    stake_times,
    unit_of,
)
from quadrille_core.engine.result import POOL, SCORE, Transfer
from quadrille_core.engine.terms import counts_losses, in_points, row_transfers, times_counted
from quadrille_core.errors import ResultError
from quadrille_core.frozen import frozen
from quadrille_core.plugin_rules import PaymentRow
from quadrille_core.rules import Rules
from quadrille_plugins.ledger.incident import IncidentReport, missing
from quadrille_plugins.ledger.laws import Clause, Law, Laws, OrderLaw, TextChoice, label

_NEEDS_CARD = ("card_may_be_called", "must_play_card")


@frozen
class Order:
    """One order of a law at this table: what, by whom and to whom (seats), and in words."""

    order: str
    text: str
    who: tuple[int, ...]
    whom: tuple[int, ...]
    alternative: bool


@frozen
class Ruling:
    """A law that speaks of the incident, and all it orders."""

    law: Law
    orders: tuple[Order, ...]
    transfers: tuple[Transfer, ...]
    note: str


@frozen
class Idle:
    """A law about such incidents that does not speak of this one, and the fact for which it does
    not."""

    law: Law
    because: str


@frozen
class Judgement:
    """All that the laws say of an incident."""

    rulings: tuple[Ruling, ...]
    idle: tuple[Idle, ...]

    def overlaps(self) -> list[tuple[int, int]]:
        """Pairs of laws that speak of the same thing here."""
        numbers = {r.law.number for r in self.rulings}
        known = [(r.law.number, r.law.overlaps) for r in self.rulings]
        return [
            (m, n)
            for m, others in known
            for n in others
            if isinstance(m, int) and n in numbers and m < n
        ]


def judge(laws: Laws, incident: IncidentReport, rules: Rules, text: TextChoice) -> Judgement:
    """What the laws order; raises ResultError asking for every missing fact."""
    lacks: dict[str, list[int | str]] = {}
    found: list[tuple[Law, Clause]] = []
    idle: list[Idle] = []
    for law in laws.laws:
        clauses = [
            c for c in law.clauses if c.incident == incident.incident and c.text in ("", text)
        ]
        reasons = []
        for clause in clauses:
            failed, unknown = _tested(clause, incident)
            if failed:
                reasons.append(failed)
                continue
            for order in clause.orders:
                unknown |= _order_lacks(order, incident, rules)
            for key in unknown:
                if law.number not in lacks.setdefault(key, []):
                    lacks[key].append(law.number)
            found.append((law, clause))
        if clauses and len(reasons) == len(clauses):
            idle.append(Idle(law, reasons[0]))
    if lacks:
        raise ResultError(
            missing(key, ", ".join(map(label, numbers)), incident.place)
            for key, numbers in sorted(lacks.items())
        )
    return Judgement(
        tuple(_ruling(law, clause, incident, rules) for law, clause in found), tuple(idle)
    )


def _tested(clause: Clause, incident: IncidentReport) -> tuple[str, set[str]]:
    """Why the clause does not apply (empty when it may), and the facts needed to decide."""
    unknown: set[str] = set()
    for name, wanted in clause.when:
        value, lacks = _fact(name, incident)
        if value is None:
            unknown |= lacks
        elif value != wanted:
            return f"{name.replace('_', ' ')}: {'yes' if value else 'no'}", set()
    return "", unknown


def _fact(name: str, incident: IncidentReport) -> tuple[bool | None, set[str]]:
    """A fact, reported or derived; else None with the keys that would supply it."""
    by, hombre = incident.by, incident.hombre
    if not name.startswith("offender_"):
        return incident.fact(name), {name}
    who = ({"by"} if by is None else set()) | ({"hombre"} if hombre is None else set())
    if name in ("offender_alone", "offender_forced"):
        key = "plays_alone" if name == "offender_alone" else "forced_game"
        if by is not None and hombre is not None and by != hombre:
            return False, set()
        value = incident.fact(key)
        if value is False:
            return False, set()
        lacks = who | ({key} if value is None else set())
        return (None, lacks) if lacks else (True, set())
    if by is not None and by == hombre:
        return name == "offender_plays", set()
    side = incident.side()
    if by is None or side is None:
        return None, who | incident.side_lacks()
    return (by in side if name == "offender_plays" else by == incident.ally), set()


def _order_lacks(order: OrderLaw, incident: IncidentReport, rules: Rules) -> set[str]:
    lacks: set[str] = set()
    persons = {order.who, order.whom}
    if incident.by is None and persons & {"offender", "adversaries", "others"}:
        lacks.add("by")
    if persons & {"adversaries", "side"}:
        lacks |= incident.side_lacks()
    for row in order.rows:
        paying = {row.payer, row.payee}
        lacks |= {"by"} if incident.by is None and paying & {"offender", "others"} else set()
        lacks |= (
            incident.side_lacks() if paying & {"hombre", "ally", "side", "adversaries"} else set()
        )
        if row.unit == "units" and rules.stakes.unit_of == "stake" and incident.pool is None:
            lacks.add("pool")
    if order.order in _NEEDS_CARD and incident.card is None:
        lacks.add("card")
    if order.order == "beast":
        lacks |= _beast_lacks(incident, rules)
    return lacks


def _persons(name: str, incident: IncidentReport) -> tuple[int, ...]:
    every = tuple(range(len(incident.players)))
    by = incident.by if incident.by is not None else -1
    side = incident.side() or ()
    return {
        "": (),
        "offender": (by,),
        "adversaries": tuple(s for s in every if (s in side) != (by in side)),
        "others": tuple(s for s in every if s != by),
        "dealer": every[-1:],
        "side": side,
        "all": every,
    }[name]


def _ruling(law: Law, clause: Clause, incident: IncidentReport, rules: Rules) -> Ruling:
    orders = []
    transfers: list[Transfer] = []
    for order in clause.orders:
        who, whom = _persons(order.who, incident), _persons(order.whom, incident)
        words = order.says.format(
            who=_names(who, incident, "or"),
            whom=_names(whom, incident, "and"),
            by="" if incident.by is None else incident.players[incident.by],
            card="" if incident.card is None else format_card(incident.card),
        )
        if order.rows:
            paid = [t for row in order.rows for t in _row_transfers(row, incident, rules)]
            transfers += paid
            who, whom = (tuple(sorted({s for s in seats if s >= 0})) for seats in _ends(paid))
            words = "; ".join(_paid_words(row, incident, rules) for row in order.rows)
        orders.append(Order(order.order, words, who, whom, order.alternative))
        if order.order == "beast":
            account, amount, rule = _beast(incident, rules)
            reason = counted(
                f"beasted: {incident.incident.replace('_', ' ')}", _times(incident, rules)
            )
            if beasts_wait(rules) and account == POOL:
                reason += ", put apart"
            transfers += [Transfer(s, account, amount, reason, rule) for s in whom if amount]
    return Ruling(law, tuple(orders), tuple(transfers), clause.note)


def _ends(paid: list[Transfer]) -> tuple[list[int], list[int]]:
    return [t.source for t in paid], [t.target for t in paid]


def _row_transfers(row: PaymentRow, incident: IncidentReport, rules: Rules) -> list[Transfer]:
    unit = unit_of(rules.stakes, incident.pool or Fraction(0))
    times = times_counted(rules, incident.multiplier or 1)
    seats = len(incident.players)
    made = row_transfers(
        rules,
        row,
        seats,
        unit=unit,
        times=times,
        hombre=incident.hombre,
        ally=incident.ally,
        by=incident.by,
    )
    return list(made)


def _paid_words(row: PaymentRow, incident: IncidentReport, rules: Rules) -> str:
    """What a row comes to at this table, in words."""
    paid = _row_transfers(row, incident, rules)
    if not paid:
        return f"nothing is paid for {row.reason}"
    sources, targets = (tuple(dict.fromkeys(ends)) for ends in _ends(paid))
    to = "the pool" if targets == (POOL,) else _names(targets, incident, "and")
    source = "the pool" if sources == (POOL,) else _names(sources, incident, "and")
    each = " each" if len(targets) > 1 or len(sources) > 1 else ""
    return (
        f"{source} {'pay' if len(sources) > 1 else 'pays'} {to} {paid[0].amount}{each}: "
        f"{row.reason}"
    )


def _times(incident: IncidentReport, rules: Rules) -> int:
    """How many times a beast is put, or written, in this deal."""
    times = times_counted(rules, incident.multiplier or 1)
    return times if in_points(rules) else stake_times(rules, times)


def _beast(incident: IncidentReport, rules: Rules) -> tuple[int, Fraction, str]:
    """What a remise would cost at this table: to which account, how much, by which rule."""
    times, loss = _times(incident, rules), rules.loss
    if in_points(rules):
        return SCORE, times * rules.score.remise, "score.remise"
    if not adds_to_pool(rules):
        return POOL, Fraction(0), "multiplier.loss_adds"
    base, rule = beast_base(
        loss, "loss.remise_adds", incident.pool or Fraction(0), incident.beasts or 0
    )
    return POOL, times * loss.remise_adds * base, rule


def _beast_lacks(incident: IncidentReport, rules: Rules) -> set[str]:
    """What must be stated to compute a beast at this table."""
    points, adds = in_points(rules), adds_to_pool(rules)
    lacks: set[str] = set()
    if not points and adds:
        own_size = rules.loss.beast_size != "of_pool"
        if own_size and incident.beasts is None:
            lacks.add("beasts")
        if not own_size and incident.pool is None:
            lacks.add("pool")
    counted_in = points or (adds and rules.multiplier.stake == "made_good")
    if counts_losses(rules) and counted_in and incident.multiplier is None:
        lacks.add("multiplier")
    return lacks


def _names(seats: tuple[int, ...], incident: IncidentReport, word: str) -> str:
    names = [incident.players[s] for s in seats]
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
