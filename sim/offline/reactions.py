"""What somebody does at once when something happens: get away, help, see to it, enjoy it, or have a look."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

Rate = Callable[[str], int]
GRAVE, NOTABLE = 8, 5  # importance from which what fits no rule below is looked into, or at least looked at


class Reaction(NamedTuple):
    """What to do now."""

    do: str
    minutes: int
    flees: bool = False


_OVER = re.compile(
    r"\b(?:put out|under control|is over|are over|comes? back|is back|are back|works? again|false alarm|safe again"
    r"|drill|turns out to be nothing|stops? (?:raining|burning)"
    r"|(?:fire|smoke|flood|storm)\b.{0,20}\b(?:is|has) (?:out|gone|cleared|passed))\b",
    re.IGNORECASE,
)
_HAZARD = re.compile(
    r"(?<!light a )(?<!lights a )(?<!lit a )(?<!makes a )(?<!lights the )(?<!by the )\bfire\b"
    r"(?!\s*(?:stations?|brigade|engine|wood|side|drill))"
    r"|\b(?:smoke|flames|burning|burns down|gas|explod\w+|explosion|bomb|gunfire|shots?\s+(?:ring|are|is)"
    r"|flood\w*|landslide|avalanche|earthquake|tornado|hurricane|attack(?:s|ed)?|armed|stampede|poison\w*"
    r"|(?:roof|walls?|ceiling|bridge|floor|building|house|tower|stage|scaffold\w*)\b.{0,30}"
    r"\b(?:collaps\w+|falls? in|gives? way))\b",
    re.IGNORECASE,
)
_HURT = re.compile(
    r"\b(?:faint(?:s|ed)?|collaps\w+|unconscious|injur\w+|hurts?|bleed\w*|wounded|accident|chok(?:es|ing)|heart attack"
    r"|stroke|drown\w*|falls? (?:off|down|from|over|into)|crash\w*|(?:is|was) hit by|knocked (?:down|over)"
    r"|breaks? (?:an?|his|her|their) (?:leg|arm|ankle)|(?:cries?|calls?) for help|screams?|is (?:ill|sick)"
    r"|burnt? (?:his|her|their))\b",
    re.IGNORECASE,
)
_QUARREL = re.compile(
    r"\b(?:fights?|fighting|fist\w*|brawl\w*|punch\w*|shout\w* at|quarrel\w*|insult\w*|threaten\w*)\b", re.IGNORECASE
)
_WEATHER = re.compile(
    r"\b(?:thunder\w*|lightning|hail\w*|storm\w*|pour(?:s|ing) with rain|downpour|cloudburst|blizzard)\b", re.IGNORECASE
)
_DAMAGE = re.compile(
    r"\b(?:power|electricity|current|lights?|lamps?|heating|water|line)\b.{0,30}"
    r"\b(?:cut|fails?|failed|go(?:es)? (?:out|dark|off)|goes|stops?)\b"
    r"|\b(?:leak\w*|bursts?|breaks?(?: down)?(?! (?:out|into|the silence))|broken|out of order|jam(?:s|med)|shatter\w*"
    r"|smash\w*|spill\w*|overflow\w*|snaps?|stolen|missing)\b",
    re.IGNORECASE,
)
_JOY = re.compile(
    r"\b(?:music|sing(?:s|ing)?|songs?|band|danc\w+|fireworks?|parade|procession|free|cakes?|juggl\w+|circus|balloons?"
    r"|applau\w+|cheer\w*|ice cream|puppet\w*|celebrat\w*|wins?|won|rainbow|treats?|performs?|surprise)\b",
    re.IGNORECASE,
)
_ARRIVAL = re.compile(
    r"\b(?:letters?|parcels?|telegram|postcard|message|package|notice)\b"
    r"|\b(?:walks?|comes?|runs?|steps?|strolls?|bursts?) in\b|\benters?\b",
    re.IGNORECASE,
)
_RULES: tuple[tuple[re.Pattern[str], Reaction], ...] = (
    (_HAZARD, Reaction("keeping away until it is safe", 60, flees=True)),
    (_HURT, Reaction("helping where help is needed", 30)),
    (_QUARREL, Reaction("trying to calm everybody down", 15)),
    (_WEATHER, Reaction("taking shelter until it is over", 30)),
    (_DAMAGE, Reaction("seeing what can be done", 30)),
    (_JOY, Reaction("enjoying what is going on", 20)),
)


def reaction_to(happened: Sequence[str], rate: Rate) -> tuple[str, Reaction] | None:
    """Return what of *happened* matters most and what one does about it; None where they carry on."""
    found = [(text, reaction) for text in happened if (reaction := _reaction(text, rate)) is not None]
    order = [reaction.do for _, reaction in _RULES]

    def urgency(pair: tuple[str, Reaction]) -> tuple[int, int]:
        return (order.index(pair[1].do) if pair[1].do in order else len(order), -rate(pair[0]))

    return min(found, key=urgency, default=None)


def is_hazard(text: str) -> bool:
    """Return whether *text* tells of something to keep away from."""
    return bool(_HAZARD.search(text)) and not _OVER.search(text)


def _reaction(text: str, rate: Rate) -> Reaction | None:
    if _OVER.search(text):
        return None
    for pattern, reaction in _RULES:
        if pattern.search(text):
            return reaction
    if rate(text) >= GRAVE:
        return Reaction("finding out what has happened", 20)
    if rate(text) >= NOTABLE or _ARRIVAL.search(text):
        return Reaction("having a look at what is going on", 10)
    return None
