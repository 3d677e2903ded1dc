"""A talk so far, how people are addressed in it, and its set phrases: greetings, thanks, sympathy, leave."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memory.language.sentences import sentences
from memory.language.words import content_words, overlap, words
from sim.offline.news import News
from sim.offline.variables import pick

_TITLE = re.compile(
    r"(?:mr|mrs|ms|miss|mx|dr|prof|professor|doctor|sir|lady|lord|dame|father|mother|sister|brother|rev|reverend|pastor|rabbi|imam"
    r"|cap|capt|captain|sgt|sergeant|lt|lieutenant|col|colonel|gen|general|major|maj|uncle|aunt|auntie|grandma|grandpa|granny"
    r"|don|doña|señor|señora|monsieur|madame|herr|frau|signor|signora|king|queen|prince|princess|judge|officer|chief|old|big|little)\.?",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"\w{2,5}\.")


class Talk(NamedTuple):
    """Who says what to whom."""

    me: str
    partner: str
    said: list[tuple[str, str]]

    @property
    def mine(self) -> list[str]:
        """One's own utterances."""
        return [text for who, text in self.said if who == self.me]

    @property
    def last(self) -> str:
        """The partner's latest words, "" if there are none."""
        return self.said[-1][1] if self.said and self.said[-1][0] == self.partner else ""

    def tells(self, item: News) -> bool:
        """Return whether somebody has told *item* in this talk."""
        return any(item.same_as(text) for _, text in self.said)

    def holds(self, text: str) -> bool:
        """Return whether a sentence of the talk says what *text* says."""
        mine = set(content_words(text))
        for _, utterance in self.said:
            for sentence in sentences(utterance):
                if words(sentence) == words(text):
                    return True
                shared = mine & set(content_words(sentence))
                if (mine and len(shared) >= 0.6 * len(mine)) or overlap(text, sentence) > 0.5:
                    return True
        return False

    def choose(self, options: Sequence[str], *keys: str) -> str:
        """Return one of *options* that nobody has said yet in this talk, "" if all were said."""
        first = pick(len(options), self.me, self.partner, *keys)
        turned = [*options[first:], *options[:first]]
        spoken = {tuple(words(s)) for _, text in self.said for s in sentences(text)}
        return next((option for option in turned if not any(tuple(words(s)) in spoken for s in sentences(option))), "")


def read_talk(me: str, partner: str, transcript: str) -> Talk:
    """Return the talk of a prompt's transcript, one utterance a line."""
    said = []
    for line in transcript.splitlines():
        for who in (me, partner):
            if line.startswith(f"{who}: "):
                said.append((who, line[len(who) + 2 :]))
                break
    return Talk(me, partner, said)


def address(name: str) -> str:
    """Return how one speaks to somebody called *name*: the first name, or the title with the last name."""
    parts = name.split()
    if len(parts) < 2 or not (_TITLE.fullmatch(parts[0]) or _ABBREVIATED.fullmatch(parts[0])):
        return parts[0] if parts else name
    return f"{parts[0]} {parts[-1]}"


AGREES = (
    "Thank you, I would love to come.", "I would be glad to come, thank you.", "Count me in, with pleasure.",
    "Gladly, I will be there.", "I would be happy to come.",
)  # fmt: skip
KNOWS = (
    "I have heard of it, and I am coming.",
    "So I have been told, and I mean to go.",
    "I know, and it is in my diary.",
)
PLEASED = ("How nice.", "Good, so we meet there.", "I am glad of that.", "That makes me happy.")
SORRY = (
    "What a pity.",
    "Perhaps another time, then.",
    "That is a shame, but I understand.",
    "A pity, but it cannot be helped.",
)
HEARS = (
    "Good to know, thank you.", "I had no idea!", "That is worth knowing.", "So that is how it is.",
    "Nobody has told me that before.", "I will keep it in mind.",
)  # fmt: skip
_SAD = ("I am sorry to hear that.", "That must be hard.", "Oh dear, I hope that it gets better.")
_GOOD = ("I am happy to hear that.", "How lovely.", "That sounds good.")
_PLAIN = (
    "Is that so?",
    "I can imagine.",
    "That is interesting.",
    "Well, well.",
    "Fancy that.",
    "There is always something.",
)
BUSY = ("The usual, thank you.", "This and that.", "Nothing much, to be honest.", "Oh, one thing and another.")
ACTIVE = ("Enjoy it.", "I should do that more often.", "Good for you.", "That sounds like you.")
TOLD = ("So I have heard.", "Yes, people speak of it.", "I know of it already.")
_MINGLES = ("Let me say hello to the others.", "I will look who else is here.", "Let us talk more later.")
UNKNOWN = ("I could not say.", "I do not know, I am afraid.", "You would have to ask somebody else.", "I wish I knew.")
WELL = ("Quite well, thank you.", "Well enough.", "Not too bad.", "I cannot complain.")
QUESTIONS = (
    "How is your day going?", "What keeps you busy these days?", "What have you been up to?", "What is new with you?",
    "How are you?", "What brings you here?",
)  # fmt: skip
WARM = ("It is good to see you.", "How nice to see you.", "I was hoping to meet you.", "You look well.")
OPENERS = ("Have you heard?", "Did you know?", "Has anybody told you yet?", "Have you been told?")
_LEAVES = (
    "I must get on now.", "I had better be going.", "I should get back to what I was doing.",
    "I will not keep you any longer.", "It was good talking to you.", "Time for me to move on.",
)  # fmt: skip
_BYES = ("Goodbye, {}.", "See you soon, {}.", "Take care, {}.", "Goodbye for now, {}.", "See you around, {}.")
_LATE_BYES = ("Good night, {}.", "Goodbye, {}.", "Good night for now, {}.", "See you soon, {}.")
_TROUBLE = re.compile(
    r"\b(?:leak\w*|lost|bad(?:ly)?|worr\w+|late|ill|sick|sad|miss(?:ed)?|afraid|fear\w*|broke\w*|died|dead|funeral|lonely"
    r"|tired|hard|gap|debts?|rent|pain\w*|hurt\w*|trouble\w*|cannot|can't|never|nobody"
    r"|fail\w*|quarrel\w*|impatient|too little)\b",
    re.IGNORECASE,
)
_JOY = re.compile(
    r"\b(?:lov(?:e|ed|ely)|likes?|enjoy\w*|glad|happy|proud|won|finish\w*|friends?|best|finally|bright|beautiful)\b",
    re.IGNORECASE,
)
_SET = frozenset(
    tuple(words(sentence))
    for phrase in (
        *AGREES,
        *KNOWS,
        *PLEASED,
        *SORRY,
        *HEARS,
        *_SAD,
        *_GOOD,
        *_PLAIN,
        *UNKNOWN,
        *WELL,
        *BUSY,
        *ACTIVE,
        *TOLD,
        *_MINGLES,
        *_LEAVES,
        *WARM,
    )
    for sentence in sentences(phrase)
)
_AFTER_DARK = 20  # the hour from which people wish each other a good night


def is_set(sentence: str) -> bool:
    """Return whether *sentence* is one of these phrases, and says nothing of its speaker."""
    return tuple(words(sentence)) in _SET


def greeting(talk: Talk, now: datetime) -> str:
    """Return the words that open a talk at this time of day."""
    day = "Good morning" if now.hour < 12 else "Good afternoon" if now.hour < 18 else "Good evening"
    ways = (day, "Hello", day, "Hi", day) if now.hour >= 4 else ("Hello",)
    return f"{ways[pick(len(ways), talk.me, talk.partner, str(now.date()))]}, {address(talk.partner)}."


def farewell(talk: Talk, now: datetime) -> str:
    """Return the words of leave at this time of day."""
    byes = _LATE_BYES if now.hour >= _AFTER_DARK or now.hour < 4 else _BYES
    name = address(talk.partner)
    return talk.choose([bye.format(name) for bye in byes], "bye", str(now)) or f"Goodbye, {name}."


def leave(talk: Talk, now: datetime, *, mingles: bool = False) -> str:
    """Return what one says who ends a talk; who *mingles* stays at what is going on and talks to others."""
    if mingles:
        return f"{talk.choose(_MINGLES, str(now))} See you later, {address(talk.partner)}.".strip()
    return f"{talk.choose(_LEAVES, 'leave', str(now))} {farewell(talk, now)}".strip()


def comment(talk: Talk, statement: str) -> str:
    """Return a short word on what the partner said of themselves."""
    if re.match(r"I am \w+ing\b", statement):
        return talk.choose(ACTIVE, statement)
    options = _SAD if _TROUBLE.search(statement) else _GOOD if _JOY.search(statement) else _PLAIN
    return talk.choose(options, statement)
