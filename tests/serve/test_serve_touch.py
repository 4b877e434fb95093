"""A deal on a phone, in Chromium: what stands in view without scrolling, how many taps a card takes,
and whole hands with and without a script."""

import os
from itertools import combinations
from urllib.parse import urlencode

import pytest
from quadrille_plugins.play.drawing import bid_said, suit_text
from quadrille_plugins.play.game import done, go_on, hint, new_game
from quadrille_plugins.play.short import short_form
from support.chromium import CHROMIUM, serving

from quadrille_core.cards import NO_TRUMP
from quadrille_core.ruleset import compile_reference

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None and not os.environ.get("NEEDS_CHROMIUM"),
        reason="there is no chromium here",
    ),
]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LEGAL = "#hand a.card:not(.refused)"


def kinds(game) -> set[str]:
    return {action.kind for action in game.deal.legal()}


def refused(game):
    """A card of the hand that may not be played."""
    may = {action.card for action in game.deal.legal()}
    return [c for c in game.deal.hands[game.seat] if c not in may]


def in_play(game) -> bool:
    return game.deal.phase == "play" and "play" in kinds(game)


def ended(game, won: bool) -> bool:
    """Whether the human is the Hombre, and has won the game or put in a beast."""
    of = game.settlement if game.deal.over else None
    return of is not None and game.deal.hombre == game.seat and (of.outcome == "won") == won


STATES = {
    "bidding": ("mediateur-1752", lambda g: g.deal.phase == "auction"),
    "favourite suit": (
        "mediateur-1752",
        lambda g: any(a.bid and a.bid.favourite for a in g.deal.legal()),
    ),
    "call": ("mediateur-1752", lambda g: "call" in kinds(g)),
    "exchange": ("mediateur-1752", lambda g: "give" in kinds(g)),
    "trumps": ("mediateur-1752", lambda g: "trump" in kinds(g)),
    "first lead": ("quanti-1822", lambda g: in_play(g) and not g.deal.tricks and not g.deal.trick),
    "mid trick": ("quanti-1822", lambda g: in_play(g) and not g.deal.tricks and g.deal.trick),
    "trick taken, to lead": (
        "mediateur-1752",
        lambda g: in_play(g) and g.deal.tricks and not g.deal.trick,
    ),
    "trick taken, to follow": (
        "mediateur-1752",
        lambda g: in_play(g) and g.deal.tricks and g.deal.trick,
    ),
    "refused card": ("mediateur-1752", lambda g: in_play(g) and g.deal.tricks and refused(g)),
    "vole?": ("mediateur-1752", lambda g: kinds(g) & {"claim", "vole", "yes"} and not in_play(g)),
    "end with a win": ("mediateur-1752", lambda g: ended(g, won=True)),
    "end with a beast": ("mediateur-1752", lambda g: ended(g, won=False)),
    "Hombre on the right": (
        "quanti-1822",
        lambda g: in_play(g) and g.deal.tricks and g.deal.hombre == (g.seat + 1) % 4,
    ),
    "five, Hombre on the left": (
        "quintille",
        lambda g: in_play(g) and g.deal.tricks and g.deal.hombre == (g.seat + 4) % 5,
    ),
    "five bidding": ("quintille", lambda g: g.deal.phase == "auction"),
    "five players": ("quintille", lambda g: in_play(g) and g.deal.tricks and g.deal.trick),
}


def found(ref: str, wanted):
    """The first position that fits: bots play, and in every other deal the human bids once a game
    with an exchange or alone."""
    compiled = compile_reference(ref)
    for seed in range(3, 30):
        game, spoken = go_on(new_game(compiled, seed=seed, seat=seed % 3)), False
        while not wanted(game):
            if game.deal.over:
                break
            action = hint(game)[0]
            high = [a for a in game.deal.legal() if str(a) in ("bid mediateur", "bid solo")]
            if high and not spoken and seed % 2:
                action, spoken = high[0], True
            game = go_on(done(game, action))
        else:
            return game
    raise AssertionError("no such position")


@pytest.fixture(scope="module")
def desk(wheel):
    """The address of a desk, served by the wheel."""
    process, address = serving(wheel)
    yield address
    process.kill()
    process.communicate()


def boxes(page, selector: str) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of each such element that is shown, in pixels of the screen."""
    return page.evaluate(
        """selector => [...document.querySelectorAll(selector)]
            .filter(one => one.checkVisibility({ opacityProperty: true }))
            .map(one => one.getBoundingClientRect())
            .map(b => [b.left, b.top, b.right, b.bottom])""",
        selector,
    )


def in_view(page, *selectors: str) -> None:
    """Each is on the screen, whole, without scrolling."""
    assert page.evaluate("window.scrollY") == 0
    for selector in selectors:
        shown = boxes(page, selector)
        assert shown, selector
        for left, top, right, bottom in shown:
            assert 0 <= left <= right <= 390, (selector, left, right)
            assert 0 <= top <= bottom <= 844, (selector, top, bottom)


def apart(first, second) -> bool:
    """Whether two boxes do not lie on each other; a border of four pixels may."""
    return (
        first[2] - 4 <= second[0]
        or second[2] - 4 <= first[0]
        or first[3] - 4 <= second[1]
        or second[3] - 4 <= first[1]
    )


def whose_side(page) -> list[float]:
    """Of each card of the trick that is shown, above zero where it lies on its player's side of the
    table's middle."""
    return page.evaluate(
        """() => [...document.querySelectorAll('ul.trick li')]
            .filter(one => one.checkVisibility({ opacityProperty: true }))
            .map(one => {
                const middle = document.querySelector('.seats').getBoundingClientRect();
                const [a, b] = [one, document.querySelector(`.seats .${one.classList[0]}`)]
                    .map(e => e.getBoundingClientRect())
                    .map(e => [e.left + e.right - middle.left - middle.right,
                               e.top + e.bottom - middle.top - middle.bottom]);
                return a[0] * b[0] + a[1] * b[1];
            })"""
    )


@pytest.mark.parametrize("state", STATES)
def test_turn_trumps_contract_and_last_trick_are_in_view(state, desk, chromium):
    """In each state, without scrolling; nothing lies on a seat or on another card, each card is on
    its player's side of the table, and axe finds nothing, light or dark."""
    from axe_playwright_python.sync_playwright import Axe

    ref, wanted = STATES[state]
    game = found(ref, wanted)
    deal, asked = game.deal, {"game": short_form(game)}
    page = chromium.new_context(bypass_csp=True, **PHONE).new_page()
    page.goto(f"{desk}/play/{ref}?{urlencode(asked)}")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    if state == "refused card":
        page.locator("#hand a.refused").last.tap()
        page.get_by_role("alert").wait_for()
        in_view(page, "[role=alert]", "[role=alert] strong")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        wrong = Axe().run(page).response["violations"]
        assert [(v["id"], v["nodes"][0]["html"]) for v in wrong] == []
    in_view(page, "dl.state", "dl.state dd")
    said = page.inner_text("dl.state")
    assert "Turn\nYou: " in said or deal.over
    if deal.trump is not None:
        assert (suit_text(deal.trump) if deal.trump < NO_TRUMP else "none") in said
    if deal.contract is not None:
        assert f"{bid_said(deal.rules, deal.contract)} by {deal.setup.players[deal.hombre]}" in said
    if deal.tricks:
        in_view(page, ".last summary")
    if deal.over:
        in_view(page, "#paid", "svg.paid", ".largest")
        return
    in_view(page, ".seats li", ".seats .turn", "#hand li")
    assert not boxes(page, "input:not([type=hidden])")  # nothing to type
    for _ in range(2 if deal.tricks and deal.trick else 1):
        cards = boxes(page, "ul.trick li")
        whole = page.locator(".last[open]").count()
        assert len(cards) == len(deal.hands if whole else deal.trick)
        assert all(apart(one, other) for one, other in combinations(cards, 2))
        for seat in boxes(page, ".seats li, .seats strong, .seats span:not(.unseen)"):
            assert all(apart(seat, card) for card in [*cards, *boxes(page, ".mark")])
        assert all(way > 0 for way in whose_side(page))
        if whole:
            page.locator(".last summary").tap(position={"x": 100, "y": 10})
            page.locator(".last:not([open])").wait_for()
            in_view(page, ".last summary")


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("ref", ["mediateur-1752", "quintille"])
def test_a_whole_hand_by_touch_takes_at_most_two_taps_a_card(ref, script, desk, chromium):
    """One looks at the trick that was taken, where the next has begun, the other plays; a bid takes
    the game and the way; the deal ends with who pays whom."""
    page = chromium.new_context(java_script_enabled=script, **PHONE).new_page()
    page.goto(f"{desk}/play/{ref}?seed=3&seat=1")
    taps = []
    while not page.locator("#paid").count():
        before, n = page.url, 0
        if page.locator(".last[open]").count():
            page.locator(".felt").tap(position={"x": 180, "y": 120})
            page.locator(".last:not([open])").wait_for()
            n += 1
        games = page.locator("details.offer > summary")
        if games.count() and not taps:
            games.nth(1).tap()
            n += 1
            page.locator(".offer[open] > a").nth(1).tap()
        else:
            page.locator(f"{LEGAL}, .choose > a").first.tap()
        n += 1
        page.wait_for_url(lambda url, before=before: url != before)
        if script:
            page.wait_for_function("!busy")
        assert not page.evaluate("window.scrollY")
        taps.append(n)
        assert len(taps) < 40
    assert max(taps) <= 2
    assert sum(n == 2 for n in taps) > 2
    assert page.locator("svg.paid").count() == 1


def test_a_trick_that_was_put_away_stays_away_and_comes_back_when_tapped(desk, chromium):
    """A hint leaves it so; its line below the table shows it again, and so does the key G."""
    ref, wanted = STATES["trick taken, to follow"]
    page = chromium.new_context(**PHONE).new_page()
    page.goto(f"{desk}/play/{ref}?{urlencode({'game': short_form(found(ref, wanted))})}")
    page.locator(".felt").tap(position={"x": 180, "y": 120})
    page.locator(".last:not([open])").wait_for()
    page.get_by_role("link", name="Hint").tap()
    page.locator("#advice").wait_for()
    in_view(page, "#advice", ".advised")
    assert not page.locator(".last[open]").count()
    page.locator(".last summary").tap()
    page.locator(".last[open]").wait_for()
    page.locator(LEGAL).first.focus()
    for still in (":not([open])", "[open]"):
        page.keyboard.press("g")
        page.locator(".last" + still).wait_for()


SAID = {
    200: ("<p class='strong'>Move 3 cost most.</p>", "Move 3 cost most. "),
    400: (
        "<ul class='problems'><li><strong>no solver</strong></li></ul>",
        "What decisions cost is not known here: no solver. ",
    ),
    503: ("<p class='strong'>Busy.</p>", ""),
}


@pytest.mark.parametrize("status", SAID)
def test_the_dearest_decision_is_asked_for_once_the_deal_is_over(status, desk, chromium):
    """The page says what the page of the review says first, or why none is priced; where that
    fails, the link stays."""
    (body, told), (ref, wanted) = SAID[status], STATES["end with a beast"]
    page = chromium.new_context(**PHONE).new_page()
    answer = {"content_type": "text/html", "body": f"<main>{body}</main>", "status": status}
    page.route("**/review?*", lambda route: route.fulfill(**answer))
    with page.expect_response("**/review?*"):
        page.goto(f"{desk}/play/{ref}?{urlencode({'game': short_form(found(ref, wanted))})}")
    link = "What did each decision cost?"
    page.get_by_text(told + link, exact=True).wait_for()
    assert page.get_by_role("link", name=link).is_visible()
