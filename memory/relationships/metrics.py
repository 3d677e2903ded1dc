"""Four numbers of one resident towards another: how they begin, fade with time and move with what is said and done."""

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from memory.arguments import is_number, shown
from memory.errors import InputError
from memory.relationships.serialization import Saved

METRICS = ("affinity", "trust", "conflict", "humor")
LOW, HIGH = -5.0, 5.0
_LARGEST_STEP = 1.0


def fade(hours: float, half_life_hours: float | None) -> float:
    """Return the factor that is left after *hours*: ``exp(-rate * hours)`` with ``rate = ln 2 / half-life``.

    Nothing fades without a half-life, nor backwards in time.  Fading for a while and then for another while is
    fading for both at once.
    """
    if half_life_hours is None or hours <= 0:
        return 1.0
    return math.exp(-math.log(2) * hours / half_life_hours)


@dataclass(frozen=True, slots=True)
class _FourNumbers(Saved):
    affinity: float = 0.0
    trust: float = 0.0
    conflict: float = 0.0
    humor: float = 0.0

    def __post_init__(self) -> None:
        for name in METRICS:
            object.__setattr__(self, name, self._checked(name, getattr(self, name)))

    def _checked(self, name: str, value: Any) -> float:
        """Return *value* as this class holds it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Deltas(_FourNumbers):
    """What one event adds to the four numbers; each is brought within -1..1."""

    def _checked(self, name: str, value: Any) -> float:
        if not is_number(value, low=-1e308, high=1e308):
            raise InputError(f"the change of {name} is {shown(value)}, but must be a finite number")
        return min(_LARGEST_STEP, max(-_LARGEST_STEP, float(value)))

    def plus(self, other: "Deltas") -> "Deltas":
        """Return both together, again within -1..1."""
        return Deltas(*(getattr(self, name) + getattr(other, name) for name in METRICS))


@dataclass(frozen=True, slots=True)
class Metrics(_FourNumbers):
    """How one resident stands to another: four numbers in -5..5, 0 for somebody of whom nothing is known."""

    def _checked(self, name: str, value: Any) -> float:
        if not is_number(value, low=LOW, high=HIGH):
            raise InputError(f"{name} is {shown(value)}, but must be a number from {LOW:g} to {HIGH:g}")
        return float(value)

    def faded(self, hours: float, half_life_hours: float | None) -> "Metrics":
        """Return the numbers *hours* later if nothing happens."""
        left = fade(hours, half_life_hours)
        return Metrics(*(getattr(self, name) * left for name in METRICS))

    def moved(self, deltas: Deltas) -> "Metrics":
        """Return the numbers after an event, clipped to their range."""
        moved = (getattr(self, name) + getattr(deltas, name) for name in METRICS)
        return Metrics(*(min(HIGH, max(LOW, value)) for value in moved))

    def words(self, other: str) -> str:
        """Return how it stands with *other*, as a prompt may say it, without numbers."""
        said = [words[band] for name, words in _WORDS.items() if (band := _band(getattr(self, name))) in words]
        if not said:
            return f"You have no strong feelings about {other}."
        said = [part.format(other=other if at == 0 else "them") for at, part in enumerate(said)]
        return f"You {', '.join(said[:-1])}{' and ' if said[1:] else ''}{said[-1]}."


_BANDS = (0.2, 1.0, 2.5)  # faint, clear, strong; the faint one is where conversation cues set in
_WORDS: Mapping[str, Mapping[int, str]] = {
    "affinity": {
        3: "are very fond of {other}",
        2: "like {other}",
        1: "rather like {other}",
        -1: "do not much like {other}",
        -2: "dislike {other}",
        -3: "cannot stand {other}",
    },
    "trust": {
        3: "trust {other} with anything",
        2: "trust {other}",
        1: "have some trust in {other}",
        -1: "are wary of {other}",
        -2: "distrust {other}",
        -3: "believe nothing that {other} says",
    },
    "conflict": {
        3: "are in an open feud with {other}",
        2: "are at odds with {other}",
        1: "have had friction with {other}",
    },
    "humor": {3: "laugh a lot with {other}", 2: "joke with {other}", 1: "sometimes joke with {other}"},
}


def _band(value: float) -> int:
    """Return 0 (nothing), 1, 2 or 3 for how strong *value* is, with its sign."""
    strength = sum(abs(value) >= edge for edge in _BANDS)
    return strength if value > 0 else -strength


Tie = Literal["spouse", "family", "friend", "neighbour", "colleague", "rival", "estranged", "acquaintance"]

# First what turns a tie into its opposite, then the closest: "my sister and best friend" is family.
_SIGNS: tuple[tuple[Tie, str], ...] = (
    (
        "estranged",
        r"\bex-?(?:wife|husband|partner|girlfriend|boyfriend|friend)\b|\bformer (?:friend|wife|husband|partner)s?\b"
        r"|\bno longer (?:a |on )?(?:friends?|speaking|speaks?|close)\b|\bused to be (?:a |my |good |best )*friends?\b"
        r"|\bestranged\b|\bfell out\b|\bfallen out\b|\bdivorced\b|\bnot (?:a |my |really |exactly )*friends?\b",
    ),
    (
        "rival",
        r"\brivals?\b|\brivalry\b|\benem(?:y|ies)\b|\bfeud(?:s|ing)?\b|\bhates?\b|\bdislikes?\b|\bcompetitors?\b"
        r"|\bopponents?\b|\bcannot stand\b|\bcan't stand\b|\bdistrusts?\b|\bgrudge\b|\bat odds\b|\bnemesis\b",
    ),
    (
        "spouse",
        r"\bwife\b|\bhusband\b|\bspouse\b|\bmarried to\b|\bfianc[eé]e?\b|\bgirlfriend\b|\bboyfriend\b|\blovers?\b"
        r"|\bin love with\b|\blife partner\b|\b(?:my|his|her|their) partner\b(?! in\b)",
    ),
    (
        "family",
        r"\b(?:step-?|grand-?|god-?)?(?:mother|father|mum|mom|dad|son|daughter|parents?|child|children)(?:-in-law)?\b"
        r"|\b(?:half-|step-?)?(?:sister|brother|sibling|twin)s?(?:-in-law)?\b|\baunt\b|\buncle\b|\bcousins?\b"
        r"|\bniece\b|\bnephew\b|\bgrand(?:ma|pa|parents?)\b|\bfamily\b|\brelatives?\b",
    ),
    ("friend", r"\bfriends?\b|\bfriendship\b|\bpals?\b|\bbuddy\b|\bbuddies\b|\bconfidante?\b|\bclose to\b|\bmates?\b"),
    ("neighbour", r"\bneighbou?rs?\b|\blives next door\b|\b(?:room|flat|house)-?mates?\b"),
    (
        "colleague",
        r"\bcolleagues?\b|\bco-?workers?\b|\bboss\b|\bemploye[re]s?\b|\bemployees?\b|\bworks? (?:with|for|at|under)\b"
        r"|\bassistant\b|\bapprentice\b|\b(?:team|class|school|study)-?\s?mates?\b|\bteachers?\b|\bstudents?\b"
        r"|\bprofessor\b|\bcustomers?\b|\bclients?\b|\bbusiness partner\b|\bregular(?: at)?\b|\bmentor\b|\bcoach\b",
    ),
)
_PATTERNS = tuple((tie, re.compile(pattern)) for tie, pattern in _SIGNS)

# Our choice: on the scale of -5..5 a friend stands where a few days of good talks would lead.
FIRST_NUMBERS: Mapping[Tie, Metrics] = {
    "spouse": Metrics(affinity=3.0, trust=3.0, humor=1.0),
    "family": Metrics(affinity=2.5, trust=2.5, humor=0.5),
    "friend": Metrics(affinity=2.0, trust=1.5, humor=1.0),
    "neighbour": Metrics(affinity=0.5, trust=0.5),
    "colleague": Metrics(affinity=0.5, trust=0.5),
    "rival": Metrics(affinity=-1.0, trust=-1.0, conflict=2.0),
    "estranged": Metrics(affinity=-0.5, trust=-0.5, conflict=1.0),
    "acquaintance": Metrics(affinity=0.2, trust=0.2),
}


def tie_of(how: str) -> Tie:
    """Return the kind of tie that *how* tells of (``a friend from the library``); an acquaintance where unclear."""
    text = " ".join(unicodedata.normalize("NFKC", how).casefold().replace("’", "'").split())
    return next((tie for tie, pattern in _PATTERNS if pattern.search(text)), "acquaintance")


def first_numbers(how: str) -> Metrics:
    """Return the numbers with which a tie of that kind begins."""
    return FIRST_NUMBERS[tie_of(how)]
