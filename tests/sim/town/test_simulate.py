"""A town lives: its log holds together, is the same however it is run, and news spreads by word of mouth only."""

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.errors import RunStopped
from sim.models.request import Reply, Request
from sim.offline import OfflineModel
from sim.times import DAY, HOUR
from sim.town.steps import LONG
from tests.lives import VILLAGE, Line, kinds, live, read_log

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    """The village's two days."""
    return live(VILLAGE, tmp_path_factory.mktemp("village"))


LENIENT = {"mind.max_fallback_rate": "1"}


def holds(text: str) -> bool:
    return "lantern" in text.lower() and "concert" in text.lower()


@pytest.mark.slow
def test_one_scenario_and_seed_give_the_same_bytes_at_any_concurrency(tmp_path: Path) -> None:
    """Two runs, one thought at a time and 32 at once, write byte-identical logs."""
    live(VILLAGE, tmp_path / "one")
    live(VILLAGE, tmp_path / "many", concurrency=32)
    assert (tmp_path / "one/events.jsonl").read_bytes() == (tmp_path / "many/events.jsonl").read_bytes()


@pytest.mark.slow
def test_the_log_does_not_hang_on_hash_seed_locale_or_clock(tmp_path: Path) -> None:
    """Other hash seeds, locales and time zones give the same bytes (faults RN-05, RN-09, TC-16)."""
    (tmp_path / "v.yaml").write_text(VILLAGE, encoding="utf-8")
    logs = []
    for n, extra in enumerate(
        (
            {"PYTHONHASHSEED": "0", "TZ": "UTC"},
            {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"},
        )
    ):
        command = [
            sys.executable,
            "-m",
            "sim.cli.app",
            "run",
            str(tmp_path / "v.yaml"),
            "--out",
            str(tmp_path / f"r{n}"),
        ]
        subprocess.run(command, env=os.environ | extra, cwd=ROOT, check=True, capture_output=True)
        logs.append((tmp_path / f"r{n}/events.jsonl").read_bytes())
    assert logs[0] == logs[1]


@pytest.mark.slow
def test_another_seed_gives_another_life(tmp_path: Path) -> None:
    """The seed shapes the run."""
    first, second = (live(VILLAGE, tmp_path / str(n), overrides={"seed": str(n)}) for n in (1, 2))
    assert kinds(first, "woke") != kinds(second, "woke")


def test_numbers_run_on_and_time_never_goes_back(village: list[Line]) -> None:
    """Lines are numbered without gaps, in order of time, from the start to the end."""
    assert [line["n"] for line in village] == list(range(len(village)))
    assert all(a["t"] <= b["t"] for a, b in pairwise(village))
    assert (village[0]["kind"], village[-1]["kind"]) == ("run_started", "run_ended")
    assert (village[0]["start"], village[-1]["t"]) == ("2031-05-05T06:00:00", DAY + 17 * HOUR + HOUR // 2)


def test_every_source_is_an_earlier_event(village: list[Line]) -> None:
    """What a memory was perceived from stands in the log before it, and evidence is older memories."""
    remembered = kinds(village, "remembered")
    assert any(line["source"] for line in remembered)
    assert any(line["evidence"] for line in remembered)
    for line in remembered:
        assert line["source"] is None or line["source"] < line["n"]
        assert all(e < line["id"] for e in line["evidence"])


def test_the_host_invites_others_remember_tell_and_come(village: list[Line]) -> None:
    """In a town written for this test the news spreads and people come, by talk alone."""
    knowers = {line["who"] for line in kinds(village, "remembered") if holds(line["text"])}
    there = {
        line["who"] for line in kinds(village, "arrived") if line["place"] == "barn" and line["t"] > DAY + 12 * HOUR
    }
    assert knowers == {"Osric Vane", "Tilda Roe", "Bram Holt"}
    assert len(there - {"Osric Vane"}) >= 1
    assert "Osric Vane" in there


def test_whoever_knows_heard_it_said(village: list[Line]) -> None:
    """The first memory of the news is the inner voice, for the host, or an utterance within earshot, for others."""
    first: dict[str, Line] = {}
    for line in kinds(village, "remembered"):
        if holds(line["text"]):
            first.setdefault(line["who"], line)
    assert len(first) > 1
    for who, line in first.items():
        source = village[line["source"]]
        assert holds(source["text"])
        assert source["kind"] == ("thought" if who == "Osric Vane" else "spoke")


def test_without_recall_nobody_learns_of_it(tmp_path: Path) -> None:
    """Where nothing is recalled, the host alone knows: news travels through memory only."""
    log = live(VILLAGE, tmp_path, overrides={"memory.recall": "false"})
    assert {line["who"] for line in kinds(log, "remembered") if holds(line["text"])} == {"Osric Vane"}


def test_without_planning_there_is_no_plan_and_the_appointment_is_forgotten(tmp_path: Path) -> None:
    """The switch is real: no plan is made, no prompt tells of a usual day, and days go by all the same."""
    log = live(VILLAGE, tmp_path, overrides={"mind.planning": "false"})
    assert not kinds(log, "planned", "plan_changed")
    assert "Usual day" not in (tmp_path / "calls.jsonl").read_text(encoding="utf-8")
    assert len({line["place"] for line in kinds(log, "arrived") if line["who"] == "Tilda Roe"}) > 1


def test_nobody_pays_while_all_are_asleep(tmp_path: Path) -> None:
    """No model call is made before the first waking (fault LR-17)."""
    log = live(VILLAGE, tmp_path, overrides={"start": "2031-05-05 00:00"})
    first = min(line["t"] for line in kinds(log, "woke"))
    assert kinds(log, "decided")
    assert all(line["t"] >= first for line in kinds(log, "decided", "remembered"))


def test_day_two_is_planned_with_what_day_one_promised(village: list[Line]) -> None:
    """The guest's plan for the second day holds the hour that was agreed on the first."""
    agreed = [(line["who"], line["n"]) for line in kinds(village, "remembered") if line["text"].startswith("I agreed")]
    second = [line for line in kinds(village, "planned") if line["t"] > DAY // 2]
    plans = [line for line in second if any(who == line["who"] and n < line["n"] for who, n in agreed)]
    assert plans
    for plan in plans:
        assert any(b["place"] == "barn" and b["t"] == DAY + 13 * HOUR for b in plan["blocks"])


@pytest.mark.slow
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 999),
    wakes=st.integers(4, 9),
    sleeps=st.sampled_from(["21:00", "24:00", "01:30"]),
    cap=st.integers(2, 6),
)
def test_nobody_is_in_two_places_and_one_talks_to_one(
    tmp_path: Path, seed: int, wakes: int, sleeps: str, cap: int
) -> None:
    """Over random lives: who leaves was there, who arrives had left, talkers are together and in one talk at a time."""
    text = VILLAGE.replace("wakes: 07:00, sleeps: 22:00", f"wakes: {wakes:02}:00, sleeps: '{sleeps}'")
    log = live(text, tmp_path / f"{seed}-{wakes}-{cap}", overrides={"seed": str(seed), "mind.talk_cap": str(cap)})
    where: dict[str, str | None] = {}
    talking: dict[str, str] = {}
    for line in log:
        who = line.get("who", "")
        if line["kind"] == "placed":
            where[who] = line["place"]
        elif line["kind"] == "left":
            assert where[who] == line["place"]
            where[who] = None
        elif line["kind"] in ("arrived", "turned_back"):
            assert where[who] is None
            where[who] = line["place"]
        elif line["kind"] == "talk_started":
            for one in (who, *line["to"]):
                assert where[one] == line["place"]
                assert talking.setdefault(one, line["talk"]) == line["talk"]
        elif line["kind"] == "talk_ended":
            assert line["turns"] <= cap
            for one in (who, *line["to"]):
                del talking[one]
    assert set(where) == {"Osric Vane", "Tilda Roe", "Bram Holt"}


@pytest.mark.slow
def test_a_week_goes_by(tmp_path: Path) -> None:
    """Every resident wakes and sleeps on each of nine days, across a month's end (fault TC-13)."""
    log = live(VILLAGE, tmp_path, overrides={"start": "2024-02-25 06:00", "until": "2024-03-05 06:00"})
    for kind in ("woke", "slept"):
        assert len(kinds(log, kind)) == 3 * 9


class Dictated:
    """A model whose actions are dictated by name; all else is the offline model's."""

    name = "dictated"

    def __init__(self, **actions: dict[str, object]) -> None:
        self.offline, self.actions = OfflineModel(), actions

    def reply(self, request: Request) -> Reply:
        """Return what is dictated, else the offline answer."""
        action = self.actions.get(request.who.split()[0].lower())
        if request.prompt == "agent_action" and action is not None:
            return Reply(json.dumps(action))
        return self.offline.reply(request)

    def name_for(self, request: Request) -> str:
        """Return the name."""
        return self.name

    def close(self) -> None:
        """Do nothing."""


def test_a_room_for_one_lets_the_next_wait_and_then_in(tmp_path: Path) -> None:
    """The washroom holds one: two who want it at once are never both in it, and the second gets in or turns back."""
    items = "{at: 08:00, place: mead, room: washroom, for: 5m, do: washing}"
    text = VILLAGE.replace("routine: [{at: 09:00,", f"routine: [{items}, {{at: 09:00,").replace(
        "routine: [{at: 15:00, place: well", f"routine: [{items}, {{at: 15:00, place: well"
    )
    log = live(text, tmp_path)
    inside: set[str] = set()
    for line in log:
        if line["kind"] == "arrived" and line.get("room") == "washroom":
            inside.add(line["who"])
        elif line["kind"] == "left" and line.get("room") == "washroom":
            inside.discard(line["who"])
        assert len(inside) <= 1
    got_in = {line["who"] for line in kinds(log, "arrived", "turned_back") if line.get("room") == "washroom"}
    assert got_in == {"Tilda Roe", "Bram Holt"}


def test_who_finds_a_place_closed_turns_back_and_changes_the_plan(tmp_path: Path) -> None:
    """A model that sends somebody to a closed place gets a turned-back event and another plan, not an error."""
    goes = Dictated(bram={"do": "looking for nails", "place": "the forge", "minutes": 30, "reason": "nails"})
    log = live(VILLAGE, tmp_path, model=goes)
    back = kinds(log, "turned_back")
    assert back
    assert all(line["reason"] == "closed" for line in back)
    assert any("closed" in line["text"] for line in kinds(log, "remembered") if line["who"] == "Bram Holt")


def test_an_unknown_place_is_a_counted_fallback(tmp_path: Path) -> None:
    """A model's place that the town does not have keeps the resident where it is, and the log says so (fault LP-18)."""
    log = live(VILLAGE, tmp_path, model=Dictated(bram={"do": "swimming", "place": "the Moon Base"}), overrides=LENIENT)
    fell = kinds(log, "fell_back")
    assert fell
    assert all("Moon Base" in line["reason"] for line in fell)


def test_garbage_for_an_answer_never_reaches_a_memory(tmp_path: Path) -> None:
    """Replies that cannot be read make residents carry on with their plan; no text of them is kept."""

    class Garbage(Dictated):
        def reply(self, request: Request) -> Reply:
            return Reply("ERROR 500 {[{[}") if request.schema is not None else self.offline.reply(request)

    with pytest.raises(RunStopped, match="max_fallback_rate"):
        live(VILLAGE, tmp_path / "stopped", model=Garbage())
    log = live(VILLAGE, tmp_path, model=Garbage(), overrides=LENIENT)
    assert kinds(log, "fell_back")
    assert not [
        line
        for line in kinds(log, "remembered", "spoke", "started")
        if "ERROR" in str(line.get("text", line.get("do")))
    ]
    assert "forge" in {line["place"] for line in kinds(log, "arrived")}


def test_a_fire_makes_people_leave_and_says_why(tmp_path: Path) -> None:
    """A place event changes the plans of those present, with its text as the reason; others carry on."""
    fire = "\n  - {at: 09:20, place: forge, happens: A fire breaks out and the roof of the forge is burning!}\n"
    log = live(VILLAGE.replace("\nmeasures:", fire + "measures:"), tmp_path)
    changed = [line for line in kinds(log, "plan_changed") if "fire breaks out" in line["reason"]]
    assert {line["who"] for line in changed} >= {"Osric Vane", "Tilda Roe"}
    assert {line["who"] for line in changed} <= {
        line["who"] for line in kinds(log, "arrived") if line["place"] == "forge"
    }
    assert {line["who"] for line in kinds(log, "left") if line["t"] == 3 * HOUR + 20 * 60} >= {
        "Osric Vane",
        "Tilda Roe",
    }


def test_an_event_on_the_last_second_is_in_the_log(tmp_path: Path) -> None:
    """What falls on the scenario's end happens; the end comes after it (fault TC-08)."""
    text = VILLAGE.replace(
        "\nmeasures:", "\n  - {at: day 2 23:30, place: barn, happens: The last lantern goes out.}\nmeasures:"
    )
    log = live(text, tmp_path)
    assert [line["kind"] for line in log[-2:]] == ["happened", "run_ended"]


@pytest.mark.slow
def test_an_event_for_the_whole_town_reaches_all_who_are_awake(tmp_path: Path) -> None:
    """A happening without a place is remembered by everyone awake, each from that event."""
    text = VILLAGE.replace("\nmeasures:", "\n  - {at: 12:30, happens: The church bells ring for an hour.}\nmeasures:")
    log = live(text, tmp_path)
    happened = kinds(log, "happened")[0]
    assert {line["who"] for line in kinds(log, "remembered") if line.get("source") == happened["n"]} == {
        "Osric Vane", "Tilda Roe", "Bram Holt",
    }  # fmt: skip


@pytest.mark.slow
def test_a_place_changes_state_and_the_day_is_planned_anew(tmp_path: Path) -> None:
    """Whoever comes to a flooded place remembers that, plans again and stays there no longer."""
    event = "\n  - {at: 09:00, place: well, happens: The spring overflows., state: flooded}\n"
    log = live(VILLAGE.replace("\nmeasures:", event + "measures:"), tmp_path)
    assert kinds(log, "place_changed")[0]["state"] == "flooded"
    sights = [line for line in kinds(log, "remembered") if line["text"].endswith(" is flooded.")]
    assert sights
    who = sights[0]["who"]
    changed = [line for line in kinds(log, "plan_changed") if line["who"] == who and line["t"] >= sights[0]["t"]]
    assert changed
    assert all(block["place"] != "well" for block in changed[-1]["blocks"])


@pytest.mark.slow
def test_things_change_state_and_are_seen(tmp_path: Path) -> None:
    """A thing that an event changes is remembered in that state by who comes by later."""
    event = "\n  - {at: 10:00, place: well, happens: The rope snaps., thing: bucket, state: lost in the well}\n"
    log = live(VILLAGE.replace("\nmeasures:", event + "measures:"), tmp_path)
    assert kinds(log, "thing_changed")[0]["state"] == "lost in the well"
    assert any("bucket" in line["text"] and "lost in the well" in line["text"] for line in kinds(log, "remembered"))


@pytest.mark.slow
def test_names_with_separators_and_in_any_script_come_through(tmp_path: Path) -> None:
    """Odd names of places and people are the same in the log (faults SY-16, PU-01)."""
    text = (
        VILLAGE.replace("name: the Long Barn", "name: 'Café: Nord & A/B'")
        .replace("Bram Holt", "林美")
        .replace("Tilda Roe", "ليلى")
    )
    log = live(text, tmp_path)
    assert log[0]["places"]["barn"]["name"] == "Café: Nord & A/B"
    assert {"林美", "ليلى"} < set(log[0]["people"])
    assert {line["who"] for line in kinds(log, "spoke")} & {"林美", "ليلى"}


def test_quiet_towns_run(tmp_path: Path) -> None:
    """One resident alone, and two who never meet, live quietly to the end (fault SY-18)."""
    one = (
        "name: Alone\nstart: 2031-05-05 06:00\ndays: 1\n"
        "town: {places: [{id: hut, name: the Hut, at: [0, 0]}]}\npeople: [{name: Ada, home: hut}]\n"
    )
    log = live(one, tmp_path / "one")
    assert not kinds(log, "spoke")
    assert log[-1]["kind"] == "run_ended"


@pytest.mark.slow
def test_a_seen_log_can_be_read_back(village: list[Line], tmp_path: Path) -> None:
    """Reading a run gives the events that were written, byte for byte when written again."""
    from sim.log.events import to_line
    from sim.log.run_folder import open_run

    live(VILLAGE, tmp_path)
    again = "".join(to_line(n, event) for n, event in open_run(tmp_path).events())
    assert again == (tmp_path / "events.jsonl").read_text(encoding="utf-8")
    assert read_log(tmp_path) == village


def test_the_day_is_planned_on_three_levels(village: list[Line]) -> None:
    """The day, then its hours and steps when they come; the day's plan is a memory, rated by nobody."""
    asked = {line["prompt"] for line in kinds(village, "decided")}
    assert {"plan_day", "plan_part"} <= asked
    steps = kinds(village, "step")
    assert all(0 < step["until"] - step["t"] <= LONG for step in steps)
    assert any(step["until"] - step["t"] <= HOUR // 4 for step in steps)
    plans = [line for line in kinds(village, "remembered") if line["text"].startswith("My plan for ")]
    assert {line["who"] for line in plans} == {"Osric Vane", "Tilda Roe", "Bram Holt"}
    assert {line["importance"] for line in plans} == {5}


def test_a_plan_of_the_day_alone_has_no_steps(tmp_path: Path) -> None:
    """``true``, which older files have, means that as well."""
    log = live(VILLAGE, tmp_path, overrides={"mind.planning": "true", "until": "2031-05-05 12:00"})
    assert kinds(log, "planned")
    assert not kinds(log, "step")
    assert {line["prompt"] for line in kinds(log, "decided")}.isdisjoint({"plan_part"})


def test_who_somebody_is_is_renewed_each_morning_but_the_first(village: list[Line], tmp_path: Path) -> None:
    """From then on each prompt tells it; ``fixed`` asks for nothing."""
    renewed = [line for line in kinds(village, "decided") if line["prompt"] == "renew_summary"]
    assert {line["who"] for line in renewed} == {"Osric Vane", "Tilda Roe", "Bram Holt"}
    assert all(line["t"] > DAY // 2 for line in renewed)
    live(VILLAGE, tmp_path / "renewed")
    calls = (tmp_path / "renewed" / "calls.jsonl").read_text(encoding="utf-8").splitlines()
    assert any("Lately: " in call for call in calls)
    live(VILLAGE, tmp_path / "fixed", overrides={"mind.summary": "fixed"})
    assert "Lately: " not in (tmp_path / "fixed" / "calls.jsonl").read_text(encoding="utf-8")
