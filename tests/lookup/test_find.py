"""Finding: any point, rule, bid or word by id or title, in four commands; one is answered, several
are listed."""

import json
import shlex

import pytest
from cost_points import deciding
from quadrille_plugins.lookup.find import all_points, find, shipped
from quadrille_plugins.lookup.glossary import glossary
from quadrille_plugins.lookup.witnessed import statements
from support.plugin import PREAMBLE, make_plugin, quadrille

from quadrille_core import resources
from quadrille_core.diagnostics import SHELL
from quadrille_core.profile import load_bibliography, load_file
from quadrille_core.ruleset import compile_reference
from quadrille_core.vocabulary import every_leaf

RULES = "quanti-1822"
NAMES = [
    ("codille_base", "point:codille_base"),
    ("CODILLE-BASE", "point:codille_base"),
    ("point:codille-base", "point:codille_base"),
    ("remise pay", "point:remise_pays"),
    ("term:matador", "term:matadors"),
    ("loss.remise-pays", "leaf:loss.remise_pays"),
    ("leaf:loss.remise_pays", "leaf:loss.remise_pays"),
    ("leaf:ante", "leaf:stakes.ante"),
    ("payments.premium.solo", "leaf:payments.premium.*"),
    ("bid:solo", "bid:solo"),
    ("Mediateur", "bid:mediateur"),
    ("forced spadille", "bid:forced-spadille"),
    ("term:Codille", "term:codille"),
    ("term:dimidiator", "term:médiateur"),
]


@pytest.mark.parametrize(("words", "name"), NAMES)
def test_an_id_names_its_thing_with_hyphen_or_underscore_in_any_letters(words, name):
    """What is typed as an id is that thing and no other."""
    found = find(words, compile_reference(RULES))
    assert found.one is not None
    assert found.one.name == name


@pytest.mark.parametrize("words", ["remise", "remises", "REMISE"])
def test_a_word_is_found_in_singular_and_plural_and_in_any_letters(words):
    """The same points, however the word is written."""
    points = {hit.id for hit in find(words, compile_reference(RULES)).of("point")}
    assert points == {"remise_pays", "codille_items"}


def test_all_words_must_be_there():
    """Two words find fewer things than one."""
    rules = compile_reference(RULES)
    both = {hit.name for hit in find("queen trumps", rules).hits}
    assert both < {hit.name for hit in find("queen", rules).hits}
    assert both


def test_without_a_rule_set_a_word_of_the_glossary_goes_first():
    """`vole` is a bid and a block of rules besides."""
    assert find("vole").one.name == "term:vole"
    assert find("bid:vole").one.name == "bid:vole"
    assert find("vole", compile_reference(RULES)).one.name == "bid:vole"


def test_codille_is_explained_and_what_it_touches_is_listed(quadrille):
    """The historian's first question, with one argument."""
    status, out, _ = quadrille("explain", "codille")
    assert status == 2
    assert out.startswith("codille: a game lost outright")
    assert "parlett, Penalties for a lost game" in out
    assert "codille touches 13 points and 12 rules:" in out
    assert "codille_base" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("command", ["matters", "apparatus", "explain"])
def test_several_are_listed_and_the_status_is_2(quadrille, command):
    """A line for each, led by the sentence that says how many there are."""
    status, out, _ = quadrille(command, RULES, "codille")
    assert status == 2
    assert out.startswith("codille touches 4 points")
    for point in ("codille_items", "codille_shared", "codille_indivisible", "codille_base"):
        assert f"\n  {point} " in out
    assert f"To name one: quadrille {command} {RULES} point:codille_" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("command", ["matters", "apparatus", "explain"])
def test_json_lists_them_too(quadrille, command):
    """The same hits as data, with the same status."""
    status, out, _ = quadrille(command, RULES, "codille", "--format", "json")
    data = json.loads(out)
    assert status == 2
    points = [hit["id"] for hit in data["hits"] if hit["kind"] == "point"]
    assert points == ["codille_items", "codille_shared", "codille_indivisible", "codille_base"]
    assert data["answer"].startswith("codille touches 4 points")
    assert data["rules"]["profile"] == RULES


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("doubled", "codille_base"),
        ("twice", "double_matadors"),
        ("payment", "allies_paid"),
        ("loses", "alliance_loss"),
        ("missed", "undertaken_vole_lost"),
    ],
)
def test_words_that_mean_the_same_find_each_other(words, wanted):
    """Forms and words that the glossary calls alike: who types "doubled" finds what a text has
    "twice"."""
    assert wanted in {hit.id for hit in find(words, compile_reference(RULES)).of("point")}


def test_of_several_words_all_must_be_there_and_the_manifest_names_the_point(quadrille, tmp_path):
    """A study that was asked for by words is run again by its manifest; what is in use and who has
    which is said."""
    study = tmp_path / "study.json"
    deals = ("--deals", "40", "--engine", "readable", "--workers", "1")
    status, out, _ = quadrille(
        "matters", RULES, "codille", "shared", *deals, "--manifest", str(study)
    )
    assert status == 0
    assert "\n  → always (parlett)\n    triple_stake (wikipedia)\n" in out
    assert json.loads(study.read_text("utf-8"))["parameters"]["other"] == "codille_shared"
    status, _, err = quadrille("rerun", str(study))
    assert status == 0, err
    status, out, _ = quadrille("matters", RULES, "codille", "twice")
    assert status == 2
    assert out.startswith("codille twice touches 2 points")


def test_the_command_that_a_list_proposes_works_as_typed(quadrille):
    """What stands after "To name one:" answers."""
    _, out, _ = quadrille("apparatus", RULES, "codille")
    proposed = out.rpartition("quadrille ")[2].split()
    status, out, _ = quadrille(*proposed)
    assert status == 0
    assert "codille_items: Are the items" in out


@pytest.mark.parametrize("args", [("codile",), (RULES, "codile")])
def test_a_word_that_names_nothing_is_told_what_was_meant(quadrille, args):
    """Did you mean, and status 2."""
    status, _, err = quadrille("explain", *args)
    assert status == 2
    assert "'codile' names no point, rule, bid or word" in err
    assert "did you mean codille" in err


def test_what_was_meant_can_be_found():
    """A word of a meaning that is looked for in vain is never proposed: every word that is names
    something."""
    words = {
        word
        for term in glossary().values()
        for word in term.means.casefold().split()
        if word.isalpha()
    }
    lead = "did you mean "
    help_given = {word: SHELL.hint(find(word).help) for word in words}
    proposed = {
        meant
        for text in help_given.values()
        if text.startswith(lead)
        for meant in text.removeprefix(lead).removesuffix("?").split(" or ")
    }
    assert proposed
    assert not [word for word in proposed if not find(word).hits]


def test_two_arguments_stay_rule_set_and_path(quadrille):
    """A path and a block are explained as ever."""
    assert quadrille("explain", RULES, "loss.remise_pays")[1].startswith(f"{RULES}#")
    out = json.loads(quadrille("explain", RULES, "payments", "--format", "json")[1])
    assert len(out["paths"]) > 20
    assert quadrille("explain", RULES, "loss.no_such")[2].startswith("Q605 there is no rule")


def test_a_misspelt_rule_set_is_said_to_be_one(quadrille):
    """And is not looked up as a word."""
    assert (
        "no profile is called 'quanti-1823'"
        in quadrille("explain", "quanti-1823", "loss.remise_pays")[2]
    )


def test_a_point_is_explained_with_what_its_texts_say(quadrille):
    """Beside the place of each reading stands what the text says there, in our words."""
    status, out, _ = quadrille("explain", "point:ante")
    assert status == 0
    assert "parlett, Deal, sentence 2: Or the dealer four." in out
    data = json.loads(quadrille("explain", "point:ante", "--format", "json")[1])
    says = data["profiles"]["quanti-1822"]["readings"]["dealer_four"]["says"]
    assert {"source": "parlett", "at": "Deal, sentence 2", "says": "Or the dealer four."} in says


def test_explain_shows_what_the_texts_say_of_each_alternative(quadrille):
    """In the history of a rule, too."""
    out = quadrille("explain", RULES, "stakes.ante_by")[1]
    assert "parlett, Deal, sentence 2: Or the dealer four." in out
    assert max(map(len, out.splitlines())) <= 80


def test_explain_says_what_the_value_in_force_means(quadrille):
    """The word in the rule set, in words."""
    assert (
        "below_knave: below the knave and above the deuce"
        in quadrille("explain", RULES, "cards.red_plain_ace")[1]
    )
    data = json.loads(quadrille("explain", RULES, "cards.red_plain_ace", "--format", "json")[1])
    assert data["paths"]["cards.red_plain_ace"]["means"] == "below the knave and above the deuce"


def test_the_apparatus_shows_what_the_texts_say(quadrille):
    """Beside the place, on the terminal and as JSON, and no line is longer than 80 columns."""
    status, out, _ = quadrille("apparatus", RULES, "ante")
    assert status == 0
    assert "parlett, Deal, sentence 2: Or the dealer four." in out
    assert "ponto" not in out
    whole = quadrille("apparatus", RULES)[1].partition("\nsources\n")[0]
    assert max(map(len, whole.splitlines())) <= 80
    data = json.loads(quadrille("apparatus", RULES, "ante", "--format", "json")[1])
    assert (
        data["points"]["ante"]["readings"]["dealer_four"]["says"][0]["says"]
        == "Or the dealer four."
    )


def test_the_option_for_points_takes_ids_with_hyphens(quadrille):
    """And says which point was meant by one that there is not: of rules and words it is not
    asked."""
    assert "\nred_plain_ace: " in quadrille("apparatus", RULES, "--point", "red-plain-ace")[1]
    assert (
        "did you mean red_plain_ace" in quadrille("apparatus", RULES, "--point", "red_plane_ace")[2]
    )
    status, _, err = quadrille("apparatus", RULES, "--point", "codile")
    assert (status, err[:4]) == (1, "Q401")
    assert "codille_base" in err


def test_grep_finds_what_a_note_or_a_passage_mentions(quadrille):
    """More than the titles: `jetton` stands in what a text says; a word that nobody uses is
    refused."""
    status, out, _ = quadrille("apparatus", RULES, "--grep", "remise")
    assert status == 0
    assert "\nremise_pays: " in out
    assert "\nbeast_series: " in out
    assert quadrille("apparatus", RULES, "--grep", "xyzzy")[0] == 2


def test_a_rule_or_bid_leads_to_the_points_that_decide_it(quadrille):
    """`apparatus` and `matters` are about points; a rule names those that set it."""
    assert (
        "remise_pays: What does a remise pay"
        in quadrille("apparatus", RULES, "leaf:loss.remise_pays")[1]
    )
    status, _, err = quadrille("apparatus", RULES, "leaf:table.players")
    assert status == 2
    assert "no point in dispute in quanti-1822 decides leaf:table.players" in err


def test_a_bid_is_explained_alone_and_in_a_rule_set(quadrille):
    """Where it is played, who brings it, and its rules."""
    status, out, _ = quadrille("explain", "bid:nemo")
    assert status == 0
    assert "mediateur-1752, brought by nemo" in out
    assert "payments.premium.nemo  16" in out
    rows = quadrille("explain", "mediateur-1752", "bid:nemo", "--format", "csv")[1].splitlines()
    assert rows[0] == "profile,path,value,source"
    assert len(rows) > 30


def test_a_bid_that_was_made_another_game_is_not_explained_by_its_name(quadrille):
    """What a solo is elsewhere stands beside it only while it is that."""
    for settings in ((), ("--set", "bids.solo.tricks=7")):
        head = quadrille("explain", RULES, "bid:solo", *settings)[1].splitlines()[0]
        assert (glossary()["solo"].means in head) is (not settings)


def test_every_word_of_the_glossary_cites_sections_that_there_are():
    """A period term names texts of the bibliography, and sections of them."""
    sources = load_bibliography(resources.bibliography(), validate=False)
    for term in glossary().values():
        for source, at in term.sources:
            assert source in sources
            sections = load_file(resources.variants() / "passages" / f"{source}.yaml").to_plain()[
                "sections"
            ]
            assert at in [section["at"] for section in sections], (term.name, source, at)
        assert term.field != "game" or term.sources, term.name


COSTS = {
    # what is paid when a game is lost outright, though no title says so; and what such a game has
    # nothing to do with
    "quanti-1822": (
        {"solo_premium", "pool_penalty", "alliance_loss", "unit"},
        {"ante", "remise_pays", "red_plain_ace"},
    ),
    "quintille": ({"alliance_loss"}, {"ante"}),
}


@pytest.mark.parametrize("profile", COSTS)
def test_what_a_codille_costs_is_found_by_settling_codilles(profile):
    """Points that change what is paid are found, whatever their words; those that change nothing
    are not."""
    found = set(deciding(compile_reference(profile), {"outcome": "codille"}))
    some, none = COSTS[profile]
    assert some <= found
    assert not none & found


def test_the_points_depend_on_the_rules_in_use():
    """Where the same amount is set by hand a reading can no longer change it, and its point decides
    nothing."""
    rules = compile_reference(
        RULES, settings={"loss.codille_pays": [], "loss.codille_pool": "adversaries"}
    )
    found = set(deciding(rules, {"outcome": "codille"}))
    assert "solo_premium" not in found
    assert "pool_penalty" in found


def test_a_point_shows_the_status_of_each_witness(quadrille):
    """Attested, inferred, silent or unseen, by witness; what no text has is called editorial."""
    out = quadrille("explain", "quanti-1822", "point:codille_items")[1]
    assert "    parlett inferred: once (Penalties for a lost game)\n" in out
    assert "    wikipedia attested: doubled (Hombre loses); certainty low\n" in out
    everything = [
        one for c in shipped().values() for p in all_points(c).values() for one in statements(p, c)
    ]
    assert {one.status for one in everything if one.is_filled} >= {"silent", "unseen"}
    assert {"attested", "inferred"} <= {one.status for one in everything if not one.is_filled}
    told = json.loads(
        quadrille("explain", "quanti-1822", "point:codille_items", "--format", "json")[1]
    )
    assert [one["status"] for one in told["profiles"]["quanti-1822"]["witnesses"]] == [
        "inferred",
        "inferred",
        "attested",
    ]
    assert "conjecture (editorial)" in quadrille("explain", "quanti-1822", "point:purse_empty")[1]
    assert " silent; filled: debt" in quadrille("explain", "quanti-1822", "point:purse_empty")[1]


@pytest.mark.parametrize("command", ["matters", "apparatus", "explain"])
def test_what_also_decides_the_cost_is_listed_apart(quadrille, command):
    """Below the points that have the word; on the terminal, as JSON and as CSV."""
    status, out, _ = quadrille(command, RULES, "codille")
    assert status == 2
    named, _, more = out.partition(" more points also decide what a codille costs:\n")
    assert "\n  solo_premium " in more
    assert "solo_premium" not in named
    assert max(map(len, out.splitlines())) <= 80
    (also,) = json.loads(quadrille(command, RULES, "codille", "--format", "json")[1])["also"]
    assert also["decide"] == "what a codille costs"
    assert "pool_penalty" in {point["id"] for point in also["points"]}
    assert ",what a codille costs" in quadrille(command, RULES, "codille", "--format", "csv")[1]


@pytest.mark.slow
def test_what_is_proposed_for_a_point_works_as_pasted(quadrille):
    """A command that is too long for the line is broken where a shell reads on."""
    broken = 0
    for point in sorted(
        {state.point.id for compiled in shipped().values() for state in compiled.points}
    ):
        status, out, _ = quadrille("explain", f"point:{point}")
        if status or "To see what it changes:\n" not in out:
            continue  # of several questions, one is named first
        text = out.rpartition("To see what it changes:\n")[2]
        assert max(map(len, text.splitlines())) <= 80
        broken += "\\\n" in text
        typed = [shlex.split(line) for line in text.replace("\\\n", " ").splitlines()]
        compare = typed[-1]
        assert compare[:2] == ["quadrille", "compare"]
        assert compare[4:] == ["--reading", compare[5]]
        ref, (number, _, reading) = compare[2], compare[5].partition(":")
        assert (number, compile_reference(ref, readings=dict([reading.split("=")])).kind) == (
            "2",
            shipped()[ref].kind,
        )
        assert [line[:2] for line in typed[:-1]] in ([["quadrille", "matters"]], [])
    assert broken > 10


def test_without_a_rule_set_too(quadrille):
    """`explain` and `apparatus` look through all rule sets; what `apparatus` proposes works as
    typed."""
    for command in ("explain", "apparatus"):
        status, out, _ = quadrille(command, "codille")
        assert status == 2
        assert (
            "\n  solo_premium " in out.partition("more points also decide what a codille costs:")[2]
        )
    assert quadrille(*out.rpartition("quadrille ")[2].split())[0] == 0
    assert "no profile is called 'quanti-1823'" in quadrille("apparatus", "quanti-1823")[2]


SEVEN = """
from quadrille_core.rules import Bid

@hookimpl
def quadrille_leaves():
    return [OwnLeaf(path="seven-alone.bonus", type="amount", doc="A bonus.", neutral=2)]

@hookimpl
def quadrille_bids(rules, parameters):
    return [NewBid(id="seven-alone", bid=Bid(title="Seven alone", rank=42, goal="at_least", tricks=7), reason="ours")]

@hookimpl
def quadrille_payments(rules, parameters):
    rows = [p for p in rules if p.startswith("payments.") and p.endswith(".solo")]
    return [Default(path=p.removesuffix("solo") + "seven-alone", value=rules[p], reason="ours") for p in rows]
"""


@pytest.mark.parametrize(
    "words", ["seven-alone", "bids.seven-alone", "seven alone", "bid:seven-alone", "Seven Alone"]
)
def test_a_bid_is_answered_however_it_is_typed(tmp_path, words):
    """A bid of a plugin that has rules of its own under the same name, too: the answer has bid,
    rows and rules."""
    make_plugin(tmp_path, "seven-alone", PREAMBLE + SEVEN)
    said = quadrille(
        "explain", "quanti-1822+seven-alone", words, path=tmp_path, cwd=tmp_path
    ).stdout
    assert "brought by seven-alone" in said
    assert all(
        p in said
        for p in ("bids.seven-alone.rank", "payments.premium.seven-alone", "seven-alone.bonus")
    )
    assert "bids.solo" not in said


@pytest.mark.parametrize("ref", [(), ("quanti-1822",)])
def test_words_that_name_a_plugin_that_is_not_asked_lead_to_it(tmp_path, ref):
    make_plugin(tmp_path, "seven-alone", PREAMBLE + SEVEN)
    done = quadrille("explain", *ref, "seven alone", path=tmp_path, cwd=tmp_path, check=False)
    assert done.returncode == 2
    proposed = "explain quanti-1822+seven-alone seven-alone"
    assert f"quadrille {proposed}" in done.stderr
    assert quadrille(*proposed.split(), path=tmp_path, cwd=tmp_path).stdout


@pytest.mark.parametrize("command", ["matters", "apparatus"])
def test_words_in_the_place_of_a_rule_set_are_looked_up_in_all_that_are_shipped(quadrille, command):
    """`matters` said that there was nothing to compare with."""
    status, out, _ = quadrille(command, "beast_amount")
    assert status == 2
    assert "How much is a beast, and does it wait?" in " ".join(out.split())
    status, _, err = quadrille(command, "quanti-1823")
    assert status == 1
    assert "no profile is called 'quanti-1823'" in err
    assert "did you mean quanti-1822?" in err


@pytest.mark.parametrize("words", ["beasts that wait", "the beasts which wait"])
def test_small_words_of_a_phrase_hide_nothing(quadrille, words):
    """A phrase is found by the words that name something."""
    status, out, _ = quadrille("explain", words)
    assert status in (0, 2)
    assert "beasts_wait" in out


def test_a_term_of_two_words_needs_no_quotes(quadrille):
    """The first word is no rule set."""
    assert quadrille("explain", "term:forced", "spadille")[1].startswith("forced spadille: ")
    status, _, err = quadrille("explain", "term:red", "ace")
    assert status == 2
    assert "Q802" in err
    assert "profile" not in err


def test_no_word_is_proposed_that_is_not_like_what_was_typed(quadrille):
    """`four` is no help to who types foobar."""
    assert "did you mean" not in quadrille("explain", "foobar")[2]
    assert "did you mean codille" in quadrille("explain", "codile")[2]


def test_a_search_of_the_apparatus_without_a_rule_set_says_what_to_type(quadrille):
    """With a code, and the search that was asked for."""
    status, _, err = quadrille("apparatus", "--grep", "the pool")
    assert status == 2
    assert err.startswith("Q802 no rule set is named\n")
    again = shlex.split(err.partition("help: quadrille ")[2])
    assert again[-2:] == ["--grep", "the pool"]
    assert quadrille(*again)[0] == 0


@pytest.mark.parametrize(
    "word",
    [
        "testimonium",
        "filled",
        "consolation",
        "demande",
        "contre",
        "devole",
        "common random numbers",
    ],
)
def test_words_that_answers_use_are_explained(quadrille, word):
    """Each has its entry."""
    status, out, _ = quadrille("explain", f"term:{word}")
    assert status == 0
    assert quadrille("explain", *word.split())[1].startswith(out.splitlines()[0])
    assert out.startswith(f"{word}: ")


def test_a_value_leads_to_the_rules_that_may_have_it(quadrille):
    """Each word of a fixed choice finds its rules, but where the word has a meaning of its own; one
    is answered."""
    for pattern, leaf in every_leaf().items():
        for value in leaf.choices():
            found = find(value)
            exact = [hit for hit in found.hits if value in (hit.id, *hit.names)]
            assert (
                exact
                or f"leaf:{pattern}" in {hit.name for hit in found.hits}
                or found.one.sort == "term"
            ), value
    assert find("redeal").one.name == "leaf:auction.all_pass"
    status, out, _ = quadrille("explain", "redeal")
    assert status == 0
    assert out.startswith("auction.all_pass: What follows when all pass?")
    assert "redeal      the cards are dealt anew" in out
    status, out, _ = quadrille("explain", "forced-bid")
    assert status == 2
    assert "auction.all_pass" in out
