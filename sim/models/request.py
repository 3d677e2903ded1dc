"""The request to a model as a value, the reply, and the one narrow interface between them."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from memory.prompts import Answer
from sim.models.roles import OFFLINE, is_rating

_MEMORIES = re.compile(r"(<(memories|statements)>)(.*?)(</\2>)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Request:
    """All that a model is told, and all that may shape its answer."""

    who: str
    """The resident that asks."""
    prompt: str
    """Name of the prompt's file."""
    variables: Mapping[str, str]
    """What was filled into the prompt."""
    messages: tuple[Mapping[str, str], ...]
    """The rendered messages, as chat endpoints take them: role, content."""
    schema: Mapping[str, Any] | None = None
    """JSON Schema of the object that is asked for; None asks for plain text."""
    sampling: Mapping[str, Any] = field(default_factory=dict)
    lines: bool = False
    """Whether plain lines, which the words ask for, will do: *schema* is then an offer to servers that can hold it."""
    left_out: int = 0
    """Memories that were left out so that the prompt keeps within ``model.context_tokens``."""
    page: str = ""
    """A hash of the page that was filled, where it is the scenario's own."""

    def body(self) -> dict[str, Any]:
        """Return the request as `calls.jsonl` holds it."""
        return {
            "who": self.who,
            "prompt": self.prompt,
            "messages": [dict(message) for message in self.messages],
            "schema": None if self.schema is None else str(self.schema.get("title", "object")),
            "sampling": dict(self.sampling),
            **({"left_out": self.left_out} if self.left_out else {}),
            **({"page": self.page} if self.page else {}),
        }

    def key(self, model: str, nth: int) -> str:
        """Return the call's name: a hash of all that shapes the reply, and which time this resident asks it."""
        text = json.dumps([model, nth, self.body(), self.schema], ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def sampled(self, model: str, nth: int) -> "Request":
        """Return the request with what *model* is to draw its words by, as the *nth* of its prompt by this resident.

        The run's seed becomes the request's own; never by its text, or other words would change the dice.  Ratings
        are asked without chance.
        """
        sampling = dict(self.sampling)
        seed = sampling.pop("seed", None)
        if seed is not None and not is_rating(self.prompt):
            sampling["seed"] = seed_of(seed, self.who, self.prompt, nth)
        elif seed is not None and model != OFFLINE:
            sampling["temperature"] = 0.0
        return replace(self, sampling=sampling)

    def halve_memories(self) -> "Request | None":
        """Return the request with half of the memories in its prompt, rounded up; None where there are none to drop.

        They are dropped from the end, where the least relevant stand, and at least one stays.
        """
        smaller = tuple({**message, "content": _MEMORIES.sub(_halve, message["content"])} for message in self.messages)
        return None if smaller == tuple(map(dict, self.messages)) else replace(self, messages=smaller)


def seed_of(seed: int, who: str, prompt: str, nth: int) -> int:
    """Return the seed of a request, at most 31 bits long, which all servers take."""
    named = json.dumps([seed, who, prompt, nth], ensure_ascii=False)
    return int.from_bytes(hashlib.sha256(named.encode()).digest()[:4]) >> 1


def _halve(block: re.Match[str]) -> str:
    lines = block[3].splitlines()
    return f"{block[1]}{chr(10).join(lines[: (len(lines) + 1) // 2])}{block[4]}"


@dataclass(frozen=True, slots=True)
class Reply(Answer):
    """What a model answered, and what it took."""

    tokens_in: int | None = None
    """As the server counts; None where it does not say."""
    tokens_out: int | None = None
    tokens_cached: int = 0
    """Those of *tokens_in* that the server had cached."""
    attempts: int = 1
    """Requests that were sent for it."""
    model: str = ""
    """The model that answered, by the server's word; "" where it does not say."""
    fingerprint: str = ""
    """The state of that model, by the server's word."""


class Model(Protocol):
    """A language model, or what stands in for one."""

    @property
    def name(self) -> str:
        """The name that the run's manifest shows."""

    def reply(self, request: Request) -> Reply:
        """Return the answer.

        Raises:
            ModelError: If there is none; the resident carries on without.
            RunStopped: If none can be expected for any request.
        """

    def name_for(self, request: Request) -> str:
        """Return the name of the model that answers *request*; it is part of the call's key."""

    def close(self) -> None:
        """Close connections and files."""
