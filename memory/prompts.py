"""Prompts: package files with ``{{name}}`` in them, filled once, and the asking of whoever answers them."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.resources import files
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
_Parsed = TypeVar("_Parsed")


class Completer(Protocol):
    """Whatever answers a prompt: a rater or a reflector.

    A reply, or an error that is raised, may have an attribute ``call``, the name by which a record of calls knows it
    (see `NamedReply`): what the stream journals then tells of it.
    """

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Return the reply to the prompt of that name, filled with *variables*."""
        ...


@runtime_checkable
class Mender(Protocol):
    """A completer that can be shown a reply of its own that would not do."""

    def mend(self, prompt_name: str, reply: str, /, **variables: str) -> str:
        """Return another reply to the prompt of that name, of which *reply* could not be used."""
        ...


class NamedReply(str):
    """A reply that knows the name of its call."""

    call: str

    def __new__(cls, text: str, call: str) -> "NamedReply":
        """Return *text* as a reply of that call."""
        reply = super().__new__(cls, text)
        reply.call = call
        return reply


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


def fill_text(template: str, variables: Mapping[str, str]) -> str:
    """Return *template* with each ``{{name}}`` replaced; what is put in is not searched for braces again.

    Raises:
        InputError: If a variable is missing, is not used, or is no text.
    """
    names = variables_of(template)
    problems = [f"{{{{{name}}}}} has no value" for name in sorted(names - variables.keys())]
    problems += [f"{name!r} is not used by the prompt" for name in sorted(variables.keys() - names)]
    problems += [f"{name!r} is no text: {text!r}" for name, text in variables.items() if not isinstance(text, str)]
    if problems:
        raise InputError("cannot fill the prompt: " + "; ".join(problems))
    return _VARIABLE.sub(lambda match: variables[match[1]], template)


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

    A model that raises is not asked again: whatever retries make sense, it has made itself.  One that can mend
    (see `Mender`) is shown the reply that would not do; others get the same words again.

    Args:
        calls: Is given the name of each call, where the model names its calls.

    Raises:
        Unusable: If the model raised, or *parse* returned None each time.
        Exception: Whatever is among *stop_on*, as the model raised it.
    """
    reply = ""
    for asked in range(tries):
        try:
            if asked and isinstance(model, Mender):
                reply = model.mend(prompt, reply, **variables)
            else:
                reply = model.complete(prompt, **variables)
        except stop_on:
            raise
        except Exception as error:  # a model is foreign code: there is no narrower type to name
            _note_call(calls, error)
            raise Unusable(prompt, f"the model failed: {type(error).__name__}: {error}") from error
        _note_call(calls, reply)
        parsed = parse(writable(reply)) if isinstance(reply, str) else None
        if parsed is not None:
            return parsed
    often = f" (asked {tries} times)" if tries > 1 else ""
    raise Unusable(prompt, f"nothing usable in the reply {shown(reply)}{often}")


def _note_call(calls: list[str] | None, outcome: object) -> None:
    name = getattr(outcome, "call", None)
    if calls is not None and isinstance(name, str):
        calls.append(name)


def _moment(memory: Memory) -> str:
    at = memory.created
    return f"{_DAYS[at.weekday()]} {at.day} {_MONTHS[at.month - 1]} {at:%H:%M}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
