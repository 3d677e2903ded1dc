"""What statements have to do with each other by the words they share, whatever they are about."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations

from sim.models.offline.concluding import Conclusion, clause_of, conclude, distinct
from sim.models.offline.reading import content_words, spans, tokens
from sim.models.offline.statements import Kind, Statement, listing
from sim.times import DAYS, MONTHS

_DAYS_AND_MONTHS = frozenset([*DAYS, *MONTHS])
# The words that conclusions themselves are made of: they connect nothing.
_OWN_TEXT = """
    seen often sees keeps informed saw know knows counts life talk talks talked touch common agreed
    wants want keep promise spoken spoke set spends spend much time place noticed comes coming
    reminds way lot also across having thinks together was tell overheard link moments remembers
"""
_OWN_WORDS = frozenset(_OWN_TEXT.split())


def matters(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield matters that come up more than once in what is neither act, coming and going, nor thought."""
    told = [s for s in statements if s.kind not in (Kind.ACT, Kind.PASSING, Kind.THOUGHT)]
    for first, second in combinations(told, 2):
        shared = first.matter & second.matter
        common = _common(first, second)
        if len(shared) >= 2 and common and first.text != second.text:
            people = distinct([s.who or s.to for s in (first, second) if s.who != owner])
            whom = f", by way of {listing(people)}" if people else ""
            text = f"{owner} keeps coming back to {common}{whom}"
            yield conclude(text, [first, second], f"matter {min(shared)}", 0.7)


def reminders(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield which earlier thought something seen, heard or done brings back, and what links two thoughts."""
    mine = {*content_words(owner), *_OWN_WORDS}
    thoughts = [statement for statement in statements if statement.kind is Kind.THOUGHT]
    for thought in thoughts:
        for other in statements:
            clause = clause_of(owner, other)
            common = _common(other, thought) if clause else ""
            addition = _addition(thought.text, mine, other.text, names_only=True)
            if common and addition:
                text = f"{clause}, which reminds {owner} of {addition}: {common}"
                yield conclude(text, [other, thought], "reminders")
    for first, second in combinations(thoughts, 2):
        common = _common(first, second)
        apart = [
            _addition(s.text, mine, t.text, names_only=True) for s, t in ((first, second), (second, first))
        ]
        if common and all(apart):
            text = f"{owner} sees a link between {listing(sorted(apart))}: {common}"
            yield conclude(text, [first, second], "links")


def together(owner: str, statements: Sequence[Statement]) -> list[Conclusion]:
    """Return statements in pairs that came to mind together: all that can be said where nothing else can."""
    found = []
    for first, second in combinations(statements, 2):
        if first.kind is second.kind is Kind.THOUGHT:
            continue
        apart = [
            _addition(first.text, {*_OWN_WORDS}, second.text),
            _addition(second.text, {*_OWN_WORDS}, first.text),
        ]
        if all(apart):
            text = f"{owner} thinks of {apart[0]} and of {apart[1]} together"
            found.append(conclude(text, [first, second], f"together {first.number}"))
    return found


def _addition(text: str, known: set[str], other: str, names_only: bool = False) -> str:
    """Return the first name, or else content word, of *text* neither *known* nor in *other*; "" if none."""
    known = {*known, *content_words(other)}
    written = tokens(text)
    found = ""
    for place, word in enumerate(written):
        if not set(content_words(word)) - known or word.isdigit() or word in _DAYS_AND_MONTHS:
            continue
        if word[0].isupper():
            return _name_from(text, written[place:])
        found = found or word
    return "" if names_only else found


def _name_from(text: str, written: Sequence[str]) -> str:
    """Return the capitalised words at the beginning of *written* that stand side by side in *text*."""
    name = written[0]
    for word in written[1:]:
        if not word[0].isupper() or word == "I" or f"{name} {word}" not in text:
            break
        name = f"{name} {word}"
    return name


def _common(first: Statement, second: Statement) -> str:
    """Return the longest stretch that two statements share, as the first has it; "" if there is none."""
    shared = (first.matter & second.matter) - _OWN_WORDS
    if not shared:
        return ""
    places = spans(first.text)
    left = [first.text[begin:end].lower() for begin, end in places]
    right = [word.lower() for word in tokens(second.text)]
    match = SequenceMatcher(None, left, right, autojunk=False).find_longest_match()
    carrying = [place for place, word in enumerate(left) if set(content_words(word)) & shared]
    inside = [place for place in carrying if match.a <= place < match.a + match.size] or carrying[:1]
    return first.text[places[inside[0]][0] : places[inside[-1]][1]] if inside else ""
