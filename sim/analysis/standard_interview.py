"""The standard interview: 25 questions in the five categories of Park et al. 2023 (section 6.1), in our own words.

They are asked of everybody alike, with the people whom the log shows the resident to have talked to most; one of them
is a trap, about somebody who does not exist.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sim.log.events import Event, RunStarted, TalkStarted

SELF, MEMORY, PLANS, REACTIONS, REFLECTIONS = "self-knowledge", "memory", "plans", "reactions", "reflections"


class Question(NamedTuple):
    """One question of the interview."""

    category: str
    text: str
    trap: bool = False
    """Whether nobody could know the answer."""


class _Form(NamedTuple):
    """A question with the roles friend, other and stranger in braces, and what is asked where nobody fills them."""

    category: str
    text: str
    alone: str = ""


_FORMS = (
    _Form(SELF, "Who are you, in a few words?"),
    _Form(SELF, "What is your work, or what else fills your days?"),
    _Form(SELF, "Where do you live, and who lives with you?"),
    _Form(SELF, "What does an ordinary day look like for you, from morning to night?"),
    _Form(SELF, "Which traits would those who know you well name first?"),
    _Form(MEMORY, "Who is {friend}?", "Whom do you know in this town?"),
    _Form(MEMORY, "What do you know about {stranger}?"),
    _Form(
        MEMORY, "What did you and {friend} talk about last?", "When did you last talk with somebody, and what about?"
    ),
    _Form(MEMORY, "What have you done so far today?"),
    _Form(MEMORY, "What news have you been told lately, and by whom?"),
    _Form(PLANS, "What will you be doing an hour from now?"),
    _Form(PLANS, "What do you mean to do this evening?"),
    _Form(PLANS, "Where will you be tomorrow at 10:00?"),
    _Form(PLANS, "Have you promised anybody to be somewhere, and if so when and where?"),
    _Form(PLANS, "What are you looking forward to?"),
    _Form(REACTIONS, "There is a smell of smoke and you see flames next to you. What would you do?"),
    _Form(
        REACTIONS,
        "{friend} walks past you without a word. What would you do?",
        "Somebody whom you know walks past you without a word. What would you do?",
    ),
    _Form(
        REACTIONS,
        "{other} asks you for help while you are busy. What would you do?",
        "A neighbour asks you for help while you are busy. What would you do?",
    ),
    _Form(REACTIONS, "The place where you usually spend the day is closed tomorrow. What would you do?"),
    _Form(REACTIONS, "You find a purse in the street. What would you do?"),
    _Form(REFLECTIONS, "What has been on your mind most of late?"),
    _Form(REFLECTIONS, "What have you come to think of {friend}?", "What have you come to think of your neighbours?"),
    _Form(REFLECTIONS, "With whom would you like to spend more time, and why?"),
    _Form(REFLECTIONS, "What matters most to you at present?"),
    _Form(REFLECTIONS, "What have the last days taught you?"),
)
_FIRST = ("Tobias", "Marguerite", "Anselm", "Philippa", "Dragan", "Noriko")
_LAST = ("Quillfeather", "Ostrander", "Penhallow", "Winterbourne", "Zabriskie", "Lindqvist")


def standard_questions(who: str, events: Sequence[tuple[int, Event]]) -> list[Question]:
    """Return the 25 questions for *who*, five a category, as of the last of *events*."""
    met = most_talked_to(who, events)
    names = dict(zip(("friend", "other"), met, strict=False))
    names.setdefault("other", names.get("friend", ""))
    names["stranger"] = stranger(events)
    return [Question(form.category, _text(form, names), trap="{stranger}" in form.text) for form in _FORMS]


def _text(form: _Form, names: dict[str, str]) -> str:
    lacking = any(f"{{{role}}}" in form.text and not names.get(role) for role in ("friend", "other", "stranger"))
    text = form.alone if lacking else form.text
    for role, name in names.items():
        text = text.replace(f"{{{role}}}", name)
    return text


def most_talked_to(who: str, events: Iterable[tuple[int, Event]]) -> list[str]:
    """Return with whom *who* has talked, most often first, then by name."""
    talks: Counter[str] = Counter()
    for _, event in events:
        if isinstance(event, TalkStarted) and who in (event.who, *event.to):
            talks.update(name for name in (event.who, *event.to) if name != who)
    return [name for name, _ in sorted(talks.items(), key=lambda item: (-item[1], item[0]))]


def stranger(events: Iterable[tuple[int, Event]]) -> str:
    """Return the name of somebody who does not exist: neither part of it stands anywhere in the log."""
    said = [str(getattr(event, "text", "")) for _, event in events]
    people = [name for _, event in events if isinstance(event, RunStarted) for name in event.people]
    known = " ".join([*said, *people]).casefold()
    free = [[name for name in names if name.casefold() not in known] for names in (_FIRST, _LAST)]
    first = next(iter(free[0]), "Quorvek")
    return f"{first} {next(iter(free[1]), 'Zhentwhistle')}"
