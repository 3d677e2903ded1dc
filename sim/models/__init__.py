"""Language models behind one narrow interface; `offline` needs none."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from importlib import import_module
from typing import Any, Protocol

from memory.embedding import CachedEmbedder
from memory.prompts import Completer
from sim.errors import ModelError
from sim.models.request import Model, Reply, Request
from sim.models.retries import ATTEMPTS
from sim.models.roles import OFFLINE, Roles
from sim.scenario import ModelName, ModelSettings

__all__ = ["OFFLINE", "CompletingModel", "Model", "Reply", "Request", "get_model", "open_embedder", "open_model"]


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
    own: Mapping[str, ModelName] | None = None,
    *,
    concurrency: int = 1,
    api_key: str | None = None,
    environment: Mapping[str, str] | None = None,
    attempts: int = ATTEMPTS,
    pause: Callable[[float], None] | None = None,
) -> Model:
    """Return the model that *settings* name: `offline`, a GGUF file, or one at an OpenAI-compatible endpoint.

    Which of several answers what, `Roles` says.  Nothing is sent yet; close the model when the run is over.

    Args:
        own: By resident, the models that are theirs alone.
        concurrency: Most requests at once.
        api_key: Instead of the environment's ``OPENAI_API_KEY``.
        environment: Instead of the process's own.
        attempts: As `sim.models.retries.ATTEMPTS`.
        pause: Waits between attempts; tests pass one that does not.

    Raises:
        ModelError: If an address, the key or the file cannot be used, or a package is missing.
    """
    roles = Roles.in_settings(settings, own)
    if not roles.real():
        return get_model(OFFLINE)
    with ExitStack() as opened:
        connections: dict[tuple[tuple[str, ...], str], Any] = {}

        def open_one(name: ModelName) -> Model:
            if name == OFFLINE:
                return get_model(OFFLINE)
            if name.lower().endswith(".gguf"):
                from sim.models.llamacpp import open_local  # here, because few need it

                return open_local(name, settings)
            from sim.models.connection import Connection  # here, because it takes a second

            where = name.place[1:]
            if where not in connections:
                connections[where] = Connection(settings, concurrency, api_key, environment, pause, name)
                opened.callback(connections[where].close)
            model: Model = connections[where].endpoint(name, attempts=attempts)
            return model

        models: dict[Any, Model] = {}
        for name in roles.all():
            models[name.place] = open_one(name)
            opened.callback(models[name.place].close)
        return _OpenModels(roles, models, opened.pop_all().close)


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

    connection = Connection(settings, concurrency, api_key, environment, pause, settings.embed)
    embedder = EndpointEmbedder(settings.embed, connection.servers(), connection.key, connection.close)
    try:
        return CachedEmbedder(embedder.open())
    except BaseException:
        embedder.close()
        raise


class _OpenModels:
    """Models as one, with all that was opened for them."""

    def __init__(self, roles: Roles, models: Mapping[Any, Model], close: Callable[[], None]) -> None:
        self._roles, self._models, self.close = roles, models, close
        chat = models[roles.chat.place]
        self.name = roles.in_words(chat.name)
        self.known = getattr(chat, "known", None)
        """What was found out about the endpoint, if it is one."""

    def _model(self, request: Request) -> Model:
        return self._models[self._roles.model_for(request.who, request.prompt).place]

    def name_for(self, request: Request) -> str:
        return self._model(request).name_for(request)

    def reply(self, request: Request) -> Reply:
        return self._model(request).reply(request)
