"""What is left of a reply when thoughts, the marks of a chat's template and a fence around the whole are cut.

Thoughts stand in marks of many spellings (``<think>…</think>``, ``[THINK]``, ``◁think▷``, channels).  One whose end is
missing leaves nothing after it; one whose beginning a server swallowed leaves nothing before its end.  A mark that
somebody writes about is a word: within a JSON string, in quotes, or amid a sentence (*tags like <think> are odd*).
"""

import json
import re

_NAME = (
    r"(?:\w{1,20}:)?(?:think(?:ing|_\w{1,60})?|thoughts?|thought_process|reasoning|reflection|analysis"
    r"|chain_of_thought|scratch_?pad|inner_?monologue)"
)
_LEFT, _RIGHT = "(?:<|&lt;)", "(?:>|&gt;)"
_OPENS = re.compile(
    rf"{_LEFT}\s?{_NAME}(?:\s[^<>&\n]{{0,200}})?{_RIGHT}|\[(?-i:THINK|THINKING|REASONING)\]|◁think▷"
    r"|<\|(?:start_thinking|begin_of_thought|think(?:ing)?)\|>|<\|channel>thought|<unused94>",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    rf"{_LEFT}\s?/\s?{_NAME}\s?{_RIGHT}|\[/(?-i:THINK|THINKING|REASONING)\]|◁/think▷"
    r"|<\|(?:end_thinking|end_of_thought|/think(?:ing)?)\|>|<channel\|>|<unused95>",
    re.IGNORECASE,
)
_NEXT = re.compile(rf"(?P<opens>{_OPENS.pattern})|(?P<closes>{_CLOSES.pattern})|[{{\[]", re.IGNORECASE)
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)[^\n]{0,200}?<\|message\|>", re.IGNORECASE)
_BARE_CHANNEL = re.compile(r"\Aanalysis(?=[^\W\da-z_])(?:.*assistantfinal|.*)", re.DOTALL)  # with its marks stripped
_HEADED = re.compile(
    r"\A\W*here(?:'s| is) my thought process:(?:.*here(?:'s| is) my response:|.*)", re.DOTALL | re.IGNORECASE
)
_WRAPPED = re.compile(r".*<(answer|final_answer)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```[\w-]*\s*\n((?:(?!```).)*?)\n?\s*```", re.DOTALL)

_MARK = r"(?:<[|｜][\w▁/ -]{1,40}[|｜]>|<(?:start|end)_of_turn>|</s>|<eos>|\[/?INST\])"
_TURN_BEGINS = re.compile(rf"\A(?:\s*(?:{_MARK}|<s>|<bos>)\s*(?:(?:assistant|model|user|system)\s*?(?=\n|<|\Z))?)+")
_TURN_ENDS = re.compile(
    r"<[|｜](?:im_end|im_start|eot_id|eom_id|end|endoftext|end_of_text|end▁of▁sentence|start_header_id|start|return|call"
    r"|user|system|end_response|end_of_turn_token|start_of_turn_token|endofprompt|end_of_solution)[|｜]>"
    r"|<(?:start|end)_of_turn>|</s>|<eos>|\[/?INST\]",
    re.IGNORECASE,
)
_ANY_MARK = re.compile(_MARK)
_MOST_LOOKS = 200  # for JSON, in one reply; more is no answer


def answer_of(text: str) -> str:
    """Return what is left of a reply when all that is no answer is cut; empty if nothing is."""
    plain = _unfenced(text.strip())
    if is_json(plain):
        return plain
    said = without_marks(_without_thoughts(_final_channel(plain)))
    wrapped = _WRAPPED.match(said)
    return _unfenced((wrapped[2] if wrapped else said).strip())


def read_words(text: str) -> str:
    """Return the answer in a reply that is no JSON.

    Raises:
        ValueError: If there is none, in words that the model can act on.
    """
    answer = answer_of(text)
    if not answer:
        raise ValueError("the reply holds thoughts and no answer" if text.strip() else "the reply is empty")
    return answer


def holds_thoughts(text: str) -> bool:
    """Return whether the model thought aloud in *text*."""
    return any(mark.search(text) for mark in (_OPENS, _CLOSES, _CHANNEL))


def without_marks(text: str) -> str:
    """Return the first turn in *text*: less the marks of a template, and less what follows the one that ends it."""
    if not _ANY_MARK.search(text) and not _TURN_BEGINS.match(text):
        return text
    turn = _TURN_ENDS.split(_TURN_BEGINS.sub("", text), maxsplit=1)[0]
    return _ANY_MARK.sub("", turn)


def complete_lines(text: str) -> str:
    """Return the lines of a reply that was cut, less the last one, which is not whole."""
    return answer_of(text).rpartition("\n")[0].strip()


def is_json(text: str) -> bool:
    """Tell whether *text* is one JSON object or list."""
    return _end_of_json(text, 0) == len(text) > 0


def _without_thoughts(text: str) -> str:
    """Return *text* less its thoughts; JSON that stands outside of them is left alone."""
    if not holds_thoughts(text):
        return text
    kept, at, looks = "", 0, 0
    while found := _NEXT.search(text, at):
        start, end = found.span()
        kept, at = kept + text[at:start], end
        if found["opens"]:
            close = _CLOSES.search(text, end)
            at = close.end() if close else end
            if _is_said(text, start, at):
                kept += text[start:at]
            elif not close:
                return kept
        elif not found["closes"]:
            looks += 1
            at = (_end_of_json(text, start) if looks <= _MOST_LOOKS else None) or end
            kept += text[start:at]
        elif _is_quoted(text, start, end):
            kept += found[0]
        else:
            kept = ""  # all before it was thought: the opening mark was swallowed
    return kept + text[at:]


def _is_said(text: str, start: int, end: int) -> bool:
    """Tell whether what stands there, a mark or a pair of them, is a word of somebody's sentence."""
    if "\n" in text[start:end]:
        return False
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    amid = before[-1:] == " " and (before[:1].isalpha() or before[:1] == ",")
    goes_on = after[:1] == " " and after[1:].islower()
    return (amid or before[-1:] in tuple("\"'“‘«`(")) and (goes_on or after[:1] in tuple("\"'”’»`),.!?"))


def _is_quoted(text: str, start: int, end: int) -> bool:
    return text[:start][-1:] in tuple("\"'“‘«`") and text[end : end + 1] in tuple("\"'”’»`\\")


def _final_channel(text: str) -> str:
    """Return the last message meant for others, where a reply comes in channels."""
    headers = [*_CHANNEL.finditer(text)]
    if not headers:
        return _HEADED.sub("", _BARE_CHANNEL.sub("", text))
    meant = [header for header in headers if header[1].casefold() == "final"]
    meant = meant or [header for header in headers if header[1].casefold() == "commentary"]
    return _TURN_ENDS.split(text[meant[-1].end() :].partition("<|channel|>")[0], maxsplit=1)[0] if meant else ""


def _end_of_json(text: str, start: int) -> int | None:
    """Return where the JSON object or list that begins at *start* ends; None if there is none."""
    if text[start : start + 1] not in ("{", "["):
        return None
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None


def _unfenced(text: str) -> str:
    fenced = _FENCED.fullmatch(text)
    return fenced[1].strip() if fenced else text
