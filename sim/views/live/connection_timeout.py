"""Connections of the live page: one on which no whole request comes within some seconds is closed."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

WAITS = 5.0  # seconds that a visitor has to send a request
_COMING = (h11.IDLE, h11.SEND_BODY)


class Connection(H11Protocol):
    """A connection that gives up its place where it is opened, or used again, and no request follows.

    Uvicorn's own time limit begins after an answer; who never asks would hold one of the few places for good.
    """

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Go on waiting while a request is not whole: single bytes do not put the end off."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._forget()

    def _watch(self) -> None:
        if self.conn.their_state not in _COMING:
            self._forget()
        elif self._limit is None:
            self._limit = self.loop.call_later(WAITS, self.transport.close)

    def _forget(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
