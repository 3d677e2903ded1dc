"""What a design can show: the smallest difference that so many seeds bring to light, told before they are lived."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from sim.analysis.compare import Comparison
from sim.analysis.compare.sources import load
from sim.analysis.compare.statistics import ALPHA, LEAST_RUNS, seeds_needed, smallest_p
from sim.errors import TownError
from sim.scenario import Scenario
from sim.scenario.measure_names import SHARE, describe
from sim.study.plan import Study

POWER = 0.8  # how often a difference of that size is found
GUESS = 0.15  # by how much the differences of seeds spread where no earlier study says it: 15 points of a share
LEAST_PAIRS = 3  # of an earlier study, to know a spread by


def smallest_difference(seeds: int, claims: int, spread: float) -> float:
    """Return which mean difference of pairs is found in 4 studies of 5, if the pairs' differences spread so.

    The paired t test at Holm's first step, with the normal tail for the power (Guenther 1981).
    """
    from scipy.stats import norm, t

    critical = float(t.ppf(1 - ALPHA / (2 * claims), seeds - 1))
    return (critical + float(norm.ppf(POWER))) * spread / float(np.sqrt(seeds))


def power_lines(study: Study, earlier: Path | None) -> Iterator[str]:
    """Yield what the design of *study* can show, measure by measure.

    Args:
        earlier: A study's folder that may say how seeds spread.
    """
    measures = _measures(study.full)
    claims = len(measures) * (len(study.arms) - 1)
    if not claims:
        return
    seeds = len(study.seeds)
    named = "primary measures" if study.full.primary else "measures that the scenario asks for"
    design = f"{seeds} seeds and {claims} claims ({len(measures)} {named}, {len(study.arms) - 1} arms beside one)"
    if seeds < LEAST_RUNS or claims * smallest_p(seeds) > ALPHA:
        needed = max(seeds_needed(claims, paired=True) or 0, LEAST_RUNS)
        yield f"With {design} no difference can be claimed, however large: {needed} seeds are the least."
        return
    yield f"With {design} the smallest difference that is found in 4 studies of 5 is:"
    spreads = _spreads(earlier)
    for name in measures:
        about, known = describe(name), spreads.get(name)
        if known is None and about.unit != SHARE:
            yield f"  {name}: not known, as no earlier study says how its seeds spread (--like STUDY)"
            continue
        spread = GUESS if known is None else known
        least = smallest_difference(seeds, claims, spread)
        of = f"in {earlier}" if known is not None else "is a guess; --like STUDY takes it from a study"
        told = about.change(least).lstrip("+±") if about.unit != SHARE or least <= 1 else "more than there can be"
        yield f"  {name}: {told} (the spread of a seed's differences, {about.change(spread).lstrip('+±')}, {of})"


def _measures(full: Scenario) -> Sequence[str]:
    """Return the primary measures, or where none is named one for each thing that the scenario asks about."""
    if full.primary:
        return full.primary
    own = [f"knows {name}" for name in full.measures.knows] + [f"attends {name}" for name in full.measures.attends]
    return own + [f"survey {name}" for name in full.surveys]


def _spreads(earlier: Path | None) -> dict[str, float]:
    """Return by measure how much the differences of pairs spread in an earlier study, the widest of its arms."""
    if earlier is None:
        return {}
    try:
        found: Comparison = load([earlier]).compare()
    except TownError:  # it has no finished runs yet
        return {}
    spreads: dict[str, float] = {}
    base = {row.measure: dict(row.values) for row in found.rows if row.arm == found.baseline}
    for row in found.rows:
        pairs = [value - base[row.measure][seed] for seed, value in row.values if seed in base[row.measure]]
        if row.arm != found.baseline and len(pairs) >= LEAST_PAIRS:
            spreads[row.measure] = max(spreads.get(row.measure, 0.0), float(np.std(pairs, ddof=1)))
    return {name: spread for name, spread in spreads.items() if spread > 0}
