"""What an endpoint takes: how a reply's form is asked for, and which settings; found out by its complaints.

JSON Schema is asked for first, then JSON mode, then plain text (the prompts say in words what is wanted, so all three
will do); a server of llama.cpp's that we started ourselves gets a grammar.  What is found out holds from then on.
"""

import json
import logging
import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from sim.models.parameter_errors import Complaint
from sim.models.request import Request

Format = Literal["grammar", "JSON Schema", "JSON mode", "plain text"]
_NEXT: dict[Format, Format] = {"grammar": "JSON Schema", "JSON Schema": "JSON mode", "JSON mode": "plain text"}
_FORMAT_WORDS = ("response_format", "json_schema", "json_object", "json mode", "json schema", "grammar", "guided",
                 "structured output")  # fmt: skip
_CAPS = ("max_tokens", "max_completion_tokens")
_SYSTEM_ROLE = re.compile(
    r"system\b.*\brole|\brole\b.*\bsystem|roles must alternate|only user and assistant", re.DOTALL
)
_NEEDED = frozenset({"model", "messages", "response_format", "grammar"})  # what no request is without, by its format
LEAST = 16  # tokens of a reply: with fewer no model can answer anything

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Abilities:
    """What an endpoint takes, as far as is known."""

    format: Format = "JSON Schema"
    """How the form of a structured reply is asked for."""
    caps: tuple[str, ...] = _CAPS
    """What the bound on a reply's length may be called, best first; none: no bound is sent."""
    refused: frozenset[str] = frozenset()
    """Settings that it does not take, such as `temperature`."""
    most: int | None = None
    """Tokens of a reply that may be asked for at the most, where the endpoint has told."""
    system: bool = True
    """Whether a message may have the role `system`."""
    roomy: bool = False
    """Whether replies need more room than they were given at first: the model thinks aloud."""

    def after(self, complaint: str, sent: Mapping[str, Any]) -> "Abilities | None":
        """Return what is left after *complaint* about a request made by these abilities; None if it is none of them.

        Args:
            sent: The request's body: a field of it that is named is the one at fault, whatever is said of it.
        """
        words = complaint.casefold()
        cap = self.caps[0] if self.caps else ""
        if cap in sent and Complaint.CAP.is_in(complaint):
            return self._below(int(sent[cap]), complaint)
        if cap == "max_tokens" and "max_completion_tokens" in words and "max_completion_tokens" in self.caps:
            return replace(self, caps=self.caps[1:])
        if self.format in _NEXT and any(word in words for word in _FORMAT_WORDS):
            return replace(self, format=_NEXT[self.format])
        named = field_named(complaint, [name for name in sent if name not in _NEEDED])
        if named in self.caps:
            return replace(self, caps=tuple(name for name in self.caps if name != named))
        if named:
            return replace(self, refused=self.refused | {named})
        if self.system and _SYSTEM_ROLE.search(words):
            return replace(self, system=False)
        return None

    def _below(self, cap: int, complaint: str) -> "Abilities | None":
        """Return these with the bound that *complaint* names, which is less than *cap*; half of it if it names none."""
        told = [number for digits in re.findall(r"\d+", complaint) if LEAST <= (number := int(digits)) < cap]
        return replace(self, most=max(told, default=cap // 2)) if cap > LEAST else None

    def bare(self, sent: Mapping[str, Any]) -> "Abilities | None":
        """Return these without any of the settings in *sent*; None where there are none."""
        settings = frozenset(sent) - _NEEDED
        return replace(self, caps=(), refused=self.refused | settings) if settings else None

    def plainer(self) -> "Abilities | None":
        """Return these with the next simpler format, for a complaint that names nothing; None at plain text."""
        return replace(self, format=_NEXT[self.format]) if self.format in _NEXT else None

    def differences(self, other: "Abilities") -> str:
        """Return, in words, what *other* takes differently."""
        told = {
            "format": f"replies are asked for as {other.format}",
            "caps": f"their length is bounded by {other.caps[0]}" if other.caps else "no bound on their length is sent",
            "refused": f"no {' and no '.join(sorted(other.refused - self.refused))} is sent",
            "most": f"at most {other.most} tokens are asked for",
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
    settings = {name: value for name, value in {**extra, **sampling}.items() if name not in abilities.refused}
    sent: dict[str, Any] = {"model": model, "messages": _messages(request, system=abilities.system), **settings}
    if abilities.caps:
        sent.setdefault(abilities.caps[0], max(1, min(cap, abilities.most or cap)))
    wanted = "plain text" if request.lines and abilities.format == "JSON mode" else abilities.format
    if request.schema is not None and wanted == "grammar":
        sent["grammar"] = _grammar(request.schema)
    elif request.schema is not None and wanted != "plain text":
        sent["response_format"] = _format(request.schema, wanted)
    return sent


def field_named(complaint: str, names: Iterable[str]) -> str:
    """Return which of *names* a complaint is about: where it says the place of the fault, there, else the first named.

    "" is none.
    """
    for words in (_place_of(complaint), complaint):
        found = {name: _spelling(name).search(words) for name in names}
        at = {name: match.start() for name, match in found.items() if match}
        if at:
            return min(at, key=lambda name: at[name])
    return ""


def _spelling(name: str) -> re.Pattern[str]:
    """Return what finds *name* in any of its spellings: ``top_p``, ``top-p``, ``topP``."""
    return re.compile(rf"(?<![\w.-]){'[_ -]?'.join(map(re.escape, name.split('_')))}(?![\w-])", re.IGNORECASE)


def _place_of(complaint: str) -> str:
    """Return the names of the fields at fault, where a complaint says them apart from its words."""
    return " ".join(re.findall(r'"(?:param|loc|field|parameter)"\s*:\s*(\[[^\]]*\]|"[^"]*")', complaint))


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
    return {"type": "json_schema", "json_schema": {"name": title, "strict": True, "schema": schema}}
