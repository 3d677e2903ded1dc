"""What a resident, or any agent, knows: a stream of memories, recalled and reflected upon.

This is the public door: all that a builder needs is imported from here, and loaded when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.agents_session import StreamSession as StreamSession
    from memory.async_stream import AsyncMemoryStream as AsyncMemoryStream
    from memory.budget import Item as Item
    from memory.budget import Packed as Packed
    from memory.budget import Shares as Shares
    from memory.budget import pack as pack
    from memory.completers import open_completer as open_completer
    from memory.config import MemoryConfig as MemoryConfig
    from memory.config import Weights as Weights
    from memory.embedding import CachedEmbedder as CachedEmbedder
    from memory.embedding import Embedder as Embedder
    from memory.embedding import packaged_embedder as packaged_embedder
    from memory.errors import FileError as FileError
    from memory.errors import FileInUse as FileInUse
    from memory.errors import InputError as InputError
    from memory.errors import SettingError as SettingError
    from memory.errors import StaleFact as StaleFact
    from memory.errors import StreamError as StreamError
    from memory.kinds.episodic import Episode as Episode
    from memory.kinds.episodic import episodes as episodes
    from memory.kinds.fact import Conflict as Conflict
    from memory.kinds.fact import Fact as Fact
    from memory.kinds.fact import Freshness as Freshness
    from memory.kinds.facts import FactBook as FactBook
    from memory.kinds.skills import Skill as Skill
    from memory.kinds.skills import SkillBook as SkillBook
    from memory.kinds.working import WorkingMemory as WorkingMemory
    from memory.lifecycle.consolidation import Consolidation as Consolidation
    from memory.lifecycle.freshness import certain as certain
    from memory.lifecycle.freshness import staleness as staleness
    from memory.prompts import Completer as Completer
    from memory.record import Consolidated as Consolidated
    from memory.record import Entry as Entry
    from memory.record import Evidence as Evidence
    from memory.record import Fell as Fell
    from memory.record import Memory as Memory
    from memory.record import Observed as Observed
    from memory.record import Recalled as Recalled
    from memory.record import Receipt as Receipt
    from memory.record import Recollection as Recollection
    from memory.record import Reflected as Reflected
    from memory.record import Use as Use
    from memory.relationships import open_social as open_social
    from memory.shared_memory import SharedMemory as SharedMemory
    from memory.stream import MemoryStream as MemoryStream
    from memory.stream_file import StreamFile as StreamFile
    from memory.terms import Terms as Terms

_ROOMS = {
    "agents_session": "StreamSession",
    "async_stream": "AsyncMemoryStream",
    "budget": "Item Packed Shares pack",
    "completers": "open_completer",
    "config": "MemoryConfig Weights",
    "embedding": "CachedEmbedder Embedder packaged_embedder",
    "errors": "FileError FileInUse InputError SettingError StaleFact StreamError",
    "kinds.episodic": "Episode episodes",
    "kinds.fact": "Conflict Fact Freshness",
    "kinds.facts": "FactBook",
    "kinds.skills": "Skill SkillBook",
    "kinds.working": "WorkingMemory",
    "lifecycle.consolidation": "Consolidation",
    "lifecycle.freshness": "certain staleness",
    "prompts": "Completer",
    "record": "Consolidated Entry Evidence Fell Memory Observed Recalled Receipt Recollection Reflected Use",
    "relationships": "open_social",
    "shared_memory": "SharedMemory",
    "stream": "MemoryStream",
    "stream_file": "StreamFile",
    "terms": "Terms",
}
_HOMES = {name: room for room, names in _ROOMS.items() for name in names.split()}
__all__ = sorted(_HOMES)


if not TYPE_CHECKING:  # a type checker is to find names that are not there

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'memory' has no attribute {name!r}")
        return getattr(import_module(f"memory.{_HOMES[name]}"), name)

    def __dir__() -> list[str]:
        return __all__
