"""What a memory is, and what a stream reports about itself: frozen values without behaviour."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

IDLE = "idle"
REFLECTION = "reflection"
PARAGRAPH = "paragraph"
"""Kind of what many memories became when they were consolidated."""
GIST = "gist"
"""Kind of the one sentence that a paragraph became."""
DELETED = "deleted"
"""Kind of what is left of a memory that was deleted: its id, its time, and what it rested on."""

RESERVED = (PARAGRAPH, GIST, DELETED)
"""Kinds that only a stream gives, to what it makes itself."""
KINDS = ("observation", "plan", "talk", REFLECTION, "thought", IDLE, PARAGRAPH, GIST)
"""Kinds that may be searched for before there is one; a stream knows its own besides."""

Tier = Literal["hot", "cold", "deleted"]
TIERS: tuple[Tier, ...] = ("hot", "cold", "deleted")
Outcome = Literal["success", "failure", "partial"]
OUTCOMES: tuple[Outcome, ...] = ("success", "failure", "partial")
Triple = tuple[str | None, str | None, str | None]
"""Subject, predicate and object."""


def writable(text: str) -> str:
    """Return *text* as UTF-8 can hold it: halves of surrogate pairs are joined, lone ones become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass(frozen=True, slots=True)
class Memory:
    """One entry of a stream, as it was when asked for."""

    id: int
    """1, 2, 3 … within the stream, never used again."""
    kind: str
    """``observation``, ``plan``, ``talk``, ``reflection``, ``thought``, ``idle`` or a kind of your own."""
    text: str
    created: datetime
    last_access: datetime
    importance: float
    """From 1 (mundane) to 10 (poignant), kept to two decimals."""
    evidence: tuple[int, ...] = ()
    """Ids of the earlier memories that this one rests on."""
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    episode: str | None = None
    """Name of the talk, task or visit that it belongs to."""
    outcome: Outcome | None = None
    """How it ended."""
    tags: tuple[str, ...] = ()
    tier: Tier = "hot"
    """``cold`` was archived: only a deep search reaches it."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """A memory that was retrieved, and why: the score is the sum of weight times part."""

    memory: Memory
    score: float
    recency: float
    """In 0..1, as the other two parts: 0 for the least and 1 for the most of the memories compared."""
    importance: float
    relevance: float
    terms: Mapping[str, float] = field(default_factory=dict, hash=False)
    """Every part by name, where a hybrid search added up more than three; the score is the sum of weight times part."""
    alike: tuple[int, ...] = ()
    """Ids of the other memories that say the same, for which it stands."""

    @property
    def count(self) -> int:
        """How many memories it stands for, itself included."""
        return 1 + len(self.alike)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A memory and what it rests on, down to the observations (which rest on nothing)."""

    memory: Memory
    because: tuple["Evidence", ...] = ()


@dataclass(frozen=True, slots=True)
class Observed:
    """A memory was stored; insights are reported by `Reflected` instead."""

    memory: Memory
    total: float
    """Importance since the last reflection, this memory included."""
    source: object = None
    """Whatever the caller of ``observe`` passed as *source*."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """A query was answered."""

    query: str
    recollections: tuple[Recollection, ...]


@dataclass(frozen=True, slots=True)
class Reflected:
    """A reflection came to its end; the total is 0 again."""

    total: float
    """What the importance had come to."""
    questions: tuple[str, ...]
    insights: tuple[Memory, ...]
    """The memories that were added."""
    dropped: int
    """Insights not kept: without a citation that exists, on thin evidence, said before, or too many."""
    retrievals: tuple[Recalled, ...] = ()
    """One per question, each also journalled when it was made."""
    unknown_citations: int = 0
    """Cited numbers that no statement had."""
    calls: tuple[str, ...] = ()
    """Names of the calls for questions and insights, where the reflector names its calls."""


@dataclass(frozen=True, slots=True)
class Use:
    """A memory was returned by a search that counted as access."""

    id: int
    at: datetime
    query: str


@dataclass(frozen=True, slots=True)
class Consolidated:
    """Memories became fewer and shorter ones, and were archived."""

    reason: str
    """``asked``, ``count``, ``idle`` or ``day``."""
    made: tuple[Memory, ...]
    """Paragraphs and gists; their evidence is what they rest on."""
    archived: tuple[int, ...]
    """Ids of what they stand for from now on."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a deletion took away; it quotes nothing of it."""

    at: datetime
    reason: str
    asked: tuple[int, ...]
    """Ids that were to be deleted."""
    memories: tuple[int, ...]
    """Ids of all memories that were: those asked for, and what repeated them or rested on nothing else."""
    marked: tuple[int, ...]
    """Ids of the memories that stay and rest, among others, on what was deleted."""
    facts: tuple[int, ...] = ()
    """Ids of the facts that rested on nothing else and were deleted too."""
    skills: tuple[int, ...] = ()
    uses: int = 0
    """Entries of the access log that were."""


@dataclass(frozen=True, slots=True)
class Fell:
    """A model was of no use: an importance fell back to 5, or a reflection was put off."""

    prompt: str
    reason: str
    call: str | None = None
    """Name of the last call, where the model names its calls."""


Entry = Observed | Recalled | Reflected | Consolidated | Receipt | Fell
"""What the journal receives, in the order in which it happened."""
