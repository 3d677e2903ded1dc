"""The public door of memory: what a builder imports from it, and what it loads."""

import subprocess
import sys
from pathlib import Path

import pytest

import memory

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", memory.__all__)
def test_what_the_door_lists_is_there(name: str) -> None:
    """Every public name is found in its room."""
    assert getattr(memory, name) is not None


def test_a_name_that_is_not_public_is_refused() -> None:
    """A typing error is told as for any other module."""
    with pytest.raises(AttributeError, match="no attribute 'MemoryStreem'"):
        memory.MemoryStreem  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("room", ["numpy", "memory.stream", "memory.relationships"])
def test_the_door_loads_no_room_before_it_is_asked_for(room: str) -> None:
    """``import memory`` alone costs next to nothing; what is asked for comes when it is."""
    code = f"import memory, sys; assert {room!r} not in sys.modules; memory.MemoryStream; assert 'numpy' in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_command_line_starts_without_numpy() -> None:
    """``memory --help`` is there at once."""
    code = "import memory.cli, sys; assert 'memory' in sys.modules and 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
