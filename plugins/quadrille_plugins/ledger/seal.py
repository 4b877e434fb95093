"""The seal of a ledger: certifies every row up to its last transaction.

Each command leaves a row in ``standing``: the standing it ended with, the ``content`` digest of all
rows of all other tables up to then, and a ``hash`` of both and of the hash before.  Digests are
taken by columns, for SQLite joins a column's values much faster than Python reads rows, and they go
on: a command hashes only what it has added.

The seal shows that the file is as the program left it.  It is no signature: whoever rewrites rows
may seal them anew.
"""

import hashlib
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from quadrille_plugins.ledger.schema import SEALED, columns_of
from quadrille_plugins.ledger.store import SEPARATOR, Store, damaged

_FIRST: Final = "0" * 64
"""What stands for the hash before the first."""


class Seal:
    """Digests of the rows read so far, by table and column, and the chain of certified states."""

    def __init__(self) -> None:
        self._columns = {
            table: [hashlib.sha256() for _ in columns_of(table)[1:]] for table in SEALED
        }
        self._read = dict.fromkeys((*SEALED, "standing"), 0)
        self._hash = _FIRST
        self.state: str | None = None
        """The last standing, as the file has it; None before there is one."""

    def copy(self) -> "Seal":
        """An independent copy, so that a rolled-back transaction leaves this one unchanged."""
        other = Seal()
        other._columns = {
            table: [d.copy() for d in digests] for table, digests in self._columns.items()
        }
        other._read, other._hash, other.state = dict(self._read), self._hash, self.state
        return other

    def rows_read(self, table: str) -> int:
        """The number of the last row that the seal has taken up."""
        return self._read[table]

    def take_up(self, store: Store) -> None:
        """Hash the rows added since the seal was last brought up, without a look at the
        standings."""
        for table in SEALED:
            digests = self._columns[table]
            for chunk in store.columns(table, self._read[table]):
                for digest, values in zip(digests, chunk, strict=True):
                    digest.update(f"{values}{SEPARATOR}".encode())
            self._read[table] = store.last(table)

    def content(self) -> str:
        """The digest of every row taken up."""
        whole = hashlib.sha256()
        for table in SEALED:
            whole.update(f"{table} {self._read[table]}\n".encode())
            for digest in self._columns[table]:
                whole.update(digest.digest())
        return whole.hexdigest()

    def check(self, store: Store) -> None:
        """Follow the chain to its end and compare the rows with what its last link certifies.

        Raises UnreadableError (Q903) when a link does not follow from the one before it, or a row
        is not what was certified.  Rows and links checked before are not read again.
        """
        self.take_up(store)
        content = act = None
        for number, act, state, content, hash_ in store.tuples(
            "standing", "id > ?", self._read["standing"]
        ):
            if _link(self._hash, act, state, content) != hash_:
                raise damaged(
                    store.path,
                    f"the standing after command {act} does not follow from the one before it",
                )
            self._hash, self.state, self._read["standing"] = hash_, state, number
        if self.state is None or (act is not None and act != self._read["act"]):
            raise damaged(store.path, "the standing after its last command is missing")
        if content is not None and content != self.content():
            raise damaged(store.path, "its rows are not those that its last standing certifies")

    def put(self, store: Store, act: int, state: str) -> None:
        """Certify all rows, those of ``act`` too, inside the transaction that wrote them."""
        self.take_up(store)
        content = self.content()
        self._hash, self.state = _link(self._hash, act, state, content), state
        self._read["standing"] = store.add(
            "standing", act=act, state=state, content=content, hash=self._hash
        )


def _link(before: str, act: int, state: str, content: str) -> str:
    return hashlib.sha256("\n".join((before, str(act), content, state)).encode()).hexdigest()


def check_history(store: Store) -> Iterator[str]:
    """Whether each standing certifies the rows there were then, in words; nothing when all do."""
    bounds = {table: _last_by_act(store, table) for table in SEALED}
    columns = {table: [hashlib.sha256() for _ in columns_of(table)[1:]] for table in SEALED}
    rows = {table: store.tuples(table) for table in SEALED}
    read = dict.fromkeys(SEALED, 0)
    for _, act, _, content, _ in store.tuples("standing"):
        whole = hashlib.sha256()
        for table in SEALED:
            last = bounds[table][act]
            for row in rows[table][read[table] : last]:
                for digest, value in zip(columns[table], row[1:], strict=True):
                    digest.update(f"{'' if value is None else value}{SEPARATOR}".encode())
            read[table] = last
            whole.update(f"{table} {read[table]}\n".encode())
            for digest in columns[table]:
                whole.update(digest.digest())
        if whole.hexdigest() != content:
            yield f"the standing after command {act} does not certify the rows there were then"


def _last_by_act(store: Store, table: str) -> list[int]:
    """The number of the last row that a table had after each act, from act 0 on."""
    columns = columns_of(table)
    if table == "session":
        added = [(1, 1)]
    elif table == "account":  # whoever is new gets an account with a chair
        added = [(act, account) for _, act, _, account, _ in store.tuples("sitting")]
    else:
        act = columns.index("id" if table == "act" else "act")
        added = [(row[act], row[0]) for row in store.tuples(table)]
    last = [0] * (store.last("act") + 1)
    for act, number in added:
        last[act] = max(last[act], number)
    return list(accumulate(last, max))
