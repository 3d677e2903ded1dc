"""How things are put: phrases with slots, drawn so that talks do not repeat themselves, and recognised when heard."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from memory.language.sentences import sentences
from memory.language.words import words
from sim.offline.choice import Dice
from sim.offline.signs import read_lists

_TITLE = re.compile(
    r"(?:mr|mrs|ms|miss|mx|dr|prof|professor|doctor|sir|lady|lord|dame|father|mother|sister|brother|rev|reverend|pastor|rabbi|imam"
    r"|cap|capt|captain|sgt|sergeant|lt|lieutenant|col|colonel|gen|general|major|maj|uncle|aunt|auntie|grandma|grandpa|granny"
    r"|don|doña|señor|señora|monsieur|madame|herr|frau|signor|signora|king|queen|prince|princess|judge|officer|chief|old|big|little)\.?",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(r"\w{2,5}\.")
_SLOT = re.compile(r"\{(\w+)\}")
_ANY = "[^!?]{1,80}?"
_NAMED = r"[^\W\d_a-z][^,!?:]{0,40}?"
# What the slots of a phrase look like where it is heard.
_SIGNS = {
    "hail": r"(?:(?:A )?[Gg]ood \w+|Morning|Evening|Hello(?: there| again)?|Hi)", "you": "[^,!?:]{1,40}?",
    "whom": _NAMED,
    "doing": r"(?:\w+ly )?\w+ing\b[^!?]{0,80}?", "doing_up": r"(?:\w+ly )?\w+ing\b[^!?]{0,80}?",
}  # fmt: skip


@cache
def phrases() -> Mapping[str, tuple[str, ...]]:
    """Return the phrases by what they are for."""
    return read_lists("phrases.yaml")


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return what each phrase looks like when it is heard, those with most words of their own first."""
    listed = [(name, one) for name, several in phrases().items() for one in several if not name.startswith("hail")]
    listed.sort(key=lambda form: -len(_SLOT.sub("", form[1])))
    return tuple((name, re.compile(_SLOT.sub(_sign, _escaped(one)))) for name, one in listed)


def _escaped(phrase: str) -> str:
    return re.escape(phrase).replace(r"\{", "{").replace(r"\}", "}")


def _sign(slot: re.Match[str]) -> str:
    """Return the pattern of what may stand in a slot, under the slot's name."""
    return f"(?P<{slot[1].removesuffix('_up')}>{_SIGNS.get(slot[1], _ANY)})"


class Phrase(NamedTuple):
    """A phrase that was heard."""

    kind: str
    """What it is for; "" where it is none of the phrases."""
    slots: Mapping[str, str]


@lru_cache(maxsize=20_000)
def read_phrase(sentence: str) -> Phrase:
    """Return which of the phrases *sentence* is, with what stands in its slots."""
    plain = sentence.strip()
    found = ((name, pattern.fullmatch(plain)) for name, pattern in _forms())
    return next((Phrase(name, match.groupdict()) for name, match in found if match), Phrase("", {}))


def kind_of(sentence: str) -> str:
    """Return what *sentence* is for where it is one of the phrases, else ""."""
    return read_phrase(sentence).kind


class Voice:
    """The phrases of one answer: drawn by its dice, none that was said in the talk before."""

    def __init__(self, dice: Dice, said: Iterable[str], slots: Mapping[str, str]) -> None:
        self._dice, self._slots = dice, slots
        self.you = slots.get("you", "")
        self._said = {tuple(words(s)) for text in said for s in sentences(text)}

    def say(self, name: str, **slots: str) -> str:
        """Return a phrase for *name* that was not said yet and whose slots can be filled; "" if there is none."""
        filled = {**self._slots, **slots}
        filled |= {f"{key}_up": value[:1].upper() + value[1:] for key, value in slots.items()}
        listed = [one for one in phrases()[name] if all(filled.get(slot) for slot in _SLOT.findall(one))]
        ranked = sorted(listed, key=lambda one: self._dice.share("phrase", name, one))
        for one in ranked:
            text = _SLOT.sub(lambda match: filled[match[1]], one)
            if tuple(words(text)) not in self._said:
                return text
        return ""

    def chance(self, likely: float, *keys: str) -> bool:
        """Return whether something that is so *likely* happens."""
        return self._dice.share("chance", *keys) < likely


def address(name: str) -> str:
    """Return how one speaks to somebody called *name*: the first name, or the title with the last name."""
    parts = name.split()
    if len(parts) < 2 or not (_TITLE.fullmatch(parts[0]) or _ABBREVIATED.fullmatch(parts[0])):
        return parts[0] if parts else name
    return f"{parts[0]} {parts[-1]}"


def hail(hour: int) -> str:
    """Return the name of the phrases that greet at this *hour*."""
    return "hail_evening" if hour >= 18 or hour < 4 else "hail_morning" if hour < 12 else "hail_afternoon"


def ended(text: str) -> str:
    """Return *text* with a full stop where it has no end."""
    return text if text.rstrip(' "”').endswith((".", "!", "?", "…")) else f"{text.rstrip()}."


def listing(items: list[str]) -> str:
    """Return ``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
