"""``quadrille play``: one deal at the prompt."""

import secrets
from functools import partial
from typing import Any, Final

import click

from quadrille_core.errors import RecordError, UsageError
from quadrille_core.profile import place_at
from quadrille_plugins.deal.players import ready
from quadrille_plugins.deal.record import from_record
from quadrille_plugins.play.game import STEADY, Game, from_setup, new_game
from quadrille_plugins.play.prompt import Prompt
from quadrille_plugins.play.short import digest_in, from_short, named_in
from quadrille_plugins.shell.options import (
    Repeated,
    compile_all,
    format_option,
    in_a_shell,
    read_input,
    refine_options,
    run_mode,
)

QUESTIONS: Final = ("hand", "auction", "bid", "call", "give")
"""Options that ask what may be played or said, instead of playing."""


@click.command("play")
@click.argument("ref", required=False)
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), help="Deal the cards of this seed.  [default: any]"
)
@click.option(
    "--seat",
    type=click.IntRange(1, 5),
    default=1,
    show_default=True,
    help="Your seat; 1 is the eldest.",
)
@click.option(
    "--bots",
    default=STEADY,
    show_default=True,
    metavar="BOT[,BOT…]",
    help="One bot, or one for each seat.",
)
@click.option("--from", "file", metavar="FILE", help="Go on from the position in this record.")
@click.option("--resume", "form", metavar="WORD", help="Go on with the game that this word holds.")
@click.option(
    "--hand", metavar="CARDS", help='Which cards of this hand may be played?  Such as "SA H7 C3".'
)
@click.option(
    "--trick",
    default="",
    metavar="CARDS",
    help="With --hand: the cards of this trick, first the one led.",
)
@click.option(
    "--trump",
    metavar="SUIT",
    help="With --hand: the trump suit, or none; with --auction: may it be named?",
)
@click.option(
    "--auction", metavar="WORDS", help='What may be said after this?  Such as "pass, alliance".'
)
@click.option("--bid", metavar="BID", help="May this bid be made?  Such as solo or solo+favourite.")
@click.option("--call", metavar="CARD", help="May this card be called?")
@click.option("--give", metavar="CARD", help="May this card be given for the one that was called?")
@click.option(
    "--favourite",
    metavar="SUIT",
    help="With --auction: the favourite suit, where a session has its own.",
)
@format_option
@refine_options
def play_command(**given: Any) -> Any:
    """Play a deal against bots at a prompt, under any rule set.

    A card that may not be played is refused with the rule and its source.  `?`, `hint`, `undo`,
    `save FILE` and `quit` help; leaving prints a word that --resume takes.

    With --hand nothing is played: it says which cards may be played to a trick, and why the others
    may not.  With --auction or --bid it says what may be said instead: the bid that is asked, or
    every one; and, when the auction is over, whether a suit may be trumps (--trump), a card called
    (--call) or given (--give).  What was said is written as the bids are called (`pass`,
    `alliance`, `solo+favourite`), then `trump hearts`, `call CK`.  The seats speak in order, as far
    as they still may.
    """
    asked = [f"--{name}" for name in QUESTIONS if given[name] is not None]
    if not asked:
        return run_mode(play_deal)
    from quadrille_plugins.play.legal import judge_cards, judge_said

    return run_mode(judge_cards if asked == ["--hand"] else judge_said, *asked)


@in_a_shell
def play_deal(
    ref: str | None,
    seed: int | None,
    seat: int,
    bots: str,
    file: str | None,
    form: str | None,
    readings: Repeated,
    sets: Repeated,
) -> None:
    """Play a deal at a prompt."""
    if sum(x is not None for x in (seed, file, form)) > 1:
        raise UsageError.of("seed-from-and-resume")
    if ref is None:
        ref = _named(form)
    compiled = compile_all([ref], readings, sets)[0]
    names = [n.strip() for n in bots.split(",")]
    if form is not None:
        game = from_short(form, compiled)
    elif file is not None:
        root = read_input(file)
        setup, actions = from_record(root.to_plain(), partial(place_at, root), compiled.rules)
        game = from_setup(compiled, setup, actions, seat=seat - 1, bots=names)
    else:
        drawn = secrets.randbelow(10**6) if seed is None else seed
        game = new_game(compiled, seed=drawn, seat=seat - 1, bots=names)
    _play(game)


def _named(form: str | None) -> str:
    if form is None:
        raise UsageError.of("no-rules-to-play")
    if name := named_in(form):
        return name
    raise RecordError.of("game-of-unshipped-rules", form=digest_in(form))


def _play(game: Game) -> None:
    ready(game.bots)
    prompt = Prompt(game)
    try:
        prompt.run()
    except KeyboardInterrupt:
        prompt.say("")
        prompt.leave()
        raise
