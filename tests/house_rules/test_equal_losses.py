"""House rules by which a codille costs no more than a remise are warned of, and no others are."""

import pytest
from quadrille_plugins.house_rules.warnings import equal_losses
from support.plugin import PREAMBLE, child, make_plugin

from quadrille_core import resources
from quadrille_core.kinds import TRICKS
from quadrille_core.ruleset import compile_reference

SAME = ("loss.codille_adds=1", "loss.codille_pool=stays")


def written(quadrille, file, *sets, ref="quanti-1822"):
    """What ``new`` says on stderr of a file with these rules."""
    status, _, err = quadrille(
        "new", str(file), "--from", ref, *(word for one in sets for word in ("--set", one))
    )
    assert status == 0
    return err


def test_new_and_check_warn_where_nothing_tells_a_codille_from_a_remise(quadrille, tmp_path):
    """The warning names what the host wrote and what to raise, and raising it ends the warning."""
    file = tmp_path / "ours.yaml"
    told = written(quadrille, file, *SAME)
    for words in (
        "a codille costs exactly what a remise costs",
        *(s.replace("=", ": ") for s in SAME),
    ):
        assert words in told
    status, _, err = quadrille("check", str(file))
    assert status == 0
    assert "a codille costs exactly what a remise costs" in err
    assert "loss.codille_adds above loss.remise_adds" in err
    file.write_text(file.read_text().replace("codille_adds: 1", "codille_adds: 2"))
    assert "exactly what a remise" not in quadrille("check", str(file))[2]


@pytest.mark.parametrize(
    "stated",
    [
        ("loss.codille_adds=1",),
        ("loss.codille_pool=stays",),
        (),
        (*SAME, "loss.codille_pays=[matadors]", "loss.remise_pays=[]"),
        (*SAME, "loss.codille_pays=[premiers]", "loss.remise_pays=[]"),
        (*SAME, "loss.codille_items_times=3"),
        ("loss.codille_adds=1", "loss.codille_shared_from=4"),
    ],
)
def test_a_codille_that_costs_more_in_any_way_is_not_warned_of(quadrille, tmp_path, stated):
    """An equal beast alone is no slip while the adversaries take the pool: Hombre pays alike, and
    they get more."""
    assert written(quadrille, tmp_path / "ours.yaml", *stated) == ""


def test_a_codille_that_costs_more_at_some_trumps_alone_is_not_warned_of(tmp_path, monkeypatch):
    """Every suit is tried where a plugin pays by suit."""
    leaf = "@hookimpl\ndef quadrille_leaves():\n"
    leaf += "    return [OwnLeaf(path='diamonds.n', type='amount', doc='d', neutral=2)]\n"
    row = "PaymentRow(reason='r', amount='diamonds.n', payer='hombre', payee='adversaries', {})"
    more = "@hookimpl\ndef quadrille_payments(rules, parameters):\n    return [" + row + "]\n"
    make_plugin(
        tmp_path,
        "diamonds",
        PREAMBLE + leaf + more.format("outcomes=('codille',), trumps=('diamonds',)"),
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    rules = "{loss: {codille_adds: 1, codille_pool: stays}}"
    assert equal_losses(compile_reference(child(tmp_path, "quanti-1822", rules=rules))) is not None
    assert (
        equal_losses(
            compile_reference(child(tmp_path, "quanti-1822", "[{plugin: diamonds}]", rules))
        )
        is None
    )


def test_no_shipped_rule_set_is_warned_of_nor_a_file_that_takes_its_losses_over(
    quadrille, tmp_path
):
    """What a book has is no slip of the host, who states another rule alone."""
    for name in resources.shipped_profiles():
        if name.endswith("-base") or name in ("quadrille-article",):
            continue
        compiled = compile_reference(name)
        assert equal_losses(compiled) is None
        if compiled.kind == TRICKS:
            assert written(quadrille, tmp_path / f"{name}-ours.yaml", ref=name) == ""
