"""What an endpoint takes: how a reply's form is asked for, and which settings; found out by its complaints.

JSON Schema is asked for first, then JSON mode, then plain text (the prompts say in words what is wanted, so all three
will do); a server of llama.cpp's that we started ourselves gets a grammar.  What is found out holds from then on.
"""

import json
import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from sim.models.request import Request

Format = Literal["grammar", "JSON Schema", "JSON mode", "plain text"]
_NEXT: dict[Format, Format] = {"grammar": "JSON Schema", "JSON Schema": "JSON mode", "JSON mode": "plain text"}
_FORMAT_WORDS = ("response_format", "json_schema", "json_object", "json mode", "json schema", "grammar", "guided",
                 "structured output")  # fmt: skip
_REFUSED = ("unsupported", "not support", "unrecognized", "unrecognised", "unknown", "unexpected", "not permitted",
            "not allowed", "deprecated", "only the default", "instead", "extra inputs", "invalid")  # fmt: skip

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Abilities:
    """What an endpoint takes, as far as is known."""

    format: Format = "JSON Schema"
    """How the form of a structured reply is asked for."""
    cap_field: Literal["max_tokens", "max_completion_tokens"] | None = "max_tokens"
    """What the bound on a reply's length is called."""
    temperature: bool = True
    system: bool = True
    """Whether a message may have the role `system`."""
    roomy: bool = False
    """Whether replies need more room than they were given at first: the model thinks aloud."""

    def after(self, complaint: str) -> "Abilities | None":
        """Return what is left after *complaint* about a request made by these abilities; None if it is none of them."""
        words = complaint.casefold()
        refused = any(word in words for word in _REFUSED)
        if self.cap_field == "max_tokens" and "max_completion_tokens" in words:
            return replace(self, cap_field="max_completion_tokens")
        if self.cap_field == "max_completion_tokens" and "max_completion_tokens" in words and refused:
            return replace(self, cap_field="max_tokens")
        if self.format in _NEXT and any(word in words for word in _FORMAT_WORDS):
            return replace(self, format=_NEXT[self.format])
        if self.temperature and "temperature" in words and refused:
            return replace(self, temperature=False)
        if self.system and (("system" in words and "role" in words) or "roles must alternate" in words):
            return replace(self, system=False)
        return None

    def plainer(self) -> "Abilities | None":
        """Return these with the next simpler format, for a complaint that names nothing; None at plain text."""
        return replace(self, format=_NEXT[self.format]) if self.format in _NEXT else None

    def differences(self, other: "Abilities") -> str:
        """Return, in words, what *other* takes differently."""
        told = {
            "format": f"replies are asked for as {other.format}",
            "cap_field": f"their length is bounded by {other.cap_field}",
            "temperature": "no temperature is sent",
            "system": "system messages are put before the user's",
            "roomy": "replies get more room to think in",
        }
        return ", ".join(words for name, words in told.items() if getattr(self, name) != getattr(other, name))


class KnownAbilities:
    """What is known of one endpoint, shared by all threads."""

    def __init__(self, endpoint: str, abilities: Abilities) -> None:
        self._endpoint, self.now = endpoint, abilities
        self._lock = threading.Lock()
        self.proven: set[Format] = set()
        """Formats that have brought an answer."""

    def learn(self, sent: Abilities, better: Abilities) -> Abilities:
        """Hold *better* to be true, unless another thread has learnt since *sent*; return what is true now."""
        with self._lock:
            if self.now == sent != better:
                _log.warning("%s: from now on %s", self._endpoint, sent.differences(better))
                self.now = better
            return self.now


def chat_body(request: Request, model: str, abilities: Abilities, cap: int, extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is sent: the request in OpenAI's words, as far as the endpoint takes it.

    Args:
        cap: Most tokens of the reply; at least 1 is sent, whatever it is.
        extra: Fields of one kind of server.
    """
    sampling = {name: value for name, value in request.sampling.items() if value is not None and name != "max_tokens"}
    if not abilities.temperature:
        sampling.pop("temperature", None)
    sent: dict[str, Any] = {"model": model, "messages": _messages(request, system=abilities.system), **sampling}
    if abilities.cap_field is not None:
        sent[abilities.cap_field] = max(1, cap)
    if request.schema is not None and abilities.format == "grammar":
        sent["grammar"] = _grammar(request.schema)
    elif request.schema is not None and abilities.format != "plain text":
        sent["response_format"] = _format(request.schema, abilities.format)
    return {**sent, **extra}


def _messages(request: Request, *, system: bool) -> list[dict[str, str]]:
    messages = [{"role": m["role"], "content": m.get("content") or ""} for m in request.messages]
    messages = [message for message in messages if message["content"] or message["role"] != "system"]
    if not system and messages and messages[0]["role"] == "system":
        first, second, *rest = messages
        messages = [{"role": "user", "content": f"{first['content']}\n\n{second['content']}"}, *rest]
    return messages


def _grammar(schema: Mapping[str, Any]) -> str:
    """Return *schema* as a grammar of llama.cpp's server that allows no white space between the parts.

    Its own grammar for a schema allows any; a small model then fills its reply with tabs.
    """
    tight = {**schema, "x-guidance": {"whitespace_flexible": False}}
    return f"%llguidance {{}}\nstart: %json {json.dumps(tight)}"


def _format(schema: Mapping[str, Any], name: Format) -> dict[str, Any]:
    if name == "JSON mode":
        return {"type": "json_object"}
    title = str(schema.get("title", "reply"))
    return {"type": "json_schema", "json_schema": {"name": title, "strict": False, "schema": schema}}
