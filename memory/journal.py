"""The journal of a stream: whoever wants to know is told what happens, in order."""

import logging
from collections.abc import Callable

from memory.record import Entry, Fell

_log = logging.getLogger(__name__)


class Journal:
    """Hands each entry to the listener, if there is one; what fell back is also logged as a warning."""

    def __init__(self, name: str, listener: Callable[[Entry], None] | None) -> None:
        self._name, self._listener = name, listener

    def tell(self, entry: Entry) -> None:
        """Tell of *entry*."""
        if isinstance(entry, Fell):
            _log.warning("%s: %s: %s", self._name, entry.prompt, entry.reason)
        if self._listener is not None:
            self._listener(entry)
