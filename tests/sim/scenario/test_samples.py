"""The sample towns are what their README says: without a mistake, and with news that begins in one head."""

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from sim.scenario import Person, Scenario, load, loads

FOLDER = Path(__file__).parents[3] / "scenarios"
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
README = (FOLDER / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
HOUR = 3600

every_sample = pytest.mark.parametrize("name", NAMES)


def texts_of(person: Person) -> Iterator[str]:
    """Yield all that a resident is given to say or think at the start."""
    yield person.summary
    yield from person.traits
    yield from person.knows.values()
    yield from (memory.text for memory in person.memories)
    yield from (item.do for item in person.routine)


def holds(text: str, groups: tuple[tuple[str, ...], ...]) -> bool:
    return any(all(word.lower() in text.lower() for word in group) for group in groups)


def at_place_between(scenario: Scenario, place: str, weekday: int, begin: int, end: int) -> set[str]:
    """Return whose routine leads to *place* at some second of the day between *begin* and *end*."""
    return {
        person.name
        for person in scenario.people
        for item in person.routine
        if item.place == place and weekday in item.days and item.at < end and item.at + item.lasts > begin
    }


@every_sample
def test_sample_loads_without_a_note(name: str) -> None:
    """Nothing in a sample needs putting right."""
    assert load(FOLDER / f"{name}.yaml").notes == ()


@every_sample
def test_sample_is_found_by_its_bare_name(name: str) -> None:
    """`town run two_friends` needs no path."""
    assert load(name).digest() == load(FOLDER / f"{name}.yaml").digest()


@every_sample
def test_every_arm_of_a_sample_resolves(name: str) -> None:
    """Each arm is a valid scenario that says which arm it is."""
    arms = load(name).arms
    assert [load(name, arm=arm).arm for arm in arms] == list(arms)


@every_sample
def test_nobody_knows_the_news_at_the_start(name: str) -> None:
    """No text of a resident satisfies a measure, so whoever knows later has heard or seen it."""
    scenario = load(name)
    early = [
        (person.name, text)
        for measure in scenario.measures.knows.values()
        for person in scenario.people
        for text in texts_of(person)
        if holds(text, measure.words)
    ]
    assert early == []


@every_sample
def test_every_measure_of_knowledge_can_be_met(name: str) -> None:
    """Each is satisfied by an event's own text: what is measured is what happens."""
    scenario = load(name)
    events = [event.thinks or event.happens or "" for event in scenario.events]
    unmet = [key for key, m in scenario.measures.knows.items() if not any(holds(text, m.words) for text in events)]
    assert unmet == []


@every_sample
def test_acquaintance_is_mutual(name: str) -> None:
    """Whoever knows somebody is known in return."""
    knows = {person.name: set(person.knows) for person in load(name).people}
    assert [(a, b) for a in knows for b in knows[a] if a not in knows[b]] == []


@every_sample
def test_doings_fit_every_person(name: str) -> None:
    """What is done reads well after "I am" as after a name, so it holds no pronoun of one person."""
    doings = [item.do for person in load(name).people for item in person.routine]
    personal = re.compile(r"\b(my|his|her|their|myself|himself|herself)\b")
    assert [do for do in doings if personal.search(do)] == []


@every_sample
def test_routine_keeps_to_opening_hours(name: str) -> None:
    """Nobody's habit leads to a closed door."""
    scenario = load(name)
    hours = {place.id: place.open or (0, 2 * 24 * HOUR) for place in scenario.town.places}
    closed = [
        (person.name, item.do)
        for person in scenario.people
        for item in person.routine
        if not hours[item.place][0] <= item.at < item.at + item.lasts <= hours[item.place][1]
    ]
    assert closed == []


@every_sample
def test_readme_describes_the_sample(name: str) -> None:
    """The page of the folder has a section for each town."""
    assert f"## {name}\n" in README


def test_readme_town_is_a_whole_scenario() -> None:
    """The page's first example can be copied and run."""
    assert loads(EXAMPLES[0]).notes == ()


def test_readme_variant_extends_a_sample(tmp_path: Path) -> None:
    """The page's second example, put beside the sample, is that sample with what differs."""
    sample = (FOLDER / "valentines_party.yaml").read_text(encoding="utf-8")
    (tmp_path / "valentines_party.yaml").write_text(sample, encoding="utf-8")
    (tmp_path / "variant.yaml").write_text(EXAMPLES[1], encoding="utf-8")
    variant = load(tmp_path / "variant.yaml", arm="forgetful")
    assert (len(variant.people), variant.town.walking_speed, variant.memory.k) == (25, 0.9, 2)


def test_valentines_party_has_the_papers_size() -> None:
    """25 residents, about a sixth of all pairs acquainted (0.167 in Park et al. 2023, section 7)."""
    scenario = load("valentines_party")
    knows = {person.name: set(person.knows) for person in scenario.people}
    pairs = list(combinations(knows, 2))
    assert len(knows) == 25
    assert 0.15 <= sum(b in knows[a] for a, b in pairs) / len(pairs) <= 0.20


@pytest.mark.parametrize("word", ["valentine", "party", "mayor", "election", "candidate"])
def test_valentines_party_gives_nothing_away(word: str) -> None:
    """Nobody's texts and no place speak of the party or the election."""
    scenario = load("valentines_party")
    texts = [text for person in scenario.people for text in texts_of(person)]
    texts += [scenario.town.model_dump_json()]
    assert [text for text in texts if word in text.lower()] == []


def test_habit_alone_fills_no_party() -> None:
    """Besides the host at most three are at the cafe by routine while the party lasts."""
    there = at_place_between(load("valentines_party"), "cafe", 1, 17 * HOUR, 19 * HOUR)
    assert "Isabella Rodriguez" in there
    assert len(there) <= 4


def test_habit_leads_neither_friend_to_the_chess_evening() -> None:
    """In the smallest town only an invitation brings anybody there."""
    assert at_place_between(load("two_friends"), "kettle", 0, 18 * HOUR, 22 * HOUR) == set()


def test_two_residents_share_one_bathroom() -> None:
    """The dorm's bathroom holds one, and more than one wants it within the same half hour."""
    scenario = load("valentines_party")
    (bath,) = [room for place in scenario.town.places for room in place.rooms if room.name == "shared bathroom"]
    users = [item.at for person in scenario.people for item in person.routine if item.room == bath.name]
    assert bath.capacity == 1
    assert sum(7 * HOUR <= at < 7.5 * HOUR for at in users) > 1


def test_every_state_that_changes_belongs_to_a_thing_of_its_place() -> None:
    """The power cut's events name things that stand where they happen."""
    scenario = load("power_cut")
    things = {(place.id, thing.name) for place in scenario.town.places for thing in place.things}
    assert {(event.place, event.thing) for event in scenario.events if event.thing} <= things
