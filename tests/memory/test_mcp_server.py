"""A stream's file as MCP tools, asked by the SDK's own client: in this process, and over a pipe as agents do."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp import Client, StdioServerParameters

from memory import Memory, MemoryConfig, MemoryStream
from memory.cli import serve
from memory.errors import FileError, FileInUse, InputError, SettingError
from memory.mcp_server import Tools, server
from memory.stream_file import StreamFile

ROOT = Path(__file__).resolve().parents[2]
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
SERVE = (sys.executable, "-m", "memory.cli", "serve")
Session = Callable[[Client], Awaitable[Any]]


class Rules:
    """Rates by the number of words, asks one question, and infers one insight from the first two statements."""

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        if prompt_name == "importance_rating":
            return str(min(10, len(variables["observation"].split())))
        if prompt_name == "reflection_questions":
            return "1. What keeps failing?"
        return "1. The parser is fragile (because of 1, 2)"


class Broken:
    """A model that fails."""

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        raise ConnectionError("no route to the model")


def kept(path: Path, model: Any = None, **settings: Any) -> StreamFile:
    model = model or Rules()
    config = MemoryConfig(**settings)
    return StreamFile(path, rater=model, reflector=model, embedder=None, config=config)


def session(file: StreamFile, talk: Session) -> Any:
    """Return what *talk* returns when it speaks to a server of *file* in this process."""

    async def held() -> Any:
        async with Client(server(Tools(file, clock=lambda: START))) as client:
            return await talk(client)

    return asyncio.run(held())


async def told(client: Client, tool: str, **arguments: Any) -> Any:
    """Return the structured answer of a call that must succeed."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def complaint(client: Client, tool: str, **arguments: Any) -> str:
    """Return what a call that must fail is told."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(getattr(result.content[0], "text", ""))


def test_tools_have_typed_schemas_and_say_what_they_do(tmp_path: Path) -> None:
    """Each tool, each of its arguments and its answer are described, so that an agent needs no manual."""

    async def talk(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == ["observe", "retrieve", "reflect", "trace", "forget", "facts", "consolidate"]
        for tool in tools.values():
            assert tool.description
            assert tool.output_schema
            assert all(argument["description"] for argument in tool.input_schema["properties"].values())
        assert tools["observe"].input_schema["required"] == ["text"]

    session(kept(tmp_path / "notes.sqlite"), talk)


def test_what_was_observed_is_retrieved(tmp_path: Path) -> None:
    """An observation is rated and stored; a query finds it, with its score and the parts of it."""

    async def talk(client: Client) -> None:
        stored = await told(client, "observe", text="The parser drops empty lines", about="parser.py", episode="fix 12")
        assert (stored["memory"]["id"], stored["memory"]["importance"]) == (1, 5)
        await told(client, "observe", text="Lunch was good", importance=2)
        found = (await told(client, "retrieve", query="what does the parser do?", k=1))["memories"]
        assert [one["text"] for one in found] == ["The parser drops empty lines"]
        assert (found[0]["about"], found[0]["episode"]) == ("parser.py", "fix 12")
        assert set(found[0]["parts"]) == {"recency", "importance", "relevance"}

    session(kept(tmp_path / "notes.sqlite"), talk)


def test_an_insight_is_told_and_traced_to_what_it_rests_on(tmp_path: Path) -> None:
    """The observation that sets a reflection off says which insights it led to; each traces to its evidence."""

    async def talk(client: Client) -> None:
        await told(client, "observe", text="The parser fails on an empty file", importance=8)
        stored = await told(client, "observe", text="The parser fails on a comment", importance=8)
        assert stored["importance_since_reflection"] == 0
        tree = await told(client, "trace", memory_id=stored["insights"][0]["id"])
        assert tree["text"] == "The parser is fragile"
        assert sorted(one["id"] for one in tree["because"]) == [1, 2]
        assert (await told(client, "retrieve", query="parser", kinds=["reflection"]))["memories"][0]["id"] == 3

    session(kept(tmp_path / "notes.sqlite", reflect_above=10), talk)


def test_reflect_draws_insights_at_once(tmp_path: Path) -> None:
    """An agent that is about to end may ask for insights whatever the total."""

    async def talk(client: Client) -> None:
        await told(client, "observe", text="The build is red")
        await told(client, "observe", text="The linker is missing")
        assert [one["kind"] for one in (await told(client, "reflect"))["insights"]] == ["reflection"]

    session(kept(tmp_path / "notes.sqlite"), talk)


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("observe", {"text": " "}, "is blank"),
        ("observe", {"text": "x", "importance": 50}, "importance is 50.0, but must be a number from 1 to 10"),
        ("observe", {"text": "x", "evidence": [7]}, "there is no memory 7"),
        ("observe", {}, "text: Field required"),
        ("retrieve", {"query": "x", "k": 0}, "k is 0, but must be from 1 to 100"),
        ("retrieve", {"query": "x", "k": "many"}, "k: Input should be a valid integer"),
        ("retrieve", {"query": "x", "kind": "plan"}, "has no argument 'kind' (it takes query, k, kinds, deep)"),
        ("trace", {"memory_id": 99}, "there is no memory 99"),
        ("erase", {}, "Unknown tool: erase"),
    ],
    ids=["blank", "importance", "evidence", "missing", "k", "type", "argument", "id", "tool"],
)
def test_a_wrong_call_is_told_in_one_sentence(tool: str, arguments: dict[str, Any], words: str, tmp_path: Path) -> None:
    """What was wrong is said with the value at fault, in one line, and nothing is stored."""

    async def talk(client: Client) -> str:
        return await complaint(client, tool, **arguments)

    file = kept(tmp_path / "notes.sqlite")
    said = session(file, talk)
    assert words in said
    assert "\n" not in said
    with file.open() as (stream, _):
        assert len(stream) == 0


def test_a_failing_model_is_told_and_loses_nothing(tmp_path: Path) -> None:
    """Where the rater fails the observation is kept all the same, and the answer says what failed."""

    async def talk(client: Client) -> None:
        stored = await told(client, "observe", text="The disk is full")
        assert stored["memory"]["importance"] == 5
        assert "no route to the model" in stored["notes"][0]

    session(kept(tmp_path / "notes.sqlite", Broken()), talk)


def test_a_stream_without_zones_is_served_as_it_is(tmp_path: Path) -> None:
    """A file whose times have no zone goes on without: the server does not insist on its own."""
    file = kept(tmp_path / "notes.sqlite")
    with file.open() as (stream, _):
        stream.observe("It rains", now=datetime(2026, 3, 1), importance=3)

    async def talk(client: Client) -> str:
        return str((await told(client, "observe", text="The sun shines"))["memory"]["created"])

    assert datetime.fromisoformat(session(file, talk)).tzinfo is None


def test_a_file_that_stays_in_use_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever keeps the file open for too long is waited for in vain, and the error says so."""
    monkeypatch.setattr("memory.storage.store._BUSY_SECONDS", 0.0)
    one, other = (StreamFile(tmp_path / "notes.sqlite", "A", embedder=None, patience_s=0.1) for _ in range(2))
    with one.open(), pytest.raises(FileInUse, match="is open elsewhere"), other.open():
        pass


def test_what_was_read_is_kept_until_another_program_was_there(tmp_path: Path) -> None:
    """The stream is read once, and anew only after another opened the file: even if that one stored nothing."""
    one, other = kept(tmp_path / "notes.sqlite"), kept(tmp_path / "notes.sqlite")
    with one.open() as (first, _):
        first.observe("It rains", now=START, importance=3)
    with one.open() as (second, _):
        assert second is first
    with other.open():
        pass
    with one.open() as (third, _):
        assert third is not first
        assert third.memories == first.memories


def test_a_released_stream_says_so_until_it_is_resumed(tmp_path: Path) -> None:
    """Between release and resume the file is others' to use, and nothing is stored beside it."""
    with MemoryStream.open(tmp_path / "notes.sqlite", "A", embedder=None) as stream:
        stream.release()
        with pytest.raises(FileError, match="is closed"):
            stream.observe("It rains", now=START, importance=3)
        assert (len(stream), stream.resume()) == (0, True)
        assert stream.observe("It rains", now=START, importance=3).id == 1


def test_a_file_that_was_taken_away_is_begun_anew(tmp_path: Path) -> None:
    """Nothing of a file that was deleted lives on in the server."""
    path = tmp_path / "notes.sqlite"
    file = kept(path)
    with file.open() as (stream, _):
        stream.observe("It rains", now=START, importance=3)
    path.unlink()
    with file.open() as (stream, _):
        assert len(stream) == 0


def test_two_servers_share_one_file(tmp_path: Path) -> None:
    """Two servers that store at the same time take turns: no memory is lost, and each finds the other's."""
    files = [kept(tmp_path / "notes.sqlite") for _ in range(2)]

    async def held() -> None:
        clients = [Client(server(Tools(file, clock=lambda: START + timedelta(hours=1)))) for file in files]
        async with clients[0] as one, clients[1] as other:
            calls = [told(client, "observe", text=f"Fact {i}") for i in range(6) for client in (one, other)]
            ids = [answer["memory"]["id"] for answer in await asyncio.gather(*calls)]
            assert sorted(ids) == list(range(1, 13))
            for client in (one, other):
                assert len((await told(client, "retrieve", query="facts", k=50))["memories"]) == 12

    asyncio.run(held())


@pytest.mark.slow
def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    """A real client talks to a real server over a pipe; after kill -9 all that was answered is in the file."""
    notes, written = tmp_path / "notes.sqlite", tmp_path / "pid"
    tells_its_id = ["-c", 'echo $$ > "$0" && exec "$@"', str(written), *SERVE, str(notes), "--name", "Ada"]

    async def held() -> list[str]:
        async with Client(StdioServerParameters(command="sh", args=tells_its_id, cwd=ROOT)) as client:
            stored = [await told(client, "observe", text=f"The server of shop {i} is down") for i in range(3)]
            os.kill(int(written.read_text()), signal.SIGKILL)
        return [one["memory"]["text"] for one in stored]

    acknowledged = asyncio.run(held())
    with MemoryStream.open(notes) as stream:
        assert stream.name == "Ada"
        assert [memory.text for memory in stream.memories if memory.kind == "observation"] == acknowledged


def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    """A folder, preset or model that does not exist is told before anything is served, and no file is made."""
    notes = tmp_path / "notes.sqlite"
    with pytest.raises(FileError, match="there is no folder"):
        serve(tmp_path / "nowhere" / "notes.sqlite")
    with pytest.raises(SettingError, match="preset is 'pape'"):
        serve(notes, preset="pape")
    with pytest.raises(InputError, match=r"there is no file 'no\.gguf'"):
        serve(notes, model="no.gguf")
    assert not notes.exists()


def test_a_long_chain_of_evidence_is_traced(tmp_path: Path) -> None:
    """Five thousand memories, each resting on the one before, come as a list, in one answer."""
    file = kept(tmp_path / "notes.sqlite")
    with file.open() as (stream, _):
        now = datetime(2023, 2, 13, 8)
        own = [Memory(1, "observation", "Step 1", now, now, 5)]
        own += [Memory(i, "thought", f"Step {i}", now, now, 5, evidence=(i - 1,)) for i in range(2, 5001)]
        stream.restore(own)
        assert stream.trace(5000).because[0].memory.id == 4999

    async def talk(client: Client) -> None:
        found = await told(client, "trace", memory_id=5000)
        assert [one["id"] for one in found["because"]] == list(range(4999, 0, -1))
        assert found["because"][0]["evidence"] == [4998]

    session(file, talk)


def test_an_agent_can_look_up_facts_consolidate_search_deep_and_forget(tmp_path: Path) -> None:
    """What was consolidated is found by a deep search; what is forgotten is gone, with the facts that rest on it."""
    file = kept(tmp_path / "notes.sqlite")
    with file.open() as (stream, _):
        for number in range(12):
            stream.observe(f"The oven number {number} is hot.", now=datetime(2023, 2, 13, 8), importance=3)
        stream.facts.learn("oven", "belongs to", "Ann", now=datetime(2023, 2, 13, 9), evidence=[1])

    async def talk(client: Client) -> None:
        (fact,) = (await told(client, "facts", query="Whose is the oven?"))["facts"]
        assert (fact["text"], fact["evidence"]) == ("oven belongs to Ann", [1])
        (paragraph,) = (await told(client, "consolidate"))["made"]
        assert paragraph["kind"] == "paragraph"
        found = (await told(client, "retrieve", query="oven number 7", deep=True, k=20))["memories"]
        assert 8 in [one["id"] for one in found]
        gone = await told(client, "forget", memory_ids=[1], reason="asked")
        assert (1 in gone["memories"], gone["facts"]) == (True, [1])
        assert (await told(client, "facts", query="oven"))["facts"] == []

    session(file, talk)
