"""Where sentences end."""

from memory.language.sentences import sentences


def test_sentences_survive_abbreviations() -> None:
    """Titles and a.m. do not end a sentence; other scripts' full stops do."""
    assert sentences("Hi Dr. Day. It is 5 p.m. now! Go? 你好。再见。") == [
        "Hi Dr. Day.",
        "It is 5 p.m. now!",
        "Go?",
        "你好。",
        "再见。",
    ]
