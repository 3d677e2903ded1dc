"""Names in a text: which of some places and people it mentions, and all that look like one."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from memory.language.sentences import sentences
from memory.language.words import COMMON, matter, spans, words

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
    found = [place for place in places if place.strip() and _place(place).search(text)]
    return max(found, key=len) if found else None


class People:
    """The names of people, as a text may use them: whole, or a first name that only one of them has."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(dict.fromkeys(name for name in names if name.strip()))
        firsts = Counter(name.split()[0] for name in self.names)
        forms = {name: (name, pattern_of(name)) for name in self.names}
        for name in self.names:
            first = name.split()[0]
            if firsts[first] == 1 and len(first) > 1:
                forms.setdefault(first, (name, f"(?-i:{pattern_of(first)})"))
        longest = [forms[form] for form in sorted(forms, key=lambda form: (-len(form), form))]
        self._meant = [name for name, _ in longest]
        self._pattern = re.compile("|".join(f"({form})" for _, form in longest) or r"(?!)", re.IGNORECASE)
        self.words = frozenset(word for name in self.names for word in words(name))
        """All parts of names, in lower case: no subject of talk."""

    def named_in(self, text: str) -> list[str]:
        """Return who is named in *text*, in the order of the first mention."""
        return list(dict.fromkeys(self._meant[(match.lastindex or 1) - 1] for match in self._pattern.finditer(text)))

    def acting_in(self, text: str) -> str | None:
        """Return whose name *text* begins with, if it begins with any."""
        match = self._pattern.match(text.lstrip())
        return self._meant[(match.lastindex or 1) - 1] if match else None


_people = lru_cache(maxsize=256)(People)  # a town asks for the same few circles all day


def find_people(text: str, names: Iterable[str]) -> list[str]:
    """Return which of *names* the text mentions, in the order of the first mention; see `People`."""
    return _people(tuple(names)).named_in(text)


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


@lru_cache(maxsize=4096)  # a town asks for the same few hundred places all day
def _place(name: str) -> re.Pattern[str]:
    return re.compile(pattern_of(re.sub(r"^\s*the\s+", "", name, flags=re.IGNORECASE) or name), re.IGNORECASE)


def pattern_of(name: str) -> str:
    """Return the pattern of a name; scripts without blanks between words have no word bounds."""
    core = name.strip()
    body = r"\s+".join(re.escape(part) for part in core.split()).replace("'", "['’]")
    left = "" if _UNSPACED.match(core[0]) or not core[0].isalnum() else r"(?<!\w)"
    right = "" if _UNSPACED.match(core[-1]) or not core[-1].isalnum() else r"(?!\w)"
    return left + body + right
