"""A talk so far, as it stands in a prompt, and how people are addressed in it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from memory.language.sentences import sentences
from memory.language.words import content_words, overlap, words
from sim.offline.news import News
from sim.offline.summary import pick

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
