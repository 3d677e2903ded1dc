"""Refusals and error texts are told from thoughts, and nothing of them enters memory."""

from datetime import datetime

import pytest

from memory import Fell, MemoryStream, Reflected
from memory.replies import is_refusal, parse_insights, parse_questions

START = datetime(2023, 2, 13, 8, 0)
FAILURES = [
    "I'm sorry, but I can't help with that.",
    "I cannot fulfill this request.",
    "I’m unable to assist with that request.",
    "As an AI language model, I can't take part in talks.",
    "Sorry, I can't continue this role-play.",
    "I am just an AI and have no memories.",
    "I am sorry, but I cannot help",
    "I'm sorry, I can’t assist with that.",
    "Sorry, but I am unable to provide insights about these people",
    "I cannot comply with this request.",
    "I can't provide insights from such content",
    "As an AI language model, I do not have memories",
    "As a large language model, I have no memories",
    "I am an AI assistant and have no memories",
    "抱歉，我无法回答这个问题",
    "Error code: 500",
    "Error: rate limit",
    "**Error** 503",
    "HTTP 502 Bad Gateway",
    "500 Internal Server Error",
    "Internal Server Error",
    "openai.RateLimitError: Too many requests",
    "Traceback (most recent call last)",
    "TOKEN LIMIT EXCEEDED",
    "Rate limit exceeded",
    "Connection refused",
    "An error occurred while processing your request",
]
THOUGHTS = [
    "I'm sorry, I can't come on Friday.",
    "I can't help with that, my back hurts; ask Osric.",
    "I won't answer that!",
    "I cannot continue this walk, my feet are sore.",
    "Unfortunately I can't help you move the piano.",
    "She is an AI researcher and can't cook.",
    "Sorry, I cannot come to the party.",
    "My cousin is an AI researcher; I am an AI hobbyist.",
    "As an AI engineer, I cannot stand bugs.",
    "Sorry, I can't answer the door.",
    "I can't answer your question, Bo, I was asleep.",
    "Nadia is sorry that she cannot help Omar",
    "I am sorry that I missed the party",
    "I cannot help Maria with her research this week",
    "Omar made an error in his report and was upset",
    "Error-prone work annoys Klaus",
    "Trial and error is how Klaus learns",
    "Why did Omar refuse the request?",
    "Klaus studies artificial intelligence",
    "500 people came to the party",
    "Unfortunately Omar lost the election",
    "The service at Hobbs Cafe is slow",
    "I am an AI researcher, and Klaus knows it",
    "Klaus is known as an AI pioneer",
    "An error in reasoning worries Klaus",
]


@pytest.mark.parametrize("text", FAILURES)
def test_refusals_and_error_texts_are_recognised(text: str) -> None:
    """As they come from models, servers and clients, with a citation behind them or not."""
    assert is_refusal(text)
    assert parse_insights(f"1. {text} (because of 1)") is None
    assert parse_questions(f"1. {text}", 3) is None


@pytest.mark.parametrize("text", THOUGHTS)
def test_thoughts_with_the_same_words_stay(text: str) -> None:
    """Someone may be sorry, unable or in error."""
    assert not is_refusal(text)
    assert parse_insights(f"{text} (because of 1)") is not None


@pytest.mark.parametrize(
    "reply",
    [
        '{"error": {"message": "The server is overloaded", "code": 1}}',
        '{"error": "overloaded", "ids": [1]}',
        "I am sorry, but I cannot help.\n(because of 1)",
    ],
)
def test_an_error_in_json_or_over_two_lines_is_no_insight(reply: str) -> None:
    """The number in it is no citation, and its words are no question."""
    assert parse_insights(reply) is None
    assert parse_questions(reply.partition("\n")[0], 3) is None


class Model:
    """Answers with the questions and insights given."""

    def __init__(self, questions: str, insights: str) -> None:
        self.replies = {"reflection_questions": questions, "reflection_insights": insights}

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        return self.replies[prompt_name]


def reflected(model: Model) -> tuple[MemoryStream, object]:
    """Return a stream that has reflected, and the last entry of its journal."""
    journal: list[object] = []
    stream = MemoryStream("Nadia", embedder=None, reflector=model, journal=journal.append)
    stream.observe("Omar helps me", now=START, importance=5)
    stream.reflect(now=START)
    return stream, journal[-1]


def test_a_refusal_among_insights_is_dropped_and_counted() -> None:
    """The thought beside it stays."""
    stream, last = reflected(Model("Who?", "I am sorry, but I cannot help (because of 1)\nOmar is kind (because of 1)"))
    assert [memory.text for memory in stream.memories] == ["Omar helps me", "Omar is kind"]
    assert isinstance(last, Reflected)
    assert last.dropped == 1


@pytest.mark.parametrize(
    ("questions", "insights"), [("Error code: 500", "A (because of 1)"), ("Who?", "Error 500 [1]")]
)
def test_an_error_alone_puts_the_reflection_off(questions: str, insights: str) -> None:
    """It is journalled as a failure, and the total stays."""
    stream, last = reflected(Model(questions, insights))
    assert isinstance(last, Fell)
    assert (len(stream), stream.importance_since_reflection) == (1, 5)
