"""Golden records: deals of every contract of every shipped profile and variation, replayed to the
last counter.

A record that replays otherwise means that the game has changed.  See ``make_golden`` for how to
renew them.
"""

import copy

import make_golden as golden
import pytest
from quadrille_plugins.deal.record import replay

from quadrille_core.ruleset import compile_reference

PROFILES = golden.playable()
KEPT = {name: golden.load(name) for name in PROFILES}
RULESETS = {
    name: ruleset for profile in PROFILES for name, ruleset in golden.references(profile).items()
}
RECORDS = [
    pytest.param(
        record,
        id=f"{golden.reference_of(record)}-{number}-{(record['result'] or {}).get('contract')}",
    )
    for records in KEPT.values()
    for number, record in enumerate(records, 1)
]


@pytest.mark.parametrize("record", RECORDS)
def test_a_golden_record_replays_to_the_same_events_payments_and_result(record):
    told = golden.difference(record, RULESETS[golden.reference_of(record)])
    assert not told, (
        f"the game has changed: {told}\nif it was meant to, make the records anew with: "
        f"{golden.ANEW}"
    )


@pytest.mark.parametrize("profile", PROFILES)
def test_golden_records_name_the_rules_as_they_are(profile):
    """A digest changes with a plugin's version too, so this alone need not mean that the game has
    changed."""
    stale = [
        f"{golden.reference_of(r)} has digest {now[:12]}, not {r['rules']['digest'][:12]}"
        for r in KEPT[profile]
        if (now := RULESETS[golden.reference_of(r)].identity.digest) != r["rules"]["digest"]
    ]
    assert not stale, (
        f"{'; '.join(dict.fromkeys(stale))}\nthe records that still replay are renewed by: "
        f"{golden.RENEW}"
    )


@pytest.mark.parametrize("reference", RULESETS)
def test_every_contract_and_every_ending_has_its_golden_record(reference):
    ruleset = RULESETS[reference]
    seen = set()
    for record in KEPT[ruleset.identity.profile]:
        deal = replay(ruleset, record).deal if golden.reference_of(record) == reference else None
        seen |= golden.shown(deal) if deal is not None and deal.over else set()
    lacking = [str(w) for w in golden.wanted(ruleset.rules) if w not in seen]
    assert not lacking, (
        f"{reference} has no record with {', '.join(lacking)}\ndeals are found by: {golden.RENEW}"
    )


def test_every_shipped_plugin_is_at_work_in_some_golden_record():
    """In one that adds it to a profile, unless every profile that might take it names it
    already."""
    added = {
        plugin
        for records in KEPT.values()
        for r in records
        for plugin in r["rules"].get("added", ())
    }
    named = {
        p: {plugin["name"] for r in KEPT[p] for plugin in r["rules"]["plugins"]}
        for p in golden.HOSTS
    }
    everywhere = set.intersection(*named.values())
    assert added | everywhere >= set(golden.plugins())
    assert everywhere <= set(golden.plugins())
    assert len(golden.plugins()) > len(everywhere) > 0


def test_nothing_but_the_shipped_profiles_and_variations_has_golden_records():
    assert sorted(p.name for p in golden.GOLDEN.iterdir()) == sorted(
        f"{name}.json" for name in PROFILES
    )
    assert {golden.reference_of(r) for records in KEPT.values() for r in records} == set(RULESETS)
    assert sum(p.stat().st_size for p in golden.GOLDEN.iterdir()) < 1_000_000


def test_a_golden_record_is_told_where_it_differs():
    """The comparison itself: a payment, an event, the result, and rules other than the record's
    own."""
    record = next(r for r in KEPT["quanti-1822"] if r["outcome"] == "won")
    ruleset = RULESETS[golden.reference_of(record)]
    for key, change in {
        "transfers": lambda r: r["transfers"][0].update(amount=99),
        "net": lambda r: r["net"].update(A="1/7"),
        "pool_after": lambda r: r.update(pool_after=99),
        "outcome": lambda r: r.update(outcome="codille"),
        "result": lambda r: r["result"].update(matadors=5),
        "parts in the play": lambda r: r["events"].__setitem__(-2, "A plays SA"),
        "reason": lambda r: r["transfers"][0].update(reason="for nothing"),
    }.items():
        other = copy.deepcopy(record)
        change(other)
        assert key in golden.difference(other, ruleset)
    settings = {
        "stakes.unit_rounding": "exact",
        "payments.premiers": 7,
        "loss.remise_adds": 5,
        "stakes.unit": 1,
    }
    dearer = compile_reference(golden.reference_of(record), settings=settings).ruleset
    assert any(golden.difference(r, dearer) for r in KEPT["quanti-1822"])
