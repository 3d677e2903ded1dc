"""Townsfolk's town: its clock, its people's minds, its runs, and what reads them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.views.notebook import open_run as open_run

__all__ = ["open_run"]


def __getattr__(name: str) -> Any:
    """Return what `sim` offers by itself; it is imported when first asked for, as `town --help` must not wait."""
    if name == "open_run":
        return import_module("sim.views.notebook").open_run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
