"""The command `ablate`: arms and seeds in one go."""

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.analysis.printable import write_lines
from sim.cli.options import Changes, Limits, Until


def ablate(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A YAML file, or a sample's name.")],
    *,
    arms: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,…",
            help="The scenario's own or built in: full, no-reflection, no-planning, no-observation, recency-only, "
            "importance-only, relevance-only, no-recency, no-importance, no-relevance, no-relationships, "
            "no-cards, no-threads, no-mood, no-fading, no-distortion, compact-relationships, placebo.",
        ),
    ] = None,
    seeds: Annotated[str, typer.Option(metavar="N|A,B,…", help="How many seeds (1, 2, …), or which: 1,4,7.")] = "10",
    jobs: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Cells at once; as many as there are cores.")
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Live the cells on this Ray cluster, whose machines share --out."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The study's folder; runs/<scenario>-study if left out.")] = None,
    design: Annotated[
        str,
        typer.Option(
            help="rerun: each arm lives a life of its own; paper: full is lived, and arms differ in what may be used "
            "in the interviews."
        ),
    ] = "rerun",
    standard: Annotated[bool, typer.Option("--standard", help="Ask the 25 standard questions as well.")] = False,
    interviews: Annotated[
        bool, typer.Option("--interviews/--no-interviews", help="Ask everybody what the measures ask.")
    ] = True,
    accuracy: Annotated[
        bool | None,
        typer.Option(
            "--accuracy/--no-accuracy",
            help="Ask what the log can answer, and count right answers; done unless a model costs.",
        ),
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option(metavar="TIME", help='Ask at this time, such as "day 1 20:00"; repeatable, or with commas.'),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say cells, calls, cost and what can show.")] = False,
    like: Annotated[
        Path | None, typer.Option(metavar="STUDY", help="With --dry-run: a study by whose spread to say what can show.")
    ] = None,
    until: Until = None,
    changes: Changes,
    limits: Limits,
) -> None:
    """Live a scenario's arms with several seeds each, compare them, and write a report; again, it goes on, or grows."""
    from sim.log.run_folder import portable_name
    from sim.study.plan import parse_seeds, plan_study

    folder = out or Path("runs") / f"{portable_name(Path(scenario).stem)}-study"
    study = plan_study(
        scenario, arms=_names(arms), seeds=parse_seeds(seeds), overrides=changes.by_key(until=until), design=design,
        interviews=interviews, standard=standard, accuracy=accuracy, at=at or (), grows=folder,
    )  # fmt: skip
    way = _way(jobs or _cores(), ray)
    if dry_run:
        _tell_cost(study, way, limits.prices, like or (folder if (folder / "study.json").exists() else None))
        return
    _conduct(study, folder, _means(study, way, limits))


def _names(arms: str | None) -> list[str] | None:
    return None if arms is None else [name.strip() for name in arms.split(",") if name.strip()]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _way(jobs: int, address: str | None) -> Any:
    """Return how the cells are lived."""
    from functools import partial

    if address is not None:
        from sim.study.cluster import on_ray

        return partial(on_ray, address=address)
    from sim.study.workers import in_processes

    return partial(in_processes, jobs=jobs)


def _means(study: Any, way: Any, limits: Limits) -> Any:
    from sim.models import OFFLINE
    from sim.runs.run import MANY
    from sim.study.conduct import Means

    many = 1 if study.full.model.chat == OFFLINE else MANY
    return Means(way, limits.concurrency or many, limits.budget, limits.prices)


def _tell_cost(study: Any, way: Any, prices: Path | None, earlier: Path | None) -> None:
    from sim.models.prices import load_prices
    from sim.study.costs import cost_lines
    from sim.study.power import power_lines

    def show_rehearsal(done: int, of: int) -> None:
        write_lines([f"rehearsing with the offline model: {done} of {of}"], sys.stderr)

    write_lines(cost_lines(study, way, load_prices(prices), show_rehearsal))
    write_lines(power_lines(study, earlier))


def _conduct(study: Any, folder: Path, means: Any) -> None:
    from sim.study.conduct import conduct
    from sim.study.progress import StudyDisplay, ending_lines

    try:
        with StudyDisplay(sys.stderr) as shown:
            now = conduct(study, folder, means, shown.tell)
    except Exception:
        raise
    except BaseException:  # Ctrl-C, as the command line takes it
        write_lines(["the study goes on from here when the same command is given again"], sys.stderr)
        raise
    write_lines(ending_lines(now))
    if any(outcome.state == "done" for outcome in now.outcomes.values()):
        _compare(folder)
    if not now.is_done:
        raise typer.Exit(1)


def _compare(folder: Path) -> None:
    """Compare the arms and write the report."""
    from sim.cli.compare import compare

    write_lines([""])
    compare([str(folder)], csv=folder / "measures.csv", report=folder / "report.html", values=folder)
    write_lines(["", f"Study: {folder}", f"Again: town compare {shlex.quote(str(folder))}"])
