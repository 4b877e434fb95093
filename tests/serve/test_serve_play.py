"""Playing by pages: whole hands without a script, refused cards, permalinks, and what cannot be
read."""

import json
import random
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from quadrille_plugins.deal.judging import refused
from quadrille_plugins.play.game import Game, done, go_on, hint, new_game
from quadrille_plugins.play.short import from_short, short_form
from quadrille_plugins.serve.named import shipped
from quadrille_plugins.serve.play_bids import offers, paid
from quadrille_plugins.serve.play_end import ending
from quadrille_plugins.serve.play_table import table_of
from quadrille_plugins.settle.result_file import result_to_plain
from quadrille_plugins.shell.values import amount, with_signs
from support.pages import (
    NAMESPACE,
    ORIGIN,
    PIECES,
    assert_tells_nothing,
    elements,
    others_script,
    post,
    tree,
    word_of,
    words,
)

from quadrille_core.cards import Suit, format_card, format_cards, format_suit
from quadrille_core.engine.actions import BidSpec
from quadrille_core.engine.ranking import trick_winner
from quadrille_core.engine.result import POOL
from quadrille_core.engine.table import Deal
from quadrille_core.plugin_rules import PaymentRow, PluginRules
from quadrille_core.ruleset import compile_reference

HOUSE = "kind: profile\nid: ours\ntitle: Ours\nextends: quanti-1822\nrules:\n  stakes: {ante: 2}\n"
HANDS = [
    ("quanti-1822", "bid alliance", 2),
    pytest.param("mediateur-1752", "bid mediateur+favourite", 4, marks=pytest.mark.slow),
    pytest.param("mediateur-1752", "bid nemo", 1, marks=pytest.mark.slow),
    pytest.param("quintille", "bid solo", 1, marks=pytest.mark.slow),
    pytest.param("house", "bid alliance", 2, marks=pytest.mark.slow),
]
SEED = "?seed=3&seat=1"


def follow(browser, address):
    """The page at the end of the redirects, and its address."""
    answer = browser.get(address)
    while answer.status_code == 303:
        address = answer.headers["location"]
        answer = browser.get(address)
    return address, answer


def word_in(address: str) -> str:
    return parse_qs(urlsplit(address).query)["game"][0]


def links(text: str) -> dict[str, str]:
    """What can be done on a page, and the address that does it."""
    found = {}
    for a in elements(text, "a"):
        asked = parse_qs(urlsplit(a.attrib["href"]).query)
        if "do" in asked and "refused" not in a.attrib.get("class", ""):
            found[asked["do"][0]] = a.attrib["href"]
    return found


def refusals(text: str) -> dict[str, str]:
    """Each card that a page marks as refused, and the reason that it gives."""
    found = {}
    for a in elements(text, "a"):
        if "refused" in a.attrib.get("class", ""):
            card = parse_qs(urlsplit(a.attrib["href"]).query)["do"][0].removeprefix("play ")
            found[card] = a.attrib["aria-label"].partition("refused: ")[2]
    return found


@pytest.mark.parametrize(("ref", "bid", "seed"), HANDS)
def test_a_whole_hand_by_links_is_refused_and_settled_as_by_the_commands(
    ref, bid, seed, browser, quadrille, write
):
    """Each page marks the cards that `legal` refuses, with its reasons, and ends with the JSON of
    `settle`."""
    named = ref
    if ref == "house":
        ref = (
            post(browser, "/house", "/house", {"text": HOUSE})
            .headers["location"]
            .removeprefix("/rules/")
        )
        named = write(HOUSE, "ours.yaml")
    compiled = compile_reference(named)
    address, answer = follow(browser, f"/play/{ref}?seed={seed}&seat=1")
    asked = 0
    while "Who pays whom" not in answer.text:
        assert answer.status_code == 200, answer.text
        game = from_short(word_in(address), compiled)
        deal = game.deal
        may = links(answer.text)
        assert {str(a) for a in deal.legal()} == set(may)
        no = refusals(answer.text)
        if deal.phase == "play" and len(no):
            line = [
                "--hand",
                format_cards(deal.hands[game.seat]),
                "--trick",
                format_cards(deal.trick),
            ]
            _, out, _ = quadrille(
                "play", named, *line, "--trump", format_suit(deal.trump), "--format", "json"
            )
            cards = json.loads(out)["cards"]
            assert no == {c["card"]: with_signs(c["reason"]) for c in cards if not c["legal"]}
            asked += 1
        address, answer = follow(browser, may.get(bid, may.get(str(hint(game)[0]))))
    assert asked
    game = from_short(word_in(address), compiled)
    assert (game.deal.hombre, str(game.deal.contract)) == (0, bid.removeprefix("bid "))
    plain = result_to_plain(game.deal.result(), named, {})
    _, out, _ = quadrille("settle", write(plain), "--format", "json")
    expected, given = json.loads(out), browser.get(f"{address}&format=json").json()
    if ref != named:  # a file is called by its path there, and by its digest here
        assert given["rules"]["digest"] == expected["rules"]["digest"]
        del given["rules"], expected["rules"]
    assert given == expected
    record = browser.get(f"{address}&format=record").json()
    if ref == named:
        assert quadrille("deal", "--replay", write(record, "deal.json"))[0] == 0


def test_a_refused_card_says_which_rule_and_which_passage(browser):
    """Chosen or typed, it is refused with the reason, and nothing is played."""
    compiled = compile_reference("quanti-1822")
    game = go_on(new_game(compiled, seed=3, seat=0))
    while not refused(game.compiled, game.deal) or game.deal.phase != "play":
        game = go_on(done(game, hint(game)[0]))
    ruling = refused(game.compiled, game.deal)[0]
    page = f"/play/quanti-1822?game={short_form(game)}"
    for typed in (str(ruling.action), str(ruling.action).split()[1]):
        answer = browser.get(page, params={"game": short_form(game), "do": typed})
        assert answer.status_code == 422
        told = words(
            next(e for e in elements(answer.text, "section") if e.attrib.get("role") == "alert")
        )
        assert with_signs(ruling.reason) in told
        assert ruling.source in told
    answer = browser.get(page, params={"game": short_form(game), "do": "nonsense"})
    assert (answer.status_code, "Q801" in answer.text) == (422, True)


def test_undo_and_the_list_of_moves_lead_to_earlier_addresses(browser):
    """Undoing is the address before, and each move has an address of its own."""
    first, answer = follow(browser, f"/play/quanti-1822{SEED}")
    second, answer = follow(browser, links(answer.text)["pass"])
    assert follow(browser, f"{second}&undo=last")[0] == first
    compiled = compile_reference("quanti-1822")
    game = from_short(word_in(second), compiled)
    moved = [e.attrib["href"] for e in elements(answer.text, "a") if "&at=" in e.attrib["href"]]
    assert len(moved) == len(game.actions) + 1
    for href in moved:
        address, page = follow(browser, href)
        at = int(parse_qs(urlsplit(href).query)["at"][0])
        assert from_short(word_in(address), compiled).actions == game.actions[:at]
        assert page.status_code == 200
    address, page = follow(browser, f"{second}&at=2")
    assert follow(browser, f"{address}&on=yes")[0] == second
    assert browser.get(f"{first}&undo=last").status_code == 422


def test_the_hint_is_told_on_request_alone(browser):
    """Without asking there is none; asked, it is what the bot of the seat would do."""
    address, answer = follow(browser, f"/play/quanti-1822{SEED}")
    assert 'role="status"' not in answer.text
    game = from_short(word_in(address), compile_reference("quanti-1822"))
    told = next(
        e
        for e in elements(browser.get(f"{address}&hint=yes").text, "p")
        if e.attrib.get("role") == "status"
    )
    assert words(told).lower().startswith(with_signs(str(hint(game)[0])))


def test_a_page_shows_no_card_that_the_seat_has_not_seen(browser):
    """The address holds all hands, and says so; what is shown of cards is the seat's own and what
    was played."""
    compiled = compile_reference("quanti-1822")
    game = go_on(new_game(compiled, seed=3, seat=0))
    for _ in range(4):
        game = go_on(done(game, hint(game)[0]))
    text = browser.get(f"/play/quanti-1822?game={short_form(game)}").text
    seen = {e.attrib["src"][7:9] for e in elements(text, "img")}
    played = {c for t in game.deal.tricks for c in t.cards} | set(game.deal.trick)
    assert seen <= set(format_cards([*game.deal.hands[0], *played]).split())
    assert "reveals all hands" in text


def test_the_next_deal_carries_the_session_on(browser):
    """Pool, balances and seats of the next page are those of `next_deal`."""
    compiled = compile_reference("quanti-1822")
    game = played_out(go_on(new_game(compiled, seed=3, seat=1)))
    address, answer = follow(browser, f"/play/quanti-1822?game={short_form(game)}&next=deal")
    after = from_short(word_in(address), compiled)
    assert (after.setup.deal, after.seat, after.setup.players) == (1, 0, ("B", "C", "D", "A"))
    assert sum(after.balances) + after.setup.pool == 0
    assert answer.status_code == 200


PAID = {
    # the pool of four or five, and what the adversaries pay; lost by one trick, a remise
    ("quanti-1822", "bid alliance"): (2, -4),
    ("quanti-1822", "bid solo"): (4 + 3 * 4, -4 - 3 * 4),
    ("mediateur-1752", "bid mediateur"): (4 + 3 - 1, -4 - 3 + 1),
    ("mediateur-1752", "bid solo"): (4 + 3 * 2, -4 - 3 * 2),
    ("mediateur-1752", "bid solo+favourite"): (4 + 3 * 4, -4 - 3 * 4),
    ("mediateur-1752", "bid nemo"): (4 + 3 * 16, -4 - 3 * 16),
    ("quintille", "bid solo"): (5, -5),
}


@pytest.mark.parametrize(("ref", "bid"), PAID)
def test_a_bid_says_what_it_pays_just_won_and_just_lost(ref, bid, browser):
    """Reckoned by hand from the tariffs; the page says it beside the bid."""
    game = new_game(compile_reference(ref), seed=3)
    ways = [way for one in offers(game, game.deal.legal()) for way in one.ways]
    way = next(way for way in ways if str(way.action) == bid)
    assert (way.won, way.lost) == PAID[ref, bid]
    page = browser.get(f"/play/{ref}?game={short_form(game)}").text
    link = next(a for a in elements(page, "a") if f"&do={quote(bid)}" in a.attrib["href"])
    told = f"won {amount(way.won, sign=True)}, lost {amount(way.lost, sign=True)}"
    assert told in words(link)


def test_every_bid_of_every_rule_set_is_offered_once_and_reckoned():
    """In the order of the actions, under each shipped rule set; what wins pays more than what
    loses."""
    for one in shipped():
        if one.tricks:
            game = new_game(compile_reference(one.id), seed=3)
            bids = [a for a in game.deal.legal() if a.kind in ("bid", "name")]
            ways = [way for offer in offers(game, bids) for way in offer.ways]
            assert sorted(map(str, bids)) == sorted(str(way.action) for way in ways), one.id
            assert all(way.won > way.lost for way in ways), one.id


def test_what_a_bid_pays_is_left_out_where_it_hangs_on_what_is_played():
    """With a payment for each king taken, nothing is promised beforehand."""
    rules = compile_reference("quanti-1822").ruleset.rules
    row = PaymentRow(
        reason="kings",
        amount="club.kings",
        payer="adversaries",
        payee="hombre",
        per="hombre.kings_taken",
    )
    own = PluginRules((("club.kings", Fraction(1)),), (("club.payments", (row,)),))
    stakes = ("ABCD", Fraction(4), None, 1, 0)
    assert paid(rules, stakes, 0, BidSpec("solo"), Suit(0)) == (16, -16)
    assert paid(replace(rules, own=own), stakes, 0, BidSpec("solo"), Suit(0)) == (None, None)


def tricks(text: str) -> list[list[tuple[str, str, bool, bool]]]:
    """The tricks on a page, the current before the last: of each card its side of the table, its
    name, whether it led, whether it is the best."""
    return [
        [
            (
                li.attrib["class"].split()[0],
                next(li.iter(NAMESPACE + "img")).attrib["src"][7:9],
                " led" in words(li),
                "best" in li.attrib["class"].split(),
            )
            for li in one
        ]
        for one in elements(text, "ul")
        if one.attrib.get("class") == "trick"
    ]


@pytest.mark.parametrize(("ref", "seat"), [("quanti-1822", 1), ("quintille", 3)])
def test_cards_lie_where_their_players_sit_and_a_trick_stays_until_looked_at(ref, seat, browser):
    """Over a whole hand: on which side, who led, which wins, by the engine; the trick just taken
    lies open, and not once the player has done something else."""
    compiled = compile_reference(ref)
    game, seen = go_on(new_game(compiled, seed=3, seat=seat)), 0
    while not game.deal.over:
        text = browser.get(f"/play/{ref}?game={short_form(game)}").text
        deal = game.deal
        n = len(deal.hands)
        wanted = [(deal.leader, deal.trick)] if deal.trick else []
        wanted += [(t.leader, t.cards) for t in deal.tricks[-1:]]
        assert tricks(text) == [
            [
                (
                    f"s{(leader + place - seat) % n}",
                    format_card(card),
                    place == 0,
                    place == trick_winner(deal.rules.cards, cards, deal.trump),
                )
                for place, card in enumerate(cards)
            ]
            for leader, cards in wanted
        ]
        last = [e for e in elements(text, "details") if e.attrib.get("class") == "last"]
        assert ["open" in e.attrib for e in last] == ([True] if deal.tricks else [])
        seen += len(last)
        game = go_on(done(game, hint(game)[0]))
    assert seen > 3


def test_a_trick_looked_at_stays_away_once_something_else_was_done(browser):
    """Asked for the vole after the trick, and having answered, the player has seen it."""
    compiled = compile_reference("mediateur-1752")
    for seed in range(40):
        game = go_on(new_game(compiled, seed=seed, seat=0))
        while not game.deal.over:
            vole = next((a for a in game.deal.legal() if a.kind == "vole"), None)
            if vole is not None and game.deal.tricks:
                assert table_of(game)["last"]["fresh"]
                assert not table_of(go_on(done(game, vole)))["last"]["fresh"]
                return
            game = go_on(done(game, hint(game)[0]))
    raise AssertionError("nobody was asked")


def test_who_gives_a_card_is_told_for_which_and_to_whom(browser):
    """It goes to whoever had the called card, by the hands as they were dealt."""
    game = go_on(new_game(compile_reference("mediateur-1752"), seed=6))
    while (legal := game.deal.legal())[0].kind != "give":
        bids = [a for a in legal if a.kind == "bid" and a.bid.bid == "mediateur"]
        game = go_on(done(game, (bids or legal)[0]))
    ((seat, call),) = ((seat, a) for seat, a in game.deal.actions if a.kind == "call")
    (holder,) = (s for s, hand in enumerate(game.setup.hands) if call.card in hand)
    text = browser.get(f"/play/mediateur-1752?game={short_form(game)}").text
    told = next(words(e) for e in elements(text, "p") if e.attrib.get("class") == "since")
    wanted = {game.setup.players[holder], with_signs(format_card(call.card))}
    assert wanted <= {*told.rstrip(".").split()}
    assert seat == game.seat


@pytest.mark.parametrize("ref", [one.id for one in shipped() if one.tricks])
def test_the_arrows_of_the_end_come_to_what_the_deal_is_settled_at(ref):
    """What each player's arrows bring and take is their net, no two players pay each other, and no
    two texts lie on each other."""
    compiled, drawn = compile_reference(ref), 0
    for seed in range(8):
        game = played_out(go_on(new_game(compiled, seed=seed, seat=seed % 4)))
        if game.settlement is None:
            continue
        end = ending(game)
        found = end["arrows"]
        moved = (
            ((t.target == POOL) - (t.source == POOL)) * t.amount for t in game.settlement.transfers
        )
        assert end["pool"] == game.setup.pool + sum(moved)
        texts = [(a.x, a.y) for a in found] + [tuple(t[1:3]) for t in (*end["pots"], *end["seats"])]
        for one, other in combinations(texts, 2):
            assert abs(one[0] - other[0]) > 18 or abs(one[1] - other[1]) > 14, (seed, texts)
        for name, net in zip(game.setup.players, game.settlement.net, strict=True):
            comes = sum(a.much for a in found if a.payee == name)
            assert comes - sum(a.much for a in found if a.payer == name) == net
        assert len({frozenset((a.payer, a.payee)) for a in found}) == len(found)
        assert all(a.much > 0 for a in found)
        drawn += len(found)
    assert drawn > 8


ENDS = {
    "premiers.claim": ("quanti-1822", {}, "premiers.claim", ""),
    "play.claim_won": ("hoyle-improved", {}, "play.claim_won", ""),
    "bids.*.ends_when_lost": (
        "mediateur-1752",
        {"nemo_end": "at_the_first_trick"},
        "bids.nemo.ends_when_lost",
        "bid nemo",
    ),
}


@pytest.mark.parametrize("leaf", ENDS)
def test_a_play_that_ended_early_names_the_rule_without_which_it_would_not_have(leaf, browser):
    """The page of the end links it; by the same rules without it the actions end no deal."""
    ref, readings, path, bid = ENDS[leaf]
    compiled = compile_reference(ref, readings=readings)
    for seed in range(40):
        game = go_on(new_game(compiled, seed=seed))
        if bid in map(str, game.deal.legal()):
            game = go_on(done(game, next(a for a in game.deal.legal() if str(a) == bid)))
        game = played_out(game)
        if game.settlement is not None and ending(game)["ended"] == leaf:
            break
    assert len(game.deal.tricks) < game.deal.rules.table.hand_cards
    asked = {"reading": [f"{k}={v}" for k, v in readings.items()], "game": short_form(game)}
    text = browser.get(f"/play/{ref}?{urlencode(asked, doseq=True)}").text
    assert f"The play ended after {len(game.deal.tricks)} of 10 tricks" in words(tree(text))
    to = next(a.attrib["href"] for a in elements(text, "a") if "".join(a.itertext()) == "the rule")
    assert (to, browser.get(to).status_code) == (f"/explain/{quote(leaf)}", 200)
    without = Deal(compile_reference(ref, settings={path: False}).ruleset, game.setup)
    for action in game.actions[:-1]:
        without.apply(action)
    if game.actions[-1] in without.legal():
        without.apply(game.actions[-1])
    assert not without.over


@pytest.mark.parametrize(("unit", "told"), [("1", "4 × 4"), ("1/4", "")])
def test_the_largest_payments_stand_beside_the_picture_with_their_reason_and_units(unit, told):
    """Largest first, all who pay counted; a solo by a unit of the whole stake says so."""
    settings = {"stakes.unit_of": "stake", "stakes.unit": unit}
    compiled = compile_reference("quanti-1822", settings=settings)
    game = played_out(go_on(new_game(compiled, seed=0)))
    found = ending(game)["largest"]
    much = [(Fraction(row[2]), row[3]) for row in found]
    paid = Counter()
    for t in game.settlement.transfers:
        paid[t.amount, t.reason] += t.amount
    assert [paid[key] for key in much] == sorted(paid.values(), reverse=True)[:3]
    assert found[0][3:] == ("solo premium", told)


def played_out(game: Game) -> Game:
    while not game.deal.over:
        game = go_on(done(game, hint(game)[0]))
    return game


@pytest.mark.parametrize(
    "changed", ["q2.quanti-1822.AAAAAAAAAAAA", "q9.a.AAAAAAAAAA", "nonsense", "A" * 3000]
)
def test_a_word_that_was_changed_is_refused(browser, changed):
    """The page says that it is not whole, with a code; nothing is shown of a game."""
    for page in ("/play", "/play/quanti-1822", "/play/quanti-1822/review"):
        answer = browser.get(page, params={"game": changed})
        assert answer.status_code == 400, answer.text
        assert "Q2" in answer.text or "Q7" in answer.text


def test_a_game_under_unknown_rules_asks_for_their_file(browser, write):
    """Its page has a form for the file; the same file sent there goes on with the game, another one
    does not."""
    text = HOUSE.replace("ante: 2", "ante: 3")
    game = go_on(new_game(compile_reference(write(text, "ours.yaml")), seed=1))
    answer = browser.get("/play", params={"game": short_form(game)})
    assert answer.status_code == 404
    assert "digest" in answer.text
    form = next(e for e in elements(answer.text, "form"))
    hidden = {
        e.attrib["name"]: e.attrib.get("value")
        for e in form.iter(NAMESPACE + "input")
        if "name" in e.attrib
    }
    assert hidden["game"] == short_form(game)
    sent = {"form_word": hidden["form_word"], "game": hidden["game"], "text": text}
    answer = browser.post("/house", data=sent, headers={"origin": ORIGIN})
    address, answer = follow(browser, answer.headers["location"])
    assert address.startswith("/play/house-")
    assert "Your hand" in answer.text
    wrong = browser.get("/play/quanti-1822", params={"game": short_form(game)})
    assert (wrong.status_code, "under rules with digest" in wrong.text) == (400, True)


def test_a_position_is_set_up_from_a_record(browser, quadrille):
    """The record of a deal, cut where it is to go on, becomes an address; what is no record is
    refused."""
    record = json.loads(quadrille("deal", "quanti-1822", "--seed", "5", "--format", "json")[1])
    record["actions"] = record["actions"][:6]
    answer = post(
        browser,
        "/play/quanti-1822",
        "/play/quanti-1822/position",
        {"record": json.dumps(record), "seat": "2"},
    )
    assert answer.status_code == 303, answer.text
    address, answer = follow(browser, answer.headers["location"])
    game = from_short(word_in(address), compile_reference("quanti-1822"))
    assert [f"{game.setup.players[s]} {a}" for s, a in game.deal.actions] == record["actions"]
    assert game.seat == 1
    for text in ("", "a: &a 1", "[]", "kind: deal\nhands: 3\n"):
        answer = post(
            browser,
            "/play/quanti-1822",
            "/play/quanti-1822/position",
            {"record": text, "seat": "1"},
        )
        assert answer.status_code == 400, text


def test_the_faces_are_pictures_of_this_server(browser):
    """Forty cards, each an SVG that is kept by the browser; nothing else."""
    answer = browser.get("/cards/SA.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "ace of spades" in answer.text
    assert "max-age" in answer.headers["cache-control"]
    assert [browser.get(f"/cards/{n}.svg").status_code for n in ("S8", "sa", "S10", "-1")] == [
        404
    ] * 4


def test_a_seat_or_a_seed_that_is_none_is_said_beside_the_form(browser):
    for query in ("seed=-1", "seed=1e9", "seed=²&seat=1", "seat=9", "seed=99999999999999999999"):
        answer = browser.get(f"/play/quanti-1822?{query}")
        assert (answer.status_code, "Q802" in answer.text) == (422, True), query
    assert browser.get("/play/captive-queens").status_code == 400


STEPS = ["do", "at", "undo", "on", "next", "hint", "format", "reading", "seed", "seat", "game"]


def test_hostile_requests_with_a_right_word_reach_the_game_and_break_nothing(browser):
    """Whatever is asked of a game, there is no fault of the program and nothing of the machine."""
    rng = random.Random(4)
    game = go_on(new_game(compile_reference("quanti-1822"), seed=3))
    right = [short_form(game), short_form(played_out(game))]
    form_word = word_of(browser.get("/play/quanti-1822").text)
    for _ in range(150):
        fields = [
            ("game", rng.choice(right)),
            *((rng.choice(STEPS), rng.choice(PIECES)) for _ in range(2)),
        ]
        rng.shuffle(fields)
        name = rng.choice(
            ["quanti-1822"] * 5 + [quote(rng.choice(PIECES), safe="", errors="replace")]
        )
        if rng.random() < 0.2:
            sent = urlencode(
                [("form_word", form_word), ("record", rng.choice(PIECES)), *fields],
                errors="replace",
            )
            headers = {"origin": ORIGIN, "content-type": "application/x-www-form-urlencoded"}
            answer = browser.post(f"/play/{name}/position", content=sent, headers=headers)
        else:
            answer = browser.get(f"/play/{name}?{urlencode(fields, errors='replace')}")
        assert answer.status_code < 500, fields
        assert not others_script(answer.text)
        assert_tells_nothing(answer.text)


@pytest.mark.slow
def test_the_review_says_what_each_decision_cost(browser):
    """After a vole bid on a poor hand the review names that bid; the page says that all cards are
    open."""
    pytest.importorskip("numba")
    game = go_on(new_game(compile_reference("quanti-1822"), seed=5, seat=0))
    while not game.deal.over:
        game = go_on(done(game, game.deal.legal()[-1]))
    text = browser.get(f"/play/quanti-1822/review?game={short_form(game)}").text
    tree(text)
    assert "most of all move 1, Vole instead of" in text
    assert "with all cards open" in text
    assert re.search(r"sees them: a decision that cost much may have been right", text)


def test_where_nothing_solves_deals_the_review_is_a_page_that_says_so(browser, monkeypatch):
    """With status 400, the reason first among its problems: the script shows it at the deal's end."""
    open_play = pytest.importorskip("quadrille_plugins.solver.open_play")
    monkeypatch.setattr(open_play, "find_spec", lambda name: None)
    game = played_out(go_on(new_game(compile_reference("quanti-1822"), seed=3)))
    answer = browser.get("/play/quanti-1822/review", params={"game": short_form(game)})
    told = next(e for e in elements(answer.text, "ul") if e.attrib.get("class") == "problems")
    assert answer.status_code == 400
    assert [e.text for e in told.iter() if e.attrib.get("class") == "code"] == ["Q802"]
    assert (told[0][0].tag.endswith("strong"), words(told[0][0]) != "") == (True, True)
