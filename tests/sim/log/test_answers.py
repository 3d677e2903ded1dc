"""Answers are counted by prompt, whatever is written of them."""

from pathlib import Path

from sim.log.answers import FEW, Answers, QuestionAsked, Share
from sim.log.events import Decided, Event, FellBack
from sim.log.run_folder import EventLog, Record

ADA = "Ada"


def asked(prompt: str, *, decides: bool = True) -> QuestionAsked:
    """Return a question of Ada's."""
    return QuestionAsked(t=1, prompt=prompt, decides=decides)


def fell(prompt: str, *, decided: bool | None = None) -> FellBack:
    """Return a fallback of Ada's."""
    return FellBack(t=1, who=ADA, prompt=prompt, reason="x", decided=decided)


def counted(*told: Event) -> Answers:
    """Return what is counted of some events."""
    answers = Answers()
    for event in told:
        answers.count(event)
    return answers


def test_ratings_count_as_answers_but_hide_no_decision() -> None:
    """Of five answers one could not be used, and so of one decision."""
    answers = counted(*[asked("importance_rating", decides=False)] * 4, asked("plan_day"), fell("plan_day"))
    assert (answers.all(), answers.decisions()) == (Share(1, 5), Share(1, 1))


def test_an_answer_with_several_unusable_parts_counts_once() -> None:
    """Two unknown places in one plan are one answer that could not be used in part, two plans are two."""
    plan: list[Event] = [asked("plan_day"), Decided(t=1, who=ADA, prompt="plan_day", call="k", decision={})]
    part = fell("plan_day", decided=True)
    answers = counted(*plan, part, part, *plan, part)
    assert answers.all() == Share(2, 2)
    assert answers.summary()["unusable_share"] == 0
    assert answers.summary()["partly_unusable"] == 2


def test_a_kind_is_useless_only_if_none_of_a_few_answers_could_be_used() -> None:
    """One bad answer alone may be chance, and a good one clears its kind."""
    once: list[Event] = [asked("a"), fell("a")]
    twice: list[Event] = [asked("b"), fell("b")] * FEW
    mixed: list[Event] = [asked("c"), asked("c"), asked("c"), fell("c"), fell("c")]
    assert counted(*once, *twice, *mixed).unusable_prompts() == ["b"]


def test_a_share_exceeds_only_what_is_more_than_allowed() -> None:
    """A fifth is not more than a fifth, and a share of too few says nothing."""
    assert [Share(n, 10).exceeds(0.2) for n in (2, 3)] == [False, True]
    assert not Share(9, 10).exceeds(0.2, least=11)


def test_no_answers_are_no_share(tmp_path: Path) -> None:
    """A run that asked nothing lost nothing."""
    assert counted().summary()["unusable_share"] == 0
    assert not counted().all().exceeds(0)


def test_what_was_asked_is_shown_to_the_watcher_in_order_and_not_written(tmp_path: Path) -> None:
    """Questions stand between the events of their place and second, and take no number."""
    seen: list[str] = []
    log = EventLog(tmp_path / "events.jsonl", lambda event: seen.append(event.kind))
    log.put(Record(fell("b")), 1)
    log.put(Record(asked("a")), 0)
    log.put(Record(fell("a")), 0)
    log.write(2)
    log.close()
    assert seen == ["asked", "fell_back", "fell_back"]
    assert (log.n, (tmp_path / "events.jsonl").read_text().count("\n")) == (2, 2)
