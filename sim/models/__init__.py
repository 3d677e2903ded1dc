"""Language models behind one narrow interface; `offline` needs none."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from importlib import import_module
from typing import Protocol

from memory.embedding import CachedEmbedder
from memory.prompts import Completer
from sim.errors import ModelError
from sim.models.request import Model, Reply, Request
from sim.models.retries import ATTEMPTS
from sim.models.router import Router
from sim.scenario import ModelSettings

__all__ = ["OFFLINE", "CompletingModel", "Model", "Reply", "Request", "get_model", "open_embedder", "open_model"]


OFFLINE = "offline"
"""The name of the model that needs no settings; its wing, above this one, is loaded when it is asked for."""


class CompletingModel(Model, Completer, Protocol):
    """A model that a memory can ask as well, without a town."""


def get_model(name: str) -> CompletingModel:
    """Return the model called *name*; `offline` is the rule-based reader that needs no key, network or weights.

    Raises:
        ModelError: If it is another: those need settings (`open_model`).
    """
    if name == OFFLINE:
        model: CompletingModel = import_module("sim.offline").OfflineModel()
        return model
    raise ModelError(f"there is no model {name!r} without settings: get_model knows 'offline', open_model all others")


def open_model(
    settings: ModelSettings,
    *,
    concurrency: int = 1,
    api_key: str | None = None,
    environment: Mapping[str, str] | None = None,
    attempts: int = ATTEMPTS,
    pause: Callable[[float], None] | None = None,
) -> Model:
    """Return the model that *settings* name: `offline`, a GGUF file, or one at an OpenAI-compatible endpoint.

    A model for ratings of its own answers those.  Nothing is sent yet; close the model when the run is over.

    Args:
        concurrency: Most requests at once.
        api_key: Instead of the environment's ``OPENAI_API_KEY``.
        environment: Instead of the process's own.
        attempts: As `sim.models.retries.ATTEMPTS`.
        pause: Waits between attempts; tests pass one that does not.

    Raises:
        ModelError: If an address, the key or the file cannot be used, or a package is missing.
    """
    if settings.chat == OFFLINE and settings.rate in (None, OFFLINE):
        return get_model(OFFLINE)
    with ExitStack() as opened:
        connection = None
        models: dict[str, Model] = {}
        for name in dict.fromkeys((settings.chat, settings.rate or settings.chat)):
            if name == OFFLINE:
                models[name] = get_model(OFFLINE)
            elif name.lower().endswith(".gguf"):
                from sim.models.llamacpp import open_local  # here, because few need it

                models[name] = open_local(name, settings)
            else:
                from sim.models.connection import Connection  # here, because it takes a second

                if connection is None:
                    connection = Connection(settings, concurrency=concurrency, api_key=api_key, environment=environment)
                    opened.callback(connection.close)
                models[name] = connection.endpoint(name, attempts=attempts, pause=pause)
            opened.callback(models[name].close)
        chat = models[settings.chat]
        whole = chat if settings.rate in (None, settings.chat) else Router(chat, models[str(settings.rate)])
        return _Opened(whole, opened.pop_all())


def open_embedder(
    settings: ModelSettings,
    *,
    concurrency: int = 1,
    api_key: str | None = None,
    environment: Mapping[str, str] | None = None,
    pause: Callable[[float], None] | None = None,
) -> CachedEmbedder | None:
    """Return the embedder that ``model.embed`` names, each text asked for once; None where it names none.

    One vector is asked for, so that a missing model or address shows at once.

    Raises:
        ModelError: If there are no embeddings to be had there.
    """
    if settings.embed is None:
        return None
    from sim.models.connection import Connection  # here, because it takes a second
    from sim.models.embeddings import EndpointEmbedder

    connection = Connection(settings, concurrency=concurrency, api_key=api_key, environment=environment)
    embedder = EndpointEmbedder(settings.embed, connection.servers(), connection.key, pause=pause)
    embedder.on_close = connection.close
    try:
        return CachedEmbedder(embedder.open())
    except BaseException:
        embedder.close()
        raise


class _Opened:
    """A model with all that was opened for it."""

    def __init__(self, model: Model, opened: ExitStack) -> None:
        self.model, self.name, self._opened = model, model.name, opened
        self.answering, self.reply = model.answering, model.reply
        self.known = getattr(model, "known", None)
        """What was found out about the endpoint, if it is one."""

    def close(self) -> None:
        """Close all of it."""
        self._opened.close()
