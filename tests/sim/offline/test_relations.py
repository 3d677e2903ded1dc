"""The offline mind among people: it reads how it stands to them, falls out, makes up, and takes notes by rule."""

import json
from datetime import datetime

import pytest

from memory.relationships import Metrics, SocialSettings, parse_note
from memory.relationships.mood import Contribution, parse_digest
from memory.relationships.thread import parse_gist
from sim.models.request import Request
from sim.offline import OfflineModel, standing
from sim.offline.choice import Dice
from sim.offline.quarrels import grievance, must_out, ready_for_peace, strife, to_reconcile, towards
from sim.offline.standing import Standing, drawn_to, standing_to, to_take_up
from sim.offline.talk import Talk
from sim.offline.variables import MemoryLine, Summary
from sim.offline.wording import Voice, address, phrases

ME, OTHER, THIRD = "Ada Lind", "Bo Berg", "Cy Dahl"
NOW = datetime(2031, 5, 5, 12)
NOBODY = Standing()
MODEL = OfflineModel()
ABOUT = Summary("North Farm", None, "Proud.", (), {OTHER: "a friend", THIRD: "a friend"}, None)


def remembers(*texts: str, when: datetime = NOW) -> list[MemoryLine]:
    """Return memories of just now."""
    return [MemoryLine(when, text) for text in texts]


@pytest.mark.parametrize(
    ("metrics", "read"),
    [
        (Metrics(), Standing()),
        (Metrics(affinity=3, trust=3, humor=3), Standing(3, 3, 0, 3)),
        (Metrics(affinity=1.5, trust=1.5, humor=0.5), Standing(2, 2, 0, 1)),
        (Metrics(affinity=0.3, trust=0.3, conflict=0.3), Standing(1, 1, 1, 0)),
        (Metrics(affinity=-0.3, trust=-0.3, conflict=1.2), Standing(-1, -1, 2, 0)),
        (Metrics(affinity=-1.5, trust=-1.5, conflict=4), Standing(-2, -2, 3, 0)),
        (Metrics(affinity=-4, trust=-4), Standing(-3, -3, 0, 0)),
    ],
)
def test_the_words_for_a_card_are_read_back(metrics: Metrics, read: Standing) -> None:
    """What a prompt says of the four numbers is understood, alone, in a list and in a block of cues."""
    words = metrics.words(OTHER)
    for text in (words, f"With you:\n- {OTHER}: here\n- {words}", f"To you: a rival.\n<cues>{words}\nmore</cues>"):
        assert standing_to(OTHER, text) == read


def test_past_dealings_are_read_and_forgiven() -> None:
    """The light engine's line counts what came after the last time they made up."""
    assert standing_to(OTHER, f"Past dealings with {OTHER}: helped, argued, quarrelled").quarrel == 2
    assert standing_to(OTHER, f"Past dealings with {OTHER}: quarrelled, made up, helped") == Standing(liking=1)


def test_a_tie_alone_is_no_feeling() -> None:
    """Without a block of cues nothing is felt, whatever the scenario says of the tie."""
    assert standing_to(OTHER, "To you: a friend whom I like.") == NOBODY
    assert drawn_to(f"- You feel drawn to {OTHER}, {THIRD}.") == [OTHER, THIRD]


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        (f"{OTHER} sold our boat without asking me, and I am furious.", "sold our boat without asking me"),
        (f"Yesterday {OTHER} has broken my jug.", "broken my jug"),
        ("Bo breaks Ada's window.", "broke my window"),
        (f"{OTHER} lied to me about his debts.", "lied to me about your debts"),
        (f"{OTHER} broke his arm.", ""),
        (f"{OTHER} took me to the fair.", ""),
        (f'{THIRD} told me: "{OTHER} stole my hat."', ""),
        (f"{THIRD} stole my hat.", ""),
    ],
)
def test_a_wrong_is_known_by_what_was_done_to_oneself(memory: str, said: str) -> None:
    """Only first-hand knowledge of harm to oneself, by this person, is held against them."""
    found = grievance(remembers(memory), ME, OTHER)
    assert (found.text if found else "") == said


def test_a_wrong_is_had_out_once_and_soon() -> None:
    """Who has said it, or has let a day go by, says it no more of their own accord."""
    memories = remembers(f"{OTHER} stole my hat with the feather.")
    wrong = grievance(memories, ME, OTHER)
    said = remembers(f"I talked with {OTHER}. I told {OTHER}: I can't believe that you stole my hat with the feather.")
    assert must_out(wrong, memories, OTHER, NOW)
    assert not must_out(wrong, said, OTHER, NOW)
    assert not must_out(wrong, memories, OTHER, datetime(2031, 5, 8))


def say(talk: Talk, *texts: str, standing: Standing = NOBODY, about: Summary = ABOUT) -> str:
    """Return what a quarrel makes one say, "" for nothing."""
    voice = Voice(Dice(None), talk.texts, {"you": address(talk.partner)})
    said = strife(talk, voice, remembers(*texts), about, standing, NOW)
    return said[0] if said else ""


def test_a_quarrel_goes_its_way() -> None:
    """Reproach, denial, rejection: and a gentle person gives in instead."""
    assert "can't believe that you stole my hat" in say(Talk(ME, OTHER, []), f"{OTHER} stole my hat.")
    reproach = [(OTHER, "I can't believe that you stole my hat.")]
    assert say(Talk(ME, OTHER, reproach)) in phrases()["denies"]
    assert "sorry" in say(Talk(ME, OTHER, reproach), about=ABOUT._replace(about="Gentle."))
    denied = [(ME, "I can't believe that you stole my hat."), (OTHER, "You are being unfair.")]
    assert say(Talk(ME, OTHER, denied)).startswith(("Then", "I am done"))


def test_plain_talk_is_left_alone() -> None:
    """Where nothing is between two people, nothing of the kind is said."""
    for last in ("Good morning, Ada.", "I am sorry, that is past my bedtime.", "I disagree with the mayor."):
        assert say(Talk(ME, OTHER, [(OTHER, last)]), "I like tea.") == ""


def test_a_peacemaker_speaks_and_is_heard() -> None:
    """Who wants others to make up tells them once; who is told by a friend says sorry, and the other forgives."""
    wish = f"I want to make peace between {OTHER} and {THIRD}."
    assert to_reconcile(remembers(wish), ME, OTHER, ABOUT.knows) == THIRD
    urged = say(Talk(ME, OTHER, []), wish)
    assert f"make peace with {THIRD}" in urged
    told = f"I talked with {OTHER}. I told {OTHER}: {urged}"
    assert to_reconcile(remembers(wish, told), ME, OTHER, ABOUT.knows) is None
    heard = f'{THIRD} told me: "Ada, please make peace with {OTHER}."'
    assert ready_for_peace(remembers(heard), OTHER, ABOUT)
    sorry = say(Talk(ME, OTHER, []), heard, standing=Standing(quarrel=3))
    assert "sorry" in sorry
    assert "forgive" in say(Talk(OTHER, ME, [(ME, sorry)])) or "hard feelings" in say(Talk(OTHER, ME, [(ME, sorry)]))


def test_who_has_made_up_lets_it_rest() -> None:
    """A reconciliation later than the last hard words holds, an earlier one does not."""
    at_odds = Standing(liking=-2, quarrel=3)
    made_up = f"I talked with {OTHER}. I told {OTHER}: Let's put this behind us."
    hard = f"I talked with {OTHER}. {OTHER} said to me: Leave me alone."
    later = datetime(2031, 5, 6)
    assert not towards(OTHER, at_odds, [*remembers(hard), *remembers(made_up, when=later)]).shuns
    assert towards(OTHER, at_odds, [*remembers(made_up), *remembers(hard, when=later)]).shuns


def approaches(standing: str, knows: str = f"Knows:\n- {OTHER}: a friend") -> int:
    """Return on how many of sixty occasions the other is spoken to."""
    text = (
        "You are at the Inn. Your plan until 13:00: spinning wool.\nWith you here:\n"
        f"- {OTHER} (a friend): carving\n{standing}You could talk to: {OTHER}."
    )
    news = "- Mon 5 May 11:00: I will give a dance at the Inn on 6 May from 19:00 to 21:00."
    variables = {
        "agent_name": ME, "agent_summary": f"{ME}, 30. Proud.\n{knows}".strip(), "town_map": "",
        "time": "Monday 5 May 2031, 12:00", "retrieved_memories": news, "situation": text,
    }  # fmt: skip
    asked = [Request(ME, "agent_action", variables, (), None, {"seed": seed}) for seed in range(60)]
    return sum(json.loads(MODEL.reply(one).text)["talk_to"] == OTHER for one in asked)


def test_a_talk_to_take_up_is_a_reason_to_approach_and_no_feeling() -> None:
    """The line names with whom; it is not taken for how one stands to them."""
    line = (
        f"You last talked of the mill with {OTHER} 9 hours ago, as one who doubted. {OTHER} had said: You dislike it?"
    )
    assert to_take_up(f"With you:\n- {line}\n{line.replace(OTHER, THIRD)}") == [OTHER, THIRD]
    assert standing_to(OTHER, f"- {line}") == Standing()
    assert approaches(f"How you stand to them:\n- {line}\n", knows="") > approaches("", knows="")


@pytest.mark.slow
def test_somebody_dear_needs_no_tie() -> None:
    """Who has grown fond of a stranger turns to them as to anybody whom one knows."""
    fond = f"How you stand to them:\n- {Metrics(affinity=3).words(OTHER)}\n"
    stranger = approaches(fond, knows="")
    assert approaches(fond) >= approaches("")
    assert stranger > approaches("", knows="")


@pytest.mark.slow
def test_who_is_approached_hangs_on_the_card() -> None:
    """Friends are sought more, people at odds hardly ever."""
    fond = approaches(f"How you stand to them:\n- {Metrics(affinity=4, trust=3).words(OTHER)}\n")
    shuns = approaches(f"How you stand to them:\n- {Metrics(affinity=-1, conflict=3).words(OTHER)}\n")
    assert fond >= approaches("") > 10 * shuns


def answer(relation: str) -> str:
    """Return the answer to an invitation from somebody to whom one stands so."""
    variables = {
        "agent_name": ME, "agent_summary": f"{ME}, 30. Proud.", "place": "the Inn", "partner": OTHER,
        "retrieved_memories": "", "time": "Monday 5 May 2031, 12:00", "relation": relation,
        "transcript": f"{OTHER}: Hello, Ada. I will give a dance at the Inn on 6 May from 19:00 to 21:00. Do come!",
    }  # fmt: skip
    return str(json.loads(MODEL.complete("dialogue_turn", **variables))["say"])


def test_an_invitation_is_accepted_from_friends_and_not_from_foes() -> None:
    """The card decides before one's mood does."""
    said = [answer(f"<cues>{metrics.words(OTHER)}</cues>") for metrics in (Metrics(affinity=3), Metrics(conflict=3))]
    assert any(yes in said[0] for yes in phrases()["yes"])
    assert not any(yes in said[1] for yes in phrases()["yes"])


def test_notes_of_others_are_replies_that_can_be_used() -> None:
    """The six answers are read by the parsers that a language model's replies go through."""
    note = parse_note(standing.note({"utterance": "You idiot, you broke my jug."}))
    assert note is not None
    assert note.relation == "hostile"
    gist = parse_gist(standing.gist({"topic": "jugs", "conversation": f"{ME}: I agree.", "agent_name": ME}))
    assert gist is not None
    assert gist[1] == "supporter"
    said = [Contribution(i, NOW, who, "The harvest was poor.", ("harvest",)) for i, who in enumerate((ME, OTHER))]
    listed = "\n".join(f"- {one.by}: {one.text}" for one in said)
    digest = parse_digest(standing.mood({"contributions": listed}), said)
    assert digest is not None
    assert "harvest" in digest.topics
    assert SocialSettings().engine == "compact"
