"""A mind with a scripted model: what it is asked, what it makes of the answers, and what it tells the log."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory import MemoryConfig, MemoryStream
from sim.errors import ModelError
from sim.log import events
from sim.mind.known_places import Gazetteer, KnownPlaces
from sim.mind.mind import TO_HEAR, TO_TELL, Mind
from sim.mind.observation import Observation, PresentPerson, Scene
from sim.mind.prompting import PromptClient
from sim.mind.settings_timeline import SettingsTimeline
from sim.models.recording import Budget, Meter, Recorder
from sim.scenario import loads
from sim.times import HOUR
from sim.world.world import Noticed
from tests.scripts import MILL, ScriptedModel


class Desk:
    """A mind that a test can hand things to."""

    def __init__(self, folder: Path, model: ScriptedModel, **overrides: str) -> None:
        self.scenario = loads(MILL, overrides={key.replace("__", "."): value for key, value in overrides.items()})
        self.model = model
        self.recorder = Recorder(folder / "calls.jsonl", Meter(lambda _: None, Budget()))
        client = PromptClient("Ada Marsh", self.recorder, model, {})
        self.mind = Mind(
            self.scenario.people[0],
            KnownPlaces(self.scenario.people[0], Gazetteer(self.scenario)), self.scenario.start, client,
            self._open(client), SettingsTimeline.of(self.scenario, model),
        )  # fmt: skip

    def _open(self, client: PromptClient) -> Any:
        config = MemoryConfig()
        return lambda journal: MemoryStream("Ada Marsh", rater=client, reflector=client, config=config, journal=journal)

    def told(self, kind: type) -> list[Any]:
        """Return what the mind has for the log, of one kind."""
        return [note.event for note in self.mind.journal.notes if isinstance(note.event, kind)]


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[Any]:
    """Make desks, and close their records."""
    made: list[Desk] = []

    def make(**lines: Any) -> Desk:
        overrides = lines.pop("overrides", {})
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Desk(folder, ScriptedModel(**lines), **overrides))
        return made[-1]

    yield make
    for desk in made:
        desk.recorder.close()


def view(t: int = HOUR, *, noticed: tuple[Noticed, ...] = (), present: tuple[PresentPerson, ...] = ()) -> Observation:
    """Return what Ada sees at the mill."""
    return Observation(
        t, "the Mill", "milling", "Your plan until 11:00: milling.", present, (("millstone", ""),), noticed
    )


def sight(t: int, text: str, near: int = 2) -> Noticed:
    """Return something noticed."""
    return Noticed(t, text, None, near=near)


def test_a_decision_is_returned_and_told(desks: Any) -> None:
    """An action comes back as it was read, and the log gets the call and the model's own words."""
    desk = desks(agent_action={"do": "sharpening the stone", "minutes": 30, "reason": "It is blunt."})
    action = desk.mind.act(view())
    assert (action.do, action.minutes, action.reason) == ("sharpening the stone", 30, "It is blunt.")
    decided = desk.told(events.Decided)[0]
    assert (decided.prompt, decided.decision["do"]) == ("agent_action", "sharpening the stone")
    assert decided.call


def test_trouble_is_a_fallback_and_no_memory(desks: Any) -> None:
    """No answer means None and a counted fallback; nothing of the trouble's words is remembered."""
    desk = desks(agent_action=ModelError("the server is on fire"))
    assert desk.mind.act(view()) is None
    assert "carries on with the plan: the server is on fire" in desk.told(events.FellBack)[0].reason
    assert not [memory for memory in desk.mind.stream.memories if "fire" in memory.text]


def test_an_unreadable_reply_is_asked_again_once(desks: Any) -> None:
    """A second reply that can be read is taken; two that cannot are a fallback."""
    desk = desks(agent_action=["hm", {"do": "milling"}])
    assert desk.mind.act(view()).do == "milling"
    assert len(desk.model.prompts("agent_action")) == 2
    mute = desks(agent_action="hm")
    assert mute.mind.act(view()) is None
    assert len(mute.model.prompts("agent_action")) == 2


def test_what_was_noticed_is_remembered_when_it_was_noticed(desks: Any) -> None:
    """Sights become observations with the second of the sight, not of the thought."""
    desk = desks(agent_action={"do": "milling"})
    desk.mind.act(view(HOUR, noticed=(sight(1800, "Bo Reed arrived at the Mill."),)))
    memory = desk.mind.stream.memories[0]
    assert (memory.text, memory.created.strftime("%H:%M")) == ("Bo Reed arrived at the Mill.", "08:30")


def test_the_same_sight_is_remembered_once_within_four_hours(desks: Any) -> None:
    """A sight seen again within hours is no new memory; after more than four it is."""
    desk = desks(agent_action={"do": "milling"})
    for t in (0, 3 * HOUR, 8 * HOUR):
        desk.mind.act(view(t + 60, noticed=(sight(t, "The wheel is turning."),)))
    assert [memory.text for memory in desk.mind.stream.memories] == ["The wheel is turning."] * 2


def test_what_is_recalled_stands_in_the_prompt(desks: Any) -> None:
    """The memory nearest to the situation is shown to the model, with its time."""
    desk = desks(agent_action={"do": "milling"})
    desk.mind.stream.observe("The millstone is cracked.", now=desk.scenario.start)
    desk.mind.act(view())
    assert "Mon 5 May 08:00: The millstone is cracked." in desk.model.prompts("agent_action")[0]
    assert [item["id"] for item in desk.told(events.Recalled)[0].items] == [1]


def shown_memories(prompt: str) -> list[str]:
    """Return the memories in a prompt."""
    return prompt.partition("<memories>")[2].partition("</memories>")[0].splitlines()


def test_memories_of_all_queries_stand_once_by_score(desks: Any) -> None:
    """Several queries bring back at most k memories together, the best first, whatever query found them."""
    desk = desks(agent_action={"do": "milling"}, overrides={"memory__k": "4"})
    for number in range(9):
        desk.mind.stream.observe(f"Bo Reed and the wheel at the Mill, day {number}.", now=desk.scenario.start)
    here = PresentPerson("Bo Reed", "idling", talkable=True)
    desk.mind.act(replace(view(), present=(here,)))
    found = desk.told(events.Recalled)
    assert [one.query for one in found] == ["milling at the Mill with Bo Reed", "What is my relation to Bo Reed?"]
    best: dict[int, float] = {}
    for item in (item for one in found for item in one.items):
        best[item["id"]] = max(item["score"], best.get(item["id"], 0.0))
    shown = shown_memories(desk.model.prompts("agent_action")[0])
    assert len(shown) == 4
    ranks = [best[int(line[-2]) + 1] for line in shown]
    assert ranks == sorted(best.values(), reverse=True)[:4]


def test_news_is_searched_for_where_the_scenario_says_so(desks: Any) -> None:
    """By default only the paper's queries are asked; `news` adds what one wants to tell and to hear, in company."""
    here = PresentPerson("Bo Reed", "idling", talkable=True)
    desk = desks(agent_action={"do": "milling"}, overrides={"mind__queries": "[situation, news]"})
    desk.mind.stream.observe("There is a fair.", now=desk.scenario.start)
    desk.mind.act(replace(view(), present=(here,)))
    assert [one.query for one in desk.told(events.Recalled)][1:] == [TO_TELL, TO_HEAR]


def test_a_plan_is_read_into_blocks(desks: Any) -> None:
    """A plan's times come back as seconds of the day."""
    block = {"from": "09:00", "until": "11:00", "place": "the Mill", "do": "milling"}
    desk = desks(plan_day={"blocks": [block]})
    plan = desk.mind.plan_day(0, 11 * HOUR, ())
    assert [(b.begin, b.until, b.place) for b in plan.blocks] == [(9 * HOUR, 11 * HOUR, "the Mill")]
    assert "19:00" in desk.model.prompts("plan_day")[0]  # bedtime


def talk(t: int, *said: tuple[str, str]) -> Scene:
    """Return a talk with Bo at the inn."""
    return Scene(t, t, "the Inn", "Bo Reed", tuple(said), ())


def test_who_has_met_nobody_is_told_so(desks: Any) -> None:
    """A stranger is a stranger in the prompt of a talk, and what was said so far stands in it."""
    desk = desks(dialogue_turn={"say": "Good day.", "end": False})
    assert desk.mind.speak(talk(HOUR, ("Bo Reed", "Hello there."))).say == "Good day."
    prompt = desk.model.prompts("dialogue_turn")[0]
    assert "You do not know each other yet." in prompt
    assert "Bo Reed: Hello there." in prompt


def test_who_has_talked_is_told_so_with_when_and_what_about(desks: Any) -> None:
    """A second talk is no introduction, whatever the scenario said of the two; both learn why it was begun."""
    desk = desks(
        dialogue_turn={"say": "Good day."}, talk_summary={"summary": "Bo sells eggs."}, agent_action={"do": "milling"}
    )
    desk.mind.keep(talk(HOUR, ("Bo Reed", "Eggs?")))
    desk.mind.speak(replace(talk(2 * HOUR), reason="I want to buy eggs."))
    prompt = desk.model.prompts("dialogue_turn")[0]
    assert "You know each other. You last talked today at 09:00: Bo sells eggs." in prompt
    assert "Why you began this talk: I want to buy eggs." in prompt
    desk.mind.act(view(3 * HOUR))
    assert "- 09:00: I talked with Bo Reed. Bo sells eggs." in desk.model.prompts("agent_action")[0]


def test_who_recalls_nothing_is_told_of_no_talk(desks: Any) -> None:
    """Where nothing is recalled, neither the last hours nor what a talk was about are told."""
    desk = desks(
        dialogue_turn={"say": "Good day."},
        talk_summary={"summary": "Eggs."},
        agent_action={"do": "milling"},
        overrides={"memory__recall": "false"},
    )
    desk.mind.keep(talk(HOUR, ("Bo Reed", "Eggs?")))
    desk.mind.speak(talk(2 * HOUR))
    desk.mind.act(view(3 * HOUR))
    shown = desk.model.prompts("dialogue_turn")[0] + desk.model.prompts("agent_action")[0]
    assert "You know each other." in shown
    assert "Eggs" not in shown


def test_a_rating_knows_whose_memory_it_is(desks: Any) -> None:
    """The seed's page is the user's message, word for word; who the person is stands in the system's."""
    desk = desks(agent_action={"do": "milling"})
    desk.mind.act(view(HOUR, noticed=(sight(1800, "Bo Reed arrived."),)))
    system, user = next(r for r in desk.model.asked if r.prompt == "importance_rating").messages
    assert (system["role"], desk.mind.summary in system["content"]) == ("system", True)
    assert user["content"].startswith("On a scale of 1 to 10, where 1 is purely mundane (such as brushing teeth\n")


def test_a_talk_is_kept_with_its_evidence_and_appointments(desks: Any) -> None:
    """The gist is a memory that rests on what was heard; an appointment is a plan in mind and comes back."""
    agreed = {"date": "2031-05-05", "from": "17:00", "until": "18:00", "place": "the Inn", "do": "playing cards"}
    desk = desks(talk_summary={"summary": "Bo wants to play cards.", "appointments": [agreed]})
    scene = Scene(HOUR, HOUR, "the Inn", "Bo Reed", (("Bo Reed", "Cards at five?"),), (sight(HOUR, "Cards?", 0),))
    kept = desk.mind.keep(scene)
    assert [(c.t, c.until, c.place) for c in kept.agreed] == [(9 * HOUR, 10 * HOUR, "the Inn")]
    heard, gist, plan = desk.mind.stream.memories
    assert (gist.kind, gist.evidence) == ("talk", (heard.id,))
    assert plan.kind == "plan"
    assert plan.text == "I agreed to be at the Inn on Monday 5 May 2031 from 17:00 to 18:00: playing cards"


def test_an_appointment_that_is_over_is_none(desks: Any) -> None:
    """What was agreed for an hour that has passed is not kept; the talk itself is."""
    agreed = {"date": "2031-05-05", "from": "08:00", "place": "the Inn", "do": "playing cards"}
    desk = desks(talk_summary={"summary": "Bo wanted to play.", "appointments": [agreed]})
    assert desk.mind.keep(talk(5 * HOUR, ("Bo Reed", "Cards?"))).agreed == ()
    assert [memory.text for memory in desk.mind.stream.memories] == ["Bo wanted to play."]


def test_who_makes_no_plans_keeps_no_appointments(desks: Any) -> None:
    """Under an arm without planning an appointment is neither remembered nor returned."""
    agreed = {"date": "2031-05-05", "from": "17:00", "place": "the Inn", "do": "playing cards"}
    desk = desks(talk_summary={"summary": "Cards.", "appointments": [agreed]}, overrides={"mind__planning": "false"})
    assert desk.mind.keep(talk(HOUR, ("Bo Reed", "Cards?"))).agreed == ()
    assert [memory.kind for memory in desk.mind.stream.memories] == ["talk"]


LILIES = (PresentPerson("Lily Arne", "", True), PresentPerson("Lily Berg", "", True))


def test_a_name_that_two_present_bear_is_asked_again_with_both(desks: Any) -> None:
    """The second try says who may be meant, and its answer counts."""
    desk = desks(agent_action=[{"do": "milling", "talk_to": "Lily"}, {"do": "milling", "talk_to": "Mrs. Berg"}])
    assert desk.mind.act(view(present=LILIES)).talk_to == "Mrs. Berg"
    assert "'Lily' may be Lily Arne or Lily Berg" in desk.model.prompts("agent_action")[1]


def test_an_unknown_name_costs_no_more_than_the_talk(desks: Any) -> None:
    """Where the second reply cannot be read at all, what the first one decided is done."""
    desk = desks(agent_action=[{"do": "milling", "talk_to": "Hugo"}, "hm"])
    assert desk.mind.act(view(present=LILIES)).do == "milling"
    assert "nobody here is called 'Hugo' (here: Lily Arne, Lily Berg)" in desk.model.prompts("agent_action")[1]


def test_a_clear_name_is_asked_for_once(desks: Any) -> None:
    """A decorated name, or nobody's, needs no second try."""
    desk = desks(agent_action=[{"do": "milling", "talk_to": '"Lily Arne" (a friend)'}, {"do": "a", "talk_to": "none"}])
    desk.mind.act(view(present=LILIES))
    desk.mind.act(view(present=LILIES))
    assert len(desk.model.prompts("agent_action")) == 2
