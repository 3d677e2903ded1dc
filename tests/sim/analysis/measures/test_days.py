"""Talks, reflections, plans and spending are counted by what the log says."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from sim.analysis.measures.figure import split_figures
from sim.analysis.measures.plans import plan_figures, plans_of
from sim.analysis.measures.reflections import reflection_figures, reflections_of, sum_importance
from sim.analysis.measures.spending import spending_figures, spending_of
from sim.analysis.measures.talks import count_parts, talk_figures, talks_of
from sim.analysis.measures.timeline import Stay
from sim.log.events import Decided, Event, FellBack, PlanChanged, Planned, Reflected, TalkEnded, TalkStarted
from tests.small_logs import ADA, BO, begun, folder_of, keeps, numbered, says

START = datetime(2031, 5, 5, 6)
MIDNIGHT = 64_800


def talk(t: int, name: str, *, capped: bool = False, ends: int = 30) -> list[Event]:
    """Return a talk of two utterances."""
    about: dict[str, Any] = {"talk": name, "who": ADA, "to": [BO], "place": "inn"}
    first, second = (says(t + i, ADA, BO, "one two three") for i in (1, 2))
    return [
        TalkStarted(t=t, **about), first, second,
        TalkEnded(t=t + ends, reason="done", turns=2, capped=capped, **about),
    ]  # fmt: skip


def test_talks_are_counted_by_the_day_on_which_they_began() -> None:
    """The first day ends at midnight, not 24 hours after the start."""
    found = talks_of(numbered(*talk(100, "a"), *talk(MIDNIGHT - 10, "b", capped=True)), START, MIDNIGHT + 900)
    assert [(day.talks, day.capped) for day in found.days] == [(2, 1), (0, 0)]
    assert (found.whole.utterances, found.whole.words) == (4, 12)


def test_the_share_of_capped_talks_is_among_the_ended() -> None:
    """A talk still under way when the log breaks off is not among them."""
    log = numbered(*talk(100, "a", capped=True), *talk(200, "b")[:2])
    numbers, _ = split_figures([talk_figures(talks_of(log, START, 400), count_parts(log), 2.0)])
    assert numbers == {
        "talks": 2, "talks held": 2, "utterances per talk": 1.5, "words per utterance": 3, "talks capped": 1,
    }  # fmt: skip


def test_silence_has_no_words_per_utterance() -> None:
    """What cannot be divided is None with a reason, and no talks are 0."""
    numbers, reasons = split_figures([talk_figures(talks_of([], START, 400), 0, 2.0)])
    assert numbers["talks"] == 0
    assert numbers["talks capped"] is None
    assert reasons["talks capped"] == "no talk has ended"


def insights(*texts_and_evidence: tuple[str, list[int]]) -> list[tuple[int, Event]]:
    """Return a log with three observations of one resident and a reflection on them."""
    seen = [keeps(i, ADA, i, f"thing {i}", 0) for i in (1, 2, 3)]
    kept = [
        keeps(9, ADA, 4 + i, text, memory_kind="reflection", evidence=evidence)
        for i, (text, evidence) in enumerate(texts_and_evidence)
    ]
    made = [memory.id for memory in kept]
    return numbered(*seen, *kept, Reflected(t=9, who=ADA, total=160, questions=[], insights=made, dropped=1))


def test_an_insight_in_other_words_is_a_duplicate() -> None:
    """The same matter counts as said before, whatever the small words."""
    log = insights(
        ("Bo loves the old mill.", [1, 2]), ("It is the old mill that Bo loves.", [2, 3]), ("Rain comes.", [1, 3])
    )
    (one,) = reflections_of(log, 150).each
    assert (one.insights, one.duplicates, one.thin, one.dropped) == (3, 1, 0, 1)


def test_an_insight_in_the_same_words_is_repeated() -> None:
    """Word for word is less than in like words, and is said of the one resident alone."""
    log = insights(("Bo is kind.", [1, 2]), ("It is Bo who is kind.", [2, 3]), ("Bo is kind.", [1, 3]))
    found = reflections_of(log, 150)
    assert (found.each[0].duplicates, found.each[0].repeated) == (2, 1)
    assert split_figures([reflection_figures(found, 0, 1.0)])[0]["insights repeated"] == pytest.approx(1 / 3)
    assert split_figures([reflection_figures(found, 0, 1.0)])[0]["memories"] == len(log) - 1


def test_thin_insights_rest_on_one_observation_however_deep() -> None:
    """An insight on an insight on one observation is thin; on two different ones it is not."""
    log = insights(("First thought.", [1]), ("Second matter.", [4]), ("Third subject.", [4, 2]))
    assert reflections_of(log, 150).each[0].thin == 2


def test_a_reflection_sets_the_total_back() -> None:
    """The curve falls to 0 where somebody reflected."""
    log = numbered(
        keeps(5, ADA, 1, "x", 0, total=5.0),
        Reflected(t=9, who=ADA, total=160, questions=[], insights=[], dropped=0),
    )
    assert [tuple(m) for m in reflections_of(log, 150).totals[ADA]] == [(5, 5.0), (9, 160), (9, 0)]


def test_importance_gathered_leaves_out_what_was_there_before() -> None:
    """Seed memories and conclusions come from no event."""
    assert sum_importance(numbered(keeps(1, ADA, 1, "before"), keeps(1, ADA, 2, "seen", 0, importance=3.0))) == 3


def test_nobody_reflected_is_no_share() -> None:
    """Reflections are 0 a day then, and all shares of insights None."""
    numbers, reasons = split_figures([reflection_figures(reflections_of([], 150), 0, 1.0)])
    assert numbers["reflections"] == 0
    assert numbers["insights thin"] is None
    assert reasons["insights per reflection"] == "nobody reflected"


def block(t: int, until: int, place: str) -> dict[str, Any]:
    return {"t": t, "until": until, "place": place, "do": "work"}


def test_plans_are_kept_where_people_are_when_they_say() -> None:
    """Ten minutes on the way are not kept; the plan in force is the latest."""
    log = numbered(
        Planned(t=0, who=ADA, blocks=[block(0, 1000, "inn"), block(1000, 3000, "mill")], reason=""),
        PlanChanged(t=2000, who=ADA, blocks=[block(1000, 2500, "inn"), block(2500, 3000, "inn")], reason="a guest"),
    )
    stays = {ADA: [Stay(0, 1000, "inn"), Stay(1000, 1600, None), Stay(1600, 3000, "mill")]}
    found = plans_of(log, stays, 3000)
    assert (found.planned_s, found.kept_s) == (3000, 1400)
    assert [(change.who, change.reason) for change in found.changes] == [(ADA, "a guest")]
    assert split_figures([plan_figures(found, 2.0)])[0] == {"plan adherence": 1400 / 3000, "plan changes": 0.5}


def test_only_what_the_log_covers_counts_as_planned() -> None:
    """A run that broke off is not blamed for the rest of the day; odd blocks are passed over."""
    blocks = [block(0, 9000, "inn"), {"t": "?", "until": 3, "place": None}]
    log = numbered(Planned(t=0, who=ADA, blocks=blocks, reason=""))
    assert plans_of(log, {ADA: [Stay(0, 500, "inn")]}, 500).adherence == {ADA: 1}


def test_spending_is_read_from_the_manifest(tmp_path: Path) -> None:
    """Dollars are None where a model has no price."""
    summary = {"calls": 10, "tokens_in": 700, "tokens_out": 300, "dollars": 0.5, "calls_by_prompt": {"act": 10}}
    run = folder_of(tmp_path / "a", begun(), summary=summary)
    unpriced = folder_of(tmp_path / "b", begun(), summary=summary | {"unpriced_models": ["m"]})
    assert split_figures([spending_figures(spending_of(run, []), 2.0)])[0] == {
        "calls": 5, "tokens": 500, "dollars": 0.5, "fallbacks": None,
    }  # fmt: skip
    assert spending_of(unpriced, []).dollars is None


def test_a_running_run_is_counted_from_its_calls(tmp_path: Path) -> None:
    """Before the end the manifest does not say; a torn last line is passed over."""
    run = folder_of(tmp_path, begun())
    call = {"key": "k", "model": "m", "request": {"who": ADA, "prompt": "act"}, "reply": "x", "usage": {"tokens_in": 7}}
    (tmp_path / "calls.jsonl").write_text(f'{json.dumps(call)}\n{{"key": "l', encoding="utf-8")
    found = spending_of(run, [])
    assert (found.calls, found.by_prompt, found.tokens_in, found.dollars) == (1, {"act": 1}, 7, None)


def test_without_calls_the_spending_is_unknown(tmp_path: Path) -> None:
    """None, not 0."""
    numbers, reasons = split_figures([spending_figures(spending_of(folder_of(tmp_path, begun()), []), 2.0)])
    assert numbers["calls"] is None
    assert reasons["dollars"] == "the run's folder does not hold its calls"


@pytest.mark.parametrize(("decided", "fallbacks"), [(True, 0.0), (None, 0.5)])
def test_fallbacks_are_a_share_of_the_answers(tmp_path: Path, decided: bool | None, fallbacks: float) -> None:
    """An answer that was read, and only a part of it not used, is no fallback."""
    log = numbered(
        Decided(t=1, who=ADA, prompt="p", call="k", decision={}),
        FellBack(t=1, who=ADA, prompt="p", reason="x", decided=decided),
    )
    found = spending_of(folder_of(tmp_path, begun()), log)
    assert split_figures([spending_figures(found, 1.0)])[0]["fallbacks"] == fallbacks


def test_the_manifest_knows_of_answers_that_the_log_does_not_tell(tmp_path: Path) -> None:
    """Ratings that could be used are answers too."""
    run = folder_of(tmp_path, begun(), summary={"calls": 9, "answers": 8, "unusable": 2})
    log = numbered(FellBack(t=1, who=ADA, prompt="importance_rating", reason="x"))
    assert split_figures([spending_figures(spending_of(run, log), 1.0)])[0]["fallbacks"] == 2 / 8
