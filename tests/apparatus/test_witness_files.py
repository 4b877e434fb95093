"""A text in a file of its own: it adds attestations to those of the profiles, every view shows
them, and no rule set changes by it."""

import json
from copy import deepcopy
from itertools import permutations
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from lxml import etree
from quadrille_plugins.apparatus.matrix import matrix_of
from quadrille_plugins.apparatus.model import apparatus_of
from quadrille_plugins.apparatus.tei import NAMESPACE, write
from quadrille_plugins.check.problems import problems_of
from quadrille_plugins.house_rules import command as house_rules
from quadrille_plugins.house_rules.transcription import transcription
from quadrille_plugins.shell.main import run
from quadrille_plugins.studies.manifest import own_files
from quadrille_plugins.studies.values import ruleset_text
from support.apparatus import DISPUTED, answering, table, trial, written
from support.data import cases

import quadrille_core as q
from quadrille_core import resources
from quadrille_core.errors import ProfileError, UsageError
from quadrille_core.profile.document import load_witness
from quadrille_core.ruleset import Reference, compile_chain, compile_reference, load_chain
from quadrille_core.ruleset.provenance import SPEAKS

SCHEMA = etree.RelaxNG(etree.parse(str(resources.schemas() / "apparatus.rng")))


@pytest.fixture(name="trial")
def trial_text():
    return trial()


@pytest.mark.parametrize("profile", DISPUTED)
def test_a_witness_takes_nothing_away_and_changes_no_rule(profile, tmp_path):
    """What is attested with a witness holds all that was, and every witness's rules stay."""
    before = compile_reference(profile)
    file = written(tmp_path, "trial", of=profile, points=answering(profile))
    joined = compile_reference(f"{profile}@{file}@")
    assert table(before) < table(joined)
    assert {w for _, _, w, _ in table(joined) - table(before)} == {"trial"}
    for witness in ("", *before.witnesses):
        plain = compile_reference(f"{profile}@{witness}" if witness else profile)
        if plain.identity.witness == (witness or None):
            beside = compile_reference(f"{profile}@{file}@{witness}")
            assert beside.identity.digest == plain.identity.digest


HANDS = {
    "question": "How many beasts does a codille add?",
    "default": "two",
    "readings": {"two": {"set": {"loss.codille_adds": 2}}},
}


@pytest.mark.parametrize("names", [("one", "two"), ("two", "one")])
@pytest.mark.parametrize(
    "told",
    [
        {"points": {"hands": {"reads": "two", "at": "p. 2"}}},
        {"cites": {"loss.codille_adds": {"at": "p. 2"}}},
    ],
)
def test_a_text_answers_a_point_that_another_raises_whatever_their_names(names, told, tmp_path):
    """It attests the other's reading, by answering the point or by telling the rule, and neither
    siglum nor the order in which they are named decides whether it may."""
    raising, answering_it = names
    files = [
        written(tmp_path, raising, of="quanti-1822", new_points={"hands": HANDS}),
        written(tmp_path, answering_it, of="quanti-1822", **told),
    ]
    made = {
        frozenset(table(compile_reference(f"quanti-1822@{'@'.join(order)}@")))
        for order in permutations(files)
    }
    (shown,) = made
    assert ("hands", "two", answering_it, "p. 2") in shown


def test_two_texts_make_one_apparatus_in_either_order(tmp_path):
    """Whichever file is named first, the apparatus is the same."""
    files = [
        written(tmp_path, name, of="quanti-1822", points=answering("quanti-1822"))
        for name in ("one", "two")
    ]
    made = {
        write(apparatus_of(compile_reference(f"quanti-1822@{'@'.join(order)}@")))
        for order in permutations(files)
    }
    assert len(made) == 1


FAULTS = {
    "no such point": ({"points": {"codile": "silent"}}, "no-such-point"),
    "no such reading": (
        {"points": {"ponto": {"reads": "every_king", "at": "p. 1"}}},
        "new-reading-sets-nothing",
    ),
    "a reading under another name": (
        {"points": {"ponto": {"reads": "kings", "set": {"cards.black_ponto": "king"}, "at": "1"}}},
        "reading-by-another-name",
    ),
    "a rule of another point": (
        {"points": {"ponto": {"reads": "mine", "set": {"stakes.ante": 3}, "at": "p. 1"}}},
        "rule-of-no-reading",
    ),
    "a reading that leaves a rule of its point open": (
        {
            "points": {
                "solo_premium": {"reads": "mine", "set": {"payments.premium.solo": 9}, "at": "1"}
            }
        },
        "rule-left-open",
    ),
    "two readings, and none to play": (
        {
            "points": {
                "ponto": [
                    {"reads": "red_ace_only", "at": "1"},
                    {"reads": "black_king_too", "at": "2"},
                ]
            }
        },
        "witness-attests-two-readings",
    ),
    "a reading that means something else in the profile": (
        {
            "points": {
                "ponto": {"reads": "red_ace_only", "set": {"cards.black_ponto": "king"}, "at": "1"}
            }
        },
        "reading-sets-otherwise",
    ),
    "the name of a shipped witness": ({"id": "parlett"}, "siglum-taken"),
    "the name of a shipped source": ({"id": "hoyle"}, "siglum-taken"),
    "a witness of another game": ({"of": "captive-queens"}, "of-another"),
    "a sentence that is not there": (
        {"points": {"ponto": {"reads": "red_ace_only", "s": 9}}},
        "no-such-sentence",
    ),
    "a sentence of a new point that is not there": (
        {
            "new_points": {
                "hands": {
                    "question": "?",
                    "default": "two",
                    "readings": {"two": {"set": {"loss.codille_adds": 2}, "s": 9}},
                }
            }
        },
        "no-such-sentence",
    ),
    "a sentence that stands twice": (
        {"sentences": [{"s": 1, "says": "a"}, {"s": "1", "says": "b"}]},
        "sentence-twice",
    ),
    "a reading attested twice": (
        {
            "points": {
                "ponto": [
                    {"reads": "red_ace_only", "at": "1"},
                    {"reads": "red_ace_only", "at": "2"},
                ]
            }
        },
        "reading-twice",
    ),
    "a value that the rule cannot have": (
        {"points": {"ponto": {"reads": "mine", "set": {"cards.black_ponto": "queen"}, "at": "1"}}},
        "not-allowed",
    ),
    "a rule that there is not": (
        {
            "new_points": {
                "hands": {
                    "question": "?",
                    "default": "one",
                    "readings": {"one": {"set": {"payments.matadors": [1]}}},
                }
            }
        },
        "block",
    ),
    "a rule of a point, cited": (
        {"cites": {"cards.black_ponto": {"at": "p. 2"}}},
        "cited-rule-of-point",
    ),
    "another text's reading of a new point": (
        {
            "new_points": {
                "hands": {
                    "question": "?",
                    "default": "two",
                    "readings": {
                        "two": {"set": {"loss.codille_adds": 2}},
                        "three": {"set": {"loss.codille_adds": 3}, "witnesses": ["parlett"]},
                    },
                }
            }
        },
        "credits-another-text",
    ),
    "a date that ends before it begins": (
        {"source": {"title": "trial", "year": 1763, "until": 1760}},
        "before-the-year",
    ),
    "a last year without a first": (
        {"source": {"title": "trial", "until": 1760}},
        "until-without-year",
    ),
    "a text that descends from an unknown one": (
        {
            "source": {
                "title": "trial",
                "descends": [{"from": "hoile", "how": "copies", "evidence": "words"}],
            }
        },
        "no-such-source",
    ),
    "a filling against the answer": (
        {
            "points": {"ponto": {"reads": "red_ace_only", "at": "1"}},
            "fills": {"ponto": "black_king_too"},
        },
        "fills-against-answer",
    ),
    "a filling of no point": ({"fills": {"pont": "red_ace_only"}}, "no-such-point"),
    "a filling by no reading": ({"fills": {"ponto": "red_ace"}}, "no-such-reading"),
    "a profile of the same name elsewhere": ({"of": "elsewhere/quanti-1822.yaml"}, "of-another"),
    "a point that is there": (
        {
            "new_points": {
                "ponto": {"question": "?", "default": "a", "readings": {"a": {"set": {}}}}
            }
        },
        "point-there-already",
    ),
    "a default that changes the rules": (
        {
            "new_points": {
                "hands": {
                    "question": "How many beasts?",
                    "default": "one",
                    "readings": {"one": {"set": {"loss.codille_adds": 1}}},
                }
            }
        },
        "default-changes-rules",
    ),
}


@pytest.mark.parametrize(("more", "variant"), FAULTS.values(), ids=list(FAULTS))
def test_a_witness_that_does_not_fit_is_refused_with_its_place(more, variant, tmp_path):
    """Each fault is told at its line of the file, and by nothing else."""
    file = written(tmp_path, "trial", **{"of": "quanti-1822", **more})
    with pytest.raises(ProfileError) as raised:
        compile_reference(f"quanti-1822@{file}")
    assert [(p.variant, p.path) for p in raised.value.problems] == [(variant, file)]
    assert raised.value.problems[0].line


@pytest.mark.parametrize(
    ("profile", "path"),
    [
        ("quanti-1822", "auction.all_pass"),
        ("quanti-1822", "loss.codille_adds"),
        ("quanti-1822", "bids.vole.tricks"),
        ("academie", "auction.all_pass"),
        ("hoyle-improved", "loss.codille_adds"),
    ],
)
def test_a_new_point_silences_no_text_that_is_cited_for_its_rule(profile, path, tmp_path):
    """Who is cited for the rule in force has the reading by which it stays, with the status in
    which the text speaks."""
    nobody = Reference(profile, "")
    before = compile_chain(load_chain(profile), nobody, readings={}, settings={})
    hands = {"question": "?", "default": "now", "readings": {"now": {}}}
    hands["readings"]["now"]["set"] = {path: before.value_of(path)}
    file = written(tmp_path, "trial", of=profile, new_points={"hands": hands})
    joined = compile_reference(f"{profile}@{file}@")
    cited = {c.source for c in before.origins[path].link.citations if c.status in SPEAKS}
    (state,) = [s for s in joined.points if s.point.id == "hands"]
    has = [joined.witnesses[w].source for w in state.reading.witnesses]
    has += [other.source for other in state.reading.elsewhere]
    assert sorted(has) == sorted(cited)
    assert state.reading.status == (before.origins[path].status if cited else "conjecture")
    for name, witness in before.witnesses.items():
        beside = compile_reference(f"{profile}@{file}@{name}")
        (state,) = [s for s in beside.points if s.point.id == "hands"]
        assert state.silent == (witness.source not in cited)


NEW = {"reads": "nothing", "set": {"loss.remise_pays": []}, "at": "p. 1"}
RENAMED = NEW | {"reads": "no_pay", "set": {"loss.remise_pays": []}}
OTHER_SETS = NEW | {"set": {"loss.remise_pays": ["game"]}}


@pytest.mark.parametrize(
    ("answers", "variants"),
    [
        ([NEW, OTHER_SETS], {"reading-sets-otherwise"}),
        ([NEW, RENAMED], {"reading-by-another-name"}),
        ([[NEW, OTHER_SETS]], {"reading-twice", "reading-sets-otherwise"}),
        ([[NEW, RENAMED]], {"reading-by-another-name"}),
        ([NEW, NEW], set()),
        ([NEW, {"reads": "nothing", "at": "p. 2"}], set()),
        ([{"reads": "nothing", "at": "p. 2"}, NEW], set()),
    ],
)
def test_a_new_reading_means_one_thing_by_one_name(answers, variants, tmp_path):
    """Files, and answers of one, agree on it, or are refused with the place of the other; who only
    names it means it whichever file comes first."""
    files = [
        written(tmp_path, f"text{n}", of="quanti-1822", points={"remise_pays": deepcopy(answer)})
        for n, answer in enumerate(answers)
    ]
    try:
        shown = table(compile_reference(f"quanti-1822@{'@'.join(files)}@"))
    except ProfileError as e:
        assert {p.variant for p in e.problems} == variants
        told = [p for p in e.problems if p.variant != "reading-twice"]
        assert [(p.path, files[0] in p.data["other"]) for p in told] == [(files[-1], True)]
    else:
        assert not variants
        assert {w for p, r, w, _ in shown if r == "nothing"} == {"text0", "text1"}


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"of": "captive-queens"}, "of"),
        ({"of": "elsewhere/quanti-1822.yaml"}, "of"),
        ({"id": "parlett"}, "id"),
        ({"id": "hoyle"}, "id"),
    ],
)
def test_a_fault_of_the_head_stands_at_its_line(more, key, tmp_path):
    """What a text calls itself, or answers, is told where it says so."""
    file = written(tmp_path, "trial", **{"of": "quanti-1822", **more})
    with pytest.raises(ProfileError) as raised:
        compile_reference(f"quanti-1822@{file}")
    (problem,) = raised.value.problems
    lines = (tmp_path / "trial.yaml").read_text("utf-8").splitlines()
    assert lines[problem.line - 1].startswith(f"{key}: {more[key]}")


@pytest.mark.parametrize("again", ["trial.yaml", "../{}/trial.yaml"])
def test_a_file_that_is_named_twice_is_told_as_that(again, tmp_path):
    """By whatever path: its siglum is not another text's."""
    file = written(tmp_path, "trial", of="quanti-1822")
    second = tmp_path / again.format(tmp_path.name)
    with pytest.raises(ProfileError) as raised:
        compile_reference(f"quanti-1822@{file}@{second}")
    assert [p.variant for p in raised.value.problems] == ["file-named-twice"]


def test_a_fault_hides_no_other(tmp_path):
    """Faults of shape, of sentences and of dates are told together, and those of every file."""
    broken = {
        "titel": "x",
        "source": {"title": "trial", "year": 1763, "until": 1760},
        "sentences": [{"s": 1, "says": "a"}, {"s": 1, "says": "b"}],
        "points": {"ponto": {"reads": "red_ace_only", "s": 9}, "unit": {"reads": "fixed", "s": 8}},
    }
    one = written(tmp_path, "one", of="quanti-1822", **broken)
    two = written(tmp_path, "two", of="quanti-1822", points={"ponto": "lost"})
    with pytest.raises(ProfileError) as raised:
        compile_reference(f"quanti-1822@{one}@{two}")
    found = [(p.path, p.variant) for p in raised.value.problems]
    assert sorted(found) == sorted(
        [
            (one, "unknown-key"),
            (one, "before-the-year"),
            (one, "sentence-twice"),
            (one, "no-such-sentence"),
            (one, "no-such-sentence"),
            (two, "not-allowed"),
        ]
    )
    assert all(p.line for p in raised.value.problems)


def test_a_misspelt_profile_before_a_file_is_told_as_one(trial):
    """The help names the profile that was meant, not a file that is not there."""
    with pytest.raises(ProfileError) as raised:
        compile_reference(f"quanti-182@{trial}")
    (problem,) = raised.value.problems
    assert problem.variant == "not-shipped"
    assert "quanti-1822" in problem.help


def test_a_text_speaks_for_itself(tmp_path, trial):
    """Its status, certainty, note and lost places are its own, whoever else has the reading."""
    reference = f"quanti-1822@{trial}@"
    rows = q.run("explain", reference, "solo_premium").to_dict()["profiles"][reference]
    (own,) = [r for r in rows["witnesses"] if r["witness"] == "bath-1763"]
    assert (own["status"], own["certainty"]) == ("inferred", None)
    assert "bath-1763: Eight counters" in rows["readings"]["double_stake"]["note"]
    answers = {"ponto": "unseen", "ladder": "inapplicable"}
    file = written(tmp_path, "lost", of="quanti-1822", whole=True, points=answers)
    compiled = compile_reference(f"quanti-1822@{file}")
    found = {s.point.id: s.absence for s in compiled.points}
    assert [found[p] for p in ("ponto", "ladder", "unit")] == ["unseen", "inapplicable", "silent"]


def test_what_is_written_with_a_text_names_its_file(tmp_path, trial):
    """A deal's record is replayed with it, and a manifest holds its digest."""
    reference = f"quanti-1822@{trial}"
    record = tmp_path / "deal.json"
    record.write_text(json.dumps(q.run("deal", reference, seed=3).to_dict()), "utf-8")
    assert q.run("deal", replay=str(record)).to_dict()["rules"]["witness_files"] == [str(trial)]
    assert own_files(compile_reference(reference)) == [trial.as_posix()]


def test_a_text_of_a_file_names_it_from_its_own_folder(tmp_path, monkeypatch):
    """A draft in another folder is checked as it stands."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts").mkdir()
    (tmp_path / "child.yaml").write_text(yaml.safe_dump(CHILD), "utf-8")
    q.run("new", "texts/own.yaml", witness=True, **{"from": "child.yaml"})
    assert problems_of(tmp_path / "texts/own.yaml")[0] == []
    assert compile_reference("child.yaml@texts/own.yaml").identity.witness == "own"


def test_check_says_what_a_text_leaves_open(trial):
    """Sentences without a rule and points without an answer are notes, no errors."""
    found, readable, notes = problems_of(trial)
    assert (found, readable) == ([], True)
    assert any("1 of 12 sentences" in note for note in notes)
    assert any("37 of 48 points are silent" in note for note in notes)


@cases("witness_files")
def test_check_tells_what_value_a_text_is_cited_for(cites, told, tmp_path):
    """A citation says that the text tells the rule as it is here: so that one of the opposite is
    seen, its value stands in the notes."""
    rules = {path: {"at": "p. 1"} for path in cites}
    file = written(tmp_path, "trial", of="quanti-1822", cites=rules)
    notes = [n for n in problems_of(Path(file))[2] if "cited for" in n]
    assert len(notes) == bool(told)
    assert all(one in notes[0] for one in told)


SAYS = [{"s": 1, "says": "A codille adds two beasts."}, {"s": 2, "says": "Others add three."}]
THREE = {"set": {"loss.codille_adds": 3}}


@cases("witness_files")
def test_a_new_point_is_answered_by_sentences(more, at, idle, tmp_path):
    """A reading that names them is this text's, and shows their words; where no reading of the
    point is, check says so."""
    raised = deepcopy(HANDS)
    raised["readings"]["three"] = THREE | more
    written(tmp_path, "trial", of="quanti-1822", new_points={"hands": raised}, sentences=SAYS)
    file = tmp_path / "trial.yaml"
    found, _, notes = problems_of(file)
    assert found == []
    assert any(f"{idle} of 2 sentences" in note for note in notes) == bool(idle)
    assert any("1 of 1 new points" in note for note in notes) == (at is None)
    compiled = compile_reference(f"quanti-1822@{file}")
    own = {(p, r, where) for p, r, w, where in table(compiled) if w == "trial"}
    assert own == ({("hands", "three", at)} if at else set())
    numbers = [s.id for s in compiled.witnesses["trial"].says.get(("hands", "three"), ())]
    assert len(numbers) == (2 - idle if at else 0)


CHILD = {
    "kind": "profile",
    "id": "child",
    "title": "A child",
    "extends": "quanti-1822",
    "sources": {"manual": {"title": "A manual"}},
    "witnesses": {"manual": {"source": "manual"}},
}
SHARED = {"loss.codille_shared_from": 1}
ASKED_AGAIN = {"question": "From what stake?", "default": "always"}


@pytest.mark.parametrize(
    ("readings", "variants"),
    [
        (
            {"always": {"set": SHARED, "witnesses": ["manual"]}},
            ["parents-reading-gone", "attestation-gone"],
        ),
        (
            {
                "always": {"set": SHARED, "witnesses": ["parlett"]},
                "triple_stake": {
                    "set": {"loss.codille_shared_from": 3},
                    "witnesses": ["wikipedia"],
                },
                "twice": {"set": {"loss.codille_shared_from": 2}, "witnesses": ["parlett"]},
            },
            ["credited-without-passage"],
        ),
        (
            {
                "always": {"set": SHARED, "witnesses": ["parlett"]},
                "triple_stake": {
                    "set": {"loss.codille_shared_from": 3},
                    "witnesses": ["wikipedia"],
                },
                "twice": {
                    "set": {"loss.codille_shared_from": 2},
                    "witnesses": ["parlett"],
                    "status": "conjecture",
                },
            },
            [],
        ),
    ],
)
def test_a_child_keeps_what_its_parents_texts_say(readings, variants, tmp_path):
    """A point that is asked again keeps its attestations, and credits a shipped text with what a
    passage of it says, or with a conjecture."""
    file = tmp_path / "child.yaml"
    points = {"codille_shared": ASKED_AGAIN | {"readings": readings}}
    file.write_text(yaml.safe_dump(CHILD | {"points": points}), "utf-8")
    try:
        compile_reference(str(file))
        told = []
    except ProfileError as e:
        told = [p.variant for p in e.problems]
    assert told == variants


ALL_PASS = {"source": "parlett", "at": "Auction"}


@pytest.mark.parametrize(
    ("more", "variants"),
    [
        (({"auction": {"all_pass": "redeal"}}, {"auction.all_pass": ALL_PASS}), ["rule"]),
        (({"auction": {"all_pass": "redeal"}}, {"auction": ALL_PASS}), ["rule"]),
        (({"auction": {"all_pass": "forced_bid"}}, {"auction.all_pass": ALL_PASS}), []),
        (
            (
                {"auction": {"all_pass": "redeal"}},
                {"auction.all_pass": ALL_PASS | {"status": "conjecture"}},
            ),
            [],
        ),
        (
            (
                {"auction": {"all_pass": "redeal"}},
                {"auction.all_pass": {"source": "manual", "at": "p. 3"}},
            ),
            [],
        ),
        (({}, {}, {"parlett": {"title": "Another book"}}), ["source"]),
    ],
)
def test_a_childs_own_rule_credits_a_shipped_text_with_what_it_says(more, variants, tmp_path):
    """Nobody is called a witness of an invention, and no shipped text is swapped for another."""
    rules, cites, *sources = more
    own = {"rules": rules, "cites": cites} if rules else {}
    own["sources"] = CHILD["sources"] | (sources[0] if sources else {})
    file = tmp_path / "child.yaml"
    file.write_text(yaml.safe_dump(CHILD | own), "utf-8")
    try:
        compile_reference(str(file))
        told = []
    except ProfileError as e:
        assert all(p.path == str(file) and p.line > 1 for p in e.problems)
        told = [p.variant for p in e.problems]
    names = {"rule": "rule-without-passage", "source": "source-is-shipped"}
    assert told == [names[one] for one in variants]


def test_a_reading_chosen_and_cited_by_a_childs_own_witness_is_attested(tmp_path):
    """explain and the apparatus say the same of it."""
    file = tmp_path / "child.yaml"
    cites = {"loss.codille_shared_from": {"source": "manual", "at": "p. 12"}}
    chosen = {"readings": {"codille_shared": "always"}, "cites": cites}
    file.write_text(yaml.safe_dump(CHILD | chosen), "utf-8")
    compiled = compile_reference(str(file))
    assert ("codille_shared", "always", "manual", "p. 12") in table(compiled)
    assert compiled.origins["loss.codille_shared_from"].status == "attested"


def test_a_rule_that_closes_a_point_keeps_its_text(tmp_path):
    """The apparatus and its TEI say who has the rule and where."""
    file = tmp_path / "child.yaml"
    cites = {"loss.remise_pays": {"source": "manual", "at": "p. 13"}}
    own = {"rules": {"loss": {"remise_pays": ["matadors"]}}, "cites": cites}
    file.write_text(yaml.safe_dump(CHILD | own), "utf-8")
    apparatus = apparatus_of(compile_reference(str(file)))
    (closed,) = [c for c in apparatus.closed if c.id == "remise_pays"]
    assert [by.attested for by in closed.by] == [(("manual", "p. 13"),)]
    root = etree.fromstring(write(apparatus).encode())
    assert SCHEMA.validate(root), SCHEMA.error_log
    notes = root.iter(f"{{{NAMESPACE}}}note")
    assert [n.text for n in notes if n.get("source") == "#quadrille.source.manual"] == ["p. 13"]


FOUR = "Four play, with ten cards."
EACH = "Each stakes."
TRANSCRIPTIONS = {
    "a line each": ("Title\n1. Four play,\nwith ten cards.\n2) Each stakes.\n", [1, 2]),
    "in round brackets": ("(1) Four play, with ten cards.\n(2) Each stakes.", [1, 2]),
    "in square brackets, in one line": ("[1] Four play, with ten cards. [2] Each stakes.", [1, 2]),
    "in one line": ("1. Four play, with ten cards. 2. Each stakes.", [1, 2]),
    "with parts": ("1.1. Four play, with ten cards.\n1.2. Each stakes.", ["1.1", "1.2"]),
    "with letters": ("L1. Four play, with ten cards.\nL2. Each stakes.", ["L1", "L2"]),
    "with a gap": ("1a. Four play, with ten cards.\n§ 31. Each stakes.", ["1a", 31]),
    "beginning again": ("7. Four play, with ten cards.\n1. Each stakes.", [7, 1]),
    "in Roman numerals": ("I. Four play, with ten cards.\nII. Each stakes.", ["I", "II"]),
    "by letters": ("a) Four play, with ten cards.\nb) Each stakes.", ["a", "b"]),
    "TEI": (
        (
            '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><p><s n="1">Four <hi>play</hi>, with\nten '
            'cards.</s><s xml:id="two">Each stakes.</s></p></text></TEI>'
        ),
        [1, "two"],
    ),
}


@pytest.mark.parametrize(("text", "numbers"), TRANSCRIPTIONS.values(), ids=list(TRANSCRIPTIONS))
def test_a_transcription_keeps_its_numbers(text, numbers, tmp_path):
    """A draft is made from plain sentences and from TEI, and has no errors as it stands."""
    source = tmp_path / "text"
    source.write_text(text, "utf-8")
    wanted = [*zip(map(str, numbers), (FOUR, EACH), strict=True)]
    assert [(s.number, s.words) for s in transcription(source).sentences] == wanted
    file = tmp_path / "draft.yaml"
    q.run("new", str(file), witness=True, text=str(source))
    problems, _, notes = problems_of(file)
    assert problems == []
    assert [(s.id, s.says) for s in load_witness(file).sentences] == wanted
    assert any("2 of 2 sentences" in note for note in notes)


@pytest.mark.parametrize(
    "words",
    ["J. B. Rousseau", "Mr. Quanti", "M. V. D.", "C. Cotton", "(3) kings", "1763. So it was"],
)
@pytest.mark.parametrize("style", ["{}.", "[{}]"])
@pytest.mark.parametrize("numbers", [("1", "2"), ("I", "II"), ("a", "b")])
def test_what_looks_like_a_number_is_a_word_of_its_sentence(words, style, numbers, tmp_path):
    """Initials, abbreviations, years and other figures at the beginning of a line split nothing."""
    one, two = map(style.format, numbers)
    said = f"It is told by\n{words}, and others."
    source = tmp_path / "text"
    source.write_text(f"J. B. Rousseau\n\n{one} {said}\n{two} {EACH}\n", "utf-8")
    wanted = [(numbers[0], said.replace("\n", " ")), (numbers[1], EACH)]
    assert [(s.number, s.words) for s in transcription(source).sentences] == wanted


def test_a_text_without_numbers_is_refused(tmp_path):
    """What has no numbered sentence is no transcription."""
    (tmp_path / "plain.txt").write_text("Four play.\n", "utf-8")
    with pytest.raises(UsageError) as raised:
        transcription(tmp_path / "plain.txt")
    assert raised.value.problems[0].variant == "no-numbered-sentences"


TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0">{}<text><body>{}</body></text></TEI>'
HEADER = (
    "<teiHeader><fileDesc><titleStmt><title>A Manual</title><author>A. Player</author></titleStmt>"
    '<publicationStmt><date when="1791">1791</date></publicationStmt>'
    "<sourceDesc><p n='9'>print</p></sourceDesc></fileDesc></teiHeader>"
)
READ = {
    "a header is no text": (
        TEI.format(HEADER, "<p><s n='1'>Four play.</s></p>"),
        [("1", "Four play.", "")],
        {},
    ),
    "notes, page heads and one side of a choice are left out": (
        TEI.format(
            "",
            "<pb n='14'/><p n='1'>Cards<note n='a'>so</note> <choice><sic>aer</sic><corr>are"
            "</corr></choice> dealt<fw>12</fw>.</p>",
        ),
        [("1", "Cards are dealt.", "p. 14")],
        {"note": 1, "sic": 1, "fw": 1},
    ),
    "paragraphs with numbers beside sentences with numbers": (
        TEI.format("", "<p n='a'><s n='1'>One.</s></p><p n='2'>Two.</p><p>None.</p>"),
        [("1", "One.", ""), ("2", "Two.", "")],
        {"p without a number": 1},
    ),
    "TEI whose numbers begin again": (
        TEI.format("", "<p><s n='1'>One.</s></p><p><s n='1'>Other.</s></p>"),
        [("I.1", "One.", ""), ("II.1", "Other.", "")],
        {},
    ),
    "chapters that begin again": (
        "CHAPTER I\n\n1. One.\n2. Two.\n\nCHAPTER II\n\n1. Other.\n2. More.\n",
        [("I.1", "One.", ""), ("I.2", "Two.", ""), ("II.1", "Other.", ""), ("II.2", "More.", "")],
        {"before the first number": 1, "heading of a part": 1},
    ),
    "Roman chapters that begin again": (
        "I. One.\nII. Two.\n\nCHAPTER II\n\nI. Other.\n",
        [("I.I", "One.", ""), ("I.II", "Two.", ""), ("II.I", "Other.", "")],
        {"heading of a part": 1},
    ),
    "what looks like a page in brackets": (
        "(1) One [silent] of [five].\n(2) Two.\n",
        [("1", "One [silent] of [five].", ""), ("2", "Two.", "")],
        {},
    ),
    "a page in brackets": (
        "A Title. [p. 14]\n\n(1) One.\n[p. 15]\n(2) Two.\n",
        [("1", "One.", "p. 14"), ("2", "Two.", "p. 15")],
        {"before the first number": 1},
    ),
}


@pytest.mark.parametrize(("text", "wanted", "left"), READ.values(), ids=list(READ))
def test_what_is_read_of_a_transcription_and_what_is_not(text, wanted, left, tmp_path):
    """Only the words of the text are read, each sentence with a number of its own, and what is left
    out is counted."""
    source = tmp_path / "text"
    source.write_text(text, "utf-8")
    read = transcription(source)
    assert [(s.number, s.words, s.at) for s in read.sentences] == wanted
    assert dict(read.left_out) == left
    file = tmp_path / "draft.yaml"
    q.run("new", str(file), witness=True, text=str(source))
    assert problems_of(file)[0] == []
    assert [(s.id, s.says, s.at) for s in load_witness(file).sentences] == wanted


def test_a_header_fills_the_head_of_a_draft(tmp_path):
    """Title, author and date stand where a source has them."""
    source, file = tmp_path / "text.xml", tmp_path / "draft.yaml"
    source.write_text(TEI.format(HEADER, "<p n='1'>Four play.</p>"), "utf-8")
    q.run("new", str(file), witness=True, text=str(source))
    known = load_witness(file).source
    assert (known.title, known.author, known.year) == ("A Manual", "A. Player", 1791)


@pytest.mark.parametrize(
    ("text", "variant", "line"),
    [
        ("1. One.\n6.\n7. Seven.", "sentence-without-words", 2),
        ("1. One.\n2.", "sentence-without-words", 2),
        ("1. One.\n2. T\x07wo.", "control-character", 2),
    ],
)
def test_what_cannot_stand_in_a_sentence_is_refused_with_its_line(text, variant, line, tmp_path):
    """A number without words and a control character are told where they stand."""
    source = tmp_path / "text"
    source.write_text(text, "utf-8")
    with pytest.raises(UsageError) as raised:
        transcription(source)
    (problem,) = raised.value.problems
    assert (problem.variant, problem.data["line"]) == (variant, line)


def test_paragraphs_numbered_in_another_way_are_told(tmp_path):
    """They stand with the sentence before them, and a note says how many."""
    source = tmp_path / "text"
    source.write_text("1. One.\n2. Two.\n3. Three.\na) An example.\nb) Another.\n", "utf-8")
    read = transcription(source)
    assert [s.words for s in read.sentences][2] == "Three. a) An example. b) Another."
    assert any("2 (a), b))" in note for note in read.notes)


def test_every_point_of_a_draft_offers_every_absence(tmp_path):
    """Silent, unseen and inapplicable are among the choices of each."""
    file = tmp_path / "draft.yaml"
    q.run("new", str(file), witness=True)
    asked = [line for line in file.read_text("utf-8").splitlines() if "# or " in line]
    assert asked
    assert all(line.endswith("silent, unseen, inapplicable") for line in asked)


HEAD = {
    "title": ("A Manual", "A Manual"),
    "author": ("", ""),
    "year": ("1790", 1790),
    "until": ("1792", 1792),
    "publisher": ("", ""),
    "publisher_place": ("Bath", "Bath"),
    "language": ("", ""),
    "edition": ("", ""),
    "copy": ("mine", "mine"),
    "images": ("", ""),
    "licence": ("public domain", "public domain"),
}


@pytest.mark.parametrize("options", [(), ("--ask",)])
def test_the_head_of_a_text_is_asked_for(options, tmp_path, monkeypatch):
    """On a terminal without other options, or with --ask: each key may be left empty, and a year
    that is none is asked again."""
    monkeypatch.setattr(house_rules, "can_ask", lambda: not options)
    file = tmp_path / "draft.yaml"
    answers = [said for said, _ in HEAD.values()]
    answers.insert(2, "1790-1792")
    done = CliRunner().invoke(
        house_rules.new_command, [str(file), "--witness", *options], input="\n".join(answers) + "\n"
    )
    assert done.exit_code == 0, done.output
    known = load_witness(file).source
    assert {key: getattr(known, key) for key in HEAD} == {k: want for k, (_, want) in HEAD.items()}


@pytest.mark.parametrize(
    ("on_terminal", "options"),
    [(False, ()), (True, ("--title", "A Manual")), (True, ("--from", "quanti-1822"))],
)
def test_without_a_terminal_or_with_options_nothing_is_asked(
    on_terminal, options, tmp_path, monkeypatch
):
    """The draft is written as it is."""
    monkeypatch.setattr(house_rules, "can_ask", lambda: on_terminal)
    file = tmp_path / "draft.yaml"
    done = CliRunner().invoke(house_rules.new_command, [str(file), "--witness", *options], input="")
    assert (done.exit_code, file.exists()) == (0, True), done.output


@cases("witness_files")
def test_check_notes_a_quotation_that_no_licence_allows(licence, quote, told, tmp_path):
    """Where the copy's licence is missing or reserves all rights, and words of it are quoted."""
    sentences = [{"s": 1, "says": "Each stakes.", **quote}, {"s": 2, "says": "Four play."}]
    source = {"title": "trial", **licence}
    file = written(tmp_path, "trial", of="quanti-1822", sentences=sentences, source=source)
    notes = problems_of(Path(file))[2]
    assert [note for note in notes if "1 of 2 sentences quote" in note] == notes[: int(told)]
    assert sum("quote" in note for note in notes) == told


@pytest.mark.parametrize(
    ("more", "variant", "meant"),
    [
        (
            {"points": {"queen_when": {"reads": "three plain kings", "at": "1"}}},
            "identifier",
            ("three_plain_kings",),
        ),
        ({"points": {"red plain ace": "silent"}}, "identifier", ("red_plain_ace",)),
        ({"source": {"title": "trial", "year": "1790-1792"}}, "no-single-year", None),
        ({"source": {"title": "trial", "year": "c. 1791"}}, "no-single-year", None),
    ],
)
def test_what_is_offered_in_place_of_a_mistake_can_be_written(more, variant, meant, tmp_path):
    """Names of points and readings as they are; of a range of years, its two keys."""
    file = written(tmp_path, "trial", **{"of": "quanti-1822", **more})
    with pytest.raises(ProfileError) as raised:
        compile_reference(f"quanti-1822@{file}")
    (problem,) = raised.value.problems
    assert (problem.variant, getattr(problem.hint, "words", None)) == (variant, meant)


@pytest.mark.parametrize(
    ("reference", "heading"),
    [
        ("quanti-1822@{}", "A Short Manual of Quadrille"),
        ("quanti-1822@{}@parlett", None),
        ("quanti-1822@{}@", None),
        ("quanti-1822", None),
    ],
)
def test_where_a_text_in_a_file_is_followed_its_title_heads_it(reference, heading, trial):
    """A shipped witness, or none, is headed by the profile's title."""
    compiled = compile_reference(reference.format(trial))
    wanted = heading or compiled.title
    assert compiled.heading == wanted
    matrix = matrix_of([compiled, compile_reference("academie")])
    assert matrix.texts[0].title == wanted
    assert ruleset_text(compiled).splitlines()[0].endswith(wanted)


@pytest.mark.parametrize(("word", "is_told"), [("parlett", True), ("remise", False)])
def test_a_word_that_is_also_a_texts_name_is_told(word, is_told, capsys):
    """Where rules are chosen by it, a note says how the text is named."""
    assert run(["apparatus", "--collate", "quanti-1822", "academie", word]) == 0
    assert (f"quanti-1822@{word}" in capsys.readouterr().err) == is_told
