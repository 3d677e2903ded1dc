"""Names in a text: which of some places and people it mentions, and all that look like one."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from memory.language.sentences import sentences
from memory.language.words import COMMON, matter, spans

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_ACTS = re.compile(
    r"\s+(?:is|was|has|had|will|told|tells|said|says|asked|invited|gave|gives|works?|worked|lives?|loves?|likes?|met|and)\b"
)
_CAPITAL = f"[{''.join(c for c in map(chr, range(0x530)) if c.isupper())}]"  # Latin with accents, Greek, Cyrillic
_TITLE = rf"(?-i:(?:{_CAPITAL}['’])?{_CAPITAL}[^\W\d_]+(?:['’-][^\W\d_]+)*)"
NAME = rf"{_TITLE}(?:\s+(?:(?:of|de|da|van|von|del|la)\s+){{0,2}}{_TITLE})*"
"""Pattern of a name, within patterns that overlook case too."""
_NAME = re.compile(NAME)


def find_place(text: str, places: Sequence[str]) -> str | None:
    """Return the longest of *places* named in *text*, whatever the case, with or without a leading "the"."""
    found = [place for place in places if _search(place, text)]
    return max(found, key=len) if found else None


def find_people(text: str, names: Iterable[str]) -> list[str]:
    """Return which of *names* the text mentions, in the order of the first mention.

    A first name alone counts when only one of the names begins with it.
    """
    names = list(dict.fromkeys(names))
    firsts = [name.split()[0] if name.split() else name for name in names]
    found = []
    for name, first in zip(names, firsts, strict=True):
        place = _search(name, text)
        if place is None and firsts.count(first) == 1 and first != name and len(first) > 1:
            place = _search(first, text, exact=True)
        if place is not None:
            found.append((place, -len(name), name))
    return [name for _, _, name in sorted(found)]


def names_in(text: str) -> list[str]:
    """Return the capitalised words of *text* that do not merely begin a sentence, runs of them together."""
    names = []
    for sentence in sentences(text):
        begins = spans(sentence)[:1]
        for match in _NAME.finditer(sentence):
            name = match[0]
            if begins and match.start() == begins[0][0]:
                first, _, rest = name.partition(" ")
                acts = bool(rest) or bool(_ACTS.match(sentence, match.end()))
                name = name if acts and first.casefold() not in COMMON else rest
            if matter(name):
                names.append(name)
    return list(dict.fromkeys(names))


def _search(name: str, text: str, exact: bool = False) -> int | None:
    """Return where *name* stands in *text* as words of its own, or None."""
    if not name.strip():
        return None
    match = _name_pattern(name, exact).search(text)
    return match.start() if match else None


@lru_cache(maxsize=4096)  # a pure function of its arguments: a town asks for the same few hundred names all day
def _name_pattern(name: str, exact: bool) -> re.Pattern[str]:
    """Return the pattern of a name; scripts without blanks between words have no word bounds."""
    core = name.strip()
    if not exact:
        core = re.sub(r"^the\s+", "", core, flags=re.IGNORECASE) or core
    body = r"\s+".join(re.escape(part) for part in core.split()).replace("'", "['’]")
    left = "" if _UNSPACED.match(core[0]) or not core[0].isalnum() else r"(?<!\w)"
    right = "" if _UNSPACED.match(core[-1]) or not core[-1].isalnum() else r"(?!\w)"
    return re.compile(left + body + right, 0 if exact else re.IGNORECASE)
