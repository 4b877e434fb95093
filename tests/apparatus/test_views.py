"""Eight views of one table: what the texts say to the points in dispute stands in each of them."""

import re
from functools import cache

import click
import pytest
import yaml
from lxml import etree
from quadrille_plugins.apparatus.bibliography import bibtex, csl
from quadrille_plugins.apparatus.collation_report import collation_json
from quadrille_plugins.apparatus.matrix import matrix_of
from quadrille_plugins.apparatus.model import apparatus_of
from quadrille_plugins.apparatus.nexus import LETTERS, nexus
from quadrille_plugins.apparatus.report import apparatus_json
from quadrille_plugins.apparatus.tei import NAMESPACE, SOURCE, write
from quadrille_plugins.diff.differences import differences_json, rules_difference
from quadrille_plugins.lookup.answer import answer
from quadrille_plugins.lookup.command import explain_command
from quadrille_plugins.rulebook.compose import compose
from quadrille_plugins.rulebook.notes import Notes
from quadrille_plugins.witnesses.table import bearing_out
from support.apparatus import DISPUTED, RULE_SETS, answering, compiled, table, trial, written

from quadrille_core import resources
from quadrille_core.kinds import TRICKS

SCHEMA = etree.RelaxNG(etree.parse(str(resources.schemas() / "apparatus.rng")))
T = {"t": NAMESPACE}
CHILD = {
    "kind": "profile",
    "id": "child",
    "title": "A child",
    "extends": "quanti-1822",
    "sources": {"manual": {"title": "A manual"}, "letter": {"title": "A letter"}},
    "witnesses": {"manual": {"source": "manual"}},
}
CHILDREN = {
    "chooses": {
        "readings": {"codille_shared": "always", "remise_pays": "matadors_only"},
        "cites": {
            "loss.codille_shared_from": {"source": "manual", "at": "p. 12"},
            "loss.remise_pays": {"source": "letter", "at": "f. 2"},
        },
    },
    "closes": {
        "rules": {"loss": {"remise_pays": ["matadors"]}},
        "cites": {"loss.remise_pays": {"source": "manual", "at": "p. 13"}},
    },
}
"""Profiles that speak of a parent's points by a witness of their own, and by another text."""
SHIPPED = {f"{n}@{w}" if w else n: f"{n}@{w}" if w else n for n, w in RULE_SETS}
TRIALS = [
    *(f"bath{follow}" for follow in ("", "@", "@parlett")),
    *(f"{n} {how}" for n in DISPUTED for how in ("answered", "answered, followed", "by two")),
    *(f"{how}{w}" for how in CHILDREN for w in ("", "@manual", "@parlett", "@wikipedia")),
]


@pytest.fixture(scope="module", name="references")
def references_by_name(tmp_path_factory):
    """Every shipped rule set, and every trial with its files."""
    folder, found = tmp_path_factory.mktemp("texts"), dict(SHIPPED)
    for follow in ("", "@", "@parlett"):
        found[f"bath{follow}"] = f"quanti-1822@{trial()}{follow}"
    for profile in DISPUTED:
        one, two = (
            written(folder, f"{name}-{profile}", of=profile, points=answering(profile))
            for name in ("one", "two")
        )
        found[f"{profile} answered"] = f"{profile}@{one}@"
        found[f"{profile} answered, followed"] = f"{profile}@{one}"
        found[f"{profile} by two"] = f"{profile}@{one}@{two}@"
    for how, says in CHILDREN.items():
        file = folder / f"{how}.yaml"
        file.write_text(yaml.safe_dump(CHILD | says), "utf-8")
        for follow in ("", "@manual", "@parlett", "@wikipedia"):
            found[how + follow] = f"{file}{follow}"
    return found


# --- what must be shown ---------------------------------------------------------------------------


def with_period_texts(rules):
    """The table, with the texts that ``list witnesses`` has and the profile does not name."""
    own = {w.source for w in rules.witnesses.values()}
    points = [one.point for one in (*rules.points, *rules.closed)]
    period = {
        (p.id, r.id, cell.text): cell.at
        for p in points
        for r in p.readings
        for cell in bearing_out(p.id, r.id)
        if cell.text not in own | {other.source for other in r.elsewhere}
    }
    return table(rules) | {(*key, at) for key, at in period.items()}


def in_force(rules):
    """Each rule that a reading in force sets: its state, and every text that bears it, with the
    place and how it speaks.  Where a text is followed this is that text alone."""
    followed = rules.witnesses.get(rules.identity.witness or "")
    found = {}
    for point, reading in ((s.point, s.reading) for s in rules.points):
        bearers = [
            (
                rules.witnesses[a.witness].source if a.witness in rules.witnesses else a.source,
                a.at,
                a.status or reading.status,
                a.witness,
            )
            for a in reading.attested
        ] + [(other.source, other.at, reading.status, "") for other in reading.elsewhere]
        state = bearers[0][2] if bearers else reading.status
        if followed:
            own = [one for one in bearers if one[3] == followed.id]
            speaks = any(followed.id in r.witnesses for r in point.readings)
            absent = followed.absence(point.id, rules.sources.get(followed.source))
            state = own[0][2] if own else "house" if speaks else absent
            bearers = own or (bearers if speaks else [])
        for path, *_ in reading.sets:
            found[path] = state, [one[:3] for one in bearers]
    return found


def borne(rules):
    """The same, one for each text and rule."""
    return {(path, *one) for path, (_, bearers) in in_force(rules).items() for one in bearers}


def words(source, at, status):
    """A text and its place as sources of rules are printed."""
    where = f"{source}: {at}" if at else source
    return where if status == "attested" else f"{status} ({where})"


def beside(rules):
    """Another rule set of the same kind of game, to hold it against."""
    if rules.kind != TRICKS:
        return compiled("royal-quadrille")
    return compiled(
        "quanti-1822" if rules.identity.profile == "quadrille-modern" else "quadrille-modern"
    )


def held(rules, cells):
    """What bears the rules of points, as these cells (path, status, source) say it, each to the
    letter."""
    found, wanted = set(), in_force(rules)
    for path, status, text in cells:
        if path in wanted:
            state, bearers = wanted[path]
            if bearers:
                assert text == "; ".join(words(*one) for one in bearers)
                found |= {(path, *one) for one in bearers}
            assert status in (None, state)
    return found


# --- what is shown --------------------------------------------------------------------------------


def explained(rules):
    """By each point: who has each reading, and where; its rows have the same."""
    found = set()
    for point in [one.point.id for one in (*rules.points, *rules.closed)]:
        with click.Context(explain_command):
            told = answer("explain", f"point:{point}", rules)
        (one,) = told.data()["profiles"].values()
        own = {
            (point, row["reading"], row["witness"], row["at"] or "")
            for row in one["witnesses"]
            if not row["filled"]
        } | {
            (point, reading, name, where["at"] or "")
            for reading, says in one["readings"].items()
            for name, where in says["elsewhere"].items()
        }
        heads, rows = told.rows()
        who = {row[heads.index("reading")]: row[heads.index("who")] for row in rows}
        assert all(
            (f"{name} ({at})" if at else name) in who[reading] for _, reading, name, at in own
        )
        found |= own
    return found


def printed_apparatus(rules):
    """Open points and closed ones, by reading."""
    data = apparatus_json(apparatus_of(rules))
    return {
        (point, reading, name, where["at"] or "")
        for point, one in (*data["points"].items(), *data["closed"].items())
        for reading, says in one["readings"].items()
        for name, where in (*says["witnesses"].items(), *says["elsewhere"].items())
    }


def encoded(rules):
    """The readings of ``app`` with ``wit`` and ``source``, and the items of closed points."""
    root = etree.fromstring(write(apparatus_of(rules)).encode())
    assert SCHEMA.validate(root), SCHEMA.error_log
    found = set()
    for app in root.iterfind(".//t:app", T):
        places = {
            (one.get("target"), one.get("wit") or one.get("source")): one.text
            for one in app
            if one.get("type") == "place"
        }
        for reading in app:
            if reading.get("n") and not reading.get("type"):
                key = f"#{app.get('n')}.{reading.get('n')}"
                for name in f"{reading.get('wit') or ''} {reading.get('source') or ''}".split():
                    found.add((app.get("n"), reading.get("n"), name, places.get((key, name), "")))
    for closed in root.iterfind(".//t:div[@type='closed']/t:list/t:item", T):
        for reading in closed.iterfind("t:list[@type='readings']/t:item", T):
            places = {one.get("source"): one.text for one in reading.iterfind("t:note", T)}
            for name in (reading.get("source") or "").split():
                found.add((closed.get("n"), reading.get("n"), name, places.get(name, "")))
    return {(p, r, n.removeprefix("#").removeprefix(SOURCE), at) for p, r, n, at in found}


def collated(rules):
    """The cells of the rules in force; patience is not collated."""
    if rules.kind != TRICKS:
        return borne(rules)
    rows = collation_json(matrix_of([rules, beside(rules)]), everything=True)["rules"]
    cells = {path: next(iter(row.values())) for path, row in rows.items()}
    return held(rules, ((path, one["state"], one["source"]) for path, one in cells.items()))


def differing(rules):
    """The sources of the rules in which another rule set differs."""
    rows = differences_json(rules_difference(rules, beside(rules)))
    return held(rules, ((d["path"], None, d["sources"][0]) for d in rows))


def differ(rules):
    """What a list of differences has: the rules whose values differ."""
    own, other = (
        {path: origin.value for path, origin in one.origins.items()}
        for one in (rules, beside(rules))
    )
    return {one for one in borne(rules) if own[one[0]] != other.get(one[0])}


def noted(rules):
    """The notes on the sentences that state rules of points."""
    notes, told = Notes(rules), []
    for _, _, sentence in compose(rules).sentences():
        number = notes.of(sentence)
        told += [(path, number) for path in sentence.cites if number]
    by_number, found = dict(notes.listed()), set()
    for path, number in told:
        for source, at, status in in_force(rules).get(path, ("", []))[1]:
            places = [re.sub(r"\bL(\d+)\b", r"law \1", one) for one in at.split("; ")]
            assert all(part in by_number[number] for part in (source, *places))
            found.add((path, source, at, status))
    return found


def stated(rules):
    """What a rulebook has: the rules that one of its sentences states."""
    cites = {path for _, _, sentence in compose(rules).sentences() for path in sentence.cites}
    return {one for one in borne(rules) if one[0] in cites}


def in_nexus(rules):
    """The letters of the states of the rules for which two texts differ."""
    if rules.kind != TRICKS:
        return set()
    text, state_of = nexus(matrix_of([rules, beside(rules)])), {v: k for k, v in LETTERS.items()}
    paths = re.findall(r"^    \d+ '?([\w.*-]+)'? /", text, re.MULTILINE)
    letters = text.split("  STATES\n")[1].splitlines()[0].split()[-1] if paths else ""
    states = zip(paths, map(state_of.get, letters), strict=True)
    return {(path, state) for path, state in states if path in in_force(rules)}


def characters(rules):
    """What NEXUS has: the states of the rules that both texts tell, differently."""
    if rules.kind != TRICKS:
        return set()
    variant = matrix_of([rules, beside(rules)]).variant()
    return {(path, state) for path, (state, _) in in_force(rules).items() if path in variant}


def listed(rules):
    """The sources of a bibliography that have a reading, each by its name."""
    sources = apparatus_of(rules).sources
    ids = {item["id"] for item in csl(sources)}
    assert ids == set(re.findall(r"^@\w+\{(\S+),$", bibtex(sources), re.MULTILINE))
    return ids & named(rules)


def named(rules):
    """Every source that has a reading, open or closed."""
    source_of = {w.id: w.source for w in rules.witnesses.values()}
    return {source_of.get(name, name) for _, _, name, _ in with_period_texts(rules)}


VIEWS = {
    "explain": (explained, table),
    "apparatus": (printed_apparatus, with_period_texts),
    "TEI": (encoded, with_period_texts),
    "bibliography": (listed, named),
    "collate": (collated, borne),
    "diff": (differing, differ),
    "rulebook": (noted, stated),
    "NEXUS": (in_nexus, characters),
}
"""Each view with what it shows, and what it must show.  The first four show the points, with every
text on each; the bibliography has texts without places.  The others show one rule set: the texts
that bear its rules, or the one that is followed; of patience there is no matrix."""


@cache
def shown(rules):
    """What each view shows, by its name."""
    return {view: show(rules) for view, (show, _) in VIEWS.items()}


@pytest.mark.parametrize("name", [*SHIPPED, *TRIALS])
def test_every_view_shows_the_one_table(name, references):
    """All eight views show of each rule set what its table of attestations holds."""
    rules = compiled(references[name])
    assert shown(rules) == {view: wanted(rules) for view, (_, wanted) in VIEWS.items()}


@pytest.mark.parametrize("name", [name for name in SHIPPED if name.split("@")[0] in DISPUTED])
def test_a_further_text_takes_nothing_out_of_any_view(name, references):
    """What the views show of a shipped rule set they show of it beside a text that answers all its
    points."""
    before = compiled(references[name])
    joined = references[f"{name.split('@')[0]} answered"]
    after = compiled(joined + (before.identity.witness or ""))
    for view, attestations in shown(before).items():
        assert attestations <= shown(after)[view]
