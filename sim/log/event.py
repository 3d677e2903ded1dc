"""What all events have in common."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

Block = dict[str, Any]
"""One block of a plan: ``{"t": from, "until": to, "place": id, "do": text}``, perhaps with ``"room"``."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened at second *t*."""

    kind: ClassVar[str] = "event"
    always: ClassVar[frozenset[str]] = frozenset()
    """Fields that are written as null, not left out, where they are None."""
    t: int

    def body(self) -> dict[str, Any]:
        """Return the event as it stands in the log, less its number; None fields are left out."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "t"}
        kept = {k: v for k, v in values.items() if v is not None or k in self.always}
        return {"t": self.t, "kind": self.kind, **kept}
