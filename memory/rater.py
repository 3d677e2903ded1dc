"""Asking a rater how important memories are, with a fall-back that is never silent."""

import logging
from collections.abc import Sequence
from typing import NamedTuple

from memory import prompts
from memory.errors import Unusable
from memory.prompts import Completer
from memory.record import Fell
from memory.replies.ratings import parse_rating, parse_ratings

_log = logging.getLogger(__name__)

FALL_BACK = 5.0  # the middle of the scale


class Rating(NamedTuple):
    """An importance, and why it is the fall-back where it is."""

    value: float
    fell: Fell | None = None


class Rater:
    """Rates texts for one agent."""

    def __init__(
        self,
        model: Completer | None,
        agent_name: str,
        *,
        cache: bool = False,
        stop_on: tuple[type[Exception], ...] = (),
    ) -> None:
        self._model, self._agent_name, self._stop_on = model, agent_name, stop_on
        self._known: dict[str, Rating] | None = {} if cache else None
        self._said = False

    def rate(self, texts: Sequence[str], batch: int = 1) -> list[Rating]:
        """Return an importance per text, asking about up to *batch* texts at once.

        A reply that is no rating is asked for once more; then, or where the rater raises, it is 5 with the
        reason.  A batch whose reply does not hold exactly one rating per text is rated one by one.
        """
        cache = self._known  # `forget` puts another in its place, also while a model is asked
        known = {} if cache is None else cache
        asked = [text for text in texts if text not in known]
        if cache is not None:
            asked = list(dict.fromkeys(asked))
        answers: list[Rating] = []
        for start in range(0, len(asked), batch):
            answers += self._some(asked[start : start + batch])
        if cache is None:
            return answers
        fresh = dict(zip(asked, answers, strict=True))
        cache.update({text: rated for text, rated in fresh.items() if rated.fell is None})
        return [cache.get(text) or fresh[text] for text in texts]

    def forget(self) -> None:
        """Forget which texts were rated, where they are cached."""
        if self._known is not None:
            self._known = {}

    def _some(self, texts: Sequence[str]) -> list[Rating]:
        if self._model is None:
            self._say_once()
            return [Rating(FALL_BACK) for _ in texts]
        if len(texts) > 1:
            variables = {"agent_name": self._agent_name, "observations": prompts.list_numbered(texts)}
            try:
                ratings = prompts.ask(
                    self._model,
                    prompts.RATING_BATCH,
                    lambda reply: parse_ratings(reply, len(texts)),
                    variables,
                    stop_on=self._stop_on,
                )
                return [Rating(float(rating)) for rating in ratings]
            except Unusable as failure:
                _log.warning("%s: %s: rated one by one instead", self._agent_name, failure)
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Rating:
        assert self._model is not None
        variables = {"agent_name": self._agent_name, "observation": text}
        try:
            rating = prompts.ask(self._model, prompts.RATING, parse_rating, variables, tries=2, stop_on=self._stop_on)
        except Unusable as failure:
            reason = f"{failure.reason}: importance is {FALL_BACK:g}"
            return Rating(FALL_BACK, Fell(failure.prompt, reason, failure.call))
        return Rating(float(rating))

    def _say_once(self) -> None:
        if not self._said:
            _log.warning("%s: no rater and no importance passed: importance is %g", self._agent_name, FALL_BACK)
        self._said = True
