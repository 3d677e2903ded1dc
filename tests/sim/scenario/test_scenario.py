"""Scenarios: read strictly, checked whole, resolved to plain values."""

import json
import random
import re
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.config import MemoryConfig
from sim.errors import Problem, ScenarioError
from sim.scenario import MemorySettings, Person, Scenario, json_schema, load, loads
from sim.scenario import sources as scenario_sources
from sim.times import DAY, HOUR, at, label

TOWN = """\
name: Two friends
start: 2023-02-13 06:00
until: day 2 24:00
town:
  places:
    - id: cafe
      name: "Café: Nord"
      at: [420, 310]
      open: 08:00-20:00
      things: [counter, {name: oven, state: off}]
    - {id: flat, at: [100, 80], rooms: [kitchen, {name: bath, capacity: 1}]}
people:
  - name: Ann Lee
    home: flat
    work: cafe
    routine: [{at: 09:00, place: cafe, for: 3h, do: baking}]
    knows: {Bo Ek: a friend}
    memories: [I like Bo., {text: My rent is due., importance: 6}]
  - {name: Bo Ek, home: flat}
events:
  - {at: day 1 08:00, who: Ann Lee, thinks: I will sing on 14 February at 17:00.}
  - {at: day 2 12:00, place: cafe, happens: The oven smokes., thing: oven, state: on fire}
measures:
  knows: {song: {ask: "Did you hear of a song?", words: [[sing, february], song]}}
  attends: {song: {place: cafe, from: day 2 17:00, to: day 2 19:00}}
  network: true
arms:
  no-reflection: {memory: {reflection: false}}
  no-memory: {memory: {recall: false, reflection: false}, mind: {planning: false}}
"""


def changed(old: str, new: str) -> str:
    """Return the town with one piece of its text replaced."""
    assert old in TOWN
    return TOWN.replace(old, new)


def complaint(text: str, **options: object) -> str:
    """Return all that is said of a scenario that must be refused."""
    with pytest.raises(ScenarioError) as caught:
        loads(text, "town.yaml", **options)  # type: ignore[arg-type]
    return str(caught.value)


def person(**written: object) -> Person:
    """Return a person read from text values."""
    return Person.model_validate({"name": "Ann Lee", "home": "flat", **written})


# --- what is read


def test_everything_is_resolved_to_plain_values() -> None:
    """Times become seconds, shorthands become values, references stay ids."""
    town = loads(TOWN)
    cafe, flat = town.town.places
    ann = town.people[0]
    assert (town.start, town.until) == (datetime(2023, 2, 13, 6), DAY * 2 - 6 * HOUR)
    assert (cafe.open, cafe.things[1].state, flat.name, flat.rooms[1].capacity) == (
        (8 * HOUR, 20 * HOUR),
        "off",
        "flat",
        1,
    )
    assert (ann.routine[0].at, ann.routine[0].lasts, ann.memories[1].importance) == (9 * HOUR, 3 * HOUR, 6)
    assert [event.at for event in town.events] == [2 * HOUR, 30 * HOUR]
    assert town.measures.knows["song"].words == (("sing", "february"), ("song",))
    assert (town.measures.attends["song"].end - town.measures.attends["song"].start) == 2 * HOUR


@pytest.mark.parametrize(
    ("written", "seconds"), [("07:30", 27000), ("9:00", 32400), ("17:00", 61200), ("17:00:05", 61205)]
)
def test_times_of_day_are_as_written(written: str, seconds: int) -> None:
    """SY-01: unquoted times are times, with and without seconds."""
    assert loads(changed("at: 09:00", f"at: {written}")).people[0].routine[0].at == seconds


@pytest.mark.parametrize(
    ("wakes", "sleeps", "bedtime"),
    [
        ("09:00", "01:00", 25 * HOUR),
        ("07:00", "00:00", DAY),
        ("07:00", "24:00", DAY),
        ("16:00", "08:00", 32 * HOUR),
    ],
)
def test_bedtime_after_midnight_belongs_to_the_evening(wakes: str, sleeps: str, bedtime: int) -> None:
    """TC-03: who wakes at 9 and sleeps at 1 is awake from 9 to 1."""
    assert person(wakes=wakes, sleeps=sleeps).sleeps == bedtime


def test_sleeping_when_one_wakes_is_refused() -> None:
    """TC-03: equal times are a mistake."""
    assert "people[1].sleeps: sleeps and wakes name the same time" in complaint(
        changed("{name: Bo Ek, home: flat}", "{name: Bo Ek, home: flat, wakes: 9:00, sleeps: 09:00}")
    )


@pytest.mark.parametrize(
    ("hours", "resolved"),
    [("18:00-24:00", (64800, 86400)), ("18:00-02:00", (64800, 93600)), ("0:00 - 24:00", (0, DAY))],
)
def test_opening_hours_may_end_at_or_after_midnight(hours: str, resolved: tuple[int, int]) -> None:
    """TC-05: closing at 24:00 is the end of the day, never its beginning."""
    assert loads(changed("08:00-20:00", hours)).town.places[0].open == resolved


def test_an_open_without_a_close_says_how_to_write_it() -> None:
    """TC-05: open and close as two keys give one clear error each."""
    said = complaint(changed("open: 08:00-20:00", "open: 18:00\n      close: 24:00"))
    assert '"18:00" are no opening hours (write them as 08:00-20:00)' in said
    assert 'close: unknown key (did you mean "open"?)' in said


def test_days_end_after_so_many_times_24_hours() -> None:
    """TC-08: days: 2 ends 48 hours after the start; an event at that second is within the run."""
    town = loads(changed("until: day 2 24:00", "days: 2").replace("day 2 12:00", "day 3 06:00"))
    assert town.until == 2 * DAY == town.events[1].at
    assert not any("after the end" in str(note) for note in town.notes)


def test_an_event_after_the_end_is_noted() -> None:
    """TC-08: what will never happen is said."""
    assert "lies after the end" in str(loads(changed("day 2 24:00", "day 1 20:00")).notes[0])


@pytest.mark.parametrize(
    "written", ["2024-06-01", "2024-06-01 00:00", "2024-06-01 00:00:00", "20240601T0000", "2024-06-01 0:00"]
)
def test_the_forms_of_a_date_start_alike(written: str) -> None:
    """SY-05, TC-17: a date with and without its time, compact or with one digit, is the same start."""
    assert loads(changed("2023-02-13 06:00", written).replace("day 2 24:00", "day 9 10:00")).start == datetime(
        2024, 6, 1
    )


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("2024-02-30", "there is no day 2024-02-30 in the calendar"),
        ("09:30", "is no date with a time (write it as 2023-02-13 06:00)"),
        ("2024-06-01T08:00Z", "names the time zone 'Z'"),
        ("2024-06-01 08:00+02:00", "one local time only (leave the zone out)"),
    ],
)
def test_a_start_that_is_none_is_one_line(written: str, said: str) -> None:
    """SY-05, TC-10, TC-11, TC-17: file, line and what to write; zones are refused everywhere."""
    complained = complaint(changed("2023-02-13 06:00", written))
    assert complained.startswith("town.yaml:2: start: ")
    assert said in complained


def test_an_event_in_another_zone_is_refused() -> None:
    """TC-10: start without and event with a zone is a load error that names the field."""
    assert "events[0].at: '2023-02-13T08:00Z' names the time zone" in complaint(
        changed("day 1 08:00", "2023-02-13T08:00Z")
    )


@pytest.mark.parametrize("night", ["2024-03-30 22:00", "2024-10-26 22:00"])
def test_nights_of_clock_changes_have_24_hours(night: str) -> None:
    """TC-09, PK-04: ten hours after 22:00 it is 8:00, with no zone database in play."""
    town = loads(
        changed("2023-02-13 06:00", night)
        .replace("until: day 2 24:00", "days: 3")
        .replace("day 1 08:00", "day 2 08:00")
    )
    assert at(town.start, town.events[0].at).hour == 8
    assert town.events[0].at == 10 * HOUR


@pytest.mark.parametrize(
    ("start", "last"), [("2024-02-28", "Fri 1 Mar"), ("2023-12-30", "Mon 1 Jan"), ("2023-02-27", "Wed 1 Mar")]
)
def test_runs_cross_months_leap_days_and_years(start: str, last: str) -> None:
    """TC-13: the third day has the right name and date."""
    town = loads(changed("2023-02-13 06:00", start).replace("day 2 24:00", "day 3 23:00"))
    assert label(town.start, town.until) == f"{last} 23:00"


def test_a_routine_lasts_until_its_next_item() -> None:
    """Without a length an item lasts until the next one on that day, the last an hour; nights come last."""
    items = [
        {"at": "01:00", "place": "flat", "do": "reading"},
        {"at": "18:00", "until": "20:30", "place": "cafe", "do": "eating"},
        {"at": "10:00", "place": "cafe", "do": "working", "days": "weekdays"},
        {"at": "12:00", "place": "flat", "do": "resting", "days": ["sat", "sun"]},
    ]
    routine = person(wakes="09:00", sleeps="02:00", routine=items).routine
    assert [(item.do, item.lasts / HOUR) for item in routine] == [
        ("working", 8), ("resting", 6), ("eating", 2.5), ("reading", 1),
    ]  # fmt: skip
    assert routine[0].days == (0, 1, 2, 3, 4)


def test_a_thought_of_several_people_becomes_one_each() -> None:
    """who may be a list."""
    town = loads(changed("who: Ann Lee, thinks", "who: [Ann Lee, Bo Ek], thinks"))
    assert [event.who for event in town.events] == ["Ann Lee", "Bo Ek", None]


def test_people_may_be_known_as_a_list() -> None:
    """A list of names means that they are known, and no more."""
    assert loads(changed("knows: {Bo Ek: a friend}", "knows: [Bo Ek]")).people[0].knows == {"Bo Ek": ""}


def test_blank_items_are_left_out() -> None:
    """SY-14: "a; ; b;" are two memories, and blank items of a list are none."""
    assert [m.text for m in person(memories="a; ; b;").memories] == ["a", "b"]
    town = loads(changed("[I like Bo.,", "[I like Bo., '', ~,"))
    assert len(town.people[0].memories) == 2
    assert "blank item of memories" in str(town.notes[0])


# --- names


def test_names_with_separators_stay_as_they_are() -> None:
    """SY-16: colons, slashes, ampersands and apostrophes are part of a name; round trips keep them."""
    names = ["Café: Nord", "A/B house", "Tom & Jane's"]
    for name in names:
        town = loads(changed('"Café: Nord"', json.dumps(name)))
        assert Scenario.from_json(town.to_json()).town.places[0].name == name


def test_spaces_around_names_are_taken_out_with_a_note() -> None:
    """SY-16: " Home " is Home, wherever it is named, and a note says so."""
    town = loads(changed("id: flat", 'id: " Home "').replace("home: flat", "home: Home"))
    assert town.town.places[1].id == "Home"
    assert str(town.notes[0]) == 'scenario.yaml:11: spaces around or a line break in "Home" were taken out'


def test_control_characters_in_names_are_refused() -> None:
    """A bell or a right-to-left override in a name is a mistake; a line break becomes a space."""
    assert "control character U+0007" in complaint(changed("name: Bo Ek", r'name: "Bo\x07 Ek"'))
    assert "control character U+202E" in complaint(changed("name: Bo Ek", r'name: "Bo\u202e Ek"'))
    assert loads(changed("name: Bo Ek", r'name: "Bo\n Ek"')).people[1].name == "Bo Ek"


def test_names_of_any_script_are_read(tmp_path: Path) -> None:
    """PK-03: the file is UTF-8 whatever the code page."""
    path = tmp_path / "town.yaml"
    path.write_bytes(TOWN.replace("Bo Ek", "李雷 😀").encode())
    assert load(path).people[1].name == "李雷 😀"


# --- mistakes


def test_all_mistakes_are_told_at_once_in_file_order() -> None:
    """Each mistake has its line; none hides another."""
    text = changed("work: cafe", "work: cafee\n    wakes: 7.30")
    text = text.replace("home: flat}", "home: flatt, age: old}").replace("network: true", "network: yes")
    assert complaint(text).splitlines() == [
        'town.yaml:15: people[0].work: no place "cafee" (did you mean "cafe"?)',
        'town.yaml:16: people[0].wakes: "7.30" is no time of day (write it as 07:30)',
        'town.yaml:20: people[1].home: no place "flatt" (did you mean "flat"?)',
        'town.yaml:20: people[1].age: "old" is no number (allowed: a whole number, 0 to 150)',
        'town.yaml:27: measures.network: "yes" is neither true nor false (write true or false)',
    ]


@pytest.mark.parametrize(
    ("settings_", "said"),
    [
        ("weights: {recency: .nan}", '".nan" is no number (allowed: 0 to 1000000)'),
        ("weights: {recency: .inf}", '".inf" is no number (allowed: 0 to 1000000)'),
        ("weights: {importance: -1}", '"-1" is out of range (allowed: 0 to 1000000)'),
        ("weights: {recency: 0, importance: 0, relevance: 0}", "all three weights are 0"),
        ("decay_per_hour: 1.2", '"1.2" is out of range (allowed: more than 0 to 1)'),
        ("decay_per_hour: 0", '"0" is out of range (allowed: more than 0 to 1)'),
        ("k: 1e400", "is no whole number"),
        ("k: 2.5", "is no whole number"),
        ("preset: papper", 'did you mean "paper"? choose paper, reference, ysocial'),
    ],
)
def test_settings_out_of_range_name_the_range(settings_: str, said: str) -> None:
    """SY-07: NaN, infinity, negatives and weights of zero are refused with what is allowed."""
    assert said in complaint(TOWN + f"memory: {{{settings_}}}\n")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("people:", "agnets:", 'agnets: unknown key (did you mean "people"?)'),
        ("arms:", "memory: {reflection_treshold: 5}\narms:", 'unknown key (did you mean "reflect_above"?)'),
        ("arms:", "traits: [kind]\narms:", "traits: unknown key here (it belongs under people[];"),
        ("arms:", "reflect_on: 5\narms:", "reflect_on: unknown key here (it belongs under memory;"),
        ("thinks: I", "think: I", 'events[0].think: unknown key (did you mean "thinks"?)'),
        ("recall: false", "recal: false", 'memory.recal: unknown key (did you mean "recall"?)'),
        ("from: day 2", "form: day 2", 'measures.attends.song.form: unknown key (did you mean "from"?)'),
    ],
)  # fmt: skip
def test_unknown_keys_get_the_nearest_or_their_place(old: str, new: str, said: str) -> None:
    """SY-08: no misspelt key is ignored, in the scenario or in an arm."""
    assert said in complaint(changed(old, new))


def test_a_text_cut_at_its_comma_is_found() -> None:
    """Within braces a comma ends a text; what follows is a key that nobody meant."""
    said = complaint(changed("text: My rent is due.,", "text: My rent is due, and soon.,"))
    assert "people[0].memories[1].and soon.: a text with a comma in it ends at the comma here" in said


def test_an_unknown_key_without_a_value_is_a_mistake() -> None:
    """Only known keys may be left empty."""
    assert 'mind.plannning: unknown key (did you mean "planning"?)' in complaint(
        TOWN + "mind: {plannning: , attention: }\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("knows: {Bo Ek", "knows: {Bo Eck", 'knows: nobody is called "Bo Eck" (did you mean "Bo Ek"?)'),
        ("who: Ann Lee", "who: Anne Lee", 'who: nobody is called "Anne Lee" (did you mean "Ann Lee"?)'),
        ("work: cafe", 'work: "Café: Nord"', 'no place "Café: Nord" (did you mean the id "cafe"?)'),
        ("thing: oven", "thing: ovn", 'events[1].thing: no thing "ovn" at "cafe" (did you mean "oven"?)'),
        ("place: cafe, for", "place: flat, room: bat, for", 'no room "bat" at "flat" (did you mean "bath"?)'),
        ("place: cafe, from", "place: caffe, from", 'measures.attends.song.place: no place "caffe"'),
        ("name: Bo Ek", "name: Ann Lee", 'a second person "Ann Lee" (the first is in line 13; rename one)'),
        ("id: flat", "id: cafe", 'a second place "cafe" (the first is in line 6; rename one)'),
        ("rooms: [kitchen,", "rooms: [bath,", 'a second room "bath"'),
        ("name: Bo Ek", "name: ann LEE", "person 'ann LEE' differs from 'Ann Lee' in line 13 only by case, spaces"),
        ("name: Bo Ek", "name: Ann\u200b\u00a0Lee", 'invisible letters (write "Ann Lee" if it is the same person'),
        ("id: flat", "id: Cafe", "place 'Cafe' differs from 'cafe' in line 6 only by case"),
    ],
)  # fmt: skip
def test_names_that_nothing_bears_get_the_nearest(old: str, new: str, said: str) -> None:
    """SY-12: people, places, rooms and things that do not exist, or exist twice, are mistakes."""
    assert said in complaint(changed(old, new))


@pytest.mark.parametrize("model", ["<YOUR-MODEL>", "${OPENAI_MODEL}", "your-model", "$MODEL_NAME", "TODO"])
def test_placeholders_are_refused(model: str) -> None:
    """SY-15: what a template left open is found before the first call, with its field."""
    assert "model.chat:" in complaint(TOWN + f'model: {{chat: "{model}"}}\n')
    assert "is a placeholder" in complaint(TOWN + f'model: "{model}"\n')


def test_secrets_have_no_place_in_a_file() -> None:
    """SY-15: a key in a scenario is refused, placeholder or not."""
    assert "model.api_key: secrets do not belong in a file" in complaint(TOWN + "model: {api_key: <API-KEY>}\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "people is missing"),
        ("people: []", "people: nobody lives here (add at least one person"),
        ("town: {places: []}", "town.places: there is no place (add at least one"),
        ("- a", "a scenario is a mapping"),
        ("just text", "a scenario is a mapping"),
    ],
)
def test_empty_towns_are_told_what_they_lack(text: str, said: str) -> None:
    """SY-18: no people, no places or nothing at all is a clean message."""
    assert said in complaint(text)


def test_in_a_town_of_one_place_it_is_the_home() -> None:
    """SY-18: a missing home is the only place, with a note; with more places it is a mistake."""
    lone = "name: Lone\nstart: 2023-02-13\ndays: 1\ntown: {places: [{id: hut, at: [0, 0]}]}\n"
    town = loads(lone + "people: [{name: Ann}]\n")
    assert town.people[0].home == "hut"
    assert 'no home is given, so it is "hut"' in str(town.notes[0])
    assert "people[1]: home is missing" in complaint(changed("Bo Ek, home: flat", "Bo Ek"))


def test_roads_must_reach_every_place() -> None:
    """A place that no road leads to is a mistake; so is a road to nowhere."""
    assert 'no road leads to "flat"' in complaint(changed("town:\n", "town:\n  roads: [[cafe, cafe]]\n"))
    assert 'no place "flt"' in complaint(changed("town:\n", "town:\n  roads: [[cafe, flt]]\n"))
    assert loads(changed("town:\n", "town:\n  roads: [[cafe, flat]]\n")).town.roads == (("cafe", "flat"),)


@pytest.mark.parametrize(
    "event",
    [
        "happens: x, thinks: y, who: Ann Lee",
        "thinks: y",
        "who: Ann Lee",
        "happens: x, thing: oven",
        "place: cafe",
    ],
)
def test_an_event_is_a_thought_or_a_happening(event: str) -> None:
    """Half an event, or two in one, is a mistake."""
    assert "events[2]: " in complaint(changed("measures:", f"  - {{at: day 1 09:00, {event}}}\nmeasures:"))


def test_an_event_before_the_start_is_refused() -> None:
    """What lies before the start can never happen."""
    assert "lies before the start, 2023-02-13 06:00" in complaint(changed("day 1 08:00", "05:00"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("until: day 2 24:00", "until: day 999999999 10:00"),
        ("until: day 2 24:00", "days: 1e9"),
        ("2023-02-13 06:00", "9999-12-31 06:00"),
        ("day 1 08:00", "9999-12-31 08:00"),
        ("for: 3h", "for: 25h"),
        ("for: 3h", "lasts: 99999999999d"),
    ],
)
def test_times_beyond_any_calendar_are_refused(old: str, new: str) -> None:
    """A run cannot leave the calendar, nor an item of a day the day."""
    assert re.search(r"out of range|longer than a day|length of time", complaint(changed(old, new)))


# --- files, arms, overrides


def test_a_missing_file_gets_the_nearest_name(tmp_path: Path) -> None:
    """A misspelt path or sample is told what there is."""
    (tmp_path / "party.yaml").write_text(TOWN, encoding="utf-8")
    with pytest.raises(ScenarioError, match=r'did you mean "party.yaml"\?'):
        load(tmp_path / "partty.yaml")
    assert load(tmp_path / "party").name == "Two friends"


def test_samples_are_found_by_their_bare_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a sample works from any folder."""
    (tmp_path / "tiny.yaml").write_text(TOWN, encoding="utf-8")
    monkeypatch.setattr(scenario_sources, "samples_folder", lambda: tmp_path)
    assert load("tiny").name == "Two friends"


@pytest.mark.parametrize("source", ["", ".", "a\0b", "x" * 5000, "no/such/town.yaml", "~"])
def test_no_source_is_a_traceback(source: str) -> None:
    """Whatever is given as a path, the answer is a ScenarioError."""
    with pytest.raises(ScenarioError):
        load(source)


def test_a_scenario_extends_another(tmp_path: Path) -> None:
    """Mappings merge key by key, people and places one by one, other lists are replaced."""
    (tmp_path / "base.yaml").write_text(TOWN, encoding="utf-8")
    child = "extends: base.yaml\nname: Child\ndays: 1\nevents: []\n"
    child += "people: [{name: Bo Ek, age: 30}, {name: Cy, home: cafe}]\n"
    (tmp_path / "child.yaml").write_text(child, encoding="utf-8")
    town = load(tmp_path / "child.yaml")
    assert [(p.name, p.age, p.home) for p in town.people] == [
        ("Ann Lee", None, "flat"), ("Bo Ek", 30, "flat"), ("Cy", None, "cafe"),
    ]  # fmt: skip
    assert (town.name, town.until, town.events) == ("Child", DAY, ())


def test_a_mistake_in_the_base_names_the_base(tmp_path: Path) -> None:
    """Problems carry the file that they stand in."""
    (tmp_path / "base.yaml").write_text(changed("work: cafe", "work: cafee"), encoding="utf-8")
    (tmp_path / "child.yaml").write_text("extends: base.yaml\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"base\.yaml:15: people"):
        load(tmp_path / "child.yaml")


def test_extending_in_a_circle_is_refused(tmp_path: Path) -> None:
    """Two files that extend each other are a mistake that names both."""
    (tmp_path / "a.yaml").write_text("extends: b.yaml\n", encoding="utf-8")
    (tmp_path / "b.yaml").write_text("extends: a.yaml\n", encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"a\.yaml -> b\.yaml -> a\.yaml"):
        load(tmp_path / "a.yaml")


def test_an_arm_changes_what_it_says_and_no_more() -> None:
    """An arm is merged deep over the scenario; full is the scenario itself."""
    arm, full = loads(TOWN, arm="no-memory"), loads(TOWN)
    assert (arm.arm, arm.memory.recall, arm.mind.planning, full.arm, full.memory.recall) == (
        "no-memory", False, False, "full", True,
    )  # fmt: skip
    assert arm.people == full.people


def test_unknown_arms_are_told_the_known_ones() -> None:
    """A misspelt arm is no silent full."""
    assert 'no arm "no-memry" (did you mean "no-memory"?); arms: full, no-reflection, no-memory' in complaint(
        TOWN, arm="no-memry"
    )


def test_settings_on_the_command_line_win() -> None:
    """--set beats the file and the arm; people are named by index or name."""
    overrides = {
        "memory.recall": "true",
        "memory.k": "9",
        "people.Bo Ek.age": "40",
        "until": "day 1 18:00",
        "seed": "3",
    }
    town = loads(TOWN, arm="no-memory", overrides=overrides)
    assert (town.memory.recall, town.memory.k, town.people[1].age, town.until, town.seed) == (
        True,
        9,
        40,
        12 * HOUR,
        3,
    )


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("memory.kk", "5", '--set memory.kk=5: memory.kk: unknown key (did you mean "k"?)'),
        ("memry.k", "5", 'unknown key (did you mean "memory"?)'),
        ("people.Bo.age", "5", 'there is no item "Bo" (did you mean "Bo Ek"?)'),
        ("memory.k", "many", '--set memory.k=many: memory.k: "many" is no number'),
        ("memory.weights", "[1", "closing bracket is missing"),
        ("a" + ".a" * 3000, "1", "no path of keys"),
        ("", "1", "no path of keys"),
    ],
)
def test_a_wrong_setting_names_itself(path: str, value: str, said: str) -> None:
    """An unknown path or a value out of range is reported under --set."""
    assert said in complaint(TOWN, overrides={path: value})


def test_a_setting_replaces_its_rival() -> None:
    """--set days=1 stands for the file's until."""
    assert loads(TOWN, overrides={"days": "1"}).until == DAY


# --- what is kept


def test_json_round_trip_keeps_everything() -> None:
    """The manifest's scenario is the scenario, in the same order, with the same digest."""
    town = loads(TOWN, arm="no-memory", overrides={"memory.weights": "{recency: 0.5}"})
    again = Scenario.from_json(town.to_json())
    assert again == town
    assert (again.to_json(), again.digest()) == (town.to_json(), town.digest())
    assert town.digest() != loads(TOWN).digest()


def test_memory_settings_have_the_names_of_the_memory_package() -> None:
    """What a file sets is what a stream knows, and each default of a preset stays the preset's."""
    names = set(MemorySettings.model_fields) - {"preset", "terms_follow"}  # these shape the settings themselves
    assert names == set(MemoryConfig.__dataclass_fields__) - {"seed"}  # the scenario's own
    given = loads(TOWN + "memory: {preset: reference, weights: {recency: 1}}\n").memory
    config = MemoryConfig.preset(given.preset, **given.changes())
    assert (config.k, config.weights.recency, config.weights.relevance) == (30, 1, 3)


def test_the_schema_shows_the_keys_as_they_are_written() -> None:
    """Editors are offered for and until, from and to, days and extends; never the names within."""
    schema = json_schema()
    routine = schema["$defs"]["RoutineItem"]["properties"]
    assert {"at", "for", "until", "place", "do", "days"} <= set(routine)
    assert "lasts" not in routine
    assert {"from", "to", "place"} == set(schema["$defs"]["AttendsMeasure"]["properties"])
    assert {"until", "days", "extends"} <= set(schema["properties"])
    assert "arm" not in schema["properties"]
    assert set(schema["required"]) == {"name", "start", "town", "people"}


# --- whatever the file holds

PIECES = [
    "", " ", "\n", "\t", "0", "-1", ".nan", "null", "~", "[]", "{}", "[[]]", "{a: b}", ": ", "- ", "'", '"',
    "*x", "&x ", "day 0 99:99", "99999999999999999999", "é", "\x00", "2023-02-30", "24:00", "1e999", "people",
    "<<: *x", "!!int 3", "#", ",",
]  # fmt: skip


def outcome(text: str, overrides: dict[str, str] | None = None) -> Scenario | tuple[Problem, ...]:
    """Return the scenario, or the problems that stand in its way."""
    try:
        return loads(text, overrides=overrides)
    except ScenarioError as error:
        return error.problems


def is_sound(result: Scenario | tuple[Problem, ...]) -> bool:
    """Return whether a result is a scenario that can be kept, or problems of one line each."""
    if isinstance(result, Scenario):
        return Scenario.from_json(result.to_json()).digest() == result.digest()
    return bool(result) and all("\n" not in problem.message for problem in result)


@settings(max_examples=250)
@given(st.integers(0, 2**32), st.integers(1, 6))
def test_no_scenario_is_a_traceback(seed: int, cuts: int) -> None:
    """However a good scenario is damaged, it loads or gives a ScenarioError with problems."""
    chance = random.Random(seed)
    text = TOWN
    for _ in range(cuts):
        start = chance.randrange(len(text) + 1)
        text = text[:start] + chance.choice(PIECES) + text[start + chance.choice([0, 0, 1, 3, 12]) :]
    assert is_sound(outcome(text))


LEAVES = st.sampled_from(["", "x", "cafe", "Ann Lee", "5", "-1", "09:00", "day 2 08:00", None])
KEYS = st.sampled_from(["name", "at", "id", "x"])
VALUES = st.recursive(LEAVES, lambda v: st.lists(v, max_size=2) | st.dictionaries(KEYS, v, max_size=2))
PATHS = [
    "name",
    "start",
    "until",
    "days",
    "seed",
    "town",
    "town.places",
    "town.places.0",
    "town.places.0.at",
    "town.places.0.open",
    "town.places.1.rooms",
    "town.places.0.things",
    "town.roads",
    "people",
    "people.0",
    "people.0.knows",
    "people.0.routine",
    "people.0.routine.0",
    "people.0.routine.0.for",
    "people.0.routine.0.until",
    "people.0.routine.0.days",
    "people.0.routine.0.lasts",
    "people.0.memories",
    "people.0.traits",
    "people.0.wakes",
    "people.0.home",
    "events",
    "events.0",
    "events.0.who",
    "events.1.thing",
    "measures",
    "measures.knows",
    "measures.knows.song.words",
    "measures.attends",
    "measures.attends.song",
    "memory",
    "memory.weights",
    "mind",
    "model",
    "model.base_url",
    "arms",
    "arms.no-memory",
    "arms.no-memory.people",
    "extends",
    "arm",
]


@pytest.mark.slow
@settings(max_examples=200)
@given(st.sampled_from(PATHS), VALUES)
def test_no_value_in_the_wrong_place_is_a_traceback(path: str, value: object) -> None:
    """A value of any shape under any key is read or is a mistake with its line."""
    written = json.dumps(value)
    assert is_sound(outcome(TOWN, {path: "" if written == "null" else written}))


@pytest.mark.parametrize("url", ["http://u:sk-hidden-1@127.0.0.1:9/v1", "https://h/v1?api_key=sk-hidden-1"])
def test_an_address_with_a_secret_is_refused_without_showing_it(url: str) -> None:
    """The manifest holds addresses, so none may hold a password or key; the message does not show it either."""
    said = complaint(TOWN + f"model: {{base_url: '{url}'}}\n")
    assert "OPENAI_API_KEY" in said
    assert "hidden" not in said
