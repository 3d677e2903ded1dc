"""What questions say of the order of things."""

import pytest

from memory.language.order import read_order


@pytest.mark.parametrize(
    ("question", "which", "anchor"),
    [
        ("What was the first thing I bought?", "first", ""),
        ("What did I buy first?", "first", ""),
        ("Which was my earliest trip?", "first", ""),
        ("What did I buy most recently?", "last", ""),
        ("Who came last?", "last", ""),
        ("When did I last see Ben?", "last", ""),
        ("What did I buy before the toaster?", "before", "the toaster"),
        ("After the tent, what did I buy?", "after", "the tent"),
        ("What did I buy just before buying the clock?", "before", "buying the clock"),
    ],
)
def test_order_is_read(question: str, which: str, anchor: str) -> None:
    """The first, the last, and what lies before or after something."""
    order = read_order(question)
    assert order is not None
    assert (order.which, order.anchor) == (which, anchor)


@pytest.mark.parametrize(
    "question",
    [
        "What did I do last Tuesday?",
        "What did I buy last week?",
        "What is my first name?",
        "Who lives on the first floor?",
        "What did I do in the last three days?",
        "What did I buy before May?",
        "What happened after 2 June?",
        "Where is it?",
    ],
)
def test_dates_and_names_are_no_order(question: str) -> None:
    """*Last Tuesday* is a date, and a first name is no first thing."""
    assert read_order(question) is None
