"""What follows from a set of statements: company, habits, news, promises, feelings.

Each conclusion names what it rests on: every name, place and topic in it stands in one of those statements.
"""

from collections.abc import Iterator, Sequence

from sim.models.offline.associations import matters
from sim.models.offline.concluding import (
    CITED,
    Conclusion,
    clause_of,
    conclude,
    distinct,
    grouped,
    moments,
    related,
)
from sim.models.offline.reading import content_words, is_intention
from sim.models.offline.statements import Kind, Statement, listing, people_in


def conclusions(owner: str, statements: Sequence[Statement]) -> list[Conclusion]:
    """Return everything that follows from the *owner*'s statements, in no order of worth."""
    people = people_in(owner, statements)
    found: list[Conclusion] = []
    for person in people:
        theirs = [s for s in statements if person in s.people and s.kind is not Kind.THOUGHT]
        for read in (_company, _told, _met_and_told, _talks, _feeling):
            found += read(owner, person, theirs)
    found += _shared_doings(owner, statements)
    found += _news(owner, statements)
    found += _promises(owner, statements)
    found += _intentions(owner, statements)
    found += _habits(owner, statements)
    found += _between_others(owner, statements)
    found += matters(owner, statements)
    return found


def _company(owner: str, person: str, theirs: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield where, and at what, the owner keeps seeing a person."""
    seen = [s for s in theirs if s.who == person and s.kind in (Kind.ACT, Kind.PASSING)][:CITED]
    if len(seen) < 2:
        return
    places = distinct([statement.place for statement in seen])
    doings = distinct([statement.doing for statement in seen])
    where = f" at {listing(places)}" if places else ""
    what = f": {listing(doings)}" if doings else ""
    text = f"{owner} remembers {person} from {len(seen)} moments{where}{what}"
    yield conclude(text, seen, f"company {person}")


def _told(owner: str, person: str, theirs: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what a person confides to the owner in more than one sentence."""
    told = [s for s in theirs if s.kind is Kind.HEARD and s.who == person and s.news]
    things = grouped(told, lambda statement: statement.news[0])
    for first, second in zip(list(things), list(things)[1:], strict=False):
        both = [things[first][0], things[second][0]]
        yield conclude(f"{person} keeps {owner} informed: {first}; {second}", both, f"told {person}")


def _met_and_told(owner: str, person: str, theirs: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what a person said beside where, or at what, the owner saw that person."""
    told = [s for s in theirs if s.kind is Kind.HEARD and s.who == person and s.news]
    for news, same in grouped(told, lambda statement: statement.news[0]).items():
        for seen in theirs:
            if seen.kind is Kind.ACT and seen.who == person:
                where = f" at {seen.place}" if seen.place else ""
                text = f"{person}, whom {owner} saw {seen.doing}{where}, also told {owner}: {news}"
                yield conclude(text, [same[0], seen], f"seen and told {person}")


def _shared_doings(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what others do that the owner does as well."""
    acts = [statement for statement in statements if statement.kind is Kind.ACT]
    for doing, same in grouped(acts, lambda statement: statement.doing).items():
        cited = same[:CITED]
        others = distinct([statement.who for statement in cited if statement.who != owner])
        if others and any(statement.who == owner for statement in cited):
            cited = [statement for statement in cited if statement.who in (owner, *others)]
            places = distinct([statement.place for statement in cited])
            where = f", at {listing(places)}" if places else ""
            text = f"{listing([owner, *others])} have something in common: {doing}{where}{moments(cited, 3)}"
            yield conclude(text, cited, f"common {doing}", 1.2)


def _talks(owner: str, person: str, theirs: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield that owner and person are in touch, with what and where."""
    talks = [s for s in theirs if s.kind is Kind.TALK and s.to == person]
    words = [s for s in theirs if s.kind is Kind.HEARD and s.who == person]
    touch = [*talks, *words][:CITED]
    if len(touch) < 2:
        return
    places = distinct([statement.place for statement in talks])
    topics = distinct([statement.news[0] for statement in touch if statement.news], 1)
    where = f" at {listing(places)}" if places else ""
    what = f", also about this: {topics[0]}" if topics else ""
    text = f"{owner} and {person} are in touch{where}, in {len(touch)} moments of talk{what}"
    yield conclude(text, touch, f"talks {person}")


def _feeling(owner: str, person: str, theirs: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what a person is to the owner, beside what they had to do with each other."""
    feelings = [s for s in theirs if s.kind is Kind.FEELING and s.news]
    others = [s for s in theirs if s.kind is not Kind.FEELING][: CITED - 1]
    for feeling in feelings:
        known = feeling.news[0] if owner in feeling.news[0] else f"{owner} knows that {feeling.news[0]}"
        if len(others) < 2:
            text = f"{person} counts in the life of {owner}: {known}"
            yield conclude(text, [feeling], f"feeling {person}", 0.6)
        else:
            text = f"{known}, and remembers {person} from {len(others)} other moments"
            yield conclude(text, [feeling, *others], f"feeling {person}")
        for other in others:
            clause = clause_of(owner, other)
            if clause:
                yield conclude(f"{known}, and {clause}", [feeling, other], f"feeling {person}")


def _news(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what the owner knows of things to come, from whom, and what else bears on it."""
    for statement in statements:
        coming = [news for news in statement.news if is_intention(news)]
        if statement.kind not in (Kind.HEARD, Kind.OVERHEARD) or not coming:
            continue
        cited = [statement, *(s for s in statements if s is not statement and _tells(s, coming[0]))][:CITED]
        sources = listing(distinct([source.who for source in cited], CITED))
        text = f"{owner} knows from {sources} that {coming[0]}{moments(cited, 2)}"
        yield conclude(text, cited, f"news {coming[0]}", 1.2 if len(cited) > 1 else 0.6)
        for other in related(statement, statements, (Kind.PROMISE, Kind.TALK, Kind.ACT, Kind.INTENTION)):
            clause = clause_of(owner, other)
            if clause and clause != coming[0]:
                bearing = f"{owner} knows that {coming[0]}, and {clause}"
                yield conclude(bearing, [statement, other], f"news {coming[0]}", 1.2)


def _tells(statement: Statement, news: str) -> bool:
    """Return whether somebody says in *statement* what *news* says, of the same people."""
    wanted = set(content_words(news))
    told = statement.news if statement.kind in (Kind.HEARD, Kind.OVERHEARD) else ()
    return any(
        len(wanted & set(content_words(text))) >= 0.8 * len(wanted | set(content_words(text)))
        for text in told
    )


def _promises(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what the owner has agreed to, with whoever spoke of it."""
    for promise in (statement for statement in statements if statement.kind is Kind.PROMISE):
        spoken = related(promise, statements, (Kind.HEARD, Kind.TALK))[: CITED - 1]
        if not spoken:
            yield conclude(f"{owner} wants to keep a promise: to {promise.doing}", [promise], "promise", 0.7)
            continue
        names = distinct([s.who if s.kind is Kind.HEARD else s.to for s in spoken], CITED)
        text = f"{owner} agreed to {promise.doing}, having spoken with {listing(names)}{moments(spoken, 2)}"
        yield conclude(text, [promise, *spoken], f"promise {promise.doing}", 1.1)


def _intentions(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what the owner means to do, with what shows that it goes on."""
    for plan in statements:
        if plan.kind is not Kind.INTENTION or plan.who != owner or not plan.news:
            continue
        yield conclude(f"{owner} is set on this: {plan.news[0]}", [plan], "plan", 0.7)
        for other in related(plan, statements, (Kind.TALK, Kind.ACT, Kind.HEARD, Kind.PROMISE)):
            clause = clause_of(owner, other)
            if clause:
                yield conclude(f"{plan.news[0]}, and {clause}", [plan, other], f"plan {plan.news[0]}", 1.1)


def _habits(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield what the owner keeps doing, and what places are good for."""
    acts = [statement for statement in statements if statement.kind is Kind.ACT and statement.who == owner]
    for head, same in grouped(acts, lambda statement: statement.doing.split()[0]).items():
        if len(same) >= 2:
            places = distinct([statement.place for statement in same])
            doings = distinct([statement.doing for statement in same])
            where = f" at {listing(places)}" if places else ""
            cited = same[:CITED]
            text = f"{owner} spends {len(cited)} moments {listing(doings)}{where}"
            yield conclude(text, cited, f"habit {head}")
    for place, there in grouped(acts, lambda statement: statement.place).items():
        doings = distinct([statement.doing for statement in there])
        if place and len(doings) >= 2:
            cited = there[:CITED]
            text = f"{place} is where {owner} goes for {listing(doings)}, in {len(cited)} moments"
            yield conclude(text, cited, f"place {place}")


def _between_others(owner: str, statements: Sequence[Statement]) -> Iterator[Conclusion]:
    """Yield who else talks with whom, and who is seen at the same place."""
    overheard = [s for s in statements if s.kind is Kind.OVERHEARD and s.news and s.to != owner]
    for pair in grouped(overheard, lambda s: "\n".join(sorted((s.who, s.to)))).values():
        for statement in pair:
            cited = [statement, *(other for other in pair if other is not statement)][:CITED]
            text = (
                f"{owner} has noticed what {statement.who} and {statement.to} talk about{moments(cited, 2)}"
            )
            subject = f"others {statement.who}"
            yield conclude(f"{text}: {statement.news[0]}", cited, subject, 0.6 if len(cited) < 2 else 1.0)
    seen = [s for s in statements if s.kind in (Kind.ACT, Kind.PASSING) and s.who != owner and s.place]
    for place, there in grouped(seen, lambda statement: statement.place).items():
        people = distinct([statement.who for statement in there], 4)
        cited = [statement for statement in there if statement.who in people][:CITED]
        people = distinct([statement.who for statement in cited], 4)
        if len(people) >= 2:
            text = f"{place} is where {owner} comes across {listing(people)}, in {len(cited)} moments"
            yield conclude(text, cited, f"place {place}", 0.9)
