"""What a comparison of arms comes to: each measure of each arm, beside the baseline's."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sim.analysis.compare.statistics import Effect, Interval


@dataclass(frozen=True, slots=True)
class Difference:
    """How an arm differs from the baseline in one measure."""

    mean: float
    """The arm's mean less the baseline's; over the pairs, where it is paired."""
    n: int
    """Pairs; of an unpaired difference, the runs of the smaller side.  What was lived the same twice counts once."""
    paired: bool
    interval: Interval | None = None
    """95 %, of this difference alone; None for fewer than two pairs or runs a side."""
    p: float | None = None
    """Of the permutation test; None where there is nothing to test."""
    p_holm: float | None = None
    """Corrected for all claims of the comparison."""
    p_t: float | None = None
    """Of Student's t for pairs, or of Welch's, for whoever wants it beside; nothing is claimed by it."""
    smallest_p: float = 1.0
    """The least p that so few runs could give, however clear the difference."""
    smallest_p_holm: float = 1.0
    """The least corrected p, if all claims of the comparison were as clear as they could be."""
    effect: Effect | None = None
    rank_biserial: float | None = None
    still: bool = False
    """Whether the measure varies in neither arm over several lives: its seeds are one observation, and no test."""
    claimed: bool = False
    """Whether the corrected p is at most 0.05, with `LEAST_RUNS` a side or more: the one thing that earns a star."""


@dataclass(frozen=True, slots=True)
class Row:
    """One measure of one arm."""

    measure: str
    arm: str
    values: tuple[tuple[int, float], ...]
    """(seed, value) of each seed that has one, by seed."""
    runs: int
    """Seeds of the arm, with a value or without."""
    mean: float | None
    spread: float | None
    """Sample standard deviation."""
    interval: Interval | None
    """95 %, of the mean."""
    difference: Difference | None = None
    """To the baseline; None for the baseline itself, and where one side has no value."""
    verdict: str = ""
    """What can be said, in words."""
    exploratory: bool = False
    """Whether the study was to be about other measures, so that nothing is claimed of this one."""

    @property
    def n(self) -> int:
        """How many seeds have a value."""
        return len(self.values)


@dataclass(frozen=True, slots=True)
class Comparison:
    """All measures of all arms."""

    baseline: str
    arms: tuple[str, ...]
    """The baseline first."""
    measures: tuple[str, ...]
    rows: tuple[Row, ...]
    """By measure, then by arm, in those orders."""
    claims: int
    """How many differences were tested, and corrected for together."""
    paired: Mapping[str, bool]
    """By arm other than the baseline."""
    primary: tuple[str, ...] = ()
    """The measures that the study was to be about; none named: all are."""
    better: Mapping[str, str] = field(default_factory=dict)
    """By measure, which way is aimed at: ``more`` or ``less``."""
    notes: tuple[str, ...] = ()
    """What a reader must know: what was left out, why something is unpaired, whether seeds are too few."""

    def row(self, measure: str, arm: str) -> Row:
        """Return one row."""
        return next(row for row in self.rows if (row.measure, row.arm) == (measure, arm))

    def holders(self, measure: str) -> list[str]:
        """Return the arms that have a value of *measure*."""
        return [row.arm for row in self.rows if row.measure == measure and row.values]

    def varies(self, measure: str) -> bool:
        """Return whether the runs do not all have the same value."""
        return len({value for row in self.rows if row.measure == measure for _, value in row.values}) > 1
