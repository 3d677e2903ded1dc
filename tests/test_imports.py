"""Imports go down only: each module knows the floors below it and nothing above."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FLOORS: list[set[str]] = [
    {"memory"},
    {"sim.errors", "sim.times", "sim.reply_text"},
    {"sim.log", "sim.scenario"},
    {"sim.world", "sim.models", "sim.offline"},
    {"sim.mind", "sim.analysis"},
    {"sim.town", "sim.views"},
    {"sim.runs", "sim.smallville"},
    {"sim.bench", "sim.study"},
    {"sim.cli", "sim.api"},
]
MODULES = sorted(p for package in ("memory", "sim") for p in (ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    """Return a file's dotted name."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def floor_of(module: str) -> int:
    """Return the floor that a module stands on; a package's modules stand on its floor."""
    parts = module.split(".")
    for depth in range(len(parts), 0, -1):
        for number, names in enumerate(FLOORS):
            if ".".join(parts[:depth]) in names:
                return number
    return 0 if module == "sim" else -1


def imports_of(path: Path) -> set[str]:
    """Return which of our modules a file imports, anywhere in it, but for the type checker's sake."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    checked = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if id(node) in checked:
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    known = {name_of(p) for p in MODULES}
    return {name for name in found if name in known}


def test_every_package_goes_into_the_wheel() -> None:
    """setuptools is told each of our packages by name; a new folder must be named too (fault PK-09)."""
    named = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    folders = {name_of(path) for path in MODULES if path.name == "__init__.py"}
    assert folders <= set(named)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_imports_from_above(path: Path) -> None:
    """Every module has a floor, and imports only from its own or lower ones."""
    floor = floor_of(name_of(path))
    assert floor >= 0, f"{name_of(path)} has no floor: add it to FLOORS"
    above = [name for name in imports_of(path) if name != "sim" and floor_of(name) > floor]
    assert not above


def test_memory_needs_no_town_and_stays_light() -> None:
    """``import memory`` brings in neither the town nor the libraries that only the town needs."""
    unwanted = ("sim", "simpy", "openai", "pydantic", "wordllama")
    code = f"import memory, sys; print(*[m for m in {unwanted} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("library", ["simpy", "openai", "pydantic"])
def test_memory_never_names_the_towns_libraries(library: str) -> None:
    """No file of memory imports simpy, openai or pydantic, not even within a function."""
    lines = [line for p in (ROOT / "memory").rglob("*.py") for line in p.read_text(encoding="utf-8").splitlines()]
    assert not [
        line
        for line in lines
        if line.strip().startswith((f"import {library}", f"from {library}", "from sim", "import sim"))
    ]


@pytest.mark.parametrize("heavy", ["matplotlib", "wordllama", "pydantic", "networkx", "simpy", "openai", "numpy"])
def test_the_command_line_starts_without_heavy_libraries(heavy: str) -> None:
    """``town --help`` loads none of the libraries that take long to import."""
    help_page = "sys.argv = ['town', '--help']\ntry:\n    main()\nexcept SystemExit:\n    pass"
    code = f"import sys\nfrom sim.cli.app import main\n{help_page}\nassert {heavy!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=True)


@pytest.mark.parametrize(("scenario", "loaded"), [("two_friends", False), ("feud", True)])
def test_only_a_town_with_relationships_loads_their_engine(scenario: str, loaded: bool, tmp_path: Path) -> None:
    """Reading settings and measuring a log need none of it; living with relationships does."""
    lived = f"sim.run('scenarios/{scenario}.yaml', until='07:00', out={str(tmp_path / 'run')!r})"
    code = f"import sim, sys; {lived}; print('memory.relationships.card_engine' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split()[-1] == str(loaded)
