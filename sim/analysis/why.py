"""Why somebody did something: the thought behind it, from the log and the recorded calls alone."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from memory import Weights
from sim.analysis.calls import Call, missing_words, recorded_calls
from sim.analysis.decisions import Numbered, Thought, thoughts_of
from sim.analysis.narrate import Narrator, tell
from sim.analysis.printable import printable
from sim.analysis.provenance import Library, Remembrance, tree_lines
from sim.analysis.residents import resident_named
from sim.analysis.retrievals import Search, search_lines, search_of, three_weights, weights_of
from sim.analysis.state_at import ReplayState, Situation, check_time, memory_config, started_of
from sim.errors import RunError
from sim.log.events import (
    Decided,
    Event,
    FellBack,
    PlanChanged,
    Planned,
    Recalled,
    Reflected,
    Remembered,
    Slept,
    Started,
)
from sim.log.run_folder import Run
from sim.times import MINUTE, at, label

CHOICE = "agent_action"  # the prompt by which an act is chosen
FOLLOWING = 12  # events told of what was done: further ones hardly follow from the decision


@dataclass(frozen=True, slots=True)
class Reason:
    """One thought, laid open."""

    n: int
    """Number of the event that ends it."""
    t: int
    what: str
    """The prompt's name, or ``reflection``."""
    situation: Situation
    perceived: tuple[Remembrance, ...]
    searches: tuple[Search, ...]
    calls: tuple[Call, ...]
    """The call that decided; for a reflection those for its questions and for its insights."""
    in_vain: tuple[Call, ...]
    """Calls on the way whose replies could not be used: each has its fallback."""
    no_call: str
    """Why a prompt and its reply cannot be shown, "" if all can or there is none to be had."""
    decision: Mapping[str, Any] | None
    """None for a reflection, and where a fallback stood in."""
    total: float | None
    """For a reflection: what the importance had come to."""
    questions: tuple[str, ...]
    insights: tuple[Remembrance, ...]
    """For a reflection: what it found, with the evidence down to the observations."""
    dropped: int
    fallbacks: tuple[str, ...]
    done: tuple[tuple[int, str], ...]
    """(second, words) of what the resident did next."""
    relations: tuple[str, ...] = ()
    """How the standing to others moved in it, and what the prompt received of it: tiers, cues, memories shown."""

    @property
    def call(self) -> Call | None:
        """The last of the calls."""
        return self.calls[-1] if self.calls else None


@dataclass(frozen=True, slots=True)
class Why:
    """The thoughts of a resident at the last moment of thought at or before a time."""

    who: str
    asked: int
    """The second that was asked about."""
    reasons: tuple[Reason, ...]
    """All of one second, in order: who wakes up plans the day and chooses what to do at once."""
    others: tuple[tuple[int, str], ...]
    """(second, what) of other thoughts of the minute that was asked about."""
    under_way: tuple[str, ...]
    """What was being done by then, its choice and its block of the plan, where those thoughts did not lead to it."""
    weights: Weights
    narrator: Narrator

    def to_json(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        under_way = {"under_way": list(self.under_way)} if self.under_way else {}
        return {
            "who": self.who, "asked": self.asked, "time": self.narrator.stamp(self.asked),
            "weights": three_weights(self.weights),
            "thoughts": [_reason_json(reason) for reason in self.reasons],
            "also_in_that_minute": [{"t": t, "what": what} for t, what in self.others], **under_way,
        }  # fmt: skip


def why(run: Run, who: str, t: int | None) -> Why:
    """Return why *who* did what they did at second *t*: the last thought at or before it.

    A full minute stands for all of it, as the story's stamps do.  None is the end of the log.

    Raises:
        RunError: If the log is damaged, *t* lies outside it, or nothing was thought until then.
        TownError: If the run has nobody of that name.
    """
    events = list(run.events())
    started = started_of(run, events)
    name, asked = resident_named(who, started.people), check_time(events, started, t)
    narrator = Narrator()
    for _, event in events:
        narrator.learn(event)
    until = asked + MINUTE - 1 if t is not None and narrator.start and not at(narrator.start, asked).second else asked
    past = [thought for thought in thoughts_of(name, events) if thought.t <= until]
    if not past:
        raise RunError(
            f"{name} had not thought of anything by {narrator.stamp(asked)} "
            "(name a later time; `town replay` shows them)"
        )
    chosen = [thought for thought in past if thought.t == past[-1].t]
    others = tuple((one.t, one.what) for one in past if asked <= one.t < past[-1].t)
    opener = _Opener(run, name, events, narrator)
    weights = memory_config(run.manifest, past[-1].t).weights
    under_way = tuple(_under_way(name, events, past, chosen, until, narrator))
    return Why(name, asked, opener.open(chosen), others, under_way, weights, narrator)


def _under_way(
    who: str,
    events: Sequence[Numbered],
    past: Sequence[Thought],
    chosen: Sequence[Thought],
    until: int,
    narrator: Narrator,
) -> Iterator[str]:
    """Yield what was being done by second *until*, and why, where none of the *chosen* thoughts chose it."""
    mine = [(n, e) for n, e in events if e.t <= until and getattr(e, "who", None) == who]
    act = next(((n, e) for n, e in reversed(mine) if isinstance(e, Started | Slept)), None)
    if act is None or not isinstance(act[1], Started):
        return
    choices = [thought for thought in past if thought.n < act[0] and thought.what == CHOICE]
    if choices and choices[-1] in chosen:
        return
    yield f"{_stamp(narrator, act[1].t)}  {narrator.text(act[1].do)}, at {narrator.place(act[1].place, act[1].room)}"
    if choices:
        yield f"chosen {_stamp(narrator, choices[-1].t)} (event {choices[-1].n})"
    yield from _by_plan([one for one in mine if one[0] < act[0]], act[1].t, narrator)


def _by_plan(mine: Sequence[Numbered], t: int, narrator: Narrator) -> Iterator[str]:
    """Yield the block of the plan in force for second *t*, and when it was planned."""
    for n, made in reversed(mine):
        if not isinstance(made, Planned | PlanChanged):
            continue
        for block in made.blocks:
            begin, until = int(block.get("t", 0)), int(block.get("until", 0))
            if begin <= t < until:
                kind = "planned" if isinstance(made, Planned) else "plan changed"
                words = f"{narrator.text(str(block.get('do', '')))}, at {narrator.place(block.get('place'))}"
                times = f"{narrator.time(begin, t)} to {narrator.time(until, t)}"
                yield f"by the plan, {times}: {words} ({kind} {_stamp(narrator, made.t)}, event {n})"
        return


class _Opener:
    """Lays thoughts of one resident open."""

    def __init__(self, run: Run, who: str, events: Sequence[Numbered], narrator: Narrator) -> None:
        self._who, self._events, self._narrator = who, events, narrator
        mine = {e.id: e for _, e in events if isinstance(e, Remembered) and e.who == who}
        self._library = Library(mine, dict(events), narrator)
        self._run = run

    def open(self, thoughts: Sequence[Thought]) -> tuple[Reason, ...]:
        """Return the reasons, each with the situation as it was when the thought ended."""
        keys = {key for thought in thoughts for key in [*_keys(thought), *_keys_in_vain(thought)]}
        calls = recorded_calls(self._run, keys) if keys else {}
        replayed, reasons, events = ReplayState(), [], iter(self._events)
        for thought in thoughts:
            for n, event in events:
                replayed.learn(event)
                if n == thought.n:
                    break
            reasons.append(self._reason(thought, replayed.situation(self._who), calls))
        return tuple(reasons)

    def _reason(self, thought: Thought, situation: Situation, calls: "dict[str, Call] | None") -> Reason:
        outcome = thought.outcome
        reflected = outcome if isinstance(outcome, Reflected) else None
        decided = outcome if isinstance(outcome, Decided) else None
        fell = [outcome] if isinstance(outcome, FellBack) else []
        keys, in_vain, known = _keys(thought), _keys_in_vain(thought), calls or {}
        searches = [self._search(event) for _, event in thought.recalled]
        searches = [self._search(event, earlier=True) for _, event in thought.opening] + searches
        done = [(event.t, tell(event, self._narrator).line) for _, event in thought.done[:FOLLOWING]]
        return Reason(
            n=thought.n, t=thought.t, what=thought.what, situation=situation,
            perceived=() if reflected else tuple(self._library.one(memory) for _, memory in thought.perceived),
            searches=tuple(searches), calls=tuple(known[key] for key in keys if key in known),
            in_vain=tuple(known[key] for key in in_vain if key in known),
            no_call=missing_words([*keys, *in_vain], calls),
            decision=decided.decision if decided else None,
            total=reflected.total if reflected else None,
            questions=tuple(reflected.questions) if reflected else (),
            insights=tuple(self._library.tree(memory) for _, memory in thought.perceived) if reflected else (),
            dropped=reflected.dropped if reflected else 0,
            fallbacks=tuple(f"{e.prompt}: {e.reason}" for e in [*fell, *(event for _, event in thought.fallbacks)]),
            done=tuple(done),
            relations=tuple(self._social(event) for _, event in thought.social),
        )  # fmt: skip

    def _social(self, event: Event) -> str:
        """Return what an event tells of the standing to others, what it shows within the line."""
        told = tell(event, self._narrator)
        return "\n  ".join([told.line, *told.below])

    def _search(self, event: Recalled, *, earlier: bool = False) -> Search:
        weights = weights_of(memory_config(self._run.manifest, event.t))
        return search_of(event, weights, self._library, earlier=earlier)


def _keys(thought: Thought) -> list[str]:
    """Return the keys of the calls from which a thought's outcome came."""
    outcome = thought.outcome
    if isinstance(outcome, Reflected):
        return list(outcome.calls or ())
    return [outcome.call] if outcome.call else []


def _keys_in_vain(thought: Thought) -> list[str]:
    """Return the keys of the calls on its way whose replies could not be used."""
    return list(dict.fromkeys(event.call for _, event in thought.fallbacks if event.call))


def lines(found: Why) -> Iterator[str]:
    """Yield the reasons as they are to be read."""
    for number, reason in enumerate(found.reasons):
        if number:
            yield ""
        for line in _reason_lines(found, reason):
            yield printable(line)
    if found.under_way:
        yield ""
        yield from map(printable, _part("Under way by then", found.under_way))
    if found.others:
        stamps = ", ".join(f"{_stamp(found.narrator, t)} ({what})" for t, what in found.others)
        yield ""
        yield printable(f"Earlier in that minute: {stamps}")


def why_lines(run: Run, who: str, at: int | None) -> Iterator[str]:
    """Yield why *who* did what they did at second *at*; errors are `why`'s."""
    return lines(why(run, who, at))


def why_json(run: Run, who: str, at: int | None) -> dict[str, Any]:
    """Return why *who* did what they did at second *at* as plain values; errors are `why`'s."""
    return why(run, who, at).to_json()


def _reason_lines(found: Why, reason: Reason) -> Iterator[str]:
    narrator = found.narrator
    yield f"{found.who}, {_stamp(narrator, reason.t)}: {reason.what} (event {reason.n})"
    yield from _part("Situation", _situation_lines(reason.situation, reason.t, narrator))
    yield from _part("Perceived", [line for memory in reason.perceived for line in tree_lines(memory, narrator)])
    yield from _part("Recalled", search_lines(reason.searches, narrator))
    yield from _part("Relationships", [line for told in reason.relations for line in told.split("\n")])
    for call in reason.calls:
        yield from _call_part(call, "" if len(reason.calls) == 1 else call.prompt)
    yield from _part("Prompt and reply", [reason.no_call] if reason.no_call else [])
    if reason.decision is not None:
        yield from _part("Decided", [narrator.text(json.dumps(reason.decision, ensure_ascii=False))])
    yield from _part("Questions", [narrator.text(question) for question in reason.questions])
    if reason.total is not None:
        dropped = f"; {reason.dropped} not kept" if reason.dropped else ""
        title = f"Insights (the importance had come to {reason.total:g}{dropped})"
        yield from _part(title, [line for tree in reason.insights for line in tree_lines(tree, narrator)] or ["none"])
    yield from _part("Fallbacks", reason.fallbacks)
    for call in reason.in_vain:
        yield from _call_part(call, call.prompt)
    yield from _part("What was done", [f"{_stamp(narrator, t)}  {words}" for t, words in reason.done])


def _call_part(call: Call, of: str) -> Iterator[str]:
    """Yield a call's prompt and reply, under the name of its prompt where there are several."""
    of = f" of {of}" if of else ""
    left_out = f", {call.left_out} memories left out to fit" if call.left_out else ""
    for role, content in call.messages:
        yield from _part(f"Prompt{of} ({role}, call {call.key}{left_out})", content.splitlines())
    yield from _part(f"{'Reply' if call.answered else 'No reply'}{of} ({call.model})", call.reply.splitlines())


def _part(title: str, below: Sequence[str]) -> Iterator[str]:
    """Yield a titled part, nothing if it is empty."""
    if below:
        yield f"{title}:"
        yield from (f"  {line}".rstrip() for line in below)


def _situation_lines(now: Situation, t: int, narrator: Narrator) -> list[str]:
    way = f"on the way to {narrator.place(now.heading)}" if now.heading else "out of doors"
    found = [f"at {narrator.place(now.place, now.room)}" if now.place else way]
    found[0] += f", {narrator.text(now.do)}" if now.do else ""
    found += [f"with {other.name}{': ' + narrator.text(other.do) if other.do else ''}" for other in now.present]
    found += [f"the {thing} is {narrator.text(state)}" for thing, state in now.things]
    if now.talk:
        partners = " and ".join(now.talk.partners)
        found.append(
            f"talking with {partners} since {_stamp(narrator, now.talk.began)}, {len(now.talk.said)} utterances so far"
        )
    for block in now.plan[:1]:
        until = narrator.time(int(block.get("until", t)), t)
        found.append(
            f"plan until {until}: {narrator.text(str(block.get('do', '')))}, at {narrator.place(block.get('place'))}"
        )
    return found


def _stamp(narrator: Narrator, t: int) -> str:
    """Return ``Mon 13 Feb 08:15``, with the seconds where there are any."""
    if narrator.start is None:
        return f"second {t}"
    moment = at(narrator.start, t)
    return label(narrator.start, t) + (f":{moment.second:02}" if moment.second else "")


def _reason_json(reason: Reason) -> dict[str, Any]:
    values: dict[str, Any] = {
        "n": reason.n, "t": reason.t, "what": reason.what, "situation": asdict(reason.situation),
        "perceived": [memory.to_json() for memory in reason.perceived],
        "searches": [search.to_json() for search in reason.searches],
        "call": reason.call and reason.call.to_json(), "calls": [call.to_json() for call in reason.calls],
        "in_vain": [call.to_json() for call in reason.in_vain],
        "no_call": reason.no_call, "decision": reason.decision, "fallbacks": list(reason.fallbacks),
        "done": [{"t": t, "told": words} for t, words in reason.done],
        **({"relations": list(reason.relations)} if reason.relations else {}),
    }  # fmt: skip
    if reason.total is not None:
        values |= {
            "total": reason.total, "questions": list(reason.questions), "dropped": reason.dropped,
            "insights": [tree.to_json() for tree in reason.insights],
        }  # fmt: skip
    return values
