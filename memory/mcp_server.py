"""A stream's file as tools of the Model Context Protocol, so that any agent can have a memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult, ToolAnnotations
from typing_extensions import TypedDict  # Python's own cannot be made a schema before 3.12

from memory.errors import InputError, StreamError
from memory.record import Entry, Fell, Memory, Recollection, Reflected
from memory.stream import MemoryStream
from memory.stream_file import StreamFile

INSTRUCTIONS = (
    "A long-term memory that outlives this session. Observe what happens as it happens, one plain sentence each; "
    "retrieve before you plan or decide; trace an insight when you need to know what it rests on."
)
_MOST_FOUND = 100  # memories in one answer: beyond it an agent's context is full of them


@dataclass(frozen=True)
class Doc:
    """What a parameter's schema says of it; beside the type in ``Annotated``."""

    text: str

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        return {**handler(schema), "description": self.text}


class MemoryEntry(TypedDict):
    """A memory, as an agent is told of it."""

    id: int
    kind: str
    text: str
    created: str
    importance: float
    evidence: list[int]
    about: str | None
    episode: str | None


class FoundEntry(MemoryEntry):
    """A memory that was retrieved, and why."""

    score: float
    parts: dict[str, float]


class EvidenceEntry(MemoryEntry):
    """A memory with all that it rests on, directly or not, newest first; the evidence of each says what on what."""

    because: list[MemoryEntry]


class Stored(TypedDict):
    """What became of an observation."""

    memory: MemoryEntry
    importance_since_reflection: float
    insights: list[MemoryEntry]
    """Those of the reflection that it set off, if it did."""
    notes: list[str]
    """What failed and was survived."""


class Recall(TypedDict):
    """What a query found, best first."""

    memories: list[FoundEntry]


class Insights(TypedDict):
    """What a reflection came to."""

    insights: list[MemoryEntry]
    notes: list[str]


class Forgotten(TypedDict):
    """What a deletion took away, as ids."""

    memories: list[int]
    facts: list[int]
    still_resting: list[int]
    """Memories that stay, though they rest on some of it."""


class FactEntry(TypedDict):
    """A fact, as an agent is told of it."""

    id: int
    text: str
    since: str
    evidence: list[int]


class Facts(TypedDict):
    """What is known, best first."""

    facts: list[FactEntry]


class Consolidation(TypedDict):
    """What many memories became."""

    made: list[MemoryEntry]
    notes: list[str]


class Tools:
    """What an agent can do with a stream's file."""

    def __init__(self, file: StreamFile, clock: Callable[[], datetime] | None = None) -> None:
        """Offer *file*.

        Args:
            clock: Tells the time, with a zone; None: the computer's.
        """
        self._file, self._clock = file, clock or (lambda: datetime.now(UTC))

    def observe(
        self,
        text: Annotated[str, Doc("What happened or what was learned: one plain sentence, no raw output.")],
        kind: Annotated[str, Doc("observation, plan, talk, thought, or a kind of your own; idle is rated 1.")] = (
            "observation"
        ),
        importance: Annotated[float | None, Doc("1 (mundane) to 10 (decisive); left out: it is rated.")] = None,
        about: Annotated[str | None, Doc("Who speaks or acts, or what it is about: a person, a file, a test.")] = None,
        episode: Annotated[str | None, Doc("Name of the task or session that it belongs to.")] = None,
        evidence: Annotated[list[int] | None, Doc("Ids of earlier memories that it rests on.")] = None,
    ) -> Stored:
        """Store one memory. It is rated, and once enough important things have happened insights are drawn."""
        if not text.strip():
            raise InputError("the text of the memory is blank (say in one sentence what happened)")
        with self._file.open() as (stream, entries):
            memory = stream.observe(
                text, now=self._now(stream), kind=kind, importance=importance,
                evidence=evidence or (), subject=about, episode=episode,
            )  # fmt: skip
            total = stream.importance_since_reflection
        insights = [_memory_entry(one) for entry in entries if isinstance(entry, Reflected) for one in entry.insights]
        return {
            "memory": _memory_entry(memory),
            "importance_since_reflection": total,
            "insights": insights,
            "notes": _notes(entries),
        }

    def retrieve(
        self,
        query: Annotated[str, Doc("What you want to know or are about to do, in plain words.")],
        k: Annotated[int, Doc(f"How many memories at most, 1 to {_MOST_FOUND}.")] = 5,
        kinds: Annotated[list[str] | None, Doc("Only these kinds, such as reflection; left out: all.")] = None,
        deep: Annotated[bool, Doc("Whether to search what was archived or consolidated, too.")] = False,
    ) -> Recall:
        """Return the memories that matter most for a query, by recency, importance and relevance, best first."""
        if not 1 <= k <= _MOST_FOUND:
            raise InputError(f"k is {k}, but must be from 1 to {_MOST_FOUND}")
        with self._file.open() as (stream, _):
            now = self._now(stream)
            found = stream.retrieve(query, k, now=now, kinds=kinds, deep=deep)
        return {"memories": [_found_entry(one) for one in found]}

    def reflect(self) -> Insights:
        """Draw insights from the recent memories now, each citing what it rests on; they are stored as memories."""
        with self._file.open() as (stream, entries):
            insights = stream.reflect(now=self._now(stream))
        return {"insights": [_memory_entry(one) for one in insights], "notes": _notes(entries)}

    def trace(self, memory_id: Annotated[int, Doc("Id of a memory, of an insight above all.")]) -> EvidenceEntry:
        """Return a memory with all that it rests on, down to the observations."""
        with self._file.open() as (stream, _):
            found, beneath = list[Memory](), [stream.trace(memory_id)]
            seen = {memory_id}
            while beneath:
                tree = beneath.pop()
                found.append(tree.memory)
                fresh = [one for one in tree.because if one.memory.id not in seen]
                seen.update(one.memory.id for one in fresh)
                beneath += fresh
        entries = [_memory_entry(one) for one in sorted(found, key=lambda one: -one.id)]
        return {**entries[0], "because": entries[1:]}

    def forget(
        self,
        memory_ids: Annotated[list[int], Doc("Ids of the memories to delete.")],
        reason: Annotated[str, Doc("Why; it is kept, so quote nothing of them.")],
    ) -> Forgotten:
        """Delete memories for good, with what repeats them or rests on nothing else; this cannot be undone."""
        with self._file.open() as (stream, _):
            receipt = stream.forget(memory_ids, reason=reason, now=self._now(stream))
        return {"memories": list(receipt.memories), "facts": list(receipt.facts), "still_resting": list(receipt.marked)}

    def facts(
        self,
        query: Annotated[str, Doc("What you want to know, or the name of whom or what you ask about.")],
        k: Annotated[int, Doc(f"How many facts at most, 1 to {_MOST_FOUND}.")] = 5,
    ) -> Facts:
        """Return what is known for a fact and holds now, best first."""
        if not 1 <= k <= _MOST_FOUND:
            raise InputError(f"k is {k}, but must be from 1 to {_MOST_FOUND}")
        with self._file.open() as (stream, _):
            found = dict.fromkeys([*stream.facts.find(query, k), *stream.facts.about(query)])
        told = [(fact.id, fact.words(), fact.valid_from, fact.evidence) for fact in [*found][:k]]
        return {
            "facts": [
                {"id": fact_id, "text": words, "since": since.isoformat(timespec="seconds"), "evidence": list(evidence)}
                for fact_id, words, since, evidence in told
            ]
        }

    def consolidate(self) -> Consolidation:
        """Turn many raw memories into paragraphs, older paragraphs into sentences; nothing is lost to a deep search."""
        with self._file.open() as (stream, entries):
            made = stream.consolidate(now=self._now(stream))
        return {"made": [_memory_entry(one) for one in made], "notes": _notes(entries)}

    def _now(self, stream: MemoryStream) -> datetime:
        """Return the time, without a zone where the stream's times have none."""
        now = self._clock()
        is_naive = len(stream) and stream.memory(1).created.tzinfo is None
        return now.astimezone().replace(tzinfo=None) if is_naive else now


class _Server(MCPServer[Any]):
    """The SDK's server; whatever is wrong with a call is told in one sentence."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        for tool in await self.list_tools():
            known = list(tool.input_schema.get("properties", {}))
            unknown = [given for given in arguments if given not in known]
            if tool.name == name and unknown:
                takes = f"it takes {', '.join(known)}" if known else "it takes none"
                raise ToolError(f"{name} has no argument {', '.join(map(repr, unknown))} ({takes})")
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            said = _sentence(error.__cause__)
            if said is None:
                raise
            raise ToolError(said) from error


def server(tools: Tools, name: str = "memory") -> MCPServer[Any]:
    """Return a server that offers *tools*; ``run("stdio")`` serves them."""
    made = _Server(name, instructions=INSTRUCTIONS, log_level="WARNING")
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    adds = ToolAnnotations(destructive_hint=False, open_world_hint=False)
    deletes = ToolAnnotations(destructive_hint=True, open_world_hint=False)
    for tool in (
        tools.observe,
        tools.retrieve,
        tools.reflect,
        tools.trace,
        tools.forget,
        tools.facts,
        tools.consolidate,
    ):
        hints = {"trace": reads, "facts": reads, "forget": deletes}.get(tool.__name__, adds)
        made.add_tool(tool, annotations=hints)
    return made


def _sentence(cause: BaseException | None) -> str | None:
    """Return what went wrong in one sentence; None where we did not foresee it."""
    if isinstance(cause, StreamError):
        return str(cause)
    errors = getattr(cause, "errors", None)  # of the SDK's library for schemas, which has no business here
    if not callable(errors):
        return None
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in errors())


def _memory_entry(memory: Memory) -> MemoryEntry:
    return {
        "id": memory.id,
        "kind": memory.kind,
        "text": memory.text,
        "created": memory.created.isoformat(timespec="seconds"),
        "importance": memory.importance,
        "evidence": list(memory.evidence),
        "about": memory.subject,
        "episode": memory.episode,
    }


def _found_entry(one: Recollection) -> FoundEntry:
    parts = one.terms or {"recency": one.recency, "importance": one.importance, "relevance": one.relevance}
    shown = {name: round(float(part), 3) for name, part in parts.items()}
    return {**_memory_entry(one.memory), "score": round(float(one.score), 4), "parts": shown}


def _notes(entries: Sequence[Entry]) -> list[str]:
    return [f"{entry.prompt}: {entry.reason}" for entry in entries if isinstance(entry, Fell)]
