"""Signals between people, read from what a resident noticed: words, gestures, and what a scenario lets somebody do."""

from collections.abc import Sequence
from typing import NamedTuple

from memory.language.names import People
from memory.language.speech_acts import Gesture, read_gesture
from memory.language.words import topics_of
from sim.log.events import Event, Happened, Spoke, Started


class Signal(NamedTuple):
    """Something that one did or said to another, in the hearing or sight of a resident."""

    by: str
    to: tuple[str, ...]
    text: str
    gesture: Gesture | None
    """None for words."""
    place: str | None
    """Id of the place."""
    talk: str | None
    """Id of the talk that the words belong to."""


def signal_in(event: Event, people: People) -> Signal | None:
    """Return the signal that *event* holds; None for all that is nothing between people."""
    if isinstance(event, Spoke):
        return Signal(event.who, tuple(event.to), event.text, None, event.place, event.talk)
    if isinstance(event, Started):
        return _gesture(event.who, event.do, event.place, people)
    if isinstance(event, Happened) and (actor := people.acting_in(event.text)) is not None:
        return _gesture(actor, event.text, event.place, people)
    return None


def _gesture(by: str, text: str, place: str | None, people: People) -> Signal | None:
    to = tuple(name for name in people.named_in(text) if name != by)
    gesture = read_gesture(text) if to else None
    return None if gesture is None else Signal(by, to, text, gesture, place, None)


def subject_of(text: str, known: Sequence[str], current: str | None, people: People) -> str | None:
    """Return the subject that *text* speaks of: one of the *known*, else the *current* one, else a new one.

    Subjects are single words, so that the same matter is found again whatever else is said of it; names are none.
    """
    topics = [topic for topic in topics_of(text) if topic not in people.words]
    again = next((topic for topic in topics if topic in known), None)
    return again or current or next(iter(topics), None)
