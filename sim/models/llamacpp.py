"""A GGUF file as a model: llama.cpp's server runs in this process, on loopback, as long as the model is open.

It takes one request at a time and reuses no prefix, so that the same prompt gives the same reply.
"""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim.errors import ModelError
from sim.models.address import NO_KEY
from sim.models.endpoint import Endpoint
from sim.models.formats import Abilities
from sim.models.request import Request
from sim.scenario import ModelSettings

CONTEXT = 8_192  # tokens: a prompt with thirty memories and a plan of the day, twice
CAP = 600  # tokens of a reply: at twenty a second half a minute
TIMEOUT = 600.0  # seconds: a processor that others use too writes one token a second
LONG_TEXT, LONG_LIST = 200, 12  # bounds for what a schema leaves open: a base model does not find its own end


def open_local(path: str, settings: ModelSettings) -> Endpoint:
    """Start a server for the file *path* and return the model.

    Raises:
        ModelError: If there is no such file, it is no model, or the package is missing.
    """
    from sim.models.connection import Connection  # here, because it takes a second

    file = Path(path).expanduser()
    if not file.is_file():
        raise ModelError(f"there is no file {path!r} (--model takes a GGUF file, a model's name or offline)")
    server = _start_server(file)
    patience = settings.timeout or TIMEOUT
    here = settings.model_copy(update={"base_url": (f"{server.listening_address}/v1",), "timeout": patience})
    connection = Connection(here, concurrency=1, api_key=NO_KEY, environment={})
    servers = connection.servers()

    def close() -> None:
        nonlocal server
        if any(each.in_flight for each in servers.all):  # its end would wait for the whole answer, with Python
            _LEFT.append(server)  # held up: it goes with the process
        connection.close()
        server = None  # which ends with its object

    return Endpoint(
        file.name,  # not its folder: a run is the same wherever the file lies
        servers,
        abilities=Abilities(format="grammar"),
        extra={"cache_prompt": False, "seed": 1, **settings.extra},
        shape=guide,
        cap=CAP,
        on_close=close,
    )


_LEFT: list[Any] = []
"""Servers that were still busy when their run was stopped: kept, so that nothing ends them before the process."""


def _start_server(file: Path) -> Any:
    try:
        import xllamacpp
    except ImportError:
        raise ModelError(
            "a GGUF file needs the package xllamacpp: pip install 'townsfolk[local]', "
            "or run a server of your own and name it with --base-url"
        ) from None
    settings = xllamacpp.CommonParams()
    settings.model.path = str(file)
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    settings.n_ctx, settings.n_parallel, settings.ui = CONTEXT, 1, False
    settings.cpuparams.n_threads = os.cpu_count() or 1
    settings.verbosity = -1
    try:
        return xllamacpp.Server(settings)
    except (RuntimeError, ValueError, OSError) as error:
        words = " ".join(str(error).split())
        raise ModelError(f"{str(file)!r} could not be opened as a model ({words}): is it a whole GGUF file?") from None


def guide(request: Request) -> Request:
    """Return *request* with bounds on all that a reply may hold, and temperature 0 where none is asked for."""
    bounded = None if request.schema is None else limit_sizes(request.schema)
    return replace(request, schema=bounded, sampling={"temperature": 0.0, **request.sampling})


def limit_sizes(schema: Any) -> Any:
    """Return a JSON Schema whose texts and lists have a longest length, and whose objects hold nothing else."""
    if isinstance(schema, list):
        return [limit_sizes(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: limit_sizes(value) for key, value in schema.items()}
    if "string" in schema.get("type", ()) and not {"pattern", "enum"} & schema.keys():
        inner["maxLength"] = min(LONG_TEXT, int(schema.get("maxLength", LONG_TEXT)))
    elif schema.get("type") == "array":
        inner.setdefault("maxItems", LONG_LIST)
    elif schema.get("type") == "object":
        inner["additionalProperties"] = False
    return inner
