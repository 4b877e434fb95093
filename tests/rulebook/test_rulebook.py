"""The rulebook as it is printed: well formed in every format and under every rule, honest about its
sources."""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import html5lib
import pytest
from quadrille_plugins.rulebook.book import Reader, draft, write
from quadrille_plugins.rulebook.changes import differences, told
from quadrille_plugins.rulebook.compose import GLOSSARY, compose, written
from quadrille_plugins.rulebook.example import examples
from quadrille_plugins.rulebook.further import incidents
from quadrille_plugins.rulebook.html import as_html
from quadrille_plugins.rulebook.ladder import rungs
from quadrille_plugins.rulebook.notes import note
from quadrille_plugins.rulebook.page import rulebook, sheet
from quadrille_plugins.rulebook.printing import as_markdown, as_text
from quadrille_plugins.shell.main import run
from support.decisive import other_values
from support.rulebook import flips, profiles

from quadrille_core import vocabulary
from quadrille_core.engine.auction import Ladder
from quadrille_core.plugin_rules import Incident, PaymentRow, PluginRules, TrumpsOnly
from quadrille_core.ruleset import compile_reference

REFS = profiles()
MIXED = "quadrille-laws+nemo+vole-announced+favourite+point-score"

HOUSE = """\
kind: profile
id: ours
title: Thursday's table <at home>
extends: quanti-1822
default_witness: parlett
readings: {unit: fixed}
rules:
  stakes: {ante: 2}
  payments: {premium: {solo: 3}}
plugins:
  - {plugin: favourite, with: {suit: diamonds}}
"""


@pytest.fixture
def house(tmp_path, monkeypatch):
    (tmp_path / "ours.yaml").write_text(HOUSE)
    monkeypatch.chdir(tmp_path)
    return compile_reference("ours.yaml")


def _faults(text: str) -> list[str]:
    """What no sentence of a rulebook has."""
    wrong = [
        "None",
        "  ",
        " .",
        " ,",
        "..",
        ",,",
        "''",
        "[",
        "]",
        "{",
        "}",
        "_",
        "True",
        "False",
        "no counters",
        "a Alliance",
    ]
    found = [repr(w) for w in wrong if w in text]
    if text.count("(") != text.count(")"):
        found.append("parentheses")
    if re.search(r"\([^)]*\(", text):
        found.append("parentheses in parentheses")
    if not re.fullmatch(r"[A-ZÉ“].*\.", text, re.DOTALL):
        found.append("its beginning or end")
    return found


@pytest.mark.parametrize(
    "ref",
    [
        pytest.param(r, marks=[] if r in ("quintille@article", MIXED) else [pytest.mark.slow])
        for r in (*REFS, MIXED)
    ],
)
def test_every_sentence_is_well_formed_whatever_a_leaf_is_set_to(ref):
    """Of the profile, and of all rules that differ from it in one leaf, each sentence reads as
    one."""
    rules = compile_reference(ref).ruleset.rules
    seen = set()
    for changed in (rules, *(r for _, _, r in flips(rules))):
        for section in written(vocabulary.dump(changed)):
            for paragraph in section.paragraphs:
                for s in paragraph.sentences:
                    if s.text not in seen and not s.cells:
                        seen.add(s.text)
                        assert _faults(s.text) == [], s.text
                    assert not s.cells or len(s.cells) == len(paragraph.columns), s.key


@pytest.mark.parametrize("ref", REFS)
def test_html_is_valid_and_asks_for_nothing(ref):
    """A strict reader finds no error, with and without another rule set beside it; no script, no
    address, no empty heading, and each table has a label of its own."""
    other = compile_reference("mediateur-1752")
    compiled = compile_reference(ref)
    for page in (rulebook(compiled, other), sheet(compiled)):
        text = as_html(page)
        html5lib.HTMLParser(strict=True).parse(text)
        assert "<script" not in text
        assert "http" not in text.replace("http-equiv", "")
        ids = re.findall(r'id="([^"]+)"', text)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)
        assert re.findall(r"<th[^>]*></th>", text) == []
        regions = re.findall(r'role="region"[^>]* aria-label="([^"]+)"', text)
        assert len(regions) == len(set(regions)) > 0


def test_what_comes_from_a_file_is_escaped(house):
    """A title with signs of HTML and Markdown stays a title."""
    assert "<at home>" not in as_html(rulebook(house))
    assert "&lt;at home&gt;" in as_html(rulebook(house))
    assert "<at home>" not in as_markdown(rulebook(house))


@pytest.mark.parametrize("ref", REFS)
def test_a_term_is_explained_where_it_first_occurs(ref):
    """Behind the first occurrence of each term that the text marks stands what it means."""
    page = rulebook(compile_reference(ref))
    pieces = [p.text for s in page.sections for b in s.blocks for p in b.pieces if p.text]
    assert [fault for text in pieces for fault in _faults(text)] == []
    text = " ".join(pieces)
    for term in GLOSSARY:
        if found := re.search(rf"\b{term}\b", text, re.IGNORECASE):
            assert text[found.end() :].startswith(f" ({GLOSSARY[term]})"), term


def test_a_note_cites_the_origins_of_what_its_sentence_states(house):
    """Every citation of every cited leaf is in the note, and a house rule is said to be one."""
    book = compose(house)
    for _, _, sentence in book.sentences():
        text = note(house, sentence.cites)
        assert sentence.cites <= sentence.rests_on
        for path in sentence.cites & set(house.origins):
            link = house.origins[path].link
            if link.setter == "vocabulary":
                continue
            assert link.citations or "house rule" in text
            for cite in link.citations:
                said = (
                    cite.filled.strip().rstrip(".") if cite.status == "silent" else cite.at
                ).split("; ")
                assert all(
                    re.sub(r"\bL(\d+)\b", r"law \1", one).casefold() in text.casefold()
                    for one in said
                )
    page = rulebook(house)
    ante = next(
        p
        for s in page.sections
        for b in s.blocks
        for p in b.pieces
        if "puts two counters" in p.text
    )
    assert "house rule of ours" in dict(page.notes)[ante.note]


def test_differences_are_marked_both_ways():
    """A book differs from itself in nothing; two books differ in the same sentences whichever is
    printed."""
    one, other = (
        compose(compile_reference("quanti-1822@parlett")),
        compose(compile_reference("quanti-1822@wikipedia")),
    )
    assert differences(one, one) == {}
    there, back = differences(one, other), differences(other, one)
    assert set(there) == set(back) != set()
    for key, found in there.items():
        assert {(d.mine, d.theirs) for d in found} == {(d.theirs, d.mine) for d in back[key]}


@pytest.mark.parametrize(
    "ref",
    [
        "quintille",
        *(
            pytest.param(ref, marks=pytest.mark.slow)
            for ref in ("quanti-1822@parlett", "hoyle-improved")
        ),
    ],
)
def test_whatever_changes_the_text_is_a_difference(ref):
    """No change of a leaf changes a heading alone, so that the list of differences would miss
    it."""
    compiled = compile_reference(ref)
    book = compose(compiled)

    def lines(of):
        return [p.text for s in of.sections for p in s.paragraphs]

    def rewritten(rules):
        values = vocabulary.dump(rules)
        return replace(book, sections=written(values), values=values)

    here = rewritten(compiled.ruleset.rules)
    for path, other, changed in flips(compiled.ruleset.rules):
        there = rewritten(changed)
        if lines(here) != lines(there):
            assert differences(here, there), f"{path} = {other}"


def test_premiers_end_only_a_game_that_they_win():
    """Where six tricks win an alliance and not a solo, the rulebook says of each how it goes on
    after premiers."""
    settings = {"bids.solo.tricks": 7}
    text = " ".join(
        as_text(rulebook(compile_reference("quanti-1822@parlett", settings=settings))).split()
    )
    assert "In Alliance, when" in text
    assert "must either end the play there, with the game won, or undertake the vole" in text
    assert (
        "In Solo, where these do not win the game yet, that player must say whether the side now"
        in text
    )
    settings |= {"bids.alliance.tricks": 7}
    text = " ".join(
        as_text(rulebook(compile_reference("quanti-1822@parlett", settings=settings))).split()
    )
    assert "with the game won" not in text


def test_where_a_bid_is_gone_nothing_is_marked_but_what_concerns_it():
    """Sentences that lose its company ("In Alliance, you may …") say the same of the bids that are
    left."""
    parlett = "quanti-1822@parlett"
    gone = rulebook(
        compile_reference(parlett, settings={"auction.all_pass": "redeal"}),
        compile_reference(parlett),
    )
    (auction,) = [d for d in gone.differences if d.mine]
    assert auction.mine.startswith("If everybody passes, the cards are thrown in")
    assert all(
        d.about == "Forced Spadille" or "In Forced Spadille" in d.theirs
        for d in gone.differences
        if not d.mine
    )
    settings = {"auction.all_pass": "redeal", "bids.alliance.call.own_card": "never"}
    changed = rulebook(compile_reference(parlett, settings=settings), compile_reference(parlett))
    assert "You may not call a card of your own." in [d.mine for d in changed.differences]


def test_every_difference_is_marked_in_every_format():
    """The bar, the arrow and <ins> mark what differs, and the list has the other rule set's
    wording."""
    page = rulebook(
        compile_reference("quanti-1822@parlett"), compile_reference("quanti-1822@wikipedia")
    )
    spans = [x for s in page.sections for b in s.blocks for p in b.pieces for x in p.spans]
    marked = [x.text for x in spans if x.differs]
    assert len(marked) > 10
    assert len(marked) < len(spans) / 2
    flat = " ".join(line.removeprefix("| ").strip() for line in as_text(page).splitlines())
    for text in marked:
        assert f"*{text}*" in flat
        assert f"<ins>{text}</ins>" in as_html(page)
        assert f"▸ *{text}*" in as_markdown(page)
    for d in page.differences:
        change = told(d) if d.mine and d.theirs else d.mine or d.theirs
        assert change in flat
    assert (
        sum(
            "Alliance, [Médiateur, Casco and Solo. → Solo and Vole.]" in told(d)
            for d in page.differences
        )
        == 1
    )


def test_a_bar_stands_beside_the_lines_that_differ_alone():
    """Of a paragraph with one sentence that differs, the other lines have no bar."""
    page = rulebook(
        compile_reference("quanti-1822@parlett"), compile_reference("quanti-1822@wikipedia")
    )
    lines = as_text(page).splitlines()
    (ponto,) = [n for n, line in enumerate(lines) if "*The ace of red trumps" in line]
    assert lines[ponto].startswith("| ")
    assert lines[ponto - 1].startswith("  ")


def test_the_other_rule_set_is_named_with_its_account_and_digest():
    """The reader knows against what the text was held."""
    other = compile_reference("quanti-1822@wikipedia")
    page = rulebook(compile_reference("quanti-1822@parlett"), other)
    for text in (as_text(page), as_markdown(page), as_html(page)):
        assert "the later article’s summary: quanti-1822@wikipedia#" in " ".join(
            text.replace("\\", "").split()
        )
        assert other.identity.digest[:12] in text


def test_packets_in_another_order_are_no_difference():
    """The dealer chooses among the packets, so that their order in the file says nothing."""
    values = vocabulary.dump(compile_reference("quanti-1822").ruleset.rules)
    turned = {**values, "deal.packets": list(reversed(values["deal.packets"]))}
    assert turned != values
    assert _texts(written(turned)) == _texts(written(values))


def _texts(sections):
    return [p.text for s in sections for p in s.paragraphs]


@pytest.mark.parametrize(
    "ref", [pytest.param(r, marks=[] if r == MIXED else [pytest.mark.slow]) for r in (*REFS, MIXED)]
)
def test_the_ladder_is_the_order_in_which_bids_overcall_each_other(ref):
    """Under the rules, and with a leaf changed, the bids stand as the engine ranks them, equals
    together."""
    rules = compile_reference(ref).ruleset.rules
    seen = set()
    for one in (
        rules,
        *(
            changed
            for path, _, changed in flips(rules)
            if path.startswith(("auction", "bids", "fav"))
        ),
    ):
        levels = {}
        for spec, level in Ladder(one).levels.items():
            if spec.favourite and one.favourite.source == "none":
                continue  # nobody can make it
            levels.setdefault(level, []).append(
                (spec.bid, spec.favourite, spec.vole.replace("none", ""))
            )
        expected = [sorted(levels[level]) for level in sorted(levels)]
        found = rungs(Reader(vocabulary.dump(one)))
        assert [sorted(ways) for ways in found] == expected
        seen.add(str(expected))
    assert len(seen) > 3


def _said(ref, key, **settings):
    """The sentences of a paragraph under a rule set with some leaves changed, by their keys."""
    values = vocabulary.dump(compile_reference(ref).ruleset.rules)
    sections = written(
        {**values, **{path.replace("__", "."): value for path, value in settings.items()}}
    )
    return {
        s.key: s.text
        for section in sections
        for p in section.paragraphs
        if p.key == key
        for s in p.sentences
    }


@pytest.mark.parametrize(
    ("by", "at_once"), [("hombre", False), ("hombre_or_ally", True), ("ally", True)]
)
def test_an_ally_who_names_trumps_is_known_at_once(by, at_once):
    """As the engine has it: naming trumps is the first word that an ally says."""
    said = _said("quanti-1822", "bid.forced-spadille", **{"bids__forced-spadille__trump_by": by})
    assert ("known at once" in " ".join(said.values())) == at_once


def test_the_king_of_a_mediateur_is_shown_and_the_card_given_for_it_is_not():
    """Parlett has it so (Médiateur, sentence 3); in play, too, only two know of the card given."""
    said = " ".join(_said("mediateur-1752", "bid.mediateur").values())
    assert said.index("face up") < said.index("face down")


@pytest.mark.parametrize(
    ("adds", "unit", "stake"), [(0, "one counter", "four"), (4, "two counters", "eight")]
)
def test_the_stake_named_beside_the_unit_is_what_all_antes_come_to(adds, unit, stake):
    """What the dealer puts in besides counts, both for the unit and for the least pool of a
    codille."""
    changed = {"stakes__dealer_adds": adds, "loss__codille_shared_from": 3}
    assert (
        f"{unit} while the stake is {stake} counters"
        in _said("quanti-1822", "unit", **changed)["unit"]
    )
    least = {0: "twelve counters", 4: "twenty-four counters"}[adds]
    assert f"if it holds less than {least}" in _said("quanti-1822", "beast", **changed)["sweep"]


@pytest.mark.parametrize(
    "drawing", [(), ("solo",), ("solo", "vole", "alliance", "forced-spadille")]
)
def test_the_game_in_short_promises_no_more_than_the_winner_takes(drawing):
    """The pool is promised only where it is taken, and a fixed draw where a game draws that."""
    changed = {f"bids__{bid}__draws": 2 for bid in drawing}
    aim = _said("quanti-1822@parlett", "aim", **changed)["aim"]
    won = _said("quanti-1822@parlett", "pool", **changed)["pool_won"]
    assert ("takes the pool" in aim) == ("takes the pool" in won) == (len(drawing) < 4)
    assert ("a fixed number" in aim) == ("two counters" in won) == bool(drawing)


def test_laws_left_out_are_named():
    """Every law of the thirty is printed or said to be covered above, and no note says L21."""
    text = as_text(rulebook(compile_reference("quadrille-laws")))
    flat = " ".join(text.split())
    ranges = re.search(r"\(laws ([^)]*)\) speak", flat)[1]
    covered = {
        n
        for a, b in re.findall(r"(\d+)(?: to (\d+))?", ranges)
        for n in range(int(a), int(b or a) + 1)
    }
    printed = {int(n) for n in re.findall(r"^LAW (\d+)\.", text, re.MULTILINE)}
    assert covered.isdisjoint(printed)
    assert covered | printed == set(range(1, 31))
    assert not re.search(r"\bL\d", text)
    assert "law 7" in flat


@pytest.mark.parametrize("ref", REFS)
def test_an_example_is_what_the_engine_pays(ref, capsys):
    """The command below an example shows the same deal with the same outcome."""
    compiled = compile_reference(ref)
    found = examples(compiled)
    assert [one.title for one in found] == ["A game won", "A remise", "A codille"]
    for one in found:
        assert run(one.command.split()[1:]) == 0
        printed = capsys.readouterr().out
        for change in re.findall(r"[+−]\d+(?:/\d+)?", one.payments[-1]):
            assert change.lstrip("+−") in printed


def test_a_lost_game_is_shown_with_what_is_paid_for_it():
    """Where a codille pays twice over, the example is one in which somebody is paid so."""
    twice = compile_reference("quanti-1822@parlett", settings={"loss.codille_items_times": 2})
    codille = next(one for one in examples(twice) if one.title == "A codille")
    assert any(line.endswith("lost, twice over.") for line in codille.payments)


def test_the_same_rules_are_the_same_bytes():
    """Nothing of the text depends on anything but the rules."""
    pages = [as_html(rulebook(compile_reference("quintille"))) for _ in range(2)]
    assert pages[0] == pages[1]


@pytest.mark.parametrize(
    "args", [["--format", "text"], ["--format", "md"], ["--format", "html"], ["--sheet"]]
)
def test_the_command_prints_and_writes(args, tmp_path, capsys):
    """What is printed is what is written."""
    assert run(["rulebook", "quintille", *args]) == 0
    printed = capsys.readouterr().out
    path = tmp_path / ("rules." + (args[1].replace("text", "txt") if len(args) > 1 else "txt"))
    assert run(["rulebook", "quintille", *args, "--output", str(path)]) == 0
    assert path.read_text("utf-8") == printed


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["captive-queens", "--sheet"], "patience"),
        (["quintille", "--against", "captive-queens"], "no rule in common"),
        (["quintille", "--against", "captive-queens", "--sheet"], "no rule in common"),
    ],
)
def test_what_has_no_rulebook_is_refused(args, says, capsys):
    """Another kind of game, and a comparison with one."""
    assert run(["rulebook", *args]) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("ref", ["royal-quadrille", "captive-queens", "contradance"])
def test_a_patience_has_a_rulebook_that_every_rule_changes(ref):
    """Each rule that can act is in the text; what the heap becomes acts only where it is used
    again."""
    compiled = compile_reference(ref)
    values = vocabulary.dump(compiled.game.rules)
    sections = compose(compiled).sections
    for path, value in values.items():
        ranks = {"foundations.builds": [["A", "2", "3"]], "foundations.adornment": ["4"]}
        others = (
            [ranks[path]]
            if path in ranks
            else [o for _, o in other_values(vocabulary.leaf_at(path), value)]
        )
        assert others, path
        for other in others:
            acts = path != "foundations.adornment_laid" or values["foundations.adornment"]
            assert (_texts(written({**values, path: other})) != _texts(sections)) == bool(acts), (
                path,
                other,
            )
    faults = [
        f for s in sections for p in s.paragraphs for x in p.sentences for f in _faults(x.text)
    ]
    assert faults == []
    html5lib.HTMLParser(strict=True).parse(as_html(rulebook(compiled)))


def test_the_text_fits_the_page():
    """Prose is at most 78 columns wide; only a table may be wider."""
    for line in as_text(rulebook(compile_reference("quadrille-laws"))).splitlines():
        assert len(line) <= 78 or "quadrille deal" in line, line


def test_it_runs_without_compiled_packages():
    """No NumPy, Numba or other compiled package is imported, with any format."""
    code = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"numpy", "numba", "llvmlite", "scipy", "lxml", "rpds", "yaml._yaml", "altair"}:
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
from quadrille_plugins.shell.main import run
for fmt in ("text", "md", "html"):
    assert run(["rulebook", "quanti-1822", "--format", fmt, "--against", "quadrille-laws"]) == 0
assert run(["rulebook", "quanti-1822", "--sheet"]) == 0
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


OWN = PluginRules(
    (("x.fine", 12), ("x.bonus", 2), ("x.only", True), ("x.on", True)),
    (
        (
            "x.payments",
            (
                PaymentRow(
                    reason="revoke",
                    amount="x.fine",
                    payer="offender",
                    payee="others",
                    incident="revoke",
                ),
                PaymentRow(
                    reason="bonus",
                    amount="x.bonus",
                    payer="adversaries",
                    payee="hombre",
                    unit="units",
                    counted=True,
                    outcomes=("won",),
                    contracts=("solo",),
                    when="x.on",
                ),
            ),
        ),
        ("x.trumps", (TrumpsOnly(bid="solo", suits=("hearts", "favourite"), rule="x.only"),)),
        (
            "x.incidents",
            (
                Incident(
                    id="revoke", doc="a player revokes", says="A revoke is fined.", rule="x.fine"
                ),
            ),
        ),
    ),
)


def test_what_plugins_add_is_told():
    """Payments, limits on trumps and laws of a plugin are in the text, and follow the plugin's own
    leaves."""
    values = vocabulary.dump(
        replace(compile_reference("quanti-1822@wikipedia").ruleset.rules, own=OWN)
    )

    def text(**changed):
        return " ".join(p.text for s in written({**values, **changed}) for p in s.paragraphs)

    whole = text()
    assert "In Solo only hearts or the favourite suit may be named trumps." in whole
    assert (
        "Revoke: the offender pays twelve counters (one fiche and two jettons) to each of the "
        "others" in whole
    )
    assert "if a player revokes" in whole
    assert (
        "Bonus: each of the adversaries pays two counters to the Hombre, in Solo, if the game is "
        "won" in whole
    )
    for name, other in (("x.fine", 13), ("x.bonus", 3), ("x.only", False), ("x.on", False)):
        assert text(**{name: other}) != whole, name
    reader = Reader(values)
    assert write(reader, iter([draft("laws", incidents)]))[0].text == "A revoke is fined."


@pytest.mark.parametrize(
    ("ending", "begins"), [(".html", "<!DOCTYPE html>"), (".md", "# "), (".txt", "")]
)
def test_the_ending_of_the_file_says_the_format(tmp_path, ending, begins):
    """Who names rules.html gets HTML, without --format."""
    path = tmp_path / f"rules{ending}"
    assert run(["rulebook", "quintille", "--output", str(path)]) == 0
    text = path.read_text()
    assert text.startswith(begins)
    assert ("<html" in text) == (ending == ".html")


def test_endings_that_are_no_format_are_refused_with_one_that_is(tmp_path, capsys):
    """PDF is printed from a browser; two formats at once are refused; nothing is written."""
    assert run(["rulebook", "quintille", "--output", str(tmp_path / "rules.pdf")]) == 2
    assert "rules.html, and print that to PDF from a browser" in capsys.readouterr().err
    assert (
        run(["rulebook", "quintille", "--format", "md", "--output", str(tmp_path / "rules.html")])
        == 2
    )
    assert "rules.md" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_house_rulebook_names_its_file_and_no_folder():
    """Guests are handed the text; where the host keeps the file is nothing to them."""
    head = rulebook(compile_reference(str(Path(__file__).parent / "trial" / "thursday.yaml"))).named
    assert "thursday.yaml@" in head
    assert "/" not in head.split("thursday.yaml")[0]


@pytest.mark.parametrize("fmt", ["text", "md", "html"])
def test_a_rulebook_is_cited_where_that_is_asked_for(quadrille, fmt):
    """Guests do without the line."""
    asked = ("rulebook", "quanti-1822", "--format", fmt)
    plain, cited = quadrille(*asked)[1], quadrille(*asked, "--cite")[1]
    assert "To cite this" not in plain
    assert "To cite this: Quadrille" in cited
    assert re.search(r"rulebook quanti-1822\\?#\w{12}; [\d-]+\.", " ".join(cited[-250:].split()))
