"""``play``: whole hands by a scripted player, refused cards, the short form, and the prompt."""

import io
import json
import re
import zlib
from base64 import urlsafe_b64encode
from dataclasses import replace
from fractions import Fraction

import pytest
from quadrille_plugins.deal.judging import of_cards, refused
from quadrille_plugins.deal.players import make_bot
from quadrille_plugins.deal.session import play_session
from quadrille_plugins.play import short
from quadrille_plugins.play.game import done, go_on, hint, new_game, next_deal, undone
from quadrille_plugins.play.short import from_short, short_form
from quadrille_plugins.settle.result_file import result_to_plain, settlement_to_json
from quadrille_plugins.shell.values import identity_to_plain

from quadrille_core.cards import format_card, format_cards, format_suit
from quadrille_core.errors import QuadrilleError, RecordError
from quadrille_core.ruleset import compile_reference

RULES = [
    "quanti-1822",
    "mediateur-1752",
    "academie",
    "quintille",
    "quadrille-modern",
    "quadrille-laws+nemo",
]


def played(compiled, seed, seat):
    """Every state in which the human is in turn, and the end."""
    game = go_on(new_game(compiled, seed=seed, seat=seat))
    states = [game]
    while not game.deal.over:
        game = go_on(done(game, hint(game)[0]))
        states.append(game)
    return states


@pytest.mark.parametrize("ref", RULES)
def test_a_whole_hand_refuses_as_legal_does_and_settles_as_settle_does(ref, quadrille, tmp_path):
    """Reasons, rules and sources of all cards equal those of `legal`; the settlement equals the
    JSON of `settle`."""
    compiled = compile_reference(ref)
    states = played(compiled, 1, 1)
    asked = [s for s in states if any(not r.legal for r in of_cards(s.compiled, s.deal))][:2]
    assert asked
    for game in asked:
        deal = game.deal
        line = ["--hand", format_cards(deal.hands[1]), "--trick", format_cards(deal.trick)]
        _, out, _ = quadrille(
            "play", ref, *line, "--trump", format_suit(deal.trump), "--format", "json"
        )
        legal = {c["card"]: (c["legal"], c["reason"], c["rule"]) for c in json.loads(out)["cards"]}
        assert {
            format_card(r.action.card): (r.legal, r.reason, r.rule)
            for r in of_cards(compiled, deal)
        } == legal
        assert list(refused(compiled, deal)) == [r for r in of_cards(compiled, deal) if not r.legal]
    end = states[-1]
    result = end.deal.result()
    file = tmp_path / "result.json"
    identity = compiled.identity
    file.write_text(
        json.dumps(result_to_plain(result, identity.reference, dict(identity.readings)))
    )
    _, out, _ = quadrille("settle", str(file), "--format", "json")
    told = json.loads(out)
    mine = settlement_to_json(
        identity_to_plain(identity), result, end.settlement, compiled.source_of, told["alone"]
    )
    assert mine == told


def test_a_short_form_that_nobody_could_read_back_is_refused():
    """A form takes as many characters as its reader; a game of more is to be saved as a record."""
    game = new_game(compile_reference("quanti-1822"), seed=1)
    for power, fits in ((1000, True), (4800, False)):
        long = replace(game, setup=replace(game.setup, pool=Fraction(7**power)))
        if fits:
            assert len(short_form(long)) > 500
        else:
            with pytest.raises(RecordError, match="too long for a short form"):
                short_form(long)


def test_the_short_form_holds_the_whole_game_and_finds_what_was_changed():
    """Every state of a deal comes back equal, in 400 characters at most; changes and other rules
    are refused."""
    compiled = compile_reference("quanti-1822")
    states = played(compiled, 2, 2)
    for game in states:
        assert from_short(short_form(game), compiled) == game
        assert len(short_form(game)) <= 400
    word = short_form(states[-1])
    for at in range(3, len(word)):
        changed = word[:at] + ("A" if word[at] != "A" else "B") + word[at + 1 :]
        with pytest.raises(QuadrilleError):
            from_short(changed, compiled)
    with pytest.raises(RecordError, match="under rules with digest"):
        from_short(word, compile_reference("mediateur-1752"))


def test_a_word_that_somebody_has_made_up_is_refused_whatever_it_says():
    """Whole and with a right checksum, a word says no more than a record and its rules allow."""
    compiled = compile_reference("quanti-1822")
    word = short_form(go_on(new_game(compiled, seed=1)))
    data = short.opened(word)[1]
    for key in data:
        for value in (None, True, 0.5, -1, 99, "x", ["x"], {}, [1] * 5, ["0"] * 3):
            packing = zlib.compressobj(9, zdict=short.WORDS)
            text = json.dumps({**data, key: value}, separators=(",", ":")).encode()
            packed = urlsafe_b64encode(packing.compress(text) + packing.flush()).decode()
            if (key, value) == ("pool", 99) or data[key] == value:  # as likely as another
                continue
            with pytest.raises(QuadrilleError):
                from_short(f"q2.quanti-1822.{packed.rstrip('=')}", compiled)


def test_undo_takes_back_the_last_own_action_and_what_followed():
    """After undoing, the game is the one in which that action was still to be chosen."""
    states = played(compile_reference("quanti-1822"), 3, 0)
    assert undone(states[2]) == states[1]


@pytest.fixture
def typed(monkeypatch, quadrille):
    """Run `play` with these lines typed."""

    def run(text, *args):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        return quadrille("play", *args)

    return run


def test_the_end_of_input_prints_a_word_that_resumes_the_game(typed):
    """No traceback at the end of input; the word that is printed shows the same table again."""
    status, out, err = typed("1\n", "quanti-1822", "--seed", "3")
    assert (status, err) == (0, "")
    word = re.search(r"^q2\S+$", out, re.M)[0]
    status, again, _ = typed("", "--resume", word)
    assert status == 0
    assert (
        again.split("your hand: ")[1].split("\n")[0] == out.split("your hand: ")[-1].split("\n")[0]
    )


def test_a_scripted_player_saves_a_record_that_replays(typed, quadrille, tmp_path):
    """A hand by numbers to its end: the settlement is printed, and the record that is saved replays
    without a fault."""
    file = tmp_path / "deal.json"
    status, out, _ = typed(
        "?\nhint\n" + "1\n" * 11 + f"save {file}\n", "quanti-1822", "--seed", "3"
    )
    assert status == 0
    assert "The deal is over" in out
    lines = out.split("\nSolo by ")[0].split("\n")  # the settlement is as wide as that of `settle`
    assert max(map(len, lines)) <= 80
    assert quadrille("deal", "--replay", str(file))[0] == 0


def test_the_next_deal_is_that_of_the_session():
    """Pool, times, beasts, favourite, names and balances are those of a session that was played the
    same way."""
    for ref in (
        "quanti-1822",
        "mediateur-1752",
        "encyclopedie-mediateur",
        "quadrille-modern+multiplier",
    ):
        compiled = compile_reference(ref)
        rules = compiled.ruleset.rules
        deals = list(
            play_session(compiled.ruleset, [make_bot("steady")] * 4, seed=2, session=0, deals=8)
        )
        game = new_game(compiled, seed=2)
        for n, one in enumerate(deals):
            assert replace(game.setup, players=()) == replace(one.setup, players=())
            assert game.setup.players == one.setup.players
            game = replace(game, actions=tuple(a for _, a in one.deal.actions))
            assert from_short(short_form(game), compiled) == game
            after = [one.holdings[c] - rules.table.purse for c in one.chair_of_seat]
            refilled = [sum(d.refills[c] for d in deals[: n + 1]) for c in one.chair_of_seat]
            assert list(game.balances_after) == [
                a - r for a, r in zip(after, refilled, strict=True)
            ]
            if n + 1 < len(deals):
                game = next_deal(game)


def test_a_deal_that_is_not_over_has_no_next():
    with pytest.raises(QuadrilleError, match="not over"):
        next_deal(new_game(compile_reference("quanti-1822"), seed=1))


def test_a_record_is_played_on_from_where_it_stops(typed, quadrille, tmp_path):
    """`--from` begins with the table that the record leads to, and refuses a record that the rules
    do not allow."""
    record = json.loads(quadrille("deal", "quanti-1822", "--seed", "5", "--format", "json")[1])
    record["actions"] = record["actions"][:6]
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(record))
    status, out, _ = typed("", "quanti-1822", "--from", str(file), "--seat", "2")
    assert status == 0
    word = re.search(r"^q2\S+$", out, re.M)[0]
    game = from_short(word, compile_reference("quanti-1822"))
    assert [f"{game.setup.players[s]} {a}" for s, a in game.deal.actions][:6] == record["actions"]
    assert game.seat == 1
    record["actions"][0] = "B pass"
    file.write_text(json.dumps(record))
    status, _, err = typed("", "quanti-1822", "--from", str(file))
    assert status != 0
    assert "A's turn" in err


def test_ctrl_c_prints_the_word_that_resumes_the_game(monkeypatch, quadrille):
    """Interrupted, the prompt says how to go on, and the command ends as Ctrl-C ends one."""
    monkeypatch.setattr("sys.stdin", Interrupted("pass\n"))
    status, out, err = quadrille("play", "quanti-1822", "--seed", "3")
    assert status == 130
    assert "Traceback" not in out + err
    game = from_short(re.search(r"^q2\S+$", out, re.M)[0], compile_reference("quanti-1822"))
    assert str(game.actions[0]) == "pass"


class Interrupted(io.StringIO):
    """Lines that are typed, and then Ctrl-C."""

    def readline(self, size=-1, /):
        line = super().readline(size)
        if not line:
            raise KeyboardInterrupt
        return line


def test_next_and_review_wait_for_the_end_of_the_deal(typed):
    """Before it they are refused; after it `next` deals on with the balances carried."""
    status, out, _ = typed("next\nreview\n" + "1\n" * 11 + "next\n", "quanti-1822", "--seed", "3")
    assert status == 0
    assert out.count("the deal is not over") == 2
    word = re.findall(r"^q2\S+$", out, re.M)[-1]
    assert from_short(word, compile_reference("quanti-1822")).setup.deal == 1


def test_without_what_solves_deals_the_review_says_so(typed, monkeypatch):
    """No Numba: one sentence with what to install, and the game goes on."""
    pytest.importorskip("quadrille_plugins.solver.open_play")
    from quadrille_plugins.solver import open_play

    monkeypatch.setattr(open_play, "find_spec", lambda name: None)
    status, out, _ = typed("1\n" * 11 + "review\n", "quanti-1822", "--seed", "3")
    assert status == 0
    assert "Numba, which is not installed" in " ".join(out.split())


@pytest.mark.slow
@pytest.mark.parametrize("ref", RULES)
def test_what_a_decision_cost_is_what_another_would_have_kept(ref):
    """The costs of all decisions are zero for one who plays by them, and none is negative for one
    who does not; all seats at once are reviewed as each by itself."""
    pytest.importorskip("numba")
    from quadrille_plugins.dealing.review import review

    compiled = compile_reference(ref)
    game = go_on(new_game(compiled, seed=5, seat=0))
    while not game.deal.over:
        game = go_on(done(game, game.deal.legal()[-1]))
    found = review(compiled.ruleset, game.setup, game.actions, 0)
    assert all(d.cost >= 0 for d in found)
    assert all((d.cost == 0) == (d.best == d.done) for d in found)
    assert all(game.actions[d.number - 1] == d.done for d in found)
    seats = range(compiled.ruleset.rules.table.players)
    by_seat = [review(compiled.ruleset, game.setup, game.actions, seat) for seat in seats]
    every = review(compiled.ruleset, game.setup, game.actions, None)
    assert every == tuple(sorted((d for one in by_seat for d in one), key=lambda d: d.number))
    worst = max(found, key=lambda d: d.cost)
    assert worst.cost > 0
    better = go_on(replace(game, actions=(*game.actions[: worst.number - 1], worst.best)))
    while not better.deal.over:
        better = go_on(done(better, hint(better)[0]))
    again = {d.number: d for d in review(compiled.ruleset, better.setup, better.actions, 0)}
    assert again[worst.number].cost == 0
