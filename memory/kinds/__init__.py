"""Kinds of memory beside the stream: what one works on, what one knows for a fact, and what one knows how to do."""

from memory.kinds.episodic import Episode, episodes
from memory.kinds.facts import Conflict, Fact, FactBook, Freshness
from memory.kinds.skills import Skill, SkillBook
from memory.kinds.working import WorkingMemory

__all__ = [
    "Conflict",
    "Episode",
    "Fact",
    "FactBook",
    "Freshness",
    "Skill",
    "SkillBook",
    "WorkingMemory",
    "episodes",
]
