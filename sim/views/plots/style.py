"""How the charts look: colours, hatches and the axis of town time."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from sim.times import DAY, DAYS, HOUR, MINUTE, MONTHS, at, clock_label, midnight_before, second_of_day

INK, FAINT, GRID, WAY = "#222222", "#666666", "#DDDDDD", "#8C8C8C"
LINE, MARK = "#0072B2", "#D55E00"  # told apart with every kind of colour vision, and in grey

# The first seven are Okabe and Ito's.  The others were picked one by one, each the farthest (in CIELAB, the
# least of normal, deuteranopic and protanopic sight, Machado et al. 2009) from those before and from grey.
PALETTE = (
    "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#874B2D",
    "#B4C378", "#7887FF", "#0F6969", "#A5874B", "#F0B4A5", "#2DC3D2", "#E1C35A", "#873C87",
    "#78A5FF", "#964B00", "#0F5AB4", "#B41E69", "#C35A5A", "#5A961E", "#9687C3", "#E1873C",
)  # fmt: skip
HATCHES = ("", "////", "....", "\\\\\\\\", "xxxx")

_CLOCK_INCHES, _DAY_INCHES = 0.5, 0.85  # a tick's label with the room it needs
_STEPS_WITHIN_DAY = (
    MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    4 * HOUR,
    6 * HOUR,
    12 * HOUR,
)


class Fill(NamedTuple):
    """How an area is painted."""

    colour: str
    hatch: str

    @property
    def pale(self) -> str:
        """The colour mixed with white: the same place, asleep."""
        return _hex([round(255 - (255 - part) * 0.3) for part in _rgb(self.colour)])

    @property
    def ink(self) -> str:
        """Black or white, whichever reads better on the colour."""
        red, green, blue = _rgb(self.colour)
        return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 125 else "#FFFFFF"


def fill(i: int) -> Fill:
    """Return the i-th way of painting: 24 colours, then the same with a hatch, and so on."""
    return Fill(PALETTE[i % len(PALETTE)], HATCHES[i // len(PALETTE) % len(HATCHES)])


def _rgb(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _hex(parts: list[int]) -> str:
    return "#" + "".join(f"{part:02X}" for part in parts)


class Tick(NamedTuple):
    """A mark on the axis of time."""

    t: int
    label: str


def time_ticks(start: datetime, ends: int, inches: float) -> list[Tick]:
    """Return the ticks from second 0 to *ends* for an axis of that length: clock times with the day below.

    Labels do not touch; where clock times would not fit, days are labelled: each, every second, fourth …
    """
    for step in _STEPS_WITHIN_DAY:
        if ends / step * _CLOCK_INCHES <= inches:
            return _clock_ticks(start, ends, step, inches)
    step = DAY
    while ends / step * _DAY_INCHES > inches:
        step *= 2
    return [Tick(t, day_of(start, t)) for t in midnights(start, ends)[:: step // DAY]]


def midnights(start: datetime, ends: int) -> list[int]:
    """Return the seconds from 0 to *ends* at which a day begins."""
    return list(range(-second_of_day(start, 0) % DAY, ends + 1, DAY))


def _clock_ticks(start: datetime, ends: int, step: int, inches: float) -> list[Tick]:
    first = midnight_before(start, 0)
    times = [t for t in range(first, ends + 1, step) if t >= 0] or [0]
    dated = set(_dated(start, times, ends, _DAY_INCHES / inches * ends))
    clocks = [clock_label(second_of_day(start, t)) for t in times]
    return [
        Tick(t, f"{clock}\n{day_of(start, t)}" if t in dated else clock) for t, clock in zip(times, clocks, strict=True)
    ]


def _dated(start: datetime, times: list[int], ends: int, apart: float) -> Iterator[int]:
    """Yield the first tick of each day, less those that have the next day's or the axis's end too near."""
    firsts = {midnight_before(start, t): t for t in reversed(times)}
    in_order = sorted(firsts.values())
    for t, following in zip(in_order, [*in_order[1:], None], strict=True):
        if t == 0 or min(following or 2 * ends, ends + apart / 2) - t >= apart:
            yield t


def day_of(start: datetime, t: int) -> str:
    """Return ``Mon 13 Feb``."""
    day = at(start, t)
    return f"{DAYS[day.weekday()][:3]} {day.day} {MONTHS[day.month - 1][:3]}"
