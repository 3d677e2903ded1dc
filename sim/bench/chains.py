"""The longest chains of calls that hang on each other: what no number of slots can shorten."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim.bench.slots import VirtualSlots
from sim.clock import Answer, LightConeClock

P = ParamSpec("P")
T = TypeVar("T")


class ChainClock(LightConeClock):
    """A clock in virtual time that follows two kinds of chains of thoughts.

    In *hindsight* a thought hangs on the thoughts before it of the mind that thinks, of the resident who lets it think
    and of whoever set that resident going (by ending a talk, say), and, if it looks around, on whoever last changed
    what there is to be seen where it begins.  What was done elsewhere counts once its doer has come here.

    Without *foresight* it hangs on every thought from whose place and second somebody could have come in time: nobody
    knows what a thought will decide before it is done, so no order of calls that never guesses can begin it earlier.
    """

    def __init__(self, travel: NDArray[np.int64], end: int, slots: VirtualSlots, **settings: Any) -> None:
        super().__init__(travel, end, slots, until_answered=slots.advance, **settings)
        self._slots = slots
        self._known: dict[int, float] = defaultdict(float)
        self._changed: dict[int, float] = defaultdict(float)
        self._answers = Answers()
        self.hindsight = self.foresight = 0.0
        """Virtual seconds of the longest chain of either kind."""

    def think(self, thought: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Answer:
        """Think, and note when the answer could be there at the earliest."""
        owner, place = self._acting()
        second = self.second
        answer = super().think(thought, *args, **kwargs)
        mind, seconds, looked = self._slots.last
        seen = max(self._known[who] for who in (owner, mind, self._owner))
        seen = (max(seen, self._changed[place]) if looked else seen) + seconds
        possible = self._answers.latest(second, self._seconds[:, place]) + seconds
        self.hindsight, self.foresight = max(self.hindsight, seen), max(self.foresight, possible)

        def learn() -> None:
            self._answers.add(second, place, possible)
            for resident in (owner, mind):
                self._known[resident] = max(self._known[resident], seen)

        self.when(answer, learn)
        return answer

    def note_change(self) -> None:
        """Note that whoever acts changes what those present see."""
        owner, place = self._acting()
        self._changed[place] = max(self._changed[place], self._known[owner], self._known[self._owner])


class Answers:
    """Second, place and earliest virtual time of all answers so far, in columns."""

    def __init__(self) -> None:
        self._rows = np.zeros((3, 1024))
        self._used = 0

    def add(self, second: int, place: int, finish: float) -> None:
        """Take one more answer."""
        if self._used == self._rows.shape[1]:
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)], axis=1)
        self._rows[:, self._used] = second, place, finish
        self._used += 1

    def latest(self, second: int, travel_here: NDArray[np.int64]) -> float:
        """Return the latest virtual time of the answers that somebody could bring here by *second*."""
        seconds, places, finishes = self._rows[:, : self._used]
        within = seconds + travel_here[places.astype(np.intp)] <= second
        return float(finishes[within].max(initial=0.0))
