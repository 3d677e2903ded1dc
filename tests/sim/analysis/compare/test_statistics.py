"""The arithmetic of comparing: it agrees with scipy and statsmodels, and keeps what it promises over many studies."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy import stats

from sim.analysis.compare import statistics as s

A = np.array([0.52, 0.44, 0.61, 0.48, 0.57, 0.50, 0.63])
B = np.array([0.31, 0.47, 0.40, 0.29, 0.41, 0.36, 0.22])
D = A - B


def test_interval_is_scipys() -> None:
    """The t interval of a mean is the one that scipy gives."""
    theirs = stats.ttest_1samp(A, 0).confidence_interval(0.95)
    assert s.t_interval(A) == pytest.approx((theirs.low, theirs.high))


def test_exact_sign_flip_is_scipys() -> None:
    """The p of all flips is the one that scipy's permutation test gives."""
    theirs = stats.permutation_test((D,), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert s.sign_flip_p(D) == pytest.approx(theirs.pvalue)


def test_sign_flip_counts_every_flip_once() -> None:
    """The matrix product agrees with a slow loop, ties and zeros among the differences."""
    values = np.array([1.0, -1.0, 0.0, 2.0, 2.0, 1.0])
    flips = [abs(sum(x * sign for x, sign in zip(values, signs, strict=True))) for signs in product((1, -1), repeat=6)]
    assert s.sign_flip_p(values) == sum(flip >= abs(values.sum()) for flip in flips) / 64


def test_drawn_sign_flips_come_near_the_exact_p() -> None:
    """Beyond twelve pairs flips are drawn, and the p is close to what all flips give."""
    values = np.random.default_rng(3).normal(0.4, 1, 14)
    exact = stats.permutation_test((values,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    assert s.sign_flip_p(values) == pytest.approx(exact, abs=0.02)


def test_dealing_runs_anew_is_scipys() -> None:
    """The unpaired p is the one that scipy's permutation test of two samples gives, also for unequal sizes."""

    def apart(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
        return float(abs(x.mean() - y.mean()))

    theirs = stats.permutation_test((A[:5], B[:4]), apart, n_resamples=np.inf, alternative="greater")
    assert s.split_p(A[:5], B[:4]) == pytest.approx(theirs.pvalue)


def test_welch_is_scipys() -> None:
    """Welch's interval and p are scipy's."""
    interval, p = s.welch(A, B[:5])
    theirs = stats.ttest_ind(A, B[:5], equal_var=False)
    assert (p, *interval) == pytest.approx((theirs.pvalue, *theirs.confidence_interval(0.95)))
    assert s.paired_t_p(D) == pytest.approx(stats.ttest_rel(A, B).pvalue)


def test_holm_is_statsmodels() -> None:
    """Holm's correction is the one of statsmodels, ties and ones among the p."""
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.array([0.01, 0.04, 0.03, 0.005, 1.0, 0.03, 0.2])
    assert s.holm(p) == pytest.approx(multitest.multipletests(p, method="holm")[1])


@given(arrays(float, st.integers(0, 12), elements=st.floats(0, 1)))
def test_holm_only_raises_and_keeps_the_order(p: NDArray[np.float64]) -> None:
    """A corrected p is at least the raw one, at most 1, and never overtakes another."""
    raised = s.holm(p)
    assert (raised >= p).all()
    assert (raised <= 1).all()
    assert (np.diff(raised[np.argsort(p, kind="stable")]) >= 0).all()


def test_effect_size_is_the_textbooks() -> None:
    """Cohen's dz is mean over spread of the differences; the bounds put the observed t in their tails."""
    effect = s.cohens_dz(D)
    assert effect
    assert effect.interval
    assert effect.value == pytest.approx(D.mean() / D.std(ddof=1))
    t = effect.value * np.sqrt(7)
    tails = [float(stats.nct.cdf(t, 6, bound * np.sqrt(7))) for bound in effect.interval]
    assert tails == pytest.approx([0.975, 0.025], abs=1e-6)


def test_hedges_g_is_cohens_d_made_smaller() -> None:
    """g is the pooled d times the correction for few runs."""
    effect = s.hedges_g(A, B)
    assert effect
    d = (A.mean() - B.mean()) / np.sqrt((A.var(ddof=1) + B.var(ddof=1)) / 2)
    assert effect.value == pytest.approx(d * (1 - 3 / (4 * 12 - 1)))


def test_rank_biserial_follows_wilcoxon_and_mann_whitney() -> None:
    """Paired it is the signed ranks' balance, unpaired that of U."""
    up = stats.wilcoxon(D, alternative="greater").statistic
    assert s.rank_biserial_paired(D) == pytest.approx(2 * up / (7 * 8 / 2) - 1)
    u = stats.mannwhitneyu(A, B[:5]).statistic
    assert s.rank_biserial(A, B[:5]) == pytest.approx(2 * u / 35 - 1)


@pytest.mark.parametrize(("pairs", "least"), [(1, 1), (2, 0.5), (3, 0.25), (5, 0.0625), (6, 0.03125)])
def test_smallest_p_is_what_the_clearest_difference_gives(pairs: int, least: float) -> None:
    """However clear a difference is, its p is no smaller than this: 0.25 with three seeds."""
    assert s.smallest_p(pairs) == least == s.sign_flip_p(np.arange(1.0, pairs + 1))


@pytest.mark.parametrize(("first", "second"), [(2, 2), (3, 4), (5, 5)])
def test_smallest_unpaired_p_is_what_the_clearest_split_gives(first: int, second: int) -> None:
    """Two groups that do not overlap at all give the smallest p there is for their sizes."""
    apart = s.split_p(np.arange(100.0, 100.0 + first), np.arange(float(second)))
    assert apart == pytest.approx(s.smallest_split_p(first, second))


def test_seeds_needed_are_enough_and_no_fewer_are() -> None:
    """Six pairs can pass 0.05 alone; more claims need more pairs."""
    assert s.seeds_needed(1, paired=True) == 6
    assert s.seeds_needed(30, paired=True) == 11
    assert s.seeds_needed(1, paired=False) == 4
    assert s.seeds_needed(10**6, paired=True) is None


def test_differences_without_spread_have_no_effect_size() -> None:
    """Equal differences, one value, or rounding noise give None, not infinity."""
    assert s.cohens_dz(np.array([0.1 + 0.2, 0.3, 0.3])) is None
    assert s.cohens_dz(np.array([0.3])) is None
    assert s.hedges_g(np.array([1.0, 1.0]), np.array([2.0, 2.0])) is None
    assert s.rank_biserial_paired(np.zeros(3)) is None


@pytest.mark.parametrize("n", [3, 5, 10])
@pytest.mark.parametrize("kind", ["bell curve", "counts of 25 residents"])
def test_intervals_hold_the_truth_95_times_in_a_hundred(n: int, kind: str) -> None:
    """Over 20,000 studies the 95 % intervals of a paired difference cover the true one 93 to 97 times in 100."""
    dice = np.random.default_rng([n, len(kind)])
    if kind == "bell curve":
        first, second = dice.normal(1, 1, (20_000, n)), dice.normal(0, 2, (20_000, n))
    else:
        first, second = dice.binomial(25, 0.6, (20_000, n)) / 25, dice.binomial(25, 0.2, (20_000, n)) / 25
    truth = 1.0 if kind == "bell curve" else 0.4
    low, high = s.t_interval(first - second)
    assert 0.93 <= np.mean((low <= truth + 1e-12) & (truth - 1e-12 <= high)) <= 0.97


@pytest.mark.parametrize(("n", "measures"), [(5, 4), (8, 1), (10, 4)])
def test_at_most_5_in_100_studies_without_a_difference_claim_one(n: int, measures: int) -> None:
    """Three arms against one baseline, nothing differing: at most 5 % of the studies show any star."""
    dice = np.random.default_rng(n)
    base = dice.normal(size=(1000, measures, 1, n))
    arms = dice.normal(size=(1000, measures, 3, n))
    p = s.sign_flip_p((arms - base).reshape(1000, 3 * measures, n))
    claiming = np.mean((s.holm(p) <= s.ALPHA).any(axis=-1))
    assert claiming <= 0.05
    assert claiming > 0 or n == 5  # five seeds can claim nothing; more can, so the simulation could fail


def test_uncorrected_claims_would_be_far_too_many() -> None:
    """Without Holm more than a third of such studies claim something: that is what the correction is for."""
    dice = np.random.default_rng(1)
    p = s.sign_flip_p(dice.normal(size=(800, 12, 8)))
    assert np.mean((p <= s.ALPHA).any(axis=-1)) > 0.33


def test_unpaired_claims_keep_to_the_level() -> None:
    """Without a difference, dealing runs anew gives p at most 0.05 in at most 5 of 100 studies."""
    dice = np.random.default_rng(2)
    claims = [s.split_p(dice.normal(size=5), dice.normal(size=5)) <= s.ALPHA for _ in range(1000)]
    assert np.mean(claims) <= 0.05 + 0.014


@pytest.mark.parametrize("size", [1e-140, 1.0, 1e140])
@pytest.mark.parametrize("shift", [0.0, 1e15])
def test_no_size_of_numbers_breaks_the_arithmetic(size: float, shift: float) -> None:
    """Tiny, huge and nearly equal values give figures or None, with no warning (warnings are errors here)."""
    first, second = (A + shift) * size, (B[:5] + shift) * size
    assert s.split_p(first, second) > 0
    effect = s.hedges_g(first, second)
    assert effect is None or s.welch(first, second)[1] > 0
    assert s.cohens_dz(first[:5] - second) is None or s.paired_t_p(first[:5] - second) > 0
