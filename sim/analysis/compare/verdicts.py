"""What the figures allow to be said, in plain words; above all where seeds are too few to tell."""

from collections.abc import Sequence

from sim.analysis.compare.comparison import Comparison, Difference, Row
from sim.analysis.compare.groups import Group
from sim.analysis.compare.statistics import ALPHA, LEAST_RUNS, seeds_needed

SHOWN_SEEDS = 8  # of those that lack; more are counted


def verdict(row: Row, baseline: str) -> str:
    """Return what can be said of *row*, as its table's last column."""
    found = row.difference
    if row.arm == baseline:
        return "baseline"
    if not row.values:
        return "no value"
    if found is None:
        return "no value on the other side"
    if found.still:
        return "the same in every run" if found.mean == 0 else "does not vary with the seed: one observation an arm"
    if found.n == 1:
        return f"one {'pair' if found.paired else 'run a side'}: cannot be told from chance"
    if found.mean == 0 and found.interval == (0, 0):
        return f"the same in every {'pair' if found.paired else 'run'}"
    if row.exploratory:
        return f"exploratory{_leaning(found)}"
    if found.claimed:
        return "higher" if found.mean > 0 else "lower"
    if too_few(found):
        return f"too few seeds to tell{_leaning(found)}"
    return f"no clear difference{_leaning(found)}"


def too_few(found: Difference) -> bool:
    """Return whether no difference, however clear, could have been claimed from so few runs."""
    return found.smallest_p_holm > ALPHA or found.n < LEAST_RUNS


def _leaning(found: Difference) -> str:
    if found.interval is None or not found.interval.excludes_zero:
        return ""
    way = "higher" if found.mean > 0 else "lower"
    if found.effect is None and found.paired:
        return f" ({way} by the same in every pair)"
    return f" (looks {way}: its own interval excludes 0)"


def notes_on(comparison: Comparison, groups: Sequence[Group]) -> list[str]:
    """Return what must be said below the table."""
    base, *others = groups
    said = [] if others else ["there is one arm only, so there is nothing to compare it with"]
    said += [_unpaired(group, base) for group in others if not comparison.paired[group.label]]
    said += [lack for group in others if comparison.paired[group.label] for lack in _lacking(group, base)]
    return [*said, *_single(groups), *_power(comparison)]


def _unpaired(group: Group, base: Group) -> str:
    why = "another town" if group.digest != base.digest else "other seeds"
    return f"{group.label} and {base.label} are compared unpaired ({why}): Welch's interval, runs dealt anew for p"


def _single(groups: Sequence[Group]) -> list[str]:
    single = [group.label for group in groups if len(group.seeds) == 1]
    several = "each has" if len(single) > 1 else "has"
    return [f"{'; '.join(single)}: {several} one run only, which cannot be told from chance"] if single else []


def _lacking(group: Group, base: Group) -> list[str]:
    mine, theirs = set(group.seeds), set(base.seeds)
    pairs = [(group.label, sorted(theirs - mine)), (base.label, sorted(mine - theirs))]
    return [
        f"{label} lacks {_seeds(lacking)}: {group.label} is compared over {len(mine & theirs)} pairs"
        for label, lacking in pairs
        if lacking
    ]


def _seeds(seeds: Sequence[int]) -> str:
    shown = ", ".join(map(str, seeds[:SHOWN_SEEDS]))
    return f"seed{'s' if len(seeds) > 1 else ''} {shown}{', …' if len(seeds) > SHOWN_SEEDS else ''}"


def _power(comparison: Comparison) -> list[str]:
    """Return how many seeds it would take, where the present ones can earn no star, however clear the effect."""
    claims = comparison.claims
    found = [row.difference for row in comparison.rows if row.difference and row.difference.p_holm is not None]
    few = [f"fewer than {LEAST_RUNS} runs a side earn no star, however small their p"]
    few = few if any(one.n < LEAST_RUNS and one.smallest_p_holm <= ALPHA for one in found) else []
    hopeless = [one for one in found if one.smallest_p_holm > ALPHA]
    if not hopeless:
        return few
    best = max(hopeless, key=lambda one: (one.n, -one.smallest_p))
    runs = f"{best.n} {'pairs of runs' if best.paired else 'runs a side'}"
    corrected = f", {best.smallest_p_holm:.3g} after the correction for {claims} claims" if claims > 1 else ""
    star = f"with {runs} the smallest possible p is {best.smallest_p:.3g}{corrected}: no star can be earned so"
    alone, together = (seeds_needed(m, paired=best.paired) for m in (1, claims))
    needs = [f"{alone} seeds an arm are the least for one claim alone"] if best.n < (alone or 0) else []
    needs += [f"{together} are the least for all {claims} claims together"] if claims > 1 and together else []
    return [*few, f"{star}; {', '.join(needs)}{_fewer(claims)}"]


def _fewer(claims: int) -> str:
    return " (name the few that the study is about as primary: in the scenario, before looking)" if claims > 1 else ""
