"""The offline mind after a talk: what was told, and the appointments that one's own words accepted."""

import json
import re
from collections.abc import Sequence
from datetime import datetime

from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell, is_question
from memory.language.words import content_words
from sim.offline.engagements import appointment_in
from sim.offline.news import News, Rate, news_in
from sim.offline.quarrels import hard_words
from sim.offline.reading import MemoryLine
from sim.offline.summary import clock_words, parse_map, parse_time
from sim.offline.talking import YES, told_by
from sim.offline.transcript import Talk, read_talk
from sim.times import DAY, HOUR


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
