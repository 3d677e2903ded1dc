"""Follows a run's log as it grows, and keeps what is new in packets that the live page takes up."""

import json
import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from sim.errors import RunError
from sim.log.events import Event
from sim.log.run_folder import EVENTS, Run, open_run, read_line
from sim.views.page.bundle import page
from sim.views.page.calls import call_payload
from sim.views.page.payload import PagePayload

PAUSE = 0.5  # seconds between two looks at the log: a page asks once a second
SHARE = 10  # a look that took a second is followed by ten of rest, so that the run keeps nine tenths of a core
KEPT = 64_000_000  # characters of packets: a page that is further behind loads anew
AT_ONCE = 8_000_000  # characters that one answer holds, but for a larger packet


class Tail:
    """Reads a log's lines as they are written, each once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = self._lines = 0

    def read(self) -> list[tuple[int, Event]]:
        """Return what was written since; a line in the making is left for later.

        A log that is shorter than it was is being lived again, to the same bytes: it is waited for.

        Raises:
            RunError: If a line is no event, or the log cannot be read.
        """
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                written = file.read()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise RunError(f"cannot read {str(self._path)!r}: {error.strerror}") from error
        whole = written[: written.rfind(b"\n") + 1]
        lines = whole.decode("utf-8", "replace").split("\n")[:-1]
        found = [read_line(line, self._path, self._lines + i) for i, line in enumerate(lines, 1) if line.strip()]
        self._offset, self._lines = self._offset + len(whole), self._lines + len(lines)
        return found


class News(NamedTuple):
    """What a page that asks is told."""

    text: str
    """JSON."""
    over: bool = False
    """Whether nothing will follow."""


@dataclass(frozen=True, slots=True)
class Page:
    """The page as it was at some packet."""

    after: int
    html: str
    rests_until: float
    """When one with newer packets may be made."""


class LogFollower:
    """Knows what a run has told so far, and what is new since any packet; asked from several threads.

    Args:
        name: What pages call this following, so that they notice when another has taken its place.
        rest: Seconds between two looks at the log, at least; with 0 each question is a look.
    """

    def __init__(self, folder: Path, name: str, *, rest: float = PAUSE) -> None:
        self._rest = rest
        self._folder, self._name = folder, name
        self._run: Run = open_run(folder, begun=True)
        self._gathering = PagePayload(self._run)
        self._tail = Tail(folder / EVENTS)
        self._packets: deque[str] = deque()
        self._dropped = 0
        """How many packets are no longer kept."""
        self._kept = 0
        self._looking, self._making = threading.Lock(), threading.Lock()
        self._rests_until = 0.0
        self._page: Page | None = None
        self._over = False

    def finish(self) -> None:
        """Take what the run told last, and the state that it ended in."""
        with suppress(RunError):  # a damaged manifest leaves the state as it was
            self._run = self._gathering.run = open_run(self._folder, begun=True)
        self._look(last=True)

    def _look(self, *, last: bool = False) -> None:
        with self._looking:
            began = time.monotonic()
            if self._over or (began < self._rests_until and not last):
                return
            events = self._tail.read()
            self._gathering.take(events)
            if events or last:
                self._keep(json.dumps(self._gathering.fresh(), ensure_ascii=False, separators=(",", ":")))
            self._over = last
            now = time.monotonic()
            self._rests_until = now + max(self._rest, SHARE * (now - began)) if self._rest else now

    def _keep(self, packet: str) -> None:
        self._packets.append(packet)
        self._kept += len(packet)
        while self._kept > KEPT and len(self._packets) > 1:
            self._kept -= len(self._packets.popleft())
            self._dropped += 1

    def news(self, after: int, run: str) -> News:
        """Return what a page lacks that has taken up *after* packets.

        ``{"fresh": [packet, …], "after": n, "more": whether to ask again at once, "over": whether nothing will
        follow}``, or ``{"reload": true}`` for a page of another run, or one that is too far behind.
        """
        self._look()
        with self._looking:
            packets, dropped, over = list(self._packets), self._dropped, self._over
        newest = dropped + len(packets)
        if run != self._name or not dropped <= after <= newest:
            return News('{"reload":true}')
        taken: list[str] = []
        for packet in packets[after - dropped :]:
            if taken and sum(map(len, taken)) + len(packet) > AT_ONCE:
                break
            taken.append(packet)
        after += len(taken)
        more = after < newest
        over = over and not more
        told = json.dumps({"after": after, "more": more, "over": over})
        return News(f'{{"fresh":[{",".join(taken)}],{told[1:]}', over)

    def page(self) -> str | None:
        """Return the page as of now, or as of shortly before: it asks for the rest.  None while nothing was logged.

        Raises:
            RunError: If the log is damaged.
        """
        self._look()
        with self._making:
            made = self._page
            with self._looking:
                if self._gathering.started is None:
                    return None
                events, newest = list(self._gathering.events), self._dropped + len(self._packets)
                oldest = self._dropped
            began = time.monotonic()
            if made is not None and made.after >= oldest and (made.after == newest or began < made.rests_until):
                return made.html
            payload = PagePayload(self._run)
            payload.take(events)
            html = page([payload], live=_script(newest, self._name))
            now = time.monotonic()
            self._page = Page(newest, html, now + SHARE * (now - began))
            return html

    def call(self, key: str) -> dict[str, Any] | None:
        """Return a recorded model call in the page's form, None where the record does not hold it (yet).

        Raises:
            RunError: If the record is damaged.
        """
        return call_payload(self._run, key)


def _script(after: int, name: str) -> str:
    """Return the script that follows the run from packet *after* on."""
    text = files(__package__).joinpath("live.js").read_text(encoding="utf-8")
    return f"(() => {{\nlet after = {after};\nconst run = {json.dumps(name)};\n{text}}})();\n"
