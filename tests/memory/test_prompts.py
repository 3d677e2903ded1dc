"""Prompts: filled once, every variable required and used."""

import pytest

from memory.errors import InputError
from memory.prompts import fill, fill_text, load_prompt, variables_of


def test_what_is_put_in_is_not_filled_again() -> None:
    """A memory that holds braces stays as it is."""
    assert fill_text("{{a}} and {{b}}", {"a": "{{b}}", "b": r"\1"}) == r"{{b}} and \1"


@pytest.mark.parametrize(
    ("variables", "words"),
    [({}, "{{a}} has no value"), ({"a": "x", "b": "y"}, "'b' is not used"), ({"a": 1}, "'a' is no text")],
)
def test_each_variable_is_required_and_used(variables: dict[str, str], words: str) -> None:
    """A missing, an unused and a wrong variable are named."""
    with pytest.raises(InputError, match=words):
        fill_text("{{a}}", variables)


def test_rating_prompt_as_rendered() -> None:
    """The prompt as it reaches the model."""
    assert fill("importance_rating", {"agent_name": "Nadia", "observation": "It rains"}) == (
        "On a scale of 1 to 10, where 1 is purely mundane (such as brushing teeth\n"
        "or making the bed) and 10 is extremely poignant (such as a break-up or a\n"
        "college acceptance), rate the likely poignancy of the following memory\n"
        "for Nadia.\n\n<memory>It rains</memory>\n\nReply with a single integer.\n"
    )


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("importance_rating", {"agent_name", "observation"}),
        ("importance_rating_batch", {"agent_name", "observations"}),
        ("reflection_questions", {"agent_name", "recent_memories"}),
        ("reflection_insights", {"agent_name", "questions", "numbered_retrieved_memories"}),
    ],
)
def test_prompts_have_these_variables(name: str, variables: set[str]) -> None:
    """What the stream passes is what the prompt files ask for."""
    assert variables_of(load_prompt("memory", name)) == variables


def test_a_prompt_that_is_not_there_is_named() -> None:
    """The message says which file was looked for."""
    with pytest.raises(InputError, match=r"prompts/nonsense\.md"):
        load_prompt("memory", "nonsense")
