"""What people who ranked answers send back: the JSON file that the form hands them."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sim.analysis.compare.answers import Contest
from sim.errors import RunError

FORMAT = "townsfolk ratings 1"


class Ratings(NamedTuple):
    """One person's rankings."""

    rater: str
    ranked: tuple[dict[str, float], ...]
    """For each question that was ranked, the rank of each arm."""


def read_ratings(path: Path, asked: Sequence[Contest]) -> Ratings:
    """Return the rankings in *path*; questions that were left open, wholly or in part, are passed over.

    Args:
        asked: All questions of the study.

    Raises:
        RunError: If it is no such file, or was made for another study.
    """
    try:
        given = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"--rated {str(path)!r} cannot be read: {error}") from error
    if not isinstance(given, dict) or given.get("format") != FORMAT or not isinstance(given.get("ranks"), dict):
        raise RunError(f"--rated {str(path)!r} is no file of ratings (the form's button Save makes one)")
    by_id = {contest.id: contest for contest in asked}
    unknown = [name for name in given["ranks"] if name not in by_id]
    if unknown:
        count = len(given["ranks"])
        raise RunError(
            f"--rated {str(path)!r} ranks answers that this study does not hold ({len(unknown)} of "
            f"{count} question{'' if count == 1 else 's'}): it was made for another study, or other interviews"
        )
    found = [_ranks(by_id[name], places, path) for name, places in given["ranks"].items()]
    return Ratings(str(given.get("rater") or path.stem)[:80], tuple(ranks for ranks in found if ranks))


def _ranks(contest: Contest, places: Any, path: Path) -> dict[str, float] | None:
    """Return the rank of each arm; None where some answer was given no place."""
    if not isinstance(places, dict):
        raise RunError(f"--rated {str(path)!r}: {contest.id} holds no places by letter")
    numbers = {str(letter): place for letter, place in places.items() if place not in (None, "")}
    wrong = [value for value in numbers.values() if not _is_place(value)]
    if wrong:
        raise RunError(f"--rated {str(path)!r}: question {contest.id} holds {str(wrong[0])[:40]!r}, which is no place")
    return contest.ranks(numbers) if set(contest.letters) <= set(numbers) else None


def _is_place(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
