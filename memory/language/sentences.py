"""Texts in sentences: where they end, and what they hold."""

import re

from memory.language.words import folded

_END = re.compile(r"(?<=[.!?…])[\"”’)\]]*\s+(?=[^\sa-z→])|(?<=[。！？])[」』]?\s*|\s*\n+\s*")
_SHORTENED = re.compile(r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|vol|ca?|[ap]\.m|e\.g|i\.e|approx|Fig)\.)$")


def sentences(text: str) -> list[str]:
    """Return the sentences of *text* with their punctuation; a line break ends one too."""
    found, begin = list[str](), 0
    for match in _END.finditer(text):
        head = text[begin : match.start()].rstrip()
        if "\n" not in match[0] and _SHORTENED.search(head):
            continue
        found.append(text[begin : match.end()].strip())
        begin = match.end()
    return [sentence for sentence in (*found, text[begin:].strip()) if sentence]


def holds(text: str, part: str) -> bool:
    """Tell whether *part* stands in *text* in whole words, whatever the case and the kind of blanks."""
    sought = plain(part)
    if not sought:
        return False
    before = r"(?<!\w)" if sought[0].isalnum() else ""
    after = r"(?!\w)" if sought[-1].isalnum() else ""
    # "31" is no part of "1,310" or of "3.31".
    if sought[0].isdigit():
        before = r"(?<![\w])(?<!\d[.,])"
    if sought[-1].isdigit():
        after = r"(?!\w)(?![.,]\d)"
    return re.search(before + re.escape(sought) + after, plain(text)) is not None


def plain(text: str) -> str:
    """Return *text* in small letters, in the form in which characters can be compared, blanks made single."""
    return " ".join(folded(text).split())
