"""Data in an encoding that lacks characters: nothing of it is lost."""

import json

from quadrille_plugins.shell.terminal import for_stream


def test_data_is_exact_in_any_encoding():
    """JSON keeps every character by escapes of its own, TEI by references; no two texts become one
    in CSV."""

    class Ascii:
        encoding = "ascii"

    data = {"name": "José − ♠ 𝄞", "wicked": "\x1b[2J\x9b\u202e\u200b\x7f"}
    for stream in (Ascii(), None):
        written = for_stream(json.dumps(data, ensure_ascii=False), "json", stream)
        assert json.loads(written) == data
        assert written.isprintable()
    assert for_stream("<p>é</p>", "tei", Ascii()) == "<p>&#233;</p>"
    assert for_stream("é,e", "csv", Ascii()) == "\\xe9,e"
    assert for_stream("é,e", "csv", None) == "é,e"
