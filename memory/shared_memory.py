"""Memory that several agents share: what is private, what a team may read, and what all may.

There is one log of what was written.  Each agent reads from a stream of its own, made of what it may read and of
nothing else, so that what others keep for themselves can neither be found nor shift a score.
"""

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from memory import arguments
from memory.config import MemoryConfig
from memory.embedding import Embedder, packaged_embedder
from memory.errors import InputError
from memory.kinds.fact import ALWAYS, Conflict, Fact, Freshness
from memory.kinds.facts import FactBook
from memory.record import Memory, Receipt, Recollection
from memory.stream import MemoryStream

Visibility = Literal["private", "team", "global"]
_VISIBILITIES = ("private", "team", "global")
_LOG = "shared memory"
_SEPARATOR = "\x1f"  # between the parts of an audience; refused in names


@dataclass(frozen=True, slots=True)
class Audience:
    """Who may read something, and where it belongs."""

    namespace: str
    """Of a project, say."""
    visibility: Visibility
    whose: str
    """The owner of what is private, the team, or ``""`` for all."""

    def code(self) -> str:
        """Return it as one word."""
        return _SEPARATOR.join((self.namespace, self.visibility, self.whose))

    @classmethod
    def of(cls, code: str) -> Self:
        """Return what `code` made."""
        namespace, visibility, whose = code.split(_SEPARATOR)
        return cls(namespace, visibility, whose)  # type: ignore[arg-type]


class SharedMemory:
    """What several agents wrote, each for itself, for a team or for all; `agent` is the only way in."""

    def __init__(
        self,
        teams: Mapping[str, Iterable[str]] | None = None,
        *,
        path: str | Path | None = None,
        config: MemoryConfig | None = None,
        embedder: Embedder | Literal["default"] | None = "default",
    ) -> None:
        """Begin with nothing, or with what the file *path* holds.

        Args:
            teams: Members of each team, by its name.  They are not kept in the file.
            path: Where it is kept; made if there is none.  None: nowhere.
            config: How agents search; None: as the file was made, or by the preset ``hybrid``.
            embedder: As for a stream.

        Raises:
            InputError: If a name cannot be one.
            FileError: If the file cannot be used.
        """
        self._teams = {
            _name("a team", team): frozenset(arguments.items("the members of a team", members))
            for team, members in (teams or {}).items()
        }
        self._embedder = packaged_embedder() if embedder == "default" else embedder
        settings: dict[str, Any] = {"embedder": None, "config": config}
        self._log = MemoryStream(_LOG, **settings) if path is None else MemoryStream.open(path, _LOG, **settings)
        self._config = self._log.config
        self._lock = threading.RLock()
        self._agents: dict[str, SharedView] = {}

    def agent(self, name: str) -> "SharedView":
        """Return the memory as the agent *name* sees it; whoever holds this is that agent."""
        with self._lock:
            if name not in self._agents:
                self._agents[name] = SharedView(self, _name("an agent", name))
            return self._agents[name]

    @property
    def conflicts(self) -> list[Conflict]:
        """Facts for a person to look at: two agents are sure, above 0.85 each, of different values in one place."""
        with self._lock:
            return self._log.facts.conflicts

    def settle(self, fact_id: int, *, now: datetime) -> Fact:
        """Decide a conflict: the fact *fact_id* holds, the other does not.

        Raises:
            InputError: If it is part of none.
        """
        with self._lock:
            return self._log.facts.settle(fact_id, now=now)

    def close(self) -> None:
        """Close the file, if there is one."""
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _may_read(self, agent: str, audience: Audience) -> bool:
        if audience.visibility == "global":
            return True
        if audience.visibility == "private":
            return audience.whose == agent
        return agent in self._teams.get(audience.whose, ())

    def _audience(self, agent: str, namespace: str, visibility: Visibility, team: str | None) -> Audience:
        """Return for whom an agent writes.

        Raises:
            InputError: If there is no such visibility, or the agent is not in the team.
        """
        _name("a namespace", namespace)
        if visibility not in _VISIBILITIES:
            raise InputError(
                f"visibility is {arguments.shown(visibility)}, but must be one of {', '.join(_VISIBILITIES)}"
            )
        if visibility != "team":
            if team is not None:
                raise InputError(f"a team ({team!r}) was named for what is {visibility} (leave it out, or say team)")
            return Audience(namespace, visibility, agent if visibility == "private" else "")
        own = [name for name, members in self._teams.items() if agent in members]
        if team is None and len(own) != 1:
            raise InputError(f"{agent!r} is in {len(own)} teams (say which with team=)")
        if team is not None and team not in own:
            raise InputError(f"{agent!r} is not in the team {team!r} (it is in {', '.join(own) or 'none'})")
        return Audience(namespace, visibility, team or own[0])


class SharedView:
    """A shared memory as one agent sees it; made by `SharedMemory.agent`."""

    def __init__(self, shared: SharedMemory, name: str) -> None:
        self.name = name
        self._shared = shared
        self._readers: dict[str | None, _Reader] = {}

    def observe(
        self,
        text: str,
        *,
        now: datetime,
        namespace: str = "common",
        visibility: Visibility = "private",
        team: str | None = None,
        importance: float = 5.0,
        kind: str = "observation",
    ) -> Memory:
        """Write something down, for oneself unless said otherwise, and return it as the log has it.

        Raises:
            InputError: If an argument cannot be used, or the agent is not in the team.
        """
        shared = self._shared
        audience = shared._audience(self.name, namespace, visibility, team)
        with shared._lock:
            return shared._log.observe(
                text, now=now, importance=importance, kind=kind, subject=self.name, episode=audience.code()
            )

    def retrieve(
        self, query: str, k: int | None = None, *, now: datetime, namespace: str | None = None
    ) -> list[Recollection]:
        """Return the *k* best of what this agent may read, best first; ids are those of the log.

        Args:
            namespace: Only what belongs there; None: all.
        """
        with self._shared._lock:
            return self._reader(namespace).retrieve(query, k, now)

    def readable(self, *, namespace: str | None = None) -> list[Memory]:
        """Return all that this agent may read, oldest first."""
        with self._shared._lock:
            return [memory for memory in self._shared._log.memories if self._reads(memory.episode, namespace)]

    def learn(
        self,
        subject: str,
        attribute: str,
        value: str,
        *,
        now: datetime,
        confidence: float = 1.0,
        namespace: str = "common",
        visibility: Visibility = "private",
        team: str | None = None,
        evidence: Sequence[int] = (),
        fresh_while: Freshness = ALWAYS,
    ) -> Fact:
        """Take a fact down; of what was written for the same readers the last write holds, and the others stay.

        Where two agents are both sure of different values, above 0.85, it is a conflict, see `conflicts`.

        Raises:
            InputError: If an argument cannot be used, or the agent is not in the team.
        """
        shared = self._shared
        place = shared._audience(self.name, namespace, visibility, team).code()
        with shared._lock:
            readable = {memory.id for memory in self.readable()}
            hidden = [cited for cited in evidence if cited not in readable]
            if hidden:
                raise InputError(f"evidence {hidden} is nothing that {self.name!r} may read")
            return _bare(
                shared._log.facts.learn(
                    subject, attribute, value, now=now, confidence=confidence, evidence=evidence,
                    author=self.name, place=place, fresh_while=fresh_while,
                )
            )  # fmt: skip

    def forget(self, memory_ids: Iterable[int], *, reason: str, now: datetime) -> Receipt:
        """Delete what this agent wrote, for all who could read it.

        Raises:
            InputError: If it wrote no such memory.
        """
        with self._shared._lock:
            ids = arguments.items("memory_ids", memory_ids)
            own = {memory.id for memory in self.readable() if memory.subject == self.name}
            foreign = [memory_id for memory_id in ids if type(memory_id) is not int or memory_id not in own]
            if foreign:
                raise InputError(f"{self.name!r} wrote no memory {', '.join(map(arguments.shown, foreign))}")
            receipt = self._shared._log.forget(ids, reason=reason, now=now)
            for view in self._shared._agents.values():
                for reader in view._readers.values():
                    reader.forget(receipt)
        return receipt

    def fact(self, subject: str, attribute: str, *, namespace: str | None = None) -> Fact | None:
        """Return the fact that holds, as far as this agent may know: of several the last that was written."""
        found = self.facts(namespace=namespace).values(subject, attribute)
        return max(found, key=lambda fact: (fact.learned, fact.id), default=None)

    def facts(self, *, namespace: str | None = None) -> FactBook:
        """Return a book of all facts that this agent may know, apart from the shared one: for looking up."""
        with self._shared._lock:
            found = [_bare(fact) for fact in self._shared._log.facts.facts if self._reads(fact.place, namespace)]
        return FactBook(found)

    def conflicts(self) -> list[Conflict]:
        """Return the conflicts among the facts that this agent may know."""
        return self.facts().conflicts

    def _reader(self, namespace: str | None) -> "_Reader":
        if namespace not in self._readers:
            self._readers[namespace] = _Reader(self.name, self._shared._config, self._shared._embedder)
        reader = self._readers[namespace]
        fresh = self._shared._log.since(reader.seen)
        reader.extend(fresh, [memory for memory in fresh if self._reads(memory.episode, namespace)])
        return reader

    def _reads(self, code: str | None, namespace: str | None) -> bool:
        """Tell whether this agent may read what has an audience's code."""
        if code is None:
            return False
        audience = Audience.of(code)
        within = namespace is None or audience.namespace == namespace
        return within and self._shared._may_read(self.name, audience)


class _Reader:
    """A stream of what one agent may read."""

    def __init__(self, name: str, config: MemoryConfig, embedder: Embedder | None) -> None:
        self._stream = MemoryStream(name, config=config, embedder=embedder)
        self._ids: list[int] = []
        self._log: dict[int, Memory] = {}
        self.seen = 0
        """Id of the last memory of the log that was looked at."""

    def extend(self, fresh: Sequence[Memory], readable: Sequence[Memory]) -> None:
        self.seen = fresh[-1].id if fresh else self.seen
        for kind, group in groupby(readable, key=lambda memory: memory.kind):
            memories = list(group)
            self._stream.observe_many(
                [memory.text for memory in memories],
                times=[memory.created for memory in memories],
                kind=kind,
                importances=[memory.importance for memory in memories],
                subjects=[memory.subject for memory in memories],
            )
        self._ids += [memory.id for memory in readable]
        self._log.update((memory.id, memory) for memory in readable)

    def forget(self, receipt: Receipt) -> None:
        own = [place for place, log_id in enumerate(self._ids, 1) if log_id in receipt.memories and log_id in self._log]
        if own:
            self._stream.forget(own, reason=receipt.reason, now=receipt.at)
        for log_id in receipt.memories:
            self._log.pop(log_id, None)

    def retrieve(self, query: str, k: int | None, now: datetime) -> list[Recollection]:
        found = self._stream.retrieve(query, k, now=now)
        return [replace(one, memory=self._log[self._ids[one.memory.id - 1]]) for one in found]


def _bare(fact: Fact) -> Fact:
    """Return a fact as it was said, without the place in which it is kept."""
    return replace(fact, place="")


def _name(what: str, name: str) -> str:
    given = arguments.word(f"the name of {what}", name)
    if _SEPARATOR in given:
        raise InputError(f"the name of {what} is {arguments.shown(name)}, but must have no unit separator (U+001F)")
    return given
