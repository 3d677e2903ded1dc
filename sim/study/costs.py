"""What a study would cost: each arm is rehearsed once with the offline model, interviews and all."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sim.errors import RunError
from sim.models import OFFLINE
from sim.models.prices import Prices
from sim.models.recording import read_calls
from sim.models.roles import Roles
from sim.runs.cost import LONGER, Purpose, dollars_of, shares_of, sum_purposes
from sim.scenario import ModelName, Scenario
from sim.study.cell import CellOrder, Way
from sim.study.conduct import Means, cell_orders, shares
from sim.study.plan import STUDY, Study, with_offline_model

ROUGH = "runs of other seeds may be longer or shorter, and a real model lives other days"


def cost_lines(
    study: Study, way: Way, prices: Prices, progress: Callable[[int, int], None] = lambda done, of: None
) -> Iterator[str]:
    """Yield what the study would use up, after rehearsing each arm with its first seed.

    Raises:
        RunError: If an arm cannot be lived.
    """
    with tempfile.TemporaryDirectory(prefix="town-study-") as name:
        orders = _rehearse(study, Path(name), way, progress)
        parts = {arm: shares_of(_calls(orders, arm)) for arm in study.arms}
        shared = shares(orders)["share"]
    used = {arm: sum_purposes(each.values()) for arm, each in parts.items()}
    seeds = len(study.seeds)
    cells = f"{len(study.arms)} arms x {seeds} seeds = {len(study.arms) * seeds} cells"
    yield f"{study.full.name}: {cells}; rehearsed with the offline model, nothing was sent."
    yield f"{'arm':24}{'calls':>11}{'tokens in':>14}{'tokens out':>13}   for all {seeds} seeds"
    for arm, each in used.items():
        yield _row(arm, each, seeds)
    total = sum_purposes(used.values())
    yield _row("all", total, seeds)
    yield (
        f"Of one seed, {shared:.0%} of the calls are the same in two arms or more, and are paid once; "
        "what seeds have in common comes to that."
    )
    yield from _dollars(study, parts, seeds, shared, prices)
    yield f"This is an estimate: tokens out are the offline model's, times {LONGER:g}; {ROUGH}."


def _rehearse(study: Study, folder: Path, way: Way, progress: Callable[[int, int], None]) -> tuple[CellOrder, ...]:
    (folder / STUDY).touch()
    arms = {name: with_offline_model(scenario) for name, scenario in study.arms.items()}
    once = replace(study, arms=arms, full=with_offline_model(study.full), seeds=study.seeds[:1])
    orders = cell_orders(once, folder, Means())
    progress(0, len(orders))
    done = 0
    for each in way(orders):
        if each is not None:
            order, outcome = each
            if outcome.state != "done":
                raise RunError(f"the rehearsal of {order.name} failed: {outcome.why}")
            done += 1
            progress(done, len(orders))
    return orders


def _calls(orders: tuple[CellOrder, ...], arm: str) -> Iterator[dict[str, Any]]:
    for order in orders:
        for path in (path for of, path in order.records if of == arm):
            yield from read_calls(path)


def _row(arm: str, used: Purpose, seeds: int) -> str:
    return f"{arm:24}{used.calls * seeds:11,}{used.tokens_in * seeds:14,}{used.tokens_out * seeds:13,}"


def _dollars(
    study: Study, parts: Mapping[str, Mapping[tuple[str, str], Purpose]], seeds: int, shared: float, prices: Prices
) -> Iterator[str]:
    chat = study.full.model.chat
    names = [chat] if chat != OFFLINE else [name for name, price in prices.table.items() if price.output]
    yield f"{'dollars with':24}{'in all':>11}{'less what is shared':>22}"
    for name in names:
        casts = {arm: _cast(study.arms[arm], name) for arm in parts}
        unknown = dict.fromkeys(str(n) for cast in casts.values() for n in cast.real() if prices.price_of(n) is None)
        for missing in unknown:
            yield f"{missing}: its price is not known (add it to a file and name that with --prices)"
        if not unknown:
            dollars = sum(dollars_of(each, casts[arm], prices) for arm, each in parts.items()) * seeds
            yield f"{name:24}{dollars:11,.2f}{dollars * (1 - shared):22,.2f}"


def _cast(arm: Scenario, chat: str) -> Roles:
    """Return who answers what in *arm*, with *chat* where it names no real model itself."""
    roles = Roles.of(arm)
    return replace(roles, chat=ModelName(chat)) if roles.chat == OFFLINE else roles
