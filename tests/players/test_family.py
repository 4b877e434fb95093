"""Players named with parameters: how a spec is read and spelt, what is said of a wrong one, and
what each changes."""

import inspect
from pathlib import Path
from typing import Any

import pytest
from quadrille_plugins.deal import players
from quadrille_plugins.deal.options import parse_players
from quadrille_plugins.deal.players import (
    BOTS,
    begins_anew,
    family,
    make_bot,
    named,
    spelt,
)
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.deal.view import view_of
from quadrille_plugins.kernel.mixed import modules_of
from quadrille_plugins.players.steady_manner import CALL_ORDER, Calls, Manner
from quadrille_plugins.studies.fast import blocked_by, compiled_player
from support.data import cases
from support.table import dealt, say, sit

from quadrille_core.engine.table import Deal
from quadrille_core.errors import UsageError
from quadrille_core.hookspecs import Player, PlayerParameter
from quadrille_core.ruleset import compile_reference
from quadrille_core.stream import Purpose, Stream

ROOT = Path(__file__).parents[2]

# --- specs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "one"),
    [
        ("steady", "steady"),
        ("steady:boldness=0", "steady"),
        ("steady:boldness=3", "steady:boldness=+3"),
        ("steady:boldness=-03", "steady:boldness=-3"),
        ("steady:calls=short:leads=trumps", "steady"),
        (
            "steady:covers=always:calls=long:boldness=+1",
            "steady:boldness=+1:calls=long:covers=always",
        ),
        ("steady:boldness=24", "steady:boldness=+24"),
    ],
)
def test_a_player_has_one_spelling(given: str, one: str) -> None:
    """Defaults are dropped, parameters stand as declared, numbers have a sign; and it names the
    same player."""
    assert spelt(given) == spelt(one) == one
    assert named(given).values == named(one).values
    assert make_bot(given).manner == make_bot(one).manner  # type: ignore[attr-defined]


@cases("family")
def test_what_is_no_player_is_told_shortly_with_what_may_be_written(
    given: str, message: str, help: str
) -> None:
    """Unknown, out of range, garbage and doubled: the message says which, the help what is
    allowed."""
    with pytest.raises(UsageError) as caught:
        parse_players(f"steady,{given}")
    (problem,) = caught.value.problems
    assert message in problem.message
    assert help in problem.help
    assert len(problem.message) + len(problem.help) < 250


def test_the_fast_engine_plays_a_member_in_every_seat_and_others_together() -> None:
    """One compiled player plays them all; two spellings of one player are one. Where seats differ
    one kernel has a branch for each module at the table, in whatever order they sit."""
    assert (
        compiled_player(["steady:boldness=+3"])
        == compiled_player(["steady"])
        == BOTS["steady"].compiled
    )
    assert compiled_player(["steady", "steady:boldness=0"]) == BOTS["steady"].compiled
    mixed = compiled_player(["steady", "steady:boldness=+3"])
    assert modules_of(str(mixed)) == [BOTS["steady"].compiled]
    both = [compiled_player(seats) for seats in (["random", "steady"], ["steady", "random"])]
    assert both[0] == both[1] != mixed
    assert modules_of(str(both[0])) == [BOTS["random"].compiled, BOTS["steady"].compiled]
    assert modules_of(str(compiled_player(["steady"]))) == []
    assert len(modules_of(str(compiled_player(["steady", "seer"])))) == 2
    assert compiled_player(["nobody"]) is None
    for seats in (["steady:calls=long"] * 4, ["steady", "steady:boldness=+3"]):
        assert blocked_by([], seats) == blocked_by([], ["steady"])


# --- a stranger's player --------------------------------------------------------------------------


class Lazy:
    """Takes the first legal action, or the last."""

    name = "lazy"

    def __init__(self, *, takes: str, waits: int) -> None:
        self.takes, self.waits = takes, waits

    def choose(self, view: Any, legal: Any, stream: Any) -> Any:
        """The first or the last."""
        return legal[0 if self.takes == "first" else -1]


def test_a_strangers_player_is_given_the_parameters_it_declares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All of them by name, defaults filled in; other players are made without any."""
    declared = {
        "waits": PlayerParameter(doc="Waits.", default=2, choices=range(10)),
        "takes": PlayerParameter(doc="Takes.", default="first", choices=("first", "last")),
    }
    lazy = Player(
        make=Lazy, parameters=declared, family=("lazy", "lazy:takes=last"), begins_anew=True
    )
    monkeypatch.setattr(players, "BOTS", {**BOTS, "lazy": lazy})
    made: Any = make_bot("lazy:takes=last")
    assert (made.takes, made.waits) == ("last", 2)
    assert spelt("lazy:takes=last:waits=0") == "lazy:waits=0:takes=last"
    assert begins_anew(["steady", "lazy:waits=1"])
    assert not begins_anew(["steady:boldness=+3"])
    assert family()[-2:] == ("lazy", "lazy:takes=last")


# --- what the parameters change -------------------------------------------------------------------


def choice(bot: str, deal: Deal) -> str:
    """What this player does where the deal stands."""
    assert deal.turn is not None
    return str(
        make_bot(bot).choose(view_of(deal, deal.turn), deal.legal(), Stream(1, 1, 1, Purpose.PLAY))
    )


def test_boldness_is_counters_that_every_bid_is_worth_more() -> None:
    """A hand is bid on from the boldness on that outweighs what passing is worth, whichever bid is
    best."""
    deal = sit(dealt("SA S2 SK SQ S7 H3 D3 D4 C3 C4"))
    bids = [choice(f"steady:boldness={n}", deal) for n in range(-24, 25)]
    assert bids[0] == "pass"
    assert bids == sorted(bids, key="pass".__ne__)
    assert len(set(bids)) == 2


@pytest.mark.parametrize(("calls", "card"), [("short", "HK"), ("void", "CK"), ("long", "DK")])
def test_a_king_is_called_by_the_length_of_its_suit(calls: Calls, card: str) -> None:
    """One heart is held, no club, three diamonds; and each order ranks every length once."""
    deal = sit(dealt("SA S2 SK SQ S7 S6 H3 D3 D4 D5"))
    say(deal, "bid alliance", "pass", "pass", "pass", "trump spades")
    assert choice(f"steady:calls={calls}", deal) == f"call {card}"
    assert sorted(CALL_ORDER[calls]) == list(range(11))


@pytest.mark.parametrize(("leads", "card"), [("trumps", "S3"), ("best", "HK"), ("kings", "HK")])
def test_without_the_best_trump_length_draws_or_is_kept(leads: str, card: str) -> None:
    """Hombre has five trumps without Spadille, and a king."""
    deal = sit(dealt("S2 CA SK S4 S3 HK D4 D5 C3 C4", "SA"), **{"play.first_lead": "hombre"})
    say(deal, "bid solo", "pass", "pass", "pass", "trump spades")
    assert choice(f"steady:leads={leads}", deal) == f"play {card}"


@pytest.mark.parametrize(("leads", "card"), [("trumps", "SA"), ("best", "SA"), ("kings", "HK")])
def test_kings_are_cashed_before_trumps_are_drawn_where_one_plays_so(leads: str, card: str) -> None:
    """Hombre has the best trumps, and a king."""
    deal = sit(dealt("SA S2 CA S4 S3 HK D4 D5 C3 C4"), **{"play.first_lead": "hombre"})
    say(deal, "bid solo", "pass", "pass", "pass", "trump spades")
    assert choice(f"steady:leads={leads}", deal) == f"play {card}"


def test_the_family_is_steady_and_who_differs_in_one_parameter_and_loses_little() -> None:
    """Each is in its one spelling, and stands in the tournament's table as one who loses no more
    than 20 counters."""
    first, *others = family()
    usual = named(first).values
    rows = [
        line
        for line in (ROOT / "docs" / "players.md").read_text("utf-8").split("\n")
        if line.startswith("| `steady:")
    ]
    cells = [row.strip("| ").split(" | ") for row in rows]
    within = {bot.strip("`"): said for bot, *_, said in cells}
    assert {"no", "yes"} == set(within.values())
    for bot in others:
        assert spelt(bot) == bot
        assert sum(value != usual[name] for name, value in named(bot).values.items()) == 1
        assert within[bot] == "yes"
    assert len({named(bot).values["boldness"] for bot in family()}) >= 5
    assert {
        name for bot in others for name, value in named(bot).values.items() if value != usual[name]
    } == {*usual}


def test_the_parameters_are_those_of_the_player_and_each_is_used() -> None:
    """What is declared is what a manner has, default by default, and all of it is told apart by
    what is played."""
    declared = BOTS["steady"].parameters
    assert {name: one.default for name, one in declared.items()} == Manner()._asdict()
    assert all(
        one.default in one.choices and inspect.cleandoc(one.doc).endswith(".")
        for one in declared.values()
    )


@pytest.mark.parametrize(
    ("bot", "least"),
    [
        ("steady:boldness=-3", 10),
        ("steady:boldness=+3", 40),
        ("steady:calls=void", 3),
        ("steady:calls=long", 10),
        ("steady:leads=best", 5),
        ("steady:leads=kings", 10),
        ("steady:covers=always", 5),
    ],
)
def test_a_table_of_members_plays_otherwise_so_often(bot: str, least: int) -> None:
    """Of 80 deals of one kind of table, each from a fresh pool, at least so many go otherwise than
    with steady."""
    ruleset = compile_reference("quanti-1822").ruleset
    steady, other = (
        [
            d.deal.actions
            for d in play_session(
                ruleset, [make_bot(b)] * 4, seed=1, session=0, deals=80, anew=True
            )
        ]
        for b in ("steady", bot)
    )
    assert sum(a != b for a, b in zip(steady, other, strict=True)) >= least
