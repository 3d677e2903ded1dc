"""Reading a model's words: one rule for objects, nothing cut, nothing merged, refusals told from people's words."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.reply_text import complete_lines, is_refusal, plain_answer, read_object, without_thoughts

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
OBJECTS = st.dictionaries(
    TEXTS,
    st.recursive(
        st.none() | st.booleans() | st.integers(-999, 999) | TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=8,
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize(
    "text",
    [
        'Gladly, here it is:\n```json\n{"go": true}\n```\nShall I go on?',
        "{'go': True}",
        '{"go": true,}',
        "{“go”: true}",
        '// plan\n{"go":true}',
        "{go: true}",
        '[1] As you {wish}:\n{"go": true}',
        '[{"go": true}]',
    ],
    ids=["fence and prose", "Python", "comma too many", "curly quotes", "comment", "bare key", "prose", "list of one"],
)
def test_text_that_is_like_json_is_read(text: str) -> None:
    """Small models' usual slips give the object that was meant, each time the same (fault LP-14)."""
    read = read_object(text)
    assert read.value in ({"go": True}, [{"go": True}])
    assert read == read_object(text)


@pytest.mark.parametrize("text", ["[{[}]", 'Sure! {} but really {"steps": [', "", "no", "{", "[]", "{]", "}{"])
def test_broken_text_is_never_an_empty_answer(text: str) -> None:
    """Braces somewhere in the text do not make an answer (fault LP-03)."""
    with pytest.raises(ValueError, match=r"object|empty"):
        read_object(text)


def test_an_empty_object_counts_if_it_is_the_whole_reply() -> None:
    """``{}`` alone is what the model said; within prose it is not."""
    assert read_object(" {} ").value == {}
    assert read_object('{} or {"a": 1}').value == {"a": 1}


def test_of_two_objects_the_first_counts() -> None:
    """Two values are never merged (fault LP-04)."""
    text = '{"action":"go","place":"Bakery"}{"action":"stay","place":"Home"}'
    assert read_object(text).value == {"action": "go", "place": "Bakery"}


def test_objects_inside_thoughts_count_for_nothing() -> None:
    """What was drafted in a think block is no answer (fault LQ-02)."""
    assert read_object('<think>maybe {"place":"Park"}? no.</think>{"place":"Library"}').value == {"place": "Library"}
    assert read_object('maybe {"place":"Park"}?</think>{"place":"Library"}').value == {"place": "Library"}


@pytest.mark.parametrize("text", ["<think>Let me consider", '<think>{"do": "go"}', "<think>a</think> <think>b"])
def test_a_thought_without_an_end_is_no_answer(text: str) -> None:
    """Nothing of an open think block is read (fault LQ-04)."""
    assert without_thoughts(text) == ""
    with pytest.raises(ValueError, match="no answer"):
        read_object(text)


def test_of_a_cut_reply_only_whole_entries_are_kept() -> None:
    """The entry that was cut is left out, and the reply is flagged (fault LP-09)."""
    text = '{"insights":[{"text":"Ana and Luis share a garden","because":[1,2]},{"text":"Ana likes'
    read = read_object(text)
    assert read.cut
    assert read.value["insights"][0] == {"text": "Ana and Luis share a garden", "because": [1, 2]}
    assert "Ana likes" not in json.dumps(read.value)


def test_a_raw_line_break_in_a_string_is_accepted() -> None:
    """Utterances over several lines are read (fault LP-16)."""
    assert read_object('{"say":"First we bake.\nThen we sell."}').value == {"say": "First we bake.\nThen we sell."}


def test_quotes_within_an_utterance_are_repaired() -> None:
    """Unescaped quotes do not lose the reply."""
    read = read_object('{"say": "He said "hi" to me", "end": false}')
    assert (read.value["say"], read.repaired) == ('He said "hi" to me', True)


def test_nothing_unwritable_comes_out() -> None:
    """NaN and half surrogate pairs, which no log can hold, are replaced (faults RP-02, SY-11)."""
    assert read_object('{"a": NaN, "b": "\\ud83d!"}').value == {"a": None, "b": "\ufffd!"}


@given(OBJECTS, TEXTS)
def test_every_object_is_read_back_whatever_follows(value: dict[str, object], after: str) -> None:
    """Any object comes out as it went in, with other text after it."""
    assert read_object(json.dumps(value) + after).value == value


@given(OBJECTS, st.floats(0, 1))
def test_what_is_read_of_a_cut_object_was_in_it(value: dict[str, object], share: float) -> None:
    """Cutting anywhere invents no key and changes no whole value of a field that is no container."""
    text = json.dumps(value)
    cut = text[: max(1, int(len(text) * share))]
    try:
        read = read_object(cut).value
    except ValueError:
        return
    for key, inner in read.items():
        assert key in value
        assert isinstance(inner, list) or inner == value[key]


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever comes, it is an answer or a ValueError."""
    with suppress(ValueError):
        assert isinstance(read_object(text).value, dict | list)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I cannot fulfill this request.",
        "I’m unable to assist with that request.",
        "As an AI language model, I can't take part in talks.",
        "Sorry, I can't continue this role-play.",
        "I am just an AI and have no memories.",
    ],
)
def test_refusals_are_recognised(text: str) -> None:
    """A model that will not play along is not taken for a resident (fault LP-08)."""
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, I can't come on Friday.",
        "I can't help with that, my back hurts; ask Osric.",
        "I won't answer that!",
        "I cannot continue this walk, my feet are sore.",
        "Unfortunately I can't help you move the piano.",
        "She is an AI researcher and can't cook.",
    ],
)
def test_what_people_say_is_no_refusal(text: str) -> None:
    """People decline too."""
    assert not is_refusal(text)


def test_plain_answers_lose_thoughts_and_fences() -> None:
    """The memory's prompts get the words alone."""
    assert plain_answer("<think>1 or 8?</think>\n```\n8\n```") == "8"
    assert plain_answer("8<|im_end|>") == "8"
    with pytest.raises(ValueError, match="empty"):
        plain_answer("  ")


def test_the_last_line_of_a_cut_text_is_left_out() -> None:
    """Half a sentence is never stored (fault LP-09)."""
    assert complete_lines("One is whole.\nTwo is wh") == "One is whole."
    assert complete_lines("One is wh") == ""
