"""Who knows what since when, and from whom: by what memories hold, and by what is said in interviews."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.analysis.grounding import claimed
from sim.analysis.measures.values import Asked, Bearer, Claim, Diffusion, Knowing
from sim.errors import RunError
from sim.log.events import Event, Happened, Remembered, Spoke, Thought
from sim.scenario import KnowsMeasure

Numbered = tuple[int, Event]
Words = Sequence[Sequence[str]]

_AFFIRMS = re.compile(r"\W*(?:yes|yeah|yep|indeed|certainly|of course|sure|i (?:do|did|have|know)\b(?! not))\b", re.I)


def holds(text: str, words: Words) -> bool:
    """Return whether *text* holds all words of one group, whatever the case."""
    folded = text.casefold()
    return any(all(word.casefold() in folded for word in group) for group in words)


def who_knows(events: Iterable[Numbered], measure: KnowsMeasure) -> dict[str, Knowing]:
    """Return, by resident, how each one who knows came to know it, in the order in which they did."""
    spoken: dict[int, str] = {}
    knowing: dict[str, Knowing] = {}
    for n, event in events:
        if isinstance(event, Spoke) and holds(event.text, measure.words):
            spoken[n] = event.who
        elif isinstance(event, Remembered) and event.who not in knowing and holds(event.text, measure.words):
            teller = None if event.source is None else spoken.get(event.source)
            knowing[event.who] = Knowing(event.t, event.id, event.source, teller)
    return knowing


def diffusion_of(
    name: str, measure: KnowsMeasure, events: Iterable[Numbered], people: int, given: Mapping[str, str] | None = None
) -> Diffusion:
    """Return how what *measure* asks for went through the town.

    Args:
        given: By resident, what they know of themselves without remembering it; words that rest on it are no
            false claim.
    """
    trail = _Trail(measure.words, given or {})
    for n, event in events:
        trail.read(n, event)
    return Diffusion(name, measure.ask, people, tuple(trail.bearers.values()), tuple(trail.false_claims))


@dataclass
class _Trail:
    """Follows one thing to know through a log."""

    words: Words
    given: Mapping[str, str]
    bearers: dict[str, Bearer] = field(default_factory=dict)
    false_claims: list[Claim] = field(default_factory=list)
    events: dict[int, Event] = field(default_factory=dict)
    """What can be perceived, by number."""
    memories: dict[tuple[str, int], Remembered] = field(default_factory=dict)

    def read(self, n: int, event: Event) -> None:
        """Take the next event of the log."""
        if isinstance(event, Remembered):
            self.memories[event.who, event.id] = event
            if event.who not in self.bearers and holds(event.text, self.words):
                self.bearers[event.who] = self._bearer(event)
            return
        self.events[n] = event
        if isinstance(event, Spoke) and holds(event.text, self.words) and not self._may_know(event.who):
            self.false_claims.append(Claim(event.who, event.t, event.text, n))

    def _may_know(self, who: str) -> bool:
        return who in self.bearers or holds(self.given.get(who, ""), self.words)

    def _bearer(self, memory: Remembered) -> Bearer:
        source, cause = memory.source, None if memory.source is None else self.events.get(memory.source)
        concluded = memory.source is None and bool(memory.evidence)
        if concluded:
            source, cause = self._heard_before(memory)
        how, teller = _how(memory, cause), getattr(cause, "who", None)
        teller = None if teller == memory.who or how == "thought" else teller
        parent = self.bearers.get(teller) if teller else None
        return Bearer(
            memory.who, memory.t, memory.id, memory.text, "concluded" if concluded else how, source, teller,
            parent.who if parent else None, parent.depth + 1 if parent else 0, getattr(cause, "place", None),
        )  # fmt: skip

    def _heard_before(self, memory: Remembered) -> tuple[int | None, Event | None]:
        """Return the utterance among what *memory* rests on that holds most of the words, with its number."""
        best: tuple[int, int | None, Event | None] = (0, None, None)
        for memory_id in memory.evidence:
            cited = self.memories.get((memory.who, memory_id))
            event = None if cited is None or cited.source is None else self.events.get(cited.source)
            if cited is None or not isinstance(event, Spoke) or event.who == memory.who:
                continue
            held = max(sum(word.casefold() in cited.text.casefold() for word in group) for group in self.words)
            if held > best[0]:
                best = (held, cited.source, event)
        return best[1:]


def _how(memory: Remembered, cause: Event | None) -> str:
    match cause:
        case Spoke():
            return "told" if memory.who in cause.to else "overheard"
        case Thought():
            return "thought"
        case Happened():
            return "happened"
        case None:
            return "before"
    return "seen"


def knowing_numbers(found: Diffusion) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return the numbers of one thing to know, and why those that are None are."""
    name, bearers = found.name, found.bearers
    heard = sum(bearer.teller is not None for bearer in bearers)
    half = next((b.t - bearers[0].t for i, b in enumerate(bearers, 1) if 2 * i >= found.people), None)
    numbers: dict[str, float | None] = {
        f"knows {name}": len(bearers) / found.people if found.people else None,
        f"told {name}": heard / len(bearers) if bearers else None,
        f"chain {name}": max((b.depth for b in bearers), default=None),
        f"half know {name}": None if half is None else half / 3600,
        f"false claims {name}": len(found.false_claims),
    }
    nobody = f"nobody came to know of {name}"
    reasons = {f"told {name}": nobody, f"chain {name}": nobody, f"half know {name}": f"fewer than half know of {name}"}
    told, why = asked_numbers(found)
    return numbers | told, reasons | why


def asked_numbers(found: Diffusion) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return the numbers of the interviews about one thing to know, none where nobody was asked."""
    asked, names = found.asked, (f"says to know {found.name}", f"says falsely {found.name}")
    if asked is None:
        return {}, {}
    values = (len(asked.knowing), len(asked.false))
    shares = {name: count / asked.asked if asked.asked else None for name, count in zip(names, values, strict=True)}
    return shares, dict.fromkeys(names, "no interview was answered")


# interviews


def read_answers(path: Path) -> list[dict[str, Any]]:
    """Return the answers in an interviews file, one a line; a torn last line is passed over.

    Raises:
        RunError: If it cannot be read, or a line is no answer.
    """
    answers = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"cannot read the interviews {str(path)!r}: {error}") from error
    for number, line in enumerate(lines[:-1], 1):
        if not line.strip():
            continue
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise RunError(f"{path.name}:{number} is no answer of an interview ({error})") from error
        if not isinstance(answer, dict) or not isinstance(answer.get("who"), str):
            raise RunError(f"{path.name}:{number} is no answer of an interview (it does not say who)")
        answers.append(answer)
    return answers


def asked_about(found: Diffusion, words: Words, answers: Iterable[Mapping[str, Any]]) -> Asked | None:
    """Return what the interviews say of *found*, None where nobody was asked about it."""
    known_by = {bearer.who: bearer.t for bearer in found.bearers}
    knowing, false, unaware, count = [], [], [], 0
    of_it = sorted((a for a in answers if a.get("asked_for") == found.name), key=lambda answer: str(answer["who"]))
    for answer in of_it:
        who, said, t = answer["who"], str(answer.get("answer") or ""), _second(answer.get("at"))
        if not said:
            continue  # no answer came
        count += 1
        knew = who in known_by and (t is None or known_by[who] <= t)
        if says_so(str(answer.get("question") or found.ask), said, words):
            knowing += [who] if knew else []
            false += [] if knew else [Claim(who, t or 0, said, None)]
        elif knew:
            unaware.append(who)
    return Asked(count, tuple(knowing), tuple(false), tuple(unaware)) if of_it else None


def answer_numbers(answers: Sequence[Mapping[str, Any]]) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return the numbers of all answers of the interviews together, none where nobody was interviewed."""
    said = [answer for answer in answers if answer.get("answer")]
    traps = [answer for answer in said if answer.get("trap")]
    numbers: dict[str, float | None] = {}
    if answers:
        made_up = sum(bool(answer.get("unsupported")) for answer in said)
        numbers["answers unsupported"] = made_up / len(said) if said else None
    if traps:
        numbers["traps fallen into"] = sum(bool(answer.get("unsupported")) for answer in traps) / len(traps)
    return numbers, {"answers unsupported": "no interview was answered"}


def says_so(question: str, answer: str, words: Words) -> bool:
    """Return whether *answer* claims to know what *question* asks for.

    It does when, apart from what it denies or supposes, it begins with a yes or holds the words; those of the question
    count as well where they do not hold all by themselves (``Who will …?`` – ``Ada.``).
    """
    stated = claimed(answer)
    if not stated:
        return False
    together = f"{question}\n{stated}"
    return (
        bool(_AFFIRMS.match(stated)) or holds(stated, words) or (not holds(question, words) and holds(together, words))
    )


def _second(value: object) -> int | None:
    return value if type(value) is int else None
