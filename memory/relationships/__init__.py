"""What residents know of each other: cards, talks, the mood of the town, and what a prompt receives of it.

What stands in ``__all__`` is public; whatever else the files here hold may change from one version to the next.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory.language.speech_acts import read_gesture
    from memory.relationships.affect import Affect, Charged, Mended
    from memory.relationships.attention import Standing, Target, Temper, proactive, speaks_up, targets
    from memory.relationships.card import RelationshipCard
    from memory.relationships.distortion import Distorted, distort, lost
    from memory.relationships.engine import open_social
    from memory.relationships.event import Heard, SocialEvent
    from memory.relationships.metrics import Deltas, Metrics, first_numbers, tie_of
    from memory.relationships.mood import Digest
    from memory.relationships.note import InteractionNote, parse_note, read_turn
    from memory.relationships.protocol import Noted, SocialMemory
    from memory.relationships.recall import Cues, Trace
    from memory.relationships.settings import PROMPTS, Budgets, SocialSettings
    from memory.relationships.state import Moved, Record, SocialState, Summarised
    from memory.relationships.thread import ThreadCard

__all__ = [
    "PROMPTS",
    "Affect",
    "Budgets",
    "Charged",
    "Cues",
    "Deltas",
    "Digest",
    "Distorted",
    "Heard",
    "InteractionNote",
    "Mended",
    "Metrics",
    "Moved",
    "Noted",
    "Record",
    "RelationshipCard",
    "SocialEvent",
    "SocialMemory",
    "SocialSettings",
    "SocialState",
    "Standing",
    "Summarised",
    "Target",
    "Temper",
    "ThreadCard",
    "Trace",
    "distort",
    "first_numbers",
    "lost",
    "open_social",
    "parse_note",
    "proactive",
    "read_gesture",
    "read_turn",
    "speaks_up",
    "targets",
    "tie_of",
]

_FILES = "settings metrics note event distortion card thread mood state attention recall affect protocol engine"
_HOMES = ("memory.language.speech_acts", *(f"{__name__}.{name}" for name in _FILES.split()))


def __getattr__(name: str) -> Any:
    """Return what is public by itself, from the first file that has it: who only reads settings loads no engine."""
    for home in _HOMES if name in __all__ else ():
        module = import_module(home)
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
