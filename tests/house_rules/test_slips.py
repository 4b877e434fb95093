"""The help on usual slips works as it is typed, and `check --fix` does what leaves no doubt."""

import os
from pathlib import Path

import pytest
from quadrille_plugins.check.command import problems_of
from quadrille_plugins.house_rules.fixing import fixed
from quadrille_plugins.house_rules.proposals import applied
from support.catalogue import nonsense
from support.data import of_yaml

from quadrille_core.errors import Edit, Replace
from quadrille_core.hookspecs import Mended

SLIPS = of_yaml(Path(__file__).with_name("slips.yaml"))
HEAD = (
    "kind: profile\nid: ours\ntitle: Ours   # as typed\nextends: "
    "quanti-1822\ndefault_witness: parlett\n"
)
IDS = [one["slip"] for one in SLIPS]


@pytest.fixture(scope="module", autouse=True)
def any_words():
    """Every sentence is rewritten here: a fix is made of the hint, and nothing reads words."""
    with nonsense():
        yield


@pytest.mark.parametrize("slip", SLIPS, ids=IDS)
def test_help_works_as_typed(tmp_path, slip):
    """The help of the error, applied to the file literally, leaves a file without errors, whose
    rules act."""
    path = tmp_path / "ours.yaml"
    head = slip.get("head", HEAD)
    path.write_text(head + slip["typed"])
    codes = (
        slip["code"]
        if isinstance(slip["code"], list)
        else [slip["code"]] * (3 if slip.get("all") else 1)
    )
    for number, code in enumerate(codes):
        problem = next((p for p in problems_of(path)[0] if p.code == code), None)
        if problem is None and number and slip.get("all"):
            break
        assert problem is not None, problems_of(path)
        mended = applied(path.read_text(), problem)
        assert mended is not None, problem.render()
        path.write_text(mended)
    if slip["applied"] is not None:
        assert mended == head + slip["applied"]
    problems, _, notes = problems_of(path)
    assert [p.render() for p in problems] == []
    assert not any("cannot act" in note for note in notes if "of its parents" not in note)


@pytest.mark.parametrize("slip", SLIPS, ids=IDS)
def test_fix_does_the_safe_ones_and_no_other(tmp_path, quadrille, slip):
    """What is safe is fixed, byte for byte as the help says, after --diff has shown it; the rest
    stays as it is."""
    path = tmp_path / "ours.yaml"
    typed = slip.get("head", HEAD) + slip["typed"]
    path.write_text(typed)
    status, out, _ = quadrille("check", "--diff", str(path))
    assert path.read_text() == typed
    assert status == (1 if slip.get("fixed") else 0)
    assert bool(out) == bool(slip.get("fixed"))
    status, out, _ = quadrille("check", "--fix", str(path))
    if slip.get("fixed"):
        assert status == 0
        assert path.read_text() == slip.get("head", HEAD) + slip["applied"]
    else:
        assert status == 1
        assert path.read_text() == typed
    assert os.listdir(tmp_path) == ["ours.yaml"]


def test_fix_mends_all_that_is_safe_and_leaves_the_rest(tmp_path, quadrille):
    """Several slips in one file: the safe ones go, the others are told, comments and line ends
    stay."""
    path = tmp_path / "ours.yaml"
    typed = (
        HEAD
        + "plugins: favourite # great\nrules:\n\tstakes:\n\t\tante-by: dealer # he\n\t\tanti: 2\n"
    )
    path.write_bytes(typed.replace("\n", "\r\n").encode())
    status, out, _ = quadrille("check", "--fix", str(path))
    assert status == 1
    assert "'anti'" in out
    wanted = (
        HEAD
        + "plugins: [{plugin: favourite}] # great\nrules:\n  stakes:\n    ante_by: dealer # he\n "
        "   anti: 2\n"
    )
    assert path.read_bytes() == wanted.replace("\n", "\r\n").encode()


UNSAFE = {
    "the same rule twice by two dotted paths": "rules:\n  stakes.ante: 2\n  stakes:\n    ante: 3\n",
    "the same rule in both of two blocks": "rules:\n  stakes:\n    ante: 2\n  stakes:\n    ante: "
    "3\n",
    "a block that is no block the second time": "rules:\n  stakes:\n    ante: 2\n  stakes: 3\n",
}


@pytest.mark.parametrize("typed", UNSAFE.values(), ids=UNSAFE)
def test_fix_leaves_what_would_make_a_rule_stand_twice(tmp_path, quadrille, typed):
    """Which of two values is meant nobody but the author knows."""
    path = tmp_path / "ours.yaml"
    path.write_text(HEAD + typed)
    assert quadrille("check", "--fix", str(path))[0] == 1
    assert path.read_text() == HEAD + typed


def test_fix_keeps_mode_and_link_and_mends_a_parent_that_was_read(tmp_path, quadrille):
    """The file that a link points to is replaced whole, with its mode, though a child before it has
    read it."""
    real, link, child = tmp_path / "real.yaml", tmp_path / "parent.yaml", tmp_path / "child.yaml"
    real.write_text(HEAD + "rules:\n  stakes: {ante:2}\n")
    real.chmod(0o640)
    link.symlink_to(real)
    child.write_text(
        "kind: profile\nid: child\ntitle: Child\nextends: ./parent.yaml\nplugins: favourite\n"
    )
    status, _, err = quadrille("check", "--fix", str(child), str(link))
    assert status == 0
    told = " ".join(err.split())
    assert all(f"{path}: mended," in told for path in (child, link))  # each by another pass
    assert real.read_text() == HEAD + "rules:\n  stakes: {ante: 2}\n"
    assert child.read_text().endswith("plugins: [{plugin: favourite}]\n")
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["child.yaml", "parent.yaml", "real.yaml"]


def test_a_fix_says_which_lines_it_makes(tmp_path):
    """Each with its number in the mended file; nothing where nothing is mended."""
    path = tmp_path / "ours.yaml"
    path.write_text(HEAD + "# one\nrules:\n  stakes: {ante:2}\n  # two\n")
    at = HEAD.count("\n")
    made = fixed(path, write=False)
    assert made.lines == ((at + 3, "stakes: {ante: 2}"),)
    assert made.diff.startswith(f"--- {path}")
    path.write_text(HEAD)
    assert fixed(path, write=True) == Mended()


def test_a_fix_that_cannot_be_written_leaves_the_file_as_it_was(tmp_path, quadrille, monkeypatch):
    """A disk that fails in the middle leaves the old file, and nothing beside it."""
    path = tmp_path / "ours.yaml"
    path.write_text(HEAD + "rules:\n  stakes: {ante:2}\n")
    before = path.read_text()

    def full(*_):
        raise OSError(28, "no space left on device")

    monkeypatch.setattr("quadrille_plugins.shell.writing._sync", full)
    status, _, err = quadrille("check", "--fix", str(path))
    assert status == 3
    assert "no space left on device" in err
    assert path.read_text() == before
    assert os.listdir(tmp_path) == ["ours.yaml"]


def test_fix_of_a_file_that_cannot_be_read_is_a_check(tmp_path, quadrille):
    """There is nothing to fix in what is no text; the status says so."""
    path = tmp_path / "ours.yaml"
    path.write_bytes(b"\xff\xfe")
    assert quadrille("check", "--fix", str(path))[0] == 2
    assert path.read_bytes() == b"\xff\xfe"


WORSE = [
    # a file, and what --fix leaves of it
    (
        "plugins: favourite, nemo  # both\n",
        "plugins: [{plugin: favourite}, {plugin: nemo}]  # both\n",
    ),
    ("plugins:\n  favourites:\n    suit: hearts\n", None),
    ("rules:\n  stakes:\n    unit: 1,000\n", None),
    ("rules:\n    stakes:\n\tante: 2\n", None),
    ("rules:\n\tstakes: {ante: 2}\t# a\tb\n#\tc\n", "rules:\n  stakes: {ante: 2} # a\tb\n#\tc\n"),
]


@pytest.mark.parametrize(("typed", "wanted"), WORSE)
def test_fix_makes_no_error_and_keeps_comments(tmp_path, quadrille, typed, wanted):
    """A fix that would only put one error in place of another is not made; comments stay byte for
    byte."""
    path = tmp_path / "ours.yaml"
    path.write_text(HEAD + typed)
    quadrille("check", "--fix", str(path))
    assert path.read_text() == HEAD + (typed if wanted is None else wanted)


def test_a_fix_may_bring_to_light_what_it_hid(tmp_path, quadrille):
    """Errors that only a later step of the check can see do not hold up a fix."""
    path = tmp_path / "ours.yaml"
    path.write_text(HEAD + "rules:\n  payments:\n    premium: {solo:5, sole: 6, vola: 7}\n")
    assert quadrille("check", "--fix", str(path))[0] == 1
    assert "{solo: 5, sole: 6, vola: 7}" in path.read_text()


def test_fix_says_which_lines_it_changed(tmp_path, quadrille):
    """It said `no errors`, and nothing of what it had done to the file."""
    path = tmp_path / "ours.yaml"
    path.write_text(HEAD + "rules:\n  stakes:\n    ante-by: dealer\n")
    status, _, err = quadrille("check", "--fix", str(path))
    assert status == 0
    assert "line 8: ante_by: dealer" in " ".join(err.split())


NOWHERE = {
    "a rule of no such name, dotted": "rules: {loss.remise_pay: 3}\n",
    "a rule of every bid, which no path without a bid leads to": "tricks: {A: 6}\n",
    "a rule of three blocks": "vole: 3\n",
    "a rule that takes no list": "rules: {players: [A, B]}\n",
}


@pytest.mark.parametrize("typed", NOWHERE.values(), ids=NOWHERE)
def test_a_key_without_one_place_gets_no_near_name(tmp_path, typed):
    """A near name that may not stand there only leads to the next error."""
    path = tmp_path / "ours.yaml"
    path.write_text(HEAD + typed)
    assert [(p.code, p.hint) for p in problems_of(path)[0]] == [("Q201", None)]


def test_a_key_of_two_places_gets_both(tmp_path):
    """Which of them is meant the author knows."""
    path = tmp_path / "ours.yaml"
    path.write_text(HEAD + "rules: {payments: {undertaken: {solo: 1}}}\n")
    (problem,) = problems_of(path)[0]
    assert {way.under for way in problem.hint} == {
        ("rules", "payments", "vole_premium"),
        ("rules", "payments", "vole_stake"),
    }


def test_a_file_without_id_and_title_is_sound_with_what_the_help_adds(tmp_path):
    """`title:` alone was the next error."""
    path = tmp_path / "ours.yaml"
    typed = "kind: profile\nextends: quanti-1822\ndefault_witness: parlett\n"
    path.write_text(typed)
    added = [
        line for p in problems_of(path)[0] if isinstance(p.hint, Edit) for line in p.hint.lines
    ]
    path.write_text("\n".join([*added, typed]))
    assert (len(added), problems_of(path)[0]) == (2, [])


NO_PROPOSAL = {
    "a list for what is dropped": "plugins:\n  - drop: [casco, mediateur]\n",
    "a text for parameters, beside a slip": "plugins: [{plugin: favourite, with: "
    "hearts}]\nrules: {solo: 3}\n",
    "all of a list that has no words": "rules: {bids: {solo: {needs: all}}}\n",
    "a bid that is played": "rules: {bids: {forced-spadille: yes}}\n",
    "what is added, doubled": "rules: {loss: {codille_adds: double}}\n",
    "a truth for a table": "rules: {matadors: true}\n",
    "two of a bid": "rules: {payments: {premium: 'solo 3, solo 4'}}\n",
    "a block that is none": "rules: {auction: no}\n",
}


@pytest.mark.parametrize("typed", NO_PROPOSAL.values(), ids=NO_PROPOSAL)
def test_what_is_not_clear_is_refused_and_left_as_it_is(tmp_path, quadrille, typed):
    """Some of these ended as an internal error, others were `mended` into another meaning."""
    path = tmp_path / "ours.yaml"
    path.write_text(HEAD + typed)
    assert quadrille("check", "--fix", str(path))[0] == 1
    assert path.read_text() == HEAD + typed
    told = [p.hint.value for p in problems_of(path)[0] if isinstance(p.hint, Replace)]
    assert not any("in_turn" in h or "never" in h or "True" in h or h == "[]" for h in told)
