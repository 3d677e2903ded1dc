"""What servers complain of, and what that means: the same trouble comes in many words."""

import json
import re
from enum import Enum
from typing import Any

SHOWN = 300  # characters of a server's own words in our messages


class Complaint(Enum):
    """What a server may complain of, each with the words that show it."""

    OVERFLOW = (  # the prompt did not fit
        r"context[_ ](?:length|size|window)|maximum context|prompt is too long|input (?:is )?too (?:long|large)"
        r"|too many (?:input )?tokens|exceeds? the (?:available|maximum|model'?s) (?:context|input|sequence|length)"
        r"|reduce the length|longer than the (?:maximum|model)|input length|maximum (?:input|sequence|prompt) length"
        r"|string too long|request too large|tokens? (?:count )?exceeds|exceed_context|batch size"
    )
    UNKNOWN_MODEL = (
        r"model[_ ]not[_ ]found|no (?:such )?model\b|unknown model|invalid model"
        r"|model\b.{0,80}\b(?:does not|doesn'?t) exist"
        r"|model\b.{0,80}\bnot found|not a valid model|model\b.{0,80}\bdecommissioned|model\b.{0,80}\bdeprecated"
    )
    OTHER_INTERFACE = r"only (?:supported|available) (?:in|with|on|through|via) .{0,30}\bresponses|not a chat model"
    NO_CREDIT = (  # which no waiting mends
        r"insufficient[_ ](?:quota|balance|credit|funds)|credit balance|(?:out of|no|not enough|more|add) credits?\b"
    )
    USED_UP = r"exceeded your current quota|billing"  # which may mean this minute's quota, or the account
    PER_TIME = (  # a quota that comes back
        r"resource[_ ]exhausted|retry ?(?:delay|in\b)|(?:try|again|wait)\b.{0,20}\d+(?:\.\d+)? ?(?:m?s|m|min|sec)"
        r"|rate[_ -]?limit|per[_ -]?(?:minute|second|hour|day)"
    )
    LOADING = r"loading (?:the )?model|model\b.{0,60}\bloading|warming up|still (?:loading|starting)"
    FAILED_REPLY = (  # the model's own words did not take the form that was asked for
        r"json_validate_failed|failed[_ ]generation|failed to (?:generate|produce)\b.{0,20}\bjson|tool_use_failed"
        r"|generated json does not match"
    )
    CAP = (  # the bound on a reply's length
        r"max(?:imum)?[_ ](?:completion[_ ]|new[_ ]|output[_ ])?tokens\b"
        r"(?!.{0,200}(?:context|input length|input tokens|prompt))"
        r".{0,60}?(?:too (?:large|high|big|many)|exceed|at most|less than|lower than|below|<=|≤|maximum|between"
        r"|out of range)"
    )
    BAD_KEY = r"invalid[_ ]api[_ ]key|incorrect api key|unauthori[sz]ed|authentication"
    BLOCKED = r"content[_ ](?:filter|policy|management)|moderation|flagged|safety system"  # for what one request says
    BUSY = r"busy|overload|rate.?limit|try again|temporar|timeout|timed out|capacity|unavailable|upstream"

    def is_in(self, text: str) -> bool:
        """Return whether *text* complains of this."""
        return re.search(self.value, text.casefold(), re.DOTALL) is not None


def server_words(text: str) -> str:
    """Return the server's own words in an error's body, whatever its shape; at most `SHOWN` characters, one line."""
    try:
        words = _find_message(json.loads(text))
    except ValueError:
        words = re.sub(r"<[^>]*>", " ", text) if is_page(text) else text
    line = " ".join(words.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _find_message(value: Any) -> str:
    if isinstance(value, dict):
        for key in ("error", "message", "msg", "detail", "error_message"):
            if value.get(key):
                return _find_message(value[key])
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "; ".join(_find_message(entry) for entry in value[:3])
    return str(value)


def is_page(text: str) -> bool:
    """Return whether a web page came instead of an answer."""
    return re.match(r"\s*(?:<!doctype html|<html|<\?xml|<head|<body)", text, re.IGNORECASE) is not None
