"""What residents know of each other: cards, talks, the mood of the town, and what a prompt receives of it."""

from memory.social.affect import Affect
from memory.social.attention import Standing, Target, Temper, proactive, speaks_up, targets
from memory.social.card import RelationshipCard
from memory.social.engine import open_social
from memory.social.event import Heard, SocialEvent
from memory.social.fading import distort, lost
from memory.social.metrics import Deltas, Metrics
from memory.social.mood import Digest
from memory.social.note import InteractionNote, parse_note
from memory.social.protocol import Charged, Mended, Noted, SocialMemory
from memory.social.reading import read_gesture, read_turn
from memory.social.recall import Cues, Trace
from memory.social.settings import Budgets, SocialSettings
from memory.social.state import Distorted, Moved, Record, SocialState, Summarised
from memory.social.thread import ThreadCard
from memory.social.ties import first_numbers, tie_of
from memory.social.writer import PROMPTS

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
