"""What `town run` shows: the town, how far it is, whom it waits for, and how it ended."""

import shlex
import sys
import threading
import time
from pathlib import Path
from typing import Any, Self, TextIO

from memory.language.records import is_english
from sim.analysis.printable import printable, write_lines
from sim.analysis.zero_figures import zero_lines
from sim.log.run_folder import open_run
from sim.models.roles import Roles
from sim.scenario import FULL, Scenario
from sim.times import DAY, HOUR, label
from sim.town.simulate import Progress

NAMES = 6  # shown of those who know or came; all are in the manifest, in order of time
BEAT = 0.5  # seconds between two looks of the watcher
PATIENCE = 20  # seconds without progress before a plain console is told whom the run waits for


def overview(scenario: Scenario) -> str:
    """Return the town's size and time in words."""
    days, rest = divmod(scenario.until, DAY)
    length = f"{days} days" if days > 1 and not rest else f"{scenario.until / HOUR:g} hours"
    arm = "" if scenario.arm == FULL else f", arm {scenario.arm}"
    size = f"{_count(len(scenario.people), 'resident')}, {_count(len(scenario.town.places), 'place')}"
    return f"{scenario.name}: {size}, {length} from {label(scenario.start, 0)}{arm}"


def _count(n: int, word: str, words: str = "") -> str:
    return f"{n:,} {word}" if n == 1 else f"{n:,} {words or f'{word}s'}"


class ProgressDisplay:
    """Shows a run while it goes on: a line that is renewed on a terminal; elsewhere a line every six hours of the town.

    A thread of its own watches, so that a run that waits for answers says for whose.
    """

    def __init__(self, scenario: Scenario, stream: TextIO | None = None) -> None:
        self._scenario, self._stream = scenario, stream or sys.stderr
        self._live = self._stream.isatty()
        self._latest: Progress | None = None
        self._began = self._moved = self._told = time.monotonic()
        self._shown = 0
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._watcher.join(timeout=2)
        if self._live:
            self._stream.write("\r\x1b[K")

    def begun(self, folder: Path) -> None:
        """Say what runs."""
        roles = Roles.of(self._scenario)
        model = f"model {roles.in_words()}" + ("" if roles.real() else " (a rule-based reader, no language model)")
        lines = [overview(self._scenario), f"{model}; seed {self._scenario.seed}; log in {folder}"]
        write_lines([*lines, *(() if roles.real() else _unread_texts(self._scenario))], self._stream)

    def progress(self, now: Progress) -> None:
        """Take note of how far the run is."""
        if self._latest is None or now.t > self._latest.t:
            self._moved = time.monotonic()
        self._latest = now
        if not self._live and now.t // (6 * HOUR) > self._shown:
            self._shown = now.t // (6 * HOUR)
            write_lines([self._line(now)], self._stream)

    def _watch(self) -> None:
        while not self._over.wait(BEAT):
            now = self._latest
            if now is not None and self._live:
                line = " ".join(part for part in (self._line(now), self._waiting(now)) if part)
                self._stream.write(f"\r\x1b[K{printable(line)[:200]}")
                self._stream.flush()
            elif now is not None and time.monotonic() - max(self._moved, self._told) > PATIENCE:
                self._told = time.monotonic()
                write_lines([f"{self._line(now)}  {self._waiting(now) or 'working'}"], self._stream)

    def _line(self, now: Progress) -> str:
        meter = now.recorder.meter
        parts = [label(self._scenario.start, now.t), f"{100 * now.t // now.until:3} %"]
        parts.append(f"{sum(meter.calls.values()):,} calls")
        tokens = meter.tokens["in"] + meter.tokens["out"]
        parts += [f"{tokens:,} tokens"] if tokens else []
        parts += [f"${meter.dollars:.4f}"] if meter.dollars else []
        left = self._time_left(now)
        return "  ".join([*parts, f"{now.events:,} events", *([left] if left else [])])

    def _time_left(self, now: Progress) -> str:
        """Return how long the run will still take at this pace, once that can be told."""
        spent = time.monotonic() - self._began
        if spent < 10 or now.t * 50 < now.until:
            return ""
        seconds = round(spent * (now.until - now.t) / now.t)
        return f"about {seconds // 60} min left" if seconds >= 120 else f"about {seconds} s left"

    def _waiting(self, now: Progress) -> str:
        """Return who waits for an answer, the longest first."""
        flight = sorted(now.recorder.in_flight.copy().values(), key=lambda call: call[2])
        if not flight:
            return ""
        who, prompt, since = flight[0]
        return f"{len(flight)} in flight; waiting {time.perf_counter() - since:.0f} s for {who} ({prompt})"

    def ending(self, folder: Path, manifest: dict[str, Any]) -> list[str]:
        """Return what is said at the end."""
        s, happened, people = manifest["summary"], manifest["summary"]["events_by_kind"], len(self._scenario.people)
        told = (("talk_started", "talk"), ("reflected", "reflection"), ("plan_changed", "changed plan"))
        counts = [_count(happened.get(kind, 0), word) for kind, word in (*told, ("fell_back", "fallback"))]
        counts[-1] += _unusable_note(s)
        each = f"{s['calls_per_resident_day']:g} per resident and day"
        asked = manifest["measures"]
        measures = [(what, name, who) for what in ("knows", "attends") for name, who in asked.get(what, {}).items()]
        return [
            f"Done in {s['seconds']:.1f} s: {s['events']:,} events, {s['calls']:,} model calls ({each}).",
            f"  {', '.join(counts)}",
            *usage_lines(s),
            *(f"  {what} {name}: {len(who)} of {people}{_first_names(who, people)}" for what, name, who in measures),
            *(f"  survey {name}: {len(by)} asked" for name, by in asked.get("survey", {}).items()),
            *zero_lines(self._scenario, manifest, open_run(folder).events()),
            f"Run: {folder}",
            f"Next: town replay {shlex.quote(str(folder))}   town plot {shlex.quote(str(folder))}",
        ]


def _unread_texts(scenario: Scenario) -> list[str]:
    """Return what the offline mind cannot read of a scenario, in one line; none where it reads all."""
    people = [(p.summary, *(item.do for item in p.routine), *(m.text for m in p.memories)) for p in scenario.people]
    said = [event.thinks or event.happens or "" for event in scenario.events]
    texts = [text for each in (*people, said) for text in each if text]
    unread = [text for text in texts if not is_english(text)]
    if not unread:
        return []
    first = f"{unread[0][:60]}…" if len(unread[0]) > 60 else unread[0]
    told = f'{len(unread)} of {_count(len(texts), "text")} of this town are not ("{first}")'
    return [f"note: the offline model reads English only; {told}: it passes them on and acts on none of them"]


def _first_names(who: list[str], people: int) -> str:
    """Return the first of those who do, where it is not everybody."""
    if not who or len(who) == people:
        return ""
    return f" ({', '.join(who[:NAMES])}{', …' if len(who) > NAMES else ''})"


def _unusable_note(summary: dict[str, Any]) -> str:
    """Return in brackets the share of the answers that could not be used, and to what none could; "" for none."""
    if not summary.get("unusable", 0) + summary.get("partly_unusable", 0):
        return ""
    answers, partly = summary["answers"], summary["partly_unusable"]
    told = f"{100 * summary['unusable'] / answers:.3g} % of {_count(answers, 'answer')} could not be used"
    told += f", {100 * partly / answers:.3g} % only in part" if partly else ""
    asked, lost = summary["answers_by_prompt"], summary["unusable_by_prompt"]
    none = [prompt for prompt, n in lost.items() if n >= asked.get(prompt, 0)]
    return f" ({told}{'; none of those to ' if none else ''}{', '.join(none)})"


def usage_lines(summary: dict[str, Any]) -> list[str]:
    """Return what the models used up, where they say."""
    if not summary["tokens_in"] + summary["tokens_out"]:
        return []
    tokens = f"{summary['tokens_in']:,} tokens in ({summary['tokens_cached']:,} cached), {summary['tokens_out']:,} out"
    tokens += " (estimated: the server tells none)" if summary.get("calls_with_estimated_tokens") else ""
    retries = f"; {_count(summary['retries'], 'retry', 'retries')}" if summary["retries"] else ""
    tries = summary.get("second_tries", 0)
    again = f"; {_count(tries, 'second try', 'second tries')} after unreadable replies" if tries else ""
    return [f"  {tokens}, {_cost(summary)}{retries}{again}"]


def _cost(summary: dict[str, Any]) -> str:
    """Return the dollars, and what they leave out."""
    unpriced = ", ".join(summary["unpriced_models"])
    if unpriced and not summary["dollars"]:
        return f"cost unknown (no price of {unpriced})"
    return f"${summary['dollars']:.4f}" + (f" without {unpriced}, of which no price is known" if unpriced else "")
