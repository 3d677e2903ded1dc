"""The light engine: a log of dealings, and one short note from it."""

from collections.abc import Mapping
from datetime import datetime

from memory.language.speech_acts import Act, Gesture, acts_in
from memory.relationships.event import Heard
from memory.relationships.protocol import NoEngine, Noted
from memory.relationships.recall import Cues, Trace
from memory.relationships.settings import SocialSettings
from memory.relationships.state import Dealing, SocialState
from memory.relationships.words import one_line

_MOST_DEALINGS = 600
_SHOWN = 5
_BY_ACT: Mapping[Act, str] = {
    "insult": "quarrelled",
    "rejection": "quarrelled",
    "promise broken": "argued over a promise",
    "accusation": "quarrelled",
    "contradiction": "argued",
    "disagreement": "argued",
    "apology": "made up",
    "reconciliation": "made up",
    "help": "helped",
    "promise kept": "kept a promise",
    "thanks": "thanked",
    "praise": "praised",
    "joke": "joked",
    "evidence": "discussed",
    "agreement": "agreed",
}
_BY_GESTURE: Mapping[Gesture, str] = {"help": "helped", "smile": "smiled", "snub": "snubbed", "insult": "quarrelled"}


class LightEngine(NoEngine):
    """Logs one word per dealing and makes no model call."""

    def __init__(self, agent: str, settings: SocialSettings, state: SocialState) -> None:
        self._agent, self._settings = agent, settings
        self._dealings = list(state.dealings)

    def heard(self, heard: Heard, now: datetime) -> Noted:
        """Log what this was, once for each other that it concerns."""
        what = _what(heard)
        self._dealings += [Dealing(heard.id, other, what) for other in heard.others(self._agent)]
        del self._dealings[:-_MOST_DEALINGS]
        return Noted()

    def cues(
        self, other: str, query: str, now: datetime, *, thread: str | None = None, uncertainty: float | None = None
    ) -> Cues:
        """Return one line: ``Past dealings with Klaus: helped, argued``."""
        last = [dealing for dealing in self._dealings if dealing.other == other][-_SHOWN:]
        budgets = self._settings.budgets
        text = f"Past dealings with {other}: {', '.join(dealing.what for dealing in last)}" if last else ""
        text = one_line(text, min(budgets.context, budgets.prompt))
        return Cues(
            text,
            Trace(
                "partial" if last else "none" if self._dealings else "cold_start",
                None,
                0.0 if last else 1.0,
                degraded=False,
                by_words=True,
                used={"context": len(text)},
                events=tuple(dealing.id for dealing in last),
                scores=(0.0,) * len(last),
            ),
        )

    def saved(self) -> SocialState:
        """Return the log."""
        return SocialState(dealings=tuple(self._dealings))


def _what(heard: Heard) -> str:
    if heard.gesture is not None:
        return _BY_GESTURE[heard.gesture]
    acts = acts_in(heard.text)
    return _BY_ACT[acts[0]] if acts else "talked"
