"""What somebody who looks back may ask: about people, about matters, about the own life."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from sim.offline.sayings import that, topic_of
from sim.offline.statements import Kind, Statement, listing, people_in

Weighed: TypeAlias = Sequence[tuple[Statement, float]]
_LONGEST = 110  # characters of what a question quotes


class Question(NamedTuple):
    """Something to ask, before it is chosen."""

    text: str
    about: str
    """No two questions about the same are asked together."""
    weight: float
    sort: str


def asked_of(owner: str, weighed: Weighed) -> list[Question]:
    """Return what may be asked, each with frequency times weight of the memories that it is about."""
    found: list[Question] = []
    for person in people_in(owner, [statement for statement, _ in weighed]):
        theirs = [(statement, weight) for statement, weight in weighed if person in (statement.who, statement.to)]
        found += _about_person(owner, person, theirs)
    found += _about_matters(owner, weighed)
    found += _about_days(owner, weighed)
    return found


def _about_person(owner: str, person: str, theirs: Weighed) -> Iterator[Question]:
    """Yield what to ask about a person, by what the memories of that person are made of."""
    whole = sum(weight for _, weight in theirs)
    own = sum(weight for statement, weight in theirs if owner in (statement.who, statement.to))
    place = _heaviest(theirs, lambda statement: statement.place)
    doing = _heaviest(theirs, lambda statement: statement.doing if statement.who == person else "")
    yield Question(f"What are {owner} and {person} to each other?", person, own, "person")
    yield Question(f"What does {owner} know about {person}?", person, whole * 0.5, "person")
    if doing and place and len(doing) <= _LONGEST:
        yield Question(f"What is {person} like, who was {doing} at {place}?", person, (whole - own) * 1.5, "person")
    others = {name for statement, _ in theirs for name in (statement.who, statement.to)} - {person, owner, ""}
    if others:
        pair = listing(sorted([person, min(others)]))
        yield Question(f"How well do {pair} know each other?", pair, (whole - own) * 0.6, "person")


def _about_matters(owner: str, weighed: Weighed) -> Iterator[Question]:
    """Yield what to ask about what people tell."""
    for statement, weight in weighed:
        for said in statement.said[:3]:
            topic = topic_of(said.text)
            if topic:
                yield Question(f"Who knows of {topic}, and from whom?", topic, weight * 2, "matter")
                yield Question(f"What does {owner} know of {topic}?", topic, weight * 2, "matter")
            elif len(said.text) <= _LONGEST and that(said.text).startswith(" that"):
                yield Question(f"Who knows{that(said.text)}?", said.text, weight * 1.5, "matter")
        if (
            statement.fact
            and len(statement.fact) <= _LONGEST
            and statement.kind is Kind.OTHER
            and that(statement.fact)[0] == " "
        ):
            yield Question(f"What does it mean to {owner}{that(statement.fact)}?", statement.fact, weight * 2, "matter")


def _about_days(owner: str, weighed: Weighed) -> Iterator[Question]:
    """Yield what to ask about the owner's own days, hopes and worries."""
    acts = [(s, weight) for s, weight in weighed if s.kind is Kind.ACT and s.who == owner]
    whole = sum(weight for _, weight in acts)
    place = _heaviest(acts, lambda statement: statement.place)
    doing = _heaviest(acts, lambda statement: statement.doing)
    if acts:
        where = f" at {place}" if place else ""
        yield Question(f"How does {owner} spend the days{where}?", "days", whole * 3, "life")
        if len(doing) <= _LONGEST:
            yield Question(f"What does {owner} do besides {doing}{where}?", "days", whole * 3, "life")
    minded = [weight for statement, weight in weighed if statement.fact]
    if minded:
        all_in_all = 3 * sum(minded)
        yield Question(f"What does {owner} worry about?", "worries", all_in_all, "life")
        yield Question(f"What does {owner} wish for and plan?", "wishes", all_in_all, "life")
    if any(s.kind is Kind.PROMISE for s, _ in weighed):
        yield Question(f"What is {owner} looking forward to?", "plans", whole + 4, "life")


def _heaviest(weighed: Weighed, key: Callable[[Statement], str]) -> str:
    """Return the *key* with most weight behind it; "" if every statement lacks one."""
    sums: dict[str, float] = defaultdict(float)
    for statement, weight in weighed:
        if key(statement):
            sums[key(statement)] += weight
    return max(sums, key=lambda value: sums[value], default="")
