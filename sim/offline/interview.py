"""The offline mind in an interview: it answers from its summary, its plan and its memories, or says that it cannot."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from memory.language.clock_times import written_times
from memory.language.moments import find_moment
from memory.language.names import find_people
from memory.language.records import Record, State
from memory.language.reported_speech import heard
from memory.language.sentences import sentences
from memory.language.speech_acts import is_intention
from memory.language.words import content_words, overlap, stems
from sim.offline.choice import Dice
from sim.offline.questions import BLOCK, DONT_KNOW, Asked
from sim.offline.recall import Rate, recall
from sim.offline.signs import sign
from sim.offline.testimony import agreed_words, of_occasions, told_in, topic_of
from sim.offline.variables import Summary, clock_words, is_unfit
from sim.offline.wording import ended, listing
from sim.times import DAYS, HOUR, MINUTE, MONTHS, day_label, parse_clock

NOBODY = "I do not know anybody of that name."
_ABOUT_THEN = timedelta(minutes=10)  # within which a memory is of the time that is asked about
_BRIEF = 140  # characters of a memory that may stand inside a sentence
_NAME = re.compile(r"[A-Z][^\W\d_]+(?:['’-][^\W\d_]+)*(?:\s+[A-Z][^\W\d_]+(?:['’-][^\W\d_]+)*)+")
_FEAST = frozenset("Day Eve Night Morning Evening Week Year Festival Party Street Road".split())  # noqa: SIM905 - words
_ASKING = re.compile(
    r"^\W*(?:And |But )?(?:Who|Whom|What|Where|When|Why|How|Which|Do|Does|Did|Have|Has|Is|Are|Was|Will)\s"
)
_BY_ONE_NAME = re.compile(r"\b(?:do you know|heard of|know about|[Ww]ho is|tell me about)\s+([A-Z][^\W\d_]+)")
_PAST = r"\b(?:would|did|done|were|was|happened|changed|told)\b"
_SUPPOSES = (
    r"\b(?:what|how) would you\b|\bwould you (?:do|react|help|say)\b|\bwhat (?:will|do) you do if\b|\bif\b.+\bwhat\b"
)


def answer(variables: Mapping[str, str], rate: Rate, dice: Dice) -> str:
    """Return the reply to the prompt ``interview``: one to three sentences in the first person."""
    shown = f"{variables['retrieved_memories']}\n{variables['recent_memories']}"
    unique = "\n".join(dict.fromkeys(shown.splitlines()))
    mind = recall({**variables, "retrieved_memories": unique}, rate, dice, cues=variables["situation"])
    asked = Asked(" ".join(variables["question"].split()), mind, variables["situation"])
    if _names_a_stranger(asked, variables):
        return NOBODY
    readers: tuple[Callable[[Asked], str], ...] = (
        _of_facts, _reaction, _of_oneself, of_occasions, _of_plans, _of_thoughts, _of_people, _of_the_past, _best_match
    )  # fmt: skip
    return next((said for read in readers if (said := read(asked))), DONT_KNOW)


def _names_a_stranger(asked: Asked, variables: Mapping[str, str]) -> bool:
    """Return whether the question names somebody, or something, of whom nothing that was told says a word."""
    told = " ".join(text for name, text in variables.items() if name != "question")
    names = [match[0] for match in _NAME.finditer(_ASKING.sub("", asked.question)) if _is_personal(match[0])]
    return any(not re.search(rf"\b{re.escape(name)}\b", told) for name in names + _BY_ONE_NAME.findall(asked.question))


def _is_personal(name: str) -> bool:
    """Return whether *name* may be a person's: no possessive, no day, month or feast."""
    parts = re.findall(r"[^\s-]+", name)
    dated = any(part in (*DAYS, *MONTHS) for part in parts)
    return not re.search(r"['’]s?(?:\s|$)", name) and not dated and parts[-1] not in _FEAST


# what one would do


def _reaction(asked: Asked) -> str:
    """Return what one would do, by how one stands to whoever it is and by what one remembers of places."""
    if not asked.asks(_SUPPOSES):
        return ""
    if asked.asks(
        r"\b(?:fire|flames?|smoke|burn\w*|flood\w*|explo\w*|robber\w*|attack\w*|accident|bleed\w*|collaps\w*)\b"
    ):
        return "I would get away from there at once, warn whoever is near me and call for help."
    whom = asked.whom[0] if asked.whom else "them"
    tie = asked.mind.tie(whom) if asked.whom else 0.0
    because = _because(asked, whom) if asked.whom else ""
    if asked.asks(r"\b(?:without a word|ignor\w*|insult\w*|rude\w*|angry|shout\w*|does not (?:greet|answer))\b"):
        said = "let it be" if tie < 0 else f"ask {whom} later whether something is wrong"
        return f"I would {said}{because or ', and not take it to heart'}."
    if asked.asks(r"\b(?:help|needs? you|favou?r|in trouble)\b"):
        said = (
            "not be the first to help"
            if tie < 0
            else "leave everything and help"
            if tie > 1.5
            else "see what I can do for"
        )
        return f"I would {said} {whom}{because}." if asked.whom else "I would help if it can be done quickly."
    if asked.asks(r"\b(?:closed|shut|cancelled|not open)\b"):
        seen = [r.place for r in asked.records if r.place and r.state is State.DONE and not r.speaker]
        other = next((place for place in seen if place not in asked.question), "")
        return (
            f"I would go to {other} instead, where I have been before." if other else "I do not know yet: stay at home."
        )
    if asked.asks(r"\bfind\b|\bfound\b|\blost property\b"):
        return "I would try to find out whose it is and give it back."
    return DONT_KNOW


def _because(asked: Asked, name: str) -> str:
    """Return why one would act so towards somebody, by the tie and by what is remembered of them."""
    how = asked.summary.knows.get(name)
    views = [line.text for line in asked.about(name) if not heard(line.text) and len(line.text) < _BRIEF]
    remembered = next(iter(views), "")
    said = f", for {name} is {how}" if how else ""
    return f"{said}{'; ' if said else ', for '}I remember this: {remembered.rstrip('.')}" if remembered else said


# facts, which a mind may keep


def _of_facts(asked: Asked) -> str:
    """Return what one holds for a fact that answers the question: it shares the matter, and more than a name."""
    known = asked.situation.partition("\nWhat you know:\n")[2].splitlines()
    facts = [line[2:] for line in known if line.startswith("- ")]
    if not facts or not asked.asks(r"^\W*(?:so |and )?(?:where|what|who|which|how old|how many|at which|in which)\b"):
        return ""
    names = stems(" ".join([asked.mind.me, *asked.mind.people]))
    shared = [len((stems(asked.question) & stems(fact)) - names) for fact in facts]
    best = max(range(len(facts)), key=lambda i: (shared[i], i))
    own = asked.mind.me
    said = facts[best].replace(f"{own} works", "I work").replace(f"{own} lives", "I live").replace(f"{own} is", "I am")
    return ended(said) if shared[best] else ""


# oneself


def _of_oneself(asked: Asked) -> str:
    summary = asked.summary
    if asked.asks(r"\bwho are you\b|\bintroduce yourself\b|\bdescribe yourself\b|\babout yourself\b|\byour name\b"):
        return _introduction(asked)
    if asked.asks(r"\bhow old\b|\byour age\b"):
        age = re.match(r"[^.]*?, (\d{1,3})\.", summary.about)
        return f"I am {age[1]} years old." if age else DONT_KNOW
    if asked.asks(r"\btraits?\b|\bwhat (?:kind|sort) of (?:person|man|woman)\b|\bcharacter\b|\bpersonality\b"):
        traits = _traits(summary)
        return f"They would call me {listing(traits)}." if traits else DONT_KNOW
    at_work = [item.do for item in summary.usual if summary.work and item.place.split(", ")[0] == summary.work]
    if asked.asks(r"\b(?:your (?:work|job|occupation|profession)|for a living|where do you work)\b"):
        doing = list(dict.fromkeys(at_work or [item.do for item in summary.usual]))[:2]
        days = f"Most of my days go into {listing(doing)}." if doing else ""
        return f"I work at {summary.work}. {days}".strip() if summary.work else days or DONT_KNOW
    if asked.asks(r"\bwhere do you live\b|\byour home\b|\bwho lives with you\b|\bwhom? do you live with\b"):
        with_me = [f"{name} ({how})" for name, how in summary.knows.items() if sign("household").search(how)]
        more = f" Close to me there are {listing(with_me[:4])}." if with_me else ""
        return f"I live at {summary.home}.{more}" if summary.home else DONT_KNOW
    if asked.asks(
        r"\b(?:ordinary|usual|typical|normal|average) (?:\w+ )?(?:day|weekday|morning|evening)\b|\byour routine\b"
    ):
        return _usual_day(asked)
    if asked.asks(r"\bwhom? do you know\b"):
        known = list(summary.knows)[:5]
        return f"I know {listing(known)}." if known else DONT_KNOW
    return ""


def _introduction(asked: Asked) -> str:
    age, traits = re.match(r"[^.]*?, (\d{1,3})\.", asked.summary.about), _traits(asked.summary)
    said = f"I am {asked.mind.me}" + (f", {age[1]} years old" if age else "")
    said += (f", and {listing(traits)}" if traits else "") + "."
    parts = _described(asked.summary)
    rest = next(iter(parts[1:] if traits else parts), "")
    return f"{said} One would say of me: {rest}" if rest else said


def _described(summary: Summary) -> list[str]:
    return sentences(re.sub(r"^[^.]*?(?:, \d{1,3})?\.\s*", "", summary.about, count=1))


def _traits(summary: Summary) -> list[str]:
    """Return the traits: the sentence after name and age, where it is a bare list."""
    parts = _described(summary)
    listed = parts[0].rstrip(".").lower().split(", ") if parts else []
    bare = all(len(trait.split()) <= 2 for trait in listed)
    return listed if listed and bare and len(parts[0].split()) <= 2 * len(listed) else []


def _usual_day(asked: Asked) -> str:
    usual = [item for item in asked.summary.usual if item.on(asked.now.date())] or list(asked.summary.usual)
    longest = sorted(sorted(usual, key=lambda item: item.begin - item.until)[:4], key=lambda item: item.begin)
    parts = [f"{item.do} at {item.place} from {clock_words(item.begin)}" for item in longest]
    return f"On an ordinary day it is {listing(parts)}." if parts else DONT_KNOW


# plans


def _of_plans(asked: Asked) -> str:
    if asked.asks(r"\bpromised?\b|\bappointments?\b|\bagreed?\b|\binvited\b|\bexpected anywhere\b"):
        said = list(dict.fromkeys(agreed_words(one).removeprefix("agreed to be ") for one in asked.agreed))
        return f"Yes, I agreed to be {listing(said[:2])}." if said else "Not that I remember: I know of no promise."
    wishes = [text for text in asked.own(State.MEANT, State.KNOWN) if is_intention(text)]
    if asked.asks(r"\blook(?:ing)? forward\b|\bhope for\b"):
        if asked.agreed:
            one = asked.agreed[0]
            return f"I look forward to being at {one.place} on {day_label(one.begin)} at {one.begin:%H:%M}."
        return f"To this: {ended(wishes[0])}" if wishes else "To nothing in particular that I remember."
    moment = _moment_to_come(asked)
    return _then(asked, moment) if moment is not None and not asked.asks(_PAST) else ""


def _moment_to_come(asked: Asked) -> datetime | None:
    """Return the moment to come that the question names."""
    midnight = asked.now.replace(hour=0, minute=0, second=0)
    day = midnight + timedelta(days=1) if asked.asks(r"\btomorrow\b") else midnight
    clock = written_times(asked.question)
    if clock:
        return day + timedelta(seconds=clock[0][2])
    if asked.asks(r"\b(?:an hour from now|in an hour|next hour|hour to come)\b"):
        return asked.now + timedelta(hours=1)
    if asked.asks(r"\b(?:right now|at the moment|doing now)\b"):
        return asked.now
    for words, hour in ((r"\b(?:evening|tonight)\b", 19), (r"\bafternoon\b", 15), (r"\bmorning\b", 9)):
        if asked.asks(words) and asked.asks(r"\b(?:will|going to|plans?|mean to|intend|are you doing|do you do)\b"):
            within = [
                one.begin
                for one in asked.agreed
                if one.begin.date() == day.date() and hour - 2 <= one.begin.hour < hour + 5
            ]
            return min(within, default=day + timedelta(hours=hour))
    return day + timedelta(hours=12) if asked.asks(r"\btomorrow\b") else None


def _then(asked: Asked, moment: datetime) -> str:
    """Return what one will do at *moment*: an appointment, the day's plan, what is usual; or what one does now."""
    if moment == asked.now:
        first = " ".join(s for s in sentences(asked.situation.split("\n")[0]) if s.startswith("You are "))
        return first.replace("You are ", "I am ") or DONT_KNOW
    when = "An hour from now" if moment - asked.now == timedelta(hours=1) else f"At {moment:%H:%M}"
    when += "" if moment.date() == asked.now.date() else f" on {day_label(moment)}"
    for one in asked.agreed:
        if one.begin <= moment < one.until:
            return f"{when} I will be at {one.place}, as I agreed."
    second = moment.hour * HOUR + moment.minute * MINUTE
    for begin, until, place, do in BLOCK.findall(asked.situation) if moment.date() == asked.now.date() else ():
        opens, closes = parse_clock(begin), parse_clock(until)
        if opens <= second < (closes if closes > opens else closes + 24 * HOUR):
            return f"{when} I will be at {place}: {do}."
    item = asked.summary.usual_at(moment)
    if item is not None:
        return f"{when} I will be at {item.place} as usual: {item.do}."
    return f"{when} I will be asleep." if asked.summary.asleep_at(moment) else "I do not know yet what I will do then."


# conclusions, people and the past


def _of_thoughts(asked: Asked) -> str:
    if asked.asks(
        r"\b(?:on your mind|come to think|matters? (?:most )?to you|taught you|learn(?:t|ed)|reali[sz]ed|think of)\b"
    ):
        thoughts = [r.text for r in asked.records if r.state is State.CONCLUDED]
        wishes = [text for text in asked.own(State.MEANT, State.KNOWN) if is_intention(text)]
        if asked.whom:
            thoughts = [text for text in thoughts if find_people(text, asked.whom[:1])]
        elif asked.asks(r"\bmatters?\b") and wishes:
            return f"This matters to me: {ended(wishes[0])}"
        if thoughts:
            return (
                f"This is what I have come to see: {ended(thoughts[-1] if asked.asks('taught|learn') else thoughts[0])}"
            )
        if asked.whom:
            return _relation(asked, asked.whom[0]) or "I have come to no opinion yet."
        return f"This is on my mind: {ended(wishes[0])}" if wishes else "I have not come to any conclusion yet."
    if asked.asks(
        r"\b(?:with whom|who) would you\b|\bspend (?:more )?(?:time|an hour|an evening) with\b|\bmore time\b"
    ):
        return _favourite(asked)
    return ""


def _favourite(asked: Asked) -> str:
    """Return whom one likes best, by all that ties one to them, with what is remembered of them."""
    people = [name for name in asked.mind.people if asked.mind.is_known(name)]
    best = max(people, key=asked.mind.tie, default="")
    if not best:
        return DONT_KNOW
    how = asked.summary.knows.get(best)
    felt = next((r.text for r in asked.records if not r.speaker and r.valence > 0 and find_people(r.text, [best])), "")
    said = f"With {best}, who is {how}." if how and sign("close").search(how) else f"With {best}, whom I know."
    return f"{said} {ended(felt)}" if felt else said


def _of_people(asked: Asked) -> str:
    if not asked.whom:
        return ""
    name = asked.whom[0]
    if asked.asks(r"\btalk(?:ed)?\b|\bspeak\b|\bspoke\b|\bsaid\b|\bsay\b|\btell you\b|\btold you\b|\bconversation\b"):
        about = [line for line in asked.about(name) if re.match(rf"I talked with {re.escape(name)}\b", line.text)]
        about = about or [line for line in asked.about(name) if (said := heard(line.text)) and said.speaker == name]
        newest = max(about, key=lambda line: line.when or datetime.min, default=None)
        return ended(newest.text) if newest else f"I do not remember what {name} and I talked about."
    card = re.search(rf"^You (?:(are)|(have)|)(.*\b{re.escape(name)}\b.*)$", asked.situation, re.MULTILINE)
    if card and asked.asks(r"\bdo you (?:like|trust|dislike)\b|\bhow do you stand\b|\bfeel about\b"):
        return f"I {'am' if card[1] else card[2] or ''}{card[3]}".replace("I  ", "I ")
    if asked.asks(
        r"\bwho is\b|\bdo you (?:know|like|trust)\b|\bknow (?:about|of)\b|\btell (?:me|us) (?:\w+ )?about\b"
        r"|\bheard of\b"
    ):
        return _relation(asked, name) or f"I know {name} only by name."
    return ""


def _relation(asked: Asked, name: str) -> str:
    """Return who somebody is to oneself, and the memory of them that matters most."""
    how = asked.summary.knows.get(name)
    own = [line.text for line in asked.about(name) if not line.text.startswith("I agreed")]
    felt = next((text for text in own if not heard(text)), next(iter(own), ""))
    said = f"{name} is {how}." if how else f"I know {name}." if how == "" or felt else ""
    return f"{said} I remember this: {ended(felt)}" if felt else said


def _of_the_past(asked: Asked) -> str:
    if asked.asks(r"\bwhere (?:were|have) you\b|\bwere you at\b"):
        return _where_then(asked)
    if asked.asks(
        r"\b(?:with whom|whom?|who) (?:did|have) you (?:talk|spoken|speak|talked)\b"
        r"|\b(?:talk|speak|spoken|talked) with\b"
    ):
        return _talked_with(asked)
    day = asked.now.date() - timedelta(days=int(asked.asks(r"\byesterday\b")))
    if asked.asks(r"\b(?:so far today|earlier today|this morning|today|yesterday)\b") and asked.asks(
        r"\b(?:done|did|do|doing|been)\b"
    ):
        return _done_on(asked, day)
    if asked.asks(r"\bchanged\b|\bhappened\b"):
        then = _moment_past(asked)
        seen = [line for line in asked.mind.lines if line.when and abs(line.when - then) <= _ABOUT_THEN]
        own = [line.text for line in seen if not heard(line.text)]
        if own and written_times(asked.question):
            return f"I remember this: {ended(own[0])}"
        places = [line for line in asked.mind.lines if is_unfit(line.text) or re.search(r"\bhappen\w*\b", line.text)]
        about = [line for line in places if topic_of(asked) & set(content_words(line.text))]
        return f"I remember this: {ended(about[0].text)}" if about else ""
    return _news(asked) if asked.asks(r"\bnews\b|\bheard\b|\bhear of\b|\bbeen told\b|\btold you\b") else ""


def _dated(asked: Asked, day: object, *states: State) -> list[Record]:
    """Return one's own doings of a day, oldest first."""
    own = [r for r in asked.records if r.state in states and r.when is not None and r.when.date() == day]
    return sorted(own, key=lambda r: r.when or asked.now)


def _done_on(asked: Asked, day: object) -> str:
    done = [r.text for r in _dated(asked, day, State.DONE) if not r.speaker]
    name = "Today" if day == asked.now.date() else "Yesterday"
    if done:
        return f"{name} I {'have been' if name == 'Today' else 'was'} {listing(list(dict.fromkeys(done))[-4:])}."
    some = [line for line in asked.mind.lines if line.when and line.when.date() == day]
    return (
        f"Of {name.lower()} I remember this: {ended(some[-1].text)}"
        if some
        else f"I do not remember anything of {name.lower()}."
    )


def _moment_past(asked: Asked) -> datetime:
    """Return the time that is asked about, of today where no day is named, at noon where no hour is."""
    clock = written_times(asked.question)
    day = asked.now.date() - timedelta(days=int(asked.asks(r"\byesterday\b")))
    said = find_moment(asked.question, asked.now)
    day = said.date if said is not None and asked.asks("|".join((*DAYS, *MONTHS))) else day
    return datetime.combine(day, datetime.min.time()) + timedelta(seconds=clock[0][2] if clock else 12 * HOUR)


def _where_then(asked: Asked) -> str:
    """Return where one was at the time that is asked, by the doing that came last before it."""
    at = _moment_past(asked)
    there = [r for r in _dated(asked, at.date(), State.DONE) if not r.speaker and r.place and (r.when or at) <= at]
    if there:
        return f"At {at:%H:%M} I was at {there[-1].place}, {there[-1].text}."
    item = asked.summary.usual_at(at)
    return f"At {at:%H:%M} I was at {item.place} as usual." if item else "I do not remember where I was then."


def _talked_with(asked: Asked) -> str:
    day = asked.now.date() - timedelta(days=int(asked.asks(r"\byesterday\b")))
    talks = _dated(asked, day, State.MET, State.TOLD)
    names = dict.fromkeys(r.speaker for r in talks if r.speaker and not r.overheard)
    about = {r.speaker: r.text for r in talks if r.state is State.TOLD and r.speaker}
    said = [f"{name} ({about[name].rstrip('.')})" if name in about else name for name in names]
    return f"I talked with {listing(said)}." if said else "I do not remember that I talked with anybody."


def _news(asked: Asked) -> str:
    """Return what one was told of things to come, the best match first."""
    told = [
        (is_intention(it.words) + overlap(it.words, asked.question), -place, it)
        for place, line in enumerate(asked.mind.lines)
        for it in told_in(line, asked.now)
        if it.teller and len(content_words(it.words)) > 2
    ]
    best = max(told, key=lambda entry: entry[:2], default=None)
    return f'{best[2].teller} said: "{best[2].words}"' if best else "I do not remember any news."


def _best_match(asked: Asked) -> str:
    """Return the memory that shares most words with the question, "" if none shares any; conclusions come last."""
    question = set(content_words(asked.question))
    thoughts = {r.text for r in asked.records if r.state is State.CONCLUDED}
    shared = [len(question & set(content_words(m.text))) - 0.5 * (m.text in thoughts) for m in asked.mind.lines]
    most = max(shared, default=0.0)
    return f"I remember this: {ended(asked.mind.lines[shared.index(most)].text)}" if most > 0 else ""
