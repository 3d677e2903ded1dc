"""A study on a Ray cluster of two nodes on this machine; opt-in, because such a cluster takes long to start.

``python -m pytest -m cluster tests/sim/study/test_ray.py`` (needs the extra ``ray``).
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sim.errors import RunError
from sim.study.cluster import on_ray
from sim.study.conduct import Means, conduct
from sim.study.plan import plan_study
from sim.study.workers import in_processes

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.filterwarnings("ignore"),  # ray's own
]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start two nodes on this machine and return their address."""
    pytest.importorskip("ray", reason="needs the extra ray")
    from ray.cluster_utils import Cluster

    size = {"num_cpus": 1, "object_store_memory": 80_000_000, "include_dashboard": False}
    nodes: Any = Cluster(initialize_head=True, head_node_args=size)
    nodes.add_node(num_cpus=1, object_store_memory=80_000_000)
    yield nodes.address
    nodes.shutdown()


def found(folder: Path) -> dict[str, bytes]:
    """Return what a study found."""
    paths = [*folder.glob("*/seed-*/events.jsonl"), *folder.glob("interviews/*/seed-*.jsonl"), folder / "study.json"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_a_hundred_cells_on_a_cluster_find_what_two_processes_find(cluster: str, tmp_path: Path) -> None:
    """A study of 100 cells gives the same logs, answers and manifest wherever it is lived."""
    seeds = tuple(range(1, 51))
    study = plan_study("two_friends", arms=["full", "no-observation"], seeds=seeds, overrides={"until": "13:00"})
    for name, way in (("ray", partial(on_ray, address=cluster)), ("here", partial(in_processes, jobs=2))):
        now = conduct(study, tmp_path / name, Means(way))
        assert (now.is_done, len(now.orders)) == (True, 100)
    assert found(tmp_path / "ray") == found(tmp_path / "here")


def test_an_address_without_a_cluster_is_refused() -> None:
    """No cluster, no study: one sentence, exit 2."""
    pytest.importorskip("ray", reason="needs the extra ray")
    with pytest.raises(RunError, match="there is no Ray cluster at"):
        next(on_ray([], address="127.0.0.1:1"))
