"""Comparing arms: each against the baseline, paired by seed where seeds are shared, with the words that it allows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sim.analysis.compare import statistics
from sim.analysis.compare.cells import Cell
from sim.analysis.compare.comparison import Comparison, Difference, Row
from sim.analysis.compare.groups import Group, group_cells
from sim.analysis.compare.statistics import ALPHA, LEAST_RUNS, Interval
from sim.analysis.compare.verdicts import notes_on, verdict
from sim.errors import RunError
from sim.scenario import FULL
from sim.scenario.sources import suggestion

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def compare_cells(
    cells: Iterable[Cell],
    *,
    baseline: str | None = None,
    only: Sequence[str] = (),
    notes: Sequence[str] = (),
    primary: Sequence[str] = (),
    better: Mapping[str, str] | None = None,
) -> Comparison:
    """Return how the arms of *cells* differ from the baseline.

    Args:
        baseline: An arm's label, or its arm's name; None is ``full``, or else the first arm.
        only: Measures to compare; none named are all.  Fewer measures are fewer claims to correct for.
        notes: What is to be said before all else.
        primary: The measures that the study was to be about: they come first, and only they are claimed and corrected
            for; all others are exploratory.
        better: By measure, which way is aimed at.

    Raises:
        RunError: If there is no cell, or no such baseline or measure.
    """
    groups, said = group_cells(cells)
    if not groups:
        raise RunError("there is no finished run to compare (town run SCENARIO makes one)")
    base = _baseline(groups, baseline)
    groups = [base, *(group for group in groups if group is not base)]
    measures = _measures(groups, only)
    measures.sort(key=lambda name: name not in primary)
    rows = [_row(measure, group, base) for measure in measures for group in groups]
    rows, claims = _corrected(rows, set(primary) or set(measures))
    paired = {group.label: is_paired(group, base) for group in groups[1:]}
    told = replace(
        Comparison(base.label, tuple(g.label for g in groups), tuple(measures), tuple(rows), claims, paired),
        rows=tuple(replace(row, verdict=verdict(row, base.label)) for row in rows),
        primary=tuple(name for name in measures if name in primary),
        better=dict(better or {}),
    )
    return replace(told, notes=(*notes, *said, *notes_on(told, groups)))


def is_paired(group: Group, base: Group) -> bool:
    """Return whether the runs are paired by seed: one town, and at least half of the smaller side's seeds shared."""
    shared = set(group.seeds) & set(base.seeds)
    return group.digest == base.digest and 2 * len(shared) >= min(len(group.seeds), len(base.seeds))


def _baseline(groups: Sequence[Group], wanted: str | None) -> Group:
    if wanted is None:
        return next((group for group in groups if group.arm == FULL), groups[0])
    by_label = [group for group in groups if group.label == wanted]
    by_arm = [group for group in groups if group.arm == wanted]
    if len(by_label) == 1 or len(by_arm) == 1:
        return (by_label or by_arm)[0]
    hint = suggestion(wanted, [group.label for group in groups])
    trouble = f"{wanted!r} names {len(by_arm)} arms" if by_arm else f"there is no arm {wanted!r} among these runs"
    raise RunError(f"--baseline: {trouble} {hint}")


def _measures(groups: Sequence[Group], only: Sequence[str]) -> list[str]:
    """Return the measures that some run has a value for, or those that are wanted."""
    cells = [cell for group in groups for cell in group.cells]
    known = list(dict.fromkeys(name for cell in cells for name in cell.numbers))
    wanted = [_named(name, known) for name in only]
    with_value = [name for name in known if any(cell.numbers.get(name) is not None for cell in cells)]
    return list(dict.fromkeys(wanted)) or with_value


def _named(wanted: str, known: Sequence[str]) -> str:
    """Return the measure that is called *wanted*, by its name or by its title.

    Raises:
        RunError: If there is none, with the nearest.
    """
    from sim.analysis.measures import describe

    titles = {describe(name).title.casefold(): name for name in known}
    if wanted in known or wanted.casefold() in titles:
        return wanted if wanted in known else titles[wanted.casefold()]
    raise RunError(f"--only: there is no measure {wanted!r} {suggestion(wanted, known)}")


def _row(measure: str, group: Group, base: Group) -> Row:
    import numpy as np

    by_seed = group.by_seed(measure)
    values = np.array(list(by_seed.values()))
    interval = None
    if len({group.lives[seed] for seed in by_seed}) > 1:
        low, high = statistics.t_interval(values)
        interval = Interval(float(low), float(high))
    mean = float(values.mean()) if len(values) else None
    spread = statistics.spread_of(values)
    difference = None if group is base else _difference(measure, group, base)
    return Row(measure, group.label, tuple(by_seed.items()), len(group.seeds), mean, spread, interval, difference)


def _difference(measure: str, group: Group, base: Group) -> Difference | None:
    """Return how *group* differs from *base*; what was lived the same twice counts once."""
    import numpy as np

    mine, theirs = group.by_seed(measure), base.by_seed(measure)
    if _is_still(group, mine) and _is_still(base, theirs):
        n = min(len({of.lives[seed] for seed in by}) for of, by in ((group, mine), (base, theirs)))
        means = (sum(by.values()) / len(by) for by in (mine, theirs))
        return Difference(next(means) - next(means), n, is_paired(group, base), still=True)
    if is_paired(group, base):
        lives = {(group.lives[seed], base.lives[seed]): seed for seed in reversed(mine) if seed in theirs}
        shared = sorted(lives.values())
        return _paired(np.array([mine[seed] - theirs[seed] for seed in shared])) if shared else None
    own, others = ({of.lives[seed]: value for seed, value in by.items()} for of, by in ((group, mine), (base, theirs)))
    return _unpaired(np.array(list(own.values())), np.array(list(others.values()))) if own and others else None


def _is_still(group: Group, by_seed: Mapping[int, float]) -> bool:
    """Return whether several lives of an arm all have the same value: then they are one observation, not several."""
    return len({group.lives[seed] for seed in by_seed}) > 1 and len(set(by_seed.values())) == 1


def _paired(differences: "NDArray[np.float64]") -> Difference:
    n, mean = len(differences), float(differences.mean())
    if n == 1:
        return Difference(mean, 1, paired=True)
    low, high = statistics.t_interval(differences)
    effect = statistics.cohens_dz(differences)
    return Difference(
        mean,
        n,
        paired=True,
        interval=Interval(float(low), float(high)),
        p=float(statistics.sign_flip_p(differences)),
        p_t=statistics.paired_t_p(differences) if effect else None,
        smallest_p=statistics.smallest_p(n),
        effect=effect,
        rank_biserial=statistics.rank_biserial_paired(differences),
    )


def _unpaired(mine: "NDArray[np.float64]", theirs: "NDArray[np.float64]") -> Difference:
    n, mean = min(len(mine), len(theirs)), float(mine.mean() - theirs.mean())
    if n == 1:
        return Difference(mean, 1, paired=False)
    effect = statistics.hedges_g(mine, theirs)
    interval, p_t = statistics.welch(mine, theirs) if effect else (Interval(mean, mean), None)
    return Difference(
        mean,
        n,
        paired=False,
        interval=interval,
        p=statistics.split_p(mine, theirs),
        p_t=p_t,
        smallest_p=statistics.smallest_split_p(len(mine), len(theirs)),
        effect=effect,
        rank_biserial=statistics.rank_biserial(mine, theirs),
    )


def _corrected(rows: Sequence[Row], family: set[str]) -> tuple[list[Row], int]:
    """Return *rows* with Holm's p over all claims of the measures of *family*, and how many claims there are."""
    import numpy as np

    tested = {
        i: row.difference
        for i, row in enumerate(rows)
        if row.measure in family and row.difference and row.difference.p is not None
    }
    raised = statistics.holm(np.array([found.p for found in tested.values()], dtype=float))
    least = statistics.holm(np.array([found.smallest_p for found in tested.values()], dtype=float))
    by_row = {i: (float(p), float(q)) for i, p, q in zip(tested, raised, least, strict=True)}
    told = [replace(row, exploratory=row.measure not in family) for row in rows]
    return [_with_holm(row, by_row.get(i)) for i, row in enumerate(told)], len(tested)


def _with_holm(row: Row, corrected: tuple[float, float] | None) -> Row:
    if row.difference is None or corrected is None:
        return row
    p, least = corrected
    claimed = p <= ALPHA and row.difference.n >= LEAST_RUNS
    return replace(row, difference=replace(row.difference, p_holm=p, smallest_p_holm=least, claimed=claimed))
