"""Proposed commands and counts as they are printed: whole, or broken where a shell reads on;
thousands apart."""

import re
import shlex

import pytest
from quadrille_plugins.shell.blocks import Text, print_blocks
from quadrille_plugins.shell.main import run
from quadrille_plugins.shell.values import deals_in_sessions, many
from quadrille_plugins.shell.wrapping import WIDTH, command_lines, proposed

COMMANDS = (
    "quadrille matters quanti-1822@wikipedia codille_shared",
    (
        "quadrille deal quanti-1822 --reading codille_shared=triple_stake --seed 1 --session 0 "
        "--deal 24 --players steady"
    ),
    (
        "quadrille deal 'my own rules.yaml' --set 'payments.premium.solo=[a, b]' --session 0 "
        "--deal 24 --players a,b"
    ),
    "quadrille compare " + " ".join(["quanti-1822@parlett"] * 8),
    "quadrille show ./" + "long" * 30 + ".yaml --all",
)


@pytest.mark.parametrize("indent", [0, 2])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_pasted_as_it_was_meant(command, indent):
    """A shell joins the lines behind the backslashes to the same words; none is wider than a
    terminal, save a word."""
    lines = command_lines(command, indent)
    assert shlex.split("\n".join(lines).replace("\\\n", " ")) == shlex.split(command)
    assert all(line.endswith(" \\") for line in lines[:-1])
    assert len(lines) == 1 or all(len(line) <= WIDTH or "longlong" in line for line in lines)
    assert (len(lines) == 1) == (indent + len(command) <= WIDTH)


def test_a_command_stands_below_what_leads_to_it_where_a_line_does_not_hold_both():
    """Otherwise behind it."""
    assert proposed("To name one:", "quadrille explain point:ante") == [
        "To name one: quadrille explain point:ante"
    ]
    long = COMMANDS[0] + " --engine readable"
    assert proposed("To name one:", long) == ["To name one:", f"  {long}"]


@pytest.mark.parametrize(
    "asked",
    [
        "matters quanti-1822@parlett codille_base --deals 80 --engine readable --details",
        "compare quanti-1822@parlett quanti-1822@wikipedia --deals 80 --engine readable --details",
        (
            "compare quanti-1822 quanti-1822 --reading 2:unit=fixed --deals 80 --engine readable "
            "--details"
        ),
    ],
)
def test_what_a_study_proposes_is_one_command(asked, capsys):
    """Every line that begins a command holds it whole, or ends in a backslash: `matters` broke one
    amid its words."""
    assert run([*asked.split(), "--workers", "1"]) == 0
    lines = capsys.readouterr().out.replace("\\\n", " ").splitlines()
    begun = [line for line in lines if re.search("(?<!`)quadrille ", line)]
    assert begun
    for line in begun:
        command, *rest = shlex.split(line.partition("quadrille ")[2])
        wanted = {"matters": 2, "diff": 2, "deal": 1}[command]
        assert len([word for word in rest if not word.startswith("--")]) >= wanted


@pytest.mark.parametrize(
    ("deals", "sessions", "said"),
    [
        (40, 1, "40 deals in 1 session"),
        (1, 1, "1 deal in 1 session"),
        (20000, 500, "20\u00a0000 deals in 500 sessions"),
    ],
)
def test_how_much_was_played(deals, sessions, said):
    """One session is no sessions, and thousands stand apart."""
    assert deals_in_sessions(deals, sessions) == said


def test_a_ranking_of_bots_in_one_session_says_so(quadrille):
    """It said "40 deals in 1 sessions"."""
    _, out, _ = quadrille(
        "compare", "--bots", "steady,random", "quanti-1822", "--deals", "40", "--workers", "1"
    )
    assert "40 deals in 1 session," in out


def test_configurations_are_counted_as_everything_else_is(quadrille):
    """A no-break space stands between thousands, where `discriminate` alone wrote commas."""
    _, out, _ = quadrille("discriminate", "quanti-table", "--next", "0")
    number = "12 119 344 926 928 404 480".replace(" ", "\u00a0")
    assert out.startswith(f"Of {number} configurations of ")
    assert not re.search(r"\d,\d", out)


@pytest.mark.parametrize("width", [40, 41, 44, 60, 80])
def test_a_count_is_not_broken_between_its_thousands(width, capsys, monkeypatch):
    """At any width: a no-break space is one."""
    monkeypatch.setenv("COLUMNS", str(width))
    print_blocks([Text(" ".join(many(10**n) for n in range(20)) + "  \n  indented " + "x" * 100)])
    *lines, last = capsys.readouterr().out.rstrip("\n").split("\n")
    assert [word for line in lines for word in line.split(" ")][:20] == [
        many(10**n) for n in range(20)
    ]
    assert max(map(len, [*lines, last])) <= width
    assert "  indented" in lines
