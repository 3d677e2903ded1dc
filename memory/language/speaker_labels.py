"""Labels in what is said, as in a play (``Tomas: Morning, Ilse!``): whose words they are."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memory.language.sentences import plain

_TITLE = r"(?:(?:mr|mrs|ms|miss|dr|prof)\.?\s+)?"
_MARKS = r"[\s\"“”„«'‘*_#>\[({-]*"
_END = r"[\s*_\])}]*(?:\([^()\n]{0,60}\)|\*[^*\n]{0,60}\*)?[\s*_]*[:：][*_]*\s*"
_BORDER = r"(?:\A|\n|(?<=[.!?…\"”»*)。！？」])\s+|(?<=[。！？」]))"
_PAIRS = ('""', "“”", "„“", "«»", "‘’", "''", "「」")


class OwnWords(NamedTuple):
    """What of an utterance is the speaker's own."""

    text: str
    notes: tuple[str, ...] = ()
    """What was cut, for the log."""


def own_words(said: str, speaker: str, others: Iterable[str]) -> OwnWords:
    """Return *said* without labels of *speaker*, up to the first line or sentence that is labelled as another's.

    Args:
        others: Whoever may be meant by a label, by whole names; a first name or a surname does as well.
    """
    everyone = list(dict.fromkeys([speaker, *others]))
    strangers = [form for name in everyone[1:] for form in _forms(name, everyone)]
    mine = [*_forms(speaker, everyone), *_forms(speaker, [speaker])]  # a shared name that begins the words is one's own
    text, notes = said, []
    begins = re.match(rf"{_MARKS}{_any_of(mine)}{_END}", text, re.IGNORECASE)
    if begins:
        text = text[begins.end() :]
        notes.append("the speaker's own name before the words is cut")
    other = re.search(rf"{_BORDER}{_MARKS}(?P<who>{_any_of(strangers)}){_END}", text, re.IGNORECASE)
    if other:
        text = text[: other.start()]
        notes.append(f"what it has {other['who']} say is not spoken")
    if begins or other:
        again = rf"({_BORDER}){_MARKS}{_any_of(_forms(speaker, everyone))}{_END}"
        text = _unquoted(re.sub(again, r"\1", text, flags=re.IGNORECASE).strip())
    return OwnWords(text, tuple(notes))


def _forms(name: str, everyone: Sequence[str]) -> list[str]:
    """Return the patterns of *name*: whole, and each end of it that nobody else of *everyone* has."""
    parts = name.split()
    shared = {part for other in everyone if other != name for part in plain(other).split()}
    alone = [part for part in (parts[0], parts[-1]) if len(parts) > 1 and plain(part) not in shared]
    return [_TITLE + r"\s+".join(map(re.escape, form.split())) for form in (name, *alone)]


def _any_of(forms: Sequence[str]) -> str:
    return f"(?:{'|'.join(sorted(forms, key=len, reverse=True)) or '(?!)'})"


def _unquoted(text: str) -> str:
    """Return *text* without the quotes around all of it, and without one that has lost its fellow."""
    for pair in _PAIRS:
        opening, closing = pair[0], pair[1]
        inner = text.removeprefix(opening).removesuffix(closing)
        if len(inner) < len(text) and opening not in inner and closing not in inner and opening != "'":
            return inner.strip()
    return text
