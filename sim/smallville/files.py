"""Reads the JSON files of the 2023 reference code as far as they go, and keeps account of what was amiss."""

import gzip
import json
import re
import unicodedata
import zlib
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sim.errors import Problem, ScenarioError
from sim.scenario.strict_yaml import decode

TORN = "file is torn or no JSON object"
_SPACE = re.compile(r"[ \t\r\n]*")
_CHUNK = 1 << 20
_LARGEST = 1 << 30  # bytes of one unpacked file: the embeddings of 30,000 memories
_SHOWN = 3  # places named per kind of defect


class _Defect(NamedTuple):
    where: str
    sentence: str


class Notes:
    """What was amiss with a folder: each kind of defect with how often and where, in the order of their discovery."""

    def __init__(self) -> None:
        self._defects: dict[str, list[_Defect]] = {}
        self.problems: list[Problem] = []
        """What a start folder is refused for; an import of a finished run works round them."""

    def add(self, what: str, where: str, problem: str = "", *, line: int = 0, sentence: str = "") -> None:
        """Note the defect *what* at *where*.

        Args:
            problem: What is wrong and what to do, where a start folder cannot do without.
            sentence: What a reader of the scenario is told instead of the count.
        """
        self._defects.setdefault(what, []).append(_Defect(whole_text(where), sentence))
        if problem:
            self.problems.append(Problem(whole_text(where), line, whole_text(problem)))

    def count(self, what: str) -> int:
        """Return how often *what* was noted."""
        return len(self._defects.get(what, ()))

    def lines(self) -> list[str]:
        """Return one line per kind of defect: how often, what, and the first places."""
        return [_line(what, defects) for what, defects in self._defects.items()]

    def sentences(self) -> list[str]:
        """Return the same at length: each defect that has a sentence by that."""
        return [
            said
            for what, defects in self._defects.items()
            for said in [defect.sentence for defect in defects if defect.sentence] or [_line(what, defects)]
        ]


def _line(what: str, defects: list[_Defect]) -> str:
    places = ", ".join(defect.where for defect in defects[:_SHOWN])
    return f"{len(defects)} x {what} ({places}{', …' if len(defects) > _SHOWN else ''})"


@dataclass(frozen=True)
class Fields:
    """The entries of a JSON object; what is something else than is asked for is left out and noted, once a key."""

    values: Mapping[str, Any]
    shown: str
    """What the object is called in notes."""
    notes: Notes
    whole: bool = True
    """Whether it was there and could be read to its end."""
    noted: set[str] = field(default_factory=set)

    def text(self, key: str, *, needed: bool = False) -> str:
        """Return a text on one line, "" where there is none."""
        value = self.values.get(key)
        if isinstance(value, str) and value:
            return whole_text(value)
        if value is not None and value != "":
            self.refuse(key, f"is {kind_of(value)}, but must be text (put it in quotes)")
        elif needed and self.whole:
            self.refuse(key, "is missing (add it: a storage folder needs it there)")
        return ""

    def number(self, key: str) -> float | None:
        """Return a number, also one that is written as text; None where there is none."""
        value = self.values.get(key)
        if value is None or value == "":
            return None
        try:
            number = float("nan") if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if not abs(number) < 1e15:  # NaN too
            self._note(key, f"is {kind_of(value)}, but must be a number that this field can have: it was left out")
            return None
        if isinstance(value, str):
            self._note(key, "is a number written as text")
        return int(number) if number.is_integer() else number

    def texts(self, key: str) -> list[str]:
        """Return the texts in a list."""
        value = self.values.get(key)
        found = [whole_text(item) for item in value if isinstance(item, str)] if isinstance(value, list) else []
        if not isinstance(value, list) or len(found) < len(value):
            self.refuse(key, f"is {kind_of(value)}, but must be a list of texts")
        return found

    def unknown(self, known: Container[str]) -> dict[str, Any]:
        """Return the entries that are not among those *known*, and note them."""
        found = {key: value for key, value in self.values.items() if key not in known}
        for key, value in found.items():
            says = whole_text(json.dumps(value, ensure_ascii=False))[:200]
            self.notes.add(f'unknown key "{key}"', self.shown, sentence=f'{self.shown}: unknown key "{key}": {says}')
        return found

    def refuse(self, key: str, problem: str) -> None:
        """Note that what stands under *key* is not what a start folder needs."""
        self._note(key, problem.partition(" (")[0], f'"{key}" {problem}')

    def _note(self, key: str, what: str, problem: str = "") -> None:
        if key not in self.noted:
            self.noted.add(key)
            self.notes.add(f'"{key}" {what}', self.shown, problem)


def whole_text(text: str) -> str:
    """Return *text* on one line; halves of characters, which no file can hold, are replaced by U+FFFD."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFC", re.sub(r"[\s\x00-\x1f\x7f-\x9f]+", " ", joined).strip())


def kind_of(value: Any) -> str:
    """Return what kind of JSON value this is, in words."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "missing"}
    return names.get(type(value), "a number")


def read_object(file: Path, shown: str, notes: Notes) -> Fields:
    """Return the JSON object in *file*, as far as it can be read; *shown* is what notes call it."""
    if not file.is_file():
        notes.add("file is missing", shown, "is missing (copy the whole storage folder)")
        return Fields({}, shown, notes, whole=False)
    text, line = read_whole(file, shown, notes), 0
    try:
        values = json.loads(text, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        problem, line = f"is no JSON at column {error.colno}: {error.msg} (copy the folder again)", error.lineno
    except (RecursionError, ValueError):  # ValueError: a number of thousands of digits
        problem = "is nested too deeply, or holds too long a number, for a file of this kind"
    else:
        if isinstance(values, dict):
            return Fields(values, shown, notes)
        problem, line = f"holds {kind_of(values)}, but must hold an object, {{...}}", 1
    notes.add(TORN, shown, problem, line=line)
    return Fields(dict(entries(text, lambda: None)), shown, notes, whole=False)


def read_whole(file: Path, shown: str, notes: Notes) -> str:
    """Return the text of *file*, unpacked where its name ends in ``.gz``; what cannot be read is left out and noted."""
    data = bytearray()
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as opened:
            while chunk := opened.read(_CHUNK):
                data += chunk
                if len(data) > _LARGEST:
                    notes.add("file too large to be read to its end", shown, f"is larger than {_LARGEST:,} bytes")
                    break
    except (OSError, EOFError, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        notes.add("file cannot be read to its end", shown, f"cannot be read: {why}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass  # it may be in UTF-16 or UTF-32
    try:
        return decode(bytes(data), shown)
    except ScenarioError as error:
        problem = error.problems[0]
        what = "file is not all UTF-8 (odd bytes are shown as �)"
        notes.add(what, shown, problem.message, line=problem.line)
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
