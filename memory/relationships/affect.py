"""What is charged, and what must then be recalled: criticism, conflict, a story, a call to defend an opinion."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from memory.language.speech_acts import HOSTILE, acts_in
from memory.language.words import content_words, folded, without_abuse
from memory.relationships.context import fit_lines, one_line
from memory.relationships.event import SocialEvent
from memory.relationships.settings import AffectMode, SocialSettings
from memory.relationships.state import Record
from memory.replies.objects import read_object

Trigger = Literal["criticism", "conflict", "anecdote", "defence"]
Bucket = Literal["interaction", "opinion", "experience", "relationship"]

TRIGGERS: tuple[Trigger, ...] = ("criticism", "conflict", "anecdote", "defence")
WEIGHTS: Mapping[AffectMode, Mapping[Trigger, float]] = {
    "any_trigger": {"criticism": 0.36, "conflict": 0.36, "anecdote": 0.22, "defence": 0.30},
    "threshold": {"criticism": 0.40, "conflict": 0.35, "anecdote": 0.15, "defence": 0.30},
}
PRIOR_FROM = 0.35  # score of an earlier own statement that makes a call to defend it one
UNSURE = (0.35, 0.70)  # between these a classifier may be asked
BUCKETS: Mapping[Bucket, int] = {"interaction": 2, "opinion": 2, "experience": 1, "relationship": 1}
CANDIDATES = 12
_ITEM, _BLOCK = 180, 900  # characters
_SHARED = 2  # content words that a draft must share with a memory

_YOU = re.compile(r"\b(?:you|your|yours|you're|you've|you'd)\b")
_CHALLENGE = re.compile(
    r"\b(?:why (?:do|did(?:n't)?|were(?:n't)?|would) you (?:not )?(?!like|care|mind|say|recommend|suggest|choose|want"
    r"|need|love|ask)"
    r"|how (?:could|dare) you(?! (?:tell|know))|explain yourself|justify (?:it|that|your)|prove it|admit (?:it|that)"
    r"|you(?:'re| are| were) (?:so |quite |simply |completely |totally )?(?:wrong|mistaken|ridiculous)"
    r"|do you really think"
    r"|(?:makes?|made|making) no sense|you should(?: not|n't) have \w+|you (?:should|ought to) have (?:told|asked"
    r"|known|listened|thought|called|warned"
    r"|been|come|helped|said|stayed)|(?<!not )your (?:own )?fault|(?:i|we|they) blame you|you(?:'re| are) to blame"
    r"|you disappoint\w*|disappointed (?:in|with|by) you|no excuse|your excuses?)\b"
)
_STRIFE = re.compile(
    r"\b(?:angry|furious|fed up|sick of|hate|quarrel|argument|fight(?:ing)?|betray\w*|lied|liar|unfair|insult\w*|enough"
    r" of (?:you|this)|leave me alone|shut up|never speak|offen[cs]\w*|hurt me|your fault|how dare)\b"
)
_STORY = re.compile(
    r"\b(?:when i was|i remember (?:when|how|the)|once i|years? ago i|last (?:year|summer|winter|month|week) i"
    r"|happened to me|back when i|my (?:mother|father|grandmother|grandfather) (?:once|used to)|i used to"
    r"|true story|let me tell you (?:about|what happened)|i'll never forget)\b"
)
_DEFEND = re.compile(
    r"\b(?:you (?:once |always |just |also )?(?:said|told|claimed|argued|wrote|promised|thought|insisted)"
    r"|(?:do|did) you still|still (?:think|believe|stand by|say)|stand by (?:it|that|what)"
    r"|as you said|changed? your mind"
    r"|what about what you|earlier you|last time you|weren't you the one)\b"
)
_MARKER = re.compile(
    r"\b(?:last time|as i (?:said|told)|like i (?:said|told)|i (?:said|told you) (?:before|then|that|so)|i remember"
    r"|you (?:told|promised|said|asked|helped)|remember (?:when|how|what)|back when|we (?:talked|spoke|agreed|argued)"
    r"|when we (?:last|first|talked|spoke|met)|the other day|i still (?:think|believe|say))\b"
)
_OPINION = re.compile(
    r"\bi (?:think|believe|feel|find|prefer|like|love|hate|doubt|would rather|disagree|agree)\b|\bin my"
)
_EXPERIENCE = re.compile(
    r"\b(?:i was|i went|i saw|i had|i did|i made|i lost|i found|i met|when i|happened to me|i used to)\b"
)


@dataclass(frozen=True, slots=True)
class Affect:
    """What was detected in a text."""

    triggers: tuple[Trigger, ...]
    score: float
    """In 0..1."""
    high: bool
    """Whether the reply must be given with memories in view."""
    asked_model: bool = False


class Item(NamedTuple):
    """A memory that a reply to something charged must use."""

    id: int
    bucket: Bucket
    text: str


@dataclass(frozen=True, slots=True)
class Charged:
    """Something charged was said: these memories must be in view of the answer."""

    text: str
    other: str
    affect: Affect
    items: tuple[Item, ...]
    records: tuple[Record, ...] = ()
    """For the log."""

    @property
    def block(self) -> str:
        """What the prompt for the answer receives; blank where nothing is remembered."""
        listed = show_items(self.items)
        return f"What was said touches these memories; refer to one of them:\n{listed}" if listed else ""


class Mended(NamedTuple):
    """An answer to something charged, rewritten at most once."""

    text: str
    uses_memory: bool
    rewrites: int = 0
    """How often the model was asked to rewrite it."""
    records: tuple[Record, ...] = ()


def detect(text: str, prior_score: float | None, settings: SocialSettings) -> Affect:
    """Return what is charged in *text*, by rule; English signs only, so that others are calm.

    Args:
        prior_score: Of the best earlier statement of one's own on the same matter; None where there is none.
    """
    plain = folded(text)
    acts = acts_in(text)
    prior = prior_score is not None and prior_score >= PRIOR_FROM
    fires: dict[Trigger, bool] = {
        "criticism": bool(_YOU.search(plain))
        and (bool(_CHALLENGE.search(plain)) or any(act in acts for act in (*HOSTILE, "contradiction"))),
        "conflict": any(act in acts for act in HOSTILE) or bool(_STRIFE.search(plain)),
        "anecdote": bool(_STORY.search(plain)),
        "defence": prior and bool(_DEFEND.search(plain)),
    }
    return weigh(tuple(trigger for trigger in TRIGGERS if fires[trigger]), settings)


def weigh(triggers: tuple[Trigger, ...], settings: SocialSettings, at_least: float = 0.0) -> Affect:
    """Return these triggers with their score; the mode decides whether any of them, or only the score, suffices."""
    weights = WEIGHTS[settings.affect_mode]
    score = max(at_least, min(1.0, sum(weights[trigger] for trigger in triggers)))
    any_suffices = settings.affect_mode == "any_trigger" and bool(triggers)
    return Affect(triggers, score, any_suffices or score >= settings.affect_from)


def is_unsure(affect: Affect) -> bool:
    """Tell whether a classifier is worth asking."""
    return UNSURE[0] <= affect.score <= UNSURE[1]


def parse_check(reply: str, affect: Affect, settings: SocialSettings) -> Affect | None:
    """Return *affect* raised by a classifier's *reply*, never lowered; None if the reply says nothing usable."""
    found = read_object(reply)
    if found is None or not any(trigger in found for trigger in TRIGGERS):
        return None
    named = tuple(t for t in TRIGGERS if t in affect.triggers or found.get(t) is True or found.get(t) == "true")
    given = found.get("score")
    said = float(given) if isinstance(given, int | float) and not isinstance(given, bool) and 0 <= given <= 1 else 0.0
    raised = weigh(named, settings, max(affect.score, said))
    return Affect(raised.triggers, raised.score, raised.high, asked_model=True)


def choose(candidates: Sequence[SocialEvent], agent: str, summary: str, summary_id: int | None) -> tuple[Item, ...]:
    """Return up to six memories for the reply, so many of each kind, from *candidates*, best first.

    Args:
        summary: Of the relationship; blank for none.
        summary_id: The event that it rests on last.
    """
    room = dict(BUCKETS)
    items: list[Item] = []
    for event in candidates[:CANDIDATES]:
        bucket = _bucket(event, agent)
        bucket = bucket if room[bucket] else "interaction"
        if room[bucket] and event.note.claim:
            room[bucket] -= 1
            text = f"{event.by} said: {without_abuse(event.note.claim)}"
            items.append(Item(event.id, bucket, one_line(text, _ITEM)))
    if summary and summary_id is not None:
        items.append(Item(summary_id, "relationship", one_line(summary, _ITEM)))
    return tuple(items)


def show_items(items: Sequence[Item]) -> str:
    """Return the memories as a prompt shows them, at most 900 characters."""
    return "\n".join(fit_lines([f"- {item.text}" for item in items], _BLOCK))


def uses(draft: str, items: Sequence[Item]) -> bool:
    """Tell whether *draft* refers back: by a phrase that does so, or by two content words of one memory."""
    plain = folded(draft)
    if _MARKER.search(plain):
        return True
    own = set(content_words(draft))
    return any(len(own & set(content_words(item.text))) >= _SHARED for item in items)


def keeps_position(draft: str, rewritten: str) -> bool:
    """Tell whether *rewritten* neither turns a yes into a no nor a civil word into an insult, nor the other way."""
    return _position(draft) == _position(rewritten) or "plain" in (_position(draft), _position(rewritten))


def _position(text: str) -> str:
    acts = acts_in(text)
    if any(act in acts for act in HOSTILE):
        return "hostile"
    if any(act in acts for act in ("contradiction", "disagreement")):
        return "against"
    return "for" if any(act in acts for act in ("agreement", "apology", "reconciliation", "praise")) else "plain"


def _bucket(event: SocialEvent, agent: str) -> Bucket:
    plain = event.note.claim.casefold()
    if event.by == agent and _OPINION.search(plain):
        return "opinion"
    if event.by == agent and _EXPERIENCE.search(plain):
        return "experience"
    return "interaction"
