"""A talk so far: who said what to whom, and what of it was told already."""

from collections.abc import Iterable
from typing import NamedTuple

from memory.language.sentences import sentences
from memory.language.words import content_words, overlap, words


class Talk(NamedTuple):
    """A talk from the side of one of the two."""

    me: str
    partner: str
    said: list[tuple[str, str]]

    @property
    def mine(self) -> list[str]:
        """One's own utterances."""
        return [text for who, text in self.said if who == self.me]

    @property
    def last(self) -> str:
        """The partner's latest words, "" if they were not the last."""
        return self.said[-1][1] if self.said and self.said[-1][0] == self.partner else ""

    @property
    def texts(self) -> Iterable[str]:
        """All utterances."""
        return [text for _, text in self.said]

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


def read_talk(me: str, partner: str, transcript: str) -> Talk:
    """Return the talk of a prompt's transcript, one utterance a line."""
    said = []
    for line in transcript.splitlines():
        for who in (me, partner):
            if line.startswith(f"{who}: "):
                said.append((who, line[len(who) + 2 :]))
                break
    return Talk(me, partner, said)
