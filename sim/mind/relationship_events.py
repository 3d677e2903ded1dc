"""What the memory of others reports, as events of the log."""

from collections.abc import Mapping

from memory.record import Fell
from memory.relationships import Charged, Cues, Distorted, Mended, Record, RelationshipCard, Summarised
from sim.log import events, relationship_events
from sim.log.relationship_events import Cued, RelationChanged, RelationFaded, RelationSummarised


def tell_record(record: Record, who: str, t: int, *, gesture: bool = False) -> events.Event:
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
    return tell_card(record.card, t, gesture=gesture)


def tell_card(card: RelationshipCard, t: int, *, gesture: bool = False) -> RelationChanged:
    """Return the event that tells how *card* stands at second *t*."""
    now = card.metrics
    return RelationChanged(
        t=t, who=card.owner, other=card.other, affinity=round(now.affinity, 4), trust=round(now.trust, 4),
        conflict=round(now.conflict, 4), humor=round(now.humor, 4), relation=card.relation, events=card.events,
        gesture=gesture or None,
    )  # fmt: skip


def tell_cues(cues: Cues, who: str, other: str, prompt: str, t: int, more: Mapping[str, int]) -> Cued:
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


def tell_answer(found: Charged, mended: Mended, who: str, t: int) -> relationship_events.Charged:
    """Return the event that tells how something charged was answered."""
    return relationship_events.Charged(
        t=t, who=who, other=found.other, triggers=list(found.affect.triggers), score=round(found.affect.score, 4),
        events=[item.id for item in found.items], uses_memory=mended.uses_memory, rewrites=mended.rewrites,
    )  # fmt: skip
