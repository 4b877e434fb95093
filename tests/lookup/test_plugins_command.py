"""``quadrille plugins``: what is installed, with its parameters."""

import json

from quadrille_core.registry import load_all


def test_every_plugin_is_listed_with_its_version_and_parameters(quadrille):
    status, out, err = quadrille("list", "plugins", "--format", "json")
    assert (status, err) == (0, "")
    loaded = load_all().loaded
    assert [p["plugin"] for p in json.loads(out)] == list(loaded)
    for told in json.loads(out):
        about = loaded[told["plugin"]].about
        assert (told["title"], list(told["parameters"])) == (about.title, list(about.parameters))
        for name, parameter in told["parameters"].items():
            assert (
                parameter["default"] in parameter["choices"] or not about.parameters[name].choices
            )
