"""Forms of English verbs: what *I* do, what *they* are doing, what somebody does and did."""

import re

_BASES = {"has": "have", "does": "do", "goes": "go", "lies": "lie", "is": "be", "was": "was"}
_PASTS = {
    "break": "broke", "steal": "stole", "sell": "sold", "take": "took", "lie": "lied", "forget": "forgot",
    "tear": "tore", "throw": "threw", "give": "gave", "lose": "lost", "burn": "burnt", "let": "let",
    "go": "went", "cut": "cut", "keep": "kept", "spread": "spread", "leave": "left", "make": "made",
    "be": "was", "have": "had", "do": "did", "get": "got", "hit": "hit", "put": "put", "say": "said", "see": "saw",
    "run": "ran", "teach": "taught",
    "tell": "told", "hide": "hid", "write": "wrote", "eat": "ate", "drive": "drove", "spend": "spent",
}  # fmt: skip
_HISSES = ("s", "sh", "ch", "x", "zz", "o")


def third_person(verb: str) -> str:
    """Return the form after a name: ``studies`` for ``study``."""
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeou"):
        return f"{verb[:-1]}ies"
    return verb + ("es" if verb.endswith(_HISSES) else "s")


def base_form(verb: str) -> str:
    """Return the form after ``I`` of one after a name, ``study`` for ``studies``; as it is if it is none."""
    if verb in _BASES:
        return _BASES[verb]
    if not re.fullmatch(r"[a-z]{2,}s", verb) or verb.endswith("ss"):
        return verb
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:sh|ch|ss|x|zz)es$", verb) else verb[:-1]


def gerund(verb: str) -> str:
    """Return ``studying`` for ``study``, ``running`` for ``run``."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    return re.sub(r"(?<=[^eo])e$", "", _doubled(verb)) + "ing" if len(verb) > 2 else f"{verb}ing"


def past(verb: str) -> str:
    """Return ``studied`` for ``study``, ``broke`` for ``break``."""
    if verb in _PASTS:
        return _PASTS[verb]
    return re.sub(r"(?<=[^aeou])y$", "ie", _doubled(verb)).removesuffix("e") + "ed"


def _doubled(verb: str) -> str:
    """Return *verb* with its last letter twice, where one short vowel stands before it."""
    return verb + verb[-1] if re.fullmatch(r"[^aeiou]*[aeiou][bdgmnpt]", verb) else verb
