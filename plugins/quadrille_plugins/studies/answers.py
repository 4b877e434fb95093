"""What every study prints: its answer, the table, how sure that is and how to cite it; the rest on
request."""

from collections.abc import Callable, Sequence

from quadrille_core.report.blocks import Block, Text

HOW_SURE = "How sure is this?"


def laid_out(
    answer: str,
    heads: str,
    main: Sequence[Block],
    *,
    sure: str,
    more: Callable[[], Sequence[Block]],
    details: bool,
    shows: str = "",
) -> list[Block]:
    """A study for a person: the answer in a sentence, what was compared, the table; ``more`` only
    with ``details``.

    ``sure`` says on what the answer rests: players, deals, intervals.  ``shows`` says what the
    details hold.
    """
    blocks: list[Block] = [Text(answer, strong=True), Text(heads), *main]
    if details:
        blocks += more()
    shows = "" if details or not shows else f"\n--details shows {shows}."
    return [*blocks, Text(f"{HOW_SURE} {sure}{shows}")]


def played_by(bots: Sequence[str]) -> str:
    """Who played, and what that means for the figures."""
    kinds = list(dict.fromkeys(bots))
    return (
        f"{'bot' if len(kinds) == 1 else 'bots'} {', '.join(kinds)} (other players may give "
        "quite other figures)"
    )
