"""The four engines: what each keeps, asks and gives."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.errors import InputError, SettingError
from memory.prompts import fill, load_prompt, variables_of
from memory.record import Fell
from memory.relationships import (
    PROMPTS,
    Distorted,
    Heard,
    Moved,
    SocialMemory,
    SocialSettings,
    SocialState,
    Summarised,
    open_social,
)
from memory.relationships.distortion import lost

START = datetime(2024, 5, 6, 8)
NOTE = (
    '{"relation": "helpful", "tone": "supportive", "affinity": 0.4, "claim": "Ben brings honey", "topics": ["honey"]}'
)
QUARREL = [
    ("Ben", "You are wrong about the hall."),
    ("Ana", "I disagree."),
    ("Ben", "You idiot!"),
    ("Ana", "How dare you!"),
]
PEACE = [("Ben", "I'm sorry, I shouldn't have said that."), ("Ana", "Thank you, I'm sorry too.")] * 2


class Model:
    """Replies what it is told to, by prompt; what it was asked is kept."""

    def __init__(self, **replies: str) -> None:
        self.replies, self.asked = replies, list[str]()

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Return the reply for that prompt, once its variables have filled it."""
        fill(prompt_name, variables)
        self.asked.append(prompt_name)
        return self.replies.get(prompt_name, "")


def opened(engine: str = "compact", model: Model | None = None, **changes: Any) -> SocialMemory:
    """Return Ana's engine; Ben is a friend."""
    knows = {"Ben": "a friend from the choir"}
    chosen = SocialSettings(engine=engine, **changes)  # type: ignore[arg-type]
    return open_social("Ana", chosen, seed=7, start=START, knows=knows, model=model)


def turn(number: int, by: str, text: str, **more: Any) -> Heard:
    """Return a turn between Ana and Ben."""
    return Heard(number, by, ("Ben",) if by == "Ana" else ("Ana",), text, **more)


def after(memory: SocialMemory, turns: list[tuple[str, str]], **more: Any) -> list[Any]:
    """Let *memory* hear *turns*, a minute each, and return the records."""
    records: list[Any] = []
    for number, (by, text) in enumerate(turns, 1):
        records += memory.heard(turn(number, by, text, **more), START + timedelta(minutes=number)).records
    return records


def conflict(memory: SocialMemory, hours: float = 1) -> float:
    """Return Ana's conflict with Ben so many hours after the start."""
    card = memory.relation("Ben", START + timedelta(hours=hours))
    return 0.0 if card is None else card.metrics.conflict


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("interaction_note", {"agent_name", "other", "standing", "gist", "speaker", "listener", "utterance"}),
        ("relationship_summary", {"agent_name", "other", "standing", "old_summary", "reflections", "events"}),
        ("thread_gist", {"agent_name", "topic", "old_gist", "reflections", "conversation"}),
        ("town_mood", {"agent_name", "previous", "contributions"}),
        ("affect_check", {"agent_name", "other", "utterance"}),
        ("affect_rewrite", {"agent_name", "other", "utterance", "memories", "draft"}),
    ],
)
def test_prompts_have_these_variables(name: str, variables: set[str]) -> None:
    """What the engine passes is what the prompt files ask for."""
    assert variables_of(load_prompt("memory", name)) == variables
    assert name in PROMPTS


def test_a_quarrel_raises_conflict_and_peace_lowers_it() -> None:
    """By rule alone; time lowers it too."""
    memory = opened()
    after(memory, QUARREL)
    hot = conflict(memory)
    assert hot > 1
    after(memory, PEACE)
    assert conflict(memory) < hot - 0.5
    assert conflict(memory, 24) < conflict(memory)


def test_cards_are_one_sided() -> None:
    """What Eva overhears changes no card of hers; what Ana says to Ben changes Ana's own."""
    eva = open_social("Eva", SocialSettings(), seed=7, start=START)
    noted = eva.heard(turn(1, "Ben", "You idiot!"), START)
    assert eva.relation("Ben", START) is None
    assert noted.event is not None
    assert noted.event.others == ()
    ana = opened()
    ana.heard(turn(1, "Ana", "You idiot!"), START)
    assert conflict(ana, 0) > 0


def test_compact_asks_no_model() -> None:
    """Even where there is one."""
    model = Model()
    memory = opened("compact", model)
    after(memory, QUARREL * 5, thread="the hall", public=True)
    memory.cues("Ben", "the hall", START + timedelta(hours=1), thread="the hall")
    assert model.asked == []


def test_full_asks_for_notes_summaries_gists_and_moods() -> None:
    """A note a turn, a summary every fourth, a gist at first and every fourth, a mood at once."""
    model = Model(interaction_note=NOTE, relationship_summary="Ben is kind.", thread_gist='{"gist": "Honey."}',
                  town_mood='{"digest": "Calm.", "topics": ["honey"]}')  # fmt: skip
    memory = opened("full", model)
    records = after(memory, [("Ben", "Here is honey.")] * 4, thread="honey", public=True)
    counts = {name: model.asked.count(name) for name in PROMPTS}
    assert list(counts.values()) == [4, 1, 2, 1, 0, 0]
    assert {record.source for record in records if isinstance(record, Summarised)} == {"model"}
    card = memory.relation("Ben", START)
    assert card is not None
    assert (card.summary, card.evidence[-1].claim) == ("Ben is kind.", "Ben brings honey")


@pytest.mark.parametrize("reply", ["", "{}", "I'm sorry, I can't help with that.", "[MEMORY TIER A]"])
def test_each_useless_reply_falls_back_to_the_rule_and_says_so(reply: str) -> None:
    """LP-07, LP-08, LP-19: what is kept is what the rule reads, flagged, and the log knows of it."""
    memory = opened("full", Model(**dict.fromkeys(PROMPTS, reply)))
    by_rule = opened("compact")
    records = after(memory, QUARREL, thread="the hall", public=True)
    after(by_rule, QUARREL, thread="the hall", public=True)
    assert conflict(memory) == conflict(by_rule)
    assert {r.prompt for r in records if isinstance(r, Fell)} == set(PROMPTS[:4])
    assert {r.source for r in records if isinstance(r, Summarised)} == {"fallback"}
    assert memory.heard(turn(9, "Ben", "Hello"), START).note.source == "fallback"  # type: ignore[union-attr]


def test_a_model_that_raises_is_a_fallback_unless_it_must_stop() -> None:
    """LR-10: a failure of the model ends nothing, but a used-up budget does."""

    class Broken:
        def complete(self, prompt_name: str, /, **variables: str) -> str:
            raise TimeoutError("down")

    chosen = SocialSettings(engine="full")
    memory = open_social("Ana", chosen, seed=1, start=START, model=Broken())
    assert isinstance(memory.heard(turn(1, "Ben", "Hello"), START).records[0], Fell)
    strict = open_social("Ana", chosen, seed=1, start=START, model=Broken(), stop_on=(TimeoutError,))
    with pytest.raises(TimeoutError):
        strict.heard(turn(1, "Ben", "Hello"), START)


def test_a_gesture_is_a_light_signal() -> None:
    """It moves the numbers: no event, no evidence, no count; unless it is asked for."""
    memory = opened()
    snub = turn(1, "Ben", "Ben walks past", kind="gesture", gesture="snub")
    noted = memory.heard(snub, START)
    card = memory.relation("Ben", START)
    assert card is not None
    assert card.metrics.conflict == pytest.approx(0.6)
    assert (noted.event, card.events, card.evidence, memory.saved().events) == (None, 0, (), ())
    whole = opened(vote_signal_only=False).heard(snub, START)
    assert whole.event is not None
    assert whole.event.kind == "dislike"


def test_a_gesture_without_its_kind_is_refused() -> None:
    """The two belong together."""
    with pytest.raises(InputError, match="smile"):
        Heard(1, "Ben", (), "", kind="gesture")


@pytest.mark.parametrize(
    ("switch", "empty"), [("relationship_card", "cards"), ("thread_card", "threads")], ids=["cards", "threads"]
)
def test_each_switch_leaves_its_part_out(switch: str, empty: str) -> None:
    """The arms of an ablation."""
    changes: dict[str, Any] = {switch: False}
    memory = opened(**changes)
    after(memory, QUARREL, thread="the hall", public=True)
    assert getattr(memory.saved(), empty) == {}
    assert opened(digest=False).saved().mood.heard == ()


def test_what_is_lost_of_a_summary_can_be_measured() -> None:
    """The original is in the record, and the card keeps what was written."""
    memory = opened(social_drop=0.4)
    records = after(memory, [("Ben", "I think that the old hall by the river needs a new roof.")] * 7)
    distorted = [record for record in records if isinstance(record, Distorted)]
    assert distorted
    assert all(len(one.text.split()) == len(one.original.split()) - one.dropped for one in distorted)
    card = memory.relation("Ben", START)
    assert card is not None
    assert 0 < lost(card.summary_written, card.summary) < 1
    assert not [r for r in after(opened(distortion=False), QUARREL * 3) if isinstance(r, Distorted)]


def test_light_keeps_a_log_of_dealings() -> None:
    """One short note, the last five with this person; no cards."""
    memory = opened("light")
    after(memory, [("Ben", "Let me help you."), ("Ana", "You are wrong!"), ("Ben", "Fine weather.")])
    cues = memory.cues("Ben", "", START)
    assert cues.text == "Past dealings with Ben: helped, argued, talked"
    assert cues.trace.events == (1, 2, 3)
    assert memory.relation("Ben", START) is None
    assert memory.cues("Eva", "", START).text == ""


def test_none_keeps_nothing() -> None:
    """The arm without memory of others."""
    memory = opened("none")
    assert after(memory, QUARREL) == []
    assert memory.cues("Ben", "the hall", START).text == ""
    assert (memory.relation("Ben", START), memory.saved()) == (None, SocialState())


@pytest.mark.parametrize("engine", ["compact", "light"])
def test_a_saved_engine_goes_on_as_if_it_had_not_stopped(engine: str) -> None:
    """State goes through JSON in the middle; cards, moods, chance and cues are the same."""
    whole, first = opened(engine), opened(engine)
    turns = [*QUARREL, *PEACE] * 3
    more: dict[str, Any] = {"thread": "the hall", "public": True}
    records = after(whole, turns[:13], **more)
    assert after(first, turns[:13], **more) == records
    state = SocialState.from_json(json.loads(json.dumps(first.saved().to_json())))
    second = open_social("Ana", SocialSettings(engine=engine), seed=7, start=START, state=state)  # type: ignore[arg-type]
    assert after(second, turns[13:], **more) == after(whole, turns[13:], **more)
    assert second.saved() == whole.saved()
    later = START + timedelta(hours=5)
    assert second.cues("Ben", "the hall", later, thread="the hall") == whole.cues(
        "Ben", "the hall", later, thread="the hall"
    )


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(st.sampled_from(["Ana", "Ben", "Eva"]), st.text(max_size=60), st.booleans(), st.integers(0, 500)),
        max_size=15,
    )
)
def test_any_history_survives_a_checkpoint(turns: list[tuple[str, str, bool, int]]) -> None:
    """Whatever is said, numbers stay in range and the state is read back the same."""
    memory, now = opened(), START
    for number, (by, text, public, minutes) in enumerate(turns, 1):
        now += timedelta(minutes=minutes)
        clean = text.encode("utf-8", "ignore").decode()
        memory.heard(turn(number, by, clean, thread=f"t{number % 3}", public=public), now)
    state = memory.saved()
    assert SocialState.from_json(json.loads(json.dumps(state.to_json()))) == state
    assert all(abs(s.metrics.affinity) <= 5 and s.hours >= 0 for s in memory.standings(now))


def test_looking_changes_nothing() -> None:
    """Cues, relations, standings and the question whether to reflect leave the state as it is."""
    memory = opened(reflections=True)
    after(memory, QUARREL * 4, thread="the hall", public=True)
    before, later = memory.saved(), START + timedelta(hours=9)
    memory.cues("Ben", "the hall", later, thread="the hall")
    memory.relation("Ben", later)
    memory.standings(later)
    memory.threads(later)
    assert memory.reflection_due(later) == "periodic"
    assert memory.saved() == before


def test_reflections_follow_the_cadence() -> None:
    """Sixteen heated turns are reason enough to reflect early, once."""
    memory = opened(reflections=True)
    after(memory, QUARREL * 4)
    soon = START + timedelta(hours=1)
    assert memory.reflection_due(soon, "the hall") == "event"
    memory.reflected(soon)
    assert memory.reflection_due(soon + timedelta(hours=9)) is None


@pytest.mark.parametrize(
    ("engine", "switch", "due"), [("full", None, True), ("compact", None, False), ("full", False, False)]
)
def test_reflections_are_asked_for_by_the_engine_full(engine: str, switch: bool | None, due: bool) -> None:
    """Compact makes no model call of its own, so it asks for none unless it is told to."""
    memory = opened(engine, Model(), reflections=switch)
    after(memory, QUARREL * 4)
    assert (memory.reflection_due(START + timedelta(hours=9)) is not None) is due


def test_every_move_of_a_card_is_recorded() -> None:
    """For plots of the four numbers over time."""
    moved = [record.card for record in after(opened(), QUARREL) if isinstance(record, Moved)]
    assert [card.events for card in moved] == [1, 2, 3, 4]
    assert moved[-1].metrics.conflict > moved[0].metrics.conflict > 0


def test_the_mood_is_what_was_heard() -> None:
    """Who was not there knows nothing of it."""
    there, away = opened(layout="tiers"), opened(layout="tiers")
    for number in range(8):
        said = Heard(number, f"P{number % 4}", (), "The tower must stay, keep the tower!", public=True)
        there.heard(said, START + timedelta(hours=number / 2))
    later = START + timedelta(hours=5)
    assert "tower" in there.cues("Ben", "news", later).text
    assert "tower" not in away.cues("Ben", "news", later).text


def charged_engine(**replies: str) -> tuple[SocialMemory, Model]:
    """Return an engine with an opinion of Ana's about the tower, and its model."""
    model = Model(
        interaction_note='{"relation": "neutral", "claim": "I think the tower must stay for the harbour"}', **replies
    )
    memory = opened("full", model, high_affect=True, affect_classifier=True)
    memory.heard(turn(1, "Ana", "I think the tower must stay for the harbour."), START)
    return memory, model


def test_a_charged_turn_binds_the_answer_to_memory() -> None:
    """The draft ignores it, and is rewritten once."""
    memory, model = charged_engine(affect_rewrite="As I said, the tower must stay for the harbour.")
    charged = memory.charged("Do you still think the tower must stay?", "Ben", START)
    assert charged is not None
    assert "defence" in charged.affect.triggers
    assert "tower must stay for the harbour" in charged.block
    mended = memory.mended("Yes.", charged)
    assert (mended.uses_memory, mended.rewrites, model.asked.count("affect_rewrite")) == (True, 1, 1)


def test_a_useless_rewrite_leaves_the_draft() -> None:
    """LP-02: no error text is ever spoken; the failure is recorded."""
    memory, _ = charged_engine(affect_rewrite="HTTP 502 bad gateway")
    charged = memory.charged("Why do you cling to the tower?", "Ben", START)
    assert charged is not None
    mended = memory.mended("Because.", charged)
    assert (mended.text, mended.uses_memory) == ("Because.", False)
    assert [record.prompt for record in mended.records if isinstance(record, Fell)] == ["affect_rewrite"]


def test_calm_words_and_the_default_bind_nothing() -> None:
    """Off by default."""
    memory, _ = charged_engine()
    assert memory.charged("Good morning.", "Ben", START) is None
    assert opened().charged("Why did you do that?", "Ben", START) is None


def test_full_needs_a_model() -> None:
    """The message says what else would do."""
    with pytest.raises(SettingError, match="compact"):
        opened("full")


def test_another_versions_state_is_refused() -> None:
    """The message says what to do."""
    with pytest.raises(InputError, match="format 9"):
        open_social("Ana", SocialSettings(), seed=1, start=START, state=SocialState(format=9))


def test_a_classifier_that_fails_leaves_the_rules_finding() -> None:
    """The failure is recorded with what was detected."""
    memory, model = charged_engine()
    charged = memory.charged("Why do you cling to the tower?", "Ben", START)
    assert charged is not None
    assert charged.affect.triggers == ("criticism",)
    assert [record.prompt for record in charged.records if isinstance(record, Fell)] == ["affect_check"]
    assert model.asked[-1] == "affect_check"


def test_half_characters_reach_no_checkpoint() -> None:
    """SY-11: what UTF-8 cannot hold is replaced when it is heard, in the text and in the subject."""
    memory = opened()
    memory.heard(turn(1, "Ben", "I agree \ud83d", thread="the \ud83d hall", public=True), START)
    state = json.loads(json.dumps(memory.saved().to_json()).encode("utf-8"))
    assert SocialState.from_json(state) == memory.saved()


def test_times_with_and_without_a_zone_are_not_mixed() -> None:
    """TC-10: refused in one sentence, before anything is kept."""
    memory = opened()
    with pytest.raises(InputError, match="zone"):
        memory.heard(turn(1, "Ben", "Hello"), START.replace(tzinfo=UTC))
    with pytest.raises(InputError, match="zone"):
        memory.relation("Ben", START.replace(tzinfo=UTC))
    assert memory.saved().events == ()
