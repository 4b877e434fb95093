"""``quadrille explain``: where the value of a rule comes from; without a rule set, what a thing
is."""

from difflib import get_close_matches

import click

from quadrille_core import resources, vocabulary
from quadrille_core.errors import Command, ProfileError, UsageError
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.naming import path_with_ids, titles_of
from quadrille_core.ruleset import Compiled
from quadrille_plugins.lookup.answer import answer
from quadrille_plugins.lookup.find import find, is_reference
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.citing import cite_option
from quadrille_plugins.shell.options import Repeated, compile_all, format_option, refine_options


@click.command("explain")
@click.argument("words", nargs=-1, required=True, metavar="[REF] PATH|WORD…")
@cite_option
@format_option
@refine_options
def explain_command(
    words: Repeated, cite: bool, readings: Repeated, sets: tuple[str, ...]
) -> Answer:
    """Explain a rule, a disputed point, a bid or a word of the game.

    With a rule set: where the value of the rule PATH comes from in REF, link by link, and its
    alternative readings. PATH may be a block, such as `payments.premium`: then every rule below it
    is explained.  A WORD finds points, rules and bids of REF by id or title.

    Without one: `explain codille` says what the word means and lists what it touches, `explain
    loss.remise_pays` shows the page of that rule.  `point:`, `leaf:`, `bid:` and `term:` before a
    word say which is meant.  The exit status is 0 where one thing is answered, 2 where several are
    listed or nothing is found.
    """
    if not is_reference(words[0]):
        compiled, rest = None, words
        is_like_one = bool(
            get_close_matches(words[0][:80], resources.shipped_profiles(), n=1, cutoff=0.6)
        )
        if len(words) > 1 and is_like_one and not find(" ".join(words)).hits:
            compile_all(words[:1], readings, sets)  # which says what is wrong with the rule set
        if readings or sets:
            raise UsageError.of("no-rule-set-named", Command("explain", ("REF", *words)))
    else:
        if len(words) == 1:
            raise UsageError.of(
                "nothing-to-explain", words=words[0][:60], show=Command("show", (words[0][:60],))
            )
        compiled, rest = compile_all(words[:1], readings, sets)[0], words[1:]
        is_path = len(rest) == 1 and "." in rest[0]
        if is_path and compiled.kind == TRICKS:
            rest = (path_with_ids(rest[0], titles_of(compiled.rules)),)
        if is_path and not find(rest[0], compiled).hits and not _matches(rest[0], compiled):
            raise _no_rule(compiled, rest[0], words[0])
    return answer("explain", " ".join(rest), compiled, cite=cite)


def _matches(path: str, compiled: Compiled) -> bool:
    return any(vocabulary.matches(path, p) for p in compiled.origins)


class _NoRuleError(ProfileError, UsageError):
    """A rule that there is not: misuse on the command line; Python code that catches ProfileError
    still catches it."""


def _no_rule(compiled: Compiled, path: str, ref: str) -> _NoRuleError:
    hint = vocabulary.suggest(path, compiled.origins, compiled.kind)
    lists = Command("show", (ref[:60],), how="lists-rules")
    return _NoRuleError.of("no-rule-to-set", hint or lists, path=path[:80])
