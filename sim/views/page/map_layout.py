"""Where each place stands on the map: its coordinates, spread so that no two places cover each other."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

GAP = 0.85  # cells between two places, at the least: room for a name above the lower one
_FILLED = 0.62  # of the map's area that places take up: dense enough to read, loose enough to see people walk
_ROUNDS = 40  # of pushing apart before the whole town is stretched
_STRETCH = 1.12
_MOST = 4.0  # cells: a spot for a crowd is no wider
_PATHS_UP_TO = 400  # places: the map of more shows no paths, and people walk straight
_FAR = 1e7  # metres: what lies further off is drawn there


@dataclass(frozen=True, slots=True)
class Cell:
    """The open part of a place (*room* is None) or one of its rooms; lengths in cells, from the box's corner."""

    room: str | None
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Box:
    """A place on the map: its middle, x growing eastwards and y southwards, and its size, all in cells."""

    place: str
    x: float
    y: float
    width: float
    height: float
    cells: tuple[Cell, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the box as plain values, rounded."""
        cells = [[c.room, *(round(v, 3) for v in (c.x, c.y, c.width, c.height))] for c in self.cells]
        values = {"x": self.x, "y": self.y, "w": self.width, "h": self.height}
        return {key: round(value, 3) for key, value in values.items()} | {"cells": cells}


def boxes_of(places: Mapping[str, Mapping[str, Any]], crowds: Mapping[tuple[str, str | None], int]) -> tuple[Box, ...]:
    """Return a box for each place of a log's first line, none covering another.

    Args:
        places: By id; ``at`` is [x, y] in metres, x to the east and y to the north.  A place without stands where
            there is room.
        crowds: The most people that were at a spot at once, by place id and room.
    """
    plans = [_cells(place, room_names(about), crowds) for place, about in places.items()]
    sizes = np.array([_size(cells) for cells in plans], dtype=float).reshape(-1, 2)
    middles = spread(_points(places), sizes + GAP)
    return tuple(
        Box(place, float(x), float(y), float(width), float(height), cells)
        for place, cells, (x, y), (width, height) in zip(places, plans, middles, sizes, strict=True)
    )


def room_names(about: Mapping[str, Any]) -> list[str]:
    """Return the names of a place's rooms, as a log's first line has them: names, or mappings with a name."""
    rooms = about.get("rooms")
    names = [room.get("name") if isinstance(room, Mapping) else room for room in (rooms or ())]
    return [name for name in names if isinstance(name, str)]


def spread(points: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return middles near *points* at which rectangles of *sizes* do not overlap; both have shape (n, 2).

    Rectangles that overlap push each other apart; where that does not end, the whole is stretched and pushed again.
    """
    if len(points) < 2:
        return np.zeros_like(points)
    extent = np.ptp(points, axis=0)
    area = float(np.prod(np.maximum(extent, max(float(extent.max()) / 3, 1e-9))))
    scale = math.sqrt(float(np.prod(sizes, axis=1).sum()) / _FILLED / area)
    placed: NDArray[np.float64] = (points - points.min(axis=0)) * scale
    placed = placed + _fan(len(points)) * 0.01  # those at the very same spot need a direction to part in
    while True:
        for _ in range(_ROUNDS):
            push = _pushes(placed, sizes)
            if not push.any():
                return placed
            placed = placed + push
        placed = placed * _STRETCH


def _pushes(middles: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much each rectangle is pushed, along the axis on which a pair overlaps least; shape (n, 2)."""
    apart = middles[:, None, :] - middles[None, :, :]
    over = (sizes[:, None, :] + sizes[None, :, :]) / 2 - np.abs(apart)
    hit = (over > 1e-6).all(axis=2) & ~np.eye(len(middles), dtype=bool)
    along_x = over[:, :, 0] < over[:, :, 1]
    amount = np.where(hit, np.where(along_x, over[:, :, 0], over[:, :, 1]), 0.0) * 0.5 + np.where(hit, 0.002, 0.0)
    sign = np.where(apart < 0, -1.0, 1.0)
    moved_x, moved_y = np.where(along_x, amount * sign[:, :, 0], 0.0), np.where(along_x, 0.0, amount * sign[:, :, 1])
    return np.stack([moved_x.sum(axis=1), moved_y.sum(axis=1)], axis=1)


def _fan(count: int) -> NDArray[np.float64]:
    """Return *count* different directions, each its own length."""
    turns = np.arange(count) * 2.399963  # the golden angle: no two alike
    return np.stack([np.cos(turns), np.sin(turns)], axis=1) * (1 + np.arange(count)[:, None] / count)


def _points(places: Mapping[str, Mapping[str, Any]]) -> NDArray[np.float64]:
    known = [_at(about.get("at")) for about in places.values()]
    middle = next((point for point in known if point is not None), (0.0, 0.0))
    return np.array([point or middle for point in known], dtype=float).reshape(-1, 2)


def _at(value: object) -> tuple[float, float] | None:
    """Return a point with y growing southwards, None where *value* is none."""
    if not isinstance(value, Sequence) or len(value) != 2:
        return None
    if not all(isinstance(v, int | float) and math.isfinite(v) for v in value):
        return None
    x, y = (max(-_FAR, min(_FAR, float(v))) for v in value)
    return x, -y


def _cells(place: str, rooms: Sequence[str], crowds: Mapping[tuple[str, str | None], int]) -> tuple[Cell, ...]:
    """Return the open part and the rooms in rows; the open part is as large as its crowds need, rooms share a row."""
    names: list[str | None] = [None, *rooms]
    columns = math.ceil(math.sqrt(len(names)))
    rows = [names[i : i + columns] for i in range(0, len(names), columns)]
    width = max(sum(_side(place, name, crowds) for name in row) for row in rows)
    cells, y = [], 0.0
    for row in rows:
        sides = [_side(place, name, crowds) for name in row]
        x, height = 0.0, max(1.0, max(sides) * 0.85)
        for name, side in zip(row, sides, strict=True):
            cells.append(Cell(name, x, y, side * width / sum(sides), height))
            x += side * width / sum(sides)
        y += height
    return tuple(cells)


def _side(place: str, room: str | None, crowds: Mapping[tuple[str, str | None], int]) -> float:
    """Return the edge of a spot: four people stand in a cell at ease."""
    return min(_MOST, max(1.15, 0.62 * math.sqrt(crowds.get((place, room), 0))))


def _size(cells: Sequence[Cell]) -> tuple[float, float]:
    return max(c.x + c.width for c in cells), max(c.y + c.height for c in cells)


def footpaths(boxes: Sequence[Box]) -> list[tuple[str, str, float]]:
    """Return (place, place, length in cells) of paths that join neighbours, so that each place can be walked to.

    Two places are neighbours where no third one lies in the circle over the line between them (the Gabriel graph).
    """
    if not 1 < len(boxes) <= _PATHS_UP_TO:
        return []
    middles = np.array([(box.x, box.y) for box in boxes])
    squared = ((middles[:, None, :] - middles[None, :, :]) ** 2).sum(axis=2)
    found = []
    for i, first in enumerate(boxes):
        for j in range(i + 1, len(boxes)):
            others = squared[i] + squared[j]
            others[[i, j]] = math.inf
            if others.min() >= squared[i, j]:
                found.append((first.place, boxes[j].place, round(math.sqrt(float(squared[i, j])), 3)))
    return found
