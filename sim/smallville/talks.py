"""The talks of a finished run: told by the steps, by memories, or by both, and each only once."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sim.log.events import Event, Happened, Spoke, TalkEnded, TalkStarted
from sim.smallville.activities import Clock
from sim.smallville.files import Notes
from sim.smallville.nodes import Node
from sim.smallville.steps import Lines, Track

CAP = 16
"""Utterances at which the reference code breaks off a talk."""
_SAME_TALK = 3600  # seconds: the same words between the same people within an hour are one talk
_LETTERS_A_MINUTE = 240  # how long the reference code lets a talk last


@dataclass
class Talk:
    """A talk: who was in it, when, and what was said."""

    begins: int
    ends: int
    lines: Lines
    names: dict[str, None]
    """In the order in which they are known of."""
    remembered: dict[str, int] = field(default_factory=dict)
    """How often each has it in memory."""

    def is_same(self, lines: Lines, who: str, t: int) -> bool:
        """Return whether *who* tells of this talk at second *t*."""
        near = self.begins - _SAME_TALK <= t <= self.ends + _SAME_TALK
        return self.lines == lines and near and (who in self.names or len(self.names) < 2)


def gather_talks(
    tracks: Iterable[Track], memories: Mapping[str, Sequence[Node]], people: Sequence[str], clock: Clock, notes: Notes
) -> list[Talk]:
    """Return all talks, in the order of their beginnings."""
    talks: list[Talk] = []
    for track in tracks:
        for chat in track.chats:
            begins, ends = clock.second(chat.first), clock.second(chat.end)
            names = _names(track.name, chat.lines, people)
            same = next((t for t in talks if t.lines == chat.lines and t.begins < ends and begins < t.ends), None)
            if same is None:
                talks.append(Talk(begins, ends, chat.lines, names))
            else:
                same.begins, same.ends = min(same.begins, begins), max(same.ends, ends)
                same.names |= names
    for who, kept in memories.items():
        for memory in kept:
            if memory.transcript:
                _remember(talks, who, memory, people, clock)
    for talk in talks:
        for who, times in talk.remembered.items():
            if times > 1:
                notes.add("talk in somebody's memory more than once: told once", f"{who}, second {talk.begins}")
    return _end_before_next(sorted(talks, key=lambda talk: talk.begins))


def _names(who: str, lines: Lines, people: Sequence[str]) -> dict[str, None]:
    said = [name for speaker, _ in lines if (name := speaker_named(speaker, people))]
    return dict.fromkeys([who, *said] if who not in said else said)


def speaker_named(speaker: str, people: Sequence[str]) -> str | None:
    """Return whom of *people* a transcript means: by whole name, or by a first name that only one has."""
    wanted = speaker.strip(" :").casefold()
    firsts = [name for name in people if name.casefold().split()[:1] == [wanted]]
    return next((name for name in people if name.casefold() == wanted), firsts[0] if len(firsts) == 1 else None)


def _remember(talks: list[Talk], who: str, memory: Node, people: Sequence[str], clock: Clock) -> None:
    """Match a memory of a talk with the talk that it tells of, or learn of one by it."""
    found = [talk for talk in talks if talk.is_same(memory.transcript, who, memory.created)]
    talk = min(found, key=lambda one: abs(one.begins - memory.created), default=None)
    if talk is None:
        letters = sum(len(speaker) + len(words) for speaker, words in memory.transcript)
        lasts = 60 * math.ceil(letters / _LETTERS_A_MINUTE)
        names = _names(who, memory.transcript, people)
        talk = Talk(memory.created, min(memory.created + lasts, clock.ends), memory.transcript, names)
        talks.append(talk)
    talk.names |= {who: None}
    talk.remembered[who] = talk.remembered.get(who, 0) + 1


def _end_before_next(talks: list[Talk]) -> list[Talk]:
    """Return the talks, each ended before somebody in it begins another."""
    last: dict[str, Talk] = {}
    for talk in talks:
        for name in talk.names:
            if name in last:
                last[name].ends = max(last[name].begins, min(last[name].ends, talk.begins))
            last[name] = talk
    return talks


def talk_events(number: int, talk: Talk, place: str, people: Sequence[str], notes: Notes) -> list[Event]:
    """Return the events of a talk; its words are spread evenly over its time."""
    name = f"talk-{number}"
    who, *others = talk.names
    events: list[Event] = [TalkStarted(t=talk.begins, talk=name, who=who, to=others, place=place)]
    for i, (speaker, words) in enumerate(talk.lines):
        t = talk.begins + (talk.ends - talk.begins) * i // len(talk.lines)
        speaks = speaker_named(speaker, people)
        if speaks is None:
            notes.add("words of somebody who is none of the town are told as what happened", speaker[:40])
            events.append(Happened(t=t, text=f'{speaker}: "{words}"', place=place))
            continue
        to = [one for one in talk.names if one != speaks]
        events.append(Spoke(t=t, talk=name, who=speaks, to=to, place=place, text=words))
    turns = len(talk.lines)
    ended = TalkEnded(
        t=talk.ends, talk=name, who=who, to=others, place=place, reason="", turns=turns, capped=turns >= CAP
    )
    return [*events, ended]
