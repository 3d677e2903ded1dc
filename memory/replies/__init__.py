"""The only reader of what a model said: thoughts, fences, objects, refusals, numbers, lists, insights."""

from memory.replies.insights import Draft, parse_insights, parse_questions
from memory.replies.objects import read_object
from memory.replies.ratings import parse_rating, parse_ratings
from memory.replies.refusals import is_refusal
from memory.replies.thoughts import answer_of

__all__ = [
    "Draft",
    "answer_of",
    "is_refusal",
    "parse_insights",
    "parse_questions",
    "parse_rating",
    "parse_ratings",
    "read_object",
]
