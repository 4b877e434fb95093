"""``quadrille new FILE --measure BID``: the file, shipped by a plugin, of what hands make at its
bid."""

from pathlib import Path
from time import monotonic
from typing import Final

from quadrille_core import resources
from quadrille_core.errors import UsageError
from quadrille_core.profile.naming import bid_named
from quadrille_plugins.players.learning import LEAST, learn
from quadrille_plugins.players.steady_measured import as_json
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.options import compile_all
from quadrille_plugins.shell.writing import claim, write_whole
from quadrille_plugins.studies.progress import StudyProgress

DEALS: Final = 6000


def write_measured(
    file: Path, ref: str | None, measure: str, deals: int | None, seed: int | None, force: bool
) -> Answer:
    """Play the bid of these rules, and write what hands make at it."""
    if file.suffix != ".json":
        raise UsageError.of("does-not-end-in-json", file=file, text=f"{file.stem}.json")
    if file.exists() and not force:
        raise UsageError.of("file-exists", file=file)
    compiled = compile_all([ref or resources.examples()[0]], [], [])[0]
    ruleset, name = compiled.ruleset, bid_named(measure, compiled.rules, begins=True)
    if ruleset.rules.bids.of(name).made == "never":
        raise UsageError.of("bid-never-made", bid=name)
    claim(file, "FILE")
    many, seed, started = deals or DEALS, seed or 0, monotonic()
    with StudyProgress(many, stopped="Ctrl-C leaves nothing") as shown:
        table, games = learn(
            ruleset, name, many, seed, lambda n: shown.update(n, many, monotonic() - started)
        )
    if games < LEAST:
        raise UsageError.of("bid-seldom-played", bid=name, games=games, deals=many, least=LEAST)
    identity = ruleset.identity
    of = {"rules": identity.reference, "digest": identity.digest}
    learned = {**of, "deals": many, "seed": seed, "games": games}
    write_whole(file, as_json({"bid": name, **table, "learned": learned}))
    said = (
        f"Wrote {file}: {name} was played in {games} of {many} deals. Players bid by it once the "
        f'plugin ships it beside its module and says NewBid(…, measured="{file.name}").'
    )
    return Answer.of_text(said, {"file": str(file), "bid": name, **learned})
