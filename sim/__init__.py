"""Townsfolk's town: its clock, its people's minds, its runs, and what reads them.

What stands in ``__all__`` is public; whatever else the packages below hold may change from one version to the next.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.api import compare as compare
    from sim.api import load as load
    from sim.api import open_run as open_run
    from sim.api import open_study as open_study
    from sim.api import run as run

__all__ = ["__version__", "compare", "load", "open_run", "open_study", "run"]

try:
    __version__ = version("townsfolk")
except PackageNotFoundError:  # a bare checkout that nobody installed
    __version__ = "unknown"


def __getattr__(name: str) -> Any:
    """Return what `sim` offers by itself; it is imported when first asked for, as `town --help` must not wait."""
    if name in __all__:
        return getattr(import_module("sim.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
