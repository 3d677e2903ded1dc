"""Tokens are estimated without a tokenizer, within the error that is stated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim.models.tokens import ERROR, FINER, PER_MESSAGE, estimate, estimate_messages

COUNTED = [  # as o200k_base counts them
    (
        26,
        "The baker opens at seven, and by half past the first loaves are gone; who comes at eight takes what is left.",
    ),
    (
        74,
        "You are Osric Vane, 41. Warm. Home: the Loft. Work: the Forge. Up at 06:30, to bed at 22:30.\nUsual day:\n"
        "- 08:00-12:00 at the Forge: hammering horseshoes\n- 13:00-17:00 at the Forge: sharpening blades",
    ),
    (
        38,
        '{"do": "drawing water", "place": "the Well", "talk_to": null, "minutes": 45, '
        '"reason": "The bucket at home is empty."}',
    ),
    (
        41,
        "On 6 May 2031, from 19:00 to 21:00, there will be a lantern concert at the Long Barn; "
        "admission is 2.50, children pay half.",
    ),
    (
        32,
        'I overheard Tilda Roe tell Bram Holt: "I agreed to be at the Well at three, to draw water with our '
        'neighbours. Will you come?"',
    ),
]
FOREIGN = [
    (33, "Morgen früh treffe ich meine Nachbarin am Marktplatz, um über das Sommerfest zu sprechen. "
         "Wir brauchen noch jemanden, der Kuchen backt."),
    (39, "Завтра утром я встречаюсь с соседкой на рыночной площади, чтобы поговорить о летнем празднике. "
         "Нам ещё нужен кто-нибудь, кто испечёт пироги."),
    (41, "明天早上我和邻居在市场广场见面，讨论夏日节的事情。我们还需要有人烤蛋糕。她说她的妹妹可能会帮忙。"),
    (34, "내일 아침 시장 광장에서 이웃을 만나 여름 축제에 대해 이야기할 예정입니다. "
         "케이크를 구워 줄 사람이 아직 필요합니다."),
]  # fmt: skip


def test_what_a_town_sends_is_within_the_stated_error() -> None:
    """Together, texts as towns send them are estimated within the stated error of what a tokenizer counts."""
    counted, estimated = sum(n for n, _ in COUNTED), sum(estimate(text) for _, text in COUNTED)
    assert abs(estimated / counted - 1) <= ERROR


@pytest.mark.parametrize(("count", "text"), COUNTED, ids=[text[:12] for _, text in COUNTED])
def test_single_short_texts_are_within_a_fifth(count: int, text: str) -> None:
    """Even a text of one or two sentences is not far off."""
    assert abs(estimate(text) / count - 1) <= 0.2


@pytest.mark.parametrize(("count", "text"), FOREIGN, ids=["German", "Russian", "Chinese", "Korean"])
def test_other_languages_are_within_a_third(count: int, text: str) -> None:
    """Other scripts are counted by their letters, not as single words."""
    assert abs(estimate(text) / count - 1) <= 0.34


def test_a_real_small_vocabulary_makes_as_many_more_as_stated() -> None:
    """The tokenizer that the packaged embedder ships (Llama 2's) cuts finer by about the stated share."""
    wordllama = pytest.importorskip("wordllama", reason="has no wheel for this machine")
    from pathlib import Path

    from tokenizers import Tokenizer

    folder = Path(wordllama.__file__).parent / "tokenizers"
    tokenizer = Tokenizer.from_file(str(folder / "l2_supercat_tokenizer_config.json"))
    real = sum(len(tokenizer.encode(text, add_special_tokens=False).ids) for _, text in COUNTED)
    estimated = sum(estimate(text) for _, text in COUNTED) * FINER["vocabularies of 32,000"]
    assert abs(estimated / real - 1) <= 0.15


@pytest.mark.slow
@given(st.text(), st.text())
def test_the_parts_of_a_text_add_up(one: str, other: str) -> None:
    """Two texts on lines of their own have as many tokens as each alone, but for rounding."""
    whole = estimate(f"{one}\n{other}")
    assert abs(whole - estimate(one) - estimate(other)) <= 2
    assert estimate(one) >= (1 if one else 0)


def test_roles_and_separators_of_messages_count() -> None:
    """Each message adds a few tokens to those of its text."""
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who are you?"}]
    assert estimate_messages(messages) == 2 * PER_MESSAGE + estimate("Be brief.") + estimate("Who are you?")
