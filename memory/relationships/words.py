"""Words of a text: as a search sees them, as a topic needs them, and as a prompt may show them."""

import re
import unicodedata

from memory.record import writable

_UNSPACED = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")
_SCAFFOLD = re.compile(
    r"\[/?\s*memory[^\]\n]*\]|</?[a-z_][^<>\n]{0,80}>|<\|[^|\n]{0,80}\|>|\{\{|\}\}|"
    r"(?:^|(?<=\n))\s*(?:system|assistant|user)\s*:",
    re.IGNORECASE,
)
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


def words(text: str) -> list[str]:
    """Return the words of *text*, folded in case and width; each Chinese or Japanese sign is a word."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return re.findall(r"\w+(?:'\w+)?", _UNSPACED.sub(r" \1 ", folded))


def content_words(text: str) -> list[str]:
    """Return the words of four letters and more that are not of the common kind, each once, in order."""
    return list(dict.fromkeys(word for word in words(text) if _says_something(word)))


def _says_something(word: str) -> bool:
    return len(word) >= 4 and "'" not in word and word not in _COMMON and word not in _ABUSE


def shared_share(first: frozenset[str], second: frozenset[str]) -> float:
    """Return ``|both| / sqrt(|first| * |second|)``, 0 where one is empty."""
    shared = len(first & second)
    return float(shared / (len(first) * len(second)) ** 0.5) if shared else 0.0


def one_line(text: str, most: int) -> str:
    """Return *text* on one line of at most *most* characters, an ellipsis where it was cut.

    What looks like a part of a prompt (tags, braces, labels of tiers, ``system:``) is left out: it was said by
    somebody and must not speak to the model.
    """
    plain = writable(text)
    while is_scaffolding(plain):  # again: what stood on both sides of a part may make another
        plain = _SCAFFOLD.sub(" ", plain).strip()
    plain = " ".join(plain.split())
    if is_scaffolding(plain):  # on one line, what stood on two may be a part
        return one_line(plain, most)
    if len(plain) <= most:
        return plain
    return plain[: most - 1].rstrip() + "…" if most > 0 else ""


def is_scaffolding(text: str) -> bool:
    """Tell whether *text* looks like a part of a prompt."""
    return _may_scaffold(text) and _SCAFFOLD.search(text) is not None


def _may_scaffold(text: str) -> bool:
    """Tell whether *text* holds a sign without which it cannot look like a prompt: cheap, and mostly false."""
    return any(sign in text for sign in "[<{}:")


def without_abuse(text: str) -> str:
    """Return *text* with words of abuse replaced, so that a summary does not hand them on."""
    return _ABUSIVE.sub("[abusive language]", text)


def is_abusive(word: str) -> bool:
    """Tell whether *word* is one of abuse."""
    return word.casefold() in _ABUSE
