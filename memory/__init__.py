"""What a resident, or any agent, knows: a stream of memories, recalled and reflected upon."""

from memory.config import MemoryConfig, Weights
from memory.errors import FileError, InputError, SettingError, StreamError
from memory.record import Entry, Evidence, Fell, Memory, Observed, Recalled, Recollection, Reflected
from memory.stream import MemoryStream

__all__ = [
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
    "Recollection",
    "Reflected",
    "SettingError",
    "StreamError",
    "Weights",
]
