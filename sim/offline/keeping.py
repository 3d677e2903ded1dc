"""What one keeps of a talk: what was told, who comes and who does not and why, and what one agreed to."""

import json
import re
from collections.abc import Mapping, Sequence

from memory.language.names import find_place
from memory.language.records import Record, accepts, is_called_off, refuses
from memory.language.sentences import sentences
from memory.language.speech_acts import is_greeting_or_farewell, is_question
from memory.language.words import content_words
from sim.offline.choice import Dice
from sim.offline.occasions import appointment_in
from sim.offline.quarrels import hard_words
from sim.offline.recall import Rate, Recalled, recall
from sim.offline.talk import Talk, read_talk
from sim.offline.turn import heard_now
from sim.offline.variables import clock_words, is_unfit, parse_map
from sim.offline.wording import kind_of
from sim.times import DAY, HOUR, MINUTE

_MOST = 2  # things that one keeps of what either told
_TELLING = ("did", "do_now", "next", "saw", "saw_you", "seen_yes", "view_good", "view_bad", "source")


def summary(variables: Mapping[str, str], rate: Rate, dice: Dice) -> str:
    """Return the reply to the prompt ``talk_summary``: what was told, and the appointments that were accepted."""
    me, partner = variables["agent_name"], variables["partner"]
    talk = read_talk(me, partner, variables["transcript"])
    mind = recall(variables, rate, dice)
    places = [place.name for place in parse_map(variables["town_map"])]
    theirs = [r for who, text in talk.said if who == partner for r in heard_now(talk, text, mind)]
    turned = talk._replace(me=partner, partner=me)
    mine = [r for who, text in talk.said if who == me for r in heard_now(turned, text, mind)]
    words = [f"I talked with {partner}."]
    words += [f"{partner} told me that {_lower(r.text)}" for r in _weightiest(theirs, mind)]
    words += [f"I told {partner}: {r.said}" for r in _weightiest(mine, mind)]
    words += _answers(talk, theirs, mine)
    hard = [f"I told {partner}: {s}" for s in hard_words(talk, me)[:3]]
    hard += [f"{partner} said to me: {s}" for s in hard_words(talk, partner)[:3]]
    if len(words) == 1 and not hard:
        words.append(_gist(talk))
    appointments = [found for r in theirs if (found := _accepted(r, talk, places)) is not None]
    body = {
        "summary": " ".join([*words, *hard])[:1900],
        "appointments": appointments,
        "changes_plan": any(_upsets_plan(r, mind) for r in theirs),
    }
    return json.dumps(body, ensure_ascii=False)


def _upsets_plan(record: Record, mind: Recalled) -> bool:
    """Return whether *record* tells that something of today is called off, or that a place of one's life is unfit."""
    if is_called_off(record.text):
        return record.moment is not None and record.moment.date == mind.now.date()
    return is_unfit(record.text) and bool(find_place(record.text, mind.summary.places))


def _weightiest(told: Sequence[Record], mind: Recalled) -> list[Record]:
    """Return what of *told* weighs most, in the order in which it was said."""
    kept = sorted(told, key=lambda r: (-r.ahead, -mind.rate(r.said)))[:_MOST]
    return [r for r in told if r in kept]


def _lower(text: str) -> str:
    """Return *text* to go on a sentence: only an article or the like loses its capital."""
    return text[0].lower() + text[1:] if re.match(r"(?:The|There|A|An|It|They|Our)\b", text) else text


def _answers(talk: Talk, theirs: Sequence[Record], mine: Sequence[Record]) -> list[str]:
    """Return who said yes or no to what, and why."""
    found = []
    for record in (r for r in theirs if r.welcomes):
        reply = _reply_to(record, talk, talk.me)
        if any(refuses(s) for s in reply):
            found.append(f"I told {talk.partner} that I will not come, for {_why(reply)}: {record.text}")
    for record in (r for r in mine if r.welcomes):
        reply = _reply_to(record, talk, talk.partner)
        if any(refuses(s) for s in reply):
            found.append(f"{talk.partner} told me that they will not come, for {_why(reply)}: {record.said}")
        elif any(accepts(s) for s in reply):
            found.append(f"{talk.partner} will come to this: {record.said}")
    return found


def _reply_to(record: Record, talk: Talk, who: str) -> list[str]:
    """Return the sentences that *who* said next to what *record* tells."""
    at = next((i for i, (_, text) in enumerate(talk.said) if record.said in text), None)
    after = talk.said[at + 1 :] if at is not None else []
    return sentences(next((text for name, text in after if name == who), ""))


def _why(reply: Sequence[str]) -> str:
    """Return the reason in a refusal, as a clause without a stop."""
    said = next(s for s in reply if refuses(s)).rstrip(".!")
    clauses = [part.removeprefix("but ") for part in re.split(r", | but ", said)]
    reasons = [part for part in clauses[1:] if re.match(r"(?:I|that|it|work)\b", part) and not _BARE_NO.match(part)]
    return reasons[-1] if reasons else "it is not for me"


_BARE_NO = re.compile(r"I (?:cannot|will not|can['’]t|won['’]t) (?:come|go)$|I am (?:sorry|afraid)")


def _gist(talk: Talk) -> str:
    """Return what the small talk was about: the partner's longest plain statement."""
    theirs = [s for who, text in talk.said if who == talk.partner for s in sentences(text)]
    plain = [s for s in theirs if not is_question(s) and not is_greeting_or_farewell(s) and len(content_words(s)) >= 2]
    plain = [s for s in plain if not (kind := kind_of(s)) or kind in _TELLING]
    return f"{talk.partner} said: {max(plain, key=len)}" if plain else "We exchanged a few words."


def _accepted(record: Record, talk: Talk, places: Sequence[str]) -> dict[str, str] | None:
    """Return the appointment that *record* offers if one's own next words accept it."""
    offer = appointment_in(record, places, None)
    if offer is None or not record.welcomes or not any(accepts(s) for s in _reply_to(record, talk, talk.me)):
        return None
    begin = offer.begin.hour * HOUR + offer.begin.minute * MINUTE
    until = begin + min(int((offer.until - offer.begin).total_seconds()), DAY - 1)
    return {
        "date": offer.begin.date().isoformat(),
        "from": clock_words(begin),
        "until": clock_words(until),
        "place": offer.place,
        "do": offer.do,
    }
