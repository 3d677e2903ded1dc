"""A resident's line to the model: prompts are filled, replies read; one further try shows the model its error."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from memory.prompts import fill_text, load_prompt
from sim.errors import ModelError
from sim.models.recording import Recorder
from sim.models.request import Model, Request
from sim.replies import Shape, schema_of, told
from sim.reply_text import Read, is_refusal, plain_answer, read_object, without_thoughts

R = TypeVar("R", bound=BaseModel)
SHOWN_AGAIN = 2_000  # characters of an unusable reply that the model is shown: enough to see what was wrong


class Answered(NamedTuple, Generic[R]):
    """A reply that could be read, with the key of its call."""

    value: R
    said: dict[str, Any]
    """The reply's own words: the fields that were read, as they stood."""
    call: str
    repairs: tuple[str, ...] = ()
    """What was amiss with the reply and could be mended, for the log."""


class Voice:
    """What one resident asks of the model, under the resident's own name."""

    def __init__(self, who: str, recorder: Recorder, model: Model, sampling: Mapping[str, Any]) -> None:
        self._who, self._recorder = who, recorder
        self.model, self.sampling = model, sampling
        """Who is asked, and how; a fork may change both on the way."""

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Return the reply to one of the memory's prompts, without what the model thought aloud.

        Raises:
            ModelError: If there is no answer in it.
        """
        messages = [_message("user", fill_text(load_prompt("memory", prompt_name), variables))]
        text, _ = self._send(prompt_name, variables, messages, None)
        try:
            return plain_answer(text)
        except ValueError as error:
            raise ModelError(f"the reply to {prompt_name} could not be used: {error}") from error

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
            ModelError: If the model refused, or neither the first nor a second reply, which was shown the error,
                could be read.
        """
        messages = town_messages(prompt, variables)
        problem = ""
        for _ in range(2):
            text, call = self._send(prompt, variables, messages, schema_of(shape))
            try:
                answered = _read(text, shape, call)
                check(answered.value)
            except ValidationError as error:
                problem = told(error)
            except ValueError as error:
                problem = str(error)
            else:
                return answered
            messages = _complain(messages, text, problem)
        raise ModelError(f"two replies to {prompt} could not be used: {problem}")

    def _send(
        self,
        prompt: str,
        variables: Mapping[str, str],
        messages: list[dict[str, str]],
        schema: Mapping[str, Any] | None,
    ) -> tuple[str, str]:
        request = Request(self._who, prompt, variables, tuple(messages), schema, self.sampling)
        reply, call = self._recorder.ask(request, self.model)
        return reply.text, call


def _read(text: str, shape: type[R], call: str) -> Answered[R]:
    """Return what *text* says.

    Raises:
        ValueError: If it cannot be read as *shape*.
        ModelError: If it is a refusal: asking again in other words would not be this resident's question.
    """
    try:
        read = read_object(text)
    except ValueError:
        if is_refusal(without_thoughts(text)):
            raise _refused() from None
        raise
    notes: dict[str, list[str]] = {"left_out": []}
    said = _as_asked(read, shape)
    value = shape.model_validate(said, context=notes)
    if isinstance(value, Shape) and is_refusal(value.words):
        raise _refused()
    repairs = [*(["only like JSON"] if read.repaired else []), *(["cut short"] if read.cut else [])]
    return Answered(value, _fields(said, shape), call, (*repairs, *notes["left_out"]))


def _as_asked(read: Read, shape: type[BaseModel]) -> dict[str, Any]:
    """Return the object that was asked for: a bare list is taken for its list, of several objects the first counts.

    Raises:
        ValueError: If the reply was cut and is no list, of which the whole entries would do.
    """
    listed = getattr(shape, "listed", "")
    if isinstance(read.value, list):
        return {listed: read.value} if listed else read.value[0]
    if read.cut and any(field.is_required() and name not in read.value for name, field in _by_alias(shape).items()):
        raise ValueError("the JSON object is not complete")
    return dict(read.value)


def _by_alias(shape: type[BaseModel]) -> dict[str, Any]:
    return {field.alias or name: field for name, field in shape.model_fields.items()}


def _refused() -> ModelError:
    return ModelError("the model refused to answer")


def _complain(messages: list[dict[str, str]], text: str, problem: str) -> list[dict[str, str]]:
    """Return the messages that show the model its reply and what was wrong with it.

    Roles take turns, and no message is empty: some chat templates insist on both.
    """
    again = f"That reply could not be used: {problem}. Reply again, with one JSON object as asked."
    shown = without_thoughts(text)[:SHOWN_AGAIN]
    if shown:
        return [*messages, _message("assistant", shown), _message("user", again)]
    return [*messages[:-1], _message("user", f"{messages[-1]['content']}\n\nYour last reply was empty. {again}")]


def _fields(read: Mapping[str, Any], shape: type[BaseModel]) -> dict[str, Any]:
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
