"""What of an answer is borne out by what somebody knows: names, numbers and matter, each looked up.

The rule. An answer is read sentence by sentence. A sentence that says that one does not know claims nothing. In any
other, a *name* (capitalised words that do not merely begin a sentence) must stand in what is known; so must a
*number* (clock times and dates are compared as such: 5 pm is 17:00), which the question may have brought up as
well; and of the other words that carry matter, names aside, where there are at least four, half must be known or
asked about, unless the sentence supposes (would, might, hope) or comes near some memory in meaning. A name that the
question brings up and nobody ever mentioned can only be denied: whatever else is said to it is unsupported. The
rule finds what was made up, not what was got wrong.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from memory.language.clock_times import HOUR, MINUTE, written_times
from memory.language.dates import CALENDAR, MONTHS, written_days
from memory.language.sentences import sentences
from memory.language.words import COMMON, folded, spans, stem, tokens

LEAST_WORDS, LEAST_SHARE = 4, 1 / 2  # shorter sentences hold more phrase than matter
LEAST_CLAIM = 2  # words of an answer that the memories shown for it are measured by

_NOT = r"(?:(?:do|did|have|could|can)(?: not|n['’]t)|cannot|can['’]t|(?:have )?never)"
_DENIES = re.compile(
    rf"\bI(?:['’]ve)? (?:(?:really|honestly|simply|quite|just) )?{_NOT} (?:(?:\w+ ){{0,2}})"
    r"(?:know|hear|heard|met|meet|say|tell|remember|recall|recogni[sz]e|decided|thought|come to)\b"
    r"|\b(?:no idea|not that I (?:know|remember|recall)|nothing (?:that )?I (?:know|remember)|means nothing to me)\b"
    r"|\bI (?:am|['’]m) (?:not|un)\s?(?:sure|aware|familiar)\b|\b(?:unknown|unfamiliar) to me\b"
    r"|\bI (?:have|know(?: of)?|remember) (?:no\b|nobody|nothing|no one)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(r"\b(?:would|might|could|should|(?-i:may)|hope|wish|perhaps|maybe|if)\b|['’]d\b", re.IGNORECASE)
_TURN = re.compile(r"[,;]?\s+(?=(?:but|though|although|however|only)\b)|;\s+", re.IGNORECASE)
_ACTS = re.compile(
    r"\s+(?:is|was|has|had|will|told|tells|said|says|asked|invited|gave|gives|works?|worked|lives?|loves?|likes?|met|and)\b"
)
_CAPITAL = f"[{''.join(c for c in map(chr, range(0x530)) if c.isupper())}]"  # Latin with accents, Greek, Cyrillic
_TITLE = rf"(?-i:(?:{_CAPITAL}['’])?{_CAPITAL}[^\W\d_]+(?:['’-][^\W\d_]+)*)"
_NAME = re.compile(rf"{_TITLE}(?:\s+(?:(?:of|de|da|van|von|del|la)\s+){{0,2}}{_TITLE})*")
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]?")
_TOLD = r"(?:tells?|told|says?|said|asks?|asked|invites?|invited|mentioned)"
_TELLS = re.compile(
    rf"(?P<who>{_NAME.pattern})\s+(?:(?:has|had|just|also|once)\s+)?{_TOLD}\b"
    rf"|\b(?:talk\w*|spoke|speak\w*|chat\w*)\s+(?:with|to)\s+(?P<with>{_NAME.pattern})"
)
_NOBODY = frozenset({"nobody", "no one", "somebody", "someone", "everybody", "everyone", "people", "one"})
_PLAIN = COMMON | CALENDAR


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

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Known":
        """Return what *texts* hold."""
        words: set[str] = set()
        numbers: set[str] = set()
        tellers: set[str] = set()
        texts = list(texts)
        for text in texts:
            words |= stems(text)
            numbers |= numbers_in(text, loosely=True)
            tellers |= tellers_in(text)
        return cls(frozenset(words), frozenset(numbers), frozenset(tellers), _folded("\n".join(texts)))

    def holds_name(self, name: str) -> bool:
        """Return whether a name is known, the words of a longer one side by side; days and months are no names."""
        for part in re.split(r"'s\b", _folded(name)):
            words = [word for word in part.split() if word not in CALENDAR]
            if not stems(part) - CALENDAR <= self.words or " ".join(words) not in self.text:
                return False
        return True


def _folded(text: str) -> str:
    return " ".join(folded(text).split())


def tellers_in(text: str) -> set[str]:
    """Return the names of those who, as *text* has it, told or asked something or were talked to, in small letters.

    What stands in quotation marks is left out: that is their telling, not the text's.
    """
    found = {_folded(match["who"] or match["with"]) for match in _TELLS.finditer(_QUOTED.sub(" ", text))}
    return {name for name in found if name not in _NOBODY | COMMON}


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
    parts = [part for sentence in sentences(answer) for part in _TURN.split(sentence) if part.strip()]
    claims = [part for part in parts if not denies(part)]
    asked = Known.of([question])
    found = [name for name in names_in(question) if not known.holds_name(name) and len(claims) == len(parts)]
    for part in claims:
        found += _unsupported(part, asked, known, near)
    return tuple(dict.fromkeys(found))


def claimed(answer: str) -> str:
    """Return what *answer* states: its parts that neither deny knowing nor suppose, one a line."""
    parts = [part for sentence in sentences(answer) for part in _TURN.split(sentence) if part.strip()]
    return "\n".join(part for part in parts if not denies(part) and not _SUPPOSES.search(part))


def unheld_in(statement: str, given: str, evidence: Iterable[str]) -> tuple[str, ...]:
    """Return the words of *statement* that nothing holds, if they are the greater part of it; () is held.

    Names are left out: who is named is looked up anyway, and a name alone holds no claim.

    Args:
        given: What was known without remembering: who one is, where, and what was asked.
        evidence: The memories shown for the statement.
    """
    apart = _PLAIN | stems(" ".join(names_in(statement)))
    told = {one: word for one, word in _stemmed(statement) if one not in apart}
    held = stems("\n".join([given, *evidence]))
    missing = [word for one, word in told.items() if one not in held]
    return tuple(missing) if len(told) >= LEAST_CLAIM and len(missing) > LEAST_SHARE * len(told) else ()


def denies(sentence: str) -> bool:
    """Return whether *sentence* says that one does not know."""
    return bool(_DENIES.search(sentence))


def _unsupported(sentence: str, asked: Known, known: Known, near: Callable[[str], bool]) -> list[str]:
    names = names_in(sentence)
    found = [name for name in names if not known.holds_name(name)]
    unheard = [name for name in sorted(tellers_in(sentence)) if not is_told_by([name], known.tellers)]
    found += [f"that {name.title()} said so" for name in unheard if known.holds_name(name)]
    found += sorted(numbers_in(sentence) - known.numbers - asked.numbers)
    apart = _PLAIN | stems(" ".join(names))
    told = {one: word for one, word in _stemmed(sentence) if one not in apart}
    missing = [word for one, word in told.items() if one not in known.words | asked.words]
    too_little = len(told) >= LEAST_WORDS and len(told) - len(missing) < LEAST_SHARE * len(told)
    is_made_up = too_little and not _SUPPOSES.search(sentence) and not near(sentence)
    return found + (missing if is_made_up else [])


def names_in(text: str) -> list[str]:
    """Return the capitalised words of *text* that do not merely begin a sentence, runs of them together."""
    names = []
    for sentence in sentences(text):
        begins = next(iter(spans(sentence)), None)
        for match in _NAME.finditer(sentence):
            name = match[0]
            if begins and match.start() == begins[0]:
                first, _, rest = name.partition(" ")
                acts = bool(rest) or bool(_ACTS.match(sentence, match.end()))
                name = name if acts and first.casefold() not in COMMON else rest
            if name and not stems(name) <= _PLAIN:
                names.append(name)
    return list(dict.fromkeys(names))


def numbers_in(text: str, *, loosely: bool = False) -> set[str]:
    """Return the numbers of *text*: ``17:00`` for a time, ``14 feb`` for a date, the digits of any other.

    Args:
        loosely: Add what else they may be called: the day alone, the full hour by either clock.
    """
    found: set[str] = set()
    rest = text
    for begin, end, second in written_times(text):
        hour, minute = second // HOUR, second % HOUR // MINUTE
        found.add(f"{hour:02}:{minute:02}")
        found |= {str(hour), str((hour - 1) % 12 + 1)} if loosely and not minute else set()
        rest = rest[:begin] + " " * (end - begin) + rest[end:]
    for begin, end, month, day in written_days(rest):
        found.add(f"{day} {MONTHS[month - 1][:3].casefold()}")
        found |= {str(day)} if loosely else set()
        rest = rest[:begin] + " " * (end - begin) + rest[end:]
    return found | {digits.lstrip("0") or "0" for digits in re.findall(r"\d+", rest)}


def matter(text: str) -> set[str]:
    """Return the stems of the words of *text* that say what it is about."""
    return stems(text) - _PLAIN


def checkable_in(text: str) -> set[str]:
    """Return what of *text* can be borne out: the stems of its matter, and its numbers."""
    return matter(text) | numbers_in(text)


def stems(text: str) -> set[str]:
    """Return the stems of the words of *text*; common words, days and months stay as they are."""
    return {one for one, _ in _stemmed(text)}


def _stemmed(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word of *text* that is no number, its stem first."""
    for word in tokens(text):
        bare = folded(word).removesuffix("'s")
        if not bare[:1].isdigit():
            yield bare if bare in _PLAIN else stem(bare), word
