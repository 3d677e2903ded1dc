"""The command line, `town`: what there is, and what becomes of errors."""

import logging
import os
import signal
import sys
import traceback
from types import FrameType
from typing import Annotated, NoReturn

import typer

from sim.analysis.printable import write_lines
from sim.cli import ablate, bench, check, compare, export, inspect, measure, new, run, survey, view
from sim.cli.options import with_groups
from sim.errors import ModelError, RunError, RunStopped, StalledError, TownError
from sim.secrets import hide_secrets

app = typer.Typer(
    name="town",
    help="A generative-agents town: run scenario files; replay, question and plot what happened.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (
    run.run,
    new.new,
    check.check,
    run.cost,
    inspect.replay,
    inspect.why,
    inspect.attribute,
    inspect.interview,
    survey.survey,
    inspect.plot,
    view.view,
    run.fork,
    ablate.ablate,
    compare.compare,
    export.export,
    measure.measure,
):
    app.command()(with_groups(command))
app.command(name="import")(check.import_)
app.command()(with_groups(run.models))
app.add_typer(bench.app, name="bench")


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"townsfolk {version('townsfolk')}")
        raise typer.Exit


@app.callback()
def _common(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool,
        # eager: before a missing command is missed
        typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True),
    ] = False,
) -> None: ...


def _say(error: BaseException) -> None:
    """Say what is wrong, in one sentence a mistake; the traceback only where it is asked for."""

    if "--debug" in sys.argv:
        traceback.print_exception(error)
    write_lines(hide_secrets(str(error)).splitlines(), sys.stderr)


def _code_of(error: Exception) -> int:
    """Return the exit code: 2 where the input was wrong, 1 where the run failed."""
    from memory.errors import StreamError

    if isinstance(error, ModelError | RunStopped | StalledError):
        return 1
    return 2 if isinstance(error, TownError | StreamError) else 1


def _explain(error: Exception) -> Exception:
    """Return what people are told of *error*: an error that we did not foresee is a defect, and said to be one."""
    from memory.errors import StreamError

    if isinstance(error, TownError | StreamError):
        return error
    if isinstance(error, OSError):
        return RunError(f"{error.filename or 'a file'!s}: {error.strerror or error}")
    return RunError(f"{type(error).__name__}: {error} (this is a defect of townsfolk: report it with town --debug …)")


class Interrupted(BaseException):
    """Ctrl-C or a request to end; no KeyboardInterrupt, because typer would take that for itself."""


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise Interrupted(number)


def main() -> None:
    """Run the command line; exit 0 done, 1 the run failed, 2 the input was wrong, 130 interrupted, 143 terminated."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  # a closed stream is none at all
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a console that lacks a letter shows its code instead
    logging.getLogger("memory.stream").setLevel(logging.ERROR)  # what it warns of is an event in the run's log
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    try:
        app()
    except Interrupted as stop:
        _say(RunError("stopped; what was settled until then is in the run's folder, and --resume goes on from there"))
        sys.stdout.flush()
        os._exit(128 + stop.args[0])  # at once: a thought that hangs must not keep us
    except Exception as error:
        code, told = _code_of(error), _explain(error)
        _say(told if told is error else told.with_traceback(error.__traceback__))
        sys.exit(code)


if __name__ == "__main__":
    main()
