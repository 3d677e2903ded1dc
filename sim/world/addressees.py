"""Whom a resident means to talk to, out of those who are there."""

from collections.abc import Sequence

from memory.language.resolution import resolve_person


def doubt_about(name: str | None, present: Sequence[str]) -> str:
    """Return why *name* means none of those *present*, and who may be; "" where one or nobody is meant."""
    found = resolve_person(name or "", present)
    if found.nobody or found.person:
        return ""
    if found.people:
        return f"{name!r} may be {' or '.join(found.people)}"
    return f"nobody here is called {name!r} (here: {', '.join(present) or 'nobody'})"
