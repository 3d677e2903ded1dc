"""The live page's server: a thread of its own that reads the run's folder and never asks the run for anything."""

import secrets
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from sim.errors import TownError
from sim.views.live.access import Access, open_access
from sim.views.live.log_follower import LogFollower

CONNECTIONS = 32  # at once; beyond them a visitor is asked to come again
AWAY = 3.0  # seconds after which a page that has not asked is taken to be closed
PARTING = 5.0  # seconds that pages have at most to take up the last of a run that is over


@dataclass(slots=True)
class _Watcher:
    """A page that is open somewhere."""

    asked: float
    knows_end: bool
    """Whether it knows that the run is over."""


class LivePage:
    """Serves the page of a run from `follow` on, until the ``with`` block ends; then pages take up the last of it."""

    def __init__(self, access: Access) -> None:
        import uvicorn

        from sim.views.live.connection_timeout import Connection
        from sim.views.live.routes import build_app

        self.access = access
        self._follower: LogFollower | None = None
        self._watchers: dict[str, _Watcher] = {}
        self._opened: float | None = None
        """When the page was last asked for by somebody who has not asked for news yet."""
        self._server = uvicorn.Server(
            uvicorn.Config(
                build_app(access, self.page, self.news, self.call), log_config=None, log_level="critical",
                access_log=False, lifespan="off", ws="none", http=Connection, loop="asyncio",
                server_header=False, proxy_headers=False,
                limit_concurrency=CONNECTIONS, timeout_graceful_shutdown=1,
            )
        )  # fmt: skip
        self._thread = threading.Thread(target=self._serve, name="live page", daemon=True)

    @property
    def address(self) -> str:
        """Where a browser finds the page."""
        return self.access.address

    def _serve(self) -> None:
        self._server.run(sockets=[self.access.listening])

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._follower is not None:
                with suppress(TownError):  # a damaged log is told of elsewhere
                    self._follower.finish()
                self._wait_for_pages()
        finally:
            self._server.should_exit = True
            self._thread.join(timeout=PARTING)
            self.access.listening.close()

    def _wait_for_pages(self) -> None:
        """Wait until every page that is open knows that the run is over."""
        latest = time.monotonic() + PARTING
        while (now := time.monotonic()) < latest:
            coming = self._opened is not None and now < self._opened + AWAY
            if not coming and all(one.knows_end or now > one.asked + AWAY for one in list(self._watchers.values())):
                return
            time.sleep(0.05)

    def follow(self, folder: Path) -> None:
        """Show the run in *folder* from now on.

        Raises:
            RunError: If its manifest is damaged.
        """
        self._follower = LogFollower(folder, secrets.token_hex(8))

    def page(self) -> str | None:
        """Return the page, None while there is nothing to show yet."""
        self._opened = time.monotonic()
        html = None if self._follower is None else self._follower.page()
        self._opened = time.monotonic()
        return html

    def news(self, after: int, run: str, me: str) -> str:
        """Return what is new since packet *after*, as `LogFollower.news`."""
        if self._follower is None:
            return '{"reload":true}'  # it comes to the page that waits
        self._opened = None
        watcher = self._watchers.get(me)
        if watcher is None and len(self._watchers) < 10 * CONNECTIONS:
            watcher = self._watchers[me] = _Watcher(0.0, knows_end=False)
        news = self._follower.news(after, run)
        if watcher is not None:
            watcher.asked, watcher.knows_end = time.monotonic(), news.over
        return news.text

    def call(self, key: str) -> dict[str, Any] | None:
        """Return a recorded model call, None where there is none."""
        return None if self._follower is None else self._follower.call(key)


def live_page(host: str | None = None, port: int | None = None, token: str | None = None) -> LivePage:
    """Return a live page that listens already, and serves within a ``with`` block.

    Raises:
        RunError: If other machines could reach it and no token is given, or it cannot be listened on.
        TownError: If starlette or uvicorn is not installed.
    """
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise TownError(
            f"--live needs starlette and uvicorn, which cannot be used here: {error} "
            "(pip install 'townsfolk[live]', or run without --live and then use town view)"
        ) from error
    return LivePage(open_access(host, port, token))
