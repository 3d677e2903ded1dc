"""What servers complain of, and what that means: the same trouble comes in many words."""

import json
import re
from typing import Any

SHOWN = 300  # characters of a server's own words in our messages

_OVERFLOW = re.compile(
    r"context[_ ](?:length|size|window)|maximum context|prompt is too long|input (?:is )?too (?:long|large)"
    r"|too many (?:input )?tokens|exceeds? the (?:available|maximum|model'?s) (?:context|input|sequence|length)"
    r"|reduce the length|longer than the (?:maximum|model)|input length|maximum (?:input|sequence|prompt) length"
    r"|string too long|request too large|tokens? (?:count )?exceeds|exceed_context|batch size"
)
_UNKNOWN_MODEL = re.compile(
    r"model[_ ]not[_ ]found|no (?:such )?model\b|unknown model|invalid model"
    r"|model\b.{0,80}\b(?:does not|doesn'?t) exist"
    r"|model\b.{0,80}\bnot found|not a valid model|model\b.{0,80}\bdecommissioned|model\b.{0,80}\bdeprecated"
)
_NO_CREDIT = re.compile(
    r"insufficient[_ ](?:quota|balance|credit|funds)|exceeded your current quota|credit balance|billing"
)
_BAD_KEY = re.compile(r"invalid[_ ]api[_ ]key|incorrect api key|unauthori[sz]ed|authentication")
_BLOCKED = re.compile(r"content[_ ](?:filter|policy|management)|moderation|flagged|safety system")
_BUSY = re.compile(r"busy|overload|rate.?limit|try again|temporar|timeout|timed out|capacity|unavailable|upstream")


def said(text: str) -> str:
    """Return the server's own words in an error's body, whatever its shape; at most `SHOWN` characters, one line."""
    try:
        words = _message(json.loads(text))
    except ValueError:
        words = re.sub(r"<[^>]*>", " ", text) if is_page(text) else text
    line = " ".join(words.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _message(value: Any) -> str:
    if isinstance(value, dict):
        for key in ("error", "message", "msg", "detail", "error_message"):
            if value.get(key):
                return _message(value[key])
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "; ".join(_message(entry) for entry in value[:3])
    return str(value)


def is_page(text: str) -> bool:
    """Return whether a web page came instead of an answer."""
    return re.match(r"\s*(?:<!doctype html|<html|<\?xml|<head|<body)", text, re.IGNORECASE) is not None


def is_overflow(text: str) -> bool:
    """Return whether the prompt did not fit."""
    return _found(_OVERFLOW, text)


def is_unknown_model(text: str) -> bool:
    """Return whether there is no such model."""
    return _found(_UNKNOWN_MODEL, text)


def is_without_credit(text: str) -> bool:
    """Return whether the account has nothing left, which no waiting mends."""
    return _found(_NO_CREDIT, text)


def is_bad_key(text: str) -> bool:
    """Return whether the key was refused."""
    return _found(_BAD_KEY, text)


def is_blocked(text: str) -> bool:
    """Return whether this one request was refused for what it says."""
    return _found(_BLOCKED, text)


def is_busy(text: str) -> bool:
    """Return whether it may go well a little later."""
    return _found(_BUSY, text)


def _found(pattern: re.Pattern[str], text: str) -> bool:
    return pattern.search(text.casefold()) is not None
