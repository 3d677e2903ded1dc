"""Which runs stand beside each other: cells become groups with speaking labels, and what disturbs them is said."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sim.analysis.compare.cells import FORK, Cell

_LONG = 40  # letters of a setting within a label
_MARKS = ("prompts", "townsfolk")  # digests and versions tell people least, so they come last
_SHORT = 6  # digits of a digest that tell two towns of one name apart


@dataclass(frozen=True, slots=True)
class Group:
    """The runs of one arm of one town under the same settings."""

    label: str
    digest: str
    arm: str
    cells: tuple[Cell, ...]

    @property
    def seeds(self) -> tuple[int, ...]:
        """Its seeds, in order."""
        return tuple(sorted({cell.seed for cell in self.cells}))

    @property
    def lives(self) -> dict[int, str]:
        """The digest of what happened by seed; a seed of which it is not known stands for a life of its own."""
        return {cell.seed: cell.life or f"seed {cell.seed}" for cell in self.cells}

    def by_seed(self, measure: str) -> dict[int, float]:
        """Return the value of *measure* by seed; a seed that was lived more than once gives the mean of its lives."""
        values: dict[int, list[float]] = {}
        for cell in self.cells:
            value = cell.numbers.get(measure)
            if value is not None:
                values.setdefault(cell.seed, []).append(value)
        return {seed: sum(several) / len(several) for seed, several in sorted(values.items())}


def group_cells(cells: Iterable[Cell]) -> tuple[list[Group], list[str]]:
    """Return the groups in order of appearance, and what must be said of them."""
    by_key: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[Cell]] = {}
    for cell in cells:
        by_key.setdefault((cell.digest, cell.arm, tuple(sorted(cell.settings.items()))), []).append(cell)
    towns = _town_names([members[0] for members in by_key.values()])
    rivals = Counter((digest, arm) for digest, arm, _ in by_key)
    groups, notes = [], []
    for (digest, arm, settings), members in by_key.items():
        parts = [towns[digest]] if len(towns) > 1 else []
        label = ", ".join([*parts, arm])
        if rivals[digest, arm] > 1:
            others = [dict(s) for d, a, s in by_key if (d, a) == (digest, arm)]
            label = f"{label} ({_apart(dict(settings), others)})"
        kept, said = _without_copies(label, members)
        groups.append(Group(label, digest, arm, tuple(kept)))
        notes += said
    return groups, [*notes, *_confounded(groups)]


def _town_names(firsts: Sequence[Cell]) -> dict[str, str]:
    """Return a name for each town by its digest, with part of the digest where two towns share the name."""
    names = {cell.digest: cell.scenario for cell in firsts}
    shared = Counter(names.values())
    return {d: name if shared[name] == 1 else f"{name} [{d[:_SHORT]}]" for d, name in names.items()}


def _apart(settings: Mapping[str, str], all_of_them: Sequence[Mapping[str, str]]) -> str:
    """Return the settings in which groups of the same arm are not alike, as ``memory.k 8``; the fewest that will do."""
    keys = sorted({key for one in all_of_them for key in one}, key=lambda key: (key in _MARKS, key))
    differing = [key for key in keys if len({one.get(key) for one in all_of_them}) > 1]
    needed = [key for i, key in enumerate(differing) if _tells(differing[:i], all_of_them) < len(all_of_them)]
    parts = [f"{key} {_short(settings[key])}" if key in settings else f"without {key}" for key in needed]
    return ", ".join(parts)


def _tells(keys: Sequence[str], all_of_them: Sequence[Mapping[str, str]]) -> int:
    """Return how many groups *keys* tell apart."""
    return len({tuple(one.get(key) for key in keys) for one in all_of_them})


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


def _without_copies(label: str, members: Sequence[Cell]) -> tuple[list[Cell], list[str]]:
    """Return *members* less those that are the same life again, and what is to be said of repeated seeds."""
    kept: list[Cell] = []
    copies: list[str] = []
    for cell in members:
        twin = any(other.seed == cell.seed and dict(other.numbers) == dict(cell.numbers) for other in kept)
        copies += [cell.name] if twin else []
        kept += [] if twin else [cell]
    said = [f"{name} is the same life as another run of {label} with its seed: it is counted once" for name in copies]
    lived = Counter(cell.seed for cell in kept)
    several = [str(seed) for seed, times in sorted(lived.items()) if times > 1]
    if several:
        noun = "seed" if len(several) == 1 else "seeds"
        said.append(f"{label} lived {noun} {', '.join(several)} more than once: their mean counts as one run")
    return kept, [*said, *_same_lives(label, kept)]


def _same_lives(label: str, cells: Sequence[Cell]) -> list[str]:
    """Return which seeds lived the same life: they are no evidence of how far chance reaches."""
    seeds: dict[str, list[str]] = {}
    for cell in cells:
        seeds.setdefault(cell.life or cell.name, []).append(str(cell.seed))
    alike = [shared for shared in seeds.values() if len(shared) > 1]
    return [f"{label} lived one and the same life under the seeds {', '.join(shared)}" for shared in alike]


def _confounded(groups: Sequence[Group]) -> list[str]:
    """Return what else than the arm differs between the groups."""
    all_of_them = [dict(group.cells[0].settings) for group in groups]
    keys = sorted(
        {key for one in all_of_them for key in one if key != FORK and not key.startswith(("memory.", "mind."))}
    )
    said = []
    for key in keys:
        by_value: dict[str, list[str]] = {}
        for group, one in zip(groups, all_of_them, strict=True):
            by_value.setdefault(one.get(key, "unset"), []).append(group.label)
        if len(by_value) > 1:
            parts = "; ".join(f"{value}: {', '.join(labels)}" for value, labels in by_value.items())
            said.append(f"{key} is not the same for all ({parts}): a difference may come from that")
    return said
