"""`town bench memory`: the table, the orders and the chart of five memory policies."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sim.analysis.printable import write_lines
from sim.errors import RunError

if TYPE_CHECKING:
    from sim.bench.memory import Row

OUT = Path("runs/bench_memory")


def bench_memory(seeds: Sequence[int], corpus: Path | None, out: Path | None, *, as_json: bool) -> None:
    """Measure the policies and print what was found, each row as soon as it is there.

    Args:
        corpus: The user's own research; None: made up.
        out: Folder of the chart; None: `OUT`.

    Raises:
        ScenarioError: If the corpus is wrong, with every mistake in it.
        RunError: If the chart cannot be written.
    """

    write_lines(_lines(seeds, corpus, out or OUT, as_json=as_json))


def _lines(seeds: Sequence[int], corpus: Path | None, out: Path, *, as_json: bool) -> Iterator[str]:
    from memory.embedding import packaged_embedder
    from sim.bench.corpus_file import read_corpus
    from sim.bench.memory import contenders, heading, orders, plans, rows

    researches = plans(seeds, None if corpus is None else read_corpus(corpus))
    if not as_json:
        yield from heading(researches, None if corpus is None else corpus.name)
    who = contenders(packaged_embedder())
    told: list[Row] = []
    _show(who[0].label)
    for row in rows(researches, who):
        told.append(row)
        _show(None)
        yield row.to_json() if as_json else row.words()
        sys.stdout.flush()
        _show(who[len(told)].label if len(told) < len(who) else "drawing")
    _show(None)
    found = orders(told, researches)
    if not as_json:
        yield "\nWhat should hold, and in how many seeds it does:"
    yield from (order.to_json() if as_json else order.words() for order in found)
    drawn = _draw(told, out)
    if not as_json:
        yield f"\nChart: {', '.join(str(path) for path in drawn)}"


def _draw(told: "Sequence[Row]", out: Path) -> list[Path]:
    from sim.bench.memory_chart import draw_recall  # matplotlib takes most of a second to import

    try:
        out.mkdir(parents=True, exist_ok=True)
        return draw_recall(told, out, ("png", "svg"))
    except OSError as error:
        raise RunError(f"cannot write the chart to {str(out)!r}: {error.strerror or error} (choose --out)") from error


def _show(what: str | None) -> None:
    """Say on a terminal what is being measured; None wipes that out."""
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K" if what is None else f"measuring {what}")
        sys.stderr.flush()
