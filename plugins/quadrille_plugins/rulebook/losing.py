"""The section on what a lost game costs."""

from collections.abc import Iterator

from quadrille_plugins.rulebook.book import Draft, Reader, draft
from quadrille_plugins.rulebook.paying import (
    ITEMS,
    earning,
    lost_costs,
    secret_solo,
    some,
    twice,
    worth,
)
from quadrille_plugins.rulebook.playing import reachable
from quadrille_plugins.rulebook.words import antes, counters, grouped, number, times
from quadrille_plugins.shell.values import capital, listed


def shared(r: Reader) -> list[str]:
    """The bids whose loss two allies may share."""
    return [b for b in r.allied() if r.of(b, "loss_borne") != "hombre"]


def bearers(r: Reader) -> str:
    """Who bears a loss."""

    def say(r: Reader, bid: str) -> str:
        how = r.bid(bid, "loss_borne")
        exempt = r.bid(bid, "ally_exempt_tricks") if how != "hombre" else 0
        unless = f", unless the ally's own tricks are at least {number(exempt)}" if exempt else ""
        alone = "; then the Hombre bears it alone" if exempt else ""
        if how == "shared":
            return f"both allies bear the loss{unless}{alone}."
        least = r.bid(bid, "hombre_least_tricks") if how == "shared_if_hombre_made" else 0
        if least == 0 and how == "shared_if_hombre_made":
            return f"both allies bear the loss{unless}{alone}."
        if how == "shared_if_hombre_made":
            return (
                f"both allies bear the loss if the Hombre's own tricks are at least "
                f"{number(least)}{unless}; otherwise the Hombre bears it alone."
            )
        return "the Hombre bears the whole loss, and the ally pays nothing."

    text = grouped(r, r.allied(), say, r.played())
    return f"Whoever plays alone bears the loss alone. {text}" if text else ""


def _adds(r: Reader, outcome: str) -> str:
    """What a lost game puts in."""
    n = r(f"loss.{outcome}_adds")
    if r.knows("loss.beast_size") != "of_pool":
        return {0: "nothing", 1: "a beast"}.get(n, f"{times(n)} a beast")
    return {0: "nothing", 1: "as much as the stake"}.get(n, f"{times(n)} the stake")


def additions(r: Reader) -> str:
    """What is put into the pool."""
    if r.points():
        remise = f"A remise costs {counters(r, r.amount('score.remise'))}"
        codille = (
            "" if _never_codille(r) else f", a codille {counters(r, r.amount('score.codille'))}"
        )
        who = ", to each of those who bear it" if shared(r) else ", to the Hombre's score"
        return f"{remise}{codille}{who}."
    if r.knows("multiplier.after_losses") == "counted" and r("multiplier.loss_adds") == "instead":
        return (
            "A lost game puts nothing into the pool; the games that follow count for more "
            "instead (see below)."
        )
    remise, codille = _adds(r, "remise"), "" if _never_codille(r) else _adds(r, "codille")
    if {remise, codille} <= {"nothing", ""}:
        return "A lost game puts nothing into the pool."
    if r.knows("loss.beast_size") != "of_pool":
        if remise == codille:
            return f"After a remise or a codille the loser puts {remise} into the pool."
        return (
            f"After a remise the loser puts {remise} into the "
            f"pool{f'; after a codille, {codille}' * bool(codille)}."
        )
    if remise == codille:
        return f"After a remise or a codille the loser puts a beast into the pool: {remise}."
    then = f", after a codille {codille}" if codille else ""
    return f"The loser puts a beast into the pool: after a remise {remise}{then}."


def _never_codille(r: Reader) -> bool:
    """Whether no game can be lost as a codille."""
    return all(r.of(b, "lost_as") == "remise" for b in r.played())


def _beasts_count(r: Reader) -> bool:
    """Whether a lost game adds anything to the pool."""
    return not r.points() and not (
        r.knows("multiplier.after_losses") == "counted"
        and r.knows("multiplier.loss_adds") == "instead"
    )


def beasts(r: Reader) -> str:
    """The size of a beast, and where it goes."""
    if not _beasts_count(r):
        return ""
    parts = []
    if r.knows("loss.beast_size") != "of_pool":  # told where the loser puts it in
        size = r("loss.beast_size")
        first = counters(r, r("loss.beast_first"))
        parts.append(
            {
                "doubling": f"The first beast is {first}, and each is twice the size for every "
                "beast not yet won.",
                "by_firsts": f"The first beast is {first}; with one not yet won the next is "
                "twice that, with two three times, and so on.",
                "always_first": f"Every beast is {first}.",
            }[size]
        )
    if r("loss.beasts") == "wait":
        parts.append(
            "A beast is put apart at first. Before the next deal, if no beast lies in the pool, "
            "one of those put apart goes into it, the largest first; the others wait until that "
            "one has been taken."
        )
    return " ".join(parts)


def penalty(r: Reader) -> str:
    """Who puts it in."""
    if not _beasts_count(r) or not shared(r):
        return ""

    def say(r: Reader, bid: str) -> str:
        return {
            "hombre": "the Hombre alone puts this in, even when both allies bear the loss; the "
            "ally then shares only what is paid to the adversaries.",
            "as_borne": "allies who share the loss put this in by halves.",
            "each_in_full": "allies who share the loss each put in all of this.",
        }[r.bid(bid, "pool_penalty")]

    return grouped(r, shared(r), say, shared(r))


def sweep(r: Reader) -> str:
    """What happens to the pool at a codille."""
    if r.points() or _never_codille(r):
        return ""
    if r("loss.codille_pool") == "losers_pay" and (paid := r("loss.codille_draws")):
        return (
            "At a codille the pool stays where it is; whoever bears the loss pays each adversary "
            f"{counters(r, paid)}."
        )
    if r("loss.codille_pool") != "adversaries":
        counts = (
            r.knows("loss.beast_size") == "of_pool"
            and r.knows("loss.codille_adds")
            and _beasts_count(r)
        )
        if counts and r("loss.codille_base") == "taken":
            return (
                "At a codille the pool stays where it is; as nothing is taken out of it, the "
                "codille adds nothing."
            )
        return "What lay in the pool before stays there, after a codille too."
    adds = _beasts_count(r) and bool(r.knows("loss.codille_adds"))
    before = ", as it lay before the loser put anything in" if adds else ""
    text = f"At a codille the adversaries share the pool equally{before}"
    if drawn := r("loss.codille_draws"):
        text = f"At a codille each adversary draws {counters(r, drawn)} from the pool{before}"
        text += f"{',' * bool(before)} or an equal share if it holds too few"
    least = r("loss.codille_shared_from")
    players = r.knows("table.players")
    stake = antes(r)
    indivisible = (
        "if there are three or more adversaries and the pool does not divide among them into "
        "whole counters, "
    )
    stays = []
    if least > 1 and stake:
        stays.append(f"if it holds less than {counters(r, least * stake)}")
    many = (
        players > 4 or [b for b in r.played() if r.of(b, "partner") != "called"] or secret_solo(r)
    )
    how = r("loss.codille_indivisible") if many else "exact"
    if how == "stays":
        stays.append(f"{indivisible}whatever is done with odd counters elsewhere")
    if stays:
        text += f". But the pool stays where it is, all of it, {', or '.join(stays)}"
    if how == "odd_stay":
        text += f". But {indivisible}the odd counters stay where they are"
    if (
        r.knows("loss.beast_size") == "of_pool"
        and r.knows("loss.codille_adds")
        and _beasts_count(r)
    ):
        if r("loss.codille_base") == "taken":
            taken = (
                "What the loser adds is reckoned on what they have taken; if they take "
                "nothing, nothing is added."
            )
            return f"{text}. {taken}"
        return (
            f"{text}. What the loser adds is reckoned on the stake as it was before they took "
            "their share."
        )
    return f"{text}."


def owing(r: Reader) -> tuple[list[str], list[str]]:
    """The kinds of items, the vole apart, that a remise and a codille pay and that ever earn
    anything."""
    kinds = earning(r)
    codille = () if _never_codille(r) else r("loss.codille_pays")
    return [i for i in r("loss.remise_pays") if i in kinds], [i for i in codille if i in kinds]


def lost_items(r: Reader) -> str:
    """What is paid to the adversaries."""
    remise, codille = owing(r)
    over = r("loss.codille_items_times") if codille else 1

    def what(items: list[str]) -> str:
        return listed(ITEMS[i] for i in sorted(items, key=list(ITEMS).index))

    vole = lost_vole(r)
    if not remise and not codille:
        if vole:
            return vole
        return "It costs nothing else." if r.points() else "Nothing else is paid."
    who = "each of those who bear the loss loses" if r.points() else "each adversary is paid"
    once = ""

    def due(items: list[str], often: str) -> str:
        return f"{who} what {what(items)} would have earned{often}"

    again = f"; after a codille {times(over)}" if over > 1 else ""
    if sorted(remise) == sorted(codille):
        return f"After a remise as after a codille, {due(remise, once)}{again}. {vole}".rstrip()
    parts = [
        f"after a remise, {due(remise, once)}" if remise else "after a remise nothing else is paid"
    ]
    if codille:
        parts.append(f"after a codille, {due(codille, f' {times(over)}' if over > 1 else once)}")
    elif not _never_codille(r):
        parts.append("after a codille nothing else is paid")
    return f"{capital('; '.join(parts))}. {vole}".rstrip()


def lost_vole(r: Reader) -> str:
    """The vole premium as part of a loss; nothing where no vole can have been played for, or it is
    owed anyway."""
    ways = [(level, b) for level, b in reachable(r) if lost_costs(r, level, b)]
    announced = [b for level, b in ways if level != "undertaken"]
    begun = [
        b
        for level, b in ways
        if level == "undertaken"
        and (r.of(b, "goal") != "at_least" or r.of(b, "tricks") > r.knows("premiers.tricks"))
    ]
    played = ["undertaken"] if begun and not r.knows("vole.undertaken_failed_premium") else []
    as_lost = r.knows("vole.announced_lost_pays") == "as_lost"
    unpaid = as_lost and not r.knows("vole.announced_failed_premium")
    played += ["announced"] if announced and unpaid else []
    remise = "vole" in r("loss.remise_pays")
    codille = not _never_codille(r) and "vole" in r("loss.codille_pays")
    if not played or not (remise or codille):
        return ""
    after = (
        "After a remise as after a codille"
        if remise and codille
        else "After a remise"
        if remise
        else "After a codille"
    )
    who = "each of those who bear the loss loses" if r.points() else "each adversary is paid"
    return (
        f"{after}, {who} the vole premium as well, once, but only if a vole was "
        f"{listed(played, 'or')}; without one, the vole costs nothing."
    )


def no_trick(r: Reader) -> str:
    """What it costs to make no trick at all."""
    if r.points() or not some(worth(r, f"vole_premium.undertaken.{b}") for b in r.played()):
        return ""
    measured = r("loss.devole")
    if measured == "not_paid":
        return ""
    who = "the Hombre's side loses" if measured == "side" and r.allied() else "the Hombre loses"
    listed_below = [b for level, b in reachable(r) if level == "undertaken"]
    others = [
        b for b in r.played() if b not in listed_below and worth(r, f"vole_premium.undertaken.{b}")
    ]
    amounts = [f"{twice(r, f'vole_premium.undertaken.{b}')} in {r.title(b)}" for b in others]
    besides = (
        f" Where no vole may be undertaken, it is paid all the same: {listed(amounts)}."
        if amounts
        else ""
    )
    return (
        f"If {who} without having made a single trick, each adversary is paid the premium of an "
        f"undertaken vole as well: this is the dévole.{besides}"
    )


def owed(r: Reader) -> str:
    """How allies who share a loss pay."""
    if r.points() or not shared(r):
        return ""
    if not r.elsewhere(lambda r: some([*owing(r), lost_vole(r), no_trick(r)])):
        return ""
    if r("loss.allies_pay") == "as_received":
        if r.knows("payments.allies_paid") == "each_opponent_each_ally":
            return (
                "But allies who share the loss each pay every adversary the whole of it, as each "
                "adversary would have paid the whole to each of them; a Hombre who bears it "
                "alone pays each adversary once."
            )
        return "But allies who share the loss pay those who would have paid them, and as much."
    if r.knows("payments.allies_paid") == "once_and_halved" or r.knows("table.players") == 5:
        return "Allies who share the loss pay each adversary by halves."
    return (
        "Allies who share the loss pay one adversary each: the Hombre pays the one who sits "
        "first from the eldest hand on, the ally pays the other."
    )


def losing(r: Reader) -> Iterator[Draft]:
    """What a lost game costs."""
    yield draft("bearers", bearers)
    yield draft("beast", additions, penalty, beasts, sweep)
    yield draft("items", lost_items, no_trick, owed)
