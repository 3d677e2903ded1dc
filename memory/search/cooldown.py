"""Which memories rest because they were recalled often of late (so that no favourite keeps winning)."""

from collections import deque
from collections.abc import Iterable

from memory.times import HOUR, Micros


class Cooldown:
    """Counts recalls within a time span; without a cap it counts nothing."""

    def __init__(self, cap: int | None, hours: float) -> None:
        self._cap = cap
        self._span = round(hours * HOUR)
        self._recalled: dict[int, deque[Micros]] = {}

    def since(self, now: Micros) -> Micros | None:
        """Return from when on recalls count; None without a cap."""
        return None if self._cap is None else now - self._span

    def note(self, memory_ids: Iterable[int], at: Micros) -> None:
        """Count a recall of each memory; only the last *cap* recalls of one matter."""
        if self._cap is not None:
            for memory_id in memory_ids:
                self._recalled.setdefault(memory_id, deque(maxlen=self._cap)).append(at)

    def forget(self, memory_ids: Iterable[int]) -> None:
        """Count nothing of these any more."""
        for memory_id in memory_ids:
            self._recalled.pop(memory_id, None)

    def restore(self, recalls: Iterable[tuple[int, Micros]]) -> None:
        """Count recalls of an earlier session, oldest first."""
        for memory_id, at in recalls:
            self.note([memory_id], at)

    def find_resting(self, now: Micros) -> list[int]:
        """Return the ids of the memories that were recalled as often as the cap allows."""
        since = self.since(now)
        if since is None:
            return []
        return [i for i, times in self._recalled.items() if len(times) == self._cap and times[0] >= since]
