"""A made-up world to do research in: subjects that share their attributes and the values these can have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

SUBJECTS = 24
_ATTRIBUTES_EACH = 8
_CHATTER = 4  # sentences of a document that say nothing anyone asks for

_SYLLABLES = ("bar", "cor", "dun", "el", "fen", "gar", "hol", "il", "kel", "lor", "mar", "nor", "or", "pen", "quin",
              "ros", "sel", "tor", "ul", "ven", "wim", "yar")  # fmt: skip
_ENDINGS = ("bridge", "brook", "by", "combe", "den", "field", "ford", "gate", "ham", "holm", "mere", "mouth", "stead",
            "ton", "wick", "worth")  # fmt: skip
_KINDS = ("Observatory", "Lighthouse", "Viaduct", "Museum", "Watermill", "Botanic Garden", "Library", "Funicular")
_GIVEN = ("Ada", "Bruno", "Clara", "Dmitri", "Edith", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kirsten", "Leopold")
_FAMILY = ("Abbott", "Brandt", "Castell", "Dahl", "Ekberg", "Fontaine", "Gruber", "Hartley", "Ibsen", "Jansen",
           "Kowal", "Lindgren")  # fmt: skip
_STONES = ("granite", "sandstone", "limestone", "basalt", "slate", "brick", "oak", "cast iron")
_OWNERS = ("the county council", "a charitable trust", "the university", "a family company", "the water board",
           "the national railway", "a citizens' cooperative", "the church")  # fmt: skip
_MONTHS = ("January", "March", "April", "May", "June", "August", "September", "October", "November")


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that every subject may have: how documents state it, and how it can be asked for."""

    name: str
    states: tuple[str, ...]
    """``{s}`` is the subject, ``{v}`` the value."""
    asks: tuple[str, ...]
    """The same question in other words each; ``{s}`` is the subject."""


ATTRIBUTES = (
    Attribute("opened", ("{s} was opened to the public in {v}.", "The doors of {s} first opened in {v}."),
              ("When was {s} opened?", "In which year did {s} receive its first visitors?",
               "Since what year has {s} been open?")),
    Attribute("designer", ("The plans for {s} were drawn by {v}.", "{s} was designed by {v}, who never saw it done."),
              ("Who designed {s}?", "Which architect is behind {s}?", "Who drew the plans of {s}?")),
    Attribute("cost", ("Building {s} cost {v} crowns.", "The construction of {s} swallowed {v} crowns."),
              ("How much did it cost to build {s}?", "What was the price of constructing {s}?",
               "What sum was spent on putting up {s}?")),
    Attribute("visitors", ("About {v} people visit {s} every year.", "{s} counts some {v} visitors a year."),
              ("How many people visit {s} in a year?", "What is the annual attendance of {s}?",
               "How large a crowd does {s} draw each year?")),
    Attribute("director", ("Today {s} is run by {v}.", "The present director of {s} is {v}."),
              ("Who runs {s}?", "Who is in charge of {s} at present?", "What is the name of the head of {s}?")),
    Attribute("material", ("The walls of {s} are made of {v}.", "{s} was built from {v}, cut nearby."),
              ("What is {s} made of?", "Which material was used for the walls of {s}?",
               "What did the builders use for {s}?")),
    Attribute("height", ("{s} rises {v} metres above its foundations.", "At its highest {s} measures {v} metres."),
              ("How high is {s}?", "How many metres does {s} measure from bottom to top?", "How tall does {s} stand?")),
    Attribute("patron", ("The money for {s} was given by {v}.", "{v} paid for {s} out of a private fortune."),
              ("Who paid for {s}?", "Which benefactor financed {s}?", "Whose fortune made {s} possible?")),
    Attribute("owner", ("{s} belongs to {v}.", "The owner of {s} is {v}."),
              ("Who owns {s}?", "To whom does {s} belong?", "In whose possession is {s}?")),
    Attribute("restored", ("After a fire {s} was restored in {v}.", "{s} was thoroughly repaired in {v}."),
              ("When was {s} restored?", "In what year was {s} repaired?", "Which year saw the renovation of {s}?")),
    Attribute("festival", ("Every {v} a festival is held at {s}.", "{s} celebrates its feast in {v}."),
              ("In which month is the festival at {s}?", "When in the year does {s} celebrate?",
               "Which month brings the feast of {s}?")),
    Attribute("staff", ("{s} employs {v} people.", "A staff of {v} looks after {s}."),
              ("How many people work at {s}?", "How large is the staff of {s}?", "How many employees has {s}?")),
)  # fmt: skip

_OTHERS = (
    "People who know {o} often find the place familiar.",
    "It is not to be confused with {o}, which has a history of its own.",
    "The same newspapers that praised {o} were slow to take an interest.",
    "A path leads from there towards {o}, half a day away on foot.",
)
_ASIDES = (
    "In winter the approach is often closed by snow, and regulars leave their cars in the valley.",
    "Local schools come here for a day of drawing, and their sheets hang in the hall until the autumn.",
    "Letters from the early days survive, though few of them say much about the work itself.",
    "Photographs show how little of the surroundings has changed, except for the trees, which have grown tall.",
    "The guided tour takes an hour, with a pause for tea in what used to be the workshop.",
    "An anniversary book has been promised for years, but no publisher has been found for it.",
    "On quiet evenings one can hear the river from the terrace, and sometimes the trains beyond it.",
)


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
    people = [f"{given} {family}" for given in _GIVEN for family in _FAMILY]
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
        "material": list(_STONES),
        "owner": list(_OWNERS),
        "festival": list(_MONTHS[:8]),
    }


def _subjects(chance: np.random.Generator, number: int) -> list[str]:
    """Return names; several subjects stand at the same place, and all kinds recur."""
    places = dict[str, None]()
    while len(places) < max(2, number // 2):
        head = "".join(chance.choice(_SYLLABLES, 2 if chance.random() < 0.5 else 1))
        places[f"{head}{chance.choice(_ENDINGS)}".capitalize()] = None
    names = [f"{place} {kind}" for place in places for kind in _KINDS]
    return [names[at] for at in chance.choice(len(names), number, replace=False)]


def _document(
    chance: np.random.Generator, place: int, subjects: Sequence[str], pools: Mapping[str, Sequence[str]]
) -> Source:
    subject = subjects[place]
    chosen = [ATTRIBUTES[at] for at in chance.permutation(len(ATTRIBUTES))[:_ATTRIBUTES_EACH]]
    values = {attribute.name: str(chance.choice(pools[attribute.name])) for attribute in chosen}
    stated = {
        attribute.name: _capital(str(chance.choice(attribute.states)).format(s=subject, v=values[attribute.name]))
        for attribute in chosen
    }
    lines = list(stated.values())
    asides = [str(aside) for aside in chance.choice(_ASIDES, _CHATTER, replace=False)]
    other = subjects[(place + 1 + int(chance.integers(len(subjects) - 1))) % len(subjects)]
    for aside in [*asides, str(chance.choice(_OTHERS)).format(o=other)]:
        lines.insert(1 + int(chance.integers(len(lines))), aside)
    return Source(f"source {place + 1}", subject, values, stated, " ".join(lines))


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
