"""The rule sets that a page may name: those that are shipped, and files of house rules that were
sent to it."""

import hashlib
import json
import re
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlencode

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request

from quadrille_core import resources
from quadrille_core.errors import Problem, ProfileError, QuadrilleError, UsageError
from quadrille_core.features import installed, package_id
from quadrille_core.frozen import frozen
from quadrille_core.kinds import TRICKS
from quadrille_core.profile.document import parse_profile
from quadrille_core.profile.records import ProfileDoc
from quadrille_core.ruleset import Compiled, Reference, compile_chain, load_chain, parse_reference
from quadrille_core.ruleset.reference import is_path

PACKAGE: Final = "quadrille"
"""The id of what comes with this program (``features.package_id``)."""
MOST_KEPT: Final = 32
"""Files of house rules that are kept, the latest used; whoever wants an older one sends it
again."""
LONGEST_FILE: Final = 64 * 1024
MOST_READINGS: Final = 200
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9@+:=,_-]{0,200}")
_SENT: Final = re.compile(r"house-([0-9a-f]{12})")


class NoSuchRulesError(UsageError):
    """A page that names no rule set that this server has."""

    code = "Q306"


@frozen
class Listed:
    """A rule set in the list: its id, its title, whether it is a game of tricks, and what it is
    like, as far as its file says it."""

    id: str
    title: str
    tricks: bool
    about: str = ""


def shipped() -> list[Listed]:
    """The shipped rule sets that can be played, in alphabetical order of their ids; those with
    faults are left out."""
    found = []
    for name in resources.shipped_profiles():
        try:
            chain = load_chain(name)
        except QuadrilleError:
            continue
        if not (doc := chain[-1]).abstract:
            tricks = (chain[0].game or TRICKS) == TRICKS
            found.append(Listed(name, doc.title, tricks, _about(chain)))
    return found


def _about(chain: Sequence[ProfileDoc]) -> str:
    """How many play, and the first clause of what the file says of itself."""
    rules = {rule.path: rule.value for doc in chain for rule in doc.rules}
    clause = re.split(r"[.;](?:\s|$)", chain[-1].about, maxsplit=1)[0]
    return f"{rules['table.players']} players. {clause}" if "table.players" in rules else clause


def extending(profile: str) -> list[Listed]:
    """The shipped rule sets that take their rules over from this one."""
    return [one for one in shipped() if profile in (doc.id for doc in load_chain(one.id))]


def text_sent(form: FormData) -> bytes:
    """The file in a form, or its text pasted there; nothing where there is neither."""
    file, typed = form.get("file"), form.get("text")
    text = file.file.read() if isinstance(file, UploadFile) else b""
    return text or (typed.encode() if isinstance(typed, str) else b"")


class RuleSets:
    """Compiles what a page names, and keeps the files that were sent."""

    def __init__(self, plugins: Iterable[str] = ()) -> None:
        """None has been sent yet; pages may name these plugins besides those that are shipped."""
        self._others = frozenset(plugins)
        self._lock = threading.Lock()
        self._sent: OrderedDict[str, tuple[bytes, ProfileDoc]] = OrderedDict()
        self._compiled = lru_cache(MOST_KEPT)(self._made)

    def send(self, text: bytes) -> str:
        """Keep a file of house rules; returns the name by which pages call it.

        Raises ProfileError with every fault of the file, UsageError for one that is too long.
        """
        if len(text) > LONGEST_FILE:
            raise UsageError.of("house-rules-too-long", longest_file=LONGEST_FILE // 1024)
        doc = parse_profile(text, "your file")
        if doc.abstract:
            raise ProfileError.of("abstract-file", place=doc.place)
        _refuse_foreign(doc, self.plugins())
        name = f"house-{hashlib.sha256(text).hexdigest()[:12]}"
        _compile_sent(doc, Reference(name), {})  # its faults are shown to who sends it
        with self._lock:
            self._sent[name] = text, doc
            self._sent.move_to_end(name)
            while len(self._sent) > MOST_KEPT:
                self._sent.popitem(last=False)
        return name

    def sent(self) -> list[Listed]:
        """The files that are kept, the latest first."""
        with self._lock:
            return [
                Listed(name, doc.title, True) for name, (_, doc) in reversed(self._sent.items())
            ]

    def games(self, *, tricks: bool = True) -> list[Listed]:
        """The rule sets of games of tricks, or of others, those that were sent last."""
        return [one for one in [*shipped(), *self.sent()] if one.tricks == tricks]

    def named(self, request: Request) -> tuple[Compiled, dict[str, Any]]:
        """The rules that an address names, and what the pages about them show."""
        name = request.path_params["name"]
        readings = tuple(r for r in request.query_params.getlist("reading") if r)
        compiled = self.compile(name, readings)
        more = urlencode([("reading", r) for r in readings])
        return compiled, {
            "name": name,
            "profile": name.partition("@")[0],
            "readings": readings,
            "more": f"?{more}" if more else "",
            "title": compiled.title,
            "identity": compiled.identity,
            "witness": compiled.identity.witness,
            "witnesses": list(compiled.witnesses),
            "tricks": compiled.kind == TRICKS,
            "open_points": len(compiled.points),
        }

    def plugins(self) -> frozenset[str]:
        """The plugins that come with this program, and those that whoever started it lets it
        run."""
        shipped = {
            name
            for name, those in installed().items()
            if all(package_id(one) == PACKAGE for one in those)
        }
        return self._others | shipped

    def text_of(self, profile: str) -> str | None:
        """The text of a file that was sent and is kept."""
        kept = self._kept(profile)
        return kept and kept[0].decode("utf-8-sig")

    def doc_of(self, profile: str) -> ProfileDoc | None:
        """What a file states that was sent and is kept."""
        kept = self._kept(profile)
        return kept and kept[1]

    def _kept(self, profile: str) -> tuple[bytes, ProfileDoc] | None:
        with self._lock:
            if kept := self._sent.get(profile):
                self._sent.move_to_end(profile)
            return kept

    def compile(
        self,
        name: str,
        readings: tuple[str, ...] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> Compiled:
        """The rules of ``PROFILE[@WITNESS][+PLUGIN…]`` with readings, each ``POINT=READING``, and
        rules set by path.

        Raises NoSuchRulesError for a name that this server does not know, ProfileError as compiling
        does.
        """
        if _NAME.fullmatch(name) is None:
            raise NoSuchRulesError.of("names-no-rule-set", name=name)
        if len(readings) > MOST_READINGS:
            raise UsageError.of("too-many-readings-chosen")
        return self._compiled(name, tuple(sorted(set(readings))), json.dumps(settings or {}))

    def read(self, text: str) -> Compiled:
        """The rules of a file of house rules that is not kept; raises as ``send`` does."""
        doc = parse_profile(text.encode(), "your file")
        _refuse_foreign(doc, self.plugins())
        return _compile_sent(doc, Reference(doc.id), {})

    def _made(self, name: str, chosen: tuple[str, ...], settings: str) -> Compiled:
        reference, readings = parse_reference(name), _chosen(chosen)
        profile, ours = reference.profile, self.plugins()
        if foreign := [one.plugin for one in reference.added if one.plugin not in ours]:
            raise NoSuchRulesError.of(
                "plugin-not-ours", foreign=foreign[0], ours=", ".join(sorted(ours))
            )
        if _SENT.fullmatch(profile):
            if (kept := self._kept(profile)) is None:
                raise NoSuchRulesError.of("house-rules-gone")
            return _compile_sent(kept[1], reference, readings, json.loads(settings))
        if profile not in resources.shipped_profiles():
            raise NoSuchRulesError.of("no-shipped-rule-set", profile=profile)
        chain = load_chain(profile)
        return compile_chain(chain, reference, readings=readings, settings=json.loads(settings))


def _chosen(readings: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for text in readings:
        point, equals, reading = text.partition("=")
        if not equals or not point or not reading or len(text) > 200:
            raise UsageError.of("no-such-reading-chosen", text=text)
        found[point] = reading
    return found


def _compile_sent(
    doc: ProfileDoc,
    reference: Reference,
    readings: dict[str, str],
    settings: Mapping[str, Any] | None = None,
) -> Compiled:
    parents = load_chain(doc.extends) if doc.extends is not None else ()
    return compile_chain((*parents, doc), reference, readings=readings, settings=settings or {})


def _refuse_foreign(doc: ProfileDoc, ours: Collection[str]) -> None:
    """Raise ProfileError where a file that was sent reaches beyond what is shipped: files, or
    other plugins than these."""
    problems = []
    if doc.extends is not None and (
        is_path(doc.extends) or doc.extends not in resources.shipped_profiles()
    ):
        problems.append(Problem("Q301", "extends-what-is-not-shipped", place=doc.extends_place))
    for named in doc.plugins:
        if named.plugin not in ours:
            data = {"plugin": named.plugin, "ours": sorted(ours)}
            problems.append(Problem("Q501", "plugin-not-shipped", data, named.place))
    if problems:
        raise ProfileError(problems)
