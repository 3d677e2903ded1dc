"""Replies that are no answer: a model's refusal, or the text of an error that some layer passed on as a reply.

What a model says of itself, of policies and of requests betrays it; so do the words of servers.  An apology with an
inability does not: people have both.  Such a sentence is a refusal only if hardly a word in it is about anything else.
The words stand in ``refusals.txt``, by what they do and by language.
"""

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

_MOST_READ = 2_000  # characters; what refuses does so early
_CLAUSES = 4  # of the beginning, within which it does so
_CLAUSE = re.compile(
    r"(?<=[.!?。！？])\s*|\n+|(?<=[\u3040-\u9fff]),"
    r"|[,;:]? (?=(?:but|however|because|so|even|as it|since it|omdat|weil|porque|parce que)\b)"
)
_MARKUP, _EDGE = re.compile(r"[*_`#]"), re.compile(r"""^[\s"'(\[{.\-]+""")
_BETWEEN = re.compile(r"[^\w'<]+")
_FAMILY = re.compile(r"\[([a-z]+)\] ")
_WORD = re.compile(r"[^\W\d_]{2,}")  # what is left of a word that was taken out is none
_PLAIN = str.maketrans("ıłøß“”„«»‹›–—…", 'ilos"""""""--.')
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_LETTERS_A_WORD = 2  # in scripts that write no spaces


@lru_cache(maxsize=4096)  # the same words come again and again: a greeting, a deed
def is_refusal(text: str) -> bool:
    """Return whether *text* refuses or reports an error, and is nothing that a person would think, say or ask."""
    plain = _EDGE.sub("", " ".join(_MARKUP.sub(" ", _fold(text[:_MOST_READ])).split()))
    if plain.isascii():
        apart = f" {_BETWEEN.sub(' ', plain)} "
        if not any(word in apart for word in telling_words()):
            return False
    if _pattern("errors").search(plain) or _pattern("machine").search(plain):
        return True
    begins = [clause for clause in _CLAUSE.split(plain) if clause.strip()][:_CLAUSES]
    sorry = _pattern("sorry").search(plain) is not None
    return any(_pattern("policy").search(clause) or _declines(clause, sorry=sorry) for clause in begins)


def _declines(sentence: str, *, sorry: bool) -> bool:
    """Return whether *sentence* says that something cannot be done for somebody, and hardly anything else."""
    serves = _pattern("serve").search(sentence)
    if not (_pattern("unable").search(sentence) and (serves or _pattern("help").search(sentence))):
        return False
    if _pattern("asked").search(sentence):
        most = 2
    elif serves:
        most = 1
    elif sorry or _pattern("formal").search(sentence):
        most = 0
    else:
        return False
    rest = sentence
    for family in ("sorry", "unable", "asked", "serve", "help", "filler"):
        rest = _pattern(family).sub(" ", rest)
    return _count_words(rest) <= most


def _count_words(text: str) -> int:
    """Return how many words *text* has; where no spaces are written, as many as its letters make."""
    spaceless = len(_SPACELESS.findall(text))
    return len(_WORD.findall(_SPACELESS.sub(" ", text))) + -(-spaceless // _LETTERS_A_WORD)


def _fold(text: str) -> str:
    """Return *text* in lower case, with plain quotes and without accents."""
    if text.isascii():
        return text.lower()
    return _without_marks(unicodedata.normalize("NFKC", text).casefold().replace("’", "'").replace("‘", "'"))


def _without_marks(text: str) -> str:
    bare = "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", bare).translate(_PLAIN)


@cache
def _families() -> dict[str, list[str]]:
    """Return the lines of ``refusals.txt`` by family, what is defined in it put in."""
    defined: dict[str, str] = {}
    families: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (files("memory.replies") / "refusals.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            name, _, pattern = line[1:].partition(" ")
            defined[f"<{name}>"] = pattern
        elif named := _FAMILY.match(line):
            lines = families.setdefault(named[1], [])
        elif line and not line.startswith("#"):
            for name, pattern in defined.items():
                line = line.replace(name, pattern)
            lines.append(line)
    return families


@cache
def _pattern(family: str) -> re.Pattern[str]:
    """Return a pattern that finds whatever one of a family's lines finds."""
    return re.compile("|".join(f"(?:{_without_marks(line)})" for line in _families()[family]))


@cache
def telling_words() -> tuple[str, ...]:
    """Return what a quick look is for: one of them stands in each refusal in Latin letters."""
    return tuple(word.replace("_", " ") for line in _families()["telling"] for word in line.split(", "))
