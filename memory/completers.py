"""Raters and reflectors by name, from whichever installed package opens models for memories."""

from collections.abc import Sequence
from importlib.metadata import entry_points

from memory.errors import InputError
from memory.prompts import Completer

GROUP = "memory.models"
"""The entry point under which a package names its function of a model's name and a list of endpoints."""


def open_completer(name: str = "offline", base_urls: Sequence[str] = ()) -> Completer:
    """Return the rater and reflector called *name*: ``offline``, a GGUF file, or a model at an endpoint.

    Raises:
        InputError: If no installed package opens models, or the one that does cannot open this one.
    """
    openers = sorted(entry_points(group=GROUP), key=lambda point: point.name)
    if not openers:
        raise InputError(f"no installed package opens the model {name!r} (install townsfolk anew)")
    try:
        opened: Completer = openers[0].load()(name, base_urls)
    except Exception as error:  # foreign code: there is no narrower type to name
        raise InputError(f"the model {name!r} cannot be used: {error}") from error
    return opened
