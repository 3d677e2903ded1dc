"""The offline reflector: questions about what recurs, insights that rest on their statements."""

from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory import MemoryStream
from memory.language import moments
from memory.language.words import content_words, words
from memory.prompts import list_numbered
from memory.replies import parse_insights
from sim.offline import reflecting
from sim.offline.rating import OfflineRater
from sim.offline.reflecting import insights, questions

OWNER = "Zoe Park"
RATER = OfflineRater()
ASKED = "How does Zoe Park feel about Bob Ray?"
# Every word that the reflector itself brings into an insight; all others must stand in the cited statements.
FRAME = """
    often see saw common something talked talk lately know have come keep keeps turning days hold both mind means much
    spend time look forward heard hear told word gets round everybody seems speak weighs matters two things twice once
    three four like company careful better cross paths meet through
"""
TALES = [
    "I am studying law at Quay House.",
    "I am studying Latin at Mill.",
    "Bob Ray is reading at Mill.",
    "Bob Ray is drinking tea at Quay House.",
    "Bob Ray arrived at Mill.",
    'Bob Ray told me: "Hello! I will give a lute recital at Mill on 20 May at 17:00. Will you come?"',
    'I overheard Bob Ray tell Cleo Day: "I sold my boat."',
    'Cleo Day told me: "Bob Ray will give a lute recital at Mill on 20 May at 17:00."',
    "I talked with Cleo Day at Mill. We spoke about whales.",
    "I talked with Bob Ray at Quay House. We spoke about whales.",
    "I agreed to be at Mill on Saturday 20 May 2023 from 17:00 to 19:00: the lute recital of Bob Ray",
    "I like Bob Ray.",
    "I will sail round the world.",
    "The boiler at Quay House is on fire.",
    "I often see Cleo Day at Mill, drinking tea",
    "I know that whales sing through Cleo Day",
]  # fmt: skip


def lines(statements: list[str], asked: str = ASKED) -> list[str]:
    """Return the insights inferred from *statements*."""
    reply = insights(OWNER, asked, list_numbered(statements))
    return [line for line in reply.split("\n") if line]


def dated(texts: list[str]) -> str:
    """Return memories as the questions prompt shows them, a quarter of an hour apart."""
    return "\n".join(f"- Mon 15 May {8 + at // 4:02}:{at % 4 * 15:02}: {text}" for at, text in enumerate(texts))


def test_questions_are_about_who_and_what_recurs() -> None:
    """The person met most is asked about; three questions, each about something else."""
    asked = questions(OWNER, dated(TALES[:14])).split("\n")
    assert len(set(asked)) == 3
    assert any("Bob Ray" in question for question in asked)
    assert all(question.endswith("?") for question in asked)


def test_questions_follow_the_day() -> None:
    """What is newer weighs more: after a day with somebody else the questions are about that person."""
    later = [f"Dan Fox is {doing} at Old Yard." for doing in ("digging", "singing", "resting", "baking")] * 8
    assert "Dan Fox" in questions(OWNER, dated([*TALES, *later][:40]))


@pytest.mark.parametrize(
    ("statements", "text", "cited"),
    [
        (
            ["Bob Ray is reading at Mill.", "Bob Ray is drinking tea at Mill."],
            "I often see Bob Ray at Mill, reading and drinking tea",
            {1, 2},
        ),
        (
            ["I am studying law at Mill.", "I am studying Latin at Mill.", "I am painting at Mill."],
            "I spend much time at Mill, studying law, studying Latin and painting",
            {1, 2, 3},
        ),
        (
            [TALES[5], TALES[7]],
            "I hear of the lute recital of Bob Ray from Bob Ray and Cleo Day",
            {1, 2},
        ),
        ([TALES[11], TALES[2]], "I like Bob Ray; I saw Bob Ray reading at Mill", {1, 2}),
        (
            ["I am reading at Mill.", TALES[2]],
            "Bob Ray and I have something in common: reading at Mill",
            {1, 2},
        ),
        (
            [TALES[10], TALES[7]],
            "I look forward to the lute recital of Bob Ray at Mill on Saturday 20 May from 17:00 to 19:00",
            {1},
        ),
        (
            ["My rent is due on Friday."],
            "It weighs on me that my rent is due on Friday",
            {1},
        ),
        (
            [TALES[9], "I talked with Bob Ray at Mill. We exchanged a few words."],
            "Bob Ray and I have talked twice, about whales",
            {1, 2},
        ),
    ],
    ids=["company", "habit", "news", "friend", "common", "promise", "worry", "talk"],
)
def test_what_follows(statements: list[str], text: str, cited: set[int]) -> None:
    """Company, habits, news, friendship and common ground are concluded from what shows them, and cite it."""
    drafts = parse_insights("\n".join(lines(statements))) or []
    assert (text, cited) in [(draft.text, set(draft.cited)) for draft in drafts]


def test_news_of_two_different_people_is_not_mixed_up() -> None:
    """Two who say much the same of themselves are no two sources for one."""
    said = [f'{name} told me: "I will give a lute recital at Mill on 20 May."' for name in ("Bob Ray", "Cleo Day")]
    assert not any("from Bob Ray and Cleo Day" in line for line in lines(said))
    assert any("from Bob Ray and Cleo Day" in line for line in lines([TALES[5], TALES[7]]))


def test_tomorrow_does_not_outlive_its_day() -> None:
    """An insight is read on later days, so it never says tomorrow."""
    said = ['Bob Ray told me: "I will sail tomorrow."', "Bob Ray is reading at Mill."]
    assert lines(said)
    assert not any("tomorrow" in line for line in lines(said))


def test_nothing_follows_from_nothing() -> None:
    """No statement, or one about nothing, gives no insight; no memory gives no question."""
    assert insights(OWNER, ASKED, "") == ""
    assert lines(["Bob Ray arrived at Mill."]) == []
    assert questions(OWNER, "") == ""


def test_known_insights_are_not_concluded_again() -> None:
    """What stands among the statements as a thought is not said once more."""
    again = lines(
        [
            *TALES[2:4],
            "I know Bob Ray from Mill, reading, and from Quay House, drinking tea",
        ]
    )
    assert not any(line.startswith("I know Bob Ray from Mill") for line in again)
    assert any(line.startswith("I know Bob Ray from Mill") for line in lines(TALES[2:4]))


def test_small_talk_is_no_insight_where_anything_else_can_be_said() -> None:
    """That two talked of nothing is left out beside any other conclusion."""
    found = lines(['Bob Ray told me: "Hello!"', 'Bob Ray told me: "Good night."', TALES[2], TALES[4], TALES[3]])
    assert found
    assert not any("have talked" in line for line in found)


def test_conclusions_are_told_in_the_first_person() -> None:
    """Nobody concludes anything about themselves by name, so that it can be said aloud."""
    found = lines(TALES[:14])
    assert found
    assert not any(OWNER in line for line in found)


COURTESIES = [
    'Bob Ray told me: "Good morning, Zoe. Good to know, thank you. See you soon, Zoe."',
    'Bob Ray told me: "Hello! How are you?"',
    'Bob Ray told me: "Thank you, I would love to come. Good night."',
    'I overheard Bob Ray tell Cleo Day: "Not too bad, thank you. Goodbye for now, Cleo."',
    'Cleo Day told me: "I will keep it in mind. Have you heard?"',
    "I talked with Bob Ray. We exchanged a few words.",
]


@settings(max_examples=60)
@given(st.lists(st.sampled_from(COURTESIES), min_size=2, max_size=5, unique=True))
def test_a_courtesy_is_no_matter(statements: list[str]) -> None:
    """Greetings, thanks, answers and times are neither concluded from nor asked about."""
    said = {"good", "thank", "morning", "hello", "soon", "goodbye", "night", "bad", "love"}
    assert not said & {word for text in lines(statements) for word in words(text)}
    assert not said & set(words(questions(OWNER, dated(statements))))
    assert words(questions(OWNER, dated([*statements, *TALES[5:8]]))).count("bob")


@settings(max_examples=60)
@given(st.lists(st.sampled_from(TALES[2:10]), min_size=2, max_size=5, unique=True))
def test_what_shares_a_person_is_never_without_an_insight(statements: list[str]) -> None:
    """Two statements about one person give an insight, short enough to be read at a glance."""
    drafts = (
        parse_insights("\n".join(lines([*statements, "Bob Ray is baking at Old Yard.", "Bob Ray left Mill."]))) or []
    )
    assert drafts
    assert all(len(draft.text) <= 160 for draft in drafts)


def test_a_long_sentence_is_not_cut_in_its_middle() -> None:
    """What is told is shortened by whole clauses, or named by its topic."""
    told = "I will give a lute recital at Mill on 20 May at 17:00, and I want to invite all whom I meet."
    found = lines([f'{name} told me: "{told}"' for name in ("Bob Ray", "Cleo Day")])
    assert "I know of the lute recital of Bob Ray through Bob Ray (because of 1)" in found


@settings(max_examples=80)
@given(
    st.lists(st.sampled_from(TALES), max_size=12, unique=True),
    st.sampled_from(["", ASKED, "What about whales?"]),
)
def test_insights_say_nothing_that_their_statements_do_not(statements: list[str], asked: str) -> None:
    """Each is cited, no two are equal, and every topic, name and place stands in a cited statement."""
    found = lines(statements, asked)
    drafts = parse_insights("\n".join(found)) or []
    assert len(found) == len(drafts) == len({draft.text for draft in drafts}) <= 5
    for draft in drafts:
        assert draft.cited
        assert all(1 <= number <= len(statements) for number in draft.cited)
        said = " ".join(statements[number - 1] for number in draft.cited)
        allowed = {*words(said), *FRAME.split(), *words(OWNER), *map(str, range(2, 13))}  # counts of moments
        # "I like" is retold as "Zoe Park likes", "I" as "Bob Ray".
        assert all({word, f"{word}s", word.removesuffix("s")} & allowed for word in content_words(draft.text))


@settings(max_examples=60)
@given(st.text(max_size=20), st.lists(st.text(max_size=60), max_size=6))
def test_no_script_breaks_it(name: str, texts: list[str]) -> None:
    """Any name and any texts in any script are reflected on without an error, twice with the same result."""
    block = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, 1))
    assert insights(name, "?", block) == insights(name, "?", block)
    assert questions(name, block).count("\n") <= 2


def test_other_scripts_are_reflected_on() -> None:
    """Statements in Chinese give an insight that cites two of them."""
    drafts = parse_insights(insights("李明", "?", list_numbered(["王芳在图书馆看书。", "我在家吃早饭。"]))) or []
    assert {1, 2} in [set(draft.cited) for draft in drafts]


class Diary:
    """A reflector that keeps what it concluded."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def complete(self, prompt_name: str, /, **variables: str) -> str:
        """Answer the prompts of rating and reflection."""
        if prompt_name == "importance_rating":
            return str(RATER.rate(variables["agent_name"], variables["observation"]))
        if prompt_name == "reflection_questions":
            return questions(variables["agent_name"], variables["recent_memories"])
        reply = insights(variables["agent_name"], variables["questions"], variables["numbered_retrieved_memories"])
        self.texts += [draft.text for draft in parse_insights(reply) or []]
        return reply


@pytest.mark.slow
def test_ten_reflections_hardly_repeat_themselves() -> None:
    """In ten reflections on a stream of much the same, under 5 % of the insights were there before."""
    said, again = 0, 0
    for seed in range(4):
        diary, chance, now = Diary(), np.random.default_rng(seed), datetime(2023, 5, 15, 8)
        stream = MemoryStream(OWNER, rater=diary, reflector=diary)
        for at in range(400):
            now += timedelta(minutes=9 if at % 100 else 600)
            stream.observe(happening(chance), now=now)
        assert len(diary.texts) >= 10
        said, again = said + len(diary.texts), again + len(diary.texts) - len(set(diary.texts))
    assert again < 0.05 * said


def happening(chance: np.random.Generator) -> str:
    """Return something that Zoe Park sees, does or hears on one of her days."""
    people, places = (
        ["Ann Lee", "Bob Ray", "Cleo Day", "Dan Fox"],
        ["Quay House", "Mill", "The Rose", "Old Yard"],
    )
    doings = [
        "reading",
        "drinking tea",
        "studying law",
        "painting the fence",
        "playing chess",
        "eating lunch",
    ]
    sayings = [
        "I will give a lute recital at Mill on 20 May at 17:00.",
        "Hello!",
        "I am writing a book.",
        "I sold my boat.",
    ]
    who, other = chance.choice(people, 2, replace=False)
    where, doing, saying = chance.choice(places), chance.choice(doings), chance.choice(sayings)
    kinds = [f"I am {doing} at {where}.", f"{who} is {doing} at {where}.", f"{who} arrived at {where}."] * 3
    kinds += [f'{who} told me: "{saying}"', f"I talked with {who} at {where}. We spoke about {doing}."]
    return str(chance.choice([*kinds, f'I overheard {who} tell {other}: "{saying}"']))


def test_no_scenarios_words_are_in_the_code() -> None:
    """Names, places and topics of the sample towns appear nowhere in the offline rater and reflector."""
    names = ["rating.py", "anchors.yaml", "salience.py"]
    names += ["reflecting.py", "conclusions.py", "sayings.py", "variables.py", "phrases.yaml", "weights.yaml"]
    files = [Path(reflecting.__file__).parent / name for name in names]
    files += Path(moments.__file__).parent.glob("*.py")
    used = {word for file in files for word in content_words(file.read_text(encoding="utf-8"))}
    assert "saturday" in used
    topics = {
        "valentine",
        "party",
        "mayor",
        "candidacy",
        "hobbs",
        "isabella",
        "rodriguez",
        "maria",
        "lopez",
        "klaus",
    }
    assert not used & (topics | {"mueller", "moore", "espresso", "cafe", "bakery", "gentrification"})
