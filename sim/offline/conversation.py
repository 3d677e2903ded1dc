"""The offline mind in a talk and after it: it greets, tells its news, invites, answers, and keeps what was said."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memory.language.names import find_people
from memory.language.reported_speech import heard, retell
from memory.language.sentences import sentences
from memory.language.speech_acts import is_farewell, is_greeting_or_farewell, is_intention, is_question
from memory.language.words import content_words, overlap
from sim.offline import dialogue
from sim.offline.appointments import appointment_in, is_going, why_not, with_place
from sim.offline.dialogue import Talk, read_talk
from sim.offline.news import News, Rate, begins, ends, is_confidential, news_in, to_tell
from sim.offline.quarrels import hard_words, strife, towards
from sim.offline.standing import Standing, standing_to
from sim.offline.variables import (
    MemoryLine,
    Summary,
    clock_words,
    parse_map,
    parse_memories,
    parse_summary,
    parse_time,
    pick,
)
from sim.times import DAY, HOUR, MINUTE

MOST_NEWS = 2  # of one person in one talk: nobody recites
YES = re.compile(r"\b(?:love to come|glad to come|happy to come|will be there|count me in|gladly)\b", re.IGNORECASE)
_NO = re.compile(r"\b(?:I am sorry, (?:I have|that is)|not for me|rather have a quiet|too much to do)\b", re.IGNORECASE)
_HOW = re.compile(r"\bhow (?:is|are|was|have) (?:you|your|things|everything)\b", re.IGNORECASE)
_WHAT = re.compile(r"\bwhat (?:keeps|have you been|brings|is new|are you (?:doing|up to))\b", re.IGNORECASE)


class _Mind(NamedTuple):
    """What the speaker of the next words knows."""

    talk: Talk
    memories: Sequence[MemoryLine]
    summary: Summary
    now: datetime
    rate: Rate
    place: str
    news: Sequence[News]
    relation: str

    @property
    def standing(self) -> Standing:
        """How one stands to the partner."""
        return towards(self.talk.partner, standing_to(self.talk.partner, self.relation), self.memories)

    @property
    def turns(self) -> int:
        """How often one has spoken."""
        return len(self.talk.mine)


def turn(variables: dict[str, str], rate: Rate) -> str:
    """Return the reply to the prompt ``dialogue_turn``."""
    talk = read_talk(variables["agent_name"], variables["partner"], variables["transcript"])
    now = parse_time(variables["time"]) or datetime(2000, 1, 1, 12)
    memories = parse_memories(variables["retrieved_memories"], now)
    summary, news = parse_summary(variables["agent_summary"]), news_in(memories, now, rate, talk.me)
    mind = _Mind(talk, memories, summary, now, rate, variables["place"], news, variables.get("relation", ""))
    if talk.last and any(is_farewell(s) for s in sentences(talk.last)) and mind.turns:
        return _reply(dialogue.farewell(talk, now), end=True)
    hard = strife(talk, memories, summary, mind.standing, now)
    if hard is not None:
        return _reply(*hard)
    words, end = _next_words(mind)
    return _reply(" ".join(words), end=end)


def _reply(say: str, end: bool) -> str:
    return json.dumps({"say": say, "end": end}, ensure_ascii=False)


def _next_words(mind: _Mind) -> tuple[list[str], bool]:
    """Return what to say, and whether it takes leave."""
    talk = mind.talk
    opening = [] if mind.turns else [dialogue.greeting(talk, mind.now), *_warmth(mind), *_at_the_event(mind)]
    answer, tells = _answer(mind)
    words = [*opening, *([answer] if answer else [])]
    news = "" if tells else _something_to_tell(mind)
    if news:
        return [*words, news], False
    if mind.turns:
        return [*words, dialogue.leave(talk, mind.now, mingles=bool(_at_the_event(mind)))], True
    plain = len(opening) == 1 + mind.standing.fond and not mind.standing.quarrel
    more = _small_talk(mind, answered=bool(answer)) if plain or not opening else ""
    return [*words, *([more] if more else [])], False


def _warmth(mind: _Mind) -> list[str]:
    """Return a warm word for somebody who is dear to one."""
    return [mind.talk.choose(dialogue.WARM, str(mind.now.date()))] if mind.standing.fond else []


def _at_the_event(mind: _Mind) -> list[str]:
    """Return how host and guest greet each other where something of theirs is under way."""
    for item in mind.news:
        if item.moment is None or not item.hosts or not begins(item.moment) <= mind.now < ends(item.moment):
            continue
        if item.mine:
            return [
                mind.talk.choose(
                    ("Welcome, I am glad that you are here.", "How good that you have come."), str(mind.now)
                )
            ]
        if item.host == mind.talk.partner:
            return [mind.talk.choose(("Thank you for having me.", "I am glad to be here."), str(mind.now))]
    return []


def _answer(mind: _Mind) -> tuple[str, bool]:
    """Return what to say to the partner's last words, and whether that tells something of one's own already."""
    talk, last = mind.talk, mind.talk.last
    if not last:
        return "", False
    told = told_by(talk.partner, last, mind.now, mind.rate, talk.me)
    if told:
        return _to_news(mind, told), False
    questions = [s for s in sentences(last) if is_question(s)]
    if questions:
        return _to_question(mind, questions[-1])
    if talk.mine and any(is_question(s) for s in sentences(talk.mine[-1])) and (YES.search(last) or _NO.search(last)):
        return talk.choose(dialogue.PLEASED if YES.search(last) else dialogue.SORRY, last), False
    plain = [
        s
        for s in sentences(last)
        if not dialogue.is_set(s) and not is_greeting_or_farewell(s) and re.match(r"(?:I|My)\b", s)
    ]
    return (dialogue.comment(talk, plain[-1]) if plain else ""), False


def told_by(partner: str, words: str, now: datetime, rate: Rate, me: str = "") -> list[News]:
    """Return the news in what *partner* said."""
    return news_in([MemoryLine(now, f'{partner} told me: "{words}"')], now, rate, me) if words else []


def _to_news(mind: _Mind, told: Sequence[News]) -> str:
    """Return whether one comes to what was told, or a word on it."""
    talk = mind.talk
    for item in told:
        if not item.hosts or (item.moment is not None and begins(item.moment) <= mind.now):
            continue
        if item.mine:
            return talk.choose(
                ("Yes, and it would not be the same without you.", "So it has come round to me."), item.text
            )
        if is_going(item, mind.memories):
            return talk.choose(dialogue.KNOWS, item.text)
        host = standing_to(item.host or talk.partner, mind.relation)
        if host.shuns:
            return "Thank you, but that is not for me."
        against = why_not(item, talk.partner, mind.memories, mind.summary, fond=host.fond)
        return against or talk.choose(dialogue.AGREES, item.text)
    about = told[0].text
    if any(told[0].same_as(memory.text) for memory in mind.memories):
        return talk.choose(dialogue.TOLD, about)
    personal = told[0].host == talk.partner
    return dialogue.comment(talk, about) if personal and pick(2, talk.me, about) else talk.choose(dialogue.HEARS, about)


def _to_question(mind: _Mind, question: str) -> tuple[str, bool]:
    """Return an answer from one's day or one's memories."""
    talk = mind.talk
    if _HOW.search(question):
        return talk.choose(dialogue.WELL, question, str(mind.now)), False
    if _WHAT.search(question):
        own = _own_statement(mind) if pick(2, talk.me, talk.partner, question, str(mind.now)) else ""
        busy = own or _of_the_day(mind)
        return busy or talk.choose(dialogue.BUSY, question, str(mind.now)), bool(own)
    usable = [text for memory in mind.memories if (text := _spoken(memory, talk)) and not talk.holds(text)]
    best = max(usable, key=lambda text: overlap(text, question), default="")
    if best and overlap(best, question) > 0:
        return best, True
    return talk.choose(dialogue.UNKNOWN, question), False


def _of_the_day(mind: _Mind) -> str:
    """Return what one is doing here or did before by one's usual day, "" if nothing or it has been said."""
    second = mind.now.hour * HOUR + mind.now.minute * MINUTE
    busy = ""
    for item in mind.summary.usual:
        if not item.on(mind.now.date()) or item.begin > second or not re.match(r"\w+ing\b", item.do):
            continue
        if item.until <= second:
            busy = f"I have been {item.do}."
        elif item.place == mind.place:
            busy = f"I am {item.do} just now."
    return "" if mind.talk.holds(busy) else busy


def _spoken(memory: MemoryLine, talk: Talk) -> str:
    """Return a memory as its owner would say it to the partner, "" for what is not said."""
    said = heard(memory.text)
    if said is None:  # what speaks of its owner by name is a conclusion: thought, not said
        unsaid = _is_sight(memory) or talk.me in memory.text or find_people(memory.text, [talk.partner])
        first = "" if unsaid or is_confidential(memory.text) else next(iter(sentences(memory.text)), "")
        return "" if is_question(first) else first
    if said.speaker == talk.partner:
        return ""
    kept = [
        s for s in sentences(said.words) if not is_question(s) and not is_greeting_or_farewell(s) and is_intention(s)
    ]
    told = bool(kept) and len(content_words(kept[0])) >= 3 and not find_people(kept[0], [talk.partner, talk.me])
    return retell(kept[0], said.speaker) if told else ""


def _is_sight(memory: MemoryLine) -> bool:
    return bool(
        re.match(
            r"I (?:talked with|agreed to be at|am \w+ing|found|overheard) |.{1,80}? (?:is \w+ing|arrived at|left) ",
            memory.text,
        )
    )


def _something_to_tell(mind: _Mind) -> str:
    """Return the weightiest news that the partner is not known to know, with an invitation where one is due."""
    talk = mind.talk
    told = sum(len(told_by(talk.me, text, mind.now, mind.rate)) > 0 for text in talk.mine)
    if told >= MOST_NEWS or mind.standing.shuns:
        return ""
    for item in to_tell(mind.news, mind.memories, talk.me, talk.partner, mind.now, eager=mind.standing.fond):
        if talk.tells(item):
            continue
        return _invitation(mind, item) if item.hosts else f"{_opener(mind, item)}{item.text}"
    return ""


def _opener(mind: _Mind, item: News) -> str:
    return "" if item.origin is None else f"{mind.talk.choose(dialogue.OPENERS, item.text)} ".lstrip()


def _invitation(mind: _Mind, item: News) -> str:
    """Return *item* with a question whether the partner comes; who is named as part of it needs no invitation."""
    text = with_place(item, mind.summary) if item.mine else item.text
    if find_people(text, [mind.talk.partner]):
        return f"{_opener(mind, item)}{text}"
    if item.origin is None:
        return f"{text} Would you like to come?"
    question = "Shall we meet there?" if is_going(item, mind.memories) else "Will you go?"
    return f"{_opener(mind, item)}{text} {question}"


def _own_statement(mind: _Mind) -> str:
    """Return something of one's own that has not been said in this talk, "" if there is nothing."""
    texts = [_spoken(memory, mind.talk) for memory in mind.memories if heard(memory.text) is None]
    own = [t for t in texts if re.match(r"(?:I|My)\b", t) and len(content_words(t)) >= 2 and not mind.talk.holds(t)]
    plain = [text for text in dict.fromkeys(own) if not is_intention(text)][:4]
    return plain[pick(len(plain), mind.talk.me, mind.talk.partner, str(mind.now.date()))] if plain else ""


def _small_talk(mind: _Mind, *, answered: bool) -> str:
    """Return something of one's own to say, a question, or both; who has just answered has the less to add."""
    kind = pick(4, mind.talk.me, mind.talk.partner, str(mind.now))
    own = "" if answered and kind else _own_statement(mind)
    asked = "" if answered and kind > 1 else mind.talk.choose(dialogue.QUESTIONS, str(mind.now))
    return asked if own and asked and not kind else f"{own} {asked}".strip()


def summary(variables: dict[str, str], rate: Rate) -> str:
    """Return the reply to the prompt ``talk_summary``: what was told, and the appointments that were accepted."""
    me, partner = variables["agent_name"], variables["partner"]
    talk = read_talk(me, partner, variables["transcript"])
    now = parse_time(variables["time"]) or datetime(2000, 1, 1, 12)
    places = [place.name for place in parse_map(variables["town_map"])]
    told = [item for who, text in talk.said if who == partner for item in told_by(partner, text, now, rate)]
    mine = [item for text in talk.mine for item in news_in([MemoryLine(now, text)], now, rate)]
    words = [f"I talked with {partner}."]
    words += [f"{partner} told me that {_lower(item.text)}" for item in told[:2]]
    words += [f"I told {partner}: {item.text}" for item in mine[:2]]
    hard = [f"I told {partner}: {s}" for s in hard_words(talk, me)[:3]]
    hard += [f"{partner} said to me: {s}" for s in hard_words(talk, partner)[:3]]
    words += hard
    if not told and not mine and not hard:
        words.append(_gist(talk))
    appointments = [found for item in told if (found := _accepted(item, talk, places)) is not None]
    return json.dumps({"summary": " ".join(words)[:1900], "appointments": appointments}, ensure_ascii=False)


def _lower(text: str) -> str:
    """Return *text* to go on a sentence: only an article or the like loses its capital."""
    return text[0].lower() + text[1:] if re.match(r"(?:The|There|A|An|It|They|Our)\b", text) else text


def _gist(talk: Talk) -> str:
    """Return what the small talk was about: the partner's longest plain statement."""
    theirs = [s for who, text in talk.said if who == talk.partner for s in sentences(text)]
    plain = [s for s in theirs if not is_question(s) and not is_greeting_or_farewell(s) and len(content_words(s)) >= 2]
    return f"{talk.partner} said: {max(plain, key=len)}" if plain else "We exchanged a few words."


def _accepted(item: News, talk: Talk, places: Sequence[str]) -> dict[str, str] | None:
    """Return the appointment that *item* offers if one's own next words accept it."""
    offer = appointment_in(item, places, None)
    heard_at = next((i for i, (who, text) in enumerate(talk.said) if who == talk.partner and item.same_as(text)), None)
    if offer is None or heard_at is None or not item.hosts:
        return None
    reply = next((text for who, text in talk.said[heard_at + 1 :] if who == talk.me), "")
    if not YES.search(reply):
        return None
    begin = offer.begin.hour * HOUR + offer.begin.minute * 60
    until = begin + min(int((offer.until - offer.begin).total_seconds()), DAY - 1)
    return {
        "date": offer.begin.date().isoformat(),
        "from": clock_words(begin),
        "until": clock_words(until),
        "place": offer.place,
        "do": offer.do,
    }
