"""``quadrille show``: what it prints can be used."""

import json


def test_show_gives_yaml_that_is_itself_a_valid_rules_block(quadrille, write):
    _, out, _ = quadrille("show", "mediateur-1752", "--format", "yaml")
    house = "kind: profile\nid: copy\ntitle: Copy\nextends: mediateur-1752\n" + out
    path = write(house, "copy.yaml")
    assert quadrille("check", path)[0] == 0
    digest = [
        json.loads(quadrille("show", r, "--format", "json")[1])["leaves"]
        for r in ("mediateur-1752", path)
    ]
    assert {p: v["value"] for p, v in digest[0].items()} == {
        p: v["value"] for p, v in digest[1].items()
    }
