"""Values of recall: what was asked, what holds the answer, and what a search brought back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """A question whose true answer the log knows, and what a resident could answer it from."""

    who: str
    """Who is asked."""
    about: str
    """``place`` (where was X), ``teller`` (who told Y of Z) or ``happening`` (what happened at a place)."""
    text: str
    truth: str
    """The answer: a place's name, a person's, or what happened."""
    t: int
    """Second that it is about."""
    sources: tuple[int, ...]
    """Numbers of the events from which the answer follows, and which the resident was party to."""
    words: tuple[tuple[str, ...], ...] = ()
    """Groups of words; a conclusion from these that holds one of them and the teller's name is evidence as well."""


@dataclass(frozen=True, slots=True)
class Recollected:
    """How a resident's memory did on one question."""

    question: RecallQuestion
    evidence: tuple[int, ...]
    """Ids of the memories that hold the answer; () where none was kept, which counts as not recalled."""
    ranks: tuple[int, ...]
    """Places, from 1, of those that a search brought back among the `DEEPEST` best, in order."""

    def recall(self, k: int) -> float:
        """Return the share of the evidence among the best *k*, of as much as could be there."""
        wanted = min(k, len(self.evidence))
        return sum(rank <= k for rank in self.ranks) / wanted if wanted else 0.0

    def hit(self, k: int) -> bool:
        """Return whether any of the evidence is among the best *k*."""
        return any(rank <= k for rank in self.ranks)


@dataclass(frozen=True, slots=True)
class RecallQuality:
    """How well the residents' memories, as they were at the end, bring back what happened."""

    each: tuple[Recollected, ...]

    def recall(self, k: int, about: str = "") -> float | None:
        """Return the mean recall at *k*, perhaps of one kind of question only; None where none was asked."""
        shares = [one.recall(k) for one in self.each if about in ("", one.question.about)]
        return sum(shares) / len(shares) if shares else None

    def hits(self, k: int) -> float | None:
        """Return the share of questions with any of the evidence among the best *k*."""
        return sum(one.hit(k) for one in self.each) / len(self.each) if self.each else None
