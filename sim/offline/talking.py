"""What to say next in a talk: greet, answer, tell, ask, and take leave; each is an option that is weighed."""

import json
from collections.abc import Mapping
from datetime import timedelta

from memory.language.names import find_people
from memory.language.records import State
from memory.language.sentences import sentences
from memory.language.speech_acts import is_farewell
from sim.offline.answering import answer
from sim.offline.choice import Dice, Option, choose
from sim.offline.quarrels import strife
from sim.offline.recall import Rate, recall
from sim.offline.talk import read_talk
from sim.offline.telling import as_told, to_ask, to_chat, to_tell
from sim.offline.topics import subject_of
from sim.offline.turn import Move, Turn
from sim.offline.wording import Voice, address, hail, kind_of
from sim.times import HOUR, MINUTE


def turn(variables: Mapping[str, str], rate: Rate, dice: Dice) -> str:
    """Return the reply to the prompt ``dialogue_turn``."""
    talk = read_talk(variables["agent_name"], variables["partner"], variables["transcript"])
    mind = recall(variables, rate, dice, cues=variables.get("relation", ""))
    voice = Voice(dice, talk.texts, {"you": address(talk.partner)})
    here = Turn(talk, mind, voice, variables["place"], mind.under_way(variables["place"]))
    if talk.last and any(is_farewell(s) or kind_of(s).startswith("bye") for s in sentences(talk.last)) and talk.mine:
        return _reply(_farewell(here), end=True)
    hard = strife(talk, voice, mind.lines, mind.summary, mind.standing(talk.partner), mind.now)
    if hard is not None:
        return _reply(*hard)
    said = [part for part in (*([] if talk.mine else _opening(here)), *answer(here)) if part]
    so_far = talk._replace(said=[*talk.said, (talk.me, " ".join(said))])
    more, end = _contribution(here._replace(talk=so_far), is_first=not talk.mine, answered=bool(talk.last and said))
    return _reply(" ".join(part for part in (*said, more) if part), end=end)


def _reply(say: str, end: bool) -> str:
    return json.dumps({"say": say, "end": end}, ensure_ascii=False)


# opening and leaving


def _opening(here: Turn) -> list[str]:
    """Return the words that open a talk: at this hour, to this person, and as host or guest."""
    mind, voice = here.mind, here.voice
    said = [voice.say("greet", hail=voice.say(hail(mind.now.hour)))]
    tie = mind.tie(here.other)
    hosts = [t.record for t in here.gatherings]
    if any(r.mine and not r.speaker for r in hosts):
        return [*said, voice.say("welcome")]
    if any(r.host == here.other for r in hosts):
        return [*said, voice.say("guest")]
    if not mind.is_known(here.other):
        return [*said, voice.say("greet_new")] if voice.chance(0.5, "new") else said
    if mind.hours_since(here.other) < 12 and voice.chance(0.4, "again"):
        return [*said, voice.say("greet_again")]
    return [*said, voice.say("greet_close")] if tie > 1 and voice.chance(0.5, "close") else said


def _farewell(here: Turn) -> str:
    """Return the words of leave to somebody who has said goodbye."""
    plain = Option("tell", here.voice.say("bye_wish"), "wish", {"chat": 0.3})
    return f"{choose([plain, *_parting(here)], here.mind.dice).value} {_bye(here)}".strip()


def _parting(here: Turn) -> list[Option[str]]:
    """Return parting words: for the other's affairs, for when one meets again, for somebody else."""
    mind, voice = here.mind, here.voice
    options = []
    theirs = [(0, subject_of(s, here.other)) for text in here.heard for s in sentences(text)]
    theirs += [(t.rank, subject_of(t.text, here.other)) for t in mind.topics if mind.knows_of(here.other, t)]
    for rank, topic in theirs:
        if topic and (words := voice.say("wish", topic=topic)):
            options.append(
                Option("tell", words, topic, {"recalled": max(1 - rank / 5, 0), "mine": mind.interest(topic)})
            )
    for rank, record in mind.records:
        if record.state is State.PROMISED and (words := voice.say("meet", place=record.place)):
            options.append(Option("tell", words, record.text, {"recalled": max(1 - rank / 5, 0), "ahead": 1.0}))
        for name in find_people(record.text, mind.people) if record.state is not State.PROMISED else ():
            if name != here.other and mind.is_known(name) and (words := voice.say("regards", whom=address(name))):
                options.append(Option("tell", words, name, {"recalled": max(0.6 - rank / 5, 0), "chat": 0.5}))
    return options


def _bye(here: Turn) -> str:
    late = here.mind.now.hour >= 20 or here.mind.now.hour < 4
    return here.voice.say("bye_late" if late else "bye") or f"Goodbye, {here.voice.you}."


def _leave(here: Turn) -> str:
    """Return what one says who ends a talk: why, or a parting word, and goodbye."""
    mind, voice = here.mind, here.voice
    if here.gatherings:
        return f"{voice.say('mingle')} {_bye(here)}"
    following = _next_item(here)
    names = ["because", *(["because_work"] if here.doing else []), *(["because_next"] if following else [])]
    why = voice.say(mind.dice.pick(names, "why"), doing=here.doing, place=following) or voice.say("because")
    return (
        f"{choose([Option('tell', why, 'why', {'chat': 0.3}), *_parting(here)], mind.dice).value} {_bye(here)}".strip()
    )


def _next_item(here: Turn) -> str:
    """Return where one's usual day leads next, within three hours; "" where it does not."""
    second = here.mind.now.hour * HOUR + here.mind.now.minute * MINUTE
    later = [i for i in here.mind.summary.usual if i.on(here.mind.now.date()) and second < i.begin < second + 3 * HOUR]
    place = min(later, key=lambda item: item.begin).place.split(", ")[0] if later else ""
    return "" if place == here.place.split(", ")[0] else place


# what one says of one's own accord


def _contribution(here: Turn, *, is_first: bool, answered: bool) -> tuple[str, bool]:
    """Return what one says of one's own accord, and whether it takes leave."""
    options = [*to_tell(here), *to_ask(here), *to_chat(here)]
    if not is_first:
        options.append(_to_leave(here))
    if answered:
        options.append(Option("tell", Move(""), "nothing", {"chat": 0.6}))
    while options:
        chosen = choose(options, here.mind.dice)
        move = chosen.value
        if move.phrase == "leave":
            return _leave(here), True
        words = (
            as_told(here, move.topic)
            if move.topic
            else here.voice.say(move.phrase, **move.slots)
            if move.phrase
            else ""
        )
        if words or not move.phrase:
            return words, False
        options.remove(chosen)  # every phrase for it was said in this talk
    return _leave(here), True


def _to_leave(here: Turn) -> Option[Move]:
    turns = len(here.talk.mine) - 1
    item = here.mind.summary.usual_at(here.mind.now + timedelta(minutes=15))
    pressed = item is not None and item.place.split(", ")[0] != here.place.split(", ")[0] and not here.gatherings
    features = {"start": float(turns < 2), "turns": float(turns), "pressed": float(pressed)}
    return Option("leave", Move("leave"), "leave", {**features, "tie": min(here.mind.tie(here.other), 3.0)})
