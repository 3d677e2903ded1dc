"""Reflection: when enough has happened, questions are asked, answered from memory, and become insights."""
