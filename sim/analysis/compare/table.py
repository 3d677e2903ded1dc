"""The comparison as people read it on a console: one block a measure, one line an arm, and what to make of it."""

from collections.abc import Iterator, Sequence
from typing import Any

from sim.analysis.compare.comparison import Comparison, Difference, Row
from sim.analysis.compare.statistics import Interval
from sim.scenario.measure_names import SHARE, Description, describe

NONE = "–"
HEADINGS = ("arm", "n", "mean ± spread", "95 % of the mean", "difference", "95 % of it", "effect", "p", "p Holm", "")
WORDS = 28  # letters that a verdict needs beside the figures, before columns are left out
_SIMPLE = (0, 1, 2, 3)  # columns that are there although nothing is compared


def row_cells(row: Row, described: Description) -> list[str]:
    """Return *row* as texts, in the order of `HEADINGS`."""
    spread = NONE if row.spread is None else described.format(row.spread)
    mean = NONE if row.mean is None else f"{described.format(row.mean)} ± {spread}"
    n = str(row.n) if row.n == row.runs else f"{row.n} of {row.runs}"
    return [
        row.arm,
        n,
        mean,
        interval_text(possible(row.interval, described), described),
        *_difference(row.difference, described),
        _last(row),
    ]


def _last(row: Row) -> str:
    star = "* " if row.difference and row.difference.claimed else ""
    return f"{star}{row.verdict}"


def possible(interval: Interval | None, described: Description) -> Interval | None:
    """Return what can be of the interval of a mean: a share lies within 0 and 1, whatever Student's t says."""
    return _within(interval, described.least, 1.0 if described.unit == SHARE else None)


def possible_change(interval: Interval | None, described: Description) -> Interval | None:
    """Return what can be of the interval of a difference: shares differ by a hundred points at most."""
    return _within(interval, -1.0, 1.0) if described.unit == SHARE else interval


def _within(interval: Interval | None, low: float | None, high: float | None) -> Interval | None:
    if interval is None:
        return None
    bounds = (max(bound, low) if low is not None else bound for bound in interval)
    return Interval(*(min(bound, high) if high is not None else bound for bound in bounds))


def interval_text(interval: Interval | None, described: Description) -> str:
    """Return an interval as ``low to high``."""
    return NONE if interval is None else f"{described.format(interval.low)} to {described.format(interval.high)}"


def _difference(found: Difference | None, described: Description) -> list[str]:
    if found is None:
        return [NONE] * 5
    effect = NONE if found.effect is None else f"{found.effect.name} {found.effect.value:.2f}"
    within = interval_text(possible_change(found.interval, described), described).replace(" %", "")
    return [described.change(found.mean), within, effect, p_text(found.p), p_text(found.p_holm)]


def p_text(p: float | None) -> str:
    """Return a p as people write it: never as 0."""
    if p is None:
        return NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """Yield the comparison as plain text, aligned."""
    columns = _columns(comparison)
    blocks = [(describe(measure), _rows(comparison, measure)) for measure in _shown(comparison)]
    texts = [[row_cells(row, described) for row in rows] for described, rows in blocks]
    lines = [[HEADINGS[i] for i in columns], *([cells[i] for i in columns] for block in texts for cells in block)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    yield _aligned(lines[0], widths)
    for (described, _), block in zip(blocks, texts, strict=True):
        yield _title(described)
        yield from (_aligned([cells[i] for i in columns], widths) for cells in block)
    yield from closing_lines(comparison)


def rich_tables(comparison: Comparison, width: int) -> Iterator[Any]:
    """Yield what rich prints for *comparison*: headings, and a table for each measure, all of the same columns.

    Args:
        width: Of the console; where it is narrow, columns are left out (JSON and CSV have all).
    """
    from rich.text import Text

    from sim.analysis.printable import without_controls

    blocks = [(describe(measure), _rows(comparison, measure)) for measure in _shown(comparison)]
    texts = [[[without_controls(cell) for cell in row_cells(row, of)] for row in rows] for of, rows in blocks]
    lines = [list(HEADINGS), *(cells for block in texts for cells in block)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADINGS))]
    columns = _fitting(_columns(comparison), widths, width)
    theme = ""
    for (described, rows), cells in zip(blocks, texts, strict=True):
        if described.theme != theme:
            theme = described.theme
            yield Text(f"\n{theme}", style="bold underline")
            yield _grid([list(HEADINGS)], columns, widths, ["dim"])
        yield Text(without_controls(_title(described)), style="bold")
        claimed = [row.difference is not None and row.difference.claimed for row in rows]
        yield _grid(cells, columns, widths, ["bold green" if one else "" for one in claimed])


def _fitting(columns: Sequence[int], widths: Sequence[int], width: int) -> list[int]:
    """Return the columns that leave room for the words, the least needed left out first."""
    kept, least = list(columns), (7, 3, 6, 8, 5, 1)  # raw p, interval of the mean, effect; a star stands in the words
    for spare in least:
        room = width - sum(widths[i] + 2 for i in kept[:-1])
        if room < WORDS and spare in kept[:-1]:
            kept.remove(spare)
    return kept


def _grid(lines: Sequence[Sequence[str]], columns: Sequence[int], widths: Sequence[int], styles: Sequence[str]) -> Any:
    from rich.markup import escape
    from rich.table import Table

    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    for i in columns[:-1]:
        table.add_column(justify="right" if i else "left", width=widths[i], overflow="fold")
    table.add_column(ratio=1, overflow="fold")
    for line, style in zip(lines, styles, strict=True):
        table.add_row(*(escape(line[i]) for i in columns), style=style)
    return table


def closing_lines(comparison: Comparison) -> Iterator[str]:
    """Yield what stands below the table: what is compared how, what can be claimed, and what to bear in mind."""
    others = comparison.arms[1:]
    yield from _aside(comparison)
    if others:
        claimed = sum(row.difference.claimed for row in comparison.rows if row.difference)
        ways = sorted({comparison.paired[arm] for arm in others})
        how = " and ".join("paired by seed" if way else "unpaired" for way in reversed(ways))
        over = f"over the primary measures: {', '.join(comparison.primary)}" if comparison.primary else "for all claims"
        yield f"Differences are to {comparison.baseline}, {how}; p by permutation, corrected (Holm) {over}."
        of = f"{comparison.claims} {'primary ' * bool(comparison.primary)}difference{'s' * (comparison.claims != 1)}"
        star = " (*)" if claimed else ""
        yield (
            f"{claimed} of {of} can be claimed at 0.05{star}." if comparison.claims else "No difference can be tested."
        )
    if others and comparison.primary:
        yield "All other measures are exploratory: what they show is a question for another study, no finding."
    yield from (f"Note: {note}." for note in comparison.notes)


def _shown(comparison: Comparison) -> list[str]:
    """Return the measures that get a block: with several arms, those that two of them have and that vary."""
    several = len(comparison.arms) > 1
    return [
        one
        for one in comparison.measures
        if not several or (comparison.varies(one) and len(comparison.holders(one)) > 1)
    ]


def _aside(comparison: Comparison) -> Iterator[str]:
    """Yield the lines of the measures that get no block: the same in all runs, or those of one arm alone."""
    shown, by_holder = _shown(comparison), dict[str, list[str]]()
    for measure in comparison.measures:
        holders = comparison.holders(measure)
        if measure in shown or not holders:
            continue
        described, mean = describe(measure), comparison.row(measure, holders[0]).mean
        everywhere = all(row.n == row.runs for row in _rows(comparison, measure))
        same = "The same in every run" if everywhere else "The same wherever there is a value"
        of = f"Of {holders[0]} alone" if len(holders) == 1 else same
        by_holder.setdefault(of, []).append(f"{described.title} {described.format(mean)}")
    yield from (f"{of}: {'; '.join(told)}." for of, told in by_holder.items())


def _columns(comparison: Comparison) -> Sequence[int]:
    return range(len(HEADINGS)) if len(comparison.arms) > 1 else _SIMPLE


def _rows(comparison: Comparison, measure: str) -> list[Row]:
    return [row for row in comparison.rows if row.measure == measure]


def _title(described: Description) -> str:
    unit = f" ({described.unit})" if described.unit else ""
    name = f"  [{described.name}]" if described.name != described.title.lower() else ""
    return f"{described.title}{unit}{name}"


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) if i in (0, len(cells) - 1) else cell.rjust(width)
              for i, (cell, width) in enumerate(zip(cells, widths, strict=True))]  # fmt: skip
    return f"  {'  '.join(padded)}".rstrip()
