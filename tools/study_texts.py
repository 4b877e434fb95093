"""A study of texts: its rule files, and its tables and pictures.

A study has them under ``texts`` in its ``study.yaml``.  A rule file there is a profile that
``extends`` another and

- ``set``: has these rules besides;
- ``shared: [REF, REF]``: has every rule that both texts attest, and for which they differ, as the
  second has it;
- ``filled: REF`` with ``from: REF``: is the first text, with every rule that it does not itself
  attest as the other
  has it, where the other has that rule; ``readings`` are chosen first.

``leave`` names rules that stay as they are, with the reason.  Under ``compared`` stands which pair
of which manifest shows a text over the rules that both attest (``shared``) and under two fillings
(``shipped``, ``filled``), under ``carried`` which manifest tells by what rules the first.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml
from quadrille_plugins.apparatus.matrix import SPEAKS, Cell
from quadrille_plugins.studies.picture import Picture, PlotMark
from quadrille_plugins.studies.words import column_name

from quadrille_core.ruleset import Compiled, compile_reference

Plain = dict[str, Any]


def rule_files(folder: Path) -> dict[str, str]:
    """The text of each rule file of a study, by its name; none where the study has no texts."""
    asked = yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8")).get("texts")
    if asked is None:
        return {}
    return {name: _file(name, one, asked["leave"]) for name, one in asked["rules"].items()}


def _file(name: str, one: Plain, leave: Mapping[str, str]) -> str:
    extends = one.get("extends") or one["filled"].partition("@")[0]
    base = _values(compile_reference(extends))
    left = {**leave, **one.get("leave", {})}
    wanted = {path: value for path, value in wanted_rules(one).items() if path not in left}
    wanted = {path: value for path, value in wanted.items() if path in base and base[path] != value}
    wanted |= one.get("set", {})
    told = one.get("shared") or [f"{one.get('filled', extends)}", *filter(None, [one.get("from")])]
    head: Plain = {
        "kind": "profile",
        "id": name,
        "title": f"{name} ({', '.join(told)})",
        "extends": extends,
    }
    rules: Plain = {"rules": nested(wanted)} if wanted else {}
    text: str = yaml.safe_dump(head | rules, sort_keys=False, allow_unicode=True, width=118)
    return f"# Written by tools/run_studies.py from study.yaml.\n{text}"


def wanted_rules(one: Plain) -> Plain:
    """The rules that a rule file has to have by ``shared`` or ``filled``, the same as before among
    them."""
    if "shared" in one:
        first, second = map(compile_reference, one["shared"])
        return {p: second.origins[p].value for p in both_attest(first, second)}
    if "filled" not in one:
        return {}
    text = compile_reference(one["filled"], readings=one.get("readings", {}))
    filler = _values(compile_reference(one["from"]))
    return {p: v if p in attested(text) else filler.get(p, v) for p, v in _values(text).items()}


def both_attest(first: Compiled, second: Compiled) -> set[str]:
    """The rules that both texts attest, or that follow from what they say."""
    return attested(first) & attested(second)


def attested(text: Compiled) -> set[str]:
    """The rules that a text attests, or that follow from what it says."""
    return {path for path in _values(text) if text.origins[path].status in SPEAKS}


def _values(compiled: Compiled) -> Plain:
    return {
        path: origin.value
        for path, origin in compiled.origins.items()
        if not path.endswith(".title")
    }


def nested(rules: Mapping[str, Any]) -> Plain:
    """Rules by path as a profile has them."""
    found: Plain = {}
    for path, value in sorted(rules.items()):
        *above, last = path.split(".")
        at = found
        for key in above:
            at = at.setdefault(key, {})
        at[last] = value
    return found


# --- what the comparisons found -------------------------------------------------------------------

DESIGNS = {
    "shared": "what both attest",
    "shipped": "filled as shipped",
    "filled": "filled by the article",
}
ROLES = {"hombre": "the Hombre", "ally": "the ally", "adversaries": "the adversaries together"}
STAR = " \\*"
"""As it stands in a table of Markdown."""


@dataclass(frozen=True, slots=True)
class Found:
    """One text against the reference in one comparison."""

    stake: Fraction
    """Counters laid down before a deal, the same in both."""
    pair: Plain
    """The pair as the manifest has it."""
    per_rule_set: tuple[Plain, Plain]
    """Reference, text."""

    def effect(self, column: str) -> Plain:
        """The total effect on a role or a seat, in percent of what is laid down in a session."""
        total = self.pair["effects"]["total"]
        e = {**total["seats"], **total["roles"]}[column]
        laid = float(self.stake * self.pair["effects"]["session_deals"])
        ends = {end: None if e[end] is None else 100 * e[end] / laid for end in ("low", "high")}
        return {"mean": 100 * e["mean"] / laid, **ends, "answer": e["answer"]}

    def par(self, role: str) -> Plain:
        """The difference of par for a role in a mean deal, in percent of what is laid down before
        it."""
        e = self.pair["difference"]["by_role"]["adversary" if role == "adversaries" else role]
        return {
            k: None if e[k] is None else 100 * e[k] / float(self.stake)
            for k in ("mean", "low", "high")
        }


def rows(
    folder: Path, found: Mapping[str, Plain], game: str, before: str = ""
) -> dict[str, dict[str, Found]]:
    """What each comparison found of each text of a game, by text and design."""
    asked = yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))["texts"][
        "compared"
    ][game]
    return {
        text: {d: _found(found, f"{before}{at}") for d, at in one.items()}
        for text, one in asked.items()
    }


def _found(manifests: Mapping[str, Plain], at: str) -> Found:
    name, number = at.split()
    manifest = manifests[name]
    pair = manifest["results"]["paired"][int(number) - 1]
    stakes = {_stake(manifest["rule_sets"][n]["rules"]) for n in (pair["first"], pair["second"])}
    if len(stakes) != 1:
        raise ValueError(f"{at}: the stakes differ, {sorted(stakes)}")
    per_rule_set = manifest["results"]["per_rule_set"]
    return Found(stakes.pop(), pair, (per_rule_set[pair["first"]], per_rule_set[pair["second"]]))


def _stake(rules: Mapping[str, Any]) -> Fraction:
    payers = rules["table.players"] if rules["stakes.ante_by"] == "each" else 1
    return payers * Fraction(rules["stakes.ante"]) + Fraction(rules["stakes.dealer_adds"])


def sign(e: Plain) -> int:
    """Whether an interval lies above zero (1), below it (-1) or neither (0); 0 without an
    interval."""
    if e["low"] is None or e["high"] is None:
        return 0
    return (e["low"] > 0) - (e["high"] < 0)


def starred(effects: Sequence[Plain]) -> bool:
    """Whether every one of the effects excludes zero, all on the same side."""
    return {sign(e) for e in effects} in ({1}, {-1})


def verdict(effects: Mapping[str, Plain]) -> str:
    """What may be said of an effect that was estimated over shared rules and under two fillings."""
    shared, *fillings = (effects[d] for d in DESIGNS)
    if starred([shared, *fillings]):
        large = all(e["answer"] == "larger" for e in (shared, *fillings))
        return "large" + STAR if large else "shown" + STAR
    if sign(fillings[0]) * sign(fillings[1]) < 0:
        return "changes sign with the filling"
    if not starred(fillings):
        return "not under both fillings"
    return "not over what both attest" if not sign(shared) else "other sign over what both attest"


def _span(e: Plain) -> str:
    told = (
        f"{e['mean']:+.0f}"
        if e["low"] is None
        else f"{e['mean']:+.0f} ({e['low']:+.0f} to {e['high']:+.0f})"
    )
    return told.replace("-", "\N{MINUS SIGN}")


def _table(head: Sequence[str], lines: Sequence[Sequence[str]], words: int = 2) -> str:
    """A table whose first columns and last are words, the others numbers."""
    ruled = [head, ["---"] * words + ["--:"] * (len(head) - words - 1) + ["---"], *lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in ruled)


def roles_table(found: Mapping[str, Mapping[str, Found]]) -> str:
    """Each text's total effect on each role, in the three comparisons, and what may be said of
    it."""
    lines = []
    for text, designs in found.items():
        for role, words in ROLES.items():
            effects = {d: one.effect(role) for d, one in designs.items()}
            lines.append(
                [f"`{text}`", words, *(_span(effects[d]) for d in DESIGNS), verdict(effects)]
            )
    return _table(["text", "role", *DESIGNS.values(), "may be said"], lines)


def seats_table(found: Mapping[str, Mapping[str, Found]]) -> str:
    """The effects on seats that have a star, and no others."""
    lines = []
    for text, designs in found.items():
        seats = [
            c for c in designs["shared"].pair["effects"]["total"]["seats"] if c.startswith("seat ")
        ]
        for column in seats:
            effects = {d: one.effect(column) for d, one in designs.items()}
            if starred([effects[d] for d in DESIGNS]):
                words = column_name(column, len(seats))
                lines.append(
                    [f"`{text}`", words, *(_span(effects[d]) for d in DESIGNS), verdict(effects)]
                )
    return _table(["text", "seat", *DESIGNS.values(), "may be said"], lines) if lines else "None."


def games_table(found: Mapping[str, Mapping[str, Found]]) -> str:
    """How often games are lost and played alone: the reference, then the text, under each
    filling."""
    lines = []
    for text, designs in found.items():
        for design in ("shipped", "filled"):
            both = designs[design].per_rule_set
            lost = " → ".join(_percent(s["outcomes"], ("remise", "codille")) for s in both)
            ally = " → ".join(
                _percent(s["contracts"], ("alliance", "forced-spadille", "casco")) for s in both
            )
            lines.append([f"`{text}`", _often(designs[design].pair), lost, ally, DESIGNS[design]])
    head = [
        "text",
        "deals that diverge, %",
        "games lost, %",
        "games with an ally called, %",
        "filling",
    ]
    return _table(head, lines, words=1)


def _often(pair: Plain) -> str:
    return f"{100 * pair['diverging']['share']['mean']:.0f}"


def _percent(counted: Mapping[str, Plain], names: Sequence[str]) -> str:
    return f"{100 * sum(counted[n]['share']['mean'] for n in names if n in counted):.0f}"


def par_table(
    found: Mapping[str, Mapping[str, Found]], played: Mapping[str, Mapping[str, Found]]
) -> str:
    """Par of the Hombre, of whom there is one in every deal, and whether its signs are those of the
    bots' play."""
    lines = []
    for text, designs in found.items():
        par = {d: designs[d].par("hombre") for d in DESIGNS}
        bots = {d: played[text][d].effect("hombre") for d in DESIGNS}
        both = [(sign(par[d]), sign(bots[d])) for d in DESIGNS if sign(par[d]) and sign(bots[d])]
        agree = f"{sum(a == b for a, b in both)} of {len(both)}"
        lines.append(
            [
                f"`{text}`",
                *(_span(par[d]) for d in DESIGNS),
                agree,
                verdict_of_par(list(par.values())),
            ]
        )
    return _table(
        ["text", *DESIGNS.values(), "same sign as in play", "may be said"], lines, words=1
    )


def verdict_of_par(effects: Sequence[Plain]) -> str:
    """What may be said of a difference of par in the three comparisons."""
    if starred(effects):
        return "shown" + STAR
    return "changes sign" if {1, -1} <= {sign(e) for e in effects} else "not in all three"


MOST_CARRIED = 3
"""Groups of rules that a table names."""


def carried_table(folder: Path, found: Mapping[str, Plain]) -> str:
    """What the heaviest groups of the rules that both attest carry of the role that moves most, in
    percent of what is laid down in a session."""
    asked = yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))["texts"]["carried"]
    lines = []
    for text, name in asked.items():
        manifest = found[name]
        results = manifest["results"]
        role, deals = results["leading"], results["design"]["session_deals"]
        laid = float(_stake(manifest["rule_sets"][0]["rules"]) * deals)

        def of(one: Plain, role: str = role, laid: float = laid) -> Plain:
            e = one["by_column"][role]
            return {k: None if e[k] is None else 100 * e[k] / laid for k in ("mean", "low", "high")}

        heaviest = sorted(results["groups"], key=lambda g: -abs(of(g)["mean"]))[:MOST_CARRIED]
        told = "; ".join(f"`{g['name'].replace('`', '')}` {_span(of(g))}" for g in heaviest)
        total = _span(of(results["total"]))
        lines.append([f"`{text}`", ROLES[role], total, str(len(results["groups"])), told])
    return _table(["text", "role that moves most", "in all", "groups", "the heaviest"], lines)


def rests_table(folder: Path) -> str:
    """How many rules each text attests, how many another attests too, and for how many of these
    they differ."""
    asked = yaml.safe_load((folder / "study.yaml").read_text(encoding="utf-8"))["texts"]
    lines = []
    for name, one in asked["rules"].items():
        if "shared" not in one:
            continue
        first, second = map(compile_reference, one["shared"])
        both = both_attest(first, second)
        differ = sum(_in_words(first, p) != _in_words(second, p) for p in both)
        own = len(attested(second))
        told = [str(n) for n in (own, len(both), differ)]
        lines.append(
            [
                f"`{one['shared'][1]}`",
                f"`{one['shared'][0]}`",
                *told,
                f"[{name}](rules/{name}.yaml)",
            ]
        )
    return _table(
        ["text", "against", "rules it attests", "both attest", "of these differ", "rule file"],
        lines,
    )


def _in_words(text: Compiled, path: str) -> str:
    return Cell(text.origins[path].status, text.origins[path].value).text


def tables(folder: Path, found: Mapping[str, Plain]) -> Iterator[tuple[str, str]]:
    """Every table of a study of texts, by name."""
    four, five = rows(folder, found, "four"), rows(folder, found, "five")
    yield "roles", roles_table(four)
    yield "seats", seats_table(four)
    yield "carried", carried_table(folder, found)
    yield "games", games_table(four)
    yield "quintilles", roles_table(five)
    yield "par", par_table(rows(folder, found, "four", "long/par-"), four)
    yield "par of quintilles", par_table(rows(folder, found, "five", "long/par-"), five)
    yield "rests on", rests_table(folder)


def pictures(folder: Path, found: Mapping[str, Plain]) -> tuple[Picture, ...]:
    """The total effect on each role, by text and comparison."""
    four = rows(folder, found, "four")
    return tuple(_picture(role, words, four) for role, words in ROLES.items())


def _picture(role: str, words: str, found: Mapping[str, Mapping[str, Found]]) -> Picture:
    marks, firm = [], []
    for text, designs in found.items():
        effects = {d: one.effect(role) for d, one in designs.items()}
        star = starred([effects[d] for d in DESIGNS])
        firm += [text] if star else []
        for design, named in DESIGNS.items():
            e = {
                k: None if e is None else round(e, 3)
                for k, e in effects[design].items()
                if k != "answer"
            }
            marks.append(
                PlotMark(
                    label=f"{text} *" if star else text,
                    series=named,
                    value=e["mean"],
                    low=e["low"],
                    high=e["high"],
                )
            )
    told = ", ".join(firm) or "none"
    return Picture(
        name=f"effect-{role}",
        title=f"{words[0].upper()}{words[1:]}: against Quanti's rules",
        alt=f"Total effects on {words} of seven texts, each over what both attest and under two "
        f"fillings. All three exclude zero on one side for: {told}.",
        kind="intervals",
        rows=tuple(marks),
        value="per cent of what is laid down in a session of 40 deals",
        series="rules",
        caption="At the same stake. Points are means, lines 95 % intervals. "
        "A *: all three exclude zero, on the same side.",
    )
