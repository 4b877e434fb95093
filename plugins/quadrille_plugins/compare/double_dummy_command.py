"""``quadrille compare --double-dummy``: what it prints and saves."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quadrille_core.cards import NO_TRUMP, SUIT_SIGNS, format_suit
from quadrille_core.engine.deal import names
from quadrille_core.ruleset import Compiled
from quadrille_core.vocabulary import plain_amount
from quadrille_plugins.compare.double_dummy import (
    OpenComparison,
    OpenPair,
    OpenSummary,
    SolverCache,
    Worked,
    compare_open,
)
from quadrille_plugins.compare.tables import COLUMNS, estimate_row, share_rows
from quadrille_plugins.kernel.ready import ready
from quadrille_plugins.shell.blocks import Block, Table, Text
from quadrille_plugins.shell.values import (
    Json,
    Row,
    Rows,
    amount,
    identity_text,
    plainly,
    reference,
    ruleset_json,
    seat_names,
)
from quadrille_plugins.shell.wrapping import proposed
from quadrille_plugins.solver.deals import require_solvable
from quadrille_plugins.solver.open_play import require_solver
from quadrille_plugins.studies.answers import laid_out
from quadrille_plugins.studies.design import Share
from quadrille_plugins.studies.differences import rules_table, rules_text
from quadrille_plugins.studies.free_losses import warnings_for
from quadrille_plugins.studies.intervals import FEWEST_SESSIONS
from quadrille_plugins.studies.paired import FEWEST_DIFFERING
from quadrille_plugins.studies.progress import StudyProgress
from quadrille_plugins.studies.runner.run import Runner
from quadrille_plugins.studies.study import Rendering, Study
from quadrille_plugins.studies.study_pictures import comparison_pictures
from quadrille_plugins.studies.values import (
    decimal,
    estimate_json,
    estimate_text,
    percent,
)
from quadrille_plugins.studies.words import role_name


@dataclass(kw_only=True)
class OpenStudy(Study[OpenComparison]):
    """A comparison by par, all cards seen; examples are saved bid and played to par."""

    seed: int
    examples: int

    @classmethod
    def of(
        cls,
        compiled: Sequence[Compiled],
        *,
        deals: int,
        seed: int,
        examples: int,
        save: Path | None,
    ) -> "OpenStudy":
        """The study of N deals; raises UsageError without the solver."""
        require_solver()
        for one in compiled:
            require_solvable(one.ruleset.rules)
        return cls(
            compiled=compiled,
            title="Rule sets compared by par, all cards seen",
            resolved={"deals": deals},
            deals=deals,
            warnings=warnings_for(compiled[0], compiled[1:]),
            save=save,
            seed=seed,
            examples=examples,
        )

    def play(self, runner: Runner) -> OpenComparison:
        """See ``Study``."""
        ready("quadrille_plugins.solver.solve")
        with StudyProgress(self.deals) as progress:
            return compare_open(
                self.compiled,
                deals=self.deals,
                seed=self.seed,
                examples=self.examples,
                progress=progress.update,
                runner=runner,
            )

    def finish(self, found: OpenComparison) -> Json:
        """See ``Study``."""
        return open_json(found)

    def render(self, found: OpenComparison, record: Json) -> Rendering:
        """See ``Study``."""
        return Rendering(
            blocks=lambda details: open_blocks(found, details=details),
            rows=lambda: open_csv(found),
            answers=lambda: [answer(found, pair) for pair in found.pairs],
            pictures=lambda: comparison_pictures(record),
            records=lambda: _records(found),
            reached=f"the {found.deals} deals that were finished" if found.interrupted else "",
        )


def _records(found: OpenComparison) -> Iterator[tuple[str, str]]:
    """The file names and texts of the examples, bid and played to par."""
    for pair in found.pairs:
        chosen = pair.first, pair.second
        solver = SolverCache([found.summaries[i].compiled.ruleset for i in chosen])
        for example in pair.examples:
            for index, solving in zip(
                chosen, solver.solvings(found.seed, example.number), strict=True
            ):
                valued = solving.value()
                if valued.solved is not None:
                    record = solving.record(valued.solved, valued.par.spoken)
                    name = f"session{example.number}-deal0-{index + 1}.json"
                    yield name, json.dumps(record, ensure_ascii=False, indent=2) + "\n"


_STEPS = {
    "bid": "another bid",
    "Hombre": "the same by another player",
    "trumps": "with other trumps",
    "ally": "with another ally",
    "payments": "the same contract, paid differently",
}


def worked_text(w: Worked) -> str:
    """Par in a few words, such as ``solo by eldest, ♠, 7 tricks, won``; players are called by
    seat."""
    if w.hombre is None:
        return w.bid
    called = seat_names(len(w.net))
    trump = "no trump" if w.trump == NO_TRUMP else SUIT_SIGNS[w.trump or 0]
    ally = "" if w.ally is None else f", with {called[w.ally]}"
    return f"{w.bid} by {called[w.hombre]}, {trump}{ally}, {w.tricks} tricks, {w.outcome}"


def _net(w: Worked) -> str:
    return ", ".join(
        f"{p} {amount(n, sign=True)}" for p, n in zip(seat_names(len(w.net)), w.net, strict=True)
    )


def open_blocks(c: OpenComparison, *, details: bool) -> list[Block]:
    """The whole comparison for a person, or without ``details`` the answer and how often it
    matters."""
    sure = (
        f"{c.deals} deals, the same cards under each rule set; double dummy: all cards seen, "
        f"every player bidding for itself, the antes alone in the pool; seed {c.seed}. Players "
        "at a table do not see all cards."
    )
    if c.interrupted:
        sure += "\nInterrupted: these are the deals that were finished."
    if c.deals < FEWEST_SESSIONS:
        sure += f"\nNo intervals (?) of payments: they need {FEWEST_SESSIONS} deals or more."
    return laid_out(
        "\n".join(answer(c, pair) for pair in c.pairs),
        c.heads(),
        [block for pair in c.pairs for block in _main(c, pair)],
        sure=sure,
        more=lambda: [
            *(block for pair in c.pairs for block in _pair_blocks(c, pair)),
            *_summaries(c),
        ],
        details=details,
        shows="what par pays each, examples, par contracts, the rules that differ",
    )


def answer(c: OpenComparison, pair: OpenPair) -> str:
    """How often par differs, in a sentence."""
    a, b = c.called(pair)
    return (
        f"With all cards seen, {b} instead of {a} changes the contract in "
        f"{percent(pair.contract_differs.share)} of deals and the payments in "
        f"{percent(pair.payments_differ.share)}."
    )


def _main(c: OpenComparison, pair: OpenPair) -> list[Block]:
    a, b = c.called(pair)
    shares = [("the par contract differs", pair.contract_differs)]
    shares += [(f"  {_STEPS[s.name]}", s) for s in pair.steps]
    shares.append(("payments differ", pair.payments_differ))
    rows = tuple((name, percent(s.share), str(s.count)) for name, s in shares)
    heads = ("", "share", "deals")
    return [
        Table(f"{a} and {b}: how often it matters", heads, rows, frozenset(heads[1:])),
        Text(rules_text(pair.rules_diff, pair.first, pair.second, c.compiled)),
    ]


def _summaries(c: OpenComparison) -> list[Block]:
    names, right = c.names, frozenset(c.names)
    contracts, outcomes = (share_rows(c.summaries, of) for of in ("contracts", "outcomes"))
    tricks = ("mean tricks of Hombre's side", *(estimate_text(s.tricks) for s in c.summaries))
    left = ("mean left in the pool", *(estimate_text(s.left) for s in c.summaries))
    return [
        Table("par contracts", ("contract", *names), contracts, right),
        Table("how they end", ("outcome", *names), (*outcomes, tricks, left), right),
    ]


def _pair_blocks(c: OpenComparison, pair: OpenPair) -> list[Block]:
    a, b = c.called(pair)
    columns = ("", a, b, "difference, 95 %")
    paid = [{**s.roles, **s.seats} for s in (c.summaries[pair.first], c.summaries[pair.second])]
    paired = {**pair.roles, **pair.seats}
    pay = []
    for key in dict.fromkeys([*paid[0], *paid[1]]):
        means = [decimal(p[key].mean, sign=True) if key in p else "–" for p in paid]
        e = paired.get(key)
        text = (
            "–" if e is None else estimate_text(e, sign=True) + ("  *" if e.excludes_zero else "")
        )
        pay.append((role_name(key, c.players), *means, text))
    blocks: list[Block] = [
        Table(
            "what par pays each, in counters a deal", columns, tuple(pay), frozenset(columns[1:])
        ),
        Text(
            "Seats with antes. * the interval excludes zero. A difference has no interval (?) "
            f"where fewer than {FEWEST_DIFFERING} deals differ in it."
        ),
    ]
    if pair.examples:
        told = [
            "\n".join(
                [
                    f"session {e.number}",
                    *(
                        f"  {x}: {worked_text(w)}; net {_net(w)}"
                        for x, w in zip((a, b), e.pars, strict=True)
                    ),
                ]
            )
            for e in pair.examples
        ]
        ref = reference(c.compiled[pair.first].identity)
        which = f"--seed {c.seed} --session {pair.examples[0].number}"
        blocks.append(Text("Examples, by seat:\n" + "\n".join(told)))
        solved = proposed("see one solved:", f"quadrille deal {ref} --solve {which}")
        blocks.append(Text("\n".join(solved), on_page=""))
    return [*blocks, rules_table(pair.rules_diff, pair.first, pair.second, c.compiled)]


# --- JSON and CSV ----------------------------------------------------------------------------


def _share_json(s: Share) -> Json:
    return {"count": s.count, "share": _plain(s.share)}


def _plain(e: Any) -> Json:
    """An estimate; here every deal is independent of the others, so that there are no sessions to
    count."""
    return {k: v for k, v in estimate_json(e).items() if k != "sessions"}


def _worked_json(w: Worked) -> Json:
    called = names(len(w.net))
    return {
        "bid": w.bid,
        "hombre": None if w.hombre is None else called[w.hombre],
        "trump": None if w.trump in (None, NO_TRUMP) else format_suit(w.trump),
        "ally": None if w.ally is None else called[w.ally],
        **plainly(w, "tricks", "outcome"),
        "net": {p: plain_amount(n) for p, n in zip(called, w.net, strict=True)},
        "pool_after": plain_amount(w.left),
    }


def open_json(c: OpenComparison) -> Json:
    """The whole comparison, ordered so that what matters most comes first."""
    return {
        "rules": list(map(ruleset_json, c.compiled)),
        "design": {
            **plainly(c, "deals", "seed"),
            "double_dummy": True,
            "interrupted": c.interrupted,
        },
        "rules_diff": c.rules_diff(),
        "paired": [_pair_json(p) for p in c.pairs],
        "per_rule_set": [_summary_json(s) for s in c.summaries],
    }


def _pair_json(p: OpenPair) -> Json:
    return {
        **plainly(p, "first", "second"),
        "par_contract_differs": _share_json(p.contract_differs),
        "payments_differ": _share_json(p.payments_differ),
        "first_in": {s.name.lower(): _share_json(s) for s in p.steps},
        "difference": _paid_json(p),
        "examples": [
            {
                "session": e.number,
                "deal": 0,
                "weight": plain_amount(e.weight),
                "diverges_in": e.step.lower(),
                "pars": [_worked_json(w) for w in e.pars],
            }
            for e in p.examples
        ],
    }


def _paid_json(of: OpenPair | OpenSummary) -> Json:
    return {
        "by_role": {k: _plain(e) for k, e in of.roles.items()},
        "by_seat": {k: _plain(e) for k, e in of.seats.items()},
    }


def _summary_json(s: OpenSummary) -> Json:
    return {
        "contracts": {x.name: _share_json(x) for x in s.contracts},
        "outcomes": {x.name: _share_json(x) for x in s.outcomes},
        **_paid_json(s),
        "tricks": _plain(s.tricks),
        "left_in_pool": _plain(s.left),
    }


def open_csv(c: OpenComparison) -> Rows:
    """The numbers in long form: one row an estimate, in the columns of ``compare``."""
    return COLUMNS, list(_rows(c))


def _rows(c: OpenComparison) -> Iterator[Row]:
    called = [identity_text(one.identity) for one in c.compiled]
    for p in c.pairs:
        a, b = called[p.first], called[p.second]
        for share in (p.contract_differs, p.payments_differ):
            yield estimate_row("differs", b, a, share.name, share.share, share.count)
        for share in p.steps:
            label = f"first in {share.name.lower()}"
            yield estimate_row("differs", b, a, label, share.share, share.count)
        for k, e in (*p.roles.items(), *p.seats.items()):
            yield estimate_row("difference", b, a, k, e, e.count)
    for name, s in zip(called, c.summaries, strict=True):
        for section, shares in (("contract", s.contracts), ("outcome", s.outcomes)):
            for x in shares:
                yield estimate_row(section, name, "", x.name, x.share, x.count)
        for k, e in (
            *s.roles.items(),
            *s.seats.items(),
            ("tricks", s.tricks),
            ("left in the pool", s.left),
        ):
            section = "payment" if k in s.roles or k in s.seats else "mean"
            yield estimate_row(section, name, "", k, e, e.count)
