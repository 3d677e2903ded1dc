"""Falling out and making up: what somebody was done, how they say so, what the other answers, and who makes peace."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from memory.language.names import find_people
from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from memory.language.speech_acts import HOSTILE, Act, acts_in
from memory.language.verbs import base_form, past
from memory.language.words import content_words
from sim.offline.signs import sign
from sim.offline.standing import Standing
from sim.offline.talk import Talk
from sim.offline.variables import MemoryLine, Summary
from sim.offline.wording import Voice, address

_MINE = re.compile(r"\b(?:my|our|me|us|mine|ours)\b", re.IGNORECASE)
_LEAD = re.compile(r"^(?:(?:yesterday|today|this morning|last (?:night|week|month)|now|and),? )?", re.IGNORECASE)
_ASIDE = re.compile(r",? (?:and|but|so) I\b.*|;.*", re.DOTALL)
_URGES = re.compile(r"\bmake peace with\b", re.IGNORECASE)
_GENTLE = re.compile(r"\b(?:gentle|humble|forgiving|meek|conciliatory|soft-hearted|apologetic)\b", re.IGNORECASE)
_RANKLES = timedelta(days=1)  # for so long a wrong must out; later it comes up only between people at odds


class Wrong(NamedTuple):
    """What somebody did to one."""

    text: str
    """As one says it to them, after "you"."""
    when: datetime | None


def grievance(memories: Iterable[MemoryLine], me: str, partner: str) -> Wrong | None:
    """Return what *partner* did to *me* by what *me* knows at first hand, None for nothing."""
    for memory in memories:
        if heard(memory.text) is None and not memory.text.startswith("I talked with "):
            for sentence in sentences(memory.text):
                wrong = _wrong_in(sentence, me, partner)
                if wrong:
                    return Wrong(wrong, memory.when)
    return None


def _wrong_in(sentence: str, me: str, partner: str) -> str:
    plain = _LEAD.sub("", sentence.strip().rstrip(".!"), count=1)
    name = next((form for form in _forms(partner) if plain.startswith(f"{form} ")), None)
    if name is None:
        return ""
    rest = _ASIDE.sub("", plain[len(name) + 1 :])
    for form in _forms(me):
        rest = re.sub(rf"\b{re.escape(form)}['’]s\b", "my", rest)
        rest = re.sub(rf"\b{re.escape(form)}\b", "me", rest)
    if not _MINE.search(rest) or not sign("wrong").search(rest):
        return ""
    rest = re.sub(r"\b(?:his|her|their)\b(?= \w)", "your", rest)
    return _in_the_past(re.sub(r"^(?:has|have|had) ", "", rest))


def _forms(name: str) -> list[str]:
    """Return how people write *name*: whole, and its first part; nothing for a blank."""
    return [name, name.split()[0]] if name.split() else []


def _in_the_past(rest: str) -> str:
    """Return what somebody does as what they did."""
    first, _, more = rest.partition(" ")
    base = base_form(first)
    if base != first:
        first = past(base)
    return f"{first} {more}".strip()


def must_out(wrong: Wrong | None, memories: Iterable[MemoryLine], partner: str, now: datetime) -> bool:
    """Return whether *wrong* is new and has not been had out with *partner* yet, as far as the memories tell."""
    if wrong is None or (wrong.when is not None and now - wrong.when > _RANKLES):
        return False
    matter = set(content_words(wrong.text))
    for memory in memories:
        if memory.text.startswith(f"I talked with {partner}"):
            said = set(content_words(memory.text))
            if len(matter & said) >= 0.6 * len(matter) or _has_made_up(memory.text):
                return False
    return True


def towards(partner: str, standing: Standing, memories: Iterable[MemoryLine]) -> Standing:
    """Return *standing* as one acts on it: who has made up since lets it rest, hard words make it worse."""
    made_up, quarrelled = datetime.min, datetime.min
    for memory in memories:
        if memory.when is not None and memory.text.startswith(f"I talked with {partner}"):
            if _has_made_up(memory.text):
                made_up = max(made_up, memory.when)
            elif any(act in HOSTILE for sentence in sentences(memory.text) for act in acts_in(sentence)):
                quarrelled = max(quarrelled, memory.when)
    if made_up > quarrelled:
        return standing.settled()
    return (
        standing._replace(quarrel=max(2, standing.quarrel)) if quarrelled > made_up and standing.quarrel else standing
    )


def _has_made_up(text: str) -> bool:
    return any(act == "reconciliation" for sentence in sentences(text) for act in acts_in(sentence))


def ready_for_peace(memories: Sequence[MemoryLine], partner: str, summary: Summary) -> bool:
    """Return whether somebody known has urged one to make peace with *partner*, and it has not been tried since."""
    urged = False
    for memory in memories:
        said = heard(memory.text)
        if said is not None and said.to_whom is None and said.speaker in summary.knows and _URGES.search(said.words):
            urged = urged or bool(find_people(said.words, [partner]))
        if memory.text.startswith(f"I talked with {partner}") and _has_made_up(memory.text):
            return False
    return urged


def to_reconcile(memories: Sequence[MemoryLine], me: str, partner: str, names: Iterable[str]) -> str | None:
    """Return with whom *me* wants *partner* to make peace and has not told them yet; None for nobody."""
    for memory in memories:
        wants = heard(memory.text) is None and re.match(r"I (?!talked with|agreed to be at)|My\b", memory.text)
        if wants and sign("peace").search(memory.text) and find_people(memory.text, [partner]):
            others = [name for name in find_people(memory.text, names) if name not in (me, partner)]
            if others and not _has_urged(memories, partner, others[0]):
                return others[0]
    return None


def _has_urged(memories: Iterable[MemoryLine], partner: str, other: str) -> bool:
    told = (memory.text for memory in memories if memory.text.startswith(f"I talked with {partner}"))
    return any(_URGES.search(text) and find_people(text, [other]) for text in told)


def hard_words(talk: Talk, who: str) -> list[str]:
    """Return the sentences of *who* in this talk that one does not forget: of a quarrel, or of making up."""
    said = [sentence for name, text in talk.said if name == who for sentence in sentences(text)]
    return [s for s in said if _URGES.search(s) or any(act in (*HOSTILE, "reconciliation") for act in acts_in(s))]


def strife(
    talk: Talk, voice: Voice, memories: Sequence[MemoryLine], summary: Summary, standing: Standing, now: datetime
) -> tuple[str, bool] | None:
    """Return what the quarrels of two people, or between others, make one say, and whether it ends the talk.

    None where there is nothing of the kind.
    """
    acts = acts_in(talk.last)
    own = {act for text in talk.mine for act in acts_in(text)}
    quarrelled = standing.quarrel > 0 or bool(own & set(HOSTILE))
    if any(act in acts for act in HOSTILE):
        return _to_hard_words(talk, voice, summary, standing, "rejection" in acts, own)
    if "reconciliation" in acts or ("apology" in acts and quarrelled):
        return (voice.say("forgives"), False) if "reconciliation" not in own else None
    if "contradiction" in acts and own & set(HOSTILE):
        return voice.say("done_with"), True
    if _URGES.search(talk.last):
        return _to_peacemaker(talk, summary), False
    return _unasked(talk, voice, memories, summary, standing, now) if "reconciliation" not in own else None


def _to_hard_words(
    talk: Talk, voice: Voice, summary: Summary, standing: Standing, rejected: bool, own: set[Act]
) -> tuple[str, bool]:
    """Return the answer to an insult or a reproach: the gentle give in, the others deny it, and all know when to go."""
    if rejected or own & {"contradiction", "rejection"}:
        return voice.say("curt"), True
    if _GENTLE.search(summary.about) and not standing.shuns:
        return f"I am sorry, {address(talk.partner)}. It was my fault.", False
    return voice.say("denies") or "You are being unfair.", False


def _to_peacemaker(talk: Talk, summary: Summary) -> str:
    """Return what one says to somebody who wants one to make peace: those whom one knows are listened to."""
    named = [name for name in find_people(talk.last, summary.knows) if name not in (talk.me, talk.partner)]
    other = address(named[0]) if named else "them"
    if talk.partner in summary.knows:
        return f"You are right. I will talk to {other}."
    return f"That is between {other} and me."


def _unasked(
    talk: Talk, voice: Voice, memories: Sequence[MemoryLine], summary: Summary, standing: Standing, now: datetime
) -> tuple[str, bool] | None:
    """Return what one brings up of one's own accord: one such thing in a talk."""
    if len(talk.mine) > 1 or hard_words(talk, talk.me):
        return None
    name = address(talk.partner)
    if ready_for_peace(memories, talk.partner, summary):
        return f"{name}, I am sorry that we have quarrelled. Let's put this behind us.", False
    other = to_reconcile(memories, talk.me, talk.partner, summary.knows)
    if other is not None:
        return f"{name}, please make peace with {other}. It hurts to see the two of you like this.", False
    wrong = grievance(memories, talk.me, talk.partner)
    if wrong is not None and (standing.shuns or must_out(wrong, memories, talk.partner, now)):
        return f"{name}, I can't believe that you {wrong.text}. How could you?", False
    if standing.shuns and not talk.mine:
        return voice.say("cold"), True
    return None
