"""What explains the marks of a rulebook, and what its notes may cite."""

import pytest
from quadrille_plugins.rulebook.notes import NOTES_KEY
from quadrille_plugins.rulebook.page import rulebook
from quadrille_plugins.rulebook.printing import as_text
from quadrille_plugins.shell.main import run

from quadrille_core.ruleset import compile_reference


@pytest.mark.parametrize("fmt", ["text", "md", "html"])
def test_the_notes_say_what_their_words_mean(capsys, fmt):
    """Inferred, conjecture and filled are explained above the notes in every format."""
    assert run(["rulebook", "quanti-1822", "--format", fmt]) == 0
    assert " ".join(NOTES_KEY.split()) in " ".join(capsys.readouterr().out.split())


def test_the_marks_of_a_held_against_rulebook_are_explained():
    """Only here, only there and the dash are explained above the list of differences."""
    text = " ".join(
        as_text(
            rulebook(compile_reference("quintille"), compile_reference("quadrille-laws"))
        ).split()
    )
    assert "a dash where it has no words" in text
    assert "“Only here”" in text


def test_no_text_is_cited_for_beasts_that_wait_that_says_the_contrary(capsys):
    """Whoever chooses that beasts wait is not told that a text which doubles the pool says so."""
    assert run(["rulebook", "quanti-1822", "--reading", "beasts_wait=wait"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "] conjecture: They are played for one at a time, the largest first. [" in out
