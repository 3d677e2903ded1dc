"""How well a stream finds what labelled questions ask for: recall at k, reciprocal rank, tokens read."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from memory.config import MemoryConfig
from memory.embedding import Embedder
from memory.stream import MemoryStream
from memory.tuning.labelled import Labelled, Question, fill

CUTS = (5, 10, 50)
_CHARACTERS = 4  # of English text per token, on average
_READ = 1000  # tokens
_DEPTH = 300  # memories that are looked at: 1,000 tokens are fewer, and a later rank adds 1/300 to a mean at most


@dataclass(frozen=True)
class Rates:
    """Means over questions; each in 0..1."""

    recall: tuple[float, ...]
    """Share of a question's evidence among the best 5, 10 and 50."""
    reciprocal_rank: float
    """One over the rank of the first evidence; 0 where none was found."""
    read: float
    """Share of a question's evidence within the first 1,000 tokens of what is retrieved."""
    questions: int

    @property
    def objective(self) -> float:
        """One number for all: the mean of the three recalls and the reciprocal rank."""
        return (sum(self.recall) + self.reciprocal_rank) / (len(self.recall) + 1)

    def line(self) -> str:
        """Return the rates as one line."""
        return " ".join(
            [*(f"R@{cut} {value:.3f}" for cut, value in zip(CUTS, self.recall, strict=True)),
             f"MRR {self.reciprocal_rank:.3f}"]
        )  # fmt: skip


def stream_of(labelled: Labelled, config: MemoryConfig, embedder: Embedder | None) -> MemoryStream:
    """Return a stream that holds the labelled memories; nothing is rated or reflected upon."""
    stream = MemoryStream(labelled.name, embedder=embedder, config=config)
    fill(stream, labelled.memories)
    return stream


def rates(streams: Sequence[tuple[MemoryStream, Labelled]]) -> Rates:
    """Return the means over all questions of all *streams*, each asked when its last memory was made."""
    return mean_rates(rates_by_question(streams))


def mean_rates(each: Sequence[tuple[float, ...]]) -> Rates:
    """Return the means of what `rates_by_question` gives."""
    columns = zip(*each, strict=True) if each else [(0.0,)] * (len(CUTS) + 2)
    *recall, reciprocal_rank, read = [fmean(column) for column in columns]
    return Rates(tuple(recall), reciprocal_rank, read, len(each))


def rates_by_question(streams: Sequence[tuple[MemoryStream, Labelled]]) -> list[tuple[float, ...]]:
    """Return of each question the recalls, the reciprocal rank, and the share read."""
    return [_ask(stream, labelled, asked) for stream, labelled in streams for asked in labelled.questions]


def _ask(stream: MemoryStream, labelled: Labelled, asked: Question) -> tuple[float, ...]:
    found = stream.retrieve(asked.text, _DEPTH, now=asked.asked or labelled.end, touch=False)
    read, first, within = 0, None, 0
    hits = []
    for rank, one in enumerate(found):
        read += -(-len(one.memory.text) // _CHARACTERS)
        for memory_id in (one.memory.id, *one.alike):
            if memory_id - 1 in asked.evidence:
                first = rank if first is None else first
                hits.append(rank)
                within += read <= _READ
    count = len(asked.evidence)
    shares = [sum(rank < cut for rank in hits) / count for cut in CUTS]
    return (*shares, 0.0 if first is None else 1 / (first + 1), within / count)
