"""Signals between people, read from what a resident noticed: words, gestures, and what a scenario lets somebody do."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memory.language.speech_acts import Gesture, read_gesture
from memory.language.words import topics_of, words
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


class People:
    """The names of a town's people, as a text may use them."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(names)
        firsts = [name.split()[0] for name in self.names if name.split()]
        self._forms = {name: name for name in self.names}
        self._forms |= {name.split()[0]: name for name in self.names if firsts.count((name.split() or [""])[0]) == 1}
        longest = sorted((form for form in self._forms if form), key=lambda form: (-len(form), form))
        self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(form)}(?!\w)" for form in longest) or r"(?!)")
        self.words = frozenset(word for name in self.names for word in words(name))
        """All parts of names, in lower case: no subject of talk."""

    def named_in(self, text: str) -> list[str]:
        """Return who is named in *text*, by the full or a first name that only one of them has, in order."""
        return list(dict.fromkeys(self._forms[match[0]] for match in self._pattern.finditer(text)))

    def acting_in(self, text: str) -> str | None:
        """Return whose name *text* begins with, if it begins with any."""
        match = self._pattern.match(text.lstrip())
        return self._forms[match[0]] if match else None


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
