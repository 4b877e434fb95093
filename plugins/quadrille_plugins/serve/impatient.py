"""A connection whose request has to come in time: who only holds connections open does not shut
others out."""

import asyncio
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

FIRST_LINES_SECONDS: Final = 10.0
"""How long the first lines of a request may take to come, from the first byte or from the
connection."""


class Impatient(H11Protocol):
    """HTTP as uvicorn speaks it; uvicorn itself waits without end for a request that does not come
    or is not whole."""

    _waits: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Go on waiting, unless a request has come."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._waits is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waits = self.loop.call_later(FIRST_LINES_SECONDS, self.timeout_keep_alive_handler)

    def _stop(self) -> None:
        if self._waits is not None:
            self._waits.cancel()
            self._waits = None
