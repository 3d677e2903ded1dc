"""Insights that are borne out by what they cite, where a stream asks for that."""

from datetime import datetime

import pytest

from memory import MemoryConfig, MemoryStream


class Script:
    """A reflector with one question, and the insights that it is given."""

    def __init__(self, *insights: str) -> None:
        self.insights = "\n".join(insights)

    def complete(self, prompt: str, /, **variables: str) -> str:
        return "What matters to Ann?" if prompt == "reflection_questions" else self.insights


def kept(config: MemoryConfig, *insights: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return what Ann keeps who watered a plant and talked with Bo."""
    stream = MemoryStream("Ann Lee", reflector=Script(*insights), config=config, clock=lambda: datetime(2023, 2, 13))
    stream.observe("I watered plant 15 in the greenhouse.", importance=5)
    stream.observe("Bo Hart told me about his garden.", importance=5)
    return [(memory.text, memory.evidence) for memory in stream.reflect()]


@pytest.mark.parametrize(
    "claim", ["Maria is secretly married to the mayor (because of 1)", "I fear the sea (because of 1, 2)"]
)
def test_what_no_citation_carries_is_dropped_where_asked(claim: str) -> None:
    """The paper's preset keeps whatever cites."""
    assert kept(MemoryConfig(grounded_insights=True), claim) == []
    assert len(kept(MemoryConfig(), claim)) == 1


def test_citations_without_a_word_of_it_go_and_the_rest_stay() -> None:
    """The name of whose stream it is carries nothing."""
    (insight,) = kept(MemoryConfig(grounded_insights=True), "Ann Lee cares for plants (because of 1, 2)")
    assert len(insight[1]) == 1
