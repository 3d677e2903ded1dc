"""What of an answer is borne out by what somebody knows: names, numbers and matter, each looked up.

The rule. An answer is read sentence by sentence. A sentence that says that one does not know claims nothing. In any
other, a *name* (capitalised words that do not merely begin a sentence) must stand in what is known; so must a
*number* (clock times and dates are compared as such: 5 pm is 17:00, and what lies within a known span of hours is
known), which the question may have brought up as well; and of the other words that carry matter, names aside, where
there are at least four, half must be known or asked about, unless the sentence supposes (would, might, hope) or comes
near some memory in meaning. What a known text holds whole is borne out. A name that the question brings up and nobody
ever mentioned can only be denied: whatever else is said to it is unsupported. The rule finds what was made up, not
what was got wrong.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from memory.language.clock_times import DAY, HOUR, MINUTE, hours_in
from memory.language.dates import CALENDAR
from memory.language.names import names_in
from memory.language.numbers import numbers_in
from memory.language.reported_speech import tellers_in
from memory.language.sentences import holds, plain, sentences
from memory.language.speech_acts import denies, supposes
from memory.language.words import matter, stems

LEAST_WORDS, LEAST_SHARE = 4, 1 / 2  # shorter sentences hold more phrase than matter
LEAST_CLAIM = 2  # words of an answer that the memories shown for it are measured by

_STOCK = frozenset(stems("years old remember recall heard overheard told said"))  # of answering, not of the answer
_LEAST_QUOTED = 3  # words: fewer stand anywhere by chance
_TURN = re.compile(r"[,;]?\s+(?=(?:but|though|although|however|only)\b)|;\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Known:
    """What the texts that somebody may draw on hold."""

    words: frozenset[str]
    """Stems of all words."""
    numbers: frozenset[str]
    tellers: frozenset[str]
    """Who told or asked something, or was talked to, in small letters."""
    text: str
    """All texts, for names of several words."""
    spans: frozenset[tuple[int, int]] = frozenset()
    """Seconds of the day between which something known lasts."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Known":
        """Return what *texts* hold."""
        words: set[str] = set()
        numbers: set[str] = set()
        tellers: set[str] = set()
        spans: set[tuple[int, int]] = set()
        texts = list(texts)
        for text in texts:
            words |= stems(text)
            numbers |= numbers_in(text, loosely=True)
            tellers |= tellers_in(text)
            spans |= {(hours.start, hours.end) for hours in hours_in(text, set()) if hours.end is not None}
        known = plain("\n".join(texts))
        return cls(frozenset(words), frozenset(numbers), frozenset(tellers), known, frozenset(spans))

    def holds_number(self, number: str) -> bool:
        """Return whether a number is known, a time of day also where it lies within a span that is."""
        if number in self.numbers or ":" not in number:
            return number in self.numbers
        hour, minute = map(int, number.split(":"))
        second = hour * HOUR + minute * MINUTE
        return any(begin <= second <= end or begin <= second + DAY <= end for begin, end in self.spans)

    def holds_name(self, name: str) -> bool:
        """Return whether a name is known, the words of a longer one side by side; days and months are no names."""
        for part in re.split(r"'s\b", plain(name)):
            words = [word for word in part.split() if word not in CALENDAR]
            if not stems(part) - CALENDAR <= self.words or " ".join(words) not in self.text:
                return False
        return True


def is_quoted(sentence: str, text: str) -> bool:
    """Return whether *text* holds *sentence* whole, or what it brings after a colon ("I remember this: …")."""
    said = (one.strip(" .!?…\"'“”") for one in (sentence, sentence.partition(": ")[2]))
    return any(len(one.split()) >= _LEAST_QUOTED and holds(text, one) for one in said)


def is_told_by(tellers: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether one of *tellers* is one of *others*, be it by a part of the name."""
    known = [set(name.split()) for name in others]
    return any(words <= set(name.split()) or set(name.split()) <= words for name in tellers for words in known)


def unsupported_in(
    answer: str, question: str, known: Known, near: Callable[[str], bool] = lambda _: False
) -> tuple[str, ...]:
    """Return what *answer* claims and neither *known* nor, but for names, *question* holds; () is borne out.

    Args:
        known: All that the one who answers remembers, is told of themselves, and sees.
        near: Tells whether some memory means about the same as a sentence, whatever its words.
    """
    parts = _parts(answer)
    claims = [part for part in parts if not denies(part)]
    asked = Known.of([question])
    found = [name for name in names_in(question) if not known.holds_name(name) and len(claims) == len(parts)]
    for part in claims:
        found += _unsupported(part, asked, known, near)
    return tuple(dict.fromkeys(found))


def claimed(answer: str) -> str:
    """Return what *answer* states: its parts that neither deny knowing nor suppose, one a line."""
    return "\n".join(part for part in _parts(answer) if not denies(part) and not supposes(part))


def _parts(answer: str) -> list[str]:
    return [part for sentence in sentences(answer) for part in _TURN.split(sentence) if part.strip()]


def unheld_in(statement: str, given: str, evidence: Iterable[str]) -> tuple[str, ...]:
    """Return the words of *statement* that nothing holds, if they are the greater part of it; () is held.

    Names are left out: who is named is looked up anyway, and a name alone holds no claim.

    Args:
        given: What was known without remembering: who one is, where, and what was asked.
        evidence: The memories shown for the statement.
    """
    told = _said(statement)
    held = stems("\n".join([given, *evidence]))
    missing = [word for one, word in told.items() if one not in held]
    return tuple(missing) if len(told) >= LEAST_CLAIM and len(missing) > LEAST_SHARE * len(told) else ()


def _unsupported(sentence: str, asked: Known, known: Known, near: Callable[[str], bool]) -> list[str]:
    if is_quoted(sentence, known.text):
        return []
    names = names_in(sentence)
    found = [name for name in names if not known.holds_name(name)]
    unheard = [name for name in sorted(tellers_in(sentence)) if not is_told_by([name], known.tellers)]
    found += [f"that {name.title()} said so" for name in unheard if known.holds_name(name)]
    found += sorted(number for number in numbers_in(sentence) - asked.numbers if not known.holds_number(number))
    told = _said(sentence)
    missing = [word for one, word in told.items() if one not in known.words | asked.words]
    too_little = len(told) >= LEAST_WORDS and len(told) - len(missing) < LEAST_SHARE * len(told)
    is_made_up = too_little and not supposes(sentence) and not near(sentence)
    return found + (missing if is_made_up else [])


def checkable_in(text: str) -> set[str]:
    """Return what of *text* can be borne out: the stems of its matter, and its numbers."""
    return matter(text).keys() | numbers_in(text)


def _said(text: str) -> dict[str, str]:
    """Return the words of *text* that carry matter, names aside, by their stems."""
    names = stems(" ".join(names_in(text)))
    return {one: word for one, word in matter(text).items() if one not in names | _STOCK}
