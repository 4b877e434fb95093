"""`quadrille check --fix`: the slips that can be mended without a doubt of what was meant, one after another."""

import difflib
import re
import tempfile
from pathlib import Path
from typing import Final

from quadrille_core.errors import Place, Problem, UnwrittenError
from quadrille_core.profile.yaml_strict import MAX_BYTES
from quadrille_plugins.check.problems import problems_of
from quadrille_plugins.house_rules.proposals import applied
from quadrille_plugins.output.files import write_whole

MOST_FIXES: Final = 100
"""No file gets more in one go."""
_MEANT: Final = re.compile(r"did you mean ([^\s?]+)\?$")
_QUOTED: Final = re.compile(r"'([^']+)'")


def fixed(path: Path, *, write: bool) -> str:
    """What mending a file changes, as a unified diff; empty where there is nothing safe to mend.

    With ``write`` the file is replaced whole, or not at all.  Comments and all other bytes stay.  A file that cannot
    be read is left to the check.  Raises UnwrittenError where nothing can be written.
    """
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return ""
        before = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    text = before
    for _ in range(MOST_FIXES):
        mended = _once(path, text)
        if mended is None:
            break
        text = mended
    if text == before:
        return ""
    if write:
        write_whole(path, text, changes=True)
    was, now = before.splitlines(keepends=True), text.splitlines(keepends=True)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(was, now, str(path), str(path))
    )


def _once(path: Path, text: str) -> str | None:
    """The text with one slip mended, so that there are fewer than before; None where none can be."""
    found = _problems(path, text)
    for problem in found:
        mended = applied(text, problem) if is_safe(problem) else None
        if mended is not None and mended != text and _is_better(problem, found, _problems(path, mended)):
            return mended
    return None


def _is_better(problem: Problem, before: list[Problem], after: list[Problem]) -> bool:
    """Whether a fix removed its error and made none: what only became visible by it does not count."""
    if any(_identity(p) == _identity(problem) for p in after):
        return False
    if _is_syntax(problem):  # nothing beyond it was read before
        return all(not _is_syntax(p) or _line(p) > _line(problem) for p in after)
    return not any(map(_is_syntax, after)) and _misshapen(after) < _misshapen(before) + (not _is_shape(problem))


def _identity(problem: Problem) -> tuple[str, str, int]:
    return problem.code, problem.message, _line(problem)


def _line(problem: Problem) -> int:
    return problem.place.line if problem.place else 0


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
            "w", encoding="utf-8", newline="", dir=path.parent, prefix=f".{path.stem}-", suffix=path.suffix
        ) as file:
            file.write(text)
            file.flush()
            return problems_of(Path(file.name))[0]
    except OSError as e:
        message = f"nothing can be written beside the file: {e.strerror or e}"
        raise UnwrittenError(Problem("Q803", message, Place(str(path)), "copy it to a folder of your own")) from None


def is_safe(problem: Problem) -> bool:
    """Whether an error's help leaves no doubt of what was meant."""
    if problem.code in ("Q105", "Q114"):
        return any(part in problem.message for part in ("a tab stands", "an equals sign", "a no-break space"))
    if problem.code == "Q107":
        return problem.help.startswith("put both under one ")
    if problem.help == "did you mean plugin?" or problem.help.startswith("write it without the "):
        return True
    if (meant := _MEANT.search(problem.help)) is not None and (words := _QUOTED.findall(problem.message)):
        return _folded(words[-1]) == _folded(meant[1])
    if problem.code == "Q207":
        return "no blank after its colon" in problem.message or "an equals sign" in problem.message
    if problem.code == "Q201":
        return problem.help.startswith(("write `", "put it under one "))  # a dotted path, or a plugin by its name
    if problem.code == "Q203" and problem.message.startswith("plugins"):
        return True
    # `ante:2` or `ante = 2`, "2" for a number, `none` for a list of nothing
    run_together = re.search(r"not a text \('[\w-]+(?::| ?= ?)\S+'\)", problem.message)
    plain = problem.help.startswith(("write it without quotes", "write `[]`"))
    return problem.code == "Q203" and (bool(run_together) or plain)


def _folded(word: str) -> str:
    return word.lower().replace("-", "_").replace(" ", "_")
