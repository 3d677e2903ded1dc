"""`town bench`: figures of the parts that are ours, on this machine."""

import sys
from enum import StrEnum
from typing import Annotated

import typer


class Part(StrEnum):
    """What can be measured."""

    clock = "clock"


def bench(part: Annotated[Part, typer.Argument(help="What to measure.")]) -> None:
    """Measure the clock: how much of the waiting for models it hides, in virtual time."""
    from sim.bench.clock import lines
    from sim.showing import plain

    plain(lines(), sys.stdout)
