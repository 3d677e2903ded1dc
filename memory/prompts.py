"""Prompts: package files with ``{{name}}`` in them, filled once, and the asking of whoever answers them."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from inspect import isawaitable, iscoroutine
from typing import Protocol, TypeVar, runtime_checkable

from memory.arguments import shown
from memory.errors import InputError, Unusable
from memory.record import Memory, writable

RATING = "importance_rating"
RATING_BATCH = "importance_rating_batch"
QUESTIONS = "reflection_questions"
INSIGHTS = "reflection_insights"

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")  # English whatever the locale
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_VARIABLE = re.compile(r"\{\{(\w+)\}\}")
_FENCE = re.compile(r"</(\w+)>")
_CONTROLS = ("system", "user", "assistant", "tool", "s", "start_of_turn", "end_of_turn", "SYS")
"""Names of tags by which chat templates mark who speaks."""
_Parsed = TypeVar("_Parsed")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a prompt: a reply, or why there is none."""

    text: str
    """The reply; empty where there is none."""
    call: str | None = field(default=None, kw_only=True)
    """The name by which a record of calls knows it: what a stream journals then tells of it."""
    failure: str | None = field(default=None, kw_only=True)
    """Why there is no reply."""


class Completer(Protocol):
    """Whatever answers a prompt: a rater or a reflector."""

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Return the reply to the prompt of that name, filled with *variables*."""
        ...


@runtime_checkable
class Answerer(Protocol):
    """A completer that names its calls, and can be shown a reply of its own that would not do."""

    def answer(self, prompt_name: str, unusable: str | None, /, **variables: str) -> Answer:
        """Return the answer to the prompt of that name; where *unusable* is one that could not be used, another."""
        ...


@cache
def load_prompt(package: str, name: str) -> str:
    """Return the text of the prompt *name* in the folder ``prompts`` of *package*.

    Raises:
        InputError: If there is no such prompt.
    """
    page = files(package) / "prompts" / f"{name}.md"
    if not page.is_file():
        raise InputError(f"no prompt {name!r} in package {package!r} (looked for prompts/{name}.md)")
    return page.read_text(encoding="utf-8")


def prompt_hashes(package: str) -> dict[str, str]:
    """Return a hash of each prompt of *package* by its name, so that runs under other words can be told apart."""
    pages = [page for page in files(package).joinpath("prompts").iterdir() if page.name.endswith(".md")]
    return {
        page.name.removesuffix(".md"): hashlib.sha256(page.read_bytes()).hexdigest()[:16]
        for page in sorted(pages, key=lambda page: page.name)
    }


def variables_of(template: str) -> frozenset[str]:
    """Return the names that stand in double braces."""
    return frozenset(_VARIABLE.findall(template))


def as_data(text: str, tags: Iterable[str] = ()) -> str:
    """Return *text* such that it closes no fence and opens no role in a prompt: the bracket of a tag becomes another.

    Args:
        tags: Names of the prompt's own fences.
    """
    if "<" not in text and "[" not in text:
        return text
    names = "|".join(sorted({*tags, *_CONTROLS}))
    text = re.sub(rf"<(?=\s*(?:\||<?\s*/?\s*(?:{names})\b))", "‹", text, flags=re.IGNORECASE)
    return re.sub(r"\[(?=\s*/?\s*INST\s*\])", "(", text, flags=re.IGNORECASE)


def fill_text(template: str, variables: Mapping[str, str]) -> str:
    """Return *template* with each ``{{name}}`` replaced; what is put in is not searched for braces again.

    What is put in is data: it cannot close a fence of the template, nor open a role of the chat's.

    Raises:
        InputError: If a variable is missing, is not used, or is no text.
    """
    names = variables_of(template)
    problems = [f"{{{{{name}}}}} has no value" for name in sorted(names - variables.keys())]
    problems += [f"{name!r} is not used by the prompt" for name in sorted(variables.keys() - names)]
    problems += [f"{name!r} is no text: {text!r}" for name, text in variables.items() if not isinstance(text, str)]
    if problems:
        raise InputError("cannot fill the prompt: " + "; ".join(problems))
    fences = _FENCE.findall(template)
    return _VARIABLE.sub(lambda match: as_data(variables[match[1]], fences), template)


def fill(name: str, variables: Mapping[str, str]) -> str:
    """Return the prompt *name* of this package, filled with *variables*."""
    return fill_text(load_prompt("memory", name), variables)


def list_dated(memories: Iterable[Memory]) -> str:
    """Return one memory a line: ``- Mon 13 Feb 08:00: text``."""
    return "\n".join(f"- {_moment(memory)}: {_one_line(memory.text)}" for memory in memories)


def list_numbered(texts: Iterable[str]) -> str:
    """Return one text a line: ``1. text``."""
    return "\n".join(f"{number}. {_one_line(text)}" for number, text in enumerate(texts, 1))


def ask(
    model: Completer,
    prompt: str,
    parse: Callable[[str], _Parsed | None],
    variables: Mapping[str, str],
    *,
    tries: int = 1,
    stop_on: tuple[type[Exception], ...] = (),
    calls: list[str] | None = None,
) -> _Parsed:
    """Return what *parse* finds in the reply to *prompt*, asking up to *tries* times.

    A model that raises is not asked again: whatever retries make sense, it has made itself.  An `Answerer` is shown
    the reply that would not do; others get the same words again.

    Args:
        calls: Is given the name of each call, where the model names its calls.

    Raises:
        Unusable: If the model raised, or *parse* returned None each time.
        Exception: Whatever is among *stop_on*, as the model raised it.
    """
    answer = Answer("")
    for asked in range(tries):
        try:
            if isinstance(model, Answerer):
                answer = model.answer(prompt, answer.text if asked else None, **variables)
            else:
                answer = Answer(model.complete(prompt, **variables))
        except stop_on:
            raise
        except Exception as error:  # a model is foreign code: there is no narrower type to name
            raise Unusable(prompt, f"the model failed: {type(error).__name__}: {error}") from error
        _refuse_awaitable(answer.text)
        if calls is not None and answer.call is not None:
            calls.append(answer.call)
        if answer.failure is not None:
            raise Unusable(prompt, f"the model failed: {answer.failure}", answer.call)
        parsed = parse(writable(answer.text)) if isinstance(answer.text, str) else None
        if parsed is not None:
            return parsed
    often = f" (asked {tries} times)" if tries > 1 else ""
    raise Unusable(prompt, f"nothing usable in the reply {shown(answer.text)}{often}", answer.call)


def _refuse_awaitable(reply: object) -> None:
    """Refuse a reply that would have to be awaited, which no check of the model's type foresees."""
    if isawaitable(reply):
        if iscoroutine(reply):
            reply.close()
        raise InputError("complete() is async, and is not awaited (use AsyncMemoryStream, or pass one that answers)")


def _moment(memory: Memory) -> str:
    at = memory.created
    return f"{_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]} {at:%H:%M}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
