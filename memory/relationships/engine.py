"""The engine that the settings name, new or from a checkpoint; the light one stands here: a log and a short note."""

from collections.abc import Mapping
from datetime import datetime

from memory.embedding import Embedder
from memory.errors import InputError, SettingError
from memory.language.speech_acts import Act, Gesture, acts_in
from memory.prompts import Completer
from memory.relationships.card import new_card
from memory.relationships.card_engine import CardEngine
from memory.relationships.context import one_line
from memory.relationships.event import Heard
from memory.relationships.protocol import Noted, SocialMemory
from memory.relationships.recall import Cues, Reflections, Trace
from memory.relationships.search import Nearness
from memory.relationships.settings import SocialSettings
from memory.relationships.state import FORMAT, Dealing, SocialState
from memory.relationships.writer import Writer

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


def open_social(
    agent: str,
    settings: SocialSettings,
    *,
    seed: int,
    start: datetime,
    knows: Mapping[str, str] | None = None,
    model: Completer | None = None,
    embedder: Embedder | None = None,
    reflections: Reflections | None = None,
    state: SocialState | None = None,
    stop_on: tuple[type[Exception], ...] = (),
) -> SocialMemory:
    """Return the engine of *settings* for *agent*.

    Args:
        seed: Of the run; all chance comes from it.
        start: When the ties of *knows* hold; they fade from then on.
        knows: The other's name to a few words on the tie (``a friend from the library``).
        model: Who writes notes and summaries; needed by the engine ``full``, left alone by the others.
        embedder: For the search; without one, words serve.
        reflections: Finds the resident's own reflections, for summaries and where nothing else is known.
        state: From a checkpoint; then *knows* is not looked at.
        stop_on: Errors of the model or embedder that end a run, and so are passed on.

    Raises:
        SettingError: If the engine is ``full`` and there is no model.
        InputError: If *state* was saved by another version.
    """
    if state is not None and not 1 <= state.format <= FORMAT:
        raise InputError(
            f"the state of {agent!r} has format {state.format}, but this version reads 1 to {FORMAT} (start anew)"
        )
    if settings.engine == "none":
        return SocialMemory()
    if state is None:
        ties = knows if knows and settings.relationship_card else {}
        cards = {other: new_card(agent, other, start, how) for other, how in ties.items() if other != agent}
        state = SocialState(cards=cards)
    if settings.engine == "light":
        return LightEngine(agent, settings, state)
    if settings.engine == "full" and model is None:
        raise SettingError(f"the engine of {agent!r} is 'full', but there is no model (give one, or choose 'compact')")
    writer = Writer(agent, model if settings.engine == "full" else None, reflections, stop_on)
    nearness = Nearness(embedder, stop_on)
    return CardEngine(agent, settings, state, writer, nearness, seed=seed, start=start, reflections=reflections)


class LightEngine(SocialMemory):
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
        text = f"Past dealings with {other}: {', '.join(dealing.what for dealing in last)}" if last else ""
        text = one_line(text, min(self._settings.budgets.context, self._settings.budgets.prompt))
        trace = Trace(
            "partial" if last else "none" if self._dealings else "cold_start",
            None,
            0.0 if last else 1.0,
            degraded=False,
            by_words=True,
            used={"context": len(text)},
            events=tuple(dealing.id for dealing in last),
            scores=(0.0,) * len(last),
        )
        return Cues(text, trace)

    def saved(self) -> SocialState:
        """Return the log."""
        return SocialState(dealings=tuple(self._dealings))


def _what(heard: Heard) -> str:
    if heard.gesture is not None:
        return _BY_GESTURE[heard.gesture]
    acts = acts_in(heard.text)
    return _BY_ACT[acts[0]] if acts else "talked"
