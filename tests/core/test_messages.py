"""The page of every message and answer is what the code says, and leaves nothing out that is printed."""

import re
from pathlib import Path

import documents
import messages
import pytest
from quadrille_plugins.check.command import problems_of
from support.data import of_yaml

TESTS = Path(__file__).resolve().parents[1]
HEAD = "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\ndefault_witness: parlett\n"
REASONS = ("Q304", "Q602", "Q603")
"""Codes whose help is the reason that a profile or plugin gives."""


def test_messages_are_found_in_calls_tuples_and_errors_with_their_help():
    """Of each way in which the code words a message, one that is on the page."""
    found = {(m.code, m.text): m.help for m in messages.messages()}
    assert found["Q104", "the file is empty"] == "there is nothing in it to read"
    assert found["Q207", "{subject} is no suit"] == "the suits are {SUITS}"
    assert found["Q802", "a point is named twice"] == "name each point once"


def test_words_that_are_made_elsewhere_are_followed_there():
    """In a field of a class, in a table of data, by a caller, in a tuple that a function returns."""
    found = {(m.code, m.text): m.help for m in messages.messages()}
    assert found["Q701", "{bid.title} is played with a trump suit, and none is given"] == "trump: SUIT, one of {SUITS}"
    assert found["Q105", "a tab stands where only blanks may"] == "write blanks instead of the tab"
    assert found["Q606", "no bid can ever be made"] == "give a bid made: in_turn"
    assert found["Q207", "no player can be called {name}: spreadsheets read it as a formula"] == ""


def test_no_message_is_made_of_what_is_put_in_alone():
    """Its own words stand in the list, so that they can be read there."""
    assert [m for m in messages.messages() if messages.words_of(m.text) == 0] == []


def test_every_study_has_its_answer_on_the_page():
    """A study without a sentence that answers would have no section here."""
    told = messages.answers()
    for study in ("compare", "matters", "rank", "tournament", "discriminate", "patience"):
        slice_ = f"plugins/quadrille_plugins/{study}/"
        assert any(key.startswith(slice_) and not key.endswith("below the answer") for key in told)


def _pattern(template: str) -> str:
    """A template as a pattern: what is put in may be anything."""
    return "".join(".*?" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{[^{}]*\})", template))


@pytest.fixture(scope="module")
def texts() -> dict[str, list[tuple[re.Pattern[str], list[re.Pattern[str]]]]]:
    """By code: each message of the page as a pattern, with those of its help."""
    found: dict[str, list[tuple[re.Pattern[str], list[re.Pattern[str]]]]] = {}
    for m in messages.messages():
        helps = [re.compile(_pattern(h)) for h in m.help.split(" | ")]
        for code in m.code.split("/"):
            found.setdefault(code, []).append((re.compile(_pattern(m.text)), helps))
    return found


class Template:
    """A text of the page, whose own words are looked for one after another."""

    def __init__(self, text: str) -> None:
        self.parts = [p.strip() for p in re.split(r"\{[^{}]*\}", text) if p.strip()]

    def search(self, text: str) -> bool:
        """Whether all its words stand in the text, in their order."""
        at = 0
        for part in self.parts:
            at = text.find(part, at)
            if at < 0:
                return False
            at += len(part)
        return True


@pytest.fixture(scope="module")
def any_text() -> list[Template]:
    """Each text of the page with three words of its own or more."""
    return [Template(t) for t in messages.every_text() if messages.words_of(t) >= 3]


@pytest.fixture(scope="module")
def any_help() -> list[Template]:
    """Each text of the page with two words, and each help with one."""
    helps = [h for m in messages.messages() for h in m.help.split(" | ") if messages.words_of(h)]
    return [Template(t) for t in (*helps, *(t for t in messages.every_text() if messages.words_of(t) >= 2))]


def _missing(told: list[tuple[str, str, str]], texts, any_help) -> list[str]:
    """What is told by code, message and help, and matches nothing on the page."""
    found = []
    for code, message, fix in told:
        ways = [helps for pattern, helps in texts.get(code, []) if pattern.fullmatch(message)]
        if not ways:
            found.append(f"{code} {message}")
        elif (
            fix
            and code not in REASONS
            and not any(h.fullmatch(fix) for helps in ways for h in helps)
            and not any(p.search(fix) for p in any_help)
        ):
            found.append(f"{code} {message}: {fix}")
    return found


def test_every_error_of_a_broken_file_is_on_the_page(texts, any_help):
    """Word for word, what is put in left open, with its help."""
    faults = [p for one in of_yaml(TESTS / "broken" / "expected.yaml") for p in one["problems"]]
    told = [
        (p["code"], " ".join(str(p["message"]).split()), " ".join(str(p.get("help") or "").split())) for p in faults
    ]
    assert len(told) > 150
    assert _missing(told, texts, any_help) == []


def test_every_fault_of_a_result_is_on_the_page(texts, any_help):
    """The results that cannot have been are what a host meets most."""
    faults = [f for case in of_yaml(TESTS / "data" / "impossible.yaml") for f in case["faults"]]
    told = [("Q701", next(v for k, v in f.items() if k != "help"), f.get("help", "")) for f in faults]
    assert len(told) > 60
    assert _missing(told, texts, any_help) == []


def test_every_usual_slip_is_on_the_page(texts, any_help, tmp_path):
    """The slips in a file of house rules, with the help that is typed as it stands."""
    told = []
    for slip in of_yaml(TESTS / "house_rules" / "slips.yaml"):
        path = tmp_path / "ours.yaml"
        path.write_text(slip.get("head", HEAD) + slip["typed"])
        told += [(p.code, " ".join(p.message.split()), " ".join(p.help.split())) for p in problems_of(path)[0]]
    assert len(told) > 12
    assert _missing(told, texts, any_help) == []


def _shown() -> list[tuple[str, str]]:
    """Command and output of every example of the documents."""
    pages = [p.read_text("utf-8") for p in documents.DOCUMENTS]
    return [(c, out) for text in pages for c, out in documents.commands(text) if not c.startswith("cat ")]


def test_every_error_that_a_document_shows_is_on_the_page(texts):
    """An example's error, as it stands in its output."""
    errors = [m for _, out in _shown() for m in re.finditer(r"^(?:\S+: )?(Q\d{3}) (.*)$", out, re.MULTILINE)]
    told = [(m[1], m[2], "") for m in errors]
    missing = [t for t in told if not any(p.fullmatch(t[1]) for p, _ in texts.get(t[0], []))]
    assert len(told) > 5
    assert missing == []


def _sentences(out: str) -> list[str]:
    """The paragraphs of an output that are prose: whole lines of words, not rows of a table."""
    found = []
    for paragraph in re.split(r"\n\s*\n|\n(?=- )", out):
        lines = paragraph.strip().splitlines()
        if not lines or any(re.search(r"\S {2,}\S|[│━─|{}\[\]]", line) for line in lines):
            continue
        text = " ".join(line.strip() for line in lines)
        if re.match(r"[A-Z]", text) and text.endswith(".") and len(re.findall(r"[a-z]{2,}", text)) > 4:
            found.append(text)
    return found


def test_every_sentence_that_a_document_shows_is_on_the_page(any_text):
    """An answer, a note, a paragraph of a rulebook: some template of the page words each that no profile does."""
    data = "\n".join(" ".join(p.read_text("utf-8").split()) for p in (documents.ROOT / "variants").rglob("*.yaml"))
    told = {s for _, out in _shown() for s in _sentences(out)}
    assert len(told) > 100
    missing = [s for s in sorted(told) if not any(p.search(s) for p in any_text)]
    missing = [s for s in missing if s not in data and s.partition(": ")[2] not in data]
    assert [s for s in missing if not re.match("After “.*”: .* may bid", s)] == []


def test_every_text_of_the_help_is_on_the_page(quadrille):
    """The first paragraph of each command's --help."""
    from quadrille_core import features

    page = " ".join(re.sub(r"[`*]", "", messages.page()).split())
    for feature in features.commands():
        first = feature.name
        status, out, _ = quadrille(first, "--help")
        text = out.split("\n\n")[1] if status == 0 and "\n\n" in out else ""
        assert " ".join(text.replace("`", "").split()) in page, first
