"""Playing by prompt: what is typed is read, and what came of it is printed."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import fill
from typing import Final

import click

from quadrille_core.errors import NotationError, QuadrilleError, RecordError
from quadrille_core.harmless import one_line
from quadrille_plugins.deal.judging import Ruling, of_action, refused
from quadrille_plugins.deal.record import record_file, to_record
from quadrille_plugins.play.drawing import WIDTH, choices, coloured, said_since, table
from quadrille_plugins.play.game import Game, done, go_on, hint, next_deal, undone
from quadrille_plugins.play.short import short_form
from quadrille_plugins.play.typed import understood
from quadrille_plugins.settle.blocks import settlement_blocks
from quadrille_plugins.shell.blocks import print_blocks
from quadrille_plugins.shell.values import identity_text, with_signs
from quadrille_plugins.shell.writing import claim, write_whole

HELP: Final = """\
Type the number or the name of what you do, such as SA, hearts, pass or a bid.
?          what may not be done now, and why     ? CARD   the same of one card
hint       what the bot would do in your place   undo     take back what you did
form       the game in one word, to resume it    save FILE, quit
When the deal is over: next deals on, review says what each decision cost."""
LONGEST: Final = 200


class Prompt:
    """One game at a prompt; ``game`` is how it stands."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._told = 0

    def say(self, text: str) -> None:
        """Print, in four colours where the terminal has them."""
        plain = (
            os.environ.get("NO_COLOR")
            or os.environ.get("TERM") == "dumb"
            or not sys.stdout.isatty()
        )
        click.echo(text if plain else coloured(text))

    def run(self) -> None:
        """Play until the deal is over or the player leaves."""
        self.say(identity_text(self.game.compiled.identity) + "\n" + HELP)
        self._go_on()
        while (line := self._asked()) is not None:
            try:
                if not self._answer(line):
                    return
            except QuadrilleError as e:
                self.say(
                    "\n".join(
                        with_signs(p.message) + (f" ({p.help})" if p.help else "")
                        for p in e.problems
                    )
                )
        if not self.game.deal.over:
            self.say("\nThe game is not over.")
        self.leave()

    def leave(self) -> None:
        """Say how to take the game up again."""
        try:
            word = short_form(self.game)
        except RecordError as e:
            self.say("\n".join(f"{p.message} ({p.help})" for p in e.problems))
        else:
            self.say(f"To resume it (this word shows all hands to whoever can read it):\n{word}")

    def _asked(self) -> str | None:
        """The next line that is typed; None at the end of the input."""
        click.echo("> ", nl=False)
        sys.stdout.flush()
        line = sys.stdin.readline(LONGEST) if sys.stdin is not None else ""
        if line and not sys.stdin.isatty():
            click.echo(one_line(line.rstrip("\n")))
        return line.strip() if line else None

    def _go_on(self) -> None:
        self.game = go_on(self.game)
        if said := said_since(self.game, self._told):
            self.say(said)
        self._told = len(self.game.deal.events)
        if not self.game.deal.over:
            self.say(table(self.game) + "\n" + choices(self.game.deal.legal()))
            return
        result, settlement = self.game.deal.result(), self.game.settlement
        if result is None or settlement is None:
            why = "All have passed" if self.game.deal.actions else "A hand is thrown in"
            self.say(f"{why}: the cards are dealt again, and nobody pays.")
            return
        print_blocks(settlement_blocks(self.game.compiled, result, settlement))
        self.say("The deal is over: next, review, save FILE, undo, form or quit.")

    def _answer(self, line: str) -> bool:
        """Do what was typed; False to leave."""
        word, _, rest = line.partition(" ")
        if word in ("quit", "q"):
            self.leave()
            return False
        commands: dict[str, Callable[[str], None]] = {
            "?": self._why,
            "why": self._why,
            "hint": lambda _: self._hint(),
            "undo": lambda _: self._undo(),
            "save": self._save,
            "form": lambda _: self.leave(),
            "help": lambda _: self.say(HELP),
            "review": lambda _: self._review(),
            "next": lambda _: self._next(),
        }
        if not line:
            return True
        if word in commands:
            commands[word](rest.strip())
            return True
        action = understood(self.game, line)
        ruling = of_action(self.game.compiled, self.game.deal, action)
        if not ruling.legal:
            self.say(_refusal(ruling))
            return True
        self.game = done(self.game, action)
        self._go_on()
        return True

    def _why(self, rest: str) -> None:
        if rest:
            ruling = of_action(self.game.compiled, self.game.deal, understood(self.game, rest))
            self.say(
                _refusal(ruling)
                if not ruling.legal
                else with_signs(f"{ruling.action}: may be done")
            )
            return
        found = refused(self.game.compiled, self.game.deal)
        self.say("\n".join(map(_refusal, found)) or "Nothing is refused here.")

    def _hint(self) -> None:
        action, why = hint(self.game)
        self.say(fill(with_signs(f"{action}: {why}"), WIDTH))

    def _undo(self) -> None:
        self.game = undone(self.game)
        self._told = len(self.game.deal.events)
        self._go_on()

    def _next(self) -> None:
        self.game = next_deal(self.game)
        self._told = 0
        self._go_on()

    def _review(self) -> None:
        from quadrille_plugins.play.reviewing import review_blocks

        print_blocks(review_blocks(self.game))

    def _save(self, rest: str) -> None:
        import json

        if not rest:
            raise NotationError.of("save-without-file")
        path = Path(rest)
        claim(path, "save")
        record = to_record(self.game.deal, self.game.settlement)
        write_whole(path, json.dumps(record_file(record), ensure_ascii=False, indent=2) + "\n")
        self.say(f"saved: {one_line(rest)}")


def _refusal(ruling: Ruling) -> str:
    rule = f" ({ruling.rule})" if ruling.rule else ""
    source = f"\n    {ruling.source}" if ruling.source else ""
    return (
        fill(
            with_signs(f"{ruling.action}: no, {ruling.reason}{rule}"),
            WIDTH,
            subsequent_indent="    ",
        )
        + source
    )
