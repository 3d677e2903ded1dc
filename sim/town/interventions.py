"""Interventions in a run: conditions over its log, in the log's order, and what is brought about once they hold."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sim.log import events
from sim.scenario import Scenario
from sim.scenario.interventions import Condition, Intervention
from sim.times import MINUTE
from sim.town.context import SimulationContext, Steps

EVERY = 10 * MINUTE  # between two looks: the whole town waits for each other then


@dataclass
class Watcher:
    """What the log has told so far, as far as conditions ask for it."""

    scenario: Scenario
    pending: list[Intervention] = field(init=False)
    _knowers: dict[str, set[str]] = field(default_factory=dict)
    _guests: dict[str, set[str]] = field(default_factory=dict)
    _met: set[frozenset[str]] = field(default_factory=set)
    _places: dict[str, str] = field(default_factory=dict)
    _talks: int = 0

    def __post_init__(self) -> None:
        self.pending = list(self.scenario.interventions)

    def look(self, event: events.Event) -> None:
        """Take note of *event*, the next of the log."""
        if not self.pending:
            return
        if isinstance(event, events.Remembered):
            text = event.text.casefold()
            for name, measure in self.scenario.measures.knows.items():
                if any(all(word.casefold() in text for word in group) for group in measure.words):
                    self._knowers.setdefault(name, set()).add(event.who)
        elif isinstance(event, events.Placed | events.Arrived):
            self._places[event.who] = event.place
        elif isinstance(event, events.Left):
            self._places.pop(event.who, None)
        elif isinstance(event, events.TalkStarted):
            self._talks += 1
            self._met.add(frozenset((event.who, *event.to)))
        for name, asked in self.scenario.measures.attends.items():
            if asked.start <= event.t < asked.end:
                there = {who for who, place in self._places.items() if place == asked.place}
                self._guests.setdefault(name, set()).update(there)

    def take_due(self) -> list[Intervention]:
        """Return the interventions whose condition holds now; each comes once."""
        due = [one for one in self.pending if self.holds(one.condition)]
        self.pending = [one for one in self.pending if one not in due]
        return due

    def holds(self, condition: Condition) -> bool:
        """Return whether *condition* has come true."""
        names = condition.names
        match condition.what:
            case "knows":
                return len(self._knowers.get(names[0], ())) >= condition.least
            case "attends":
                return len(self._guests.get(names[0], ())) >= condition.least
            case "talks":
                return self._talks >= condition.least
            case "met":
                return frozenset(names) in self._met
            case "at":
                return self._places.get(names[0]) == names[1]


def intervene(
    context: SimulationContext, watcher: Watcher, until: int, bring_about: Callable[[Intervention], None]
) -> Steps:
    """Look every ten minutes what has come true, and bring about what hangs on it, until nothing is left."""
    while watcher.pending and context.now + EVERY < until:
        yield context.clock.timeout(EVERY)
        context.events.write(context.now)  # all that came before is settled: nobody is ahead of the whole town
        for intervention in watcher.take_due():
            bring_about(intervention)
