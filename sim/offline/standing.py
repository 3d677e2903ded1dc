"""How one stands to somebody: read back from a prompt's words, and noted after a turn, a talk or a day."""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from memory.language.speech_acts import acts_in
from memory.language.words import tokens, topics_of
from memory.relationships import SocialSettings, read_turn
from memory.relationships.affect import detect


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


_EVENT = re.compile(r"^- (?P<relation>[a-z]+), [a-z]+: (?P<claim>.*)$", re.MULTILINE)
_SAID = re.compile(r"^(?:- )?(?P<who>[^:\n]{1,80}): (?P<words>.*)$", re.MULTILINE)
_WAYS = {
    "agree": "we agree", "disagree": "we differ", "funny": "we joke", "helpful": "we help each other",
    "hostile": "there were harsh words",
}  # fmt: skip
_ROLES = (("hostile", "skeptic"), ("disagree", "skeptic"), ("funny", "joker"), ("helpful", "explainer"))


def note(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``interaction_note``."""
    read = read_turn(variables["utterance"])
    moved = {part: getattr(read.deltas, part) for part in ("affinity", "trust", "conflict", "humor")}
    told = {"relation": read.relation, "tone": read.tone, **moved, "claim": read.claim[:200], "topics": [*read.topics]}
    return json.dumps(told, ensure_ascii=False)


def summary(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``relationship_summary``: the ways of late, their subjects, one thing said."""
    found = _EVENT.findall(variables["events"])
    ways = list(dict.fromkeys(_WAYS[relation] for relation, _ in reversed(found) if relation in _WAYS))
    good = sum(relation in ("agree", "helpful") for relation, _ in found)
    bad = sum(relation in ("disagree", "hostile") for relation, _ in found)
    trend = "rises" if good > bad else "falls" if bad > good else "stays as it is"
    topics = topics_of(" ".join(claim for _, claim in found))
    telling = next((claim for relation, claim in reversed(found) if relation != "neutral"), "")
    about = f" about {', '.join(topics[:3])}" if topics else ""
    words = f"With {variables['other']} I talk{about}: {' and '.join(ways[:2]) or 'nothing special'}; trust {trend}."
    return f"{words} {telling}".strip()[:400]


def gist(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``thread_gist``: who said what last, and one's own part."""
    said = _SAID.findall(variables["conversation"])
    last = {who: words for who, words in said}
    told = " ".join(f"{who}: {words[:90]}" for who, words in list(last.items())[-4:])
    own = [read_turn(words).relation for who, words in said if who == variables["agent_name"]]
    role = next((role for relation, role in _ROLES if relation in own), "supporter" if "agree" in own else "neutral")
    text = f"It is about {variables['topic']}. {told}".strip()
    return json.dumps({"gist": text[:500], "role": role if own else "lurker"}, ensure_ascii=False)


def mood(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``town_mood``: what two people speak of, and how they speak."""
    said = _SAID.findall(variables["contributions"])
    names = {word.casefold() for who, _ in said for word in tokens(who)}
    by: dict[str, set[str]] = {}
    sore: dict[str, None] = {}
    for who, words in said:
        harsh = read_turn(words).relation in ("disagree", "hostile")
        for topic in topics_of(words):
            by.setdefault(topic, set()).add(who)
            if harsh:
                sore[topic] = None
    shared = [topic for topic, people in by.items() if len(people) > 1 and topic not in names]
    topics = sorted(shared, key=lambda topic: -len(by[topic]))[:8]
    norms = _norms([words for _, words in said])
    text = f"People talk of {', '.join(topics[:4]) or 'this and that'}" + (f"; they {norms[0]}" if norms else "")
    told = {"digest": f"{text}.", "topics": topics, "norms": norms, "sayings": []}
    return json.dumps({**told, "sore_points": [one for one in sore if one in topics][:6]}, ensure_ascii=False)


def _norms(said: list[str]) -> list[str]:
    """Return how people talk, where at least half of what was said is so."""
    signs = {
        "ask questions": [words.endswith("?") for words in said],
        "keep it short": [len(words.split()) <= 8 for words in said],
        "argue": [read_turn(words).relation in ("disagree", "hostile") for words in said],
        "are kind to each other": [read_turn(words).relation in ("agree", "helpful") for words in said],
    }
    return [norm for norm, are in signs.items() if said and 2 * sum(are) >= len(are)]


def check(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``affect_check``."""
    affect = detect(variables["utterance"], None, SocialSettings())
    flags = {name: name in affect.triggers for name in ("criticism", "conflict", "anecdote", "defence")}
    return json.dumps({**flags, "score": affect.score})


def rewrite(variables: Mapping[str, str]) -> str:
    """Return the reply to the prompt ``affect_rewrite``: the draft, and one memory that does not change its sense."""
    claims = (line.partition(": ")[2] or line for line in variables["memories"].splitlines())
    plain = next((claim for claim in claims if claim and not acts_in(claim)), "")
    return f"{variables['draft']} I remember what was said: {plain}" if plain else f"{variables['draft']} I remember."
