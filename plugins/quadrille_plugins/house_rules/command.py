"""``quadrille new``: a file of house rules, by options or by questions."""

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

import click

from quadrille_core import resources, vocabulary
from quadrille_core.errors import Option, UsageError
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.naming import bid_named, folded
from quadrille_core.rules import PayItem
from quadrille_core.ruleset import Compiled
from quadrille_core.ruleset.reference import is_path
from quadrille_plugins.check.problems import problems_of
from quadrille_plugins.house_rules.asking import (
    Asking,
    Change,
    bids_of,
    checked,
    compiled_with,
    left_out,
    lost_items,
    lost_pays,
    note_unplayed,
    put,
    vole_payment,
)
from quadrille_plugins.house_rules.drafting import Draft, identifier, text_of
from quadrille_plugins.house_rules.transcription import Transcription, transcription
from quadrille_plugins.house_rules.warnings import equal_losses
from quadrille_plugins.house_rules.witness_draft import witness_text
from quadrille_plugins.shell.answer import Answer
from quadrille_plugins.shell.options import (
    A_PATH,
    can_ask,
    compile_all,
    parse_value,
    refuse_in_python,
    run_mode,
)
from quadrille_plugins.shell.wrapping import filled
from quadrille_plugins.shell.writing import claim, write_whole

_ITEMS: Final[tuple[str, ...]] = get_args(PayItem)
"""What a lost game may pay besides the pool."""


@click.command("new")
@click.argument("file", type=A_PATH, required=False)
@click.option(
    "--from",
    "ref",
    metavar="REF",
    help=f"The rules to start from.  [default: {resources.examples()[0]}]",
)
@click.option("--title", metavar="TEXT", help="What the table calls its rules.")
@click.option(
    "--players",
    type=click.IntRange(2, 8),
    help="How many play; refused where REF seats another number.",
)
@click.option(
    "--premium",
    "premiums",
    multiple=True,
    metavar="BID=N",
    help="What each adversary pays for a game won, in units, in place of what REF has; may be "
    "repeated.",
)
@click.option(
    "--vole", metavar="N", help="What each pays for a vole, or gets for one missed, in units."
)
@click.option(
    "--unit",
    metavar="N",
    help="Counters in a unit, always; else as the rules have it (stakes.unit_of).",
)
@click.option(
    "--lost-pays",
    multiple=True,
    metavar="ITEM",
    help="What Hombre's side pays each adversary for a lost game: premium …, or nothing; may be "
    "repeated.",
)
@click.option(
    "--codille-pays", metavar="TIMES", help="How many times over a codille pays this; 2: twice."
)
@click.option(
    "--without", multiple=True, metavar="BID", help="A bid that is not played; may be repeated."
)
@click.option(
    "--with", "plugins", multiple=True, metavar="PLUGIN", help="A mechanic to add; may be repeated."
)
@click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="PATH=VALUE",
    help="Any other rule, such as auction.all_pass=redeal.",
)
@click.option(
    "--reading",
    "readings",
    multiple=True,
    metavar="POINT=READING",
    help="A reading; may be repeated.",
)
@click.option(
    "--all", "everything", is_flag=True, help="Offer every rule, not only those that tables vary."
)
@click.option(
    "--ask", "asked", is_flag=True, help="Ask, as on a terminal where no option is given."
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option(
    "--plugin",
    "scaffold_of",
    metavar="NAME",
    help="Write the files of a plugin of rules, to start from.",
)
@click.option(
    "--bid",
    is_flag=True,
    help="With --plugin: a bid of its own, and the payments that a bid needs.",
)
@click.option(
    "--payment", is_flag=True, help="With --plugin --bid: a leaf and a payment of its own as well."
)
@click.option(
    "--bot",
    is_flag=True,
    help="With --plugin: a bot instead, played by both engines, and the test that they agree.",
)
@click.option(
    "--witness", is_flag=True, help="Write the file of a text that answers the points of REF."
)
@click.option(
    "--text",
    type=A_PATH,
    help="With --witness: its numbered sentences, a plain text or TEI.",
)
@click.option(
    "--measure",
    metavar="BID",
    help="Write what hands make at a bid of REF, by playing it: a file that its plugin ships, and "
    "players bid by.",
)
@click.option(
    "--deals",
    type=click.IntRange(150, 10_000_000),
    help="With --measure: the number of deals.  [default: 6000]",
)
@click.option("--seed", type=click.IntRange(0), help="With --measure: the seed.  [default: 0]")
def new_command(
    file: Path | None,
    scaffold_of: str | None,
    bid: bool,
    payment: bool,
    bot: bool,
    witness: bool,
    text: Path | None,
    measure: str | None,
    deals: int | None,
    seed: int | None,
    **given: Any,
) -> Any:
    """Write a commented FILE of house rules that start from REF and pass `quadrille check`.

    On a terminal, without options, it asks; with --witness alone, for the author, title, date,
    copy and licence of the text.  --ask asks with other options too.

    With --plugin NAME, write the files of a plugin of rules into FILE, a folder, by default
    quadrille-NAME: its module, its tests, what pip needs.  It has a leaf of its own and a payment;
    with --bid, a bid called NAME and its rows in the tables of payments instead; with --bid
    --payment, all of them.  With --bot it is a bot for --players, and changes no rules.

    With --measure BID, play that bid of REF, and write how often each number of tricks is made.
    """
    if scaffold_of is not None:
        from quadrille_plugins.house_rules.plugin_command import write_bot, write_plugin

        if bot:
            return run_mode(write_bot, "--plugin", "--bot")
        return run_mode(write_plugin, "--plugin")
    if bid or payment or bot:
        raise UsageError.of("no-plugin-to-write")
    if file is None:
        raise UsageError.of("no-file-named")
    if measure is not None:
        from quadrille_plugins.house_rules.measuring import write_measured

        return run_mode(write_measured, "--measure")
    if deals is not None or seed is not None:
        raise UsageError.of("nothing-to-measure")
    if witness:
        return run_mode(write_witness, "--witness")
    if text is not None:
        raise UsageError.of("text-of-no-witness")
    return write_house_rules(file, **given)


_ASKED: Final = {
    "title": "Title of the text",
    "author": "Author",
    "year": "Year, the first of a range",
    "until": "Last year of the range",
    "publisher": "Publisher",
    "publisher_place": "Place of publication",
    "language": "Language, such as en or fr",
    "edition": "Edition or impression",
    "copy": "Copy: library and shelfmark",
    "images": "Where images of it are",
    "licence": "Licence of the copy",
}
"""The bibliographical head of a text, as it is asked for; an empty answer leaves it open."""


def write_witness(
    file: Path, ref: str | None, title: str | None, text: Path | None, asked: bool, force: bool
) -> Answer:
    """Write the file of a text, with its sentences and every point that it may answer."""
    _refuse_file(file, force)
    if asked:
        refuse_in_python("asks its user with --ask")
    asked = asked or (not any((ref, title, text, force)) and can_ask())
    compiled = compile_all([ref or resources.examples()[0]], [], [])[0]
    read = transcription(text) if text is not None else Transcription([])
    left = [f"{what}: {number}" for what, number in read.left_out.items()]
    for note in [*(["left out: " + ", ".join(left)] if left else []), *read.notes]:
        click.echo("\n".join(filled(f"note: {note}")), err=True)
    name = identifier(file.stem, compiled.identity.profile)
    known = {"title": file.stem, **read.head, **({"title": title} if title else {})}
    head = _asked_head(known) if asked else known
    head["title"] = _title(head["title"])
    profile = compiled.identity.profile
    of = os.path.relpath(profile, file.parent) if is_path(profile) else profile
    written = witness_text(compiled, of, name, head, read)
    claim(file, "FILE")
    write_whole(file, written)
    shown = shlex.quote(str(file))
    tries = (f"check {shown}", f"explain {profile}@{shown} {compiled.points[0].point.id}")
    said = "\n".join(
        [f"wrote {file}; answer its points, and try", *(f"  quadrille {t}" for t in tries)]
    )
    return Answer.of_text(said, {"file": str(file), "of": of, "sentences": len(read.sentences)})


def _asked_head(known: Mapping[str, str]) -> dict[str, str]:
    """The head of a text, asked for key by key; what is known already is proposed."""
    found: dict[str, str] = {}
    for key, question in _ASKED.items():
        if key == "until" and not found["year"]:
            found[key] = ""
            continue
        read: Callable[[str], str] = _title if key == "title" else _printable
        if key in ("year", "until"):
            read = partial(_year, since=found.get("year") or "1400")
        found[key] = put(question, read, known.get(key, ""))
    return {key: said for key, said in found.items() if said}


def _printable(text: str) -> str:
    return _title(text) if text else ""


def _year(text: str, since: str) -> str:
    """A year that is not before another, or none."""
    if text and not (text.isdecimal() and int(since) <= int(text) <= 2200):
        raise UsageError.of("no-year", text=text[:40], since=since)
    return text


def _refuse_file(file: Path, force: bool) -> None:
    """Raise UsageError for a file that is no YAML by its name, or is there already."""
    if file.suffix not in (".yaml", ".yml"):
        raise UsageError.of(
            "does-not-end-in-yaml", file=file, text=file.parent / f"{file.stem}.yaml"
        )
    if file.exists() and not force:
        raise UsageError.of("file-exists", file=file)


def write_house_rules(
    file: Path, ref: str | None, title: str | None, asked: bool, force: bool, **given: Any
) -> Answer:
    """Write a file of house rules, by options or by questions."""
    _refuse_file(file, force)
    nothing = ref is None and title is None and not any(given.values()) and not force
    if asked:
        refuse_in_python("asks its user with --ask")
    asked = asked or (nothing and can_ask())
    if asked and ref is None:
        ref = put("Start from (profile, with @witness)", _compilable, resources.examples()[0])
    ref = ref or resources.examples()[0]
    compiled = compile_all([ref], given["readings"], [])[0]
    if compiled.identity.witness_files:
        raise UsageError.of("house-rules-of-a-text", profile=compiled.identity.profile)
    if any(
        Path(doc.name).exists() and file.exists() and Path(doc.name).samefile(file)
        for doc in compiled.chain
    ):
        raise UsageError.of("file-of-those-rules", file=file, ref=ref)
    seats = compiled.game.rules.table.players if compiled.kind == TRICKS else None
    if given["players"] not in (None, seats):
        raise UsageError.of("rules-for-other-players", ref=ref, text=seats or 1)
    usual = f"House rules after {compiled.identity.profile}"
    if asked and title is None:
        title = put("Title", _title, usual)
    plugins = list(given["plugins"])
    _refuse_contradiction(compiled, plugins, given["without"])
    known = Change(_settings(compiled, given), plugins)
    # what cannot go together is told before anything is asked or written
    compiled_with(compiled, given["readings"], known)
    settings = dict(known.settings)
    if asked and compiled.kind == TRICKS:
        answered = Asking(
            compiled, given["readings"], known, _ITEMS, is_vole_known=given["vole"] is not None
        ).run()
        settings |= answered.settings
        plugins += [p for p in answered.plugins if p not in plugins]
    draft = Draft(
        compiled,
        identifier(file.stem, compiled.identity.profile),
        _title(title or usual),
        settings,
        plugins,
        given["everything"],
    )
    claim(file, "FILE")
    write_whole(file, text_of(draft))
    if (warning := equal_losses(compile_all([str(file.resolve())], [], [])[0])) is not None:
        click.echo("\n".join(filled(f"warning: {warning}")), err=True)
    for note in problems_of(file)[2]:
        if "cannot act" in note and "of its parents" not in note:
            click.echo("\n".join(filled(note)), err=True)
    name, parent = shlex.quote(str(file)), shlex.quote(ref)
    tries = (
        f"check {name}",
        f"diff {parent} {name}",
        f"rulebook {name}",
        *(("serve --table evening.ledger",) if compiled.kind == TRICKS else ()),
    )
    said = "\n".join([f"wrote {file}; try", *(f"  quadrille {line}" for line in tries)])
    return Answer.of_text(said, {"file": str(file), "from": ref})


def _refuse_contradiction(
    compiled: Compiled, plugins: Sequence[str], without: Sequence[str]
) -> None:
    """Raise UsageError where one option adds a bid that another leaves out."""
    mine = set(bids_of(compiled))
    for bid in map(folded, without):
        for plugin in plugins:
            name = plugin.partition(":")[0]
            if bid in mine and bid != folded(name):
                continue
            brought = {bid}
            if bid != folded(name):
                more = compile_all([f"{compiled.identity.reference}+{plugin}"], [], [])[0]
                brought = {*map(folded, bids_of(more))} - mine
            if bid in brought:
                added, out = Option("with", plugin[:40]), Option("without", bid[:40])
                data: dict[str, Any] = {"plugin": added, "bid": bid[:40], "without": out}
                raise UsageError.of("plugin-and-without", **data)


def _settings(compiled: Compiled, given: Mapping[str, Any]) -> dict[str, Any]:
    """The rules that options set, by path; raises UsageError for a bid or a rule that is none."""
    found: dict[str, Any] = {}
    rules = compiled.game.rules
    for text in given["premiums"]:
        bid, equals, value = text.partition("=")
        if not equals:
            raise UsageError.of("premium-malformed", option=Option("premium", f"{text[:40]!r}"))
        found[f"payments.premium.{bid_named(bid, rules, begins=True)}"] = parse_value(value)
    if given["lost_pays"]:
        found |= lost_pays(lost_items(",".join(given["lost_pays"]), _ITEMS))
    if given["codille_pays"] is not None:
        found["loss.codille_items_times"] = checked(
            "loss.codille_items_times", given["codille_pays"]
        )
    if given["unit"] is not None:
        found |= {
            "stakes.unit_of": "constant",
            "stakes.unit": checked("stakes.unit", given["unit"]),
        }
    if given["vole"] is not None:
        found |= vole_payment(compiled, given["vole"])
    for word in given["without"]:
        bid = bid_named(word, rules, begins=True)
        note_unplayed(compiled, bid)
        found |= left_out(compiled, bid)
    for text in given["sets"]:
        path, equals, value = text.partition("=")
        if not equals or vocabulary.pattern_of(path.strip()) is None:
            hint = vocabulary.suggest(path, compiled.origins, compiled.kind)
            option = Option("set", f"{text[:60]!r}")
            raise UsageError.of("set-names-no-rule", hint, option=option)
        if found.setdefault(path.strip(), parse_value(value)) != parse_value(value):
            raise UsageError.of("rule-given-two-values", what=path.strip(), option=Option("set"))
    return found


def _compilable(text: str) -> str:
    compile_all([text], [], [])
    return text


def _title(text: str) -> str:
    if not text.strip() or len(text) > 200 or not text.isprintable():
        raise UsageError.of("bad-title")
    return text.strip()
