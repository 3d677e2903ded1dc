"""What a reflector replies: questions, and insights with their citations.

A line is an insight if it ends in a citation: ``(because of 1, 5, 3)``, ``(because of statements 2 and
4)``, ``(evidence: #2, #4)``, ``[2][4]``, ``(1-3, 5)``, with or without brackets after *because of*; a
citation on the line below belongs to the line above it.  Numbers elsewhere in the sentence are never
citations.  JSON is read as well: a list of objects with a text and numbers, bare or under one key, or an
object from text to numbers.  A refusal or an error text is no question, and as an insight it cites nothing.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

from memory.replies.lists import lines_of, unmarked
from memory.replies.objects import Pairs, as_pairs
from memory.replies.refusals import is_refusal

_CUES = {"because", "of", "due", "to", "based", "on", "supported", "by", "evidence", "source", "sources"}
_CUES |= {"citing", "cite", "cites", "see", "from"}
_NOUNS = {"statement", "statements", "memory", "memories", "observation", "observations"}
_NOUNS |= {"number", "numbers", "no", "nos", "item", "items"}
_SPANS = {"-", "–", "—", "to", "through"}
_JOINS = {*",;、&#:.[]()", "and", "or"} | _SPANS
_SPAN = re.compile(r"(\d{1,9})(?:\s*(?:-|–|—|\bto\b|\bthrough\b)\s*#?(\d{1,9}))?", re.IGNORECASE)
_HAN = re.compile("因为|根据|基于|依据|陈述|记忆|和|与|及")
_PLACEHOLDER = re.compile(r"\W*(?:(?:an?|the|your|high-level|some) )*insights?(?: here)?\W*", re.IGNORECASE)
_BARE = re.compile(r"\bbecause\s+of\b|\bevidence:|因为", re.IGNORECASE)
_WITHIN = re.compile(r"[(\[]\s*(?:because|due|based|supported|evidence)\b(?P<rest>[^()\[\]]*)[)\]]", re.IGNORECASE)
_EXPLAINED = re.compile(r"(?<=\d)\s*[:;–—]\s*(?=[^\W\d])")
_MOST_SPAN = 1_000  # numbers in a range; more is no citation


class Draft(NamedTuple):
    """An insight as replied: its text, and the numbers it cites, each once, in order."""

    text: str
    cited: tuple[int, ...]


def parse_questions(text: str, most: int = 3) -> list[str] | None:
    """Return the first *most* questions of a reply, without numbers and bullets; None if there are none."""
    value = _as_json(text)
    lines = _texts(value) if value is not None else lines_of(text)
    bare = [_bare(line) for line in lines]
    asked = [line for line in bare if line and line[0] not in "[{" and not line.endswith(":")]  # no broken JSON
    questions = [line for line in asked if not is_refusal(line)]
    return list(dict.fromkeys(questions))[:most] or None


def parse_insights(text: str) -> list[Draft] | None:
    """Return what a reply claims, uncited lines too (citing nothing); None if no line cites anything."""
    value = _as_json(text)
    found = _of_json(value) if value is not None else []
    is_code = isinstance(value, list) and not isinstance(value, Pairs) and not any(draft.cited for draft in found)
    if value is None or is_code:  # brackets within a sentence, such as data["name"], are no answer
        found = _of_lines(lines_of(text))
    drafts = [Draft(draft.text, ()) if _claims_nothing(draft.text) else draft for draft in found]
    return drafts if any(draft.cited for draft in drafts) else None


def _claims_nothing(text: str) -> bool:
    """Return whether *text* refuses, or is the word that stands for an insight in the prompt."""
    return is_refusal(text) or _PLACEHOLDER.fullmatch(text) is not None


def _bare(line: str) -> str:
    return unmarked(line).strip('"“”').strip()


def _of_lines(lines: list[str]) -> list[Draft]:
    drafts: list[Draft] = []
    for line in lines:
        draft = _of_text(line)
        if draft.text:
            drafts.append(draft)
        elif draft.cited and drafts and not drafts[-1].cited:
            drafts[-1] = Draft(drafts[-1].text, draft.cited)
    return drafts


def _of_text(line: str) -> Draft:
    """Return the insight in one line; citing nothing where there is no citation."""
    plain = unicodedata.normalize("NFKC", line.replace("**", "")).strip()
    for read in (_at_the_end, _without_brackets, _inside):
        text, cited = read(plain)
        if cited:
            return Draft(_bare(text).rstrip(" ,;:–—-(["), cited)
    return Draft(_bare(line), ())


def _at_the_end(line: str) -> tuple[str, tuple[int, ...]]:
    """Read the brackets that end the line; those with a cue such as *because of* outweigh bare numbers."""
    text, groups = line.rstrip(" .!*。"), list[_Citation]()
    while text[-1:] in (")", "]"):
        start = text.rfind("(" if text[-1] == ")" else "[")
        group = _citation(text[start + 1 : -1]) if start >= 0 else None
        if group is None:
            break
        groups.insert(0, group)
        text = text[:start].rstrip(" ,;")
    cued = [group for group in groups if group.cued] or groups
    return text, tuple(dict.fromkeys(number for group in cued for number in group.numbers))


def _without_brackets(line: str) -> tuple[str, tuple[int, ...]]:
    """Read what follows the last *because of*, if there are only numbers to the line's end."""
    found = [*_BARE.finditer(line)][-1:]
    group = _citation(line[found[0].end() :].rstrip(" .!*。")) if found else None
    return (line[: found[0].start()], group.numbers) if group else (line, ())


def _inside(line: str) -> tuple[str, tuple[int, ...]]:
    """Read the last bracket with a cue within the line, up to a colon or dash: what follows explains."""
    for match in reversed([*_WITHIN.finditer(line)]):
        group = _citation(_EXPLAINED.split(match["rest"])[0])
        if group:
            return line[: match.start()], group.numbers
    return line, ()


class _Citation(NamedTuple):
    numbers: tuple[int, ...]
    cued: bool


def _citation(text: str) -> _Citation | None:
    """Return the numbers in *text*, ranges filled, each once; None if it holds any other word, or no number."""
    tokens = re.findall(r"\d+|[^\W\d_]+|[^\w\s]", _HAN.sub(" and ", text.casefold()))
    words = [token for token in tokens if not token.isdecimal()]
    if len(words) == len(tokens) or any(word not in _CUES | _NOUNS | _JOINS for word in words):
        return None
    numbers: dict[int, None] = {}
    for match in _SPAN.finditer(text):
        first, last = int(match[1]), int(match[2] or match[1])
        span = range(first, last + 1) if 0 <= last - first < _MOST_SPAN else (first, last)
        numbers.update(dict.fromkeys(span))
    cued = any(word in _CUES - _SPANS for word in words) or bool(_HAN.search(text))
    return _Citation(tuple(numbers), cued)


def _as_json(reply: str) -> Any:
    """Return the JSON object or list in *reply*, bare or in a fence; None if there is none."""
    text = "\n".join(lines_of(reply))
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    if start < 0 or text[:start].strip().rstrip(":").count(" ") > 12:  # a sentence or two may lead up to it
        return None
    value = as_pairs(text, start, whole=False)
    is_list = isinstance(value, list) and not isinstance(value, Pairs)
    return None if is_list and all(isinstance(entry, int) for entry in value) else value


def _of_json(value: Any) -> list[Draft]:
    """Return the insights in a JSON value."""
    if isinstance(value, Pairs):
        return _of_object(value)
    if isinstance(value, list):
        return [draft for entry in value for draft in _of_json(entry)]
    return [_of_text(value)] if isinstance(value, str) and value.strip() else []


def _of_object(pairs: Pairs) -> list[Draft]:
    if _is_error(pairs):
        return []
    texts = [value for _, value in pairs if isinstance(value, str) and not _ids(value)]
    cited = [_ids(value) for _, value in pairs]
    if len(texts) == 1:
        own = _of_text(texts[0])
        return [Draft(own.text, next((ids for ids in cited if ids), own.cited))]
    inner = [draft for _, value in pairs if _holds_objects(value) for draft in _of_json(value)]
    return inner or [Draft(_bare(key), ids) for (key, _), ids in zip(pairs, cited, strict=True) if key.strip()]


def _is_error(pairs: Pairs) -> bool:
    return any(key.casefold() in ("error", "errors") and value for key, value in pairs)


def _holds_objects(value: Any) -> bool:
    return isinstance(value, Pairs) or (
        isinstance(value, list) and any(isinstance(entry, Pairs) or _is_sentence(entry) for entry in value)
    )


def _is_sentence(entry: Any) -> bool:
    return isinstance(entry, str) and not _ids(entry)


def _ids(value: Any) -> tuple[int, ...]:
    """Return *value* as cited numbers: an int, a text of numbers, or a list of these; empty if it is not."""
    if isinstance(value, bool | Pairs):
        return ()
    if isinstance(value, int):
        return (value,)
    if isinstance(value, str):
        group = _citation(value)
        return group.numbers if group else ()
    if isinstance(value, list):
        return tuple(dict.fromkeys(number for entry in value for number in _ids(entry)))
    return ()


def _texts(value: Any) -> Sequence[str]:
    """Return all texts in a JSON value, in order, keys aside."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Pairs):
        return [] if _is_error(value) else [text for _, inner in value for text in _texts(inner)]
    return [text for inner in value for text in _texts(inner)] if isinstance(value, list) else []
