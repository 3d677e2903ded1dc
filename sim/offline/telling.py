"""What one may tell, ask and chat about of one's own accord, each an option that is weighed."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from memory.language.names import find_people
from memory.language.records import CONCLUSION, Record, State, begins
from memory.language.reported_speech import back_to_speaker
from memory.language.sentences import sentences
from memory.language.speech_acts import is_question
from sim.offline.choice import Option
from sim.offline.occasions import is_going, with_place
from sim.offline.recall import Topic
from sim.offline.topics import concluded_of, subject_of
from sim.offline.turn import GESTURE, Move, Turn, heard_now, is_doing
from sim.offline.wording import address, ended, kind_of

SOON = timedelta(minutes=15)  # of what begins within this time nobody is told any more


def to_tell(here: Turn) -> list[Option[Move]]:
    """Return what one may tell: nothing that was said, that they know, or that is not for their ears."""
    told = sum(bool(heard_now(here.talk._replace(partner=here.talk.me), text, here.mind)) for text in here.talk.mine)
    options = []
    for topic in here.mind.topics:
        record = topic.record
        returned = record.mine and bool(record.speaker)
        if (
            has_begun(record, here.mind.now)
            or returned
            or here.mind.is_private(topic, here.other)
            or here.talk.holds(here.mind.told_to(topic, here.other))
        ):
            continue
        if here.mind.knows_of(here.other, topic) or here.mind.standing(here.other).shuns:
            continue
        features = here.mind.worth(topic, here.other)
        features["stale"] += 0.7 * told + 2.0 * (
            here.mind.told_to(topic, here.other) != topic.text and not record.ahead
        )
        features["late"] = float(record.ahead) * (len(here.talk.mine) - 1)
        features["purpose"] = _nearness_to_purpose(here, topic)
        options.append(Option("tell", Move("tell", topic=topic), topic.text, features))
    return options


def _nearness_to_purpose(here: Turn, topic: Topic) -> float:
    return float(any(t.record.is_same(topic.text) for t in here.gatherings))


def has_begun(record: Record, now: datetime) -> bool:
    """Return whether what was to come has begun, or is about to: nobody is told any more that it will be."""
    is_timed = record.ahead and record.moment is not None and record.moment.start is not None
    return is_timed and record.moment is not None and begins(record.moment) - SOON <= now


def as_told(here: Turn, topic: Topic) -> str:
    """Return *topic* as one tells it, with a question whether the other comes where that is due."""
    record = topic.record
    first_hand = not record.speaker
    opener = "" if first_hand or not here.voice.chance(0.7, "opener") else here.voice.say("opener")
    text = here.mind.told_to(topic, here.other)
    if text == record.text and record.state is State.MEANT and record.ahead:
        text = with_place(record, here.mind.summary)
    if record.state is State.CONCLUDED:
        opener = here.voice.say("thought")
    asks = ""
    if record.welcomes and text != record.text and " invite you" in text:
        asks = here.voice.say("ask_coming")
    elif record.welcomes:
        goes = is_going(here.mind, record)
        asks = here.voice.say("ask_coming" if first_hand and record.mine else "ask_along" if goes else "ask_going")
    return " ".join(part for part in (opener, ended(text), asks) if part)


def to_ask(here: Turn) -> list[Option[Move]]:
    """Return what one may ask: after what they told, now or before, after others, and how they are."""
    mind, other = here.mind, here.other
    asked = {kind_of(s) for text in here.talk.mine for s in sentences(text)}
    found: list[tuple[str, dict[str, str], dict[str, float]]] = []
    told = heard_now(here.talk, here.last_heard, mind)
    if told and not any(is_question(s) for s in sentences(here.last_heard)):
        found.append(("ask_more", {}, {"chat": 0.4, "mine": mind.interest(told[-1].text)}))
    for topic in mind.topics:
        subject = subject_of(topic.text, other)
        if not subject or here.talk.holds(topic.text):
            continue
        if topic.record.host == other:
            found.append(("ask_topic", {"topic": subject}, {"chat": 0.2, **_near(here, topic)}))
        elif mind.knows_of(other, topic) and not find_people(topic.text, [other]):
            found.append(("ask_view", {"topic": subject}, {"chat": 0.4, **_near(here, topic)}))
    for rank, record in mind.records:
        clause = back_to_speaker(record.said) if record.state is State.TOLD and record.speaker == other else ""
        if (
            clause
            and not kind_of(record.said)
            and not CONCLUSION.match(record.said)
            and not here.talk.holds(record.said)
        ):
            features = {
                "chat": 0.2,
                "theirs": 1.0,
                "mine": mind.interest(record.text),
                "recalled": max(1 - rank / 5, 0),
            }
            found.append(("ask_back", {"clause": clause}, features))
        subject = concluded_of(record) if record.state is State.CONCLUDED else ""
        if subject and not find_people(subject, [other]) and find_people(record.text, [other]):
            features = {"chat": 0.4, "thought": 1.0, "mine": mind.interest(subject), "recalled": max(1 - rank / 5, 0)}
            found.append(("ask_view", {"topic": subject}, features))
    for topic in here.gatherings:
        if subject := subject_of(topic.text, other if topic.record.host == other else ""):
            found.append(("ask_source", {"topic": subject}, {"chat": 0.7, "purpose": 0.7}))
            found.append(("ask_view", {"topic": subject}, {"chat": 0.7, "purpose": 0.7}))
    for rank, line in enumerate(mind.lines):
        named = find_people(line.text, mind.people)
        for name in named if other in named else ():
            if name != other and mind.tie(name) > 0.5:
                features = {"chat": 0.5, "theirs": mind.interest_of(other, name), "recalled": max(0.4 - rank / 10, 0)}
                found.append(("ask_seen", {"whom": address(name)}, features))
    found.append(("ask_how_close" if here.is_household else "ask_how", {}, {"chat": 0.3}))
    if not here.is_household:
        found.append(("ask_busy", {}, {"chat": 0.4}))
    found.append(("ask_next", {}, {"chat": 0.5}))
    return _moves(found, asked)


def _moves(found: Iterable[tuple[str, dict[str, str], dict[str, float]]], said: Collection[str]) -> list[Option[Move]]:
    """Return the options that *found* lists as phrase, slots and features; what was said in this talk is none."""
    return [
        Option("tell", Move(name, slots), f"{name} {' '.join(slots.values())}", features)
        for name, slots, features in found
        if name not in said
    ]


def _near(here: Turn, topic: Topic) -> dict[str, float]:
    return {
        "mine": here.mind.interest(topic.text),
        "recalled": max(1 - topic.rank / 5, 0),
        "purpose": _nearness_to_purpose(here, topic),
    }


def to_chat(here: Turn) -> list[Option[Move]]:
    """Return small talk: what one does and did, what one saw of them or of others, the place, what brings all here."""
    mind, other = here.mind, here.other
    found: list[tuple[str, dict[str, str], dict[str, float]]] = []
    for rank, record in mind.records:
        if record.state is not State.DONE or not is_doing(record.text) or here.talk.holds(record.text):
            continue
        slots = {"doing": GESTURE.sub("", record.text), "place": record.place, "whom": address(record.speaker)}
        features = {"chat": 0.5, "mine": mind.interest(record.text), "recalled": max(1 - rank / 5, 0)}
        if record.speaker == other and record.place:
            found.append(("saw_you", slots, features))
        elif record.speaker and record.place and record.place != here.place.split(", ")[0]:
            found.append(("saw", slots, {**features, "chat": 0.8}))
        elif not record.speaker and mind.is_of_today(record):
            found.append(("did", slots, features))
    if here.doing and not here.talk.holds(here.doing):
        found.append(("do_now", {"doing": here.doing}, {"chat": 0.5}))
    found.append(("place_talk", {"place": here.place.split(", ")[0]}, {"chat": 0.8}))
    for topic in here.gatherings:
        if subject := subject_of(topic.text, other if topic.record.host == other else ""):
            found.append(("here_for", {"topic": subject}, {"chat": 0.5, "purpose": 1.0}))
    return _moves(found, {kind_of(s) for text in here.talk.mine for s in sentences(text)})
