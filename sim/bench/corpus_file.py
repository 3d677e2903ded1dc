"""A user's own research, read from a YAML or JSON file; every mistake is told with its line.

    sources:
      - {id: weir, text: "Orme Weir was opened in 1931. It has a fish ladder. Orme Weir belongs to the county."}
    questions:                       # what the agent looks for, session by session
      - session: 1
        ask: When was Orme Weir opened?
        again: Since what year has Orme Weir been open?     # the probe, in other words; left out: the same words
        subject: Orme Weir
        answer: 1931
        reads: [weir]                # in this order; left out: each source that answers
        probe: 3                     # session at whose beginning it comes back; left out: one to three later, by lot
    neighbours:                      # was read by then, but never looked for
      - {ask: Who owns Orme Weir?, subject: Orme Weir, answer: the county, probe: 2}
    changes:                         # a source that says something else when it is read again
      - session: 4
        source: weir
        text: Orme Weir was opened in 1932. It has a fish ladder. Orme Weir belongs to the county.
        ask: When was Orme Weir opened?
        subject: Orme Weir
        was: 1931
        answer: 1932
        probe: 5

A source must have one sentence that holds both subject and answer; ``neighbours`` and ``changes`` may be left out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from memory.policies import Reading
from sim.bench.research import LATER, Look, Probe, Research, is_recalled, order_looks
from sim.errors import Problem, ScenarioError
from sim.scenario.sources import suggestion
from sim.scenario.strict_yaml import Mark, Node, decode, parse_yaml

LAST_SESSION = 1000

_T = TypeVar("_T")
_TOP = ("sources", "questions", "neighbours?", "changes?")
_SOURCE = ("id", "text")
_QUESTION = ("session", "ask", "again?", "subject", "answer", "reads?", "probe?")
_NEIGHBOUR = ("ask", "subject", "answer", "probe?")
_CHANGE = ("session", "source", "text", "ask", "again?", "subject", "was", "answer", "probe?")


@dataclass(frozen=True, slots=True)
class _Sought:
    """A question, or a change, as the file has it."""

    look: Look
    probe: Probe
    """Of session 0 where the file leaves it to the lot."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A user's own research; the sessions of some probes may be left to the lot."""

    sought: tuple[_Sought, ...]
    neighbours: tuple[Probe, ...]
    changed: tuple[_Sought, ...]

    def research(self, seed: int, *, changes: bool = False) -> Research:
        """Return the research, open sessions drawn with *seed*.

        Args:
            changes: Whether to let the changes happen too.
        """
        chance = np.random.default_rng(seed)
        last = 1 + max(one.look.session for one in (*self.sought, *self.changed))
        wanted = [*self.sought, *(self.changed if changes else ())]
        probes = []
        for one in wanted:
            drawn = min(one.look.session + 1 + int(chance.integers(LATER)), last)
            probes.append(one.probe if one.probe.session else replace(one.probe, session=drawn))
        changed = [one.look for one in self.changed] if changes else []
        return Research(order_looks([one.look for one in self.sought], changed), (*probes, *self.neighbours))


def read_corpus(path: Path) -> Corpus:
    """Return the research that the file *path* describes.

    Raises:
        ScenarioError: With every mistake in it, each with its line.
    """
    name = str(path)
    try:
        text = decode(path.read_bytes(), name)
    except OSError as error:
        raise ScenarioError(Problem(name, 0, f"cannot be read: {error.strerror} (check the path)")) from error
    return parse_corpus(text, name)


def parse_corpus(text: str, file: str) -> Corpus:
    """Return the research that *text* describes; *file* is what its mistakes are reported under.

    Raises:
        ScenarioError: With every mistake in it, each with its line.
    """
    reader = _Reader()
    corpus = reader.corpus(parse_yaml(text, file))
    if reader.problems:
        raise ScenarioError(*sorted(reader.problems, key=lambda problem: problem.line))
    return corpus


@dataclass(slots=True)
class _Reader:
    """Reads a corpus and collects what is wrong with it."""

    problems: list[Problem] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def corpus(self, root: Node) -> Corpus:
        self._has(root, "the file", _TOP)
        for node in self._items(root, "sources"):
            self._source(node)
        sought = [self._question(node) for node in self._items(root, "questions")]
        neighbours = [self._neighbour(node, sought) for node in self._items(root, "neighbours", may_lack=True)]
        changed = [self._change(node) for node in self._items(root, "changes", may_lack=True)]
        return Corpus(_whole(sought), _whole(neighbours), _whole(changed))

    def _items(self, root: Node, key: str, *, may_lack: bool = False) -> list[Node]:
        node = root.at(key)
        if key in root.fields and not node.items and not (may_lack and node.value in (None, [])):
            self._complain(root.key_mark(key), f"{key}: a list with at least one item is needed (- one item a line)")
        return node.items

    def _source(self, node: Node) -> None:
        if not self._has(node, "a source", _SOURCE):
            return
        name, text = self._text(node, "id"), self._text(node, "text")
        if name is None or text is None:
            return
        if name in self.texts:
            self._complain(node.key_mark("id"), f'there is a source "{name}" already (give each an id of its own)')
        self.texts.setdefault(name, text)

    def _question(self, node: Node) -> _Sought | None:
        session, probe = self._session_and_probe(node, "a question", _QUESTION)
        if session is None or probe is None:
            return None
        answering = [name for name, text in self.texts.items() if is_recalled([text], probe)]
        named = [name for name in (self._source_named(one) for one in self._reads(node)) if name]
        reads = named if "reads" in node.fields else answering
        if not set(reads) & set(answering):
            self._complain_unanswered(node, probe, f"of {', '.join(named)}" if named else "of any source")
        ask = node.fields["ask"].text
        answers = {name: probe.answer for name in answering}
        readings = (Reading(self.texts[name], name, ask, answers.get(name)) for name in reads)
        return _Sought(Look(session, tuple(readings)), probe)

    def _neighbour(self, node: Node, sought: Sequence[_Sought | None]) -> Probe | None:
        probe = self._probe(node) if self._has(node, "a neighbour", _NEIGHBOUR) else None
        if probe is None:
            return None
        looks = [one.look for one in sought if one and one.look.session < probe.session]
        if not is_recalled([reading.text for look in looks for reading in look.readings], probe):
            self._complain_unanswered(node, probe, f"that is read before session {probe.session}")
        return replace(probe, neighbour=True)

    def _change(self, node: Node) -> _Sought | None:
        session, probe = self._session_and_probe(node, "a change", _CHANGE)
        if session is None or probe is None:
            return None
        source, text, was = self._source_named(node.fields["source"]), self._text(node, "text"), self._text(node, "was")
        if source is None or text is None or was is None:
            return None
        if not is_recalled([text], probe):
            self._complain_unanswered(node, probe, "of the text")
        before = replace(probe, answer=was)
        if not is_recalled([self.texts[source]], before):
            self._complain_unanswered(node, before, f"of {source}", "was")
        reading = Reading(text, source, node.fields["ask"].text, probe.answer)
        return _Sought(Look(session, (reading,)), replace(probe, outdated=was))

    def _session_and_probe(self, node: Node, what: str, keys: tuple[str, ...]) -> tuple[int | None, Probe | None]:
        """Return the session and the later probe of a question or change, None for what cannot be read."""
        if not self._has(node, what, keys):
            return None, None
        session, probe = self._session(node, "session"), self._probe(node)
        if session is not None and probe is not None and probe.session and probe.session <= session:
            message = f"probe: session {probe.session} is not after session {session}"
            self._complain(node.key_mark("probe"), message)
        return session, probe

    def _probe(self, node: Node) -> Probe | None:
        """Return the probe of an entry, of session 0 where none is given."""
        ask, subject, answer = (self._text(node, key) for key in ("ask", "subject", "answer"))
        again = self._text(node, "again") if "again" in node.fields else ask
        session = self._session(node, "probe") if "probe" in node.fields else 0
        if ask is None or subject is None or answer is None or again is None or session is None:
            return None
        return Probe(session, again, subject, answer)

    def _reads(self, node: Node) -> list[Node]:
        reads = node.at("reads")
        return (reads.items or [reads]) if "reads" in node.fields else []

    def _source_named(self, node: Node) -> str | None:
        if node.text in self.texts:
            return node.text
        self._complain(node.mark, f'no source "{node.text}" {suggestion(node.text or "", self.texts)}')
        return None

    def _session(self, node: Node, key: str) -> int | None:
        text = node.fields[key].text or ""
        if text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= LAST_SESSION:
            return int(text)
        self._complain(node.key_mark(key), f'{key}: "{text}" is no session (a whole number from 1 to {LAST_SESSION:,})')
        return None

    def _text(self, node: Node, key: str) -> str | None:
        text = node.at(key).text
        if text is not None and text.strip():
            return " ".join(text.split()) if key != "text" else text
        self._complain(node.key_mark(key), f"{key}: a text is needed")
        return None

    def _has(self, node: Node, what: str, keys: tuple[str, ...]) -> bool:
        """Return whether *node* is a mapping with all *keys* but those with a question mark, which it may lack."""
        known, needed = [key.removesuffix("?") for key in keys], [key for key in keys if not key.endswith("?")]
        if not isinstance(node.value, dict):
            self._complain(node.mark, f"{what} must be a mapping (key: value), with {', '.join(needed)}")
            return False
        for key in node.fields:
            if key not in known:
                self._complain(node.key_mark(key), f"{key}: unknown key {suggestion(key, known)}")
        missing = [key for key in needed if key not in node.fields]
        for key in missing:
            self._complain(node.mark, f"{what} lacks {key}")
        return not missing

    def _complain_unanswered(self, node: Node, probe: Probe, where: str, key: str = "answer") -> None:
        both = f'both "{probe.subject}" and "{probe.answer}"'
        self._complain(node.key_mark(key), f"no sentence {where} holds {both}, so that nobody could recall it")

    def _complain(self, mark: Mark, message: str) -> None:
        self.problems.append(mark.problem(message))


def _whole(found: Iterable[_T | None]) -> tuple[_T, ...]:
    return tuple(one for one in found if one is not None)
