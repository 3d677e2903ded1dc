"""One persona's way through a finished run: runs of tiles, acts and talks, gathered step by step."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from sim.smallville.steps import Lines, Shown

Tile = tuple[int, int]


class Rest(NamedTuple):
    """From one step to another, both included, on one tile."""

    tile: Tile
    first: int
    last: int

    @property
    def stands(self) -> bool:
        """Whether it is more than a step of a walk."""
        return self.last > self.first


class Act(NamedTuple):
    """What a persona does from step *first* on."""

    first: int
    description: str
    emoji: str


class Chat(NamedTuple):
    """A talk as one of those in it shows it, from one step to another, the second not included."""

    first: int
    end: int
    lines: Lines


@dataclass
class Track:
    """What the steps have shown of one persona so far."""

    name: str
    tiles: list[tuple[int, Tile]] = field(default_factory=list)
    """(step, tile) of each change."""
    acts: list[Act] = field(default_factory=list)
    chats: list[Chat] = field(default_factory=list)
    """Those that are over."""
    _chat: tuple[int, Lines] | None = None

    def take(self, step: int, shown: Shown) -> None:
        """Take what *step*, a later one than before, shows."""
        if shown.tile is not None and (not self.tiles or self.tiles[-1][1] != shown.tile):
            self.tiles.append((step, shown.tile))
        if shown.description is None:
            return
        last = self.acts[-1] if self.acts else None
        if last is None or (last.description, last.emoji) != (shown.description, shown.emoji):
            self.acts.append(Act(step, shown.description, shown.emoji))
        if shown.chat != (self._chat[1] if self._chat else ()):
            self.hush(step)
            self._chat = (step, shown.chat) if shown.chat else None

    def hush(self, step: int) -> None:
        """End the talk that goes on, if one does, before *step*."""
        if self._chat is not None:
            self.chats.append(Chat(self._chat[0], max(step, self._chat[0] + 1), self._chat[1]))
        self._chat = None

    def rests(self, steps: int) -> list[Rest]:
        """Return the tiles in order, each with the steps it was held for; the last up to the end of *steps* steps."""
        ends = [step - 1 for step, _ in self.tiles[1:]] + [max(steps - 1, self.tiles[-1][0])] if self.tiles else []
        return [Rest(tile, step, end) for (step, tile), end in zip(self.tiles, ends, strict=True)]

    def act_at(self, step: int) -> Act | None:
        """Return what is done in *step*."""
        number = bisect_right(self.acts, step, key=lambda act: act.first)
        return self.acts[number - 1] if number else None

    def tile_at(self, step: int) -> Tile | None:
        """Return where the persona is in *step*."""
        number = bisect_right(self.tiles, step, key=lambda change: change[0])
        return self.tiles[number - 1][1] if number else None


def parts(description: str) -> tuple[str, str]:
    """Return the act and the address of ``act @ address``; the address is "" where there is none."""
    act, at, address = description.rpartition(" @ ")
    return (act.strip(), address.strip()) if at else (description.strip(), "")


def walks(track: Track, longest: int) -> Iterator[list[tuple[int, Tile]]]:
    """Yield the changes of tile in pieces: those of one act, none longer than *longest*."""
    starts = iter([*(act.first for act in track.acts), None])
    until: int | None = 0
    piece: list[tuple[int, Tile]] = []
    for step, tile in track.tiles:
        turned = False
        while until is not None and step >= until:
            until, turned = next(starts), True
        if piece and (turned or len(piece) == longest):
            yield piece
            piece = []
        piece.append((step, tile))
    if piece:
        yield piece


def resting(rests: Iterable[Rest]) -> list[Rest]:
    """Return the tiles that somebody stood on, and the first in any case."""
    return [rest for i, rest in enumerate(rests) if rest.stands or i == 0]
