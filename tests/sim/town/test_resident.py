"""A resident alone with a scripted mind: what it does with a plan, an action, an appointment, and a closed door."""

from typing import Any

import pytest

from sim.log import events
from sim.mind.appointments import Commitment
from sim.mind.observation import Observation
from sim.mind.reply_schemas import Action, DayPlan
from sim.times import HOUR, MINUTE
from tests.scripts import ScriptedMind, Town


def plan(*blocks: tuple[str, str, str, str]) -> DayPlan:
    """Return a plan of (from, until, place, do)."""
    keys = ("from", "until", "place", "do")
    return DayPlan.model_validate({"blocks": [dict(zip(keys, block, strict=True)) for block in blocks]})


def of(log: list[Any], kind: type, who: str = "Ada Marsh") -> list[Any]:
    """Return the events of one kind and person."""
    return [event for event in log if isinstance(event, kind) and getattr(event, "who", None) == who]


def first(do: str, **rest: Any) -> Any:
    """Return what makes a mind choose *do* at its first look around, and go on with the plan from then on."""
    left = [Action(do=do, **rest)]
    return lambda view: left.pop() if left else None


def test_a_plan_is_walked_to_and_done() -> None:
    """Who plans to mill from nine walks there by then, and is seen to mill; walking takes the distance."""
    log = Town(ScriptedMind([plan(("09:00", "11:00", "the Mill", "milling"))])).live()
    left, arrived = of(log, events.Left)[0], of(log, events.Arrived)[0]
    assert (left.to, arrived.place, arrived.t - left.t) == ("mill", "mill", 600)
    assert "milling" in [event.do for event in of(log, events.Started)]


def test_without_a_plan_the_routine_is_kept() -> None:
    """A mind that gives no plan leaves its resident to the usual day, and the log says so."""
    log = Town(ScriptedMind()).live()
    assert of(log, events.Planned)[0].reason == "the usual day, for want of a plan"
    assert "milling" in [event.do for event in of(log, events.Started)]


def test_a_place_that_is_not_there_is_home_and_is_told() -> None:
    """A plan for a place that the town does not have is carried out at home, and counted as a fall-back."""
    log = Town(ScriptedMind([plan(("09:00", "11:00", "the Moon", "digging"))])).live()
    assert "there is no place 'the Moon'" in of(log, events.FellBack)[0].reason
    digging = next(event for event in of(log, events.Started) if event.do == "digging")
    assert digging.place == "ada"


def test_a_closed_place_sends_its_guest_home() -> None:
    """Who comes to the mill after it has closed turns back, and spends the time at home."""
    log = Town(ScriptedMind([plan(("13:00", "14:00", "the Mill", "grinding"))])).live()
    assert of(log, events.TurnedBack)[0].reason == "closed"
    assert of(log, events.PlanChanged)[0].reason == "could not get into the Mill"
    assert "grinding" not in [event.do for event in of(log, events.Started)]
    assert of(log, events.Started)[-1].place == "ada"


def test_what_a_plan_leaves_open_is_the_usual_day() -> None:
    """A plan that says nothing of the usual hour at the mill does not cancel it."""
    log = Town(ScriptedMind([plan(("13:00", "14:00", "Ada's house", "reading"))])).live()
    (planned,) = of(log, events.Planned)
    assert [(block["place"], block["do"]) for block in planned.blocks if block["do"] != "spending time at home"] == [
        ("mill", "milling"), ("ada", "reading"),
    ]  # fmt: skip


def test_nobody_stays_past_closing() -> None:
    """A block that outlasts the opening hours ends when they do."""
    log = Town(ScriptedMind([plan(("11:00", "15:00", "the Mill", "milling"))])).live()
    went = [event for event in of(log, events.Left) if event.place == "mill"]
    assert went
    assert went[0].t <= 4 * HOUR


def test_an_action_here_is_done_for_as_long_as_it_says() -> None:
    """An action of forty minutes begins at once and ends forty minutes later."""
    log = Town(ScriptedMind(acts=first("weaving", minutes=40))).live()
    weaving = next(event for event in of(log, events.Started) if event.do == "weaving")
    assert weaving.until - weaving.t == 40 * MINUTE


def test_a_minute_is_too_short_to_be_asked_again_for() -> None:
    """A model that names one minute is not asked again every minute of the day."""
    log = Town(ScriptedMind(acts=first("weaving", minutes=1))).live()
    weaving = next(event for event in of(log, events.Started) if event.do == "weaving")
    assert weaving.until - weaving.t == 10 * MINUTE


def test_an_action_elsewhere_changes_the_plan_and_is_gone_to() -> None:
    """Choosing another place is a changed plan with the action's reason; one finishes up before one leaves."""
    log = Town(ScriptedMind(acts=first("having a drink", place="the Inn", minutes=60, reason="I am thirsty."))).live()
    changed = of(log, events.PlanChanged)[0]
    went = next(event for event in of(log, events.Left) if event.to == "inn")
    assert (changed.reason, went.t - changed.t) == ("I am thirsty.", 15 * MINUTE)


def test_an_action_at_a_place_unheard_of_stays_here() -> None:
    """A place that cannot be made out is the present one, and the log says so."""
    log = Town(ScriptedMind(acts=first("digging", place="the Moon", minutes=30))).live()
    assert of(log, events.FellBack)[0].prompt == "agent_action"
    assert next(event for event in of(log, events.Started) if event.do == "digging").place == "ada"


@pytest.mark.parametrize(
    ("talk_to", "who"),
    [
        ("Bo Reed", "Bo Reed"),
        ("bo", "Bo Reed"),
        ("Bo.", "Bo Reed"),
        ("Mr. Reed", "Bo Reed"),
        ("Cy", None),
        (None, None),
    ],
    ids=str,
)
def test_a_partner_is_somebody_present_by_name_or_first_name(talk_to: str | None, who: str | None) -> None:
    """Whom an action means is looked for among those who are here and free."""
    town = Town(ScriptedMind(), ScriptedMind())
    for resident in town.residents:
        resident.spot = town.world.spot("inn")
        resident.body.asleep = False
        resident.spot.enter(resident.body)
    found = town.residents[0]._partner(talk_to)
    assert (found.name if found else None) == who


def test_what_one_sees_is_the_place_the_others_and_the_things() -> None:
    """A view holds where one is, what is planned, who is there and what state things are in."""
    views: list[Observation] = []

    def look(view: Observation) -> None:
        views.append(view)

    Town(ScriptedMind([plan(("09:00", "11:00", "the Mill", "milling"))], acts=look)).live()
    seen = next(view for view in views if view.place == "the Mill")
    assert seen.things == (("millstone", ""),)
    assert seen.plan.startswith("Your plan until 11:00: milling.")
    assert seen.present == ()


def test_an_appointment_of_today_is_put_into_the_plan() -> None:
    """What is agreed in a talk is in the plan from then on, with whom it was agreed."""
    town = Town(ScriptedMind())
    ada = town.residents[0]
    ada.schedule.bed = 11 * HOUR
    ada.schedule.plan = (ada.schedule.idle_block(0, 11 * HOUR),)
    ada._keep_free(Commitment(8 * HOUR, 9 * HOUR, "the Inn", "playing cards"), "Bo Reed")
    assert [(block.t, block.place, block.do) for block in ada.schedule.plan][1] == (8 * HOUR, "inn", "playing cards")


def test_an_appointment_at_no_place_of_the_town_changes_nothing() -> None:
    """A place that is not there keeps no time free; the plan stays as it was."""
    town = Town(ScriptedMind())
    ada = town.residents[0]
    ada.schedule.bed = 11 * HOUR
    ada.schedule.plan = (ada.schedule.idle_block(0, 11 * HOUR),)
    ada._keep_free(Commitment(8 * HOUR, 9 * HOUR, "the Moon", "playing cards"), "Bo Reed")
    assert [block.do for block in ada.schedule.plan] == ["spending time at home"]


def test_whoever_is_tired_goes_home_to_bed() -> None:
    """At bedtime a resident who is elsewhere walks home and sleeps there."""
    log = Town(ScriptedMind([plan(("17:00", "19:00", "the Inn", "drinking"))])).live()
    slept = of(log, events.Slept)[0]
    assert slept.place == "ada"
    assert slept.t >= 11 * HOUR - 10 * MINUTE


@pytest.mark.parametrize(
    ("talk_to", "asleep", "why"),
    [
        ("Hugo", False, "nobody here is called 'Hugo'"),
        ("Bo (a friend)", True, "Bo Reed is asleep: talks to nobody"),
        ("no one", False, ""),
    ],
)
def test_the_log_says_why_nobody_is_talked_to(talk_to: str, asleep: bool, why: str) -> None:
    """A talk that a resident wanted and could not have is not lost in silence; who wants none loses none."""
    town = Town(ScriptedMind(), ScriptedMind())
    for resident in town.residents:
        resident.spot = town.world.spot("inn")
        resident.body.asleep = asleep
        resident.spot.enter(resident.body)
    assert town.residents[0]._partner(talk_to) is None
    noted = [event.reason.partition(" (")[0] for _, _, event in town._log if isinstance(event, events.FellBack)]
    assert noted == ([why] if why else [])
