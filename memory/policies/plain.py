"""The three policies that never search: none, the whole transcript, and a file of notes."""

from datetime import datetime
from typing import NamedTuple

from memory.errors import SettingError
from memory.language.sentences import holds
from memory.policies.policy import SUPERSEDED, Context, Count, Reading, context
from memory.tokens import estimate


class NoMemory:
    """Nothing carries over from one session to the next."""

    written = 0

    def read(self, now: datetime, reading: Reading, /) -> None:
        """Forget it."""

    def probe(self, now: datetime, question: str, /) -> Context:
        """Return nothing."""
        return Context((), 0)

    def stored_tokens(self) -> int:
        """Return 0."""
        return 0


class Transcript:
    """Keeps all that was read and puts it all into every call.

    The last reading stands first, so that what has changed is met before what it replaced.
    """

    written = 0

    def __init__(self, count: Count = estimate) -> None:
        """Begin an empty transcript; *count* tells the tokens of a text."""
        self._count = count
        self._readings: list[str] = []

    def read(self, now: datetime, reading: Reading, /) -> None:
        """Keep the whole reading, what was asked and what was found."""
        found = reading.question is not None and reading.answer is not None
        note = f"{reading.question} → {reading.answer}\n" if found else ""
        self._readings.insert(0, note + reading.text)

    def probe(self, now: datetime, question: str, /) -> Context:
        """Return everything."""
        return context(self._readings, self._count)

    def stored_tokens(self) -> int:
        """Return the tokens of everything."""
        return self._count("\n".join(self._readings))


class Note(NamedTuple):
    """A question that was answered."""

    question: str
    answer: str
    source: str | None
    superseded: bool = False

    def line(self) -> str:
        """Return it as a line of the file."""
        return f"{SUPERSEDED if self.superseded else ''}{self.question} → {self.answer}"


class Scratchpad:
    """A file of notes, a line ``question → answer`` for each question answered, loaded whole, the last note first.

    Beyond *cap* tokens the oldest notes are forgotten.  A note is marked as superseded when its question, in the same
    words, has another answer now, and when its source, read again, does not hold its answer any more.
    """

    def __init__(self, count: Count = estimate, *, cap: int | None = None) -> None:
        """Begin with an empty file.

        Args:
            cap: Most tokens of the whole file, marks included; None: no limit.

        Raises:
            SettingError: If *cap* is below 1.
        """
        if cap is not None and (type(cap) is not int or cap < 1):
            raise SettingError(f"cap is {cap!r}, but must be a whole number of tokens from 1 up, or None")
        self._count, self._cap = count, cap
        self._notes: list[Note] = []
        self.written = 0

    def read(self, now: datetime, reading: Reading, /) -> None:
        """Write a line if a question was answered, and mark what does not hold any more."""
        self._notes = [note._replace(superseded=True) if _is_gone(note, reading) else note for note in self._notes]
        if reading.question is not None and reading.answer is not None:
            self._write(Note(" ".join(reading.question.split()), " ".join(reading.answer.split()), reading.source))
        while self._cap is not None and self._notes and self.stored_tokens() > self._cap:
            self._notes.pop()

    def _write(self, fresh: Note) -> None:
        """Put a note on top; one that says the same gives way to it, one that says otherwise is marked."""
        asked = fresh.question.casefold()
        older = (note for note in self._notes if (note.question.casefold(), note.answer) != (asked, fresh.answer))
        marked = (note._replace(superseded=True) if note.question.casefold() == asked else note for note in older)
        self._notes = [fresh, *marked]
        self.written += self._count(fresh.line())

    def probe(self, now: datetime, question: str, /) -> Context:
        """Return the whole file."""
        return context([note.line() for note in self._notes], self._count)

    def stored_tokens(self) -> int:
        """Return the tokens of the file."""
        return self._count("\n".join(note.line() for note in self._notes))


def _is_gone(note: Note, reading: Reading) -> bool:
    """Return whether the note's source, read again, does not hold its answer any more."""
    return note.source is not None and note.source == reading.source and not holds(reading.text, note.answer)
