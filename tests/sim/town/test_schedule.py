"""A plan covers the day: sorted, without gaps or overlaps, whatever a model wrote."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sim.times import DAY, HOUR, MINUTE
from sim.town.schedule import PlanBlock, current_block, insert_block, normalise

blocks = st.builds(
    lambda t, length, do: PlanBlock(t * MINUTE, (t + length) * MINUTE, "home", do),
    st.integers(-600, 2000), st.integers(-60, 1900), st.sampled_from(["rest", "work", "eat"]),
)  # fmt: skip


def filler(begin: int, until: int) -> list[PlanBlock]:
    return [PlanBlock(begin, until, "home", "nothing much")]


@given(st.lists(blocks, max_size=8), st.integers(0, 1200))
def test_any_blocks_become_a_whole_day(wanted: list[PlanBlock], now: int) -> None:
    """From now to bedtime every second is in exactly one block (fault TC-15)."""
    plan = normalise(wanted, now * MINUTE, DAY, filler)
    assert plan[0].t == now * MINUTE
    assert abs(plan[-1].until - DAY) < 5 * MINUTE
    assert all(a.until == b.t for a, b in pairwise(plan))
    assert all(block.t < block.until for block in plan)


def test_overlaps_past_and_late_hours_are_mended() -> None:
    """What is over is dropped, overlaps are cut, hours past the day end with it, gaps are marked (fault TC-15)."""
    wanted = [
        PlanBlock(8 * HOUR, 8 * HOUR + 30 * MINUTE, "home", "over"), PlanBlock(9 * HOUR, 10 * HOUR, "home", "first"),
        PlanBlock(9 * HOUR + 30 * MINUTE, 11 * HOUR, "home", "second"), PlanBlock(23 * HOUR, 26 * HOUR, "home", "late"),
    ]  # fmt: skip
    plan = normalise(wanted, 9 * HOUR + 10 * MINUTE, 24 * HOUR, filler)
    told = [(b.t // MINUTE, b.until // MINUTE, b.do, b.filler) for b in plan]
    assert told == [
        (550, 570, "first", False),
        (570, 660, "second", False),
        (660, 1380, "nothing much", True),
        (1380, 1440, "late", False),
    ]


def test_an_appointment_splits_what_it_falls_into() -> None:
    """The block around an appointment goes on after it."""
    plan = insert_block([PlanBlock(0, 4 * HOUR, "home", "work")], PlanBlock(HOUR, 2 * HOUR, "cafe", "meet"))
    assert [(b.t // HOUR, b.until // HOUR, b.do) for b in plan] == [
        (0, 1, "work"),
        (1, 2, "meet"),
        (2, 4, "work"),
    ]


def test_the_current_block_is_the_one_under_way_or_next() -> None:
    """In a gap the next block counts; after the last there is none."""
    plan = [PlanBlock(0, 10, "home", "a"), PlanBlock(20, 30, "home", "b")]
    assert [getattr(current_block(plan, now), "do", None) for now in (5, 15, 30)] == ["a", "b", None]
