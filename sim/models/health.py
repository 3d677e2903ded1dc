"""`town models`: what is configured, what answers, what it can do, and the fix where something is wrong."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from memory.replies.objects import read_objects
from sim.errors import TownError
from sim.models import address, open_embedder, open_model
from sim.models.request import Model, Request
from sim.models.roles import Roles
from sim.scenario import ModelName, ModelSettings

_READY = {"ready": {"type": "boolean"}}
_SCHEMA = {"title": "Ready", "type": "object", "properties": _READY, "required": ["ready"]}
_ASK = 'Reply with one JSON object and nothing else: {"ready": true}'
PATIENCE = 60.0  # seconds until a model that has nothing else to do is taken to be away
ATTEMPTS = 2  # of one tiny call: whoever looks at what is wrong does not want to wait for half a minute


def probe(
    settings: ModelSettings,
    own: Mapping[str, ModelName] | None = None,
    *,
    api_key: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Yield a line on each model and on the embeddings; one tiny call is made to each that is not here already.

    Args:
        own: By resident, the models that are theirs alone.
    """
    known = os.environ if environment is None else environment
    roles = Roles.in_settings(settings, own)
    asked = [name for name in roles.real() if not name.lower().endswith(".gguf")]
    asked += [] if settings.embed is None else [settings.embed]
    for _, urls, variable in dict.fromkeys(("", *name.place[1:]) for name in asked):
        yield from _addresses(urls or settings.base_url, variable or address.KEY, api_key, known)
    for name in roles.all():
        purposes = ", ".join(_purposes(roles, name)) if len(roles.all()) > 1 else "all calls"
        yield f"{name} ({purposes}): {_describe_model(settings, name, api_key, known)}"
    yield f"embeddings: {_describe_embedder(settings, api_key, known)}"


def _purposes(roles: Roles, name: ModelName) -> Iterator[str]:
    """Yield what *name* answers."""
    if name.place == roles.chat.place:
        yield "talks, plans, acts"
    if roles.rate is not None and name.place == roles.rate.place:
        yield "rates memories"
    if roles.reflect is not None and name.place == roles.reflect.place:
        yield "reflects"
    yield from (who for who, theirs in roles.own.items() if theirs.place == name.place)


def _addresses(given: Sequence[str], variable: str, api_key: str | None, known: Mapping[str, str]) -> Iterator[str]:
    try:
        urls = address.base_urls(given, known)
        key = address.key_for(urls, api_key if variable == address.KEY else None, known, variable)
    except TownError as error:
        yield f"to mend: {error}"
        return
    shown = ", ".join(map(address.without_login, urls))
    yield f"address: {shown}; key: {'none' if key == address.NO_KEY else variable}"


def _describe_model(settings: ModelSettings, name: ModelName, api_key: str | None, known: Mapping[str, str]) -> str:
    if name == "offline":
        return "answers by rule, needs nothing"
    alone = settings.model_copy(
        update={"chat": name, "rate": None, "reflect": None, "timeout": settings.timeout or PATIENCE}
    )
    try:
        with closing(open_model(alone, api_key=api_key, environment=known, attempts=ATTEMPTS)) as model:
            return _describe_answer(model)
    except TownError as error:
        return f"does not answer: {error}"


def _describe_answer(model: Model) -> str:
    request = Request("town models", "probe", {}, ({"role": "user", "content": _ASK},), _SCHEMA)
    began = time.perf_counter()
    reply = model.reply(request)
    seconds = time.perf_counter() - began
    try:
        read_objects(reply.text)
        form = "replies can be read"
    except ValueError as error:
        form = f"replies cannot be read ({error}): expect fallbacks"
    usage = "tells tokens used" if reply.tokens_in is not None else "tells no tokens used (they are estimated)"
    known = getattr(model, "known", None)
    asked = f", asked for as {known.now.format}" if known is not None else ""
    return f"answers in {seconds:.1f} s, {form}{asked}, {usage}"


def _describe_embedder(settings: ModelSettings, api_key: str | None, known: Mapping[str, str]) -> str:
    if settings.embed is None:
        from memory.embedding import packaged_embedder

        packaged = packaged_embedder()
        return f"{packaged.name}, {packaged.size} numbers, packaged" if packaged else "none installed: words serve"
    try:
        patient = settings.model_copy(update={"timeout": settings.timeout or PATIENCE})
        embedder = open_embedder(patient, api_key=api_key, environment=known)
    except TownError as error:
        return str(error)
    assert embedder is not None
    embedder.inner.close()  # type: ignore[attr-defined]
    return f"{embedder.name}, {embedder.size} numbers"
