"""When a stream reflects: beyond a total of importance, and not too soon after a failure."""

from memory.config import MemoryConfig
from memory.repository import Repository
from memory.times import DAY, MINUTE, Micros

_LONGEST_WAIT = DAY


class Trigger:
    """Watches the total; what it notes is in the repository's state, so it survives a restart."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    @property
    def _config(self) -> MemoryConfig:
        return self._repository.config

    @property
    def is_on(self) -> bool:
        """Whether config lets the stream reflect; without recall there is nothing to infer from."""
        return self._config.reflection and self._config.recall

    def is_due(self, now: Micros) -> bool:
        """Tell whether the total is above the threshold and no wait is on."""
        state = self._repository.state
        waits = state.not_before is not None and now < state.not_before
        return self.is_on and state.total > self._config.reflect_above and not waits

    def put_off(self, now: Micros) -> None:
        """Keep the total, and wait before the next try: twice as long after each failure in a row."""
        failures = self._repository.state.failures + 1
        doubled = self._config.reflect_retry_minutes * MINUTE * 2 ** min(failures - 1, 20)
        self._repository.change(failures=failures, not_before=now + round(min(_LONGEST_WAIT, doubled)))
