"""The golden records: deals of every contract of every shipped profile and variation, kept to be
replayed.

``python tools/make_golden.py`` keeps every record that still replays to the same, renews the rule
set it names (a digest changes with a plugin's version), and looks for a deal wherever one is
wanting.  A record that replays otherwise is told and left alone: the rules at the table have
changed.  If that was meant, ``--anew`` looks for all of them afresh; of one profile where its name
is given.  The same code always finds the same deals.

A file holds the records of one profile, one record a line, as ``quadrille deal --format json``
gives them.  Each rule set of the profile has a deal of each contract: every bid, with each kind of
vole that it may be announced or undertaken with, in favourite and not; and deals won, remise and
codille, voles won and lost, losses borne alone and shared where that depends on the tricks, games
that count double after a loss, and redeals.  Every shipped plugin of a game of tricks is added to
the first of ``HOSTS`` that does not name it already, and has the same.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.record import differing, replay, to_record
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.deal.view import View
from quadrille_plugins.shell.values import identity_to_plain

from quadrille_core import DISTRIBUTION, resources
from quadrille_core.cards import NO_TRUMP
from quadrille_core.engine.actions import Action, BidSpec
from quadrille_core.engine.auction import Ladder
from quadrille_core.engine.settle import settle
from quadrille_core.engine.table import Deal
from quadrille_core.engine.terms import may_announce_vole
from quadrille_core.hookspecs import DOMAINS
from quadrille_core.profile import load_profile
from quadrille_core.registry import load_all
from quadrille_core.rules import Rules, RuleSet
from quadrille_core.ruleset import compile_reference
from quadrille_core.stream import Stream

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden"
RENEW = "python tools/make_golden.py"
ANEW = "python tools/make_golden.py --anew"
HOSTS = ("quadrille-laws", "mediateur-1752")
"""The profiles that plugins are added to, the first that can take one."""
SESSIONS, DEALS = 2500, 5
"""How far the search goes.  Sessions are short, so that a pool is carried over but seldom grows
long."""


class Wanted(NamedTuple):
    """What a deal may be kept for: a contract as it was played, or how it ended."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def playable() -> list[str]:
    """The shipped profiles of games of tricks that can be played."""
    docs = {n: load_profile(p, validate=False) for n, p in resources.shipped_profiles().items()}
    return [n for n, doc in docs.items() if not doc.abstract and doc.game != "patience"]


@cache
def plugins() -> list[str]:
    """The shipped plugins that change a game of tricks."""
    hooks = list(DOMAINS)
    shipped = {n: p for n, p in load_all().loaded.items() if p.installed.package == DISTRIBUTION}
    return [n for n, p in shipped.items() if any(hasattr(p.plugin, hook) for hook in hooks)]


@cache
def named_by(profile: str) -> set[str]:
    """The plugins that a profile, or one that it extends, names."""
    return {p.name for p in compile_reference(profile).identity.plugins}


def host(plugin: str) -> str | None:
    """The profile to whose records those of a plugin belong; None where every host names it, and
    has them itself."""
    return next((profile for profile in HOSTS if plugin not in named_by(profile)), None)


def references(profile: str) -> dict[str, RuleSet]:
    """The rule sets of a profile by name: its own, each witness's and each plugin's, no two of them
    the same rules."""
    own = compile_reference(profile)
    found: dict[str, RuleSet] = {}
    added = [f"{profile}+{plugin}" for plugin in plugins() if host(plugin) == profile]
    for name in (profile, *(f"{profile}@{w}" for w in own.witnesses), *added):
        ruleset = compile_reference(name).ruleset
        if ruleset.identity.digest not in {r.identity.digest for r in found.values()}:
            found[reference_of({"rules": identity_to_plain(ruleset.identity)})] = ruleset
    return found


def contracts(rules: Rules) -> Iterator[tuple[Wanted, BidSpec]]:
    """Every contract there can be, with the bid that leads to it: the ladder's, and the one forced
    on someone."""
    forced = rules.forced_bid()
    specs = [*Ladder(rules).levels, *([BidSpec(forced[0])] if forced else [])]
    for spec in specs:
        bid = rules.bids.of(spec.bid)
        if spec.favourite and rules.favourite.source == "none":
            continue
        by_trump = (
            bid.in_favourite == "by_trump"
            and bid.trump == "suit"
            and rules.favourite.source != "none"
        )
        for favourite in (False, True) if by_trump else (spec.favourite,):
            yield Wanted("contract", _name(spec, favourite, spec.vole)), spec
            if bid.may_undertake_vole and spec.vole == "none":
                yield Wanted("contract", _name(spec, favourite, "undertaken")), spec
            if (
                may_announce_vole(rules, bid)
                and spec.vole == "none"
                and bid.vole_with_bid == "none"
            ):
                yield Wanted("contract", _name(spec, favourite, "announced")), spec


def _name(spec: BidSpec, favourite: bool, vole: str) -> str:
    return str(BidSpec(spec.bid, favourite, vole))  # type: ignore[arg-type]


def endings(rules: Rules) -> Iterator[Wanted]:
    """Every way a deal can end under these rules."""
    for outcome in ("won", "remise", "codille"):
        yield Wanted("outcome", outcome)
    yield Wanted("vole", "won")
    yield Wanted("vole", "lost")
    if rules.auction.all_pass == "redeal":
        yield Wanted("outcome", "redealt")
    if any(bid.loss_borne == "shared_if_hombre_made" for _, bid in rules.bids.items()):
        yield Wanted("loss", "alone")
        yield Wanted("loss", "shared")
    if rules.multiplier.after_losses == "counted":
        yield Wanted("counted", "double")


def wanted(rules: Rules) -> list[Wanted]:
    """All that the records of a rule set must show."""
    return [*(w for w, _ in contracts(rules)), *endings(rules)]


def shown(deal: Deal) -> set[Wanted]:
    """What a deal that is over shows."""
    if deal.contract is None or deal.bid is None:
        return {Wanted("outcome", "redealt")}
    by_trump = deal.bid.in_favourite == "by_trump" and deal.trump not in (None, NO_TRUMP)
    favourite = deal.trump == deal.setup.favourite if by_trump else deal.contract.favourite
    late = deal.contract.vole == "none" and not deal.bid.is_vole
    vole = deal.vole if late else deal.contract.vole
    result = deal.result()
    assert result is not None
    settled = settle(deal.rules, result)
    ends = {Wanted("outcome", settled.outcome), Wanted("vole", settled.vole)}
    if (
        settled.outcome != "won"
        and deal.bid.loss_borne == "shared_if_hombre_made"
        and result.ally is not None
    ):
        enough = result.tricks[result.hombre] >= deal.bid.hombre_least_tricks
        ends.add(Wanted("loss", "shared" if enough else "alone"))
    if result.multiplier == 2:
        ends.add(Wanted("counted", "double"))
    return {Wanted("contract", _name(deal.contract, favourite, vole)), *ends}


class Bidder:
    """Makes one bid whenever it may and no other, plays on for the vole if told to, and else plays
    as steady does."""

    name = "bidder"

    def __init__(self, spec: BidSpec, *, vole: str, favourite: bool) -> None:
        self.spec, self.vole, self.favourite = spec, vole, favourite
        self.steady = make_bot("steady")

    def choose(self, view: View, legal: tuple[Action, ...], stream: Stream) -> Action:
        if view.phase == "auction":
            return next((a for a in legal if a.bid == self.spec), legal[0])
        if view.phase == "vole" and not view.tricks and self.vole == "undertaken":
            return legal[0]
        if view.phase == "vole" and self.vole:
            return next(a for kind in ("vole", "yes", "ask") for a in legal if a.kind == kind)
        if self.favourite:
            named = [a for a in legal if a.suit is not None and a.suit == view.favourite]
            if named:
                return named[0]
        return self.steady.choose(view, legal, stream)


def record_of(deal: Deal) -> dict[str, Any]:
    """The record of a deal that is over, as JSON holds it."""
    result = deal.result()
    return json.loads(
        json.dumps(to_record(deal, None if result is None else settle(deal.rules, result)))
    )


def reference_of(record: Mapping[str, Any]) -> str:
    """The rule set a record names."""
    rules = record["rules"]
    added = "".join(f"+{plugin}" for plugin in rules.get("added", ()))
    return rules["profile"] + (f"@{rules['witness']}" if rules["witness"] else "") + added


def bare(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record without the digest and the plugins' versions: what happened, whatever the rules are
    called."""
    names = {k: v for k, v in record["rules"].items() if k not in ("digest", "plugins")}
    return {**record, "rules": names}


def difference(record: Mapping[str, Any], ruleset: RuleSet) -> str:
    """How a record replays otherwise than it was written; empty where it does not."""
    again = replay(ruleset, record)
    if again.divergence is not None:
        parted = again.divergence
        return f"it parts in the {parted.stage} at {parted.action!r}: {parted.reason}"
    assert again.deal is not None
    now = record_of(again.deal)
    if bare(now) == bare(record):
        return ""
    keys = differing(record, now) or [k for k in record if bare(record)[k] != bare(now).get(k)]
    return (
        "; ".join(f"{k} was {record.get(k)}, is {now.get(k)}" for k in keys)
        or "it holds other keys"
    )


def load(profile: str) -> list[dict[str, Any]]:
    """The records kept for a profile; none where there is no file."""
    path = GOLDEN / f"{profile}.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else []


def save(profile: str, records: Sequence[Mapping[str, Any]]) -> None:
    """Write a profile's records, one a line."""
    lines = ",\n".join(json.dumps(r, separators=(",", ":"), ensure_ascii=False) for r in records)
    GOLDEN.mkdir(exist_ok=True)
    (GOLDEN / f"{profile}.json").write_text(f"[\n{lines}\n]\n", "utf-8")


def search(
    ruleset: RuleSet, bots: Sequence[Any], aim: Wanted, sessions: int = SESSIONS
) -> Deal | None:
    """The first deal that shows what is asked for."""
    for session in range(sessions):
        for played in play_session(ruleset, bots, seed=1, session=session, deals=DEALS):
            if aim in shown(played.deal):
                return played.deal
    return None


def find(ruleset: RuleSet, aim: Wanted) -> Deal | None:
    """A deal that shows what is asked for: among steady's own, or of players who bid for it."""
    ways, players = dict(contracts(ruleset.rules)), ruleset.rules.table.players
    if aim in ways:
        late = next((v for v in ("undertaken", "announced") if aim.name.endswith(v)), "")
        vole = late if ways[aim].vole == "none" else ""
        favourite = "+favourite" in aim.name
        bots = [Bidder(ways[aim], vole=vole, favourite=favourite)] * players
        return search(ruleset, bots, aim)
    found = search(ruleset, [make_bot("steady")] * players, aim, 100)
    if found is None:
        # steady hardly ever lets all five pass; whoever knows no bid of the ladder does
        low = BidSpec("pass") if aim.name == "redealt" else next(iter(ways.values()))
        found = search(ruleset, [Bidder(low, vole="undertaken", favourite=False)] * players, aim)
    return found


def renew(profile: str, *, anew: bool) -> tuple[list[dict[str, Any]], list[str]]:
    """The records of a profile as they should be kept, and what is wrong with them."""
    kept, faults = [], []
    rulesets = references(profile)
    for number, record in enumerate([] if anew else load(profile), 1):
        ruleset = rulesets.get(reference_of(record))
        if ruleset is None:
            continue
        if told := difference(record, ruleset):
            faults.append(f"{profile}, record {number}: {told[:400]}")
        else:
            record["rules"] = identity_to_plain(ruleset.identity)
        kept.append(record)
    for reference, ruleset in rulesets.items():
        seen = set()
        for record in kept:
            if reference_of(record) == reference:
                deal = replay(ruleset, record).deal
                seen |= shown(deal) if deal is not None and deal.over else set()
        for aim in wanted(ruleset.rules):
            if aim in seen:
                continue
            deal = find(ruleset, aim)
            if deal is None:
                faults.append(f"{reference}: no deal found with {aim}")
            else:
                kept.append(record_of(deal))
                seen |= shown(deal)
    return kept, faults


def main(arguments: Sequence[str]) -> int:
    """Renew every file, or those of the profiles named; 1 where something is wrong."""
    wrong = 0
    for profile in [name for name in arguments if name != "--anew"] or playable():
        records, faults = renew(profile, anew="--anew" in arguments)
        save(profile, records)
        sys.stdout.write(f"{profile}: {len(records)} records\n")
        for fault in faults:
            sys.stderr.write(f"{fault}\n")
        wrong += len(faults)
    if wrong:
        sys.stderr.write(f"{wrong} faults; if the rules were meant to change: {ANEW}\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
