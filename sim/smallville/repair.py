"""Reads damaged files of the reference code as far as they go, and keeps account of what was amiss."""

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sim.smallville.files import whole_text

_SPACE = re.compile(r"[ \t\r\n]*")
_CHUNK = 1 << 20
_LARGEST = 1 << 30  # bytes of one unpacked file: the embeddings of 30,000 memories
_SHOWN = 3  # places named per kind of defect


class Notes:
    """What was amiss with an import: each kind of defect with how often and where, in the order of their discovery."""

    def __init__(self) -> None:
        self._places: dict[str, list[str]] = {}

    def add(self, what: str, where: str) -> None:
        """Note the defect *what* at *where*."""
        self._places.setdefault(what, []).append(whole_text(where))

    def count(self, what: str) -> int:
        """Return how often *what* was noted."""
        return len(self._places.get(what, ()))

    def lines(self) -> list[str]:
        """Return one line per kind of defect: how often, what, and the first places."""
        return [
            f"{len(places)} x {what} ({', '.join(places[:_SHOWN])}{', …' if len(places) > _SHOWN else ''})"
            for what, places in self._places.items()
        ]


def read_whole(file: Path, shown: str, notes: Notes) -> str:
    """Return the text of *file*, unpacked where its name ends in ``.gz``; what cannot be read is left out and noted."""
    data = bytearray()
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                data += chunk
                if len(data) > _LARGEST:
                    notes.add("file too large to be read to its end", shown)
                    break
    except (OSError, EOFError, zlib.error):
        notes.add("file cannot be read to its end", shown)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        notes.add("file is not all UTF-8 (odd bytes are shown as �)", shown)
        return data.decode("utf-8-sig", "replace")


def entries(text: str, torn: Callable[[], None]) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values of the JSON object *text* one by one, up to where it is damaged; *torn* is told so."""
    decoder = json.JSONDecoder(parse_constant=lambda _: None)
    at = _after_space(text, 0)
    if text[at : at + 1] != "{":
        torn()
        return
    at = _after_space(text, at + 1)
    while text[at : at + 1] != "}":
        try:
            key, at = decoder.raw_decode(text, at)
            colon = _after_space(text, at)
            value, at = decoder.raw_decode(text, _after_space(text, colon + 1))
        except (ValueError, RecursionError):
            torn()
            return
        if text[colon] != ":" or not isinstance(key, str):
            torn()
            return
        yield key, value
        at = _after_space(text, at)
        if text[at : at + 1] == ",":
            at = _after_space(text, at + 1)


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def read_entries(file: Path, shown: str, notes: Notes) -> Iterator[tuple[str, Any]]:
    """Yield what the JSON object in *file* holds, as far as it can be read; nothing, noted, for a missing file."""
    if not file.is_file():
        notes.add("file is missing", shown)
        return
    yield from entries(read_whole(file, shown, notes), lambda: notes.add("file is torn or no JSON object", shown))


def read_object(file: Path, shown: str, notes: Notes) -> dict[str, Any]:
    """Return the JSON object in *file*, as far as it can be read."""
    return dict(read_entries(file, shown, notes))
