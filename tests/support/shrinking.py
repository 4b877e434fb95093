"""What is asked of a pair of records that parts."""

from quadrille_plugins.deal.record import differing, replay, to_record

from quadrille_core.engine.settle import settle


def parts(pair, records):
    """Whether each record is its own rules' deal, and the other rules make something else of it."""
    for number, record in enumerate(records):
        own, other = (pair[n].ruleset for n in (number, 1 - number))
        again = replay(own, record)
        assert again.divergence is None
        assert again.deal.over
        made = to_record(
            again.deal,
            None if again.deal.result() is None else settle(own.rules, again.deal.result()),
        )
        assert differing(record, made) == []
        beside = replay(other, record)
        if beside.divergence is None:
            ended = beside.deal.result()
            there = to_record(beside.deal, None if ended is None else settle(other.rules, ended))
            if differing(record, there):
                return True
        else:
            return True
    return False
