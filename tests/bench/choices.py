"""What the offline mind's choices come to: who knows, who comes, how people talk, and what memories decide.

Run ``python -m tests.bench.choices SCENARIO [--seeds 1-5] [--arm ARM] [--removed] [--until TIME] [--talk N]``.
With ``--removed`` every tenth social decision is asked again without some of its memories, and the share of those
that come out differently is told: ``all`` of them, ``insights``, as many at ``random``, and as a ``control`` the one
of the lowest score.
"""

import argparse
import json
import random
import re
import statistics
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from memory.language.words import content_words
from sim.analysis.measures import who_came, who_knows
from sim.analysis.measures.network import network_of
from sim.log.run_folder import open_run
from sim.mind.settings_timeline import SettingsTimeline
from sim.models.recording import Budget, Meter, Recorder
from sim.models.request import Reply, Request
from sim.offline import OfflineModel
from sim.scenario import Scenario, load
from sim.town.simulate import run_town

EVERY = 10  # social decisions of which one is asked again: enough for a share to a few per cent
LINE = re.compile(r"- \w{3} \d+ \w{3} \d\d:\d\d: (.*)")


class Spy(OfflineModel):
    """The offline model, whose social decisions can be asked again."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[Request, str]] = []

    def reply(self, request: Request) -> Reply:
        reply = super().reply(request)
        situation = request.variables.get("situation", "")
        company = "talk to: " in situation and "talk to: nobody" not in situation
        if company or request.prompt in ("dialogue_turn", "plan_day"):
            self.asked.append((request, reply.text))
        return reply


class Life(NamedTuple):
    """What one seed came to."""

    figures: dict[str, float]
    came: dict[str, frozenset[str]]


def live(scenario: Scenario, folder: Path, spy: Spy) -> list[Any]:
    """Run *scenario* and return its events, numbered."""
    recorder = Recorder(folder / "calls.jsonl", Meter(lambda _: None, Budget()))
    try:
        run_town(scenario, folder, SettingsTimeline.of(scenario, spy), recorder, concurrency=1)
    finally:
        recorder.close()
    (folder / "manifest.json").write_text(json.dumps({"state": "done", "scenario": json.loads(scenario.to_json())}))
    return list(open_run(folder).events())


def measure(scenario: Scenario, events: Sequence[Any], spy: Spy, *, removed: bool) -> Life:
    """Return the figures of one life."""
    people = [person.name for person in scenario.people]
    days = scenario.until / 86400 * len(people)
    found: dict[str, float] = {}
    told_by: dict[int, str] = {n: e.who for n, e in events if e.kind == "spoke"}
    for name, knows in scenario.measures.knows.items():
        bearers = who_knows(events, knows)
        first = next((b.who for b in bearers.values() if b.how in ("thought", "happened", "before")), "")
        found[f"know {name}"] = len(bearers)
        found[f"know {name} second-hand"] = sum(
            told_by.get(b.source or -1, first) != first for b in bearers.values() if b.who != first
        )
    came = {}
    for name, attends in scenario.measures.attends.items():
        came[name] = frozenset(who_came(events, attends))
        if name in scenario.measures.knows:
            knowing = set(who_knows(events, scenario.measures.knows[name]))
            found[f"came {name}"] = len(came[name])
            found[f"came {name} of knowers %"] = 100 * len(came[name] & knowing) / max(len(knowing), 1)
    network = network_of(
        people, {p.name: list(p.knows) for p in scenario.people}, events, scenario.start, scenario.until
    )
    alone = network_of(people, {}, events, scenario.start, scenario.until)
    found |= {"density": network.end.density or 0, "density from talks": alone.end.density or 0}
    found["reflections/day"] = sum(e.kind == "reflected" for _, e in events) / days
    found |= _of_talks(scenario, [e for _, e in events], days, people)
    found |= _of_memories(spy, events) if removed else {}
    return Life(found, came)


def _of_talks(scenario: Scenario, events: Sequence[Any], days: float, people: Sequence[str]) -> dict[str, float]:
    said = [e for e in events if e.kind == "spoke"]
    turns = Counter(e.talk for e in said)
    heads = 2 * sum(e.kind == "talk_started" for e in events)
    masked = Counter(_masked(e.text, people) for e in said)
    found = {
        "talks/day": heads / days,
        "turns": statistics.mean(turns.values()) if turns else 0,
        "most frequent length %": 100 * Counter(turns.values()).most_common(1)[0][1] / len(turns) if turns else 0,
        "distinct %": 100 * len(masked) / max(len(said), 1),
        "top frame %": 100 * masked.most_common(1)[0][1] / len(said) if said else 0,
    }
    for name, attends in scenario.measures.attends.items():
        there = [e for e in said if e.place == attends.place and attends.start <= e.t < attends.end]
        words = (
            {w.casefold() for group in scenario.measures.knows[name].words for w in group}
            if name in scenario.measures.knows
            else set()
        )
        words = {part for word in words for part in content_words(word)}
        about = [e for e in there if any(word in e.text.casefold() for word in words)]
        if there:
            found[f"of {name} there %"] = 100 * len(about) / len(there)
            found[f"said at {name}"] = len(there)
    return found


def _masked(text: str, people: Sequence[str]) -> str:
    names = sorted({part for name in people for part in (name, *name.split())}, key=len, reverse=True)
    return re.sub(r"\d+", "0", re.sub(rf"\b(?:{'|'.join(map(re.escape, names))})\b", "X", text))


def _of_memories(spy: Spy, events: Sequence[Any]) -> dict[str, float]:
    """Return the share of social decisions that come out differently without some of their memories."""
    kind = {(e.who, " ".join(e.text.split())): e.memory_kind for _, e in events if e.kind == "remembered"}
    owned = defaultdict(list)
    for (who, text), _ in kind.items():
        owned[who].append(text)
    changed: dict[str, list[bool]] = defaultdict(list)
    reworded: Counter[str] = Counter()
    model, chance = OfflineModel(), random.Random(1)
    for request, answer in spy.asked[::EVERY]:
        lines = request.variables["retrieved_memories"].splitlines()
        if not lines:
            continue
        insights = [s for s in lines if (m := LINE.fullmatch(s)) and kind.get((request.who, m[1])) == "reflection"]
        others = chance.sample(owned[request.who], min(len(lines), len(owned[request.who])))
        variants = {
            "all": [],
            "random": [f"{line.split(': ')[0]}: {text}" for line, text in zip(lines, others, strict=False)],
            "control": lines[:-1],
            **({"insights": [s for s in lines if s not in insights]} if insights else {}),
        }
        for name, kept in variants.items():
            again = Request(
                request.who, request.prompt, {**request.variables, "retrieved_memories": "\n".join(kept)},
                request.messages, request.schema, request.sampling,
            )  # fmt: skip
            other = model.reply(again).text
            changed[name].append(is_changed(request.prompt, answer, other))
            reworded[name] += other != answer
    found = {f"without {name} %": 100 * statistics.mean(flags) for name, flags in changed.items() if flags}
    return found | {"asked of insights": len(changed["insights"])}


def is_changed(prompt: str, before: str, after: str) -> bool:
    """Return whether two replies differ in more than wording: act, partner, topic, acceptance or block."""
    one, two = json.loads(before), json.loads(after)
    if prompt == "agent_action":
        return any(one.get(key) != two.get(key) for key in ("do", "place", "talk_to"))
    if prompt == "plan_day":
        return bool(one["blocks"] != two["blocks"])
    if one["end"] != two["end"]:
        return True
    mine, other = set(content_words(one["say"])), set(content_words(two["say"]))
    return len(mine & other) < 0.5 * max(len(mine | other), 1)


def seeds_of(text: str) -> Iterator[int]:
    """Yield the seeds of ``1-5`` or ``1,3``."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def main() -> None:
    """Print a table: one line a figure, its mean over the seeds, the least and the most."""
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario")
    parser.add_argument("--seeds", default="1-5")
    parser.add_argument("--arm")
    parser.add_argument("--until")
    parser.add_argument("--removed", action="store_true")
    parser.add_argument("--talk", type=int, default=0)
    options = parser.parse_args()
    lives: list[Life] = []
    for seed in seeds_of(options.seeds):
        overrides = {"seed": str(seed), **({"until": options.until} if options.until else {})}
        scenario = load(options.scenario, overrides=overrides, arm=options.arm)
        with tempfile.TemporaryDirectory() as folder:
            spy = Spy()
            events = live(scenario, Path(folder), spy)
            lives.append(measure(scenario, events, spy, removed=options.removed))
        said = [e for _, e in events if e.kind == "spoke"]
        if options.talk:
            start = max(len(said) // 2 - options.talk // 2, 0)
            for e in said[start : start + options.talk]:
                print(f"{e.t // 3600:3}h {e.talk}: {e.who} to {e.to[0]}: {e.text}")
    show(lives)


def show(lives: Sequence[Life]) -> None:
    """Print the figures of *lives*."""
    for name in dict.fromkeys(name for life in lives for name in life.figures):
        values = [life.figures[name] for life in lives if name in life.figures]
        print(f"{name:30} {statistics.mean(values):8.2f}   {min(values):8.2f} to {max(values):8.2f}")
    for name in lives[0].came if lives else ():
        pairs = [(a.came[name], b.came[name]) for a, b in combinations(lives, 2)]
        overlap = [len(a & b) / len(a | b) if a | b else 1.0 for a, b in pairs]
        if overlap:
            print(f"{'overlap of who came to ' + name:30} {statistics.mean(overlap):8.2f}")
            always = frozenset.intersection(*(life.came[name] for life in lives))
            print(f"  always: {', '.join(sorted(always)) or 'nobody'}")


if __name__ == "__main__":
    main()
