"""The words of a text: as written, in small letters, as a topic, and stemmed as a search compares them."""

import re
import unicodedata
from functools import cache
from typing import Any, NamedTuple

from memory.arguments import shown
from memory.errors import SettingError

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
_MOST_STEMS = 200_000  # kept per language, so that a stream of endless numbers keeps its size

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
# Words of four letters and more that say nothing of what a text is about.
_COMMON_TEXT = """
    agree agreed disagree wrong sorry kidding haha dare apologise apologize gladly exactly absolutely lovely
    about above after again against almost along already also although always among another anybody anyone
    anything around away back because been before being below between both bring brings cannot come
    comes could couldn didn
    does doesn doing done don't down each either else even ever every everybody everyone everything find first
    from give given going gone good great hadn half hasn have haven having hello here hers herself himself
    however i'll i'm i've indeed into isn itself just keep kept knew know known last later least less like
    look looks looking
    made make makes many maybe mean might mine more morning most much must myself need never next nobody none
    nothing often once only onto other others ought ours over perhaps please quite rather really right said
    same says seem seems shall should shouldn since some somebody someone something sometimes soon still such
    sure take taken tell than thank thanks that that's their theirs them then there there's these they thing
    things think this those though thought through till today together told tomorrow tonight took toward
    towards under unless until upon very want wants wasn well went were weren what what's whatever when where
    whether which while whom whose will with within without won't would wouldn yeah yesterday your yours
    yourself
"""
_COMMON = frozenset(_COMMON_TEXT.split())


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


def topic_words(text: str) -> list[str]:
    """Return the words of four letters and more that are not of the common kind, each once, in order."""
    return list(dict.fromkeys(word for word in words(text) if _says_something(word)))


def _says_something(word: str) -> bool:
    return len(word) >= 4 and "'" not in word and word not in _COMMON and word not in _ABUSE


def topics_of(text: str) -> tuple[str, ...]:
    """Return up to five words that *text* is about: what it says more than once first, then the longest."""
    counts: dict[str, int] = {}
    for word in words(text):
        counts[word] = counts.get(word, 0) + 1
    found = topic_words(text)
    return tuple(sorted(found, key=lambda word: (-counts[word], -len(word), found.index(word)))[:5])


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
        self._stems: dict[str, dict[str, str]] = {}

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
        dull, stems = function_words(language), self._stems.setdefault(language, {})
        if len(stems) > _MOST_STEMS:
            stems.clear()
        read = []
        for form in forms:
            if form in dull:
                continue
            bare = form.removesuffix("'s")
            if bare in dull or (len(bare) == 1 and bare.isascii() and not bare.isdigit()):
                continue
            stem = stems.get(bare)
            if stem is None:
                stem = stems[bare] = _plain(_stemmer(language).stemWord(bare))
            read.append(Word(stem, bare))
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


@cache
def _stemmer(language: str) -> Any:
    import snowballstemmer  # here, because it reads in all its languages at once

    return snowballstemmer.stemmer(language)


def _plain(word: str) -> str:
    """Return *word* without accents, as people who ask leave them out."""
    if word.isascii():
        return word
    return "".join(part for part in unicodedata.normalize("NFKD", word) if not unicodedata.combining(part)) or word


_STOP_WORDS_TEXT = """
    a about above after again against all also am an and any anything are aren't around as at away back
    be because been before being below between both but by can can't cannot come could couldn't did
    didn't do does doesn't doing don't down during each either else ever every few for from further get
    gets getting go goes going gone got had hadn't has hasn't have haven't having he he'd he'll he's her
    here hers herself him himself his how however i i'd i'll i'm i've if in into is isn't it it's its
    itself just let let's like made make makes may maybe me might more most much must my myself no nor
    not now of off on once one only or other others our ours ourselves out over own please quite rather
    really said same say says shall she she'd she'll she's should shouldn't so some something still such
    than that that's the their theirs them themselves then there there's these they they'd they'll
    they're they've thing things this those through to told too under until up upon us very was wasn't
    we we'd we'll we're we've well were weren't what what's when where which while who who's whom why
    will with won't would wouldn't yes yet you you'd you'll you're you've your yours yourself
"""
_STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of *text* that carry its matter: in lower case and order, no stop words."""
    plain = (word.removesuffix("'s") for word in words(text) if word not in _STOP_WORDS)
    return tuple(word for word in plain if word not in _STOP_WORDS)


def overlap(first: str, second: str) -> float:
    """Return how much two texts share, from 0 to 1: common content words among all their content words."""
    left, right = set(content_words(first)), set(content_words(second))
    return len(left & right) / len(left | right) if left and right else 0.0
