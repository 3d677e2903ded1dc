"""Forms of English verbs: what *I* do, what *they* are doing, what somebody does and did."""

import re
from functools import cache
from importlib.resources import files

_BASES = {"has": "have", "does": "do", "goes": "go", "lies": "lie", "is": "be", "was": "was"}
_PASTS = {
    "break": "broke", "steal": "stole", "sell": "sold", "take": "took", "lie": "lied", "forget": "forgot",
    "tear": "tore", "throw": "threw", "give": "gave", "lose": "lost", "burn": "burnt", "let": "let",
    "go": "went", "cut": "cut", "keep": "kept", "spread": "spread", "leave": "left", "make": "made",
    "be": "was", "have": "had", "do": "did", "get": "got", "hit": "hit", "put": "put", "say": "said", "see": "saw",
    "run": "ran", "teach": "taught", "feed": "fed", "sleep": "slept", "meet": "met", "sit": "sat", "stand": "stood",
    "read": "read", "sing": "sang", "swim": "swam", "sweep": "swept", "drink": "drank", "draw": "drew", "buy": "bought",
    "bring": "brought", "catch": "caught", "think": "thought", "find": "found", "hold": "held", "build": "built",
    "send": "sent", "pay": "paid", "lead": "led", "hear": "heard", "feel": "felt", "speak": "spoke", "wake": "woke",
    "choose": "chose", "grow": "grew", "know": "knew", "fly": "flew", "begin": "began", "come": "came", "ride": "rode",
    "weave": "wove", "win": "won", "lend": "lent", "dig": "dug", "ring": "rang", "shake": "shook", "fall": "fell",
    "tell": "told", "hide": "hid", "write": "wrote", "eat": "ate", "drive": "drove", "spend": "spent",
}  # fmt: skip
_PARTICIPLES = {
    "gone": "go", "taken": "take", "given": "give", "written": "write", "seen": "see", "eaten": "eat",
    "driven": "drive", "broken": "break", "spoken": "speak", "chosen": "choose", "grown": "grow", "known": "know",
    "flown": "fly", "begun": "begin", "sung": "sing", "swum": "swim", "drunk": "drink", "drawn": "draw",
    "worn": "wear", "wore": "wear", "stolen": "steal", "forgotten": "forget", "thrown": "throw", "fallen": "fall",
    "ridden": "ride", "woken": "wake", "gotten": "get", "understood": "understand", "became": "become", "shown": "show",
}  # fmt: skip
# Verbs of several syllables whose last letter is doubled, as the last syllable is the one that is stressed.
_DOUBLED_TEXT = """
    admit begin commit compel control equip forget occur outwit overlap patrol permit prefer quit quiz rebel refer
    regret submit transfer unwrap unzip upset
"""
_DOUBLED = frozenset(_DOUBLED_TEXT.split())
_KEEP_E = frozenset({"dye", "singe", "binge", "eye", "age"})
_NO_GERUNDS_TEXT = """
    evening morning spring ceiling sibling darling sterling duckling offspring wedding
"""
_NO_GERUNDS = frozenset(_NO_GERUNDS_TEXT.split())
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
    """Return ``studying`` for ``study``, ``running`` for ``run``, ``beginning`` for ``begin``."""
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb in _KEEP_E or len(verb) <= 2:
        return f"{verb}ing"
    return re.sub(r"(?<=[^eo])e$", "", _doubled(verb)) + "ing"


def past(verb: str) -> str:
    """Return ``studied`` for ``study``, ``broke`` for ``break``."""
    if verb in _PASTS:
        return _PASTS[verb]
    return re.sub(r"(?<=[^aeou])y$", "ie", _doubled(verb)).removesuffix("e") + "ed"


def _doubled(verb: str) -> str:
    """Return *verb* with its last letter twice, where one short, stressed vowel stands before it."""
    if verb.endswith("ic"):
        return f"{verb}k"  # panicking
    is_short = re.fullmatch(r"(?:[^aeiou]|(?<=q)u)*[aeiou][bdgkmnprtz]", verb)
    return verb + verb[-1] if is_short or verb in _DOUBLED else verb


@cache
def known_verbs() -> dict[str, bool]:
    """Return common verbs in their base form, with whether each is more often a noun before another noun."""
    lines = files("memory.language").joinpath("verbs.txt").read_text(encoding="utf-8").splitlines()
    found = " ".join(line for line in lines if not line.startswith("#")).split()
    return {verb.rstrip("*"): verb.endswith("*") for verb in found}


@cache
def _bases_of_gerunds() -> dict[str, str]:
    return {gerund(verb): verb for verb in known_verbs()}


@cache
def _bases_of_pasts() -> dict[str, str]:
    return {past(verb): verb for verb in known_verbs()}


def is_gerund(word: str) -> bool:
    """Return whether *word* is what somebody is doing: ``reading``, and none of ``evening``, ``spring``, ``thing``."""
    return word in _bases_of_gerunds() or (
        len(word) > 5 and word.endswith("ing") and not word.endswith(("thing", "string")) and word not in _NO_GERUNDS
    )


def base_of(word: str, *, told: bool = False) -> str:
    """Return the base form of a known verb in the present, where it is *told* of somebody also in the past; else ""."""
    for base in (word, base_form(word)):
        if base in known_verbs():
            return base
    return _bases_of_pasts().get(word, "") if told else ""


@cache
def irregular_bases() -> dict[str, str]:
    """Return the base of each past and participle that stemming does not lead to it."""
    pasts = {past: base for base, past in _PASTS.items() if past not in ("lied", "lead")}
    return pasts | _PARTICIPLES
