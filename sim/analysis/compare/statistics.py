"""The arithmetic of comparing: intervals, permutation tests, effect sizes and Holm's correction, over last axes.

Student's t makes the intervals because runs are few: with five values of a bell curve the bootstrap's 95 % intervals
hold the truth 84 times in a hundred (percentile; 81 for BCa), with counts of 25 residents as often, those of t 95.
What is claimed rests on permutation tests, which assume no curve at all.

scipy gives the distributions, not the tests: its t tests only warn and return NaN where values hardly differ or lie far
out, and its permutation test doubles the smaller tail, which for groups of unequal sizes is another p.
"""

from itertools import combinations, product
from math import comb, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

LEVEL = 0.95  # of every interval
ALPHA = 0.05  # share of studies without any difference that may claim one
LEAST_RUNS = 4  # a side with fewer earns no star: three runs that agree may be three times the same chance
EXACT_PAIRS = 12  # up to here all 2**n flips of signs are tried: 4,096
EXACT_SPLITS = 10_000  # up to here all ways to deal the runs to two arms are tried
DRAWS = 9_999  # beyond, so many are drawn; with the one that was observed p can be 1 in 10,000
MOST_EFFECT = 50  # a difference that spreads by less than a fiftieth of itself has no measure in its spread
_NEAR = 1e-9  # part of the values' size within which two sums are taken as equal: rounding must not break ties


class Interval(NamedTuple):
    """From where to where."""

    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether all of it lies on one side of 0."""
        return self.low > 0 or self.high < 0


class Effect(NamedTuple):
    """How large a difference is, measured by the spread of what differs."""

    name: str
    """``dz`` (paired: mean difference by the differences' spread) or ``g`` (Hedges, by the pooled spread)."""
    value: float
    interval: Interval | None


def t_interval(values: "Numbers") -> "tuple[Numbers, Numbers]":
    """Return the 95 % bounds of the mean of each row, shape (...), for *values* of shape (..., n), n at least 2."""
    import numpy as np
    from scipy.stats import t

    n = values.shape[-1]
    centre = values.mean(axis=-1)
    half = t.ppf((1 + LEVEL) / 2, n - 1) * values.std(axis=-1, ddof=1) / np.sqrt(n)
    return centre - half, centre + half


def sign_flip_p(differences: "Numbers", seed: int = 0) -> "Numbers":
    """Return the two-sided p of paired differences: how often flipped signs bring as large a mean.

    Args:
        differences: Shape (..., n), n at least 1; the result has shape (...).
        seed: Of the draws, where there are more than `EXACT_PAIRS` pairs and not all flips can be tried.

    Source: Fisher 1935; the count of draws includes the observed signs (Phipson and Smyth 2010).
    """
    import numpy as np

    n = differences.shape[-1]
    exact = n <= EXACT_PAIRS
    if exact:
        signs = np.array(list(product((1.0, -1.0), repeat=n)))
    else:
        signs = np.random.default_rng(seed).choice((1.0, -1.0), size=(DRAWS, n))
    sums = np.abs(differences @ signs.T)
    least = np.abs(differences.sum(axis=-1)) - _NEAR * np.abs(differences).sum(axis=-1)
    reached = (sums >= least[..., None]).sum(axis=-1)
    p: Numbers = reached / len(signs) if exact else (reached + 1) / (DRAWS + 1)
    return p


def split_p(first: "Numbers", second: "Numbers", seed: int = 0) -> float:
    """Return the two-sided p of two unpaired groups: how often dealing the runs anew parts the means as far.

    Args:
        seed: Of the draws, where there are more than `EXACT_SPLITS` ways.
    """
    import numpy as np

    pooled, k = np.concatenate([first, second]), len(first)
    exact = comb(len(pooled), k) <= EXACT_SPLITS
    if exact:
        picked = np.array(list(combinations(range(len(pooled)), k)))
    else:
        dice = np.random.default_rng(seed)
        picked = dice.permuted(np.tile(np.arange(len(pooled)), (DRAWS, 1)), axis=1)[:, :k]
    sums = pooled[picked].sum(axis=1)
    apart = np.abs(sums / k - (pooled.sum() - sums) / (len(pooled) - k))
    least = abs(first.mean() - second.mean()) - _NEAR * np.abs(pooled).mean()
    reached = int((apart >= least).sum())
    return reached / len(picked) if exact else (reached + 1) / (DRAWS + 1)


def smallest_p(pairs: int) -> float:
    """Return the smallest p that *pairs* paired differences can give, however clear they are."""
    return min(1.0, 2.0 ** (1 - pairs)) if pairs <= EXACT_PAIRS else 1 / (DRAWS + 1)


def smallest_split_p(first: int, second: int) -> float:
    """Return the smallest p that two unpaired groups of these sizes can give."""
    ways = comb(first + second, first)
    return min(1.0, (2 if first == second else 1) / ways) if ways <= EXACT_SPLITS else 1 / (DRAWS + 1)


def seeds_needed(claims: int, *, paired: bool) -> int | None:
    """Return how many seeds an arm needs so that the clearest of *claims* claims can pass Holm's first step.

    None where no number of them can, because there are too many claims for the draws.
    """
    small = smallest_p if paired else lambda n: smallest_split_p(n, n)
    return next((n for n in range(2, 200) if claims * small(n) <= ALPHA), None)


def holm(p: "Numbers") -> "Numbers":
    """Return the p corrected for all claims of the last axis, in their order.

    Source: Holm 1979: the smallest times m, the next times m - 1, …, none below the one before.
    """
    import numpy as np

    m = p.shape[-1]
    if not m:
        return p
    order = np.argsort(p, axis=-1, kind="stable")
    steps = np.take_along_axis(p, order, axis=-1) * np.arange(m, 0, -1)
    raised = np.minimum(np.maximum.accumulate(steps, axis=-1), 1.0)
    corrected = np.empty_like(raised)
    np.put_along_axis(corrected, order, raised, axis=-1)
    return corrected


def welch(first: "Numbers", second: "Numbers") -> tuple[Interval, float]:
    """Return Welch's 95 % interval of mean(first) - mean(second) and its p.

    Args:
        first: Two values or more, as *second*; one of the two must spread.

    Source: Welch 1947, with Satterthwaite's degrees of freedom.
    """
    import numpy as np
    from scipy.stats import t

    shares = [group.std(ddof=1) / np.sqrt(len(group)) for group in (first, second)]
    error = float(np.hypot(*shares))
    a, b = ((share / error) ** 2 for share in shares)  # of the squared error, so that no power overflows
    free = 1 / (a**2 / (len(first) - 1) + b**2 / (len(second) - 1))
    mean, half = float(first.mean() - second.mean()), float(t.ppf((1 + LEVEL) / 2, free)) * error
    return Interval(mean - half, mean + half), float(2 * t.sf(abs(mean) / error, free))


def paired_t_p(differences: "Numbers") -> float:
    """Return the p of Student's t for paired differences, two or more that are not all the same."""
    import numpy as np
    from scipy.stats import t

    n = len(differences)
    seen = abs(differences.mean()) / (differences.std(ddof=1) / np.sqrt(n))
    return float(2 * t.sf(seen, n - 1))


def cohens_dz(differences: "Numbers") -> Effect | None:
    """Return Cohen's dz with its interval; None where the differences do not spread, so that it has no measure."""
    n, spread = len(differences), float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    if not _spreads(spread, differences):
        return None
    dz = float(differences.mean()) / spread
    if abs(dz) > MOST_EFFECT:
        return None
    return Effect("dz", dz, _noncentral(dz, sqrt(n), n - 1))


def hedges_g(first: "Numbers", second: "Numbers") -> Effect | None:
    """Return Hedges' g of first - second with its interval; None where neither group spreads."""
    import numpy as np

    n, m = len(first), len(second)
    free = n + m - 2
    if min(n, m) < 1 or free < 1:
        return None
    squares = ((first - first.mean()) ** 2).sum() + ((second - second.mean()) ** 2).sum()
    pooled = float(np.sqrt(squares / free))
    if not _spreads(pooled, np.concatenate([first, second])):
        return None
    d, small = float(first.mean() - second.mean()) / pooled, 1 - 3 / (4 * free - 1)
    bounds = _noncentral(d, sqrt(n * m / (n + m)), free)
    return Effect("g", d * small, bounds and Interval(bounds.low * small, bounds.high * small))


def _spreads(spread: float, values: "Numbers") -> bool:
    """Return whether *spread* is more than the rounding of *values*."""
    return spread > 1e-12 * float(abs(values).max(initial=0.0))


def _noncentral(effect: float, scale: float, free: int) -> Interval | None:
    """Return the effects whose noncentral t has the observed one at an end of its middle 95 %; None if too far out.

    Source: Steiger and Fouladi 1997.
    """
    seen, tail = abs(effect) * scale, (1 - LEVEL) / 2
    if seen > 200:  # beyond, the noncentral t is no longer computed to any digit
        return None
    low, high = _shift(seen, free, 1 - tail), _shift(seen, free, tail)
    if low is None or high is None:
        return None
    return Interval(low / scale, high / scale) if effect >= 0 else Interval(-high / scale, -low / scale)


def _shift(seen: float, free: int, share: float) -> float | None:
    """Return the shift at which *share* of the noncentral t lies below *seen*, which is not below 0.

    The search widens in small steps: far out in its tails the distribution is computed to no number at all.
    """
    from math import isfinite

    from scipy.optimize import brentq
    from scipy.stats import nct

    def off(shift: float) -> float:
        return float(nct.cdf(seen, free, shift)) - share  # falls as the shift grows

    way = 1.0 if off(seen) > 0 else -1.0
    near, step = seen, 0.25
    for _ in range(200):
        far = near + way * step
        there = off(far)
        if not isfinite(there):
            return None
        if there * way <= 0:
            return float(brentq(off, min(near, far), max(near, far)))
        near, step = far, step * 1.3
    return None


def rank_biserial_paired(differences: "Numbers") -> float | None:
    """Return the share of signed ranks that are up less the share that are down; None if nothing differs.

    Source: Kerby 2014, over Wilcoxon's ranks; pairs without a difference are left out.
    """
    from scipy.stats import rankdata

    moved = differences[differences != 0]
    if not len(moved):
        return None
    ranks = rankdata(abs(moved))
    return float((ranks * ((moved > 0) * 2.0 - 1)).sum() / ranks.sum())


def rank_biserial(first: "Numbers", second: "Numbers") -> float:
    """Return how much likelier a run of *first* lies above one of *second* than below (Cliff's delta)."""
    import numpy as np

    return float(np.sign(first[:, None] - second[None, :]).mean())


def spread_of(values: "Numbers") -> float | None:
    """Return the sample standard deviation; None for fewer than two."""
    return float(values.std(ddof=1)) if len(values) > 1 else None
