"""Asking the model: prompts are filled, replies read; one further try shows the model its error."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from memory.prompts import INSIGHTS, QUESTIONS, RATING, Answer
from memory.replies.objects import Read, holding, read_objects
from memory.replies.refusals import is_refusal
from memory.replies.thoughts import answer_of, read_words
from sim.errors import ModelError
from sim.mind.context_window import FittedPrompt, fit, prompt_room
from sim.mind.pages import Messages, Pages
from sim.mind.reply_schemas import Shape, Turn, describe_error, memory_schema, schema_of
from sim.models.recording import Recorder
from sim.models.request import Model, Reply, Request
from sim.models.tokens import estimate_messages

R = TypeVar("R", bound=Shape)
SHOWN_AGAIN = 2_000  # characters of an unusable reply that the model is shown: enough to see what was wrong
AS_ONE_OBJECT = "Reply again, with one JSON object as asked."
NOT_AS_ASKED = "it does not have the form that was asked for. Reply again, in that form and nothing else."
COPIED = "it repeats the instructions; answer in words of your own"
PLAIN_WORDS = "plain words, where an object was asked for"
FICTION = "it steps out of the part: this is fiction, and nobody is harmed. Answer as the resident"
MEMORIES = "retrieved_memories"  # the variable of the town's prompts from which memories may be left out


_log = logging.getLogger(__name__)


class ReadReply(NamedTuple, Generic[R]):
    """A reply that could be read, with the key of its call."""

    value: R
    said: dict[str, Any]
    """The reply's own words: the fields that were read, as they stood."""
    call: str
    repairs: tuple[str, ...] = ()
    """What was amiss with the reply and could be mended, for the log."""


class Question(NamedTuple):
    """Something that the model was asked."""

    prompt: str
    decides: bool
    """Whether the answer is a decision of the town's, not a memory's own."""


class PromptClient:
    """Asks the model for one resident, under the resident's own name."""

    def __init__(self, who: str, recorder: Recorder, model: Model, sampling: Mapping[str, Any]) -> None:
        self._who, self._recorder = who, recorder
        self.model, self.sampling = model, sampling
        """Who is asked, and how; a fork may change both on the way."""
        self.context_tokens: int | None = None
        """Tokens that a prompt and its reply may have together; None sets no bound."""
        self.pages = Pages()
        """What prompts are filled from."""
        self.now: datetime | None = None
        """The town's time, by which a reply's "today" is read; None where there is none."""
        self.about = ""
        """Who the resident is, for the prompts of the memory, which do not say; "" tells the model nothing of it."""
        self.asked: list[Question] = []
        """What was asked, second tries aside, since somebody took note of it."""
        self.workers: Executor | None = None
        """Where ratings may be asked for beside what else is asked; None asks one call after another."""
        self._ahead: dict[str, Future[Answer]] = {}
        """Ratings under way, by the text that is rated."""
        self._rated: set[str] = set()
        self._has_warned = False

    def rate_ahead(self, texts: Iterable[str]) -> None:
        """Begin to ask how important *texts* are, where that may go on beside what else is asked, once for each.

        Whoever asks for the rating later gets this answer: what is asked, and in which order the log tells of it,
        is the same as without.
        """
        if self.workers is None:
            return
        for text in texts:
            if text.strip() and text not in self._rated:
                self._rated.add(text)
                variables = {"agent_name": self._who, "observation": text}
                self._ahead[text] = self.workers.submit(self._tried, RATING, variables, None)

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Return the reply to one of the memory's prompts, without what the model thought aloud.

        Raises:
            ModelError: If there is no answer in it.
        """
        self.asked.append(Question(prompt_name, decides=False))
        return self._answer(prompt_name, variables, None).text

    def answer(self, prompt_name: str, unusable: str | None, /, **variables: str) -> Answer:
        """Return the answer to one of the memory's prompts; the model is shown a reply of it that would not do."""
        if unusable is None:
            self.asked.append(Question(prompt_name, decides=False))
            begun = self._ahead.pop(variables.get("observation", ""), None) if prompt_name == RATING else None
            if begun is not None:
                return begun.result()
        return self._tried(prompt_name, variables, unusable)

    def _tried(self, prompt_name: str, variables: Mapping[str, str], unusable: str | None) -> Answer:
        try:
            return self._answer(prompt_name, variables, unusable)
        except ModelError as error:
            return Answer("", call=error.call, failure=f"{type(error).__name__}: {error}")

    def _answer(self, prompt_name: str, variables: Mapping[str, str], unusable: str | None) -> Answer:
        def fill(given: Mapping[str, str]) -> Messages:
            messages = self.pages.memory_messages(prompt_name, given, self.about)
            return messages if unusable is None else _complain(messages, unusable, NOT_AS_ASKED)

        name, lines = _expendable_lines(prompt_name, variables)
        fitted = self._fit(prompt_name, variables, name, lines, fill)
        schema = memory_schema(prompt_name, fitted.variables)
        reply = self._send(prompt_name, fitted, fill(fitted.variables), schema, lines=True)
        try:
            return Answer(read_words(reply.text), call=reply.call)
        except ValueError as error:
            raise ModelError(f"the reply to {prompt_name} could not be used: {error}", reply.call) from error

    def ask(
        self,
        prompt: str,
        variables: Mapping[str, str],
        shape: type[R],
        expendable: Iterable[str] = (),
        others: Sequence[str] = (),
        choices: Mapping[str, Sequence[str]] | None = None,
        doubt: Callable[[R], str] = lambda _: "",
    ) -> ReadReply[R]:
        """Return the reply to one of the town's prompts, read as *shape*.

        Args:
            expendable: Lines of `MEMORIES` that may be left out where the prompt would not fit, the first to go first.
            others: Whoever the reply may put words into the mouth of; those are not taken for the resident's own.
            choices: What a field may name, for servers that hold a reply to its schema.
            doubt: What is unclear about a reply that could be read, "" if nothing: the model is asked again, once,
                and a second reply that can be read counts, or else the first one.

        Raises:
            ModelError: If neither the first nor a second reply, which was shown the error, could be read: a refusal
                is told that this is fiction.
        """
        lines, problem, reply = list(expendable), "", Reply("")
        doubtful: ReadReply[R] | None = None
        self.asked.append(Question(prompt, decides=True))

        def fill(given: Mapping[str, str]) -> Messages:
            messages = self.pages.town_messages(prompt, given)
            return _complain(messages, reply.text, f"{problem}. {AS_ONE_OBJECT}") if problem else messages

        for _ in range(2):
            fitted = self._fit(prompt, variables, MEMORIES, lines, fill)
            try:
                reply = self._send(prompt, fitted, fill(fitted.variables), schema_of(shape, choices))
                read = _read(reply, prompt, shape, (self._who, *others), self.now, self.pages)
                if problem or not (problem := doubt(read.value)):
                    return read
                doubtful = read
            except ValidationError as error:
                problem = describe_error(error)
            except ValueError as error:
                problem = str(error)
            except ModelError:
                if doubtful is None:
                    raise
        if doubtful is not None:
            return doubtful
        raise ModelError(f"two replies to {prompt} could not be used: {problem}", reply.call)

    def _fit(
        self,
        prompt: str,
        variables: Mapping[str, str],
        name: str,
        expendable: Iterable[str],
        fill: Callable[[Mapping[str, str]], Messages],
    ) -> FittedPrompt:
        """Return what fits into the model's context; once, the program's log says that something is left out."""
        room = prompt_room(self.context_tokens, self.sampling.get("max_tokens"))
        fitted = fit(variables, name, expendable, lambda given: estimate_messages(fill(given)), room)
        if fitted.left_out and not self._has_warned:
            self._has_warned = True
            _log.warning(
                "%s: %d memories are left out of %s to keep within model.context_tokens = %s; "
                "calls.jsonl says for each call how many (left_out)",
                self._who, fitted.left_out, prompt, self.context_tokens,
            )  # fmt: skip
        return fitted

    def _send(
        self,
        prompt: str,
        fitted: FittedPrompt,
        messages: Messages,
        schema: Mapping[str, Any] | None,
        *,
        lines: bool = False,
    ) -> Reply:
        asked = (self._who, prompt, fitted.variables, tuple(messages), schema, self.sampling)
        request = Request(*asked, lines, fitted.left_out, self.pages.mark(prompt))
        return self._recorder.ask(request, self.model)


def _read(
    reply: Reply, prompt: str, shape: type[R], people: Sequence[str], now: datetime | None, pages: Pages
) -> ReadReply[R]:
    """Return what *reply* says.

    Raises:
        ValueError: If it cannot be read as *shape*, refuses, or repeats the instructions.
    """
    problems: list[ValueError] = []
    for read in reversed(_objects_in(reply.text, shape)):  # what stands before the last was a draft
        notes: dict[str, Any] = {"left_out": [], "people": list(people), "now": now}
        try:
            said = _object_asked_for(read, shape)
            value = shape.model_validate(said, context=notes)
        except ValueError as error:
            problems.append(error)
            continue
        if value.out_of_character or any(map(is_refusal, value.texts)):
            raise ValueError(FICTION)
        if any(pages.is_of_the_instructions(text, prompt) for text in value.texts):
            problems.append(ValueError(COPIED))
            continue
        repairs = [*(["only like JSON"] if read.repaired else []), *(["cut short"] if read.cut else [])]
        repairs += [PLAIN_WORDS] if read.value == {"say": value.texts[0]} and "{" not in reply.text else []
        return ReadReply(value, _known_fields(said, shape), reply.call or "", (*repairs, *notes["left_out"]))
    raise problems[0]


def _objects_in(text: str, shape: type[Shape]) -> list[Read]:
    """Return the objects in a reply; where speech is asked for and there is none, plain words are what is said.

    Raises:
        ValueError: If there is nothing to read.
    """
    try:
        return read_objects(text)
    except ValueError:
        words = answer_of(text)
        if is_refusal(words):
            raise ValueError(FICTION) from None
        if shape is not Turn or not words or "{" in words:
            raise
        return [Read({"say": words})]


def _object_asked_for(read: Read, shape: type[BaseModel]) -> dict[str, Any]:
    """Return the object that was asked for; a bare list is taken for its list.

    Raises:
        ValueError: If the reply was cut and is no list, of which the whole entries would do.
    """
    required = [field.alias or name for name, field in shape.model_fields.items() if field.is_required()]
    asked, listed = holding(read.value, required), getattr(shape, "listed", "")
    if asked is not None:
        return asked
    if isinstance(read.value, list):
        return {listed: read.value} if listed else read.value[0]
    if read.cut:
        raise ValueError("the JSON object is not complete")
    return dict(read.value)


def _expendable_lines(prompt: str, variables: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the variable of a prompt of the memory from which lines may be left out, and them, the first to go first.

    Of what is looked back on the oldest goes first, of numbered statements the last: the others keep their numbers.
    """
    if prompt == QUESTIONS:
        return "recent_memories", variables["recent_memories"].split("\n")
    name = "numbered_retrieved_memories"
    return name, variables[name].split("\n")[::-1] if prompt == INSIGHTS else []


def _complain(messages: Messages, text: str, problem: str) -> Messages:
    """Return the messages that show the model its reply and what was wrong with it.

    Roles take turns, and no message is empty: some chat templates insist on both.
    """
    again = f"That reply could not be used: {problem}"
    shown = answer_of(text)[:SHOWN_AGAIN]
    if shown:
        return [*messages, _message("assistant", shown), _message("user", again)]
    return [*messages[:-1], _message("user", f"{messages[-1]['content']}\n\nYour last reply was empty. {again}")]


def _known_fields(read: Mapping[str, Any], shape: type[BaseModel]) -> dict[str, Any]:
    """Return what a reply said in the fields that its shape has; nulls are left out."""
    known = {name for key, field in shape.model_fields.items() for name in (key, field.alias)}
    return {key: value for key, value in read.items() if key in known and value is not None}


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
