"""The seal of a ledger: certifies every row up to its last transaction.

Each command leaves a row in ``standing``: the ``content`` digest of all rows of all other tables up
to then, and a ``hash`` of it and of the hash before.  Digests are taken column by column.

The seal shows that the file is as the program left it.  It is no signature: whoever rewrites rows
may seal them anew.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, Final

from quadrille_plugins.ledger.schema import SEALED, columns_of
from quadrille_plugins.ledger.store import Store, damaged

_FIRST: Final = "0" * 64
"""What stands for the hash before the first."""
_SEPARATOR: Final = "\x1f"
"""Between the values of a column; the ledger's texts hold no such character, and JSON escapes
it."""


class _Digests:
    """Digests of the rows taken up so far, by table and column."""

    def __init__(self) -> None:
        self._columns = {
            table: [hashlib.sha256() for _ in columns_of(table)[1:]] for table in SEALED
        }
        self._count = dict.fromkeys(SEALED, 0)

    def take_up(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        self._count[table] += len(rows)
        for row in rows:
            for digest, value in zip(self._columns[table], row[1:], strict=True):
                digest.update(f"{'' if value is None else value}{_SEPARATOR}".encode())

    def content(self) -> str:
        whole = hashlib.sha256()
        for table, count in self._count.items():
            if table == "event" and not count:  # a former version has no such table
                continue
            whole.update(f"{table} {count}\n".encode())
            for digest in self._columns[table]:
                whole.update(digest.digest())
        return whole.hexdigest()


def _content(store: Store) -> str:
    """The digest of every row."""
    digests = _Digests()
    for table in SEALED:
        digests.take_up(table, store.tuples(table))
    return digests.content()


def check(store: Store) -> str:
    """Follow the chain to its end and compare the rows with what its last link certifies; returns
    the hash of that.

    Raises UnreadableError (Q903) when a link does not follow from the one before it, or a row is
    not what was certified.
    """
    hash_, act, content = _FIRST, 0, ""
    for _, act, state, content, found in store.tuples("standing"):
        hash_ = _link(hash_, act, state, content)
        if hash_ != found:
            raise damaged(store.path, "standing-does-not-follow", act=act)
    if not act or act != store.last("act"):
        raise damaged(store.path, "standing-missing")
    if content != _content(store):
        raise damaged(store.path, "rows-not-certified")
    return hash_


def put(store: Store, act: int, before: str = _FIRST) -> None:
    """Certify all rows, those of ``act`` too, inside the transaction that wrote them."""
    content = _content(store)
    store.add("standing", act=act, state="", content=content, hash=_link(before, act, "", content))


def _link(before: str, act: int, state: str, content: str) -> str:
    return hashlib.sha256("\n".join((before, str(act), content, state)).encode()).hexdigest()


def check_history(store: Store) -> Iterator[str]:
    """Whether each standing certifies the rows there were then, in words; nothing when all do."""
    rows = {table: store.tuples(table) for table in SEALED}
    acts = {table: _acts(store, table) for table in SEALED}
    digests, read = _Digests(), dict.fromkeys(SEALED, 0)
    for _, act, _, content, _ in store.tuples("standing"):
        for table in SEALED:
            last = bisect_right(acts[table], act)
            digests.take_up(table, rows[table][read[table] : last])
            read[table] = last
        if digests.content() != content:
            yield f"the standing after command {act} does not certify the rows there were then"


def _acts(store: Store, table: str) -> list[int]:
    """By which act each row of a table came; rows stand in the order of the acts."""
    if table == "session":
        return [1]
    if table == "account":  # whoever is new gets an account with a chair; the first are nobody's
        first = {account: act for _, act, _, account, _ in reversed(store.tuples("sitting"))}
        return [first.get(row[0], 1) for row in store.tuples("account")]
    act = columns_of(table).index("id" if table == "act" else "act")
    return [row[act] for row in store.tuples(table)]
