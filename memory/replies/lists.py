"""The lines of a reply, one thing a line, without thoughts, fences, numbers and bullets."""

import re

from memory.replies.thoughts import answer_of

_MARK = re.compile(
    r"^\s*(?:(?:insight|question|q)\s*#?\d+\s*[.):-]\s*|[(#]?\d{1,3}\s*[.):]\s+|[-*•·–]\s+)", re.IGNORECASE
)


def lines_of(text: str) -> list[str]:
    """Return the lines of a reply that say something, as they stand."""
    lines = (line.strip() for line in answer_of(text).splitlines())
    return [line for line in lines if line and not line.startswith("```")]


def unmarked(line: str) -> str:
    """Return *line* without its list number or bullet and the Markdown marks around it."""
    return _MARK.sub("", line.replace("**", "").replace("__", ""), count=1).strip()


def unquoted(text: str) -> str:
    """Return *text* without quotes around the whole of it."""
    return text[1:-1].strip() if len(text) > 1 and text[0] + text[-1] in ('""', "“”") else text
