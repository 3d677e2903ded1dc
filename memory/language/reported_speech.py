"""What others said: words in a memory of them, and how a third person passes them on."""

import re
from collections.abc import Callable
from typing import NamedTuple

from memory.language.names import NAME
from memory.language.sentences import plain
from memory.language.verbs import third_person
from memory.language.words import COMMON

_TOLD = re.compile(r"(?P<speaker>[^\"“”]{1,200}?) told me: [\"“](?P<words>.*?)[\"”]?\s*", re.DOTALL)
_OVERHEARD = re.compile(
    r"I overheard (?P<speaker>[^\"“”]{1,200}?) tell (?P<to>[^\"“”]{1,200}?): [\"“](?P<words>.*?)[\"”]?\s*",
    re.DOTALL,
)
_ADVERB = r"(?:really|also|just|still|always|often|usually|sometimes|already|now|certainly|probably|\w+ly)"
# Verbs whose bare form after "I" is certainly the present, so that a third person may be made of it.
_PRESENT_TEXT = """
    admire agree appreciate ask believe care carry come consider dance decide design doubt dream enjoy enter
    expect fear feel find follow forget get give go grow hate have help hold hope host imagine intend
    invite join keep know lead learn like live look love make mean meet miss move need offer organise
    organize own paint plan play prefer prepare promise propose remember rent respect run see seem sell
    serve sing start stay study suggest support suspect take talk teach think train travel try
    understand use visit wait walk want wish wonder work worry write
"""
_PRESENT = frozenset(_PRESENT_TEXT.split())
_STAYS_TEXT = """
    will would can could shall should may might must won't can't cannot couldn't wouldn't shouldn't
    mustn't was wasn't had hadn't did didn't used ought gave went met saw told heard came took made said
    knew thought felt found got left kept held lost won bought brought taught wrote began became ran
    sang spoke understood sold stood ate slept forgot grew
"""
_STAYS = frozenset(_STAYS_TEXT.split())
_CHANGES = {
    "am": "is",
    "have": "has",
    "haven't": "hasn't",
    "do": "does",
    "don't": "doesn't",
    "ain't": "isn't",
}
_ENDINGS = {"'m": " is", "'ll": " will", "'ve": " has", "'d": " would"}
_FIRST = re.compile(
    r"\bI(?P<ending>['’](?:m|ll|ve|d))?\b(?P<adverbs>(?:\s+" + _ADVERB + r"(?=\s))*)(?P<gap>\s+)?(?P<verb>[\w'’]+)?"
    r"|\b(?P<other>my|me|mine|myself|(?<![^.!?:]\s)(?:My|Me|Mine))\b"
    r"|(?P<still>(?:(?<=\band )|(?<=\bbut ))am\b)"
    r"|(?P<joint>\b(?:and|but))\s+(?P<wish>want|hope|need|plan|intend|wish)(?=\s+to\b)"
)
_CANNOT_TURN = re.compile(r"\b(?:we|us|our|ours|ourselves|let['’]s|you|your|yours|yourself|y['’]all)\b", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_SAYS = re.compile(r'.+ says: ".*"', re.DOTALL)
_QUOTATION = re.compile(r"[\"“][^\"”]*[\"”]?")
_TELLING = r"(?:tells?|told|says?|said|asks?|asked|invites?|invited|mentioned)"
_TELLS = re.compile(
    rf"(?P<who>{NAME})\s+(?:(?:has|had|just|also|once)\s+)?{_TELLING}\b"
    rf"|\b(?:talk\w*|spoke|speak\w*|chat\w*)\s+(?:with|to)\s+(?P<with>{NAME})"
    rf"|\b(?:hear|heard|overheard?)\s+(?P<heard>{NAME})\s+(?:tell|ask|say|invite|mention)\b"
)
_NOBODY = frozenset({"nobody", "no one", "somebody", "someone", "everybody", "everyone", "people", "one"})


class Heard(NamedTuple):
    """Words that somebody said, as a memory of them."""

    speaker: str
    to_whom: str | None
    """None when they were said to the owner of the memory."""
    words: str
    overheard: bool


def heard(text: str) -> Heard | None:
    """Return who said what to whom in ``X told me: "…"`` or ``I overheard X tell Y: "…"``, else None."""
    told = _OVERHEARD.fullmatch(text)
    if told:
        return Heard(told["speaker"], told["to"], told["words"], overheard=True)
    told = _TOLD.fullmatch(text)
    return Heard(told["speaker"], None, told["words"], overheard=False) if told else None


def tellers_in(text: str) -> set[str]:
    """Return the names of those who, as *text* has it, told or asked something or were talked to, in small letters.

    What stands in quotation marks is left out: that is their telling, not the text's.
    """
    found = {
        plain(match["who"] or match["with"] or match["heard"]) for match in _TELLS.finditer(_QUOTATION.sub(" ", text))
    }
    return {name for name in found if name not in _NOBODY | COMMON}


def retell(sentence: str, speaker: str) -> str:
    """Return what *speaker* said as another may say it: in the third person, or quoted if unsafe.

    No content word is lost; a sentence that holds no first or second person stays as it is.
    """
    sentence = sentence.strip()
    if not sentence or _SAYS.fullmatch(sentence):
        return sentence
    bare = _QUOTED.sub(lambda match: "_" * len(match[0]), sentence)
    if not _is_latin(bare) or _CANNOT_TURN.search(bare) or bare.endswith("?"):
        return _quoted(sentence, speaker)
    if not re.search(r"\bI\b|\b(?:my|me|mine|myself)\b", bare, re.ASCII) and not re.match(r"(?:My|Me|Mine)\b", bare):
        return sentence
    return _turned(sentence, bare, speaker) or _quoted(sentence, speaker)


_THIRD = re.compile(r"\b(?:he|she|him|his|hers?|they|them|theirs?|himself|herself)\b", re.IGNORECASE)


def to_face(sentence: str, name: str) -> str:
    """Return what is said of *name* as it is said to them, with ``you``; "" where that is not certain."""
    if _THIRD.search(sentence):
        return ""
    first, _, rest = name.partition(" ")
    parts = (re.escape(name), re.escape(first) + (rf"(?! {re.escape(rest)}\b)" if rest else ""))
    forms = "|".join(dict.fromkeys(parts)) if first else "(?!)"
    told = re.sub(rf"^(?:{forms})(?= (?:and I\b|\w+ed\b|(?:{'|'.join(sorted(_STAYS))})\b))", "You", sentence)
    told = re.sub(rf"\b(?:{forms})['’]s\b", "your", told)
    told = re.sub(rf"(?<=\w )(?:{forms})(?! (?:is|was|has|does|and|[a-z]+s)\b)(?!\w)", "you", told)
    return "" if re.search(rf"\b(?:{forms})\b", told) else told[:1].upper() + told[1:]


_OF_YOU = {"are": "is", "'re": "is", "have": "has", "'ve": "has", "were": "was"}
_TO_YOU = re.compile(r"\byou(?:(?P<gap>\s?)(?P<verb>are|['’]re|have|['’]ve|were))?\b", re.IGNORECASE)


def of_hearer(sentence: str, hearer: str) -> str:
    """Return what was said to *hearer* as it is remembered of them, with their name for ``you``; "" if unsure."""
    if re.search(r"\b(?:you['’](?:ll|d)|you do|yourself|yours)\b", sentence, re.IGNORECASE):
        return ""
    told = re.sub(r"\byour\b", f"{hearer}'s", sentence, flags=re.IGNORECASE)
    verbs = {verb: f" {turned}" for verb, turned in _OF_YOU.items()}
    return _TO_YOU.sub(lambda m: hearer + verbs.get((m["verb"] or "").lower().replace("’", "'"), ""), told)


_YOURS = {"i": "you", "my": "your", "me": "you", "mine": "yours", "myself": "yourself", "am": "are", "was": "were"}
_MINE = re.compile(r"\b(?:I|my|me|mine|myself)\b|(?<=\bI )(?:am|was)\b", re.IGNORECASE)


def back_to_speaker(sentence: str) -> str:
    """Return what somebody said of themselves as it is said back to them, a clause without a stop; "" if unsure."""
    bare = " ".join(sentence.split()).rstrip(" .!")
    if _CANNOT_TURN.search(bare) or not re.search(r"\bI\b|\b[Mm]y\b", bare) or "'" in bare or '"' in bare:
        return ""
    told = _MINE.sub(lambda match: _YOURS[match[0].lower()], bare)
    return told[:1].lower() + told[1:]


def _quoted(sentence: str, speaker: str) -> str:
    """Return the sentence as the speaker's own words; inner quotation marks become single ones."""
    inside = re.sub(r"[\"“”]", "'", sentence)
    return f'{speaker} says: "{inside}"'


def _is_latin(text: str) -> bool:
    """Return whether most letters of *text* are Latin ones."""
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(ord(letter) < 0x250 for letter in letters) > len(letters)


def _turned(sentence: str, bare: str, speaker: str) -> str | None:
    """Return *sentence* in the third person, or None when a verb's form is not certain.

    The first mention is the speaker's name with a singular verb, then ``they`` with the verb as said.
    """
    pieces: list[str] = []
    place, named, subject = 0, False, ""
    for match in _FIRST.finditer(bare):
        pieces.append(sentence[place : match.start()])
        place = match.end()
        if match["other"]:
            new: str | None = _possessive(match["other"].lower(), speaker, named)
        elif match["still"]:
            new = {"name": "is", "they": "are"}.get(subject, "am")
        elif match["joint"]:
            new = match[0] + ("s" if subject == "name" and match["wish"] != "wish" else "")
            new += "es" if subject == "name" and match["wish"] == "wish" else ""
        else:
            new, subject = (
                _clause(match, _plural if named else _singular, "they" if named else speaker),
                "they" if named else "name",
            )
        if new is None:
            return None
        pieces.append(_capital(new, sentence, match.start()) if named else new)
        named = named or not (match["joint"] or match["still"])
    return "".join([*pieces, sentence[place:]])


def _capital(new: str, sentence: str, place: int) -> str:
    """Return *new* with a capital where a sentence begins."""
    starts = not sentence[:place].strip() or re.search(r"[.!?]\s*$", sentence[:place])
    return new[:1].upper() + new[1:] if starts else new


def _possessive(word: str, speaker: str, named: bool) -> str:
    """Return what stands for my, me, mine or myself."""
    if word == "me":
        return speaker
    if word == "myself":
        return "themselves"
    if named:
        return "their" if word == "my" else "theirs"
    return f"{speaker}'s"


def _clause(match: re.Match[str], agree: Callable[[str], str | None], subject: str) -> str | None:
    """Return subject, adverbs and verb for ``I really want``; None when unsure of the verb."""
    adverbs, gap, verb = match["adverbs"] or "", match["gap"] or "", match["verb"] or ""
    if match["ending"]:
        ending = _ENDINGS[match["ending"].replace("’", "'")]
        if subject == "they":
            ending = {" is": " are", " has": " have"}.get(ending, ending)
        return f"{subject}{ending}{adverbs}{gap}{verb}"
    if not verb or not gap:
        return None
    agreed = agree(verb.replace("’", "'"))
    return None if agreed is None else f"{subject}{adverbs}{gap}{agreed}"


def _plural(verb: str) -> str | None:
    """Return the form after ``they`` of a verb as said after ``I``."""
    return {"am": "are", "was": "were", "wasn't": "weren't", "ain't": "aren't"}.get(verb, verb)


def _singular(verb: str) -> str | None:
    """Return the form after a name of a verb as said after ``I``; None when it might be a past or no verb."""
    if verb in _CHANGES:
        return _CHANGES[verb]
    if verb in _STAYS or (verb.endswith("ed") and len(verb) > 4 and verb.islower()):
        return verb
    return third_person(verb) if verb in _PRESENT else None
