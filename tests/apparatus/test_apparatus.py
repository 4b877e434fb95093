"""The apparatus of a rule set: every point, reading, witness and silence that the profiles hold,
and nothing else."""

import csv
import io
import json
from dataclasses import replace

import pytest
import yaml
from quadrille_plugins.apparatus.model import apparatus_of
from quadrille_plugins.apparatus.report import apparatus_json
from quadrille_plugins.lookup.provenance import explain_json
from quadrille_plugins.witnesses.table import bearing_out
from support.apparatus import PLAYED, RULE_SETS, compiled, lineage, made, merged

from quadrille_core import resources
from quadrille_core.errors import ProfileError
from quadrille_core.ruleset import compile_reference, load_chain
from quadrille_core.ruleset.compile import compile_chain
from quadrille_core.ruleset.reference import parse_reference


@pytest.mark.parametrize(("name", "witness"), RULE_SETS)
def test_every_point_of_the_files_is_there_open_or_closed_with_its_readings_and_witnesses(
    name, witness
):
    apparatus = made(name, witness)
    written = merged(name, "points")
    assert {p.id for p in apparatus.points} | {c.id for c in apparatus.closed} == set(written)
    assert not {p.id for p in apparatus.points} & {c.id for c in apparatus.closed}
    for point in apparatus.points:
        told = written[point.id]
        assert point.question == told["question"]
        assert {r.id for r in point.readings} == set(told["readings"])
        for reading in point.readings:
            said = told["readings"][reading.id]
            at = said.get("at", "")
            names = said.get("witnesses", [])
            places = {w: at.get(w, "") if isinstance(at, dict) else at for w in names}
            assert dict(reading.attested) == places
            others = said.get("elsewhere", [])
            named = {s: at.get(s, "") if isinstance(at, dict) else at for s in others}
            assert named.items() <= dict(reading.elsewhere).items()
            period = {cell.text for cell in bearing_out(point.id, reading.id)}
            assert set(dict(reading.elsewhere)) - set(named) <= period, (
                "what no profile names, the table has"
            )
            assert reading.at == ("" if names or others else at)
            assert reading.status == said.get("status", "attested")
            assert names or others or "status" in said, (
                "a shipped profile says of every reading where it comes from"
            )
            assert reading.certainty == said.get("certainty", "")
            assert {path for path, _ in reading.sets} == set(said["set"])


@pytest.mark.parametrize(("name", "witness"), RULE_SETS)
def test_a_witness_is_silent_where_no_reading_names_it_and_what_fills_that_is_what_it_plays(
    name, witness
):
    apparatus = made(name, witness)
    known = merged(name, "witnesses")
    followed = {w: {s.point.id: s for s in compiled(f"{name}@{w}").points} for w in known}
    for point in apparatus.points:
        readings = merged(name, "points")[point.id]["readings"]
        speaking = {w for r in readings.values() for w in r.get("witnesses", [])}
        assert {s.witness for s in point.silences} == set(known) - speaking
        for silence in point.silences:
            state = followed[silence.witness][point.id]
            assert (state.silent, state.reading.id) == (True, silence.filled)


@pytest.mark.parametrize("name", PLAYED)
def test_the_lemma_is_the_reading_in_force_and_stands_first(name):
    for state, point in zip(compiled(name).points, made(name).points, strict=True):
        assert point.lemma.id == state.reading.id
        alternatives = [r for r in state.point.readings if r is not state.reading]
        assert [r.id for r in point.readings[1:]] == [r.id for r in alternatives]


def test_why_a_reading_is_in_use_is_told_whoever_chose_it(tmp_path):
    def because(point, **more):
        return {p.id: p for p in made("quanti-1822", **more).points}[point].because

    assert because("ponto") == "default"
    assert because("ponto", witness="wikipedia") == "witness"
    assert because("forced_premiers", witness="parlett") == "witness"
    assert because("red_plain_ace", witness="parlett") == "default"
    assert because("ponto", witness="wikipedia", readings={"ponto": "red_ace_only"}) == "hand"
    path = tmp_path / "ours.yaml"
    path.write_text(
        "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\ndefault_witness: wikipedia\n"
        "readings: {ponto: red_ace_only}\n"
    )
    assert {p.id: p for p in made(str(path)).points}["ponto"].because == "profile"


def test_a_fill_of_the_witness_is_distinguished_from_the_default():
    for name, witness in RULE_SETS:
        if witness is None:
            continue
        fills = merged(name, "witnesses")[witness].get("fills", {})
        for point in made(name, witness).points:
            for silence in point.silences:
                if silence.witness == witness:
                    assert silence.because == ("filling" if point.id in fills else "default")
                    assert point.because == silence.because


def test_what_closes_a_point_is_named_rule_by_rule():
    rules = compiled("mediateur-1752")
    closed = apparatus_of(rules).closed
    assert closed, "the book of 1752 settles points of the later one"
    for point in closed:
        for settled in point.by:
            assert settled.value == rules.value_of(settled.path)
            assert settled.name.partition("=")[0] != point.id
    assert {c.id for c in closed} == {
        p.id for d in load_chain("mediateur-1752") for p in d.points
    } - {s.point.id for s in rules.points}


def test_a_house_rule_closes_its_point_and_no_other(tmp_path):
    path = tmp_path / "ours.yaml"
    path.write_text(
        "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\nrules: {cards: "
        "{black_ponto: king}}\n"
    )
    before, after = made("quanti-1822"), made(str(path))
    (closed,) = after.closed
    (ponto,) = (p for p in before.points if p.id == "ponto")
    assert (closed.id, {*closed.readings}) == ("ponto", {*ponto.readings})
    assert [(b.path, b.value, b.setter, b.name) for b in closed.by] == [
        ("cards.black_ponto", "king", "profile", "ours")
    ]
    assert [p.id for p in after.points] == [p.id for p in before.points if p.id != "ponto"]


def test_a_witness_that_only_a_reading_names_is_told_without_a_source(tmp_path):
    path = tmp_path / "ours.yaml"
    path.write_text(
        "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\npoints:\n  black:\n    "
        "question: Which?\n    default: without\n    readings:\n"
        "      without: {set: {cards.black_ponto: none}, witnesses: [letter], at: p. 3}\n"
        "      with: {set: {cards.black_ponto: king}}\n"
    )
    apparatus = made(str(path), only=["black", "ponto"])
    assert [(w.id, w.source) for w in apparatus.witnesses if w.id == "letter"] == [("letter", "")]
    (point,) = apparatus.points
    assert [*point.lemma.attested] == [("letter", "p. 3")]
    assert [s.witness for s in point.silences] == ["parlett", "wikipedia"]
    (closed,) = apparatus.closed
    assert [(b.setter, b.name) for b in closed.by] == [("reading", "black=without")]


def test_a_plugin_that_patches_a_disputed_rule_closes_its_point():
    plain, patched = made("quadrille-laws"), made("quadrille-laws+point-score")
    closed = {c.id: c for c in patched.closed}
    assert "ante" in closed
    assert set(closed) == {p.id for p in plain.points} - {p.id for p in patched.points}
    assert all(b.setter == "plugin" for c in closed.values() for b in c.by)


def test_a_plugin_closes_a_point_of_the_very_profile_that_names_it(tmp_path):
    path = tmp_path / "ours.yaml"
    head = "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\n"
    point = (
        "points:\n  dealer:\n    question: Who stakes?\n    default: each\n    readings:\n"
        "      each: {set: {stakes.ante: 1}}\n      more: {set: {stakes.ante: 2}}\n"
    )
    path.write_text(head + point)
    assert [p.id for p in made(str(path), only=["dealer"]).points] == ["dealer"]
    other = tmp_path / "with-plugin.yaml"
    other.write_text(head + "plugins: [{plugin: point-score}]\n" + point)
    asked = made(str(other), only=["dealer"])
    assert (asked.points, [b.name for c in asked.closed for b in c.by]) == ((), ["point-score"])


def test_only_the_points_asked_for_are_told_and_a_closed_one_too():
    assert [p.id for p in made("quanti-1822", only=["ponto", "red_plain_ace"]).points] == [
        "red_plain_ace",
        "ponto",
    ]
    asked = made("mediateur-1752", only=["ladder"])
    assert (asked.points, [c.id for c in asked.closed]) == ((), ["ladder"])
    with pytest.raises(ProfileError) as caught:
        made("quanti-1822", only=["pontoo"])
    assert caught.value.problems[0].code == "Q401"
    assert "ponto" in caught.value.problems[0].help


@pytest.mark.parametrize("name", PLAYED)
def test_every_source_that_a_profile_or_its_parents_name_is_listed(name):
    listed = {s.id for s in made(name).sources}

    def named(node):
        if isinstance(node, dict):
            for key, value in node.items():
                if key in ("source", "from") and isinstance(value, str):
                    yield value
                yield from named(value)
        elif isinstance(node, list):
            for item in node:
                yield from named(item)

    wanted = {
        s
        for plain in lineage(name)
        for key in ("witnesses", "cites")
        for s in named(plain.get(key, {}))
    }
    open_points = {p.id for p in made(name).points}
    readings = [
        r
        for p, point in merged(name, "points").items()
        if p in open_points
        for r in point["readings"].values()
    ]
    wanted |= {source for r in readings for source in r.get("elsewhere", [])}
    assert wanted <= listed
    shelf = yaml.safe_load(resources.bibliography().read_text("utf-8"))["sources"]
    assert {shelf[s][key] for s in listed for key in ("of", "via") if key in shelf[s]} <= listed


@pytest.mark.parametrize("name", PLAYED)
def test_a_reading_has_the_status_and_the_sources_that_its_rules_have_when_it_is_in_force(name):
    """No witness is followed, since under one that lacks a reading its rules fill a silence
    instead."""
    *parents, last = load_chain(name)
    chain = (*parents, replace(last, default_witness=None))

    def played(readings):
        return compile_chain(chain, parse_reference(name), readings=readings, settings={})

    told = apparatus_json(apparatus_of(played({})))
    spoken = {w: said["source"] for w, said in told["witnesses"].items()}
    tried = 0
    for point, entry in told["points"].items():
        asking = [n for n, doc in enumerate(chain) if any(p.id == point for p in doc.points)]
        below = chain[asking[-1] :] if asking else chain
        for reading, said in entry["readings"].items():
            wanted = {(spoken[w], at["at"]) for w, at in said["witnesses"].items()}
            period = {
                cell.text for cell in bearing_out(point, reading)
            }  # they have no say in what the rules rest on
            own = [
                r
                for doc in chain
                for p in doc.points
                if p.id == point
                for r in p.readings
                if r.id == reading
            ]
            period -= {source for r in own for source, _ in r.elsewhere}
            wanted |= {
                (source, at["at"])
                for source, at in said["elsewhere"].items()
                if source not in period
            }
            rules = played({point: reading})
            for path in said["set"]:
                first = explain_json(rules, [path])["paths"][path]["chain"][0]
                if first["name"] != f"{point}={reading}" or any(path in doc.cites for doc in below):
                    continue  # a plugin patched it, or who asks has words on this very rule
                tried += 1
                assert {c["status"] for c in first["citations"]} == {said["status"]}, (
                    point,
                    reading,
                )
                assert {(c["source"], c["at"]) for c in first["citations"]} == (
                    wanted or {(None, said["at"])}
                )
    assert tried >= sum(len(entry["readings"]) for entry in told["points"].values()) * 3 / 4


def test_one_who_names_nobody_and_says_nothing_guesses_in_the_apparatus_and_in_the_rules(tmp_path):
    path = tmp_path / "ours.yaml"
    path.write_text(
        "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\nsources:\n  old-book: {title: A}\n  second: {title: B}\npoints:\n  dealer:\n    "
        "question: Who stakes?\n    default: one\n    readings:\n      one: {set: {stakes.ante: "
        "1}}\n      two: {set: {stakes.ante: 2}, elsewhere: [old-book, second], at: {old-book: "
        "p. 3}, note: They say so.}\n"
    )
    (point,) = made(str(path), only=["dealer"]).points
    assert [(r.id, r.status, [*r.elsewhere]) for r in point.readings] == [
        ("one", "conjecture", []),
        ("two", "attested", [("old-book", "p. 3"), ("second", "")]),
    ]
    assert {"old-book", "second"} <= {s.id for s in made(str(path), only=["dealer"]).sources}
    assert compile_reference(str(path)).origins["stakes.ante"].status == "conjecture"
    two = compile_reference(str(path), readings={"dealer": "two"})
    assert two.source_of("stakes.ante") == "old-book: p. 3; second"
    followed = (
        compile_reference(f"{path}@parlett", readings={"dealer": "two"})
        .origins["stakes.ante"]
        .link.citations
    )
    assert [(c.source, c.status, c.filled, c.from_) for c in followed] == [
        ("parlett", "silent", "They say so.", "old-book")
    ]


def test_json_and_csv_hold_what_the_model_holds(quadrille):
    apparatus = made("quanti-1822", "parlett")
    data = json.loads(quadrille("apparatus", "quanti-1822@parlett", "--format", "json")[1])
    rows = list(
        csv.DictReader(
            io.StringIO(quadrille("apparatus", "quanti-1822@parlett", "--format", "csv")[1])
        )
    )
    assert list(data["points"]) == [p.id for p in apparatus.points]
    for point in apparatus.points:
        told = data["points"][point.id]
        assert told["reading"] == point.lemma.id == next(iter(told["readings"]))
        assert {r: list(v["witnesses"]) for r, v in told["readings"].items()} == {
            r.id: [name for name, _ in r.attested] for r in point.readings
        }
        assert {r: v["set"] for r, v in told["readings"].items()} == {
            r.id: dict(r.sets) for r in point.readings
        }
        assert {r: list(v["elsewhere"]) for r, v in told["readings"].items()} == {
            r.id: [name for name, _ in r.elsewhere] for r in point.readings
        }
        assert list(told["silent"]) == [s.witness for s in point.silences]
    assert [(r["point"], r["reading"], r["in_use"]) for r in rows] == [
        (p.id, r.id, "yes" if r is p.lemma else "no") for p in apparatus.points for r in p.readings
    ]
    (row,) = [r for r in rows if (r["point"], r["reading"]) == ("red_plain_ace", "top")]
    assert row["elsewhere"] == "wikipedia-old: opening; modern-page: ranking outside trumps"


def test_output_is_written_whole_or_not_at_all(quadrille, tmp_path):
    path = tmp_path / "apparatus.json"
    assert quadrille("apparatus", "quanti-1822", "--format", "json", "--output", str(path))[:2] == (
        0,
        "",
    )
    assert path.read_text("utf-8") == quadrille("apparatus", "quanti-1822", "--format", "json")[1]
    before = path.read_bytes()
    assert (
        quadrille("apparatus", "quanti-1822", "--point", "nonsense", "--output", str(path))[0] == 1
    )
    assert path.read_bytes() == before
    status, _, error = quadrille(
        "apparatus", "quanti-1822", "--output", str(tmp_path / "no" / "file")
    )
    assert (status, "cannot write" in error) == (2, True)
    assert [p.name for p in tmp_path.iterdir()] == ["apparatus.json"]


def test_the_option_for_points_takes_a_word_as_the_argument_does(quadrille):
    """`--point codille` was refused, and `apparatus REF codille` listed four."""
    assert quadrille("apparatus", "quanti-1822", "--point", "codille") == quadrille(
        "apparatus", "quanti-1822", "codille"
    )
    assert (
        "\nponto: "
        in quadrille("apparatus", "quanti-1822", "--point", "Is the king called ponto")[1]
    )


def test_how_the_witnesses_stand_to_a_point_is_told_in_a_few_words(quadrille):
    """A text that contradicts itself, one that is ambiguous and one that is silent looked alike in
    lists of points."""
    points = json.loads(quadrille("apparatus", "quanti-1822", "--format", "json")[1])["points"]
    assert points["ponto"]["status"] == "witnesses differ"
    assert points["matadors_cumulative"]["status"] == "all silent"
    assert points["red_plain_ace"]["status"] == "parlett silent"
    for point in points.values():
        status = point["status"] or ""
        assert all(
            f"{name} contradicts itself" in status
            for name, how in point["several"].items()
            if how == "both"
        )
        assert all(
            f"{name} ambiguous" in status
            for name, how in point["several"].items()
            if how == "uncertain"
        )
        assert ("silent" in status) == bool(point["silent"])
    _, out, _ = quadrille("apparatus", "quanti-1822", "codille")
    assert "(always; wikipedia triple_stake)" in " ".join(out.split())
