"""What goes with a memory that is deleted, so that its words are nowhere any more."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memory.kinds.books import Books
from memory.language import records
from memory.language.sentences import sentences
from memory.language.words import content_words, folded, matter, stem
from memory.record import GIST, PARAGRAPH, REFLECTION, Receipt
from memory.reflection.insight import same_words
from memory.replies.refusals import is_refusal
from memory.repository import Repository
from memory.storage.columns import Columns
from memory.times import Micros

_DRAWN = (REFLECTION, PARAGRAPH, GIST)
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
        telling = find_telling(repository.queries(), gone, repository.columns)
        repository.forget(gone, warmed, books.changes(receipt), telling)
        clear_caches()
        books.drop(receipt.facts, receipt.skills)  # certain now; to scrub the file may fail
        repository.scrub()
    return receipt


def cascade(asked: Iterable[int], columns: Columns) -> Cascade:
    """Return what becomes of whom where the memories *asked* are deleted."""
    gone, marked = set(asked), list[int]()
    said = {at: _sentences(columns.texts[at - 1]) for at in gone}
    for memory_id in sorted(columns.evidence):  # evidence is always older: one pass finds all that rests on it
        beneath = gone.intersection(columns.evidence[memory_id])
        is_drawn = columns.kind(memory_id) in _DRAWN  # a model may repeat what it read and did not cite
        if memory_id in gone or not (beneath or is_drawn) or columns.tier(memory_id) == "deleted":
            continue
        text = f" {same_words(columns.texts[memory_id - 1])} "
        repeated = [at for at in (gone if is_drawn else beneath) if any(f" {one} " in text for one in said[at])]
        if repeated or gone.issuperset(columns.evidence[memory_id]):
            gone.add(memory_id)
            said[memory_id] = [sentence for at in beneath.union(repeated) for sentence in said[at]]
        elif beneath:
            marked.append(memory_id)
    return Cascade(sorted(gone), marked, _warmed(gone, columns))


def find_telling(queries: Iterable[str], gone: Iterable[int], columns: Columns) -> frozenset[str]:
    """Return the *queries* that say some of what the memories *gone* say, and thereby would keep it.

    It is one that repeats some words of them in a row, that has a word which nothing else remembered has, or all of
    whose matter is theirs.
    """
    away = set(gone)
    told = [columns.words(memory_id) for memory_id in away]
    runs = {run for text in told for run in _runs(text)}
    own = {word for text in told for word in content_words(text)}
    theirs = {one for text in told for one in matter(text)}
    found, doubtful = set[str](), dict[str, set[str]]()
    for query in queries:
        shared = own.intersection(content_words(query))
        about = set(matter(query))
        if not runs.isdisjoint(_runs(query)) or (len(about) >= _TELLING - 1 and about <= theirs):
            found.add(query)
        elif shared:
            doubtful[query] = shared
    rare = set().union(*doubtful.values())
    for memory_id in range(1, len(columns) + 1) if rare else ():
        if memory_id not in away and rare:
            text = folded(columns.words(memory_id))
            rare = {word for word in rare if word not in text}
    return frozenset(found.union(query for query, shared in doubtful.items() if shared & rare))


def clear_caches() -> None:
    """Forget every text and word that is kept in this process so as not to be read twice."""
    cached = (records.matter, records.read_line, records.valence, records.is_called_off, records.is_welcome)
    for function in (*cached, records.is_english, stem, is_refusal):
        function.cache_clear()


def _runs(text: str) -> list[tuple[str, ...]]:
    """Return each row of so many words that it tells something."""
    words: Sequence[str] = same_words(text).split()
    return [tuple(words[at : at + _TELLING]) for at in range(len(words) - _TELLING + 1)]


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
