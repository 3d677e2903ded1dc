"""A resident's thoughts, made out in the log: what was perceived and recalled, what came of it, and what followed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memory.relationships.settings import PROMPTS
from sim.analysis.state_at import REFLECTING
from sim.log.events import SOCIAL, Decided, Event, FellBack, Recalled, Reflected, Remembered, TalkStarted

_MEMORYS_OWN = frozenset(
    {"importance_rating", "importance_rating_batch", "reflection_questions", "reflection_insights", *PROMPTS}
)

Numbered = tuple[int, Event]


@dataclass(slots=True)
class Thought:
    """One thought: the events of the log that belong to it, each with its number."""

    n: int
    """Number of the event that ends it: `decided`, `reflected`, or the `fell_back` in their place."""
    outcome: Decided | Reflected | FellBack
    perceived: list[tuple[int, Remembered]] = field(default_factory=list)
    """What entered memory in it; for a reflection, its insights."""
    recalled: list[tuple[int, Recalled]] = field(default_factory=list)
    opening: list[tuple[int, Recalled]] = field(default_factory=list)
    """What the talk under way had brought to mind when it began, which each later turn is shown as well."""
    fallbacks: list[tuple[int, FellBack]] = field(default_factory=list)
    social: list[Numbered] = field(default_factory=list)
    """How one's standing to others moved in it, and what the prompt received of that."""
    done: list[Numbered] = field(default_factory=list)
    """What the resident did next, up to the next thought."""

    @property
    def t(self) -> int:
        """The second of the thought."""
        return self.outcome.t

    @property
    def what(self) -> str:
        """Name of the prompt, or ``reflection``."""
        return "reflection" if isinstance(self.outcome, Reflected) else self.outcome.prompt


@dataclass(slots=True)
class _Reader:
    """Reads one resident's events in the order of the log."""

    who: str
    thoughts: list[Thought] = field(default_factory=list)
    _perceived: list[tuple[int, Remembered]] = field(default_factory=list)
    _recalled: list[tuple[int, Recalled]] = field(default_factory=list)
    _fallbacks: list[tuple[int, FellBack]] = field(default_factory=list)
    _social: list[Numbered] = field(default_factory=list)
    _talk_began: int = 0
    """How many thoughts there were when the last talk began."""
    _inner: bool = False
    """Whether a new thought has begun."""

    def read(self, n: int, event: Event) -> None:
        if isinstance(event, Remembered) and self._is_kept(event):
            self.thoughts[-1].done.append((n, event))
            return
        if isinstance(event, Remembered):
            self._perceived.append((n, event))
        elif isinstance(event, Recalled):
            self._recalled.append((n, event))
        elif isinstance(event, Reflected):
            self._reflect(n, event)
        elif isinstance(event, Decided):
            self._end(n, event)
        elif isinstance(event, FellBack):
            self._fall_back(n, event)
        elif isinstance(event, SOCIAL):
            self._social.append((n, event))
        else:
            self._act(n, event)
        own = isinstance(event, (Remembered, Recalled, *SOCIAL))
        self._inner = own or (self._inner and isinstance(event, FellBack))

    def _is_kept(self, event: Remembered) -> bool:
        """Return whether a memory is what was decided to be kept of a talk."""
        last = self.thoughts[-1] if self.thoughts and not self._perceived else None
        kept = last is not None and (last.what, last.t) == ("talk_summary", event.t)
        return kept and event.memory_kind in ("talk", "plan")

    def _reflect(self, n: int, event: Reflected) -> None:
        """Take what belongs to the reflection out of the thought within which it came about."""
        insights = [item for item in self._perceived if item[1].id in event.insights]
        recalled = [item for item in self._recalled if item[1].purpose == REFLECTING]
        self._perceived = [item for item in self._perceived if item not in insights]
        self._recalled = [item for item in self._recalled if item not in recalled]
        self.thoughts.append(Thought(n, event, insights, recalled))

    def _end(self, n: int, event: Decided | FellBack) -> None:
        thought = Thought(n, event, self._perceived, self._recalled, fallbacks=self._fallbacks, social=self._social)
        if thought.what == "dialogue_turn":
            earlier = [one for one in self.thoughts[self._talk_began :] if one.what == "dialogue_turn"]
            thought.opening = earlier[0].recalled if earlier else []
        self.thoughts.append(thought)
        self._perceived, self._recalled, self._fallbacks, self._social = [], [], [], []

    def _fall_back(self, n: int, event: FellBack) -> None:
        last = self.thoughts[-1] if self.thoughts else None
        if event.prompt in _MEMORYS_OWN:
            self._fallbacks.append((n, event))
        elif last and not self._perceived and not self._recalled and (last.what, last.t) == (event.prompt, event.t):
            last.fallbacks.append((n, event))  # what the reply said could not be carried out
        else:
            self._end(n, event)

    def _act(self, n: int, event: Event) -> None:
        if isinstance(event, TalkStarted):
            self._talk_began = len(self.thoughts)
        if self.thoughts and not self._inner:
            self.thoughts[-1].done.append((n, event))


def thoughts_of(who: str, events: Sequence[Numbered]) -> list[Thought]:
    """Return the thoughts of *who*, in the order of the log."""
    reader = _Reader(who)
    for n, event in events:
        if concerns(event, who):
            reader.read(n, event)
    return reader.thoughts


def concerns(event: Event, who: str) -> bool:
    """Return whether *event* is one of *who*'s life: their own acts and thoughts, and talks with them."""
    to = getattr(event, "to", None)
    return getattr(event, "who", None) == who or (isinstance(to, list) and who in to)
