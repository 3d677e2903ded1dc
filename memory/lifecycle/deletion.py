"""What goes with a memory that is deleted, so that its words are nowhere any more."""

from collections.abc import Iterable
from typing import NamedTuple

from memory.kinds.books import Books
from memory.language.sentences import sentences
from memory.record import GIST, PARAGRAPH, Receipt
from memory.reflection.insight import same_words
from memory.repository import Repository
from memory.storage.columns import Columns
from memory.times import Micros

_TELLING = 3  # words: a shorter sentence ("Good morning.") gives nothing away, wherever it is said again


class Cascade(NamedTuple):
    """What a deletion comes to, as ids, ascending."""

    gone: list[int]
    """What was asked for, and what repeats it or rests on nothing else."""
    marked: list[int]
    """What stays, though it rests on some of it."""
    warmed: list[int]
    """What comes back from the archive, because what stood for it is gone."""


def delete(repository: Repository, books: Books, memory_ids: Iterable[int], reason: str, at: Micros) -> Receipt:
    """Delete memories wherever their words are, with what hangs on them, and return the receipt, which is kept.

    Raises:
        InputError: If there is no such memory, or it was deleted before.
    """
    with repository.lock:
        asked = repository.existing(memory_ids)
        gone, marked, warmed = cascade(asked, repository.columns)
        receipt = Receipt(
            repository.columns.calendar.moment(at),
            reason,
            asked=tuple(asked),
            memories=tuple(gone),
            marked=tuple(marked),
            facts=tuple(books.facts.find_orphans(gone)),
            skills=tuple(books.skills.find_orphans(gone)),
            uses=sum(len(repository.uses(memory_id)) for memory_id in gone),
        )
        repository.forget(gone, warmed, books.changes(receipt))
        books.drop(receipt.facts, receipt.skills)  # certain now; to scrub the file may fail
        repository.scrub()
    return receipt


def cascade(asked: Iterable[int], columns: Columns) -> Cascade:
    """Return what becomes of whom where the memories *asked* are deleted."""
    gone, marked = set(asked), list[int]()
    said = {at: _sentences(columns.texts[at - 1]) for at in gone}
    for memory_id in sorted(columns.evidence):  # evidence is always older: one pass finds all that rests on it
        beneath = gone.intersection(columns.evidence[memory_id])
        if memory_id in gone or not beneath or columns.tier(memory_id) == "deleted":
            continue
        text = f" {same_words(columns.texts[memory_id - 1])} "
        repeats = any(f" {sentence} " in text for at in beneath for sentence in said[at])
        if repeats or gone.issuperset(columns.evidence[memory_id]):
            gone.add(memory_id)
            said[memory_id] = [sentence for at in beneath for sentence in said[at]]
        else:
            marked.append(memory_id)
    return Cascade(sorted(gone), marked, _warmed(gone, columns))


def _sentences(text: str) -> list[str]:
    whole = same_words(text)
    found = [same_words(sentence) for sentence in sentences(text)]
    return [whole] * bool(whole) + [sentence for sentence in found if len(sentence.split()) >= _TELLING]


def _warmed(gone: Iterable[int], columns: Columns) -> list[int]:
    """Return what the paragraphs and sentences among *gone* stood for, as far as it stays and nothing else does."""
    standing = [at for at in columns.evidence if columns.kind(at) in (PARAGRAPH, GIST) and at not in set(gone)]
    kept = {cited for at in standing for cited in columns.evidence[at]}
    was = {cited for at in gone if columns.kind(at) in (PARAGRAPH, GIST) for cited in columns.evidence.get(at, ())}
    return sorted(at for at in was - kept - set(gone) if columns.tier(at) == "cold")
