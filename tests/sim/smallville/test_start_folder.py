"""Start folders of the 2023 reference code become scenarios that load without a mistake."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from sim.cli.app import app
from sim.errors import ScenarioError
from sim.scenario import Person, Scenario, loads
from sim.scenario.strict_yaml import parse_yaml
from sim.scenario.yaml_writer import scenario_text
from sim.smallville.first_person import told_by_oneself, told_to_me
from sim.smallville.start_folder import import_start, is_start_folder
from sim.smallville.words import Habit, Hours, habits_of, hours_of
from sim.times import HOUR
from tests.lives import live

REAL = Path(__file__).resolve().parents[4] / "shared" / "reference_runs"

ANN: dict[str, Any] = {
    "name": "Ann Lee",
    "age": 34,
    "innate": "patient, dry",
    "learned": "Ann Lee owns Quay Books and knows every customer.",
    "currently": "Ann Lee is planning a reading at Quay Books on 3 March. She is asking her readers to come.",
    "lifestyle": "Ann Lee goes to bed around midnight, awakes up around 8am, eats dinner around 6pm.",
    "living_area": "the Bay:Café: Nord flat:attic",
    "daily_plan_req": "Ann Lee opens Quay Books at 9am everyday, and works at the desk until 5pm.",
    "importance_trigger_max": 150,
}
BO: dict[str, Any] = {
    **ANN,
    "name": "Bo Ek",
    "learned": "Bo Ek is a student.",
    "currently": "",
    "lifestyle": "Bo Ek goes to bed around 1am, awakes up around 9:30am.",
    "daily_plan_req": "Bo Ek spends 2 hours a day practising the horn.",
}
TREES: dict[str, Any] = {
    "Ann Lee": {"the Bay": {"Quay Books": {"shop": ["till", "till", "shelf"]}, "Café: Nord flat": {"attic": ["bed"]}}},
    "Bo Ek": {"the Bay": {"Tom & Jane's": {"bar": [], "yard": ["pump"]}, "Quay Books": {"shop": ["lamp"]}}},
}


HOME = "personas/Ann Lee/bootstrap_memory"
FILES = {
    "meta": "reverie/meta.json",
    "tiles": "environment/0.json",
    "scratch": f"{HOME}/scratch.json",
    "places": f"{HOME}/spatial_memory.json",
    "nodes": f"{HOME}/associative_memory/nodes.json",
}


def node(text: str, kind: str = "event", poignancy: int = 4, object_: str = "busy") -> dict[str, Any]:
    """Return one memory as the reference code saves it."""
    return {"type": kind, "description": text, "poignancy": poignancy, "object": object_}


def save(folder: Path, name: str, values: Any) -> None:
    """Write one file of the folder."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(values if isinstance(values, str) else json.dumps(values), encoding="utf-8")


def start_folder(tmp_path: Path, **nodes: Any) -> Path:
    """Return a tiny start folder in the reference's format."""
    folder = tmp_path / "base_bay"
    meta = {"curr_time": "March 01, 2023, 06:00:00", "start_date": "March 01, 2023", "step": 0}
    save(folder, "reverie/meta.json", {**meta, "persona_names": ["Ann Lee", "Bo Ek"]})
    save(folder, "environment/0.json", {"Ann Lee": {"x": 10, "y": 20}, "Bo Ek": {"x": 12, "y": 20}})
    for scratch in (ANN, BO):
        home = f"personas/{scratch['name']}/bootstrap_memory"
        save(folder, f"{home}/scratch.json", scratch)
        save(folder, f"{home}/spatial_memory.json", TREES[scratch["name"]])
        save(folder, f"{home}/associative_memory/nodes.json", nodes.get("nodes", {}))
    return folder


def imported(folder: Path, history: Path | None = None) -> Scenario:
    """Return the scenario that the import's text describes; it must have no problems and no notes."""
    scenario = loads(import_start(folder, history).text)
    assert scenario.notes == ()
    return scenario


def ann_of(scenario: Scenario) -> Person:
    """Return Ann."""
    return scenario.people[0]


def test_people_keep_what_the_folder_says(tmp_path: Path) -> None:
    """Name, age, traits, summary, home, room, work and hours come over."""
    ann, bo = imported(start_folder(tmp_path)).people
    assert (ann.name, ann.age, ann.traits) == ("Ann Lee", 34, ("patient", "dry"))
    assert (ann.home, ann.home_room, ann.work) == ("café-nord-flat", "attic", "quay-books")
    assert ann.summary.startswith("Ann Lee owns Quay Books and knows every customer. Ann Lee is planning")
    assert (ann.wakes, ann.sleeps, bo.wakes, bo.sleeps) == (8 * HOUR, 24 * HOUR, 34200, 25 * HOUR)


def test_places_are_what_anybody_knows(tmp_path: Path) -> None:
    """SY-16: sectors, arenas and objects of all are merged, whatever signs their names hold."""
    places = {place.name: place for place in imported(start_folder(tmp_path)).town.places}
    assert set(places) == {"Quay Books", "Café: Nord flat", "Tom & Jane's"}
    assert [thing.name for thing in places["Quay Books"].rooms[0].things] == ["till", "shelf", "lamp"]
    assert [room.name for room in places["Tom & Jane's"].rooms] == ["bar", "yard"]
    assert places["Café: Nord flat"].at == (11 * 13, -20 * 13)
    assert len({place.at for place in places.values()}) == 3


def test_plans_and_meals_become_a_routine(tmp_path: Path) -> None:
    """Hours and places of the daily plan are read, the rest is laid out within the hours awake."""
    ann, bo = imported(start_folder(tmp_path)).people
    assert [(i.at / HOUR, i.lasts / HOUR, i.place, i.do) for i in ann.routine] == [
        (9, 8, "quay-books", "opening Quay Books and working at the desk"),
        (18, 1, "café-nord-flat", "having dinner"),
    ]
    assert [(i.at / HOUR, i.lasts / HOUR, i.do) for i in bo.routine] == [(10.5, 2, "practising the horn")]


def test_memories_come_over_once_and_without_the_idle(tmp_path: Path) -> None:
    """Events, thoughts and talk keep their order and importance; idle ones and repeats are left out."""
    nodes = {
        "node_3": node("Ann Lee is reading", poignancy=2),
        "node_2": node("bed is idle", object_="idle"),
        "node_10": node("Ann Lee likes the sea", "thought", poignancy=7),
        "node_1": node("Ann Lee is reading", poignancy=2),
        "node_11": node("conversing about the reading", "chat"),
    }
    memories = ann_of(imported(start_folder(tmp_path, nodes=nodes))).memories
    assert [(m.text, m.importance, m.kind) for m in memories[:3]] == [
        ("I am reading", 2, "observation"),
        ("I like the sea", 7, "thought"),
        ("conversing about the reading", 4, "talk"),
    ]  # fmt: skip
    assert memories[3].text == ("I am planning a reading at Quay Books on 3 March. I am asking my readers to come.")
    assert len(memories) == 4


def test_a_history_is_found_and_told_in_the_first_person(tmp_path: Path) -> None:
    """SY-14: facts between semicolons become memories, blank ones none; people named in them are known."""
    folder = start_folder(tmp_path)
    save(
        folder,
        "history.csv",
        "Name,Whisper\nAnn Lee,You and Bo Ek are close friends; ; You know the sea, too;\n",
    )
    ann = ann_of(imported(folder))
    assert [memory.text for memory in ann.memories[1:]] == [
        "Bo Ek and I are close friends",
        "I know the sea, too",
    ]
    assert ann.knows == {"Bo Ek": "Bo Ek and I are close friends"}


def test_names_that_nobody_has_are_noted(tmp_path: Path) -> None:
    """SY-12: misspelt rows and mentions stand in the head of the file with the nearest name."""
    history = tmp_path / "more.csv"
    history.write_text(
        "Name,Whisper\nAnne Lee,You sing\nBo Ek,You like Ann Leigh;You like Zed Quux\n", encoding="utf-8"
    )
    text = import_start(start_folder(tmp_path), history).text
    assert '# History: nobody is called "Anne Lee" (did you mean "Ann Lee"?); the row was left out.' in text
    assert '# History of Bo Ek: "Ann Leigh" is nobody here (did you mean "Ann Lee"?).' in text
    assert '# History of Bo Ek: "Zed' not in text


def test_a_table_that_is_no_history_is_refused(tmp_path: Path) -> None:
    """A CSV with other columns, or with a field of a hundred thousand letters, is one sentence."""
    history = tmp_path / "x.csv"
    for content, said in (
        ("a,b\n1,2\n", "first line must be Name,Whisper"),
        ("Name,Whisper\n" + "x" * 200_000, "as a table"),
    ):
        history.write_text(content, encoding="utf-8")
        with pytest.raises(ScenarioError, match=said):
            import_start(start_folder(tmp_path), history)


@pytest.mark.parametrize(
    "table",
    [
        "agents,whispers\nAnn Lee,You like tea; You sing\n", 'Name;Whisper\nAnn Lee;"You like tea; You sing"\n',
        "name , whisper\n\"Ann Lee\",You like tea;You sing\n", "Ann Lee,You like tea;You sing\nBo Ek,You hum\n",
    ],
    ids=["other words", "Excel's semicolons", "small letters", "no header"],
)  # fmt: skip
def test_a_history_needs_no_special_header(tmp_path: Path, table: str) -> None:
    """A table in which somebody of the town has a row is a history, given or found in the folder."""
    folder = start_folder(tmp_path)
    save(tmp_path, "given.csv", table)
    given = [memory.text for memory in ann_of(imported(folder, tmp_path / "given.csv")).memories]
    save(folder, "history.csv", table)
    assert given == [memory.text for memory in ann_of(imported(folder)).memories]
    assert given[1:] == ["I like tea", "I sing"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('Ann Lee,"You like tea; You sing\nBo Ek,"You like dogs"\n', "as a table"),
        ('Ann Lee,"You like tea; You sing\nBo Ek,You like dogs"\n', 'holds the row of "Bo Ek" as well'),
    ],
)
def test_a_quote_that_is_not_closed_never_eats_a_row(tmp_path: Path, rows: str, said: str) -> None:
    """SY-13: a history whose quotes do not match is refused with the line, wherever it stands."""
    folder = start_folder(tmp_path)
    save(folder, "history.csv", "Name,Whisper\n" + rows)
    with pytest.raises(ScenarioError, match=r"history\.csv:3: .*" + said):
        import_start(folder)


def test_other_tables_in_the_folder_are_noted(tmp_path: Path) -> None:
    """A table that is no history, or cannot be read, does not stop an import and is told."""
    folder = start_folder(tmp_path)
    save(folder, "a.csv", "step,tokens\n1,2\n")
    (folder / "b.csv").write_bytes("Name,Whisper\nZoë,You".encode("cp1252"))
    assert import_start(folder).notes == [
        "1 x table in which nobody of the town has a row was left out (a.csv)",
        "1 x table that cannot be read was left out (b.csv)",
    ]


def test_the_head_names_the_folder_only(tmp_path: Path) -> None:
    """No path of the importing machine stands in the file."""
    text = import_start(start_folder(tmp_path)).text
    assert text.startswith("# From the folder base_bay of the 2023 reference code")
    assert str(tmp_path) not in text


def test_a_folder_stopped_later_begins_then(tmp_path: Path) -> None:
    """A folder at a later step starts at its simulated time, with everybody where they were."""
    folder = start_folder(tmp_path)
    save(folder, FILES["scratch"], {**ANN, "act_address": "the Bay:Quay Books:shop:till"})
    meta = {"curr_time": "March 02, 2023, 11:21:30", "step": 4089, "persona_names": ["Ann Lee", "Bo Ek"]}
    save(folder, "reverie/meta.json", meta)
    scenario = imported(folder)
    assert scenario.start.isoformat() == "2023-03-02T11:21:30"
    assert [person.starts_at for person in scenario.people] == ["quay-books", None]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("meta", "{", "base_bay/reverie/meta.json:1: is no JSON at column 2"),
        ("meta", "[]", "must hold an object"),
        ("meta", {"curr_time": "soon", "persona_names": ["Ann Lee"]}, "'soon', which is no date"),
        ("meta", {"curr_time": "March 01, 2023", "persona_names": []}, '"persona_names" names nobody'),
        ("meta", {"curr_time": "March 01, 2023", "persona_names": ["../x"]}, "no folder can be called"),
        ("meta", {"curr_time": "March 01, 2023", "persona_names": ["Cy"]}, "spatial_memory.json: is missing"),
        ("scratch", {"name": "Ann Lee"}, '"living_area" is missing'),
        ("scratch", {**ANN, "lifestyle": 5}, '"lifestyle" is a number'),
        ("scratch", {**ANN, "living_area": "home"}, "must be world:sector:arena"),
        ("places", {"w": []}, '"w" is a list, but must be an object'),
        ("nodes", {"node_1": 3}, '"node_1" is a number'),
        ("tiles", {"Ann Lee": {"x": "left"}}, '"Ann Lee" needs x and y'),
    ],
    ids=lambda value: None,
)  # fmt: skip
def test_damaged_files_are_one_sentence(tmp_path: Path, name: str, content: Any, said: str) -> None:
    """Each damage names file, key and the next step."""
    folder = start_folder(tmp_path)
    save(folder, FILES[name], content)
    with pytest.raises(ScenarioError) as caught:
        import_start(folder)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_mistake_of_a_folder_is_told_at_once(tmp_path: Path) -> None:
    """What is amiss in several files is one refusal with a line each, and no mistake is told twice."""
    folder = start_folder(tmp_path, nodes={"node_1": 3})
    save(folder, "reverie/meta.json", {"curr_time": "soon", "persona_names": ["Ann Lee", "Bo Ek", "Cy", "a/b"]})
    save(folder, FILES["scratch"], {**ANN, "living_area": "home", "lifestyle": 5})
    save(folder, "personas/Bo Ek/bootstrap_memory/scratch.json", "{")
    with pytest.raises(ScenarioError) as caught:
        import_start(folder)
    told = [str(problem).partition(" (")[0] for problem in caught.value.problems]
    assert sorted(told) == [
        'Ann Lee: node_1: "node_1" is a number, but must be an object',
        'Ann Lee: scratch.json: "lifestyle" is a number, but must be text',
        "Ann Lee: scratch.json: \"living_area\" is 'home', but must be world:sector:arena",
        'Bo Ek: node_1: "node_1" is a number, but must be an object',
        "Bo Ek: scratch.json:1: is no JSON at column 2: Expecting property name enclosed in double quotes",
        "Cy: personas/Cy/bootstrap_memory/spatial_memory.json: is missing",
        "base_bay/reverie/meta.json: \"curr_time\" is 'soon', which is no date",
        'base_bay/reverie/meta.json: "persona_names" holds "a/b", which no folder can be called',
    ]


def test_numbers_written_as_text_are_read_and_noted(tmp_path: Path) -> None:
    """An age in quotes is an age; one that is no number is left out, as it may be missing."""
    folder = start_folder(tmp_path)
    save(folder, FILES["scratch"], {**ANN, "age": "28"})
    save(folder, "personas/Bo Ek/bootstrap_memory/scratch.json", {**BO, "age": ["28"]})
    text, notes = import_start(folder)
    assert [person.age for person in loads(text).people] == [28, None]
    assert notes == [
        '1 x "age" is a number written as text (Ann Lee: scratch.json)',
        '1 x "age" is a list, but must be a number that this field can have: it was left out (Bo Ek: scratch.json)',
    ]


def test_unknown_keys_are_counted_and_their_values_stand_in_the_head(tmp_path: Path) -> None:
    """What a fork of the reference code has added is left out, but not in silence."""
    folder = start_folder(tmp_path)
    for who in (ANN, BO):
        home = f"personas/{who['name']}/bootstrap_memory"
        save(folder, f"{home}/scratch.json", {**who, "speech_pattern": f"as {who['name']}"})
    text, notes = import_start(folder)
    assert notes == ['2 x unknown key "speech_pattern" (Ann Lee: scratch.json, Bo Ek: scratch.json)']
    assert '# Ann Lee: scratch.json: unknown key "speech_pattern": "as Ann Lee"\n' in text


def test_a_failed_reflection_is_no_memory(tmp_path: Path) -> None:
    """The placeholder that the reference code stores where a reflection failed does not come over."""
    folder = start_folder(tmp_path, nodes={"node_1": node("this is blank", "thought"), "node_2": node("It rains")})
    assert [memory.text for memory in ann_of(imported(folder)).memories][:-1] == ["It rains"]


def test_notes_are_told_on_the_terminal(tmp_path: Path) -> None:
    """``town import`` says in a line a kind what stands at length in the file's head."""
    folder = start_folder(tmp_path)
    save(folder, "personas/Bo Ek/bootstrap_memory/scratch.json", {**BO, "lifestyle": ""})
    save(folder, "history.csv", "Name,Whisper\nAnne Lee,You sing\n")
    done = CliRunner().invoke(app, ["import", str(folder), "--out", str(tmp_path / "town.yaml")])
    assert done.exit_code == 0
    assert 'note: 1 x row of a history whose name nobody has was left out (Anne Lee (did you mean "Ann' in done.output
    assert "note: 1 x lifestyle that does not tell both hours of sleep: the usual ones (Bo Ek)" in done.output


def test_other_folders_are_told_apart(tmp_path: Path) -> None:
    """A compressed replay, an empty folder and no folder each get their own sentence."""
    save(tmp_path / "replay", "master_movement.json", {})
    for folder, said in (
        (tmp_path / "replay", "compressed replay"),
        (tmp_path, "no start folder"),
        (tmp_path / "x", "no such folder"),
    ):
        assert not is_start_folder(folder)
        with pytest.raises(ScenarioError, match=said):
            import_start(folder)


@pytest.mark.parametrize(
    ("lifestyle", "wakes", "sleeps"),
    [
        ("X goes to bed around 11pm, awakes up around 6am.", 6, 23),
        ("X goes to bed around midnight and wakes up at 7:30 am.", 7.5, 0),
        ("X gets up at 10, goes to sleep at 1 a.m.", 10, 1),
        ("X wakes up around 12pm. Bedtime is 3.", 12, 3),
        ("X sleeps at 10 and rises at 5.", 5, 22),
        ("X is up until 1am and hauls himself out of bed towards 7", 7, 1),
        ("X mostly turns in at 12:00pm, and awakens at 8", 8, 0),
        ("X goes to bed between 11pm and midnight and is up at 7", 7, 23),
        ("X is in bed by 10pm and up at 6am", 6, 22),
        ("X sleeps from 10pm to 6am", 6, 22),
        ("X gets out of bed at 9am, nods off around 2 am", 9, 2),
    ],
)
def test_hours_are_read_in_their_usual_wordings(lifestyle: str, wakes: float, sleeps: float) -> None:
    """am and pm, midnight, and hours with neither."""
    assert hours_of(lifestyle) == Hours(wakes * HOUR, sleeps * HOUR)  # type: ignore[arg-type]


def test_hours_that_are_not_told_are_noted(tmp_path: Path) -> None:
    """A lifestyle without hours gets the usual ones, and the file's head says so."""
    folder = start_folder(tmp_path)
    save(folder, "personas/Bo Ek/bootstrap_memory/scratch.json", {**BO, "lifestyle": "Bo Ek sleeps badly."})
    assert "# Bo Ek: the lifestyle does not tell both hours, so they are 07:00 and 23:00." in import_start(folder).text


def test_a_plan_in_parts_of_the_day_is_read() -> None:
    """Clauses become habits with the hour of their part of the day and their place."""
    habits = habits_of(
        "Bo Ek goes to the library early in the morning, and eats at Hill Inn.", "Bo Ek", {"hill inn": "inn"}
    )
    assert habits == [
        Habit(8 * HOUR, None, None, "going to the library"),
        Habit(None, None, "inn", "eating at Hill Inn"),
    ]


@pytest.mark.parametrize(
    ("told", "first"),
    [
        ("You and Maria Lopez are close friends", "Maria Lopez and I are close friends"),
        ("You know Klaus", "I know Klaus"),
        (
            "Your neighbour often talks with you about your shop",
            "My neighbour often talks with me about my shop",
        ),
        ("Sam told you that you are right", "Sam told me that I am right"),
        ("You should tell Bo that you, not he, won", "I should tell Bo that I, not he, won"),
        ("Bo gave you and Ann the key", "Bo gave Ann and me the key"),
        ("Bo plays chess with you and Ann Lee.", "Bo plays chess with Ann Lee and me."),
    ],
)
def test_second_person_becomes_first(told: str, first: str) -> None:
    """You, your and yours become I, me, my and mine."""
    assert told_to_me(told) == first


@pytest.mark.parametrize(
    ("told", "first"),
    [
        ("Bo Ek is writing. He loves his horn.", "I am writing. I love my horn."),
        ("Bo Ek likes Ann Lee and her shop", "I like Ann Lee and her shop"),
        ("the table is used by Bo Ek", "the table is used by me"),
        ("For Bo Ek's planning", "For my planning"),
        ("Bo Ek and Ann Lee have been friends for a year", "Ann Lee and I have been friends for a year"),
        ("Bo Ek runs his own studio. He paints.", "I run my own studio. I paint."),
        ("Bo Ek runs a stall and has a dog.", "I run a stall and have a dog."),
        ("Bo Ek is tired, though he hasn't slept.", "I am tired, though I haven't slept."),
        ("Bo Ek is planning a fair. They are baking.", "I am planning a fair. I am baking."),
        (
            "Bo Ek wants to win; he has practised with his brother, who gave him his racket.",
            "Bo Ek wants to win; he has practised with his brother, who gave him his racket.",
        ),
        ("He likes Ann Lee because she helps him.", "Bo Ek likes Ann Lee because she helps him."),
    ],
)
def test_third_person_becomes_first(told: str, first: str) -> None:
    """A text about oneself is told by oneself, sentence by sentence, wholly or not at all."""
    assert told_by_oneself(told, "Bo Ek", ["Bo Ek", "Ann Lee"]) == first


ODD = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        3.5,
        1e308,
        float("nan"),
        "",
        " ",
        ":",
        "a:b",
        "x: y",
        "\ud800",
        "é\u0301",
        "\x07",
        [],
        {},
        ["a"],
        {"a": "b"},
    ]
)


@pytest.mark.slow
@settings(max_examples=100)
@given(
    st.sampled_from(sorted(FILES)),
    st.integers(0, 30),
    ODD,
    st.sampled_from(["", " ", "\ud800", "a\nb", "[x]: #"]),
)
def test_no_damage_is_a_traceback(
    tmp_path_factory: pytest.TempPathFactory, name: str, at: int, value: Any, key: str
) -> None:
    """Whatever stands in a field, the folder is imported or refused with a ScenarioError."""
    folder = start_folder(tmp_path_factory.mktemp("odd"), nodes={"node_1": node("Ann Lee is reading")})
    values = json.loads((folder / FILES[name]).read_text(encoding="utf-8"))
    holder = values.get("node_1", values.get("Ann Lee", values.get("the Bay", values)))
    holder[sorted(holder)[at] if at < len(holder) else key] = value
    save(folder, FILES[name], values)
    try:
        assert loads(import_start(folder).text)
    except ScenarioError as error:
        problems = error.problems
    else:
        problems = ()
    assert all(problem.message for problem in problems)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12).filter(lambda text: text.strip() == text)
WRITABLE = st.recursive(
    TEXTS.filter(bool),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.dictionaries(TEXTS, WRITABLE, max_size=4))
def test_what_is_written_is_read_back(values: dict[str, Any]) -> None:
    """Whatever the texts, the written YAML says the same."""
    assert parse_yaml(scenario_text(values, ["a\nb: c"]), "town.yaml").plain() == values


@pytest.mark.parametrize(
    "name", ["base_the_ville_isabella_maria_klaus", "July1_the_ville_isabella_maria_klaus-step-3-8"]
)
def test_real_folders_are_imported(name: str) -> None:
    """The public folders of the reference code load without a problem."""
    folder = REAL / "storage" / name
    if not folder.is_dir():
        pytest.skip("the public runs of the reference code are not here")
    scenario = imported(folder)
    assert len(scenario.people) == 3
    assert len(scenario.town.places) >= 8
    assert [(p.wakes // HOUR, p.sleeps // HOUR) for p in scenario.people] == [(6, 23), (9, 26), (7, 23)]


def test_who_is_named_is_known_and_where_one_goes_daily_is_usual(tmp_path: Path) -> None:
    """People in somebody's description or memories are known to them; daily visits are part of the routine."""
    folder = start_folder(tmp_path, nodes={"node_1": node("Ann Lee is talking with Bo Ek")})
    daily = "Ann Lee likes dogs. She visits Tom & Jane's for eating just about everyday."
    save(folder, FILES["scratch"], {**ANN, "currently": daily})
    ann, bo = imported(folder).people
    assert (ann.knows, bo.knows) == ({"Bo Ek": ""}, {"Ann Lee": ""})
    assert ("tom-janes", "visiting Tom & Jane's for eating") in [(item.place, item.do) for item in ann.routine]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["base_the_ville_isabella_maria_klaus", "July1_the_ville_isabella_maria_klaus-step-3-1"]
)
def test_a_party_of_a_real_folder_is_told(name: str, tmp_path: Path) -> None:
    """In an imported town the host tells others of the party, whatever the seed."""
    folder = REAL / "storage" / name
    if not folder.is_dir():
        pytest.skip("the public runs of the reference code are not here")
    for seed in (1, 2, 3):
        log = live(import_start(folder).text.replace("days: 2", f"days: 2\nseed: {seed}", 1), tmp_path / str(seed))
        told = [line for line in log if line["kind"] == "spoke" and "valentine" in line["text"].lower()]
        assert any("party" in line["text"] and line["who"] not in line["to"] for line in told)
