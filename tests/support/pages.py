"""The pages as a test sees them: asked for in this process, and read as a browser reads them."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import html5lib
from quadrille_plugins.serve.table_access import Link
from quadrille_plugins.settle.payments import table_groups
from starlette.testclient import TestClient

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"
LINK = Link("0123456789abcdef" * 2, 8000)
SCRIPT = '<script src="/script.js" defer></script>'
NAMESPACE = "{http://www.w3.org/1999/xhtml}"
PIECES = """<script>alert(1)</script>|{{7*7}}|{% include '/etc/passwd' %}|../../../../etc/passwd|/etc/passwd|%00|-1|4
' OR 1=1 --|99999999999|1e9|9/2|1/0|true|null|[]|{}|&a|*a|!!python/object/apply:os.system [id]|none|quanti-1822
quanti-1822@parlett|house-000000000000|file:///etc/passwd|unit=fixed|codille=|solo|alliance|hearts
quanti-1822+nemo|quanti-1822+os|@|+|mediateur-1752@none|variants/quanti-1822.yaml|C:\\a.yaml"""
PIECES = [*re.split("[|\n]", PIECES), "\0", "\r\nset-cookie: a=b", "a" * 3000, "é\u202e"]
"""What a stranger may send in the place of anything."""


def assert_tells_nothing(text: str) -> None:
    """No traceback, no folder of this machine, nothing of a foreign file."""
    assert "Traceback" not in text
    assert str(Path(__file__).parents[2]) not in text
    assert str(Path.home()) + "/" not in text
    assert "root:x:" not in text


def client(app: Any, **headers: str) -> TestClient:
    """A browser that has no cookie yet."""
    return TestClient(
        app, base_url=ORIGIN, headers=headers, raise_server_exceptions=False, follow_redirects=False
    )


def tree(text: str) -> Any:
    """The page, which must be sound HTML."""
    parser = html5lib.HTMLParser(strict=False)
    found = parser.parse(text)
    assert parser.errors == [], [(where, code) for where, code, _ in parser.errors]
    return found


def elements(text: str, tag: str) -> list[Any]:
    return list(tree(text).iter(NAMESPACE + tag))


def words(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def tables(text: str) -> list[list[list[str]]]:
    """The cells of every table, the headings first; line breaks stay."""
    return [
        [
            ["".join(cell.itertext()) for cell in row if cell.tag.startswith(NAMESPACE + "t")]
            for row in t.iter(NAMESPACE + "tr")
        ]
        for t in elements(text, "table")
    ]


def payments_shown(
    paid: list[list[str]], rules: list[list[str]], players: Sequence[str], side: Sequence[str] = ()
) -> list[tuple[str, ...]]:
    """From, to, reason, rule and source of each single payment in the table of payments and in that
    of their rules."""
    groups = {words: sorted(names) for names, words in table_groups(players, side).items()}

    def parties(cell: str, other: str) -> list[str]:
        if cell == "each other player":
            return [name for name in players if name != other]
        return groups.get(cell) or (
            re.split(", | and ", cell[:-5]) if cell.endswith(" each") else [cell]
        )

    cited: dict[str, tuple[str, str]] = {}
    for numbered, source in rules[1:]:
        number, _, rule = numbered.partition(" ")
        _, as_other, other = source.partition("as rule ")
        cited[number] = rule, cited[other][1] if as_other else source
    return sorted(
        (payer, payee, row[3], *cited[row[4]])
        for row in paid[1:]
        for payer in parties(row[0], row[1])
        for payee in parties(row[1], row[0])
    )


def payments_told(transfers: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """The same of payments as JSON gives them."""
    return sorted(
        tuple(t[key] for key in ("from", "to", "reason", "rule", "source")) for t in transfers
    )


def others_script(text: str) -> bool:
    """Whether a page holds a script besides our own file."""
    return "<script" in text.replace(SCRIPT, "").lower()


def word_of(text: str) -> str:
    """The word of the page's forms."""
    found = re.search(r'name="form_word" value="([0-9a-f]+)"', text)
    assert found, text
    return found[1]


def post(
    browser: TestClient, page: str, address: str, fields: Mapping[str, Any], **more: Any
) -> Any:
    """Open a page, and send a form of it with the fields."""
    word = word_of(browser.get(page).text)
    return browser.post(
        address, data={"form_word": word, **fields}, headers={"origin": ORIGIN}, **more
    )


def hidden(text: str, action: str) -> dict[str, list[str]]:
    """The hidden fields of the form that goes to that address."""
    form = next(f for f in elements(text, "form") if f.attrib["action"] == action)
    found: dict[str, list[str]] = {}
    for name, value in fields_hidden(form):
        found.setdefault(name, []).append(value)
    return found


def send(browser: TestClient, address: str, fields: Mapping[str, Any]) -> Any:
    """Send the fields of a form."""
    return browser.post(address, data=fields, headers={"origin": ORIGIN})


def record(browser: TestClient, deal: Mapping[str, str]) -> Any:
    """Fill in the next deal, look at it, and record it."""
    looked = browser.get("/next", params=deal)
    assert looked.status_code == 200, looked.text
    return send(browser, "/record", hidden(looked.text, "/record"))


def fields_hidden(form: Any) -> list[tuple[str, str]]:
    """The hidden fields of a form, in their order."""
    return [
        (e.attrib["name"], e.attrib["value"])
        for e in form.iter(NAMESPACE + "input")
        if e.attrib["type"] == "hidden"
    ]


def changing(phone: TestClient, what: str, **asked: str) -> dict[str, str]:
    """The hidden fields of one of the forms of the page *Change the evening*."""
    page = phone.get("/evening", params=asked).text
    forms = (dict(fields_hidden(form)) for form in elements(page, "form"))
    return next(f for f in forms if f.get("what") == what and "form_key" in f)


def form_of(result: dict) -> tuple[str, list[tuple[str, str]]]:
    """The address of the form for a result, and its fields as a browser sends them."""
    players = result["players"]
    sent = [(f"player{n}", name) for n, name in enumerate(players)]
    sent += [
        ("reading", f"{point}={reading}")
        for point, reading in (result.get("readings") or {}).items()
    ]
    for key, value in result.items():
        if key == "surrendered" and isinstance(value, list):
            fields = ("surrendered", *(f"surrendered.{n}" for n in range(2, len(value) + 1)))
            sent += [(f, str(players.index(p))) for f, p in zip(fields, value, strict=True)]
        elif key in ("hombre", "ally", "surrendered"):
            sent.append((key, str(players.index(value)) if value in players else value))
        elif key == "tricks":
            sent += [(f"tricks{players.index(name)}", str(made)) for name, made in value.items()]
        elif key == "premiers":
            sent += [("premiers", "yes")] if value else []
        elif key == "claims":
            sent += [("claims", item) for item in value]
        elif key == "incidents":
            for name, who in value.items():
                sent += [
                    (f"incident.{name}", str(players.index(p)))
                    for p in (who if isinstance(who, list) else [who])
                ]
        elif key == "facts":
            sent += [(f"facts.{n}", str(many)) for n, many in value.items() if type(many) is int]
            for name, counts in ((n, one) for n, one in value.items() if type(one) is not int):
                by_seat = [(str(n), counts.get(p, 0)) for n, p in enumerate(players)]
                sent += (
                    [(f"facts.{name}", seat) for seat, many in by_seat if many]
                    if name in ("first_trick", "last_trick")
                    else [(f"facts.{name}.{seat}", str(many)) for seat, many in by_seat]
                )
        elif key not in ("rules", "readings", "players"):
            sent.append((key, str(value)))
    if "ally" not in result:
        sent.append(("ally", "none"))  # a file may leave it out, and the form asks
    return f"/settle/{result['rules']}", sent
