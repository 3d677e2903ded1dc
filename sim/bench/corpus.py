"""A made-up world to do research in: subjects that share their attributes and the values these can have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from sim.scenario.strict_yaml import parse_yaml

SUBJECTS = 24
_ATTRIBUTES_EACH = 8
_CHATTER = 4  # sentences of a document that say nothing anyone asks for


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that every subject may have: how documents state it, and how it can be asked for."""

    name: str
    states: tuple[str, ...]
    """``{s}`` is the subject, ``{v}`` the value."""
    asks: tuple[str, ...]
    """The same question in other words each; ``{s}`` is the subject."""


@cache
def _world() -> Mapping[str, Any]:
    """Return what ``world.yaml`` holds."""
    read: Mapping[str, Any] = parse_yaml((files("sim.bench") / "world.yaml").read_text("utf-8"), "world.yaml").plain()
    return read


@cache
def attributes() -> Mapping[str, Attribute]:
    """Return all that subjects may have, by name."""
    told = _world()["attributes"]
    return {one["name"]: Attribute(one["name"], tuple(one["states"]), tuple(one["asks"])) for one in told}


@dataclass(frozen=True, slots=True)
class Source:
    """A document on one subject."""

    id: str
    subject: str
    values: Mapping[str, str]
    """By attribute, in the order in which the document states them."""
    statements: Mapping[str, str]
    text: str

    def with_value(self, attribute: str, value: str) -> "Source":
        """Return the document with another value of one attribute."""
        stated = self.statements[attribute]
        fresh = stated.replace(self.values[attribute], value)
        return Source(
            self.id, self.subject, {**self.values, attribute: value}, {**self.statements, attribute: fresh},
            self.text.replace(stated, fresh),
        )  # fmt: skip


def sources(chance: np.random.Generator, number: int = SUBJECTS) -> list[Source]:
    """Return documents of about 150 words on *number* subjects."""
    subjects, pools = _subjects(chance, number), value_pools(chance)
    return [_document(chance, place, subjects, pools) for place in range(number)]


def value_pools(chance: np.random.Generator) -> dict[str, list[str]]:
    """Return by attribute the values that it can have; several subjects share each of them."""
    people = [f"{given} {family}" for given in _world()["given"] for family in _world()["family"]]
    chance.shuffle(people)
    years = [str(year) for year in sorted(chance.choice(np.arange(1821, 1988), 16, replace=False))]
    return {
        "opened": years[:8],
        "restored": years[8:],
        "designer": people[:8],
        "director": people[8:16],
        "patron": people[16:24],
        "cost": [f"{int(sum_):,}" for sum_ in chance.choice(np.arange(110, 990), 8, replace=False) * 1000],
        "visitors": [f"{int(crowd):,}" for crowd in chance.choice(np.arange(11, 99), 8, replace=False) * 1000],
        "height": [str(metres) for metres in chance.choice(np.arange(14, 60), 8, replace=False)],
        "staff": [str(people) for people in chance.choice(np.arange(61, 99), 8, replace=False)],
        "material": list(_world()["stones"]),
        "owner": list(_world()["owners"]),
        "festival": _world()["months"][:8],
    }


def _subjects(chance: np.random.Generator, number: int) -> list[str]:
    """Return names; several subjects stand at the same place, and all kinds recur."""
    places = dict[str, None]()
    while len(places) < max(2, number // 2):
        head = "".join(chance.choice(_world()["syllables"], 2 if chance.random() < 0.5 else 1))
        places[f"{head}{chance.choice(_world()['endings'])}".capitalize()] = None
    names = [f"{place} {kind}" for place in places for kind in _world()["kinds"]]
    return [names[at] for at in chance.choice(len(names), number, replace=False)]


def _document(
    chance: np.random.Generator, place: int, subjects: Sequence[str], pools: Mapping[str, Sequence[str]]
) -> Source:
    subject = subjects[place]
    known = list(attributes().values())
    chosen = [known[at] for at in chance.permutation(len(known))[:_ATTRIBUTES_EACH]]
    values = {attribute.name: str(chance.choice(pools[attribute.name])) for attribute in chosen}
    stated = {
        attribute.name: _capital(str(chance.choice(attribute.states)).format(s=subject, v=values[attribute.name]))
        for attribute in chosen
    }
    lines = list(stated.values())
    asides = [str(aside) for aside in chance.choice(_world()["asides"], _CHATTER, replace=False)]
    other = subjects[(place + 1 + int(chance.integers(len(subjects) - 1))) % len(subjects)]
    for aside in [*asides, str(chance.choice(_world()["others"])).format(o=other)]:
        lines.insert(1 + int(chance.integers(len(lines))), aside)
    return Source(f"source {place + 1}", subject, values, stated, " ".join(lines))


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
