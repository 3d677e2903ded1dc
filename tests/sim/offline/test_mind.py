"""The offline mind in towns that nobody has tuned it for: news spreads, talks read like talks, days hold together."""

import ast
import json
import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sim.offline
from sim.models.request import Request
from sim.offline import OfflineModel
from sim.offline.choice import Dice
from sim.offline.recall import recall
from sim.scenario import load, sample_names
from sim.times import DAY, parse_clock
from tests.lives import Line, kinds, live

MODEL, ANOTHER = OfflineModel(), OfflineModel()
TOWN = """
name: Anywhere
start: {start}
days: {days}
town:
  places:
    - {{id: north, name: Northgate House, at: [0, 0]}}
    - {{id: south, name: the Ropery, at: [150, 90]}}
    - {{id: hall, name: Tithe Hall, at: [300, 40], open: "07:00-23:00"}}
    - {{id: green, name: the Common, at: [120, 200]}}
people:
  - {{name: '{host}', home: north, sleeps: 23:30, memories: [{memory}],
     routine: [{{at: 10:00, place: green, for: 2h, do: feeding ducks}},
               {{at: 13:00, place: hall, for: 2h, do: sorting books}}]}}
  - {{name: Ida Quist, home: north, sleeps: 23:30, knows: ['{host}'],
     routine: [{{at: 10:30, place: green, for: 2h, do: sketching}}]}}
  - {{name: Per Olin, home: south, sleeps: 23:30, routine: [{{at: 10:00, place: green, for: 3h, do: flying a kite}}]}}
  - {{name: Ruth Abel, home: south, sleeps: 23:30, routine: [{{at: 13:00, place: hall, for: 90m, do: reading maps}}]}}
{events}
mind: {{queries: [situation, relation, plans, news]}}
measures:
  attends: {{it: {{place: {place}, from: {opens}, to: {closes}}}}}
"""
CASES = {
    "everybody, a weekday": ("2025-10-31 06:00", 2, "Maud Harker", "hall", "day 2 14:00", "kite contest",
        "I want everybody to come to the kite contest in Tithe Hall on Saturday at 14:00."),
    "my house, tomorrow": ("2024-02-28 06:00", 2, "Mr. Odo Tarn", "north", "day 2 20:00", "puppet show",
        "I've decided to give a puppet show at my house tomorrow at 8 pm."),
    "a day of the month": ("2026-05-30 06:00", 2, "Wren", "green", "day 2 12:00", "match",
        "Our team plays its last match on the Common on the 31st at noon, and we need supporters."),
    "today, we": ("2026-05-31 06:00", 1, "Bea O'Hara-Lund", "hall", "day 1 18:30", "launching",
        "We are launching our almanac in Tithe Hall today at 18:30."),
    "no place": ("2026-11-25 06:00", 2, "林美", "north", "day 2 16:00", "bee club",
        "Our bee club meets on Thursday from 16:00 to 18:00."),
}  # fmt: skip


def town(case: str, *, as_memory: bool = False) -> tuple[str, str, str]:
    """Return a scenario, its host and the words of its news."""
    start, days, host, place, opens, words, said = CASES[case]
    events = "" if as_memory else f'events:\n  - {{at: 08:30, who: "{host}", thinks: "{said}"}}'
    quoted = host.replace("'", "''")
    closes = f"{opens[:6]}{int(opens[6:8]) + 1:02}{opens[8:]}"
    memory = f'{{text: "{said}", kind: thought}}' if as_memory else "I sleep badly."
    text = TOWN.format(
        start=start, days=days, host=quoted, memory=memory, events=events, place=place, opens=opens, closes=closes
    )
    return text, host, words


def knowers(log: list[Line], words: str) -> dict[str, Line]:
    """Return, by resident, the first memory that holds *words*."""
    first: dict[str, Line] = {}
    for line in kinds(log, "remembered"):
        if words in line["text"].lower():
            first.setdefault(line["who"], line)
    return first


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_news_spreads_by_word_of_mouth_and_some_come(case: str, tmp_path: Path) -> None:
    """Whatever the event, its wording, date and host: others hear of it, some come, and the host is always there."""
    text, host, words = town(case)
    place, begin = CASES[case][3], (CASES[case][1] - 1) * DAY + parse_clock(CASES[case][4][6:]) - parse_clock("06:00")
    most_know, most_come = 0, 0
    for seed in range(5):  # chance has a part in it
        log = live(text, tmp_path / str(seed), overrides={"seed": str(seed)})
        known, there = knowers(log, words), present(log, place, begin + 600)
        assert all(log[line["source"]]["kind"] == "spoke" for who, line in known.items() if who != host)
        assert host in there
        most_know, most_come = max(most_know, len(known)), max(most_come, len(there & set(known)))
    assert most_know >= 3
    assert most_come >= 2


def present(log: list[Line], place: str, t: int) -> set[str]:
    """Return who is at *place* in second *t*."""
    where: dict[str, str] = {}
    for line in kinds(log, "placed", "arrived", "left"):
        if line["t"] <= t:
            where[line["who"]] = "" if line["kind"] == "left" else line["place"]
    return {who for who, at in where.items() if at == place}


@pytest.mark.slow
def test_an_intention_that_was_there_before_spreads_too(tmp_path: Path) -> None:
    """A host whose plan is a seed memory tells it like one whose inner voice spoke."""
    text, _, words = town("no place", as_memory=True)
    assert len(knowers(live(text, tmp_path), words)) >= 3


@pytest.mark.parametrize("case", list(CASES)[:2])
def test_without_recall_the_host_alone_knows(case: str, tmp_path: Path) -> None:
    """News travels through memory only."""
    text, host, words = town(case)
    assert set(knowers(live(text, tmp_path, overrides={"memory.recall": "false"}), words)) == {host}


def test_talks_do_not_repeat_themselves(tmp_path: Path) -> None:
    """Within a talk no sentence is said twice, and nobody asks the host to the host's own event."""
    text, host, words = town("today, we")
    talks: dict[str, list[Line]] = defaultdict(list)
    for line in kinds(live(text, tmp_path), "spoke"):
        talks[line["talk"]].append(line)
    assert len(talks) > 1
    for said in talks.values():
        sentences = [s for line in said for s in re.split(r"(?<=[.!?]) ", line["text"])]
        long = [s for s in sentences if len(s) > 25]
        assert len(long) == len(set(long))
        assert not [line for line in said if line["to"] == [host] and words in line["text"]]


def test_texts_that_are_not_english_are_passed_on_as_quotations(tmp_path: Path) -> None:
    """What the rules cannot read is still told and retold in its own words."""
    text, host, _ = town("today, we")
    said = "Ich gebe heute um 19 Uhr ein Sommerfest auf dem Dorfplatz und möchte alle einladen."
    most_know = 0
    for seed in range(3):  # chance has a part in it
        log = live(text.replace(CASES["today, we"][6], said), tmp_path / str(seed), overrides={"seed": str(seed)})
        retold = [line for line in kinds(log, "spoke") if f'{host} says: "{said}"' in line["text"]]
        assert all(line["who"] != host for line in retold)
        most_know = max(most_know, len(knowers(log, "sommerfest")))
    assert most_know >= 2


# one answer at a time

SUMMARY = """Ann Lee, 30. {traits}
Home: Elm House. Work: the Shop. Up at 07:00, to bed at 22:00.
Usual day:
- 09:00-17:00 at the Shop: serving customers
- 18:00-19:00 at the Inn: having supper
Knows:
- Bo Hart: {bond}"""
MAP = "- Elm House: kitchen\n- the Shop (open 08:00-18:00): till\n- the Inn (open 11:00-01:00)\n- the Pond"


def filled(**changes: str) -> dict[str, str]:
    """Return the variables of a prompt, some of them replaced."""
    return {
        "agent_name": "Ann Lee", "agent_summary": SUMMARY.format(traits="Warm.", bond="a friend"), "town_map": MAP,
        "time": "Monday 5 May 2031, 10:15", "retrieved_memories": "", "place": "the Inn", "partner": "Bo Hart",
        "relation": "To you: a friend.", "transcript": "(nothing yet: you begin)", "bedtime": "22:00",
        "situation": "You are at the Shop. Your plan until 17:00: serving customers.\nYou could talk to: nobody.",
        **changes,
    }  # fmt: skip


def ask(prompt: str, **changes: str) -> Any:
    """Return the offline model's reply to *prompt*, without chance, as an object; *changes* replace its variables."""
    return json.loads(MODEL.complete(prompt, **filled(**changes)))


def draws(prompt: str, count: int = 40, **changes: str) -> list[Any]:
    """Return the replies under *count* seeds."""
    asked = [Request("Ann Lee", prompt, filled(**changes), (), None, {"seed": seed}) for seed in range(count)]
    return [json.loads(MODEL.reply(request).text) for request in asked]


INVITES = "Bo Hart: Hello, Ann. I will hold a dance at the Inn on {day}. Would you like to come?"


@pytest.mark.parametrize(
    ("day", "traits", "bond", "memories", "refuses"),
    [
        ("6 May at 11:00", "Warm.", "a friend", "", "the Shop then"),
        ("6 May at 23:00", "Warm.", "a friend", "", "bedtime"),
        ("6 May at 19:30", "Warm.", "I cannot stand Bo Hart", "", "not for me"),
        ("6 May at 19:30", "Warm.", "a friend", "- Mon 5 May 09:00: I agreed to be at the Pond on Tuesday 6 May 2031 "
         "from 19:00 to 21:00: joining Cy Dent", "something else on"),
        ("6 May at 19:30", "Warm.", "a friend", "", ""),
    ],
    ids=["work", "bedtime", "hostility", "engaged", "free"],
)  # fmt: skip
def test_an_invitation_is_accepted_or_refused_for_a_reason(
    day: str, traits: str, bond: str, memories: str, refuses: str
) -> None:
    """Work, bedtime, another engagement and hostility speak against going; else a friend's invitation is accepted."""
    who = SUMMARY.format(traits=traits, bond=bond)
    transcript = INVITES.format(day=day)
    say = ask("dialogue_turn", agent_summary=who, transcript=transcript, retrieved_memories=memories)["say"]
    kept = ask("talk_summary", agent_summary=who, transcript=f"{transcript}\nAnn Lee: {say}")
    assert refuses in say
    assert bool(kept["appointments"]) == (not refuses)


def test_an_agreement_keeps_date_hour_and_place() -> None:
    """What was accepted becomes an appointment with the day, the hours and the place that were said."""
    talk = "Bo Hart: I will hold a dance at the Inn tomorrow from 19:30 to 21:00.\nAnn Lee: Count me in, with pleasure."
    assert ask("talk_summary", transcript=talk)["appointments"] == [
        {"date": "2031-05-06", "from": "19:30", "until": "21:00", "place": "the Inn", "do": "joining Bo Hart"}
    ]


@pytest.mark.parametrize(
    "told",
    [
        "I have an exam on 6 May at 20:00.",
        "My rent is due on 6 May at 20:00.",
        "A filing for a client is due on 6 May at noon.",
    ],
)
def test_nobody_comes_to_what_is_no_invitation(told: str) -> None:
    """An exam or a bill with a date is news, but neither invited to nor agreed to."""
    said = [
        ask("dialogue_turn", transcript=f"Bo Hart: {told}")["say"],
        ask("dialogue_turn", retrieved_memories=f"- Mon 5 May 09:00: {told}")["say"],
        ask("dialogue_turn", transcript=INVITES.format(day="6 May at 20:00"))["say"],
        ask("dialogue_turn", retrieved_memories="- Mon 5 May 09:00: I will give a dance on 6 May at 20:00.")["say"],
    ]
    assert [bool(re.search(r"\bcome\b|count me in", words, re.IGNORECASE)) for words in said] == [
        False,
        False,
        True,
        True,
    ]


def test_retold_news_keeps_its_words() -> None:
    """Second-hand news holds the matter, the date, the place and the owner of what was said."""
    heard = 'Cy Dent told me: "I will show my kites on the Pond tomorrow at 18:00."'
    says = [turn["say"] for turn in draws("dialogue_turn", retrieved_memories=f"- Mon 5 May 09:00: {heard}")]
    told = [say for say in says if "18:00" in say]
    assert told
    assert all(
        "Cy Dent will show" in say and "the Pond" in say and "Tuesday 6 May" in say and "kites" in say for say in told
    )


def test_news_keeps_its_owner() -> None:
    """What names nobody is passed on as what its teller says."""
    heard = 'Cy Dent told me: "A filing for a client is due on 6 May at noon."'
    says = [turn["say"] for turn in draws("dialogue_turn", 80, retrieved_memories=f"- Mon 5 May 09:00: {heard}")]
    told = [say for say in says if "noon" in say]
    assert told
    assert all("Cy Dent says that a filing" in say for say in told)


def test_the_host_names_the_place_that_is_meant() -> None:
    """``my house`` is told with the name of the house, so that guests find it."""
    memory = "- Mon 5 May 09:00: I will give a dance at my house tomorrow at 20:00."
    assert "my house (Elm House)" in ask("dialogue_turn", retrieved_memories=memory)["say"]


@pytest.mark.parametrize(
    "memory",
    [
        "I am planning on having a harvest ball at the Inn with my customers on May 6th, 2031 at 7pm.",
        "I am baking cakes, and am telling everyone to join the harvest ball at the Inn on 6 May from 7pm to 9pm.",
        "Cy Dent is planning on having a harvest ball at the Inn on 6 May at 7pm.",
    ],
)
def test_what_is_planned_or_told_to_everyone_is_an_announcement(memory: str) -> None:
    """``planning on having`` and ``telling everyone to join`` are told as invitations."""
    say = ask("dialogue_turn", retrieved_memories=f"- Mon 5 May 09:00: {memory}")["say"]
    assert "harvest ball at the Inn" in say
    assert say.endswith("?")


def test_a_call_to_come_is_not_told_beside_what_it_calls_to() -> None:
    """Who has told of the ball does not go on to tell that everybody is told of it; a day's plan is told to nobody."""
    day = "This is my plan: get up at 6:00 am, bake at 7:00 am, plan the ball at 9:00 am, rest at 10:00 am on 6 May."
    said = (
        "I am planning on having a ball at the Inn on 6 May at 7pm.",
        "I am baking cakes, and am telling everyone to join the ball at the Inn on 6 May, from 7pm to 9pm.",
    )
    lines = "\n".join(f"- Mon 5 May 09:00: {text}" for text in (day, " ".join(said)))
    mind = recall(filled(retrieved_memories=lines), lambda _: 5, Dice(None))
    assert [topic.text for topic in mind.topics] == [said[0]]


def test_what_is_over_is_not_told() -> None:
    """Nobody is invited to yesterday's event."""
    memory = "- Sun 4 May 09:00: I will give a dance at the Inn {when} at 20:00."
    assert "dance" not in ask("dialogue_turn", retrieved_memories=memory.format(when="today"))["say"]
    assert "dance" in ask("dialogue_turn", retrieved_memories=memory.format(when="on 5 May"))["say"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("Dr. Eva Okafor-Lindt", "Dr. Okafor-Lindt"), ("Father Brendan", "Father Brendan"), ("Pell", "Pell"),
     ("林美", "林美"), ("Bo Hart", "Bo")],
)  # fmt: skip
def test_people_are_addressed_by_first_name_or_title(name: str, said: str) -> None:
    """A title goes with the last name; whoever has but one name is called by it."""
    assert f", {said}." in ask("dialogue_turn", partner=name)["say"]


HAPPENINGS = {
    "away": ["A fire breaks out in the kitchen.", "Thick smoke fills the room.", "The river floods the cellar.",
             "It smells of gas.", "A bear attacks the sheep.", "The roof collapses.",
             "There is an explosion next door."],
    "help": ["An old woman faints.", "A man falls off the ladder.", "A cart has an accident.", "The cook collapses.",
             "Somebody calls for help.", "A child breaks his leg."],
    "see": ["The power goes out.", "A water pipe bursts.", "A window shatters.", "Somebody has stolen the cash box.",
            "The till breaks down."],
    "quarrel": ["Two men begin to fight.", "A stranger insults the landlord."],
    "enjoy": ["Music starts to play.", "There is free cake for everyone.", "Fireworks light up the sky.",
              "The team wins the cup and everybody cheers."],
    "look": ["A letter arrives for the owner.", "A stranger walks in.", "A dog runs in and barks."],
    "on": ["It begins to rain.", "Somebody drops a glass.", "The clock strikes noon.", "The fire is out.",
           "The power comes back."],
}  # fmt: skip
DOES = {
    "away": "keeping away", "help": "helping", "see": "seeing what can be done", "quarrel": "calm|distance",
    "enjoy": "enjoying", "look": "having a look", "on": "serving customers",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in HAPPENINGS.items() for text in texts])
def test_a_happening_gets_the_reaction_that_it_calls_for(kind: str, text: str) -> None:
    """People get away from danger, help, see to damage, enjoy a treat, and carry on where nothing matters."""
    here = "You are at the Shop. Your plan until 17:00: serving customers."
    situation = f"{here}\nJust now:\n- {text}\nYou could talk to: nobody."
    action = ask("agent_action", situation=situation)
    assert re.search(DOES[kind], action["do"])
    assert action["place"] == ("Elm House" if kind == "away" else None)
    assert kind == "on" or action["reason"] == text


def test_a_due_appointment_calls_away_from_what_the_plan_says() -> None:
    """An agreement that the plan has left out is kept when its hour comes."""
    agreed = "- Mon 5 May 08:00: I agreed to be at the Pond on Monday 5 May 2031 from 10:00 to 11:00: joining Bo Hart"
    assert ask("agent_action", retrieved_memories=agreed)["place"] == "the Pond"


def in_words(situation: str, memories: str) -> str:
    """Return what somebody does in a situation in free words, asked as an outside caller would."""
    return MODEL.complete(
        "agent_action",
        agent_name="Mia",
        agent_summary="A student.",
        time="6 pm",
        situation=situation,
        retrieved_memories=memories,
    )


@pytest.mark.parametrize(
    ("memory", "answer"),
    [
        ("Ada invites me to her garden dance at 5", "I'm going to Ada's garden dance at 5"),
        ("- Mon 13 Feb 08:00: I agreed to meet Kai at the dock at 7.", "I'm going to meet Kai at the dock at 7"),
        ('* Ada told me: "I will give a dance at five. Will you come?"', "Ada will give a dance at five"),
        ("[2023-02-13 08:00] I will bake bread tonight.", "I'm going to bake bread tonight"),
    ],
)
def test_the_memory_that_matters_is_acted_on(memory: str, answer: str) -> None:
    """Asked for the evening, somebody speaks of the invitation and not of breakfast, whatever the lines look like."""
    said = in_words("Someone asks: what are you doing tonight?", f"I had breakfast.\n{memory}")
    assert answer in said
    assert "breakfast" not in said
    assert in_words("Someone asks: what are you doing tonight?", "I had breakfast.") != said


# days

clocks = st.integers(0, 47).map(lambda half: f"{half // 2:02}:{half % 2 * 30:02}")
items = st.lists(st.tuples(clocks, clocks, st.sampled_from(["the Shop", "the Inn", "the Pond"])), max_size=5)


@settings(max_examples=150)
@given(now=clocks, bed=clocks, usual=items, begin=st.integers(8, 22))
def test_a_day_has_no_gaps_and_no_overlaps(now: str, bed: str, usual: list[tuple[str, str, str]], begin: int) -> None:
    """Whatever the routine, bedtime and appointments: the blocks run on from now until bedtime."""
    lines = "\n".join(f"- {a}-{b} at {place}: working" for a, b, place in usual)
    hours = f"from {begin}:00 to {begin + 1}:00"
    agreed = f"- Mon 5 May 00:00: I agreed to be at the Pond on Monday 5 May 2031 {hours}: joining Bo Hart"
    summary = f"Ann Lee, 30.\nHome: Elm House. Up at 07:00, to bed at {bed}.\nUsual day:\n{lines}"
    time = f"Monday 5 May 2031, {now}"
    blocks = ask("plan_day", agent_summary=summary, time=time, bedtime=bed, retrieved_memories=agreed)["blocks"]
    assert blocks[0]["from"] == now
    assert blocks[-1]["until"] == bed
    assert all(a["until"] == b["from"] for a, b in pairwise(blocks))
    lengths = [(parse_clock(b["until"]) - parse_clock(b["from"])) % DAY or DAY for b in blocks]
    assert sum(lengths) == ((parse_clock(bed) - parse_clock(now)) % DAY or DAY)


def test_an_appointment_is_in_the_day_with_time_to_get_there() -> None:
    """The plan goes to the place ten minutes ahead, and is there for the hour that was agreed."""
    agreed = "- Mon 5 May 08:00: I agreed to be at the Pond on Monday 5 May 2031 from 19:30 to 21:00: joining Bo Hart"
    blocks = ask("plan_day", retrieved_memories=agreed)["blocks"]
    there = [(block["from"], block["until"]) for block in blocks if block["place"] == "the Pond"]
    assert there[-2:] == [("19:20", "19:30"), ("19:30", "21:00")]


def test_a_routine_of_some_weekdays_is_kept_on_them_only() -> None:
    """What belongs to other weekdays is left out."""
    summary = SUMMARY.format(traits="Warm.", bond="a friend").replace(
        "serving customers", "serving customers (Tue, Wed)"
    )
    monday, tuesday = (
        ask("plan_day", agent_summary=summary, time=f"{day} May 2031, 07:00")["blocks"]
        for day in ("Monday 5", "Tuesday 6")
    )
    assert not [block for block in monday if block["do"] == "serving customers"]
    assert [block for block in tuesday if block["do"] == "serving customers"]


# robustness

PROMPTS = ("agent_action", "dialogue_turn", "plan_day", "talk_summary")
VARIABLES = (
    "agent_name", "agent_summary", "town_map", "time", "retrieved_memories", "place", "partner", "relation",
    "transcript", "bedtime", "situation",
)  # fmt: skip
pieces = st.sampled_from(
    ["I will give a dance at the Inn on 31 February at 25:00.", 'X told me: "', "- Mon 31 Feb 08:00: ", "I talked with",
     " told me that ", "Home: . Up at , to bed at 99:99.", "- 99:99-00:61 at : ", "Just now:\n- ",
     "You could talk to: .",
     "tomorrow", "\n", "(open 88:88-99:99)",
     "Monday 31 February 2031, 77:99", "9999-12-31", "0001-01-01",
     "I agreed to be at  on : ", " says: \"", "?", "你好。", "\u0000", "the 99th"]
)  # fmt: skip
texts = st.lists(st.one_of(pieces, st.text(max_size=12)), max_size=6).map("".join)


@pytest.mark.slow
@settings(max_examples=120)
@given(prompt=st.sampled_from(PROMPTS), variables=st.fixed_dictionaries({name: texts for name in VARIABLES}))
def test_any_text_gets_an_answer_that_parses_and_is_always_the_same(prompt: str, variables: dict[str, str]) -> None:
    """No text in any variable raises; the answer is JSON, or a sentence for a situation in free words."""
    answer = MODEL.complete(prompt, **variables)
    assert answer == ANOTHER.complete(prompt, **variables)
    if prompt == "agent_action" and not answer.startswith("{"):
        assert answer.strip()
    else:
        assert isinstance(json.loads(answer), dict)


@pytest.mark.slow
@settings(max_examples=60)
@given(prompt=st.sampled_from(PROMPTS), name=st.sampled_from(VARIABLES), text=texts)
def test_one_odd_variable_does_no_harm(prompt: str, name: str, text: str) -> None:
    """Each variable alone may hold anything."""
    variables = {"agent_action": {"situation": "What do you do?"}}.get(prompt, {}) | {name: text}
    if prompt == "agent_action":
        assert in_words(text, text)
    else:
        ask(prompt, **variables)


def literals() -> list[str]:
    """Return the string literals of the offline mind that are no docstrings, and its phrases, weights and examples."""
    found = [path.read_text(encoding="utf-8") for path in Path(sim.offline.__file__).parent.glob("*.yaml")]
    for path in Path(sim.offline.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {
            id(node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        found += [
            n.value
            for n in ast.walk(tree)
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docs
        ]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("sample", sample_names())
def test_the_code_holds_no_words_of_the_samples(sample: str) -> None:
    """No person, place or topic of a sample scenario stands in the offline mind's code."""
    scenario, code = load(sample), "\n".join(literals())
    names = [person.name for person in scenario.people] + [place.name for place in scenario.town.places]
    topics = [group for measure in scenario.measures.knows.values() for group in measure.words if len(group) > 1]
    assert names
    assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", code, re.IGNORECASE)]
    assert re.search(r"\bhello\b", code, re.IGNORECASE)  # other words are found there
    for line in code.splitlines():
        assert not [
            group for group in topics if all(re.search(rf"\b{re.escape(w)}\b", line, re.IGNORECASE) for w in group)
        ]
