"""Answers of several arms to one question, side by side and blind, for a judge or for people to rank."""

import hashlib
import json
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.analysis.compare.sources import STUDY, read_study
from sim.errors import RunError
from sim.log.events import Remembered
from sim.log.run_folder import EVENTS, open_run
from sim.scenario import FULL

MOST = 100  # questions, as many as people were asked in Park et al. 2023
NO_ANSWER = "(no answer)"
LETTERS = string.ascii_uppercase


@dataclass(frozen=True, slots=True)
class Contest:
    """One question to one resident, and what the arms answered to it."""

    id: str
    """Digest of the question, its answers and their order."""
    seed: int
    who: str
    category: str
    question: str
    texts: tuple[str, ...]
    """The answers without repetitions, in the order in which they are shown: as A, B, C …"""
    arms: tuple[tuple[str, ...], ...]
    """Which arms gave each of them; never shown to who ranks."""
    about: str
    """Who the resident is."""
    memories: tuple[str, ...] = ()
    """What the resident remembers of it, where all arms answer out of one life."""

    @property
    def letters(self) -> str:
        """The letters of the answers."""
        return LETTERS[: len(self.texts)]

    def ranks(self, by_letter: Mapping[str, float]) -> dict[str, float]:
        """Return the rank of each arm, 1 the best, from the places of the letters; ties share the middle."""
        from scipy.stats import rankdata

        places = [
            (arm, by_letter[letter]) for letter, arms in zip(self.letters, self.arms, strict=True) for arm in arms
        ]
        ranks = rankdata([place for _, place in places])
        return {arm: float(rank) for (arm, _), rank in zip(places, ranks, strict=True)}


def contests(folder: Path, *, shuffle: int = 0, most: int = MOST) -> list[Contest]:
    """Return the questions of a study that more than one arm answered, as many of each category.

    Args:
        shuffle: Seed of the choice, where there are more than *most*, and of the order of the answers.

    Raises:
        RunError: If the study has no interviews, or they are damaged.
    """
    import numpy as np

    plan = read_study(folder)
    alike: dict[object, Contest] = {}  # the same answers to the same question under another seed are no second question
    for one in _all_contests(folder, plan, shuffle):
        given = frozenset(zip(one.texts, one.arms, strict=True))
        alike.setdefault((one.who, one.category, one.question, given), one)
    found = list(alike.values())
    if not found:
        raise RunError(
            f"{str(folder)!r} has no question that two arms answered (town ablate asks, with --standard more)"
        )
    dice = np.random.default_rng(shuffle)
    by_category: dict[str, list[Contest]] = {}
    for i in dice.permutation(len(found)):
        by_category.setdefault(found[i].category, []).append(found[i])
    turns = [
        (turn, name, one) for name, several in sorted(by_category.items()) for turn, one in enumerate(several[:most])
    ]
    return [one for _, _, one in sorted(turns, key=lambda item: item[:2])][:most]


def _all_contests(folder: Path, plan: Mapping[str, Any], shuffle: int) -> Iterator[Contest]:
    arms, people = list(plan.get("arms", ())), _people(plan)
    if len(arms) > len(LETTERS):
        raise RunError(f"{len(arms)} arms are too many to rank their answers (at most {len(LETTERS)})")
    for seed in plan.get("seeds", ()):
        given: dict[tuple[str, str, str], dict[str, dict[str, Any]]] = {}
        for arm in arms:
            for line in _lines(folder / "interviews" / arm / f"seed-{seed}.jsonl"):
                if line.get("truth"):
                    continue  # which has a right answer: nobody needs to rank it
                key = (line["who"], line["category"], line["question"])
                given.setdefault(key, {})[arm] = line
        shared = _memories(folder, seed) if plan.get("design") == "paper" else {}
        for (who, category, question), by_arm in given.items():
            if len(by_arm) > 1:
                ids = next(iter(by_arm.values())).get("memories", ())
                remembered = tuple(shared[who, i] for i in ids if (who, i) in shared)
                asked = (int(seed), who, category, question)
                yield _contest(asked, by_arm, people.get(who, who), remembered, shuffle)


def _contest(
    asked: tuple[int, str, str, str],
    by_arm: Mapping[str, Mapping[str, Any]],
    about: str,
    memories: tuple[str, ...],
    shuffle: int,
) -> Contest:
    import numpy as np

    by_text: dict[str, list[str]] = {}
    for arm, line in by_arm.items():
        by_text.setdefault(" ".join(str(line["answer"]).split()) or NO_ANSWER, []).append(arm)
    body = json.dumps([shuffle, asked, sorted(by_text)], ensure_ascii=False)
    digest = hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    texts = sorted(by_text)
    order = np.random.default_rng([shuffle, int(digest, 16)]).permutation(len(texts))
    shown = tuple(texts[i] for i in order)
    return Contest(digest, *asked, shown, tuple(tuple(by_text[text]) for text in shown), about, memories)


def _lines(path: Path) -> list[dict[str, Any]]:
    """Return the answers in an interview's file; none where it is not there.

    Raises:
        RunError: If it is damaged.
    """
    if not path.exists():
        return []
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{str(path)!r} is damaged ({error})") from error
    wanted = {"who", "category", "question", "answer"}
    if not all(isinstance(line, dict) and wanted <= set(line) for line in lines):
        raise RunError(f"{str(path)!r} is damaged: a line lacks one of {', '.join(sorted(wanted))}")
    return lines


def _memories(folder: Path, seed: Any) -> dict[tuple[str, int], str]:
    """Return the texts of all memories of the life that the arms share, by resident and id."""
    run = folder / FULL / f"seed-{seed}"
    if not (run / EVENTS).exists():
        return {}
    return {(event.who, event.id): event.text for _, event in open_run(run).events() if isinstance(event, Remembered)}


def _people(plan: Mapping[str, Any]) -> dict[str, str]:
    """Return who each resident is, in a sentence or two."""
    try:
        people: Sequence[Mapping[str, Any]] = plan["scenario"]["resolved"]["people"]
        return {str(one["name"]): _person(one) for one in people}
    except (KeyError, TypeError) as error:
        raise RunError(f"{STUDY} is damaged: it holds no people ({error})") from error


def _person(person: Mapping[str, Any]) -> str:
    age = f", {person['age']}" if person.get("age") else ""
    traits = ", ".join(person.get("traits") or ())
    parts = [f"{person['name']}{age}" + (f": {traits}" if traits else ""), str(person.get("summary") or "").strip()]
    return " ".join(f"{part.rstrip('.')}." for part in parts if part)
