"""What to do after a request that failed: again after a while, in another way, not at all, or stop the run."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

from sim.models.parameter_errors import Complaint, is_page, server_words
from sim.models.response_body import BrokenBodyError, WebPageError

ATTEMPTS = 5
"""Requests that are sent for one answer, at the most, while all that fails is the connection or the server.  What is
sent again in another form is not among them: once per endpoint for each thing that it does not take, four times for a
prompt that does not fit, once for a reply that was cut."""
FIRST_WAIT, TIMES, LONGEST_WAIT = 1.0, 3.0, 30.0  # 1, 3, 9, 27 seconds: an outage of half a minute is sat out
LONGEST_TOLD = 60.0  # seconds; a server that asks for more is asked again all the same
_AGAIN = frozenset({408, 409, 423, 425, 429})
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(\d+(?:\.\d+)?) ?(ms|[smh])(?=[\d\W_]|$|ec|in|our)")
_DELAY = re.compile(
    r"(?:retry|again|wait)(?:[_ ]?(?:delay|after|in|for))?[\"':\s]{1,6}((?:\d+(?:\.\d+)? ?(?:ms|[smh])[a-z]*\s*)+)",
    re.IGNORECASE,
)
_LIMITS, _REMAINING = ("requests", "tokens"), "x-ratelimit-remaining-"


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a request brought no answer, and what may help."""

    words: str
    """What happened, for people."""
    remedy: Literal["again", "shrink", "adapt", "other form", "give up", "stop"]
    wait: float | None = None
    """Seconds that the server asked to wait for."""
    busy: bool = False
    """Whether the server turned the request away because of too many."""
    lost: bool = False
    """Whether the server could not be reached."""
    late: bool = False
    """Whether it was reached, and did not answer in time."""
    page: bool = False
    """Whether a web page came: something before the server answered in its place."""
    loading: bool = False
    """Whether the server says that it is not ready yet."""
    complaint: str = ""
    """The server's whole answer."""
    fix: str = ""
    """Where the run must stop: what to change."""


def retry_after(headers: Mapping[str, str], now: float, body: str = "") -> float | None:
    """Return the seconds that a server asks to wait for; None where it asks for nothing sensible.

    It may do so by ``Retry-After`` (a number, a date, a length of time), in the *body*, or by telling when a limit of
    which nothing remains is set anew.

    Args:
        now: Seconds since 1970, for dates.
    """
    asked = _seconds(headers.get("retry-after-ms", ""), 0.0)
    seconds = asked / 1000 if asked is not None else _seconds(headers.get("retry-after", ""), now)
    if seconds is None and (told := _DELAY.search(body)):
        seconds = _length(told[1])
    if seconds is None:
        resets = (headers.get(f"x-ratelimit-reset-{of}", "") for of in _LIMITS if headers.get(_REMAINING + of) == "0")
        seconds = max((wait for reset in resets if (wait := _length(reset)) is not None), default=None)
    return None if seconds is None else max(0.0, seconds)


def _seconds(text: str, now: float) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        try:
            return parsedate_to_datetime(text).timestamp() - now
        except (ValueError, TypeError, OverflowError):
            return _length(text)
    return seconds if 0 <= seconds < float("inf") else None


def _length(text: str) -> float | None:
    """Return the seconds in ``7m12.5s``, ``500ms``, ``20 seconds``."""
    parts = _PART.findall(text)
    return sum(float(number) * _UNITS[unit] for number, unit in parts) if parts else None


def backoff(failed: int, dice: random.Random) -> float:
    """Return the seconds to wait after the *failed*-th failure: growing, and spread so that not all come at once."""
    return min(LONGEST_WAIT, FIRST_WAIT * TIMES ** (failed - 1)) * dice.uniform(0.5, 1.0)


def trouble_of_body(error: BrokenBodyError) -> Trouble:
    """Return the trouble in a body that came with status 200."""
    if isinstance(error, WebPageError):
        words = f"a web page came instead of an answer ({error.words[:80]})"
        return Trouble(words, "stop", fix="address", page=True)
    if error.code is not None:
        return trouble_of_status(error.code, error.body, None)
    if Complaint.UNKNOWN_MODEL.is_in(error.body):
        return Trouble(error.words, "stop", fix="model")
    if _has_no_credit(error.body):
        return Trouble(error.words, "stop", fix="credit")
    if Complaint.OVERFLOW.is_in(error.body):
        return Trouble(error.words, "shrink", complaint=error.body)
    return Trouble(error.words, "again", busy=Complaint.BUSY.is_in(error.body))


def trouble_of_status(status: int, text: str, wait: float | None) -> Trouble:
    """Return the trouble in an HTTP status other than 200 and its body, of a server that asks for *wait* seconds."""
    words = f"HTTP {status}: {server_words(text) or 'no words'}"
    wait = None if wait is None else min(wait, LONGEST_TOLD)
    if is_page(text) and status not in (401, 402) and status not in _AGAIN and status < 500:
        return Trouble(words, "stop", fix="address", page=True)
    if Complaint.FAILED_REPLY.is_in(text):
        return Trouble(words, "other form")
    if stop := _find_fix(status, text, told_to_wait=wait is not None):
        return Trouble(words, "stop", fix=stop)
    if status == 403 or (status in (400, 422) and Complaint.BLOCKED.is_in(text)):
        return Trouble(words, "give up")
    if Complaint.CAP.is_in(text) and status in (400, 422):
        return Trouble(words, "adapt", complaint=text)
    if Complaint.OVERFLOW.is_in(text) and (status in (400, 413, 422, 500) or "too large" in text.casefold()):
        return Trouble(words, "shrink", complaint=text)
    if status in _AGAIN or status > 500:
        loading = status == 503 and Complaint.LOADING.is_in(text)
        return Trouble(words, "again", wait, busy=status in (429, 503, 529) and not loading, loading=loading)
    if status == 500:
        is_told = "grammar" in text or "system role" in text.casefold()
        return Trouble(words, "adapt" if is_told else "again", wait, complaint=text)
    return Trouble(words, "adapt" if status in (400, 422) else "give up", complaint=text)


def _find_fix(status: int, text: str, *, told_to_wait: bool) -> str:
    """Return what must be mended before any request can go well, "" where that is not sure."""
    if status == 401 or (status == 400 and Complaint.BAD_KEY.is_in(text)):
        return "key"
    if status == 402 or (status in (400, 403, 429) and _has_no_credit(text, told_to_wait)):
        return "credit"
    if status == 403:
        return "" if Complaint.BLOCKED.is_in(text) else "key"
    if status in (400, 404, 422) and Complaint.OTHER_INTERFACE.is_in(text):
        return "interface"
    if status in (400, 404, 422) and Complaint.UNKNOWN_MODEL.is_in(text):
        return "model"
    return "address" if status in (301, 302, 303, 307, 308, 404, 405, 410, 501) else ""


def _has_no_credit(text: str, told_to_wait: bool = False) -> bool:
    """Return whether the account is empty; a quota of which the server tells when it comes back is not."""
    comes_back = told_to_wait or Complaint.PER_TIME.is_in(text)
    return Complaint.NO_CREDIT.is_in(text) or (Complaint.USED_UP.is_in(text) and not comes_back)
