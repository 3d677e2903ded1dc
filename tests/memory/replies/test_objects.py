"""Reading objects in a model's words: one rule for all, nothing cut, nothing merged, the last that will do."""

import json
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory.replies import read_object
from memory.replies.objects import Read, is_whole, read_objects

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


def last(text: str) -> Read:
    """Return the last object, or list of objects, in a text."""
    return read_objects(text)[-1]


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
    read = last(text)
    assert read.value in ({"go": True}, [{"go": True}])
    assert read == last(text)


@pytest.mark.parametrize("text", ["[{[}]", 'Sure! {} but really {"steps": [', "", "no", "{", "[]", "{]", "}{"])
def test_broken_text_is_never_an_empty_answer(text: str) -> None:
    """Braces somewhere in the text do not make an answer (fault LP-03)."""
    assert read_object(text) is None
    with pytest.raises(ValueError, match=r"object|empty"):
        read_objects(text)


def test_an_empty_object_counts_if_it_is_the_whole_reply() -> None:
    """``{}`` alone is what the model said; within prose it is not."""
    assert last(" {} ").value == {}
    assert last('{} or {"a": 1}').value == {"a": 1}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"do":"go","at":"Bakery"}{"do":"stay","at":"Home"}', {"do": "stay", "at": "Home"}),
        ('Maybe {"do":"sleep"} is wrong. Final answer: {"do":"bake"}', {"do": "bake"}),
        ('```json\n{"do":"sleep"}\n```\nActually, revised:\n```json\n{"do":"bake"}\n```', {"do": "bake"}),
        ('{"do":"bake"}\nP.S. {"note":"I hope this helps"}', {"do": "bake"}),
        ('{"Action": {"do":"bake"}}', {"do": "bake"}),
        ('{"name": "act", "arguments": {"do":"bake"}}', {"do": "bake"}),
        ('[{"do":"bake"},{"do":"sell"}]', {"do": "bake"}),
        ('{"note":"nothing is done"}', None),
        ('{"do":"ba', None),
    ],
    ids=["two", "draft", "revised fence", "postscript", "wrapped", "tool call", "list", "another", "cut"],
)
def test_the_last_object_that_holds_what_was_asked_for_counts(text: str, found: object) -> None:
    """What came before was a draft; two values are never merged (faults LP-04, A1)."""
    assert read_object(text, ["do"]) == found


@pytest.mark.parametrize(
    "said", ['I wrote "<think>" on the wall.', "Tags like <reasoning> are odd.", "It says <think>look</think> twice."]
)
def test_strings_of_json_are_left_alone(said: str) -> None:
    """Somebody may write of thoughts (fault LQ-05)."""
    assert read_object(json.dumps({"say": said})) == {"say": said}
    assert read_object(f"<think>a {said}</think>" + json.dumps({"say": said})) == {"say": said}


def test_a_turn_that_ends_within_a_string_ends_it() -> None:
    """Marks of a chat's template are never spoken, nor is what follows them (fault LQ-03)."""
    assert read_object('{"say": "Sure, at noon.<|eot_id|><|start_header_id|>user"}') == {"say": "Sure, at noon."}


def test_a_number_that_is_none_can_make_an_object_useless() -> None:
    """NaN and infinity are null, or the object is none, as the asker wants."""
    assert read_object('{"a": 1e999}') == {"a": None}
    assert read_object('{"a": 1e999}', finite=True) is None


@pytest.mark.parametrize(
    ("text", "whole"),
    [('{"a": 1} I hope', True), ('{"a": 1} or {"b": "on', False), ("<think>{}", False), ("no object", False)],
)
def test_a_reply_that_was_cut_may_be_whole(text: str, whole: bool) -> None:
    """What counts is whether its last object ends."""
    assert is_whole(text) is whole


def test_objects_inside_thoughts_count_for_nothing() -> None:
    """What was drafted in a think block is no answer (fault LQ-02)."""
    assert last('<think>maybe {"place":"Park"}? no.</think>{"place":"Library"}').value == {"place": "Library"}
    assert last('maybe {"place":"Park"}?</think>{"place":"Library"}').value == {"place": "Library"}


def test_of_a_cut_reply_only_whole_entries_are_kept() -> None:
    """The entry that was cut is left out, and the reply is flagged (fault LP-09)."""
    text = '{"insights":[{"text":"Ana and Luis share a garden","because":[1,2]},{"text":"Ana likes'
    read = last(text)
    assert read.cut
    assert read.value["insights"][0] == {"text": "Ana and Luis share a garden", "because": [1, 2]}
    assert "Ana likes" not in json.dumps(read.value)


def test_a_raw_line_break_in_a_string_is_accepted() -> None:
    """Utterances over several lines are read (fault LP-16)."""
    assert last('{"say":"First we bake.\nThen we sell."}').value == {"say": "First we bake.\nThen we sell."}


def test_quotes_within_an_utterance_are_repaired() -> None:
    """Unescaped quotes do not lose the reply."""
    read = last('{"say": "He said "hi" to me", "end": false}')
    assert (read.value["say"], read.repaired) == ('He said "hi" to me', True)


def test_nothing_unwritable_comes_out() -> None:
    """NaN and half surrogate pairs, which no log can hold, are replaced (faults RP-02, SY-11)."""
    assert last('{"a": NaN, "b": "\\ud83d!"}').value == {"a": None, "b": "\ufffd!"}


@given(OBJECTS, TEXTS)
def test_every_object_is_read_back_whatever_follows(value: dict[str, object], after: str) -> None:
    """Any object comes out as it went in, with other text after it."""
    assert read_object(json.dumps(value) + after, list(value)) == value


@given(OBJECTS, st.floats(0, 1))
@example({"a": 1, "b": "x"}, 0.9)
def test_what_is_read_of_a_cut_object_was_in_it(value: dict[str, object], share: float) -> None:
    """Cutting anywhere invents no key and changes no whole value of a field that is no container."""
    text = json.dumps(value)
    cut = text[: max(1, int(len(text) * share))]
    try:
        read = last(cut).value
    except ValueError:
        return
    for key, inner in read.items():
        assert key in value
        assert isinstance(inner, list) or inner == value[key]


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Whatever comes, it is an answer or a ValueError."""
    assert isinstance(read_object(text), dict | None)
    with suppress(ValueError):
        assert isinstance(last(text).value, dict | list)
