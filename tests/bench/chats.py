"""Makes chats of a user with an assistant, and questions about them: ``python -m tests.bench.chats FILE``.

Each chat has some twenty sessions over half a year: the user tells facts in passing, changes some of them later,
gives instructions and dates, and asks about many things; the assistant answers at length, with the question's own
words.  What is sought is mostly what the user said, sometimes what the assistant recommended.
"""

import json
import random
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

CHATS = 12
_SESSIONS = 20
_TOPICS = {
    "cooking": (
        "a vegetable curry",
        "sourdough bread",
        "a birthday cake",
        "pickled onions",
        "a lentil soup",
        "fresh pasta",
    ),
    "travel": (
        "a week in Lisbon",
        "the night train to Vienna",
        "hiking in Norway",
        "a trip to Kyoto",
        "camping by a lake",
    ),
    "fitness": ("running a half marathon", "my sore knee", "morning yoga", "swimming faster", "lifting weights safely"),
    "money": ("a monthly budget", "saving for a house", "my pension", "comparing insurance", "paying back a loan"),
    "software": (
        "a Flask service",
        "slow SQL queries",
        "unit tests",
        "a failing deployment",
        "parsing dates",
        "git branches",
    ),
    "garden": ("tomato seedlings", "a compost heap", "slugs on lettuce", "pruning roses", "a raised bed"),
    "reading": ("a book club pick", "science fiction classics", "poetry for beginners", "a reading plan"),
    "home": ("a leaking tap", "painting the hallway", "a noisy fridge", "insulating the attic", "sorting the cellar"),
}
_ADVICE = (
    "Start with the basics and write down what you already have, because most mistakes come from missing preparation.",
    "A common approach is to divide the work into steps, check each, and only then go on.",
    "Depending on your experience, you may want to compare two or three options before deciding.",
    "Keep an eye on cost, time and quality: you can usually have two of the three, so choose.",
    "Many people find it useful to set a fixed time each week, so that progress does not hang on the mood of the day.",
    "If something goes wrong, go back to the last point at which everything was fine and change one thing at a time.",
    "It is worth asking a friend or a professional for a second opinion when the result matters for a long time.",
    "For safety, read the instructions of the manufacturer first, and wear gloves or glasses wherever they advise it.",
    "In terms of tools, a good knife, a notebook, a timer and some patience will take you further than any gadget.",
    "Remember to review what worked at the end of the month, and to keep only what you would choose again today.",
)
# What the user tells: by attribute the sentence, the question, and values of which a later one may replace the first.
_FACTS = {
    "city": (
        "I live in {}, so keep that in mind.",
        "Which city do I live in?",
        ("Leeds", "Porto", "Graz", "Oslo", "Ghent"),
    ),
    "job": (
        "For my work as a {} I need this by Friday.",
        "What is my job?",
        ("nurse", "carpenter", "teacher", "surveyor"),
    ),
    "pet": ("My {} keeps interrupting me, sorry.", "What pet do I have?", ("beagle", "parrot", "tortoise", "kitten")),
    "allergy": (
        "Please note that I can't eat {}.",
        "Which food must I avoid?",
        ("peanuts", "shellfish", "gluten", "celery"),
    ),
    "partner": ("{} and I want to do this together.", "What is my partner's name?", ("Ines", "Tomas", "Wanda", "Kofi")),
    "car": ("We would drive there in our {}.", "What car do we have?", ("Skoda", "Volvo", "Fiat", "Subaru")),
    "budget": ("I can spend about {} euros on it.", "How much can I spend?", ("300", "750", "1200", "90")),
    "gym": ("I go to {} on most evenings.", "Where do I train?", ("the Iron Hall", "a boxing club", "the river pool")),
    "editor": ("I write everything in {}.", "Which editor do I use?", ("Neovim", "Emacs", "VS Code", "Kate")),
    "sister": ("My sister {} asked me about it too.", "What is my sister called?", ("Maud", "Petra", "Olga", "Rhea")),
    "course": (
        "I have just signed up for a course in {}.",
        "What course did I sign up for?",
        ("pottery", "Danish", "welding"),
    ),
    "sleep": (
        "I usually go to bed at {}.",
        "When do I go to sleep?",
        ("ten", "half past eleven", "one in the morning"),
    ),
}
_CHANGES = "Small correction: it is no longer {old}; from now on it is {new}."
_INSTRUCTIONS = {
    "Always answer me in bullet points.": "How should your answers be laid out?",
    "Never suggest anything with alcohol in it.": "What should you never suggest to me?",
    "Use metric units whenever you give me a number.": "Which units do I want?",
    "Call me Captain from now on.": "How do I want to be called?",
    "Keep code examples in Python only.": "Which language should code examples be in?",
}
_DATED = {
    "My {} appointment is on {}.": ("When is my {} appointment?", ("dentist", "bank", "visa", "haircut")),
    "The {} has to be handed in by {}.": (
        "What is the deadline of the {}?",
        ("tax return", "grant report", "thesis chapter"),
    ),
}
_PLACES = ("Cafe Mondrian", "the Blue Heron", "Ristorante Lupo", "the Old Mill", "Bistro Anouk", "Harbour Nine")


def chat(number: int) -> dict[str, Any]:
    """Return one chat with its questions, in our own labelled form."""
    dice = random.Random(number)
    when = datetime(2024, 1, 8, 9) + timedelta(days=dice.randrange(60))
    memories, questions = list[dict[str, str]](), list[dict[str, Any]]()
    facts = dice.sample(sorted(_FACTS), 8)
    asides = [("fact", name) for name in facts] + [("change", name) for name in facts[:3]]
    asides += [("instruction", text) for text in dice.sample(sorted(_INSTRUCTIONS), 2)]
    asides += [("date", text) for text in sorted(_DATED)] + [("place", text) for text in dice.sample(_PLACES, 2)]
    said: dict[str, tuple[str, str]] = {}
    for session in range(_SESSIONS):
        when += timedelta(days=dice.randrange(3, 14), hours=dice.randrange(8))
        topic = dice.choice(sorted(_TOPICS))
        subject = dice.choice(_TOPICS[topic])
        _say(memories, when, session, "user", f"Can you help me with {subject}? {_small_talk(dice)}")
        _say(memories, when, session, "assistant", _reply(dice, subject, topic))
        if session < len(asides):
            questions += _aside(dice, memories, when, session, *asides[session], said)
        _say(
            memories,
            when,
            session,
            "user",
            dice.choice(("Thanks! What else?", "Could you say more?", "Is there a cheaper way?")),
        )
        _say(memories, when, session, "assistant", _reply(dice, subject, topic))
    return {"name": f"chat {number}", "memories": memories, "questions": questions}


def _aside(
    dice: random.Random,
    memories: list[dict[str, str]],
    when: datetime,
    session: int,
    kind: str,
    what: str,
    said: dict[str, tuple[str, str]],
) -> list[dict[str, Any]]:
    """Tell something in passing, and return the questions about it."""
    own = str(len(memories))
    if kind == "fact":
        sentence, question, values = _FACTS[what]
        value = dice.choice(values)
        said[what] = (value, own)
        _say(memories, when, session, "user", f"{sentence.format(value)} {_small_talk(dice)}")
        return [{"question": question, "evidence": [own], "category": "fact"}]
    if kind == "change":
        sentence, question, values = _FACTS[what]
        old, first = said[what]
        new = dice.choice([value for value in values if value != old])
        changed = f"{sentence.format(new)} {_CHANGES.format(old=old, new=new)}"
        _say(memories, when, session, "user", changed)
        return [
            {"question": f"{question[:-1]} now?", "evidence": [own], "category": "update"},
            {"question": f"How has it changed: {question}", "evidence": [first, own], "category": "both"},
        ]
    if kind == "instruction":
        _say(memories, when, session, "user", what)
        return [{"question": _INSTRUCTIONS[what], "evidence": [own], "category": "instruction"}]
    if kind == "date":
        question, things = _DATED[what]
        thing, day = dice.choice(things), when + timedelta(days=dice.randrange(5, 40))
        _say(memories, when, session, "user", what.format(thing, f"{day.day} {day:%B}"))
        return [{"question": question.format(thing), "evidence": [own], "category": "date"}]
    own = str(len(memories) + 1)
    _say(memories, when, session, "user", "And where should we eat afterwards?")
    _say(memories, when, session, "assistant", f"I recommend {what}. {' '.join(dice.sample(_ADVICE, 4))}")
    return [{"question": "Which restaurant did you recommend to us?", "evidence": [own], "category": "assistant"}]


def _reply(dice: random.Random, subject: str, topic: str) -> str:
    lines = dice.sample(_ADVICE, dice.randrange(5, 9))
    return f"Happy to help you with {subject}. When it comes to {topic}, there is a lot to consider. {' '.join(lines)}"


def _small_talk(dice: random.Random) -> str:
    return dice.choice(
        ("", "I have an hour today.", "Does that make sense?", "It rains all day here.", "What do you think?")
    )


def _say(memories: list[dict[str, str]], when: datetime, session: int, who: str, text: str) -> None:
    at = when + timedelta(minutes=len(memories) % 60)
    memories.append(
        {
            "id": str(len(memories)),
            "text": text.strip(),
            "time": at.isoformat(),
            "speaker": who,
            "episode": f"session {session}",
        }
    )


def main() -> None:
    Path(sys.argv[1]).write_text(json.dumps([chat(number) for number in range(CHATS)], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
