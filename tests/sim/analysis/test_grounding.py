"""Whether an answer is borne out: what was made up is found, what is known or merely supposed is let pass."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory import Memory
from memory.language.reported_speech import tellers_in
from memory.language.speech_acts import denies
from sim.analysis.citation import rests_on_which
from sim.analysis.grounding import Known, is_told_by, unsupported_in

KNOWN = Known.of(
    [
        "Osric Vane, 41. Warm. Osric shoes horses and repairs ploughs.",
        "- Mon 5 May 15:00: Tilda Roe told me: \"I will sing at the Long Barn on 6 May from 19:00 to 21:00.\"",
        "- Mon 5 May 09:10: I am hammering horseshoes at the Forge.",
    ]
)  # fmt: skip

BORNE_OUT = [
    "Tilda Roe will sing at the Long Barn on 6 May at 7 pm.",
    "Tilda sings on the 6th of May, from 19:00 on.",
    "I was at the Forge at 9:10.",
    "I shoe horses, and I repair ploughs.",
    "Tomorrow I will see Tilda.",
    "I like Tilda Roe and Osric Vane's Forge.",
    "I do not know anybody called Rufus Quade.",
    "I have never met Rufus Quade.",
    "I'm not sure, I'm afraid.",
    "I would run for water and wake the neighbours at once.",
    "Yes.",
]
MADE_UP = [
    ("Tilda Roe will sing with Rufus Quade.", "Rufus Quade"),
    ("Tilda Roe will sing at 22:30.", "22:30"),
    ("It takes place on 9 May.", "9 may"),
    ("Rufus invited me.", "Rufus"),
    ("It is Osric Roe who sings.", "Osric Roe"),
    ("I have never met Rufus, but Hedda knows him.", "Hedda"),
    ("I spent the summer catching trout in mountain lakes.", "trout"),
]


@pytest.mark.parametrize("answer", BORNE_OUT)
def test_what_is_known_denied_or_supposed_is_borne_out(answer: str) -> None:
    """Names, times and matter that somebody knows pass in any wording; so do denials and suppositions."""
    assert unsupported_in(answer, "What do you say?", KNOWN) == ()


@pytest.mark.parametrize(("answer", "what"), MADE_UP)
def test_what_nothing_holds_is_found(answer: str, what: str) -> None:
    """A name, a number or a whole matter that nothing holds is named as the answer has it."""
    assert what in unsupported_in(answer, "What do you say?", KNOWN)


@pytest.mark.parametrize("answer", ["Yes, I know him well.", "He is a good friend.", "Rufus Quade bakes bread."])
def test_a_person_whom_nobody_mentioned_can_only_be_denied(answer: str) -> None:
    """To a question about somebody unheard of, whatever is claimed is unsupported, named or not."""
    assert "Rufus Quade" in unsupported_in(answer, "What do you know about Rufus Quade?", KNOWN)


@pytest.mark.parametrize("answer", ["I do not know anybody of that name.", "I don't know.", "I've never heard of him."])
def test_a_denial_is_never_marked(answer: str) -> None:
    """Who says that they do not know claims nothing."""
    assert unsupported_in(answer, "What do you know about Rufus Quade?", KNOWN) == ()
    assert denies(answer)


def test_a_number_may_come_from_the_question() -> None:
    """What the question says of times need not be known."""
    assert unsupported_in("Yes, at 22:30.", "Will you come at 22:30?", KNOWN) == ()


def test_a_paraphrase_may_come_near_in_meaning() -> None:
    """Other words for what is known pass where the meaning is near; a name must still be known."""
    said = "Our neighbour gives a vocal performance with Rufus Quade inside that wooden building."
    assert len(unsupported_in(said, "", KNOWN)) > 1
    assert unsupported_in(said, "", KNOWN, near=lambda _: True) == ("Rufus Quade",)


def test_who_tells_is_who_the_text_says_it_is() -> None:
    """What others say within quotation marks is their telling; who is talked to counts, nobody does not."""
    assert tellers_in('Tilda Roe told me: "Bram said so." I talked with Osric Vane.') == {"tilda roe", "osric vane"}
    assert tellers_in("Nobody told me. I sing with Bram.") == set()
    assert is_told_by({"tilda"}, {"tilda roe"})
    assert not is_told_by({"bram roe"}, {"tilda roe"})


def test_who_never_told_anything_is_no_source() -> None:
    """A known person who is said to have told something, and did not, is marked; who did is not."""
    assert unsupported_in("Osric Vane told me that Tilda will sing.", "", KNOWN) == ("that Osric Vane said so",)
    assert unsupported_in("Tilda told me that she will sing.", "", KNOWN) == ()


@given(st.text(max_size=200), st.text(max_size=100))
def test_no_text_breaks_the_rule(answer: str, question: str) -> None:
    """Whatever is said and asked, the rule gives an answer, the same each time."""
    found = unsupported_in(answer, question, KNOWN)
    assert found == unsupported_in(answer, question, KNOWN)


SAID = "Tilda sings at the Long Barn on 6 May with horses and ploughs"


@given(begin=st.integers(0, 12), length=st.integers(0, 13))
def test_whatever_is_said_word_for_word_is_borne_out(begin: int, length: int) -> None:
    """Any stretch of what is known is never unsupported."""
    stretch = " ".join(SAID.split()[begin : begin + length])
    assert unsupported_in(stretch, "", Known.of([SAID])) == ()


LIVED = Known.of(
    [
        "Carlos Gomez, 32. Calm.\nUsual day: 18:00-22:00 at the pub: having a drink",
        "- Mon 5 May 15:00: I overheard Mei Lin tell Latoya Reed: \"The bridge is shut until June.\"",
        "- Mon 5 May 16:00: Rosa Kline is at the Old Mill for the birthday of Ivo.",
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    "answer",
    [
        "At 19:00 I will be at the pub as usual.",
        "At 9:30 pm I will be having a drink.",
        "I am Carlos Gomez, 32 years old.",
        "I remember this: I overheard Mei Lin tell Latoya Reed that the bridge is shut until June.",
        "Mei Lin told Latoya Reed about the bridge.",
        "I remember this: Rosa Kline is at the Old Mill for the birthday of Ivo.",
    ],
)
def test_hours_of_a_span_stock_phrases_and_overheard_words_are_borne_out(answer: str) -> None:
    """What follows from the usual day, from who one is and from what was overheard is no invention."""
    assert unsupported_in(answer, "What do you say?", LIVED) == ()


@pytest.mark.parametrize("answer", ["At 22:30 I will be at the pub.", "I am 41 years old.", "Rosa Kline told me so."])
def test_what_lies_outside_a_span_is_still_found(answer: str) -> None:
    """An hour past the span, another age and a teller who told nothing are made up."""
    assert unsupported_in(answer, "What do you say?", LIVED)


def test_a_sentence_that_a_memory_holds_whole_rests_on_it() -> None:
    """A quotation is evidence for itself, even where the question named all that is in it."""
    told = "Rosa Kline is at the Old Mill for the birthday of Ivo."
    moment = datetime(2026, 5, 5, 12)
    memories = [
        Memory(id=n, text=text, kind="observation", created=moment, last_access=moment, importance=3.0)
        for n, text in enumerate(["The sun is out.", told], 1)
    ]
    assert rests_on_which(f"I remember this: {told}", told, memories) == (2,)
