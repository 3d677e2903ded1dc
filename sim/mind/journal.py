"""What thoughts would have the log tell: noted where they come about, taken over by the resident's process."""

from datetime import datetime
from typing import Any, NamedTuple

from memory import Recollection
from memory.record import Consolidated, Entry, Fell, Memory, Observed, Recalled, Reflected
from sim.log import events
from sim.log.run_folder import Record


class Note(NamedTuple):
    """Something for the log that came about in a thought."""

    event: events.Event
    source: Record | None = None


class Origin(NamedTuple):
    """Where a memory is from, as far as a search may ask."""

    subject: str | None = None
    """Who speaks."""
    episode: str | None = None
    """Id of the talk."""


class Journal:
    """The notes of one resident, in order."""

    def __init__(self, who: str, start: datetime) -> None:
        self.who, self.start = who, start
        self.t = 0
        """Second of the thought under way."""
        self.purpose = ""
        """What the search under way serves; "" where it serves reflecting."""
        self.is_silent = False
        """Whether a search is under way that the log does not tell of: it touches nothing and decides nothing."""
        self.has_origins = False
        """Whether some search makes use of where memories are from."""
        self.notes: list[Note] = []

    def note(self, event: events.Event, source: Any = None) -> None:
        """Keep *event*, which the event in *source* brought about, for the log."""
        self.notes.append(Note(event, source))

    def take_notes(self) -> list[Note]:
        """Return what the log should tell, and forget it."""
        notes, self.notes = self.notes, []
        return notes

    def take(self, entry: Entry) -> None:
        """Keep what the stream reports for the log."""
        who, t = self.who, self.t
        if isinstance(entry, Observed):
            self.note(self._remembered_event(entry.memory, entry.total), entry.source)
        elif isinstance(entry, Recalled):
            if self.is_silent:
                return
            items = [_item(found) for found in entry.recollections]
            self.note(
                events.Recalled(t=t, who=who, query=entry.query, purpose=self.purpose or "reflecting", items=items)
            )
        elif isinstance(entry, Reflected):
            for insight in entry.insights:
                self.note(self._remembered_event(insight))
            ids = [memory.id for memory in entry.insights]
            self.note(
                events.Reflected(
                    t=t, who=who, total=round(entry.total, 4), questions=list(entry.questions),
                    insights=ids, dropped=entry.dropped, calls=list(entry.calls) or None,
                )
            )  # fmt: skip
        elif isinstance(entry, Consolidated):
            for made in entry.made:
                self.note(self._remembered_event(made))
            ids = [memory.id for memory in entry.made]
            self.note(events.Consolidated(t=t, who=who, made=ids, archived=list(entry.archived)))
        elif isinstance(entry, Fell):
            self.note(events.FellBack(t=t, who=who, prompt=entry.prompt, reason=entry.reason, call=entry.call))

    def _remembered_event(self, m: Memory, total: float | None = None) -> events.Remembered:
        made = round((m.created - self.start).total_seconds())
        return events.Remembered(
            t=self.t, who=self.who, id=m.id, memory_kind=m.kind, text=m.text,
            importance=round(m.importance, 4), evidence=list(m.evidence), created=None if made == self.t else made,
            total=None if total is None else round(total, 4), **self.origin(m.subject, m.episode)._asdict(),
        )  # fmt: skip

    def origin(self, subject: str | None, episode: str | None) -> Origin:
        """Return who speaks in a memory and the talk that it belongs to; neither where no search makes use of them."""
        return Origin(subject, episode) if self.has_origins else Origin()


def _item(found: Recollection) -> dict[str, Any]:
    """Return a recollection as the log holds it; rounded, so that last bits do not show."""
    parts = ("score", "recency", "importance", "relevance")
    item = {"id": found.memory.id, **{part: round(getattr(found, part), 4) for part in parts}}
    terms = {name: round(part, 4) for name, part in found.terms.items()}
    return {**item, "terms": terms} if terms else item
