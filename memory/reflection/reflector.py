"""Asking a reflector: first for questions, then for insights."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from memory import prompts
from memory.prompts import Completer
from memory.record import Memory
from memory.replies.insights import Draft, parse_insights, parse_questions

_Parsed = TypeVar("_Parsed")


class Reflector:
    """Reflects for one agent: one call for questions, one for insights, neither repeated."""

    def __init__(self, model: Completer | None, agent_name: str, *, stop_on: tuple[type[Exception], ...] = ()) -> None:
        self.model = model
        self.calls: list[str] = []
        """Names of the calls since `questions` were last asked for, where the model names its calls."""
        self._agent_name, self._stop_on = agent_name, stop_on

    def questions(self, recent: Iterable[Memory], most: int) -> list[str]:
        """Return up to *most* questions about *recent*.

        Raises:
            Unusable: If the model fails or replies none.
        """
        self.calls = []
        return self._ask(
            prompts.QUESTIONS,
            lambda reply: parse_questions(reply, most),
            recent_memories=prompts.list_dated(recent),
        )

    def insights(self, questions: Sequence[str], statements: Iterable[str]) -> list[Draft]:
        """Return the insights inferred from *statements*, which are cited by their place, from 1.

        Raises:
            Unusable: If the model fails or replies no insight that cites anything.
        """
        return self._ask(
            prompts.INSIGHTS,
            parse_insights,
            questions="\n".join(questions),
            numbered_retrieved_memories=prompts.list_numbered(statements),
        )

    def _ask(self, prompt: str, parse: Callable[[str], _Parsed | None], **variables: str) -> _Parsed:
        assert self.model is not None
        named = {"agent_name": self._agent_name, **variables}
        # Who is not shown what was amiss gets the same words again, which would cost as much, and fail.
        tries = 2 if isinstance(self.model, prompts.Answerer) else 1
        return prompts.ask(self.model, prompt, parse, named, tries=tries, stop_on=self._stop_on, calls=self.calls)
