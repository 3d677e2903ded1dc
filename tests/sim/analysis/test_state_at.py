"""The past rebuilt from the log: equal to what the residents had in mind, at the end and on the way."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import MemoryConfig, MemoryStream
from memory.embedding import CachedEmbedder, default_embedder
from sim.analysis.state_at import ReplayState, memory_config, past_of, stream_at
from sim.errors import RunError
from sim.log.events import (
    Arrived,
    Event,
    Left,
    Placed,
    Planned,
    Recalled,
    Reflected,
    Remembered,
    RunStarted,
    Spoke,
    Started,
    TalkEnded,
    TalkStarted,
    from_body,
    to_line,
)
from sim.log.run_folder import Run, open_run
from sim.scenario import loads
from tests.lives import VILLAGE, live

START = datetime(2031, 5, 5, 6)
ANN, BEN = "Ann Ash", "Ben Birch"
REFLECTIVE = VILLAGE + "memory: {reflect_above: 25}\n"


@pytest.fixture(scope="module")
def embedder() -> CachedEmbedder:
    """Return one embedder for all tests: its cache saves most of the time."""
    return default_embedder()


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, dict[str, MemoryStream]]:
    """Let the village live, with reflections, and return its run and the residents' own streams."""
    streams: dict[str, MemoryStream] = {}
    made = MemoryStream.__init__

    def noting(stream: MemoryStream, name: str, **settings: Any) -> None:
        made(stream, name, **settings)
        streams[name] = stream

    folder = tmp_path_factory.mktemp("village")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MemoryStream, "__init__", noting)
        live(REFLECTIVE, folder)
    return Run(folder, {}), streams


def started(**changes: Any) -> RunStarted:
    values: dict[str, Any] = {
        "t": 0, "format": 1, "scenario": "Small town", "start": START.isoformat(), "until": 90_000,
        "people": {ANN: {}, BEN: {}}, "places": {"inn": {"name": "The Inn"}}, "seed": 1, "arm": "full",
        "reflect_above": 150.0,
    }  # fmt: skip
    return RunStarted(**(values | changes))


def learnt(*events: Event, **settings: Any) -> ReplayState:
    replayed = ReplayState(**settings)
    for event in (started(), *events):
        replayed.learn(event)
    return replayed


def remembered(t: int, memory_id: int, text: str = "It rains.", **more: Any) -> Remembered:
    values: dict[str, Any] = {"memory_kind": "observation", "importance": 4.0, "total": 4.0 * memory_id} | more
    return Remembered(t=t, who=ANN, id=memory_id, text=text, **values)


def recalled(t: int, *ids: int, purpose: str = "acting") -> Recalled:
    parts = {"score": 1.0, "recency": 1.0, "importance": 0.0, "relevance": 0.0}
    return Recalled(t=t, who=ANN, query="rain?", purpose=purpose, items=[{"id": i, **parts} for i in ids])


def written(folder: Path, events: Iterable[Event]) -> Run:
    lines = [to_line(n, event) for n, event in enumerate(events)]
    (folder / "events.jsonl").write_text("".join(lines), encoding="utf-8")
    return Run(folder, {})


@pytest.mark.slow
def test_the_end_of_a_run_is_rebuilt_as_the_residents_had_it(lived: tuple[Run, dict[str, MemoryStream]]) -> None:
    """Every memory, with its last access, and the importance total come back from the log alone."""
    run, streams = lived
    assert any(isinstance(event, Reflected) for _, event in run.events())
    for name, stream in streams.items():
        past = past_of(run, name)
        assert list(past.memories) == stream.memories
        assert past.total == stream.importance_since_reflection


def test_a_rebuilt_stream_answers_as_the_resident_did(
    lived: tuple[Run, dict[str, MemoryStream]], embedder: CachedEmbedder
) -> None:
    """Searched with the query of the log's last search, it brings back the same memories with the same scores."""
    run, _ = lived
    events = [event for _, event in run.events()]
    last = max(
        n for n, e in enumerate(events) if isinstance(e, Recalled) and e.purpose == "acting" and "with" in e.query
    )
    search = events[last]
    assert isinstance(search, Recalled)
    replayed = ReplayState()
    for event in events[:last]:
        replayed.learn(event)
    past = replayed.past(search.who)
    found = stream_at(past, MemoryConfig(), embedder).retrieve(
        search.query, now=START + timedelta(seconds=search.t), touch=False
    )
    assert [hit.memory.id for hit in found] == [item["id"] for item in search.items]
    assert [hit.score for hit in found] == pytest.approx([item["score"] for item in search.items], abs=1e-4)


def test_a_hybrid_stream_is_rebuilt_to_the_last_term(tmp_path: Path, embedder: CachedEmbedder) -> None:
    """Who spoke and in which talk stands in the log, so every search brings back the same, for the same reasons."""
    text = VILLAGE + "memory: hybrid\n"
    live(text, tmp_path, overrides={"until": "2031-05-05 16:30"})
    scenario, replayed, compared = loads(text), ReplayState(), 0
    config = MemoryConfig.preset("hybrid", seed=scenario.seed)
    for _, event in Run(tmp_path, {}).events():
        if isinstance(event, Recalled) and event.purpose == "talking" and "relation to" in event.query:
            stream = stream_at(replayed.past(event.who), config, embedder)
            found = stream.retrieve(event.query, now=START + timedelta(seconds=event.t), touch=False)
            told = [(hit.memory.id, {name: round(part, 4) for name, part in hit.terms.items()}) for hit in found]
            assert told == [(item["id"], item["terms"]) for item in event.items]
            compared += any(hit.memory.episode and hit.memory.subject for hit in found)
        replayed.learn(event)
    assert compared


def test_without_terms_the_log_tells_of_none(lived: tuple[Run, dict[str, MemoryStream]]) -> None:
    """The paper's search needs neither speaker nor talk, and its log names neither, nor any terms."""
    lines = lived[0].path.joinpath("events.jsonl").read_text(encoding="utf-8").splitlines()
    memories = [line for line in lines if '"kind": "remembered"' in line]
    assert memories
    assert not [line for line in memories if '"subject":' in line or '"episode":' in line]
    assert not [line for line in lines if '"terms":' in line]


@pytest.mark.slow
@given(cut=st.integers(0, 144_000))
def test_the_past_at_any_instant_is_a_beginning_of_the_end(
    lived: tuple[Run, dict[str, MemoryStream]], cut: int
) -> None:
    """At any second there are the first memories of the later stream, none newer, none accessed later."""
    run, streams = lived
    name, stream = next(iter(streams.items()))
    past = past_of(run, name, cut)
    moment = START + timedelta(seconds=cut)
    final = stream.memories[: len(past.memories)]
    assert [replace(m, last_access=START) for m in past.memories] == [replace(m, last_access=START) for m in final]
    assert all(m.created <= m.last_access <= moment for m in past.memories)
    assert all(was.last_access <= now.last_access for was, now in zip(past.memories, final, strict=True))


def test_a_recollection_refreshes_what_it_returned() -> None:
    """Last access moves to the second of the search, and never back."""
    past = learnt(remembered(60, 1), remembered(60, 2), recalled(300, 1), recalled(200, 1)).past(ANN)
    assert [m.last_access - START for m in past.memories] == [timedelta(seconds=300), timedelta(seconds=60)]


def test_a_reflection_searches_at_the_time_of_what_set_it_off() -> None:
    """What was noticed earlier and remembered later sets a reflection off as of when it was noticed."""
    past = learnt(remembered(500, 1, created=100), recalled(500, 1, purpose="reflecting")).past(ANN)
    assert past.memories[0].last_access == START + timedelta(seconds=100)


def test_a_reflection_that_does_not_touch_leaves_last_access_alone() -> None:
    """With ``reflect_touches: false`` a reflection's searches refresh nothing."""
    past = learnt(remembered(60, 1), recalled(500, 1, purpose="reflecting"), reflecting_touches=False).past(ANN)
    assert past.memories[0].last_access == START + timedelta(seconds=60)


def test_the_total_begins_anew_with_a_reflection() -> None:
    """A reflection takes what it had come to off the total."""
    end = Reflected(t=60, who=ANN, total=8.0, questions=[], insights=[], dropped=0)
    assert learnt(remembered(60, 1), remembered(60, 2), end).past(ANN).total == 0.0


def test_the_situation_tells_place_company_and_doings() -> None:
    """Who is at the same spot is present with what they do; who has left is not."""
    at_inn = [Placed(t=0, who=who, place="inn") for who in (ANN, BEN)]
    replayed = learnt(*at_inn, Started(t=9, who=BEN, do="baking", place="inn", until=99))
    assert [(other.name, other.do) for other in replayed.situation(ANN).present] == [(BEN, "baking")]
    replayed.learn(Left(t=20, who=BEN, place="inn", to="mill", arrives=80))
    assert replayed.situation(ANN).present == ()
    assert (replayed.situation(BEN).place, replayed.situation(BEN).heading) == (None, "mill")
    replayed.learn(Arrived(t=80, who=BEN, place="mill"))
    assert (replayed.situation(BEN).place, replayed.situation(BEN).heading) == ("mill", None)


def test_rooms_part_those_who_are_at_one_place() -> None:
    """Whoever is in another room of the same place is not present."""
    replayed = learnt(Placed(t=0, who=ANN, place="inn"), Placed(t=0, who=BEN, place="inn", room="attic"))
    assert replayed.situation(ANN).present == ()


def test_the_talk_under_way_is_known_until_it_ends() -> None:
    """Both are in the talk, with what was said so far; afterwards neither is."""
    replayed = learnt(
        TalkStarted(t=5, talk="a", who=ANN, to=[BEN], place="inn"),
        Spoke(t=5, talk="a", who=ANN, to=[BEN], place="inn", text="Hello."),
    )
    talk = replayed.situation(BEN).talk
    assert talk is not None
    assert (talk.partners, talk.said) == ((ANN,), ((ANN, "Hello."),))
    replayed.learn(TalkEnded(t=9, talk="a", who=ANN, to=[BEN], place="inn", reason="bye", turns=1))
    assert replayed.situation(ANN).talk is replayed.situation(BEN).talk is None


def test_only_what_is_not_over_is_left_of_the_plan() -> None:
    """Blocks that have ended are left out."""
    blocks = [{"t": 0, "until": 50, "place": "inn", "do": "a"}, {"t": 50, "until": 99, "place": "inn", "do": "b"}]
    replayed = learnt(Planned(t=0, who=ANN, blocks=blocks, reason=""))
    assert [block["do"] for block in replayed.situation(ANN, 60).plan] == ["b"]


def test_a_log_that_still_grows_can_be_read(tmp_path: Path) -> None:
    """A torn last line is passed over; the past is as of what is whole."""
    run = written(tmp_path, [started(), remembered(60, 1), remembered(90, 2)])
    with (tmp_path / "events.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"n": 3, "t": 120, "kind": "remem')
    past = past_of(run, ANN)
    assert (past.t, len(past.memories)) == (90, 2)


@pytest.mark.parametrize("t", [-1, 91])
def test_a_time_outside_the_log_is_an_error_that_names_the_span(tmp_path: Path, t: int) -> None:
    """The message says what the log covers."""
    run = written(tmp_path, [started(), remembered(60, 1), remembered(90, 2)])
    with pytest.raises(RunError, match="outside the run, whose log covers Mon 5 May 06:00 to Mon 5 May 06:01"):
        past_of(run, ANN, t)


def test_a_log_without_a_first_line_is_an_error(tmp_path: Path) -> None:
    """A run that has not written anything yet cannot be looked into."""
    with pytest.raises(RunError, match="does not begin with run_started"):
        past_of(written(tmp_path, []), ANN)


def test_a_missing_memory_is_an_error(tmp_path: Path) -> None:
    """Ids that do not follow each other mean that the log is damaged."""
    with pytest.raises(RunError, match=r"memory 1 of Ann Ash is missing"):
        past_of(written(tmp_path, [started(), remembered(60, 2)]), ANN)


def test_memory_settings_come_from_the_manifest(tmp_path: Path) -> None:
    """The scenario in the manifest says how memory works; without one the paper's settings hold."""
    from sim.scenario import loads

    scenario = loads(VILLAGE + "memory: {preset: ysocial, k: 3}\n")
    assert memory_config({"scenario": scenario.to_json()}).k == 3
    assert memory_config({}) == MemoryConfig()
    with pytest.raises(RunError, match="scenario in the run's manifest cannot be read"):
        memory_config({"scenario": "{}"})


def test_reading_leaves_events_as_they_are(tmp_path: Path) -> None:
    """Looking into a run writes nothing into its folder."""
    written(tmp_path, [started(), remembered(60, 1)])
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    past_of(open_run(tmp_path), ANN)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_memories_can_be_restored_into_an_empty_stream_only(embedder: CachedEmbedder) -> None:
    """`MemoryStream.restore` keeps ids, times and total, and refuses a stream that holds something."""
    replayed = learnt(remembered(60, 1), remembered(60, 2, "Snow falls."), recalled(300, 1))
    stream = stream_at(replayed.past(ANN), MemoryConfig(), embedder)
    assert stream.memories == list(replayed.past(ANN).memories)
    assert stream.importance_since_reflection == 8.0
    with pytest.raises(ValueError, match="empty stream only"):
        stream.restore(stream.memories)


def test_what_was_recalled_often_rests_in_the_rebuilt_stream(embedder: CachedEmbedder) -> None:
    """With ``recall_cap`` the recalls of the log count on."""
    past = learnt(remembered(60, 1), remembered(60, 2), recalled(100, 1), recalled(200, 1)).past(ANN)
    stream = stream_at(past, MemoryConfig(recall_cap=2), embedder)
    found = stream.retrieve("rain", now=START + timedelta(seconds=300), touch=False)
    assert [hit.memory.id for hit in found] == [2]


def test_events_come_back_as_they_were_written() -> None:
    """What these tests write is what the log would hold."""
    event = remembered(60, 1)
    assert from_body({"n": 0, **event.body()}) == event
