"""The servers that answer for one model: they share the load, and one that is down or busy is spared for a while."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from sim.errors import RunStopped

SPARED = 30.0  # seconds that a server which could not be reached is left out, while another is there
FEWER = 4  # a server that turns requests away gets a quarter of what it had at once, and slowly more again

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Server:
    """One address."""

    url: str
    """As messages show it."""
    client: Any
    """The openai package's client for it."""
    most: float
    """Requests that it gets at once."""
    in_flight: int = 0
    down_until: float = 0.0
    not_before: float = 0.0
    """When it asked to be left alone until."""
    eased: float = 0.0
    """When it last got fewer at once."""


class Servers:
    """Lends out the server with the least in flight; safe to use from several threads."""

    def __init__(
        self, servers: Sequence[Server], concurrency: int, pause: Callable[[float], None] | None = None
    ) -> None:
        self.all = tuple(servers)
        self._concurrency = concurrency
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._wait = pause or self._closing.wait
        self._warned: set[tuple[str, str]] = set()

    @contextmanager
    def lend(self) -> Iterator[Server]:
        """Lend a server; wait while all are busy, and raise RunStopped if the client was closed meanwhile."""
        with self._changed:
            while (server := self._free(time.monotonic())) is None:
                self._changed.wait(self._until_one_may(time.monotonic()))
            server.in_flight += 1
        try:
            yield server
        finally:
            with self._changed:
                server.in_flight -= 1
                self._changed.notify()

    def _free(self, now: float) -> Server | None:
        self.check()
        if sum(server.in_flight for server in self.all) >= self._concurrency:
            return None
        up = [server for server in self.all if server.down_until <= now] or self.all
        ready = [server for server in up if server.not_before <= now and server.in_flight < max(1, int(server.most))]
        return min(ready, key=lambda server: server.in_flight, default=None)  # of equals the first named

    def _until_one_may(self, now: float) -> float:
        """Return seconds after which to look again, if nothing tells us before."""
        waits = [server.not_before - now for server in self.all if server.not_before > now]
        return max(0.001, min(waits, default=1.0))

    def check(self) -> None:
        """Raise RunStopped if the client is closed."""
        if self._closing.is_set():
            raise RunStopped("the model's client was closed: go on with --resume")

    def leave_out(self, server: Server) -> None:
        """Leave *server* out for a while."""
        with self._changed:
            server.down_until = time.monotonic() + SPARED

    def slow_down(self, server: Server, wait: float | None, words: str) -> None:
        """Give *server* fewer requests at once, and none for *wait* seconds; tell the user once what would suit it."""
        with self._changed:
            now = time.monotonic()
            server.not_before = max(server.not_before, now + (wait or 0.0))
            if now - server.eased > 0.2:  # those that were sent together are turned away together: that is one sign
                server.eased, server.most = now, max(1.0, (server.in_flight + 1) / FEWER)
        told = "turns requests away (%s): fewer are sent at once; --concurrency sets the most, now %s"
        self.tell_once(server, told, words, self._concurrency)

    def tell_once(self, server: Server, told: str, *values: Any) -> None:
        """Tell the user something about *server*, unless it was told before."""
        with self._changed:
            if (server.url, told) in self._warned:
                return
            self._warned.add((server.url, told))
        _log.warning("%s " + told, server.url, *values)

    def speed_up(self, server: Server) -> None:
        """Give *server* a little more at once again, now that it has answered."""
        if server.most < self._concurrency or server.down_until:
            with self._changed:
                server.most, server.down_until = min(float(self._concurrency), server.most + 1 / server.most), 0.0
                self._changed.notify()

    def pause(self, seconds: float) -> None:
        """Wait; raise RunStopped if the client was closed meanwhile."""
        self._wait(seconds)
        self.check()

    def close(self) -> None:
        """Wake all who wait, with `RunStopped`."""
        self._closing.set()
        with self._changed:
            self._changed.notify_all()
