"""How one stands to somebody, as a prompt tells it in words: read back into a few steps."""

import re
from typing import NamedTuple


class Standing(NamedTuple):
    """Steps from none (0) over faint (1) and clear (2) to strong (3); below 0 where it is the opposite."""

    liking: int = 0
    trust: int = 0
    quarrel: int = 0
    joking: int = 0

    @property
    def shuns(self) -> bool:
        """Whether one would rather have nothing to do with them."""
        return self.quarrel >= 2 or self.liking <= -2

    @property
    def fond(self) -> bool:
        """Whether they are dear to one and nothing stands between."""
        return self.liking >= 2 and self.quarrel == 0

    def settled(self) -> "Standing":
        """Return this after a reconciliation: what still rankles is not acted on."""
        return self._replace(liking=max(self.liking, 0), quarrel=min(self.quarrel, 1))


_STEPS: tuple[tuple[str, tuple[tuple[int, str], ...]], ...] = (
    ("liking", (
        (-1, r"\bdo not much like\b"), (1, r"\brather like\b"), (3, r"\bvery fond of\b"), (-3, r"\bcannot stand\b"),
        (-2, r"\bdislike\b"), (2, r"\blike\b"),
    )),
    ("trust", (
        (3, r"\btrust \S.*? with anything\b"), (1, r"\bsome trust in\b"), (-1, r"\bwary of\b"), (-2, r"\bdistrust\b"),
        (-3, r"\bbelieve nothing\b"), (2, r"\btrust\b"),
    )),
    ("quarrel", ((3, r"\bopen feud\b"), (2, r"\bat odds\b"), (1, r"\bfriction\b"))),
    ("joking", ((3, r"\blaugh a lot\b"), (1, r"\bsometimes joke\b"), (2, r"\bjoke with\b"))),
)  # fmt: skip
_PATTERNS = tuple((part, tuple((step, re.compile(sign)) for step, sign in steps)) for part, steps in _STEPS)
_BAD, _GOOD = re.compile(r"quarrelled|argued|snubbed"), re.compile(r"helped|smiled|thanked|praised|agreed|joked|kept")
_OTHER_LINES = ("You feel drawn to ", "You last talked of ")
_RESTING = re.compile(
    r"^(?:- )?You last talked of .+? with (.+?) (?:a moment|\d+ (?:hour|day)s?) ago, as ", re.MULTILINE
)
_DRAWN = re.compile(r"^(?:- )?You feel drawn to (.+)\.$", re.MULTILINE)


def standing_to(name: str, text: str) -> Standing:
    """Return how one stands to *name* by the line of *text* that says so; no feelings where none does."""
    for line in text.splitlines():
        plain = re.sub(r"^(?:- |<cues>)+", "", line.strip()).removesuffix("</cues>")
        if plain.startswith(f"Past dealings with {name}: "):
            return _of_dealings(plain.partition(": ")[2])
        if plain.startswith("You ") and name in plain and not plain.startswith(_OTHER_LINES):
            said = plain.replace(name, "them")
            return Standing(**{part: _step(said, steps) for part, steps in _PATTERNS})
    return Standing()


def drawn_to(text: str) -> list[str]:
    """Return to whom one feels drawn, by the line of *text* that says so."""
    match = _DRAWN.search(text)
    return match[1].split(", ") if match else []


def to_take_up(text: str) -> list[str]:
    """Return with whom there is a talk to take up again, by the lines of *text* that say so."""
    return _RESTING.findall(text)


def _step(text: str, steps: tuple[tuple[int, re.Pattern[str]], ...]) -> int:
    return next((step for step, sign in steps if sign.search(text)), 0)


def _of_dealings(listed: str) -> Standing:
    """Return what a list of past dealings makes one feel: what was before one made up is forgiven."""
    since = listed.rpartition("made up")[2]
    bad, good = len(_BAD.findall(since)), len(_GOOD.findall(since))
    return Standing(liking=max(-2, min(2, good - bad)), quarrel=min(2, bad) if bad >= good else 0)
