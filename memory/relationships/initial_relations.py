"""The kind of tie that people have before a run, read from a few words, and the numbers that they begin with."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Literal

from memory.relationships.metrics import Metrics

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
