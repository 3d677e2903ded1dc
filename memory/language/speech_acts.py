"""What is done by saying something: insults, apologies, thanks, promises; and what a gesture that a text tells of does.

The rule reads English.  A text in another language, or without any of the signs, holds no act.
"""

import re
from collections.abc import Mapping
from typing import Literal, get_args

from memory.language.moments import names_a_moment
from memory.language.sentences import sentences
from memory.language.words import content_words, folded, is_abusive

Gesture = Literal["help", "smile", "snub", "insult"]
Act = Literal[
    "insult", "rejection", "promise broken", "accusation", "contradiction", "disagreement", "apology",
    "reconciliation", "help", "promise kept", "thanks", "praise", "joke", "evidence", "agreement",
]  # fmt: skip
_BY_WEIGHT: tuple[Act, ...] = get_args(Act)
HOSTILE: tuple[Act, ...] = ("insult", "rejection", "promise broken", "accusation")

_NOT_COMING = r"(?:didn't|did not|never|wouldn't|forgot)"
_SIGNS: Mapping[Act, str] = {
    "rejection": r"\bshut up\b|\b(?:get out|get lost|go away|leave me alone)\b|\bi hate you\b|\bi despise you\b"
    r"|\b(?:i )?never (?:want to )?(?:see|speak to|talk to|hear from) (?:you|me) again\b"
    r"|\bi (?:don't|do not) want (?:to (?:see|speak|talk|hear)|anything to do with you)\b"
    r"|\bi(?:'m| am) done with you\b"
    r"|\bi(?:'ll| will| can) never forgive you\b|\bi have nothing to say to you\b|\bwe are done\b",
    "accusation": r"\byou(?:'ve| have)? (?:just )?(?:ruined|stole|stolen|cheated|wrecked|destroyed|spoiled|spoilt"
    r"|sabotaged|humiliated|deceived|tricked|broke my|took my|sold my|went behind)\b|\bbehind my back\b"
    r"|\b(?:it's|it is|it was|this is|that's|that is) (?:all )?your fault\b|\bi can(?:'t|not) believe (?:that )?you\b"
    r"|\bi(?:'m| am) (?:so |very )?(?:angry|furious|disappointed)(?: with| at| in) you\b",
    "promise broken": rf"\byou promised\b[^.!?]*\b(?:but|and)\b[^.!?]*\b{_NOT_COMING}\b|\byou (?:let me down|lied\b)"
    r"|\b(?:broke|break|broken) (?:your|a|the) (?:promise|word)\b|\b(?:didn't|did not) keep your (?:promise|word)\b"
    rf"|\byou {_NOT_COMING} (?:come|came|show(?:ed)? up|turn(?:ed)? up)\b|\byou stood me up\b|\byou betrayed\b",
    "contradiction": r"\byou(?:'re| are) (?:so |quite |dead |just |simply |completely |totally |all )?wrong\b|\bnah\b"
    r"|\bthat(?:'s| is) (?:so |just |simply |completely |plain |all )?(?:wrong|nonsense|rubbish|false|ridiculous"
    r"|not true|not fair|unfair|a lie)\b|\bi don't believe (?:you|a word)\b|\bhow dare you\b|\bnonsense\b",
    "disagreement": r"\bi (?:(?:do|must|have to|strongly|completely|totally|politely) )*disagree\b"
    r"|\bi (?:don't|do not|can't|cannot) agree\b|\bi (?:don't|do not) (?:think|see it) (?:so|that way)\b"
    r"|\bi see it differently\b|\bi beg to differ\b|\bi object\b|\bi(?:'m| am) against\b|\bi doubt that\b",
    "apology": r"\bi(?:'m| am)(?: so| very| really| truly| terribly)? sorry\b"
    r"(?! to (?:hear|see|say)|,? (?:but )?i(?:'m|'ve| am| have| can| must| won't| need| will be))"
    r"|\bi apologi[sz]e\b|\bforgive me\b|\bmy apologies\b|\b(?:it was|that was|that's) my (?:own )?fault\b"
    r"|\bi was wrong\b|\bi shouldn't have\b|\bi owe you an apology\b"
    r"|\bmake it up to you\b|\bi take it back\b",
    "reconciliation": r"\bi(?: have|'ve)? (?:forgive|forgiven) you\b"
    r"|\b(?:i )?accept your apology\b|\bbury the hatchet\b"
    r"|\b(?:let's|let us|we (?:should|can|could)) (?:make (?:peace|up)|be friends(?: again)?"
    r"|put (?:this|it|that) behind us|start (?:over|afresh))\b|\bno hard feelings\b|\bwater under the bridge\b"
    r"|\bfriends again\b",
    "help": r"\b(?:let me|i can|i could|i'll|i will|happy to|glad to) (?:gladly |always )?(?:help|lend)\b"
    r"|\bi(?:'ve| have)? (?:helped|fixed|repaired|brought|made) (?:you|this for you|it for you|your)\b"
    r"|\bgive you a hand\b|\bcount on me\b|\bi(?:'m| am) here for you\b|\bcan i help\b",
    "promise kept": r"\b(?:kept|keep|keeping) (?:your|my) (?:promise|word)\b|\b(?:just )?as (?:you|i) promised\b"
    r"|\bknew i could (?:count|rely) on you\b",
    "thanks": r"(?<!well, )(?<!fine, )(?<!good, )\bthank(?:s| you)\b|\bi(?:'m| am) (?:so |very |really )?grateful\b"
    r"|\bi (?:really )?appreciate\b",
    "praise": r"\bwell done\b|\bcongratulations\b|\bi(?:'m| am) (?:so |very )?proud of you\b"
    r"|\bi (?:really )?(?:like|admire) you\b"
    r"|\byou(?:'re| are) (?:so |very |really |such )?(?:a )?(?:kind|wonderful|brilliant|generous|clever|talented"
    r"|good friend)\b|\byou(?:'ve| have)? (?:did|done) (?:a )?(?:great|good|wonderful|lovely|fine)\b",
    "joke": r"\blo+l\b|\b(?:ha ?){2,}h?\b|\b(?:just )?kidding\b|\bjoking\b|\bhilarious\b|\byou make me laugh\b"
    r"|[\U0001F602\U0001F923\U0001F604\U0001F606]",
    "evidence": r"\baccording to\b|\bevidence\b|\b(?:my|a good|the) sources? (?:is|are|says?)\b"
    r"|\bi read (?:that|in)\b|\b(?:research|studies) shows?\b",
    "agreement": r"\bi (?:completely |totally |fully |quite |do )?agree\b"
    r"|\byou(?:'re| are) (?:quite |so |absolutely )?right\b|\bgood point\b|\bexactly[.!,]|\babsolutely\b(?! not)"
    r"|\bcount me in\b|\bwith pleasure\b|\bi(?:'d| would) love to\b"
    r"|\bsounds? (?:good|great|lovely|wonderful|like fun)\b|\bwell said\b|\bgladly\b",
}
_PATTERNS = {act: re.compile(sign) for act, sign in _SIGNS.items()}
_NEGATED = re.compile(
    r"\b(?:not|no|never|hardly|nor|without|n't|don't|didn't|can't|won't|isn't|doesn't)(?: \w+){0,2} $"
)
_MILD = (
    "stupid|liar|fool|loser|coward|pathetic|disgusting|useless|worthless|cheat|thief|hypocrite|jerk|selfish|crook|"
    "traitor|disgrace|incompetent|lazy"
)
_YOU_ARE = re.compile(
    r"\byou(?:'re|r| are| were)?(?: (?:a|an|such|so|just|nothing|but|really|always|the|most|complete|little|old|my))*"
    r" (?P<word>[\w-]+)"
)
_GESTURE_SIGNS: Mapping[Gesture, str] = {
    "insult": r"\b(?:insult|mock|curse|swear|spit|jeer|sneer|yell|shout|taunt|ridicule)(?:s|es|ed|ing|ting)?\b",
    "snub": r"\b(?:ignor|snub|shun|avoid|rebuff)(?:s|e|es|ed|ing|bed|bing|ned|ning)?\b"
    r"|\bturn(?:s|ed|ing)? (?:away|h(?:is|er) back)\b|\bwalk(?:s|ed|ing)? past\b"
    r"|\broll(?:s|ed|ing)? (?:his|her|their|my) eyes\b|\bglare[sd]?\b|\bscowl\w*\b",
    "help": r"\b(?:help|assist)(?:s|ed|ing)?\b|\bhold(?:s|ing)? the door\b"
    r"|\bcarr(?:y|ies|ied|ying) \w+ (?:bag|basket|box)|\bgiv(?:e|es|ing) (?:\w+ )?a hand\b|\bcomfort(?:s|ed|ing)?\b",
    "smile": r"\b(?:smil|grin|beam)(?:s|e|es|ed|ing)?\b|\bwav(?:e|es|ed|ing)\b|\bnod(?:s|ded|ding)? (?:warmly|kindly)\b"
    r"|\bhug(?:s|ged|ging)?\b|\bwink(?:s|ed|ing)?\b",
}
_GESTURE_PATTERNS = {gesture: re.compile(sign) for gesture, sign in _GESTURE_SIGNS.items()}
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
_GREETING = re.compile(
    r"(?:hello|hi|hey|hiya|greetings|welcome|good (?:morning|afternoon|evening|day)"
    r"|(?:it['’]s |how )?(?:nice|good|great|lovely) to (?:see|meet) you|how are you|how do you do"
    r"|how['’]s it going|what['’]s up)\b",
    re.IGNORECASE,
)
_BYE = r"(?:good ?bye|bye|see you|see ya|farewell|take care|good ?night|so long)\b"
_FAREWELL = re.compile(
    rf"{_BYE}|(?:"
    r"until (?:then|later|next time|tomorrow)|talk to you (?:later|soon)"
    r"|have a (?:nice|good|great|lovely|wonderful)"
    r"|i (?:must|have to|should|need to|had better) (?:go|leave|be off)"
    r"|(?:it was )?(?:nice|good|great|lovely) (?:to talk|talking|seeing|chatting|meeting))\b",
    re.IGNORECASE,
)
# A clause of its own that is a goodbye, with nothing after it but a name or a "for now": "it was a good night",
# "how good to see you", "take care of the wool" and "it has been so long" are none.
_TO_WHOM = r"(?:\s*,?\s+(?:(?:my )?(?:dear|friends?|all|both|everyone|everybody|now|then|(?-i:[A-Z][\w'-]*\.?)))){0,4}"
_WHEN = (
    r"(?:\s+(?:around|later|soon|again|then|there|tomorrow|tonight|next|on|at|in|this|by|when|before|after"
    r"|(?-i:[A-Z]))\b.*)?"
)
_GOODBYE = re.compile(
    r"(?:^|[,;:.!…–—-]\s*)"
    r"(?:(?:well|so|then|and|but|now|oh|ok|okay|alright|all right|right|anyway|until then|have a|a|thanks|thank you"
    r"|I(?:['’]ll| will| shall)|we(?:['’]ll| will| shall)|I (?:must|should|have to) say)[,\s]+){0,3}"
    rf"(?:(?:good ?bye|bye(?:[- ]bye)?|farewell|good ?night|so long)(?:\s+(?:for now|till then|until then))?{_TO_WHOM}"
    rf"|take care(?:\s+of yoursel(?:f|ves))?(?:\s+(?:out there|on the way|till then|until then))?{_TO_WHOM}"
    rf"|see (?:you|ya)(?:\s+(?:all|both))?{_TO_WHOM}{_WHEN})"
    r"\s*(?:,?\s*(?:and )?(?:thanks|thank you|sleep well|sweet dreams)\b.*)?$",
    re.IGNORECASE,
)
_STAGED = re.compile(r"\*[^*\n]*\*|\([^()\n]*\)")  # *waves*, (smiles)
_LAST_MARKS = re.compile(r"^[\s\"“”'’]+|[^\w]+$")
_POLITE = re.compile(r"(?:thanks?|thank you|likewise|you too|fine|well|oh|and you|cheers)\b", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_NOT = r"(?:(?:do|did|have|could|can)(?: not|n['’]t)|cannot|can['’]t|(?:have )?never)"
_DENIES = re.compile(
    rf"\bI(?:['’]ve)? (?:(?:really|honestly|simply|quite|just) )?{_NOT} (?:(?:\w+ ){{0,2}})"
    r"(?:know|hear|heard|met|meet|say|tell|remember|recall|recogni[sz]e|decided|thought|come to)\b"
    r"|\b(?:no idea|not that I (?:know|remember|recall)|nothing (?:that )?I (?:know|remember)|means nothing to me)\b"
    r"|\bI (?:am|['’]m) (?:not|un)\s?(?:sure|aware|familiar)\b|\b(?:unknown|unfamiliar) to me\b"
    r"|\bI (?:have|know(?: of)?|remember) (?:no\b|nobody|nothing|no one)",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(r"\b(?:would|might|could|should|(?-i:may)|hope|wish|perhaps|maybe|if)\b|['’]d\b", re.IGNORECASE)


def acts_in(text: str) -> list[Act]:
    """Return the acts that *text* holds, the weightiest first; what it quotes is not read."""
    plain = _plain(text)
    found: list[Act] = ["insult"] if _insults(plain) else []
    found += [act for act, pattern in _PATTERNS.items() if _says(pattern, plain, act)]
    if "agreement" in found and ("disagreement" in found or "contradiction" in found):
        found.remove("agreement")
    return sorted(found, key=_BY_WEIGHT.index)


def read_gesture(text: str) -> Gesture | None:
    """Return the gesture that *text* tells of (``Nora smiles at Samir``), None for any other doing."""
    plain = _plain(text)
    return next((gesture for gesture, pattern in _GESTURE_PATTERNS.items() if _says(pattern, plain, "help")), None)


def denies(sentence: str) -> bool:
    """Return whether *sentence* says that one does not know."""
    return bool(_DENIES.search(sentence))


def supposes(sentence: str) -> bool:
    """Return whether *sentence* says what may be, not what is."""
    return bool(_SUPPOSES.search(sentence))


def is_question(sentence: str) -> bool:
    """Tell whether *sentence* ends as a question."""
    return sentence.rstrip(" \t\n\"”'’*)」").endswith(("?", "？", "؟"))


def is_intention(sentence: str) -> bool:
    """Return whether *sentence* states something to come: a will, a plan, a wish, a fixed event."""
    spoken = _QUOTED.sub(" ", sentence).strip()
    if not spoken or spoken.rstrip('"”').endswith(("?", "？")):
        return False
    return bool(_TO_COME.search(spoken)) or bool(_IF_DATED.search(spoken) and names_a_moment(spoken))


def is_greeting(sentence: str) -> bool:
    """Return whether the sentence opens as a greeting."""
    return bool(_GREETING.match(sentence.strip()))


def is_farewell(sentence: str) -> bool:
    """Return whether the sentence opens as a farewell."""
    return bool(_FAREWELL.match(sentence.strip()))


def says_goodbye(text: str) -> bool:
    """Return whether somebody takes leave at the end of *text*; a question takes none."""
    said = sentences(_STAGED.sub(" ", text))
    return bool(said) and not is_question(said[-1]) and bool(_GOODBYE.search(_LAST_MARKS.sub("", said[-1])))


def is_greeting_or_farewell(text: str) -> bool:
    """Return whether *text* holds nothing but greetings, thanks and farewells."""
    said = sentences(text)
    polite = [bool(_POLITE.match(sentence)) and len(sentence) < 40 for sentence in said]
    civil = [is_greeting(sentence) or is_farewell(sentence) for sentence in said]
    short = all(len(content_words(sentence)) <= 6 and not is_intention(sentence) for sentence in said)
    return any(civil) and short and all(a or b for a, b in zip(polite, civil, strict=True))


def _plain(text: str) -> str:
    """Return *text* in lower case without what stands in double quotes, unless all of it does."""
    whole = folded(text)
    unquoted = re.sub(r"[\"“][^\"“”]*[\"”]", " ", whole)
    return " ".join((unquoted if unquoted.strip(" .,!?") else whole).split())


def _says(pattern: re.Pattern[str], text: str, act: Act) -> bool:
    """Tell whether *text* holds the sign without a word just before it that takes it back."""
    # These signs hold their own negation, or none makes sense.
    own = act in ("disagreement", "promise broken", "rejection", "accusation")
    return any(own or not _NEGATED.search(text[: match.start()]) for match in pattern.finditer(text))


def _insults(text: str) -> bool:
    """Tell whether *text* calls the listener names: ``you idiot``, ``you are a liar``, or a name alone."""
    alone = re.findall(r"[\w'-]+", text)
    if len(alone) <= 2 and any(is_abusive(word) for word in alone):
        return True
    called = (match["word"] for match in _YOU_ARE.finditer(text))
    return any(is_abusive(word) or re.fullmatch(rf"(?:{_MILD})s?", word) for word in called)
