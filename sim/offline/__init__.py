"""The offline model: a rule-based mind that answers each prompt from its own variables and the request's seed.

It needs no key, no network and no weights, and is no language model: it is there so that every path can be run, tested
and costed for nothing.  It knows no name, place or topic of any town.
"""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache

from sim.errors import ModelError
from sim.models.request import Reply, Request
from sim.offline import (
    acting,
    interview,
    keeping,
    planning,
    ranking,
    reflecting,
    self_view,
    standing,
    steps,
    survey,
    talking,
)
from sim.offline.choice import Dice
from sim.offline.rating import OfflineRater
from sim.offline.reactions import Rate


class OfflineModel:
    """Answers by rule; the same variables with the same seed always give the same answer."""

    name = "offline"

    def __init__(self) -> None:
        self._rater = OfflineRater()
        self._rate = lru_cache(maxsize=50_000)(self._rater.rate)  # a pure function; a town's sentences recur all day
        self._answers: Mapping[str, Callable[[Mapping[str, str]], str]] = {
            "importance_rating": lambda v: str(self._rate(v["agent_name"], v["observation"])),
            "importance_rating_batch": lambda v: self._rater.rate_lines(v["agent_name"], v["observations"]),
            "reflection_questions": lambda v: reflecting.questions(v["agent_name"], v["recent_memories"]),
            "reflection_insights": lambda v: reflecting.insights(
                v["agent_name"], v["questions"], v["numbered_retrieved_memories"]
            ),
            "rank_answers": ranking.rank_answers,
            "interaction_note": standing.note,
            "relationship_summary": standing.summary,
            "thread_gist": standing.gist,
            "town_mood": standing.mood,
            "affect_check": standing.check,
            "affect_rewrite": standing.rewrite,
            "consolidation_paragraph": lambda v: reflecting.paragraph(v, self._rates(v)),
            "consolidation_sentence": reflecting.sentence,
        }
        self._choices: Mapping[str, Callable[[Mapping[str, str], Rate, Dice], str]] = {
            "agent_action": acting.act,
            "plan_day": planning.plan,
            "plan_part": steps.plan_part,
            "renew_summary": self_view.renew,
            "dialogue_turn": talking.turn,
            "talk_summary": keeping.summary,
            "interview": interview.answer,
            "survey": survey.answer,
        }

    def _rates(self, variables: Mapping[str, str]) -> Rate:
        return lambda text: self._rate(variables["agent_name"], text)

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Return the answer to the prompt *prompt_name*, whose variables are given by name, without chance.

        Raises:
            ModelError: If there is no such prompt, or a variable of it is missing.
        """
        return self._answer(prompt_name, variables, None)

    def _answer(self, prompt: str, variables: Mapping[str, str], seed: int | None) -> str:
        answer, choice = self._answers.get(prompt), self._choices.get(prompt)
        try:
            if choice is not None:
                return choice(variables, self._rates(variables), Dice(seed))
            if answer is not None:
                return answer(variables)
        except KeyError as error:
            raise ModelError(f"the prompt {prompt!r} lacks the variable {error}") from error
        known = ", ".join([*self._choices, *self._answers])
        raise ModelError(f"the offline model knows no prompt {prompt!r} (it knows {known})")

    def reply(self, request: Request) -> Reply:
        """Return the answer to *request*, of which only the prompt's name, variables and seed are read."""
        seed = request.sampling.get("seed")
        text = self._answer(request.prompt, request.variables, seed if isinstance(seed, int) else None)
        if request.schema is not None and not request.lines and not text.startswith("{"):
            text = json.dumps({"do": text}, ensure_ascii=False)
        return Reply(text)

    def name_for(self, request: Request) -> str:
        """Return the model's name: one answers all."""
        return self.name

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""
