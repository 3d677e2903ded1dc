"""Where the live page listens, and who is let in."""

import ipaddress
import re
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field

from sim.errors import RunError

LOOPBACK = "127.0.0.1"
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?", re.IGNORECASE)  # of a Host header


@dataclass(frozen=True)
class Access:
    """A listening socket and the rules of who may ask what of it."""

    listening: socket.socket = field(repr=False)
    host: str
    """As it was given."""
    ip: str
    """What it stands for."""
    port: int
    """Found free where none was given."""
    token: str | None = field(repr=False)
    """What a visitor must bring; None lets in whoever reaches the socket, which then is this machine's users alone."""
    beyond: bool
    """Whether other machines can reach it."""
    pass_: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    """What the cookie of a visitor holds who has brought the token: other servers of the machine see the cookie."""

    @property
    def cookie(self) -> str:
        """Name of the cookie: browsers do not keep cookies apart by port."""
        return f"town_{self.port}"

    @property
    def address(self) -> str:
        """Where a browser finds the page; the token itself is left out."""
        ip = ipaddress.ip_address(self.ip)
        host = socket.gethostname() if ip.is_unspecified else f"[{ip}]" if ip.version == 6 else str(ip)
        return f"http://{host}:{self.port}/" + ("" if self.token is None else "?token=…")

    def knows_host(self, header: str | None) -> bool:
        """Return whether a request was meant for us, by its Host header.

        A page of elsewhere can have its own name point here (DNS rebinding), but then it asks for that name.
        """
        match = _HOST.fullmatch(header or "")
        if match is None:
            return False
        name = match[1].strip("[]").casefold()
        if name in ("localhost", LOOPBACK, "::1", self.host.casefold()):
            return True
        return self.beyond and (_is_address(name) or name.removesuffix(".local") == socket.gethostname().casefold())

    def admits(self, token: str | None, cookies: Mapping[str, str]) -> bool:
        """Return whether a visitor has brought the token, or the pass that was given for it."""
        if self.token is None:
            return True
        by_token = secrets.compare_digest(
            (token or "").encode("utf-8", "replace"), self.token.encode("utf-8", "replace")
        )
        by_pass = secrets.compare_digest(cookies.get(self.cookie, "").encode("utf-8", "replace"), self.pass_.encode())
        return by_token or by_pass


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def open_access(host: str | None = None, port: int | None = None, token: str | None = None) -> Access:
    """Listen on *host*, this machine alone if left out, and *port*, a free one if left out.

    Raises:
        RunError: If other machines could reach it and no token is given, or it cannot be listened on.
    """
    wanted = LOOPBACK if host is None else host
    if token is not None and not token.strip():
        raise RunError("--token is empty: give a word that nobody guesses")
    try:
        family, _, _, _, address = socket.getaddrinfo(
            wanted or None, port or 0, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        ip = str(address[0]).partition("%")[0]
        beyond = not ipaddress.ip_address(ip).is_loopback
        if beyond and token is None:
            raise RunError(
                f"--host {wanted!r} lets other machines see the run: say what they must know with --token WORD, "
                "or leave --host out"
            )
        listening = socket.create_server(address[:2], family=family)
    except (OSError, UnicodeError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        other = "leave --port out for a free one" if port else f"use --host {LOOPBACK}"
        raise RunError(f"cannot listen on {wanted}:{port or 'any port'}: {reason} ({other})") from error
    return Access(listening, wanted, ip, int(listening.getsockname()[1]), token, beyond)
