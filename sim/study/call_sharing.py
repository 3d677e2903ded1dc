"""How much of a study its cells have of each other: calls with equal keys are one call, whoever paid it."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from sim.log.run_folder import CALLS
from sim.study.cell import CellOrder

_BEGINS = b'{"key": "'
_LENGTH = 16  # characters of a key


def shares(orders: Iterable[CellOrder]) -> dict[str, Any]:
    """Return how many calls there were, how many differ, and by arm which share it had of those before it.

    The offline model has no shared calls, but its keys say what a paid model's would have saved.
    """
    seen: set[bytes] = set()
    counts: dict[str, list[int]] = {}
    for arm, path in _records(orders):
        count = counts.setdefault(arm, [0, 0])
        for key in keys_in(path):
            count[0] += 1
            count[1] += key in seen
            seen.add(key)
    calls = sum(all_of_them for all_of_them, _ in counts.values())
    by_arm = {arm: _share(had, all_of_them) for arm, (all_of_them, had) in counts.items()}
    return {"calls": calls, "different": len(seen), "share": _share(calls - len(seen), calls), "by_arm": by_arm}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def _records(orders: Iterable[CellOrder]) -> Iterator[tuple[str, Path]]:
    """Yield the records of calls with their arms, arm by arm."""
    records = [(o.arm, o.folder / CALLS) for o in orders]
    asked = [(a.arm, a.calls) for o in orders for a in o.asked]
    order = list(dict.fromkeys(arm for arm, _ in (*records, *asked)))
    yield from sorted([*records, *asked], key=lambda record: order.index(record[0]))


def keys_in(path: Path) -> Iterator[bytes]:
    """Yield the keys of a record of calls, without reading the rest of its lines where they begin as ours do."""
    with suppress(OSError), path.open("rb") as file:
        for line in file:
            if line.startswith(_BEGINS) and line.endswith(b"\n"):
                yield line[len(_BEGINS) : len(_BEGINS) + _LENGTH]
            else:
                with suppress(ValueError, KeyError, TypeError):
                    yield str(json.loads(line)["key"]).encode()
