"""Ranked answers become ratings, and tests of whether the arms differ at all, as in the paper's table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any, NamedTuple

from sim.analysis.compare.paper_figures import CROWD, RATINGS, TESTS
from sim.analysis.compare.statistics import ALPHA, Interval, holm
from sim.analysis.compare.table import p_text

ORDERS = 20  # ratings hang a little on the order in which rankings come: the mean over so many orders is taken
_WIDE = 1.959964  # standard deviations of a bell curve to either side that hold 95 %


class Rating(NamedTuple):
    """How believable an arm's answers were found, on TrueSkill's scale: 25 in the middle."""

    arm: str
    mu: float
    sigma: float
    """Uncertainty of *mu*: it shrinks with every ranking, so it is no spread of the answers."""
    mean_rank: float
    n: int
    """In how many rankings."""

    @property
    def interval(self) -> Interval:
        """95 % of what *mu* may be."""
        return Interval(self.mu - _WIDE * self.sigma, self.mu + _WIDE * self.sigma)


class RankTest(NamedTuple):
    """A test over all arms at once."""

    statistic: float
    free: int
    """Degrees of freedom."""
    p: float


class Pair(NamedTuple):
    """Dunn's test of two arms."""

    first: str
    second: str
    z: float
    """Below 0 where the first has the better ranks."""
    p: float
    p_holm: float

    @property
    def claimed(self) -> bool:
        """Whether the corrected p is at most 0.05."""
        return self.p_holm <= ALPHA


@dataclass(frozen=True, slots=True)
class Ranking:
    """What came of ranking the answers."""

    by: str
    """Who ranked."""
    rankings: int
    unread: int
    """Questions for which no ranking could be read."""
    ratings: tuple[Rating, ...]
    """The best first."""
    kruskal: RankTest | None
    """Kruskal and Wallis, as in the paper; None where all ranks are the same."""
    friedman: RankTest | None
    """Friedman, which knows that the ranks of one question belong together; over those that all arms answered."""
    pairs: tuple[Pair, ...]


def ranking_of(ranked: Sequence[Mapping[str, float]], arms: Sequence[str], *, by: str, unread: int = 0) -> Ranking:
    """Return the ratings of *arms* and the tests.

    Args:
        ranked: For each question the rank of each arm that answered, 1 the best, ties sharing the middle.
        by: Who ranked, in words.
        unread: How many questions could not be ranked.
    """
    present = [arm for arm in arms if any(arm in ranks for ranks in ranked)]
    ratings = sorted(_ratings(ranked, present), key=lambda one: -one.mu)
    groups = [[ranks[arm] for ranks in ranked if arm in ranks] for arm in present]
    return Ranking(
        by, len(ranked), unread, tuple(ratings), kruskal(groups), friedman(ranked, present),
        tuple(dunn(present, groups)),
    )  # fmt: skip


def _ratings(ranked: Sequence[Mapping[str, float]], arms: Sequence[str]) -> list[Rating]:
    import numpy as np
    from openskill.models import ThurstoneMostellerFull  # TrueSkill's own model of a comparison

    model = ThurstoneMostellerFull(tau=0.0)  # arms do not change from one question to the next
    found = np.zeros((ORDERS, len(arms), 2))
    for order in range(ORDERS):
        now = {arm: model.rating(name=arm) for arm in arms}
        for i in np.random.default_rng(order).permutation(len(ranked)):
            names = list(ranked[i])
            rated = model.rate([[now[name]] for name in names], ranks=[ranked[i][name] for name in names])
            now |= {name: team[0] for name, team in zip(names, rated, strict=True)}
        for k, arm in enumerate(arms):
            found[order, k] = now[arm].mu, now[arm].sigma
    mean = found.mean(axis=0)
    each = [[ranks[arm] for ranks in ranked if arm in ranks] for arm in arms]
    return [
        Rating(arm, float(mu), float(sigma), sum(own) / len(own), len(own))
        for arm, (mu, sigma), own in zip(arms, mean, each, strict=True)
    ]


def kruskal(groups: Sequence[Sequence[float]]) -> RankTest | None:
    """Return Kruskal and Wallis's test of ranks by arm; None for one arm, or where all ranks are the same."""
    from scipy.stats import kruskal as scipys

    if len(groups) < 2 or len({rank for group in groups for rank in group}) < 2:
        return None
    found = scipys(*groups)
    return RankTest(float(found.statistic), len(groups) - 1, float(found.pvalue))


def friedman(ranked: Sequence[Mapping[str, float]], arms: Sequence[str]) -> RankTest | None:
    """Return Friedman's test over the questions that all *arms* answered; None for fewer than 3 arms or 2 questions."""
    from scipy.stats import friedmanchisquare

    whole = [ranks for ranks in ranked if all(arm in ranks for arm in arms)]
    if len(arms) < 3 or len(whole) < 2 or all(len(set(ranks.values())) < 2 for ranks in whole):
        return None
    found = friedmanchisquare(*([ranks[arm] for ranks in whole] for arm in arms))
    return RankTest(float(found.statistic), len(arms) - 1, float(found.pvalue))


def dunn(names: Sequence[str], groups: Sequence[Sequence[float]]) -> list[Pair]:
    """Return Dunn's test of each pair of arms, corrected by Holm over the pairs; none where all ranks are the same.

    Source: Dunn 1964, with the correction for ties.
    """
    import numpy as np
    from scipy.stats import norm, rankdata, tiecorrect

    sizes = [len(group) for group in groups]
    n = sum(sizes)
    ranks = rankdata(np.concatenate([np.asarray(group, dtype=float) for group in groups])) if n else np.zeros(0)
    spread = n * (n + 1) / 12 * float(tiecorrect(ranks)) if n > 1 else 0.0
    if not spread or len(groups) < 2:
        return []
    means = [float(part.mean()) for part in np.split(ranks, np.cumsum(sizes)[:-1])]
    both = list(combinations(range(len(groups)), 2))
    z = [(means[i] - means[j]) / sqrt(spread * (1 / sizes[i] + 1 / sizes[j])) for i, j in both]
    p = 2 * norm.sf(np.abs(z))
    raised = holm(np.asarray(p, dtype=float))
    return [
        Pair(names[i], names[j], own, float(raw), float(corrected))
        for (i, j), own, raw, corrected in zip(both, z, p, raised, strict=True)
    ]


def ranking_lines(found: Ranking) -> Iterator[str]:
    """Yield the ranking as a table, beside the paper's figures where its arms are among ours."""
    unread = f"; {found.unread} more could not be ranked" if found.unread else ""
    yield f"Answers ranked by {found.by}: {found.rankings} question{'' if found.rankings == 1 else 's'}{unread}"
    width = max((len(rating.arm) for rating in found.ratings), default=3)
    yield f"  {'arm'.ljust(width)}    rating   95 % of it      mean rank    paper"
    for rating in found.ratings:
        low, high = rating.interval
        theirs = RATINGS.get(rating.arm)
        beside = f"{theirs.mu:.2f}" if theirs else "–"
        own = f"{rating.mu:7.2f}   {low:.2f} to {high:.2f}   {rating.mean_rank:10.2f}"
        yield f"  {rating.arm.ljust(width)}  {own}  {beside:>7}"
    yield from _test_lines(found)
    yield f"  paper: people who answered for the residents {CROWD.mu:.2f}; {TESTS}"
    yield "  The p count questions, not seeds: they say how sure the ranking of these lives is, not of other lives."


def _test_lines(found: Ranking) -> Iterator[str]:
    for name, test in (("Kruskal-Wallis H", found.kruskal), ("Friedman chi2", found.friedman)):
        if test is not None:
            yield f"  {name}({test.free}) = {test.statistic:.2f}, p {p_text(test.p)}"
    for pair in found.pairs:
        better, worse = (pair.first, pair.second) if pair.z < 0 else (pair.second, pair.first)
        way = f"{better} above {worse}" if pair.z else f"{better} level with {worse}"
        star = " *" if pair.claimed else ""
        yield f"  {way}: z {abs(pair.z):.2f}, p {p_text(pair.p)}, Holm {p_text(pair.p_holm)}{star}"


def ranking_json(found: Ranking) -> dict[str, Any]:
    """Return the ranking as plain values."""
    tests = {"kruskal": found.kruskal, "friedman": found.friedman}
    return {
        "by": found.by,
        "rankings": found.rankings,
        "unread": found.unread,
        "ratings": [
            {**rating._asdict(), "interval": list(rating.interval), "paper": _paper(rating.arm)}
            for rating in found.ratings
        ],
        **{name: None if test is None else test._asdict() for name, test in tests.items()},
        "dunn": [{**pair._asdict(), "claimed": pair.claimed} for pair in found.pairs],
    }


def _paper(arm: str) -> dict[str, float] | None:
    return RATINGS[arm]._asdict() if arm in RATINGS else None
