"""Small spaces of points to rank, with answers that are made by a formula."""

from fractions import Fraction

from quadrille_plugins.rank.effects import PAYMENTS, SMALLEST
from quadrille_plugins.rank.play import Group, Outcome, Response
from quadrille_plugins.rank.run import RankingPlan
from quadrille_plugins.rank.space import space_of

HEAD = """\
kind: profile
id: small
title: A table to rank the points of
extends: quanti-1822
rules:
  stakes: {unit_of: constant, unit: 1}
  loss: {codille_pays: []}
points:
"""
POINTS = {
    "solo": ("payments.premium.solo: 1", "payments.premium.solo: 2"),
    "losses": ("loss.remise_pays: []", "loss.remise_pays: [premium]"),
    "firsts": ("payments.premiers: 1", "payments.premiers: 3"),
    "named": ("bids.solo.title: Solo", "bids.solo.title: Sans prendre"),
}


def made(tmp_path, *points, more="", readings=POINTS):
    """A space of two readings for each of these points, ``off`` in use and ``on``."""
    text = HEAD
    for name in points:
        text += f"  {name}:\n    question: Which?\n    default: off_\n    readings:\n"
        for reading, rule in zip(("off_", "on_"), readings[name], strict=True):
            text += f"      {reading}:\n        set: {{{rule}}}\n        note: For a test.\n"
    path = tmp_path / "small.yaml"
    path.write_text(text + more, "utf-8")
    return space_of(str(path), {}, {}, points)


def asked(**changed):
    plain = {
        "seed": 3,
        "sample_size": 8,
        "exact": True,
        "measure": PAYMENTS,
        "deals": 40,
        "smallest": SMALLEST,
    }
    return RankingPlan(**{**plain, **changed})


# --- answers that are made ------------------------------------------------------------------------


def response(paid, told, parts=1):
    """A response of 40 planned deals in which the Hombre won these parts of a counter a seat of the
    adversaries."""
    groups = tuple(Group((p, 0, 0, -p, p, 0, -p, 0, 0, 0, 0, 0), (("solo", 10),)) for p in paid)
    return Response(4, 40, 12 * parts, groups, told)


PARTS = 80


def answers(space, formula, groups=8, differs=lambda group, block: 0):
    """What the Hombre wins of the adversaries by a formula of the combination, in counters a seat
    in 40 deals.

    It is the same in every group and block but for what ``differs`` adds.
    """

    def evaluate(tasks):
        for combination, block in tasks:
            if space.refusal(combination):
                yield Outcome("", refused=True)
                continue
            each = [formula(*combination) + differs(g, block) for g in range(groups)]
            paid = [Fraction(48 * PARTS * e, groups) for e in each]
            assert all(p.denominator == 1 for p in paid), "choose a formula of fewer parts"
            yield Outcome(str(combination), (response([int(p) for p in paid], str(paid), PARTS),))

    return evaluate


def found_of(found, name):
    return next(p for p in found.points if p.point == name)


def effect_of(found, name, measure=PAYMENTS):
    return found_of(found, name).effects[measure]
