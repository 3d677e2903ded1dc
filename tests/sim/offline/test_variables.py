"""The memories of a prompt's block, as the offline mind reads them."""

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from sim.offline import variables

NOW = datetime(2023, 2, 13, 8, 0)  # a Monday


def test_retrieved_memories_are_read_with_their_time() -> None:
    """A label gives the moment in the year closest to now; the text may hold colons and quotes."""
    block = '- Mon 13 Feb 08:00: Ann Lee told me: "At 9: tea."\n- Sat 31 Dec 23:59: It snowed.\n'
    first, second = variables.parse_memories(block, NOW)
    assert first == variables.MemoryLine(NOW, 'Ann Lee told me: "At 9: tea."', None)
    assert second.when == datetime(2022, 12, 31, 23, 59)


def test_numbered_memories_keep_their_numbers() -> None:
    """A numbered block gives texts and numbers; blank lines are nothing."""
    lines = variables.parse_memories("1. one: two\n\n12. 3. is odd\n")
    assert [(line.number, line.text) for line in lines] == [(1, "one: two"), (12, "3. is odd")]


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=30), max_size=6))
def test_every_numbered_text_comes_back(texts: list[str]) -> None:
    """Whatever the script, numbering texts and reading them back changes nothing."""
    block = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
    assert [(line.number, line.text) for line in variables.parse_memories(block)] == list(enumerate(texts, 1))
