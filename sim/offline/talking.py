"""What to say next in a talk: greet, answer, tell, ask, and take leave; each is an option that is weighed."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from typing import NamedTuple

from memory.language.names import find_people
from memory.language.records import CONCLUSION, Record, State, accepts, begins, read_line, refuses
from memory.language.reported_speech import back_to_speaker
from memory.language.sentences import sentences
from memory.language.speech_acts import is_farewell, is_question
from memory.language.words import content_words
from sim.offline.choice import Dice, Option, choose
from sim.offline.occasions import answer_to, is_going, with_place
from sim.offline.quarrels import strife
from sim.offline.recall import Rate, Recalled, Topic, recall
from sim.offline.signs import sign
from sim.offline.talk import Talk, read_talk
from sim.offline.topics import concluded_of, subject_of
from sim.offline.wording import Voice, address, ended, hail, kind_of, read_phrase
from sim.times import HOUR, MINUTE

SOON = timedelta(minutes=15)  # of what begins within this time nobody is told any more
_GESTURE = re.compile(r", (?:smiling at|turning away from) .*")


class _Move(NamedTuple):
    """Something that one may say; it is put into words only when it is chosen."""

    phrase: str
    """Name of the phrases; "leave", "tell" or "" for nothing."""
    slots: Mapping[str, str] = {}
    topic: Topic | None = None


class _Turn(NamedTuple):
    """What the speaker of the next words has before them."""

    talk: Talk
    mind: Recalled
    voice: Voice
    place: str
    gatherings: list[Topic]

    @property
    def other(self) -> str:
        """The partner."""
        return self.talk.partner

    @property
    def heard(self) -> list[str]:
        """What the partner has said in this talk."""
        return [text for who, text in self.talk.said if who == self.other]

    @property
    def last_heard(self) -> str:
        """The partner's latest words; one may have answered them already."""
        return self.heard[-1] if self.heard else ""

    @property
    def is_household(self) -> bool:
        """Whether the partner belongs to one's family or household."""
        return bool(sign("household").search(self.mind.summary.knows.get(self.other, "")))

    @property
    def doing(self) -> str:
        """What one is doing here by one's usual day, "" where that is nothing to speak of."""
        item = self.mind.summary.usual_at(self.mind.now)
        here = item is not None and item.place.split(", ")[0] == self.place.split(", ")[0]
        return item.do if item is not None and here and _is_doing(item.do) else ""


def turn(variables: Mapping[str, str], rate: Rate, dice: Dice) -> str:
    """Return the reply to the prompt ``dialogue_turn``."""
    talk = read_talk(variables["agent_name"], variables["partner"], variables["transcript"])
    mind = recall(variables, rate, dice, cues=variables.get("relation", ""))
    voice = Voice(dice, talk.texts, {"you": address(talk.partner)})
    here = _Turn(talk, mind, voice, variables["place"], mind.under_way(variables["place"]))
    if talk.last and any(is_farewell(s) or kind_of(s).startswith("bye") for s in sentences(talk.last)) and talk.mine:
        return _reply(_farewell(here), end=True)
    hard = strife(talk, voice, mind.lines, mind.summary, mind.standing(talk.partner), mind.now)
    if hard is not None:
        return _reply(*hard)
    said = [part for part in (*([] if talk.mine else _opening(here)), *_answer(here)) if part]
    so_far = talk._replace(said=[*talk.said, (talk.me, " ".join(said))])
    more, end = _contribution(here._replace(talk=so_far), is_first=not talk.mine, answered=bool(talk.last and said))
    return _reply(" ".join(part for part in (*said, more) if part), end=end)


def _reply(say: str, end: bool) -> str:
    return json.dumps({"say": say, "end": end}, ensure_ascii=False)


def _is_doing(do: str) -> bool:
    return bool(re.match(r"\w+ing\b", do)) and not sign("idle").match(do)


# opening and leaving


def _opening(here: _Turn) -> list[str]:
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


def _farewell(here: _Turn) -> str:
    """Return the words of leave to somebody who has said goodbye."""
    plain = Option("tell", here.voice.say("bye_wish"), "wish", {"chat": 0.3})
    return f"{choose([plain, *_parting(here)], here.mind.dice).value} {_bye(here)}".strip()


def _parting(here: _Turn) -> list[Option[str]]:
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


def _bye(here: _Turn) -> str:
    late = here.mind.now.hour >= 20 or here.mind.now.hour < 4
    return here.voice.say("bye_late" if late else "bye") or f"Goodbye, {here.voice.you}."


def _leave(here: _Turn) -> str:
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


def _next_item(here: _Turn) -> str:
    """Return where one's usual day leads next, within three hours; "" where it does not."""
    second = here.mind.now.hour * HOUR + here.mind.now.minute * MINUTE
    later = [i for i in here.mind.summary.usual if i.on(here.mind.now.date()) and second < i.begin < second + 3 * HOUR]
    place = min(later, key=lambda item: item.begin).place.split(", ")[0] if later else ""
    return "" if place == here.place.split(", ")[0] else place


# answering


def heard_now(talk: Talk, text: str, mind: Recalled) -> list[Record]:
    """Return what the partner's words *text* tell: no greetings, set phrases and questions."""
    found = read_line(f'{talk.partner} told me: "{text}"', mind.now, talk.me) if text else ()
    return [r for r in found if r.state is State.TOLD and not kind_of(r.said) and len(r.matter) >= 2]


def _answer(here: _Turn) -> list[str]:
    """Return what to say to the partner's last words."""
    talk, voice, last = here.talk, here.voice, here.talk.last
    if not last:
        return []
    told = heard_now(talk, last, here.mind)
    invitation = next((r for r in told if r.welcomes and r.moment and begins(r.moment) > here.mind.now), None)
    if invitation is not None:
        return [_to_invitation(here, invitation)]
    questions = [s for s in sentences(last) if is_question(s)]
    if questions:
        return [_to_question(here, questions[-1])]
    asked = talk.mine and any(is_question(s) for s in sentences(talk.mine[-1]))
    if asked and any(refuses(s) or kind_of(s) == "perhaps" for s in sentences(last)):
        return [voice.say("sorry")]
    if asked and any(accepts(s) or kind_of(s) == "going" for s in sentences(last)):
        return [voice.say("pleased")]
    if told:
        return [_comment(here, told[-1])]
    doing = next((s for s in sentences(last) if kind_of(s) in ("did", "do_now", "next")), "")
    return [voice.say("active")] if doing and voice.chance(0.6, "active") else []


def _to_invitation(here: _Turn, record: Record) -> str:
    """Return whether one comes to what was told."""
    mind, voice = here.mind, here.voice
    if record.mine:
        return voice.say("own_back")
    if is_going(mind, record):
        return voice.say("going")
    refused = mind.refusal(record.text)
    host = record.host or here.other
    answer = answer_to(mind, record, here.other)
    if refused is not None and not answer.comes:
        return voice.say("no_again", why=refused.why) or voice.say("no")
    if mind.standing(host).shuns:
        return voice.say("no_against")
    return voice.say(answer.phrase, place=mind.summary.work or "") or voice.say("no")


def _comment(here: _Turn, record: Record) -> str:
    """Return a word on what was told: whether one knew, how one stands to it, and how it makes one feel."""
    mind, voice = here.mind, here.voice
    subject = subject_of(record.text, "")
    if record.mine:
        return voice.say("own_back")
    side = mind.side(record.said)
    if abs(side) > 0.2 and subject:
        return voice.say("view_good" if side > 0 else "view_bad", topic=subject)
    if any(record.is_same(r.text) for _, r in mind.records):
        return voice.say("told")
    if record.valence <= -0.5:
        return voice.say("sad")
    if record.valence > 0:
        return voice.say("glad")
    return voice.say(mind.dice.pick(["hears", "plain"] if record.ahead else ["plain"], "comment"))


def _to_question(here: _Turn, question: str) -> str:
    """Return an answer from one's day or one's memories."""
    kind = kind_of(question)
    if kind in ("ask_how", "ask_how_close") or (not kind and sign("how").search(question)):
        return here.voice.say("well")
    if kind == "ask_busy" or (not kind and sign("what").search(question)):
        return _of_the_day(here) or here.voice.say("busy")
    if kind == "ask_next":
        return _of_what_comes(here)
    if kind == "ask_seen":
        return _of_somebody(here, question)
    if kind == "ask_source" or (not kind and sign("who_told").search(question)):
        return _of_the_source(here, question)
    if kind in ("ask_coming", "ask_going", "ask_along") or (not kind and sign("coming").search(question)):
        return here.voice.say("perhaps")
    if kind == "ask_view" or (not kind and sign("view").search(question)):
        return _view(here, question)
    found = _matching(here, question if kind != "ask_more" else " ".join(here.talk.mine[-1:]))
    found = [t for t in found if kind == "ask_topic" or not (t.record.speaker and t.record.ahead)]
    fresh = [t for t in found if not here.talk.holds(t.text)]
    if fresh:
        return _as_told(here, fresh[0])
    return here.voice.say("more" if kind in ("ask_more", "ask_topic", "ask_back") else "unknown")


def _matching(here: _Turn, words: str) -> list[Topic]:
    """Return what one may tell that *words* ask for, the nearest first."""
    asked = set(content_words(words)) - set(content_words(f"{here.talk.me} {here.other}"))
    near = [(len(asked & t.record.matter), t) for t in here.mind.topics if not here.mind.is_private(t, here.other)]
    return [t for shared, t in sorted(near, key=lambda pair: -pair[0]) if shared and here.other not in t.tellers]


def _of_the_day(here: _Turn) -> str:
    """Return what one is doing here or has done, as far as one remembers; "" if nothing or it was said."""
    done = [r for _, r in here.mind.records if r.state is State.DONE and not r.speaker and _is_doing(r.text)]
    today = [r.text for r in done if here.mind.is_of_today(r) and not here.talk.holds(r.text)]
    if here.doing and not here.talk.holds(here.doing) and here.voice.chance(0.5, "now"):
        return here.voice.say("do_now", doing=here.doing)
    return here.voice.say("did", doing=here.mind.dice.pick(today, "did")) if today else ""


def _of_what_comes(here: _Turn) -> str:
    second = here.mind.now.hour * HOUR + here.mind.now.minute * MINUTE
    later = [i for i in here.mind.summary.usual if i.on(here.mind.now.date()) and i.begin > second]
    item = min(later, key=lambda one: one.begin, default=None)
    if item is None or not _is_doing(item.do):
        return here.voice.say("next_none")
    return here.voice.say("next", doing=item.do, place=item.place.split(", ")[0])


def _of_somebody(here: _Turn, question: str) -> str:
    """Return what one knows of the one who is asked after."""
    asked = read_phrase(question).slots.get("whom", question)
    whom = next(iter(find_people(asked, here.mind.people)), asked)
    told = [t for t in here.mind.topics if whom and whom in t.text and not here.mind.is_private(t, here.other)]
    seen = [r for _, r in here.mind.records if whom and r.speaker == whom and r.state is State.DONE and r.place]
    if seen and _is_doing(seen[-1].text):
        return here.voice.say(
            "seen_yes", whom=address(whom), doing=_GESTURE.sub("", seen[-1].text), place=seen[-1].place
        )
    if told and not here.talk.holds(told[0].text):
        return _as_told(here, told[0])
    known = not whom or here.mind.is_known(whom) or any(name.split()[0] == whom for name in here.mind.summary.knows)
    return here.voice.say("seen_no" if known else "seen_stranger", whom=address(whom)) or here.voice.say("unknown")


def _of_the_source(here: _Turn, question: str) -> str:
    found = _matching(here, question) or here.gatherings
    tellers = [who for t in found[:1] for who in t.tellers if who != here.other]
    if tellers:
        return here.voice.say("source", whom=address(tellers[0]))
    own = any(t.record.mine and not t.record.speaker for t in found[:1])
    return here.voice.say("source_own" if own else "source_none")


def _view(here: _Turn, question: str) -> str:
    """Return what one thinks of what is asked: by what one wants and cares for, and whose it is."""
    mind = here.mind
    topic = read_phrase(question).slots.get("topic", "")
    if not topic:
        return here.voice.say("unknown")
    known = next(iter(_matching(here, question)), None)
    text = known.text if known else question
    host = known.record.host if known else ""
    feeling = 2 * mind.side(text) + mind.interest(text) + 0.3 * (mind.tie(host) if host else 0.0)
    feeling += mind.dice.share("view", topic) - 0.7
    name = "view_good" if feeling > 0.3 else "view_bad" if feeling < -0.3 else "view_plain"
    return here.voice.say(name, topic=topic)


# telling and asking


def _contribution(here: _Turn, *, is_first: bool, answered: bool) -> tuple[str, bool]:
    """Return what one says of one's own accord, and whether it takes leave."""
    options = [*_to_tell(here), *_to_ask(here), *_to_chat(here)]
    if not is_first:
        options.append(_to_leave(here))
    if answered:
        options.append(Option("tell", _Move(""), "nothing", {"chat": 0.6}))
    while options:
        chosen = choose(options, here.mind.dice)
        move = chosen.value
        if move.phrase == "leave":
            return _leave(here), True
        words = (
            _as_told(here, move.topic)
            if move.topic
            else here.voice.say(move.phrase, **move.slots)
            if move.phrase
            else ""
        )
        if words or not move.phrase:
            return words, False
        options.remove(chosen)  # every phrase for it was said in this talk
    return _leave(here), True


def _to_leave(here: _Turn) -> Option[_Move]:
    turns = len(here.talk.mine) - 1
    item = here.mind.summary.usual_at(here.mind.now + timedelta(minutes=15))
    pressed = item is not None and item.place.split(", ")[0] != here.place.split(", ")[0] and not here.gatherings
    features = {"start": float(turns < 2), "turns": float(turns), "pressed": float(pressed)}
    return Option("leave", _Move("leave"), "leave", {**features, "tie": min(here.mind.tie(here.other), 3.0)})


def _to_tell(here: _Turn) -> list[Option[_Move]]:
    """Return what one may tell: nothing that was said, that they know, or that is not for their ears."""
    told = sum(bool(heard_now(here.talk._replace(partner=here.talk.me), text, here.mind)) for text in here.talk.mine)
    options = []
    for topic in here.mind.topics:
        record = topic.record
        begun = (
            record.moment is not None
            and record.moment.start is not None
            and begins(record.moment) - SOON <= here.mind.now
        )
        returned = record.mine and bool(record.speaker)
        if (
            (begun and record.ahead)
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
        options.append(Option("tell", _Move("tell", topic=topic), topic.text, features))
    return options


def _nearness_to_purpose(here: _Turn, topic: Topic) -> float:
    return float(any(t.record.is_same(topic.text) for t in here.gatherings))


def _as_told(here: _Turn, topic: Topic) -> str:
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


def _to_ask(here: _Turn) -> list[Option[_Move]]:
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


def _moves(found: Iterable[tuple[str, dict[str, str], dict[str, float]]], said: Collection[str]) -> list[Option[_Move]]:
    """Return the options that *found* lists as phrase, slots and features; what was said in this talk is none."""
    return [
        Option("tell", _Move(name, slots), f"{name} {' '.join(slots.values())}", features)
        for name, slots, features in found
        if name not in said
    ]


def _near(here: _Turn, topic: Topic) -> dict[str, float]:
    return {
        "mine": here.mind.interest(topic.text),
        "recalled": max(1 - topic.rank / 5, 0),
        "purpose": _nearness_to_purpose(here, topic),
    }


def _to_chat(here: _Turn) -> list[Option[_Move]]:
    """Return small talk: what one does and did, what one saw of them or of others, the place, what brings all here."""
    mind, other = here.mind, here.other
    found: list[tuple[str, dict[str, str], dict[str, float]]] = []
    for rank, record in mind.records:
        if record.state is not State.DONE or not _is_doing(record.text) or here.talk.holds(record.text):
            continue
        slots = {"doing": _GESTURE.sub("", record.text), "place": record.place, "whom": address(record.speaker)}
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
