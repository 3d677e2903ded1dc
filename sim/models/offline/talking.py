"""The offline mind in a talk: it greets, tells its news, invites, answers, takes leave, and keeps what was agreed."""

import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sim.models.offline.news import Appointment, News, Rate, agreed_in, appointment_in, is_against, news_in
from sim.models.offline.reading import (
    MemoryLine,
    content_words,
    find_people,
    heard,
    is_farewell,
    is_greeting_or_farewell,
    is_intention,
    is_question,
    overlap,
    parse_memories,
    retell,
    sentences,
)
from sim.models.offline.summary import Summary, clock_words, parse_map, parse_summary, parse_time, pick
from sim.times import DAY, HOUR

MOST_NEWS = 2  # of one person in one talk: nobody recites
_YES = re.compile(r"\b(?:love to come|glad to come|happy to come|will be there|count me in|gladly)\b", re.IGNORECASE)
_AGREES = ("Thank you, I would love to come.", "I would be glad to come, thank you.", "Count me in, with pleasure.")
_HEARS = ("Good to know, thank you.", "I had no idea!", "That is worth knowing.", "Well, what do you say to that.")
_SMALL = ("How is your day going?", "What keeps you busy these days?", "What have you been up to?")


class _Talk(NamedTuple):
    me: str
    partner: str
    said: list[tuple[str, str]]

    @property
    def mine(self) -> list[str]:
        return [text for who, text in self.said if who == self.me]

    @property
    def last(self) -> str:
        """The partner's latest words, "" if there are none."""
        return self.said[-1][1] if self.said and self.said[-1][0] == self.partner else ""

    def holds(self, item: News) -> bool:
        return any(item.same_as(text) for _, text in self.said)


def _read_talk(me: str, partner: str, transcript: str) -> _Talk:
    said = []
    for line in transcript.splitlines():
        for who in (me, partner):
            if line.startswith(f"{who}: "):
                said.append((who, line[len(who) + 2 :]))
                break
    return _Talk(me, partner, said)


def turn(variables: dict[str, str], rate: Rate) -> str:
    """Return the reply to the prompt ``dialogue_turn``."""
    talk = _read_talk(variables["agent_name"], variables["partner"], variables["transcript"])
    now = parse_time(variables["time"]) or datetime(2000, 1, 1)
    memories = parse_memories(variables["retrieved_memories"], now)
    summary = parse_summary(variables["agent_summary"])
    first = talk.partner.split()[0] if talk.partner.split() else talk.partner
    if talk.last and any(is_farewell(s) for s in sentences(talk.last)) and talk.mine:
        return _reply(f"Goodbye, {first}.", end=True)
    words = [] if talk.mine else [f"{_greeting(now)}, {first}."]
    answer = _answer(talk, memories, summary, now, rate)
    if answer:
        words.append(answer)
    more = "" if _from_memory(answer, memories) else _something_to_tell(talk, memories, now, rate)
    if more:
        words.append(more)
    elif not answer and len(talk.mine) < 2 and (small := _small_talk(talk, memories)):
        words.append(small)
    elif not answer or len(talk.mine) >= 2:
        return _reply(" ".join([*words, f"I must get on now. Goodbye, {first}."]), end=True)
    return _reply(" ".join(words), end=False)


def _from_memory(answer: str, memories: Sequence[MemoryLine]) -> bool:
    """Return whether *answer* tells a memory already, so that no other news goes on it."""
    return len(content_words(answer)) >= 3 and any(overlap(answer, m.text) > 0.3 for m in memories)


def _reply(say: str, *, end: bool) -> str:
    return json.dumps({"say": say, "end": end}, ensure_ascii=False)


def _greeting(now: datetime) -> str:
    return "Good morning" if now.hour < 12 else "Hello" if now.hour < 18 else "Good evening"


def _answer(talk: _Talk, memories: Sequence[MemoryLine], summary: Summary, now: datetime, rate: Rate) -> str:
    """Return what to say to the partner's last words, "" if they ask for nothing."""
    told = _told_by(talk.partner, talk.last, now, rate)
    for item in told:
        if item.moment is not None and item.moment.start is not None:
            refusal = why_not(item, talk.partner, memories, summary)
            if refusal:
                return refusal
            return _AGREES[pick(len(_AGREES), talk.me, item.text)]
    questions = [s for s in sentences(talk.last) if is_question(s)]
    if questions and not told:
        return _answer_from_memory(questions[-1], talk, memories)
    return _HEARS[pick(len(_HEARS), talk.me, talk.last)] if told else ""


def _told_by(partner: str, words: str, now: datetime, rate: Rate) -> list[News]:
    return news_in([MemoryLine(now, f'{partner} told me: "{words}"')], now, rate) if words else []


def why_not(item: News, teller: str, memories: Sequence[MemoryLine], summary: Summary) -> str:
    """Return why somebody will not come to what *item* announces, "" if nothing speaks against it.

    Work at that hour, another engagement, or an aversion speak against it.
    """
    when = appointment_in(item, (), "there")
    if when is None:
        return ""
    host = item.host or teller
    texts = [summary.about, f"{host}: {summary.knows.get(host, '')}", *(m.text for m in memories)]
    if is_against(host, texts):
        return "Thank you, but that is not for me."
    begin = when.begin.hour * HOUR + when.begin.minute * 60
    for usual in summary.usual:
        if usual.on(when.begin.date()) and usual.place == summary.work and usual.begin <= begin < usual.until - HOUR // 2:
            return f"I am sorry, I have to work at {usual.place} then."
    for other in _engagements(memories, when.begin):
        if not item.same_as(other.why) and other.begin < when.until and when.begin < other.until:
            return "I am sorry, I have something else on then."
    return ""


def _engagements(memories: Sequence[MemoryLine], day: datetime) -> list[Appointment]:
    """Return what somebody has on: agreed to, or planned of their own."""
    midnight = day.replace(hour=0, minute=0)
    agreed = [a for a in agreed_in(memories, midnight) if a.do]
    own = [item for item in news_in([m for m in memories if heard(m.text) is None], midnight, lambda _: 1)]
    planned = (appointment_in(item, (), "there") for item in own)
    return [*agreed, *(a for a in planned if a is not None)]


def _answer_from_memory(question: str, talk: _Talk, memories: Sequence[MemoryLine]) -> str:
    """Return the memory that has most in common with the question, in words for the partner."""
    usable = [_spoken(m, talk) for m in memories if not _is_sight(m)]
    fresh = [text for text in usable if text and not any(overlap(text, said) > 0.5 for _, said in talk.said)]
    if not fresh:
        return "I could not say."
    return max(fresh, key=lambda text: (overlap(text, question), -fresh.index(text)))


def _spoken(memory: MemoryLine, talk: _Talk) -> str:
    """Return a memory as its owner would say it to the partner."""
    said = heard(memory.text)
    if said is None:  # what speaks of its owner by name is a conclusion: thought, not said
        unsaid = talk.me in memory.text or find_people(memory.text, [talk.partner])
        return "" if unsaid else sentences(memory.text)[0]
    if said.speaker == talk.partner:
        return ""
    kept = [s for s in sentences(said.words) if not is_question(s) and not is_greeting_or_farewell(s) and is_intention(s)]
    return retell(kept[0], said.speaker) if kept else ""


def _is_sight(memory: MemoryLine) -> bool:
    return bool(re.match(r"I (?:talked with|agreed to be at|am \w+ing|found) |.{1,80} (?:is \w+ing|arrived at|left) ", memory.text))


def _something_to_tell(talk: _Talk, memories: Sequence[MemoryLine], now: datetime, rate: Rate) -> str:
    """Return the weightiest news that the partner is not known to know, with an invitation where one is due."""
    told = sum(any(is_intention(s) for s in sentences(text)) for text in talk.mine)
    if told >= MOST_NEWS:
        return ""
    for item in news_in(memories, now, rate, talk.me):
        if item.origin == talk.partner or talk.holds(item) or knows_already(talk.partner, item, memories):
            continue
        if not item.hosts:
            return item.text if item.origin is None else f"Have you heard? {item.text}"
        return f"{item.text} Would you like to come?" if item.origin is None else f"Have you heard? {item.text} Will you go?"
    return ""


def knows_already(partner: str, item: News, memories: Sequence[MemoryLine]) -> bool:
    """Return whether the memories show that *partner* has told or been told this, or is the one it is about."""
    about = find_people(item.text, [partner])
    if about and item.text.startswith(about[0]):
        return True
    for memory in memories:
        said = heard(memory.text)
        with_partner = memory.text.startswith(f"I talked with {partner}") or (said is not None and partner in (said.speaker, said.to_whom))
        if with_partner and item.same_as(memory.text):
            return True
    return False


def _small_talk(talk: _Talk, memories: Sequence[MemoryLine]) -> str:
    """Return something of one's own to say that has not been said, else a question, else ""."""
    question = _SMALL[pick(len(_SMALL), talk.me, talk.partner, str(len(talk.said)))]
    asked = "" if any(question in text for _, text in talk.said) else question
    for memory in memories:
        text = "" if _is_sight(memory) or heard(memory.text) else _spoken(memory, talk)
        new = not any(overlap(text, said) > 0.5 for _, said in talk.said)
        if new and re.match(r"(?:I|My)\b", text) and len(content_words(text)) >= 2:
            return f"{text} {asked}".strip()
    return asked if not talk.mine else ""


def summary(variables: dict[str, str], rate: Rate) -> str:
    """Return the reply to the prompt ``talk_summary``: what was told, and the appointments that one's own words accept."""
    me, partner = variables["agent_name"], variables["partner"]
    talk = _read_talk(me, partner, variables["transcript"])
    now = parse_time(variables["time"]) or datetime(2000, 1, 1)
    places = [place.name for place in parse_map(variables["town_map"])]
    told = [item for who, text in talk.said if who == partner for item in _told_by(partner, text, now, rate)]
    mine = [item for text in talk.mine for item in news_in([MemoryLine(now, text)], now, rate)]
    words = [f"I talked with {partner}."]
    words += [f"{partner} told me that {_lower(item.text)}" for item in told[:2]]
    words += [f"I told {partner}: {item.text}" for item in mine[:2]]
    if not told and not mine:
        words.append(_gist(talk))
    appointments = [found for item in told if (found := _accepted(item, talk, places)) is not None]
    return json.dumps({"summary": " ".join(words), "appointments": appointments}, ensure_ascii=False)


def _lower(text: str) -> str:
    """Return *text* to go on a sentence: only an article or the like loses its capital."""
    return text[0].lower() + text[1:] if re.match(r"(?:The|There|A|An|It|They)\b", text) else text


def _gist(talk: _Talk) -> str:
    """Return what the small talk was about: the partner's longest plain statement."""
    theirs = [s for who, text in talk.said if who == talk.partner for s in sentences(text)]
    plain = [s for s in theirs if not is_question(s) and not is_greeting_or_farewell(s) and len(content_words(s)) >= 2]
    return f"{talk.partner} said: {max(plain, key=len)}" if plain else "We exchanged a few words."


def _accepted(item: News, talk: _Talk, places: Sequence[str]) -> dict[str, str] | None:
    """Return the appointment that *item* offers if one's own next words accept it."""
    offer = appointment_in(item, places, None)
    heard_at = next((i for i, (who, text) in enumerate(talk.said) if who == talk.partner and item.same_as(text)), None)
    if offer is None or heard_at is None:
        return None
    reply = next((text for who, text in talk.said[heard_at + 1 :] if who == talk.me), "")
    if not _YES.search(reply):
        return None
    begin = offer.begin.hour * HOUR + offer.begin.minute * 60
    until = begin + min(int((offer.until - offer.begin).total_seconds()), DAY - 1)
    return {
        "date": offer.begin.date().isoformat(),
        "from": clock_words(begin),
        "until": clock_words(until),
        "place": offer.place,
        "do": f"joining {item.host or talk.partner}",
    }
