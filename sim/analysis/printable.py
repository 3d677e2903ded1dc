"""Texts made safe to show: what a resident or a model wrote never steers the terminal that shows it."""

import hashlib
import os
import re
import sys
from collections.abc import Iterable
from typing import TextIO

SHOWN_AT_MOST = 2000  # characters of one text on the console: some forty lines, more than any speech

# Control characters, invisible format characters (among them those that turn the direction of writing), line
# and paragraph separators, lone surrogates. The joiners U+200C and U+200D stay: Persian, Hindi and emoji need
# them and they move nothing.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f\ud800-\udfff]"
)
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printable(text: str) -> str:
    """Return *text* on one line; what would steer a terminal is shown as ``\\n``, ``\\x1b``, ``\\u202e``."""
    return _UNSAFE.sub(lambda found: _escaped(found[0]), text)


def without_controls(text: str) -> str:
    """Return *text* as one line for a label: white space becomes single spaces, control characters go."""
    return _UNSAFE.sub("", " ".join(text.split()))


def shorten(text: str, at_most: int = SHOWN_AT_MOST) -> str:
    """Return *text*, or its beginning with the length and the SHA-256 of the whole (its first 12 digits)."""
    if len(text) <= at_most:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{text[:at_most]}… [cut: {len(text):,} characters in all, sha256 {digest}]"


def write_lines(lines: Iterable[str], stream: TextIO | None = None) -> None:
    """Write *lines*, printable, to *stream* (else standard output); a reader that has gone away ends it quietly."""
    stream = stream or sys.stdout
    try:
        for line in lines:
            stream.write("\n".join(printable(part) for part in line.split("\n")) + "\n")
        stream.flush()
    except BrokenPipeError:
        # else Python complains once more on leaving; None would trip whoever writes next
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _escaped(character: str) -> str:
    code = ord(character)
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
