"""Finds the residents of a run whom a command names."""

from collections.abc import Collection
from difflib import get_close_matches

from memory.language.resolution import plain_name, resolve_person
from sim.errors import TownError


def resident_named(name: str, people: Collection[str]) -> str:
    """Return the resident's name as the log spells it, by the rule that the town itself follows.

    Raises:
        TownError: If nobody, or more than one, is called so.
    """
    found = resolve_person(name, people)
    if found.person:
        return found.person
    wanted, by_plain = plain_name(name), {plain_name(known): known for known in people}
    close = list(found.people) or [by_plain[one] for one in get_close_matches(wanted, by_plain, n=3, cutoff=0.5)]
    close = close or [known for plain, known in by_plain.items() if wanted and wanted in plain][:3]
    some = f"{', '.join(list(people)[:30])}" or "nobody"
    hint = f"did you mean {' or '.join(map(repr, close))}?" if close else f"there is: {some}"
    raise TownError(f"no resident {name!r} in this run ({hint})")
