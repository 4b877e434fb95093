"""The laws as data: each with its kind, its texts, and its clauses about incidents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, Final, Literal

from quadrille_core import resources
from quadrille_core.frozen import frozen
from quadrille_core.plugin_rules import Incident, PaymentRow, PluginRules
from quadrille_core.profile import load_file
from quadrille_core.rules import Rules
from quadrille_core.ruleset import Compiled

CODE: Final = "wikipedia-old"
"""The laws that rule sets borrow whose own sources print none."""

TextChoice = Literal["emended", "literal"]
Kind = Literal["engine", "irregularity", "conduct", "claim"]


@frozen
class OrderLaw:
    """One thing a clause orders; ``alternative`` when it may be chosen instead of the one
    before."""

    order: str
    says: str
    who: str = ""
    whom: str = ""
    alternative: bool = False
    rows: tuple[PaymentRow, ...] = ()
    """The payments that a plugin orders."""


@frozen
class Clause:
    """What a law orders of one incident, when all conditions hold; in one text of the law, or in
    both."""

    incident: str
    orders: tuple[OrderLaw, ...]
    when: tuple[tuple[str, bool], ...] = ()
    text: str = ""
    note: str = ""


@frozen
class Law:
    """One law: its number, kind and texts, what rules it concerns, and its clauses."""

    number: int | str
    """Its number in print; the page of a passage that has none; of a plugin's law, the leaf that it
    rests on."""
    kind: Kind
    emended: str
    literal: str
    corrupt: str
    """Why the two texts differ; empty when the law is sound."""
    empty: str
    """What its letter leaves without a rule; empty where the letter rules something."""
    concerns: tuple[str, ...]
    overlaps: tuple[int, ...]
    clauses: tuple[Clause, ...]

    @property
    def label(self) -> str:
        """The law's name in a table."""
        return label(self.number)

    def says(self, text: TextChoice) -> str:
        """The law in our words, as emended or to the letter."""
        return self.literal if text == "literal" else self.emended

    def reading(self, text: TextChoice) -> str:
        """Which text is read; ``as printed`` where there is but one."""
        return text if self.corrupt else "as printed"


@frozen
class Laws:
    """A code of laws, its source, and the incidents it covers, each with its meaning."""

    source: str
    incidents: Mapping[str, str]
    laws: tuple[Law, ...]
    cited: Mapping[str, str] = field(default_factory=dict)
    """The citations of laws without a number: of passages, and of the leaves that laws of plugins
    rest on."""

    def cite(self, number: int | str) -> str:
        """The citation of a law."""
        return self.cited[number] if isinstance(number, str) else f"{self.source}: L{number}"


def label(number: int | str) -> str:
    """What a law is called: by its number, its page, or the leaf that it rests on."""
    return number if isinstance(number, str) else f"L{number}"


def with_plugins(laws: Laws, rules: Rules, source_of: Callable[[str], str]) -> Laws:
    """The laws, and those on incidents that plugins of the rules add; ``source_of`` cites a
    leaf."""
    found, own = [], tuple(rules.own.all(Incident))
    for one in own:
        due = [row for row in rules.own.all(PaymentRow) if row.incident == one.id]
        judged = [(row, _with_deal(row, rules.own)) for row in due if rules.own.in_force(row)]
        rows = tuple(row for row, why in judged if not why)
        later = dict.fromkeys(why for _, why in judged if why)
        orders = [OrderLaw("pay", "", rows=rows)] if rows else []
        orders += [OrderLaw("pay_with_deal", why) for why in later]
        clause = Clause(one.id, tuple(orders))
        law = Law(one.rule, "irregularity", one.says, one.says, "", "", (one.rule,), (), (clause,))
        found.append(law)
    incidents = {**{one.id: one.doc for one in own}, **laws.incidents}
    cited = {**laws.cited, **{one.rule: source_of(one.rule) for one in own}}
    return Laws(laws.source, incidents, (*laws.laws, *found), cited)


def _with_deal(row: PaymentRow, own: PluginRules) -> str:
    """Why a payment is no more than named in a ruling, to be settled with the deal; empty where it
    can be ordered at the table."""
    asks = [name for name in ("outcomes", "contracts", "trumps") if getattr(row, name)]
    asks += row.named_facts()
    by = dict.fromkeys(change.leaf for change in own.changing(row))
    if not own.amount(row.amount) or not (asks or by):
        return ""
    why = f"it asks for {', '.join(asks)}" if asks else f"{', '.join(by)} may change it"
    text = f"{row.amount}, {row.reason}: settled with the deal, for {why}"
    return text.replace("{", "{{").replace("}", "}}")


def load_laws(path: Path) -> Laws:
    """The laws of a shipped file; tests check its format."""
    data: Any = load_file(path).to_plain()
    laws = tuple(_law(row) for row in data["laws"])
    cited = {
        law.number: f"{data['source']}: {law.number}" for law in laws if isinstance(law.number, str)
    }
    return Laws(data["source"], data["incidents"], laws, cited)


def _law(row: Mapping[str, Any]) -> Law:
    return Law(
        number=row["law"],
        kind=row["kind"],
        emended=row["emended"] if "emended" in row else row["says"],
        literal=row["literal"] if "literal" in row else row["says"],
        corrupt=row.get("corrupt", ""),
        empty=row.get("empty", ""),
        concerns=tuple(row["concerns"]),
        overlaps=tuple(row.get("overlaps", ())),
        clauses=tuple(_clause(c) for c in row.get("clauses", ())),
    )


def _clause(row: Mapping[str, Any]) -> Clause:
    return Clause(
        incident=row["incident"],
        orders=tuple(OrderLaw(**order) for order in row["orders"]),
        when=tuple(row.get("when", {}).items()),
        text=row.get("text", ""),
        note=row.get("note", ""),
    )


def sheets_of(
    compiled: Compiled | None, rules: Rules, source_of: Callable[[str], str]
) -> list[Laws]:
    """The codes of laws to look through, with what plugins of the rules add: of the text followed,
    of the profile's other texts, and the one that is lent; the latter alone without a profile."""
    sources = [CODE]
    if compiled is not None:
        sources = [*followed(compiled), *(w.source for w in compiled.witnesses.values()), CODE]
    codes = resources.laws()
    paths = (codes[source] for source in dict.fromkeys(sources) if source in codes)
    return [with_plugins(load_laws(path), rules, source_of) for path in paths]


def incidents_of(sheets: Sequence[Laws]) -> dict[str, str]:
    """The incidents that these laws know, each in words; the first sheet's where several do."""
    return {name: says for sheet in reversed(sheets) for name, says in sheet.incidents.items()}


def speaking(sheets: Sequence[Laws], incident: str) -> Laws:
    """The first code of laws that knows an incident."""
    return next(sheet for sheet in sheets if incident in sheet.incidents)


def followed(compiled: Compiled) -> list[str]:
    """The sources that the rules follow: of the witness chosen, or of all."""
    chosen = compiled.identity.witness
    witnesses = compiled.witnesses
    return [w.source for name, w in witnesses.items() if chosen in (None, "", name)]
