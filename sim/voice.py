"""A resident's line to the model: prompts are filled, replies read; one further try shows the model its error."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from memory.prompts import fill_text, load_prompt
from sim.errors import ModelError
from sim.models.recording import Recorder
from sim.models.request import Request

R = TypeVar("R", bound=BaseModel)


class Answered(NamedTuple, Generic[R]):
    """A reply that could be read, with the key of its call."""

    value: R
    said: dict[str, Any]
    """The reply's own words: the fields that were read, as they stood."""
    call: str


def first_object(text: str) -> Any:
    """Return the first complete JSON object in *text*.

    Raises:
        ValueError: If there is none.
    """
    decoder = json.JSONDecoder(strict=False)
    for match in re.finditer(r"\{", text):
        try:
            return decoder.raw_decode(text, match.start())[0]
        except ValueError:
            continue
    raise ValueError("there is no complete JSON object in the reply")


class Voice:
    """What one resident asks of the model, under the resident's own name."""

    def __init__(self, who: str, recorder: Recorder, sampling: Mapping[str, Any]) -> None:
        self._who, self._recorder, self._sampling = who, recorder, sampling

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Return the reply to one of the memory's prompts, as it stands."""
        messages = [_message("user", fill_text(load_prompt("memory", prompt_name), variables))]
        return self._send(prompt_name, variables, messages, None)[0]

    def ask(
        self,
        prompt: str,
        variables: Mapping[str, str],
        shape: type[R],
        check: Callable[[R], None] = lambda _: None,
    ) -> Answered[R]:
        """Return the reply to one of the town's prompts, read as *shape*.

        Args:
            check: Raises ValueError, in words that the model can act on, for a reply that will not do.

        Raises:
            ModelError: If neither the first nor a second reply, which was shown the error, could be read.
        """
        messages = town_messages(prompt, variables)
        problem = ""
        for _ in range(2):
            text, call = self._send(prompt, variables, messages, shape.model_json_schema())
            try:
                read = first_object(text)
                value = shape.model_validate(read)
                check(value)
                return Answered(value, _fields(read, shape), call)
            except ValidationError as error:
                problem = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:3])
            except ValueError as error:
                problem = str(error)
            again = f"That reply could not be used: {problem}. Reply again, with one JSON object as asked."
            messages = [*messages, _message("assistant", text), _message("user", again)]
        raise ModelError(f"two replies to {prompt} could not be used: {problem}")

    def _send(
        self,
        prompt: str,
        variables: Mapping[str, str],
        messages: list[dict[str, str]],
        schema: Mapping[str, Any] | None,
    ) -> tuple[str, str]:
        request = Request(self._who, prompt, variables, tuple(messages), schema, self._sampling)
        reply, call = self._recorder.ask(request)
        return reply.text, call


def _fields(read: dict[str, Any], shape: type[BaseModel]) -> dict[str, Any]:
    """Return what a reply said in the fields that its shape has; nulls are left out."""
    known = {name for key, field in shape.model_fields.items() for name in (key, field.alias)}
    return {key: value for key, value in read.items() if key in known and value is not None}


def town_messages(prompt: str, variables: Mapping[str, str]) -> list[dict[str, str]]:
    """Return one of the town's prompts, filled; the seed's own has what is the same for all residents before it."""
    if prompt != "agent_action":
        return [_message("user", fill_text(load_prompt("sim", prompt), variables))]
    own = {name: value for name, value in variables.items() if name != "town_map"}
    shared = fill_text(load_prompt("sim", "action_format"), {"town_map": variables["town_map"]})
    return [_message("system", shared), _message("user", fill_text(load_prompt("sim", prompt), own))]


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
