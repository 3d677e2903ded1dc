"""Measures in a file of their own, for a run whose scenario has none, or that has no scenario."""

from pathlib import Path

from pydantic import ValidationError

from sim.analysis.narrate import place_names, start_of
from sim.errors import RunError, ScenarioError
from sim.log.run_folder import Run
from sim.scenario import Measures
from sim.scenario.messages import problem_of
from sim.scenario.sources import suggestion
from sim.scenario.strict_yaml import parse_yaml


def read_measures(path: Path, run: Run) -> Measures:
    """Return what the file says under ``measures``, or is whole; times count from the start of *run*.

    Raises:
        ScenarioError: With every mistake, by line.
        RunError: If the file cannot be read, or the run has no such place or person.
    """
    started = run.started
    if started is None:
        raise RunError(f"{str(run.path)!r} holds no events yet, so there is nothing to measure")
    try:
        root = parse_yaml(path.read_text(encoding="utf-8"), path.name)
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"cannot read {str(path)!r}: {error}") from error
    under = ("measures",) if "measures" in root.fields else ()
    try:
        found = Measures.model_validate(root.at(*under).plain(), context={"start": start_of(started)})
    except ValidationError as error:
        details = error.errors(include_url=False)
        raise ScenarioError(*(problem_of({**one, "loc": (*under, *one["loc"])}, root) for one in details)) from error
    places = place_names(started)
    for name, measure in found.attends.items():
        if measure.place not in places:
            hint = suggestion(measure.place, places)
            raise RunError(f"{path.name}: measures.attends.{name}.place: no place {measure.place!r} in this run {hint}")
    for name, pair in found.pairs.items():
        for who in pair.who:
            if who not in started.people:
                hint = suggestion(who, started.people)
                raise RunError(f"{path.name}: measures.pairs.{name}.who: nobody is called {who!r} in this run {hint}")
    return found
