"""What the scenario brings about once something has come true, the same at any concurrency."""

from pathlib import Path

import pytest

from sim.errors import ScenarioError
from sim.scenario import loads
from sim.scenario.interventions import Condition, parse_condition
from tests.lives import VILLAGE, Line, kinds, live


def with_interventions(*lines: str) -> str:
    """Return the village with interventions."""
    return VILLAGE.replace(
        "\nmeasures:", "\ninterventions:\n" + "\n".join(f"  - {line}" for line in lines) + "\nmeasures:"
    )


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("knows party >= 10", Condition("knows", ("party",), 10)),
        ("attends the big party > 2", Condition("attends", ("the big party",), 3)),
        ("talks >= 5", Condition("talks", (), 5)),
        ("Ann Lee met Bo Hart", Condition("met", ("Ann Lee", "Bo Hart"))),
        ("Ann Lee is at cafe", Condition("at", ("Ann Lee", "cafe"))),
    ],
)
def test_conditions_are_read(text: str, condition: Condition) -> None:
    """Over measures, talks and whereabouts."""
    assert parse_condition(text) == condition


def first(log: list[Line], kind: str, text: str) -> Line:
    """Return the first event of that kind with *text*."""
    return next(line for line in kinds(log, kind) if text in line["text"])


@pytest.mark.slow
def test_it_comes_about_once_the_condition_holds_and_not_before(tmp_path: Path) -> None:
    """A happening within ten minutes of the second knower; a thought after the two have met; each once."""
    text = with_interventions(
        "{when: knows concert >= 2, place: barn, happens: The roof of the barn gives way., state: collapsed}",
        "{when: Osric Vane met Tilda Roe, who: Tilda Roe, thinks: I had better see to my scythe.}",
        "{when: talks >= 9999, happens: Nothing of the kind.}",
    )
    log = live(text, tmp_path / "one")
    knew = sorted(
        {line["who"]: line["t"] for line in reversed(kinds(log, "remembered")) if "lantern" in line["text"]}.values()
    )
    roof = first(log, "happened", "roof of the barn")
    assert knew[1] <= roof["t"] <= knew[1] + 1200
    assert [line["state"] for line in kinds(log, "place_changed")] == ["collapsed"]
    thought = first(log, "thought", "scythe")
    met = next(
        line["t"] for line in kinds(log, "talk_started") if {line["who"], *line["to"]} == {"Osric Vane", "Tilda Roe"}
    )
    assert thought["t"] >= met
    assert not [line for line in kinds(log, "happened") if "Nothing" in line["text"]]
    live(text, tmp_path / "many", concurrency=16)
    assert (tmp_path / "one" / "events.jsonl").read_bytes() == (tmp_path / "many" / "events.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{when: knows concrt >= 2, happens: x}", 'measures.knows has no "concrt" .did you mean "concert"'),
        ("{when: knows concert >= 4, happens: x}", "4 can never be reached by 3 residents"),
        ("{when: Osric met Tilda Roe, happens: x}", 'nobody is called "Osric"'),
        ("{when: Tilda Roe at moon, happens: x}", 'no place "moon"'),
        ("{when: the moon is full, happens: x}", "is no condition"),
        ("{when: talks >= 2, place: barn}", "an intervention needs who and thinks, or happens"),
    ],
)
def test_what_can_never_be_is_refused_with_its_line(line: str, said: str) -> None:
    """Names that there are not, numbers that cannot be reached, words that say nothing."""
    with pytest.raises(ScenarioError, match=said):
        loads(with_interventions(line))
