"""The errors that townsfolk raises on purpose, as one tree.

TownError
├── ScenarioError   the scenario (or another input) is wrong: exit code 2
├── RunError        a run folder is missing, damaged or in the way: exit code 2
├── ModelError      a model gave no usable answer to one request: the resident carries on, and it is counted
├── RunStopped      the run cannot go on now, and can be resumed: budget used up, endpoint gone, key refused
└── StalledError    nothing can go on although the run has not ended (a defect of ours)

Each is rebuildable from its ``args``: SimPy re-creates an exception that leaves a process as ``type(e)(*e.args)``.
"""

from typing import NamedTuple

from sim.secrets import hide_secrets


class TownError(Exception):
    """What can go wrong in a town, said in one sentence with the value at fault and the next step."""


class Problem(NamedTuple):
    """One mistake in an input file."""

    file: str
    line: int  # 1 for the first; 0 where no line is at fault
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return hide_secrets(f"{where}: {self.message}")


class ScenarioError(TownError):
    """Every mistake found in a scenario, in file order; ``args`` are the problems."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(p if isinstance(p, Problem) else Problem("scenario", 0, str(p)) for p in self.args)

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class RunError(TownError):
    """A run folder is missing, damaged or in the way."""


class ModelError(TownError):
    """A model gave no usable answer to one request.

    Args:
        call: Key of the last call that was made for it, where there was one.
        tokens_in, tokens_out: What the attempts used up all the same, where it is known.
    """

    def __init__(
        self, words: str, call: str | None = None, tokens_in: int = 0, tokens_out: int = 0, attempts: int = 1
    ) -> None:
        super().__init__(words, call, tokens_in, tokens_out, attempts)
        self.call, self.tokens_in, self.tokens_out, self.attempts = call, tokens_in, tokens_out, attempts

    def __str__(self) -> str:
        return str(self.args[0])


class RunStopped(TownError):
    """The run cannot go on now; once the cause is mended, ``--resume`` goes on from where it was."""


class StalledError(TownError):
    """Nothing can go on although the run has not ended."""
