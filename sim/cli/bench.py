"""`town bench`: figures of the parts that are ours, on this machine."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol, TypeVar

import typer

from sim.analysis.printable import write_lines
from sim.errors import RunError, TownError

if TYPE_CHECKING:
    from sim.bench.memory import Row as PolicyRow
    from sim.bench.table import Row as ClockRow

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Figures of the parts that are ours, on this machine."
)

Json = Annotated[bool, typer.Option("--json", help="One JSON object a row.")]
OUT = Path("runs/bench_memory")


class Row(Protocol):
    """A row of a table."""

    def words(self) -> str:
        """Return it as a line."""

    def to_json(self) -> str:
        """Return it as one line of JSON."""


R = TypeVar("R", bound=Row)


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
    from sim.bench.table import footing, heading, rows  # the town behind it takes most of a second to import

    told: list[ClockRow] = []
    total = len(sizes) * len(counts)
    found = rows(sizes, counts, seeds=seeds, hours=hours, metres=metres)
    table = _table(found, told, (f"{done} of {total} rows" for done in range(total)), as_json=json)
    write_lines(table if json else chain(heading(metres), table, footing(told)))


@app.command()
def memory(
    seeds: Annotated[int, typer.Option(min=1, max=10_000, help="Worlds that are made up, or draws of a corpus.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="The first of the seeds.")] = 0,
    corpus: Annotated[Path | None, typer.Option(help="Your own sources and questions (YAML or JSON).")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the chart.  [default: runs/bench_memory]")] = None,
    json: Json = False,
) -> None:
    """Measure five ways to remember across sessions: what they recall, and the tokens that it costs."""
    write_lines(_policies(range(seed, seed + seeds), corpus, out or OUT, as_json=json))


@app.command()
def retrieval(
    memories: Annotated[str, typer.Option(help="Sizes of the streams.")] = "1000,10000,100000",
    json: Json = False,
) -> None:
    """Measure a whole retrieval beside np.vecdot over the same vectors, in the same process."""
    sizes = chosen("--memories", memories)
    from sim.bench.retrieval import HEAD, rows

    write_lines(chain([] if json else HEAD, _table(rows(sizes), [], as_json=json)))


def _table(rows: Iterable[R], told: list[R], under_way: Iterable[str] = (), *, as_json: bool) -> Iterator[str]:
    """Yield the lines of a table, each as soon as it is there.

    Args:
        told: Takes the rows.
        under_way: What a terminal shows while each row is waited for.
    """
    shown = iter(under_way)
    _show(next(shown, None))
    for row in rows:
        told.append(row)
        _show(None)
        yield row.to_json() if as_json else row.words()
        sys.stdout.flush()
        _show(next(shown, None))


def _show(what: str | None) -> None:
    """Say on a terminal what is under way; None wipes that out."""
    if sys.stderr.isatty():
        sys.stderr.write(what or "\r\x1b[K")
        sys.stderr.flush()


def _policies(seeds: Sequence[int], corpus: Path | None, out: Path, *, as_json: bool) -> Iterator[str]:
    """Yield what five memory policies came to: the table, the orders, and where the chart is.

    Raises:
        ScenarioError: If the corpus is wrong, with every mistake in it.
        RunError: If the chart cannot be written.
    """
    from memory.embedding import packaged_embedder
    from sim.bench.corpus_file import read_corpus
    from sim.bench.memory import contenders, heading, orders, plans, rows

    researches = plans(seeds, None if corpus is None else read_corpus(corpus))
    who = contenders(packaged_embedder())
    told: list[PolicyRow] = []
    yield from [] if as_json else heading(researches, None if corpus is None else corpus.name)
    yield from _table(rows(researches, who), told, (f"measuring {one.label}" for one in who), as_json=as_json)
    yield from [] if as_json else ["\nWhat should hold, and in how many seeds it does:"]
    yield from (order.to_json() if as_json else order.words() for order in orders(told, researches))
    drawn = _draw(told, out)
    yield from [] if as_json else [f"\nChart: {', '.join(str(path) for path in drawn)}"]


def _draw(told: "Sequence[PolicyRow]", out: Path) -> list[Path]:
    from sim.bench.memory_chart import draw_recall  # matplotlib takes most of a second to import

    try:
        out.mkdir(parents=True, exist_ok=True)
        return draw_recall(told, out, ("png", "svg"))
    except OSError as error:
        raise RunError(f"cannot write the chart to {str(out)!r}: {error.strerror or error} (choose --out)") from error


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
