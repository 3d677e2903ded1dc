"""Imports go down only: each module knows the floors below it and nothing above."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.lives import VILLAGE
from tests.stub_server import StubServer, chat, townsfolk_reply

ROOT = Path(__file__).resolve().parent.parent
FLOORS: list[set[str]] = [
    {"memory"},
    {"sim.secrets"},
    {"sim.errors", "sim.times"},
    {"sim.log", "sim.scenario"},
    {"sim.world", "sim.models"},
    {"sim.mind", "sim.analysis"},
    {"sim.town", "sim.views"},
    {"sim.offline"},
    {"sim.runs", "sim.smallville"},
    {"sim.bench", "sim.study"},
    {"sim.cli", "sim.api"},
]
MODULES = sorted(p for package in ("memory", "sim") for p in (ROOT / package).rglob("*.py"))


UPWARD = {"sim": "sim.api", "sim.models": "sim.offline"}
"""The imports that go up, by text, when they are asked for: the public door, and the registry of models."""
MOST_PACKAGES = 24  # two levels deep: what a newcomer can hold in mind


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


@cache
def imports_of(path: Path) -> frozenset[str]:
    """Return which of our modules a file names in imports, anywhere in it, the type checker's and texts included."""
    known, found = {name_of(p) for p in MODULES}, set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names & known if names <= known else {node.module, *names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "import_module":
            found |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return frozenset(found & known - {name_of(path)})


def circle_in(graph: Mapping[str, Collection[str]]) -> list[str]:
    """Return the names of a circle of imports, none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def room_of(module: str) -> str:
    """Return the package, two levels deep, that a module belongs to (a module beside them is its own)."""
    return ".".join(module.split(".")[:2])


def test_every_package_goes_into_the_wheel() -> None:
    """setuptools is told each of our packages by name; a new folder must be named too (fault PK-09)."""
    named = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    folders = {name_of(path) for path in MODULES if path.name == "__init__.py"}
    assert folders <= set(named)


@pytest.mark.slow
@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_module_imports_from_above(path: Path) -> None:
    """Every module has a floor, and imports only from its own or lower ones, but for what `UPWARD` names."""
    name, floor = name_of(path), floor_of(name_of(path))
    assert floor >= 0, f"{name} has no floor: add it to FLOORS"
    above = [other for other in imports_of(path) if other != "sim" and floor_of(other) > floor]
    assert above == [other for own, other in UPWARD.items() if own == name]


def test_the_house_is_small_enough_to_walk() -> None:
    """There are few packages two levels deep, and few imports that go up (pytest -s prints them)."""
    packages = sorted(name_of(p) for p in MODULES if p.name == "__init__.py" and name_of(p).count(".") == 1)
    upward = ", ".join(f"{own} -> {other}" for own, other in UPWARD.items())
    told = f"{len(packages)} packages: {', '.join(packages)}; {len(UPWARD)} imports that go up: {upward}"
    print(told)  # noqa: T201  # whoever walks the house wants the list
    assert len(packages) <= MOST_PACKAGES
    assert len(UPWARD) <= 2


def test_no_module_is_part_of_a_circle_of_imports() -> None:
    """Whoever reads a module never comes back to it by its imports, those for the type checker included."""
    graph = {name_of(path): imports_of(path) - {UPWARD.get(name_of(path), "")} for path in MODULES}
    assert sum(map(len, graph.values())) > len(MODULES)
    assert not circle_in(graph)
    assert circle_in(graph | {"memory.errors": {"memory.stream"}})


def test_no_package_is_part_of_a_circle_of_imports() -> None:
    """The packages two levels deep stand in an order in which each needs only earlier ones."""
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        own = name_of(path)
        rooms = {room_of(other) for other in imports_of(path) - {UPWARD.get(own, "")}}
        graph.setdefault(room_of(own), set()).update(rooms - {room_of(own)})
    assert not circle_in(graph)
    assert circle_in(graph | {"sim.errors": {"sim.cli"}})


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
    assert "import numpy as np" in lines
    assert not [
        line
        for line in lines
        if line.strip().startswith((f"import {library}", f"from {library}", "from sim", "import sim"))
    ]


def loaded_by(code: str, *arguments: str) -> set[str]:
    """Return the modules that a new Python has loaded after *code*."""
    whole = f"{code}\nimport sys\nprint('modules:', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", whole, *arguments], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("modules: ")[2].split())


def test_the_town_stands_without_the_offline_wing() -> None:
    """The core can be imported whole and loads nothing of the rule-based mind."""
    loaded = loaded_by("import sim.town.simulate, sim.runs.run, sim.models.completer")
    assert {"sim.town.simulate", "sim.mind.mind", "sim.models"} <= loaded
    assert not [name for name in loaded if name.startswith("sim.offline")]


@pytest.mark.slow
def test_a_run_with_a_real_model_leaves_the_offline_wing_alone(tmp_path: Path) -> None:
    """Residents live on an endpoint, without relationships: neither the rule-based mind nor their engine is loaded."""
    (tmp_path / "village.yaml").write_text(VILLAGE)
    code = (
        "import sim, sys; run = sim.run(sys.argv[1], out=sys.argv[2], model='m', base_url=sys.argv[3], "
        "until='2031-05-05 09:00'); assert run.manifest['state'] == 'done'"
    )
    with StubServer(lambda call: chat(townsfolk_reply(call))) as server:
        loaded = loaded_by(code, str(tmp_path / "village.yaml"), str(tmp_path / "run"), server.url)
    assert server.calls
    assert "sim.town.resident" in loaded
    assert not [name for name in loaded if name.startswith(("sim.offline", "memory.relationships.engine"))]


@pytest.mark.parametrize("heavy", ["matplotlib", "wordllama", "pydantic", "networkx", "simpy", "openai", "numpy"])
def test_the_command_line_starts_without_heavy_libraries(heavy: str) -> None:
    """``town --help`` loads none of the libraries that take long to import."""
    help_page = "sys.argv = ['town', '--help']\ntry:\n    main()\nexcept SystemExit:\n    pass"
    code = f"import sys\nfrom sim.cli.app import main\n{help_page}\nassert {heavy!r} not in sys.modules"
    subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=True)


@pytest.mark.slow
@pytest.mark.parametrize(("scenario", "loaded"), [("two_friends", False), ("feud", True)])
def test_only_a_town_with_relationships_loads_their_engine(scenario: str, loaded: bool, tmp_path: Path) -> None:
    """Reading settings and measuring a log need none of it; living with relationships does."""
    lived = f"sim.run('scenarios/{scenario}.yaml', until='07:00', out={str(tmp_path / 'run')!r})"
    code = f"import sim, sys; {lived}; print('memory.relationships.card_engine' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.split()[-1] == str(loaded)
