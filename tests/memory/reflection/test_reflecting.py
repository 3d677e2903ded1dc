"""Reflecting: what the reflector is shown, when two insights are one, and which calls are named."""

from datetime import datetime

from memory import MemoryStream
from memory.prompts import Answer, list_dated, list_numbered
from memory.record import Entry, Fell, Memory, Reflected
from memory.reflection.insight import same_words


def test_memories_look_the_same_in_any_locale_and_take_one_line_each() -> None:
    """A memory is one line with an English day, or a numbered line."""
    at = datetime(2023, 2, 3, 8, 5)
    memory = Memory(1, "talk", "Omar told me:\n2. hello", at, at, 3.0)
    assert list_dated([memory]) == "- Fri 3 Feb 08:05: Omar told me: 2. hello"
    assert list_numbered(["a", "b\nc"]) == "1. a\n2. b c"


def test_case_punctuation_and_spacing_do_not_make_another_insight() -> None:
    """Two sentences with the same words are the same insight."""
    assert same_words("Nadia  likes Omar!") == same_words("nadia likes omar")
    assert same_words("Nadia likes Omar") != same_words("Omar likes Nadia")


class Naming:
    """A model that names its calls c1, c2 …; its lines in turn."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.asked = list(lines), 0

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        return self.answer(prompt_name, None, **variables).text

    def answer(self, prompt_name: str, unusable: str | None, /, **variables: str) -> Answer:
        self.asked += 1
        return Answer(self.lines.pop(0), call=f"c{self.asked}")


def test_a_reflection_names_its_calls() -> None:
    """What is journalled tells from which calls it came; a later reflection tells its own."""
    entries: list[Entry] = []
    model = Naming("Why?", "It rains (because of 1)", "What?", "Hm.", "Hm.")
    stream = MemoryStream("Nadia", reflector=model, embedder=None, journal=entries.append)
    stream.observe("Rain.", now=datetime(2031, 5, 5), importance=3)
    for _ in range(2):
        stream.reflect(now=datetime(2031, 5, 5, 1))
    told = [entry for entry in entries if isinstance(entry, Reflected | Fell)]
    assert isinstance(told[0], Reflected)
    assert isinstance(told[1], Fell)
    assert (told[0].calls, told[1].call) == (("c1", "c2"), "c5")


def test_a_rating_that_fell_back_names_its_last_call() -> None:
    """Each of several memories names its own call, although all are rated before the first is stored."""
    entries: list[Entry] = []
    model = Naming("3", "Hm.", "Hm.", "Hm.", "Hm.")
    stream = MemoryStream("Nadia", rater=model, embedder=None, journal=entries.append)
    stream.observe_many(["Rain.", "Hail.", "Snow."], now=datetime(2031, 5, 5))
    assert [entry.call for entry in entries if isinstance(entry, Fell)] == ["c3", "c5"]
