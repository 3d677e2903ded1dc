"""What somebody means to do, and how others pass it on."""

import re
from collections.abc import Callable

from sim.offline.moments import names_a_moment

_ADVERB = r"(?:really|also|just|still|always|often|usually|sometimes|already|now|certainly|probably|\w+ly)"
_OWNER = r"(?:a|an|the|my|his|her|their|our|some)"
_OTHERS = (
    r"(?:every(?:one|body)|any(?:one|body)|people|all(?:\s+(?:of\s+)?" + _OWNER + r")?(?:\s+\w+)?"
    r"|(?:" + _OWNER + r"\s+)?(?:customers|guests|friends|neighbou?rs|visitors|colleagues|students|regulars|villagers)"
    r"|others|the\s+others|whoever\s+\w+)"
)
_TO_COME = re.compile(
    r"\b(?:will|shall)\s+(?!not\b|never\b)\w|['’]ll\s+(?!not\b|never\b)\w"
    r"|\b(?:going|about|hoping|planning|intending|wanting|aiming)\s+to\s+(?!" + _OWNER + r"\b)(?-i:[a-z])"
    r"|\b(?<!n['’]t )(?<!not )(?:plans?|wants?|intends?|hopes?|means?|wish|wishes|would\s+like|['’]d\s+like"
    r"|decided|agreed|promised|am\s+due|is\s+due)\s+to\s+\w"
    r"|\blook(?:s|ing)?\s+forward\s+to\b|\b(?:is|are|am|['’]m|['’]s|['’]re)\s+(?:" + _ADVERB + r"\s+)?"
    r"(?:running\s+for|standing\s+for|getting\s+married|moving\s+to|inviting"
    r"|(?:giving|hosting|throwing|organi[sz]ing|planning|arranging|celebrating)\s+" + _OWNER + r"\b)"
    r"|\b(?:takes?|taking)\s+place\b|\b(?:scheduled|planned)\s+for\b"
    r"|\bplan(?:s|ning)?\s+on\s+\w+ing\b|\bplanning\s+(?:on|for)\s+" + _OWNER + r"\b",
    re.IGNORECASE,
)
# These speak of something to come only with a day or an hour: "there is a fire", "holding a cup" do not.
_IF_DATED = re.compile(
    r"\b(?:there\s+(?:is|are)|there['’]s)\s+(?!no\b|nothing\b)"
    r"|\b(?:is|are|am|['’]m|['’]s|['’]re)\s+(?:holding|having|opening|preparing)\b"
    r"|\b(?:tell|ask|invit|urg|encourag|want|wish|expect|would\s+like|['’]d\s+like)(?:e|s|es|ing)?\s+"
    + _OTHERS
    + r"\s+(?:along\b|over\b|to\s+(?:"
    + _OWNER
    + r"|join|come|attend|visit|celebrate|gather|meet|drop|stop|be|take\s+part)\b)|\b"
    + _OTHERS
    + r"\s+(?:is|are)\s+(?:\w+ly\s+)?(?:invited|welcome)\b",
    re.IGNORECASE,
)

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


def is_intention(sentence: str) -> bool:
    """Return whether *sentence* states something to come: a will, a plan, a wish, a fixed event."""
    spoken = _QUOTED.sub(" ", sentence).strip()
    if not spoken or spoken.rstrip('"”').endswith(("?", "？")):
        return False
    return bool(_TO_COME.search(spoken)) or bool(_IF_DATED.search(spoken) and names_a_moment(spoken))


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
    if verb not in _PRESENT:
        return None
    if verb.endswith("y") and verb[-2] not in "aeou":
        return f"{verb[:-1]}ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s")
