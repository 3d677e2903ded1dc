"""What follows from a set of statements about people and days: relationships, habits, plans, worries.

Each conclusion names its owner and what it rests on: every name, place and topic in it stands in those statements.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from memory.language.words import content_words
from sim.offline.associations import (
    CITED,
    Conclusion,
    Matter,
    at,
    conclude,
    distinct,
    grouped,
    knowledge,
    matters_in,
    names,
    times,
)
from sim.offline.sayings import brief, lowered, substance, that, topic_of, with_pronoun
from sim.offline.statements import Kind, Statement, listing, people_in

_TRIVIAL = re.compile(
    r"(?:getting (?:ready|dressed|up)|spending time|washing|waiting|looking around|sleeping|having a rest|resting"
    r"|taking a (?:walk|break|rest)|going|walking to|standing|sitting)\b",
    re.IGNORECASE,
)
_WORRY = re.compile(
    r"\b(?:lost|lose|bad|worr\w+|behind|ill|sick|sad|afraid|fear\w*|broke\w*|died|dead|lonely|alone|tired|hard|gap|debts?|hurts?"
    r"|rent|pain|shakes?"
    r"|trouble\w*|cannot|can't|never|not|nobody|neither|fail\w*|quarrel\w*|runs? out|running low|cough"
    r"|slow|useless|thin month|raised its prices|turned down|stung|owes?|sags|nervous|has to|restless|quieter|due|wrong"
    r"|dislikes?|broken|ends)\b",
    re.IGNORECASE,
)
_BE_AT = re.compile(
    r"be at (?P<place>.{1,80}?) on (?P<day>.{1,40}?)(?: \d{4})? from (?P<hours>\S+ to \S+?)(?:: (?P<do>.+))?", re.DOTALL
)


def conclusions(owner: str, statements: Sequence[Statement]) -> list[Conclusion]:
    """Return everything that follows from the *owner*'s statements, in no order of worth."""
    people = people_in(owner, statements)
    matters = matters_in(owner, statements)
    found: list[Conclusion] = []
    for person in people:
        theirs = [s for s in statements if person in s.people and s.kind is not Kind.THOUGHT]
        for read in (_company, _talks, _bond, _paths):
            found += read(owner, person, theirs)
        found += _paths_crossed(owner, person, statements)
    found += _shared_doings(owner, statements)
    found += knowledge(owner, matters)
    found += _promises(owner, statements, matters)
    found += _cares(owner, statements)
    found += _habits(owner, statements)
    found += _between_others(owner, statements)
    return found


def _company(owner: str, person: str, theirs: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield where, and at what, the owner keeps seeing a person."""
    seen = [s for s in theirs if s.who == person and s.kind is Kind.ACT]
    seen = [s for s in seen if not _TRIVIAL.match(s.doing)][:CITED]
    for place, there in grouped(seen, lambda s: s.place).items():
        if place and len(there) >= 2:
            often = "often" if len(there) > 2 else times(2)
            text = f"{owner} has {often} seen {person} at {place}, {listing(distinct([s.doing for s in there]))}"
            yield conclude(text, there, f"company {person}", 1.7)
    for first, second in combinations(seen, 2):
        if first.place != second.place and first.place and second.place and first.doing != second.doing:
            text = f"{owner} knows {person} from {first.place}, {first.doing}, and from {second.place}, {second.doing}"
            yield conclude(text, [first, second], f"company {person}", 1.3)


def _paths(owner: str, person: str, theirs: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield where a person comes and goes before the owner's eyes."""
    seen = [s for s in theirs if s.who == person and s.kind in (Kind.ACT, Kind.PASSING) and s.place][:CITED]
    if len(seen) >= 2:
        often = "often" if len(seen) > 2 else times(len(seen))
        yield conclude(
            f"{owner} has {often} come across {person}{at([s.place for s in seen])}", seen, f"company {person}", 0.8
        )


def _paths_crossed(owner: str, person: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield places that the owner and a person both spend time at."""
    acts = [s for s in statements if s.kind is Kind.ACT and s.place]
    for place, there in grouped(acts, lambda s: s.place).items():
        mine, theirs = ([s for s in there if s.who == who] for who in (owner, person))
        if mine and theirs and mine[0].doing != theirs[0].doing:
            doings = f"{owner} was {mine[0].doing} and {person} was {theirs[0].doing}"
            text = f"{owner} and {person} cross paths at {place}: {doings}"
            dull = any(_TRIVIAL.match(s.doing) for s in (mine[0], theirs[0]))
            yield conclude(text, [mine[0], theirs[0]], f"company {person}", 0.5 if dull else 1.3)


def _shared_doings(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what others do that the owner does as well."""
    acts = [s for s in statements if s.kind is Kind.ACT and not _TRIVIAL.match(s.doing)]
    for doing, same in grouped(acts, lambda s: s.doing).items():
        people = distinct([s.who for s in same if s.who != owner])
        cited = [s for s in same if s.who in (owner, *people)][:CITED]
        if people and any(s.who == owner for s in cited):
            text = f"{listing([owner, *people])} have something in common: {doing}{at([s.place for s in cited])}"
            yield conclude(text, cited, f"common {doing}", 1.7)


def _talks(owner: str, person: str, theirs: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield that owner and person are in touch: how often, where, and about what."""
    talks = [s for s in theirs if s.kind is Kind.TALK and s.to == person]
    touch = [*talks, *(s for s in theirs if s.kind is Kind.HEARD and s.who == person)][:CITED]
    if len(touch) < 2:
        return
    seen = [s for s in theirs if s.kind in (Kind.ACT, Kind.PASSING) and s.who == person and s.place][:2]
    places = [s.place for s in (*talks, *seen)]
    told, telling = _topics(touch, person), _topics(touch, owner)
    telling = [topic for topic in telling if topic not in told]
    about = distinct([*(s.doing for s in talks), *told, *telling], 2)
    often = (
        f"have talked {times(2)}"
        if len(talks) == 2
        else "have talked lately"
        if len(talks) < 2
        else "talk to each other often"
    )
    base = f"{owner} and {person} {often}"
    subject, weight = f"talks {person}", 1.0 if len(talks) > 1 else 0.6
    if told and telling:
        mine, other = (_with_their(topic, who) for topic, who in ((telling[0], owner), (told[0], person)))
        text = f"{owner} and {person} keep each other informed: {owner} spoke of {mine}, {person} of {other}"
        yield conclude(text, touch, subject, weight)
    if about:
        yield conclude(f"{base}, among other things about {listing(about)}", touch, subject, weight)
    if seen:
        about = about[:1]
        text = f"{base}, and {'have met' if len(seen) == 1 else 'meet'}{at(places)}"
        yield conclude(text, [*touch, *seen], subject, weight)
        if about:
            text = f"{base}, about {about[0]} for one, and {person} is to be met{at(places)}"
            yield conclude(text, [*touch, *seen], subject, weight * 1.2)


def small_talk(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield who the owner has talked with of nothing: a last resort, in the same words each time, however often."""
    told = {s.text.rstrip(".") for s in statements if s.kind is Kind.THOUGHT}
    for person in people_in(owner, statements):
        touch = [s for s in statements if s.kind in (Kind.TALK, Kind.HEARD) and person in (s.to, s.who)]
        text = f"{owner} and {person} have talked, though of nothing in particular"
        if len(touch) >= 2 and text not in told and not any(s.said for s in touch):
            yield conclude(text, touch, f"talks {person}", 0.4)


def _with_their(topic: str, name: str) -> str:
    """Return the topic with ``their`` for the possessive of *name*."""
    return re.sub(rf"^{re.escape(name)}['’]s ", "their ", topic)


def _topics(touch: Sequence[Statement], teller: str) -> list[str]:
    """Return what *teller* spoke of."""
    return distinct([topic_of(said.text) for s in touch for said in s.said if said.teller == teller], 2)


def _bond(owner: str, person: str, theirs: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what the owner thinks of a person, beside what they have to do with each other."""
    thoughts = [s for s in theirs if s.fact and s.kind in (Kind.FEELING, Kind.OTHER, Kind.INTENTION)]
    talks = [s for s in theirs if s.kind in (Kind.TALK, Kind.HEARD) and person in (s.to, s.who)][:CITED]
    seen = [s for s in theirs if s.kind is Kind.ACT and s.who == person and not _TRIVIAL.match(s.doing)]
    for thought in thoughts:
        known = _of_owner(owner, thought)
        weight = 1.3 if thought.kind is Kind.FEELING else 1.1
        subject = f"bond {person} {thought.number}"
        whom = "the two" if owner in thought.fact else f"{owner} and {person}"
        if talks:
            count = len([s for s in talks if s.kind is Kind.TALK])
            often = f" {times(count)}" if count > 1 else ""
            yield conclude(f"{known}, and {whom} have talked{often} lately", [thought, *talks], subject, weight)
        for act in seen[:3]:
            text = f"{known}, and has seen {person} {act.doing}{at([act.place])}"
            if known.startswith(f"{owner} ") and f"{owner} and" not in known:
                yield conclude(text, [thought, act], subject, weight)
            else:
                text = f"{known}, and {person} was {act.doing}{at([act.place])}"
                yield conclude(text, [thought, act], subject, weight)
        if not talks and not seen:
            yield conclude(f"{known}: {person} counts in the life of {owner}", [thought], subject, 0.6)


def _of_owner(owner: str, thought: Statement) -> str:
    """Return the fact, said to be in the owner's mind where it does not mention the owner."""
    if owner in thought.fact:
        return thought.fact
    return f"{owner} has noticed{that(thought.fact)}"


def _promises(owner: str, statements: Sequence[Statement], matters: Sequence[Matter]) -> Iterator[Conclusion]:
    """Yield what the owner has agreed to, with whoever spoke of it."""
    for promise in (s for s in statements if s.kind is Kind.PROMISE):
        read = _BE_AT.fullmatch(promise.doing)
        words = set(content_words(promise.doing))
        near = [m for m in matters if len(words & set(content_words(m.text))) >= 3 and m.voices(owner)]
        told = [s for m in near[:1] for s, _ in m.told][: CITED - 1]
        if read:
            do = read["do"] if read["do"] and len(read["do"]) <= 50 else ""
            what = f"{lowered(do)} at {read['place']}" if do else f"being at {read['place']}"
            text = f"{owner} is looking forward to {what} on {read['day']} from {read['hours']}"
        else:
            text = f"{owner} has agreed to {promise.doing}"
        yield conclude(text, [promise, *told], "promise", 0.9 if near else 1.2)
        if near:
            voices = [who for who in near[0].voices(owner) if who not in text]
            for most in sorted({1, min(2, len(voices)), len(voices)} if voices else ()):
                also = f"{text}, which {names(voices[:most])} {'speaks' if most == 1 else 'speak'} of too"
                cited = [promise, *(s for s in told if s.who in voices[:most] or s.to in voices[:most])]
                yield conclude(also, cited if most < len(voices) else [promise, *told], "promise", 1.1)


def _cares(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what the owner worries about, wishes and means to do, singly and side by side."""
    own = [s for s in statements if s.fact and s.kind in (Kind.OTHER, Kind.INTENTION, Kind.FEELING)]
    for first, second in combinations(own, 2):
        if first.fact != second.fact and substance(first.fact) and substance(second.fact):
            worried = all(_WORRY.search(s.fact) for s in (first, second))
            lead = "has two worries" if worried else "has two things in mind"
            one, other = (lowered(with_pronoun(brief(s.fact), owner)) for s in (first, second))
            yield conclude(f"{owner} {lead}: {one}, and {other}", [first, second], f"cares {first.number}", 0.9)
    for thought in own:
        lead = "It weighs on" if _WORRY.search(thought.fact) else "It means much to"
        if owner in thought.fact or _WORRY.search(thought.fact):
            text = f"{lead} {owner}{_that_they(owner, thought.fact)}"
            yield conclude(text, [thought], f"cares {thought.number}", 0.9)
        else:
            yield conclude(_of_owner(owner, thought), [thought], f"cares {thought.number}", 0.6)
        for act in (s for s in statements if s.kind is Kind.ACT and s.who == owner):
            if len(thought.matter & act.matter & substance(act.doing)) >= 1 and owner in thought.fact:
                text = f"{thought.fact}, and {owner} was {act.doing}{at([act.place])}"
                yield conclude(text, [thought, act], f"cares {thought.number}", 1.1)


def _that_they(owner: str, fact: str) -> str:
    """Return `` that`` and the fact, with a pronoun for the owner where it begins with the name."""
    clause = that(fact)
    return f" that {with_pronoun(clause[6:], owner)}" if clause.startswith(" that ") else clause


def _habits(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what the owner keeps doing, and where."""
    acts = [s for s in statements if s.kind is Kind.ACT and s.who == owner]
    acts = [s for s in acts if not _TRIVIAL.match(s.doing)][:CITED]
    for place, there in grouped(acts, lambda s: s.place).items():
        doings = distinct([s.doing for s in there])
        if place and len(there) >= 2:
            lead = "spends much time" if len(there) > 2 else "likes to spend time"
            yield conclude(f"{owner} {lead} at {place}, {listing(doings)}", there, f"place {place}", 1.7)
    for head, same in grouped(acts, lambda s: s.doing.split()[0]).items():
        places = distinct([s.place for s in same])
        if len(same) >= 2 and len(places) != 1:
            text = f"{owner} makes a habit of {listing(distinct([s.doing for s in same]))}{at(places)}"
            yield conclude(text, same, f"habit {head}", 1.7)
    for first, second in combinations(acts, 2):
        if first.place != second.place and first.doing.split()[0] != second.doing.split()[0]:
            text = (
                f"The days of {owner} hold both {first.doing}{at([first.place])} and {second.doing}{at([second.place])}"
            )
            yield conclude(text, [first, second], "days", 1.2)


def _between_others(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield who else talks with whom, and who is seen at the same place."""
    overheard = [s for s in statements if s.kind is Kind.OVERHEARD and s.to != owner]
    for pair in grouped(overheard, lambda s: "\n".join(sorted((s.who, s.to)))).values():
        topics = distinct([topic_of(said.text) for s in pair for said in s.said], 2)
        about = f" about {listing(topics)}" if topics else " with each other"
        text = f"{owner} has overheard {listing(sorted({pair[0].who, pair[0].to}))} talk{about}"
        if topics or len(pair) > 1:
            more = f" {times(len(pair))}" if len(pair) > 1 and not topics else ""
            yield conclude(f"{text}{more}", pair, f"others {min(pair[0].who, pair[0].to)}", 0.9 if topics else 0.4)
    seen = [s for s in statements if s.kind in (Kind.ACT, Kind.PASSING) and s.who != owner and s.place]
    for place, there in grouped(seen, lambda s: s.place).items():
        people = distinct([s.who for s in there], 4)
        cited = [s for s in there if s.who in people][:CITED]
        if len(people) >= 2:
            yield conclude(
                f"{place[:1].upper()}{place[1:]} is where {owner} meets {listing(people)}", cited, f"place {place}", 1.2
            )
