"""The engines ``full`` and ``compact``: cards, talks, moods and a search; with a model to write them, or by rule."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from memory.arguments import shown
from memory.errors import InputError
from memory.record import Fell
from memory.relationships.affect import CANDIDATES, Charged, Item, Mended, choose, detect, is_unsure, uses
from memory.relationships.attention import WINDOW_HOURS, Standing
from memory.relationships.card import RelationshipCard, hours_between, new_card
from memory.relationships.distortion import Distorted
from memory.relationships.event import EventKind, Heard, SocialEvent, event_importance
from memory.relationships.mood import Contribution, recent
from memory.relationships.note import InteractionNote, note_gesture, read_turn
from memory.relationships.protocol import Noted, SocialMemory
from memory.relationships.recall import Cues, Known, Reflections, recall
from memory.relationships.search import Found, Nearness, search
from memory.relationships.settings import SocialSettings
from memory.relationships.state import FIRST, Moved, Reason, Record, SocialState, Summarised
from memory.relationships.thread import Line, ThreadCard
from memory.relationships.writer import Writer

_MOST_EVENTS = 600  # twice what a search looks at, so that the wider search has as much again
_MOST_THREADS = 60


class CardEngine(SocialMemory):
    """Keeps what one resident knows of the others."""

    def __init__(
        self,
        agent: str,
        settings: SocialSettings,
        state: SocialState,
        writer: Writer,
        nearness: Nearness,
        *,
        seed: int,
        start: datetime,
        reflections: Reflections | None = None,
    ) -> None:
        self._agent, self._settings, self._seed, self._start = agent, settings, seed, start
        self._writer, self._nearness, self._reflections = writer, nearness, reflections
        self._by_rule = Writer(agent, None)
        self._cards, self._threads = dict(state.cards), dict(state.threads)
        self._events, self._interactions = list(state.events), state.interactions
        self._mood, self._cadence = state.mood, state.cadence

    def heard(self, heard: Heard, now: datetime) -> Noted:
        """Take a note, and bring cards, talk and mood up to date."""
        self._check(now)
        others = heard.others(self._agent)
        if heard.gesture is not None and self._settings.vote_signal_only:
            return self._move(note_gesture(heard.gesture, heard.text), others, now)
        note = self._note(heard, others, now)
        event = self._keep(heard, note, others, now)
        records: list[Record] = [*self._writer.failures()]
        if self._settings.relationship_card:
            records += [record for other in others for record in self._write_card(heard, note, other, now)]
        if heard.gesture is None:
            if self._settings.thread_card and heard.thread is not None:
                records += self._write_thread(heard, heard.thread, note, now, involved=bool(others))
            if self._settings.digest and heard.public:
                records += self._write_mood(heard, note, now)
        return Noted(note, event, tuple(records))

    def cues(
        self, other: str, query: str, now: datetime, *, thread: str | None = None, uncertainty: float | None = None
    ) -> Cues:
        """Return tiers or the subtle context, and cues."""
        card = self.relation(other, now)
        talk = None if thread is None else self._threads.get(thread)
        known = Known(self._agent, other, card, talk, self._mood.digest, self._events, self._interactions)
        means, own = (self._settings, self._nearness), self._reflections
        return recall(known, query, now, *means, seed=self._seed, uncertainty=uncertainty, reflections=own)

    def relation(self, other: str, now: datetime) -> RelationshipCard | None:
        """Return the card of *other*, faded to *now*; the kept one stays as it is."""
        self._check(now)
        card = self._cards.get(other)
        return None if card is None else card.at(now, self._settings.half_life_hours)

    def standings(self, now: datetime) -> Sequence[Standing]:
        """Return how one stands to everybody that there is a card of."""
        self._check(now)
        since = now - timedelta(hours=WINDOW_HOURS)
        times: dict[str, list[datetime]] = {}
        for event in self._events:
            for other in event.others if since <= event.at <= now else ():
                times.setdefault(other, []).append(event.at)
        return [self._standing(self._cards[other], times.get(other, ()), now) for other in sorted(self._cards)]

    def threads(self, now: datetime) -> Sequence[ThreadCard]:
        """Return the subjects of talk, the most drawing first, of equals the one that was heard of last."""
        self._check(now)
        return sorted(
            self._threads.values(),
            key=lambda card: (-card.interest(now, self._settings), hours_between(card.seen, now), card.thread),
        )

    def reflection_due(self, now: datetime, query: str = "") -> Reason | None:
        """Return why a reflection is due on the cadence, going by the twelve best events for *query*."""
        self._check(now)
        if not self._cadence.may(self._settings):
            return None
        found = self._search(self._events, query, now, max(FIRST, self._settings.k))
        return self._cadence.due([hit.importance for hit in found.hits], now, self._settings)

    def reflected(self, now: datetime) -> None:
        """Begin the next span of the cadence."""
        self._check(now)
        self._cadence = self._cadence.reflected(now)

    def charged(self, text: str, other: str, now: datetime, *, thread: str | None = None) -> Charged | None:
        """Return what the answer to something charged must have in view."""
        self._check(now)
        if not self._settings.high_affect:
            return None
        own = [event for event in self._events if event.by == self._agent]
        affect = detect(text, self._search(own, text, now, 1).top, self._settings)
        if self._settings.affect_classifier and is_unsure(affect):
            affect = self._writer.check(affect, text, other, self._settings)
        if not affect.high:
            return None
        return Charged(text, other, affect, self._in_view(text, other, thread, now), tuple(self._writer.failures()))

    def mended(self, draft: str, charged: Charged) -> Mended:
        """Return *draft* with a memory in it, if it had none and a rewrite keeps position and tone."""
        if not charged.items or uses(draft, charged.items):
            return Mended(draft, uses_memory=bool(charged.items))
        records: list[Fell] = []
        for number in range(1, self._settings.affect_rewrites + 1):
            new = self._writer.rewrite(draft, charged.text, charged.other, charged.items)
            records += self._writer.failures()
            if new is not None:
                return Mended(new, uses_memory=True, rewrites=number, records=tuple(records))
        return Mended(draft, uses_memory=False, rewrites=self._settings.affect_rewrites, records=tuple(records))

    def saved(self) -> SocialState:
        """Return all that is known."""
        return SocialState(
            cards=dict(self._cards),
            threads=dict(self._threads),
            events=tuple(self._events),
            interactions=self._interactions,
            mood=self._mood,
            cadence=self._cadence,
        )

    def _check(self, now: datetime) -> None:
        if (now.tzinfo is None) != (self._start.tzinfo is None):
            raise InputError(
                f"now is {shown(now)}, but the run began at {shown(self._start)} (give both a zone, or none)"
            )

    def _search(
        self,
        events: Iterable[SocialEvent],
        query: str,
        now: datetime,
        k: int,
        other: str | None = None,
        thread: str | None = None,
    ) -> Found:
        count = self._interactions
        return search(events, query, now, k, self._settings, self._nearness, count=count, other=other, thread=thread)

    def _move(self, note: InteractionNote, others: Sequence[str], now: datetime) -> Noted:
        """Return what a gesture leaves: it moves the numbers and nothing else: no event, no evidence, no count."""
        records: list[Record] = []
        for other in others if self._settings.relationship_card else ():
            card = self._card(other, now).touched(note.deltas, now, self._settings)
            self._cards[other] = card
            records.append(Moved(card))
        return Noted(note, None, tuple(records))

    def _note(self, heard: Heard, others: Sequence[str], now: datetime) -> InteractionNote:
        """Return the note on what was heard; the model is asked about dealings of one's own only.

        A turn to several people has one note, asked for with the first of them in view.
        """
        if heard.gesture is not None:
            return note_gesture(heard.gesture, heard.text)
        if not others or heard.kind == "other" or not self._settings.relationship_card:
            return read_turn(heard.text)
        thread = self._threads.get(heard.thread) if heard.thread is not None else None
        card = self.relation(others[0], now)
        return self._writer.note(heard, others[0], card, "" if thread is None else thread.gist)

    def _keep(self, heard: Heard, note: InteractionNote, others: tuple[str, ...], now: datetime) -> SocialEvent:
        """Return the event as it is kept from now on."""
        self._interactions += bool(others)
        sore = self._mood.digest.sore_points if self._mood.digest.is_mature(self._settings) else ()
        kind = _kind(heard)
        importance, place = event_importance(kind, note, sore), self._interactions if others else 0
        event = SocialEvent(heard.id, now, heard.by, others, heard.thread, kind, note, importance, place)
        self._events.append(event)
        del self._events[:-_MOST_EVENTS]
        self._cadence = self._cadence.counted(now)
        return event

    def _write_card(self, heard: Heard, note: InteractionNote, other: str, now: datetime) -> list[Record]:
        """Write an event onto the card of *other*: numbers, evidence, a chance to forget words, a new summary."""
        card = self._card(other, now).written(heard.id, note, heard.thread, now, self._settings)
        records: list[Record] = []
        if self._forgets:
            card, lost = card.faded(self._settings, self._seed)
            records += _worth_telling(lost)
        if card.summary_due(self._settings):
            text, source = self._writer.summary(card, self._topics_with(other), now)
            card = card.summarised(text)
            records.append(Summarised(f"card {other}", card.summary, source))
        self._cards[other] = card
        return [Moved(card), *records, *self._writer.failures()]

    def _write_thread(
        self, heard: Heard, thread: str, note: InteractionNote, now: datetime, *, involved: bool
    ) -> list[Record]:
        """Write a turn onto the card of its talk; who only overhears pays no model call for the gist."""
        card = self._threads.pop(thread, None) or ThreadCard(self._agent, thread, now)
        card = card.heard(Line(heard.id, heard.by, heard.text), note, now)
        records: list[Record] = []
        if self._forgets:
            card, lost = card.faded(self._settings, self._seed)
            records += _worth_telling(lost)
        if card.gist_due(self._settings):
            (text, role), source = (self._writer if involved else self._by_rule).gist(card, now)
            card = card.summarised(text, role)
            records.append(Summarised(f"thread {thread}", card.gist, source))
        self._threads[thread] = card  # last in the order, so that the first is the one not heard of for longest
        while len(self._threads) > _MOST_THREADS:
            del self._threads[next(iter(self._threads))]
        return [*records, *self._writer.failures()]

    def _write_mood(self, heard: Heard, note: InteractionNote, now: datetime) -> list[Record]:
        """Add to what was heard in public, and make a new digest where one is due."""
        contribution = Contribution(heard.id, now, heard.by, note.claim, note.topics, note.relation)
        self._mood = self._mood.with_heard(contribution, self._settings)
        if not self._mood.is_due(now, self._settings):
            return []
        digest, source = self._writer.mood(recent(self._mood.heard, now, self._settings), self._mood.digest)
        self._mood = self._mood.renewed(digest, now)
        return [Summarised("mood", digest.text, source), *self._writer.failures()]

    @property
    def _forgets(self) -> bool:
        switched_on = not self._nearness.has_embedder or self._settings.distortion_with_embedder
        return self._settings.distortion and switched_on

    def _card(self, other: str, now: datetime) -> RelationshipCard:
        return self._cards.get(other) or new_card(self._agent, other, now)

    def _topics_with(self, other: str) -> list[str]:
        topics = [topic for event in self._events[-40:] if other in event.others for topic in event.note.topics]
        return sorted(dict.fromkeys(topics), key=lambda topic: -topics.count(topic))

    def _standing(self, card: RelationshipCard, times: Sequence[datetime], now: datetime) -> Standing:
        faded = card.at(now, self._settings.half_life_hours)
        last = hours_between(times[-1], now) if times else float("inf")
        return Standing(card.other, faded.metrics, len(times), last)

    def _in_view(self, text: str, other: str, thread: str | None, now: datetime) -> tuple[Item, ...]:
        """Return the memories of this person and this matter, else one's own reflections."""
        dealings = [event for event in self._events if event.concerns(other, thread)]
        found = self._search(dealings, text, now, CANDIDATES, other, thread)
        card = self._cards.get(other)
        last = card.evidence[-1].id if card is not None and card.evidence else None
        items = choose([hit.event for hit in found.hits], self._agent, "" if card is None else card.summary, last)
        if items or self._reflections is None:
            return items
        return tuple(Item(number, "opinion", said) for number, said in self._reflections(text, 3, now)[:3])


def _worth_telling(lost: Distorted) -> list[Distorted]:
    return [lost] if lost.dropped else []


def _kind(heard: Heard) -> EventKind:
    if heard.gesture is not None:
        return "like" if heard.gesture in ("help", "smile") else "dislike"
    return heard.kind if heard.kind in ("speech", "announcement") else "other"
