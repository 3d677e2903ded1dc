"""`town bench`: figures of the parts that are ours, on this machine."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from sim.analysis.printable import write_lines
from sim.errors import TownError

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Figures of the parts that are ours, on this machine."
)

Json = Annotated[bool, typer.Option("--json", help="One JSON object a row.")]


@app.command()
def clock(
    residents: Annotated[str, typer.Option(help="Sizes of the towns.")] = "3,25,100,1000",
    slots: Annotated[str, typer.Option(help="Numbers of calls that may be under way at once.")] = "1,8,64,256",
    seeds: Annotated[int, typer.Option(min=1, help="Towns of each size (below 1,000 residents).")] = 10,
    hours: Annotated[int, typer.Option(min=1, max=18, help="Hours that each lives (a quarter from 1,000 on).")] = 8,
    metres: Annotated[float, typer.Option(min=1, help="Side of the square that holds one resident.")] = 160,
    json: Json = False,
) -> None:
    """Measure the clock: how much of the waiting for models it hides, in virtual time."""
    sizes, counts = chosen("--residents", residents), chosen("--slots", slots)

    write_lines(_lines(sizes, counts, seeds, hours, metres, as_json=json))


@app.command()
def memory(
    seeds: Annotated[int, typer.Option(min=1, max=10_000, help="Worlds that are made up, or draws of a corpus.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="The first of the seeds.")] = 0,
    corpus: Annotated[Path | None, typer.Option(help="Your own sources and questions (YAML or JSON).")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the chart.  [default: runs/bench_memory]")] = None,
    json: Json = False,
) -> None:
    """Measure five ways to remember across sessions: what they recall, and the tokens that it costs."""
    from sim.cli.bench_memory import bench_memory

    bench_memory(range(seed, seed + seeds), corpus, out, as_json=json)


@app.command()
def retrieval(
    memories: Annotated[str, typer.Option(help="Sizes of the streams.")] = "1000,10000,100000",
    json: Json = False,
) -> None:
    """Measure a whole retrieval beside np.vecdot over the same vectors, in the same process."""
    sizes = chosen("--memories", memories)
    from sim.bench.retrieval import HEAD, rows

    write_lines([] if json else [*HEAD])
    for row in rows(sizes):
        write_lines([row.to_json() if json else row.words()])


def _lines(
    sizes: list[int], slots: list[int], seeds: int, hours: int, metres: float, *, as_json: bool
) -> Iterator[str]:
    """Yield the table, each row as soon as it is there."""
    from sim.bench.table import Row, footing, heading, rows  # the town behind it takes most of a second to import

    if not as_json:
        yield from heading(metres)
    total, done, told = len(sizes) * len(slots), 0, list[Row]()
    _show(done, total)
    for row in rows(sizes, slots, seeds=seeds, hours=hours, metres=metres):
        done += 1
        told.append(row)
        _show(None, total)
        yield row.to_json() if as_json else row.words()
        sys.stdout.flush()
        if done < total:
            _show(done, total)
    if not as_json:
        yield from footing(told)


def _show(done: int | None, total: int) -> None:
    """Say on a terminal how many rows are done; None wipes that out."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K" if done is None else f"{done} of {total} rows")
        sys.stderr.flush()


def chosen(option: str, text: str) -> list[int]:
    """Return the whole numbers above 0 in a list with commas.

    Raises:
        TownError: If one is none.
    """
    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        if not (part.isascii() and part.isdigit() and len(part) <= 6 and int(part) > 0):
            raise TownError(f"{option}: {part!r} is no whole number from 1 to 999,999 (write them as {option} 3,25)")
    return [int(part) for part in parts]
