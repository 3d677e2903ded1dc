"""Recall before a talk: what of the town, of this person and of this subject a prompt receives, and what was used."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from memory.language.words import without_abuse
from memory.relationships.card import RelationshipCard
from memory.relationships.context import (
    SUBTLE_LEAST,
    Manner,
    Scope,
    Tier,
    callback_probability,
    cue_lines,
    fit_lines,
    judge_scope,
    one_line,
    render,
)
from memory.relationships.distortion import chance
from memory.relationships.event import SocialEvent
from memory.relationships.mood import Digest
from memory.relationships.search import Found, Hit, Nearness, search
from memory.relationships.settings import SocialSettings
from memory.relationships.thread import ThreadCard

_HIT = 220  # characters of a search hit
_MOST_HITS = 10
_PAIR_EVENTS = 5
_CALLBACK = 110  # characters of what a cue refers back to
_LEAST_WIDE = 12  # hits of the wide search
_SUMMARY, _GIST, _CLAIM = 120, 120, 100  # characters each in the subtle layout
_IMPLIED_STRONG, _IMPLIED_WEAK = 0.72, 0.58  # top score that the subtle layout takes for granted
_OWN_REFLECTIONS = 3

Reflections = Callable[[str, int, datetime], Sequence[tuple[int, str]]]
"""``(query, k, now)`` to a resident's own reflections, id and text, best first."""


_Shown = dict[int, tuple[str, float]]
"""By event, its line and its score."""


class Known(NamedTuple):
    """All that a resident knows when a recall begins."""

    agent: str
    other: str
    card: RelationshipCard | None
    thread: ThreadCard | None
    digest: Digest
    events: Sequence[SocialEvent]
    """Oldest first."""
    interactions: int
    """How many there have been."""

    @property
    def subject(self) -> str | None:
        """What the talk under way is about; None where there is no card of it."""
        return None if self.thread is None else self.thread.thread


@dataclass(frozen=True, slots=True)
class Trace:
    """What a recall used, for the log."""

    scope: Scope
    top: float | None
    """The best score of the local search; None where it found nothing."""
    uncertainty: float
    """In 0..1: the share of local signals (card, talk, hits) that are missing, or what the caller said."""
    degraded: bool
    by_words: bool
    """Whether there is no embedder, so that words serve."""
    used: dict[str, int] = field(default_factory=dict)
    """Characters per tier (A, B, C), or of the subtle context, and of the cues."""
    events: tuple[int, ...] = ()
    """Ids of the events shown, in the order in which they stand."""
    scores: tuple[float, ...] = ()
    """Of the hits among them, to four decimals, 0 for events shown because they were the last with this person."""
    callback: int | None = None
    """Id of the event that the cues refer back to."""


@dataclass(frozen=True, slots=True)
class Cues:
    """What a prompt receives, and why."""

    text: str
    """Tiers or context, then the cues; at most as long as the budgets allow; empty where nothing is known."""
    trace: Trace


NOTHING = Cues("", Trace("cold_start", None, 1.0, degraded=False, by_words=True))
"""What an engine without memory gives."""


def recall(
    known: Known,
    query: str,
    now: datetime,
    settings: SocialSettings,
    nearness: Nearness,
    *,
    seed: int,
    uncertainty: float | None = None,
    reflections: Reflections | None = None,
) -> Cues:
    """Return what a prompt receives before *known.agent* speaks with *known.other*.

    Args:
        query: What is being said, or what the talk is about.
        uncertainty: How unsure the caller is of local recall, in 0..1; None: reckoned from what is missing.
    """
    asked = _Asked(known, query, now, settings, nearness, reflections)
    local = asked.search(settings.k, other=known.other)
    signals = _signals(known, local)
    possible = 1 + settings.relationship_card + settings.thread_card
    missing = max(0.0, 1 - signals / possible) if uncertainty is None else uncertainty
    scope = judge_scope(degraded=local.degraded, events=len(known.events), found=len(local.hits), top=local.top)
    subtle = settings.shown_as == "subtle"
    callback = _callback(asked, scope, seed, subtle=subtle)
    cue_text = "\n".join(fit_lines(_cue_lines(known, callback), min(settings.budgets.cues, settings.budgets.prompt)))
    room = settings.budgets.prompt - len(cue_text) - 1
    if subtle:
        block = _subtle(known, local, min(settings.budgets.context, room))
        top: float | None = _IMPLIED_STRONG if signals >= 2 else _IMPLIED_WEAK
    else:
        block, top = _tiers(asked, local, missing, room), local.top
    trace = Trace(
        scope,
        None if top is None else round(top, 4),
        missing,
        local.degraded,
        not nearness.has_embedder,
        {**block.used, "cues": len(cue_text)},
        tuple(block.shown),
        tuple(round(score, 4) for score in block.shown.values()),
        None if callback is None else callback.event.id,
    )
    return Cues("\n".join(part for part in (block.text, cue_text) if part), trace)


class _Asked(NamedTuple):
    """One recall: who asks, for what, when, and by which means."""

    known: Known
    query: str
    now: datetime
    settings: SocialSettings
    nearness: Nearness
    reflections: Reflections | None

    def search(self, k: int, *, other: str | None = None, wider: float = 1.0) -> Found:
        """Return the *k* best events: of *other* and this talk, or of all in a window *wider* times as long."""
        events, thread = self.known.events, None
        if other is not None:
            thread = self.known.subject
            events = [event for event in events if event.concerns(other, thread)]
        hours, count = self.settings.window_hours * wider, self.known.interactions
        asked = (events, self.query, self.now, k, self.settings, self.nearness)
        return search(*asked, count=count, other=other, thread=thread, window_hours=hours)


class _Block(NamedTuple):
    text: str
    used: Mapping[str, int]
    shown: dict[int, float]
    """Events by id, in order, with their scores."""


def _signals(known: Known, local: Found) -> int:
    """Return how many local signals there are: a card with a history, a talk with a gist, hits."""
    card = known.card is not None and (known.card.events > 0 or bool(known.card.summary))
    return card + (known.thread is not None and bool(known.thread.gist)) + bool(local.hits)


def _callback(asked: _Asked, scope: Scope, seed: int, *, subtle: bool) -> Hit | None:
    """Return the event of another talk that the cues refer back to, if there is one and chance has it."""
    known = asked.known
    candidates = [
        hit
        for hit in asked.search(4).hits
        if hit.event.thread != known.subject and hit.event.is_with(known.other) and hit.event.note.claim
        if not subtle or hit.score >= SUBTLE_LEAST
    ]
    p = callback_probability(scope, bool(candidates), asked.settings.callback, subtle=subtle)
    drawn = chance(seed, known.agent, "callback", known.other, known.interactions) < p
    return candidates[0] if candidates and drawn else None


def _cue_lines(known: Known, callback: Hit | None) -> list[str]:
    """Return the cues; none towards somebody of whom nothing is known."""
    if known.card is None:
        return []
    manner = Manner.of(known.card.metrics, callback=callback is not None)
    return cue_lines(manner, known.other, None if callback is None else quote(callback.event, _CALLBACK))


def _tiers(asked: _Asked, local: Found, missing: float, room: int) -> _Block:
    """Return the three tiers; C only where local recall is weak."""
    known, settings = asked.known, asked.settings
    lines: dict[Tier, list[str]] = {}
    if settings.digest and known.digest.is_mature(settings):
        lines["A"] = [known.digest.text, known.digest.guide()]
    shown: _Shown = {}
    lines["B"] = _targeted(known, local, settings, shown) or own_reflections(
        asked.reflections, asked.query, asked.now, _OWN_REFLECTIONS, settings.budgets.brief
    )
    if settings.tier_c and is_weak(local.top, missing, settings):
        lines["C"] = _expanded(asked, shown)
    text, used = render(lines, settings.budgets, max(0, room))
    return _Block(text, used, {number: score for number, (line, score) in shown.items() if line in text})


def is_weak(top: float | None, uncertainty: float, settings: SocialSettings) -> bool:
    """Tell whether local recall is so weak or uncertain that the wider search is worth its room."""
    return uncertainty >= settings.uncertain_from or top is None or top < settings.uncertain_from


def _targeted(known: Known, local: Found, settings: SocialSettings, shown: _Shown) -> list[str]:
    """Return what is known of this person and this talk: cards first, for what is last is cut first."""
    lines = [] if known.card is None else [known.card.metrics.words(known.other), known.card.summary]
    lines = [line for line in (*lines, "" if known.thread is None else known.thread.gist) if line]
    brief = fit_lines([_line(hit.event) for hit in local.hits[:_MOST_HITS]], settings.budgets.brief)
    lines += brief
    shown.update({hit.event.id: (_line(hit.event), hit.score) for hit in local.hits[: len(brief)]})
    pair = [event for event in known.events if known.other in event.others][-_PAIR_EVENTS:]
    for event in reversed(pair):
        if event.id not in shown:
            shown[event.id] = (_line(event), 0.0)
            lines.append(_line(event))
    return lines


def _expanded(asked: _Asked, shown: _Shown) -> list[str]:
    """Return what a search of everybody and everything finds, over twice the time."""
    wide = asked.search(max(_LEAST_WIDE, 2 * asked.settings.k), wider=2.0)
    fresh = {hit.event.id: (_line(hit.event), hit.score) for hit in wide.hits if hit.event.id not in shown}
    shown.update(fresh)
    return [line for line, _ in fresh.values()]


def own_reflections(reflections: Reflections | None, query: str, now: datetime, k: int, most: int) -> list[str]:
    """Return up to *k* of a resident's own reflections in at most *most* characters; none where none can be had."""
    return [] if reflections is None else fit_lines([text for _, text in reflections(query, k, now)][:k], most)


def _subtle(known: Known, local: Found, room: int) -> _Block:
    """Return the short context: how one stands, the summary, the gist and one earlier claim."""
    earlier = next((hit for hit in local.hits if hit.event.by == known.other and hit.event.note.claim), None)
    lines = []
    if known.card is not None:
        lines += [known.card.metrics.words(known.other), one_line(known.card.summary, _SUMMARY)]
    if known.thread is not None:
        lines.append(one_line(known.thread.gist, _GIST))
    claim = "" if earlier is None else quote(earlier.event, _CLAIM)
    kept = fit_lines([line for line in (*lines, claim) if line], max(0, room) + 1)
    text = "\n".join(kept)
    shown = {} if earlier is None or claim not in text else {earlier.event.id: earlier.score}
    return _Block(text, {"context": len(text)}, shown)


def _line(event: SocialEvent) -> str:
    return f"- {quote(event, _HIT)}"


def quote(event: SocialEvent, most: int) -> str:
    """Return an event in a line of at most *most* characters: who said what, as it was."""
    way = "" if event.note.relation == "neutral" else f" ({event.note.relation})"
    return one_line(f"{event.by}{way}: {without_abuse(event.note.claim)}", most)
