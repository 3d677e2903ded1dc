"""What residents know of each other: cards, talks, the mood of the town, and what a prompt receives of it."""

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
from memory.relationships.settings import Budgets, SocialSettings
from memory.relationships.state import Moved, Record, SocialState, Summarised
from memory.relationships.thread import ThreadCard
from memory.relationships.writer import PROMPTS

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
