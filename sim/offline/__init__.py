"""The offline model: a rule-based reader that answers each prompt from that prompt's own variables.

It needs no key, no network and no weights, and is no language model: it is there so that every path can be run, tested
and costed for nothing.  It knows no name, place or topic of any town.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache

from sim.errors import ModelError
from sim.models.request import Reply, Request
from sim.offline import acting, appointments, conversation, interview, reflecting, standing
from sim.offline.rating import OfflineRater


class OfflineModel:
    """Answers by rule; the same variables always give the same answer."""

    name = "offline"

    def __init__(self) -> None:
        self._rater = OfflineRater()
        self._rate = lru_cache(maxsize=50_000)(self._rater.rate)  # a pure function; a town's sentences recur all day
        self._answers: Mapping[str, Callable[[dict[str, str]], str]] = {
            "importance_rating": lambda v: str(self._rate(v["agent_name"], v["observation"])),
            "importance_rating_batch": lambda v: self._rater.rate_lines(v["agent_name"], v["observations"]),
            "reflection_questions": lambda v: reflecting.questions(v["agent_name"], v["recent_memories"]),
            "reflection_insights": lambda v: reflecting.insights(
                v["agent_name"], v["questions"], v["numbered_retrieved_memories"]
            ),
            "agent_action": lambda v: acting.act(v, self._rates(v)),
            "plan_day": lambda v: appointments.plan(v, self._rates(v)),
            "dialogue_turn": lambda v: conversation.turn(v, self._rates(v)),
            "talk_summary": lambda v: conversation.summary(v, self._rates(v)),
            "interview": interview.answer,
            "rank_answers": interview.rank_answers,
            "interaction_note": standing.note,
            "relationship_summary": standing.summary,
            "thread_gist": standing.gist,
            "town_mood": standing.mood,
            "affect_check": standing.check,
            "affect_rewrite": standing.rewrite,
            "consolidation_paragraph": lambda v: reflecting.paragraph(v, self._rates(v)),
            "consolidation_sentence": reflecting.sentence,
        }

    def _rates(self, variables: dict[str, str]) -> Callable[[str], int]:
        return lambda text: self._rate(variables["agent_name"], text)

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Return the answer to the prompt *prompt_name*, whose variables are given by name.

        Raises:
            ModelError: If there is no such prompt, or a variable of it is missing.
        """
        answer = self._answers.get(prompt_name)
        if answer is None:
            raise ModelError(f"the offline model knows no prompt {prompt_name!r} (it knows {', '.join(self._answers)})")
        try:
            return answer(variables)
        except KeyError as error:
            raise ModelError(f"the prompt {prompt_name!r} lacks the variable {error}") from error

    def reply(self, request: Request) -> Reply:
        """Return the answer to *request*, of which only the prompt's name and variables are read."""
        text = self.complete(request.prompt, **request.variables)
        if request.schema is not None and not request.lines and not text.startswith("{"):
            text = json.dumps({"do": text}, ensure_ascii=False)
        return Reply(text)

    def name_for(self, request: Request) -> str:
        """Return the model's name: one answers all."""
        return self.name

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""
