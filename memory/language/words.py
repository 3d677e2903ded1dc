"""The words of a text: as written, in small letters, as a topic, and stemmed as a search compares them."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from memory.arguments import shown
from memory.errors import SettingError
from memory.language.dates import CALENDAR
from memory.language.verbs import irregular_bases

LANGUAGES = (
    "english", "arabic", "catalan", "czech", "danish", "dutch", "finnish", "french", "german", "greek", "hindi",
    "hungarian", "indonesian", "italian", "norwegian", "persian", "polish", "portuguese", "romanian", "russian",
    "spanish", "swedish", "turkish",
)  # fmt: skip
"""Those with a stemmer and a list of function words, the fallback first."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_UNSPACED = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")
_ENOUGH = 0.2  # of a text's words are function words of its language, in every language measured here
_LONGEST = 100  # characters of a word that count: stemmers take quadratic time over blobs without a blank
_TOPIC = 4  # letters of a word that may be what a text is about
_MOST_STEMS = 200_000  # kept, so that a stream of endless numbers keeps its size

# The closed classes of English. The package's own list has 1,333 entries, among them "act", "fire" and "early".
_ENGLISH = """
    a an the this that these those and or but nor so if then than because as until while of at by for with about
    against between into through during before after above below to from up down in out on off over under again
    further once here there what which who whom whose when where why how all any both each few more most other some
    such no not only own same too very just now
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves
    am is are was were be been being have has had having do does did doing done will would shall should can could may
    might must ought s t don
    i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll
    he'll she'll we'll they'll isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't
    shan't shouldn't can't cannot couldn't mustn't let's that's who's what's here's there's when's where's why's how's
    """


_ABUSE_TEXT = """
    arsehole arseholes asshole assholes bastard bastards bitch bitches cretin cretins cunt dickhead dickheads
    fucker fuckers fucking idiot idiots imbecile imbeciles moron morons motherfucker pig-headed scum shithead
    slut twat wanker whore
"""
_ABUSE = frozenset(_ABUSE_TEXT.split())
_ABUSIVE = re.compile(rf"\b(?:{'|'.join(sorted(_ABUSE))})\b", re.IGNORECASE)
# Words that say nothing of what a text is about: of time, courtesy, degree and telling, and verbs for anything.
_EVERYDAY = """
    absolutely across agree agreed almost along already also although always among another anybody anyone anything
    apologise apologize around ask asked away back bring brings came come comes dare day disagree either else enough
    even ever every everybody everyone everything exactly feel felt find first get gets getting give given gladly go
    goes going gone good got great haha half happy hear heard hello however indeed keep kept kidding knew know known
    last lately later least less let like likely little long look looking looks lovely made make makes many maybe
    mean mind moment morning much need never new next nice nobody none nothing often one onto others people perhaps
    person please quite rather really remember right said saw say says see seem seems seen since somebody someone
    something sometimes soon sorry spent still sure take taken talk talked tell thank thanks thing things think
    though thought till time today together told tomorrow tonight took toward towards unless upon use used usually
    want wants way well went whatever whether wish within without work wrong yeah yes yesterday yet
"""
COMMON = frozenset(_ENGLISH.split() + _EVERYDAY.split())
"""Those, and the closed classes of English."""
_PLAIN = COMMON | CALENDAR


def folded(text: str) -> str:
    """Return *text* folded in case and width, with straight apostrophes."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def tokens(text: str) -> list[str]:
    """Return the words of *text* as written, in order; apostrophes and hyphens stay inside."""
    return _WORD.findall(text)


def spans(text: str) -> list[tuple[int, int]]:
    """Return where each of the words of *text* begins and ends."""
    return [match.span() for match in _WORD.finditer(text)]


def words(text: str) -> list[str]:
    """Return the words of *text*, folded in case and width; each Chinese or Japanese sign is a word."""
    return tokens(_UNSPACED.sub(r" \1 ", folded(text)))


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of *text* that carry its matter: in lower case and order, no common ones."""
    bare = (word.removesuffix("'s") for word in words(text) if word not in COMMON)
    return tuple(word for word in bare if word not in COMMON)


def overlap(first: str, second: str) -> float:
    """Return how much two texts share, from 0 to 1: common content words among all their content words."""
    left, right = set(content_words(first)), set(content_words(second))
    return len(left & right) / len(left | right) if left and right else 0.0


def stems(text: str) -> set[str]:
    """Return the stems of the words of *text*, numbers left out; common words, days and months stay as they are."""
    return {one for one, _ in _stemmed(text)}


def matter(text: str) -> dict[str, str]:
    """Return the words of *text* that say what it is about, by their stems."""
    return {one: word for one, word in _stemmed(text) if one not in _PLAIN}


def _stemmed(text: str) -> Iterator[tuple[str, str]]:
    for word in tokens(text):
        bare = folded(word).removesuffix("'s")
        if not bare[:1].isdigit():
            yield bare if bare in _PLAIN else stem(bare), word


def topics_of(text: str) -> tuple[str, ...]:
    """Return up to five words that *text* is about: what it says more than once first, then the longest."""
    counts = Counter(word for word in content_words(text) if len(word) >= _TOPIC and not is_abusive(word))
    return tuple(sorted(counts, key=lambda word: (-counts[word], -len(word)))[:5])


def shared_share(first: frozenset[str], second: frozenset[str]) -> float:
    """Return ``|both| / sqrt(|first| * |second|)``, 0 where one is empty."""
    shared = len(first & second)
    return float(shared / (len(first) * len(second)) ** 0.5) if shared else 0.0


def without_abuse(text: str) -> str:
    """Return *text* with words of abuse replaced, so that a summary does not hand them on."""
    return _ABUSIVE.sub("[abusive language]", text)


def is_abusive(word: str) -> bool:
    """Tell whether *word* is one of abuse."""
    return word.casefold() in _ABUSE


class Word(NamedTuple):
    """A word of a text."""

    stem: str
    """What is compared: the stem, without accents."""
    form: str
    """As it was written, in small letters."""


class Reader:
    """Reads texts into words; with ``auto`` it finds out each text's language, by its function words."""

    def __init__(self, language: str = "auto") -> None:
        if language != "auto" and language not in LANGUAGES:
            raise SettingError(f"language is {shown(language)}, but must be auto or one of {', '.join(LANGUAGES)}")
        self._fixed = language != "auto"
        self._language = language if self._fixed else LANGUAGES[0]

    def read(self, text: str, *, learn: bool = True) -> list[Word]:
        """Return the words of *text* that tell something, in order; a name's ``'s`` is taken off.

        Args:
            learn: Whether later texts that are too short to tell are taken for this one's language; a question is
                read without, so that asking changes nothing.
        """
        forms = [form[:_LONGEST] for form in words(text.replace("-", " "))]
        language = self._language if self._fixed else self._language_of(forms)
        if learn and not self._fixed:
            self._language = language
        dull = function_words(language)
        read = []
        for form in forms:
            if form in dull:
                continue
            bare = form.removesuffix("'s")
            if bare in dull or (len(bare) == 1 and bare.isascii() and not bare.isdigit()):
                continue
            base = irregular_bases().get(bare, bare) if language == LANGUAGES[0] else bare
            read.append(Word(stem(base, language), bare))
        return read

    def _language_of(self, forms: list[str]) -> str:
        """Return the language of a text, the last one's if it is too short to tell."""
        enough = max(2.0, _ENOUGH * len(forms))
        if _hits(forms, self._language) >= enough:
            return self._language
        hits = {language: _hits(forms, language) for language in LANGUAGES}
        best = max(LANGUAGES, key=lambda language: hits[language])  # of equals the first of the list
        if hits[best] >= enough and hits[best] > hits[self._language]:
            return best
        return self._language


@cache
def function_words(language: str) -> frozenset[str]:
    """Return the words of *language* that say nothing by themselves."""
    if language == "english":
        return frozenset(_ENGLISH.split())
    from stop_words import get_stop_words  # here, because the town's own language needs none of it

    return frozenset(word.casefold() for word in get_stop_words(language))


def _hits(forms: list[str], language: str) -> int:
    dull = function_words(language)
    return sum(form in dull for form in forms)


@lru_cache(maxsize=_MOST_STEMS)
def stem(word: str, language: str = "english") -> str:
    """Return what the forms of *word*, in small letters, have in common, without accents."""
    import snowballstemmer  # here, because it reads in all its languages at once

    return _plain(snowballstemmer.stemmer(language).stemWord(word))  # a stemmer of its own: they are not for threads


def _plain(word: str) -> str:
    """Return *word* without accents, as people who ask leave them out."""
    if word.isascii():
        return word
    return "".join(part for part in unicodedata.normalize("NFKD", word) if not unicodedata.combining(part)) or word
