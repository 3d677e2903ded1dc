"""Cells on a Ray cluster: the same function, on whichever machine is free; all of them share the study's folder.

The one home of ray (an extra).
"""

import logging
import socket
from collections.abc import Generator, Sequence
from typing import Any

from sim.errors import RunError
from sim.study.cell import CellOrder, Outcome, live_cell
from sim.study.workers import TICK

PATIENCE = 10.0  # seconds for a machine to answer


def on_ray(orders: Sequence[CellOrder], *, address: str) -> Generator[tuple[CellOrder, Outcome] | None, None, None]:
    """Live the cells on a cluster, as many at once as it has processors for; a `sim.study.cell.Way`.

    Args:
        address: As ``ray.init`` takes it: ``host:port``, ``ray://host:port``, ``auto``, or ``local`` for one that is
            started here.

    Raises:
        RunError: If ray is not installed, or there is no cluster at *address*.
    """
    ray = _connect(address)
    cell = ray.remote(num_cpus=1, max_retries=1)(live_cell)
    under_way: dict[Any, CellOrder] = {}
    try:
        under_way = {cell.remote(order): order for order in orders}
        while under_way:
            ended, _ = ray.wait(list(under_way), timeout=TICK)
            if not ended:
                yield None
            for reference in ended:
                order = under_way.pop(reference)
                yield order, _outcome(ray, reference)
    finally:
        for reference in under_way:
            ray.cancel(reference, force=True)
        ray.shutdown()


def _connect(address: str) -> Any:
    try:
        import ray
    except ImportError as error:
        raise RunError("--ray needs the package ray: pip install 'townsfolk[ray]'") from error
    _check_listening(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # ray raises errors of many kinds here
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise RunError(f"there is no Ray cluster at {address!r}: {first} (ray start --head starts one)") from error
    return ray


def _check_listening(address: str) -> None:
    """Raise RunError if nobody listens at *address*, if that is a machine and port; ray itself tries for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise RunError(f"there is no Ray cluster at {address!r}: {error} (ray start --head starts one)") from error


def _outcome(ray: Any, reference: Any) -> Outcome:
    """Return what became of a cell; that its machine went away is its failure, and nobody else's."""
    try:
        told = ray.get(reference)
    except ray.exceptions.RayError as error:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        return Outcome("failed", f"its machine gave no answer: {first}")
    return told if isinstance(told, Outcome) else Outcome("failed", f"its machine said {told!r}")
