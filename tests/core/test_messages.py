"""The page of every message and answer is what the code says."""

import messages


def test_the_page_is_what_the_code_says():
    """`python tests/messages.py` writes it anew."""
    assert messages.PAGE.read_text("utf-8") == messages.page()


def test_messages_are_found_in_calls_tuples_and_errors_with_their_help():
    """Of each way in which the code words a message, one that is on the page."""
    found = {(m.code, m.text): m.help for m in messages.messages(messages.modules())}
    assert found["Q104", "the file is empty"] == "there is nothing in it to read"
    assert found["Q207", "{subject} is no suit"] == "the suits are {SUITS}"
    assert found["Q802", "a point is named twice"] == "name each point once"


def test_every_study_has_its_answer_on_the_page():
    """A study without a sentence that answers would have no section here."""
    told = messages.answers(messages.modules())
    for study in ("compare", "matters", "rank", "tournament", "discriminate", "patience"):
        slice_ = f"plugins/quadrille_plugins/{study}/"
        assert any(key.startswith(slice_) and not key.endswith("below the answer") for key in told)
