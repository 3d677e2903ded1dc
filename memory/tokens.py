"""How many tokens a text has, estimated without any tokenizer's data.

The estimate counts what tokenizers of today cut at: words and their long tails, groups of digits, runs of punctuation,
and letters of other scripts one by one.  Its weights were fitted to the tokenizer of GPT-4o and its successors
(``o200k_base``): single sentences and prompts of a town that it was not fitted to are within 12 %, either way.
"""

import re

PER_WORD, PER_LONG_LETTER, USUAL_LETTERS = 1.08, 0.06, 7
PER_DIGITS = 1.58  # up to three digits, and often the space before them
PER_SIGNS = 0.91

_WORDS = re.compile(r"[A-Za-z]+")
_LONG = re.compile(rf"[A-Za-z]{{{USUAL_LETTERS + 1},}}")
_DIGITS = re.compile(r"[0-9]{1,3}")
_SIGNS = re.compile(r"[!-/:-@\[-`{-~]+")
_FOREIGN = re.compile(r"[^\x00-\x7f]")

# tokens a character: first and last code point, rate (on sentences of a dozen languages, rounded up)
_SCRIPTS = (
    (0x00AA, 0x02AF, 0.5),  # Latin letters with marks: they split the word that they stand in
    (0x0370, 0x03FF, 0.5),  # Greek
    (0x0400, 0x052F, 0.4),  # Cyrillic
    (0x0590, 0x06FF, 0.5),  # Hebrew, Arabic
    (0x0900, 0x0DFF, 0.45),  # scripts of India, their marks included
    (0x0E00, 0x0EFF, 0.45),  # Thai, Lao
    (0x1E00, 0x1FFF, 0.7),  # more Latin and Greek
    (0x2010, 0x203F, 1.0),  # dashes and quotation marks
    (0x3040, 0x30FF, 0.8),  # kana
    (0x3400, 0x9FFF, 0.95),  # Chinese characters
    (0xAC00, 0xD7AF, 0.7),  # Hangul
    (0x1F000, 0x1FAFF, 1.8),  # emoji
)
OTHER_SCRIPT = 1.5


def estimate(text: str) -> int:
    """Return about how many tokens *text* has; at least 1 where there is any text."""
    if not text:
        return 0
    long = _LONG.findall(text)
    total = (
        PER_WORD * len(_WORDS.findall(text))
        + PER_LONG_LETTER * (sum(map(len, long)) - USUAL_LETTERS * len(long))
        + PER_DIGITS * len(_DIGITS.findall(text))
        + PER_SIGNS * len(_SIGNS.findall(text))
    )
    if not text.isascii():
        total += sum(_rate(ord(letter)) for letter in _FOREIGN.findall(text))
    return max(1, round(total))


def _rate(point: int) -> float:
    return next((rate for first, last, rate in _SCRIPTS if first <= point <= last), OTHER_SCRIPT)
