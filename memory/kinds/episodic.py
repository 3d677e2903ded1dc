"""Episodes: the memories of one talk, task or visit together, and how it ended."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from memory.record import Memory, Outcome


@dataclass(frozen=True, slots=True)
class Episode:
    """What belongs together."""

    name: str
    memories: tuple[Memory, ...]
    """Oldest first; never none."""

    @property
    def began(self) -> datetime:
        """When the first memory was made."""
        return self.memories[0].created

    @property
    def ended(self) -> datetime:
        """When the last memory was made."""
        return self.memories[-1].created

    @property
    def outcome(self) -> Outcome | None:
        """How it ended: as the last memory with an outcome says."""
        return next((memory.outcome for memory in reversed(self.memories) if memory.outcome), None)

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of all its memories, each once."""
        return tuple(dict.fromkeys(tag for memory in self.memories for tag in memory.tags))


def episodes(memories: Iterable[Memory]) -> list[Episode]:
    """Return the episodes among *memories* in the order in which they began; what belongs to none is left out."""
    found: dict[str, list[Memory]] = {}
    for memory in sorted(memories, key=lambda one: (one.created, one.id)):
        if memory.episode is not None:
            found.setdefault(memory.episode, []).append(memory)
    return [Episode(name, tuple(within)) for name, within in found.items()]
