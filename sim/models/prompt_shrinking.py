"""Making a prompt fit: memories are dropped from the end, where the least relevant stand, and at least one stays."""

import re
from collections.abc import Mapping, Sequence

ROUNDS = 4  # each keeps half of what the last one kept: 30 memories become 15, 8, 4, 2
_BLOCK = re.compile(r"(<(memories|statements)>)(.*?)(</\2>)", re.DOTALL)

Messages = Sequence[Mapping[str, str]]


def shrunk(messages: Messages) -> list[dict[str, str]] | None:
    """Return *messages* with half of the memories in them, rounded up; None where there are none to drop."""
    smaller = [{**message, "content": _BLOCK.sub(_halved, message["content"])} for message in messages]
    return None if smaller == [dict(message) for message in messages] else smaller


def _halved(block: re.Match[str]) -> str:
    lines = block[3].splitlines()
    return f"{block[1]}{chr(10).join(lines[: (len(lines) + 1) // 2])}{block[4]}"
