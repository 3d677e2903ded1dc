"""What a caller passes on its way into the stream: one draft, checked, rated and embedded."""

from datetime import datetime

import pytest

from memory import Fell, InputError, MemoryConfig
from memory.draft import UNRATED
from memory.ingest import Ingestion
from memory.journal import Journal
from memory.rater import Rater
from memory.record import Entry
from memory.repository import Repository
from tests.memory.test_rater import Replies

NOON = datetime(2023, 2, 13, 12)


def ingestion(*replies: str) -> Ingestion:
    """Return what makes drafts for Nadia, with a rater of these replies and no embedder."""
    rater = Replies(*replies)
    return Ingestion(Repository("Nadia", None, MemoryConfig()), Rater(rater, "Nadia"), clock=lambda: NOON)


def test_a_draft_is_rated_only_where_nothing_was_passed() -> None:
    """An importance that was passed stays; what has none gets the rater's, and what is idle 1 without a call."""
    made = ingestion("7")
    at = made.micros(None)
    drafts = [made.draft("a", at, importance=3.456), made.draft("b", at), made.draft("c", at, kind="idle")]
    assert [draft.importance for draft in drafts] == [3.46, UNRATED, 1]
    assert [draft.importance for draft in made.prepare(drafts)] == [3.46, 7, 1]


def test_a_draft_carries_why_its_importance_is_the_fall_back() -> None:
    """A rater of no use leaves its reason on the draft, for the journal."""
    made = ingestion("great")
    (draft,) = made.prepare([made.draft("a", made.micros(None), source=812)])
    assert (draft.importance, draft.source) == (5, 812)
    assert draft.fell is not None
    assert draft.fell.prompt == "importance_rating"
    assert "great" in draft.fell.reason


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"importance": 11}, "importance is 11"),
        ({"evidence": [[1]]}, r"no memory \[1\]"),
        ({"outcome": "draw"}, "outcome is 'draw'"),
        ({"tags": "party"}, "tags is 'party'"),
    ],
    ids=["importance", "evidence", "outcome", "tags"],
)
def test_a_draft_that_cannot_be_is_refused(wrong: dict[str, object], words: str) -> None:
    """Whatever is wrong with an argument is told before anything is rated."""
    made = ingestion()
    with pytest.raises(InputError, match=words):
        made.draft("a", made.micros(None), **wrong)  # type: ignore[arg-type]


def test_the_journal_tells_and_warns(caplog: pytest.LogCaptureFixture) -> None:
    """A fall-back reaches whoever listens, and the log where nobody does."""
    heard = list[Entry]()
    Journal("Nadia", heard.append).tell(Fell("importance_rating", "no number"))
    Journal("Nadia", None).tell(Fell("importance_rating", "no number"))
    assert heard == [Fell("importance_rating", "no number")]
    assert caplog.messages == ["Nadia: importance_rating: no number"] * 2
