"""The story of a run, and what keeps it harmless to the terminal that shows it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.analysis.printable import printable, shorten
from sim.analysis.replay import story
from sim.errors import RunError, TownError
from sim.log.events import (
    Arrived,
    Decided,
    Event,
    FellBack,
    Happened,
    Left,
    Placed,
    PlanChanged,
    Planned,
    Recalled,
    Reflected,
    Remembered,
    RunEnded,
    RunStarted,
    Slept,
    Spoke,
    Started,
    TalkEnded,
    TalkStarted,
    ThingChanged,
    Thought,
    TurnedBack,
    Woke,
    from_body,
    to_line,
)

ANN, BEN, CAI = "Ann Ash", "Ben Birch", "Cai Cedar"


def started(**changes: Any) -> RunStarted:
    places = {"cafe": {"name": "Old Cafe", "at": [0, 0]}, "flat": {"name": "Ann's flat", "at": [9, 9]}}
    values: dict[str, Any] = {
        "t": 0, "format": 1, "scenario": "Small town", "start": "2023-02-13T06:00:00", "until": 172800,
        "people": {ANN: {}, BEN: {}, CAI: {}}, "places": places, "seed": 7, "arm": "full",
        "reflect_above": 150.0,
    }  # fmt: skip
    return RunStarted(**(values | changes))


def told(*events: Event, **choice: Any) -> list[str]:
    return list(story(enumerate([started(), *events]), **choice))


def spoken(t: int, who: str, to: str, text: str, talk: str = "a") -> Spoke:
    return Spoke(t=t, talk=talk, who=who, to=[to], place="cafe", text=text)


def talk_begins(t: int, who: str, to: str, talk: str = "a") -> TalkStarted:
    return TalkStarted(t=t, talk=talk, who=who, to=[to], place="cafe")


def talk_ends(t: int, who: str, to: str, talk: str = "a", **more: Any) -> TalkEnded:
    return TalkEnded(t=t, talk=talk, who=who, to=[to], place="cafe", reason="goodbye", turns=2, **more)


def remembered(t: int, memory_id: int, text: str, who: str = ANN, **more: Any) -> Remembered:
    return Remembered(t=t, who=who, id=memory_id, memory_kind="observation", text=text, importance=4, **more)


EVERY_KIND = [
    (Placed(t=60, who=ANN, place="flat", room="kitchen"), "Ann Ash is at Ann's flat (kitchen)"),
    (
        Left(t=60, who=ANN, place="flat", to="cafe", arrives=240),
        "Ann Ash leaves Ann's flat for Old Cafe (there at 06:04)",
    ),
    (
        Left(t=60, who=ANN, place="flat", to="flat", arrives=65),
        "Ann Ash goes to another room of Ann's flat",
    ),
    (Arrived(t=60, who=ANN, place="cafe"), "Ann Ash arrives at Old Cafe"),
    (TurnedBack(t=60, who=ANN, place="cafe", reason="closed"), "Ann Ash turns back at Old Cafe: closed"),
    (Woke(t=60, who=ANN, place="flat"), "Ann Ash wakes up at Ann's flat"),
    (Slept(t=60, who=ANN, place="flat"), "Ann Ash goes to sleep at Ann's flat"),
    (
        Started(t=60, who=ANN, do="reading", place="cafe", until=3600),
        "Ann Ash begins: reading, at Old Cafe (until 07:00)",
    ),
    (talk_begins(60, ANN, BEN), "Ann Ash begins to talk with Ben Birch at Old Cafe"),
    (spoken(60, ANN, BEN, "Hello."), 'Ann Ash to Ben Birch: "Hello."'),
    (
        talk_ends(60, ANN, BEN, capped=True),
        "The talk of Ann Ash and Ben Birch ends after 2 turns: goodbye (cut off by the cap on its length)",
    ),
    (Happened(t=60, text="It rains."), "In the whole town: It rains."),
    (Happened(t=60, text="A fire.", place="cafe"), "At Old Cafe: A fire."),
    (Thought(t=60, who=ANN, text="A party!"), "Ann Ash thinks: A party!"),
    (
        ThingChanged(t=60, place="cafe", thing="piano", state="broken", who=ANN),
        "At Old Cafe: piano now broken (by Ann Ash)",
    ),
    (
        FellBack(t=60, who=ANN, prompt="agent_action", reason="carried on"),
        "Ann Ash got no usable answer to agent_action: carried on",
    ),
    (RunEnded(t=60, reason="its time is over"), "The run ends: its time is over"),
]


@pytest.mark.parametrize(("event", "line"), EVERY_KIND, ids=[type(event).__name__ for event, _ in EVERY_KIND])
def test_each_kind_is_told_with_time_and_names(event: Event, line: str) -> None:
    """Every kind of event becomes a line with its time, people's names and places' names."""
    assert f"Mon 13 Feb 06:01  {line}" in told(event, Woke(t=90, who=BEN, place="flat"))


@pytest.mark.parametrize("kind", [Planned, PlanChanged])
def test_plan_is_told_block_by_block(kind: type[Planned] | type[PlanChanged]) -> None:
    """A plan's reason stands on its line, and each block below it."""
    blocks = [{"t": 3600, "until": 7200, "place": "cafe", "do": "reading"}]
    line, below = told(kind(t=60, who=ANN, blocks=blocks, reason="it rains"))[-2:]
    assert line.endswith(": it rains")
    assert below.strip() == "07:00 - 08:00  reading, at Old Cafe"


def test_days_have_headings() -> None:
    """A heading names the day whenever it changes."""
    lines = told(Woke(t=3600, who=ANN, place="flat"), Woke(t=90000, who=ANN, place="flat"))
    assert lines[0] == "== Monday 13 February 2023 =="
    assert lines[-3:-1] == ["", "== Tuesday 14 February 2023 =="]


def test_talks_at_the_same_time_are_told_one_after_the_other() -> None:
    """The lines of a talk stay together, although another talk goes on meanwhile."""
    events = [
        talk_begins(10, ANN, BEN, "a"), talk_begins(11, CAI, "Dan", "b"), spoken(20, ANN, BEN, "one", "a"),
        spoken(20, CAI, "Dan", "two", "b"), talk_ends(30, ANN, BEN, "a"), talk_ends(31, CAI, "Dan", "b"),
    ]  # fmt: skip
    lines = told(*events)[2:]
    assert ["Cai" in line for line in lines] == [False] * 3 + [True] * 3


def test_talk_that_a_kill_cut_off_is_told() -> None:
    """What was said in a talk that never ended is not lost."""
    assert '"Hello."' in told(talk_begins(10, ANN, BEN), spoken(20, ANN, BEN, "Hello."))[-1]


def test_bookkeeping_is_left_out_unless_asked_for() -> None:
    """Memories are told for their kind or in full, not otherwise."""
    memory = remembered(5, 1, "It rains.", evidence=[3], source=8, total=4.0)
    line = "Ann Ash remembers #1 (observation, importance 4, because of #3, from event 8, total 4): It rains."
    assert told(memory)[-1] == "no events match what you asked for"
    assert told(memory, kinds=["remembered"])[-1].endswith(line)
    assert told(memory, full=True)[-1].endswith(line)


def test_recalled_memories_are_shown_with_their_text_and_parts() -> None:
    """A recollection names each memory's score, its three parts and its text."""
    item = {"id": 1, "score": 2.5, "recency": 1.0, "importance": 0.5, "relevance": 1.0}
    recalled = Recalled(t=9, who=ANN, query="weather", purpose="agent_action", items=[item])
    lines = told(remembered(5, 1, "It rains."), recalled, kinds=["recalled"])
    assert lines[-2].endswith("Ann Ash recalls 1 memory for agent_action: weather")
    assert lines[-1].strip() == "2.5 (recency 1.0, importance 0.5, relevance 1.0)  #1 It rains."


def test_insights_are_looked_up_even_if_logged_after_the_reflection() -> None:
    """A reflection shows its questions and the texts of its insights, whichever comes first in the log."""
    reflected = Reflected(t=9, who=ANN, total=151, questions=["Why?"], insights=[1], dropped=2)
    for events in (
        [reflected, remembered(9, 1, "I like rain.")],
        [remembered(9, 1, "I like rain."), reflected],
    ):
        lines = told(*events)
        assert lines[-3].endswith("Ann Ash reflects (importance total 151, 2 insights not kept)")
        assert [line.strip() for line in lines[-2:]] == ["asks: Why?", "finds: #1 I like rain."]


def test_decision_is_told_when_asked_for() -> None:
    """A decision shows its prompt, its call and what was decided."""
    decided = Decided(t=9, who=ANN, prompt="agent_action", call="k1", decision={"do": "读书"})
    line = told(decided, kinds=["decided"])[-1]
    assert line.endswith('Ann Ash decides (agent_action, call k1): {"do": "读书"}')


def test_times_bound_the_story_on_both_sides() -> None:
    """Told are the events from the first second to the last, both included."""
    events = [Woke(t=t, who=ANN, place="flat") for t in (60, 120, 180, 240)]
    lines = told(*events, from_s=120, to_s=180)
    assert [line[11:16] for line in lines[1:]] == ["06:02", "06:03"]


def test_who_takes_actors_and_those_spoken_to() -> None:
    """A resident's story holds what they do and what is said to them; the case of a name is all one."""
    events = [spoken(1, ANN, BEN, "one"), spoken(2, BEN, ANN, "two"), spoken(3, CAI, ANN, "three")]
    lines = told(*events, who=["ben birch"], kinds=["spoke"])
    assert [line.split('"')[1] for line in lines[1:]] == ["one", "two"]


def test_who_takes_what_happens_where_they_are() -> None:
    """A happening is told to those at its place, and to all when it is the whole town's."""
    events = [
        Placed(t=0, who=ANN, place="cafe"), Happened(t=5, text="A fire.", place="cafe"),
        Left(t=6, who=ANN, place="cafe", to="flat", arrives=9), Happened(t=7, text="A flood.", place="cafe"),
        Happened(t=8, text="It rains."),
    ]  # fmt: skip
    lines = told(*events, who=[ANN], kinds=["happened"])
    assert [line.split(": ")[1] for line in lines[1:]] == ["A fire.", "It rains."]


def test_unknown_resident_is_refused_with_a_suggestion() -> None:
    """A name that nobody bears is an error that names the nearest."""
    with pytest.raises(TownError, match=r"no resident 'Anne Ash' .*did you mean 'Ann Ash'"):
        told(Woke(t=1, who=ANN, place="flat"), who=["Anne Ash"])
    with pytest.raises(TownError, match=r"there is: Ann Ash, Ben Birch, Cai Cedar"):
        told(who=["Zoltan"])


def test_unknown_kind_is_refused_with_a_suggestion() -> None:
    """A kind that neither this version nor the log knows is an error that names the nearest."""
    with pytest.raises(TownError, match=r"no events of kind 'spok' .*did you mean 'spoke'"):
        told(Woke(t=1, who=ANN, place="flat"), kinds=["spok"], to_s=0)


def test_rp06_unknown_event_is_shown_raw_and_can_be_asked_for() -> None:
    """RP-06: an event of another version is shown as it stands, and its kind and people can be asked for."""
    strange = from_body({"n": 1, "t": 60, "kind": "weather2", "who": ANN, "sky": "grey"})
    for choice in ({}, {"kinds": ["weather2"]}, {"who": [ANN]}):
        line = told(strange, **choice)[-1]
        assert line.startswith("Mon 13 Feb 06:01  weather2 (not as this version knows it)")
        assert '"sky": "grey"' in line


def test_rp06_field_of_another_shape_is_shown_raw() -> None:
    """RP-06: an event whose fields are not what the manual says is shown as it stands."""
    odd = Planned(t=60, who=ANN, blocks=[{"t": "noon"}], reason="")
    assert '"t": "noon"' in told(odd)[-1]


@pytest.mark.parametrize("events", [[], [(0, started())], [(0, started()), (1, RunEnded(t=0, reason="killed"))]])
def test_rp08_empty_log_says_no_events(events: list[tuple[int, Event]]) -> None:
    """RP-08: an empty log, and one with nothing but its first and last line, say "no events"."""
    assert list(story(events))[-1] == "no events"


def test_log_without_a_beginning_is_told_by_seconds() -> None:
    """Without the first line there are no dates, but still a story."""
    assert list(story([(5, Woke(t=60, who=ANN, place="flat"))])) == ["second 60         Ann Ash wakes up at flat"]


def test_impossible_start_is_a_clear_error() -> None:
    """A first line whose start is no time is refused in one sentence."""
    with pytest.raises(RunError, match=r"gives 'soon' as its start"):
        list(story([(0, started(start="soon"))]))


def test_se11_terminal_escapes_are_shown_escaped() -> None:
    """SE-11: control sequences, line breaks and marks that turn the direction are shown, not obeyed."""
    line = told(spoken(1, "Eve\x1b[2J", BEN, "\x1b]0;x\x07 a\nb \u202e c \x9b1m"))[-1]
    assert r'Eve\x1b[2J to Ben Birch: "\x1b]0;x\x07 a\nb \u202e c \x9b1m"' in line
    assert line.isprintable()


@given(st.text(st.characters(exclude_categories=()), max_size=30))
def test_printable_text_is_one_line_that_steers_nothing(text: str) -> None:
    """Whatever the text, what is shown has no line break, no control character and no lone surrogate."""
    shown = printable(text)
    assert len(shown.splitlines()) <= 1
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in shown)
    assert printable(shown) == shown


@pytest.mark.parametrize("text", ["林美", "ليلى", "می‌خواهم", "👩‍🚀", "Zoë"])
def test_every_script_stays_as_it_is(text: str) -> None:
    """Letters, accents, joiners and emoji are not escaped."""
    assert printable(text) == text


def test_long_text_is_cut_with_its_length_unless_in_full() -> None:
    """A text of megabytes is cut visibly on the console, and whole when asked for."""
    events = [spoken(1, ANN, BEN, "x" * 3_000_000)]
    assert "[cut: 3,000,000 characters in all, sha256 " in told(*events)[-1]
    assert len(told(*events, full=True)[-1]) > 3_000_000
    assert shorten("x" * 2000) == "x" * 2000


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "shown"), [("cp1252", r"\u6797 é"), ("ascii", r"\u6797 \xe9"), ("utf-8", "林 é")])
def test_pk03_console_degrades_with_escapes(encoding: str, shown: str, tmp_path: Path) -> None:
    """PK-03: `town replay` writes what the console's code page lacks as an escape; nothing crashes."""
    events = [started(), spoken(1, ANN, BEN, "林 é")]
    log = "".join(to_line(n, event) for n, event in enumerate(events))
    (tmp_path / "events.jsonl").write_text(log, encoding="utf-8")
    environment = os.environ | {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-c", "from sim.cli.app import main; main()", "replay", str(tmp_path)]
    done = subprocess.run(command, env=environment, cwd=Path(__file__).parents[3], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f'Ann Ash to Ben Birch: "{shown}"' in done.stdout.decode(encoding)
