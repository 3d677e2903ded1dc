"""The cold tier: which memories have faded so far that a search need not look at them unless it goes deep."""

from collections.abc import Iterable

import numpy as np

from memory.config import MemoryConfig
from memory.record import GIST, PARAGRAPH, REFLECTION, Tier
from memory.repository import Repository
from memory.retrieval import recency
from memory.storage.columns import Columns
from memory.times import Micros

_STAY = (REFLECTION, PARAGRAPH, GIST)  # they stand for others already


def move(repository: Repository, memory_ids: Iterable[int], tier: Tier) -> None:
    """Put memories on another tier.

    Raises:
        InputError: If there is no such memory, or it was deleted.
    """
    with repository.lock:
        ids = repository.existing(memory_ids)
        moving = [memory_id for memory_id in ids if repository.columns.tier(memory_id) != tier]
        if moving:
            repository.move(moving, tier)


def find_faded(columns: Columns, now: Micros, config: MemoryConfig, below: float) -> list[int]:
    """Return the ids of the memories at hand whose recency and importance come to less than *below*, oldest first.

    Both count alike and as they are, recency from 1 (just now) towards 0 and importance as a share of 10, so that one
    memory's worth does not hang on what else there is.  Insights and what was consolidated stay.
    """
    fresh = recency(columns, now, config.decay_per_hour, config.recency_from)
    worth = (fresh + columns.importance / np.float32(10)) / np.float32(2)
    return columns.ids_at_hand((worth < np.float32(below)) & ~columns.are_of(_STAY))
