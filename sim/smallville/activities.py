"""Where a persona stayed and what they did, as events of ours: from the steps, or from memories where these lack."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from sim.log.events import Arrived, Decided, Event, Left, Placed, Slept, Started, Walked, Woke
from sim.smallville.nodes import Node
from sim.smallville.places import Atlas, Sector, Spot
from sim.smallville.steps import Act, Rest, Track, parts, resting, walks

ACT = "act"
"""What a choice of the reference code is called in the log; it needs some eight calls, none of them recorded."""
_ASLEEP = re.compile(r"\W*(?:is |am )?(?:sleeping|asleep)\b", re.IGNORECASE)
_SLEEP_SIGNS = ("💤", "😴", "😴💤", "💤😴")
_PIECE = 400  # changes of tile in one event, at the most
_EARLY = 2  # steps between the choice of an act and setting out for it, at the most


class Stay(NamedTuple):
    """From one step to another, both included, in one room."""

    spot: Spot
    first: int
    last: int


@dataclass(frozen=True)
class Life:
    """One persona's run."""

    name: str
    stays: Sequence[Stay]
    acts: Sequence[Act]
    track: Track

    def at(self, step: int) -> Spot | None:
        """Return where the persona is in *step*; on the way it is the place left last."""
        found = self.stays[0].spot if self.stays else None
        for stay in self.stays:
            if stay.first > step:
                break
            found = stay.spot
        return found


def life_of(track: Track, atlas: Atlas, memories: Iterable[Node], steps: int, per_step: int) -> Life:
    """Return the life that the steps show; where they show none, the one that can be made out in what was seen."""
    if not track.tiles:
        return _remembered_life(track, atlas, memories, per_step)
    stays: list[Stay] = []
    for rest in resting(track.rests(steps)):
        spot = atlas.room(rest.tile) or _bound_for(track, atlas, rest)
        if spot is None:
            continue
        if stays and stays[-1].spot == spot:
            stays[-1] = stays[-1]._replace(last=rest.last)
        else:
            stays.append(Stay(spot, rest.first, rest.last))
    return Life(track.name, stays, track.acts, track)


def _bound_for(track: Track, atlas: Atlas, rest: Rest) -> Spot | None:
    act = track.act_at(rest.last)
    spot = atlas.spot(parts(act.description)[1]) if act else None
    return spot.room if spot else None


def _remembered_life(track: Track, atlas: Atlas, memories: Iterable[Node], per_step: int) -> Life:
    """Return a life from memories alone: nobody sees the things of other rooms, and everybody sees themselves."""
    stays: list[Stay] = []
    acts: list[Act] = list(track.acts)
    for memory in memories:
        step, spot = memory.created // per_step, atlas.perceived(memory)
        if spot is not None:
            if stays and stays[-1].spot == spot.room:
                stays[-1] = stays[-1]._replace(last=max(step, stays[-1].last))
            elif not stays or step > stays[-1].last:
                stays.append(Stay(spot.room, step, step))
        own = f"{track.name} is "
        if memory.kind == "observation" and memory.subject == track.name and memory.text.startswith(own):
            acts += [Act(step, memory.text.removeprefix(own), "")]
    filled = [one._replace(last=max(one.last, other.first - 1)) for one, other in pairwise(stays)]
    return Life(track.name, [*filled, *stays[-1:]], _without_repeats(acts), track)


def _without_repeats(acts: Iterable[Act]) -> list[Act]:
    found: list[Act] = []
    for act in sorted(acts, key=lambda one: one.first):
        if not found or found[-1].description != act.description:
            found.append(act)
    return found


class Clock(NamedTuple):
    """How steps become seconds."""

    per_step: int
    ends: int
    """Last second of the run."""

    def second(self, step: int) -> int:
        """Return the second in which *step* begins, within the run."""
        return min(step * self.per_step, self.ends)


@dataclass(frozen=True)
class LifeEvents:
    """A life's events, each list in order."""

    moves: list[Event]
    choices: list[Decided]
    acts: list[Event]
    walks: list[Walked]


def life_events(life: Life, atlas: Atlas, clock: Clock) -> LifeEvents:
    """Return the events of a life."""
    choices, acts = _acts(life, atlas, clock)
    return LifeEvents(_moves(life, atlas.sectors, clock), choices, acts, _walk_events(life, clock))


def _moves(life: Life, sectors: dict[str, Sector], clock: Clock) -> list[Event]:
    if not life.stays:
        return []
    ids = {name: sector.id for name, sector in sectors.items()}
    who, first = life.name, life.stays[0].spot
    begins = life.track.tiles[0][0] if life.track.tiles else life.stays[0].first
    moves: list[Event] = [Placed(t=clock.second(begins), who=who, place=ids[first.sector], room=first.arena)]
    for here, there in pairwise(life.stays):
        t = clock.second(_sets_out(life, here, there))
        place, to, arrives = ids[here.spot.sector], ids[there.spot.sector], clock.second(there.first)
        moves.append(Left(t=t, who=who, place=place, to=to, arrives=arrives, room=here.spot.arena))
        moves.append(Arrived(t=arrives, who=who, place=to, room=there.spot.arena))
    return moves


def _sets_out(life: Life, here: Stay, there: Stay) -> int:
    """Return the step in which the way begins: a choice made just before is what it is begun for."""
    leaves = min(here.last + 1, there.first)
    early = [act.first for act in life.acts if max(here.first, leaves - _EARLY - 1) < act.first <= leaves]
    return early[-1] if early else leaves


def _acts(life: Life, atlas: Atlas, clock: Clock) -> tuple[list[Decided], list[Event]]:
    choices: list[Decided] = []
    acts: list[Event] = []
    slept: bool | None = None
    ends = [*(clock.second(act.first) for act in life.acts[1:]), clock.ends]
    for act, until in zip(life.acts, ends, strict=False):  # of no acts the end is left over
        do, address = parts(act.description)
        spot, t = atlas.spot(address) or life.at(act.first), clock.second(act.first)
        if not do or spot is None:
            continue
        asleep = is_asleep(do, act.emoji)
        place = atlas.sectors[spot.sector].id
        if slept is not None and asleep != slept:
            here = life.at(act.first) or spot
            turn = Slept if asleep else Woke
            acts.append(turn(t=t, who=life.name, place=atlas.sectors[here.sector].id))
        slept = asleep
        choices.append(Decided(t=t, who=life.name, prompt=ACT, call="", decision={"do": do, "place": place}))
        started = Started(t=t, who=life.name, do=do, place=place, until=max(t, until), room=spot.arena)
        acts.append(replace(started, thing=spot.thing, emoji=act.emoji or None))
    return choices, acts


def is_asleep(do: str, emoji: str) -> bool:
    """Return whether an act is sleep: as the reference code words it, or by its sign where that is not English."""
    return bool(_ASLEEP.match(do)) or (emoji in _SLEEP_SIGNS and not re.search(r"[A-Za-z]", do))


def _walk_events(life: Life, clock: Clock) -> list[Walked]:
    return [
        Walked(t=path[-1][0], who=life.name, path=path)
        for piece in walks(life.track, _PIECE)
        if (path := [[clock.second(step), x, y] for step, (x, y) in piece])
    ]
