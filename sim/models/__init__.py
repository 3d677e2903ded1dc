"""Language models behind one narrow interface; `offline` needs none."""

from sim.errors import ModelError
from sim.models.offline import OfflineModel
from sim.models.request import Model, Reply, Request
from sim.scenario import ModelSettings

__all__ = ["Model", "OfflineModel", "Reply", "Request", "get_model", "open_model"]


def get_model(name: str) -> OfflineModel:
    """Return the model called *name*; `offline` is the rule-based reader that needs no key, network or weights.

    Raises:
        ModelError: If there is no model of that name.
    """
    if name == "offline":
        return OfflineModel()
    raise ModelError(f"there is no model {name!r} (this version runs with --model offline)")


def open_model(settings: ModelSettings, *, concurrency: int = 1) -> Model:
    """Return the model that *settings* name."""
    return get_model(settings.chat)
