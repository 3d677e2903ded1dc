"""Times of a run as people write them, turned into seconds since its start."""

from datetime import datetime

from sim.errors import RunError
from sim.log.events import LATEST, RunStarted
from sim.times import DAY, MINUTE, parse_moment


def moment_of(text: str, started: RunStarted, name: str, *, last: bool = False) -> int:
    """Return *text*, such as ``day 2 17:00``, as seconds after the run's start; it may lie outside the run.

    Args:
        name: What the time is called where it was given, for errors.
        last: Take the last second that the text can mean: a time without seconds is its whole minute.

    Raises:
        RunError: If it is no time, or lies further off than any run could reach.
    """
    try:
        t = parse_moment(text, datetime.fromisoformat(started.start))
    except ValueError as error:
        raise RunError(f"{name}: {error}") from error
    if abs(t) > LATEST:
        raise RunError(f"{name} {text!r} lies far outside the run (it ends on day {started.until // DAY + 1})")
    return t + MINUTE - 1 if last and t % MINUTE == 0 and text.count(":") == 1 else t
