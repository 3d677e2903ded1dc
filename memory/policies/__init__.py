"""Ways for an agent to remember across sessions: none, transcript, scratchpad, episodic and semantic, one protocol."""

from memory.policies.extraction import Extracted, Extractor, by_model, by_rule
from memory.policies.plain import NoMemory, Scratchpad, Transcript
from memory.policies.policy import Context, Count, MemoryPolicy, Reading
from memory.policies.searched import Episodic, Semantic

__all__ = [
    "Context",
    "Count",
    "Episodic",
    "Extracted",
    "Extractor",
    "MemoryPolicy",
    "NoMemory",
    "Reading",
    "Scratchpad",
    "Semantic",
    "Transcript",
    "by_model",
    "by_rule",
]
