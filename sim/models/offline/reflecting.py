"""What a resident asks when looking back, and what may be concluded from the statements found.

Both work on the prompts' variables alone: questions on the recent memories, insights on numbered statements.
"""

import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from sim.models.offline.associations import reminders, together
from sim.models.offline.concluding import Conclusion
from sim.models.offline.conclusions import conclusions
from sim.models.offline.reading import content_words, parse_memories
from sim.models.offline.statements import WEIGHTS, Kind, Statement, listing, people_in, read_statements

_QUESTIONS = 3  # as the prompt asks
_INSIGHTS = 5
_HALF = 20  # memories after which a memory weighs half: about a fifth of a day
_OLD = 0.6  # shared with a thought from which a conclusion says nothing new
_FAINT = 0.3  # of the best conclusion's worth: what is worth less is left unsaid

Weighed: TypeAlias = Sequence[tuple[Statement, float]]


class Question(NamedTuple):
    """Something to ask, before it is chosen."""

    text: str
    about: str
    weight: float


def questions(agent_name: str, recent_memories: str) -> str:
    """Return up to three questions, one a line, about the people and things that weigh most in the memories.

    What is newer weighs more, so that the questions follow the day.
    """
    statements = read_statements(agent_name, parse_memories(recent_memories))
    weights = [
        WEIGHTS[statement.kind] * 0.5 ** ((len(statements) - place) / _HALF)
        for place, statement in enumerate(statements, 1)
    ]
    asked: list[Question] = list(_asked(agent_name, list(zip(statements, weights, strict=True))))
    return "\n".join(_of_all_sorts(sorted(asked, key=lambda question: -question.weight)))


def insights(agent_name: str, questions: str, numbered_retrieved_memories: str) -> str:
    """Return up to five insights with the statements they rest on, one a line; "" where nothing follows.

    Where nothing new can be concluded, one line says what they remind of or that they came to mind.
    """
    statements = read_statements(agent_name, parse_memories(numbered_retrieved_memories))
    known = {_plain(statement.text) for statement in statements}
    wanted = frozenset(content_words(questions)) - frozenset(content_words(agent_name))
    chosen: list[Conclusion] = []
    for infer, most in ((conclusions, _INSIGHTS), (reminders, 1), (together, 1)):
        if not chosen:
            found = [item for item in infer(agent_name, statements) if _is_sound(item.text, known)]
            worth = {item: _worth(item, wanted, statements) for item in found}
            least = max(worth.values(), default=0.0) * _FAINT
            ranked = sorted((item for item in worth if worth[item] > least), key=lambda item: -worth[item])
            chosen = _varied(ranked, most)
    return "\n".join(f"{item.text} (because of {', '.join(map(str, item.because))})" for item in chosen)


def _is_sound(text: str, known: set[str]) -> bool:
    """Return whether an insight is none of the *known* texts and holds nothing that reads as a citation."""
    return _plain(text) not in known and "because of" not in text.lower()


def _plain(text: str) -> str:
    """Return *text* for comparison: lower case, no final stop."""
    return " ".join(text.lower().split()).rstrip(".")


def _worth(item: Conclusion, wanted: frozenset[str], statements: Sequence[Statement]) -> float:
    """Return how much a conclusion is worth: its weight, its bearing on the questions, and how new it is.

    A thought among the statements that says nearly the same makes it old.  Conclusions of like worth take
    turns: a resident who looks back on much the same things should not conclude the same again.
    """
    matter = frozenset(content_words(item.text))
    bearing = len(matter & wanted) / (len(wanted) or 1)
    thoughts = [frozenset(content_words(s.text)) for s in statements if s.kind is Kind.THOUGHT]
    old = max((len(matter & thought) / len(matter | thought) for thought in thoughts if thought), default=0.0)
    if old >= _OLD:
        return 0.0
    everything = [item.text, *sorted(wanted), *(statement.text for statement in statements)]
    turn = zlib.crc32("\n".join(everything).encode(errors="replace")) / 2**32
    return item.weight * (1 + 2 * bearing) * (1 - old) ** 3 * (0.3 + 1.4 * turn)


def _varied(ranked: Sequence[Conclusion], most: int) -> list[Conclusion]:
    """Return the *most* best conclusions, one of a subject as long as there are others, no text twice."""
    chosen: list[Conclusion] = []
    sorts: Counter[str] = Counter()
    for limit in (1, 2):
        for item in ranked:
            taken = any(
                item.text == other.text or set(item.because) == set(other.because) for other in chosen
            )
            if len(chosen) < most and not taken and sorts[item.subject] < limit:
                chosen.append(item)
                sorts[item.subject] += 1
    return chosen


def _of_all_sorts(ranked: Sequence[Question]) -> list[str]:
    """Return the weightiest questions, each about something else."""
    chosen: dict[str, str] = {}
    for question in ranked:
        if question.about not in chosen and question.text not in chosen.values() and len(chosen) < _QUESTIONS:
            chosen[question.about] = question.text
    return list(chosen.values())


def _asked(owner: str, weighed: Weighed) -> Iterator[Question]:
    """Yield what may be asked, each with frequency times weight of the memories that it is about."""
    people = people_in(owner, [statement for statement, _ in weighed])
    for person in people:
        theirs = [
            (statement, weight) for statement, weight in weighed if person in (statement.who, statement.to)
        ]
        yield from _about_person(owner, person, theirs)
    yield from _about_days(
        owner, [pair for pair in weighed if pair[0].kind is Kind.ACT and pair[0].who == owner]
    )
    for statement, weight in weighed:
        if statement.kind in (Kind.PROMISE, Kind.INTENTION) and statement.who == owner:
            matter = (
                statement.doing or statement.news[0] if statement.news or statement.doing else statement.text
            )
            yield Question(f'What is {owner} looking forward to: "{_short(matter)}"?', "plans", weight * 1.5)
        elif statement.kind in (Kind.HEARD, Kind.OVERHEARD) and statement.news:
            yield Question(f'What follows from "{_short(statement.news[0])}"?', "news", weight * 2)
        elif statement.kind in (Kind.OTHER, Kind.FEELING):
            yield Question(
                f'What does it mean to {owner} that "{_short(statement.text)}"?', "matter", weight * 1.5
            )


def _about_person(owner: str, person: str, theirs: Weighed) -> Iterator[Question]:
    """Yield what to ask about a person, by what the memories of that person are made of."""
    whole = sum(weight for _, weight in theirs)
    leading = _heaviest(theirs, lambda statement: statement.kind)
    doing = _heaviest(theirs, lambda statement: statement.doing if statement.who == person else "")
    place = _heaviest(theirs, lambda statement: statement.place)
    where = f" at {place}" if place else ""
    yield Question(f"How does {owner} feel about {person}?", f"{person} {owner}", whole * 0.8)
    doing = f"{_short(doing)}{where}" if doing else ""
    if leading is Kind.OVERHEARD:
        others = sorted(
            {name for statement, _ in theirs for name in (statement.who, statement.to)} - {person, owner, ""}
        )
        yield Question(f"What do {listing([*others[:2], person])} have to do with each other?", person, whole)
    elif leading in (Kind.ACT, Kind.PASSING):
        ask = f"What brings {person} to {doing}?" if doing else f"Why is {person}{where}?"
        yield Question(ask, person, whole)
    else:
        yield Question(f"What is on the mind of {person}{where}?", person, whole)


def _about_days(owner: str, acts: Weighed) -> Iterator[Question]:
    """Yield what to ask about the owner's own days."""
    if acts:
        doing = _heaviest(acts, lambda statement: statement.doing)
        place = _heaviest(acts, lambda statement: statement.place)
        where = f", often at {place}" if place else ""
        whole = sum(weight for _, weight in acts)
        yield Question(
            f"What does {owner} spend the days with besides {_short(doing)}{where}?", "days", whole * 0.7
        )


def _heaviest(weighed: Weighed, key: Callable[[Statement], str]) -> str:
    """Return the *key* with most weight behind it; "" if every statement lacks one."""
    sums: dict[str, float] = defaultdict(float)
    for statement, weight in weighed:
        if key(statement):
            sums[key(statement)] += weight
    return max(sums, key=lambda value: sums[value], default="")


def _short(text: str) -> str:
    """Return the beginning of *text*, cut between words, in single quotation marks only."""
    plain = " ".join(text.replace('"', "'").split()).rstrip(".")
    return plain if len(plain) <= 90 else plain[:90].rsplit(" ", 1)[0] + " …"
