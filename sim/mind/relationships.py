"""A resident's relationships: the memory of others, fed by what one notices and says, and cues for prompts from it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime

from memory.embedding import Embedder
from memory.language.names import People
from memory.prompts import Completer
from memory.record import Fell
from memory.relationships import (
    Charged,
    Cues,
    Deltas,
    Distorted,
    Heard,
    Mended,
    Moved,
    RelationshipCard,
    SocialMemory,
    SocialSettings,
    Summarised,
    ThreadCard,
    open_social,
    targets,
)
from memory.relationships import Record as SocialRecord
from memory.relationships.context import fit_lines
from memory.relationships.recall import Reflections
from sim.errors import RunStopped
from sim.log import events, relationship_events
from sim.log.relationship_events import Cued, RelationChanged, RelationFaded, RelationSummarised
from sim.log.run_folder import Record
from sim.scenario import Person, Scenario
from sim.times import at
from sim.world.signals import Signal, signal_in, subject_of

Note = Callable[[events.Event, Record | None], None]
_MOST_TALKS = 40  # whose subject is remembered: longer ago than anybody overhears
_MOST_MENTIONED = 2  # others spoken of, whose standing a turn's prompt tells as well
_MOST_RESTING = 2  # talks that a choice may take up again
_AT_ODDS = 1.0  # conflict from which the words for it are "at odds"
_SPEAKING, _CHOOSING = "dialogue_turn", "agent_action"


class Relationships:
    """What one resident knows of the others; all of it belongs to that resident's mind.

    Args:
        homes: Ids of the places where people live: what is said there is not said in public.
        note: Takes what the log should tell, with the event that it comes from.
    """

    def __init__(
        self,
        who: str,
        memory: SocialMemory,
        settings: SocialSettings,
        start: datetime,
        people: People,
        homes: Collection[str],
        seed: int,
        note: Note,
    ) -> None:
        self._who, self._memory, self._settings, self._start = who, memory, settings, start
        self._people, self._homes, self._seed, self._note = people, homes, seed, note
        self._latest = 0
        """Second of the last thing that was taken in: the memory of others never goes back in time."""
        self._own_signals = 0
        """How many own words and gestures were taken in; they are no memories, so they count -1, -2 …"""
        self._choices = 0
        self._subjects: dict[str, str] = {}
        """By talk, what it is about."""
        self._resumed: dict[str, str] = {}
        """By talk whose subject had rested for hours, how to come in again."""
        self._said: tuple[str, int] = ("", 0)
        """The talk under way, and how many of its utterances have been looked at for own words."""

    # taking in

    def log_ties(self, t: int) -> None:
        """Log the ties that there were before the run."""
        for standing in self._memory.standings(self._moment(t)):
            card = self._memory.relation(standing.other, self._moment(t))
            if card is not None:
                self._note(_card_event(card, t), None)

    def take(self, noticed: Iterable[tuple[Record | None, int]], t: int) -> None:
        """Take in what was noticed, each with the id of its memory, in a thought at second *t*."""
        for record, memory_id in noticed:
            signal = None if record is None else signal_in(record.event, self._people)
            if record is not None and signal is not None:
                self._take(signal, memory_id, record, t)

    def take_own_words(self, spoken: Sequence[Record], t: int) -> None:
        """Take in what the resident has said in the talk under way, of which *spoken* are all utterances so far."""
        if not spoken:
            return
        talk = str(getattr(spoken[0].event, "talk", ""))
        done = self._said[1] if self._said[0] == talk else 0
        self._said = (talk, len(spoken))
        for record in spoken[done:]:
            signal = signal_in(record.event, self._people)
            if signal is not None and signal.by == self._who:
                self._take(signal, 0, record, t)

    def _take(self, signal: Signal, memory_id: int, record: Record, t: int) -> None:
        if signal.by == self._who:
            self._own_signals += 1
            memory_id = -self._own_signals
        happened = record.event.t
        public = signal.gesture is None and signal.place not in self._homes
        heard = Heard(
            memory_id, signal.by, signal.to, signal.text, "speech" if signal.gesture is None else "gesture",
            signal.gesture, self._subject(signal, happened), public,
        )  # fmt: skip
        noted = self._memory.heard(heard, self._moment(happened))
        moved = noted.note is not None and noted.note.deltas != Deltas()
        for told in noted.records:
            if isinstance(told, Moved):
                if not moved:  # plain words say nothing that a reader of the log would look for
                    continue
                told = Moved(told.card.at(at(self._start, t), self._settings.half_life_hours))
            if not isinstance(told, Summarised) or told.text:
                gesture = signal.gesture is not None
                self._note(_record_event(told, self._who, t, gesture=gesture), record)

    def _subject(self, signal: Signal, t: int) -> str | None:
        """Return what the words are about; a talk keeps to its subject until it comes to another known one."""
        if signal.gesture is not None or signal.talk is None:
            return None
        known = {card.thread: card for card in self._memory.threads(self._moment(t))}
        before = self._subjects.pop(signal.talk, None)
        subject = subject_of(signal.text, list(known), before, self._people)
        if subject is not None:
            _keep_latest(self._subjects, signal.talk, subject)
        if subject != before:
            self._resume(signal, known.get(subject or ""), t)
        return subject

    def _resume(self, signal: Signal, card: ThreadCard | None, t: int) -> None:
        """Keep how to come in again, before the words that bring an old subject up make it a fresh one."""
        assert signal.talk is not None
        self._resumed.pop(signal.talk, None)
        now = self._moment(t)
        if card is not None and card.is_resting(now):
            other = next((name for name in (signal.by, *signal.to) if name in card.participants), None)
            _keep_latest(self._resumed, signal.talk, card.reentry(now, other))

    # telling

    def cues_for_words(self, partner: str, words: str, talk: str, t: int) -> str:
        """Return what the prompt for words to *partner* receives; "" where nothing is kept or known.

        Args:
            words: What the partner said last, "" when one begins.
        """
        now = self._moment(t)
        cues = self._memory.cues(partner, words or partner, now, thread=self._subjects.get(talk))
        mentioned = [name for name in self._people.named_in(words) if name not in (self._who, partner)]
        others = self._standings(mentioned[:_MOST_MENTIONED], now)
        parts = {"thread": self._way_in(partner, talk, now), "others": others}
        text, more = cues.text, dict[str, int]()
        for part, lines in parts.items():
            told = "\n".join(fit_lines(lines, self._settings.budgets.prompt - len(text) - 1))
            more[part] = len(told)
            text = "\n".join(one for one in (text, told) if one)
        if text:
            self._note(_cues_event(cues, self._who, partner, _SPEAKING, t, more), None)
        return text

    def _way_in(self, partner: str, talk: str, now: datetime) -> list[str]:
        """Return how to take up the subject of *talk*, or else what one talked of with *partner*, if it has rested."""
        if talk in self._subjects:
            return [self._resumed[talk]] if talk in self._resumed else []
        return self._reentries([partner], now)

    def _reentries(self, names: Sequence[str], now: datetime) -> list[str]:
        """Return how to take up with each of *names* what draws one most of the talks with them, if it has rested.

        Who draws one most comes first.
        """
        lines: dict[str, str] = {}
        for card in self._memory.threads(now):
            for name in (name for name in card.participants if name in names and name not in lines):
                lines[name] = card.reentry(now, name) if card.is_resting(now) else ""
        return [line for line in lines.values() if line]

    def cues_for_choice(self, present: Sequence[str], talkable: Sequence[str], t: int) -> str:
        """Return how one stands to those who are *present*, who of them draws one most, and which talk to take up.

        "" where there is nothing to tell.
        """
        now = self._moment(t)
        lines = self._standings(present, now)
        drawn = self._choose_targets(talkable, now)
        if drawn:
            lines.insert(0, f"You feel drawn to {', '.join(drawn)}.")
        lines += self._reentries(talkable, now)[:_MOST_RESTING]
        text = "\n".join(fit_lines(lines, self._settings.budgets.prompt))
        if text:
            self._note(
                Cued(
                    t=t, who=self._who, others=list(present), prompt=_CHOOSING, scope="partial",
                    used={"standing": len(text)},
                ),
                None,
            )  # fmt: skip
        return text

    def queries_to_settle(self, present: Sequence[str], t: int) -> list[str]:
        """Return what to search one's memories for where somebody is *present* with whom one is at odds."""
        now = self._moment(t)
        cards = [card for name in present if (card := self._memory.relation(name, now)) is not None]
        worst = max(cards, key=lambda card: card.metrics.conflict, default=None)
        if worst is None or worst.metrics.conflict < _AT_ODDS:
            return []
        return [f"{worst.other}: our quarrel, and who asks us to make peace"]

    def recall_charged(self, partner: str, words: str, talk: str, t: int) -> Charged | None:
        """Return the memories that the answer to *words* must use; None where they are calm, or this is off."""
        return self._memory.charged(words, partner, self._moment(t), thread=self._subjects.get(talk)) if words else None

    def mend_answer(self, draft: str, found: Charged, t: int) -> str:
        """Return *draft* with a memory in it, if it had none, and tell the log."""
        mended = self._memory.mended(draft, found)
        for told in (*found.records, *mended.records):
            self._note(_record_event(told, self._who, t), None)
        self._note(_charged_event(found, mended, self._who, t), None)
        return mended.text

    def reflection_is_due(self, about: str, t: int) -> bool:
        """Return whether it is time to reflect on others; from now on it is not, for a while."""
        if self._memory.reflection_due(self._moment(t), about) is None:
            return False
        self._memory.reflected(self._moment(t))
        return True

    def _standings(self, names: Iterable[str], now: datetime) -> list[str]:
        return [line for name in names if (line := self._standing(name, now))]

    def _standing(self, name: str, now: datetime) -> str:
        """Return how one stands to *name* in a sentence; "" where nothing is felt or known."""
        card = self._memory.relation(name, now)
        if card is None:
            return self._memory.cues(name, name, now).text if self._settings.engine == "light" else ""
        words = card.metrics.words(name)
        return "" if "no strong feelings" in words else words

    def _choose_targets(self, talkable: Sequence[str], now: datetime) -> list[str]:
        standings = [one for one in self._memory.standings(now) if one.other in talkable]
        if not standings:
            return []
        self._choices += 1
        drawn = targets(standings, gentle=True, seed=self._seed, agent=self._who, turn=self._choices)
        return [target.other for target in drawn]

    def _moment(self, t: int) -> datetime:
        self._latest = max(self._latest, t)
        return at(self._start, self._latest)


def open_relationships(
    scenario: Scenario,
    person: Person,
    model: Completer,
    embedder: Embedder | None,
    reflections: Reflections,
    note: Note,
) -> Relationships:
    """Return what *person* knows of the others when the run begins."""
    settings = scenario.social_of(person)
    memory = open_social(
        person.name, settings, seed=scenario.seed, start=scenario.start, knows=person.knows, model=model,
        embedder=embedder, reflections=reflections, stop_on=(RunStopped,),
    )  # fmt: skip
    people, homes = People(one.name for one in scenario.people), {one.home for one in scenario.people}
    return Relationships(person.name, memory, settings, scenario.start, people, homes, scenario.seed, note)


def _keep_latest(by_talk: dict[str, str], talk: str, words: str) -> None:
    """Put *words* down for *talk*; the oldest talks beyond `_MOST_TALKS` are forgotten."""
    by_talk[talk] = words
    while len(by_talk) > _MOST_TALKS:
        del by_talk[next(iter(by_talk))]


def _record_event(record: SocialRecord, who: str, t: int, *, gesture: bool = False) -> events.Event:
    """Return the event that tells of *record* at second *t*, for which a card's numbers must hold."""
    if isinstance(record, Distorted):
        return RelationFaded(
            t=t, who=who, card=record.card, update=record.update, original=record.original, text=record.text,
            dropped=record.dropped,
        )  # fmt: skip
    if isinstance(record, Summarised):
        return RelationSummarised(t=t, who=who, card=record.card, text=record.text, by=record.source)
    if isinstance(record, Fell):
        return events.FellBack(t=t, who=who, prompt=record.prompt, reason=record.reason, call=record.call)
    return _card_event(record.card, t, gesture=gesture)


def _card_event(card: RelationshipCard, t: int, *, gesture: bool = False) -> RelationChanged:
    """Return the event that tells how *card* stands at second *t*."""
    now = card.metrics
    return RelationChanged(
        t=t, who=card.owner, other=card.other, affinity=round(now.affinity, 4), trust=round(now.trust, 4),
        conflict=round(now.conflict, 4), humor=round(now.humor, 4), relation=card.relation, events=card.events,
        gesture=gesture or None,
    )  # fmt: skip


def _cues_event(cues: Cues, who: str, other: str, prompt: str, t: int, more: Mapping[str, int]) -> Cued:
    """Return the event that tells what a prompt received before words to *other*.

    Args:
        more: Characters besides, by what they tell of.
    """
    trace = cues.trace
    used = {part: count for part, count in {**trace.used, **more}.items() if count}
    return Cued(
        t=t, who=who, others=[other], prompt=prompt, scope=trace.scope, used=used, top=trace.top,
        uncertainty=round(trace.uncertainty, 4), events=list(trace.events) or None, scores=list(trace.scores) or None,
        callback=trace.callback,
    )  # fmt: skip


def _charged_event(found: Charged, mended: Mended, who: str, t: int) -> relationship_events.Charged:
    """Return the event that tells how something charged was answered."""
    return relationship_events.Charged(
        t=t, who=who, other=found.other, triggers=list(found.affect.triggers), score=round(found.affect.score, 4),
        events=[item.id for item in found.items], uses_memory=mended.uses_memory, rewrites=mended.rewrites,
    )  # fmt: skip
