"""What a resident asks when looking back, what follows from the statements found, and memories made shorter.

All work on the prompts' variables alone: questions on the recent memories, insights on numbered statements.
"""

import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from memory.language.extractive_summary import condensed
from memory.language.records import Record, State
from memory.language.words import Reader, content_words, overlap
from sim.offline.conclusions import (
    LONGEST,
    Conclusion,
    Line,
    conclusions,
    people_in,
    read_lines,
    shared,
    side_by_side,
)
from sim.offline.sayings import lowered, tells, topic_of
from sim.offline.signs import sign
from sim.offline.variables import parse_memories
from sim.offline.wording import kind_of

_LONGEST = 110  # characters of what a question quotes
_WEIGHTS = {  # acts of the day are many, a promise or a plan is rare
    State.DONE: 1.0, State.PASSED: 0.5, State.MET: 3.0, State.TOLD: 2.5, State.ASKED: 0.5, State.ACCEPTED: 2.0,
    State.REFUSED: 2.0, State.PROMISED: 4.0, State.MEANT: 4.0, State.KNOWN: 3.0, State.CONCLUDED: 1.0,
}  # fmt: skip
Weighed: TypeAlias = Sequence[tuple[Record, float]]


class Question(NamedTuple):
    """Something to ask, before it is chosen."""

    text: str
    about: str
    """No two questions about the same are asked together."""
    weight: float
    sort: str


def asked_of(owner: str, weighed: Weighed, people: Sequence[str]) -> Iterator[Question]:
    """Yield what may be asked, each with frequency times weight of the memories that it is about."""
    for person in people:
        theirs = [(r, weight) for r, weight in weighed if person in (r.speaker, r.hearer)]
        whole = sum(weight for _, weight in theirs)
        own = sum(weight for r, weight in theirs if not r.overheard and r.state is not State.DONE)
        place = _heaviest(theirs, lambda r: r.place)
        doing = _heaviest(theirs, lambda r: "" if sign("trivial").match(r.text) else r.text * (r.state is State.DONE))
        yield Question(f"What are {owner} and {person} to each other?", person, own, "person")
        yield Question(f"What does {owner} know about {person}?", person, whole * 0.5, "person")
        if doing and place and len(doing) <= _LONGEST:
            yield Question(f"What is {person} like, who was {doing} at {place}?", person, (whole - own) * 1.5, "person")
    for record, weight in weighed:
        if (
            record.state in (State.TOLD, State.KNOWN, State.MEANT)
            and not kind_of(record.said)
            and tells(record.said or record.text)
        ):
            topic, clause = topic_of(record.text), record.text.rstrip(" .!")
            if topic:
                yield Question(f"Who knows of {topic}, and from whom?", topic, weight * 2, "matter")
                yield Question(f"What does {owner} know of {topic}?", topic, weight * 2, "matter")
            elif len(clause) <= _LONGEST and record.speaker:
                yield Question(f"Who knows that {lowered(clause)}?", clause, weight * 1.5, "matter")
            elif len(clause) <= _LONGEST and record.said.startswith("My "):
                yield Question(
                    f"What does it mean to {owner} that {owner}'s {clause[3:]}?", clause, weight * 2, "matter"
                )
    yield from _about_days(owner, weighed)


def _about_days(owner: str, weighed: Weighed) -> Iterator[Question]:
    """Yield what to ask about the owner's own days, hopes and worries."""
    acts = [(r, weight) for r, weight in weighed if r.state is State.DONE and not r.speaker]
    whole = sum(weight for _, weight in acts)
    place, doing = _heaviest(acts, lambda r: r.place), _heaviest(acts, lambda r: r.text)
    if acts:
        where = f" at {place}" if place else ""
        yield Question(f"How does {owner} spend the days{where}?", "days", whole * 3, "life")
        if len(doing) <= _LONGEST:
            yield Question(f"What does {owner} do besides {doing}{where}?", "days", whole * 3, "life")
    minded = [weight for r, weight in weighed if r.state in (State.KNOWN, State.MEANT) and r.mine]
    if minded:
        yield Question(f"What does {owner} worry about?", "worries", 3 * sum(minded), "life")
        yield Question(f"What does {owner} wish for and plan?", "wishes", 3 * sum(minded), "life")
    if any(r.state is State.PROMISED for r, _ in weighed):
        yield Question(f"What is {owner} looking forward to?", "plans", whole + 4, "life")


def _heaviest(weighed: Weighed, key: Callable[[Record], str]) -> str:
    """Return the *key* with most weight behind it; "" if every record lacks one."""
    sums: dict[str, float] = defaultdict(float)
    for record, weight in weighed:
        if key(record):
            sums[key(record)] += weight
    return max(sums, key=lambda value: sums[value], default="")


_TOKENS_PER_WORD = 1.3
_SENTENCE_TOKENS = 40
_QUESTIONS = 3  # as the prompt asks
_INSIGHTS = 5
_HALF = 20  # memories after which a memory weighs half: about a fifth of a day
_OLD = 0.6  # shared with a thought from which a conclusion says nothing new
_OLD_WORTH = 1e-6
_FAINT = 0.06  # of the best conclusion's worth: what is worth less is left unsaid
_Infer: TypeAlias = Callable[[str, Sequence[Line]], Iterable[Conclusion]]
_FEWEST = 2  # insights that a look back should bring, where as many that are new follow
# What to try in turn until enough follows: how, how many insights, how long; without a length even what is old, where
# nothing else follows.
_WAYS: tuple[tuple[_Infer, int, int | None], ...] = (
    (conclusions, _INSIGHTS, LONGEST),
    (shared, 1, LONGEST),
    (conclusions, 1, None),
    (shared, 1, None),
    (side_by_side, 1, None),
)


def questions(agent_name: str, recent_memories: str) -> str:
    """Return up to three questions, one a line: about a person, a matter, and the agent's own life, where there are.

    What is newer weighs more, so that the questions follow the day.
    """
    lines = read_lines(agent_name, parse_memories(recent_memories))
    weighed = [
        (record, _WEIGHTS[record.state] * 0.5 ** ((len(lines) - place) / _HALF))
        for place, line in enumerate(lines, 1)
        for record in line.records
    ]
    asked = asked_of(agent_name, weighed, people_in(agent_name, lines))
    return "\n".join(_of_all_sorts([q._replace(weight=q.weight * _turn(q.text, recent_memories)) for q in asked]))


def insights(agent_name: str, questions: str, numbered_retrieved_memories: str) -> str:
    """Return up to five insights with the statements they rest on, one a line; "" where nothing follows.

    Where nothing new can be concluded, it is said what the statements share, or what is known already in other words.
    """
    lines = read_lines(agent_name, parse_memories(numbered_retrieved_memories))
    known = {_plain(line.text) for line in lines}
    wanted = frozenset(content_words(questions)) - frozenset(content_words(agent_name))
    said: list[Conclusion] = []
    for infer, most, longest in _WAYS:
        if len(said) >= (_FEWEST if longest is not None else 1):
            break
        found = [item for item in infer(agent_name, lines) if longest is None or len(item.text) <= longest]
        sound = [item for item in found if _is_sound(item.text, known)]
        worth = {item: _worth(item, wanted, lines) for item in sound}
        least = 0.0 if longest is None else max(_OLD_WORTH, max(worth.values(), default=0.0) * _FAINT)
        chosen = _varied(sorted((item for item in worth if worth[item] > least), key=lambda item: -worth[item]), most)
        said += [item for item in chosen if item.text not in {one.text for one in said}]
    return "\n".join(f"{item.text} (because of {', '.join(map(str, item.because))})" for item in said)


def _is_sound(text: str, known: set[str]) -> bool:
    """Return whether an insight is none of the *known* texts and holds nothing that reads as a citation."""
    return _plain(text) not in known and "because of" not in text.lower()


def _plain(text: str) -> str:
    """Return *text* for comparison: lower case, no final stop."""
    return " ".join(text.lower().split()).rstrip(".")


def _worth(item: Conclusion, wanted: frozenset[str], lines: Sequence[Line]) -> float:
    """Return how much a conclusion is worth: its weight, its bearing on the questions, and how new it is.

    A thought among the statements that says nearly the same makes it old.  Conclusions of like worth take
    turns: a resident who looks back on much the same things should not conclude the same again.
    """
    matter = frozenset(content_words(item.text))
    bearing = len(matter & wanted) / (len(wanted) or 1)
    old = max((_alike(item.text, line.text) for line in lines if line.is_thought), default=0.0)
    if old >= _OLD:
        return _OLD_WORTH
    turn = _turn(item.text, *sorted(wanted), *(line.text for line in lines))
    return item.weight * (1 + 2 * bearing) * (1 - old) ** 3 * turn


def _alike(first: str, second: str) -> float:
    """Return the share of common content words among all, 1 for equal texts."""
    return 1.0 if first == second else overlap(first, second)


def _turn(*texts: str) -> float:
    """Return a factor from 0.3 to 1.7 that hangs on *texts* alone: what weighs about the same takes turns."""
    return 0.3 + 1.4 * zlib.crc32("\n".join(texts).encode(errors="replace")) / 2**32


def _varied(ranked: Sequence[Conclusion], most: int) -> list[Conclusion]:
    """Return the *most* best conclusions, one of a sort and a subject as long as there are others, no text twice."""
    chosen: list[Conclusion] = []
    sorts: Counter[str] = Counter()
    for limit in (1, 2, 3):
        for item in ranked:
            sort = item.subject.split(" ")[0]
            taken = any(
                set(item.because) == set(other.because) or _alike(item.text, other.text) >= _OLD for other in chosen
            )
            new = sorts[item.subject] < min(limit, 2) and sorts[f"sort {sort}"] < limit
            if len(chosen) < most and not taken and new:
                chosen.append(item)
                sorts.update([item.subject, f"sort {sort}"])
    return chosen


def _of_all_sorts(asked: Sequence[Question]) -> list[str]:
    """Return the weightiest questions: the best of each sort first, each about something else."""
    ranked = sorted(asked, key=lambda question: -question.weight)
    best = [next((q for q in ranked if q.sort == sort), None) for sort in dict.fromkeys(q.sort for q in ranked)]
    chosen: dict[str, str] = {}
    for question in [*(q for q in best if q), *ranked]:
        if question.about not in chosen and question.text not in chosen.values() and len(chosen) < _QUESTIONS:
            chosen[question.about] = " ".join(question.text.split())
    return list(chosen.values())


def paragraph(variables: Mapping[str, str], rate: Callable[[str], int]) -> str:
    """Return the reply to the prompt ``consolidation_paragraph``."""
    texts = [memory.text for memory in parse_memories(variables["memories"])]
    most = variables["most"]
    words = int(most) if most.isdecimal() and len(most) < 9 else 90
    return condensed(texts, [rate(text) for text in texts], _rareness, Reader(), round(words * _TOKENS_PER_WORD))


def sentence(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``consolidation_sentence``."""
    return condensed([variables["paragraph"]], [1.0], _rareness, Reader(), _SENTENCE_TOKENS, 1)


def _rareness(stem: str) -> float:
    return 1.0  # how rare a word is elsewhere, the prompt does not say
