"""What somebody does or says next in a situation that is told in free words, not in the town's form."""

import re
from collections.abc import Mapping

from memory.language.moments import names_a_moment
from memory.language.records import is_english, is_welcome
from memory.language.reported_speech import heard, retell
from memory.language.sentences import sentences
from memory.language.speech_acts import is_intention, is_question
from memory.language.words import content_words, words
from sim.offline.reactions import Rate, reaction_to
from sim.offline.variables import MemoryLine, parse_memories, parse_summary
from sim.times import DAYS, MONTHS

_BULLET = re.compile(r"^\s*(?:[-*•–]\s*|\(?\d{1,3}[.)]\s+)?")
_STAMP = re.compile(
    rf"^[\[(]?(?=[^:\])]*\d)(?:(?:{'|'.join(day[:3] for day in DAYS)})\w*\.?,?\s+)?"
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}\s+(?:{'|'.join(month[:3] for month in MONTHS)})\w*(?:\s+\d{{4}})?)?"
    r"[T,\s]*(?:\d{1,2}:\d\d(?::\d\d)?)?[\])]?\s*(?:[:–-]\s+|(?<=[\])])\s*)"
)
_ASKS_PLANS = re.compile(
    r"\b(?:do(?:ing)?|plans?|up to|busy|free|happening|going on|come|join|go(?:ing)?|attend"
    r"|tonight|evening|tomorrow|weekend)\b",
    re.IGNORECASE,
)
_INVITED = re.compile(
    r"(?P<host>[^\W\d_a-z][^,;:\"“”]*?)\s+(?:has\s+|had\s+)?(?:invite[sd]?|asked|asks)\s+(?:me|us)\s+(?:over\s+)?(?:to|for)\s+(?P<what>.+)",
    re.DOTALL,
)
_WAS_INVITED = re.compile(r"I(?:\s+am|['’]m|\s+was|\s+have\s+been)\s+invited\s+to\s+(?P<what>.+)", re.DOTALL)
_MEANS = re.compile(
    r"I\s+(?:have\s+|['’]ve\s+)?(?:agreed|promised|plan|planned|intend|want|decided|hope|mean|wish|would\s+like|need)\s+to\s+(?P<what>.+)",
    re.DOTALL,
)
_WILL = re.compile(r"I(?:\s+will|['’]ll|\s+shall)\s+(?P<what>.+)", re.DOTALL)
_CARRY_ON = "I carry on with what I was doing."


def in_words(variables: Mapping[str, str], rate: Rate) -> str:
    """Return what somebody does or says next, in one sentence or two."""
    situation = variables["situation"]
    memories = [
        MemoryLine(None, text) for line in variables["retrieved_memories"].splitlines() if (text := _bare(line))
    ]
    asked = is_question(situation) or "?" in situation or bool(re.search(r"\bask(?:s|ed)?\b", situation, re.IGNORECASE))
    reaction = None if asked else reaction_to(sentences(situation), rate)
    if reaction is not None and (reaction[1].flees or not memories):
        text, what = reaction
        return f"I get away from here and warn the others: {text}" if what.flees else f"I am {what.do}: {text}"
    if not memories:
        return _usual(variables["agent_summary"])
    best = max(range(len(memories)), key=lambda i: (_weight(memories[i].text, situation, rate), -i))
    said = _as_said(memories[best].text, variables["agent_name"], asked=asked)
    return (
        f"I have nothing planned. {said}"
        if asked and _asks_what_is_on(situation) and not _is_plan(memories[best].text)
        else said
    )


def _asks_what_is_on(situation: str) -> bool:
    return any(
        _ASKS_PLANS.search(s) and re.search(r"\bwhat\b", s, re.IGNORECASE)
        for s in sentences(situation)
        if is_question(s)
    )


def _bare(line: str) -> str:
    """Return a memory's line without bullet, number or label."""
    text = _STAMP.sub("", _BULLET.sub("", line), count=1)
    parsed = parse_memories(text)
    return parsed[0].text if parsed else ""


def _usual(summary: str) -> str:
    usual = parse_summary(summary).usual
    return f"I carry on with my day: {usual[0].do} is next." if usual else _CARRY_ON


def _weight(text: str, situation: str, rate: Rate) -> float:
    """Return how much a memory has to say to *situation*: words in common, and what is planned where that is asked."""
    mine, asked = set(content_words(text)), set(content_words(situation))
    weight = 2 * len(mine & asked) / max(len(asked), 1) + rate(text) / 10
    if _ASKS_PLANS.search(situation) and _is_plan(text):
        weight += 1
    return weight


def _is_plan(text: str) -> bool:
    said = heard(text)
    plain = said.words if said else text
    return bool(_INVITED.match(plain) or _WAS_INVITED.match(plain) or names_a_moment(plain)) or any(
        is_intention(s) for s in sentences(plain)
    )


def _as_said(text: str, me: str, *, asked: bool) -> str:
    """Return a memory as its owner would act on it or speak of it."""
    more = " Want to come?" if asked and is_welcome(text) else ""
    said = heard(text)
    if said is not None:
        return _as_heard(said.speaker, said.words, me, more)
    first = next(iter(sentences(text)), text).rstrip(".!")
    invited = _INVITED.match(first)
    if invited:
        what = re.sub(r"^(?:her|his|their|its)\b", f"{invited['host']}'s", invited["what"])
        return f"I'm going to {what}.{more}"
    was = _WAS_INVITED.match(first)
    if was:
        return f"I'm going to {was['what']}.{more}"
    means = _MEANS.match(first) or _WILL.match(first)
    if means and not means["what"].startswith("not "):
        return f"I'm going to {re.sub(r':(?= )', ',', means['what'])}.{more}"
    if re.match(r"(?:I|My)\b", first):
        return f"{first}."
    if not is_english(first):
        return f"I remember: {first}"
    if me and me in first:
        return f"I think of this: {first}."
    return f"I remember that {_inside(first)}.{more}" if words(first) else _CARRY_ON


def _as_heard(speaker: str, words_said: str, me: str, more: str) -> str:
    """Return what somebody was told as they would act on it: what is to come is gone to, the rest is remembered."""
    said = [s for s in sentences(words_said) if not is_question(s)] or sentences(words_said)
    to_come = next((s for s in said if is_intention(s)), None)
    chosen = to_come or max(said, key=len, default=words_said)
    told = retell(chosen, speaker).rstrip(".!")
    if to_come and is_welcome(to_come) and me not in speaker:
        return f"I'm going to be there: {told}.{more}"
    return f"I remember what {speaker} told me: {told}."


def _inside(text: str) -> str:
    """Return *text* to stand inside a sentence: only an article or the like loses its capital."""
    return (
        text[0].lower() + text[1:]
        if re.match(r"(?:The|There|A|An|It|They|We|You|He|She|Our|This|That)\b", text)
        else text
    )
