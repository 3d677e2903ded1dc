"""`town bench memory`: what five ways of remembering recall, and what that costs to read and to write."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from statistics import fmean

from memory.config import MemoryConfig, Weights
from memory.embedding import Embedder
from memory.policies import Episodic, MemoryPolicy, NoMemory, Scratchpad, Semantic, Transcript
from memory.policies.searched import EPISODES, FACTS
from memory.tokens import estimate
from sim.bench.corpus_file import Corpus
from sim.bench.research import CHANGES, Outcome, Research, draw_research, play

EPISODES_SWEPT, FACTS_SWEPT = (1, 2, 5), (1, 2, 4, 12)
EPISODE_CAPS, NOTE_CAPS = (16, 8, 4), (128, 64, 32)
CLOSE = 2
"""Probes that semantic memory may fall behind episodic."""
FIFTH = 0.2
"""Share of episodic memory's tokens below which semantic memory has to stay."""
HEAD = (
    "policy      search    k  cap         recalled   repeats  neighbours   tokens read  per probe  tokens written"
    "   held  newest on top  outdated unmarked"
)

Plan = tuple[Research, Research]
"""One research without changes, and with."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A policy with its settings."""

    policy: str
    make: Callable[[], MemoryPolicy]
    search: str = "-"
    """``hybrid`` or ``paper``; of facts ``paper`` is the cosine alone, as importance and time say little of them."""
    k: int | None = None
    cap: int | None = None
    """Tokens of notes, or number of episodes."""
    main: bool = False
    """Whether it stands for its policy; the others show what a setting does."""

    @property
    def label(self) -> str:
        """A name of its own."""
        parts = [self.policy, "" if self.search == "-" else self.search]
        parts += ["" if self.k is None else f"k={self.k}", "" if self.cap is None else f"cap={self.cap}"]
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Row:
    """One contender over all seeds; means per seed."""

    contender: Contender
    outcomes: tuple[Outcome, ...]
    """By seed, in order."""
    changed: tuple[Outcome, ...]
    """By seed, where values change; empty where that was not played."""
    probes: int
    """Asked in one research."""
    changes: int
    """Values that changed in all."""

    def mean(self, name: str) -> float:
        """Return the mean of a field of the outcomes."""
        return fmean(getattr(outcome, name) for outcome in self.outcomes)

    def words(self) -> str:
        """Return the row as a line of the table."""
        own = self.contender
        top = f"{self._sum('on_top')} of {self.changes}" if self.changes else "-"
        stale = str(self._sum("stale")) if self.changes else "-"
        cap = "-" if own.cap is None else f"{own.cap} {'tokens' if own.policy == 'scratchpad' else 'items'}"
        return (
            f"{own.policy:<11} {own.search:<7} {'-' if own.k is None else own.k:>3}  {cap:<10}"
            f"{self.mean('recalled'):5.1f} of {self.probes:<3}"
            f"{self.mean('repeats'):8.1f}{self.mean('neighbours'):12.1f}"
            f"{self.mean('read'):14,.0f}{self.mean('read') / max(1, self.probes):11,.0f}{self.mean('written'):16,.0f}"
            f"{self.mean('stored'):7,.0f}  {top:>13}  {stale:>17}"
        )

    def to_json(self) -> str:
        """Return the row as one line of JSON."""
        own = self.contender
        means = ("recalled", "repeats", "neighbours", "read", "written", "stored")
        fields = {
            "policy": own.policy, "search": own.search, "k": own.k, "cap": own.cap, "main": own.main,
            "seeds": len(self.outcomes), "probes": self.probes,
            **{name: round(self.mean(name), 3) for name in means},
            "recalled_by_seed": [outcome.recalled for outcome in self.outcomes],
            "read_by_seed": [outcome.read for outcome in self.outcomes],
            "changes": self.changes, "newest_on_top": self._sum("on_top"), "outdated_unmarked": self._sum("stale"),
        }  # fmt: skip
        return json.dumps(fields)

    def _sum(self, name: str) -> int:
        return sum(getattr(outcome, name) for outcome in self.changed)


@dataclass(frozen=True, slots=True)
class Order:
    """Something that should hold in every research, and in how many it did."""

    says: str
    held: int
    of: int

    def words(self) -> str:
        """Return it as a line."""
        return f"  {self.held} of {self.of}  {self.says}"

    def to_json(self) -> str:
        """Return it as one line of JSON."""
        return json.dumps({"order": self.says, "held": self.held, "of": self.of})


def plans(seeds: Sequence[int], corpus: Corpus | None = None) -> list[Plan]:
    """Return for each seed what is read and asked: made up, or the user's own with its open sessions drawn."""
    if corpus is None:
        return [(draw_research(seed), draw_research(seed, changes=CHANGES)) for seed in seeds]
    return [(corpus.research(seed), corpus.research(seed, changes=True)) for seed in seeds]


def contenders(embedder: Embedder | None) -> list[Contender]:
    """Return the five policies first, then each with its settings swept."""
    count = lru_cache(maxsize=100_000)(estimate)

    def episodic(search: str = "hybrid", k: int = EPISODES, cap: int | None = None, main: bool = False) -> Contender:
        config = MemoryConfig.preset("hybrid", k=k) if search == "hybrid" else MemoryConfig(k=k)
        return Contender(
            "episodic", lambda: Episodic(count, config=config, embedder=embedder, cap=cap), search, k, cap, main
        )

    def semantic(search: str = "hybrid", k: int = FACTS, main: bool = False) -> Contender:
        cosine = MemoryConfig(k=k, weights=Weights(0, 0, 1))
        config = MemoryConfig.preset("hybrid", k=k) if search == "hybrid" else cosine
        return Contender("semantic", lambda: Semantic(count, config=config, embedder=embedder), search, k, main=main)

    def notes(cap: int | None = None, main: bool = False) -> Contender:
        return Contender("scratchpad", lambda: Scratchpad(count, cap=cap), cap=cap, main=main)

    return [
        Contender("none", NoMemory, main=True),
        Contender("transcript", lambda: Transcript(count), main=True),
        notes(main=True),
        episodic(main=True),
        semantic(main=True),
        episodic("paper"),
        semantic("paper"),
        *(notes(cap) for cap in NOTE_CAPS),
        *(episodic(cap=cap) for cap in EPISODE_CAPS),
        *(episodic(k=k) for k in EPISODES_SWEPT),
        *(semantic(k=k) for k in FACTS_SWEPT),
    ]


def rows(researches: Sequence[Plan], who: Sequence[Contender]) -> Iterator[Row]:
    """Yield a row for each contender, as soon as it is measured."""
    probes = len(researches[0][0].probes)
    for one in who:
        outcomes = tuple(play(plain, one.make()) for plain, _ in researches)
        with_changes = (
            [changed for _, changed in researches if _changes_in(changed)] if _swept_setting(one) is None else []
        )
        changed = tuple(play(research, one.make()) for research in with_changes)
        yield Row(one, outcomes, changed, probes, sum(map(_changes_in, with_changes)))


def _changes_in(research: Research) -> int:
    return sum(probe.outdated is not None for probe in research.probes)


def _swept_setting(one: Contender) -> int | None:
    """Return the setting that makes *one* differ from what its policy usually has."""
    usual = {"episodic": EPISODES, "semantic": FACTS}.get(one.policy)
    return one.cap if one.cap is not None else one.k if one.k != usual else None


def orders(table: Sequence[Row], researches: Sequence[Plan]) -> list[Order]:
    """Return what should hold in every research, and in how many it did."""
    by_name = {row.contender.policy: row.outcomes for row in table if row.contender.main}
    none, transcript, notes, episodic, semantic = (
        by_name[name] for name in ("none", "transcript", "scratchpad", "episodic", "semantic")
    )
    asked = [_count_asked(plain) for plain, _ in researches]
    costliest = [max(one.read for one in others) for others in zip(notes, episodic, semantic, strict=True)]
    ratio = min(one.read / max(1, other) for one, other in zip(transcript, costliest, strict=True))
    share = max(one.read / max(1, other.read) for one, other in zip(semantic, episodic, strict=True))
    held: Mapping[str, list[bool]] = {
        "none recalls nothing": [not one.recalled for one in none],
        f"transcript recalls everything, for at least {ratio:.1f} times what any other policy reads": [
            one.recalled == sum(both) for one, both in zip(transcript, asked, strict=True)
        ],
        "scratchpad recalls every repeat and no neighbour": [
            (one.repeats, one.neighbours) == (both[0], 0) for one, both in zip(notes, asked, strict=True)
        ],
        f"semantic falls at most {CLOSE} behind episodic, for at most {share:.0%} of what that reads": [
            one.recalled >= other.recalled - CLOSE and one.read < FIFTH * other.read
            for one, other in zip(semantic, episodic, strict=True)
        ],
        "a smaller cap on notes never recalls more": _never_more(table, "scratchpad"),
        "a smaller cap on episodes never recalls more": _never_more(table, "episodic"),
    }  # fmt: skip
    return [Order(says, sum(each), len(each)) for says, each in held.items()]


def _count_asked(research: Research) -> tuple[int, int]:
    """Return how many repeats and how many neighbours are asked for."""
    neighbours = sum(probe.neighbour for probe in research.probes)
    return len(research.probes) - neighbours, neighbours


def _never_more(table: Sequence[Row], policy: str) -> list[bool]:
    """Return for each research whether recall never rises as the cap of *policy* falls."""
    capped = [row for row in table if row.contender.policy == policy and row.contender.cap is not None]
    falling = sorted(capped, key=lambda row: -(row.contender.cap or 0))
    free = next(row for row in table if row.contender.policy == policy and row.contender.main)
    by_seed = zip(*((outcome.recalled for outcome in row.outcomes) for row in (free, *falling)), strict=True)
    return [all(more >= less for more, less in pairwise(each)) for each in by_seed]


def heading(researches: Sequence[Plan], corpus: str | None) -> Iterator[str]:
    """Yield what is to be known before the rows."""
    plain, changed = researches[0]
    repeats, neighbours = _count_asked(plain)
    seeds = f"{len(researches)} seed{'' if len(researches) == 1 else 's'}"
    readings = sum(len(look.readings) for look in plain.looks)
    sessions = f"{len({look.session for look in plain.looks})} sessions"
    yield f"{corpus or 'A made-up world'}, {seeds}: {sessions}, {len(plain.looks)} questions, {readings} readings."
    yield f"Probes: {repeats} questions that come back later in other words, {neighbours} neighbours (read, not asked)."
    yield "Recalled: one sentence of what the memory puts into the call holds both the subject and the answer."
    yield "Tokens are estimated; means per seed. Written: what rating and extraction read and write, rules included."
    if _changes_in(changed):
        yield f"Newest on top: {_changes_in(changed)} values change later; the new one is shown, before the old one."
    yield ""
    yield HEAD
