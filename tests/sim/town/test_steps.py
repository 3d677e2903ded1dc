"""A part of the day is broken down when it comes: hours first, then steps, which cover it whatever a model says."""

from datetime import datetime
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sim.mind.reply_schemas import PartPlan
from sim.times import HOUR, MINUTE
from sim.town.schedule import PlanBlock
from sim.town.steps import TimedSteps, read_steps

START = datetime(2031, 5, 5, 6)
BLOCK = PlanBlock(2 * HOUR, 4 * HOUR, "mill", "milling", "loft")


def plan(*steps: tuple[str, str, str]) -> PartPlan:
    """Return a reply of *steps*: from, until, do."""
    return PartPlan.model_validate({"steps": [{"from": a, "until": b, "do": do} for a, b, do in steps]})


def test_steps_are_read_in_town_time() -> None:
    """They stand at the block's own place and room, and a bare verb becomes a doing."""
    steps = read_steps(
        plan(("08:00", "09:00", "grind wheat"), ("09:00", "10:00", "sweeping")), BLOCK, 2 * HOUR, START, "Ada"
    )
    assert [(s.t, s.until, s.do) for s in steps] == [
        (2 * HOUR, 3 * HOUR, "grinding wheat"),
        (3 * HOUR, 4 * HOUR, "sweeping"),
    ]
    assert {(s.place, s.room) for s in steps} == {("mill", "loft")}


clocks = st.integers(0, 24 * 60 - 1).map(lambda minute: f"{minute // 60:02}:{minute % 60:02}")


@given(st.lists(st.tuples(clocks, clocks, st.just("sweeping")), min_size=1, max_size=8), st.integers(0, 100))
def test_steps_cover_what_is_left_of_the_block(said: list[tuple[str, str, str]], minute: int) -> None:
    """Without gap or overlap, from now to its end, whatever times a model gives."""
    now = BLOCK.t + minute * MINUTE
    steps = read_steps(plan(*said), BLOCK, now, START, "Ada")
    assert steps[0].t == now
    assert steps[-1].until == BLOCK.until
    assert all(one.until == next_.t for one, next_ in pairwise(steps))


def test_a_step_is_taken_once_and_late_ones_are_passed_over() -> None:
    """Whoever comes back from a talk goes on with the step that it is time for."""
    said = plan(("08:00", "08:30", "one"), ("08:30", "09:00", "two"), ("09:00", "10:00", "three"))
    steps = TimedSteps(BLOCK, read_steps(said, BLOCK, 2 * HOUR, START, "Ada"))
    taken = [steps.take(2 * HOUR), steps.take(2 * HOUR), steps.take(3 * HOUR + MINUTE)]
    assert [step and step.t for step in taken] == [2 * HOUR, None, 3 * HOUR]


def test_steps_are_still_of_what_an_interruption_leaves() -> None:
    """The rest of a block has the same end, doing and place."""
    steps = TimedSteps(BLOCK)
    assert steps.are_of(PlanBlock(3 * HOUR, BLOCK.until, "mill", "milling"))
    assert not steps.are_of(PlanBlock(BLOCK.t, BLOCK.until, "mill", "sweeping"))
