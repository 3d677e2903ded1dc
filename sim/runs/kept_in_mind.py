"""What a mind keeps beside its memories, rebuilt from the log: facts, cards of others, and who one is of late."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from memory.language.facts import in_words
from memory.language.names import find_people
from memory.language.words import stems
from sim.analysis.measures.relations import Course, Stand, card_of
from sim.log.events import Decided, Event, FactLearned
from sim.log.relationship_events import RelationChanged, RelationFaded, RelationSummarised
from sim.mind.identity import LATELY, RENEWAL, lately_words
from sim.mind.reply_schemas import SelfSummary
from sim.mind.semantic_memory import MOST
from sim.scenario import Scenario

CARD = "card "


class KeptInMind(NamedTuple):
    """What one resident keeps at an instant."""

    who: str
    t: int
    facts: tuple[FactLearned, ...]
    """Those that hold, oldest first."""
    cards: dict[str, Course]
    summaries: dict[str, str]
    """By other, the summary of the card as it is remembered."""
    lately: str = ""
    """What was last said of the resident in the light of their memories."""

    @classmethod
    def of(cls, who: str, events: Iterable[tuple[int, Event]], t: int, half_life_hours: float | None) -> "KeptInMind":
        """Return what *who* keeps at second *t*, of which *events* are the past."""
        facts: dict[int, FactLearned] = {}
        stands: dict[str, list[Stand]] = {}
        summaries: dict[str, str] = {}
        lately = ""
        for event in (event for _, event in events if getattr(event, "who", None) == who):
            match event:
                case FactLearned():
                    about = (event.subject, event.attribute, event.replaces)
                    facts = {i: f for i, f in facts.items() if (f.subject, f.attribute, f.value) != about}
                    facts[event.id] = event
                case RelationChanged():
                    stands.setdefault(event.other, []).append(card_of(event))
                case RelationSummarised() | RelationFaded() if event.card.startswith(CARD):
                    summaries[event.card.removeprefix(CARD)] = event.text
                case Decided() if event.prompt == RENEWAL:
                    lately = _lately(event) or lately
        held = tuple(fact for fact in facts.values() if fact.until is None or fact.until > t)
        return cls(who, t, held, {o: Course(half_life_hours, tuple(s)) for o, s in stands.items()}, summaries, lately)

    def within(self, arm: Scenario | None) -> "KeptInMind":
        """Return what of it an arm of asking may use: facts and cards only where the arm has them; None is all."""
        if arm is None:
            return self
        has_cards = arm.relationships.engine not in (None, "none")
        return self._replace(
            facts=self.facts if arm.mind.facts else (), cards=self.cards if has_cards else {},
            summaries=self.summaries if has_cards else {}, lately=self.lately if arm.mind.summary != "fixed" else "",
        )  # fmt: skip

    @property
    def everything(self) -> str:
        """All facts that hold, and how one stands to everybody."""
        return "\n".join([*map(_told, self.facts), *(self._standing(other) for other in self.cards)])

    @property
    def renewed(self) -> str:
        """What is added to who one is."""
        return f"\n{LATELY}{self.lately}" if self.lately else ""

    def lines(self, question: str, people: Sequence[str]) -> str:
        """Return what bears on a question: facts of what it names, and how one stands to whom it names."""
        named, words = find_people(question, people), stems(question)
        facts = [
            fact
            for fact in self.facts
            if fact.subject in named or (fact.subject == self.who and words & (stems(_told(fact)) - stems(self.who)))
        ]
        told = [f"- {_told(fact)}." for fact in facts[-MOST:]]
        stands = [line for other in named if (line := self._standing(other))]
        return "\n".join([*(["What you know:", *told] if told else []), *stands])

    def _standing(self, other: str) -> str:
        course = self.cards.get(other)
        words = "" if course is None else course.at(self.t).words(other)
        return " ".join(part for part in (words, self.summaries.get(other, "")) if part)


def _told(fact: FactLearned) -> str:
    return in_words(fact.subject, fact.attribute, fact.value)


def _lately(event: Decided) -> str:
    try:
        return lately_words(SelfSummary.model_validate(event.decision))
    except ValidationError:
        return ""
