"""Whom a short text means, out of some people: the one rule for replies of models, commands and transcripts."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from memory.language.names import pattern_of
from memory.language.words import COMMON

_INVISIBLE = re.compile("[\u034f\u115f\u1160\u3164\uffa0\ufe00-\ufe0f]")  # beside Unicode's own format characters
_QUOTES = str.maketrans(dict.fromkeys("‘’‛′`´ʼ", "'") | dict.fromkeys("“”„‟«»「」『』＂", '"'))
_AROUND = " .,;:!?…\"'*_~()[]{}<>#@|-"
_TITLED = """
mr mister mrs ms miss mx dr doctor prof professor sir madam ma'am lady lord herr frau fräulein señor señora señorita
sr sra srta don doña monsieur madame mademoiselle mme mlle signor signora uncle aunt
"""
_TITLES = frozenset(_TITLED.split())
_PARTICLES = "jr sr ii iii iv of de da di la le van von der den del the"
_PARTS_OF_NO_NAME = _TITLES | frozenset(_PARTICLES.split())
_NOBODY = re.compile(
    r"(?:null|none|nobody|no[ -]?one|nil|n/a|undefined|niemand|keiner|personne|nadie|nessuno|ninguém|никто"
    r"|没有人|無人|誰も)(?![\w'])(?! [^\W\d_a-zß-öø-ÿ])|(?:no|false|nothing|na|0|没有|无|無|없음|なし)?\W*$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\W*(?:,|/|&|\+|\b(?:and|or|und|oder|et|ou|y|o|e)\b)\W*", re.IGNORECASE)
_DENIED = re.compile(r"(?:\bnot|\bexcept|\binstead of|\bnicht|\brather than)\s+$", re.IGNORECASE)

_OWNS = re.compile(r"'s? \w")
_AFTER, _BEFORE = re.compile(r" ([\w'-]+)"), re.compile(r"([\w'-]+)\.? $")
_APPROACHES = "greet speak visit meet chat join approach call invite"
_BESIDE = COMMON | _TITLES | frozenset(_APPROACHES.split())
"""Words beside a part of a name that do not make it another's."""


class Resolution(NamedTuple):
    """Whom a text may mean."""

    people: tuple[str, ...]
    """One where that is clear, several where it is not, none where nobody known is named."""
    nobody: bool = False
    """Whether the text says that nobody is meant."""

    @property
    def person(self) -> str | None:
        """The one that is meant, where it is clear."""
        return self.people[0] if len(self.people) == 1 else None


def plain_name(text: str) -> str:
    """Return a name as it is compared: composed, in one case, with plain quotes and spaces, no invisible letters."""
    return _tidy(unicodedata.normalize("NFKC", _tidy(text).casefold()))


def twin_key(name: str) -> str:
    """Return what names share that differ only by case, spaces, invisible letters or how accents are coded."""
    return plain_name(name).replace(" ", "")


def resolve_person(text: str, names: Iterable[str]) -> Resolution:
    """Return whom of *names* a text means, whatever stands around the name.

    The first name in it counts, the longest at that point: a whole one, or a part that means all who bear it.  What
    follows is a remark, and a part of another's name is nobody's (``Lily Smith`` is no ``Lily Arne``).
    """
    people = _people(tuple(names))
    exact = people.by_key.get(twin_key(text.strip(_AROUND))) or people.by_key.get(twin_key(text))
    if exact:
        return Resolution((text,) if text in exact else exact)
    written = _tidy(text).strip(_AROUND)
    if _NOBODY.match(written):
        return Resolution((), nobody=True)
    return Resolution(people.named_in(written) or people.without_accents.named_in(_without_accents(written)))


def _tidy(text: str) -> str:
    plain = "".join(c for c in unicodedata.normalize("NFKC", text.translate(_QUOTES)) if c.isspace() or _is_seen(c))
    return " ".join(_INVISIBLE.sub("", plain).translate(_QUOTES).split())


def _is_seen(character: str) -> bool:
    return unicodedata.category(character) not in ("Cf", "Cc")


def _without_accents(text: str) -> str:
    return unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", text)))


class _People:
    """Some people by all that they may be called."""

    def __init__(self, names: dict[str, str]) -> None:
        """Take the people's own names by how they are written here."""
        self._written = names
        self.by_key: dict[str, tuple[str, ...]] = {}
        self._forms: dict[str, tuple[str, ...]] = {}
        for written, name in names.items():
            _add(self.by_key, twin_key(written), name)
        for written, name in names.items():
            for form in _forms_of(written):
                if twin_key(form) not in self.by_key:  # a whole name is nobody else's short one
                    _add(self._forms, plain_name(form), name)
        self._forms |= {plain_name(written): self.by_key[twin_key(written)] for written in names}
        longest = sorted(filter(None, self._forms), key=lambda form: (-len(form), form))
        self._pattern = re.compile("|".join(map(pattern_of, longest)) or r"(?!)", re.IGNORECASE)

    @property
    def without_accents(self) -> "_People":
        return _People({_without_accents(written): name for written, name in self._written.items()})

    def named_in(self, text: str) -> tuple[str, ...]:
        """Return whom the first name in *text* may mean, and those whom it names in the same breath."""
        found: tuple[str, ...] = ()
        end = 0
        for match in self._pattern.finditer(text):
            people = self._forms.get(plain_name(match[0]), ())
            if " " not in match[0]:
                people = _besides(text, match, people)
            if not people or _DENIED.search(text[: match.start()]) or _OWNS.match(text, match.end()):
                continue
            if found and not _JOINED.fullmatch(text[end : match.start()]):
                break
            found, end = (*found, *people), match.end()
        return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1024)  # a town asks for the same few circles all day
def _people(names: tuple[str, ...]) -> _People:
    return _People({_tidy(name): name for name in names if _tidy(name)})


def _add(index: dict[str, tuple[str, ...]], key: str, name: str) -> None:
    index[key] = tuple(dict.fromkeys((*index.get(key, ()), name)))


def _forms_of(name: str) -> list[str]:
    """Return what a person may be called for short: without the title, surname first, by one part of the name."""
    words = name.split()
    while len(words) > 1 and words[0].strip(".").casefold() in _TITLES:
        words = words[1:]
    parts = [word.strip(_AROUND) for word in words]
    parts = [word for word in parts if word.casefold() not in _PARTS_OF_NO_NAME and len(word) > 1]
    if len(words) == 1:
        return words
    rest = " ".join(words[1:])
    return [" ".join(words), f"{rest} {words[0]}", f"{rest}, {words[0]}", rest, *parts]


def _besides(text: str, match: re.Match[str], people: tuple[str, ...]) -> tuple[str, ...]:
    """Return whom of *people* one word means, given those beside it: a verb, or another's name, is nobody."""
    if match[0].islower() and match[0] in COMMON:
        return ()
    after, before = _AFTER.match(text, match.end()), _BEFORE.search(text[: match.start()])
    cased = text != text.lower() and text != text.upper()
    for word in (beside[1] for beside in (after, before) if beside):
        if len(word) == 1 and word.isalpha() and word not in "aI":
            people = tuple(name for name in people if any(part[0] == word.upper() for part in name.split()))
        elif word.casefold() not in _BESIDE and (word[0].isupper() or not cased):
            return ()
    return people
