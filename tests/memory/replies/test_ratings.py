"""Numbers in the replies of raters: every shape that they were seen to use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.replies import parse_rating, parse_ratings


@pytest.mark.parametrize(
    "reply",
    [
        "8",
        "Rating: 8",
        "8/10",
        "8 out of 10",
        "**8**",
        "I'd say 8.",
        "8\n\nBecause it matters.",
        "8\n\nBecause 3 people came.",
        "8 - it changed 2 lives",
        "On a scale of 1 to 10, I would rate this 8.",
        "Score = 8/10, since 2 people left",
        "<think>maybe 3?</think>8",
        "```\n8\n```",
        "eight",
        "Eight out of ten.",
        "I'd say eight.",
    ],
)
def test_label_denominator_and_marks_are_read_through(reply: str) -> None:
    """IM-01: an 8 is an 8 whatever stands around it."""
    assert parse_rating(reply) == 8


@pytest.mark.parametrize(
    "reply",
    [
        "0",
        "-3",
        "11",
        "100",
        "8.5",
        "1e9",
        "NaN",
        "inf",
        "-inf",
        "9" * 4000,
        "9" * 5000,
        "7-8",
        "7 to 8",
        "7 or 8",
        "8/5",
        "8 of 5",
    ],
)
def test_what_is_no_whole_number_on_the_scale_is_rejected(reply: str) -> None:
    """IM-04: rejected by one rule, never clamped or rounded."""
    assert parse_rating(reply) is None


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        ("seven", 7),
        ("７", 7),
        ("八", 8),
        ("评分：八", 8),
        ("评分：８／１０", 8),
        ("²", 2),
        ("⑧", 8),
        ("十", 10),
        ("这是一个普通的记忆。", None),
        ("This is one of the most mundane memories", None),
        ("", None),
        ("I cannot rate this.", None),
    ],
)
def test_words_and_other_digits_are_read_where_sensible(reply: str, rating: int | None) -> None:
    """IM-05: number words and digits of other scripts count; prose that merely holds one does not."""
    assert parse_rating(reply) == rating


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        ('{"grade":"4"}', 4),
        ('{"Grade":4}', 4),
        ('{"grade":[4]}', 4),
        ('{"rating": 4, "reason": "2 people"}', 4),
        ('```json\n{"importance": 4}\n```', 4),
        ("{}", None),
        ("4", 4),
        ('"4"', 4),
        ("[4]", 4),
        ("[4, 5]", None),
        ("null", None),
        ("true", None),
        ('{"grade":2,"grade":9}', None),
        ('{"grade":{"value":4}}', 4),
        ("[" * 5000, None),
    ],
)
def test_json_of_any_shape_is_read_by_the_same_rule(reply: str, rating: int | None) -> None:
    """IM-07: a grade in JSON counts as in words; a wrong shape is no rating, never an error."""
    assert parse_rating(reply) == rating


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        ("1 = mundane; 10 = poignant; answer: 9", 9),
        ("1 being mundane and 10 poignant, I'd give it an 8", 8),
        ("1 (purely mundane) ... 10 (extremely poignant)\n\n7", 7),
        ("Scale: 1 mundane, 10 poignant\n7", 7),
        ("On a scale of 1 to 10, where 1 is purely mundane and 10 is extremely poignant, I rate this memory a 3.", 3),
        ("Rating (1-10): 6", 6),
        ("On a scale of 1-10, 7", 7),
        ("1-10: 7", 7),
        ("1-10", None),
        ("1 (mundane)", 1),
        ("10: extremely poignant", 10),
        ("1. Mundane: no\n2. Rating: 6", 6),
        ("Memory 1: 8", 8),
        ("3 people came.\nRating: 8", 8),
        ("Rating: 3? No. Final rating: 8", 8),
    ],
)
def test_a_scale_or_a_list_that_is_quoted_is_no_rating(reply: str, rating: int | None) -> None:
    """The numbers of the question are not its answer (fault IM-02)."""
    assert parse_rating(reply) == rating


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        ("\u22128", None),
        ("acht", 8),
        ("Huit.", 8),
        ("ocho", 8),
        ("It is due", None),
        ('Here it is: {"reason": "2 people", "rating": 8}', 8),
        ('{"rating": 3} or rather {"rating": 8}', 8),
    ],
)
def test_other_languages_signs_and_prose_are_read(reply: str, rating: int | None) -> None:
    """A typographic minus counts; a foreign word does alone; JSON may stand in prose, the last one counts."""
    assert parse_rating(reply) == rating


@given(st.text(max_size=80) | st.integers().map(str) | st.floats().map(str))
def test_any_reply_gives_a_rating_on_the_scale_or_none(reply: str) -> None:
    """Whatever a model writes, the result is None or a whole number from 1 to 10."""
    rating = parse_rating(reply)
    assert rating is None or (type(rating) is int and 1 <= rating <= 10)
    batch = parse_ratings(reply, 1)
    assert batch is None or (len(batch) == 1 and 1 <= batch[0] <= 10)


@pytest.mark.parametrize(
    "reply",
    [
        "3\n7\n9",
        "3; 7; 9",
        "1. 3\n2. 7\n3. 9",
        "1: 3/10\n2: 7/10\n3: 9/10",
        "[3, 7, 9]",
        '{"ratings": [3, "7", 9]}',
        '{"1": 3, "2": 7, "3": 9}',
        '[{"rating": 3}, {"rating": 7}, {"rating": 9}]',
        "- 3\n- 7\n- 9",
    ],
)
def test_a_batch_of_ratings_is_read_in_order(reply: str) -> None:
    """One rating per memory, as lines or as JSON."""
    assert parse_ratings(reply, 3) == [3, 7, 9]


@pytest.mark.parametrize(
    "reply",
    ["3; 7; 9; 2", "3\n7\n9\n2\n5\n6", "[3,7,9,2]", "3\n7\nhigh\n9\n2", "3\n7\n11\n9\n2", "1\n2\n3\n\n4"],
)
def test_a_batch_of_another_count_is_no_batch(reply: str) -> None:
    """IM-10: a missing, extra or bad number never shifts the others."""
    assert parse_ratings(reply, 5) is None


@pytest.mark.parametrize(
    "reply",
    [
        '{"3": 9, "1": 2, "2": 5}',
        '{"ratings": {"memory 3": 9, "memory 1": 2, "memory 2": 5}}',
        '[{"id": 3, "rating": 9}, {"id": 1, "rating": 2}, {"id": 2, "rating": 5}]',
        '[{"index": 2, "rating": 9}, {"index": 0, "rating": 2}, {"index": 1, "rating": 5}]',
        "3. 9\n1. 2\n2. 5",
        "Ratings:\nMemory 3: 9\nMemory 1: 2\nMemory 2: 5",
    ],
)
def test_ratings_that_carry_numbers_are_put_in_order(reply: str) -> None:
    """Each rating goes to the memory whose number it carries."""
    assert parse_ratings(reply, 3) == [2, 5, 9]


@pytest.mark.parametrize("reply", ['{"1": 2, "3": 9}', "1: 3\n3: 7", "1: 3\n1: 7", '{"4": 2, "5": 9}'])
def test_ratings_of_other_memories_are_no_batch(reply: str) -> None:
    """Numbers that are not those of the memories shift nothing in silence."""
    assert parse_ratings(reply, 2) is None
