"""Opens what the settings name: one HTTP client for the run, a server for each address, no key in any message."""

import logging
import os
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from sim.models import address
from sim.models.endpoint import Endpoint
from sim.models.formats import Abilities
from sim.models.servers import Server, Servers
from sim.scenario import ModelName, ModelSettings

TIMEOUT, CONNECT_TIMEOUT = 120.0, 10.0  # seconds; a long reply of a busy server takes a minute


class Connection:
    """The HTTP client of a run, and the servers that it reaches."""

    def __init__(
        self,
        settings: ModelSettings,
        concurrency: int,
        api_key: str | None = None,
        environment: Mapping[str, str] | None = None,
        pause: Callable[[float], None] | None = None,
        name: ModelName | None = None,
    ) -> None:
        """Check addresses and key; nothing is sent.

        Args:
            name: A model that may have servers and a key of its own.

        Raises:
            ModelError: If one of them cannot be used.
        """
        known = os.environ if environment is None else environment
        own_key = name.key_env if name is not None else ""
        self.urls = address.base_urls((name and name.base_url) or settings.base_url, known)
        self.key_name = own_key or address.KEY
        self.key = address.key_for(self.urls, None if own_key else api_key, known, self.key_name)
        self._headers = address.headers_for(settings.headers, known)
        self._extra = settings.extra
        self.concurrency, self._pause = max(1, concurrency), pause
        self._open(settings.timeout or TIMEOUT)

    def _open(self, timeout: float) -> None:
        import httpx2  # here, because they take a second
        import openai

        for library in ("httpx2", "openai"):  # a line for each request, where some library has turned all loggers on
            if logging.getLogger(library).level == logging.NOTSET:
                logging.getLogger(library).setLevel(logging.WARNING)
        self._http = httpx2.Client(
            timeout=httpx2.Timeout(timeout, connect=min(timeout, CONNECT_TIMEOUT), pool=None),
            event_hooks={"request": [_keep_one_key]},
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=self.concurrency),
        )
        self.clients = [
            openai.OpenAI(
                api_key=self.key,
                base_url=url.partition("?")[0],
                default_query=dict(parse_qsl(urlsplit(url).query)),
                default_headers=({"api-key": self.key} if address.is_azure(url) else {}) | self._headers,
                max_retries=0,
                http_client=self._http,
                timeout=self._http.timeout,
            )
            for url in self.urls
        ]

    def servers(self) -> Servers:
        """Return the servers, with counts of their own."""
        pairs = zip(map(address.without_login, self.urls), self.clients, strict=True)
        return Servers([Server(*pair, most=self.concurrency) for pair in pairs], self.concurrency, self._pause)

    def endpoint(self, name: str, *, attempts: int) -> Endpoint:
        """Return the model called *name* there."""
        abilities = Abilities()
        if self.urls == (address.OPENAI,):  # all its models take the second field, the new ones only it
            abilities = Abilities(caps=abilities.caps[::-1])
        secrets = (self.key, *self._headers.values())
        return Endpoint(
            str(name), self.servers(), self.key, attempts=attempts, abilities=abilities, key_name=self.key_name,
            extra=self._extra, secrets=secrets,
        )  # fmt: skip

    def close(self) -> None:
        """Close all connections."""
        self._http.close()


def _keep_one_key(request: Any) -> None:
    """Take the bearer's key from a request to Azure's classic address, which has its own header for it."""
    if address.is_azure(str(request.url)):
        del request.headers["Authorization"]
