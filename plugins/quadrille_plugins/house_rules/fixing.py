"""`quadrille check --fix`: the slips that can be mended without a doubt of what was meant, one
after another."""

import difflib
import re
import tempfile
from pathlib import Path
from typing import Final

from quadrille_core.errors import DidYouMean, Edit, Problem, Replace, UnwrittenError
from quadrille_core.hookspecs import Mended
from quadrille_core.profile.yaml_strict import MAX_BYTES
from quadrille_plugins.check.problems import problems_of
from quadrille_plugins.house_rules.proposals import applied
from quadrille_plugins.shell.writing import write_whole

MOST_FIXES: Final = 100
"""No file gets more in one go."""
_SIGNS: Final = ("tab", "equals", "no-break-space")
"""Variants of errors of syntax whose hint is safe."""
_RUN_TOGETHER: Final = re.compile(r"[\w-]+(?::\xa0?| ?= ?)\S+")
"""Such as ``ante:2`` or ``ante = 2``."""


def fixed(path: Path, *, write: bool) -> Mended:
    """What mending a file changes; nothing where there is nothing safe to mend.

    With ``write`` the file is replaced whole, or not at all.  Comments and all other bytes stay.  A
    file that cannot be read is left to the check.  Raises UnwrittenError where nothing can be
    written.
    """
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return Mended()
        before = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return Mended()
    text = before
    for _ in range(MOST_FIXES):
        mended = _once(path, text)
        if mended is None:
            break
        text = mended
    if text == before:
        return Mended()
    if write:
        write_whole(path, text, changes=True)
    was, now = before.splitlines(keepends=True), text.splitlines(keepends=True)
    diff = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(was, now, str(path), str(path))
    )
    changes = difflib.SequenceMatcher(None, was, now).get_opcodes()
    new = (n for how, _, _, first, end in changes if how != "equal" for n in range(first, end))
    return Mended(diff, tuple((n + 1, now[n].strip()) for n in new))


def _once(path: Path, text: str) -> str | None:
    """The text with one slip mended, so that there are fewer than before; None where none can
    be."""
    found = _problems(path, text)
    for problem in found:
        mended = applied(text, problem) if is_safe(problem) else None
        if (
            mended is not None
            and mended != text
            and _is_better(problem, found, _problems(path, mended))
        ):
            return mended
    return None


def _is_better(problem: Problem, before: list[Problem], after: list[Problem]) -> bool:
    """Whether a fix removed its error and made none: what only became visible by it does not
    count."""
    if any(_identity(p) == _identity(problem) for p in after):
        return False
    if _is_syntax(problem):  # nothing beyond it was read before
        return all(not _is_syntax(p) or p.line > problem.line for p in after)
    return not any(map(_is_syntax, after)) and _misshapen(after) < _misshapen(before) + (
        not _is_shape(problem)
    )


def _identity(problem: Problem) -> tuple[object, ...]:
    return problem.code, problem.variant, dict(problem.data), problem.line


def _is_syntax(problem: Problem) -> bool:
    return problem.code.startswith("Q1")


def _is_shape(problem: Problem) -> bool:
    return problem.code.startswith("Q2")


def _misshapen(problems: list[Problem]) -> int:
    return sum(map(_is_shape, problems))


def _problems(path: Path, text: str) -> list[Problem]:
    """Every fault of a text as it would be in that file."""
    # beside the file, so that what it extends by a path is found
    try:
        with tempfile.NamedTemporaryFile(
            "w",
            encoding="utf-8",
            newline="",
            dir=path.parent,
            prefix=f".{path.stem}-",
            suffix=path.suffix,
        ) as file:
            file.write(text)
            file.flush()
            return problems_of(Path(file.name))[0]
    except OSError as e:
        reason = e.strerror or str(e)
        raise UnwrittenError.of("nothing-beside-the-file", place=path, reason=reason) from None


def is_safe(problem: Problem) -> bool:
    """Whether an error's hint leaves no doubt of what was meant."""
    hint = problem.hint
    if problem.code in ("Q105", "Q114", "Q207") and problem.variant in (*_SIGNS, "no-blank"):
        return True
    if isinstance(hint, Edit):
        is_dotted = problem.code == "Q201" and hint.how in ("under-one", "as-plugin")
        return hint.how == "both-under-one" or is_dotted or _is_of_plugins(problem)
    if isinstance(hint, DidYouMean) and len(hint.words) == 1:
        return hint.words == ("plugin",) or _folded(hint.word) == _folded(hint.words[0])
    return isinstance(hint, Replace) and _is_safe_value(problem, hint)


def _is_of_plugins(problem: Problem) -> bool:
    return problem.code == "Q203" and problem.data.get("path", ())[:1] == ("plugins",)


def _is_safe_value(problem: Problem, hint: Replace) -> bool:
    """Whether a value is what was typed, in another form."""
    if hint.how in ("without-comma", "without-semicolon"):
        return True
    if problem.code == "Q201":
        return hint.how == "write-code"  # a dotted path, or a plugin by its name
    if problem.code != "Q203":
        return False
    typed = problem.data.get("value")
    is_run_together = isinstance(typed, str) and _RUN_TOGETHER.fullmatch(typed) is not None
    return (
        is_run_together
        or hint.how == "without-quotes"
        or hint.value == "[]"
        or _is_of_plugins(problem)
    )


def _folded(word: str) -> str:
    return word.lower().replace("-", "_").replace(" ", "_")
