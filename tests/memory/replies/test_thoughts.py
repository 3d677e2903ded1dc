"""What is left of a reply when thoughts, template marks and fences are cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.replies import answer_of, parse_insights, parse_rating
from memory.replies.objects import read_objects
from memory.replies.thoughts import complete_lines, read_words

SPELLINGS = [
    "<think>say 3</think>\n8",
    "<THINK>say 3</Think>8",
    '<think type="draft">say 3</think>8',
    "<thinking>say 3</thinking>\n8",
    "<reasoning>3 or 4?</reasoning>\n8",
    "<thought>3</thought>8",
    "<analysis>3</analysis>\n<scratchpad>4</scratchpad>\n8",
    "<seed:think>3</seed:think>8",
    "&lt;think&gt;3&lt;/think&gt;8",
    "[THINK]3[/THINK]8",
    "◁think▷3◁/think▷8",
    "<|START_THINKING|>3<|END_THINKING|><|START_RESPONSE|>8<|END_RESPONSE|>",
    "<|begin_of_thought|>3<|end_of_thought|><|begin_of_solution|>8<|end_of_solution|>",
    "<|channel|>analysis<|message|>3<|end|><|start|>assistant<|channel|>final<|message|>8<|return|>",
    "analysisWe need 3 of it.assistantfinal8",
    "Here is my thought process: say 3\nHere is my response:\n8",
    "<think>3</think><think>4</think>8",
    "<think>a <think>3</think> c</think>8",
    '<think>It ends with "</think>", so 3</think>8',
    "say 3 perhaps</think>\n8",
    "Maybe a 3\n</think>\n8",
    "</think>8",
    "<think>3</think>\n```\n8\n```",
    "<think>3</think>\n<answer>8</answer>",
    "<|im_start|>assistant\n8<|im_end|>",
    "<|start_header_id|>assistant<|end_header_id|>\n\n8<|eot_id|><|start_header_id|>user",
    "<start_of_turn>model\n8<end_of_turn>",
    "8</s>",
]
UNENDED = [
    "<think>I would go for 4",
    "<think>It may be a 7",
    '<think>{"do": "go"}',
    "<think>a</think> <think>b 4",
    "[THINK]4",
    "◁think▷4",
    "<|channel|>analysis<|message|>4",
    "analysisWe need 4",
]
WORDS = [
    'I wrote "<think>" on the wall.',
    "Tags like <reasoning> are odd.",
    "The sign says <think>look</think> twice.",
    'Her note ends with "</think>", he said.',
    "[thinking] Well, I will come.",
    "Analysis of the day: good",
    '{"say": "I wrote \\"<think>\\" on the wall.", "end": true}',
    "{'say': 'Tags like <reasoning> are odd.',}",
    'Sure: {"say": "<think> is a tag"}',
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_thoughts_of_every_spelling_are_cut(text: str) -> None:
    """Closed, several, nested, with a swallowed beginning, in channels; marks of templates and fences go too."""
    assert answer_of(text) == "8"
    assert parse_rating(text) == 8


@pytest.mark.parametrize("text", UNENDED)
def test_a_thought_without_an_end_is_no_answer(text: str) -> None:
    """Nothing of an open thought is read (faults LQ-04, A1)."""
    assert answer_of(text) == ""
    assert parse_rating(text) is None
    with pytest.raises(ValueError, match="thoughts and no answer"):
        read_objects(text)


@pytest.mark.parametrize("text", WORDS)
def test_a_mark_that_somebody_writes_about_stays(text: str) -> None:
    """In quotes, amid a sentence, or within JSON it is a word (fault LQ-05)."""
    assert answer_of(text) == text


@pytest.mark.parametrize("text", ["Well.\n<think>3?</think>\n8", "Rating: <think>3?</think> 8", "8\n<think>or 3?"])
def test_a_thought_amid_the_answer_is_cut(text: str) -> None:
    """What stands around it stays."""
    assert "3" not in answer_of(text)
    assert parse_rating(text) == 8


def test_what_follows_a_thought_and_is_json_is_left_alone() -> None:
    """An end of a thought within a string ends none."""
    assert answer_of('<think>x</think>{"say": "a </think> b"}') == '{"say": "a </think> b"}'


def test_a_draft_in_a_thought_is_no_insight() -> None:
    """What a reflector thought aloud is never stored (fault A1)."""
    text = "<thinking>\nBo likes Ann (because of 1)\n</thinking>\nBo works hard (because of 2)"
    assert [draft.text for draft in parse_insights(text) or []] == ["Bo works hard"]


def test_words_without_an_answer_are_refused() -> None:
    """The memory's prompts get the words alone, or an error that says what was amiss."""
    assert read_words("<think>1 or 8?</think>\n```\n8\n```") == "8"
    with pytest.raises(ValueError, match="empty"):
        read_words("  ")


def test_the_last_line_of_a_cut_text_is_left_out() -> None:
    """Half a sentence is never stored (fault LP-09)."""
    assert complete_lines("One is whole.\nTwo is wh") == "One is whole."
    assert complete_lines("One is wh") == ""


@given(st.lists(st.sampled_from(["<think>", "</think>", "<|end|>", "```", "\n", '{"a": "', '"}', " no ", "8"])))
def test_no_text_breaks_the_reader(pieces: list[str]) -> None:
    """Whatever comes, what is left is a part of it, and a closed thought is no part of that."""
    text = "".join(pieces)
    assert len(answer_of(text)) <= len(text)
    assert "SECRET" not in answer_of(f"<think>{text} SECRET</think>8")


@pytest.mark.parametrize("piece", ["{", "[", "<think>", "</think>", "<|x|>", "<think ", "```\n", "<answer>"])
def test_a_model_that_repeats_a_mark_for_ever_leaves_no_thought(piece: str) -> None:
    """Run-away replies are read, too."""
    assert "THOUGHT" not in answer_of(f"{piece * 5000}<think>THOUGHT")
    assert answer_of("ANSWER<think>THOUGHT") == "ANSWER"
