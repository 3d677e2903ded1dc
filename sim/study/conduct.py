"""A study from beginning to end: its cells are lived, side by side, and `study.json` says how each of them stands."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.errors import RunError
from sim.log.lock import hold_lock
from sim.models.call_cache import CallCache
from sim.models.prices import load_prices
from sim.models.recording import Budget
from sim.models.roles import Roles
from sim.scenario import FULL
from sim.study.cell import CellOrder, InterviewOrder, Outcome, Way, one_by_one, tally
from sim.study.plan import CALLS_SHARED, STUDY, Study, check_folder, write_study

_BEGINS = b'{"key": "'
_LENGTH = 16  # characters of a key


@dataclass(frozen=True)
class Means:
    """With what a study is carried out; nothing here shapes its numbers."""

    way: Way = one_by_one
    """How cells are lived: here one by one, in processes, or on a cluster."""
    concurrency: int = 1
    """Thoughts at once in each cell."""
    budget: Budget = field(default_factory=Budget)
    """Of the whole study."""
    prices: Path | None = None


@dataclass(slots=True)
class StudyState:
    """How a study stands."""

    folder: Path
    study: Study
    orders: tuple[CellOrder, ...]
    outcomes: dict[CellOrder, Outcome]
    """Of the cells that have ended."""
    shared: Mapping[str, Any]
    """How many of the calls one cell has of another; empty until all have ended."""

    @property
    def is_done(self) -> bool:
        """Whether every cell came to its end."""
        return len(self.outcomes) == len(self.orders) and not self.failed

    @property
    def failed(self) -> dict[CellOrder, Outcome]:
        """The cells that did not."""
        return {order: outcome for order, outcome in self.outcomes.items() if outcome.state != "done"}


Tell = Callable[[StudyState], None]
"""Is told how the study stands, a few times a second."""


def cell_orders(study: Study, folder: Path, means: Means) -> tuple[CellOrder, ...]:
    """Return what each cell is to do, in the order in which they begin."""
    live = [(FULL, seed) for seed in study.seeds] if study.design == "paper" else list(study.cells)
    return tuple(_order(study, folder, means, arm, seed) for arm, seed in live)


def _order(study: Study, folder: Path, means: Means, arm: str, seed: int) -> CellOrder:
    filtered = study.design == "paper"
    answers = folder / "interviews"
    asked = tuple(
        InterviewOrder(name, study.scenario_of(name, seed).to_json(), answers / name / f"seed-{seed}.jsonl", filtered)
        for name in (study.arms if filtered else [arm])
    )
    scenario = study.scenario_of(arm, seed)
    own_calls = not Roles.of(scenario).real() and not scenario.model.embed
    return CellOrder(
        arm, seed, scenario.to_json(), folder / arm / f"seed-{seed}", asked if study.interviews else (),
        study.questions, means.concurrency, means.budget, means.prices,
        None if own_calls else folder / CALLS_SHARED, folder / STUDY,
    )  # fmt: skip


def conduct(study: Study, folder: Path, means: Means, tell: Tell = lambda _: None) -> StudyState:
    """Bring the study in *folder* to its end, from wherever it was.

    Raises:
        RunError: If *folder* holds something else, is in use, or a price is missing for a budget in dollars.
    """
    folder = folder.resolve()  # the cells may be lived elsewhere
    _check_priced(study, means)
    check_folder(folder, study)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"cannot write the study's folder {str(folder)!r}: {error.strerror}") from error
    with hold_lock(folder):
        check_folder(folder, study)
        now = StudyState(folder, study, cell_orders(study, folder, means), {}, {})
        now.outcomes.update((order, Outcome("done")) for order in now.orders if order.is_done)
        _drop_claims(now)
        _write(now)
        try:
            _live(now, means, tell)
        finally:
            _write(now)
        now.shared = shares(now.orders)
        _write(now)
    return now


def _live(now: StudyState, means: Means, tell: Tell) -> None:
    todo = [order for order in now.orders if order not in now.outcomes]
    tell(now)
    if not todo:
        return
    with closing(means.way(todo)) as ended:  # whatever happens here, no cell goes on alone
        for each in ended:
            if each is not None:
                order, outcome = each
                now.outcomes[order] = outcome
                _write(now)
            tell(now)


def _check_priced(study: Study, means: Means) -> None:
    """Raise RunError if a budget in dollars could not hold as a price is not known: cells would find out one by one."""
    if means.budget.dollars is None:
        return
    price = load_prices(means.prices).price_of
    models = {name for scenario in study.arms.values() for name in Roles.of(scenario).real()}
    for name in sorted(map(str, models)):
        if price(name) is None:
            raise RunError(
                f"no price of {name!r} is known, so --budget-usd could not hold: give it one with --prices FILE, "
                "or use --budget-tokens"
            )


def _drop_claims(now: StudyState) -> None:
    """Have the shared calls ready, and forget which of them a study that was killed was waiting for."""
    for path in {order.shared for order in now.orders if order.shared is not None}:
        with closing(CallCache(path)) as cache:
            cache.release_all()


def _write(now: StudyState) -> None:
    write_study(now.folder, now.study, list(_cells(now)), now.shared)


def _cells(now: StudyState) -> Iterator[dict[str, Any]]:
    """Yield the cells as `study.json` holds them, arm by arm: one for each arm and seed, in either design."""
    paper = now.study.design == "paper"
    orders = {(arm, order.seed): order for order in now.orders for arm in (now.study.arms if paper else (order.arm,))}
    for arm in now.study.arms:
        for seed in now.study.seeds:
            order = orders[arm, seed]
            outcome = now.outcomes.get(order)
            cell: dict[str, Any] = {"arm": arm, "seed": seed, "state": outcome.state if outcome else "waiting"}
            cell |= {"why": outcome.why} if outcome and outcome.why else {}
            yield cell | (tally(order).get(arm, {}) if outcome else {})


def shares(orders: Iterable[CellOrder]) -> dict[str, Any]:
    """Return how many calls there were, how many differ, and by arm which share it had of those before it.

    The offline model has no shared calls, but its keys say what a paid model's would have saved.
    """
    seen: set[bytes] = set()
    counts: dict[str, list[int]] = {}
    records = [record for order in orders for record in order.records]
    arms = list(dict.fromkeys(arm for arm, _ in records))
    for arm, path in sorted(records, key=lambda record: arms.index(record[0])):
        count = counts.setdefault(arm, [0, 0])
        for key in keys_in(path):
            count[0] += 1
            count[1] += key in seen
            seen.add(key)
    calls = sum(every for every, _ in counts.values())
    by_arm = {arm: _share(had, every) for arm, (every, had) in counts.items()}
    return {"calls": calls, "different": len(seen), "share": _share(calls - len(seen), calls), "by_arm": by_arm}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def keys_in(path: Path) -> Iterator[bytes]:
    """Yield the keys of a record of calls, without reading the rest of its lines where they begin as ours do."""
    with suppress(OSError), path.open("rb") as file:
        for line in file:
            if line.startswith(_BEGINS) and line.endswith(b"\n"):
                yield line[len(_BEGINS) : len(_BEGINS) + _LENGTH]
            else:
                with suppress(ValueError, KeyError, TypeError):
                    yield str(json.loads(line)["key"]).encode()
