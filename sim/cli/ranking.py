"""What `town compare --judge`, `--form` and `--rated` do: answers of a study's interviews, ranked."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sim.analysis.printable import write_lines
from sim.cli.options import BaseUrl, PriceFile, model_settings, option_changes
from sim.errors import RunError

if TYPE_CHECKING:
    from sim.analysis.compare.answers import Contest
    from sim.analysis.compare.ranking import Ranking

RECORD = "judging.jsonl"
CONCURRENCY = 8  # comparisons at once, where an endpoint answers
ALL = 10**9


@dataclass(frozen=True)
class Judged:
    """Options on who ranks the answers."""

    judge: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Let this model rank the answers of a study's interviews.")
    ] = None
    base_url: BaseUrl = None
    form: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write a form by which people rank them, blind.")
    ] = None
    rated: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Read what the form gave somebody; repeatable.")
    ] = None
    budget_usd: Annotated[
        float | None,
        typer.Option(min=0, metavar="X", help="The judge stops once this is spent; again, it goes on."),
    ] = None
    prices: PriceFile = None
    questions: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Rank the answers to so many questions (100).")
    ] = None


NOBODY = Judged()


def rankings(runs: Sequence[str], judged: Judged) -> "list[Ranking]":
    """Return what judge and people came to; the form is written beside.

    Raises:
        TownError: If there is no study, it has no interviews, or a file or the judge cannot be used.
    """
    if judged.judge is None and judged.form is None and not judged.rated:
        return []
    from sim.analysis.compare.answers import MOST, contests
    from sim.analysis.compare.sources import study_folder

    folder = study_folder(runs[0]) if len(runs) == 1 else None
    if folder is None:
        raise RunError("--judge, --form and --rated rank the answers of one study (town ablate makes one)")
    asked = contests(folder, most=judged.questions or MOST)
    if judged.form is not None:
        _write_form(asked, judged.form)
    found = [_of_judge(folder, asked, judged)] if judged.judge else []
    return found + ([_of_people(contests(folder, most=ALL), judged.rated)] if judged.rated else [])


def _write_form(asked: "Sequence[Contest]", form: Path) -> None:
    from sim.views.rating_form import write_form

    count = write_form(asked, form)
    write_lines([f"Form with {count} questions: {form} (give it to people; read their files with --rated)"], sys.stderr)


def _of_judge(folder: Path, asked: "Sequence[Contest]", judged: Judged) -> "Ranking":
    from sim.analysis.compare.judge import judge as judged_by
    from sim.analysis.compare.ranking import ranking_of
    from sim.models.prices import load_prices
    from sim.models.recording import Budget, Meter
    from sim.runs.priced import asking, tell_price

    judge = str(judged.judge)
    settings = model_settings(option_changes(model=judge, base_url=judged.base_url))
    at_once = 1 if judge == "offline" else CONCURRENCY
    budget = Budget(judged.budget_usd)

    def tell(words: str) -> None:
        write_lines([f"{words} (what is in {RECORD} is not paid again; --questions N asks fewer)"], sys.stderr)

    def rehearse(model: Any, recorder: Any) -> None:
        judged_by(asked, model, recorder)

    meter = Meter(tell_price(settings, lambda: load_prices(judged.prices), budget, rehearse, tell), budget)
    with asking(settings, meter, record=folder / RECORD, concurrency=at_once) as (model, recorder):
        found = judged_by(asked, model, recorder, concurrency=at_once)
    write_lines(usage_lines(meter.summary()), sys.stderr)
    told = f"{judge} (counts words, judges nothing)" if judge == "offline" else judge
    kept = f"; of {found.pairs} pairs shown in both orders {found.alike / found.pairs:.0%} were ranked the same"
    return ranking_of(found.ranked, _arms(asked), by=told + (kept if found.pairs else ""), unread=found.unread)


def usage_lines(summary: Mapping[str, Any]) -> list[str]:
    """Return what the judge used up, where it says."""
    tokens = summary["tokens_in"] + summary["tokens_out"]
    dollars = "no price of it is known" if summary["dollars"] is None else f"${summary['dollars']:.4f}"
    return [f"{summary['calls']:,} calls, {tokens:,} tokens, {dollars}"] if tokens else []


def _of_people(asked: "Sequence[Contest]", rated: Sequence[Path]) -> "Ranking":
    from sim.analysis.compare.ranking import ranking_of
    from sim.analysis.compare.ratings_file import read_ratings

    found = [read_ratings(path, asked) for path in rated]
    ranked = [ranks for one in found for ranks in one.ranked]
    if not ranked:
        raise RunError("--rated: no question was ranked to the end in these files")
    people = "1 person" if len(found) == 1 else f"{len(found)} people"
    return ranking_of(ranked, _arms(asked), by=people)


def _arms(asked: "Sequence[Contest]") -> list[str]:
    return sorted({arm for contest in asked for arms in contest.arms for arm in arms})
