"""What a resident, or any agent, knows: a stream of memories, recalled and reflected upon."""

from memory.config import MemoryConfig, Weights
from memory.errors import FileError, InputError, SettingError, StaleFact, StreamError
from memory.lifecycle.consolidation import Consolidation
from memory.record import (
    Consolidated,
    Entry,
    Evidence,
    Fell,
    Memory,
    Observed,
    Recalled,
    Receipt,
    Recollection,
    Reflected,
    Use,
)
from memory.stream import MemoryStream

__all__ = [
    "Consolidated",
    "Consolidation",
    "Entry",
    "Evidence",
    "Fell",
    "FileError",
    "InputError",
    "Memory",
    "MemoryConfig",
    "MemoryStream",
    "Observed",
    "Recalled",
    "Receipt",
    "Recollection",
    "Reflected",
    "SettingError",
    "StaleFact",
    "StreamError",
    "Use",
    "Weights",
]
