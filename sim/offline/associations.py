"""The matters that statements tell of, what these share, and the form of a conclusion from them."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations
from typing import NamedTuple

from memory.language.names import find_people
from memory.language.words import content_words, spans, tokens
from sim.offline.sayings import Said, brief, lowered, substance, that, topic_of, with_pronoun
from sim.offline.statements import WEIGHTS, Kind, Statement, listing

CITED = 12  # statements under one insight: about what three retrievals of five bring together
LONGEST = 160  # characters of an insight
_ALONE = 0.35  # one statement says less than what several show together
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Conclusion(NamedTuple):
    """One insight before it is written down."""

    text: str
    because: tuple[int, ...]
    weight: float
    subject: str
    """What sort of insight about whom: no two of a kind are wanted side by side."""


def conclude(text: str, because: Sequence[Statement], subject: str, extra: float = 1.0) -> Conclusion:
    """Return the conclusion; many statements weigh more than one, though less than their sum."""
    because = list({statement.number: statement for statement in because}.values())[:CITED]
    weight = sum(WEIGHTS[statement.kind] for statement in because) ** 0.5 * extra
    if len(because) == 1:
        weight *= _ALONE
    return Conclusion(" ".join(text.split()), tuple(statement.number for statement in because), weight, subject)


def times(count: int) -> str:
    """Return ``once``, ``twice``, ``three times``."""
    return {1: "once", 2: "twice"}.get(count, f"{_counted(count)} times")


def names(people: Sequence[str], most: int = 3) -> str:
    """Return ``Ann, Bob and two others``."""
    more = len(people) - most
    others = [f"{_counted(more)} other{'s' if more > 1 else ''}"] if more > 0 else []
    return listing([*people[:most], *others])


def _counted(count: int) -> str:
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


def distinct(values: Sequence[str], most: int = 3) -> list[str]:
    """Return the first *most* different values that are not empty."""
    return list(dict.fromkeys(value for value in values if value))[:most]


def at(places: Sequence[str]) -> str:
    """Return `` at Mill and Quay House`` for the first three different places, "" for none."""
    found = distinct(places)
    return f" at {listing(found)}" if found else ""


def grouped(statements: Sequence[Statement], key: Callable[[Statement], str]) -> dict[str, list[Statement]]:
    """Return the statements in groups by *key*, in the order of the first of each."""
    groups: dict[str, list[Statement]] = defaultdict(list)
    for statement in statements:
        groups[key(statement)].append(statement)
    return dict(groups)


_SAME = 0.7  # of the content words of the shorter of two clauses, in the other: they tell the same
# The words that conclusions themselves are made of: they connect nothing.
_OWN_TEXT = """
    seen often passed among cross paths particular come across talked talk with each other informed spoke share
    have something common spends much time makes habit days hold likes heard overheard knows through told word
    getting round speak everybody mind noticed lately twice three times others looking forward agreed worries
    weighs means keeps turning thinking source news both
"""
_OWN_WORDS = frozenset(_OWN_TEXT.split())


class Matter(NamedTuple):
    """One thing that the statements tell, however often."""

    text: str
    told: list[tuple[Statement, Said | None]]
    """Each statement that holds it with who said it; None where the owner knows it at first hand."""

    def voices(self, owner: str) -> list[str]:
        """Return who else speaks of it, in order of appearance."""
        return distinct([said.teller for _, said in self.told if said and said.teller != owner], CITED)


def matters_in(owner: str, statements: Sequence[Statement]) -> list[Matter]:
    """Return what the statements tell of, clauses that say the same of the same people together."""
    everyone = [owner, *dict.fromkeys(person for s in statements for person in sorted(s.people))]
    matters: list[Matter] = []
    for statement in statements:
        told: list[tuple[str, Said | None]] = [(said.text, said) for said in statement.said]
        if statement.fact and statement.kind in (Kind.OTHER, Kind.INTENTION):
            told.append((statement.fact, None))
        for text, said in told:
            same = next((m for m in matters if _tell_the_same(m.text, text, everyone)), None)
            if same is None:
                matters.append(Matter(text, [(statement, said)]))
            else:
                same.told.append((statement, said))
    return matters


def _tell_the_same(first: str, second: str, everyone: Sequence[str]) -> bool:
    """Return whether two clauses tell the same of the same people."""
    left, right = set(content_words(first)), set(content_words(second))
    if not left or not right or find_people(first, everyone) != find_people(second, everyone):
        return first == second
    return len(left & right) >= _SAME * min(len(left), len(right)) and len(left & right) >= 0.5 * len(left | right)


def knowledge(owner: str, matters: Sequence[Matter]) -> Iterator[Conclusion]:
    """Yield what the owner knows, from whom, and how it spreads: as long a clause as there is room for."""
    for matter in matters:
        cited = list({s.number: s for s, _ in matter.told}.values())[:CITED]
        topic = topic_of(matter.text)
        clauses = [that(matter.text), that(brief(matter.text)), *([f" of {topic}"] if topic else [])]
        for spread in _spreads(owner, matter):
            texts = [spread.before + _named(spread, clause) + spread.after for clause in clauses]
            text = next((text for text in texts if len(text) <= LONGEST), texts[-1])
            yield conclude(text, cited, f"news {matter.text}", spread.weight)
    yield from _two_from_one(owner, matters)


class _Spread(NamedTuple):
    """How something came to the owner and where it went: what stands before and after the clause that tells it."""

    before: str
    after: str
    weight: float
    subject: str = ""
    """Whose name the sentence begins with, so that a pronoun may stand for it."""


def _named(spread: _Spread, clause: str) -> str:
    """Return *clause* with a pronoun for whoever the sentence begins with."""
    name = spread.subject
    if clause.startswith(" that ") and name:
        return f" that {with_pronoun(clause.removeprefix(' that '), name)}"
    if name and clause.startswith(" of the ") and clause.endswith(f" of {name}"):
        return f" of their {clause[8 : -len(f' of {name}')]}"
    if clause.startswith(f" of {name}'s ") and name:
        return f" of their {clause.removeprefix(f' of {name}')[3:]}"
    return clause


def _spreads(owner: str, matter: Matter) -> Iterator[_Spread]:
    """Yield the ways to say how the matter came to the owner and where it went."""
    said = [one for _, one in matter.told if one]
    told = distinct([one.teller for one in said if one.to == owner and one.teller != owner], CITED)
    aside = distinct(
        [one.teller for one in said if owner not in (one.to, one.teller) and one.teller not in told], CITED
    )
    passed = distinct([one.to for one in said if one.teller == owner and one.to not in told], CITED)
    voices = [*told, *aside]
    if find_people(matter.text, [owner]):
        yield from _own(owner, voices, passed)
        return
    if len(voices) >= 3:
        yield _Spread(f"{owner} has heard from {names(voices)}", "; it seems to be on everybody's mind", 1.4)
    if len(told) == 1 and len(aside) == 1:
        after = f", and {owner} overheard {aside[0]} speak of it too"
        yield _Spread(f"{told[0]} has told {owner}", after, 1.2, told[0])
    elif len(voices) >= 2:
        yield _Spread(f"{owner} has heard from {names(voices)}", "", 1.2)
    if passed and voices:
        host = voices[0] if len(voices) == 1 else ""
        yield _Spread(
            f"Having heard from {names(voices, 2)}", f", {owner} has passed it on to {names(passed, 2)}", 0.9, host
        )
    elif passed:
        yield _Spread(f"{owner} has told {names(passed)}", "", 1.0)
    elif len(told) == 1 and not aside:
        yield _Spread(f"{told[0]} has told {owner}", "", 1.0, told[0])
        if not matter.text.startswith(told[0]):
            yield _Spread(f"It is through {told[0]} that {owner} knows", "", 1.0)
    elif len(aside) == 1 and not told:
        yield _Spread(f"{owner} has overheard {aside[0]} say", "", 0.9)


def _own(owner: str, voices: Sequence[str], passed: Sequence[str]) -> Iterator[_Spread]:
    """Yield the ways to say how word of the owner's own matter gets round."""
    if len(voices) >= 2:
        yield _Spread("Word is getting round", f": {names(voices)} speak of it", 1.3)
    elif voices:
        yield _Spread(f"{voices[0]} has heard", "", 1.0)
    if passed:
        yield _Spread(f"{owner} has told {names(passed)}", "", 1.1, owner)


def _two_from_one(owner: str, matters: Sequence[Matter]) -> Iterator[Conclusion]:
    """Yield two things that the owner has from the same person."""
    for first, second in combinations(matters, 2):
        for teller in distinct(first.voices(owner), CITED):
            topics = [topic_of(m.text) for m in (first, second)]
            if teller in second.voices(owner) and all(topics) and topics[0] != topics[1]:
                cited = [next(s for s, one in m.told if one and one.teller == teller) for m in (first, second)]
                text = f"{teller} is a source of news to {owner}, such as {topics[0]} and {topics[1]}"
                yield conclude(text, cited, f"talks {teller}", 0.8)


def shared(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield the person or place that two statements share: all that is left to say where nothing follows."""
    for first, second in combinations(statements, 2):
        for person in sorted(first.people & second.people):
            everything = [s for s in statements if person in s.people][:CITED]
            places = at([s.place for s in everything])
            yield conclude(f"{person} keeps turning up in the days of {owner}{places}", everything, person)
        for place in {first.place, second.place} - {""}:
            if place in first.text and place in second.text:
                yield conclude(f"{place} plays its part in the days of {owner}", [first, second], place, 0.7)


def linked(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield the stretch of words that two statements share."""
    for first, second in combinations(statements, 2):
        common = _common(first, second)
        if " " in common or common[:1].isupper():
            yield conclude(f"{owner} keeps thinking of {lowered(common)}", [first, second], common)


def side_by_side(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield two statements as they stand: for scripts that no rule here can read; a courtesy is none."""
    telling = [s for s in statements if content_words(s.text) and s.kind is not Kind.PASSING]
    telling = [s for s in telling if s.said or s.kind not in (Kind.HEARD, Kind.OVERHEARD, Kind.TALK)]
    for first, second in combinations(telling, 2):
        one, other = (re.sub(r"[\"“”]", "'", s.text).rstrip(" .") for s in (first, second))
        if one != other:
            yield conclude(f'{owner} has both in mind: "{one}" and "{other}"', [first, second], f"both {first.number}")


def _common(first: Statement, second: Statement) -> str:
    """Return the longest stretch of words that two statements share and that names a matter; "" if there is none."""
    places = spans(first.text)
    left = [first.text[begin:end].lower() for begin, end in places]
    right = [word.lower() for word in tokens(second.text)]
    match = SequenceMatcher(None, left, right, autojunk=False).find_longest_match()
    carries = [
        place
        for place in range(match.a, match.a + match.size)
        if left[place] in first.matter and substance(left[place]) - _OWN_WORDS
    ]
    if not carries or len(carries) > 5:
        return ""
    return first.text[places[carries[0]][0] : places[carries[-1]][1]]
