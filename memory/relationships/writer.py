"""Who writes notes, summaries, gists and moods: a model where there is one, a rule otherwise and where it fails."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from memory import prompts
from memory.errors import Unusable
from memory.language.words import without_abuse
from memory.prompts import Completer
from memory.record import Fell
from memory.relationships.affect import Affect, Item, keeps_position, parse_check, show_items, uses
from memory.relationships.card import RelationshipCard, summary_by_rule
from memory.relationships.context import one_line
from memory.relationships.event import Heard
from memory.relationships.mood import Contribution, Digest, digest_by_rule, parse_digest, show_contributions
from memory.relationships.note import InteractionNote, Source, parse_note, read_turn
from memory.relationships.recall import Reflections, own_reflections
from memory.relationships.settings import CHECK, GIST, MOOD, NOTE, REWRITE, SUMMARY, SocialSettings
from memory.relationships.thread import Gist, ThreadCard, gist_by_rule, parse_gist
from memory.replies.texts import read_text

_LONGEST_TURN = 2_000  # characters of an utterance that a prompt shows
_SUMMARY_HINT, _GIST_HINT = (3, 450), (4, 500)  # reflections, and their characters

_Read = TypeVar("_Read")


class Writer:
    """Writes for one resident; what the model failed at is in `failures` until it is taken."""

    def __init__(
        self,
        agent: str,
        model: Completer | None,
        reflections: Reflections | None = None,
        stop_on: tuple[type[Exception], ...] = (),
    ) -> None:
        self._agent, self._model, self._reflections, self._stop_on = agent, model, reflections, stop_on
        self._failures: list[Fell] = []

    def failures(self) -> list[Fell]:
        """Return what the model failed at since the last call."""
        taken, self._failures = self._failures, []
        return taken

    def note(self, heard: Heard, other: str, card: RelationshipCard | None, gist: str) -> InteractionNote:
        """Return the note on a turn, as far as it concerns *other*."""
        note = self._ask(
            NOTE,
            parse_note,
            other=other,
            standing=f"You have not met {other} before." if card is None else card.metrics.words(other),
            gist=one_line(gist, 300) or "nothing yet",
            speaker=heard.by,
            listener=", ".join(heard.to) if heard.to else "everybody there",
            utterance=one_line(heard.text, _LONGEST_TURN),
        )
        return read_turn(heard.text, source=self._source) if note is None else note

    def summary(self, card: RelationshipCard, topics: Sequence[str], now: datetime) -> tuple[str, Source]:
        """Return the summary of a card, and who wrote it."""
        text = self._ask(
            SUMMARY,
            read_text,
            other=card.other,
            standing=card.metrics.words(card.other),
            old_summary=card.summary or "none yet",
            reflections=self._hint(card.other, now, *_SUMMARY_HINT),
            events="\n".join(card.lines()),
        )
        return (summary_by_rule(card, topics), self._source) if text is None else (text, "model")

    def gist(self, card: ThreadCard, now: datetime) -> tuple[Gist, Source]:
        """Return the gist of a talk with the own part in it where the model names one, and who wrote it."""
        found = self._ask(
            GIST,
            parse_gist,
            topic=one_line(card.thread, 120),
            old_gist=card.gist or "none yet",
            reflections=self._hint(card.thread, now, *_GIST_HINT),
            conversation=card.conversation(),
        )
        return (Gist(gist_by_rule(card)), self._source) if found is None else (found, "model")

    def mood(self, heard: Sequence[Contribution], previous: Digest) -> tuple[Digest, Source]:
        """Return the digest of what was heard, and who made it."""
        shown, old = show_contributions(heard), previous.text or "not known"
        digest = self._ask(MOOD, lambda reply: parse_digest(reply, heard), previous=old, contributions=shown)
        return (digest_by_rule(heard), self._source) if digest is None else (digest, "model")

    def check(self, affect: Affect, text: str, other: str, settings: SocialSettings) -> Affect:
        """Return *affect* after the model had a look at the text too."""
        turn = one_line(text, _LONGEST_TURN)
        raised = self._ask(CHECK, lambda reply: parse_check(reply, affect, settings), other=other, utterance=turn)
        return affect if raised is None else raised

    def rewrite(self, draft: str, text: str, other: str, items: Sequence[Item]) -> str | None:
        """Return *draft* with a memory in it; None where no reply uses one and keeps position and tone."""

        def parse(reply: str) -> str | None:
            new = read_text(reply)
            return new if new is not None and uses(new, items) and keeps_position(draft, new) else None

        turn, memories = one_line(text, _LONGEST_TURN), show_items(items)
        return self._ask(REWRITE, parse, other=other, utterance=turn, memories=memories, draft=draft)

    @property
    def _source(self) -> Source:
        """Who writes where no reply of a model is of use."""
        return "rule" if self._model is None else "fallback"

    def _hint(self, about: str, now: datetime, k: int, most: int) -> str:
        found = own_reflections(self._reflections, about, now, k, most)
        return "\n".join(without_abuse(text) for text in found) or "nothing yet"

    def _ask(self, prompt: str, parse: Callable[[str], _Read | None], **variables: str) -> _Read | None:
        """Return what *parse* reads in the model's reply; None without a model, or where it failed."""
        if self._model is None:
            return None
        variables = {"agent_name": self._agent, **variables}
        try:
            return prompts.ask(self._model, prompt, parse, variables, stop_on=self._stop_on)
        except Unusable as failure:
            self._failures.append(Fell(failure.prompt, failure.reason, failure.call))
            return None
