"""Turns what is told of or to somebody into what they tell themselves: each sentence wholly or not at all.

A memory that says "he" of oneself makes a second person out of one; a sentence that no rule turns wholly stays in the
third person, with the name.
"""

import re
from collections.abc import Sequence

from memory.language.sentences import sentences
from memory.language.verbs import base_form, known_verbs, third_person

_ADVERB = r"(?:also|often|usually|always|never|now|just|still|really|sometimes|then|currently|recently)"
_PRONOUNS = re.compile(r"\b(?:s?he|hers?|his|him|herself|himself|they|their|theirs|them|themselves|themself)\b", re.I)
_GENDERED = re.compile(r"\b(?:s?he|hers?|his|him|herself|himself)\b", re.I)
_OTHERS = re.compile(
    r"\b(?:who|whom|whose|somebody|someone|anybody|everybody|everyone|people|"
    r"(?:mother|father|mum|mom|dad|parent|wife|husband|partner|son|daughter|child|kid|baby|brother|sister|twin|aunt"
    r"|uncle|cousin|grandmother|grandfather|grandparent|friend|neighbou?r|colleague|boss|teacher|student|pupil|customer"
    r"|guest|roommate|flatmate|girl|boy|woman|man|fianc[ée]e?|girlfriend|boyfriend|manager|professor|coach)s?|children"
    r"|women|men)\b",
    re.I,
)
_RELATIVE = re.compile(r"\b(?:that|which|where)\s+(?!I\b)\w+", re.I)
_OF_THE_OTHER = r"(?:and|or)\s+(?:her|his|their)\s+\w+"  # "Ann Lee and her shop"
_FORMS = {
    "is": "am", "isn't": "am not", "isn’t": "am not", "was": "was", "wasn't": "wasn't", "wasn’t": "wasn’t", "are": "am",
    "aren't": "am not", "were": "was", "has": "have", "hasn't": "haven't", "hasn’t": "haven’t", "does": "do",
    "doesn't": "don't", "doesn’t": "don’t",
}  # fmt: skip
_AFTER_VERB = (
    r"(?:an?|the|my|it|this|that|these|those|to|in|at|on|for|with|about|every|as|up|out|off|over|around|from)\b"
)
_TELLING = (
    "told|tells?|asks?|asked|gives?|gave|helps?|helped|likes?|liked|loves?|knows?|knew|met|meets?|"
    "invited|invites?|sees|saw"
)


def told_by_oneself(text: str, name: str, others: Sequence[str]) -> str:
    """Return a text about *name* in the first person; what cannot be turned wholly stays, with the name.

    Args:
        others: Full names of everybody else; *name* among them does not count.
    """
    turn = _Turn(name, others, text)
    for sentence in sentences(text):
        text = text.replace(sentence, turn.told(sentence), 1)
    return text.strip()


def stays_told_of(text: str, name: str, others: Sequence[str]) -> bool:
    """Return whether part of a text about *name* cannot be turned into the first person."""
    turn = _Turn(name, others, text)
    return any(turn.concerns(sentence) and turn.wholly(sentence) is None for sentence in sentences(text))


class _Turn:
    """The rules for one person in one text."""

    def __init__(self, name: str, others: Sequence[str], text: str) -> None:
        first = name.split()[0] if name.split() else name
        strangers = [other for other in others if other != name]
        namesakes = [other.split()[1] for other in strangers if other.split()[:1] == [first] and len(other.split()) > 1]
        alone = (
            rf"{re.escape(first)}(?!\s+(?:{'|'.join(map(re.escape, namesakes))})\b)" if namesakes else re.escape(first)
        )
        self._name, self._self = name, rf"(?:{re.escape(name)}|{alone})(?![\w-])"
        parts = {part for other in strangers for part in (other, *other.split()[:1]) if part != first}
        self._strangers = re.compile(
            "|".join(rf"\b{re.escape(p)}\b" for p in sorted(parts, key=len, reverse=True)) or "$^"
        )
        self._is_they = not _GENDERED.search(text) and not re.search(rf"{_OTHERS.pattern[:-2]}s\b", text, re.I)
        """Whether "they" is one person here."""

    def concerns(self, sentence: str) -> bool:
        """Return whether *sentence* may be of the person: it names them, or begins with a pronoun."""
        return bool(re.search(self._self, sentence) or re.match(r"(?:She|He|They|Her|His|Their)\b", sentence))

    def told(self, sentence: str) -> str:
        """Return *sentence* as the person tells it, or with the name where that cannot be had."""
        if not self.concerns(sentence):
            return sentence
        turned = self.wholly(sentence)
        return self._named(sentence) if turned is None else turned

    def wholly(self, sentence: str) -> str | None:
        """Return *sentence* in the first person; None where a word of it may be another's."""
        plain = re.sub(rf"({self._strangers.pattern})\s+{_OF_THE_OTHER}", r"\1", sentence)
        other = self._strangers.search(plain) or _OTHERS.search(plain)
        if other and (
            (self._strangers.search(plain) and _PRONOUNS.search(plain)) or _PRONOUNS.search(plain, other.end())
        ):
            return None
        kept = [match[0] for match in re.finditer(rf"(?:{self._strangers.pattern})\s+{_OF_THE_OTHER}", sentence)]
        for i, part in enumerate(kept):
            sentence = sentence.replace(part, f"\x00{i}\x00", 1)
        turned = self._coordinated(self._objects(self._subjects(sentence)))
        if turned is None or _PRONOUNS.search(turned) or re.search(self._self, turned):
            return None
        for i, part in enumerate(kept):
            turned = turned.replace(f"\x00{i}\x00", part, 1)
        turned = re.sub(r"^I and ((?:[A-Z][\w'’-]*\s)+)", r"\1and I ", turned)
        return turned[:1].upper() + turned[1:] if sentence[:1].isupper() else turned

    def _subjects(self, text: str) -> str:
        who = rf"(?:{self._self}|\b(?:[Ss]he|[Hh]e{'|[Tt]hey' if self._is_they else ''})\b)"
        text = re.sub(rf"{who}['’]s\s+(?=\w+(?:ed|en)\b)", "I have ", text) if re.match(r"(?:She|He)\b", text) else text
        text = re.sub(r"\b(?:[Ss]he|[Hh]e|[Tt]hey)['’](?:s|re)\b", "I am", text)
        text = re.sub(rf"{self._self}['’]s?(?!\w)", "my", text)
        verb = rf"({who})(\s+{_ADVERB})?\s+([a-z][\w'’]*)"
        text = re.sub(verb, lambda m: f"I{m[2] or ''} {_first_person(m[3])}" if _is_verb(m[3]) else m[0], text)
        return re.sub(rf"(^){self._self}(?=\s+and\s+[A-Z])", "I", text)

    def _objects(self, text: str) -> str:
        text = re.sub(r"\b(?:herself|himself|themself|themselves)\b", "myself", text)
        before = (
            r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:that|to|about|if|when|and|with|in|at|for|by|how|what|on|from|as|because)\b)"
        )
        text = re.sub(rf"\b(?:her|him{'|them' if self._is_they else ''})\b{before}|\bhim\b", "me", text)
        text = re.sub(r"\b(?:hers|theirs)\b", "mine", text)
        text = re.sub(rf"\b(?:her|his{'|their' if self._is_they else ''})\b", "my", text)
        text = re.sub(rf"\b(?:Her|His{'|Their' if self._is_they else ''})\b", "My", text)
        text = re.sub(rf"\b(by|with|to|for|from|about|of|at)\s+{self._self}", r"\1 me", text)
        return re.sub(rf"\b({_TELLING})\s+{self._self}", r"\1 me", text)

    def _coordinated(self, text: str) -> str | None:
        """Return *text* with the further verbs of its subject turned too; None where that is not clear."""
        if not re.search(r"\bI\b", text):
            return text
        unclear = False

        def turn(match: re.Match[str]) -> str:
            nonlocal unclear
            lead, verb, after = match["lead"], match["verb"], match["after"]
            if verb not in _FORMS and not (verb.endswith("s") and base_form(verb) in known_verbs()):
                return match[0]
            sure = verb in _FORMS or re.match(rf"\s+{_AFTER_VERB}", after)
            subject = text[text.rfind("I ", 0, match.start()) : match.start()]
            if not sure or _RELATIVE.search(subject) or not re.match(r"I\b", subject):
                unclear = True
                return match[0]
            return f"{lead}{_first_person(verb)}"

        lead = rf"(?P<lead>(?:\b(?:and|or|but)|,)\s+(?:{_ADVERB}\s+)?)"
        turned = re.sub(rf"{lead}(?P<verb>[a-z][\w'’]*)(?=(?P<after>.*))", turn, text)
        return None if unclear else turned

    def _named(self, sentence: str) -> str:
        """Return *sentence* in the third person, with the name where it begins with a pronoun."""
        sentence = re.sub(r"^(?:Her|His|Their)\b", f"{self._name}'s", sentence)
        they = re.match(rf"They(\s+{_ADVERB})?\s+(\w+)", sentence)
        if they and self._is_they:
            verb = {"are": "is", "were": "was", "have": "has"}.get(they[2]) or third_person(they[2])
            return f"{self._name}{they[1] or ''} {verb}{sentence[they.end() :]}"
        return re.sub(r"^(?:She|He)\b", self._name, sentence)


def _is_verb(word: str) -> bool:
    """Return whether *word* may be what a subject does."""
    return word in _FORMS or word not in ("and", "or", "who", "in", "at", "of", "with", "from", "to", "for", "by", "on")


def _first_person(verb: str) -> str:
    if verb in _FORMS:
        return _FORMS[verb]
    return base_form(verb) if verb.endswith("s") and base_form(verb) in known_verbs() else verb


def told_to_me(whisper: str) -> str:
    """Return a fact in the first person: ``You and Ann are friends`` -> ``Ann and I are friends``."""
    names = r"((?:[A-Z][\w'’-]*(?:\s(?=[A-Z]))?)+)"
    over = rf"\b((?:{_TELLING}|to|of|at|by|for|with|from|like|about|between)\s)you and {names}"
    text = re.sub(over, r"\1\2 and me", whisper)
    text = re.sub(rf"\b[Yy]ou and {names}", r"\1 and I", text)
    text = re.sub(r"\b(that|if|because|when|whether|and|than|but)\s+you(?=,)", r"\1 I", text)
    for pattern, replacement in (
        (r"\b[Yy]ou are\b|\b[Yy]ou['’]re\b", "I am"), (r"\b[Yy]ou were\b", "I was"), (r"\b[Aa]re you\b", "am I"),
        (r"\b[Yy]ou['’]ve\b", "I have"), (r"\b[Yy]ou['’]ll\b", "I will"), (r"\b[Yy]ourself\b", "myself"),
        (r"\b[Yy]ours\b", "mine"), (r"\bYour\b", "My"), (r"\byour\b", "my"),
        (r"(?<=\b(?:to|of|at|by)\s)you\b|(?<=\b(?:for|and)\s)you\b(?=[\s]*(?:[.,;!?]|$))", "me"),
        (r"(?<=\b(?:with|from|like)\s)you\b|(?<=\babout\s)you\b|\byou\b(?=\s*(?:[.,;!?]|$))", "me"),
        (rf"(\b(?:{_TELLING})\s)you\b", r"\1me"),
        (r"\b[Yy]ou\b", "I"),
    ):  # fmt: skip
        text = re.sub(pattern, replacement, text)
    return re.sub(r"\s+", " ", text).strip()
