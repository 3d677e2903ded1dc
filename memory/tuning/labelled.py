"""Labelled questions: memories with questions whose answers are known to lie in some of them, read from a file."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from memory.arguments import file_path, shown
from memory.errors import FileError, InputError
from memory.stream import MemoryStream

_LOCOMO_TIME = "%I:%M %p on %d %B, %Y"
_UNANSWERABLE = "5"  # LoCoMo's category of questions that nothing in the conversation answers


@dataclass(frozen=True)
class LabelledMemory:
    """A memory of a labelled file."""

    id: str
    text: str
    created: datetime
    speaker: str | None = None
    episode: str | None = None


@dataclass(frozen=True)
class Question:
    """A question, and the places of the memories that answer it (0 is the first)."""

    text: str
    evidence: tuple[int, ...]
    category: str = ""
    asked: datetime | None = None
    """When; None: when the last memory was made."""


@dataclass(frozen=True)
class Labelled:
    """One stream's memories, oldest first, and the questions about it."""

    name: str
    memories: tuple[LabelledMemory, ...]
    questions: tuple[Question, ...]

    @property
    def end(self) -> datetime:
        """When the last memory was made: the time at which questions without one are asked."""
        return max(memory.created for memory in self.memories)


def read_labelled(path: str | Path) -> list[Labelled]:
    """Return what the file *path* holds: one stream, or a list of them, in one of three forms.

    Our own: ``{"memories": [{"id", "text", "time", "speaker", "episode"}, …], "questions": [{"question", "evidence":
    [id, …], "time"}, …]}``, times in ISO form, speaker, episode and a question's time optional.  LongMemEval's, a list
    of questions with their dates and sessions of user and assistant (Wu et al. 2024).  And LoCoMo's, a list of
    conversations of dated sessions (Maharana et al. 2024); of its questions those that can be answered.

    Raises:
        FileError: If it cannot be read, or is of neither form; questions without evidence that exists are left out.
    """
    source = file_path(path)
    try:
        found = json.loads(source.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(
            f"labelled questions {str(source)!r} cannot be read: {error.strerror} (check the path)"
        ) from error
    except (ValueError, RecursionError) as error:
        raise FileError(f"labelled questions {str(source)!r} are no JSON: {error} (mend the file)") from error
    entries = found if isinstance(found, list) else [found]
    streams = []
    for number, entry in enumerate(entries, 1):
        try:
            form = next((read for key, read in _FORMS.items() if key in entry), _own)
            streams.append(form(entry, number))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FileError(
                f"labelled questions {str(source)!r}, entry {number}: {type(error).__name__} {shown(str(error))}"
                " (give it memories and questions, LoCoMo's conversation and qa,"
                " or LongMemEval's haystack_sessions)"
            ) from error
    if not any(stream.questions for stream in streams):
        raise FileError(f"labelled questions {str(source)!r} hold no question with evidence (label some)")
    return streams


def fill(stream: MemoryStream, told: Sequence[LabelledMemory]) -> None:
    """Store labelled memories in an empty *stream*.

    Raises:
        InputError: If it is not empty.
    """
    if len(stream):
        raise InputError("labelled memories go into an empty stream only (make a new one)")
    stream.observe_many(
        [memory.text for memory in told],
        times=[memory.created for memory in told],
        subjects=[memory.speaker for memory in told],
        episodes=[memory.episode for memory in told],
    )


def _own(entry: Mapping[str, Any], number: int) -> Labelled:
    told = [
        LabelledMemory(
            str(memory.get("id", place)),
            _text(memory["text"]),
            datetime.fromisoformat(memory["time"]),
            memory.get("speaker"),
            memory.get("episode"),
        )
        for place, memory in enumerate(entry["memories"])
    ]
    questions = [
        (one["question"], one["evidence"], one.get("category", ""), _moment(one.get("time")))
        for one in entry["questions"]
    ]
    return _build(str(entry.get("name", number)), told, questions)


def _locomo(entry: Mapping[str, Any], number: int) -> Labelled:
    conversation = entry["conversation"]
    told = []
    sessions = [int(key[8:]) for key, turns in conversation.items() if turns and re.fullmatch(r"session_\d+", key)]
    for session in sorted(sessions):
        when = datetime.strptime(  # noqa: DTZ007 (the form gives no zone)
            conversation[f"session_{session}_date_time"].strip(), _LOCOMO_TIME
        )
        for turn in conversation[f"session_{session}"]:
            told.append(LabelledMemory(turn["dia_id"], _said(turn), when, turn.get("speaker"), f"session {session}"))
    questions = [
        (one["question"], _turns(one.get("evidence")), one.get("category", ""), None)
        for one in entry["qa"]
        if str(one.get("category")) != _UNANSWERABLE
    ]
    return _build(str(entry.get("sample_id", number)), told, questions)


def _longmemeval(entry: Mapping[str, Any], number: int) -> Labelled:
    """Return one question with its sessions; the evidence is the marked turns, or all of the sessions that answer."""
    dates, sessions = entry["haystack_dates"], entry["haystack_sessions"]
    names = entry.get("haystack_session_ids") or [f"session {at}" for at in range(len(sessions))]
    answering = set(entry.get("answer_session_ids", ()))
    told, marked, beside = list[LabelledMemory](), list[str](), list[str]()
    for date, name, turns in sorted(zip(map(_dated, dates), names, sessions, strict=True), key=lambda one: one[0]):
        for at, turn in enumerate(turns):
            told.append(LabelledMemory(f"{name}:{at}", _text(turn["content"]), date, str(turn["role"]), str(name)))
            if turn.get("has_answer"):
                marked.append(told[-1].id)
            if name in answering:
                beside.append(told[-1].id)
    answerable = not str(entry.get("question_id", "")).endswith("_abs")
    asked = (entry["question"], marked or beside, entry.get("question_type", ""), _dated(entry["question_date"]))
    return _build(str(entry.get("question_id", number)), told, [asked] if answerable else [])


def _dated(text: str) -> datetime:
    return datetime.strptime(re.sub(r"\s*\([A-Za-z]+\)", "", text.strip()), "%Y/%m/%d %H:%M")  # noqa: DTZ007 (no zone)


def _moment(given: object) -> datetime | None:
    return None if given is None else datetime.fromisoformat(_text(given))


def _said(turn: Mapping[str, Any]) -> str:
    """Return what was said, with what the photo shows that came with it."""
    caption = turn.get("blip_caption")
    return _text(turn.get("text", "")) + (f" [shares {caption}]" if caption else "")


def _turns(evidence: object) -> list[str]:
    """Return the ids that evidence names, also where several stand in one text (``D8:6; D9:17``)."""
    named = evidence if isinstance(evidence, list) else [evidence]
    return [turn for one in named if isinstance(one, str) for turn in re.split(r"[;,\s]+", one) if turn]


def _build(
    name: str,
    told: Sequence[LabelledMemory],
    questions: Sequence[tuple[str, Sequence[object], object, datetime | None]],
) -> Labelled:
    place = {memory.id: at for at, memory in enumerate(told)}
    asked = []
    for question, evidence, category, when in questions:
        known = dict.fromkeys(place[str(cited)] for cited in evidence if str(cited) in place)
        if known:
            asked.append(Question(_text(question), tuple(known), str(category), when))
    return Labelled(name, tuple(told), tuple(asked))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{shown(value)} is no text")
    return value


_FORMS = {"conversation": _locomo, "haystack_sessions": _longmemeval}
"""How an entry that has this key is read."""
