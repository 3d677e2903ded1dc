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
from sim.offline.variables import parse_memories, parse_summary

_BULLET = re.compile(r"^\s*(?:[-*•–]\s*|\(?\d{1,3}[.)]\s+)?(?:\[[^\]]*\d[^\]]*\]\s*:?\s*)?")
_ASKS_PLANS = re.compile(
    r"\b(?:do(?:ing)?|plans?|up to|busy|free|happening|going on|come|join|go(?:ing)?|attend"
    r"|tonight|evening|tomorrow|weekend)\b",
    re.IGNORECASE,
)
_INVITED = re.compile(
    r"(?P<host>[^\W\d_a-z][^,;:\"“”]*?)\s+(?:has\s+|had\s+)?(?:invite[sd]?|asked|asks)\s+(?:me|us)\s+(?:over\s+)?(?:to|for)"
    r"\s+(?P<what>.+)",
    re.DOTALL,
)
_MEANS = re.compile(
    r"I(?:\s+am\s+invited\s+to|(?:\s+will|['’]ll|\s+shall)|\s+(?:have\s+|['’]ve\s+)?(?:agreed|promised|plan|planned|intend|want"
    r"|decided|hope|mean|wish|would\s+like|need)\s+to)\s+(?P<what>(?!not ).+)",
    re.DOTALL,
)


def in_words(variables: Mapping[str, str], rate: Rate) -> str:
    """Return what somebody does or says next, in one sentence or two."""
    situation, me = variables["situation"], variables["agent_name"]
    lines = [_BULLET.sub("", line, count=1) for line in variables["retrieved_memories"].splitlines()]
    memories = [memory.text for line in lines for memory in parse_memories(f"- {line}")[:1]]
    asked = is_question(situation) or "?" in situation or bool(re.search(r"\bask(?:s|ed)?\b", situation, re.IGNORECASE))
    reaction = None if asked else reaction_to(sentences(situation), rate)
    if reaction is not None and (reaction[1].flees or not memories):
        text, what = reaction
        return f"I get away from here and warn the others: {text}" if what.flees else f"I am {what.do}: {text}"
    if not memories:
        usual = parse_summary(variables["agent_summary"]).usual
        return f"I carry on with my day: {usual[0].do} is next." if usual else "I carry on with what I was doing."
    plans = bool(_ASKS_PLANS.search(situation))
    best = max(memories, key=lambda text: _weight(text, situation, rate, plans=plans))
    said = _as_said(best, me, asked=asked)
    free = asked and plans and re.search(r"\bwhat\b", situation, re.IGNORECASE) and not _is_plan(best)
    return f"I have nothing planned. {said}" if free else said


def _weight(text: str, situation: str, rate: Rate, *, plans: bool) -> float:
    """Return how much a memory has to say to *situation*: words in common, and what is planned where that is asked."""
    mine, asked = set(content_words(text)), set(content_words(situation))
    return 2 * len(mine & asked) / max(len(asked), 1) + rate(text) / 10 + (plans and _is_plan(text))


def _is_plan(text: str) -> bool:
    said = heard(text)
    plain = said.words if said else text
    return bool(_INVITED.match(plain)) or names_a_moment(plain) or any(is_intention(s) for s in sentences(plain))


def _as_said(text: str, me: str, *, asked: bool) -> str:
    """Return a memory as its owner would act on it or speak of it."""
    more = " Want to come?" if asked and is_welcome(text) else ""
    said = heard(text)
    if said is not None:
        told = [s for s in sentences(said.words) if not is_question(s)] or sentences(said.words)
        to_come = next((s for s in told if is_intention(s)), None)
        words_said = retell(to_come or max(told, key=len, default=said.words), said.speaker).rstrip(".!")
        if to_come and is_welcome(to_come) and me not in said.speaker:
            return f"I'm going to be there: {words_said}.{more}"
        return f"I remember what {said.speaker} told me: {words_said}."
    first = next(iter(sentences(text)), text).rstrip(".!")
    if invited := _INVITED.match(first):
        what = re.sub(r"^(?:her|his|their|its)\b", f"{invited['host']}'s", invited["what"])
        return f"I'm going to {what}.{more}"
    if means := _MEANS.match(first):
        return f"I'm going to {re.sub(r':(?= )', ',', means['what'])}.{more}"
    if re.match(r"(?:I|My)\b", first):
        return f"{first}."
    if not is_english(first):
        return f"I remember: {first}"
    if me and me in first:
        return f"I think of this: {first}."
    lowers = re.match(r"(?:The|There|A|An|It|They|We|You|He|She|Our|This|That)\b", first)
    inside = first[0].lower() + first[1:] if lowers else first
    return f"I remember that {inside}.{more}" if words(first) else "I carry on with what I was doing."
