"""Opening what a resident knows of the others: the engine that the settings name, new or from a checkpoint."""

from collections.abc import Mapping
from datetime import datetime

from memory.embedding import Embedder
from memory.errors import InputError, SettingError
from memory.prompts import Completer
from memory.relationships.card import new_card
from memory.relationships.cards import CardEngine
from memory.relationships.light import LightEngine
from memory.relationships.protocol import NoEngine, SocialMemory
from memory.relationships.recall import Reflections
from memory.relationships.search import Nearness
from memory.relationships.settings import SocialSettings
from memory.relationships.state import FORMAT, SocialState
from memory.relationships.writer import Writer


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
    if state is not None and state.format != FORMAT:
        raise InputError(
            f"the state of {agent!r} has format {state.format}, but this version reads {FORMAT} (start anew)"
        )
    if settings.engine == "none":
        return NoEngine()
    first = _first(agent, settings, start, {} if knows is None else knows) if state is None else state
    if settings.engine == "light":
        return LightEngine(agent, settings, first)
    if settings.engine == "full" and model is None:
        raise SettingError(f"the engine of {agent!r} is 'full', but there is no model (give one, or choose 'compact')")
    writer = Writer(agent, model if settings.engine == "full" else None, reflections, stop_on)
    nearness = Nearness(embedder, stop_on)
    return CardEngine(agent, settings, first, writer, nearness, seed=seed, start=start, reflections=reflections)


def _first(agent: str, settings: SocialSettings, start: datetime, knows: Mapping[str, str]) -> SocialState:
    if not settings.relationship_card or settings.engine == "light":
        return SocialState()
    return SocialState(
        cards={other: new_card(agent, other, start, how) for other, how in knows.items() if other != agent}
    )
