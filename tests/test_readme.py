"""The README is true: what it shows is run, and every command stands in it."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sim.cli.app import app
from tests.sim.cli.test_cli import ROOT, town

pytestmark = pytest.mark.slow

README = (ROOT / "README.md").read_text(encoding="utf-8")
MISTAKEN = """name: My town
start: 2023-02-13 06:00
days: 1
town:
  places:
    - {id: cafe, name: Hobbs Cafe, at: [420, 310], open: 08:00-20:00}
    - {id: flat, name: Maria's flat, at: [100, 80]}
people:
  - {name: Maria Lopez, home: flat, wakes: 7.30, routine: [{at: 09:00, place: caffe, for: 3h, do: studying}]}
event:
  - {at: 08:00, who: Maria Lopez, thinks: I will give a party.}
"""


def shown() -> list[tuple[str, list[str]]]:
    """Return each command that the README shows with its output, and the lines shown of it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif line != "…":
                found[-1][1].append(line)
    return found


def plain(line: str) -> str:
    """Return a line with each number as a hash: figures move with every change, words do not."""
    return re.sub(r"\d[\d,.]*", "#", line).strip()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What each of the README's commands prints; they are run one after another, as they build on each other."""
    made = tmp_path_factory.mktemp("readme")
    (made / "my_town.yaml").write_text(MISTAKEN, encoding="utf-8")
    done = {command: town(*shlex.split(command)[1:], cwd=made) for command, _ in shown()}
    return {command: (one.stdout + one.stderr).splitlines() for command, one in done.items()}


@pytest.mark.parametrize(("command", "lines"), shown(), ids=[command for command, _ in shown()])
def test_each_command_prints_what_is_shown(told: dict[str, list[str]], command: str, lines: list[str]) -> None:
    """The lines that the README shows come out, in that order."""
    printed = [plain(line) for line in told[command]]
    assert lines
    at = 0
    for line in lines:
        assert plain(line) in printed[at:], f"{line!r} is not in the output of {command!r}"
        at += printed[at:].index(plain(line)) + 1


def test_every_command_is_in_the_readme() -> None:
    """No command is undocumented."""
    names = [command.name or str(command.callback.__name__) for command in app.registered_commands if command.callback]
    assert {"run", "compare"} <= set(names)
    assert not [name for name in names if f"town {name}" not in README]


def test_the_memory_example_runs(tmp_path: Path) -> None:
    """The Python code of the README finds the invitation."""
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code
    done = subprocess.run(
        [sys.executable, "-c", code[1]],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert "party at the cafe" in done.stdout, done.stderr


def test_every_room_that_is_named_is_there() -> None:
    """The table of rooms names files and folders that exist."""
    rooms = re.findall(r"^\| (`[^|]+`) \|", README, re.MULTILINE)
    assert len(rooms) > 9
    for room in rooms:
        first, *more = re.findall(r"`([^`]+)`", room)
        base = ROOT / (first if first.endswith("/") else str(Path(first).parent))
        assert (ROOT / first).exists(), first
        assert all((base / name).exists() or (ROOT / name).exists() for name in more), room
