"""What to say to the partner's last words: to an invitation, a question, or what they told."""

from memory.language.names import find_people
from memory.language.records import Record, State, accepts, begins, refuses
from memory.language.sentences import sentences
from memory.language.speech_acts import is_question
from memory.language.words import content_words
from sim.offline.occasions import answer_to, is_going
from sim.offline.recall import Topic
from sim.offline.signs import sign
from sim.offline.telling import as_told, has_begun
from sim.offline.topics import subject_of
from sim.offline.turn import GESTURE, Turn, heard_now, is_doing
from sim.offline.wording import address, kind_of, read_phrase
from sim.times import HOUR, MINUTE


def answer(here: Turn) -> list[str]:
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


def _to_invitation(here: Turn, record: Record) -> str:
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


def _comment(here: Turn, record: Record) -> str:
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


def _to_question(here: Turn, question: str) -> str:
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
    fresh = [t for t in found if not here.talk.holds(t.text) and not has_begun(t.record, here.mind.now)]
    if fresh:
        return as_told(here, fresh[0])
    return here.voice.say("more" if kind in ("ask_more", "ask_topic", "ask_back") else "unknown")


def _matching(here: Turn, words: str) -> list[Topic]:
    """Return what one may tell that *words* ask for, the nearest first."""
    asked = set(content_words(words)) - set(content_words(f"{here.talk.me} {here.other}"))
    near = [(len(asked & t.record.matter), t) for t in here.mind.topics if not here.mind.is_private(t, here.other)]
    return [t for shared, t in sorted(near, key=lambda pair: -pair[0]) if shared and here.other not in t.tellers]


def _of_the_day(here: Turn) -> str:
    """Return what one is doing here or has done, as far as one remembers; "" if nothing or it was said."""
    done = [r for _, r in here.mind.records if r.state is State.DONE and not r.speaker and is_doing(r.text)]
    today = [r.text for r in done if here.mind.is_of_today(r) and not here.talk.holds(r.text)]
    if here.doing and not here.talk.holds(here.doing) and here.voice.chance(0.5, "now"):
        return here.voice.say("do_now", doing=here.doing)
    return here.voice.say("did", doing=here.mind.dice.pick(today, "did")) if today else ""


def _of_what_comes(here: Turn) -> str:
    second = here.mind.now.hour * HOUR + here.mind.now.minute * MINUTE
    later = [i for i in here.mind.summary.usual if i.on(here.mind.now.date()) and i.begin > second]
    item = min(later, key=lambda one: one.begin, default=None)
    if item is None or not is_doing(item.do):
        return here.voice.say("next_none")
    return here.voice.say("next", doing=item.do, place=item.place.split(", ")[0])


def _of_somebody(here: Turn, question: str) -> str:
    """Return what one knows of the one who is asked after."""
    asked = read_phrase(question).slots.get("whom", question)
    whom = next(iter(find_people(asked, here.mind.people)), asked)
    told = [t for t in here.mind.topics if whom and whom in t.text and not here.mind.is_private(t, here.other)]
    seen = [r for _, r in here.mind.records if whom and r.speaker == whom and r.state is State.DONE and r.place]
    if seen and is_doing(seen[-1].text):
        return here.voice.say(
            "seen_yes", whom=address(whom), doing=GESTURE.sub("", seen[-1].text), place=seen[-1].place
        )
    if told and not here.talk.holds(told[0].text):
        return as_told(here, told[0])
    known = not whom or here.mind.is_known(whom) or any(name.split()[0] == whom for name in here.mind.summary.knows)
    return here.voice.say("seen_no" if known else "seen_stranger", whom=address(whom)) or here.voice.say("unknown")


def _of_the_source(here: Turn, question: str) -> str:
    found = _matching(here, question) or here.gatherings
    tellers = [who for t in found[:1] for who in t.tellers if who != here.other]
    if tellers:
        return here.voice.say("source", whom=address(tellers[0]))
    own = any(t.record.mine and not t.record.speaker for t in found[:1])
    return here.voice.say("source_own" if own else "source_none")


def _view(here: Turn, question: str) -> str:
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
