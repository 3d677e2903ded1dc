"""The comparison for programs: JSON, and CSV that a spreadsheet opens without running anything."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sim.analysis.compare.comparison import Comparison, Difference, Row
from sim.analysis.compare.statistics import Interval
from sim.errors import RunError
from sim.scenario.measure_names import describe

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a cell that begins so is run by spreadsheets
COLUMNS = (
    "measure", "unit", "arm", "baseline", "runs", "n", "mean", "spread", "low", "high", "paired", "pairs", "difference",
    "difference_low", "difference_high", "p", "p_holm", "p_t", "smallest_p", "effect", "effect_value", "effect_low",
    "effect_high", "rank_biserial", "claimed", "verdict",
)  # fmt: skip


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as plain values; what does not apply is null, and no number is NaN."""
    described, better = [describe(name) for name in comparison.measures], comparison.better
    return {
        "baseline": comparison.baseline,
        "arms": list(comparison.arms),
        "paired": dict(comparison.paired),
        "claims": comparison.claims,
        "measures": {
            one.name: {"title": one.title, "unit": one.unit, "better": better.get(one.name)} for one in described
        },
        "primary": list(comparison.primary),
        "rows": [_row_json(row) for row in comparison.rows],
        "notes": list(comparison.notes),
    }


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "measure": row.measure,
        "arm": row.arm,
        "runs": row.runs,
        "n": row.n,
        "values": {str(seed): value for seed, value in row.values},
        "mean": row.mean,
        "spread": row.spread,
        "interval": _bounds(row.interval),
        "difference": None if row.difference is None else _difference_json(row.difference),
        "verdict": row.verdict,
        "exploratory": row.exploratory,
    }


def _difference_json(found: Difference) -> dict[str, Any]:
    effect = found.effect
    return {
        "mean": found.mean,
        "paired": found.paired,
        "n": found.n,
        "interval": _bounds(found.interval),
        "p": found.p,
        "p_holm": found.p_holm,
        "p_t": found.p_t,
        "smallest_p": found.smallest_p,
        "smallest_p_holm": found.smallest_p_holm,
        "effect": None if effect is None else
        {"name": effect.name, "value": effect.value, "interval": _bounds(effect.interval)},
        "rank_biserial": found.rank_biserial,
        "claimed": found.claimed,
        "still": found.still,
    }  # fmt: skip


def _bounds(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def write_comparison_csv(comparison: Comparison, path: Path) -> None:
    """Write one line per measure and arm.

    Raises:
        RunError: If the file cannot be written.
    """
    units = {name: describe(name).unit for name in comparison.measures}
    _write(path, COLUMNS, (_csv_row(row, units[row.measure], comparison.baseline) for row in comparison.rows))


def _csv_row(row: Row, unit: str, baseline: str) -> list[Any]:
    low, high = row.interval or (None, None)
    head = [row.measure, unit, row.arm, baseline, row.runs, row.n, row.mean, row.spread, low, high]
    found = row.difference
    if found is None:
        return [*head, *[None] * 15, row.verdict]
    bounds, effect = found.interval or (None, None), found.effect
    size = (effect.name, effect.value, *(effect.interval or (None, None))) if effect else (None,) * 4
    tests = [found.p, found.p_holm, found.p_t, found.smallest_p]
    return [
        *head, found.paired, found.n, found.mean, *bounds, *tests, *size, found.rank_biserial, found.claimed,
        row.verdict,
    ]  # fmt: skip


def _write(path: Path, head: Sequence[str], lines: Iterable[Sequence[Any]]) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(head)
            writer.writerows([_cell_text(value) for value in line] for line in lines)
    except OSError as error:
        raise RunError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _cell_text(value: Any) -> Any:
    """Return *value* for a cell: a text that would be a formula gets an apostrophe before it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
